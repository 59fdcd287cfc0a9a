// A line for each launch.
// SPDX-License-Identifier: MIT
#include "store/each_launch.h"

#include "spec/columns.h"
#include "store/cells.h"
#include "store/head.h"

// What is counted launch by launch.
static bool has(int column) { return column_table[column].group == COLUMNS_ACCESS; }

static void head(struct str *s)
{
    static const char *const names[] = {"key", "launch", "entry", "grid", "block", NULL};
    for (const char *const *n = names; *n; n++) cells_add(s, *n);
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (has(c)) cells_add(s, column_table[c].name);
    cells_add(s, COLUMN_CHECKSUM);
    cells_end(s);
}

static void add_size(struct str *s, const uint32_t size[3])
{
    char text[64];
    snprintf(text, sizeof text, "%ux%ux%u", size[0], size[1], size[2]);
    cells_add(s, text);
}

static void add_launch(struct str *s, const char *key, const struct job_launch *l, size_t number, const double *counts)
{
    const size_t start = s->size;
    LOCAL(str_release) struct str cell = {0};
    cells_add(s, key);
    str_addf(&cell, "%zu", number);
    cells_add(s, cell.text);
    cells_add(s, l->entry);
    add_size(s, l->grid);
    add_size(s, l->block);
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (!has(c)) continue;
        str_clear(&cell);
        head_number(counts[c], column_table[c].digits, &cell);
        cells_add(s, cell.text);
    }
    cells_seal(s, start);
}

const struct row_lines_table each_launch_table = {BESIDE_LAUNCHES, 1, head};

bool each_launch_add(struct kept *to, const char *key, const struct job *job, const struct str *counts, struct diags *d)
{
    const size_t count = counts->size / (EACH_LAUNCH_COLUMNS * sizeof(double));
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < count && i < job_launches(job); i++) {
        const struct job_launch it = job_launch(job, i);
        add_launch(&s, key, &it, i + 1, (const double *)(const void *)counts->text + i * EACH_LAUNCH_COLUMNS);
    }
    const bool ok = !s.size || (kept_add(to, s.text, s.size, d) && kept_sync(to, d)); // the row rests on them
    return ok;
}
