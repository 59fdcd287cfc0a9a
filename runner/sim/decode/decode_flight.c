// Which registers a product of a warp group works on, and where each of them is read or written meanwhile: found here,
// asked by watch/flight.c where it is watched.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/watch/flight.h"

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

void decode_flight_product(struct decode *d)
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

void decode_flight_close(struct decode *d)
{
    if (d->group_slot) decode_put(d, "flight.close", 0, d->group_slot, 0, 0);
}

void decode_flight_wait(struct decode *d, int64_t left)
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
