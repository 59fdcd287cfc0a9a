// run/: the whole engine over scripted devices: what is measured, kept, given to which worker, claimed, and how it ends.
// SPDX-License-Identifier: MIT
#include "run/run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "report/runfile.h"
#include "report/table.h"
#include "run/status.h"
#include "run/todo.h"
#include "unit/test.h"

static char folder[] = "/tmp/gpuexp-run-XXXXXX", report[64];
static struct str notes, claims;
static size_t points, started_todo, started_kept;
static struct run_summary last;
static int stop_at, stop_signal; // a signal to ourselves when that point is done

static void note(void *context, const char *line) { (void)context, str_addf(&notes, "%s\n", line); }
static void started(void *context, const struct run_start *s) { (void)context, started_todo = s->todo, started_kept = s->kept; }
static void finished(void *context, const struct run_summary *s) { (void)context, last = *s; }

static void claim(void *context, bool broken, struct where at, const char *line)
{
    (void)context;
    str_addf(&claims, "%s %d: %s\n", broken ? "broken" : "unchecked", at.line, line);
}

static void point(void *context, const struct run_point *p)
{
    (void)context;
    points++;
    CHECK_INT(p->done, points);
    if ((int)points == stop_at) raise(stop_signal);
}

static const struct run_observer watch = {.note = note, .started = started, .point = point, .claim = claim, .finished = finished};

static void start(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    CHECK(system(command) == 0);
    stop_at = 0;
}

static const char *device(const char *name, const char *script)
{
    static char specs[4][96];
    static int next;
    struct diags d = {0};
    char path[80], *spec = specs[next++ % 4];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK(file_write(path, script, strlen(script), &d));
    snprintf(spec, 96, "script:%s", path);
    return spec;
}

// Runs the experiment `text` on the devices; the exit status.
static int run(const char *text, const char *const *devices, struct run_options o, struct diags *d)
{
    struct experiments e = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct plan *plan = NULL;
    int status = -1;
    points = started_todo = started_kept = 0;
    str_clear(&notes);
    str_clear(&claims);
    o.report = report;
    o.devices = devices;
    if (experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, d) && (plan = plan_new(e.items[0], box, d)))
        status = run_experiment(plan, &o, &watch, d);
    if (plan) plan_free(plan);
    experiments_free(&e);
    sandbox_free(box);
    return status;
}

static int run_well(const char *text, const char *const *devices, struct run_options o)
{
    struct diags d = {0};
    int status = run(text, devices, o, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    return status;
}

static const char *cell(struct table *t, size_t row, const char *column)
{
    struct diags d = {0};
    const struct cells *c = table_row(t, row, &d);
    int i = table_column(t, column);
    CHECK(c != NULL && i >= 0);
    return c && i >= 0 ? cells_text(c, (size_t)i) : "";
}

static const char eight[] = "experiment: e\nkernel: vecadd\nwith: {block: 64}\n"
                            "sweep: {n: [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]}\n"
                            "measure: {max_samples: 20}\n"
                            "derive: {double: 2 * time_us, none: gbps / peak_gbps, bad: n.x}\n";

static void every_point_has_a_row_in_plan_order(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name Scripted\ntime 10\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 3}), 0);
    CHECK_INT(points, 8);
    CHECK_INT(last.end, RUN_COMPLETE);
    CHECK_INT(last.status[STATUS_OK], 8);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        CHECK_TEXT(cell(&t, i, "point"), number);
        snprintf(number, sizeof number, "%zu", 1000 * (i + 1));
        CHECK_TEXT(cell(&t, i, "n"), number);
        CHECK_TEXT(cell(&t, i, "device"), "Scripted");
        CHECK_TEXT(cell(&t, i, "double"), "20");
        CHECK_TEXT(cell(&t, i, "none"), ""); // the peak is not known: nothing said
        CHECK_TEXT(cell(&t, i, "bad"), "");
    }
    table_close(&t);
    CHECK(strstr(notes.text, "e.yaml:6: ") != NULL && strstr(strstr(notes.text, "e.yaml:6: ") + 1, "e.yaml:6: ") == NULL); // once
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 4}), 0); // again: nothing to do, whatever the order
    CHECK_INT(points, 0);
    CHECK_INT(started_kept, 8);
    char *facts = runfile_read(report);
    CHECK_INT(runfile_runs(facts), 2);
    CHECK(strstr(facts, "  experiment: e\n") == NULL); // e.yaml is not on disk
    free(facts);
}

static void a_signal_finishes_the_row_at_hand(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (int i = 0; i < 4; i++) {
        start();
        const char *devices[] = {device("a", "time 10\n"), NULL};
        stop_at = 3, stop_signal = signals[i];
        CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
        CHECK_INT(points, 3);
        CHECK_INT(last.left, 5);
        CHECK_INT(last.end, signals[i] == SIGUSR1 ? RUN_OUT_OF_TIME : RUN_STOPPED);
        stop_at = 0;
        CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
        CHECK_INT(points, 5);
        CHECK_INT(started_kept, 3);
        CHECK_INT(last.status[STATUS_OK], 8);
    }
}

// Killed in the middle, over and over: in the end every point has exactly one row.
static void kill_9_and_resume_lose_nothing(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "time 1000\n"), NULL};
    int rounds = 0, status = -1;
    for (; rounds < 100; rounds++) {
        pid_t child = fork();
        if (child == 0) _exit(run(eight, devices, (struct run_options){.lock_wait_s = 5}, &d));
        usleep(3000 + 2000 * (useconds_t)rounds);
        if (rounds < 12) kill(child, SIGKILL);
        waitpid(child, &status, 0);
        if (WIFEXITED(status)) break;
    }
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK(rounds > 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++) CHECK_INT(atoi(cell(&t, i, "point")), i + 1);
    table_close(&t);
    CHECK_INT(d.count, 0);
}

static void a_fault_costs_one_row_and_is_tried_again(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "time 10\nfor n=3000 crash begin 1\nfor n=4000 fail prepare 1 no luck\nfor n=5000 wrong 3 7 100\n"
                                         "for n=6000 skip cannot do that\nfor n=7000 crash submit 1\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1);
    CHECK_INT(points, 8);
    CHECK_INT(last.status[STATUS_OK], 3);
    CHECK_INT(last.status[STATUS_FAILED], 3);
    CHECK_INT(last.status[STATUS_WRONG], 1);
    CHECK_INT(last.status[STATUS_SKIPPED], 1);
    CHECK(table_open(&t, report, &d));
    CHECK_TEXT(cell(&t, 3, "reason"), "no luck");
    CHECK_TEXT(cell(&t, 2, "status"), "failed");
    table_close(&t);
    device("a", "time 10\n");
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1); // the wrong one stays wrong
    CHECK_INT(points, 3);                                            // only what failed
    CHECK_INT(last.status[STATUS_FAILED], 0);
    CHECK_INT(last.status[STATUS_OK], 6);
    device("a", "time 10\n");
    CHECK_INT(run_well(eight, devices, (struct run_options){.fresh = true}), 0);
    CHECK_INT(points, 8);
}

static void what_was_measured_with_something_else_is_not_mixed(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name A\nidentity driver 1\ntime 10\n"), NULL};
    stop_at = 2, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    stop_at = 0;
    device("a", "name A\nidentity driver 2\ntime 10\n");
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 2);
    CHECK(strstr(diags_first(&d), "another device_identity: `driver 1") != NULL);
    diags_clear(&d);
    device("a", "name B\nidentity driver 1\ntime 10\n");
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 2);
    CHECK_TEXT(diags_first(&d), "was measured on A, not on B");
    diags_clear(&d);
    const char *none[] = {"script:/nowhere", NULL};
    CHECK_INT(run(eight, none, (struct run_options){0}, &d) == 3 || diags_exit_status(&d) == 2, 1);
    diags_clear(&d);
}

static void claims_name_what_broke_and_what_was_not_checked(void)
{
    static const char text[] = "experiment: e\nkernel: vecadd\nsweep: {n: [1000, 2000, 3000]}\nexpect:\n"
                               "  - {when: n > 1000, that: time_us < 15}\n  - {that: time_us > 1}\n  - {that: ld_sectors == 4}\n"
                               "  - {when: n == 7, that: time_us > 1}\n";
    start();
    const char *devices[] = {device("a", "time 10\nfor n=3000 time 20\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){0}), 1);
    CHECK_INT(last.broken, 1);
    CHECK_INT(last.unchecked, 2);
    CHECK_TEXT(claims.text, "broken 5: expected `time_us < 15` when `n > 1000`; does not hold at point 3 (n 3000), where time_us is 20.000\n"
                            "unchecked 7: `ld_sectors == 4` was not checked at 3 of 3 points: a value it names is empty there\n"
                            "unchecked 8: `time_us > 1` was not checked: no point has `n == 7`\n");
    device("a", "time 10\n");
    CHECK_INT(run_well(text, devices, (struct run_options){.fresh = true}), 0);
    CHECK_INT(last.broken, 0);
}

static double never(void *left) { return *(double *)left; }

static void a_point_that_would_not_fit_is_not_begun(void)
{
    start();
    double left = 3;
    const char *devices[] = {device("a", "time 10\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.time_left = never, .time_context = &left}), 75);
    CHECK_INT(points, 0);
    CHECK_INT(last.end, RUN_OUT_OF_TIME);
    left = 1e9;
    CHECK_INT(run_well(eight, devices, (struct run_options){.time_left = never, .time_context = &left}), 0);
}

static void a_second_run_stops_and_names_the_first(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "time 10\nfor n=1000 hang begin 1\n"), NULL};
    pid_t child = fork();
    if (child == 0) _exit(run(eight, devices, (struct run_options){0}, &d));
    char lock[80], who[32];
    snprintf(lock, sizeof lock, "%s.lock", report);
    for (int i = 0; i < 500 && !file_exists(lock); i++) usleep(10000);
    usleep(300000);
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 3);
    snprintf(who, sizeof who, "process %ld on ", (long)child);
    CHECK(strstr(diags_first(&d), who) != NULL);
    diags_clear(&d);
    FILE *out = tmpfile();
    char line[512] = "";
    CHECK_INT(run_status(report, out, &d), 75);
    rewind(out);
    CHECK(fgets(line, sizeof line, out) && strstr(line, who) != NULL);
    fclose(out);
    kill(child, SIGINT);
    usleep(100000);
    kill(child, SIGINT); // twice: at once, although its point hangs
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 75);
    CHECK(!file_exists(lock));
}

static void several_devices_share_a_plan_and_a_bad_one_holds_nobody(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name GPU\nidentity g\ntime 100\n"), device("b", "name GPU\nidentity g\ntime 100\n"),
                             device("c", "name GPU\nidentity g\ntime 100\n"), NULL};
    size_t by[3] = {0};
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++)
        for (int j = 0; j < 3; j++) {
            char name[128];
            snprintf(name, sizeof name, "GPU (%s)", devices[j]);
            by[j] += strcmp(cell(&t, i, "device"), name) == 0;
        }
    CHECK(by[0] && by[1] && by[2] && by[0] + by[1] + by[2] == 8);
    table_close(&t);
    start(); // one dies and cannot be opened again: the point it had is measured by another
    devices[0] = device("a", "name GPU\nidentity g\ntime 100\n");
    devices[1] = device("b", "name GPU\nidentity g\ntime 100\nexit begin 1 9\n");
    devices[2] = NULL;
    char gone[80];
    snprintf(gone, sizeof gone, "%s/b", folder);
    stop_at = 0;
    pid_t remover = fork();
    if (remover == 0) {
        for (int i = 0; i < 200; i++) {
            char lock[80];
            snprintf(lock, sizeof lock, "%s/e.run.yaml", folder);
            if (file_exists(lock)) break;
            usleep(1000);
        }
        unlink(gone);
        _exit(0);
    }
    int status = run_well(eight, devices, (struct run_options){0});
    waitpid(remover, NULL, 0);
    CHECK(status == 0 || status == 1); // it may die once before its file is gone
    CHECK_INT(last.points, 8);
    CHECK_INT(last.left, 0);
}

static void points_that_are_compared_stay_on_one_device_and_in_one_shard(void)
{
    static const char text[] = "experiment: e\nkernel: vecadd\nkeep_together: [block]\n"
                               "sweep: {n: [1000, 2000, 3000, 4000, 5000], block: [32, 64, 128]}\nmeasure: {max_samples: 20}\n";
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name GPU\nidentity g\ntime 100\n"), device("b", "name GPU\nidentity g\ntime 100\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){.seed = 5}), 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 15);
    size_t changes = 0;
    for (size_t i = 0; i < t.count; i += 3) {
        char first[96];
        snprintf(first, sizeof first, "%s", cell(&t, i, "device"));
        CHECK_TEXT(cell(&t, i + 1, "device"), first);
        CHECK_TEXT(cell(&t, i + 2, "device"), first);
        changes += i && strcmp(cell(&t, i - 1, "device"), first) != 0;
    }
    CHECK(changes > 0); // both worked
    table_close(&t);

    struct experiments e = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    CHECK(experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, &d));
    struct plan *plan = plan_new(e.items[0], box, &d);
    int seen[15] = {0}, shard_of[5] = {0};
    for (unsigned shard = 1; shard <= 2; shard++) {
        struct todo todo;
        todo_init(&todo, plan, 5, shard, 2);
        for (size_t i = 0; i < todo.count; i++) {
            seen[todo.points[i]]++;
            if (!shard_of[todo.points[i] / 3]) shard_of[todo.points[i] / 3] = (int)shard;
            CHECK_INT(shard_of[todo.points[i] / 3], shard);
        }
        todo_release(&todo);
    }
    for (int i = 0; i < 15; i++) CHECK_INT(seen[i], 1);
    plan_free(plan);
    experiments_free(&e);
    sandbox_free(box);
}

static void a_device_that_cannot_open_is_the_systems_failure(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "fail open 1 no such luck\n"), NULL};
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 3);
    CHECK(strstr(diags_first(&d), "no such luck") != NULL);
    diags_clear(&d);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(report, sizeof report, "%s/e.csv", folder);
    every_point_has_a_row_in_plan_order();
    a_signal_finishes_the_row_at_hand();
    kill_9_and_resume_lose_nothing();
    a_fault_costs_one_row_and_is_tried_again();
    what_was_measured_with_something_else_is_not_mixed();
    claims_name_what_broke_and_what_was_not_checked();
    a_point_that_would_not_fit_is_not_begun();
    a_second_run_stops_and_names_the_first();
    several_devices_share_a_plan_and_a_bad_one_holds_nobody();
    points_that_are_compared_stay_on_one_device_and_in_one_shard();
    a_device_that_cannot_open_is_the_systems_failure();
    start();
    rmdir(folder);
    str_release(&notes);
    str_release(&claims);
    return test_end();
}
