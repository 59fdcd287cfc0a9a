// Packs arguments by what the PTX says of each parameter: its offset, its size, and whether it is a float.
// SPDX-License-Identifier: MIT
#include "device/pack.h"

#include "ptx/params.h"

#include <string.h>

static bool put(char *to, const struct ptx_param *p, const struct pack_value *v)
{
    double number = 0;
    int64_t whole = 0;
    if (v->is_address) {
        if (p->size != 8 || p->is_float) return false;
        memcpy(to, &v->address, 8);
        return true;
    }
    if (!value_number(v->value, &number)) return false;
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
    whole = v->value.kind == VALUE_INT ? v->value.i : (int64_t)number;
    memcpy(to, &whole, p->size); // little-endian, as the device is
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
        if (!put((char *)*block + params[i].offset, &params[i], &values[i]))
            return diag_user(d, (struct where){0}, NULL, "argument `%s` of `%s` is %zu bytes%s: that takes no %s",
                values[i].name, entry, params[i].size, params[i].is_float ? ", a float" : "",
                values[i].is_address ? "address" : "number");
    return true;
}
