// measure/probe.h on the fake device: timed launches are verified, cheaply where a result is known, and a kernel that
// works only where it is looked at has no numbers.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/reason_here.h"
#include "unit/test.h"

#include "unit/fake_job.h"

static struct job timed_job(const char *cache)
{
    struct job j = fake_job(0);
    j.settings[SETTING_CACHE] = value_text(cache);
    j.settings[SETTING_TIMED] = value_text("launch");
    j.look = true;
    return j;
}

static int count_of(const char *word)
{
    char *text = fake_traced();
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) n++;
    free(text);
    return n;
}

static void a_timed_launch_that_is_wrong_is_wrong(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\nlater 5 7 100\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_WRONG);
    CHECK_TEXT(reason_of(&r), "on a timed launch: 5 of 100 elements are wrong, the first is 7");
    CHECK(isnan(r.columns[COLUMN_TIME_US]));
    CHECK_INT(count_of("verify"), 1);
}

// With a random place and no other inputs to be had, both launches are looked at.
static void verified_launches_are_two_and_count_as_no_samples(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    CHECK_INT(count_of("begin"), 10 + 1 + 2); // and the warm-up
    CHECK_INT(count_of("disturb"), 3);        // the inputs are put back once
    CHECK_INT(count_of("check\n"), 1);        // on other inputs; the last is the verified result again
    CHECK_INT(count_of("digest"), 2);
    CHECK(r.part.other == 1 && r.part.again == 1);
}

// Which of the samples it is differs from run to run.
static void the_place_of_the_first_is_drawn(void)
{
    int places[2] = {0};
    for (int i = 0; i < 12; i++) {
        struct result r;
        struct job job = timed_job("cold");
        fake_write("time 50\n");
        fake_measured(&job, &r);
        char *text = fake_traced();
        *strstr(text, "disturb") = '\0';
        int n = 0;
        for (const char *p = text; (p = strstr(p, "begin")); p++) n++;
        places[n - 1 < 5]++; // of ten, behind the warm-up
        free(text);
    }
    CHECK(places[0] && places[1]);
}

static void the_verified_result_is_enough_where_the_check_is_slow(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK(r.digest[0] || r.digest[1]);
    CHECK(r.check_s >= 0);
    memcpy(job.digest, r.digest, sizeof job.digest);
    job.look = false;
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(count_of("verify") == 0 && count_of("check\n") == 0 && count_of("digest") == 1);
    CHECK(isnan(r.check_s));
    fake_write("time 50\nlater 1 0 8\n"); // and another result is looked at in full
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_WRONG);
    fake_write("time 50\nvaries\n"); // sums in any order, say: the check decides
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    job.look = true;
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(count_of("check\n"), 1);
}

static void a_launch_that_works_only_on_poison_is_suspect(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\npoisoned 1.2\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    fake_write("time 50\npoisoned 1.3\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_SUSPECT);
    CHECK(isnan(r.columns[COLUMN_TIME_US]) && isnan(r.columns[COLUMN_SAMPLES]));
    job = timed_job("warm");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    fake_write("time 50\npoisoned 2.3\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_SUSPECT);
}

// Of a batch of some twenty runs one would meet the poison, and its time would be lost among the others'.
static void in_a_batch_too(void)
{
    struct result r;
    struct job job = timed_job("warm");
    fake_write("time 1\npoisoned 3\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_SUSPECT);
    fake_write("time 15\nruns 0.05\n"); // works when it is alone, not when a launch has just ended
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_SUSPECT);
    CHECK(strstr(reason_of(&r), "in a batch, but 15 us alone") != NULL);
    fake_write("time 1\noverhead 3\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
}

static void other_inputs_may_take_another_time(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\nrefilled 3\n"); // in one context one launch says nothing
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(r.part.other == 3 && r.part.again == 1);
}

static void below_the_floor_is_impossible(void)
{
    struct result r;
    struct job job = timed_job("cold");
    struct job_buffer in = fake_job_buffers[0];
    in.bytes = 1000000;
    job.buffers = &in;
    fake_write("peak 100\ntime 9.9\n"); // 1 MB at 100 GB/s: 10 us
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPOSSIBLE);
    CHECK(isnan(r.columns[COLUMN_TIME_US]) && isnan(r.columns[COLUMN_GBPS]));
    CHECK_INT(r.columns[COLUMN_PEAK_GBPS], 100);
    job.settings[SETTING_PEAK] = value_real(1e3); // what the user calls the peak moves no floor
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPOSSIBLE);
    fake_write("peak 100\ntime 10.1\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
}

static void what_cannot_be_verified_is_not(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\nunchecked\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_UNVERIFIED);
    CHECK_INT(count_of("disturb"), 0);
    job.settings[SETTING_TIMED] = value_text("upload");
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(count_of("disturb"), 0);
}

int main(void)
{
    fake_begin();
    a_timed_launch_that_is_wrong_is_wrong();
    verified_launches_are_two_and_count_as_no_samples();
    the_place_of_the_first_is_drawn();
    the_verified_result_is_enough_where_the_check_is_slow();
    a_launch_that_works_only_on_poison_is_suspect();
    in_a_batch_too();
    other_inputs_may_take_another_time();
    below_the_floor_is_impossible();
    what_cannot_be_verified_is_not();
    fake_end();
    return test_end();
}
