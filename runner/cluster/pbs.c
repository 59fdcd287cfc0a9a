// PBS Pro and OpenPBS: their variables, their commands and their options. No other file of the program names one of
// them. What differs from other schedulers: a task begins in the home folder, a job is not told before its time is
// over, only an operator may put a job back, and a task of an array cannot be bound to a node.
// SPDX-License-Identifier: MIT
#include "cluster/scheduler.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "base/str.h"

enum { MOST_TASKS = 10000, KILLED_EARLY = 15 }; // of an array, where the server does not say; s

// An array's task knows its number, and not how many there are.
static bool read_job(struct cluster_job *j, scheduler_variable *variable, struct diags *d)
{
    const char *id = variable("PBS_JOBID"), *task = variable("PBS_ARRAY_INDEX");
    (void)d;
    if (!id || !*id) return false;
    snprintf(j->id, sizeof j->id, "%s", id);
    j->of_unknown = task && *task;
    return true;
}

// Long lines are folded: what follows begins with a tab.
static void unfold(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (from[0] == '\n' && from[1] == '\t') from++;
        else *to++ = *from;
    }
    *to = '\0';
}

// The value in "    NAME = VALUE", from `text` on; NULL: it has none before `end`.
static const char *value_of(const char *text, const char *end, const char *name, struct arena *a)
{
    const size_t n = strlen(name);
    for (const char *line = text; line && line < end; line = strchr(line, '\n'), line += line != NULL) {
        const char *p = line + strspn(line, " ");
        if (strncmp(p, name, n) == 0 && strncmp(p + n, " = ", 3) == 0)
            return arena_strndup(a, p + n + 3, strcspn(p + n + 3, "\n"));
    }
    return NULL;
}

// What a command says, unfolded; NULL after diags.
static char *ask(const char *const *argv, struct arena *a, struct diags *d)
{
    struct str out = {0};
    char *said = command_output(argv, &out, d) ? arena_strdup(a, out.text) : NULL;
    str_release(&out);
    if (said) unfold(said);
    return said;
}

// The limit counts from the start, which is the last one where the job was run again.
static double time_left(struct cluster_job *j)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    const char *argv[] = {"qstat", "-f", j->id, NULL};
    const char *said = ask(argv, a, &ignored), *end = said ? said + strlen(said) : NULL;
    const char *limit = said ? value_of(said, end, "Resource_List.walltime", a) : NULL,
               *start = said ? value_of(said, end, "stime", a) : NULL;
    struct tm tm = {.tm_isdst = -1};
    unsigned hours, minutes, seconds;
    double left = NAN;
    if (start && !limit) left = INFINITY;
    else if (start && sscanf(limit, "%u:%u:%u", &hours, &minutes, &seconds) == 3 &&
        strptime(start, "%a %b %d %H:%M:%S %Y", &tm))
        left = difftime(mktime(&tm), time(NULL)) + 3600.0 * hours + 60.0 * minutes + seconds;
    j->limit_reached = left < KILLED_EARLY;
    return left;
}

// The task is sent again, as a job of its own, and the merge behind it: the first merge may be over before.
static bool requeue(const struct cluster_job *j, struct diags *d)
{
    const char *script = getenv("SUBMITTED_SCRIPT"), *task = getenv("SUBMITTED_TASK");
    if (!script || !task)
        return diag_system(d, "submit it again: what is measured already is not measured again",
            "job %s was not made by `gpuexp submit`, and only an operator may put it back into the queue", j->id);
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *dot = strrchr(script, '.');
    const char *merge = arena_printf(a, "%.*s.merge%s", (int)(dot ? dot - script : 0), script, dot ? dot : "");
    const char *again[] = {"qsub", "-v", arena_printf(a, "SUBMITTED_TASK=%s", task), script, NULL};
    const char *id = scheduler_submitted(&scheduler_pbs, again, a, d);
    bool ok = id != NULL;
    if (ok && file_exists(merge)) {
        const char *behind[] = {"qsub", "-W", arena_printf(a, "depend=afterany:%s", id), merge, NULL};
        ok = scheduler_submitted(&scheduler_pbs, behind, a, d) != NULL;
    }
    return ok;
}

// Of two values of one thing none is sure to win.
static bool own_says(const char *const *own, const char *what)
{
    bool says = false;
    for (; own && *own; own++) says |= strstr(*own, what) != NULL;
    return says;
}

static void add_limit(const char *const *own, unsigned minutes, struct str *s)
{
    if (!own_says(own, "walltime=")) str_addf(s, "#PBS -l walltime=%u:%02u:00\n", minutes / 60, minutes % 60);
}

// What it prints is copied when it is over, but for what it writes itself.
static void common_head(const char *name, const char *queue, const char *const *own, struct str *s)
{
    str_addf(s, "#PBS -N %s\n#PBS -r y\n#PBS -j oe\n#PBS -o /dev/null\n", name);
    if (queue) str_addf(s, "#PBS -q %s\n", queue);
    scheduler_own("#PBS", own, s);
    str_add(s, "\ncd \"$PBS_O_WORKDIR\" || exit 1\n");
}

static void task_lines(const char *name, const char *script, struct str *s)
{
    str_add(s, "task=${PBS_ARRAY_INDEX:-${SUBMITTED_TASK:-1}}\n");
    str_addf(s, "exec >> \"reports/%s.$task.log\" 2>&1\n", name);
    if (script)
        str_addf(s, "export SUBMITTED_TASK=$task SUBMITTED_SCRIPT=%s # by which it sends itself again\n", script);
}

static void head(const struct submit_options *o, const struct submit_size *z, struct str *s)
{
    LOCAL(str_release) struct str script = {0};
    if (!own_says(o->own, "select="))
        str_addf(s, "#PBS -l select=1:ncpus=4:mem=%ugb%s\n", z->gib, z->gpu ? ":ngpus=1" : "");
    add_limit(o->own, z->minutes, s);
    common_head(submit_name(o), o->partition, o->own, s);
    str_addf(&script, "reports/%s%s", submit_name(o), scheduler_pbs.suffix);
    task_lines(submit_name(o), script.text, s);
}

// Of the user's own options those that say where a job may run and who pays are for the merge too; sizes are not.
static void second_head(const char *name, const char *log, const char *queue, const char *const *own, struct str *s)
{
    struct command_words both = {0};
    LOCAL(str_release) struct str job = {0};
    for (size_t i = 0; own && own[i]; i++) {
        if (own[i][0] != '-' || !own[i][1] || !strchr("APqu", own[i][1])) continue;
        command_add(&both, own[i]);
        if (!own[i][2] && own[i + 1]) command_add(&both, own[++i]);
    }
    str_addf(&job, "%s-merge", name);
    str_add(s, "#PBS -l select=1:ncpus=1:mem=2gb\n#PBS -l walltime=0:10:00\n");
    common_head(job.text, queue, both.items, s);
    str_addf(s, "exec >> \"reports/%s.log\" 2>&1\n", log);
    free(both.items);
}

// Which node, and all of it, says the command that submits (submit_on).
static void nodes_head(const struct everywhere *e, size_t tasks, unsigned minutes, struct str *s)
{
    (void)tasks;
    str_add(s, "#\n");
    add_limit(e->own, minutes, s);
    common_head(e->command, e->partition, e->own, s);
    task_lines(e->command, NULL, s);
}

static bool is_up(const char *state)
{
    static const char *const good[] = {"free", "job-busy", "job-exclusive", "busy", "resv-exclusive", NULL};
    for (size_t i = 0; good[i]; i++)
        if (strcmp(state, good[i]) == 0) return true;
    return false;
}

// Some resource of the node has that value: resources_available.gpu_model = h200.
static bool has_feature(const char *text, const char *end, const char *word)
{
    static const char resource[] = "resources_available.";
    LOCAL(arena_drop) struct arena *a = arena_new();
    bool found = false;
    for (const char *line = text; line && line < end && !found; line = strchr(line, '\n'), line += line != NULL) {
        const char *p = line + strspn(line, " "), *is = strstr(p, " = ");
        if (strncmp(p, resource, strlen(resource)) == 0 && is)
            found = scheduler_listed(arena_strndup(a, is + 3, strcspn(is + 3, "\n")), ',', word);
    }
    return found;
}

struct chosen {
    const char *spec, *queue;
    unsigned long most; // a number was asked for; 0: it was not
    bool all, named;
};

static void consider(const struct chosen *c, const char *name, const char *text, const char *end, struct arena *a,
    struct scheduler_nodes *found)
{
    const char *state = value_of(text, end, "state", a), *queue = value_of(text, end, "queue", a);
    if (!state) state = "unknown";
    if (c->queue && queue && strcmp(queue, c->queue) != 0) return; // a node of another queue alone
    const bool up = is_up(state);
    const bool mine = c->most ? up && found->count < c->most
        : c->named            ? scheduler_listed(c->spec, ',', name)
                              : c->all || scheduler_listed(state, ',', c->spec) || has_feature(text, end, c->spec);
    if (!mine) return;
    found->names[found->count] = name;
    found->states[found->count] = state;
    found->up[found->count++] = up;
}

// A name at the beginning of a line, its attributes behind it.
static bool nodes(const char *spec, const char *queue, struct arena *a, struct scheduler_nodes *found, struct diags *d)
{
    const char *argv[] = {"pbsnodes", "-a", NULL};
    char *text = ask(argv, a, d), *rest;
    struct chosen c = {.spec = spec, .queue = queue, .most = strtoul(spec, &rest, 10)};
    size_t lines = 1;
    if (!text) return false;
    if (rest == spec || *rest) c.most = 0;
    c.all = strcmp(spec, "all") == 0;
    c.named = strchr(spec, ',');
    for (const char *p = text; (p = strchr(p, '\n')); p++) lines++;
    *found = (struct scheduler_nodes){arena_alloc(a, lines * sizeof(char *)), arena_alloc(a, lines * sizeof(char *)),
        arena_alloc(a, lines * sizeof(bool)), 0};
    for (int round = 0; round < 2; round++) // whether one of them is called so, is known at the end of the first
        for (const char *p = text, *next; *p; p = next) {
            const char *name = arena_strndup(a, p, strcspn(p, "\n"));
            for (next = p; (next = strchr(next, '\n')) && (next[1] == ' ' || next[1] == '\n');) next++;
            next = next ? next + 1 : p + strlen(p);
            if (!*name || *name == ' ') continue;
            if (round) consider(&c, name, p, next, a, found);
            else c.named |= strcmp(name, spec) == 0;
        }
    return scheduler_found(found, spec, c.named ? spec : NULL, ',', c.most,
        "see pbsnodes -a: names separated by commas, `all`, how many, a state or a resource's value", d);
}

static const char *submit_on(const char *script, const char *const *on, size_t count, struct arena *a, struct diags *d)
{
    LOCAL(str_release) struct str ids = {0};
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        const char *argv[] = {"qsub", "-v", arena_printf(a, "SUBMITTED_TASK=%zu", i + 1), "-l",
            arena_printf(a, "select=1:host=%s", on[i]), "-l", "place=exclhost", script, NULL};
        const char *id = scheduler_submitted(&scheduler_pbs, argv, a, d);
        ok = id != NULL;
        if (ok) str_addf(&ids, "%s%s", i ? ":" : "", id);
    }
    return ok ? arena_strdup(a, ids.text ? ids.text : "") : NULL;
}

static void drain(const char *node, const char *reason, struct arena *a, struct command_words *c)
{
    char *comment = arena_strdup(a, reason);
    for (char *p = comment; *p; p++)
        if (*p == '"') *p = '\'';
    command_add(c, "qmgr");
    command_add(c, "-c");
    command_add(c, arena_printf(a, "set node %s state = offline, comment = \"%s\"", node, comment));
}

static void submit(const char *script, unsigned tasks, const char *after, struct arena *a, struct command_words *c)
{
    command_add(c, "qsub");
    if (tasks > 1) { // not in the script: a task that is sent again is no array
        command_add(c, "-J");
        command_add(c, arena_printf(a, "1-%u", tasks));
    }
    if (after) {
        command_add(c, "-W");
        command_add(c, arena_printf(a, "depend=afterany:%s", after));
    }
    command_add(c, script);
}

static void again(const char *script, unsigned tasks, const char *merge, struct str *s)
{
    if (merge) str_addf(s, "qsub -W depend=afterany:$(qsub -J 1-%u %s) %s", tasks, script, merge);
    else str_addf(s, "qsub %s", script);
}

static unsigned most_tasks(void)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    const char *argv[] = {"qstat", "-B", "-f", NULL};
    const char *said = ask(argv, a, &ignored);
    const char *most = said ? value_of(said, said + strlen(said), "max_array_size", a) : NULL;
    const unsigned n = !said ? 0 : most ? (unsigned)strtoul(most, NULL, 10) : MOST_TASKS;
    return n;
}

static char *job_id(const char *said, struct arena *a) { return arena_strndup(a, said, strcspn(said, "\n")); }

// Jobs of that name which were sent from that folder; of an array the tasks that wait.
static int waiting(const char *text, const char *folder, struct arena *a)
{
    static const char begin[] = "Job Id: ";
    int tasks = 0;
    for (const char *p = strstr(text, begin), *next; p; p = next) {
        next = strstr(p + 1, begin);
        const char *end = next ? next : p + strlen(p);
        const char *variables = value_of(p, end, "Variable_List", a),
                   *counts = value_of(p, end, "array_state_count", a);
        unsigned queued;
        if (!variables || !scheduler_listed(variables, ',', arena_printf(a, "PBS_O_WORKDIR=%s", folder))) continue;
        tasks += counts && sscanf(counts, "Queued:%u", &queued) == 1 ? (int)queued : 1;
    }
    return tasks;
}

static int queued(const char *script)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    char *folder = arena_strdup(a, script), *name = strrchr(folder, '/');
    const struct passwd *me = getpwuid(getuid());
    int tasks = -1;
    if (name && me) {
        *name++ = '\0';
        name[strlen(name) - strlen(scheduler_pbs.suffix)] = '\0';
        char *up = strrchr(folder, '/');
        if (up) *up = '\0';
        const char *which[] = {"qselect", "-u", me->pw_name, "-N", name, NULL};
        char *ids = ask(which, a, &ignored), *rest = NULL;
        struct command_words about = {0};
        command_add(&about, "qstat");
        command_add(&about, "-f");
        for (char *id = ids ? strtok_r(ids, "\n", &rest) : NULL; id; id = strtok_r(NULL, "\n", &rest))
            command_add(&about, id);
        const char *said = ids && about.count > 2 ? ask(about.items, a, &ignored) : NULL;
        tasks = said ? waiting(said, folder, a) : ids && about.count == 2 ? 0 : -1;
        free(about.items);
    }
    return tasks;
}

static void watch(const struct submit_options *o, const char *id, const char *merge_id, FILE *out)
{
    say(out, "watch:  qstat -t '%s'%s%s   gpuexp status %s   tail -f reports/%s.1.log\n", id, *merge_id ? " " : "",
        merge_id, o->file, submit_name(o));
    say(out, "end:    qdel '%s'   (submit again to go on)\n", id);
}

const struct scheduler scheduler_pbs = {
    .name = "pbs",
    .program = "qsub",
    .suffix = ".pbs",
    .task = "$task",
    .more_time = "qsub -l walltime",
    .read = read_job,
    .time_left = time_left,
    .requeue = requeue,
    .head = head,
    .second_head = second_head,
    .again = again,
    .most_tasks = most_tasks,
    .nodes = nodes,
    .nodes_head = nodes_head,
    .submit_on = submit_on,
    .drain = drain,
    .submit = submit,
    .job_id = job_id,
    .queued = queued,
    .watch = watch,
};
