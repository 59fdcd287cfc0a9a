// device/clock_rule: which samples are thrown away because the clock was held down.
// SPDX-License-Identifier: MIT
#include "device/clock_rule.h"

#include "unit/test.h"

static bool answer;
static int asked;
static bool held_down(void *context) { return (void)context, asked++, answer; }

// A sample of `us` microseconds at that clock.
static bool throttled(struct clock_rule *r, double mhz, double us)
{
    const struct clock_stamp before = {1000, 5000, 3},
                             after = {1000 + (uint64_t)(mhz * us), 5000 + (uint64_t)(us * 1e3), 3};
    asked = 0;
    return clock_rule_throttled(r, &before, &after, held_down, NULL);
}

static void the_clock_is_cycles_by_time_on_one_sm(void)
{
    const struct clock_stamp a = {1000, 2000, 7}, b = {20800, 12000, 7}, elsewhere = {20800, 12000, 8},
                             same_time = {20800, 2000, 7}, same_cycle = {1000, 12000, 7};
    struct clock_rule r = {1980, 0};
    CHECK(clock_rule_mhz(&a, &b) == 1980);
    CHECK(isnan(clock_rule_mhz(&b, &a)));
    const struct clock_stamp *const bad[] = {&elsewhere, &same_time, &same_cycle};
    for (int i = 0; i < 3; i++) {
        CHECK(isnan(clock_rule_mhz(&a, bad[i])));
        answer = true;
        CHECK(!clock_rule_throttled(&r, &a, bad[i], held_down, NULL)); // nothing is known: nothing is thrown away
        CHECK(r.best_mhz == 0);
    }
}

static void below_the_best_so_far_is_throttled_whatever_the_reason(void)
{
    struct clock_rule r = {1980, 0};
    answer = false;
    CHECK(!throttled(&r, 1900, 100));
    CHECK(r.best_mhz == 1900);
    CHECK(!throttled(&r, 1806, 100)); // 0.9505 of it
    CHECK(throttled(&r, 1804, 100));  // 0.9495
    CHECK(throttled(&r, 345, 100));   // asleep
    CHECK(!throttled(&r, 1980, 100)); // a new best
    CHECK(throttled(&r, 1870, 100));
    CHECK(!throttled(&r, 1890, 100));
    CHECK(r.best_mhz == 1980);
}

static void below_the_ceiling_it_is_heat_or_power_that_counts(void)
{
    struct clock_rule r = {1980, 0};
    answer = true;
    CHECK(throttled(&r, 1500, 100)); // the first sample is the best so far
    CHECK_INT(asked, 1);
    CHECK(throttled(&r, 1500, 100));
    CHECK(!throttled(&r, 1900, 100)); // 0.96 of the ceiling
    CHECK_INT(asked, 0);              // where it does not count nobody is asked
    r = (struct clock_rule){1980, 0};
    answer = false; // somebody has fixed the clock: steady, and no trouble
    CHECK(!throttled(&r, 1500, 100));
    CHECK(!throttled(&r, 1500, 100));
    CHECK_INT(asked, 1);
    r = (struct clock_rule){NAN, 0}; // no ceiling is known: only the best so far counts
    answer = true;
    CHECK(!throttled(&r, 1500, 100));
    CHECK_INT(asked, 0);
    CHECK(throttled(&r, 1400, 100));
}

static void what_cannot_be_is_no_best(void)
{
    struct clock_rule r = {1980, 0};
    answer = false;
    CHECK(!throttled(&r, 2010, 100)); // within what the counter's steps can do
    CHECK(r.best_mhz == 2010);
    CHECK(!throttled(&r, 3000, 100)); // not
    CHECK(r.best_mhz == 2010);
    CHECK(!throttled(&r, 1980, 100));
}

static void a_short_sample_is_not_judged(void)
{
    struct clock_rule r = {1980, 1980};
    answer = true;
    CHECK(!throttled(&r, 1000, 4.9));
    CHECK_INT(asked, 0);
    CHECK(throttled(&r, 1000, 5));
    r.best_mhz = 1000;
    CHECK(!throttled(&r, 1980, 4.9));
    CHECK(r.best_mhz == 1000);
}

int main(void)
{
    the_clock_is_cycles_by_time_on_one_sm();
    below_the_best_so_far_is_throttled_whatever_the_reason();
    below_the_ceiling_it_is_heat_or_power_that_counts();
    what_cannot_be_is_no_best();
    a_short_sample_is_not_judged();
    return test_end();
}
