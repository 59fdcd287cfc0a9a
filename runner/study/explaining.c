// Gathers what is known of a point, what follows from it, and what another value would gain.
// SPDX-License-Identifier: MIT
#include "study/explaining.h"

#include "spec/columns.h"
#include "study/proving.h"
#include "study/studying.h"
#include "plan/asks.h"
#include "study/knobs.h"

#include <math.h>
#include <string.h>

// Where the rule knows no test, a value that the experiment itself knows may be one.
static bool test_of(const struct explaining *x, const struct evidence *e, struct advice *f, struct proof *proof,
    struct arena *a)
{
    if (!f->test && f->line && x->other_time) knobs_known(x->other_time, x->rows, x->plan, x->values, e, f, a);
    if (!f->test && f->line && x->trial && x->places) knobs_try(x->trial, x->plan, x->values, e, f, a);
    if (!f->test) return false;
    *proof = (struct proof){.before_us = x->columns[COLUMN_TIME_US], .timed = true, .kept = true};
    proof->after_us = x->other_time ? x->other_time(x->rows, f->test) : NAN;
    if (proof->before_us > 0 && proof->after_us > 0) return true;
    if (!x->prove) return false;
    proving_run(x->plan, x->values, x->job, f->test, x->prove, e, proof);
    return true;
}

// `threads` and a grid of expressions follow from sizes.
static bool given(const struct explaining *x)
{
    const struct kernel *k = x->kernel;
    uint32_t grid[3];
    if (asks_dimensions(x->job, SETTING_GRID, grid)) return true;
    for (int i = 0; i < 3; i++)
        if (k && k->grid[i].text && k->grid[i].text[strspn(k->grid[i].text, "0123456789")]) return false;
    if (k && k->threads[0].text && !k->threads[0].text[strspn(k->threads[0].text, "0123456789")]) return true;
    return k && k->grid[0].text && !k->threads[0].text;
}

void explaining_evidence(const struct explaining *x, struct evidence *e, struct profile *room)
{
    *e = (struct evidence){.job = x->job,
        .columns = x->columns,
        .places = asks_is(x->job, SETTING_TIMED, "launch") ? x->places : NULL, // else the kernel is not what was timed
        .device = room,
        .known = evidence_device(x->device, x->limits, room),
        .given = given(x),
        .grows = !given(x) && x->kernel && x->kernel->threads[0].text && !x->kernel->grid[0].text,
        .whole = x->whole};
    evidence_limits(e);
}

void explaining_each(const struct explaining *x, const struct explaining_teller *t, void *context)
{
    struct advice found[FINDINGS_TOLD];
    struct arena *a = arena_new();
    struct profile device;
    struct evidence e;
    explaining_evidence(x, &e, &device);
    const size_t count = x->numbers ? findings_of(&e, found, a) : 0;
    if (t->begin(context, x, &e, found, count)) {
        for (size_t i = 0; i < count; i++) {
            struct proof proof;
            const bool tested = test_of(x, &e, &found[i], &proof, a);
            t->finding(context, x, &e, i + 1, &found[i], tested ? &proof : NULL);
        }
        t->end(context, x, &e, count);
    }
    arena_free(a);
}
