// measure/contexts.h: go on, met, missed.
// SPDX-License-Identifier: MIT
#include "measure/contexts.h"
#include "unit/test.h"

static const struct stop rule = {.precision = 0.01, .min_samples = 10, .max_samples = 50, .max_time = 2};

// Feeds samples until the rule ends it; each takes `seconds`.
static struct stop_answer run(const struct stop *r, double (*sample)(size_t), double seconds, size_t *tried)
{
    struct stats s;
    struct stop_answer a = {STOP_GO_ON, {0}, 0};
    stats_init(&s, r->max_samples);
    for (*tried = 0; a.state == STOP_GO_ON && *tried < 1000;) {
        stats_add(&s, sample((*tried)++));
        a = stop_ask(r, &s, *tried, seconds * (double)*tried);
    }
    stats_release(&s);
    return a;
}

static double steady(size_t i) { return 100 + (double)(i % 3) * 0.1; }
static double wild(size_t i) { return i % 2 ? 100 : 150; }
static double climbing(size_t i) { return 100 + 0.5 * (double)i; }
static double falling(size_t i) { return 100 - 0.5 * (double)i; }
static double warming(size_t i) { return i < 7 ? 103 + (double)(i % 3) * 0.1 : steady(i); }
static double nothing(size_t i) { return (double)(i * 0); }
static double discarded(size_t i) { return i < 1000 ? NAN : 1; }

static void met_at_the_floor_and_not_below_it(void)
{
    size_t tried;
    struct stop_answer a = run(&rule, steady, 0.001, &tried);
    CHECK(a.state == STOP_MET && a.drift == 0);
    CHECK_INT(tried, 10);
    CHECK(a.interval.half_width <= 0.01);
    struct stop low = rule;
    low.min_samples = 1; // no floor can promise an interval from fewer than six
    CHECK(run(&low, steady, 0.001, &tried).state == STOP_MET);
    CHECK_INT(tried, STATS_INTERVAL_LEAST);
}

static void missed_at_the_ceilings_with_how_far_it_got(void)
{
    size_t tried;
    struct stop_answer a = run(&rule, wild, 0.001, &tried);
    CHECK(a.state == STOP_MISSED);
    CHECK_INT(tried, 50);
    CHECK(fabs(a.interval.half_width - 0.2) < 0.01);
    a = run(&rule, wild, 0.1, &tried);
    CHECK(a.state == STOP_MISSED);
    CHECK_INT(tried, 20);
}

static void met_at_the_ceiling_is_met(void)
{
    struct stop tight = rule;
    size_t tried;
    tight.max_samples = 10;
    CHECK(run(&tight, steady, 0.001, &tried).state == STOP_MET);
}

static void drift_is_not_precision(void)
{
    size_t tried;
    struct stop wide = rule;
    wide.precision = 0.02; // ten samples of the climb are as narrow as that
    struct stop_answer a = run(&wide, climbing, 0.001, &tried);
    CHECK(a.state == STOP_MISSED && a.drift > 0.1);
    a = run(&wide, falling, 0.001, &tried); // nor is it when they become quicker
    CHECK(a.state == STOP_MISSED && a.drift < -0.1);
    a = run(&rule, warming, 0.001, &tried);
    CHECK(a.state == STOP_MET);
    CHECK(tried > 10); // the slow beginning had to be outnumbered
}

static void too_short_for_the_timer_is_never_precise(void)
{
    size_t tried;
    struct stop_answer a = run(&rule, nothing, 0.001, &tried);
    CHECK(a.state == STOP_MISSED && isinf(a.interval.half_width));
}

static void all_discarded_ends_at_the_ceiling(void)
{
    size_t tried;
    struct stop_answer a = run(&rule, discarded, 0.001, &tried);
    CHECK(a.state == STOP_MISSED && isnan(a.interval.median));
    CHECK_INT(tried, 50);
}

static void what_is_enough_for_a_part_ends_it(void)
{
    size_t tried;
    struct stop part = rule;
    part.precision = 1e-9;
    part.max_samples = 400;
    part.enough_us = 0.2;
    part.enough_samples = 20;
    CHECK(run(&part, steady, 0.001, &tried).state == STOP_MET); // 0.1 wide, of 100
    CHECK_INT(tried, 20);
    part.max_samples = 60;
    CHECK(run(&part, wild, 0.001, &tried).state == STOP_MISSED);
    CHECK_INT(tried, 60);
}

static void out_of_reach_is_missed_soon(void)
{
    size_t tried;
    struct stop soon = rule;
    soon.soon = true;
    soon.max_samples = 500; // half of 50 % in 30 samples; 1 % would take some 10^4
    CHECK(run(&soon, wild, 1e-6, &tried).state == STOP_MISSED);
    CHECK_INT(tried, 30);
    soon.precision = 0.2;
    CHECK(run(&soon, wild, 1e-6, &tried).state == STOP_MET);
    soon.precision = 0.001;
    CHECK(run(&soon, nothing, 1e-6, &tried).state == STOP_MISSED);
    CHECK_INT(tried, 30);
    soon.precision = 0.01;
    CHECK(run(&soon, steady, 1e-6, &tried).state == STOP_MET);
    soon.max_samples = 1000000; // as many as it takes, and no time for them
    CHECK(run(&soon, wild, 0.06, &tried).state == STOP_MISSED);
    CHECK_INT(tried, 30);
    soon.precision = 0.08; // 0.2 at hand: 6.25 times as long; that is beyond four times the 2 s once 1.28 are gone
    CHECK(run(&soon, wild, 1 / 30.0, &tried).state == STOP_MISSED);
    CHECK_INT(tried, 40);
}

int main(void)
{
    met_at_the_floor_and_not_below_it();
    missed_at_the_ceilings_with_how_far_it_got();
    met_at_the_ceiling_is_met();
    drift_is_not_precision();
    too_short_for_the_timer_is_never_precise();
    all_discarded_ends_at_the_ceiling();
    what_is_enough_for_a_part_ends_it();
    out_of_reach_is_missed_soon();
    return test_end();
}
