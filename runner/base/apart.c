// A fork, a pipe and one answer.
// SPDX-License-Identifier: MIT
#include "base/apart.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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

void apart_hold_signals(sigset_t *before)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) sigaddset(&held, asking[i]);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void apart_free_signals(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

bool apart_ask(void (*ask)(const void *, void *), const void *context, void *answer, size_t size)
{
    int ends[2];
    sigset_t before;
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL); // or both processes would write what waits in the buffers
    const pid_t parent = getpid();
    apart_hold_signals(&before);
    const pid_t child = fork();
    const int error = child < 0 ? errno : ECHILD;
    if (child) apart_free_signals(&before);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1); // it died before that
        close(ends[0]);
        ask(context, answer);
        _exit(write_all(ends[1], answer, size) ? 0 : 1);
    }
    close(ends[1]);
    LOCAL(mem_drop) char *got = mem_alloc(size);
    const bool whole = child > 0 && read_all(ends[0], got, size);
    if (whole) memcpy(answer, got, size);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    errno = error;
    return whole;
}

bool apart_each(bool (*work)(const void *, size_t), const void *context, size_t count, size_t most)
{
    const pid_t parent = getpid();
    bool ok = true;
    for (size_t next = 0, running = 0; running || (next < count && ok);) {
        int status;
        if (running == most || next == count || !ok) {
            const pid_t ended = wait(&status);
            if (ended < 0 && errno == EINTR) continue;
            ok = ok && ended > 0 && status == 0;
            running = ended > 0 ? running - 1 : 0;
            continue;
        }
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            const bool done = getppid() == parent && work(context, next);
            fflush(NULL);
            _exit(!done);
        }
        if (child < 0) ok = work(context, next);
        running += child > 0;
        next++;
    }
    return ok;
}
