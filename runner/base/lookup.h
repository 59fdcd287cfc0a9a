// A hash table of numbers: what is looked up lies in the caller's own array, and the table says at which index to look.
// Two things may have one hash, so the caller compares:
//
//     for (size_t at = 0, n; (n = lookup_next(&table, hash, &at)) != LOOKUP_NONE;)
//         if (same(items[n], wanted)) return n;
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_NONE SIZE_MAX

struct lookup { // {0} is an empty one
    struct lookup_slot *slots;
    size_t room, count;
};
void lookup_add(struct lookup *, uint64_t hash, size_t number); // a number below 2^32 - 1
// The numbers that were added with this hash, one a call; `at` is 0 before the first.
size_t lookup_next(const struct lookup *, uint64_t hash, size_t *at);
// Replaces `number`, which was added with this hash, by `with`.
void lookup_replace(struct lookup *, uint64_t hash, size_t number, size_t with);
void lookup_release(struct lookup *);
