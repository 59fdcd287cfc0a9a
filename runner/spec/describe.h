// The two halves of reading a kernel file: its description (describe.c), and what the source must have to match
// (match.c).
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/node.h"
#include "spec/source.h"

struct describer {
    struct kernel *kernel;
    struct arena *arena;
    struct diags *diags;
};
struct source_expr describe_expression(const struct describer *, const struct node *map, const char *key);
// One expression, or a list of up to three.
void describe_extents(const struct describer *, const struct node *map, const char *key, struct source_expr *const[3]);

// Fills the kernel from the first comment's mapping; `entry` gets the node of `entry:` or NULL.
void describe_read(struct kernel *, const struct node *root, const struct node **entry, struct diags *);
// Checks entries, their arguments, `check`, `fill_<buffer>` and every expression; fills functions, check and entry.
void match_source(struct kernel *, const struct node *entry, struct diags *);
