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

// From the run file of the report, or of its first shard.
double submit_pace(const struct plan *plan, unsigned shards, const char *device)
{
    double pace = NAN;
    for (int i = 0; i < 2 && isnan(pace); i++) {
        LOCAL(mem_drop) char *report = report_of(plan, 1, i ? shards : 1);
        LOCAL(mem_drop) char *text = runfile_read(report);
        LOCAL(mem_drop) char *value = text ? runfile_get(text, "seconds_a_point", -1) : NULL;
        LOCAL(mem_drop) char *on = text ? runfile_get(text, "device", 0) : NULL;
        if (value && (!device || (on && strcmp(on, device) == 0))) pace = strtod(value, NULL);
    }
    return pace > 0 ? pace : NAN;
}

// `auto` is meant for a GPU where there are any.
static void look_at_device(const struct job *job, struct submit_size *s)
{
    const char *device = asks_text(job, SETTING_DEVICE);
    const struct device_ops *ops = *device ? device_kind(device) : NULL;
    s->gpu |= !ops || ops->visible;
    s->any_device |= !ops;
}

// A few hundred points, spread evenly over the plan, show how much memory is needed.
static void look_at_points(const struct plan *plan, double *memory, struct submit_size *s)
{
    size_t count = plan_count(plan), looks = count < LOOKED_AT ? count : LOOKED_AT;
    for (size_t i = 0; i < looks; i++) {
        size_t p = looks > 1 ? i * (count - 1) / (looks - 1) : 0;
        LOCAL(arena_drop) struct arena *a = arena_new();
        LOCAL(diags_clear) struct diags ignored = {0};
        struct value *values = arena_alloc(a, (plan_name_count(plan) + 1) * sizeof *values);
        struct job job;
        plan_values(plan, p, values);
        if (job_make(plan, values, a, &job, &ignored)) {
            double bytes = (double)job_memory(&job);
            if (bytes > *memory) *memory = bytes;
            look_at_device(&job, s);
        }
    }
}

void submit_measure(const struct submit_options *o, struct submit_size *s)
{
    double memory = 0, total = 0;
    *s = (struct submit_size){.measured = true};
    for (size_t i = 0; i < o->plan_count; i++) {
        size_t points = plan_count(o->plans[i]), a_task = (points + o->shards - 1) / o->shards;
        double pace = submit_pace(o->plans[i], o->shards, NULL),
               sampling = plan_experiment(o->plans[i])->goals.max_time;
        if (isnan(pace)) s->measured = false, pace = sampling + 1.5; // compiling, allocating, verifying, warming up
        s->points += points;
        s->a_task += a_task;
        s->seconds += pace * (double)a_task;
        total += pace * (double)points;
        look_at_points(o->plans[i], &memory, s);
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

// Where nothing says what measures, a task is for a GPU: on a node whose driver is broken it must fail, and not count
// on the simulator.
static bool says_device(const struct submit_options *o)
{
    for (size_t i = 0; o->arguments && o->arguments[i]; i++)
        if (strncmp(o->arguments[i], "device=", 7) == 0) return true;
    return false;
}

static const char *is_set(const char *name) { return name; } // of a node that has GPUs

static void add_device(const struct submit_options *o, const struct submit_size *z, struct str *s)
{
    char spec[DEVICE_SPEC];
    const char *gpus;
    if (!z->any_device || says_device(o)) return;
    const struct device_ops *ops = device_visible(is_set, &gpus);
    if (!ops || !ops->spec) return;
    ops->spec(0, spec);
    str_add(s, " -d");
    add_word(s, spec);
}

static size_t tasks_without_points(const struct submit_options *o)
{
    size_t most = 0;
    for (size_t i = 0; i < o->plan_count; i++)
        if (plan_count(o->plans[i]) > most) most = plan_count(o->plans[i]);
    return most < o->shards ? o->shards - most : 0;
}

static const char *path_of(const struct submit_options *o, const char *kind, struct arena *a)
{
    return arena_printf(a, "reports/%s%s%s", submit_name(o), kind, scheduler_here()->suffix);
}

char *submit_script(const struct submit_options *o, const struct submit_size *z, const char *program)
{
    const struct scheduler *scheduler = scheduler_here();
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct str s = {0}, time = {0};
    units_print_seconds(z->seconds, &time);
    str_add(&s, SUBMIT_BEGINS " ");
    text_add_line(&s, o->file); // a comment must not end within a name
    str_addf(&s, " --shards %u`. Edit it as you like and send it again:\n#   ", o->shards);
    scheduler->again(path_of(o, "", a), o->shards, o->shards > 1 ? path_of(o, ".merge", a) : NULL, &s);
    str_add(&s, "\n# What is measured already is not measured again.\n#\n");
    str_addf(&s, "# %zu points in %u shard%s, at most %zu a task: about %s, by %s (%.2g s a point).\n", z->points,
        o->shards, o->shards > 1 ? "s" : "", z->a_task, time.text, z->measured ? "an earlier run" : "`measure:`",
        z->seconds_a_point);
    const size_t idle = tasks_without_points(o);
    if (idle) str_addf(&s, "# %zu of %u tasks have no point: shards divide one plan among GPUs.\n", idle, o->shards);
    str_add(&s,
        "# A task that comes near its time limit finishes its point, requeues itself and goes on where it was.\n");
    if (refines(o) && o->shards > 1)
        str_add(&s, "# A shard refines nothing: run the file once more, without --shard, when the report is merged.\n");
    str_add(&s, "#\n");
    scheduler->head(o, z, &s);
    str_add(&s, "exec");
    add_word(&s, program);
    add_word(&s, o->file);
    for (size_t i = 0; o->arguments && o->arguments[i]; i++) add_word(&s, o->arguments[i]);
    add_device(o, z, &s);
    str_addf(&s, " --seed %llu --shard \"%s/%u\" --requeue\n", (unsigned long long)o->seed, scheduler->task, o->shards);
    str_release(&time);
    return str_take(&s);
}

char *submit_merge_script(const struct submit_options *o, const char *program)
{
    struct str s = {0};
    LOCAL(str_release) struct str log = {0};
    str_add(&s, SUBMIT_BEGINS "`: merges what the tasks have measured, when they are over.\n#\n");
    str_addf(&log, "%s.merge", submit_name(o));
    scheduler_here()->second_head(submit_name(o), log.text, o->partition, o->own, &s);
    str_add(&s, "\nexec");
    add_word(&s, program);
    add_word(&s, "merge");
    for (size_t i = 0; i < o->plan_count; i++) {
        LOCAL(mem_drop) char *report = report_of(o->plans[i], 1, 1);
        add_word(&s, report);
    }
    str_add(&s, "\n");
    return str_take(&s);
}

static void print_command(const struct command_words *c, FILE *out)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < c->count; i++) add_word(&s, c->items[i]);
    say(out, "#  %s\n", s.text);
}

struct sending { // what is written and sent
    const struct submit_options *options;
    const char *path, *script, *merge_path, *merge_script; // the last two NULL: one task measures all
    struct arena *arena;
};

static int send(const struct sending *w, FILE *out, struct diags *d)
{
    const struct scheduler *scheduler = scheduler_here();
    const struct submit_options *o = w->options;
    struct command_words tasks = {0}, merge = {0};
    LOCAL(str_release) struct str said = {0};
    const char *id = "JOB", *merge_id = "";
    scheduler->submit(w->path, o->shards, NULL, w->arena, &tasks);
    if (o->dry_run) {
        if (w->merge_path) scheduler->submit(w->merge_path, 1, id, w->arena, &merge);
        say(out, "%s", w->script);
        if (w->merge_path) say(out, "\n# %s\n%s", w->merge_path, w->merge_script);
        say(out, "\n# would be written to %s and submitted with\n", w->path);
        print_command(&tasks, out);
        if (w->merge_path) print_command(&merge, out);
    } else if (command_output(tasks.items, &said, d) &&
        (said.size || diag_system(d, NULL, "%s gave no number for the job", scheduler->program))) {
        id = scheduler->job_id(said.text, w->arena);
        say(out, "job %s: %u task%s of %s\n", id, o->shards, o->shards > 1 ? "s" : "", w->path);
        if (tasks_without_points(o)) say(out, "%zu of these have no point\n", tasks_without_points(o));
        str_clear(&said);
        if (w->merge_path) scheduler->submit(w->merge_path, 1, id, w->arena, &merge);
        if (w->merge_path && command_output(merge.items, &said, d)) {
            merge_id = scheduler->job_id(said.text, w->arena);
            say(out, "job %s: merges into reports/%s.csv when they are over\n", merge_id, submit_name(o));
        }
        scheduler->watch(o, id, merge_id, out);
    }
    if (!o->dry_run && strcmp(id, "JOB") == 0)
        say(out, "nothing was submitted; %s is there to read, and the same command sends it again\n", w->path);
    free(tasks.items);
    free(merge.items);
    return diags_exit_status(d);
}

// In the script an option stands in a line that the scheduler reads as it is.
bool submit_own_fit(const char *const *own, struct diags *d)
{
    for (; own && *own; own++)
        for (const char *c = *own; *c; c++)
            if ((unsigned char)*c < ' ')
                return diag_user(d, (struct where){0}, NULL, "an option for %s has a line's end or a tab in it",
                    scheduler_here()->program);
    return true;
}

bool submit_partition_fits(const char *name, struct diags *d)
{
    const char *fit = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:@";
    if (!name || (*name && name[strspn(name, fit)] == '\0' && *name != '-')) return true;
    return diag_user(d, (struct where){0}, NULL, "no partition is called `%s`", name);
}

// What the scheduler would refuse, told with what it takes.
static bool array_fits(const struct submit_options *o, struct diags *d)
{
    const unsigned most = o->shards > 1 ? scheduler_here()->most_tasks() : 0;
    if (!most || o->shards <= most) return true;
    LOCAL(str_release) struct str hint = {0};
    str_addf(&hint, "--shards %u: a task measures as many points as its time allows, and goes on later", most);
    diag_user(d, (struct where){0}, hint.text, "an array of this cluster has at most %u tasks, and %u were asked for",
        most, o->shards);
    return false;
}

int submit_run(const struct submit_options *o, FILE *out, struct diags *d)
{
    if (!submit_partition_fits(o->partition, d) || !submit_own_fit(o->own, d) || !array_fits(o, d))
        return diags_exit_status(d);
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct submit_size size;
    char program[PATH_MAX] = "gpuexp";
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0) program[n] = '\0';
    submit_measure(o, &size);
    char *script = submit_script(o, &size, program), *merge = o->shards > 1 ? submit_merge_script(o, program) : NULL;
    const struct sending w = {o, path_of(o, "", a), script, merge ? path_of(o, ".merge", a) : NULL, merge, a};
    // The folder must be there before the scheduler opens the tasks' logs in it.
    bool good = o->dry_run ||
        (file_make_folders(w.path, d) && file_write_over(w.path, script, strlen(script), SUBMIT_BEGINS, d) &&
            (!merge || file_write_over(w.merge_path, merge, strlen(merge), SUBMIT_BEGINS, d)));
    int status = good ? send(&w, out, d) : diags_exit_status(d);
    free(script);
    free(merge);
    return status;
}
