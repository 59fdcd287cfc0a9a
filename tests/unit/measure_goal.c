// measure/measure.h on the fake device: `precision` that is about a value which the kernel reports.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/test.h"

#include "unit/fake_job.h"

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
    CHECK(strstr(r.reason, "cycles reached") != NULL);
    job.goals.of = 0;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    fake_write("time 50\nreport 0 0\n");
    job.goals.of = 1;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strstr(r.reason, "of cycles is 0") != NULL);
}

int main(void)
{
    fake_begin();
    a_reported_value_can_be_the_goal();
    fake_end();
    return test_end();
}
