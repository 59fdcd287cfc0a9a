// Finds, loads and checks a script, and makes errors of its failures.
// SPDX-License-Identifier: MIT
#include "lua/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "lua/functions.h"
#include "lua/lua_inside.h"

struct script_shape {
    int names; // registry: an array of names and an index in one, t[i] = name, t[name] = i
    int guard; // registry: metatable that refuses names which are not there
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
    struct script_shape *shapes;
    size_t shape_count, shape_room;
};
extern const char *const script_hook_names[]; // by enum script_hook, NULL-terminated

// Adds an error of Lua: hook, message, line, and the calls that led there. Always false.
bool script_failed(const struct script *, const char *hook, const char *why, struct diags *);

// The inside of a loaded script, for the files that load it, call its hooks and read what they return.

// Calls a script's hooks: points and rows go in as Lua tables, results come out as values. Points are collected first
// and passed on after Lua has returned, because the receiver may call Lua too.

// Rows and points as Lua sees them: their names are told once.

struct shaping {
    const char *const *names;
    struct script_shape *shape;
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
    g->shape->names = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

int script_shape(struct script *s, const char *const *names, size_t count)
{
    LOCAL(str_release) struct str why = {0};
    mem_grow(&s->shapes, &s->shape_room, s->shape_count + 1, sizeof *s->shapes);
    struct script_shape *shape = &s->shapes[s->shape_count];
    *shape = (struct script_shape){LUA_NOREF, LUA_NOREF, LUA_NOREF, count};
    sandbox_call(s->box, make_shape, &(struct shaping){names, shape}, false,
        &why); // out of memory: every call with it will say so
    return (int)s->shape_count++;
}

// Pushes a row of this shape.
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

// Reads what `done` returns: lines for people, extra tables, a verdict.

enum { LINES_MOST = 10000, TABLE_COLUMNS_MOST = 256, CELLS_MOST = 10000000 };

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
static void row_columns(lua_State *L, struct script_table *t, struct arena *a)
{
    const char **columns = arena_alloc(a, TABLE_COLUMNS_MOST * sizeof *columns);
    for (size_t i = 0; i < t->row_count; i++, lua_pop(L, 1)) {
        const char **names;
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TTABLE)
            luaL_error(L, "table `%s`: row %d is not a table", t->name, (int)i + 1);
        for (size_t k = 0, n = library_sorted_keys(L, -1, a, &names); k < n; k++) {
            size_t at = 0;
            while (at < t->column_count && strcmp(columns[at], names[k]) != 0) at++;
            if (at < t->column_count) continue;
            if (at == TABLE_COLUMNS_MOST)
                luaL_error(L, "table `%s` has more than %d columns", t->name, TABLE_COLUMNS_MOST);
            columns[t->column_count++] = names[k];
        }
    }
    t->columns = columns;
}

static void read_table(lua_State *L, struct script_table *t, struct arena *a)
{
    if (!lua_istable(L, -1)) luaL_error(L, "table `%s` is a %s, not a list of rows", t->name, luaL_typename(L, -1));
    t->row_count = (size_t)lua_rawlen(L, -1);
    row_columns(L, t, a);
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
    rows_push(L, q->shape, q->values);
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
    rows_push(L, q->shape, q->values);
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

// Reads what a script says about itself: the table that it returns, key by key.

enum { COLUMNS_MOST = 256 };

static bool is_name(const char *s)
{
    if (!(*s == '_' || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))) return false;
    return s[strspn(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static void check_keys(lua_State *L, int table, const struct choice *known, const char *what)
{
    const char *names[CHOICES_MOST];
    choice_words(known, names);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (key && choice_find(known, key) >= 0) continue;
        if (!key) luaL_error(L, "%s has an element without a name; it takes names: about, params, keep ...", what);
        const char *near = str_nearest(key, names);
        if (near) luaL_error(L, "%s has an unknown key `%s`; did you mean `%s`?", what, key, near);
        luaL_error(L, "%s has an unknown key `%s`", what, key);
    }
}

// The text field `name` of the table at `index`, or NULL.
static const char *text_field(lua_State *L, int index, const char *name, struct arena *a)
{
    const char *text = NULL;
    int type = lua_getfield(L, index, name);
    if (type == LUA_TSTRING) text = sandbox_text(L, -1, a);
    else if (type != LUA_TNIL) luaL_error(L, "`%s` takes a text, not a %s", name, lua_typename(L, type));
    lua_pop(L, 1);
    return text;
}

// A parameter: {default = 20, about = "..."}, or the default alone.
static struct value read_param(lua_State *L, struct script *s, const char *name, const char **about, bool *names)
{
    struct value v;
    if (!is_name(name)) luaL_error(L, "`%s` cannot be the name of a parameter", name);
    if (lua_istable(L, -1)) {
        int table = lua_gettop(L);
        check_keys(L, table, script_param_keys, name);
        *about = text_field(L, table, "about", s->arena);
        lua_getfield(L, table, "names");
        *names = lua_toboolean(L, -1);
        lua_getfield(L, table, "default");
        lua_replace(L, table);
        lua_settop(L, table);
    }
    if (!sandbox_get(L, -1, s->arena, &v) || v.kind == VALUE_NONE)
        luaL_error(L, "parameter `%s` needs a default: a number, a text, true or false", name);
    return v;
}

static void read_params(lua_State *L, struct script *s, int table)
{
    const char **names = NULL, **about = arena_alloc(s->arena, sizeof *about);
    struct value *values = NULL;
    int type = lua_getfield(L, table, "params");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "`params` takes a table of parameters, not a %s", lua_typename(L, type));
    if (type == LUA_TTABLE) s->param_count = library_sorted_keys(L, -1, s->arena, &names);
    else names = arena_alloc(s->arena, sizeof *names);
    about = arena_alloc(s->arena, (s->param_count + 1) * sizeof *about);
    values = arena_alloc(s->arena, (s->param_count + 1) * sizeof *values);
    bool *named = arena_alloc(s->arena, s->param_count + 1);
    for (size_t i = 0; i < s->param_count; i++) {
        lua_getfield(L, -1, names[i]);
        values[i] = read_param(L, s, names[i], &about[i], &named[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    s->facts.params = names;
    s->facts.param_about = about;
    s->facts.param_values = values;
    s->facts.param_names = named;
}

// `columns`: {name = "about"} or a list of names.
static void read_columns(lua_State *L, struct script *s, int table)
{
    const char **names = NULL, **about;
    int type = lua_getfield(L, table, "columns");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "`columns` takes a table of names, not a %s", lua_typename(L, type));
    size_t listed = type == LUA_TTABLE ? (size_t)lua_rawlen(L, -1) : 0, named = 0;
    if (listed == 0 && type == LUA_TTABLE) named = library_sorted_keys(L, -1, s->arena, &names);
    if (listed + named > COLUMNS_MOST) luaL_error(L, "more than %d columns", COLUMNS_MOST);
    if (!named) names = arena_alloc(s->arena, (listed + 1) * sizeof *names);
    about = arena_alloc(s->arena, (listed + named + 1) * sizeof *about);
    for (size_t i = 0; i < listed; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING) luaL_error(L, "`columns` takes a list of names");
        names[i] = sandbox_text(L, -1, s->arena);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < named; i++) about[i] = text_field(L, lua_gettop(L), names[i], s->arena);
    lua_pop(L, 1);
    s->column_count = listed + named;
    for (size_t i = 0; i < s->column_count; i++) {
        if (!is_name(names[i])) luaL_error(L, "`%s` cannot be the name of a column", names[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0) luaL_error(L, "column `%s` is declared twice", names[i]);
    }
    s->column_texts = arena_alloc(s->arena, (s->column_count + 1) * sizeof *s->column_texts);
    lua_createtable(L, (int)s->column_count, 0);
    for (size_t i = 0; i < s->column_count; i++) {
        s->column_texts[i] = lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    s->kept = luaL_ref(L, LUA_REGISTRYINDEX);
    s->facts.columns = names;
    s->facts.column_about = about;
}

// Reads `params`, `columns`, `about` and the hooks of the table on top of the stack. Raises what is wrong with it.
static void script_declare(lua_State *L, struct script *s)
{
    int table = lua_gettop(L);
    check_keys(L, table, script_keys, "the script's table");
    s->facts.about = text_field(L, table, "about", s->arena);
    read_params(L, s, table);
    read_columns(L, s, table);
    for (int i = 0; i < SCRIPT_HOOKS; i++) {
        int type = lua_getfield(L, table, script_hook_names[i]);
        if (type == LUA_TFUNCTION) {
            lua_Debug facts;
            lua_pushvalue(L, -1);
            lua_getinfo(L, ">u", &facts);
            s->hook_takes[i] = facts.isvararg ? 3 : facts.nparams;
            s->hooks[i] = luaL_ref(L, LUA_REGISTRYINDEX);
            continue;
        }
        if (type != LUA_TNIL)
            luaL_error(L, "`%s` takes a function, not a %s", script_hook_names[i], lua_typename(L, type));
        lua_pop(L, 1);
    }
    if (script_has(s, SCRIPT_DERIVE) != (s->column_count > 0))
        luaL_error(L,
            s->column_count ? "`columns` without `derive`: nothing fills them"
                            : "`derive` without `columns`: say which columns it adds, columns = {name = \"about\"}");
}

const char *const script_hook_names[] = {"points", "keep", "derive", "refine", "done", NULL};
enum { SCRIPT_BYTES_MOST = 1 << 20, POINTS_BY_DEFAULT = 100 };

// The text of a script, and the path for messages.
static bool find_text(struct script *s, const char *path, struct diags *d)
{
    struct arena *a = s->arena;
    const char *slash = s->at.file ? strrchr(s->at.file, '/') : NULL;
    if (!strchr(path, '/')) s->shipped = arena_strdup(a, path);
    char *found = file_find("lua", path, strchr(path, '/') ? "" : ".lua");
    if (!found && slash && path[0] != '/') { // beside the experiment
        const char *beside = arena_printf(a, "%.*s/%s", (int)(slash - s->at.file), s->at.file, path);
        found = file_exists(beside) ? file_find("lua", beside, "") : NULL;
    }
    if (found) {
        s->path = arena_strdup(a, found);
        free(found);
        size_t size;
        s->text = file_read_named(s->path, "a script", ".lua", SCRIPT_BYTES_MOST, &size, d);
        if (s->text && strlen(s->text) != size)
            return diag_user(d, (struct where){.file = s->path}, NULL, "is not text");
        return s->text != NULL;
    }
    s->path = strchr(path, '/') ? arena_strdup(a, path) : arena_printf(a, "lua/%s.lua", path);
    const struct embedded *carried = embed_find(s->path);
    if (carried) s->embedded = carried->text;
    if (carried) return true;
    const char *names[64];
    size_t n = 0;
    for (const struct embedded *f = embedded_files; f->name && n < 63; f++)
        if (strncmp(f->name, "lua/", 4) == 0 && !strchr(f->name + 4, '/')) names[n++] = f->name;
    names[n] = NULL;
    const char *near = str_nearest(s->path, names);
    return diag_user(d, s->at,
        near ? arena_printf(a, "did you mean `%s`?", near)
             : "a path from here or from the file's folder, or a name that `gpuexp list` shows",
        "no such script: %s", path);
}

const char *script_path(const struct script *s) { return s->path; }
const char *script_source(const struct script *s) { return s->embedded ? s->embedded : s->text; }

// The calls of Lua's traceback, innermost first, in one line, without those of the runner itself.
static char *calls(const char *trace, struct arena *a)
{
    LOCAL(str_release) struct str line = {0};
    while (trace && (trace = strchr(trace, '\n'))) {
        trace += 1 + strspn(trace + 1, "\t ");
        size_t n = strcspn(trace, "\n");
        if (n == 0 || strncmp(trace, "[C]", 3) == 0 || strncmp(trace, "stack traceback", 15) == 0) continue;
        if (strncmp(trace, "lua/lib/", 8) == 0) continue;
        str_add(&line, line.size ? ", from " : "at ");
        str_add_bytes(&line, trace, n);
    }
    return line.text ? arena_strdup(a, line.text) : NULL;
}

// Line `n` of the script, for the caret.
static struct where line_at(const struct script *s, int n, struct arena *a)
{
    const char *p = script_source(s);
    for (int i = 1; i < n && p; i++) p = (p = strchr(p, '\n')) ? p + 1 : NULL;
    struct where at = {.file = s->path, .line = n, .column = 1, .width = 1};
    if (!p) return at;
    size_t indent = strspn(p, " \t"), length = strcspn(p, "\n");
    at.column = (int)indent + 1;
    at.width = length > indent ? (int)(length - indent) : 1;
    at.source = arena_strndup(a, p, length);
    return at;
}

// Without the line of a library: what it complains of is wrong where it is called.
static char *without_library(char *said)
{
    char *end = strncmp(said, "lua/lib/", 8) == 0 ? strstr(said, ": ") : NULL;
    return end ? end + 2 : said;
}

bool script_failed(const struct script *s, const char *hook, const char *why, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *trace = strstr(why, "\nstack traceback:"), *prefix = arena_printf(a, "%s:", s->path);
    char *said = arena_strndup(a, why, trace ? (size_t)(trace - why) : strlen(why)), *hint = calls(trace, a);
    said = without_library(said);
    if (s->shipped && hook && strncmp(said, prefix, strlen(prefix)) != 0) { // no mistake of the script itself
        diag_user(d, s->at, NULL, "%s: %s", s->shipped, said);
        return false;
    }
    struct where at = {.file = s->path};
    // The line that the message names, else that of the innermost call in this file.
    const char *place = strncmp(said, prefix, strlen(prefix)) == 0 ? said : hint ? strstr(hint, prefix) : NULL;
    if (place) {
        char *rest;
        long line = strtol(place + strlen(prefix), &rest, 10);
        if (line > 0 && *rest == ':') at = line_at(s, (int)line, a);
        if (place == said && *rest == ':') said = rest + 1 + (rest[1] == ' ');
    }
    diag_user(d, at, hint, hook ? "%s: %s" : "%s%s", hook ? hook : "", said);
    return false;
}

static int load(lua_State *L)
{
    struct script *s = lua_touserdata(L, 1);
    const char *text = script_source(s);
    library_environment(L, LIBRARY_SCRIPT, s->box->seed);
    lua_pushvalue(L, -1);
    s->environment = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, LUA_REGISTRYINDEX, "newest randomseed");
    s->randomseed = luaL_ref(L, LUA_REGISTRYINDEX);
    if (luaL_loadbufferx(L, text, strlen(text), lua_pushfstring(L, "@%s", s->path), "t") != LUA_OK) return lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->environment);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
    if (!lua_istable(L, -1)) return luaL_error(L, "a script returns a table of hooks, not a %s", luaL_typename(L, -1));
    script_declare(L, s);
    return 0;
}

static bool same_kind(struct value a, struct value b)
{
    bool number_a = a.kind == VALUE_INT || a.kind == VALUE_REAL, number_b = b.kind == VALUE_INT || b.kind == VALUE_REAL;
    return number_a == number_b && (number_a || a.kind == b.kind);
}

static bool set_param(struct script *s, const struct script_param *given, struct diags *d)
{
    static const char *const kinds[] = {"nothing", "a number", "a number", "true or false", "a text", "a list"};
    struct value *values = (struct value *)s->facts.param_values;
    for (size_t i = 0; i < s->param_count; i++) {
        if (strcmp(s->facts.params[i], given->name) != 0) continue;
        if (!same_kind(values[i], given->value))
            return diag_user(d, given->at, NULL, "`script.%s` takes %s", given->name, kinds[values[i].kind]);
        values[i] = value_copy(given->value, s->arena);
        return true;
    }
    const char *near = str_nearest(given->name, s->facts.params);
    LOCAL(str_release) struct str all = {0};
    for (size_t i = 0; i < s->param_count; i++) str_addf(&all, "%s%s", i ? ", " : "it has: ", s->facts.params[i]);
    char *hint = near ? arena_printf(s->arena, "did you mean `script.%s`?", near) : all.text;
    diag_user(d, given->at, hint, "%s has no parameter `%s`", s->path, given->name);
    return false;
}

static int keep_params(lua_State *L)
{
    struct script *s = lua_touserdata(L, 1);
    lua_createtable(L, 0, (int)s->param_count);
    for (size_t i = 0; i < s->param_count; i++) {
        sandbox_push(L, s->facts.param_values[i]);
        lua_setfield(L, -2, s->facts.params[i]);
    }
    s->params = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

struct script *script_new(struct sandbox *box, const char *path, const struct script_param *given, size_t given_count,
    struct where at, struct diags *d)
{
    struct script *s = mem_alloc(sizeof *s);
    *s = (struct script){.box = box,
        .arena = arena_new(),
        .at = at,
        .environment = LUA_NOREF,
        .randomseed = LUA_NOREF,
        .params = LUA_NOREF,
        .kept = LUA_NOREF};
    for (int i = 0; i < SCRIPT_HOOKS; i++) s->hooks[i] = LUA_NOREF;
    LOCAL(str_release) struct str why = {0};
    bool good = find_text(s, path, d);
    if (good && !sandbox_call(box, load, s, true, &why)) good = script_failed(s, NULL, why.text, d);
    if (good)
        s->is_random = strstr(script_source(s), "random") || strstr(script_source(s), "sample") ||
            strstr(script_source(s), "design");
    for (size_t i = 0; i < given_count && s->facts.params; i++) good &= set_param(s, &given[i], d);
    if (good && !sandbox_call(box, keep_params, s, false, &why)) good = script_failed(s, NULL, why.text, d);
    if (good) return s;
    script_free(s);
    return NULL;
}

void script_free(struct script *s)
{
    if (!s) return;
    lua_State *L = s->box->L;
    const int refs[] = {s->environment, s->randomseed, s->params, s->kept};
    for (int i = 0; L && i < 4; i++) luaL_unref(L, LUA_REGISTRYINDEX, refs[i]);
    for (int i = 0; L && i < SCRIPT_HOOKS; i++) luaL_unref(L, LUA_REGISTRYINDEX, s->hooks[i]);
    for (size_t i = 0; L && i < s->shape_count; i++) {
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].names);
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].guard);
        luaL_unref(L, LUA_REGISTRYINDEX, s->shapes[i].list);
    }
    free(s->shapes);
    str_release(&s->reason);
    free(s->text);
    arena_free(s->arena);
    free(s);
}

bool script_has(const struct script *s, enum script_hook hook) { return s && s->hooks[hook] != LUA_NOREF; }
const struct script_facts *script_facts(const struct script *s) { return &s->facts; }

void script_budget(const struct script *s, uint64_t *points, double *seconds)
{
    *points = POINTS_BY_DEFAULT;
    *seconds = INFINITY;
    for (size_t i = 0; i < s->param_count; i++) {
        double x;
        if (!value_number(s->facts.param_values[i], &x) || x < 0) continue;
        if (strcmp(s->facts.params[i], "budget") == 0) *points = x < 1e9 ? (uint64_t)x : 1000000000;
        if (strcmp(s->facts.params[i], "seconds") == 0) *seconds = x;
    }
}
