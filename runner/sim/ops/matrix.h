// Matrices spread over the registers of a warp, as mma, wmma, ldmatrix and stmatrix use them.
//
// All of them are made of pieces of 8 rows (of the left factor; columns of the right one) by 4 words of 32 bits: lane l
// holds word l%4 of row l/4, and each piece is one register. Sums are pieces of 8 by 8, of which a lane holds columns
// 2(l%4) and the next of row l/4. Pieces are numbered down the rows first. The layout of wmma's fragments is not
// documented, so they use the same.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum matrix_type {
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F32,
    MATRIX_F64,
    MATRIX_S8,
    MATRIX_U8,
    MATRIX_S4,
    MATRIX_U4,
    MATRIX_B1,
    MATRIX_E4M3,
    MATRIX_E5M2,
    MATRIX_S32,
    MATRIX_TYPES
};
extern const uint8_t matrix_bits[MATRIX_TYPES];

// Half of a sparse left factor is there: `group` neighbours have half as many, and metadata say which. `group` 0: all
// of it is.
struct matrix_sparse {
    uint8_t group;
    bool by_row; // its metadata: a lane has bits of one row
    uint32_t at_meta, selector;
};
// The rows of a warp, `k` deep: what is there, in `packed`, goes to its places, and zeros between.
void matrix_expand(struct warp *, const struct matrix_sparse *, int rows, int k, const double *packed, double *to);

#define MATRIX_MOST 32 // rows, columns and registers
struct matrix_op {     // d = a * b + c
    uint16_t m, n, k;
    uint8_t a, b, c, d;        // types
    bool saturates, xors;      // integers: sums stay within 32 bits; bits: differing ones are counted, not common ones
    bool a_columns, b_columns; // how halves of the shape m8n8k4 lie over the lanes
    struct matrix_sparse sparse;
    uint8_t count_a, count_b, count_c, count_d;
    uint32_t at_a[MATRIX_MOST], at_b[MATRIX_MOST], at_c[MATRIX_MOST], at_d[MATRIX_MOST]; // slots
};

// A product of a warp group.
#define GROUP_SUMS 128
struct group_op {
    struct memory_op memory; // first: what the watch asks for
    uint16_t n, k;
    uint8_t a, b, d; // types
    bool a_turned, b_turned, minus, saturates, is_sparse;
    uint32_t a_tile, b_tile,
        adds; // slots: descriptors (0: the left factor is in registers), whether it adds to the sums
    struct matrix_sparse sparse;
    uint32_t at_a[4], at_d[GROUP_SUMS];
};

// A fragment between memory and registers.
struct matrix_move {
    struct memory_op memory; // first: what the counters ask for
    char which;              // 'a', 'b', 'c'; 'm': ldmatrix and stmatrix
    bool stores, columns;    // columns: memory holds column after column; of 'm': transposed
    uint8_t bits, count;
    uint16_t rows, cols; // of the matrix, in elements
    uint32_t stride;     // slot; 0: `lead` elements
    uint32_t lead;
    uint32_t at[MATRIX_MOST]; // slots
};
