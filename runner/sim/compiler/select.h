// Loads that only some lanes need, for the rest takes another value.
//
// SPDX-License-Identifier: MIT
#ifndef SIM_SELECT_H
#define SIM_SELECT_H
struct ptx_func;

// Puts a guard before such loads, as ptxas does.
void select_loads(struct ptx_func *);
#endif
