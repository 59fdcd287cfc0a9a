// Memory for things that live and die together. An arena only grows; arena_free gives everything back at once. There is
// no way to fail: running out of memory ends the program with exit status 3 and one sentence (arena_out_of_memory),
// because no caller could do better. Everything an arena hands out is zeroed and 16-byte aligned.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdarg.h>
#include <stddef.h>

struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *);
void *arena_alloc(struct arena *, size_t bytes);
void *arena_copy(struct arena *, const void *, size_t bytes);
char *arena_strdup(struct arena *, const char *);
char *arena_strndup(struct arena *, const char *, size_t);
char *arena_printf(struct arena *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *, const char *fmt, va_list) __attribute__((format(printf, 2, 0)));

// For memory with one owner outside an arena: malloc and realloc that do not return NULL.
void *mem_alloc(size_t bytes); // zeroed
void *mem_resize(void *, size_t bytes);

// A local of a block that gives its contents back itself, by whatever way the block is left: it has to be initialised
// where it is declared. LOCAL(str_release) struct str s = {0}; LOCAL(mem_drop) char *path = beside_path(...);
#define LOCAL(end) __attribute__((cleanup(end)))
void mem_drop(void *pointer);     // frees what the pointer at that place points to
void arena_drop(struct arena **); // the same of an arena; NULL is fine

// Grows `*items` to hold at least `need` items of `size` bytes, doubling; `*room` is how many it can hold.
void mem_grow(void *items, size_t *room, size_t need, size_t size);
