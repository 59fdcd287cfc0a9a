// Turns PTX instructions into those of the interpreter. decode.c makes a kernel from its functions, decode_value.c
// gives operands their slots; decode_op.c, decode_cvt.c, decode_warp.c and decode_memory.c know the mnemonics.
//
// A PTX instruction may become several: .ftz, .sat, negated predicates and registers of an unexpected width are
// instructions of their own. The first thing that cannot be decoded puts "unsupported: …" in the error and ends the
// kernel's decoding.
// SPDX-License-Identifier: MIT
#pragma once
#include "ptx/module.h"
#include "sim/compiler/facts.h"
#include "sim/compiler/pace.h"
#include "sim/core/state.h"

struct place { // the address of a variable within its space
    const struct ptx_var *var;
    uint32_t offset;
};

struct decode_plan { // a function of the kernel
    const struct ptx_func *f;
    uint32_t *slots; // by register, 0: not used yet
    uint32_t *at;    // by PTX instruction: the first of its own
    int level;       // below 0: its callees are being looked for
    bool recursive;  // a call of it can lead to another
    struct call_saved saved;
    uint8_t *fixed; // by register: 1 when every block of a launch computes the same value in it
    uint32_t return_slot;
    struct facts facts;
    bool *waits; // see work_waits
    struct pace pace;
    uint32_t *pace_at; // by PTX instruction that begins a stretch: which of the kernel's paces
    uint32_t *flying;  // by register: the slot of what sim/watch/flight.h knows of it; NULL: of none
    uint32_t *touched; // when that was last asked
    struct decode_plan *next;
};

#define DECODE_TEMPS 24
struct decode {
    struct sim_module *module;
    struct arena *arena;
    struct decode_plan *plans, *plan; // all, and the current one
    const struct ptx_inst *in;        // the current instruction
    const struct ptx_op *op;          // its opcode
    size_t index;
    struct inst *insts;
    size_t count, room;
    struct inst *once; // runs once for each warp, before the first block
    size_t once_count, once_room;
    struct preset *presets;
    size_t preset_count, preset_room;
    struct place *places;
    size_t place_count, place_room;
    struct head_pace *paces; // of heads; the first is nothing
    size_t pace_count, pace_room;
    uint16_t result_count; // of loads
    uint32_t *site_insts;  // by site: which instruction
    size_t site_count, site_room;
    uint32_t slots; // bytes so far
    uint32_t shared_bytes, local_bytes, frame_bytes, param_bytes, dynamic_align, reserved_bytes;
    uint32_t temps[3][DECODE_TEMPS]; // w, l, p
    int temp_count[3];
    struct late { // a result to be widened or narrowed after the instruction
        const char *op;
        uint32_t from, to;
    } late[4];
    int late_count;
    bool failed;
    bool polls, meets;
    const char *tells; // struct sim_kernel
    bool masks, joint;
    int asks_active;
    bool recurs, takes_memory, changes_maps;
    uint32_t group_slot, group_bytes, touch; // sim/watch/flight.h's
    bool moves_sums;
    uint32_t depth_slot, alloca_slot;
    char *error;
};

// NULL with the reason in `error`.
struct sim_kernel *decode_kernel(struct sim_module *, const struct ptx_func *, char error[256]);

// Always false.
bool decode_fail(struct decode *, const char *what);
bool decode_unsupported(struct decode *); // names the current mnemonic

const struct op *decode_find(const struct decode *, const char *name);
struct inst *decode_emit(struct decode *, const struct op *); // with the guard and line of the current instruction
// Emits the named operation on slots; the name must be in the tables.
struct inst *decode_put(struct decode *, const char *name, uint32_t d, uint32_t a, uint32_t b, uint32_t c);
const char *decode_type(const struct decode *); // the last part, "f32"; "" when there is none

// Slots. `lane` is 'w', 'l' or 'p' as in struct op.
uint32_t decode_slot(struct decode *, char lane);
uint32_t decode_temp(struct decode *, char lane); // free again at the next PTX instruction
uint32_t decode_constant(struct decode *, char lane, uint64_t bits);
uint32_t decode_source(struct decode *, const struct ptx_operand *, char lane);
// The two registers of 64 bits that a value of 128 is, or a vector of two. False: it is none.
bool decode_halves(struct decode *, const struct ptx_operand *, uint32_t slots[2], bool result);
uint32_t decode_result(struct decode *, const struct ptx_operand *, char lane, bool is_signed);
void decode_finish_results(struct decode *);
bool decode_reaches(const struct decode *, const struct ptx_func *from, const struct ptx_func *to);
uint64_t decode_function_address(const struct ptx_module *, const char *name);
char decode_lane(const struct decode *, const struct ptx_operand *); // of a register; 0: it has none
uint32_t decode_place(struct decode *, const struct ptx_var *);      // of shared, local and frame variables
bool decode_is_entry_param(const struct decode *, const struct ptx_var *);
uint64_t decode_address(struct decode *, const struct ptx_var *); // in its own space

// What instructions share that touch memory: the space that the mnemonic names, the address operand into r[4] and the
// offset, and the instruction itself, with counters of its own.
enum space decode_space(const struct decode *);
bool decode_memory_address(struct decode *, const struct ptx_operand *, struct inst *);
void decode_memory_emit(struct decode *, const char *name, const struct inst *, const void *memory_op);

int decode_atomic_type(const struct decode *); // enum atomic_type; -1: none

// Calls (decode_flow.c): of whom `in` may be one; the registers that calls put aside; where the code begins.
bool decode_may_call(const struct decode *, const struct ptx_inst *in, const struct ptx_func *callee);
bool decode_leave(struct decode *, bool exits);
void decode_save(struct decode *, struct decode_plan *);
void decode_tie_targets(const struct call *, const struct inst *code);

// The registers that products of a warp group work on (decode_matrix.c), all functions' and where their sums are moved
// to.
void decode_flight_plan(struct decode *);
void decode_flight_begin(struct decode *); // the kernel begins: nothing goes on
// A move between two of these registers is no look at them.
bool decode_flight_is_move(const struct decode *);
void decode_flight_move(struct decode *);
void decode_flight_touch(struct decode *, int reg, bool writes); // the current instruction reads or writes it

// Each decodes the current instruction, which is of its kind. False: failed.
bool decode_arithmetic(struct decode *);
bool decode_cvt(struct decode *);
bool decode_warp(struct decode *);
bool decode_memory(struct decode *);
bool decode_flow(struct decode *);
bool decode_texture(struct decode *);
struct matrix_sparse;
bool decode_matrix(struct decode *);
bool decode_group(struct decode *);
bool decode_mbarrier(struct decode *);
bool decode_copy_arrives(struct decode *);
bool decode_bulk(struct decode *, bool reduces);
bool decode_store_async(struct decode *, bool reduces);
bool decode_tensormap(struct decode *);
// decode_op.c: several values at once, or 128 bits.
bool decode_wide_swap(struct decode *);
bool decode_wide_atomic(struct decode *, bool has_result);
