// measure/measure.h on the fake device: `precision` that is about a value which the kernel reports.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/reason_here.h"
#include "unit/test.h"

#include "unit/fake_job.h"
#include "spec/columns.h"

// Sampling stops on the value that the file names, however the time scatters; and goes on while that value scatters.
static void a_reported_value_can_be_the_goal(void)
{
    struct result r;
    struct job job = fake_job(1);
    job.reports = fake_job_reports;
    job.report_count = 1;
    job.goals.precision = 0.01;
    fake_write("time 50\nnoise 0.5\nreport 0 700\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE); // the time is the goal
    CHECK_INT(r.columns[COLUMN_SAMPLES], 200);
    job.goals.of = 1;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    CHECK(r.reports[0] == 700);
    CHECK(r.columns[COLUMN_TIME_HI_US] > r.columns[COLUMN_TIME_LO_US] * 1.05); // and the time says what it is
    fake_write("time 50\nreport 0 700 0.5\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 200);
    CHECK(strstr(reason_of(&r), "cycles reached") != NULL);
    fake_write("time 50\nreport 0 0\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strstr(reason_of(&r), "of cycles is 0") != NULL);
}

// Nothing is named: the goals are about the time, and about each value that the kernel reports.
static void every_reported_value_has_the_goal_of_the_time(void)
{
    struct result r;
    struct job job = fake_job(1);
    job.reports = fake_job_reports;
    job.report_count = 1;
    fake_write("time 50\nreport 0 700 0.5\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 200);
    CHECK(strncmp(reason_of(&r), "cycles reached ", 15) == 0);
    CHECK(r.columns[COLUMN_TIME_US] == 50 && r.columns[COLUMN_TIME_HI_US] == 50);
    fake_write("time 50\nreport 0 700 0.004\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    static const char *const same[] = {"0", "-5"}; // which has no share of itself, but is the same each time
    for (int i = 0; i < 2; i++) {
        fake_write("time 50\nreport 0 %s\n", same[i]);
        fake_measured(&job, &r);
        CHECK_INT(r.status, STATUS_OK);
        CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    }
}

// Of samples that take so long to make ready no interval comes: that is said after three, not after all of them.
static void restoring_may_not_take_a_points_time(void)
{
    struct result r;
    struct job job = fake_job(1);
    job.goals.max_time = 0.3;
    fake_write("time 50\nrestores 0.12\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK(strncmp(reason_of(&r), "putting back what a sample needs takes 0.1", 42) == 0);
    CHECK(strstr(reason_of(&r), "do not fit into `max_time`, 0.3 s") != NULL);
    char *calls = fake_traced();
    size_t restores = 0;
    for (const char *at = calls; (at = strstr(at, "restore\n")); at++) restores++;
    free(calls);
    CHECK_INT(restores, 3);
    job.goals.max_time = 60; // six and more fit
    job.goals.max_samples = 1;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
}

int main(void)
{
    fake_begin();
    every_reported_value_has_the_goal_of_the_time();
    restoring_may_not_take_a_points_time();
    a_reported_value_can_be_the_goal();
    fake_end();
    return test_end();
}
