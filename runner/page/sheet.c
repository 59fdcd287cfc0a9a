// One report for a page: its rows, what its run file says, what its experiment asks, and what to draw of it.
// SPDX-License-Identifier: MIT
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "page/answer.h"
#include "page/html.h"
#include "page/row_value.h"
#include "store/runfile.h"

const char *sheet_title(const struct sheet *s)
{
    const struct view *v = &s->view;
    int column = view_column(v, "experiment");
    if (column >= 0 && v->row_count && *v->rows[0][column]) return v->rows[0][column];
    char *path = arena_strdup(v->arena, v->path), *name = basename(path), *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
    return name;
}

bool sheet_read(struct sheet *s, const char *path, const struct chart_wish *wish, struct diags *d)
{
    *s = (struct sheet){.number = 1};
    if (!view_read(&s->view, path, d)) return false;
    LOCAL(mem_drop) char *runfile = runfile_read(path);
    run_facts_read(&s->facts, runfile, s->view.arena);
    question_read(&s->question, runfile, sheet_title(s), s->view.arena);
    row_value_derive(&s->view, &s->question);
    for (size_t i = 0; i < s->view.column_count; i++) {
        const char *unit = question_unit(&s->question, s->view.columns[i].name);
        if (unit && !*s->view.columns[i].unit) s->view.columns[i].unit = unit;
    }
    if (!charts_choose(&s->view, &s->question, wish, &s->charts, d)) return false;
    LOCAL(str_release) struct str answer = {0};
    answer_add(&s->view, &s->question, &s->charts, &answer);
    s->answer = answer.size ? arena_strdup(s->view.arena, answer.text) : NULL;
    return true;
}

void sheet_release(struct sheet *s) { view_release(&s->view); }
