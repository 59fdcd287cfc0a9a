// Sizes, writes and submits; see submit.h.
// SPDX-License-Identifier: MIT
#include "cluster/submit.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cluster/command.h"
#include "lua/script.h"
#include "plan/job.h"
#include "store/runfile.h"
#include "run/run.h"

enum { LOOKED_AT = 200, WARNING_SECONDS = 120, MOST_MINUTES = 240 };

static const struct experiment *first(const struct submit_options *o) { return plan_experiment(o->plans[0]); }

// Without options a report is where every run of this folder puts it.
static char *report_of(const struct plan *plan, unsigned shard, unsigned shards)
{
    return run_report_path(plan_experiment(plan), &(struct run_options){.shard = shard, .shards = shards});
}

// What a point took when this experiment last ran here: the report's own run file, or its first shard's.
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

static bool on_sim(const struct job *job)
{
    const struct value *v = &job->settings[SETTING_DEVICE];
    return v->kind == VALUE_TEXT && strncmp(v->text, "sim", 3) == 0;
}

// A few hundred points, evenly over the plan, say how much memory the others take.
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
            *gpu = *gpu || !on_sim(&job);
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
    double minutes = ceil((s->seconds * 2 + WARNING_SECONDS + 180) / 300) * 5;
    s->minutes = minutes < MOST_MINUTES ? (unsigned)minutes : MOST_MINUTES;
    s->gib = (unsigned)ceil(memory * 1.25 / 0x1p30) + 2;
}

// As a shell reads it back.
static void add_word(struct str *s, const char *word)
{
    bool bare = *word &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@") == strlen(word);
    str_add(s, " ");
    if (bare) {
        str_add(s, word);
        return;
    }
    str_add(s, "'");
    for (; *word; word++) str_add(s, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    str_add(s, "'");
}

static bool refines(const struct submit_options *o)
{
    for (size_t i = 0; i < o->plan_count; i++)
        if (script_has(plan_script(o->plans[i]), SCRIPT_REFINE)) return true;
    return false;
}

char *submit_script(const struct submit_options *o, const struct submit_size *z, const char *program)
{
    const char *name = first(o)->name;
    struct str s = {0}, time = {0};
    units_print_seconds(z->seconds, &time);
    str_add(&s, "#!/bin/bash\n");
    str_addf(&s, "# Written by `gpuexp submit %s --shards %u`. Edit it as you like and hand it to sbatch again:\n",
        o->file, o->shards);
    str_add(&s, "# what is measured already is not measured again.\n#\n");
    str_addf(&s, "# %zu points in %u shards, at most %zu a task: about %s, by %s (%.2g s a point).\n", z->points,
        o->shards, z->a_task, time.text, z->measured ? "an earlier run" : "`measure:`", z->seconds_a_point);
    str_add(&s,
        "# A task that comes near its time limit finishes its point, requeues itself and goes on where it was.\n");
    if (refines(o))
        str_add(&s, "# A shard refines nothing: run the file once more, without --shard, when the report is merged.\n");
    str_add(&s, "#\n");
    str_addf(&s, "#SBATCH --job-name=%s\n", name);
    str_addf(&s, "#SBATCH --array=1-%u\n", o->shards);
    str_add(&s, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=4\n");
    if (z->gpu) str_add(&s, "#SBATCH --gres=gpu:1\n");
    str_addf(&s, "#SBATCH --mem=%uG\n", z->gib);
    str_addf(&s, "#SBATCH --time=%u:%02u:00\n", z->minutes / 60, z->minutes % 60);
    str_addf(&s, "#SBATCH --signal=B:USR1@%d\n", WARNING_SECONDS);
    str_add(&s, "#SBATCH --requeue\n#SBATCH --open-mode=append\n");
    str_addf(&s, "#SBATCH --output=reports/%s.%%a.log\n", name);
    if (o->partition) str_addf(&s, "#SBATCH --partition=%s\n", o->partition);
    str_add(&s, "\n# exec: SLURM's signals go to gpuexp itself.\nexec");
    add_word(&s, program);
    add_word(&s, o->file);
    for (size_t i = 0; o->arguments && o->arguments[i]; i++) add_word(&s, o->arguments[i]);
    str_addf(&s, " --seed %llu --shard \"$SLURM_ARRAY_TASK_ID/%u\" --requeue\n", (unsigned long long)o->seed,
        o->shards);
    str_release(&time);
    return str_take(&s);
}

struct words { // an argv that grows
    const char **items;
    size_t count, room;
};

static void push(struct words *w, const char *word)
{
    mem_grow(&w->items, &w->room, w->count + 2, sizeof *w->items);
    w->items[w->count++] = word;
    w->items[w->count] = NULL;
}

// Of the user's own options those that say where a job may run and who pays hold for the merge too; sizes do not.
static bool for_merge_too(const char *word)
{
    static const char *const both[] = {
        "-A", "--account", "-p", "--partition", "-q", "--qos", "-M", "--clusters", "--reservation", NULL};
    for (const char *const *b = both; *b; b++) {
        size_t n = strlen(*b);
        if (strncmp(word, *b, n) == 0 && (!word[n] || word[n] == '=' || n == 2)) return true;
    }
    return false;
}

static void push_common(struct words *w, const struct submit_options *o)
{
    if (o->partition) push(w, "--partition"), push(w, o->partition);
    for (size_t i = 0; o->sbatch && o->sbatch[i]; i++) {
        if (!for_merge_too(o->sbatch[i])) continue;
        push(w, o->sbatch[i]);
        bool apart =
            o->sbatch[i][0] == '-' && !strchr(o->sbatch[i], '=') && (o->sbatch[i][1] == '-' || !o->sbatch[i][2]);
        if (apart && o->sbatch[i + 1]) push(w, o->sbatch[++i]);
    }
}

static void array_words(struct words *w, const struct submit_options *o, const char *script)
{
    push(w, "sbatch");
    push(w, "--parsable");
    for (size_t i = 0; o->sbatch && o->sbatch[i]; i++) push(w, o->sbatch[i]);
    push(w, script);
}

// `%J` stands for the array's id, known once it is submitted.
static void merge_words(struct words *w, const struct submit_options *o, const char *job, const char *program,
    struct arena *a)
{
    struct str command = {0};
    const char *name = first(o)->name;
    str_add(&command, "exec");
    add_word(&command, program);
    add_word(&command, "merge");
    for (size_t i = 0; i < o->plan_count; i++) {
        char *report = report_of(o->plans[i], 1, 1);
        add_word(&command, report);
        free(report);
    }
    push(w, "sbatch");
    push(w, "--parsable");
    push_common(w, o);
    push(w, arena_printf(a, "--dependency=afterany:%s", job));
    push(w, arena_printf(a, "--job-name=%s-merge", name));
    push(w, arena_printf(a, "--output=reports/%s.merge.log", name));
    push(w, "--open-mode=append");
    push(w, "--time=10");
    push(w, "--mem=2G");
    push(w, arena_printf(a, "--wrap=%s", command.text));
    str_release(&command);
}

static void print_words(const struct words *w, FILE *out)
{
    struct str s = {0};
    for (size_t i = 0; i < w->count; i++) add_word(&s, w->items[i]);
    fprintf(out, "#  %s\n", s.text);
    str_release(&s);
}

// "123" of "123;cluster"
static char *job_id(const char *said, struct arena *a) { return arena_strndup(a, said, strcspn(said, ";\n")); }

static int submit(const struct submit_options *o, const char *script, const char *program, struct arena *a, FILE *out,
    struct diags *d)
{
    struct words array = {0}, merge = {0};
    struct str said = {0};
    const char *name = first(o)->name, *id = "JOB", *merge_id = "";
    array_words(&array, o, script);
    if (o->dry_run) {
        fprintf(out, "# would be written to %s and submitted with\n", script);
        print_words(&array, out);
        merge_words(&merge, o, id, program, a);
        print_words(&merge, out);
    } else if (command_output(array.items, &said, d)) {
        id = job_id(said.text, a);
        fprintf(out, "job %s: %u tasks of %s\n", id, o->shards, script);
        merge_words(&merge, o, id, program, a);
        str_clear(&said);
        if (command_output(merge.items, &said, d)) {
            merge_id = job_id(said.text, a);
            fprintf(out, "job %s: merges into reports/%s.csv when they are over\n", merge_id, name);
        }
        fprintf(out, "watch:  squeue -j %s%s%s   gpuexp status %s   tail -f reports/%s.1.log\n", id,
            *merge_id ? "," : "", merge_id, o->file, name);
        fprintf(out, "end:    scancel %s   (submit again to go on)\n", id);
    }
    str_release(&said);
    free(array.items);
    free(merge.items);
    return diags_exit_status(d);
}

int submit_run(const struct submit_options *o, FILE *out, struct diags *d)
{
    struct arena *a = arena_new();
    struct submit_size size;
    char program[PATH_MAX] = "gpuexp", *script, *path = arena_printf(a, "reports/%s.sbatch", first(o)->name);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    int status = 0;
    if (n > 0) program[n] = '\0';
    submit_measure(o, &size);
    script = submit_script(o, &size, program);
    if (o->dry_run) fputs(script, out);
    // The folder must be there before SLURM opens the tasks' logs in it.
    else if (!file_make_folders(path, d) || !file_write(path, script, strlen(script), d)) status = diags_exit_status(d);
    if (!status) status = submit(o, path, program, a, out, d);
    free(script);
    arena_free(a);
    return status;
}
