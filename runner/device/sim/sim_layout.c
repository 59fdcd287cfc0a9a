// Memory that is not a flat block, on the simulator: textures, rows at a pitch, and variables of the source. Content is
// made and checked in a flat block beside it, as on a GPU; the kernel sees only the shaped one, so that its accesses
// are counted where they would fall.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"
#include "device/texels.h"
#include "plan/asks.h"
#include "sim/ops/tensor.h"

#include <string.h>

enum { PITCH_STEP = 512 }; // what cudaMallocPitch rounds rows up to on every GPU since compute capability 7.0

static bool is(const struct job_buffer *b, const char *memory) { return b->memory && strcmp(b->memory, memory) == 0; }

bool sim_layout_texture(const struct job_buffer *b) { return is(b, "texture") || is(b, "surface"); }
bool sim_layout_pitched(const struct job_buffer *b) { return is(b, "pitched"); }
bool sim_layout_shaped(const struct job_buffer *b) { return is(b, "pitched") || is(b, "constant") || is(b, "symbol"); }

uint64_t sim_layout_pitch(const struct job_buffer *b)
{
    const uint64_t row = b->extent[0] * b->element_bytes;
    return is(b, "pitched") ? (row + PITCH_STEP - 1) / PITCH_STEP * PITCH_STEP : row;
}

// A file that has both kinds calls them table_constant and table_symbol; else it is called like the buffer.
uint64_t sim_layout_variable(struct sim_device *dev, const struct job_buffer *b, struct diags *d)
{
    const char *name = arena_printf(dev->arena, "%s_%s", b->name, b->memory);
    size_t bytes = 0;
    uint64_t at = sim_symbol(dev->module, name, &bytes);
    if (!at) at = sim_symbol(dev->module, name = b->name, &bytes);
    if (!at)
        diag_user(d, (struct where){0}, NULL, "`memory: %s`: the source has no variable `%s` or `%s_%s`", b->memory,
            b->name, b->name, b->memory);
    else if (bytes < b->bytes)
        diag_user(d, (struct where){0}, NULL, "the variable `%s` has %zu bytes, the buffer `%s` %llu", name, bytes,
            b->name, (unsigned long long)b->bytes);
    return at && bytes >= b->bytes ? at : 0;
}

uint64_t sim_layout_bytes(const struct job_buffer *b) { return sim_layout_pitch(b) * b->extent[1] * b->extent[2]; }

void sim_layout_copy(struct sim_device *dev, const struct job_buffer *b, const struct sim_buffer *s, bool in)
{
    const uint64_t row = b->extent[0] * b->element_bytes, rows = b->extent[1] * b->extent[2],
                   pitch = sim_layout_pitch(b);
    const bool flat = !is(b, "pitched");
    char *dense = sim_host(dev->sim, s->block->address, (size_t)b->bytes);
    char *shaped = sim_host(dev->sim, s->address, (size_t)(flat ? b->bytes : sim_layout_bytes(b)));
    for (uint64_t y = 0; y < (flat ? 1 : rows); y++) {
        char *a = dense + y * row, *z = shaped + y * pitch;
        memcpy(in ? z : a, in ? a : z, (size_t)(flat ? b->bytes : row));
    }
}

// The sizes that every GPU since compute capability 7.0 takes.
void sim_layout_unfit(const struct job *job, const struct job_buffer *b, char why[256])
{
    static const uint64_t most[3][3] = {{131072}, {131072, 65536}, {16384, 16384, 16384}};
    texels_unfit(job, b, most[b->rank - 1], "a GPU", why);
}

uint64_t sim_layout_object(struct sim_device *dev, const struct job *job, const struct job_buffer *b, uint64_t texels)
{
    static const enum sim_channel kinds[] = {SIM_CHANNEL_FLOAT, SIM_CHANNEL_SIGNED, SIM_CHANNEL_UNSIGNED};
    static const enum sim_wrap wraps[] = {SIM_CLAMP, SIM_BORDER, SIM_WRAP, SIM_MIRROR};
    const enum sim_wrap wrap = wraps[texels_wrap(job)];
    struct texels t;
    if (!texels_of(b, &t)) return 0; // sim_layout_unfit has said so
    return sim_texture(dev->sim,
        &(struct sim_texture){.address = texels,
            .extent = {(uint32_t)b->extent[0], (uint32_t)b->extent[1], (uint32_t)b->extent[2]},
            .rank = (uint8_t)b->rank,
            .channels = (uint8_t)t.channels,
            .bits = (uint8_t)t.bits,
            .kind = kinds[t.kind],
            .wrap = {wrap, wrap, wrap},
            .linear = asks_is(job, SETTING_TEXTURE_FILTER, "linear"),
            .normalized = asks_true(job, SETTING_TEXTURE_NORMALIZED)});
}

// An element: whole numbers without a sign where the scalar is none of these.
static enum sim_tensor_type tensor_type(const char *scalar, uint32_t bytes)
{
    static const struct {
        const char *scalar;
        enum sim_tensor_type type;
    } list[] = {{"float", SIM_TENSOR_F32}, {"double", SIM_TENSOR_F64}, {"half", SIM_TENSOR_F16},
        {"__nv_bfloat16", SIM_TENSOR_BF16}, {"int", SIM_TENSOR_S32}, {"long long", SIM_TENSOR_S64}};
    static const enum sim_tensor_type whole[9] = {
        [1] = SIM_TENSOR_U8, [2] = SIM_TENSOR_U16, [4] = SIM_TENSOR_U32, [8] = SIM_TENSOR_U64};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(scalar, list[i].scalar) == 0) return list[i].type;
    return whole[bytes];
}

const void *sim_layout_tensor(struct sim_device *dev, const struct job_buffer *b, const struct sim_buffer *s,
    const struct job_argument *a)
{
    const struct job_tensor *t = a->tensor;
    const uint64_t own[] = {t->bytes, sim_layout_pitch(b), sim_layout_pitch(b) * b->extent[1]};
    struct sim_tensor *map = arena_alloc(dev->arena, SIM_TENSOR_BYTES);
    *map = (struct sim_tensor){.mark = SIM_TENSOR_MARK,
        .address = s->address + a->offset,
        .top = (uint8_t)(t->rank - 1),
        .type = (uint8_t)tensor_type(b->scalar, t->bytes),
        .swizzle = (uint8_t)(t->swizzle == 128 ? 3 : t->swizzle / 32),
        .nan = t->nan != 0,
        .images = t->images != 0};
    for (uint32_t i = 0; i < t->rank && i < SIM_TENSOR_RANK; i++) {
        if (i < SIM_TENSOR_RANK - 2) map->lower[i] = (int16_t)t->lower[i], map->upper[i] = (int16_t)t->upper[i];
        map->size[i] = (uint32_t)t->size[i];
        if (i) map->stride[i - 1] = t->own ? own[i < 3 ? i : 2] : t->stride[i];
        map->box[i] = (uint16_t)t->box[i];
        map->step[i] = (uint8_t)t->step[i];
    }
    return map;
}
