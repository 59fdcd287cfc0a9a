// Tells the observer of rows once they are on the disk. Rows are synced together where they come quickly: one by one,
// the disk would set the pace.
// SPDX-License-Identifier: MIT
#include "run/tell.h"

#include <math.h>

static const double together_s = 0.05; // rows of this time are synced together

double tell_time_left(const struct engine *e)
{
    double visits = (double)(e->todo_count * e->contexts), gone = (double)e->visits;
    if (e->done == e->todo_count) return 0;
    return e->visits ? (clock_awake() - e->begun) / gone * fmax(visits - gone, 1) : NAN;
}

static void tell(struct engine *e, const struct written *w)
{
    struct run_point p = {.point = w->task->point + 1,
        .done = ++e->told,
        .todo = e->todo_count,
        .names = e->head.names,
        .values = w->task->values,
        .name_count = e->head.name_count,
        .result = &w->result,
        .left_s = tell_time_left(e),
        .parts = w->task->parts,
        .in_context = w->task->in_context,
        .part_count = w->task->part_count};
    if (e->observer->point) e->observer->point(e->observer->context, &p);
}

void tell_begun(const struct engine *e, const struct task *t)
{
    const struct run_point p = {.point = t->point + 1,
        .done = e->told,
        .todo = e->todo_count,
        .names = e->head.names,
        .values = t->values,
        .name_count = e->head.name_count,
        .left_s = tell_time_left(e)};
    if (e->observer->begun) e->observer->begun(e->observer->context, &p);
}

bool tell_all(struct engine *e)
{
    bool ok = !e->written_count || report_sync(e->report, e->diags);
    for (size_t i = 0; i < e->written_count; i++) {
        if (ok) tell(e, &e->written[i]);
        task_free(e->written[i].task);
    }
    if (e->written_count) e->synced = clock_seconds();
    e->written_count = 0;
    return ok;
}

double tell_due(const struct engine *e)
{
    return e->written_count ? e->synced + together_s - clock_seconds() : INFINITY;
}
