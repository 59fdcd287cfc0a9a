// Starts a worker for each device that is asked for.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/lookup.h"
#include "plan/asks.h"

enum { BLOCK_MOST = 256 };
// A context takes new points for so long: with eight contexts each row is there within half a minute. Points that only
// want their counts wait so long for others.
static const double block_s = 3, counts_s = 2;

void block_add(struct visits *b, struct task *t)
{
    size_t at = t->marks ? b->count : b->plain;
    mem_grow(&b->tasks, &b->room, b->count + 1, sizeof(struct task *));
    memmove(b->tasks + at + 1, b->tasks + at, (b->count - at) * sizeof(struct task *));
    b->tasks[at] = t;
    b->count++;
    if (t->marks) return;
    b->plain++;
    if (b->next > at) b->next++; // this context is with those that leave marks: it comes in the next
}

void block_wait(struct visits *b, struct task *t, double now)
{
    if (!b->waiting_count) b->waits = now;
    mem_grow(&b->waiting, &b->waiting_room, b->waiting_count + 1, sizeof(struct task *));
    b->waiting[b->waiting_count++] = t;
}

bool block_counts(struct visits *b, double now, bool several, bool over)
{
    const bool behind = !b->count && (several || b->waiting_count >= BLOCK_MOST || now - b->waits >= counts_s);
    b->counting = b->waiting_count && (b->counting || behind || over);
    return b->counting;
}

bool block_wants_more(struct visits *b, double now, size_t most)
{
    if (!b->count) {
        b->filling = true;
        b->begun = now;
        b->next = 0;
        if (b->marked || b->round) b->context++; // what the last block left behind stays in its context
        b->marked = false;
        b->round = 0;
    }
    const bool early = now - b->begun < block_s || b->rounds > 1;
    b->filling = b->filling && early && b->count < most && b->count < BLOCK_MOST;
    return b->filling && b->next >= b->plain;
}

static void turn_round(struct task **tasks, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct task *t = tasks[i];
        tasks[i] = tasks[count - 1 - i];
        tasks[count - 1 - i] = t;
    }
}

// What was visited first comes last now: drift, and what a fresh context costs, fall on all alike.
static void next_round(struct visits *b)
{
    b->round++;
    if (b->rounds > 1) {
        turn_round(b->tasks, b->plain);
        turn_round(b->tasks + b->plain, b->count - b->plain);
    }
    if (b->round < b->rounds && !b->marked) return;
    b->round = 0;
    b->context++;
    b->marked = false;
}

struct task *block_next(struct visits *b)
{
    if (b->counting) {
        b->marked = true;
        return b->waiting[b->waiting_count - 1];
    }
    if (!b->count) return NULL;
    if (b->next >= b->count) {
        b->next = 0;
        b->filling = false;
        next_round(b);
    }
    b->marked |= b->tasks[b->next]->marks;
    return b->tasks[b->next++];
}

void block_remove(struct visits *b, struct task *t)
{
    size_t at = 0;
    if (b->waiting_count && b->waiting[b->waiting_count - 1] == t) b->waiting_count--;
    while (at < b->count && b->tasks[at] != t) at++;
    if (at == b->count) return;
    memmove(b->tasks + at, b->tasks + at + 1, (b->count - at - 1) * sizeof(struct task *));
    b->count--;
    if (at < b->plain) b->plain--;
    if (at < b->next) b->next--;
}

void task_free(struct task *t)
{
    if (t) arena_free(t->arena);
    free(t);
}

void block_release(struct visits *b)
{
    for (size_t i = 0; i < b->count; i++) task_free(b->tasks[i]);
    for (size_t i = 0; i < b->waiting_count; i++) task_free(b->waiting[i]);
    free(b->waiting);
    free(b->tasks);
    *b = (struct visits){.rounds = b->rounds};
}

bool block_astray(struct task *t, struct result *r)
{
    const bool bad = r->status == STATUS_TIMEOUT || r->status == STATUS_FAILED;
    const bool sampling = why_has(&r->why, WHY_SAMPLE_FAILED) || why_has(&r->why, WHY_WAS_SAMPLING);
    if (!t->job.stepwise && bad && job_launches(&t->job) > 1 && sampling) {
        t->job.stepwise = true;
        t->astray = *r;
        return true;
    }
    if (!t->job.stepwise) return false;
    if (bad) {
        why_note(&r->why, STEPWISE);
    } else {
        *r = t->astray;
        why_note(&r->why, STEPWISE_WELL);
    }
    return false;
}

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

// What a child process found: the devices that `spec` stands for, and a line for the user.
struct scouted {
    int count; // -1: none, and `note` says why
    char specs[64][DEVICE_SPEC], note[256];
};

static void scout(const void *context, void *answer)
{
    struct scouted *s = answer;
    const struct device_ops *shared = device_all(context);
    device_own_process();
    *s = (struct scouted){.count = shared->glance ? shared->glance() : 0};
    if (s->count <= 0) s->count = shared->count(s->note);
    if (s->count <= 0) s->count = -1;
    if (s->count < 0 && !s->note[0]) snprintf(s->note, sizeof s->note, "no such device was found");
    if (s->count > 64) s->count = 64;
    for (int i = 0; i < s->count; i++) shared->spec(i, s->specs[i]);
}

static bool add(struct lanes *l, const char *asked, const char *spec, size_t together, bool asleep, struct diags *d)
{
    l->items = mem_resize(l->items, (l->count + 1) * sizeof *l->items);
    struct lane *lane = &l->items[l->count++];
    *lane = (struct lane){.worker = worker_new(spec), .together = together, .asleep = asleep};
    snprintf(lane->asked, sizeof lane->asked, "%s", asked);
    snprintf(lane->spec, sizeof lane->spec, "%s", spec);
    return asleep || worker_begin(lane->worker, d);
}

// A spec that means one device needs no looking: the worker finds it (`auto` too), and says what is wrong with it.
static bool add_spec(struct lanes *l, const char *spec, bool late, struct diags *d)
{
    struct scouted s;
    char first[DEVICE_SPEC];
    if (!device_all(spec)) return add(l, spec, spec, 1, false, d);
    device_all(spec)->spec(0, first);
    if (!add(l, spec, first, 1, false, d)) return false; // opens while the others are looked for
    if (!apart_ask(scout, spec, &s, sizeof s))
        return diag_system(d, "run it again", "looking for device `%s` failed: %s", spec,
            errno == ECHILD ? "the process that looked was killed" : strerror(errno));
    if (s.count < 0)
        return diag_system(d, "see `gpuexp devices`, or choose another with -d", "device `%s`: %s", spec, s.note);
    l->items[l->count - 1].together = (size_t)s.count;
    for (int i = 1; i < s.count; i++)
        if (!add(l, spec, s.specs[i], (size_t)s.count, late, d)) return false;
    return true;
}

// If one GPU of several does not answer, the others go on.
static bool await(struct lanes *l, const struct run_observer *o, struct diags *d)
{
    LOCAL(diags_clear) struct diags first = {0};
    for (size_t i = 0; i < l->count;) {
        struct lane *lane = &l->items[i];
        const bool alone = lane->together == 1;
        if (lane->asleep && i) {
            lane->id = lane[-1].id;
            i++;
            continue;
        }
        lane->asleep = false; // the first may not have opened
        if (worker_start(lane->worker, alone ? d : &first)) {
            lane->id = *worker_identity(lane->worker);
            snprintf(lane->name, sizeof lane->name, "%s", lane->id.name);
            if (!device_kind(lane->spec)) snprintf(lane->spec, sizeof lane->spec, "%s", lane->id.spec);
            if (lane->id.note[0]) RUN_TELL(o, note, each->context, lane->id.note);
            i++;
            continue;
        }
        if (alone) break;
        RUN_TELL(o, note, each->context, diags_first(&first));
        worker_free(lane->worker);
        memmove(lane, lane + 1, (--l->count - i) * sizeof *lane);
    }
    if (!l->count) diag_system(d, NULL, "none of the devices can be opened: %s", diags_first(&first));
    return l->count && !diags_errors(d);
}

// The devices that the plan's points name, each once, in the order of the plan.
static size_t asked_for(const struct plan *plan, const char ***specs, struct arena *a)
{
    size_t names = plan_name_count(plan), at = names, count = 0, room = 0;
    struct value *values = arena_alloc(a, (names + 1) * sizeof *values), fallback = setting_default(SETTING_DEVICE);
    const char *last = NULL;
    for (size_t i = 0; i < names; i++)
        if (strcmp(plan_name(plan, i), "device") == 0) at = i;
    for (size_t p = 0; p < plan_count(plan) && (p == 0 || at < names); p++) {
        struct value v = fallback;
        if (at < names) plan_values(plan, p, values), v = values[at].kind == VALUE_TEXT ? values[at] : fallback;
        if (last && strcmp(last, v.text) == 0) continue;
        last = v.text;
        bool known = false;
        for (size_t i = 0; i < count; i++) known = known || strcmp((*specs)[i], last) == 0;
        if (known) continue;
        mem_grow(specs, &room, count + 1, sizeof **specs);
        (*specs)[count++] = last;
    }
    return count;
}

// Where several GPUs share the run a row says which of them measured it, and none goes on with another's contexts.
static void name_gpu(const struct lanes *l, struct lane *lane)
{
    const char *colon = strrchr(lane->spec, ':');
    char *end = NULL;
    lane->number = NAN;
    if (l->count < 2 || l->swept) return;
    snprintf(lane->name, sizeof lane->name, "%.40s (%.50s)", lane->id.name, lane->spec);
    if (colon) lane->number = (double)strtoul(colon + 1, &end, 10);
    if (!end || end == colon + 1 || *end) lane->number = (double)(lane - l->items);
}

void lanes_know(const struct lanes *l, struct lane *lane, const struct plan *plan, unsigned rounds)
{
    const size_t contexts = (size_t)plan_experiment(plan)->goals.contexts;
    name_gpu(l, lane);
    lane->visits = lane->id.draws ? contexts : 1;
    if (!lane->id.draws || rounds < 2) return;
    lane->block.rounds = rounds;
    lane->visits = contexts * rounds < CONTEXTS_MOST ? contexts * rounds : CONTEXTS_MOST;
}

bool lanes_begin(struct lanes *l, const struct plan *plan, const struct run_options *options, bool late,
    struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(mem_drop) const char **specs = NULL;
    size_t count = 0;
    bool ok = true;
    *l = (struct lanes){0};
    if (options->devices) {
        for (; options->devices[count] && ok; count++)
            ok = late && count ? add(l, options->devices[count], options->devices[count], 2, true, d)
                               : add_spec(l, options->devices[count], late, d);
    } else {
        count = asked_for(plan, &specs, a);
        for (size_t i = 0; i < count && ok; i++) ok = add_spec(l, specs[i], late && count == 1, d);
        l->swept = count > 1;
    }
    return ok && l->count;
}

bool lanes_open(struct lanes *l, const struct plan *plan, unsigned rounds, const struct run_observer *o,
    struct diags *d)
{
    if (!await(l, o, d)) return false;
    for (size_t i = 0; i < l->count; i++) lanes_know(l, &l->items[i], plan, rounds);
    return true;
}

void lanes_leave(const struct lanes *l)
{
    for (size_t i = 0; i < l->count; i++) worker_leave(l->items[i].worker);
}

void lanes_close(struct lanes *l)
{
    for (size_t i = 0; i < l->count; i++) {
        worker_free(l->items[i].worker);
        block_release(&l->items[i].block);
    }
    free(l->items);
    *l = (struct lanes){0};
}

void lanes_print(const struct lanes *l, struct str *s)
{
    for (size_t i = 0; i < l->count; i++) {
        size_t same = 0, before = 0;
        if (l->items[i].asleep) continue;
        for (size_t j = 0; j < l->count; j++)
            if (!l->items[j].asleep && strcmp(l->items[i].id.name, l->items[j].id.name) == 0) same++, before += j < i;
        if (before) continue;
        if (s->size) str_add(s, " + ");
        if (same > 1) str_addf(s, "%zu x ", same);
        str_add(s, l->items[i].id.name);
    }
}
