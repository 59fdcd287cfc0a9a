// run/: points sampled in several contexts, the outer loop of a run: their order, and what a kill, a signal or a fault
// between contexts costs.
// SPDX-License-Identifier: MIT
#include "unit/run_here.h"

#include "base/beside.h"
#include "store/report.h"

static const char draws[] = "name Fake\ntime 10\nnoise 0.001\ndraws 0.1\n";

static int calls_of(const char *trace, const char *call, const char *never);

static char *parts_text(void)
{
    struct diags d = {0};
    char *path = beside_path(report, BESIDE_PARTS),
         *text = file_exists(path) ? file_read(path, 1 << 20, NULL, &d) : NULL;
    free(path);
    return text;
}

// Contexts are the outer loop: every point in one, then every point in the next; the one that leaves marks comes last.
static void points_are_sampled_in_every_context(void)
{
    static const char text[] =
        "experiment: e\nkernel: vecadd\nwith: {block: 64}\nsweep: {n: [1000, 2000], streams: [1, 2]}\n"
        "measure: {contexts: 3, max_samples: 60}\n";
    struct table t;
    struct diags d = {0};
    char trace[80], statements[300];
    start();
    snprintf(trace, sizeof trace, "%s/trace", folder);
    snprintf(statements, sizeof statements,
        "%sfor streams=1 print prepare 1 one\nfor streams=2 print prepare 1 two\nfor streams=2 stains\n", draws);
    setenv("GPUEXP_FAKE_TRACE", trace, 1);
    const char *devices[] = {device("a", statements), NULL};
    int kept = dup(2), ends[2];
    char said[400] = "";
    CHECK(pipe(ends) == 0);
    dup2(ends[1], 2);
    CHECK_INT(run_well(text, devices, (struct run_options){.seed = 3}), 0);
    dup2(kept, 2);
    close(ends[1]);
    CHECK(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    close(kept);
    CHECK_TEXT(said, "one\none\ntwo\ntwo\none\none\ntwo\ntwo\none\none\ntwo\ntwo\n");
    CHECK_INT(points, 4);
    char *calls = file_read(trace, 1 << 20, NULL, &d);
    size_t opened = 0, prepared = 0;
    for (char *line = strtok(calls, "\n"); line; line = strtok(NULL, "\n")) {
        if (strcmp(line, "open") == 0) opened += prepared % 4 == 0;
        if (strcmp(line, "prepare") == 0) prepared++;
    }
    free(calls);
    unsetenv("GPUEXP_FAKE_TRACE");
    CHECK_INT(prepared, 12);
    CHECK_INT(opened, 3); // a context each
    CHECK(table_open(&t, report, &d));
    for (size_t i = 0; i < 4; i++) {
        CHECK_TEXT(cell(&t, i, "contexts"), "3");
        CHECK(atof(cell(&t, i, "between_pct")) > 0.1 && atof(cell(&t, i, "within_pct")) < 0.1);
        CHECK_TEXT(cell(&t, i, "status"), "imprecise");
        CHECK(strstr(cell(&t, i, "reason"), "3 contexts differ by ") != NULL);
    }
    table_close(&t);
    CHECK(parts_text() == NULL);
}

// A point whose whole is known is in no further context. A look that takes long is in the first, and in those that are
// quicker than all before them.
static void a_point_that_is_known_is_in_no_further_context(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a",
                                 "name Fake\ntime 1500\nnoise 0.004\ndraws 0.2\nchecks 0.06\n"
                                 "for n=2000 draws 40\n"),
        NULL};
    char trace[80];
    snprintf(trace, sizeof trace, "%s/trace", folder);
    setenv("GPUEXP_FAKE_TRACE", trace, 1);
    CHECK_INT(run_well("experiment: e\nkernel: vecadd\nsweep: {n: [1000, 2000]}\n", devices,
                  (struct run_options){.seed = 3}),
        0);
    unsetenv("GPUEXP_FAKE_TRACE");
    CHECK(table_open(&t, report, &d));
    CHECK_TEXT(cell(&t, 0, "contexts"), "5");
    CHECK_TEXT(cell(&t, 0, "status"), "ok");
    CHECK_TEXT(cell(&t, 1, "contexts"), "8");
    const int looks = calls_of(trace, "check", "nothing"); // one of the first point, and few of the second
    CHECK(looks >= 2 && looks <= 4);
    table_close(&t);
}

static void one_context_is_a_quick_look_that_says_so(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", draws), NULL};
    CHECK_INT(run_well("experiment: e\nkernel: vecadd\nmeasure: {contexts: 1, max_samples: 60}\n", devices,
                  (struct run_options){0}),
        0);
    CHECK(table_open(&t, report, &d));
    CHECK_TEXT(cell(&t, 0, "contexts"), "1");
    CHECK_TEXT(cell(&t, 0, "between_pct"), "");
    CHECK_TEXT(cell(&t, 0, "status"), "imprecise");
    CHECK_TEXT(cell(&t, 0, "reason"),
        "a quick look at one context: the interval leaves out what the next one draws anew; samples of 9.87 us are "
        "shorter than 20 us and not batched: the cache is cold");
    table_close(&t);
}

// So many of these calls are in the trace, and none of the kind `never` behind the first of them in its process.
static int calls_of(const char *trace, const char *call, const char *never)
{
    struct diags d = {0};
    int n = 0;
    bool since = false;
    char *text = file_read(trace, 1 << 20, NULL, &d);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strcmp(line, "open") == 0) since = false;
        if (strcmp(line, call) == 0) n++, since = true;
        CHECK(!since || strcmp(line, never) != 0);
    }
    free(text);
    return n;
}

// What makes a GPU ready to count slows short work down: behind the first count of a context nothing is timed there.
// Its times are in a row also where counting ends the worker, and a signal does not keep a timed point from its counts.
static void counts_come_behind_the_times_of_all(void)
{
    static const char *const simulated[] = {"250", "500", "750"},
                             *const more[] = {"", "crash count 1\n", "fail count 1 no such counter\n", ""};
    for (int k = 0; k < 8; k++) {
        struct table t;
        struct diags d = {0};
        char trace[80], text[300], statements[200];
        start();
        snprintf(trace, sizeof trace, "%s/trace", folder);
        setenv("GPUEXP_FAKE_TRACE", trace, 1);
        snprintf(text, sizeof text,
            "experiment: e\nkernel: vecadd\nwith: {counters: hardware}\nsweep: {n: [1000, 2000, 3000]}\n"
            "measure: {contexts: %d, max_samples: 60}\n",
            k < 4 ? 3 : 1);
        snprintf(statements, sizeof statements, "%scount ld_sectors 7\n%s", draws, more[k % 4]);
        const char *devices[] = {device("a", statements), NULL};
        stop_at = k % 4 == 3, stop_signal = SIGINT;
        CHECK_INT(run_well(text, devices, (struct run_options){.seed = 3}), 0);
        CHECK_INT(points, 3);
        unsetenv("GPUEXP_FAKE_TRACE");
        CHECK_INT(calls_of(trace, "count", "begin"), 3);
        CHECK(table_open(&t, report, &d));
        for (size_t i = 0; i < t.count; i++) {
            const int how = k % 4; // 2: the simulator stands in
            CHECK(atof(cell(&t, i, "time_us")) > 1);
            CHECK_TEXT(cell(&t, i, "ld_sectors"), how == 1 ? "" : how == 2 ? simulated[i] : "7");
            if (how == 2) CHECK(strcmp(cell(&t, i, "counts"), "hardware") != 0 && *cell(&t, i, "counts"));
            else CHECK_TEXT(cell(&t, i, "counts"), how == 1 ? "" : "hardware");
            CHECK_TEXT(cell(&t, i, "status"), "imprecise");
            CHECK_INT(strstr(cell(&t, i, "reason"), "not counted: the worker died") != NULL, how == 1);
        }
        table_close(&t);
    }
    stop_at = 0;
}

// Killed between contexts, again and again: no context of a point is sampled twice, and the row is the same.
static void kill_9_between_contexts_loses_nothing(void)
{
    static const char text[] = "experiment: e\nkernel: vecadd\nwith: {block: 64}\nsweep: {n: [1000, 2000, "
                               "3000]}\nmeasure: {contexts: 4, max_samples: 80}\n";
    struct table t;
    struct diags d = {0};
    char trace[80];
    int status = -1, runs = 0;
    start();
    snprintf(trace, sizeof trace, "%s/trace", folder);
    setenv("GPUEXP_FAKE_TRACE", trace, 1);
    // Slow enough for somebody to look before the first run has ended, on a busy machine too.
    const char *devices[] = {device("a", "name Fake\ntime 10\nnoise 0.001\ndraws 0.1\nchecks 0.02\n"), NULL};
    for (; runs < 40; runs++) {
        pid_t child = fork();
        if (child == 0) _exit(run(text, devices, (struct run_options){.lock_wait_s = 5}, &d));
        while (waitpid(child, &status, WNOHANG) == 0) {
            char *parts = parts_text();
            size_t lines = 0;
            for (char *p = parts; p && *p; p++) lines += *p == '\n';
            free(parts);
            if (runs < 5 && lines > (size_t)runs * 2) kill(child, SIGKILL);
            usleep(500);
        }
        if (WIFEXITED(status)) break;
    }
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK(runs > 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 3);
    for (size_t i = 0; i < t.count; i++) CHECK_TEXT(cell(&t, i, "contexts"), "4");
    table_close(&t);
    char *calls = file_read(trace, 1 << 22, NULL, &d);
    size_t finished = 0;
    for (char *p = calls; p && (p = strstr(p, "finish\n")); p++) finished++;
    free(calls);
    unsetenv("GPUEXP_FAKE_TRACE");
    CHECK(finished >= 12 && finished <= 12 + (size_t)runs); // a kill costs the current visit, no more
    CHECK(parts_text() == NULL);
}

static const char four[] = "experiment: e\nkernel: vecadd\nwith: {block: 64}\nsweep: {n: [1000, 2000, 3000, 4000]}\n"
                           "measure: {contexts: 3, max_samples: 20, precision: 5%}\n";

static void a_fault_in_a_later_context_ends_the_point(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {
        device("a", "time 10\ndraws 0.01\nfor n=2000 wrong 1 5 100\nfor n=3000 crash wait 4\n"), NULL};
    CHECK_INT(run_well(four, devices, (struct run_options){0}), 1);
    CHECK_INT(points, 4);
    CHECK_INT(last.status[STATUS_OK], 2);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 4);
    CHECK_TEXT(cell(&t, 1, "status"), "wrong");
    CHECK_TEXT(cell(&t, 1, "contexts"), "");
    CHECK_TEXT(cell(&t, 2, "status"), "failed");
    CHECK_TEXT(cell(&t, 3, "contexts"), "3");
    table_close(&t);
}

// What a row says of rests is of all its contexts, also of those that an earlier run was in.
static void rests_are_told_of_all_contexts(void)
{
    start();
    const char *devices[] = {device("a", "time 50\ndraws 0.01\nthrottle 4 100000\ncools 0.3\n"), NULL};
    visit_stop_at = 5, stop_signal = SIGTERM;
    CHECK_INT(run_well(four, devices, (struct run_options){0}), 75);
    CHECK_INT(run_well(four, devices, (struct run_options){0}), 0);
    struct table t;
    struct diags d = {0};
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 4);
    for (size_t i = 0; i < t.count; i++) {
        CHECK_TEXT(cell(&t, i, "discarded"), "9"); // behind each 0.05, 0.1 and 0.2 s
        CHECK(strstr(cell(&t, i, "reason"), "the GPU rested 1.05 s, for its clock was held down"));
    }
    table_close(&t);
}

// Told to stop between contexts: what was sampled is kept, the same command goes on.
static void a_signal_between_contexts_keeps_the_parts(void)
{
    start();
    const char *devices[] = {device("a", draws), NULL};
    visit_stop_at = 5, stop_signal = SIGTERM;
    CHECK_INT(run_well(four, devices, (struct run_options){0}), 75);
    CHECK_INT(last.end, RUN_STOPPED);
    CHECK_INT(last.left, 4);
    char *parts = parts_text();
    size_t lines = 0;
    for (char *p = parts; p && *p; p++) lines += *p == '\n';
    free(parts);
    CHECK_INT(lines, 1 + 5);
    CHECK_INT(run_well(four, devices, (struct run_options){0}), 0);
    CHECK_INT(visits, 4 * 2 - 5);
    CHECK_INT(last.end, RUN_COMPLETE);
    CHECK(parts_text() == NULL);
    visit_stop_at = 3;
    CHECK_INT(run_well(four, devices, (struct run_options){.fresh = true}), 75);
    CHECK_INT(run_well(four, devices, (struct run_options){.fresh = true}), 0); // afresh is afresh
    CHECK_INT(visits, 4 * 2);
}

int main(void)
{
    if (!begin_tests()) return 1;
    points_are_sampled_in_every_context();
    a_point_that_is_known_is_in_no_further_context();
    one_context_is_a_quick_look_that_says_so();
    counts_come_behind_the_times_of_all();
    kill_9_between_contexts_loses_nothing();
    a_fault_in_a_later_context_ends_the_point();
    rests_are_told_of_all_contexts();
    a_signal_between_contexts_keeps_the_parts();
    return end_tests();
}
