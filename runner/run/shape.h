// A row for expressions: every name that `derive` and scripts can use, with its value. The order is that of the header,
// so a derived column may use those before it.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/sandbox.h"
#include "store/report.h"

struct shape {
    const char **names; // `count` of them, the derived ones last
    size_t count, derived_at;
    const struct report_head *head;
    struct arena *arena;
};
void shape_init(struct shape *, const struct report_head *);
void shape_release(struct shape *);
int shape_last(const struct shape *, const char *name); // the last of several with that name
int shape_find(const struct shape *, const char *name); // -1: none
// `values`: one for each name, the derived ones from row->derived (VALUE_NONE where that is NULL). Text points into the
// row.
void shape_fill(const struct shape *, const struct row *, struct value *values);

// `derive:`, one expression for each column.
struct derive;
struct derive *derive_new(const struct experiment *, const struct shape *, struct sandbox *,
    struct diags *); // NULL after errors
void derive_free(struct derive *);
// Fills `results`, one for each column: nothing where a value that it needs is not known. An expression that fails
// although all its names are known is a warning, once for each expression. `values` are filled by shape_fill; the
// derived ones are added here.
void derive_row(struct derive *, struct value *values, struct value *results, struct arena *, struct diags *);
