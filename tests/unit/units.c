// base/units: numbers with units, read exactly and printed for people.
// SPDX-License-Identifier: MIT
#include "base/units.h"

#include "unit/test.h"

#include <stdlib.h>

static void whole_numbers_stay_exact(void)
{
    static const struct {
        const char *text;
        long long value;
        enum unit unit;
    } good[] = {
        {"0", 0, UNIT_NONE},
        {"64Mi", 64 << 20, UNIT_NONE},
        {"256MiB", 256 << 20, UNIT_BYTES},
        {"1.5GB", 1500000000, UNIT_BYTES},
        {"2^26", 1 << 26, UNIT_NONE},
        {"4.8TB", 4800000000000, UNIT_BYTES},
        {"-3", -3, UNIT_NONE},
        {"1e6", 1000000, UNIT_NONE},
        {"64 Mi", 64 << 20, UNIT_NONE},
        {"10k", 10000, UNIT_NONE},
        {"2^10B", 1024, UNIT_BYTES},
        {"1.5Ki", 1536, UNIT_NONE},
        {"9223372036854775807", 9223372036854775807, UNIT_NONE},
        {"2^0", 1, UNIT_NONE},
        {"+7", 7, UNIT_NONE},
        {"-9223372036854775808", -9223372036854775807 - 1, UNIT_NONE},
        {"1^4000000000", 1, UNIT_NONE},
        {"2^62", 1ll << 62, UNIT_NONE},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct value v = {0};
        enum unit unit = 99;
        char why[160] = "";
        CHECK(units_parse(good[i].text, &v, &unit, why));
        CHECK(v.kind == VALUE_INT);
        CHECK_INT(v.i, good[i].value);
        CHECK_INT(unit, good[i].unit);
    }
}

static void times_and_percents_are_the_nearest_double(void)
{
    static const struct {
        const char *text;
        double value;
        enum unit unit;
    } good[] = {
        {"0.5%", 0.005, UNIT_PERCENT},
        {"0.1%", 0.001, UNIT_PERCENT},
        {"100%", 1.0, UNIT_PERCENT},
        {"50ms", 0.05, UNIT_SECONDS},
        {"2s", 2.0, UNIT_SECONDS},
        {"3 us", 3e-6, UNIT_SECONDS},
        {"2min", 120.0, UNIT_SECONDS},
        {"1.5h", 5400.0, UNIT_SECONDS},
        {"0.25", 0.25, UNIT_NONE},
        {".5", 0.5, UNIT_NONE},
        {"0.7ms", 0.0007, UNIT_SECONDS},
        {"1e30", 1e30, UNIT_NONE},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct value v = {0};
        enum unit unit = 99;
        char why[160] = "";
        CHECK(units_parse(good[i].text, &v, &unit, why));
        CHECK(v.kind == VALUE_REAL);
        CHECK(v.r == good[i].value);
        CHECK_INT(unit, good[i].unit);
    }
}

static void what_is_not_a_number_says_why(void)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "`` is not a number"},
        {"abc", "`abc` is not a number"},
        {"-", "`-` is not a number"},
        {".", "`.` is not a number"},
        {"1.2.3", "`1.2.3` is not a number"},
        {"2^", "`2^` is not a number"},
        {"nan", "`nan` is not a number"},
        {"inf", "`inf` is not a number"},
        {"9223372036854775808", "`9223372036854775808` is larger than an integer can be"},
        {"2^63", "`2^63` is larger than an integer can be"},
        {"2^99999999999999999999", "`2^99999999999999999999` is larger than an integer can be"},
        {"9000000000Gi", "`9000000000Gi` is larger than an integer can be"},
        {"1e999", "`1e999` is larger than a number can be"},
        {"1e99999999999999999999999", "`1e99999999999999999999999` is larger than a number can be"},
        {"64Mx",
            "`64Mx`: unknown unit `Mx`; known: k, M, G, T, Ki, Mi, Gi, Ti, each with or without B; ns, us, ms, s, min, "
            "h; %"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct value v = {0};
        enum unit unit;
        char why[160] = "";
        CHECK(!units_parse(bad[i].text, &v, &unit, why));
        CHECK_TEXT(why, bad[i].why);
    }
}

static void print_is(void (*print)(double, struct str *), double n, const char *want)
{
    struct str s = {0};
    print(n, &s);
    CHECK_TEXT(s.text, want);
    str_release(&s);
}

static void what_is_printed_is_for_people(void)
{
    print_is(units_print_bytes, 0, "0 B");
    print_is(units_print_bytes, 268435456, "256 MiB");
    print_is(units_print_bytes, 1.5 * 1024, "1.5 KiB");
    print_is(units_print_count, 67108864, "64 Mi");
    print_is(units_print_count, 999, "999");
    print_is(units_print_count, 1500000, "1.5 M");
    print_is(units_print_seconds, 0.0015, "1.5 ms");
    print_is(units_print_seconds, 59.4, "59.4 s");
    print_is(units_print_seconds, 11520, "3 h 12 min");
    print_is(units_print_seconds, 3599.9, "1 h 0 min");
    print_is(units_print_seconds, 90, "1 min 30 s");
    print_is(units_print_figure, 3050.8, "3051");
    print_is(units_print_figure, 67108864, "67108864");
    print_is(units_print_figure, 12.3456, "12.35");
    print_is(units_print_figure, 0.00123456, "0.001235");
    print_is(units_print_figure, 2.50001, "2.5");
    print_is(units_print_figure, 0, "0");
}

int main(void)
{
    whole_numbers_stay_exact();
    times_and_percents_are_the_nearest_double();
    what_is_not_a_number_says_why();
    what_is_printed_is_for_people();
    return test_end();
}
