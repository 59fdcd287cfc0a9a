// Which registers a product of a warp group still works on: found when a kernel is decoded, asked where it is watched.
// SPDX-License-Identifier: MIT
#include "sim/flight.h"

#include "base/arena.h"
#include "sim/decode.h"
#include "sim/watch.h"

#include <string.h>

enum { SUM = 1, FACTOR = 2 };

// Of a warp: how many groups of products have been closed, and how many of these have been waited for.
struct flight_groups {
    u32 closed, ended;
};
// Of a register: the group of the last product with it, 0: none; that product's line, and whether it is a sum of it.
struct flight_word {
    u32 group, line : 31, sum : 1;
};

struct flight_product { // what a product works on: slots of the words, the sums first
    const uint32_t *words;
    uint32_t count, sums;
};

static bool is_product(const struct ptx_inst *in) { return strncmp(in->op, "wgmma.mma_async", 15) == 0; }

static bool is_move(const struct ptx_inst *in)
{
    return strncmp(in->op, "mov.", 4) == 0 && in->count == 2 && in->operands[0].kind == PTX_REGISTER &&
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

void flight_plan(struct decode *d)
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

void flight_begin(struct decode *d)
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

void flight_product(struct decode *d)
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

void flight_close(struct decode *d)
{
    if (d->group_slot) decode_put(d, "flight.close", 0, d->group_slot, 0, 0);
}

void flight_wait(struct decode *d, int64_t left)
{
    if (d->group_slot) decode_put(d, "flight.wait", 0, d->group_slot, 0, 0)->offset = left;
    d->touch++;
}

bool flight_is_move(const struct decode *d)
{
    return d->plan->flying && is_move(d->in) && d->plan->flying[d->in->operands[0].reg] &&
        d->plan->flying[d->in->operands[1].reg];
}

void flight_move(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    decode_put(d, "flight.move", d->plan->flying[o[0].reg], d->plan->flying[o[1].reg], 0, 0);
    d->touch++;
}

void flight_touch(struct decode *d, int reg, bool writes)
{
    if (!d->plan->flying || !d->plan->flying[reg] || d->moves_sums) return;
    const uint32_t now = 2 * d->touch + 2 + writes; // once is enough between two of these instructions
    if (d->plan->touched[reg] == now || d->plan->touched[reg] == now + !writes) return;
    d->plan->touched[reg] = now;
    decode_put(d, "flight.touch", 0, d->group_slot, d->plan->flying[reg], 0)->offset = writes;
}

static struct flight_groups *groups_of(struct warp *w, const struct inst *i) { return SLOT(w, i->r[1]); }

static HANDLER(begin)
{
    (void)mask;
    memset(SLOT(w, i->r[1]), 0, (size_t)i->offset);
    return i + 1;
}

static HANDLER(product)
{
    const struct flight_product *p = i->product;
    (void)mask;
    for (uint32_t k = 0; k < p->count; k++)
        *(struct flight_word *)SLOT(w, p->words[k]) = (struct flight_word){
            groups_of(w, i)->closed + 1, (u32)(i->line > 0 ? i->line : 0) & 0x7fffffff, k < p->sums};
    return i + 1;
}

static HANDLER(close_group)
{
    (void)mask;
    groups_of(w, i)->closed++;
    return i + 1;
}

static HANDLER(wait_for_groups)
{
    struct flight_groups *g = groups_of(w, i);
    (void)mask;
    if (g->closed > (u32)i->offset && g->ended < g->closed - (u32)i->offset) g->ended = g->closed - (u32)i->offset;
    return i + 1;
}

static HANDLER(move)
{
    (void)mask;
    *(struct flight_word *)SLOT(w, i->r[0]) = *(struct flight_word *)SLOT(w, i->r[1]);
    return i + 1;
}

static HANDLER(touch)
{
    const struct flight_word *word = SLOT(w, i->r[2]);
    if (!w->block->watch || word->group <= groups_of(w, i)->ended || (!word->sum && !i->offset)) return i + 1;
    watch_registers(w, i, (uint32_t)__builtin_ctz(mask), i->offset != 0, word->sum, (int)word->line);
    return i + 1;
}

const struct op flight_ops[] = {{"flight.begin", NULL, begin}, {"flight.product", NULL, product},
    {"flight.close", NULL, close_group}, {"flight.wait", NULL, wait_for_groups}, {"flight.move", NULL, move},
    {"flight.touch", NULL, touch}, {NULL, NULL, NULL}};
