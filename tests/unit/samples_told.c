// page/samples_told: what samples show is told, and nothing of those that show nothing.
// SPDX-License-Identifier: MIT
#include <math.h>

#include "page/draw.h"
#include "unit/test.h"

enum { COUNT = 90 };
static struct sample_kept all[COUNT];

static const char *told(double (*us)(int), double (*clock)(int))
{
    static struct str s;
    str_clear(&s);
    for (int i = 0; i < COUNT; i++)
        all[i] = (struct sample_kept){.us = us(i), .clock_mhz = clock(i), .visit = (unsigned)(i / 30)};
    samples_told(&(struct samples_of){all, COUNT}, &s);
    return s.text ? s.text : "";
}

static double noise(int i) { return 0.001 * (double)(i * 7919 % 101 - 50); } // +-0.05, in no order
static double steady(int i) { return 10 + noise(i); }
static double even(int i) { return 1980 + 20 * noise(i); }
static double unknown(int i) { return i < 0 ? 0 : (double)NAN; }
static double in_turns(int i) { return (i % 3 ? 10 : 12) + noise(i); }
static double by_context(int i) { return (i < 30 ? 10 : 12) + noise(i); }
static double rising(int i) { return 10 + 0.004 * i + noise(i); }
static double stepping(int i) { return (i < 60 ? 1980 : 1755) + noise(i); }

int main(void)
{
    CHECK_TEXT(told(steady, even), "");
    CHECK_TEXT(told(steady, unknown), "");
    CHECK_TEXT(told(in_turns, even), "Two modes: 67 % of the samples take some 10 us, the others 12.");
    CHECK_TEXT(told(by_context, even),
        "Two modes: 33 % of the samples take some 9.999 us, the others 12, each context one of them.");
    CHECK_TEXT(told(rising, even), "A drift: the last third takes 2.3 % longer than the first.");
    CHECK_TEXT(told(steady, stepping), "The clock steps from 1980 to 1755 MHz at sample 61 of 90.");
    return test_end();
}
