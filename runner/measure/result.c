// A result before anything is known, and a result whose numbers may not be used.
// SPDX-License-Identifier: MIT
#include "measure/result.h"
#include "spec/columns.h"

#include <math.h>
#include <string.h>

#define X(id, name, about) name,
const char *const status_names[] = {STATUSES(X) NULL};
#undef X
#define X(id, name, about) about,
const char *const status_about[] = {STATUSES(X)};
#undef X

enum status status_find(const char *word)
{
    int s = 0;
    while (status_names[s] && strcmp(status_names[s], word) != 0) s++;
    return (enum status)s;
}

size_t status_bad(const size_t counts[STATUS_COUNT])
{
    size_t n = 0;
    for (int i = 0; i < STATUS_COUNT; i++)
        if (status_is_bad((enum status)i)) n += counts[i];
    return n;
}

_Static_assert(RESULT_COLUMNS >= (int)COLUMN_COUNT, "more columns than a result has room for");

void result_init(struct result *r)
{
    memset(r, 0, sizeof *r);
    r->status = STATUS_FAILED;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) r->columns[c] = r->columns_sim[c] = NAN;
    for (size_t i = 0; i < RESULT_REPORTS; i++) r->reports[i] = NAN;
    r->part = (struct portion){.time_us = NAN, .error_us = NAN, .clock_mhz = NAN};
    for (size_t i = 0; i < RESULT_PLACES; i++) r->part.place_us[i] = NAN;
    for (size_t i = 0; i < RESULT_REPORTS; i++) r->part.reports[i] = r->part.report_errors[i] = NAN;
}

void result_blank_metrics(struct result *r)
{
    const bool counted = r->counts[0]; // what it does, whatever is wrong with it
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (column_table[c].wrong == WRONG_EMPTY && !(counted && column_counted(c)))
            r->columns[c] = r->columns_sim[c] = NAN;
    for (size_t i = 0; i < RESULT_REPORTS; i++) r->reports[i] = NAN;
}
