// The table of schedulers, and what is the same for all of them.
// SPDX-License-Identifier: MIT
#include "cluster/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "cluster/command.h"

const struct scheduler *const scheduler_table[] = {&scheduler_slurm, &scheduler_pbs, NULL};

const struct scheduler *scheduler_here(void)
{
    for (const struct scheduler *const *s = scheduler_table; *s; s++)
        if (command_exists((*s)->program)) return *s;
    return scheduler_table[0];
}

static unsigned count_list(const char *list)
{
    unsigned n = list && *list ? 1 : 0;
    for (; list && *list; list++) n += *list == ',';
    return n;
}

// Where a scheduler gives no GPU to a single task, every task of a node sees all of them: each takes its own.
static void choose_gpu(struct cluster_job *j, const struct device_ops *ops, unsigned visible)
{
    j->gpu = -1;
    if (visible < 2 || j->rank_on_node < 0) return;
    j->gpu = (int)((unsigned)j->rank_on_node % visible);
    ops->spec(j->gpu, j->device);
    j->device_list[0] = j->device;
    j->devices = j->device_list;
}

static void describe(struct cluster_job *j, const char *gpus)
{
    LOCAL(str_release) struct str words = {0};
    str_addf(&words, "%s %s", j->scheduler->name, j->id);
    if (j->restarts) str_addf(&words, ", restart %u", j->restarts);
    if (j->node) str_addf(&words, ", node %s", j->node);
    if (gpus && *gpus) str_addf(&words, ", gpus %s", gpus);
    if (j->gpu >= 0) str_addf(&words, ", of them %s", j->device);
    if (j->shards > 1) str_addf(&words, ", shard %u of %u", j->shard, j->shards);
    snprintf(j->words, sizeof j->words, "%s", words.text);
}

bool scheduler_job(struct cluster_job *j, scheduler_variable *variable, struct diags *d)
{
    const char *gpus = NULL;
    for (const struct scheduler *const *s = scheduler_table; *s; s++) {
        *j = (struct cluster_job){.scheduler = *s, .rank_on_node = -1, .gpu = -1, .end = NAN};
        if (!(*s)->read(j, variable, d)) {
            if (diags_errors(d)) return false;
            continue;
        }
        const struct device_ops *ops = device_visible(variable, &gpus);
        choose_gpu(j, ops, count_list(gpus));
        describe(j, gpus);
        return true;
    }
    return false;
}

// A limit can be moved while the job runs, so it is asked for again: seldom while it is far, often when it is near.
static void ask(struct cluster_job *j)
{
    j->asked = clock_seconds();
    double left = j->scheduler->time_left(j);
    if (!isnan(left)) j->end = clock_seconds() + left;
}

double scheduler_time_left(void *job)
{
    struct cluster_job *j = job;
    double t = clock_seconds();
    if (j->asked <= 0 || t - j->asked > 60 || (j->end - t < 150 && t - j->asked > 5)) ask(j);
    return isnan(j->end) ? INFINITY : j->end - clock_seconds();
}

bool scheduler_should_requeue(struct cluster_job *j, const struct run_summary *s, char why[256])
{
    why[0] = '\0';
    if (s->end != RUN_OUT_OF_TIME && s->end != RUN_STOPPED) return false;
    if (s->end == RUN_STOPPED) { // SIGTERM comes at the time limit and when the job is cancelled: the scheduler knows
        ask(j);
        if (!j->limit_reached) {
            snprintf(why, 256,
                "stopped by a signal, not by the job's time limit: not requeued (a job that is preempted is requeued "
                "by the "
                "scheduler itself)");
            return false;
        }
    }
    if (!s->measured && !s->waited) {
        snprintf(why, 256,
            "the job's time limit leaves no room for a single point: not requeued; ask for more time (%s)",
            j->scheduler->more_time);
        return false;
    }
    snprintf(why, 256, "job %s is requeued and goes on where it stopped, with %zu points left", j->id, s->left);
    return true;
}
