// `gpuexp plan FILE...`: every point that would be run with the memory it takes, and every removed one with the clause
// that removed it. Points are printed as they are decoded, so that a plan of millions starts at once and pipes into
// `head`.
// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cluster/submit.h"
#include "plan/load.h"
#include "cli/term.h"
#include "study/pacing.h"
#include "study/trying.h"
#include "device/profiles.h"
#include <math.h>
#include "lua/script.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_WIDTH = 7, MEMORY_WIDTH = 10 };

struct plan_table {
    struct json *json; // NULL: as text
    const struct plan *plan;
    const struct experiment *experiment;
    size_t columns; // those that vary
    size_t *name;   // of each column: which name of the plan
    int *width;
    struct value *values;
    struct str cell, line;
    uint64_t bytes; // of the point before, and how they are printed
    struct str memory;
};

static int cell_width(struct plan_table *t, struct value v)
{
    str_clear(&t->cell);
    value_print(v, &t->cell);
    return text_width(t->cell.text ? t->cell.text : "");
}

// A column is as wide as the widest value that its axis or an included point gives it.
static int column_width(struct plan_table *t, const char *name)
{
    const struct experiment *e = t->experiment;
    int widest = text_width(name), w;
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t j = 0; j < e->sweep[i].count; j++) {
            const struct axis *x = &e->sweep[i].items[j];
            for (size_t k = 0; strcmp(x->name, name) == 0 && k < x->count; k++)
                if ((w = cell_width(t, x->values[k])) > widest) widest = w;
        }
    for (size_t i = 0; i < e->include_count; i++)
        for (size_t k = 0; k < e->include[i].count; k++)
            if (strcmp(e->include[i].items[k].name, name) == 0 &&
                (w = cell_width(t, e->include[i].items[k].value)) > widest)
                widest = w;
    return widest;
}

// A script may give points any values: only the points themselves show which values vary, and how wide they are.
static bool made_by_script(const struct plan *p) { return script_has(plan_script(p), SCRIPT_POINTS); }

static bool differs(const struct plan *p, size_t name)
{
    struct value *first = mem_alloc((plan_name_count(p) + 1) * sizeof *first),
                 *other = mem_alloc((plan_name_count(p) + 1) * sizeof *other);
    bool found = false;
    for (size_t i = 0; i < plan_count(p) && !found; i++) {
        plan_values(p, i, i ? other : first);
        found = i && !value_equal(first[name], other[name]);
    }
    free(first);
    free(other);
    return found;
}

static void widen(struct plan_table *t, const struct plan *p)
{
    for (size_t i = 0; i < plan_count(p); i++) {
        plan_values(p, i, t->values);
        for (size_t c = 0; c < t->columns; c++) {
            int w = cell_width(t, t->values[t->name[c]]);
            if (w > t->width[c]) t->width[c] = w;
        }
    }
}

static void table_new(struct plan_table *t, const struct plan *p, struct json *json)
{
    size_t names = plan_name_count(p);
    *t = (struct plan_table){.json = json, .plan = p, .experiment = plan_experiment(p)};
    t->name = mem_alloc((names + 1) * sizeof *t->name);
    t->width = mem_alloc((names + 1) * sizeof *t->width);
    t->values = mem_alloc((names + 1) * sizeof *t->values);
    for (size_t i = 0; i < names; i++) {
        if (!experiment_is_axis(t->experiment, plan_name(p, i)) && !(made_by_script(p) && differs(p, i))) continue;
        t->name[t->columns] = i;
        t->width[t->columns++] = column_width(t, plan_name(p, i));
    }
    if (made_by_script(p)) widen(t, p);
}

static void table_free(struct plan_table *t)
{
    free(t->name);
    free(t->width);
    free(t->values);
    str_release(&t->cell);
    str_release(&t->line);
    str_release(&t->memory);
}

// A line is put together and said at once: there may be a million.
static void add_cell(struct plan_table *t, const char *text, int width)
{
    static const char blanks[] = "                                ";
    int before = width - text_width(text) + 2;
    for (int n; before > 0; before -= n) {
        n = before < (int)sizeof blanks - 1 ? before : (int)sizeof blanks - 1;
        str_add_bytes(&t->line, blanks, (size_t)n);
    }
    str_add(&t->line, text);
}

static void add_values(struct plan_table *t, const struct value *values)
{
    for (size_t c = 0; c < t->columns; c++) {
        str_clear(&t->cell);
        value_print(values[t->name[c]], &t->cell);
        add_cell(t, t->cell.text ? t->cell.text : "", t->width[c]);
    }
}

static bool is_column(const struct plan_table *t, const struct plan *p, const char *name)
{
    size_t c = 0;
    while (c < t->columns && strcmp(plan_name(p, t->name[c]), name) != 0) c++;
    return c < t->columns;
}

static void print_head(struct plan_table *t, const struct plan *p)
{
    const struct assignments *with = &t->experiment->with;
    term_say(stdout, TERM_BOLD, "%s", t->experiment->name);
    for (size_t i = 0; i < t->experiment->kernel_count; i++)
        say(stdout, "%s%s", i ? ", " : "  kernel ", t->experiment->kernels[i]->name);
    for (size_t i = 0, n = 0; i < with->count; i++) {
        if (is_column(t, p, with->items[i].name)) continue;
        cell_width(t, with->items[i].value);
        say(stdout, "%s%s = %s", n++ ? ", " : ", with ", with->items[i].name, t->cell.text ? t->cell.text : "");
    }
    if (t->experiment->for_device) say(stdout, "\n%s", t->experiment->for_device);
    say(stdout, "\n");
    term_paint(stdout, TERM_DIM);
    say(stdout, "%*s", NUMBER_WIDTH, "point");
    for (size_t c = 0; c < t->columns; c++) say(stdout, "  %*s", t->width[c], plan_name(p, t->name[c]));
    say(stdout, "  %*s", MEMORY_WIDTH, "memory");
    term_paint(stdout, TERM_PLAIN);
    say(stdout, "\n");
}

// One line, or one object, for each point; the most memory that one takes.
static void tell_point(struct plan_table *t, const struct plan *p, struct trying *trying, size_t i, uint64_t *most)
{
    LOCAL(str_release) struct str refusal = {0};
    uint64_t bytes = 0;
    plan_values(p, i, t->values);
    const enum trial_answer answer = trying_listed(trying, i, t->values, &bytes, &refusal);
    if (t->json) {
        json_add(t->json, "{ point:%zu", i + 1);
        plan_values_json(t->json, p, t->values);
        if (answer == TRIAL_RUNS) json_count(t->json, "memory_bytes", bytes);
        else json_text(t->json, answer == TRIAL_SKIPPED ? "skipped" : "cannot_run", refusal.text);
        json_close(t->json);
        return;
    }
    str_clear(&t->line);
    str_clear(&t->cell);
    value_print(value_int((int64_t)i + 1), &t->cell);
    add_cell(t, t->cell.text, NUMBER_WIDTH - 2);
    add_values(t, t->values);
    if (answer == TRIAL_RUNS) {
        if (bytes > *most) *most = bytes;
        if (bytes != t->bytes || !t->memory.size) {
            str_clear(&t->memory);
            units_print_bytes((double)bytes, &t->memory);
            t->bytes = bytes;
        }
        add_cell(t, t->memory.text, MEMORY_WIDTH);
        str_add(&t->line, "\n");
        say_bytes(stdout, t->line.text, t->line.size);
    } else {
        say(stdout, "%s  ", t->line.text);
        if (answer == TRIAL_REFUSED) term_say(stdout, TERM_RED, "cannot run: %s", refusal.text);
        else say(stdout, "skipped: %s", refusal.text);
        say(stdout, "\n");
    }
}

static void tell_removed(void *context, const struct value *values, const char *why, struct where at)
{
    struct plan_table *t = context;
    if (t->json) {
        json_object(t->json, NULL);
        plan_values_json(t->json, t->plan, values);
        json_text(t->json, "by", why);
        if (at.line > 0) json_count(t->json, "line", (uint64_t)at.line);
        json_close(t->json);
        return;
    }
    term_paint(stdout, TERM_DIM);
    str_clear(&t->line);
    add_cell(t, "-", NUMBER_WIDTH - 2);
    add_values(t, values);
    str_add(&t->line, "  removed by ");
    str_add(&t->line, why);
    if (at.line > 0) str_addf(&t->line, " (line %d)", at.line);
    say_bytes(stdout, t->line.text, t->line.size);
    term_paint(stdout, TERM_PLAIN);
    say(stdout, "\n");
}

// By an earlier run on that device, else by the model.
static void print_pace(const struct plan *p, size_t points, const struct device_identity *on)
{
    LOCAL(str_release) struct str time = {0};
    const double pace = on->timed ? submit_pace(p, 1, on->name) : NAN;
    const double all =
        pace > 0 ? pace * (double)points : pacing_expect(p, on->name) * (double)points / (double)plan_count(p);
    if (isnan(all)) return;
    units_print_seconds(all, &time);
    if (pace > 0) say(stdout, "about %s, as an earlier run took %.2g s a point; ", time.text, pace);
    else
        say(stdout, "%sabout %s, as the model expects of an %s%s", on->timed ? "" : "; it would take ", time.text,
            profile_of(on->name)->title, on->timed ? "; " : "");
}

// How long it takes; the longest time that sampling may take: the file limits it.
static void print_time(const struct plan *p, size_t points)
{
    const struct experiment *e = plan_experiment(p);
    const char *spec = "auto";
    char resolved[DEVICE_SPEC], note[256];
    LOCAL(diags_clear) struct diags missing = {0};
    struct device_identity identity = {0};
    for (size_t i = 0; i < e->with.count; i++)
        if (strcmp(e->with.items[i].name, "device") == 0 && e->with.items[i].value.kind == VALUE_TEXT)
            spec = e->with.items[i].value.text;
    const struct device_ops *ops = device_find(spec, resolved, note, &missing);
    struct device *device = ops ? ops->open(resolved, &missing) : NULL;
    if (device) {
        ops->identity(device, &identity);
        ops->close(device);
        say(stdout, "; on %s ", identity.name);
        if (!identity.timed) say(stdout, "nothing is timed");
        if (points && (identity.timed || strchr(identity.name, ':'))) print_pace(p, points, &identity);
        if (identity.timed) {
            LOCAL(str_release) struct str time = {0};
            units_print_seconds(e->goals.max_time * (double)points, &time);
            say(stdout, "at most %s of sampling", time.text);
        }
    }
}

static int tell_plan(const struct options *o, const struct plan *p, struct json *json, struct diags *d)
{
    struct plan_table t;
    const size_t count = plan_count(p);
    size_t shown = 0;
    uint64_t most = 0;
    const bool summed = !json && !options_given(o, OPTION_QUIET);
    const struct request request = options_request(o);
    LOCAL(mem_drop) bool *mine = load_shard(&request, p);
    struct trying *trying = trying_new(p);
    table_new(&t, p, json);
    if (summed) print_head(&t, p);
    if (json)
        json_add(json, "{ experiment:%s kernel:%s points_of_all_shards:%zu", t.experiment->name,
            t.experiment->kernel->name, count);
    if (json && count > TRYING_MOST) json_count(json, "tried_on_device", TRYING_MOST);
    if (json) json_list(json, "points");
    for (size_t i = 0; i < count; i++) {
        if (mine && !mine[i]) continue;
        shown++;
        tell_point(&t, p, trying, i, &most);
    }
    if (json) json_add(json, "] removed:[");
    const size_t removed = plan_removed(p, tell_removed, &t);
    if (json) json_add(json, "] }");
    const int status = trying_end(trying, d); // it closes the device, which print_time opens anew
    if (summed) {
        LOCAL(str_release) struct str memory = {0};
        units_print_bytes((double)most, &memory);
        say(stdout, "%zu point%s", shown, shown == 1 ? "" : "s");
        if (mine) say(stdout, " of %zu", count);
        say(stdout, ", %zu removed; at most %s of memory", removed, memory.text);
        print_time(p, shown);
        if (count > TRYING_MOST) say(stdout, "; tried on the device: the first %d", TRYING_MOST);
        say(stdout, "\n");
    }
    table_free(&t);
    return count ? status : trying_none(p, d);
}

int command_plan(const struct options *o, struct diags *d)
{
    LOCAL(load_release) struct loaded all = {0};
    const struct request request = options_request(o);
    int status = 0;
    bool good = load_files(&request, &all, d);
    struct json j = json_begin(stdout, false);
    if (options_json(o)) json_list(&j, NULL);
    for (size_t i = 0; good && i < all.count; i++) {
        struct plan *p = load_plan(&all, i, d);
        if (!p) continue;
        if (i && !options_json(o)) say(stdout, "\n");
        const int own = tell_plan(o, p, options_json(o) ? &j : NULL, d);
        status = own ? own : status;
        plan_free(p);
    }
    if (options_json(o)) json_end(&j);
    return status;
}
