// A plan with a script: `points` makes the points in the axes' place, `keep` is one more clause, after the file's own.
// SPDX-License-Identifier: MIT
#include "lua/script.h"
#include "plan/plan_inside.h"

#include <stdlib.h>
#include <string.h>

enum { MADE_MOST = 10000000 }; // points that a script may make

// A script's reason as a clause; often it is the same as the last one.
static uint32_t reason_clause(struct plan *p, const char *reason)
{
    LOCAL(str_release) struct str why = {0};
    str_addf(&why, "keep%s%s", reason ? ": " : "", reason ? reason : "");
    size_t first = p->clause_count > p->fixed_clauses + 16 ? p->clause_count - 16 : p->fixed_clauses, i = first;
    while (i < p->clause_count && strcmp(p->clauses[i].why, why.text) != 0) i++;
    if (i == p->clause_count) {
        mem_grow(&p->clauses, &p->clause_room, p->clause_count + 1, sizeof *p->clauses);
        p->clauses[p->clause_count++] = (struct clause){.why = arena_strdup(p->arena, why.text), .at = p->e->script_at};
    }
    return (uint32_t)i;
}

bool plan_script_keep(struct plan *p, bool *keep, uint32_t *clause, struct diags *d)
{
    const char *reason;
    bool good = script_keep(p->script, p->shape, p->slots, keep, &reason, d);
    if (good && !*keep) *clause = reason_clause(p, reason);
    return good;
}

struct making {
    struct plan *plan;
    struct diags *d;
    struct value *values;
};

// A removed point of a script has no code in the product: it is kept with the extra points, but is not one of them.
static uint32_t keep_values(struct plan *p, const struct value *values)
{
    struct value *own = arena_alloc(p->arena, p->name_count * sizeof *own);
    for (size_t i = 0; i < p->name_count; i++) own[i] = value_copy(values[i], p->arena);
    mem_grow(&p->extras, &p->extra_room, p->extra_count + 1, sizeof *p->extras);
    p->extras[p->extra_count] = own;
    return (uint32_t)(p->product + p->extra_count++);
}

static bool make_point(void *context, const struct value *values)
{
    struct making *m = context;
    struct plan *p = m->plan;
    bool keep;
    uint32_t clause = 0;
    memcpy(m->values, values, p->name_count * sizeof *values);
    points_inherit(p, m->values);
    memcpy(p->slots, m->values, p->name_count * sizeof *values);
    if (p->product + p->extra_count >= MADE_MOST)
        return diag_user(m->d, p->e->script_at, NULL, "points: more than %d points", MADE_MOST);
    if (!filter_keep(p, &keep, &clause, m->d)) return false;
    if (keep) points_add(p, m->values);
    else points_remove(p, keep_values(p, m->values), clause);
    return true;
}

bool plan_script_make(struct plan *p, struct diags *d)
{
    size_t n = 0;
    for (size_t i = 0; i < p->e->sweep_count; i++) n += p->e->sweep[i].count;
    LOCAL(mem_drop) struct script_axis *axes = mem_alloc(n * sizeof *axes);
    struct making m = {p, d, mem_alloc(p->name_count * sizeof *m.values)};
    n = 0;
    for (size_t i = 0; i < p->e->sweep_count; i++)
        for (size_t k = 0; k < p->e->sweep[i].count; k++) {
            const struct axis *axis = &p->e->sweep[i].items[k];
            axes[n++] = (struct script_axis){axis->name, axis->values, axis->count};
        }
    bool good = script_points(p->script, axes, n, p->shape, make_point, &m, d);
    free(m.values);
    return good;
}
