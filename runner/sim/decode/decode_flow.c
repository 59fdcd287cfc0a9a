// Control flow, and instructions that do nothing here. Jump targets are kept as positions in the code until decode.c
// has all of it.
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/arena.h"
#include "sim/decode/decode.h"

// Calls: by name and through pointers. A caller that its callee may come back to puts its registers aside; its local
// variables move up with each such call.

static bool is_call(const struct ptx_inst *in) { return in->op->code == OPS_CALL; }

// What a call calls: a name, or a register.
static const struct ptx_operand *callee_of(const struct ptx_inst *in)
{
    const int at = in->count && in->operands[0].kind == PTX_VECTOR ? 1 : 0;
    return is_call(in) && at < in->count ? &in->operands[at] : NULL;
}

// Whether the functions' addresses are taken, or a call of `from` may come to `to`.
static bool decode_is_taken(const struct decode *d, const struct ptx_func *f)
{
    if (!f->defined || f->entry) return false;
    for (const struct ptx_var *v = d->module->ptx->vars; v; v = v->next)
        for (size_t i = 0; i < v->init_count; i++)
            if (v->inits[i].symbol && strcmp(v->inits[i].symbol, f->name) == 0) return true;
    for (const struct ptx_func *in = d->module->ptx->funcs; in; in = in->next)
        for (size_t i = 0; i < in->inst_count; i++)
            for (int k = 1; !is_call(&in->insts[i]) && k < in->insts[i].count; k++) {
                const struct ptx_operand *o = &in->insts[i].operands[k];
                if (o->kind == PTX_NAME && o->name && strcmp(o->name, f->name) == 0) return true;
            }
    return false;
}

bool decode_may_call(const struct decode *d, const struct ptx_inst *in, const struct ptx_func *callee)
{
    const struct ptx_operand *o = callee_of(in);
    if (!o || !callee->defined) return false;
    if (o->kind == PTX_REGISTER) return decode_is_taken(d, callee);
    return o->kind == PTX_NAME && strcmp(o->name, callee->name) == 0;
}

static bool calls(const struct decode *d, const struct ptx_func *from, const struct ptx_func *to)
{
    for (size_t i = 0; i < from->inst_count; i++)
        if (decode_may_call(d, &from->insts[i], to)) return true;
    return false;
}

static bool reaches(const struct decode *d, const struct ptx_func *from, const struct ptx_func *to, uint8_t *seen)
{
    if (calls(d, from, to)) return true;
    size_t k = 0;
    for (const struct decode_plan *p = d->plans; p; p = p->next, k++) {
        if (seen[k] || !calls(d, from, p->f)) continue;
        seen[k] = 1;
        if (reaches(d, p->f, to, seen)) return true;
    }
    return false;
}

bool decode_reaches(const struct decode *d, const struct ptx_func *from, const struct ptx_func *to)
{
    size_t count = 0;
    for (const struct decode_plan *p = d->plans; p; p = p->next) count++;
    return reaches(d, from, to, arena_alloc(d->arena, count + 1));
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
        if (strcmp(p->f->name, name) == 0) return p;
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

static void add_targets(struct decode *d, struct call *c)
{
    size_t count = 0;
    for (const struct decode_plan *p = d->plans; p; p = p->next) count++;
    struct call_target *targets = arena_alloc(d->arena, count * sizeof *targets);
    for (struct decode_plan *p = d->plans; p; p = p->next) {
        if (!decode_is_taken(d, p->f) || p->f->odd_params) continue;
        struct call_target *t = &targets[c->target_count++];
        *t = (struct call_target){.address = decode_function_address(d->module->ptx, p->f->name),
            .start = p->at,
            .return_slot = p->return_slot};
        for (const struct ptx_var *v = p->f->params; v; v = v->next) t->formal_count++;
        t->formals = arena_alloc(d->arena, (size_t)t->formal_count * sizeof *t->formals);
        int k = 0;
        for (const struct ptx_var *v = p->f->params; v; v = v->next)
            t->formals[k++] = (struct move){0, decode_place(d, v), (uint32_t)v->size};
    }
    c->targets = targets;
}

// Where the callee may come back to the caller, what the caller has is kept.
static void set_aside(struct decode *d, struct call *c)
{
    c->saved = &d->plan->saved;
    if (!d->depth_slot) d->depth_slot = decode_slot(d, 'w');
    c->depth_slot = d->depth_slot;
    d->recurs = true;
}

static bool by_pointer(struct decode *d, const struct ptx_operand *callee, const struct ptx_operand *results,
    const struct ptx_operand *args)
{
    struct call *c = arena_alloc(d->arena, sizeof *c);
    const uint32_t address = decode_source(d, callee, 'l');
    if (!frame_moves(d, args, NULL, false, &c->args, &c->arg_count) ||
        !frame_moves(d, results, NULL, true, &c->results, &c->result_count))
        return false;
    for (int k = 0; k < c->result_count; k++) c->results[k].to = c->results[k].from;
    add_targets(d, c);
    if (d->plan->recursive) set_aside(d, c);
    struct inst *i = decode_emit(d, decode_find(d, "call.indirect"));
    i->call = c;
    i->r[0] = address;
    return !d->failed;
}

// What a launch or a graph from the device calls: without these it means nothing.
static bool of_runtime(const char *name)
{
    static const char *const starts[] = {"cudaGet", "cudaLaunch", "cudaGraph", "cudaDevice", "cudaStream", "cudaEvent",
        "cudaMem", "cudaFunc", "cudaOccupancy", "cudaFree", "cudaMalloc", "__cudaCDP", NULL};
    for (int k = 0; starts[k]; k++)
        if (strncmp(name, starts[k], strlen(starts[k])) == 0) return true;
    return false;
}

// What the system has ready for kernels; NULL: it is none of that. (Other operations have names too.)
static const struct op *of_system(struct decode *d, const char *name)
{
    static const char *const ready[] = {"malloc", "free", "vprintf", "__assertfail", NULL};
    for (int k = 0; ready[k]; k++)
        if (strcmp(name, ready[k]) == 0) return decode_find(d, name);
    return NULL;
}

// A function that is only declared: whoever calls it is at fault, the others may run.
static bool call_nowhere(struct decode *d, const char *name)
{
    struct call *c = arena_alloc(d->arena, sizeof *c);
    struct inst *i = decode_emit(d, decode_find(d, "call.nowhere"));
    c->missing = name;
    i->call = c;
    return true;
}

static bool decode_call(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands, *results = NULL, *args = NULL;
    int at = 0;
    if (at < d->in->count && o[at].kind == PTX_VECTOR) results = &o[at++];
    const struct ptx_operand *callee = at < d->in->count ? &o[at++] : NULL;
    if (at < d->in->count && o[at].kind == PTX_VECTOR) args = &o[at++];
    if (callee && callee->kind == PTX_REGISTER) return by_pointer(d, callee, results, args);
    if (!callee || callee->kind != PTX_NAME) return decode_unsupported(d);
    const struct decode_plan *p = plan_of(d, callee->name);
    const struct op *special = p ? NULL : of_system(d, callee->name);
    if (!p && !special) return of_runtime(callee->name) ? decode_fail(d, callee->name) : call_nowhere(d, callee->name);
    if (p && p->f->entry) return decode_fail(d, "a call of an entry, which only a launch may start");
    if (p && p->f->odd_params) return decode_unsupported(d);
    struct call *c = arena_alloc(d->arena, sizeof *c);
    if (!frame_moves(d, args, p ? p->f->params : NULL, false, &c->args, &c->arg_count)) return false;
    if (!frame_moves(d, results, p ? p->f->results : NULL, true, &c->results, &c->result_count)) return false;
    if (special)
        for (int k = 0; k < c->result_count; k++) c->results[k].to = c->results[k].from;
    if (p && d->plan->recursive && decode_reaches(d, p->f, d->plan->f)) set_aside(d, c);
    struct inst *i = decode_emit(d, special ? special : decode_find(d, "call"));
    i->call = c;
    d->takes_memory |= special && (strcmp(callee->name, "malloc") == 0 || strcmp(callee->name, "free") == 0);
    if (p) c->return_slot = p->return_slot, c->start = p->at;
    return true;
}

bool decode_leave(struct decode *d, bool exits)
{
    if (exits || d->plan->f->entry) {
        decode_emit(d, decode_find(d, "exit"));
        return true;
    }
    const uint32_t result = d->plan->f->results ? decode_place(d, d->plan->f->results) : 0;
    struct inst *i = decode_emit(d, decode_find(d, "ret"));
    i->r[0] = d->plan->return_slot;
    i->r[1] = result;
    return true;
}

void decode_save(struct decode *d, struct decode_plan *p)
{
    if (!p->recursive) return;
    p->saved.slots = arena_alloc(d->arena, (p->f->reg_count + 1) * sizeof *p->saved.slots);
    p->saved.slots[0].slot = p->return_slot, p->saved.slots[0].size = 4;
    p->saved.count = 1;
    for (size_t r = 0; r < p->f->reg_count; r++) {
        const uint8_t size = p->f->regs[r].size;
        if (!p->slots[r]) continue;
        p->saved.slots[p->saved.count].slot = p->slots[r];
        p->saved.slots[p->saved.count++].size = size == 0 ? 0 : size <= 4 ? 4 : 8;
    }
    p->saved.bytes = 8 * p->saved.count;
}

void decode_tie_targets(const struct call *c, const struct inst *code)
{
    for (size_t k = 0; k < c->target_count; k++) {
        struct call_target *t = (struct call_target *)(uintptr_t)&c->targets[k];
        t->entry = code + *t->start;
    }
}

static bool branch(struct decode *d)
{
    if (d->in->count != 1 || d->in->operands[0].label < 0) return decode_unsupported(d);
    struct inst *i = decode_emit(d, decode_find(d, "bra"));
    i->offset = d->in->operands[0].label;
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

// alloca.u64 d, bytes{, alignment}; stacksave and stackrestore keep how much is taken. In a function that is called it
// would have to be given back at its end.
static bool stack(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const bool takes = d->op->code == OPS_ALLOCA, saves = d->op->code == OPS_STACKSAVE;
    if (!d->plan->f->entry || d->in->count < (takes ? 2 : 1) || (takes && d->in->count > 2 && o[2].kind != PTX_NUMBER))
        return decode_unsupported(d);
    if (!d->alloca_slot) d->alloca_slot = decode_slot(d, 'w');
    if (!takes && !saves) {
        const uint32_t from = decode_source(d, &o[0], 'w');
        if (!d->failed) decode_put(d, "mov.b32", d->alloca_slot, from, 0, 0);
        return !d->failed;
    }
    const uint32_t bytes = takes ? decode_source(d, &o[1], 'l') : 0, to = decode_result(d, &o[0], 'l', false);
    if (d->failed) return false;
    if (saves) decode_put(d, "stacksave", to, d->alloca_slot, 0, 0);
    else
        decode_put(d, "alloca", to, bytes, d->alloca_slot, 0)->offset =
            d->in->count > 2 && o[2].bits ? (int64_t)o[2].bits : 8;
    decode_finish_results(d);
    return !d->failed;
}

// createpolicy: where lines stay in L2 is not modelled, so that any value will do.
static bool policy(struct decode *d)
{
    if (d->in->count < 1) return decode_unsupported(d);
    const uint32_t to = decode_result(d, &d->in->operands[0], 'l', false);
    if (!d->failed) decode_put(d, "mov.b64", to, decode_constant(d, 'l', 0), 0, 0);
    decode_finish_results(d);
    return !d->failed;
}

// turns.CMP.TYPE: sim/compiler/unroll.c wrote it.
static bool turns(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const enum ops_word compare = (enum ops_word)d->op->part[1];
    if (d->in->count != 5 || d->op->count != 3) return decode_unsupported(d);
    const bool is_long = ops_bytes((enum ops_word)d->op->type) == 8;
    const char lane = is_long ? 'l' : 'w';
    const uint32_t counter = decode_source(d, &o[1], lane), bound = decode_source(d, &o[2], lane),
                   to = decode_result(d, &o[0], 'p', false);
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "turns"));
    i->r[0] = to, i->r[1] = counter, i->r[2] = bound;
    i->offset = (int64_t)o[3].bits;
    i->site = (uint32_t)o[4].bits;
    i->wide = is_long;
    i->elem = d->op->type == WORD_S32 || d->op->type == WORD_S64;
    i->vector = (uint8_t)(compare == WORD_LE ? 'l' : compare == WORD_GE ? 'g' : compare == WORD_NE ? 'n' : 0);
    return true;
}

static bool fence(struct decode *d)
{
    struct inst *i = decode_emit(d, decode_find(d, "fence"));
    i->offset = ops_has(d->op, WORD_PROXY); // also between the proxies
    i->vector = !ops_has(d->op, WORD_CTA) && !ops_has(d->op, WORD_PROXY);
    return true;
}

bool decode_flow(struct decode *d)
{
    switch (d->op->code) {
    case OPS_BRA: return branch(d);
    case OPS_BRX: return branch_indexed(d);
    case OPS_TURNS: return turns(d);
    case OPS_CALL: return decode_call(d);
    case OPS_RET: return decode_leave(d, false);
    case OPS_EXIT: return decode_leave(d, true);
    case OPS_MEMBAR:
    case OPS_FENCE: return fence(d);
    case OPS_TRAP: return decode_emit(d, decode_find(d, "trap")) != NULL;
    case OPS_ALLOCA:
    case OPS_STACKSAVE:
    case OPS_STACKRESTORE: return stack(d);
    case OPS_CREATEPOLICY: return policy(d);
    default: return true; // hints, and waits for what is not modelled
    }
}
