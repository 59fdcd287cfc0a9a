// The kernel file's expressions at one point of a plan. Inside runner/plan/ only.
// SPDX-License-Identifier: MIT
#ifndef PLAN_SIZES_H
#define PLAN_SIZES_H
#include "plan/plan_inside.h"

struct expr_site { // where an expression is evaluated: a point, and where errors go
    const struct plan *plan;
    const struct kernel *kernel;
    const struct value *values; // one for each name of the plan
    struct arena *arena;
    struct diags *diags;
    const int64_t *step; // inside a sequence's `repeat`: which time it is, from 0; NULL elsewhere
};

struct sizes *sizes_new(void);
void sizes_free(struct sizes *);

// A complaint that ends with the point's values. Always false.
bool sizes_wrong(const struct expr_site *, struct where, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool sizes_refuse(const struct expr_site *, struct where, const char *hint, const char *what); // the same
// The value of `name` at the point, else the kernel's or the setting's default; a built-in type stands for its name.
// False: unknown.
bool sizes_value(const struct expr_site *, const char *name, struct value *);
bool sizes_eval(const struct expr_site *, const struct source_expr *, struct value *);
bool sizes_whole(const struct expr_site *, const struct source_expr *, const char *what, uint64_t least, uint64_t *);
bool sizes_number(const struct expr_site *, const struct source_expr *, const char *what,
    double *); // NAN where there is no expression
#endif
