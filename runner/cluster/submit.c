// Sizes, writes and submits; see submit.h.
// SPDX-License-Identifier: MIT
#include "cluster/submit.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/machine.h"
#include "base/say.h"
#include "base/text.h"
#include "cluster/scheduler.h"
#include "lua/script.h"
#include "plan/asks.h"
#include "run/run.h"
#include "store/runfile.h"
#include "study/pacing.h"

static bool submit_partition_fits(const char *name, struct diags *);

// Sixteen GPUs, a minute each, and time to start; what `scontrol` takes; the exit status of what the system refuses.
enum { MINUTES = 30, REASON_MOST = 60, NODES_MOST = 100000, EXIT_OF_SYSTEM = 3 };

struct chosen_nodes { // the nodes that were asked for
    struct arena *arena;
    struct scheduler_nodes found;
    const char **tested; // those that a task is for
    size_t count, kept;  // kept: have a report already
};

// All that was begun on the node came to its end. (A node that died in the middle is tested again.)
static bool has_report(const char *command, const char *node, struct arena *a)
{
    glob_t found = {0};
    bool whole = glob(arena_printf(a, "reports/%s.%s.*.run.yaml", command, node), 0, NULL, &found) == 0;
    for (size_t i = 0; i < found.gl_pathc && whole; i++) {
        const size_t stem = strlen(found.gl_pathv[i]) - strlen(".run.yaml");
        LOCAL(mem_drop) char *facts = runfile_read(arena_printf(a, "%.*s.csv", (int)stem, found.gl_pathv[i]));
        char *end = facts ? runfile_get(facts, "end", -1) : NULL;
        whole = end && strcmp(end, "complete") == 0;
        free(end);
    }
    globfree(&found);
    return whole;
}

// "n[3-8,11]" behind what is known of the name; `names` NULL: they are counted alone.
static size_t expand(const char *known, const char *rest, struct arena *a, const char **names, size_t count)
{
    const char *open = strchr(rest, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close) {
        if (names) names[count] = arena_printf(a, "%s%s", known, rest);
        return count + 1;
    }
    for (const char *p = open + 1; p < close && count < NODES_MOST; p += strcspn(p, ",]") + 1) {
        char *end;
        const unsigned long from = strtoul(p, &end, 10), to = *end == '-' ? strtoul(end + 1, NULL, 10) : from;
        const int width = (int)strcspn(p, "-,]"); // n[01-12]: zeros in front
        for (unsigned long i = from; i <= to && count < NODES_MOST; i++)
            count = expand(arena_printf(a, "%s%.*s%0*lu", known, (int)(open - rest), rest, width, i), close + 1, a,
                names, count);
    }
    return count;
}

// What was typed, as names of nodes: "n1,n[3-8]". A comma in brackets parts no names.
static size_t read_names(const char *spec, struct arena *a, const char **names)
{
    size_t count = 0;
    int depth = 0;
    for (const char *p = spec, *begin = spec;; p++) {
        depth += (*p == '[') - (*p == ']');
        if (*p && (*p != ',' || depth > 0)) continue;
        if (p > begin) count = expand("", arena_strndup(a, begin, (size_t)(p - begin)), a, names, count);
        if (!*p || count >= NODES_MOST) return count;
        begin = p + 1;
    }
}

// To look at the scripts no scheduler is needed, where the nodes' names are known.
static bool take_names(const struct everywhere *e, struct chosen_nodes *p, FILE *out, struct diags *d)
{
    struct scheduler_nodes *f = &p->found;
    const bool names = strcmp(e->nodes, "all") != 0 && e->nodes[strspn(e->nodes, "0123456789")];
    if (!names)
        return diag_system(d, "give names, as in --nodes n1,n[3-8]; or ask where the scheduler answers",
            "which nodes are meant by --nodes %s, only the scheduler knows", e->nodes);
    diags_clear(d);
    f->count = read_names(e->nodes, p->arena, NULL);
    f->names = arena_alloc(p->arena, (f->count + 1) * sizeof *f->names);
    f->states = arena_alloc(p->arena, (f->count + 1) * sizeof *f->states);
    f->up = arena_alloc(p->arena, (f->count + 1) * sizeof *f->up);
    read_names(e->nodes, p->arena, f->names);
    for (size_t i = 0; i < f->count; i++) f->states[i] = "not known", f->up[i] = true;
    say(out, "# no scheduler answers here: --nodes is taken for names, and each for a node that is up\n");
    return true;
}

static bool choose(const struct everywhere *e, struct chosen_nodes *p, FILE *out, struct diags *d)
{
    if (!scheduler_here()->nodes(e->nodes, e->partition, p->arena, &p->found, d) &&
        (!e->dry_run || diags_exit_status(d) != EXIT_OF_SYSTEM || !take_names(e, p, out, d)))
        return false;
    p->tested = arena_alloc(p->arena, (p->found.count + 1) * sizeof *p->tested);
    for (size_t i = 0; i < p->found.count; i++) {
        const bool kept = !e->fresh && has_report(e->command, p->found.names[i], p->arena);
        p->kept += kept;
        if (!kept && p->found.up[i]) p->tested[p->count++] = p->found.names[i];
    }
    return true;
}

static void line(struct str *s, const char *before, const char *program, const char *behind)
{
    str_add(s, before);
    text_add_word(s, program);
    str_addf(s, " %s\n", behind);
}

static void begin(const struct everywhere *e, const char *what, struct str *s)
{
    str_addf(s, SUBMIT_BEGINS " %s --nodes %s`. %s\n", e->command, e->nodes, what);
}

static char *task_script(const struct everywhere *e, const struct chosen_nodes *p, const char *program)
{
    struct str s = {0};
    begin(e, "A task is bound to its node when it is submitted:", &s);
    for (size_t i = 0; i < p->count; i++) str_addf(&s, "# task %zu: %s\n", i + 1, p->tested[i]);
    scheduler_here()->nodes_head(e, p->count, MINUTES, &s);
    str_add(&s, "\nexec ");
    text_add_word(&s, program);
    str_addf(&s, " %s", e->command);
    if (e->device) str_add(&s, " -d "), text_add_word(&s, e->device);
    str_add(&s, "\n");
    return str_take(&s);
}

static char *judge_script(const struct everywhere *e, const struct chosen_nodes *p, const char *program)
{
    struct str s = {0}, names = {0};
    for (size_t i = 0; i < p->found.count; i++) str_addf(&names, "%s%s", i ? "," : "", p->found.names[i]);
    const char *all = arena_printf(p->arena, "%s --nodes %s reports/%s.*.csv", e->command, names.text, e->command);
    begin(e, "All are judged when the tasks are over:", &s);
    str_add(&s, "# as a page, for machines, for people.\n");
    str_add(&s, "#\n");
    scheduler_here()->second_head(e->command, e->command, e->partition, e->own, &s);
    str_add(&s, "\nshopt -s nullglob\n");
    line(&s, "", program, arena_printf(p->arena, "%s --format html", all));
    line(&s, "", program, arena_printf(p->arena, "%s --format openmetrics -o reports/%s.prom", all, e->command));
    line(&s, "exec ", program, all);
    str_release(&names);
    return str_take(&s);
}

static void send_all(const struct everywhere *e, const struct chosen_nodes *p, const char *const paths[2], FILE *out,
    struct diags *d)
{
    const struct scheduler *scheduler = scheduler_here();
    struct command_words judge = {0};
    const char *id = scheduler->submit_on(paths[0], p->tested, p->count, p->arena, d), *judge_id = NULL;
    if (id) {
        say(out, "job %s: %s on %zu node%s, one task each; reports/%s.1.log\n", id, e->command, p->count,
            p->count == 1 ? "" : "s", e->command);
        scheduler->submit(paths[1], 1, id, p->arena, &judge);
        judge_id = scheduler_submitted(scheduler, judge.items, p->arena, d);
    }
    if (judge_id)
        say(out, "job %s: judges all when they are over; reports/%s.log, reports/%s.html\n", judge_id, e->command,
            e->command);
    free(judge.items);
}

static void say_others(const struct everywhere *e, const struct chosen_nodes *p, FILE *out)
{
    for (size_t i = 0; i < p->found.count; i++)
        if (!p->found.up[i]) say(out, "%s: %s; it is not tested\n", p->found.names[i], p->found.states[i]);
    if (p->kept)
        say(out, "%zu node%s %s a report already: --fresh tests %s again\n", p->kept, p->kept == 1 ? "" : "s",
            p->kept == 1 ? "has" : "have", p->kept == 1 ? "it" : "them");
    if (!p->count) say(out, "no node is left to test by `%s`\n", e->command);
}

int everywhere_submit(const struct everywhere *e, FILE *out, struct diags *d)
{
    struct chosen_nodes p = {.arena = arena_new()};
    const char *suffix = scheduler_here()->suffix;
    const char *const paths[2] = {arena_printf(p.arena, "reports/%s%s", e->command, suffix),
        arena_printf(p.arena, "reports/%s.merge%s", e->command, suffix)};
    char program[PATH_MAX] = "gpuexp";
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0) program[n] = '\0';
    bool ok = submit_partition_fits(e->partition, d) && submit_own_fit(e->own, d) && choose(e, &p, out, d);
    if (ok) say_others(e, &p, out);
    if (ok && p.count) {
        char *const texts[2] = {task_script(e, &p, program), judge_script(e, &p, program)};
        for (int i = 0; i < 2 && ok; i++) {
            if (e->dry_run) say(out, "# would be written to %s\n%s", paths[i], texts[i]);
            else
                ok = file_make_folders(paths[i], d) &&
                    file_write_over(paths[i], texts[i], strlen(texts[i]), SUBMIT_BEGINS, d);
        }
        if (ok && !e->dry_run) send_all(e, &p, paths, out, d);
        free(texts[0]);
        free(texts[1]);
    }
    arena_free(p.arena);
    return diags_exit_status(d);
}

bool everywhere_drain(const char *node, const char *reason, bool tell, FILE *out, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct command_words words = {0};
    LOCAL(str_release) struct str s = {0}, said = {0};
    scheduler_here()->drain(node, arena_printf(a, "%.*s", REASON_MOST, reason), a, &words);
    for (size_t i = 0; i < words.count; i++) {
        if (i) str_add(&s, " ");
        text_add_word(&s, words.items[i]);
    }
    say(out, "%s\n", s.text);
    const bool ok = !tell || command_output(words.items, &said, d);
    free(words.items);
    return ok;
}

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

// Seconds a point; `gpu`: its tasks run on one. What the simulator itself takes is not known.
static double pace_of(const struct submit_options *o, const struct plan *p, bool gpu, enum submit_by *by)
{
    double pace = submit_pace(p, o->shards, NULL);
    enum submit_by is = SUBMIT_BY_RUN;
    if (isnan(pace) && gpu) pace = pacing_expect(p, "sim") / (double)plan_count(p), is = SUBMIT_BY_MODEL;
    // Compiling, allocating, verifying, warming up.
    if (isnan(pace)) pace = plan_experiment(p)->goals.max_time + 1.5, is = SUBMIT_BY_FILE;
    if (is > *by) *by = is;
    return pace;
}

void submit_measure(const struct submit_options *o, struct submit_size *s)
{
    double memory = 0, total = 0;
    *s = (struct submit_size){0};
    for (size_t i = 0; i < o->plan_count; i++) {
        size_t points = plan_count(o->plans[i]), a_task = (points + o->shards - 1) / o->shards;
        struct submit_size of = {0};
        look_at_points(o->plans[i], &memory, &of);
        s->gpu |= of.gpu, s->any_device |= of.any_device;
        const double pace = pace_of(o, o->plans[i], of.gpu, &s->by);
        s->points += points;
        s->a_task += a_task;
        s->seconds += pace * (double)a_task;
        total += pace * (double)points;
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
    static const char *const by[] = {"an earlier run", "the model of an H200", "`measure:`"};
    struct str s = {0}, time = {0};
    units_print_seconds(z->seconds, &time);
    str_add(&s, SUBMIT_BEGINS " ");
    text_add_line(&s, o->file); // a comment must not end within a name
    str_addf(&s, " --shards %u`. Edit it as you like and send it again:\n#   ", o->shards);
    scheduler->again(path_of(o, "", a), o->shards, o->shards > 1 ? path_of(o, ".merge", a) : NULL, &s);
    str_add(&s, "\n# What is measured already is not measured again.\n#\n");
    str_addf(&s, "# %zu points in %u shard%s, at most %zu a task: about %s, by %s (%.2g s a point).\n", z->points,
        o->shards, o->shards > 1 ? "s" : "", z->a_task, time.text, by[z->by], z->seconds_a_point);
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

// In the script it stands in a line that the scheduler reads as it is. NULL fits.
static bool submit_partition_fits(const char *name, struct diags *d)
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
