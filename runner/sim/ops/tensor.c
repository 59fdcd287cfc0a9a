// Copies by a tensor map. A box is copied at once, row by row in pieces of 16 bytes, which are what a swizzle moves; of
// what is outside of the tensor nothing is read or written. The watch knows how long nobody may look.
// SPDX-License-Identifier: MIT
#include "sim/ops/tensor.h"

#include <string.h>

#include "sim/core/access.h"
#include "sim/core/fault.h"
#include "sim/core/residents.h"
#include "sim/core/state.h"
#include "sim/ops/mbarrier.h"
#include "sim/ops/tables.h"

// What the 128 bytes of a tensor map say, wherever they lie, and whether they can be one.

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

// Reads the map there for the copy `i`. False: a fault says why not.
static bool tensor_view(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address, struct tensor_view *to)
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

enum { PIECE = 16, ALIGN = 128 };

struct boxed { // one box that is copied
    struct warp *w;
    const struct inst *i;
    uint32_t lane;
    struct tensor_view map;
    struct memory_op op;             // of a reduction: with the type that the map says
    int64_t at[SIM_TENSOR_RANK];     // where it begins; of images, the pixel that comes next
    uint32_t shift[SIM_TENSOR_RANK]; // which a filter reads so far from there
    uint64_t shared;                 // where the box lies there
    uint32_t row;                    // bytes of a row of the box
    uint32_t pitch, rows;            // in shared memory a row takes a whole span of its swizzle
};

// A GPU stops at what it cannot begin with: a piece in two, a place before the tensor that is to be written, a pixel
// that is none of those between the corners.
static bool begins_well(const struct boxed *x)
{
    const struct tensor_view *m = &x->map;
    const char *name = x->i->bulk->memory.name;
    const int64_t begins = x->at[0] * m->bytes;
    if (begins % PIECE)
        return fault_set(x->w, x->i, x->lane, SIM_MISALIGNED,
                   "the box of `%.60s` begins at byte %lld of a row, no multiple of 16: a GPU stops there", name,
                   (long long)begins) != NULL;
    for (uint32_t k = 0; k < m->rank; k++) {
        const bool pixel = m->images && k && k + 1 < m->rank;
        if (x->at[k] < 0 && x->i->bulk->to_space == SPACE_GLOBAL)
            return fault_set(x->w, x->i, x->lane, SIM_OUT_OF_BOUNDS,
                       "the box of `%.60s` begins at %lld in direction %u: where it is written, a GPU stops at what is "
                       "below 0",
                       name, (long long)x->at[k], k) != NULL;
        if (pixel && m->lower[k - 1] < 0 && x->i->bulk->to_space == SPACE_GLOBAL)
            return fault_set(x->w, x->i, x->lane, SIM_OUT_OF_BOUNDS,
                       "`%.60s` by a map whose corner is %d in direction %u: where it is written, a GPU stops at what "
                       "is below 0",
                       name, m->lower[k - 1], k) != NULL;
        if (pixel && (x->at[k] < m->lower[k - 1] || x->at[k] >= (int64_t)m->size[k] + m->upper[k - 1]))
            return fault_set(x->w, x->i, x->lane, SIM_OUT_OF_BOUNDS,
                       "`%.60s` begins at pixel %lld in direction %u, and the corners are %d and %lld: a GPU stops "
                       "there",
                       name, (long long)x->at[k], k, m->lower[k - 1],
                       (long long)m->size[k] + m->upper[k - 1] - 1) != NULL;
    }
    return true;
}

static bool open_box(struct boxed *x, uint64_t map, uint64_t shared)
{
    const struct bulk_op *op = x->i->bulk;
    if (!tensor_view(x->w, x->i, x->lane, map, &x->map)) return false;
    x->shared = shared;
    x->row = x->map.box[0] * x->map.bytes;
    x->pitch = x->row < x->map.swizzle ? x->map.swizzle : x->row;
    x->rows = op->images ? x->map.box[1] : 1;
    for (int k = 0; k < op->rank; k++) {
        x->at[k] = (int32_t)((const u32 *)SLOT(x->w, op->at[k]))[x->lane];
        if (k && !op->images) x->rows *= (x->map.box[k] + x->map.step[k] - 1u) / x->map.step[k];
        if (op->shift[k]) x->shift[k] = ((const u32 *)SLOT(x->w, op->shift[k]))[x->lane] & 0xffff;
    }
    return begins_well(x);
}

// Each piece of 16 bytes changes its place among those of a span, by its row among eight.
static uint64_t swizzled(uint64_t address, uint32_t span) { return address ^ ((address >> 7 & (span / 16 - 1)) << 4); }

// Global memory is checked in the largest pieces that are aligned.
static bool admit_global(const struct boxed *x, uint64_t address, uint32_t bytes)
{
    for (uint32_t size; bytes; address += size, bytes -= size) {
        uint64_t at[LANES];
        size = PIECE;
        while (address % size || size > bytes) size /= 2;
        for (int l = 0; l < LANES; l++) at[l] = address;
        if (!access_check(x->w, x->i, at, 1u << x->lane, SPACE_GLOBAL, size)) return false;
        if (x->w->block->watch && !watch_access(x->w, x->i, at, 1u << x->lane, SPACE_GLOBAL, size)) return false;
    }
    return true;
}

// What is outside is zero, or no number: an H200 writes this one, whatever the type.
static void outside(const struct boxed *x, unsigned char *to, uint32_t bytes)
{
    static const uint16_t nan = 0x7ff7;
    memset(to, 0, bytes);
    for (uint32_t k = 0; x->map.nan && k < bytes; k += 2) memcpy(to + k, &nan, 2);
}

// `bytes` of a piece of the box lie `at` in it and at `global`.
static bool move_piece(const struct boxed *x, unsigned char *shared, uint64_t global, uint32_t at, uint32_t bytes)
{
    const struct bulk_op *op = x->i->bulk;
    unsigned char *place = (unsigned char *)(uintptr_t)global;
    if (bytes && !admit_global(x, global, bytes)) return false;
    if (op->to_space == SPACE_SHARED) {
        if (bytes < PIECE) outside(x, shared, PIECE);
        memcpy(shared + at, place, bytes);
    } else if (op->memory.kind >= ACCESS_ATOMIC) atomics_apply(&x->op, place, shared + at, bytes);
    else memcpy(place, shared + at, bytes);
    return true;
}

// What other threads may see of shared memory. A store reads only what is inside of the tensor.
static bool watch_shared(const struct boxed *x, uint64_t address, uint32_t bytes)
{
    const bool loads = x->i->bulk->to_space == SPACE_SHARED;
    uint64_t at[LANES];
    if (!x->w->block->watch || address >> RESIDENT_SHIFT || (!loads && !bytes)) return true;
    for (int l = 0; l < LANES; l++) at[l] = address;
    if (loads) watch_copy(x->w, x->i, at, 1u << x->lane, PIECE);
    else watch_async(x->w, x->i, at, 1u << x->lane, PIECE);
    return true;
}

// Until its thread has waited for the store nobody may write the row in shared memory, or look at it in the tensor.
static void watch_out(const struct boxed *x, uint64_t shared, uint64_t global, bool in)
{
    const struct tensor_view *m = &x->map;
    const uint64_t end = (m->size[0] * m->bytes + PIECE - 1) / PIECE * PIECE, first = (uint64_t)x->at[0] * m->bytes;
    if (!x->w->block->watch || x->i->bulk->to_space == SPACE_SHARED || shared >> RESIDENT_SHIFT || !in || first >= end)
        return;
    const uint32_t bytes = end - first < x->row ? (uint32_t)(end - first) : x->row;
    watch_bulk_out(x->w, x->i, x->lane, (uint32_t)shared, global + first, bytes);
}

static bool copy_row(const struct boxed *x, uint64_t shared, uint64_t global, bool in)
{
    const int64_t first = x->at[0], size = (int64_t)x->map.size[0], each = PIECE / x->map.bytes;
    for (uint32_t k = 0; k < x->row / PIECE; k++) {
        int64_t from = first + (int64_t)k * each, to = from + each;
        const int64_t begin = from;
        const uint64_t place = swizzled(shared + (uint64_t)k * PIECE, x->map.swizzle ? x->map.swizzle : PIECE);
        unsigned char *piece = mbarrier_reach(x->w, x->i, x->lane, place, PIECE, PIECE, NULL);
        if (!piece) return false;
        const bool loads = x->i->bulk->to_space == SPACE_SHARED;
        if (from < 0) from = 0;
        if (to > size && (loads || from >= size)) to = size; // a piece that begins inside is written whole
        if (!in || to < from) to = from = begin;
        const uint32_t bytes = (uint32_t)(to - from) * x->map.bytes;
        if (!watch_shared(x, place, bytes) ||
            !move_piece(x, piece, global + (uint64_t)from * x->map.bytes, (uint32_t)(from - begin) * x->map.bytes,
                bytes))
            return false;
    }
    return true;
}

// The pixels come in the order in which they lie, but for those beyond the corners.
static void next_pixel(struct boxed *x)
{
    const struct tensor_view *m = &x->map;
    for (uint32_t k = 1; k + 1 < m->rank; k++) {
        x->at[k] += m->step[k];
        if (x->at[k] < (int64_t)m->size[k] + m->upper[k - 1]) return;
        x->at[k] = m->lower[k - 1];
    }
    x->at[m->rank - 1]++;
}

static bool copy_box(struct boxed *x)
{
    const struct tensor_view *m = &x->map;
    for (uint32_t row = 0; row < x->rows; row++) {
        uint64_t global = m->address;
        bool in = true;
        uint32_t left = row;
        for (uint32_t k = 1; k < m->rank; k++) {
            const uint32_t count = m->images ? 1 : (m->box[k] + m->step[k] - 1u) / m->step[k];
            const int64_t at = x->at[k] + x->shift[k] + (int64_t)(left % count) * m->step[k];
            left /= count;
            in &= at >= 0 && at < (int64_t)m->size[k];
            global += (uint64_t)at * m->stride[k];
        }
        const uint64_t shared = x->shared + (uint64_t)row * x->pitch;
        if (!copy_row(x, shared, global, in)) return false;
        watch_out(x, shared, global, in);
        if (m->images) next_pixel(x);
    }
    return true;
}

// Reductions are done by the type of the map's elements. False after a fault: no GPU does this one.
static bool reduces_by(struct boxed *x)
{
    static const uint8_t none = 0xff,
                         types[SIM_TENSOR_TYPES] = {none, none, ATOMIC_U32, ATOMIC_S32, ATOMIC_U64, ATOMIC_S64,
                             ATOMIC_F16, ATOMIC_F32, ATOMIC_F32, ATOMIC_F64, ATOMIC_BF16, ATOMIC_F32, ATOMIC_F32};
    const bool real = x->map.type >= SIM_TENSOR_F16;
    x->op = x->i->bulk->memory;
    x->op.type = types[x->map.type];
    const bool adds = x->op.atomic == ATOMIC_ADD, orders = x->op.atomic == ATOMIC_MIN || x->op.atomic == ATOMIC_MAX;
    const bool counts = x->op.atomic == ATOMIC_INC || x->op.atomic == ATOMIC_DEC;
    if (x->op.type != none && (orders || x->map.type != SIM_TENSOR_S64) &&
        (real ? adds || (orders && x->map.bytes == 2) : !counts || x->map.type == SIM_TENSOR_U32))
        return true;
    fault_set(x->w, x->i, x->lane, SIM_ASSERT, "`%.60s` on elements of %u bytes%s: no GPU does that", x->op.name,
        x->map.bytes, real ? ", floats" : "");
    return false;
}

// One lane's copy. To shared memory a barrier counts all bytes of the box, those outside too.
static bool one(struct boxed *x, uint64_t map, uint64_t shared, uint64_t barrier)
{
    const struct bulk_op *op = x->i->bulk;
    if (!open_box(x, map, shared)) return false;
    if (shared % ALIGN) {
        fault_set(x->w, x->i, x->lane, SIM_MISALIGNED,
            "byte %llu of shared memory is no multiple of %d, as `%.60s` needs it",
            (unsigned long long)(shared & RESIDENT_OFFSET), ALIGN, op->memory.name);
        return false;
    }
    if (op->memory.kind >= ACCESS_ATOMIC && !reduces_by(x)) return false;
    if (!copy_box(x)) return false;
    if (!op->barrier) return true;
    if (x->w->block->watch && !mbarrier_note(x->w, x->i, x->lane, shared, x->rows * x->pitch, barrier)) return false;
    return mbarrier_complete(x->w, x->i, x->lane, barrier, x->rows * x->row);
}

static HANDLER(tensor_copy)
{
    const struct bulk_op *op = i->bulk;
    const u64 *shared = SLOT(w, op->to_space == SPACE_SHARED ? op->to : op->from), *map = SLOT(w, op->map);
    const u64 *barrier = SLOT(w, op->barrier);
    const u32 *ranks = SLOT(w, op->ranks);
    if (i->vector) mask &= -mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        struct boxed x = {.w = w, .i = i, .lane = l};
        const uint64_t to = mbarrier_own(shared[l]), bar = op->barrier ? mbarrier_own(barrier[l]) : 0;
        if (!op->ranks && !one(&x, map[l], to, bar)) return NULL;
        for (uint32_t r = op->ranks ? ranks[l] & 0xffff : 0; r; r &= r - 1) {
            const uint32_t rank = (uint32_t)__builtin_ctz(r);
            if (!one(&x, map[l], mbarrier_in_block(to, rank), mbarrier_in_block(bar, rank))) return NULL;
        }
    }
    return i + 1;
}

// Where each lane's four bytes of a map lie.
static HANDLER(lanes)
{
    u64 *to = SLOT(w, i->r[0]);
    const u64 *from = SLOT(w, i->r[1]);
    (void)mask;
    EACH_LANE to[l] = from[l] + 4u * (unsigned)l;
    return i + 1;
}

const struct op tensor_ops[] = {
    {"cp.async.bulk.tensor", NULL, tensor_copy}, {"tensormap.lanes", NULL, lanes}, {NULL, NULL, NULL}};
