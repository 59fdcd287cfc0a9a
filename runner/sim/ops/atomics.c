// Atomic operations, lane after lane, and the asynchronous copies to shared memory, which are done at once. Global
// memory is shared with the other worker threads, if there are any, so it is changed by compare-and-swap; a block's
// shared and local memory is its own.
// SPDX-License-Identifier: MIT
#include "sim/core/access.h"
#include "sim/core/flow.h"
#include "sim/rules/rules.h"
#include "sim/ops/half.h"
#include "sim/ops/tables.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static uint32_t add_halves(uint32_t a, uint32_t b, bool bf16)
{
    return bf16 ? float_to_bf16(bf16_to_float(a & 0xffff) + bf16_to_float(b & 0xffff))
                : float_to_half(half_to_float(a & 0xffff) + half_to_float(b & 0xffff));
}
static uint32_t add_pair(uint32_t a, uint32_t b, bool bf16)
{
    return add_halves(a, b, bf16) | add_halves(a >> 16, b >> 16, bf16) << 16;
}

static uint64_t add(enum atomic_type type, uint64_t old, uint64_t b)
{
    switch (type) {
    case ATOMIC_F32: return float_bits(bits_float((uint32_t)old) + bits_float((uint32_t)b));
    case ATOMIC_F64: return double_bits(bits_double(old) + bits_double(b));
    case ATOMIC_F16: return add_halves((uint32_t)old, (uint32_t)b, false);
    case ATOMIC_BF16: return add_halves((uint32_t)old, (uint32_t)b, true);
    case ATOMIC_F16X2: return add_pair((uint32_t)old, (uint32_t)b, false);
    case ATOMIC_BF16X2: return add_pair((uint32_t)old, (uint32_t)b, true);
    default: return old + b;
    }
}

// Of 16-bit floats, alone and in pairs; what is not a number gives way.
static uint32_t extreme(uint32_t a, uint32_t b, bool bf16, bool most)
{
    const float x = bf16 ? bf16_to_float(a & 0xffff) : half_to_float(a & 0xffff),
                y = bf16 ? bf16_to_float(b & 0xffff) : half_to_float(b & 0xffff);
    return (x != x || (most ? x < y : y < x) ? b : a) & 0xffff;
}
static uint64_t extremes(enum atomic_type type, uint64_t old, uint64_t b, bool most)
{
    const bool bf16 = type == ATOMIC_BF16 || type == ATOMIC_BF16X2;
    const uint32_t u = (uint32_t)old, v = (uint32_t)b, low = extreme(u, v, bf16, most);
    return type == ATOMIC_F16 || type == ATOMIC_BF16 ? low : low | extreme(u >> 16, v >> 16, bf16, most) << 16;
}

static bool less(enum atomic_type type, uint64_t a, uint64_t b)
{
    switch (type) {
    case ATOMIC_S32: return (int32_t)a < (int32_t)b;
    case ATOMIC_S64: return (int64_t)a < (int64_t)b;
    case ATOMIC_U32: return (uint32_t)a < (uint32_t)b;
    case ATOMIC_F32: return bits_float((uint32_t)a) < bits_float((uint32_t)b);
    case ATOMIC_F64: return bits_double(a) < bits_double(b);
    default: return a < b;
    }
}

static uint64_t apply(const struct memory_op *op, uint64_t old, uint64_t b, uint64_t c)
{
    const enum atomic_type type = (enum atomic_type)op->type;
    if (type >= ATOMIC_F16 && type <= ATOMIC_BF16X2 && (op->atomic == ATOMIC_MIN || op->atomic == ATOMIC_MAX))
        return extremes(type, old, b, op->atomic == ATOMIC_MAX);
    switch ((enum atomic_op)op->atomic) {
    case ATOMIC_ADD: return add(type, old, b);
    case ATOMIC_MIN: return less(type, b, old) ? b : old;
    case ATOMIC_MAX: return less(type, old, b) ? b : old;
    case ATOMIC_AND: return old & b;
    case ATOMIC_OR: return old | b;
    case ATOMIC_XOR: return old ^ b;
    case ATOMIC_EXCH: return b;
    case ATOMIC_CAS: return old == b ? c : old;
    case ATOMIC_INC: return (uint32_t)old >= (uint32_t)b ? 0 : old + 1;
    case ATOMIC_DEC: return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1;
    }
    return old;
}

#define CHANGE(T) \
    { \
        T *p = place, old = __atomic_load_n(p, __ATOMIC_RELAXED); \
        b = (T)b; \
        while (!__atomic_compare_exchange_n(p, &old, (T)apply(op, old, b, c), false, __ATOMIC_SEQ_CST, \
            __ATOMIC_RELAXED)) \
            ; \
        return old; \
    }
static uint64_t change(const struct memory_op *op, uint32_t bytes, void *place, uint64_t b, uint64_t c)
{
    switch (bytes) {
    case 2: CHANGE(uint16_t)
    case 4: CHANGE(uint32_t)
    default: CHANGE(uint64_t)
    }
}

#define CHANGE_OWN(T) \
    { \
        T old; \
        memcpy(&old, place, sizeof old); \
        const T now = (T)apply(op, old, (T)b, c); \
        memcpy(place, &now, sizeof now); \
        return old; \
    }
static uint64_t change_own(const struct memory_op *op, uint32_t bytes, void *place, uint64_t b, uint64_t c)
{
    switch (bytes) {
    case 2: CHANGE_OWN(uint16_t)
    case 4: CHANGE_OWN(uint32_t)
    default: CHANGE_OWN(uint64_t)
    }
}

static uint64_t lane_of(struct warp *w, const struct inst *i, uint32_t slot, int l)
{
    if (!slot) return 0;
    return i->wide & 2 ? ((const u64 *)SLOT(w, slot))[l] : ((const u32 *)SLOT(w, slot))[l];
}

static const uint8_t type_bytes[] = {4, 4, 8, 8, 4, 8, 2, 4, 2, 4, 2};

void atomics_apply(const struct memory_op *op, void *place, const void *value, uint32_t bytes)
{
    const uint32_t size = type_bytes[op->type];
    for (uint32_t at = 0; at < bytes; at += size) {
        uint64_t b = 0;
        memcpy(&b, (const unsigned char *)value + at, size);
        change(op, size, (unsigned char *)place + at, b, 0);
    }
}

// Whether it left what was there: a lock that is taken, a flag that is only looked at.
static bool only_looked(const struct memory_op *op, uint64_t old, uint64_t b)
{
    switch (op->atomic) {
    case ATOMIC_CAS: return old != b;
    case ATOMIC_EXCH: return old == b;
    case ATOMIC_ADD: return b == 0;
    case ATOMIC_OR: return (old | b) == old;
    default: return false;
    }
}

struct look { // what an atomic did
    uint64_t value;
    bool any; // it changed something
};

static bool change_lanes(struct warp *w, const struct inst *i, uint32_t mask, const uint64_t at[LANES],
    enum space space, struct look *look)
{
    const uint32_t bytes = type_bytes[i->memory->type];
    uint64_t host[LANES];
    if (!access_admit(w, i, at, mask, space, bytes)) return false;
    const uint64_t *to = access_host(w, at, space, host);
    const uint32_t through = i->memory->spins ? rules_spin_through(at, mask, bytes) : ALL_LANES;
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        void *place = (void *)(uintptr_t)to[l];
        const uint64_t b = lane_of(w, i, i->r[1], l), c = lane_of(w, i, i->r[2], l);
        if (!(through >> l & 1)) { // it finds what it did not expect
            if (i->wide & 2) ((u64 *)SLOT(w, i->r[0]))[l] = ~b;
            else ((u32 *)SLOT(w, i->r[0]))[l] = ~(uint32_t)b;
            continue;
        }
        const uint64_t old = space == SPACE_GLOBAL && !w->block->alone ? change(i->memory, bytes, place, b, c)
                                                                       : change_own(i->memory, bytes, place, b, c);
        if (!i->r[0] || !only_looked(i->memory, old, b)) look->any = true;
        if (!i->r[0]) continue;
        look->value = (look->value * 31 + old) * 31 + to[l];
        if (i->wide & 2) ((u64 *)SLOT(w, i->r[0]))[l] = old;
        else ((u32 *)SLOT(w, i->r[0]))[l] = (uint32_t)old;
    }
    return true;
}

static HANDLER(atomic)
{
    uint64_t buffer[LANES], own[LANES];
    const uint64_t *at = access_addresses(w, i, mask, buffer);
    struct look look = {0};
    if (i->space != SPACE_GENERIC) {
        if (!change_lanes(w, i, mask, at, (enum space)i->space, &look)) return NULL;
    } else
        for (uint32_t left = mask; left;) {
            enum space space;
            const uint32_t part = access_split(at, left, &space, own);
            if (!change_lanes(w, i, part, own, space, &look)) return NULL;
            left &= ~part;
        }
    w->block->changed |= look.any;
    return !look.any && flow_again(w, i, look.value, mask) && flow_starves(w) ? flow_spin(w, i + 1) : i + 1;
}

// The lanes' places, checked and counted; the part that is in one space at a time.
static bool places(struct warp *w, const struct inst *i, const uint64_t *at, uint32_t mask, uint32_t bytes,
    uint64_t host[LANES])
{
    for (uint32_t left = mask; left;) {
        enum space space = (enum space)i->space;
        uint64_t own[LANES], moved[LANES];
        uint32_t part = left;
        if (space == SPACE_GENERIC) part = access_split(at, left, &space, own);
        else memcpy(own, at, sizeof own);
        if (!access_admit(w, i, own, part, space, bytes)) return false;
        const uint64_t *to = access_host(w, own, space, moved);
        for (uint32_t m = part; m; m &= m - 1) host[__builtin_ctz(m)] = to[__builtin_ctz(m)];
        left &= ~part;
    }
    return true;
}

static HANDLER(atomic_vector)
{
    const struct atomic_wide *op = (const struct atomic_wide *)(const void *)i->memory;
    uint64_t buffer[LANES], host[LANES] = {0};
    if (!places(w, i, access_addresses(w, i, mask, buffer), mask, 4u * op->count, host)) return NULL;
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        for (int k = 0; k < op->count; k++) {
            void *place = (void *)(uintptr_t)(host[l] + 4u * (unsigned)k);
            const uint64_t old = change(&op->memory, 4, place, ((const u32 *)SLOT(w, op->from[k]))[l], 0);
            if (op->to[k]) ((u32 *)SLOT(w, op->to[k]))[l] = (uint32_t)old;
        }
    }
    return i + 1;
}

// 128 bits: one block at a time changes them.
static HANDLER(atomic_128)
{
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
    const struct atomic_wide *op = (const struct atomic_wide *)(const void *)i->memory;
    uint64_t buffer[LANES], host[LANES] = {0};
    if (!places(w, i, access_addresses(w, i, mask, buffer), mask, 16, host)) return NULL;
    pthread_mutex_lock(&alone);
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        uint64_t old[2], given[4];
        memcpy(old, (void *)(uintptr_t)host[l], sizeof old);
        for (int k = 0; k < 4; k++) given[k] = op->from[k] ? ((const u64 *)SLOT(w, op->from[k]))[l] : 0;
        const bool swaps = op->memory.atomic == ATOMIC_EXCH || (old[0] == given[0] && old[1] == given[1]);
        const uint64_t *next = op->memory.atomic == ATOMIC_EXCH ? given : given + 2;
        if (swaps) memcpy((void *)(uintptr_t)host[l], next, sizeof old);
        for (int k = 0; k < 2; k++) ((u64 *)SLOT(w, op->to[k]))[l] = old[k];
    }
    pthread_mutex_unlock(&alone);
    return i + 1;
}

// cp.async: r[0] the shared address, r[1] how many bytes to read (0: all), the rest of `vector` bytes is zero.
static HANDLER(copy_async)
{
    uint64_t buffer[LANES];
    const uint32_t bytes = i->vector;
    uint32_t reading = mask;
    const u32 *size = SLOT(w, i->r[1]), *to = SLOT(w, i->r[0]);
    for (int l = 0; l < LANES; l++)
        if (i->r[1] && (mask >> l & 1) && size[l] == 0) reading &= ~(1u << l);
    const uint64_t *at = buffer;
    if (reading) {
        at = access_addresses(w, i, reading, buffer);
        if (!access_admit(w, i, at, reading, SPACE_GLOBAL, bytes)) return NULL;
    }
    uint64_t shared[LANES];
    for (int l = 0; l < LANES; l++) shared[l] = to[l];
    if (!access_check(w, i, shared, mask, SPACE_SHARED, bytes)) return NULL;
    if (w->block->watch) watch_copy(w, i, shared, mask, bytes);
    for (uint32_t m = mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        const uint32_t n = !(reading >> l & 1) ? 0 : i->r[1] && size[l] < bytes ? size[l] : bytes;
        memset(w->block->shared + to[l] + n, 0, bytes - n);
        if (n) memcpy(w->block->shared + to[l], (const void *)(uintptr_t)at[l], n);
    }
    return i + 1;
}

static HANDLER(commit_copies)
{
    if (w->block->watch) watch_commit(w, mask);
    if (w->block->recorder) recorder_commit(w);
    return i + 1;
}

static HANDLER(wait_for_copies)
{
    if (w->block->watch) watch_wait(w, mask, i->offset < 0 ? WATCH_WAIT_ALL : (uint32_t)i->offset);
    if (w->block->recorder) recorder_copies(w, i->offset < 0 ? 0 : (uint32_t)i->offset);
    return i + 1;
}

const struct op atomics_ops[] = {{"cp.commit", NULL, commit_copies}, {"cp.wait", NULL, wait_for_copies},
    {"atom", NULL, atomic}, {"atom.wide", NULL, atomic_vector}, {"atom.128", NULL, atomic_128},
    {"cp.async", NULL, copy_async}, {NULL, NULL, NULL}};
