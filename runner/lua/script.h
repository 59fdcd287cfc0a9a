// A script: a Lua file that returns a table of hooks. It runs in an environment of its own. A hook that it does not
// have costs nothing. Every error is a DIAG_USER that names hook, file and line, with a traceback.
//     return {
//         about = "one sentence",
//         params = {budget = {default = 20, about = "points at most"}},   -- `-s script.budget=40`
//         columns = {speedup = "time of the baseline / time"},            -- what derive adds; also a list of names
//         points = function(axes, params) return {{stride = 1}, ...} end,
//         keep = function(point, params) return true end,                 -- or false, "reason"
//         derive = function(row, params) return {speedup = 2} end,
//         refine = function(rows, params) return {{stride = 3}, ...} end, -- nothing or {}: no more points
//         done = function(rows, params) return {lines = {...}, tables = {name = {{a = 1}, ...}}, verdict = true} end,
//     }
// The third argument of each hook is the list of names to which the experiment gives values (the first shape made).
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/sandbox.h"

struct script;
enum script_hook { SCRIPT_POINTS, SCRIPT_KEEP, SCRIPT_DERIVE, SCRIPT_REFINE, SCRIPT_DONE, SCRIPT_HOOKS };

struct script_param { // one that the user set
    const char *name;
    struct value value;
    struct where at;
};
struct script_facts {  // what the file says about itself; NULL-terminated arrays, they live as long as the script
    const char *about; // NULL: nothing
    const char *const *params, *const *param_about;   // in alphabetical order; an about may be NULL
    const struct value *param_values;                 // the values that hold
    const bool *param_names;                          // the value names columns or axes: name, or name=value, ...
    const char *const *columns, *const *column_about; // what derive adds, in alphabetical order
};

// Loads a script: a path (from the current folder, from the folder of `at`'s file, or an embedded "lua/x.lua"), or a
// name ("tune", found as kernels are). `given` must be parameters that it declares. NULL after errors, placed at `at`
// (where the experiment names it) or in the script. The sandbox must outlive it.
struct script *script_new(struct sandbox *, const char *path, const struct script_param *given, size_t given_count,
    struct where at, struct diags *);
void script_free(struct script *);
bool script_has(const struct script *, enum script_hook);
const struct script_facts *script_facts(const struct script *);
const char *script_source(const struct script *); // its text, which is part of a point's key
const char *script_path(const struct script *);   // where that was
// How far refine may go: the params `budget` (points beyond the plan's) and `seconds`; 100 points and no limit where it
// declares none.
void script_budget(const struct script *, uint64_t *points, double *seconds);

// The names of a row's or point's values, told once, so that each row costs little. Returns a handle >= 0.
int script_shape(struct script *, const char *const *names, size_t count);

// points: `axes` are the values of each name. For each returned point `add` gets one value for each name of the shape
// (VALUE_NONE: not set); when it returns false, the rest is dropped. Texts live until `add` returns.
struct script_axis {
    const char *name;
    const struct value *values;
    size_t count;
};
typedef bool script_point_fn(void *context, const struct value *values);
bool script_points(struct script *, const struct script_axis *axes, size_t count, int shape, script_point_fn *add,
    void *context, struct diags *);
// keep: `reason` is the script's text, valid until its next call, or NULL.
bool script_keep(struct script *, int shape, const struct value *values, bool *kept, const char **reason,
    struct diags *);
// derive: one result for each declared column (VALUE_NONE: not returned).
bool script_derive(struct script *, int shape, const struct value *row, struct value *results, struct arena *a,
    struct diags *);
// refine: more points, by the rules of `points`; when none is added, it is over. `rows`: one after another, each with
// one value for each name of `row_shape`.
bool script_refine(struct script *, int row_shape, const struct value *rows, size_t row_count, int point_shape,
    script_point_fn *add, void *context, struct diags *);

struct script_table { // an extra table of done's: cells row by row
    const char *name;
    const char *const *columns;
    size_t column_count, row_count;
    const struct value *cells;
};
struct script_outcome {
    const char *const *lines; // NULL-terminated: the summary, for people
    const struct script_table *tables;
    size_t table_count;
    bool has_verdict, verdict;
    const char *reason; // of the verdict, or NULL
};
bool script_done(struct script *, int row_shape, const struct value *rows, size_t row_count, struct script_outcome *,
    struct arena *a, struct diags *);
