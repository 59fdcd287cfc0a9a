// What a verdict makes of a point: nothing where all is right, else its status and the sentence that says what was
// found.
// SPDX-License-Identifier: MIT
#include "measure/measure_inside.h"
#include "measure/result.h"
#include "plan/job.h"

// A result that was made of what the kernel itself changed is right by accident.
static bool say_changed(struct point *p, const struct result_check *v)
{
    if (v->changed_at == UINT64_MAX) why_note(&p->r->why, WRITES, v->changed);
    else why_note(&p->r->why, WRITES_AT, v->changed, v->changed, (unsigned long long)v->changed_at);
    return measure_over(p, STATUS_FAILED);
}

bool measure_judge(struct point *p, const struct result_check *v, const char *when)
{
    if (v->changed) return say_changed(p, v);
    if (v->unlike && !v->unlike_count) {
        why_note(&p->r->why, COARSE, v->unlike, 100 * v->coarse);
        return measure_over(p, STATUS_WRONG);
    }
    if (v->unlike) {
        why_note(&p->r->why, UNLIKE, v->unlike, (unsigned long long)v->unlike_count, (unsigned long long)v->unlike_at);
        return measure_over(p, STATUS_WRONG);
    }
    if (v->wrong == 0) return true;
    why_note(&p->r->why, WRONG, when, (unsigned long long)v->wrong, (unsigned long long)v->checked,
        (unsigned long long)v->first, *v->found.text ? ": " : "", v->found.text);
    if (v->found.unwritten) why_note(&p->r->why, WRONG_UNWRITTEN, v->found.unwritten);
    else if (v->found.error > 0) why_note(&p->r->why, WRONG_BY, v->found.error);
    if (v->found.off > 0 && v->found.off < 1e-5) why_note(&p->r->why, WRONG_LITTLE, v->found.off);
    const size_t launches = job_launches(p->job);
    if (launches > 1) why_note(&p->r->why, WRONG_AFTER, launches, job_launch(p->job, launches - 1).entry);
    return measure_over(p, STATUS_WRONG);
}
