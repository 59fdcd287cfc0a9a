// measure/contexts.h: the interval over contexts holds what it says it holds, and the row says what was missed and why.
// SPDX-License-Identifier: MIT
#include "measure/contexts.h"

#include "unit/reason_here.h"
#include "spec/columns.h"
#include "unit/test.h"

static uint64_t state = 42;

static double even(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(even())) * cos(8 * atan(1) * even()); }

// One context: a comb of launch slots and a place, drawn anew; samples with a stall now and then.
static struct portion context_of(double us, double draws, double scatter, size_t samples)
{
    struct stats s;
    double own = us + draws * normal();
    stats_init(&s, samples);
    for (size_t i = 0; i < samples; i++) stats_add(&s, own * (1 + scatter * (normal() + (even() < 0.05 ? 4 : 0))));
    struct interval i = stats_interval(s.sorted, s.count);
    stats_release(&s);
    return (struct portion){
        .time_us = i.median, .error_us = (i.high - i.low) / 3.92, .samples = (double)samples, .clock_mhz = 1980};
}

// Of processes that draw eight contexts each, and have 20 ns in common, how many hold the mean of all; and how many
// would by their first alone.
static void processes(double us, double draws, double scatter, double *whole, double *one)
{
    enum { RUNS = 1500, CONTEXTS = 8 };
    static struct portion parts[RUNS][CONTEXTS];
    double mean = 0;
    *whole = *one = 0;
    for (int r = 0; r < RUNS; r++) {
        const double shared = 0.02 * normal();
        for (int c = 0; c < CONTEXTS; c++) {
            parts[r][c] = context_of(us + shared, draws, scatter, 16);
            mean += parts[r][c].time_us / (RUNS * CONTEXTS);
        }
    }
    for (int r = 0; r < RUNS; r++) {
        double values[CONTEXTS], errors[CONTEXTS];
        for (int c = 0; c < CONTEXTS; c++) values[c] = parts[r][c].time_us, errors[c] = parts[r][c].error_us;
        struct pooled p = contexts_pool_times(values, errors, CONTEXTS);
        *whole += (p.low <= mean && mean <= p.high) / (double)RUNS;
        *one += (fabs(values[0] - mean) <= 1.96 * errors[0]) / (double)RUNS;
    }
}

static void the_interval_holds_what_other_processes_find(void)
{
    static const double kernels[][3] = {{3.67, 0.08, 0.04}, {3.91, 0.12, 0.035}, {7.03, 0.12, 0.03}, {5.4, 0.04, 0.01},
        {72.5, 0.16, 0.007}, {224.7, 0.11, 0.0018}, {1178, 0.1, 0.0005}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        double whole, one;
        processes(kernels[i][0], kernels[i][1], kernels[i][2], &whole, &one);
        CHECK(whole >= 0.935 && whole <= 0.999);
        if (i < 3) CHECK(one < 0.85); // what one context says of itself is not what the next one finds
    }
}

// A point is sampled until the whole is known, in each context and from context to context: `samples` and `contexts`,
// the means of many processes; how many of them hold the mean of all.
static double until_known(double us, double draws, double scatter, double *samples, double *contexts)
{
    enum { RUNS = 200, CONTEXTS = 8 };
    static struct pooled all[RUNS];
    const struct job job = {.goals = {.precision = 0.005, .min_samples = 30, .max_samples = 10000, .max_time = 1e9}};
    struct stop rule = contexts_rule(&job.goals, CONTEXTS, 1, 10000);
    double mean = 0, hold = 0;
    *samples = *contexts = 0;
    for (int r = 0; r < RUNS; r++) {
        struct portion parts[CONTEXTS];
        double values[CONTEXTS], errors[CONTEXTS];
        const double shared = 0.02 * normal();
        size_t n = 0;
        do {
            struct stats s;
            struct stop_answer a = {.state = STOP_GO_ON};
            const double own = us + shared + draws * normal();
            stats_init(&s, rule.max_samples);
            while (a.state == STOP_GO_ON) {
                stats_add(&s, own * (1 + scatter * (normal() + (even() < 0.05 ? 4 : 0))));
                a = stop_ask(&rule, &s, s.count, 0);
            }
            *samples += (double)s.count / RUNS;
            parts[n] = (struct portion){.time_us = a.interval.median,
                .error_us = (a.interval.high - a.interval.low) / 3.92,
                .samples = (double)s.count};
            values[n] = parts[n].time_us, errors[n] = parts[n].error_us;
            stats_release(&s);
        } while (++n < CONTEXTS && !contexts_enough(&job, parts, n));
        all[r] = contexts_pool_times(values, errors, n);
        *contexts += (double)n / RUNS;
        mean += all[r].value / RUNS;
    }
    for (int r = 0; r < RUNS; r++) hold += (all[r].low <= mean && mean <= all[r].high) / (double)RUNS;
    return hold;
}

static void the_whole_decides_when_each_context_stops_and_how_many_there_are(void)
{
    static const double kernels[][3] = {{1500, 0.2, 0.006}, {1500, 0.2, 0.01}, {600, 0.2, 0.004}, {1500, 10, 0.002}};
    double samples, contexts;
    for (size_t i = 0; i < 4; i++)
        CHECK(until_known(kernels[i][0], kernels[i][1], kernels[i][2], &samples, &contexts) > 0.9);
    CHECK(contexts > 6.5); // contexts that differ by more than the goal: none may be left out
    until_known(1500, 0.2, 0.01, &samples, &contexts);
    CHECK(samples < 120 && contexts < 6);
    until_known(600, 0.2, 0.004, &samples, &contexts);
    CHECK(samples < 40 && samples >= 30);
}

static void pooling_is_a_mean_with_students_interval(void)
{
    const double values[] = {10, 12, 11, 13}, none[] = {0, 0, 0, 0}, wide[] = {5, 5, 5, NAN};
    struct pooled p = contexts_pool(values, none, 4);
    CHECK(fabs(p.value - 11.5) < 1e-12 && fabs(p.between - sqrt(5 / 3.0)) < 1e-12 && p.within == 0);
    CHECK(fabs(p.high - 11.5 - 3.18245 * p.between / 2) < 5e-3 && fabs(p.low + p.high - 23) < 1e-9);
    CHECK(fabs(p.half_width - (p.high - 11.5) / 11.5) < 1e-12);
    p = contexts_pool(values, wide, 4); // they lie closer together than each is known: luck
    CHECK(p.high - p.value > 3.18 * sqrt(75 / 4.0) / 2 - 0.05 && p.between < 1.3);
    p = contexts_pool(values, none, 1);
    CHECK(p.value == 10 && isnan(p.low) && isinf(p.half_width) && isnan(p.between));
    CHECK(isnan(contexts_pool(values, none, 0).value));
    const double zeros[] = {0, 0};
    CHECK(contexts_pool(zeros, none, 2).half_width == 0); // a kernel's own value may be 0, and be known
}

static struct job job_with(double precision)
{
    static const struct report_value reports[] = {{.name = "cycles"}};
    return (struct job){.useful_bytes = 1e6,
        .flops = 2e6,
        .reports = reports,
        .report_count = 1,
        .goals = {.precision = precision, .min_samples = 30, .max_samples = 10000, .max_time = 2, .contexts = 8}};
}

static struct result row_of(const struct job *job, double step, double error, double report_step)
{
    struct portion parts[8];
    struct result r;
    result_init(&r);
    for (int i = 0; i < 8; i++) {
        parts[i] = (struct portion){.time_us = 100 + step * (i % 2),
            .error_us = error,
            .samples = 10,
            .discarded = 1,
            .clock_mhz = i % 2 ? 1970 : 1990};
        for (int k = 0; k < RESULT_REPORTS; k++) parts[i].reports[k] = parts[i].report_errors[k] = NAN;
        parts[i].reports[0] = 640 + report_step * (i % 2);
        parts[i].report_errors[0] = 0;
    }
    r.status = STATUS_OK;
    contexts_conclude(job, parts, NULL, 8, &r);
    return r;
}

// Visits of one context share what it drew: the row's interval is over contexts, however many visits there were.
static void several_visits_are_one_value_of_their_context(void)
{
    struct job job = job_with(0.005);
    struct portion parts[8], two[2];
    struct result r, of_two;
    static const unsigned in_context[] = {3, 3, 3, 3, 4, 4, 4, 4};
    for (int i = 0; i < 8; i++) {
        parts[i] = (struct portion){
            .time_us = 100 + (i >= 4) + 0.01 * (i % 4), .error_us = 0.2, .samples = 10, .clock_mhz = 1980};
        for (int k = 0; k < RESULT_REPORTS; k++) parts[i].reports[k] = parts[i].report_errors[k] = NAN;
    }
    for (int i = 0; i < 2; i++) {
        two[i] = parts[4 * i];
        two[i].time_us = 100.015 + i;
        two[i].error_us = 0.1; // of the mean of four
    }
    result_init(&r);
    result_init(&of_two);
    r.status = of_two.status = STATUS_OK;
    contexts_conclude(&job, parts, in_context, 8, &r);
    contexts_conclude(&job, two, NULL, 2, &of_two);
    CHECK_INT(r.columns[COLUMN_CONTEXTS], 2);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 80);
    static const enum column both[] = {
        COLUMN_TIME_US, COLUMN_TIME_LO_US, COLUMN_TIME_HI_US, COLUMN_WITHIN_PCT, COLUMN_BETWEEN_PCT};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        CHECK(fabs(r.columns[both[i]] - of_two.columns[both[i]]) < 1e-9);
    result_init(&r);
    r.status = STATUS_OK;
    contexts_conclude(&job, parts, in_context, 4, &r); // one context: nothing says how far another differs
    CHECK_INT(r.columns[COLUMN_CONTEXTS], 1);
    CHECK(isnan(r.columns[COLUMN_TIME_LO_US]) && isnan(r.columns[COLUMN_BETWEEN_PCT]));
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&r), "time of one context: how far another differs is not known");
}

// Places that fall into two groups have two times, which the row gives beside their mean.
static void few_samples_are_never_enough(void)
{
    const struct job job = {.goals = {.precision = 0.005, .min_samples = 30}};
    struct portion parts[8];
    for (int i = 0; i < 8; i++) parts[i] = (struct portion){.time_us = 1000, .error_us = 0.1, .samples = 5};
    CHECK(!contexts_enough(&job, parts, 5) && contexts_enough(&job, parts, 6));
    for (int i = 0; i < 8; i++) parts[i].samples = 10;
    CHECK(!contexts_enough(&job, parts, CONTEXTS_LEAST - 1) && contexts_enough(&job, parts, CONTEXTS_LEAST));
    for (int i = 0; i < 8; i++) parts[i].time_us += 20 * (i % 2);
    CHECK(!contexts_enough(&job, parts, 8));
}

static void places_of_two_kinds_are_two_times(void)
{
    struct job job = job_with(0.005);
    struct portion parts[8];
    struct result r;
    for (int i = 0; i < 8; i++) {
        parts[i] = (struct portion){.samples = 0};
        for (int k = 0; k < RESULT_REPORTS; k++) parts[i].reports[k] = parts[i].report_errors[k] = NAN;
        for (size_t k = 0; k < RESULT_PLACES; k++) {
            struct portion here = {.time_us = 36 + 0.2 * (double)k, .samples = 10, .clock_mhz = 1980};
            if (i < 2) here.time_us += 22;
            here.place_us[0] = here.time_us;
            here.place_us[1] = here.place_us[2] = NAN;
            contexts_join(&parts[i], &here, k + 1);
        }
        CHECK(parts[i].place_us[2] == (i < 2 ? 58.4 : 36.4));
    }
    result_init(&r);
    r.status = STATUS_OK;
    contexts_conclude(&job, parts, NULL, 8, &r);
    CHECK(fabs(r.columns[COLUMN_QUICK_US] - 36.2) < 1e-9 && fabs(r.columns[COLUMN_SLOW_US] - 58.2) < 1e-9);
    CHECK(r.columns[COLUMN_SLOW_PCT] == 25 && why_has(&r.why, WHY_TWO_TIMES));
    CHECK(strncmp(reason_of(&r),
              "two times, by where its buffers lie: 36.2 us in 75 % of 24 places, 58.2 us in the others", 80) == 0);
    CHECK(isnan(row_of(&job, 0.2, 0.01, 0).columns[COLUMN_SLOW_US]));
}

static void a_row_has_both_parts_and_a_verdict_on_the_whole(void)
{
    struct job job = job_with(0.005);
    struct result r = row_of(&job, 0.2, 0.01, 0);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(reason_of(&r), "");
    CHECK(fabs(r.columns[COLUMN_TIME_US] - 100.1) < 1e-9 && fabs(r.columns[COLUMN_BETWEEN_PCT] - 0.1068) < 1e-3);
    CHECK(fabs(r.columns[COLUMN_WITHIN_PCT] - 0.00999) < 1e-4);
    CHECK(r.columns[COLUMN_SAMPLES] == 80 && r.columns[COLUMN_DISCARDED] == 8 && r.columns[COLUMN_CONTEXTS] == 8);
    CHECK(fabs(r.columns[COLUMN_GBPS] - 1e6 / 100.1 / 1e3) < 1e-9 && r.columns[COLUMN_CLOCK_MHZ] == 1980);
    CHECK(r.reports[0] == 640);
    r = row_of(&job, 1000, 0.1, 0);
    CHECK(r.columns[COLUMN_TIME_US] == 600 && r.columns[COLUMN_TIME_LO_US] > 0);
    // The interval of so few and so different ones reaches below 0, where no time is.
    const struct portion two[] = {{.time_us = 100, .samples = 10}, {.time_us = 4100, .samples = 10}};
    result_init(&r);
    contexts_conclude(&job, two, NULL, 2, &r);
    CHECK(r.columns[COLUMN_TIME_LO_US] == 0 && r.columns[COLUMN_TIME_HI_US] > 20000);
    r = row_of(&job, 5, 0.1, 0);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&r),
        "time known to 2.2 %, not 0.5 %: 8 contexts differ by 2.6 %, which more samples do not narrow");
    r = row_of(&job, 0.1, 2, 0);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&r), "time known to 1.7 %, not 0.5 %: samples leave 2 % open in each of 8 contexts");
    r = row_of(&job, 0, 0, 40); // the goals are about what the kernel reports too
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strncmp(reason_of(&r), "cycles known to 2.7 %, not 0.5 %: ", 34) == 0);
    job.goals.min_samples = 81; // a narrow interval of few samples is luck
    r = row_of(&job, 0.2, 0.01, 0);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&r), "only 80 samples (8 discarded), not 81");
    job.goals.min_samples = 80;
    CHECK_INT(row_of(&job, 0.2, 0.01, 0).status, STATUS_OK);
    job.goals.of = 1; // of a reported value alone
    CHECK_INT(row_of(&job, 5, 0.1, 0).status, STATUS_OK);
    CHECK_INT(row_of(&job, 0, 0, 40).status, STATUS_IMPRECISE);
}

static void one_context_keeps_the_whole_rule_and_several_share_it(void)
{
    struct job job = job_with(0.005);
    struct stop one = contexts_rule(&job.goals, 1, 1, 10000), eight = contexts_rule(&job.goals, 8, 1, 10000);
    CHECK(one.precision == 0.005 && one.min_samples == 30 && one.max_samples == 10000 && one.enough_samples == 0);
    CHECK(eight.max_time == 0.25 && eight.max_samples == 1250 && eight.min_samples == STATS_INTERVAL_LEAST);
    CHECK(fabs(eight.precision - 0.0082) < 1e-4 && eight.enough_samples == 30 && eight.enough_us == 0.075);
    CHECK(fabs(contexts_rule(&job.goals, 3, 1, 10000).precision - 0.00276) < 1e-4); // three know it worse
    struct stop three = contexts_rule(&job.goals, 8, 3, 10000); // their mean is known better than each
    CHECK(fabs(three.max_time - 0.25 / 3) < 1e-12 && three.max_samples == 417 &&
        three.min_samples == STATS_INTERVAL_LEAST);
    CHECK(three.enough_samples == 8 && fabs(three.enough_us - 0.075 * sqrt(3)) < 1e-12);
    CHECK(fabs(three.precision - 0.0082 * sqrt(3)) < 2e-4);
    CHECK_INT(contexts_places(&job.goals, 8, 79), CONTEXTS_PLACES);
    CHECK_INT(contexts_places(&job.goals, 8, 81), 1); // 0.4 us of it is less than the goal
    CHECK_INT(contexts_places(&job.goals, 1, 5), 1);
    job.goals.min_samples = 800;
    CHECK_INT(contexts_rule(&job.goals, 8, 1, 10000).min_samples, 100);
    CHECK_INT(contexts_rule(&job.goals, 8, 1, 10).max_samples, STATS_INTERVAL_LEAST);
}

int main(void)
{
    the_interval_holds_what_other_processes_find();
    the_whole_decides_when_each_context_stops_and_how_many_there_are();
    pooling_is_a_mean_with_students_interval();
    several_visits_are_one_value_of_their_context();
    few_samples_are_never_enough();
    places_of_two_kinds_are_two_times();
    a_row_has_both_parts_and_a_verdict_on_the_whole();
    one_context_keeps_the_whole_rule_and_several_share_it();
    return test_end();
}
