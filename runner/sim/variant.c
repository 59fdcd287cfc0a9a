// Which copies of the interpreter this processor can run.
// SPDX-License-Identifier: MIT
#include "sim/exec.h"

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
