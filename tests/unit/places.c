// measure/measure.h on the fake device: which points a context tries in several places, and what comes of it.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "measure/contexts.h"
#include "plan/asks.h"
#include "unit/fake_job.h"
#include "unit/reason_here.h"

static struct job short_job(void)
{
    struct job job = fake_job(1);
    job.goals.contexts = 8;
    job.contexts = 8;
    job.goals.max_samples = 10000;
    job.settings[SETTING_CACHE] = value_text("cold");
    job.settings[SETTING_TIMED] = value_text("launch");
    return job;
}

// How often it was moved, and whether each time samples came before it and after it.
static size_t moves(const struct job *job, struct result *r)
{
    size_t count = 0, since = 0;
    bool sampled = true;
    fake_measured(job, r);
    char *trace = fake_traced();
    for (char *line = strtok(trace, "\n"); line; line = strtok(NULL, "\n")) {
        if (strcmp(line, "wait") == 0) since++;
        if (strcmp(line, "move") != 0) continue;
        sampled = sampled && since >= STATS_INTERVAL_LEAST;
        since = 0;
        count++;
    }
    CHECK(sampled && since >= STATS_INTERVAL_LEAST);
    free(trace);
    return count;
}

static void a_short_point_is_tried_in_three_places_of_each_context(void)
{
    struct result r;
    struct job job = short_job();
    fake_write("time 10\ndraws 0\nplaces 0\n");
    CHECK_INT(moves(&job, &r), CONTEXTS_PLACES - 1);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.part.samples, 3 * STATS_INTERVAL_LEAST);
    CHECK(r.part.time_us == 10 && r.part.error_us == 0);
    fake_write("time 100\ndraws 0\nplaces 0\n"); // 0.4 us of that is less than the goal
    CHECK_INT(moves(&job, &r), 0);
    job.goals.precision = 0.05;
    fake_write("time 10\ndraws 0\nplaces 0\n");
    CHECK_INT(moves(&job, &r), 0);
    job = short_job();
    job.contexts = 1; // a quick look
    CHECK_INT(moves(&job, &r), 0);
    job = short_job();
    fake_job_buffers[0].memory = "managed"; // its pages are where they were touched
    CHECK_INT(moves(&job, &r), 0);
    fake_job_buffers[0].memory = "device";
    job.settings[SETTING_STREAMS] = value_int(4);
    CHECK_INT(moves(&job, &r), 0);
    job = short_job();
    fake_write("time 10\ndraws 0\n"); // a device to which a place makes no difference
    CHECK_INT(moves(&job, &r), 0);
}

// One place says as much about the context as another, however many samples each took.
static void what_a_context_gives_is_the_mean_of_its_places(void)
{
    struct result r, alone[3];
    struct job job = short_job();
    fake_write("time 10\ndraws 0\nplaces 0.5\n");
    CHECK_INT(moves(&job, &r), 2);
    double least = INFINITY, most = 0;
    for (unsigned i = 0; i < 30; i++) { // the places differ, and their mean differs less
        job.context = i;
        fake_measured(&job, &alone[0]);
        least = fmin(least, alone[0].part.time_us), most = fmax(most, alone[0].part.time_us);
    }
    CHECK(most - least > 0.5 && most - least < 2);
    // 10 at first, then 11 and 15: throttled samples make the parts unequal.
    struct portion mean = {0};
    const struct portion one = {.time_us = 10, .error_us = 0.3, .samples = 10, .discarded = 1, .reports = {7}};
    const struct portion two = {.time_us = 11, .error_us = 0.4, .samples = 20, .discarded = 2, .reports = {8}};
    const struct portion three = {.time_us = 15, .error_us = 1.2, .samples = 5, .discarded = 3, .reports = {9}};
    contexts_join(&mean, &one, 1);
    CHECK(mean.time_us == 10 && mean.error_us == 0.3 && mean.samples == 10);
    contexts_join(&mean, &two, 2);
    contexts_join(&mean, &three, 3);
    CHECK(fabs(mean.time_us - 12) < 1e-12 && fabs(mean.reports[0] - 8) < 1e-12);
    CHECK(fabs(mean.error_us - 1.3 / 3) < 1e-12 && mean.samples == 35 && mean.discarded == 6);
}

// Fresh inputs and looks go on from place to place.
static void timed_launches_are_verified_as_in_one_place(void)
{
    struct result r;
    struct job job = short_job();
    static const struct function check;
    size_t renewed = 0, begun = 0;
    job.check = &check;
    job.check_count = 1;
    fake_write("time 10\ndraws 0\nplaces 0\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    for (char *p = trace; (p = strstr(p, "renew\nrestore\n")); p++) renewed++;
    for (char *p = trace; (p = strstr(p, "begin\n")); p++) begun++;
    CHECK_INT(renewed, begun);
    free(trace);
    fake_write("time 10\ndraws 0\nplaces 0\nlater 5 3 100\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_WRONG);
    fake_write("time 10\ndraws 0\nplaces 0\nfail move 2 no memory\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK_TEXT(reason_of(&r), "no memory");
}

int main(void)
{
    fake_begin();
    a_short_point_is_tried_in_three_places_of_each_context();
    what_a_context_gives_is_the_mean_of_its_places();
    timed_launches_are_verified_as_in_one_place();
    fake_end();
    return test_end();
}
