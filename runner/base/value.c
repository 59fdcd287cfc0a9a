// Comparing, printing and hashing values. A whole real is the same value as the integer, everywhere.
// SPDX-License-Identifier: MIT
#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// True where `r` is exactly an int64_t: 2^63 itself is not.
static bool whole(double r, int64_t *i)
{
    if (!(r >= -0x1p63 && r < 0x1p63) || r != floor(r)) return false;
    *i = (int64_t)r;
    return true;
}

static struct value plain(struct value v)
{
    int64_t i;
    return v.kind == VALUE_REAL && whole(v.r, &i) ? value_int(i) : v;
}

bool value_equal(struct value a, struct value b)
{
    a = plain(a), b = plain(b);
    if (a.kind != b.kind) return false;
    switch (a.kind) {
    case VALUE_NONE: return true;
    case VALUE_INT: return a.i == b.i;
    case VALUE_REAL: return a.r == b.r;
    case VALUE_BOOL: return a.b == b.b;
    case VALUE_TEXT: return strcmp(a.text, b.text) == 0;
    case VALUE_LIST: break;
    }
    if (a.list->count != b.list->count) return false;
    for (size_t i = 0; i < a.list->count; i++)
        if (!value_equal(a.list->items[i], b.list->items[i])) return false;
    return true;
}

bool value_number(struct value v, double *number)
{
    switch (v.kind) {
    case VALUE_INT: *number = (double)v.i; return true;
    case VALUE_REAL: *number = v.r; return true;
    case VALUE_BOOL: *number = v.b; return true;
    default: return false;
    }
}

static void print_real(double r, struct str *s)
{
    char text[40] = "";
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, r);
        if (strtod(text, NULL) == r) break;
    }
    str_add(s, text);
}

void value_print(struct value v, struct str *s)
{
    v = plain(v);
    switch (v.kind) {
    case VALUE_NONE: return;
    case VALUE_INT: str_add_int(s, v.i); return;
    case VALUE_REAL:
        if (isfinite(v.r)) print_real(v.r, s); // NaN or infinite: an empty cell
        return;
    case VALUE_BOOL: str_add(s, v.b ? "true" : "false"); return;
    case VALUE_TEXT: str_add(s, v.text); return;
    case VALUE_LIST: break;
    }
    for (size_t i = 0; i < v.list->count; i++) {
        if (i) str_add(s, v.list->items[0].kind == VALUE_TEXT ? "+" : "x"); // 16x16, read_mostly+accessed_by
        value_print(v.list->items[i], s);
    }
}

void value_hash(struct value v, struct hash *h)
{
    v = plain(v);
    hash_u64(h, v.kind);
    switch (v.kind) {
    case VALUE_NONE: return;
    case VALUE_INT: hash_u64(h, (uint64_t)v.i); return;
    case VALUE_REAL: hash_bytes(h, &v.r, sizeof v.r); return;
    case VALUE_BOOL: hash_u64(h, v.b); return;
    case VALUE_TEXT: hash_text(h, v.text); return;
    case VALUE_LIST: break;
    }
    hash_u64(h, v.list->count);
    for (size_t i = 0; i < v.list->count; i++) value_hash(v.list->items[i], h);
}

struct value value_copy(struct value v, struct arena *a)
{
    if (v.kind == VALUE_TEXT) v.text = arena_strdup(a, v.text);
    if (v.kind != VALUE_LIST) return v;
    struct value_list *list = arena_alloc(a, sizeof *list + v.list->count * sizeof list->items[0]);
    list->count = v.list->count;
    for (size_t i = 0; i < list->count; i++) list->items[i] = value_copy(v.list->items[i], a);
    v.list = list;
    return v;
}
