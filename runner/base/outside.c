// Three generations: the first has loaded the library and forks, the second waits for one question's end and tells it,
// the third answers. Each question comes with a socket of its own, which the first hands on.
// SPDX-License-Identifier: MIT
#include "base/outside.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"

void *dynamic_open(const char *name, char why[256], bool *unsure)
{
    // These texts are failures of the system; any other means that the library is not there.
    static const int passing[] = {ENOMEM, EMFILE, ENFILE, EIO, EINTR, EAGAIN};
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *error = library ? NULL : dlerror();
    for (size_t i = 0; error && i < sizeof passing / sizeof *passing; i++)
        if (strstr(error, strerror(passing[i])) || strstr(error, "failed to map")) {
            snprintf(why, 256, "%s", error);
            *unsure = true;
        }
    return library;
}

struct outside {
    pid_t pid;
    int link;
};
struct outside_tail { // what the second says behind the answer
    enum child_end end;
    int error;
};

static bool send_blob(int fd, const void *bytes, size_t size)
{
    return child_send(fd, &size, sizeof size) && child_send(fd, bytes, size);
}

// One byte with a descriptor beside it.
union passed {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static bool pass(int link, int fd)
{
    union passed control = {{0}};
    char one = 'q';
    struct iovec io = {&one, 1};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    ssize_t n;
    do n = sendmsg(link, &m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

// -1: nobody asks any more.
static int take(int link)
{
    for (;;) {
        union passed control = {{0}};
        char one;
        struct iovec io = {&one, 1};
        struct msghdr m = {
            .msg_iov = &io, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        const ssize_t n = recvmsg(link, &m, MSG_CMSG_CLOEXEC);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return -1;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        int fd;
        if (!c || c->cmsg_type != SCM_RIGHTS)
            continue; // there was no room for a descriptor: whoever asked sees its end
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
        return fd;
    }
}

// A child of `parent` that ends with it.
static pid_t fork_child(void)
{
    const pid_t parent = getpid(), child = fork();
    if (child) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    return 0;
}

// A sanitizer's own memory is more than any limit.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static void bound(const struct child_limits *l)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){l->seconds, l->seconds + 5});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef SANITIZED
    setrlimit(RLIMIT_DATA, &(struct rlimit){l->memory, l->memory});
#endif
}

static _Noreturn void answer(const struct outside_work *w, int fd)
{
    struct str out = {0};
    size_t size;
    bound(&w->limits);
    if (file_get(fd, &size, sizeof size) != sizeof size) _exit(1);
    char *question = mem_alloc(size + 1);
    if (file_get(fd, question, size) != size) _exit(1);
    w->answer(question, size, &out);
    _exit(send_blob(fd, out.text ? out.text : "", out.size) ? 0 : 1);
}

static enum child_end ended(int status, const struct rusage *used, const struct child_limits *l)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CHILD_WELL;
    const bool late = used->ru_utime.tv_sec + used->ru_stime.tv_sec >= (time_t)l->seconds;
    if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return CHILD_TOO_LONG;
#ifdef SANITIZED
    return CHILD_FAILED;
#else
    return (size_t)used->ru_maxrss << 10 > l->memory / 2 ? CHILD_TOO_LARGE : CHILD_FAILED;
#endif
}

static _Noreturn void watch(const struct outside_work *w, int fd)
{
    struct outside_tail tail = {CHILD_NOT_STARTED, 0};
    struct rusage used = {0};
    int status = 0;
    const pid_t child = fork_child();
    if (child == 0) answer(w, fd);
    tail.error = errno;
    while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) {}
    if (child > 0) tail.end = ended(status, &used, &w->limits);
    child_send(fd, &tail, sizeof tail);
    _exit(0);
}

// What the caller has open is not ours: a lock, a pipe to a worker.
static void close_others(int link)
{
    DIR *d = opendir("/proc/self/fd");
    for (struct dirent *e; d && (e = readdir(d));) {
        const int fd = atoi(e->d_name);
        if (fd > 2 && fd != link && fd != dirfd(d)) close(fd);
    }
    if (d) closedir(d);
}

static _Noreturn void serve(const struct outside_work *w, int link)
{
    close_others(link);
    bool ready = !w->late;
    if (ready) w->prepare();
    // A child needs no funeral; the second generation wants one of its own.
    signal(SIGCHLD, SIG_IGN);
    for (int fd; (fd = take(link)) >= 0; close(fd)) {
        if (!ready) w->prepare(), ready = true;
        if (fork_child() != 0) continue; // no process: whoever asked sees the end
        signal(SIGCHLD, SIG_DFL);
        close(link);
        watch(w, fd);
    }
    _exit(0);
}

struct outside *outside_new(const struct outside_work *w)
{
    int ends[2];
    sigset_t before;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return NULL;
    fflush(NULL); // or both processes would write what waits in the buffers
    apart_hold_signals(&before);
    const pid_t child = fork_child();
    if (child == 0) serve(w, ends[1]);
    const int error = errno;
    apart_free_signals(&before);
    close(ends[1]);
    errno = error;
    if (child < 0) {
        close(ends[0]);
        errno = error;
        return NULL;
    }
    struct outside *o = mem_alloc(sizeof *o);
    *o = (struct outside){child, ends[0]};
    return o;
}

enum child_end outside_ask(struct outside *o, const void *question, size_t size, struct str *reply)
{
    struct outside_tail tail = {CHILD_NOT_STARTED, ECHILD};
    int ends[2];
    char bytes[65536];
    LOCAL(str_release) struct str got = {0};
    size_t length;
    ssize_t n;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return CHILD_NOT_STARTED;
    const bool passed = pass(o->link, ends[1]);
    close(ends[1]);
    if (passed) send_blob(ends[0], question, size); // if it dies over it, its end says so
    while (passed && ((n = recv(ends[0], bytes, sizeof bytes, 0)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0) str_add_bytes(&got, bytes, (size_t)n);
    close(ends[0]);
    if (got.size >= sizeof tail) memcpy(&tail, got.text + got.size - sizeof tail, sizeof tail);
    if (tail.end == CHILD_WELL && got.size >= sizeof length + sizeof tail) {
        memcpy(&length, got.text, sizeof length);
        if (length != got.size - sizeof length - sizeof tail) tail.end = CHILD_FAILED;
        else str_add_bytes(reply, got.text + sizeof length, length);
    }
    errno = tail.error;
    return tail.end;
}

void outside_free(struct outside *o)
{
    if (!o) return;
    close(o->link);
    while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR) {}
    free(o);
}
