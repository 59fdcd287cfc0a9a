// The inside of a loaded script, for the files that load it, call its hooks and read what they return.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/lua_inside.h"
#include "lua/script.h"

struct script_shape {
    int names; // registry: an array of names and an index in one, t[i] = name, t[name] = i
    int guard; // registry: metatable that refuses names which are not there
    int lazy;  // registry: metatable of a row that looks its values up
    int list;  // registry: the plain array, for scripts to read
    size_t count;
};

struct script {
    struct sandbox *box;
    struct arena *arena;
    char *text;
    const char *path, *embedded; // `embedded`: its text is part of the binary and not freed
    const char *shipped;         // the name of one that ships; NULL: it is the user's own
    struct where at;             // where the experiment names it
    int environment, randomseed, params, kept, hooks[SCRIPT_HOOKS]; // registry; LUA_NOREF: no such hook
    struct script_facts facts;
    size_t param_count, column_count;
    const char *
        *column_texts; // the columns' texts inside Lua, which has each short text once: addresses can be compared
    int hook_takes[SCRIPT_HOOKS]; // arguments
    bool is_random;
    struct str reason; // of the last `keep`
    const void *row;   // the lazy row of the call that runs, and its values
    const struct script_shape *row_shape;
    const struct value *row_values;
    struct script_shape *shapes;
    size_t shape_count, shape_room;
};
extern const char *const script_hook_names[]; // by enum script_hook, NULL-terminated

// Adds an error of Lua: hook, message, line, and the calls that led there. Always false.
bool script_failed(const struct script *, const char *hook, const char *why, struct diags *);
