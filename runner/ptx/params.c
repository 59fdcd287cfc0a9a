// Finds an entry's header in the PTX text; ptx/module.c reads its parameters and lays them out as the hardware's
// parameter block has them.
// SPDX-License-Identifier: MIT
#include "ptx/params.h"

#include "base/arena.h"
#include "ptx/parse.h"

#include <ctype.h>
#include <string.h>

static bool named(struct lex_token t, const char *name)
{
    return t.kind == LEX_WORD && strlen(name) == t.size && memcmp(t.text, name, t.size) == 0;
}

int ptx_params(const char *ptx, const char *entry, struct ptx_param *params, int most, size_t *total)
{
    struct parse p = {.lex = lex_start(ptx)};
    int count = -1;
    while (count < 0 && (p.t = lex_next(&p.lex)).kind != LEX_END)
        if (lex_is(p.t, ".entry") && named(lex_next(&p.lex), entry)) count = 0;
    if (count < 0) return -1;
    bool odd = false;
    p.arena = arena_new();
    parse_step(&p);
    const struct ptx_var *v = lex_is(p.t, "(") ? parse_params(&p, &odd) : NULL;
    if (total) *total = 0;
    for (; v; v = v->next, count++) {
        if (total) *total = v->offset + v->size;
        if (count < most) params[count] = (struct ptx_param){v->offset, v->size, v->is_float, v->untyped, v->align};
    }
    arena_free(p.arena);
    return count;
}

void ptx_entries(const char *ptx, char *names, size_t size)
{
    size_t used = 0;
    if (size) *names = 0;
    struct lex lex = lex_start(ptx);
    for (struct lex_token t = lex_next(&lex); t.kind != LEX_END; t = lex_next(&lex)) {
        if (!lex_is(t, ".entry")) continue;
        t = lex_next(&lex);
        if (used + t.size + 3 > size) return;
        if (used) memcpy(names + used, ", ", 2), used += 2;
        memcpy(names + used, t.text, t.size);
        used += t.size;
        names[used] = 0;
    }
}

static bool has_word(struct lex_token t, const char *const *words)
{
    for (const char *at = t.text, *end = t.text + t.size; at < end;) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        const size_t n = (size_t)((dot ? dot : end) - at);
        for (const char *const *w = words; *w; w++)
            if (strlen(*w) == n && memcmp(at, *w, n) == 0) return true;
        at += n + 1;
    }
    return false;
}

bool ptx_has(const char *ptx, const char *entry, const char *const *words)
{
    struct lex lex = lex_start(ptx);
    struct lex_token t = {0};
    bool found = false;
    while (!found && (t = lex_next(&lex)).kind != LEX_END) found = lex_is(t, ".entry") && named(lex_next(&lex), entry);
    while (t.kind != LEX_END && !lex_is(t, "{")) t = lex_next(&lex);
    for (int depth = 1; t.kind != LEX_END && depth;) {
        t = lex_next(&lex);
        depth += lex_is(t, "{") - lex_is(t, "}");
        if (t.kind == LEX_WORD && has_word(t, words)) return true;
    }
    return !found || t.kind == LEX_END;
}

static bool in_name(char c) { return c == '_' || c == '$' || c == '%' || (c & 0x80) || isalnum((unsigned char)c); }

bool ptx_named_again(const char *ptx, const char *name)
{
    const size_t length = strlen(name);
    int found = 0;
    for (const char *at = ptx; length && found < 2 && (at = strstr(at, name)); at += length)
        found += (at == ptx || !in_name(at[-1])) && !in_name(at[length]);
    return found > 1;
}
