// page/answer and page/told: the sentence that a report answers with, from its rows, and no more than they carry.
// SPDX-License-Identifier: MIT
#include "page/answer.h"
#include "page/quantity.h"
#include "unit/chart_here.h"

static const char *answer(void)
{
    static struct str s;
    str_clear(&s);
    answer_add(&view, &asked, &charts, &s);
    return s.text ? s.text : "";
}

static const char *quantity(double value, double off, int digits, const char *unit)
{
    static struct str s;
    str_clear(&s);
    quantity_add(value, off, digits, unit, &s);
    return s.text;
}

static void a_number_has_the_digits_that_are_known(void)
{
    CHECK_TEXT(quantity(5.7512, 0.01, 2, ""), "5.8");
    CHECK_TEXT(quantity(10411.9, 3, 3, "us"), "10.4 ms");
    CHECK_TEXT(quantity(255.77, 30, 3, "us"), "260 us");
    CHECK_TEXT(quantity(3711.2, 0, 3, "GB/s"), "3.71 TB/s");
    CHECK_TEXT(quantity(0.31, 0.001, 3, "us"), "0.310 us");
    CHECK_TEXT(quantity(32, 0, 3, ""), "32");
    CHECK_TEXT(quantity(4194304, 0, 3, ""), "4 Mi");
    CHECK_TEXT(quantity(67108864, 0, 3, "B"), "64 MiB");
}

#define TIMED HEAD "n,what,status,time_us,time_lo_us,time_hi_us\n"
static const char *const sweep = TIMED "e,1,1,G,k,1,a,ok,10,9.9,10.1\ne,2,2,G,k,2,a,ok,10.1,10,10.2\n"
                                       "e,3,3,G,k,4,a,ok,10.05,10,10.1\ne,4,4,G,k,8,a,ok,20,19.9,20.1\n"
                                       "e,5,5,G,k,16,a,ok,40,39.9,40.1\n";

static void what_changed_most_is_told_and_where_it_bends(void)
{
    choose(sweep);
    CHECK_TEXT(answer(),
        "time_us rises from 10.0 us at n 1 to 40.0 us at n 16, 4.0 times as much; "
        "up to n 4 it hardly changes.");
    done();
    choose(TIMED "e,1,1,G,k,1,a,ok,10,9.9,10.1\ne,2,2,G,k,1,b,ok,80,79,81\ne,3,3,G,k,1,c,ok,20,19,21\n");
    CHECK_TEXT(answer(), "a has the least time_us, 10.0 us; b has 80 us, 8.0 times as much.");
    done();
}

// Two intervals that meet are no difference.
static void no_more_is_said_than_the_intervals_carry(void)
{
    choose(TIMED "e,1,1,G,k,1,a,ok,10,9,11\ne,2,2,G,k,1,b,ok,12,10.5,13\n");
    CHECK_TEXT(answer(),
        "time_us is the same everywhere, 10 us to 12 us: no difference that the measurement could tell.");
    done();
    choose(TIMED "e,1,1,G,k,1,a,failed,,,\n");
    CHECK_TEXT(answer(), "");
    done();
}

static void an_experiment_says_it_itself(void)
{
    static const struct reply all[] = {{.when.text = "max(time_us[n == 16]) < 30", .says.text = "Hardly."},
        {.when.text = "time_us[n == 2] > time_us[n == 1]", .says.text = "The intervals of 1 and 2 meet."},
        {.says.text = "None has {ld_sectors[n == 1]}."},
        {.says.text =
                "It takes {time_us[n == 16] / time_us[n == 1]} times as long, {max(time_us[what == \"a\"])}, at n = "
                "{n[time_us == max(time_us[true])]}."}};
    asked = (struct question){.answers = all, .answer_count = 4};
    choose(sweep);
    CHECK_TEXT(answer(), "It takes 4.0 times as long, 40.0 us, at n = 16.");
    asked.answer_count = 2; // neither can be told
    CHECK_TEXT(answer(),
        "time_us rises from 10.0 us at n 1 to 40.0 us at n 16, 4.0 times as much; "
        "up to n 4 it hardly changes.");
    done();
}

static void rows_are_held_against_the_one_beside_them(void)
{
    static const struct reply all[] = {
        {.says.text = "{max(speedup[what == \"b\"])} and {min(speedup[what == \"b\"])}"}};
    asked = (struct question){
        .answers = all, .answer_count = 1, .wish = {.against = "what == \"a\"", .y = "speedup"}, .has_wish = true};
    choose(TIMED "e,1,1,G,k,1,a,ok,10,10,10\ne,2,2,G,k,1,b,ok,5,5,5\ne,3,3,G,k,2,a,ok,30,30,30\n"
                 "e,4,4,G,k,2,b,ok,60,60,60\n");
    CHECK_TEXT(answer(), "2 and 0.5");
    CHECK_TEXT(y_name(0), "speedup");
    done();
}

int main(void)
{
    a_number_has_the_digits_that_are_known();
    what_changed_most_is_told_and_where_it_bends();
    no_more_is_said_than_the_intervals_carry();
    an_experiment_says_it_itself();
    rows_are_held_against_the_one_beside_them();
    return test_end();
}
