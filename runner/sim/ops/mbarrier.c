// Barriers in shared memory, and copies in bulk. A copy is done at once; the watch knows how long nobody may look. A
// test that finds the barrier closed lets the lanes and warps run that it may wait for.
// SPDX-License-Identifier: MIT
#include "sim/ops/mbarrier.h"

#include "sim/core/access.h"
#include "sim/core/fault.h"
#include "sim/core/flow.h"
#include "sim/core/residents.h"
#include "sim/core/state.h"
#include "sim/ops/tables.h"

#include <string.h>

enum { MOST_PENDING = (1 << 20) - 1, MOST_BYTES = (1 << 21) - 1, MOST_IN_VAIN = 200000 };

// What such a barrier holds. `bytes` counts those that are still to come, around zero. `opened`: never, once, oftener.
union closed {
    uint64_t all;
    struct {
        uint64_t pending : 20, expected : 20, bytes : 21, opened : 2, phase : 1;
    } is;
};

uint64_t mbarrier_own(uint64_t address) { return address >> WINDOW_SHIFT == 1 ? address & WINDOW_OFFSET : address; }

// Bytes of shared memory, this block's or another one's of the cluster. NULL after a fault.
unsigned char *mbarrier_reach(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address, uint32_t bytes,
    uint32_t align, struct block **in)
{
    struct block *b = address >> RESIDENT_SHIFT ? resident_of(w->block, address) : w->block;
    const uint64_t at = address & RESIDENT_OFFSET;
    if (b && at % align == 0 && bytes <= b->shared_size && at <= b->shared_size - bytes) {
        if (in) *in = b;
        return b->shared + at;
    }
    if (b && at % align)
        fault_set(w, i, lane, SIM_MISALIGNED, "byte %llu of shared memory is no multiple of %u, as `%.40s` needs it",
            (unsigned long long)at, align, i->memory->name);
    else
        fault_set(w, i, lane, SIM_OUT_OF_BOUNDS, "`%.40s` reaches byte %llu of shared memory, %u bytes of %u",
            i->memory->name, (unsigned long long)at, bytes, b ? b->shared_size : 0);
    w->block->fault.of_shared = true;
    return NULL;
}

// A GPU keeps both counts negated, the one that is expected from bit 1 on, the one that is to come from bit 43 on.
static uint64_t as_kept(const union closed *c)
{
    const uint64_t expected = (0 - (uint64_t)c->is.expected) & MOST_PENDING, pending = (0 - (uint64_t)c->is.pending);
    return expected << 1 | (pending & MOST_PENDING) << 43 | (uint64_t)c->is.phase << 63;
}

static void settle(union closed *c, struct block *in)
{
    in->vain = 0;
    if (c->is.pending || c->is.bytes) return;
    c->is.phase ^= 1;
    c->is.opened = c->is.opened ? 2 : 1;
    c->is.pending = c->is.expected;
}

static bool arrive(struct warp *w, const struct inst *i, uint32_t lane, union closed *c, uint64_t n)
{
    if (n > c->is.pending) {
        fault_set(w, i, lane, SIM_ASSERT, "%llu arrive at an mbarrier where %u are still to come",
            (unsigned long long)n, (unsigned)c->is.pending);
        return false;
    }
    c->is.pending -= n & MOST_PENDING;
    if (i->vector & MBARRIER_DROPS) c->is.expected -= n & MOST_PENDING;
    return true;
}

static uint64_t phase_asked(const struct inst *i, uint64_t n)
{
    return i->vector & MBARRIER_PARITY ? n & 1 : i->vector & MBARRIER_MACHINE ? n >> 31 & 1 : n >> 63;
}

// One lane. False after a fault. `*open`: what a test found.
static bool act(struct warp *w, const struct inst *i, uint32_t lane, union closed *c, struct block *in, uint64_t n,
    bool *open)
{
    switch ((enum mbarrier_kind)i->elem) {
    case MBARRIER_INIT:
        if (i->vector & MBARRIER_MACHINE) n = (MOST_PENDING + 1) - (n >> 1 & MOST_PENDING);
        if (n < 1 || n > MOST_PENDING)
            return fault_set(w, i, lane, SIM_ASSERT, "an mbarrier of %llu arrivals", (unsigned long long)n);
        *c = (union closed){.is = {.pending = n & MOST_PENDING, .expected = n & MOST_PENDING}};
        break;
    case MBARRIER_INVAL: c->all = 0; break;
    case MBARRIER_EXPECT: c->is.bytes += n & MOST_BYTES; break;
    case MBARRIER_COMPLETE:
        c->is.bytes -= n & MOST_BYTES;
        settle(c, in);
        break;
    case MBARRIER_ARRIVE:
        if (i->vector & MBARRIER_BYTES) c->is.bytes += n & MOST_BYTES, n = 1;
        if (!arrive(w, i, lane, c, n)) return false;
        settle(c, in);
        break;
    case MBARRIER_TEST:
        *open = c->is.phase != phase_asked(i, n);
        if (*open) in->vain = 0;
        break;
    case MBARRIER_PENDING: break;
    }
    return true;
}

// Lanes that found the barrier closed go on behind all others, of this warp and of the block.
static const struct inst *wait_for_others(struct warp *w, const struct inst *i, uint32_t lane, struct block *in,
    const union closed *c)
{
    if (in->vain++ < MOST_IN_VAIN) return flow_later(w, i->vector & MBARRIER_WAITS ? i : i + 1);
    return fault_set(w, i, lane, SIM_DEADLOCK,
        "waits at an mbarrier for %u of %u arrivals and %d bytes, and nothing comes%s", (unsigned)c->is.pending,
        (unsigned)c->is.expected, (int)c->is.bytes,
        c->is.opened > 1
            ? "; it has opened more than once: is it used again before all have seen that it opened, or is "
              "another turn's parity asked?"
            : "");
}

static HANDLER(mbarrier)
{
    uint64_t buffer[LANES];
    const uint64_t *at = access_addresses(w, i, mask, buffer);
    const u64 *state = SLOT(w, i->r[1]);
    const u32 *number = SLOT(w, i->r[1]);
    uint32_t opens = 0, closed_lane = 0;
    struct block *in = NULL, *closed_in = NULL;
    union closed closed = {0};
    if (i->elem == MBARRIER_INIT && i->vector & MBARRIER_MACHINE) mask &= -mask; // the warp makes it once
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        union closed c;
        unsigned char *place = mbarrier_reach(w, i, l, mbarrier_own(at[l]), 8, 8, &in);
        bool open = false;
        if (!place) return NULL;
        if (w->block->watch && in == w->block)
            watch_mbarrier(w, i, l, mbarrier_own(at[l]) & RESIDENT_OFFSET,
                i->elem == MBARRIER_INIT || i->elem == MBARRIER_INVAL);
        if (w->block->watch && w->block->cluster) watch_cluster_met(w->block); // it may be known to other blocks
        memcpy(&c, place, 8);
        const uint64_t before = i->vector & MBARRIER_MACHINE ? as_kept(&c) : c.all,
                       n = !i->r[1] ? 1
            : i->wide & 2           ? state[l]
                                    : number[l];
        if (!act(w, i, l, &c, in, n, &open)) return NULL;
        memcpy(place, &c, 8);
        if (i->elem != MBARRIER_TEST && i->r[0]) ((u64 *)SLOT(w, i->r[0]))[l] = before;
        opens |= (uint32_t)open << l;
        if (open && w->block->watch) watch_phase(w, mbarrier_own(at[l]), (uint32_t)phase_asked(i, n));
        if (i->elem == MBARRIER_TEST && !open) closed = c, closed_in = in, closed_lane = l;
    }
    if (i->elem != MBARRIER_TEST) return i + 1;
    u32 *p = SLOT(w, i->r[0]);
    *p = (*p & ~mask) | opens;
    if (opens && w->block->watch) watch_all_met(w);
    return closed_in ? wait_for_others(w, i, closed_lane, closed_in, &closed) : i + 1;
}

static HANDLER(follow_copies)
{
    if (w->block->watch) watch_follow(w, mask);
    return i + 1;
}

static HANDLER(pending)
{
    const u64 *state = SLOT(w, i->r[1]);
    u32 *d = SLOT(w, i->r[0]);
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        d[l] = (const union closed){.all = state[l]}.is.pending;
    }
    return i + 1;
}

// So many bytes have come to a barrier.
bool mbarrier_complete(struct warp *w, const struct inst *i, uint32_t lane, uint64_t barrier, uint32_t bytes)
{
    struct block *in = NULL;
    union closed c;
    unsigned char *place = mbarrier_reach(w, i, lane, mbarrier_own(barrier), 8, 8, &in);
    if (!place) return false;
    memcpy(&c, place, 8);
    c.is.bytes -= bytes & MOST_BYTES;
    settle(&c, in);
    memcpy(place, &c, 8);
    return true;
}

uint64_t mbarrier_in_block(uint64_t address, uint32_t rank)
{
    return (mbarrier_own(address) & RESIDENT_OFFSET) | (uint64_t)(rank + 1) << RESIDENT_SHIFT;
}

enum { PIECE = 16 };

// The host's address of one piece on either side, checked; NULL after a fault.
static void *side(struct warp *w, const struct inst *i, uint32_t lane, uint8_t space, uint64_t address)
{
    uint64_t at[LANES];
    if (space == SPACE_SHARED) return mbarrier_reach(w, i, lane, mbarrier_own(address), PIECE, PIECE, NULL);
    for (int l = 0; l < LANES; l++) at[l] = address;
    if (!access_check(w, i, at, 1u << lane, SPACE_GLOBAL, PIECE)) return NULL;
    if (w->block->watch && !watch_access(w, i, at, 1u << lane, SPACE_GLOBAL, PIECE)) return NULL;
    return (void *)(uintptr_t)address;
}

static bool copy(struct warp *w, const struct inst *i, uint32_t lane, uint64_t to, uint64_t from, uint32_t bytes)
{
    const struct bulk_op *op = i->bulk;
    if (bytes % PIECE)
        return fault_set(w, i, lane, SIM_MISALIGNED, "a bulk copy of %u bytes, which is no multiple of 16", bytes);
    for (uint32_t done = 0; done < bytes; done += PIECE) {
        unsigned char *a = side(w, i, lane, op->to_space, to + done),
                      *b = a ? side(w, i, lane, op->from_space, from + done) : NULL;
        uint64_t at[LANES];
        if (!b) return false;
        const uint64_t read = mbarrier_own(from + done);
        for (int l = 0; l < LANES; l++) at[l] = read;
        if (w->block->watch && op->from_space == SPACE_SHARED && !(read >> RESIDENT_SHIFT))
            watch_async(w, i, at, 1u << lane, PIECE);
        if (op->memory.kind >= ACCESS_ATOMIC) atomics_apply(&op->memory, a, b, PIECE);
        else memcpy(a, b, PIECE);
        for (int l = 0; l < LANES; l++) at[l] = mbarrier_own(to + done);
        if (w->block->watch && op->to_space == SPACE_SHARED && !(at[0] >> RESIDENT_SHIFT))
            watch_copy(w, i, at, 1u << lane, PIECE);
    }
    if (w->block->watch && !op->barrier && op->from_space == SPACE_SHARED && !(mbarrier_own(from) >> RESIDENT_SHIFT))
        watch_bulk_out(w, i, lane, (uint32_t)mbarrier_own(from), to, bytes);
    return true;
}

// What the copy wrote is not there before that phase of the barrier has ended.
bool mbarrier_note(struct warp *w, const struct inst *i, uint32_t lane, uint64_t to, uint32_t bytes, uint64_t barrier)
{
    const uint64_t own = mbarrier_own(to), at = mbarrier_own(barrier);
    union closed c;
    const unsigned char *place = mbarrier_reach(w, i, lane, at, 8, 8, NULL);
    if (!place) return false;
    memcpy(&c, place, 8);
    if (!(own >> RESIDENT_SHIFT) && !(at >> RESIDENT_SHIFT)) watch_bulk(w, (uint32_t)own, bytes, at, c.is.phase);
    return true;
}

static HANDLER(bulk_copy)
{
    const struct bulk_op *op = i->bulk;
    const u64 *to = SLOT(w, op->to), *from = SLOT(w, op->from), *barrier = SLOT(w, op->barrier);
    const u32 *bytes = SLOT(w, op->bytes), *ranks = SLOT(w, op->ranks);
    if (i->vector) mask &= -mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        if (op->ranks) {
            for (uint32_t r = ranks[l] & 0xffff; r; r &= r - 1) {
                const uint32_t rank = (uint32_t)__builtin_ctz(r);
                if (!copy(w, i, l, mbarrier_in_block(to[l], rank), from[l], bytes[l]) ||
                    !mbarrier_complete(w, i, l, mbarrier_in_block(barrier[l], rank), bytes[l]))
                    return NULL;
            }
            continue;
        }
        if (!copy(w, i, l, to[l], from[l], bytes[l])) return NULL;
        if (op->barrier && w->block->watch && !mbarrier_note(w, i, l, to[l], bytes[l], barrier[l])) return NULL;
        if (op->barrier && w->block->watch && op->from_space == SPACE_GLOBAL) watch_bulk_from(w, i, from[l]);
        if (op->barrier && !mbarrier_complete(w, i, l, barrier[l], bytes[l])) return NULL;
    }
    return i + 1;
}

static HANDLER(bulk_commit)
{
    if (w->block->watch) watch_bulk_commit(w, mask);
    return i + 1;
}

static HANDLER(bulk_wait)
{
    if (w->block->watch) watch_bulk_wait(w, mask, (uint32_t)i->offset, i->r[0] != 0);
    return i + 1;
}

// st.async and red.async: a few values to the shared memory of a block, whose barrier counts their bytes.
static HANDLER(store_async)
{
    const struct bulk_op *op = i->bulk;
    const u64 *to = SLOT(w, op->to), *barrier = SLOT(w, op->barrier);
    const uint32_t bytes = (uint32_t)op->item * op->items;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        unsigned char *place = mbarrier_reach(w, i, l, mbarrier_own(to[l]), bytes, bytes, NULL);
        if (!place) return NULL;
        for (uint32_t k = 0; k < op->items; k++) {
            const unsigned char *value = (const unsigned char *)SLOT(w, op->values[k]) + (op->item == 8 ? 8 : 4) * l;
            if (op->memory.kind >= ACCESS_ATOMIC) atomics_apply(&op->memory, place, value, op->item);
            else memcpy(place + k * op->item, value, op->item);
        }
        if (!mbarrier_complete(w, i, l, barrier[l], bytes)) return NULL;
    }
    return i + 1;
}

const struct op mbarrier_ops[] = {{"mbarrier", NULL, mbarrier}, {"mbarrier.pending", NULL, pending},
    {"cp.follow", NULL, follow_copies}, {"bulk.commit", NULL, bulk_commit}, {"bulk.wait", NULL, bulk_wait},
    {"cp.async.bulk", NULL, bulk_copy}, {"st.async", NULL, store_async}, {NULL, NULL, NULL}};
