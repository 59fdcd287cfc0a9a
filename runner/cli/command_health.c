// `gpuexp health`: a short experiment on each GPU of this machine, and what it says of them; or what reports of many
// say. Measured and kept like any other: a row at a time, to be gone on with.
// SPDX-License-Identifier: MIT

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/beside.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "cluster/scheduler.h"
#include "cluster/submit.h"
#include "fleet/fleet.h"
#include "fleet/nights.h"
#include "store/report.h"

static void add_figure(double value, const char *unit, struct str *s)
{
    if (isnan(value)) return;
    units_print_figure(value, s);
    str_addf(s, " %s", unit);
}

static void add_percent(double share, struct str *s)
{
    if (isfinite(share)) str_addf(s, "%.1f %%", 100 * share);
}

// One line of columns; the texts are cleared for the next line.
static void line(struct str *cells, const int *widths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = cells[i].text ? cells[i].text : "";
        if (i) say(stdout, "  %*s", widths[i], text);
        else say(stdout, "%-*s", widths[i], text);
        str_clear(&cells[i]);
    }
    say(stdout, "\n");
}

// One GPU alone: a line for each test.
static void print_one(const struct fleet *f, const struct gpu *g)
{
    enum { COLUMNS = 5 };
    static const char *const head[COLUMNS] = {"", "measured", "of reference", "of the others", "slower ones"};
    struct str cells[COLUMNS] = {0};
    int widths[COLUMNS] = {4, 16, 12, 13, 11};
    for (size_t t = 0; t < f->test_count; t++)
        if ((int)strlen(f->tests[t].name) > widths[0]) widths[0] = (int)strlen(f->tests[t].name);
    for (size_t i = 0; i < COLUMNS; i++) str_add(&cells[i], head[i]);
    line(cells, widths, COLUMNS);
    for (size_t t = 0; t < f->test_count; t++) {
        const struct gpu_test *x = &g->tests[t];
        str_add(&cells[0], f->tests[t].name);
        if (x->status) add_figure(x->value, f->tests[t].unit, &cells[1]);
        add_percent(x->status ? x->reference_speed : (double)NAN, &cells[2]);
        add_percent(x->status ? x->fleet_speed : (double)NAN, &cells[3]);
        if (x->status && isfinite(x->percentile)) str_addf(&cells[4], "%.0f %%", x->percentile);
        line(cells, widths, COLUMNS);
    }
    for (size_t i = 0; i < COLUMNS; i++) str_release(&cells[i]);
}

// In percent of the reference's, else of the others' median; of the GPU's own best night.
static double speed_here(const struct gpu_test *x)
{
    return isfinite(x->reference_speed) ? x->reference_speed : x->fleet_speed;
}
static double speed_before(const struct gpu_test *x) { return x->own_speed; }

static bool has_nights(const struct fleet *f, const struct gpu *g)
{
    bool any = false;
    for (size_t t = 0; t < f->test_count; t++) any |= isfinite(g->tests[t].own_speed);
    return any;
}

// Many: a line for each GPU. `nights`: those that have several, and no words where there is no speed.
static void print_many(const struct fleet *f, const char *title, double (*speed_of)(const struct gpu_test *),
    bool nights)
{
    const size_t count = f->test_count + 1;
    LOCAL(mem_drop) struct str *cells = mem_alloc(count * sizeof *cells);
    LOCAL(mem_drop) int *widths = mem_alloc(count * sizeof *widths);
    for (size_t i = 0; i < f->count; i++)
        if (text_width(f->gpus[i].name) > widths[0]) widths[0] = text_width(f->gpus[i].name);
    str_add(&cells[0], title);
    if (widths[0] < (int)cells[0].size) widths[0] = (int)cells[0].size;
    for (size_t t = 0; t < f->test_count; t++) {
        widths[t + 1] = strlen(f->tests[t].name) > 5 ? (int)strlen(f->tests[t].name) : 5;
        str_add(&cells[t + 1], f->tests[t].name);
    }
    line(cells, widths, count);
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        if (nights && !has_nights(f, g)) continue;
        str_add(&cells[0], g->name);
        for (size_t t = 0; t < f->test_count; t++) {
            const struct gpu_test *x = &g->tests[t];
            const double speed = x->status ? speed_of(x) : (double)NAN;
            if (isfinite(speed)) str_addf(&cells[t + 1], "%.1f", 100 * speed);
            else if (x->status && !nights) str_add(&cells[t + 1], x->status);
        }
        line(cells, widths, count);
    }
    for (size_t i = 0; i < count; i++) str_release(&cells[i]);
}

// What another driver did to the GPUs of a model: tests that are 0.5 % slower or faster and more.
static void print_drivers(const struct fleet *f)
{
    struct nights_driver *all;
    const size_t n = nights_drivers(f, &all);
    for (size_t i = 0; i < n; i++) {
        bool any = false;
        say(stdout, "driver %s -> %s, %zu %s:", all[i].from, all[i].to, all[i].gpus, all[i].model);
        for (size_t t = 0; t < f->test_count; t++) {
            const double change = 100 * (all[i].speeds[t] - 1);
            if (!(fabs(change) >= 0.5)) continue;
            say(stdout, "%s %s %.1f %% %s", any ? "," : "", f->tests[t].name, fabs(change),
                change < 0 ? "slower" : "faster");
            any = true;
        }
        say(stdout, "%s\n", any ? "" : " no test is 0.5 % slower or faster");
    }
}

// A model without a reference, once: what its speeds are compared with, and how to have one.
static void print_unknown(const struct fleet *f, size_t first)
{
    const char *model = f->gpus[first].model;
    size_t same = 0;
    char word[64];
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->gpus[i].model, model) != 0) continue;
        if (i < first) return;
        same++;
    }
    fleet_folder(model, word);
    say(stdout,
        "no reference ships for %s: %s. The report of one that is well, as reports/%s/health.csv, would be one\n",
        model, same < FLEET_LEAST ? "its speeds are compared with nothing" : "they are compared with each other alone",
        word);
}

static void print_text(const struct fleet *f, bool quiet)
{
    size_t ill = 0;
    if (!quiet && f->count == 1) print_one(f, &f->gpus[0]);
    else if (!quiet && f->count) print_many(f, "speed in %", speed_here, false);
    if (!quiet && f->past) {
        print_many(f, "in % of its best night", speed_before, true);
        print_drivers(f);
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        ill += g->finding_count > 0;
        for (size_t k = 0; k < g->finding_count; k++) {
            term_say(stdout, TERM_RED, "%s", g->name);
            say(stdout, ": %s\n", g->findings[k]);
        }
    }
    size_t untested = 0;
    for (const char **node = f->untested; node && *node; node++, untested++) {
        term_say(stdout, TERM_RED, "%s", *node);
        say(stdout, ": not tested\n");
    }
    if (quiet) return;
    for (size_t i = 0; i < f->reference_count; i++)
        say(stdout, "reference of %s: %s\n", f->references[i].model, f->references[i].path);
    for (size_t i = 0; i < f->count; i++)
        if (!f->gpus[i].reference) print_unknown(f, i);
    say(stdout, "%zu GPU%s: ", f->count, f->count == 1 ? "" : "s");
    term_say(stdout, ill ? TERM_RED : TERM_GREEN, "%zu well, %zu not", f->count - ill, ill);
    if (untested) say(stdout, "; %zu node%s not tested", untested, untested == 1 ? "" : "s");
    say(stdout, "\n");
}

static bool write_text(const struct str *s, const char *path, const char *begins, const struct options *o,
    struct diags *d)
{
    if (!path || strcmp(path, "-") == 0) return say_bytes(stdout, s->text, s->size), true;
    if (!file_write_over(path, s->text, s->size, begins, d)) return false;
    if (!options_given(o, OPTION_QUIET)) say(stdout, "%s\n", path);
    return true;
}

static const char *form_of(const struct options *o)
{
    return options_given(o, OPTION_FORMAT) ? o->value[OPTION_FORMAT] : o->command->formats->word;
}

// Can --output take what --format asks for?
static bool health_fits(const struct options *o, struct diags *d)
{
    const char *form = form_of(o);
    if (!options_given(o, OPTION_OUTPUT) || strcmp(form, "html") == 0 || strcmp(form, "openmetrics") == 0) return true;
    return diag_user(d, (struct where){0}, NULL, "--output is for --format html and openmetrics");
}

// Prints it, or writes what --output names.
static bool health_show(const struct fleet *f, const struct options *o, struct diags *d)
{
    const char *form = form_of(o);
    const char *path = o->value[OPTION_OUTPUT];
    LOCAL(str_release) struct str s = {0}, beside = {0};
    bool ok = true;
    if (strcmp(form, "html") == 0) {
        if (!path) str_addf(&beside, "reports/%s.html", o->command->name);
        fleet_page(f, &s);
        ok = write_text(&s, path ? path : beside.text, beside_table[BESIDE_PAGE].begins, o, d);
    } else if (strcmp(form, "openmetrics") == 0) {
        open_metrics(f, &s);
        ok = write_text(&s, path, OPEN_METRICS_BEGINS, o, d);
    } else if (strcmp(form, "json") == 0) {
        fleet_json(f, stdout);
    } else {
        print_text(f, options_given(o, OPTION_QUIET));
    }
    return ok;
}

struct checkup {
    const struct options *options;
    struct arena *arena;
    const char **reports;
    size_t count, room;
    const char *began; // of all GPUs of this host, one after another; NULL: of one that was named
    int listed;        // so many are there
    int status;
};

static void add_report(struct checkup *c, const char *path)
{
    mem_grow(&c->reports, &c->room, c->count + 1, sizeof *c->reports);
    c->reports[c->count++] = path;
}

// "reports/health.node7."
static const char *reports_of_host(const struct checkup *c)
{
    char host[65] = "unknown";
    gethostname(host, sizeof host - 1);
    return arena_printf(c->arena, "reports/%s.%.*s.", c->options->command->name, (int)strcspn(host, "."), host);
}

// "reports/health.node7.65-00-0.csv": of the machine and the place in it, as far as they are known.
static const char *report_of(struct checkup *c, const char *spec, const struct condition_told *told)
{
    const char *bus = condition_text(told, "pci_bus"), *uuid = condition_text(told, "uuid");
    char *path = arena_printf(c->arena, "%s%s.csv", reports_of_host(c), *bus ? bus : *uuid ? uuid : spec);
    for (char *p = path + strlen("reports/"); *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("._", *p)) *p = '-';
    return path;
}

static void measure(struct checkup *c, const char *spec, const struct condition_told *told, struct diags *d)
{
    const char *report = report_of(c, spec, told);
    struct condition_told after;
    if (!nights_keep(report, d)) return; // one that was stopped goes on
    if (!options_given(c->options, OPTION_QUIET)) say(stderr, "%s (%s): measuring\n", spec, told->id.name);
    // The experiment has this command's name; all of it runs, also as one of a job's tasks.
    const int status = command_run_on(c->options, c->options->command->name, spec, report, false, d);
    condition_ask(spec, &after);
    if (diags_errors(d) || !condition_write(report, told, &after, d)) return;
    if (status == 75) c->status = 75;
    else add_report(c, report);
}

static const char *variable(const char *name) { return getenv(name); }

// When all of its GPUs were gone through, how many it listed, and how many it was given, where a variable says which.
static void add_host(const struct checkup *c, struct condition_told *told)
{
    const char *list = NULL;
    int given = 1;
    condition_add(told, "host_began", c->began);
    condition_add(told, "host_gpus", arena_printf(c->arena, "%d", c->listed));
    if (!device_visible(variable, &list) || !*list) return;
    for (const char *p = list; *p; p++) given += *p == ',';
    condition_add(told, "host_given", arena_printf(c->arena, "%d", given));
}

static bool ask(struct checkup *c, const char *spec, struct diags *d)
{
    struct condition_told told;
    condition_ask(spec, &told);
    if (!told.opened) return diag_system(d, "see `gpuexp devices`", "device `%s`: %s", spec, told.why);
    if (!told.id.timed)
        return diag_user(d, (struct where){0}, "say which GPU: -d, or give reports of GPUs",
            "%s has no times: a GPU's health cannot be told from it", told.id.name);
    if (c->began) add_host(c, &told);
    measure(c, spec, &told, d);
    return !diags_errors(d) && c->status != 75;
}

// GPUs of this host that were tested before and are not listed now: their last reports are judged with the others.
static bool add_absent(struct checkup *c, struct diags *d)
{
    const size_t measured = c->count;
    glob_t found = {0};
    bool ok = true;
    glob(arena_printf(c->arena, "%s*.csv", reports_of_host(c)), 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && ok; i++) {
        bool there = beside_named(found.gl_pathv[i], false);
        for (size_t k = 0; k < measured && ok && !there; k++)
            ok = fleet_same_gpu(c->reports[k], found.gl_pathv[i], &there, d);
        if (ok && !there) add_report(c, arena_strdup(c->arena, found.gl_pathv[i]));
    }
    globfree(&found);
    return ok;
}

// Every device of the first kind that is hardware.
static bool ask_all(struct checkup *c, struct diags *d)
{
    char why[256] = "this gpuexp knows no GPU", spec[DEVICE_SPEC], began[32];
    clock_date(began);
    c->began = began;
    for (const struct device_ops *const *ops = device_table; *ops; ops++) {
        if (!(*ops)->visible || (c->listed = (*ops)->count(why)) <= 0) continue;
        for (int i = 0; i < c->listed; i++) {
            (*ops)->spec(i, spec);
            if (!ask(c, arena_strdup(c->arena, spec), d)) return false;
        }
        return add_absent(c, d);
    }
    return diag_system(d, "give reports of GPUs, or run it where there is one", "no GPU to look at: %s", why);
}

// A task of a job that shares its node with others has a GPU of its own.
static bool measure_all(struct checkup *c, struct diags *d)
{
    const char *spec = c->options->value[OPTION_DEVICE];
    struct cluster_job job;
    char forms[160];
    if (spec && !setting_is_device(spec, forms))
        return diag_user(d, (struct where){0}, NULL, "--device takes %s, not `%s`", forms, spec);
    if (spec && !device_all(spec)) return ask(c, spec, d);
    if (!spec && scheduler_job(&job, variable, d) && job.devices) return ask(c, job.devices[0], d);
    return !diags_errors(d) && ask_all(c, d);
}

// `reports/*.csv` names the tables beside the reports too.
static bool is_beside(const char *path) { return beside_named(path, false); }

// What a scheduler is told of nodes whose GPUs are not well, each once, with the first finding.
static void drain(const struct fleet *f, const struct options *o, struct diags *d)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *g = &f->gpus[i];
        bool told = !g->finding_count || !*g->host;
        for (size_t k = 0; k < i && !told; k++)
            told = f->gpus[k].finding_count && strcmp(f->gpus[k].host, g->host) == 0;
        if (told) continue;
        LOCAL(str_release) struct str node = {0}, reason = {0};
        str_add_bytes(&node, g->host, strcspn(g->host, "."));
        str_addf(&reason, "gpuexp: %s", g->findings[0]);
        everywhere_drain(node.text, reason.text, options_given(o, OPTION_DRAIN), stdout, d);
    }
}

int command_health(const struct options *o, struct diags *d)
{
    struct checkup c = {.options = o, .arena = arena_new()};
    struct fleet fleet;
    const double threshold = options_share(o, OPTION_THRESHOLD, FLEET_THRESHOLD, d);
    bool ok = !diags_errors(d) && health_fits(o, d);
    fleet_init(&fleet, threshold);
    for (size_t i = 0; i < o->operand_count; i++)
        if (!is_beside(o->operands[i])) add_report(&c, o->operands[i]);
    const char *nodes = o->value[OPTION_NODES];
    if (ok && !o->operand_count && !nodes) ok = measure_all(&c, d);
    for (size_t i = 0; i < c.count && ok; i++) ok = fleet_add(&fleet, c.reports[i], d);
    if (ok) nights_gather(&fleet);
    ok = ok && fleet_find_references(&fleet, o->command->name, d);
    if (ok && fleet_judge(&fleet) > 0 && !c.status) c.status = 1;
    if (ok && nodes && fleet_miss(&fleet, nodes) > 0 && !c.status) c.status = 1;
    if (ok && (c.count || nodes)) health_show(&fleet, o, d);
    const bool people = !options_given(o, OPTION_FORMAT) && !options_given(o, OPTION_QUIET);
    if (ok && ((nodes && people) || options_given(o, OPTION_DRAIN))) drain(&fleet, o, d);
    fleet_release(&fleet);
    free(c.reports);
    arena_free(c.arena);
    return c.status;
}
