// The words of found.h.
// SPDX-License-Identifier: MIT
#include "device/found.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "device/host_fill.h"
#include "sim/ops/half.h"
#include "spec/kernel.h"

#define READER(name, type, convert) \
    static double name(const void *at) \
    { \
        type x; \
        memcpy(&x, at, sizeof x); \
        return (double)convert(x); \
    }
READER(of_bool, unsigned char, 0 !=)
READER(of_char, signed char, )
READER(of_uchar, unsigned char, )
READER(of_short, int16_t, )
READER(of_ushort, uint16_t, )
READER(of_int, int32_t, )
READER(of_uint, uint32_t, )
READER(of_long, int64_t, )
READER(of_ulong, uint64_t, )
READER(of_float, float, )
READER(of_double, double, )
READER(of_half, uint16_t, half_to_float)
READER(of_bfloat, uint16_t, bf16_to_float)

double reported_number(const char *type, const void *at)
{
    static const struct {
        const char *scalar;
        double (*read)(const void *);
    } readers[] = {
        {"bool", of_bool},
        {"char", of_char},
        {"signed char", of_char},
        {"unsigned char", of_uchar},
        {"short", of_short},
        {"unsigned short", of_ushort},
        {"int", of_int},
        {"unsigned int", of_uint},
        {"long long", of_long},
        {"unsigned long long", of_ulong},
        {"float", of_float},
        {"double", of_double},
        {"half", of_half},
        {"__nv_bfloat16", of_bfloat},
    };
    int lanes = 0;
    const char *scalar = kernel_type_scalar(type, &lanes);
    for (size_t i = 0; scalar && lanes == 1 && i < sizeof readers / sizeof readers[0]; i++)
        if (strcmp(readers[i].scalar, scalar) == 0) return readers[i].read(at);
    return NAN;
}

static void add(struct found_values *f, const char *text)
{
    const size_t n = strlen(f->text);
    snprintf(f->text + n, sizeof f->text - n, "%s", text);
}

// Few digits where they say all, as many as it takes where not.
static void add_real(struct found_values *f, double r, bool narrow)
{
    char text[40];
    if (isnan(r)) {
        add(f, "nan");
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, r);
        const double back = strtod(text, NULL);
        if (narrow ? (float)back == (float)r : back == r) break;
    }
    add(f, text);
}

static void add_scalar(struct found_values *f, const char *scalar, const void *at)
{
    char text[32] = "";
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    if (strcmp(scalar, "unsigned long long") == 0) snprintf(text, sizeof text, "%llu", (unsigned long long)bits);
    else if (strcmp(scalar, "long long") == 0) snprintf(text, sizeof text, "%lld", (long long)bits);
    else if (!compile_is_real(scalar)) snprintf(text, sizeof text, "%.0f", reported_number(scalar, at));
    if (*text) add(f, text);
    else add_real(f, reported_number(scalar, at), strcmp(scalar, "double") != 0);
}

// One number, or those of a vector in brackets.
static void add_element(struct found_values *f, const struct job_buffer *b, const unsigned char *at)
{
    unsigned char scalar[8] = {0};
    const size_t bytes = (size_t)(b->element_bytes / (uint64_t)b->lanes);
    if (b->lanes > 1) add(f, "(");
    for (int i = 0; i < b->lanes; i++) {
        if (i) add(f, ", ");
        memcpy(scalar, at + bytes * (size_t)i, bytes);
        add_scalar(f, b->scalar, scalar);
    }
    if (b->lanes > 1) add(f, ")");
}

// A real number as a double, a whole one as 64 bits: as the text around the kernel left them.
static void add_expected(struct found_values *f, const struct job_buffer *b, const uint64_t *value)
{
    const bool real = compile_is_real(b->scalar);
    const bool narrow = real && strcmp(b->scalar, "double") != 0;
    add(f, b->lanes > 1 ? ", expected (" : ", expected ");
    for (int i = 0; i < b->lanes; i++) {
        double x;
        memcpy(&x, &value[i], sizeof x);
        if (i) add(f, ", ");
        if (real) add_real(f, x, narrow);
        else add_scalar(f, strstr(b->scalar, "unsigned") ? "unsigned long long" : "long long", &value[i]);
    }
    if (b->lanes > 1) add(f, ")");
}

// Of fewer than four bytes a kernel may have made the same ones.
static bool is_poison(const struct job_buffer *b, const unsigned char *at)
{
    unsigned char poison[64];
    if (b->element_bytes < 4) return false;
    struct job_buffer one = *b;
    one.count = 1, one.bytes = b->element_bytes;
    host_fill_poison(&one, poison, 1);
    return memcmp(poison, at, b->element_bytes) == 0;
}

// A buffer of another length has no element that goes with the one that is wrong.
static bool is_beside(const struct job *job, size_t i, const struct expects *by)
{
    size_t k = by ? by->buffer : 0;
    while (!by && k + 1 < job->buffer_count && job->buffers[k].access == ACCESS_READ) k++;
    return job->buffers[i].access != ACCESS_READ || job->buffers[i].count == job->buffers[k].count;
}

static void add_buffer(struct found_values *f, const struct job *job, size_t i, bool before, uint64_t element,
    found_fetch *fetch, void *context)
{
    const struct job_buffer *b = &job->buffers[i];
    unsigned char bytes[64] = {0};
    if (element >= b->count || b->declared || b->element_bytes > sizeof bytes || b->lanes < 1) return;
    if (!fetch(context, i, before, element, bytes)) return;
    if (*f->text) add(f, ", ");
    add(f, b->name);
    if (!before && b->access == ACCESS_WRITE && is_poison(b, bytes)) {
        add(f, " was never written");
        f->unwritten = b->name;
        return;
    }
    add(f, before ? "_before = " : " = ");
    add_element(f, b, bytes);
}

// How far it is off, where no tolerance is given.
static void set_off(struct found_values *f, const struct job *job, const uint64_t *result, found_fetch *fetch,
    void *context)
{
    const size_t i = job->expects[result[CHECK_BY]].buffer;
    const struct job_buffer *b = &job->buffers[i];
    unsigned char bytes[64] = {0};
    double want;
    memcpy(&want, &result[CHECK_VALUE], sizeof want);
    if (b->lanes != 1 || !compile_is_real(b->scalar) || want == 0 || job->tolerance[0] > 0 || job->tolerance[1] > 0)
        return;
    if (fetch(context, i, false, result[CHECK_FIRST], bytes))
        f->off = fabs(reported_number(b->scalar, bytes) / want - 1);
}

void found_fill(struct found_values *f, const struct job *job, const uint64_t *result, found_fetch *fetch,
    void *context)
{
    const uint64_t at = result[CHECK_FIRST];
    const struct expects *by = job->expect_count ? &job->expects[result[CHECK_BY]] : NULL;
    *f = (struct found_values){0};
    // What is written stands first.
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < job->buffer_count; i++) {
            const enum access access = job->buffers[i].access;
            if ((access == ACCESS_READ) != turn || !is_beside(job, i, by)) continue;
            add_buffer(f, job, i, false, at, fetch, context);
            if (by && i == by->buffer && *f->text) add_expected(f, &job->buffers[i], result + CHECK_VALUE);
            if (access == ACCESS_BOTH) add_buffer(f, job, i, true, at, fetch, context);
        }
    if (!by) return;
    memcpy(&f->error, &result[CHECK_ERROR], sizeof f->error);
    if (isnan(f->error)) f->error = INFINITY;
    if (result[CHECK_FIRST] < job->buffers[by->buffer].count) set_off(f, job, result, fetch, context);
}
