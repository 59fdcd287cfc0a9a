// What a chart draws and says where numbers are missing or have no room: cells of a heat map, a line without a number,
// a rate of nothing.
// SPDX-License-Identifier: MIT
#include <math.h>

#include "page/draw.h"
#include "unit/chart_here.h"

static struct str csv, drawn;

// What is there for narrow windows and for readers' programs is the same again: it is left out.
static void without(const char *from, const char *to)
{
    for (char *p; (p = strstr(drawn.text, from));) {
        char *end = strstr(p, to);
        memmove(p, end + strlen(to), strlen(end + strlen(to)) + 1);
    }
}

static void draw(void)
{
    choose(csv.text);
    str_clear(&drawn);
    for (size_t i = 0; i < charts.count; i++) draw_chart(&view, &charts.items[i], &drawn);
    without("<svg class=\"heat narrow\"", "</svg>");
    without("<svg class=\"lines narrow\"", "</svg>");
    without("<ul class=\"legend narrow\"", "</ul>");
    without("<details class=\"data\"", "</details>");
}

static size_t count(const char *what)
{
    size_t n = 0;
    for (const char *at = drawn.text; at && (at = strstr(at, what)); at++) n++;
    return n;
}

// A column `v` over two axes of numbers, `wide` and `tall` values of each.
static void heat(int wide, int tall, double from, double to)
{
    str_clear(&csv);
    str_add(&csv, HEAD "a,b,status,v\n");
    for (int a = 0; a < wide; a++)
        for (int b = 0; b < tall; b++)
            str_addf(&csv, "x,%d,k%d,G,k,%d,%d,ok,%.6f\n", a * tall + b + 1, a * tall + b, a, b,
                from + (to - from) * (a * tall + b) / (wide * tall - 1));
    draw();
    CHECK_INT(charts.items[0].kind, CHART_HEAT);
    CHECK_INT(count("class=\"cell\""), (size_t)(wide * tall));
}

static void all_cells_have_numbers_or_none_has(void)
{
    heat(8, 9, 1, 8.1);
    CHECK_INT(count("class=\"number"), 72);
    CHECK_INT(count(">3.4<"), 1);
    CHECK_INT(count(">1.1<"), 1);
    CHECK_INT(count("number deep"), 12);
    const char *least = strstr(drawn.text, "fill-opacity=\"0.060\"");
    CHECK(least && strstr(least, ">1<") && strstr(least, ">1<") < strstr(least, "</text>"));
    done();
    heat(8, 9, 1, 1e6); // on an axis of powers all but the first eight are far up
    CHECK_INT(count("number deep"), 63);
    done();
    heat(20, 9, -0.9999, 0.9999); // three digits and a sign have no room: two
    CHECK_INT(count("class=\"number"), 180);
    CHECK_INT(count(">-0.99<") + count(">-0.99 "), 1);
    CHECK_INT(count(">-0.989<"), 0);
    done();
    heat(90, 9, 1, 8.1); // none: the ends are told
    CHECK_INT(count("class=\"number"), 0);
    CHECK_INT(count(">1 to 8.1<"), 1);
    done();
}

static void a_line_without_a_number_is_only_said(void)
{
    str_clear(&csv);
    str_add(&csv, HEAD "a,b,status,v\n");
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 3; b++)
            str_addf(&csv, b == 1 ? "x,%d,k%d,G,k,%d,%d,ok,\n" : "x,%d,k%d,G,k,%d,%d,ok,%d\n", 3 * a + b + 1, 3 * a + b,
                a, b, a + b);
    draw();
    CHECK_INT(charts.items[0].kind, CHART_LINES);
    CHECK_INT(count(">b 0<"), 1);
    CHECK_INT(count(">b 1<"), 0);
    CHECK_INT(count(">b 2<"), 1);
    CHECK_INT(count("b 1 has no number."), 1);
    done();
}

static void a_rate_of_nothing_is_no_number(void)
{
    str_clear(&csv);
    str_add(&csv, HEAD "test,status,gbps\n");
    str_add(&csv, "x,1,k1,G,k,chain,ok,0.00\nx,2,k2,G,k,copy,ok,3000\nx,3,k3,G,k,add,ok,2000\n");
    draw();
    CHECK(count(">3000<") && count(">2000<"));
    const struct chart *c = &charts.items[0];
    for (size_t i = 0; i < c->facet_count; i++)
        if (strcmp(view.columns[c->facets[i].column].name, "gbps") == 0) CHECK(isnan(c->facets[i].y[0]));
    done();
}

// That a time is not precise says nothing of a count: full marks, and no word of it.
static void a_count_is_precise_where_the_time_is_not(void)
{
    for (int timed = 0; timed < 2; timed++) {
        str_clear(&csv);
        str_addf(&csv, HEAD "n,status,%s\n", timed ? "time_us" : "ld_sectors");
        for (int i = 1; i <= 4; i++) str_addf(&csv, "x,%d,k%d,G,k,%d,imprecise,%d\n", i, i, i, 10 * i);
        draw();
        CHECK_INT(count("class=\"mark hollow\""), timed ? 4 : 0);
        CHECK_INT(count("Hollow: precision not reached (4)."), timed);
        done();
    }
}

// Intervals that are shorter than a mark is wide have no word either.
static void whiskers_are_told_of_where_they_are_seen(void)
{
    for (int wide = 0; wide < 2; wide++) {
        str_clear(&csv);
        str_add(&csv, HEAD "n,status,time_us,time_lo_us,time_hi_us\n");
        for (int i = 1; i <= 4; i++) {
            const double off = wide ? 1 : 0.01;
            str_addf(&csv, "x,%d,k%d,G,k,%d,ok,%d,%g,%g\n", i, i, i, 10 * i, 10 * i - off, 10 * i + off);
        }
        draw();
        CHECK_INT(count("Whiskers: 95 % confidence interval."), wide);
        done();
    }
}

// Caches have no part in what goes over the bus.
static void caches_are_marked_where_they_count(void)
{
    for (int bus = 0; bus < 2; bus++) {
        str_clear(&csv);
        str_add(&csv, "experiment,point,key,device,kernel,n,timed,status,gbps,memory_bytes\n");
        for (int i = 1; i <= 6; i++)
            str_addf(&csv, "x,%d,k%d,NVIDIA H200,k,%d,%s,ok,%d,%d\n", i, i, i, bus ? "upload" : "launch", 60 - i,
                (4 << 20) << i);
        asked = (struct question){.wish = {.x = "memory_bytes", .y = "gbps"}, .has_wish = true};
        draw();
        CHECK_INT(count(">L2, ") > 0, !bus);
        done();
    }
}

int main(void)
{
    all_cells_have_numbers_or_none_has();
    a_line_without_a_number_is_only_said();
    a_rate_of_nothing_is_no_number();
    str_release(&csv);
    str_release(&drawn);
    a_count_is_precise_where_the_time_is_not();
    whiskers_are_told_of_where_they_are_seen();
    caches_are_marked_where_they_count();
    return test_end();
}
