// Matrix instructions: mma and wmma.mma, wmma's loads and stores, ldmatrix, stmatrix, movmatrix. Shapes and types are
// read from the mnemonic; how many registers that makes follows from them.
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/matrix.h"
#include "sim/watch/flight.h"

static bool decode_sparse(struct decode *, struct matrix_sparse *, int type, unsigned k,
    const struct ptx_operand *meta);

// Which registers a product of a warp group works on, and where each of them is read or written meanwhile: found here,
// asked by watch/flight.c where it is watched.

enum { SUM = 1, FACTOR = 2 };

static bool is_product(const struct ptx_inst *in)
{
    return in->op->code == OPS_WGMMA && ops_has(in->op, WORD_MMA_ASYNC);
}

static bool is_move(const struct ptx_inst *in)
{
    return in->op->code == OPS_MOV && in->count == 2 && in->operands[0].kind == PTX_REGISTER &&
        in->operands[1].kind == PTX_REGISTER;
}

static void mark(uint8_t *marks, const struct ptx_operand *o, uint8_t as)
{
    for (int k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (o->items[k].kind == PTX_REGISTER) marks[o->items[k].reg] |= as;
}

static bool mark_products(const struct ptx_func *f, uint8_t *marks)
{
    bool any = false;
    for (size_t k = 0; k < f->inst_count; k++) {
        if (!is_product(&f->insts[k])) continue;
        any = true;
        mark(marks, &f->insts[k].operands[0], SUM);
        mark(marks, &f->insts[k].operands[1], FACTOR);
    }
    return any;
}

// A compiler moves sums from register to register while they are made; the machine code has no such moves.
static bool mark_moved(const struct ptx_func *f, uint8_t *marks)
{
    bool more = false;
    for (size_t k = 0; k < f->inst_count; k++) {
        const struct ptx_operand *o = f->insts[k].operands;
        if (!is_move(&f->insts[k]) || !(marks[o[1].reg] & SUM) || marks[o[0].reg] & SUM) continue;
        marks[o[0].reg] |= SUM;
        more = true;
    }
    return more;
}

void decode_flight_plan(struct decode *d)
{
    uint32_t at = d->slots + (uint32_t)sizeof(struct flight_groups);
    for (struct decode_plan *p = d->plans; p; p = p->next) {
        uint8_t *marks = arena_alloc(d->arena, p->f->reg_count + 1);
        if (!mark_products(p->f, marks)) continue;
        while (mark_moved(p->f, marks)) {}
        d->group_slot = d->slots;
        p->flying = arena_alloc(d->arena, (p->f->reg_count + 1) * sizeof *p->flying);
        p->touched = arena_alloc(d->arena, (p->f->reg_count + 1) * sizeof *p->touched);
        for (size_t r = 0; r < p->f->reg_count; r++)
            if (marks[r]) p->flying[r] = at, at += (uint32_t)sizeof(struct flight_word);
    }
    if (!d->group_slot) return;
    d->group_bytes = at - d->slots;
    d->slots = (at + 63) / 64 * 64;
}

void decode_flight_begin(struct decode *d)
{
    if (d->group_slot) decode_put(d, "flight.begin", 0, d->group_slot, 0, 0)->offset = d->group_bytes;
}

static uint32_t note(struct decode *d, const struct ptx_operand *o, uint32_t *words)
{
    uint32_t count = 0;
    for (int k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (o->items[k].kind == PTX_REGISTER) words[count++] = d->plan->flying[o->items[k].reg];
    return count;
}

static void decode_flight_product(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    uint32_t words[2 * PTX_MOST_ITEMS];
    struct flight_product *p = arena_alloc(d->arena, sizeof *p);
    p->sums = note(d, &o[0], words);
    p->count = p->sums + note(d, &o[1], words + p->sums);
    p->words = arena_copy(d->arena, words, p->count * sizeof *words);
    decode_put(d, "flight.product", 0, d->group_slot, 0, 0)->product = p;
    d->touch++;
}

// Commit_group
static void decode_flight_close(struct decode *d)
{
    if (d->group_slot) decode_put(d, "flight.close", 0, d->group_slot, 0, 0);
}

static void decode_flight_wait(struct decode *d, int64_t left)
{
    if (d->group_slot) decode_put(d, "flight.wait", 0, d->group_slot, 0, 0)->offset = left;
    d->touch++;
}

bool decode_flight_is_move(const struct decode *d)
{
    return d->plan->flying && is_move(d->in) && d->plan->flying[d->in->operands[0].reg] &&
        d->plan->flying[d->in->operands[1].reg];
}

void decode_flight_move(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    decode_put(d, "flight.move", d->plan->flying[o[0].reg], d->plan->flying[o[1].reg], 0, 0);
    d->touch++;
}

void decode_flight_touch(struct decode *d, int reg, bool writes)
{
    if (!d->plan->flying || !d->plan->flying[reg] || d->moves_sums) return;
    const uint32_t now = 2 * d->touch + 2 + writes; // once is enough between two of these instructions
    if (d->plan->touched[reg] == now || d->plan->touched[reg] == now + !writes) return;
    d->plan->touched[reg] = now;
    decode_put(d, "flight.touch", 0, d->group_slot, d->plan->flying[reg], 0)->offset = writes;
}

// wgmma: products of a warp group. Each is done at once; what orders them is for who watches.

// Of a word of the mnemonic: enum matrix_type; -1: none.
static int type_of(const struct decode *d, int word)
{
    static const enum ops_word types[MATRIX_TYPES] = {WORD_F16, WORD_BF16, WORD_TF32, WORD_F32, WORD_F64, WORD_S8,
        WORD_U8, WORD_S4, WORD_U4, WORD_B1, WORD_E4M3, WORD_E5M2, WORD_S32};
    for (int k = 0; k < MATRIX_TYPES; k++)
        if (types[k] == d->op->part[word]) return k;
    return -1;
}

// The group_shape, and the types of sums and factors.
static bool group_shape(const struct decode *d, struct group_op *op)
{
    unsigned m, n, k;
    int types[3], count = 0;
    bool shaped = false;
    for (int i = 2; i < d->op->count; i++) {
        const int type = type_of(d, i);
        if (type >= 0 && count < 3) types[count++] = type;
        if (sscanf(ops_written(d->op, i), "m%un%uk%u", &m, &n, &k) != 3) continue;
        shaped = m == 64 && n >= 8 && n <= 256 && n % 8 == 0 && k <= 256;
        op->n = (uint16_t)n, op->k = (uint16_t)k;
    }
    if (!shaped || count != 3) return false;
    op->d = (uint8_t)types[0], op->a = (uint8_t)types[1], op->b = (uint8_t)types[2];
    return k == (op->is_sparse ? 512u : 256u) / matrix_bits[op->a] &&
        (op->d == MATRIX_F16 || op->d == MATRIX_F32 || op->d == MATRIX_S32);
}

static bool whole_number(const struct ptx_inst *in, int at, int64_t *value)
{
    if (at >= in->count || in->operands[at].kind != PTX_NUMBER) return false;
    *value = (int64_t)in->operands[at].bits;
    return true;
}

// What comes behind the factors: whether to add, then for floats the signs, then for halves which factors are turned.
static bool choices(struct decode *d, struct group_op *op, int at)
{
    const struct ptx_inst *in = d->in;
    const bool floats = op->d != MATRIX_S32, halves = op->a == MATRIX_F16 || op->a == MATRIX_BF16;
    int64_t sign_a = 1, sign_b = 1, turned_a = 0, turned_b = 0;
    if (at >= in->count) return decode_unsupported(d);
    op->adds = decode_source(d, &in->operands[at++], 'p');
    if (floats && (!whole_number(in, at++, &sign_a) || !whole_number(in, at++, &sign_b))) return decode_unsupported(d);
    if (halves && op->a_tile && !whole_number(in, at++, &turned_a)) return decode_unsupported(d);
    if (halves && !whole_number(in, at++, &turned_b)) return decode_unsupported(d);
    op->minus = sign_a * sign_b < 0;
    op->a_turned = turned_a != 0, op->b_turned = turned_b != 0;
    return in->count == at || decode_unsupported(d);
}

static bool product(struct decode *d)
{
    struct group_op op = {
        .memory = {.name = d->op->name, .kind = ACCESS_LOAD}, .saturates = ops_has(d->op, WORD_SATFINITE)};
    const struct ptx_operand *o = d->in->operands;
    op.is_sparse = ops_has(d->op, WORD_SP);
    if (d->in->count < (op.is_sparse ? 6 : 4) || !group_shape(d, &op)) return decode_unsupported(d);
    const int sums = op.d == MATRIX_F16 ? op.n / 4 : op.n / 2;
    if (o[0].kind != PTX_VECTOR || o[0].count != sums) return decode_unsupported(d);
    d->moves_sums = true; // products may follow each other without a wait
    for (int k = 0; k < sums; k++) op.at_d[k] = decode_result(d, &o[0].items[k], 'w', false);
    d->moves_sums = false;
    if (o[1].kind == PTX_VECTOR) {
        if (o[1].count != 4) return decode_unsupported(d);
        for (int k = 0; k < 4; k++) op.at_a[k] = decode_source(d, &o[1].items[k], 'w');
    } else op.a_tile = decode_source(d, &o[1], 'l');
    op.b_tile = decode_source(d, &o[2], 'l');
    if (op.is_sparse && !decode_sparse(d, &op.sparse, op.a, op.k, &o[3])) return false;
    if (!choices(d, &op, op.is_sparse ? 5 : 3) || d->failed) return false;
    decode_memory_emit(d, "wgmma", &(struct inst){.space = SPACE_CONST}, arena_copy(d->arena, &op, sizeof op));
    decode_finish_results(d);
    if (!d->failed) decode_flight_product(d);
    return !d->failed;
}

bool decode_group(struct decode *d)
{
    int64_t left;
    switch (d->op->count > 1 ? d->op->part[1] : WORD_UNKNOWN) {
    case WORD_FENCE: return true;
    case WORD_COMMIT_GROUP: decode_flight_close(d); return true;
    case WORD_WAIT_GROUP:
        if (!whole_number(d->in, 0, &left)) return decode_unsupported(d);
        decode_flight_wait(d, left);
        decode_put(d, "wgmma.wait", 0, 0, 0, 0);
        return true;
    case WORD_MMA_ASYNC: return product(d);
    default: return decode_unsupported(d);
    }
}

// Whole pieces, as matrix.h has them: other shapes do not exist.
static bool shape(const struct decode *d, unsigned *m, unsigned *n, unsigned *k)
{
    for (int i = 1; i < d->op->count; i++)
        if (sscanf(ops_written(d->op, i), "m%un%uk%u", m, n, k) == 3)
            return *m <= 32 && *n <= 32 && *k <= 256 && *m % 8 == 0 && *n % 8 == 0;
    return false;
}

static bool deep(unsigned k, int type) // a factor's pieces along its depth are whole
{
    return type == MATRIX_F64 ? k % 4 == 0 : k * matrix_bits[type] % 128 == 0;
}

static int words(int rows, int cols, int type) // registers of a factor
{
    return type == MATRIX_F64 ? rows * cols / LANES : rows * cols * matrix_bits[type] / 32 / LANES;
}

static int sums(int rows, int cols, int type)
{
    const int all = rows * cols / LANES;
    return type == MATRIX_F16 || type == MATRIX_BF16 ? all / 2 : all;
}

// The registers of a fragment: `need` of them count, and wmma asks for up to four times as many.
static bool registers(struct decode *d, const struct ptx_operand *o, int type, int need, bool loads, uint32_t *slots,
    uint8_t *count)
{
    const struct ptx_operand *items = o->kind == PTX_VECTOR ? o->items : o;
    const int have = o->kind == PTX_VECTOR ? o->count : 1;
    if (!need || have > MATRIX_MOST || have % need != 0 || have > 4 * need) return decode_unsupported(d);
    for (int k = 0; k < have; k++) {
        const char lane = type == MATRIX_F64 ? 'l' : 'w';
        slots[k] = loads ? decode_result(d, &items[k], lane, false) : decode_source(d, &items[k], lane);
    }
    *count = (uint8_t)have;
    return !d->failed;
}

// Which of the left factor is there: metadata and selector.
static bool decode_sparse(struct decode *d, struct matrix_sparse *s, int type, unsigned k,
    const struct ptx_operand *meta)
{
    const struct ptx_operand *selector = meta + 1;
    const bool nibbles = matrix_bits[type] == 4, bytes = matrix_bits[type] == 8;
    if (selector->kind != PTX_NUMBER) return decode_unsupported(d);
    s->group = nibbles ? 8 : type == MATRIX_TF32 ? 2 : 4;
    s->by_row = nibbles || bytes;
    s->at_meta = decode_source(d, meta, 'w');
    s->selector = (uint32_t)selector->bits;
    const unsigned lanes = k / s->group / 4; // of four, that give bits
    if (lanes < 1 || lanes > 4 || s->selector >= 4 / lanes) return decode_unsupported(d);
    return !d->failed;
}

static bool multiply(struct decode *d)
{
    struct matrix_op op = {.saturates = ops_has(d->op, WORD_SATFINITE), .xors = ops_has(d->op, WORD_XOR)};
    const bool is_sparse = ops_has(d->op, WORD_SP) || ops_has(d->op, WORD_SP_ORDERED_METADATA);
    int types[8] = {0}, count = 0;
    unsigned m, n, k;
    if (d->in->count != (is_sparse ? 6 : 4) || !shape(d, &m, &n, &k)) return decode_unsupported(d);
    for (int i = 1; i < d->op->count && count < 8; i++)
        if (type_of(d, i) >= 0) types[count++] = type_of(d, i);
    const bool halves = count == 2; // wmma of halves names the sums only
    const bool quads = d->op->code == OPS_MMA && m == 8 && k == 4 && count == 4 && types[1] == MATRIX_F16;
    if (!halves && count != 4) return decode_unsupported(d);
    op.m = (uint16_t)m, op.n = (uint16_t)n, op.k = (uint16_t)k;
    op.d = (uint8_t)types[0], op.a = (uint8_t)(halves ? MATRIX_F16 : types[1]);
    op.b = (uint8_t)(halves ? MATRIX_F16 : types[2]), op.c = (uint8_t)types[count - 1];
    if (is_sparse && (m != 16 || n != 8)) return decode_unsupported(d);
    if (is_sparse && !decode_sparse(d, &op.sparse, op.a, k, &d->in->operands[4])) return false;
    if (quads) { // four products side by side: twice the registers
        op.a_columns = d->op->part[d->op->count - 6] == WORD_COL;
        op.b_columns = d->op->part[d->op->count - 5] == WORD_COL;
        m = n = 16;
    }
    const struct ptx_operand *o = d->in->operands;
    const int depth = is_sparse ? (int)k / 2 : (int)k;
    if (!quads && (!deep((unsigned)depth, op.a) || !deep(k, op.b))) return decode_unsupported(d);
    const int need_a = quads ? 2 : words((int)m, depth, op.a), need_b = quads ? 2 : words((int)k, (int)n, op.b);
    if (!registers(d, &o[1], op.a, need_a, false, op.at_a, &op.count_a) ||
        !registers(d, &o[2], op.b, need_b, false, op.at_b, &op.count_b) ||
        !registers(d, &o[3], op.c, sums((int)m, (int)n, op.c), false, op.at_c, &op.count_c) ||
        !registers(d, &o[0], op.d, sums((int)m, (int)n, op.d), true, op.at_d, &op.count_d))
        return false;
    decode_emit(d, decode_find(d, quads ? "mma.quads" : "mma"))->matrix = arena_copy(d->arena, &op, sizeof op);
    decode_finish_results(d);
    return !d->failed;
}

static bool emit_move(struct decode *d, const char *name, const struct ptx_operand *where, struct matrix_move *move)
{
    struct inst i = {.space = (uint8_t)decode_space(d)};
    if (i.space > SPACE_LOCAL && i.space != SPACE_GENERIC) return decode_unsupported(d);
    if (!decode_memory_address(d, where, &i)) return false;
    move->memory.name = d->op->name;
    move->memory.unit = move->which == 'm' ? UNIT_LANES : UNIT_TILE;
    move->memory.kind = move->stores ? ACCESS_STORE : ACCESS_LOAD;
    decode_memory_emit(d, name, &i, arena_copy(d->arena, move, sizeof *move));
    decode_finish_results(d);
    return !d->failed;
}

// wmma.load.a.sync.aligned.LAYOUT.SHAPE{.space}.TYPE {…}, [from]{, stride}; wmma.store.d … [to], {…}{, stride}
static bool fragment(struct decode *d, bool stores)
{
    struct matrix_move move = {.stores = stores, .columns = ops_has(d->op, WORD_COL)};
    const struct ptx_operand *o = d->in->operands;
    unsigned m, n, k;
    const char which = ops_written(d->op, 2)[0];
    const int type = type_of(d, d->op->count - 1);
    if (d->in->count < 2 || type < 0 || !shape(d, &m, &n, &k) || ops_written(d->op, 2)[1]) return decode_unsupported(d);
    const bool a = which == 'a', b = which == 'b';
    if ((a || b) && !deep(k, type)) return decode_unsupported(d);
    move.which = a ? 'a' : b ? 'b' : 'c';
    move.rows = (uint16_t)(b ? k : m), move.cols = (uint16_t)(a ? k : n);
    move.bits = matrix_bits[type];
    if (!a && !b && m == 8 && n == 32) { // tensor cores make its transpose
        move.rows = (uint16_t)n, move.cols = (uint16_t)m;
        move.columns = !move.columns;
    }
    if (move.bits < 8) { // words of them, along the depth
        move.rows = (uint16_t)(b ? move.rows * move.bits / 32 : move.rows);
        move.cols = (uint16_t)(a ? move.cols * move.bits / 32 : move.cols);
    }
    const int need = a || b ? words((int)(b ? k : m), (int)(a ? k : n), type) : sums((int)m, (int)n, type);
    if (!registers(d, &o[stores ? 1 : 0], type, need, !stores, move.at, &move.count)) return false;
    move.lead = move.columns ? move.rows : move.cols;
    if (d->in->count > 2) move.stride = decode_source(d, &o[2], 'w');
    if (move.bits < 8 && move.stride) { // given in elements
        const uint32_t temp = decode_temp(d, 'w');
        decode_put(d, "shr.u32", temp, move.stride, decode_constant(d, 'w', move.bits == 4 ? 3 : 5), 0);
        move.stride = temp;
    }
    if (move.bits < 8) move.bits = 32;
    const bool along = b == move.columns; // a lane's elements lie side by side
    if ((move.bits == 16 || (move.bits == 8 && along)) && !stores && (a || b)) move.memory.matrices = 4;
    return emit_move(d, "fragment", &o[stores ? 0 : 1], &move);
}

// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {…}, [from]; stmatrix the other way round.
static bool rows(struct decode *d, bool stores)
{
    const struct ptx_operand *o = d->in->operands;
    const int count = ops_has(d->op, WORD_X4) ? 4 : ops_has(d->op, WORD_X2) ? 2 : 1;
    struct matrix_move move = {.which = 'm', .stores = stores, .columns = ops_has(d->op, WORD_TRANS), .bits = 16};
    if (d->in->count != 2 || !ops_has(d->op, WORD_M8N8) || d->op->type != WORD_B16) return decode_unsupported(d);
    if (!registers(d, &o[stores ? 1 : 0], MATRIX_F16, count, !stores, move.at, &move.count) || move.count != count)
        return decode_unsupported(d);
    move.memory.matrices = 4;
    return emit_move(d, "matrix.rows", &o[stores ? 0 : 1], &move);
}

static bool transpose(struct decode *d)
{
    if (d->in->count != 2) return decode_unsupported(d);
    const uint32_t from = decode_source(d, &d->in->operands[1], 'w'),
                   to = decode_result(d, &d->in->operands[0], 'w', false);
    if (!d->failed) decode_put(d, "matrix.transpose", to, from, 0, 0);
    decode_finish_results(d);
    return !d->failed;
}

bool decode_matrix(struct decode *d)
{
    d->joint = true;
    switch (d->op->code) {
    case OPS_MMA:
    case OPS_WMMA_MMA: return multiply(d);
    case OPS_WMMA_LOAD: return fragment(d, false);
    case OPS_WMMA_STORE: return fragment(d, true);
    case OPS_LDMATRIX: return rows(d, false);
    case OPS_STMATRIX: return rows(d, true);
    default: return transpose(d);
    }
}
