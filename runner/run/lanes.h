// The workers of a run, one for each device that the plan asks for (one, several that are swept, or `cuda:all`). A
// child process counts the GPUs, because a process that has used one cannot fork workers that use it.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/result.h"
#include "measure/worker.h"
#include "plan/job.h"
#include "plan/plan.h"
#include "run/run.h"

// A block: the points that a lane has begun and not finished. A point is sampled in several contexts of its device. A
// context costs as much as ten points, so the contexts are the outer loop and the points the inner one. A block of
// points takes a few seconds, so that rows come while a long plan is measured. In each context the points that leave
// marks behind (streams, persisting lines) come last.

struct task {
    struct arena *arena;
    size_t point, position; // 0-based in the plan; in the todo
    struct value *values;
    char key[17];
    struct job job;
    struct portion parts[CONTEXTS_MOST]; // what each context gave
    size_t part_count;
    unsigned in_context[CONTEXTS_MOST]; // of the device, each of them was
    double check_s, look_s, looked_us;  // as struct job has them; 0: nothing was verified yet
    double begun, busy_s, wall_s;       // of this visit; of all
    double rested_s;                    // of all
    struct result astray;               // of a sequence that went wrong among samples
    struct result timed;                // complete but for the counts
    bool marks;                         // it may leave behind what a later point of its context would feel
};

struct visits {
    struct task **tasks; // those that leave marks behind the others
    size_t count, room, plain;
    size_t next;      // the one to visit next in this context
    unsigned context; // its number
    double begun;
    bool filling; // this context still takes new points
    bool marked;  // a point that leaves marks was in it
    // Points whose times are taken and whose counts are not: those are read for all of them together, in a context in
    // which nothing is timed after that.
    struct task **waiting;
    size_t waiting_count, waiting_room;
    double waits; // since when the first does
    bool counting;
    // So many times each point is visited in a context, in turns with the others, there and back; 0: once. Such points
    // are held against each other: all are in one block, whatever that takes.
    unsigned rounds, round;
};

void block_add(struct visits *, struct task *);
// Is it time for a new point, before the block's own points go on? `now` in seconds; the block holds `most`.
bool block_wants_more(struct visits *, double now, size_t most);
// Its times are taken: it is counted behind the block, or where this one never ends (one context for all) soon.
void block_wait(struct visits *, struct task *, double now);
// Is it time to count those that wait? `over`: nothing else is left to do here. `several`: contexts, for each point.
bool block_counts(struct visits *, double now, bool several, bool over);
// The task to visit next; a new context begins after this one has visited all. NULL: the block is empty.
struct task *block_next(struct visits *);
void block_remove(struct visits *, struct task *); // finished: it is the caller's
void block_release(struct visits *);
void task_free(struct task *);
// A sequence that hangs or faults among samples, whose launches are queued at once, is visited again, launch by launch:
// so it is known which one it is. True: it is to be visited again.
bool block_astray(struct task *, struct result *);

struct lane {
    char asked[DEVICE_SPEC], spec[DEVICE_SPEC]; // as the plan has it (cuda:all); which one it is (cuda:3)
    struct worker *worker;
    struct device_identity id;
    char name[96]; // "NVIDIA H200", with " (cuda:3)" where several GPUs share the run
    double number; // 3; NAN where there is one alone
    bool gone;     // it cannot be opened again
    // It shares the run with others, and its device is not open yet: a short plan is done sooner without it. `id` is
    // that of the first. Once it is worth it, it opens, while the others go on (run/run.c).
    bool asleep, opening;
    struct task *task; // visited right now; one of the block's
    struct task *next; // the one to visit as soon as the host's bus is free
    struct visits block;
    size_t visits;   // of each point: one in each context, or several
    size_t together; // how many lanes one spec asked for (cuda:all), this one among them
};

struct lanes {
    struct lane *items;
    size_t count;
    bool swept; // points choose their device: one at a time, so that none disturbs another's measurement
};

// Starts the workers; their devices open while the run goes on with something else, until lanes_open waits for them.
// `late`: of those that share the run, only the first begins.
bool lanes_begin(struct lanes *, const struct plan *, const struct run_options *, bool late, struct diags *);
bool lanes_open(struct lanes *, const struct plan *, unsigned rounds, const struct run_observer *, struct diags *);
void lanes_close(struct lanes *);
void lanes_leave(const struct lanes *); // nothing is measured any more: devices close while the report is put in order
// What follows from what its worker found: its name, and how often it visits a point.
void lanes_know(const struct lanes *, struct lane *, const struct plan *, unsigned rounds);
// "NVIDIA H200", "4 x NVIDIA H200", "sim:h200 + sim:a100": those that are open
void lanes_print(const struct lanes *, struct str *);

// Which point comes next, and for which worker. The order is the seeded one of a shard, by what points leave behind in
// their process (plan/asks.h): a point that would feel it comes before. With `keep_together` the points that differ in
// those axes alone are a group. One shard and one worker measure it. No two GPUs are equal, so points that are compared
// are measured on one.

struct todo {
    uint32_t *points; // 0-based, in the order in which they are measured
    uint32_t *groups; // of each point of `points`; NULL: no groups
    size_t count, next;
    size_t group_count;
    int *owners;        // of each group: the worker that began it, -1 none
    uint32_t **waiting; // per worker: positions of points of its groups that others reached first
    size_t *waiting_count, *waiting_room, *waiting_next;
    uint32_t *returned; // positions of points whose worker is gone
    size_t returned_count, returned_room;
    size_t workers;
};

void todo_init(struct todo *, const struct plan *, uint64_t seed, unsigned shard, unsigned shards);
void todo_release(struct todo *);
void todo_keep(struct todo *, bool (*wanted)(void *context, size_t point),
    void *context);                            // drops the others, before todo_workers
void todo_append(struct todo *, size_t point); // a point that was added to the plan
void todo_workers(struct todo *, size_t workers);
// The next point (0-based) for `worker`, or SIZE_MAX: none. `position` names it for todo_return.
size_t todo_next(struct todo *, size_t worker, size_t *position);
size_t todo_peek(const struct todo *,
    size_t ahead); // the point that comes `ahead` places later (of those not grouped), or SIZE_MAX
void todo_return(struct todo *, size_t position);    // the point was given to a worker but not measured
void todo_drop_worker(struct todo *, size_t worker); // its groups and points are for the others
size_t todo_left(const struct todo *);               // points that no worker got yet

// by_base.c: kernels that are held against the first of a plan keep its promise: their inputs are filled, and their
// results are checked, by the first one's source. What they say of that themselves is not asked. Makes the job one that
// is checked so; the first kernel's own stays as it is. `values` are the point's.
bool by_base(const struct plan *, const struct value *values, struct arena *, struct job *, struct diags *);
