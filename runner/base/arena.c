// A chain of blocks, each twice the last, and the allocations that may not fail.
// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Under AddressSanitizer each piece has a fence behind it, as if it were an allocation of its own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCED 1
#endif
#endif
#if defined(FENCED) || defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define GUARD ((size_t)16)
#define FENCE(at, n) ASAN_POISON_MEMORY_REGION(at, n)
#else
#define GUARD ((size_t)0)
#define FENCE(at, n) ((void)(at))
#endif

struct arena_block {
    struct arena_block *older;
    size_t used, room;
    _Alignas(16) unsigned char bytes[];
};

struct arena {
    struct arena_block *newest;
};

// The one function here that does not return: there is no memory left to build an error with.
static _Noreturn void out_of_memory(size_t bytes)
{
    char line[96];
    int n = snprintf(line, sizeof line, "gpuexp: out of memory (%zu bytes more were needed)\n", bytes);
    if (n > 0 && write(2, line, (size_t)n) < 0) _exit(3);
    _exit(3);
}

void *mem_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) out_of_memory(bytes);
    return p;
}

void *mem_resize(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p) out_of_memory(bytes);
    return p;
}

void mem_grow(void *items, size_t *room, size_t need, size_t size)
{
    if (need <= *room) return;
    size_t want = *room ? *room * 2 : 8;
    if (want < need) want = need;
    if (want > SIZE_MAX / size) out_of_memory(SIZE_MAX);
    void *p; // `items` is the address of any kind of pointer: copied as bytes, never aliased
    memcpy(&p, items, sizeof p);
    p = mem_resize(p, want * size);
    memcpy(items, &p, sizeof p);
    *room = want;
}

void mem_drop(void *pointer)
{
    void *p;
    memcpy(&p, pointer, sizeof p);
    free(p);
}

struct arena *arena_new(void) { return mem_alloc(sizeof(struct arena)); }

void arena_free(struct arena *a)
{
    if (!a) return;
    for (struct arena_block *b = a->newest, *older; b; b = older) {
        older = b->older;
        free(b);
    }
    free(a);
}

void arena_drop(struct arena **a) { arena_free(*a); }

void *arena_alloc(struct arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) out_of_memory(bytes);
    size_t need = ((bytes + 15) & ~(size_t)15) + GUARD;
    struct arena_block *b = a->newest;
    if (!b || b->room - b->used < need) {
        size_t room = b ? b->room * 2 : 4096 - sizeof(struct arena_block);
        if (room > 1 << 20) room = 1 << 20;
        if (room < need) room = need;
        b = mem_alloc(sizeof *b + room);
        b->room = room;
        b->older = a->newest;
        a->newest = b;
    }
    void *p = b->bytes + b->used;
    b->used += need;
    FENCE(b->bytes + b->used - GUARD, GUARD);
    return p;
}

void *arena_copy(struct arena *a, const void *from, size_t bytes)
{
    void *p = arena_alloc(a, bytes);
    if (bytes) memcpy(p, from, bytes);
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *arena_strdup(struct arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_vprintf(struct arena *a, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0) return arena_strdup(a, fmt);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, args);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *p = arena_vprintf(a, fmt, args);
    va_end(args);
    return p;
}
