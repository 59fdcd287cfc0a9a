// Published limits and properties of the devices that the simulator can stand in for: NVIDIA's data sheets and
// architecture papers (memory, bandwidth, clocks, L2) and the CUDA programming guide's table of limits by compute
// capability.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/text.h"
#include "spec/traits.h"
#include "spec/yaml.h"

// Reads a device's constants: a list of value, unit and source for each; and the shares within which measured times
// lie, by what limits them.

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

#define KIB(n) ((size_t)(n) << 10)
#define GIB(n) ((uint64_t)(n) << 30)

// One row of limits a compute capability; the shared memory of a block is 48 KiB unless a kernel opts in to more.
#define LIMITS_70(n) \
    { \
        7, 0, n, 64, 32, 1024, 65536, 65536, KIB(96), KIB(48), KIB(96), 0 \
    }
#define LIMITS_80(n) \
    { \
        8, 0, n, 64, 32, 1024, 65536, 65536, KIB(164), KIB(48), KIB(163), KIB(1) \
    }
#define LIMITS_89(n) \
    { \
        8, 9, n, 48, 24, 1024, 65536, 65536, KIB(100), KIB(48), KIB(99), KIB(1) \
    }
#define LIMITS_90(n) \
    { \
        9, 0, n, 64, 32, 1024, 65536, 65536, KIB(228), KIB(48), KIB(227), KIB(1) \
    }

const struct profile profiles[] = {
    {"v100", "NVIDIA V100 SXM2 32 GB", "sm_70", LIMITS_70(80), 900, GIB(32), (uint64_t)6 << 20, 1530, 4096, KIB(128),
        NULL, 0},
    {"a100", "NVIDIA A100 SXM4 40 GB", "sm_80", LIMITS_80(108), 1555, GIB(40), (uint64_t)40 << 20, 1410, 5120, KIB(192),
        NULL, 0},
    {"l4", "NVIDIA L4", "sm_89", LIMITS_89(58), 300, GIB(24), (uint64_t)48 << 20, 2040, 192, KIB(128), NULL, 0},
    {"rtx4090", "RTX 4090 24 GB", "sm_89", LIMITS_89(128), 1008, GIB(24), (uint64_t)72 << 20, 2520, 384, KIB(128), NULL,
        0},
    {"h100", "NVIDIA H100 SXM5 80 GB", "sm_90", LIMITS_90(132), 3350, GIB(80), (uint64_t)50 << 20, 1980, 5120, KIB(256),
        NULL, 0},
    {"h200", "NVIDIA H200 SXM5 141 GB", "sm_90", LIMITS_90(132), 4800, (uint64_t)141000000000, (uint64_t)50 << 20, 1980,
        6144, KIB(256), NULL, 0},
    {0},
};

const struct profile *profile_find(const char *name)
{
    for (const struct profile *p = profiles; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    struct diags ignored = {0}; // whoever opens the device says what is wrong with it
    const struct profile *p = text_ends(name, ".yaml") ? profile_file(name, &ignored) : NULL;
    diags_clear(&ignored);
    return p;
}

const struct profile *profile_of(const char *device)
{
    const struct profile *p = strncmp(device, "sim:", 4) == 0 ? profile_find(device + 4) : profile_named(device);
    return p ? p : profile_find("h200");
}

size_t profile_facts(const struct profile *p, struct arena *a, struct device_fact **out)
{
    const struct occupancy_device *l = &p->limits;
    const struct device_fact facts[] = {
        {"stands_for", "", "the device whose published limits are used", value_text(p->title)},
        {"compute_capability", "", "published", value_text(arena_printf(a, "%d.%d", l->major, l->minor))},
        {"sms", "", "streaming multiprocessors; published", value_int(l->sms)},
        {"warps_per_sm", "", "the most resident warps an SM; published", value_int(l->warps_per_sm)},
        {"blocks_per_sm", "", "the most resident blocks an SM; published", value_int(l->blocks_per_sm)},
        {"threads_per_block", "", "the most threads a block; published", value_int(l->threads_per_block)},
        {"regs_per_sm", "", "32-bit registers an SM; published", value_int(l->regs_per_sm)},
        {"shared_per_sm", "B", "shared memory an SM; published", value_int((int64_t)l->shared_per_sm)},
        {"shared_per_block_optin", "B", "the most shared memory a block can ask for; published",
            value_int((int64_t)l->shared_per_block_optin)},
        {"l2_bytes", "B", "L2 cache; published", value_int((int64_t)p->l2_bytes)},
        {"memory_bytes", "B", "device memory; published", value_int((int64_t)p->memory_bytes)},
        {"bus_bits", "bit", "memory bus width; published", value_int(p->bus_bits)},
        {"boost_mhz", "MHz", "boost clock of the SMs; published", value_int(p->boost_mhz)},
        {"peak_gbps", "GB/s", "memory bandwidth of the data sheet: a bound, not a measurement",
            value_real(p->peak_gbps)},
    };
    *out = arena_copy(a, facts, sizeof facts);
    return sizeof facts / sizeof *facts;
}

size_t profile_stand_in(struct arena *a, struct device_fact *out)
{
    struct device_fact *facts;
    size_t count = 0;
    const size_t n = profile_facts(profile_find("h200"), a, &facts);
    for (size_t i = 0; i < n; i++) {
        if (trait_find(facts[i].name) < 0) continue;
        out[count] = facts[i];
        out[count++].about = "what expressions get: an H200's";
    }
    return count;
}

// "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-32GB" by the word of the model. A card of the same name for a slot has
// fewer SMs and slower memory.
const struct profile *profile_named(const char *name)
{
    if (strstr(name, "PCIe") || strstr(name, "NVL") || strstr(name, "MIG") || strstr(name, "Laptop")) return NULL;
    for (const struct profile *p = profiles; p->name; p++) {
        const char *model = p->title + strcspn(p->title, " ") + 1;
        const size_t n = strcspn(model, " ");
        for (const char *at = name; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
            if (strncmp(at, model, n) == 0 && !isalnum((unsigned char)at[n])) return p;
    }
    return NULL;
}

bool profile_limits(const char *limits, struct profile *out)
{
    struct occupancy_device *l = &out->limits;
    double v;
    if (!traits_read(limits, "sms", &v)) return false;
    l->sms = (int)v;
    if (traits_read(limits, "warps_per_sm", &v)) l->warps_per_sm = (int)v;
    if (traits_read(limits, "blocks_per_sm", &v)) l->blocks_per_sm = (int)v;
    if (traits_read(limits, "regs_per_sm", &v)) l->regs_per_sm = (int)v;
    if (traits_read(limits, "shared_per_sm", &v)) l->shared_per_sm = (size_t)v;
    if (traits_read(limits, "l2_bytes", &v)) out->l2_bytes = (uint64_t)v;
    if (traits_read(limits, "sm_clock_max", &v)) out->boost_mhz = (int)v;
    return true;
}
