// A report as JSON Lines: for each point its last row, an object on one line. A number is a number, an empty cell null.
// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "page/export.h"
#include "store/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void row(struct json *j, const struct table *t, const struct cells *cells)
{
    json_object(j, NULL);
    for (size_t c = 0; c < t->column_count; c++) {
        const char *cell = cells_text(cells, c);
        bool text = false; // a key is a text, also where it looks like a number
        for (const struct text_column *x = column_texts; x->name; x++)
            text |= strcmp(x->name, t->columns[c]) == 0 && strcmp(x->name, "point") != 0;
        if (!*cell) json_text(j, t->columns[c], NULL);
        else if (text) json_text(j, t->columns[c], cell);
        else json_value(j, t->columns[c], table_value(cell));
    }
}

static bool report(const char *path, FILE *out, struct diags *d)
{
    struct table t;
    struct keys k;
    keys_init(&k);
    bool ok = table_open(&t, path, d) && keys_columns(&k, &t, d);
    const int point = ok ? table_column(&t, "point") : -1;
    for (size_t i = 0; ok && i < t.count; i++) {
        const struct cells *cells = table_row(&t, i, d);
        ok = cells != NULL;
        if (ok) keys_add_row(&k, cells);
    }
    for (size_t i = 0; ok && i < t.count; i++) {
        const struct cells *cells = table_row(&t, i, d);
        ok = cells != NULL;
        if (!ok) break;
        if (point >= 0 && !*cells_text(cells, (size_t)point)) continue;               // the plan no longer has it
        if (k.rows[i].key[0] && keys_find(&k, k.rows[i].key) != &k.rows[i]) continue; // a later row replaces it
        struct json j = json_begin(out, true);
        row(&j, &t, cells);
        json_end(&j);
    }
    keys_free(&k);
    table_close(&t);
    return ok;
}

bool lines_write(const struct html_options *o, char output[4096], struct diags *d)
{
    const bool print = o->output && strcmp(o->output, "-") == 0;
    char part[4200];
    output[0] = '\0';
    if (!print && !export_path(o, ".jsonl", output, d)) return false;
    snprintf(part, sizeof part, "%s.part", output);
    FILE *out = print ? stdout : fopen(part, "w");
    if (!out) return diag_system(d, NULL, "cannot write %s: %s", part, strerror(errno));
    bool ok = true;
    for (size_t i = 0; i < o->count && ok; i++) ok = report(o->reports[i], out, d);
    if (print) return ok;
    const bool whole = !ferror(out) && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (fclose(out) != 0 || !whole || (ok && rename(part, output) != 0))
        ok = diag_system(d, NULL, "cannot write %s: %s", output, strerror(errno));
    if (!ok) remove(part);
    return ok;
}
