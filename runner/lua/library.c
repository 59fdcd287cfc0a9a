// What Lua code finds in the sandbox: an allow list. A function that can do much work inside C pays for it first. A
// script has an environment of its own, with its own copies; expressions share one that nobody can write to.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "base/say.h"
#include "lua/functions.h"
#include "lua/lua_inside.h"

static const char *const table_of_names[] = {"string", "table", "utf8", NULL};

static int pay(lua_State *L, size_t cost)
{
    sandbox_charge(L, cost);
    return lua_tocfunction(L, lua_upvalueindex(1))(L); // with the same arguments
}

// A function of Lua that pays for the bytes of its arguments first.
static int charged(lua_State *L)
{
    size_t cost = 0;
    for (int i = 1, n = lua_gettop(L); i <= n; i++)
        if (lua_type(L, i) == LUA_TSTRING) cost += lua_rawlen(L, i) / 8;
    return pay(L, cost);
}

// Of what goes over a list's elements, or over a range of places.
static int charged_list(lua_State *L)
{
    const bool range = lua_type(L, 2) == LUA_TNUMBER; // else what stands between the elements
    const lua_Integer from = lua_tointeger(L, 2), to = range ? lua_tointeger(L, 3) : from;
    return pay(L, (size_t)lua_rawlen(L, 1) + (to > from ? (size_t)to - (size_t)from : 0));
}

// What inserts or removes at the end of a list moves nothing: it has so many arguments (upvalue 2).
static int charged_place(lua_State *L)
{
    return pay(L, lua_gettop(L) > lua_tointeger(L, lua_upvalueindex(2)) ? (size_t)lua_rawlen(L, 1) : 0);
}

// Lua prints some values by their address, which differs in every process. Their type is printed instead, so that every
// run is the same.
static void name_by_type(lua_State *L, int i)
{
    int type = lua_type(L, i);
    if (type == LUA_TNIL || type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN) return;
    lua_pushstring(L, lua_typename(L, type));
    lua_replace(L, i);
}

const char *library_text(lua_State *L, int index, size_t *size)
{
    lua_pushvalue(L, index);
    name_by_type(L, lua_gettop(L));
    const char *text = luaL_tolstring(L, -1, size);
    lua_remove(L, -2);
    return text;
}

static int to_string(lua_State *L)
{
    luaL_checkany(L, 1);
    library_text(L, 1, NULL);
    return 1;
}

static int string_format(lua_State *L)
{
    size_t size;
    const char *p = luaL_checklstring(L, 1, &size), *end = p + size;
    while (p < end) {
        if (*p++ != '%') continue;
        p += strspn(p, "-+ #0123456789.");
        if (*p++ == 'p') return luaL_error(L, "%%p is an address, which differs in every run");
    }
    for (int i = 2, n = lua_gettop(L); i <= n; i++) name_by_type(L, i);
    return charged(L);
}

// Lua's own loops once for each copy, even of an empty text.
static int string_rep(lua_State *L)
{
    size_t length, between = 0;
    const char *text = luaL_checklstring(L, 1, &length), *separator = luaL_optlstring(L, 3, "", &between);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_Buffer b;
    if (n < 1 || length + between == 0) return lua_pushliteral(L, ""), 1;
    if ((lua_Unsigned)n > ((size_t)1 << 40) / (length + between)) return luaL_error(L, "resulting string too large");
    sandbox_charge(L, (size_t)n + (size_t)n * (length + between) / 16);
    luaL_buffinit(L, &b);
    for (; n > 0; n--) {
        luaL_addlstring(&b, text, length);
        if (n > 1) luaL_addlstring(&b, separator, between);
    }
    luaL_pushresult(&b);
    return 1;
}

static int type_size(lua_State *L)
{
    const struct sandbox *s = sandbox_of(L);
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "sizeof takes the name of a type, not a %s", luaL_typename(L, 1));
    size_t n = s->type_size ? s->type_size(lua_tostring(L, 1)) : 0;
    if (!n) return luaL_error(L, "sizeof: unknown type `%s`", lua_tostring(L, 1));
    lua_pushinteger(L, (lua_Integer)n);
    return 1;
}

static int log2_of(lua_State *L)
{
    lua_pushnumber(L, log2(luaL_checknumber(L, 1)));
    return 1;
}

// Of its arguments, or of the elements of a list: a claim over rows has a list for each column.
static int extreme(lua_State *L, int wanted)
{
    const int given = lua_gettop(L);
    const bool list = given == 1 && lua_istable(L, 1);
    const lua_Integer count = list ? luaL_len(L, 1) : given;
    luaL_argcheck(L, count >= 1, 1, "number expected");
    for (lua_Integer i = 1; i <= count; i++) {
        if (list) lua_rawgeti(L, 1, i);
        else lua_pushvalue(L, (int)i);
        luaL_checknumber(L, -1);
        if (i == 1) continue;
        if (lua_compare(L, wanted < 0 ? -1 : -2, wanted < 0 ? -2 : -1, LUA_OPLT)) lua_remove(L, -2);
        else lua_pop(L, 1);
    }
    return 1;
}

static int least(lua_State *L) { return extreme(L, -1); }
static int largest(lua_State *L) { return extreme(L, 1); }

static int cdiv(lua_State *L)
{
    if (!lua_isinteger(L, 1) || !lua_isinteger(L, 2)) {
        lua_pushnumber(L, ceil(luaL_checknumber(L, 1) / luaL_checknumber(L, 2)));
        return 1;
    }
    lua_Integer a = lua_tointeger(L, 1), b = lua_tointeger(L, 2);
    if (b == 0) return luaL_error(L, "cdiv by zero");
    if (b == -1) return lua_pushinteger(L, (lua_Integer)(0 - (lua_Unsigned)a)), 1;
    lua_pushinteger(L, a / b + (a % b != 0 && (a < 0) == (b < 0)));
    return 1;
}

static int undefined(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TSTRING) return luaL_error(L, "`%s` is not defined", lua_tostring(L, 2));
    return luaL_error(L, "no such name: a %s", luaL_typename(L, 2));
}

// For scripts: a name that is a file of lua/lib/ is loaded when it is first read, into the script's environment alone.
static int module_or_undefined(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) return undefined(L);
    const char *name = lua_pushfstring(L, "lua/lib/%s.lua", lua_tostring(L, 2));
    const struct embedded *file = embed_find(name);
    if (!file) return undefined(L);
    if (luaL_loadbufferx(L, file->text, file->size, lua_pushfstring(L, "@%s", name), "t") != LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, 1);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

static int read_only(lua_State *L)
{
    return luaL_error(L, "an expression may not assign to `%s`",
        lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

static int print_to_stderr(lua_State *L)
{
    for (int i = 1, n = lua_gettop(L); i <= n; i++) {
        size_t size;
        const char *text = library_text(L, i, &size);
        sandbox_charge(L, 1000 + size * 10); // printing costs more than computing
        say(stderr, "%s%s", i > 1 ? "\t" : "", text);
        lua_pop(L, 1);
    }
    say(stderr, "\n");
    return 0;
}

// Copies from the table at `from` to the one on top what stands in the list under `prefix` ("math.", or "" for names
// without a dot); each function is wrapped in `wrapper` unless that is NULL. What Lua does not have is left out: it is
// our own, and comes later.
static void copy_names(lua_State *L, int from, const struct choice *list, const char *prefix, lua_CFunction wrapper)
{
    const size_t skip = strlen(prefix);
    for (; list->word; list++) {
        const char *name = list->word + skip;
        if (strncmp(list->word, prefix, skip) != 0 || strchr(name, '.')) continue;
        if (lua_getfield(L, from, name) == LUA_TNIL) {
            lua_pop(L, 1);
            continue;
        }
        if (wrapper && lua_iscfunction(L, -1)) lua_pushcclosure(L, wrapper, 1);
        lua_setfield(L, -2, name);
    }
}

static void wrap(lua_State *L, int from, const char *name, lua_CFunction wrapper)
{
    lua_getfield(L, from, name);
    lua_pushcclosure(L, wrapper, 1);
    lua_setfield(L, -2, name);
}

static void set(lua_State *L, const char *name, lua_CFunction f)
{
    lua_pushcfunction(L, f);
    lua_setfield(L, -2, name);
}

// Lua's own libraries, unchanged, in the registry, where no script can reach them.
void library_open(lua_State *L)
{
    static const luaL_Reg libraries[] = {{"own base", luaopen_base}, {"own string", luaopen_string},
        {"own table", luaopen_table}, {"own utf8", luaopen_utf8}, {NULL, NULL}};
    for (const luaL_Reg *l = libraries; l->name; l++) {
        lua_pushcfunction(L, l->func);
        lua_call(L, 0, 1);
        lua_setfield(L, LUA_REGISTRYINDEX, l->name);
    }
}

static int own(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    return lua_gettop(L);
}

static void add_math(lua_State *L, uint64_t seed)
{
    lua_pushcfunction(L, luaopen_math); // a new one each time: it holds the state of the random numbers
    lua_call(L, 0, 1);
    int math = lua_gettop(L);
    lua_getfield(L, math, "randomseed");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "newest randomseed");
    lua_pushinteger(L, (lua_Integer)seed);
    lua_call(L, 1, 0);
    lua_newtable(L);
    copy_names(L, math, function_table, "math.", charged); // each takes a text for the number that it shows
    lua_getfield(L, math, "random");                       // has its state in an upvalue
    lua_setfield(L, -2, "random");
    lua_remove(L, math);
}

static void add_string(lua_State *L)
{
    int string = own(L, "own string");
    lua_newtable(L);
    copy_names(L, string, function_table, "string.", charged);
    set(L, "rep", string_rep);
    wrap(L, string, "format", string_format);
    luaL_setfuncs(L, library_patterns, 0);
    lua_remove(L, string);
}

static void add_table(lua_State *L)
{
    int table = own(L, "own table");
    lua_newtable(L);
    copy_names(L, table, function_table, "table.", charged_list);
    wrap(L, table, "pack", charged);
    for (int i = 0; i < 2; i++) {
        lua_getfield(L, table, i ? "remove" : "insert");
        lua_pushinteger(L, i ? 1 : 2);
        lua_pushcclosure(L, charged_place, 2);
        lua_setfield(L, -2, i ? "remove" : "insert");
    }
    set(L, "sort", library_sort);
    lua_remove(L, table);
}

static void add_utf8(lua_State *L)
{
    int utf8 = own(L, "own utf8");
    lua_newtable(L);
    copy_names(L, utf8, function_table, "utf8.", charged);
    lua_remove(L, utf8);
}

// Makes the table on top read-only: an empty table that reads from it takes its place.
static void seal(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_rotate(L, -3, -1);
    lua_setfield(L, -2, "__index");
    set(L, "__newindex", read_only);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static void complain_of_undefined(lua_State *L, lua_CFunction index)
{
    lua_newtable(L);
    set(L, "__index", index);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static const luaL_Reg extras[] = {{"tostring", to_string}, {"sizeof", type_size}, {"log2", log2_of}, {"cdiv", cdiv},
    {"min", least}, {"max", largest}, {NULL, NULL}};

// A list is a text here, as a report shows it: "16x8". Its parts have numbers: block[1] is 16.
static int part_or_method(lua_State *L)
{
    size_t size;
    const char *p = lua_tolstring(L, 1, &size), *end;
    if (!lua_isinteger(L, 2)) {
        lua_pushvalue(L, 2);
        lua_gettable(L, lua_upvalueindex(1));
        return 1;
    }
    sandbox_charge(L, size);
    for (lua_Integer left = lua_tointeger(L, 2); left > 0; left--, p = *end ? end + 1 : end) {
        end = p + strcspn(p, "x");
        if (left > 1) continue;
        lua_pushlstring(L, p, (size_t)(end - p));
        if (end > p && lua_stringtonumber(L, lua_tostring(L, -1))) return 1;
        break;
    }
    return 0;
}

// Methods of strings, s:upper(), are in a table that has no name: scripts cannot change it. Arithmetic reads the whole
// text for the number that it shows.
static void set_string_methods(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    static const char *const arithmetic[] = {"__add", "__sub", "__mul", "__mod", "__pow", "__div", "__idiv", "__unm"};
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++) wrap(L, lua_gettop(L), arithmetic[i], charged);
    add_string(L);
    lua_pushcclosure(L, part_or_method, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

void library_environment(lua_State *L, int kind, uint64_t seed)
{
    bool script = kind == LIBRARY_SCRIPT;
    void (*const add[])(lua_State *) = {add_string, add_table, add_utf8};
    if (!script) set_string_methods(L);
    lua_newtable(L);
    int env = lua_gettop(L), base = own(L, "own base");
    lua_pushvalue(L, env);
    copy_names(L, base, function_table, "", NULL);
    wrap(L, base, "tonumber", charged);
    luaL_setfuncs(L, library_ordered, 0);
    luaL_setfuncs(L, extras, 0);
    add_math(L, seed);
    const int math = lua_gettop(L);
    for (const struct choice *f = function_table; f->word; f++) { // max(...) is math.max, unless it is in Lua's base
        const bool there = lua_getfield(L, env, f->word) != LUA_TNIL;
        lua_pop(L, 1);
        if (there || strchr(f->word, '.') || lua_getfield(L, math, f->word) == LUA_TNIL) lua_settop(L, math);
        else lua_setfield(L, env, f->word);
    }
    if (!script) seal(L);
    lua_setfield(L, env, "math");
    for (int i = 0; i < 3; i++) {
        add[i](L);
        if (!script) seal(L);
        lua_setfield(L, env, table_of_names[i]);
    }
    if (script) {
        lua_pushvalue(L, env);
        copy_names(L, base, function_script_table, "", NULL);
        set(L, "print", print_to_stderr);
    }
    lua_settop(L, env);
    complain_of_undefined(L, script ? module_or_undefined : undefined);
    if (!script) seal(L);
}

bool library_has(const char *name) { return !strchr(name, '.') && choice_find(function_table, name) >= 0; }

bool expr_is_library_name(const char *name) { return library_has(name); }
