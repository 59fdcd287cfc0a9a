// run/status: how far a report and its shards are, from the files alone.
// SPDX-License-Identifier: MIT
#include "run/status.h"

#include "store/lock.h"
#include "unit/run_here.h"

static char *said;
static size_t said_size;

static int status(void)
{
    struct diags d = {0};
    free(said);
    FILE *out = open_memstream(&said, &said_size);
    const int result = run_status(report, &(struct status_to){.out = out}, &d);
    fclose(out);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    return result;
}

static void says(const char *words)
{
    if (!strstr(said, words)) printf("said:\n%s", said);
    CHECK(strstr(said, words) != NULL);
}

static void never_says(const char *words) { CHECK(strstr(said, words) == NULL); }

// Replaces a value in the run file of a report.
static void edit(const char *csv, const char *from, const char *to)
{
    struct diags d = {0};
    struct str s = {0};
    char path[128], *text, *at;
    snprintf(path, sizeof path, "%.*s.run.yaml", (int)strlen(csv) - 4, csv);
    text = file_read(path, 1 << 20, NULL, &d);
    at = text ? strstr(text, from) : NULL;
    CHECK(at != NULL);
    if (at) {
        str_add_bytes(&s, text, (size_t)(at - text));
        str_addf(&s, "%s%s", to, strchr(at, '\n'));
        CHECK(file_write(path, s.text, s.size, &d));
    }
    str_release(&s);
    free(text);
}

static int shard(unsigned i, const char *device_path)
{
    const char *devices[] = {device_path, NULL};
    return run_well(eight, devices, (struct run_options){.shard = i, .shards = 3});
}

static double no_time(void *context) { return (void)context, 0; }

static void one_report(void)
{
    start();
    const char *devices[] = {device("a", "time 10\nfor n=3000 wrong 1 5 100\n"), NULL};
    stop_at = 1, stop_signal = SIGTERM;
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 75);
    stop_at = 0;
    CHECK_INT(status(), 75);
    says(" left, about "); // at the speed of the run before
    says("; stopped by a signal\n");
    CHECK_INT(run_well(eight, devices, (struct run_options){.time_left = no_time}), 75);
    CHECK_INT(status(), 75);
    says(" left, about "); // a run that measured nothing says nothing of the speed
    edit(report, "end: \"stopped: out", "end: \"running\"");
    CHECK_INT(status(), 75);
    says("; died\n"); // nobody holds the lock
    CHECK_INT(run_well(eight, devices, (struct run_options){0}), 1);
    CHECK_INT(status(), 1); // all are there, one is wrong
    says("8 of 8 points, 1 failed; complete\n");
    struct diags d = {0};
    struct lock *lock = lock_take(report, NULL, &d);
    CHECK_INT(status(), 75); // somebody has it: who asks for the end must ask again
    says("8 of 8 points, 1 failed; process ");
    lock_release(lock);
    CHECK_INT(status(), 1);
}

static void shards_side_by_side(void)
{
    char csv[2][96];
    start();
    const char *a = device("a", "time 10\n"), *bad = device("b", "time 10\nwrong 1 5 100\n");
    stop_signal = SIGTERM;
    for (unsigned i = 1; i <= 2; i++) {
        snprintf(csv[i - 1], sizeof csv[0], "%.*s.%u-of-3.csv", (int)strlen(report) - 4, report, i);
        stop_at = 1;
        CHECK_INT(shard(i, a), 75);
    }
    stop_at = 0;
    CHECK_INT(status(), 75);
    says("1 of 3 shards have no file yet\n");
    says("of 8 points");
    never_says("points, 0 left");
    CHECK_INT(shard(3, bad), 1);
    edit(csv[0], "seconds_a_point:", "seconds_a_point: \"3600\"");
    edit(csv[1], "seconds_a_point:", "seconds_a_point: \"7200\"");
    CHECK_INT(status(), 75);
    char *whole = strstr(said, report), *slow = strstr(said, "2-of-3.csv");
    slow = slow ? strstr(slow, ", about ") : NULL;
    CHECK(whole && slow && strncmp(strstr(whole, ", about "), slow, strcspn(slow, ";")) == 0); // the slowest decides
    for (unsigned i = 1; i <= 2; i++) CHECK_INT(shard(i, a), 0);
    CHECK_INT(status(), 1); // whole, but not all well
    never_says(" left");
    snprintf(csv[0], sizeof csv[0], "%.*s.3-of-3.csv", (int)strlen(report) - 4, report);
    CHECK_INT(unlink(csv[0]), 0);
    CHECK_INT(status(), 75); // what a shard without a file has to do is left too
    says(" of 8 points, 2 left\n");
}

int main(void)
{
    if (!begin_tests()) return 1;
    one_report();
    shards_side_by_side();
    free(said);
    return end_tests();
}
