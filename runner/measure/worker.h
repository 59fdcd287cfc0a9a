// A process that owns one device. A kernel that faults or hangs takes the worker down, not the run: worker_collect says
// so in the result, and the next worker_start starts a new process. The parent never touches a device, so it can always
// fork.
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

#include "measure/measure.h"

struct worker;
struct worker *worker_new(const char *device_spec); // starts nothing yet
void worker_free(struct worker *);                  // ends the process; when it is idle, it closes its device first
void worker_leave(struct worker *); // gets no job any more: its device closes, and worker_free waits less

// Starts the process if none runs, waits until the device is open; identity is kept for worker_identity.
bool worker_start(struct worker *, struct diags *);
bool worker_begin(struct worker *, struct diags *); // only starts the process: its device opens while others do
// Of one that was begun: 1, its device is open; 0, not yet; -1, it does not open, and diags say why. Waits for nothing.
int worker_opened(struct worker *, struct diags *);
const struct device_identity *worker_identity(const struct worker *);
// Gives it a job and returns at once. `ahead` jobs (may be none) are compiled into the cache meanwhile.
bool worker_give(struct worker *, const struct job *, struct diags *);
void worker_ahead(struct worker *, const struct job *);
size_t worker_started(const struct worker *); // how many processes it has had
// For poll(2): can be read when there is a result or the process died. -1: not running.
int worker_fd(const struct worker *);
// Seconds until the current job has used up its `timeout`, 0 where its result was read already; call worker_collect
// then too.
double worker_time_left(const struct worker *);
// What each launch of the last result's sequence counted, until the next job is given: EACH_LAUNCH_COLUMNS doubles a
// launch, NAN for what was not; empty where nothing was.
const struct str *worker_launches(const struct worker *);
// The samples that the last result rests on, and the others (measure/taken.h); empty where there were none.
const struct str *worker_samples(const struct worker *);
// True when the job is done, one way or another: a result, a dead worker (failed, with the signal or the last words),
// or one past its timeout (killed). False: not yet.
bool worker_collect(struct worker *, struct result *);

// worker_child.c: the worker's own process; only worker.c starts it. Never returns. `link` is the socket to the parent,
// `err` what stdout and stderr become; every other descriptor is closed. `doing` is where it says what it does
// (base/doing.h).
_Noreturn void worker_child(const char *spec, int link, int err, char *doing, pid_t parent);
