// vfork and exec: the caller may be a large process with many threads, and vfork copies none of its pages.
// SPDX-License-Identifier: MIT
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs in the child, which uses the parent's memory until it execs: only system calls are allowed.
static void become(char *const *argv, int input, int output, const struct child_limits *limits, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return; // the parent died before that
    if (limits) {
        const rlim_t s = limits->seconds;
        setrlimit(RLIMIT_AS, &(struct rlimit){limits->memory, limits->memory});
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
    return limits && spent >= (time_t)limits->seconds ? CHILD_TOO_LONG : CHILD_FAILED;
}
