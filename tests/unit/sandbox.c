// lua/: hostile scripts. Each tries one way out of the sandbox; the budget is small, so that one that succeeds takes
// too long and fails the case.
// SPDX-License-Identifier: MIT
#include "unit/hostile.h"

static void nothing_of_the_system_is_there(void)
{
    static const char *const names[] = {"io", "os", "load", "loadstring", "loadfile", "dofile", "require", "package",
        "debug", "collectgarbage", "_G", "getfenv", "coroutine", "setmetatable", "xpcall", NULL};
    for (const char *const *n = names; *n; n++) {
        char body[80], want[80];
        snprintf(body, sizeof body, "return %s ~= nil", *n);
        snprintf(want, sizeof want, "keep: `%s` is not defined", *n);
        CHECK_TEXT(ask(body), want);
    }
    CHECK_TEXT(ask("return string.dump == nil and math.randomseed == nil and string.pack == nil"), "true");
}

static void no_binary_chunk_is_loaded(void)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    FILE *f = fopen(path, "w");
    fputs("\033LuaT", f);
    fclose(f);
    CHECK(!script_new(box, path, NULL, 0, (struct where){0}, &d));
    CHECK(strstr(diags_first(&d), "attempt to load a binary chunk"));
    diags_clear(&d);
    CHECK(!expr_new(box, "\033LuaT", (struct where){0}, &d));
    diags_clear(&d);
    sandbox_free(box);
}

static void an_endless_loop_is_ended(void)
{
    stopped("while true do end");
    stopped("return body(point)"); // a tail call
    stopped("for i = 1, math.huge do end");
    stopped("goto top ::top:: goto top");
}

static void pcall_cannot_swallow_the_end(void)
{
    stopped("while true do pcall(function() while true do end end) end");
    stopped("local function again() pcall(again) while true do end end again()");
    stopped("pcall(function() while true do end end) return true");
    stopped("return select(2, pcall(pcall, pcall, function() while true do end end)) ~= nil");
    stopped("while true do pcall(error) end");
}

static void work_inside_c_is_paid_for(void)
{
    stopped("while true do string.rep('x', 1 << 20) end");
    stopped("string.rep('', 1 << 62) pcall(string.rep, 'x', 1 << 62) while true do end");
    stopped("local s = string.rep('a', 1 << 20) while true do local t = s .. 'b' end");
    stopped("local s = ('a'):rep(100) while true do s:find(('a*'):rep(15) .. 'b') end");
    stopped("return ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40)) ~= nil and ('a'):rep(60):match(('a-'):rep(30) "
            ".. 'b') == nil");
    stopped("local s = ('a'):rep(1 << 18) return s:find(('a'):rep(100) .. '.*b') == nil and s:find('.-.-b') == nil");
    stopped("local s = ('x'):rep(1 << 18) while true do s:gsub('y', 'z') end");
    stopped("for k in (('x '):rep(1 << 20)):gmatch('%w+') do end");
    stopped("local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t) end");
    stopped("local s, t = ('x'):rep(1 << 20), {} for i = 1, 1e4 do t[i] = s end while true do table.sort(t) end");
    stopped("local t = {} for i = 1, 62 do t[1 << i] = 1 end t[1] = 1 t[3] = 1 while true do pcall(table.sort, t) "
            "pcall(table.concat, t) end");
    stopped("table.move({}, 1, 1 << 62, 2)");
    stopped("local t = {} for i = 1, 1e4 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end");
    stopped("while true do pcall(table.unpack, {}, 1, 1e5) end");
    stopped("local s = ('x'):rep(1 << 20) while true do s:reverse() s:upper() utf8.len(s) end");
    stopped("local t = {} for i = 1, 1e5 do t[i] = 'x' end while true do table.concat(t) end");
    stopped("local t = {} for i = 1, 1e4 do t['k' .. i] = i end while true do for k in pairs(t) do break end end");
    stopped("local t = {} for i = 1, 1e4 do t[i] = i end for i = 1, 1e4 do t[i] = nil end while true do next(t) end");
    stopped("while true do string.format('%s', ('x'):rep(1 << 20)) end");
}

static void memory_has_a_ceiling(void)
{
    const struct sandbox_limits small = {.memory = 8 << 20};
    CHECK(strstr(run("local t = {} for i = 1, 1e9 do t[i] = i end", &small),
        "needs more memory than the 8388608 bytes"));
    CHECK(strstr(run("local t = {} while true do t = {t} end", &small), "needs more memory"));
    CHECK(strstr(run("return #string.rep('x', 1 << 25) > 0", &small), "needs more memory"));
    CHECK(strstr(run("local s = 'x' while true do s = s .. s end", &small), "makes a text of more than 4194304 bytes"));
    CHECK_TEXT(run("return not pcall(string.rep, 'x', 1 << 25)", &small), "true");
    CHECK(strstr(ask("local function f() return 1 + f() end return f() > 0"), "stack overflow"));
}

// Gives more and more memory until it is enough: at every step before there must be a complaint and nothing else.
static void running_out_of_memory_is_said_wherever_it_happens(void)
{
    bool done = false;
    size_t steps = 0;
    for (size_t room = 1000; !done && room < 2000000; room += 997, steps++) {
        const char *said = run("local t = {} for k, v in pairs({a = 1, b = 2, 3}) do t[#t + 1] = k .. v end "
                               "return #(table.concat(t):gsub('%d', '%0%0')) > 3",
            &(struct sandbox_limits){.memory = room});
        done = strcmp(said, "true") == 0;
        if (!done && !strstr(said, "needs more memory")) printf("%zu bytes: %s\n", room, said);
        CHECK(done || strstr(said, "needs more memory"));
    }
    CHECK(done && steps > 20);
}

static void deep_nesting_is_refused(void)
{
    struct str deep = {0};
    str_add(&deep, "return ");
    for (int i = 0; i < 100000; i++) str_add(&deep, "(");
    CHECK(strstr(ask(deep.text), "overflow"));
    str_clear(&deep);
    str_add(&deep, "return ");
    for (int i = 0; i < 100000; i++) str_add(&deep, "{");
    CHECK(strstr(ask(deep.text), "overflow"));
    CHECK(strstr(ask("return ('x'):rep(1000):find(('(x'):rep(1000)) == nil"), "too many captures"));
    CHECK(strstr(ask("return ('x'):rep(1000):match(('x?'):rep(1000)) ~= nil"), "pattern too complex"));
    str_release(&deep);
}

static void scripts_do_not_see_each_other(void)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    FILE *f = fopen(path, "w");
    fputs("leaked = 1 string.leak = 2 math.max = nil table.leak = 3 ranges.leak = 4\n"
          "return {keep = function() return pcall(function() ('').upper = nil end) end}",
        f);
    fclose(f);
    struct script *first = script_new(box, path, NULL, 0, (struct where){0}, &d);
    CHECK(first != NULL);
    const char *name = "n";
    const struct value n = value_int(1);
    bool kept = true;
    const char *reason;
    CHECK(first && script_keep(first, script_shape(first, &name, 1), &n, &kept, &reason, &d));
    CHECK(!kept);
    f = fopen(path, "w");
    fputs("return {keep = function() return not pcall(function() return leaked end) and string.leak == nil and "
          "math.max(1, 2) == 2 "
          "and table.leak == nil and ranges.leak == nil and ('x'):upper() == 'X' end}",
        f);
    fclose(f);
    struct script *second = script_new(box, path, NULL, 0, (struct where){0}, &d);
    CHECK(second && script_keep(second, script_shape(second, &name, 1), &n, &kept, &reason, &d) && kept);
    struct expr *e = expr_new(box, "math.max(1, n)", (struct where){0}, &d);
    struct value v;
    CHECK(e && expr_eval(e, &n, memory, &v, &d) && v.i == 1);
    expr_free(e);
    diags_print(&d, stdout);
    script_free(first);
    script_free(second);
    sandbox_free(box);
    diags_clear(&d);
}

static void an_undefined_name_is_an_error(void)
{
    CHECK_TEXT(ask("return strid == nil"), "keep: `strid` is not defined");
    CHECK_TEXT(ask("return point.m == nil"), "keep: there is no `m` here");
    CHECK_TEXT(ask("return point[1] == nil"), "keep: a point or row has names; it has no element [1]");
    CHECK_TEXT(ask("return point.n == 7"), "true");
}

static void random_numbers_and_the_order_of_keys_repeat(void)
{
    const char *body = "local t = {} for i = 1, 50 do t['k' .. math.random(1000)] = i end local s = '' for k, v in "
                       "pairs(t) do s = s .. k .. v end "
                       "return false, s";
    const char *first = ask(body);
    for (int i = 0; i < 5; i++) CHECK_TEXT(ask(body), first);
    CHECK(strcmp(run(body, &(struct sandbox_limits){.seed = 2}), first) != 0);
    CHECK(strlen(first) > 200);
    CHECK_TEXT(ask("local s = '' for k in pairs({b = 1, a = 1, [2] = 1, [1] = 1, [1.5] = 1, [true] = 1}) do s = s .. "
                   "tostring(k) .. ' ' end return false, s"),
        "1 1.5 2 a b true ");
    CHECK_TEXT(ask("local t = {a = 1, b = 2, c = 3} local s = '' for k in pairs(t) do t.b = nil s = s .. k end return "
                   "false, s"),
        "ac");
    CHECK_TEXT(ask("return next({}) == nil and next({b = 1, a = 2}) == 'a'"), "true");
}

// An address would differ in every process.
static void nothing_is_named_by_its_address(void)
{
    CHECK_TEXT(ask("return false, tostring({}) .. tostring(print) .. "
                   "tostring(nil) .. tostring(1.5)"),
        "tablefunctionnil1.5");
    CHECK_TEXT(ask("return false, ('%s %5.1f %% %d %q'):format({}, 2.5, 3, 'x')"), "table   2.5 % 3 \"x\"");
    CHECK_TEXT(ask("return false, ('%-6s|%s'):format({}, print)"), "table |function");
    CHECK_TEXT(ask("return false, ('100%%p'):format()"), "100%p");
    CHECK_TEXT(ask("return ('\\0%%%-20p'):format({}) ~= nil"), "keep: %p is an address, which differs in every run");
    CHECK_TEXT(ask("return tostring() == nil"), "keep: bad argument #1 to 'tostring' (value expected)");
}

static void what_a_script_says_does_not_steer_a_terminal(void)
{
    CHECK_TEXT(ask("error('\\27[2J\\127\\u{9b}x \\u{e9}\\u{a0}\\tline\\nnext', 0)"),
        "keep: ?[2J???x \u00e9\u00a0\tline\nnext");
    CHECK_TEXT(ask("return false, 'a\\nb\\27]0;c\\7'"), "a b?]0;c?");
}

static void patterns_are_luas(void)
{
    static const struct {
        const char *lua, *want;
    } cases[] = {
        {"('hello world'):find('o w')", "5 7"},
        {"('hello'):find('l', 1, true)", "3 3"},
        {"('a.b'):find('.', 1, true)", "2 2"},
        {"('hello'):find('')", "1 0"},
        {"('hello'):find('', 10)", "nil"},
        {"('hello'):match('^(h)(.-)(o)$')", "h ell o"},
        {"('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key value"},
        {"('2024-01-02'):match('(%d+)-(%d+)-(%d+)')", "2024 01 02"},
        {"('  trim  '):match('^%s*(.-)%s*$')", "trim"},
        {"('f(a(b)c)d'):match('%b()')", "(a(b)c)"},
        {"('THE (quick) fox'):find('%((%a+)%)')", "5 11 quick"},
        {"('THE (quick) fox'):gsub('%f[%a]%a+', 'x')", "x (x) x 3"},
        {"('hello'):match('()ll()')", "3 5"},
        {"('abab'):match('(ab)%1')", "ab"},
        {"('x]y'):match('[]]')", "]"},
        {"('a-b'):match('[a%-]+')", "a-"},
        {"('abc'):match('[^a]+')", "bc"},
        {"('x5'):match('[%a_][%w_]*')", "x5"},
        {"('abc'):gsub('%w', '%0%0')", "aabbcc 3"},
        {"('abc'):gsub('', '-')", "-a-b-c- 4"},
        {"('hello world'):gsub('o', '0', 1)", "hell0 world 1"},
        {"('abc'):gsub('%w', {a = '1', b = true and 'B'})", "1Bc 3"},
        {"('abc'):gsub('(a)(b)', function(x, y) return y .. x end)", "bac 1"},
        {"('abc'):gsub('b', '%%')", "a%c 1"},
        {"('abc'):gsub('^a', 'x')", "xbc 1"},
        {"('aaa'):gsub('^a', 'x')", "xaa 1"},
        {"('aXb'):match('%u')", "X"},
        {"('1.5e3'):match('^[+-]?%d+%.?%d*')", "1.5"},
        {"('aab'):match('a?b')", "ab"},
        {"('aaab'):match('a-b')", "aaab"},
        {"('abc'):match('$')", ""},
        {"('a$c'):match('$c')", "$c"},
        {"('abc'):find('b', -2)", "2 2"},
        {"(function() local s = '' for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do s = s .. k .. v end return s "
         "end)()",
            "a1b2"},
        {"(function() local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n end)()", "4"},
        {"select(2, pcall(string.find, 'a', '['))", "malformed pattern (missing ']')"},
        {"select(2, pcall(string.find, 'a', '%'))", "malformed pattern (ends with '%')"},
        {"select(2, pcall(string.find, 'a', '(a'))", "unfinished capture"},
        {"select(2, pcall(string.find, 'a', 'a)'))", "invalid pattern capture"},
        {"select(2, pcall(string.find, 'a', '%1'))", "invalid capture index %1"},
        {"select(2, pcall(string.find, 'a', '%bx'))", "malformed pattern (missing arguments to '%b')"},
        {"select(2, pcall(string.find, 'a', '%f'))", "missing '[' after '%f' in pattern"},
        {"select(2, pcall(string.find, 'a', '[a-%'))", "malformed pattern (missing ']')"},
        {"select(2, pcall(string.gsub, 'a', 'a', '%2'))", "invalid capture index %2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *body = arena_printf(memory,
            "local t = table.pack(%s) for i = 1, t.n do t[i] = tostring(t[i]) end "
            "return false, table.concat(t, ' ')",
            cases[i].lua);
        const char *want = cases[i].want;
        const char *got = ask(body);
        if (strcmp(got, want[0] ? want : "") != 0) printf("%s\n", cases[i].lua);
        CHECK_TEXT(got, want);
    }
}

static void the_box_works_again_after_a_failure(void)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.instructions = 100000});
    struct expr *endless = expr_new(box, "(function() while true do end end)()", (struct where){0}, &d);
    struct expr *good = expr_new(box, "1 + 1", (struct where){0}, &d);
    struct value v;
    for (int i = 0; i < 3; i++) {
        CHECK(!expr_eval(endless, NULL, memory, &v, &d));
        CHECK_TEXT(diags_first(&d), "ran past its budget of 100000 instructions or 1 s of processor time");
        CHECK(expr_eval(good, NULL, memory, &v, &d) && v.i == 2);
    }
    for (int i = 0; i < 100000; i++) CHECK(expr_eval(good, NULL, memory, &v, &d)); // the budget is for each call
    expr_free(endless);
    expr_free(good);
    sandbox_free(box);
    diags_clear(&d);
}

int main(void)
{
    memory = arena_new();
    snprintf(path, sizeof path, "/tmp/gpuexp-sandbox.%ld.lua", (long)getpid());
    nothing_of_the_system_is_there();
    no_binary_chunk_is_loaded();
    an_endless_loop_is_ended();
    pcall_cannot_swallow_the_end();
    work_inside_c_is_paid_for();
    memory_has_a_ceiling();
    running_out_of_memory_is_said_wherever_it_happens();
    deep_nesting_is_refused();
    scripts_do_not_see_each_other();
    an_undefined_name_is_an_error();
    random_numbers_and_the_order_of_keys_repeat();
    nothing_is_named_by_its_address();
    what_a_script_says_does_not_steer_a_terminal();
    patterns_are_luas();
    the_box_works_again_after_a_failure();
    unlink(path);
    arena_free(memory);
    return test_end();
}
