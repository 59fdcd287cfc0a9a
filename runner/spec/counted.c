// Looks for the names of counted columns in expressions and in the text of a script.
// SPDX-License-Identifier: MIT
#include "spec/experiment.h"

#include "lua/script.h"

#include <string.h>

#include "spec/columns.h"
#include "spec/skip.h"

static int counted_as(const char *name)
{
    bool sim;
    const int c = column_shown(name, &sim);
    if (c < 0 || !column_counted(c)) return 0;
    return column_table[c].group == COLUMNS_ACCESS ? COUNTS_ACCESS : COUNTS_HARDWARE;
}

static int by_expression(const struct source_expr *x, struct sandbox *lua)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct expr *e = x->text ? expr_new(lua, x->text, x->at, &ignored) : NULL;
    int counts = 0;
    for (const char *const *n = e ? expr_names(e) : NULL; n && *n; n++) counts |= counted_as(*n);
    expr_free(e);
    return counts;
}

int counted_asked(const struct experiment *e, struct sandbox *lua)
{
    int counts = 0;
    for (size_t i = 0; i < e->derive_count; i++) counts |= by_expression(&e->derive[i].expr, lua);
    for (size_t i = 0; i < e->expect_count; i++)
        counts |= by_expression(&e->expect[i].when, lua) | by_expression(&e->expect[i].that, lua);
    return counts;
}

// `row.name` outside of a comment.
static bool reads(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *comment = strstr(line, "--");
        if (comment && comment < end) end = comment;
        for (const char *p = line; (p = strstr(p, name)) && p < end; p += n)
            if (p > line && p[-1] == '.' && !skip_is_word(p[n])) return true;
    }
    return false;
}

int counted_script(const struct experiment *e, const struct script *s)
{
    const struct script_facts *f = script_facts(s);
    int counts = 0;
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (reads(script_source(s), column_table[c].name)) counts |= counted_as(column_table[c].name);
    for (size_t i = 0; f->params && f->params[i]; i++) { // a column that a parameter names
        struct value v = f->param_values[i];
        for (size_t k = 0; k < e->script_options.count; k++)
            if (strcmp(e->script_options.items[k].name, f->params[i]) == 0) v = e->script_options.items[k].value;
        if (v.kind == VALUE_TEXT) counts |= counted_as(v.text);
    }
    return counts;
}
