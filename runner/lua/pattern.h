// A matcher for Lua's patterns. Lua's own can take exponential time on a short pattern, and not one instruction is
// counted; this one pays for every step. For runner/lua/ only.
// SPDX-License-Identifier: MIT
#ifndef LUA_PATTERN_H
#define LUA_PATTERN_H
#include "lua/lua_inside.h"

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

// The end of what `p` (up to pattern_end) matches at `s`, with the captures filled; NULL: it does not match there.
// `level` and `depth` are 0 before the first call for a match. Raises what is wrong with the pattern.
const char *pattern_match(struct matcher *, const char *s, const char *p);
#endif
