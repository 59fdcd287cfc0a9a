// Writes the rows of an older report under the present header.
// SPDX-License-Identifier: MIT
#include "store/older.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "spec/columns.h"
#include "store/swap.h"

static int find(char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return (int)i;
    return -1;
}

static bool own(const char *name)
{
    bool sim;
    return column_shown(name, &sim) >= 0;
}

// May `name` be missing? A `sim_` column may only if the column itself is missing too: else the two reports were
// measured with different settings of `counters`.
static bool may_miss(const char *name, char *const *old, size_t old_count)
{
    bool sim;
    int column = column_shown(name, &sim);
    return column >= 0 && (!sim || find(old, old_count, column_table[column].name) < 0);
}

bool older_fits(char *const *old, size_t old_count, char *const *now, size_t now_count)
{
    int last = -1;
    for (size_t i = 0; i < now_count; i++) {
        int at = find(old, old_count, now[i]);
        if (at < 0 ? !may_miss(now[i], old, old_count) : !own(now[i]) && at < last) return false;
        if (at >= 0 && !own(now[i])) last = at;
    }
    for (size_t i = 0; i < old_count; i++)
        if (find(now, now_count, old[i]) < 0) return false;
    return true;
}

int *older_map(char *const *old, size_t old_count, char *const *now, size_t now_count)
{
    int *map = mem_alloc((now_count + 1) * sizeof *map);
    for (size_t i = 0; i < now_count; i++) map[i] = find(old, old_count, now[i]);
    return map;
}

void older_row(const struct cells *row, const int *map, size_t count, struct str *out)
{
    for (size_t i = 0; i < count; i++) cells_add(out, map[i] < 0 ? "" : cells_text(row, (size_t)map[i]));
}

bool older_renew(struct lock *l, const char *path, char *const *now, size_t now_count, int *fd, struct diags *d)
{
    struct table t;
    LOCAL(str_release) struct str out = {0};
    int *map = NULL;
    bool ok = table_open(&t, path, d);
    if (ok) map = older_map(t.columns, t.column_count, now, now_count);
    for (size_t i = 0; i < now_count && ok; i++) cells_add(&out, now[i]);
    cells_add(&out, COLUMN_CHECKSUM);
    if (ok) cells_end(&out);
    for (size_t r = 0; r < t.count && ok; r++) {
        const struct cells *row = table_row(&t, r, d);
        const size_t start = out.size;
        ok = row != NULL;
        if (!ok) break;
        older_row(row, map, now_count, &out);
        cells_seal(&out, start);
    }
    ok = ok && swap_text(l, path, out.text, out.size, fd, d);
    free(map);
    table_close(&t);
    return ok;
}

void older_say(const char *path, char *const *old, size_t old_count, char *const *now, size_t now_count,
    struct diags *d)
{
    LOCAL(str_release) struct str names = {0};
    size_t count = 0;
    for (size_t i = 0; i < now_count; i++)
        if (find(old, old_count, now[i]) < 0) str_addf(&names, "%s`%s`", count++ ? ", " : "", now[i]);
    if (count)
        diag_add(d, DIAG_WARNING, (struct where){.file = path}, NULL,
            "was written before the column%s %s existed: empty in its rows", count == 1 ? "" : "s", names.text);
}
