// store/: a holder that lost its lock writes nothing that matters, wherever it was when it lost it. One process plays
// both holders on a file system that does not pass flock on: before each system call of the first, in turn, the second
// one comes, takes over, measures and perhaps ends; then the first goes on as if nothing had happened.
// alone: open and the clock are its own
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/runfile.h"
#include "unit/report_here.h"

static char lock_path[80];
static bool alone;          // flock reaches nobody, and no other process is known here
static long calls, stop_at; // of the first holder; -1: not counted
static void second_comes(void);

// Before each call that the first holder makes.
static void step(void)
{
    if (calls < 0 || ++calls != stop_at) return;
    int why = errno;
    calls = -1;
    second_comes();
    errno = why;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
int flock(int fd, int how) { return alone ? (errno = ENOLCK, -1) : REAL(flock)(fd, how); }
int kill(pid_t pid, int signal) { return alone ? (errno = ESRCH, -1) : REAL(kill)(pid, signal); }
ssize_t write(int fd, const void *p, size_t n) { return step(), REAL(write)(fd, p, n); }
ssize_t pwrite(int fd, const void *p, size_t n, off_t at) { return step(), REAL(pwrite)(fd, p, n, at); }
int fsync(int fd) { return (void)fd, step(), 0; } // this test cuts no power
int fdatasync(int fd) { return (void)fd, step(), 0; }
int ftruncate(int fd, off_t size) { return step(), REAL(ftruncate)(fd, size); }
int rename(const char *from, const char *to) { return step(), REAL(rename)(from, to); }
int unlink(const char *name) { return step(), REAL(unlink)(name); }
int link(const char *from, const char *to) { return step(), REAL(link)(from, to); }
int futimens(int fd, const struct timespec t[2]) { return step(), REAL(futimens)(fd, t); }
int open(const char *name, int how, ...)
{
    va_list args;
    va_start(args, how);
    mode_t mode = how & O_CREAT || (how & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
    va_end(args);
    step();
    return REAL(open)(name, how, mode);
}

// The clock of this machine is wrong by a minute and a half.
static time_t skew;
time_t time(time_t *t)
{
    struct timespec now;
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    if (t) *t = now.tv_sec + skew;
    return now.tv_sec + skew;
}
int clock_gettime(clockid_t which, struct timespec *t)
{
    int bad = REAL(clock_gettime)(which, t);
    if (which == CLOCK_REALTIME) t->tv_sec += skew;
    return bad;
}

static bool written[32]; // points whose row was acknowledged, to whichever holder
static bool ends;        // the second is through before the first goes on
static bool took_over;   // it came when the first had the lock
static struct report *second;
static struct runfile facts[2];

static void say(int who, const char *end, struct report *r, struct diags *d)
{
    runfile_begin(&facts[who]);
    runfile_run(&facts[who], "started", "%d", who);
    runfile_run(&facts[who], "end", "%s", end);
    facts[who].lock = report_lock(r);
    runfile_write(&facts[who], d);
}

static void add(struct report *r, size_t point, struct diags *d)
{
    if (append(r, point, d)) written[point] = true;
}

static void last_rows(struct diags *d)
{
    if (!second) return;
    add(second, 13, d);
    report_finish(second, d);
    report_settle(second);
    say(1, "complete", second, d);
    report_close(second);
    second = NULL;
}

static void second_comes(void)
{
    struct diags d = {0};
    took_over = file_exists(lock_path);
    second = report_open(path, &head, false, NULL, &d);
    CHECK(second || diags_errors(&d)); // being refused is well too
    if (second) {
        say(1, "running", second, &d);
        add(second, 11, &d);
        add(second, 12, &d);
        if (ends) last_rows(&d);
    }
    diags_clear(&d);
}

static void first_runs(bool fresh, struct diags *d)
{
    struct report *r = report_open(path, &head, fresh, NULL, d);
    if (!r) return;
    say(0, "running", r, d);
    if (report_ready(r, d)) add(r, 3, d);
    if (report_ready(r, d)) add(r, 1, d);
    report_finish(r, d);
    add(r, 2, d);
    report_finish(r, d);
    report_settle(r);
    say(0, "complete", r, d);
    report_close(r);
}

// As long as the second holds the lock, the run file is the second's.
static void check_run_file(void)
{
    struct diags d = {0};
    bool held = second && lock_held(report_lock(second), &d);
    CHECK(held || !second || !took_over);
    if (held) {
        char *text = runfile_read(path), *who = text ? runfile_get(text, "started", -1) : NULL;
        if (!who || *who != '1') printf("stopped at call %ld\n", stop_at);
        CHECK_TEXT(who, "1");
        free(who);
        free(text);
    }
    diags_clear(&d);
}

// Every row that was acknowledged to anybody is there, and the file is whole.
static void check_all(bool fresh)
{
    struct diags d = {0};
    bool there[32] = {false};
    struct table t;
    CHECK(table_open(&t, path, &d));
    for (size_t i = 0; i < t.count; i++) there[strtoul(cell(&t, i, "key"), NULL, 16) % 32] = true;
    if (t.whole != t.size) printf("stopped at call %ld\n", stop_at);
    CHECK_INT(t.whole, t.size);
    table_close(&t);
    for (int i = 0; i < 32 && !fresh; i++) {
        if (written[i] && !there[i]) printf("stopped at call %ld: row %d is lost\n", stop_at, i);
        CHECK(there[i] || !written[i]);
    }
    CHECK_INT(d.count, 0);
    diags_clear(&d);
}

// One more than the calls there are: then the first is not disturbed.
static void a_holder_that_lost_its_lock_changes_nothing(bool fresh)
{
    bool undisturbed = false;
    alone = true;
    for (stop_at = 1; !undisturbed; stop_at++) {
        struct diags d = {0};
        start();
        memset(written, 0, sizeof written);
        runfile_init(&facts[0], path);
        runfile_init(&facts[1], path);
        calls = 0;
        took_over = false;
        first_runs(fresh, &d);
        undisturbed = calls >= 0;
        calls = -1;
        diags_clear(&d);
        check_run_file();
        last_rows(&d);
        CHECK(!took_over || (written[11] && written[12] && written[13])); // nor is it disturbed
        diags_clear(&d);
        check_all(fresh);
        runfile_release(&facts[0]);
        runfile_release(&facts[1]);
    }
    printf("%ld calls\n", stop_at - 2);
    CHECK(stop_at > 60);
    alone = false;
}

// Two machines' clocks differ: what counts is how long the file server has not heard of the holder.
static void a_wrong_clock_takes_over_nobody(void)
{
    static const char name[] = "n2 77 2026-01-01T00:00:00Z 00000000-another-boot abc\n";
    struct diags d = {0};
    struct lock_view v;
    start();
    CHECK(file_write(lock_path, name, sizeof name - 1, &d));
    for (skew = -90; skew <= 90; skew += 90) {
        CHECK(!lock_take(path, NULL, &d));
        CHECK(lock_view(path, &v) && v.silent >= 0 && v.silent < 30);
        diags_clear(&d);
    }
    skew = 0;
}

static void check_stopped(struct report *r, const char *why)
{
    struct diags d = {0};
    size_t before, after;
    char *was = file_read(path, 1 << 20, &before, &d);
    CHECK(!append(r, 9, &d));
    CHECK(strstr(diags_first(&d), why) != NULL);
    CHECK(!append(r, 9, &d) && !report_finish(r, &d)); // nor later
    report_settle(r);
    report_close(r);
    char *now = file_read(path, 1 << 20, &after, &d);
    CHECK(before == after && memcmp(was, now, before) == 0);
    free(was);
    free(now);
    diags_clear(&d);
}

// Whatever somebody did to the file meanwhile stays as it is.
static void a_file_that_somebody_else_wrote_is_left_alone(void)
{
    struct diags d = {0};
    size_t size;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(report_ready(r, &d) && append(r, 1, &d));
    char *text = file_read(path, 1 << 20, &size, &d);
    CHECK(file_write(path, text, size, &d)); // as an editor saves it
    check_stopped(r, "is another file now");
    r = report_open(path, &head, false, NULL, &d);
    CHECK(report_ready(r, &d) && append(r, 2, &d));
    FILE *f = fopen(path, "a");
    CHECK(f && fputs("more", f) >= 0 && fclose(f) == 0);
    check_stopped(r, "somebody else wrote to");
    r = report_open(path, &head, false, NULL, &d);
    CHECK(r && has(r, 1) && has(r, 2));
    unlink(lock_path);
    check_stopped(r, "was removed while this run was writing");
    free(text);
    diags_clear(&d);
}

int main(void)
{
    calls = -1;
    if (!begin_here()) return 1;
    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    for (int i = 0; i < 4; i++) {
        ends = i % 2;
        a_holder_that_lost_its_lock_changes_nothing(i >= 2);
    }
    a_file_that_somebody_else_wrote_is_left_alone();
    a_wrong_clock_takes_over_nobody();
    return end_here();
}
