// cluster/submit: what a job asks for follows from its points: how many a task has, how long they take, how much memory
// the largest needs, and whether any needs a GPU.
// SPDX-License-Identifier: MIT
#include "cluster/submit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/machine.h"
#include "compile/compile.h"
#include "spec/experiment.h"
#include "unit/test.h"

static struct sandbox *box;

static struct submit_size size_of(const char *text, unsigned shards)
{
    struct experiments e = {0};
    struct diags d = {0};
    struct submit_size size = {0};
    struct plan *plans[4] = {0};
    if (experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, &d)) {
        for (size_t i = 0; i < e.count; i++) plans[i] = plan_new(e.items[i], box, &d);
        submit_measure(&(struct submit_options){.plans = (const struct plan *const *)plans,
                           .plan_count = e.count,
                           .shards = shards},
            &size);
    }
    CHECK_TEXT(diags_first(&d), "");
    for (size_t i = 0; i < e.count; i++) plan_free(plans[i]);
    experiments_free(&e);
    diags_clear(&d);
    return size;
}

// A point: sampling for as long as it may take, and 1.5 s. A task: twice its points' time, 2 minutes to come to its
// end, 3 to start; in steps of five minutes.
static void the_time_is_that_of_the_largest_share(void)
{
    static const char ten[] =
        "kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: [1, 2, 3, 4, 5, 6, 7, 8, 9, "
        "10]}\nmeasure: {max_time: 8.5s}\n";
    struct submit_size s = size_of(ten, 4);
    CHECK_INT(s.points, 10);
    CHECK_INT(s.a_task, 3); // of 3, 3, 2 and 2
    CHECK(s.seconds_a_point == 10 && s.seconds == 30 && s.by == SUBMIT_BY_FILE);
    CHECK_INT(s.minutes, 10); // 60 s of work in 360 s
    CHECK_INT(size_of(ten, 10).a_task, 1);
    CHECK_INT(size_of(ten, 10).minutes, 10);
    CHECK_INT(size_of(ten, 100).a_task, 1);
    CHECK_INT(size_of(ten, 1).a_task, 10);
    CHECK_INT(size_of(ten, 1).minutes, 10); // 200 s and 300 s
    static const char more[] = "kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: {from: 1, to: 31, step: "
                               "1}}\nmeasure: {max_time: 8.5s}\n";
    CHECK_INT(size_of(more, 1).minutes, 20); // 620 s and 300 s are more than 15 minutes
    CHECK_INT(size_of(more, 2).minutes, 15); // 320 s and 300 s
    static const char hours[] =
        "kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: {from: 1, to: 1000, step: "
        "1}}\nmeasure: {max_time: 20s}\n";
    CHECK_INT(size_of(hours, 1).minutes, 240); // more is not asked for: a task goes on by itself
    CHECK_INT(size_of(hours, 4).minutes, 185);
}

static void several_experiments_of_a_file_are_one_task(void)
{
    const struct submit_size s = size_of(
        "kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: [1, 2, 3]}\nmeasure: {max_time: 0.5s}\n---\n"
        "kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: [1, 2, 3, 4, 5]}\nmeasure: {max_time: 4.5s}\n",
        2);
    CHECK_INT(s.points, 8);
    CHECK_INT(s.a_task, 5); // 2 and 3
    CHECK(s.seconds == 2 * 2 + 3 * 6 && s.seconds_a_point == (3 * 2 + 5 * 6) / 8.0);
}

// On a GPU 8 contexts take 1.36 s, and a point 0.139 s and its samples: 4 times 30 of 20 us at least, 2 s at most.
static void the_model_says_how_long_a_gpu_takes(void)
{
    struct diags d = {0};
    const bool compiles = compile_compiler(&d) != NULL;
    diags_clear(&d);
    const struct submit_size s = size_of("kernel: stride\nwith: {n: 1Ki}\nsweep: {stride: [1, 2, 3, 4, 5]}\n", 1);
    CHECK(s.gpu); // for whatever there is
    CHECK_INT(s.by, compiles ? SUBMIT_BY_MODEL : SUBMIT_BY_FILE);
    if (compiles) CHECK(fabs(s.seconds - (1.36 + 5 * (0.139 + 0.0024))) < 0.005);
    const struct submit_size two =
        size_of("kernel: stride\nwith: {n: 1Ki}\n---\nkernel: stride\nwith: {n: 1Ki, device: sim}\n", 1);
    CHECK_INT(two.by, SUBMIT_BY_FILE);
}

// A quarter more than the buffers of the largest point, wherever it stands, and what a process itself needs.
static void the_memory_is_that_of_the_largest_point(void)
{
    const unsigned reserve = (unsigned)(MACHINE_RESERVE >> 30);
    CHECK_INT(size_of("kernel: stride\nwith: {n: 1Gi, device: sim}\n", 1).gib, 10 + reserve);
    CHECK_INT(size_of("kernel: stride\nwith: {n: 1Ki, device: sim}\n", 1).gib, 1 + reserve);
    CHECK_INT(size_of("kernel: stride\nwith: {device: sim}\nsweep: {n: [1Gi, 1Ki, 2Gi, 2Ki]}\n", 1).gib, 20 + reserve);
    const struct submit_size last =
        size_of("kernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: {from: 1, to: 999, "
                "step: 1}}\ninclude: [{stride: 1, n: 4Gi, device: cuda:0}]\n",
            1);
    CHECK_INT(last.gib, 40 + reserve);
    CHECK(last.gpu);
    CHECK(!size_of("kernel: stride\nwith: {n: 1Ki, device: sim:h200}\n", 1).gpu);
    CHECK(size_of("kernel: stride\nwith: {n: 1Ki}\nsweep: {device: [cuda:0, sim]}\n", 1)
              .gpu); // any point's need counts
}

// What an earlier run, or shard, took is known better than what `measure:` allows.
static void an_earlier_run_says_how_long_a_point_takes(void)
{
    static const char text[] =
        "experiment: e\nkernel: stride\nwith: {n: 1Ki, device: sim}\nsweep: {stride: [1, 2, 3, 4]}\n";
    static const char ran[] = "experiment: \"e\"\nruns:\n  - started: \"x\"\n    seconds_a_point: \"40\"\n"
                              "  - started: \"y\"\n    seconds_a_point: \"100\"\n";
    struct diags d = {0};
    CHECK(file_write("reports/e.1-of-2.run.yaml", ran, sizeof ran - 1, &d));
    struct submit_size s = size_of(text, 2);
    CHECK(s.by == SUBMIT_BY_RUN && s.seconds_a_point == 100 && s.seconds == 200);
    CHECK(size_of(text, 3).by == SUBMIT_BY_FILE); // shards of another number
    static const char whole[] = "experiment: \"e\"\nruns:\n  - started: \"x\"\n    seconds_a_point: \"10\"\n";
    CHECK(file_write("reports/e.run.yaml", whole, sizeof whole - 1, &d)); // that of the whole plan comes first
    s = size_of(text, 2);
    CHECK(s.by == SUBMIT_BY_RUN && s.seconds_a_point == 10 && s.seconds == 20);
    CHECK(size_of(text, 3).by == SUBMIT_BY_RUN);
    CHECK(unlink("reports/e.1-of-2.run.yaml") == 0);
    CHECK(unlink("reports/e.run.yaml") == 0 && rmdir("reports") == 0);
    diags_clear(&d);
}

int main(void)
{
    char folder[] = "/tmp/gpuexp-submit-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
    box = sandbox_new(&(struct sandbox_limits){0});
    the_time_is_that_of_the_largest_share();
    several_experiments_of_a_file_are_one_task();
    the_model_says_how_long_a_gpu_takes();
    the_memory_is_that_of_the_largest_point();
    an_earlier_run_says_how_long_a_point_takes();
    sandbox_free(box);
    CHECK(rmdir(folder) == 0);
    return test_end();
}
