// `answer`: sentences with numbers of the report in them. The brackets are matched here, so that a mistake is named
// before the run; what stands in them is looked up in rows that are there later (page/told.c).
// SPDX-License-Identifier: MIT
#include "spec/reading.h"

#include <string.h>

static void check_braces(const struct reading *r, const struct node *n, const char *says)
{
    int depth = 0;
    for (const char *p = says; *p && depth >= 0 && depth < 2; p++) depth += (*p == '{') - (*p == '}');
    if (depth)
        node_complain(r->diags, n, "It takes {time_us[stride == 8] / time_us[stride == 1]} times as long.",
            "`answer` has a { without its }, or one within another");
}

static struct source_expr text_at(const struct reading *r, const struct node *n, const char *what)
{
    const char *text = n ? node_text(n, what, words_find(&words_answer, what)->takes, r->diags) : NULL;
    return text ? (struct source_expr){text, node_where_text(n)} : (struct source_expr){0};
}

void answers_read(const struct reading *r)
{
    const struct node *n = node_get(r->root, "answer");
    if (!n || node_is_empty(n)) return;
    const size_t count = n->kind == NODE_LIST ? n->count : 1;
    struct reply *all = arena_alloc(r->arena, (count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        const struct node *item = n->kind == NODE_LIST ? n->items[i] : n, *says = item;
        if (item->kind == NODE_MAP) {
            node_check_keys(item, &words_answer, r->diags);
            says = node_get(item, "says");
        }
        all[i].when = item->kind == NODE_MAP ? text_at(r, node_get(item, "when"), "when") : (struct source_expr){0};
        all[i].says = text_at(r, says, "says");
        if (all[i].says.text) check_braces(r, says, all[i].says.text);
    }
    r->e->answers = all;
    r->e->answer_count = count;
}
