// lua/*.lua: the scripts that ship, on made-up measurements whose answer is known.
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "lua/script.h"
#include "unit/test.h"

enum { ROWS = 2000, NAMES = 8 };
struct world { // a measured machine: rows of values, a curve that gives the last ones
    struct script *script;
    int shape, points_shape;
    const char *const *names;
    size_t name_count, own; // the first `own` are the experiment's
    struct value rows[ROWS * NAMES];
    size_t count;
    void (*measure)(struct value *row);
};

static struct arena *memory;
static struct sandbox *box;
static struct diags diags;

static void begin(struct world *w, const char *path, const struct script_param *given, size_t given_count,
    const char *const *names, size_t own, void (*measure)(struct value *))
{
    w->name_count = w->count = 0;
    while (names[w->name_count]) w->name_count++;
    w->names = names;
    w->own = own;
    w->measure = measure;
    w->script = script_new(box, path, given, given_count, (struct where){0}, &diags);
    diags_print(&diags, stdout);
    CHECK(w->script != NULL);
    if (!w->script) exit(test_end());
    w->points_shape = script_shape(w->script, names, own);
    w->shape = script_shape(w->script, names, w->name_count);
}

static bool add(void *context, const struct value *point)
{
    struct world *w = context;
    struct value *row = w->rows + w->count * w->name_count;
    for (size_t i = 0; i < w->count; i++) {
        size_t k = 0;
        while (k < w->own && value_equal(w->rows[i * w->name_count + k], point[k])) k++;
        if (k == w->own) return true; // it is there
    }
    for (size_t k = 0; k < w->own; k++) row[k] = value_copy(point[k], memory);
    w->measure(row);
    return ++w->count < ROWS;
}

static void refine(struct world *w)
{
    size_t before;
    do {
        before = w->count;
        CHECK(script_refine(w->script, w->shape, w->rows, w->count, w->points_shape, add, w, &diags));
    } while (w->count > before);
}

static struct script_outcome finish(struct world *w)
{
    struct script_outcome o;
    CHECK(script_done(w->script, w->shape, w->rows, w->count, &o, memory, &diags));
    diags_print(&diags, stdout);
    diags_clear(&diags);
    script_free(w->script);
    return o;
}

static double cell(const struct script_outcome *o, const char *column)
{
    double x = NAN;
    for (size_t i = 0; o->table_count && i < o->tables[0].column_count; i++)
        if (strcmp(o->tables[0].columns[i], column) == 0 && o->tables[0].row_count)
            value_number(o->tables[0].cells[i], &x);
    return x;
}

// A curve that bends at `bend`: it rises up to there and stays flat, or is flat and rises from there on.
static double bend, power;
static bool flat_first;
static unsigned noise;

static void measure_curve(struct value *row)
{
    double x, y;
    value_number(row[0], &x);
    bool flat = flat_first ? x <= bend : x >= bend;
    y = flat ? 300 : 300 * pow(x / bend, power);
    noise = noise * 1103515245 + 12345;
    y *= 1 + ((noise >> 16) % 1001 - 500.0) / 500.0 * 0.002; // 0.2 % of it, as a measurement has
    row[1] = value_real(y);
    row[2] = value_text("ok");
}

static void knees(void)
{
    static const char *const names[] = {"x", "y", "status", NULL};
    const struct script_param given[] = {{"x", value_text("x"), {0}}, {"y", value_text("y"), {0}}};
    static const double bends[] = {3000, 37123, 777777, 5e6}, powers[] = {0.4, 1, 2};
    static struct world w;
    for (int kind = 0; kind < 2; kind++)
        for (int b = 0; b < 4; b++)
            for (int p = 0; p < 3; p++) {
                bend = bends[b], power = powers[p], flat_first = kind, noise = 7;
                begin(&w, "lua/refine_knee.lua", given, 2, names, 1, measure_curve);
                for (int64_t x = 1024; x <= 1 << 26; x *= 4) add(&w, (struct value[]){value_int(x)});
                refine(&w);
                struct script_outcome o = finish(&w);
                double found = cell(&o, "knee"), grid = log(65536) / log(1.01);
                if (!(fabs(found / bend - 1) <= 0.01))
                    printf("%s: %s\n", flat_first ? "flat first" : "flat last", o.lines[0]);
                CHECK(fabs(found / bend - 1) <= 0.01);
                CHECK((double)w.count <= grid / 3);
            }
}

static void a_straight_curve_has_no_knee(void)
{
    static const char *const names[] = {"x", "y", "status", NULL};
    const struct script_param given[] = {{"x", value_text("x"), {0}}, {"y", value_text("y"), {0}}};
    static struct world w;
    bend = 1, flat_first = false, noise = 7;
    begin(&w, "lua/refine_knee.lua", given, 2, names, 1, measure_curve);
    for (int64_t x = 1024; x <= 1 << 20; x *= 4) add(&w, (struct value[]){value_int(x)});
    size_t before = w.count;
    refine(&w);
    CHECK_INT(w.count, before);
    CHECK_TEXT(finish(&w).lines[0], "y does not bend along x (6 points)");
    begin(&w, "lua/refine_knee.lua", given, 2, names, 1, measure_curve);
    CHECK_TEXT(finish(&w).lines[0], "no row has both `x` and `y`");
}

// Candidate 37 of 64 is the best, by 10 % over the next; a run's interval is 1 % to either side.
static void measure_candidate(struct value *row)
{
    double us = (double)row[0].i * (row[1].i == 37 ? 1 : 1.1 + (double)((row[1].i * 7919) % 64) / 20);
    row[2] = value_real(us);
    row[3] = value_real(us * 0.99);
    row[4] = value_real(us * 1.01);
    row[5] = value_int(1000 * row[1].i + row[0].i);
    row[6] = value_text("ok");
}

static void tune_finds_the_best_in_few_points(void)
{
    static const char *const names[] = {
        "n", "candidate", "time_us", "time_lo_us", "time_hi_us", "point", "status", NULL};
    static struct world w;
    struct value sizes[] = {value_int(64), value_int(16), value_int(1), value_int(4)}, candidates[64];
    for (int i = 0; i < 64; i++) candidates[i] = value_int(i + 1);
    const struct script_axis axes[] = {{"n", sizes, 4}, {"candidate", candidates, 64}};
    begin(&w, "lua/tune.lua", NULL, 0, names, 2, measure_candidate);
    CHECK(script_points(w.script, axes, 2, w.points_shape, add, &w, &diags));
    CHECK_INT(w.count, 64);
    CHECK_INT(w.rows[0].i, 1);
    refine(&w);
    CHECK_INT(w.count, 64 + 32 + 16 + 8); // of 256
    struct script_outcome o = finish(&w);
    CHECK_TEXT(o.lines[0], "best at n = 64: candidate 37, with time_us = 64");
    CHECK(o.lines[1] == NULL);
}

// A forecast may be off by a quarter: three candidates a hundredth apart stay together, a fourth of twice the time
// does not.
static void foresee_candidate(struct value *row)
{
    double us = (double)row[0].i * (row[1].i == 4 ? 2 : 1 + 0.01 * (double)row[1].i);
    row[2] = value_real(us);
    row[3] = value_real(us * 0.8);
    row[4] = value_real(us * 1.25);
    row[5] = value_int(1000 * row[1].i + row[0].i);
    row[6] = value_text("ok");
}

static void tune_says_what_a_forecast_cannot_tell(void)
{
    static const char *const names[] = {
        "n", "candidate", "model_us", "model_lo_us", "model_hi_us", "point", "status", NULL};
    static struct world w;
    struct value sizes[] = {value_int(1), value_int(4)}, candidates[4];
    for (int i = 0; i < 4; i++) candidates[i] = value_int(i + 1);
    const struct script_axis axes[] = {{"n", sizes, 2}, {"candidate", candidates, 4}};
    const struct script_param given[] = {{"metric", value_text("model_us"), {0}}};
    begin(&w, "lua/tune.lua", given, 1, names, 2, foresee_candidate);
    CHECK(script_points(w.script, axes, 2, w.points_shape, add, &w, &diags));
    refine(&w);
    CHECK_INT(w.count, 4 + 3);
    struct script_outcome o = finish(&w);
    CHECK_TEXT(o.lines[0], "best at n = 4: candidate 1, with model_us = 4.04");
    CHECK_TEXT(o.lines[1], "the forecast cannot tell apart from it: candidate 2, 4.08");
    CHECK_TEXT(o.lines[2], "the forecast cannot tell apart from it: candidate 3, 4.12");
    CHECK(o.lines[3] == NULL);
}

static void measure_speed(struct value *row)
{
    row[2] = value_real((double)row[0].i / (strcmp(row[1].text, "naive") == 0 ? 1 : 3));
    row[3] = value_real(row[2].r * 0.9);
    row[4] = value_real(row[2].r * 1.1);
    row[5] = value_int(row[0].i);
    row[6] = value_text("ok");
}

static void speedup_compares_with_its_own_baseline(void)
{
    static const char *const names[] = {"n", "variant", "time_us", "time_lo_us", "time_hi_us", "point", "status", NULL};
    const struct script_param given[] = {{"at_least", value_int(4), {0}}};
    static struct world w;
    for (int claimed = 0; claimed < 2; claimed++) {
        begin(&w, "lua/speedup.lua", given, (size_t)claimed, names, 2, measure_speed);
        for (int64_t n = 10; n <= 1000; n *= 10)
            for (int v = 0; v < 2; v++) add(&w, (struct value[]){value_int(n), value_text(v ? "tiled" : "naive")});
        struct script_outcome o = finish(&w);
        CHECK_TEXT(o.lines[0], "variant tiled: 3 times variant=naive by time_us (geometric mean of 3, 3 to 3)");
        CHECK_INT(o.tables[0].row_count, 3);
        CHECK(fabs(cell(&o, "speedup") - 3) < 1e-9);
        CHECK(fabs(cell(&o, "speedup_lo") - 3 * 0.9 / 1.1) < 1e-9);
        CHECK(o.has_verdict == claimed && !o.verdict);
        if (claimed) CHECK_TEXT(o.reason, "the smallest is 3 times the baseline, the claim is 4");
    }
}

static void measure_transfer(struct value *row)
{
    row[1] = value_real(2.5 + (double)row[0].i / 50000); // 2.5 us and 50 GB/s
    row[2] = value_text("ok");
}

static void overhead_and_bandwidth_come_apart(void)
{
    static const char *const names[] = {"useful_bytes", "time_us", "status", NULL};
    static struct world w;
    begin(&w, "lua/fit_latency_bandwidth.lua", NULL, 0, names, 1, measure_transfer);
    for (int64_t n = 1024; n <= 1 << 28; n *= 2) add(&w, (struct value[]){value_int(n)});
    struct script_outcome o = finish(&w);
    CHECK(fabs(cell(&o, "overhead_us") - 2.5) < 1e-6);
    CHECK(fabs(cell(&o, "gbps") - 50) < 1e-6);
    CHECK(strstr(o.lines[0], "overhead 2.5 us, bandwidth 50 GB/s, half of it at 122.1 KiB; off by "));
    begin(&w, "lua/fit_latency_bandwidth.lua", NULL, 0, names, 1, measure_transfer);
    add(&w, (struct value[]){value_int(1)});
    CHECK_TEXT(finish(&w).lines[0], "1 points are too few for a fit; it needs three sizes");
}

int main(void)
{
    memory = arena_new();
    box = sandbox_new(&(struct sandbox_limits){.seed = 1});
    knees();
    a_straight_curve_has_no_knee();
    tune_finds_the_best_in_few_points();
    tune_says_what_a_forecast_cannot_tell();
    speedup_compares_with_its_own_baseline();
    overhead_and_bandwidth_come_apart();
    sandbox_free(box);
    arena_free(memory);
    return test_end();
}
