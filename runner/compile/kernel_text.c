// Puts the text that is compiled around a kernel file: the point's constants and types before it, entries that call
// `check` and `fill_<buffer>` after it. `#line` keeps every complaint at the user's own line, also one about a call
// that is generated here.
// SPDX-License-Identifier: MIT
#include "compile/compiler.h"
#include "compile/kernel_text.h"
#include "plan/asks.h"
#include "spec/include.h"
#include "spec/skip.h"
#include "spec/source.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_text_line(struct str *s, int line, const char *path)
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
        char c = skip_is_word(*p) ? *p : '_';
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

bool kernel_text_is_scalar(struct value v)
{
    return v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL;
}

void kernel_text_scalar(struct str *s, const struct job_argument *a)
{
    str_addf(s, "%s %s, ", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
}

// What a generated entry calls the thing that `check` or a fill calls `name`, by its own name or by the source's: a
// buffer (where it has them), a content before, a scalar. NULL: there is none.
const char *kernel_text_known(const struct job *job, bool buffers, const char *name, char text[160])
{
    for (size_t i = 0; buffers && i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        const char *own[] = {b->name, b->as ? b->as : b->name};
        for (int o = 0; o < 2; o++) {
            const size_t n = strlen(own[o]);
            if (strncmp(name, own[o], n) != 0) continue;
            if (name[n] && (b->access != ACCESS_BOTH || strcmp(name + n, "_before") != 0)) continue;
            snprintf(text, 160, "%s%s", b->name, name + n);
            return text;
        }
    }
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct job_argument *a = &job->scalars[i];
        if (kernel_text_is_scalar(a->value) && (strcmp(name, a->name) == 0 || (a->as && strcmp(name, a->as) == 0)))
            return a->name;
    }
    // A compile-time parameter is not passed, but its value stands in the source under that name.
    for (size_t i = 0; i < job->constant_count; i++)
        if (job->constants[i].kind != PARAM_TYPE && strcmp(name, job->constants[i].name) == 0) return name;
    return NULL;
}

void kernel_text_head(struct str *s, const char *entry, const char *name)
{
    str_addf(s, "extern \"C\" __global__ void %s%s(", entry, name);
}

// The type is the one that the entry's argument `i` has, as the compiler knows it.
static void add_value(struct str *s, const struct job *job, const char *entry, size_t i, const struct job_argument *a)
{
    str_addf(s, "    { typename gpuexp_argument<%zu, decltype(+(%s))>::type gpuexp_v = ", i, entry);
    kernel_text_line(s, 1, job->path);
    str_addf(s, "%s;", a->code);
    kernel_text_line(s, 1, "gpuexp");
    str_addf(s,
        "      static_assert(sizeof gpuexp_v <= %d, \"a large argument\");\n"
        "      const unsigned char *gpuexp_from = (const unsigned char *)&gpuexp_v;\n"
        "      for (int i = 0; i < (int)sizeof gpuexp_v; i++) gpuexp_out[%zu + i] = gpuexp_from[i]; }\n",
        COMPILE_MADE_BYTES, COMPILE_MADE_BYTES * a->made);
}

// One thread makes the values that only the device's compiler can: structures, most of all. Argument i's bytes begin at
// COMPILE_MADE_BYTES times its place among such.
static void add_made(struct str *s, const struct job *job)
{
    if (!job_made(job)) return;
    str_add(s,
        "template <int N, typename F> struct gpuexp_argument;\n"
        "template <int N, typename T, typename... A> struct gpuexp_argument<N, void (*)(T, A...)>\n"
        "    : gpuexp_argument<N - 1, void (*)(A...)> {};\n"
        "template <typename T, typename... A> struct gpuexp_argument<0, void (*)(T, A...)> { typedef T type; };\n");
    kernel_text_head(s, "gpuexp_arguments", "");
    for (size_t i = 0; i < job->buffer_count; i++) str_addf(s, "%s *%s, ", job->buffers[i].type, job->buffers[i].name);
    for (size_t i = 0; i < job->scalar_count; i++)
        if (kernel_text_is_scalar(job->scalars[i].value)) kernel_text_scalar(s, &job->scalars[i]);
    str_add(s, "unsigned char *gpuexp_out)\n{\n    if (blockIdx.x || threadIdx.x) return;\n");
    size_t n = 0;
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        for (size_t i = 0; i < it.argument_count; i++) {
            if (!it.arguments[i].code || it.arguments[i].made != n) continue;
            add_value(s, job, it.entry, i, &it.arguments[i]);
            n++;
        }
    }
    str_add(s, "}\n");
}

// Whether the source declares `extern "C" ... entry(`: then that is its name in the code as well.
static bool has_plain_name(const char *source, const char *entry)
{
    static const char linkage[] = "extern \"C\"";
    const size_t n = strlen(entry);
    for (const char *p = source; (p = strstr(p, linkage)); p += sizeof linkage - 1) {
        const char *end = p + strcspn(p, "({;");
        while (end > p && (end[-1] == ' ' || end[-1] == '\n')) end--;
        if ((size_t)(end - p) > n && strncmp(end - n, entry, n) == 0 && !skip_is_word(end[-1 - (long)n])) return true;
    }
    return false;
}

// Each entry that is launched is asked for by name, once.
static void add_entries(struct str *s, const struct job *job)
{
    for (size_t l = 0; l < job_launches(job); l++) {
        const struct job_launch it = job_launch(job, l);
        bool first = true;
        for (size_t m = 0; first && m < l; m++) first = strcmp(job_launch(job, m).entry, it.entry) != 0;
        if (!first || include_ptx_has(s->text, it.entry)) continue;
        kernel_text_line(s, 1, job->path);
        s->text[--s->size] = '\0'; // the mark's own end is the entry's beginning
        str_addf(s, "%s%s", has_plain_name(job->source, it.entry) ? COMPILER_PLAIN : COMPILER_ENTRY, it.entry);
        kernel_text_line(s, 1, "gpuexp");
    }
}

// Is this line the source's own `#define name value`? What a parameter sets is then a macro too, in its place.
static bool defines(const char *line, const char *name)
{
    line += strspn(line, " \t");
    if (*line++ != '#') return false;
    line += strspn(line, " \t");
    if (strncmp(line, "define", 6) != 0) return false;
    const size_t n = strlen(name);
    line += 6 + strspn(line + 6, " \t");
    return strncmp(line, name, n) == 0 && !skip_is_word(line[n]) && line[n] != '(';
}

static bool defined(const char *source, const char *name)
{
    for (const char *p = source; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (defines(p, name)) return true;
    return false;
}

// The source, but for its own definitions of what parameters set.
static void add_source(struct str *s, const struct job *job)
{
    for (const char *p = job->source; *p;) {
        size_t n = strcspn(p, "\n");
        bool taken = false;
        for (size_t i = 0; i < job->constant_count; i++)
            taken |= job->constants[i].kind == PARAM_CONSTANT && defines(p, job->constants[i].name);
        if (!taken) str_add_bytes(s, p, n);
        p += n;
        if (*p) str_add_bytes(s, p++, 1);
    }
}

static bool defines_function(const char *source, const char *name)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    size_t count;
    const struct source_function *all = source_functions(source, a, &count);
    bool found = false;
    for (size_t i = 0; i < count; i++) found |= strcmp(all[i].is.name, name) == 0;
    return found;
}

// A type that is the value of a parameter is used before the source, and so before what the source includes.
static void include_headers(struct str *s, const struct job *job)
{
    // A function of that name is the user's own, and the header would be in its way.
    bool half = (source_has_word(job->source, "half") && !defines_function(job->source, "half")) ||
        source_has_word(job->source, "half2"),
         bfloat = source_has_word(job->source, "__nv_bfloat16");
    for (size_t i = 0; i < job->constant_count; i++) {
        const char *type = job->constants[i].kind == PARAM_TYPE ? job->constants[i].value.text : "";
        half |= source_has_word(type, "half") || source_has_word(type, "half2") || source_has_word(type, "__half") ||
            source_has_word(type, "__half2");
        bfloat |= strstr(type, "bfloat16") != NULL;
    }
    if (half) str_add(s, "#include <cuda_fp16.h>\n");
    if (bfloat) str_add(s, "#include <cuda_bf16.h>\n");
}

// The options stand in the text, so that whatever knows it by its hash knows them too.
static void add_options(struct str *s, const struct job *job)
{
    const char *by = asks_text(job, SETTING_COMPILER), *option = asks_nth(job, SETTING_OPTIONS, 0);
    if (!*by && !option) return;
    str_add(s, COMPILER_OPTIONS);
    if (*by) str_addf(s, " " COMPILER_WANTED "%s", by);
    for (size_t i = 0; (option = asks_nth(job, SETTING_OPTIONS, i)); i++) str_addf(s, " %s", option);
    str_add(s, "\n");
}

char *compile_source(const struct job *job, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    struct where at = {.file = job->path, .line = 1, .column = 1};
    bool good = true;
    add_options(&s, job);
    include_headers(&s, job);
    for (size_t i = 0; i < job->constant_count; i++) good &= add_constant(&s, &job->constants[i], at, d);
    for (size_t i = 0; i < job->constant_count; i++) { // as a macro, where the source has it as one
        const struct job_constant *c = &job->constants[i];
        if (c->kind != PARAM_CONSTANT || c->value.kind == VALUE_TEXT || !defined(job->source, c->name)) continue;
        str_addf(&s, "#define %s ", c->name);
        value_print(c->value, &s);
        str_add(&s, "\n");
    }
    kernel_text_line(&s, 1, job->path);
    add_source(&s, job);
    kernel_text_line(&s, 1, "gpuexp");
    add_entries(&s, job);
    add_made(&s, job);
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (!b->declared) continue;
        kernel_text_line(&s, 1, job->path);
        str_addf(&s, "static_assert(sizeof(%s) == %llu, \"the bytes of buffer %s are not what its type takes\");",
            b->type, (unsigned long long)b->element_bytes, b->name);
        kernel_text_line(&s, 1, "gpuexp");
    }
    if (job->check && !job->contract) good &= check_text_add(&s, job, d);
    for (size_t i = 0; i < job->buffer_count && !job->contract; i++)
        if (job->buffers[i].fill == FILL_CODE) good &= fill_text_add(&s, job, &job->buffers[i], d);
    if (good) return str_take(&s);
    return NULL;
}
