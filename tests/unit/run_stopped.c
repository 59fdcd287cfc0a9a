// run/: a run that was stopped for an hour (Ctrl-Z) and continued has not taken that hour. The clock is this test's
// own: it goes on by an hour when a point is done.
// alone: the clock is its own
// SPDX-License-Identifier: MIT
#include <sys/syscall.h>
#include <time.h>

#include "unit/run_here.h"

static time_t passed;

int clock_gettime(clockid_t which, struct timespec *t)
{
    const int status = (int)syscall(SYS_clock_gettime, which, t);
    t->tv_sec += passed;
    return status;
}

static void an_hour_later(void *context, const struct run_point *p)
{
    point(context, p);
    passed += 3600;
    raise(SIGCONT);
}

static void late(void *context, const struct run_point *p)
{
    point(context, p);
    passed += 3600;
}

static int ticks;

static void an_hour_before_the_signal(void *context)
{
    (void)context;
    if (++ticks == 1) passed += 3600;
    if (ticks == 2) raise(SIGCONT);
}

// timeout(1) and SLURM send the signal to what was never stopped.
static void a_signal_after_no_stop_loses_nothing(void)
{
    struct run_observer other = watch;
    observer = &other;
    other.tick = an_hour_before_the_signal;
    start();
    const char *devices[] = {device("a", "time 10\nrestores 0.04\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 3}), 0);
    CHECK(ticks >= 2 && last.seconds >= 3600);
    observer = &watch;
}

static void what_it_was_stopped_is_not_what_it_took(void)
{
    struct run_observer other = watch;
    observer = &other;
    other.point = an_hour_later;
    start();
    const char *devices[] = {device("a", "time 10\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 3}), 0);
    CHECK_INT(points, 8);
    CHECK(last.seconds >= 0 && last.seconds < 3600);
    start();
    device("a", "time 10\n");
    other.point = late; // nobody stopped it: it took them
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 3}), 0);
    CHECK(last.seconds >= 8 * 3600);
    observer = &watch;
}

int main(void)
{
    if (!begin_tests()) return 1;
    what_it_was_stopped_is_not_what_it_took();
    a_signal_after_no_stop_loses_nothing();
    return end_tests();
}
