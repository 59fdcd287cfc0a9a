// What the tests of the report share: a report of two columns in a scratch folder, and rows for it.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "store/cells.h"
#include "store/head.h"
#include "store/report.h"
#include "store/table.h"
#include "unit/test.h"

static const char *const names[] = {"n", "order"};
static const char *const derived[] = {"efficiency"};
static const struct report_head head = {.experiment = "stride",
    .kernel = "stride",
    .names = names,
    .name_count = 2,
    .derived = derived,
    .derived_count = 1};
static char folder[] = "/tmp/gpuexp-report-XXXXXX", path[64];

static inline bool append_on(struct report *r, size_t point, enum status status, const char *device, const char *reason,
    struct diags *d)
{
    struct result result;
    struct value values[2] = {value_int((int64_t)point * 100), value_text("a, \"b\"")}, more[1] = {value_real(0.1)};
    struct row row = {.point = point, .values = values, .derived = more, .result = &result, .reason = reason};
    memset(&result, 0, sizeof result);
    for (int i = 0; i < COLUMN_COUNT; i++) result.columns[i] = NAN;
    result.columns[COLUMN_TIME_US] = 1.25;
    result.columns[COLUMN_GBPS] = INFINITY;
    result.columns[COLUMN_LD_SECTORS] = 67108864;
    result.status = status;
    snprintf(result.device, sizeof result.device, "%s", device);
    snprintf(row.key, sizeof row.key, "%016zx", point);
    return report_append(r, &row, d) && report_sync(r, d);
}

static inline bool append(struct report *r, size_t point, struct diags *d)
{
    return append_on(r, point, STATUS_OK, "sim", "", d);
}

static inline bool has(struct report *r, size_t point)
{
    char key[17];
    snprintf(key, sizeof key, "%016zx", point);
    return report_has(r, key);
}

static inline void start(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    CHECK(system(command) == 0);
}

static inline const char *cell(struct table *t, size_t row, const char *column)
{
    struct diags d = {0};
    const struct cells *c = table_row(t, row, &d);
    CHECK(c != NULL);
    return c ? cells_text(c, (size_t)table_column(t, column)) : "";
}

static inline bool begin_here(void)
{
    if (!mkdtemp(folder)) return false;
    snprintf(path, sizeof path, "%s/r.csv", folder);
    return true;
}

static inline int end_here(void)
{
    start();
    rmdir(folder);
    return test_end();
}
