// SipHash-2-4-128, fed piece by piece.
// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void mix(uint64_t v[4])
{
    v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
    v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

static void word(struct hash *h, uint64_t m)
{
    h->v[3] ^= m;
    mix(h->v);
    mix(h->v);
    h->v[0] ^= m;
}

void hash_init(struct hash *h)
{
    // "gpuexp" fixed as the key; the constants are SipHash's own.
    const uint64_t k0 = 0x677075657870ULL, k1 = 0x1ULL;
    *h = (struct hash){.v = {k0 ^ 0x736f6d6570736575ULL, k1 ^ 0x646f72616e646f6dULL ^ 0xee, k0 ^ 0x6c7967656e657261ULL,
                           k1 ^ 0x7465646279746573ULL}};
}

void hash_bytes(struct hash *h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (; n && h->size % 8; n--) {
        h->tail |= (uint64_t)*p++ << 8 * (h->size % 8);
        if (++h->size % 8 == 0) word(h, h->tail), h->tail = 0;
    }
    for (; n >= 8; n -= 8, p += 8, h->size += 8) {
        uint64_t m;
        memcpy(&m, p, 8);
        word(h, m);
    }
    for (; n; n--) h->tail |= (uint64_t)*p++ << 8 * (h->size++ % 8);
}

void hash_text(struct hash *h, const char *text)
{
    if (!text) text = "";
    hash_bytes(h, text, strlen(text) + 1);
}

void hash_u64(struct hash *h, uint64_t x) { hash_bytes(h, &x, sizeof x); }

void hash_final(struct hash h, uint64_t out[2])
{
    word(&h, h.tail | h.size << 56);
    h.v[2] ^= 0xee;
    for (int i = 0; i < 4; i++) mix(h.v);
    out[0] = h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3];
    h.v[1] ^= 0xdd;
    for (int i = 0; i < 4; i++) mix(h.v);
    out[1] = h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3];
}

void hash_hex(struct hash h, char text[33])
{
    uint64_t out[2];
    hash_final(h, out);
    for (int i = 0; i < 32; i++) text[i] = "0123456789abcdef"[out[i / 16] >> (60 - 4 * (i % 16)) & 15];
    text[32] = '\0';
}
