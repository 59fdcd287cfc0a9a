// Fuzz target: any text as a script and as an expression, in a small box: loaded, its hooks called. Nothing may crash,
// leak, hang, or fail without a complaint, and no address may be in what it says.
// SPDX-License-Identifier: MIT
#include "lua/script.h"

#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"stride", "memory", "status"};
static const struct value values[] = {{.kind = VALUE_INT, .i = 4}, {.kind = VALUE_TEXT, .text = "pool"}, {0},
    {.kind = VALUE_REAL, .r = 0.5}, {.kind = VALUE_BOOL, .b = true}, {.kind = VALUE_TEXT, .text = "ok"}};

static bool add(void *context, const struct value *point) { return (void)point, ++*(int *)context < 50; }

static void told(bool good, struct diags *d)
{
    if (good != (diags_errors(d) == 0)) abort();
    diags_clear(d);
}

static void call_hooks(struct script *s, struct arena *a)
{
    struct diags d = {0};
    struct script_outcome outcome;
    const struct script_axis axis = {"stride", values, 1};
    struct value results[64];
    const char *reason;
    bool kept;
    int count = 0, shape = script_shape(s, names, 3);
    if (script_has(s, SCRIPT_POINTS)) told(script_points(s, &axis, 1, shape, add, &count, &d), &d);
    if (script_has(s, SCRIPT_KEEP)) told(script_keep(s, shape, values, &kept, &reason, &d), &d);
    size_t columns = 0;
    while (script_facts(s)->columns[columns]) columns++;
    if (script_has(s, SCRIPT_DERIVE) && columns < 64) told(script_derive(s, shape, values, results, a, &d), &d);
    if (script_has(s, SCRIPT_REFINE)) told(script_refine(s, shape, values, 2, shape, add, &count, &d), &d);
    if (script_has(s, SCRIPT_DONE)) told(script_done(s, shape, values, 2, &outcome, a, &d), &d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sandbox_limits limits = {.seed = 1, .memory = 4 << 20, .instructions = 20000};
    struct sandbox *box = sandbox_new(&limits);
    struct arena *a = arena_new();
    struct diags d = {0};
    char path[64], *text = mem_alloc(size + 1);
    const int file = memfd_create("script", 0);
    if (size) memcpy(text, data, size);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int kept = dup(2), nothing = memfd_create("said", 0);
    dup2(nothing, 2); // what it prints
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    told(s != NULL, &d);
    if (s) call_hooks(s, a), script_free(s);
    struct expr *e = expr_new(box, text, (struct where){.file = "x", .line = 1, .column = 1}, &d);
    told(e != NULL, &d);
    size_t n = 0;
    while (e && expr_names(e)[n]) n++;
    struct value result, *args = mem_alloc((n + 1) * sizeof *args);
    if (e) told(expr_eval(e, args, a, &result, &d), &d), expr_free(e);
    dup2(kept, 2);
    close(kept);
    close(nothing);
    close(file);
    free(args);
    free(text);
    arena_free(a);
    sandbox_free(box);
    return 0;
}
