// `gpuexp status`: how far reports and their shards are.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "cli/commands.h"
#include "plan/load.h"
#include "base/file.h"
#include "base/say.h"
#include "cluster/scheduler.h"
#include "run/run.h"
#include "run/status.h"
#include "store/merge.h"

#include <stdlib.h>
#include <string.h>

static bool is_report(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".csv") == 0;
}

// The worst of all: an error, points left, a point that went wrong.
static int graver(int a, int b)
{
    static const int order[] = {3, 2, 75, 1, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i]) return order[i];
    return a;
}

// Nothing has a row yet, but the script that `submit` wrote is there: the tasks wait in the scheduler's queue.
static bool is_queued(const char *report, FILE *out, struct json *j, struct diags *d)
{
    const struct scheduler *s = scheduler_here();
    const size_t stem = strlen(report) - strlen(".csv");
    const char *slash = strrchr(report, '/');
    struct str script = {0}, name = {0}, state = {0};
    char **shards = merge_shards(report, d);
    str_addf(&script, "%.*s%s", (int)stem, report, s->suffix);
    str_add_bytes(&name, slash ? slash + 1 : report, stem - (size_t)(slash ? slash + 1 - report : 0));
    const bool queued = shards && !shards[0] && !file_exists(report) && file_exists(script.text);
    const int waiting = queued ? s->queued(name.text) : 0;
    if (waiting < 0)
        str_addf(&state, "no task of %s has begun; whether one is queued cannot be told here", script.text);
    else if (waiting) str_addf(&state, "queued: %d task%s of %s", waiting, waiting > 1 ? "s" : "", script.text);
    else str_addf(&state, "not queued: no task of %s has begun, and none waits; submit it again", script.text);
    if (queued && j) {
        json_object(j, NULL);
        json_text(j, "report", report);
        json_count(j, "done", 0);
        json_bool(j, "running", false);
        json_text(j, "state", state.text);
        json_close(j);
    } else if (queued) say(out, "%s: %s\n", report, state.text);
    merge_shards_free(shards);
    str_release(&script);
    str_release(&name);
    str_release(&state);
    return queued;
}

static int status_of_report(const char *report, struct json *to, struct diags *d)
{
    return is_queued(report, stdout, to, d) ? 75 : run_status(report, stdout, to, d);
}

int command_status(const struct options *o, struct diags *d)
{
    int status = 0;
    struct json j = json_begin(stdout, false), *to = as_json(o) ? &j : NULL;
    if (to) json_list(to, NULL);
    for (size_t i = 0; i < o->operand_count; i++) {
        struct request one = options_request(o);
        struct loaded all;
        one.files += i;
        one.count = 1;
        if (is_report(o->operands[i])) {
            status = graver(status, status_of_report(o->operands[i], to, d));
            continue;
        }
        if (load_files(&one, &all, d))
            for (size_t k = 0; k < all.count; k++) {
                char *report = run_report_path(all.items[k], &(struct run_options){0});
                status = graver(status, status_of_report(report, to, d));
                free(report);
            }
        load_release(&all);
    }
    if (to) json_end(to);
    return status;
}
