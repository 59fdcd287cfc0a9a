// A hash table from key to the last row that has it.
// SPDX-License-Identifier: MIT
#include "store/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

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

void keys_init(struct keys *k) { *k = (struct keys){0}; }

void keys_free(struct keys *k)
{
    for (size_t i = 0; i < k->device_count; i++) free(k->devices[i]);
    free(k->devices);
    free(k->rows);
    lookup_release(&k->by_key);
    *k = (struct keys){0};
}

static uint64_t hash_of(const char *key)
{
    return hash_short(key, strlen(key)); // most keys are hashes already, but a file may hold anything
}

static size_t find(const struct keys *k, const char *key, uint64_t hash)
{
    size_t at = 0, n;
    while ((n = lookup_next(&k->by_key, hash, &at)) != LOOKUP_NONE && strcmp(k->rows[n].key, key) != 0) {}
    return n;
}

static size_t device_number(struct keys *k, const char *device)
{
    for (size_t i = k->device_count; i-- > 0;)
        if (strcmp(k->devices[i], device) == 0) return i;
    k->devices = mem_resize(k->devices, (k->device_count + 1) * sizeof *k->devices);
    k->devices[k->device_count] = str_copy(device);
    return k->device_count++;
}

struct key_row *keys_add(struct keys *k, const char *key, const char *device, bool measured)
{
    mem_grow(&k->rows, &k->room, k->count + 1, sizeof *k->rows);
    struct key_row *row = &k->rows[k->count++];
    *row = (struct key_row){.measured = measured, .device = device_number(k, device)};
    for (size_t i = 0; i < sizeof row->key - 1 && key[i]; i++) row->key[i] = key[i];
    const uint64_t hash = hash_of(row->key);
    const size_t before = find(k, row->key, hash);
    if (before == LOOKUP_NONE) lookup_add(&k->by_key, hash, k->count - 1);
    else lookup_replace(&k->by_key, hash, before, k->count - 1);
    return row;
}

struct key_row *keys_find(const struct keys *k, const char *key)
{
    const size_t n = find(k, key, hash_of(key));
    return n == LOOKUP_NONE ? NULL : &k->rows[n];
}

bool keys_columns(struct keys *k, const struct table *t, struct diags *d)
{
    k->key = table_column(t, "key"), k->device = table_column(t, "device"), k->status = table_column(t, "status");
    return (k->key >= 0 && k->device >= 0 && k->status >= 0) ||
        diag_user(d, (struct where){.file = t->path}, NULL,
            "is not a report: it needs the columns key, device and status");
}

void keys_add_row(struct keys *k, const struct cells *row)
{
    const enum status s = status_find(cells_text(row, (size_t)k->status));
    keys_add(k, cells_text(row, (size_t)k->key), cells_text(row, (size_t)k->device),
        s != STATUS_FAILED && s != STATUS_TIMEOUT);
}

bool keys_read(struct keys *k, struct table *t, struct diags *d)
{
    bool ok = keys_columns(k, t, d);
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct cells *row = table_row(t, i, d);
        ok = row != NULL;
        if (ok) keys_add_row(k, row);
    }
    return ok;
}

// "NVIDIA H200 (cuda:3)" is one of several NVIDIA H200: any of them counts as the same device.
static size_t model_size(const char *name)
{
    size_t n = strlen(name);
    const char *which = NULL;
    for (const char *p = name; n && name[n - 1] == ')' && (p = strstr(p, " (")); p++) which = p;
    return which && strchr(which, ':') ? (size_t)(which - name) : n;
}

static bool same_model(const char *a, const char *b)
{
    size_t n = model_size(a);
    return n == model_size(b) && memcmp(a, b, n) == 0;
}

const char *keys_other_device(const struct keys *k, const char *const *devices, size_t count)
{
    for (size_t i = 0; i < k->device_count; i++) {
        bool found = !k->devices[i][0]; // a point that no device began has no device
        for (size_t j = 0; j < count && !found; j++) found = same_model(k->devices[i], devices[j]);
        if (!found) return k->devices[i];
    }
    return NULL;
}
