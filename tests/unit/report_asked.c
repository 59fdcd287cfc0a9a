// page/chart_columns and page/chart: what an experiment asks for and what the command line asks for is what is drawn.
// SPDX-License-Identifier: MIT
#include "page/draw.h"
#include "page/quantity.h"
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
    CHECK_INT(c->guide_count, 2);
    CHECK_TEXT(c->guides[1].text, "ridge at 4");
    CHECK(c->guides[0].at[1] == 4000 && c->guides[0].slope[0] == 1000); // what the points themselves reach
    done();
}

static bool chosen(struct chart_wish wish, struct diags *d) { return charts_choose(&view, &asked, &wish, &charts, d); }

// Intensities that only follow from what is asked about a time are no roofline.
static void a_time_that_is_asked_for_is_no_roofline(void)
{
    static const char *const times[] = {"time_us < 9"};
    asked = (struct question){.known = true, .claims = times, .claim_count = 1};
    choose(HEAD "blocks,status,time_us,gbps,gflops\ne,1,1,G,k,1,ok,1,1000,40\ne,2,2,G,k,2,ok,1,100,250\n"
                "e,3,3,G,k,3,ok,2,10,500\ne,4,4,G,k,4,ok,2,1,1000\n");
    CHECK_TEXT(x_name(), "blocks");
    CHECK_TEXT(y_name(0), "time_us");
    done();
}

// What is claimed but hardly differs stands below what differs.
static void what_hardly_varies_does_not_lead(void)
{
    static const char *const claims[] = {"row_bytes >= 4004"};
    asked = (struct question){.known = true, .claims = claims, .claim_count = 1};
    choose(HEAD "memory,status,time_us,row_bytes\ne,1,1,G,k,a,ok,1,4004\ne,2,2,G,k,b,ok,50,4096\n"
                "e,3,3,G,k,c,ok,9,4004\n");
    CHECK_TEXT(y_name(0), "time_us");
    CHECK_TEXT(y_name(1), "row_bytes");
    done();
    choose(HEAD "memory,status,time_us,row_bytes\ne,1,1,G,k,a,ok,1,4004\ne,2,2,G,k,b,ok,50,9096\n");
    CHECK_TEXT(y_name(0), "time_us"); // nothing is asked
    done();
    asked = (struct question){.known = true, .claims = claims, .claim_count = 1};
    choose(HEAD "memory,status,time_us,row_bytes\ne,1,1,G,k,a,ok,1,4004\ne,2,2,G,k,b,ok,50,9096\n");
    CHECK_TEXT(y_name(0), "row_bytes");
    done();
}

static const char *guide_at(double x)
{
    const struct chart *c = charts.items;
    for (size_t i = 0; i < c->guide_count; i++)
        if (c->guides[i].x == x) return c->guides[i].text;
    return "(none)";
}

// What a device has room for is a place on the axis: its SMs, what runs at once, its caches, what is set aside.
static void limits_are_drawn(void)
{
#define GRID HEAD "block,grid,status,time_us,occupancy_pct\n"
    choose(GRID "e,1,1,NVIDIA H200,k,512,100,ok,1,50.0\ne,2,2,NVIDIA H200,k,512,200,ok,3,50.0\n"
                "e,3,3,NVIDIA H200,k,512,300,ok,3,50.0\ne,4,4,NVIDIA H200,k,512,400,ok,4,50.0\n");
    CHECK_TEXT(guide_at(132), "a block for each of 132 SMs");
    CHECK_TEXT(guide_at(264), "264 blocks run at once"); // 32 of 64 warps an SM, in blocks of 16
    done();
    choose(GRID "e,1,1,Other,k,512,100,ok,1,50.0\ne,2,2,Other,k,512,200,ok,3,50.0\n"
                "e,3,3,Other,k,512,300,ok,3,50.0\ne,4,4,Other,k,512,400,ok,4,50.0\n");
    CHECK_INT(charts.items[0].guide_count, 0); // of this device nothing is known
    done();
    choose(GRID "e,1,1,NVIDIA H200,k,32x16,100,ok,1,100.0\ne,2,2,NVIDIA H200,k,32x16,200,ok,3,50.0\n"
                "e,3,3,NVIDIA H200,k,32x16,300,ok,3,50.0\ne,4,4,NVIDIA H200,k,32x16,400,ok,4,50.0\n");
    CHECK_INT(charts.items[0].guide_count, 1); // not as many in all rows
    done();
#define WALK HEAD "window_bytes,persist,status,time_us,gbps,peak_gbps\n"
    choose(WALK "e,1,1,NVIDIA H200,k,65536,0,ok,1,5,4800\ne,2,2,NVIDIA H200,k,1048576,0,ok,2,5,4800\n"
                "e,3,3,NVIDIA H200,k,16777216,8388608,ok,3,5,4800\ne,4,4,NVIDIA H200,k,67108864,8388608,ok,4,5,4800\n");
    CHECK_TEXT(guide_at(262144), "L1 and shared memory, 256 KiB");
    CHECK_TEXT(guide_at(26214400), "half of L2, 25 MiB as published");
    CHECK_TEXT(guide_at(52428800), "L2, 50 MiB as published");
    CHECK_TEXT(guide_at(8388608), "set aside, 8 MiB");
    done();
    choose(WALK "e,1,1,NVIDIA H200,k,65536,1,ok,1,900,4800\ne,2,2,NVIDIA H200,k,1048576,1,ok,2,900,4800\n"
                "e,3,3,NVIDIA H200,k,16777216,1,ok,3,900,4800\ne,4,4,NVIDIA H200,k,67108864,1,ok,4,900,4800\n");
    CHECK_INT(charts.items[0].guide_count, 2); // L2 and its half; many SMs have many L1s; a share has no place
    done();
}

// What tells lines apart is not what a measured axis stands for; what else differs makes no line of its own.
static void lines_are_those_that_were_asked_for(void)
{
    struct diags d = {0};
    choose(HEAD "block,shared,status,gbps,occupancy_pct\ne,1,1,G,k,32,0,ok,1,50\ne,2,2,G,k,64,0,ok,2,100\n"
                "e,3,3,G,k,128,0,ok,3,100\ne,4,4,G,k,256,0,ok,5,100\ne,5,5,G,k,256,16,ok,4,75\n"
                "e,6,6,G,k,256,32,ok,3,50\ne,7,7,G,k,512,0,ok,5,100\n"
                "e,8,8,G,k,256,8,ok,5,100\n");
    CHECK(chosen((struct chart_wish){.x = "occupancy_pct", .by = "block"}, &d));
    CHECK_TEXT(x_name(), "occupancy_pct");
    CHECK_TEXT(charts.items[0].by, "block");
    CHECK_INT(charts.items[0].panels[0].count, 5);
    const struct series *of256 = &charts.items[0].panels[0].series[3];
    CHECK_TEXT(of256->name, "block 256");
    CHECK(of256->count == 4 && of256->marks[0].x == 50 && of256->marks[1].x == 75 && of256->marks[3].x == 100);
    done();
    choose(HEAD "n,step,walks,status,cycles\ne,1,1,G,k,1,1,1,ok,3\ne,2,2,G,k,2,1,1,ok,4\ne,3,3,G,k,4,1,0,ok,5\n"
                "e,4,4,G,k,8,1,0,ok,6\ne,5,5,G,k,1,2,1,ok,3\ne,6,6,G,k,2,2,1,ok,3\ne,7,7,G,k,4,2,1,ok,3\n"
                "e,8,8,G,k,8,2,1,ok,3\n");
    CHECK(chosen((struct chart_wish){.x = "n", .y = "cycles", .by = "step"}, &d));
    CHECK_TEXT(charts.items[0].by, "step");
    CHECK_INT(charts.items[0].panels[0].count, 2);
    CHECK_INT(charts.items[0].panels[0].series[0].count, 4);
    CHECK(chosen((struct chart_wish){.x = "n", .y = "cycles"}, &d));
    CHECK_INT(charts.items[0].panels[0].count, 3); // nobody said which
    done();
}

static void numbers_are_told_as_they_are_read(void)
{
    char room[32];
    CHECK_TEXT(quantity_shown("667.1635004679362", room), "667.164");
    CHECK_TEXT(quantity_shown("0.0544712834", room), "0.0544713");
    CHECK_TEXT(quantity_shown("1263.604", room), "1263.604");
    CHECK_TEXT(quantity_shown("805306368", room), "805306368");
    CHECK_TEXT(quantity_shown("-12345678.25", room), "-12345678.2");
    CHECK_TEXT(quantity_shown("1.5.3", room), "1.5.3");
    choose(HEAD "footprint_kib,status,cycles,time_us,occupancy_pct\ne,1,1,G,k,1,ok,3,5,50\ne,2,2,G,k,2,ok,3,5,50\n");
    CHECK_TEXT(draw_named(&view, view_column(&view, "footprint_kib"), ""), "footprint");
    CHECK_TEXT(draw_named(&view, view_column(&view, "cycles"), "cycles"), "cycles");
    CHECK_TEXT(draw_named(&view, view_column(&view, "time_us"), "ms"), "time, ms");
    CHECK_TEXT(draw_named(&view, view_column(&view, "occupancy_pct"), "%"), "occupancy, %");
    done();
}

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
    asked.wish = (struct chart_wish){.x = "later"}; // of a file that is newer than the report
    CHECK(chosen((struct chart_wish){.kind = "lines", .x = "block"}, &d));
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
    CHECK_TEXT(d.items[0].hint, "known: lines, bars, heat, samples");
    diags_clear(&d);
    done();
}

int main(void)
{
    what_is_asked_is_drawn();
    a_bandwidth_of_nothing_is_a_time();
    arithmetic_over_bytes_is_a_roofline();
    a_time_that_is_asked_for_is_no_roofline();
    what_hardly_varies_does_not_lead();
    limits_are_drawn();
    lines_are_those_that_were_asked_for();
    numbers_are_told_as_they_are_read();
    columns_can_be_asked_for();
    return test_end();
}
