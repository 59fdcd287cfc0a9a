// measure/belong.h: times that cannot be believed are told, and those of honest kernels never are.
// SPDX-License-Identifier: MIT
#include "measure/belong.h"

#include "unit/reason_here.h"
#include "unit/test.h"

static uint64_t state = 11;

static double even(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(even())) * cos(8 * atan(1) * even()); }

// Honest: each verified launch scatters as a sample of a short kernel does, one in fifty is disturbed; a seed may make
// the work longer or shorter.
static void honest_kernels_belong(void)
{
    int refused = 0, data = 0;
    for (int i = 0; i < 20000; i++) {
        double other[8], again[8], of_seeds = i % 4 * 0.1, usual = exp(of_seeds * normal());
        for (int c = 0; c < 8; c++) {
            for (int tries = 0; tries < 5; tries++) // as probe.c takes it
                if ((again[c] = 1 + 0.04 * normal() + (even() < 0.02 ? 0.5 : 0)) <= 1.1) break;
            other[c] = exp(of_seeds * normal()) / usual * (1 + 0.04 * normal());
        }
        refused += !belong(again, 8, 0.1, false);
        data += i % 4 && !belong(other, 8, 0.1, true);
        refused += i % 4 == 0 && !belong(other, 8, 0.1, true);
    }
    CHECK(refused == 0);
    CHECK(data <= 75); // of 15,000 whose time differs from seed to seed by 10 to 30 %
}

static void launches_that_do_their_work_only_when_looked_at_do_not(void)
{
    int refused = 0, disturbed = 0;
    for (int i = 0; i < 1000; i++) {
        double ratios[8];
        for (int c = 0; c < 8; c++) ratios[c] = 1.3 * (1 + 0.03 * normal());
        refused += !belong(ratios, 8, 0.1, false);
        ratios[i % 8] = 9; // one context that was disturbed hides little
        disturbed += !belong(ratios, 8, 0.1, true);
    }
    CHECK(refused == 1000 && disturbed >= 850);
}

static void what_is_not_there_says_nothing(void)
{
    const double none[] = {NAN, NAN}, one[] = {NAN, 1.05, NAN}, slow[] = {NAN, 4, NAN};
    CHECK(belong(none, 2, 0.1, false) && belong(none, 0, 0.1, false));
    const double eight[] = {1, 1, 1, 1, 1, 1, 1, 4}; // idle in one context is idle
    CHECK(!belong(eight, 8, 0.1, false) && belong(eight, 8, 0.1, true));
    CHECK(belong(one, 3, 0.1, false) && !belong(slow, 3, 0.1, true));
}

static struct job_buffer buffers[] = {
    {.name = "in", .access = ACCESS_READ, .bytes = 4000000}, {.name = "out", .access = ACCESS_WRITE, .bytes = 1000000}};

static struct job cold_job(double useful)
{
    struct job j = {.useful_bytes = useful, .buffers = buffers, .buffer_count = 2};
    j.settings[SETTING_CACHE] = value_text("cold");
    j.settings[SETTING_TIMED] = value_text("launch");
    return j;
}

// Less work than is said, but where somebody looks: every context finds a little of it.
static void a_little_less_work_shows_in_all_contexts(void)
{
    const double little[] = {1.06, 1.07, 1.05, 1.06, 1.06, 0.99, 1.07, 1.06}, noise[] = {1.06, 0.97, 1.04, 1, 1, 1.05};
    CHECK(!belong_mostly(little, 8, 0.03) && belong_mostly(little, 8, 0.06));
    CHECK(belong_mostly(noise, 6, 0.03) && belong_mostly(little, 3, 0.03));
    struct job j = cold_job(3000000);
    struct portion parts[8];
    struct result r;
    result_init(&r);
    for (int i = 0; i < 8; i++)
        parts[i] = (struct portion){.time_us = 100, .again = little[i], .other = 1, .alone = NAN};
    CHECK(!belong_believed(&j, parts, 8, 100, &r));
    CHECK_INT(r.status, STATUS_SUSPECT);
    buffers[0].memory = "managed"; // its pages lie elsewhere when it was looked at
    result_init(&r);
    CHECK(belong_believed(&j, parts, 8, 100, &r));
    parts[3].again = 1.4;
    CHECK(belong_believed(&j, parts, 8, 100, &r));
    parts[3].again = 1.6;
    CHECK(!belong_believed(&j, parts, 8, 100, &r));
    parts[3].again = little[3];
    buffers[0].memory = NULL;
    j.settings[SETTING_CACHE] = value_text("warm"); // which looking has passed through
    result_init(&r);
    CHECK(belong_believed(&j, parts, 8, 100, &r));
}

static void floor_is_what_must_be_read_over_the_peak(void)
{
    struct job j = cold_job(3000000); // of which 1 MB is written
    CHECK(fabs(belong_floor(&j, 1000) - 2) < 1e-9);
    j.useful_bytes = 1e9; // what is read twice comes from memory once
    CHECK(fabs(belong_floor(&j, 1000) - 4) < 1e-9);
    j.useful_bytes = 500000;
    CHECK(!(belong_floor(&j, 1000) > 0));
    j.useful_bytes = NAN; // a search, say, reads a part of what it gets
    CHECK(isnan(belong_floor(&j, 1000)));
    j = cold_job(3000000);
    CHECK(isnan(belong_floor(&j, NAN)));
    j.settings[SETTING_CACHE] = value_text("warm");
    CHECK(isnan(belong_floor(&j, 1000)));
    j = cold_job(3000000);
    j.settings[SETTING_TIMED] = value_text("upload");
    CHECK(isnan(belong_floor(&j, 1000)));
}

static void results_end_as_what_they_are(void)
{
    struct job j = cold_job(3000000);
    struct result r;
    struct portion part;
    result_init(&r);
    part = r.part;
    r.floor_us = 2;
    CHECK(belong_believed(&j, &part, 1, 2.01, &r) && r.why.count == 0);
    CHECK(!belong_believed(&j, &part, 1, 1.99, &r));
    CHECK_INT(r.status, STATUS_IMPOSSIBLE);
    CHECK_TEXT(reason_of(&r), "1.99 us: what it must read from a cold memory takes 2 us at the memory's peak");
    result_init(&r);
    part.other = part.again = 3;
    CHECK(!belong_believed(&j, &part, 1, 5, &r));
    CHECK_INT(r.status, STATUS_SUSPECT);
    CHECK(strstr(reason_of(&r), "took up to 3 times as long") != NULL);
    result_init(&r);
    part.again = 1; // one context cannot say what other inputs cost
    CHECK(belong_believed(&j, &part, 1, 5, &r));
    part = (struct portion){.time_us = 1.2, .alone = 16, .other = NAN, .again = NAN};
    CHECK(!belong_believed(&j, &part, 1, 1.2, &r));
    CHECK_INT(r.status, STATUS_SUSPECT);
    part.alone = 6.7; // a launch costs so much
    result_init(&r);
    CHECK(belong_believed(&j, &part, 1, 1.2, &r));
}

int main(void)
{
    honest_kernels_belong();
    launches_that_do_their_work_only_when_looked_at_do_not();
    what_is_not_there_says_nothing();
    floor_is_what_must_be_read_over_the_peak();
    results_end_as_what_they_are();
    a_little_less_work_shows_in_all_contexts();
    return test_end();
}
