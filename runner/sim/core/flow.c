// Control flow inside a warp: branches, calls, returns, exits, and the thread frontier, where separated lanes meet
// again.
// SPDX-License-Identifier: MIT
#include "sim/core/flow.h"

#include "base/clock.h"
#include "sim/core/converge.h"
#include "sim/core/fault.h"
#include "sim/core/look.h"
#include "sim/core/recorder.h"
#include "sim/watch/watch.h"

#include <string.h>

void flow_start(struct warp *w, const struct inst *at, uint32_t lanes)
{
    w->live = w->start = lanes;
    w->active = 0;
    w->carry = 0;
    w->forced = w->yielded = w->heeds = w->again = false;
    w->poll = NULL;
    w->spins = 0;
    w->group_count = 1;
    w->groups[0] = (struct group){.at = at, .mask = lanes};
}

static bool splits(const struct warp *w) { return w->block->random && w->block->splits; }

static void note_next(struct warp *w)
{
    w->next = w->heeds ? NULL : FLOW_NOWHERE;
    for (int k = 0; !splits(w) && k < w->group_count; k++)
        if (w->groups[k].state == GROUP_READY && w->groups[k].at < w->next) w->next = w->groups[k].at;
}

static void add_group(struct warp *w, struct group g)
{
    if (w->machine) return converge_add(w, g);
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].at == g.at && w->groups[k].state == g.state && g.state != GROUP_BARRIER) {
            w->groups[k].mask |= g.mask;
            return;
        }
    w->groups[w->group_count++] = g;
}

void flow_add(struct warp *w, const struct inst *at, uint32_t mask)
{
    if (mask) add_group(w, (struct group){.at = at, .mask = mask});
}

static int any_ready(const struct warp *w)
{
    int ready = 0;
    for (int k = 0; k < w->group_count; k++) ready += w->groups[k].state == GROUP_READY;
    for (int k = 0, n = ready ? (int)flow_draw(w->block, (uint32_t)ready) : 0; k < w->group_count; k++)
        if (w->groups[k].state == GROUP_READY && n-- == 0) return k;
    return -1;
}

static int earliest(const struct warp *w, enum group_state state)
{
    int best = -1;
    if (state == GROUP_READY && splits(w)) return any_ready(w);
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].state == state && (best < 0 || w->groups[k].at < w->groups[best].at)) best = k;
    return best;
}

const struct inst *flow_next(struct warp *w)
{
    if (!w->group_count) return w->active = 0, NULL;
    if (w->machine) return converge_next(w);
    if (w->group_count == 1 && w->groups[0].state == GROUP_READY) { // by far the most common
        w->group_count = 0;
        w->active = w->groups[0].mask;
        w->next = w->heeds ? NULL : FLOW_NOWHERE;
        return w->groups[0].at;
    }
    int k = earliest(w, GROUP_READY);
    for (int n = 0; k < 0 && n < w->group_count; n++)
        if (w->groups[n].state == GROUP_LATER) w->groups[n].state = GROUP_READY;
    if (k < 0) k = earliest(w, GROUP_READY);
    if (k < 0) {
        // Lanes that wait for another one that went elsewhere: the hardware has no better answer either.
        k = earliest(w, GROUP_SYNC);
        w->forced = k >= 0;
    }
    if (k < 0) {
        w->active = 0;
        return NULL;
    }
    const struct group g = w->groups[k];
    w->groups[k] = w->groups[--w->group_count];
    w->active = g.mask;
    note_next(w);
    return g.at;
}

// Two groups instead of one: the earlier goes on unless another group is earlier still.
static const struct inst *part(struct warp *w, const struct inst *a, uint32_t a_mask, const struct inst *b,
    uint32_t b_mask)
{
    add_group(w, (struct group){.at = a, .mask = a_mask});
    add_group(w, (struct group){.at = b, .mask = b_mask});
    return flow_next(w);
}

void flow_interrupt(struct warp *w, const struct inst *i)
{
    add_group(w, (struct group){.at = i, .mask = w->active});
    w->active = 0;
    w->yielded = true;
}

const struct inst *flow_later(struct warp *w, const struct inst *i)
{
    const bool others = earliest(w, GROUP_READY) >= 0;
    add_group(w, (struct group){.at = i, .mask = w->active, .state = GROUP_LATER});
    if (others) return flow_next(w);
    w->active = 0;
    w->yielded = true;
    return NULL;
}

const struct inst *flow_park(struct warp *w, const struct inst *i, uint32_t mask, struct group g)
{
    const uint32_t rest = w->active & ~mask;
    g.at = i;
    g.mask = mask;
    add_group(w, g);
    if (rest) add_group(w, (struct group){.at = i + 1, .mask = rest});
    return flow_next(w);
}

static uint32_t parked_at(const struct warp *w, const struct inst *i)
{
    uint32_t lanes = 0;
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].at == i && w->groups[k].state == GROUP_SYNC) lanes |= w->groups[k].mask;
    return lanes;
}

// Of `lanes` those whose mask is not that one.
static uint32_t differing(const u32 *members, uint32_t lanes, uint32_t mask)
{
    uint32_t differ = 0;
    for (uint32_t l = 0; l < LANES; l++) differ |= (uint32_t)(members[l] != mask) << l;
    return differ & lanes;
}

bool flow_masks_agree(struct warp *w, const struct inst *i, uint32_t mask, const u32 *members)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m), other = differing(members, members[l] & mask, members[l]);
        if (!other) continue;
        fault_set(w, i, l, SIM_DIVERGED, "the mask 0x%08x names lane %d too, whose own mask is another: 0x%08x",
            members[l], __builtin_ctz(other), members[__builtin_ctz(other)]);
        return false;
    }
    return true;
}

// What an instruction for several lanes asks of them, where the block is watched. False: a fault.
static bool masks_hold(struct warp *w, const struct inst *i, uint32_t mask, const u32 *members, uint32_t ready)
{
    if (!flow_masks_agree(w, i, mask, members)) return false;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m), named = members[l];
        if (!named) continue; // the old form takes who is there
        if (!(named >> l & 1)) {
            fault_set(w, i, l, SIM_DIVERGED, "the mask 0x%08x does not name the lane that executes this", named);
            return false;
        }
        if (!(ready >> l & 1)) {
            const uint32_t missing = named & w->live & ~mask;
            fault_set(w, i, l, SIM_DIVERGED, "the mask 0x%08x names lane %u too, which does not come here", named,
                missing ? (uint32_t)__builtin_ctz(missing) : l);
            return false;
        }
    }
    return true;
}

void flow_met(struct warp *w, const struct inst *i, uint32_t mask, const u32 *members)
{
    if (w->heeds) watch_past_met(w, i, mask, members);
    watch_meet(w);
}

bool flow_together(struct warp *w, const struct inst *i, uint32_t mask, const u32 *members, const struct inst **next)
{
    const bool forced = w->forced;
    const uint32_t parked = parked_at(w, i), have = mask | parked;
    uint32_t ready = 0;
    w->forced = false;
    for (uint32_t m = have; m; m &= m - 1) { // each lane has a mask of its own
        const int l = __builtin_ctz(m);
        if ((members[l] & w->live & ~have) == 0) ready |= 1u << l;
    }
    if (ready == mask || (forced && !ready)) {
        *next = NULL;
        if (!w->block->watch) return true;
        if (!masks_hold(w, i, mask, members, ready)) return false;
        return flow_met(w, i, mask, members), true;
    }
    for (int k = w->group_count; parked && k-- > 0;)
        if (w->groups[k].at == i && w->groups[k].state == GROUP_SYNC) w->groups[k] = w->groups[--w->group_count];
    if (have & ~ready) add_group(w, (struct group){.at = i, .mask = have & ~ready, .state = GROUP_SYNC});
    if ((have & ~ready) && w->block->watch) watch_past_waits(w, i, have & ~ready, false);
    if (ready) add_group(w, (struct group){.at = i, .mask = ready});
    if (w->active & ~mask) add_group(w, (struct group){.at = i + 1, .mask = w->active & ~mask});
    *next = flow_next(w);
    return false;
}

#define SLICE ((uint64_t)1 << 20)

bool flow_must_end(struct warp *w, const struct inst *i)
{
    struct block *b = w->block;
    const uint32_t lane = (uint32_t)__builtin_ctz(w->active);
    if (b->stop && *b->stop) return fault_set(w, i, lane, SIM_STOPPED, "stopped"), true;
    if (__atomic_load_n(b->ends_at, __ATOMIC_RELAXED) < b->linear)
        return fault_set(w, i, lane, SIM_STOPPED, "stopped by an earlier block"), true;
    if (b->spent > b->budget) {
        fault_set(w, i, lane, SIM_BUDGET, "more than %llu warp instructions executed, probably an endless loop",
            (unsigned long long)b->budget);
        return true;
    }
    if (!(b->seconds > 0)) return false;
    const double now = clock_thread();
    if (!(b->began > 0)) b->began = now;
    else if (now - b->began > b->seconds) {
        fault_set(w, i, lane, SIM_BUDGET, "one block took more than %.3g s of processor time, probably an endless loop",
            b->seconds);
        return true;
    }
    return false;
}

// This is rare: the block has used up its slice. Looks for a reason to end, then lets the block's other warps run.
static const struct inst *pause(struct warp *w, const struct inst *i)
{
    struct block *b = w->block;
    if (flow_must_end(w, i)) return NULL;
    *(b->view || b->recorder ? &b->view_pause : &b->pause_at) =
        b->spent + SLICE < b->budget ? b->spent + SLICE : b->budget;
    flow_interrupt(w, i);
    return NULL;
}

static HANDLER(leave);

// The watch asks where lanes go on. False: they go on where they should not be.
static bool heed(struct warp *w, const struct inst *i, bool *earlier)
{
    const int k = earliest(w, GROUP_READY);
    const bool only_leaves = i[1].run == leave && !i[1].guard;
    *earlier = k < 0 || i < w->groups[k].at;
    return only_leaves || watch_past_head(w, i);
}

// Stands before every instruction that something may jump to: counts what follows, and stops a group that has come to
// where another one waits.
static HANDLER(head)
{
    (void)mask;
    w->block->spent += i->site;
    if (__builtin_expect(w->block->spent > w->block->pause_at, 0)) {
        const struct block *b = w->block;
        if ((!b->view && !b->recorder) || b->spent > b->view_pause) return pause(w, i);
        if (i < w->next && b->view) look_head(w, i);
        if (i < w->next && b->recorder) recorder_head(w, i);
    }
    if (i < w->next) return i + 1;
    if (w->heeds) {
        bool earlier;
        if (!heed(w, i, &earlier)) return NULL;
        if (earlier) return i + 1;
    }
    add_group(w, (struct group){.at = i, .mask = w->active});
    return flow_next(w);
}

bool flow_again(struct warp *w, const struct inst *i, uint64_t value, uint32_t mask)
{
    const bool again = w->poll == i && w->poll_value == value && w->poll_mask == mask;
    w->poll = i, w->poll_value = value, w->poll_mask = mask;
    w->spins = again ? w->spins + 1 : 0;
    w->block->changed |= !again;
    return again;
}

const struct inst *flow_spin(struct warp *w, const struct inst *i)
{
    w->spun = true;
    return flow_later(w, i);
}

// Behind a load in a loop that does nothing but look again: a warp that reads what it read before lets the others run.
// How often a GPU looks nobody knows; the first look at each value is counted.
static HANDLER(poll)
{
    const unsigned char *lanes = SLOT(w, i->r[0]);
    uint64_t value = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        value = value * 31 + (i->wide ? ((const u64 *)(const void *)lanes)[l] : ((const u32 *)(const void *)lanes)[l]);
    }
    if (!flow_again(w, i, value, mask)) return i + 1;
    w->block->waits++;
    struct site *s = &w->sites[i->site];
    if (s->memo_space <= SPACE_LOCAL) {
        struct sim_tally *t = &s->tally[s->memo_space];
        t->requests -= s->requests, t->units -= s->units, t->conflicts -= s->conflicts;
        t->lanes -= s->lanes, t->executed -= s->requests > 0;
    }
    if (flow_starves(w)) return flow_spin(w, i + 1);
    w->spun = true;
    flow_interrupt(w, i + 1);
    return NULL;
}

static HANDLER(branch)
{
    if (mask == w->active) return i->target;
    return part(w, i->target, mask, i + 1, w->active & ~mask);
}

// brx.idx: the target list has i->site entries.
static HANDLER(branch_indexed)
{
    const u32 *index = SLOT(w, i->r[0]);
    const uint32_t rest = w->active & ~mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (index[lane] >= i->site)
            return fault_set(w, i, lane, SIM_ASSERT, "branch to entry %u of a table of %u", index[lane], i->site);
        add_group(w, (struct group){.at = i->targets[index[lane]], .mask = 1u << lane});
    }
    if (rest) add_group(w, (struct group){.at = i + 1, .mask = rest});
    return flow_next(w);
}

// Whether a loop has at least i->site turns left until its counter reaches its bound. This is asked before each few
// turns: dividing would take longer than they do.
static bool has_turns(const struct inst *i, uint64_t counter, uint64_t bound)
{
    const bool grows = i->offset > 0, below = i->elem ? (int64_t)counter < (int64_t)bound : counter < bound;
    const bool until_equal = i->vector == 'n', takes_bound = i->vector && !until_equal;
    const uint64_t step = (uint64_t)(grows ? i->offset : -i->offset), gap = grows ? bound - counter : counter - bound;
    uint64_t needed;
    if (counter == bound) return i->site <= takes_bound;
    if (below != grows || __builtin_mul_overflow(until_equal ? i->site : i->site - 1, step, &needed)) return false;
    if (until_equal) return gap >= needed && (step & (step - 1) ? gap % step : gap & (step - 1)) == 0;
    return takes_bound ? gap >= needed : gap > needed;
}

// Whether all lanes have the same counter or bound.
static bool is_alike(struct warp *w, const struct inst *i, uint32_t slot)
{
    uint64_t differ = 0;
    uint32_t differs = 0;
    const u64 *wide = SLOT(w, slot);
    const u32 *narrow = SLOT(w, slot);
    if (i->wide)
        for (int l = 0; l < LANES; l++) differ |= wide[l] ^ wide[0];
    else
        for (int l = 0; l < LANES; l++) differs |= narrow[l] ^ narrow[0];
    return !(differ | differs);
}

// A lane's, in 64 bits.
static uint64_t number_in(struct warp *w, const struct inst *i, uint32_t slot, uint32_t lane)
{
    if (i->wide) return ((const u64 *)SLOT(w, slot))[lane];
    const uint32_t n = ((const u32 *)SLOT(w, slot))[lane];
    return i->elem ? (uint64_t)(int64_t)(int32_t)n : n;
}

// Which lanes have at least i->site turns of a loop left.
static HANDLER(turns)
{
    u32 *to = SLOT(w, i->r[0]);
    uint32_t enough = 0;
    const bool alike = is_alike(w, i, i->r[1]) && is_alike(w, i, i->r[2]);
    for (uint32_t m = alike ? 1 : mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        if (has_turns(i, number_in(w, i, i->r[1], l), number_in(w, i, i->r[2], l))) enough |= alike ? mask : 1u << l;
    }
    *to = (*to & ~mask) | enough;
    return i + 1;
}

const struct inst *flow_straight_from(const struct warp *w, const struct inst *i, HANDLER((*is)))
{
    const struct inst *at = i;
    if (i->guard) return NULL;
    while (at > w->block->code && at->run != is) at--;
    return at->run == is && at + 1 < i ? at : NULL;
}

static HANDLER(leave)
{
    if (w->block->watch) watch_past_end(w, flow_straight_from(w, i, head));
    w->live &= ~mask;
    w->active &= ~mask;
    return w->active ? i + 1 : flow_next(w);
}

static HANDLER(trap) { return fault_trap(w, i, mask); }

static HANDLER(fence)
{
    (void)mask;
    if (w->block->watch && i->elem) watch_heed(w->block->watch);
    else if (w->block->watch) watch_fence(w, i->vector);
    if (w->block->watch && i->offset) watch_proxy(w);
    return i + 1;
}

static HANDLER(warp_barrier)
{
    const struct inst *next;
    return flow_together(w, i, mask, SLOT(w, i->r[0]), &next) ? i + 1 : next;
}

// Barriers of the block. The kind is the immediate: enum barrier_kind in barrier.c.
static HANDLER(barrier)
{
    const int lane = __builtin_ctz(mask);
    const uint32_t id = ((const u32 *)SLOT(w, i->r[0]))[lane],
                   count = i->r[1] ? ((const u32 *)SLOT(w, i->r[1]))[lane] : 0;
    if (id >= BARRIERS)
        return fault_set(w, i, (uint32_t)lane, SIM_ASSERT, "there is no barrier %u (they go from 0 to 15)", id);
    if (w->block->recorder && i->offset != 1) recorder_barrier(w, id, count);
    if (w->block->view) look_barrier(w);
    if (i->offset != 1 && w->block->watch && !count && mask != w->live) watch_past_waits(w, i, mask, true);
    if (i->offset != 1)
        return flow_park(w, i, mask, (struct group){.state = GROUP_BARRIER, .barrier = (uint8_t)id, .expected = count});
    if (w->block->watch) watch_arrive(w, id);
    // bar.arrive does not wait; a warp that is all there counts as 32 threads
    w->block->barriers[id].arrived += mask == w->live ? LANES : (uint32_t)__builtin_popcount(mask);
    w->block->barriers[id].expected = count;
    flow_arrived(w->block, id);
    return i + 1;
}

const struct op flow_ops[] = {{"head", NULL, head}, {"bra", NULL, branch}, {"poll", NULL, poll}, {"turns", NULL, turns},
    {"brx.idx", NULL, branch_indexed}, {"exit", NULL, leave}, {"trap", NULL, trap}, {"fence", NULL, fence},
    {"bar.warp", NULL, warp_barrier}, {"bar", NULL, barrier}, {NULL, NULL, NULL}};
