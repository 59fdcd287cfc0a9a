// store/: a report that was edited is refused with its line and not changed; a removed row is measured again.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "unit/report_here.h"

static void a_broken_row_is_named_by_its_line(void)
{
    struct diags d = {0};
    struct str s = {0};
    start();
    report_close(report_open(path, &head, false, NULL, &d));
    char *text = file_read(path, 1 << 20, NULL, &d);
    str_addf(&s, "%sonly,three,cells\n", text);
    CHECK(file_write(path, s.text, s.size, &d));
    CHECK(!report_open(path, &head, false, NULL, &d));
    CHECK_INT(d.items[0].at.line, 2);
    CHECK_TEXT(diags_first(&d), "is not as it was written: its cells do not fit its checksum");
    diags_clear(&d);
    str_release(&s);
    free(text);
}

// Not synced: there are thousands of them.
static void put(const char *text, size_t size)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(text, size, 1, f) == 1 && fclose(f) == 0);
}

// Every reader does so; a run does not change it.
static void check_refused(const char *text, size_t size, int line)
{
    static int tried;
    struct diags d = {0};
    struct table t;
    size_t now;
    put(text, size);
    CHECK(!table_open(&t, path, &d));
    table_close(&t);
    CHECK_INT(d.count, 1);
    CHECK_INT(d.count ? d.items[0].at.line : 0, line);
    diags_clear(&d);
    if (tried++ % 50) return;
    CHECK(!report_open(path, &head, false, NULL, &d));
    CHECK_INT(diags_exit_status(&d), 2);
    diags_clear(&d);
    char *after = file_read(path, 1 << 20, &now, &d);
    CHECK(now == size && memcmp(after, text, size) == 0);
    free(after);
}

// Each byte of the rows, one after another, changed to each of some others.
static void a_changed_byte_is_refused_with_its_line(void)
{
    struct diags d = {0};
    size_t size;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    for (size_t i = 1; i <= 3; i++) CHECK(append(r, i, &d));
    report_close(r);
    char *text = file_read(path, 1 << 20, &size, &d);
    int line = 2;
    for (size_t i = cells_record(text, size); i < size; i++) {
        char was = text[i];
        for (const char *c = "\"7,\n"; *c; c++) {
            text[i] = *c;
            if (*c != was && was != '\n') check_refused(text, size, line);
            if (was == '\n' && *c != was && i + 1 < size) check_refused(text, size, line); // two rows in one line
        }
        text[i] = was;
        line += was == '\n';
    }
    // An odd number of quotes, in whatever line: no row is taken for the end of a torn one.
    for (size_t i = cells_record(text, size), at = 2; i < size; i++) {
        struct str s = {0};
        str_add_bytes(&s, text, i);
        str_add(&s, "\"");
        str_add_bytes(&s, text + i, size - i);
        check_refused(s.text, s.size, (int)at);
        at += text[i] == '\n';
        str_release(&s);
    }
    free(text);
}

// When a row is removed by hand, its point is measured again.
static void a_row_that_was_removed_is_measured_again(void)
{
    struct diags d = {0};
    size_t size;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    for (size_t i = 1; i <= 3; i++) CHECK(append(r, i, &d));
    report_close(r);
    char *text = file_read(path, 1 << 20, &size, &d);
    size_t first = cells_record(text, size), second = first + cells_record(text + first, size - first);
    memmove(text + first, text + second, size - second);
    CHECK(file_write(path, text, size - (second - first), &d));
    r = report_open(path, &head, false, NULL, &d);
    CHECK(r && !has(r, 1) && has(r, 2) && has(r, 3));
    report_close(r);
    free(text);
    CHECK_INT(d.count, 0);
}

// A table without checksums can be read. It is no report to go on with, and stays as it is.
static void rows_without_checksums_are_read_and_not_continued(void)
{
    struct diags d = {0};
    struct table t;
    size_t size, kept;
    start();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append(r, 2, &d) && append(r, 1, &d));
    report_close(r);
    char *text = file_read(path, 1 << 20, &size, &d), *out = text;
    for (char *line = text, *end; line < text + size; line = end) { // without the last cell
        char *last = end = strchr(line, '\n') + 1;
        while (*last != ',') last--;
        memmove(out, line, (size_t)(last - line));
        out += last - line;
        *out++ = '\n';
    }
    kept = (size_t)(out - text);
    CHECK(file_write(path, text, kept, &d));
    CHECK(table_open(&t, path, &d));
    CHECK(!t.checked && t.count == 2);
    CHECK_TEXT(cell(&t, 1, "efficiency"), "0.1");
    table_close(&t);
    CHECK(!report_open(path, &head, false, NULL, &d));
    CHECK_TEXT(diags_first(&d), "is a report of something else: it has no column `checksum`");
    diags_clear(&d);
    char *after = file_read(path, 1 << 20, &size, &d);
    CHECK(size == kept && memcmp(after, text, kept) == 0);
    free(after);
    char *line = strchr(strchr(text, '\n') + 1, '\n') + 1; // the third: its quotes are made odd
    *strstr(line, ",\"a, ") = ';';
    put(text, kept);
    CHECK(table_open(&t, path, &d) && !table_row(&t, 1, &d));
    CHECK_INT(d.items[0].at.line, 3);
    table_close(&t);
    diags_clear(&d);
    free(text);
}

int main(void)
{
    if (!begin_here()) return 1;
    a_broken_row_is_named_by_its_line();
    a_changed_byte_is_refused_with_its_line();
    a_row_that_was_removed_is_measured_again();
    rows_without_checksums_are_read_and_not_continued();
    return end_here();
}
