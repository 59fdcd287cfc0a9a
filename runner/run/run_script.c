// Gives a script the rows of the report, and adds its points to the plan.
// SPDX-License-Identifier: MIT
#include "run/run_script.h"

#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "spec/columns.h"
#include "store/kept.h"
#include "store/table.h"
#include "run/engine.h"

static void note(const struct engine *e, const char *line) { RUN_TELL(e->observer, note, each->context, line); }

static void note_failure(struct engine *e, const struct diags *why, const char *consequence)
{
    struct str s = {0};
    const struct diag *x = why->count ? &why->items[0] : NULL;
    if (x && x->at.file) str_addf(&s, "%s:%d: ", x->at.file, x->at.line);
    str_addf(&s, "%s; %s", x ? x->what : "the script failed", consequence);
    if (x && x->hint) str_addf(&s, " (%s)", x->hint);
    note(e, s.text);
    if (e->scripted.failed) str_release(&s);
    else e->scripted.failed = s.text;
}

bool run_script_open(struct engine *e)
{
    struct run_script *s = &e->scripted;
    const struct experiment *x = plan_experiment(e->plan);
    bool good = true;
    s->script = plan_script(e->plan);
    s->first_point = plan_count(e->plan);
    if (!s->script) return true;
    s->first_derived = x->derive_count;
    s->shape = script_shape(s->script, e->shape.names, e->shape.count);
    for (const char *const *c = script_facts(s->script)->columns; *c; c++)
        if (shape_find(&e->shape, *c) != shape_last(&e->shape, *c))
            good = diag_user(e->diags, x->script_at, NULL,
                "the script's column `%s` is a column of every row or a name of the experiment", *c);
    return good;
}

void run_script_close(struct run_script *s)
{
    free(s->keys);
    free(s->failed);
}

void run_script_key(struct run_script *s, size_t point, const char *key)
{
    if (!s->script) return;
    size_t had = s->key_room;
    mem_grow(&s->keys, &s->key_room, point + 1, sizeof *s->keys);
    memset(s->keys + had, 0, (s->key_room - had) * sizeof *s->keys);
    memcpy(s->keys[point], key, sizeof *s->keys);
    if (point >= s->key_count) s->key_count = point + 1;
}

void run_script_derive(struct engine *e, const struct value *all, struct value *derived, struct arena *a)
{
    struct run_script *s = &e->scripted;
    struct diags why = {0};
    if (!script_has(s->script, SCRIPT_DERIVE)) return;
    if (!script_derive(s->script, s->shape, all, derived + s->first_derived, a, &why) && !s->derive_failed) {
        note_failure(e, &why, "its columns stay empty for this row, and for each other row where it fails");
        s->derive_failed = true;
    }
    diags_clear(&why);
}

struct keyed {
    const char *key;
    size_t row;
};

static int by_key(const void *pa, const void *pb)
{
    const struct keyed *a = pa, *b = pb;
    int c = strcmp(a->key, b->key);
    return c ? c : a->row < b->row ? -1 : a->row > b->row;
}

// Finds the rows of the report by key; of several with one key, the last.
static struct keyed *keys_of(struct table *t, struct arena *a, size_t *count, struct diags *d)
{
    struct keyed *all = mem_alloc((t->count + 1) * sizeof *all);
    int column = table_column(t, "key");
    *count = 0;
    for (size_t i = 0; i < t->count && column >= 0; i++) {
        const struct cells *row = table_row(t, i, d);
        if (!row) break;
        all[*count] = (struct keyed){arena_strdup(a, cells_text(row, (size_t)column)), i};
        ++*count;
    }
    if (*count) qsort(all, *count, sizeof *all, by_key);
    return all;
}

static const struct keyed *find(const struct keyed *all, size_t count, const char *key)
{
    size_t low = 0, high = count;
    while (low < high) { // the first after all that have this key
        size_t middle = (low + high) / 2;
        if (strcmp(all[middle].key, key) <= 0) low = middle + 1;
        else high = middle;
    }
    return low && strcmp(all[low - 1].key, key) == 0 ? &all[low - 1] : NULL;
}

// The point's row for the script: values that the plan sets come from the plan, all others from the file.
static void fill_row(const struct engine *e, size_t point, const struct cells *cells, const int *columns,
    struct value *values, struct arena *a)
{
    for (size_t i = 0; i < e->shape.count; i++)
        values[i] =
            columns[i] < 0 ? (struct value){0} : value_copy(table_value(cells_text(cells, (size_t)columns[i])), a);
    struct value *own = arena_alloc(a, (e->head.name_count + 1) * sizeof *own);
    plan_values(e->plan, point, own);
    for (size_t i = 0; i < e->head.name_count; i++) {
        int at = shape_find(&e->shape, e->head.names[i]);
        if (at >= 0 && strcmp(e->head.names[i], "device") != 0) values[at] = own[i];
    }
    int at = shape_find(&e->shape, "point");
    if (at >= 0) values[at] = value_int((int64_t)point + 1);
}

// The rows of the plan's points, in the plan's order, one after another.
static struct value *read_rows(const struct engine *e, struct arena *a, size_t *count, struct diags *d)
{
    const struct run_script *s = &e->scripted;
    struct table t;
    size_t known;
    *count = 0;
    if (!table_open(&t, e->path, d)) {
        table_close(&t);
        return NULL;
    }
    LOCAL(mem_drop) struct keyed *keys = keys_of(&t, a, &known, d);
    struct value *rows = arena_alloc(a, (s->key_count * e->shape.count + 1) * sizeof *rows);
    int *columns = arena_alloc(a, (e->shape.count + 1) * sizeof *columns);
    for (size_t i = 0; i < e->shape.count; i++) columns[i] = table_column(&t, e->shape.names[i]);
    for (size_t p = 0; p < s->key_count; p++) {
        const struct keyed *k = s->keys[p][0] ? find(keys, known, s->keys[p]) : NULL;
        const struct cells *cells = k ? table_row(&t, k->row, d) : NULL;
        if (cells) fill_row(e, p, cells, columns, rows + (*count)++ * e->shape.count, a);
    }
    table_close(&t);
    return rows;
}

static bool add_point(void *context, const struct value *values)
{
    struct engine *e = context;
    uint64_t most;
    double seconds;
    script_budget(e->scripted.script, &most, &seconds);
    if (plan_count(e->plan) - e->scripted.first_point >= most) return false;
    // A row says what its device is called; how it is asked for is the run's affair, whatever a script copies.
    const size_t count = plan_name_count(e->plan);
    struct value *own = mem_alloc((count + 1) * sizeof *own);
    for (size_t i = 0; i < count; i++)
        own[i] = strcmp(plan_name(e->plan, i), "device") == 0 ? (struct value){0} : values[i];
    const bool added = plan_append(e->plan, own);
    free(own);
    if (!added) return true; // the plan has it already
    engine_add_point(e, plan_count(e->plan) - 1);
    return true;
}

// The reason why no more points are asked for; NULL: there is none.
static const char *over_budget(const struct engine *e, struct arena *a)
{
    uint64_t most;
    double seconds;
    script_budget(e->scripted.script, &most, &seconds);
    if (plan_count(e->plan) - e->scripted.first_point >= most)
        return arena_printf(a, "refine: its budget of %llu points is spent; -s script.budget=N gives it more",
            (unsigned long long)most);
    if (clock_awake() - e->begun >= seconds)
        return arena_printf(a, "refine: its %g seconds are over; -s script.seconds=N gives it more", seconds);
    return NULL;
}

static void one_round(struct engine *e)
{
    struct run_script *s = &e->scripted;
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags why = {0};
    size_t rows;
    const char *over = over_budget(e, a);
    if (e->options->shards > 1)
        over = "refine: a shard sees its own rows only; merge the shards and run again without --shard";
    struct value *all = over ? NULL : read_rows(e, a, &rows, &why);
    if (s->refine_ended) over = "";
    if (over) {
        if (*over) note(e, over);
        s->refine_ended = true;
    } else if (!all || !script_refine(s->script, s->shape, all, rows, 0, add_point, e, &why)) {
        if (diags_errors(&why)) note_failure(e, &why, "no more points are added");
        s->refine_ended = diags_errors(&why) > 0;
    }
}

bool run_script_refine(struct engine *e)
{
    size_t before, todo = e->todo_count;
    if (!script_has(e->scripted.script, SCRIPT_REFINE)) return false;
    do { // when an earlier run has measured all points of a round, the next round follows at once
        before = plan_count(e->plan);
        one_round(e);
    } while (plan_count(e->plan) > before && e->todo_count == todo && !e->scripted.refine_ended);
    return e->todo_count > todo;
}

static void write_table(const struct engine *e, const struct script_table *t, struct diags *d)
{
    struct str text = {0}, suffix = {0}, cell = {0};
    if (!t->column_count) return; // nothing was found
    for (size_t k = 0; k < t->column_count; k++) cells_add(&text, t->columns[k]);
    cells_add(&text, COLUMN_CHECKSUM);
    cells_end(&text);
    for (size_t i = 0; i < t->row_count; i++) {
        const size_t start = text.size;
        for (size_t k = 0; k < t->column_count; k++) {
            str_clear(&cell);
            value_print(t->cells[i * t->column_count + k], &cell);
            cells_add(&text, cell.text);
        }
        cells_seal(&text, start);
    }
    str_addf(&suffix, ".%s.csv", t->name);
    LOCAL(mem_drop) char *path = beside_with(e->path, suffix.text);
    kept_table(report_lock(e->report), path, text.text, text.size, d);
    str_release(&text);
    str_release(&suffix);
    str_release(&cell);
}

static bool is_plain(const char *name)
{
    return name[0] && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

static void claim(const struct engine *e, const char *line)
{
    RUN_TELL(e->observer, claim, each->context, true, plan_experiment(e->plan)->script_at, line);
}

static void tell(const struct engine *e, const struct script_outcome *o, struct run_summary *s, struct arena *a,
    struct diags *d)
{
    size_t count = 0;
    for (const char *const *line = o->lines; *line; line++, count++) RUN_TELL(e->observer, line, each->context, *line);
    const char **said = arena_alloc(e->arena, (count + 1) * sizeof *said); // for the run file, beyond this call
    for (size_t i = 0; i < count; i++) said[i] = arena_strdup(e->arena, o->lines[i]);
    s->said = said;
    for (size_t i = 0; i < o->table_count; i++) {
        const char *name = o->tables[i].name;
        const bool taken = beside_named(arena_printf(a, "x.%s.csv", name), false);
        if (is_plain(name) && !taken) write_table(e, &o->tables[i], d);
        else
            note(e,
                arena_printf(a, "done: `%s` cannot be the name of a table: %s", name,
                    taken ? "it is one that a run writes itself" : "letters, digits, _ and - only"));
    }
    if (!o->has_verdict || o->verdict) return;
    s->broken++;
    claim(e, arena_printf(a, "the script's verdict: %s", o->reason ? o->reason : "no"));
}

void run_script_done(struct engine *e, struct run_summary *summary)
{
    const struct run_script *s = &e->scripted;
    summary->script_failed = s->failed;
    if (!script_has(s->script, SCRIPT_DONE) || e->options->shards > 1) return;
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags why = {0};
    struct script_outcome outcome;
    size_t rows;
    struct value *all = read_rows(e, a, &rows, &why);
    if (all && script_done(s->script, s->shape, all, rows, &outcome, a, &why)) {
        tell(e, &outcome, summary, a, e->diags);
    } else {
        note_failure(e, &why, "the rows are whole");
        summary->script_failed = s->failed;
    }
}
