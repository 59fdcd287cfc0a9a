// run/: what ends a run before its plan does, and how it goes on: a row that cannot be written, time that runs out, a
// signal after a failure; and a plan that two different GPUs share, taken up again.
// alone: the clock is its own
// SPDX-License-Identifier: MIT
#include "unit/run_here.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "store/lock.h"

static time_t later; // seconds by which the clocks of this machine are ahead
int clock_gettime(clockid_t which, struct timespec *t)
{
    const int bad = (int)syscall(SYS_clock_gettime, which, t);
    if (which == CLOCK_BOOTTIME || which == CLOCK_MONOTONIC) t->tv_sec += later;
    return bad;
}

static const char sixty[] = "experiment: e\nkernel: vecadd\nwith: {block: 64}\n"
                            "sweep: {n: {from: 1000, to: 60000, step: 1000}}\nmeasure: {max_samples: 20}\n";

// What time_left answers: `first` before the first point, `then` before the others; and how often it was asked.
static struct {
    double first, then;
    int asked;
} clock_left;
static double left_of(void *context) { return (void)context, clock_left.asked++ ? clock_left.then : clock_left.first; }

static size_t rows_of(void)
{
    struct table t;
    struct diags d = {0};
    size_t n = table_open(&t, report, &d) ? t.count : 0;
    table_close(&t);
    diags_clear(&d);
    return n;
}

// A disk that is full in the middle: no further point is begun, since its row would be lost too.
static void a_row_that_cannot_be_written_ends_the_run(void)
{
    struct diags d = {0};
    struct rlimit old, low;
    start();
    const char *devices[] = {device("a", "time 10\n"), NULL};
    getrlimit(RLIMIT_FSIZE, &old);
    low = old, low.rlim_cur = 8000;
    signal(SIGXFSZ, SIG_IGN);
    clock_left.first = clock_left.then = 1e9, clock_left.asked = 0;
    setrlimit(RLIMIT_FSIZE, &low);
    const int status = run(sixty, devices, (struct run_options){.time_left = left_of}, &d);
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK_INT(status, 3);
    CHECK_INT(diags_errors(&d), 1);
    CHECK(strstr(diags_first(&d), "cannot write a row to") != NULL);
    CHECK_INT(last.end, RUN_ABORTED);
    CHECK(points > 2 && points < 50);
    CHECK_INT(rows_of(), points);
    CHECK_INT(clock_left.asked, points + 1); // that of the lost row is the last that was begun
    diags_clear(&d);
    const size_t before = points;
    CHECK_INT(run_well(sixty, devices, (struct run_options){0}), 0);
    CHECK_INT(started_kept, before);
    CHECK_INT(rows_of(), 60);
}

// Before the first point the estimate is what sampling may take, 2 * 2 s + 5 s; then the longest point so far, with a
// quarter more and 2 s.
static void the_longest_point_so_far_says_whether_another_fits(void)
{
    start();
    const char *devices[] = {device("a", "time 10\n"), NULL};
    const struct run_options o = {.time_left = left_of};
    clock_left.first = 8.9, clock_left.then = 1e9, clock_left.asked = 0;
    CHECK_INT(run_well(sixty, devices, o), 75);
    CHECK_INT(points, 0);
    clock_left.first = 9.1, clock_left.then = 2, clock_left.asked = 0; // 2 s, but no point takes no time at all
    CHECK_INT(run_well(sixty, devices, o), 75);
    CHECK_INT(points, 1);
    CHECK_INT(last.end, RUN_OUT_OF_TIME);
    clock_left.then = 8.5, clock_left.asked = 0; // less than the first estimate: these points are quick
    CHECK_INT(run_well(sixty, devices, o), 0);
    CHECK_INT(points, 59);
    // A point of a second or more: 1.25 of it and 2 s are more than 3.2 s.
    static const char slow[] = "experiment: e\nkernel: vecadd\nwith: {timeout: 1s}\nsweep: {n: [1000, 2000]}\n";
    start();
    devices[0] = device("a", "time 10\nhang begin 1\n");
    clock_left.first = 100, clock_left.then = 3.2, clock_left.asked = 0;
    CHECK_INT(run_well(slow, devices, o), 75);
    CHECK_INT(points, 1);
}

// A long point: nothing is written for minutes, and another machine judges by the time of the lock's file. So the run
// renews it while it waits.
static char lock_path[80];
static time_t renewed;
static void look_at_lock(void *context)
{
    struct stat st;
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)context;
    if (!later) utimensat(AT_FDCWD, lock_path, long_ago, 0);
    if (later <= 2 * (LOCK_BEAT_S + 1)) later += LOCK_BEAT_S + 1;
    if (stat(lock_path, &st) == 0) renewed = st.st_mtime;
}

static void a_run_that_waits_shows_that_it_lives(void)
{
    static const char one[] = "experiment: e\nkernel: vecadd\nwith: {timeout: 2s}\n";
    struct diags d = {0};
    start();
    snprintf(lock_path, sizeof lock_path, "%s.lock", report);
    const char *devices[] = {device("a", "time 10\nhang begin 1\n"), NULL};
    struct run_observer both = watch;
    both.tick = look_at_lock;
    observer = &both;
    CHECK_INT(run(one, devices, (struct run_options){0}, &d), 1); // it hangs until its time is over
    observer = &watch;
    CHECK(later > LOCK_BEAT_S && renewed > 1000);
    later = 0;
    diags_clear(&d);
}

// Work left is graver than a point that failed: the same command goes on.
static void a_run_that_was_stopped_says_so_though_points_failed(void)
{
    start();
    const char *devices[] = {device("a", "time 10\nwrong 1 2 3\n"), NULL};
    stop_at = 1, stop_signal = SIGTERM; // the first row is told of at once, later ones a few together
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    CHECK_INT(last.status[STATUS_WRONG], 1);
    stop_at = 0;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1);
}

// Each row is of one of the two, by its own key: a run on both takes all of them as measured, whoever did it.
static void two_gpus_go_on_where_they_were(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {
        device("a", "name GPU A\nidentity a\ntime 100\n"), device("b", "name GPU B\nidentity b\ntime 100\n"), NULL};
    stop_at = 1, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    const size_t before = points;
    CHECK(before >= 1 && before < 8);
    stop_at = 0;
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 9}), 0);
    CHECK_INT(started_kept, before);
    CHECK_INT(points, 8 - before);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    size_t by_b = 0;
    for (size_t i = 0; i < t.count; i++) {
        CHECK_INT(atoi(cell(&t, i, "n")), 1000 * (i + 1));
        by_b += strcmp(cell(&t, i, "device"), "GPU B") == 0 || strstr(cell(&t, i, "device"), "GPU B (") != NULL;
    }
    CHECK(by_b > 0 && by_b < 8);
    table_close(&t);
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
    CHECK_INT(points, 0);
}

// Two of one model: rows are of either, and one alone goes on with what both have measured.
static void one_gpu_of_two_goes_on_alone(void)
{
    start();
    const char *devices[] = {
        device("a", "name GPU\nidentity g\ntime 100\n"), device("b", "name GPU\nidentity g\ntime 100\n"), NULL};
    stop_at = 1, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    const size_t before = points;
    stop_at = 0;
    devices[1] = NULL;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
    CHECK_INT(started_kept, before);
    CHECK_INT(rows_of(), 8);
}

int main(void)
{
    if (!begin_tests()) return 1;
    a_row_that_cannot_be_written_ends_the_run();
    the_longest_point_so_far_says_whether_another_fits();
    a_run_that_waits_shows_that_it_lives();
    a_run_that_was_stopped_says_so_though_points_failed();
    two_gpus_go_on_where_they_were();
    one_gpu_of_two_goes_on_alone();
    return end_tests();
}
