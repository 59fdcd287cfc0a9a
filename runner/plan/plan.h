// From an experiment to its points: the product of its axes, less what `where` and `exclude` remove, plus `include`.
// Pure: the same file, overrides and seed give the same points in the same order. A point is stored as one number
// (which value of each axis), so that a million cost a few megabytes; plan_values decodes it. No point comes
// twice: first those of the product, then `include` and those of scripts. Without axes the only point is `with`, or the
// points are what `include` lists. Included points inherit `with`; no clause removes them.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/sandbox.h"
#include "spec/experiment.h"

struct plan; // keeps the experiment it was made from; does not own it

struct plan *plan_new(const struct experiment *, struct sandbox *, struct diags *); // NULL after errors
// With a script's hooks: `points` makes the points in the axes' place, `keep` is one more clause. The script must
// outlive the plan.
struct script;
struct plan *plan_new_scripted(const struct experiment *, struct sandbox *, struct script *, struct diags *);
struct script *plan_script(const struct plan *); // NULL: none
void plan_free(struct plan *);
void plan_seed(struct plan *, uint64_t seed); // of random fills; 0, unless it was called: as they always are
// What is no random fill may begin anywhere, as by `vary: shift`; and in another order: for the simulator alone.
void plan_shift(struct plan *, bool shuffles);
void plan_skew(struct plan *, bool skews); // of random numbers most are small: for the simulator alone
void plan_forget(struct plan *);           // a parameter's default is another now: what was made of it is made anew
const struct experiment *plan_experiment(const struct plan *);
size_t plan_count(const struct plan *);

// The names to which the file gives values (experiment->names), in order: columns of each row.
size_t plan_name_count(const struct plan *);
const char *plan_name(const struct plan *, size_t i);
// Values of point `i` (0 ... count-1), one for each name; VALUE_NONE where the point does not set it (an `include`
// without it, and no default).
void plan_values(const struct plan *, size_t i, struct value *values);

// "values": an object of them all.
struct json;
void plan_values_json(struct json *, const struct plan *, const struct value *values);

// The value of a name to which the file gives none: the kernel's default, or the setting's; VALUE_NONE where there is
// none.
struct value plan_default(const struct experiment *, const char *name);

// The place that gives `name` its value: an axis, `with`, `include`; the file, where none does.
struct where plan_where(const struct experiment *, const char *name);

// What was removed, for `plan`: `why` is the clause as written and its place ("where: stride * block <= 8192",
// "exclude").
typedef void plan_removed_fn(void *context, const struct value *values, const char *why,
    struct where at);                                                       // a function type, not a pointer
size_t plan_removed(const struct plan *, plan_removed_fn *, void *context); // returns how many; fn may be NULL

// One more point, from a script's `refine`, after the others; false where the same point is there already.
bool plan_append(struct plan *, const struct value *values);

// The seeded random order in which points are measured, as a permutation of 0 ... count-1 for the caller to free. Shard
// i of n (1-based) takes every n-th of it.
uint32_t *plan_order(const struct plan *, uint64_t seed, unsigned shard, unsigned shards, size_t *count);
