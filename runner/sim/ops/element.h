// One element of a factor or a sum of matrices: from the bits of a register or of shared memory, and back.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/ops/half.h"
#include "sim/ops/matrix.h"

// Element `e` of a 32-bit word.
static inline double element_get(enum matrix_type type, uint32_t word, int e)
{
    switch (type) {
    case MATRIX_F16: return (double)half_to_float(word >> 16 * e & 0xffff);
    case MATRIX_BF16: return (double)bf16_to_float(word >> 16 * e & 0xffff);
    case MATRIX_TF32: return (double)bits_float(word & 0xffffe000);
    case MATRIX_F32: return (double)bits_float(word);
    case MATRIX_S32: return (int32_t)word;
    case MATRIX_S8: return (int8_t)(word >> 8 * e);
    case MATRIX_U8: return (uint8_t)(word >> 8 * e);
    case MATRIX_S4: return (int32_t)(word << (28 - 4 * e)) >> 28;
    case MATRIX_U4: return word >> 4 * e & 15;
    case MATRIX_B1: return word >> e & 1;
    case MATRIX_E4M3: return half_small(word >> 8 * e & 0xff, 4, 3, false);
    case MATRIX_E5M2: return half_small(word >> 8 * e & 0xff, 5, 2, true);
    default: return 0;
    }
}

// A sum in the type that it is kept in.
static inline uint32_t element_of_sum(enum matrix_type type, double sum, bool saturates)
{
    switch (type) {
    case MATRIX_F16: return double_to_half(sum);
    case MATRIX_F32: return float_bits((float)sum);
    default: break;
    }
    if (saturates && sum > INT32_MAX) return INT32_MAX;
    if (saturates && sum < INT32_MIN) return (uint32_t)INT32_MIN;
    return (uint32_t)(int64_t)sum;
}
