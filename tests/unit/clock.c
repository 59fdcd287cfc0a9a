// base/clock: which clock is read for what. clock_gettime and time are this test's own, so that nothing waits and
// nothing depends on how fast the machine is.
// alone: the system's clock is another one here
// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "unit/test.h"

static time_t passed;

int clock_gettime(clockid_t which, struct timespec *t)
{
    *t = (struct timespec){.tv_sec = 100 * (which + 1) + passed, .tv_nsec = 250000000};
    return 0;
}

time_t time(time_t *t)
{
    const time_t now = 1763769605; // 2025-11-22, 0:00:05 in Greenwich
    if (t) *t = now;
    return now;
}

static void time_in_which_it_was_stopped_is_not_counted(void)
{
    clock_notice_stops();
    const double began = clock_awake();
    passed = 5;
    CHECK(clock_awake() - began == 5);
    passed = 3605; // stopped, and continued an hour later
    raise(SIGCONT);
    CHECK(clock_awake() - began == 5);
    passed = 3606;
    CHECK(clock_awake() - began == 6);
    passed = 0;
}

int main(void)
{
    time_in_which_it_was_stopped_is_not_counted();
    char date[32];
    CHECK(clock_seconds() == 100 * (CLOCK_MONOTONIC + 1) + 0.25);
    CHECK(clock_boot() == 100 * (CLOCK_BOOTTIME + 1) + 0.25); // goes on while the machine sleeps; nobody can set it
    CHECK(clock_thread() == 100 * (CLOCK_THREAD_CPUTIME_ID + 1) + 0.25); // stands still while others run
    setenv("TZ", "Elsewhere-9", 1);
    tzset();
    clock_date(date);
    CHECK_TEXT(date, "2025-11-22T00:00:05Z"); // the same text on every machine
    return test_end();
}
