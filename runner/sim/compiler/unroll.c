// Which loops are unrolled was asked of ptxas 13.0 itself: loops made for it, one instruction more each time, and the
// loops of some hundred kernels, by how many copies of their loads the machine code has (runner/sim/RULES.md).
//
// A loop of one block is, unless the source says otherwise, if a counter decides its end: `i += C` once, then `i < x`
// or the like, where x is the same in every turn. Its cost is one for each instruction and two for each access.
// SPDX-License-Identifier: MIT
#include "sim/compiler/unroll.h"

#include "base/arena.h"
#include "ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The compiler unrolls what costs MOST at most. What costs NEVER has something in it that forbids it. Within UNSURE of
// MOST the reckoning may be wrong.
enum { MOST = 50, NEVER = 1000, UNSURE = 4 };

static bool starts(const char *op, const char *root)
{
    const size_t n = strlen(root);
    return strncmp(op, root, n) == 0 && (op[n] == '.' || !op[n]);
}

static bool has(const char *op, const char *part)
{
    const size_t n = strlen(part);
    for (const char *p = strchr(op, '.'); p; p = strchr(p + 1, '.'))
        if (strncmp(p + 1, part, n) == 0 && (p[n + 1] == '.' || !p[n + 1])) return true;
    return false;
}

static bool is_one_of(const char *op, const char *const *roots)
{
    for (int k = 0; roots[k]; k++)
        if (starts(op, roots[k])) return true;
    return false;
}

static bool is_access(const struct ptx_inst *in)
{
    return (starts(in->op, "ld") || starts(in->op, "st")) && !has(in->op, "param") && !has(in->op, "const");
}

static int cost_of(const struct ptx_inst *in)
{
    static const char *const barred[] = {"bra", "brx", "call", "ret", "exit", "trap", "bar", "barrier", "atom", "red",
        "vote", "shfl", "match", "redux", "elect", "activemask", "membar", "fence", "cp", "mbarrier", "mma", "wmma",
        "wgmma", "ldmatrix", "stmatrix", "tex", "tld4", "suld", "sust", "nanosleep", "griddepcontrol", "tensormap",
        NULL};
    static const char *const free_of_charge[] = {"mov", "cvta", "neg", "abs", NULL};
    const char *op = in->op;
    const bool divides = starts(op, "div") || starts(op, "rem"), is_float = has(op, "f32") || has(op, "f64");
    // Exact divisions and roots, and those of 64 bits, are calls.
    const bool exact = (divides || starts(op, "sqrt") || starts(op, "rcp")) && is_float && !has(op, "approx");
    const bool is_long = divides && !is_float && (has(op, "u64") || has(op, "s64"));
    if (in->odd || is_one_of(op, barred) || is_long || (exact && !has(op, "full"))) return NEVER;
    const int guarded = in->guard >= 0;
    if (is_one_of(op, free_of_charge)) return guarded;
    // What takes no denormals is scaled before and after, unless they are flushed.
    static const char *const scaled[] = {"sqrt", "rsqrt", "ex2", "lg2", NULL};
    const bool flushes = has(op, "ftz") || has(op, "f16") || has(op, "f16x2") || has(op, "bf16") || has(op, "f64");
    if ((starts(op, "rcp") || (divides && has(op, "approx"))) && !flushes) return 7;
    if (divides && !has(op, "approx")) return is_float ? 12 : 19;
    if (is_one_of(op, scaled) && !flushes) return 6;
    return (is_access(in) ? 2 : 1) + guarded;
}

// A branch over a piece of the loop becomes instructions that some lanes leave out.
static int cost_of_turn(const struct ptx_inst *insts, size_t count)
{
    int cost = 1; // the branch that closes it
    for (size_t k = 0; k < count && cost < NEVER; k++) cost += starts(insts[k].op, "bra") ? 1 : cost_of(&insts[k]);
    return cost;
}

struct loop {
    size_t from, to; // its instructions but for the branch, which stands at `to`
    const struct ptx_inst *test;
    const struct ptx_operand *counter, *bound; // the counter as it is when a turn begins
    int64_t step;
    char compare[8]; // "lt.s32", how the counter stands to the bound
    int cost;        // of a turn
};

// The one instruction of the loop that writes a register; NULL: there is none, or several.
static const struct ptx_inst *writer(const struct ptx_func *f, const struct loop *l, int reg, bool *several)
{
    const struct ptx_inst *found = NULL;
    *several = false;
    for (size_t k = l->from; k < l->to; k++) {
        const struct ptx_inst *in = &f->insts[k];
        if (starts(in->op, "st") || !in->count) continue;
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
    const bool adds = starts(in->op, "add"), takes = starts(in->op, "sub");
    if ((!adds && !takes) || in->guard >= 0 || in->count != 3 || in->operands[1].kind != PTX_REGISTER) return 0;
    if (in->operands[2].kind != PTX_NUMBER || in->operands[2].float_size || has(in->op, "cc")) return 0;
    const int64_t n = (int64_t)in->operands[2].bits;
    const int64_t step = has(in->op, "s64") || has(in->op, "u64") ? n : (int32_t)n;
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
    return copy && !several && starts(copy->op, "mov") && copy->guard < 0 && copy > add && copy->count == 2 &&
        copy->operands[1].kind == PTX_REGISTER && copy->operands[1].reg == tested->reg;
}

static bool is_same(const struct ptx_func *f, const struct loop *l, const struct ptx_operand *o)
{
    bool several;
    return (o->kind == PTX_NUMBER && !o->float_size) ||
        (o->kind == PTX_REGISTER && !writer(f, l, o->reg, &several) && !several);
}

static const struct compare {
    const char *name, *turned, *negated;
    int grows; // the sign of the step with which the loop ends some time; 0: any
} compares[] = {{"lt", "gt", "ge", 1}, {"le", "ge", "gt", 1}, {"gt", "lt", "le", -1}, {"ge", "le", "lt", -1},
    {"ne", "ne", "eq", 0}, {"eq", "eq", "ne", 0}};

static const struct compare *compare_named(const char *name)
{
    for (size_t k = 0; k < sizeof compares / sizeof *compares; k++)
        if (strcmp(compares[k].name, name) == 0) return &compares[k];
    return NULL;
}

// setp.CMP.TYPE between a counter and a bound, either way round, where the loop goes on while the counter is short of
// the bound. `if_true`: it goes on where the test holds.
static bool read_test(const struct ptx_func *f, struct loop *l, bool if_true)
{
    static const char *const types[] = {"s32", "u32", "b32", "s64", "u64", "b64", NULL};
    char name[4], type[4];
    bool known = false;
    if (sscanf(l->test->op, "setp.%2[a-z].%3[a-z0-9]", name, type) != 2 || strlen(l->test->op) != 11) return false;
    for (int k = 0; types[k]; k++) known |= strcmp(types[k], type) == 0;
    const struct compare *is = compare_named(name);
    if (!known || !is || l->test->guard >= 0 || l->test->count != 3) return false;
    const struct ptx_operand *a = &l->test->operands[1], *b = &l->test->operands[2];
    const bool turned = !find_counter(f, l, a);
    if (turned && !find_counter(f, l, b)) return false;
    l->bound = turned ? a : b;
    if (turned) is = compare_named(is->turned);
    if (!if_true) is = compare_named(is->negated);
    if (!is_same(f, l, l->bound) || strcmp(is->name, "eq") == 0 || is->grows * l->step < 0) return false;
    snprintf(l->compare, sizeof l->compare, "%s.%s", is->name, type);
    return true;
}

// Whether it has no branches but over pieces of its own that neither end it nor count its turns.
static bool is_straight(const struct ptx_func *f, const struct loop *l, int guard)
{
    const int kept[] = {guard, l->counter->reg, l->test->operands[1].reg, l->test->operands[2].reg, -1};
    return unroll_straight(f, l->from, l->to, kept);
}

// Whether the branch at `to` closes a loop that is unrolled, if it costs no more than it may.
static bool find_loop(const struct ptx_func *f, size_t to, struct loop *l)
{
    const struct ptx_inst *bra = &f->insts[to];
    if (!starts(bra->op, "bra") || bra->guard < 0 || bra->count != 1 || bra->operands[0].label < 0) return false;
    *l = (struct loop){.from = (size_t)bra->operands[0].label, .to = to};
    if (l->from >= to || f->insts[l->from].rolled) return false;
    bool accesses = false, several;
    for (size_t k = l->from; k < to; k++) accesses |= is_access(&f->insts[k]);
    l->cost = cost_of_turn(&f->insts[l->from], to - l->from);
    if (!accesses || bra->leads || l->cost >= NEVER) return false;
    l->test = writer(f, l, bra->guard, &several);
    return l->test && !several && read_test(f, l, !bra->guard_not) && is_straight(f, l, bra->guard);
}

struct unroll_text {
    struct arena *arena;
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
    put(w,
        (struct ptx_inst){.op = arena_printf(w->arena, "turns.%s", l->compare),
            .guard = -1,
            .leads = leads,
            .line = l->test->line,
            .operands = o,
            .count = 5});
}

// A jump where there are enough, or not; its target, in the new code, follows. `closes` a loop of four turns.
static struct ptx_operand *put_jump(struct unroll_text *w, const struct loop *l, bool if_enough)
{
    struct ptx_operand *o = operands(w, 1);
    o[0] = (struct ptx_operand){.kind = PTX_NAME, .reg = -1, .name = placed};
    put(w,
        (struct ptx_inst){.op = "bra",
            .guard = w->enough,
            .guard_not = !if_enough,
            .unsure = l->cost > MOST - UNSURE,
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
        if (!starts(in->op, "bra")) continue;
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
        if (is_placed(in) || (!starts(in->op, "bra") && !starts(in->op, "brx"))) continue;
        struct ptx_operand *o = operands(w, in->count);
        for (int n = 0; n < in->count; n++) o[n] = moved(w, &in->operands[n], at);
        in->operands = o;
    }
}

void unroll_loops(struct ptx_func *f, struct arena *arena)
{
    struct unroll_text w = {.arena = arena};
    struct loop l;
    size_t *ends = mem_alloc((f->inst_count + 1) * sizeof *ends), *at = mem_alloc((f->inst_count + 1) * sizeof *at);
    size_t loops = 0;
    for (size_t k = 0; k < f->inst_count; k++) {
        if (!find_loop(f, k, &l)) continue;
        f->insts[k].unsure = l.cost > MOST && l.cost <= MOST + UNSURE;
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
