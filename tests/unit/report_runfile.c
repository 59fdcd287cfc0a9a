// store/runfile: what is written is read back, whatever text an experiment holds; the history of runs is kept.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <unistd.h>

#include "store/runfile.h"
#include "unit/test.h"

static void check_get(const char *text, const char *name, int run, const char *want)
{
    char *got = runfile_get(text, name, run);
    CHECK_TEXT(got ? got : "(none)", want);
    free(got);
}

static void facts_and_runs_come_back(void)
{
    struct diags d = {0};
    struct runfile f, g, h;
    const char *const decides[] = {"kernel_hash", "device", NULL};
    char path[] = "/tmp/gpuexp-runfile-XXXXXX", csv[64];
    CHECK(mkdtemp(path) != NULL);
    snprintf(csv, sizeof csv, "%s/x.csv", path);
    CHECK(runfile_read(csv) == NULL);
    runfile_init(&f, csv);
    runfile_fact(&f, "experiment", "a \"b\" \\ c\nd\x01");
    runfile_factf(&f, "points", "%d", 12);
    runfile_fact(&f, "kernel_hash", "abc");
    runfile_block(&f, "text", "  indented\nruns:\n  - started: \"no\"\npoints: \"99\"\n\nkernel_hash: x\n");
    runfile_block(&f, "kernel_text", "no end\n\tof its \"line\"");
    runfile_fact(&f, "device", "sim");
    runfile_begin(&f);
    runfile_run(&f, "started", "%s", "today");
    CHECK(runfile_write(&f, &d));
    runfile_begin(&f);
    runfile_run(&f, "started", "%s", "today");
    runfile_run(&f, "rows", "%d", 5);
    CHECK(runfile_write(&f, &d)); // the same run, complete now
    char *text = runfile_read(csv);
    check_get(text, "experiment", 0, "a \"b\" \\ c\nd\x01");
    check_get(text, "points", 0, "12");
    check_get(text, "device", 0, "sim");
    CHECK(strstr(text, "\npoints: 12\n") && strstr(text, "\n    rows: 5\n") &&
        strstr(text, "\nkernel_hash: \"abc\"\n"));
    check_get("points: \"12\"\nruns:\n  - rows: \"5\"\n    left: 0\n", "points", 0, "12"); // of an older version
    check_get("points: \"12\"\nruns:\n  - rows: \"5\"\n    left: 0\n", "left", -1, "0");
    check_get(text, "text", 0, "");
    char *kept[] = {runfile_text(text, "text"), runfile_text(text, "kernel_text")}; // exactly as they were
    CHECK_TEXT(kept[0], "  indented\nruns:\n  - started: \"no\"\npoints: \"99\"\n\nkernel_hash: x\n");
    CHECK_TEXT(kept[1], "no end\n\tof its \"line\"");
    for (int i = 0; i < 2; i++) free(kept[i]);
    check_get(text, "started", 0, "(none)");
    check_get(text, "rows", -1, "5");
    check_get(text, "rows", -2, "(none)");
    check_get(text, "points", -1, "(none)");
    CHECK_INT(runfile_runs(text), 1);

    runfile_init(&g, csv); // a second run goes on
    runfile_fact(&g, "kernel_hash", "abc");
    CHECK(runfile_follow(&g, text, decides, &d));
    runfile_run(&g, "started", "tomorrow");
    CHECK(runfile_write(&g, &d));
    free(text);
    text = runfile_read(csv);
    CHECK_INT(runfile_runs(text), 2);
    check_get(text, "started", -1, "tomorrow");
    check_get(text, "rows", -1, "(none)");
    check_get(text, "started", -2, "today");
    check_get(text, "rows", -2, "5");
    const char *const rows[] = {"5", ""}, *at = NULL;
    char *each;
    for (int i = 0; i < 2; i++) { // the second run has none yet
        CHECK(runfile_each(text, "rows", &at, &each));
        CHECK_TEXT(each ? each : "", rows[i]);
        free(each);
    }
    CHECK(!runfile_each(text, "rows", &at, &each));
    CHECK_INT(d.count, 0);

    runfile_init(&h, csv); // a third would mix
    runfile_fact(&h, "kernel_hash", "abd");
    CHECK(!runfile_follow(&h, text, decides, &d));
    CHECK_TEXT(diags_first(&d), "the rows that are there were measured with another kernel_hash: `abc`, now `abd`");
    diags_clear(&d);
    free(text);
    runfile_release(&f);
    runfile_release(&g);
    runfile_release(&h);
    snprintf(csv, sizeof csv, "%s/x.run.yaml", path);
    unlink(csv);
    rmdir(path);
}

int main(void)
{
    facts_and_runs_come_back();
    return test_end();
}
