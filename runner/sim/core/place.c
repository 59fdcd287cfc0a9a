// A worker's share of a launch: the registers, shared and local memory that its blocks use one after the other, and
// what stands in the registers when a block begins.
// SPDX-License-Identifier: MIT
#include "sim/core/place.h"

#include "base/arena.h"
#include "sass/blocks.h"
#include "sim/core/flow.h"
#include "sim/core/machine_op.h"
#include "sim/core/recorder.h"
#include "sim/core/state.h"
#include "sim/watch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET ((uint64_t)1 << 32)

size_t place_round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// Stands before each piece.
struct spare {
    struct spare *next;
    size_t room;
};
enum { LINE = 64, MOST_KEPT = 64 << 20 }; // bytes

void *place_memory(struct sim *s, size_t bytes)
{
    const size_t room = place_round_up(bytes ? bytes : 1, LINE);
    struct spare *k = NULL;
    for (struct spare **at = &s->spares; *at && !k; at = k ? at : &(*at)->next)
        if ((*at)->room >= room && (*at)->room / 2 <= room) k = *at, *at = k->next, s->spare_bytes -= k->room;
    if (!k) {
        void *p = NULL;
        if (posix_memalign(&p, LINE, room + LINE) != 0)
            return mem_alloc(SIZE_MAX / 2); // reports it and ends the program
        k = p;
        k->room = room;
    }
    return memset((unsigned char *)k + LINE, 0, bytes);
}

void place_give_back(struct sim *s, void *memory)
{
    if (!memory) return;
    struct spare *k = (struct spare *)(void *)((unsigned char *)memory - LINE);
    if (s->spare_bytes + k->room > MOST_KEPT) {
        free(k);
        return;
    }
    k->next = s->spares;
    s->spares = k;
    s->spare_bytes += k->room;
}

void place_forget(struct sim *s)
{
    for (struct spare *k = s->spares, *next; k; k = next) {
        next = k->next;
        free(k);
    }
    s->spares = NULL;
    s->spare_bytes = 0;
}

// `tid` are the lane's thread indices.
static uint64_t special_value(const struct sim_worker *wk, const struct preset *p, uint32_t warp, uint32_t lane,
    const uint32_t tid[3])
{
    const struct shared_work *k = wk->work;
    const uint32_t *block = k->launch->block, *grid = k->launch->grid;
    switch ((enum special)p->special) {
    case SPECIAL_CONSTANT: return p->bits;
    case SPECIAL_TID_X: return tid[0];
    case SPECIAL_TID_Y: return tid[1];
    case SPECIAL_TID_Z: return tid[2];
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
    case SPECIAL_CLUSTER:
    case SPECIAL_CLOCK:
    case SPECIAL_SM: return 0; // changes from block to block
    }
    return 0;
}

static bool changes(const struct preset *p)
{
    return (p->special >= SPECIAL_CTAID_X && p->special <= SPECIAL_CTAID_Z) || p->special == SPECIAL_SM ||
        p->special == SPECIAL_CLUSTER;
}

static bool differs_by_lane(const struct preset *p)
{
    return p->special == SPECIAL_LANE || (p->special >= SPECIAL_TID_X && p->special <= SPECIAL_TID_Z) ||
        (p->special >= SPECIAL_MASK_EQ && p->special <= SPECIAL_MASK_GE);
}

static void preset_warp(const struct sim_worker *wk, struct warp *w, uint32_t warp)
{
    const struct sim_kernel *k = wk->work->kernel;
    const uint32_t *block = wk->work->launch->block, from = warp * LANES;
    uint32_t tid[LANES][3];
    uint64_t v[LANES];
    for (uint32_t l = 0, x = from % block[0], y = from / block[0] % block[1], z = from / block[0] / block[1]; l < LANES;
         l++) {
        tid[l][0] = x, tid[l][1] = y, tid[l][2] = z;
        if (++x < block[0]) continue;
        x = 0;
        if (++y == block[1]) y = 0, z++;
    }
    for (size_t n = 0; n < k->preset_count; n++) {
        const struct preset *p = &k->presets[n];
        void *slot = SLOT(w, p->slot);
        v[0] = special_value(wk, p, warp, 0, tid[0]);
        if (!p->size) *(u32 *)slot = (uint32_t)v[0];
        if (!p->size) continue;
        const bool differs = differs_by_lane(p);
        for (uint32_t l = 1; l < LANES; l++) v[l] = differs ? special_value(wk, p, warp, l, tid[l]) : v[0];
        if (p->size == 8)
            for (int l = 0; l < LANES; l++) ((u64 *)slot)[l] = v[l];
        else
            for (int l = 0; l < LANES; l++) ((u32 *)slot)[l] = (uint32_t)v[l];
    }
}

void place_begin(struct sim_worker *wk, struct shared_work *work, struct site *shared)
{
    const struct sim_kernel *k = work->kernel;
    const struct sim_launch *l = work->launch;
    const uint32_t threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + LANES - 1) / LANES;
    wk->work = work;
    wk->sites = shared ? shared : place_memory(work->sim, (k->site_count + 1) * sizeof *wk->sites);
    wk->shares_sites = shared != NULL;
    if (work->sample) wk->scaled = place_memory(work->sim, (k->site_count + 1) * sizeof *wk->scaled);
    wk->params = place_memory(work->sim, k->machine ? k->bank_bytes : k->param_bytes);
    for (uint32_t n = 0; n < k->param_count && l->params; n++)
        memcpy(wk->params + k->params[n].to, (const char *)l->params + k->params[n].from, k->params[n].bytes);
    if (!k->machine && l->params && l->param_bytes)
        memcpy(wk->params, l->params, l->param_bytes < k->param_bytes ? l->param_bytes : k->param_bytes);
    wk->local = place_memory(work->sim, (size_t)k->local_bytes * warps * LANES);
    wk->frames = place_memory(work->sim, (size_t)k->frame_bytes * warps * LANES);
    const size_t stretches = k->machine ? k->machine->block_count : 0;
    wk->tallies = place_memory(work->sim, 2 * stretches * sizeof *wk->tallies);
    struct block *b = &wk->block;
    *b = (struct block){.budget = l->budget ? l->budget : DEFAULT_BUDGET,
        .seconds = l->seconds,
        .shared = place_memory(work->sim, work->all_shared),
        .shared_from = work->kernel->below,
        .shared_size = work->all_shared,
        .local_size = k->local_bytes,
        .local_stride = k->local_bytes,
        .frame_stride = k->frame_bytes,
        .params = wk->params,
        .param_size = k->machine ? k->bank_bytes : k->param_bytes,
        .warp_count = warps,
        .code = k->code,
        .kernel = k,
        .site_count = k->site_count,
        .sim = work->sim,
        .stop = l->stop,
        .ends_at = &work->ends_at,
        .random = l->schedule,
        .splits = !k->machine && !k->joint && !k->polls && !k->recurs && !k->meets,
        .tallies = wk->tallies,
        .reissued = wk->tallies + stretches};
    memcpy(b->size, l->block, sizeof b->size);
    // An odd number of cache lines apart, so that the same register of all warps does not fall into one cache set.
    b->warp_stride = k->warp_bytes + (k->warp_bytes / 64 % 2 ? 0 : 64);
    b->warps = place_memory(work->sim, (size_t)b->warp_stride * warps);
    for (uint32_t n = 0; n < warps; n++) {
        struct warp *w = block_warp(b, n);
        *w = (struct warp){.block = b,
            .sites = wk->sites,
            .index = n,
            .machine = k->machine != NULL,
            .local = wk->local + (size_t)k->local_bytes * LANES * n,
            .frame = wk->frames + (size_t)k->frame_bytes * LANES * n,
            .stacks = k->recurs ? mem_alloc(LANES * sizeof *w->stacks) : NULL};
        const uint32_t left = threads - n * LANES;
        w->start = left >= LANES ? ALL_LANES : (1u << left) - 1;
        preset_warp(wk, w, n);
        for (size_t i = 0; i < k->once_count; i++) k->once[i].run(w, &k->once[i], ALL_LANES);
    }
}

void place_end(struct sim_worker *wk)
{
    recorder_free(wk->recorder);
    watch_block_free(wk->watch);
    for (uint32_t n = 0; n < wk->block.warp_count; n++) {
        struct call_stack *stacks = block_warp(&wk->block, n)->stacks;
        for (int l = 0; stacks && l < LANES; l++) free(stacks[l].bytes);
        free(stacks);
    }
    struct sim *s = wk->work->sim;
    if (!wk->shares_sites) place_give_back(s, wk->sites);
    place_give_back(s, wk->scaled);
    place_give_back(s, wk->tallies);
    place_give_back(s, wk->params);
    place_give_back(s, wk->local);
    place_give_back(s, wk->frames);
    place_give_back(s, wk->block.shared);
    place_give_back(s, wk->block.warps);
}

static uint32_t cluster_value(const struct shared_work *work, const struct block *b, enum cluster_value which)
{
    const uint32_t *size = work->cluster;
    const uint32_t along = (uint32_t)which % 3;
    if (which < CLUSTER_GRID) return b->id[along] / size[along];
    if (which < CLUSTER_PLACE) return work->launch->grid[along] / size[along];
    if (which < CLUSTER_SIZE) return b->id[along] % size[along];
    if (which < CLUSTER_RANK) return size[along];
    if (which == CLUSTER_RANK)
        return b->id[0] % size[0] + size[0] * (b->id[1] % size[1] + size[1] * (b->id[2] % size[2]));
    if (which == CLUSTER_COUNT) return size[0] * size[1] * size[2];
    if (which == CLUSTER_EXPLICIT) return work->clusters;
    if (which >= CLUSTER_INVERSE) {
        const float one = 1 / (float)size[along];
        uint32_t bits;
        return memcpy(&bits, &one, 4), bits;
    }
    return (uint32_t)(which == CLUSTER_WORKSPACE_HIGH ? work->workspace >> 32 : work->workspace);
}

static uint32_t block_value(const struct sim_worker *wk, const struct preset *p)
{
    if (p->special == SPECIAL_SM) return 0;
    if (p->special == SPECIAL_CLUSTER) return cluster_value(wk->work, &wk->block, (enum cluster_value)p->bits);
    return wk->block.id[p->special - SPECIAL_CTAID_X];
}

enum { TOGETHER = 4 }; // neighbours among the blocks that are watched, since neighbours share borders

// Some of every part of the grid, and its last blocks, which have the borders.
bool place_is_watched(const struct shared_work *work, uint64_t n)
{
    const uint64_t most = work->watched;
    if (work->blocks <= most) return true;
    const uint64_t parts = most / TOGETHER;
    return parts && (n % (work->blocks / parts + 1) < TOGETHER || n + TOGETHER >= work->blocks);
}

void place_block(struct sim_worker *wk, uint64_t linear)
{
    const struct sim_kernel *k = wk->work->kernel;
    const uint32_t *grid = wk->work->launch->grid;
    struct block *b = &wk->block;
    b->linear = linear;
    b->id[0] = (uint32_t)(linear % grid[0]);
    b->id[1] = (uint32_t)(linear / grid[0] % grid[1]);
    b->id[2] = (uint32_t)(linear / grid[0] / grid[1]);
    const uint64_t spent = b->spent; // by the block before this one
    b->spent = 0;
    b->began = 0;
    b->ended = false;
    b->vain = b->idle = 0;
    for (uint32_t n = 0; wk->work->launch->fill && n < wk->work->all_shared / 4; n++)
        memcpy(b->shared + 4 * n, &wk->work->launch->fill, 4);
    for (size_t n = 0; wk->work->launch->fill && n < (size_t)k->local_bytes * LANES * b->warp_count / 4; n++)
        memcpy(wk->local + 4 * n, &wk->work->launch->fill, 4);
    b->rank = cluster_value(wk->work, b, CLUSTER_RANK);
    b->pause_at = b->budget < (uint64_t)1 << 20 ? b->budget : (uint64_t)1 << 20;
    b->view = wk->work->launch->view;
    b->view_pause = b->pause_at;
    b->recorder = wk->recorder && recorder_wants(wk->recorder, linear) ? wk->recorder : NULL;
    if (b->recorder) recorder_block(b->recorder, linear);
    if (b->view || b->recorder) b->pause_at = 0;
    memset(b->barriers, 0, sizeof b->barriers);
    for (size_t n = 0; n < k->preset_count; n++) {
        const struct preset *p = &k->presets[n];
        if (!changes(p)) continue;
        const uint32_t v = block_value(wk, p);
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
        for (int l = 0; w->stacks && l < LANES; l++) w->stacks[l].used = 0; // lanes may have ended inside a call
        if (k->alloca_slot) memset(SLOT(w, k->alloca_slot), 0, LANES * sizeof(u32));
        if (w->stacks && k->depth_slot) memset(SLOT(w, k->depth_slot), 0, LANES * sizeof(u32));
    }
    b->watch = wk->watch && place_is_watched(wk->work, linear) ? wk->watch : NULL;
    if (b->watch) watch_block_start(b->watch, spent);
    if (!b->stop || !*b->stop) return;
    b->fault = (struct sim_fault){.kind = SIM_STOPPED};
    snprintf(b->fault.what, sizeof b->fault.what, "stopped before block (%u,%u,%u)", b->id[0], b->id[1], b->id[2]);
}
