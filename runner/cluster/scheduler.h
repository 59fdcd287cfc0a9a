// The scheduler of a cluster, as one struct. Each scheduler is one file that fills it (slurm.c) and one row of the
// table in scheduler.c; nothing else knows the name of its variables, commands or options. It is asked for two things:
// what a run inside one of its jobs should know (its shard, its GPU, its time left, how to be started again), and how
// to submit one (submit.h).
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"
#include "cluster/submit.h"
#include "device/device.h"
#include "run/run.h"

// command.c: command lines of a cluster's own programs: puts one together, runs it, returns what it printed.
struct command_words {  // a command line that is being put together; its owner frees `items`
    const char **items; // NULL-terminated once something is added
    size_t count, room;
};
void command_add(struct command_words *, const char *word); // the word itself is not copied
bool command_exists(const char *program);                   // on PATH
// `argv` is NULL-terminated, its first word found on PATH. `out` gets its standard output. False: it is not there or
// failed; diags gets its own words.
bool command_output(const char *const *argv, struct str *out, struct diags *);

// The job that this process runs in. `read` of its scheduler fills in what is marked so; the rest follows from that.
struct cluster_job {
    const struct scheduler *scheduler;
    char id[64];            // by the scheduler, as its own commands take it: "123", "123_4"
    const char *node;       // by the scheduler; NULL: not known
    unsigned restarts;      // by the scheduler
    unsigned shard, shards; // by the scheduler: of an array, of the tasks of one job, or of both; shards 0: neither
    bool of_unknown;        // by the scheduler: it is one of several tasks, and how many there are is not known
    int rank_on_node;       // by the scheduler: among the tasks of one job on this node, from 0; -1: there is one task
    bool limit_reached;     // by the scheduler, in `time_left`: the job is being ended for its time limit

    int gpu;                    // which of the visible GPUs this task takes; -1: no choice (one, or none, is visible)
    const char *const *devices; // the same, for run_options; NULL: as the plan says
    char words[256];            // for the run file and the first line: "slurm 123_4, restart 1, node n1, gpus 0"
    double end, asked;          // when the job ends and when that was asked, by the monotonic clock; `end` NAN: unknown
    char device[DEVICE_SPEC];
    const char *device_list[2];
};

typedef const char *scheduler_variable(const char *name); // getenv, or a test's own

struct scheduler_nodes {
    const char **names, **states;
    bool *up; // it could take a job, now or when it is free
    size_t count;
};

struct scheduler {
    const char *name;      // "slurm": stands in front of a job's id
    const char *program;   // the command that submits
    const char *suffix;    // of the script that is written: ".sbatch"
    const char *task;      // how a task finds its number from 1 in the shell, behind the head: "$SLURM_ARRAY_TASK_ID"
    const char *more_time; // the option that asks for more time: "sbatch --time"

    // Inside a job. False: this is not a job of this scheduler, or (diags) it is one that cannot be understood.
    bool (*read)(struct cluster_job *, scheduler_variable *, struct diags *);
    // Seconds until the job's time limit, INFINITY without one, NAN when it cannot be asked.
    double (*time_left)(struct cluster_job *);
    bool (*requeue)(const struct cluster_job *, struct diags *); // puts the job back into the queue

    // To submit. First the head of the script: what the job needs, how it is signalled, the user's own options. Then
    // the head of a second one. It merges or judges when the others are over, and writes to reports/LOG.log. Then the
    // command that submits a script as so many tasks, when job `after` has ended or at once (NULL). The last is what a
    // person types to submit both again (`merge` NULL: there is one alone).
    void (*head)(const struct submit_options *, const struct submit_size *, struct str *);
    void (*second_head)(const char *name, const char *log, const char *partition, const char *const *own, struct str *);
    void (*submit)(const char *script, unsigned tasks, const char *after, struct arena *, struct command_words *);
    unsigned (*most_tasks)(void); // of one array, as the cluster is set up; 0: it cannot be asked
    void (*again)(const char *script, unsigned tasks, const char *merge, struct str *);
    // Of a command on each of many nodes: which nodes these are (`spec`: how many, "all", names, a feature or a state;
    // in `partition`, or NULL), the head of the script, and what submits the script so that each node gets a task of
    // its own: their id, as `submit` takes it for `after`; NULL after diags.
    bool (*nodes)(const char *spec, const char *partition, struct arena *, struct scheduler_nodes *, struct diags *);
    void (*nodes_head)(const struct everywhere *, size_t tasks, unsigned minutes, struct str *);
    const char *(*submit_on)(const char *script, const char *const *nodes, size_t count, struct arena *,
        struct diags *);
    void (*drain)(const char *node, const char *reason, struct arena *, struct command_words *); // takes a node out
    // The id that the command printed, and how a person watches and ends the job (`merge_id` "": there is no second).
    char *(*job_id)(const char *said, struct arena *);
    int (*queued)(const char *script); // tasks of this script (its whole path) in the queue; -1: it cannot be asked
    void (*watch)(const struct submit_options *, const char *id, const char *merge_id, FILE *);
};

extern const struct scheduler scheduler_slurm, scheduler_pbs; // slurm.c, pbs.c
extern const struct scheduler *const scheduler_table[];       // NULL-terminated

// What schedulers have in common. The user's own options as a line of a script's head, behind "#SBATCH"; one of a list
// ("n1,n2"); what a command that submits says: the job's id, or NULL after diags.
void scheduler_own(const char *directive, const char *const *own, struct str *);
bool scheduler_listed(const char *list, char between, const char *word);
const char *scheduler_submitted(const struct scheduler *, const char *const *argv, struct arena *, struct diags *);
// Is every node there that `spec` asks for: each of `names` (NULL: no names were given), and `most` of them (0: any)?
bool scheduler_found(const struct scheduler_nodes *, const char *spec, const char *names, char between,
    unsigned long most, const char *hint, struct diags *);

bool scheduler_slurm_time(const char *text, double *seconds); // "1-02:03:04", "03:04", "UNLIMITED"

// The one to submit to: the first whose program is on PATH, else the first of the table.
const struct scheduler *scheduler_here(void);
// False: not inside a job, or (diags) in one that cannot be understood.
bool scheduler_job(struct cluster_job *, scheduler_variable *, struct diags *);
// Seconds until the job's time limit, INFINITY without one. Asks again only when needed: limits can be moved.
double scheduler_time_left(void *job);
// Whether a run that ended early should be started again: it ran out of time, or was terminated by the job's time
// limit. Not after the job was cancelled or after Ctrl-C; nor where it measured nothing, because then it never would.
// `why` gets a sentence either way ("" when the run is over).
bool scheduler_should_requeue(struct cluster_job *, const struct run_summary *, char why[256]);
