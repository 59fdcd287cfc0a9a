// page/chart_columns and page/chart: what an experiment asks for and what the command line asks for is what is drawn.
// SPDX-License-Identifier: MIT
#include "unit/chart_here.h"

// What the file asks for comes first: what it makes for its claims, then the times that these name.
static void what_is_asked_is_drawn(void)
{
    static const struct question_derived derived[] = {
        {"footprint_kib", "n * 128 / 2^10"}, {"waste", "ld_sectors / n"}, {"efficiency", "gbps / peak_gbps"}};
    static const char *const claims[] = {"waste < 2"}, *const times[] = {"time_us < 5"}, *const own[] = {"cycles < 5"};
    const char *csv = HEAD "n,status,time_us,gbps,peak_gbps,ld_sectors,counts,cycles,footprint_kib,waste,efficiency\n"
                           "e,1,1,G,k,8,ok,1,90,100,9,,40,1,3,.9\ne,2,2,G,k,16,ok,2,80,100,8,,50,2,4,.8\n"
                           "e,3,3,G,k,32,ok,3,70,100,7,,60,4,3,.7\ne,4,4,G,k,64,ok,9,60,100,2,,90,8,4,.6\n";
    asked =
        (struct question){.known = true, .derived = derived, .derived_count = 3, .claims = claims, .claim_count = 1};
    choose(csv);
    CHECK_TEXT(y_name(0), "waste");
    CHECK_TEXT(y_name(1), "gbps"); // efficiency is drawn as what it is a share of
    CHECK_TEXT(y_name(2), "cycles");
    CHECK_TEXT(x_name(), "footprint_kib"); // the same as n, in bytes
    CHECK(charts.items[0].x_unit == 1024 && charts.items[0].x_kind == SCALE_LOG2);
    done();
    asked = (struct question){.known = true, .derived = derived, .derived_count = 2, .claims = times, .claim_count = 1};
    choose(csv);
    CHECK_TEXT(y_name(0), "time_us");
    done();
    asked = (struct question){.known = true, .claims = own, .claim_count = 1};
    choose(csv);
    CHECK_TEXT(y_name(0), "cycles");
    for (size_t i = 0; i < y_count(); i++) CHECK(strcmp(y_name(i), "gbps") != 0); // no time where none is asked for
    done();
    asked = (struct question){.known = true, .y = "ld_sectors", .x = "n"};
    choose(csv);
    CHECK_TEXT(y_name(0), "ld_sectors");
    done();
}

// A pointer chase moves a few bytes a microsecond: its bandwidth says nothing.
static void a_bandwidth_of_nothing_is_a_time(void)
{
    choose(HEAD "n,status,time_us,gbps,peak_gbps\ne,1,1,G,k,1,ok,10,0.01,4800\ne,2,2,G,k,2,ok,500,0.02,4800\n"
                "e,3,3,G,k,3,ok,40,0.01,4800\ne,4,4,G,k,4,ok,90,0.01,4800\n");
    CHECK_TEXT(y_name(0), "time_us");
    CHECK_INT(charts.items[0].facets[0].kind, SCALE_LOG10); // 1.5 decades and more
    done();
}

static void arithmetic_over_bytes_is_a_roofline(void)
{
    choose(HEAD "each,status,time_us,gbps,gflops\ne,1,1,G,k,0,ok,1,1000,0\ne,2,2,G,k,1,ok,1,1000,250\n"
                "e,3,3,G,k,8,ok,1,1000,2000\ne,4,4,G,k,64,ok,4,250,4000\ne,5,5,G,k,512,ok,32,31.25,4000\n");
    const struct chart *c = &charts.items[0];
    CHECK_TEXT(y_name(0), "gflops");
    CHECK_TEXT(x_name(), "flops_per_byte");
    CHECK(c->x_kind != SCALE_LINEAR && c->facets[0].kind == SCALE_LOG10 && c->off_axis > 0);
    CHECK_INT(c->guide_count, 1);
    CHECK(c->guides[0].at[1] == 4000 && c->guides[0].slope[0] == 1000); // what the points themselves reach
    done();
}

static bool chosen(struct chart_wish wish, struct diags *d) { return charts_choose(&view, &asked, &wish, &charts, d); }

static void columns_can_be_asked_for(void)
{
    struct diags d = {0};
    choose(HEAD "block,memory,status,gbps,occupancy_pct,regs\ne,1,1,G,k,64,a,ok,1,50,9\ne,2,2,G,k,128,a,ok,2,50,9\n"
                "e,3,3,G,k,256,a,ok,3,100,9\ne,4,4,G,k,64,b,ok,4,50,9\ne,5,5,G,k,128,b,ok,5,50,9\ne,6,6,G,k,256,b,ok,6,"
                "100,9\n");
    CHECK(chosen((struct chart_wish){.x = "memory", .y = "regs"}, &d));
    CHECK(charts.count == 1 && charts.items[0].kind == CHART_BARS);
    CHECK_TEXT(charts.items[0].x_name, "memory");
    CHECK_TEXT(y_name(0), "regs");
    CHECK_TEXT(charts.items[0].by, "block");
    CHECK(chosen((struct chart_wish){.x = "occupancy_pct"}, &d)); // measured: block's changes are what it shows
    CHECK_TEXT(x_name(), "occupancy_pct");
    CHECK_TEXT(charts.items[0].by, "memory");
    CHECK_INT(charts.items[0].panels[0].series[1].count, 3);
    CHECK(chosen((struct chart_wish){.x = "block", .y = "gbps,regs", .panels = "memory", .log = "y"}, &d));
    CHECK(charts.items[0].panel_count == 2 && charts.items[0].kind == CHART_LINES);
    CHECK(y_count() == 2 && charts.items[0].facets[1].kind == SCALE_LOG10);
    CHECK(chosen((struct chart_wish){.x = "block", .kind = "heat"}, &d));
    CHECK_INT(charts.items[0].kind, CHART_HEAT);
    CHECK(chosen((struct chart_wish){.kind = "bars"}, &d));
    CHECK_INT(charts.items[0].kind, CHART_BARS);
    asked.wish = (struct chart_wish){.y = "regs", .kind = "bars"}; // the file's; the command line's wins
    CHECK(chosen((struct chart_wish){.kind = "lines", .x = "block"}, &d));
    CHECK_INT(charts.items[0].kind, CHART_LINES);
    CHECK_TEXT(y_name(0), "regs");
    asked.wish = no_wish;
    CHECK(chosen((struct chart_wish){.y = "memory"}, &d));
    CHECK_TEXT(charts.why_none, "No row has a number to draw.");
    CHECK_INT(d.count, 0);
    CHECK(!chosen((struct chart_wish){.x = "blok", .y = "nothing"}, &d));
    CHECK_INT(d.count, 2);
    CHECK_TEXT(d.items[0].hint, "did you mean `block`?");
    diags_clear(&d);
    CHECK(!chosen((struct chart_wish){.kind = "pie", .log = "z"}, &d));
    CHECK_INT(d.count, 2);
    CHECK_TEXT(d.items[0].hint, "known: lines, bars, heat");
    diags_clear(&d);
    done();
}

int main(void)
{
    what_is_asked_is_drawn();
    a_bandwidth_of_nothing_is_a_time();
    arithmetic_over_bytes_is_a_roofline();
    columns_can_be_asked_for();
    return test_end();
}
