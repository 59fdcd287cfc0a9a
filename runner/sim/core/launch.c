// Runs a grid: worker threads take blocks in chunks, each with registers, shared memory and counters of its own.
// SPDX-License-Identifier: MIT
#include "sass/blocks.h"
#include "sim/core/access.h"
#include "sim/core/fault.h"
#include "sim/core/flow.h"
#include "sim/core/machine_op.h"
#include "sim/core/place.h"
#include "sim/core/residents.h"
#include "sim/core/sample.h"
#include "sim/core/state.h"
#include "sim/core/look.h"
#include "sim/core/recorder.h"
#include "sim/watch/watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 1024u
#define MOST_SHARED (227u << 10)
#define MOST_PARAMS 32764u
#define CHUNK 64

// After a fault the blocks before it still run: the first fault of the grid is reported, whatever order the threads
// had.
static void note_fault(struct shared_work *work, uint64_t block)
{
    uint64_t at = __atomic_load_n(&work->ends_at, __ATOMIC_RELAXED);
    while (block < at &&
        !__atomic_compare_exchange_n(&work->ends_at, &at, block, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void add_site(struct sim_counts *, const struct sim_tally[3], const struct memory_op *);

// Takes down what the block did, apart from all others.
static void note_pick(struct sim_worker *wk, size_t pick)
{
    struct sample_set *sample = wk->work->sample;
    const struct sim_kernel *k = wk->work->kernel;
    struct sim_counts *seen = &sample->seen[pick];
    struct block *b = &wk->block;
    for (size_t s = 0; s < k->site_count; s++) {
        struct sim_tally *t = wk->sites[s].tally;
        access_settle(&wk->sites[s]);
        if (wk->work->in_registers) t[SPACE_LOCAL] = (struct sim_tally){0};
        add_site(seen, t, k->site_insts[s]->memory);
        for (int space = 0; space < 3; space++) {
            const uint64_t all[5] = {
                t[space].requests, t[space].units, t[space].conflicts, t[space].lanes, t[space].executed};
            for (int n = 0; n < 5; n++) wk->scaled[s][space][n] += sample->picks[pick].weight * (double)all[n];
            t[space] = (struct sim_tally){0};
        }
    }
    seen->undefined_shuffles = b->undefined_shuffles, seen->remote = b->remote;
    seen->stacked_calls = b->stacked_calls, seen->heap_calls = b->heap_calls, seen->waits = b->waits;
    b->undefined_shuffles = b->remote = b->stacked_calls = b->heap_calls = b->waits = 0;
    sample->spent[pick] = b->spent;
}

// False: the worker has nothing more to do.
static bool run_block(struct sim_worker *wk, uint64_t n)
{
    struct shared_work *work = wk->work;
    struct block *b = &wk->block;
    const uint64_t linear = work->sample ? work->sample->picks[n].block : n;
    if (b->fault.kind != SIM_OK) return false;
    if (linear > __atomic_load_n(&work->ends_at, __ATOMIC_RELAXED)) return true;
    place_block(wk, linear);
    wk->ran++;
    if (b->fault.kind == SIM_OK && flow_run_block(b)) {
        const double weight = work->sample ? work->sample->picks[n].weight : 1;
        if (b->recorder) recorder_block_end(b->recorder, b, weight);
        if (b->view) look_weigh(b->view, weight);
        if (work->sample) note_pick(wk, (size_t)n);
        return true;
    }
    note_fault(work, linear);
    return false;
}

static void *run_worker(void *arg)
{
    struct sim_worker *wk = arg;
    struct shared_work *work = wk->work;
    for (;;) {
        const uint64_t from = __atomic_fetch_add(&work->next, work->chunk, __ATOMIC_RELAXED);
        if (from >= work->count) return NULL;
        const uint64_t to = from + work->chunk < work->count ? from + work->chunk : work->count;
        for (uint64_t n = from; n < to; n++) {
            if (work->watched_first && place_is_watched(work, n)) continue;
            if (work->recorded_first && model_wants(work->launch->model, n)) continue;
            if (!run_block(wk, (work->start + n * work->factor) % work->count)) return NULL;
        }
    }
}

static void add_site(struct sim_counts *c, const struct sim_tally t[3], const struct memory_op *op)
{
    const enum access_kind kind = (enum access_kind)op->kind;
    const struct sim_tally *g = &t[SPACE_GLOBAL], *s = &t[SPACE_SHARED], *l = &t[SPACE_LOCAL];
    switch (kind) {
    case ACCESS_LOAD: c->ld_requests += g->requests, c->ld_sectors += g->units; break;
    case ACCESS_STORE: c->st_requests += g->requests, c->st_sectors += g->units; break;
    case ACCESS_ATOMIC: c->atom_requests += g->requests, c->atom_sectors += g->units; break;
    default: c->red_requests += g->requests, c->red_sectors += g->units; break;
    }
    if (kind == ACCESS_LOAD) c->local_ld_requests += l->requests, c->local_ld_sectors += l->units;
    else c->local_st_requests += l->requests, c->local_st_sectors += l->units;
    if (kind == ACCESS_LOAD) {
        c->shared_ld_requests += s->requests, c->shared_ld_wavefronts += s->units,
            c->shared_ld_conflicts += s->conflicts;
    } else if (kind == ACCESS_STORE) {
        c->shared_st_requests += s->requests, c->shared_st_wavefronts += s->units,
            c->shared_st_conflicts += s->conflicts;
    } else {
        c->shared_atom_requests += s->requests, c->shared_atom_wavefronts += s->units,
            c->shared_atom_conflicts += s->conflicts;
    }
    for (int k = 0; k < 3; k++) c->accesses += t[k].executed, c->lanes += t[k].lanes;
    if (kind >= ACCESS_ATOMIC) c->unsure_atomics += g->conflicts;
    const bool halves = op->type == ATOMIC_F16 || op->type == ATOMIC_BF16 || op->type == ATOMIC_B16;
    if (op->loops && halves) c->half_atomics += t[SPACE_GLOBAL].requests;
    if (op->loops || op->spins) c->loop_wavefronts += t[SPACE_SHARED].units;
}

static uint64_t whole(double x) { return (uint64_t)(x + 0.5); }

// By site, of blocks that stand for others.
static void scale_sites(const struct sim_kernel *k, const struct sim_worker *workers, int count)
{
    for (size_t s = 0; s < k->site_count; s++)
        for (int space = 0; space < 3; space++) {
            double sum[5] = {0};
            for (int n = 0; n < count; n++)
                for (int i = 0; i < 5; i++) sum[i] += workers[n].scaled[s][space][i];
            k->tallies[s][space] =
                (struct sim_tally){whole(sum[0]), whole(sum[1]), whole(sum[2]), whole(sum[3]), whole(sum[4])};
        }
}

// What a block does if each of its accesses happens once, with as many sectors or wavefronts as there are lanes.
static struct sim_counts could_count(const struct sim_kernel *k, uint64_t warps)
{
    struct sim_counts could = {0};
    for (size_t s = 0; s < k->site_count; s++) {
        const struct sim_tally worst = {warps, warps * LANES, warps * LANES, warps * LANES, warps};
        const uint8_t space = k->site_insts[s]->space;
        struct sim_tally t[3] = {0};
        for (int n = 0; n < 3; n++)
            if (space == n || space == SPACE_GENERIC) t[n] = worst;
        add_site(&could, t, k->site_insts[s]->memory);
    }
    return could;
}

// How often each stretch of machine code was done, and what that makes of instructions.
static void add_stretches(const struct sim_kernel *k, const struct sim_worker *workers, int count, struct sim_counts *c)
{
    const size_t n = k->machine->block_count;
    memset(k->stretches, 0, n * sizeof *k->stretches);
    for (size_t s = 0; s < n; s++) {
        const struct sass_block *b = &k->machine->blocks[s];
        for (int w = 0; w < count; w++) {
            const struct machine_tally *t = &workers[w].tallies[s], *again = &workers[w].tallies[n + s];
            k->stretches[s].times += t->times, k->stretches[s].lanes += t->lanes;
            c->instructions += t->times * b->count + again->times;
            c->lane_instructions += t->lanes * b->count + again->lanes;
            for (int p = 0; p < SASS_PIPES; p++) c->issued[p] += t->times * b->pipe[p];
            c->issued[SASS_PIPE_CBU] += again->times;
        }
    }
    for (int w = 0; w < count; w++) c->parted += workers[w].block.parted;
}

static uint32_t stack_bytes(const struct sim_kernel *k, size_t site)
{
    const struct inst *i = k->site_insts[site];
    return !i->memory->on_stack ? 0 : i->elem == ELEM_32 ? 4u * i->vector : i->elem >= ELEM_U16 ? 2 : 1;
}

// Spilled registers lie above the arrays of a thread. They begin where the code above moves as many bytes as the
// compiler has told.
static void add_spills(const struct sim_kernel *k, int told, struct sim_counts *c)
{
    int64_t from = INT64_MAX;
    int bytes = 0;
    while (bytes < told) {
        int64_t next = -1;
        for (size_t s = 0; s < k->site_count; s++) {
            const int64_t at = k->site_insts[s]->offset;
            if (stack_bytes(k, s) && at < from && at > next) next = at;
        }
        if (next < 0) break;
        from = next, bytes = 0;
        for (size_t s = 0; s < k->site_count; s++)
            if (k->site_insts[s]->offset >= from) bytes += (int)stack_bytes(k, s);
    }
    c->spills_unknown += bytes != told;
    for (size_t s = 0; s < k->site_count; s++)
        if (stack_bytes(k, s) && k->site_insts[s]->offset >= from)
            c->spilled_sectors += k->tallies[s][SPACE_LOCAL].units;
}

static void collect(const struct shared_work *work, const struct sim_worker *workers, int count,
    struct sim_counts *counts)
{
    const struct sim_kernel *k = work->kernel;
    memset(counts, 0, sizeof *counts);
    for (int n = 0; n < count; n++) {
        counts->reads_clock |= workers[n].block.reads_clock;
        counts->undefined_shuffles += workers[n].block.undefined_shuffles;
        counts->remote += workers[n].block.remote;
        counts->stacked_calls += workers[n].block.stacked_calls;
        counts->heap_calls += workers[n].block.heap_calls;
        counts->waits += workers[n].block.waits;
    }
    if (k->machine && !work->sample) add_stretches(k, workers, count, counts);
    memset(k->tallies, 0, k->site_count * sizeof *k->tallies);
    for (size_t s = 0; s < k->site_count; s++) {
        struct sim_tally *sum = k->tallies[s];
        for (int n = 0; n < count; n++) {
            access_settle(&workers[n].sites[s]); // where workers share it, the first does it
            for (int space = 0; space < 3 && !workers[n].shares_sites; space++) {
                if (space == SPACE_LOCAL && work->in_registers) continue;
                const struct sim_tally *t = &workers[n].sites[s].tally[space];
                sum[space].requests += t->requests;
                sum[space].units += t->units;
                sum[space].conflicts += t->conflicts;
                sum[space].lanes += t->lanes;
                sum[space].executed += t->executed;
            }
        }
        add_site(counts, sum, k->site_insts[s]->memory);
    }
    if (k->machine && !work->sample) add_spills(k, work->launch->spill_bytes, counts);
    if (!work->sample) return;
    const struct sim_counts could = could_count(k, workers[0].block.warp_count);
    scale_sites(k, workers, count);
    sample_conclude(work->sample, &k->depend, &could, counts, &work->launch->sampled->within);
    work->launch->sampled->blocks = work->count;
}

uint32_t sim_kernel_shared(const struct sim_kernel *k) { return k->shared_bytes; }

const char *sim_beyond_model(const struct sim_kernel *k)
{
    return k->machine ? "it is counted by its machine code, of which the model has no records" : k->beyond_model;
}

bool sim_oblivious(const struct sim_kernel *k) { return !k->depend.data && !k->polls; }

// Where it can be, some blocks run in place of all.
static void take_sample(struct shared_work *work, struct sample_set *sample)
{
    const struct sim_launch *l = work->launch;
    if (!l->sample || !l->sampled) return;
    l->sampled->whole = work->together ? "the blocks of a cluster run together"
        : l->cooperative               ? "the blocks of a cooperative grid wait for each other"
        : work->kernel->polls          ? "a block waits for what another one writes"
        : work->kernel->depend.others  ? "what an atomic gave decides where a block goes or what it asks for"
        : !sample_choose(sample, l->grid, l->sample, l->view && l->sample <= LOOK_FEW) ? "there are hardly more"
                                                                                       : NULL;
    if (l->sampled->whole) return;
    work->sample = sample;
    work->count = sample->count;
}

static bool refuse(struct sim_fault *fault, const char *what, unsigned long long got, unsigned long long most)
{
    *fault = (struct sim_fault){.kind = SIM_BAD_LAUNCH};
    snprintf(fault->what, sizeof fault->what, "%s: %llu, where a device takes at most %llu", what, got, most);
    return false;
}

static bool admit(const struct sim_kernel *k, const struct sim_launch *l, uint64_t shared, struct sim_fault *fault)
{
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    for (int n = 0; n < 3; n++)
        if (!l->grid[n] || !l->block[n]) {
            *fault = (struct sim_fault){.kind = SIM_BAD_LAUNCH};
            snprintf(fault->what, sizeof fault->what, "a grid or block without threads");
            return false;
        }
    if (l->block[0] > MOST_THREADS || l->block[1] > MOST_THREADS || l->block[2] > 64 || threads > MOST_THREADS)
        return refuse(fault, "threads in a block", threads, MOST_THREADS);
    if (l->grid[0] > INT32_MAX) return refuse(fault, "blocks along x", l->grid[0], INT32_MAX);
    if (l->grid[1] > 65535 || l->grid[2] > 65535)
        return refuse(fault, "blocks along y or z", l->grid[1] > 65535 ? l->grid[1] : l->grid[2], 65535);
    if (shared - k->below > MOST_SHARED) return refuse(fault, "bytes of shared memory in a block", shared, MOST_SHARED);
    if (k->param_bytes > MOST_PARAMS) return refuse(fault, "bytes of parameters", k->param_bytes, MOST_PARAMS);
    if (l->param_bytes < k->param_bytes) {
        *fault = (struct sim_fault){.kind = SIM_BAD_LAUNCH};
        snprintf(fault->what, sizeof fault->what, "%zu bytes of parameters, but the kernel takes %u", l->param_bytes,
            k->param_bytes);
        return false;
    }
    return true;
}

static uint64_t common(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

// In which order the blocks run, and by how many threads. Where blocks are watched from both sides, or the order is to
// be the same again, one after the other. A block that waits for an earlier one must not come before it.
static int order_work(struct shared_work *work)
{
    const struct sim_launch *l = work->launch;
    const bool watch = l->watch && l->races && !work->sample, all = work->blocks <= work->watched;
    work->factor = 1;
    work->watched_first = watch && !all && !work->kernel->polls && !l->schedule;
    if (l->schedule && !work->kernel->polls) {
        work->start = l->schedule * 0x9e3779b97f4a7c15u % work->count;
        work->factor = (l->schedule * 0xd1342543de82ef95u >> 33) % work->count | 1;
        while (common(work->factor, work->count) != 1) work->factor += 2;
    }
    work->recorded_first = l->model && !work->kernel->polls;
    if (l->view || l->schedule || l->fill || work->kernel->takes_memory || (watch && !work->watched_first)) return 1;
    if (l->model && work->kernel->polls) return 1;
    return (uint64_t)work->sim->threads > work->count ? (int)work->count : work->sim->threads;
}

// Where blocks go by what others did, what a block makes known to another is only known if all are watched.
static uint32_t how_many_watched(const struct shared_work *work)
{
    const uint32_t most = work->launch->watch;
    if (!most || work->blocks <= most || work->blocks > WATCH_KNOWN) return most;
    return work->kernel->polls || work->kernel->depend.others ? WATCH_KNOWN : most;
}

static void watch_worker(struct sim_worker *wk, bool first)
{
    struct shared_work *work = wk->work;
    const struct sim_launch *l = work->launch;
    if (!l->watch || !l->races || work->sample) return;
    struct sim *s = work->sim;
    if (!s->watch) s->watch = watch_new();
    if (first) watch_launch(s->watch, work->kernel, work->blocks, work->watched, work->together, l->stale, l->races);
    wk->watch = watch_block_new(s->watch, work->shared_size, work->kernel->local_bytes, wk->block.warp_count);
}

// In their order, by one thread: what the model says must not hang on how many there are.
static void run_recorded(struct sim_worker *wk)
{
    struct shared_work *work = wk->work;
    for (uint64_t n = 0; work->recorded_first && n < work->blocks; n++)
        if (model_wants(work->launch->model, n) && !run_block(wk, n)) return;
}

static void run_watched(struct sim_worker *wk)
{
    struct shared_work *work = wk->work;
    for (uint64_t n = 0; work->watched_first && n < work->blocks; n++)
        if (place_is_watched(work, n) && !(work->recorded_first && model_wants(work->launch->model, n)) &&
            !run_block(wk, n))
            return;
}

bool sim_launch(struct sim *sim, const struct sim_kernel *k, const struct sim_launch *l, struct sim_counts *counts,
    struct sim_fault *fault)
{
    *fault = (struct sim_fault){0};
    sim->printed = 0;
    struct shared_work work = {.sim = sim, .kernel = k, .launch = l, .ends_at = UINT64_MAX};
    // Functions that are called have a stack of their own, and so has what alloca takes.
    work.in_registers = l->in_registers && !k->machine && !k->calls && !k->alloca_slot;
    work.static_shared = (uint32_t)place_round_up(k->shared_bytes, k->dynamic_align);
    const uint64_t shared = (uint64_t)(l->dynamic_shared ? work.static_shared : k->shared_bytes) + l->dynamic_shared;
    if (!admit(k, l, shared, fault)) return false;
    work.shared_size = work.all_shared = (uint32_t)shared;
    work.reserved_start = (uint32_t)place_round_up(shared, 128);
    if (k->reserved_bytes) work.all_shared = work.reserved_start + k->reserved_bytes;
    work.blocks = work.count = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (l->sampled) *l->sampled = (struct sim_sampled){0};
    if (!residents_admit(&work, fault)) return false;
    if (l->view) look_launch(l->view, k, work.blocks);
    struct sample_set sample = {0};
    take_sample(&work, &sample);
    work.watched = how_many_watched(&work);
    const uint64_t residents = residents_count(&work);
    const int threads = residents ? (int)residents : order_work(&work);
    work.chunk = work.count / (uint64_t)threads / 8;
    work.chunk = work.chunk < 1 ? 1 : work.chunk > CHUNK ? CHUNK : work.chunk;
    struct sim_worker *workers = place_memory(sim, (size_t)threads * sizeof *workers);
    int running = 0;
    for (int n = 0; n < threads; n++) place_begin(&workers[n], &work, residents && n ? workers[0].sites : NULL);
    for (int n = 0; n < threads; n++) workers[n].block.alone = residents || threads == 1;
    for (int n = 0; n < (residents ? threads : 1); n++) watch_worker(&workers[n], n == 0);
    if ((l->tape || (l->model && !work.sample)) && !residents)
        workers[0].recorder =
            recorder_new(work.sample ? NULL : l->model, l->tape, k, workers[0].block.warp_count, work.in_registers);
    if (!workers[0].recorder) work.recorded_first = false;
    if (residents) residents_run(workers, residents);
    else {
        run_recorded(&workers[0]);
        run_watched(&workers[0]);
    }
    const bool parts = l->first_only && work.recorded_first && !residents;
    if (parts) l->sampled->blocks = workers[0].ran;
    for (int n = 1; !residents && !parts && n < threads; n++, running++) // with fewer threads it only takes longer
        if (pthread_create(&workers[n].thread, NULL, run_worker, &workers[n]) != 0) break;
    if (!residents && !parts) run_worker(&workers[0]);
    for (int n = 1; n <= running; n++) pthread_join(workers[n].thread, NULL);
    if (sim->watch) watch_ends(sim->watch);
    collect(&work, workers, threads, counts);
    uint64_t first = UINT64_MAX;
    for (int n = 0; n < threads; n++)
        if (workers[n].block.fault.kind != SIM_OK && workers[n].block.linear < first) {
            first = workers[n].block.linear;
            *fault = workers[n].block.fault;
        }
    if (fault->kind != SIM_OK) fault_add_cause(fault, k, l);
    for (int n = 0; n < threads; n++) place_end(&workers[n]);
    place_give_back(sim, workers);
    sample_release(&sample);
    if (work.workspace) sim_release(sim, work.workspace);
    return fault->kind == SIM_OK;
}
