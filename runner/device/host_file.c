// Reads numbers of whatever width the file has into elements of the buffer's own type.
// SPDX-License-Identifier: MIT
#include "device/host_file.h"

#include "base/file.h"
#include "device/pack.h"
#include "sim/ops/half.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct where nowhere = {0};

static bool put(const struct job_buffer *b, void *to, uint64_t i, struct value v)
{
    const size_t bytes = (size_t)b->element_bytes / (size_t)b->lanes;
    const bool real = strcmp(b->scalar, "float") == 0 || strcmp(b->scalar, "double") == 0;
    const struct ptx_param at = {.offset = i * bytes, .size = bytes, .is_float = real};
    return pack_number(to, &at, bytes == 2 ? b->scalar : NULL, v);
}

static bool too_few(const struct job_buffer *b, uint64_t have, struct diags *d)
{
    return diag_user(d, nowhere, NULL, "%s has %llu numbers; `%s` needs %llu", b->file, (unsigned long long)have,
        b->name, (unsigned long long)(b->count * (uint64_t)b->lanes));
}

static bool from_text(const struct job_buffer *b, const char *text, void *to, struct diags *d)
{
    const uint64_t want = b->count * (uint64_t)b->lanes;
    const char *p = text;
    for (uint64_t i = 0; i < want; i++) {
        char *end, *whole;
        while (isspace((unsigned char)*p) || *p == ',' || *p == ';') p++;
        if (!*p) return too_few(b, i, d);
        const double r = strtod(p, &end);
        const long long n = strtoll(p, &whole, 10);
        if (end == p) return diag_user(d, nowhere, NULL, "%s: number %llu is none", b->file, (unsigned long long)i + 1);
        put(b, to, i, whole == end ? value_int(n) : value_real(r));
        p = end;
    }
    return true;
}

// Element `i` of an array of `<f4`, `|u1` and their like.
static bool element(const char *data, char kind, size_t width, uint64_t i, struct value *v)
{
    const char *at = data + i * width;
    int64_t whole = 0;
    float f = 0;
    double r = 0;
    uint16_t h = 0;
    if (kind == 'f') {
        if (width == 4) memcpy(&f, at, 4);
        if (width == 8) memcpy(&r, at, 8);
        if (width == 2) memcpy(&h, at, 2);
        *v = value_real(width == 8 ? r : width == 4 ? (double)f : (double)half_to_float(h));
        return width == 2 || width == 4 || width == 8;
    }
    if (width > 8) return false;
    memcpy(&whole, at, width); // little-endian
    const unsigned spare = (unsigned)(64 - 8 * width);
    if (kind == 'i') whole = (int64_t)((uint64_t)whole << spare) >> spare;
    *v = value_int(whole);
    return kind == 'i' || kind == 'u' || kind == 'b';
}

static bool from_array(const struct job_buffer *b, const char *bytes, size_t size, void *to, struct diags *d)
{
    const uint64_t want = b->count * (uint64_t)b->lanes;
    const unsigned char *head = (const unsigned char *)bytes;
    const bool array = size > 12 && memcmp(bytes, "\x93NUMPY", 6) == 0;
    const size_t begins = array && head[6] == 1 ? 10 : 12;
    const size_t length = array ? head[8] | (size_t)head[9] << 8 | (begins == 12 ? (size_t)head[10] << 16 : 0) : 0;
    char text[512] = "";
    if (array && length < sizeof text && begins + length <= size) memcpy(text, bytes + begins, length);
    const char *descr = strstr(text, "'descr':"), *type = descr ? strpbrk(descr + 8, "<|=>") : NULL;
    if (!type || *type == '>' || strstr(text, "'fortran_order': True"))
        return diag_user(d, nowhere, NULL, "%s is no .npy array of plain numbers, row after row", b->file);
    const size_t width = (size_t)atoi(type + 2), have = width ? (size - begins - length) / width : 0;
    if (have < want) return too_few(b, have, d);
    for (uint64_t i = 0; i < want; i++) {
        struct value v;
        if (!element(bytes + begins + length, type[1], width, i, &v))
            return diag_user(d, nowhere, NULL, "%s holds what is no number here", b->file);
        put(b, to, i, v);
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
    const char *dot = strrchr(b->file, '.');
    bool good;
    if (strcmp(hex, b->file_hash) != 0)
        good = diag_user(d, nowhere, "run again", "%s was changed while this ran", b->file);
    else if (strcmp(dot, ".csv") == 0) good = from_text(b, bytes, to, d);
    else if (strcmp(dot, ".npy") == 0) good = from_array(b, bytes, size, to, d);
    else if (size < b->bytes)
        good = diag_user(d, nowhere, NULL, "%s has %zu bytes; `%s` needs %llu", b->file, size, b->name,
            (unsigned long long)b->bytes);
    else good = memcpy(to, bytes, (size_t)b->bytes) != NULL;
    free(bytes);
    return good;
}
