// Shared by the files of this folder: the state of a sandbox, the one function that enters Lua, and values in and out.
// Nothing outside runner/lua includes it. Every call of Lua's API that can allocate or raise happens inside
// sandbox_call.
// SPDX-License-Identifier: MIT
#pragma once
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "base/text.h"
#include "lua/sandbox.h"

struct sandbox {
    lua_State *L;          // NULL: there was too little memory to start
    size_t used, ceiling;  // bytes
    size_t refused;        // bytes of the last request that was refused
    bool long_text;        // the last request was a text that is too long
    bool over;             // the request was granted in the end: the call ends at the next instruction
    size_t out;            // bytes of this call's results; they have the same limit
    uint64_t instructions; // budget of one call
    int64_t left;          // of it
    uint64_t all, spent;   // budget of all calls, and what they have used
    int tick;              // instructions between two looks of the hook
    unsigned ticks, charges;
    double call_seconds; // that a call may take
    double seconds;      // of all calls that were long enough to be timed
    double deadline;     // in seconds of this thread's time; 0: not asked yet
    bool exhausted;      // sticky until the next call from outside
    bool stopped;        // it is so because `stop` said so
    bool (*stop)(void);
    uint64_t seed;
    size_t (*type_size)(const char *type);
    int expressions; // registry: the environment all expressions share, read-only
    int randomseed;  // registry: reseeds that environment's math.random
};

// Runs f(L) with `context` as a light userdata at index 1, a fresh budget, and every error caught. True when all went
// well. The message of a failure is written to `why` (never empty): Lua's message, with "chunk:line:" before it where
// Lua gives that. `traceback`: the calls that led there follow, each on a line.
bool sandbox_call(struct sandbox *, lua_CFunction f, void *context, bool traceback, struct str *why);
struct sandbox *sandbox_of(lua_State *);
// Takes n instructions from the budget: so functions in C pay for work that the hook cannot see. Raises when none are
// left.
void sandbox_charge(lua_State *, size_t n);
// Called before so many bytes are allocated outside Lua for results. Raises when they are too many.
void sandbox_take(lua_State *, size_t bytes);
char *sandbox_text(lua_State *, int index, struct arena *); // a copy of the text there
// Pushes the value as a text, as `tostring` gives it to scripts: without any address. Every text of a value is made
// here.
const char *library_text(lua_State *, int index, size_t *size);

void sandbox_push(lua_State *, struct value);
// Of the value at `index`; text and lists are copied to `a`. False: a type that has no value (function, table with
// named fields).
bool sandbox_get(lua_State *, int index, struct arena *a, struct value *);

enum { LIBRARY_EXPRESSION, LIBRARY_SCRIPT };
void library_open(lua_State *);                                 // once for each state
void library_environment(lua_State *, int kind, uint64_t seed); // pushes a new environment
bool library_has(const char *name);                             // a name that expressions find there
// `pairs` and `next` in the order of keys, so that a run repeats: Lua's own order changes from process to process.
extern const luaL_Reg library_ordered[];
int library_sort(lua_State *);            // table.sort
extern const luaL_Reg library_patterns[]; // find, match, gmatch, gsub, with a matcher that pays for its steps

// The text keys of the table at `index`, in order: how C walks a table that a script made.
size_t library_sorted_keys(lua_State *, int index, struct arena *, const char ***keys); // text keys only

struct lua_token {
    char kind; // 'n' name, 'k' keyword, 'o' other (number, text), else the first character of the punctuation; '\0' the
               // end
    const char *at;
    size_t size;
};

// The free names of an expression, each once, in order of appearance. `offsets`: where each appears first.
struct free_names {
    const char *code;           // the text with `memory_in` where it says `memory.in`: as long as it was
    const char *lua;            // the same as Lua reads it: 2048 where it says 2Ki
    const char *time, *percent; // the last number with such a unit; NULL: none
    const char **names;         // NULL-terminated
    const char **locals;        // what each is called in `code`
    size_t *offsets;
    size_t count;
};
bool compared_find(const char *text, const char *code, const struct free_names *, size_t n, struct arena *,
    struct operand side[2]);
void names_find(const char *text, struct arena *, struct free_names *);
