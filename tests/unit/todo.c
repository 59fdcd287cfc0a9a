// run/todo: points that are compared are of one worker; what a lost worker had is for the others; what leaves its mark
// on a process comes last.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include "unit/test.h"

static const char text[] = "experiment: e\nkernel: vecadd\nkeep_together: [block]\n"
                           "sweep: {n: [1000, 2000, 3000], block: [32, 64, 128]}\n";
static struct plan *plan;

static void a_lost_workers_groups_are_for_the_others(void)
{
    struct todo t;
    size_t position, taken[2] = {0};
    int seen[9] = {0};
    todo_init(&t, plan, 5, 1, 1);
    todo_workers(&t, 2);
    CHECK_INT(t.group_count, 3);
    const size_t first = todo_next(&t, 0, &position), at = position;
    for (int i = 0; i < 3; i++) { // the other one passes over what belongs to the first
        const size_t p = todo_next(&t, 1, &position);
        CHECK(p != SIZE_MAX && p / 3 != first / 3);
        if (p != SIZE_MAX) seen[p]++, taken[1]++;
    }
    todo_return(&t, at); // it was given, and not measured
    todo_drop_worker(&t, 0);
    CHECK_INT(todo_left(&t), 6);
    for (size_t p; (p = todo_next(&t, 1, &position)) != SIZE_MAX && taken[1] < 20;) seen[p]++, taken[1]++;
    for (int i = 0; i < 9; i++) CHECK_INT(seen[i], 1);
    CHECK_INT(todo_left(&t), 0);
    todo_append(&t, 8); // a point that is measured again is anyone's
    CHECK_INT(todo_next(&t, 0, &position), 8);
    todo_append(&t, 7);
    CHECK_INT(todo_next(&t, 1, &position), 7);
    todo_release(&t);
}

static const char marked[] = "experiment: e\nkernel: vecadd\nsweep: {n: {from: 1, to: 20, step: 1}}\n"
                             "together: [{streams: [1, 2, 1], window.buffer: [none, none, a], persist: [0, 0, 0.5]}]\n";

// Rows of 60 points by group; `ordered`: how many stand at a place that the plan's own order gives them.
static void what_leaves_its_mark_comes_last(struct sandbox *box)
{
    struct experiments e = {0};
    struct diags d = {0};
    struct todo t;
    size_t position, ordered = 0;
    CHECK(experiments_parse("e.yaml", marked, strlen(marked), NULL, 0, &e, &d));
    plan = plan_new(e.items[0], box, &d);
    CHECK(plan && plan_count(plan) == 60);
    todo_init(&t, plan, 5, 1, 1);
    todo_workers(&t, 1);
    size_t last[3] = {0};
    for (size_t i = 0; i < 60; i++) {
        const size_t p = todo_next(&t, 0, &position), kind = p % 3; // the axis that was written last is the fastest
        CHECK_INT(kind, i / 20);
        ordered += p >= last[kind];
        last[kind] = p;
    }
    CHECK(ordered < 50); // each group is shuffled
    CHECK_INT(todo_left(&t), 0);
    todo_release(&t);
    plan_free(plan);
    experiments_free(&e);
}

int main(void)
{
    struct experiments e = {0};
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    what_leaves_its_mark_comes_last(box);
    CHECK(experiments_parse("e.yaml", text, strlen(text), NULL, 0, &e, &d));
    plan = plan_new(e.items[0], box, &d);
    CHECK(plan != NULL);
    if (plan) a_lost_workers_groups_are_for_the_others();
    if (plan) plan_free(plan);
    experiments_free(&e);
    sandbox_free(box);
    return test_end();
}
