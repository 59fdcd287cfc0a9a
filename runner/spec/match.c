// Whether a kernel's source is what its description says: entries, arguments, `check`, `fill_<buffer>`; and whether
// every name in the description's expressions exists.
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <string.h>

#include "spec/describe.h"
#include "spec/include.h"
#include "spec/known.h"
#include "spec/scalar.h"
#include "spec/sequence.h"
#include "spec/settings.h"
#include "spec/source.h"
#include "spec/traits.h"

struct word_matcher {
    struct kernel *kernel;
    const struct source_function *functions;
    size_t count;
    const struct step *step; // of a sequence, whose launch is looked at
    struct known *names;     // what expressions may use
    struct sandbox *lua;
    struct arena *arena;
    struct diags *diags;
};

static struct where match_where(const struct word_matcher *, size_t byte, const char *name);
static const struct source_function *match_find(const struct word_matcher *, const char *name);
static void match_refuse_argument(const struct word_matcher *, const struct source_function *, size_t i, bool all,
    const char *what);
static void match_pointee(const struct word_matcher *, const struct source_function *, size_t i, const char *type);

// Whether what `arguments` say of a tensor map is for an argument that is one, and the other way round.

// The copy unit reads a tensor map where the launch put it; a copy of the thread's own is no place for one.
static bool stays(const struct word_matcher *m, const struct source_function *f, size_t i)
{
    const char *text = m->kernel->source, *end = text + f->places[i], *from = end;
    while (from > text && from[-1] != ',' && from[-1] != '(') from--;
    return source_has_word(arena_strndup(m->arena, from, (size_t)(end - from)), "__grid_constant__");
}

// What the source gives that name to (`using real = float;`, `typedef float real;`), or the name itself.
static const char *named(const struct word_matcher *m, const char *name)
{
    static const char typedefs[] = "typedef ";
    const char *const source = m->kernel->source, *const begin = arena_printf(m->arena, "using %s = ", name);
    const size_t n = strlen(name);
    const char *p = n ? strstr(source, begin) : NULL;
    if (p) return arena_strndup(m->arena, p + strlen(begin), strcspn(p + strlen(begin), ";"));
    for (p = source; n && (p = strstr(p, typedefs)); p++) {
        const char *const of = p + sizeof typedefs - 1, *const end = of + strcspn(of, ";{(");
        if (*end == ';' && (size_t)(end - of) > n && end[-1 - (ptrdiff_t)n] == ' ' && strncmp(end - n, name, n) == 0)
            return arena_strndup(m->arena, of, (size_t)(end - of) - n - 1);
    }
    return name;
}

static bool is_map(const struct word_matcher *m, const char *type)
{
    const char *name = strrchr(type, ' ') ? strrchr(type, ' ') + 1 : type;
    return tensor_words_type(type) || tensor_words_type(named(m, name));
}

// A tensor map goes by value to an argument that is one. False after a complaint. `passed` NULL:
// nothing says what the argument gets.
static bool match_tensor(const struct word_matcher *m, const struct source_function *f, size_t i,
    const struct passed *passed)
{
    const struct argument *a = &f->is.arguments[i];
    const struct where at = match_where(m, f->places[i], a->name);
    const bool pointer = strstr(a->type, "CUtensorMap") && strchr(a->type, '*'), is = is_map(m, a->type);
    const bool described = passed && passed->tensor;
    const char *by_value = arena_printf(m->arena, "const __grid_constant__ CUtensorMap %s", a->name);
    if (!*a->type || (described && pointer)) return true; // only the compiler knows it; or it lies in memory
    if (described && !is)
        return node_complain_at(m->diags, passed->at, by_value, "`%s` is `%s` in `%s`, not a tensor map", a->name,
            a->type, f->is.name);
    if (!is) return true;
    if (!described)
        return node_complain_at(m->diags, passed ? passed->at : at,
            arena_printf(m->arena, "arguments: {%s: {tensor: BUFFER, box: [64, 8]}}", a->name),
            "`%s` is a tensor map: `arguments` must say of which buffer", a->name);
    return stays(m, f, i) ||
        node_complain_at(m->diags, at, by_value, "`%s` must be a __grid_constant__: no copy finds it elsewhere",
            a->name);
}

// The functions of a kernel's source that are called for each element: `check` or `expected`, and fill_<buffer>.

// `in_before`: the earlier content of a buffer `in` that is read and written.
static bool is_before(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->buffer_count; i++) {
        const char *const own[] = {k->buffers[i].name, k->buffers[i].as};
        for (int o = 0; o < 2; o++) {
            const size_t n = strlen(own[o]);
            if (k->buffers[i].access == ACCESS_BOTH && strncmp(name, own[o], n) == 0 &&
                strcmp(name + n, "_before") == 0)
                return true;
        }
    }
    return false;
}

// Functions that are called for each element: the first argument is its index, the others are found by name.
static void match_called(const struct word_matcher *m, const struct source_function *f, bool buffers)
{
    const struct kernel *k = m->kernel;
    if (!f->is.count || strchr(f->is.arguments[0].type, '*'))
        node_complain_at(m->diags, match_where(m, f->at, f->is.name), NULL,
            "the first argument of `%s` is the element's index: size_t i", f->is.name);
    for (size_t i = 1; i < f->is.count; i++) {
        const char *name = f->is.arguments[i].name;
        const struct param *p = kernel_param_as(k, name);
        const struct buffer *b = kernel_buffer_as(k, name);
        if (p && p->kind != PARAM_TYPE) continue;
        if (buffers && b) match_pointee(m, f, i, b->type);
        if (buffers && (b || is_before(k, name))) continue;
        match_refuse_argument(m, f, i, buffers,
            buffers ? "neither a buffer, nor <buffer>_before of one that is read and written, nor a parameter"
                    : "no parameter");
    }
}

static bool is_number(const struct word_matcher *m, const struct source_function *f, const struct buffer *b)
{
    return !b->bytes.text ||
        node_complain_at(m->diags, match_where(m, f->at, f->is.name),
            "__device__ bool check(size_t i, ...) says itself whether it is right",
            "`%s` gives a number, but an element of `%s` is a structure", f->is.name, b->name);
}

// What `expected` returns is held against an element of the one buffer that is written.
static void match_expected(const struct word_matcher *m, const struct source_function *f)
{
    const struct kernel *k = m->kernel;
    const struct buffer *written[2] = {NULL, NULL};
    for (size_t i = 0; i < k->buffer_count; i++)
        if (k->buffers[i].access != ACCESS_READ) written[written[0] != NULL] = &k->buffers[i];
    const struct where at = match_where(m, f->at, f->is.name);
    if (!written[0])
        node_complain_at(m->diags, k->buffer_count ? k->buffers[0].at : at, "access: write",
            "which buffer does the kernel write? `%s` says what its elements must be, and each has `access: read`",
            f->is.name);
    if (written[1])
        node_complain_at(m->diags, at,
            arena_printf(m->arena, "`expected_%s` and `expected_%s` say it of each", written[0]->name,
                written[1]->name),
            "`%s` gives one value, but `%s` and `%s` are written", f->is.name, written[0]->name, written[1]->name);
    else if (written[0]) is_number(m, f, written[0]);
}

// A function without a mark that is called so may be the host's: what it calls with an error, or compares arrays by.
static bool is_of_host(const struct word_matcher *m, const struct source_function *f)
{
    static const char *const integers[] = {"size_t", "int", "unsigned", "long", "short", "uint", "uint32_t", "int32_t",
        "uint64_t", "int64_t", "ptrdiff_t", "ulong", "ushort", "char", NULL};
    char *const result = arena_strndup(m->arena, m->kernel->source + f->from, f->at - f->from);
    bool index = f->is.count > 0 && !strchr(f->is.arguments[0].type, '*');
    for (const char *const *w = integers; index && !source_has_word(f->is.arguments[0].type, *w); w++) index = w[1];
    return !f->device && (f->host || f->is_template || !index || source_has_word(result, "void"));
}

static const struct source_function *find_judge(const struct word_matcher *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->functions[i].is.name, name) == 0 && !is_of_host(m, &m->functions[i])) return &m->functions[i];
    return NULL;
}

// `check` and `expected`, or one of them with a variant's name behind it; not both. NULL: there is neither.
static const struct source_function *match_judge(const struct word_matcher *m, const char *of)
{
    const struct source_function *check = find_judge(m, arena_printf(m->arena, "check%s", of));
    const struct source_function *expected = find_judge(m, arena_printf(m->arena, "expected%s", of));
    if (check && expected)
        node_complain_at(m->diags, match_where(m, expected->at, expected->is.name), NULL,
            "`%s` and `%s` say the same: one of them is enough", check->is.name, expected->is.name);
    if (check) match_called(m, check, true);
    if (expected) match_called(m, expected, true), match_expected(m, expected);
    return expected ? expected : check;
}

// expected_<buffer> of each buffer that is written and has one.
static void match_expects(const struct word_matcher *m, const struct source_function *all)
{
    struct kernel *k = m->kernel;
    struct expects *expects = arena_alloc(m->arena, (k->buffer_count + 1) * sizeof *expects);
    for (size_t i = 0; i < k->buffer_count; i++) {
        const struct buffer *b = &k->buffers[i];
        const struct source_function *f =
            b->access == ACCESS_READ ? NULL : find_judge(m, arena_printf(m->arena, "expected_%s", b->name));
        if (!f) continue;
        if (all)
            node_complain_at(m->diags, match_where(m, f->at, f->is.name), NULL,
                "`%s` stands beside `%s`: one way is enough", f->is.name, all->is.name);
        match_called(m, f, true);
        is_number(m, f, b);
        expects[k->expect_count++] = (struct expects){&f->is, i};
    }
    k->expects = expects;
}

static void match_checks(const struct word_matcher *m)
{
    struct kernel *k = m->kernel;
    const struct source_function *all = match_judge(m, "");
    struct function *own = arena_alloc(m->arena, (m->count + 1) * sizeof *own);
    for (size_t i = 0; i < k->param_count; i++) {
        const struct value_list *values = k->params[i].kind == PARAM_VARIANT ? k->params[i].one_of : NULL;
        for (size_t v = 0; values && v < values->count && k->checks_of_count < m->count; v++) {
            const struct source_function *f = match_judge(m, arena_printf(m->arena, "_%s", values->items[v].text));
            if (f) own[k->checks_of_count++] = f->is;
        }
    }
    k->checks_of = own;
    if (!k->checks_of_count) match_expects(m, all);
    k->check = all ? &all->is : k->checks_of_count ? own : k->expect_count ? k->expects[0].by : NULL;
    bool expects = k->check && kernel_expects(k->check);
    for (size_t i = 0; i < k->checks_of_count; i++) expects |= kernel_expects(&own[i]);
    if (k->tolerance_at.line && !expects)
        node_complain_at(m->diags, k->tolerance_at, "__device__ float expected(size_t i, ...) in place of `check`",
            "`tolerance` is about what `expected` returns, and the source has no such function");
}

// A buffer that no function takes and that is called like a variable of the source can be nothing else.
static void match_variables(const struct word_matcher *m)
{
    struct buffer *buffers = (struct buffer *)m->kernel->buffers; // ours to finish
    for (size_t i = 0; i < m->kernel->buffer_count; i++) {
        bool taken = false;
        for (size_t f = 0; f < m->count; f++)
            for (size_t a = 0; m->functions[f].global && a < m->functions[f].is.count; a++)
                taken |= strcmp(m->functions[f].is.arguments[a].name, buffers[i].as) == 0;
        if (!taken) buffers[i].variable = source_variable(m->kernel->source, buffers[i].name);
    }
}

static void match_fills(const struct word_matcher *m)
{
    struct buffer *buffers = (struct buffer *)m->kernel->buffers; // ours to finish
    for (size_t i = 0; i < m->kernel->buffer_count; i++) {
        struct buffer *b = &buffers[i];
        const char *name = arena_printf(m->arena, "fill_%s", b->name);
        const struct source_function *f = match_find(m, name);
        const bool own = b->fill && strcmp(b->fill, "code") == 0 && !b->made.text && !b->low;
        if (own && !f)
            node_complain_at(m->diags, b->at, NULL,
                "buffer `%s` is filled by code, but the source has no function `%s`", b->name, name);
        if (!b->fill && b->access != ACCESS_WRITE) b->fill = f ? "code" : "random";
        if (f && b->fill && strcmp(b->fill, "code") == 0 && !b->made.text && !b->low) match_called(m, f, false);
    }
}

static struct where match_where(const struct word_matcher *m, size_t byte, const char *name)
{
    struct where at = include_where(m->kernel->path, m->kernel->source, byte, m->arena);
    at.width = (int)strlen(name);
    return at;
}

// NULL: there is none
static const struct source_function *match_find(const struct word_matcher *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->functions[i].is.name, name) == 0) return &m->functions[i];
    return NULL;
}

static const struct report_value *report(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->report_count; i++)
        if (strcmp(k->reports[i].name, name) == 0) return &k->reports[i];
    return NULL;
}

static void names_of(const struct kernel *k, bool all, struct known *names)
{
    for (size_t i = 0; all && i < k->buffer_count; i++) known_add(names, k->buffers[i].name);
    for (size_t i = 0; i < k->param_count; i++)
        if (k->params[i].kind == PARAM_ARGUMENT) known_add(names, k->params[i].name);
    for (size_t i = 0; all && i < k->report_count; i++) known_add(names, k->reports[i].name);
}

// An argument that nothing fills: says what could fill it; `all`: buffers and reports too.
// An argument that nothing fills: says what could fill it.
static void match_refuse_argument(const struct word_matcher *m, const struct source_function *f, size_t i, bool all,
    const char *what)
{
    const struct argument *a = &f->is.arguments[i];
    const struct param *p = kernel_param_as(m->kernel, a->name);
    struct known names = {0};
    const char *hint;
    if (m->diags->count > NODE_MOST_COMPLAINTS) return;
    names_of(m->kernel, all, &names);
    if (p && p->kind != PARAM_ARGUMENT) hint = "it is a compile-time parameter: use it without passing it";
    else hint = names.count ? node_suggestion(a->name, names.items, m->arena) : NULL;
    const bool near = hint && strncmp(hint, "did you mean", 12) == 0;
    if (!p && all && *a->name && a->type && strchr(a->type, '*') && !strstr(a->name, "_before"))
        hint =
            arena_printf(m->arena, "%s%sa pointer is a buffer: `buffers: {%s: {type: float, count: n, access: read}}`",
                near ? hint : "", near ? " Else " : "", a->name);
    if (!isdigit((unsigned char)*a->name))
        node_complain_at(m->diags, match_where(m, f->places[i], a->name), hint, "argument `%s` of `%s` is %s", a->name,
            f->is.name, what);
    else
        node_complain_at(m->diags, match_where(m, f->places[i], "x"),
            arena_printf(m->arena, "by its place: `arguments: {%s: 0}`", a->name), "argument %s of `%s` has no name",
            a->name, f->is.name);
    known_release(&names);
}

// An argument must be a pointer, or none.
static void match_pointer(const struct word_matcher *m, const struct source_function *f, size_t i, bool pointer)
{
    const struct argument *a = &f->is.arguments[i];
    const bool object = strstr(a->type, "cudaTextureObject_t") || strstr(a->type, "cudaSurfaceObject_t");
    // Of a type that is not known here the compiler says whether it takes an address.
    const bool unknown = object || !kernel_type_scalar(a->type, NULL);
    if ((strchr(a->type, '*') != NULL) == pointer || (pointer && unknown)) return;
    node_complain_at(m->diags, match_where(m, f->places[i], a->name), NULL,
        pointer ? "`%s` is a buffer, `%s` is not a pointer" : "`%s` is a parameter, `%s` is a pointer", a->name,
        a->type);
}

// A pointer must be to what the description says: a buffer's `type`, as far as that is the same at all
// points.
static void match_pointee(const struct word_matcher *m, const struct source_function *f, size_t i, const char *type)
{
    const struct argument *a = &f->is.arguments[i];
    if (kernel_param(m->kernel, type) || !kernel_type_differs(a->type, type)) return;
    node_complain_at(m->diags, match_where(m, f->places[i], a->name),
        "write it the same in both places; bytes (char *, void *) and vectors of the same numbers may differ",
        "`%s` is `%s` here, but its `type` in the description is %s", a->name, a->type, type);
}

// A clock is signed or not: what a report holds is the same.
static void match_reported(const struct word_matcher *m, const struct source_function *f, size_t i, const char *type)
{
    const char *pointer = f->is.arguments[i].type, *sign = strstr(pointer, "unsigned ");
    const char *as = sign ? arena_printf(m->arena, "%.*s%s", (int)(sign - pointer), pointer, sign + strlen("unsigned "))
                          : arena_printf(m->arena, "unsigned %s", pointer);
    if (kernel_type_differs(as, type)) match_pointee(m, f, i, type);
}

static void match_arguments(const struct word_matcher *m, const struct source_function *f)
{
    const struct kernel *k = m->kernel;
    for (size_t i = 0; i < f->is.count; i++) {
        const char *name = f->is.arguments[i].name;
        const struct param *p = kernel_param_as(k, name);
        bool slice;
        const struct passed *passed = *name ? kernel_passed(k, name) : NULL;
        for (size_t q = 0; m->step && q < m->step->passed_count; q++)
            if (strcmp(m->step->passed[q].name, name) == 0) passed = &m->step->passed[q];
        if (!match_tensor(m, f, i, passed) || passed) continue;
        if (strchr(f->is.arguments[i].type, '&'))
            node_complain_at(m->diags, match_where(m, f->places[i], name), "write it without the `&`",
                "`%s` is a reference: a kernel gets its arguments by value", name);
        else if (p && p->kind == PARAM_ARGUMENT) match_pointer(m, f, i, false);
        else if (!p && kernel_pitch(k, name, &slice)) match_pointer(m, f, i, false);
        else if (*name && (kernel_buffer_as(k, name) || report(k, name))) {
            const struct buffer *b = kernel_buffer_as(k, name);
            match_pointer(m, f, i, true);
            if (b && b->type) match_pointee(m, f, i, b->type);
            else if (!b) match_reported(m, f, i, report(k, name)->type);
        } else match_refuse_argument(m, f, i, true, "neither a buffer nor a parameter nor a report");
    }
}

// The function that `name` means, which may have namespaces in front and template arguments behind.
static const struct source_function *find_entry(const struct word_matcher *m, const char *name)
{
    const struct function *f = kernel_function(m->kernel, name);
    for (size_t i = 0; f && i < m->count; i++)
        if (m->functions[i].global && m->functions[i].is.name == f->name) return &m->functions[i];
    size_t n;
    const char *stem = kernel_stem(name, &n);
    return match_find(m, arena_strndup(m->arena, stem, n));
}

// How many arguments are said by their places, from `first` on: `arguments: {1: in, 2: n}`.
static size_t places_said(const struct passed *passed, size_t count, size_t first)
{
    for (size_t place = first;; place++) {
        char name[24];
        size_t i = 0;
        snprintf(name, sizeof name, "%zu", place);
        while (i < count && strcmp(passed[i].name, name) != 0) i++;
        if (i == count) return place - first;
    }
}

// Arguments from `have` on whose types only the compiler knows, each named by its place.
static void add_places(struct function *f, size_t have, size_t count, struct arena *a)
{
    struct argument *all = arena_alloc(a, (have + count + 1) * sizeof *all);
    for (size_t i = 0; i < have + count; i++)
        all[i] = i < have ? f->arguments[i] : (struct argument){.name = arena_printf(a, "%zu", i + 1), .type = ""};
    f->arguments = all;
    f->count = have + count;
}

// The last argument of a template may be many, or none: `Args... args`. The first of them has its name.
static void open_pack(struct source_function *of, const struct kernel *k)
{
    struct function *const f = &of->is;
    const size_t last = f->count - 1;
    if (!f->count || !strstr(f->arguments[last].type, ". . .")) return;
    const struct argument first = f->arguments[last];
    const char *const name = first.name;
    const bool named = kernel_passed(k, name) || kernel_param_as(k, name) || kernel_buffer_as(k, name);
    add_places(f, last, named + places_said(k->passed, k->passed_count, last + 1 + named), k->arena);
    size_t *places = arena_alloc(k->arena, (f->count + 1) * sizeof *places);
    for (size_t i = 0; i < f->count; i++) places[i] = of->places[i < last ? i : last];
    of->places = places;
    if (named) ((struct argument *)f->arguments)[last] = (struct argument){first.name, "", first.at};
}

// A kernel that stands in no text that is read here, but in a header of the system or behind a macro: the compiler
// knows it. Its arguments are said by their places.
static void add_unread(const struct word_matcher *m, const char *name, const struct passed *passed, size_t count)
{
    struct kernel *k = m->kernel;
    const size_t said = places_said(passed, count, 1);
    size_t n;
    const char *stem = kernel_stem(name, &n);
    if (!said || kernel_function(k, name)) return;
    struct function *all = arena_alloc(k->arena, (k->function_count + 1) * sizeof *all);
    memcpy(all, k->functions, k->function_count * sizeof *all);
    all[k->function_count] = (struct function){.name = arena_strndup(k->arena, stem, n), .scope = "", .line = 1};
    add_places(&all[k->function_count++], 0, said, k->arena);
    k->functions = all;
}

// Where in which file a function and its arguments came from.
static void match_place(const struct word_matcher *m, struct source_function *f)
{
    f->is.line = match_where(m, f->at, "").line;
    for (size_t a = 0; a < f->is.count; a++)
        ((struct argument *)f->is.arguments)[a].at = match_where(m, f->places[a], f->is.arguments[a].name);
}

// A kernel that may be launched: its arguments are told where they stand.
static void take_kernel(const struct word_matcher *m, struct source_function *f, struct function *kernels)
{
    f->global = true;
    match_place(m, f);
    open_pack(f, m->kernel);
    kernels[m->kernel->function_count++] = f->is;
}

// Is that the buffer, or a place in it?
static bool is_of_buffer(const struct passed *p, const struct buffer *b)
{
    const size_t n = strlen(b->name);
    const char *text = p->count == 1 ? p->items[0].text : NULL;
    return text && strncmp(text, b->name, n) == 0 && strchr("+", *(text + n + strspn(text + n, " ")));
}

static void take_type(const struct word_matcher *m, struct buffer *b, const char *type)
{
    const struct param *p = kernel_param(m->kernel, type);
    if (!p && !kernel_type_size(type)) type = named(m, type);
    if (!b->type && (b->bytes.text || kernel_type_size(type) || (p && p->kind == PARAM_TYPE))) b->type = type;
}

// What a description leaves unsaid of a buffer is what the entry's argument says: its type, and that it is only read.
static void match_unsaid(const struct word_matcher *m, const struct source_function *f, const char *entry)
{
    const struct kernel *k = m->kernel;
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *a = &f->is.arguments[i];
        const struct passed *passed = kernel_passed(k, a->name);
        const char *star = strchr(a->type, '*');
        for (size_t q = 0; m->step && q < m->step->passed_count; q++)
            if (strcmp(m->step->passed[q].name, a->name) == 0) passed = &m->step->passed[q];
        for (size_t q = 0; star && !strchr(star + 1, '*') && q < k->buffer_count; q++) {
            struct buffer *b = (struct buffer *)&k->buffers[q]; // ours to finish
            if (passed ? !is_of_buffer(passed, b) : strcmp(a->name, b->as) != 0) continue;
            const char *type = kernel_type_pointee(a->type, m->arena),
                       *own = kernel_instance(&f->is, entry, type, strlen(type), m->arena);
            take_type(m, b, own ? own : type);
            if (b->by == ACCESS_SAID) continue;
            if (!source_has_word(arena_strndup(m->arena, a->type, (size_t)(star - a->type)), "const"))
                b->access = b->fill ? ACCESS_BOTH : ACCESS_WRITE;
            b->by = ACCESS_FOUND;
        }
    }
}

static bool is_called(const char *name)
{
    static const char *const begins[] = {"check", "expected", "fill_", NULL};
    const char *const *b = begins;
    while (*b && strncmp(name, *b, strlen(*b)) != 0) b++;
    return *b;
}

static void refuse_unsaid(const struct word_matcher *m)
{
    for (size_t i = 0; i < m->kernel->buffer_count; i++) {
        struct buffer *b = (struct buffer *)&m->kernel->buffers[i];
        for (size_t f = 0; f < m->count; f++) // the kernel may stand in a text that is not read
            for (size_t a = 0; is_called(m->functions[f].is.name) && a < m->functions[f].is.count; a++)
                if (strcmp(m->functions[f].is.arguments[a].name, b->as) == 0)
                    take_type(m, b, kernel_type_pointee(m->functions[f].is.arguments[a].type, m->arena));
        const bool found = b->by != ACCESS_UNSAID;
        if (!b->type || !found)
            node_complain_at(m->diags, b->at, "in a mapping: {type: float, count: n, access: read}",
                "buffer `%s` does not say its %s, nor does an argument of a kernel", b->name,
                found          ? "`type`"
                    : !b->type ? "`type` and `access`"
                               : "`access`");
        if (!b->type) b->type = "int";
    }
}

static bool match_entry(const struct word_matcher *m, const char *name, struct where at)
{
    const struct source_function *f = find_entry(m, name);
    if (f && !f->global && source_marked_by_macro(m->kernel->source, f))
        take_kernel(m, (struct source_function *)f, (struct function *)m->kernel->functions); // room for all is there
    if (!f && m->step) add_unread(m, name, m->step->passed, m->step->passed_count);
    else if (!f) add_unread(m, name, m->kernel->passed, m->kernel->passed_count);
    if (!f && kernel_function(m->kernel, name)) return true;
    const bool instance = name[strlen(name) - 1] == '>';
    if (f && f->global) match_unsaid(m, f, name);
    if (f && f->global && f->is_template == instance) return match_arguments(m, f), true;
    struct known entries = {0};
    for (size_t i = 0; i < m->count; i++)
        if (m->functions[i].global && !m->functions[i].is_template) known_add(&entries, m->functions[i].is.name);
    const char *hint = f && f->is_template && f->global
        ? arena_printf(m->arena, "say which of its instances: entry: %s<float>", f->is.name)
        : entries.count ? node_suggestion(name, entries.items, m->arena)
                        : "an entry is a __global__ function; one of a header is described by its arguments' places: "
                          "`arguments: {1: in, 2: n}`";
    node_complain_at(m->diags, at, hint,
        !f               ? "the source has no entry `%s`"
            : !f->global ? "`%s` is not a __global__ function"
            : instance   ? "`%s`: that is not a template"
                         : "`%s` is a template: an entry is a plain __global__ function, or one instance",
        name);
    known_release(&entries);
    return false;
}

// The entry of one value of the variant: <entry>_<value>, else the value itself.
static const char *variant_entry(const struct word_matcher *m, const char *value)
{
    const char *joined = arena_printf(m->arena, "%s_%s", m->kernel->entry, value);
    return !find_entry(m, joined) && find_entry(m, value) ? value : joined;
}

// Without `entry` it is called like the file, or is the only one that there is.
static const char *entry_unsaid(const struct word_matcher *m)
{
    const struct kernel *k = m->kernel;
    if (kernel_function(k, k->name) || k->function_count != 1) return k->name;
    return k->functions[0].name;
}

static bool is_entry_name(const char *s)
{
    size_t n;
    return *kernel_stem(s, &n) && n && !isdigit((unsigned char)*s);
}

static void match_step(void *context, const struct step *step)
{
    struct word_matcher m = *(const struct word_matcher *)context;
    const struct kernel *k = m.kernel;
    m.step = step;
    if (step->entry) match_entry(&m, step->entry, step->at);
    for (size_t i = 0; step->entry && i < step->passed_count; i++) {
        const struct function *f = kernel_function(k, step->entry);
        bool taken = false;
        for (size_t a = 0; f && a < f->count; a++) taken |= strcmp(f->arguments[a].name, step->passed[i].name) == 0;
        if (f && !taken)
            node_complain_at(m.diags, step->passed[i].at, NULL, "`%s` takes no `%s`", f->name, step->passed[i].name);
    }
    if (step->entry && !step->threads[0].text && !step->grid[0].text && !k->threads[0].text && !k->grid[0].text)
        node_complain_at(m.diags, step->at, "threads: n", "`%s` does not say how many threads it needs", step->entry);
}

// The first launch of a sequence.
static const char *first_entry(const struct step *s)
{
    return s->entry || !s->step_count ? s->entry : first_entry(s->steps);
}

static void match_entries(const struct word_matcher *m, const struct node *entry)
{
    struct kernel *k = m->kernel;
    const struct param *variant = NULL;
    struct where at = entry ? node_where(entry) : (struct where){.file = k->path};
    k->entry_at = at;
    if (k->host) {
        k->entry = k->name; // until it is run
        return;
    }
    for (size_t i = 0; i < k->param_count; i++)
        if (k->params[i].kind == PARAM_VARIANT) variant = &k->params[i];
    k->entry = entry    ? node_text(entry, "entry", "a name", m->diags)
        : k->step_count ? first_entry(k->steps)
        : variant       ? k->name
                        : entry_unsaid(m);
    if (!k->entry) k->entry = k->name;
    else if (!is_entry_name(k->entry) && !variant) {
        node_complain_at(m->diags, at, "entry: my_kernel",
            "`%s` is not the name of a function: name the function with `entry`", k->entry);
        return;
    }
    if (k->step_count) {
        sequence_each(k, match_step, (void *)m);
        return;
    }
    if (!variant) {
        match_entry(m, k->entry, at);
        return;
    }
    for (size_t i = 0; variant->one_of && i < variant->one_of->count; i++)
        match_entry(m, variant_entry(m, variant->one_of->items[i].text), variant->at);
}

static void check_step(void *context, const struct step *s)
{
    const struct word_matcher *m = context;
    const struct source_expr *all[] = {&s->threads[0], &s->threads[1], &s->threads[2], &s->block[0], &s->block[1],
        &s->block[2], &s->grid[0], &s->grid[1], &s->grid[2], &s->shared, &s->repeat};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) known_check(m->lua, all[i], m->names, m->diags);
    tensor_words_names(m->lua, s->passed, s->passed_count, m->names, m->diags);
}

// Expressions see parameters, the point's settings (block), and type names stand for themselves: sizeof(float).
static void check_expressions(const struct word_matcher *m)
{
    const struct kernel *k = m->kernel;
    struct known names = {.types = true};
    struct sandbox *lua = sandbox_new(&(struct sandbox_limits){0});
    for (size_t i = 0; i < k->param_count; i++) known_add(&names, k->params[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) known_add(&names, setting_table[i].name);
    for (int i = 0; i < TRAIT_COUNT; i++) known_add(&names, trait_table[i].name);
    const struct source_expr *all[] = {&k->threads[0], &k->threads[1], &k->threads[2], &k->grid[0], &k->grid[1],
        &k->grid[2], &k->useful, &k->flops, &k->shared, &k->carveout, &k->checks, &k->needs, &k->tolerance[0],
        &k->tolerance[1]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) known_check(lua, all[i], &names, m->diags);
    tensor_words_names(lua, k->passed, k->passed_count, &names, m->diags);
    known_add(&names, "step");
    struct word_matcher of_steps = *m;
    of_steps.names = &names;
    of_steps.lua = lua;
    sequence_each(k, check_step, &of_steps);
    struct known params = {.types = true}; // a block is what the rest is made of
    for (size_t i = 0; i < k->param_count; i++) known_add(&params, k->params[i].name);
    for (int i = 0; i < TRAIT_COUNT; i++) known_add(&params, trait_table[i].name);
    for (int i = 0; i < 3; i++) known_check(lua, &k->block[i], &params, m->diags);
    known_release(&params);
    for (size_t i = 0; i < k->buffer_count; i++) {
        known_check(lua, &k->buffers[i].count, &names, m->diags);
        known_check(lua, &k->buffers[i].rows, &names, m->diags);
        known_check(lua, &k->buffers[i].planes, &names, m->diags);
        known_check(lua, &k->buffers[i].step, &names, m->diags);
        known_check(lua, &k->buffers[i].bytes, &names, m->diags);
    }
    sandbox_free(lua);
    known_release(&names);
}

static size_t count_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    size_t count = 0;
    for (const char *p = text; p && n && (p = strstr(p, word)); p += n)
        count += (p == text || !skip_is_word(p[-1])) && !skip_is_word(p[n]);
    return count;
}

static bool has_word(const char *text, const char *word) { return count_word(text, word) > 0; }

// An argument that the kernel does not take is a mistake: an axis over it would be one point measured many times. (A
// constant may be used by a macro.)
static void refuse_unused(const struct word_matcher *m)
{
    const struct kernel *k = m->kernel;
    size_t start, end;
    if (!source_description(k->text, &start, &end)) return;
    const char *description = arena_strndup(m->arena, k->text + start, end - start);
    for (size_t i = 0; i < k->param_count; i++) {
        const char *name = k->params[i].name;
        bool used = k->params[i].kind != PARAM_ARGUMENT || count_word(k->source, name) > count_word(description, name);
        const struct source_expr *all[] = {&k->threads[0], &k->threads[1], &k->threads[2], &k->block[0], &k->block[1],
            &k->block[2], &k->grid[0], &k->grid[1], &k->grid[2], &k->useful, &k->flops, &k->shared, &k->carveout,
            &k->checks, &k->tolerance[0], &k->tolerance[1]};
        used |= count_word(k->source, k->params[i].as) > count_word(description, k->params[i].as);
        for (size_t p = 0; p < k->passed_count; p++)
            for (int e = 0; e < k->passed[p].count; e++) used |= has_word(k->passed[p].items[e].text, name);
        for (size_t p = 0; p < k->passed_count; p++) used |= tensor_words_use(k->passed[p].tensor, name);
        used |= k->step_count && count_word(description, name) > 1; // somewhere in the sequence
        used |= has_word(k->host, name);
        for (size_t e = 0; e < sizeof all / sizeof all[0]; e++) used |= has_word(all[e]->text, name);
        for (size_t b = 0; b < k->buffer_count; b++)
            used |= has_word(k->buffers[b].made.text, name) || has_word(k->buffers[b].low, name) ||
                has_word(k->buffers[b].high, name) || has_word(k->buffers[b].count.text, name) ||
                has_word(k->buffers[b].step.text, name) || strcmp(k->buffers[b].type, name) == 0;
        for (size_t d = 0; d < m->diags->count; d++) // one complaint about it is enough
            used |= m->diags->items[d].at.line == k->params[i].at.line && m->diags->items[d].at.file &&
                strcmp(m->diags->items[d].at.file, k->path) == 0;
        if (!used) node_complain_at(m->diags, k->params[i].at, NULL, "parameter `%s` is used nowhere", name);
    }
}

// A report that nothing writes to would be a column of nothing.
static void refuse_unwritten(const struct word_matcher *m)
{
    const struct kernel *k = m->kernel;
    for (size_t r = 0; r < k->report_count; r++) {
        const struct report_value *v = &k->reports[r];
        if (!kernel_takes(k, v->name) && k->function_count)
            node_complain_at(m->diags, v->at,
                arena_printf(m->arena, "%s *%s as an argument of the kernel, which writes to it", v->type, v->name),
                "report `%s`: no __global__ function takes it", v->name);
    }
}

// A tensor map may be for C++ that makes an argument.
static bool makes_use(const struct kernel *k, const struct passed *map)
{
    for (size_t p = 0; map->tensor && p < k->passed_count; p++)
        if (k->passed[p].count == 1 && has_word(k->passed[p].items[0].text, map->name)) return true;
    return false;
}

static void refuse_unpassed(const struct word_matcher *m)
{
    const struct kernel *k = m->kernel;
    struct known names = {0};
    for (size_t f = 0; f < k->function_count; f++)
        for (size_t i = 0; i < k->functions[f].count; i++) known_add(&names, k->functions[f].arguments[i].name);
    for (size_t p = 0; p < k->passed_count; p++)
        if (!kernel_takes(k, k->passed[p].name) && k->function_count && !makes_use(k, &k->passed[p]))
            node_complain_at(m->diags, k->passed[p].at,
                names.count ? node_suggestion(k->passed[p].name, names.items, m->arena) : NULL,
                "no __global__ function takes `%s`", k->passed[p].name);
    known_release(&names);
}

static void find_asked(const struct kernel *k)
{
    for (size_t i = 0; i < k->param_count; i++) {
        struct param *p = (struct param *)&k->params[i]; // ours to finish
        p->asked = p->kind == PARAM_VARIANT && source_has_word(k->source, p->as);
    }
}

// A parameter takes fractions when the kernel's argument is a float.
static void find_reals(const struct kernel *k)
{
    for (size_t f = 0; f < k->function_count; f++)
        for (size_t i = 0; i < k->functions[f].count; i++) {
            struct param *p = (struct param *)kernel_param_as(k, k->functions[f].arguments[i].name);
            const char *scalar = p ? kernel_type_scalar(k->functions[f].arguments[i].type, NULL) : NULL;
            if (!scalar || p->is_text || p->kind != PARAM_ARGUMENT) continue;
            if (strcmp(scalar, "float") && strcmp(scalar, "double") && strcmp(scalar, "half") &&
                strcmp(scalar, "__nv_bfloat16"))
                continue;
            p->is_real = true;
            if (p->fallback.kind == VALUE_INT) p->fallback = value_real((double)p->fallback.i);
        }
}

void match_source(struct kernel *k, const struct node *entry, struct diags *d)
{
    struct word_matcher m = {.kernel = k, .arena = k->arena, .diags = d};
    m.functions = source_functions(k->source, k->arena, &m.count);
    struct function *globals = arena_alloc(k->arena, (m.count + 1) * sizeof *globals);
    k->functions = globals;
    for (size_t i = 0; i < m.count; i++) {
        struct source_function *f = (struct source_function *)&m.functions[i]; // ours to finish
        if (f->global) take_kernel(&m, f, globals);
        else if (is_called(f->is.name)) match_place(&m, f); // headers have thousands of others
    }
    match_entries(&m, entry);
    refuse_unsaid(&m);
    match_checks(&m);
    match_fills(&m);
    match_variables(&m);
    refuse_unused(&m);
    refuse_unwritten(&m);
    refuse_unpassed(&m);
    find_asked(k);
    find_reals(k);
    fits_widths(k);
    check_expressions(&m);
}
