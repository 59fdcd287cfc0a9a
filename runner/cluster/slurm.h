// What a run should know when it is inside a SLURM job: its shard, its GPU, how long it may still run, and how to be
// started again. Everything comes from SLURM's variables and its own commands; outside a job all of it is absent.
// SPDX-License-Identifier: MIT
#ifndef CLUSTER_SLURM_H
#define CLUSTER_SLURM_H
#include "base/diag.h"
#include "run/run.h"

struct slurm_job {
    char id[64];            // as squeue and scontrol take it: "123", "123_4"
    unsigned shard, shards; // of an array, of the tasks of an srun, or of both; shards 0: neither
    unsigned restarts;
    int gpu;                    // which of the visible GPUs is this task's; -1: whichever (one, or none, is visible)
    const char *const *devices; // the same as run_options takes it; NULL: as the plan says
    char words[256];            // for the run file and the first line: "slurm 123_4, restart 1, node n1, gpus 0"
    // What slurm_time_left keeps: when the job ends and when that was asked, by the monotonic clock.
    double end, asked;
    bool limit_reached; // SLURM is ending the job for its time limit
    char device[32];
    const char *device_list[2];
};

// False: not inside a job, or (diags) in one whose array has holes, so that its tasks do not say which shards they are.
// `variable` is getenv, or a test's own.
bool slurm_job_read(struct slurm_job *, const char *(*variable)(const char *name), struct diags *);
// Seconds until the job's time limit, INFINITY without one. Asks squeue, not more often than needed: limits can be
// moved.
double slurm_time_left(void *job);
bool slurm_parse_time(const char *text, double *seconds); // "1-02:03:04", "03:04", "UNLIMITED"
// Whether a run that ended early should be started again: it ran out of time, or was terminated by the job's time
// limit. Not after scancel or Ctrl-C; nor where it measured nothing, because then it never would. `why` gets a sentence
// either way ("" when the run is over).
bool slurm_should_requeue(struct slurm_job *, const struct run_summary *, char why[256]);
bool slurm_requeue(const struct slurm_job *, struct diags *);
#endif
