// The launches of a sequence, written out: one that repeats is there once for each time, with its own `step`, and with
// the names that the buffers have at that time (`swap`).
// SPDX-License-Identifier: MIT
#include "plan/job_inside.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LAUNCHES = 20000 };

struct unrolling {
    const struct expr_site *site;
    struct job *job;
    struct kernel kernel; // the point's, its buffers under the names they have now
    struct buffer *buffers;
    struct job_launch *launches;
    size_t count, room;
};

static bool add_launch(struct unrolling *u, const struct expr_site *s, const struct step *step)
{
    struct job *job = u->job;
    struct kernel own = u->kernel;
    const bool shaped = step->grid[0].text || step->threads[0].text;
    if (u->count >= MOST_LAUNCHES)
        return eval_wrong(s, step->at, "the sequence has more than %d launches", MOST_LAUNCHES);
    if (shaped) memcpy(own.grid, step->grid, sizeof own.grid), memcpy(own.threads, step->threads, sizeof own.threads);
    if (step->block[0].text) memcpy(own.block, step->block, sizeof own.block);
    if (step->shared.text) own.shared = step->shared;
    if (step->passed_count) own.passed = step->passed, own.passed_count = step->passed_count;
    job->entry = step->entry;
    job->entry = passing_entry(s, job);
    const struct function *f = kernel_function(&own, job->entry);
    if (!f) return eval_wrong(s, step->at, "the source has no kernel `%s`", step->entry);
    if (!passing_set(s, &own, f, job) || !launch_shape_set(s, &own, shaped || step->block[0].text, job)) return false;
    mem_grow(&u->launches, &u->room, u->count + 1, sizeof *u->launches);
    job->launches = NULL;
    u->launches[u->count++] = job_launch(job, 0);
    return true;
}

static bool swap(struct unrolling *u, const struct expr_site *s, const struct step *step)
{
    for (size_t i = 0; i < step->swap_count; i++) {
        struct buffer *a = (struct buffer *)kernel_buffer(&u->kernel, step->swap[i][0]);
        struct buffer *b = (struct buffer *)kernel_buffer(&u->kernel, step->swap[i][1]);
        const struct job_buffer *x = &u->job->buffers[a - u->buffers], *y = &u->job->buffers[b - u->buffers];
        if (x->bytes != y->bytes)
            return eval_wrong(s, step->at, "`%s` and `%s` swap places and are not of one size", a->name, b->name);
        const char *name = a->name, *as = a->as;
        a->name = b->name, a->as = b->as;
        b->name = name, b->as = as;
    }
    return true;
}

static bool unroll(struct unrolling *u, const int64_t *outer, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        struct expr_site s = *u->site;
        uint64_t times = 1;
        s.step = outer;
        if (step->repeat.text && !eval_whole(&s, &step->repeat, "`repeat`", 0, &times)) return false;
        if (times > MOST_LAUNCHES)
            return eval_wrong(&s, step->repeat.at, "the sequence has more than %d launches", MOST_LAUNCHES);
        for (int64_t t = 0; t < (int64_t)times; t++) {
            if (step->repeat.text) s.step = &t;
            const bool good = step->entry ? add_launch(u, &s, step) : unroll(u, s.step, step->steps, step->step_count);
            if (!good || !swap(u, &s, step)) return false;
        }
    }
    return true;
}

bool launches_set(const struct expr_site *s, const struct function *entry, struct job *job)
{
    const struct kernel *k = s->kernel;
    struct unrolling u = {.site = s, .job = job, .kernel = *k};
    (void)entry;
    u.buffers = arena_copy(s->arena, k->buffers, k->buffer_count * sizeof *k->buffers);
    u.kernel.buffers = u.buffers;
    bool good = unroll(&u, NULL, k->steps, k->step_count);
    if (good && !u.count) good = eval_wrong(s, k->steps[0].at, "the sequence has no launch");
    struct job_buffer *buffers = (struct job_buffer *)job->buffers; // this file may still change them
    for (size_t i = 0; i < k->buffer_count; i++)
        for (size_t b = 0; b < k->buffer_count; b++)
            if (strcmp(u.buffers[b].name, k->buffers[i].name) == 0) buffers[i].swapped = (int)b - (int)i;
    if (good) {
        const struct job_launch *first = &u.launches[0];
        job->entry = first->entry;
        job->arguments = first->arguments;
        job->argument_count = first->argument_count;
        job->shared = first->shared;
        memcpy(job->grid, first->grid, sizeof job->grid);
        memcpy(job->block, first->block, sizeof job->block);
        job->launches = arena_copy(s->arena, u.launches, u.count * sizeof *u.launches);
        job->launch_count = u.count;
    }
    free(u.launches);
    return good;
}
