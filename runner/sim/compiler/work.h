// What PTX instructions take beside memory: turns of the issue slots, and the kinds of work that an explanation names.
// SPDX-License-Identifier: MIT
#ifndef SIM_WORK_H
#define SIM_WORK_H
#include "sim/core/look.h"

struct arena;
struct ptx_func;

// About how many turns of the issue slots its machine code takes: divisions and roots are sequences, and some units are
// narrower than a warp.
uint32_t work_turns(const char *op);
// The list with that instruction in it, if it is of a kind that counts.
const struct head_work *work_add(const struct head_work *, const char *op, int line, struct arena *);
// By instruction: a load whose address is made from what another one gave, with no jump between them.
bool *work_waits(const struct ptx_func *, struct arena *);
#endif
