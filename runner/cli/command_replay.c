// `gpuexp replay REPORT.csv`: what its run file says is run again as it was, into a report beside it, and the two are
// compared. The run file has the texts of experiment, kernel and script: what has become of the files does not matter.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/load.h"

#include "base/arena.h"
#include "base/file.h"
#include "store/report.h"
#include "store/runfile.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    const char *report, *facts;
    struct arena *arena;
    struct options again; // the command line that would do it
    const char *written;  // what that writes
};

static const char *fact(const struct replay *r, const char *name)
{
    char *value = runfile_get(r->facts, name, 0);
    const char *kept = value ? arena_strdup(r->arena, value) : NULL;
    free(value);
    return kept;
}

static bool cannot(const struct replay *r, struct diags *d, const char *hint, const char *what)
{
    return diag_user(d, (struct where){.file = r->report}, hint, "cannot be run again: %s", what);
}

// The text that was read from `path` then is what is read now.
static bool stand_in(const struct replay *r, const char *path, const char *name)
{
    char *text = runfile_text(r->facts, name);
    if (!text || !path) return free(text), false;
    file_stand_in(path, arena_strdup(r->arena, text));
    free(text);
    return true;
}

static void add_override(struct replay *r, const char *text)
{
    struct options *o = &r->again;
    mem_grow(&o->overrides, &o->override_room, o->override_count + 1, sizeof *o->overrides);
    o->overrides[o->override_count++] = (struct override){text};
}

static bool take_overrides(struct replay *r, struct diags *d)
{
    const char *joined = fact(r, "overrides"), *one;
    r->again.overrides = NULL;
    r->again.override_count = r->again.override_room = 0;
    for (int i = 0; (one = fact(r, arena_printf(r->arena, "override_%d", i))); i++) add_override(r, one);
    if (!joined || !*joined) return true;
    if (strchr(joined, ' '))
        return cannot(r, d, "run the experiment with them yourself, and `gpuexp compare`",
            arena_printf(r->arena, "its overrides were written as one text: %s", joined));
    add_override(r, joined);
    return true;
}

// Where nothing said which device, it was the best that was there: it is named now.
static bool take_device(struct replay *r, struct diags *d)
{
    const char *device = fact(r, "device_0");
    struct loaded all;
    bool said = false;
    const bool good = load_files(&r->again, &all, d) && all.count == 1;
    for (size_t n = 0; good && n < all.items[0]->name_count; n++)
        said = said || strcmp(all.items[0]->names[n], "device") == 0;
    if (good && !said && device && !fact(r, "device_1"))
        add_override(r, arena_printf(r->arena, "device=%.*s", (int)strcspn(device, ","), device));
    if (!good && !diags_errors(d)) cannot(r, d, NULL, "its experiment is not in the text that was kept");
    load_release(&all);
    return good;
}

// The texts of one kernel, or of each where they are an axis. False: none was kept.
static bool take_kernels(struct replay *r)
{
    const char *path;
    if (stand_in(r, fact(r, "kernel_file"), "kernel_text")) return true;
    for (int i = 0; (path = fact(r, arena_printf(r->arena, "kernel_file_%d", i))); i++)
        if (!stand_in(r, path, arena_printf(r->arena, "kernel_text_%d", i))) return false;
    return fact(r, "kernel_file_0");
}

static bool take_all(struct replay *r, struct diags *d)
{
    struct options *o = &r->again;
    const char *file = fact(r, "file"), *script = fact(r, "script_file"), *n;
    if (!stand_in(r, file, "text")) return cannot(r, d, NULL, "its run file has no text of the experiment");
    if (!take_kernels(r) && !fact(r, "kernel_hash")) return cannot(r, d, NULL, "its run file does not name a kernel");
    if (script && !stand_in(r, script, "script_text")) return cannot(r, d, NULL, "the text of its script is missing");
    o->operands = arena_copy(r->arena, &file, sizeof file);
    o->operand_count = 1;
    o->only = fact(r, "experiment");
    if ((n = fact(r, "seed"))) o->number[OPTION_SEED] = strtoull(n, NULL, 10);
    if ((n = fact(r, "shard"))) o->number[OPTION_SHARD] = strtoull(n, NULL, 10);
    if ((n = fact(r, "shards"))) o->parts = strtoull(n, NULL, 10);
    return take_overrides(r, d) && take_device(r, d);
}

// A replay that was stopped goes on; one that came to its end is kept, and the next begins anew.
static void take_output(struct replay *r)
{
    struct options *o = &r->again;
    char *beside = report_beside(r->report, ".replay.csv");
    if (!options_given(o, OPTION_OUTPUT)) o->value[OPTION_OUTPUT] = arena_strdup(r->arena, beside);
    r->written = o->value[OPTION_OUTPUT];
    if (o->parts > 1) { // a shard's file has its number in its name
        char *part = report_beside(r->written, "");
        r->written = arena_printf(r->arena, "%s.%llu-of-%llu.csv", part, (unsigned long long)o->number[OPTION_SHARD],
            (unsigned long long)o->parts);
        free(part);
    }
    char *facts = runfile_read(r->written), *end = facts ? runfile_get(facts, "end", -1) : NULL;
    if (end && strcmp(end, "complete") == 0) o->value[OPTION_FRESH] = "";
    free(end);
    free(facts);
    free(beside);
}

// Kernels of before their text was kept are read as they are now: they must be the same.
static bool same_kernel(const struct replay *r, struct diags *d)
{
    char *facts = runfile_read(r->written);
    char *now = facts ? runfile_get(facts, "kernel_hash", 0) : NULL,
         *plan = facts ? runfile_get(facts, "plan", 0) : NULL;
    const char *then = fact(r, "kernel_hash"), *points = fact(r, "plan");
    const bool kernel = !now || !then || strcmp(now, then) == 0, same = !plan || !points || strcmp(plan, points) == 0;
    free(now);
    free(plan);
    free(facts);
    if (!kernel) return cannot(r, d, NULL, "its kernel is another now, and its text was not kept then");
    return same || cannot(r, d, NULL, "the same file makes other points now");
}

int command_replay(const struct options *o, struct diags *d)
{
    char *facts = runfile_read(o->operands[0]);
    struct replay r = {.report = o->operands[0], .facts = facts, .arena = arena_new(), .again = *o};
    int status = 0;
    if (!file_exists(r.report)) diag_user(d, (struct where){.file = r.report}, NULL, "no such report");
    else if (!facts) cannot(&r, d, NULL, "it has no run file beside it, which says what it was measured with");
    else if (take_all(&r, d)) {
        take_output(&r);
        status = command_run(&r.again, d);
        if (status <= 1 && !diags_errors(d) && same_kernel(&r, d)) {
            const char *const both[] = {r.report, r.written};
            struct options pair = *o;
            pair.operands = (const char **)both;
            pair.operand_count = 2;
            const int differ = command_compare(&pair, d);
            if (differ > status) status = differ;
        }
    }
    free(r.again.overrides);
    arena_free(r.arena);
    free(facts);
    return status;
}
