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

// Marks within 3 % are level; what differs by less than 5 % from line to line is not told.
static void what_is_level_and_what_is_told_have_limits(void)
{
    choose(TIMED "e,1,1,G,k,1,a,ok,100,99.9,100.1\ne,2,2,G,k,2,a,ok,102,101.9,102.1\ne,3,3,G,k,4,a,ok,101,100.9,101.1\n"
                 "e,4,4,G,k,8,a,ok,104,103.9,104.1\ne,5,5,G,k,16,a,ok,400,399,401\n");
    CHECK(strstr(answer(), "up to n 4 it hardly changes"));
    done();
    for (int far = 0; far < 2; far++) {
        LOCAL(str_release) struct str s = {0};
        str_add(&s, TIMED);
        for (int i = 0; i < 8; i++)
            str_addf(&s, "e,%d,%d,G,k,%d,%s,ok,%g,,\n", i + 1, i + 1, 1 << i % 4, i < 4 ? "a" : "b",
                (1 << i % 4) * (i == 5 ? far ? 10.7 : 10.4 : 10));
        choose(s.text);
        CHECK(!strstr(answer(), "At n 2") == !far);
        done();
    }
}

// Two intervals that meet are no difference.
static void no_more_is_said_than_the_intervals_carry(void)
{
    choose(TIMED "e,1,1,G,k,1,a,ok,10,9,11\ne,2,2,G,k,1,b,ok,12,10.5,13\n");
    CHECK_TEXT(answer(), "time_us is 10 us to 12 us: no difference that the measurement could tell.");
    done();
    choose(TIMED "e,1,1,G,k,1,a,failed,,,\n");
    CHECK_TEXT(answer(), "");
    done();
}

// A forecast has two digits, and where two meet, it says how far each may be off.
#define FORESEEN HEAD "n,what,status,useful_bytes,model_us,model_lo_us,model_hi_us\n"
static void a_forecast_is_none_that_was_measured(void)
{
    choose(FORESEEN "e,1,1,G,k,1,a,ok,64,552.8,480,900\ne,2,2,G,k,1,b,ok,64,1045.6,820,1500\n");
    CHECK_TEXT(answer(),
        "a has the least model_us, 550 us (480 us to 900 us); b has 1 ms (820 us to 1.5 ms). "
        "Their intervals meet: only a measurement can tell.");
    done();
}

// Lines of the same work compete at all places; of other work at one place only. One count answers nothing.
static void the_best_of_all_is_named(void)
{
    choose(FORESEEN "e,1,1,G,k,8,a,ok,64,22.788,18,29\ne,2,2,G,k,16,a,ok,64,13.4,11,17\n"
                    "e,3,3,G,k,32,a,ok,64,8.7,7,11\ne,4,4,G,k,8,b,ok,64,6.2,5,8\n"
                    "e,5,5,G,k,16,b,ok,64,5.7,4.6,7.2\ne,6,6,G,k,32,b,ok,64,5.34,4.3,6.8\n"
                    "e,7,7,G,k,64,a,ok,64,7.2,5.8,9.1\ne,8,8,G,k,64,b,ok,64,5.5,4.4,7\n");
    CHECK_TEXT(answer(),
        "n 32, b has the least model_us, 5.3 us; a forecast cannot tell n 64, b and 3 others from it. "
        "n 8, a has 23 us, 4.3 times as much.");
    done();
    choose(FORESEEN "e,1,1,G,k,1,a,ok,64,10,9,11\ne,2,2,G,k,2,a,ok,128,12,11,13\n"
                    "e,3,3,G,k,4,a,ok,256,14,13,15\ne,4,4,G,k,8,a,ok,512,20,19,21\n"
                    "e,5,5,G,k,1,b,ok,64,50,45,55\ne,6,6,G,k,2,b,ok,128,72,66,78\n"
                    "e,7,7,G,k,4,b,ok,256,91,85,97\ne,8,8,G,k,8,b,ok,512,120,110,130\n");
    CHECK_TEXT(answer(),
        "At n 4, a has the least model_us, 14 us; b has 91 us, 6.5 times as much. "
        "b: model_us rises from 50 us at n 1 to 120 us at n 8, 2.4 times as much.");
    done();
    choose(FORESEEN "e,1,1,G,k,1,a,ok,64,2,1.8,2.2\ne,2,2,G,k,1,b,ok,64,3,2.8,3.2\n"
                    "e,3,3,G,k,2,a,ok,128,6,5.8,6.2\ne,4,4,G,k,2,b,ok,128,12,11,13\n");
    CHECK_TEXT(answer(), "n 2, a has the least model_us, 6 us; n 2, b has 12 us, 2 times as much.");
    done();
    choose(HEAD "n,status,sectors_per_request\ne,1,1,G,k,1,ok,16\n");
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

// Of many lines that are held against one, the highest, the lowest and the one itself keep their colours.
static void lines_between_the_best_and_the_worst_are_grey(void)
{
    LOCAL(str_release) struct str rows = {0};
    str_add(&rows, TIMED);
    int point = 0;
    for (int n = 1; n <= 5; n++)
        for (int k = 0; k < 6; k++) { // a is 10; b to f lie around it, c highest at n = 2, e lowest
            const double times[] = {10, 9.9, n == 2 ? 5 : 9.8, 11, 20, 12};
            str_addf(&rows, "e,%d,%d,G,k,%d,%c,ok,%g,%g,%g\n", point + 1, point + 1, n, 'a' + k, times[k], times[k],
                times[k]);
            point++;
        }
    asked = (struct question){
        .wish = {.x = "n", .kind = "lines", .against = "what == \"a\"", .y = "speedup"}, .has_wish = true};
    choose(rows.text);
    CHECK_INT(charts.items[0].name_count, 6);
    CHECK_INT(charts.items[0].faded, 1 << 1 | 1 << 3 | 1 << 5);
    done();
    asked = (struct question){0};
    choose(rows.text);
    CHECK_INT(charts.items[0].faded, 0); // times are held against nothing
    done();
}

int main(void)
{
    a_number_has_the_digits_that_are_known();
    what_changed_most_is_told_and_where_it_bends();
    what_is_level_and_what_is_told_have_limits();
    no_more_is_said_than_the_intervals_carry();
    a_forecast_is_none_that_was_measured();
    the_best_of_all_is_named();
    an_experiment_says_it_itself();
    rows_are_held_against_the_one_beside_them();
    lines_between_the_best_and_the_worst_are_grey();
    return test_end();
}
