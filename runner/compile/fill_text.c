// The entries that fill buffers on the device: by a function of the source, by C++ in the description, from a range.
// SPDX-License-Identifier: MIT
#include "compile/kernel_text.h"
#include "spec/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_fill_head(struct str *s, const struct job *job, const struct job_buffer *b)
{
    kernel_text_head(s, "gpuexp_fill_", b->name);
    str_addf(s, "%s *gpuexp_out, size_t gpuexp_n, unsigned long long gpuexp_seed", b->type);
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct job_argument *a = &job->scalars[i];
        if (kernel_text_is_scalar(a->value))
            str_addf(s, ", %s %s", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
    }
    str_add(s, ")\n{\n");
}

// A random number from the least to the largest, for each scalar; whole ones each as often.
static void add_range(struct str *s, const struct job_buffer *b)
{
    const bool real = strcmp(b->scalar, "float") == 0 || strcmp(b->scalar, "double") == 0 ||
        strcmp(b->scalar, "half") == 0 || strcmp(b->scalar, "__nv_bfloat16") == 0;
    str_addf(s,
        KERNEL_TEXT_LOOP
        "        for (int k = 0; k < %d; k++) {\n"
        "            unsigned long long x = gpuexp_seed + (gpuexp_i * %d + k + 1) * 0x9e3779b97f4a7c15ULL;\n"
        "            x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL, x = (x ^ x >> 27) * 0x94d049bb133111ebULL, x ^= x >> "
        "31;\n"
        "            const double low = %s, high = %s, u = (double)(x >> 11) * 0x1p-53;\n"
        "            ((%s *)gpuexp_out)[gpuexp_i * %d + k] = (%s)(%s);\n        }\n}\n",
        b->lanes, b->lanes, b->low, b->high, b->scalar, b->lanes, b->scalar,
        real ? "low + (high - low) * u" : "low + floor((high - low + 1) * u)");
}

// What place gpuexp_i holds: its own element, or one that the seed moves there.
static const char *element(const struct job_buffer *b)
{
    return b->shifts ? "(gpuexp_i + gpuexp_seed) % gpuexp_n" : "gpuexp_i";
}

// A number is every scalar's; C++ makes a whole element of its index `i`, which has a sign: `i - n / 2` may be below 0.
static void add_elements(struct str *s, const struct job *job, const struct job_buffer *b)
{
    char *end;
    strtod(b->made, &end);
    const bool number = !*end || strcmp(end, "LL") == 0;
    str_addf(s, KERNEL_TEXT_LOOP "    {\n        const long long i = %s; (void)i;\n", element(b));
    if (number)
        str_addf(s, "        for (int k = 0; k < %d; k++) ((%s *)gpuexp_out)[i * %d + k] = (%s)(%s);\n", b->lanes,
            b->scalar, b->lanes, b->scalar, b->made);
    else {
        str_addf(s, "        %s gpuexp_v = ", b->type);
        kernel_text_line(s, 1, job->path);
        str_addf(s, "%s;", b->made);
        kernel_text_line(s, 1, "gpuexp");
        str_addf(s, "        gpuexp_out[%s] = gpuexp_v;\n", b->shifts ? "gpuexp_i" : "i");
    }
    str_add(s, "    }\n}\n");
}

static const struct source_function *find_function(const char *source, const char *name, struct arena *a)
{
    size_t count;
    const struct source_function *all = source_functions(source, a, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].is.name, name) == 0) return &all[i];
    return NULL;
}

// The call of the function that fills: the element's index, then the parameters that it asks for.
static bool add_call(struct str *s, const struct job *job, const struct job_buffer *b, const struct source_function *f,
    struct diags *d)
{
    const struct where at = {.file = job->path, .line = f->is.line, .column = 1};
    bool good = true;
    str_add(s, KERNEL_TEXT_LOOP "        gpuexp_out[gpuexp_i] = ");
    kernel_text_line(s, f->is.line, job->path);
    str_addf(s, "%s(%s", f->is.name, element(b));
    for (size_t i = 1; i < f->is.count; i++) {
        char text[160];
        const char *name = f->is.arguments[i].name, *here = kernel_text_known(job, false, name, text);
        if (!here)
            good = diag_user(d, at, "it may ask for the element's index and for parameters",
                "`%s` asks for `%s`, which is not there", f->is.name, name);
        else str_addf(s, ", %s", here);
    }
    str_add(s, ");");
    kernel_text_line(s, 1, "gpuexp");
    str_add(s, "}\n");
    return good;
}

bool fill_text_add(struct str *s, const struct job *job, const struct job_buffer *b, struct diags *d)
{
    const struct where at = {.file = job->path, .line = 1, .column = 1};
    char name[160];
    if (b->low || b->made) {
        add_fill_head(s, job, b);
        if (b->low) add_range(s, b);
        else add_elements(s, job, b);
        return true;
    }
    snprintf(name, sizeof name, "fill_%s", b->name);
    LOCAL(arena_drop) struct arena *a = arena_new();
    const struct source_function *f = find_function(job->source, name, a);
    bool good;
    if (f) {
        add_fill_head(s, job, b);
        good = add_call(s, job, b, f, d);
    } else {
        good = diag_user(d, at, NULL, "buffer `%s` is filled by code, but there is no function `%s`", b->name, name);
    }
    return good;
}
