// Textures by an object whose handle is in a uniform register. What a surface does is not known here.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/machine/lower.h"
#include "sim/ops/tables.h"

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

bool lower_texture(struct lower *l)
{
    enum { BY_UNIFORM = 7, WITHOUT_LEVEL = 1, AT_LEVEL = 3 };
    const struct sass_inst *in = l->in;
    const unsigned how = (unsigned)sass_bits(in, 87, 3);
    const bool gathers = in->op == SASS_TLD4;
    if (in->op != SASS_TEX && in->op != SASS_TLD && !gathers) return false;
    struct texture_op op = {.kind = gathers ? TEXTURE_GATHER : TEXTURE_SAMPLE,
        .texels = in->op == SASS_TLD,
        .bits = 32,
        .flat = true,
        .component = gathers ? (uint8_t)(how & 3) : 0};
    // An offset, a depth to compare with, and a predicate for memory that is not there.
    const bool plain = !sass_bits(in, 76, 5) && sass_bits(in, 81, 3) == SASS_PT;
    if (in->form != BY_UNIFORM || !in->page || !plain || !shape(l, &op) ||
        (!gathers && how != WITHOUT_LEVEL && how != AT_LEVEL))
        return false;
    for (uint32_t k = 0; k < op.coords; k++) op.at[k] = lower_register(l, (uint32_t)sass_bits(in, 24, 8) + k, true);
    results(l, &op);
    const uint32_t handle = (uint32_t)sass_bits(in, 40, 6);
    lower_put(l, "m_pair", l->wide[0], lower_uniform(l, handle, true), lower_uniform(l, handle + 1, true), 0)->guard =
        0;
    struct inst *i = lower_emit(l, "tex");
    i->r[4] = l->wide[0];
    i->texture = arena_copy(l->arena, &op, sizeof op);
    return true;
}
