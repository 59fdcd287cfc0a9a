// A second GPU costs a run about a second: its driver starts, and contexts of two GPUs are made one after the other. So
// a run begins on the first, and the others are opened once it has seen how long its points take, if enough is left.
// SPDX-License-Identifier: MIT
#include "run/engine.h"

#include "run/tell.h"

#include <stdio.h>

enum { VISITS_SEEN = 3 }; // the first may have compiled

static bool worth_it(const struct engine *e)
{
    const double left = (double)(e->todo_count * e->contexts) - (double)e->visits, now = clock_awake();
    bool awake = false;
    for (size_t i = 0; i < e->lanes.count; i++) awake |= !e->lanes.items[i].asleep && !e->lanes.items[i].gone;
    if (!awake) return true;
    if (e->end != RUN_COMPLETE || !todo_left(&e->todo)) return false; // what is begun stays where it is
    if (e->visits < VISITS_SEEN) return now - e->begun > e->options->worth_s;
    return (now - e->first) / (double)(e->visits - 1) * left > e->options->worth_s;
}

// What the run said of its devices when it began has changed.
static bool join(struct engine *e, struct lane *lane)
{
    struct run_summary so_far = {.kept = e->points - e->todo_count};
    lane->asleep = lane->opening = false;
    lane->id = *worker_identity(lane->worker);
    snprintf(lane->name, sizeof lane->name, "%s", lane->id.name);
    lanes_know(&e->lanes, lane, e->plan, e->options->rounds);
    if (lane->visits > e->contexts) e->contexts = lane->visits;
    record_devices(&e->runfile, &e->lanes, e->compiler);
    return record_run(&e->runfile, &e->lanes, e->options, &so_far, false, e->diags);
}

bool wake(struct engine *e, struct lane *lane, struct diags *why)
{
    if (!lane->asleep || lane->gone) return true;
    if (!lane->opening) {
        if (!worth_it(e)) return true;
        lane->opening = true;
        return worker_begin(lane->worker, why);
    }
    const int opened = worker_opened(lane->worker, why);
    if (opened <= 0) return opened == 0;
    if (!join(e, lane)) return false;
    if (e->observer->note) {
        char line[160];
        snprintf(line, sizeof line, "%s takes part from here on: some %.0f s are left", lane->name, tell_time_left(e));
        e->observer->note(e->observer->context, line);
    }
    return true;
}

size_t wake_taking_part(const struct engine *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->lanes.count; i++)
        n += !e->lanes.items[i].gone && (!e->lanes.items[i].asleep || e->lanes.items[i].opening);
    return n;
}

bool wake_expected(const struct engine *e)
{
    bool opening = false;
    for (size_t i = 0; i < e->lanes.count; i++) opening |= !e->lanes.items[i].gone && e->lanes.items[i].opening;
    return opening && e->end == RUN_COMPLETE && todo_left(&e->todo);
}
