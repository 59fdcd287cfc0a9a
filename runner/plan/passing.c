// What an entry's arguments get: a buffer or a place in it, a parameter, a report, a number or vector of expressions,
// or C++ that the device makes; and which instance of a template is meant.
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <string.h>

#include "plan/asks.h"
#include "plan/eval.h"
#include "plan/job.h"
#include "spec/include.h"
#include "spec/sequence.h"

static bool passing_offset(const struct expr_site *, const struct kernel *, const struct job *,
    const struct source_expr *, struct job_argument *, bool *is_one);

// What an argument that is a tensor map says at this point: sizes, strides and the box as numbers. What the driver
// would refuse, or what would reach beyond the buffer, is refused here, where the reason can be told.

typedef unsigned long long ull;

static const struct source_expr *at(const struct tensor *t, enum tensor_list which, uint32_t i)
{
    return &t->lists[which][i];
}

// Where the corner of a filter goes, of each direction but the channels and the images.
static bool corners_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    static const int64_t most[TENSOR_RANK + 1] = {[3] = 32768, [4] = 128, [5] = 16};
    static const enum tensor_list lists[] = {TENSOR_LOWER, TENSOR_UPPER};
    static const char *const names[] = {"lower", "upper"};
    for (uint32_t i = 0; out->images && i < 2 * (out->rank - 2); i++) {
        const struct source_expr *e = at(p->tensor, lists[i % 2], i / 2);
        const int64_t limit = most[out->rank];
        struct value v;
        if (!eval_expr(s, e, &v)) return false;
        if (v.kind != VALUE_INT || v.i < -limit || v.i >= limit)
            return eval_wrong(s, e->at, "`%s` of `%s` is no whole number from %lld to %lld", names[i % 2], p->name,
                (long long)-limit, (long long)limit - 1);
        *(i % 2 ? &out->upper[i / 2] : &out->lower[i / 2]) = (int32_t)v.i;
    }
    return true;
}

static bool box_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *box = arena_printf(s->arena, "the box of `%s`", p->name);
    const char *step = arena_printf(s->arena, "the step of `%s`", p->name);
    for (uint32_t i = 0; i < out->rank; i++) {
        uint64_t n = 1;
        const uint64_t most = out->images && i ? 1024 : 256;
        if (i < (uint32_t)t->counts[TENSOR_BOX] && !eval_whole(s, at(t, TENSOR_BOX, i), box, 1, &n)) return false;
        if (n > most)
            return eval_wrong(s, at(t, TENSOR_BOX, i)->at, "%s has %llu %s: at most %llu", box, (ull)n,
                most > 256 ? "pixels" : "elements", (ull)most);
        out->box[i] = (uint32_t)n;
        n = 1;
        if (t->counts[TENSOR_STEP] && !eval_whole(s, at(t, TENSOR_STEP, i), step, 1, &n)) return false;
        if (n > 8) return eval_wrong(s, at(t, TENSOR_STEP, i)->at, "%s is %llu: at most 8", step, (ull)n);
        if (!i && n > 1)
            return eval_wrong(s, at(t, TENSOR_STEP, 0)->at, "%s is %llu along x: a copy takes all of a row", step,
                (ull)n);
        out->step[i] = (uint32_t)n;
    }
    const uint32_t row = out->box[0] * out->bytes;
    return row % 16 == 0 ||
        eval_wrong(s, at(t, TENSOR_BOX, 0)->at, "a row of the box of `%s` is %u bytes: it must be a multiple of 16",
            p->name, row);
}

static bool size_read(const struct expr_site *s, const struct passed *p, const struct job_buffer *b,
    struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *size = arena_printf(s->arena, "the size of `%s`", p->name);
    for (uint32_t i = 0; i < out->rank; i++) {
        out->size[i] = i ? b->extent[i < 3 ? i : 2] : b->extent[0] * (uint64_t)b->lanes;
        if (t->counts[TENSOR_SIZE] && !eval_whole(s, at(t, TENSOR_SIZE, i), size, 1, &out->size[i])) return false;
        if (out->size[i] > (uint64_t)1 << 32)
            return eval_wrong(s, p->at, "%s is %llu elements: at most 4294967296 in a direction", size,
                (ull)out->size[i]);
    }
    return true;
}

static bool stride_read(const struct expr_site *s, const struct passed *p, const struct job_buffer *b,
    struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *stride = arena_printf(s->arena, "the stride of `%s`", p->name);
    out->stride[0] = out->bytes;
    out->own = !t->counts[TENSOR_SIZE] && !t->counts[TENSOR_STRIDE] && asks_memory_of(b, "pitched");
    for (uint32_t i = 1; i < out->rank && !out->own; i++) {
        uint64_t n = 0;
        const struct source_expr *e = at(t, TENSOR_STRIDE, i - 1);
        const struct where where = t->counts[TENSOR_STRIDE] ? e->at : p->at;
        bool fits = true;
        if (t->counts[TENSOR_STRIDE]) {
            if (!eval_whole(s, e, stride, 1, &n)) return false;
            fits = !__builtin_mul_overflow(n, out->bytes, &n);
        } else fits = !__builtin_mul_overflow(out->stride[i - 1], out->size[i - 1], &n);
        if (!fits || n >= (uint64_t)1 << 40)
            return eval_wrong(s, where, "%s leads further than a tensor map can tell: 1 TiB", stride);
        if (n % 16) return eval_wrong(s, where, "%s is %llu bytes: it must be a multiple of 16", stride, (ull)n);
        out->stride[i] = n;
    }
    return true;
}

// The last byte that the map describes lies in the buffer.
static bool stays_inside(const struct expr_site *s, const struct passed *p, const struct job_buffer *b, uint64_t offset,
    const struct job_tensor *t)
{
    uint64_t last = t->bytes;
    for (uint32_t i = 0; i < t->rank && !t->own; i++) last += (t->size[i] - 1) * t->stride[i]; // below 2^75: see above
    for (uint32_t i = 0; i < t->rank && !t->own; i++)
        if (t->size[i] > 1 && t->stride[i] > b->bytes / (t->size[i] - 1)) last = UINT64_MAX;
    if (t->own || (last <= b->bytes && offset <= b->bytes - last)) return true;
    return eval_wrong(s, p->tensor->of.at, "`%s` describes more of `%s` than its %llu bytes", p->name, b->name,
        (ull)b->bytes);
}

static bool words_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    static const uint32_t known[TENSOR_WORDS][5] = {{0, 32, 64, 128, 0}, {0, 64, 128, 256, 0}};
    static const char *const names[TENSOR_WORDS] = {"swizzle", "promote"};
    uint32_t *const to[TENSOR_WORDS] = {&out->swizzle, &out->promote};
    for (int w = 0; w < TENSOR_WORDS; w++) {
        const struct source_expr *e = &p->tensor->words[w];
        uint64_t n = 0;
        if (e->text && !eval_whole(s, e, arena_printf(s->arena, "`%s` of `%s`", names[w], p->name), 0, &n))
            return false;
        bool found = false;
        for (int i = 0; i < 4; i++) found |= known[w][i] == n;
        if (!found)
            return eval_wrong(s, e->at, "`%s` of `%s` is %llu: it is 0, %u, %u or %u", names[w], p->name, (ull)n,
                known[w][1], known[w][2], known[w][3]);
        *to[w] = (uint32_t)n;
    }
    const uint32_t row = out->box[0] * out->bytes;
    if (out->swizzle && row > out->swizzle)
        return eval_wrong(s, p->tensor->words[TENSOR_SWIZZLE].at,
            "a row of the box of `%s` is %u bytes: `swizzle: %u` takes at most as many", p->name, row, out->swizzle);
    return true;
}

// What a tensor map says, which no GPU would refuse.
static bool passing_tensor(const struct expr_site *s, const struct kernel *k, const struct job *job,
    const struct passed *p, struct job_argument *a)
{
    struct job_tensor *t = arena_alloc(s->arena, sizeof *t);
    bool is_one = false;
    if (!passing_offset(s, k, job, &p->tensor->of, a, &is_one) || !is_one) return false; // told when it was read
    const struct job_buffer *b = &job->buffers[a->buffer];
    const bool real = b->scalar &&
        (strcmp(b->scalar, "float") == 0 || strcmp(b->scalar, "double") == 0 || strcmp(b->scalar, "half") == 0 ||
            strcmp(b->scalar, "__nv_bfloat16") == 0);
    a->part = PART_TENSOR;
    a->tensor = t;
    t->rank = (uint32_t)tensor_words_rank(p->tensor);
    t->images = p->tensor->counts[TENSOR_LOWER] > 0;
    t->bytes = (uint32_t)(b->element_bytes / (uint64_t)b->lanes);
    t->nan = p->tensor->nan;
    if (t->nan && !real)
        return eval_wrong(s, p->at, "`outside: nan` of `%s` is for floats, and `%s` holds %s", p->name, b->name,
            b->type);
    if (asks_memory_of(b, "texture") || asks_memory_of(b, "surface") || asks_memory_of(b, "symbol") ||
        asks_memory_of(b, "constant"))
        return eval_wrong(s, p->at, "no tensor map describes `%s`: `memory.%s` is %s", b->name, b->name, b->memory);
    if (a->offset % 16)
        return eval_wrong(s, p->tensor->of.at, "`%s` begins at byte %llu of `%s`: it must be a multiple of 16", p->name,
            (ull)a->offset, b->name);
    return size_read(s, p, b, t) && corners_read(s, p, t) && box_read(s, p, t) && stride_read(s, p, b, t) &&
        words_read(s, p, t) && stays_inside(s, p, b, a->offset, t);
}

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

// Lua does not take it, or takes it for something else: `half{1}`, `half(1)`, `ns::of(1)`, `__float2half(1)`,
// `static_cast<half>(1)`.
static bool is_cpp(const struct expr_site *s, const char *text)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct expr *lua = expr_new(s->plan->box, text, (struct where){0}, &ignored);
    if (!lua) return true;
    expr_free(lua);
    char type[32];
    const size_t n = strcspn(text, "(");
    snprintf(type, sizeof type, "%.*s", (int)n, text);
    const bool made = text[n] && kernel_type_size(type);
    return made || strpbrk(text, "{}") || strstr(text, "::") || strstr(text, "__") || strstr(text, "_cast<");
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
        if (n && f->param_count) value = kernel_instance(f, job->entry, p, n, s->arena);
        for (size_t i = 0; n && !value && i < job->constant_count; i++)
            if (job->constants[i].kind == PARAM_TYPE && strcmp(job->constants[i].name, word) == 0)
                value = job->constants[i].value.text;
        if (value) str_add(&out, value);
        else str_add_bytes(&out, p, n ? n : 1);
        p += n ? n : 1;
    }
    return arena_strdup(s->arena, out.text ? out.text : "");
}

// "in", "in + 2 * n": a buffer, and from which element on. `is_one` false: it is something else.
static bool passing_offset(const struct expr_site *s, const struct kernel *k, const struct job *job,
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
    a->code = arena_strdup(s->arena, code.text), a->code_line = p->at.line;
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
    if (!*a->type && include_made_has(k->source, job->entry)) scalar = ""; // a number as the PTX says
    if (scalar && p->count > 1 && p->count != lanes)
        return eval_wrong(s, p->at, "`%s` is a `%s`: it takes %d numbers, not %d", p->name, a->type, lanes, p->count);
    if (p->count == 1 && (!scalar || lanes > 1 || is_cpp(s, p->items[0].text)))
        return a->code = p->items[0].text, a->code_line = p->items[0].at.line, true;
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

// The tensor maps that no kernel takes.
bool passing_maps(const struct expr_site *s, const struct kernel *k, struct job *job)
{
    struct job_argument *maps = arena_alloc(s->arena, (k->passed_count + 1) * sizeof *maps);
    for (size_t i = 0; i < k->passed_count; i++) {
        const struct passed *p = &k->passed[i];
        if (!p->tensor || kernel_takes(k, p->name)) continue;
        maps[job->map_count] =
            (struct job_argument){.buffer = -1, .report = -1, .name = p->name, .type = "CUtensorMap *"};
        if (!passing_tensor(s, k, job, p, &maps[job->map_count++])) return false;
    }
    job->maps = maps;
    return true;
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
