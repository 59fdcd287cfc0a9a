// Which nodes, in which task; then the reports of all are judged together.
// SPDX-License-Identifier: MIT
#include "cluster/everywhere.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "cluster/command.h"
#include "cluster/scheduler.h"
#include "store/runfile.h"

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

static void send(const struct everywhere *e, const struct chosen_nodes *p, const char *const paths[2], FILE *out,
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
        if (ok && !e->dry_run) send(e, &p, paths, out, d);
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
