// measure/stats.h: medians, intervals by order statistics, drift.
// SPDX-License-Identifier: MIT
#include "measure/stats.h"
#include "unit/test.h"

static void median_of(const double *sorted, size_t n, double want)
{
    double got = stats_median(sorted, n);
    CHECK(isnan(want) ? isnan(got) : got == want);
}

static void medians_of_none_one_two_odd_even_and_ties(void)
{
    median_of(NULL, 0, NAN);
    median_of((double[]){7}, 1, 7);
    median_of((double[]){1, 2}, 2, 1.5);
    median_of((double[]){1, 2, 9}, 3, 2);
    median_of((double[]){1, 2, 4, 9}, 4, 3);
    median_of((double[]){5, 5, 5, 5}, 4, 5);
    median_of((double[]){1, 5, 5, 5, 9}, 5, 5);
    median_of((double[]){0x1p1023, 0x1.8p1023}, 2, 0x1.4p1023); // no overflow on the way
}

// P(the median of anything lies in [sorted[low], sorted[high]]): low + 1 ... high of n samples lie below it.
static double coverage(size_t n, size_t low, size_t high)
{
    double p = 0;
    for (size_t k = low + 1; k <= high; k++)
        p += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) - (double)n * log(2));
    return p;
}

static void ranks_are_those_of_published_tables(void)
{
    static const struct {
        size_t n, low, high;
    } table[] = {// 1-based ranks, as the sign test's tables give them
        {6, 1, 6}, {7, 1, 7}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9}, {12, 3, 10}, {15, 4, 12}, {20, 6, 15}, {25, 8, 18},
        {30, 10, 21}, {40, 14, 27}, {50, 18, 33}, {100, 40, 61}};
    size_t low, high;
    for (size_t n = 0; n < STATS_INTERVAL_LEAST; n++) CHECK(!stats_interval_ranks(n, &low, &high));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        CHECK(stats_interval_ranks(table[i].n, &low, &high));
        CHECK_INT(low + 1, table[i].low);
        CHECK_INT(high + 1, table[i].high);
    }
}

static void interval_covers_95_percent_and_no_rank_more(void)
{
    for (size_t n = STATS_INTERVAL_LEAST; n <= 2000; n++) {
        size_t low, high;
        CHECK(stats_interval_ranks(n, &low, &high));
        CHECK(low + high == n - 1);
        CHECK(coverage(n, low, high) >= (n <= STATS_EXACT ? 0.95 : 0.9495)); // the approximation may be a hair off
        if (low + 1 < high) CHECK(coverage(n, low + 1, high - 1) < (n <= STATS_EXACT ? 0.95 : 0.951));
    }
}

static void interval_says_what_it_cannot_say(void)
{
    double five[] = {1, 2, 3, 4, 5}, six[] = {1, 2, 3, 4, 5, 6}, zeros[10] = {0}, same[] = {3, 3, 3, 3, 3, 3};
    struct interval i = stats_interval(five, 5);
    CHECK(i.median == 3 && isnan(i.low) && isnan(i.high) && isinf(i.half_width));
    i = stats_interval(six, 6);
    CHECK(i.median == 3.5 && i.low == 1 && i.high == 6 && fabs(i.half_width - 2.5 / 3.5) < 1e-15);
    CHECK(isinf(stats_interval(zeros, 10).half_width)); // times of 0: below the timer, not exact
    CHECK(stats_interval(same, 6).half_width == 0);
    CHECK(isnan(stats_interval(NULL, 0).median));
}

static unsigned random_state;
static double noise(void) // uniform in [0, 1)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(random_state >> 8) / (1 << 24);
}

static void samples_stay_sorted_and_remember_their_turn(void)
{
    struct stats s;
    stats_init(&s, 10000);
    for (size_t i = 0; i < 10000; i++) CHECK(stats_add(&s, floor(noise() * 500)));
    CHECK(!stats_add(&s, 1));
    int sorted = 1, stable = 1;
    for (size_t i = 1; i < s.count; i++) {
        sorted &= s.sorted[i - 1] <= s.sorted[i];
        stable &= s.sorted[i - 1] < s.sorted[i] || s.turn[i - 1] < s.turn[i];
    }
    CHECK(sorted && stable);
    stats_release(&s);
    stats_init(&s, 4);
    CHECK(!stats_add(&s, NAN));
    CHECK_INT(s.count, 0);
    stats_release(&s);
}

// The true median is found as often as promised, for a skewed distribution as for an even one.
static void interval_finds_the_true_median_as_often_as_it_says(void)
{
    enum { RUNS = 4000, N = 25 };
    int hits = 0;
    for (int run = 0; run < RUNS; run++) {
        struct stats s;
        stats_init(&s, N);
        for (int i = 0; i < N; i++) stats_add(&s, 100 - log(1 - noise()));
        struct interval i = stats_interval(s.sorted, N);
        hits += i.low <= 100 + log(2) && 100 + log(2) <= i.high;
        stats_release(&s);
    }
    CHECK(hits > RUNS * 0.94 && hits < RUNS * 0.975); // 25 samples cover 95.7 %
}

static double drift_of(size_t n, double step, double shake)
{
    struct stats s;
    stats_init(&s, n);
    for (size_t i = 0; i < n; i++) stats_add(&s, 100 * (1 + step * (double)i) * (1 + shake * (noise() - 0.5)));
    double d = stats_drift(&s);
    stats_release(&s);
    return d;
}

static void drift_is_seen_through_noise_and_not_in_noise(void)
{
    int seen = 0, imagined = 0;
    CHECK(drift_of(0, 0.1, 0) == 0);
    CHECK(drift_of(5, 0.1, 0) == 0);
    CHECK(fabs(drift_of(6, 0.1, 0) - (140.0 / 110 - 1)) < 1e-9); // three against three
    CHECK(fabs(drift_of(20, 0.001, 0) - 0.00999) < 2e-4);
    CHECK(drift_of(21, -0.001, 0) < -0.009);
    for (int i = 0; i < 1000; i++) {
        seen += drift_of(100, 0.0002, 0.01) != 0;
        imagined += drift_of(100, 0, 0.01) != 0;
    }
    CHECK(seen > 950);
    CHECK(imagined < 30);
}

static void student_is_that_of_published_tables(void)
{
    static const double rows[][3] = {{0.95, 1, 12.7062}, {0.95, 2, 4.30265}, {0.95, 7, 2.36462}, {0.99, 7, 3.49948},
        {0.99, 14, 2.97684}, {0.95, 30, 2.04227}, {0.5, 4, 0.740697}, {0.95, 1e9, 1.95996}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double t = stats_student(rows[i][0], rows[i][1]);
        CHECK(fabs(t / rows[i][2] - 1) < 2e-3);
    }
    CHECK(stats_student(0.95, 7.5) < stats_student(0.95, 7) && stats_student(0.95, 7.5) > stats_student(0.95, 8));
}

int main(void)
{
    medians_of_none_one_two_odd_even_and_ties();
    ranks_are_those_of_published_tables();
    interval_covers_95_percent_and_no_rank_more();
    interval_says_what_it_cannot_say();
    samples_stay_sorted_and_remember_their_turn();
    interval_finds_the_true_median_as_often_as_it_says();
    drift_is_seen_through_noise_and_not_in_noise();
    student_is_that_of_published_tables();
    return test_end();
}
