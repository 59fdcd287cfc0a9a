// POSIX clocks as seconds, and the date in UTC.
// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t continued;
static double last_awake, stopped;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) { return seconds(CLOCK_MONOTONIC); }

static void note(int signal) { continued = signal; }

void clock_notice_stops(void)
{
    sigaction(SIGCONT, &(struct sigaction){.sa_handler = note, .sa_flags = SA_RESTART}, NULL);
}

double clock_awake(void)
{
    const double now = clock_seconds();
    if (continued) stopped += now - last_awake;
    continued = 0;
    last_awake = now;
    return now - stopped;
}

double clock_boot(void) { return seconds(CLOCK_BOOTTIME); }

double clock_thread(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

void clock_date(char text[32])
{
    time_t now = time(NULL);
    struct tm tm;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}
