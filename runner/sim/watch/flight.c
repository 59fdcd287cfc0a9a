// Which registers a product of a warp group still works on, asked where it is watched.
// SPDX-License-Identifier: MIT
#include "sim/watch/flight.h"

#include "sim/watch/watch.h"

#include <string.h>

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
