// Four passes over a function's instructions, none of which follows the control flow: all definitions of a register
// count.
// SPDX-License-Identifier: MIT
#include "sim/compiler/facts.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#define ANY 63 // zero: every power of two divides it

struct pass {
    struct facts *facts;
    const struct ptx_func *f;
    uint64_t (*place)(void *, const struct ptx_var *);
    void *context;
};

static void count_reads(uint32_t *reads, const struct ptx_operand *o)
{
    if (o->reg >= 0) reads[o->reg]++;
    for (int k = 0; k < o->count; k++) count_reads(reads, &o->items[k]);
}

static void count_writes(uint32_t *writes, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) writes[o->reg]++;
    for (int k = 0; k < o->count; k++) count_writes(writes, &o->items[k]);
}

static void find_reads(struct pass *p)
{
    for (size_t i = 0; i < p->f->inst_count; i++) {
        const struct ptx_inst *in = &p->f->insts[i];
        if (in->guard >= 0) p->facts->reads[in->guard]++;
        if (in->count && in->op->has_result) count_writes(p->facts->writes, &in->operands[0]);
        for (int k = 0; k < in->count; k++)
            if (k > 0 || in->operands[k].kind == PTX_ADDRESS || !in->op->has_result)
                count_reads(p->facts->reads, &in->operands[k]);
    }
}

static int twos_of_number(uint64_t n) { return n ? __builtin_ctzll(n) : ANY; }

static int twos_of(const struct pass *p, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return p->facts->twos[o->reg];
    if (o->kind == PTX_NUMBER) return o->float_size ? 0 : twos_of_number(o->bits);
    if (o->kind == PTX_NAME && o->var) {
        const uint64_t at = p->place(p->context, o->var);
        return at == ~(uint64_t)0 ? 0 : twos_of_number(at + (uint64_t)o->offset);
    }
    return 0;
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static int twos_of_result(const struct pass *p, const struct ptx_inst *in)
{
    const struct ptx_op *op = in->op;
    const int a = in->count > 1 ? twos_of(p, &in->operands[1]) : 0,
              b = in->count > 2 ? twos_of(p, &in->operands[2]) : 0,
              c = in->count > 3 ? twos_of(p, &in->operands[3]) : 0;
    const bool by_number = in->count > 2 && in->operands[2].kind == PTX_NUMBER;
    const uint64_t shift = by_number ? in->operands[2].bits : 0;
    if (ops_has_float(op) || ops_has(op, WORD_HI)) return 0;
    switch (op->code) {
    case OPS_MOV:
    case OPS_CVTA:
    case OPS_NEG:
    case OPS_ABS: return a;
    case OPS_CVT: return ops_has(op, WORD_SAT) ? 0 : a;
    case OPS_ADD:
    case OPS_SUB:
    case OPS_OR:
    case OPS_XOR:
    case OPS_MIN:
    case OPS_MAX:
    case OPS_SELP: return least(a, b);
    case OPS_AND: return most(a, b);
    case OPS_MUL: return least(a + b, ANY);
    case OPS_MAD: return least(least(a + b, ANY), c);
    case OPS_SHL: return shift < ANY ? least(a + (int)shift, ANY) : a;
    case OPS_SHR: return by_number && shift < ANY ? most(a - (int)shift, 0) : 0;
    default: return 0;
    }
}

static void lower(uint8_t *twos, const struct ptx_operand *o, int n, bool *changed)
{
    if (o->kind == PTX_REGISTER && n < twos[o->reg]) {
        twos[o->reg] = (uint8_t)n;
        *changed = true;
    }
    for (int k = 0; k < o->count; k++) lower(twos, &o->items[k], 0, changed);
}

static void find_twos(struct pass *p)
{
    memset(p->facts->twos, ANY, p->f->reg_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->f->inst_count; i++) {
            const struct ptx_inst *in = &p->f->insts[i];
            if (in->count && in->op->has_result)
                lower(p->facts->twos, &in->operands[0], twos_of_result(p, in), &changed);
        }
    }
}

// Of which variable an address is: not known yet (NULL), of none, of one, or of several.
static const struct ptx_var no_var, several_vars;

static const struct ptx_var *within(const struct facts *facts, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER) return facts->within[o->reg];
    return o->kind == PTX_NAME && o->var && o->var->space == PTX_SHARED ? o->var : &no_var;
}

static const struct ptx_var *sum_within(const struct ptx_var *a, const struct ptx_var *b)
{
    if (!a || !b) return NULL;
    return a == &no_var ? b : b == &no_var ? a : &several_vars;
}

static const struct ptx_var *either_within(const struct ptx_var *a, const struct ptx_var *b)
{
    return !a || a == b ? b : !b ? a : &several_vars;
}

static const struct ptx_var *result_within(const struct facts *facts, const struct ptx_inst *in)
{
    const struct ptx_var *v[3] = {&no_var, &no_var, &no_var};
    for (int k = 1; k < in->count && k <= 3; k++) v[k - 1] = within(facts, &in->operands[k]);
    const bool plain = in->op->class & CLASS_PURE && in->count <= 4;
    switch (plain ? in->op->code : OPS_LD) {
    case OPS_MOV:
    case OPS_CVT:
    case OPS_CVTA: return v[0];
    case OPS_ADD: return sum_within(v[0], v[1]);
    case OPS_SUB: return v[1] == &no_var ? v[0] : v[1] ? &several_vars : NULL;
    case OPS_MAD: return v[0] == &no_var && v[1] == &no_var ? v[2] : v[0] && v[1] ? &several_vars : NULL;
    case OPS_SELP: return either_within(v[0], v[1]);
    case OPS_LD: return &no_var; // nobody keeps addresses there, or they are anybody's
    default: return v[0] == &no_var && v[1] == &no_var && v[2] == &no_var ? &no_var : &several_vars;
    }
}

static void find_within(struct pass *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->f->inst_count; i++) {
            const struct ptx_inst *in = &p->f->insts[i];
            if (!in->count || !in->op->has_result || in->operands[0].kind != PTX_REGISTER) continue;
            const struct ptx_var **at = &p->facts->within[in->operands[0].reg],
                                 *now = either_within(*at, result_within(p->facts, in));
            changed |= now != *at;
            *at = now;
        }
    }
}

const struct ptx_var *facts_within(const struct facts *facts, const struct ptx_operand *o)
{
    const struct ptx_var *v = o->reg >= 0 ? facts->within[o->reg] : o->var;
    return v && v->size && v->space == PTX_SHARED && !v->open ? v : NULL;
}

// The accesses of the current basic block that may still be joined: one run for each base.
#define RUNS 16
#define RUN_WORDS 128
struct run {
    int reg; // the base register, or -1 with the variable
    const struct ptx_var *var;
    bool stores;
    size_t count;
    struct rules_word words[RUN_WORDS];
    size_t insts[RUN_WORDS];
};
struct runs {
    size_t count;
    struct run run[RUNS];
};

static void close_run(struct pass *p, struct run *r)
{
    rules_join(r->words, r->count, !r->stores);
    for (size_t k = 0; k < r->count; k++)
        if (r->words[k].width > r->words[k].bytes)
            p->facts->join[r->insts[k]] = (struct facts_join){
                (uint8_t)r->words[k].width, r->words[k].first, (int16_t)(r->words[k].from - r->words[k].offset)};
    r->count = 0;
}

enum { LOADS = 1, STORES = 2 };
static void close_runs(struct pass *p, struct runs *runs, int kinds, int base)
{
    size_t kept = 0;
    for (size_t k = 0; k < runs->count; k++) {
        struct run *r = &runs->run[k];
        if ((base < 0 || r->reg == base) && (kinds & (r->stores ? STORES : LOADS))) {
            close_run(p, r);
            continue;
        }
        if (kept != k) runs->run[kept] = *r;
        kept++;
    }
    runs->count = kept;
}

// A store to another base may hit the same place: what was stored before it stays before it.
static void close_others(struct pass *p, struct runs *runs, int base)
{
    for (size_t k = 0; k < runs->count; k++)
        if (runs->run[k].stores && runs->run[k].reg != base) close_run(p, &runs->run[k]);
}

static void add_word(struct pass *p, struct runs *runs, size_t inst, const struct ptx_operand *address, uint32_t bytes,
    bool stores)
{
    const struct ptx_var *var = address->reg < 0 ? address->var : NULL;
    if (address->reg < 0 && !var) return;
    const struct ptx_var *of = var && var->open ? var : NULL; // all others lie side by side, and are joined across
    struct run *r = NULL;
    for (size_t k = 0; k < runs->count; k++)
        if (runs->run[k].reg == address->reg && runs->run[k].var == of && runs->run[k].stores == stores)
            r = &runs->run[k];
    if (!r) {
        if (runs->count == RUNS) close_runs(p, runs, LOADS | STORES, -1);
        r = &runs->run[runs->count++];
        r->reg = address->reg, r->var = of, r->stores = stores, r->count = 0;
    }
    if (r->count == RUN_WORDS) close_run(p, r);
    const uint64_t at = var ? p->place(p->context, var) : 0; // a variable's words count from where shared memory begins
    const int twos = var ? ANY : p->facts->twos[address->reg];
    r->words[r->count] = (struct rules_word){
        .offset = address->offset + (int64_t)at, .base = twos == ANY ? 0 : (uint64_t)1 << twos, .bytes = bytes};
    r->insts[r->count++] = inst;
}

// Whether all of a vector's elements are needed, if it is one.
static bool is_whole(const struct pass *p, const struct ptx_inst *in)
{
    const struct ptx_operand *o = &in->operands[0];
    for (int k = 0; in->op->class == CLASS_LOAD && k < o->count; k++)
        if (o->items[k].kind != PTX_REGISTER || !p->facts->reads[o->items[k].reg]) return false;
    return true;
}

// How many bytes an access has that may be joined; 0: it stays alone. Pairs are as wide as both. Of what is narrower
// than a word only stores are joined, alone those of 16 bits, in pairs those of bytes.
static uint32_t joinable(const struct pass *p, const struct ptx_inst *in)
{
    const struct ptx_op *op = in->op;
    const bool stores = op->class == CLASS_STORE, pair = ops_has(op, WORD_V2);
    if (op->space != PTX_SHARED || in->guard >= 0 || in->count < 2 || ops_has(op, WORD_VOLATILE) ||
        ops_has(op, WORD_V4) || (pair && !is_whole(p, in)))
        return 0;
    switch (op->type) {
    case WORD_F32:
    case WORD_B32:
    case WORD_U32:
    case WORD_S32: return pair ? 8 : 4;
    case WORD_B16:
    case WORD_U16:
    case WORD_S16: return stores && !pair ? 2 : 0;
    case WORD_B8:
    case WORD_U8:
    case WORD_S8: return stores && pair ? 2 : 0;
    case WORD_F64:
    case WORD_B64:
    case WORD_U64:
    case WORD_S64: return pair ? 0 : 8;
    default: return 0;
    }
}

static void find_joins(struct pass *p, struct runs *runs)
{
    for (size_t i = 0; i < p->f->inst_count; i++) {
        const struct ptx_inst *in = &p->f->insts[i];
        const bool perhaps_shared = in->op->space == PTX_SHARED || in->op->space == PTX_NOWHERE,
                   load = in->op->class == CLASS_LOAD && perhaps_shared,
                   store = in->op->class == CLASS_STORE && perhaps_shared,
                   stops = in->op->class & (CLASS_JUMP | CLASSES_THAT_ORDER);
        if (in->leads || stops) close_runs(p, runs, LOADS | STORES, -1);
        if (load) close_runs(p, runs, STORES, -1);
        if (store) close_runs(p, runs, LOADS, -1);
        if (store && in->count) close_others(p, runs, in->operands[0].reg);
        const uint32_t bytes = load || store ? joinable(p, in) : 0;
        if (bytes) add_word(p, runs, i, &in->operands[load ? 1 : 0], bytes, store);
        if (in->count && in->operands[0].kind == PTX_REGISTER && in->op->has_result)
            close_runs(p, runs, LOADS | STORES, in->operands[0].reg);
    }
    close_runs(p, runs, LOADS | STORES, -1);
}

void facts_find(struct facts *facts, struct arena *arena, const struct ptx_func *f,
    uint64_t (*place)(void *, const struct ptx_var *), void *context)
{
    struct pass p = {facts, f, place, context};
    facts->reads = arena_alloc(arena, (f->reg_count + 1) * sizeof *facts->reads);
    facts->writes = arena_alloc(arena, (f->reg_count + 1) * sizeof *facts->writes);
    facts->twos = arena_alloc(arena, f->reg_count + 1);
    facts->within = arena_alloc(arena, (f->reg_count + 1) * sizeof *facts->within);
    facts->join = arena_alloc(arena, (f->inst_count + 1) * sizeof *facts->join);
    struct runs *runs = mem_alloc(sizeof *runs);
    find_reads(&p);
    find_twos(&p);
    find_within(&p);
    find_joins(&p, runs);
    free(runs);
}
