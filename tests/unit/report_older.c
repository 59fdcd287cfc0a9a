// A report that was written before a column existed, or with the columns in another order: it goes on with the
// present columns, its rows keep their values, and shards from before and after are merged.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "store/head.h"
#include "store/merge.h"
#include "store/report.h"
#include "store/table.h"
#include "unit/test.h"

static const char *const names[] = {"n"}, *const derived[] = {"share"};
static const struct report_head head = {
    .experiment = "e", .kernel = "k", .names = names, .name_count = 1, .derived = derived, .derived_count = 1};
static char folder[] = "/tmp/gpuexp-older-XXXXXX", path[80];

static bool append(struct report *r, size_t point, struct diags *d)
{
    struct result result;
    struct value values[1] = {value_text("a, b")}, more[2] = {value_real(0.5), value_real(0.25)};
    struct row row = {.point = point, .values = values, .derived = more, .result = &result, .reason = ""};
    result_init(&result);
    result.status = STATUS_OK;
    for (int c = 0; c < COLUMN_COUNT; c++) result.columns[c] = result.columns_sim[c] = c + 1;
    snprintf(row.key, sizeof row.key, "%016zx", point);
    return report_append(r, &row, d);
}

// A report with the present columns and these points.
static void make(const char *file, const struct report_head *h, size_t from, size_t to, size_t step)
{
    struct diags d = {0};
    struct report *r = report_open(file, h, true, NULL, &d);
    CHECK(r != NULL);
    for (size_t p = from; r && p <= to; p += step) CHECK(append(r, p, &d));
    report_close(r);
    CHECK_INT(d.count, 0);
}

// The file as an older gpuexp would have written it: without the columns `gone` (a list of names between blanks), the
// others of gpuexp's own in the opposite order where `turned`.
static void make_older(const char *file, const char *gone, bool turned)
{
    struct table t;
    struct diags d = {0};
    struct str out = {0};
    bool sim;
    CHECK(table_open(&t, file, &d));
    size_t *order = calloc(t.column_count + 1, sizeof *order), count = 0, own = 0;
    for (size_t i = 0; i < t.column_count; i++) {
        char word[80];
        snprintf(word, sizeof word, " %s ", t.columns[i]);
        if (!strstr(gone, word)) order[count++] = i;
    }
    while (own < count && column_shown(t.columns[order[own]], &sim) < 0) own++;
    for (size_t i = own, j = count; turned && i < j; i++) { // the derived column and `counts` stay behind them
        while (j > i && column_shown(t.columns[order[j - 1]], &sim) < 0) j--;
        if (j-- <= i + 1) break;
        size_t other = order[i];
        order[i] = order[j], order[j] = other;
    }
    for (size_t i = 0; i < count; i++) cells_add(&out, t.columns[order[i]]);
    cells_end(&out);
    for (size_t r = 0; r < t.count; r++) {
        const struct cells *row = table_row(&t, r, &d);
        for (size_t i = 0; i < count; i++) cells_add(&out, cells_text(row, order[i]));
        cells_end(&out);
    }
    CHECK(file_write(file, out.text, out.size, &d));
    CHECK_INT(d.count, 0);
    str_release(&out);
    free(order);
    table_close(&t);
}

static char *whole(const char *file)
{
    struct diags d = {0};
    char *text = file_read(file, 1 << 20, NULL, &d);
    CHECK_INT(d.count, 0);
    return text;
}

// Every cell of the row is as `append` wrote it, but empty in the columns `gone`.
static void check_row(struct table *t, size_t row, const char *gone)
{
    struct diags d = {0};
    bool sim;
    for (size_t i = 0; i < t->column_count; i++) {
        int column = column_shown(t->columns[i], &sim);
        char word[80], number[32] = "";
        const char *cell = cells_text(table_row(t, row, &d), i);
        snprintf(word, sizeof word, " %s ", t->columns[i]);
        if (column >= 0 && !strstr(gone, word))
            snprintf(number, sizeof number, "%.*f", column_table[column].digits, column + 1.0);
        if (column >= 0) CHECK_TEXT(cell, number);
        if (strcmp(t->columns[i], "n") == 0) CHECK_TEXT(cell, "a, b");
        if (strcmp(t->columns[i], "share") == 0) CHECK_TEXT(cell, "0.5");
        if (strcmp(t->columns[i], "key") == 0) CHECK_INT(strlen(cell), 16);
    }
}

static void goes_on(const struct report_head *h, const char *gone, bool turned, const char *said)
{
    struct diags d = {0};
    struct table t;
    struct str header = {0};
    make(path, h, 1, 2, 1);
    make_older(path, gone, turned);
    char *before = whole(path);
    struct report *r = report_open(path, h, false, NULL, &d);
    CHECK(r != NULL);
    CHECK_TEXT(d.count ? d.items[0].what : "", said);
    CHECK_INT(diags_errors(&d), 0);
    CHECK_INT(report_rows(r), 2);
    CHECK(report_has(r, "0000000000000002"));
    char *after = whole(path);
    CHECK_TEXT(after, before); // opening alone changes nothing
    CHECK(append(r, 3, &d) && append(r, 4, &d));
    report_assign(r, "0000000000000004", 1); // the plan has changed
    report_assign(r, "0000000000000003", 2);
    report_assign(r, "0000000000000002", 3);
    report_assign(r, "0000000000000001", 4);
    CHECK(report_finish(r, &d));
    report_close(r);
    head_text(h, &header);
    free(after);
    after = whole(path);
    CHECK(strncmp(after, header.text, header.size) == 0);
    CHECK(table_open(&t, path, &d));
    CHECK_INT(t.count, 4);
    for (size_t i = 0; i < t.count; i++) check_row(&t, i, i < 2 ? "" : gone);
    table_close(&t);
    diags_clear(&d);
    r = report_open(path, h, false, NULL, &d);
    CHECK_INT(r ? report_rows(r) : 0, 4);
    report_close(r);
    CHECK_INT(d.count, 0); // an ordinary report now
    str_release(&header);
    free(before);
    free(after);
}

static void an_older_report_goes_on(void)
{
    struct report_head both = head;
    both.both = true;
    goes_on(&head, " gbps ", false, "was written before the column `gbps` existed: empty in its rows");
    goes_on(&head, " time_us regs l2_read_sectors ", false,
        "was written before the columns `time_us`, `regs`, `l2_read_sectors` existed: empty in its rows");
    goes_on(&head, "", true, "");
    goes_on(&head, " memory_bytes ", true, "was written before the column `memory_bytes` existed: empty in its rows");
    goes_on(&both, " ld_sectors sim_ld_sectors ", true,
        "was written before the columns `ld_sectors`, `sim_ld_sectors` existed: empty in its rows");
}

static void refused(const struct report_head *h, const char *gone, const char *why)
{
    struct diags d = {0};
    make(path, h, 1, 2, 1);
    make_older(path, gone, false);
    char *before = whole(path), *after;
    CHECK(!report_open(path, &head, false, NULL, &d));
    CHECK(strncmp(diags_first(&d), why, strlen(why)) == 0);
    diags_clear(&d);
    after = whole(path);
    CHECK_TEXT(after, before);
    free(before);
    free(after);
}

// What is not gpuexp's own makes it another report, and so does a column that the present gpuexp does not have.
static void what_is_no_column_of_gpuexp_is_not_forgiven(void)
{
    static const char *const later[] = {"share", "later"};
    struct report_head more = head, both = head;
    more.derived = later, more.derived_count = 2;
    both.both = true;
    refused(&head, " n ", "is a report of something else: it has no column `n`");
    refused(&head, " share gbps ", "is a report of something else: it has no column `gbps`");
    refused(&more, " gbps ", "is a report of something else: it has no column `gbps`");
    refused(&both, "", "is a report of something else: it has a column `sim_"); // whichever comes first
}

static void shards_from_before_and_after_are_merged(const char *gone_1, const char *gone_2)
{
    char shards[2][96], *inputs[1] = {path};
    struct merge_options o = {.inputs = (const char *const *)inputs, .input_count = 1};
    struct merge_summary s;
    struct diags d = {0};
    struct table t;
    unlink(path);
    for (int i = 0; i < 2; i++) {
        snprintf(shards[i], sizeof shards[i], "%s/r.%d-of-2.csv", folder, i + 1);
        make(shards[i], &head, (size_t)i + 1, 6, 2);
    }
    make_older(shards[0], gone_1, false);
    make_older(shards[1], gone_2, false);
    CHECK_INT(report_merge(&o, &s, NULL, NULL, &d), 0);
    CHECK_TEXT(diags_first(&d), "");
    CHECK(table_open(&t, path, &d));
    CHECK_INT(t.count, 6);
    for (size_t i = 0; i < t.count; i++) check_row(&t, i, i % 2 ? gone_2 : gone_1);
    table_close(&t);
    unlink(shards[0]);
    unlink(shards[1]);
}

int main(void)
{
    char command[128];
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/r.csv", folder);
    an_older_report_goes_on();
    what_is_no_column_of_gpuexp_is_not_forgiven();
    shards_from_before_and_after_are_merged(" gbps regs ", "");
    shards_from_before_and_after_are_merged("", " memory_bytes ");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return test_end();
}
