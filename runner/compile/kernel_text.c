// Puts the text that is compiled around a kernel file: the point's constants and types before it, entries that call
// `check` and `fill_<buffer>` after it. `#line` keeps every complaint at the user's own line, also one about a call
// that is generated here.
// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "compile/scan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_line(struct str *s, int line, const char *path)
{
    str_addf(s, "\n#line %d \"", line);
    for (const char *p = path; *p; p++) {
        if (*p == '"' || *p == '\\') str_add(s, "\\");
        str_add_bytes(s, p, 1);
    }
    str_add(s, "\"\n");
}

static void add_real(struct str *s, double r)
{
    char text[40];
    if (isnan(r) || isinf(r)) {
        str_add(s, isnan(r) ? "(0.0 / 0.0)" : r > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)");
        return;
    }
    snprintf(text, sizeof text, "%.17g", r);
    str_add(s, text);
    if (!strpbrk(text, ".e")) str_add(s, ".0");
}

static void add_int(struct str *s, int64_t i)
{
    if (i == INT64_MIN) str_add(s, "(-9223372036854775807LL - 1)");
    else str_addf(s, "%lld%s", (long long)i, i > INT_MAX || i < INT_MIN ? "LL" : "");
}

// A name as part of an identifier: `row-major` becomes row_major.
static void add_name(struct str *s, const char *text)
{
    for (const char *p = text; *p; p++) {
        char c = scan_is_word(*p) ? *p : '_';
        str_add_bytes(s, &c, 1);
    }
}

static void add_named(struct str *s, const struct job_constant *c)
{
    str_addf(s, "enum %s_values { ", c->name);
    for (size_t i = 0; c->one_of && i < c->one_of->count; i++) {
        if (c->one_of->items[i].kind != VALUE_TEXT) continue;
        str_addf(s, "%s_", c->name);
        add_name(s, c->one_of->items[i].text);
        str_add(s, ", ");
    }
    str_addf(s, "};\nconstexpr %s_values %s = %s_", c->name, c->name, c->name);
    add_name(s, c->value.text);
    str_add(s, ";\n");
}

static bool add_constant(struct str *s, const struct job_constant *c, struct where at, struct diags *d)
{
    int64_t i = c->value.i;
    if (c->kind == PARAM_TYPE && c->value.kind == VALUE_TEXT) {
        str_addf(s, "typedef %s %s;\n", c->value.text, c->name);
        return true;
    }
    switch (c->value.kind) {
    case VALUE_INT:
        str_addf(s, "constexpr %s %s = ", i > INT_MAX || i < INT_MIN ? "long long" : "int", c->name);
        add_int(s, i);
        str_add(s, ";\n");
        return true;
    case VALUE_REAL:
        str_addf(s, "constexpr double %s = ", c->name);
        add_real(s, c->value.r);
        str_add(s, ";\n");
        return true;
    case VALUE_BOOL: str_addf(s, "constexpr bool %s = %s;\n", c->name, c->value.b ? "true" : "false"); return true;
    case VALUE_TEXT: add_named(s, c); return true;
    default: return diag_user(d, at, NULL, "`%s` has no value that a constant can take", c->name);
    }
}

static bool is_scalar(struct value v) { return v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL; }

static bool asked_before(const struct job *job, size_t buffer)
{
    const struct job_buffer *b = &job->buffers[buffer];
    char name[160];
    snprintf(name, sizeof name, "%s_before", b->name);
    for (size_t k = 1; b->access == ACCESS_BOTH && job->check && k < job->check->count; k++)
        if (strcmp(job->check->arguments[k].name, name) == 0) return true;
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
        if (is_scalar(job->scalars[i].value)) ADD(TAKE_SCALAR, i);
    ADD(TAKE_COUNT, 0);
    ADD(TAKE_RESULT, 0);
#undef ADD
    return n;
}

static void add_scalar(struct str *s, const struct job_argument *a)
{
    str_addf(s, "%s %s, ", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
}

// Does a generated entry pass `name` on: a buffer (where it has them), a content before, a scalar?
static bool known(const struct job *job, bool buffers, const char *name)
{
    char before[160];
    for (size_t i = 0; buffers && i < job->buffer_count; i++) {
        snprintf(before, sizeof before, "%s_before", job->buffers[i].name);
        if (strcmp(name, job->buffers[i].name) == 0) return true;
        if (job->buffers[i].access == ACCESS_BOTH && strcmp(name, before) == 0) return true;
    }
    for (size_t i = 0; i < job->scalar_count; i++)
        if (strcmp(name, job->scalars[i].name) == 0 && is_scalar(job->scalars[i].value)) return true;
    // A compile-time parameter is not passed: the source has its value under that name.
    for (size_t i = 0; i < job->constant_count; i++)
        if (job->constants[i].kind == PARAM_CONSTANT && strcmp(name, job->constants[i].name) == 0) return true;
    return false;
}

static void add_entry_head(struct str *s, const char *entry, const char *name)
{
    str_addf(s, "extern \"C\" __global__ void %s%s(", entry, name);
}

// The loop strides by the whole grid, so that any launch covers all elements.
#define LOOP \
    "for (size_t gpuexp_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; gpuexp_i < gpuexp_n;\n" \
    "     gpuexp_i += (size_t)gridDim.x * blockDim.x)\n"

static bool add_check(struct str *s, const struct job *job, struct diags *d)
{
    struct where at = {.file = job->path, .line = job->check->line, .column = 1};
    struct compile_argument take[256];
    size_t n = compile_check_arguments(job, take, 256);
    bool good = true;
    add_entry_head(s, "gpuexp_check", "");
    for (size_t i = 0; i < n && i < 256; i++) {
        const struct job_buffer *b = take[i].take <= TAKE_BEFORE ? &job->buffers[take[i].index] : NULL;
        if (b) str_addf(s, "%s *%s%s, ", b->type, b->name, take[i].take == TAKE_BEFORE ? "_before" : "");
        else if (take[i].take == TAKE_SCALAR) add_scalar(s, &job->scalars[take[i].index]);
    }
    str_add(s, "size_t gpuexp_n, unsigned long long *gpuexp_result)\n{\n" LOOP "        if (!(");
    add_line(s, job->check->line, job->path); // a type that does not fit is the user's `check`, not this text
    str_add(s, "check(gpuexp_i");
    for (size_t i = 1; i < job->check->count; i++) {
        const char *name = job->check->arguments[i].name;
        if (!known(job, true, name))
            good = diag_user(d, at,
                "it may ask for buffers, for <buffer>_before of those read and written, and for parameters",
                "`check` asks for `%s`, which is not there", name);
        str_addf(s, ", %s", name);
    }
    str_add(s, ")");
    add_line(s, 1, "gpuexp");
    str_add(s,
        ")) {\n            atomicAdd(&gpuexp_result[0], 1ULL);\n"
        "            atomicMin(&gpuexp_result[1], (unsigned long long)gpuexp_i);\n        }\n}\n");
    return good;
}

static bool add_fill(struct str *s, const struct job *job, const struct job_buffer *b, struct diags *d)
{
    struct where at = {.file = job->path, .line = 1, .column = 1};
    struct scan_function f;
    char name[160];
    bool good = true;
    snprintf(name, sizeof name, "fill_%s", b->name);
    if (!scan_function(job->source, name, &f))
        return diag_user(d, at, NULL, "buffer `%s` is filled by code, but there is no function `%s`", b->name, name);
    at.line = f.line;
    add_entry_head(s, "gpuexp_", name);
    str_addf(s, "%s *gpuexp_out, size_t gpuexp_n", b->type);
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct job_argument *a = &job->scalars[i];
        if (is_scalar(a->value)) str_addf(s, ", %s %s", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
    }
    str_add(s, ")\n{\n" LOOP "        gpuexp_out[gpuexp_i] = ");
    add_line(s, f.line, job->path);
    str_addf(s, "%s(gpuexp_i", name);
    for (size_t i = 1; i < f.count; i++) {
        if (!known(job, false, f.arguments[i]))
            good = diag_user(d, at, "it may ask for the element's index and for parameters",
                "`%s` asks for `%s`, which is not there", name, f.arguments[i]);
        str_addf(s, ", %s", f.arguments[i]);
    }
    str_add(s, ");");
    add_line(s, 1, "gpuexp");
    str_add(s, "}\n");
    return good;
}

// A type that is the value of a parameter is used before the source, and so before what the source includes.
static void include_headers(struct str *s, const struct job *job)
{
    bool half = scan_word(job->source, "half") || scan_word(job->source, "half2"), bfloat = false;
    for (size_t i = 0; i < job->constant_count; i++) {
        const char *type = job->constants[i].kind == PARAM_TYPE ? job->constants[i].value.text : "";
        half |= scan_word(type, "half") || scan_word(type, "half2") || scan_word(type, "__half") ||
            scan_word(type, "__half2");
        bfloat |= strstr(type, "bfloat16") != NULL;
    }
    if (half) str_add(s, "#include <cuda_fp16.h>\n");
    if (bfloat) str_add(s, "#include <cuda_bf16.h>\n");
}

char *compile_source(const struct job *job, struct diags *d)
{
    struct str s = {0};
    struct where at = {.file = job->path, .line = 1, .column = 1};
    bool good = true;
    include_headers(&s, job);
    for (size_t i = 0; i < job->constant_count; i++) good &= add_constant(&s, &job->constants[i], at, d);
    add_line(&s, 1, job->path);
    str_add(&s, job->source);
    add_line(&s, 1, "gpuexp");
    if (job->check) good &= add_check(&s, job, d);
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].fill == FILL_CODE) good &= add_fill(&s, job, &job->buffers[i], d);
    if (good) return str_take(&s);
    str_release(&s);
    return NULL;
}
