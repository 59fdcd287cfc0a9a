// Asks a device, keeps what it said beside the report, and knows what is no good sign.
// SPDX-License-Identifier: MIT
#include "fleet/condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/child.h"
#include "base/file.h"
#include "spec/columns.h"
#include "store/kept.h"
#include "store/table.h"

static void add(struct condition_told *told, const char *name, const char *unit, const char *text)
{
    if (told->count == CONDITION_FACTS) return;
    struct condition_fact *to = &told->facts[told->count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    snprintf(to->unit, sizeof to->unit, "%s", unit ? unit : "");
    snprintf(to->text, sizeof to->text, "%s", text ? text : "");
}

void condition_add(struct condition_told *told, const char *name, const char *text) { add(told, name, NULL, text); }

static void keep(struct condition_told *told, const struct device_fact *f)
{
    LOCAL(str_release) struct str s = {0};
    value_print(f->value, &s);
    add(told, f->name, f->unit, s.text);
}

static void ask(const void *context, void *answer)
{
    struct condition_told *told = answer;
    char resolved[DEVICE_SPEC], note[256];
    struct diags d = {0};
    struct device_fact *facts = NULL;
    struct device *device = NULL;
    *told = (struct condition_told){0};
    device_own_process();
    const struct device_ops *ops = device_find(context, resolved, note, &d);
    if (ops) device = ops->open(resolved, &d);
    if (!device) {
        snprintf(told->why, sizeof told->why, "%s", diags_first(&d));
        return;
    }
    struct arena *a = arena_new();
    told->opened = true;
    ops->identity(device, &told->id);
    const size_t n = ops->facts(device, a, &facts);
    for (size_t i = 0; i < n; i++) keep(told, &facts[i]);
    arena_free(a);
    ops->close(device);
}

void condition_ask(const char *spec, struct condition_told *told)
{
    *told = (struct condition_told){0};
    if (!apart_ask(ask, spec, told, sizeof *told))
        snprintf(told->why, sizeof told->why, "asking it failed: %s",
            errno == ECHILD ? "the process that asked was killed" : strerror(errno));
}

const char *condition_text(const struct condition_told *told, const char *name)
{
    for (size_t i = 0; i < told->count; i++)
        if (strcmp(told->facts[i].name, name) == 0) return told->facts[i].text;
    return "";
}

static char *path_of(const char *report) { return beside_path(report, BESIDE_FACTS); }

bool condition_write(const char *report, const struct condition_told *before, const struct condition_told *after,
    struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    static const char *const head[] = {"fact", "unit", "before", "after", COLUMN_CHECKSUM};
    for (size_t i = 0; i < 5; i++) cells_add(&s, head[i]);
    cells_end(&s);
    for (size_t i = 0; i < before->count; i++) {
        const struct condition_fact *f = &before->facts[i];
        const size_t start = s.size;
        cells_add(&s, f->name);
        cells_add(&s, f->unit);
        cells_add(&s, f->text);
        cells_add(&s, condition_text(after, f->name));
        cells_seal(&s, start);
    }
    LOCAL(mem_drop) char *path = path_of(report);
    struct lock *l = lock_take(report, NULL, d);
    const bool ok = l && kept_table(l, path, s.text, s.size, d);
    lock_release(l);
    return ok;
}

static bool read_rows(struct table *t, struct arena *a, struct condition *c, struct diags *d)
{
    const int name = table_column(t, "fact"), unit = table_column(t, "unit"), before = table_column(t, "before"),
              after = table_column(t, "after");
    if (name < 0 || unit < 0 || before < 0 || after < 0)
        return diag_user(d, (struct where){.file = t->path}, NULL, "is no table of a device's facts");
    c->rows = arena_alloc(a, (t->count + 1) * sizeof *c->rows);
    for (size_t i = 0; i < t->count; i++) {
        const struct cells *cells = table_row(t, i, d);
        if (!cells) return false;
        c->rows[c->count++] = (struct condition_row){arena_strdup(a, cells_text(cells, (size_t)name)),
            arena_strdup(a, cells_text(cells, (size_t)unit)), arena_strdup(a, cells_text(cells, (size_t)before)),
            arena_strdup(a, cells_text(cells, (size_t)after))};
    }
    return true;
}

bool condition_read(const char *report, struct arena *a, struct condition *c, struct diags *d)
{
    struct table t = {0};
    LOCAL(mem_drop) char *path = path_of(report);
    bool ok = true;
    *c = (struct condition){0};
    if (file_exists(path)) {
        ok = table_open(&t, path, d) && read_rows(&t, a, c, d);
        table_close(&t);
    }
    return ok;
}

static const struct condition_row *row_of(const struct condition *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->rows[i].name, name) == 0) return &c->rows[i];
    return NULL;
}

const char *condition_after(const struct condition *c, const char *name)
{
    const struct condition_row *row = row_of(c, name);
    return !row ? "" : *row->after ? row->after : row->before;
}

const char *condition_identity(const struct condition *c)
{
    const char *uuid = condition_after(c, "uuid");
    return *uuid ? uuid : condition_after(c, "pci_bus");
}

enum finds { ABOVE_ZERO, GREW, BELOW };
// GREW: by more than `most` while it was measured. BELOW: it is less than the fact `than`.
static const struct sign {
    const char *name;
    enum finds finds;
    double most;
    const char *than, *says;
} signs[] = {
    {"rows_refused", ABOVE_ZERO, 0, NULL, "a row of memory could not be replaced: the GPU should be"},
    {"rows_due", ABOVE_ZERO, 0, NULL, "rows of memory wait for a reset of the GPU to be replaced"},
    {"ecc_uncorrected", ABOVE_ZERO, 0, NULL, "memory errors that could not be corrected, since the driver was loaded"},
    {"ecc_corrected", GREW, 0, NULL, "memory errors were corrected while it was measured"},
    {"held_by_heat", GREW, 0.05, NULL, "seconds in which heat held its clock down while it was measured"},
    {"other_processes", ABOVE_ZERO, 0, NULL, "other processes compute on it: its times are not its own"},
    {"pcie_lanes", BELOW, 0, "pcie_lanes_max", "lanes of its link are up, of"},
};

// False: not known.
static bool known(const char *text, double *x) { return *text && value_number(table_value(text), x); }

static const char *found(const struct condition *c, const struct sign *s, struct arena *a)
{
    const struct condition_row *row = row_of(c, s->name);
    double before, after, than;
    if (!row || !known(condition_after(c, s->name), &after)) return NULL;
    if (s->finds == ABOVE_ZERO && known(row->before, &before) && before > after) after = before;
    if (s->finds == ABOVE_ZERO && after > 0) return arena_printf(a, "%s: %g %s", s->name, after, s->says);
    if (s->finds == GREW && known(row->before, &before) && after - before > s->most)
        return arena_printf(a, "%s: %.3g %s", s->name, after - before, s->says);
    if (s->finds == BELOW && known(condition_after(c, s->than), &than) && after < than)
        return arena_printf(a, "%s: %g %s %g", s->name, after, s->says, than);
    return NULL;
}

const char *condition_finding(const struct condition *c, size_t *at, struct arena *a)
{
    const char *says = NULL;
    while (!says && *at < sizeof signs / sizeof *signs) says = found(c, &signs[(*at)++], a);
    return says;
}
