// The order of a shard's points, and which worker gets which group.
// SPDX-License-Identifier: MIT
#include "run/todo.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/lookup.h"
#include "plan/asks.h"

static bool apart(const struct experiment *e, const char *name)
{
    for (const char *const *k = e->keep_together; *k; k++)
        if (strcmp(*k, name) == 0) return true;
    return false;
}

// Numbers the groups in order of appearance. Points are of one group when all values are equal except those of
// `keep_together`.
static uint32_t *find_groups(const struct plan *plan, const uint32_t *points, size_t count, size_t *group_count)
{
    const struct experiment *e = plan_experiment(plan);
    const size_t names = plan_name_count(plan);
    LOCAL(mem_drop) struct value *values = mem_alloc((names + 1) * sizeof *values);
    uint32_t *groups = mem_alloc((count + 1) * sizeof *groups);
    uint64_t(*hashes)[2] = mem_alloc((count + 1) * sizeof *hashes); // of each group: 128 bits tell them apart
    struct lookup table = {0};
    *group_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct hash h;
        uint64_t v[2];
        hash_init(&h);
        plan_values(plan, points[i], values);
        for (size_t n = 0; n < names; n++)
            if (!apart(e, plan_name(plan, n))) value_hash(values[n], &h);
        hash_final(h, v);
        size_t at = 0, group;
        while ((group = lookup_next(&table, v[0], &at)) != LOOKUP_NONE && memcmp(hashes[group], v, sizeof v) != 0) {}
        if (group == LOOKUP_NONE) {
            group = (*group_count)++;
            memcpy(hashes[group], v, sizeof v);
            lookup_add(&table, v[0], group);
        }
        groups[i] = (uint32_t)group;
    }
    lookup_release(&table);
    free(hashes);
    return groups;
}

// By what each leaves behind, else in the order they had. Where the plan does not ask for such things there is nothing
// to do.
static void order_by_leavings(struct todo *t, const struct plan *plan)
{
    static const enum setting asked[] = {SETTING_STREAMS, SETTING_PERSIST, SETTING_WINDOW_BUFFER};
    enum { KINDS = LEAVES_PERSISTING + 1 };
    const size_t names = plan_name_count(plan);
    size_t kept = 0, found = 0, places[3] = {0};
    for (size_t n = 0; n < names; n++)
        for (size_t k = 0; k < 3; k++)
            if (setting_find(plan_name(plan, n)) == (int)asked[k]) places[k] = n + 1, found++;
    if (!found) return;
    LOCAL(mem_drop) struct value *values = mem_alloc((names + 1) * sizeof *values);
    LOCAL(mem_drop) uint32_t *points = mem_alloc((t->count + 1) * sizeof *points);
    unsigned char *kinds = mem_alloc(t->count + 1);
    for (size_t i = 0; i < t->count; i++) {
        struct job job = {0};
        plan_values(plan, t->points[i], values);
        for (size_t k = 0; k < 3; k++)
            if (places[k]) job.settings[asked[k]] = values[places[k] - 1];
        kinds[i] = (unsigned char)asks_leaves(&job);
    }
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < t->count; i++)
            if (kinds[i] == kind) points[kept++] = t->points[i];
    memcpy(t->points, points, t->count * sizeof *points);
    free(kinds);
}

// A shard's part, when whole groups are given to shards.
static void own_groups(struct todo *t, unsigned shard, unsigned shards)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->groups[i] % shards == shard - 1) {
            t->points[kept] = t->points[i];
            t->groups[kept++] = t->groups[i];
        }
    t->count = kept;
}

void todo_init(struct todo *t, const struct plan *plan, uint64_t seed, unsigned shard, unsigned shards)
{
    bool grouped = plan_experiment(plan)->keep_together != NULL;
    *t = (struct todo){0};
    t->points = plan_order(plan, seed, grouped ? 1 : shard, grouped ? 1 : shards, &t->count);
    order_by_leavings(t, plan);
    if (!grouped) return;
    t->groups = find_groups(plan, t->points, t->count, &t->group_count);
    if (shards > 1) own_groups(t, shard, shards);
}

void todo_release(struct todo *t)
{
    for (size_t i = 0; i < t->workers; i++) free(t->waiting[i]);
    free(t->waiting);
    free(t->waiting_count);
    free(t->waiting_room);
    free(t->waiting_next);
    free(t->returned);
    free(t->owners);
    free(t->groups);
    free(t->points);
    *t = (struct todo){0};
}

void todo_keep(struct todo *t, bool (*wanted)(void *, size_t), void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (wanted(context, t->points[i])) {
            t->points[kept] = t->points[i];
            if (t->groups) t->groups[kept] = t->groups[i];
            kept++;
        }
    t->count = kept;
}

void todo_append(struct todo *t, size_t point)
{
    t->points = mem_resize(t->points, (t->count + 1) * sizeof *t->points);
    t->points[t->count] = (uint32_t)point;
    if (t->groups) { // alone in its group: the other points were measured before
        t->groups = mem_resize(t->groups, (t->count + 1) * sizeof *t->groups);
        t->owners = mem_resize(t->owners, (t->group_count + 1) * sizeof *t->owners);
        t->owners[t->group_count] = -1;
        t->groups[t->count] = (uint32_t)t->group_count++;
    }
    t->count++;
}

void todo_workers(struct todo *t, size_t workers)
{
    t->workers = workers;
    t->waiting = mem_alloc(workers * sizeof *t->waiting);
    t->waiting_count = mem_alloc(workers * sizeof *t->waiting_count);
    t->waiting_room = mem_alloc(workers * sizeof *t->waiting_room);
    t->waiting_next = mem_alloc(workers * sizeof *t->waiting_next);
    t->owners = mem_alloc((t->group_count + 1) * sizeof *t->owners);
    for (size_t i = 0; i < t->group_count; i++) t->owners[i] = -1;
}

static void wait_for(struct todo *t, size_t worker, uint32_t position)
{
    size_t *count = &t->waiting_count[worker];
    mem_grow(&t->waiting[worker], &t->waiting_room[worker], *count + 1, sizeof **t->waiting);
    t->waiting[worker][(*count)++] = position;
}

size_t todo_next(struct todo *t, size_t worker, size_t *position)
{
    if (t->waiting_next[worker] < t->waiting_count[worker]) {
        *position = t->waiting[worker][t->waiting_next[worker]++];
        return t->points[*position];
    }
    while (t->returned_count || t->next < t->count) {
        uint32_t at = t->returned_count ? t->returned[--t->returned_count] : (uint32_t)t->next++;
        int *owner = t->groups ? &t->owners[t->groups[at]] : NULL;
        if (owner && *owner >= 0 && *owner != (int)worker) {
            wait_for(t, (size_t)*owner, at);
            continue;
        }
        if (owner) *owner = (int)worker;
        *position = at;
        return t->points[at];
    }
    return SIZE_MAX;
}

size_t todo_peek(const struct todo *t, size_t ahead)
{
    return t->next + ahead < t->count ? t->points[t->next + ahead] : SIZE_MAX;
}

void todo_return(struct todo *t, size_t position)
{
    mem_grow(&t->returned, &t->returned_room, t->returned_count + 1, sizeof *t->returned);
    t->returned[t->returned_count++] = (uint32_t)position;
}

void todo_drop_worker(struct todo *t, size_t worker)
{
    for (size_t i = 0; i < t->group_count; i++)
        if (t->owners[i] == (int)worker) t->owners[i] = -1;
    while (t->waiting_next[worker] < t->waiting_count[worker])
        todo_return(t, t->waiting[worker][--t->waiting_count[worker]]);
}

size_t todo_left(const struct todo *t)
{
    size_t left = t->count - t->next + t->returned_count;
    for (size_t i = 0; i < t->workers; i++) left += t->waiting_count[i] - t->waiting_next[i];
    return left;
}
