// store/: rows are read as they were written, whatever happened to the file: torn at any byte, measured again, put
// in order.
// SPDX-License-Identifier: MIT
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/report_here.h"
#include "measure/statuses.h"

static void cells_are_quoted_only_where_they_must_be(void)
{
    struct str s = {0};
    struct cells *c = cells_new();
    const char *const texts[] = {"plain", "", "a,b", "say \"so\"", "two\nlines", " before", "behind ", "=1+1", "'=1",
        "-cmd|x", "@a", "-1.5", "'quoted'", "x y", "\xc3\xa9", NULL};
    for (const char *const *t = texts; *t; t++) cells_add(&s, *t);
    cells_end(&s);
    CHECK_TEXT(s.text,
        "plain,,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\" before\",\"behind "
        "\",'=1+1,''=1,'-cmd|x,'@a,-1.5,'quoted',x y,\xc3\xa9\n");
    CHECK_INT(cells_record(s.text, s.size), s.size);
    CHECK_INT(cells_record(s.text, s.size - 1), 0);
    CHECK(cells_parse(c, s.text, s.size));
    CHECK_INT(cells_count(c), 15);
    for (size_t i = 0; texts[i]; i++) CHECK_TEXT(cells_text(c, i), texts[i]);
    CHECK(!cells_parse(c, "a,b\"c,d\n", 8));
    CHECK(cells_parse(c, "a,b\n", 4)); // an error leaves nothing behind
    CHECK_INT(cells_count(c), 2);
    CHECK(!cells_parse(c, "\n", 1));
    cells_free(c);
    str_release(&s);
}

static void unknown_numbers_are_empty_cells(void)
{
    struct diags d = {0};
    struct table t;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(r && append_on(r, 1, STATUS_WRONG, "sim", "3 of 100 wrong,\nfirst: 7", &d));
    report_close(r);
    CHECK(table_open(&t, path, &d));
    CHECK_TEXT(cell(&t, 0, "experiment"), "stride");
    CHECK_TEXT(cell(&t, 0, "n"), "100");
    CHECK_TEXT(cell(&t, 0, "order"), "a, \"b\"");
    CHECK_TEXT(cell(&t, 0, "status"), "wrong");
    CHECK_TEXT(cell(&t, 0, "reason"), "3 of 100 wrong, first: 7");
    CHECK_TEXT(cell(&t, 0, "time_us"), "1.250");
    CHECK_TEXT(cell(&t, 0, "gbps"), "");    // infinite
    CHECK_TEXT(cell(&t, 0, "samples"), ""); // not known
    CHECK_TEXT(cell(&t, 0, "ld_sectors"), "67108864");
    CHECK_TEXT(cell(&t, 0, "efficiency"), "0.1");
    CHECK(table_column(&t, "sim_ld_sectors") < 0);
    table_close(&t);
    CHECK_INT(d.count, 0);
}

static void a_second_run_keeps_what_is_there(void)
{
    struct diags d = {0};
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append(r, 1, &d) && append_on(r, 2, STATUS_FAILED, "sim", "x", &d) &&
        append_on(r, 3, STATUS_SKIPPED, "sim", "y", &d));
    CHECK(append_on(r, 4, STATUS_TIMEOUT, "sim", "z", &d));
    report_close(r);
    r = report_open(path, &head, false, NULL, &d);
    CHECK_INT(report_rows(r), 4);
    CHECK(has(r, 1) && !has(r, 2) && has(r, 3) && !has(r, 4) && !has(r, 5));
    CHECK(append(r, 2, &d));
    CHECK(has(r, 2)); // of two rows with one key the last counts
    report_close(r);
    r = report_open(path, &head, false, NULL, &d);
    CHECK_INT(report_rows(r), 5);
    CHECK(has(r, 2));
    report_close(r);
    CHECK_INT(d.count, 0);
}

static void finish_puts_rows_in_plan_order_and_keeps_strangers_behind(void)
{
    struct diags d = {0};
    struct table t;
    struct stat before, after;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append_on(r, 3, STATUS_FAILED, "sim", "first try", &d) && append(r, 9, &d) && append(r, 1, &d));
    report_close(r);
    r = report_open(path, &head, false, NULL, &d);
    CHECK(!report_assign(r, "0000000000000003", 2)); // the plan has changed: 3 is now 2, 1 is now 3, 9 is gone
    CHECK(report_assign(r, "0000000000000001", 3));
    CHECK(!report_assign(r, "00000000000000ff", 7));
    CHECK(append_on(r, 3, STATUS_OK, "sim", "", &d));
    CHECK(report_assign(r, "0000000000000003", 2));
    CHECK(report_finish(r, &d));
    CHECK_INT(stat(path, &before), 0);
    CHECK(append(r, 4, &d)); // still open, on the new file
    CHECK(report_finish(r, &d));
    CHECK(table_open(&t, path, &d));
    CHECK_INT(t.count, 4);
    CHECK_TEXT(cell(&t, 0, "point"), "2");
    CHECK_TEXT(cell(&t, 0, "key"), "0000000000000003");
    CHECK_TEXT(cell(&t, 0, "status"), "ok");
    CHECK_TEXT(cell(&t, 1, "point"), "3");
    CHECK_TEXT(cell(&t, 2, "point"), "4");
    CHECK_TEXT(cell(&t, 3, "point"), "");
    CHECK_TEXT(cell(&t, 3, "key"), "0000000000000009");
    table_close(&t);
    report_close(r);
    r = report_open(path, &head, false, NULL, &d);
    CHECK_INT(stat(path, &before), 0);
    report_assign(r, "0000000000000003", 2);
    report_assign(r, "0000000000000001", 3);
    report_assign(r, "0000000000000004", 4);
    CHECK(report_finish(r, &d)); // nothing to do: the file does not change
    CHECK_INT(stat(path, &after), 0);
    CHECK(before.st_ino == after.st_ino);
    report_close(r);
    CHECK_INT(d.count, 0);
}

// A crash can cut the file at any byte: it opens again, and at most the row that was being written is lost.
static void a_file_torn_at_any_byte_loses_at_most_its_last_row(void)
{
    struct diags d = {0};
    size_t size;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    for (size_t i = 1; i <= 3; i++) CHECK(append(r, i, &d));
    report_close(r);
    char *whole = file_read(path, 1 << 20, &size, &d);
    size_t header = cells_record(whole, size);
    for (size_t cut = 0; cut <= size; cut += cut + 80 < size ? 7 : 1) {
        size_t rows = 0, at = header;
        bool torn = cut > header && whole[cut - 1] != '\n';
        for (size_t next; cut > at && (next = cells_record(whole + at, cut - at)); at += next) rows++;
        CHECK(file_write(path, whole, cut, &d));
        r = report_open(path, &head, false, NULL, &d);
        CHECK(r != NULL);
        if (!r) continue;
        CHECK_INT(report_rows(r), rows);
        CHECK_INT(d.count, torn ? 1 : 0); // said, as a warning
        CHECK_INT(diags_errors(&d), 0);
        for (size_t i = rows + 1; i <= 3; i++) CHECK(append(r, i, &d));
        report_close(r);
        char *again = file_read(path, 1 << 20, NULL, &d);
        CHECK_TEXT(again, whole);
        free(again);
        diags_clear(&d);
    }
    free(whole);
}

static void another_report_is_refused_with_the_difference(void)
{
    struct diags d = {0};
    const char *const other_names[] = {"n", "offset"}, *const here[] = {"sim", "sim:h200"},
                      *const there[] = {"NVIDIA H200"};
    struct report_head other = head;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append(r, 1, &d));
    CHECK(report_devices(r, here, 2, &d));
    CHECK(!report_devices(r, there, 1, &d));
    CHECK_TEXT(diags_first(&d), "was measured on sim, not on NVIDIA H200");
    diags_clear(&d);
    CHECK(report_devices(r, (const char *const[]){"sim (cuda:1)"}, 1, &d)); // one of several of the same model
    CHECK(!report_devices(r, (const char *const[]){"sim (mobile)"}, 1, &d));
    report_close(r);
    diags_clear(&d);
    other.names = other_names;
    CHECK(!report_open(path, &other, false, NULL, &d));
    CHECK_TEXT(diags_first(&d), "is a report of something else: it has no column `offset`");
    CHECK_INT(diags_exit_status(&d), 2);
    diags_clear(&d);
    other = head, other.experiment = "transpose";
    CHECK(!report_open(path, &other, false, NULL, &d));
    CHECK_TEXT(diags_first(&d), "is a report of experiment `stride`, not `transpose`");
    diags_clear(&d);
    other = head, other.kernel = "vecadd";
    CHECK(!report_open(path, &other, false, NULL, &d));
    CHECK_TEXT(diags_first(&d), "is a report of kernel `stride`, not `vecadd`");
    diags_clear(&d);
    CHECK(file_write(path, "not a report", 12, &d));
    CHECK(!report_open(path, &head, false, NULL, &d)); // and not overwritten
    diags_clear(&d);
    char *text = file_read(path, 100, NULL, &d);
    CHECK_TEXT(text, "not a report");
    free(text);
    r = report_open(path, &other, true, NULL, &d); // --fresh
    CHECK(r != NULL);
    report_close(r);
    char bak[80];
    snprintf(bak, sizeof bak, "%s.bak", path);
    text = file_read(bak, 100, NULL, &d);
    CHECK_TEXT(text, "not a report");
    free(text);
    r = report_open(path, &other, true, NULL, &d); // a second --fresh keeps what the first one kept
    report_close(r);
    text = file_read(bak, 100, NULL, &d);
    CHECK_TEXT(text, "not a report");
    free(text);
    snprintf(bak, sizeof bak, "%s.bak.2", path);
    CHECK(file_exists(bak));
    for (int i = 3; i <= 10; i++) report_close(report_open(path, &other, true, NULL, &d));
    CHECK(d.count == 1 && strstr(d.items[0].what, ".bak, the oldest of 9")); // the tenth time, and said
    diags_clear(&d);
    snprintf(bak, sizeof bak, "%s.bak.10", path);
    CHECK(!file_exists(bak));
    snprintf(bak, sizeof bak, "%s.bak", path);
    text = file_read(bak, 1 << 16, NULL, &d);
    CHECK(text && strncmp(text, "experiment,", 11) == 0); // the second one now
    free(text);
    other = head, other.derived = names, other.derived_count = 1;
    CHECK(!report_open("/tmp/never", &other, false, NULL, &d));
    CHECK_TEXT(diags_first(&d), "two columns of the report would be named `n`");
    diags_clear(&d);
}

// A disk that is full in the middle of a row: said with the file's name, the file keeps its whole rows, and a later run
// goes on.
static void a_full_disk_costs_no_row_that_was_written(void)
{
    struct diags d = {0};
    struct stat st;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append(r, 1, &d) && append(r, 2, &d));
    CHECK_INT(stat(path, &st), 0);
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = old, low.rlim_cur = (rlim_t)st.st_size + 40;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    CHECK(!append(r, 3, &d));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK_INT(diags_exit_status(&d), 3);
    CHECK(strstr(diags_first(&d), path) != NULL);
    off_t size = st.st_size;
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_size, size);
    report_close(r);
    diags_clear(&d);
    r = report_open(path, &head, false, NULL, &d);
    CHECK_INT(report_rows(r), 2);
    CHECK(append(r, 3, &d));
    report_close(r);
    CHECK_INT(d.count, 0);
}

// kill -9 while rows are being written, over and over: every open finds whole rows only, and never fewer than before.
static void kill_9_loses_at_most_the_row_being_written(void)
{
    struct diags d = {0};
    size_t before = 0;
    start();
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            struct report *r = report_open(path, &head, false, NULL, &d);
            for (size_t i = report_rows(r) + 1;; i++) append(r, i, &d);
        }
        usleep(5000 + 1000 * (useconds_t)round);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        struct report *r = report_open(path, &head, false, NULL, &d);
        CHECK(r != NULL);
        if (!r) break;
        CHECK(report_rows(r) >= before);
        before = report_rows(r);
        for (size_t i = 1; i <= before; i++) CHECK(has(r, i));
        report_close(r);
        CHECK_INT(diags_errors(&d), 0);
        diags_clear(&d);
    }
    CHECK(before > 0);
}

int main(void)
{
    if (!begin_here()) return 1;
    cells_are_quoted_only_where_they_must_be();
    unknown_numbers_are_empty_cells();
    a_second_run_keeps_what_is_there();
    finish_puts_rows_in_plan_order_and_keeps_strangers_behind();
    a_file_torn_at_any_byte_loses_at_most_its_last_row();
    another_report_is_refused_with_the_difference();
    a_full_disk_costs_no_row_that_was_written();
    kill_9_loses_at_most_the_row_being_written();
    return end_here();
}
