// run/: several devices share a plan: which measures what, and what happens when a device fails.
// SPDX-License-Identifier: MIT
#include "unit/run_here.h"

#include "run/engine.h"
#include "run/lanes.h"

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int n = 0;
    for (int c; f && (c = getc(f)) != EOF;) n += c == '\n';
    if (f) fclose(f);
    return n;
}

static void several_devices_share_a_plan_and_a_bad_one_holds_nobody(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name GPU\nidentity g\ntime 100\n"),
        device("b", "name GPU\nidentity g\ntime 100\n"), device("c", "name GPU\nidentity g\ntime 100\n"), NULL};
    size_t by[3] = {0};
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++) {
        CHECK_TEXT(cell(&t, i, "device"), "GPU"); // claims ask by that name
        const size_t gpu = strtoul(cell(&t, i, "gpu"), NULL, 10);
        if (gpu < 3) by[gpu]++;
    }
    CHECK(by[0] && by[1] && by[2] && by[0] + by[1] + by[2] == 8);
    table_close(&t);
    start(); // one dies and cannot be opened again: the point it had is measured by another
    devices[0] = device("a", "name GPU\nidentity g\ntime 100\n");
    devices[1] = device("b", "name GPU\nidentity g\ntime 100\nexit begin 1 9\n");
    devices[2] = NULL;
    char gone[80];
    snprintf(gone, sizeof gone, "%s/b", folder);
    stop_at = 0;
    pid_t remover = fork();
    if (remover == 0) {
        for (int i = 0; i < 10000 && lines_of(report) < 2; i++)
            usleep(1000); // the first row: every device was opened before it
        unlink(gone);
        _exit(0);
    }
    int status = run_well(eight, devices, (struct run_options){0});
    waitpid(remover, NULL, 0);
    CHECK(status == 0 || status == 1); // it may die once before its file is gone
    CHECK_INT(last.points, 8);
    CHECK_INT(last.left, 0);
}

static int opened(const char *calls)
{
    struct diags d = {0};
    int n = 0;
    char *text = file_exists(calls) ? file_read(calls, 1 << 20, NULL, &d) : NULL;
    for (char *p = text; p && (p = strstr(p, "open\n")); p++) n++;
    free(text);
    return n;
}

// A second device is opened where the plan is long enough, and then measures too; one that does not open harms nobody.
static void a_further_device_is_opened_where_it_is_worth_it(void)
{
    static const char *const second[] = {"name GPU\nidentity g\ntime 100\n", "name GPU\nidentity g\ntime 100\n",
        "fail open 1 no such GPU\n", "name Other\nidentity o\ntime 100\n"};
    static const double worth_s[] = {1000, 1e-9, 1e-9, 1e-9};
    static const char many[] = "experiment: e\nkernel: vecadd\nsweep: {n: {from: 1000, to: 24000, step: 1000}}\n"
                               "measure: {max_samples: 20}\n";
    char calls[80];
    for (int k = 0; k < 4; k++) {
        struct table t;
        struct diags d = {0};
        size_t by[2] = {0};
        start();
        snprintf(calls, sizeof calls, "%s/calls", folder);
        setenv("GPUEXP_FAKE_TRACE", calls, 1);
        const char *devices[] = {
            device("a", "name GPU\nidentity g\ntime 100\nrestores 0.001\n"), device("b", second[k]), NULL};
        CHECK_INT(run_well(many, devices, (struct run_options){.worth_s = worth_s[k]}), 0);
        unsetenv("GPUEXP_FAKE_TRACE");
        CHECK_INT(opened(calls), k ? 2 : 1);
        CHECK_INT(last.measured, 24);
        CHECK(table_open(&t, report, &d));
        for (size_t i = 0; i < t.count; i++) {
            const size_t gpu = strtoul(cell(&t, i, "gpu"), NULL, 10);
            if (gpu < 2) by[gpu]++;
            CHECK_TEXT(cell(&t, i, "device"), k == 3 && gpu == 1 ? "Other" : "GPU");
        }
        table_close(&t);
        CHECK(by[0] && by[0] + by[1] == 24);
        CHECK_INT(by[1] > 0, k == 1 || k == 3);
        CHECK_INT(strstr(notes.text ? notes.text : "", "no such GPU") != NULL, k == 2);
        char *text = runfile_read(report), *identity = runfile_get(text, "device_identity", 0);
        CHECK_TEXT(identity, k == 3 ? "g; o" : "g");
        // Of the devices that took part; what is said behind them is still there.
        CHECK_INT(strstr(text, "\ndevice_1: ") != NULL, by[1] > 0);
        CHECK_INT(strstr(text, "\nkernel_text: ") != NULL, true);
        free(identity);
        free(text);
        if (k == 2) continue;
        CHECK_INT(run_well(many, devices, (struct run_options){0}), 0); // all are known again
        CHECK_INT(points, 0);
        diags_clear(&d);
    }
}

// Of 100 contexts one took 100 s, with the compiler; then two took 1 s each: 97 are left.
static void what_is_left_decides_whether_another_is_worth_it(void)
{
    struct run_options o = {.worth_s = 96};
    struct engine e = {.options = &o, .todo_count = 50, .contexts = 2, .visits = 3, .begun = 1000, .first = 1100};
    CHECK(run_worth(&e, 1102));
    o.worth_s = 98;
    CHECK(!run_worth(&e, 1102));
    e.visits = 2; // nothing is known yet: by what has gone
    CHECK(run_worth(&e, 1102));
    o.worth_s = 103;
    CHECK(!run_worth(&e, 1102));
}

// Each device writes its calls into one file: a point that is prepared before another has finished was beside it.
static size_t most_at_once(const char *path)
{
    char line[64];
    size_t now = 0, most = 0;
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    while (f && fgets(line, sizeof line, f)) {
        if (strcmp(line, "prepare\n") == 0 && ++now > most) most = now;
        if (strcmp(line, "finish\n") == 0 && now) now--;
    }
    if (f) fclose(f);
    return most;
}

static void what_uses_the_hosts_bus_is_measured_alone(void)
{
    static const char copies[] = "experiment: e\nkernel: vecadd\nwith: {timed: upload}\n"
                                 "sweep: {n: {from: 1000, to: 12000, step: 1000}}\nmeasure: {max_samples: 20}\n",
                      mixed[] = "experiment: e\nkernel: vecadd\nsweep: {n: {from: 1000, to: 12000, step: 1000}, "
                                "timed: [launch, upload]}\nmeasure: {max_samples: 20}\n",
                      two[] = "experiment: e\nkernel: vecadd\nwith: {n: 1000}\nsweep: {timed: [launch, upload]}\n"
                              "measure: {max_samples: 20}\n",
                      back[] = "experiment: e\nkernel: vecadd\nwith: {n: 1000}\nsweep: {timed: [upload, launch]}\n"
                               "measure: {max_samples: 20}\n";
    static const char *const texts[] = {copies, mixed, two, back};
    static const size_t measured_of[] = {12, 24, 2, 2};
    static const char *const statements = "works verify 1 0.2\nname GPU\nidentity g\ntime 100\n";
    char trace[80];
    for (int m = 0; m < 4; m++) {
        start();
        snprintf(trace, sizeof trace, "%s/calls", folder);
        setenv("GPUEXP_FAKE_TRACE", trace, 1);
        const char *does = m > 1 ? statements : strchr(statements, '\n') + 1;
        const char *devices[] = {device("a", does), device("b", does), device("c", does), NULL};
        CHECK_INT(run_well(texts[m], devices, (struct run_options){0}), 0);
        CHECK_INT(last.measured, measured_of[m]);
        if (m != 1) CHECK_INT(most_at_once(trace), 1); // nor beside what does not use it
    }
    unsetenv("GPUEXP_FAKE_TRACE");
}

static void points_that_are_compared_stay_on_one_device_and_in_one_shard(void)
{
    static const char text[] =
        "experiment: e\nkernel: vecadd\nkeep_together: [block]\n"
        "sweep: {n: [1000, 2000, 3000, 4000, 5000], block: [32, 64, 128]}\nmeasure: {max_samples: 20}\n";
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {
        device("a", "name GPU\nidentity g\ntime 100\n"), device("b", "name GPU\nidentity g\ntime 100\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){.seed = 5}), 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 15);
    size_t changes = 0;
    for (size_t i = 0; i < t.count; i += 3) {
        char first[96];
        snprintf(first, sizeof first, "%s", cell(&t, i, "gpu"));
        CHECK_TEXT(cell(&t, i + 1, "gpu"), first);
        CHECK_TEXT(cell(&t, i + 2, "gpu"), first);
        changes += i && strcmp(cell(&t, i - 1, "gpu"), first) != 0;
    }
    CHECK(changes > 0); // both worked
    table_close(&t);

    struct experiments e = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    CHECK(experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, &d));
    struct plan *plan = plan_new(e.items[0], box, &d);
    int seen[15] = {0}, shard_of[5] = {0};
    for (unsigned shard = 1; shard <= 2; shard++) {
        struct todo todo;
        todo_init(&todo, plan, 5, shard, 2);
        for (size_t i = 0; i < todo.count; i++) {
            seen[todo.points[i]]++;
            if (!shard_of[todo.points[i] / 3]) shard_of[todo.points[i] / 3] = (int)shard;
            CHECK_INT(shard_of[todo.points[i] / 3], shard);
        }
        todo_release(&todo);
    }
    for (int i = 0; i < 15; i++) CHECK_INT(seen[i], 1);
    plan_free(plan);
    experiments_free(&e);
    sandbox_free(box);
}

int main(void)
{
    if (!begin_tests()) return 1;
    several_devices_share_a_plan_and_a_bad_one_holds_nobody();
    a_further_device_is_opened_where_it_is_worth_it();
    what_is_left_decides_whether_another_is_worth_it();
    what_uses_the_hosts_bus_is_measured_alone();
    points_that_are_compared_stay_on_one_device_and_in_one_shard();
    return end_tests();
}
