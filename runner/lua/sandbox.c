// Lua in a box: an allocator with a limit, a hook that counts, one protected way in, values in and out.
//
// pcall cannot get round the budget: once it is spent, the hook runs at every instruction and raises each time, so that
// each level of pcall ends in turn. What runs without hooks is not given to scripts: metatables (finalizers, closing),
// message handlers, coroutines. Work done inside C is charged: by the allocator for what it builds, by each function
// for what it reads.
// SPDX-License-Identifier: MIT
#include "lua/lua_inside.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRING_MOST = 4 << 20, // bytes of one string: limits what a single comparison can cost
    BYTES_AN_INSTRUCTION = 16,
    ALL_CPU_SECONDS = 200,
    TICK = 1000,           // instructions between two looks of the hook
    LONG_BYTES = 16 << 20, // that so many may read together
    LIST_MOST = 65536,     // elements of a list in a result
    TEXT_MOST = 65536,     // bytes of a text in a result
    SAID_MOST = 1000,      // bytes of an error's message
    TICKS_A_LOOK = 4,      // hooks of whole ticks between two looks at the clock
    CHARGES_A_LOOK = 16
};

// Whether this call has used up its time. The clock is first read after some ticks: most calls end before.
static bool late(struct sandbox *s)
{
    const double spent = clock_thread();
    if (!(s->deadline > 0)) s->deadline = spent + s->call_seconds;
    return spent > s->deadline;
}

static void hook(lua_State *L, lua_Debug *event);

// One instruction may read a whole text (to compare it, to take it for a number): the longer the texts are that were
// made, the sooner the clock is looked at.
static void text_made(struct sandbox *s, size_t size)
{
    const size_t tick = LONG_BYTES / size;
    if (tick >= (size_t)s->tick) return;
    s->tick = (int)(tick ? tick : 1);
    if (s->L) lua_sethook(s->L, hook, LUA_MASKCOUNT, s->tick);
}

// After a refusal Lua collects its garbage and asks again. A second refusal would raise an error without a line or a
// traceback; so the request is granted, up to one and a half times the limit, and the hook raises at the next
// instruction.
static bool lent(struct sandbox *s, size_t size, size_t more)
{
    bool again = s->over || (s->refused == size && s->left < INT64_MAX / 4); // not while the libraries are opened
    if (!again || s->used + more > s->ceiling + s->ceiling / 2) return false;
    s->over = true;
    lua_sethook(s->L, hook, LUA_MASKCOUNT, 1);
    return true;
}

static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
    struct sandbox *s = context;
    size_t had = old ? old_size : 0;
    if (size == 0) {
        s->used -= had;
        free(old);
        return NULL;
    }
    if (size > had) {
        bool is_string = !old && old_size == LUA_TSTRING,
             over = s->used > s->ceiling || size - had > s->ceiling - s->used;
        s->long_text = is_string && size > STRING_MOST;
        bool refused = s->long_text || (over && !lent(s, size, size - had));
        // After a refusal Lua collects all its garbage: that is paid for too.
        s->left -= (int64_t)((refused ? s->used : size - had) / BYTES_AN_INSTRUCTION);
        if (refused && s->left < 0) s->exhausted = true;
        if (is_string && !refused) text_made(s, size);
        // Looked at after the next instruction: a thousand instructions that each take megabytes are many.
        if (s->left < 0 && s->L) lua_sethook(s->L, hook, LUA_MASKCOUNT, 1);
        s->refused = refused ? size : 0;
        if (refused) return NULL;
    }
    // What the machine does not have is no fault of the script, and does not come back here.
    void *p = size > had ? mem_resize(old, size) : realloc(old, size);
    if (!p) p = old; // Lua does not expect shrinking to fail
    s->used = s->used - had + size;
    return p;
}

struct sandbox *sandbox_of(lua_State *L)
{
    void *s;
    lua_getallocf(L, &s);
    return s;
}

// Without a place: luaL_error cannot find it from a hook. The traceback has it.
static void needs_more(lua_State *L, const struct sandbox *s)
{
    lua_pushfstring(L, "needs more memory than the %I bytes a script may take", (LUAI_UACINT)s->ceiling);
    lua_error(L);
}

static void hook(lua_State *L, lua_Debug *event)
{
    (void)event;
    struct sandbox *s = sandbox_of(L);
    s->left -= lua_gethookcount(L);
    if ((s->tick < TICK || ++s->ticks % TICKS_A_LOOK == 0) && late(s)) s->left = -1;
    if (s->stop && s->stop()) s->stopped = true, s->left = -1;
    if (s->left < 0 || s->exhausted) {
        s->exhausted = true;
        lua_sethook(L, hook, LUA_MASKCOUNT, 1);
        luaL_error(L, "out of instructions");
    }
    if (s->over && s->used > s->ceiling) {
        s->left -= (int64_t)(s->used / BYTES_AN_INSTRUCTION);
        lua_gc(L, LUA_GCCOLLECT);
        if (s->used > s->ceiling) needs_more(L, s);
    }
    s->over = false;
    if (lua_gethookcount(L) != s->tick) lua_sethook(L, hook, LUA_MASKCOUNT, s->tick);
}

void sandbox_charge(lua_State *L, size_t n)
{
    struct sandbox *s = sandbox_of(L);
    s->left -= n < INT64_MAX / 4 ? (int64_t)n : INT64_MAX / 4;
    if (++s->charges % CHARGES_A_LOOK == 0 && late(s)) s->left = -1;
    if (s->left < 0) {
        s->left = -1;
        s->exhausted = true;
        lua_sethook(L, hook, LUA_MASKCOUNT, 1);
        luaL_error(L, "out of instructions");
    }
}

static void cut(lua_State *L)
{
    if (lua_rawlen(L, -1) <= SAID_MOST) return;
    lua_pushlstring(L, lua_tostring(L, -1), SAID_MOST);
    lua_pushliteral(L, " ...");
    lua_concat(L, 2);
}

static int say(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TSTRING) lua_pushfstring(L, "error of type %s", luaL_typename(L, 1));
    cut(L);
    return 1;
}

static int say_with_traceback(lua_State *L)
{
    say(L);
    luaL_traceback(L, L, lua_tostring(L, -1), 1);
    return 1;
}

static void complain(const struct sandbox *s, int status, struct str *why)
{
    const char *said = lua_type(s->L, -1) == LUA_TSTRING ? lua_tostring(s->L, -1) : "error without a message";
    size_t before = why->size;
    if (s->stopped) {
        str_add(why, "stopped by a signal");
    } else if (s->exhausted) {
        const char *trace = strstr(said, "\nstack traceback:");
        const bool in_all = s->spent >= s->all;
        str_addf(why, "ran past %s budget of %llu instructions or %g s of processor time%s",
            in_all ? "the run's" : "its", (unsigned long long)(in_all ? s->all : s->instructions),
            in_all ? ALL_CPU_SECONDS : s->call_seconds, trace ? trace : "");
    } else if (status == LUA_ERRMEM && s->long_text) {
        str_addf(why, "makes a text of more than %d bytes", STRING_MOST);
    } else if (status == LUA_ERRMEM) {
        str_addf(why, "needs more memory than the %zu bytes a script may take", s->ceiling);
    } else {
        str_add(why, *said ? said : "error without a message");
    }
    text_clean(why->text + before, false);
}

// What a call took of the budget of all. Time counts too where a call was long enough for the clock to be looked at.
static void account(struct sandbox *s, uint64_t given)
{
    s->spent += s->left > 0 ? given - (s->left < (int64_t)given ? (uint64_t)s->left : given) : given;
    if (!(s->deadline > 0)) return;
    s->seconds += clock_thread() - (s->deadline - s->call_seconds);
    if (s->seconds > ALL_CPU_SECONDS) s->spent = s->all;
}

bool sandbox_call(struct sandbox *s, lua_CFunction f, void *context, bool traceback, struct str *why)
{
    if (!s->L) {
        str_addf(why, "needs more memory than the %zu bytes a script may take", s->ceiling);
        return false;
    }
    if (s->stop && s->stop()) {
        str_add(why, "stopped by a signal");
        return false;
    }
    if (s->spent >= s->all) {
        str_addf(why, "the scripts and expressions of this run have used up their %llu instructions",
            (unsigned long long)s->all);
        return false;
    }
    if (s->exhausted || s->over) lua_sethook(s->L, hook, LUA_MASKCOUNT, s->tick);
    s->exhausted = s->over = s->stopped = false;
    s->refused = 0;
    const uint64_t given = s->all - s->spent < s->instructions ? s->all - s->spent : s->instructions;
    s->left = (int64_t)given;
    s->ticks = s->charges = 0;
    s->deadline = 0;
    s->out = 0;
    lua_pushcfunction(s->L, traceback ? say_with_traceback : say);
    lua_pushcfunction(s->L, f);
    lua_pushlightuserdata(s->L, context);
    int status = lua_pcall(s->L, 1, 0, -3);
    // Spent inside a pcall at the end of the script: it still counts.
    if (status == LUA_OK && s->exhausted) lua_pushliteral(s->L, ""), status = LUA_ERRRUN;
    account(s, given);
    if (status != LUA_OK) complain(s, status, why);
    lua_settop(s->L, 0);
    return status == LUA_OK;
}

static int open_all(lua_State *L)
{
    struct sandbox *s = sandbox_of(L);
    library_open(L);
    library_environment(L, LIBRARY_EXPRESSION, s->seed);
    s->expressions = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, LUA_REGISTRYINDEX, "newest randomseed");
    s->randomseed = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

struct sandbox *sandbox_new(const struct sandbox_limits *limits)
{
    struct sandbox *s = mem_alloc(sizeof *s);
    s->ceiling = limits->memory ? limits->memory : (size_t)256 << 20;
    s->instructions = limits->instructions ? limits->instructions : 100000000;
    if (s->instructions > INT64_MAX / 2) s->instructions = INT64_MAX / 2;
    s->call_seconds = limits->seconds > 0 ? limits->seconds : 1;
    s->seed = limits->seed;
    s->left = INT64_MAX / 2;
    s->tick = s->instructions >= 100 * TICK ? TICK : (int)(s->instructions / 100) + 1;
    s->L = lua_newstate(allocate, s);
    if (!s->L) return s;
    // Rows come and go, and little else is made: a generational collector seldom looks at what stays.
    lua_gc(s->L, LUA_GCSETPAUSE, 800);
    LOCAL(str_release) struct str why = {0};
    uint64_t budget = s->instructions;
    s->all = INT64_MAX;
    s->instructions = INT64_MAX / 2; // opening the libraries is free of charge
    if (!sandbox_call(s, open_all, NULL, false, &why)) {
        lua_close(s->L);
        s->L = NULL;
    } else {
        lua_sethook(s->L, hook, LUA_MASKCOUNT, s->tick);
    }
    s->instructions = budget;
    s->all = limits->all ? limits->all : 10000000000;
    s->spent = 0;
    s->seconds = 0;
    return s;
}

void sandbox_free(struct sandbox *s)
{
    if (!s) return;
    if (s->L) lua_close(s->L);
    free(s);
}

void sandbox_stop(struct sandbox *s, bool (*asked)(void)) { s->stop = asked; }

void sandbox_sizeof(struct sandbox *s, size_t (*type_size)(const char *)) { s->type_size = type_size; }

void sandbox_push(lua_State *L, struct value v)
{
    switch (v.kind) {
    case VALUE_NONE: lua_pushnil(L); break;
    case VALUE_INT: lua_pushinteger(L, v.i); break;
    case VALUE_REAL: lua_pushnumber(L, v.r); break;
    case VALUE_BOOL: lua_pushboolean(L, v.b); break;
    case VALUE_TEXT: lua_pushstring(L, v.text); break;
    case VALUE_LIST:
        luaL_checkstack(L, 3, "lists nested too deep");
        lua_createtable(L, (int)v.list->count, 0);
        for (size_t i = 0; i < v.list->count; i++) {
            sandbox_push(L, v.list->items[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        break;
    }
}

void sandbox_take(lua_State *L, size_t bytes)
{
    struct sandbox *s = sandbox_of(L);
    if (bytes > s->ceiling - s->out)
        luaL_error(L, "the result has more than the %I bytes that are allowed", (LUAI_UACINT)s->ceiling);
    s->out += bytes;
    sandbox_charge(L, bytes / BYTES_AN_INSTRUCTION);
}

char *sandbox_text(lua_State *L, int index, struct arena *a)
{
    size_t size;
    const char *text = lua_tolstring(L, index, &size);
    if (strlen(text) != size) luaL_error(L, "the result has a text with a zero byte");
    if (size > TEXT_MOST)
        luaL_error(L, "the result has a text of %I bytes; at most %d are allowed", (LUAI_UACINT)size, TEXT_MOST);
    sandbox_take(L, size + 16);
    return arena_strdup(a, text);
}

static bool get_list(lua_State *L, int index, struct arena *a, struct value *v, int depth);

static bool get(lua_State *L, int index, struct arena *a, struct value *v, int depth)
{
    *v = (struct value){0};
    switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TNONE: return true;
    case LUA_TBOOLEAN: *v = value_bool(lua_toboolean(L, index)); return true;
    case LUA_TSTRING: *v = value_text(sandbox_text(L, index, a)); return true;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) *v = value_int(lua_tointeger(L, index));
        else if (isfinite(lua_tonumber(L, index))) *v = value_real(lua_tonumber(L, index));
        return true; // NaN and infinity: nothing is known
    case LUA_TTABLE: return depth < 4 && get_list(L, lua_absindex(L, index), a, v, depth);
    default: return false;
    }
}

static bool get_list(lua_State *L, int index, struct arena *a, struct value *v, int depth)
{
    size_t n = (size_t)lua_rawlen(L, index); // of a table with holes Lua may give any border
    if (n > LIST_MOST) return false;
    lua_pushnil(L);
    if (lua_next(L, index)) {
        lua_pop(L, 2);
        if (n == 0) return false; // fields, but no elements
    }
    sandbox_take(L, sizeof(struct value_list) + n * sizeof(struct value));
    struct value_list *list = arena_alloc(a, sizeof *list + n * sizeof list->items[0]);
    list->count = n;
    luaL_checkstack(L, 3, "lists nested too deep");
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        good = get(L, -1, a, &list->items[i], depth + 1);
        lua_pop(L, 1);
    }
    *v = (struct value){VALUE_LIST, {.list = list}};
    return good;
}

bool sandbox_get(lua_State *L, int index, struct arena *a, struct value *v) { return get(L, index, a, v, 0); }
