// Textures and surfaces by an object whose handle is in a uniform register.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/machine/lower.h"
#include "sim/ops/tables.h"

enum { BY_UNIFORM = 7 };

// Bits 61 to 63 say how many dimensions, a layer before them: its number is the first coordinate. All coordinates are
// side by side. The level, in the second operand, is the only one that there is.
static bool shape(const struct lower *l, struct texture_op *op)
{
    enum { CUBE = 3, LAYERED = 4 };
    const unsigned form = (unsigned)sass_bits(l->in, 61, 3), n = form & 3;
    op->layered = form & LAYERED, op->cube = n == CUBE, op->rank = (uint8_t)(op->cube ? 2 : n + 1);
    op->coords = (uint8_t)(op->rank + op->layered + op->cube);
    return !(op->layered && n == 2);
}

// Of four channels those of a mask are stored: the first two from one register on, the others from another on.
static void results(struct lower *l, struct texture_op *op)
{
    const unsigned mask = (unsigned)sass_bits(l->in, 72, 4);
    const uint32_t first[2] = {l->in->dst, (uint32_t)sass_bits(l->in, 64, 8)};
    uint32_t n = 0;
    op->data = 4;
    for (unsigned k = 0; k < 4; k++, n += mask >> (k - 1) & 1) {
        const uint32_t reg = first[n / 2] == SASS_RZ ? SASS_RZ : first[n / 2] + n % 2;
        op->value[k] = lower_register(l, mask >> k & 1 ? reg : SASS_RZ, false);
    }
}

static bool finish(struct lower *l, const struct texture_op *op)
{
    const uint32_t handle = (uint32_t)sass_bits(l->in, 40, 6);
    lower_put(l, "m_pair", l->wide[0], lower_uniform(l, handle, true), lower_uniform(l, handle + 1, true), 0)->guard =
        0;
    struct inst *i = lower_emit(l, "tex");
    i->r[4] = l->wide[0];
    i->texture = arena_copy(l->arena, op, sizeof *op);
    return true;
}

static bool texture(struct lower *l)
{
    enum { WITHOUT_LEVEL = 1, AT_LEVEL = 3 };
    const struct sass_inst *in = l->in;
    const unsigned how = (unsigned)sass_bits(in, 87, 3);
    const bool gathers = in->op == SASS_TLD4, gradients = in->op == SASS_TXD;
    struct texture_op op = {.kind = gathers ? TEXTURE_GATHER : TEXTURE_SAMPLE,
        .texels = in->op == SASS_TLD,
        .bits = 32,
        .flat = true,
        .component = gathers ? (uint8_t)(how & 3) : 0};
    const bool at_level = gathers || (gradients ? !how : how == WITHOUT_LEVEL || how == AT_LEVEL);
    // An offset, a depth to compare with, and a predicate for memory that is not there.
    const bool plain = !sass_bits(in, 76, 5) && sass_bits(in, 81, 3) == SASS_PT;
    if (!plain || !at_level || !shape(l, &op) || (gradients && op.layered)) return false;
    for (uint32_t k = 0; k < op.coords; k++) op.at[k] = lower_register(l, (uint32_t)sass_bits(in, 24, 8) + k, true);
    results(l, &op);
    return finish(l, &op);
}

// Of bytes, at x in bytes; the layer's number is the last coordinate here.
static bool surface(struct lower *l)
{
    enum { RAW = 0xa1 };
    static const struct {
        uint8_t rank;
        bool layered;
    } forms[8] = {{1, false}, {0, false}, {1, true}, {2, false}, {2, true}, {3, false}};
    static const uint8_t bits[8] = {8, 0, 16, 0, 32, 32, 32}, counts[8] = {1, 0, 1, 0, 1, 2, 4};
    static const uint8_t outside[4] = {OUTSIDE_IS_ZERO, OUTSIDE_CLAMPS, OUTSIDE_TRAPS};
    const struct sass_inst *in = l->in;
    const unsigned form = (unsigned)sass_bits(in, 61, 3), size = (unsigned)sass_bits(in, 73, 3),
                   beyond = (unsigned)sass_bits(in, 59, 2);
    const bool loads = in->op == SASS_SULD, raw = (sass_bits(in, 72, 9) & ~(7u << 1)) == RAW;
    if (!raw || !forms[form].rank || !counts[size] || beyond == 3) return false;
    struct texture_op op = {.kind = loads ? TEXTURE_LOAD : TEXTURE_STORE,
        .texels = true,
        .rank = forms[form].rank,
        .layered = forms[form].layered,
        .coords = (uint8_t)(forms[form].rank + forms[form].layered),
        .bits = bits[size],
        .data = counts[size],
        .outside = outside[beyond]};
    const uint32_t at = (uint32_t)sass_bits(in, 24, 8), from = loads ? in->dst : (uint32_t)sass_bits(in, 32, 8);
    for (uint32_t k = 0; k < op.coords; k++)
        op.at[k] = lower_register(l, at + (op.layered ? (k + op.rank) % op.coords : k), true);
    for (uint32_t k = 0; k < op.data; k++)
        op.value[k] = lower_register(l, from == SASS_RZ ? SASS_RZ : from + k, !loads);
    return finish(l, &op);
}

bool lower_texture(struct lower *l)
{
    const struct sass_inst *in = l->in;
    if (in->form != BY_UNIFORM || !in->page) return false;
    switch ((enum sass_op)in->op) {
    case SASS_TEX:
    case SASS_TLD:
    case SASS_TXD:
    case SASS_TLD4: return texture(l);
    case SASS_SULD:
    case SASS_SUST: return surface(l);
    default: return false;
    }
}
