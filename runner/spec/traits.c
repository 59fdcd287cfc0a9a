// The table of traits, and what was asked of it for one experiment.
// SPDX-License-Identifier: MIT
#include "spec/traits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct trait_facts trait_table[TRAIT_COUNT] = {
#define X(id, name, unit, about) {name, unit, about},
    TRAITS(X)
#undef X
};

int trait_find(const char *name)
{
    for (int i = 0; i < TRAIT_COUNT; i++)
        if (strcmp(trait_table[i].name, name) == 0) return i;
    return -1;
}

const struct traits *traits_of(const struct experiment *e, const char *spec)
{
    struct traits_list **at = e->traits;
    for (; *at; at = &(*at)->next)
        if (strcmp((*at)->is->spec, spec) == 0) return (*at)->is;
    *at = arena_alloc(e->arena, sizeof **at);
    **at = (struct traits_list){.is = arena_alloc(e->arena, sizeof *(*at)->is)};
    traits_ask(spec, (*at)->is);
    return (*at)->is;
}

bool traits_read(const char *limits, const char *name, double *out)
{
    const size_t n = strlen(name);
    for (const char *at = limits; at && *at; at += strcspn(at, ","), at += strspn(at, ", "))
        if (strncmp(at, name, n) == 0 && at[n] == ' ') return *out = strtod(at + n, NULL), *out > 0;
    return false;
}

void traits_give(const struct experiment *e, const char *spec, const char *limits)
{
    struct traits *t = arena_alloc(e->arena, sizeof *t);
    struct traits_list *first = arena_alloc(e->arena, sizeof *first);
    snprintf(t->spec, sizeof t->spec, "%s", spec);
    for (int i = 0; i < TRAIT_COUNT; i++) {
        t->values[i] = NAN;
        traits_read(limits, trait_table[i].name, &t->values[i]);
    }
    snprintf(t->why, sizeof t->why, "the report's run file does not tell");
    *first = (struct traits_list){.is = t, .next = *e->traits};
    *e->traits = first;
}

const char *traits_device(const struct experiment *e, size_t i)
{
    const char *fixed = setting_default(SETTING_DEVICE).text;
    size_t n = 0;
    bool swept = false;
    for (size_t k = 0; k < e->with.count; k++)
        if (strcmp(e->with.items[k].name, "device") == 0) fixed = e->with.items[k].value.text;
    for (size_t g = 0; g < e->sweep_count; g++)
        for (size_t k = 0; k < e->sweep[g].count; k++) {
            const struct axis *x = &e->sweep[g].items[k];
            if (strcmp(x->name, "device") != 0) continue;
            swept = true;
            if (i < n + x->count) return x->values[i - n].text;
            n += x->count;
        }
    for (size_t p = 0; p < e->include_count; p++)
        for (size_t k = 0; k < e->include[p].count; k++)
            if (strcmp(e->include[p].items[k].name, "device") == 0 && i == n++)
                return e->include[p].items[k].value.text;
    return !swept && i == n ? fixed : NULL;
}

// A row's device is the device's name, with " (cuda:3)" behind it where several share the run.
static bool is_of(const struct traits *t, const char *device)
{
    const size_t n = strlen(t->device);
    return strncmp(t->device, device, n) == 0 && (!device[n] || strncmp(device + n, " (", 2) == 0);
}

struct value traits_value(const struct experiment *e, enum trait which, const char *device)
{
    const char *spec;
    for (size_t i = 0; (spec = traits_device(e, i)); i++) {
        const struct traits *t = traits_of(e, spec);
        if (device && traits_device(e, 1) && !is_of(t, device)) continue;
        if (!device && traits_device(e, 1)) break; // which one?
        if (isfinite(t->values[which])) return value_int((int64_t)t->values[which]);
    }
    return (struct value){0};
}

const char *traits_print(const struct experiment *e, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    for (const struct traits_list *l = *e->traits; l; l = l->next) {
        if (l != *e->traits) str_add(&s, "; ");
        str_addf(&s, "%s:", l->is->spec);
        for (int i = 0; i < TRAIT_COUNT; i++)
            if (isfinite(l->is->values[i])) str_addf(&s, " %s %.0f", trait_table[i].name, l->is->values[i]);
        if (*l->is->why) str_addf(&s, " %s", l->is->why);
    }
    return s.size ? arena_strdup(a, s.text) : NULL;
}
