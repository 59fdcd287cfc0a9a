// What the files that write around a kernel's source share. Inside runner/compile/ only.
// Puts the text that is compiled around a kernel file: the point's constants and types before it, entries that call
// `check` and `fill_<buffer>` after it. `#line` keeps every complaint at the user's own line, also one about a call
// that is generated here.
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/compiler.h"
#include "plan/asks.h"
#include "spec/include.h"
#include "spec/source.h"

// The loop strides by the whole grid, so that any launch covers all elements.
#define KERNEL_TEXT_LOOP \
    "for (size_t gpuexp_i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; gpuexp_i < gpuexp_n;\n" \
    "     gpuexp_i += (size_t)gridDim.x * blockDim.x)\n"

static bool check_text_add(struct str *, const struct job *, struct diags *);
static bool fill_text_add(struct str *, const struct job *, const struct job_buffer *, struct diags *);

// `#line`
static void kernel_text_line(struct str *s, int line, const char *path)
{
    str_addf(s, "\n#line %d \"", line);
    for (const char *p = path; *p; p++) {
        if (*p == '"' || *p == '\\') str_add(s, "\\");
        str_add_bytes(s, p, 1);
    }
    str_add(s, "\"\n");
}

// Code of a line of the kernel's file, at the same column of that line: compilers tell columns.
static void kernel_text_own(struct str *s, const struct job *job, int line, const char *code)
{
    const char *p = job->source;
    kernel_text_line(s, line, job->path);
    while (--line > 0 && *p) p += strcspn(p, "\n"), p += *p == '\n';
    const size_t indent = strspn(p, " \t");
    const char *at = memmem(p, strcspn(p, "\n"), code, strlen(code));
    const int before = at ? (int)(at - p - (ptrdiff_t)indent) : 0;
    if (at) str_add_bytes(s, p, indent);
    if (before >= 4) str_addf(s, "/*%*s*/", before - 4, "");
    str_addf(s, "%s;", code);
    kernel_text_line(s, 1, "gpuexp");
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

// May it be an argument?
static bool kernel_text_is_scalar(struct value v)
{
    return v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL;
}

// As a parameter of a generated entry
static void kernel_text_scalar(struct str *s, const struct job_argument *a)
{
    str_addf(s, "%s %s, ", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
}

// What a generated entry calls the thing that `check` or a fill calls `name`. NULL: there is none.
// What a generated entry calls the thing that `check` or a fill calls `name`, by its own name or by the source's: a
// buffer (where it has them), a content before, a scalar. NULL: there is none.
static const char *kernel_text_known(const struct job *job, bool buffers, const char *name, char text[160])
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

// Of a generated entry, to its bracket
static void kernel_text_head(struct str *s, const char *entry, const char *name)
{
    str_addf(s, "extern \"C\" __global__ void %s%s(", entry, name);
}

// The type is the one that the entry's argument `i` has, as the compiler knows it; where it has made no entry, the
// value's own.
static void add_value(struct str *s, const struct job *job, const char *entry, size_t i, const struct job_argument *a)
{
    if (include_made_has(job->source, entry)) str_add(s, "    { auto gpuexp_v = ");
    else str_addf(s, "    { typename gpuexp_argument<%zu, decltype(+(%s))>::type gpuexp_v = ", i, entry);
    kernel_text_own(s, job, a->code_line, a->code);
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
    for (size_t i = 0; i < job->map_count; i++) str_addf(s, "const CUtensorMap *%s, ", job->maps[i].name);
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
    for (size_t l = 0; l < job_launches(job) && !job->host; l++) {
        const struct job_launch it = job_launch(job, l);
        bool first = true;
        for (size_t m = 0; first && m < l; m++) first = strcmp(job_launch(job, m).entry, it.entry) != 0;
        if (!first || include_made_has(s->text, it.entry)) continue;
        kernel_text_line(s, it.entry_line ? it.entry_line : 1, job->path);
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
    if (!*by && !option && !job->host) return;
    str_add(s, COMPILER_OPTIONS);
    if (*by || job->host) str_addf(s, " " COMPILER_WANTED "%s", *by ? by : "nvcc");
    for (size_t i = 0; (option = asks_nth(job, SETTING_OPTIONS, i)); i++) str_addf(s, " %s", option);
    str_add(s, "\n");
}

// What the host's code may name: each buffer by a pointer that nothing lies at, each scalar.
static void add_host(struct str *s, const struct job *job)
{
    bool first = true;
    if (strcmp(job->host, "main") == 0)
        str_add(s,
            "template <class R> void gpuexp_call(R (*f)()) { f(); }\n"
            "template <class R, class T> void gpuexp_call(R (*f)(int, T))\n"
            "{\n    static char name[] = \"program\", *argv[] = {name, nullptr};\n    f(1, (T)argv);\n}\n");
    str_add(s, "static void gpuexp_host(");
    for (size_t i = 0; i < job->buffer_count; i++, first = false)
        str_addf(s, "%s%s *%s", first ? "" : ", ", job->buffers[i].type, job->buffers[i].name);
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct job_argument *a = &job->scalars[i];
        if (!kernel_text_is_scalar(a->value)) continue;
        str_addf(s, "%s%s %s", first ? "" : ", ", a->value.kind == VALUE_REAL ? "double" : "long long", a->name);
        first = false;
    }
    str_add(s, ")\n{");
    kernel_text_line(s, job->host_line, job->path);
    if (strcmp(job->host, "main") == 0) str_add(s, "    gpuexp_call(main);\n}");
    else str_addf(s, "%s\n}", job->host);
    kernel_text_line(s, 1, "gpuexp");
    str_add(s, // what text/host.h makes of copies and sets within the device
        "extern \"C\" __global__ void gpuexp_set(unsigned char *to, int value, size_t gpuexp_n)\n{\n   "
        " " KERNEL_TEXT_LOOP "        to[gpuexp_i] = (unsigned char)value;\n}\n"
        "extern \"C\" __global__ void gpuexp_copy(unsigned char *to, const unsigned char *from, size_t gpuexp_n)\n{\n  "
        "  " KERNEL_TEXT_LOOP "        to[gpuexp_i] = from[gpuexp_i];\n}\n");
}

// What stands in front of everything that is generated.
static bool add_own(struct str *s, const struct job *job, struct diags *d)
{
    struct where at = {.file = job->path, .line = 1, .column = 1};
    bool good = true;
    add_options(s, job);
    include_headers(s, job);
    for (size_t i = 0; i < job->constant_count; i++) good &= add_constant(s, &job->constants[i], at, d);
    for (size_t i = 0; i < job->constant_count; i++) { // as a macro, where the source has it as one
        const struct job_constant *c = &job->constants[i];
        if (c->kind != PARAM_CONSTANT || c->value.kind == VALUE_TEXT || !defined(job->source, c->name)) continue;
        str_addf(s, "#define %s ", c->name);
        value_print(c->value, s);
        str_add(s, "\n");
    }
    if (job->host && source_has_word(job->source, "main")) str_add(s, "#define main gpuexp_main\n"); // not called
    kernel_text_line(s, 1, job->path);
    add_source(s, job);
    kernel_text_line(s, 1, "gpuexp");
    if (job->host) add_host(s, job);
    return good;
}

char *compile_host_source(const struct job *job, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    size_t n = 0;
    if (!add_own(&s, job, d)) return NULL;
    str_add(&s,
        "extern \"C\" void gpuexp_host_run(void **b, const long long *n, const double *r)\n{\n    gpuexp_host(");
    for (size_t i = 0; i < job->buffer_count; i++)
        str_addf(&s, "%s(%s *)b[%zu]", i ? ", " : "", job->buffers[i].type, i);
    for (size_t i = 0; i < job->scalar_count; i++) {
        const struct value v = job->scalars[i].value;
        if (!kernel_text_is_scalar(v)) continue;
        str_addf(&s, "%s%c[%zu]", n || job->buffer_count ? ", " : "", v.kind == VALUE_REAL ? 'r' : 'n', n);
        n++;
    }
    str_add(&s, ");\n}\n");
    return str_take(&s);
}

char *compile_source(const struct job *job, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    bool good = add_own(&s, job, d);
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

// The entry that calls `check`, or holds every element to what `expected` returns: gpuexp_check, with its arguments.

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
    str_addf(s,
        "size_t gpuexp_n, unsigned long long *gpuexp_result)\n{\n"
        "    const size_t gpuexp_part = gpuexp_result[%d] > 1 ? gpuexp_result[%d] : 1, gpuexp_pick = "
        "gpuexp_result[%d];\n"
        "    const size_t gpuexp_all = (gpuexp_n + 256 * gpuexp_part - 1) / (256 * gpuexp_part) * 256;\n"
        "    for (size_t gpuexp_k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; gpuexp_k < gpuexp_all;\n"
        "         gpuexp_k += (size_t)gridDim.x * blockDim.x) {\n"
        "        size_t gpuexp_i = gpuexp_k;\n"
        "        if (gpuexp_part > 1) {\n"
        "            size_t of = (gpuexp_k >> 8) * 0x9e3779b97f4a7c15ULL + gpuexp_pick;\n"
        "            of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9ULL;\n"
        "            gpuexp_i = (((gpuexp_k >> 8) * gpuexp_part + (of ^ of >> 31) %% gpuexp_part) << 8) | (gpuexp_k & "
        "255);\n"
        "        }\n"
        "        if (gpuexp_i >= gpuexp_n) continue;\n",
        CHECK_PART, CHECK_PART, CHECK_PICK);
}

// Of the last piece, where it is drawn, some elements may not be there.
uint64_t compile_check_asked(uint64_t count, uint64_t part, uint64_t pick)
{
    if (part < 2) return count;
    const uint64_t last = (count + 256 * part - 1) / (256 * part) - 1;
    uint64_t of = last * 0x9e3779b97f4a7c15u + pick;
    of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9u;
    const uint64_t from = 256 * (last * part + (of ^ of >> 31) % part), left = count > from ? count - from : 0;
    return 256 * last + (left < 256 ? left : 256);
}

// The call, at the user's own line: a type that does not fit is the user's `check`, not this text.
static bool call_check(struct str *s, const struct job *job, const struct function *f, struct diags *d)
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
    const bool good = call_check(s, job, job->expects[by].by, d);
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

// The entry that holds each element to `check` or `expected`. False: that asks for what is not there.
static bool check_text_add(struct str *s, const struct job *job, struct diags *d)
{
    bool good = true;
    add_head(s, job);
    if (job->expect_count) str_add(s, "        bool gpuexp_wrong = false;\n");
    for (size_t i = 0; i < job->expect_count; i++) good &= add_comparison(s, job, i, d);
    str_add(s, job->expect_count ? "        if (gpuexp_wrong" : "        if (!(");
    if (!job->expect_count) {
        good = call_check(s, job, job->check, d);
        str_add(s, ")");
    }
    str_addf(s,
        ") {\n            atomicAdd(&gpuexp_result[%d], 1ULL);\n"
        "            atomicMin(&gpuexp_result[%d], (unsigned long long)gpuexp_i);\n        }\n    }\n}\n",
        CHECK_WRONG, CHECK_FIRST);
    return good;
}

// The entries that fill buffers on the device: by a function of the source, by C++ in the description, from a range.

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
static void add_element(struct str *s, const struct job_buffer *b)
{
    if (b->shuffled) str_addf(s, "(gpuexp_i * %lluULL + gpuexp_seed) %% gpuexp_n", FILL_APART);
    else str_add(s, b->shifts ? "(gpuexp_i + gpuexp_seed) % gpuexp_n" : "gpuexp_i");
}

// A number is every scalar's; C++ makes a whole element of its index `i`, which has a sign: `i - n / 2` may be below 0.
static void add_elements(struct str *s, const struct job *job, const struct job_buffer *b)
{
    char *end;
    strtod(b->made, &end);
    const bool number = !*end || strcmp(end, "LL") == 0;
    str_add(s, KERNEL_TEXT_LOOP "    {\n        const long long i = ");
    add_element(s, b);
    str_add(s, "; (void)i;\n");
    if (number)
        str_addf(s, "        for (int k = 0; k < %d; k++) ((%s *)gpuexp_out)[i * %d + k] = (%s)(%s);\n", b->lanes,
            b->scalar, b->lanes, b->scalar, b->made);
    else {
        str_addf(s, "        %s gpuexp_v = ", b->type);
        kernel_text_own(s, job, b->made_line, b->made);
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
static bool call_fill(struct str *s, const struct job *job, const struct job_buffer *b, const struct source_function *f,
    struct diags *d)
{
    const struct where at = {.file = job->path, .line = f->is.line, .column = 1};
    bool good = true;
    str_add(s, KERNEL_TEXT_LOOP "        gpuexp_out[gpuexp_i] = ");
    kernel_text_line(s, f->is.line, job->path);
    str_addf(s, "%s(", f->is.name);
    add_element(s, b);
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

// The entry that fills a buffer. False: its function asks for what is not there.
static bool fill_text_add(struct str *s, const struct job *job, const struct job_buffer *b, struct diags *d)
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
        good = call_fill(s, job, b, f, d);
    } else {
        good = diag_user(d, at, NULL, "buffer `%s` is filled by code, but there is no function `%s`", b->name, name);
    }
    return good;
}
