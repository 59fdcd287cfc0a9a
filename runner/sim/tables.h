// The tables of handlers that are the same in every variant, and how an atomic is written into its instruction.
// SPDX-License-Identifier: MIT
#ifndef SIM_TABLES_H
#define SIM_TABLES_H
#include "sim/exec.h"

extern const struct op flow_ops[], shuffle_ops[], atomics_ops[], print_ops[];

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
#endif
