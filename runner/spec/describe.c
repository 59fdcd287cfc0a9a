// The description in a kernel file's first comment: parameters, buffers, sizes. A table for each level says which keys
// there are.
// SPDX-License-Identifier: MIT
#include "spec/describe.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lua/sandbox.h"
#include "spec/columns.h"
#include "spec/include.h"
#include "spec/known.h"
#include "spec/scalar.h"
#include "spec/sequence.h"

// Reads what a buffer holds before a kernel runs.

#define MOST_FILE_BYTES ((size_t)4 << 30)

// As the table of words says it.
static const char *takes(void) { return words_find(&words_buffer, "fill")->takes; }

static void read_text(const struct describer *r, const struct node *n, struct buffer *b)
{
    const char *text = node_text(n, "fill", takes(), r->diags);
    enum unit unit;
    b->fill = text;
    if (!text || choice_find(words_fills, text) >= 0) return;
    const struct value v = scalar_read(n, &unit);
    const bool word = v.kind == VALUE_TEXT && source_is_identifier(text);
    if (word && strcmp(text, "i") != 0 && !kernel_param(r->kernel, text)) { // a slip of the pen, not C++
        const char *kinds[CHOICES_MOST];
        choice_words(words_fills, kinds);
        const bool all_one = strncmp(text, "zero", 4) == 0 || strncmp(text, "one", 3) == 0;
        const char *hint =
            all_one ? "`fill: 0` and `fill: 1` fill with that number" : node_suggestion(text, kinds, r->arena);
        node_complain(r->diags, n, hint, "unknown fill `%s`", text);
        return;
    }
    if (v.kind == VALUE_INT) text = arena_printf(r->arena, "%lldLL", (long long)v.i); // 64Ki is 65536
    b->fill = "code";
    b->made = (struct source_expr){text, node_where_text(n)};
}

static void read_range(const struct describer *r, const struct node *n, struct buffer *b)
{
    if (n->kind != NODE_LIST || n->count != 2) {
        node_complain(r->diags, n, "{random: [0, 1]}", "`random` takes the least and the largest number");
        return;
    }
    b->low = node_text(n->items[0], "random", "a number", r->diags);
    b->high = node_text(n->items[1], "random", "a number", r->diags);
    enum unit unit;
    double low, high;
    if (value_number(scalar_read(n->items[0], &unit), &low) && value_number(scalar_read(n->items[1], &unit), &high) &&
        low > high)
        node_complain(r->diags, n, arena_printf(r->arena, "{random: [%s, %s]}", b->high, b->low),
            "`random` takes the least number first");
    b->fill = "code";
}

// Beside the kernel; what it holds is part of the rows' keys.
static void read_file(const struct describer *r, const struct node *n, struct buffer *b)
{
    const char *name = node_text(n, "file", "the name of a file", r->diags);
    const char *dot = name ? strrchr(name, '.') : NULL;
    size_t size;
    char hex[33];
    struct hash h;
    if (!name) return;
    if (!dot || (strcmp(dot, ".bin") != 0 && strcmp(dot, ".csv") != 0 && strcmp(dot, ".npy") != 0)) {
        node_complain(r->diags, n, NULL, "a buffer is filled from a .bin, .csv or .npy file");
        return;
    }
    const char *path = include_find(r->kernel->path, name, r->arena);
    if (!path) {
        node_complain(r->diags, n, "--allow-include FOLDER lets kernels read what lies there",
            "there is no `%s` in the kernel's folder", name);
        return;
    }
    LOCAL(mem_drop)
    char *bytes = file_read_named(path, "a buffer's content", ".bin .csv .npy", MOST_FILE_BYTES, &size, r->diags);
    if (!bytes) return;
    hash_init(&h);
    hash_bytes(&h, bytes, size);
    hash_hex(h, hex);
    b->file = path;
    b->file_hash = arena_strdup(r->arena, hex);
    b->fill = "file";
}

// What is random varies by itself, and a cycle too; a file is read once.
static void read_vary(const struct describer *r, const struct node *buffer, struct buffer *b)
{
    const struct node *n = node_get(buffer, "vary");
    b->shifts = node_choice(n, "vary", &words_buffer, r->diags) == 0;
    const bool code = b->fill && strcmp(b->fill, "code") == 0 && !b->low;
    if (b->shifts && !code && !(b->fill && strcmp(b->fill, "index") == 0))
        node_complain(r->diags, n, NULL, "`vary: shift` goes with `fill: index`, `fill: code` or C++ of `i` only");
}

// describe.c: `fill:` of a buffer: a pattern by name, a number, C++, a range of random numbers, a file.
static void filling_read(const struct describer *r, const struct node *buffer, struct buffer *b)
{
    const struct node *fill = node_get(buffer, "fill"), *step = node_get(buffer, "step");
    if (fill && fill->kind == NODE_MAP) {
        const struct node *range = node_get(fill, "random"), *file = node_get(fill, "file");
        node_check_keys(fill, &words_fill, r->diags);
        if (!range == !file) node_complain(r->diags, fill, NULL, "`fill` takes %s", takes());
        else if (range) read_range(r, range, b);
        else read_file(r, file, b);
    } else if (fill) read_text(r, fill, b);
    if (fill && b->by == ACCESS_SAID && b->access == ACCESS_WRITE)
        node_complain(r->diags, fill, "access: both, if the kernel reads it too",
            "`%s` is only written: it takes no fill", b->name);
    read_vary(r, buffer, b);
    b->step = describe_expression(r, buffer, "step");
    if (step && (!b->fill || strcmp(b->fill, "cycle") != 0))
        node_complain(r->diags, step, NULL, "`step` goes with `fill: cycle` only");
}

enum { MOST_PARAMS = 100, MOST_BUFFERS = 64, MOST_CHOICES = 1000 };

static const char *optional_text(const struct describer *r, const struct node *map, const char *key, const char *takes)
{
    const struct node *n = node_get(map, key);
    return n ? node_text(n, key, takes, r->diags) : NULL;
}

struct source_expr describe_expression(const struct describer *r, const struct node *map, const char *key)
{
    return scalar_expression(node_get(map, key), key, "a Lua expression", r->diags);
}

// Names that a parameter may not have: in expressions and rows they mean something else.
static void check_name(const struct describer *r, const struct node *key, const char *what)
{
    const char *name = key->text, *taken = known_taken(name);
    if (!source_is_identifier(name)) {
        node_complain(r->diags, key, NULL, "`%s` cannot be the name of a %s: letters, digits and _ only", name, what);
        return;
    }
    const bool parameter = strcmp(what, "parameter") == 0; // of a kernel from elsewhere, which has its own names
    const char *hint = arena_printf(r->arena, "call it otherwise here: my_%s: {as: %s, ...}", name, name);
    if (taken)
        node_complain(r->diags, key, parameter ? hint : NULL, "a %s cannot be named `%s`: that is %s", what, name,
            taken);
}

// `as: NAME`, what the source calls it, which may be any identifier; without it the name.
static const char *read_as(const struct describer *r, const struct node *map, const char *name)
{
    const struct node *n = node_get(map, "as");
    const char *as = n ? node_text(n, "as", "a name of the source", r->diags) : NULL;
    if (as && !source_is_identifier(as)) node_complain(r->diags, n, NULL, "`%s` cannot be a name in the source", as);
    return as ? as : name;
}

static bool read_kind(const struct describer *r, const struct node *n, const char *name, enum param_kind *kind)
{
    const int found = node_choice(n, "kind", &words_parameter, r->diags);
    *kind = found >= 0 ? (enum param_kind)found : strcmp(name, "variant") == 0 ? PARAM_VARIANT : PARAM_ARGUMENT;
    return found >= 0 || !n;
}

static bool is_fraction(const struct node *n)
{
    enum unit unit;
    return n && n->kind == NODE_TEXT &&
        (scalar_read(n, &unit).kind == VALUE_REAL ||
            (scalar_read(n, &unit).kind == VALUE_INT && strchr(n->text, '.') && unit == UNIT_NONE &&
                !strpbrk(n->text, "kKMGT")));
}

static bool is_word(const struct node *n)
{
    enum unit unit;
    return n && n->kind == NODE_TEXT && !node_is_empty(n) && scalar_read(n, &unit).kind == VALUE_TEXT;
}

static void read_limit(const struct describer *r, struct param *p, const struct node *n, const char *key, bool *has,
    struct value *limit)
{
    if (!n) return;
    struct param plain = {.name = key, .is_real = p->is_real};
    if (p->is_text || p->fallback.kind == VALUE_BOOL) {
        node_complain(r->diags, n, NULL, "`%s` has no %s: its values are not numbers", p->name, key);
        return;
    }
    *has = scalar_param(&plain, NULL, n, limit, r->diags);
}

static void read_choices(const struct describer *r, struct param *p, const struct node *n)
{
    if (!n) return;
    if (n->kind != NODE_LIST || !n->count || n->count > MOST_CHOICES) {
        node_complain(r->diags, n, NULL, "`one_of` takes a list of 1 to %d values", MOST_CHOICES);
        return;
    }
    struct param plain = {.name = p->name, .is_text = p->is_text, .is_real = p->is_real};
    struct value_list *list = arena_alloc(r->arena, sizeof *list + n->count * sizeof list->items[0]);
    for (size_t i = 0; i < n->count; i++) {
        struct value v;
        if (!scalar_param(&plain, NULL, n->items[i], &v, r->diags)) continue;
        for (size_t k = 0; k < list->count; k++)
            if (value_equal(list->items[k], v))
                node_complain(r->diags, n->items[i], NULL, "is given twice in `one_of`");
        list->items[list->count++] = v;
        if (p->kind == PARAM_TYPE && !kernel_type_size(v.text))
            node_complain(r->diags, n->items[i], NULL, "unknown type `%s`", v.text);
    }
    p->one_of = list;
}

// The given values show what kind it takes: names, fractions or whole numbers.
static void read_values(const struct describer *r, struct param *p, const struct node *body,
    const struct node *fallback)
{
    const struct node *min = node_get(body, "min"), *max = node_get(body, "max"), *choices = node_get(body, "one_of");
    enum unit unit;
    p->is_text = p->kind == PARAM_TYPE || p->kind == PARAM_VARIANT || is_word(fallback);
    p->is_real = is_fraction(fallback) || is_fraction(min) || is_fraction(max);
    for (size_t i = 0; choices && choices->kind == NODE_LIST && i < choices->count; i++) {
        p->is_text |= is_word(choices->items[i]);
        p->is_real |= is_fraction(choices->items[i]);
    }
    if (fallback && !p->is_text && scalar_read(fallback, &unit).kind == VALUE_BOOL)
        p->fallback = value_bool(false); // the checks below read from this what it takes
    read_limit(r, p, min, "min", &p->has_min, &p->min);
    read_limit(r, p, max, "max", &p->has_max, &p->max);
    read_choices(r, p, choices);
    double least, most;
    if (p->has_min && p->has_max && value_number(p->min, &least) && value_number(p->max, &most) && least > most)
        node_complain(r->diags, min, NULL, "`min` is above `max`");
    struct value v;
    if (fallback && scalar_param(p, NULL, fallback, &v, r->diags)) p->fallback = v;
}

static void read_param(const struct describer *r, const struct node *key, const struct node *n, struct param *p)
{
    p->name = p->as = key->text;
    p->at = node_where(key);
    check_name(r, key, "parameter");
    if (n->kind == NODE_LIST) {
        node_complain(r->diags, n, NULL, "parameter `%s` takes its default, or a mapping like {default: 1, min: 1}",
            p->name);
        return;
    }
    const struct node *body = n->kind == NODE_MAP ? n : NULL, *kind = node_get(body, "kind");
    const struct node *fallback = body ? node_get(body, "default") : node_is_empty(n) ? NULL : n;
    if (body) node_check_keys(body, &words_parameter, r->diags);
    if (!read_kind(r, kind, p->name, &p->kind)) return;
    if (body) p->about = optional_text(r, body, "about", "a sentence");
    if (body) p->as = read_as(r, body, p->name);
    read_values(r, p, body, fallback);
    if (p->kind == PARAM_VARIANT && !p->one_of)
        node_complain(r->diags, key, "one_of: [first, second]", "variant `%s` needs `one_of`: the entries there are",
            p->name);
    if (p->is_text && p->kind == PARAM_ARGUMENT)
        node_complain(r->diags, key, "kind: constant",
            "the values of `%s` are names: those are known when compiling only", p->name);
    if (p->is_text && p->kind == PARAM_CONSTANT && !p->one_of)
        node_complain(r->diags, key, NULL, "the values of `%s` are names: it needs `one_of`", p->name);
}

static void read_params(const struct describer *r, const struct node *root)
{
    const struct node *n = node_section(root, "params", &words_kernel, MOST_PARAMS, r->diags), *first = NULL;
    if (!n) return;
    struct param *params = arena_alloc(r->arena, n->count * sizeof *params);
    for (size_t i = 0; i < n->count; i++) {
        read_param(r, n->keys[i], n->items[i], &params[i]);
        if (params[i].kind != PARAM_VARIANT) continue;
        if (first)
            node_complain(r->diags, n->keys[i], NULL, "is a second variant: `%s` chooses the entry already",
                first->text);
        first = n->keys[i];
    }
    r->kernel->params = params;
    r->kernel->param_count = n->count;
}

static const char *nearest_type(const struct kernel *k, const char *type, struct arena *a)
{
    struct known names = {0};
    for (size_t i = 0; i < k->param_count; i++)
        if (k->params[i].kind == PARAM_TYPE) known_add(&names, k->params[i].name);
    for (size_t i = 0; kernel_type_name(i); i++) known_add(&names, arena_strdup(a, kernel_type_name(i)));
    const char *hint = names.count ? node_suggestion(type, names.items, a) : NULL;
    known_release(&names);
    return hint ? hint : "`gpuexp describe types` lists those that are built in";
}

static bool known_type(const struct kernel *k, const char *type)
{
    const struct param *p = kernel_param(k, type);
    return (p && p->kind == PARAM_TYPE) || kernel_type_size(type);
}

static void read_access(const struct describer *r, const struct node *n, struct buffer *b)
{
    const struct node *access = node_get(n, "access");
    const int found = node_choice(access, "access", &words_buffer, r->diags);
    b->by = access ? ACCESS_SAID : ACCESS_UNSAID;
    if (found >= 0) b->access = (enum access)found;
}

// One number, or up to three: x, y and z.
static void extents(const struct describer *r, const struct node *n, const char *key, struct source_expr *const to[3])
{
    const size_t count = n ? node_items(n) : 0;
    if (n && (count < 1 || count > 3))
        node_complain(r->diags, n, NULL, "`%s` takes one to three numbers: x, y and z", key);
    for (size_t i = 0; i < count && i < 3; i++)
        *to[i] = scalar_expression(node_item(n, i), key, "a Lua expression", r->diags);
}

void describe_extents(const struct describer *r, const struct node *map, const char *key,
    struct source_expr *const to[3])
{
    extents(r, node_get(map, key), key, to);
}

// `in: n` says as much as `in: {count: n}`.
static void read_count(const struct describer *r, const struct node *key, const struct node *n, struct buffer *b)
{
    struct source_expr *const to[] = {&b->count, &b->rows, &b->planes};
    const struct node *count = n->kind == NODE_MAP ? node_get(n, "count") : node_is_empty(n) ? NULL : n;
    if (!count) node_complain(r->diags, key, "count: n", "buffer `%s` has no `count` of elements", b->name);
    extents(r, count, "count", to);
}

// A structure says its `bytes`. What is not said the source may say.
static void read_type(const struct describer *r, const struct node *map, struct buffer *b)
{
    const struct node *type = node_get(map, "type");
    b->bytes = describe_expression(r, map, "bytes");
    b->type = type ? node_text(type, "type", "a type", r->diags) : NULL;
    if (b->type && !b->bytes.text && !known_type(r->kernel, b->type))
        node_complain(r->diags, type, nearest_type(r->kernel, b->type, r->arena),
            "unknown type `%s`: neither built in nor a parameter of kind type; a structure says its `bytes`", b->type);
    if (type && !b->type) b->type = "int";
}

static void read_buffer(const struct describer *r, const struct node *key, const struct node *n, struct buffer *b)
{
    b->name = b->as = key->text;
    b->at = node_where(key);
    if (!source_is_identifier(b->name))
        node_complain(r->diags, key, NULL, "`%s` cannot be the name of a buffer", b->name);
    if (kernel_param(r->kernel, b->name)) node_complain(r->diags, key, NULL, "`%s` is a parameter already", b->name);
    read_count(r, key, n, b);
    b->by = ACCESS_UNSAID;
    if (n->kind != NODE_MAP) return;
    node_check_keys(n, &words_buffer, r->diags);
    b->as = read_as(r, n, b->name);
    read_type(r, n, b);
    b->about = optional_text(r, n, "about", "a sentence");
    read_access(r, n, b);
    filling_read(r, n, b);
}

static void read_buffers(const struct describer *r, const struct node *root)
{
    const struct node *n = node_section(root, "buffers", &words_kernel, MOST_BUFFERS, r->diags);
    if (!n) return;
    struct buffer *buffers = arena_alloc(r->arena, n->count * sizeof *buffers);
    for (size_t i = 0; i < n->count; i++) read_buffer(r, n->keys[i], n->items[i], &buffers[i]);
    r->kernel->buffers = buffers;
    r->kernel->buffer_count = n->count;
}

static void read_reports(const struct describer *r, const struct node *root)
{
    const struct node *n = node_section(root, "reports", &words_kernel, MOST_BUFFERS, r->diags);
    if (!n) return;
    struct report_value *reports = arena_alloc(r->arena, n->count * sizeof *reports);
    for (size_t i = 0; i < n->count; i++) {
        const struct node *item = n->items[i], *type = node_get(item, "type");
        struct report_value *v = &reports[i];
        v->name = n->keys[i]->text;
        v->at = node_where(n->keys[i]);
        v->type = "unsigned long long";
        check_name(r, n->keys[i], "report");
        if (kernel_param(r->kernel, v->name))
            node_complain(r->diags, n->keys[i], NULL, "`%s` is a parameter already", v->name);
        if (kernel_buffer(r->kernel, v->name))
            node_complain(r->diags, n->keys[i], NULL, "`%s` is a buffer already", v->name);
        if (item->kind == NODE_MAP) node_check_keys(item, &words_report, r->diags);
        if (item->kind == NODE_MAP) v->about = optional_text(r, item, "about", "a sentence");
        else v->about = node_text(item, v->name, "a sentence, or a mapping of type and about", r->diags);
        if (item->kind == NODE_MAP) v->unit = optional_text(r, item, "unit", "a unit");
        int lanes = 1;
        const char *text = type ? node_text(type, "type", "a type", r->diags) : NULL;
        if (text && (!kernel_type_scalar(text, &lanes) || lanes != 1 || strchr(text, '*')))
            node_complain(r->diags, type, NULL, "a report's type is one number, not `%s`", text);
        else if (text) v->type = text;
    }
    r->kernel->reports = reports;
    r->kernel->report_count = n->count;
}

static void read_launch(const struct describer *r, const struct node *root)
{
    struct kernel *k = r->kernel;
    struct source_expr *const threads[] = {&k->threads[0], &k->threads[1], &k->threads[2]};
    struct source_expr *const block[] = {&k->block[0], &k->block[1], &k->block[2]};
    struct source_expr *const grid[] = {&k->grid[0], &k->grid[1], &k->grid[2]};
    if (!k->host && !node_get(root, "threads") && !node_get(root, "grid") && !node_get(root, "sequence"))
        node_complain(r->diags, root, "threads: n",
            "no `threads`: how many threads the kernel needs, a number or [x, y, z]; or `grid`: how many blocks");
    if (node_get(root, "threads") && node_get(root, "grid"))
        node_complain(r->diags, node_key(root, "grid"), NULL,
            "`grid` and `threads` say the same: one of them is enough");
    describe_extents(r, root, "threads", threads);
    describe_extents(r, root, "block", block);
    describe_extents(r, root, "grid", grid);
}

static void read_tolerance(const struct describer *r, const struct node *root)
{
    static const char *const keys[] = {"abs", "rel"};
    const struct node *n = node_section(root, "tolerance", &words_kernel, SIZE_MAX, r->diags);
    if (!n) return;
    r->kernel->tolerance_at = node_where(node_key(root, "tolerance"));
    for (int i = 0; i < 2; i++) r->kernel->tolerance[i] = describe_expression(r, n, keys[i]);
}

// `code: |`: lines behind the source, with their own numbers.
static void read_code(const struct describer *r, const struct node *root)
{
    const struct node *n = node_get(root, "code");
    const char *text = optional_text(r, root, "code", "C++");
    if (!text || !*text) return;
    r->kernel->source = arena_printf(r->arena, "%s\n#line %d \"%s\"\n%s\n", r->kernel->source,
        node_where(n).line + (strchr(text, '\n') != NULL), r->kernel->path, text);
}

// `host: |`: what it launches says the rest.
static void read_host(const struct describer *r, const struct node *root)
{
    static const char *const said[] = {
        "entry", "threads", "grid", "block", "shared", "arguments", "sequence", "reports", NULL};
    const struct node *n = node_get(root, "host");
    r->kernel->host = optional_text(r, root, "host", "C++ of the host");
    if (!r->kernel->host) return;
    r->kernel->host_at = node_where_text(n);
    for (const char *const *s = said; *s; s++)
        if (node_get(root, *s))
            node_complain(r->diags, node_key(root, *s), NULL, "`%s` goes without `host`, whose launches say it", *s);
}

void describe_read(struct kernel *k, const struct node *root, const struct node **entry, struct diags *d)
{
    const struct describer r = {k, k->arena, d};
    node_check_keys(root, &words_kernel, d);
    k->about = optional_text(&r, root, "about", "a sentence");
    read_code(&r, root);
    read_host(&r, root);
    read_params(&r, root);
    read_buffers(&r, root);
    read_reports(&r, root);
    read_launch(&r, root);
    k->passed = sequence_passed(&r, root, &k->passed_count);
    sequence_read(&r, root);
    k->useful = describe_expression(&r, root, "useful");
    k->flops = describe_expression(&r, root, "flops");
    k->shared = describe_expression(&r, root, "shared");
    k->carveout = describe_expression(&r, root, "carveout");
    k->checks = describe_expression(&r, root, "checks");
    k->needs = describe_expression(&r, root, "needs");
    read_tolerance(&r, root);
    *entry = node_get(root, "entry");
}
