// Finds rows by their keys: a key says all that decides a number, so whoever measured it does not matter.
// SPDX-License-Identifier: MIT
#include "run/engine.h"

#include <stdlib.h>
#include <string.h>

#include "store/each_launch.h"
#include "store/head.h"
#include "store/keys.h"
#include "store/merge.h"
#include "store/samples.h"

struct adopting {
    struct engine *engine;
    struct keys have; // of the other file
    struct table table;
    const char *path;
    struct lookup wanted; // by key, of the rows that are taken from it: their numbers
    size_t *rows, count, room;
};

static uint64_t hash_of(const char *key)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, key);
    hash_final(h, out);
    return out[0];
}

// What this run would call the point, on each of its devices.
static void look_for(struct adopting *a, size_t point)
{
    struct engine *e = a->engine;
    LOCAL(arena_drop) struct arena *arena = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    struct value *values = arena_alloc(arena, (e->head.name_count + 1) * sizeof *values);
    struct job job;
    plan_values(e->plan, point, values);
    const bool made = job_make(e->plan, values, arena, &job, &ignored);
    for (size_t i = 0; made && i < e->lanes.count; i++) {
        const struct lane *lane = &e->lanes.items[i];
        char key[17];
        if (e->lanes.swept && strcmp(lane->asked, engine_device(e, values)) != 0) continue;
        engine_key(e, lane, &job, values, key);
        const struct key_row *row = keys_find(&a->have, key);
        if (!row || !row->measured) continue;
        mem_grow(&a->rows, &a->room, a->count + 1, sizeof *a->rows);
        a->rows[a->count++] = (size_t)(row - a->have.rows);
        lookup_add(&a->wanted, hash_of(key), (size_t)(row - a->have.rows));
        break;
    }
}

static bool is_wanted(void *context, const char *key, size_t i)
{
    const struct adopting *a = context;
    size_t at = 0, row;
    const uint64_t hash = hash_of(key);
    (void)i;
    while ((row = lookup_next(&a->wanted, hash, &at)) != LOOKUP_NONE && strcmp(a->have.rows[row].key, key) != 0) {}
    return row != LOOKUP_NONE;
}

// First the lines that a row rests on, then the row.
static bool take_rows(struct adopting *a)
{
    struct engine *e = a->engine;
    const char *const one[] = {a->path, NULL};
    const struct row_lines_from from = {.reports = one, .wanted = is_wanted, .context = a};
    bool ok = row_lines_copy(&each_launch_table, &from, &e->launches, e->diags) && kept_sync(&e->launches, e->diags) &&
        row_lines_copy(&samples_table, &from, &e->samples, e->diags);
    for (size_t i = 0; ok && i < a->count; i++) {
        const struct key_row *row = &a->have.rows[a->rows[i]];
        size_t size;
        const char *text = table_text(&a->table, a->rows[i], &size);
        ok = text && report_adopt(e->report, text, size, row->key, a->have.devices[row->device], e->diags);
    }
    return ok && report_sync(e->report, e->diags);
}

// Its rows are ours as they stand only under the same header.
static bool same_header(const struct engine *e, struct table *t)
{
    LOCAL(str_release) struct str header = {0};
    size_t size;
    head_text(&e->head, &header);
    const char *text = table_text(t, SIZE_MAX, &size);
    return text && size == header.size && memcmp(text, header.text, size) == 0;
}

// A file that cannot be read is as good as none: its points are measured, and whoever merges it is told.
static bool adopt_from(struct engine *e, const char *path, size_t *taken)
{
    struct adopting a = {.engine = e, .path = path};
    LOCAL(diags_clear) struct diags unheard = {0};
    bool ok = true;
    keys_init(&a.have);
    if (table_open(&a.table, path, &unheard) && same_header(e, &a.table) && keys_read(&a.have, &a.table, &unheard)) {
        for (size_t i = e->todo.next; i < e->todo.count; i++) look_for(&a, e->todo.points[i]);
        ok = !a.count || take_rows(&a);
        *taken += a.count;
    }
    keys_free(&a.have);
    table_close(&a.table);
    lookup_release(&a.wanted);
    free(a.rows);
    return ok;
}

bool adopt(struct engine *e)
{
    char whole[4096], other[4096], note[160];
    unsigned own, of, shard, shards;
    size_t taken = 0;
    bool ok = true;
    if (e->options->shards < 2 || e->options->fresh || !merge_shard_name(e->path, &own, &of, whole)) return true;
    char **list = merge_shards(whole, e->diags);
    ok = list != NULL;
    for (size_t i = 0; ok && list[i]; i++)
        if (merge_shard_name(list[i], &shard, &shards, other) && shards != of) {
            const size_t before = taken;
            ok = adopt_from(e, list[i], &taken);
            if (ok && taken > before) engine_drop_measured(e);
        }
    merge_shards_free(list);
    if (!ok || !taken || !e->observer->note) return ok;
    snprintf(note, sizeof note, "%zu point%s measured by shards of another count: not measured again", taken,
        taken == 1 ? " was" : "s were");
    e->observer->note(e->observer->context, note);
    return true;
}
