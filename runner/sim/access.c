// The rare half of a memory access: a pattern of addresses that is new to its site, and the check lane by lane.
// SPDX-License-Identifier: MIT
#include "sim/access.h"

#include "sim/fault.h"
#include "sim/rules.h"
#include "sim/state.h"

static void learn_shared(struct site *s, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    const struct memory_op *op = i->memory;
    struct rules_waves waves;
    if (op->kind >= ACCESS_ATOMIC) waves = rules_shared_atomic(at, mask, bytes, op->increments);
    else if (op->joined && !op->follows) {
        uint64_t from[LANES];
        for (int l = 0; l < LANES; l++) from[l] = at[l] + (uint64_t)(int64_t)op->join_offset;
        waves = rules_shared(from, mask, op->joined);
    } else waves = rules_shared(at, mask, bytes);
    s->units = waves.wavefronts;
    s->conflicts = waves.conflicts;
}

void access_learn(struct site *s, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space, uint32_t bytes)
{
    const uint64_t first = at[__builtin_ctz(mask)];
    int64_t least = 0, most = 0;
    bool even = mask == ALL_LANES;
    s->bits = 0;
    for (int l = 0; l < LANES; l++) {
        s->delta[l] = at[l] - first;
        s->bits |= s->delta[l];
        if ((int64_t)s->delta[l] < least) least = (int64_t)s->delta[l];
        if ((int64_t)s->delta[l] > most) most = (int64_t)s->delta[l];
        even = even && s->delta[l] == s->delta[1] * (uint64_t)l;
    }
    s->least = (uint64_t)least;
    s->most = (uint64_t)most;
    s->step = even && s->delta[1] < 1 << 20 ? (uint32_t)s->delta[1] : 0;
    s->mask = mask;
    s->lanes = (uint32_t)__builtin_popcount(mask);
    s->low = (uint32_t)(first & (space == SPACE_GLOBAL ? 31 : 127));
    s->memo_space = space;
    s->requests = 1;
    s->conflicts = 0;
    s->units = 0;
    if (space == SPACE_SHARED) learn_shared(s, i, at, mask, bytes);
    else if (space == SPACE_LOCAL) {
        struct rules_local r = rules_local(at, mask, bytes);
        s->requests = r.requests;
        s->units = r.sectors;
    } else if (space == SPACE_GLOBAL)
        s->units = i->memory->kind >= ACCESS_ATOMIC ? rules_atomic_sectors(at, mask, bytes, i->memory->aggregates)
                                                    : rules_sectors(at, mask, bytes);
}

bool access_check(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space, uint32_t bytes)
{
    struct site *s = &w->sites[i->site];
    const struct block *b = w->block;
    const uint64_t size = space == SPACE_SHARED ? b->shared_size : space == SPACE_LOCAL ? b->local_size : b->param_size;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t address = at[lane];
        bool good = (address & (bytes - 1)) == 0;
        if (space == SPACE_SHARED || space == SPACE_LOCAL || space == SPACE_PARAM)
            good &= address < size && bytes <= size - address;
        else if (good && (address < s->lo || address >= s->hi || bytes > s->hi - address)) {
            const struct allocation *a = memory_find(&b->sim->memory, address);
            good = a && bytes <= a->hi - address;
            if (good) s->lo = a->lo, s->hi = a->hi;
        }
        if (!good) {
            fault_access(w, i, lane, address, bytes, space);
            return false;
        }
    }
    return true;
}
