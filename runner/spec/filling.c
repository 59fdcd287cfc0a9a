// Reads what a buffer holds before a kernel runs.
// SPDX-License-Identifier: MIT
#include "spec/describe.h"

#include "base/file.h"
#include "spec/include.h"
#include "spec/scalar.h"

#include <stdlib.h>
#include <string.h>

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
    const char *text = n ? node_text(n, "vary", words_find(&words_buffer, "vary")->takes, r->diags) : NULL;
    if (!text) return;
    b->shifts = choice_find(words_vary, text) == 0;
    const bool code = b->fill && strcmp(b->fill, "code") == 0 && !b->low;
    if (!b->shifts) node_complain(r->diags, n, "vary: shift", "unknown way to vary `%s`", text);
    else if (!code && !(b->fill && strcmp(b->fill, "index") == 0))
        node_complain(r->diags, n, NULL, "`vary: shift` goes with `fill: index`, `fill: code` or C++ of `i` only");
}

void filling_read(const struct describer *r, const struct node *buffer, struct buffer *b)
{
    const struct node *fill = node_get(buffer, "fill"), *step = node_get(buffer, "step");
    if (fill && fill->kind == NODE_MAP) {
        const struct node *range = node_get(fill, "random"), *file = node_get(fill, "file");
        node_check_keys(fill, &words_fill, r->diags);
        if (!range == !file) node_complain(r->diags, fill, NULL, "`fill` takes %s", takes());
        else if (range) read_range(r, range, b);
        else read_file(r, file, b);
    } else if (fill) read_text(r, fill, b);
    if (fill && b->access == ACCESS_WRITE)
        node_complain(r->diags, fill, "access: both, if the kernel reads it too",
            "`%s` is only written: it takes no fill", b->name);
    read_vary(r, buffer, b);
    b->step = describe_expression(r, buffer, "step");
    if (step && (!b->fill || strcmp(b->fill, "cycle") != 0))
        node_complain(r->diags, step, NULL, "`step` goes with `fill: cycle` only");
}
