// base/value: equality, printing and hashing agree with each other.
// SPDX-License-Identifier: MIT
#include "base/value.h"

#include "unit/test.h"

#include <stdlib.h>

static struct value list(struct arena *a, size_t count, const struct value *items)
{
    struct value_list *l = arena_alloc(a, sizeof *l + count * sizeof *items);
    l->count = count;
    if (count) memcpy(l->items, items, count * sizeof *items);
    return (struct value){VALUE_LIST, {.list = l}};
}

static void prints(struct value v, const char *want)
{
    struct str s = {0};
    str_add(&s, "");
    value_print(v, &s);
    CHECK_TEXT(s.text, want);
    str_release(&s);
}

static void a_cell_is_the_shortest_text_that_reads_back(struct arena *a)
{
    prints(value_int(67108864), "67108864");
    prints(value_real(0.5), "0.5");
    prints(value_real(0.1), "0.1");
    prints(value_real(0.1 + 0.2), "0.30000000000000004");
    prints(value_real(3), "3");
    prints(value_real(123456789.25), "123456789.25");
    prints(value_real((double)NAN), "");
    prints(value_real((double)INFINITY), "");
    prints(value_bool(true), "true");
    prints(value_text("device"), "device");
    prints((struct value){0}, "");
    prints(list(a, 2, (struct value[]){value_int(16), value_int(16)}), "16x16");
    prints(list(a, 2, (struct value[]){value_text("read_mostly"), value_text("accessed_by")}),
        "read_mostly+accessed_by");
}

static void equal_values_hash_alike_and_others_do_not(struct arena *a)
{
    const struct value all[] = {
        {0},
        value_int(2),
        value_real(2.5),
        value_bool(true),
        value_int(1),
        value_text("2"),
        value_text(""),
        value_int(INT64_MAX),
        value_real(0x1p63),
        list(a, 1, (struct value[]){value_int(2)}),
        list(a, 2, (struct value[]){value_int(2), value_int(2)}),
        list(a, 0, NULL),
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t j = 0; j < sizeof all / sizeof all[0]; j++) {
            struct hash hi, hj;
            char ti[33], tj[33];
            hash_init(&hi), hash_init(&hj);
            value_hash(all[i], &hi), value_hash(all[j], &hj);
            hash_hex(hi, ti), hash_hex(hj, tj);
            CHECK(value_equal(all[i], all[j]) == (i == j));
            CHECK((strcmp(ti, tj) == 0) == (i == j));
        }
    struct hash h2, h2r;
    char t2[33], t2r[33];
    hash_init(&h2), hash_init(&h2r);
    value_hash(value_int(2), &h2), value_hash(value_real(2.0), &h2r);
    hash_hex(h2, t2), hash_hex(h2r, t2r);
    CHECK(value_equal(value_int(2), value_real(2.0)));
    CHECK_TEXT(t2, t2r);
}

static void a_copy_outlives_its_original(void)
{
    struct arena *first = arena_new(), *second = arena_new();
    struct value v = list(first, 2, (struct value[]){value_text(arena_strdup(first, "left")), value_int(3)});
    struct value copy = value_copy(v, second);
    CHECK(value_equal(v, copy));
    arena_free(first);
    prints(copy, "left+3");
    arena_free(second);
}

int main(void)
{
    struct arena *a = arena_new();
    a_cell_is_the_shortest_text_that_reads_back(a);
    equal_values_hash_alike_and_others_do_not(a);
    a_copy_outlives_its_original();
    arena_free(a);
    return test_end();
}
