// Sizes, writes and submits; see submit.h.
// SPDX-License-Identifier: MIT
#include "cluster/submit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "base/machine.h"
#include "cluster/command.h"
#include "cluster/scheduler.h"
#include "lua/script.h"
#include "plan/asks.h"
#include "store/runfile.h"
#include "run/run.h"

enum { LOOKED_AT = 200, MOST_MINUTES = 240 };

const char *submit_name(const struct submit_options *o) { return plan_experiment(o->plans[0])->name; }

// Without -o a report has the path that every run in this folder gives it.
static char *report_of(const struct plan *plan, unsigned shard, unsigned shards)
{
    return run_report_path(plan_experiment(plan), &(struct run_options){.shard = shard, .shards = shards});
}

// Seconds for a point when this experiment last ran here: from the run file of the report, or of its first shard.
static double earlier_pace(const struct plan *plan, unsigned shards)
{
    double pace = NAN;
    for (int i = 0; i < 2 && isnan(pace); i++) {
        char *report = report_of(plan, 1, i ? shards : 1), *text = runfile_read(report);
        char *value = text ? runfile_get(text, "seconds_a_point", -1) : NULL;
        if (value) pace = strtod(value, NULL);
        free(value);
        free(text);
        free(report);
    }
    return pace > 0 ? pace : NAN;
}

// `auto` is meant for a GPU where there are any.
static bool needs_gpu(const struct job *job)
{
    const char *device = asks_text(job, SETTING_DEVICE);
    const struct device_ops *ops = *device ? device_kind(device) : NULL;
    return !ops || ops->visible;
}

// A few hundred points, spread evenly over the plan, show how much memory is needed.
static void look_at_points(const struct plan *plan, double *memory, bool *gpu)
{
    size_t count = plan_count(plan), looks = count < LOOKED_AT ? count : LOOKED_AT;
    for (size_t i = 0; i < looks; i++) {
        size_t p = looks > 1 ? i * (count - 1) / (looks - 1) : 0;
        struct arena *a = arena_new();
        struct diags ignored = {0};
        struct value *values = arena_alloc(a, (plan_name_count(plan) + 1) * sizeof *values);
        struct job job;
        plan_values(plan, p, values);
        if (job_make(plan, values, a, &job, &ignored)) {
            double bytes = (double)job_memory(&job);
            if (bytes > *memory) *memory = bytes;
            *gpu = *gpu || needs_gpu(&job);
        }
        diags_clear(&ignored);
        arena_free(a);
    }
}

void submit_measure(const struct submit_options *o, struct submit_size *s)
{
    double memory = 0, total = 0;
    *s = (struct submit_size){.measured = true};
    for (size_t i = 0; i < o->plan_count; i++) {
        size_t points = plan_count(o->plans[i]), a_task = (points + o->shards - 1) / o->shards;
        double pace = earlier_pace(o->plans[i], o->shards), sampling = plan_experiment(o->plans[i])->goals.max_time;
        if (isnan(pace)) s->measured = false, pace = sampling + 1.5; // compiling, allocating, verifying, warming up
        s->points += points;
        s->a_task += a_task;
        s->seconds += pace * (double)a_task;
        total += pace * (double)points;
        look_at_points(o->plans[i], &memory, &s->gpu);
    }
    s->seconds_a_point = s->points ? total / (double)s->points : 0;
    // Twice as long as it should take, and time to start and to end; in steps of five minutes.
    double minutes = ceil((s->seconds * 2 + SUBMIT_WARNING_SECONDS + 180) / 300) * 5;
    s->minutes = minutes < MOST_MINUTES ? (unsigned)minutes : MOST_MINUTES;
    s->gib = (unsigned)ceil(memory * 1.25 / 0x1p30) + (unsigned)(MACHINE_RESERVE >> 30);
}

static void add_word(struct str *s, const char *word)
{
    str_add(s, " ");
    text_add_word(s, word);
}

static bool refines(const struct submit_options *o)
{
    for (size_t i = 0; i < o->plan_count; i++)
        if (script_has(plan_script(o->plans[i]), SCRIPT_REFINE)) return true;
    return false;
}

char *submit_script(const struct submit_options *o, const struct submit_size *z, const char *program)
{
    const struct scheduler *scheduler = scheduler_here();
    struct str s = {0}, time = {0};
    units_print_seconds(z->seconds, &time);
    str_add(&s, "#!/bin/bash\n");
    str_add(&s, "# Written by `gpuexp submit ");
    text_add_line(&s, o->file); // a comment must not end within a name
    str_addf(&s, " --shards %u`. Edit it as you like and give it to %s again:\n", o->shards, scheduler->program);
    str_add(&s, "# what is measured already is not measured again.\n#\n");
    str_addf(&s, "# %zu points in %u shards, at most %zu a task: about %s, by %s (%.2g s a point).\n", z->points,
        o->shards, z->a_task, time.text, z->measured ? "an earlier run" : "`measure:`", z->seconds_a_point);
    str_add(&s,
        "# A task that comes near its time limit finishes its point, requeues itself and goes on where it was.\n");
    if (refines(o))
        str_add(&s, "# A shard refines nothing: run the file once more, without --shard, when the report is merged.\n");
    str_add(&s, "#\n");
    scheduler->head(o, z, &s);
    str_add(&s, "exec");
    add_word(&s, program);
    add_word(&s, o->file);
    for (size_t i = 0; o->arguments && o->arguments[i]; i++) add_word(&s, o->arguments[i]);
    str_addf(&s, " --seed %llu --shard \"%s/%u\" --requeue\n", (unsigned long long)o->seed, scheduler->task, o->shards);
    str_release(&time);
    return str_take(&s);
}

// The shell command that merges what the shards have measured.
static void merge_command(const struct submit_options *o, const char *program, struct str *s)
{
    str_add(s, "exec");
    add_word(s, program);
    add_word(s, "merge");
    for (size_t i = 0; i < o->plan_count; i++) {
        char *report = report_of(o->plans[i], 1, 1);
        add_word(s, report);
        free(report);
    }
}

static void print_command(const struct command_words *c, FILE *out)
{
    struct str s = {0};
    for (size_t i = 0; i < c->count; i++) add_word(&s, c->items[i]);
    say(out, "#  %s\n", s.text);
    str_release(&s);
}

static int submit(const struct submit_options *o, const char *script, const char *program, struct arena *a, FILE *out,
    struct diags *d)
{
    const struct scheduler *scheduler = scheduler_here();
    struct command_words array = {0}, merge = {0};
    struct str said = {0}, merging = {0};
    const char *id = "JOB", *merge_id = "";
    merge_command(o, program, &merging);
    scheduler->submit(o, script, &array);
    if (o->dry_run) {
        say(out, "# would be written to %s and submitted with\n", script);
        print_command(&array, out);
        scheduler->merge(o, id, merging.text, a, &merge);
        print_command(&merge, out);
    } else if (command_output(array.items, &said, d) &&
        (said.size || diag_system(d, NULL, "%s gave no number for the job", scheduler->program))) {
        id = scheduler->job_id(said.text, a);
        say(out, "job %s: %u tasks of %s\n", id, o->shards, script);
        scheduler->merge(o, id, merging.text, a, &merge);
        str_clear(&said);
        if (command_output(merge.items, &said, d)) {
            merge_id = scheduler->job_id(said.text, a);
            say(out, "job %s: merges into reports/%s.csv when they are over\n", merge_id, submit_name(o));
        }
        scheduler->watch(o, id, merge_id, out);
    }
    str_release(&said);
    str_release(&merging);
    free(array.items);
    free(merge.items);
    return diags_exit_status(d);
}

bool submit_partition_fits(const char *name, struct diags *d)
{
    const char *fit = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:@";
    if (!name || (*name && name[strspn(name, fit)] == '\0' && *name != '-')) return true;
    return diag_user(d, (struct where){0}, NULL, "no partition is called `%s`", name);
}

int submit_run(const struct submit_options *o, FILE *out, struct diags *d)
{
    if (!submit_partition_fits(o->partition, d)) return diags_exit_status(d);
    struct arena *a = arena_new();
    struct submit_size size;
    char program[PATH_MAX] = "gpuexp", *script,
         *path = arena_printf(a, "reports/%s%s", submit_name(o), scheduler_here()->suffix);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    int status = 0;
    if (n > 0) program[n] = '\0';
    submit_measure(o, &size);
    script = submit_script(o, &size, program);
    if (o->dry_run) say(out, "%s", script);
    // The folder must be there before the scheduler opens the tasks' logs in it.
    else if (!file_make_folders(path, d) || !file_write(path, script, strlen(script), d)) status = diags_exit_status(d);
    if (!status) status = submit(o, path, program, a, out, d);
    free(script);
    arena_free(a);
    return status;
}
