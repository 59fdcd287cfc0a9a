// fleet: in noise as it was seen on GPUs, a healthy one is blamed once in a hundred times at most, and one that is 3 %
// slower in one test is found.
// SPDX-License-Identifier: MIT
#include "fleet/condition.h"
#include "fleet/fleet.h"
#include "fleet/nights.h"

#include "base/chance.h"
#include "store/table.h"
#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

// What each of several processes measured of the same work, by its mean: time and interval. Kept reports.
enum { SEEN = 1000 };
static struct timing seen[SEEN];
static size_t seen_count;

// Work of less than 50 us is no test of a GPU's health: contexts differ in it by some percent.
static void add_seen(const char *path)
{
    struct table t;
    struct diags d = {0};
    CHECK(table_open(&t, path, &d));
    const int experiment = table_column(&t, "experiment"), value = table_column(&t, "value"),
              us = table_column(&t, "time_us"), low = table_column(&t, "time_lo_us"),
              high = table_column(&t, "time_hi_us");
    CHECK(experiment >= 0 && value >= 0 && us >= 0 && low >= 0 && high >= 0);
    const size_t first = seen_count;
    char names[SEEN][64];
    for (size_t i = 0; i < t.count && seen_count < SEEN; i++) {
        const struct cells *c = table_row(&t, i, &d);
        const double x = strtod(cells_text(c, (size_t)us), NULL);
        if (x < 50) continue;
        snprintf(names[seen_count], 64, "%s %s", cells_text(c, (size_t)experiment), cells_text(c, (size_t)value));
        seen[seen_count++] =
            (struct timing){x, strtod(cells_text(c, (size_t)low), NULL), strtod(cells_text(c, (size_t)high), NULL), 8};
    }
    double means[SEEN];
    for (size_t i = first; i < seen_count; i++) {
        size_t n = 0;
        means[i] = 0;
        for (size_t k = first; k < seen_count; k++)
            if (strcmp(names[i], names[k]) == 0) means[i] += seen[k].us, n++;
        means[i] /= (double)n;
    }
    for (size_t i = first; i < seen_count; i++)
        seen[i] = (struct timing){seen[i].us / means[i], seen[i].low / means[i], seen[i].high / means[i], 8};
    table_close(&t);
}

static uint64_t state = 7;
static struct timing draw(double us)
{
    const struct timing *s = &seen[(size_t)(chance_draw(&state) * (double)seen_count)];
    return (struct timing){us * s->us, us * s->low, us * s->high, 8};
}

enum { TESTS = 8, GPUS = 8, NIGHTS = 10 };
static struct gpu gpus[GPUS], reference, past[GPUS][NIGHTS];
static struct gpu_test tests[GPUS + 1][TESTS], past_tests[GPUS][NIGHTS][TESTS];
static struct fleet_test names[TESTS] = {
    {"a", "us"}, {"b", "us"}, {"c", "us"}, {"d", "us"}, {"e", "us"}, {"f", "us"}, {"g", "us"}, {"h", "us"}};

static struct gpu_test drawn(double us)
{
    return (struct gpu_test){.status = "ok",
        .reason = "",
        .point = 1,
        .time = draw(us),
        .value = 1,
        .clock_mhz = 1980,
        .samples = 60,
        .reference_speed = NAN,
        .fleet_speed = NAN,
        .own_speed = NAN,
        .percentile = NAN};
}

// A fleet of `count`, the first of which is slower by so much in one test; how many GPUs are blamed, and whether the
// first is.
static size_t blamed(size_t count, bool with_reference, size_t nights, double slower, bool *first)
{
    struct fleet f = {.arena = arena_new(),
        .gpus = gpus,
        .references = &reference,
        .count = count,
        .reference_count = with_reference,
        .tests = names,
        .test_count = TESTS,
        .threshold = FLEET_THRESHOLD};
    for (size_t g = 0; g <= count; g++) {
        struct gpu *to = g < count ? &gpus[g] : &reference;
        *to = (struct gpu){.name = "x", .model = "m", .path = "p", .driver = "d", .tests = tests[g]};
        for (size_t t = 0; t < TESTS; t++) tests[g][t] = drawn(g == 0 && t == 3 ? 1000 * (1 + slower) : 1000);
        for (size_t n = 0; n < nights && g < count; n++) {
            past[g][n] =
                (struct gpu){.name = "x", .model = "m", .driver = "d", .date = "then", .tests = past_tests[g][n]};
            for (size_t t = 0; t < TESTS; t++) past_tests[g][n][t] = drawn(1000);
        }
        if (g < count) to->nights = past[g], to->night_count = nights;
    }
    const size_t n = fleet_judge(&f);
    *first = gpus[0].finding_count > 0;
    for (size_t g = 0; g < count; g++) free(gpus[g].findings);
    arena_free(f.arena);
    return n;
}

// Against the reference alone, against the others alone, against both, and against itself on earlier nights.
static void alarms_are_few_and_deficits_are_found(void)
{
    static const struct {
        size_t count;
        bool reference;
        size_t nights;
    } fleets[] = {{1, true, 0}, {GPUS, false, 0}, {GPUS, true, 0}, {1, false, 1}, {1, false, NIGHTS}};
    enum { ROUNDS = 1000 };
    for (size_t k = 0; k < sizeof fleets / sizeof *fleets; k++) {
        size_t alarms = 0, looked = 0, found = 0, beside = 0;
        for (int i = 0; i < ROUNDS; i++) {
            bool first;
            alarms += blamed(fleets[k].count, fleets[k].reference, fleets[k].nights, 0, &first);
            looked += fleets[k].count;
            beside += blamed(fleets[k].count, fleets[k].reference, fleets[k].nights, 0.03 / 0.97, &first) - first;
            found += first;
        }
        if (100 * alarms > looked || 100 * beside > looked || 100 * found < 95 * ROUNDS)
            printf("fleet %zu of %zu: %zu of %zu blamed, %zu beside a slow one, %zu of %d found\n", k, fleets[k].count,
                alarms, looked, beside, found, ROUNDS);
        CHECK(100 * alarms <= looked);
        CHECK(100 * beside <= looked);
        CHECK(100 * found >= 95 * ROUNDS);
    }
}

// A GPU's percentile is the share of the others that are slower: one that is as fast is not.
static void a_gpu_that_is_as_fast_is_not_slower(void)
{
    static const double us[] = {1000, 1000, 900, 1200, 1300};
    enum { COUNT = sizeof us / sizeof *us };
    struct fleet f = {.arena = arena_new(),
        .gpus = gpus,
        .count = COUNT,
        .tests = names,
        .test_count = 1,
        .threshold = FLEET_THRESHOLD};
    for (size_t g = 0; g < COUNT; g++) {
        gpus[g] = (struct gpu){.name = "x", .model = "m", .path = "p", .driver = "d", .tests = tests[g]};
        tests[g][0] = drawn(1000);
        tests[g][0].time = (struct timing){us[g], us[g], us[g], 8};
    }
    fleet_judge(&f);
    CHECK(tests[0][0].percentile == 50 && tests[2][0].percentile == 100 && tests[4][0].percentile == 0);
    for (size_t g = 0; g < COUNT; g++) free(gpus[g].findings);
    arena_free(f.arena);
}

static void what_nothing_is_known_of_is_not_judged(void)
{
    bool first;
    CHECK_INT(blamed(3, false, 0, 0.5, &first), 0); // two others have no median worth comparing with
    CHECK(isnan(tests[0][3].fleet_speed) && isnan(tests[0][3].reference_speed));
}

// Three real GPUs, one of them the reference: none is blamed, and each test of each that is slowed by 3 % is found.
static void real_gpus_are_well_and_their_deficits_are_found(void)
{
    static const char *const paths[] = {TESTS_DIR "/../reports/h200/two_gpus/health_0.csv",
        TESTS_DIR "/../reports/h200/two_gpus/health_1.csv", TESTS_DIR "/../reports/h200/health.csv"};
    size_t looked = 0, found = 0, well = 0;
    for (size_t slow = 0; slow < 3; slow++)
        for (size_t test = 0; test <= TESTS; test++) { // the last time none is slowed
            struct fleet f;
            struct diags d = {0};
            fleet_init(&f, FLEET_THRESHOLD);
            for (size_t i = 0; i < 3; i++) CHECK(fleet_add(&f, paths[i], &d));
            CHECK(fleet_add_reference(&f, paths[2], &d) && f.test_count == TESTS);
            struct timing *t = test < TESTS ? &f.gpus[slow].tests[test].time : NULL;
            if (t) *t = (struct timing){t->us / 0.97, t->low / 0.97, t->high / 0.97, t->contexts};
            const size_t ill = fleet_judge(&f);
            if (!t) well += ill == 0;
            else looked++, found += f.gpus[slow].finding_count > 0;
            fleet_release(&f);
        }
    printf("%zu of %zu found\n", found, looked);
    CHECK(well == 3);
    CHECK(100 * found >= 95 * looked);
}

// Five others at -2, -1, 0, 1 and 2 %: as a normal distribution they are 1.48 % wide, and four times that is sure.
static void what_the_others_vary_by_is_no_alarm(void)
{
    static const double at[] = {0, -0.02, -0.01, 0, 0.01, 0.02};
    for (int slow = 0; slow < 2; slow++) {
        struct fleet f = {.arena = arena_new(), .gpus = gpus, .count = 6, .tests = names, .test_count = 1};
        f.threshold = 0.01;
        for (size_t g = 0; g < 6; g++) {
            const double us = 1000 * exp(g ? at[g] : slow ? 0.0600 : 0.0585);
            gpus[g] = (struct gpu){.name = "x", .model = "m", .path = "p", .driver = "d", .tests = tests[g]};
            tests[g][0] = drawn(1000);
            tests[g][0].time = (struct timing){us, us, us, 8};
        }
        CHECK_INT(fleet_judge(&f), slow);
        for (size_t g = 0; g < 6; g++) free(gpus[g].findings);
        arena_free(f.arena);
    }
}

static void a_twentieth_of_throttled_samples_is_told(void)
{
    for (int discarded = 5; discarded <= 6; discarded++) {
        struct fleet f = {.arena = arena_new(), .gpus = gpus, .count = 1, .tests = names, .test_count = 1};
        f.threshold = FLEET_THRESHOLD;
        gpus[0] = (struct gpu){.name = "x", .model = "m", .path = "p", .driver = "d", .tests = tests[0]};
        tests[0][0] = drawn(1000);
        tests[0][0].time = (struct timing){1000, 1000, 1000, 8};
        tests[0][0].samples = 100 - discarded, tests[0][0].discarded = discarded;
        CHECK_INT(fleet_judge(&f), discarded - 5);
        if (gpus[0].finding_count) CHECK_TEXT(gpus[0].findings[0], "a: the clock was throttled in 6 of 100 samples");
        free(gpus[0].findings);
        arena_free(f.arena);
    }
}

static void what_grew_while_it_was_measured_is_told(void)
{
    static const struct {
        struct condition_row row;
        const char *says;
    } rows[] = {
        {{"held_by_heat", "s", "7", "7.05"}, NULL},
        {{"held_by_heat", "s", "7", "7.06"},
            "held_by_heat: 0.06 seconds in which heat held its clock down while it was measured"},
        {{"ecc_corrected", "", "5", "5"}, NULL},
        {{"ecc_corrected", "", "5", "6"}, "ecc_corrected: 1 memory errors were corrected while it was measured"},
        {{"ecc_corrected", "", "", "6"}, NULL},
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct condition_row row = rows[i].row;
        const struct condition c = {.rows = &row, .count = 1};
        size_t at = 0;
        const char *says = condition_finding(&c, &at, a);
        CHECK_TEXT(says ? says : "nothing", rows[i].says ? rows[i].says : "nothing");
    }
    arena_free(a);
}

// Of two of one second the one that was given later is the newer; the past stands oldest first.
static void nights_are_in_order(void)
{
    static const char *const dates[] = {"2026-11-18", "2026-11-20", "2026-11-19", "2026-11-20"};
    enum { COUNT = sizeof dates / sizeof *dates };
    struct fleet f = {.gpus = mem_alloc((COUNT + 1) * sizeof *f.gpus), .count = COUNT + 1};
    f.gpus[0] = (struct gpu){.name = "z", .path = "z", .date = "2026-11-01"};
    for (size_t i = 0; i < COUNT; i++) f.gpus[i + 1] = (struct gpu){.name = "a", .path = &"0123"[i], .date = dates[i]};
    nights_gather(&f);
    CHECK_INT(f.count, 2);
    CHECK_INT(f.past, 3);
    CHECK_TEXT(f.gpus[0].path, "z"); // as they were given
    CHECK(f.gpus[1].path[0] == '3' && f.gpus[1].night_count == 3 && f.gpus[0].night_count == 0);
    static const char order[] = "021";
    for (size_t i = 0; i < 3; i++) CHECK_INT(f.gpus[1].nights[i].path[0], order[i]);
    free(f.gpus);
}

int main(void)
{
    nights_are_in_order();
    what_the_others_vary_by_is_no_alarm();
    a_twentieth_of_throttled_samples_is_told();
    what_grew_while_it_was_measured_is_told();
    real_gpus_are_well_and_their_deficits_are_found();
    add_seen(TESTS_DIR "/../reports/h200/processes/coverage.csv");
    add_seen(TESTS_DIR "/../reports/h100/processes/coverage.csv");
    CHECK(seen_count > 150);
    alarms_are_few_and_deficits_are_found();
    a_gpu_that_is_as_fast_is_not_slower();
    what_nothing_is_known_of_is_not_judged();
    return test_end();
}
