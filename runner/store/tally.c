// Counts rows by status.
// SPDX-License-Identifier: MIT
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "store/keys.h"

enum { UNPLANNED = 255 };

bool tally_rows(struct table *t, struct tally *out, struct diags *d)
{
    struct keys k;
    int status = table_column(t, "status"), point = table_column(t, "point");
    uint8_t *told = mem_alloc(t->count + 1); // each row's status, or that the plan no longer has it
    *out = (struct tally){0};
    keys_init(&k);
    bool ok = keys_columns(&k, t, d);
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct cells *row = table_row(t, i, d);
        ok = row != NULL;
        if (!ok) break;
        keys_add_row(&k, row);
        bool planned = point < 0 || *cells_text(row, (size_t)point);
        told[i] = planned ? (uint8_t)status_find(cells_text(row, (size_t)status)) : UNPLANNED;
    }
    for (size_t i = 0; i < k.count && ok; i++) {
        if (told[i] == UNPLANNED || keys_find(&k, k.rows[i].key) != &k.rows[i]) continue;
        out->points++;
        out->measured += k.rows[i].measured;
        if (told[i] < STATUS_COUNT) out->status[told[i]]++;
    }
    free(told);
    keys_free(&k);
    return ok;
}
