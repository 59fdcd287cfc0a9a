// The counters by place: kept from the first run of a point, since later ones only look for what is wrong, and summed
// over its launches.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include <stdlib.h>
#include <string.h>

void sim_places_release(struct sim_device *dev)
{
    struct sim_places *p = &dev->places;
    free(p->items);
    free(p->told);
    if (p->arena) arena_free(p->arena);
    *p = (struct sim_places){0};
}

void sim_places_start(struct sim_device *dev)
{
    sim_places_release(dev);
    dev->places.arena = arena_new();
}

static struct sim_placed *same(struct sim_places *p, const char *entry, uint32_t number)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].number == number && strcmp(p->items[i].is.entry, entry) == 0) return &p->items[i];
    return NULL;
}

void sim_places_add(struct sim_device *dev, const char *entry, const struct sim_kernel *kernel)
{
    struct sim_places *p = &dev->places;
    const size_t count = sim_sites(kernel, NULL, 0);
    struct sim_site *sites = mem_alloc((count + 1) * sizeof *sites);
    if (!p->arena) p->arena = arena_new();
    sim_sites(kernel, sites, count);
    for (size_t i = 0; i < count; i++) {
        const struct sim_site *s = &sites[i];
        struct sim_placed *to = same(p, entry, s->number);
        if (!to) {
            mem_grow(&p->items, &p->room, p->count + 1, sizeof *p->items);
            to = &p->items[p->count++];
            *to = (struct sim_placed){.number = s->number,
                .is = {.entry = arena_strdup(p->arena, entry),
                    .op = arena_strdup(p->arena, s->op),
                    .line = s->line,
                    .bytes = s->bytes,
                    .instructions = 1}};
        }
        to->is.requests += s->requests;
        to->is.sectors += s->sectors;
        to->is.wavefronts += s->wavefronts;
        to->is.conflicts += s->conflicts;
        to->is.lanes += s->lanes;
    }
    free(sites);
}

static bool in_step(uint64_t a, uint64_t b, const struct device_place *x, const struct device_place *y)
{
    return a * y->requests == b * x->requests;
}

// Copies of one instruction, as an unrolled loop has them: the same at each request.
static bool alike(const struct device_place *x, const struct device_place *y)
{
    return x->line == y->line && x->bytes == y->bytes && strcmp(x->op, y->op) == 0 && strcmp(x->entry, y->entry) == 0 &&
        in_step(x->sectors, y->sectors, x, y) && in_step(x->wavefronts, y->wavefronts, x, y) &&
        in_step(x->conflicts, y->conflicts, x, y) && in_step(x->lanes, y->lanes, x, y);
}

size_t sim_places_tell(struct sim_device *dev, const struct device_place **places)
{
    struct sim_places *p = &dev->places;
    size_t count = 0;
    free(p->told);
    p->told = mem_alloc((p->count + 1) * sizeof *p->told);
    for (size_t i = 0; i < p->count; i++) {
        const struct device_place *x = &p->items[i].is;
        size_t k = 0;
        while (k < count && !alike(&p->told[k], x)) k++;
        if (k == count) {
            p->told[count++] = *x;
            continue;
        }
        struct device_place *to = &p->told[k];
        to->instructions++;
        to->requests += x->requests;
        to->sectors += x->sectors;
        to->wavefronts += x->wavefronts;
        to->conflicts += x->conflicts;
        to->lanes += x->lanes;
    }
    *places = p->told;
    return count;
}
