// The functions of a kernel's source that are called for each element: `check` or `expected`, and fill_<buffer>.
// SPDX-License-Identifier: MIT
#include "spec/match_inside.h"

#include <string.h>

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

void match_checks(const struct word_matcher *m)
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
void match_variables(const struct word_matcher *m)
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

void match_fills(const struct word_matcher *m)
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
