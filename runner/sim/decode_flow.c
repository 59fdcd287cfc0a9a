// Control flow, and instructions that do nothing here. Jump targets are kept as positions in the code until decode.c
// has all of it.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

// Whether the current branch ends a loop that the compiler may unroll, with loads or stores in it: nothing jumps into
// it or waits in it.
static bool plain_loop(const struct decode *d, size_t from)
{
    bool accesses = false;
    for (size_t k = from; k < d->index; k++) {
        const struct ptx_inst *in = &d->plan->f->insts[k];
        const char *op = in->op;
        const bool load =
            strncmp(op, "ld.", 3) == 0 && strncmp(op, "ld.param", 8) != 0 && strncmp(op, "ld.const", 8) != 0;
        accesses |= load || strncmp(op, "st.", 3) == 0;
        if ((k > from && in->leads) || strncmp(op, "bra", 3) == 0 || strncmp(op, "bar", 3) == 0 ||
            strncmp(op, "call", 4) == 0 || strstr(op, ".volatile"))
            return false;
    }
    return accesses && from < d->index;
}

static bool branch(struct decode *d)
{
    if (d->in->count != 1 || d->in->operands[0].label < 0) return decode_unsupported(d);
    struct inst *i = decode_emit(d, decode_find(d, "bra"));
    i->offset = d->in->operands[0].label;
    i->vector = plain_loop(d, (size_t)d->in->operands[0].label);
    return true;
}

static bool branch_indexed(struct decode *d)
{
    if (d->in->count != 2 || !d->in->operands[1].count) return decode_unsupported(d);
    const uint32_t index = decode_source(d, &d->in->operands[0], 'w');
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "brx.idx"));
    i->r[0] = index;
    i->site = (uint32_t)d->in->operands[1].count;
    const struct inst **targets = arena_alloc(d->arena, i->site * sizeof *targets);
    for (uint32_t k = 0; k < i->site; k++) {
        const int label = d->in->operands[1].items[k].label;
        if (label < 0) return decode_unsupported(d);
        targets[k] = (const struct inst *)(uintptr_t)label;
    }
    i->targets = targets;
    return true;
}

static bool frame_move(struct decode *d, const struct ptx_operand *o, struct move *m)
{
    if (o->kind != PTX_NAME || !o->var || o->var->space != PTX_PARAM) return decode_unsupported(d);
    *m = (struct move){decode_place(d, o->var), 0, (uint32_t)o->var->size};
    return !d->failed;
}

static struct decode_plan *plan_of(struct decode *d, const char *name)
{
    for (struct decode_plan *p = d->plans; p; p = p->next)
        if (is(p->f->name, name)) return p;
    return NULL;
}

// Arguments and results as moves between the caller's and the callee's frames; the run moves them at the call and the
// return.
static bool frame_moves(struct decode *d, const struct ptx_operand *list, const struct ptx_var *formal, bool back,
    struct move **moves, int *count)
{
    *count = list ? list->count : 0;
    *moves = arena_alloc(d->arena, (size_t)*count * sizeof **moves);
    for (int k = 0; k < *count; k++) {
        struct move *m = &(*moves)[k];
        if (!frame_move(d, &list->items[k], m)) return false;
        if (!formal) continue;
        const uint32_t own = decode_place(d, formal);
        if (formal->size < m->size) m->size = (uint32_t)formal->size;
        if (back) m->to = m->from, m->from = own;
        else m->to = own;
        formal = formal->next;
    }
    return true;
}

static bool call(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands, *results = NULL, *args = NULL;
    int at = 0;
    if (at < d->in->count && o[at].kind == PTX_VECTOR) results = &o[at++];
    const struct ptx_operand *callee = at < d->in->count ? &o[at++] : NULL;
    if (at < d->in->count && o[at].kind == PTX_VECTOR) args = &o[at++];
    if (callee && callee->kind == PTX_REGISTER) {
        decode_emit(d, decode_find(d, "call.indirect"));
        return true;
    }
    if (!callee || callee->kind != PTX_NAME) return decode_unsupported(d);
    const struct decode_plan *p = plan_of(d, callee->name);
    const struct op *special = p ? NULL : decode_find(d, callee->name);
    if (!p && !special) return decode_fail(d, callee->name);
    if (p && p->f->odd_params) return decode_unsupported(d);
    struct call *c = arena_alloc(d->arena, sizeof *c);
    if (!frame_moves(d, args, p ? p->f->params : NULL, false, &c->args, &c->arg_count)) return false;
    if (!frame_moves(d, results, p ? p->f->results : NULL, true, &c->results, &c->result_count)) return false;
    if (special)
        for (int k = 0; k < c->result_count; k++) c->results[k].to = c->results[k].from;
    struct inst *i = decode_emit(d, special ? special : decode_find(d, "call"));
    i->call = c;
    if (p) {
        c->return_slot = p->return_slot;
        i->offset = p->at[0]; // functions are decoded before their callers
    }
    return true;
}

static bool leave(struct decode *d, bool exits)
{
    if (exits || d->plan->f->entry) decode_emit(d, decode_find(d, "exit"));
    else decode_emit(d, decode_find(d, "ret"))->r[0] = d->plan->return_slot;
    return true;
}

bool decode_flow(struct decode *d, bool *mine)
{
    static const char *const nothing[] = {"prefetch", "prefetchu", "discard", "applypriority", "nanosleep", "pmevent",
        "brkpt", "griddepcontrol", "setmaxnreg", NULL};
    const char *root = d->mods[0];
    *mine = true;
    if (is(root, "bra")) return branch(d);
    if (is(root, "brx")) return branch_indexed(d);
    if (is(root, "call")) return call(d);
    if (is(root, "ret")) return leave(d, false);
    if (is(root, "exit")) return leave(d, true);
    if (is(root, "membar") || is(root, "fence")) return decode_emit(d, decode_find(d, "fence")) != NULL;
    if (is(root, "trap")) return decode_emit(d, decode_find(d, "trap")) != NULL;
    for (int k = 0; nothing[k]; k++)
        if (is(root, nothing[k])) return true;
    *mine = false;
    return true;
}
