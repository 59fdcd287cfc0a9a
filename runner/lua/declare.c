// Reads what a script says about itself: the table that it returns, key by key.
// SPDX-License-Identifier: MIT
#include "lua/functions.h"
#include "lua/script_inside.h"

#include <string.h>

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

void script_declare(lua_State *L, struct script *s)
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
