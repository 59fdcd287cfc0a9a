// Allocations are mappings of their own with unreachable pages on both sides. Released ones are kept for the next
// request of their size, because touching fresh pages costs more than most kernels do.
// SPDX-License-Identifier: MIT
#include "sim/core/memory.h"

#include "base/arena.h"
#include "base/machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)
#define GAP ((size_t)64 << 20)
enum { MOST_KEPT = 64 }; // each is a few of the mappings that a process may have

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// All begin at a multiple of 2 MiB, or what hangs on bits of an address (part_of in rules.c) would change from run to
// run.
void *memory_map(size_t bytes, void **map, size_t *map_bytes)
{
    const bool huge = bytes >= HUGE_PAGE;
    const size_t align = HUGE_PAGE, inside = round_up(bytes ? bytes : 1, huge ? HUGE_PAGE : PAGE);
    for (size_t gap = GAP; gap >= PAGE; gap /= 64) {
        const size_t all = inside + 2 * gap + align;
        unsigned char *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        unsigned char *at = (unsigned char *)round_up((uintptr_t)p + gap, align);
        if (mprotect(at, inside, PROT_READ | PROT_WRITE) != 0) {
            munmap(p, all);
            return NULL;
        }
        if (huge) madvise(at, inside, MADV_HUGEPAGE); // if this fails, it only costs time
        *map = p;
        *map_bytes = all;
        return at;
    }
    return NULL;
}

static void insert(struct memory *m, struct allocation a)
{
    mem_grow(&m->live, &m->live_room, m->live_count + 1, sizeof *m->live);
    size_t at = m->live_count++;
    for (; at > 0 && m->live[at - 1].lo > a.lo; at--) m->live[at] = m->live[at - 1];
    m->live[at] = a;
}

static char *copy_name(const char *name)
{
    const size_t n = strlen(name) + 1;
    return memcpy(mem_alloc(n), name, n);
}

static void drop(struct allocation *a)
{
    free(a->name);
    if (a->map) munmap(a->map, a->map_bytes);
}

static void forget_kept(struct memory *m, uint64_t most)
{
    size_t gone = 0;
    while (gone < m->kept_count && (m->kept_bytes > most || m->kept_count - gone > MOST_KEPT)) {
        m->kept_bytes -= m->kept[gone].hi - m->kept[gone].lo;
        drop(&m->kept[gone++]);
    }
    m->kept_count -= gone;
    if (gone) memmove(m->kept, m->kept + gone, m->kept_count * sizeof *m->kept);
}

uint64_t memory_alloc(struct memory *m, size_t bytes, const char *name)
{
    for (size_t i = m->kept_count; i-- > 0;) {
        struct allocation a = m->kept[i];
        if (a.hi - a.lo != bytes) continue;
        memmove(m->kept + i, m->kept + i + 1, (--m->kept_count - i) * sizeof *m->kept);
        m->kept_bytes -= bytes;
        m->live_bytes += bytes;
        free(a.name);
        a.name = copy_name(name);
        a.element = 0, a.locked = false;
        insert(m, a);
        return a.lo;
    }
    const uint64_t limit = machine_data_memory();
    if (bytes > limit || m->live_bytes > limit - bytes) return 0;
    const uint64_t live = m->live_bytes + bytes;
    if (live > m->peak_bytes) m->peak_bytes = live;
    forget_kept(m, m->peak_bytes - live);
    struct allocation a = {0};
    void *at = memory_map(bytes, &a.map, &a.map_bytes);
    if (!at) {
        forget_kept(m, 0);
        at = memory_map(bytes, &a.map, &a.map_bytes);
        if (!at) return 0;
    }
    a.lo = (uint64_t)(uintptr_t)at;
    a.hi = a.lo + bytes;
    a.name = copy_name(name);
    m->live_bytes += bytes;
    insert(m, a);
    return a.lo;
}

void memory_name(struct memory *m, uint64_t lo, size_t bytes, const char *name)
{
    insert(m, (struct allocation){.lo = lo, .hi = lo + bytes, .name = copy_name(name)});
}

// What is released is kept while it and what is in use stay together below the most that was ever in use: a sweep needs
// no more than its largest point, which is what `submit` asks for.
void memory_release(struct memory *m, uint64_t address)
{
    for (size_t i = 0; i < m->live_count; i++) {
        struct allocation a = m->live[i];
        if (a.lo != address) continue;
        memmove(m->live + i, m->live + i + 1, (--m->live_count - i) * sizeof *m->live);
        if (!a.map) {
            drop(&a);
            return;
        }
        m->live_bytes -= a.hi - a.lo;
        m->kept_bytes += a.hi - a.lo;
        mem_grow(&m->kept, &m->kept_room, m->kept_count + 1, sizeof *m->kept);
        m->kept[m->kept_count++] = a;
        forget_kept(m, m->peak_bytes - m->live_bytes);
        return;
    }
}

void memory_free(struct memory *m)
{
    for (size_t i = 0; i < m->live_count; i++) drop(&m->live[i]);
    for (size_t i = 0; i < m->kept_count; i++) drop(&m->kept[i]);
    free(m->live);
    free(m->kept);
    *m = (struct memory){0};
}

const struct allocation *memory_find(const struct memory *m, uint64_t address)
{
    size_t lo = 0, hi = m->live_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (m->live[mid].lo <= address) lo = mid + 1;
        else hi = mid;
    }
    return lo && address < m->live[lo - 1].hi ? &m->live[lo - 1] : NULL;
}

static uint64_t distance(const struct allocation *a, uint64_t address)
{
    return address < a->lo ? a->lo - address : address >= a->hi ? address - a->hi : 0;
}

const struct allocation *memory_near(const struct memory *m, uint64_t address, bool *released)
{
    const struct allocation *best = NULL;
    *released = false;
    for (size_t i = 0; i < m->live_count; i++)
        if (!best || distance(&m->live[i], address) < distance(best, address)) best = &m->live[i];
    for (size_t i = 0; i < m->kept_count; i++)
        if (distance(&m->kept[i], address) == 0) {
            *released = true;
            return &m->kept[i];
        }
    if (!best) return NULL;
    const uint64_t far = best->hi - best->lo > GAP ? best->hi - best->lo : GAP;
    return distance(best, address) < far ? best : NULL;
}
