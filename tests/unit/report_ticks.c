// page/ticks, page/spread and page/markup: axes, labels that do not touch, text that cannot become markup.
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "page/draw.h"
#include "page/markup.h"
#include "page/ticks.h"
#include "unit/test.h"

static void check_ticks(enum scale_kind kind, double lo, double hi, size_t most, const char *want)
{
    struct ticks t;
    struct str s = {0};
    ticks_make(&t, kind, lo, hi, most);
    for (size_t i = 0; i < t.count; i++) {
        if (i) str_add(&s, ", ");
        ticks_label(&t, i, &s);
    }
    CHECK_TEXT(s.text, want);
    CHECK(t.count <= most);
    CHECK(t.lo == t.at[0] && t.hi == t.at[t.count - 1]);
    str_release(&s);
}

static void linear_ticks_are_ones_twos_and_fives(void)
{
    check_ticks(SCALE_LINEAR, 0, 4800, 6, "0, 1000, 2000, 3000, 4000, 5000");
    check_ticks(SCALE_LINEAR, 0, 1, 6, "0, 0.2, 0.4, 0.6, 0.8, 1.0");
    check_ticks(SCALE_LINEAR, 0, 33, 8, "0, 5, 10, 15, 20, 25, 30, 35");
    check_ticks(SCALE_LINEAR, 0, 64000000, 5, "0, 20 M, 40 M, 60 M, 80 M");
    check_ticks(SCALE_LINEAR, 0, 12000, 4, "0, 5 k, 10 k, 15 k");
    check_ticks(SCALE_LINEAR, 0, 0.0025, 4, "0, 0.001, 0.002, 0.003");
    check_ticks(SCALE_LINEAR, -3, 4, 5, "-4, -2, 0, 2, 4");
    check_ticks(SCALE_LINEAR, 4, 4, 5, "0, 2, 4, 6"); // one value: the axis begins at nothing
    check_ticks(SCALE_LINEAR, 0, 0, 5, "-1.0, -0.5, 0, 0.5, 1.0");
    check_ticks(SCALE_LINEAR, 97, 103, 3, "95, 100, 105");
}

static void logarithmic_ticks_are_powers(void)
{
    check_ticks(SCALE_LOG2, 1, 32, 8, "1, 2, 4, 8, 16, 32");
    check_ticks(SCALE_LOG2, 1024, 64 << 20, 9, "1 Ki, 4 Ki, 16 Ki, 64 Ki, 256 Ki, 1 Mi, 4 Mi, 16 Mi, 64 Mi");
    check_ticks(SCALE_LOG2, 1, 33, 8, "1, 2, 4, 8, 16, 32, 64");
    check_ticks(SCALE_LOG2, 0.25, 2, 8, "0.25, 0.5, 1, 2");
    check_ticks(SCALE_LOG10, 3, 40000, 8, "1, 10, 100, 1000, 10 k, 100 k");
    check_ticks(SCALE_LOG10, 3, 40, 8, "2, 5, 10, 20, 50");
    check_ticks(SCALE_LOG10, 10, 10, 8, "10, 20");
}

static void every_range_is_covered_by_few_ticks(void)
{
    srand(7);
    for (int i = 0; i < 20000; i++) {
        struct ticks t;
        double lo = ldexp(rand() + 1.0, rand() % 60 - 60), hi = lo * ldexp(1.0 + rand() % 1000, rand() % 30);
        enum scale_kind kind = (enum scale_kind)(i % 3);
        size_t most = 3 + (size_t)rand() % 12;
        ticks_make(&t, kind, lo, hi, most);
        CHECK(t.count >= 2 && t.count <= (most < 5 || kind != SCALE_LOG10 ? most : 14));
        CHECK(t.lo <= lo * (1 + 1e-6) && t.hi >= hi * (1 - 1e-6));
        for (size_t k = 1; k < t.count; k++) CHECK(t.at[k] > t.at[k - 1]);
    }
}

static void check_number(double x, const char *want)
{
    struct str s = {0};
    ticks_number(x, &s);
    CHECK_TEXT(s.text, want);
    str_release(&s);
}

static void numbers_are_short(void)
{
    check_number(0, "0");
    check_number(4123.4, "4123");
    check_number(999.7, "999.7");
    check_number(16252928, "16.3 M");
    check_number(0.012345, "0.0123");
    check_number(-52000, "-52 k");
}

static void scales_put_numbers_where_they_belong(void)
{
    struct scale y = {SCALE_LINEAR, 0, 10, 300, 100}, x = {SCALE_LOG2, 1, 16, 0, 4},
                 nothing = {SCALE_LINEAR, 5, 5, 0, 8};
    CHECK(scale_at(&y, 0) == 300 && scale_at(&y, 10) == 100 && scale_at(&y, 2.5) == 250);
    CHECK(scale_at(&x, 1) == 0 && scale_at(&x, 4) == 2 && scale_at(&x, 16) == 4);
    CHECK(scale_at(&nothing, 5) == 4);
}

#define KIND(want, ...) \
    do { \
        const double v[] = {__VA_ARGS__}; \
        CHECK_INT(scale_for(v, sizeof v / sizeof v[0]), want); \
    } while (0)

static void factors_are_told_from_steps(void)
{
    KIND(SCALE_LOG2, 1, 2, 4, 8, 16, 32);
    KIND(SCALE_LOG2, 1, 2, 4, 8, 16, 32, 33);
    KIND(SCALE_LOG2, 64, 128, 1024, 8192, 65536, 524288);
    KIND(SCALE_LOG2, 256, 512, 1024);
    KIND(SCALE_LOG10, 1, 10, 100, 1000);
    KIND(SCALE_LINEAR, 1, 2, 3, 4, 5, 6, 7, 8);
    KIND(SCALE_LINEAR, 0, 1, 2, 4, 8);
    KIND(SCALE_LINEAR, 100, 200);
    KIND(SCALE_LINEAR, -4, 1, 1000);
}

static void labels_move_apart_and_no_further(void)
{
    double free_ones[] = {10, 50, 30}, same[] = {50, 50, 50}, low[] = {0, 1, 2}, chain[] = {10, 12, 30, 31},
           full[] = {5, 5, 5};
    spread(free_ones, 3, 10, 0, 100);
    CHECK(free_ones[0] == 10 && free_ones[1] == 50 && free_ones[2] == 30);
    spread(same, 3, 10, 0, 100);
    CHECK(same[0] == 40 && same[1] == 50 && same[2] == 60);
    spread(low, 3, 10, 0, 100);
    CHECK(low[0] == 0 && low[1] == 10 && low[2] == 20);
    spread(chain, 4, 10, 0, 100);
    CHECK(chain[0] == 5.75 && chain[1] == 15.75 && chain[2] == 25.75 && chain[3] == 35.75);
    spread(full, 3, 10, 0, 10); // no room for gaps of ten
    CHECK(full[0] == 0 && full[1] == 5 && full[2] == 10);
    spread(full, 0, 10, 0, 10);
    for (int round = 0; round < 2000; round++) {
        double at[8], want[8];
        size_t n = 1 + (size_t)rand() % 8;
        for (size_t i = 0; i < n; i++) at[i] = want[i] = rand() % 200;
        spread(at, n, 12, 0, 200);
        for (size_t i = 0; i < n; i++) {
            CHECK(at[i] >= -1e-9 && at[i] <= 200 + 1e-9);
            for (size_t j = 0; j < n; j++) {
                if (i != j) CHECK(fabs(at[i] - at[j]) >= 12 - 1e-9);
                if (want[i] < want[j]) CHECK(at[i] < at[j]);
            }
        }
    }
}

static void check_cut(const char *text, size_t most, const char *want)
{
    struct str s = {0};
    str_add(&s, "");
    markup_cut(&s, text, most);
    CHECK_TEXT(s.text, want);
    str_release(&s);
}

static void no_text_becomes_markup(void)
{
    check_cut("<b onclick='x'>&\"", 99, "&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;");
    check_cut("a\x01z\x7f", 99, "a\xEF\xBF\xBDz\xEF\xBF\xBD");
    check_cut("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 99, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    check_cut("\xC3", 99, "\xEF\xBF\xBD");                                 // torn
    check_cut("\xC0\xBC", 99, "\xEF\xBF\xBD\xEF\xBF\xBD");                 // an overlong <
    check_cut("\xED\xA0\x80", 99, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); // a surrogate
    check_cut("\xEF\xBF\xBE", 99, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); // U+FFFE
    check_cut("\xC2\x85", 99, "\xEF\xBF\xBD\xEF\xBF\xBD");                 // a C1 control
    check_cut("tab\tand\nline", 99, "tab\tand\nline");
    check_cut("abcdef", 6, "abcdef");
    check_cut("abcdef", 5, "abcd\xE2\x80\xA6");
    check_cut("\xC3\xA9\xC3\xA9\xC3\xA9", 2, "\xC3\xA9\xE2\x80\xA6");
    check_cut("", 5, "");
    CHECK_INT(markup_length("\xC3\xA9<\xC3"), 3);
}

int main(void)
{
    linear_ticks_are_ones_twos_and_fives();
    logarithmic_ticks_are_powers();
    every_range_is_covered_by_few_ticks();
    numbers_are_short();
    scales_put_numbers_where_they_belong();
    factors_are_told_from_steps();
    labels_move_apart_and_no_further();
    no_text_becomes_markup();
    return test_end();
}
