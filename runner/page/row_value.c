// Evaluates expressions over rows that are in memory.
// SPDX-License-Identifier: MIT
#include "page/row_value.h"

enum { NAMES_MOST = 64 };

bool row_value(const struct view *v, struct expr *e, size_t row, struct value *result)
{
    struct value args[NAMES_MOST];
    size_t n = 0;
    LOCAL(diags_clear) struct diags ignored = {0};
    for (const char *const *name = expr_names(e); *name; name++) {
        const int column = view_column(v, *name);
        if (n == NAMES_MOST) return false;
        args[n++] = column >= 0 ? table_value(v->rows[row][column]) : (struct value){0};
    }
    return expr_eval(e, args, v->arena, result, &ignored) && result->kind != VALUE_NONE;
}

bool row_holds(const struct view *v, struct expr *e, size_t row)
{
    struct value is;
    return row_value(v, e, row, &is) && !(is.kind == VALUE_BOOL && !is.b);
}

static void derive(struct view *v, struct sandbox *box, const struct question_derived *d)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    const char **texts = arena_alloc(v->arena, (v->row_count + 1) * sizeof *texts);
    struct expr *e = expr_new(box, d->expression, (struct where){0}, &ignored);
    for (size_t i = 0; i < v->row_count; i++) {
        struct value is;
        LOCAL(str_release) struct str s = {0};
        if (e && row_value(v, e, i, &is)) value_print(is, &s);
        texts[i] = s.size ? arena_strdup(v->arena, s.text) : "";
    }
    if (e) expr_free(e), view_add(v, d->name, "", texts);
}

void row_value_derive(struct view *v, const struct question *q)
{
    struct sandbox *box = NULL;
    for (size_t i = 0; i < q->derived_count; i++) {
        if (view_column(v, q->derived[i].name) >= 0) continue;
        if (!box) box = sandbox_new(&(struct sandbox_limits){0});
        derive(v, box, &q->derived[i]);
    }
    if (box) sandbox_free(box);
}
