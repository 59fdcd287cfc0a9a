// The names that expressions and scripts find, and those that scripts give. What is not here, Lua code cannot reach.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"

extern const struct choice function_table[];        // in expressions and scripts; "math.floor" is an element of `math`
extern const struct choice function_script_table[]; // in scripts alone

// What a script may return: its own table, one of its `params`, and what `done` returns.
extern const struct choice script_keys[], script_param_keys[], script_outcome_keys[];
