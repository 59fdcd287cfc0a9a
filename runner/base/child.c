// vfork and exec: the caller may be a large process with many threads, and vfork copies none of its pages.
// SPDX-License-Identifier: MIT
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

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
        _exit(file_put(ends[1], answer, size) == size ? 0 : 1);
    }
    close(ends[1]);
    LOCAL(mem_drop) char *got = mem_alloc(size);
    const bool whole = child > 0 && file_get(ends[0], got, size) == size;
    if (whole) memcpy(answer, got, size);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    errno = error;
    return whole;
}

bool child_send(int socket, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = send(socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
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

// Runs in the child, which uses the parent's memory until it execs: only system calls are allowed.
static void become(char *const *argv, int input, int output, const struct child_limits *limits, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return; // the parent died before that
    if (limits) {
        const rlim_t s = limits->seconds;
#ifndef __SANITIZE_THREAD__ // which itself asks for memory before the program begins
        setrlimit(RLIMIT_AS, &(struct rlimit){limits->memory, limits->memory});
#endif
        setrlimit(RLIMIT_CPU, &(struct rlimit){s, s + 5});
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    }
    if (dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(output, 2) >= 0) execvp(argv[0], argv);
}

enum child_end child_run(char *const *argv, const char *log, const struct child_limits *limits)
{
    const pid_t parent = getpid();
    // Above 2, so that dup2 makes copies, which exec does not close.
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int low = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int in = input >= 0 ? fcntl(input, F_DUPFD_CLOEXEC, 3) : -1;
    const int out = low >= 0 ? fcntl(low, F_DUPFD_CLOEXEC, 3) : -1;
    volatile int error = in < 0 || out < 0 ? errno : 0; // the child writes it: vfork
    pid_t pid = -1;
    int status = 0;
    if (input >= 0) close(input);
    if (low >= 0) close(low);
    if (!error && (pid = vfork()) == 0) {
        become(argv, in, out, limits, parent);
        error = errno;
        _exit(127);
    }
    if (pid < 0 && !error) error = errno;
    struct rusage used = {0};
    while (pid > 0 && wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {}
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    errno = error;
    if (error) return error == ENOENT || error == ENOTDIR || error == EACCES ? CHILD_NOT_THERE : CHILD_NOT_STARTED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CHILD_WELL;
    const time_t spent = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;
    const bool ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU; // by its limit, whatever is told of its use
    return limits && (ended || spent >= (time_t)limits->seconds) ? CHILD_TOO_LONG : CHILD_FAILED;
}
