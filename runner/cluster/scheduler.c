// The table of schedulers, and what is the same for all of them.
// SPDX-License-Identifier: MIT
#include "cluster/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/text.h"

const struct scheduler *const scheduler_table[] = {&scheduler_slurm, &scheduler_pbs, NULL};

const struct scheduler *scheduler_here(void)
{
    for (const struct scheduler *const *s = scheduler_table; *s; s++)
        if (command_exists((*s)->program)) return *s;
    return scheduler_table[0];
}

void scheduler_own(const char *directive, const char *const *own, struct str *s)
{
    if (!own || !*own) return;
    str_add(s, directive);
    for (; *own; own++) {
        str_add(s, " ");
        text_add_word(s, *own);
    }
    str_add(s, "\n");
}

bool scheduler_listed(const char *list, char between, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; p && *p; p = strchr(p, between), p += p != NULL)
        if (strncmp(p, word, n) == 0 && (!p[n] || p[n] == between)) return true;
    return false;
}

const char *scheduler_submitted(const struct scheduler *x, const char *const *argv, struct arena *a, struct diags *d)
{
    LOCAL(str_release) struct str said = {0};
    if (!command_output(argv, &said, d)) return NULL;
    if (!said.size) return diag_system(d, NULL, "%s gave no number for the job", argv[0]), NULL;
    return x->job_id(said.text, a);
}

bool scheduler_found(const struct scheduler_nodes *found, const char *spec, const char *names, char between,
    unsigned long most, const char *hint, struct diags *d)
{
    const char between_text[] = {between, '\0'};
    for (const char *p = names; p && *p; p += strcspn(p, between_text), p += *p == between) {
        const int n = (int)strcspn(p, between_text);
        size_t k = 0;
        while (k < found->count && (strncmp(found->names[k], p, (size_t)n) != 0 || found->names[k][n])) k++;
        if (k == found->count) return diag_user(d, (struct where){0}, hint, "there is no node `%.*s`", n, p);
    }
    if (most && found->count < most)
        return diag_user(d, (struct where){0}, hint, "%zu nodes could take a job, not %s", found->count, spec);
    return found->count ||
        diag_user(d, (struct where){0}, hint, "no node is called `%s`, is in such a state, or has such a feature",
            spec);
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
