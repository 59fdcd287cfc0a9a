// The lock's file: named in one step, taken over in one step, removed only by its own holder; see lock.h for why.
// SPDX-License-Identifier: MIT
#include "store/lock.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "store/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Who holds a lock, as its file says it: one line of host, process, since when, machine and token. Private to the lock.
struct holder {
    char host[65], machine[40],
        since[32]; // machine: the kernel's boot id: processes that share it share flock and pids
    long pid;
    unsigned long long token; // of this holding and no other
};

// false: it names nobody
static bool holder_read(int fd, struct holder *h)
{
    char text[256];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    *h = (struct holder){0};
    if (n <= 0) return false;
    text[n] = '\0';
    return sscanf(text, "%64s %ld %31s %39s %llx", h->host, &h->pid, h->since, h->machine, &h->token) == 5;
}

static bool holder_write(int fd, const struct holder *h)
{
    char text[256];
    int n = snprintf(text, sizeof text, "%s %ld %s %s %llx\n", h->host, h->pid, h->since, h->machine, h->token);
    return pwrite(fd, text, (size_t)n, 0) == n && ftruncate(fd, n) == 0 && fsync(fd) == 0;
}

static void holder_self(struct holder *h)
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

struct lock {
    char *report, *path;
    int fd;
    struct holder own;
    double beat;
    dev_t device; // of the report's file, where it is covered
    ino_t inode;
    bool covered, after_dead, was_free, lost;
    bool excludes; // flock really does here
};

enum try_answer { TAKEN, HELD, BROKEN };

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Both times are the file system's own: the clocks of two machines may differ by minutes.
static double silence(const struct stat *now, const struct stat *lock)
{
    return difftime(now->st_mtime, lock->st_mtime);
}

static bool broken(const struct lock *l, const char *what, struct diags *d)
{
    const char *hint = errno == ELOOP || errno == EEXIST || errno == EISDIR
        ? "that is not the lock of a report: move it away"
        : "is the folder writable, and is there room? or write elsewhere with -o";
    return diag_system(d, hint, "cannot %s %s: %s", what, l->path,
        errno == ELOOP ? "it is a symbolic link" : strerror(errno));
}

// A file that says our name, before it has the lock's.
static int make_own(const char *own, struct lock *l)
{
    int fd = open(own, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 && holder_write(fd, &l->own)) return fd;
    int why = errno;
    if (fd >= 0) close(fd);
    errno = why;
    return -1;
}

// `path` is open and locked: is another who opens it kept out? On some file systems, and in some containers, flock says
// yes to everybody, and then it does not tell who lives.
static bool excludes(const char *path)
{
    const int again = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool kept_out = again >= 0 && flock(again, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (again >= 0) close(again);
    return kept_out;
}

// May the lock of `other` be taken over? Its file is open as `fd`. `reaches`: flock says that nobody here has it.
static bool ended(struct lock *l, int fd, const struct holder *other, bool reaches, const struct stat *now,
    struct diags *d)
{
    struct stat st;
    bool here = strcmp(other->machine, l->own.machine) == 0, gone;
    if (fstat(fd, &st) != 0) return false;
    l->after_dead = here && reaches;
    gone = l->after_dead || (here && kill((pid_t)other->pid, 0) != 0 && errno == ESRCH);
    if (!gone && silence(now, &st) < LOCK_SILENT_S) return false;
    diag_add(d, DIAG_WARNING, (struct where){.file = l->path}, NULL,
        "process %ld on %s, writing since %s, ended without releasing it (silent for %.0f s): taken over", other->pid,
        other->host, other->since, silence(now, &st));
    return true;
}

// The lock has a file: whose is it, and can it be had?
static enum try_answer take_over(struct lock *l, const char *own, struct holder *other, struct diags *d)
{
    struct stat now, mine, named;
    enum try_answer v = HELD;
    bool reaches = l->excludes; // does this file system know flock at all?
    int fd = open(l->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? HELD : (broken(l, "open", d), BROKEN);
    if (fstat(fd, &mine) != 0 || !S_ISREG(mine.st_mode)) {
        errno = EEXIST;
        broken(l, "use", d);
        v = BROKEN;
        goto done;
    }
    bool says = holder_read(fd, other);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) goto done;
        reaches = false;
    }
    if (lstat(l->path, &named) != 0 || !same_file(&mine, &named)) goto done; // gone meanwhile
    if (fstat(l->fd, &now) != 0) goto done;
    if (says && !ended(l, fd, other, reaches, &now, d)) goto done;
    if (rename(own, l->path) != 0) {
        if (errno != ENOENT) broken(l, "take over", d), v = BROKEN;
        goto done;
    }
    v = TAKEN;
done:
    close(fd);
    return v;
}

static enum try_answer try_once(struct lock *l, struct holder *other, struct diags *d)
{
    LOCAL(str_release) struct str own = {0};
    enum try_answer v = HELD;
    str_addf(&own, "%s.%016llx", l->path, l->own.token);
    l->after_dead = l->was_free = false;
    l->fd = make_own(own.text, l);
    if (l->fd < 0) {
        broken(l, "make", d);
        v = BROKEN;
        goto done;
    }
    // Before anybody can see it. Where flock is unknown, or excludes nobody, the name decides.
    l->excludes = flock(l->fd, LOCK_EX | LOCK_NB) == 0 && excludes(own.text);
    if (link(own.text, l->path) == 0) {
        l->was_free = true;
        v = TAKEN;
    } else if (errno == EEXIST) {
        v = take_over(l, own.text, other, d);
    } else if (errno != ENOENT) { // there are file systems without links; renaming is as good while nobody has it
        struct stat st;
        if (lstat(l->path, &st) == 0) v = take_over(l, own.text, other, d);
        else if (rename(own.text, l->path) == 0) l->was_free = true, v = TAKEN;
        else broken(l, "make", d), v = BROKEN;
    }
done:
    unlink(own.text);
    if (v != TAKEN && l->fd >= 0) close(l->fd);
    return v;
}

static struct lock *lock_new(const char *report)
{
    struct lock *l = mem_alloc(sizeof *l);
    struct str s = {0};
    l->report = str_copy(report);
    str_addf(&s, "%s.lock", report);
    l->path = str_take(&s);
    l->fd = -1;
    holder_self(&l->own);
    return l;
}

static void lock_free(struct lock *l)
{
    free(l->report);
    free(l->path);
    free(l);
}

struct lock *lock_take(const char *report_path, const struct lock_wait *wait, struct diags *d)
{
    struct lock *l = lock_new(report_path);
    struct holder other = {0};
    double end = clock_boot() + (wait ? wait->seconds : 0);
    bool said = false;
    if (!file_make_folders(l->path, d)) goto fail;
    for (int tries = 0;; tries++) {
        enum try_answer v = try_once(l, &other, d);
        if (v == TAKEN) {
            l->beat = clock_boot();
            leftovers_remove(l->report, true);
            return l;
        }
        if (v == BROKEN) goto fail;
        if (tries < 3) { // between making and naming, between removing and closing, or somebody is looking (lock_view)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
            continue;
        }
        if (!wait || clock_boot() >= end || (wait->give_up && wait->give_up(wait->context))) break;
        if (!said && wait->say) {
            struct str line = {0};
            str_addf(&line, "waiting for %s: process %ld on %s is writing it", report_path, other.pid, other.host);
            wait->say(wait->context, line.text);
            str_release(&line);
        }
        said = true;
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
    diag_system(d, "wait for it or stop it; or write another report: -o FILE",
        "%s is being written by process %ld on %s, since %s", report_path, other.pid, other.host, other.since);
fail:
    lock_free(l);
    return NULL;
}

bool lock_after_dead(const struct lock *l) { return l->after_dead; }
bool lock_was_free(const struct lock *l) { return l->was_free; }

bool lock_cover(struct lock *l, int fd, struct diags *d)
{
    enum { TRIES = 100 }; // of 10 ms: a worker whose run was killed holds the file until it has seen that
    struct stat st;
    bool held = true;
    for (int i = 0; i < TRIES && held; i++) {
        if (i) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        held = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    }
    if (held)
        return diag_system(d, "wait for it or stop it; or write another report: -o FILE",
            "%s is being written by another process, under another name or after its lock was removed", l->report);
    if (fstat(fd, &st) != 0) return diag_system(d, NULL, "cannot look at %s: %s", l->report, strerror(errno));
    l->device = st.st_dev;
    l->inode = st.st_ino;
    l->covered = true;
    return true;
}

static bool lose(struct lock *l) { return l->lost = true, false; }

// Opened anew each time: on a network file system that is what makes another machine's writing visible. One that is
// removing its own lock may move ours away for a moment (lock_remove).
static bool read_named(const struct lock *l, struct holder *h, bool *there)
{
    int fd = -1;
    for (int tries = 0; tries < 3 && fd < 0; tries++) {
        if (tries) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        fd = open(l->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 && errno != ENOENT) break;
    }
    int why = errno;
    *there = fd >= 0 && holder_read(fd, h);
    if (fd >= 0) close(fd);
    errno = why;
    return fd >= 0 || why == ENOENT;
}

bool lock_held(struct lock *l, struct diags *d)
{
    struct holder h;
    struct stat st;
    bool there;
    if (l->lost) return false;
    if (!read_named(l, &h, &there))
        return diag_system(d, "run again to go on", "cannot read %s: %s", l->path, strerror(errno)), lose(l);
    if (!there)
        return diag_system(d, "run again to go on", "%s was removed while this run was writing", l->path), lose(l);
    if (h.token != l->own.token || h.pid != l->own.pid)
        return diag_system(d, "this copy stops; the other one goes on", "%s was taken over by process %ld on %s",
                   l->path, h.pid, h.host),
               lose(l);
    if (l->covered && (lstat(l->report, &st) != 0 || st.st_dev != l->device || st.st_ino != l->inode))
        return diag_system(d, "look at both files, then run again to go on",
                   "%s is another file now: somebody moved, removed or replaced it while this run was writing",
                   l->report),
               lose(l);
    if (clock_boot() - l->beat >= LOCK_BEAT_S) {
        futimens(l->fd, NULL); // the file server's time, not ours
        l->beat = clock_boot();
    }
    return true;
}

char *lock_temporary(const struct lock *l, const char *path)
{
    struct str s = {0};
    str_addf(&s, "%s.%016llx.tmp", path, l->own.token);
    return str_take(&s);
}

void lock_remove(const struct lock *l, const char *path, int fd)
{
    struct stat own, found;
    LOCAL(mem_drop) char *aside = lock_temporary(l, path);
    if (fstat(fd, &own) == 0 && lstat(path, &found) == 0 && same_file(&own, &found) && rename(path, aside) == 0) {
        // Between looking and renaming another may have come: it goes back under its name.
        if (lstat(aside, &found) == 0 && !same_file(&own, &found) && link(aside, path) != 0) {}
        unlink(aside);
    }
}

void lock_release(struct lock *l)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    if (!l) return;
    l->covered = false; // whatever became of the report, the lock is ours to remove
    if (lock_held(l, &ignored)) lock_remove(l, l->path, l->fd);
    close(l->fd);
    lock_free(l);
}

// What time it is on the file system of `path`: only a new file can tell.
static time_t time_there(const char *path)
{
    char folder[PATH_MAX];
    struct stat st;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = '\0';
    int fd = open(slash ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    bool told = fd >= 0 && fstat(fd, &st) == 0;
    if (fd >= 0) close(fd);
    return told ? st.st_mtime : time(NULL);
}

bool lock_view(const char *report_path, struct lock_view *v)
{
    struct holder h, own;
    struct stat st;
    LOCAL(str_release) struct str path = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop) char *real = file_real(report_path, &ignored);
    str_addf(&path, "%s.lock", real ? real : report_path);
    int fd = open(path.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool held = fd >= 0 && holder_read(fd, &h) && fstat(fd, &st) == 0;
    if (held) {
        *v = (struct lock_view){.pid = h.pid, .silent = difftime(time_there(path.text), st.st_mtime)};
        memcpy(v->host, h.host, sizeof v->host);
        memcpy(v->since, h.since, sizeof v->since);
        // On one machine the lock itself says whether its holder lives.
        if (flock(fd, LOCK_SH | LOCK_NB) == 0) {
            holder_self(&own);
            const bool here = strcmp(own.machine, h.machine) == 0, gone = kill((pid_t)h.pid, 0) != 0 && errno == ESRCH;
            held = v->silent < LOCK_SILENT_S && (!here || (!gone && !excludes(path.text)));
        }
    }
    if (fd >= 0) close(fd);
    return held;
}
