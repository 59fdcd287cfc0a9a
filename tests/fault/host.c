// A library for LD_PRELOAD, which no program links: a machine that is not as the others are.
//   HOST_SKEW=90      its clock is so many seconds ahead of theirs (less than 0: behind)
//   HOST_FLOCK=free   flock says yes to everybody; none: it is not known (ENOLCK)
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long skew(void)
{
    const char *text = getenv("HOST_SKEW");
    return text ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    const int got = REAL(clock_gettime)(clock, t);
    if (got == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += skew();
    return got;
}

time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int flock(int fd, int how)
{
    const char *text = getenv("HOST_FLOCK");
    if (!text) return REAL(flock)(fd, how);
    if (strcmp(text, "free") == 0) return 0;
    errno = ENOLCK;
    return -1;
}
