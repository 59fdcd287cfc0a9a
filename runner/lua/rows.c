// Rows and points as Lua sees them: their names are told once; a row is a whole table, or an empty one that looks a
// value up when it is read.
// SPDX-License-Identifier: MIT
#include "lua/script_inside.h"

struct shaping {
    const char *const *names;
    struct script_shape *shape;
    struct script *script;
};

static int no_such_name(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "a point or row has names; it has no element [%s]", library_text(L, 2, NULL));
    return luaL_error(L, "there is no `%s` here", lua_tostring(L, 2));
}

// Of a whole row: a name that it does not have is known but empty, or not a name at all.
static int no_such_value(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_type(L, 2) == LUA_TSTRING && lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return lua_pushnil(L), 1;
    return no_such_name(L);
}

// The row of `keep` and `derive`: an empty table that looks a value up when it is read, because most values are not. It
// is valid for one call: the next row is another table.
static int look_up(lua_State *L)
{
    const struct script *s = lua_touserdata(L, lua_upvalueindex(2));
    if (lua_topointer(L, 1) != s->row)
        return luaL_error(L, "this row or point belongs to an earlier call; copy the values that are needed later");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER) return no_such_name(L);
    sandbox_push(L, s->row_values[lua_tointeger(L, -1) - 1]);
    return 1;
}

static int pairs_of_row(lua_State *L)
{
    const struct script *s = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_topointer(L, 1) != s->row)
        return luaL_error(L, "this row or point belongs to an earlier call; copy the values that are needed later");
    lua_settop(L, 0);
    rows_push(L, s->row_shape, s->row_values);
    return library_ordered[0].func(L);
}

static int make_shape(lua_State *L)
{
    struct shaping *g = lua_touserdata(L, 1);
    lua_createtable(L, (int)g->shape->count, 0);
    for (size_t i = 0; i < g->shape->count; i++) {
        lua_pushstring(L, g->names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    g->shape->list = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_createtable(L, (int)g->shape->count, (int)g->shape->count);
    for (size_t i = 0; i < g->shape->count; i++) {
        lua_pushstring(L, g->names[i]);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pushinteger(L, (lua_Integer)i + 1);
        lua_rawset(L, -3);
    }
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, no_such_value, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    g->shape->guard = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, -2);
    lua_pushlightuserdata(L, g->script);
    lua_pushcclosure(L, look_up, 2);
    lua_setfield(L, -2, "__index");
    lua_pushlightuserdata(L, g->script);
    lua_pushcclosure(L, pairs_of_row, 1);
    lua_setfield(L, -2, "__pairs");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    g->shape->lazy = luaL_ref(L, LUA_REGISTRYINDEX);
    g->shape->names = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

int script_shape(struct script *s, const char *const *names, size_t count)
{
    LOCAL(str_release) struct str why = {0};
    mem_grow(&s->shapes, &s->shape_room, s->shape_count + 1, sizeof *s->shapes);
    struct script_shape *shape = &s->shapes[s->shape_count];
    *shape = (struct script_shape){LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, count};
    sandbox_call(s->box, make_shape, &(struct shaping){names, shape, s}, false,
        &why); // out of memory: every call with it will say so
    return (int)s->shape_count++;
}

void rows_push(lua_State *L, const struct script_shape *shape, const struct value *values)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->names);
    lua_createtable(L, 0, (int)shape->count);
    for (size_t i = 0; i < shape->count; i++) {
        if (values[i].kind == VALUE_NONE) continue;
        lua_rawgeti(L, -2, (lua_Integer)i + 1);
        sandbox_push(L, values[i]);
        lua_rawset(L, -3);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->guard);
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

void rows_push_lazy(lua_State *L, struct script *s, const struct script_shape *shape, const struct value *values)
{
    lua_createtable(L, 0, 0);
    s->row = lua_topointer(L, -1);
    s->row_shape = shape;
    s->row_values = values;
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->lazy);
    lua_setmetatable(L, -2);
}
