// The counters by place: kept from the first run of a point, since later ones only look for what is wrong, and summed
// over its launches.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include <stdlib.h>
#include <string.h>

void sim_places_release(struct sim_device *dev)
{
    struct sim_places *p = &dev->places;
    free(p->items);
    free(p->told);
    free(p->lines);
    if (p->arena) arena_free(p->arena);
    sim_view_free(p->view);
    tape_free(p->tape);
    *p = (struct sim_places){.look = p->look, .most = p->most, .stop = p->stop};
}

void sim_places_start(struct sim_device *dev)
{
    sim_places_release(dev);
    dev->places.arena = arena_new();
    if (!dev->places.look) return;
    dev->places.view = sim_view_new(dev->places.most, dev->places.stop);
    dev->places.tape = tape_new();
}

static struct sim_placed *same(struct sim_places *p, const char *entry, uint32_t number)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].number == number && strcmp(p->items[i].is.entry, entry) == 0) return &p->items[i];
    return NULL;
}

static void see(struct sim_places *p, struct device_place *to, const struct sim_view_site *v)
{
    if (to->mask) return; // the first launch's stands for all
    to->space = (enum device_space)v->space;
    to->buffer = v->buffer ? arena_strdup(p->arena, v->buffer) : NULL;
    to->mask = v->mask;
    to->units = v->units;
    to->lo = v->lo;
    to->span = v->hi - v->lo;
    memcpy(to->at, v->at, sizeof to->at);
}

void sim_places_add(struct sim_device *dev, const char *entry, const struct sim_kernel *kernel)
{
    struct sim_places *p = &dev->places;
    const size_t count = sim_sites(kernel, NULL, 0);
    LOCAL(mem_drop) struct sim_site *sites = mem_alloc((count + 1) * sizeof *sites);
    sim_sites(kernel, sites, count);
    for (size_t i = 0; i < count; i++) {
        const struct sim_site *s = &sites[i];
        struct sim_placed *to = same(p, entry, s->number);
        if (!to) {
            mem_grow(&p->items, &p->room, p->count + 1, sizeof *p->items);
            to = &p->items[p->count++];
            *to = (struct sim_placed){.number = s->number,
                .is = {.entry = arena_strdup(p->arena, entry),
                    .op = arena_strdup(p->arena, s->op),
                    .is = ops_of(&p->read, p->arena, s->op, strlen(s->op)),
                    .line = s->line,
                    .bytes = s->bytes,
                    .instructions = 1}};
        }
        const struct sim_view_site *v = p->view ? sim_view_site(p->view, kernel, s->number) : NULL;
        if (v && v->accesses) see(p, &to->is, v);
        to->is.requests += s->requests;
        to->is.sectors += s->sectors;
        to->is.wavefronts += s->wavefronts;
        to->is.conflicts += s->conflicts;
        to->is.lanes += s->lanes;
    }
}

void sim_places_end(struct sim_device *dev)
{
    struct sim_places *p = &dev->places;
    const struct job *job = dev->point.job;
    p->stand_for = dev->point.ran ? (double)dev->point.blocks / (double)dev->point.ran : 1;
    p->readable = p->writable = 0;
    if (sim_model_told(dev)) p->expected = *sim_model_told(dev);
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (job->buffers[i].access != ACCESS_WRITE) p->readable += job->buffers[i].bytes;
        if (job->buffers[i].access != ACCESS_READ) p->writable += job->buffers[i].bytes;
    }
}

static bool in_step(uint64_t a, uint64_t b, const struct device_place *x, const struct device_place *y)
{
    return a * y->requests == b * x->requests;
}

// Copies of one instruction, as an unrolled loop has them: the same at each request.
static bool alike(const struct device_place *x, const struct device_place *y)
{
    const bool same_buffer = x->buffer && y->buffer ? strcmp(x->buffer, y->buffer) == 0 : x->buffer == y->buffer;
    return same_buffer && x->line == y->line && x->bytes == y->bytes && x->is == y->is &&
        strcmp(x->entry, y->entry) == 0 && in_step(x->sectors, y->sectors, x, y) &&
        in_step(x->wavefronts, y->wavefronts, x, y) && in_step(x->conflicts, y->conflicts, x, y) &&
        in_step(x->lanes, y->lanes, x, y);
}

static size_t gather(struct sim_places *p)
{
    size_t count = 0;
    free(p->told);
    p->told = mem_alloc((p->count + 1) * sizeof *p->told);
    for (size_t i = 0; i < p->count; i++) {
        const struct device_place *x = &p->items[i].is;
        size_t k = 0;
        while (k < count && !alike(&p->told[k], x)) k++;
        if (k == count) {
            uint32_t *numbers = arena_alloc(p->arena, (p->count - i) * sizeof *numbers);
            numbers[0] = p->items[i].number;
            p->told[count] = *x;
            p->told[count++].numbers = numbers;
            continue;
        }
        struct device_place *to = &p->told[k];
        ((uint32_t *)(uintptr_t)to->numbers)[to->instructions] = p->items[i].number;
        to->instructions++;
        to->requests += x->requests;
        to->sectors += x->sectors;
        to->wavefronts += x->wavefronts;
        to->conflicts += x->conflicts;
        to->lanes += x->lanes;
    }
    return count;
}

static int by_line(const void *a, const void *b)
{
    const struct device_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static bool takes_part(const struct device_place *x, bool written)
{
    return x->space == SPACE_OF_DEVICE && x->span && !(written ? ops_loads(x->is) : ops_stores(x->is));
}

// Bytes from the first to the last that are read, or written, summed over the buffers: no more are different ones.
static double reached(const struct sim_places *p, bool written)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct device_place *x = &p->items[i].is;
        uint64_t lo = x->lo, hi = x->lo + x->span;
        bool first = takes_part(x, written);
        for (size_t k = 0; k < p->count && first; k++) {
            const struct device_place *y = &p->items[k].is;
            const bool same = x->buffer && y->buffer && strcmp(x->buffer, y->buffer) == 0;
            if (!same || !takes_part(y, written)) continue;
            if (k < i) first = false;
            if (y->lo < lo) lo = y->lo;
            if (y->lo + y->span > hi) hi = y->lo + y->span;
        }
        if (first) sum += (double)(hi - lo);
    }
    return sum;
}

static uint64_t times(double by, uint64_t n) { return by > 1 ? (uint64_t)((double)n * by + 0.5) : n; }

static uint64_t least(uint64_t bytes, double most) { return most < (double)bytes ? (uint64_t)most : bytes; }

// Of blocks that stand for others nobody knows what these have in common: as much as can be, by what the buffers hold.
static void stand_for_all(struct sim_places *p, struct device_places *out, double turns)
{
    uint64_t *const sums[] = {&out->read_sectors, &out->read_pairs, &out->written_sectors, &out->block_sectors,
        &out->block_pairs, &out->rounds};
    uint64_t *const different[] = {&out->read_sectors, &out->read_pairs, &out->written_sectors};
    const uint64_t in = least(p->readable, reached(p, false)), away = least(p->writable, reached(p, true));
    const uint64_t hold[] = {in / 32, in / 64, away / 32};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) *sums[i] = times(p->stand_for, *sums[i]);
    for (int i = 0; i < 3; i++)
        if (*different[i] > hold[i] + 2) *different[i] = hold[i] + 2;
    out->far_pairs = 0;
    out->instructions = times(turns, out->instructions);
    out->lanes = times(turns, out->lanes);
    out->idle = times(turns, out->idle);
    for (size_t i = 0; i < out->line_count; i++) {
        struct device_line *l = &p->lines[i];
        l->instructions = times(turns, l->instructions);
        l->lanes = times(turns, l->lanes);
        l->idle = times(turns, l->idle);
        for (int k = 0; k < WORK_KINDS; k++) l->work[k] = times(turns, l->work[k]);
    }
}

_Static_assert((int)WORK_KINDS == (int)SIM_WORK_KINDS, "the simulator's kinds of work");

static void tell_view(struct sim_places *p, struct device_places *out)
{
    const struct sim_view_totals *t = sim_view_totals(p->view);
    const struct sim_view_line *lines;
    out->line_count = sim_view_lines(p->view, &lines);
    free(p->lines);
    p->lines = mem_alloc((out->line_count + 1) * sizeof *p->lines);
    for (size_t i = 0; i < out->line_count; i++) {
        struct device_line *l = &p->lines[i];
        *l = (struct device_line){lines[i].line, lines[i].instructions, lines[i].lanes, lines[i].idle, {0}};
        for (int k = 0; k < WORK_KINDS; k++) l->work[k] = lines[i].work[k];
    }
    qsort(p->lines, out->line_count, sizeof *p->lines, by_line);
    out->lines = p->lines;
    out->read_sectors = t->read_sectors;
    out->read_pairs = t->read_pairs;
    out->block_sectors = t->block_sectors;
    out->block_pairs = t->block_pairs;
    out->far_pairs = t->far_pairs;
    out->written_sectors = t->written_sectors;
    out->instructions = t->instructions;
    out->lanes = t->lanes;
    out->idle = t->idle;
    out->rounds = t->rounds;
    out->by_data = p->by_data;
    out->constant_bytes = t->constant_bytes;
    out->blocks = t->blocks;
    out->block_most = t->block_most;
    out->shared_reads = t->shared_reads;
    out->shared_passed = t->shared_passed;
    if (p->stand_for > 1) stand_for_all(p, out, t->instructions ? t->weighed / (double)t->instructions : p->stand_for);
}

void sim_places_tell(struct sim_device *dev, struct device_places *out)
{
    struct sim_places *p = &dev->places;
    *out = (struct device_places){.count = gather(p)};
    out->items = p->told;
    if (!p->view) return;
    tell_view(p, out);
    if (p->stand_for > 1) tape_reach(p->tape, 32.0 * (double)out->read_sectors, 32.0 * (double)out->written_sectors);
    out->tape = p->untaped ? NULL : p->tape;
    out->constants = &p->constants;
    out->untaped = p->untaped;
    out->content = p->content;
    if (p->expected.blocks) out->expected = &p->expected;
}
