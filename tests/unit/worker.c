// measure/worker.h: a worker that hangs, crashes or says nonsense costs one row.
// SPDX-License-Identifier: MIT
#include "measure/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "unit/reason_here.h"
#include "unit/test.h"

#include "unit/fake_job.h"
#include "spec/columns.h"

static struct worker *started(void)
{
    char spec[80];
    struct diags d = {0};
    snprintf(spec, sizeof spec, "script:%s", fake_path);
    struct worker *w = worker_new(spec);
    CHECK(worker_start(w, &d));
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    return w;
}

// Measures as the run does: polls, never waits longer than the job may take.
static void measured(struct worker *w, const struct job *job, struct result *r)
{
    struct diags d = {0};
    CHECK(worker_start(w, &d) && worker_give(w, job, &d));
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    for (int turns = 0; !worker_collect(w, r); turns++) {
        double left = worker_time_left(w);
        struct pollfd fd = {.fd = worker_fd(w), .events = POLLIN};
        CHECK(turns < 10000 && fd.fd >= 0);
        if (turns >= 10000) return;
        poll(&fd, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
    }
}

static void results_come_back(void)
{
    struct result r;
    fake_write("name Fake\nidentity it\ntime 40\nfor x=2 time 80\npeak 100\n");
    struct worker *w = started();
    CHECK_TEXT(worker_identity(w)->name, "Fake");
    CHECK_TEXT(worker_identity(w)->identity, "it");
    for (int x = 1; x <= 2; x++) {
        struct job job = fake_job(x);
        measured(w, &job, &r);
        CHECK_INT(r.status, STATUS_OK);
        CHECK_TEXT(r.device, "Fake");
        CHECK(fabs(r.columns[COLUMN_TIME_US] - 40 * x) < 1e-9);
        CHECK(isinf(worker_time_left(w)));
        CHECK(!worker_collect(w, &r));
    }
    worker_free(w);
    char *trace = fake_traced();
    CHECK(strncmp(trace, "open\nprepare\n", 13) == 0 && strstr(trace + 1, "open") == NULL); // one process did both
    free(trace);
}

static void crash_is_one_failed_row_with_the_last_words(void)
{
    struct result r;
    struct job good = fake_job(1), bad = fake_job(2);
    fake_write("for x=2 print verify 1 hello from the kernel\nfor x=2 print submit 2 block 3: assertion failed\n"
               "for x=2 crash submit 2\n");
    fflush(stdout);
    int kept = dup(2), ends[2];
    char heard[400] = "";
    CHECK(pipe(ends) == 0);
    dup2(ends[1], 2); // what the worker writes reaches our stderr
    struct worker *w = started();
    measured(w, &bad, &r);
    dup2(kept, 2);
    close(ends[1]);
    CHECK(read(ends[0], heard, sizeof heard - 1) > 0);
    close(ends[0]);
    close(kept);
    CHECK_TEXT(heard, "hello from the kernel\nblock 3: assertion failed\n");
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK_TEXT(reason_of(&r),
        "the worker died of SIGSEGV (a segmentation fault): hello from the kernel / block 3: assertion failed");
    CHECK_TEXT(r.device, "fake");
    for (int c = 0; c < COLUMN_COUNT; c++) CHECK(isnan(r.columns[c]));
    CHECK(worker_fd(w) == -1);
    good = fake_job(1);
    measured(w, &good, &r);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
}

static void exit_names_its_status(void)
{
    struct result r;
    struct job job = fake_job(1);
    fake_write("exit wait 3 42\n");
    struct worker *w = started();
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK_TEXT(reason_of(&r), "the worker ended with exit status 42");
    worker_free(w);
}

static void hang_is_a_timeout_and_the_next_point_is_well(void)
{
    struct result r;
    fake_write("for x=2 hang wait 4\n");
    struct worker *w = started();
    struct job job = fake_job(2);
    job.settings[SETTING_TIMEOUT] = value_real(0.15);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_TIMEOUT);
    CHECK_TEXT(reason_of(&r),
        "not done after 0.15 s (the setting `timeout`): its worker was ended; it was taking "
        "samples, after a first run that ended");
    CHECK(isnan(r.columns[COLUMN_TIME_US]));
    job = fake_job(1);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
    char *trace = fake_traced();
    CHECK(strstr(trace + 1, "open\n") != NULL); // a fresh process
    free(trace);
}

// After a failure the process goes on, unless the device says that the error sticks.
static void sticky_error_begins_a_fresh_process(void)
{
    for (int sticky = 0; sticky < 2; sticky++) {
        struct result r;
        struct job job;
        int opened = 0;
        fake_write("for x=2 fail submit 1 cudaErrorIllegalAddress\n%s\n", sticky ? "broken" : "");
        struct worker *w = started();
        for (int x = 1; x <= 3; x++) {
            job = fake_job(x);
            measured(w, &job, &r);
            CHECK_INT(r.status, x == 2 ? STATUS_FAILED : STATUS_OK);
            CHECK_TEXT(reason_of(&r), x == 2 ? "cudaErrorIllegalAddress" : "");
            CHECK_INT(worker_fd(w) == -1, x == 2 && sticky);
        }
        worker_free(w);
        char *trace = fake_traced();
        for (char *p = trace; (p = strstr(p, "open\n")); p++) opened++;
        CHECK_INT(opened, 1 + sticky);
        free(trace);
    }
}

// Points 2 and 3 leave a mark that 3 does not mind: only the first plain point after them gets a process of its own,
// and each is measured once.
static void a_point_that_would_feel_what_is_left_gets_a_fresh_process(void)
{
    int opened = 0, prepared = 0;
    fake_write("name it\nfor x=2 stains\nfor x=3 stains\n");
    struct worker *w = started();
    static const int order[] = {1, 2, 3, 1, 1};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct result r;
        struct job job = fake_job(order[i]);
        measured(w, &job, &r);
        CHECK_INT(r.status, STATUS_OK);
        CHECK_TEXT(r.device, "it");
    }
    worker_free(w);
    char *trace = fake_traced();
    for (char *p = trace; (p = strstr(p, "open\n")); p++) opened++;
    for (char *p = trace; (p = strstr(p, "prepare\n")); p++) prepared++;
    CHECK_INT(opened, 2);
    CHECK_INT(prepared, 5);
    free(trace);
}

static void a_fresh_process_that_does_not_open_costs_the_row(void)
{
    struct result r;
    struct job stains = fake_job(2), plain;
    fake_write("for x=2 stains\n");
    struct worker *w = started();
    measured(w, &stains, &r);
    CHECK_INT(r.status, STATUS_OK);
    fake_write("fail open 1 no driver\n");
    plain = fake_job(1);
    measured(w, &plain, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK(strstr(reason_of(&r), "no driver") != NULL);
    worker_free(w);
}

static void device_that_does_not_open_says_why(void)
{
    struct diags d = {0};
    char spec[80];
    fake_write("fail open 1 no driver\n");
    snprintf(spec, sizeof spec, "script:%s", fake_path);
    struct worker *w = worker_new(spec);
    CHECK(!worker_start(w, &d));
    CHECK_TEXT(diags_first(&d), "no driver");
    CHECK_INT(diags_exit_status(&d), 3);
    diags_clear(&d);
    fake_write("print open 1 last words\ncrash open 1\n");
    int kept = dup(2), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 2);
    CHECK(!worker_start(w, &d));
    dup2(kept, 2);
    close(kept);
    close(nothing);
    char want[200];
    snprintf(want, sizeof want,
        "device `%s` cannot be opened: the worker died of SIGSEGV (a segmentation fault): last words", spec);
    CHECK_TEXT(diags_first(&d), want);
    diags_clear(&d);
    worker_free(w);
}

static void device_may_not_change_under_a_run(void)
{
    struct diags d = {0};
    struct result r;
    struct job job = fake_job(1);
    fake_write("identity one\nbroken\nfail submit 1 no\n");
    struct worker *w = started();
    measured(w, &job, &r);
    fake_write("identity two\n");
    CHECK(!worker_start(w, &d));
    CHECK(strstr(diags_first(&d), "was one and is now two") != NULL);
    diags_clear(&d);
    worker_free(w);
}

// The worker's process: our only child.
static int worker_pid(void)
{
    int pid = 0;
    FILE *f = fopen("/proc/thread-self/children", "r");
    CHECK(f && fscanf(f, "%d", &pid) == 1 && pid > 1);
    if (f) fclose(f);
    return pid > 1 ? pid : 1 << 30; // which no process is
}

// `timeout` counts the time in which the worker could run: neither while it is stopped nor while we are.
static void stopped_time_does_not_count(void)
{
    struct result r;
    struct diags d = {0};
    siginfo_t seen;
    fake_write("hang wait 1\n");
    struct worker *w = started();
    struct job job = fake_job(1);
    job.settings[SETTING_TIMEOUT] = value_real(1.5);
    CHECK(worker_give(w, &job, &d));
    sleep(2); // nobody looked for longer than the timeout, as after SIGSTOP
    CHECK(!worker_collect(w, &r));
    const int pid = worker_pid();
    kill(pid, SIGSTOP);
    CHECK(waitid(P_PID, (id_t)pid, &seen, WSTOPPED | WNOWAIT) == 0);
    CHECK(!worker_collect(w, &r));
    const double left = worker_time_left(w);
    CHECK(left > 0 && left < 1);
    for (int i = 0; i < 5; i++) {
        usleep(20000);
        CHECK(!worker_collect(w, &r));
        CHECK(worker_time_left(w) >= left && worker_time_left(w) <= left);
    }
    kill(pid, SIGCONT);
    while (!worker_collect(w, &r)) poll(&(struct pollfd){.fd = worker_fd(w), .events = POLLIN}, 1, 50);
    CHECK_INT(r.status, STATUS_TIMEOUT);
    worker_free(w);
    diags_clear(&d);
}

// Killed from outside while idle: nothing is lost. While it measures: a failed row.
static void killed_worker_is_replaced(void)
{
    struct result r;
    struct diags d = {0};
    struct job job = fake_job(1);
    fake_write("for x=2 hang wait 1\n");
    struct worker *w = started();
    measured(w, &job, &r);
    kill(worker_pid(), SIGKILL);
    struct pollfd fd = {.fd = worker_fd(w), .events = POLLIN};
    CHECK(poll(&fd, 1, 5000) == 1);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
    diags_clear(&d);
}

// A worker has no business with the signals and files of the run.
static void worker_ignores_the_terminal_and_keeps_no_files(void)
{
    struct result r;
    struct job job = fake_job(1);
    int pipe_ends[2];
    char byte;
    fake_write("time 40\n");
    CHECK(pipe(pipe_ends) == 0); // without close-on-exec
    struct worker *w = started();
    close(pipe_ends[1]);
    CHECK(read(pipe_ends[0], &byte, 1) == 0); // end of file: the worker does not hold the other end
    close(pipe_ends[0]);
    kill(-worker_pid(), SIGINT); // a group of its own
    kill(worker_pid(), SIGTERM);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); // no child is left
}

// Jobs to compile ahead, more bytes than a socket takes, do not hold up the run nor disturb the job that hangs.
static void ahead_never_blocks(void)
{
    struct result r;
    fake_write("for x=2 hang wait 1\n");
    struct worker *w = started();
    struct job job = fake_job(2);
    char *source = malloc(1 << 20);
    memset(source, ' ', (1 << 20) - 1);
    source[(1 << 20) - 1] = '\0';
    job.settings[SETTING_TIMEOUT] = value_real(0.3);
    struct diags d = {0};
    CHECK(worker_give(w, &job, &d));
    job.source = source;
    for (int i = 0; i < 20; i++) worker_ahead(w, &job);
    while (!worker_collect(w, &r)) poll(&(struct pollfd){.fd = worker_fd(w), .events = POLLIN}, 1, 50);
    CHECK_INT(r.status, STATUS_TIMEOUT);
    job = fake_job(1);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
    free(source);
    diags_clear(&d);
}

// What came while something was sent is not seen by poll(2) any more: there is no time left to wait for it.
static void nobody_waits_for_a_result_that_was_read(void)
{
    struct result r;
    struct diags d = {0};
    fake_write("time 40\n");
    struct worker *w = started();
    struct job job = fake_job(1);
    CHECK(worker_give(w, &job, &d));
    CHECK(worker_time_left(w) > 0);
    int frames = 0; // its samples come before the result, perhaps apart from it
    do {
        CHECK(poll(&(struct pollfd){.fd = worker_fd(w), .events = POLLIN}, 1, 10000) == 1);
        worker_ahead(w, &job);
        CHECK(worker_time_left(w) <= 0);
    } while (!worker_collect(w, &r) && ++frames < 8);
    CHECK_INT(r.status, STATUS_OK);
    worker_free(w);
    diags_clear(&d);
}

static void busy_worker_takes_no_second_job(void)
{
    struct diags d = {0};
    fake_write("hang wait 1\n");
    struct worker *w = started();
    struct job job = fake_job(1);
    CHECK(worker_give(w, &job, &d));
    CHECK(!worker_give(w, &job, &d));
    CHECK_TEXT(diags_first(&d), "the worker has a job already");
    diags_clear(&d);
    worker_free(w); // kills it at once: the test would take its five seconds else
}

// Nor does the time in which it waits for a processor: nine others want the same one.
static void waiting_for_a_processor_does_not_count(void)
{
    enum { OTHERS = 5 };
    struct result r;
    cpu_set_t all, one;
    pid_t others[OTHERS];
    size_t first = 0;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    for (int i = 0; i < OTHERS; i++)
        if ((others[i] = fork()) == 0)
            for (;;) {}
    fake_write("works wait 1 0.15\n");
    struct worker *w = started();
    struct job job = fake_job(1);
    job.settings[SETTING_TIMEOUT] = value_real(0.6);
    measured(w, &job, &r);
    CHECK_INT(r.status, STATUS_OK);
    for (int i = 0; i < OTHERS; i++) kill(others[i], SIGKILL), waitpid(others[i], NULL, 0);
    sched_setaffinity(0, sizeof all, &all);
    worker_free(w);
}

int main(void)
{
    fake_begin();
    results_come_back();
    crash_is_one_failed_row_with_the_last_words();
    exit_names_its_status();
    hang_is_a_timeout_and_the_next_point_is_well();
    sticky_error_begins_a_fresh_process();
    a_point_that_would_feel_what_is_left_gets_a_fresh_process();
    a_fresh_process_that_does_not_open_costs_the_row();
    device_that_does_not_open_says_why();
    device_may_not_change_under_a_run();
    killed_worker_is_replaced();
    stopped_time_does_not_count();
    waiting_for_a_processor_does_not_count();
    worker_ignores_the_terminal_and_keeps_no_files();
    ahead_never_blocks();
    nobody_waits_for_a_result_that_was_read();
    busy_worker_takes_no_second_job();
    fake_end();
    return test_end();
}
