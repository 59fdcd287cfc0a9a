// find, match, gmatch and gsub, with the matcher that pays for its steps.
// SPDX-License-Identifier: MIT
#include "lua/pattern.h"

#include <ctype.h>
#include <string.h>

// The first match at or after *s: *s becomes its start, its end is returned. NULL: none.
static const char *search(struct matcher *m, const char **s, bool anchored)
{
    for (;; ++*s) {
        m->level = m->depth = 0;
        const char *end = pattern_match(m, *s, m->pattern);
        if (end || anchored || *s >= m->end) return end;
    }
}

static void push_capture(struct matcher *m, int i, const char *s, const char *end)
{
    if (i == 0 && m->level == 0) lua_pushlstring(m->L, s, (size_t)(end - s));
    else if (i >= m->level) luaL_error(m->L, "invalid capture index %%%d", i + 1);
    else if (m->captures[i].size == POSITION) lua_pushinteger(m->L, m->captures[i].at - m->subject + 1);
    else if (m->captures[i].size == UNCLOSED) luaL_error(m->L, "unfinished capture");
    else lua_pushlstring(m->L, m->captures[i].at, (size_t)m->captures[i].size);
}

static int push_captures(struct matcher *m, const char *s, const char *end)
{
    int n = m->level == 0 && s ? 1 : m->level;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++) push_capture(m, i, s, end);
    return n;
}

static void prepare(struct matcher *m, lua_State *L, int subject, int pattern)
{
    size_t size, pattern_size;
    *m = (struct matcher){.L = L};
    m->subject = luaL_checklstring(L, subject, &size);
    m->end = m->subject + size;
    m->pattern = luaL_checklstring(L, pattern, &pattern_size);
    m->pattern_end = m->pattern + pattern_size;
}

// Where `init` says to begin, counted from 1 or from the end; NULL: after the end.
static const char *begin(const struct matcher *m, lua_Integer init)
{
    lua_Integer size = m->end - m->subject;
    if (init < 0) init = init < -size ? 1 : size + init + 1;
    else if (init == 0) init = 1;
    return init > size + 1 ? NULL : m->subject + (init - 1);
}

static bool anchor(struct matcher *m)
{
    bool anchored = m->pattern < m->pattern_end && *m->pattern == '^';
    m->pattern += anchored;
    return anchored;
}

static int find_or_match(lua_State *L, bool find)
{
    struct matcher m;
    prepare(&m, L, 1, 2);
    const char *s = begin(&m, luaL_optinteger(L, 3, 1)), *end = NULL;
    if (!s) return lua_pushnil(L), 1;
    if (find && lua_toboolean(L, 4)) {
        size_t size = (size_t)(m.pattern_end - m.pattern);
        sandbox_charge(L, (size_t)(m.end - s) / 4 + size / 4);
        s = memmem(s, (size_t)(m.end - s), m.pattern, size);
        end = s ? s + size : NULL;
    } else {
        bool anchored = anchor(&m);
        end = search(&m, &s, anchored);
    }
    if (!end) return lua_pushnil(L), 1;
    if (!find) return push_captures(&m, s, end);
    lua_pushinteger(L, s - m.subject + 1);
    lua_pushinteger(L, end - m.subject);
    return 2 + push_captures(&m, NULL, NULL);
}

static int find(lua_State *L) { return find_or_match(L, true); }
static int match_once(lua_State *L) { return find_or_match(L, false); }

// Upvalues: subject, pattern, offset where to go on, end of the last match.
static int gmatch_step(lua_State *L)
{
    struct matcher m;
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, lua_upvalueindex(2));
    prepare(&m, L, 1, 2);
    const char *last = m.subject + lua_tointeger(L, lua_upvalueindex(4)) - 1;
    for (const char *s = m.subject + lua_tointeger(L, lua_upvalueindex(3)); s <= m.end; s++) {
        const char *end = search(&m, &s, false);
        if (!end) break;
        if (end == last) continue; // an empty match where the last one ended
        lua_pushinteger(L, end - m.subject);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_pushinteger(L, end - m.subject + 1);
        lua_copy(L, -1, lua_upvalueindex(4));
        return push_captures(&m, s, end);
    }
    return 0;
}

static int gmatch(lua_State *L)
{
    struct matcher m;
    prepare(&m, L, 1, 2);
    const char *s = begin(&m, luaL_optinteger(L, 3, 1));
    lua_settop(L, 2);
    lua_pushinteger(L, s ? s - m.subject : m.end - m.subject + 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, gmatch_step, 4);
    return 1;
}

static void add_template(struct matcher *m, luaL_Buffer *b, const char *s, const char *end)
{
    size_t size;
    const char *text = lua_tolstring(m->L, 3, &size);
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '%') {
            luaL_addchar(b, text[i]);
        } else if (++i < size && text[i] == '%') {
            luaL_addchar(b, '%');
        } else if (i < size && isdigit((unsigned char)text[i])) {
            if (text[i] == '0') lua_pushlstring(m->L, s, (size_t)(end - s));
            else push_capture(m, text[i] - '1', s, end);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

static void add_replacement(struct matcher *m, luaL_Buffer *b, const char *s, const char *end, int type)
{
    lua_State *L = m->L;
    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        add_template(m, b, s, end);
        return;
    }
    if (type == LUA_TTABLE) {
        push_capture(m, 0, s, end);
        lua_gettable(L, 3);
    } else {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, s, end), 1);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, s, (size_t)(end - s));
    } else {
        if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
        luaL_addvalue(b);
    }
}

static int gsub(lua_State *L)
{
    struct matcher m;
    prepare(&m, L, 1, 2);
    int type = lua_type(L, 3);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
        "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, m.end - m.subject + 1), n = 0;
    bool anchored = anchor(&m);
    const char *s = m.subject, *last = NULL;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (n < most) {
        m.level = m.depth = 0;
        const char *end = pattern_match(&m, s, m.pattern);
        if (end && end != last) {
            n++;
            add_replacement(&m, &b, s, end, type);
            s = last = end;
        } else if (s < m.end) {
            luaL_addchar(&b, *s++);
        } else {
            break;
        }
        if (anchored) break;
    }
    luaL_addlstring(&b, s, (size_t)(m.end - s));
    luaL_pushresult(&b);
    lua_pushinteger(L, n);
    return 2;
}

const luaL_Reg library_patterns[] = {
    {"find", find}, {"match", match_once}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
