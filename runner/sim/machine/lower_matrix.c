// Tensor cores: products of matrices, and matrices between shared memory and registers. Registers hold them as PTX
// does (sim/ops/matrix.h).
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/machine/lower.h"
#include "sim/ops/matrix.h"

enum { DEPTH_64 = 2 * MACHINE_REGISTER };

static uint32_t one_register(struct lower *l, uint32_t first, uint32_t k, bool read)
{
    if (first == SASS_RZ) return read ? l->zero : l->trash + k * MACHINE_REGISTER;
    return lower_register(l, first + k, read);
}

// A factor or the sums, from register `first` on. Doubles are in two registers each: they are gathered.
static void operand(struct lower *l, uint32_t first, int elements, int type, uint32_t *at, uint8_t *count)
{
    *count = (uint8_t)(elements * matrix_bits[type] / 32 / LANES);
    if (type == MATRIX_F64) *count /= 2;
    for (uint32_t k = 0; k < *count; k++) {
        if (type != MATRIX_F64) {
            at[k] = one_register(l, first, k, true);
            continue;
        }
        at[k] = lower_slot(l, DEPTH_64);
        lower_put(l, "m_pair", at[k], one_register(l, first, 2 * k, true), one_register(l, first, 2 * k + 1, true), 0)
            ->guard = 0;
    }
}

static void multiply(struct lower *l, struct matrix_op op, uint32_t meta)
{
    const struct sass_inst *in = l->in;
    const int rows = op.m, depth = op.sparse.group ? op.k / 2 : op.k;
    uint32_t results[MATRIX_MOST];
    operand(l, (uint32_t)sass_bits(in, 24, 8), rows * depth, op.a, op.at_a, &op.count_a);
    operand(l, (uint32_t)sass_bits(in, 32, 8), op.n * op.k, op.b, op.at_b, &op.count_b);
    operand(l, (uint32_t)sass_bits(in, 64, 8), rows * op.n, op.c, op.at_c, &op.count_c);
    op.count_d = op.count_c;
    for (uint32_t k = 0; k < op.count_d; k++) {
        results[k] = one_register(l, in->dst, op.d == MATRIX_F64 ? 2 * k : k, false);
        op.at_d[k] = op.d == MATRIX_F64 ? lower_slot(l, DEPTH_64) : results[k];
    }
    if (op.sparse.group) {
        const uint32_t lanes = op.k / op.sparse.group / 4u; // of four, that give metadata
        op.sparse.at_meta = one_register(l, meta, 0, true);
        op.sparse.selector = (uint32_t)sass_bits(in, 48, 2);
        if (lanes < 1 || lanes > 4 || op.sparse.selector >= 4 / lanes) lower_fail(l, "a form of sparse factors");
    }
    if (sass_bits(in, 87, 4)) lower_fail(l, "a product that a predicate changes");
    lower_emit(l, "mma")->matrix = arena_copy(l->arena, &op, sizeof op);
    for (uint32_t k = 0; op.d == MATRIX_F64 && k < op.count_d; k++)
        lower_put(l, "m_unpair", results[k], op.at_d[k], 0, 0);
}

static bool halves(struct lower *l)
{
    static const uint8_t dense[4] = {8, 16, 4, 0}, sparse[4] = {8, 16, 0, 32};
    static const uint8_t types[4] = {MATRIX_F16, MATRIX_BF16, MATRIX_TF32, MATRIX_TYPES};
    const struct sass_inst *in = l->in;
    const bool some = sass_bit(in, 73);
    const unsigned size = (unsigned)(sass_bit(in, 78) << 1 | sass_bit(in, 75));
    const uint8_t type = types[sass_bits(in, 82, 2)], sum = sass_bit(in, 76) ? MATRIX_F32 : MATRIX_F16;
    struct matrix_op op = {.m = 16, .n = 8, .k = some ? sparse[size] : dense[size]};
    op.a = op.b = type, op.c = op.d = sum;
    op.sparse.group = !some ? 0 : type == MATRIX_TF32 ? 2 : 4;
    if (type == MATRIX_TYPES || !op.k || sass_bit(in, 72) || sass_bit(in, 63)) return lower_fail(l, "a form of HMMA");
    return multiply(l, op, (uint32_t)sass_bits(in, 40, 8)), true;
}

static bool integers(struct lower *l)
{
    const struct sass_inst *in = l->in;
    const bool some = sass_bit(in, 72);
    const unsigned size = (unsigned)(sass_bits(in, 85, 2) << 1 | sass_bit(in, 75));
    const unsigned a = (unsigned)((unsigned)sass_bit(in, 83) << 2 | sass_bits(in, 76, 2)),
                   b = (unsigned)((unsigned)sass_bit(in, 84) << 2 | sass_bits(in, 78, 2));
    static const uint8_t dense[8] = {16, 0, 0, 0, 16, 32, 0, 0}, sparse[8] = {0, 0, 32, 0, 0, 32, 64, 0};
    struct matrix_op op = {.m = size < 4 ? 8 : 16, .n = 8, .k = some ? sparse[size] : dense[size]};
    op.a = a ? MATRIX_S8 : MATRIX_U8, op.b = b ? MATRIX_S8 : MATRIX_U8;
    op.c = op.d = MATRIX_S32;
    op.saturates = sass_bit(in, 82);
    op.sparse.group = some ? 4 : 0, op.sparse.by_row = some;
    if (!op.k || a > 1 || b > 1) return lower_fail(l, "a form of IMMA");
    return multiply(l, op, (uint32_t)sass_bits(in, 40, 8)), true;
}

static bool bits(struct lower *l)
{
    static const uint16_t depths[4] = {128, 128, 256, 0};
    enum { BOTH = 2 }; // bits that are set in both factors
    const struct sass_inst *in = l->in;
    const unsigned size = (unsigned)sass_bits(in, 75, 2);
    struct matrix_op op = {.m = size ? 16 : 8, .n = 8, .k = depths[size], .a = MATRIX_B1, .b = MATRIX_B1};
    op.c = op.d = MATRIX_S32;
    if (!op.k || sass_bits(in, 77, 2) != BOTH) return lower_fail(l, "a form of BMMA");
    return multiply(l, op, 0), true;
}

static bool doubles(struct lower *l)
{
    static const uint8_t depths[4] = {4, 4, 8, 16};
    const struct sass_inst *in = l->in;
    const unsigned size = (unsigned)sass_bits(in, 76, 2);
    struct matrix_op op = {.m = size ? 16 : 8, .n = 8, .k = depths[size]};
    op.a = op.b = op.c = op.d = MATRIX_F64;
    const bool signs = sass_bits(in, 72, 4) || sass_bits(in, 62, 2);
    if (signs || sass_bits(in, 78, 2)) return lower_fail(l, "a form of DMMA");
    return multiply(l, op, 0), true;
}

// LDSM, STSM: lane 8k + r has the address of row r of matrix k.
static bool rows(struct lower *l, bool stores)
{
    const struct sass_inst *in = l->in;
    static const uint8_t counts[4] = {1, 2, 4, 0};
    struct matrix_move move = {.which = 'm', .stores = stores, .columns = sass_bit(in, 78), .bits = 16};
    move.count = counts[sass_bits(in, 72, 2)];
    if (!move.count || sass_bits(in, 75, 3) || sass_bit(in, 79)) return lower_fail(l, "a form of LDSM");
    const uint32_t first = stores ? (uint32_t)sass_bits(in, 32, 8) : in->dst;
    for (uint32_t k = 0; k < move.count; k++) move.at[k] = one_register(l, first, k, stores);
    const uint32_t at = lower_near_address(l, stores ? 64 : 32);
    struct inst *i = lower_emit(l, "matrix.rows");
    i->r[4] = at, i->offset = sass_signed(in, 40, 24), i->space = SPACE_SHARED;
    struct memory_op *m = lower_access(l, i, stores ? ACCESS_STORE : ACCESS_LOAD);
    m->matrices = 4, m->plain = false;
    move.memory = *m;
    i->move = arena_copy(l->arena, &move, sizeof move);
    return true;
}

// What the factors and the sums of a product of a warp group are.
static bool group_types(struct lower *l, struct group_op *op)
{
    static const uint8_t halves[4] = {MATRIX_F16, MATRIX_BF16, MATRIX_TF32, MATRIX_TYPES};
    const struct sass_inst *in = l->in;
    op->d = sass_bit(in, 75) ? MATRIX_F32 : MATRIX_F16;
    switch ((enum sass_op)in->op) {
    case SASS_HGMMA:
        op->a = op->b = halves[sass_bits(in, 76, 2)];
        if (op->a == MATRIX_TYPES) return false;
        break;
    case SASS_QGMMA:
        op->a = sass_bit(in, 76) ? MATRIX_E5M2 : MATRIX_E4M3, op->b = sass_bit(in, 77) ? MATRIX_E5M2 : MATRIX_E4M3;
        break;
    case SASS_IGMMA:
        op->a = sass_bit(in, 76) ? MATRIX_S8 : MATRIX_U8, op->b = sass_bit(in, 82) ? MATRIX_S8 : MATRIX_U8;
        op->d = MATRIX_S32, op->saturates = sass_bit(in, 75);
        break;
    default: op->a = op->b = MATRIX_B1, op->d = MATRIX_S32;
    }
    op->k = (uint16_t)(256 / matrix_bits[op->a]);
    return true;
}

static uint32_t descriptor(struct lower *l, uint32_t reg, uint32_t to)
{
    lower_put(l, "m_pair", to, lower_uniform(l, reg, true), lower_uniform(l, reg + 1, true), 0)->guard = 0;
    return to;
}

// Descriptors are four uniform registers: the left factor's, then the right one's; or the left one is in registers.
static bool group(struct lower *l)
{
    enum { IN_REGISTERS = 6, IN_SHARED = 4 };
    const struct sass_inst *in = l->in;
    const uint32_t sums = (uint32_t)sass_bits(in, 64, 8), adds = (uint32_t)sass_bits(in, 87, 3);
    const bool never = !adds && sass_bit(in, 90), floats = in->op == SASS_HGMMA || in->op == SASS_QGMMA;
    struct group_op op = {.n = (uint16_t)(8 + 8 * sass_bits(in, 53, 5))};
    if (in->dst == SASS_RZ) return true; // the end of a chain: nothing is multiplied
    if ((in->form != IN_REGISTERS && in->form != IN_SHARED) || sass_bits(in, 73, 2) || !group_types(l, &op) ||
        (adds && sass_bit(in, 90)) || sums != (never ? SASS_RZ : in->dst))
        return lower_fail(l, "a form of a product of a warp group");
    op.minus = floats && sass_bit(in, 72) != sass_bit(in, 63);
    op.a_turned = floats && sass_bit(in, 61), op.b_turned = floats && sass_bit(in, 62);
    op.adds = never ? l->zero : adds ? l->uniform_predicates + 4 * (SASS_PT - adds) : l->all;
    const uint32_t left = (uint32_t)sass_bits(in, 24, 8);
    if (in->form == IN_SHARED) {
        op.a_tile = descriptor(l, left & 63, l->wide[0]);
        op.b_tile = descriptor(l, (left & 63) + 2, l->wide[1]);
    } else {
        for (uint32_t k = 0; k < 4; k++) op.at_a[k] = one_register(l, left, k, true);
        op.b_tile = descriptor(l, (uint32_t)sass_bits(in, 32, 6) + 2, l->wide[1]);
    }
    for (uint32_t k = 0; k < (op.d == MATRIX_F16 ? op.n / 4u : op.n / 2u); k++)
        op.at_d[k] = lower_register(l, in->dst + k, false);
    struct inst *i = lower_emit(l, "wgmma");
    i->space = SPACE_CONST;
    op.memory = *lower_access(l, i, ACCESS_LOAD);
    i->group = arena_copy(l->arena, &op, sizeof op);
    return true;
}

bool lower_matrix(struct lower *l)
{
    const struct sass_inst *in = l->in;
    switch ((enum sass_op)in->op) {
    case SASS_HMMA: return halves(l);
    case SASS_IMMA: return integers(l);
    case SASS_BMMA: return bits(l);
    case SASS_DMMA: return doubles(l);
    case SASS_LDSM: return rows(l, false);
    case SASS_STSM: return rows(l, true);
    case SASS_HGMMA:
    case SASS_QGMMA:
    case SASS_IGMMA:
    case SASS_BGMMA: return group(l);
    case SASS_WARPGROUP: // arrives (a fence), or waits
        if (sass_bit(in, 47)) lower_put(l, "wgmma.wait", 0, 0, 0, 0);
        return true;
    case SASS_MOVM:
        if (sass_bits(in, 75, 5)) return lower_fail(l, "a form of MOVM");
        lower_put(l, "matrix.transpose", lower_register(l, in->dst, false),
            lower_register(l, (uint32_t)sass_bits(in, 24, 8), true), 0, 0);
        return true;
    default: return false;
    }
}
