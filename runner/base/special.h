// What a special register tells a thread; in PTX it has a name, in machine code a number.
// SPDX-License-Identifier: MIT
#pragma once

enum special {
    SPECIAL_CONSTANT, // `which` is its value
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_NTID_X,
    SPECIAL_NTID_Y,
    SPECIAL_NTID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_NCTAID_X,
    SPECIAL_NCTAID_Y,
    SPECIAL_NCTAID_Z,
    SPECIAL_LANE,
    SPECIAL_WARP,
    SPECIAL_WARPS,
    SPECIAL_SM,
    SPECIAL_MASK_EQ,
    SPECIAL_MASK_LT,
    SPECIAL_MASK_LE,
    SPECIAL_MASK_GT,
    SPECIAL_MASK_GE,
    SPECIAL_DYNAMIC_SHARED,
    SPECIAL_TOTAL_SHARED,
    SPECIAL_CLUSTER,       // `which`: enum cluster_value
    SPECIAL_RESERVED,      // the shared memory that belongs to the system, plus `which`
    SPECIAL_CLOCK,         // `which`: 1, its upper half
    SPECIAL_DYNAMIC_START, // of `extern __shared__`; no register of PTX tells it
};
enum cluster_value { // the first four along x, y and z
    CLUSTER_ID,
    CLUSTER_GRID = 3,
    CLUSTER_PLACE = 6,
    CLUSTER_SIZE = 9,
    CLUSTER_RANK = 12,
    CLUSTER_COUNT,
    CLUSTER_EXPLICIT,
    CLUSTER_WORKSPACE_HIGH, // the address where all blocks of a cooperative grid meet
    CLUSTER_WORKSPACE_LOW,
    CLUSTER_INVERSE = 18 // of the size, as floats
};
// Shared memory that the system keeps for itself on compute capability 8.0 and later; cooperative groups of several
// warps meet in it. Here it comes after the kernel's own, and only where a kernel asks for it.
enum { RESERVED_SHARED = 1024 };
