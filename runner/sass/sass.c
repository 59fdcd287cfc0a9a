// Decodes machine code: a table of operations by their lowest nine bits, and where operands stand by the three above.
// SPDX-License-Identifier: MIT
#include "sass/sass.h"

#include <string.h>

static const struct operation {
    const char *name;
    uint16_t code;
    uint8_t shape, pipe;
} rows[SASS_OPS] = {[SASS_UNKNOWN] = {"?", 0xffff, SASS_SHAPE_NONE, SASS_PIPE_NONE},
#define ROW(op, name, code, shape, pipe) [SASS_##op] = {name, code, SASS_SHAPE_##shape, SASS_PIPE_##pipe},
    SASS_OPERATIONS(ROW)
#undef ROW
};

const char *sass_name(enum sass_op op) { return rows[op < SASS_OPS ? op : SASS_UNKNOWN].name; }
enum sass_pipe sass_pipe(enum sass_op op) { return (enum sass_pipe)rows[op < SASS_OPS ? op : SASS_UNKNOWN].pipe; }

enum sass_pipe sass_counted(const struct sass_inst *i)
{
    enum { LANE = 0, THREAD_X = 0x21, THREAD_Z = 0x23 };
    const uint64_t special = sass_bits(i, 72, 8);
    switch ((enum sass_op)i->op) {
    case SASS_ULDC:
    case SASS_UMOV: return SASS_PIPE_NONE;
    case SASS_S2R:
        return special == LANE || (special >= THREAD_X && special <= THREAD_Z) ? SASS_PIPE_LSU : SASS_PIPE_ADU;
    default: return sass_pipe((enum sass_op)i->op);
    }
}

uint64_t sass_bits(const struct sass_inst *i, int from, int count)
{
    const uint64_t all = from >= 64 ? i->hi >> (from - 64) : from == 0 ? i->lo : i->lo >> from | i->hi << (64 - from);
    return all & (((uint64_t)1 << count) - 1);
}

int64_t sass_signed(const struct sass_inst *i, int from, int count)
{
    return (int64_t)(sass_bits(i, from, count) << (64 - count)) >> (64 - count);
}

static struct sass_operand in_register(const struct sass_inst *i, int from, bool uniform)
{
    static const int neg[] = {[24] = 72, [32] = 63, [64] = 75}, abs[] = {[24] = 73, [32] = 62, [64] = 74};
    return (struct sass_operand){.from = uniform ? SASS_UNIFORM : SASS_REGISTER,
        .reg = (uint8_t)sass_bits(i, from, uniform ? 6 : 8),
        .neg = sass_bit(i, neg[from]),
        .abs = sass_bit(i, abs[from])};
}

static struct sass_operand number(const struct sass_inst *i)
{
    return (struct sass_operand){.from = SASS_NUMBER, .value = (uint32_t)sass_bits(i, 32, 32)};
}

static struct sass_operand constant(const struct sass_inst *i)
{
    return (struct sass_operand){.from = SASS_CONSTANT,
        .bank = (uint8_t)sass_bits(i, 54, 5),
        .value = (uint32_t)sass_bits(i, 38, 16),
        .neg = sass_bit(i, 63),
        .abs = sass_bit(i, 62)};
}

// The three sources. Without a meaning for these bits: none.
static bool sources(struct sass_inst *i, bool uniform)
{
    const struct sass_operand far = in_register(i, 64, uniform);
    i->a = in_register(i, 24, uniform);
    switch (i->form) {
    case 1: i->b = in_register(i, 32, uniform), i->c = far; return true;
    case 2: i->b = far, i->c = number(i); return true;
    case 3: i->b = far, i->c = constant(i); return !i->page;
    case 4: i->b = number(i), i->c = far; return true;
    case 5: i->b = constant(i), i->c = far; return !i->page;
    case 6: i->b = in_register(i, 32, true), i->c = far; return i->page;
    case 7: i->b = far, i->c = in_register(i, 32, true); return i->page;
    default: return false;
    }
}

struct sass_inst sass_decode(const unsigned char bits[SASS_BYTES], uint32_t at, int arch)
{
    struct sass_inst i = {.at = at, .arch = (uint8_t)arch};
    memcpy(&i.lo, bits, 8), memcpy(&i.hi, bits + 8, 8);
    const uint64_t code = i.lo & 0x1ff;
    for (int op = 1; op < SASS_OPS && !i.op; op++)
        if (rows[op].code == code) i.op = (uint8_t)op;
    i.form = (uint8_t)sass_bits(&i, 9, 3);
    i.page = sass_bit(&i, 91);
    i.guard = (uint8_t)sass_bits(&i, 12, 3), i.guard_not = sass_bit(&i, 15);
    i.dst = (uint8_t)sass_bits(&i, 16, 8);
    i.stall = (uint8_t)sass_bits(&i, 105, 4), i.yields = !sass_bit(&i, 109);
    i.sets = (uint8_t)sass_bits(&i, 110, 3), i.frees = (uint8_t)sass_bits(&i, 113, 3);
    i.waits = (uint8_t)sass_bits(&i, 116, 6);
    const enum sass_shape shape = (enum sass_shape)rows[i.op].shape;
    const bool uniform = shape == SASS_SHAPE_UALU;
    if ((uniform || shape == SASS_SHAPE_ALU || shape == SASS_SHAPE_ONE) && !sources(&i, uniform)) i.op = SASS_UNKNOWN;
    return i;
}

bool sass_guard_is_uniform(const struct sass_inst *i)
{
    switch ((enum sass_op)i->op) {
    case SASS_SYNCS_EXCH:
    case SASS_UBLKCP:
    case SASS_UBLKRED:
    case SASS_UBLKPF:
    case SASS_UTMALDG:
    case SASS_UTMASTG:
    case SASS_UTMAREDG:
    case SASS_UTMAPF:
    case SASS_UTMACCTL:
    case SASS_UTMACMDFLUSH:
    case SASS_UCGABAR: return true;
    default: return rows[i->op].pipe == SASS_PIPE_UNIFORM;
    }
}

int64_t sass_distance(const struct sass_inst *i)
{
    if (i->arch < 90) return sass_signed(i, 34, 48) * 4;
    return (sass_signed(i, 34, 48) * 256 + (int64_t)sass_bits(i, 16, 8)) * 4;
}

bool sass_target(const struct sass_inst *i, uint32_t *target)
{
    int64_t by;
    switch ((enum sass_op)i->op) {
    case SASS_BRA:
    case SASS_CALL_REL:
        if (i->form == 1) return false; // in a register
        by = sass_distance(i);
        break;
    case SASS_WARPSYNC_ALL: // .COLLECTIVE: where its lanes go on
        if (sass_bits(i, 85, 2) != 2) return false;
        by = sass_distance(i);
        break;
    case SASS_BSSY: by = sass_signed(i, 34, 30) * 4; break;
    default: return false;
    }
    const int64_t to = (int64_t)i->at + SASS_BYTES + by;
    if (to < 0 || to > UINT32_MAX || to % SASS_BYTES) return false;
    *target = (uint32_t)to;
    return true;
}

bool sass_ends(const struct sass_inst *i)
{
    switch ((enum sass_op)i->op) {
    case SASS_NANOSLEEP:
    case SASS_BMOV_R:
    case SASS_BMOV_B:
    case SASS_LEPC: return false;
    case SASS_BAR:
    case SASS_ATOM:
    case SASS_ATOM_CAS:
    case SASS_ATOMG:
    case SASS_ATOMG_CAS:
    case SASS_ATOMS:
    case SASS_ATOMS_CAS:
    case SASS_UCGABAR:
    case SASS_SYNCS: return true;
    default: return rows[i->op].shape == SASS_SHAPE_FLOW;
    }
}

uint32_t sass_width(const struct sass_inst *i)
{
    static const uint8_t bytes[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    switch ((enum sass_op)i->op) {
    case SASS_LD:
    case SASS_LDG:
    case SASS_LDL:
    case SASS_LDS:
    case SASS_LDC:
    case SASS_ST:
    case SASS_STG:
    case SASS_STL:
    case SASS_STS:
    case SASS_ULDC:
    case SASS_ULDC_AT: return bytes[sass_bits(i, 73, 3)];
    default: return 0;
    }
}
