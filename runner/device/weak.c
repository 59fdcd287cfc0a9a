// SPDX-License-Identifier: MIT
#include "device/weak.h"

#include "compile/compile.h"
#include "device/host_fill.h"

#include <string.h>

static bool is_taken(const struct job *job, const struct job_buffer *b)
{
    for (size_t i = 0; job->check && i < job->check->count; i++)
        if (job->check->arguments[i].name && strcmp(job->check->arguments[i].name, b->name) == 0) return true;
    for (size_t i = 0; i < job->expect_count; i++)
        if (&job->buffers[job->expects[i].buffer] == b) return true;
    return false;
}

// What `check` takes by name it is to see. A pointer is no number: one that is another leads astray.
static bool is_asked(const struct job *job, const struct job_buffer *b)
{
    return b->access != ACCESS_READ && b->count && !b->declared && b->lanes > 0 && !strchr(b->type, '*') &&
        b->element_bytes <= sizeof((struct weak_spot *)NULL)->was && is_taken(job, b);
}

void weak_note(struct weak_spots *s, const struct job *job, const struct weak_device *d)
{
    s->count = 0;
    for (uint64_t k = 0; k < WEAK_SPOTS; k++)
        for (size_t i = 0; i < job->buffer_count && s->count < sizeof s->of / sizeof *s->of; i++) {
            struct weak_spot *spot = &s->of[s->count];
            if (!is_asked(job, &job->buffers[i])) continue;
            *spot = (struct weak_spot){i, fill_hash(i, k) % job->buffers[i].count, {0}};
            s->count += d->fetch(d->context, i, spot->element, spot->was);
        }
}

// What is read too a launch may leave as it was. What is only written, and was not, is not seen. A number is spoiled
// once.
static bool keep_written(struct weak_spots *s, const struct job *job, const struct weak_device *d)
{
    size_t n = 0;
    for (size_t k = 0; k < s->count && n < WEAK_SPOTS; k++) {
        struct weak_spot spot = s->of[k];
        unsigned char is[sizeof spot.was] = {0};
        bool twice = false;
        for (size_t i = 0; i < n; i++) twice |= s->of[i].buffer == spot.buffer && s->of[i].element == spot.element;
        if (!d->fetch(d->context, spot.buffer, spot.element, is)) return false;
        const struct job_buffer *b = &job->buffers[spot.buffer];
        if (twice || (b->access == ACCESS_BOTH && memcmp(is, spot.was, b->element_bytes) == 0)) continue;
        memcpy(spot.was, is, sizeof is); // which is what is right
        s->of[n++] = spot;
    }
    s->count = n;
    return true;
}

static bool put(const struct weak_spot *spot, const struct job *job, const struct weak_device *d, bool spoiled)
{
    struct job_buffer one = job->buffers[spot->buffer];
    unsigned char bytes[sizeof spot->was];
    memcpy(bytes, spot->was, sizeof bytes);
    one.count = 1, one.bytes = one.element_bytes;
    if (spoiled) host_fill_spoil(&one, bytes, 1, false);
    return d->store(d->context, spot->buffer, spot->element, bytes);
}

// All at once tell where an element of `check` looks at one number. Else a few tell, one after the other, or one where
// `check` is called so seldom that each call may look at everything, and takes long.
static bool ask_spots(struct weak_spots *s, const struct job *job, const struct weak_device *d, struct weak_answer *a)
{
    const bool seldom = job->check_count < WEAK_FEW;
    uint64_t wrong = 0, seen = 0;
    if (!keep_written(s, job, d)) return false;
    for (size_t k = 0; !seldom && k < s->count; k++)
        if (!put(&s->of[k], job, d, true)) return false;
    if (!seldom && s->count && !d->check(d->context, 0, &wrong)) return false;
    for (size_t k = 0; !seldom && k < s->count; k++)
        if (!put(&s->of[k], job, d, false)) return false;
    *a = (struct weak_answer){s->count, 0};
    if (2 * wrong >= s->count) return true;
    const size_t most = seldom ? 1 : WEAK_FEW, few = s->count < most ? s->count : most;
    for (size_t k = 0; 2 * seen < few && 2 * (k - seen) <= few; k++) {
        if (!put(&s->of[k], job, d, true) || !d->check(d->context, 0, &wrong) || !put(&s->of[k], job, d, false))
            return false;
        seen += wrong > 0;
        *a = (struct weak_answer){k + 1, k + 1 - seen};
    }
    return true;
}

static bool ask_all(enum weak_off off, const struct job *job, const struct weak_device *d, struct weak_answer *a)
{
    uint64_t part = compile_check_few(job->check_count), wrong = 0;
    if (!d->spoil(d->context, off) || !d->check(d->context, part, &wrong)) return false;
    // One element may look at all, and may not be among these.
    if (!wrong && part > 1 && !d->check(d->context, part = 0, &wrong)) return false;
    *a = (struct weak_answer){compile_check_asked(job->check_count, part, 0), 0};
    a->taken = a->asked - wrong;
    return true;
}

bool weak_ask(struct weak_spots *s, const struct job *job, const struct weak_device *d, struct result_check *v)
{
    uint64_t numbers = 0, written = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        written += job->buffers[i].access != ACCESS_READ && job->buffers[i].count;
        if (is_asked(job, &job->buffers[i])) numbers += job->buffers[i].count;
    }
    if (!written) return true;
    return ((d->spots_of_few && job->check_count >= numbers) || ask_spots(s, job, d, &v->of_spots)) &&
        ask_all(WEAK_NEAR, job, d, &v->of_near) && ask_all(WEAK_SPOILED, job, d, &v->of_spoiled);
}
