// Places with a name: the knee that a script found, the law that it fitted, a cache's published size, the baseline.
// What a script found stands in its tables beside the report: `knee` (knee, level), `fit` (overhead_us, gbps).
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/file.h"
#include "base/units.h"
#include "device/profiles.h"
#include "page/chart_axes.h"
#include "page/chart_fill.h"
#include "spec/columns.h"
#include "spec/settings.h"
#include "store/report.h"
#include "store/runfile.h"
#include "store/table.h"

// A roofline: arithmetic over operations for each byte, below what the points themselves reach of both.

static int of(const struct view *v, enum column c) { return view_column(v, column_table[c].name); }

static double intensity(const struct view *v, size_t row)
{
    const double flops = view_number(v, row, of(v, COLUMN_GFLOPS)), bytes = view_number(v, row, of(v, COLUMN_GBPS));
    return view_good(v, row) && flops > 0 && bytes > 0 ? flops / bytes : (double)NAN;
}

// The column that says it already, -1: none.
static int same_column(const struct view *v)
{
    for (int c = 0; c < (int)v->column_count; c++) {
        bool same = v->columns[c].added && v->columns[c].numeric;
        for (size_t i = 0; i < v->row_count && same; i++) {
            const double want = intensity(v, i), x = view_number(v, i, c);
            same = isnan(want) || fabs(x - want) <= 0.02 * want;
        }
        if (same) return c;
    }
    return -1;
}

static int new_column(struct view *v)
{
    const char **texts = arena_alloc(v->arena, (v->row_count + 1) * sizeof *texts);
    for (size_t i = 0; i < v->row_count; i++)
        texts[i] = view_number(v, i, of(v, COLUMN_GFLOPS)) == 0 ? "0" // no arithmetic at all
            : isnan(intensity(v, i))                            ? ""
                                                                : arena_printf(v->arena, "%.4g", intensity(v, i));
    return view_add(v, "flops_per_byte", "gflops / gbps: operations for each useful byte", texts);
}

bool chart_roofline(struct view *v, int *x, int *columns, size_t *count)
{
    double lo = INFINITY, hi = 0;
    if (of(v, COLUMN_GFLOPS) < 0 || of(v, COLUMN_GBPS) < 0) return false;
    for (size_t i = 0; i < v->row_count; i++) lo = fmin(lo, intensity(v, i)), hi = fmax(hi, intensity(v, i));
    if (!(hi >= 10 * lo)) return false;
    *x = same_column(v);
    if (*x < 0) *x = new_column(v);
    columns[0] = of(v, COLUMN_GFLOPS), columns[1] = of(v, COLUMN_GBPS);
    *count = 2;
    return true;
}

static double most(const struct view *v, const struct series *s, enum column column)
{
    double best = 0;
    for (size_t i = 0; i < s->count; i++)
        if (view_good(v, s->marks[i].row)) best = fmax(best, view_number(v, s->marks[i].row, of(v, column)));
    return best;
}

// Roofs of memory that are one line have one name: "4.01 to 4.13 TB/s".
static const char *name_slope(struct view *v, double lo, double hi)
{
    return hi < 1.001 * lo ? arena_printf(v->arena, "memory: %.3g TB/s", hi / 1000)
                           : arena_printf(v->arena, "memory: %.3g to %.3g TB/s", lo / 1000, hi / 1000);
}

void chart_roofline_ceilings(struct view *v, struct chart *c)
{
    double lo = INFINITY, hi = 0;
    struct guide *first = NULL;
    for (size_t i = 0; c->panel_count == 1 && i < c->panels[0].count && i < 4; i++) {
        struct series *s = &c->panels[0].series[i];
        const double flops = most(v, s, COLUMN_GFLOPS), bytes = most(v, s, COLUMN_GBPS);
        if (s->lone || !(flops > 0) || !(bytes > 0) || c->guide_count == CHART_GUIDES) continue;
        struct guide *g = &c->guides[c->guide_count++];
        *g = (struct guide){.facet = 0,
            .x = NAN,
            .y = NAN,
            .at = {0, flops},
            .slope = {bytes, 0},
            .aside = true,
            .text = arena_printf(v->arena, "%s%smeasured: %.4g GB/s, %.3g TFLOP/s", s->name, *s->name ? ", " : "",
                bytes, flops / 1000)};
        s->roof = arena_printf(v->arena, "%.3g TFLOP/s", flops / 1000);
        const bool near = bytes < 1.25 * fmin(lo, bytes) && bytes > 0.8 * fmax(hi, bytes);
        if (!first || !near) first = g, lo = INFINITY, hi = 0;
        lo = fmin(lo, bytes), hi = fmax(hi, bytes);
        first->rising = name_slope(v, lo, hi);
        if (c->guide_count < CHART_GUIDES)
            c->guides[c->guide_count++] = (struct guide){.facet = -1,
                .x = flops / bytes,
                .y = NAN,
                .text = arena_printf(v->arena, "%s%sridge at %.3g", s->name, *s->name ? ": " : "", flops / bytes)};
    }
}

static void add(struct chart *c, struct guide g)
{
    if (c->guide_count < CHART_GUIDES) c->guides[c->guide_count++] = g;
}

static const char *size_text(const struct view *v, const char *before, double bytes, const char *behind)
{
    LOCAL(str_release) struct str s = {0};
    str_add(&s, before);
    units_print_bytes(bytes, &s);
    str_add(&s, behind);
    return arena_strdup(v->arena, s.text);
}

static double number(struct table *t, const struct cells *cells, const char *name)
{
    const int c = table_column(t, name);
    double x;
    return c >= 0 && value_number(table_value(cells_text(cells, (size_t)c)), &x) ? x : (double)NAN;
}

// What x is of one of the experiment's own: footprint_kib is n / 8. NAN: not one factor.
static double factor_of(const struct view *v, const struct rows *rows, int x, int own)
{
    double factor = NAN;
    for (size_t i = 0; i < rows->count; i++) {
        const double a = view_number(v, rows->items[i], x), b = view_number(v, rows->items[i], own);
        if (isnan(a) || !(b > 0)) continue;
        if (!isnan(factor) && fabs(a / b - factor) > 1e-6 * factor) return NAN;
        factor = a / b;
    }
    return factor;
}

static void knee(struct view *v, struct chart *c, double at)
{
    LOCAL(str_release) struct str s = {0};
    str_add(&s, "knee ");
    if (c->x_unit > 0) units_print_bytes(at * c->x_unit, &s);
    else ticks_number(at, &s);
    add(c, (struct guide){.facet = -1, .x = at, .y = NAN, .text = arena_strdup(v->arena, s.text)});
}

static void law(struct view *v, struct chart *c, const struct rows *rows, double overhead_us, double gbps)
{
    const int bytes = view_column(v, "useful_bytes"), time = view_column(v, "time_us");
    const double factor = bytes >= 0 && c->x >= 0 ? 1 / factor_of(v, rows, c->x, bytes) : (double)NAN;
    for (size_t f = 0; f < c->facet_count && !isnan(factor); f++)
        if (c->facets[f].column == time)
            add(c,
                (struct guide){.facet = (int)f,
                    .x = NAN,
                    .y = NAN,
                    .at = {overhead_us, INFINITY},
                    .slope = {factor / gbps / 1000, 0},
                    .text = arena_printf(v->arena, "%.3g us + bytes / %.4g GB/s", overhead_us, gbps)});
}

// Each row of a table beside the report.
static void read_table(struct view *v, struct chart *c, const struct rows *rows, const char *name, int along)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    char end[64], *path;
    snprintf(end, sizeof end, ".%s.csv", name);
    path = beside_with(v->path, end);
    const bool there = table_open(&t, path, &ignored);
    for (size_t i = 0; there && i < t.count && i < 4; i++) {
        const struct cells *cells = table_row(&t, i, &ignored);
        if (!cells) break;
        const double place = number(&t, cells, "knee"), us = number(&t, cells, "overhead_us"),
                     gbps = number(&t, cells, "gbps");
        const double factor = along == c->x ? 1 : factor_of(v, rows, c->x, along);
        if (!isnan(place) && along >= 0 && !isnan(factor)) knee(v, c, place * factor);
        if (!isnan(us) && gbps > 0) law(v, c, rows, us, gbps);
    }
    free(path);
}

bool chart_guides_table(const struct view *v, const char *name)
{
    char end[64], *path;
    snprintf(end, sizeof end, ".%s.csv", name);
    path = beside_with(v->path, end);
    const bool there = file_exists(path);
    free(path);
    return there;
}

// The points of a table by number; the baseline's own speedup is 1.
bool chart_guides_speedup(struct view *v)
{
    static const char *const names[] = {"speedup", "speedup_lo", "speedup_hi"};
    const char **texts[3];
    LOCAL(table_close) struct table t = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop) char *path = beside_with(v->path, ".speedup.csv");
    const bool there = table_open(&t, path, &ignored) && table_column(&t, "speedup") >= 0;
    const int point = view_column(v, "point"), of = there ? table_column(&t, "point") : -1,
              base = there ? table_column(&t, "baseline") : -1;
    const bool known = there && point >= 0 && of >= 0 && base >= 0 && view_column(v, "speedup") < 0;
    for (int k = 0; k < 3; k++) {
        texts[k] = arena_alloc(v->arena, (v->row_count + 1) * sizeof **texts);
        for (size_t i = 0; i < v->row_count; i++) texts[k][i] = "";
    }
    for (size_t r = 0; known && r < t.count; r++) {
        const struct cells *cells = table_row(&t, r, &ignored);
        for (size_t i = 0; cells && i < v->row_count; i++)
            for (int k = 0; k < 3; k++) {
                const int c = table_column(&t, names[k]);
                if (strcmp(v->rows[i][point], cells_text(cells, (size_t)base)) == 0 && !k) texts[k][i] = "1";
                if (c >= 0 && strcmp(v->rows[i][point], cells_text(cells, (size_t)of)) == 0)
                    texts[k][i] = arena_strdup(v->arena, cells_text(cells, (size_t)c));
            }
    }
    for (int k = 0; k < 3 && known; k++)
        view_add(v, names[k], k ? "" : "times as fast as its baseline, from the table beside the report", texts[k]);
    return known;
}

// The device of the rows, if it is one that something is published of.
static const struct profile *device_of(const struct view *v)
{
    if (v->device < 0 || !v->row_count || !v->columns[v->device].same) return NULL;
    const char *name = v->rows[0][v->device];
    for (const struct profile *p = profiles; p->name; p++)
        if (*name && strncmp(p->title, name, strlen(name)) == 0) return p;
    return NULL;
}

static double most_of(const struct view *v, enum column column)
{
    const int c = view_column(v, column_table[column].name);
    double most = NAN;
    for (size_t i = 0; i < v->row_count; i++) most = fmax(most, view_good(v, i) ? view_number(v, i, c) : (double)NAN);
    return most;
}

static void size(struct view *v, struct chart *c, const char *name, double bytes, const char *behind)
{
    add(c, (struct guide){.facet = -1, .x = bytes / c->x_unit, .y = NAN, .text = size_text(v, name, bytes, behind)});
}

// Something that was timed went over the bus: caches have no part in that.
static bool of_the_bus(const struct view *v)
{
    static const char *const over[] = {"upload", "download", "roundtrip", "prefetch_device", "prefetch_host"};
    const int timed = view_column(v, setting_table[SETTING_TIMED].name);
    bool some = false;
    for (size_t i = 0; i < v->row_count && timed >= 0; i++)
        for (size_t k = 0; k < sizeof over / sizeof *over; k++) some |= strcmp(v->rows[i][timed], over[k]) == 0;
    return some;
}

// An SM's own cache matters to what one SM walks through: far below the memory's bandwidth.
static void caches(struct view *v, struct chart *c, const struct profile *p)
{
    if (!(c->x_unit > 0) || of_the_bus(v)) return;
    struct profile own = *p;
    struct model_constants m;
    struct diags ignored = {0};
    char *facts = runfile_read(v->path), *limits = facts ? runfile_get(facts, "device_limits_0", 0) : NULL;
    const char *behind = limits && profile_limits(limits, &own) ? "" : " as published"; // else as the device names it
    const bool halves = profile_model(p, &m, &ignored) && m.l2_parts > 1;
    if (p->l1_bytes && most_of(v, COLUMN_GBPS) < 0.01 * most_of(v, COLUMN_PEAK_GBPS))
        size(v, c, "L1 and shared memory, ", (double)p->l1_bytes, "");
    // What SMs of both sides read has a copy in each half.
    if (own.l2_bytes && halves) size(v, c, "half of L2, ", (double)own.l2_bytes / 2, behind);
    if (own.l2_bytes) size(v, c, "L2, ", (double)own.l2_bytes, behind);
    diags_clear(&ignored);
    free(limits), free(facts);
}

// What is set aside of L2 for persisting lines, where all rows that ask for it ask for as many bytes.
static void set_aside(struct view *v, struct chart *c, const struct rows *rows)
{
    const int persist = view_column(v, setting_table[SETTING_PERSIST].name);
    double bytes = NAN;
    for (size_t i = 0; i < rows->count && c->x_unit > 0; i++) {
        const double asked = view_number(v, rows->items[i], persist);
        if (!(asked > 1)) continue; // nothing, or a share of what the device allows
        if (!isnan(bytes) && asked != bytes) return;
        bytes = asked;
    }
    if (!isnan(bytes)) size(v, c, "set aside, ", bytes, "");
}

// Threads of "256" or "32x8"; NAN: it is not written so.
static double threads_of(const char *block)
{
    double threads = 1;
    for (char *end;; block = end + 1) {
        threads *= strtod(block, &end);
        if (end == block || (*end && *end != 'x')) return NAN;
        if (!*end) return threads;
    }
}

// Blocks that run at once on all SMs: by warps, as the row's occupancy says. NAN: not known, or not the same in all.
static double wave_of(const struct view *v, const struct rows *rows, const struct profile *p)
{
    const int block = view_column(v, setting_table[SETTING_BLOCK].name),
              share = view_column(v, column_table[COLUMN_OCCUPANCY_PCT].name);
    double wave = NAN;
    for (size_t i = 0; i < rows->count && block >= 0; i++) {
        const double warps = ceil(threads_of(v->rows[rows->items[i]][block]) / 32),
                     fit = round(view_number(v, rows->items[i], share) / 100 * p->limits.warps_per_sm / warps),
                     at = fit * p->limits.sms;
        if (isnan(at)) continue;
        if (!isnan(wave) && at != wave) return NAN;
        wave = at;
    }
    return wave;
}

// Where another round of blocks begins.
static void waves(struct view *v, struct chart *c, const struct rows *rows, const struct profile *p)
{
    const char *name = c->x >= 0 ? v->columns[c->x].name : "";
    if (strcmp(name, setting_table[SETTING_GRID].name) != 0 && strcmp(name, "blocks") != 0) return;
    const double wave = wave_of(v, rows, p);
    if (!isnan(wave) && wave != p->limits.sms)
        add(c,
            (struct guide){
                .facet = -1, .x = wave, .y = NAN, .text = arena_printf(v->arena, "%.0f blocks run at once", wave)});
    add(c,
        (struct guide){.facet = -1,
            .x = p->limits.sms,
            .y = NAN,
            .text = arena_printf(v->arena, "a block for each of %d SMs", p->limits.sms)});
}

// Of what is done in parts, no way of overlapping them is quicker than the longest part alone.
static void longest_part(struct view *v, struct chart *c)
{
    static const char *const parts[] = {"upload", "launch", "download"};
    const int timed = view_column(v, setting_table[SETTING_TIMED].name), time = view_column(v, "time_us");
    double longest = NAN;
    bool whole = false;
    for (size_t i = 0; i < v->row_count && timed >= 0; i++) {
        whole = whole || strcmp(v->rows[i][timed], "roundtrip") == 0;
        for (size_t k = 0; k < 3; k++)
            if (view_good(v, i) && strcmp(v->rows[i][timed], parts[k]) == 0)
                longest = fmax(longest, view_number(v, i, time));
    }
    for (size_t f = 0; f < c->facet_count && whole && !isnan(longest); f++)
        if (c->facets[f].column == time)
            add(c, (struct guide){.facet = (int)f, .x = NAN, .y = longest, .text = "ideal: the longest part alone"});
}

void chart_guides(struct view *v, struct chart *c, const struct rows *rows, int along)
{
    if (c->kind != CHART_LINES) return;
    longest_part(v, c);
    read_table(v, c, rows, "knee", along);
    read_table(v, c, rows, "fit", along);
    const struct profile *p = device_of(v);
    if (p) caches(v, c, p);
    set_aside(v, c, rows);
    if (p) waves(v, c, rows, p);
    for (size_t f = 0; f < c->facet_count; f++)
        if (strcmp(v->columns[c->facets[f].column].name, "speedup") == 0)
            add(c, (struct guide){.facet = (int)f, .x = NAN, .y = 1, .text = "baseline"});
}
