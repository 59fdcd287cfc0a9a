// Chooses points, runs each for some blocks, and keeps the pictures that say something.
// SPDX-License-Identifier: MIT
#include "study/looking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/statuses.h"
#include "spec/columns.h"
#include "store/runfile.h"
#include "store/table.h"
#include "study/again.h"
#include "study/row_by_row.h"
#include "study/study.h"

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
        if (o->line == p->line && o->space == p->space && o->mask && ops_loads(o->is) == ops_loads(p->is) &&
            ops_adds(o->is) == ops_adds(p->is) && (!o->buffer || !p->buffer || strcmp(o->buffer, p->buffer) == 0))
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

enum {
    ROWS = 3,           // that the simulator looks at for findings
    FINDINGS_MOST = 16, // different ones
    POINTS = 6,         // that are looked at
};
// Blocks of a launch: every warp that is drawn is of one of them.
static const struct study_bounds bounds = {.sample = 8, .instructions = 8 << 20};

// Points with a flaw mended. Those of a report may be large, and filling their buffers takes the time.
static const struct study_bounds trial_bounds = {
    .sample = 8, .instructions = 4 << 20, .all = 16 << 20, .bytes = 3ull << 30, .points = 6};

struct looking {
    struct insight *found;
    struct arena *arena;
    size_t point;
    double parts[3]; // of a round trip, by themselves, in us
    bool timed;      // they are known
    bool wasteful;   // some access is worth a picture, and the others stand beside it
    double most;     // gained of a row; its costs are drawn whole, of others their limits
    const struct explaining *row;
    struct study *trial; // where mends are looked at
};

static size_t cells_of(const struct figure *f, int kind)
{
    size_t n = 0;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->columns; k++) n += f->rows[i].cells[k] == kind;
    return n;
}

static bool alike(const struct figure *a, const struct figure *b)
{
    bool same = a->count == b->count && a->columns == b->columns && strcmp(a->title, b->title) == 0;
    for (int i = 0; same && i < a->count; i++)
        same = memcmp(a->rows[i].cells, b->rows[i].cells, sizeof a->rows[i].cells) == 0;
    return same;
}

static const char *line_of(const struct kernel *k, int line, struct arena *a)
{
    const char *text = k ? k->source : NULL;
    for (int n = 1; text && n < line; n++)
        if ((text = strchr(text, '\n'))) text++;
    if (!text || line < 1) return NULL;
    text += strspn(text, " \t");
    return arena_printf(a, "%.*s", (int)strcspn(text, "\n"), text);
}

static void keep(struct looking *l, const struct studying *s, const struct figure *f, int line)
{
    struct insight *in = l->found;
    struct str name = {0};
    for (size_t i = 0; i < in->figure_count; i++)
        if (alike(&in->figures[i].figure, f)) return;
    if (in->figure_count == INSIGHT_FIGURES) return;
    studying_values(s, &name);
    in->figures[in->figure_count++] =
        (struct insight_figure){.points = arena_strdup(l->arena, name.text ? name.text + 1 : ""),
            .quoted = line ? line_of(studying_kernel(s), line, l->arena) : NULL,
            .point = l->point,
            .access = line > 0,
            .figure = *f};
    str_release(&name);
}

// How many sectors, or turns of the banks, it takes beyond those that could hold its words.
static size_t beyond(const struct figure *f, const struct device_place *p)
{
    const bool banks = p->space == SPACE_OF_BLOCK;
    const size_t words = cells_of(f, CELL_USED) + (banks ? cells_of(f, CELL_CLASH) : 0), hold = banks ? 32 : 8,
                 least = (words + hold - 1) / hold;
    return p->units > least ? p->units - least : 0;
}

// The access that wastes most; of a point that wastes nothing, the one that it makes most often.
static void access_of(struct looking *l, const struct studying *s, struct figure *f, struct figure *best)
{
    const struct device_places *p = &s->studied->places;
    double most = -1;
    int line = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!figure_access(f, &p->items[i])) continue;
        const double wasted = (double)beyond(f, &p->items[i]),
                     weight = wasted > 0 ? wasted : (double)p->items[i].requests / 1e18;
        if (weight <= most) continue;
        most = weight;
        line = p->items[i].line;
        *best = *f;
    }
    if (most < 0) return;
    l->wasteful = l->wasteful || most >= 1;
    keep(l, s, best, line);
}

static void look(struct looking *l, const struct studying *s)
{
    struct figure *f = mem_alloc(2 * sizeof *f);
    const struct device_places *p = &s->studied->places;
    if (figure_pipeline(f, s->studied->job, l->timed ? l->parts : NULL) && f->rows[0].marks[0]) keep(l, s, f, 0);
    if (p->idle * 10 > p->lanes && figure_lanes(f, p)) keep(l, s, f, 0);
    else access_of(l, s, f, f + 1);
    free(f);
}

// The first, the last, the middle, and those between: what an axis does shows at its ends.
static size_t nth(size_t n, size_t count)
{
    static const double at[POINTS] = {0, 1, 0.5, 0.25, 0.75, 0.125};
    return (size_t)lround(at[n] * (double)(count - 1));
}

static void look_at_all(struct looking *l, const struct plan *p, struct study *study)
{
    struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    struct diags ignored = {0};
    for (size_t i = 0; i < POINTS && i < plan_count(p); i++) {
        struct studied is;
        l->point = nth(i, plan_count(p));
        plan_values(p, l->point, values);
        if (study_counted(study, p, values, &is, &ignored) && status_has_numbers(is.result.status))
            look(l, &(struct studying){.plan = p, .values = values, .studied = &is, .device = "sim"});
    }
    diags_clear(&ignored);
    free(values);
}

// The same cause at the same line; of no one line, with the same mend: large blocks and less shared memory are two.
static bool same_finding(const struct advice *a, const struct advice *b)
{
    return strcmp(a->rule, b->rule) == 0 && a->line == b->line && (a->line || strcmp(a->mend, b->mend) == 0);
}

// A finding of several rows is told once, as where it gains most.
static void add_finding(struct looking *l, const struct explaining *e, const struct advice *f, const char *name)
{
    struct insight *in = l->found;
    size_t i = 0;
    while (i < in->finding_count && !same_finding(&in->findings[i].advice, f)) i++;
    if (i == FINDINGS_MOST) return;
    struct insight_finding *to = &in->findings[i];
    const bool new = i == in->finding_count;
    if (new) *to = (struct insight_finding){.advice = *f, .least = f->gain};
    in->finding_count += new;
    const bool better = !new && f->gain > to->advice.gain;
    if (better) to->advice = *f;
    to->least = fmin(to->least, f->gain);
    if (!to->quoted) to->quoted = line_of(e->kernel, f->line, l->arena);
    if (!to->count) to->named = arena_strdup(l->arena, name);
    else if (better) to->named = arena_printf(l->arena, "%s; %s", name, to->named); // it is told of the first
    else if (to->count < INSIGHT_NAMED) to->named = arena_printf(l->arena, "%s; %s", to->named, name);
    to->count++;
}

static void keep_cost(void *context, const struct figure *f, int line)
{
    struct looking *l = context;
    struct insight *in = l->found;
    struct str name = {0};
    if (in->cost_count == INSIGHT_COSTS) return;
    studying_values(&(struct studying){.plan = l->row->plan, .values = l->row->values}, &name);
    in->costs[in->cost_count++] =
        (struct insight_figure){.points = arena_strdup(l->arena, name.text ? name.text + 1 : "the one point"),
            .quoted = line ? line_of(l->row->kernel, line, l->arena) : NULL,
            .point = l->point,
            .limits = !line && f->total[0].part >= 0,
            .figure = *f};
    str_release(&name);
}

static void draw_costs(struct looking *l, const struct explaining *e, double gain)
{
    struct insight *in = l->found;
    size_t kept = 0;
    l->row = e;
    l->point = !(gain > l->most);
    for (size_t i = 0; i < in->cost_count && !l->point; i++) {
        in->costs[kept] = in->costs[i];
        in->costs[kept].point = 1;
        kept += in->costs[i].limits;
    }
    if (!l->point) in->cost_count = kept, l->most = gain;
    struct explaining own = *e;
    own.trial = l->trial;
    picturing_point(&(struct picturing){
        .of = &own, .costly = true, .limits_alone = l->point > 0, .draw = keep_cost, .context = l});
}

static bool is_ceiling(const struct advice *f) { return strcmp(f->rule, "ceiling") == 0; }

// What a flaw costs: what has none is shown behind all that have one.
static double cost_of(const struct advice *f) { return isnan(f->gain) || is_ceiling(f) ? 0 : f->gain; }

static void gather(const struct explaining *e, void *context)
{
    struct looking *l = context;
    struct advice found[FINDINGS_TOLD];
    struct evidence evidence;
    struct profile *device = arena_alloc(l->arena, sizeof *device);
    struct str name = {0};
    explaining_evidence(e, &evidence, device);
    const size_t count = e->numbers ? findings_of(&evidence, found, l->arena) : 0;
    studying_values(&(struct studying){.plan = e->plan, .values = e->values}, &name);
    for (size_t i = 0; i < count; i++)
        // That nothing is left to win can only be said where the accesses were looked at.
        if (e->places || !is_ceiling(&found[i]))
            add_finding(l, e, &found[i], name.text ? name.text + 1 : "the one point");
    str_release(&name);
    if (e->places) draw_costs(l, e, count ? cost_of(&found[0]) : 0);
}

static int by_point(const void *a, const void *b)
{
    const struct insight_figure *x = a, *y = b;
    return x->point < y->point ? -1 : x->point > y->point;
}

static int by_gain(const void *a, const void *b)
{
    const struct insight_finding *x = a, *y = b;
    const double p = cost_of(&x->advice), q = cost_of(&y->advice);
    return p != q ? (p < q) - (p > q) : (x->count < y->count) - (x->count > y->count);
}

// What the command `explain` says of the rows, looked at more quickly.
static void find(struct looking *l, const char *report, const struct request *of)
{
    struct insight *in = l->found;
    struct row_by_row_seen seen = {0};
    struct diags ignored = {0};
    in->findings = arena_alloc(l->arena, FINDINGS_MOST * sizeof *in->findings);
    in->costs = arena_alloc(l->arena, INSIGHT_COSTS * sizeof *in->costs);
    l->most = -1;
    l->trial = study_open(NULL, true, &trial_bounds, &ignored);
    if (row_by_row(report, of, ROWS, gather, l, &seen, &ignored)) in->rows = seen.rows, in->looked = seen.looked;
    if (in->finding_count) qsort(in->findings, in->finding_count, sizeof *in->findings, by_gain);
    study_close(l->trial);
    if (in->cost_count) qsort(in->costs, in->cost_count, sizeof *in->costs, by_point);
    if (in->finding_count > INSIGHT_FINDINGS) in->finding_count = INSIGHT_FINDINGS;
    diags_clear(&ignored);
}

// In the order of the plan; where no access wastes anything and all are alike, they say nothing.
static void choose(struct looking *l)
{
    struct insight *in = l->found;
    size_t kept = 0, accesses = 0;
    for (size_t i = 0; i < in->figure_count; i++) accesses += in->figures[i].access;
    for (size_t i = 0; i < in->figure_count; i++)
        if (l->wasteful || accesses > 1 || !in->figures[i].access) in->figures[kept++] = in->figures[i];
    in->figure_count = kept;
    if (kept) qsort(in->figures, kept, sizeof *in->figures, by_point);
}

// What a round trip is made of, where the report has it by itself.
static void take_parts(struct looking *l, const char *report)
{
    static const char *const of[] = {"upload", "launch", "download"};
    struct diags ignored = {0};
    struct table t = {0};
    if (table_open(&t, report, &ignored)) {
        const int timed = table_column(&t, "timed"), us = table_column(&t, "time_us");
        for (size_t i = 0; i < t.count && timed >= 0 && us >= 0; i++) {
            const struct cells *c = table_row(&t, i, &ignored);
            for (int k = 0; c && k < 3; k++)
                if (strcmp(cells_text(c, (size_t)timed), of[k]) == 0 && !(l->parts[k] > 0))
                    l->parts[k] = strtod(cells_text(c, (size_t)us), NULL);
        }
    }
    l->timed = l->parts[0] > 0 && l->parts[1] > 0 && l->parts[2] > 0;
    table_close(&t);
    diags_clear(&ignored);
}

const struct insight *looking_at(const char *report, void *request, struct arena *arena)
{
    char *facts = runfile_read(report);
    struct again r = {
        .report = report, .facts = facts, .arena = arena, .again = *(const struct request *)request, .splits = true};
    struct looking l = {.found = arena_alloc(arena, sizeof *l.found), .arena = arena};
    struct diags ignored = {0};
    struct loaded all = {0};
    struct plan *p = NULL;
    if (facts && again_take(&r, &ignored)) {
        again_override(&r, "device=sim");
        again_override(&r, "check=none"); // a device has verified it
        if (load_files(&r.again, &all, &ignored) && all.count == 1) p = load_plan(&all, 0, &ignored);
    }
    struct study *study = p ? study_open(NULL, true, &bounds, &ignored) : NULL;
    *l.found = (struct insight){.figures = arena_alloc(arena, INSIGHT_FIGURES * sizeof *l.found->figures)};
    take_parts(&l, report);
    if (study) look_at_all(&l, p, study);
    choose(&l);
    study_close(study);
    if (p) plan_free(p);
    load_release(&all);
    file_stand_in_forget(); // the next report has other texts of the same names
    free(r.again.overrides);
    diags_clear(&ignored);
    if (facts) find(&l, report, request);
    free(facts);
    return l.found->figure_count || l.found->rows ? l.found : NULL;
}
