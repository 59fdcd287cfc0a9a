// Textures and surfaces: the texel at a coordinate, its value, and values between texels. A texture unit has
// coordinates with 8 bits after the point, so that a filtered value is a mean with weights of 1/256; it is the same
// here. Their traffic does not go through the pipe whose requests and sectors are counted.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/core/fault.h"
#include "sim/ops/half.h"
#include "sim/core/state.h"
#include "sim/ops/tables.h"

#include <math.h>
#include <string.h>

#define TAG ((uint64_t)'T' << 24) // machine code reads 32 bits of a handle

uint64_t sim_texture(struct sim *s, const struct sim_texture *t)
{
    size_t at = 0;
    while (at < s->texture_count && s->textures[at].address) at++;
    if (at == s->texture_count) mem_grow(&s->textures, &s->texture_room, ++s->texture_count, sizeof *s->textures);
    s->textures[at] = *t;
    return TAG | at;
}

void sim_texture_release(struct sim *s, uint64_t handle)
{
    const uint64_t at = handle ^ TAG;
    if (at < s->texture_count) s->textures[at].address = 0;
}

static const struct sim_texture *find(const struct sim *s, uint64_t handle)
{
    const uint64_t at = handle ^ TAG;
    return at < s->texture_count && s->textures[at].address ? &s->textures[at] : NULL;
}

// One texel's four channels, as the bits that a register gets.
struct texel {
    uint32_t bits[4];
};

static uint64_t texel_bytes(const struct sim_texture *t) { return (uint64_t)t->channels * t->bits / 8; }

static void *texel_at(const struct sim_texture *t, const int64_t at[3], uint32_t layer)
{
    const uint64_t index =
        (((uint64_t)layer * t->extent[2] + (uint64_t)at[2]) * t->extent[1] + (uint64_t)at[1]) * t->extent[0] +
        (uint64_t)at[0];
    return (void *)(uintptr_t)(t->address + index * texel_bytes(t));
}

static uint32_t channel(const struct sim_texture *t, const unsigned char *from)
{
    uint32_t raw = 0;
    memcpy(&raw, from, t->bits / 8u);
    if (t->kind == SIM_CHANNEL_FLOAT) return t->bits == 16 ? float_bits(half_to_float(raw)) : raw;
    const uint32_t most = t->bits == 32 ? UINT32_MAX : (1u << t->bits) - 1;
    if (t->kind == SIM_CHANNEL_UNSIGNED)
        return t->as_float && t->bits < 32 ? float_bits((float)raw / (float)most) : raw;
    const int32_t value = (int32_t)(raw << (32 - t->bits)) >> (32 - t->bits);
    if (!t->as_float || t->bits == 32) return (uint32_t)value;
    const float part = (float)value / (float)(most >> 1);
    return float_bits(part < -1 ? -1 : part);
}

static int64_t modulo(int64_t i, int64_t n) { return (i % n + n) % n; }

// The texel that is used for one outside; false: the border, which is zero.
static bool bring_inside(const struct sim_texture *t, int64_t at[3])
{
    for (int k = 0; k < 3; k++) {
        const int64_t n = t->extent[k];
        if (at[k] >= 0 && at[k] < n) continue;
        switch (t->wrap[k]) {
        case SIM_BORDER: return false;
        case SIM_WRAP: at[k] = modulo(at[k], n); break;
        case SIM_MIRROR:
            at[k] = modulo(at[k], 2 * n);
            if (at[k] >= n) at[k] = 2 * n - 1 - at[k];
            break;
        case SIM_CLAMP: at[k] = at[k] < 0 ? 0 : n - 1; break;
        }
    }
    return true;
}

static struct texel fetch(const struct sim_texture *t, const int64_t where[3], uint32_t layer)
{
    struct texel texel = {{0}};
    int64_t at[3] = {where[0], where[1], where[2]};
    if (!bring_inside(t, at)) return texel;
    const unsigned char *from = texel_at(t, at, layer);
    for (uint32_t c = 0; c < t->channels; c++) texel.bits[c] = channel(t, from + c * t->bits / 8u);
    return texel;
}

// Coordinates in units of 1/256 texel, beginning at the first texel's edge (or its middle, for filtering). What lies
// between two such units is rounded to the nearer one, and the middle is rounded down.
static int64_t fixed(const struct sim_texture *t, float x, int direction, bool middle)
{
    double texels = (double)x;
    if (t->normalized) texels *= t->extent[direction];
    if (!(fabs(texels) < 0x1p40)) return texels > 0 ? (int64_t)1 << 40 : -((int64_t)1 << 40);
    return middle ? (int64_t)ceil((texels - 0.5) * 256 - 0.5) : (int64_t)floor(texels) * 256;
}

// The weights of the four texels of a plane, in 1/256: they are rounded so that they make 256 again.
static void weigh(int64_t x, int64_t y, int64_t weights[4])
{
    const int64_t both = (x * y + 128) / 256;
    weights[3] = both;
    weights[2] = y - both;
    weights[1] = x - both;
    weights[0] = 256 - x - y + both;
}

static struct texel filtered(const struct sim_texture *t, const int64_t at[3], int rank, uint32_t layer)
{
    double sum[4] = {0};
    struct texel texel;
    int64_t weights[4];
    weigh(at[0] & 255, rank > 1 ? at[1] & 255 : 0, weights);
    for (int corner = 0; corner < 1 << rank; corner++) {
        const int64_t depth = rank > 2 ? at[2] & 255 : 0, slice = corner >> 2 ? depth : 256 - depth;
        const double weight = (double)(weights[corner & 3] * slice) / 65536;
        const int64_t where[3] = {
            (at[0] >> 8) + (corner & 1), (at[1] >> 8) + (corner >> 1 & 1), (at[2] >> 8) + (corner >> 2)};
        if (weight == 0) continue; // what is not looked at may be infinite
        const struct texel one = fetch(t, where, layer);
        for (int c = 0; c < 4; c++) sum[c] += weight * (double)bits_float(one.bits[c]);
    }
    for (int c = 0; c < 4; c++) texel.bits[c] = float_bits((float)sum[c]);
    return texel;
}

// The face of a cube that a direction points at, and where on it (0 to 1).
static uint32_t face_of(const float v[3], float on[2])
{
    const float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
    const int axis = z > x && z > y ? 2 : y > x ? 1 : 0;
    const bool negative = signbit(v[axis]);
    const float most = axis == 0 ? x : axis == 1 ? y : z;
    const float s = axis == 0 ? (negative ? v[2] : -v[2]) : axis == 1 ? v[0] : negative ? -v[0] : v[0];
    const float u = axis == 1 ? (negative ? -v[2] : v[2]) : -v[1];
    on[0] = (s / most + 1) / 2;
    on[1] = (u / most + 1) / 2;
    return (uint32_t)(2 * axis + negative);
}

// A texture that was made without a word of layers has them in its last direction, for who asks for layers.
static struct sim_texture with_layers(const struct texture_op *op, const struct sim_texture *t)
{
    struct sim_texture own = *t;
    if ((!op->layered && !op->cube) || t->layers > 1) return own;
    own.layers = op->rank < 3 ? own.extent[op->rank] : 1;
    if (op->rank < 3) own.extent[op->rank] = 1;
    return own;
}

struct texture_place { // of one lane: in 1/256 texels, and which layer
    int64_t at[3];
    uint32_t layer;
};

static uint32_t lane_bits(struct warp *w, uint32_t slot, uint32_t lane) { return ((const u32 *)SLOT(w, slot))[lane]; }

static struct texture_place place_of(struct warp *w, const struct texture_op *op, const struct sim_texture *t,
    uint32_t lane, bool middle)
{
    struct texture_place p = {{0}, 0};
    float v[3] = {0}, on[2];
    int k = 0, rank = op->rank + op->cube;
    const uint32_t layers = (t->layers ? t->layers : 1) / (op->cube ? 6u : 1u);
    if (op->layered) {
        p.layer = lane_bits(w, op->at[k++], lane);
        if (p.layer >= layers) p.layer = layers ? layers - 1 : 0;
    }
    for (int n = 0; n < rank; n++) {
        const uint32_t bits = lane_bits(w, op->at[k++], lane);
        if (op->texels) p.at[n] = (int64_t)(int32_t)bits * 256;
        else v[n] = bits_float(bits);
    }
    struct sim_texture unit = *t;
    if (op->cube) {
        p.layer = p.layer * 6 + face_of(v, on);
        memcpy(v, on, sizeof on);
        unit.normalized = true;
    }
    for (int n = 0; !op->texels && n < op->rank; n++) p.at[n] = fixed(&unit, v[n], n, middle);
    return p;
}

static struct texel sample(struct warp *w, const struct texture_op *op, const struct sim_texture *t, uint32_t lane)
{
    static const int8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}}; // the order in which four are gathered
    const bool gathers = op->kind == TEXTURE_GATHER, filters = t->linear && !op->texels && !gathers;
    struct texture_place p = place_of(w, op, t, lane, filters || gathers);
    struct sim_texture own = *t;
    if (op->texels)
        for (int k = 0; k < 3; k++) own.wrap[k] = SIM_BORDER;
    if (filters) return filtered(&own, p.at, op->rank, p.layer);
    int64_t at[3] = {p.at[0] >> 8, p.at[1] >> 8, p.at[2] >> 8};
    if (!gathers) return fetch(&own, at, p.layer);
    struct texel all;
    for (int c = 0; c < 4; c++) {
        const int64_t one[3] = {at[0] + corners[c][0], at[1] + corners[c][1], 0};
        all.bits[c] = fetch(&own, one, p.layer).bits[op->component];
    }
    return all;
}

static uint32_t measure(const struct texture_op *op, const struct sim_texture *t)
{
    switch ((enum texture_query)op->component) {
    case QUERY_WIDTH: return t->extent[0];
    case QUERY_HEIGHT: return t->extent[1];
    case QUERY_DEPTH: return t->extent[2];
    case QUERY_LAYERS: return t->layers;
    default: return 1;
    }
}

static uint32_t surface_bytes(const struct texture_op *op, const struct sim_texture *t)
{
    return op->formatted ? (uint32_t)texel_bytes(t) : op->data * op->bits / 8u;
}

// The bytes of a surface that one lane accesses; `*inside` is false where there are none. NULL: a fault.
static unsigned char *surface_at(struct warp *w, const struct texture_op *op, const struct sim_texture *t,
    uint32_t lane, bool *inside)
{
    const uint32_t bytes = surface_bytes(op, t);
    const struct texture_place p = place_of(w, op, t, lane, false);
    int64_t at[3] = {p.at[0] >> 8, p.at[1] >> 8, p.at[2] >> 8}, row = (int64_t)(t->extent[0] * texel_bytes(t));
    if (op->formatted) at[0] *= (int64_t)texel_bytes(t);
    *inside = at[0] >= 0 && at[0] + bytes <= row;
    for (int k = 1; k < 3; k++) *inside &= at[k] >= 0 && at[k] < t->extent[k];
    if (!*inside && op->outside == OUTSIDE_CLAMPS) {
        at[0] = at[0] < 0 ? 0 : at[0] + bytes > row ? row - bytes : at[0];
        for (int k = 1; k < 3; k++) at[k] = at[k] < 0 ? 0 : at[k] >= t->extent[k] ? t->extent[k] - 1 : at[k];
        *inside = at[0] >= 0;
    }
    if (!*inside) return NULL;
    const int64_t start[3] = {0, at[1], at[2]};
    return (unsigned char *)texel_at(t, start, p.layer) + at[0];
}

static bool reduce(struct warp *w, const struct inst *i, const struct sim_texture *t, uint32_t lane, unsigned char *at)
{
    const struct texture_op *op = i->texture;
    const uint32_t bytes = op->bits / 8u;
    struct memory_op how = *op->atomic;
    if ((uintptr_t)at % bytes) {
        fault_set(w, i, lane, SIM_MISALIGNED, "misaligned reduction of %u bytes of a surface", bytes);
        return false;
    }
    if (op->formatted) how.type = t->kind == SIM_CHANNEL_SIGNED ? ATOMIC_S32 : ATOMIC_U32;
    atomics_apply(&how, at, (const unsigned char *)SLOT(w, op->value[0]) + (op->wide ? 8 : 4) * lane, bytes);
    return true;
}

// Whole numbers that a channel cannot hold become the nearest that it can.
static uint32_t narrowed(const struct sim_texture *t, uint32_t value)
{
    const uint32_t most = t->bits == 32 ? UINT32_MAX : (1u << t->bits) - 1;
    if (t->kind == SIM_CHANNEL_FLOAT) return t->bits == 16 ? float_to_half(bits_float(value)) : value;
    if (t->kind == SIM_CHANNEL_UNSIGNED) return value < most ? value : most;
    const int32_t high = (int32_t)(most >> 1), low = -high - 1, v = (int32_t)value;
    return (uint32_t)(v < low ? low : v > high ? high : v);
}

// sust.p: what there is no channel for is left out.
static void store_texel(struct warp *w, const struct texture_op *op, const struct sim_texture *t, uint32_t lane,
    unsigned char *at)
{
    for (uint32_t c = 0; c < t->channels; c++) {
        const uint32_t value = c < op->data ? narrowed(t, lane_bits(w, op->value[c], lane)) : 0;
        memcpy(at + c * t->bits / 8u, &value, t->bits / 8u);
    }
}

static bool move_surface(struct warp *w, const struct inst *i, const struct sim_texture *t, uint32_t lane)
{
    const struct texture_op *op = i->texture;
    const uint32_t bytes = op->bits / 8u, all = surface_bytes(op, t);
    const char *verb = op->kind == TEXTURE_LOAD ? "load" : op->kind == TEXTURE_STORE ? "store" : "reduction";
    bool inside;
    unsigned char *at = surface_at(w, op, t, lane, &inside);
    if (!inside && op->outside == OUTSIDE_TRAPS) {
        fault_set(w, i, lane, SIM_OUT_OF_BOUNDS, "out-of-bounds %s of %u bytes of a surface of %u x %u x %u texels",
            verb, all, t->extent[0], t->extent[1], t->extent[2]);
        return false;
    }
    if (inside && op->kind != TEXTURE_LOAD && !fault_locked(w, i, lane, verb, (uint64_t)(uintptr_t)at, all))
        return false;
    if (op->kind == TEXTURE_REDUCE) return !inside || reduce(w, i, t, lane, at);
    if (op->formatted) {
        if (inside) store_texel(w, op, t, lane, at);
        return true;
    }
    for (uint32_t k = 0; k < op->data; k++) {
        uint64_t value = 0;
        if (op->kind == TEXTURE_STORE) {
            value = op->wide ? ((const u64 *)SLOT(w, op->value[k]))[lane] : ((const u32 *)SLOT(w, op->value[k]))[lane];
            if (inside) memcpy(at + k * bytes, &value, bytes);
            continue;
        }
        if (inside) memcpy(&value, at + k * bytes, bytes);
        if (op->wide) ((u64 *)SLOT(w, op->value[k]))[lane] = value;
        else ((u32 *)SLOT(w, op->value[k]))[lane] = (uint32_t)value;
    }
    return true;
}

static HANDLER(texture)
{
    const struct texture_op *op = i->texture;
    const u64 *handles = SLOT(w, i->r[4]);
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const struct sim_texture *made = find(w->block->sim, handles[lane]);
        if (!made)
            return fault_set(w, i, lane, SIM_UNALLOCATED, "0x%llx is not a texture or surface object",
                (unsigned long long)handles[lane]);
        const struct sim_texture own = with_layers(op, made), *t = &own;
        if (op->cube && t->layers < 6)
            return fault_set(w, i, lane, SIM_OUT_OF_BOUNDS, "a cube has six faces, this texture %u of %u x %u texels",
                t->layers, t->extent[0], t->extent[1]);
        if (op->kind >= TEXTURE_LOAD && op->kind <= TEXTURE_REDUCE) {
            if (!move_surface(w, i, t, lane)) return NULL;
            continue;
        }
        struct texel texel = {{op->kind == TEXTURE_QUERY ? measure(op, t) : 0}};
        struct texture_op asked = *op;
        if (op->flat && made->rank == 1 && op->rank == 2 && !op->layered && !op->cube) asked.rank = 1;
        if (op->kind != TEXTURE_QUERY) texel = sample(w, &asked, t, lane);
        for (uint32_t k = 0; k < op->data; k++) ((u32 *)SLOT(w, op->value[k]))[lane] = texel.bits[k];
    }
    return i + 1;
}

const struct op texture_ops[] = {{"tex", NULL, texture}, {NULL, NULL, NULL}};
