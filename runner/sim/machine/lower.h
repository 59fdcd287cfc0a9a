// From decoded machine code to the instructions that the core runs: what the files of this room share.
// SPDX-License-Identifier: MIT
#pragma once
#include "sass/blocks.h"
#include "sass/cubin.h"
#include "sim/core/machine_op.h"
#include "sim/core/state.h"

struct lower_constant { // a slot that holds the same in all lanes
    uint32_t slot;
    uint8_t bank; // 0xff: a number
    uint32_t at;
};

struct lower {
    struct sim_module *module;
    const char *kernel_name;
    struct arena *arena;
    const struct cubin *cubin;
    struct cubin_kernel kernel;
    struct sass_code code;
    const struct sass_inst *in;
    char *why; // of what is not known
    bool failed;
    bool clusters; // addresses of shared memory say whose it is
    struct inst *insts, *once;
    size_t count, room, once_count, once_room;
    uint32_t *places;    // by instruction of the code: where its first one is
    uint32_t *functions; // of the module, in its order: where the kernel's copy begins
    size_t function_count;
    uint32_t slots;
    uint32_t registers, uniforms, predicates, uniform_predicates, barriers, zero, trash, all, address, temps[3],
        wide[6];
    uint32_t voted; // what a barrier that votes gives: a count, and a predicate behind it
    uint32_t register_count;
    struct lower_constant *constants;
    size_t constant_count, constant_room;
    struct preset *presets;
    size_t preset_count, preset_room;
    uint32_t *site_insts;
    size_t site_count, site_room;
    struct machine_bank banks[CUBIN_BANKS];
    uint32_t block; // the stretch that is being lowered
};

bool lower_fail(struct lower *, const char *what);
struct inst *lower_emit(struct lower *, const char *op); // with the guard of the instruction
struct inst *lower_put(struct lower *, const char *op, uint32_t to, uint32_t a, uint32_t b, uint32_t c);
struct machine_op *lower_machine(struct lower *, struct inst *);
uint32_t lower_slot(struct lower *, uint32_t bytes);
uint32_t lower_register(struct lower *, uint32_t reg, bool read);
uint32_t lower_uniform(struct lower *, uint32_t reg, bool read);
uint32_t lower_source(struct lower *, const struct sass_operand *);
uint32_t lower_pair(struct lower *, const struct sass_operand *, bool real); // real: a number is the upper half
uint32_t lower_number(struct lower *, uint32_t);
uint32_t lower_special(struct lower *, uint8_t special, uint64_t bits);
uint32_t lower_bank(struct lower *, uint32_t bank, uint32_t at, uint32_t words);
// A predicate that is read at bits n to n+2, negated where the bit behind is set; one that is written; 0: none.
uint32_t lower_predicate(struct lower *, int n, int negated, bool uniform);
uint32_t lower_result(struct lower *, int n, bool uniform);
// The slot of a 32-bit address of shared memory that may be another block's of the cluster.
uint32_t lower_resident(struct lower *, uint32_t slot, uint32_t temp);
// The slot of a 32-bit address of shared or local memory; what is known of the access that was emitted last.
uint32_t lower_near_address(struct lower *, int uniform_at);
struct memory_op *lower_access(struct lower *, struct inst *, enum access_kind);

// Each: whether it knows the instruction; if it does it has emitted it, or failed.
bool lower_numbers(struct lower *);
bool lower_floats(struct lower *);
bool lower_memory(struct lower *);
bool lower_async(struct lower *);
bool lower_flow(struct lower *);
bool lower_matrix(struct lower *);
bool lower_texture(struct lower *);
// `clusters`: its blocks know each other.
struct sim_kernel *lower_kernel(struct sim_module *, const struct cubin *, const char *name, bool clusters,
    char why[256]);
