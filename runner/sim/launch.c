// Runs a grid: worker threads take blocks in chunks, each with registers, shared memory and counters of its own.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/flow.h"
#include "sim/state.h"
#include "sim/tables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 1024u
#define MOST_SHARED (227u << 10)
#define MOST_PARAMS 32764u
#define DEFAULT_BUDGET ((uint64_t)1 << 32)
#define CHUNK 64

struct shared_work {
    struct sim *sim;
    const struct sim_kernel *kernel;
    const struct sim_launch *launch;
    uint64_t blocks, next, chunk;
    volatile uint64_t ends_at;
    uint32_t static_shared, shared_size; // with the dynamic part
    uint32_t reserved_start, all_shared; // with the system's part
};

struct sim_worker {
    struct shared_work *work;
    struct block block;
    struct site *sites;
    unsigned char *params, *local, *frames;
    pthread_t thread;
};

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

static void *aligned(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, round_up(bytes ? bytes : 1, 64)) != 0)
        return mem_alloc(SIZE_MAX / 2); // reports it and ends the program
    memset(p, 0, bytes);
    return p;
}

static uint64_t special_value(const struct sim_worker *wk, const struct preset *p, uint32_t warp, uint32_t lane)
{
    const struct shared_work *k = wk->work;
    const uint32_t *block = k->launch->block, *grid = k->launch->grid, t = warp * LANES + lane;
    switch ((enum special)p->special) {
    case SPECIAL_CONSTANT: return p->bits;
    case SPECIAL_TID_X: return t % block[0];
    case SPECIAL_TID_Y: return t / block[0] % block[1];
    case SPECIAL_TID_Z: return t / block[0] / block[1];
    case SPECIAL_NTID_X: return block[0];
    case SPECIAL_NTID_Y: return block[1];
    case SPECIAL_NTID_Z: return block[2];
    case SPECIAL_NCTAID_X: return grid[0];
    case SPECIAL_NCTAID_Y: return grid[1];
    case SPECIAL_NCTAID_Z: return grid[2];
    case SPECIAL_LANE: return lane;
    case SPECIAL_WARP: return warp;
    case SPECIAL_WARPS: return wk->block.warp_count;
    case SPECIAL_MASK_EQ: return 1u << lane;
    case SPECIAL_MASK_LT: return (1u << lane) - 1;
    case SPECIAL_MASK_LE: return (2u << lane) - 1;
    case SPECIAL_MASK_GT: return (uint32_t) ~((2u << lane) - 1);
    case SPECIAL_MASK_GE: return (uint32_t) ~((1u << lane) - 1);
    case SPECIAL_DYNAMIC_SHARED: return k->launch->dynamic_shared;
    case SPECIAL_TOTAL_SHARED: return k->shared_size;
    case SPECIAL_DYNAMIC_START: return k->static_shared + p->bits;
    case SPECIAL_RESERVED: return k->reserved_start + p->bits;
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z:
    case SPECIAL_SM: return 0; // changes from block to block
    }
    return 0;
}

static bool changes(const struct preset *p)
{
    return (p->special >= SPECIAL_CTAID_X && p->special <= SPECIAL_CTAID_Z) || p->special == SPECIAL_SM;
}

static void preset_warp(const struct sim_worker *wk, struct warp *w, uint32_t warp)
{
    const struct sim_kernel *k = wk->work->kernel;
    for (size_t n = 0; n < k->preset_count; n++) {
        const struct preset *p = &k->presets[n];
        void *slot = SLOT(w, p->slot);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint64_t v = special_value(wk, p, warp, l);
            if (p->size == 8) ((u64 *)slot)[l] = v;
            else if (p->size) ((u32 *)slot)[l] = (uint32_t)v;
            else *(u32 *)slot = (uint32_t)v;
        }
    }
}

static void start_worker(struct sim_worker *wk, struct shared_work *work)
{
    const struct sim_kernel *k = work->kernel;
    const struct sim_launch *l = work->launch;
    const uint32_t threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + LANES - 1) / LANES;
    wk->work = work;
    wk->sites = aligned((k->site_count + 1) * sizeof *wk->sites);
    wk->params = aligned(k->param_bytes);
    if (l->params && l->param_bytes)
        memcpy(wk->params, l->params, l->param_bytes < k->param_bytes ? l->param_bytes : k->param_bytes);
    wk->local = aligned((size_t)k->local_bytes * warps * LANES);
    wk->frames = aligned((size_t)k->frame_bytes * warps * LANES);
    struct block *b = &wk->block;
    *b = (struct block){.budget = l->budget ? l->budget : DEFAULT_BUDGET,
        .shared = aligned(work->all_shared),
        .shared_size = work->all_shared,
        .local_size = k->local_bytes,
        .local_stride = k->local_bytes,
        .frame_stride = k->frame_bytes,
        .params = wk->params,
        .param_size = k->param_bytes,
        .warp_count = warps,
        .code = k->code,
        .sim = work->sim,
        .stop = l->stop,
        .ends_at = &work->ends_at};
    memcpy(b->size, l->block, sizeof b->size);
    // An odd number of cache lines apart, so that the same register of all warps does not fall into one cache set.
    b->warp_stride = k->warp_bytes + (k->warp_bytes / 64 % 2 ? 0 : 64);
    b->warps = aligned((size_t)b->warp_stride * warps);
    for (uint32_t n = 0; n < warps; n++) {
        struct warp *w = block_warp(b, n);
        *w = (struct warp){.block = b,
            .sites = wk->sites,
            .index = n,
            .local = wk->local + (size_t)k->local_bytes * LANES * n,
            .frame = wk->frames + (size_t)k->frame_bytes * LANES * n};
        const uint32_t left = threads - n * LANES;
        w->start = left >= LANES ? ALL_LANES : (1u << left) - 1;
        preset_warp(wk, w, n);
        for (size_t i = 0; i < k->once_count; i++) k->once[i].run(w, &k->once[i], ALL_LANES);
    }
}

static void end_worker(struct sim_worker *wk)
{
    free(wk->sites);
    free(wk->params);
    free(wk->local);
    free(wk->frames);
    free(wk->block.shared);
    free(wk->block.warps);
}

static void place_block(struct sim_worker *wk, uint64_t linear)
{
    const struct sim_kernel *k = wk->work->kernel;
    const uint32_t *grid = wk->work->launch->grid;
    struct block *b = &wk->block;
    b->linear = linear;
    b->id[0] = (uint32_t)(linear % grid[0]);
    b->id[1] = (uint32_t)(linear / grid[0] % grid[1]);
    b->id[2] = (uint32_t)(linear / grid[0] / grid[1]);
    b->spent = 0;
    b->pause_at = b->budget < (uint64_t)1 << 20 ? b->budget : (uint64_t)1 << 20;
    memset(b->barriers, 0, sizeof b->barriers);
    for (size_t n = 0; n < k->preset_count; n++) {
        const struct preset *p = &k->presets[n];
        if (!changes(p)) continue;
        const uint32_t v = p->special == SPECIAL_SM ? 0 : b->id[p->special - SPECIAL_CTAID_X];
        for (uint32_t warp = 0; warp < b->warp_count; warp++) {
            void *slot = SLOT(block_warp(b, warp), p->slot);
            if (p->size == 8)
                for (int l = 0; l < LANES; l++) ((u64 *)slot)[l] = v;
            else
                for (int l = 0; l < LANES; l++) ((u32 *)slot)[l] = v;
        }
    }
    for (uint32_t n = 0; n < b->warp_count; n++) {
        struct warp *w = block_warp(b, n);
        flow_start(w, k->code + k->start, w->start);
    }
}

// After a fault the blocks before it still run: the first fault of the grid is reported, whatever order the threads
// had.
static void note_fault(struct shared_work *work, uint64_t block)
{
    uint64_t at = __atomic_load_n(&work->ends_at, __ATOMIC_RELAXED);
    while (block < at &&
        !__atomic_compare_exchange_n(&work->ends_at, &at, block, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void *run_worker(void *arg)
{
    struct sim_worker *wk = arg;
    struct shared_work *work = wk->work;
    for (;;) {
        const uint64_t from = __atomic_fetch_add(&work->next, work->chunk, __ATOMIC_RELAXED);
        if (from >= work->blocks) return NULL;
        const uint64_t to = from + work->chunk < work->blocks ? from + work->chunk : work->blocks;
        for (uint64_t n = from; n < to; n++) {
            if (n > __atomic_load_n(&work->ends_at, __ATOMIC_RELAXED)) return NULL;
            place_block(wk, n);
            if (wk->block.stop && *wk->block.stop) {
                wk->block.fault = (struct sim_fault){.kind = SIM_STOPPED};
                snprintf(wk->block.fault.what, sizeof wk->block.fault.what, "stopped before block (%u,%u,%u)",
                    wk->block.id[0], wk->block.id[1], wk->block.id[2]);
            }
            if (wk->block.fault.kind != SIM_OK || !flow_run_block(&wk->block)) {
                note_fault(work, n);
                return NULL;
            }
        }
    }
}

static void add_site(struct sim_counts *c, const struct sim_tally t[3], enum access_kind kind)
{
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
}

static void collect(const struct shared_work *work, const struct sim_worker *workers, int count,
    struct sim_counts *counts)
{
    const struct sim_kernel *k = work->kernel;
    memset(counts, 0, sizeof *counts);
    for (int n = 0; n < count; n++) {
        counts->reads_clock |= workers[n].block.reads_clock;
        counts->undefined_shuffles += workers[n].block.undefined_shuffles;
        counts->parted_loops += workers[n].block.parted_loops;
    }
    memset(k->tallies, 0, k->site_count * sizeof *k->tallies);
    for (size_t s = 0; s < k->site_count; s++) {
        struct sim_tally *sum = k->tallies[s];
        for (int n = 0; n < count; n++)
            for (int space = 0; space < 3; space++) {
                const struct sim_tally *t = &workers[n].sites[s].tally[space];
                sum[space].requests += t->requests;
                sum[space].units += t->units;
                sum[space].conflicts += t->conflicts;
                sum[space].lanes += t->lanes;
                sum[space].executed += t->executed;
            }
        add_site(counts, sum, (enum access_kind)k->site_insts[s]->memory->kind);
        const struct memory_op *op = k->site_insts[s]->memory;
        if (op->kind >= ACCESS_ATOMIC && (op->type == ATOMIC_F16 || op->type == ATOMIC_BF16 || op->type == ATOMIC_B16))
            counts->half_atomics += sum[SPACE_GLOBAL].requests + sum[SPACE_SHARED].requests;
        if (op->loops) counts->loop_wavefronts += sum[SPACE_SHARED].units;
    }
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
    if (shared > MOST_SHARED) return refuse(fault, "bytes of shared memory in a block", shared, MOST_SHARED);
    if (k->param_bytes > MOST_PARAMS) return refuse(fault, "bytes of parameters", k->param_bytes, MOST_PARAMS);
    if (l->param_bytes < k->param_bytes) {
        *fault = (struct sim_fault){.kind = SIM_BAD_LAUNCH};
        snprintf(fault->what, sizeof fault->what, "%zu bytes of parameters, but the kernel takes %u", l->param_bytes,
            k->param_bytes);
        return false;
    }
    return true;
}

bool sim_launch(struct sim *sim, const struct sim_kernel *k, const struct sim_launch *l, struct sim_counts *counts,
    struct sim_fault *fault)
{
    *fault = (struct sim_fault){0};
    sim->printed = 0;
    struct shared_work work = {.sim = sim, .kernel = k, .launch = l, .ends_at = UINT64_MAX};
    work.static_shared = (uint32_t)round_up(k->shared_bytes, k->dynamic_align);
    const uint64_t shared = (uint64_t)(l->dynamic_shared ? work.static_shared : k->shared_bytes) + l->dynamic_shared;
    if (!admit(k, l, shared, fault)) return false;
    work.shared_size = work.all_shared = (uint32_t)shared;
    work.reserved_start = (uint32_t)round_up(shared, 128);
    if (k->reserved_bytes) work.all_shared = work.reserved_start + k->reserved_bytes;
    work.blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    int threads = sim->threads;
    if ((uint64_t)threads > work.blocks) threads = (int)work.blocks;
    work.chunk = work.blocks / (uint64_t)threads / 8;
    work.chunk = work.chunk < 1 ? 1 : work.chunk > CHUNK ? CHUNK : work.chunk;
    struct sim_worker *workers = aligned((size_t)threads * sizeof *workers);
    int running = 0;
    for (int n = 0; n < threads; n++) start_worker(&workers[n], &work);
    for (int n = 1; n < threads; n++, running++) // with fewer threads than wanted it only takes longer
        if (pthread_create(&workers[n].thread, NULL, run_worker, &workers[n]) != 0) break;
    run_worker(&workers[0]);
    for (int n = 1; n <= running; n++) pthread_join(workers[n].thread, NULL);
    collect(&work, workers, threads, counts);
    uint64_t first = UINT64_MAX;
    for (int n = 0; n < threads; n++)
        if (workers[n].block.fault.kind != SIM_OK && workers[n].block.linear < first) {
            first = workers[n].block.linear;
            *fault = workers[n].block.fault;
        }
    for (int n = 0; n < threads; n++) end_worker(&workers[n]);
    free(workers);
    return fault->kind == SIM_OK;
}
