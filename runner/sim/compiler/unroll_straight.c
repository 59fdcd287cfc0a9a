// Loops with `if` in them: the compiler makes of what some lanes leave out instructions with a guard, where it is
// simple enough, and then the loop is one block like others. Loops made to ask were compiled by ptxas 13.0: one `if`
// or several, with `else` or without, are; one in another, one with a store to global memory, and a second way out of
// the loop are not.
// SPDX-License-Identifier: MIT
#include "ptx/module.h"
#include "sim/compiler/graph.h"
#include "sim/compiler/passes.h"

static bool jumps_on(const struct ptx_inst *in, size_t from, size_t to)
{
    return in->op->code == OPS_BRA && in->count == 1 && in->operands[0].label > (int)from &&
        in->operands[0].label < (int)to;
}

// From `from` to `to`: nothing leads in or out, and no store that others could see.
static bool is_plain(const struct ptx_func *f, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        const struct ptx_inst *in = &f->insts[k];
        if ((k > from && in->leads) || graph_jumps(in)) return false;
        if (in->op->class == CLASS_STORE && in->op->space != PTX_SHARED) return false;
    }
    return true;
}

// Where lanes come together again that part at `k`; 0: not like this.
static size_t join_of(const struct ptx_func *f, size_t k, size_t to)
{
    const struct ptx_inst *in = &f->insts[k];
    if (in->guard < 0 || !jumps_on(in, k, to)) return 0;
    const size_t other = (size_t)in->operands[0].label;
    const struct ptx_inst *last = &f->insts[other - 1];
    if (other - 1 == k || last->guard >= 0 || !jumps_on(last, other, to)) return is_plain(f, k + 1, other) ? other : 0;
    const size_t join = (size_t)last->operands[0].label;
    return is_plain(f, k + 1, other - 1) && is_plain(f, other, join) ? join : 0;
}

static bool writes_one_of(const struct ptx_inst *in, const int *kept)
{
    if (!in->count || in->operands[0].kind != PTX_REGISTER) return false;
    for (; *kept >= 0; kept++)
        if (in->operands[0].reg == *kept) return true;
    return false;
}

static bool goes_into(const struct ptx_operand *o, size_t from, size_t to)
{
    bool into = o->label > (int)from && o->label <= (int)to;
    for (int k = 0; k < o->count; k++) into |= goes_into(&o->items[k], from, to);
    return into;
}

static bool is_entered(const struct ptx_func *f, size_t from, size_t to)
{
    for (size_t k = 0; k < f->inst_count; k++) {
        if (k == from) k = to;
        for (int o = 0; o < f->insts[k].count; o++)
            if (goes_into(&f->insts[k].operands[o], from, to)) return true;
    }
    return false;
}

bool unroll_straight(const struct ptx_func *f, size_t from, size_t to, const int *kept)
{
    bool parts = false;
    for (size_t k = from, join; k < to; k = join) {
        join = k + 1;
        if (!graph_jumps(&f->insts[k])) {
            if (join < to && f->insts[join].leads) return false;
            continue;
        }
        join = join_of(f, k, to);
        if (!join) return false;
        parts = true;
        for (size_t n = k; n < join; n++)
            if (writes_one_of(&f->insts[n], kept)) return false;
    }
    return !parts || !is_entered(f, from, to);
}
