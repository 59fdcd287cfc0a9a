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
    bool shape;          // for the shape of the launch, whose names are noted apart
};

struct sizes *sizes_new(void);
void sizes_free(struct sizes *);

// A complaint that ends with the point's values. Always false.
bool sizes_wrong(const struct expr_site *, struct where, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool sizes_refuse(const struct expr_site *, struct where, const char *hint, const char *what); // the same
// What a parameter or setting is at the point, else its default; `said`: only what the point itself says, false where
// that is nothing. `memory`: the place of one buffer, where the point says; returns the name, "memory.in".
void sizes_param(const struct expr_site *, size_t param, struct value *);
void sizes_setting(const struct expr_site *, enum setting, struct value *);
bool sizes_said(const struct expr_site *, enum setting, struct value *);
const char *sizes_memory(const struct expr_site *, size_t buffer, struct value *);
// Which names of the plan were asked for so far, other than to be passed on to the kernel; and how many they are: for
// the shape of a launch, and for all else.
bool sizes_asks(const struct plan *, bool shape, size_t name);
size_t sizes_asked(const struct plan *, bool shape);
bool sizes_eval(const struct expr_site *, const struct source_expr *, struct value *);
bool sizes_whole(const struct expr_site *, const struct source_expr *, const char *what, uint64_t least, uint64_t *);
bool sizes_number(const struct expr_site *, const struct source_expr *, const char *what,
    double *); // NAN where there is no expression
#endif
