// The line in a lock's file.
// SPDX-License-Identifier: MIT
#include "store/holder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

bool holder_read(int fd, struct holder *h)
{
    char text[256];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    *h = (struct holder){0};
    if (n <= 0) return false;
    text[n] = '\0';
    return sscanf(text, "%64s %ld %31s %39s %llx", h->host, &h->pid, h->since, h->machine, &h->token) == 5;
}

bool holder_write(int fd, const struct holder *h)
{
    char text[256];
    int n = snprintf(text, sizeof text, "%s %ld %s %s %llx\n", h->host, h->pid, h->since, h->machine, h->token);
    return pwrite(fd, text, (size_t)n, 0) == n && ftruncate(fd, n) == 0 && fsync(fd) == 0;
}

void holder_self(struct holder *h)
{
    struct timespec now;
    *h = (struct holder){.pid = getpid()};
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, h->machine, sizeof h->machine - 1);
    if (fd >= 0) close(fd);
    h->machine[n > 0 ? n : 0] = '\0';
    h->machine[strcspn(h->machine, "\n")] = '\0';
    if (!h->machine[0]) strcpy(h->machine, "unknown");
    if (gethostname(h->host, sizeof h->host - 1) != 0 || !h->host[0]) strcpy(h->host, "unknown");
    clock_gettime(CLOCK_REALTIME, &now);
    clock_date(h->since);
    if (getrandom(&h->token, sizeof h->token, GRND_NONBLOCK) != sizeof h->token)
        h->token = (unsigned long long)now.tv_sec * 1000000007ULL ^ (unsigned long long)now.tv_nsec << 20 ^
            (unsigned long long)h->pid;
}
