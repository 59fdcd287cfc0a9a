// The inside of a plan, for the files of this folder. A point is a code: below `product` it is the number of a
// combination of the groups' values, the last group fastest; above, it is the number of an extra point, whose values
// are kept.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "plan/plan.h"
#include "spec/traits.h"

struct axis_group {
    const struct axes *axes;
    size_t *slots;   // of each axis
    uint32_t *picks; // which of the values, in order; repeated ones left out
    uint32_t count;
    uint64_t stride; // codes from one value to the next
};

struct clause { // what can remove a point; neither of the two: a script's reason
    const char *why;
    struct where at;
    const struct source_expr *where;
    const struct assignments *exclude;
    size_t *exclude_names; // as eval_name has them
    bool matched;          // an `exclude` that some point fits
    bool fits;             // what the point's own kernel takes
};

struct removed {
    uint32_t code, clause;
};

struct plan {
    const struct experiment *e;
    struct sandbox *box;
    uint64_t seed;
    bool shifts, shuffles, skews;
    struct script *script; // NULL: none
    int shape;
    struct arena *arena;
    const char **slot_names;  // of the file
    struct value *slots;      // of the current point, one for each name
    const struct value *base; // before any axis: `with`, else the default
    size_t name_count;
    struct axis_group *groups;
    size_t group_count;
    uint64_t product;
    uint32_t *codes; // the points; the first `regular` of them are in ascending order
    size_t count, regular, code_room;
    const struct value **extras;
    size_t extra_count, extra_room;
    struct lookup by_values; // the extra points: indices into `codes`
    struct removed *removed;
    size_t removed_count, removed_room;
    struct clause *clauses;
    size_t clause_count, clause_room, fixed_clauses; // the fixed ones are the file's
    struct eval *eval;
};

// passing.c: the entry's name with the values of parameters in an instance's brackets ("sum<T, 128>" is
// "sum<float, 128>"), and what each of its arguments gets.
struct expr_site;
struct job;
const char *passing_entry(const struct expr_site *, const struct job *);
bool passing_maps(const struct expr_site *, const struct kernel *, struct job *);
bool passing_set(const struct expr_site *, const struct kernel *, const struct function *entry, struct job *);

void idle_tell(const struct experiment *, struct diags *); // warns of each setting that changes nothing

// The kernel of a point with these values.
const struct kernel *points_kernel(const struct plan *, const struct value *values);
// What is known of the device of a point with these values.
const struct traits *resolve_traits(const struct plan *, const struct value *values);
// A complaint that a trait is not known. Always false.
bool resolve_unknown(const struct traits *, const char *name, struct where, struct diags *);

// plan.c: extra points, each once.
enum add_result { ADD_NEW, ADD_KNOWN, ADD_FULL };
size_t points_find_slot(const struct plan *, const char *name);                      // SIZE_MAX: none
void points_describe(const struct plan *, const struct value *values, struct str *); // "stride = 1, block = 32"
