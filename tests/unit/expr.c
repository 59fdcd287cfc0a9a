// lua/: expressions — names, values in and out, errors where they stand.
// SPDX-License-Identifier: MIT
#include "lua/sandbox.h"
#include "unit/test.h"

static struct sandbox *box;
static struct arena *memory;

static size_t size_of(const char *type) { return strcmp(type, "float4") == 0 ? 16 : 0; }

static const struct where here = {"x.yaml", 7, 8, 1, "where: stride * block <= 8192"};

// The names of an expression with commas, or the first complaint about it.
static const char *names(const char *text)
{
    static char line[400];
    struct diags d = {0};
    struct expr *e = expr_new(box, text, here, &d);
    line[0] = '\0';
    if (!e) snprintf(line, sizeof line, "%s", diags_first(&d));
    for (const char *const *n = e ? expr_names(e) : NULL; n && *n; n++) {
        if (line[0]) strcat(line, ",");
        strcat(line, *n);
    }
    expr_free(e);
    diags_clear(&d);
    return line;
}

static struct value value(const char *text, const struct value *args)
{
    struct diags d = {0};
    struct value v = {0};
    struct expr *e = expr_new(box, text, here, &d);
    if (!e || !expr_eval(e, args, memory, &v, &d)) v = value_text(arena_strdup(memory, diags_first(&d)));
    expr_free(e);
    diags_clear(&d);
    return v;
}

static void free_names_are_those_that_come_from_outside(void)
{
    CHECK_TEXT(names("stride * block <= 8192"), "stride,block");
    CHECK_TEXT(names("1 + 2"), "");
    CHECK_TEXT(names("b.c + a.b.c + b:d() .. e"), "b.c,a.b,b,e"); // `memory.in` is one name
    CHECK_TEXT(names("memory.in == 'mapped' and memory ~= memory.in"), "memory.in,memory");
    CHECK_TEXT(names("math.pi * string.len(a.in)"), "a.in");
    CHECK_TEXT(names("math.max(n, 1) + min(n, m) + sizeof(T) // cdiv(n, 2)"), "n,m,T");
    CHECK_TEXT(names("'a' == \"b\\\" c\" .. [[ d ]] .. [==[ ]] e ]==]"), "");
    CHECK_TEXT(names("x -- y and z"), "x");
    CHECK_TEXT(names("x --[[ y ]] + z"), "x,z");
    CHECK_TEXT(names("not a and b or nil == true"), "a,b");
    CHECK_TEXT(names("({k = v, [w] = 1, u}).k"), "v,w,u");
    CHECK_TEXT(names("({k == v})[1]"), "k,v");
    CHECK_TEXT(names("(function(x, y) local z = x + y; return z + w end)(1, x)"), "w,x");
    CHECK_TEXT(names("(function() for i = 1, n do for k, v in pairs(t) do return i + k + v end end end)() or i"),
        "n,t,i");
    CHECK_TEXT(names("(function(a) if a then local b = 1 return b else return b end end)(1)"), "b");
    CHECK_TEXT(names("0x1p-4 + 1e-5 + 3.e2 + .5 + n"), "n");
    CHECK_TEXT(names("a..b"), "a,b");
}

static void results_keep_their_type(void)
{
    const struct value seven = value_int(7);
    CHECK(value("n // 2", &seven).kind == VALUE_INT);
    CHECK_INT(value("n // 2", &seven).i, 3);
    CHECK(value("n / 2", &seven).kind == VALUE_REAL);
    CHECK(value("n / 2", &seven).r == 3.5);
    CHECK_INT(value("cdiv(n, 2)", &seven).i, 4);
    CHECK_INT(value("cdiv(-n, 2)", &seven).i, -3);
    CHECK_INT(value("cdiv(n, -2)", &seven).i, -3);
    CHECK_INT(value("cdiv(-n, -2)", &seven).i, 4);
    CHECK_TEXT(value("cdiv(n, 0)", &seven).text, "cdiv by zero");
    CHECK(value("n > 6", &seven).b);
    CHECK_INT(value("2^26 | 0", NULL).i, 67108864);
    CHECK(value("log2(8)", NULL).r == 3);
    CHECK_INT(value("min(3, n, 9)", &seven).i, 3);
    CHECK_INT(value("ceil(n / 2)", &seven).i, 4);
    CHECK_TEXT(value("'a' .. n", &seven).text, "a7");
    CHECK(value("nil", NULL).kind == VALUE_NONE);
}

static void numbers_have_the_units_of_values(void)
{
    const struct value seven = value_int(7);
    CHECK_INT(value("2Ki", NULL).i, 2048);
    CHECK_INT(value("2 KiB + n", &seven).i, 2055);
    CHECK_INT(value("2^6Ki // 64 Ki", NULL).i, 1);
    CHECK(value("1.5MiB", NULL).kind == VALUE_INT && value("1.5MiB", NULL).i == 3 << 19);
    CHECK(value("50ms * 2", NULL).r == 0.1);
    CHECK(value("0.5%", NULL).r == 0.005);
    CHECK(value("(n > 50%) and 25%", &seven).r == 0.25);
    CHECK_INT(value("9 % n", &seven).i, 2); // the rest of a division
    CHECK_INT(value("9%(n)", &seven).i, 2);
    CHECK_INT(value("9 % -4", NULL).i, -3);
    CHECK(value("'2Ki' == '2Ki'", NULL).b);
    CHECK_TEXT(names("1Ki * k + Ki"), "k,Ki");
    CHECK(strstr(names("2Kx"), "malformed number"));
    CHECK_TEXT(names("time_us < 50us"), "`time_us` is in microseconds, and `50us` is in seconds");
    CHECK_TEXT(names("occupancy_pct > 50%"), "`occupancy_pct` is in per cent, and `50%` is a share of 1");
    CHECK_TEXT(names("time_us < 50 and n <= 1Ki"), "time_us,n");
}

static void what_is_not_a_number_is_nothing(void)
{
    CHECK(value("0 / 0", NULL).kind == VALUE_NONE);
    CHECK(value("1 / 0", NULL).kind == VALUE_NONE);
    CHECK(value("-1 / 0 < 0", NULL).b);
}

static void texts_and_lists_go_in_and_come_out(void)
{
    struct value_list *list = arena_alloc(memory, sizeof *list + 2 * sizeof list->items[0]);
    list->count = 2;
    list->items[0] = value_int(16);
    list->items[1] = value_int(8);
    const struct value dim = {VALUE_LIST, {.list = list}}, text = value_text("managed");
    CHECK_INT(value("block[1] * block[2]", &dim).i, 128);
    CHECK(value("block == '16x8'", &dim).b); // as a plan and a report show it
    CHECK(!value("block == '8x16'", &dim).b);
    CHECK(value("block[3]", &dim).kind == VALUE_NONE && value("block[0]", &dim).kind == VALUE_NONE);
    CHECK_INT(value("tonumber(block:match('%d+'))", &dim).i, 16);
    CHECK(value("memory[1]", &text).kind == VALUE_NONE);
    CHECK(value("memory == 'managed'", &text).b);
    struct value out = value("{block[2], 1}", &dim);
    CHECK(out.kind == VALUE_LIST && out.list->count == 2 && out.list->items[0].i == 8);
    CHECK_TEXT(value("{a = 1}", NULL).text,
        "gives a table; wanted is a number, a text, true or false, or a list of those");
    CHECK_TEXT(value("math.max", NULL).text,
        "gives a function; wanted is a number, a text, true or false, or a list of those");
}

static void sizes_of_types_come_from_outside(void)
{
    const struct value type = value_text("float4"), other = value_text("quux"), number = value_int(4);
    CHECK_INT(value("sizeof(T)", &type).i, 16);
    CHECK_TEXT(value("sizeof(T)", &other).text, "sizeof: unknown type `quux`");
    CHECK_TEXT(value("sizeof(T)", &number).text, "sizeof takes the name of a type, not a number");
}

static void mistakes_are_told(void)
{
    CHECK_TEXT(names(""), "an expression is missing here");
    CHECK_TEXT(names("  "), "an expression is missing here");
    CHECK_TEXT(names("a +"), "ends too early");
    CHECK_TEXT(names("a b"), "goes on where it should end, near 'b'");
    CHECK(strstr(names("1) + (2"), "near ')'"));
    CHECK_TEXT(names("x = 1"), "`=` compares nothing");
    CHECK_TEXT(names("x != 1"), "`!` is not of Lua");
    CHECK_TEXT(names("x > 1 && y"), "`&&` is not of Lua");
    CHECK_TEXT(names("x || y"), "`||` is not of Lua");
    CHECK_TEXT(value("n + 1", &(struct value){0}).text, "`n` has no value here");
    CHECK_TEXT(value("math.nothing(1)", NULL).text, "attempt to call a nil value (field 'nothing')");
    CHECK_TEXT(value("_ENV.foo", NULL).text, "`foo` is not defined");
}

static void an_expression_changes_nothing(void)
{
    CHECK_TEXT(value("(function() math.max = nil end)()", NULL).text, "an expression may not assign to `max`");
    CHECK_TEXT(value("(function() _ENV.min = nil end)()", NULL).text, "an expression may not assign to `min`");
    CHECK_INT(value("math.max(1, 2) + min(1, 2)", NULL).i, 3);
}

static void random_depends_on_the_arguments_alone(void)
{
    const struct value one = value_int(1), two = value_int(2);
    int64_t a = value("math.random(1 << 40) + 0 * n", &one).i, b = value("math.random(1 << 40) + 0 * n", &two).i;
    CHECK(a != b);
    CHECK_INT(value("math.random(1 << 40) + 0 * n", &one).i, a);
}

static void errors_stand_where_the_expression_does(void)
{
    struct diags d = {0};
    struct expr *e = expr_new(box, "stride * block <= 8192", here, &d);
    struct where at = expr_where(e, "block");
    CHECK_INT(at.line, 7);
    CHECK_INT(at.column, 17);
    CHECK_INT(at.width, 5);
    expr_free(e);
    struct where quoted = {"x.yaml", 3, 8, 1, "where: 'block < 3'"};
    e = expr_new(box, "block < 3", quoted, &d);
    CHECK_INT(expr_where(e, "block").column, 9);
    expr_free(e);
    struct where scalar = {"x.yaml", 3, 5, 1, "    a ="};
    CHECK(!expr_new(box, "a ==\n  b +\n  + c", scalar, &d));
    CHECK_INT(d.items[0].at.line, 5);
    CHECK_TEXT(d.items[0].at.source, "      + c");
    CHECK_TEXT(d.items[0].what, "unexpected symbol near '+'");
    e = expr_new(box, "a ==\n  b", scalar, &d);
    at = expr_where(e, "b");
    CHECK_INT(at.line, 4);
    CHECK_INT(at.column, 7);
    CHECK_TEXT(at.source, "      b");
    expr_free(e);
    diags_clear(&d);
}

int main(void)
{
    box = sandbox_new(&(struct sandbox_limits){.seed = 1});
    memory = arena_new();
    sandbox_sizeof(box, size_of);
    free_names_are_those_that_come_from_outside();
    results_keep_their_type();
    numbers_have_the_units_of_values();
    what_is_not_a_number_is_nothing();
    texts_and_lists_go_in_and_come_out();
    sizes_of_types_come_from_outside();
    mistakes_are_told();
    an_expression_changes_nothing();
    random_depends_on_the_arguments_alone();
    errors_stand_where_the_expression_does();
    arena_free(memory);
    sandbox_free(box);
    return test_end();
}
