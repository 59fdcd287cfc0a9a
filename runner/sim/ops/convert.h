// How a `cvt` is written into an instruction's immediate, for exec_cvt.c and narrow.c to read and decode_cvt.c to
// write.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum convert_type {
    CONVERT_U8,
    CONVERT_S8,
    CONVERT_U16,
    CONVERT_S16,
    CONVERT_U32,
    CONVERT_S32,
    CONVERT_U64,
    CONVERT_S64,
    CONVERT_F16,
    CONVERT_BF16,
    CONVERT_F32,
    CONVERT_F64,
    CONVERT_TYPES
};
enum convert_round { // in the order of enum half_round; the integer kinds round to an integral value
    CONVERT_RN,
    CONVERT_RZ,
    CONVERT_RM,
    CONVERT_RP,
    CONVERT_RNI,
    CONVERT_RZI,
    CONVERT_RMI,
    CONVERT_RPI
};
#define CONVERT_PACK(to, from, round, sat) ((to) | (from) << 4 | (round) << 8 | (sat) << 12)
#define CONVERT_TO(x) ((int)(x)&15)
#define CONVERT_FROM(x) ((int)(x) >> 4 & 15)
#define CONVERT_ROUND(x) ((int)(x) >> 8 & 15)
#define CONVERT_SAT(x) ((int)(x) >> 12 & 1)

// To the small formats (narrow.c): which, and how.
enum narrow_type { NARROW_F16, NARROW_BF16, NARROW_TF32, NARROW_E4M3, NARROW_E5M2, NARROW_TYPES };
enum narrow_flags {
    NARROW_RZ = 1,
    NARROW_AWAY = 2,  // from zero, where it is half way
    NARROW_RELU = 4,  // nothing below zero
    NARROW_FINITE = 8 // no infinity
};
#define NARROW_PACK(to, flags) ((to) | (flags) << 4)
#define NARROW_TO(x) ((int)(x)&15)
#define NARROW_FLAGS(x) ((int)(x) >> 4)
extern const struct op narrow_ops[];
