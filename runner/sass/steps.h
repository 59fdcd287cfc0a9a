// How long a stretch of machine code takes a warp by itself, and what it takes of each pipe.
// SPDX-License-Identifier: MIT
#pragma once
#include "sass/blocks.h"

struct arena;

void sass_steps(struct arena *, struct sass_block *, const struct sass_inst *);
