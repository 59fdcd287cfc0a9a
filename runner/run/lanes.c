// Starts a worker for each device that is asked for.
// SPDX-License-Identifier: MIT
#include "run/lanes.h"

#include "base/apart.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a child process found: the devices that `spec` stands for, and a line for the user.
struct scouted {
    int count; // -1: none, and `note` says why
    char specs[64][DEVICE_SPEC], note[256];
};

static void scout(const void *context, void *answer)
{
    struct scouted *s = answer;
    const struct device_ops *shared = device_all(context);
    device_own_process();
    *s = (struct scouted){.count = shared->glance ? shared->glance() : 0};
    if (s->count <= 0) s->count = shared->count(s->note);
    if (s->count <= 0) s->count = -1;
    if (s->count < 0 && !s->note[0]) snprintf(s->note, sizeof s->note, "no such device was found");
    if (s->count > 64) s->count = 64;
    for (int i = 0; i < s->count; i++) shared->spec(i, s->specs[i]);
}

static bool add(struct lanes *l, const char *asked, const char *spec, size_t together, bool asleep, struct diags *d)
{
    l->items = mem_resize(l->items, (l->count + 1) * sizeof *l->items);
    struct lane *lane = &l->items[l->count++];
    *lane = (struct lane){.worker = worker_new(spec), .together = together, .asleep = asleep};
    snprintf(lane->asked, sizeof lane->asked, "%s", asked);
    snprintf(lane->spec, sizeof lane->spec, "%s", spec);
    return asleep || worker_begin(lane->worker, d);
}

// A spec that means one device needs no looking: the worker finds it (`auto` too), and says what is wrong with it.
static bool add_spec(struct lanes *l, const char *spec, bool late, struct diags *d)
{
    struct scouted s;
    char first[DEVICE_SPEC];
    if (!device_all(spec)) return add(l, spec, spec, 1, false, d);
    device_all(spec)->spec(0, first);
    if (!add(l, spec, first, 1, false, d)) return false; // opens while the others are looked for
    if (!apart_ask(scout, spec, &s, sizeof s))
        return diag_system(d, "run it again", "looking for device `%s` failed: %s", spec,
            errno == ECHILD ? "the process that looked was killed" : strerror(errno));
    if (s.count < 0)
        return diag_system(d, "see `gpuexp devices`, or choose another with -d", "device `%s`: %s", spec, s.note);
    l->items[l->count - 1].together = (size_t)s.count;
    for (int i = 1; i < s.count; i++)
        if (!add(l, spec, s.specs[i], (size_t)s.count, late, d)) return false;
    return true;
}

// If one GPU of several does not answer, the others go on.
static bool await(struct lanes *l, const struct run_observer *o, struct diags *d)
{
    LOCAL(diags_clear) struct diags first = {0};
    for (size_t i = 0; i < l->count;) {
        struct lane *lane = &l->items[i];
        const bool alone = lane->together == 1;
        if (lane->asleep && i) {
            lane->id = lane[-1].id;
            i++;
            continue;
        }
        lane->asleep = false; // the first may not have opened
        if (worker_start(lane->worker, alone ? d : &first)) {
            lane->id = *worker_identity(lane->worker);
            snprintf(lane->name, sizeof lane->name, "%s", lane->id.name);
            if (!device_kind(lane->spec)) snprintf(lane->spec, sizeof lane->spec, "%s", lane->id.spec);
            if (lane->id.note[0] && o && o->note) o->note(o->context, lane->id.note);
            i++;
            continue;
        }
        if (alone) break;
        if (o && o->note) o->note(o->context, diags_first(&first));
        worker_free(lane->worker);
        memmove(lane, lane + 1, (--l->count - i) * sizeof *lane);
    }
    if (!l->count) diag_system(d, NULL, "none of the devices can be opened: %s", diags_first(&first));
    return l->count && !diags_errors(d);
}

// The devices that the plan's points name, each once, in the order of the plan.
static size_t asked_for(const struct plan *plan, const char ***specs, struct arena *a)
{
    size_t names = plan_name_count(plan), at = names, count = 0, room = 0;
    struct value *values = arena_alloc(a, (names + 1) * sizeof *values), fallback = setting_default(SETTING_DEVICE);
    const char *last = NULL;
    for (size_t i = 0; i < names; i++)
        if (strcmp(plan_name(plan, i), "device") == 0) at = i;
    for (size_t p = 0; p < plan_count(plan) && (p == 0 || at < names); p++) {
        struct value v = fallback;
        if (at < names) plan_values(plan, p, values), v = values[at].kind == VALUE_TEXT ? values[at] : fallback;
        if (last && strcmp(last, v.text) == 0) continue;
        last = v.text;
        bool known = false;
        for (size_t i = 0; i < count; i++) known = known || strcmp((*specs)[i], last) == 0;
        if (known) continue;
        mem_grow(specs, &room, count + 1, sizeof **specs);
        (*specs)[count++] = last;
    }
    return count;
}

// Where several GPUs share the run a row says which of them measured it, and none goes on with another's contexts.
static void name_gpu(const struct lanes *l, struct lane *lane)
{
    const char *colon = strrchr(lane->spec, ':');
    char *end = NULL;
    lane->number = NAN;
    if (l->count < 2 || l->swept) return;
    snprintf(lane->name, sizeof lane->name, "%.40s (%.50s)", lane->id.name, lane->spec);
    if (colon) lane->number = (double)strtoul(colon + 1, &end, 10);
    if (!end || end == colon + 1 || *end) lane->number = (double)(lane - l->items);
}

void lanes_know(const struct lanes *l, struct lane *lane, const struct plan *plan, unsigned rounds)
{
    const size_t contexts = (size_t)plan_experiment(plan)->goals.contexts;
    name_gpu(l, lane);
    lane->visits = lane->id.draws ? contexts : 1;
    if (!lane->id.draws || rounds < 2) return;
    lane->block.rounds = rounds;
    lane->visits = contexts * rounds < CONTEXTS_MOST ? contexts * rounds : CONTEXTS_MOST;
}

bool lanes_begin(struct lanes *l, const struct plan *plan, const struct run_options *options, bool late,
    struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(mem_drop) const char **specs = NULL;
    size_t count = 0;
    bool ok = true;
    *l = (struct lanes){0};
    if (options->devices) {
        for (; options->devices[count] && ok; count++)
            ok = late && count ? add(l, options->devices[count], options->devices[count], 2, true, d)
                               : add_spec(l, options->devices[count], late, d);
    } else {
        count = asked_for(plan, &specs, a);
        for (size_t i = 0; i < count && ok; i++) ok = add_spec(l, specs[i], late && count == 1, d);
        l->swept = count > 1;
    }
    return ok && l->count;
}

bool lanes_open(struct lanes *l, const struct plan *plan, unsigned rounds, const struct run_observer *o,
    struct diags *d)
{
    if (!await(l, o, d)) return false;
    for (size_t i = 0; i < l->count; i++) lanes_know(l, &l->items[i], plan, rounds);
    return true;
}

void lanes_leave(const struct lanes *l)
{
    for (size_t i = 0; i < l->count; i++) worker_leave(l->items[i].worker);
}

void lanes_close(struct lanes *l)
{
    for (size_t i = 0; i < l->count; i++) {
        worker_free(l->items[i].worker);
        block_release(&l->items[i].block);
    }
    free(l->items);
    *l = (struct lanes){0};
}

void lanes_print(const struct lanes *l, struct str *s)
{
    for (size_t i = 0; i < l->count; i++) {
        size_t same = 0, before = 0;
        if (l->items[i].asleep) continue;
        for (size_t j = 0; j < l->count; j++)
            if (!l->items[j].asleep && strcmp(l->items[i].id.name, l->items[j].id.name) == 0) same++, before += j < i;
        if (before) continue;
        if (s->size) str_add(s, " + ");
        if (same > 1) str_addf(s, "%zu x ", same);
        str_add(s, l->items[i].id.name);
    }
}
