// Counts rows by status.
// SPDX-License-Identifier: MIT
#include "store/tally.h"

#include <string.h>

#include "store/keys.h"

bool tally_rows(struct table *t, struct tally *out, struct diags *d)
{
    struct keys k;
    int status = table_column(t, "status"), point = table_column(t, "point");
    *out = (struct tally){0};
    keys_init(&k);
    bool ok = keys_read(&k, t, d);
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct cells *row = keys_find(&k, k.rows[i].key) == &k.rows[i] ? table_row(t, i, d) : NULL;
        if (!row || (point >= 0 && !*cells_text(row, (size_t)point))) continue;
        out->points++;
        out->measured += k.rows[i].measured;
        for (size_t s = 0; status_names[s]; s++)
            if (strcmp(cells_text(row, (size_t)status), status_names[s]) == 0) out->status[s]++;
    }
    keys_free(&k);
    return ok;
}
