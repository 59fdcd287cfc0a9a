// base/clock: which clock is read for what. clock_gettime and time are this test's own, so that nothing waits and
// nothing depends on how fast the machine is.
// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

#include "unit/test.h"

int clock_gettime(clockid_t which, struct timespec *t)
{
    *t = (struct timespec){.tv_sec = 100 * (which + 1), .tv_nsec = 250000000};
    return 0;
}

time_t time(time_t *t)
{
    const time_t now = 1763769605; // 2025-11-22, 0:00:05 in Greenwich
    if (t) *t = now;
    return now;
}

int main(void)
{
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
