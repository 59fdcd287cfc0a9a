// A topological order of the strongly connected pieces of the flow graph, and of each piece without the node that
// enters it, and so on inwards (Bourdoncle's weak topological order), made into instructions again.
// SPDX-License-Identifier: MIT
#include "sim/compiler/passes.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/compiler/graph.h"

#define NONE ((size_t)-1)

struct order {
    const struct graph *g;
    size_t *piece; // by node: which piece of the current part it is in
    size_t *low, *number, *stack;
    bool *on_stack, *in_part;
    size_t numbered, stacked, pieces;
    size_t *result, placed;
};

// Tarjan's algorithm on the nodes of the part.
static void find_piece(struct order *o, size_t k)
{
    o->number[k] = o->low[k] = ++o->numbered;
    o->stack[o->stacked++] = k;
    o->on_stack[k] = true;
    for (size_t e = 0; e < o->g->nodes[k].next_count; e++) {
        const size_t to = o->g->nodes[k].next[e];
        if (!o->in_part[to]) continue;
        if (!o->number[to]) {
            find_piece(o, to);
            if (o->low[to] < o->low[k]) o->low[k] = o->low[to];
        } else if (o->on_stack[to] && o->number[to] < o->low[k]) o->low[k] = o->number[to];
    }
    if (o->low[k] != o->number[k]) return;
    size_t member;
    do {
        member = o->stack[--o->stacked];
        o->on_stack[member] = false;
        o->piece[member] = o->pieces;
    } while (member != k);
    o->pieces++;
}

static void place_part(struct order *o, const size_t *part, size_t count, struct arena *arena);

// One piece: a node, or a loop. Of a loop the entry node comes first, and the rest is a part of its own.
static void place_piece(struct order *o, const size_t *nodes, size_t count, size_t head, struct arena *arena)
{
    size_t *rest = arena_alloc(arena, count * sizeof *rest), n = 0;
    o->result[o->placed++] = head;
    for (size_t k = 0; k < count; k++)
        if (nodes[k] != head) rest[n++] = nodes[k];
    if (n) place_part(o, rest, n, arena);
}

// The nodes of `part` are in program order.
static void place_part(struct order *o, const size_t *part, size_t count, struct arena *arena)
{
    for (size_t k = 0; k < count; k++) o->in_part[part[k]] = true, o->number[part[k]] = 0;
    o->numbered = o->pieces = 0;
    for (size_t k = 0; k < count; k++)
        if (!o->number[part[k]]) find_piece(o, part[k]);
    const size_t pieces = o->pieces;
    size_t *piece = arena_alloc(arena, count * sizeof *piece), *waits = arena_alloc(arena, pieces * sizeof *waits);
    size_t *entered = arena_alloc(arena, pieces * sizeof *entered);
    for (size_t p = 0; p < pieces; p++) entered[p] = NONE;
    for (size_t k = 0; k < count; k++) piece[k] = o->piece[part[k]];
    for (size_t k = 0; k < count; k++)
        for (size_t e = 0; e < o->g->nodes[part[k]].next_count; e++) {
            const size_t to = o->g->nodes[part[k]].next[e];
            if (o->in_part[to] && o->piece[to] != piece[k]) waits[o->piece[to]]++;
        }
    // Where a piece is entered from outside the part, `in_part` has been cleared for its loop's head: any node before
    // it counts.
    for (size_t k = 0; k < o->g->count; k++)
        for (size_t e = 0; e < o->g->nodes[k].next_count; e++) {
            const size_t to = o->g->nodes[k].next[e];
            if (!o->in_part[to] || (o->in_part[k] && o->piece[k] == o->piece[to])) continue;
            if (entered[o->piece[to]] == NONE || to < entered[o->piece[to]]) entered[o->piece[to]] = to;
        }
    size_t **members = arena_alloc(arena, pieces * sizeof *members),
           *sizes = arena_alloc(arena, pieces * sizeof *sizes);
    for (size_t k = 0; k < count; k++) sizes[piece[k]]++;
    for (size_t p = 0; p < pieces; p++) members[p] = arena_alloc(arena, sizes[p] * sizeof **members), sizes[p] = 0;
    for (size_t k = 0; k < count; k++) members[piece[k]][sizes[piece[k]]++] = part[k];
    size_t *sequence = arena_alloc(arena, pieces * sizeof *sequence);
    for (size_t n = 0; n < pieces; n++) { // the ready piece that the compiler put first
        size_t best = NONE;
        for (size_t p = 0; p < pieces; p++)
            if (waits[p] == 0 && (best == NONE || members[p][0] < members[best][0])) best = p;
        waits[best] = NONE;
        sequence[n] = best;
        for (size_t m = 0; m < sizes[best]; m++)
            for (size_t e = 0; e < o->g->nodes[members[best][m]].next_count; e++) {
                const size_t to = o->g->nodes[members[best][m]].next[e];
                if (o->in_part[to] && o->piece[to] != best) waits[o->piece[to]]--;
            }
    }
    for (size_t k = 0; k < count; k++) o->in_part[part[k]] = false; // the inner parts use the marks
    for (size_t n = 0; n < pieces; n++) {
        const size_t p = sequence[n], head = entered[p] == NONE ? members[p][0] : entered[p];
        place_piece(o, members[p], sizes[p], head, arena);
    }
}

static struct ptx_operand moved_label(const struct ptx_operand *o, const size_t *moved, struct arena *arena)
{
    struct ptx_operand copy = *o;
    if (o->label >= 0) copy.label = (int)moved[o->label];
    if (!o->count) return copy;
    copy.items = arena_alloc(arena, (size_t)o->count * sizeof *copy.items);
    for (int k = 0; k < o->count; k++) copy.items[k] = moved_label(&o->items[k], moved, arena);
    return copy;
}

static void rewrite(struct ptx_func *f, const struct graph *g, const size_t *sequence, struct arena *arena)
{
    struct ptx_inst *insts = arena_alloc(arena, (f->inst_count + g->count + 1) * sizeof *insts);
    size_t *moved = arena_alloc(arena, (f->inst_count + 1) * sizeof *moved), count = 0;
    for (size_t n = 0; n + 1 < g->count; n++) {
        const struct graph_node *node = &g->nodes[sequence[n]];
        for (size_t i = node->from; i < node->to; i++) {
            moved[i] = count;
            insts[count++] = f->insts[i];
        }
        if (!node->falls || (n + 2 < g->count ? sequence[n + 1] : g->count - 1) == sequence[n] + 1) continue;
        struct ptx_operand *to = arena_alloc(arena, PTX_LEAST_OPERANDS * sizeof *to); // its next block is now elsewhere
        for (int k = 1; k < PTX_LEAST_OPERANDS; k++)
            to[k] = (struct ptx_operand){.kind = PTX_SINK, .reg = -1, .label = -1};
        to[0] =
            (struct ptx_operand){.kind = PTX_NAME, .reg = -1, .name = "", .label = (int)g->nodes[sequence[n] + 1].from};
        insts[count] = (struct ptx_inst){.op = ops_of(f->ops, arena, "bra.uni", 7),
            .guard = -1,
            .line = insts[count - 1].line,
            .operands = to,
            .count = 1};
        count++;
    }
    moved[f->inst_count] = count;
    for (size_t i = 0; i < count; i++) {
        insts[i].leads = false;
        if (!graph_jumps(&insts[i])) continue;
        const int kept = insts[i].count < PTX_LEAST_OPERANDS ? PTX_LEAST_OPERANDS : insts[i].count;
        struct ptx_operand *operands = arena_alloc(arena, (size_t)kept * sizeof *operands);
        for (int k = 0; k < kept; k++) operands[k] = moved_label(&insts[i].operands[k], moved, arena);
        insts[i].operands = operands;
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; graph_jumps(&insts[i]) && k < insts[i].count; k++) {
            const struct ptx_operand *o = &insts[i].operands[k];
            if (o->label >= 0 && (size_t)o->label < count) insts[o->label].leads = true;
            for (int t = 0; t < o->count; t++)
                if (o->items[t].label >= 0 && (size_t)o->items[t].label < count) insts[o->items[t].label].leads = true;
        }
    f->insts = insts;
    f->inst_count = count;
}

void order_blocks(struct ptx_func *f, struct arena *keep)
{
    struct arena *scratch = arena_new();
    struct graph g;
    if (f->inst_count && graph_build(&g, scratch, f)) {
        const size_t bytes = g.count * sizeof(size_t);
        struct order o = {.g = &g,
            .piece = arena_alloc(scratch, bytes),
            .low = arena_alloc(scratch, bytes),
            .number = arena_alloc(scratch, bytes),
            .stack = arena_alloc(scratch, bytes),
            .on_stack = arena_alloc(scratch, g.count),
            .in_part = arena_alloc(scratch, g.count),
            .result = arena_alloc(scratch, bytes)};
        size_t *all = arena_alloc(scratch, bytes);
        for (size_t k = 0; k + 1 < g.count; k++) all[k] = k;
        place_part(&o, all, g.count - 1, scratch);
        bool same = true;
        for (size_t k = 0; k + 1 < g.count; k++) same &= o.result[k] == k;
        if (!same && o.result[0] == 0) rewrite(f, &g, o.result, keep);
    }
    arena_free(scratch);
}
