// The one evaluator: what a name or an expression is at a point. The kernel file's expressions, `where` and `exclude`
// all ask here. Inside runner/plan/ only.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan_inside.h"

// What is asked for notes the names that decide: for the shape of a launch, for all else of a job, or not at all.
enum eval_for { FOR_JOB, FOR_SHAPE, EVAL_FORS, FOR_FILTER };

struct expr_site { // where an expression is evaluated: a point, and where errors go
    const struct plan *plan;
    const struct kernel *kernel;
    const struct value *values; // one for each name of the plan
    struct arena *arena;
    struct diags *diags;
    const int64_t *step; // inside a sequence's `repeat`: which time it is, from 0; NULL elsewhere
    enum eval_for what;
};

struct eval *eval_new(void);
void eval_free(struct eval *);

// A complaint that ends with the point's values. Always false.
bool eval_wrong(const struct expr_site *, struct where, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool eval_refuse(const struct expr_site *, struct where, const char *hint, const char *what); // the same
// What a name is at the point, by its number. A setting has its own, a parameter of the kernel and the memory of one of
// its buffers ("memory.in") come behind; any other name has one by eval_name.
enum eval_has {
    EVAL_UNKNOWN, // nothing is called so, or the device does not tell
    EVAL_TOLD,    // its expression failed: a complaint was added
    EVAL_DEFAULT, // the point says nothing of it
    EVAL_SAID
};
#define EVAL_PARAM(i) (SETTING_COUNT + (size_t)(i))
#define EVAL_MEMORY(kernel, i) (EVAL_PARAM((kernel)->param_count) + (size_t)(i))
size_t eval_name(const struct expr_site *, const char *name);
enum eval_has eval_at(const struct expr_site *, size_t name, struct value *);
const char *eval_called(const struct expr_site *, size_t name);
bool eval_known(const struct expr_site *, size_t name, struct where); // false: a complaint that nothing is called so
// Which names of the plan were asked for so far, and how many they are.
bool eval_asks(const struct plan *, enum eval_for, size_t name);
size_t eval_asked(const struct plan *, enum eval_for);

// The same of all names of an expression.
bool eval_compiles(const struct expr_site *, const struct source_expr *);
bool eval_expr(const struct expr_site *, const struct source_expr *, struct value *);
bool eval_whole(const struct expr_site *, const struct source_expr *, const char *what, uint64_t least, uint64_t *);
bool eval_number(const struct expr_site *, const struct source_expr *, const char *what,
    double *); // NAN where there is no expression
