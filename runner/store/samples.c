// A line is `key,visit,place,taken,batch,time_us,clock_mhz`: the times are a list with a letter in front of those that
// do not count, the clocks are another, or one number where all are the same.
// SPDX-License-Identifier: MIT
#include "store/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/clock.h"
#include "base/file.h"
#include "spec/columns.h"
#include "store/table.h"

enum { VISIT = 1, PLACE = 2, TIMES = 5, CLOCKS = 6, CELLS };

static void head(struct str *s)
{
    static const char *const names[] = {
        "key", "visit", "place", "taken", "batch", "time_us", "clock_mhz", COLUMN_CHECKSUM, NULL};
    for (const char *const *n = names; *n; n++) cells_add(s, *n);
    cells_end(s);
}

const struct row_lines_table samples_table = {BESIDE_SAMPLES, 2, head};

static void add_times(struct str *s, const struct taken *t, size_t count)
{
    LOCAL(str_release) struct str list = {0};
    for (size_t i = 0; i < count; i++) {
        const char letter[2] = {taken_letters[t[i].kind], '\0'};
        str_addf(&list, "%s%s%.7g", i ? " " : "", letter, t[i].us);
    }
    cells_add(s, list.text);
}

static void add_clocks(struct str *s, const struct taken *t, size_t count)
{
    LOCAL(str_release) struct str list = {0};
    size_t same = 1;
    while (same < count && t[same].clock_mhz == t[0].clock_mhz) same++;
    for (size_t i = 0; i < (same == count ? 1 : count); i++) {
        if (i) str_add(&list, " ");
        if (isfinite(t[i].clock_mhz)) str_addf(&list, "%.0f", t[i].clock_mhz);
        else str_add(&list, "-");
    }
    cells_add(s, list.text);
}

static void add_place(struct str *s, const char *key, size_t visit, const struct taken *t, size_t count)
{
    const size_t start = s->size;
    char text[32];
    cells_add(s, key);
    snprintf(text, sizeof text, "%zu", visit);
    cells_add(s, text);
    snprintf(text, sizeof text, "%u", t->place + 1);
    cells_add(s, text);
    clock_date(text);
    cells_add(s, text);
    snprintf(text, sizeof text, "%u", t[count - 1].batch);
    for (size_t i = 0; i < count; i++)
        if (t[i].kind == TAKEN_KEPT) snprintf(text, sizeof text, "%u", t[i].batch);
    cells_add(s, text);
    add_times(s, t, count);
    add_clocks(s, t, count);
    cells_seal(s, start);
}

void samples_lines(struct str *s, const char *key, size_t visit, const struct str *taken)
{
    const size_t count = taken_count(taken);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && taken_at(taken, to)->place == taken_at(taken, from)->place;) to++;
        add_place(s, key, visit, taken_at(taken, from), to - from);
    }
}

bool samples_add(struct kept *to, const char *key, size_t visit, const struct str *taken, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    samples_lines(&s, key, visit, taken);
    const bool ok = !s.size || kept_add(to, s.text, s.size, d); // not synced: it would cost each visit
    return ok;
}

struct collected {
    struct sample_kept *items;
    size_t count, room;
};

static enum taken_kind kind_of(const char **p)
{
    for (int k = 1; k < TAKEN_KIND_COUNT; k++)
        if (**p == taken_letters[k]) return ++*p, (enum taken_kind)k;
    return TAKEN_KEPT;
}

static void read_line(const struct cells *row, struct collected *to)
{
    const unsigned visit = (unsigned)strtoul(cells_text(row, VISIT), NULL, 10),
                   place = (unsigned)strtoul(cells_text(row, PLACE), NULL, 10);
    const char *clock = cells_text(row, CLOCKS);
    const bool one = !strchr(clock, ' ');
    // What was written again counts in place of what was there.
    while (to->count &&
        (to->items[to->count - 1].visit > visit ||
            (to->items[to->count - 1].visit == visit && to->items[to->count - 1].place >= place)))
        to->count--;
    for (const char *p = cells_text(row, TIMES); *p;) {
        char *end;
        struct sample_kept s = {.visit = visit, .place = place, .kind = kind_of(&p)};
        s.us = strtod(p, &end);
        if (end == p) break;
        p = end + (*end == ' ');
        s.clock_mhz = strtod(clock, &end);
        if (end == clock) s.clock_mhz = NAN;
        if (!one) clock += strcspn(clock, " "), clock += *clock == ' ';
        mem_grow(&to->items, &to->room, to->count + 1, sizeof *to->items);
        to->items[to->count++] = s;
    }
}

bool samples_read(const char *report, const char *const *keys, size_t count, struct samples_of *to, struct arena *a)
{
    LOCAL(mem_drop) char *path = beside_path(report, BESIDE_SAMPLES);
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(table_close) struct table t = {0};
    LOCAL(mem_drop) struct collected *found = mem_alloc((count + 1) * sizeof *found);
    const bool ok = file_exists(path) && table_open(&t, path, &ignored) && t.column_count == CELLS;
    for (size_t i = 0; ok && i < t.count; i++) {
        size_t size, k = 0;
        const char *text = table_text(&t, i, &size); // most lines are of other rows: those are not taken apart
        while (text && k < count && (size <= strlen(keys[k]) || memcmp(text, keys[k], strlen(keys[k])) != 0)) k++;
        const struct cells *row = text && k < count ? table_row(&t, i, &ignored) : NULL;
        if (row) read_line(row, &found[k]);
    }
    for (size_t k = 0; k < count; k++) {
        to[k] = (struct samples_of){NULL, found[k].count};
        if (found[k].count) to[k].items = arena_copy(a, found[k].items, found[k].count * sizeof *found[k].items);
        free(found[k].items);
    }
    return ok;
}
