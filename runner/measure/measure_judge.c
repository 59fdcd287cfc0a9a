// What a verdict makes of a point: nothing where all is right, else its status and the sentence that says what was
// found.
// SPDX-License-Identifier: MIT
#include "measure/measure_inside.h"
#include "plan/job.h"

// A result that was made of what the kernel itself changed is right by accident.
static bool say_changed(struct point *p, const struct verdict *v)
{
    struct str at = {0};
    if (v->changed_at != UINT64_MAX)
        str_addf(&at, ": `%s[%llu]` is the first element that is another", v->changed,
            (unsigned long long)v->changed_at);
    result_note(p->r, "the kernel writes to `%s`, which is `access: read`%s; with `access: both` it may", v->changed,
        at.text ? at.text : "");
    str_release(&at);
    return measure_over(p, STATUS_FAILED);
}

bool measure_judge(struct point *p, const struct verdict *v, const char *when)
{
    if (v->changed) return say_changed(p, v);
    if (v->wrong == 0) return true;
    result_note(p->r, "%s%llu of %llu elements are wrong, the first is %llu", when, (unsigned long long)v->wrong,
        (unsigned long long)v->checked, (unsigned long long)v->first);
    if (*v->found.text) result_note(p->r, "[%llu]: %s", (unsigned long long)v->first, v->found.text);
    if (v->found.error > 0) result_note(p->r, "the largest error is %.6g", v->found.error);
    const size_t launches = job_launches(p->job);
    if (launches > 1)
        result_note(p->r, "after %zu launches, the last of `%s`", launches, job_launch(p->job, launches - 1).entry);
    return measure_over(p, STATUS_WRONG);
}
