// Loads and stores. Addresses that repeat their last pattern cost one comparison of 32 lanes; a warp that touches
// neighbouring elements is one memcpy.
// SPDX-License-Identifier: MIT
#include "sim/core/access.h"

#include <string.h>

typedef uint8_t m8 __attribute__((may_alias));
typedef uint16_t m16 __attribute__((may_alias));
typedef int8_t ms8 __attribute__((may_alias));
typedef int16_t ms16 __attribute__((may_alias));

static const uint8_t elem_bytes[] = {1, 1, 2, 2, 4, 4, 8};
static uint32_t bytes_of(const struct inst *i) { return (uint32_t)elem_bytes[i->elem] * i->vector; }

#define AT(T, address) ((T *)(uintptr_t)(address))
#define LOAD_LANES(T, D) \
    { \
        D *d = SLOT(w, i->r[0]); \
        if (mask == ALL_LANES) EACH_LANE d[l] = (D)*AT(const T, at[l]); \
        else \
            for (uint32_t m = mask; m; m &= m - 1) { \
                const int l = __builtin_ctz(m); \
                d[l] = (D)*AT(const T, at[l]); \
            } \
    }
// Vectors: all of a lane's elements before the next lane, because a result may be the address register.
#define LOAD_VECTORS(T, D) \
    for (uint32_t m = mask; m; m &= m - 1) { \
        const int l = __builtin_ctz(m); \
        const T *from = AT(const T, at[l]); \
        for (int k = 0; k < i->vector; k++) ((D *)SLOT(w, i->r[k]))[l] = (D)from[k]; \
    }
#define LOAD_CASES(LOAD) \
    if (i->wide & 2) switch (i->elem) { \
        case ELEM_U8: LOAD(m8, u64) break; \
        case ELEM_S8: LOAD(ms8, s64) break; \
        case ELEM_U16: LOAD(m16, u64) break; \
        case ELEM_S16: LOAD(ms16, s64) break; \
        case ELEM_32: LOAD(u32, u64) break; \
        case ELEM_S32: LOAD(s32, s64) break; \
        default: LOAD(u64, u64) break; \
        } \
    else switch (i->elem) { \
        case ELEM_U8: LOAD(m8, u32) break; \
        case ELEM_S8: LOAD(ms8, s32) break; \
        case ELEM_U16: LOAD(m16, u32) break; \
        case ELEM_S16: LOAD(ms16, s32) break; \
        default: LOAD(u32, u32) break; \
        }

static void load(struct warp *w, const struct inst *i, uint32_t mask, const uint64_t at[LANES])
{
    if (i->vector == 1) {
        LOAD_CASES(LOAD_LANES)
    } else {
        LOAD_CASES(LOAD_VECTORS)
    }
}

#define STORE_LANES(T, D) \
    for (uint32_t m = mask; m; m &= m - 1) { \
        const int l = __builtin_ctz(m); \
        T *to = AT(T, at[l]); \
        for (int k = 0; k < i->vector; k++) to[k] = (T)((const D *)SLOT(w, i->r[k]))[l]; \
    }
static void store(struct warp *w, const struct inst *i, uint32_t mask, const uint64_t at[LANES])
{
    if (i->wide & 2) switch (elem_bytes[i->elem]) {
        case 1: STORE_LANES(m8, u64) break;
        case 2: STORE_LANES(m16, u64) break;
        case 4: STORE_LANES(u32, u64) break;
        default: STORE_LANES(u64, u64) break;
        }
    else switch (elem_bytes[i->elem]) {
        case 1: STORE_LANES(m8, u32) break;
        case 2: STORE_LANES(m16, u32) break;
        default: STORE_LANES(u32, u32) break;
        }
}

// Whether the lanes' registers and memory have the same layout: then the warp is one piece of memory.
static inline bool whole(const struct warp *w, const struct inst *i, enum space space)
{
    if (space == SPACE_LOCAL || i->vector != 1) return false;
    return (i->elem == ELEM_64 && w->sites[i->site].step == 8) ||
        (i->elem == ELEM_32 && !(i->wide & 2) && w->sites[i->site].step == 4);
}

// All lanes read one element.
static inline bool alike(const struct warp *w, const struct inst *i, uint32_t mask, enum space space)
{
    return w->sites[i->site].bits == 0 && mask == ALL_LANES && i->vector == 1 && space != SPACE_LOCAL &&
        (i->elem == ELEM_64 || (i->elem == ELEM_32 && !(i->wide & 2)));
}

static inline void spread(struct warp *w, const struct inst *i, uint64_t from)
{
    if (i->elem == ELEM_32) {
        const u32 v = *AT(const u32, from);
        u32 *d = SLOT(w, i->r[0]);
        EACH_LANE d[l] = v;
    } else {
        const u64 v = *AT(const u64, from);
        u64 *d = SLOT(w, i->r[0]);
        EACH_LANE d[l] = v;
    }
}

static inline bool load_from(struct warp *w, const struct inst *i, uint32_t mask, const uint64_t at[LANES],
    enum space space)
{
    uint64_t host[LANES];
    if (!access_admit(w, i, at, mask, space, bytes_of(i))) return false;
    const uint64_t *from = access_host(w, at, space, host);
    if (whole(w, i, space)) {
        if (i->elem == ELEM_32) memcpy(SLOT(w, i->r[0]), AT(void, from[0]), 4 * LANES);
        else memcpy(SLOT(w, i->r[0]), AT(void, from[0]), 8 * LANES);
    } else if (alike(w, i, mask, space)) spread(w, i, from[0]);
    else load(w, i, mask, from);
    return true;
}

static inline bool store_to(struct warp *w, const struct inst *i, uint32_t mask, const uint64_t at[LANES],
    enum space space)
{
    uint64_t host[LANES];
    if (!access_admit(w, i, at, mask, space, bytes_of(i))) return false;
    const uint64_t *to = access_host(w, at, space, host);
    if (whole(w, i, space)) {
        if (i->elem == ELEM_32) memcpy(AT(void, to[0]), SLOT(w, i->r[0]), 4 * LANES);
        else memcpy(AT(void, to[0]), SLOT(w, i->r[0]), 8 * LANES);
    } else store(w, i, mask, to);
    return true;
}

// Runs of lanes, each from its own place: so many bytes at once, or one element for all.
#define COPY_RUNS(lanes, bytes) \
    for (size_t l = 0; l < LANES; l += lanes) memcpy(d + l * bytes, from + (ptrdiff_t)s->delta[l], lanes * bytes)
// Stored as one vector: what is stored in small pieces is slow to read as a large one.
#define SPREAD_RUNS(T, lanes) \
    { \
        typedef T row __attribute__((vector_size(lanes * sizeof(T)), may_alias, aligned(sizeof(T)))); \
        for (size_t l = 0; l < LANES; l += lanes) { \
            const row none = {0}; \
            *(row *)(void *)(d + l * sizeof(T)) = none + *(const T *)(const void *)(from + (ptrdiff_t)s->delta[l]); \
        } \
    }
// Where the first lane's element lies, if this access is like the site's last one and may be done the quick way: by a
// full warp, within the same allocation, with the same distances.
static inline __attribute__((always_inline)) bool is_quick(struct warp *w, const struct inst *i, uint32_t mask,
    enum space space, unsigned char **first)
{
    struct site *s = &w->sites[i->site];
    const struct block *b = w->block;
    if (mask != ALL_LANES || !s->quick || b->watch || b->view || b->recorder) return false;
    const u64 *a = SLOT(w, i->r[4]);
    const u32 *narrow = SLOT(w, i->r[4]);
    const bool wide = space == SPACE_GLOBAL || (i->wide & 1);
    const uint64_t start = wide ? a[0] : narrow[0],
                   at = wide ? start + (uint64_t)i->offset : (uint32_t)(start + (uint64_t)i->offset);
    if ((((uint32_t)at ^ s->low) & s->keep) || at - s->from > s->room) return false;
    uint64_t differ = 0;
    if (wide) EACH_LANE differ |= (a[l] - start) ^ s->delta[l];
    else EACH_LANE differ |= (uint32_t)(narrow[l] - (uint32_t)start) ^ (uint32_t)s->delta[l];
    if (differ) return false;
    s->again += s->counts;
    if (space == SPACE_GLOBAL) __builtin_prefetch((const void *)(uintptr_t)(2 * at - s->last));
    s->last = at;
    *first = (unsigned char *)(uintptr_t)((space == SPACE_SHARED ? (uintptr_t)b->shared : 0) + at);
    return true;
}

#define LOAD_EACH(T) \
    { \
        T *to = SLOT(w, i->r[0]); \
        for (int l = 0; l < LANES; l++) to[l] = *(const T *)(const void *)(from + (ptrdiff_t)s->delta[l]); \
    }
#define LOAD_EACH_VECTOR(T) \
    for (int l = 0; l < LANES; l++) \
        for (int k = 0; k < i->vector; k++) \
            ((T *)SLOT(w, i->r[k]))[l] = ((const T *)(const void *)(from + (ptrdiff_t)s->delta[l]))[k];
// The rarer forms stand apart, so that a row keeps no registers for them.
static __attribute__((noinline)) void load_form(struct warp *w, const struct inst *i, const struct site *s,
    const unsigned char *from)
{
    unsigned char *d = SLOT(w, i->r[0]);
    switch ((enum quick)s->quick) {
    case QUICK_ONE_32:
    case QUICK_ONE_64: spread(w, i, (uint64_t)(uintptr_t)from); break;
    case QUICK_ROWS_32:
        if (s->run == 8) COPY_RUNS(8, 4);
        else COPY_RUNS(16, 4);
        break;
    case QUICK_ROWS_64:
        if (s->run == 8) COPY_RUNS(8, 8);
        else COPY_RUNS(16, 8);
        break;
    case QUICK_ONES_32:
        if (s->run == 8) SPREAD_RUNS(u32, 8)
        else SPREAD_RUNS(u32, 16)
        break;
    case QUICK_ONES_64:
        if (s->run == 8) SPREAD_RUNS(u64, 8)
        else SPREAD_RUNS(u64, 16)
        break;
    case QUICK_EACH_32: LOAD_EACH(u32) break;
    case QUICK_EACH_64: LOAD_EACH(u64) break;
    case QUICK_VECTORS_32: LOAD_EACH_VECTOR(u32) break;
    case QUICK_VECTORS_64: LOAD_EACH_VECTOR(u64) break;
    default: break;
    }
}

static inline __attribute__((always_inline)) bool load_again(struct warp *w, const struct inst *i, uint32_t mask,
    enum space space)
{
    unsigned char *from;
    if (!is_quick(w, i, mask, space, &from)) return false;
    const struct site *s = &w->sites[i->site];
    if (s->quick == QUICK_ROW_32) memcpy(SLOT(w, i->r[0]), from, 4 * LANES);
    else if (s->quick == QUICK_ROW_64) memcpy(SLOT(w, i->r[0]), from, 8 * LANES);
    else load_form(w, i, s, from);
    return true;
}

#define STORE_EACH(T) \
    { \
        const T *v = SLOT(w, i->r[0]); \
        for (int l = 0; l < LANES; l++) *(T *)(void *)(to + (ptrdiff_t)s->delta[l]) = v[l]; \
    }
#define STORE_EACH_VECTOR(T) \
    for (int l = 0; l < LANES; l++) \
        for (int k = 0; k < i->vector; k++) \
            ((T *)(void *)(to + (ptrdiff_t)s->delta[l]))[k] = ((const T *)SLOT(w, i->r[k]))[l];
static __attribute__((noinline)) void store_form(struct warp *w, const struct inst *i, const struct site *s,
    unsigned char *to)
{
    switch ((enum quick)s->quick) {
    case QUICK_EACH_32: STORE_EACH(u32) break;
    case QUICK_EACH_64: STORE_EACH(u64) break;
    case QUICK_VECTORS_32: STORE_EACH_VECTOR(u32) break;
    default: STORE_EACH_VECTOR(u64) break;
    }
}

static inline __attribute__((always_inline)) bool store_again(struct warp *w, const struct inst *i, uint32_t mask,
    enum space space)
{
    unsigned char *to;
    if (!is_quick(w, i, mask, space, &to)) return false;
    const struct site *s = &w->sites[i->site];
    if (s->quick == QUICK_ROW_32) memcpy(to, SLOT(w, i->r[0]), 4 * LANES);
    else if (s->quick == QUICK_ROW_64) memcpy(to, SLOT(w, i->r[0]), 8 * LANES);
    else store_form(w, i, s, to);
    return true;
}

#define ACCESS_OP(id, MOVE, space) \
    static HANDLER(id) \
    { \
        uint64_t buffer[LANES]; \
        return MOVE(w, i, mask, access_addresses(w, i, mask, buffer), space) ? i + 1 : NULL; \
    }
// The most common case first, with nothing else in its way; what is new stands apart, so that its room on the stack is
// not made for both.
#define QUICK_OP(id, MOVE, AGAIN, space) \
    static __attribute__((noinline)) HANDLER(id##_new) \
    { \
        uint64_t buffer[LANES]; \
        if (!MOVE(w, i, mask, access_addresses(w, i, mask, buffer), space)) return NULL; \
        access_ready(w, i, space, bytes_of(i)); \
        return i + 1; \
    } \
    static HANDLER(id) { return AGAIN(w, i, mask, space) ? i + 1 : id##_new(w, i, mask); }
QUICK_OP(ld_global, load_from, load_again, SPACE_GLOBAL)
QUICK_OP(ld_shared, load_from, load_again, SPACE_SHARED)
QUICK_OP(st_global, store_to, store_again, SPACE_GLOBAL)
QUICK_OP(st_shared, store_to, store_again, SPACE_SHARED)
ACCESS_OP(ld_local, load_from, SPACE_LOCAL)
ACCESS_OP(ld_param, load_from, SPACE_PARAM)
ACCESS_OP(st_local, store_to, SPACE_LOCAL)

#define GENERIC_OP(id, MOVE) \
    static HANDLER(id) \
    { \
        uint64_t buffer[LANES], own[LANES]; \
        const uint64_t *at = access_addresses(w, i, mask, buffer); \
        for (uint32_t left = mask; left;) { \
            enum space space; \
            const uint32_t part = access_split(at, left, &space, own); \
            if (!MOVE(w, i, part, own, space)) return NULL; \
            left &= ~part; \
        } \
        return i + 1; \
    }
GENERIC_OP(ld_generic, load_from)
GENERIC_OP(st_generic, store_to)

// Constant memory: checked like global memory, counted only for those who look.
static HANDLER(ld_const)
{
    uint64_t buffer[LANES];
    const uint64_t *at = access_addresses(w, i, mask, buffer);
    if (!access_check(w, i, at, mask, SPACE_CONST, bytes_of(i))) return NULL;
    if (__builtin_expect(w->block->view != NULL, 0)) look_constant(w, i, at, mask);
    load(w, i, mask, at);
    return i + 1;
}

// A kernel parameter at a constant offset: the same value for every lane. The decoder has checked the offset.
static HANDLER(ld_entry)
{
    const unsigned char *from = w->block->params + i->offset;
    if (mask == ALL_LANES && i->vector == 1 && i->elem == ELEM_64) {
        u64 v, *d = SLOT(w, i->r[0]);
        memcpy(&v, from, sizeof v);
        EACH_LANE d[l] = v;
    } else if (mask == ALL_LANES && i->vector == 1 && i->elem == ELEM_32 && !(i->wide & 2)) {
        u32 v, *d = SLOT(w, i->r[0]);
        memcpy(&v, from, sizeof v);
        EACH_LANE d[l] = v;
    } else {
        uint64_t at[LANES];
        for (int l = 0; l < LANES; l++) at[l] = (uint64_t)(uintptr_t)from;
        load(w, i, mask, at);
    }
    return i + 1;
}

// Parameters and results of a function call: in each lane's frame.
static void frame_addresses(const struct warp *w, const struct inst *i, uint64_t at[LANES])
{
    const uint64_t base = (uint64_t)(uintptr_t)w->frame + (uint64_t)i->offset, step = w->block->frame_stride;
    for (int l = 0; l < LANES; l++) at[l] = base + step * (uint64_t)l;
}
static HANDLER(ld_frame)
{
    uint64_t at[LANES];
    frame_addresses(w, i, at);
    load(w, i, mask, at);
    return i + 1;
}
static HANDLER(st_frame)
{
    uint64_t at[LANES];
    frame_addresses(w, i, at);
    store(w, i, mask, at);
    return i + 1;
}

const struct op VARIANT(ops_access)[] = {{"ld.global", NULL, ld_global}, {"ld.shared", NULL, ld_shared},
    {"ld.local", NULL, ld_local}, {"ld.param", NULL, ld_param}, {"ld.generic", NULL, ld_generic},
    {"ld.const", NULL, ld_const}, {"ld.entry", NULL, ld_entry}, {"ld.frame", NULL, ld_frame},
    {"st.global", NULL, st_global}, {"st.shared", NULL, st_shared}, {"st.local", NULL, st_local},
    {"st.generic", NULL, st_generic}, {"st.frame", NULL, st_frame}, {NULL, NULL, NULL}};
