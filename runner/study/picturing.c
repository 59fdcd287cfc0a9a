// Asks what limits a point and what mends it, and draws both side by side.
// SPDX-License-Identifier: MIT
#include "study/picturing.h"

#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct beside_it {
    const struct picturing *how;
    const struct evidence *now;
    struct advice mend; // the first finding that a value mends, else the first that a replay does
    double after_us;    // measured with that value; NAN: not
    struct figure *figure;
};

static bool begin(void *context, const struct explaining *x, const struct evidence *e, const struct advice *found,
    size_t count)
{
    (void)x, (void)found, (void)count;
    struct beside_it *p = context;
    p->now = e;
    return true;
}

static bool mends(const struct advice *f) { return f->test || f->change; }

static void finding(void *context, const struct explaining *x, const struct evidence *e, size_t number,
    const struct advice *f, const struct proof *proof)
{
    struct beside_it *p = context;
    (void)x, (void)e, (void)number;
    if (!mends(f) || p->mend.test || (mends(&p->mend) && !f->test)) return;
    p->mend = *f;
    p->after_us = proof && proof->timed ? proof->after_us : NAN;
}

static void draw(const struct beside_it *p, bool there, int line)
{
    if (there) p->how->draw(p->how->context, p->figure, line);
}

// The access of that instruction where the other value is.
static const struct device_place *same_place(const struct device_places *all, const struct device_place *p)
{
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *o = &all->items[i];
        if (o->line == p->line && o->space == p->space && o->mask && o->op[0] == p->op[0] &&
            (!o->buffer || !p->buffer || strcmp(o->buffer, p->buffer) == 0))
            return o;
    }
    return NULL;
}

static void draw_access(const struct beside_it *p, const struct device_place *place, const struct figure_side *then)
{
    draw(p, figure_access(p->figure, place), place->line);
    if (!then) return;
    const struct device_place *other = then->change ? NULL : same_place(then->of->places, place);
    if (other ? other->units < place->units && figure_access(p->figure, other)
              : figure_mended(p->figure, place, then->change)) {
        char title[sizeof p->figure->title];
        snprintf(title, sizeof title, "%s: %.180s", then->name, p->figure->title);
        memcpy(p->figure->title, title, sizeof title);
        draw(p, true, place->line);
    }
}

// Units beyond the fewest that hold its words, or how often it is made where none is.
static double wasted(const struct device_place *p)
{
    const uint32_t each = p->space == SPACE_OF_BLOCK ? 128 : 32,
                   words = (uint32_t)__builtin_popcount(p->mask) * (p->bytes ? p->bytes : 4),
                   least = (words + each - 1) / each;
    return p->units > least ? p->units - least : (double)p->requests / 1e18;
}

static void draw_all(const struct beside_it *p, const struct figure_side *then)
{
    const struct explaining *x = p->how->of;
    const struct device_places *all = x->places;
    struct figure_side sides[FIGURE_SIDES] = {{.of = p->now, .name = "now", .us = x->columns[COLUMN_TIME_US]}};
    const int count = then ? 2 : 1, line = p->how->line;
    if (then) sides[1] = *then;
    if (!line) draw(p, figure_limits(p->figure, sides, count), 0);
    if (p->how->limits_alone) return;
    draw(p, figure_source(p->figure, sides, count, x->kernel ? x->kernel->text : NULL, line), line);
    const struct device_place *worst = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *place = &all->items[i];
        if ((line && place->line != line) || !place->mask || place->space == SPACE_OF_THREAD) continue;
        if (!p->how->costly) draw_access(p, place, then);
        else if (!worst || wasted(place) > wasted(worst)) worst = place;
    }
    if (worst) draw_access(p, worst, then);
    if (!line && all->count && !p->how->costly) {
        draw(p, figure_lanes(p->figure, all), 0);
        draw(p, figure_occupancy(p->figure, p->now), 0);
    }
}

static void mended(void *context, const struct evidence *e)
{
    const struct beside_it *p = context;
    char name[64];
    snprintf(name, sizeof name, "mended (%.50s)", p->mend.test);
    draw_all(p, &(struct figure_side){.of = e, .name = name, .us = p->after_us});
}

static void end(void *context, const struct explaining *x, const struct evidence *e, const struct advice *first,
    size_t findings, const struct proof *mended_by_user)
{
    (void)first, (void)mended_by_user;
    struct beside_it *p = context;
    const struct advice *m = &p->mend;
    (void)e, (void)findings;
    if (m->test && x->trial && proving_look(x->plan, x->values, x->job, m->test, x->trial, p->now, mended, p)) return;
    const struct figure_side then = {.of = p->now, .change = m->change, .name = "mended", .us = NAN};
    draw_all(p, m->change ? &then : NULL);
}

void picturing_point(const struct picturing *how)
{
    static const struct explaining_teller teller = {begin, finding, end};
    struct beside_it p = {.how = how, .after_us = NAN, .figure = mem_alloc(sizeof *p.figure)};
    if (how->of->places) explaining_each(how->of, &teller, &p);
    free(p.figure);
}
