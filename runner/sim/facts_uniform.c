// Which atomics ptxas can see to be one access of the whole warp: their address does not depend on the thread, and no branch that
// threads may take differently decides whether they run. Values flow through registers; a register written in several places
// is uniform only if all those places are reached by the whole warp.
// SPDX-License-Identifier: MIT
#include "sim/facts.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 4000 // beyond it nothing is claimed

struct node {
    size_t from, to; // instructions
    size_t *next;
    size_t next_count;
    bool parts;     // ends in a branch that threads may take differently
    bool together;  // the whole warp comes here or nobody
    bool leaves, reaches; // marks of one query: a way to the end that avoids the block asked about; a way to it
};

struct graph {
    const struct ptx_func *f;
    const struct facts *facts;
    struct node *nodes; // the last one is the end of the function
    size_t count;
    size_t *node_of; // by instruction
    bool *varies;    // by register
};

static bool starts(const char *op, const char *root)
{
    const size_t n = strlen(root);
    return strncmp(op, root, n) == 0 && (op[n] == '.' || !op[n]);
}

static bool jumps(const struct ptx_inst *in)
{
    return starts(in->op, "bra") || starts(in->op, "brx") || starts(in->op, "ret") || starts(in->op, "exit");
}

static void add_next(struct node *n, size_t to) { n->next[n->next_count++] = to; }

static void connect(struct graph *g, struct arena *arena, size_t k)
{
    struct node *n = &g->nodes[k];
    const struct ptx_inst *last = &g->f->insts[n->to - 1];
    const struct ptx_operand *table = starts(last->op, "brx") && last->count > 1 ? &last->operands[1] : NULL;
    n->next = arena_alloc(arena, ((size_t)(table ? table->count : 0) + 2) * sizeof *n->next);
    if (table)
        for (int t = 0; t < table->count; t++)
            if (table->items[t].label >= 0) add_next(n, g->node_of[table->items[t].label]);
    if (starts(last->op, "bra") && last->count && last->operands[0].label >= 0) add_next(n, g->node_of[last->operands[0].label]);
    if (starts(last->op, "ret") || starts(last->op, "exit")) add_next(n, g->count - 1);
    if (!jumps(last) || last->guard >= 0) add_next(n, k + 1);
}

static bool build(struct graph *g, struct arena *arena)
{
    const size_t insts = g->f->inst_count;
    g->node_of = arena_alloc(arena, (insts + 1) * sizeof *g->node_of);
    for (size_t i = 0; i < insts; i++) {
        const bool leads = i == 0 || g->f->insts[i].leads || jumps(&g->f->insts[i - 1]);
        g->count += leads;
        g->node_of[i] = g->count - 1;
    }
    g->node_of[insts] = g->count++;
    if (g->count > MOST_BLOCKS) return false;
    g->nodes = arena_alloc(arena, g->count * sizeof *g->nodes);
    for (size_t i = insts; i-- > 0;) {
        struct node *n = &g->nodes[g->node_of[i]];
        n->from = i;
        if (!n->to) n->to = i + 1;
    }
    for (size_t k = 0; k + 1 < g->count; k++) connect(g, arena, k);
    return true;
}

static bool operand_varies(const struct graph *g, const struct ptx_operand *o)
{
    static const char *const names[] = {"%tid", "%laneid", "%lanemask", "%warpid", "%clock", "%globaltimer", NULL};
    if (o->reg >= 0 && g->varies[o->reg]) return true;
    for (int k = 0; o->kind == PTX_NAME && !o->var && names[k]; k++)
        if (strncmp(o->name, names[k], strlen(names[k])) == 0) return true;
    for (int k = 0; k < o->count; k++)
        if (operand_varies(g, &o->items[k])) return true;
    return false;
}

static bool result_varies(const struct graph *g, const struct ptx_inst *in)
{
    static const char *const always[] = {"atom", "shfl", "match", "activemask", "elect", NULL};
    for (int k = 0; always[k]; k++)
        if (starts(in->op, always[k])) return true;
    if (starts(in->op, "vote") || starts(in->op, "redux")) return false;
    if (starts(in->op, "ld") && (strstr(in->op, ".local") || strstr(in->op, ".volatile"))) return true;
    const struct ptx_operand *from = in->count > 1 ? &in->operands[1] : NULL;
    if (from && strncmp(in->op, "ld.param", 8) == 0 && from->var)
        for (const struct ptx_var *v = g->f->params;; v = v->next) {
            if (!v) return true; // what a call returned
            if (v == from->var) break;
        }
    if (in->guard >= 0 && g->varies[in->guard]) return true;
    for (int k = 1; k < in->count; k++)
        if (operand_varies(g, &in->operands[k])) return true;
    return false;
}

static bool mark_varying(struct graph *g, const struct ptx_operand *o)
{
    bool changed = o->kind == PTX_REGISTER && !g->varies[o->reg];
    if (changed) g->varies[o->reg] = true;
    for (int k = 0; k < o->count; k++) changed |= mark_varying(g, &o->items[k]);
    return changed;
}

static bool written_apart(const struct graph *g, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return g->facts->writes[o->reg] > 1;
    for (int k = 0; k < o->count; k++)
        if (written_apart(g, &o->items[k])) return true;
    return false;
}

static bool spread_varying(struct graph *g)
{
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->f->inst_count; i++) {
            const struct ptx_inst *in = &g->f->insts[i];
            if (!in->count || jumps(in) || starts(in->op, "st") || starts(in->op, "red") || starts(in->op, "call")) continue;
            const bool apart = written_apart(g, &in->operands[0]) && !g->nodes[g->node_of[i]].together;
            if (apart || result_varies(g, in)) changed |= mark_varying(g, &in->operands[0]);
        }
        any |= changed;
    }
    return any;
}

// Marks the nodes from which `to` is reached without passing `around`; repeated sweeps, backwards since most edges go forwards.
static void mark_ways(struct graph *g, size_t to, size_t around, bool leaves)
{
    for (size_t k = 0; k < g->count; k++) *(leaves ? &g->nodes[k].leaves : &g->nodes[k].reaches) = k == to;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = g->count; k-- > 0;) {
            struct node *n = &g->nodes[k];
            bool *mark = leaves ? &n->leaves : &n->reaches;
            if (*mark || k == around) continue;
            for (size_t e = 0; e < n->next_count && !*mark; e++)
                *mark = leaves ? g->nodes[n->next[e]].leaves : g->nodes[n->next[e]].reaches;
            changed |= *mark;
        }
    }
}

// A branch that threads take differently decides about `k` when one way from it leads there and another past it.
static bool decided_apart(struct graph *g, size_t k)
{
    mark_ways(g, g->count - 1, k, true);
    mark_ways(g, k, g->count, false);
    for (size_t x = 0; x + 1 < g->count; x++) {
        const struct node *n = &g->nodes[x];
        bool there = false, past = false;
        for (size_t e = 0; n->parts && e < n->next_count; e++) {
            there |= g->nodes[n->next[e]].reaches;
            past |= g->nodes[n->next[e]].leaves;
        }
        if (there && past) return true;
    }
    return false;
}

static bool find_parting(struct graph *g)
{
    bool changed = false;
    for (size_t k = 0; k + 1 < g->count; k++) {
        struct node *n = &g->nodes[k];
        const struct ptx_inst *last = &g->f->insts[n->to - 1];
        if (n->parts || !jumps(last)) continue;
        n->parts = (last->guard >= 0 && g->varies[last->guard]) || (starts(last->op, "brx") && operand_varies(g, &last->operands[0]));
        changed |= n->parts;
    }
    for (size_t k = 0; changed && k + 1 < g->count; k++)
        if (g->nodes[k].together) g->nodes[k].together = !decided_apart(g, k);
    return changed;
}

static bool is_atomic(const struct ptx_inst *in) { return starts(in->op, "atom") || starts(in->op, "red"); }

void facts_find_uniform(struct facts *facts, struct arena *arena, const struct ptx_func *f)
{
    struct graph g = {.f = f, .facts = facts};
    bool any = false;
    facts->uniform = arena_alloc(arena, f->inst_count + 1);
    for (size_t i = 0; i < f->inst_count; i++) any |= is_atomic(&f->insts[i]);
    if (!any || !f->entry || !build(&g, arena)) return; // who calls a function, and with how many lanes, is not known
    g.varies = arena_alloc(arena, f->reg_count + 1);
    for (size_t k = 0; k < g.count; k++) g.nodes[k].together = true;
    spread_varying(&g);
    while (find_parting(&g) && spread_varying(&g));
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        const int at = starts(in->op, "atom") ? 1 : 0;
        facts->uniform[i] = is_atomic(in) && in->count > at && in->guard < 0 && g.nodes[g.node_of[i]].together &&
                            !operand_varies(&g, &in->operands[at]);
    }
}
