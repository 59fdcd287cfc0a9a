// Reads SLURM's variables and asks its commands; see slurm.h.
// SPDX-License-Identifier: MIT
#include "cluster/slurm.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "cluster/command.h"

typedef const char *variable_fn(const char *);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool number(variable_fn *variable, const char *name, unsigned *n)
{
    const char *text = variable(name);
    char *end;
    unsigned long x = text ? strtoul(text, &end, 10) : 0;
    if (!text || !*text || *end || x > 1000000000) return false;
    *n = (unsigned)x;
    return true;
}

static unsigned count_list(const char *list)
{
    unsigned n = list && *list ? 1 : 0;
    for (; list && *list; list++) n += *list == ',';
    return n;
}

// Which part of the plan is this process's: an array's task, a rank of an srun, or a rank of an array's task.
static bool find_shard(struct slurm_job *j, variable_fn *variable, struct diags *d)
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

bool slurm_job_read(struct slurm_job *j, variable_fn *variable, struct diags *d)
{
    unsigned array, task, local;
    const char *id = variable("SLURM_JOB_ID"), *node = variable("SLURMD_NODENAME"),
               *gpus = variable("CUDA_VISIBLE_DEVICES");
    unsigned visible = count_list(gpus);
    struct str words = {0};
    *j = (struct slurm_job){.gpu = -1, .end = NAN};
    if (!id || !*id) return false;
    snprintf(j->id, sizeof j->id, "%s", id);
    if (number(variable, "SLURM_ARRAY_JOB_ID", &array) && number(variable, "SLURM_ARRAY_TASK_ID", &task))
        snprintf(j->id, sizeof j->id, "%u_%u", array, task);
    if (!number(variable, "SLURM_RESTART_COUNT", &j->restarts)) j->restarts = 0;
    // Without GPU binding every rank of an srun sees all of the node's: each takes its own.
    if (visible > 1 && variable("SLURM_STEP_ID") && number(variable, "SLURM_LOCALID", &local))
        j->gpu = (int)(local % visible);
    if (j->gpu >= 0) {
        snprintf(j->device, sizeof j->device, "cuda:%d", j->gpu);
        j->device_list[0] = j->device;
        j->devices = j->device_list;
    }
    str_addf(&words, "slurm %s", j->id);
    if (j->restarts) str_addf(&words, ", restart %u", j->restarts);
    if (node) str_addf(&words, ", node %s", node);
    if (visible) str_addf(&words, ", gpus %s", gpus);
    if (j->gpu >= 0) str_addf(&words, ", of them %s", j->device);
    bool whole = find_shard(j, variable, d);
    if (j->shards > 1) str_addf(&words, ", shard %u of %u", j->shard, j->shards);
    snprintf(j->words, sizeof j->words, "%s", words.text);
    str_release(&words);
    return whole;
}

bool slurm_parse_time(const char *text, double *seconds)
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

// A limit can be moved while the job runs, so it is asked for again: seldom while it is far, often when it is near. Of
// the end (%e) and the time left (%L) the nearer holds: moving one does not move the other.
static void ask(struct slurm_job *j)
{
    const char *argv[] = {"squeue", "-h", "-j", j->id, "-o", "%e %L %r", NULL}, *known = getenv("SLURM_JOB_END_TIME");
    struct diags ignored = {0};
    struct str out = {0};
    char end[32], left[32], reason[64];
    double x, nearest = NAN;
    j->asked = now();
    j->limit_reached = false;
    if (command_output(argv, &out, &ignored) && out.text &&
        sscanf(out.text, "%31s %31s %63s", end, left, reason) == 3) {
        if (slurm_parse_time(left, &x)) nearest = x;
        if (parse_moment(end, &x) && !(x > nearest)) nearest = x;
        j->limit_reached = strcmp(reason, "TimeLimit") == 0;
    } else if (isnan(j->end) && known && *known) {
        nearest = difftime((time_t)strtoll(known, NULL, 10), time(NULL));
    }
    if (!isnan(nearest)) j->end = now() + nearest;
    diags_clear(&ignored);
    str_release(&out);
}

double slurm_time_left(void *job)
{
    struct slurm_job *j = job;
    double t = now();
    if (j->asked <= 0 || t - j->asked > 60 || (j->end - t < 150 && t - j->asked > 5)) ask(j);
    return isnan(j->end) ? INFINITY : j->end - now();
}

bool slurm_should_requeue(struct slurm_job *j, const struct run_summary *s, char why[256])
{
    why[0] = '\0';
    if (s->end != RUN_OUT_OF_TIME && s->end != RUN_STOPPED) return false;
    if (s->end == RUN_STOPPED) { // TERM comes at the limit and from scancel: SLURM knows which
        ask(j);
        if (!j->limit_reached) {
            snprintf(why, 256, "stopped by a signal, not by the job's time limit: not requeued");
            return false;
        }
    }
    if (!s->measured && !s->waited) {
        snprintf(why, 256,
            "the job's time limit leaves no room for a single point: not requeued; ask for more time (sbatch --time)");
        return false;
    }
    snprintf(why, 256, "job %s is requeued and goes on where it stopped, with %zu points left", j->id, s->left);
    return true;
}

bool slurm_requeue(const struct slurm_job *j, struct diags *d)
{
    const char *argv[] = {"scontrol", "requeue", j->id, NULL};
    struct str out = {0};
    bool ok = command_output(argv, &out, d);
    str_release(&out);
    return ok;
}
