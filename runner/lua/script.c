// Finds, loads and checks a script, and makes errors of its failures.
// SPDX-License-Identifier: MIT
#include "lua/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "lua/functions.h"
#include "lua/script_inside.h"

// Reads what a script says about itself: the table that it returns, key by key.

enum { COLUMNS_MOST = 256 };

static bool is_name(const char *s)
{
    if (!(*s == '_' || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))) return false;
    return s[strspn(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static void check_keys(lua_State *L, int table, const struct choice *known, const char *what)
{
    const char *names[CHOICES_MOST];
    choice_words(known, names);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (key && choice_find(known, key) >= 0) continue;
        if (!key) luaL_error(L, "%s has an element without a name; it takes names: about, params, keep ...", what);
        const char *near = str_nearest(key, names);
        if (near) luaL_error(L, "%s has an unknown key `%s`; did you mean `%s`?", what, key, near);
        luaL_error(L, "%s has an unknown key `%s`", what, key);
    }
}

// The text field `name` of the table at `index`, or NULL.
static const char *text_field(lua_State *L, int index, const char *name, struct arena *a)
{
    const char *text = NULL;
    int type = lua_getfield(L, index, name);
    if (type == LUA_TSTRING) text = sandbox_text(L, -1, a);
    else if (type != LUA_TNIL) luaL_error(L, "`%s` takes a text, not a %s", name, lua_typename(L, type));
    lua_pop(L, 1);
    return text;
}

// A parameter: {default = 20, about = "..."}, or the default alone.
static struct value read_param(lua_State *L, struct script *s, const char *name, const char **about, bool *names)
{
    struct value v;
    if (!is_name(name)) luaL_error(L, "`%s` cannot be the name of a parameter", name);
    if (lua_istable(L, -1)) {
        int table = lua_gettop(L);
        check_keys(L, table, script_param_keys, name);
        *about = text_field(L, table, "about", s->arena);
        lua_getfield(L, table, "names");
        *names = lua_toboolean(L, -1);
        lua_getfield(L, table, "default");
        lua_replace(L, table);
        lua_settop(L, table);
    }
    if (!sandbox_get(L, -1, s->arena, &v) || v.kind == VALUE_NONE)
        luaL_error(L, "parameter `%s` needs a default: a number, a text, true or false", name);
    return v;
}

static void read_params(lua_State *L, struct script *s, int table)
{
    const char **names = NULL, **about = arena_alloc(s->arena, sizeof *about);
    struct value *values = NULL;
    int type = lua_getfield(L, table, "params");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "`params` takes a table of parameters, not a %s", lua_typename(L, type));
    if (type == LUA_TTABLE) s->param_count = library_sorted_keys(L, -1, s->arena, &names);
    else names = arena_alloc(s->arena, sizeof *names);
    about = arena_alloc(s->arena, (s->param_count + 1) * sizeof *about);
    values = arena_alloc(s->arena, (s->param_count + 1) * sizeof *values);
    bool *named = arena_alloc(s->arena, s->param_count + 1);
    for (size_t i = 0; i < s->param_count; i++) {
        lua_getfield(L, -1, names[i]);
        values[i] = read_param(L, s, names[i], &about[i], &named[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    s->facts.params = names;
    s->facts.param_about = about;
    s->facts.param_values = values;
    s->facts.param_names = named;
}

// `columns`: {name = "about"} or a list of names.
static void read_columns(lua_State *L, struct script *s, int table)
{
    const char **names = NULL, **about;
    int type = lua_getfield(L, table, "columns");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "`columns` takes a table of names, not a %s", lua_typename(L, type));
    size_t listed = type == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0, named = 0;
    if (listed == 0 && type == LUA_TTABLE) named = library_sorted_keys(L, -1, s->arena, &names);
    if (listed + named > COLUMNS_MOST) luaL_error(L, "more than %d columns", COLUMNS_MOST);
    if (!named) names = arena_alloc(s->arena, (listed + 1) * sizeof *names);
    about = arena_alloc(s->arena, (listed + named + 1) * sizeof *about);
    for (size_t i = 0; i < listed; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING) luaL_error(L, "`columns` takes a list of names");
        names[i] = sandbox_text(L, -1, s->arena);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < named; i++) about[i] = text_field(L, lua_gettop(L), names[i], s->arena);
    lua_pop(L, 1);
    s->column_count = listed + named;
    for (size_t i = 0; i < s->column_count; i++) {
        if (!is_name(names[i])) luaL_error(L, "`%s` cannot be the name of a column", names[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0) luaL_error(L, "column `%s` is declared twice", names[i]);
    }
    s->column_texts = arena_alloc(s->arena, (s->column_count + 1) * sizeof *s->column_texts);
    lua_createtable(L, (int)s->column_count, 0);
    for (size_t i = 0; i < s->column_count; i++) {
        s->column_texts[i] = lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    s->kept = luaL_ref(L, LUA_REGISTRYINDEX);
    s->facts.columns = names;
    s->facts.column_about = about;
}

// Reads `params`, `columns`, `about` and the hooks of the table on top of the stack. Raises what is wrong with it.
static void script_declare(lua_State *L, struct script *s)
{
    int table = lua_gettop(L);
    check_keys(L, table, script_keys, "the script's table");
    s->facts.about = text_field(L, table, "about", s->arena);
    read_params(L, s, table);
    read_columns(L, s, table);
    for (int i = 0; i < SCRIPT_HOOKS; i++) {
        int type = lua_getfield(L, table, script_hook_names[i]);
        if (type == LUA_TFUNCTION) {
            lua_Debug facts;
            lua_pushvalue(L, -1);
            lua_getinfo(L, ">u", &facts);
            s->hook_takes[i] = facts.isvararg ? 3 : facts.nparams;
            s->hooks[i] = luaL_ref(L, LUA_REGISTRYINDEX);
            continue;
        }
        if (type != LUA_TNIL)
            luaL_error(L, "`%s` takes a function, not a %s", script_hook_names[i], lua_typename(L, type));
        lua_pop(L, 1);
    }
    if (script_has(s, SCRIPT_DERIVE) != (s->column_count > 0))
        luaL_error(L,
            s->column_count ? "`columns` without `derive`: nothing fills them"
                            : "`derive` without `columns`: say which columns it adds, columns = {name = \"about\"}");
}

const char *const script_hook_names[] = {"points", "keep", "derive", "refine", "done", NULL};
enum { SCRIPT_BYTES_MOST = 1 << 20, POINTS_BY_DEFAULT = 100 };

// The text of a script, and the path for messages.
static bool find_text(struct script *s, const char *path, struct diags *d)
{
    struct arena *a = s->arena;
    const char *slash = s->at.file ? strrchr(s->at.file, '/') : NULL;
    if (!strchr(path, '/')) s->shipped = arena_strdup(a, path);
    char *found = file_find("lua", path, strchr(path, '/') ? "" : ".lua");
    if (!found && slash && path[0] != '/') { // beside the experiment
        const char *beside = arena_printf(a, "%.*s/%s", (int)(slash - s->at.file), s->at.file, path);
        found = file_exists(beside) ? file_find("lua", beside, "") : NULL;
    }
    if (found) {
        s->path = arena_strdup(a, found);
        free(found);
        size_t size;
        s->text = file_read_named(s->path, "a script", ".lua", SCRIPT_BYTES_MOST, &size, d);
        if (s->text && strlen(s->text) != size)
            return diag_user(d, (struct where){.file = s->path}, NULL, "is not text");
        return s->text != NULL;
    }
    s->path = strchr(path, '/') ? arena_strdup(a, path) : arena_printf(a, "lua/%s.lua", path);
    const struct embedded *carried = embed_find(s->path);
    if (carried) s->embedded = carried->text;
    if (carried) return true;
    const char *names[64];
    size_t n = 0;
    for (const struct embedded *f = embedded_files; f->name && n < 63; f++)
        if (strncmp(f->name, "lua/", 4) == 0 && !strchr(f->name + 4, '/')) names[n++] = f->name;
    names[n] = NULL;
    const char *near = str_nearest(s->path, names);
    return diag_user(d, s->at,
        near ? arena_printf(a, "did you mean `%s`?", near)
             : "a path from here or from the file's folder, or a name that `gpuexp list` shows",
        "no such script: %s", path);
}

const char *script_path(const struct script *s) { return s->path; }
const char *script_source(const struct script *s) { return s->embedded ? s->embedded : s->text; }

// The calls of Lua's traceback, innermost first, in one line, without those of the runner itself.
static char *calls(const char *trace, struct arena *a)
{
    LOCAL(str_release) struct str line = {0};
    while (trace && (trace = strchr(trace, '\n'))) {
        trace += 1 + strspn(trace + 1, "\t ");
        size_t n = strcspn(trace, "\n");
        if (n == 0 || strncmp(trace, "[C]", 3) == 0 || strncmp(trace, "stack traceback", 15) == 0) continue;
        if (strncmp(trace, "lua/lib/", 8) == 0) continue;
        str_add(&line, line.size ? ", from " : "at ");
        str_add_bytes(&line, trace, n);
    }
    return line.text ? arena_strdup(a, line.text) : NULL;
}

// Line `n` of the script, for the caret.
static struct where line_at(const struct script *s, int n, struct arena *a)
{
    const char *p = script_source(s);
    for (int i = 1; i < n && p; i++) p = (p = strchr(p, '\n')) ? p + 1 : NULL;
    struct where at = {.file = s->path, .line = n, .column = 1, .width = 1};
    if (!p) return at;
    size_t indent = strspn(p, " \t"), length = strcspn(p, "\n");
    at.column = (int)indent + 1;
    at.width = length > indent ? (int)(length - indent) : 1;
    at.source = arena_strndup(a, p, length);
    return at;
}

// Without the line of a library: what it complains of is wrong where it is called.
static char *without_library(char *said)
{
    char *end = strncmp(said, "lua/lib/", 8) == 0 ? strstr(said, ": ") : NULL;
    return end ? end + 2 : said;
}

bool script_failed(const struct script *s, const char *hook, const char *why, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *trace = strstr(why, "\nstack traceback:"), *prefix = arena_printf(a, "%s:", s->path);
    char *said = arena_strndup(a, why, trace ? (size_t)(trace - why) : strlen(why)), *hint = calls(trace, a);
    said = without_library(said);
    if (s->shipped && hook && strncmp(said, prefix, strlen(prefix)) != 0) { // no mistake of the script itself
        diag_user(d, s->at, NULL, "%s: %s", s->shipped, said);
        return false;
    }
    struct where at = {.file = s->path};
    // The line that the message names, else that of the innermost call in this file.
    const char *place = strncmp(said, prefix, strlen(prefix)) == 0 ? said : hint ? strstr(hint, prefix) : NULL;
    if (place) {
        char *rest;
        long line = strtol(place + strlen(prefix), &rest, 10);
        if (line > 0 && *rest == ':') at = line_at(s, (int)line, a);
        if (place == said && *rest == ':') said = rest + 1 + (rest[1] == ' ');
    }
    diag_user(d, at, hint, hook ? "%s: %s" : "%s%s", hook ? hook : "", said);
    return false;
}

static int load(lua_State *L)
{
    struct script *s = lua_touserdata(L, 1);
    const char *text = script_source(s);
    library_environment(L, LIBRARY_SCRIPT, s->box->seed);
    lua_pushvalue(L, -1);
    s->environment = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, LUA_REGISTRYINDEX, "newest randomseed");
    s->randomseed = luaL_ref(L, LUA_REGISTRYINDEX);
    if (luaL_loadbufferx(L, text, strlen(text), lua_pushfstring(L, "@%s", s->path), "t") != LUA_OK) return lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->environment);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    if (!lua_istable(L, -1)) return luaL_error(L, "a script returns a table of hooks, not a %s", luaL_typename(L, -1));
    script_declare(L, s);
    return 0;
}

static bool same_kind(struct value a, struct value b)
{
    bool number_a = a.kind == VALUE_INT || a.kind == VALUE_REAL, number_b = b.kind == VALUE_INT || b.kind == VALUE_REAL;
    return number_a == number_b && (number_a || a.kind == b.kind);
}

static bool set_param(struct script *s, const struct script_param *given, struct diags *d)
{
    static const char *const kinds[] = {"nothing", "a number", "a number", "true or false", "a text", "a list"};
    struct value *values = (struct value *)s->facts.param_values;
    for (size_t i = 0; i < s->param_count; i++) {
        if (strcmp(s->facts.params[i], given->name) != 0) continue;
        if (!same_kind(values[i], given->value))
            return diag_user(d, given->at, NULL, "`script.%s` takes %s", given->name, kinds[values[i].kind]);
        values[i] = value_copy(given->value, s->arena);
        return true;
    }
    const char *near = str_nearest(given->name, s->facts.params);
    LOCAL(str_release) struct str all = {0};
    for (size_t i = 0; i < s->param_count; i++) str_addf(&all, "%s%s", i ? ", " : "it has: ", s->facts.params[i]);
    char *hint = near ? arena_printf(s->arena, "did you mean `script.%s`?", near) : all.text;
    diag_user(d, given->at, hint, "%s has no parameter `%s`", s->path, given->name);
    return false;
}

static int keep_params(lua_State *L)
{
    struct script *s = lua_touserdata(L, 1);
    lua_createtable(L, 0, (int)s->param_count);
    for (size_t i = 0; i < s->param_count; i++) {
        sandbox_push(L, s->facts.param_values[i]);
        lua_setfield(L, -2, s->facts.params[i]);
    }
    s->params = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

struct script *script_new(struct sandbox *box, const char *path, const struct script_param *given, size_t given_count,
    struct where at, struct diags *d)
{
    struct script *s = mem_alloc(sizeof *s);
    *s = (struct script){.box = box,
        .arena = arena_new(),
        .at = at,
        .environment = LUA_NOREF,
        .randomseed = LUA_NOREF,
        .params = LUA_NOREF,
        .kept = LUA_NOREF};
    for (int i = 0; i < SCRIPT_HOOKS; i++) s->hooks[i] = LUA_NOREF;
    LOCAL(str_release) struct str why = {0};
    bool good = find_text(s, path, d);
    if (good && !sandbox_call(box, load, s, true, &why)) good = script_failed(s, NULL, why.text, d);
    if (good)
        s->is_random = strstr(script_source(s), "random") || strstr(script_source(s), "sample") ||
            strstr(script_source(s), "design");
    for (size_t i = 0; i < given_count && s->facts.params; i++) good &= set_param(s, &given[i], d);
    if (good && !sandbox_call(box, keep_params, s, false, &why)) good = script_failed(s, NULL, why.text, d);
    if (good) return s;
    script_free(s);
    return NULL;
}

void script_free(struct script *s)
{
    if (!s) return;
    lua_State *L = s->box->L;
    const int refs[] = {s->environment, s->randomseed, s->params, s->kept};
    for (int i = 0; L && i < 4; i++) luaL_unref(L, LUA_REGISTRYINDEX, refs[i]);
    for (int i = 0; L && i < SCRIPT_HOOKS; i++) luaL_unref(L, LUA_REGISTRYINDEX, s->hooks[i]);
    for (size_t i = 0; L && i < s->shape_count; i++) {
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].names);
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].guard);
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].list);
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].lazy);
    }
    free(s->shapes);
    str_release(&s->reason);
    free(s->text);
    arena_free(s->arena);
    free(s);
}

bool script_has(const struct script *s, enum script_hook hook) { return s && s->hooks[hook] != LUA_NOREF; }
const struct script_facts *script_facts(const struct script *s) { return &s->facts; }

void script_budget(const struct script *s, uint64_t *points, double *seconds)
{
    *points = POINTS_BY_DEFAULT;
    *seconds = INFINITY;
    for (size_t i = 0; i < s->param_count; i++) {
        double x;
        if (!value_number(s->facts.param_values[i], &x) || x < 0) continue;
        if (strcmp(s->facts.params[i], "budget") == 0) *points = x < 1e9 ? (uint64_t)x : 1000000000;
        if (strcmp(s->facts.params[i], "seconds") == 0) *seconds = x;
    }
}
