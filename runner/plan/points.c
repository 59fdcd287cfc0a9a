// Single points: from a code to its values, from values to the point that has them, and points outside the product.
// SPDX-License-Identifier: MIT
#include "plan/plan_inside.h"

#include <stdlib.h>
#include <string.h>

size_t points_find_slot(const struct plan *p, const char *name)
{
    for (size_t i = 0; i < p->name_count; i++)
        if (strcmp(p->slot_names[i], name) == 0) return i;
    return SIZE_MAX;
}

const struct kernel *points_kernel(const struct plan *p, const struct value *values)
{
    if (p->e->kernel_count < 2) return p->e->kernel;
    const size_t slot = points_find_slot(p, "kernel");
    const bool known = slot != SIZE_MAX && values[slot].kind == VALUE_TEXT;
    return experiment_kernel(p->e, known ? values[slot].text : NULL);
}

void points_decode(const struct plan *p, uint32_t code, struct value *values)
{
    if (code >= p->product) {
        memcpy(values, p->extras[code - p->product], p->name_count * sizeof *values);
        return;
    }
    memcpy(values, p->base, p->name_count * sizeof *values);
    for (size_t g = 0; g < p->group_count; g++) {
        const struct axis_group *group = &p->groups[g];
        uint32_t pick = group->picks[code / group->stride % group->count];
        for (size_t i = 0; i < group->axes->count; i++) values[group->slots[i]] = group->axes->items[i].values[pick];
    }
}

void points_inherit(const struct plan *p, struct value *values)
{
    for (size_t i = 0; i < p->name_count; i++)
        if (values[i].kind == VALUE_NONE) values[i] = p->base[i];
}

void points_describe(const struct plan *p, const struct value *values, struct str *s)
{
    for (size_t i = 0; i < p->name_count; i++) {
        if (values[i].kind == VALUE_NONE) continue;
        str_addf(s, "%s%s = ", s->size ? ", " : "", p->slot_names[i]);
        value_print(values[i], s);
    }
    if (!s->size) str_add(s, "the only point");
}

static bool group_has(const struct axis_group *g, uint32_t at, const struct value *values)
{
    for (size_t i = 0; i < g->axes->count; i++)
        if (!value_equal(values[g->slots[i]], g->axes->items[i].values[g->picks[at]])) return false;
    return true;
}

// The code of the combination that has these values; false: there is none.
static bool encode(const struct plan *p, const struct value *values, uint32_t *code)
{
    LOCAL(mem_drop) struct value *found = mem_alloc(p->name_count * sizeof *found);
    uint64_t sum = 0;
    bool good = p->product > 0;
    for (size_t g = 0; g < p->group_count && good; g++) {
        uint32_t at = 0;
        while (at < p->groups[g].count && !group_has(&p->groups[g], at, values)) at++;
        good = at < p->groups[g].count;
        sum += at * p->groups[g].stride;
    }
    *code = (uint32_t)sum;
    if (good) {
        points_decode(p, *code, found);
        for (size_t i = 0; i < p->name_count && good; i++) good = value_equal(values[i], found[i]);
    }
    return good;
}

static uint64_t hash_of(const struct plan *p, const struct value *values)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    for (size_t i = 0; i < p->name_count; i++) value_hash(values[i], &h);
    hash_final(h, out);
    return out[0];
}

static bool is_extra(const struct plan *p, const struct value *values, uint64_t hash)
{
    LOCAL(mem_drop) struct value *found = mem_alloc(p->name_count * sizeof *found);
    bool same = false;
    for (size_t at = 0, n; !same && (n = lookup_next(&p->by_values, hash, &at)) != LOOKUP_NONE;) {
        points_decode(p, p->codes[n], found);
        size_t i = 0;
        while (i < p->name_count && value_equal(values[i], found[i])) i++;
        same = i == p->name_count;
    }
    return same;
}

static bool is_regular(const struct plan *p, uint32_t code)
{
    size_t low = 0, high = p->regular;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->codes[middle] == code) return true;
        if (p->codes[middle] < code) low = middle + 1;
        else high = middle;
    }
    return false;
}

// A point that `include` adds again does not count as removed.
static void restore(struct plan *p, uint32_t code)
{
    for (size_t i = 0; i < p->removed_count; i++) {
        if (p->removed[i].code != code) continue;
        memmove(&p->removed[i], &p->removed[i + 1], (p->removed_count - i - 1) * sizeof p->removed[0]);
        p->removed_count--;
        return;
    }
}

enum add_result points_add(struct plan *p, const struct value *values)
{
    uint32_t code;
    bool in_product = encode(p, values, &code);
    if (in_product && is_regular(p, code)) return ADD_KNOWN;
    const uint64_t hash = hash_of(p, values);
    if (is_extra(p, values, hash)) return ADD_KNOWN;
    if (p->count >= UINT32_MAX - 1 || p->product + p->extra_count >= UINT32_MAX) return ADD_FULL;
    if (in_product) {
        restore(p, code);
    } else {
        struct value *own = arena_alloc(p->arena, p->name_count * sizeof *own);
        for (size_t i = 0; i < p->name_count; i++) own[i] = value_copy(values[i], p->arena);
        mem_grow(&p->extras, &p->extra_room, p->extra_count + 1, sizeof *p->extras);
        code = (uint32_t)(p->product + p->extra_count);
        p->extras[p->extra_count++] = own;
    }
    mem_grow(&p->codes, &p->code_room, p->count + 1, sizeof *p->codes);
    p->codes[p->count++] = code;
    lookup_add(&p->by_values, hash, p->count - 1);
    return ADD_NEW;
}

void points_remove(struct plan *p, uint32_t code, uint32_t clause)
{
    mem_grow(&p->removed, &p->removed_room, p->removed_count + 1, sizeof *p->removed);
    p->removed[p->removed_count++] = (struct removed){code, clause};
}
