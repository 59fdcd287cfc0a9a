// cli/chart: where the marks of an axis fall, and that names cannot break the page.
// SPDX-License-Identifier: MIT
#include "cli/chart.h"
#include "unit/test.h"

static void marks_are_round_and_within(void)
{
    double t[24];
    size_t n = chart_ticks(0, 33, false, t, 24);
    CHECK_INT(n, 4);
    CHECK(t[0] == 0 && !signbit(t[0]) && t[1] == 10 && t[3] == 30);
    n = chart_ticks(0, 1, false, t, 24);
    CHECK(n >= 5 && n <= 7 && t[0] == 0 && t[n - 1] == 1);
    n = chart_ticks(-7, 7, false, t, 24);
    CHECK(n >= 3 && t[0] >= -7 && t[n - 1] <= 7);
    n = chart_ticks(5, 5, false, t, 24);
    CHECK(n >= 1 && n <= 24);
    n = chart_ticks(1, 32, true, t, 24);
    CHECK(n == 6 && t[0] == 1 && t[5] == 32);
    n = chart_ticks(1024, 1099511627776.0, true, t, 24);
    CHECK(n >= 5 && n <= 13 && t[0] >= 1024);
    CHECK_INT(chart_ticks(0, 1e9, false, t, 3), 3);
}

static void far_apart_numbers_take_a_logarithm(void)
{
    CHECK(chart_is_log(1, 32));
    CHECK(!chart_is_log(1, 8));
    CHECK(!chart_is_log(0, 1000));
    CHECK(!chart_is_log(-1, 1000));
}

static void names_are_text_and_unknown_points_are_left_out(void)
{
    const struct chart_point points[] = {{1, 2, NAN, NAN}, {2, NAN, NAN, NAN}, {3, 4, 3, 5}};
    const struct chart_series series[] = {{"<a & \"b\">", points, 3}};
    const struct chart chart = {"t</title>", "x", "y", series, 1, NULL, 0};
    struct str s = {0};
    chart_svg(&chart, &s);
    CHECK(!strstr(s.text, "<a &"));
    CHECK(strstr(s.text, "&lt;a &amp; &quot;b&quot;&gt;") != NULL);
    CHECK(strstr(s.text, "t&lt;/title&gt;") != NULL);
    CHECK(!strstr(s.text, "nan") && !strstr(s.text, "inf"));
    size_t circles = 0;
    for (const char *p = s.text; (p = strstr(p, "<circle")); p++) circles++;
    CHECK_INT(circles, 2);
    str_release(&s);
}

static void an_empty_chart_is_a_chart(void)
{
    struct str s = {0};
    chart_svg(&(const struct chart){"", "x", "y", NULL, 0, NULL, 0}, &s);
    CHECK(strstr(s.text, "</svg>") != NULL);
    CHECK(!strstr(s.text, "nan"));
    str_release(&s);
}

int main(void)
{
    marks_are_round_and_within();
    far_apart_numbers_take_a_logarithm();
    names_are_text_and_unknown_points_are_left_out();
    an_empty_chart_is_a_chart();
    return test_end();
}
