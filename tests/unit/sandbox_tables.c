// lua/: `table` does the same as Lua's, sorts stably, and pays for what a metatable makes of a table; results have a
// limit.
// SPDX-License-Identifier: MIT
#include "unit/hostile.h"

static void tables_are_luas(void)
{
    static const struct {
        const char *lua, *want;
    } cases[] = {
        {"local t = {1, 3} table.insert(t, 2, 2) table.insert(t, 4) return false, table.concat(t, ' ')", "1 2 3 4"},
        {"local t = {} table.insert(t, 1, 'x') return false, table.concat(t)", "x"},
        {"local t = {1, 2, 3} local x = table.remove(t, 1) return false, x .. table.concat(t) .. #t", "1232"},
        {"local t = {1, 2} return false, tostring(table.remove(t)) .. tostring(table.remove(t, 2)) .. #t", "2nil1"},
        {"return false, tostring(table.remove({})) .. tostring(table.remove({}, 0))", "nilnil"},
        {"local t = {1, 2} t[3] = 3 table.remove(t, 4) return false, #t", "3"},
        {"table.insert({1}, 3, 0)", "keep: bad argument #2 to 'insert' (position out of bounds)"},
        // Lua 5.4.4 says that it is argument 1, 5.4.7 that it is 2.
        {"local _, why = pcall(table.remove, {1}, 3) return false, why:match('position.*')", "position out of bounds)"},
        {"return pcall(table.insert, {1})", "wrong number of arguments to 'insert'"},
        {"return false, table.concat({1, 2.5, 'x'}, ', ')", "1, 2.5, x"},
        {"return false, table.concat({1, 2, 3}, '-', 2, 3) .. table.concat({}) .. table.concat({1}, 'x', 2)", "2-3"},
        {"return false, table.concat({[math.maxinteger] = 'x'}, '', math.maxinteger, math.maxinteger)", "x"},
        {"return pcall(table.concat, {1, {}, 3})", "invalid value (table) at index 2 in table for 'concat'"},
        {"return false, select('#', table.unpack({1, nil, 3}, 1, 3)) .. ' ' .. select('#', table.unpack({}, 2, 1))",
            "3 0"},
        {"return pcall(table.unpack, {}, 1, 1 << 24)", "too many results to unpack"},
        {"return false, table.concat(table.move({1, 2, 3}, 1, 3, 2))", "1123"},
        {"return false, table.concat(table.move({1, 2, 3}, 2, 3, 1))", "233"},
        {"return false, table.concat(table.move({1, 2}, 1, 2, 3, {8, 9}))", "8912"},
        {"local t = {3, 1, 2} table.sort(t) return false, table.concat(t)", "123"},
        {"local t = {'b', 'a', 'c'} table.sort(t, function(a, b) return a > b end) return false, table.concat(t)",
            "cba"},
        {"local t = {5} table.sort(t) table.sort({}) return false, t[1]", "5"},
        {"return pcall(table.sort, {1, 'x'})", "attempt to compare string with number"},
        {"table.sort({1, 2}, 1)", "keep: bad argument #2 to 'sort' (function expected, got number)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) CHECK_TEXT(ask(cases[i].lua), cases[i].want);
}

static void sorting_is_stable_at_any_length(void)
{
    CHECK_TEXT(ask("for n = 0, 130 do\n"
                   "  local t = {}\n"
                   "  for i = 1, n do t[i] = {key = i * 7 % 5, i = i} end\n"
                   "  table.sort(t, function(a, b) return a.key < b.key end)\n"
                   "  for i = 2, n do\n"
                   "    local a, b = t[i - 1], t[i]\n"
                   "    if a.key > b.key or (a.key == b.key and a.i > b.i) then return false, 'at ' .. n end\n"
                   "  end\n"
                   "  if #t ~= n then return false, 'length' end\n"
                   "end\n"
                   "return true"),
        "true");
    CHECK_TEXT(ask("local t = {3, 1, 2} table.sort(t, function() return true end) return #t == 3"),
        "true"); // no order: some order
}

static void each_element_is_paid_for(void)
{
    stopped("local t = {} for i = 1, 3e4 do t[i] = i end while true do table.insert(t, 1, 0) end");
    stopped("local t = {} for i = 1, 3e4 do t[i] = i end while true do table.remove(t, 1) table.insert(t, 0) end");
    stopped("local t = {} for i = 1, 3e4 do t[i] = '' end while true do table.concat(t) end");
    stopped("while true do pcall(table.unpack, {}, 1, 900000) end");
    stopped("table.move({}, 1, 1 << 40, 2)");
    stopped("local t = {} for i = 1, 3e4 do t[i] = i end while true do table.sort(t, math.ult) end");
    CHECK_TEXT(ask("local t = {} for i = 1, 1e5 do table.insert(t, i) end for i = 1, 1e5 do table.remove(t) end "
                   "return #t == 0"),
        "true"); // at the end nothing moves
}

static const char *load_error(const char *text)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.memory = 16 << 20});
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    const char *said = arena_strdup(memory, d.count ? d.items[0].what : "");
    script_free(s);
    sandbox_free(box);
    diags_clear(&d);
    return said;
}

static bool count_point(void *context, const struct value *values)
{
    (void)values;
    ++*(size_t *)context;
    return true;
}

// What `points` says when it returns `text`; "" when the points are taken.
static const char *points_error(const char *text)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.memory = 16 << 20});
    FILE *f = fopen(path, "w");
    fprintf(f, "return {points = function() %s end}", text);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    const char *name = "n";
    size_t count = 0;
    CHECK(s != NULL);
    bool good = s && script_points(s, NULL, 0, script_shape(s, &name, 1), count_point, &count, &d);
    const char *said = arena_strdup(memory, d.count ? d.items[0].what : "");
    CHECK(good == (said[0] == '\0'));
    script_free(s);
    sandbox_free(box);
    diags_clear(&d);
    return said;
}

// Lua has a text or a table once; outside, each place where it is would be a copy.
static void what_comes_out_has_a_ceiling_too(void)
{
    const char *much = "points: the result has more than the 16777216 bytes that are allowed";
    CHECK_TEXT(points_error("return {{n = 1}, {n = ('x'):rep(65536)}}"), "");
    CHECK_TEXT(points_error("return {{n = ('x'):rep(65537)}}"),
        "points: the result has a text of 65537 bytes; at most 65536 are allowed");
    CHECK_TEXT(points_error("return {{n = '1\\0002'}}"), "points: the result has a text with a zero byte");
    CHECK_TEXT(points_error("return {{n = 1}, {n = -1 / 0}}"), "points: point 2: `n` is -inf");
    CHECK_TEXT(points_error("local p, t = {n = ('x'):rep(65536)}, {} for i = 1, 300 do t[i] = p end return t"), much);
    CHECK_TEXT(points_error("local l = {} for i = 1, 65536 do l[i] = 1 end for k = 1, 3 do local m = {} for i = 1, "
                            "65536 do m[i] = l end l = m end "
                            "return {{n = l}}"),
        much);
    CHECK(strstr(
        load_error("local c = {} for i = 1, 300 do c['c' .. i] = 'about' end return {columns = c, derive = print}"),
        "more than 256 columns"));
    CHECK(strstr(load_error("local c, s = {}, ('x'):rep(60000) for i = 1, 400 do c['p' .. i] = {default = 1, about = "
                            "s} end return {params = c}"),
        "the result has more than the 16777216 bytes that are allowed"));
}

static void a_reason_and_a_message_are_cut(void)
{
    CHECK_INT(strlen(ask("return false, ('r'):rep(201)")), 200 + 4);
    CHECK_INT(strlen(ask("return false, ('r'):rep(200)")), 200);
    CHECK_INT(strlen(ask("return false, ('r'):rep(1 << 20)")), 200 + 4);
    CHECK_INT(strlen(ask("error(('x'):rep(1 << 20), 0)")), strlen("keep: ") + 1000 + 4);
    struct diags d = {0};
    struct value v;
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct expr *e = expr_new(box, "error(('x'):rep(5000), 0)", (struct where){0}, &d);
    CHECK(e && !expr_eval(e, NULL, memory, &v, &d));
    CHECK_INT(strlen(diags_first(&d)), 1000 + 4);
    expr_free(e);
    sandbox_free(box);
    diags_clear(&d);
}

// Where `keep` fails because there is too little memory: "LINE: message", " called" behind it where a traceback is
// told.
static const char *memory_error(const char *body)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.memory = 16 << 20});
    FILE *f = fopen(path, "w");
    fprintf(f, "local function grow()\n%s\nend\nreturn {keep = function() return grow() == nil end}\n", body);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    const char *name = "n", *reason;
    const struct value n = value_int(7);
    bool kept;
    CHECK(s && !script_keep(s, script_shape(s, &name, 1), &n, &kept, &reason, &d));
    const char *said = d.count ? arena_printf(memory, "%d: %s%s", d.items[0].at.line, d.items[0].what,
                                     d.items[0].hint && strstr(d.items[0].hint, "function") ? " called" : "")
                               : "";
    script_free(s);
    sandbox_free(box);
    diags_clear(&d);
    return said;
}

static void want_of_memory_has_a_line_and_a_traceback(void)
{
    const char *want = "3: keep: needs more memory than the 16777216 bytes a script may take called";
    CHECK_TEXT(memory_error("local t = {}\nwhile true do t[#t + 1] = {} end"), want);
    CHECK_TEXT(memory_error("local t = {}\nfor i = 1, 1e9 do t[i] = i end"), want);
    CHECK_TEXT(memory_error("local t = {}\nwhile true do t = {t} end"), want);
    CHECK_TEXT(ask("local s = 'x' while true do s = s .. s end"), "keep: makes a text of more than 4194304 bytes");
    CHECK_TEXT(ask("local fine = pcall(string.rep, 'x', 5000000) return not fine and #('x'):rep(4000000) > 0"), "true");
    // A script that catches the error may go on as soon as there is memory again.
    CHECK_TEXT(run("local function grow() local t = {} for i = 1, 1e9 do t[i] = i end end\n"
                   "local fine = pcall(grow) local t = {} for i = 1, 1e5 do t[i] = i end return #t == 1e5 and not fine",
                   &(struct sandbox_limits){.memory = 16 << 20}),
        "true");
    stopped("local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end");
}

int main(void)
{
    memory = arena_new();
    snprintf(path, sizeof path, "/tmp/gpuexp-tables.%ld.lua", (long)getpid());
    tables_are_luas();
    sorting_is_stable_at_any_length();
    each_element_is_paid_for();
    what_comes_out_has_a_ceiling_too();
    a_reason_and_a_message_are_cut();
    want_of_memory_has_a_line_and_a_traceback();
    unlink(path);
    arena_free(memory);
    return test_end();
}
