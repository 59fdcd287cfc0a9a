// Which atomics ptxas can see to be one access of the whole warp: their address does not depend on the thread, and no
// branch that threads may take differently decides whether they run. Values flow through registers; a register written
// in several places is uniform only if all those places are reached by the whole warp.
// SPDX-License-Identifier: MIT
#include "sim/compiler/facts.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/compiler/graph.h"

struct uniform_mark {
    bool parts;           // ends in a branch that threads may take differently
    bool together;        // the whole warp comes here, or no lane
    bool leaves, reaches; // of one query: there is a way to the end without the node asked about; a way to it
};

struct flow {
    struct graph graph;
    const struct ptx_func *f;
    const struct facts *facts;
    struct uniform_mark *marks; // by node
    bool *varies;               // by register
};

static bool operand_varies(const struct flow *g, const struct ptx_operand *o)
{
    if (o->reg >= 0 && g->varies[o->reg]) return true;
    if (o->origin & (ORIGIN_THREAD | ORIGIN_LANE | ORIGIN_TIME)) return true;
    for (int k = 0; k < o->count; k++)
        if (operand_varies(g, &o->items[k])) return true;
    return false;
}

static bool result_varies(const struct flow *g, const struct ptx_inst *in)
{
    const struct ptx_op *op = in->op;
    if (op->code == OPS_VOTE || op->code == OPS_REDUX) return false;
    if (op->class & (CLASS_ATOMIC | CLASS_WARP)) return true;
    if (op->class == CLASS_LOAD && (op->space == PTX_LOCAL || ops_has(op, WORD_VOLATILE))) return true;
    const struct ptx_operand *from = in->count > 1 ? &in->operands[1] : NULL;
    if (from && op->class == CLASS_LOAD && op->space == PTX_PARAM && from->var)
        for (const struct ptx_var *v = g->f->params;; v = v->next) {
            if (!v) return true; // what a call returned
            if (v == from->var) break;
        }
    if (in->guard >= 0 && g->varies[in->guard]) return true;
    for (int k = 1; k < in->count; k++)
        if (operand_varies(g, &in->operands[k])) return true;
    return false;
}

static bool mark_varying(struct flow *g, const struct ptx_operand *o)
{
    bool changed = o->kind == PTX_REGISTER && !g->varies[o->reg];
    if (changed) g->varies[o->reg] = true;
    for (int k = 0; k < o->count; k++) changed |= mark_varying(g, &o->items[k]);
    return changed;
}

static bool written_apart(const struct flow *g, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return g->facts->writes[o->reg] > 1;
    for (int k = 0; k < o->count; k++)
        if (written_apart(g, &o->items[k])) return true;
    return false;
}

static bool spread_varying(struct flow *g)
{
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->f->inst_count; i++) {
            const struct ptx_inst *in = &g->f->insts[i];
            if (!in->count || !in->op->has_result) continue;
            const bool apart = written_apart(g, &in->operands[0]) && !g->marks[g->graph.node_of[i]].together;
            if (apart || result_varies(g, in)) changed |= mark_varying(g, &in->operands[0]);
        }
        any |= changed;
    }
    return any;
}

// Marks the nodes from which `to` is reached without passing `around`; repeated sweeps, backwards since most edges go
// forwards.
static void mark_ways(struct flow *g, size_t to, size_t around, bool leaves)
{
    for (size_t k = 0; k < g->graph.count; k++) *(leaves ? &g->marks[k].leaves : &g->marks[k].reaches) = k == to;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = g->graph.count; k-- > 0;) {
            const struct graph_node *n = &g->graph.nodes[k];
            bool *mark = leaves ? &g->marks[k].leaves : &g->marks[k].reaches;
            if (*mark || k == around) continue;
            for (size_t e = 0; e < n->next_count && !*mark; e++)
                *mark = leaves ? g->marks[n->next[e]].leaves : g->marks[n->next[e]].reaches;
            changed |= *mark;
        }
    }
}

// A branch that threads take differently decides about `k` when one way from it leads to `k` and another does not.
static bool decided_apart(struct flow *g, size_t k)
{
    mark_ways(g, g->graph.count - 1, k, true);
    mark_ways(g, k, g->graph.count, false);
    for (size_t x = 0; x + 1 < g->graph.count; x++) {
        const struct graph_node *n = &g->graph.nodes[x];
        bool there = false, past = false;
        for (size_t e = 0; g->marks[x].parts && e < n->next_count; e++) {
            there |= g->marks[n->next[e]].reaches;
            past |= g->marks[n->next[e]].leaves;
        }
        if (there && past) return true;
    }
    return false;
}

static bool find_parting(struct flow *g)
{
    bool changed = false;
    for (size_t k = 0; k + 1 < g->graph.count; k++) {
        const struct ptx_inst *last = &g->f->insts[g->graph.nodes[k].to - 1];
        if (g->marks[k].parts || !graph_jumps(last)) continue;
        g->marks[k].parts = (last->guard >= 0 && g->varies[last->guard]) ||
            (last->op->code == OPS_BRX && operand_varies(g, &last->operands[0]));
        changed |= g->marks[k].parts;
    }
    for (size_t k = 0; changed && k + 1 < g->graph.count; k++)
        if (g->marks[k].together) g->marks[k].together = !decided_apart(g, k);
    return changed;
}

static bool is_atomic(const struct ptx_inst *in) { return in->op->class & (CLASS_ATOMIC | CLASS_REDUCE); }

void facts_find_uniform(struct facts *facts, struct arena *arena, const struct ptx_func *f)
{
    struct flow g = {.f = f, .facts = facts};
    bool any = false;
    facts->uniform = arena_alloc(arena, f->inst_count + 1);
    for (size_t i = 0; i < f->inst_count; i++) any |= is_atomic(&f->insts[i]);
    if (!any || !f->entry || !graph_build(&g.graph, arena, f))
        return; // it is not known who calls a function, and with how many lanes
    g.varies = arena_alloc(arena, f->reg_count + 1);
    g.marks = arena_alloc(arena, g.graph.count * sizeof *g.marks);
    for (size_t k = 0; k < g.graph.count; k++) g.marks[k].together = true;
    spread_varying(&g);
    while (find_parting(&g) && spread_varying(&g))
        ;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        const int at = in->op->has_result;
        if (!is_atomic(in) || in->count <= at || operand_varies(&g, &in->operands[at])) continue;
        facts->uniform[i] = in->guard < 0 && g.marks[g.graph.node_of[i]].together ? 2 : 1;
    }
}
