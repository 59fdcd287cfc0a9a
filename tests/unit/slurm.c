// cluster/scheduler and cluster/slurm: a job's variables become shard, GPU and words; SLURM's times are read; what is
// requeued and what is not, with any scheduler.
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/scheduler.h"

#include "unit/test.h"

static const char *const *environment;

static const char *variable(const char *name)
{
    size_t n = strlen(name);
    for (const char *const *e = environment; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') return *e + n + 1;
    return NULL;
}

static struct cluster_job job_in(const char *const *e, bool inside)
{
    struct cluster_job j;
    struct diags d = {0};
    environment = e;
    CHECK_INT(scheduler_job(&j, variable, &d), inside);
    CHECK_INT(d.count, 0);
    return j;
}
#define IN(inside, ...) job_in((const char *const[]){__VA_ARGS__, NULL}, inside)

static void a_shard_is_an_array_task_or_a_rank_or_both(void)
{
    struct cluster_job j = IN(false, "HOME=/");
    CHECK_INT(j.shards, 0);
    j = IN(true, "SLURM_JOB_ID=12", "SLURM_PROCID=0");
    CHECK_INT(j.shards, 0);
    CHECK_TEXT(j.id, "12");
    CHECK_TEXT(j.words, "slurm 12");
#define ARRAY \
    "SLURM_JOB_ID=15", "SLURM_ARRAY_JOB_ID=12", "SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=1", \
        "SLURM_ARRAY_TASK_MAX=8", "SLURM_ARRAY_TASK_STEP=1", "SLURM_ARRAY_TASK_COUNT=8"
    j = IN(true, ARRAY, "SLURM_RESTART_COUNT=2", "SLURMD_NODENAME=n1", "CUDA_VISIBLE_DEVICES=3");
    CHECK_INT(j.shard, 3);
    CHECK_INT(j.shards, 8);
    CHECK_INT(j.gpu, -1);
    CHECK_TEXT(j.id, "12_3");
    CHECK_TEXT(j.words, "slurm 12_3, restart 2, node n1, gpus 3, shard 3 of 8");
    j = IN(true, "SLURM_JOB_ID=12", "SLURM_STEP_ID=0", "SLURM_PROCID=2", "SLURM_STEP_NUM_TASKS=4");
    CHECK_INT(j.shard, 3);
    CHECK_INT(j.shards, 4);
    j = IN(true, ARRAY, "SLURM_STEP_ID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2");
    CHECK_INT(j.shard, 6);
    CHECK_INT(j.shards, 16);
    j = IN(true, "SLURM_JOB_ID=15", "SLURM_ARRAY_JOB_ID=12", "SLURM_ARRAY_TASK_ID=6", "SLURM_ARRAY_TASK_MIN=0",
        "SLURM_ARRAY_TASK_MAX=8", "SLURM_ARRAY_TASK_STEP=2", "SLURM_ARRAY_TASK_COUNT=5");
    CHECK_INT(j.shard, 4);
    CHECK_INT(j.shards, 5);
    struct diags d = {0};
    environment = (const char *const[]){"SLURM_JOB_ID=15", "SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=3",
        "SLURM_ARRAY_TASK_MAX=8", "SLURM_ARRAY_TASK_COUNT=2", NULL};
    CHECK(!scheduler_job(&j, variable, &d));
    CHECK_INT(diags_exit_status(&d), 2);
    diags_clear(&d);
}

static void a_rank_takes_its_own_of_the_gpus_it_sees(void)
{
#define STEP "SLURM_JOB_ID=12", "SLURM_STEP_ID=0", "SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=8", "SLURM_LOCALID=1"
    struct cluster_job j = IN(true, STEP, "CUDA_VISIBLE_DEVICES=0,1,2,3"); // no binding: all of the node's
    CHECK_INT(j.gpu, 1);
    CHECK_TEXT(j.device, "cuda:1");
    j = IN(true, STEP, "CUDA_VISIBLE_DEVICES=2"); // bound: the one there is
    CHECK_INT(j.gpu, -1);
    CHECK(j.devices == NULL);
    j = IN(true, STEP, "HOME=/");
    CHECK_INT(j.gpu, -1);
    j = IN(true, "SLURM_JOB_ID=12", "CUDA_VISIBLE_DEVICES=0,1"); // a batch script of its own
    CHECK_INT(j.gpu, -1);
}

static void slurm_times_are_read(void)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {
        {"1-02:03:04", 93784}, {"02:03:04", 7384}, {"3:04", 184}, {"0:07", 7}, {"59", 59}, {"2-00:00:00", 172800}};
    double s;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK(scheduler_slurm_time(good[i].text, &s));
        CHECK(s == good[i].seconds);
    }
    CHECK(scheduler_slurm_time("UNLIMITED", &s) && isinf(s));
    CHECK(!scheduler_slurm_time("", &s) && !scheduler_slurm_time("INVALID", &s) &&
        !scheduler_slurm_time("1:2:3:4", &s));
    CHECK(!scheduler_slurm_time("NOT_SET", &s) && !scheduler_slurm_time("3:04 x", &s));
    CHECK(!scheduler_slurm_time("1-02", &s)); // squeue never prints that: no guess
}

// A scheduler of the test's own: the decisions are the same for all of them.
static double seconds_left;
static bool ends_the_job;
static unsigned asked;

static double answer(struct cluster_job *j)
{
    asked++;
    j->limit_reached = ends_the_job;
    return seconds_left;
}

static const struct scheduler other = {.name = "other", .more_time = "qsub -l walltime", .time_left = answer};

static void a_job_that_can_go_on_is_requeued(void)
{
    struct cluster_job j = {.scheduler = &other, .id = "12_3", .end = NAN};
    struct run_summary s = {.end = RUN_OUT_OF_TIME, .measured = 5, .left = 7};
    char why[256];
    CHECK(scheduler_should_requeue(&j, &s, why));
    CHECK_TEXT(why, "job 12_3 is requeued and goes on where it stopped, with 7 points left");
    s.measured = 0; // it never would get anywhere
    CHECK(!scheduler_should_requeue(&j, &s, why));
    CHECK(strstr(why, "ask for more time (qsub -l walltime)") != NULL);
    s.waited = true; // another copy had the report: that ends some time
    CHECK(scheduler_should_requeue(&j, &s, why));
    s = (struct run_summary){.end = RUN_COMPLETE, .measured = 5};
    CHECK(!scheduler_should_requeue(&j, &s, why));
    CHECK_TEXT(why, "");
    s = (struct run_summary){.end = RUN_ABORTED, .measured = 5};
    CHECK(!scheduler_should_requeue(&j, &s, why));
    s = (struct run_summary){
        .end = RUN_STOPPED, .measured = 5}; // by the time limit or by a person: the scheduler knows
    ends_the_job = false;
    CHECK(!scheduler_should_requeue(&j, &s, why));
    ends_the_job = true;
    CHECK(scheduler_should_requeue(&j, &s, why));
}

static void the_time_left_is_asked_for_again_only_when_it_is_near(void)
{
    struct cluster_job j = {.scheduler = &other, .end = NAN};
    asked = 0;
    seconds_left = NAN; // it cannot be asked: no limit is known
    CHECK(isinf(scheduler_time_left(&j)));
    CHECK_INT(asked, 1);
    j.asked = 0;
    seconds_left = 1000;
    double left = scheduler_time_left(&j);
    CHECK(left > 990 && left <= 1000);
    CHECK(scheduler_time_left(&j) <= left);
    CHECK_INT(asked, 2);
    j.end -= 900; // it is near, and was asked a moment ago
    CHECK(scheduler_time_left(&j) <= 100);
    CHECK_INT(asked, 2);
    j.asked -= 6;
    CHECK(scheduler_time_left(&j) > 990);
    CHECK_INT(asked, 3);
}

// The end and the time left are not moved together: the nearer one holds. Here squeue is this test's own.
static void the_nearer_limit_holds(void)
{
    char folder[] = "/tmp/gpuexp-squeue-XXXXXX", path[64], *old = getenv("PATH"), text[200];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/squeue", folder);
    FILE *f = fopen(path, "w");
    fprintf(f, "#!/bin/sh\necho \"$SQUEUE_SAYS\"\n");
    fclose(f);
    chmod(path, 0700);
    snprintf(text, sizeof text, "%s:%.100s", folder, old ? old : "/bin");
    setenv("PATH", text, 1);
    struct cluster_job j = {.scheduler = &scheduler_slurm, .id = "12", .end = NAN};
    setenv("SQUEUE_SAYS", "2999-01-01T00:00:00 1:00 TimeLimit", 1);
    CHECK(scheduler_slurm.time_left(&j) == 60 && j.limit_reached);
    setenv("SQUEUE_SAYS", "2020-01-01T00:00:00 1:00:00 None", 1);
    CHECK(scheduler_slurm.time_left(&j) < 0 && !j.limit_reached);
    setenv("SQUEUE_SAYS", "N/A 5:00 None", 1);
    CHECK(scheduler_slurm.time_left(&j) == 300);
    f = fopen(path, "w");
    fprintf(f, "#!/bin/sh\necho no such job >&2\nexit 1\n");
    fclose(f);
    struct diags d = {0};
    struct str said = {0};
    CHECK(!command_output((const char *const[]){"squeue", NULL}, &said, &d));
    CHECK_TEXT(diags_first(&d), "squeue: no such job"); // its own words say more than ours
    diags_clear(&d);
    str_release(&said);
    unlink(path);
    rmdir(folder);
    if (old) setenv("PATH", text + strlen(folder) + 1, 1);
}

int main(void)
{
    the_nearer_limit_holds();
    a_shard_is_an_array_task_or_a_rank_or_both();
    a_rank_takes_its_own_of_the_gpus_it_sees();
    slurm_times_are_read();
    a_job_that_can_go_on_is_requeued();
    the_time_left_is_asked_for_again_only_when_it_is_near();
    return test_end();
}
