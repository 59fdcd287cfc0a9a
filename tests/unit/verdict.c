// measure/verdict.h: a run compared with itself alarms nobody, and what is slower is found, in noise as it was seen.
// SPDX-License-Identifier: MIT
#include "measure/verdict.h"

#include <stdint.h>

#include "measure/contexts.h"
#include "study/judging.h"
#include "unit/test.h"

static uint64_t state = 7;

static double even(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(even())) * cos(8 * atan(1) * even()); }

// A process's eight contexts: a part of the process's own and the 20 ns that all of them share, drift over the run, a
// second mode of the launch path in some contexts, a place drawn by each, now and then one that was disturbed.
static struct timing process_of(double us)
{
    enum { CONTEXTS = 8 };
    double values[CONTEXTS], errors[CONTEXTS], drift = us * 0.0005 * normal();
    const double own = us * 0.0004 * normal() + 0.02 * normal();
    for (int c = 0; c < CONTEXTS; c++) {
        errors[c] = us * 0.001;
        values[c] =
            us + own + drift * (c / 7.0 - 0.5) + (even() < 0.3 ? 0.12 : 0) + 0.08 * normal() + errors[c] * normal();
        if (even() < 0.01) values[c] *= 1.01;
    }
    struct pooled p = contexts_pool_times(values, errors, CONTEXTS);
    return (struct timing){p.value, p.low, p.high, CONTEXTS};
}

static void what_has_no_interval_is_unsure(void)
{
    const struct ratio no[] = {{.value = 0.5, .low = 0, .high = 0.8}, {.value = 2, .low = 1.5, .high = 0},
        {.value = 2, .low = NAN, .high = NAN}, {.value = 0.5, .low = -1, .high = 0.8}};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) CHECK(verdict_of(&no[i], 0.01) == VERDICT_UNSURE);
}

static void ten_thousand_runs_against_themselves_alarm_one_in_a_hundred_at_most(void)
{
    static const double times[] = {3.7, 7, 72, 225, 1178};
    int alarms = 0, same[5] = {0};
    for (int i = 0; i < 10000; i++) {
        struct timing a = process_of(times[i % 5]), b = process_of(times[i % 5]);
        struct ratio r = verdict_ratio(&a, &b);
        enum verdict_kind v = verdict_of(&r, 0.01);
        alarms += v == VERDICT_FASTER || v == VERDICT_SLOWER;
        same[i % 5] += v == VERDICT_SAME;
    }
    CHECK(alarms <= 100);
    CHECK(same[2] > 1900 && same[3] > 1990 && same[4] > 1990); // no verdict at all would alarm nobody either
    CHECK(same[0] < 1000);                                     // of 3.7 us a percent cannot be told: that is said
}

static void three_percent_are_found(void)
{
    static const double times[] = {72, 225, 1178};
    int found = 0, back = 0;
    for (int i = 0; i < 3000; i++) {
        struct timing a = process_of(times[i % 3]), b = process_of(1.03 * times[i % 3]);
        struct ratio r = verdict_ratio(&a, &b), other = verdict_ratio(&b, &a);
        found += verdict_of(&r, 0.01) == VERDICT_SLOWER;
        back += verdict_of(&other, 0.01) == VERDICT_FASTER;
    }
    CHECK(found >= 2850 && back >= 2850);
}

// Two kernels in turns, four rounds in each of two contexts: what a context draws is in both; what a visit scatters
// by, and an outlier now and then, is its own. Drift falls on both, for they are visited there and back.
static struct ratio in_turns(double us, double by, double scatter)
{
    enum { ROUNDS = 8 };
    double a[ROUNDS], b[ROUNDS], errors[ROUNDS], launch = 0, drift = us * 0.002 * normal();
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 4 == 0) launch = 0.1 * normal() + (even() < 0.3 ? 0.2 : 0);
        const double first = drift * i / 8.0, then = drift * (i + 0.5) / 8.0;
        errors[i] = us * scatter / 2;
        a[i] = us + launch + (i % 2 ? then : first) + us * scatter * normal();
        b[i] = us * by + launch + (i % 2 ? first : then) + us * scatter * normal();
        if (even() < 0.01) a[i] *= 1.02;
        if (even() < 0.01) b[i] *= 1.02;
    }
    return verdict_paired(a, errors, b, errors, ROUNDS);
}

static void in_turns_nothing_is_told_from_itself_and_three_percent_are_found(void)
{
    static const double times[] = {3.7, 7, 72, 225}, scatters[] = {0.013, 0.006, 0.002, 0.001};
    int alarms = 0, found = 0, same = 0;
    for (int i = 0; i < 10000; i++) {
        struct ratio r = in_turns(times[i % 4], 1, scatters[i % 4]);
        const enum verdict_kind v = verdict_of(&r, 0.01);
        alarms += v == VERDICT_FASTER || v == VERDICT_SLOWER;
        same += v == VERDICT_SAME;
        if (i % 4 == 0) continue;
        r = in_turns(times[i % 4], 1.03, scatters[i % 4]);
        found += verdict_of(&r, 0.01) == VERDICT_SLOWER;
    }
    CHECK(alarms <= 100 && same >= 4700); // of the 5,000 longer ones
    CHECK(found >= 7125);
    const double us[] = {10, 10, 10}, nothing[] = {0, 0, 0}, none[] = {10, 0, 10}, known[] = {NAN, 0.5, 0.5};
    struct ratio r = verdict_paired(us, nothing, us, nothing, 3);
    CHECK(r.value == 1 && r.low == 1 && r.high == 1);
    r = verdict_paired(us, known, us, nothing, 3); // three that agree by luck are known no better than their samples
    CHECK(r.low < 0.9 && r.high > 1.1);
    CHECK(isnan(verdict_paired(us, nothing, none, nothing, 3).value));
    r = verdict_paired(us, nothing, us, nothing, 1);
    CHECK(r.value == 1 && isnan(r.low));
    CHECK(isnan(verdict_paired(us, nothing, us, nothing, 0).value));
}

static void one_context_is_not_believed_beyond_what_it_saw(void)
{
    struct timing old = {4, 3.99, 4.01, NAN}, new = {4.1, 4.09, 4.11, 1}, eight = {4.1, 4.09, 4.11, 8};
    struct ratio r = verdict_ratio(&old, &new);
    CHECK(verdict_of(&r, 0.01) == VERDICT_UNSURE); // 2.5 %: the next context may say as much
    old.contexts = 8;
    r = verdict_ratio(&old, &eight);
    CHECK(verdict_of(&r, 0.01) == VERDICT_SLOWER);
    struct timing long_one = {200, 199.9, 200.1, NAN}, longer = {200.3, 200.2, 200.4, NAN};
    r = verdict_ratio(&long_one, &longer); // 0.15 %, where 0.37 % between processes is normal
    CHECK(verdict_of(&r, 0.01) == VERDICT_SAME);
    CHECK(verdict_of(&r, 0.001) == VERDICT_UNSURE);
    struct timing none = {NAN, NAN, NAN, NAN}, bare = {200, NAN, NAN, NAN};
    r = verdict_ratio(&none, &longer);
    CHECK(isnan(r.value) && verdict_of(&r, 0.01) == VERDICT_UNSURE);
    r = verdict_ratio(&bare, &longer);
    CHECK(r.value > 1 && isnan(r.low) && verdict_of(&r, 0.01) == VERDICT_UNSURE);
}

static void what_is_real_but_small_is_no_alarm(void)
{
    struct ratio r = {1.006, 1.004, 1.008};
    CHECK(verdict_of(&r, 0.01) == VERDICT_SAME);
    CHECK(verdict_of(&r, 0.005) == VERDICT_SLOWER);
    r = (struct ratio){1.02, 0.999, 1.04};
    CHECK(verdict_of(&r, 0.01) == VERDICT_UNSURE);
    r = (struct ratio){0.97, 0.96, 0.98};
    CHECK(verdict_of(&r, 0.01) == VERDICT_FASTER);
}

static void the_mean_is_geometric_and_its_errors_do_not_cancel(void)
{
    const struct ratio all[] = {{2, 1.8, 2.2}, {0.5, 0.45, 0.55}};
    struct ratio mean = verdict_mean(all, 2);
    CHECK(fabs(mean.value - 1) < 1e-12 && fabs(mean.low - 0.9) < 1e-12 && fabs(mean.high - 1.1) < 1e-12);
    CHECK(isnan(verdict_mean(all, 0).value));
}

// Times are paired where both kernels had the same contexts, and only there.
static void only_the_same_contexts_are_pairs(void)
{
    static char old[] = "old", new[] = "new", point[] = "n=1";
    struct judged items[2] = {{.kernel = old, .point = point, .timing = {115, 95, 135, 4}, .count = 4},
        {.kernel = new, .point = point, .timing = {119, 99, 139, 4}, .count = 4}};
    for (unsigned i = 0; i < 4; i++) {
        items[0].us[i] = 100 + 10 * i, items[1].us[i] = 1.035 * items[0].us[i];
        items[0].errors[i] = items[1].errors[i] = 0.05;
        items[0].in_context[i] = items[1].in_context[i] = i;
    }
    const struct judging j = {.threshold = 0.01, .items = items, .count = 2, .base = old};
    struct judging_verdict v = judging_verdict(&j, &items[1]);
    CHECK(v.kind == VERDICT_SLOWER && fabs(v.ratio.value - 1.035) < 0.001);
    items[1].in_context[3] = 7;
    v = judging_verdict(&j, &items[1]);
    CHECK(v.kind == VERDICT_UNSURE);
    items[1].in_context[3] = 3, items[1].count = 3;
    CHECK(judging_verdict(&j, &items[1]).kind == VERDICT_UNSURE);
}

int main(void)
{
    what_has_no_interval_is_unsure();
    only_the_same_contexts_are_pairs();
    ten_thousand_runs_against_themselves_alarm_one_in_a_hundred_at_most();
    three_percent_are_found();
    in_turns_nothing_is_told_from_itself_and_three_percent_are_found();
    one_context_is_not_believed_beyond_what_it_saw();
    what_is_real_but_small_is_no_alarm();
    the_mean_is_geometric_and_its_errors_do_not_cancel();
    return test_end();
}
