// Instructions that look across the lanes of a warp: shuffles, votes, matches, reductions.
// SPDX-License-Identifier: MIT
#include "sim/core/flow.h"
#include "sim/ops/tables.h"

// Each lane has its own mask of members. Lanes with the same mask act together, the others separately.
#define GATHER(slot) \
    const struct inst *next; \
    const u32 *members = SLOT(w, slot); \
    if (!flow_together(w, i, mask, members, &next)) return next;

// The lanes of `left` whose mask is that of its first lane.
static uint32_t alike(const u32 *members, uint32_t left)
{
    const uint32_t first = members[__builtin_ctz(left)];
    uint32_t same = 0;
    for (uint32_t l = 0; l < LANES; l++) same |= (uint32_t)(members[l] == first) << l;
    return same & left;
}
#define EACH_GROUP(part) for (uint32_t left = mask, part; left && (part = alike(members, left)); left &= ~part)

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

// r: result, value, distance, clamp and segment, members, predicate (0: none). A lane out of range keeps its own value.
static HANDLER(shuffle)
{
    GATHER(i->r[4])
    u32 *d = SLOT(w, i->r[0]);
    const u32 *a = SLOT(w, i->r[1]), *b = SLOT(w, i->r[2]), *c = SLOT(w, i->r[3]);
    uint32_t result[LANES], inside = 0, absent = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t segment = c[l] >> 8 & 31, clamp = c[l] & 31, n = b[l] & 31;
        const uint32_t most = (l & segment) | (clamp & ~segment), least = l & segment;
        uint32_t from = i->offset == SHUFFLE_UP ? l - n
            : i->offset == SHUFFLE_DOWN         ? l + n
            : i->offset == SHUFFLE_BFLY         ? l ^ n
                                                : least | (n & ~segment);
        const bool in = i->offset == SHUFFLE_UP ? (int32_t)from >= (int32_t)most : from <= most;
        if (!in) from = l;
        inside |= (uint32_t)in << l;
        absent |= (~mask >> (from & 31) & 1) << l;
        result[l] = mask >> (from & 31) & 1 ? a[from & 31] : 0; // what an H200 gives of a lane that is not there
    }
    w->block->undefined_shuffles += (uint32_t)__builtin_popcount(absent & mask);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = result[l];
    if (i->r[5]) {
        u32 *p = SLOT(w, i->r[5]);
        *p = (*p & ~mask) | (inside & mask);
    }
    return i + 1;
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
static HANDLER(vote)
{
    GATHER(i->r[2])
    const uint32_t values = *(const u32 *)SLOT(w, i->r[1]);
    u32 *d = SLOT(w, i->r[0]);
    EACH_GROUP(here)
    {
        const uint32_t yes = values & here;
        const bool answer = i->offset == VOTE_ALL ? yes == here
            : i->offset == VOTE_ANY               ? yes != 0
                                                  : yes == here || !yes;
        if (i->offset != VOTE_BALLOT) *d = (*d & ~here) | (answer ? here : 0);
        for (int l = 0; i->offset == VOTE_BALLOT && l < LANES; l++)
            if (here >> l & 1) d[l] = yes;
    }
    return i + 1;
}

#define MATCH_OP(id, T) \
    static HANDLER(id) \
    { \
        GATHER(i->r[2]) \
        u32 *d = SLOT(w, i->r[0]); \
        const T *a = SLOT(w, i->r[1]); \
        uint32_t same[LANES] = {0}, agree = 0; \
        EACH_GROUP(here) \
        { \
            for (uint32_t m = here; m; m &= m - 1) \
                for (uint32_t n = here; n; n &= n - 1) \
                    same[__builtin_ctz(m)] |= (uint32_t)(a[__builtin_ctz(n)] == a[__builtin_ctz(m)]) \
                        << __builtin_ctz(n); \
            for (uint32_t m = here; m; m &= m - 1) { \
                const int l = __builtin_ctz(m); \
                const bool all = same[l] == here; \
                d[l] = i->offset && !all ? 0 : same[l]; \
                agree |= (uint32_t)all << l; \
            } \
        } \
        if (i->r[5]) { \
            u32 *p = SLOT(w, i->r[5]); \
            *p = (*p & ~mask) | (agree & mask); \
        } \
        return i + 1; \
    }
MATCH_OP(match_32, u32)
MATCH_OP(match_64, u64)

#define REDUCE_OP(id, T, EXPR) \
    static HANDLER(id) \
    { \
        GATHER(i->r[2]) \
        T *d = SLOT(w, i->r[0]); \
        const T *x = SLOT(w, i->r[1]); \
        EACH_GROUP(here) \
        { \
            T a = x[__builtin_ctz(here)]; \
            for (uint32_t m = here & (here - 1); m; m &= m - 1) { \
                const T b = x[__builtin_ctz(m)]; \
                a = (T)(EXPR); \
            } \
            for (uint32_t m = here; m; m &= m - 1) d[__builtin_ctz(m)] = a; \
        } \
        return i + 1; \
    }
REDUCE_OP(redux_add, u32, a + b)
REDUCE_OP(redux_min_u32, u32, a < b ? a : b)
REDUCE_OP(redux_max_u32, u32, a > b ? a : b)
REDUCE_OP(redux_min_s32, s32, a < b ? a : b)
REDUCE_OP(redux_max_s32, s32, a > b ? a : b)
REDUCE_OP(redux_and, u32, a &b)
REDUCE_OP(redux_or, u32, a | b)
REDUCE_OP(redux_xor, u32, a ^ b)

// elect: the lowest lane of the members is chosen.
static HANDLER(elect)
{
    GATHER(i->r[2])
    u32 *d = SLOT(w, i->r[0]), *p = SLOT(w, i->r[5]);
    EACH_GROUP(here)
    {
        const uint32_t leader = (uint32_t)__builtin_ctz(here);
        for (int l = 0; i->r[0] && l < LANES; l++)
            if (here >> l & 1) d[l] = leader;
        *p = (*p & ~here) | 1u << leader;
    }
    return i + 1;
}

const struct op shuffle_ops[] = {{"shfl", NULL, shuffle}, {"vote", NULL, vote}, {"match.b32", "www", match_32},
    {"match.b64", "wlw", match_64}, {"redux.add.u32", "www", redux_add}, {"redux.add.s32", "www", redux_add},
    {"redux.min.u32", "www", redux_min_u32}, {"redux.max.u32", "www", redux_max_u32},
    {"redux.min.s32", "www", redux_min_s32}, {"redux.max.s32", "www", redux_max_s32},
    {"redux.and.b32", "www", redux_and}, {"redux.or.b32", "www", redux_or}, {"redux.xor.b32", "www", redux_xor},
    {"elect", NULL, elect}, {NULL, NULL, NULL}};
