// The engine: one experiment's plan, point by point, over one or more workers, into its report. It prints
// nothing: an observer shows progress. A function in the options says how long the process may still run.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/statuses.h"
#include "plan/plan.h"

struct run_options {
    const char *report;     // -o; NULL: reports/<name>.csv, reports/<name>.<i>-of-<n>.csv for a shard
    unsigned shard, shards; // 1-based; shards 0 or 1: all points
    // Which of the plan's points are measured; NULL: all of them.
    bool (*wants)(void *context, const struct plan *, size_t point);
    void *wants_context;
    uint64_t seed; // of the order
    unsigned
        rounds; // kernels are held against the first: how often each point is visited in a context; 0: they are not
    bool fresh;
    double worth_s; // another of several GPUs is opened once a plan is to take so long; 0: all are at the start
    const char *const
        *devices; // NULL-terminated; one worker for each, instead of the plan's devices. NULL: as the plan says
    const struct override *overrides; // for the run file: how the plan was changed on the command line
    size_t override_count;
    const char *command; // the command line as typed, for the run file; may be NULL
    const char *job;     // where it runs, for the run file: "slurm 123_4, restart 1, node n1, gpus 0"; may be NULL
    bool one_model;      // all shards are to be measured on one model of device (run/setup.c)
    double lock_wait_s;  // how long to wait for another writer of the report to end
    // Seconds that this process may still run, or INFINITY: a point that would not fit is not begun. NULL: no limit.
    double (*time_left)(void *context);
    void *time_context;
};

struct run_start {
    const char *experiment, *question, *report, *devices; // devices: "NVIDIA H200", "4 x NVIDIA H200"
    size_t points, kept, todo;                            // of this shard: all, found in the report, left to measure
    unsigned shard, shards;
    size_t workers;
};

struct run_point {
    size_t point;             // 1-based number in the plan
    size_t done, todo;        // of this run, with this one
    const char *const *names; // the file's own values: name_count of each
    const struct value *values;
    size_t name_count;
    const struct result *result;
    double left_s; // until the last point is done; NAN: not known yet
    // What each visit gave, and in which of the device's contexts; none where it was measured at once.
    const struct portion *parts;
    const unsigned *in_context;
    size_t part_count;
};

enum run_end {
    RUN_COMPLETE,
    RUN_STOPPED,     // a signal
    RUN_OUT_OF_TIME, // the next point would not have fitted into time_left, or SIGUSR1
    RUN_ABORTED      // system failure, or the second Ctrl-C
};

struct run_summary {
    enum run_end end;
    size_t points, kept, measured, left;
    size_t status[STATUS_COUNT]; // of the plan's rows that are there, also of earlier runs, by enum status
    // Expectations; those that do not hold were told by `claim`.
    size_t holding, broken, unchecked;
    const char *script_failed; // why its columns, points or last words are missing; NULL: they are there
    char *const *claims;       // what came of each, NULL-terminated; NULL: they were not looked at
    const char *const *said;   // the script's lines, NULL-terminated; NULL: none
    size_t workers;            // whose devices were opened
    size_t processes;          // of these workers, with those that were started anew
    double seconds, busy;      // of this run; the devices' share of it, 0 to 1 (NAN: nothing ran)
    bool waited;               // it only waited for another writer of the report
    const char *nothing;       // every point was skipped: why the first was; NULL: not so
    const char *report;
    int exit_status; // see runner/DESIGN.md
};

// Every member may be NULL.
struct run_observer {
    void *context;
    const struct run_observer *next;               // who watches too
    void (*note)(void *context, const char *line); // something to know: no GPU found, a lock taken over
    void (*started)(void *context, const struct run_start *);
    void (*begun)(void *context, const struct run_point *); // a worker has it: only what it is, no result yet
    void (*point)(void *context, const struct run_point *); // its row is on the disk
    // A point was sampled in one context more, and has others before it.
    void (*visit)(void *context, size_t sampled, size_t contexts, double left_s);
    void (*tick)(void *context); // a few times a second while points are measured
    // An expectation that did not hold for some rows, or (`broken` false) was not checked: its place in the file, and a
    // sentence that says which, at which points, why, and what would check it.
    void (*claim)(void *context, bool broken, struct where at, const char *line);
    void (*line)(void *context, const char *line); // of a script's summary
    void (*finished)(void *context, const struct run_summary *);
};

// Tells all of them: RUN_TELL(observer, note, each->context, line).
#define RUN_TELL(observer, member, ...) \
    for (const struct run_observer *each = (observer); each; each = each->next) \
        if (each->member) each->member(__VA_ARGS__)

// Returns the exit status: 0, 1 (a point failed, was wrong, or an expectation broke), 2 or 3 (as diags say), 75.
// SIGINT, SIGTERM, SIGUSR1 and SIGHUP finish the current points and stop; a second SIGINT ends at once.
int run_experiment(struct plan *, const struct run_options *, const struct run_observer *, struct diags *);

// The report that run_experiment would write; for the caller to free.
char *run_report_path(const struct experiment *, const struct run_options *);

// events.c: `gpuexp FILE --format jsonl`: what happens in a run, an object a line, for who builds on top. A line is
// written when what it tells is so: a row's when the row is on the disk. `plan`: the one that is run when they happen.
struct run_observer events_observer(const struct plan **plan);
extern const char *const run_ends[]; // by enum run_end: "complete", "stopped", ...
