// Reads what the probes of a calibration gave.
// SPDX-License-Identifier: MIT
#include "study/calibrating.h"

#include <math.h>
#include <stdio.h>

#include "base/beside.h"
#include "base/embed.h"
#include "base/file.h"
#include "spec/traits.h"
#include "store/table.h"

const char *calibrating_experiments(const char *beside, struct arena *a, struct diags *d)
{
    const struct embedded *e = embed_find(calibration_experiments);
    LOCAL(mem_drop) char *stem = beside_with(beside, ".probes.yaml");
    const char *path = arena_strdup(a, stem);
    return e && file_make_folders(path, d) && file_write(path, e->text, e->size, d) ? path : NULL;
}

// The number of a probe's row; NAN where it has none.
static double read_probe(const struct probe_facts *p, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(str_release) struct str path = {0};
    double v = NAN;
    str_addf(&path, "reports/%s.csv", p->experiment);
    if (table_open(&t, path.text, d) && t.count > (size_t)p->row) {
        const int column = table_column(&t, p->column);
        const struct cells *cells = table_row(&t, (size_t)p->row, d);
        if (!cells || column < 0 || !value_number(table_value(cells_text(cells, (size_t)column)), &v)) v = NAN;
    }
    return v;
}

bool calibrating_read(double probes[PROBE_COUNT], struct diags *d)
{
    for (int k = 0; k < PROBE_COUNT; k++) probes[k] = read_probe(&probe_table[k], d);
    for (int k = PROBE_COUNT; k-- > 0;) // those that are taken off stand in front
        if (probe_table[k].minus != PROBE_NONE) probes[k] -= read_probe(&probe_table[probe_table[k].minus], d);
    return !diags_errors(d);
}

void calibrating_limits(struct condition_told *told)
{
    char *to = told->id.limits;
    size_t used = 0;
    for (int k = 0; k < TRAIT_COUNT; k++) {
        const char *v = condition_text(told, trait_table[k].name);
        if (!*v || used + 64 > sizeof told->id.limits) continue;
        used += (size_t)sprintf(to + used, "%s%s %.24s", used ? ", " : "", trait_table[k].name, v);
    }
}
