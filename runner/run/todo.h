// Which point comes next, and for which worker. The order is the seeded one of a shard, by what points leave behind in
// their process (plan/asks.h): a point that would feel it comes before. With `keep_together` the points that differ in
// those axes alone are a group. One shard and one worker measure it. No two GPUs are equal, so points that are compared
// are measured on one.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"

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
