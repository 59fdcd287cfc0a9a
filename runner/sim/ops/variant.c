// Which copies of the interpreter this processor can run, and its operations by name.
// SPDX-License-Identifier: MIT
#include "sim/core/converge.h"
#include "sim/core/flow.h"
#include "sim/core/residents.h"
#include "sim/ops/convert.h"
#include "sim/ops/heap.h"
#include "sim/ops/mbarrier.h"
#include "sim/ops/simd.h"
#include "sim/ops/tables.h"
#include "sim/ops/tensor.h"
#include "sim/watch/flight.h"

#include <string.h>

extern const struct exec exec_plain;
#ifdef SIM_HAVE_VARIANTS
extern const struct exec exec_v3, exec_v4;

static bool has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const struct exec *variant_get(int n)
{
    switch (n) {
    case 0: return &exec_plain;
    case 1: return has_v3() ? &exec_v3 : NULL;
    case 2: return has_v4() ? &exec_v4 : NULL;
    default: return NULL;
    }
}
#else
const struct exec *variant_get(int n) { return n == 0 ? &exec_plain : NULL; }
#endif

static const struct op *const common[] = {flow_ops, shuffle_ops, atomics_ops, print_ops, texture_ops, matrix_ops,
    residents_ops, mbarrier_ops, tensor_ops, calls_ops, simd_ops, narrow_ops, heap_ops, flight_ops, converge_ops, NULL};

const struct op *variant_op(const struct exec *e, const char *name)
{
    for (int k = 0; k < 2; k++)
        for (const struct op *const *table = k ? common : e->tables; *table; table++)
            for (const struct op *op = *table; op->name; op++)
                if (*op->name == *name && strcmp(op->name, name) == 0) return op;
    return NULL;
}
