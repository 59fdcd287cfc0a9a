// Functions of Lua that would run a script's code where no hook counts its instructions, replaced by ones that do not:
// setmetatable, xpcall and the making of coroutines.
// SPDX-License-Identifier: MIT
#include "lua/lua_inside.h"

// A finalizer would run without hooks: nothing may have one.
int library_set_metatable(lua_State *L)
{
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a metatable here may not have __gc");
        lua_pop(L, 1);
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// The handler is called after the error: Lua's own xpcall runs it inside the error, where no hook counts.
static int handled(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status == LUA_OK || status == LUA_YIELD) {
        lua_pushboolean(L, true);
        lua_replace(L, 1);
        return lua_gettop(L);
    }
    lua_pushvalue(L, 1);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    lua_pushboolean(L, false);
    lua_insert(L, -2);
    return 2;
}

int library_xpcall_after(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 1);
    lua_copy(L, 2, 1); // the handler stays below, the function takes its place
    lua_replace(L, 2);
    return handled(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, handled), 0);
}

// A new coroutine runs a full hook interval before it is counted: it is paid for here.
int library_coroutine_create(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    sandbox_charge(L, 1000);
    lua_State *co = lua_newthread(L);
    sandbox_watch(co);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

// Lua's own wrap closes a coroutine that failed, which runs without hooks; this one leaves it to the garbage collector.
static int resume_wrapped(lua_State *L)
{
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = lua_gettop(L), results;
    if (lua_status(co) == LUA_OK && lua_gettop(co) == 0) return luaL_error(L, "cannot resume dead coroutine");
    if (!lua_checkstack(co, n)) return luaL_error(L, "too many arguments to resume");
    lua_xmove(L, co, n);
    int status = lua_resume(co, L, n, &results);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        return lua_error(L);
    }
    if (!lua_checkstack(L, results + 1)) return luaL_error(L, "too many results to resume");
    lua_xmove(co, L, results);
    return results;
}

int library_coroutine_wrap(lua_State *L)
{
    library_coroutine_create(L);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}
