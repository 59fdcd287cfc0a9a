// Runs an experiment through the engine on fake devices, with an observer that keeps what it is told. For tests of
// run/.
// SPDX-License-Identifier: MIT
#pragma once
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "store/runfile.h"
#include "store/table.h"
#include "run/run.h"
#include "unit/test.h"

static char folder[] = "/tmp/gpuexp-run-XXXXXX", report[64];
static struct str notes, claims;
static size_t points, started_todo, started_kept;
static struct run_summary last;
static size_t visits;
static int stop_at, stop_signal, visit_stop_at; // a signal to ourselves when that point, or that visit, is done

static void note(void *context, const char *line) { (void)context, str_addf(&notes, "%s\n", line); }
static void started(void *context, const struct run_start *s)
{
    (void)context, started_todo = s->todo, started_kept = s->kept;
}
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

static void visit(void *context, size_t sampled, size_t contexts, double left_s)
{
    (void)context;
    CHECK(sampled < contexts && left_s >= 0);
    if ((int)++visits == visit_stop_at) raise(stop_signal), visit_stop_at = 0;
}

static const struct run_observer watch = {
    .visit = visit, .note = note, .started = started, .point = point, .claim = claim, .finished = finished};

static const struct run_observer *observer = &watch;

static inline void start(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    CHECK(system(command) == 0);
    stop_at = 0;
}

static inline const char *device(const char *name, const char *statements)
{
    static char specs[4][96];
    static int next;
    struct diags d = {0};
    char path[80], *spec = specs[next++ % 4];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK(file_write(path, statements, strlen(statements), &d));
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
    points = started_todo = started_kept = visits = 0;
    str_clear(&notes);
    str_clear(&claims);
    o.report = report;
    o.devices = devices;
    if (experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, d) && (plan = plan_new(e.items[0], box, d)))
        status = run_experiment(plan, &o, observer, d);
    if (plan) plan_free(plan);
    experiments_free(&e);
    sandbox_free(box);
    return status;
}

static inline int run_well(const char *text, const char *const *devices, struct run_options o)
{
    struct diags d = {0};
    int status = run(text, devices, o, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    return status;
}

static inline const char *cell(struct table *t, size_t row, const char *column)
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
                            "derive: {double: 2 * time_us, none: gbps / peak_gbps, bad: n()}\n";

static inline bool begin_tests(void)
{
    if (!mkdtemp(folder)) return false;
    snprintf(report, sizeof report, "%s/e.csv", folder);
    return true;
}

static inline int end_tests(void)
{
    start();
    rmdir(folder);
    str_release(&notes);
    str_release(&claims);
    return test_end();
}
