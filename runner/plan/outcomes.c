// Remembers the memory of points by the values that decide it.
// SPDX-License-Identifier: MIT
#include "plan/outcomes.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/lookup.h"
#include "plan/sizes.h"
#include "spec/fits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 }; // then it begins anew

struct known_point {
    uint64_t hash[2];
    uint64_t memory;
};

struct passed_on { // a value of the point that decides nothing but whether it fits
    size_t name;
    const struct param *param;
};

struct outcomes {
    const struct plan *plan;
    struct known_point *known;
    struct lookup by_hash;
    size_t count, room;
    size_t *asked, asked_count; // names of the plan whose values decide, as far as the known points have shown
    struct passed_on *passed;
    size_t passed_count;
};

struct outcomes *outcomes_new(const struct plan *p)
{
    struct outcomes *o = mem_alloc(sizeof *o);
    o->plan = p;
    o->asked = mem_alloc((plan_name_count(p) + 1) * sizeof *o->asked);
    o->passed = mem_alloc((plan_name_count(p) + 1) * sizeof *o->passed);
    return o;
}

void outcomes_free(struct outcomes *o)
{
    lookup_release(&o->by_hash);
    free(o->known);
    free(o->asked);
    free(o->passed);
    free(o);
}

// What was found by fewer names may hold for fewer points than it seems.
static void begin_anew(struct outcomes *o)
{
    const struct kernel *k = plan_experiment(o->plan)->kernel;
    lookup_release(&o->by_hash);
    o->count = o->asked_count = o->passed_count = 0;
    for (size_t i = 0; i < plan_name_count(o->plan); i++) {
        const struct param *p = kernel_param(k, plan_name(o->plan, i)); // the kernels have the same
        if (sizes_asks(o->plan, i)) o->asked[o->asked_count++] = i;
        else if (p) o->passed[o->passed_count++] = (struct passed_on){i, p};
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

static const struct known_point *find(const struct outcomes *o, const uint64_t hash[2])
{
    for (size_t at = 0, n; (n = lookup_next(&o->by_hash, hash[0], &at)) != LOOKUP_NONE;)
        if (memcmp(o->known[n].hash, hash, sizeof o->known[n].hash) == 0) return &o->known[n];
    return NULL;
}

static bool compute(struct outcomes *o, const struct value *values, uint64_t *memory, struct diags *why)
{
    struct arena *a = arena_new();
    struct job job;
    const bool good = job_make(o->plan, values, a, &job, why);
    if (good) *memory = job_memory(&job);
    arena_free(a);
    return good;
}

bool outcomes_memory(struct outcomes *o, const struct value *values, uint64_t *memory, struct diags *why)
{
    struct hash h;
    uint64_t hash[2];
    hash_init(&h);
    hash_text(&h, points_kernel(o->plan, values)->path);
    for (size_t i = 0; i < o->asked_count; i++) value_hash(values[o->asked[i]], &h);
    hash_final(h, hash);
    const struct known_point *known = find(o, hash);
    if (known && all_fit(o, values)) return *memory = known->memory, true;
    if (!compute(o, values, memory, why)) return false;
    if (o->count == MOST || sizes_asked(o->plan) != o->asked_count) begin_anew(o);
    else {
        mem_grow(&o->known, &o->room, o->count + 1, sizeof *o->known);
        o->known[o->count] = (struct known_point){{hash[0], hash[1]}, *memory};
        lookup_add(&o->by_hash, hash[0], o->count++);
    }
    return true;
}
