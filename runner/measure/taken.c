// The kinds as tables, and bytes as samples.
// SPDX-License-Identifier: MIT
#include "measure/taken.h"

#include <math.h>
#include <stdbool.h>

#define X(id, letter, name, about) letter[0],
const char taken_letters[TAKEN_KIND_COUNT] = {TAKEN_KINDS(X)};
#undef X
#define X(id, letter, name, about) name,
const char *const taken_names[] = {TAKEN_KINDS(X)};
#undef X
#define X(id, letter, name, about) about,
const char *const taken_about[] = {TAKEN_KINDS(X)};
#undef X

const struct taken *taken_at(const struct str *s, size_t i) { return (const struct taken *)(const void *)s->text + i; }

static bool is_one(const struct taken *t)
{
    return t->kind < TAKEN_KIND_COUNT && isfinite(t->us) && !signbit(t->us) && t->place < UINT32_MAX;
}

size_t taken_count(const struct str *s)
{
    const size_t count = s->size / sizeof(struct taken);
    if (s->size % sizeof(struct taken)) return 0;
    for (size_t i = 0; i < count; i++)
        if (!is_one(taken_at(s, i))) return 0;
    return count;
}
