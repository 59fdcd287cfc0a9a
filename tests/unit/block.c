// run/block: which point is visited next. Points that leave marks come last in a context, also where others come while
// they are visited, and what they leave behind stays in its context.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include <stdlib.h>

#include "unit/test.h"

static struct task plain[3], marking[2];

static int name_of(const struct task *t)
{
    for (int i = 0; i < 3; i++)
        if (t == &plain[i]) return i + 1;
    return t == &marking[0] ? 11 : t == &marking[1] ? 12 : 0;
}

// Visits `count` points: their names, and with each the context it was in.
static void visits(struct visits *b, const int *names, const unsigned *contexts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(name_of(block_next(b)), names[i]);
        CHECK_INT(b->context, contexts[i]);
    }
}

static void forget(struct visits *b) // the tasks are not the block's here
{
    free(b->tasks);
    *b = (struct visits){0};
}

static void marks_come_last(void)
{
    struct visits b = {0};
    CHECK(block_next(&b) == NULL);
    CHECK(block_wants_more(&b, 0, 10));
    block_add(&b, &marking[0]);
    block_add(&b, &plain[0]);
    block_add(&b, &plain[1]);
    visits(&b, (const int[]){1, 2, 11, 1}, (const unsigned[]){0, 0, 0, 1}, 4);
    CHECK(!block_wants_more(&b, 0, 10)); // the block is what it is once its first context is over
    forget(&b);
}

// A plain point that comes while marks are visited has to wait for the next context: nobody is visited twice.
static void one_that_comes_too_late_waits(void)
{
    struct visits b = {0};
    block_add(&b, &plain[0]);
    block_add(&b, &marking[0]);
    block_add(&b, &marking[1]);
    visits(&b, (const int[]){1, 11}, (const unsigned[]){0, 0}, 2);
    block_add(&b, &plain[1]);
    visits(&b, (const int[]){12, 1, 2, 11, 12}, (const unsigned[]){0, 1, 1, 1, 1}, 5);
    block_remove(&b, &marking[0]);
    block_remove(&b, &plain[0]);
    visits(&b, (const int[]){2, 12, 2}, (const unsigned[]){2, 2, 3}, 3);
    block_remove(&b, &plain[1]); // while its own visit is the last
    visits(&b, (const int[]){12}, (const unsigned[]){3}, 1);
    forget(&b);
}

static void marks_stay_in_their_context(void)
{
    struct visits b = {0};
    CHECK(block_wants_more(&b, 0, 10));
    block_add(&b, &plain[0]);
    visits(&b, (const int[]){1}, (const unsigned[]){0}, 1);
    block_remove(&b, &plain[0]);
    CHECK(block_wants_more(&b, 1, 10)); // the next block may use the context of this one
    block_add(&b, &marking[0]);
    visits(&b, (const int[]){11}, (const unsigned[]){0}, 1);
    block_remove(&b, &marking[0]);
    CHECK(block_wants_more(&b, 2, 10)); // but not after a mark
    block_add(&b, &plain[1]);
    visits(&b, (const int[]){2}, (const unsigned[]){1}, 1);
    forget(&b);
}

static void a_block_is_full_some_time(void)
{
    struct visits b = {0};
    CHECK(block_wants_more(&b, 100, 2));
    block_add(&b, &plain[0]);
    CHECK(!block_wants_more(&b, 100, 2)); // its own point goes first
    visits(&b, (const int[]){1}, (const unsigned[]){0}, 1);
    CHECK(block_wants_more(&b, 101, 2));
    block_add(&b, &plain[1]);
    visits(&b, (const int[]){2}, (const unsigned[]){0}, 1);
    CHECK(!block_wants_more(&b, 101, 2)); // two are the most
    forget(&b);
    CHECK(block_wants_more(&b, 200, 9));
    block_add(&b, &plain[0]);
    visits(&b, (const int[]){1}, (const unsigned[]){0}, 1);
    CHECK(!block_wants_more(&b, 203, 9)); // it has taken three seconds
    forget(&b);
}

// Points that are held against each other: there and back within a context, all of them in one block.
static void rounds_go_there_and_back_in_one_context(void)
{
    struct visits b = {.rounds = 3};
    for (int i = 0; i < 3; i++) {
        CHECK(block_wants_more(&b, 10 * i, 9)); // however long it takes
        block_add(&b, &plain[i]);
        visits(&b, (const int[]){i + 1}, (const unsigned[]){0}, 1);
    }
    visits(&b, (const int[]){3, 2, 1, 1, 2, 3, 3, 2, 1, 1}, (const unsigned[]){0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 10);
    for (int i = 0; i < 3; i++) block_remove(&b, &plain[i]);
    CHECK(block_wants_more(&b, 99, 9)); // the next block begins with a whole context
    block_add(&b, &marking[0]);
    block_add(&b, &plain[0]);
    visits(&b, (const int[]){1, 11, 1, 11}, (const unsigned[]){2, 2, 3, 3}, 4); // behind a mark there is no round more
    forget(&b);
}

// Those whose times are taken are counted once nobody is left to be timed before them, and what is timed after that is
// in another context.
static void counts_are_read_together_and_behind(void)
{
    for (int several = 0; several < 2; several++) {
        struct visits b = {0};
        CHECK(!block_counts(&b, 0, several, true)); // nobody waits
        CHECK(block_wants_more(&b, 0, 10));
        block_add(&b, &plain[0]);
        block_add(&b, &plain[1]);
        for (int i = 0; i < 2; i++) {
            CHECK_INT(name_of(block_next(&b)), i + 1);
            CHECK(!block_counts(&b, 100, several, false));
            block_remove(&b, &plain[i]);
            block_wait(&b, &plain[i], 1);
        }
        CHECK_INT(block_counts(&b, 2, several, false), several); // one context for all: others may still come
        CHECK(block_counts(&b, several ? 2 : 3.5, several, false));
        for (int i = 2; i > 0; i--) {
            CHECK(block_counts(&b, 2, several, false)); // begun, it goes on
            CHECK_INT(name_of(block_next(&b)), i);
            CHECK_INT(b.context, 0);
            block_remove(&b, &plain[i - 1]);
        }
        CHECK(!block_counts(&b, 100, several, true));
        CHECK(block_wants_more(&b, 4, 10));
        block_add(&b, &plain[2]);
        visits(&b, (const int[]){3}, (const unsigned[]){1}, 1);
        free(b.waiting);
        forget(&b);
    }
}

int main(void)
{
    marking[0].marks = marking[1].marks = true;
    marks_come_last();
    one_that_comes_too_late_waits();
    marks_stay_in_their_context();
    a_block_is_full_some_time();
    rounds_go_there_and_back_in_one_context();
    counts_are_read_together_and_behind();
    return test_end();
}
