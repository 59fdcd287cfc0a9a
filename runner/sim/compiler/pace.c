// The pace of PTX: costs of its instructions, their dependences within a stretch, and what of it comes from
// memory.
// SPDX-License-Identifier: MIT
#include "sim/compiler/pace.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "ptx/ops.h"

// Of what it must be besides.
enum of { ANY, OF_PARAM, OF_SHARED, OF_CONST, LONG, DOUBLE, SINGLE, FLOAT, ROUNDED };
struct cost { // the first that fits
    enum ops_code code;
    enum ops_word behind[2]; // the words that stand there; 0: any
    enum of of;
    float turns, latency;
    enum model_pipe pipe;
    float cycles; // of a quarter's pipe
};
// Measured on an H200 (instructions a cycle, latencies of chains), or counted in what ptxas makes of them.
static const struct cost costs[] = {
    {OPS_LD, {0}, OF_PARAM, 0.3f, 0, MODEL_PIPES, 0},
    {OPS_LD, {0}, OF_SHARED, 1, 24, MODEL_PIPES, 0},
    {OPS_LD, {0}, OF_CONST, 1, 8, MODEL_PIPES, 0},
    {OPS_LD, {0}, ANY, 1, 1, MODEL_PIPES, 0},
    {OPS_ST, {0}, ANY, 1, 1, MODEL_PIPES, 0},
    {OPS_ATOM, {0}, ANY, 1.5f, 1, MODEL_PIPES, 0},
    {OPS_RED, {0}, ANY, 1.5f, 1, MODEL_PIPES, 0},
    {OPS_CVTA, {0}, ANY, 0, 0, MODEL_PIPES, 0},
    {OPS_MOV, {0}, ANY, 0.2f, 0, MODEL_PIPES, 0},
    {OPS_BAR, {0}, ANY, 1, 1, MODEL_PIPES, 0},
    {OPS_BRA, {0}, ANY, 1.2f, 4, MODEL_PIPES, 0},
    {OPS_RET, {0}, ANY, 1, 1, MODEL_PIPES, 0},
    {OPS_SHFL, {0}, ANY, 1.3f, 23, MODEL_SHARED, 1},
    {OPS_VOTE, {0}, ANY, 1, 12, MODEL_ALU, 2},
    {OPS_DIV, {WORD_RN, 0}, DOUBLE, 24, 200, MODEL_FP64, 24},
    {OPS_SQRT, {WORD_RN, 0}, DOUBLE, 24, 200, MODEL_FP64, 24},
    {OPS_RCP, {WORD_RN, 0}, DOUBLE, 16, 120, MODEL_FP64, 14},
    {OPS_DIV, {WORD_APPROX, 0}, ANY, 4, 36, MODEL_XU, 8},
    {OPS_DIV, {WORD_FULL, 0}, ANY, 6, 40, MODEL_XU, 8},
    {OPS_DIV, {WORD_RN, 0}, SINGLE, 16, 60, MODEL_XU, 8},
    {OPS_DIV, {0}, LONG, 70, 450, MODEL_FMA, 60},
    {OPS_REM, {0}, LONG, 74, 460, MODEL_FMA, 64},
    {OPS_DIV, {0}, ANY, 18, 90, MODEL_XU, 16},
    {OPS_REM, {0}, ANY, 19, 95, MODEL_XU, 16},
    {OPS_SQRT, {WORD_APPROX, 0}, ANY, 4, 40, MODEL_XU, 8},
    {OPS_SQRT, {WORD_RN, 0}, ANY, 16, 60, MODEL_XU, 8},
    {OPS_RCP, {WORD_APPROX, 0}, ANY, 3, 30, MODEL_XU, 8},
    {OPS_RCP, {WORD_RN, 0}, ANY, 9, 50, MODEL_XU, 8},
    {OPS_SIN, {0}, ANY, 2, 24, MODEL_XU, 8},
    {OPS_COS, {0}, ANY, 2, 24, MODEL_XU, 8},
    {OPS_EX2, {WORD_APPROX, WORD_FTZ}, ANY, 1, 18, MODEL_XU, 8},
    {OPS_EX2, {0}, ANY, 4, 18, MODEL_XU, 8},
    {OPS_LG2, {WORD_APPROX, WORD_FTZ}, ANY, 1, 18, MODEL_XU, 8},
    {OPS_LG2, {0}, ANY, 4, 26, MODEL_XU, 8},
    {OPS_RSQRT, {WORD_APPROX, WORD_FTZ}, ANY, 1, 18, MODEL_XU, 8},
    {OPS_RSQRT, {0}, ANY, 4, 26, MODEL_XU, 8},
    {OPS_TANH, {0}, ANY, 1, 18, MODEL_XU, 8},
    {OPS_CVT, {0}, DOUBLE, 1.5f, 16, MODEL_XU, 8},
    {OPS_CVT, {WORD_U64, WORD_U32}, ANY, 0.5f, 2, MODEL_ALU, 1},
    {OPS_CVT, {WORD_S64, WORD_S32}, ANY, 1, 4, MODEL_ALU, 2},
    {OPS_CVT, {WORD_U32, WORD_U64}, ANY, 0, 0, MODEL_PIPES, 0},
    {OPS_CVT, {0}, ROUNDED, 1, 14, MODEL_XU, 4},
    {OPS_CVT, {WORD_F32, WORD_F16}, ANY, 1, 5, MODEL_FMA, 1},
    {OPS_CVT, {0}, ANY, 0.6f, 4, MODEL_ALU, 1},
    {OPS_POPC, {0}, ANY, 1, 14, MODEL_XU, 8},
    {OPS_CLZ, {0}, ANY, 1, 14, MODEL_XU, 8},
    {OPS_BREV, {0}, ANY, 1, 14, MODEL_XU, 8},
    {OPS_BFIND, {0}, ANY, 1, 14, MODEL_XU, 8},
    {OPS_SETP, {0}, LONG, 2, 12, MODEL_ALU, 4},
    {OPS_SETP, {0}, ANY, 1, 8, MODEL_ALU, 2},
    {OPS_SELP, {0}, LONG, 2, 5, MODEL_ALU, 4},
    {OPS_SELP, {0}, ANY, 1, 4.5f, MODEL_ALU, 2},
    {OPS_MIN, {0}, ANY, 1, 4.5f, MODEL_ALU, 2},
    {OPS_MAX, {0}, ANY, 1, 4.5f, MODEL_ALU, 2},
    {OPS_FMA, {0}, DOUBLE, 1, 8, MODEL_FP64, 2},
    {OPS_MUL, {0}, DOUBLE, 1, 8, MODEL_FP64, 2},
    {OPS_ADD, {0}, DOUBLE, 1, 8, MODEL_FP64, 2},
    {OPS_SUB, {0}, DOUBLE, 1, 8, MODEL_FP64, 2},
    {OPS_FMA, {0}, ANY, 1, 4.1f, MODEL_FMA, 1},
    {OPS_MUL, {WORD_WIDE, 0}, ANY, 1, 5, MODEL_FMA, 2},
    {OPS_MAD, {WORD_WIDE, 0}, ANY, 1, 5, MODEL_FMA, 2},
    {OPS_MUL, {WORD_LO, 0}, LONG, 4, 14, MODEL_FMA, 7},
    {OPS_MAD, {WORD_LO, 0}, LONG, 4, 14, MODEL_FMA, 7},
    {OPS_MUL, {WORD_HI, 0}, LONG, 12, 30, MODEL_FMA, 24},
    {OPS_MUL, {0}, FLOAT, 1, 4.1f, MODEL_FMA, 1},
    {OPS_MUL, {0}, ANY, 1, 4.5f, MODEL_FMA, 2},
    {OPS_MAD, {0}, ANY, 1, 4.5f, MODEL_FMA, 2},
    {OPS_ADD, {0}, FLOAT, 1, 4.1f, MODEL_FMA, 1},
    {OPS_SUB, {0}, FLOAT, 1, 4.1f, MODEL_FMA, 1},
    {OPS_NEG, {0}, ANY, 0.3f, 1, MODEL_PIPES, 0},
    {OPS_ABS, {0}, ANY, 0.3f, 1, MODEL_PIPES, 0},
    {OPS_ADD, {0}, LONG, 1.7f, 8, MODEL_ALU, 2},
    {OPS_SUB, {0}, LONG, 2, 8, MODEL_ALU, 2},
    {OPS_SHL, {0}, LONG, 1.5f, 7, MODEL_ALU, 3},
    {OPS_SHR, {0}, LONG, 2, 8, MODEL_ALU, 4},
    {OPS_ADD, {0}, ANY, 0.9f, 4.5f, MODEL_ALU, 1},
    {OPS_SUB, {0}, ANY, 1, 4.5f, MODEL_ALU, 1},
    {OPS_AND, {0}, ANY, 0.8f, 4, MODEL_ALU, 1.6f},
    {OPS_OR, {0}, ANY, 0.7f, 4, MODEL_ALU, 1.4f},
    {OPS_XOR, {0}, ANY, 0.8f, 4, MODEL_ALU, 1.6f},
    {OPS_MMA, {0}, ANY, 1, 33, MODEL_FMA, 8},
    {OPS_WMMA_MMA, {0}, ANY, 4, 40, MODEL_FMA, 16},
    {OPS_UNKNOWN, {0}, ANY, 1, 4.5f, MODEL_ALU, 2},
};

// What costs as another opcode does.
static enum ops_code stands_for(enum ops_code code)
{
    switch (code) {
    case OPS_LDU:
    case OPS_LDMATRIX: return OPS_LD;
    case OPS_ST_ASYNC:
    case OPS_STMATRIX: return OPS_ST;
    case OPS_RED_ASYNC:
    case OPS_REDUX: return OPS_RED;
    case OPS_MOVMATRIX: return OPS_MOV;
    case OPS_BARRIER: return OPS_BAR;
    case OPS_MUL24: return OPS_MUL;
    case OPS_MAD24:
    case OPS_MADC: return OPS_MAD;
    case OPS_ADDC: return OPS_ADD;
    case OPS_SUBC: return OPS_SUB;
    case OPS_WMMA_LOAD:
    case OPS_WMMA_STORE: return OPS_WMMA_MMA;
    default: return code;
    }
}

static bool is_of(const struct ptx_op *op, enum of of)
{
    static const enum ops_word longs[] = {WORD_U64, WORD_S64, WORD_B64, WORD_F64, 0},
                               floats[] = {WORD_F32, WORD_F64, WORD_F16, WORD_F16X2, WORD_BF16, WORD_BF16X2, 0};
    switch (of) {
    case ANY: return true;
    case OF_PARAM: return op->space == PTX_PARAM;
    case OF_SHARED: return op->space == PTX_SHARED;
    case OF_CONST: return op->space == PTX_CONST;
    case LONG: return ops_which(op, longs) >= 0;
    case DOUBLE: return ops_has(op, WORD_F64);
    case SINGLE: return ops_has(op, WORD_F32);
    case FLOAT: return ops_which(op, floats) >= 0;
    case ROUNDED: return op->part[1] >= WORD_RN && op->part[1] <= WORD_RPI && ops_has(op, WORD_F32);
    }
    return false;
}

static const struct cost *cost_of(const struct ptx_op *op)
{
    const enum ops_code code = stands_for((enum ops_code)op->code);
    for (const struct cost *c = costs;; c++)
        if ((c->code == code || !c->code) && (!c->behind[0] || c->behind[0] == op->part[1]) &&
            (!c->behind[1] || c->behind[1] == op->part[2]) && is_of(op, c->of))
            return c;
}

static bool touches(const struct ptx_op *op)
{
    return op->class & (CLASS_LOAD | CLASS_STORE | CLASS_ATOMIC | CLASS_REDUCE | CLASS_ASYNC | CLASS_COPY);
}

// The compiler puts loads of a stretch in front of its stores to shared memory: such a store waits for a load as any
// other use of it does.
static bool uses_only(const struct ptx_op *op) { return !touches(op) || (ops_stores(op) && op->space == PTX_SHARED); }

// Its result comes from where a warp may have to wait for it, beyond the SM.
static bool loads(const struct ptx_inst *in)
{
    const unsigned space = in->op->space;
    const bool near = space == PTX_PARAM || space == PTX_SHARED || space == PTX_CONST;
    return in->op->class & (CLASS_LOAD | CLASS_ATOMIC) && !near && in->count > 0;
}

static void each_register(const struct ptx_operand *o, void (*tell)(void *, int), void *context)
{
    if ((o->kind == PTX_REGISTER || o->kind == PTX_ADDRESS) && o->reg >= 0) tell(context, o->reg);
    for (int k = 0; k < o->count; k++) each_register(&o->items[k], tell, context);
}

struct numbering {
    uint16_t *result, next;
};
static void number(void *context, int reg)
{
    struct numbering *n = context;
    if (!n->result[reg] && n->next < PACE_BACK - 1) n->result[reg] = ++n->next;
}

struct tainting {
    const uint16_t *result;
    bool *made, from, changed;
};
static void ask(void *context, int reg)
{
    struct tainting *t = context;
    t->from |= t->result[reg] || t->made[reg];
}
static void taint(void *context, int reg)
{
    struct tainting *t = context;
    t->changed |= !t->made[reg];
    t->made[reg] = true;
}

// First its result, then what it reads; a store, a jump reads all.
static int reads_from(const struct ptx_inst *in) { return in->op->has_result ? 1 : 0; }

static void find_made(struct pace *p, const struct ptx_func *f, bool *made)
{
    struct tainting t = {p->result, made, false, true};
    for (int turn = 0; t.changed && turn < 8; turn++) {
        t.changed = false;
        for (size_t k = 0; k < f->inst_count; k++) {
            const struct ptx_inst *in = &f->insts[k];
            if (touches(in->op) || !in->count || reads_from(in) == 0) continue;
            t.from = in->guard >= 0 && (p->result[in->guard] || made[in->guard]);
            for (int o = 1; o < in->count; o++) each_register(&in->operands[o], ask, &t);
            if (t.from) each_register(&in->operands[0], taint, &t);
        }
    }
}

// The results that a value of this stretch is made of: a bit for each of the first 62 that are met.
enum { MOST_MET = 62, AHEAD = 8 }; // loads that the compiler puts in front of what uses the first of them
#define EARLIER_BIT ((uint64_t)1 << 63)
struct pace_value {
    size_t stamp, order;
    uint64_t from;
    float ready;
};
struct pace_walk {
    const struct pace *pace;
    uint16_t met[MOST_MET];
    int count;
    struct pace_value *values;
    size_t stamp;
    uint64_t from, used;
    size_t early[AHEAD]; // which load, counted from 1, had been used before each of the last loads
    size_t load_count, order, used_order;
    float ready;
};

static uint64_t bit_of(struct pace_walk *w, uint16_t result)
{
    int k = 0;
    while (k < w->count && w->met[k] != result) k++;
    if (k == MOST_MET) return EARLIER_BIT;
    if (k == w->count) w->met[w->count++] = result;
    return (uint64_t)1 << k;
}

static void read_value(void *context, int reg)
{
    struct pace_walk *w = context;
    const struct pace_value *v = &w->values[reg];
    if (v->stamp == w->stamp) {
        if (v->order > w->order) w->order = v->order;
        w->from |= v->from;
        if (v->ready > w->ready) w->ready = v->ready;
    } else if (w->pace->result[reg]) w->from |= bit_of(w, w->pace->result[reg]);
    else if (w->pace->made[reg]) w->from |= EARLIER_BIT;
}

struct pace_written {
    struct pace_walk *walk;
    uint64_t from;
    size_t order;
    float ready;
    bool load;
};
static void write_value(void *context, int reg)
{
    struct pace_written *to = context;
    struct pace_walk *w = to->walk;
    const uint64_t own = to->load && w->pace->result[reg] ? bit_of(w, w->pace->result[reg]) : to->from;
    w->values[reg] = (struct pace_value){w->stamp, to->order, own, to->ready};
}

static const uint16_t *list_of(const struct pace_walk *w, uint64_t bits, size_t back, struct arena *a)
{
    if (!bits && !back) return NULL;
    uint16_t *list = arena_alloc(a, ((size_t)__builtin_popcountll(bits) + 2) * sizeof *list);
    size_t n = 0;
    if (back) list[n++] = (uint16_t)(PACE_BACK | back);
    for (int k = 0; k < w->count; k++)
        if (bits >> k & 1) list[n++] = w->met[k];
    if (bits & EARLIER_BIT) list[n++] = PACE_EARLIER;
    list[n] = 0;
    return list;
}

// One pass over the stretch that begins at time `start`; when its last instruction is issued.
static float pass(struct pace_walk *w, const struct ptx_func *f, size_t from, size_t to, float start,
    const uint16_t **needs, bool *decides, struct arena *a)
{
    float end = start, turns = 0;
    for (size_t k = from; k < to; k++) {
        const struct ptx_inst *in = &f->insts[k];
        const struct cost *c = cost_of(in->op);
        const bool jumps = in->op->code == OPS_BRA || in->op->code == OPS_BRX;
        w->from = 0;
        w->order = 0;
        size_t back = 0;
        w->ready = start;
        if (in->guard >= 0) read_value(w, in->guard);
        for (int o = reads_from(in); o < in->count; o++) each_register(&in->operands[o], read_value, w);
        if (loads(in)) { // a long stretch does not begin with all of its loads
            size_t *early = &w->early[w->load_count % AHEAD];
            back = *early ? w->load_count - *early : 0;
            *early = w->used_order;
            w->load_count++;
        }
        if (!uses_only(in->op) && needs) needs[k] = list_of(w, w->from, back, a);
        if (uses_only(in->op)) {
            w->used |= w->from;
            if (w->order > w->used_order) w->used_order = w->order;
        }
        if (jumps && w->from && decides) *decides = true;
        const float issued = w->ready;
        turns += c->turns;
        if (issued > end) end = issued;
        struct pace_written result = {w, touches(in->op) ? 0 : w->from,
            loads(in)             ? w->load_count
                : touches(in->op) ? 0
                                  : w->order,
            issued + c->latency, loads(in)};
        if (reads_from(in) && in->count) each_register(&in->operands[0], write_value, &result);
        if (jumps) end += c->latency;
    }
    return end > start + turns ? end : start + turns;
}

static const char *beyond(const struct ptx_op *op)
{
    static const struct {
        uint32_t class;
        const char *what;
    } rows[] = {{CLASS_TEXTURE, "it reads textures"}, {CLASS_SURFACE, "it writes surfaces"},
        {CLASS_GROUP, "it multiplies by warp groups"}, {CLASS_MBARRIER, "it waits at barriers in memory"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (op->class & rows[k].class) return op->code == OPS_SULD ? "it reads surfaces" : rows[k].what;
    if (op->code == OPS_CP_BULK || op->code == OPS_CP_REDUCE) return "it copies in bulk";
    return op->code == OPS_NANOSLEEP ? "it sleeps" : NULL;
}

void pace_find(struct pace *p, const struct ptx_func *f, uint16_t first, struct arena *a)
{
    struct numbering n = {arena_alloc(a, (f->reg_count + 1) * sizeof *n.result), first};
    bool *made = arena_alloc(a, f->reg_count + 1);
    for (size_t k = 0; k < f->inst_count; k++)
        if (loads(&f->insts[k])) each_register(&f->insts[k].operands[0], number, &n);
    *p = (struct pace){.result = n.result,
        .made = made,
        .needs = arena_alloc(a, (f->inst_count + 1) * sizeof *p->needs),
        .last = n.next,
        .values = arena_alloc(a, (f->reg_count + 1) * sizeof *p->values)};
    for (size_t k = 0; k < f->inst_count && !p->beyond; k++) p->beyond = beyond(f->insts[k].op);
    find_made(p, f, made);
}

static bool turns_to(const struct ptx_func *f, size_t from, size_t to)
{
    const struct ptx_inst *last = to > from ? &f->insts[to - 1] : NULL;
    return last && last->op->code == OPS_BRA && last->count && last->operands[last->count - 1].label == (int)from;
}

// Kinds of work that have a mend of their own.
struct pace_part {
    float turns, cycles, pipes[MODEL_PIPES];
};
static enum tape_part part_of(const struct ptx_op *op, const struct cost *c)
{
    if ((op->code == OPS_DIV || op->code == OPS_REM) && !ops_has_float(op)) return TAPE_DIVIDE;
    if (op->code == OPS_CVT && ops_has(op, WORD_F64)) return TAPE_NARROW;
    return c->pipe == MODEL_FP64 ? TAPE_DOUBLE : TAPE_PARTS;
}

static bool is_fence(const struct ptx_op *op)
{
    return op->class & CLASS_FENCE && !ops_has(op, WORD_CTA) && !ops_has(op, WORD_PROXY) &&
        !ops_has(op, WORD_MBARRIER_INIT);
}

static uint32_t whole(float x) { return (uint32_t)(x + 0.5f); }

void pace_of(struct pace *p, const struct ptx_func *f, size_t from, size_t to, struct head_pace *out, struct arena *a)
{
    struct pace_walk w = {.pace = p, .stamp = ++p->stretches, .values = p->values};
    float pipes[MODEL_PIPES] = {0}, turns = 0;
    *out = (struct head_pace){0};
    float end = pass(&w, f, from, to, 0, p->needs, &out->decides, a);
    out->uses = list_of(&w, w.used, 0, a);
    if (turns_to(f, from, to)) { // the second turn finds what the first has left
        const float again = pass(&w, f, from, to, end, NULL, NULL, a) - end;
        end = again > 0 ? again : end;
    }
    struct pace_part parts[TAPE_PARTS] = {{0}};
    for (size_t k = from; k < to; k++) {
        const struct cost *c = cost_of(f->insts[k].op);
        const enum tape_part part = part_of(f->insts[k].op, c);
        turns += c->turns;
        out->fences += is_fence(f->insts[k].op);
        if (c->pipe < MODEL_PIPES) pipes[c->pipe] += c->cycles;
        if (part == TAPE_PARTS) continue;
        parts[part].turns += c->turns, parts[part].cycles += c->latency;
        if (c->pipe < MODEL_PIPES) parts[part].pipes[c->pipe] += c->cycles;
    }
    for (int n = 0; n < TAPE_PARTS; n++) {
        out->parts[n] = (struct model_work){.turns = whole(parts[n].turns), .cycles = whole(parts[n].cycles)};
        for (int k = 0; k < MODEL_PIPES; k++) out->parts[n].pipes[k] = whole(parts[n].pipes[k]);
    }
    out->work.turns = whole(turns);
    out->work.cycles = whole(end);
    for (int k = 0; k < MODEL_PIPES; k++) out->work.pipes[k] = whole(pipes[k]);
}
