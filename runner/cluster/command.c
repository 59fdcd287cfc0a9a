// The words of a command line; fork, exec, and both streams read to their ends.
// SPDX-License-Identifier: MIT
#include "cluster/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

void command_add(struct command_words *c, const char *word)
{
    mem_grow(&c->items, &c->room, c->count + 2, sizeof *c->items);
    c->items[c->count++] = word;
    c->items[c->count] = NULL;
}

bool command_exists(const char *program)
{
    char path[4096];
    for (const char *p = getenv("PATH"); p && *p;) {
        size_t n = strcspn(p, ":");
        int length = snprintf(path, sizeof path, "%.*s/%s", (int)n, p, program);
        if (n && length < (int)sizeof path && access(path, X_OK) == 0) return true;
        p += n + (p[n] == ':');
    }
    return false;
}

static void child(const char *const *argv, const int out[2], const int err[2])
{
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(nothing, 0); // some of these programs would read a script's standard input
    dup2(out[1], 1);
    dup2(err[1], 2);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(errno == ENOENT ? 127 : 126);
}

// Both at once: a program that fills one pipe must not wait for us to finish the other.
static bool read_both(int out, int err, struct str *said, struct str *complained)
{
    struct pollfd fds[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    struct str *to[2] = {said, complained};
    bool good = true;
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR) return false;
        for (int i = 0; i < 2; i++) {
            char buffer[4096];
            if (fds[i].fd < 0 || !fds[i].revents) continue;
            ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
            if (n > 0) str_add_bytes(to[i], buffer, (size_t)n);
            else if (n == 0 || errno != EINTR) fds[i].fd = -1;
            if (n < 0 && errno != EINTR) good = false;
            fds[i].revents = 0;
        }
    }
    return good;
}

static void trim(struct str *s)
{
    while (s->size && (s->text[s->size - 1] == '\n' || s->text[s->size - 1] == ' ')) s->text[--s->size] = '\0';
}

bool command_output(const char *const *argv, struct str *said, struct diags *d)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1}, status = 0;
    LOCAL(str_release) struct str complained = {0};
    bool heard = true, ok = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
    pid_t pid = ok ? fork() : -1;
    if (pid == 0) child(argv, out, err);
    if (out[1] >= 0) close(out[1]);
    if (err[1] >= 0) close(err[1]);
    if (pid > 0) {
        heard = read_both(out[0], err[0], said, &complained);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    }
    trim(said);
    trim(&complained);
    if (pid < 0) ok = diag_system(d, NULL, "cannot start %s: %s", argv[0], strerror(errno));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !complained.size)
        ok = diag_system(d, "run this on a machine of the cluster, where its commands are",
            "%s: no such program on PATH", argv[0]);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        ok = diag_system(d, NULL, "%s: %s", argv[0],
            complained.size  ? complained.text
                : said->size ? said->text
                             : "failed without a word");
    else if (!heard) ok = diag_system(d, NULL, "what %s said cannot be read", argv[0]);
    if (!said->text) str_add(said, ""); // nothing was said
    if (out[0] >= 0) close(out[0]);
    if (err[0] >= 0) close(err[0]);
    return ok;
}
