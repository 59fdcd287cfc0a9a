// What an entry's arguments get: a buffer or a place in it, a parameter, a report, a number or vector of expressions,
// or C++ that the device makes; and which instance of a template is meant.
// SPDX-License-Identifier: MIT
#include "plan/job_inside.h"
#include "spec/include.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *passing_entry(const struct expr_site *s, const struct job *job)
{
    size_t length;
    const char *stem = kernel_stem(job->entry, &length), *open = stem + length;
    const struct function *f = kernel_function(s->kernel, job->entry);
    LOCAL(str_release) struct str out = {0};
    if (f && stem == job->entry) str_add(&out, f->scope);
    str_add_bytes(&out, job->entry, (size_t)(open - job->entry));
    for (const char *p = open; *p;) {
        size_t n = 0;
        while (is_letter(p[n])) n++;
        const struct job_constant *c = NULL;
        for (size_t i = 0; n && !c && i < job->constant_count; i++)
            if (strlen(job->constants[i].name) == n && strncmp(job->constants[i].name, p, n) == 0)
                c = &job->constants[i];
        if (c) value_print(c->value, &out);
        else str_add_bytes(&out, p, n ? n : 1);
        p += n ? n : 1;
    }
    return arena_strdup(s->arena, out.text);
}

// A bare `pitch` means every buffer's: so it must be the same for all.
static bool one_pitch(const struct expr_site *s, const struct function *entry, const struct job *job)
{
    const struct job_buffer *first = NULL;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (b->rank < 2) continue;
        if (!first) first = b;
        const bool same = b->extent[0] * b->element_bytes == first->extent[0] * first->element_bytes &&
            b->extent[1] == first->extent[1];
        if (!same || strcmp(b->memory, first->memory) != 0)
            return eval_wrong(s, (struct where){.file = s->kernel->path, .line = entry->line, .column = 1},
                "`pitch` is not the same for `%s` and `%s`: take `%s_pitch` and `%s_pitch`", first->name, b->name,
                first->name, b->name);
    }
    return true;
}

// Lua knows none of these: `half{1}`, `half(1.5f)`, `ns::of(1)`, `__float2half(1)`, `static_cast<half>(1)`.
static bool is_cpp(const char *text)
{
    char type[32];
    const size_t n = strcspn(text, "(");
    snprintf(type, sizeof type, "%.*s", (int)n, text);
    const bool made = text[n] && kernel_type_size(type);
    return made || strpbrk(text, "{}") || strstr(text, "::") || strstr(text, "__") || strstr(text, "_cast<");
}

// What the instance of a template calls its parameters: `T` of "sum<float, 128>" is float.
static const char *instance_value(const struct function *f, const char *entry, const char *word, size_t n,
    struct arena *a)
{
    size_t length;
    const char *open = strchr(kernel_stem(entry, &length), '<'), *from = open ? open + 1 : NULL;
    for (size_t i = 0; i < f->param_count; i++) {
        const char *end = from;
        for (int depth = 0; end && *end && (depth || (*end != ',' && *end != '>')); end++)
            depth += (*end == '<') - (*end == '>');
        const char *given = from && end > from ? arena_strndup(a, from, (size_t)(end - from)) : f->params[i].fallback;
        if (given && strlen(f->params[i].name) == n && strncmp(f->params[i].name, word, n) == 0) return given;
        from = end && *end == ',' ? end + 1 + strspn(end + 1, " ") : NULL;
    }
    return NULL;
}

// The type of an argument at this point: the parameters of a template and of kind type are replaced by what they are.
static const char *argument_type(const struct expr_site *s, const struct job *job, const struct function *f,
    const char *type)
{
    LOCAL(str_release) struct str out = {0};
    for (const char *p = type; *p;) {
        size_t n = 0;
        while (is_letter(p[n])) n++;
        const char *word = n ? arena_strndup(s->arena, p, n) : "", *value = NULL;
        if (n && f->param_count) value = instance_value(f, job->entry, p, n, s->arena);
        for (size_t i = 0; n && !value && i < job->constant_count; i++)
            if (job->constants[i].kind == PARAM_TYPE && strcmp(job->constants[i].name, word) == 0)
                value = job->constants[i].value.text;
        if (value) str_add(&out, value);
        else str_add_bytes(&out, p, n ? n : 1);
        p += n ? n : 1;
    }
    return arena_strdup(s->arena, out.text ? out.text : "");
}

bool passing_offset(const struct expr_site *s, const struct kernel *k, const struct job *job,
    const struct source_expr *e, struct job_argument *a, bool *is_one)
{
    size_t n = 0;
    while (is_letter(e->text[n])) n++;
    const char *name = arena_strndup(s->arena, e->text, n), *rest = e->text + n + strspn(e->text + n, " ");
    const struct buffer *b = n ? kernel_buffer(k, name) : NULL;
    *is_one = b && (!*rest || *rest == '+');
    if (!*is_one) return true;
    a->buffer = (int)(b - k->buffers);
    if (!*rest) return true;
    const struct job_buffer *j = &job->buffers[a->buffer];
    struct source_expr offset = {rest + 1 + strspn(rest + 1, " "), e->at};
    offset.at.column += (int)(offset.text - e->text);
    if (!eval_whole(s, &offset, arena_printf(s->arena, "the start in `%s`", name), 0, &a->offset)) return false;
    if (a->offset >= j->count)
        return eval_wrong(s, e->at, "`%s` has %llu elements: none is at %llu", name, (unsigned long long)j->count,
            (unsigned long long)a->offset);
    a->offset *= j->element_bytes;
    return true;
}

// Several numbers for a type that only the compiler knows: `{1, 2, 3}`.
static bool pass_numbers(const struct expr_site *s, const struct passed *p, struct job_argument *a)
{
    LOCAL(str_release) struct str code = {0};
    bool good = true;
    for (int i = 0; good && i < p->count; i++) {
        struct value v;
        str_add(&code, i ? ", " : "{");
        good = eval_expr(s, &p->items[i], &v);
        if (good) value_print(v, &code);
    }
    str_add(&code, "}");
    a->code = arena_strdup(s->arena, code.text);
    return good;
}

static bool pass(const struct expr_site *s, const struct kernel *k, const struct job *job, const struct passed *p,
    struct job_argument *a)
{
    int lanes = 1;
    bool done = false;
    const char *scalar = strchr(a->type, '*') ? NULL : kernel_type_scalar(a->type, &lanes);
    if (p->tensor) return passing_tensor(s, k, job, p, a);
    if (!p->count) return false; // told when it was read
    if (!scalar && !passing_offset(s, k, job, &p->items[0], a, &done)) return false;
    if (done) return true;
    if (!*a->type && include_ptx_has(k->source, job->entry)) scalar = ""; // a number as the PTX says
    if (scalar && p->count > 1 && p->count != lanes)
        return eval_wrong(s, p->at, "`%s` is a `%s`: it takes %d numbers, not %d", p->name, a->type, lanes, p->count);
    if (p->count == 1 && (!scalar || lanes > 1 || is_cpp(p->items[0].text))) return a->code = p->items[0].text, true;
    if (!scalar) return pass_numbers(s, p, a);
    struct value_list *list = arena_alloc(s->arena, sizeof *list + (size_t)lanes * sizeof *list->items);
    for (list->count = 0; list->count < (size_t)lanes; list->count++) {
        struct value *v = &list->items[list->count];
        double number;
        if (!eval_expr(s, &p->items[list->count], v)) return false;
        if (v->kind == VALUE_TEXT || v->kind == VALUE_LIST || !value_number(*v, &number))
            return eval_wrong(s, p->items[list->count].at, "what `%s` gets is not a number", p->name);
    }
    a->value = lanes == 1 ? list->items[0] : (struct value){VALUE_LIST, {.list = list}};
    return true;
}

// What a point's types make of it; where they are the same at all points, reading the file has told.
static bool pointee_fits(const struct expr_site *s, const struct job *job, const struct argument *argument,
    const struct job_argument *a)
{
    const struct job_buffer *b = a->buffer >= 0 && a->part == PART_ADDRESS ? &job->buffers[a->buffer] : NULL;
    return !b || !kernel_type_differs(a->type, b->type) ||
        eval_refuse(s, argument->at, "both must be the same; bytes and vectors of the same numbers may differ",
            arena_printf(s->arena, "`%s` is `%s` here, and a buffer of %s at this point", argument->name, a->type,
                b->type));
}

bool passing_set(const struct expr_site *s, const struct kernel *k, const struct function *entry, struct job *job)
{
    struct job_argument *arguments = arena_alloc(s->arena, entry->count * sizeof *arguments);
    for (size_t i = 0; i < entry->count; i++) {
        const char *name = entry->arguments[i].name;
        struct job_argument *a = &arguments[i];
        bool found = false, slice;
        const struct passed *passed = kernel_passed(k, name);
        const struct param *param = kernel_param_as(k, name);
        const struct buffer *buffer = kernel_buffer_as(k, name),
                            *pitched = param ? NULL : kernel_pitch(k, name, &slice);
        *a = (struct job_argument){.buffer = -1, .report = -1, .name = name};
        a->type = argument_type(s, job, entry, entry->arguments[i].type);
        if (passed) {
            if (!pass(s, k, job, passed, a) || !pointee_fits(s, job, &entry->arguments[i], a)) return false;
            continue;
        }
        if (pitched) {
            found = true;
            a->buffer = (int)(pitched - k->buffers);
            a->part = slice ? PART_SLICE : PART_PITCH;
            if (strncmp(name, pitched->name, strlen(pitched->name)) != 0 && !one_pitch(s, entry, job)) return false;
        }
        if (buffer && !param) a->buffer = (int)(buffer - k->buffers), found = true;
        for (size_t r = 0; r < k->report_count; r++)
            if (strcmp(k->reports[r].name, name) == 0) a->report = (int)r, found = true;
        for (size_t v = 0; v < job->scalar_count; v++)
            if (param && strcmp(job->scalars[v].name, param->name) == 0) a->value = job->scalars[v].value, found = true;
        if (!found)
            return eval_wrong(s, (struct where){.file = k->path, .line = entry->line, .column = 1},
                "`%s` takes `%s`, which is not a buffer, parameter or report", entry->name, name);
        if (!pointee_fits(s, job, &entry->arguments[i], a)) return false;
    }
    job->arguments = arguments;
    job->argument_count = entry->count;
    return true;
}
