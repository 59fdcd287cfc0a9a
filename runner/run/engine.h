// The state of one run, shared by the files of this folder only.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/clock.h"
#include "plan/job.h"
#include "run/claims.h"
#include "run/lanes.h"
#include "run/record.h"
#include "run/run_script.h"
#include "run/shape.h"
#include "store/kept.h"
#include "store/parts.h"

struct written { // a point whose row is in the file, and nobody was told yet: it is not synced
    struct task *task;
    struct result result;
};

struct engine {
    struct plan *plan;
    const struct run_options *options;
    const struct run_observer *observer; // never NULL
    struct diags *diags;
    struct sandbox *sandbox;
    struct report_head head;
    struct arena *arena; // the head's lists
    struct shape shape;
    struct derive *derive;
    struct run_script scripted;
    struct lanes lanes;
    struct report *report;
    struct runfile runfile;
    struct todo todo;
    char *path, *version, *compiler; // version: gpuexp's and the compiler's, for keys
    struct kept launches, samples;   // beside the report, as are the parts
    struct parts *parts;
    struct written *written;
    size_t written_count, written_room;
    size_t points, todo_count, done, told, ahead, visits;
    size_t contexts;                                            // visits of each point, on the device that has most
    double begun, first, busy, longest, counting, beat, synced; // first: visit that ended; counting: the longest
    enum run_end end;
    bool waited;
};

// The key of a point on a lane's device. `job` NULL: it could not be made; its values stand for it.
void engine_key(const struct engine *, const struct lane *, const struct job *, const struct value *values,
    char key[17]);
const char *engine_device(const struct engine *, const struct value *values); // the device that a point asks for
void engine_say(struct engine *,
    struct diags *warnings); // warnings become notes of the observer, errors go to diags; then it clears them

void engine_add_point(struct engine *,
    size_t point); // a point that was added to the plan: measured unless it has a row
bool engine_open(struct engine *);
void engine_close(struct engine *);

// run.c: several GPUs share a run, and the others take part later.
//
// Whether what is left will take so long, by the clock that is given: by the mean of what was measured so far.
bool run_worth(const struct engine *, double now);
