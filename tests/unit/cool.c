// measure/measure.h: a GPU whose clock is held down rests, longer each time and not for ever; and the goals hold for
// what a kernel reports.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/test.h"

#include "measure/result.h"
#include "spec/columns.h"
#include "unit/fake_job.h"

static void rests_grow_and_are_bounded(void)
{
    struct cool c = cool_begin(10);
    double sum = 0, before = 0;
    CHECK(cool_next(&c, false) == 0);
    for (int i = 0; i < 6; i++) {
        const double wait = cool_next(&c, true);
        CHECK(wait > before || wait == 1.6);
        sum += before = wait;
    }
    CHECK(cool_next(&c, false) == 0);
    CHECK(cool_next(&c, true) == 0.05); // cool in between: from the start again
    for (int i = 0; i < 100; i++) sum += cool_next(&c, true);
    CHECK(fabs(sum + 0.05 - 10) < 1e-9 && cool_next(&c, true) == 0);
}

static void a_hot_gpu_is_given_time(void)
{
    struct result r;
    struct job job = fake_job(0);
    fake_write("time 50\nthrottle 4 100000\ncools 0.7\n"); // 0.05, 0.1, 0.2, 0.4: four samples are lost, no more
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_DISCARDED], 4);
    CHECK(fabs(r.part.rested_s - 0.75) < 1e-9);
    fake_write("time 50\nfail rest 1 no rest\nthrottle 4 5\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
}

int main(void)
{
    fake_begin();
    rests_grow_and_are_bounded();
    a_hot_gpu_is_given_time();
    fake_end();
    return test_end();
}
