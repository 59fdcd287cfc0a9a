// The parts of a memory access that loads, stores and atomics share: the lanes' addresses, the memo of their pattern,
// the bounds check, the counters. The rare cases are in access.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"
#include "sim/core/look.h"
#include "sim/core/recorder.h"
#include "sim/watch/watch.h"

// Adds up what was counted with the site's present cost.
static inline void access_settle(struct site *s)
{
    if (!s->again) return;
    struct sim_tally *t = &s->tally[s->memo_space];
    t->requests += s->again * s->requests;
    t->units += s->again * s->units;
    t->conflicts += s->again * s->conflicts;
    t->lanes += s->again * s->lanes;
    t->executed += s->again * (s->requests > 0);
    s->again = 0;
}

// Works out what a new pattern of addresses costs and keeps it in the site.
void access_learn(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, enum space,
    uint32_t bytes);
// The whole check, lane by lane. False: the block's fault names the first bad lane.
bool access_check(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, enum space,
    uint32_t bytes);

// Behind an access of this site that went well: whether the next one may take the quick way.
void access_ready(struct warp *, const struct inst *, enum space, uint32_t bytes);

// Where shared addresses lie, of which some may be in other blocks of the cluster.
const uint64_t *access_host_of_cluster(const struct block *, const uint64_t at[LANES], uint64_t buffer[LANES]);

// Lanes outside the mask get the address of the first one inside, so that nothing below needs to look at the mask
// again.
static inline const uint64_t *access_addresses(struct warp *w, const struct inst *i, uint32_t mask,
    uint64_t buffer[LANES])
{
    const uint64_t offset = (uint64_t)i->offset;
    if (i->wide & 1) {
        const u64 *a = SLOT(w, i->r[4]);
        if (mask == ALL_LANES) {
            if (!offset) return (const uint64_t *)(const void *)a;
            EACH_LANE buffer[l] = a[l] + offset;
        } else {
            const uint64_t first = a[__builtin_ctz(mask)];
            EACH_LANE buffer[l] = (mask >> l & 1 ? a[l] : first) + offset;
        }
    } else {
        const u32 *a = SLOT(w, i->r[4]);
        const uint32_t first = a[__builtin_ctz(mask)];
        EACH_LANE buffer[l] = (uint32_t)((mask >> l & 1 ? a[l] : first) + (uint32_t)offset);
    }
    return buffer;
}

static inline bool access_recall(const struct site *s, const uint64_t at[LANES], uint64_t first, uint32_t mask,
    enum space space)
{
    if (s->mask != mask || ((s->low ^ (uint32_t)first) & s->care) || s->memo_space != space) return false;
    uint64_t differ = 0;
    EACH_LANE differ |= (at[l] - first) ^ s->delta[l];
    return differ == 0;
}

// Checks and counts. False after a fault.
static inline bool access_admit(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask,
    enum space space, uint32_t bytes)
{
    struct site *s = &w->sites[i->site];
    const uint64_t first = at[__builtin_ctz(mask)];
    if (!access_recall(s, at, first, mask, space)) access_learn(w, i, at, mask, space, bytes);
    uint64_t lo = first + s->least, hi = first + s->most + bytes, from = 0, to = w->block->shared_size;
    if (space == SPACE_GLOBAL) from = s->lo, to = s->hi;
    else if (space == SPACE_SHARED) from = w->block->shared_from;
    else if (space == SPACE_LOCAL) to = w->block->local_size;
    else if (space == SPACE_PARAM) to = w->block->param_size;
    if (__builtin_expect(lo < from || hi > to || lo >= hi || ((first | s->bits) & (bytes - 1)), 0) &&
        !access_check(w, i, at, mask, space, bytes))
        return false;
    if (__builtin_expect(w->block->watch != NULL, 0) && !watch_access(w, i, at, mask, space, bytes)) return false;
    if (i->memory->follows || space > SPACE_LOCAL) return true;
    if (__builtin_expect(w->block->view != NULL, 0)) look_access(w, i, at, mask, space, bytes);
    if (__builtin_expect(w->block->recorder != NULL, 0)) recorder_access(w, i, at, mask, space, bytes);
    s->again++;
    return true;
}

// Turns the addresses of a space other than global into host addresses, in `buffer`.
static inline const uint64_t *access_host(struct warp *w, const uint64_t at[LANES], enum space space,
    uint64_t buffer[LANES])
{
    if (space == SPACE_GLOBAL) return at;
    const unsigned char *base = space == SPACE_SHARED ? w->block->shared
        : space == SPACE_LOCAL                        ? w->local
                                                      : w->block->params;
    const uint64_t step = space == SPACE_LOCAL ? w->block->local_stride : 0;
    if (__builtin_expect(space == SPACE_SHARED && w->block->cluster != NULL, 0))
        return access_host_of_cluster(w->block, at, buffer);
    EACH_LANE buffer[l] = at[l] + (uint64_t)(uintptr_t)base + step * (uint64_t)l;
    return buffer;
}

static inline enum space access_space_of(uint64_t at)
{
    const uint64_t window = at >> WINDOW_SHIFT;
    return window == 1 ? SPACE_SHARED : window == 2 ? SPACE_LOCAL : window == 3 ? SPACE_PARAM : SPACE_GLOBAL;
}
// The lanes of `mask` in the space of its first lane; their addresses within that space go to `buffer`.
static inline uint32_t access_split(const uint64_t at[LANES], uint32_t mask, enum space *space, uint64_t buffer[LANES])
{
    const int first = __builtin_ctz(mask);
    *space = access_space_of(at[first]);
    const uint64_t strip = *space == SPACE_GLOBAL ? ~(uint64_t)0 : WINDOW_OFFSET;
    uint32_t part = 0;
    for (int l = 0; l < LANES; l++)
        if ((mask >> l & 1) && access_space_of(at[l]) == *space) part |= 1u << l;
    for (int l = 0; l < LANES; l++) buffer[l] = (part >> l & 1 ? at[l] : at[first]) & strip;
    return part;
}
