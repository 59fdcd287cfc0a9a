// `gpuexp health`: a short experiment on each GPU of this machine, and what it says of them; or what reports of many
// say. Measured and kept like any other: a row at a time, to be gone on with.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/health.h"
#include "cli/term.h"
#include "cluster/everywhere.h"
#include "cluster/scheduler.h"
#include "base/beside.h"
#include "base/clock.h"
#include "fleet/nights.h"
#include "store/report.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    struct options again = *c->options;
    const char *experiment = c->options->command->name; // which has this command's name
    struct override device = {arena_printf(c->arena, "device=%s", spec)};
    const char *report = report_of(c, spec, told);
    struct condition_told after;
    again.operands = &experiment;
    again.operand_count = 1;
    again.overrides = &device;
    again.override_count = 1;
    again.value[OPTION_OUTPUT] = report;
    again.value[OPTION_SHARD] = ""; // all of it, also as one of a job's tasks
    again.number[OPTION_SHARD] = again.parts = 1;
    again.value[OPTION_FORMAT] = NULL;
    if (!options_given(&again, OPTION_VERBOSE)) again.value[OPTION_QUIET] = "";
    if (!nights_keep(report, d)) return; // one that was stopped goes on
    if (!options_given(c->options, OPTION_QUIET)) say(stderr, "%s (%s): measuring\n", spec, told->id.name);
    const int status = command_run(&again, d);
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
