// Finds the free names of an expression: those that it expects from outside. A tokenizer that knows as much of Lua's
// scopes as it needs: names after a dot or colon, keys of table constructors, parameters and locals of functions inside
// the expression are not free.
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "lua/lua_inside.h"

static struct lua_token names_token(const char **from);

// Finds comparisons between simple sides in an expression: a name or a written value, with nothing that binds more
// tightly beside it.

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

struct scope {
    char opened;   // '{', '(' or 'b' for a block of statements
    size_t locals; // how many there were before it
};

struct scanner {
    const char *p;
    struct lua_token last; // already taken
    struct scope *scopes;
    struct lua_token *locals;
    size_t depth, scope_room, local_count, local_room;
    enum { NOTHING, PARAMETERS, LOCALS, LOOP } declaring;
};

static bool is(struct lua_token t, const char *word)
{
    return t.size == strlen(word) && memcmp(t.at, word, t.size) == 0;
}

static bool is_keyword(struct lua_token t)
{
    static const char *const words[] = {"and", "break", "do", "else", "elseif", "end", "false", "for", "function",
        "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", NULL};
    for (const char *const *w = words; *w; w++)
        if (is(t, *w)) return true;
    return false;
}

// The end of the long bracket that opens at p ([[ or [=[), or NULL where none does.
static const char *long_end(const char *p)
{
    size_t level = strspn(p + 1, "=");
    if (p[level + 1] != '[') return NULL;
    for (p += level + 2; *p; p++)
        if (*p == ']' && strspn(p + 1, "=") >= level && p[level + 1] == ']') return p + level + 2;
    return p;
}

static const char *skip_blank(const char *p)
{
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (p[0] != '-' || p[1] != '-') return p;
        const char *end = p[2] == '[' ? long_end(p + 2) : NULL;
        p = end ? end : p + strcspn(p, "\n");
    }
}

static const char *number_end(const char *p)
{
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    for (; isalnum((unsigned char)*p) || *p == '.'; p++)
        if (strchr(hex ? "pP" : "eE", *p) && (p[1] == '+' || p[1] == '-')) p++;
    return p;
}

// The next thing cannot be what `%` divides by: so the `%` before it is per cent.
static bool no_operand(const char *p)
{
    static const char *const words[] = {"and", "or", "then", "do", "else", "elseif", "end", "until", NULL};
    p = skip_blank(p);
    if (isalpha((unsigned char)*p) || *p == '_') {
        size_t n = 1;
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        for (const char *const *w = words; *w; w++)
            if (strlen(*w) == n && memcmp(*w, p, n) == 0) return true;
        return false;
    }
    if (*p == '~') return p[1] == '=';
    return !isdigit((unsigned char)*p) && !strchr("(-#\"'{[.", *p ? *p : ')');
}

// The end of a number with a unit, as values are written (64Mi, 1.5 GB, 2^10Ki, 0.5%). NULL: it is a number of Lua's.
static const char *unit_end(const char *p)
{
    char text[64], why[160];
    const char *end = p;
    struct value v;
    enum unit unit;
    while (isdigit((unsigned char)*end)) end++;
    if (end > p && *end == '^' && isdigit((unsigned char)end[1]))
        for (end++; isdigit((unsigned char)*end);) end++;
    else if (*end == '.' && end[1] != '.')
        for (end++; isdigit((unsigned char)*end);) end++;
    if (strchr("eE", *end) && *end) {
        const char *e = end + 1 + (end[1] == '-' || end[1] == '+');
        if (isdigit((unsigned char)*e))
            for (end = e; isdigit((unsigned char)*end);) end++;
    }
    const char *name = end + strspn(end, " ");
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
    if (!n && *name == '%' && no_operand(name + 1)) n = 1;
    if (!n || (size_t)(name - p) + n >= sizeof text) return NULL;
    snprintf(text, sizeof text, "%.*s", (int)((size_t)(name - p) + n), p);
    return units_parse(text, &v, &unit, why) ? name + n : NULL;
}

// The next one; `from` moves behind it
static struct lua_token names_token(const char **from)
{
    const char *p = skip_blank(*from), *end = p + 1;
    struct lua_token t = {'o', p, 0};
    if (!*p) {
        t.kind = '\0';
        end = p;
    } else if (isalpha((unsigned char)*p) || *p == '_') {
        while (isalnum((unsigned char)*end) || *end == '_') end++;
        t.kind = 'n';
    } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        end = unit_end(p);
        if (!end) end = number_end(p);
    } else if (*p == '"' || *p == '\'') {
        while (*end && *end != *p) end += *end == '\\' && end[1] ? 2 : 1;
        if (*end) end++;
    } else if (*p == '[' && long_end(p)) {
        end = long_end(p);
    } else {
        t.kind = *p;
        if (strncmp(p, "...", 3) == 0) t.kind = 'o', end = p + 3;
        else if (strncmp(p, "..", 2) == 0) t.kind = 'o', end = p + 2;
        else if (strchr("=<>~", *p) && p[1] == '=') t.kind = 'o', end = p + 2;
    }
    t.size = (size_t)(end - p);
    if (t.kind == 'n' && is_keyword(t)) t.kind = 'k';
    *from = end;
    return t;
}

static void enter(struct scanner *s, char opened)
{
    mem_grow(&s->scopes, &s->scope_room, s->depth + 1, sizeof *s->scopes);
    s->scopes[s->depth++] = (struct scope){opened, s->local_count};
}

static void leave(struct scanner *s)
{
    if (s->depth) s->local_count = s->scopes[--s->depth].locals;
}

static void declare(struct scanner *s, struct lua_token t)
{
    mem_grow(&s->locals, &s->local_room, s->local_count + 1, sizeof *s->locals);
    s->locals[s->local_count++] = t;
}

static bool is_local(const struct scanner *s, struct lua_token t)
{
    for (size_t i = 0; i < s->local_count; i++)
        if (s->locals[i].size == t.size && memcmp(s->locals[i].at, t.at, t.size) == 0) return true;
    return false;
}

static void keyword(struct scanner *s, struct lua_token t)
{
    s->declaring = NOTHING;
    if (is(t, "function")) {
        enter(s, 'b');
        s->declaring = PARAMETERS;
    } else if (is(t, "for")) {
        enter(s, 'b'); // its `do` opens nothing more
        s->declaring = LOOP;
    } else if (is(t, "local")) {
        s->declaring = LOCALS;
    } else if (is(t, "then") || is(t, "repeat")) {
        enter(s, 'b');
    } else if (is(t, "while")) {
        enter(s, 'b');
    } else if (is(t, "do")) {
        // A `do`: of a `for` or `while`, which have opened the scope already, or of a block alone.
        if (s->last.kind == '\0' || s->last.kind == ';' || is(s->last, "do") || is(s->last, "then")) enter(s, 'b');
    } else if (is(t, "else") || is(t, "elseif")) {
        leave(s);
        if (is(t, "else")) enter(s, 'b');
    } else if (is(t, "end") || is(t, "until")) {
        leave(s);
    }
}

static void punctuation(struct scanner *s, struct lua_token t)
{
    if (t.kind == '{' || (t.kind == '(' && s->declaring != PARAMETERS)) enter(s, t.kind);
    else if (t.kind == '}') leave(s);
    else if (t.kind == ')' && s->declaring != PARAMETERS) leave(s);
    if (t.kind == ')' && s->declaring == PARAMETERS) s->declaring = NOTHING;
    if (t.kind == '=' || t.kind == ';') s->declaring = NOTHING;
}

// Whether the name that was just read is free.
static bool is_free(struct scanner *s, struct lua_token t)
{
    char last = s->last.kind;
    if (last == '.' || last == ':' || is(s->last, "goto")) return false;
    if (s->declaring == LOCALS && last == '<') return false; // local x <const>
    bool more = last == ',' || last == '(' || is(s->last, "local") || is(s->last, "for");
    if (s->declaring == PARAMETERS || (s->declaring != NOTHING && more)) {
        declare(s, t);
        return false;
    }
    s->declaring = NOTHING;
    const char *after = s->p;
    struct lua_token next = names_token(&after);
    bool in_table = s->depth && s->scopes[s->depth - 1].opened == '{';
    if (in_table && next.kind == '=' && (last == '{' || last == ',' || last == ';')) return false;
    return !is_local(s, t);
}

static bool is_library(struct lua_token t)
{
    char name[64];
    if (t.size >= sizeof name) return false;
    memcpy(name, t.at, t.size);
    name[t.size] = '\0';
    return library_has(name);
}

// `memory.in` is one name, as the file writes it: no value has fields. To Lua it is called `memory_in`, which is as
// long, so that places stay right, and lets words of Lua follow the dot.
static void take_field(struct scanner *s, struct lua_token *t, const char *text, char *code)
{
    const char *end = s->p + 1;
    if (*s->p != '.' || !(isalpha((unsigned char)*end) || *end == '_') || is_library(*t) || is(*t, "_ENV")) return;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    code[s->p - text] = '_';
    t->size = (size_t)(end - t->at);
    s->p = end;
}

// What Lua reads in place of numbers with units: the numbers that they are.
static void write_number(struct lua_token t, struct str *lua, const char **from, struct free_names *found,
    struct arena *a)
{
    char *written = arena_strndup(a, t.at, t.size), *end, why[160];
    struct value v;
    enum unit unit;
    strtod(written, &end);
    if (!*end || !units_parse(written, &v, &unit, why)) return;
    if (unit == UNIT_SECONDS) found->time = written;
    if (unit == UNIT_PERCENT) found->percent = written;
    str_add_bytes(lua, *from, (size_t)(t.at - *from));
    if (v.kind == VALUE_INT) str_addf(lua, "%lld ", (long long)v.i);
    else str_addf(lua, "%.17g ", v.r);
    *from = t.at + t.size;
}

void names_find(const char *text, struct arena *a, struct free_names *found)
{
    struct scanner s = {.p = text};
    char *code = arena_strdup(a, text);
    size_t room = 0, count = 0;
    LOCAL(mem_drop) struct lua_token *names = NULL;
    for (struct lua_token t; (t = names_token(&s.p)).kind; s.last = t) {
        if (t.kind == 'k') keyword(&s, t);
        else if (t.kind != 'n' && t.kind != 'o') punctuation(&s, t);
        else if (t.kind == 'n' && is_free(&s, t)) {
            take_field(&s, &t, text, code);
            bool known = is(t, "_ENV");
            for (size_t i = 0; i < count && !known; i++)
                known = names[i].size == t.size && memcmp(names[i].at, t.at, t.size) == 0;
            if (known) continue;
            mem_grow(&names, &room, count + 1, sizeof *names);
            names[count++] = t;
        }
    }
    found->code = code;
    LOCAL(str_release) struct str lua = {0};
    const char *from = code, *p = code;
    for (struct lua_token t; (t = names_token(&p)).kind;)
        if (t.kind == 'o' && (isdigit((unsigned char)*t.at) || *t.at == '.')) write_number(t, &lua, &from, found, a);
    str_add(&lua, from);
    found->lua = arena_strdup(a, lua.text ? lua.text : "");
    found->names = arena_alloc(a, (count + 1) * sizeof *found->names);
    found->locals = arena_alloc(a, (count + 1) * sizeof *found->locals);
    found->offsets = arena_alloc(a, (count + 1) * sizeof *found->offsets);
    for (size_t i = 0; i < count; i++) {
        const char *name = arena_strndup(a, names[i].at, names[i].size);
        if (library_has(name)) continue;
        found->offsets[found->count] = (size_t)(names[i].at - text);
        found->locals[found->count] = arena_strndup(a, code + found->offsets[found->count], names[i].size);
        found->names[found->count++] = name;
    }
    free(s.scopes);
    free(s.locals);
}
