// Makes one experiment of two reports: the newer one's, with both texts of the kernel as its axis `kernel`.
// SPDX-License-Identifier: MIT
#include "study/remeasure.h"

#include "base/arena.h"
#include "base/beside.h"
#include "base/file.h"
#include "plan/load.h"
#include "spec/contract.h"
#include "store/report.h"
#include "store/runfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *key_of(const struct remeasured *r, const struct pairs_side *side, const struct cells *cells)
{
    const char **of = arena_alloc(r->arena, (side->name_count + 1) * sizeof *of);
    struct value *values = arena_alloc(r->arena, (side->name_count + 1) * sizeof *values);
    struct str key = {0};
    for (size_t i = 0; i < side->name_count; i++) {
        of[i] = side->t.columns[side->names[i]];
        values[i] = table_value(cells_text(cells, side->names[i]));
    }
    judging_key(r->names, of, values, side->name_count, &key);
    const char *kept = arena_strdup(r->arena, key.text ? key.text : "");
    str_release(&key);
    return kept;
}

void remeasure_begin(struct remeasured *r, const struct pairs *all, double threshold)
{
    const struct pairs_side *side = &all->new;
    size_t count = 0;
    *r = (struct remeasured){.arena = arena_new(), .judging = {.threshold = threshold}};
    r->names = arena_alloc(r->arena, (side->name_count + 1) * sizeof *r->names);
    for (size_t i = 0; i < side->name_count; i++) {
        const char *name = side->t.columns[side->names[i]];
        if (strcmp(name, "kernel") != 0 && strcmp(name, "device") != 0)
            r->names[count++] = arena_strdup(r->arena, name);
    }
}

void remeasure_add(struct remeasured *r, const struct pairs_side *side, const struct cells *cells)
{
    mem_grow(&r->points, &r->room, r->point_count + 2, sizeof *r->points);
    r->points[r->point_count++] = key_of(r, side, cells);
    r->points[r->point_count] = NULL;
}

static bool cannot(const char *report, struct diags *d, const char *hint, const char *what)
{
    return diag_user(d, (struct where){.file = report}, hint, "its points cannot be measured again: %s", what);
}

static const char *fact(const struct remeasured *r, const char *facts, const char *name)
{
    char *value = facts ? runfile_get(facts, name, 0) : NULL;
    const char *kept = value ? arena_strdup(r->arena, value) : NULL;
    free(value);
    return kept;
}

static const char *text_of(const struct remeasured *r, const char *facts, const char *name)
{
    char *text = facts ? runfile_text(facts, name) : NULL;
    const char *kept = text ? arena_strdup(r->arena, text) : NULL;
    free(text);
    return kept;
}

// Both kernels have the place of the one that was measured (files beside it are read from there), by two paths to it.
static const char *beside(const struct remeasured *r, const char *path, const char *way)
{
    char folder[4096] = "";
    if (*path != '/' && !getcwd(folder, sizeof folder)) return NULL;
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash + 1 - path) : 0;
    return arena_printf(r->arena, "%s%s%.*s%s%s", folder, *folder ? "/" : "", n, path, way, path + n);
}

static bool one_promise(const char *old, const char *new, struct diags *d)
{
    struct kernel *a = kernel_load(old, d), *b = kernel_load(new, d);
    const bool good = a && b && contract_same(a, b, d);
    if (a) kernel_free(a);
    if (b) kernel_free(b);
    return good;
}

static void add_override(struct remeasured *r, struct request *q, const char *text)
{
    mem_grow(&q->overrides, &q->override_room, q->override_count + 1, sizeof *q->overrides);
    q->overrides[q->override_count++] = (struct override){arena_strdup(r->arena, text)};
}

// The newer report's experiment, its overrides, and both kernels.
static bool stand_in(struct remeasured *r, const char *old_report, const char *new_report, struct request *again,
    struct diags *d)
{
    const char *one;
    char *old = runfile_read(old_report), *new = runfile_read(new_report);
    const char *was = text_of(r, old, "kernel_text"), *is = text_of(r, new, "kernel_text"),
               *path = fact(r, new, "kernel_file"), *file = fact(r, new, "file"), *text = text_of(r, new, "text"),
               *script = fact(r, new, "script_file"), *script_text = text_of(r, new, "script_text"),
               *device = fact(r, new, "device_0"), *seed = fact(r, new, "seed");
    static const char judge[] = "with both kernels at hand: `gpuexp judge`";
    bool good = false;
    if (!old || !was) cannot(old_report, d, judge, "the file beside it has no text of one kernel");
    else if (!new || !is || !path || !file || !text)
        cannot(new_report, d, judge, "the file beside it has not all texts");
    else if (script && !script_text) cannot(new_report, d, judge, "the text of its script was not kept");
    else if (strcmp(was, is) == 0)
        cannot(new_report, d, "`gpuexp replay` measures one of them again, and compares",
            "both are of one text of the kernel, and what else differed then cannot be had again");
    else good = true;
    const char *first = good ? beside(r, path, "./") : NULL, *second = good ? beside(r, path, "././") : NULL;
    if (good && first && second) {
        file_stand_in(file, text);
        file_stand_in(first, was);
        file_stand_in(second, is);
        if (script) file_stand_in(script, script_text);
        again->only = fact(r, new, "experiment");
        again->files = arena_copy(r->arena, &file, sizeof file);
        again->count = 1;
        if (seed) again->seed = strtoull(seed, NULL, 10);
        if (device) add_override(r, again, arena_printf(r->arena, "device=%.*s", (int)strcspn(device, ","), device));
        for (int i = 0; (one = fact(r, new, arena_printf(r->arena, "override_%d", i))); i++)
            add_override(r, again, one);
        add_override(r, again, arena_printf(r->arena, "kernel=[\"%s\", \"%s\"]", first, second));
        add_override(r, again, arena_printf(r->arena, "measure.contexts=%d", JUDGING_CONTEXTS));
        good = one_promise(first, second, d);
    }
    free(old);
    free(new);
    return good;
}

bool remeasure(struct remeasured *r, const char *old, const char *new, const struct request *of,
    const struct run_observer *told, struct diags *d)
{
    struct request again = *of;
    struct loaded all = {0};
    struct plan *plan = NULL;
    bool done = false;
    again.overrides = NULL;
    again.override_count = again.override_room = 0;
    r->judging.names = r->names;
    r->judging.points = r->points;
    char *report = beside_with(new, ".remeasured.csv");
    r->judging.report = arena_strdup(r->arena, report);
    free(report);
    if (stand_in(r, old, new, &again, d) && load_files(&again, &all, d) && all.count == 1) plan = load_plan(&all, 0, d);
    if (plan) {
        r->stopped = judging_measure(&r->judging, &again, plan, told, r->arena, d) == 75;
        r->judging.base = arena_strdup(r->arena, r->judging.base ? r->judging.base : "");
        done = !diags_errors(d);
    }
    if (plan) plan_free(plan);
    load_release(&all);
    free(again.overrides);
    return done;
}

bool remeasure_find(const struct remeasured *r, const struct pairs_side *side, const struct cells *cells,
    struct judging_verdict *v)
{
    const char *key = key_of(r, side, cells);
    for (size_t i = 0; i < r->judging.count; i++) {
        const struct judged *x = &r->judging.items[i];
        if (strcmp(x->kernel, r->judging.base) == 0 || strcmp(x->point, key) != 0) continue;
        *v = judging_verdict(&r->judging, x);
        return v->base != NULL; // or it stopped in between
    }
    return false;
}

void remeasure_end(struct remeasured *r)
{
    judging_release(&r->judging);
    free(r->points);
    if (r->arena) arena_free(r->arena);
    *r = (struct remeasured){0};
}
