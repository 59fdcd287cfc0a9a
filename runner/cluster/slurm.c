// SLURM: its variables, its commands and their options. No other file of the program names one of them.
// SPDX-License-Identifier: MIT
#include "cluster/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/say.h"
#include "base/str.h"

static bool number(scheduler_variable *variable, const char *name, unsigned *n)
{
    const char *text = variable(name);
    char *end;
    unsigned long x = text ? strtoul(text, &end, 10) : 0;
    if (!text || !*text || *end || x > 1000000000) return false;
    *n = (unsigned)x;
    return true;
}

// Which part of the plan is this process's: an array's task, a rank of an srun, or a rank of an array's task.
static bool find_shard(struct cluster_job *j, scheduler_variable *variable, struct diags *d)
{
    unsigned task, least, most, step = 1, count, rank = 0, ranks = 1;
    if (!variable("SLURM_STEP_ID") || !number(variable, "SLURM_PROCID", &rank) ||
        !number(variable, "SLURM_STEP_NUM_TASKS", &ranks) || ranks == 0)
        rank = 0, ranks = 1;
    if (number(variable, "SLURM_ARRAY_TASK_ID", &task) && number(variable, "SLURM_ARRAY_TASK_MIN", &least) &&
        number(variable, "SLURM_ARRAY_TASK_MAX", &most) && number(variable, "SLURM_ARRAY_TASK_COUNT", &count)) {
        if (!number(variable, "SLURM_ARRAY_TASK_STEP", &step) || !step) step = 1;
        if ((most - least) / step + 1 != count)
            return diag_user(d, (struct where){0}, "say which: --shard \"$SLURM_ARRAY_TASK_ID/N\"",
                "an array with holes (%u tasks from %u to %u) does not say how many shards there are", count, least,
                most);
        j->shard = (task - least) / step * ranks + rank + 1;
        j->shards = count * ranks;
    } else if (ranks > 1) {
        j->shard = rank + 1;
        j->shards = ranks;
    }
    return true;
}

// "2(x3),1" of four nodes: how many tasks of this step are on the node of that number.
static unsigned tasks_on_node(const char *list, unsigned node)
{
    unsigned tasks = 0, times;
    int used;
    while (list && sscanf(list, "%u%n", &tasks, &used) == 1) {
        list += used;
        times = 1;
        if (sscanf(list, "(x%u)%n", &times, &used) == 1) list += used;
        if (node < times || *list != ',') return tasks;
        node -= times;
        list++;
    }
    return tasks;
}

static bool read_job(struct cluster_job *j, scheduler_variable *variable, struct diags *d)
{
    unsigned array, task, local, node = 0;
    const char *id = variable("SLURM_JOB_ID");
    if (!id || !*id) return false;
    snprintf(j->id, sizeof j->id, "%s", id);
    if (number(variable, "SLURM_ARRAY_JOB_ID", &array) && number(variable, "SLURM_ARRAY_TASK_ID", &task))
        snprintf(j->id, sizeof j->id, "%u_%u", array, task);
    if (!number(variable, "SLURM_RESTART_COUNT", &j->restarts)) j->restarts = 0;
    number(variable, "SLURM_NODEID", &node);
    const bool alone = tasks_on_node(variable("SLURM_STEP_TASKS_PER_NODE"), node) == 1; // it may use all that is there
    if (variable("SLURM_STEP_ID") && !alone && number(variable, "SLURM_LOCALID", &local)) j->rank_on_node = (int)local;
    j->node = variable("SLURMD_NODENAME");
    return find_shard(j, variable, d);
}

bool scheduler_slurm_time(const char *text, double *seconds)
{
    unsigned days = 0, part[3], parts = 0;
    int used = 0;
    if (strcmp(text, "UNLIMITED") == 0) return *seconds = INFINITY, true;
    if (strchr(text, '-')) {
        if (sscanf(text, "%u-%n", &days, &used) != 1 || !used) return false;
        text += used;
    }
    while (parts < 3 && sscanf(text, "%u%n", &part[parts], &used) == 1) {
        parts++;
        text += used;
        if (*text != ':') break;
        text++;
    }
    if (!parts || *text || (days && parts == 1)) return false;
    *seconds = 86400.0 * days;
    for (unsigned i = 0, unit = 1; i < parts; i++, unit *= 60) *seconds += (double)part[parts - 1 - i] * unit;
    return true;
}

// "2026-11-20T22:48:04", by this machine's clock and zone, as squeue prints it.
static bool parse_moment(const char *text, double *left)
{
    struct tm tm = {.tm_isdst = -1};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    if (!rest || *rest) return false;
    *left = difftime(mktime(&tm), time(NULL));
    return true;
}

// Of the end (%e) and the time left (%L) the nearer holds: moving one does not move the other.
static double time_left(struct cluster_job *j)
{
    const char *argv[] = {"squeue", "-h", "-j", j->id, "-o", "%e %L %r", NULL}, *known = getenv("SLURM_JOB_END_TIME");
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(str_release) struct str out = {0};
    char end[32], left[32], reason[64];
    double x, nearest = NAN;
    j->limit_reached = false;
    if (command_output(argv, &out, &ignored) && out.text &&
        sscanf(out.text, "%31s %31s %63s", end, left, reason) == 3) {
        if (scheduler_slurm_time(left, &x)) nearest = x;
        if (parse_moment(end, &x) && !(x > nearest)) nearest = x;
        j->limit_reached = strcmp(reason, "TimeLimit") == 0;
    } else if (isnan(j->end) && known && *known) {
        nearest = difftime((time_t)strtoll(known, NULL, 10), time(NULL));
    }
    return nearest;
}

static bool tell(const char *const *argv, struct diags *d)
{
    LOCAL(str_release) struct str out = {0};
    return command_output(argv, &out, d);
}

static bool requeue(const struct cluster_job *j, struct diags *d)
{
    return tell((const char *const[]){"scontrol", "requeue", j->id, NULL}, d);
}

static void head(const struct submit_options *o, const struct submit_size *z, struct str *s)
{
    const char *name = submit_name(o);
    str_addf(s, "#SBATCH --job-name=%s\n", name);
    str_addf(s, "#SBATCH --array=1-%u\n", o->shards);
    str_add(s, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=4\n");
    if (z->gpu) str_add(s, "#SBATCH --gres=gpu:1\n");
    str_addf(s, "#SBATCH --mem=%uG\n", z->gib);
    str_addf(s, "#SBATCH --time=%u:%02u:00\n", z->minutes / 60, z->minutes % 60);
    str_addf(s, "#SBATCH --signal=B:USR1@%d\n", SUBMIT_WARNING_SECONDS);
    str_add(s, "#SBATCH --requeue\n#SBATCH --open-mode=append\n");
    str_addf(s, "#SBATCH --output=reports/%s.%%a.log\n", name);
    if (o->partition) str_addf(s, "#SBATCH --partition=%s\n", o->partition);
    scheduler_own("#SBATCH", o->own, s); // the last: of two lines that say one thing SLURM takes the last
    str_add(s, "\n# exec: SLURM's signals go to gpuexp itself.\n");
}

// Of the user's own options those that say where a job may run and who pays are for the merge too; sizes are not.
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

// What a job that comes behind others needs.
static void second_head(const char *name, const char *log, const char *partition, const char *const *own, struct str *s)
{
    struct command_words both = {0};
    for (size_t i = 0; own && own[i]; i++) {
        if (!for_merge_too(own[i])) continue;
        const char *word = own[i];
        command_add(&both, word);
        const bool apart = word[0] == '-' && !strchr(word, '=') && (word[1] == '-' || !word[2]);
        if (apart && own[i + 1]) command_add(&both, own[++i]);
    }
    str_addf(s, "#SBATCH --job-name=%s-merge\n#SBATCH --time=10\n#SBATCH --mem=2G\n", name);
    str_addf(s, "#SBATCH --open-mode=append\n#SBATCH --output=reports/%s.log\n", log);
    if (partition) str_addf(s, "#SBATCH --partition=%s\n", partition);
    scheduler_own("#SBATCH", both.items, s);
    free(both.items);
}

static bool starts(const char *word, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(word, *with, strlen(*with)) == 0) return true;
    return false;
}

// A whole node, unless the user says how many GPUs: then those that SLURM gives. A node that never becomes free must
// not hold up the judgement for ever.
static void nodes_head(const struct everywhere *e, size_t tasks, unsigned minutes, struct str *s)
{
    static const char *const gpus[] = {"--gres", "--gpus", "-G", NULL};
    bool some = false;
    for (size_t i = 0; e->own && e->own[i]; i++) some |= starts(e->own[i], gpus);
    str_addf(s, "#\n#SBATCH --job-name=%s\n#SBATCH --array=1-%zu\n", e->command, tasks);
    str_addf(s, "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n%s", some ? "" : "#SBATCH --exclusive\n");
    str_addf(s, "#SBATCH --time=%u:%02u:00\n#SBATCH --deadline=now+1day\n", minutes / 60, minutes % 60);
    str_addf(s, "#SBATCH --open-mode=append\n#SBATCH --output=reports/%s.%%a.log\n", e->command);
    if (e->partition) str_addf(s, "#SBATCH --partition=%s\n", e->partition);
    scheduler_own("#SBATCH", e->own, s);
}

struct node_line { // of sinfo
    const char *name, *state, *features;
};

static bool is_up(const char *state)
{
    static const char *const good[] = {"idle", "mixed", "allocated", "completing", "reserved", "planned", NULL};
    return starts(state, good) && !strchr(state, '*');
}

// "n1,n[3-5]" as SLURM reads it, a name a line; NULL after diags.
static char *expand(const char *spec, struct arena *a, struct diags *d)
{
    const char *argv[] = {"scontrol", "show", "hostnames", spec, NULL};
    LOCAL(str_release) struct str out = {0};
    return command_output(argv, &out, d) ? arena_strdup(a, out.text) : NULL;
}

static bool nodes(const char *spec, const char *partition, struct arena *a, struct scheduler_nodes *found,
    struct diags *d)
{
    const char *argv[] = {"sinfo", "-h", "-N", "-o", "%N %T %f", partition ? "-p" : NULL, partition, NULL};
    struct str out = {0};
    char *end, *names = NULL;
    const unsigned long most = strtoul(spec, &end, 10);
    const bool number = end != spec && !*end, all = strcmp(spec, "all") == 0;
    bool named = strpbrk(spec, "[,") != NULL;
    size_t lines = 1;
    if (!command_output(argv, &out, d)) return str_release(&out), false;
    char *text = arena_strdup(a, out.text);
    str_release(&out);
    for (const char *p = text; (p = strchr(p, '\n')); p++) lines++;
    *found = (struct scheduler_nodes){arena_alloc(a, lines * sizeof(char *)), arena_alloc(a, lines * sizeof(char *)),
        arena_alloc(a, lines * sizeof(bool)), 0};
    struct node_line *seen = arena_alloc(a, lines * sizeof *seen);
    size_t count = 0;
    for (char *line = text, *next; line && *line; line = next) {
        char *rest = NULL, *name;
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (!(name = strtok_r(line, " ", &rest))) continue;
        const char *state = strtok_r(NULL, " ", &rest), *features = strtok_r(NULL, " ", &rest);
        size_t k = 0;
        while (k < count && strcmp(seen[k].name, name) != 0) k++; // a line for each of its partitions
        if (k == count) seen[count++] = (struct node_line){name, state ? state : "unknown", features ? features : ""};
        named |= strcmp(name, spec) == 0;
    }
    if (named && !(names = expand(spec, a, d))) return false;
    for (size_t i = 0; i < count; i++) {
        const size_t word = strcspn(seen[i].state, "*~#!%$@^+-");
        const bool state = strlen(spec) == word && strncmp(seen[i].state, spec, word) == 0;
        const bool mine = number ? found->count < most && is_up(seen[i].state)
            : named              ? scheduler_listed(names, '\n', seen[i].name)
                                 : all || state || scheduler_listed(seen[i].features, ',', spec);
        if (!mine) continue;
        found->names[found->count] = seen[i].name;
        found->states[found->count] = seen[i].state;
        found->up[found->count++] = is_up(seen[i].state);
    }
    return scheduler_found(found, spec, names, '\n', number ? most : 0,
        "see sinfo: names, `all`, how many, a state or a feature", d);
}

// "123" of "123;cluster"
static char *job_id(const char *said, struct arena *a) { return arena_strndup(a, said, strcspn(said, ";\n")); }

// The array waits until each of its tasks has its node.
static const char *submit_on(const char *script, const char *const *on, size_t count, struct arena *a, struct diags *d)
{
    const char *argv[] = {"sbatch", "--parsable", "--hold", script, NULL};
    const char *id = scheduler_submitted(&scheduler_slurm, argv, a, d);
    for (size_t i = 0; i < count && id; i++) {
        const char *bind[] = {"scontrol", "update", arena_printf(a, "JobId=%s_%zu", id, i + 1),
            arena_printf(a, "ReqNodeList=%s", on[i]), NULL};
        if (!tell(bind, d)) id = NULL;
    }
    return id && tell((const char *const[]){"scontrol", "release", id, NULL}, d) ? id : NULL;
}

static void drain(const char *node, const char *reason, struct arena *a, struct command_words *c)
{
    command_add(c, "scontrol");
    command_add(c, "update");
    command_add(c, arena_printf(a, "NodeName=%s", node));
    command_add(c, "State=DRAIN");
    command_add(c, arena_printf(a, "Reason=%s", reason));
}

static void submit(const char *script, unsigned tasks, const char *after, struct arena *a, struct command_words *c)
{
    (void)tasks; // the script says how many
    command_add(c, "sbatch");
    command_add(c, "--parsable"); // the job's id alone
    if (after) command_add(c, arena_printf(a, "--dependency=afterany:%s", after));
    command_add(c, script);
}

// "MaxArraySize            = 1001": the numbers of tasks stay below it.
static unsigned most_tasks(void)
{
    const char *argv[] = {"scontrol", "show", "config", NULL};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(str_release) struct str out = {0};
    unsigned size = 0;
    const char *at = command_output(argv, &out, &ignored) ? strstr(out.text, "MaxArraySize") : NULL;
    if (!at || sscanf(at, "MaxArraySize = %u", &size) != 1) size = 0;
    return size > 1 ? size - 1 : 0;
}

static void again(const char *script, unsigned tasks, const char *merge, struct str *s)
{
    (void)tasks;
    if (merge) str_addf(s, "sbatch --dependency=afterany:$(sbatch --parsable %s) %s", script, merge);
    else str_addf(s, "sbatch %s", script);
}

static int queued(const char *script)
{
    const char *argv[] = {"squeue", "--me", "-h", "-r", "-o", "%o", NULL};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(str_release) struct str out = {0};
    int tasks = command_output(argv, &out, &ignored) ? 0 : -1;
    for (char *line = out.text, *next; tasks >= 0 && line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        tasks += strcmp(line, script) == 0;
    }
    return tasks;
}

static void watch(const struct submit_options *o, const char *id, const char *merge_id, FILE *out)
{
    say(out, "watch:  squeue -j %s%s%s   gpuexp status %s   tail -f reports/%s.1.log\n", id, *merge_id ? "," : "",
        merge_id, o->file, submit_name(o));
    say(out, "end:    scancel %s   (submit again to go on)\n", id);
}

const struct scheduler scheduler_slurm = {
    .name = "slurm",
    .program = "sbatch",
    .suffix = ".sbatch",
    .task = "$SLURM_ARRAY_TASK_ID",
    .more_time = "sbatch --time",
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
