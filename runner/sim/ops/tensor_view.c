// What the 128 bytes of a tensor map say, wherever they lie, and whether they can be one.
// SPDX-License-Identifier: MIT
#include "sim/core/access.h"
#include "sim/core/fault.h"
#include "sim/ops/mbarrier.h"
#include "sim/core/state.h"
#include "sim/ops/tensor.h"

#include <string.h>

// Where the 128 bytes lie. NULL after a fault.
static const void *find_map(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address)
{
    const uint64_t offset = address & WINDOW_OFFSET;
    const enum space space = access_space_of(address);
    const struct block *b = w->block;
    if (address % 64) fault_set(w, i, lane, SIM_MISALIGNED, "a tensor map lies at a multiple of 64 bytes");
    else if (space == SPACE_PARAM && offset + SIM_TENSOR_BYTES <= b->param_size) return b->params + offset;
    else if (space == SPACE_LOCAL && offset + SIM_TENSOR_BYTES <= b->local_size)
        return w->local + (uint64_t)b->local_stride * lane + offset;
    else if (space == SPACE_GLOBAL) {
        const struct allocation *a = memory_find(&b->sim->memory, address);
        if (a && a->hi - address >= SIM_TENSOR_BYTES) return (const void *)(uintptr_t)address;
        fault_access(w, i, lane, address, SIM_TENSOR_BYTES, SPACE_GLOBAL);
    } else fault_set(w, i, lane, SIM_OUT_OF_BOUNDS, "a tensor map is read where there is none");
    return NULL;
}

static bool can_be(const struct sim_tensor *m)
{
    if ((m->mark && m->mark != SIM_TENSOR_MARK) || m->top >= SIM_TENSOR_RANK || m->type >= SIM_TENSOR_TYPES ||
        m->swizzle > 3 || m->interleave)
        return false;
    for (uint32_t k = 0; k <= m->top; k++)
        if (m->step[k] < 1 || m->step[k] > 8) return false;
    for (uint32_t k = 0; k <= (m->images ? 1u : m->top); k++)
        if (m->box[k] < 1 || m->box[k] > (m->images && k ? 1024 : 256)) return false;
    return true;
}

bool tensor_view(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address, struct tensor_view *to)
{
    static const uint8_t bytes[SIM_TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
    const void *from = find_map(w, i, lane, address);
    const struct bulk_op *op = i->bulk;
    struct sim_tensor m;
    if (!from) return false;
    memcpy(&m, from, sizeof m);
    if (!can_be(&m))
        return fault_set(w, i, lane, SIM_ASSERT, "what `%.60s` reads is no tensor map", op->memory.name) != NULL;
    if (m.top + 1 != op->rank || m.images != op->images)
        return fault_set(w, i, lane, SIM_ASSERT, "`%.60s` by a tensor map of %u directions%s", op->memory.name,
                   m.top + 1u, m.images ? ", im2col" : ", tile") != NULL;
    *to = (struct tensor_view){.address = m.address,
        .rank = op->rank,
        .bytes = bytes[m.type],
        .type = m.type,
        .swizzle = m.swizzle ? 16u << m.swizzle : 0,
        .nan = m.nan,
        .images = m.images};
    for (uint32_t k = 0; k < to->rank; k++) {
        to->size[k] = m.size[k] ? m.size[k] : (uint64_t)1 << 32;
        to->stride[k] = k ? m.stride[k - 1] : to->bytes;
        to->box[k] = m.box[k], to->step[k] = m.step[k];
        if (k && k + 1 < to->rank) to->lower[k - 1] = m.lower[k - 1], to->upper[k - 1] = m.upper[k - 1];
    }
    return true;
}
