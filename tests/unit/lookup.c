// base/lookup: every number is found under its hash, also among others of that hash and after the table has grown.
// SPDX-License-Identifier: MIT
#include "base/lookup.h"

#include <unistd.h>

#include "unit/test.h"

enum { NUMBERS = 5000 };

static size_t times(const struct lookup *l, uint64_t hash, size_t number)
{
    size_t found = 0;
    for (size_t at = 0, n; (n = lookup_next(l, hash, &at)) != LOOKUP_NONE;) found += n == number;
    return found;
}

// `spread` hashes for all numbers: 1 puts all of them under one hash, as an attacker would.
static void every_number_is_found_once(size_t count, uint64_t spread, uint64_t step)
{
    struct lookup l = {0};
    size_t at = 0, missing = 0, strange = 0;
    CHECK(lookup_next(&l, 7, &at) == LOOKUP_NONE);
    for (size_t i = 0; i < count; i++) {
        lookup_add(&l, (i % spread) * step, i);
        at = 0; // also of a table that is nearly full: what is not there ends the search
        CHECK(i > 200 || lookup_next(&l, spread * step, &at) == LOOKUP_NONE);
    }
    for (size_t i = 0; i < count; i++) {
        missing += times(&l, (i % spread) * step, i) != 1;
        strange += spread > 1 && times(&l, ((i + 1) % spread) * step, i) != 0;
    }
    CHECK_INT(missing, 0);
    CHECK_INT(strange, 0);
    at = 0;
    CHECK(lookup_next(&l, spread * step, &at) == LOOKUP_NONE);
    lookup_release(&l);
    CHECK(l.count == 0 && l.room == 0);
}

static void a_number_takes_anothers_place(void)
{
    struct lookup l = {0};
    for (size_t i = 0; i < 10; i++) lookup_add(&l, 3, i);
    lookup_replace(&l, 3, 4, 77);
    CHECK_INT(times(&l, 3, 4), 0);
    CHECK_INT(times(&l, 3, 77), 1);
    CHECK_INT(times(&l, 3, 5), 1);
    CHECK_INT(l.count, 10);
    lookup_release(&l);
}

int main(void)
{
    alarm(20); // a search without an end is a failure too
    every_number_is_found_once(NUMBERS, NUMBERS, 1);
    every_number_is_found_once(NUMBERS, NUMBERS, (uint64_t)1 << 32 | 64); // the low bits are much alike
    every_number_is_found_once(NUMBERS, 100, 0x9e3779b97f4a7c15u);
    every_number_is_found_once(300, 1, 5);
    a_number_takes_anothers_place();
    return test_end();
}
