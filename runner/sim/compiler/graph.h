// The flow graph of a PTX function: runs of instructions that are entered at their first and left at their last.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct ptx_func;
struct ptx_inst;

struct graph_node {
    size_t from, to; // instructions
    size_t *next;    // nodes
    size_t next_count;
    bool falls; // goes on into the next node
};
struct graph {
    const struct ptx_func *f;
    struct graph_node *nodes; // in program order; the last is the end of the function, and empty
    size_t count;
    size_t *node_of; // by instruction
};

#define GRAPH_MOST 4000 // nodes; the algorithms on the graph are not linear

bool graph_build(struct graph *, struct arena *, const struct ptx_func *); // false: more nodes than that
bool graph_jumps(const struct ptx_inst *);                                 // bra, brx, ret, exit
