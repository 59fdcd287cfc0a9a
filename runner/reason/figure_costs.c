// What a point costs, as bars: each unit by itself, and each line of the source that reaches memory; beside it what
// would be left of it with a flaw mended.
// SPDX-License-Identifier: MIT
#include "reason/figure.h"

#include "reason/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct figure_row *add_row(struct figure *f)
{
    if (f->count == FIGURE_ROWS) {
        f->left_out++;
        return NULL;
    }
    struct figure_row *r = &f->rows[f->count++];
    *r = (struct figure_row){.bars = {{.part = NAN}, {.part = NAN}}};
    return r;
}

static void name_side(struct figure *f, int side, const char *name)
{
    snprintf(f->side_names[side], sizeof f->side_names[side], "%s", name);
}

static bool limits_of(const struct figure_side *s, struct limits *out)
{
    const struct evidence *e = s->of;
    *out = e->limits;
    if (!s->change) return out->count > 0;
    if (!e->places || !e->places->tape || !tape_limits(e->places->tape, &e->constants, s->change, true, out))
        return false;
    for (int k = 0; k < out->count && e->replayed > 0; k++) out->of[k].us *= e->replayed;
    if (e->replayed > 0) out->us *= e->replayed;
    return true;
}

static double us_of(const struct limits *l, enum limit_unit unit)
{
    for (int k = 0; k < l->count; k++)
        if (l->of[k].is == unit) return l->of[k].us;
    return NAN;
}

static void bar(struct figure_bar *b, double value, double whole, const char *unit, enum figure_cell kind)
{
    static const char *const thousands[] = {"", "k", "M", "G", "T"};
    int k = 0;
    b->part = value / whole;
    b->kind = kind;
    if (!(value >= 0)) b->part = NAN, value = NAN;
    if (isnan(b->part)) return;
    for (; !*unit && value >= (k ? 1e3 : 1e4) && k < 4; k++) value /= 1000;
    snprintf(b->said, sizeof b->said, value >= 1000 ? "%.0f%s%s%s%s" : "%.3g%s%s%s%s", value, *thousands[k] ? " " : "",
        thousands[k], *unit ? " " : "", unit);
}

static void total(struct figure_bar *b, double all, double most, const char *unit, const char *how)
{
    bar(b, all, most, unit, CELL_NONE);
    const size_t at = strlen(b->said);
    snprintf(b->said + at, sizeof b->said - at, " %s", how);
}

bool figure_limits(struct figure *f, const struct figure_side *sides, int count)
{
    struct limits of[FIGURE_SIDES];
    const char *how[FIGURE_SIDES];
    double most = 0, all[FIGURE_SIDES], held[FIGURE_SIDES]; // held: shorter than the model has them
    int have = 0;
    *f = (struct figure){.total = {{.part = NAN}, {.part = NAN}}};
    while (have < count && limits_of(&sides[have], &of[have])) have++;
    if (!have || sides[0].of->known == KNOWN_NOTHING) return false;
    f->sides = have;
    for (int s = 0; s < have; s++) {
        const bool measured = !isnan(sides[s].us), expected = s && !isnan(sides[0].us);
        all[s] = measured ? sides[s].us : expected ? sides[0].us * of[s].us / of[0].us : of[s].us;
        how[s] = measured ? "measured" : expected ? "expected" : "by the model";
        held[s] = fmin(1, all[s] / of[s].us); // no unit takes longer than all together
        name_side(f, s, sides[s].name);
        most = fmax(most, fmax(held[s] * of[s].of[0].us, all[s]));
    }
    for (int from = 0; from < have; from++) // what only the second has comes last
        for (int k = 0; k < of[from].count; k++) {
            const enum limit_unit unit = of[from].of[k].is;
            struct figure_row *r = from && !isnan(us_of(&of[0], unit)) ? NULL : add_row(f);
            if (!r) continue;
            snprintf(r->label, sizeof r->label, "%s", limit_titles[unit]);
            for (int s = 0; s < have; s++)
                bar(&r->bars[s], held[s] * us_of(&of[s], unit), most, "us",
                    unit == of[s].of[0].is ? CELL_CLASH : CELL_USED);
        }
    for (int s = 0; s < have; s++) total(&f->total[s], all[s], most, "us", how[s]);
    snprintf(f->title, sizeof f->title, "time that each unit would need alone");
    snprintf(f->note, sizeof f->note, "the tallest is %s%s", limit_titles[of[0].of[0].is],
        held[0] < 1 ? "; the line is the measured time, which no bar may pass"
                    : "; the line is the time of all together");
    f->legend[CELL_CLASH] = "the tallest";
    f->legend[CELL_USED] = "works, or waits, beside it";
    return true;
}

// A line of the source, with all of its accesses.
struct line_cost {
    int line;
    bool shared;
    double wanted, moved, cycles;
    enum limit_unit unit; // that the cycles are of
};
enum { COSTS_MOST = 12 };

static bool of_kind(const struct device_place *p, const struct line_cost *c)
{
    return p->line == c->line && (p->space == SPACE_OF_BLOCK) == c->shared;
}

static unsigned mend_of(const struct tape_change *change, const struct device_place *p)
{
    for (size_t k = 0; change && k < change->pick_count; k++)
        for (uint32_t n = 0; n < p->instructions && p->numbers; n++)
            if (strcmp(change->picks[k].entry, p->entry) == 0 && change->picks[k].place == p->numbers[n])
                return change->picks[k].mend;
    return 0;
}

// Units without the line's accesses: what is missing then is theirs. The one that misses most is the line's unit.
static void find_cycles(const struct figure_side *s, struct line_cost *c)
{
    const struct evidence *e = s->of;
    struct change without = {0};
    struct model_result with, left;
    const struct tape_change none = {0}, *now = s->change ? s->change : &none;
    without.tape = *now;
    for (size_t k = 0; k < now->pick_count && k < CHANGE_PICKS; k++) without.picks[k] = now->picks[k];
    for (size_t i = 0; i < e->places->count; i++)
        if (of_kind(&e->places->items[i], c)) change_pick(&without, &e->places->items[i], TAPE_GONE);
    without.tape.picks = without.picks;
    if (!tape_play(e->places->tape, &e->constants, now, true, &with) ||
        !tape_play(e->places->tape, &e->constants, &without.tape, true, &left))
        return;
    double most = 0;
    for (int k = LIMIT_DRAM; k <= LIMIT_ATOMICS; k++) {
        const double us = with.unit_us[k] - left.unit_us[k];
        const bool unit = k <= LIMIT_SHARED || k == LIMIT_ATOMICS;
        if (unit && us > most) most = us, c->unit = (enum limit_unit)k;
    }
    c->cycles = most * e->constants.clock_mhz;
}

// The other value's kernel has no such line, or does not come there.
static bool not_run(const struct figure_side *s, const struct line_cost *then, const struct line_cost *now)
{
    return !s->change && !(then->moved > 0) && now->moved > 0;
}

static void find_cost(const struct figure_side *s, struct line_cost *c)
{
    const struct device_places *all = s->of->places;
    c->wanted = c->moved = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        const unsigned mend = mend_of(s->change, p);
        double wanted = (double)(p->wavefronts - p->conflicts), moved = (double)p->wavefronts;
        if (!of_kind(p, c) || mend & TAPE_GONE) continue;
        if (!c->shared) {
            moved = (double)p->sectors;
            wanted = fmin(moved, (double)p->requests * tape_fewest(all->tape, p->entry, p->numbers, p->instructions));
        }
        c->wanted += wanted;
        c->moved += mend & TAPE_ONCE          ? NAN
            : mend & (TAPE_DENSE | TAPE_CALM) ? wanted
                                              : moved; // once: so many is not told
    }
    find_cycles(s, c);
}

static int by_line(const void *a, const void *b)
{
    const struct line_cost *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : x->shared - y->shared;
}

static int list_lines(const struct device_places *all, int line, struct line_cost *out)
{
    int count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        int k = 0;
        if (!p->line || (line && p->line != line) || (!p->sectors && !p->wavefronts)) continue;
        while (k < count && !of_kind(p, &out[k])) k++;
        if (k == count && count < COSTS_MOST)
            out[count++] = (struct line_cost){.line = p->line, .shared = p->space == SPACE_OF_BLOCK};
    }
    qsort(out, (size_t)count, sizeof *out, by_line);
    return count;
}

static void quote(const char *text, int line, char *out, size_t size)
{
    for (int n = 1; text && n < line; n++)
        if ((text = strchr(text, '\n'))) text++;
    if (!text) return;
    text += strspn(text, " \t");
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

bool figure_source(struct figure *f, const struct figure_side *sides, int count, const char *source, int line)
{
    struct line_cost costs[FIGURE_SIDES][COSTS_MOST];
    double most = 0, cycles = 0;
    bool shared = false;
    *f = (struct figure){.total = {{.part = NAN}, {.part = NAN}}};
    if (!sides[0].of->places || !sides[0].of->places->tape || sides[0].of->known == KNOWN_NOTHING) return false;
    const int lines = list_lines(sides[0].of->places, line, costs[0]);
    for (int s = 0; s < count && sides[s].of->places && sides[s].of->places->tape; s++) {
        name_side(f, f->sides++, sides[s].name);
        memcpy(costs[s], costs[0], sizeof costs[0]);
        for (int k = 0; k < lines; k++) {
            find_cost(&sides[s], &costs[s][k]);
            most = fmax(most, costs[s][k].moved);
            cycles = fmax(cycles, costs[s][k].cycles);
        }
    }
    for (int k = 0; k < lines; k++) {
        const struct line_cost *c = &costs[0][k];
        shared |= c->shared;
        struct figure_row *r = k && costs[0][k - 1].line == c->line ? NULL : add_row(f);
        if (r) snprintf(r->label, sizeof r->label, "line %d", c->line);
        if (r) quote(source, c->line, r->quoted, sizeof r->quoted);
        struct figure_row *wanted = add_row(f), *moved = add_row(f), *of_unit = add_row(f);
        if (!of_unit) break;
        snprintf(wanted->label, sizeof wanted->label, c->shared ? "turns wanted" : "sectors wanted");
        snprintf(moved->label, sizeof moved->label, c->shared ? "turns taken" : "sectors moved");
        snprintf(of_unit->label, sizeof of_unit->label, "cycles of %s",
            c->cycles > 0 ? limit_titles[c->unit] : "its unit");
        for (int s = 0; s < f->sides; s++) {
            bar(&wanted->bars[s], costs[s][k].wanted, most, "", CELL_USED);
            bar(&moved->bars[s], costs[s][k].moved, most, "", CELL_SECOND);
            bar(&of_unit->bars[s], costs[s][k].cycles, cycles, "", CELL_THIRD);
            if (!s || !not_run(&sides[s], &costs[s][k], c)) continue;
            snprintf(wanted->bars[s].said, sizeof wanted->bars[s].said, "not run");
            moved->bars[s].part = of_unit->bars[s].part = NAN;
        }
    }
    snprintf(f->title, sizeof f->title, "what each line asks of memory, and what it costs");
    snprintf(f->note, sizeof f->note,
        "a sector has 32 bytes; last bar: the cycles that would go with the line, of its busiest unit");
    f->legend[CELL_USED] = "wanted: the fewest that hold its bytes";
    f->legend[CELL_SECOND] = shared ? "moved, or taken" : "moved";
    f->legend[CELL_THIRD] = "cycles";
    return lines > 0 && f->sides > 0;
}

bool figure_mended(struct figure *f, const struct device_place *p, const struct tape_change *change)
{
    const unsigned mend = mend_of(change, p);
    struct device_place dense = *p;
    uint64_t at = 0;
    if (!p->mask || !(mend & (TAPE_DENSE | TAPE_CALM)) || (p->space == SPACE_OF_BLOCK) != !!(mend & TAPE_CALM))
        return false;
    for (uint32_t m = p->mask; m; m &= m - 1, at += p->bytes) dense.at[__builtin_ctz(m)] = at;
    dense.units = (uint32_t)((p->space == SPACE_OF_BLOCK ? (at + 127) / 128 : (at + 31) / 32));
    return p->bytes && dense.units < p->units && figure_access(f, &dense);
}
