// Remembers the memory of points by the values that decide it.
// SPDX-License-Identifier: MIT
#include "plan/outcomes.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/lookup.h"
#include "plan/eval.h"
#include "spec/scalar.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 }; // then it begins anew

struct known_point {
    uint64_t hash[2];
    uint64_t memory;
};

struct known_points { // of those values that decide, as far as the known points have shown
    enum eval_for what;
    struct known_point *items;
    struct lookup by_hash;
    size_t count, room;
    size_t *asked, asked_count; // names of the plan
};

struct passed_on { // a value of the point that decides nothing but whether it fits
    size_t name;
    const struct param *param;
};

struct outcomes {
    const struct plan *plan;
    struct known_points all, shapes;
    struct passed_on *passed;
    size_t passed_count;
    struct arena *arena; // for one point
    size_t arena_points;
};

struct outcomes *outcomes_new(const struct plan *p)
{
    struct outcomes *o = mem_alloc(sizeof *o);
    o->plan = p;
    o->arena = arena_new();
    o->shapes.what = FOR_SHAPE;
    o->all.asked = mem_alloc((plan_name_count(p) + 1) * sizeof *o->all.asked);
    o->shapes.asked = mem_alloc((plan_name_count(p) + 1) * sizeof *o->shapes.asked);
    o->passed = mem_alloc((plan_name_count(p) + 1) * sizeof *o->passed);
    return o;
}

static void release(struct known_points *k)
{
    lookup_release(&k->by_hash);
    free(k->items);
    free(k->asked);
}

void outcomes_free(struct outcomes *o)
{
    release(&o->all);
    release(&o->shapes);
    arena_free(o->arena);
    free(o->passed);
    free(o);
}

// What was found by fewer names may hold for fewer points than it seems.
static void begin_anew(struct outcomes *o, struct known_points *known)
{
    lookup_release(&known->by_hash);
    known->count = known->asked_count = 0;
    for (size_t i = 0; i < plan_name_count(o->plan); i++)
        if (eval_asks(o->plan, known->what, i)) known->asked[known->asked_count++] = i;
}

// The parameters that neither asks for.
static void find_passed(struct outcomes *o)
{
    const struct kernel *k = plan_experiment(o->plan)->kernel; // the kernels have the same
    o->passed_count = 0;
    for (size_t i = 0; i < plan_name_count(o->plan); i++) {
        const struct param *p = kernel_param(k, plan_name(o->plan, i));
        if (p && !eval_asks(o->plan, FOR_JOB, i)) o->passed[o->passed_count++] = (struct passed_on){i, p};
    }
}

static bool all_fit(const struct outcomes *o, const struct value *values)
{
    const struct experiment *e = plan_experiment(o->plan);
    const struct kernel *k = points_kernel(o->plan, values);
    for (size_t i = 0; i < o->passed_count; i++) {
        const struct param *p = o->passed[i].param;
        struct value v = values[o->passed[i].name];
        struct fits_why why;
        if (e->kernel_count > 1 && !(p = kernel_param(k, p->name))) continue;
        if (v.kind != VALUE_NONE && !fits_param(p, k, &v, &why)) return false;
    }
    return true;
}

static const struct known_point *find(const struct known_points *known, const uint64_t hash[2])
{
    for (size_t at = 0, n; (n = lookup_next(&known->by_hash, hash[0], &at)) != LOOKUP_NONE;)
        if (memcmp(known->items[n].hash, hash, sizeof known->items[n].hash) == 0) return &known->items[n];
    return NULL;
}

static void hash_asked(const struct outcomes *o, const struct known_points *known, const struct value *values,
    uint64_t hash[2])
{
    struct hash h;
    hash_init(&h);
    hash_text(&h, points_kernel(o->plan, values)->path);
    for (size_t i = 0; i < known->asked_count; i++) value_hash(values[known->asked[i]], &h);
    hash_final(h, hash);
}

static void keep(struct outcomes *o, struct known_points *known, const uint64_t hash[2], uint64_t memory)
{
    if (known->count == MOST || eval_asked(o->plan, known->what) != known->asked_count) {
        begin_anew(o, known);
        find_passed(o);
        return;
    }
    mem_grow(&known->items, &known->room, known->count + 1, sizeof *known->items);
    known->items[known->count] = (struct known_point){{hash[0], hash[1]}, memory};
    lookup_add(&known->by_hash, hash[0], known->count++);
}

// An arena for one point: its room is used again.
static struct arena *arena_of(struct outcomes *o)
{
    enum { POINTS = 1000 };
    if (++o->arena_points % POINTS == 0) {
        arena_free(o->arena);
        o->arena = arena_new();
    }
    return o->arena;
}

static bool shape_fits(struct outcomes *o, const struct value *values)
{
    struct diags ignored = {0}; // job_make tells it
    uint64_t hash[2];
    hash_asked(o, &o->shapes, values, hash);
    if (find(&o->shapes, hash)) return true;
    const bool good = job_shape(o->plan, values, arena_of(o), &ignored);
    diags_clear(&ignored);
    if (good) keep(o, &o->shapes, hash, 0);
    return good;
}

bool outcomes_memory(struct outcomes *o, const struct value *values, uint64_t *memory, struct diags *why)
{
    struct job job;
    uint64_t hash[2];
    hash_asked(o, &o->all, values, hash);
    const struct known_point *known = find(&o->all, hash);
    if (known && all_fit(o, values) && shape_fits(o, values)) return *memory = known->memory, true;
    if (!job_make(o->plan, values, arena_of(o), &job, why)) return false;
    *memory = job_memory(&job);
    keep(o, &o->all, hash, *memory);
    return true;
}
