// Reads what `done` returns: lines for people, extra tables, a verdict.
// SPDX-License-Identifier: MIT
#include "lua/functions.h"
#include "lua/script_inside.h"

#include <string.h>

enum { LINES_MOST = 10000, COLUMNS_MOST = 256, CELLS_MOST = 10000000 };

static const char *const *read_lines(lua_State *L, struct arena *a)
{
    int type = lua_getfield(L, -1, "lines");
    size_t n = type == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : type == LUA_TNIL ? 0 : 1;
    if (n > LINES_MOST) luaL_error(L, "more than %d lines", LINES_MOST);
    const char **lines = arena_alloc(a, (n + 1) * sizeof *lines);
    for (size_t i = 0; i < n; i++) {
        if (type == LUA_TTABLE) lua_rawgeti(L, -1, (lua_Integer)i + 1);
        else lua_pushvalue(L, -1);
        library_text(L, -1, NULL);
        char *line = sandbox_text(L, -1, a);
        text_clean(line, false);
        lines[i] = line;
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return lines;
}

// The columns are the names of all rows, by the first row that has them, then by the alphabet.
static void read_columns(lua_State *L, struct script_table *t, struct arena *a)
{
    const char **columns = arena_alloc(a, COLUMNS_MOST * sizeof *columns);
    for (size_t i = 0; i < t->row_count; i++, lua_pop(L, 1)) {
        const char **names;
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE)
            luaL_error(L, "table `%s`: row %d is not a table", t->name, (int)i + 1);
        for (size_t k = 0, n = library_sorted_keys(L, -1, a, &names); k < n; k++) {
            size_t at = 0;
            while (at < t->column_count && strcmp(columns[at], names[k]) != 0) at++;
            if (at < t->column_count) continue;
            if (at == COLUMNS_MOST) luaL_error(L, "table `%s` has more than %d columns", t->name, COLUMNS_MOST);
            columns[t->column_count++] = names[k];
        }
    }
    t->columns = columns;
}

static void read_table(lua_State *L, struct script_table *t, struct arena *a)
{
    if (!lua_istable(L, -1)) luaL_error(L, "table `%s` is a %s, not a list of rows", t->name, luaL_typename(L, -1));
    t->row_count = (size_t)lua_rawlen(L, -1);
    read_columns(L, t, a);
    if (t->column_count && t->row_count > CELLS_MOST / t->column_count)
        luaL_error(L, "table `%s` has more than %d cells", t->name, CELLS_MOST);
    sandbox_take(L, t->row_count * t->column_count * sizeof(struct value));
    struct value *cells = arena_alloc(a, (t->row_count * t->column_count + 1) * sizeof *cells);
    for (size_t i = 0; i < t->row_count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        for (size_t k = 0; k < t->column_count; k++, lua_pop(L, 1)) {
            lua_pushstring(L, t->columns[k]);
            lua_rawget(L, -2);
            if (!sandbox_get(L, -1, a, &cells[i * t->column_count + k]))
                luaL_error(L, "table `%s`: `%s` is a %s", t->name, t->columns[k], luaL_typename(L, -1));
        }
    }
    t->cells = cells;
}

static void read_tables(lua_State *L, struct script_outcome *o, struct arena *a)
{
    int type = lua_getfield(L, -1, "tables");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "`tables` takes {name = rows}, not a %s", lua_typename(L, type));
    if (type == LUA_TTABLE) {
        const char **names;
        size_t n = library_sorted_keys(L, -1, a, &names);
        struct script_table *tables = arena_alloc(a, (n + 1) * sizeof *tables);
        for (size_t i = 0; i < n; i++, lua_pop(L, 1)) {
            tables[i].name = names[i];
            lua_getfield(L, -1, names[i]);
            read_table(L, &tables[i], a);
        }
        o->tables = tables;
        o->table_count = n;
    }
    lua_pop(L, 1);
}

void outcome_read(lua_State *L, struct script_outcome *o, struct arena *a)
{
    if (!lua_istable(L, -1))
        luaL_error(L, "returned a %s; it returns a table of lines, tables, verdict, reason", luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "[1]";
        if (choice_find(script_outcome_keys, key) < 0)
            luaL_error(L, "returned `%s`; it returns lines, tables, verdict, reason", key);
    }
    o->lines = read_lines(L, a);
    read_tables(L, o, a);
    int type = lua_getfield(L, -1, "verdict");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "`verdict` takes true or false, not a %s", lua_typename(L, type));
    o->has_verdict = type == LUA_TBOOLEAN;
    o->verdict = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "reason") != LUA_TNIL) {
        library_text(L, -1, NULL);
        char *reason = sandbox_text(L, -1, a);
        text_clean(reason, true);
        o->reason = reason;
    }
    lua_settop(L, 0);
}
