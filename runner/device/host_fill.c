// Fills host memory with the content of a job's buffers, in ranges on several threads.
// SPDX-License-Identifier: MIT
#include "device/host_fill.h"

#include "base/hash.h"

#include <pthread.h>
#include <string.h>

enum fill_scalar host_fill_scalar(const struct job_buffer *b)
{
    const size_t bytes = (size_t)b->element_bytes / (size_t)(b->lanes > 0 ? b->lanes : 1);
    const char *s = b->scalar ? b->scalar : b->type;
    if (strcmp(s, "half") == 0 || strcmp(s, "__half") == 0) return FILL_F16;
    if (strcmp(s, "float") == 0) return FILL_F32;
    if (strcmp(s, "double") == 0) return FILL_F64;
    return bytes == 1 ? FILL_I8 : bytes == 2 ? FILL_I16 : bytes == 4 ? FILL_I32 : FILL_I64;
}

uint64_t host_fill_seed(const struct job_buffer *b)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, b->name);
    if (b->seed) hash_u64(&h, b->seed); // without one, the content that older versions made
    hash_final(h, out);
    return out[0];
}

bool host_fill_varies(const struct job_buffer *b)
{
    return b->fill == FILL_RANDOM || (b->fill == FILL_CODE && b->low) || b->shifts;
}

uint64_t host_fill_shift(const struct job_buffer *b, uint64_t seed)
{
    seed ^= b->seed;
    return seed && b->shifts && b->count ? fill_hash(seed, b->count) % b->count : 0;
}

uint64_t host_fill_by(const struct job_buffer *b, uint64_t seed)
{
    return b->low ? host_fill_seed(b) ^ seed : host_fill_shift(b, seed);
}

uint64_t host_fill_content(const struct job_buffer *b)
{
    struct hash h;
    uint64_t out[2];
    if (b->fill == FILL_NONE || b->fill == FILL_CODE) return 0;
    hash_init(&h);
    hash_text(&h, b->name);
    hash_text(&h, b->type);
    hash_u64(&h, b->count);
    hash_u64(&h, b->element_bytes);
    hash_u64(&h, b->fill);
    hash_u64(&h, b->seed);
    hash_u64(&h, b->fill == FILL_CYCLE ? b->step : 0);
    if (b->file_hash) hash_text(&h, b->file_hash);
    hash_final(h, out);
    return out[0] ? out[0] : 1;
}

enum filling { RANDOM, INDEX, POISON };
struct fill_range {
    const struct job_buffer *buffer;
    void *to;
    uint64_t from, end; // scalars
    enum filling what;
};

static void put(enum fill_scalar scalar, void *to, uint64_t i, uint64_t bits)
{
    switch (scalar) {
    case FILL_I8: ((uint8_t *)to)[i] = (uint8_t)bits; break;
    case FILL_I16:
    case FILL_F16: ((uint16_t *)to)[i] = (uint16_t)bits; break;
    case FILL_I32:
    case FILL_F32: ((uint32_t *)to)[i] = (uint32_t)bits; break;
    case FILL_I64:
    case FILL_F64: ((uint64_t *)to)[i] = bits; break;
    }
}

static uint64_t get(size_t bytes, const void *from, uint64_t i)
{
    return bytes == 1 ? ((const uint8_t *)from)[i]
        : bytes == 2  ? ((const uint16_t *)from)[i]
        : bytes == 4  ? ((const uint32_t *)from)[i]
                      : ((const uint64_t *)from)[i];
}

// The usual contents have loops of their own, because buffers can have gigabytes.
static void random_floats(uint64_t seed, float *to, uint64_t from, uint64_t end)
{
    // The same value as fill_random_bits makes of bits: (k + 1) / 2^23, which a float holds exactly.
    for (uint64_t i = from; i < end; i++) to[i] = (float)((fill_hash(seed, i) >> 41) + 1) * 0x1p-23f;
}

static void poison_words(uint32_t bits, uint32_t *to, uint64_t from, uint64_t end)
{
    for (uint64_t i = from; i < end; i++) to[i] = bits;
}

static void *fill_range(void *context)
{
    const struct fill_range *r = context;
    const enum fill_scalar scalar = host_fill_scalar(r->buffer);
    const uint64_t seed = host_fill_seed(r->buffer), lanes = r->buffer->lanes > 0 ? (uint64_t)r->buffer->lanes : 1;
    const int kind = (int)scalar; // as the formulas that kernels share take it
    const uint64_t poison = fill_poison_bits(kind), shift = host_fill_shift(r->buffer, 0);
    if (r->what == RANDOM && scalar == FILL_F32) random_floats(seed, r->to, r->from, r->end);
    else if (r->what == POISON && (scalar == FILL_F32 || scalar == FILL_I32))
        poison_words((uint32_t)poison, r->to, r->from, r->end);
    else if (r->what == RANDOM)
        for (uint64_t i = r->from; i < r->end; i++) put(scalar, r->to, i, fill_random_bits(kind, seed, i));
    else if (r->what == INDEX)
        for (uint64_t i = r->from; i < r->end; i++)
            put(scalar, r->to, i, fill_whole_bits(kind, shift ? (i / lanes + shift) % r->buffer->count : i / lanes));
    else
        for (uint64_t i = r->from; i < r->end; i++) put(scalar, r->to, i, poison);
    return NULL;
}

static void fill_all(const struct job_buffer *b, void *to, int threads, enum filling what)
{
    enum { MOST = 64, SMALL = 1 << 16 };
    struct fill_range ranges[MOST];
    pthread_t ids[MOST];
    const uint64_t scalars = b->count * (uint64_t)(b->lanes > 0 ? b->lanes : 1);
    uint64_t n = threads < 1 || scalars < SMALL ? 1 : threads > MOST ? MOST : (uint64_t)threads, from = 0;
    bool started[MOST] = {false};
    for (uint64_t t = 0; t < n; t++) {
        const uint64_t end = t + 1 == n ? scalars : from + scalars / n;
        ranges[t] = (struct fill_range){b, to, from, end, what};
        from = end;
        if (t + 1 < n) started[t] = pthread_create(&ids[t], NULL, fill_range, &ranges[t]) == 0;
        if (!started[t]) fill_range(&ranges[t]);
    }
    for (uint64_t t = 0; t < n; t++)
        if (started[t]) pthread_join(ids[t], NULL);
}

// Which element the i-th changes places with: below i.
static uint64_t partner(uint64_t seed, uint64_t i)
{
    return (uint64_t)((unsigned __int128)fill_hash(seed, i) * i >> 64);
}

// Sattolo's shuffle: like Fisher and Yates', but an element never stays where it is, which leaves exactly one cycle.
// Done in place. Its places lie all over the memory, and are known long before: those to come are fetched ahead.
static void link_cycle(const struct job_buffer *b, void *to)
{
    const enum fill_scalar scalar = host_fill_scalar(b);
    const uint64_t lanes = b->lanes > 0 ? (uint64_t)b->lanes : 1, step = b->step ? b->step : 1,
                   seed = host_fill_seed(b);
    const uint64_t links = (b->count + step - 1) / step, apart = step * lanes;
    const size_t bytes = (size_t)(b->element_bytes / lanes);
    const uint64_t ahead = 24;
    for (uint64_t i = links; i-- > 1;) {
        const uint64_t j = partner(seed, i);
        if (i > ahead) __builtin_prefetch((char *)to + bytes * apart * partner(seed, i - ahead), 1);
        const uint64_t mine = get(bytes, to, i * apart), other = get(bytes, to, j * apart);
        put(scalar, to, i * apart, other);
        put(scalar, to, j * apart, mine);
    }
}

void host_fill_buffer(const struct job_buffer *b, void *to, int threads)
{
    if (b->fill == FILL_RANDOM) fill_all(b, to, threads, RANDOM);
    else if (b->fill == FILL_INDEX || b->fill == FILL_CYCLE) fill_all(b, to, threads, INDEX);
    if (b->fill == FILL_CYCLE) link_cycle(b, to);
}

void host_fill_poison(const struct job_buffer *b, void *to, int threads) { fill_all(b, to, threads, POISON); }
