// measure/contexts.h: two groups are told, and values that only scatter are not.
// SPDX-License-Identifier: MIT
#include "measure/contexts.h"

#include "base/chance.h"
#include "unit/test.h"

static uint64_t chance = 11;

static double normal(void)
{
    return sqrt(-2 * log(1 - chance_draw(&chance))) * cos(8 * atan(1) * chance_draw(&chance));
}

// A histogram on an H200: 35 to 39 us, or 58, by where its buffers lie.
static void two_groups_are_two_values(void)
{
    static const double values[] = {35.2, 58.1, 36.0, 37.9, 57.6, 35.7, 38.8, 36.2};
    struct modes m = {0};
    CHECK(modes_find(values, 8, &m));
    CHECK(fabs(m.quick - 36.633) < 1e-3 && fabs(m.slow - 57.85) < 1e-9 && fabs(m.slow_share - 0.25) < 1e-9);
}

static void one_that_lies_apart_is_no_group(void)
{
    static const double one[] = {35, 35.1, 35.2, 35.1, 35, 58, 35.1, 35.2}, few[] = {35, 35, 58, 58, 58};
    static const double close[] = {100, 100.1, 100, 102, 102.1, 102}; // 2 %: nobody would ask which
    struct modes m;
    CHECK(!modes_find(one, 8, &m));
    CHECK(!modes_find(few, 5, &m));
    CHECK(!modes_find(close, 6, &m));
}

static void values_that_scatter_are_one_group(void)
{
    enum { TRIES = 4000 };
    static const size_t counts[] = {6, 8, 15, 24};
    for (size_t k = 0; k < 4; k++) {
        int told = 0;
        for (int t = 0; t < TRIES; t++) {
            double values[24];
            struct modes m;
            for (size_t i = 0; i < counts[k]; i++) values[i] = 100 + 8 * normal();
            told += modes_find(values, counts[k], &m);
        }
        CHECK(told <= TRIES / 100);
    }
}

int main(void)
{
    two_groups_are_two_values();
    one_that_lies_apart_is_no_group();
    values_that_scatter_are_one_group();
    return test_end();
}
