// Costs and kinds of PTX instructions, by their names.
// SPDX-License-Identifier: MIT
#include "sim/compiler/work.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/compiler/facts.h"

#include <stdlib.h>
#include <string.h>

uint32_t work_turns(const char *op)
{
    static const struct {
        const char *root, *type;
        uint32_t turns;
    } rows[] = {{"div.rn", "f64", 24}, {"sqrt.rn", "f64", 24}, {"div", "64", 70}, {"rem", "64", 70},
        {"div.approx", "", 4}, {"div.full", "", 6}, {"div", "f32", 10}, {"sqrt.approx", "", 4}, {"sqrt", "", 10},
        {"rcp.approx", "", 4}, {"rcp", "", 8}, {"div", "", 20}, {"rem", "", 20}, {"sin", "", 4}, {"cos", "", 4},
        {"ex2", "", 4}, {"lg2", "", 4}, {"rsqrt", "", 4}, {"tanh", "", 4}, {"cvt", "f64", 4}, {"fma", "f64", 2},
        {"mul", "f64", 2}, {"add", "f64", 2}, {"sub", "f64", 2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strncmp(op, rows[k].root, strlen(rows[k].root)) == 0 && strstr(op, rows[k].type)) return rows[k].turns;
    return 1;
}

static bool is(const char *op, const char *root)
{
    const size_t n = strlen(root);
    return strncmp(op, root, n) == 0 && (op[n] == '.' || !op[n]);
}

// SIM_WORK_KINDS: of none.
static enum sim_work kind_of(const char *op)
{
    const bool real = strstr(op, ".f") != NULL;
    if ((is(op, "div") || is(op, "rem")) && !real) return SIM_WORK_DIVIDE;
    if (is(op, "cvt"))
        return strstr(op, ".f32.f64") ? SIM_WORK_NARROW : strstr(op, ".rni.f32.f32") ? SIM_WORK_WHOLE : SIM_WORK_KINDS;
    if (is(op, "bar") || is(op, "barrier"))
        return strstr(op, ".warp") || strstr(op, ".cluster") || strstr(op, ".arrive") ? SIM_WORK_KINDS
                                                                                      : SIM_WORK_BARRIER;
    if (is(op, "membar") || is(op, "fence"))
        return strstr(op, ".cta") || strstr(op, "proxy") || strstr(op, "mbarrier") ? SIM_WORK_KINDS : SIM_WORK_FENCE;
    const size_t n = strlen(op);
    const bool moves = is(op, "ld") || is(op, "st") || is(op, "mov") || is(op, "selp");
    return n > 4 && strcmp(op + n - 4, ".f64") == 0 && !moves && !strstr(op, "atom") && !strstr(op, "red")
        ? SIM_WORK_DOUBLE
        : SIM_WORK_KINDS;
}

const struct head_work *work_add(const struct head_work *list, const char *op, int line, struct arena *a)
{
    const enum sim_work kind = kind_of(op);
    if (kind == SIM_WORK_KINDS) return list;
    const bool once =
        kind == SIM_WORK_BARRIER || kind == SIM_WORK_FENCE || kind == SIM_WORK_NARROW || kind == SIM_WORK_WHOLE;
    struct head_work *w = arena_alloc(a, sizeof *w);
    *w = (struct head_work){list, line, kind, once ? 1 : work_turns(op)};
    return w;
}

static bool behind(const uint32_t *behind_load, uint32_t turn, const struct ptx_operand *o)
{
    bool is = (o->kind == PTX_REGISTER || o->kind == PTX_ADDRESS) && o->reg >= 0 && behind_load[o->reg] == turn;
    for (int k = 0; k < o->count; k++) is |= behind(behind_load, turn, &o->items[k]);
    return is;
}

static void mark(uint32_t *behind_load, uint32_t turn, const struct ptx_operand *o)
{
    if (o->kind == PTX_REGISTER && o->reg >= 0) behind_load[o->reg] = turn;
    for (int k = 0; k < o->count; k++) mark(behind_load, turn, &o->items[k]);
}

// `turn` is the number of the round of loads that is under way, counted from 1: what is made from its results carries
// it, and a load from such an address begins the next one.
bool *work_waits(const struct ptx_func *f, struct arena *a)
{
    bool *waits = arena_alloc(a, f->inst_count + 1);
    uint32_t *behind_load = mem_alloc((f->reg_count + 1) * sizeof *behind_load), turn = 1;
    for (size_t k = 0; k < f->inst_count; k++) {
        const struct ptx_inst *in = &f->insts[k];
        const bool load = is(in->op, "ld") && !strstr(in->op, ".param") && !strstr(in->op, ".shared") &&
            !strstr(in->op, ".const") && !strstr(in->op, ".local");
        bool from = false;
        if (in->leads) turn++;
        if (!facts_has_result(in->op) || !in->count) continue;
        for (int o = 1; o < in->count; o++) from |= behind(behind_load, turn, &in->operands[o]);
        if (load && from) waits[k] = true, turn++;
        mark(behind_load, load || from ? turn : 0, &in->operands[0]);
    }
    free(behind_load);
    return waits;
}
