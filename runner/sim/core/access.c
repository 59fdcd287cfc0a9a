// The rare half of a memory access: a pattern of addresses that is new to its site, and the check lane by lane.
// SPDX-License-Identifier: MIT
#include "sim/core/access.h"

#include "sim/core/fault.h"
#include "sim/core/residents.h"
#include "sim/rules/rules.h"
#include "sim/core/state.h"

static void shift(const uint64_t at[LANES], int64_t by, uint64_t to[LANES])
{
    for (int l = 0; l < LANES; l++) to[l] = at[l] + (uint64_t)by;
}

static struct rules_waves shared_waves(const struct memory_op *op, const uint64_t at[LANES], uint32_t mask,
    uint32_t bytes)
{
    if (op->kind >= ACCESS_ATOMIC) return rules_shared_atomic(at, mask, bytes, (enum rules_form)op->form);
    if (op->matrices && bytes == 16) return rules_matrices(at, mask);
    if (op->spins) return rules_shared_again(at, mask, bytes);
    if (!op->joined || op->follows) return rules_shared(at, mask, bytes);
    uint64_t from[LANES];
    shift(at, op->join_offset, from);
    return rules_shared(from, mask, op->joined);
}

static void cost(struct site *s, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    s->requests = 1;
    s->conflicts = 0;
    if (space == SPACE_SHARED) {
        const struct rules_waves waves = shared_waves(i->memory, at, mask, bytes);
        s->units = waves.wavefronts;
        s->conflicts = waves.conflicts;
    } else
        s->units = i->memory->kind >= ACCESS_ATOMIC
            ? rules_atomic_sectors(at, mask, bytes, (enum rules_form)i->memory->form)
            : rules_sectors(at, mask, bytes);
}

// The part of the first address on which the cost hangs: its place in a sector, or among the banks with the block of
// the cluster that it is in. Lanes that are whole sectors apart move together, and banks go round. Atomics that reach
// further than a line of 128 bytes hang on all of it (rules_atomic_sectors).
static uint32_t cares_for(enum space space, uint64_t bits, bool atomic_over_lines)
{
    if (space != SPACE_GLOBAL) return (bits & 3 ? 3 : 0) | 0xff000000;
    if (atomic_over_lines) return ~0u;
    return bits & 31 ? 31 : 0;
}

// Lanes that reach the shared memory of another block go by another way, and are not among the accesses to this one's.
static uint32_t own_lanes(const struct block *b, const uint64_t at[LANES], uint32_t mask, uint64_t own[LANES])
{
    for (uint32_t l = 0; l < LANES; l++) {
        const uint64_t in = at[l] >> RESIDENT_SHIFT;
        if (in && in - 1 != b->rank) mask &= ~(1u << l);
        own[l] = at[l] & RESIDENT_OFFSET;
    }
    return mask;
}

// Whether in all runs of `run` lanes each lane is `step` bytes from the one before.
static bool in_runs(const struct site *s, uint32_t run, uint64_t step)
{
    uint64_t differ = 0;
    for (uint32_t l = 0; l < LANES; l++) differ |= s->delta[l] - s->delta[l / run * run] - step * (l % run);
    return differ == 0;
}

// Whether there is a short way for this pattern, and which.
static enum quick form_of(struct site *s, const struct inst *i, enum space space)
{
    const bool wide = i->elem == ELEM_64, loads = i->memory->kind == ACCESS_LOAD;
    const uint32_t bytes = wide ? 8 : 4;
    if (s->mask != ALL_LANES || (space != SPACE_GLOBAL && space != SPACE_SHARED) || i->space != space ||
        (!loads && i->memory->kind != ACCESS_STORE) || (!wide && (i->elem != ELEM_32 || (i->wide & 2))))
        return QUICK_NOT;
    if (i->vector > 1) return wide ? QUICK_VECTORS_64 : QUICK_VECTORS_32;
    const uint64_t step = s->delta[1];
    if (loads && !step && !s->bits) return wide ? QUICK_ONE_64 : QUICK_ONE_32;
    if (s->step == bytes) return wide ? QUICK_ROW_64 : QUICK_ROW_32;
    for (uint8_t run = LANES / 2; loads && run >= 8 && (!step || step == bytes); run /= 2)
        if (in_runs(s, run, step)) return s->run = run, (step ? QUICK_ROWS_32 : QUICK_ONES_32) + wide;
    return wide ? QUICK_EACH_64 : QUICK_EACH_32;
}

void access_ready(struct warp *w, const struct inst *i, enum space space, uint32_t bytes)
{
    struct site *s = &w->sites[i->site];
    const uint64_t lo = space == SPACE_GLOBAL ? s->lo : w->block->shared_from,
                   hi = space == SPACE_GLOBAL ? s->hi : w->block->shared_size;
    const uint64_t span = s->most - s->least + bytes;
    s->quick = QUICK_NOT;
    if (!s->form || lo >= hi || span > hi - lo || (space == SPACE_SHARED && w->block->cluster)) return;
    s->quick = s->form;
    s->from = lo - s->least;
    s->room = hi - lo - span;
    s->keep = s->care | (bytes - 1);
}

void access_learn(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    struct site *s = &w->sites[i->site];
    access_settle(s);
    const uint64_t first = at[__builtin_ctz(mask)], step = at[1] - at[0];
    int64_t least = 0, most = 0;
    uint64_t bits = 0, uneven = 0;
    for (int l = 0; l < LANES; l++) bits |= s->delta[l] = at[l] - first;
    for (uint64_t l = 0; l < LANES; l++) uneven |= at[l] - at[0] - step * l;
    if (!uneven && mask == ALL_LANES && step < 1 << 20) most = (int64_t)(step * (LANES - 1));
    else
        for (int l = 0; l < LANES; l++) {
            const int64_t d = (int64_t)s->delta[l];
            least = d < least ? d : least;
            most = d > most ? d : most;
        }
    s->bits = bits;
    s->least = (uint64_t)least;
    s->most = (uint64_t)most;
    s->step = !uneven && mask == ALL_LANES && step < 1 << 20 ? (uint32_t)step : 0;
    s->mask = mask;
    s->lanes = i->memory->matrices && space == SPACE_SHARED ? LANES : (uint32_t)__builtin_popcount(mask);
    s->low = (uint32_t)first;
    s->care = cares_for(space, s->bits, i->memory->kind >= ACCESS_ATOMIC && most - least > 128 - (int64_t)bytes);
    s->memo_space = space;
    s->stamp++;
    s->quick = QUICK_NOT;
    s->form = (uint8_t)form_of(s, i, space);
    s->counts = !i->memory->follows;
    if (space == SPACE_LOCAL) {
        struct rules_local r = rules_local(at, mask, bytes);
        s->requests = r.requests;
        s->units = r.sectors;
        s->conflicts = 0;
        return;
    }
    uint64_t buffer[LANES];
    if (space == SPACE_SHARED && w->block->cluster) {
        mask = own_lanes(w->block, at, mask, buffer), at = buffer;
        if (!mask) s->requests = s->units = s->conflicts = s->lanes = 0;
        if (!mask) return;
    }
    cost(s, i, at, mask, space, bytes);
    if (space == SPACE_GLOBAL && i->memory->kind >= ACCESS_ATOMIC)
        s->conflicts = rules_atomic_unsure(at, mask, (enum rules_form)i->memory->form);
}

// Workers touch the same allocations. Only an instruction's first access to each comes here.
static void touch(const struct allocation *a, const struct inst *i)
{
    static const uint8_t bits[ACCESS_KINDS] = {[ACCESS_LOAD] = SIM_LOADED,
        [ACCESS_STORE] = SIM_STORED,
        [ACCESS_ATOMIC] = SIM_LOADED | SIM_STORED,
        [ACCESS_REDUCE] = SIM_STORED};
    __atomic_fetch_or(&((struct allocation *)(uintptr_t)a)->touched, bits[i->memory->kind], __ATOMIC_RELAXED);
}

bool access_check(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    struct site *s = &w->sites[i->site];
    const struct block *b = w->block;
    const uint64_t size = space == SPACE_SHARED ? b->shared_size : space == SPACE_LOCAL ? b->local_size : b->param_size;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t address = at[lane];
        bool good = (address & (bytes - 1)) == 0;
        if (space == SPACE_SHARED && address >> RESIDENT_SHIFT) {
            const struct block *other = resident_of(b, address);
            if (other && other->ended) {
                fault_set(w, i, lane, SIM_UNALLOCATED,
                    "reaches the shared memory of block %u of the cluster, which has ended (is a barrier of the "
                    "cluster missing behind it?)",
                    other->rank);
                return false;
            }
            good &= other && bytes <= other->shared_size && (address & RESIDENT_OFFSET) <= other->shared_size - bytes;
            w->block->remote++;
        } else if (space == SPACE_SHARED || space == SPACE_LOCAL || space == SPACE_PARAM)
            good &= address < size && bytes <= size - address && (space != SPACE_SHARED || address >= b->shared_from);
        else if (good && (address < s->lo || address >= s->hi || bytes > s->hi - address)) {
            const struct allocation *a = memory_find(&b->sim->memory, address);
            good = a && bytes <= a->hi - address && !(a->locked && i->memory->kind != ACCESS_LOAD);
            const uint64_t in = good && a->pitch ? (address - a->lo) % a->pitch : 0;
            good &= !in || in < a->row; // a vector may reach over its row's end
            if (good) s->lo = a->lo, s->hi = a->hi, touch(a, i);
            if (good && a->pitch) s->lo = address - in, s->hi = s->lo + a->row;
        }
        if (!good) {
            fault_access(w, i, lane, address, bytes, space);
            return false;
        }
    }
    return true;
}

const uint64_t *access_host_of_cluster(const struct block *b, const uint64_t at[LANES], uint64_t buffer[LANES])
{
    for (int l = 0; l < LANES; l++) {
        const struct block *in = at[l] >> RESIDENT_SHIFT ? resident_of(b, at[l]) : b;
        buffer[l] = (uint64_t)(uintptr_t)(in ? in : b)->shared + (at[l] & RESIDENT_OFFSET);
    }
    return buffer;
}
