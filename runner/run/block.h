// A block: the points that a lane has begun and not finished. A point is sampled in several contexts of its device. A
// context costs as much as ten points, so the contexts are the outer loop and the points the inner one. A block of
// points takes a few seconds, so that rows come while a long plan is measured. In each context the points that leave
// marks behind (streams, persisting lines) come last.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"
#include "measure/result.h"

struct task {
    struct arena *arena;
    size_t point, position; // 0-based in the plan; in the todo
    struct value *values;
    char key[17];
    struct job job;
    struct portion parts[CONTEXTS_MOST]; // what each context gave
    size_t part_count;
    unsigned in_context[CONTEXTS_MOST]; // of the device, each of them was
    size_t look_at;                     // the context whose timed launches are looked at however long that takes, drawn
    double check_s, look_s;             // what verifying took, and a look; 0: nothing was verified yet
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
