// What every part of the interpreter sees: a decoded instruction, a warp and its register file, a block, an access
// site, and the macros that make a handler out of an expression.
//
// The files exec_*.c are compiled once for plain x86-64 and again for newer processors; VARIANT gives each copy names
// of its own, and variant_get chooses at run time. A register is a "slot" in the bytes behind `struct warp`: 32 lanes
// of 4 or 8 bytes, or one 32-bit mask for a predicate. Constants and special registers are slots like any other.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

#ifndef SIM_VARIANT
#define SIM_VARIANT plain
#endif
#define VARIANT_JOIN_(name, variant) name##_##variant
#define VARIANT_JOIN(name, variant) VARIANT_JOIN_(name, variant)
#define VARIANT(name) VARIANT_JOIN(name, SIM_VARIANT)

#define LANES 32
#define ALL_LANES 0xffffffffu

struct warp;
struct inst;

// Executes one instruction for the lanes of `mask` and returns the next one; NULL when no lane of this warp can go on.
#define HANDLER(name) const struct inst *name(struct warp *w, const struct inst *i, uint32_t mask)

enum elem { ELEM_U8, ELEM_S8, ELEM_U16, ELEM_S16, ELEM_32, ELEM_S32, ELEM_64 };
enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM, SPACE_CONST, SPACE_GENERIC, SPACE_FRAME };

// Windows of the generic address space. Global addresses are host addresses, which are below both.
#define WINDOW_SHIFT 56
#define WINDOW_SHARED ((uint64_t)1 << WINDOW_SHIFT)
#define WINDOW_LOCAL ((uint64_t)2 << WINDOW_SHIFT)
#define WINDOW_PARAM ((uint64_t)3 << WINDOW_SHIFT)
#define WINDOW_OFFSET (WINDOW_SHARED - 1)

struct memory_op;
struct call;
struct texture_op;
struct matrix_op;
struct matrix_move;
struct bulk_op;
struct video_op;
struct group_op;
struct flight_product;
struct head_work;
struct machine_op;
struct machine_branch;
struct machine_bank;

struct inst {
    HANDLER((*run));
    uint32_t r[6];  // slots: results first. Memory: r[0..3] data, r[4] address. Heads: r[0] turns of the issue slots,
                    // r[1] which of the kernel's paces
    uint32_t guard; // slot of the predicate, its lowest bit set: negated; 0: none
    uint32_t site;  // memory; heads: how many instructions follow
    int64_t offset; // memory: added to the address; else an immediate
    union {
        const struct inst *target;
        const struct memory_op *memory;
        const struct call *call;
        const struct texture_op *texture;
        const struct matrix_op *matrix;
        const struct matrix_move *move; // begins with a memory_op
        const struct bulk_op *bulk;     // the same
        const struct inst *const *targets;
        const struct video_op *video;
        const struct group_op *group; // begins with a memory_op
        const struct flight_product *product;
        const struct head_work *work; // heads: what else is known of it; NULL: nothing
        const struct machine_op *machine;
        const struct machine_branch *branch;
        const struct machine_bank *bank;
    };
    int32_t line;
    uint8_t elem, vector, space, wide; // memory; `wide` bits: 1 the address slot, 2 the data slots have 8-byte lanes
};

// The facts of a memory instruction that are the same at every execution.
struct memory_op {
    const char *name;     // "ld.global.f32"
    uint8_t kind;         // enum access_kind
    uint8_t joined;       // ptxas makes it part of an access this wide (bytes); 0: it stays alone
    bool waits;           // for what another load gives, which makes its address
    bool follows;         // ... and another instruction of that access counts it
    int16_t join_offset;  // from this address to the joined access's
    uint8_t atomic, type; // enum atomic_op, enum atomic_type
    uint8_t form;         // of an atomic: enum rules_form
    bool one_place;       // its address does not depend on the thread
    bool strong;          // volatile, or with an order of its own: others may wait for it
    bool cached;          // may come from a cache that sees no stores of this launch
    bool releases;        // and what is before it is visible to who reads it
    bool acquires;        // and what it reads is visible with all that was before it
    bool plain;           // of a store: r[0..3] hold what is stored
    bool on_stack;        // machine code: by the stack pointer alone, as spilled registers are
    bool loops;           // PTX: a GPU has no such atomic on shared memory, or on 16 bits, but for a loop
    bool spins;           // machine code: the swap of a loop that other warps make turn; a load: the loop's
    bool past_l1;         // asks L2
    uint16_t result;      // of a load: the number of what it gives (core/recorder.h); 0: none
    const char *within;   // PTX: the variable of shared memory that its address is made from, and no other; NULL: none
    uint32_t within_at, within_bytes; // where that begins, and its size
    const uint16_t *needs;            // results of loads that it waits for, ended by 0; NULL: none
    uint32_t at;                      // machine code: which instruction
    uint8_t board;                    // ... and the scoreboard that its result clears; 7: none
    uint8_t matrices;                 // from shared memory: rows of so many matrices, each by lanes of its own
    uint8_t unit;                     // enum access_unit: who makes it in the machine
};
enum access_unit {
    UNIT_LANES,     // an instruction of the lanes, with a register for what is moved
    UNIT_COPY,      // the same, from memory to memory
    UNIT_TILE,      // as many of the lanes as a tile takes
    UNIT_CLUSTER,   // the lanes, to shared memory that may be another block's
    UNIT_ELSEWHERE, // a unit of its own
};
enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_REDUCE, ACCESS_KINDS };
enum atomic_op {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
    ATOMIC_INC,
    ATOMIC_DEC
};
enum atomic_type {
    ATOMIC_U32,
    ATOMIC_S32,
    ATOMIC_U64,
    ATOMIC_S64,
    ATOMIC_F32,
    ATOMIC_F64,
    ATOMIC_F16,
    ATOMIC_F16X2,
    ATOMIC_BF16,
    ATOMIC_BF16X2,
    ATOMIC_B16
};

struct move {
    uint32_t from, to, size; // bytes in a lane's frame
};
// A function whose address is taken.
struct call_target {
    uint64_t address;
    const struct inst *entry;
    const uint32_t *start; // its code begins there
    uint32_t return_slot;
    struct move *formals; // `to` is where each argument goes
    int formal_count;
};
struct call_saved { // a function's registers
    struct {
        uint32_t slot;
        uint8_t size; // bytes of a lane; 0: a predicate
    } * slots;
    uint32_t count, bytes;
};
struct call {
    const struct inst *entry;
    const uint32_t *start; // of the callee
    uint32_t return_slot;  // the same
    int arg_count, result_count;
    struct move *args, *results;
    const struct call_saved *saved;              // of the caller, since the callee may come back to it; NULL: it cannot
    uint32_t depth_slot, depth_step, depth_most; // how far the lanes' local variables have moved; 0: there are none
    const struct call_target *targets;           // whom a pointer may name
    size_t target_count;
    const char *missing; // a function that is only declared; NULL: it is there
};
#define CALL_DEPTH 16384u // bytes of local memory for calls of functions in themselves
struct call_stack {       // of a lane
    unsigned char *bytes;
    size_t used, room;
};
#define FUNCTION_BASE ((uint64_t)4 << WINDOW_SHIFT) // the address of the module's n-th function is 16 n further

struct sim_tally {
    uint64_t requests, units, conflicts, lanes, executed; // units: sectors or wavefronts
};

// One memory instruction as one worker thread sees it: its counters, the bounds of its last access, and a memo of the
// last pattern of addresses: the cost of an access depends only on the lanes' distances, the mask and the low address
// bits. What the common case looks at comes first.
struct site {
    uint64_t from, room; // where the first address may lie for the quick way: not more than `room` behind `from`
    uint64_t again;      // accesses with this cost that are not in the tally yet
    uint64_t last;       // address of the first lane, on the quick way
    uint32_t mask, low, care, keep; // of the first address the bits of `care` count; for the quick way those of `keep`
    uint8_t quick, form, run;       // enum quick: now, and where the bounds allow it; of so many lanes
    bool counts;                    // false: another access counts it
    uint32_t
        step; // the distance between neighbouring lanes when it is the same everywhere and the mask is full; else 0
    uint64_t bits;                              // of the distances; all of them or-ed
    _Alignas(64) uint64_t delta[LANES];         // whole cache lines: a vector that lies in two takes twice as long
    uint64_t lo, hi;                            // the allocation of the last access
    uint64_t least, most;                       // of the distances
    uint64_t stamp;                             // of this pattern
    uint32_t lanes, units, conflicts, requests; // of one access
    uint32_t memo_space;
    struct sim_tally tally[3];
};
// How a full warp may load or store without another look at each lane: runs of 8, 16 or 32 lanes that are neighbours;
// one element for each run; each lane by itself; a vector for each lane.
enum quick {
    QUICK_NOT,
    QUICK_ROW_32,
    QUICK_ROW_64,
    QUICK_ONE_32,
    QUICK_ONE_64,
    QUICK_ROWS_32,
    QUICK_ROWS_64,
    QUICK_ONES_32,
    QUICK_ONES_64,
    QUICK_EACH_32,
    QUICK_EACH_64,
    QUICK_VECTORS_32,
    QUICK_VECTORS_64
};

enum group_state { GROUP_READY, GROUP_SYNC, GROUP_BARRIER, GROUP_CLUSTER, GROUP_LATER };
struct group {
    const struct inst *at;
    uint32_t mask;
    uint8_t state;
    uint8_t barrier;
    uint32_t expected; // threads the barrier asks for; 0: all
    bool again;        // machine code: it comes to this instruction once more
    bool other;        // machine code: the other side of the last branch that parted
};

struct block;
struct block_cluster;
struct watch_block;
struct recorder;
struct warp {
    struct block *block;
    struct site *sites;
    unsigned char *local, *frame; // of lane 0
    struct call_stack *stacks;    // of each lane, what calls put aside; NULL: no function comes back to itself
    const struct inst *next;      // the earliest place where another group of lanes waits
    uint32_t active, live, carry, index;
    uint32_t start;          // the lanes that exist
    const struct inst *poll; // the last read that waited for another warp, with its lanes and what they read
    uint64_t poll_value;
    uint32_t poll_mask;
    int group_count;
    bool forced, yielded, spun; // spun: it yielded since it looked in vain
    bool heeds;                 // the watch asks where its lanes go on
    bool machine, again;        // it runs machine code (core/converge.h); this instruction is issued once more
    uint32_t spins;             // atomics in a row that changed nothing and found what the last one found
    uint32_t cluster_phase;     // of the cluster's barrier when it came there
    struct group groups[LANES];
};

enum { BARRIERS = 16, ALL_BARRIERS = BARRIERS + 8 }; // the last: where a warp group waits for its products
struct barrier {
    uint32_t arrived; // threads that came by bar.arrive
    uint32_t expected;
};

struct block {
    uint64_t spent, pause_at, budget;
    double seconds, began; // what it may take; the thread's work at its first pause, 0 before
    unsigned char *shared;
    uint32_t shared_from, shared_size, local_size, local_stride, frame_stride;
    const unsigned char *params;
    uint32_t param_size;
    uint32_t id[3], size[3];
    uint64_t linear;
    uint32_t warp_count, warp_stride;
    unsigned char *warps;
    struct barrier barriers[ALL_BARRIERS];
    const struct inst *code;
    const struct sim_kernel *kernel;
    size_t site_count;
    struct sim *sim;
    const volatile bool *stop;
    const volatile uint64_t *ends_at; // blocks from this one on need not run: another block has failed
    struct sim_fault fault;
    uint64_t undefined_shuffles, stacked_calls, heap_calls, waits;
    bool reads_clock;
    struct block_cluster *cluster; // NULL: it is alone
    uint32_t rank;                 // in the cluster
    uint32_t vain;                 // tests in a row that found an mbarrier of this block closed
    uint32_t idle;                 // passes in a row in which warps only looked in vain
    bool changed;                  // in this pass somebody found something new, or an atomic changed something
    uint64_t remote;               // accesses of lanes to the shared memory of another block
    bool ended;
    bool alone;                               // no other thread works on this launch
    struct watch_block *watch;                // NULL: this block is not watched
    struct sim_view *view;                    // NULL: nobody looks
    struct recorder *recorder;                // NULL: the model does not want this block
    uint64_t view_pause;                      // with one of these: stands in for pause_at, which is 0 then
    uint64_t random;                          // of the order in which warps run; 0: one after the other
    bool splits;                              // with it, where the lanes of a warp run apart until they wait
    struct machine_tally *tallies, *reissued; // machine code: of each stretch; of what was issued more than once
    uint64_t parted;                          // branches whose lanes went two ways
};

static inline struct warp *block_warp(const struct block *b, uint32_t n)
{
    return (struct warp *)(void *)(b->warps + (size_t)n * b->warp_stride);
}

// A table of handlers by name. The shape says what lanes the operands have: w 4 bytes, l 8 bytes, p predicate.
struct op {
    const char *name, *shape;
    HANDLER((*run));
};
struct exec {
    const char *name;
    const struct op *const *tables; // NULL ends them; a NULL name ends a table
};
// Variant number `n` of those that this processor can run, the fastest last; NULL after the last.
const struct exec *variant_get(int n);

// Lane types: all of them may alias the same slot.
typedef uint32_t u32 __attribute__((may_alias));
typedef int32_t s32 __attribute__((may_alias));
typedef uint64_t u64 __attribute__((may_alias));
typedef int64_t s64 __attribute__((may_alias));
typedef float f32 __attribute__((may_alias));
typedef double f64 __attribute__((may_alias));

#define SLOT(w, slot) ((void *)((unsigned char *)(w) + (slot)))

// Lanes do not depend on each other, even where the result's slot is a source's.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety) unroll(disable)") for (int l = 0; l < LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

// A handler from an expression over a, b, c. A full warp, by far the most common, is stored without looking at the
// mask.
#define LANE_LOOPS(D, FETCH, ...) \
    if (mask == ALL_LANES) EACH_LANE \
        { \
            FETCH; \
            d[l] = (D)(__VA_ARGS__); \
        } \
    else EACH_LANE \
        { \
            FETCH; \
            const D r_ = (D)(__VA_ARGS__); \
            d[l] = mask >> l & 1 ? r_ : d[l]; \
        } \
    return i + 1;
#define OP1(id, D, A, ...) \
    static HANDLER(id) \
    { \
        D *d = SLOT(w, i->r[0]); \
        const A *x = SLOT(w, i->r[1]); \
        LANE_LOOPS(D, const A a = x[l], __VA_ARGS__) \
    }
#define OP2(id, D, A, B, ...) \
    static HANDLER(id) \
    { \
        D *d = SLOT(w, i->r[0]); \
        const A *x = SLOT(w, i->r[1]); \
        const B *y = SLOT(w, i->r[2]); \
        LANE_LOOPS(D, const A a = x[l]; const B b = y[l], __VA_ARGS__) \
    }
#define OP3(id, D, A, B, C, ...) \
    static HANDLER(id) \
    { \
        D *d = SLOT(w, i->r[0]); \
        const A *x = SLOT(w, i->r[1]); \
        const B *y = SLOT(w, i->r[2]); \
        const C *z = SLOT(w, i->r[3]); \
        LANE_LOOPS(D, const A a = x[l]; const B b = y[l]; const C c = z[l], __VA_ARGS__) \
    }
