// The structure of a PTX text: variables, functions, and each function's instructions with their operands resolved to
// registers, variables and labels. What an opcode means is in ptx/ops.h; unknown ones are kept too.
//
// Ownership: everything, names included, lives in the arena given to ptx_module_read.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/ops.h"

struct arena;

// One piece of an initialiser: `size` bytes at `at`. With a symbol: ((its address + value) & mask) shifted down to the
// mask's lowest bit.
struct ptx_init {
    size_t at, size;
    uint64_t value, mask;
    const char *symbol;
};

struct ptx_var {
    const char *name;
    enum ptx_space space;
    size_t size, align;
    size_t offset; // of a parameter: where it lies in the block of all of them
    bool is_float; // .f32 or .f64: the only two that change how a number is packed
    bool untyped;  // .b32 or .b64: the number says which
    bool open;     // `x[]`: its size is given at the launch
    struct ptx_init *inits;
    size_t init_count, init_room;
    struct ptx_var *next;
};

enum ptx_operand_kind {
    PTX_REGISTER,
    PTX_NUMBER,
    PTX_NAME,    // a variable, label, function or special register
    PTX_ADDRESS, // [register, name or nothing, + offset], and coordinates as items: [t, {x, y}]
    PTX_VECTOR,  // {a, b} and also (a, b)
    PTX_PAIR,    // a|b
    PTX_SINK     // _
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;   // !p
    uint8_t origin; // of a name: enum ops_origin
    uint8_t part;   // of a register: 1 to 4 its bytes (.b0), 5 and 6 its halves (.h0); 0: all of it
    int reg;        // register, or an address's; -1: none
    int float_size; // of a number: 0, 4 or 8
    uint64_t bits;  // of a number
    int64_t offset; // of an address, or of a name (`x+4`)
    const char *name;
    const struct ptx_var *var;         // what the name means, when it is a variable
    const struct ptx_special *special; // ... or a special register
    int label;                         // index of the instruction it labels; -1: no label
    struct ptx_operand *items;         // of vectors and pairs; coordinates
    int count;
};

struct ptx_inst {
    const struct ptx_op *op; // two that are written alike have the same
    int guard;               // predicate register, -1: none
    bool guard_not;
    bool odd;    // the operands could not be read
    bool leads;  // something jumps here
    bool rolled; // a loop that begins here is not to be unrolled
    int line;    // of the source, 0: unknown
    int scope;
    struct ptx_operand *operands; // at least PTX_LEAST_OPERANDS: those behind `count` are sinks, without a register
    int count;
};
enum { PTX_LEAST_OPERANDS = 4, PTX_MOST_ITEMS = 128 }; // items: the sums of a warp group's largest product

struct ptx_reg {
    uint8_t size; // bytes, 0: a predicate
};

struct ptx_func {
    const char *name;
    bool entry, defined;
    bool odd_params;     // parameters in registers
    uint32_t cluster[3]; // blocks of a cluster that the kernel asks for; 0: none
    struct ptx_var *params, *results, *locals;
    struct ptx_reg *regs;
    size_t reg_count, reg_room;
    struct ptx_inst *insts;
    size_t inst_count, inst_room;
    struct ops_read *ops; // of the module
    struct ptx_func *next;
};

struct ptx_module {
    struct ptx_var *vars;
    struct ptx_func *funcs;
    struct ops_read ops;
};

// NULL, with the reason in `error`, when it is not PTX.
struct ptx_module *ptx_module_read(struct arena *, const char *text, char error[256]);
const struct ptx_func *ptx_module_func(const struct ptx_module *, const char *name);
