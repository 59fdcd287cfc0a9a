// Each node runs the command by itself; then the reports of all are judged together.
// SPDX-License-Identifier: MIT
#include "cluster/everywhere.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "cluster/command.h"
#include "cluster/scheduler.h"

enum { MINUTES = 30 }; // sixteen GPUs, a minute each, and time to start

static void line(struct str *s, const char *before, const char *program, const char *behind)
{
    str_add(s, before);
    text_add_word(s, program);
    str_addf(s, " %s\n", behind);
}

static char *script_text(const struct everywhere *e, const char *program, struct arena *a)
{
    const struct scheduler *scheduler = scheduler_here();
    const char *all = arena_printf(a, "%s reports/%s.*.csv", e->command, e->command);
    struct str s = {0};
    str_addf(&s,
        "#!/bin/bash\n# Written by `gpuexp submit %s --nodes %u`. Edit it as you like and give it to %s again.\n#\n",
        e->command, e->nodes, scheduler->program);
    scheduler->nodes_head(e, MINUTES, &s);
    str_add(&s, "\n# Each node measures its GPUs, then all of them are judged: as a page, for machines, for people.\n");
    line(&s, arena_printf(a, "%s ", scheduler->each_node), program, arena_printf(a, "%s -q", e->command));
    line(&s, "", program, arena_printf(a, "%s --format html", all));
    line(&s, "", program, arena_printf(a, "%s --format openmetrics -o reports/%s.prom", all, e->command));
    line(&s, "exec ", program, all);
    return str_take(&s);
}

static void submit(const struct everywhere *e, const char *path, struct arena *a, FILE *out, struct diags *d)
{
    const struct scheduler *scheduler = scheduler_here();
    struct command_words words = {0};
    struct str said = {0};
    scheduler->submit(path, NULL, a, &words);
    if (e->dry_run) {
        say(out, "# would be written to %s and submitted with\n# ", path);
        for (size_t i = 0; i < words.count; i++) {
            str_add(&said, " ");
            text_add_word(&said, words.items[i]);
        }
        say(out, "%s\n", said.text);
    } else if (command_output(words.items, &said, d) &&
        (said.size || diag_system(d, NULL, "%s gave no number for the job", scheduler->program))) {
        say(out, "job %s: %s on %u nodes; reports/%s.log, reports/%s.html\n", scheduler->job_id(said.text, a),
            e->command, e->nodes, e->command, e->command);
    }
    str_release(&said);
    free(words.items);
}

int everywhere_submit(const struct everywhere *e, FILE *out, struct diags *d)
{
    struct arena *a = arena_new();
    char program[PATH_MAX] = "gpuexp", *path = arena_printf(a, "reports/%s%s", e->command, scheduler_here()->suffix);
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0) program[n] = '\0';
    char *text = script_text(e, program, a);
    bool ok = submit_partition_fits(e->partition, d) && submit_own_fit(e->own, d);
    if (ok && e->dry_run) say(out, "%s", text);
    else ok = ok && file_make_folders(path, d) && file_write(path, text, strlen(text), d);
    if (ok) submit(e, path, a, out, d);
    free(text);
    arena_free(a);
    return diags_exit_status(d);
}
