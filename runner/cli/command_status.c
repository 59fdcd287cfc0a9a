// `gpuexp status`: how far reports and their shards are.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "plan/load.h"
#include "base/beside.h"
#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "cluster/scheduler.h"
#include "run/run.h"
#include "run/status_page.h"
#include "store/merge.h"
#include "store/runfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Nothing has a row yet, but the script that `submit` wrote is there: the tasks wait in the scheduler's queue.
static bool is_queued(const char *report, const struct status_to *to, struct diags *d)
{
    const struct scheduler *s = scheduler_here();
    LOCAL(str_release) struct str script = {0}, state = {0};
    char **shards = merge_shards(report, d);
    str_addf(&script, "%.*s%s", (int)(strlen(report) - strlen(".csv")), report, s->suffix);
    char *path = realpath(script.text, NULL); // by which the scheduler knows it, whatever the job is called
    const bool queued = shards && !shards[0] && !file_exists(report) && path;
    const int waiting = queued ? s->queued(path) : 0;
    if (waiting < 0)
        str_addf(&state, "no task of %s has begun; whether one is queued cannot be told here", script.text);
    else if (waiting) str_addf(&state, "queued: %d task%s of %s", waiting, waiting > 1 ? "s" : "", script.text);
    else str_addf(&state, "not queued: no task of %s has begun, and none waits; submit it again", script.text);
    if (queued && to->json) json_add(to->json, "{ report:%s done:0 running:false state:%s }", report, state.text);
    else if (queued && to->page) status_page_say(to->page, report, state.text);
    else if (queued && !to->metrics) say(to->out, "%s: %s\n", report, state.text);
    merge_shards_free(shards);
    free(path);
    return queued;
}

static int status_of(const char *report, const struct status_to *to, struct diags *d)
{
    return is_queued(report, to, d) ? 75 : run_status(report, to, d);
}

// All that is asked for, once. An experiment's file is asked for with its options, a report as it is.
static int look(const struct options *o, const struct status_to *reports, struct diags *d)
{
    struct status_to asked = *reports, *to = &asked;
    struct runfile options = {0};
    int status = 0;
    str_add(&options.facts, "");
    for (size_t i = 0; i < o->override_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "override_%zu", i);
        runfile_fact(&options, name, o->overrides[i].text);
    }
    for (size_t i = 0; i < o->operand_count; i++) {
        struct request one = options_request(o);
        LOCAL(load_release) struct loaded all = {0};
        one.files += i;
        one.count = 1;
        if (text_ends(o->operands[i], ".csv")) {
            status = command_graver(status, status_of(o->operands[i], reports, d));
            continue;
        }
        asked.asked = options.facts.text;
        if (load_files(&one, &all, d))
            for (size_t k = 0; k < all.count; k++) {
                LOCAL(mem_drop) char *report = run_report_path(all.items[k], &(struct run_options){0});
                status = command_graver(status, status_of(report, to, d));
            }
    }
    runfile_release(&options);
    return status;
}

// "reports/x.status.html" of the first that was asked for.
static char *page_of(const struct options *o, struct diags *d)
{
    struct request one = options_request(o);
    LOCAL(load_release) struct loaded all = {0};
    char *path = NULL;
    one.count = 1;
    if (options_given(o, OPTION_OUTPUT)) return strdup(o->value[OPTION_OUTPUT]);
    if (text_ends(o->operands[0], ".csv")) return beside_path(o->operands[0], BESIDE_STATUS);
    if (load_files(&one, &all, d) && all.count) {
        LOCAL(mem_drop) char *report = run_report_path(all.items[0], &(struct run_options){0});
        path = beside_path(report, BESIDE_STATUS);
    }
    return path;
}

static int write_page(const struct options *o, const char *path, struct diags *d)
{
    struct status_page page = {0};
    LOCAL(str_release) struct str s = {0};
    int status = look(o, &(struct status_to){.out = stdout, .page = &page}, d);
    if (!diags_errors(d)) {
        status_page_print(&page, (unsigned)o->number[OPTION_EVERY], &s);
        if (!file_write_over(path, s.text, s.size, beside_table[BESIDE_STATUS].begins, d))
            status = diags_exit_status(d);
    }
    status_page_release(&page);
    return status;
}

static int as_page(const struct options *o, struct diags *d)
{
    const unsigned every = (unsigned)o->number[OPTION_EVERY];
    LOCAL(mem_drop) char *path = page_of(o, d);
    int status = path ? write_page(o, path, d) : diags_exit_status(d);
    if (path && !diags_errors(d) && !options_given(o, OPTION_QUIET)) say(stdout, "%s\n", path);
    fflush(stdout);
    while (every && status == 75 && !diags_errors(d)) {
        sleep(every);
        status = write_page(o, path, d);
    }
    return status;
}

int command_status(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    struct str metrics[STATUS_METRICS] = {0};
    const char *format = options_given(o, OPTION_FORMAT) ? o->value[OPTION_FORMAT] : "text";
    const bool page = strcmp(format, "html") == 0;
    if (!page && (options_given(o, OPTION_EVERY) || options_given(o, OPTION_OUTPUT))) {
        diag_user(d, (struct where){0}, NULL, "--every and --output are for --format html");
        return 2;
    }
    if (page) return as_page(o, d);
    const struct status_to to = {
        stdout, options_json(o) ? &j : NULL, strcmp(format, "openmetrics") == 0 ? metrics : NULL, NULL, NULL};
    if (to.json) json_list(to.json, NULL);
    const int status = look(o, &to, d);
    if (to.json) json_end(to.json);
    if (to.metrics) run_status_metrics(&to);
    for (int i = 0; i < STATUS_METRICS; i++) str_release(&metrics[i]);
    return status;
}
