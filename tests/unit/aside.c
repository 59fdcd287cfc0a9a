// Rows of an edited kernel go into one file beside the report: each once, the oldest first out, whatever columns they
// have.
// SPDX-License-Identifier: MIT
#include "store/aside.h"

#include "base/beside.h"
#include "store/runfile.h"
#include "unit/report_here.h"

static struct report_head of_text(const char *hash)
{
    struct report_head h = head;
    h.text_hash = hash;
    return h;
}

// A report of rows 1 to `count`, measured with the text `hash`.
static void measured_with(const char *hash, size_t first, size_t count)
{
    struct diags d = {0};
    const struct report_head h = of_text(hash);
    struct report *r = report_open(path, &h, false, NULL, &d);
    struct runfile f;
    size_t moved = 0, dropped = 0;
    CHECK(r != NULL);
    if (report_edited(r)) CHECK(report_put_aside(r, &moved, &dropped, &d));
    for (size_t i = first; i < first + count; i++) CHECK(append(r, i, &d));
    runfile_init(&f, path);
    runfile_fact(&f, "kernel_hash", hash);
    CHECK(runfile_write(&f, &d));
    runfile_release(&f);
    report_close(r);
    diags_clear(&d);
}

static size_t rows_of(const char *file, const char *column, char cells[][40])
{
    struct table t;
    struct diags d = {0};
    size_t count = 0;
    if (file_exists(file) && table_open(&t, file, &d)) {
        for (; count < t.count; count++) {
            const struct cells *row = table_row(&t, count, &d);
            const int at = table_column(&t, column);
            if (cells) snprintf(cells[count], 40, "%s", row && at >= 0 ? cells_text(row, (size_t)at) : "none");
        }
        table_close(&t);
    }
    CHECK_INT(d.count, 0);
    diags_clear(&d);
    return count;
}

static void each_text_leaves_its_rows_in_one_file(void)
{
    char cells[32][40], hash[16];
    char *old = beside_path(path, BESIDE_OLD);
    start();
    for (int i = 0; i < 5; i++) {
        snprintf(hash, sizeof hash, "text%d", i);
        measured_with(hash, (size_t)(10 * i + 1), 2);
    }
    CHECK_INT(rows_of(path, "key", NULL), 2);
    CHECK_INT(rows_of(old, "kernel_hash", cells), 8);
    CHECK_TEXT(cells[0], "text0");
    CHECK_TEXT(cells[7], "text3");
    CHECK_INT(rows_of(old, "key", cells), 8);
    CHECK_TEXT(cells[1], "0000000000000002");
    CHECK_TEXT(cells[7], "0000000000000020");
    CHECK_INT(rows_of(old, "order", cells), 8);
    CHECK_TEXT(cells[7], "a, \"b\"");
    free(old);
}

// Rows that another kernel of the experiment measured still have their place.
static void rows_with_a_place_stay(void)
{
    struct diags d = {0};
    const struct report_head h = of_text("new");
    size_t moved = 0, dropped = 0;
    char cells[8][40];
    start();
    measured_with("old", 1, 3);
    struct report *r = report_open(path, &h, false, NULL, &d);
    CHECK(report_edited(r));
    CHECK(report_assign(r, "0000000000000002", 7));
    CHECK(report_put_aside(r, &moved, &dropped, &d));
    CHECK_INT(moved, 2);
    CHECK_INT(dropped, 0);
    CHECK_INT(report_rows(r), 1);
    CHECK(append(r, 9, &d));
    CHECK(report_finish(r, &d));
    report_close(r);
    CHECK_INT(rows_of(path, "key", cells), 2);
    CHECK_TEXT(cells[0], "0000000000000002");
    CHECK_INT(rows_of(path, "point", cells), 2);
    CHECK_TEXT(cells[0], "7");
    diags_clear(&d);
}

// The report is put back as it was when the run died: the rows are in the other file already.
static void a_crash_between_the_two_files_writes_no_row_twice(void)
{
    struct diags d = {0};
    size_t size, moved = 0, dropped = 0;
    char *old = beside_path(path, BESIDE_OLD);
    start();
    measured_with("old", 1, 4);
    char *text = file_read(path, 1 << 20, &size, &d);
    const struct report_head h = of_text("new");
    for (int i = 0; i < 2; i++) {
        CHECK(file_write(path, text, size, &d));
        struct report *r = report_open(path, &h, false, NULL, &d);
        CHECK(report_put_aside(r, &moved, &dropped, &d));
        report_close(r);
        CHECK_INT(moved, 4);
        CHECK_INT(rows_of(old, "key", NULL), 4);
        CHECK_INT(rows_of(path, "key", NULL), 0);
    }
    free(text);
    free(old);
    diags_clear(&d);
}

// A text that reports more has other columns: what is there goes aside, whole.
static void other_columns_are_put_aside_too(void)
{
    static const char *const reports[] = {"cycles"};
    struct diags d = {0};
    size_t moved = 0, dropped = 0;
    char cells[8][40], *old = beside_path(path, BESIDE_OLD);
    struct report_head h = of_text("new");
    start();
    measured_with("old", 1, 2);
    h.reports = reports, h.report_count = 1;
    struct report *r = report_open(path, &h, false, NULL, &d);
    CHECK(r != NULL && report_put_aside(r, &moved, &dropped, &d));
    CHECK_INT(moved, 2);
    report_close(r);
    CHECK_INT(rows_of(path, "cycles", cells), 0);
    CHECK_INT(rows_of(old, "efficiency", cells), 2);
    CHECK_TEXT(cells[1], "0.1");
    measured_with("new", 5, 1); // its columns are those of now: it is gone on with, and gets no row of another kernel
    h.kernel = "another";
    h.text_hash = "third";
    CHECK(!report_open(path, &h, false, NULL, &d));
    free(old);
    diags_clear(&d);
}

static void the_oldest_go_where_there_are_too_many(void)
{
    struct diags d = {0};
    struct lock *l;
    struct keys keys;
    char cells[16][40], *old = beside_path(path, BESIDE_OLD);
    start();
    measured_with("one", 1, 3);
    measured_with("two", 11, 3); // puts three aside
    struct table t;
    keys_init(&keys);
    CHECK(table_open(&t, path, &d) && keys_read(&keys, &t, &d));
    table_close(&t);
    CHECK((l = lock_take(path, NULL, &d)) != NULL);
    char *text = file_read(old, 1 << 20, &t.size, &d);
    struct aside ask = {.path = path, .text_hash = "two", .most = t.size + 100}; // no room for another row
    int fd = -1;
    CHECK(aside_move(&ask, l, &keys, &fd, &d));
    CHECK_INT(ask.moved, 3);
    CHECK_INT(ask.dropped, 3);
    CHECK_INT(rows_of(old, "kernel_hash", cells), 3);
    CHECK_TEXT(cells[0], "two");
    lock_release(l);
    if (fd >= 0) close(fd);
    keys_free(&keys);
    free(text);
    free(old);
    diags_clear(&d);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/r.csv", folder);
    each_text_leaves_its_rows_in_one_file();
    rows_with_a_place_stay();
    a_crash_between_the_two_files_writes_no_row_twice();
    other_columns_are_put_aside_too();
    the_oldest_go_where_there_are_too_many();
    start();
    rmdir(folder);
    return test_end();
}
