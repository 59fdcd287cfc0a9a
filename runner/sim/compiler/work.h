// What PTX instructions do beside memory: the kinds of work that an explanation names, and which loads wait for others.
// SPDX-License-Identifier: MIT
#ifndef SIM_WORK_H
#define SIM_WORK_H
#include "sim/core/look.h"

struct arena;
struct ptx_func;
struct ptx_op;

// The list with that instruction in it, if it is of a kind that counts.
const struct head_work *work_add(const struct head_work *, const struct ptx_op *, int line, struct arena *);
// By instruction: a load whose address is made from what another one gave, with no jump between them.
bool *work_waits(const struct ptx_func *, struct arena *);
#endif
