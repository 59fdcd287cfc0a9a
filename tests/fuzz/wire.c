// Fuzz target: any bytes as what comes out of the pipe between a run and its worker. What is read is written again and
// has to come out the same.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "measure/result.h"
#include "measure/taken.h"
#include "measure/wire.h"
#include "store/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Numbers may come back as another NaN: the second writing has to equal the third.
static void check(const struct str *first, const struct str *second)
{
    if (first->size != second->size || memcmp(first->text, second->text, first->size) != 0) abort();
}

static void read_job(const void *p, size_t size)
{
    struct arena *a = arena_new();
    struct job job, again;
    struct str first = {0}, second = {0};
    if (wire_read_job(p, size, a, &job)) {
        wire_write_job(&first, &job);
        if (!wire_read_job(first.text, first.size, a, &again)) abort();
        wire_write_job(&second, &again);
        check(&first, &second);
    }
    str_release(&first);
    str_release(&second);
    arena_free(a);
}

static void read_result(const void *p, size_t size)
{
    struct result r, again;
    struct str first = {0}, second = {0};
    if (wire_read_result(p, size, &r)) {
        wire_write_result(&first, &r);
        if (!wire_read_result(first.text, first.size, &again)) abort();
        wire_write_result(&second, &again);
        check(&first, &second);
    }
    str_release(&first);
    str_release(&second);
}

static void read_identity(const void *p, size_t size)
{
    struct device_identity id, again;
    struct str first = {0}, second = {0};
    if (wire_read_identity(p, size, &id)) {
        wire_write_identity(&first, &id);
        if (!wire_read_identity(first.text, first.size, &again)) abort();
        wire_write_identity(&second, &again);
        check(&first, &second);
    }
    str_release(&first);
    str_release(&second);
}

// What is written of samples is one line a place, and each of its times is what was sent, with the letter of its kind.
static void read_samples(const char *p, size_t size)
{
    struct str taken = {0}, lines = {0};
    str_add_bytes(&taken, p, size);
    samples_lines(&lines, "key", 1, &taken);
    const size_t count = taken_count(&taken);
    size_t i = 0;
    for (char *line = lines.size ? lines.text : "", *end; *line; line = end + 1) {
        if (!(end = strchr(line, '\n'))) abort();
        for (int comma = 0; comma < 5; comma++) line = strchr(line, ',') + 1;
        for (const char *at = line; *at != ','; i++) {
            char *after;
            if (i == count) abort();
            const struct taken *t = taken_at(&taken, i);
            if (taken_letters[t->kind] && *at++ != taken_letters[t->kind]) abort();
            const double us = strtod(at, &after);
            if (after == at || fabs(us - t->us) > 1e-6 * t->us) abort();
            at = after + (*after == ' ');
        }
    }
    if (i != count) abort();
    str_release(&taken);
    str_release(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data;
    enum wire_kind kind;
    size_t payload;
    bool broken = false;
    for (size_t at = 0; at < size && wire_framed(p + at, size - at, &kind, &payload, &broken);
         at += WIRE_HEAD + payload) {
        if (broken || payload > size - at - WIRE_HEAD) abort();
        const char *inside = p + at + WIRE_HEAD;
        if (kind == WIRE_JOB || kind == WIRE_AHEAD) read_job(inside, payload);
        else if (kind == WIRE_IDENTITY) read_identity(inside, payload);
        else if (kind == WIRE_RESULT || kind == WIRE_LAST_RESULT) read_result(inside, payload);
        else if (kind == WIRE_SAMPLES) read_samples(inside, payload);
    }
    read_job(p, size); // a fuzzer seldom makes a frame
    read_result(p, size);
    read_identity(p, size);
    read_samples(p, size);
    return 0;
}
