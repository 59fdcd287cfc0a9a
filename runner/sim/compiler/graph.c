// Builds the flow graph.
// SPDX-License-Identifier: MIT
#include "sim/compiler/graph.h"

#include "base/arena.h"
#include "ptx/module.h"

bool graph_jumps(const struct ptx_inst *in) { return in->op->class == CLASS_JUMP; }

static void add_next(struct graph_node *n, size_t to) { n->next[n->next_count++] = to; }

static void connect(struct graph *g, struct arena *arena, size_t k)
{
    struct graph_node *n = &g->nodes[k];
    const struct ptx_inst *last = &g->f->insts[n->to - 1];
    const struct ptx_operand *table = last->op->code == OPS_BRX && last->count > 1 ? &last->operands[1] : NULL;
    n->next = arena_alloc(arena, ((size_t)(table ? table->count : 0) + 2) * sizeof *n->next);
    for (int t = 0; table && t < table->count; t++)
        if (table->items[t].label >= 0) add_next(n, g->node_of[table->items[t].label]);
    if (last->op->code == OPS_BRA && last->count && last->operands[0].label >= 0)
        add_next(n, g->node_of[last->operands[0].label]);
    if (last->op->code == OPS_RET || last->op->code == OPS_EXIT) add_next(n, g->count - 1);
    n->falls = !graph_jumps(last) || last->guard >= 0;
    if (n->falls) add_next(n, k + 1);
}

bool graph_build(struct graph *g, struct arena *arena, const struct ptx_func *f)
{
    *g = (struct graph){.f = f};
    g->node_of = arena_alloc(arena, (f->inst_count + 1) * sizeof *g->node_of);
    for (size_t i = 0; i < f->inst_count; i++) {
        g->count += i == 0 || f->insts[i].leads || graph_jumps(&f->insts[i - 1]);
        g->node_of[i] = g->count - 1;
    }
    g->node_of[f->inst_count] = g->count++;
    if (g->count > GRAPH_MOST) return false;
    g->nodes = arena_alloc(arena, g->count * sizeof *g->nodes);
    for (size_t i = f->inst_count; i-- > 0;) {
        struct graph_node *n = &g->nodes[g->node_of[i]];
        n->from = i;
        if (!n->to) n->to = i + 1;
    }
    g->nodes[g->count - 1].from = g->nodes[g->count - 1].to = f->inst_count;
    for (size_t k = 0; k + 1 < g->count; k++) connect(g, arena, k);
    return true;
}
