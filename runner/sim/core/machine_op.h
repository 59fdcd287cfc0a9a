// What an instruction of machine code has besides its slots: signs, predicates, and how it does what it does. A
// register is a slot of 32 lanes of 4 bytes; what is 64 bits wide is in two of them that follow each other.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum { MACHINE_REGISTER = LANES * 4 }; // bytes from one to the next

// A predicate is a mask of lanes; the lowest bit of its slot: it is negated.
static inline uint32_t machine_predicate(const struct warp *w, uint32_t slot)
{
    return *(const u32 *)(const void *)((const unsigned char *)w + (slot & ~1u)) ^ (0 - (slot & 1));
}
// Slot 0: nowhere.
static inline void machine_set(struct warp *w, uint32_t slot, uint32_t mask, uint32_t lanes)
{
    if (!slot) return;
    u32 *p = SLOT(w, slot);
    *p = (*p & ~mask) | (lanes & mask);
}

enum machine_compare { // the order of the encodings; from NUM on for floats only
    MACHINE_F,
    MACHINE_LT,
    MACHINE_EQ,
    MACHINE_LE,
    MACHINE_GT,
    MACHINE_NE,
    MACHINE_GE,
    MACHINE_NUM,
    MACHINE_NAN,
    MACHINE_LTU,
    MACHINE_EQU,
    MACHINE_LEU,
    MACHINE_GTU,
    MACHINE_NEU,
    MACHINE_GEU,
    MACHINE_T
};

struct machine_op {
    uint32_t keep[3], flip[3];   // of each operand, as floats: the bits that stay, then those that change
    uint32_t minus[3];           // as whole numbers: ~0 where negated
    uint32_t in, in2, out, out2; // predicates
    // One lane's result, where there is no loop of its own for it.
    uint64_t (*lane)(const struct machine_op *, uint32_t a, uint32_t b, uint32_t c);
    uint64_t (*wide)(const struct machine_op *, uint64_t a, uint64_t b, uint64_t c);
    int mode; // of rounding, while its lanes are done; 0: to the nearest
    uint8_t compare, join, table, shift, round, type, from, to, select[3];
    bool extended, high, wraps, right, sat, ftz, is_signed, bf16, nan, xorsign, f32, relu, set_one;
};

struct machine_branch {
    const struct inst *target;
    uint32_t in;      // a predicate that is asked besides the guard; 0: none
    uint32_t uniform; // slot of the lanes with which it goes on; 0: it is no such branch
    bool inverted;
    bool any;                         // all lanes go, where the guard lets one through
    const struct inst *const *places; // where each instruction of the code is
    size_t count;
    const uint32_t *functions; // of the module, in its order: where each begins in the code; 0: not there
    size_t function_count;
};

// A bank of constants: pieces of it, and in bank 0 the parameters.
struct machine_bank {
    bool params;
    uint32_t at; // where they begin
    const struct machine_piece {
        uint32_t at, bytes;
        const unsigned char *from;
    } * pieces;
    size_t count;
};

// How often a stretch of code was done, and by how many lanes in all.
struct machine_tally {
    uint64_t times, lanes;
};
