// find, match, gmatch and gsub, with the matcher that pays for its steps.
// SPDX-License-Identifier: MIT
#include "lua/lua_inside.h"

#include <ctype.h>
#include <string.h>

// A matcher for Lua's patterns. Lua's own can take exponential time on a short pattern, and not one instruction is
// counted; this one pays for every step.
enum { CAPTURES = 32, UNCLOSED = -1, POSITION = -2 };

struct matcher {
    lua_State *L;
    const char *subject, *end, *pattern, *pattern_end;
    int depth, level;
    unsigned steps;
    struct {
        const char *at;
        ptrdiff_t size; // or UNCLOSED, POSITION
    } captures[CAPTURES];
};

enum { DEPTH = 180, STEPS_A_PAYMENT = 64 };

static const char *pattern_match(struct matcher *, const char *s, const char *p);

static void pay_step(struct matcher *m)
{
    if (++m->steps % STEPS_A_PAYMENT == 0) sandbox_charge(m->L, STEPS_A_PAYMENT);
}

static bool class_holds(unsigned char c, unsigned char class)
{
    int holds;
    switch (tolower(class)) {
    case 'a': holds = isalpha(c); break;
    case 'c': holds = iscntrl(c); break;
    case 'd': holds = isdigit(c); break;
    case 'g': holds = isgraph(c); break;
    case 'l': holds = islower(c); break;
    case 'p': holds = ispunct(c); break;
    case 's': holds = isspace(c); break;
    case 'u': holds = isupper(c); break;
    case 'w': holds = isalnum(c); break;
    case 'x': holds = isxdigit(c); break;
    default: return class == c;
    }
    return isupper(class) ? !holds : holds != 0;
}

// The end of the item at p, which stands for one character.
static const char *item_end(const struct matcher *m, const char *p)
{
    if (*p == '%') {
        if (p + 1 >= m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 2;
    }
    if (*p != '[') return p + 1;
    const char *q = p + 1;
    if (q < m->pattern_end && *q == '^') q++;
    do { // a ] at the beginning stands for itself
        if (q < m->pattern_end && *q == '%') q++;
        if (q++ >= m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    } while (q >= m->pattern_end || *q != ']');
    return q + 1;
}

static bool set_holds(unsigned char c, const char *p, const char *end)
{
    bool inside = true;
    end--; // the closing bracket
    if (*++p == '^') inside = false, p++;
    while (p < end) {
        if (*p == '%') {
            if (class_holds(c, (unsigned char)p[1])) return inside;
            p += 2;
        } else if (p + 2 < end && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) return inside;
            p += 3;
        } else if ((unsigned char)*p++ == c) {
            return inside;
        }
    }
    return !inside;
}

static bool item_holds(struct matcher *m, const char *s, const char *p, const char *end)
{
    pay_step(m);
    if (s >= m->end) return false;
    unsigned char c = (unsigned char)*s;
    switch (*p) {
    case '.': return true;
    case '%': return class_holds(c, (unsigned char)p[1]);
    case '[': m->steps += (unsigned)(end - p) / 8; return set_holds(c, p, end);
    default: return (unsigned char)*p == c;
    }
}

static const char *open_capture(struct matcher *m, const char *s, const char *p)
{
    if (m->level >= CAPTURES) luaL_error(m->L, "too many captures");
    bool position = p + 1 < m->pattern_end && p[1] == ')';
    m->captures[m->level].at = s;
    m->captures[m->level++].size = position ? POSITION : UNCLOSED;
    const char *r = pattern_match(m, s, p + (position ? 2 : 1));
    if (!r) m->level--;
    return r;
}

static const char *close_capture(struct matcher *m, const char *s, const char *p)
{
    int i = m->level - 1;
    while (i >= 0 && m->captures[i].size != UNCLOSED) i--;
    if (i < 0) luaL_error(m->L, "invalid pattern capture");
    m->captures[i].size = s - m->captures[i].at;
    const char *r = pattern_match(m, s, p + 1);
    if (!r) m->captures[i].size = UNCLOSED;
    return r;
}

// %b(): the end of the balanced text at s, or NULL.
static const char *balanced(struct matcher *m, const char *s, const char *p)
{
    if (p + 3 >= m->pattern_end) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->end || *s != p[2]) return NULL;
    for (int depth = 1; ++s < m->end;) {
        pay_step(m);
        if (*s == p[3]) {
            if (--depth == 0) return s + 1;
        } else if (*s == p[2]) {
            depth++;
        }
    }
    return NULL;
}

static bool at_frontier(struct matcher *m, const char *s, const char *p, const char *end)
{
    unsigned char before = s == m->subject ? 0 : (unsigned char)s[-1], here = s == m->end ? 0 : (unsigned char)*s;
    return !set_holds(before, p, end) && set_holds(here, p, end);
}

static const char *back_reference(struct matcher *m, const char *s, char digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->level || m->captures[i].size == UNCLOSED)
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    ptrdiff_t n = m->captures[i].size;
    if (n < 0) return NULL; // a position is not a text
    sandbox_charge(m->L, (size_t)n / 16);
    return m->end - s >= n && memcmp(m->captures[i].at, s, (size_t)n) == 0 ? s + n : NULL;
}

static const char *longest_first(struct matcher *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t n = 0;
    while (item_holds(m, s + n, p, end)) n++;
    for (; n >= 0; n--) {
        const char *r = pattern_match(m, s + n, end + 1);
        if (r) return r;
    }
    return NULL;
}

static const char *shortest_first(struct matcher *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *r = pattern_match(m, s, end + 1);
        if (r) return r;
        if (!item_holds(m, s, p, end)) return NULL;
    }
}

static const char *match_items(struct matcher *m, const char *s, const char *p)
{
    while (p < m->pattern_end) {
        pay_step(m);
        if (*p == '(') return open_capture(m, s, p);
        if (*p == ')') return close_capture(m, s, p);
        if (*p == '$' && p + 1 == m->pattern_end) return s == m->end ? s : NULL;
        char escaped = '\0';
        if (*p == '%' && p + 1 < m->pattern_end) escaped = p[1];
        if (escaped == 'b') {
            if (!(s = balanced(m, s, p))) return NULL;
            p += 4;
            continue;
        }
        if (escaped == 'f') {
            if (p + 2 >= m->pattern_end || p[2] != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
            const char *end = item_end(m, p + 2);
            if (!at_frontier(m, s, p + 2, end)) return NULL;
            p = end;
            continue;
        }
        if (isdigit((unsigned char)escaped)) {
            if (!(s = back_reference(m, s, escaped))) return NULL;
            p += 2;
            continue;
        }
        const char *end = item_end(m, p);
        char suffix = '\0';
        if (end < m->pattern_end) suffix = *end;
        if (suffix == '*') return longest_first(m, s, p, end);
        if (suffix == '-') return shortest_first(m, s, p, end);
        bool holds = item_holds(m, s, p, end);
        if (suffix == '+') return holds ? longest_first(m, s + 1, p, end) : NULL;
        if (suffix == '?') {
            const char *r = holds ? pattern_match(m, s + 1, end + 1) : NULL;
            if (r) return r;
            p = end + 1;
            continue;
        }
        if (!holds) return NULL;
        s++;
        p = end;
    }
    return s;
}

// The end of what `p` (up to pattern_end) matches at `s`, with the captures filled; NULL: it does not match there.
// `level` and `depth` are 0 before the first call for a match. Raises what is wrong with the pattern.
static const char *pattern_match(struct matcher *m, const char *s, const char *p)
{
    if (++m->depth > DEPTH) luaL_error(m->L, "pattern too complex");
    s = match_items(m, s, p);
    m->depth--;
    return s;
}

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
