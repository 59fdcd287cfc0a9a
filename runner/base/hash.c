// SipHash-2-4-128, fed piece by piece.
// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

// By value, so that it stays in registers over a long text.
struct state {
    uint64_t a, b, c, d;
};

static inline struct state mix(struct state v)
{
    v.a += v.b, v.b = rotate(v.b, 13) ^ v.a, v.a = rotate(v.a, 32);
    v.c += v.d, v.d = rotate(v.d, 16) ^ v.c;
    v.a += v.d, v.d = rotate(v.d, 21) ^ v.a;
    v.c += v.b, v.b = rotate(v.b, 17) ^ v.c, v.c = rotate(v.c, 32);
    return v;
}

static inline struct state word(struct state v, uint64_t m)
{
    v.d ^= m;
    v = mix(mix(v));
    v.a ^= m;
    return v;
}

static struct state of(const struct hash *h) { return (struct state){h->v[0], h->v[1], h->v[2], h->v[3]}; }

static void put(struct hash *h, struct state v) { h->v[0] = v.a, h->v[1] = v.b, h->v[2] = v.c, h->v[3] = v.d; }

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
    struct state v = of(h);
    for (; n && h->size % 8; n--) {
        h->tail |= (uint64_t)*p++ << 8 * (h->size % 8);
        if (++h->size % 8 == 0) v = word(v, h->tail), h->tail = 0;
    }
    for (; n >= 8; n -= 8, p += 8, h->size += 8) {
        uint64_t m;
        memcpy(&m, p, 8);
        v = word(v, m);
    }
    put(h, v);
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
    struct state v = word(of(&h), h.tail | h.size << 56);
    v.c ^= 0xee;
    for (int i = 0; i < 4; i++) v = mix(v);
    out[0] = v.a ^ v.b ^ v.c ^ v.d;
    v.b ^= 0xdd;
    for (int i = 0; i < 4; i++) v = mix(v);
    out[1] = v.a ^ v.b ^ v.c ^ v.d;
}

uint64_t hash_short(const void *bytes, size_t n)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_bytes(&h, bytes, n);
    hash_final(h, out);
    return out[0];
}

void hash_hex(struct hash h, char text[33])
{
    uint64_t out[2];
    hash_final(h, out);
    for (int i = 0; i < 32; i++) text[i] = "0123456789abcdef"[out[i / 16] >> (60 - 4 * (i % 16)) & 15];
    text[32] = '\0';
}
