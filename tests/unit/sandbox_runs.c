// lua/sandbox.h, over the calls of a whole run: a budget for all of them, no order and no text that another process
// would not have too.
// SPDX-License-Identifier: MIT
#include "lua/script.h"

#include <stdlib.h>
#include <unistd.h>

#include "unit/test.h"

static char path[64];
static const char *const names[] = {"n"};
static const struct value values[] = {{.kind = VALUE_INT, .i = 7}};

static struct script *load(struct sandbox *box, const char *text)
{
    struct diags d = {0};
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    script_shape(s, names, 1);
    return s;
}

// What keep says, or why it failed.
static char *kept(struct script *s)
{
    struct diags d = {0};
    struct str said = {0};
    const char *reason = NULL;
    bool good = false;
    if (script_keep(s, 0, values, &good, &reason, &d)) str_add(&said, good ? "true" : reason ? reason : "false");
    else str_add(&said, diags_first(&d));
    diags_clear(&d);
    return str_take(&said);
}

static void says(const char *body, const char *what)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct str text = {0};
    str_addf(&text, "return {keep = function(point) %s end}", body);
    struct script *s = load(box, text.text);
    char *said = kept(s);
    if (!strstr(said, what)) printf("%s\n  said %s\n", body, said);
    CHECK(strstr(said, what) && !strstr(said, "0x"));
    free(said);
    script_free(s);
    sandbox_free(box);
    str_release(&text);
}

static void keys_without_an_order_are_refused(void)
{
    says("for k in pairs({[{}] = 1, [{}] = 2}) do end return true", "use numbers or texts as keys");
    says("for k in pairs({[print] = 1, [{}] = 2, a = 3}) do end return true", "use numbers or texts as keys");
    says("return next({[print] = 1, [{}] = 2}) ~= nil", "use numbers or texts as keys");
    says("local n = 0 for k in pairs({[{}] = 1, a = 2, 3}) do n = n + 1 end return false, tostring(n)", "3");
    says("return next({[{}] = 1, [{}] = 2, a = 1}) == 'a'", "true");
}

static void no_text_has_an_address(void)
{
    says("return false, {}", "table");
    says("return false, print", "function");
    says("return false, tostring({}) .. string.format('%s', print)", "tablefunction");
    says("return point[{}] == 1", "no element [table]");
    says("return false, (string.gsub('a', 'a', '%0'))", "a");
}

static char *done(const char *result)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct arena *a = arena_new();
    struct str text = {0}, said = {0};
    struct script_outcome o;
    struct diags d = {0};
    str_addf(&text, "return {done = function() return %s end, points = function() return {{[{}] = 1}} end}", result);
    struct script *s = load(box, text.text);
    if (script_done(s, 0, values, 1, &o, a, &d))
        for (size_t i = 0; o.lines[i]; i++) str_addf(&said, "%s|", o.lines[i]);
    else str_add(&said, diags_first(&d));
    diags_clear(&d);
    script_free(s);
    sandbox_free(box);
    arena_free(a);
    str_release(&text);
    return str_take(&said);
}

static void no_line_has_an_address(void)
{
    char *said = done("{lines = {{}, print, 'x'}}");
    CHECK_TEXT(said, "table|function|x|");
    free(said);
    said = done("{verdict = true, reason = {}, [{}] = 1}");
    CHECK(!strstr(said, "0x"));
    free(said);
}

// Each call is within its own budget; all of them are not.
static void all_calls_have_a_budget_together(void)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.instructions = 100000, .all = 400000});
    struct script *s = load(box, "return {keep = function() for i = 1, 30000 do end return true end}");
    int well = 0;
    for (int i = 0; i < 40; i++) {
        char *said = kept(s);
        well += strcmp(said, "true") == 0;
        if (i == 39) CHECK(strstr(said, "have used up their 400000 instructions"));
        free(said);
    }
    CHECK(well >= 3 && well <= 14);
    script_free(s);
    sandbox_free(box);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/gpuexp-sandbox-runs.%ld.lua", (long)getpid());
    keys_without_an_order_are_refused();
    no_text_has_an_address();
    no_line_has_an_address();
    all_calls_have_a_budget_together();
    unlink(path);
    return test_end();
}
