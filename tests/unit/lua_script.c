// lua/: a script's hooks: their arguments, their results, and the complaints when they fail.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <unistd.h>

#include "lua/script.h"
#include "plan/plan.h"
#include "unit/test.h"

static struct arena *memory;
static struct sandbox *box;
static struct diags diags;
static char path[64];

static struct script *load(const char *text, const struct script_param *given, size_t count)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    diags_clear(&diags);
    return script_new(box, path, given, count, (struct where){"x.yaml", 9, 1, 1, NULL}, &diags);
}

// The first complaint, its line in the script in front.
static const char *complaint(void)
{
    if (!diags.count) return "";
    return arena_printf(memory, "%d: %s", diags.items[0].at.line, diags.items[0].what);
}

static const char *complaint_of(const char *text)
{
    struct script *s = load(text, NULL, 0);
    CHECK(s == NULL);
    script_free(s);
    return complaint();
}

static void what_is_absent_is_off(void)
{
    struct script *s = load("return {}", NULL, 0);
    for (int i = 0; i < SCRIPT_HOOKS; i++) CHECK(!script_has(s, (enum script_hook)i));
    CHECK(!script_has(NULL, SCRIPT_KEEP));
    CHECK_INT(script_facts(s)->params[0] == NULL && script_facts(s)->columns[0] == NULL, 1);
    script_free(s);
}

static void mistakes_in_the_table_are_told(void)
{
    CHECK_TEXT(complaint_of("return 1"), "0: a script returns a table of hooks, not a number");
    CHECK_TEXT(complaint_of("return {derived = 1}"),
        "0: the script's table has an unknown key `derived`; did you mean `derive`?");
    CHECK_TEXT(complaint_of("return {keep = 1}"), "0: `keep` takes a function, not a number");
    CHECK_TEXT(complaint_of("return {derive = print}"),
        "0: `derive` without `columns`: say which columns it adds, columns = {name = \"about\"}");
    CHECK_TEXT(complaint_of("return {columns = {'a'}}"), "0: `columns` without `derive`: nothing fills them");
    CHECK_TEXT(complaint_of("return {columns = {'a', 'a'}, derive = print}"), "0: column `a` is declared twice");
    CHECK_TEXT(complaint_of("return {columns = {'a b'}, derive = print}"), "0: `a b` cannot be the name of a column");
    CHECK_TEXT(complaint_of("return {params = {x = {about = 'x'}}}"),
        "0: parameter `x` needs a default: a number, a text, true or false");
    CHECK_TEXT(complaint_of("\nreturn {,}"), "2: unexpected symbol near ','");
    CHECK_TEXT(complaint_of("\n\nlocal x = nothing"), "3: `nothing` is not defined");
    CHECK_TEXT(complaint_of("local function f()\n  error('no')\nend\nf()"), "2: no");
    CHECK(strstr(diags.items[0].hint, "in upvalue 'f'") || strstr(diags.items[0].hint, "in local 'f'"));
    CHECK(strstr(diags.items[0].hint, ":4: in main chunk"));
}

static void a_script_is_found_or_the_nearest_named(void)
{
    diags_clear(&diags);
    CHECK(!script_new(box, "no_such_script_here", NULL, 0, (struct where){"x.yaml", 9, 1, 1, NULL}, &diags));
    CHECK_TEXT(complaint(), "9: no such script: no_such_script_here");
}

static const char with_params[] =
    "return {about = 'a test', params = {budget = {default = 20, about = 'points at most'}, axis = 'n', fast = false}}";

static void parameters_have_defaults_and_are_checked(void)
{
    struct script *s = load(with_params, NULL, 0);
    uint64_t points;
    double seconds;
    CHECK_TEXT(script_facts(s)->about, "a test");
    CHECK_TEXT(script_facts(s)->params[0], "axis");
    CHECK_TEXT(script_facts(s)->params[1], "budget");
    CHECK_TEXT(script_facts(s)->param_about[1], "points at most");
    script_budget(s, &points, &seconds);
    CHECK_INT(points, 20);
    CHECK(isinf(seconds));
    script_free(s);
    s = load(with_params, &(struct script_param){"budget", value_int(40), {0}}, 1);
    script_budget(s, &points, &seconds);
    CHECK_INT(points, 40);
    script_free(s);
    const struct where there = {"x.yaml", 12, 3, 1, NULL};
    CHECK(!load(with_params, &(struct script_param){"budgt", value_int(40), there}, 1));
    CHECK(strstr(complaint(), "12: ") && strstr(complaint(), "has no parameter `budgt`"));
    CHECK_TEXT(diags.items[0].hint, "did you mean `script.budget`?");
    CHECK(!load(with_params, &(struct script_param){"budget", value_text("many"), there}, 1));
    CHECK_TEXT(complaint(), "12: `script.budget` takes a number");
    CHECK(!load(with_params, &(struct script_param){"fast", value_int(1), there}, 1));
    CHECK_TEXT(complaint(), "12: `script.fast` takes true or false");
}

static const char *const names[] = {"n", "memory"};

static bool collect(void *context, const struct value *values)
{
    struct str *s = context;
    if (s->size) str_add(s, " ");
    value_print(values[0], s);
    str_add(s, ",");
    value_print(values[1], s);
    return s->size < 1000;
}

static const char *made(const char *text)
{
    struct value three[] = {value_int(1), value_int(2), value_int(3)};
    const struct script_axis axis = {"n", three, 3};
    struct script *s = load(text, NULL, 0);
    struct str points = {0};
    const char *said = NULL;
    if (!s || !script_points(s, &axis, 1, script_shape(s, names, 2), collect, &points, &diags)) said = complaint();
    else said = arena_strdup(memory, points.text ? points.text : "none");
    script_free(s);
    str_release(&points);
    return said;
}

static void points_are_made_from_axes(void)
{
    CHECK_TEXT(made("return {points = function(axes) local t = {} for _, n in ipairs(axes.n) do t[#t + 1] = {n = n * "
                    "n} end return t end}"),
        "1, 4, 9,");
    CHECK_TEXT(made("return {points = function() return {{n = 1, memory = 'managed'}, {}} end}"), "1,managed ,");
    CHECK_TEXT(made("return {points = function() return {} end}"), "none");
    CHECK_TEXT(made("return {params = {k = 5}, points = function(axes, params) return {{n = params.k}} end}"), "5,");
    CHECK_TEXT(made("return {points = function() end}"), "0: points: returned a nil; it returns a list of points");
    CHECK_TEXT(made("return {points = function() return {n = 1} end}"),
        "0: points: returned one table with names; it returns a list of points: {{stride = 1}}");
    CHECK_TEXT(made("return {points = function() return {{n = 1}, {m = 1}} end}"),
        "0: points: point 2 sets `m`, which the experiment gives no value; name it in `with` or `sweep`");
    CHECK_TEXT(made("return {points = function() return {{n = print}} end}"),
        "0: points: point 1: a function is not a value");
    CHECK_TEXT(made("return {points = function() return {1} end}"),
        "0: points: point 1 is a number, not a table like {stride = 1}");
    CHECK_TEXT(made("return {points = function()\n  local t = nil\n  return t.x\nend}"),
        "3: points: attempt to index a nil value (local 't')");
}

static const char *kept(const char *body)
{
    struct script *s = load(arena_printf(memory, "return {keep = function(point) %s end}", body), NULL, 0);
    const struct value values[] = {value_int(4), value_text("managed")};
    bool keep = false;
    const char *reason = NULL, *said;
    if (!s || !script_keep(s, script_shape(s, names, 2), values, &keep, &reason, &diags)) said = complaint();
    else said = arena_printf(memory, "%s%s%s", keep ? "kept" : "dropped", reason ? ": " : "", reason ? reason : "");
    script_free(s);
    return said;
}

static void keep_answers_with_a_reason(void)
{
    CHECK_TEXT(kept("return point.n == 4"), "kept");
    CHECK_TEXT(kept("return point.memory ~= 'managed', 'no managed memory'"), "dropped: no managed memory");
    CHECK_TEXT(kept("return false"), "dropped");
    CHECK_TEXT(kept(""), "0: keep: returned nil; it returns true, or false and a reason");
}

static void a_row_stays_what_it_was(void)
{
    struct script *s =
        load("local first return {keep = function(point)\n"
             "if not first then first = point return true end\n"
             "local copy = {} for k, v in pairs(point) do copy[#copy + 1] = k .. '=' .. tostring(v) end\n"
             "return first.n == 4, table.concat(copy, ' ') end}",
            NULL, 0);
    struct value values[] = {value_int(4), value_text("managed")};
    bool keep;
    const char *reason;
    int shape = script_shape(s, names, 2);
    CHECK(script_keep(s, shape, values, &keep, &reason, &diags) && keep);
    values[0] = value_int(5);
    CHECK(script_keep(s, shape, values, &keep, &reason, &diags) && keep);
    CHECK_TEXT(reason, "memory=managed n=5");
    script_free(s);
    s = load("return {keep = function(point) local s = '' for k, v in pairs(point) do s = s .. k .. '=' .. v .. ' ' "
             "end return false, s end}",
        NULL, 0);
    CHECK(script_keep(s, script_shape(s, names, 2), values, &keep, &reason, &diags));
    CHECK_TEXT(reason, "memory=managed n=5 ");
    script_free(s);
}

static const char *derived(const char *body, struct value n)
{
    struct script *s =
        load(arena_printf(memory, "return {columns = {b = 'twice', a = 'text'}, derive = function(row) %s end}", body),
            NULL, 0);
    const struct value values[] = {n, value_text("managed")};
    struct value results[2];
    const char *said = NULL;
    struct str text = {0};
    bool good = s && script_derive(s, script_shape(s, names, 2), values, results, memory, &diags);
    value_print(results[0], &text);
    str_add(&text, "|");
    value_print(results[1], &text);
    said = good ? arena_strdup(memory, text.text) : complaint();
    str_release(&text);
    script_free(s);
    return said;
}

static void derive_fills_declared_columns(void)
{
    CHECK_TEXT(derived("return {a = row.memory, b = row.n * 2}", value_int(4)), "managed|8");
    CHECK_TEXT(derived("return {b = row.n / 0}", value_int(4)), "|");
    CHECK_TEXT(derived("if row.n then return {b = 1} end", (struct value){0}), "|");
    CHECK_TEXT(derived("return {c = 1}", value_int(4)), "0: derive: returned `c`, which `columns` does not declare");
    CHECK_TEXT(derived("return {b = row.m}", value_int(4)), "1: derive: there is no `m` here");
}

static void refine_sees_rows_and_adds_points(void)
{
    struct script *s =
        load("return {refine = function(rows) if #rows < 3 then return {{n = rows[#rows].n * 2}} end end}", NULL, 0);
    const struct value rows[] = {
        value_int(4), value_text("managed"), value_int(5), value_text("device"), value_int(6), value_text("device")};
    struct str points = {0};
    int shape = script_shape(s, names, 2);
    CHECK(script_refine(s, shape, rows, 2, shape, collect, &points, &diags));
    CHECK_TEXT(points.text, "10,");
    str_clear(&points);
    CHECK(script_refine(s, shape, rows, 3, shape, collect, &points, &diags));
    CHECK_INT(points.size, 0);
    str_release(&points);
    script_free(s);
}

static void done_returns_lines_tables_and_a_verdict(void)
{
    struct script *s =
        load("return {done = function(rows) return {lines = {'one', 2}, verdict = #rows == 2, reason = 'few', "
             "tables = {t = {{b = 1, a = 'x'}, {a = 'y', c = 2.5}}}} end}",
            NULL, 0);
    const struct value rows[] = {value_int(4), value_text("managed"), value_int(5), value_text("device")};
    struct script_outcome o;
    int shape = script_shape(s, names, 2);
    CHECK(script_done(s, shape, rows, 2, &o, memory, &diags));
    CHECK_TEXT(o.lines[0], "one");
    CHECK_TEXT(o.lines[1], "2");
    CHECK(o.lines[2] == NULL && o.has_verdict && o.verdict);
    CHECK_TEXT(o.reason, "few");
    CHECK_INT(o.table_count, 1);
    CHECK_INT(o.tables[0].column_count, 3);
    CHECK_INT(o.tables[0].row_count, 2);
    CHECK_TEXT(o.tables[0].columns[2], "c");
    CHECK_TEXT(o.tables[0].cells[3].text, "y");
    CHECK(o.tables[0].cells[4].kind == VALUE_NONE && o.tables[0].cells[5].r == 2.5);
    script_free(s);
    s = load("return {done = function() return {line = 1} end}", NULL, 0);
    CHECK(!script_done(s, script_shape(s, names, 2), rows, 2, &o, memory, &diags));
    CHECK_TEXT(complaint(), "0: done: returned `line`; it returns lines, tables, verdict, reason");
    CHECK(o.lines[0] == NULL);
    script_free(s);
    s = load("return {done = function() end}", NULL, 0);
    CHECK(script_done(s, script_shape(s, names, 2), rows, 0, &o, memory, &diags));
    CHECK(o.lines[0] == NULL && !o.has_verdict && o.table_count == 0);
    script_free(s);
}

static const char *planned(const char *text, const char *where)
{
    const struct value values[] = {value_int(1), value_int(2), value_int(3), value_int(4)};
    const struct axis axis = {"n", values, 4, {0}};
    const struct axes sweep = {&axis, 1};
    const struct source_expr clause = {where, {0}};
    const struct experiment e = {.name = "x",
        .sweep = &sweep,
        .sweep_count = 1,
        .names = names,
        .name_count = 2,
        .where = &clause,
        .where_count = where ? 1 : 0,
        .script = path};
    struct script *s = load(text, NULL, 0);
    struct plan *p = plan_new_scripted(&e, box, s, &diags);
    struct str points = {0};
    struct value v[2];
    for (size_t i = 0; p && i < plan_count(p); i++) plan_values(p, i, v), collect(&points, v);
    if (p) str_addf(&points, " removed %zu", plan_removed(p, NULL, NULL));
    const char *said = p ? arena_strdup(memory, points.text) : complaint();
    str_release(&points);
    plan_free(p);
    script_free(s);
    return said;
}

static void a_plan_asks_its_script(void)
{
    CHECK_TEXT(planned("return {}", NULL), "1,device 2,device 3,device 4,device removed 0");
    CHECK_TEXT(planned("return {keep = function(p) return p.n % 2 == 0, 'odd' end}", "n < 4"), "2,device removed 3");
    CHECK_TEXT(
        planned("return {points = function(axes) return {{n = #axes.n}, {n = 9, memory = 'mapped'}, {n = 4}} end}",
            NULL),
        "4,device 9,mapped removed 0");
    CHECK_TEXT(
        planned(
            "return {points = function(axes) return {{n = 1}, {n = 9}} end, keep = function(p) return p.n ~= 9 end}",
            "n > 0"),
        "1,device removed 1");
    CHECK_TEXT(planned("return {keep = function(p) return p.n > 'x' end}", NULL),
        "1: keep: attempt to compare string with number");
}

int main(void)
{
    memory = arena_new();
    box = sandbox_new(&(struct sandbox_limits){.seed = 1});
    snprintf(path, sizeof path, "/tmp/gpuexp-script.%ld.lua", (long)getpid());
    what_is_absent_is_off();
    mistakes_in_the_table_are_told();
    a_script_is_found_or_the_nearest_named();
    parameters_have_defaults_and_are_checked();
    points_are_made_from_axes();
    keep_answers_with_a_reason();
    a_row_stays_what_it_was();
    derive_fills_declared_columns();
    refine_sees_rows_and_adds_points();
    done_returns_lines_tables_and_a_verdict();
    a_plan_asks_its_script();
    unlink(path);
    diags_clear(&diags);
    sandbox_free(box);
    arena_free(memory);
    return test_end();
}
