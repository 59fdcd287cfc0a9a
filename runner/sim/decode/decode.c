// Makes a kernel from an entry and the functions it calls: finds them, decodes each, callees first, and sets the jumps.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sim/compiler/passes.h"
#include "sim/ops/heap.h"
#include "sim/ops/tables.h"

// Work that is not needed in every block: a register that is written in one place, from nothing but parameters,
// constants, thread indices and other such registers, has the same value in every block that a warp runs. It is
// computed once before the first one; a copy of a special register is not computed at all. Counts do not change,
// because no memory is touched.

static bool is_pure(const struct ptx_op *op) { return op->class == CLASS_PURE && !ops_has(op, WORD_CC); }

static bool fixed_source(const struct decode *d, const struct ptx_operand *o)
{
    if (o->reg >= 0 && !d->plan->fixed[o->reg]) return false;
    if (o->origin & (ORIGIN_BLOCK | ORIGIN_CLUSTER | ORIGIN_TIME | ORIGIN_SYSTEM)) return false; // from block to block
    for (int k = 0; k < o->count; k++)
        if (!fixed_source(d, &o->items[k])) return false;
    return true;
}

// The results: registers written nowhere else.
static bool only_writer(const struct decode *d, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return d->plan->facts.writes[o->reg] == 1;
    for (int k = 0; k < o->count; k++)
        if (!only_writer(d, &o->items[k])) return false;
    return o->kind == PTX_VECTOR || o->kind == PTX_PAIR || o->kind == PTX_SINK;
}

static void mark(const struct decode *d, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) d->plan->fixed[o->reg] = 1;
    for (int k = 0; k < o->count; k++) mark(d, &o->items[k]);
}

// Whether the current instruction has the same result in every block of a launch: then it may run once before all.
static bool decode_is_fixed(const struct decode *d)
{
    const struct ptx_inst *in = d->in;
    if (!d->plan->f->entry || in->guard >= 0 || in->count < 2 || in->odd || !only_writer(d, &in->operands[0]))
        return false;
    const struct ptx_operand *from = &in->operands[1];
    const bool parameter = in->op->class == CLASS_LOAD && in->op->space == PTX_PARAM && from->kind == PTX_ADDRESS &&
        from->reg < 0 && from->var && decode_is_entry_param(d, from->var);
    if (!parameter && !is_pure(in->op)) return false;
    for (int k = 1; k < in->count; k++)
        if (!fixed_source(d, &in->operands[k])) return false;
    mark(d, &in->operands[0]);
    return true;
}

// If the current instruction only copies a preset slot, makes its register another name of that slot.
static bool decode_is_alias(struct decode *d)
{
    const struct ptx_inst *in = d->in;
    if (!d->plan->f->entry || in->guard >= 0 || in->count != 2 || in->op->code != OPS_MOV ||
        in->operands[0].kind != PTX_REGISTER || in->operands[1].kind != PTX_NAME ||
        d->plan->facts.writes[in->operands[0].reg] != 1 || d->plan->slots[in->operands[0].reg])
        return false;
    const char lane = decode_lane(d, &in->operands[0]);
    if (!(in->operands[1].origin & (ORIGIN_THREAD | ORIGIN_BLOCK | ORIGIN_LAUNCH))) return false;
    if (lane != 'w' && lane != 'l') return false;
    d->plan->slots[in->operands[0].reg] = decode_source(d, &in->operands[1], lane);
    return !d->failed;
}

bool decode_fail(struct decode *d, const char *what)
{
    if (!d->failed) snprintf(d->error, 256, "unsupported: %s", what);
    d->failed = true;
    return false;
}

// The name of an instruction for messages: its first two parts at most, without the type.
bool decode_unsupported(struct decode *d)
{
    char name[72];
    if (d->op->count > 1 && (!d->op->part[1] || d->op->part[1] > WORD_LAST_TYPE))
        snprintf(name, sizeof name, "%.31s.%.31s", ops_written(d->op, 0), ops_written(d->op, 1));
    else snprintf(name, sizeof name, "%.31s", ops_written(d->op, 0));
    return decode_fail(d, name);
}

const struct op *decode_find(const struct decode *d, const char *name)
{
    return variant_op(d->module->sim->exec, name);
}

struct inst *decode_emit(struct decode *d, const struct op *op)
{
    mem_grow(&d->insts, &d->room, d->count + 1, sizeof *d->insts);
    struct inst *i = &d->insts[d->count++];
    *i = (struct inst){.run = op->run};
    if (!d->in) return i;
    i->line = d->in->line;
    if (d->in->guard >= 0) {
        uint32_t *slot = &d->plan->slots[d->in->guard];
        if (!*slot) *slot = decode_slot(d, 'p');
        i->guard = *slot | d->in->guard_not;
    }
    return i;
}

struct inst *decode_put(struct decode *d, const char *name, uint32_t to, uint32_t a, uint32_t b, uint32_t c)
{
    struct inst *i = decode_emit(d, decode_find(d, name));
    i->r[0] = to, i->r[1] = a, i->r[2] = b, i->r[3] = c;
    return i;
}

const char *decode_type(const struct decode *d) { return d->op->count > 1 ? ops_written(d->op, d->op->count - 1) : ""; }

static bool decode_one(struct decode *d)
{
    memset(d->temp_count, 0, sizeof d->temp_count);
    d->late_count = 0;
    if (!d->op->count) return decode_fail(d, "an instruction without a name");
    if (d->in->odd) return decode_unsupported(d);
    switch ((enum ops_class)d->op->class) {
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_ATOMIC:
    case CLASS_REDUCE:
    case CLASS_ASYNC:
    case CLASS_COPY:
    case CLASS_SYSTEM: return decode_memory(d);
    case CLASS_MBARRIER: return decode_mbarrier(d);
    case CLASS_TENSORMAP: return decode_tensormap(d);
    case CLASS_TEXTURE:
    case CLASS_SURFACE:
    case CLASS_QUERY: return decode_texture(d);
    case CLASS_JUMP:
    case CLASS_CALL:
    case CLASS_TRAP:
    case CLASS_FENCE:
    case CLASS_WAIT:
    case CLASS_STACK:
    case CLASS_HINT:
    case CLASS_POLICY: return decode_flow(d);
    case CLASS_BARRIER:
    case CLASS_WARP: return decode_warp(d);
    case CLASS_PRODUCT:
    case CLASS_TILE_LOAD:
    case CLASS_TILE_STORE:
    case CLASS_MATRIX_LOAD:
    case CLASS_MATRIX_STORE: return decode_matrix(d);
    case CLASS_GROUP: return decode_group(d);
    case CLASS_OTHER:
    case CLASS_PURE:
    case CLASS_CARRY:
    case CLASS_BLOCK: break;
    }
    return decode_arithmetic(d);
}

static bool ends_block(const struct ptx_inst *in) { return in->op->class & (CLASS_JUMP | CLASS_CALL); }

static bool leads_at(const struct ptx_func *f, size_t index)
{
    return index == 0 || index == f->inst_count || f->insts[index].leads || ends_block(&f->insts[index - 1]);
}

// The pace of each stretch of code, for the head that will stand before it.
static void plan_paces(struct decode *d, struct decode_plan *p)
{
    const struct ptx_func *f = p->f;
    pace_find(&p->pace, f, d->result_count, d->arena);
    d->result_count = p->pace.last;
    p->pace_at = arena_alloc(d->arena, (f->inst_count + 1) * sizeof *p->pace_at);
    for (size_t from = 0, to; from < f->inst_count; from = to) {
        for (to = from + 1; to < f->inst_count && !leads_at(f, to);) to++;
        if (!d->pace_count) d->pace_count = 1;
        mem_grow(&d->paces, &d->pace_room, d->pace_count + 1, sizeof *d->paces);
        p->pace_at[from] = (uint32_t)d->pace_count;
        pace_of(&p->pace, f, from, to, &d->paces[d->pace_count++], d->arena);
    }
}

// A head before every instruction that can be jumped to, with the number of PTX instructions up to the next one.
static void emit_head(struct decode *d, size_t index, size_t *last)
{
    const bool leads = leads_at(d->plan->f, index);
    if (*last < d->count && leads) {
        struct inst *before = &d->insts[*last];
        before->site = (uint32_t)(index - (size_t)before->offset);
        for (size_t k = (size_t)before->offset; k < index; k++) {
            const struct ptx_inst *in = &d->plan->f->insts[k];
            before->r[0] += ops_turns(in->op);
            before->work = work_add(before->work, in->op, in->line, d->arena);
        }
    }
    d->plan->at[index] = (uint32_t)d->count;
    if (!leads) return;
    *last = d->count;
    const struct ptx_inst *in = d->in;
    d->in = NULL; // a head has no guard
    struct inst *head = decode_emit(d, decode_find(d, "head"));
    head->offset = (int64_t)index;
    head->r[1] = d->plan->pace_at[index];
    head->line = in ? in->line : 0;
    d->in = in;
}

// Jumps were decoded with PTX positions; now that the function is whole they become positions in the code, which
// tie_kernel makes into addresses.
static void tie_function(struct decode *d, size_t from)
{
    HANDLER((*const branch)) = decode_find(d, "bra")->run;
    HANDLER((*const indexed)) = decode_find(d, "brx.idx")->run;
    for (size_t k = from; k < d->count; k++) {
        struct inst *i = &d->insts[k];
        if (i->run == branch) i->offset = d->plan->at[i->offset];
        if (i->run != indexed) continue;
        const struct inst **targets = (const struct inst **)(uintptr_t)i->targets;
        for (uint32_t n = 0; n < i->site; n++)
            targets[n] = (const struct inst *)(uintptr_t)d->plan->at[(uintptr_t)targets[n]];
    }
}

// Moves what was emitted from `first` on to the instructions that run once.
static void set_aside(struct decode *d, size_t first)
{
    const size_t n = d->count - first;
    mem_grow(&d->once, &d->once_room, d->once_count + n + 1, sizeof *d->once);
    memcpy(d->once + d->once_count, d->insts + first, n * sizeof *d->once);
    d->once_count += n;
    d->count = first;
}

// An address is mostly a product and a sum. Where nothing else reads the product, one step does both, as in machine
// code.
static void join_product(struct decode *d, size_t first)
{
    const struct ptx_inst *in = d->in;
    if (in->op->code != OPS_ADD || !d->index || in[-1].op->code != OPS_MUL || d->count != first + 1 || !first) return;
    struct inst *add = &d->insts[first], *product = add - 1;
    const bool is_signed = product->run == decode_find(d, "mul.wide.s32")->run;
    if (!is_signed && product->run != decode_find(d, "mul.wide.u32")->run) return;
    if (add->run != decode_find(d, "add.u64")->run || add->guard || product->guard) return;
    for (int k = 1; k <= 2; k++) {
        const int reg = in->operands[k].reg;
        if (add->r[k] != product->r[0] || reg < 0 || d->plan->facts.reads[reg] != 1) continue;
        product->run = decode_find(d, is_signed ? "mad.wide.s32" : "mad.wide.u32")->run;
        product->r[0] = add->r[0], product->r[3] = add->r[3 - k];
        d->count--;
        return;
    }
}

static bool decode_function(struct decode *d, struct decode_plan *p)
{
    const size_t from = d->count;
    size_t last = SIZE_MAX;
    d->plan = p;
    if (p->f->reg_count > 1 << 20) return decode_fail(d, "so many registers");
    for (size_t k = 0; k < p->f->inst_count; k++) {
        d->in = &p->f->insts[k];
        d->op = d->in->op;
        d->index = k;
        emit_head(d, k, &last);
        if (d->plan->at[k] != d->count) d->touch++; // it can be come to from elsewhere
        if (!k && p->f->entry) decode_flight_begin(d);
        const size_t first = d->count;
        const bool fixed = decode_is_fixed(d);
        if (decode_is_alias(d)) continue;
        if (!decode_one(d) || d->failed) return false;
        if (fixed) set_aside(d, first);
        else join_product(d, first);
    }
    d->in = NULL;
    emit_head(d, p->f->inst_count, &last); // falling off the end returns
    decode_leave(d, false);
    decode_save(d, p);
    tie_function(d, from);
    return true;
}

static uint64_t place_for_facts(void *context, const struct ptx_var *v)
{
    struct decode *d = context;
    if (v->space == PTX_SHARED) return v->open ? ~(uint64_t)0 : decode_place(d, v);
    return v->space == PTX_LOCAL ? decode_place(d, v) : ~(uint64_t)0;
}

// The functions that `f` calls, before `f` itself, but for those that call it in turn.
static bool plan_function(struct decode *d, const struct ptx_func *f, int depth)
{
    for (struct decode_plan *p = d->plans; p; p = p->next)
        if (p->f == f) return true;
    struct decode_plan *p = arena_alloc(d->arena, sizeof *p);
    p->f = f;
    p->level = -1;
    p->next = d->plans;
    d->plans = p;
    if (depth > 200) return decode_fail(d, "so deep a chain of calls");
    for (size_t k = 0; k < f->inst_count; k++) {
        const struct ptx_inst *in = &f->insts[k];
        for (const struct ptx_func *callee = d->module->ptx->funcs; callee; callee = callee->next)
            if (decode_may_call(d, in, callee) && !plan_function(d, callee, depth + 1)) return false;
    }
    p->level = 0;
    for (struct decode_plan **at = &d->plans; *at;
         at = &(*at)->next) // finished: it goes to the end of the list, after all that it calls
        if (*at == p) {
            *at = p->next;
            break;
        }
    struct decode_plan **end = &d->plans;
    while (*end) end = &(*end)->next;
    p->next = NULL;
    *end = p;
    return true;
}

static bool plan_registers(struct decode *d)
{
    for (struct decode_plan *p = d->plans; p; p = p->next) {
        p->recursive = decode_reaches(d, p->f, p->f);
        d->recurs |= p->recursive;
        p->slots = arena_alloc(d->arena, (p->f->reg_count + 1) * sizeof *p->slots);
        p->fixed = arena_alloc(d->arena, p->f->reg_count + 1);
        p->at = arena_alloc(d->arena, (p->f->inst_count + 1) * sizeof *p->at);
        if (!p->f->entry) p->return_slot = decode_slot(d, 'w');
        facts_find(&p->facts, d->arena, p->f, place_for_facts, d);
        facts_find_uniform(&p->facts, d->arena, p->f);
        p->waits = work_waits(p->f, d->arena);
        plan_paces(d, p);
    }
    decode_flight_plan(d);
    return true;
}

// Each deeper call has its local variables beyond all that there are without it.
static void set_depth(const struct decode *d, struct call *c)
{
    c->depth_step = (d->local_bytes + 15) / 16 * 16;
    c->depth_most = CALL_DEPTH;
}

static void tie_kernel(struct decode *d, struct sim_kernel *k)
{
    struct inst *code = arena_copy(d->arena, d->insts, d->count * sizeof *code);
    HANDLER((*const branch)) = decode_find(d, "bra")->run;
    HANDLER((*const call)) = decode_find(d, "call")->run;
    HANDLER((*const pointer)) = decode_find(d, "call.indirect")->run;
    HANDLER((*const indexed)) = decode_find(d, "brx.idx")->run;
    for (size_t n = 0; n < d->count; n++) {
        struct inst *i = &code[n];
        if (i->run == branch) i->target = code + i->offset;
        if (i->run == call) ((struct call *)(uintptr_t)i->call)->entry = code + *i->call->start;
        if (i->run == pointer) decode_tie_targets(i->call, code);
        if ((i->run == call || i->run == pointer) && i->call->saved) set_depth(d, (struct call *)(uintptr_t)i->call);
        if (i->run == indexed) {
            const struct inst **targets = (const struct inst **)(uintptr_t)i->targets;
            for (uint32_t t = 0; t < i->site; t++) targets[t] = code + (uintptr_t)targets[t];
        }
    }
    if (!d->pace_count) mem_grow(&d->paces, &d->pace_room, 1, sizeof *d->paces);
    d->paces[0] = (struct head_pace){0};
    k->pace_count = d->pace_count;
    k->paces = arena_copy(d->arena, d->paces, (d->pace_count ? d->pace_count : 1) * sizeof *d->paces);
    k->result_count = d->result_count;
    for (const struct decode_plan *p = d->plans; p && !k->beyond_model; p = p->next) k->beyond_model = p->pace.beyond;
    k->code = code;
    k->code_count = d->count;
    k->site_insts = arena_alloc(d->arena, (d->site_count + 1) * sizeof *k->site_insts);
    for (size_t s = 0; s < d->site_count; s++) k->site_insts[s] = code + d->site_insts[s];
    k->site_count = d->site_count;
    k->polls = d->polls;
    k->tells = d->group_slot ? "products of warp groups" : d->tells;
    k->masks = d->masks;
    k->joint = d->joint || d->group_slot;
    k->asks_active = d->asks_active;
    k->calls = d->plans->next != NULL;
    k->recurs = d->recurs;
    k->depth_slot = d->depth_slot;
    k->alloca_slot = d->alloca_slot;
    k->takes_memory = d->takes_memory;
    k->changes_maps = d->changes_maps;
    k->meets = d->meets;
    k->tallies = arena_alloc(d->arena, (d->site_count + 1) * sizeof *k->tallies);
    k->once = arena_copy(d->arena, d->once, d->once_count * sizeof *k->once);
    k->once_count = d->once_count;
    k->presets = arena_copy(d->arena, d->presets, d->preset_count * sizeof *k->presets);
    k->preset_count = d->preset_count;
    for (size_t i = 0; i < d->preset_count; i++)
        k->meets_grid |= d->presets[i].special == SPECIAL_CLUSTER &&
            (d->presets[i].bits == CLUSTER_WORKSPACE_HIGH || d->presets[i].bits == CLUSTER_WORKSPACE_LOW);
}

static void size_kernel(struct decode *d, struct sim_kernel *k, const struct ptx_func *f)
{
    for (const struct ptx_var *v = f->params; v; v = v->next) k->param_bytes = (uint32_t)(v->offset + v->size);
    k->warp_bytes = (d->slots + 63) / 64 * 64;
    k->shared_bytes = d->shared_bytes;
    k->local_bytes = (d->local_bytes + 15) / 16 * 16;
    k->frame_bytes = (d->frame_bytes + 15) / 16 * 16;
    if (d->depth_slot && k->local_bytes) k->local_bytes += CALL_DEPTH;
    if (d->alloca_slot) k->local_bytes += HEAP_STACK;
    k->reserved_bytes = d->reserved_bytes;
    k->takes_dynamic = d->dynamic_align > 0;
    k->dynamic_align = d->dynamic_align ? d->dynamic_align : 16;
}

struct sim_kernel *decode_kernel(struct sim_module *module, const struct ptx_func *f, char error[256])
{
    struct decode d = {.module = module, .arena = arena_new(), .error = error};
    struct sim_kernel *k = arena_alloc(d.arena, sizeof *k);
    d.slots = (sizeof(struct warp) + 63) / 64 * 64;
    *k = (struct sim_kernel){.module = module, .name = f->name, .arena = d.arena};
    memcpy(k->cluster, f->cluster, sizeof k->cluster);
    bool good = plan_function(&d, f, 0) && plan_registers(&d) && !d.failed;
    for (struct decode_plan *p = d.plans; p && good; p = p->next) good = decode_function(&d, p);
    if (good) {
        k->start = d.plan->at[0];
        tie_kernel(&d, k);
        size_kernel(&d, k, f);
        k->depend = depend_find(f);
    }
    free(d.insts);
    free(d.once);
    free(d.presets);
    free(d.places);
    free(d.paces);
    free(d.site_insts);
    if (good) return k;
    arena_free(d.arena);
    return NULL;
}
