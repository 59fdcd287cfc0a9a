// What the experiment found when it was measured before: prose, and the report that it rests on.
// SPDX-License-Identifier: MIT
#include "base/str.h"
#include "base/text.h"
#include "spec/reading.h"

#include <string.h>

void found_before_read(const struct reading *r)
{
    const struct node *n = node_get(r->root, "found");
    struct found_before *f = &r->e->found;
    if (!n || node_is_empty(n)) return;
    if (n->kind != NODE_MAP) {
        node_complain(r->diags, n, "found: {device: NVIDIA H200, date: 2026-11-22, says: twice as fast}",
            "`found` takes a mapping, not %s", node_kind_name(n));
        return;
    }
    node_check_keys(n, &words_found, r->diags);
    const struct {
        const char *key, **to;
    } all[] = {{"device", &f->device}, {"driver", &f->driver}, {"date", &f->date}, {"by", &f->by},
        {"report", &f->report}, {"says", &f->says}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct node *item = node_get(n, all[i].key);
        if (item) *all[i].to = node_text(item, all[i].key, words_find(&words_found, all[i].key)->takes, r->diags);
    }
    if (!f->says || !f->device || !f->date) f->says = NULL; // what lacks has been complained of
}

char *found_before_text(const struct found_before *f, bool whole)
{
    struct str s = {0};
    const char *end = f->says;
    if (!end) return NULL;
    // A sentence ends with a full stop before a space; the one in `0.5` has none.
    for (end = strstr(f->says, ". "); !whole && end && end > f->says && end[2] >= 'a' && end[2] <= 'z';)
        end = strstr(end + 1, ". ");
    str_addf(&s, "On %s, %s: ", f->device, f->date);
    if (whole || !end) str_add(&s, f->says);
    else str_add_bytes(&s, f->says, (size_t)(end - f->says) + 1);
    return str_take(&s);
}
