// run/: the whole engine over the fake device: what is measured, kept and claimed, and how it ends.
// SPDX-License-Identifier: MIT
#include "unit/run_here.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "run/status.h"

static void every_point_has_a_row_in_plan_order(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name Fake\ntime 10\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 3}), 0);
    CHECK_INT(points, 8);
    CHECK_INT(last.end, RUN_COMPLETE);
    CHECK_INT(last.status[STATUS_OK], 8);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        CHECK_TEXT(cell(&t, i, "point"), number);
        snprintf(number, sizeof number, "%zu", 1000 * (i + 1));
        CHECK_TEXT(cell(&t, i, "n"), number);
        CHECK_TEXT(cell(&t, i, "device"), "Fake");
        CHECK_TEXT(cell(&t, i, "double"), "20");
        CHECK_TEXT(cell(&t, i, "none"), ""); // the peak is not known: nothing said
        CHECK_TEXT(cell(&t, i, "bad"), "");
    }
    table_close(&t);
    CHECK(strstr(notes.text, "e.yaml:6: ") != NULL &&
        strstr(strstr(notes.text, "e.yaml:6: ") + 1, "e.yaml:6: ") == NULL); // once
    CHECK_INT(run_well(eight, devices, (struct run_options){.seed = 4}), 0); // again: nothing to do, whatever the order
    CHECK_INT(points, 0);
    CHECK_INT(started_kept, 8);
    char *facts = runfile_read(report);
    CHECK_INT(runfile_runs(facts), 2);
    CHECK(strstr(facts, "  experiment: e\n") == NULL); // e.yaml is not on disk
    free(facts);
}

static void a_signal_finishes_the_row_at_hand(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (int i = 0; i < 4; i++) {
        start();
        const char *devices[] = {device("a", "time 10\n"), NULL};
        signal(signals[i], SIG_DFL);           // the tests may have been started by nohup
        stop_at = 1, stop_signal = signals[i]; // the first row is told of at once, later ones a few together
        CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
        CHECK_INT(points, 1);
        CHECK_INT(last.left, 7);
        CHECK_INT(last.end, signals[i] == SIGUSR1 ? RUN_OUT_OF_TIME : RUN_STOPPED);
        stop_at = 0;
        CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
        CHECK_INT(points, 7);
        CHECK_INT(started_kept, 1);
        CHECK_INT(last.status[STATUS_OK], 8);
    }
}

static void a_signal_with_the_last_point_changes_nothing(void)
{
    start();
    const char *devices[] = {device("a", "time 10\n"), NULL};
    stop_at = 8, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 0);
    CHECK_INT(last.end, RUN_COMPLETE);
}

// Killed in the middle, over and over: in the end every point has exactly one row.
static void kill_9_and_resume_lose_nothing(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "time 1000\n"), NULL};
    int rounds = 0, status = -1;
    for (; rounds < 100; rounds++) {
        pid_t child = fork();
        if (child == 0) _exit(run(eight, devices, (struct run_options){.lock_wait_s = 5}, &d));
        usleep(3000 + 2000 * (useconds_t)rounds);
        if (rounds < 12) kill(child, SIGKILL);
        waitpid(child, &status, 0);
        if (WIFEXITED(status)) break;
    }
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK(rounds > 0);
    CHECK(table_open(&t, report, &d));
    CHECK_INT(t.count, 8);
    for (size_t i = 0; i < t.count; i++) CHECK_INT(atoi(cell(&t, i, "point")), i + 1);
    table_close(&t);
    CHECK_INT(d.count, 0);
}

static void a_fault_costs_one_row_and_is_tried_again(void)
{
    struct table t;
    struct diags d = {0};
    start();
    const char *devices[] = {
        device("a",
            "time 10\nfor n=3000 crash begin 1\nfor n=4000 fail prepare 1 no luck\nfor n=5000 wrong 3 7 100\n"
            "for n=6000 skip cannot do that\nfor n=7000 crash submit 1\n"),
        NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1);
    CHECK_INT(points, 8);
    CHECK_INT(last.status[STATUS_OK], 3);
    CHECK_INT(last.status[STATUS_FAILED], 3);
    CHECK_INT(last.status[STATUS_WRONG], 1);
    CHECK_INT(last.status[STATUS_SKIPPED], 1);
    CHECK(table_open(&t, report, &d));
    CHECK_TEXT(cell(&t, 3, "reason"), "no luck");
    CHECK_TEXT(cell(&t, 2, "status"), "failed");
    table_close(&t);
    device("a", "time 10\n");
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1); // the wrong one stays wrong
    CHECK_INT(points, 3);                                            // only what failed
    CHECK_INT(last.status[STATUS_FAILED], 0);
    CHECK_INT(last.status[STATUS_OK], 6);
    device("a", "time 10\n");
    CHECK_INT(run_well(eight, devices, (struct run_options){.fresh = true}), 0);
    CHECK_INT(points, 8);
}

static void what_was_measured_with_something_else_is_not_mixed(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "name A\nidentity driver 1\ntime 10\n"), NULL};
    stop_at = 1, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    stop_at = 0;
    device("a", "name A\nidentity driver 2\ntime 10\n");
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 2);
    CHECK(strstr(diags_first(&d), "another device_identity: `driver 1") != NULL);
    diags_clear(&d);
    device("a", "name B\nidentity driver 1\ntime 10\n");
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 2);
    CHECK_TEXT(diags_first(&d), "was measured on A, not on B");
    diags_clear(&d);
    const char *none[] = {"script:/nowhere", NULL};
    CHECK_INT(run(eight, none, (struct run_options){0}, &d) == 3 || diags_exit_status(&d) == 2, 1);
    diags_clear(&d);
}

static void claims_name_what_broke_and_what_was_not_checked(void)
{
    static const char text[] =
        "experiment: e\nkernel: vecadd\nsweep: {n: [1000, 2000, 3000]}\nexpect:\n"
        "  - {when: n > 1000, that: time_us < 15}\n  - {that: time_us > 1}\n  - {that: ld_sectors == 4}\n"
        "  - {when: n == 7, that: time_us > 1}\n";
    start();
    const char *devices[] = {device("a", "time 10\nfor n=3000 time 20\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){0}), 1);
    CHECK_INT(last.broken, 1);
    CHECK_INT(last.unchecked, 2);
    CHECK_TEXT(claims.text,
        "broken 5: broken: `time_us < 15` when `n > 1000` does not hold at point 3 (n 3000), where time_us is 20.000\n"
        "unchecked 7: not checked at 3 of 3 points: `ld_sectors == 4`: `ld_sectors` is empty: there was no such "
        "access\n"
        "unchecked 8: not checked: `time_us > 1` when `n == 7`: no point has `n == 7`: `n` is 1000, 2000, 3000\n");
    CHECK_INT(last.holding, 1);
    char *text_of = runfile_read(report), *line = runfile_get(text_of, "expectation_2", -1);
    CHECK_TEXT(line, "holds at 3 points: `time_us > 1`");
    free(line);
    free(text_of);
    CHECK_INT(run_well("experiment: e\nkernel: vecadd\nsweep: {n: [1000, 2000, 3000], block: [64, 128]}\nexpect:\n"
                       "  - {over: n, that: max(time_us) < 2.1 * min(time_us)}\n"
                       "  - {over: n, when: n < 3000, that: 'time_us[#time_us] > block'}\n"
                       "  - {over: [n, block], that: max(ld_sectors) > 4}\n",
                  devices, (struct run_options){.fresh = true}),
        1);
    CHECK_TEXT(claims.text,
        "broken 6: broken: `time_us[#time_us] > block` when `n < 3000` does not hold at points 1 and 3, where time_us "
        "is 10, 10; block is 64 (and at 1 more of 2 groups of points)\n"
        "unchecked 7: not checked at 1 of 1 group of points: `max(ld_sectors) > 4`: `ld_sectors` is empty: there was "
        "no such access\n");
    device("a", "time 10\n");
    CHECK_INT(run_well(text, devices, (struct run_options){.fresh = true}), 0);
    CHECK_INT(last.broken, 0);
}

// An expression that is in error over values that are there does not hold. What groups have in common is one value.
static void claims_of_values_that_are_there(void)
{
    static const char text[] =
        "experiment: e\nkernel: vecadd\nwith: {block: 64}\nsweep: {n: {from: 1000, to: 10000, step: 1000}}\nexpect:\n"
        "  - {over: n, that: 'device == \"GPU\"'}\n  - {that: tonumber(device) < 5}\n"
        "  - {when: n == 7, that: n > 1}\n  - {when: block == 7, that: n > 1}\n";
    start();
    const char *devices[] = {device("a", "name GPU\ntime 10\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){0}), 1);
    CHECK_TEXT(claims.text,
        "broken 7: broken: `tonumber(device) < 5` does not hold at point 1 (n 1000), where device is GPU (and at 9 "
        "more of 10 "
        "points)\n"
        "unchecked 8: not checked: `n > 1` when `n == 7`: no point has `n == 7`: `n` is 1000, 2000, 3000, 4000, 5000, "
        "6000, 7000, 8000 ...\n"
        "unchecked 9: not checked: `n > 1` when `block == 7`: no point has `block == 7`: `block` is 64\n");
    CHECK_INT(last.holding, 1);
}

// Each missing value is followed to its cause, and the sentence says what would put it there.
static void a_claim_that_was_not_checked_says_why_and_what_would(void)
{
    static const char text[] =
        "experiment: e\nkernel: vecadd\nwith: {counters: none}\nsweep: {n: [1000, 2000]}\n"
        "derive: {share: gbps / peak_gbps, twice: 2 * share, odd: 'n > 1e9 and 1 or nil'}\nexpect:\n"
        "  - twice > 0\n  - odd == 1\n  - sim_ld_sectors == 4\n  - occupancy_pct > 1\n  - regs > 1\n"
        "  - {when: peak_gbps == 4800, that: n > 1}\n";
    start();
    const char *devices[] = {device("a", "time 10\n"), NULL};
    CHECK_INT(run_well(text, devices, (struct run_options){0}), 0);
    CHECK_TEXT(claims.text,
        "unchecked 7: not checked at 2 of 2 points: `twice > 0`: `twice` is empty because `share` is because "
        "`peak_gbps` is: the device does not tell it; `-s peak=4.8TB` does\n"
        "unchecked 8: not checked at 2 of 2 points: `odd == 1`: `odd` is empty: its expression gives no value there\n"
        "unchecked 9: not checked at 2 of 2 points: `sim_ld_sectors == 4`: `sim_ld_sectors` is empty: only "
        "`-s counters=both` on a GPU puts the simulator's counts beside the hardware's\n"
        "unchecked 10: not checked at 2 of 2 points: `occupancy_pct > 1`: `occupancy_pct` is empty: it takes a GPU, or "
        "the limits of one: `-d sim:h200`\n"
        "unchecked 11: not checked at 2 of 2 points: `regs > 1`: `regs` is empty: it takes the CUDA "
        "Toolkit's compiler\n"
        "unchecked 12: not checked: `n > 1` when `peak_gbps == 4800`: `peak_gbps` is empty: the device does not tell "
        "it; `-s peak=4.8TB` does\n");
    device("a", "time 10\nuntimed\npeak 4800\nwrong 1 0 9\nfor n=2000 wrong 0 0 9\n");
    CHECK_INT(run_well(text, devices, (struct run_options){.fresh = true}), 1);
    CHECK(strstr(claims.text,
              "`twice > 0`: `twice` is empty because `share` is because `gbps` is: the point is wrong (1 of 9") !=
        NULL);
    device("a", "time 10\nuntimed\n");
    CHECK_INT(run_well(text, devices, (struct run_options){.fresh = true}), 0);
    CHECK(strstr(claims.text, "`gbps` is: nothing is timed on fake; run it on a GPU") != NULL);
    device("a", "time 10\ncount none\n");
    CHECK_INT(run_well("experiment: e\nkernel: vecadd\nsweep: {n: [1000, 2000]}\nexpect: dram_read_bytes > 1\n",
                  devices, (struct run_options){.fresh = true}),
        0);
    CHECK(strstr(claims.text, "`dram_read_bytes` is empty: not counted: no hardware counters: its file says") != NULL);
}

// `counters: auto` on a device that times: whether a row is counted follows from what the file asks, and so does its
// key.
static void a_row_is_counted_where_the_file_asks_for_it(void)
{
    static const char plain[] = "experiment: e\nkernel: vecadd\nwith: {n: 1000}\n";
    static const struct {
        const char *more, *counts;
    } files[] = {{"", ""}, {"expect: [time_us > 1]\n", ""},
        {"expect: [{when: ld_sectors > 1, that: n == 1000}]\n", "hardware"},
        {"derive: {x: 2 * dram_read_bytes}\n", "hardware"}, {"script: {file: refine_knee, x: n}\n", "hardware"},
        {"script: {file: refine_knee, x: n, y: time_us}\n", ""}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct table t;
        struct diags d = {0};
        char text[256];
        start();
        const char *devices[] = {device("a", "time 10\ncount ld_sectors 7\n"), NULL};
        CHECK_INT(run_well(plain, devices, (struct run_options){0}), 0);
        snprintf(text, sizeof text, "%s%s", plain, files[i].more);
        CHECK_INT(run_well(text, devices, (struct run_options){.fresh = i > 2}), 0);
        CHECK_INT(points, *files[i].counts || i > 2); // what was not counted before is measured again
        CHECK(table_open(&t, report, &d));
        CHECK_TEXT(cell(&t, 0, "counts"), files[i].counts);
        table_close(&t);
        diags_clear(&d);
    }
}

static double never(void *left) { return *(double *)left; }

static void a_point_that_would_not_fit_is_not_begun(void)
{
    start();
    double left = 3;
    const char *devices[] = {device("a", "time 10\n"), NULL};
    CHECK_INT(run_well(eight, devices, (struct run_options){.time_left = never, .time_context = &left}), 75);
    CHECK_INT(points, 0);
    CHECK_INT(last.end, RUN_OUT_OF_TIME);
    left = 1e9;
    CHECK_INT(run_well(eight, devices, (struct run_options){.time_left = never, .time_context = &left}), 0);
}

static void a_second_run_stops_and_names_the_first(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "time 10\nfor n=1000 hang begin 1\n"), NULL};
    pid_t child = fork();
    if (child == 0) _exit(run(eight, devices, (struct run_options){0}, &d));
    char lock[80], who[32];
    snprintf(lock, sizeof lock, "%s.lock", report);
    for (int i = 0; i < 500 && !file_exists(lock); i++) usleep(10000);
    usleep(300000);
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 3);
    snprintf(who, sizeof who, "process %ld on ", (long)child);
    CHECK(strstr(diags_first(&d), who) != NULL);
    diags_clear(&d);
    FILE *out = tmpfile();
    char line[512] = "";
    CHECK_INT(run_status(report, &(struct status_to){.out = out}, &d), 75);
    rewind(out);
    CHECK(fgets(line, sizeof line, out) && strstr(line, who) != NULL);
    fclose(out);
    time_t told = time(NULL);
    kill(child, SIGINT);
    usleep(100000);
    kill(child, SIGINT); // twice: at once, although its point hangs
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 75);
    CHECK(time(NULL) - told < 20); // its own time would be over after a minute
    CHECK(!file_exists(lock));
}

static void a_device_that_cannot_open_is_the_systems_failure(void)
{
    struct diags d = {0};
    start();
    const char *devices[] = {device("a", "fail open 1 no such luck\n"), NULL};
    CHECK_INT(run(eight, devices, (struct run_options){0}, &d), 3);
    CHECK(strstr(diags_first(&d), "no such luck") != NULL);
    CHECK(!file_exists(report)); // nothing is left of a run that did not begin
    diags_clear(&d);
}

int main(void)
{
    if (!begin_tests()) return 1;
    every_point_has_a_row_in_plan_order();
    a_signal_finishes_the_row_at_hand();
    a_signal_with_the_last_point_changes_nothing();
    kill_9_and_resume_lose_nothing();
    a_fault_costs_one_row_and_is_tried_again();
    what_was_measured_with_something_else_is_not_mixed();
    claims_name_what_broke_and_what_was_not_checked();
    claims_of_values_that_are_there();
    a_claim_that_was_not_checked_says_why_and_what_would();
    a_row_is_counted_where_the_file_asks_for_it();
    a_point_that_would_not_fit_is_not_begun();
    a_second_run_stops_and_names_the_first();
    a_device_that_cannot_open_is_the_systems_failure();
    return end_tests();
}
