// Fills host memory with the content of a job's buffers, in ranges on several threads.
// SPDX-License-Identifier: MIT
#include "device/host_fill.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "sim/ops/half.h"

// Reads numbers of whatever width the file has into elements of the buffer's own type. A buffer gets what the file says
// or nothing: a number that its type cannot hold, a shape that is not the buffer's, an empty cell are refused with
// their place.

struct number { // as the file has it
    bool whole; // it is `bits`, above zero or below
    bool negative;
    uint64_t bits; // the size of a whole number without its sign
    double real;   // of one that is not whole
};

struct content {
    const struct job_buffer *b;
    void *to;
    uint64_t want; // scalars
    struct diags *d;
    const char *misfit; // what is said of a number that its element cannot hold
};

static bool refuse(const struct content *f, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(const struct content *f, const char *hint, const char *fmt, ...)
{
    STR_FORMATTED(s, fmt);
    diag_user(f->d, (struct where){0}, hint, "%s%s", f->b->file, s.text);
    return false;
}

static double real_of(const struct number *n)
{
    const double whole = (double)n->bits;
    return !n->whole ? n->real : n->negative ? -whole : whole;
}

// 4e3 is a whole number too.
static bool make_whole(struct number *n)
{
    if (n->whole) return true;
    if (!(fabs(n->real) < 0x1p64) || n->real != trunc(n->real)) return false;
    *n = (struct number){.whole = true, .negative = n->real < 0, .bits = (uint64_t)fabs(n->real)};
    return true;
}

static bool put_whole(void *to, size_t bytes, bool is_signed, uint64_t most, struct number n)
{
    if (!make_whole(&n) || n.bits > most + (is_signed && n.negative) || (n.negative && n.bits && !is_signed))
        return false;
    const uint64_t bits = n.negative ? 0 - n.bits : n.bits;
    memcpy(to, &bits, bytes); // little-endian, as the device is and every host of one
    return true;
}

// A float holds the nearest to a number within its range; what is beyond would become infinity.
static bool put_real(void *to, size_t bytes, const char *scalar, const struct number *n)
{
    const double real = real_of(n);
    if (bytes == 8) return memcpy(to, &real, 8) != NULL;
    const bool finite = isfinite(real);
    if (finite && fabs(real) >= 0x1.ffffffp127) return false; // halfway to what would come after the largest float
    const float single = (float)real;
    if (bytes == 4) return memcpy(to, &single, 4) != NULL;
    const bool half = *scalar == 'h';
    const uint16_t bits = (uint16_t)(half ? double_to_half(real) : float_to_bf16(single));
    if (finite && isinf(half ? half_to_float(bits) : bf16_to_float(bits))) return false;
    return memcpy(to, &bits, 2) != NULL;
}

// False: it does not fit.
static bool put_number(const struct content *f, uint64_t i, const struct number *n)
{
    const struct job_buffer *b = f->b;
    const size_t bytes = (size_t)b->element_bytes / (size_t)b->lanes;
    char *to = (char *)f->to + i * bytes;
    if (strcmp(b->scalar, "float") == 0 || strcmp(b->scalar, "double") == 0 || strcmp(b->scalar, "half") == 0 ||
        strcmp(b->scalar, "__nv_bfloat16") == 0)
        return put_real(to, bytes, b->scalar, n);
    if (strcmp(b->scalar, "bool") == 0) return put_whole(to, bytes, false, 1, *n);
    const bool is_signed = strncmp(b->scalar, "unsigned", 8) != 0;
    return put_whole(to, bytes, is_signed, UINT64_MAX >> (64 - 8 * bytes + is_signed), *n);
}

static bool fits_whole(const struct content *f, uint64_t have)
{
    if (have == f->want) return true;
    return refuse(f, have > f->want ? "a buffer takes all that its file has" : NULL,
        " has %llu numbers; `%s` needs %llu", (unsigned long long)have, f->b->name, (unsigned long long)f->want);
}

// Text.

struct text {
    const char *at, *end, *line_at; // of the line that `at` is in
    unsigned long long line;
};

static bool refuse_at(const struct content *f, const struct text *t, const char *hint, const char *why)
{
    const char *at = t->at;
    size_t n = 0;
    while (n < 24 && at + n < t->end && at[n] && !strchr(",; \t\r\n", at[n])) n++;
    LOCAL(str_release) struct str word = {0};
    str_add_bytes(&word, at, n);
    if (!n) str_add_bytes(&word, at, at < t->end && *at);
    str_add(&word, "");
    refuse(f, hint, ", line %llu, column %llu: `%s` %s", t->line, (unsigned long long)(at - t->line_at) + 1, word.text,
        why);
    return false;
}

// The number at `at`: the longest text that is one. False: there is none.
static bool read_number(const char *at, struct number *n, const char **end)
{
    char *real_end, *whole_end;
    const char *digits = at + (*at == '-' || *at == '+');
    *n = (struct number){.real = strtod(at, &real_end)};
    *end = real_end;
    if (real_end == at) return false;
    if (!isdigit((unsigned char)*digits)) return true; // .5, inf, nan
    errno = 0;
    const unsigned long long bits = strtoull(digits, &whole_end, 10);
    if (whole_end == real_end && errno == 0) *n = (struct number){.whole = true, .negative = *at == '-', .bits = bits};
    return true;
}

// Between two numbers: blanks, lines' ends, and at most one comma or semicolon; one may stand at a line's end too.
// `mark` is the one that separates in this line.
static bool skip_between(const struct content *f, struct text *t, char *mark, bool first)
{
    bool seen = first;
    for (; t->at < t->end; t->at++) {
        if (*t->at == '\n') {
            t->line++;
            t->line_at = t->at + 1;
            *mark = 0;
            seen = true;
        } else if (*t->at == ',' || *t->at == ';') {
            if (*mark && *mark != *t->at)
                return refuse_at(f, t, "write decimal points, and the same mark between all numbers",
                    "stands in a line whose numbers another mark separates");
            const bool empty = seen;
            *mark = *t->at;
            seen = true;
            if (empty) return refuse_at(f, t, NULL, "stands where a number should: a cell is empty");
        } else if (!isspace((unsigned char)*t->at)) break;
    }
    return true;
}

static bool from_text(const struct content *f, const char *bytes, size_t size)
{
    struct text t = {bytes, bytes + size, bytes, 1};
    struct number n;
    uint64_t have = 0;
    char mark = 0;
    for (bool first = true;; first = false) {
        if (!skip_between(f, &t, &mark, first)) return false;
        if (t.at == t.end) return fits_whole(f, have);
        const char *end;
        if (!read_number(t.at, &n, &end) ||
            (end < t.end && *end != ',' && *end != ';' && !isspace((unsigned char)*end)))
            return refuse_at(f, &t, NULL, "is no number");
        if (have < f->want && !put_number(f, have, &n)) return refuse_at(f, &t, NULL, f->misfit);
        have++;
        t.at = end;
    }
}

// An array of numpy's.

enum { RANK_MOST = 16 };
struct array {
    char kind; // 'f', 'i', 'u' or 'b'
    size_t width;
    uint64_t shape[RANK_MOST], count;
    int rank;
    bool backwards; // column after column
    const char *elements;
};

// What stands behind 'NAME': in the header, which is a dictionary as Python writes it; NULL: nothing.
static const char *entry(const char *header, const char *name)
{
    const char *at = strstr(header, name);
    if (!at) return NULL;
    at += strlen(name);
    return at + strspn(at, " ");
}

static bool read_type(const char *at, struct array *a)
{
    if (!at || *at != '\'' || !strchr("<|=", at[1]) || !at[1] || !at[2] || !strchr("fiub", at[2])) return false;
    char *end;
    a->kind = at[2];
    a->width = isdigit((unsigned char)at[3]) ? strtoul(at + 3, &end, 10) : 0;
    if (!a->width || *end != '\'') return false;
    const bool power = a->width == 1 || a->width == 2 || a->width == 4 || a->width == 8;
    return power && (a->kind != 'f' || a->width > 1) && (a->kind != 'b' || a->width == 1);
}

// The type as it is told: only one that NumPy writes ('>f4', '<c8') is quoted, whatever else stands there.
static const char *type_text(const char *descr, char text[16])
{
    if (descr && *descr == '[') return "of several parts each";
    const size_t sign = descr ? strspn(descr, "'<>|=") : 0,
                 digits = descr && descr[sign] ? strspn(descr + sign + 1, "0123456789") : 0;
    if (!digits || digits > 4 || descr[sign + 1 + digits] != '\'') return "of an unknown type";
    snprintf(text, 16, "of type %.*s", (int)(digits + 2), descr + sign - 1);
    return text;
}

static bool read_shape(const char *at, struct array *a)
{
    a->count = 1;
    if (!at || *at++ != '(') return false;
    for (;;) {
        char *end;
        at += strspn(at, " ");
        if (*at == ')') return true;
        if (!isdigit((unsigned char)*at) || a->rank == RANK_MOST) return false;
        errno = 0;
        const unsigned long long n = strtoull(at, &end, 10);
        if (errno || __builtin_mul_overflow(a->count, (uint64_t)n, &a->count)) return false;
        a->shape[a->rank++] = n;
        at = end + strspn(end, " ");
        if (*at == ',') at++;
        else if (*at != ')') return false;
    }
}

static bool read_header(const struct content *f, const char *bytes, size_t size, struct array *a)
{
    const unsigned char *head = (const unsigned char *)bytes;
    *a = (struct array){0};
    if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0) return refuse(f, NULL, " is no .npy file");
    const size_t begins = head[6] == 1 ? 10 : 12;
    size_t length = head[8] | (size_t)head[9] << 8;
    if (begins == 12) length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    if (length > size - begins) return refuse(f, NULL, " ends within its header");
    LOCAL(str_release) struct str header = {0};
    str_add_bytes(&header, bytes + begins, length);
    str_add(&header, "");
    const char *descr = entry(header.text, "'descr':"), *order = entry(header.text, "'fortran_order':");
    const bool known = read_type(descr, a), shaped = read_shape(entry(header.text, "'shape':"), a);
    a->backwards = !order || strncmp(order, "False", 5) != 0;
    a->elements = bytes + begins + length;
    const size_t held = size - begins - length;
    bool good = true;
    char type[16];
    if (!known)
        good = refuse(f, "save an array of one type, such as float32 or int64, lowest byte first",
            " has elements %s: no plain numbers", type_text(descr, type));
    else if (!shaped) good = refuse(f, NULL, " has no shape that can be read");
    else if (a->count > held / a->width || a->count * a->width != held)
        good = refuse(f, NULL, " has %zu bytes behind its header; its shape needs another number", held);
    return good;
}

static void shape_text(const uint64_t *shape, int rank, struct str *s)
{
    for (int i = 0; i < rank; i++) str_addf(s, "%s%llu", i ? " x " : "", (unsigned long long)shape[i]);
    str_add(s, rank ? "" : "one number");
}

// An array of several directions fits a buffer of several when these are the same, the last one of an array of vectors
// being what a vector consists of. One of a single direction, in either, says nothing about rows.
static bool fits_shape(const struct content *f, const struct array *a)
{
    const struct job_buffer *b = f->b;
    uint64_t want[4];
    int rank = 0, have = a->rank;
    for (int i = b->rank; i-- > 0;) want[rank++] = b->extent[i];
    if (b->lanes > 1 && have == rank + 1 && a->shape[have - 1] == (uint64_t)b->lanes) have--;
    bool same = a->count == f->want && (!a->backwards || a->rank < 2);
    for (int i = 0; same && have > 1 && rank > 1 && i < rank; i++) same = have == rank && a->shape[i] == want[i];
    if (same) return true;
    LOCAL(str_release) struct str has = {0}, needs = {0};
    shape_text(a->shape, a->rank, &has);
    if (b->lanes > 1) want[rank++] = (uint64_t)b->lanes;
    shape_text(want, rank, &needs);
    refuse(f, a->backwards ? "numpy.ascontiguousarray makes it so" : NULL, " is an array of %s%s; `%s` needs %s%s",
        has.text, a->backwards ? ", column after column" : "", b->name, needs.text,
        a->backwards ? ", row after row" : "");
    return false;
}

static struct number element(const struct array *a, uint64_t i)
{
    const char *at = a->elements + i * a->width;
    uint64_t bits = 0;
    float single;
    double real;
    memcpy(&bits, at, a->width); // little-endian
    if (a->kind == 'f') {
        memcpy(&single, at, 4 < a->width ? 4 : a->width);
        memcpy(&real, &bits, 8);
        if (a->width == 2) real = (double)half_to_float((uint32_t)bits);
        if (a->width == 4) real = (double)single;
        return (struct number){.real = real};
    }
    const uint64_t sign = (uint64_t)1 << (8 * a->width - 1);
    if (a->kind != 'i' || !(bits & sign)) return (struct number){.whole = true, .bits = bits};
    return (struct number){.whole = true, .negative = true, .bits = sign - (bits & (sign - 1))};
}

static bool from_array(const struct content *f, const char *bytes, size_t size)
{
    struct array a;
    if (!read_header(f, bytes, size, &a) || !fits_shape(f, &a)) return false;
    for (uint64_t i = 0; i < a.count; i++) {
        const struct number n = element(&a, i);
        if (put_number(f, i, &n)) continue;
        LOCAL(str_release) struct str at = {0};
        uint64_t rest = i, below = a.count;
        for (int k = 0; k < a.rank; k++) {
            below /= a.shape[k];
            str_addf(&at, "%s%llu", k ? ", " : "", (unsigned long long)(rest / below));
            rest %= below;
        }
        refuse(f, NULL, ", element [%s]: `%.17g` %s", at.text ? at.text : "", real_of(&n), f->misfit);
        return false;
    }
    return true;
}

bool host_file_fill(const struct job_buffer *b, void *to, struct diags *d)
{
    size_t size = 0;
    char hex[33], *bytes = file_read(b->file, (size_t)4 << 30, &size, d);
    struct hash h;
    if (!bytes) return false;
    hash_init(&h);
    hash_bytes(&h, bytes, size);
    hash_hex(h, hex);
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *dot = strrchr(b->file, '.');
    const struct content f = {b, to, b->count * (uint64_t)b->lanes, d,
        arena_printf(a, "does not fit into `%s`, which is %s", b->name, b->lanes > 1 ? b->scalar : b->type)};
    bool good;
    if (strcmp(hex, b->file_hash) != 0) good = refuse(&f, "run again", " was changed while this ran");
    else if (strcmp(dot, ".bin") == 0)
        good = size == b->bytes ||
            refuse(&f, size > b->bytes ? "a buffer takes all that its file has" : NULL,
                " has %zu bytes; `%s` needs %llu", size, b->name, (unsigned long long)b->bytes);
    else if (b->declared)
        good = refuse(&f, "write its bytes into a .bin file", " holds numbers, and an element of `%s` is a %s", b->name,
            b->type);
    else if (strcmp(dot, ".csv") == 0) good = from_text(&f, bytes, size);
    else good = from_array(&f, bytes, size);
    if (good && strcmp(dot, ".bin") == 0) memcpy(to, bytes, size);
    free(bytes);
    return good;
}

enum fill_scalar host_fill_scalar(const struct job_buffer *b)
{
    const size_t bytes = (size_t)b->element_bytes / (size_t)(b->lanes > 0 ? b->lanes : 1);
    const char *s = b->scalar ? b->scalar : b->type;
    if (strcmp(s, "half") == 0 || strcmp(s, "__half") == 0) return FILL_F16;
    if (strcmp(s, "__nv_bfloat16") == 0) return FILL_BF16;
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

enum filling { RANDOM, INDEX, POISON, SPOILED, NEAR };
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
    case FILL_BF16:
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

// In the same range, and few are large: of whole ones each fourth number is half as frequent as the one before.
static uint64_t skewed_bits(enum fill_scalar scalar, uint64_t seed, uint64_t i)
{
    const uint64_t h = fill_hash(seed, i), bits = fill_random_bits((int)scalar, seed, i);
    if (scalar == FILL_F16 || scalar == FILL_BF16) return bits;
    if (scalar == FILL_F32 || scalar == FILL_F64) {
        union {
            uint64_t bits;
            float single;
            double real;
        } x = {bits};
        if (scalar == FILL_F32) x.single *= x.single * x.single * x.single;
        else x.real *= x.real * x.real * x.real;
        return x.bits;
    }
    const uint64_t large = 4 * (uint64_t)__builtin_clzll(h | 1) + (h & 3);
    return 1 + (large < 99 ? large : 99);
}

static void poison_words(uint32_t bits, uint32_t *to, uint64_t from, uint64_t end)
{
    for (uint64_t i = from; i < end; i++) to[i] = bits;
}

// Pairs begin at even places.
static void near_range(enum fill_scalar scalar, size_t size, void *to, uint64_t from, uint64_t end)
{
    for (uint64_t i = from; i < end; i += 2) {
        const bool pair = i + 1 < end;
        unsigned long long a = get(size, to, i), b = pair ? get(size, to, i + 1) : a;
        fill_near_bits((int)scalar, &a, &b);
        put(scalar, to, i, a);
        if (pair) put(scalar, to, i + 1, b);
    }
}

static void *fill_range(void *context)
{
    const struct fill_range *r = context;
    const enum fill_scalar scalar = host_fill_scalar(r->buffer);
    const uint64_t seed = host_fill_seed(r->buffer), lanes = r->buffer->lanes > 0 ? (uint64_t)r->buffer->lanes : 1;
    const size_t size = (size_t)(r->buffer->element_bytes / lanes);
    const int kind = (int)scalar; // as the formulas that kernels share take it
    const uint64_t poison = fill_poison_bits(kind), shift = host_fill_shift(r->buffer, 0), count = r->buffer->count,
                   apart = r->buffer->shuffled ? FILL_APART : 1;
    const bool moved = shift || apart > 1;
    if (r->what == RANDOM && r->buffer->skewed)
        for (uint64_t i = r->from; i < r->end; i++) put(scalar, r->to, i, skewed_bits(scalar, seed, i));
    else if (r->what == RANDOM && scalar == FILL_F32) random_floats(seed, r->to, r->from, r->end);
    else if (r->what == POISON && (scalar == FILL_F32 || scalar == FILL_I32))
        poison_words((uint32_t)poison, r->to, r->from, r->end);
    else if (r->what == NEAR) near_range(scalar, size, r->to, r->from, r->end);
    else if (r->what == RANDOM)
        for (uint64_t i = r->from; i < r->end; i++) put(scalar, r->to, i, fill_random_bits(kind, seed, i));
    else if (r->what == INDEX)
        for (uint64_t i = r->from; i < r->end; i++)
            put(scalar, r->to, i, fill_whole_bits(kind, moved ? (i / lanes * apart + shift) % count : i / lanes));
    else
        for (uint64_t i = r->from; i < r->end; i++)
            put(scalar, r->to, i, r->what == POISON ? poison : fill_spoiled_bits(kind, get(size, r->to, i)));
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
        const uint64_t end = t + 1 == n ? scalars : (from + scalars / n) & ~UINT64_C(1);
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
void host_fill_spoil(const struct job_buffer *b, void *to, int threads, bool near)
{
    fill_all(b, to, threads, near ? NEAR : SPOILED);
}
