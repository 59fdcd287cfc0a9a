// measure/why: what is noted of a result keeps its code and its facts, becomes the sentence of a row, and is found
// there again by its code.
// SPDX-License-Identifier: MIT
#include "measure/why.h"

#include <stdio.h>
#include <string.h>

#include "unit/test.h"

static const char *text(const struct why *w)
{
    static char out[WHY_TEXT];
    return why_text(w, out);
}

static void facts_stand_in_their_sentences(void)
{
    struct why w = {0};
    CHECK_TEXT(text(&w), "");
    why_note(&w, WRONG, "on a timed launch: ", 3ull, 100ull, 17ull, "", "");
    why_note(&w, REACHED_OF, "cycles", 1.5, (size_t)20, 0.25, 0.5);
    why_note(&w, SAID_AT, "x.cu", 3, 14, "100 % of it %s");
    why_note(&w, QUICK_LOOK);
    CHECK_TEXT(text(&w),
        "on a timed launch: 3 of 100 elements are wrong, the first is [17]; cycles reached 1.5 % after 20 samples in "
        "0.25 "
        "s, not 0.5 %; x.cu:3:14: 100 % of it %s; a quick look at one context: the interval leaves out what the next "
        "one draws anew");
    CHECK(why_has(&w, WHY_WRONG) && why_has(&w, WHY_QUICK_LOOK) && !why_has(&w, WHY_SAID));
}

static void joined_ones_come_behind(void)
{
    struct why w = {0}, more = {0};
    why_note(&w, SAID, "first");
    why_note(&w, RESTED, 2.5);
    why_note(&more, NO_SHARE, (size_t)6, "cycles");
    why_note(&more, SAID, "last");
    why_join(&w, &more);
    why_note(&w, WRONG_BY, 0.5);
    CHECK_TEXT(text(&w),
        "first; the GPU rested 2.5 s, for its clock was held down; the median of 6 samples of cycles is 0, and no "
        "share "
        "of it is a goal; last; the largest error is 0.5");
}

// A code that could not be printed would be lost only when it is needed.
static void every_code_has_a_sentence(void)
{
    for (int code = 0; code < WHY_COUNT; code++) {
        struct why w = {.count = 1, .codes = {(unsigned char)code}};
        CHECK((code == WHY_SAID || code == WHY_SAMPLE_FAILED) == !*text(&w));
    }
}

static void too_much_is_cut_off(void)
{
    struct why w = {0};
    char most[600], want[WHY_TEXT];
    memset(most, 'x', sizeof most - 1);
    most[sizeof most - 1] = '\0';
    for (int i = 0; i < 20; i++) why_note(&w, SAID, most);
    for (int i = 0; i < 40; i++) why_note(&w, RESTED, 1.0);
    snprintf(want, sizeof want, "%.*s", WHY_TEXT - 1, most);
    CHECK_TEXT(text(&w), want);
    struct why many = {0};
    for (int i = 0; i < 40; i++) why_note(&many, SHORT_COLD, 1.0, 2.0);
    CHECK(strlen(text(&many)) == WHY_TEXT - 1);
    why_join(&w, &many);
    CHECK(w.count == WHY_MOST && w.number_count <= WHY_NUMBERS);
}

static void a_cell_tells_its_codes(void)
{
    struct why w = {0};
    why_note(&w, QUICK_LOOK);
    why_note(&w, NO_COUNTERS, "the driver forbids them");
    const char *cell = text(&w), *found = why_in(cell, WHY_NO_COUNTERS);
    CHECK(found != NULL);
    CHECK_TEXT(found, "no hardware counters: the driver forbids them");
    CHECK(why_in(cell, WHY_QUICK_LOOK) == cell);
    CHECK(why_in(cell, WHY_NOT_COUNTED) == NULL);
    CHECK(why_in("page faults are not counted: CUPTI tells of none", WHY_NOT_COUNTED) == NULL);
    CHECK(why_in(cell, WHY_SAID) == NULL); // its sentence is another's
}

int main(void)
{
    facts_stand_in_their_sentences();
    joined_ones_come_behind();
    every_code_has_a_sentence();
    too_much_is_cut_off();
    a_cell_tells_its_codes();
    return test_end();
}
