// Packs arguments by what the PTX says of each parameter: its offset, its size, and whether it is a float.
// SPDX-License-Identifier: MIT
#include "device/pack.h"

#include "sim/ops/half.h"
#include "spec/kernel.h"

#include <stdlib.h>
#include <string.h>

bool pack_address(void *block, const struct ptx_param *p, uint64_t address)
{
    if (p->size != 8 || p->is_float) return false;
    memcpy((char *)block + p->offset, &address, 8);
    return true;
}

// PTX knows only widths and whether a number is a float: signed and unsigned are the same bits, and a half is two
// bytes.
static bool put_scalar(char *to, size_t size, bool is_float, const char *scalar, struct value v)
{
    double number = 0;
    if (!value_number(v, &number)) return false;
    const float single = (float)number;
    const bool fits = v.kind == VALUE_INT || (number >= -0x1p63 && number < 0x1p63); // else the cast means nothing
    const int64_t whole = v.kind == VALUE_INT ? v.i : fits ? (int64_t)number : 0;
    if (scalar && size == 2 && (strcmp(scalar, "half") == 0 || strcmp(scalar, "__nv_bfloat16") == 0)) {
        const uint16_t bits = (uint16_t)(*scalar == 'h' ? double_to_half(number) : float_to_bf16(single));
        memcpy(to, &bits, 2);
    } else if (is_float && size == 4) memcpy(to, &single, 4);
    else if (is_float && size == 8) memcpy(to, &number, 8);
    else if (!is_float && fits && (size == 1 || size == 2 || size == 4 || size == 8))
        memcpy(to, &whole, size); // little-endian, as the device is and every host of one
    else return false;
    return true;
}

bool pack_number(void *block, const struct ptx_param *p, const char *type, struct value v)
{
    char *to = (char *)block + p->offset;
    int lanes = 1;
    const char *scalar = type ? kernel_type_scalar(type, &lanes) : NULL;
    if (v.kind != VALUE_LIST)
        return lanes == 1 && put_scalar(to, p->size, p->is_float || (p->untyped && v.kind == VALUE_REAL), scalar, v);
    if (!scalar || v.list->count != (size_t)lanes || p->size != kernel_type_size(type)) return false;
    const bool is_float = strcmp(scalar, "float") == 0 || strcmp(scalar, "double") == 0;
    for (size_t i = 0, size = p->size / (size_t)lanes; i < (size_t)lanes; i++)
        if (!put_scalar(to + i * size, size, is_float, scalar, v.list->items[i])) return false;
    return true;
}

bool pack_words(const char *words, void *to, size_t size, bool (*of)(void *context, bool map, size_t which, void *to),
    void *context)
{
    char *p = (char *)(uintptr_t)words; // for strtoull
    unsigned char bytes[PACK_MAP];
    for (size_t at = 0, n; at < size && *p; at += n, p += *p == ' ') {
        const char kind = *p;
        uint64_t word = 0;
        n = kind == 'm' ? PACK_MAP : sizeof word;
        if (kind == 'm' || kind == 'p') {
            if (!of(context, kind == 'm', strtoul(p + 1, &p, 10), bytes)) return false;
            memcpy(&word, bytes, sizeof word);
            if (kind == 'p') word += strtoull(p + 1, &p, 16);
        } else word = strtoull(p, &p, 16);
        if (kind != 'm') memcpy(bytes, &word, sizeof word);
        memcpy((char *)to + at, bytes, size - at < n ? size - at : n);
    }
    return true;
}

static bool put(void *block, const struct ptx_param *p, const struct pack_value *v)
{
    if (!v->bytes) return v->is_address ? pack_address(block, p, v->address) : pack_number(block, p, v->type, v->value);
    if (v->size && v->size != p->size) return v->is_address && pack_address(block, p, v->address);
    memcpy((char *)block + p->offset, v->bytes, p->size);
    return true;
}

bool pack_params(const char *ptx, const char *entry, const struct pack_value *values, size_t count, struct arena *a,
    void **block, size_t *bytes, struct diags *d)
{
    enum { MOST = 256 };
    struct ptx_param params[MOST];
    int n = ptx_params(ptx, entry, params, MOST, bytes);
    if (n < 0) return diag_user(d, (struct where){0}, NULL, "the compiled code has no entry `%s`", entry);
    if ((size_t)n != count || n > MOST)
        return diag_user(d, (struct where){0}, NULL, "`%s` takes %d arguments as compiled, %zu as described", entry, n,
            count);
    *block = arena_alloc(a, *bytes ? *bytes : 1);
    for (int i = 0; i < n; i++)
        if (!put(*block, &params[i], &values[i]))
            return diag_user(d, (struct where){0}, NULL, "argument `%s` of `%s` is %zu bytes%s: that takes no %s",
                values[i].name, entry, params[i].size, params[i].is_float ? ", a float" : "",
                values[i].size             ? "tensor map"
                    : values[i].is_address ? "address"
                                           : "number");
    return true;
}
