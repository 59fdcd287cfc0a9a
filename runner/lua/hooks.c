// Calls a script's hooks: points and rows go in as Lua tables, results come out as values. Points are collected first
// and passed on after Lua has returned, because the receiver may call Lua too.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "lua/functions.h"
#include "lua/script_inside.h"

static void rows_push(lua_State *, const struct script_shape *, const struct value *);

// Rows and points as Lua sees them: their names are told once; a row is a whole table, or an empty one that looks a
// value up when it is read.

struct shaping {
    const char *const *names;
    struct script_shape *shape;
    struct script *script;
};

static int no_such_name(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "a point or row has names; it has no element [%s]", library_text(L, 2, NULL));
    return luaL_error(L, "there is no `%s` here", lua_tostring(L, 2));
}

// Of a whole row: a name that it does not have is known but empty, or not a name at all.
static int no_such_value(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_type(L, 2) == LUA_TSTRING && lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return lua_pushnil(L), 1;
    return no_such_name(L);
}

// The row of `keep` and `derive`: an empty table that looks a value up when it is read, because most values are not. It
// is valid for one call: the next row is another table.
static int look_up(lua_State *L)
{
    const struct script *s = lua_touserdata(L, lua_upvalueindex(2));
    if (lua_topointer(L, 1) != s->row)
        return luaL_error(L, "this row or point belongs to an earlier call; copy the values that are needed later");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER) return no_such_name(L);
    sandbox_push(L, s->row_values[lua_tointeger(L, -1) - 1]);
    return 1;
}

static int pairs_of_row(lua_State *L)
{
    const struct script *s = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_topointer(L, 1) != s->row)
        return luaL_error(L, "this row or point belongs to an earlier call; copy the values that are needed later");
    lua_settop(L, 0);
    rows_push(L, s->row_shape, s->row_values);
    return library_ordered[0].func(L);
}

static int make_shape(lua_State *L)
{
    struct shaping *g = lua_touserdata(L, 1);
    lua_createtable(L, (int)g->shape->count, 0);
    for (size_t i = 0; i < g->shape->count; i++) {
        lua_pushstring(L, g->names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    g->shape->list = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_createtable(L, (int)g->shape->count, (int)g->shape->count);
    for (size_t i = 0; i < g->shape->count; i++) {
        lua_pushstring(L, g->names[i]);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pushinteger(L, (lua_Integer)i + 1);
        lua_rawset(L, -3);
    }
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, no_such_value, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    g->shape->guard = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, -2);
    lua_pushlightuserdata(L, g->script);
    lua_pushcclosure(L, look_up, 2);
    lua_setfield(L, -2, "__index");
    lua_pushlightuserdata(L, g->script);
    lua_pushcclosure(L, pairs_of_row, 1);
    lua_setfield(L, -2, "__pairs");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    g->shape->lazy = luaL_ref(L, LUA_REGISTRYINDEX);
    g->shape->names = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

int script_shape(struct script *s, const char *const *names, size_t count)
{
    LOCAL(str_release) struct str why = {0};
    mem_grow(&s->shapes, &s->shape_room, s->shape_count + 1, sizeof *s->shapes);
    struct script_shape *shape = &s->shapes[s->shape_count];
    *shape = (struct script_shape){LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, count};
    sandbox_call(s->box, make_shape, &(struct shaping){names, shape, s}, false,
        &why); // out of memory: every call with it will say so
    return (int)s->shape_count++;
}

// Pushes a row of this shape; the lazy one is valid for one call.
static void rows_push(lua_State *L, const struct script_shape *shape, const struct value *values)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->names);
    lua_createtable(L, 0, (int)shape->count);
    for (size_t i = 0; i < shape->count; i++) {
        if (values[i].kind == VALUE_NONE) continue;
        lua_rawgeti(L, -2, (lua_Integer)i + 1);
        sandbox_push(L, values[i]);
        lua_rawset(L, -3);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->guard);
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

static void rows_push_lazy(lua_State *L, struct script *s, const struct script_shape *shape, const struct value *values)
{
    lua_createtable(L, 0, 0);
    s->row = lua_topointer(L, -1);
    s->row_shape = shape;
    s->row_values = values;
    lua_rawgeti(L, LUA_REGISTRYINDEX, shape->lazy);
    lua_setmetatable(L, -2);
}

// Reads what `done` returns: lines for people, extra tables, a verdict.

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

// What `done` returned, on top of the stack.
static void outcome_read(lua_State *L, struct script_outcome *o, struct arena *a)
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

enum { REASON_MOST = 200 }; // bytes that are kept: each point may have one

struct hook_call {
    struct script *s;
    enum script_hook hook;
    uint64_t seed;
    lua_CFunction f;
    void *context;
};

static int seed_and_go(lua_State *L)
{
    struct hook_call *c = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->s->randomseed);
    lua_pushinteger(L, (lua_Integer)(c->s->box->seed ^ (c->seed * 8 + c->hook)));
    lua_call(L, 1, 0);
    lua_settop(L, 0);
    lua_pushlightuserdata(L, c->context);
    return c->f(L);
}

// A fresh budget and seed, then f(L) with `context`.
static bool script_call(struct script *s, enum script_hook hook, lua_CFunction f, void *context, uint64_t seed,
    struct diags *d)
{
    LOCAL(str_release) struct str why = {0};
    struct hook_call c = {s, hook, seed, f, context};
    bool good = sandbox_call(s->box, s->is_random ? seed_and_go : f, s->is_random ? &c : context, true, &why);
    s->row = NULL;
    if (good) return true;
    script_failed(s, script_hook_names[hook], why.text, d);
    return false;
}

// The same row gets the same random numbers, whenever it is asked about.
static uint64_t seed_of(const struct script *s, const struct value *values, size_t count)
{
    struct hash h;
    uint64_t out[2];
    if (!s->is_random) return 0;
    hash_init(&h);
    for (size_t i = 0; i < count; i++) value_hash(values[i], &h);
    hash_final(h, out);
    return out[0];
}

static void push_hook(lua_State *L, const struct script *s, enum script_hook hook)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->hooks[hook]);
}

// Calls hook(argument, params, names), or with fewer arguments if it takes fewer, for `results` results; the hook and
// its argument are on the stack.
static void call_hook(lua_State *L, const struct script *s, enum script_hook hook, int results)
{
    if (s->hook_takes[hook] < 2) {
        lua_call(L, 1, results);
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->params);
    if (s->shape_count) lua_rawgeti(L, LUA_REGISTRYINDEX, s->shapes[0].list);
    else lua_pushnil(L);
    lua_call(L, 3, results);
}

struct asking { // a question about one point or row, or about many
    struct script *s;
    enum script_hook hook;
    const struct script_shape *shape;
    const struct value *values;
    size_t rows;
    struct arena *arena;
    // keep
    bool kept;
    const char *reason;
    // derive
    struct value *results;
    // points and refine: the points made, each with one value for each name of `made_shape`
    const struct script_axis *axes;
    size_t axis_count;
    const struct script_shape *made_shape;
    struct value *made;
    size_t made_count, made_room;
};

static int ask_keep(lua_State *L)
{
    struct asking *q = lua_touserdata(L, 1);
    push_hook(L, q->s, SCRIPT_KEEP);
    rows_push_lazy(L, q->s, q->shape, q->values);
    call_hook(L, q->s, SCRIPT_KEEP, 2);
    if (!lua_isboolean(L, -2))
        return luaL_error(L, "returned %s; it returns true, or false and a reason", luaL_typename(L, -2));
    q->kept = lua_toboolean(L, -2);
    if (lua_isnil(L, -1)) return 0;
    struct str *reason = &q->s->reason;
    str_clear(reason);
    size_t size;
    const char *text = library_text(L, -1, &size);
    str_add_bytes(reason, text, size <= REASON_MOST ? strlen(text) : REASON_MOST);
    if (size > REASON_MOST) str_add(reason, " ...");
    text_clean(reason->text, true);
    q->reason = reason->text;
    return 0;
}

bool script_keep(struct script *s, int shape, const struct value *values, bool *kept, const char **reason,
    struct diags *d)
{
    struct asking q = {.s = s, .shape = &s->shapes[shape], .values = values};
    bool good = script_call(s, SCRIPT_KEEP, ask_keep, &q, seed_of(s, values, q.shape->count), d);
    *kept = q.kept;
    *reason = q.reason;
    return good;
}

static size_t column_named(const struct script *s, const char *name)
{
    size_t i = 0;
    while (i < s->column_count && strcmp(s->facts.columns[i], name) != 0) i++;
    return i;
}

static int ask_derive(lua_State *L)
{
    struct asking *q = lua_touserdata(L, 1);
    push_hook(L, q->s, SCRIPT_DERIVE);
    rows_push_lazy(L, q->s, q->shape, q->values);
    call_hook(L, q->s, SCRIPT_DERIVE, 1);
    if (lua_isnil(L, -1)) return 0;
    if (!lua_istable(L, -1)) return luaL_error(L, "returned a %s; it returns a table of columns", luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        size_t i = 0;
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        while (i < q->s->column_count && q->s->column_texts[i] != name) i++;
        if (i == q->s->column_count) i = column_named(q->s, name);
        if (i == q->s->column_count) return luaL_error(L, "returned `%s`, which `columns` does not declare", name);
        if (!sandbox_get(L, -1, q->arena, &q->results[i]))
            return luaL_error(L, "returned a %s as `%s`", luaL_typename(L, -1), name);
    }
    return 0;
}

bool script_derive(struct script *s, int shape, const struct value *row, struct value *results, struct arena *a,
    struct diags *d)
{
    struct asking q = {.s = s, .shape = &s->shapes[shape], .values = row, .arena = a, .results = results};
    for (size_t i = 0; i < s->column_count; i++) results[i] = (struct value){0};
    if (script_call(s, SCRIPT_DERIVE, ask_derive, &q, seed_of(s, row, q.shape->count), d)) return true;
    for (size_t i = 0; i < s->column_count; i++) results[i] = (struct value){0};
    return false;
}

// One returned point, on top of the stack, into `made`.
static void take_point(lua_State *L, struct asking *q, size_t number)
{
    size_t n = q->made_shape->count;
    if (!lua_istable(L, -1))
        luaL_error(L, "point %d is a %s, not a table like {stride = 1}", (int)number, luaL_typename(L, -1));
    sandbox_take(L, n * sizeof *q->made);
    mem_grow(&q->made, &q->made_room, (q->made_count + 1) * n, sizeof *q->made);
    struct value *values = q->made + q->made_count * n;
    for (size_t i = 0; i < n; i++) values[i] = (struct value){0};
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->made_shape->names);
    for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        if (lua_type(L, -1) != LUA_TSTRING || lua_rawget(L, -4) != LUA_TNUMBER) {
            const char *name = library_text(L, lua_type(L, -3) == LUA_TSTRING ? -3 : -1, NULL);
            luaL_error(L, "point %d sets `%s`, which the experiment gives no value; name it in `with` or `sweep`",
                (int)number, name);
        }
        size_t slot = (size_t)lua_tointeger(L, -1) - 1;
        lua_pop(L, 1);
        if (!sandbox_get(L, -1, q->arena, &values[slot]))
            luaL_error(L, "point %d: a %s is not a value", (int)number, luaL_typename(L, -1));
        if (values[slot].kind == VALUE_NONE)
            luaL_error(L, "point %d: `%s` is %f", (int)number, lua_tostring(L, -2), lua_tonumber(L, -1));
    }
    lua_pop(L, 1);
    q->made_count++;
}

static void take_points(lua_State *L, struct asking *q)
{
    if (!lua_istable(L, -1)) luaL_error(L, "returned a %s; it returns a list of points", luaL_typename(L, -1));
    size_t n = (size_t)lua_rawlen(L, -1);
    if (n == 0) {
        lua_pushnil(L);
        if (lua_next(L, -2))
            luaL_error(L, "returned one table with names; it returns a list of points: {{stride = 1}}");
        return;
    }
    for (size_t i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        take_point(L, q, i);
        lua_pop(L, 1);
    }
}

static int ask_points(lua_State *L)
{
    struct asking *q = lua_touserdata(L, 1);
    push_hook(L, q->s, SCRIPT_POINTS);
    lua_createtable(L, 0, (int)q->axis_count);
    for (size_t i = 0; i < q->axis_count; i++) {
        lua_createtable(L, (int)q->axes[i].count, 0);
        for (size_t k = 0; k < q->axes[i].count; k++) {
            sandbox_push(L, q->axes[i].values[k]);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, q->axes[i].name);
    }
    call_hook(L, q->s, SCRIPT_POINTS, 1);
    take_points(L, q);
    return 0;
}

static void push_rows(lua_State *L, const struct asking *q)
{
    lua_createtable(L, (int)q->rows, 0);
    for (size_t i = 0; i < q->rows; i++) {
        rows_push(L, q->shape, q->values + i * q->shape->count);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int ask_refine(lua_State *L)
{
    struct asking *q = lua_touserdata(L, 1);
    push_hook(L, q->s, SCRIPT_REFINE);
    push_rows(L, q);
    call_hook(L, q->s, SCRIPT_REFINE, 1);
    if (!lua_isnil(L, -1)) take_points(L, q);
    return 0;
}

// Passes on the points that were made, now that Lua has returned.
static bool hand_on(struct asking *q, bool good, script_point_fn *add, void *context)
{
    for (size_t i = 0; i < q->made_count && good; i++) good = add(context, q->made + i * q->made_shape->count);
    free(q->made);
    arena_free(q->arena);
    return good;
}

bool script_points(struct script *s, const struct script_axis *axes, size_t count, int shape, script_point_fn *add,
    void *context, struct diags *d)
{
    struct asking q = {
        .s = s, .axes = axes, .axis_count = count, .made_shape = &s->shapes[shape], .arena = arena_new()};
    return hand_on(&q, script_call(s, SCRIPT_POINTS, ask_points, &q, 0, d), add, context);
}

bool script_refine(struct script *s, int row_shape, const struct value *rows, size_t row_count, int point_shape,
    script_point_fn *add, void *context, struct diags *d)
{
    struct asking q = {.s = s,
        .shape = &s->shapes[row_shape],
        .values = rows,
        .rows = row_count,
        .made_shape = &s->shapes[point_shape],
        .arena = arena_new()};
    return hand_on(&q, script_call(s, SCRIPT_REFINE, ask_refine, &q, row_count, d), add, context);
}

struct finishing {
    struct asking q;
    struct script_outcome *outcome;
};

static int ask_done(lua_State *L)
{
    struct finishing *f = lua_touserdata(L, 1);
    push_hook(L, f->q.s, SCRIPT_DONE);
    push_rows(L, &f->q);
    call_hook(L, f->q.s, SCRIPT_DONE, 1);
    if (!lua_isnil(L, -1)) outcome_read(L, f->outcome, f->q.arena);
    return 0;
}

bool script_done(struct script *s, int row_shape, const struct value *rows, size_t row_count,
    struct script_outcome *outcome, struct arena *a, struct diags *d)
{
    struct finishing f = {
        {.s = s, .shape = &s->shapes[row_shape], .values = rows, .rows = row_count, .arena = a}, outcome};
    *outcome = (struct script_outcome){.lines = arena_alloc(a, sizeof(char *))};
    if (script_call(s, SCRIPT_DONE, ask_done, &f, row_count, d)) return true;
    *outcome = (struct script_outcome){.lines = arena_alloc(a, sizeof(char *))};
    return false;
}
