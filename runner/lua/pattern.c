// Matches Lua's patterns, as its manual describes them, and pays for every step.
// SPDX-License-Identifier: MIT
#include "lua/pattern.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 180, STEPS_A_PAYMENT = 64 };

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

const char *pattern_match(struct matcher *m, const char *s, const char *p)
{
    if (++m->depth > DEPTH) luaL_error(m->L, "pattern too complex");
    s = match_items(m, s, p);
    m->depth--;
    return s;
}
