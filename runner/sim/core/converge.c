// Where lanes part the smaller side runs first, until it waits or has ended, then the other. Groups that come to the
// same place stay apart until BSYNC or WARPSYNC joins them. But a warp remembers one other side alone, that of the last
// branch that parted. Who was put aside before is found by its place, with all lanes that are at that place. Found with
// the instruction counts of 936 launches.
// SPDX-License-Identifier: MIT
#include "sim/core/converge.h"

#include "sim/core/fault.h"
#include "sim/core/flow.h"
#include "sim/core/machine_op.h"
#include "sim/core/recorder.h"
#include "sim/watch/watch.h"

#include <string.h>

void converge_add(struct warp *w, struct group g)
{
    if (g.mask) w->groups[w->group_count++] = g;
}

static void take_out(struct warp *w, int k)
{
    w->group_count--;
    memmove(&w->groups[k], &w->groups[k + 1], (size_t)(w->group_count - k) * sizeof w->groups[0]);
}

static int latest(const struct warp *w, enum group_state state)
{
    for (int k = w->group_count; k-- > 0;)
        if (w->groups[k].state == state) return k;
    return -1;
}

static HANDLER(head);
static HANDLER(wait_barrier);

static const struct inst *behind_head(const struct inst *at) { return at + (at->run == head); }

// Takes in all that are at the same place, also those that wait there; at a BSYNC, those that wait for the same lanes.
static void gather(struct warp *w, struct group *g)
{
    const struct inst *const at = behind_head(g->at);
    const u32 *const b = at->run == wait_barrier ? SLOT(w, at->r[0]) : NULL;
    const uint32_t want = b ? b[__builtin_ctz(g->mask)] : 0;
    for (int k = w->group_count; k-- > 0;) {
        const struct group o = w->groups[k];
        if ((o.state != GROUP_READY && o.state != GROUP_SYNC) || behind_head(o.at) != at) continue;
        if (b && b[__builtin_ctz(o.mask)] != want) continue;
        if (o.state == GROUP_READY && o.at < g->at) g->at = o.at, g->again = false;
        g->mask |= o.mask;
        take_out(w, k);
    }
}

const struct inst *converge_next(struct warp *w)
{
    int k = latest(w, GROUP_READY);
    for (int n = 0; k < 0 && n < w->group_count; n++)
        if (w->groups[n].state == GROUP_LATER) w->groups[n].state = GROUP_READY;
    if (k < 0) k = latest(w, GROUP_READY);
    w->active = 0;
    if (k < 0) return NULL;
    struct group g = w->groups[k];
    take_out(w, k);
    if (!g.other) gather(w, &g);
    w->active = g.mask;
    w->again = g.again;
    return g.at;
}

static void count(struct warp *w, const struct inst *i, uint32_t lanes)
{
    struct machine_tally *t = &w->block->tallies[i->site];
    t->times++;
    t->lanes += lanes == ALL_LANES ? LANES : (uint32_t)__builtin_popcount(lanes);
}

#define SLICE ((uint64_t)1 << 20)

static HANDLER(leave);

// Before each stretch of code that is done by the same lanes from end to end: counts how often, and by how many.
static HANDLER(head)
{
    struct block *b = w->block;
    if (__builtin_expect(w->heeds, 0) && (i[1].run != leave || i[1].guard) && !watch_past_head(w, i)) return NULL;
    count(w, i, mask);
    b->spent += i->r[0];
    if (__builtin_expect(b->spent <= b->pause_at, 1)) return i + 1;
    if (b->recorder && b->spent <= b->view_pause) return recorder_stretch(w, i), i + 1;
    if (flow_must_end(w, i)) return NULL;
    *(b->recorder ? &b->view_pause : &b->pause_at) = b->spent + SLICE < b->budget ? b->spent + SLICE : b->budget;
    // Other lanes of the warp go first, then other warps: the ones here may wait for what they do.
    struct group g = {.at = i + 1, .mask = w->active, .state = GROUP_LATER};
    converge_add(w, g);
    w->active = 0;
    w->yielded = true;
    return NULL;
}

// An instruction that is issued again, beyond what its head counted. i[-1] need not be that head: its number is in
// r[5].
static void again(struct warp *w, const struct inst *i, uint32_t lanes)
{
    w->block->reissued[i->r[5]].times++;
    w->block->reissued[i->r[5]].lanes += (uint32_t)__builtin_popcount(lanes);
}

// Parts: `mask` goes to `to`, the rest to `rest`. The smaller side goes first; of two alike, the one that does not
// jump.
static const struct inst *part(struct warp *w, const struct inst *to, uint32_t mask, const struct inst *rest_at)
{
    const uint32_t rest = w->active & ~mask;
    w->block->parted++;
    const bool first = __builtin_popcount(mask) < __builtin_popcount(rest);
    for (int k = 0; k < w->group_count; k++) w->groups[k].other = false;
    converge_add(w, (struct group){.at = first ? rest_at : to, .mask = first ? rest : mask, .other = true});
    w->active = first ? mask : rest;
    return first ? to : rest_at;
}

static HANDLER(branch)
{
    const struct machine_branch *b = i->branch;
    if (b->in) mask &= machine_predicate(w, b->in);
    if (b->uniform) { // to the slow way, where these are not all
        const uint32_t want = *(const u32 *)SLOT(w, b->uniform);
        return (b->inverted ? ~want : want) == w->active ? i + 1 : b->target;
    }
    if (mask == w->active || (b->any && mask)) return b->target;
    if (!mask) return i + 1;
    return part(w, b->target, mask, i + 1);
}

// To a place in the code that a register has: one at a time, and the lanes with another one come here again.
static const struct inst *jump(struct warp *w, const struct inst *i, uint32_t mask, const u32 *low, bool counts)
{
    const struct machine_branch *b = i->branch;
    const uint32_t rest = w->active & ~mask;
    uint32_t best = 0, best_at = 0;
    for (uint32_t left = mask; left;) {
        const uint32_t at = low[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t m = left; m; m &= m - 1)
            if (low[__builtin_ctz(m)] == at) same |= m & -m;
        if (!best || __builtin_popcount(same) < __builtin_popcount(best)) best = same, best_at = at;
        left &= ~same;
    }
    const uint64_t to = (uint64_t)((int64_t)(best_at) + i->offset);
    if (to % 16 || to / 16 >= b->count || !b->places[to / 16])
        return fault_set(w, i, (uint32_t)__builtin_ctz(best), SIM_ASSERT, "jumps out of the kernel's code, to %llu",
            (unsigned long long)to);
    const uint32_t others = mask & ~best;
    if (counts && (others || rest)) w->block->parted++;
    converge_add(w, (struct group){.at = i + 1, .mask = rest});
    if (others) {
        // They issue it again when their turn comes.
        converge_add(w, (struct group){.at = i, .mask = others, .again = true});
    }
    w->active = best;
    return b->places[to / 16];
}
static HANDLER(jump_indexed)
{
    if (w->again) again(w, i, w->active), w->again = false;
    return jump(w, i, mask, SLOT(w, i->r[0]), true);
}
static HANDLER(jump_back) { return jump(w, i, mask, SLOT(w, i->r[0]), false); }

// A function by its address: a variable has its number in the module, the code its place there.
static HANDLER(call_address)
{
    const struct machine_branch *b = i->branch;
    const u32 *low = SLOT(w, i->r[0]), *high = low + LANES;
    u32 at[LANES] = {0};
    if (w->again) again(w, i, w->active), w->again = false;
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        const uint64_t n = (((uint64_t)high[l] << 32 | low[l]) - FUNCTION_BASE) / 16;
        at[l] = n < b->function_count ? b->functions[n] : low[l];
        if (!at[l]) at[l] = ~0u; // nobody calls the kernel: a fault
    }
    return jump(w, i, mask, at, true);
}

// Where several kernels have copies of a function, a table of each kernel says where. Of the address it takes 32 bits.
static HANDLER(load_function)
{
    const struct machine_branch *b = i->branch;
    u32 *d = SLOT(w, i->r[0]);
    const u32 *low = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = low[l] / 16 < b->function_count ? b->functions[low[l] / 16] : 0, d[l + LANES] = 0;
    return i + 1;
}

static HANDLER(set_barrier)
{
    u32 *d = SLOT(w, i->r[0]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = mask;
    *(u32 *)SLOT(w, i->r[1]) &= ~mask;
    return i + 1;
}

static uint32_t parked_at(const struct warp *w, const struct inst *i)
{
    uint32_t lanes = 0;
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].at == i && w->groups[k].state == GROUP_SYNC) lanes |= w->groups[k].mask;
    return lanes;
}

static void unpark(struct warp *w, const struct inst *i, uint32_t lanes)
{
    for (int k = w->group_count; k-- > 0;) {
        struct group *g = &w->groups[k];
        if (g->at != i || g->state != GROUP_SYNC || !(g->mask & lanes)) continue;
        g->mask &= ~lanes;
        if (!g->mask) take_out(w, k);
    }
}

static const struct inst *meet(struct warp *w, const struct inst *i, uint32_t mask, uint32_t want)
{
    const uint32_t have = mask | parked_at(w, i), need = (want & w->live) | mask;
    if (need & ~have) {
        converge_add(w, (struct group){.at = i, .mask = mask, .state = GROUP_SYNC});
        if (w->active & ~mask) converge_add(w, (struct group){.at = i + 1, .mask = w->active & ~mask});
        return converge_next(w);
    }
    unpark(w, i, need);
    w->active = need | (w->active & ~mask);
    return i + 1;
}

// BSYNC: waits for all that were there when the barrier was set, but for those that have ended or left it. Where a
// function has put it aside and brought it back all issue it once more, together.
static HANDLER(wait_barrier)
{
    const u32 *b = SLOT(w, i->r[0]);
    const uint32_t want = b[__builtin_ctz(mask)];
    if (w->again) again(w, i, w->active), w->again = false;
    const struct inst *next = meet(w, i, mask, want);
    u32 *restored = SLOT(w, i->r[1]);
    if (next == i + 1 && (*restored & w->active)) {
        again(w, i, w->active);
        *restored &= ~w->active;
    }
    return next;
}

// Behind a WARPSYNC: its lanes have met, or wait for others; some of these may go past it.
static const struct inst *met(struct warp *w, const struct inst *i, const u32 *members, const struct inst *next)
{
    if (!w->block->watch) return next;
    if (next == i + 1) flow_met(w, i, w->active, members);
    else watch_past_waits(w, i, parked_at(w, i), i->vector);
    return next;
}

// WARPSYNC with a mask in a register; exclusive: lanes with the first one's mask and the others part, and the larger
// side issues it again. Where lanes have waited for others all issue it again, together.
static HANDLER(wait_warp)
{
    const u32 *members = SLOT(w, i->r[0]);
    const uint32_t want = members[__builtin_ctz(mask)], parked = parked_at(w, i);
    if (w->again) again(w, i, w->active), w->again = false;
    if (i->elem) {
        uint32_t same = 0;
        for (uint32_t m = mask; m; m &= m - 1)
            if (members[__builtin_ctz(m)] == want) same |= m & -m;
        if (same != mask && !flow_masks_agree(w, i, mask, members)) return NULL; // they would wait for ever
        if (same != mask) {
            const uint32_t rest = mask & ~same;
            const bool first = __builtin_popcount(same) <= __builtin_popcount(rest);
            converge_add(w, (struct group){.at = i, .mask = first ? rest : same, .again = true});
            w->block->parted++;
            w->active = mask = first ? same : rest;
            if (!first) return i;
        }
        return met(w, i, members, meet(w, i, mask, want));
    }
    uint32_t all = 0;
    for (uint32_t m = mask; m; m &= m - 1) all |= members[__builtin_ctz(m)];
    const struct inst *next = meet(w, i, mask, all);
    if (parked && next == i + 1) again(w, i, w->active);
    return met(w, i, members, next);
}

// Who waits for these lanes at a BSYNC, and now for nobody else, goes on: it issues the BSYNC again, once, together.
static void wake(struct warp *w)
{
    for (int k = 0; k < w->group_count; k++) {
        const struct group g = w->groups[k];
        if (g.state != GROUP_SYNC) continue;
        const u32 *b = SLOT(w, g.at->r[0]);
        const uint32_t have = parked_at(w, g.at), need = (b[__builtin_ctz(g.mask)] & w->live) | g.mask;
        if (need & ~have) continue;
        unpark(w, g.at, need);
        converge_add(w, (struct group){.at = g.at, .mask = need, .again = true});
        k = -1;
    }
}

static HANDLER(leave)
{
    if (w->block->watch) watch_past_end(w, flow_straight_from(w, i, head));
    w->live &= ~mask;
    w->active &= ~mask;
    if (!w->active || w->group_count) wake(w);
    return w->active ? i + 1 : converge_next(w);
}

// BREAK: these lanes will not come to the BSYNC.
static HANDLER(leave_barrier)
{
    u32 *b = SLOT(w, i->r[0]);
    for (int l = 0; l < LANES; l++) b[l] &= mask >> l & 1 ? b[l] : ~mask;
    wake(w);
    return i + 1;
}

static HANDLER(move_barrier)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *s = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = s[l];
    if (!i->r[2]) return i + 1;
    *(u32 *)SLOT(w, i->r[2]) |= mask;
    w->block->stacked_calls += mask != w->live; // some of them came back apart
    return i + 1;
}

// Lets other lanes of the warp go first, where there are any.
static HANDLER(yield) { return (void)w, (void)mask, i + 1; }

static HANDLER(meet_here)
{
    (void)mask;
    if (w->block->watch) watch_meet(w);
    return i + 1;
}

static HANDLER(trap) { return fault_trap(w, i, mask); }

// What looks across the lanes of a group acts on those that are there.
enum { VOTE_ALL, VOTE_ANY, VOTE_EQUAL };
static HANDLER(vote)
{
    const struct machine_op *m = i->machine;
    const uint32_t yes = machine_predicate(w, m->in) & mask;
    const bool answer = m->compare == VOTE_ALL ? yes == mask : m->compare == VOTE_ANY ? yes != 0 : yes == mask || !yes;
    u32 *d = SLOT(w, i->r[0]);
    const uint32_t lanes = i->elem ? ALL_LANES : mask; // uniform
    if (w->block->watch && !i->elem) watch_meet(w);
    for (int l = 0; i->r[0] && l < LANES; l++)
        if (lanes >> l & 1) d[l] = yes;
    machine_set(w, m->out, lanes, answer ? ALL_LANES : 0);
    return i + 1;
}

static void spread(struct warp *w, uint32_t slot, uint32_t v)
{
    u32 *d = SLOT(w, slot);
    for (int l = 0; l < LANES; l++) d[l] = v;
}

enum { REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_SUM, REDUX_MIN, REDUX_MAX };
static HANDLER(redux)
{
    const struct machine_op *m = i->machine;
    const u32 *x = SLOT(w, i->r[1]);
    uint32_t a = x[__builtin_ctz(mask)];
    if (w->block->watch) watch_meet(w);
    for (uint32_t k = mask & (mask - 1); k; k &= k - 1) {
        const uint32_t b = x[__builtin_ctz(k)];
        const bool below = m->is_signed ? (int32_t)a < (int32_t)b : a < b;
        switch (m->compare) {
        case REDUX_AND: a &= b; break;
        case REDUX_OR: a |= b; break;
        case REDUX_XOR: a ^= b; break;
        case REDUX_SUM: a += b; break;
        case REDUX_MIN: a = below ? a : b; break;
        default: a = below ? b : a;
        }
    }
    return spread(w, i->r[0], a), i + 1;
}

// The value of the first lane. Who has another one, here or where it was asked before, comes again in a loop around it.
static HANDLER(to_uniform)
{
    const u32 *x = SLOT(w, i->r[1]);
    const u32 v = x[__builtin_ctz(mask)];
    uint32_t differ = i->elem ? machine_predicate(w, i->r[2]) : 0;
    for (int l = 0; i->r[2] && l < LANES; l++) differ |= (uint32_t)(x[l] != v) << l;
    if (i->r[2]) machine_set(w, i->r[2], mask, differ);
    return spread(w, i->r[0], v), i + 1;
}

static HANDLER(elect)
{
    if (i->r[0]) spread(w, i->r[0], (uint32_t)__builtin_ctz(mask));
    machine_set(w, i->machine->out, mask, mask & -mask);
    return i + 1;
}

// Predicates to the bits of a register, and back: those of the mask in `offset`, from the bit in `elem` on.
static HANDLER(predicates_to)
{
    u32 *d = SLOT(w, i->r[0]);
    const u32 *x = SLOT(w, i->r[1]), *p = SLOT(w, i->r[2]);
    const uint32_t which = (uint32_t)i->offset & 0x7f;
    for (int l = 0; l < LANES; l++) {
        uint32_t v = 0;
        for (int k = 0; k < 7; k++) v |= (p[k] >> l & 1) << k;
        if (mask >> l & 1) d[l] = (x[l] & ~(which << i->elem)) | (v & which) << i->elem;
    }
    return i + 1;
}
static HANDLER(predicates_from)
{
    const u32 *x = SLOT(w, i->r[1]);
    u32 *p = SLOT(w, i->r[2]);
    for (int k = 0; k < 7; k++) {
        uint32_t v = 0;
        for (int l = 0; l < LANES; l++) v |= (x[l] >> i->elem >> k & 1) << l;
        if (i->offset >> k & 1) p[k] = (p[k] & ~mask) | (v & mask);
    }
    return i + 1;
}

// What the block's threads said at the barrier: how many, or whether all or any of them.
static HANDLER(barrier_result)
{
    if (i->r[0])
        for (int l = 0; l < LANES; l++)
            if (mask >> l & 1) ((u32 *)SLOT(w, i->r[0]))[l] = ((const u32 *)SLOT(w, i->r[1]))[l];
    machine_set(w, i->r[2], mask, *(const u32 *)SLOT(w, i->r[3]));
    return i + 1;
}

static void constants(struct warp *w, const struct inst *i, const u32 x[LANES], uint32_t lanes)
{
    uint64_t at[LANES];
    for (int l = 0; l < LANES; l++) at[l] = x[l] + (uint32_t)i->offset;
    recorder_constant(w, at, lanes);
}

// A load from a bank of constants whose place is in a register.
static HANDLER(load_bank)
{
    const struct machine_bank *b = i->bank;
    const u32 *x = SLOT(w, i->r[1]);
    const uint32_t lanes = i->elem ? ALL_LANES : mask;
    if (w->block->recorder) constants(w, i, x, lanes);
    for (uint32_t k = lanes; k; k &= k - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(k), at = x[l] + (uint32_t)i->offset;
        const unsigned char *from = NULL;
        if (b->params && at >= b->at && at <= w->block->param_size && i->vector <= w->block->param_size - at)
            from = w->block->params + at;
        for (size_t n = 0; n < b->count && !from; n++)
            if (at >= b->pieces[n].at && at - b->pieces[n].at < b->pieces[n].bytes &&
                i->vector <= b->pieces[n].bytes - (at - b->pieces[n].at))
                from = b->pieces[n].from + (at - b->pieces[n].at);
        if (!from)
            return fault_set(w, i, l, SIM_OUT_OF_BOUNDS, "load of %u bytes of constant memory where there is none",
                (unsigned)i->vector);
        uint32_t v[4] = {0};
        memcpy(v, from, i->vector);
        if (i->space == 1) v[0] = (uint32_t)(int8_t)v[0];
        if (i->space == 2) v[0] = (uint32_t)(int16_t)v[0];
        for (uint32_t n = 0; n * 4 < i->vector; n++) ((u32 *)SLOT(w, i->r[0] + n * MACHINE_REGISTER))[l] = v[n];
    }
    return i + 1;
}

const struct op converge_ops[] = {{"c_head", NULL, head}, {"c_branch", NULL, branch}, {"c_jump", NULL, jump_indexed},
    {"c_back", NULL, jump_back}, {"c_call", NULL, call_address}, {"c_function", NULL, load_function},
    {"c_b2r", NULL, barrier_result}, {"c_bssy", NULL, set_barrier}, {"c_bsync", NULL, wait_barrier},
    {"c_warpsync", NULL, wait_warp}, {"c_exit", NULL, leave}, {"c_break", NULL, leave_barrier},
    {"c_bmov", NULL, move_barrier}, {"c_yield", NULL, yield}, {"c_meet", NULL, meet_here}, {"c_trap", NULL, trap},
    {"c_vote", NULL, vote}, {"c_redux", NULL, redux}, {"c_r2ur", NULL, to_uniform}, {"c_elect", NULL, elect},
    {"c_p2r", NULL, predicates_to}, {"c_r2p", NULL, predicates_from}, {"c_bank", NULL, load_bank}, {NULL, NULL, NULL}};
