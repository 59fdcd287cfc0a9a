// flock on a file that names its holder; see lock.h for why both.
// SPDX-License-Identifier: MIT
#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"

struct holder {
    char host[65], machine[40],
        since[32]; // machine: the kernel's boot id: processes that share it share flock and pids
    long pid;
    unsigned long long token;
};

struct lock {
    char *path;
    int fd;
    struct holder own;
    time_t beat;
};

enum verdict_of_try { TAKEN, HELD, BROKEN };

static bool read_holder(int fd, struct holder *h)
{
    char text[256];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    *h = (struct holder){0};
    if (n <= 0) return false;
    text[n] = '\0';
    return sscanf(text, "%64s %ld %31s %39s %llx", h->host, &h->pid, h->since, h->machine, &h->token) == 5;
}

static void own_name(struct holder *h)
{
    struct timespec now;
    struct tm tm;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, h->machine, sizeof h->machine - 1);
    if (fd >= 0) close(fd);
    h->machine[n > 0 ? n : 0] = '\0';
    h->machine[strcspn(h->machine, "\n")] = '\0';
    if (!h->machine[0]) strcpy(h->machine, "unknown");
    if (gethostname(h->host, sizeof h->host - 1) != 0 || !h->host[0]) strcpy(h->host, "unknown");
    h->pid = getpid();
    clock_gettime(CLOCK_REALTIME, &now);
    strftime(h->since, sizeof h->since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now.tv_sec, &tm));
    h->token = (unsigned long long)now.tv_sec * 1000000007ULL ^ (unsigned long long)now.tv_nsec << 20 ^
        (unsigned long long)h->pid;
}

static bool write_name(struct lock *l)
{
    char text[256];
    int n = snprintf(text, sizeof text, "%s %ld %s %s %llx\n", l->own.host, l->own.pid, l->own.since, l->own.machine,
        l->own.token);
    return pwrite(l->fd, text, (size_t)n, 0) == n && ftruncate(l->fd, n) == 0 && fsync(l->fd) == 0;
}

static double age(const struct stat *st) { return difftime(time(NULL), st->st_mtime); }

// Opens the file that has the name now (a holder removes it at the end) and tries to lock it.
static enum verdict_of_try try_once(struct lock *l, struct holder *other, struct diags *d)
{
    struct stat mine, named;
    bool reaches = true; // does this file system know flock at all?
    l->fd = open(l->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (l->fd < 0) {
        diag_system(d, "is the folder writable?", "cannot make %s: %s", l->path, strerror(errno));
        return BROKEN;
    }
    if (flock(l->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) goto held;
        reaches = false;
    }
    if (fstat(l->fd, &mine) != 0 || stat(l->path, &named) != 0 || mine.st_ino != named.st_ino)
        goto held; // it was removed meanwhile
    if (read_holder(l->fd, other)) {
        bool here = strcmp(other->machine, l->own.machine) == 0;
        bool dead = here && (reaches || (kill((pid_t)other->pid, 0) != 0 && errno == ESRCH));
        if (!dead && age(&mine) < LOCK_SILENT_S) goto held;
        diag_add(d, DIAG_WARNING, (struct where){.file = l->path}, NULL,
            "process %ld on %s, writing since %s, ended without releasing it (silent for %.0f s): taken over",
            other->pid, other->host, other->since, age(&mine));
    }
    if (write_name(l)) return TAKEN;
    diag_system(d, "make room, or write elsewhere with -o", "cannot write %s: %s", l->path, strerror(errno));
    close(l->fd);
    return BROKEN;
held:
    read_holder(l->fd, other);
    close(l->fd);
    return HELD;
}

struct lock *lock_take(const char *report_path, const struct lock_wait *wait, struct diags *d)
{
    struct lock *l = mem_alloc(sizeof *l);
    struct holder other = {0};
    struct str path = {0}, line = {0};
    struct timespec now, pause = {.tv_nsec = 200000000};
    double end;
    bool said = false;
    str_addf(&path, "%s.lock", report_path);
    l->path = str_take(&path);
    own_name(&l->own);
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = (double)now.tv_sec + (wait ? wait->seconds : 0);
    if (!file_make_folders(l->path, d)) goto fail;
    for (int tries = 0;; tries++) {
        enum verdict_of_try v = try_once(l, &other, d);
        if (v == TAKEN) {
            l->beat = time(NULL);
            str_release(&line);
            return l;
        }
        if (v == BROKEN) goto fail;
        if (tries < 3) { // between making and naming, between removing and closing, or somebody is looking (lock_view)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
            continue;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (!wait || (double)now.tv_sec >= end || (wait->give_up && wait->give_up(wait->context))) break;
        if (!said && wait->say) {
            str_addf(&line, "waiting for %s: process %ld on %s is writing it", report_path, other.pid, other.host);
            wait->say(wait->context, line.text);
        }
        said = true;
        nanosleep(&pause, NULL);
    }
    diag_system(d, "wait for it or stop it; or write another report: -o FILE",
        "%s is being written by process %ld on %s, since %s", report_path, other.pid, other.host, other.since);
fail:
    str_release(&line);
    free(l->path);
    free(l);
    return NULL;
}

bool lock_held(struct lock *l, struct diags *d)
{
    struct holder h;
    // It is opened each time: only so does a network file system show what another machine has written.
    int fd = open(l->path, O_RDONLY | O_CLOEXEC);
    bool named = fd >= 0 && read_holder(fd, &h), mine = named && h.token == l->own.token && h.pid == l->own.pid;
    if (fd >= 0) close(fd);
    if (mine) {
        if (time(NULL) - l->beat >= LOCK_BEAT_S) {
            futimens(l->fd, NULL);
            l->beat = time(NULL);
        }
        return true;
    }
    if (named)
        return diag_system(d, "this copy stops; the other one goes on", "%s was taken over by process %ld on %s",
            l->path, h.pid, h.host);
    return diag_system(d, "run again to go on", "%s was removed while this run was writing", l->path);
}

void lock_release(struct lock *l)
{
    struct diags ignored = {0};
    if (!l) return;
    if (lock_held(l, &ignored)) unlink(l->path);
    diags_clear(&ignored);
    close(l->fd);
    free(l->path);
    free(l);
}

bool lock_view(const char *report_path, struct lock_view *v)
{
    struct holder h;
    struct stat st;
    struct str path = {0};
    str_addf(&path, "%s.lock", report_path);
    int fd = open(path.text, O_RDONLY | O_CLOEXEC);
    bool held = fd >= 0 && read_holder(fd, &h) && fstat(fd, &st) == 0;
    str_release(&path);
    if (held) {
        *v = (struct lock_view){.pid = h.pid, .silent = age(&st)};
        memcpy(v->host, h.host, sizeof v->host);
        memcpy(v->since, h.since, sizeof v->since);
        // On one machine the lock itself says whether its holder lives.
        if (flock(fd, LOCK_SH | LOCK_NB) == 0) {
            struct holder own;
            own_name(&own);
            held = strcmp(own.machine, h.machine) != 0 && v->silent < LOCK_SILENT_S;
        }
    }
    if (fd >= 0) close(fd);
    return held;
}
