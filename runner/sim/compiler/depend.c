// Flags spread from operands to results until nothing changes; the order of instructions does not count. Where all
// paths follow from comparisons of sums of multiples of the block's number, each comparison splits the grid once along
// each direction: two blocks that go one way have all blocks between them go that way too.
// SPDX-License-Identifier: MIT
#include "sim/compiler/depend.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/compiler/graph.h"

#include <stdlib.h>
#include <string.h>

enum {
    DATA = 1,   // was read from memory, or comes from a clock
    BLOCK = 2,  // differs from block to block
    ODD = 4,    // ... and is no sum of multiples of the block's number, or of what is compared none
    RISES = 8,  // may grow, or become true, with the block's number
    FALLS = 16, // may shrink, or become false
    SIGNED = 32 // may be below zero
};

struct spread {
    const struct ptx_func *f;
    uint8_t *flags; // by register
    bool *used;     // by register: something reads it
    struct depend *found;
};

static bool part(const char *op, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = strstr(op, name); p; p = strstr(p + 1, name))
        if (p > op && p[-1] == '.' && (p[n] == '.' || !p[n])) return true;
    return false;
}

static bool one_of(const char *op, const char *const *roots)
{
    for (; *roots; roots++)
        if (graph_root(op, *roots)) return true;
    return false;
}

static uint8_t flags_of(const struct spread *s, const struct ptx_operand *o)
{
    uint8_t flags = o->reg >= 0 ? s->flags[o->reg] : 0;
    if (o->kind == PTX_NUMBER && !o->float_size && (int64_t)o->bits < 0) flags |= SIGNED;
    if (o->kind == PTX_NAME && !o->var) {
        if (strncmp(o->name, "%ctaid", 6) == 0) flags |= BLOCK | RISES;
        if (strncmp(o->name, "%cluster", 8) == 0) flags |= BLOCK | ODD;
        if (strncmp(o->name, "%clock", 6) == 0 || strncmp(o->name, "%global", 7) == 0 ||
            strncmp(o->name, "%smid", 5) == 0)
            flags |= DATA;
    }
    for (int k = 0; k < o->count; k++) flags |= flags_of(s, &o->items[k]);
    return flags;
}

static uint8_t turned(uint8_t flags)
{
    return (uint8_t)((flags & ~(RISES | FALLS)) | (flags & RISES ? FALLS : 0) | (flags & FALLS ? RISES : 0));
}

// a and b both ways: true only where one of them keeps its direction.
static uint8_t joined(uint8_t a, uint8_t b)
{
    const uint8_t both = a | b;
    return (a & b & BLOCK) && (both & RISES) && (both & FALLS) ? both | ODD : both;
}

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t flags = a | b;
    if (a & b & BLOCK) flags |= ODD;
    if ((flags & BLOCK) && ((a & BLOCK ? b : a) & SIGNED)) flags |= RISES | FALLS;
    return flags;
}

static uint8_t compared(const struct spread *s, const struct ptx_inst *in)
{
    static const char *const less[] = {"lt", "le", "lo", "ls"}, *const more[] = {"gt", "ge", "hi", "hs"};
    uint8_t flags = flags_of(s, &in->operands[1]) | turned(flags_of(s, &in->operands[2]));
    bool bound = false;
    for (int k = 0; k < 4; k++) {
        if (part(in->op, less[k])) flags = turned(flags), bound = true;
        bound |= part(in->op, more[k]);
    }
    if ((flags & BLOCK) && (!bound || part(in->op, "f32") || part(in->op, "f64"))) flags |= ODD;
    return in->count > 3 ? joined(flags, flags_of(s, &in->operands[3])) : flags;
}

static uint8_t loaded(const struct spread *s, const struct ptx_inst *in)
{
    if (strncmp(in->op, "ld.param", 8) != 0 || !s->f->entry || in->count < 2 || in->operands[1].reg >= 0)
        return DATA | SIGNED;
    for (const struct ptx_var *v = s->f->params; v; v = v->next)
        if (v == in->operands[1].var) return SIGNED;
    return DATA | SIGNED;
}

static uint8_t result_of(const struct spread *s, const struct ptx_inst *in)
{
    static const char *const reads[] = {"atom", "tex", "tld4", "suld", "ldmatrix", "wmma.load", "wgmma", "call",
        "mbarrier", NULL},
                             *const sums[] = {"mov", "add", "cvt", "cvta", NULL}, *const joins[] = {"and", "or", NULL};
    const char *op = in->op;
    uint8_t all = 0, flags;
    for (int k = 1; k < in->count; k++) all |= flags_of(s, &in->operands[k]);
    const uint8_t a = in->count > 1 ? flags_of(s, &in->operands[1]) : 0,
                  b = in->count > 2 ? flags_of(s, &in->operands[2]) : 0,
                  c = in->count > 3 ? flags_of(s, &in->operands[3]) : 0;
    if (graph_root(op, "ld")) flags = loaded(s, in);
    else if (one_of(op, reads)) flags = DATA | SIGNED;
    else if (graph_root(op, "setp") && in->count > 2) flags = compared(s, in);
    else if (one_of(op, joins) && part(op, "pred")) flags = joined(a, b);
    else if (graph_root(op, "not") && part(op, "pred")) flags = turned(a);
    else if (part(op, "f32") || part(op, "f64") || part(op, "f16") || part(op, "cc"))
        flags = all & BLOCK ? all | ODD : all;
    else if (one_of(op, sums)) flags = all;
    else if (graph_root(op, "sub")) flags = a | turned(b) | SIGNED;
    else if (graph_root(op, "neg")) flags = turned(a) | SIGNED;
    else if (graph_root(op, "shl")) flags = product(a, b);
    else if (graph_root(op, "mul") && !part(op, "hi")) flags = product(a, b);
    else if (graph_root(op, "mad") && !part(op, "hi")) flags = product(a, b) | c;
    else flags = all & BLOCK ? all | ODD | SIGNED : all;
    const uint8_t guard = in->guard >= 0 ? s->flags[in->guard] : 0;
    if (guard & BLOCK) flags |= BLOCK | ODD;
    return flags | (guard & DATA);
}

static bool add(struct spread *s, const struct ptx_operand *o, uint8_t flags)
{
    bool changed = false;
    if (o->kind == PTX_REGISTER && (flags & ~s->flags[o->reg])) s->flags[o->reg] |= flags, changed = true;
    for (int k = 0; k < o->count; k++) changed |= add(s, &o->items[k], flags);
    return changed;
}

static bool has_result(const struct ptx_inst *in)
{
    static const char *const without[] = {
        "st", "red", "bra", "brx", "call", "ret", "exit", "bar", "barrier", "cp", "sust", "stmatrix", NULL};
    return in->count && !one_of(in->op, without);
}

static void use(struct spread *s, const struct ptx_operand *o)
{
    if (o->reg >= 0) s->used[o->reg] = true;
    for (int k = 0; k < o->count; k++) use(s, &o->items[k]);
}

static bool gives(const struct spread *s, const struct ptx_operand *o)
{
    bool is = o->reg >= 0 && s->used[o->reg];
    for (int k = 0; k < o->count; k++) is |= gives(s, &o->items[k]);
    return is;
}

static void look_at(struct spread *s, const struct ptx_inst *in, bool *takes)
{
    static const char *const loads[] = {"ld", "ldmatrix", "wmma.load", "cp", NULL},
                             *const stores[] = {"st", "stmatrix", "wmma.store", NULL}, *const steers[] = {"brx", NULL};
    const bool atomic = graph_root(in->op, "atom") || graph_root(in->op, "red"),
               load = one_of(in->op, loads) && strncmp(in->op, "ld.param", 8) != 0;
    uint8_t way = in->guard >= 0 && !has_result(in) ? s->flags[in->guard] : 0, place = 0;
    if (one_of(in->op, steers)) way |= flags_of(s, &in->operands[0]) & BLOCK ? ODD : flags_of(s, &in->operands[0]);
    if ((load || atomic) && in->guard >= 0) way |= s->flags[in->guard];
    if (graph_root(in->op, "call")) way |= DATA;
    for (int k = 0; k < in->count && (load || atomic || one_of(in->op, stores)); k++)
        if (in->operands[k].kind == PTX_ADDRESS) place |= flags_of(s, &in->operands[k]);
    if (way & (DATA | ODD)) s->found->paths = true;
    if (place & (DATA | ODD)) {
        s->found->places[ACCESS_LOAD] |= load;
        s->found->places[ACCESS_STORE] |= !load && !atomic;
        s->found->places[ACCESS_ATOMIC] |= atomic;
        s->found->places[ACCESS_REDUCE] |= atomic;
    }
    s->found->data |= ((way | place) & DATA) != 0;
    *takes |= (graph_root(in->op, "atom") && !part(in->op, "shared") && gives(s, &in->operands[0])) ||
        part(in->op, "volatile") || part(in->op, "acquire");
}

struct depend depend_find(const struct ptx_func *f)
{
    struct depend found = {0};
    bool takes = false;
    struct spread s = {f, mem_alloc(f->reg_count + 1), mem_alloc(f->reg_count + 1), &found};
    for (size_t i = 0; i < f->inst_count; i++)
        for (int k = has_result(&f->insts[i]) ? 1 : 0; k < f->insts[i].count; k++) use(&s, &f->insts[i].operands[k]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < f->inst_count; i++)
            if (has_result(&f->insts[i])) changed |= add(&s, &f->insts[i].operands[0], result_of(&s, &f->insts[i]));
    }
    for (size_t i = 0; i < f->inst_count; i++) look_at(&s, &f->insts[i], &takes);
    found.others = found.data && takes;
    free(s.flags);
    free(s.used);
    return found;
}
