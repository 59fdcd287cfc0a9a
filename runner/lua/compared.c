// Finds comparisons between simple sides in an expression: a name or a written value, with nothing that binds more
// tightly beside it.
// SPDX-License-Identifier: MIT
#include "lua/lua_inside.h"

#include <ctype.h>
#include <string.h>

enum { MOST_TOKENS = 400 };

static bool is_word(struct lua_token t, const char *words)
{
    for (const char *p = words; *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        if (t.size == n && memcmp(t.at, p, n) == 0) return true;
        p += n;
    }
    return false;
}

static bool begins(struct lua_token t)
{
    return !t.kind || is_word(t, "( , { [ = and or then return if elseif while until");
}
static bool ends(struct lua_token t) { return !t.kind || is_word(t, ") , } ] ; and or then do end else"); }

static bool is_operand(struct lua_token t, const char *text, const char *code, const struct free_names *f,
    struct arena *a, struct operand *out)
{
    const char *at = text + (t.at - code);
    *out = (struct operand){OPERAND_NAME, arena_strndup(a, at, t.size)};
    if (t.kind == 'k') return out->kind = OPERAND_BOOL, is_word(t, "true false");
    if (t.kind == 'o' && (*at == '"' || *at == '\'' || *at == '[')) return out->kind = OPERAND_TEXT, true;
    if (t.kind == 'o') return out->kind = OPERAND_NUMBER, isdigit((unsigned char)*at) || *at == '.';
    for (size_t i = 0; t.kind == 'n' && i < f->count; i++)
        if (strcmp(f->names[i], out->text) == 0) return true;
    return false;
}

bool compared_find(const char *text, const char *code, const struct free_names *f, size_t n, struct arena *a,
    struct operand side[2])
{
    struct lua_token t[MOST_TOKENS + 4] = {0};
    const char *p = code;
    size_t count = 1; // the first is the beginning
    while (count < MOST_TOKENS && (t[count] = names_token(&p)).kind) {
        if (is_word(t[count], "function")) return false; // it may have names of its own
        count++;
    }
    for (size_t i = 1; i + 2 < count; i++) {
        const size_t minus = t[i + 2].kind == '-';
        if (!begins(t[i - 1]) || !is_word(t[i + 1], "== ~= < > <= >=") || !ends(t[i + 3 + minus])) continue;
        if (!is_operand(t[i], text, code, f, a, &side[0]) || !is_operand(t[i + 2 + minus], text, code, f, a, &side[1]))
            continue;
        if (side[0].kind != OPERAND_NAME && side[1].kind != OPERAND_NAME) continue;
        if (n-- == 0) return true;
    }
    return false;
}
