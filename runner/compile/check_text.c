// The entry that calls `check`, or holds every element to what `expected` returns: gpuexp_check, with its arguments.
// SPDX-License-Identifier: MIT
#include "compile/kernel_text.h"

#include <stdio.h>
#include <string.h>

// The functions that judge: all that expect a value, or the one that says yes or no.
static const struct function *judge(const struct job *job, size_t i)
{
    return i < job->expect_count ? job->expects[i].by : i || !job->check ? NULL : job->check;
}

static bool asked_before(const struct job *job, size_t buffer)
{
    const struct job_buffer *b = &job->buffers[buffer];
    char name[160];
    const char *own[] = {b->name, b->as};
    const struct function *f;
    for (size_t i = 0; b->access == ACCESS_BOTH && (f = judge(job, i / 2)); i++) {
        snprintf(name, sizeof name, "%s_before", own[i % 2] ? own[i % 2] : b->name);
        for (size_t k = 1; k < f->count; k++)
            if (strcmp(f->arguments[k].name, name) == 0) return true;
    }
    return false;
}

size_t compile_check_arguments(const struct job *job, struct compile_argument *out, size_t most)
{
    size_t n = 0;
#define ADD(what, which) \
    do { \
        if (n < most) out[n] = (struct compile_argument){what, which}; \
        n++; \
    } while (0)
    for (size_t i = 0; i < job->buffer_count; i++) ADD(TAKE_BUFFER, i);
    for (size_t i = 0; i < job->buffer_count; i++)
        if (asked_before(job, i)) ADD(TAKE_BEFORE, i);
    for (size_t i = 0; i < job->scalar_count; i++)
        if (kernel_text_is_scalar(job->scalars[i].value)) ADD(TAKE_SCALAR, i);
    if (job->expect_count) ADD(TAKE_TOLERANCE, 0);
    if (job->expect_count) ADD(TAKE_TOLERANCE, 1);
    for (size_t i = 0; job->expect_count > 1 && i < job->expect_count; i++) ADD(TAKE_LENGTH, job->expects[i].buffer);
    ADD(TAKE_COUNT, 0);
    ADD(TAKE_RESULT, 0);
#undef ADD
    return n;
}

static void add_head(struct str *s, const struct job *job)
{
    static const char *const names[] = {"abs", "rel"};
    struct compile_argument take[256];
    const size_t n = compile_check_arguments(job, take, 256);
    kernel_text_head(s, "gpuexp_check", "");
    for (size_t i = 0; i < n && i < 256; i++) {
        const struct job_buffer *b = take[i].take <= TAKE_BEFORE ? &job->buffers[take[i].index] : NULL;
        if (b) str_addf(s, "%s *%s%s, ", b->type, b->name, take[i].take == TAKE_BEFORE ? "_before" : "");
        else if (take[i].take == TAKE_SCALAR) kernel_text_scalar(s, &job->scalars[take[i].index]);
        else if (take[i].take == TAKE_TOLERANCE) str_addf(s, "double gpuexp_%s, ", names[take[i].index]);
        else if (take[i].take == TAKE_LENGTH)
            str_addf(s, "size_t gpuexp_length_%s, ", job->buffers[take[i].index].name);
    }
    str_add(s, "size_t gpuexp_n, unsigned long long *gpuexp_result)\n{\n" KERNEL_TEXT_LOOP "    {\n");
    str_addf(s,
        "        if (gpuexp_result[%d] > 1) {\n"
        "            unsigned long long of = (gpuexp_i >> 8) * 0x9e3779b97f4a7c15ULL + gpuexp_result[%d];\n"
        "            of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9ULL;\n"
        "            if ((of ^ of >> 31) %% gpuexp_result[%d]) continue;\n"
        "        }\n",
        CHECK_PART, CHECK_PICK, CHECK_PART);
}

// The call, at the user's own line: a type that does not fit is the user's `check`, not this text.
static bool add_call(struct str *s, const struct job *job, const struct function *f, struct diags *d)
{
    const struct where at = {.file = job->path, .line = f->line, .column = 1};
    bool good = true;
    kernel_text_line(s, f->line, job->path);
    str_addf(s, "%s(gpuexp_i", f->name);
    for (size_t i = 1; i < f->count; i++) {
        char text[160];
        const char *name = f->arguments[i].name, *here = kernel_text_known(job, true, name, text);
        if (!here)
            good = diag_user(d, at,
                "it may ask for buffers, for <buffer>_before of those read and written, and for parameters",
                "`%s` asks for `%s`, which is not there", f->name, name);
        else str_addf(s, ", %s", here);
    }
    str_add(s, ")");
    kernel_text_line(s, 1, "gpuexp");
    return good;
}

bool compile_is_real(const char *scalar)
{
    return strcmp(scalar, "float") == 0 || strcmp(scalar, "double") == 0 || strcmp(scalar, "half") == 0 ||
        strcmp(scalar, "__nv_bfloat16") == 0;
}

// Numbers of each lane, side by side. Infinities and NaNs are right where both are the same; the value that is asked
// for, by its index in result[CHECK_ASKED], goes behind it, with whose it is: the first that is wrong.
static bool add_comparison(struct str *s, const struct job *job, size_t by, struct diags *d)
{
    const struct job_buffer *b = &job->buffers[job->expects[by].buffer];
    const bool real = compile_is_real(b->scalar), half = real && b->element_bytes / (uint64_t)b->lanes == 2;
    const char *number = half ? "(double)(float)" : "(double)";
    if (job->expect_count > 1) str_addf(s, "        if (gpuexp_i < gpuexp_length_%s)\n", b->name);
    str_addf(s, "        { const %s gpuexp_value =", b->type);
    const bool good = add_call(s, job, job->expects[by].by, d);
    str_addf(s,
        ";\n        const %s *gpuexp_want = (const %s *)&gpuexp_value, *gpuexp_is = (const %s *)&%s[gpuexp_i];\n"
        "        const bool gpuexp_asked = !gpuexp_wrong && gpuexp_i == gpuexp_result[%d];\n"
        "        if (gpuexp_asked) gpuexp_result[%d] = %zu;\n"
        "        for (int k = 0; k < %d; k++) {\n"
        "            const double w = %sgpuexp_want[k], f = %sgpuexp_is[k], e = w > f ? w - f : f - w;\n"
        "            const double most = gpuexp_abs + gpuexp_rel * (w < 0 ? -w : w);\n",
        b->scalar, b->scalar, b->scalar, b->name, CHECK_ASKED, CHECK_BY, by, b->lanes, number, number);
    str_addf(s, "            if (gpuexp_asked) gpuexp_result[%d + k] = %s;\n", CHECK_VALUE,
        real ? "*(const unsigned long long *)&w" : "(unsigned long long)gpuexp_want[k]");
    str_addf(s,
        "            if (%s || (w != w && f != f)) continue;\n"
        "            if (e - e == 0 && most > 0 && e <= most) continue;\n"
        "            gpuexp_wrong = true;\n"
        "            atomicMax(&gpuexp_result[%d], *(const unsigned long long *)&e & ~(1ULL << 63));\n"
        "        } }\n",
        half ? "w == f" : "gpuexp_want[k] == gpuexp_is[k]", CHECK_ERROR);
    return good;
}

bool check_text_add(struct str *s, const struct job *job, struct diags *d)
{
    bool good = true;
    add_head(s, job);
    if (job->expect_count) str_add(s, "        bool gpuexp_wrong = false;\n");
    for (size_t i = 0; i < job->expect_count; i++) good &= add_comparison(s, job, i, d);
    str_add(s, job->expect_count ? "        if (gpuexp_wrong" : "        if (!(");
    if (!job->expect_count) {
        good = add_call(s, job, job->check, d);
        str_add(s, ")");
    }
    str_addf(s,
        ") {\n            atomicAdd(&gpuexp_result[%d], 1ULL);\n"
        "            atomicMin(&gpuexp_result[%d], (unsigned long long)gpuexp_i);\n        }\n    }\n}\n",
        CHECK_WRONG, CHECK_FIRST);
    return good;
}
