// measure/measure.h on the fake device: each timed launch has inputs of its own, what it left is looked at, and none of
// that depends on how long it took.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/test.h"

#include "unit/fake_job.h"
#include "unit/reason_here.h"
#include "spec/columns.h"

static struct job timed_job(const char *cache)
{
    struct job j = fake_job(0);
    j.settings[SETTING_CACHE] = value_text(cache);
    j.settings[SETTING_TIMED] = value_text("launch");
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
    CHECK_TEXT(reason_of(&r), "on a timed launch: 5 of 100 elements are wrong, the first is [7]");
    CHECK(isnan(r.columns[COLUMN_TIME_US]));
    CHECK_INT(count_of("verify"), 1);
}

// Warm-up and trial too: the launch before a sample is no other kind of launch.
static void every_launch_has_inputs_of_its_own(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(reason_of(&r), "");
    CHECK_INT(count_of("begin"), 10 + 1);
    CHECK_INT(count_of("renew"), 10 + 1 + 1); // at last the inputs are the point's own: its counts are about them
    CHECK_INT(count_of("renew\nrestore\nflush\nbegin\nsubmit\nend\nwait\n"), 11);
    CHECK(count_of("check\n") >= 1);
    CHECK(r.check_s > 0 && r.look_s > 0);
}

static void what_is_quickly_looked_at_is_looked_at_each_time(void)
{
    struct result r;
    struct job job = timed_job("cold");
    job.check_s = job.look_s = 1e-9;
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(count_of("check\n"), 10);
    fake_write("time 50\nnoise 0.004\n");
    fake_measured(&job, &r);
    CHECK(r.looked_us < 50 && r.looked_us < r.columns[COLUMN_TIME_LO_US] + 1e-9); // the quickest of all
}

// No time is believed that is below that of a launch which was looked at.
static void a_dear_look_is_at_a_quick_launch(void)
{
    struct result r;
    struct job job = timed_job("cold");
    job.check_s = job.look_s = 0.06;
    fake_write("time 50\nchecks 0.06\n");
    fake_measured(&job, &r);
    CHECK(r.status == STATUS_OK && r.looked_us == 50);
    CHECK_INT(count_of("check\n"), 1); // behind those that were needed
    CHECK_INT(count_of("begin"), 1 + 10 + 1);
    fake_write("time 50\nchecks 0.06\nlies 2 100 0.5\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_WRONG);
    fake_write("time 50\nchecks 0.06\nlies 2 11 0.5\n"); // it idles just as long as nobody looks: that is outnumbered
    fake_measured(&job, &r);
    CHECK(r.status == STATUS_OK && r.columns[COLUMN_TIME_US] == 50);
    CHECK(count_of("begin") > 1 + 10 + 10 && count_of("check\n") == 1);
    fake_write("time 50\nchecks 0.06\ndrift 0.0003\n"); // a little slower each time
    fake_measured(&job, &r);
    CHECK(r.status == STATUS_OK && count_of("check\n") == 1);
    fake_write("time 50\nchecks 0.06\ndrift 0.02\n"); // none is as quick as those before it
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK(strstr(reason_of(&r), "none was as quick"));
}

// A context that comes later needs no launch to verify first; what is quick is looked at in each.
static void what_an_earlier_context_has_verified_is_timed_at_once(void)
{
    struct result r;
    struct job job = timed_job("cold");
    job.check_s = 0.01, job.look_s = 0.001;
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(count_of("verify") == 0 && count_of("check\n") >= 1);
    fake_write("time 50\nlater 1 0 8\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_WRONG);
    job.look_s = 1, job.looked_us = 50.4; // what takes long, in those that are quicker than all before
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK(r.status == STATUS_OK && count_of("check\n") == 0);
    job.looked_us = 51;
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK(r.status == STATUS_OK && count_of("check\n") == 1 && r.looked_us == 50);
}

// Data may decide how long it takes, and chance: that is no lie.
static void times_are_believed_whatever_they_are(void)
{
    struct result r;
    struct job job = timed_job("cold");
    job.goals.max_samples = 30;
    fake_write("time 50\nnoise 0.9\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(r.columns[COLUMN_TIME_US] > 0);
}

static void what_cannot_be_varied_is_said(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\nunvaried\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(strncmp(reason_of(&r), "unvaried: ", 10) == 0);
}

static bool is_batched(const struct job *job, const char *script)
{
    struct result r;
    fake_write("%s", script);
    fake_measured(job, &r);
    return count_of("submit") > count_of("begin");
}

// A second launch of the same sample would find what the first has written.
static void what_is_verified_and_leaves_something_is_timed_alone(void)
{
    struct job job = timed_job("warm");
    CHECK(is_batched(&job, "time 3\nunvaried\n"));
    fake_job_buffers[0].access = ACCESS_WRITE;
    CHECK(!is_batched(&job, "time 3\nunvaried\n"));
    CHECK(is_batched(&job, "time 3\nunchecked\n"));
    job = timed_job("warm");
    job.report_count = 1, job.reports = fake_job_reports;
    CHECK(!is_batched(&job, "time 3\nunvaried\n"));
}

static void what_cannot_be_verified_is_not(void)
{
    struct result r;
    struct job job = timed_job("cold");
    fake_write("time 50\nunchecked\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_UNVERIFIED);
    CHECK(count_of("renew") > 0 && count_of("check\n") == 0);
    job.settings[SETTING_TIMED] = value_text("upload");
    fake_write("time 50\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(count_of("renew"), 0);
}

// It is asked again in each context, so that the last one says it too.
static void a_weak_check_is_told(void)
{
    static const struct {
        const char *takes;
        enum status status;
        bool told;
    } of[] = {{"takes 1023 1024", STATUS_OK, false}, {"takes 1024 1024", STATUS_UNVERIFIED, true}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct result r;
        struct job job = timed_job("cold");
        fake_write("time 50\n%s\n", of[i].takes);
        fake_measured(&job, &r);
        CHECK_INT(r.status, of[i].status);
        CHECK_INT(why_has(&r.why, WHY_TAKES_ALL), of[i].told);
        CHECK_INT(r.check_s > 0, !of[i].told);
        CHECK(count_of("check\n") > 0); // timed launches are looked at all the same
    }
}

int main(void)
{
    fake_begin();
    a_weak_check_is_told();
    a_timed_launch_that_is_wrong_is_wrong();
    every_launch_has_inputs_of_its_own();
    what_is_quickly_looked_at_is_looked_at_each_time();
    a_dear_look_is_at_a_quick_launch();
    what_an_earlier_context_has_verified_is_timed_at_once();
    times_are_believed_whatever_they_are();
    what_cannot_be_varied_is_said();
    what_is_verified_and_leaves_something_is_timed_alone();
    what_cannot_be_verified_is_not();
    fake_end();
    return test_end();
}
