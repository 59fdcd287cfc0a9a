// SPDX-License-Identifier: MIT
#include "spec/fingerprint.h"

#include "base/hash.h"
#include "base/str.h"
#include "spec/source.h"

#include <string.h>

// The end of blanks, comments and ends of lines.
static const char *gap(const char *p)
{
    for (;;) {
        const char *next = skip_blank(p);
        if (next[0] == '/' && next[1] == '/') next = skip_line(next);
        if (*next == '\n') next++;
        if (next == p) return p;
        p = next;
    }
}

static void directive(struct str *to, const char *from, const char *end)
{
    while (from < end) {
        const char *next = skip_blank(from);
        if (next[0] == '/' && next[1] == '/') break;
        if (next > from) str_addf(to, " ");
        else str_addf(to, "%c", *next++);
        from = next;
    }
    str_addf(to, "\n");
}

char *fingerprint_code(const char *text)
{
    struct str out = {0};
    const char *p = gap(text);
    str_addf(&out, "%s", "");
    while (*p) {
        const char last = out.size ? out.text[out.size - 1] : '\n';
        const char *end = *p == '#'   ? skip_directive(p)
            : *p == '"' || *p == '\'' ? skip_quoted(p)
            : skip_is_word(*p)        ? skip_word(p)
                                      : p + 1;
        if (end == p) end++;
        if (skip_is_word(last) && skip_is_word(*p)) str_addf(&out, " ");
        if (*p == '#') directive(&out, p, end);
        else str_addf(&out, "%.*s", (int)(end - p), p);
        p = gap(end);
    }
    return out.text;
}

static void add(struct hash *h, const char *text) { hash_text(h, text ? text : ""); }

static void add_exprs(struct hash *h, const struct source_expr *all, size_t count)
{
    for (size_t i = 0; i < count; i++) add(h, all[i].text);
}

static void add_passed(struct hash *h, const struct passed *all, size_t count)
{
    hash_u64(h, count);
    for (size_t i = 0; i < count; i++) {
        add(h, all[i].name);
        add_exprs(h, all[i].items, (size_t)all[i].count);
    }
}

static void add_steps(struct hash *h, const struct step *all, size_t count)
{
    hash_u64(h, count);
    for (size_t i = 0; i < count; i++) {
        const struct step *s = &all[i];
        add(h, s->entry);
        add_exprs(h, s->threads, 3);
        add_exprs(h, s->block, 3);
        add_exprs(h, s->grid, 3);
        add_exprs(h, &s->shared, 1);
        add_exprs(h, &s->repeat, 1);
        add_passed(h, s->passed, s->passed_count);
        for (size_t k = 0; k < s->swap_count; k++) add(h, s->swap[k][0]), add(h, s->swap[k][1]);
        add_steps(h, s->steps, s->step_count);
    }
}

static void add_buffer(struct hash *h, const struct buffer *b)
{
    add(h, b->name);
    add(h, b->type);
    add(h, b->as);
    add_exprs(h, &b->count, 1);
    add_exprs(h, &b->rows, 1);
    add_exprs(h, &b->planes, 1);
    hash_u64(h, (uint64_t)b->access);
    add(h, b->fill);
    add_exprs(h, &b->made, 1);
    add(h, b->low);
    add(h, b->high);
    add(h, b->file_hash);
    if (b->shifts) add(h, "shift"); // what no kernel said before the word was there changes no key
    add_exprs(h, &b->bytes, 1);
    add_exprs(h, &b->step, 1);
}

// The description stands in the first comment, so the code is what is left without any.
void fingerprint(const struct kernel *k, char hex[33])
{
    struct hash h;
    LOCAL(mem_drop) char *code = fingerprint_code(k->source);
    hash_init(&h);
    hash_text(&h, code);
    add(&h, k->entry);
    for (size_t i = 0; i < k->param_count; i++) {
        add(&h, k->params[i].name);
        add(&h, k->params[i].as);
        hash_u64(&h, (uint64_t)k->params[i].kind);
        value_hash(k->params[i].fallback, &h);
    }
    for (size_t i = 0; i < k->buffer_count; i++) add_buffer(&h, &k->buffers[i]);
    for (size_t i = 0; i < k->report_count; i++) add(&h, k->reports[i].name), add(&h, k->reports[i].type);
    add_exprs(&h, k->threads, 3);
    add_exprs(&h, k->block, 3);
    add_exprs(&h, k->grid, 3);
    add_passed(&h, k->passed, k->passed_count);
    add_steps(&h, k->steps, k->step_count);
    add_exprs(&h, &k->useful, 1);
    add_exprs(&h, &k->flops, 1);
    add_exprs(&h, &k->shared, 1);
    add_exprs(&h, &k->checks, 1);
    hash_hex(h, hex);
}
