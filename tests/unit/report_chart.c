// page/chart and page/chart_axes: what of a report is drawn, along which axis, in which lines and pictures.
// SPDX-License-Identifier: MIT
#include "page/chart.h"
#include "unit/chart_here.h"

static double y_of(const struct mark *m) { return charts.items[0].facets[0].y[m->row]; }

static void the_longest_numeric_axis_is_x(void)
{
    choose(HEAD "block,n,memory,status,reason,time_us,time_lo_us,time_hi_us,gbps,peak_gbps\n"
                "e,1,1,G,k,256,1,device,ok,,10,8,12.5,100,400\ne,2,2,G,k,256,2,device,imprecise,,10,,,200,400\n"
                "e,3,3,G,k,256,4,device,ok,,10,,,300,400\ne,4,4,G,k,256,4,managed,wrong,3 of 9,,,,,400\n"
                "e,5,5,G,k,256,1,managed,ok,,10,,,90,400\ne,6,6,G,k,256,2,managed,skipped,no,,,,,\n"
                "e,7,7,G,k,256,8,device,ok,,10,,,250,400\ne,8,8,G,k,256,8,managed,ok,,10,,,91,400\n");
    const struct chart *c = &charts.items[0];
    const struct facet *f = &c->facets[0];
    CHECK_INT(charts.count, 1);
    CHECK_TEXT(x_name(), "n");
    CHECK_TEXT(y_name(0), "gbps");
    CHECK(c->kind == CHART_LINES && c->x_kind == SCALE_LOG2 && f->kind == SCALE_LINEAR);
    CHECK_TEXT(c->by, "memory");
    CHECK_INT(c->panel_count, 1);
    CHECK_INT(c->panels[0].count, 2);
    CHECK_TEXT(c->panels[0].series[0].name, "device");
    CHECK_TEXT(c->panels[0].series[1].name, "managed");
    const struct mark *m = c->panels[0].series[0].marks;
    CHECK(m[0].x == 1 && m[1].x == 2 && m[2].x == 4);
    // For a rate the ends of the interval change places.
    CHECK(y_of(&m[0]) == 100 && f->y_lo[m[0].row] == 80 && f->y_hi[m[0].row] == 125);
    CHECK(isnan(f->y_lo[m[1].row]));
    m = c->panels[0].series[1].marks;
    CHECK(y_of(&m[0]) == 90 && isnan(y_of(&m[1])) && isnan(y_of(&m[2])));
    CHECK(c->imprecise == 1 && c->bad == 1 && c->skipped == 1 && f->whiskers);
    CHECK(f->peak == 400 && f->lo == 80 && f->hi == 300);
    done();
}

// What is drawn does not follow from where a column stands, unless nothing else tells.
static void counts_are_chosen_by_what_they_are(void)
{
    choose(HEAD "n,status,lanes_per_access,shared_requests,st_sectors,ld_requests,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,4,sim\ne,2,2,G,k,2,ok,2,3,4,5,sim\n");
    CHECK_TEXT(y_name(0), "ld_requests");
    done();
    choose(HEAD "n,status,lanes_per_access,shared_requests,st_sectors,ld_requests,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,4,sim\ne,2,2,G,k,2,ok,2,3,4,4,sim\n");
    CHECK_TEXT(y_name(0), "st_sectors");
    done();
    choose(HEAD "n,status,mine,regs,lanes_per_access,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,sim\ne,2,2,G,k,2,ok,2,3,4,sim\n");
    CHECK_TEXT(y_name(0), "mine"); // what the experiment added is what it is about
    CHECK_INT(y_count(), 1);
    done();
    choose(HEAD "n,status,regs,counts,mine\ne,1,1,G,k,1,ok,2,sim,7\ne,2,2,G,k,2,ok,3,sim,5\n");
    CHECK_TEXT(y_name(0), "mine");
    done();
}

// What has a number of its own kind in each row is drawn by all of these kinds; two columns that share no number are no
// two scales of one picture.
static void every_row_has_a_number(void)
{
    choose(HEAD "test,status,time_us,gbps,gflops,latency_ns\ne,1,1,G,k,far,ok,9,0.00,0.00,335\n"
                "e,2,2,G,k,near,ok,9,0.00,0.00,146\ne,3,3,G,k,memory,ok,9,4000.00,0.00,\n"
                "e,4,4,G,k,upload,ok,9,50.00,0.00,\ne,5,5,G,k,arithmetic,ok,9,0.00,60000.00,\n");
    CHECK_TEXT(y_name(0), "gflops");
    CHECK_TEXT(y_name(1), "latency_ns");
    CHECK_TEXT(y_name(2), "gbps");
    CHECK_INT(y_count(), 3);
    done();
}

static void axes_in_step_make_one_line(void)
{
    choose(HEAD "width,height,prefetch,status,time_us\ne,1,1,G,k,62,76,true,ok,1\ne,2,2,G,k,200,150,true,ok,2\n"
                "e,3,3,G,k,300,222,true,ok,3\ne,4,4,G,k,62,76,false,ok,1\ne,5,5,G,k,200,150,false,ok,2\n"
                "e,6,6,G,k,400,333,true,ok,4\ne,7,7,G,k,300,222,false,ok,2\ne,8,8,G,k,400,333,false,ok,5\n");
    CHECK_TEXT(x_name(), "width");
    CHECK_TEXT(y_name(0), "time_us");
    CHECK_TEXT(charts.items[0].by, "prefetch");
    CHECK_TEXT(charts.items[0].panels[0].series[0].name, "prefetch false");
    done();
}

static void words_make_bars(void)
{
    choose(HEAD "variant,block,rows,status,sectors_per_request,ld_requests,st_sectors,bank_conflicts\n"
                "e,1,1,sim,k,naive,32x8,8,ok,4,9,3,0\ne,2,2,sim,k,naive,32x32,32,ok,4,9,3,0\n"
                "e,3,3,sim,k,shared,32x8,8,ok,4,9,1,7\ne,4,4,sim,k,shared,32x32,32,ok,4,9,1,7\n"
                "e,5,5,sim,k,padded,32x8,8,ok,4,9,2,0\ne,6,6,sim,k,padded,32x32,32,ok,4,9,2,0\n");
    const struct chart *c = &charts.items[0];
    CHECK(c->kind == CHART_BARS && c->ranked && c->category_count == 3);
    CHECK_TEXT(c->x_name, "variant");
    CHECK_TEXT(y_name(0), "st_sectors"); // the first count that varies
    CHECK_TEXT(y_name(1), "bank_conflicts");
    CHECK_INT(y_count(), 2);
    CHECK_TEXT(c->categories[0], "shared"); // fewest first
    CHECK_TEXT(c->categories[1], "padded");
    CHECK_TEXT(c->categories[2], "naive");
    CHECK_TEXT(c->by, "block"); // rows changes with it
    done();
}

static void numbers_of_three_steps_keep_their_order(void)
{
    choose(HEAD "n,status,gbps\ne,1,1,G,k,8,ok,5\ne,2,2,G,k,1,ok,4\ne,3,3,G,k,4,ok,9\n");
    CHECK(charts.items[0].kind == CHART_BARS && !charts.items[0].ranked);
    CHECK_TEXT(charts.items[0].categories[0], "n 1");
    CHECK_TEXT(charts.items[0].categories[2], "n 8");
    done();
}

static void one_thing_varied_at_a_time_makes_bars_by_name(void)
{
    choose(HEAD
        "memory,touch,prefetch,advise,status,reason,gbps\ne,1,1,G,k,managed,host,false,none,ok,,5\n"
        "e,2,2,G,k,managed,device,false,none,ok,,9\ne,3,3,G,k,managed,host,true,none,wrong,no,\n"
        "e,4,4,G,k,managed,host,false,read_mostly,imprecise,,4\ne,5,5,G,k,managed,host,false,accessed_by,ok,,3\n"
        "e,6,6,G,k,device,host,false,none,ok,,8\n"
        "e,7,7,G,k,managed,device,false,preferred_location_of_host,ok,,7\n");
    const struct chart *c = &charts.items[0];
    CHECK(c->kind == CHART_BARS && c->panel_count == 1 && c->panels[0].count == 1);
    CHECK_INT(c->category_count, 7);
    CHECK_TEXT(c->categories[0], "touch device");
    CHECK_TEXT(c->categories[1], "memory device");
    CHECK_TEXT(c->categories[2], "touch device, advise preferred_location_of_host");
    CHECK_TEXT(c->categories[3], "baseline");
    CHECK_TEXT(c->categories[6], "prefetch true"); // has no number
    CHECK_TEXT(c->usual, "memory managed, touch host, prefetch false, advise none");
    CHECK(c->bad == 1 && c->imprecise == 1);
    done();
}

static void what_says_the_same_is_drawn_once(void)
{
    choose(HEAD
        "n,status,time_us,gbps,counts,efficiency,cycles\ne,1,1,G,k,1,ok,9,100,,0.25,7\ne,2,2,G,k,2,ok,9,200,,0.5,6\n"
        "e,3,3,G,k,3,ok,9,300,,0.75,5\ne,4,4,G,k,4,ok,9,400,,1,5\n");
    CHECK_INT(y_count(), 2);
    CHECK_TEXT(y_name(0), "gbps");
    CHECK_TEXT(y_name(1), "cycles");
    CHECK_INT(charts.items[0].x_kind, SCALE_LINEAR);
    done();
    choose(HEAD "n,status,gbps,gflops\ne,1,1,G,k,1,ok,1.23,0.10\ne,2,2,G,k,2,ok,2.30,0.19\n"); // but for rounding
    CHECK_INT(y_count(), 1);
    done();
    choose(HEAD "n,status,gbps,d,c\ne,1,1,G,k,1,ok,1.23,0.10,1\ne,2,2,G,k,2,ok,2.30,0.15,2\n");
    CHECK_INT(y_count(), 3);
    done();
    choose(HEAD "n,status,gbps,counts,d\ne,1,1,G,k,1,ok,3,,0\ne,2,2,G,k,2,ok,2,,5\n");
    CHECK_INT(y_count(), 2);
    done();
    choose(HEAD "n,status,rate,pace\ne,1,1,G,k,1,ok,3,8\ne,2,2,G,k,2,ok,2,12\n"); // a time and the rate of equal work
    CHECK_INT(y_count(), 1);
    done();
}

static char *many(int as, int bs, int xs)
{
    struct str s = {0};
    int point = 0;
    str_add(&s, HEAD "a,b,x,status,gbps\n");
    for (int a = 0; a < as; a++)
        for (int b = 0; b < bs; b++)
            for (int x = 0; x < xs; x++, point++)
                str_addf(&s, "e,%d,k%d,G,k,a%d,%d,%d,ok,%d\n", point + 1, point, a, b, x, point);
    return str_take(&s);
}

static void colours_dashes_panels_and_mountains(void)
{
    char *csv = many(3, 5, 6); // five lines are colours, and three words panels
    choose(csv);
    const struct chart *c = &charts.items[0];
    CHECK(c->kind == CHART_LINES && c->panel_count == 3 && c->series_left_out == 0);
    CHECK_TEXT(c->panels_by, "a");
    CHECK_TEXT(c->panels[1].name, "a1");
    CHECK_TEXT(c->panels[1].series[4].name, "b 4");
    CHECK_INT(c->panels[1].series[4].count, 6);
    free(csv);
    done();
    csv = many(2, 4, 6);
    choose(csv);
    c = &charts.items[0];
    CHECK(c->panel_count == 1 && c->panels[0].count == 8 && c->name_count == 4 && c->dash_count == 2);
    CHECK_TEXT(c->dash_names[1], "a1");
    CHECK(c->panels[0].series[0].colour == c->panels[0].series[1].colour && c->panels[0].series[1].dash == 1);
    free(csv);
    done();
    csv = many(2, 7, 9); // two axes of numbers, more lines than can be followed
    choose(csv);
    c = &charts.items[0];
    CHECK(c->kind == CHART_HEAT && c->panel_count == 2 && c->category_count == 9 && c->name_count == 7);
    CHECK_TEXT(c->names[6], "b 6");
    CHECK_TEXT(c->categories[8], "8");
    free(csv);
    done();
    csv = many(20, 20, 21); // no column leaves few enough
    choose(csv);
    CHECK_INT(charts.items[0].panels[0].count, 8);
    CHECK_INT(charts.items[0].series_left_out, 392);
    free(csv);
    done();
}

static void rows_off_the_lines_are_marks_or_a_chart(void)
{
    choose(HEAD "block,shared,status,gbps\ne,1,1,G,k,32,0,ok,1\ne,2,2,G,k,64,0,ok,2\ne,3,3,G,k,128,0,ok,3\n"
                "e,4,4,G,k,256,0,ok,4\ne,5,5,G,k,512,0,ok,5\ne,6,6,G,k,128,1000,ok,2\n");
    const struct panel *p = &charts.items[0].panels[0];
    CHECK(charts.count == 1 && p->count == 2 && !p->series[0].lone && p->series[1].lone);
    CHECK_TEXT(p->series[1].name, "shared 1000");
    CHECK_TEXT(p->series[0].name, "shared 0");
    done();
    choose(HEAD "block,shared,status,gbps\ne,1,1,G,k,32,0,ok,1\ne,2,2,G,k,64,0,ok,2\ne,3,3,G,k,128,0,ok,3\n"
                "e,4,4,G,k,256,0,ok,4\ne,5,5,G,k,512,0,ok,5\ne,6,6,G,k,128,1000,ok,2\ne,7,7,G,k,128,2000,ok,2\n"
                "e,8,8,G,k,128,3000,ok,2\ne,9,9,G,k,128,4000,ok,1\n");
    CHECK_INT(charts.count, 2);
    CHECK_INT(charts.items[0].panels[0].count, 1);
    CHECK_TEXT(view.columns[charts.items[1].x].name, "shared");
    CHECK_INT(charts.items[1].panels[0].series[0].count, 5); // with the point that both sweeps share
    done();
}

static void lines_that_lie_on_each_other_are_said(void)
{
    choose(HEAD "n,a,status,gbps\ne,1,1,G,k,1,x,ok,100\ne,2,2,G,k,2,x,ok,200\ne,3,3,G,k,3,x,ok,300\n"
                "e,4,4,G,k,4,x,ok,400\ne,5,5,G,k,1,y,ok,100.1\ne,6,6,G,k,2,y,ok,200\ne,7,7,G,k,3,y,ok,300\n"
                "e,8,8,G,k,4,y,ok,401\ne,9,9,G,k,1,z,ok,150\ne,10,a,G,k,2,z,ok,200\ne,11,b,G,k,3,z,ok,300\n"
                "e,12,c,G,k,4,z,ok,400\n");
    const struct series *s = charts.items[0].panels[0].series;
    CHECK(!s[0].same && s[1].same && !s[2].same);
    CHECK_TEXT(s[1].same, "x");
    done();
}

static void without_a_number_it_says_why(void)
{
    choose(HEAD "n,status,gbps\n");
    CHECK_TEXT(charts.why_none, "The report has no rows yet.");
    done();
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,9\n");
    CHECK(charts.count == 1 && charts.items[0].kind == CHART_BARS && charts.items[0].category_count == 1);
    done();
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,failed,\ne,2,2,,k,2,failed,\n");
    CHECK_TEXT(charts.why_none, "No row has a number to draw.");
    done();
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,9\ne,2,2,,k,1,failed,\n"); // an unknown device is not another one
    CHECK_INT(charts.items[0].category_count, 1);
    done();
}

static void only_rows_that_count_are_shown(void)
{
    choose(HEAD
        "n,status,gbps\ne,1,a,G,k,1,failed,\ne,2,b,G,k,2,ok,7\ne,1,a,G,k,1,ok,5\ne,,c,G,k,9,ok,5\ne,3,d,G,k,3,odd,\n");
    CHECK_INT(view.row_count, 3);
    CHECK_INT(view.left_out, 2);
    CHECK_INT(view.statuses[STATUS_OK], 2);
    CHECK_INT(view.odd, 1);
    CHECK(view_good(&view, 0) && !view_good(&view, 2));
    done();
}

static void several_devices_are_several_lines(void)
{
    choose(HEAD
        "n,status,gbps\ne,1,1,G,k,1,ok,9\ne,2,2,H,k,1,ok,8\ne,3,3,G,k,2,ok,9\ne,4,4,H,k,2,ok,8\ne,5,5,H,k,3,ok,8\n"
        "e,6,6,G,k,3,ok,9\ne,7,7,G,k,4,ok,9\ne,8,8,H,k,4,ok,8\n");
    CHECK_TEXT(charts.items[0].by, "device");
    CHECK_TEXT(charts.items[0].panels[0].series[1].name, "H");
    done();
}

static void numbers_are_shown_in_groups_of_three(void)
{
    struct str s = {0};
    choose(HEAD "n,status,ld_sectors\ne,1,1,G,k,1,ok,1234567\ne,2,2,G,k,2,ok,123456\ne,3,3,G,k,3,ok,-12345.5\n"
                "e,4,4,G,k,4,ok,1234\n");
    html_table(&(struct sheet){.view = view, .number = 1}, &s);
    CHECK(strstr(s.text, ">1<i>234</i><i>567</i><") && strstr(s.text, ">123<i>456</i><"));
    CHECK(strstr(s.text, ">-12<i>345</i>.5<") && strstr(s.text, ">1234<"));
    str_release(&s);
    done();
}

// Its square is infinite: such a number would spoil the axis of all others.
static void a_number_without_measure_is_not_drawn(void)
{
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,1e200\ne,2,2,G,k,2,ok,10\ne,3,3,G,k,3,ok,20\n");
    CHECK(isnan(view_number(&view, 0, view_column(&view, "gbps"))));
    CHECK(charts.count == 1 && charts.items[0].facets[0].hi == 20);
    done();
}

// A page of many rows shows some, at equal distances, and those that are not well.
static void of_many_rows_the_bad_ones_are_shown(void)
{
    enum { ROWS = 2 * VIEW_ROWS + 2 }; // every third
    struct str s = {0};
    str_add(&s, HEAD "n,status,gbps\n");
    for (int i = 0; i < ROWS; i++) str_addf(&s, "e,%d,%d,G,k,%d,%s\n", i + 1, i, i, i == 7 ? "failed," : "ok,9");
    choose(s.text);
    CHECK_INT(view.total, ROWS);
    CHECK_INT(view.row_count, ROWS / 3 + 2); // the one that failed, and the last
    CHECK_TEXT(view.rows[view.row_count - 1][view_column(&view, "n")], "4001");
    CHECK_TEXT(view.rows[3][view_column(&view, "n")], "7");
    CHECK_INT(view.status[3], STATUS_FAILED);
    CHECK_INT(view.statuses[STATUS_FAILED], 1);
    str_release(&s);
    done();
}

static const char *why;
static double rank_of(struct chart_traits t) { return chart_rank(&t, &why); }

static void charts_are_ranked_by_what_they_show(void)
{
    const struct chart_traits lines = {CHART_LINES, .rows = 20, .drawn = 20, .lines = 2, .filled = 1, .even = true};
    struct chart_traits bars = {CHART_BARS, .rows = 20, .drawn = 20, .lines = 20, .filled = 1}, other = lines;
    CHECK(rank_of(bars) < rank_of(lines));
    CHECK_TEXT(why, "an axis of numbers shows where a curve bends");
    // Strides of no even steps, that go up and down: no curve; both are asked for that.
    other.even = false;
    CHECK(rank_of(other) > rank_of(bars));
    other.turns = true;
    CHECK(rank_of(other) < rank_of(bars));
    CHECK(rank_of(bars) > 0);
    CHECK_TEXT(why, "points that differ in words are bars");
    // A picture that leaves a tenth of the rows out is worse than bars of all.
    other = lines;
    other.drawn = 18;
    CHECK(rank_of(other) < rank_of(bars));
    // Many lines are a map, few are not; nor is one of few cells, of long rows, or of what several columns tell apart.
    struct chart_traits heat = lines;
    heat.kind = CHART_HEAT;
    CHECK(rank_of(heat) < rank_of(lines));
    other = lines;
    heat.lines = other.lines = 10;
    CHECK(rank_of(heat) > rank_of(other));
    CHECK_TEXT((rank_of(heat), why), "two axes of many numbers each are a map");
    const double full = rank_of(heat);
    heat.by = 2;
    CHECK(rank_of(heat) == full - 3);
    heat.by = 1, heat.filled = 0.3;
    CHECK(rank_of(heat) < full - 2);
    heat.filled = 1, heat.lines = 60;
    CHECK(rank_of(heat) < full - 5);
    // More bars than can be read count less, and a roofline more than plain lines.
    bars.lines = 64;
    CHECK(rank_of(bars) < 0);
    other = lines;
    other.roofline = true;
    CHECK(rank_of(other) > rank_of(lines));
    CHECK_TEXT((rank_of(other), why), "arithmetic over bytes stands below two roofs");
}

// Rows of n by some columns, in so many lines: "x" first, then "y".
static void draw(const char *columns, const char *const *cells, size_t count)
{
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, HEAD "n,a,status,%s\n", columns);
    for (size_t i = 0; i < count; i++)
        str_addf(&s, "e,%zu,%zx,G,k,%d,%s,ok,%s\n", i + 1, i + 1, 1 << i % 4, i < 4 ? "x" : "y", cells[i]);
    choose(s.text);
}
#define DRAW(columns, ...) \
    draw(columns, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// Each limit of what is chosen, from both sides.
static void what_is_chosen_turns_at_its_limits(void)
{
    DRAW("gbps", "100", "300", "900", "3000");
    CHECK_INT(charts.items[0].facets[0].kind, SCALE_LINEAR); // less than 1.5 decades
    done();
    DRAW("gbps", "100", "300", "900", "3300");
    CHECK_INT(charts.items[0].facets[0].kind, SCALE_LOG10);
    // Lines are one where they are nearer than 0.012 of the axis, here of its logarithm.
    done();
    DRAW("gbps", "1", "10", "100", "1000", "1.05", "10.5", "105", "1000");
    CHECK(charts.items[0].panels[0].series[1].same);
    done();
    DRAW("gbps", "1", "10", "100", "1000", "1.2", "10.5", "105", "1000");
    CHECK(!charts.items[0].panels[0].series[1].same);
    done();
    // What varies by a twentieth and less gives way to what varies more.
    DRAW("gbps,sectors_per_request,counts", "100,1,s", "102,2,s", "101,4,s", "107,8,s");
    CHECK_TEXT(y_name(0), "gbps");
    done();
    DRAW("gbps,sectors_per_request,counts", "100,1,s", "102,2,s", "101,4,s", "104,8,s");
    CHECK_TEXT(y_name(0), "sectors_per_request");
    done();
    // A rate below a five hundredth of the peak is none that matters.
    DRAW("time_us,gbps,peak_gbps", "10,5,4000", "11,6,4000", "10,7,4000", "12,9,4000");
    CHECK_TEXT(y_name(0), "gbps");
    done();
    DRAW("time_us,gbps,peak_gbps", "10,5,4000", "11,6,4000", "10,7,4000", "12,7.9,4000");
    CHECK_TEXT(y_name(0), "time_us");
    done();
    // Where places have no even steps, and half of the lines go up and down, they are bars.
    for (int third = 0; third < 2; third++) {
        static const int at[] = {1, 2, 7, 11, 30, 31};
        static const int way[3][6] = {{10, 30, 10, 30, 10, 30}, {10, 20, 30, 40, 50, 60}, {40, 50, 60, 70, 80, 90}};
        LOCAL(str_release) struct str text = {0};
        str_add(&text, HEAD "n,a,status,gbps\n");
        for (int k = 0; k < 6 * (2 + third); k++)
            str_addf(&text, "e,%d,%d,G,k,%d,%c,ok,%d\n", k + 1, k, at[k % 6], 'x' + k / 6, way[k / 6][k % 6]);
        choose(text.text);
        CHECK_INT(charts.items[0].kind, third ? CHART_LINES : CHART_BARS);
        done();
    }
    // Two places are no line.
    choose(HEAD "n,a,status,gbps\ne,1,1,G,k,1,x,ok,10\ne,2,2,G,k,2,x,ok,20\ne,3,3,G,k,4,y,ok,30\n"
                "e,4,4,G,k,8,y,ok,40\ne,5,5,G,k,16,z,ok,50\ne,6,6,G,k,32,z,ok,60\n");
    CHECK_INT(charts.items[0].kind, CHART_BARS);
    done();
}

int main(void)
{
    charts_are_ranked_by_what_they_show();
    of_many_rows_the_bad_ones_are_shown();
    numbers_are_shown_in_groups_of_three();
    a_number_without_measure_is_not_drawn();
    the_longest_numeric_axis_is_x();
    counts_are_chosen_by_what_they_are();
    every_row_has_a_number();
    axes_in_step_make_one_line();
    words_make_bars();
    numbers_of_three_steps_keep_their_order();
    one_thing_varied_at_a_time_makes_bars_by_name();
    rows_off_the_lines_are_marks_or_a_chart();
    lines_that_lie_on_each_other_are_said();
    what_is_chosen_turns_at_its_limits();
    what_says_the_same_is_drawn_once();
    colours_dashes_panels_and_mountains();
    without_a_number_it_says_why();
    only_rows_that_count_are_shown();
    several_devices_are_several_lines();
    return test_end();
}
