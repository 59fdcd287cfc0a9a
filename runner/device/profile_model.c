// Reads a device's constants: a list of value, unit and source for each; and the shares within which measured times
// lie, by what limits them.
// SPDX-License-Identifier: MIT
#include "device/profile_model.h"

#include "base/embed.h"
#include "base/file.h"
#include "spec/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct constant_row {
    const char *name, *unit;
    size_t offset;
};
static const struct constant_row rows[] = {
#define X(field, unit, about) {#field, unit, offsetof(struct model_constants, field)},
    MODEL_CONSTANTS(X)
#undef X
};

static bool number(const struct node *n, const char *what, double *to, struct diags *d)
{
    const char *text = node_text(n, what, "a number", d);
    char *end;
    if (!text) return false;
    *to = strtod(text, &end);
    return (*text && !*end && isfinite(*to) && *to >= 0) ||
        node_complain(d, n, NULL, "%s is a number of at least 0, not `%s`", what, text);
}

static bool constant(const struct node *list, const struct constant_row *r, struct model_constants *c, struct diags *d)
{
    if (list->kind != NODE_LIST || list->count != 3)
        return node_complain(d, list, NULL, "`%s` is a list: its value, its unit, where it comes from", r->name);
    const char *unit = list->items[1]->kind == NODE_TEXT ? list->items[1]->text : "";
    if (strcmp(unit, r->unit) != 0)
        return node_complain(d, list->items[1], NULL, "`%s` is in `%s`, not `%s`", r->name, r->unit, unit);
    return number(list->items[0], r->name, (double *)(void *)((char *)c + r->offset), d);
}

static bool constants(const struct node *map, struct model_constants *c, struct diags *d)
{
    for (size_t k = 0; k < map->count; k++) {
        const struct constant_row *r = rows, *end = rows + sizeof rows / sizeof *rows;
        while (r < end && strcmp(r->name, map->keys[k]->text) != 0) r++;
        if (r == end) return node_complain(d, map->keys[k], NULL, "there is no constant `%s`", map->keys[k]->text);
        if (!constant(map->items[k], r, c, d)) return false;
    }
    for (const struct constant_row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
        const double v = *(const double *)(const void *)((const char *)c + r->offset);
        if (isnan(v)) return node_complain(d, map, NULL, "`%s` is missing", r->name);
    }
    return true;
}

static bool within(const struct node *map, struct model_constants *c, struct diags *d)
{
    for (int k = 0; k < LIMITS_MOST; k++) {
        if ((int)limit_as[k] != k) continue;
        const struct node *list = node_get(map, limit_words[k]);
        if (!list || list->kind != NODE_LIST || list->count != 3)
            return node_complain(d, list ? list : map, NULL,
                "`%s` is a list: the least and the most share, where they come from", limit_words[k]);
        if (!number(list->items[0], "the least", &c->least[k], d) ||
            !number(list->items[1], "the most", &c->most[k], d))
            return false;
    }
    return true;
}

bool profile_model_read(const struct profile *p, const char *file, const char *text, size_t size,
    struct model_constants *c, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct node_source *source = node_source_new(a, file, text, size);
    struct yaml_documents docs = {0};
    for (const struct constant_row *r = rows; r < rows + sizeof rows / sizeof *rows; r++)
        *(double *)(void *)((char *)c + r->offset) = NAN;
    c->sms = p->limits.sms;
    c->l1_bytes = (double)p->l1_bytes;
    bool good = yaml_read(source, text, size, &docs, d) && docs.count == 1 && docs.items[0].root;
    const struct node *root = good ? docs.items[0].root : NULL, *all = good ? node_get(root, "constants") : NULL,
                      *shares = good ? node_get(root, "within") : NULL;
    if (good && (!all || !shares || all->kind != NODE_MAP || shares->kind != NODE_MAP))
        good = node_complain(d, root, NULL, "a profile has `constants` and `within`");
    good = good && constants(all, c, d) && within(shares, c, d);
    return good;
}

bool profile_model(const struct profile *p, struct model_constants *c, struct diags *d)
{
    struct str name = {0};
    if (p->text) return profile_model_read(p, p->name, p->text, p->text_size, c, d);
    str_addf(&name, "runner/device/profiles/%s.yaml", p->name);
    const struct embedded *e = embed_find(name.text);
    const bool good = e && profile_model_read(p, name.text, e->text, e->size, c, d);
    str_release(&name);
    return good;
}

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);
    return n && n->kind == NODE_TEXT ? n->text : "";
}

// What is not told is that of the device that it is like.
static bool read_device(struct profile *p, const char *path, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct node_source *source = node_source_new(a, path, p->text, p->text_size);
    struct yaml_documents docs = {0};
    const struct profile file = *p, *like;
    const struct node *root, *map = NULL;
    bool good = yaml_read(source, p->text, p->text_size, &docs, d) && docs.count == 1 && docs.items[0].root;
    root = good ? docs.items[0].root : NULL;
    map = good ? node_get(root, "device") : NULL;
    if (good && (!map || map->kind != NODE_MAP))
        good = node_complain(d, root, NULL, "such a profile has `device`, as `gpuexp calibrate` writes it");
    like = good ? profile_find(text_of(map, "like")) : NULL;
    if (good && !like) good = node_complain(d, map, NULL, "`like` is one of the profiles that are there");
    if (good) {
        *p = *like;
        p->name = file.name, p->text = file.text, p->text_size = file.text_size;
        p->title = strdup(text_of(map, "name")), p->arch = strdup(text_of(map, "arch"));
        p->peak_gbps = strtod(text_of(map, "peak_gbps"), NULL);
        good = profile_limits(text_of(map, "limits"), p) ||
            node_complain(d, map, NULL, "`limits` says `sms 132, warps_per_sm 64, ...`");
    }
    return good;
}

const struct profile *profile_file(const char *path, struct diags *d)
{
    static struct known {
        struct known *next;
        struct profile of;
        bool good;
    } * known;
    for (struct known *k = known; k; k = k->next)
        if (k->good && strcmp(k->of.name, path) == 0) return &k->of;
    struct known *k = mem_alloc(sizeof *k);
    struct model_constants c;
    k->of.name = strdup(path);
    k->of.text = file_read(path, 1 << 20, &k->of.text_size, d);
    k->good = k->of.text && read_device(&k->of, path, d) &&
        profile_model_read(&k->of, path, k->of.text, k->of.text_size, &c, d);
    if (k->good) {
        k->next = known, known = k;
        return &k->of;
    }
    free((char *)k->of.name), free((char *)k->of.text);
    free(k);
    return NULL;
}
