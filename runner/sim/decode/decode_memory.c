// Loads, stores, atomics and asynchronous copies: space, width, address, data.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum space decode_space(const struct decode *d)
{
    static const enum space spaces[] = {[PTX_NOWHERE] = SPACE_GENERIC,
        [PTX_GLOBAL] = SPACE_GLOBAL,
        [PTX_CONST] = SPACE_CONST,
        [PTX_SHARED] = SPACE_SHARED,
        [PTX_LOCAL] = SPACE_LOCAL,
        [PTX_PARAM] = SPACE_PARAM};
    return spaces[d->op->space];
}

static bool elem_of(enum ops_word type, uint8_t *elem)
{
    const uint32_t size = ops_bytes(type);
    if (!size || size > 8) return false;
    const bool is_signed = type == WORD_S8 || type == WORD_S16 || type == WORD_S32;
    *elem = size == 1 ? (is_signed ? ELEM_S8 : ELEM_U8)
        : size == 2   ? (is_signed ? ELEM_S16 : ELEM_U16)
        : size == 4   ? (is_signed ? ELEM_S32 : ELEM_32)
                      : ELEM_64;
    return true;
}

// Emits `i`, in which only the handler, guard and line are missing; where it touches memory, it gets a site of its own.
void decode_memory_emit(struct decode *d, const char *name, const struct inst *i, const void *op)
{
    struct inst *out = decode_emit(d, decode_find(d, name));
    const struct inst made = *out;
    *out = *i;
    out->run = made.run;
    out->guard = made.guard;
    out->line = made.line;
    out->memory = op;
    if (i->space == SPACE_FRAME) return; // is not counted and cannot be out of bounds
    mem_grow(&d->site_insts, &d->site_room, d->site_count + 1, sizeof *d->site_insts);
    d->site_insts[d->site_count] = (uint32_t)(out - d->insts);
    out->site = (uint32_t)d->site_count++;
}

// The address operand into r[4] and the offset.
bool decode_memory_address(struct decode *d, const struct ptx_operand *o, struct inst *i)
{
    if (o->kind != PTX_ADDRESS) return decode_unsupported(d);
    if (o->reg >= 0) {
        const struct ptx_operand base = {.kind = PTX_REGISTER, .reg = o->reg};
        const char lane = decode_lane(d, o);
        if (lane != 'w' && lane != 'l') return decode_unsupported(d);
        i->r[4] = decode_source(d, &base, lane);
        i->wide |= lane == 'l';
        i->offset = o->offset;
        return !d->failed;
    }
    if (o->name && !o->var) return decode_fail(d, o->name);
    const struct ptx_operand name = {.kind = PTX_NAME, .reg = -1, .name = o->name, .var = o->var, .offset = o->offset};
    uint64_t window = 0;
    if (o->var && i->space == SPACE_GENERIC)
        window = o->var->space == PTX_SHARED ? WINDOW_SHARED : o->var->space == PTX_LOCAL ? WINDOW_LOCAL : 0;
    i->r[4] = o->var ? decode_source(d, &name, 'l') : decode_constant(d, 'l', (uint64_t)o->offset);
    i->offset = (int64_t)window;
    i->wide |= 1;
    return !d->failed;
}

// The data operands of a load or store into r[0..3]; all of them get lanes of one width.
static bool data(struct decode *d, const struct ptx_operand *o, struct inst *i, bool loads)
{
    const struct ptx_operand *items = o->kind == PTX_VECTOR ? o->items : o;
    const int count = o->kind == PTX_VECTOR ? o->count : 1;
    if (d->op->type == WORD_B128) {
        i->wide |= 2, i->vector = 2;
        return decode_halves(d, o, i->r, loads) || decode_unsupported(d);
    }
    if (count != i->vector) return decode_unsupported(d);
    bool wide = true, any = false;
    for (int k = 0; k < count; k++) {
        const char lane = decode_lane(d, &items[k]);
        any |= lane != 0;
        wide &= lane == 'l' || !lane;
    }
    wide = i->elem == ELEM_64 || (any && wide);
    for (int k = 0; k < count; k++) {
        const bool is_signed = i->elem == ELEM_S8 || i->elem == ELEM_S16 || i->elem == ELEM_S32;
        i->r[k] = loads ? decode_result(d, &items[k], wide ? 'l' : 'w', is_signed)
                        : decode_source(d, &items[k], wide ? 'l' : 'w');
    }
    if (wide) i->wide |= 2;
    else if (i->elem == ELEM_S32) i->elem = ELEM_32;
    return !d->failed;
}

// The source's own name of `_ZZ4tilePfE1s`.
static const char *own_name(struct arena *arena, const char *name)
{
    for (const char *at = name; strncmp(name, "_ZZ", 3) == 0 && (at = strchr(at, 'E')); at++) {
        char *from;
        const unsigned long n = strtoul(at + 1, &from, 10);
        if (n && n <= strlen(from) && (!from[n] || from[n] == '_')) return arena_printf(arena, "%.*s", (int)n, from);
    }
    return name;
}

static void find_within(struct decode *d, struct memory_op *op)
{
    const struct ptx_var *v = NULL;
    for (int k = 0; k < d->in->count && !v; k++)
        if (d->in->operands[k].kind == PTX_ADDRESS) v = facts_within(&d->plan->facts, &d->in->operands[k]);
    if (!v) return;
    op->within = own_name(d->arena, v->name);
    op->within_at = decode_place(d, v), op->within_bytes = (uint32_t)v->size;
}

static struct memory_op *describe(struct decode *d, enum access_kind kind)
{
    struct memory_op *op = arena_alloc(d->arena, sizeof *op);
    op->name = d->op->name;
    op->kind = (uint8_t)kind;
    const struct facts_join *join = &d->plan->facts.join[d->index];
    if (join->width) {
        op->joined = join->width;
        op->follows = !join->first;
        op->join_offset = join->offset;
    }
    op->strong = d->op->strong;
    op->unit = ops_has(d->op, WORD_SHARED_CLUSTER) ? UNIT_CLUSTER : UNIT_LANES;
    op->cached = ops_has(d->op, WORD_NC);
    const bool both = ops_has(d->op, WORD_ACQ_REL), far = !ops_has(d->op, WORD_CTA);
    op->releases = far && (both || ops_has(d->op, WORD_RELEASE));
    op->acquires = far && (both || ops_has(d->op, WORD_ACQUIRE));
    op->waits = d->plan->waits[d->index];
    op->past_l1 = ops_has(d->op, WORD_CG) || ops_has(d->op, WORD_CV);
    op->needs = d->plan->pace.needs[d->index];
    if (decode_space(d) == SPACE_SHARED) find_within(d, op);
    for (const struct ptx_operand *o = &d->in->operands[0]; kind != ACCESS_STORE && kind != ACCESS_REDUCE && o;) {
        if (o->kind == PTX_REGISTER && o->reg >= 0) op->result = d->plan->pace.result[o->reg];
        o = o->count && !op->result ? &o->items[0] : NULL;
    }
    return op;
}

// Parameters: an entry's are the same for all lanes, a function's are in each lane's frame.
static bool parameter(struct decode *d, const struct ptx_operand *where, struct inst *i, bool loads)
{
    const char *name = loads ? "ld.param" : NULL;
    const uint32_t bytes = ops_bytes((enum ops_word)d->op->type) * i->vector;
    if (where->kind == PTX_ADDRESS && where->reg < 0 && where->var) {
        const bool entry = decode_is_entry_param(d, where->var);
        const int64_t at = (int64_t)decode_address(d, where->var) + where->offset;
        if (where->offset < 0 || (uint64_t)where->offset + bytes > where->var->size || (entry && !loads))
            return decode_unsupported(d);
        i->offset = at;
        i->space = SPACE_FRAME;
        name = entry ? "ld.entry" : loads ? "ld.frame" : "st.frame";
    } else if (!loads || !d->plan->f->entry || !decode_memory_address(d, where, i)) return decode_unsupported(d);
    decode_memory_emit(d, name, i, describe(d, ACCESS_LOAD));
    return true;
}

static bool vector_of(struct decode *d, struct inst *i)
{
    i->vector = ops_has(d->op, WORD_V2) ? 2 : ops_has(d->op, WORD_V4) ? 4 : 1;
    const bool halves = d->op->type == WORD_B128 && i->vector == 1;
    return !ops_has(d->op, WORD_V8) && elem_of(halves ? WORD_B64 : (enum ops_word)d->op->type, &i->elem);
}

// Whether only some elements of a vector are read.
static bool is_in_part(const struct decode *d, const struct ptx_operand *what)
{
    int used = 0;
    for (int k = 0; what->kind == PTX_VECTOR && k < what->count; k++)
        used += what->items[k].kind == PTX_REGISTER && d->plan->facts.reads[what->items[k].reg];
    return used && used < what->count;
}

static bool names(const struct ptx_operand *o, int reg)
{
    if (o->reg == reg) return true;
    for (int k = 0; k < o->count; k++)
        if (names(&o->items[k], reg)) return true;
    return false;
}

// Whether the register that instruction `at` writes is read before it in the loop: it then carries something from turn
// to turn.
static bool carries(const struct ptx_func *f, size_t from, size_t at)
{
    const struct ptx_inst *in = &f->insts[at];
    if (!in->count || in->operands[0].kind != PTX_REGISTER) return false;
    const int reg = in->operands[0].reg;
    for (size_t k = from; k <= at; k++) {
        if (f->insts[k].guard == reg && k < at) return true;
        for (int o = f->insts[k].count > 1 ? 1 : 0; o < f->insts[k].count; o++)
            if (names(&f->insts[k].operands[o], reg)) return true;
    }
    return false;
}

// A load that is alone in a loop which keeps nothing from turn to turn but what it loads: it waits for somebody.
static bool polls(const struct decode *d)
{
    const struct ptx_func *f = d->plan->f;
    size_t from = d->index, to = d->index;
    while (from > 0 && !f->insts[from].leads && d->index - from < 32) from--;
    for (;; to++) {
        if (to == f->inst_count || to - from > 64 || (to > from && f->insts[to].leads)) return false;
        const struct ptx_inst *in = &f->insts[to];
        const bool jumps = in->op->code == OPS_BRA;
        if (jumps && in->count == 1 && in->operands[0].label == (int)from) return from != to;
        if (jumps && in->guard < 0) return false;
        if (!jumps && to != d->index && !(in->op->class & (CLASS_PURE | CLASS_FENCE | CLASS_WAIT))) return false;
        if (!jumps && carries(f, from, to)) return false;
    }
}

static bool load_or_store(struct decode *d, bool loads)
{
    static const char *const spaces[] = {"global", "shared", "local", "param", "const", "generic"};
    struct inst i = {0};
    if (d->in->count < 2 || !vector_of(d, &i)) return decode_unsupported(d);
    const struct ptx_operand *where = &d->in->operands[loads ? 1 : 0], *what = &d->in->operands[loads ? 0 : 1];
    enum space space = decode_space(d);
    i.space = (uint8_t)space;
    if (!data(d, what, &i, loads)) return false;
    if (space == SPACE_PARAM) {
        if (!parameter(d, where, &i, loads)) return false;
        decode_finish_results(d);
        return true;
    }
    if (!decode_memory_address(d, where, &i)) return false;
    char name[32];
    snprintf(name, sizeof name, "%s.%s", loads ? "ld" : "st", spaces[space]);
    if (!decode_find(d, name)) return decode_unsupported(d);
    struct memory_op *op = describe(d, loads ? ACCESS_LOAD : ACCESS_STORE);
    op->plain = !loads;
    if (op->strong && space == SPACE_SHARED) d->tells = "a volatile access of shared memory";
    if (loads && space <= SPACE_SHARED && i.elem >= ELEM_32 && !ops_has(d->op, WORD_VOLATILE) && is_in_part(d, what))
        d->tells = "a load of a vector of which only parts are used";
    decode_memory_emit(d, name, &i, op);
    const uint32_t site = d->insts[d->count - 1].site;
    decode_finish_results(d);
    if (!loads || i.vector != 1 || space == SPACE_CONST || !polls(d)) return true;
    struct inst *poll = decode_put(d, "poll", i.r[0], 0, 0, 0);
    d->polls = true;
    poll->site = site;
    poll->wide = (i.wide & 2) != 0;
    return true;
}

int decode_atomic_type(const struct decode *d)
{
    switch (d->op->type) {
    case WORD_U32:
    case WORD_B32: return ATOMIC_U32;
    case WORD_S32: return ATOMIC_S32;
    case WORD_U64:
    case WORD_B64: return ATOMIC_U64;
    case WORD_S64: return ATOMIC_S64;
    case WORD_F32: return ATOMIC_F32;
    case WORD_F64: return ATOMIC_F64;
    case WORD_F16: return ATOMIC_F16;
    case WORD_F16X2: return ATOMIC_F16X2;
    case WORD_BF16: return ATOMIC_BF16;
    case WORD_BF16X2: return ATOMIC_BF16X2;
    case WORD_B16: return ATOMIC_B16;
    default: return -1;
    }
}

static bool atomic_names(struct decode *d, struct memory_op *op)
{
    static const enum ops_word ways[] = {WORD_ADD, WORD_MIN, WORD_MAX, WORD_AND, WORD_OR, WORD_XOR, WORD_EXCH, WORD_CAS,
        WORD_INC, WORD_DEC, 0}; // as in enum atomic_op
    const int found = ops_which(d->op, ways), type = decode_atomic_type(d);
    if (found < 0 || type < 0) return false;
    op->atomic = (uint8_t)found;
    op->type = (uint8_t)type;
    return true;
}

// ptxas makes one access for the whole warp where it can see that the address is the same in all lanes, that all lanes
// take part, and that their values can be combined first: sums (also with a result), and what REDUX does on 32 bits;
// sums of 64 bits only of one constant.
static enum rules_form form_of(const struct decode *d, const struct memory_op *op, const struct ptx_operand *o,
    bool used)
{
    const bool constant = o[1].kind == PTX_NUMBER, whole = op->type <= ATOMIC_S64, wide = op->type >= ATOMIC_U64;
    if (op->atomic == ATOMIC_CAS) return RULES_SWAP;
    if (whole && d->plan->facts.uniform[d->index] == 2) {
        if (op->atomic == ATOMIC_ADD && (!wide || constant)) return RULES_AGGREGATE;
        if (!used && !wide && op->atomic >= ATOMIC_MIN && op->atomic <= ATOMIC_XOR) return RULES_AGGREGATE;
    }
    return !used && whole && op->atomic == ATOMIC_ADD && constant && o[1].bits == 1 ? RULES_INCREMENT : RULES_EACH;
}

// What shared memory cannot do by itself: sums of floats, and 64 bits but for swapping them.
static bool loops_on_shared(const struct memory_op *op)
{
    const bool whole = op->type == ATOMIC_U64 || op->type == ATOMIC_S64;
    if (op->atomic == ATOMIC_EXCH || op->atomic == ATOMIC_CAS) return false;
    return whole || op->type == ATOMIC_F32 || op->type == ATOMIC_F64 || op->type == ATOMIC_F16X2 ||
        op->type == ATOMIC_BF16X2;
}

static bool atomic(struct decode *d, bool has_result)
{
    const struct ptx_operand *o = d->in->operands;
    const int first = has_result ? 1 : 0;
    struct memory_op *op = describe(d, ACCESS_REDUCE);
    if (!atomic_names(d, op) || d->in->count < first + 2) return decode_unsupported(d);
    const bool wide = op->type == ATOMIC_U64 || op->type == ATOMIC_S64 || op->type == ATOMIC_F64;
    const bool used = has_result && o[0].kind == PTX_REGISTER && d->plan->facts.reads[o[0].reg] > 0;
    const char lane = wide ? 'l' : 'w';
    struct inst i = {.space = (uint8_t)decode_space(d)};
    if (i.space == SPACE_CONST || i.space == SPACE_PARAM) return decode_unsupported(d);
    if (!decode_memory_address(d, &o[first], &i)) return false;
    i.r[1] = decode_source(d, &o[first + 1], lane);
    if (op->atomic == ATOMIC_CAS) {
        if (d->in->count < first + 3) return decode_unsupported(d);
        i.r[2] = decode_source(d, &o[first + 2], lane);
    }
    if (used) i.r[0] = decode_result(d, &o[0], lane, false);
    if (wide) i.wide |= 2;
    if (d->failed) return false;
    // Where nobody looks at the result ptxas makes a reduction of it, but for two operations that have no such form and
    // for pairs of 16-bit floats at an address of unknown space.
    const bool stays = op->atomic == ATOMIC_CAS || op->atomic == ATOMIC_EXCH ||
        (has_result && (op->type == ATOMIC_BF16X2 || op->type == ATOMIC_F16X2) && i.space == SPACE_GENERIC);
    op->kind = used || stays ? ACCESS_ATOMIC : ACCESS_REDUCE;
    op->form = (uint8_t)form_of(d, op, &o[first], used);
    op->one_place = d->plan->facts.uniform[d->index] > 0;
    const bool halves = op->type == ATOMIC_F16 || op->type == ATOMIC_BF16 || op->type == ATOMIC_B16;
    op->loops = halves || ((i.space == SPACE_SHARED || i.space == SPACE_GENERIC) && loops_on_shared(op));
    if (halves) op->kind = ACCESS_ATOMIC;
    if (op->kind == ACCESS_ATOMIC && has_result && o[0].kind == PTX_REGISTER)
        op->result = d->plan->pace.result[o[0].reg];
    decode_memory_emit(d, "atom", &i, op);
    decode_finish_results(d);
    return true;
}

// How many bytes, or a predicate that says not to look at the source.
static uint32_t bytes_to_read(struct decode *d, const struct ptx_operand *o, uint32_t all)
{
    if (decode_lane(d, o) != 'p') return decode_source(d, o, 'w');
    const uint32_t ignores = decode_source(d, o, 'p'), bytes = decode_temp(d, 'w');
    if (!d->failed) decode_put(d, "selp.32", bytes, decode_constant(d, 'w', 0), decode_constant(d, 'w', all), ignores);
    return bytes;
}

// cp.async.ca.shared.global [to], [from], bytes{, read or ignore}; the copy is done at once; waits and commits
// only tell the watch.
static bool copy_async(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    if (ops_has(d->op, WORD_COMMIT_GROUP)) return decode_emit(d, decode_find(d, "cp.commit")) != NULL;
    if (ops_has(d->op, WORD_WAIT_GROUP) || ops_has(d->op, WORD_WAIT_ALL)) {
        const bool all = ops_has(d->op, WORD_WAIT_ALL);
        if (!all && (d->in->count != 1 || o[0].kind != PTX_NUMBER)) return decode_unsupported(d);
        decode_emit(d, decode_find(d, "cp.wait"))->offset = all ? -1 : (int64_t)o[0].bits;
        return true;
    }
    if (d->in->count < 3 || o[0].kind != PTX_ADDRESS) return decode_unsupported(d);
    struct inst to = {.space = SPACE_SHARED}, i = {.space = SPACE_GLOBAL};
    if (!decode_memory_address(d, &o[0], &to) || !decode_memory_address(d, &o[1], &i)) return false;
    const bool has_size = d->in->count > 3 && !(d->in->count == 4 && ops_has(d->op, WORD_L2_CACHE_HINT));
    uint32_t start = to.r[4];
    if (to.wide) {
        start = decode_temp(d, 'w');
        decode_put(d, "part.32", start, to.r[4], 0, 0);
    }
    i.r[0] = decode_temp(d, 'w');
    decode_put(d, "add.u32", i.r[0], start, decode_constant(d, 'w', (uint64_t)to.offset), 0);
    i.vector = (uint8_t)o[2].bits;
    i.r[1] = has_size ? bytes_to_read(d, &o[3], i.vector) : 0;
    if (d->failed || (i.vector != 4 && i.vector != 8 && i.vector != 16)) return decode_unsupported(d);
    struct memory_op *op = describe(d, ACCESS_LOAD);
    op->unit = UNIT_COPY;
    decode_memory_emit(d, "cp.async", &i, op);
    return true;
}

static bool is_vector(const struct decode *d)
{
    return ops_has(d->op, WORD_V2) || ops_has(d->op, WORD_V4) || ops_has(d->op, WORD_V8);
}

bool decode_memory(struct decode *d)
{
    switch (d->op->code) {
    case OPS_LD:
    case OPS_LDU: return load_or_store(d, true);
    case OPS_ST: return load_or_store(d, false);
    case OPS_ATOM:
    case OPS_RED:
        if (ops_has(d->op, WORD_B128)) return decode_wide_swap(d);
        return is_vector(d) ? decode_wide_atomic(d, d->op->has_result) : atomic(d, d->op->has_result);
    case OPS_ST_ASYNC: return decode_store_async(d, false);
    case OPS_RED_ASYNC: return decode_store_async(d, true);
    case OPS_CP_ASYNC: return copy_async(d);
    case OPS_CP_ARRIVE: return decode_copy_arrives(d);
    case OPS_CP_BULK: return decode_bulk(d, false);
    case OPS_CP_REDUCE: return decode_bulk(d, true);
    case OPS_MULTIMEM:
        return decode_fail(d, "multimem (its address stands for the memory of several GPUs; no buffer has such a one)");
    default: return decode_unsupported(d);
    }
}
