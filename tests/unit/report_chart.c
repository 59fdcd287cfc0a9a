// page/chart and page/chart_axes: what of a report is drawn, along which axis, in which lines and pictures.
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <unistd.h>

#include "measure/result.h"
#include "page/chart_axes.h"
#include "page/chart.h"
#include "page/html.h"
#include "unit/test.h"

#define HEAD "experiment,point,key,device,kernel,"

static struct view view;
static struct charts charts;

static void choose(const char *csv)
{
    char path[] = "/tmp/gpuexp-chart-XXXXXX";
    struct diags d = {0};
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, csv, strlen(csv)) == (ssize_t)strlen(csv));
    close(fd);
    CHECK(view_read(&view, path, &d));
    unlink(path);
    diags_print(&d, stdout);
    diags_clear(&d);
    CHECK(charts_choose(&view, NULL, NULL, &charts, &d));
}

static const char *x_name(void) { return charts.count ? view.columns[charts.items[0].x].name : "(none)"; }
static const char *y_name(size_t i) { return i < charts.count ? view.columns[charts.items[i].y].name : "(none)"; }

static void the_longest_numeric_axis_is_x(void)
{
    choose(HEAD "block,n,memory,status,reason,time_us,time_lo_us,time_hi_us,gbps,peak_gbps\n"
                "e,1,1,G,k,256,1,device,ok,,10,8,12.5,100,400\ne,2,2,G,k,256,2,device,imprecise,,10,,,200,400\n"
                "e,3,3,G,k,256,4,device,ok,,10,,,300,400\ne,4,4,G,k,256,4,managed,wrong,3 of 9,,,,,400\n"
                "e,5,5,G,k,256,1,managed,ok,,10,,,90,400\ne,6,6,G,k,256,2,managed,skipped,no,,,,,\n");
    const struct chart *c = &charts.items[0];
    CHECK_INT(charts.count, 1);
    CHECK_TEXT(x_name(), "n");
    CHECK_TEXT(y_name(0), "gbps");
    CHECK(!c->bars && c->x_kind == SCALE_LOG2 && c->y_kind == SCALE_LINEAR);
    CHECK_TEXT(c->by, "memory");
    CHECK_INT(c->panel_count, 1);
    CHECK_INT(c->panels[0].count, 2);
    CHECK_TEXT(c->panels[0].series[0].name, "device");
    CHECK_TEXT(c->panels[0].series[1].name, "managed");
    const struct mark *m = c->panels[0].series[0].marks;
    CHECK(m[0].x == 1 && m[1].x == 2 && m[2].x == 4);
    CHECK(m[0].y == 100 && m[0].lo == 80 && m[0].hi == 125); // for a rate the ends of the interval change places
    CHECK(isnan(m[1].lo));
    m = c->panels[0].series[1].marks;
    CHECK(m[0].y == 90 && isnan(m[1].y) && isnan(m[2].y));
    CHECK(c->imprecise == 1 && c->bad == 1 && c->skipped == 1 && c->whiskers);
    CHECK(c->peak == 400 && c->y_lo == 80 && c->y_hi == 300);
    view_release(&view);
}

// What is drawn does not follow from where a column stands, unless nothing else tells.
static void counts_are_chosen_by_what_they_are(void)
{
    choose(HEAD "n,status,lanes_per_access,shared_requests,st_sectors,ld_requests,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,4,sim\ne,2,2,G,k,2,ok,2,3,4,5,sim\n");
    CHECK_TEXT(y_name(0), "ld_requests");
    view_release(&view);
    choose(HEAD "n,status,lanes_per_access,shared_requests,st_sectors,ld_requests,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,4,sim\ne,2,2,G,k,2,ok,2,3,4,4,sim\n");
    CHECK_TEXT(y_name(0), "st_sectors");
    view_release(&view);
    choose(HEAD "n,status,mine,regs,lanes_per_access,counts\n"
                "e,1,1,G,k,1,ok,1,2,3,sim\ne,2,2,G,k,2,ok,2,3,4,sim\n");
    CHECK_TEXT(y_name(0), "lanes_per_access");
    CHECK_TEXT(y_name(1), "mine"); // what the experiment added is drawn beside it
    view_release(&view);
    choose(HEAD "n,status,regs,counts,mine\ne,1,1,G,k,1,ok,2,sim,7\ne,2,2,G,k,2,ok,3,sim,5\n");
    CHECK_TEXT(y_name(0), "mine");
    view_release(&view);
}

static void axes_in_step_make_one_line(void)
{
    choose(HEAD "width,height,prefetch,status,time_us\ne,1,1,G,k,62,76,true,ok,1\ne,2,2,G,k,200,150,true,ok,2\n"
                "e,3,3,G,k,300,222,true,ok,3\ne,4,4,G,k,62,76,false,ok,1\ne,5,5,G,k,200,150,false,ok,2\n");
    CHECK_TEXT(x_name(), "width");
    CHECK_TEXT(y_name(0), "time_us");
    CHECK_TEXT(charts.items[0].by, "prefetch");
    CHECK_TEXT(charts.items[0].panels[0].series[0].name, "prefetch false");
    view_release(&view);
}

static void words_make_bars(void)
{
    choose(HEAD "variant,block,rows,status,sectors_per_request,ld_requests,st_sectors,bank_conflicts\n"
                "e,1,1,sim,k,naive,32x8,8,ok,4,9,1,0\ne,2,2,sim,k,naive,32x32,32,ok,4,9,1,0\n"
                "e,3,3,sim,k,shared,32x8,8,ok,4,9,2,7\ne,4,4,sim,k,shared,32x32,32,ok,4,9,2,7\n"
                "e,5,5,sim,k,padded,32x8,8,ok,4,9,2,0\ne,6,6,sim,k,padded,32x32,32,ok,4,9,2,0\n");
    CHECK_TEXT(x_name(), "variant");
    CHECK(charts.items[0].bars);
    CHECK_TEXT(charts.items[0].categories.texts[1], "shared"); // as they first appear
    CHECK_TEXT(y_name(0), "st_sectors");                       // the first count that varies
    CHECK_TEXT(y_name(1), "bank_conflicts");
    CHECK_INT(charts.count, 2);
    CHECK_TEXT(charts.items[0].by, "block"); // rows changes with it
    view_release(&view);
}

static void one_thing_varied_at_a_time_makes_a_list(void)
{
    choose(HEAD
        "memory,touch,prefetch,advise,status,reason,gbps\ne,1,1,G,k,managed,host,false,none,ok,,5\n"
        "e,2,2,G,k,managed,device,false,none,ok,,9\ne,3,3,G,k,managed,host,true,none,wrong,no,\n"
        "e,4,4,G,k,managed,host,false,read_mostly,imprecise,,4\ne,5,5,G,k,managed,host,false,accessed_by,ok,,3\n"
        "e,6,6,G,k,device,host,false,none,ok,,8\ne,7,7,G,k,managed,device,false,preferred,ok,,8\n");
    const struct chart *c = &charts.items[0];
    CHECK(c->list && c->bars && c->panel_count == 1 && c->panels[0].count == 1);
    CHECK_INT(c->panels[0].series[0].count, 7);
    CHECK_TEXT(c->labels[0], "baseline");
    CHECK_TEXT(c->labels[2], "prefetch true");
    CHECK_TEXT(c->labels[6], "advise preferred, touch device");
    CHECK_TEXT(c->common, "advise none, memory managed, touch host, prefetch false");
    CHECK(c->bad == 1 && c->imprecise == 1 && isnan(c->panels[0].series[0].marks[2].y) &&
        c->panels[0].series[0].marks[6].y == 8);
    view_release(&view);
}

static void what_says_the_same_is_drawn_once(void)
{
    choose(HEAD
        "n,status,time_us,gbps,counts,efficiency,cycles\ne,1,1,G,k,1,ok,9,100,,0.25,7\ne,2,2,G,k,2,ok,9,200,,0.5,6\n"
        "e,3,3,G,k,3,ok,9,300,,0.75,5\n");
    CHECK_INT(charts.count, 2);
    CHECK_TEXT(y_name(0), "gbps");
    CHECK_TEXT(y_name(1), "cycles");
    CHECK_INT(charts.items[0].x_kind, SCALE_LINEAR);
    view_release(&view);
    choose(HEAD "n,status,gbps,gflops\ne,1,1,G,k,1,ok,1.23,0.10\ne,2,2,G,k,2,ok,2.30,0.19\n"); // but for rounding
    CHECK_INT(charts.count, 1);
    view_release(&view);
    choose(HEAD "n,status,gbps,gflops\ne,1,1,G,k,1,ok,1.23,0.10\ne,2,2,G,k,2,ok,2.30,0.15\n");
    CHECK_INT(charts.count, 2);
    view_release(&view);
    choose(HEAD "n,status,gbps,counts,d\ne,1,1,G,k,1,ok,3,,0\ne,2,2,G,k,2,ok,2,,5\n");
    CHECK_INT(charts.count, 2);
    view_release(&view);
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

static void too_many_lines_make_panels(void)
{
    char *csv = many(3, 5, 6);
    choose(csv);
    CHECK_INT(charts.items[0].panel_count, 3);
    CHECK_TEXT(charts.items[0].panels_by, "a");
    CHECK_TEXT(charts.items[0].panels[1].name, "a1");
    CHECK_TEXT(charts.items[0].panels[1].series[4].name, "b 4");
    CHECK_INT(charts.items[0].panels[1].series[4].count, 6);
    CHECK_INT(charts.items[0].series_left_out, 0);
    free(csv);
    view_release(&view);
    csv = many(20, 20, 21); // no column leaves few enough
    choose(csv);
    CHECK_INT(charts.items[0].panel_count, 1);
    CHECK_INT(charts.items[0].panels[0].count, 8);
    CHECK_INT(charts.items[0].series_left_out, 392);
    free(csv);
    view_release(&view);
}

static void without_an_axis_it_says_why(void)
{
    choose(HEAD "n,status,gbps\n");
    CHECK_TEXT(charts.why_none, "The report has no rows yet.");
    view_release(&view);
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,9\n");
    CHECK_TEXT(charts.why_none, "One point makes no line.");
    view_release(&view);
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,failed,\ne,2,2,,k,2,failed,\n");
    CHECK_TEXT(charts.why_none, "No row has a number to draw.");
    view_release(&view);
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,9\ne,2,2,,k,1,failed,\n"); // an unknown device is not another one
    CHECK_TEXT(charts.why_none, "No value varies in a way that makes an axis.");
    view_release(&view);
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
    view_release(&view);
}

static void several_devices_are_several_lines(void)
{
    choose(HEAD
        "n,status,gbps\ne,1,1,G,k,1,ok,9\ne,2,2,H,k,1,ok,8\ne,3,3,G,k,2,ok,9\ne,4,4,H,k,2,ok,8\ne,5,5,H,k,3,ok,8\n");
    CHECK_TEXT(charts.items[0].by, "device");
    CHECK_TEXT(charts.items[0].panels[0].series[1].name, "H");
    view_release(&view);
}

static void columns_can_be_asked_for(void)
{
    const char *x = NULL;
    struct diags d = {0};
    choose(HEAD "block,memory,status,gbps,occupancy_pct,regs\ne,1,1,G,k,64,a,ok,1,50,9\ne,2,2,G,k,128,a,ok,2,50,9\n"
                "e,3,3,G,k,256,a,ok,3,100,9\ne,4,4,G,k,64,b,ok,4,50,9\ne,5,5,G,k,128,b,ok,5,50,9\ne,6,6,G,k,256,b,ok,6,"
                "100,9\n");
    CHECK(charts_choose(&view, x = "memory", "regs", &charts, &d));
    CHECK_TEXT(x_name(), x);
    CHECK_TEXT(y_name(0), "regs");
    CHECK(charts.count == 1 && charts.items[0].bars);
    CHECK_TEXT(charts.items[0].by, "block");
    CHECK(charts_choose(&view, x = "occupancy_pct", NULL, &charts, &d)); // measured: block's changes are what it shows
    CHECK_TEXT(x_name(), x);
    CHECK_TEXT(charts.items[0].by, "memory");
    CHECK_INT(charts.items[0].panels[0].series[1].count, 3);
    CHECK(charts_choose(&view, NULL, "memory", &charts, &d));
    CHECK_TEXT(charts.why_none, "No row has a number to draw.");
    CHECK_INT(d.count, 0);
    CHECK(!charts_choose(&view, "blok", "nothing", &charts, &d));
    CHECK_INT(d.count, 2);
    CHECK_TEXT(d.items[0].hint, "did you mean `block`?");
    diags_clear(&d);
    view_release(&view);
}

static void numbers_are_shown_in_groups_of_three(void)
{
    struct str s = {0};
    choose(HEAD "n,status,ld_sectors\ne,1,1,G,k,1,ok,1234567\ne,2,2,G,k,2,ok,123456\ne,3,3,G,k,3,ok,-12345.5\n"
                "e,4,4,G,k,4,ok,1234\n");
    html_table(&view, &s);
    CHECK(strstr(s.text, ">1<i>234</i><i>567</i><") && strstr(s.text, ">123<i>456</i><"));
    CHECK(strstr(s.text, ">-12<i>345</i>.5<") && strstr(s.text, ">1234<"));
    str_release(&s);
    view_release(&view);
}

// Its square is infinite: such a number would spoil the axis of all others.
static void a_number_without_measure_is_not_drawn(void)
{
    choose(HEAD "n,status,gbps\ne,1,1,G,k,1,ok,1e200\ne,2,2,G,k,2,ok,10\ne,3,3,G,k,3,ok,20\n");
    CHECK(isnan(view_number(&view, 0, view_column(&view, "gbps"))));
    CHECK(charts.count == 1 && charts.items[0].y_hi == 20);
    view_release(&view);
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
    CHECK_INT(view.row_count, ROWS / 3 + 1);
    CHECK_TEXT(view.rows[3][view_column(&view, "n")], "7");
    CHECK_INT(view.status[3], STATUS_FAILED);
    CHECK_INT(view.statuses[STATUS_FAILED], 1);
    str_release(&s);
    view_release(&view);
}

int main(void)
{
    of_many_rows_the_bad_ones_are_shown();
    numbers_are_shown_in_groups_of_three();
    a_number_without_measure_is_not_drawn();
    the_longest_numeric_axis_is_x();
    counts_are_chosen_by_what_they_are();
    axes_in_step_make_one_line();
    words_make_bars();
    one_thing_varied_at_a_time_makes_a_list();
    what_says_the_same_is_drawn_once();
    too_many_lines_make_panels();
    without_an_axis_it_says_why();
    only_rows_that_count_are_shown();
    several_devices_are_several_lines();
    columns_can_be_asked_for();
    return test_end();
}
