// POSIX clocks as seconds, and the date in UTC.
// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) { return seconds(CLOCK_MONOTONIC); }

double clock_boot(void) { return seconds(CLOCK_BOOTTIME); }

double clock_thread(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

void clock_date(char text[32])
{
    time_t now = time(NULL);
    struct tm tm;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}
