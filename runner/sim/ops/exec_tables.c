// The list of this variant's tables.
// SPDX-License-Identifier: MIT
#include "sim/core/exec.h"

extern const struct op VARIANT(ops_int)[], VARIANT(ops_bits)[], VARIANT(ops_set)[], VARIANT(ops_float)[],
    VARIANT(ops_half)[], VARIANT(ops_cvt)[], VARIANT(ops_access)[], VARIANT(ops_mma)[], VARIANT(ops_wgmma)[],
    VARIANT(ops_machine)[];

static const struct op *const tables[] = {VARIANT(ops_int), VARIANT(ops_bits), VARIANT(ops_set), VARIANT(ops_float),
    VARIANT(ops_half), VARIANT(ops_cvt), VARIANT(ops_access), VARIANT(ops_mma), VARIANT(ops_wgmma),
    VARIANT(ops_machine), NULL};

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
extern const struct exec VARIANT(exec);
const struct exec VARIANT(exec) = {TEXT(SIM_VARIANT), tables};
