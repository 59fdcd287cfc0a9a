// One expression: compiled as a function of its free names and called with their values. Its errors get their place in
// the user's file.
// SPDX-License-Identifier: MIT
#include "base/units.h"
#include "lua/lua_inside.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK "expression"
enum { NAMES_MOST = 180 }; // Lua allows 200 locals

struct expr {
    struct sandbox *sandbox;
    struct arena *arena;
    const char *text;
    struct where at;
    struct free_names free;
    int function;   // registry
    bool is_random; // uses math.random: seeded anew from the arguments of each call
};

// Line `line` of the expression's text (from 1), with the indent that its first line has in the file. That is right for
// block scalars, and only they have a second line.
static struct where line_of(const struct expr *e, int line)
{
    struct where at = e->at;
    const char *p = e->text;
    for (int i = 1; i < line; i++) {
        const char *end = strchr(p, '\n');
        if (!end) return at;
        p = end + 1;
    }
    int indent = at.column > 0 ? at.column - 1 : 0, width = (int)strcspn(p, "\n");
    if (line > 1) {
        at.line += line - 1;
        at.source = arena_printf(e->arena, "%*s%.*s", indent, "", width, p);
    }
    if (width > 0) at.width = width;
    return at;
}

struct where expr_where(const struct expr *e, const char *name)
{
    for (size_t i = 0; i < e->free.count; i++) {
        if (strcmp(e->free.names[i], name) != 0) continue;
        int line = 1;
        const char *start = e->text;
        for (const char *p = e->text; p < e->text + e->free.offsets[i]; p++)
            if (*p == '\n') line++, start = p + 1;
        struct where at = line_of(e, line);
        int offset = (int)(e->text + e->free.offsets[i] - start);
        size_t n = strlen(name), room = at.source ? strlen(at.source) : 0,
               from = at.column > 0 ? (size_t)at.column - 1 : 0;
        if (room && from < room) { // there is a quote or a list item before the text: look for it
            const char *p = from + (size_t)offset + n <= room ? at.source + from + offset : at.source + from;
            if (strncmp(p, name, n) != 0) p = strstr(at.source + from, name);
            if (!p) return e->at;
            offset = (int)(p - at.source) - (int)from;
        }
        at.column += offset;
        at.width = (int)n;
        return at;
    }
    return e->at;
}

// Lua's message without its "expression:LINE:": the line becomes part of the place.
static bool report(const struct expr *e, const char *said, const char *hint, struct diags *d)
{
    struct where at = line_of(e, 1);
    size_t n = strlen(CHUNK);
    if (strncmp(said, CHUNK ":", n + 1) == 0) {
        char *rest;
        long line = strtol(said + n + 1, &rest, 10);
        if (*rest == ':') {
            said = rest + 1 + (rest[1] == ' ');
            if (line > 0) at = line_of(e, (int)line);
        }
    }
    const char *const end = "<eof> expected"; // as Lua says it
    if (strncmp(said, end, strlen(end)) == 0)
        return diag_user(d, at, hint, "goes on where it should end,%s", said + strlen(end));
    for (size_t i = 0; i < e->free.count; i++) {
        char nil[160];
        if (!strstr(said, "a nil value")) break;
        snprintf(nil, sizeof nil, "a nil value (local '%s')", e->free.locals[i]);
        if (strstr(said, nil))
            return diag_user(d, expr_where(e, e->free.names[i]), NULL, "`%s` has no value here", e->free.names[i]);
    }
    return diag_user(d, at, hint, "%s", said);
}

struct compiling {
    struct expr *e;
    const char *chunk;
};

static int compile(lua_State *L)
{
    struct compiling *c = lua_touserdata(L, 1);
    if (luaL_loadbufferx(L, c->chunk, strlen(c->chunk), "=" CHUNK, "t") != LUA_OK) return lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, sandbox_of(L)->expressions);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
    c->e->function = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

// Where the text ends too early, the parser stops at what we put after it. What is written as in C is said in Lua.
static const char *in_words(const char *said, const char **hint)
{
    static const struct {
        const char *near, *words, *hint;
    } known[] = {{"near <eof>", "ends too early", NULL},
        {"near '='", "`=` compares nothing", "`==` asks whether two are equal"},
        {"near '!'", "`!` is not of Lua", "`~=` asks whether two differ; `not` turns an answer round"},
        {"near '&'", "`&&` is not of Lua", "write `and`"}, {"near '|'", "`||` is not of Lua", "write `or`"},
        {"near '?'", "`?` is not of Lua", "`a ? b : c` is written `a and b or c`"},
        {"near 'in'", "`in` asks nothing", "`x == 1 or x == 2` asks whether it is one of two"},
        {"<eof> expected ", NULL, "two values need an operator between them"},
        {"near '<\\226>'", "has a quote or a sign that is not of ASCII", "write plain quotes: \"text\""},
        {"malformed number", NULL, "units are " UNITS_KNOWN}};
    *hint = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(said, known[i].near)) return *hint = known[i].hint, known[i].words ? known[i].words : said;
    return said;
}

// The first name with a dot that Lua could not tell from another: `memory.a` beside `memory_a`. The count where there
// is none.
static size_t same_local(const struct free_names *f)
{
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->count && strchr(f->names[i], '.'); k++)
            if (k != i && strcmp(f->locals[i], f->locals[k]) == 0) return i;
    return f->count;
}

// A column in microseconds or per cent is a plain number: `time_us < 50us` would ask whether it is below 0.00005.
static bool fits_units(const struct expr *e, struct diags *d)
{
    static const char *const ends[] = {"_us", "_pct"}, *const are[] = {"microseconds", "per cent"};
    const char *const written[] = {e->free.time, e->free.percent};
    for (size_t i = 0; i < e->free.count; i++)
        for (int k = 0; k < 2; k++) {
            const char *name = e->free.names[i];
            if (!written[k] || !text_ends(name, ends[k])) continue;
            return diag_user(d, expr_where(e, name), "write the number without a unit", "`%s` is in %s, and `%s` is %s",
                name, are[k], written[k], k ? "a share of 1" : "in seconds");
        }
    return true;
}

struct expr *expr_new(struct sandbox *s, const char *text, struct where at, struct diags *d)
{
    LOCAL(str_release) struct str chunk = {0}, why = {0};
    struct arena *a = arena_new();
    struct expr *e = arena_alloc(a, sizeof *e);
    *e = (struct expr){.sandbox = s, .arena = a, .text = arena_strdup(a, text), .at = at, .function = LUA_NOREF};
    e->at.source = at.source ? arena_strdup(a, at.source) : NULL;
    e->at.file = at.file ? arena_strdup(a, at.file) : NULL;
    e->is_random = strstr(text, "random") != NULL;
    names_find(e->text, a, &e->free);
    size_t same;
    bool good = false;
    if (text[strspn(text, " \t\r\n")] == '\0') {
        diag_user(d, at, NULL, "an expression is missing here");
    } else if ((same = same_local(&e->free)) < e->free.count) {
        diag_user(d, expr_where(e, e->free.names[same]), NULL, "`%s` and `%s` cannot stand in one expression",
            e->free.names[same], e->free.locals[same]);
    } else if (e->free.count > NAMES_MOST) {
        diag_user(d, at, NULL, "the expression uses %zu names; at most %d fit", e->free.count, NAMES_MOST);
    } else if (fits_units(e, d)) {
        for (size_t i = 0; i < e->free.count; i++) str_addf(&chunk, "%s%s", i ? "," : "local ", e->free.locals[i]);
        if (e->free.count) str_add(&chunk, "=... ");
        size_t head = chunk.size;
        str_addf(&chunk, "return %s", e->free.lua);
        // First without our brackets: text that closes them and opens others would pass with them.
        good = sandbox_call(s, compile, &(struct compiling){e, chunk.text}, false, &why);
        if (good) {
            luaL_unref(s->L, LUA_REGISTRYINDEX, e->function);
            chunk.size = head;
            str_addf(&chunk, "return (%s\n)", e->free.lua); // brackets: one value; the line break ends a comment
            good = sandbox_call(s, compile, &(struct compiling){e, chunk.text}, false, &why);
        }
        const char *hint = NULL, *said = good ? NULL : in_words(why.text, &hint);
        if (!good) report(e, said, hint, d);
    }
    if (good) return e;
    arena_free(a);
    return NULL;
}

void expr_free(struct expr *e)
{
    if (!e) return;
    if (e->sandbox->L) luaL_unref(e->sandbox->L, LUA_REGISTRYINDEX, e->function);
    arena_free(e->arena);
}

const char *const *expr_names(const struct expr *e) { return e->free.names; }

bool expr_compared(const struct expr *e, size_t n, struct arena *a, struct operand side[2])
{
    return compared_find(e->text, e->free.code, &e->free, n, a, side);
}

struct calling {
    const struct expr *e;
    const struct value *args;
    struct arena *arena;
    struct value *result;
};

// The same point draws the same numbers, whatever was evaluated before.
static void reseed(lua_State *L, const struct calling *c)
{
    struct hash h;
    uint64_t seed[2];
    hash_init(&h);
    hash_u64(&h, c->e->sandbox->seed);
    for (size_t i = 0; i < c->e->free.count; i++) {
        struct value v = c->args[i];
        if (v.kind == VALUE_TEXT) hash_text(&h, v.text);
        else if (v.kind == VALUE_INT || v.kind == VALUE_REAL) hash_bytes(&h, &v.i, sizeof v.i);
        else hash_u64(&h, v.kind == VALUE_BOOL && v.b);
    }
    hash_final(h, seed);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->e->sandbox->randomseed);
    lua_pushinteger(L, (lua_Integer)seed[0]);
    lua_call(L, 1, 0);
}

// A point's list is a text, as a plan and a report show it: so an expression means the same over points and over rows.
static void push(lua_State *L, struct value v, struct arena *a)
{
    if (v.kind == VALUE_LIST && !v.list->of_rows) {
        LOCAL(str_release) struct str s = {0}; // gone before Lua may jump
        value_print(v, &s);
        v = value_text(arena_strdup(a, s.text ? s.text : ""));
    }
    sandbox_push(L, v);
}

static int evaluate(lua_State *L)
{
    const struct calling *c = lua_touserdata(L, 1);
    size_t n = c->e->free.count;
    if (c->e->is_random) reseed(L, c);
    luaL_checkstack(L, (int)n + 4, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->e->function);
    for (size_t i = 0; i < n; i++) push(L, c->args[i], c->arena);
    lua_call(L, (int)n, 1);
    if (!sandbox_get(L, -1, c->arena, c->result))
        return luaL_error(L, "gives a %s; wanted is a number, a text, true or false, or a list of those",
            luaL_typename(L, -1));
    return 0;
}

bool expr_eval(const struct expr *e, const struct value *args, struct arena *a, struct value *result, struct diags *d)
{
    LOCAL(str_release) struct str why = {0};
    struct calling c = {e, args, a, result};
    *result = (struct value){0};
    if (sandbox_call(e->sandbox, evaluate, &c, false, &why)) return true;
    report(e, why.text, NULL, d);
    return false;
}
