// A 128-bit content hash (SipHash-2-4 with a fixed key): names cache entries and rows. Not for secrets.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

struct hash {
    uint64_t v[4];
    uint64_t tail; // bytes not yet a whole word
    uint64_t size;
};

void hash_init(struct hash *);
void hash_bytes(struct hash *, const void *, size_t);
void hash_text(struct hash *, const char *); // with its NUL, so that "ab","c" is not "a","bc"; NULL hashes as ""
void hash_u64(struct hash *, uint64_t);
// The state can be copied and continued: hash_final works on a copy. `text` gets 32 hex digits and a NUL.
void hash_final(struct hash, uint64_t out[2]);
uint64_t hash_short(const void *, size_t); // of these bytes alone, its first half
void hash_hex(struct hash, char text[33]);
