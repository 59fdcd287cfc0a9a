// A fork, a pipe and one answer.
// SPDX-License-Identifier: MIT
#include "base/apart.h"

#include "base/arena.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_all(int fd, const char *p, size_t left)
{
    while (left) {
        ssize_t n = write(fd, p, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        left -= (size_t)n;
    }
    return true;
}

static bool read_all(int fd, char *p, size_t left)
{
    while (left) {
        ssize_t n = read(fd, p, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        left -= (size_t)n;
    }
    return true;
}

bool apart_ask(void (*ask)(const void *, void *), const void *context, void *answer, size_t size)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL); // or both processes would write what waits in the buffers
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        ask(context, answer);
        _exit(write_all(ends[1], answer, size) ? 0 : 1);
    }
    close(ends[1]);
    char *got = mem_alloc(size);
    const bool whole = child > 0 && read_all(ends[0], got, size);
    if (whole) memcpy(answer, got, size);
    free(got);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return whole;
}
