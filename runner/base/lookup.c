// Open addressing, at most half full; each slot keeps 32 bits of the hash, so that growing asks nobody.
// SPDX-License-Identifier: MIT
#include "base/lookup.h"

#include <stdlib.h>

#include "base/arena.h"

struct lookup_slot {
    uint32_t hash, number; // number + 1; 0: free
};

static uint32_t folded(uint64_t hash) { return (uint32_t)(hash ^ hash >> 32); }

static void put(struct lookup *l, struct lookup_slot slot)
{
    size_t i = slot.hash & (l->room - 1);
    while (l->slots[i].number) i = (i + 1) & (l->room - 1);
    l->slots[i] = slot;
}

static void grow(struct lookup *l)
{
    const struct lookup old = *l;
    l->room = old.room ? 4 * old.room : 64;
    l->slots = mem_alloc(l->room * sizeof *l->slots);
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].number) put(l, old.slots[i]);
    free(old.slots);
}

void lookup_add(struct lookup *l, uint64_t hash, size_t number)
{
    if (2 * (l->count + 1) > l->room) grow(l);
    put(l, (struct lookup_slot){folded(hash), (uint32_t)number + 1});
    l->count++;
}

size_t lookup_next(const struct lookup *l, uint64_t hash, size_t *at)
{
    const uint32_t wanted = folded(hash);
    for (; l->room; ++*at) {
        const struct lookup_slot *slot = &l->slots[(wanted + *at) & (l->room - 1)];
        if (!slot->number) break;
        if (slot->hash != wanted) continue;
        ++*at;
        return slot->number - 1;
    }
    return LOOKUP_NONE;
}

void lookup_replace(struct lookup *l, uint64_t hash, size_t number, size_t with)
{
    const uint32_t wanted = folded(hash);
    for (size_t i = wanted & (l->room - 1); l->slots[i].number; i = (i + 1) & (l->room - 1))
        if (l->slots[i].hash == wanted && l->slots[i].number == number + 1) l->slots[i].number = (uint32_t)with + 1;
}

void lookup_release(struct lookup *l)
{
    free(l->slots);
    *l = (struct lookup){0};
}
