// Which loops are unrolled was asked of ptxas 13.0 itself: loops made for it, one instruction more each time, and the
// loops of some hundred kernels, by how many copies of their loads the machine code has (runner/sim/RULES.md).
//
// A loop of one block is, unless the source says otherwise, if a counter decides its end: `i += C` once, then `i < x`
// or the like, where x is the same in every turn. Its cost is one for each instruction and two for each access.
// SPDX-License-Identifier: MIT
#include "sim/compiler/graph.h"
#include "sim/compiler/passes.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The compiler unrolls what costs MOST at most. What costs NEVER has something in it that forbids it. Near
// MOST the reckoning may be wrong.
enum { MOST = 50, NEVER = 1000 };

static bool is_access(const struct ptx_op *op)
{
    return (op->class & (CLASS_LOAD | CLASS_STORE)) && op->space != PTX_PARAM && op->space != PTX_CONST;
}

// What may stand in a loop that is unrolled.
#define ALLOWED \
    (CLASS_PURE | CLASS_CARRY | CLASS_LOAD | CLASS_STORE | CLASS_QUERY | CLASS_POLICY | CLASS_HINT | CLASS_BLOCK)

// What takes no denormals is scaled before and after, unless they are flushed.
static bool flushes(const struct ptx_op *op)
{
    return ops_has(op, WORD_FTZ) || ops_has(op, WORD_F16) || ops_has(op, WORD_F16X2) || ops_has(op, WORD_BF16) ||
        ops_has(op, WORD_F64);
}

static int cost_of(const struct ptx_inst *in)
{
    const struct ptx_op *op = in->op;
    const int guarded = in->guard >= 0, plain = (is_access(op) ? 2 : 1) + guarded;
    const bool is_float = ops_has_float(op), approx = ops_has(op, WORD_APPROX),
               exact = is_float && !approx && !ops_has(op, WORD_FULL);
    if (in->odd || (op->class && !(op->class & ALLOWED))) return NEVER;
    switch (op->code) {
    case OPS_MOV:
    case OPS_CVTA:
    case OPS_NEG:
    case OPS_ABS: return guarded;
    case OPS_DIV:
    case OPS_REM: // exact ones, and those of 64 bits, are calls
        if (exact || (!is_float && (ops_has(op, WORD_U64) || ops_has(op, WORD_S64)))) return NEVER;
        if (approx) return flushes(op) ? plain : 7;
        return is_float ? 12 : 19;
    case OPS_RCP: return exact ? NEVER : flushes(op) ? plain : 7;
    case OPS_SQRT: return exact ? NEVER : flushes(op) ? plain : 6;
    case OPS_RSQRT:
    case OPS_EX2:
    case OPS_LG2: return flushes(op) ? plain : 6;
    default: return plain;
    }
}

// A branch over a piece of the loop becomes instructions that some lanes leave out.
static int cost_of_turn(const struct ptx_inst *insts, size_t count)
{
    int cost = 1; // the branch that closes it
    for (size_t k = 0; k < count && cost < NEVER; k++) cost += insts[k].op->code == OPS_BRA ? 1 : cost_of(&insts[k]);
    return cost;
}

struct loop {
    size_t from, to; // its instructions but for the branch, which stands at `to`
    const struct ptx_inst *test;
    const struct ptx_operand *counter, *bound; // the counter as it is when a turn begins
    int64_t step;
    enum ops_word compare, type; // how the counter stands to the bound
    int cost;                    // of a turn
};

// The one instruction of the loop that writes a register; NULL: there is none, or several.
static const struct ptx_inst *writer(const struct ptx_func *f, const struct loop *l, int reg, bool *several)
{
    const struct ptx_inst *found = NULL;
    *several = false;
    for (size_t k = l->from; k < l->to; k++) {
        const struct ptx_inst *in = &f->insts[k];
        if (!in->op->has_result || !in->count) continue;
        const struct ptx_operand *to = &in->operands[0];
        bool writes = to->kind == PTX_REGISTER && to->reg == reg;
        for (int n = 0; n < to->count; n++) writes |= to->items[n].kind == PTX_REGISTER && to->items[n].reg == reg;
        if (!writes) continue;
        *several |= found != NULL;
        found = in;
    }
    return found;
}

// `to = from + C`; the step, or 0.
static int64_t step_of(const struct ptx_inst *in)
{
    const bool adds = in->op->code == OPS_ADD, takes = in->op->code == OPS_SUB;
    if ((!adds && !takes) || in->guard >= 0 || in->count != 3 || in->operands[1].kind != PTX_REGISTER) return 0;
    if (in->operands[2].kind != PTX_NUMBER || in->operands[2].float_size || ops_has(in->op, WORD_CC)) return 0;
    const int64_t n = (int64_t)in->operands[2].bits;
    const int64_t step = ops_has(in->op, WORD_S64) || ops_has(in->op, WORD_U64) ? n : (int32_t)n;
    return adds ? step : -step;
}

// Whether `tested` is a counter of the loop: it, or what is copied from it, grows by the same in each turn.
static bool find_counter(const struct ptx_func *f, struct loop *l, const struct ptx_operand *tested)
{
    bool several;
    if (tested->kind != PTX_REGISTER) return false;
    const struct ptx_inst *add = writer(f, l, tested->reg, &several);
    if (!add || several || add > l->test) return false;
    l->step = step_of(add);
    l->counter = &add->operands[1];
    if (!l->step || l->counter->reg == tested->reg) return l->step != 0;
    const struct ptx_inst *copy = writer(f, l, l->counter->reg, &several);
    return copy && !several && copy->op->code == OPS_MOV && copy->guard < 0 && copy > add && copy->count == 2 &&
        copy->operands[1].kind == PTX_REGISTER && copy->operands[1].reg == tested->reg;
}

static bool is_same(const struct ptx_func *f, const struct loop *l, const struct ptx_operand *o)
{
    bool several;
    return (o->kind == PTX_NUMBER && !o->float_size) ||
        (o->kind == PTX_REGISTER && !writer(f, l, o->reg, &several) && !several);
}

static const struct compare {
    enum ops_word name, turned, negated;
    int grows; // the sign of the step with which the loop ends some time; 0: any
} compares[] = {{WORD_LT, WORD_GT, WORD_GE, 1}, {WORD_LE, WORD_GE, WORD_GT, 1}, {WORD_GT, WORD_LT, WORD_LE, -1},
    {WORD_GE, WORD_LE, WORD_LT, -1}, {WORD_NE, WORD_NE, WORD_EQ, 0}, {WORD_EQ, WORD_EQ, WORD_NE, 0}};

static const struct compare *compare_named(enum ops_word name)
{
    for (size_t k = 0; k < sizeof compares / sizeof *compares; k++)
        if (compares[k].name == name) return &compares[k];
    return NULL;
}

// setp.CMP.TYPE between a counter and a bound, either way round, where the loop goes on while the counter is short of
// the bound. `if_true`: it goes on where the test holds.
static bool read_test(const struct ptx_func *f, struct loop *l, bool if_true)
{
    const struct ptx_op *op = l->test->op;
    const enum ops_word types[] = {WORD_S32, WORD_U32, WORD_B32, WORD_S64, WORD_U64, WORD_B64};
    bool known = false;
    if (op->code != OPS_SETP || op->count != 3) return false;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) known |= types[k] == op->type;
    const struct compare *is = compare_named((enum ops_word)op->part[1]);
    if (!known || !is || l->test->guard >= 0 || l->test->count != 3) return false;
    const struct ptx_operand *a = &l->test->operands[1], *b = &l->test->operands[2];
    const bool turned = !find_counter(f, l, a);
    if (turned && !find_counter(f, l, b)) return false;
    l->bound = turned ? a : b;
    if (turned) is = compare_named(is->turned);
    if (!if_true) is = compare_named(is->negated);
    if (!is_same(f, l, l->bound) || is->name == WORD_EQ || is->grows * l->step < 0) return false;
    l->compare = is->name, l->type = (enum ops_word)op->type;
    return true;
}

// Whether nothing leads into it or out of it but at its ends.
static bool is_straight(const struct ptx_func *f, const struct loop *l)
{
    for (size_t k = l->from; k < l->to; k++)
        if (graph_jumps(&f->insts[k]) || (k > l->from && f->insts[k].leads)) return false;
    return true;
}

// Whether the branch at `to` closes a loop that is unrolled, if it costs no more than it may.
static bool find_loop(const struct ptx_func *f, size_t to, struct loop *l)
{
    const struct ptx_inst *bra = &f->insts[to];
    if (bra->op->code != OPS_BRA || bra->guard < 0 || bra->count != 1 || bra->operands[0].label < 0) return false;
    *l = (struct loop){.from = (size_t)bra->operands[0].label, .to = to};
    if (l->from >= to || f->insts[l->from].rolled) return false;
    bool accesses = false, several;
    for (size_t k = l->from; k < to; k++) accesses |= is_access(f->insts[k].op);
    l->cost = cost_of_turn(&f->insts[l->from], to - l->from);
    if (!accesses || bra->leads || l->cost >= NEVER) return false;
    l->test = writer(f, l, bra->guard, &several);
    return l->test && !several && read_test(f, l, !bra->guard_not) && is_straight(f, l);
}

struct unroll_text {
    struct arena *arena;
    struct ops_read *ops;
    struct ptx_inst *insts;
    size_t count, room;
    int enough; // a predicate of its own
};

static void put(struct unroll_text *w, struct ptx_inst in)
{
    mem_grow(&w->insts, &w->room, w->count + 1, sizeof *w->insts);
    w->insts[w->count++] = in;
}

// The name of targets that are places in the new code already.
static const char placed[] = "";
static bool is_placed(const struct ptx_inst *in) { return in->count == 1 && in->operands[0].name == placed; }

static const struct ptx_operand nothing = {.kind = PTX_SINK, .reg = -1, .label = -1};

static struct ptx_operand *operands(struct unroll_text *w, int count)
{
    const int kept = count < PTX_LEAST_OPERANDS ? PTX_LEAST_OPERANDS : count;
    struct ptx_operand *o = arena_alloc(w->arena, (size_t)kept * sizeof *o);
    for (int k = 0; k < kept; k++) o[k] = nothing;
    return o;
}

// Are at least `most` turns left?
static void put_turns(struct unroll_text *w, const struct loop *l, uint64_t most, bool leads)
{
    struct ptx_operand *o = operands(w, 5), number = nothing;
    number.kind = PTX_NUMBER;
    o[0].kind = PTX_REGISTER, o[0].reg = w->enough;
    o[1] = *l->counter, o[2] = *l->bound, o[3] = o[4] = number;
    o[3].bits = (uint64_t)l->step, o[4].bits = most;
    char name[32];
    const int n = snprintf(name, sizeof name, "turns.%s.%s", ops_text(l->compare), ops_text(l->type));
    const struct ptx_op *op = ops_of(w->ops, w->arena, name, (size_t)n);
    put(w, (struct ptx_inst){.op = op, .guard = -1, .leads = leads, .line = l->test->line, .operands = o, .count = 5});
}

// A jump where there are enough, or not; its target, in the new code, follows. `closes` a loop of four turns.
static struct ptx_operand *put_jump(struct unroll_text *w, const struct loop *l, bool if_enough)
{
    struct ptx_operand *o = operands(w, 1);
    o[0] = (struct ptx_operand){.kind = PTX_NAME, .reg = -1, .name = placed};
    put(w,
        (struct ptx_inst){.op = ops_of(w->ops, w->arena, "bra", 3),
            .guard = w->enough,
            .guard_not = !if_enough,
            .line = l->test->line,
            .operands = o,
            .count = 1});
    return o;
}

static void put_turn(struct unroll_text *w, const struct ptx_func *f, const struct loop *l, bool leads)
{
    const size_t at = w->count;
    for (size_t k = l->from; k < l->to; k++) {
        put(w, f->insts[k]);
        struct ptx_inst *in = &w->insts[w->count - 1];
        if (k == l->from) in->leads = leads;
        if (in->op->code != OPS_BRA) continue;
        struct ptx_operand *o = operands(w, 1);
        o[0] = (struct ptx_operand){.kind = PTX_NAME, .reg = -1, .name = placed};
        o[0].label = (int)(at + (size_t)in->operands[0].label - l->from);
        in->operands = o;
    }
}

static void write_loop(struct unroll_text *w, const struct ptx_func *f, const struct loop *l)
{
    put_turns(w, l, 1, f->insts[l->from].leads);
    struct ptx_operand *odd = put_jump(w, l, false);
    put_turns(w, l, 4, false);
    struct ptx_operand *fewer = put_jump(w, l, false);
    const size_t four = w->count;
    for (int k = 0; k < 4; k++) put_turn(w, f, l, k == 0);
    put_turns(w, l, 4, false);
    put_jump(w, l, true)->label = (int)four;
    fewer->label = (int)w->count;
    put_turns(w, l, 2, true);
    struct ptx_operand *one = put_jump(w, l, false);
    for (int k = 0; k < 2; k++) put_turn(w, f, l, false);
    one->label = (int)w->count;
    put_turns(w, l, 1, true);
    struct ptx_operand *none = put_jump(w, l, false);
    odd->label = (int)w->count;
    put_turn(w, f, l, true);
    put(w, f->insts[l->to]);
    struct ptx_inst *bra = &w->insts[w->count - 1];
    bra->operands = operands(w, 1);
    bra->operands[0] = f->insts[l->to].operands[0];
    bra->operands[0].name = placed, bra->operands[0].label = odd->label;
    none->label = (int)w->count;
}

static struct ptx_operand moved(struct unroll_text *w, const struct ptx_operand *o, const size_t *at)
{
    struct ptx_operand copy = *o;
    if (o->label >= 0) copy.label = (int)at[o->label];
    if (!o->count) return copy;
    copy.items = arena_alloc(w->arena, (size_t)o->count * sizeof *copy.items);
    for (int k = 0; k < o->count; k++) copy.items[k] = moved(w, &o->items[k], at);
    return copy;
}

// Jumps that were there before go to where their targets are now.
static void move_jumps(struct unroll_text *w, const size_t *at)
{
    for (size_t k = 0; k < w->count; k++) {
        struct ptx_inst *in = &w->insts[k];
        if (is_placed(in) || (in->op->code != OPS_BRA && in->op->code != OPS_BRX)) continue;
        struct ptx_operand *o = operands(w, in->count);
        for (int n = 0; n < in->count; n++) o[n] = moved(w, &in->operands[n], at);
        in->operands = o;
    }
}

void unroll_loops(struct ptx_func *f, struct arena *arena)
{
    struct unroll_text w = {.arena = arena, .ops = f->ops};
    struct loop l;
    size_t *ends = mem_alloc((f->inst_count + 1) * sizeof *ends), *at = mem_alloc((f->inst_count + 1) * sizeof *at);
    size_t loops = 0;
    for (size_t k = 0; k < f->inst_count; k++) {
        if (!find_loop(f, k, &l)) continue;
        if (l.cost <= MOST) ends[l.from] = k, loops++;
    }
    for (size_t k = 0; loops && k < f->inst_count; k++) {
        at[k] = w.count;
        if (!ends[k] || !find_loop(f, ends[k], &l)) {
            put(&w, f->insts[k]);
            continue;
        }
        if (!w.enough) {
            struct ptx_reg *regs = arena_alloc(arena, (f->reg_count + 1) * sizeof *regs);
            memcpy(regs, f->regs, f->reg_count * sizeof *regs);
            regs[f->reg_count] = (struct ptx_reg){0};
            f->regs = regs, w.enough = (int)f->reg_count++;
        }
        write_loop(&w, f, &l);
        k = ends[k];
    }
    if (loops) {
        at[f->inst_count] = w.count;
        const size_t behind = w.count;
        move_jumps(&w, at);
        for (size_t k = 0; k < behind; k++) {
            const struct ptx_inst *in = &w.insts[k];
            if (is_placed(in) && (size_t)in->operands[0].label < behind) w.insts[in->operands[0].label].leads = true;
        }
        f->insts = arena_copy(arena, w.insts, w.count * sizeof *w.insts);
        f->inst_count = w.count;
    }
    free(w.insts);
    free(ends);
    free(at);
}
