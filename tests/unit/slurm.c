// cluster/slurm: a job's variables become shard, GPU and words; SLURM's times are read; what is requeued and what is
// not.
// SPDX-License-Identifier: MIT
#include "cluster/slurm.h"

#include <stdlib.h>

#include "unit/test.h"

static const char *const *environment;

static const char *variable(const char *name)
{
    size_t n = strlen(name);
    for (const char *const *e = environment; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') return *e + n + 1;
    return NULL;
}

static struct slurm_job job_in(const char *const *e, bool inside)
{
    struct slurm_job j;
    struct diags d = {0};
    environment = e;
    CHECK_INT(slurm_job_read(&j, variable, &d), inside);
    CHECK_INT(d.count, 0);
    return j;
}
#define IN(inside, ...) job_in((const char *const[]){__VA_ARGS__, NULL}, inside)

static void a_shard_is_an_array_task_or_a_rank_or_both(void)
{
    struct slurm_job j = IN(false, "HOME=/");
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
    CHECK(!slurm_job_read(&j, variable, &d));
    CHECK_INT(diags_exit_status(&d), 2);
    diags_clear(&d);
}

static void a_rank_takes_its_own_of_the_gpus_it_sees(void)
{
#define STEP "SLURM_JOB_ID=12", "SLURM_STEP_ID=0", "SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=8", "SLURM_LOCALID=1"
    struct slurm_job j = IN(true, STEP, "CUDA_VISIBLE_DEVICES=0,1,2,3"); // no binding: all of the node's
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
        CHECK(slurm_parse_time(good[i].text, &s));
        CHECK(s == good[i].seconds);
    }
    CHECK(slurm_parse_time("UNLIMITED", &s) && isinf(s));
    CHECK(!slurm_parse_time("", &s) && !slurm_parse_time("INVALID", &s) && !slurm_parse_time("1:2:3:4", &s));
    CHECK(!slurm_parse_time("NOT_SET", &s) && !slurm_parse_time("3:04 x", &s));
}

static void a_job_that_can_go_on_is_requeued(void)
{
    struct slurm_job j = {.id = "12_3", .end = NAN};
    struct run_summary s = {.end = RUN_OUT_OF_TIME, .measured = 5, .left = 7};
    char why[256];
    CHECK(slurm_should_requeue(&j, &s, why));
    CHECK_TEXT(why, "job 12_3 is requeued and goes on where it stopped, with 7 points left");
    s.measured = 0; // it never would get anywhere
    CHECK(!slurm_should_requeue(&j, &s, why));
    CHECK(strstr(why, "ask for more time") != NULL);
    s.waited = true; // another copy had the report: that ends some time
    CHECK(slurm_should_requeue(&j, &s, why));
    s = (struct run_summary){.end = RUN_COMPLETE, .measured = 5};
    CHECK(!slurm_should_requeue(&j, &s, why));
    CHECK_TEXT(why, "");
    s = (struct run_summary){.end = RUN_ABORTED, .measured = 5};
    CHECK(!slurm_should_requeue(&j, &s, why));
}

int main(void)
{
    a_shard_is_an_array_task_or_a_rank_or_both();
    a_rank_takes_its_own_of_the_gpus_it_sees();
    slurm_times_are_read();
    a_job_that_can_go_on_is_requeued();
    return test_end();
}
