// pairs, next and table.sort in an order that is the same in every run. The sort is a merge sort: stable, and never
// more than n log n comparisons.
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lua/lua_inside.h"

// pairs and next in the order of keys: numbers, then texts, then booleans; then other keys, in Lua's order. Lua's own
// order of text keys changes from process to process; a script must make the same points in every shard and every time.
// Keys that are tables or functions have no order but that of their addresses: more than one of them is an error.

struct key {
    int rank;
    bool whole;
    lua_Integer integer;
    double number;
    const char *text;
    size_t size, met;
};

enum { NO_ORDER = 3 };

static void refuse(lua_State *L)
{
    luaL_error(L,
        "the order of keys that are tables or functions is another in every run; use numbers or texts as keys");
}

static struct key key_at(lua_State *L, int index, size_t met)
{
    struct key k = {.met = met};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        k.whole = lua_isinteger(L, index);
        k.integer = k.whole ? lua_tointeger(L, index) : 0;
        k.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        k.rank = 1;
        k.text = lua_tolstring(L, index, &k.size);
        break;
    case LUA_TBOOLEAN:
        k.rank = 2;
        k.integer = lua_toboolean(L, index);
        break;
    default: k.rank = NO_ORDER;
    }
    return k;
}

static int compare(const void *pa, const void *pb)
{
    const struct key *a = pa, *b = pb;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->rank == 0 && !(a->whole && b->whole) && a->number != b->number) return a->number < b->number ? -1 : 1;
    if (a->rank == 1) {
        size_t least = a->size < b->size ? a->size : b->size;
        int c = memcmp(a->text, b->text, least);
        if (c) return c;
        if (a->size != b->size) return a->size < b->size ? -1 : 1;
    }
    if (a->integer != b->integer) return a->integer < b->integer ? -1 : 1;
    return a->met < b->met ? -1 : a->met > b->met;
}

// Upvalues: the keys in order, the table, where we are.
static int step(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL) return 1;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) break; // nil: removed meanwhile
        sandbox_charge(L, 1);
        lua_pop(L, 2);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

// The keys of the table at 1 as an array on top of the stack; true when they are in order already.
static bool collect(lua_State *L, size_t *count)
{
    bool ordered = true;
    struct key last = {0};
    size_t n = 0, without = 0;
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 1); n++) {
        lua_pop(L, 1);
        struct key k = key_at(L, -1, n);
        if (n && compare(&last, &k) > 0) ordered = false;
        if (k.rank == NO_ORDER && without++) refuse(L);
        last = k;
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (lua_Integer)n + 1);
    }
    *count = n;
    return ordered;
}

static int pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    size_t n;
    bool ordered = collect(L, &n);
    sandbox_charge(L, n);
    if (!ordered) {
        sandbox_charge(L, n * 8);
        struct key *keys = lua_newuserdatauv(L, n * sizeof *keys, 0);
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, 2, (lua_Integer)i + 1);
            keys[i] = key_at(L, -1, i); // the table at 2 keeps the text alive
            lua_pop(L, 1);
        }
        qsort(keys, n, sizeof *keys, compare);
        lua_createtable(L, (int)n, 0);
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, 2, (lua_Integer)keys[i].met + 1);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, step, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// next(t): the first pair, or nil for an empty table. The pair after a key would need the place of that key in the
// order: for that there is pairs.
static int next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2)) return luaL_error(L, "next takes only a table here; walk it with pairs");
    lua_settop(L, 1);
    lua_pushnil(L); // the smallest so far
    struct key least = {0};
    size_t n = 0;
    bool without = false;
    for (lua_pushnil(L); lua_next(L, 1); n++) {
        lua_pop(L, 1);
        struct key k = key_at(L, -1, n);
        if (n && k.rank == NO_ORDER && least.rank == NO_ORDER) without = true;
        if (n && compare(&least, &k) < 0) continue;
        if (k.rank != NO_ORDER) without = false;
        least = k;
        lua_copy(L, -1, 2);
    }
    sandbox_charge(L, n);
    if (n == 0) return 1;
    if (without) refuse(L);
    lua_pushvalue(L, 2);
    lua_rawget(L, 1);
    return 2;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

size_t library_sorted_keys(lua_State *L, int index, struct arena *a, const char ***keys)
{
    size_t n = 0, room = 0;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) room++;
    sandbox_take(L, (room + 1) * sizeof **keys);
    sandbox_charge(L, 2 * room);
    *keys = arena_alloc(a, (room + 1) * sizeof **keys);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING) (*keys)[n++] = sandbox_text(L, -2, a);
    if (n) qsort(*keys, n, sizeof **keys, by_text);
    return n;
}

const luaL_Reg library_ordered[] = {{"pairs", pairs}, {"next", next}, {NULL, NULL}};

// What sorting has on the stack: the table, the order asked for or nil, the sorted runs so far and those that are made.
enum { TABLE = 1, ORDER, RUNS, MERGED };

// Whether element i of the runs comes before element k; both are left on the stack.
static bool is_before(lua_State *L, lua_Integer i, lua_Integer k)
{
    bool texts = lua_rawgeti(L, RUNS, i) == LUA_TSTRING;
    texts &= lua_rawgeti(L, RUNS, k) == LUA_TSTRING;
    sandbox_charge(L, texts ? 1 + lua_rawlen(L, -1) / 16 : 1);
    if (lua_isnil(L, ORDER)) return lua_compare(L, -2, -1, LUA_OPLT);
    lua_pushvalue(L, ORDER);
    lua_pushvalue(L, -3);
    lua_pushvalue(L, -3);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

// Merges the runs [low, middle) and [middle, high); of equal elements the left one comes first.
static void merge(lua_State *L, lua_Integer low, lua_Integer middle, lua_Integer high)
{
    lua_Integer left = low, right = middle;
    for (lua_Integer to = low; to < high; to++) {
        if (left < middle && right < high) {
            if (is_before(L, right, left)) lua_pushvalue(L, -2), right++;
            else lua_pushvalue(L, -1), left++;
            lua_rawseti(L, MERGED, to);
            lua_pop(L, 2);
        } else {
            sandbox_charge(L, 1);
            lua_rawgeti(L, RUNS, left < middle ? left++ : right++);
            lua_rawseti(L, MERGED, to);
        }
    }
}

int library_sort(lua_State *L)
{
    luaL_checktype(L, TABLE, LUA_TTABLE);
    const lua_Integer n = luaL_len(L, TABLE);
    luaL_argcheck(L, n < INT_MAX / 2, TABLE, "too long to be sorted");
    if (!lua_isnoneornil(L, ORDER)) luaL_checktype(L, ORDER, LUA_TFUNCTION);
    lua_settop(L, ORDER);
    lua_newtable(L);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= n; i++) {
        sandbox_charge(L, 1);
        lua_geti(L, TABLE, i);
        lua_rawseti(L, RUNS, i);
    }
    for (lua_Integer run = 1; run < n; run *= 2) {
        for (lua_Integer low = 1; low <= n; low += 2 * run) {
            lua_Integer middle = low + run <= n ? low + run : n + 1, high = middle + run <= n ? middle + run : n + 1;
            merge(L, low, middle, high);
        }
        lua_pushvalue(L, RUNS);
        lua_copy(L, MERGED, RUNS);
        lua_replace(L, MERGED);
    }
    for (lua_Integer i = 1; i <= n; i++) {
        sandbox_charge(L, 1);
        lua_rawgeti(L, RUNS, i);
        lua_seti(L, TABLE, i);
    }
    return 0;
}
