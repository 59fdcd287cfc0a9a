// Packs arguments by what the PTX says of each parameter: its offset, its size, and whether it is a float.
// SPDX-License-Identifier: MIT
#include "device/pack.h"

#include <string.h>

bool pack_address(void *block, const struct ptx_param *p, uint64_t address)
{
    if (p->size != 8 || p->is_float) return false;
    memcpy((char *)block + p->offset, &address, 8);
    return true;
}

// PTX knows only widths and whether a number is a float: signed and unsigned are the same bits.
bool pack_number(void *block, const struct ptx_param *p, struct value v)
{
    char *to = (char *)block + p->offset;
    double number = 0;
    if (!value_number(v, &number)) return false;
    if (p->is_float && p->size == 4) {
        const float f = (float)number;
        memcpy(to, &f, 4);
        return true;
    }
    if (p->is_float) {
        memcpy(to, &number, 8);
        return true;
    }
    if (p->size != 1 && p->size != 2 && p->size != 4 && p->size != 8) return false;
    const int64_t whole = v.kind == VALUE_INT ? v.i : (int64_t)number;
    memcpy(to, &whole, p->size); // little-endian, as the device is and every host of one
    return true;
}

static bool put(void *block, const struct ptx_param *p, const struct pack_value *v)
{
    return v->is_address ? pack_address(block, p, v->address) : pack_number(block, p, v->value);
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
                values[i].is_address ? "address" : "number");
    return true;
}
