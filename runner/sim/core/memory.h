// Device memory: page-backed allocations with wide gaps, found by address. A device address is the host's own address.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocation {
    uint64_t lo, hi; // the bytes asked for
    char *name;
    uint8_t touched;     // what launches did there: enum sim_touch
    uint32_t element;    // bytes of an element; 0, 1: it has no index
    uint64_t row, pitch; // bytes of a row, and from one to the next; pitch 0: there are none
    bool locked;         // kernels may not write
    void *map;           // what to unmap; NULL: it is part of another mapping
    size_t map_bytes;
};

struct memory {
    struct allocation *live; // by address
    size_t live_count, live_room;
    struct allocation *kept; // released, still mapped, the oldest first
    size_t kept_count, kept_room;
    uint64_t heap_lo, heap_hi;                   // the device's heap, whose pieces are allocations too
    uint64_t live_bytes, kept_bytes, peak_bytes; // peak: the most that was live at once
};

uint64_t memory_alloc(struct memory *, size_t bytes, const char *name); // 0: no memory
void memory_release(struct memory *, uint64_t address);
void memory_free(struct memory *);
// A named range inside an allocation made with memory_map, so that each variable of a module has bounds of its own.
void *memory_map(size_t bytes, void **map, size_t *map_bytes);
void memory_name(struct memory *, uint64_t lo, size_t bytes, const char *name);

const struct allocation *memory_find(const struct memory *, uint64_t address);
// The nearest allocation to an address that belongs to none, if it is near enough; `released`: it was given back.
const struct allocation *memory_near(const struct memory *, uint64_t address, bool *released);
