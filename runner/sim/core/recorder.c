// From a block's instructions to the model's records.
// SPDX-License-Identifier: MIT
#include "sim/core/recorder.h"

#include "base/arena.h"
#include "sim/core/look.h"
#include "sim/core/state.h"
#include "sass/blocks.h"
#include "sim/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 16, BOARDS = 16, DEPTHS = 64, CHAIN = 3, SWAPPED = 16 };
#define LOCAL_LINES ((uint64_t)1 << 39) // where local memory is taken to lie: by blocks that are there together

struct recorded_warp {
    uint32_t loads, needed, waited; // counted from 1: made; that something used; that the model was told to wait for
    uint32_t commits, commit[GROUPS];
    const struct inst *head;
    uint32_t *made;        // by result: which load
    uint8_t depth[DEPTHS]; // of the last loads: how many, one by the other, say where it is
    // Machine code.
    const struct sass_block *stretch;
    uint32_t step;  // of the stretch: up to here the model knows
    bool asked;     // it has been told what this step waits for
    uint64_t clock; // what the warp has worked
    struct board {
        uint64_t ready;                // by the clock, where an instruction of the SM sets it
        uint32_t count, loads[BOARDS]; // how often memory has set it; of the last times: all loads up to which
    } boards[SASS_BOARDS];
};
struct recorder {
    struct model *model, *of_block; // NULL: it has no wish for this block
    struct tape *tape, *tape_of_block;
    uint64_t constant_lo, constant_hi; // that were read of constant memory
    const struct sim_kernel *kernel;
    uint32_t warps;
    uint64_t block;
    bool in_registers;
    uint64_t lo, hi, base; // of the allocation that was reached last, and where the model takes it to lie
    struct recorded_warp *each;
    struct reached {                         // by site, and sector of a line where it begins: what the model was told
        uint64_t stamp, lo, hi, base, place; // the site's pattern; the allocation; where its first lane's address lies
        struct model_access access;
    } * reached;
    struct swapped {
        uint64_t word, warps;
    } swapped[SWAPPED]; // words of shared memory that warps of the block swap: which have
};

struct recorder *recorder_new(struct model *m, struct tape *t, const struct sim_kernel *k, uint32_t warps,
    bool in_registers)
{
    struct recorder *r = mem_alloc(sizeof *r);
    *r = (struct recorder){.model = m, .tape = t, .kernel = k, .warps = warps, .in_registers = in_registers};
    for (size_t n = 0; r->tape && n < k->pace_count; n++)
        for (int part = 0; part < TAPE_PARTS; part++)
            if (k->paces[n].parts[part].turns)
                tape_part(t, (uint32_t)n, (enum tape_part)part, &k->paces[n].parts[part]);
    r->each = mem_alloc(warps * sizeof *r->each);
    r->reached = mem_alloc(4 * (k->site_count + 1) * sizeof *r->reached);
    for (uint32_t w = 0; w < warps; w++) r->each[w].made = mem_alloc((k->result_count + 1) * sizeof(uint32_t));
    return r;
}

void recorder_free(struct recorder *r)
{
    for (uint32_t w = 0; r && w < r->warps; w++) free(r->each[w].made);
    if (r) free(r->each), free(r->reached);
    free(r);
}

void recorder_block(struct recorder *r, uint64_t linear)
{
    r->block = linear;
    r->of_block = r->model && model_wants(r->model, linear) ? r->model : NULL;
    r->tape_of_block = r->tape && tape_wants(r->tape, linear) ? r->tape : NULL;
    if (r->of_block) model_block(r->of_block, linear);
    if (r->tape_of_block) tape_block(r->tape_of_block, linear);
    memset(r->swapped, 0, sizeof r->swapped);
    for (uint32_t w = 0; w < r->warps; w++) {
        uint32_t *made = r->each[w].made;
        memset(made, 0, (r->kernel->result_count + 1) * sizeof *made);
        r->each[w] = (struct recorded_warp){.made = made};
    }
}

bool recorder_wants(const struct recorder *r, uint64_t block)
{
    return (r->model && model_wants(r->model, block)) || (r->tape && tape_wants(r->tape, block));
}

static struct tape_who who(const struct warp *w, uint32_t place, uint32_t mask)
{
    return (struct tape_who){
        w->index, place, (uint32_t)__builtin_popcount(mask), (uint32_t)__builtin_popcount(w->live)};
}

static void pause_for(struct warp *w, uint32_t place, enum model_pause kind, uint32_t count)
{
    const struct recorder *r = w->block->recorder;
    if (!count) return;
    if (r->of_block) model_pause(r->of_block, w->index, kind, count);
    const struct tape_who is = who(w, place, w->live);
    if (r->tape_of_block) tape_pause(r->tape_of_block, &is, kind, count);
}

void recorder_heap(struct warp *w, uint32_t calls) { pause_for(w, 0, MODEL_HEAP, calls); }

// One word at a time; what fits in the nearest cache comes sooner.
void recorder_constant(struct warp *w, const uint64_t at[LANES], uint32_t mask)
{
    enum { NEAR_BYTES = 2048 };
    struct recorder *r = w->block->recorder;
    uint64_t words[LANES];
    uint32_t count = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint64_t here = at[__builtin_ctz(m)];
        if (!r->constant_hi || here < r->constant_lo) r->constant_lo = here;
        if (here + 4 > r->constant_hi) r->constant_hi = here + 4;
        uint32_t k = 0;
        while (k < count && words[k] != here >> 2) k++;
        if (k == count) words[count++] = here >> 2;
    }
    const bool near = r->constant_hi - r->constant_lo <= NEAR_BYTES;
    if (count > 1) pause_for(w, 0, near ? MODEL_CONSTANT_NEAR : MODEL_CONSTANT, count - 1);
}

// The last load that these results come from.
static uint32_t last_of(const struct recorded_warp *w, const uint16_t *uses)
{
    uint32_t last = 0;
    for (; uses && *uses; uses++) {
        const uint32_t back = *uses & (PACE_BACK - 1);
        const uint32_t one = *uses == PACE_EARLIER ? w->needed
            : *uses & PACE_BACK                    ? (w->loads > back ? w->loads - back : 0)
                                                   : w->made[*uses];
        if (one > last) last = one;
    }
    return last;
}

// How many loads, each of which says where the next one is, end in one with these needs. What an earlier stretch left
// counts where that was a chain already.
static uint32_t depth_of(const struct recorded_warp *w, const uint16_t *uses)
{
    uint32_t most = 0;
    for (; uses && *uses; uses++) {
        const uint16_t one[] = {*uses, 0};
        const uint32_t load = last_of(w, one), depth = load ? w->depth[load % DEPTHS] : 0;
        if (*uses == PACE_EARLIER && depth < CHAIN) continue;
        if (depth > most) most = depth;
    }
    return most < CHAIN ? most + 1 : CHAIN;
}

// In the model's words: all loads but the last so many.
static uint8_t behind(struct recorded_warp *w, uint32_t load)
{
    if (load <= w->waited) return MODEL_NO_WAIT;
    w->waited = load;
    return (uint8_t)(w->loads - load < MODEL_NO_WAIT ? w->loads - load : MODEL_NO_WAIT - 1);
}

static void wait_for(struct recorder *r, struct warp *w, uint32_t load)
{
    const uint8_t n = behind(&r->each[w->index], load);
    if (n == MODEL_NO_WAIT) return;
    if (r->of_block) model_wait(r->of_block, w->index, n);
    if (r->tape_of_block) tape_wait(r->tape_of_block, w->index, n);
}

// What the stretch before this one used is waited for where it decided on the way, or where a loop turns; on the way
// forward the compiler puts further loads in front.
void recorder_head(struct warp *w, const struct inst *i)
{
    struct recorder *r = w->block->recorder;
    struct recorded_warp *e = &r->each[w->index];
    const struct head_pace *now = &r->kernel->paces[i->r[1]], *last = e->head ? &r->kernel->paces[e->head->r[1]] : NULL;
    if (last) {
        const uint32_t used = last_of(e, last->uses);
        if (used > e->needed) e->needed = used;
        if (i <= e->head || last->decides) wait_for(r, w, e->needed);
    }
    e->head = i;
    const struct tape_who is = who(w, i->r[1], w->active);
    if (r->of_block) model_work(r->of_block, w->index, &now->work);
    if (r->tape_of_block) tape_work(r->tape_of_block, &is, &now->work);
    pause_for(w, 0, MODEL_FENCE, now->fences);
}

static void work_by_itself(struct recorder *r, struct warp *w, uint64_t cycles)
{
    const struct model_work k = {.cycles = (uint32_t)cycles};
    r->each[w->index].clock += cycles;
    model_work(r->of_block, w->index, &k);
}

// For all but the last so many times that it was set.
static void wait_for_board(struct recorder *r, struct warp *w, uint32_t board, uint32_t but)
{
    struct recorded_warp *e = &r->each[w->index];
    const struct board *b = &e->boards[board];
    if (!but && b->ready > e->clock) work_by_itself(r, w, b->ready - e->clock);
    if (but < b->count && but < BOARDS) wait_for(r, w, b->loads[(b->count - 1 - but) % BOARDS]);
}

static void set_board(struct recorded_warp *e, uint32_t board)
{
    if (board >= SASS_BOARDS) return;
    struct board *b = &e->boards[board];
    b->loads[b->count++ % BOARDS] = e->loads;
}

static void step_waits(struct recorder *r, struct warp *w, const struct sass_step *s)
{
    for (uint32_t k = 0; k < SASS_BOARDS; k++)
        if (s->waits >> k & 1) wait_for_board(r, w, k, 0);
    if (s->board < SASS_BOARDS) wait_for_board(r, w, s->board, s->behind);
}

static void step_works(struct recorder *r, struct warp *w, const struct sass_step *s)
{
    struct recorded_warp *e = &r->each[w->index];
    const struct model_work k = {.turns = s->turns,
        .cycles = s->cycles,
        .pipes = {[MODEL_ALU] = s->busy[SASS_PIPE_ALU],
            [MODEL_FMA] = s->busy[SASS_PIPE_FMA] + s->busy[SASS_PIPE_TENSOR],
            [MODEL_FP64] = s->busy[SASS_PIPE_FP64],
            [MODEL_XU] = s->busy[SASS_PIPE_XU],
            [MODEL_SHARED] = s->busy[SASS_PIPE_LSU]}};
    model_work(r->of_block, w->index, &k);
    e->clock += s->cycles;
    set_board(e, s->marks);
    pause_for(w, 0, MODEL_FENCE, s->fences);
}

// Tells the model all that the warp did in its stretch before this instruction, and for what the instruction waits.
static void catch_up(struct recorder *r, struct warp *w, uint32_t at)
{
    struct recorded_warp *e = &r->each[w->index];
    const struct sass_block *b = e->stretch;
    for (; b && e->step < b->step_count && b->steps[e->step].at < at; e->step++, e->asked = false) {
        if (!e->asked) step_waits(r, w, &b->steps[e->step]);
        step_works(r, w, &b->steps[e->step]);
    }
    if (!b || e->step == b->step_count || b->steps[e->step].at != at || e->asked) return;
    step_waits(r, w, &b->steps[e->step]);
    e->asked = true;
}

// What the stretch before it leaves to wait for is known only there.
static void end_stretch(struct recorder *r, struct warp *w)
{
    struct recorded_warp *e = &r->each[w->index];
    catch_up(r, w, UINT32_MAX);
    for (int k = 0; e->stretch && k < SASS_BOARDS; k++)
        if (e->stretch->left[k]) e->boards[k].ready = e->clock + e->stretch->left[k];
    e->stretch = NULL;
}

void recorder_block_end(struct recorder *r, const struct block *b, double weight)
{
    for (uint32_t k = 0; r->of_block && r->kernel->machine && k < r->warps; k++) end_stretch(r, block_warp(b, k));
    if (r->of_block) model_block_end(r->of_block);
    if (r->tape_of_block) tape_block_end(r->tape_of_block, weight);
}

void recorder_stretch(struct warp *w, const struct inst *i)
{
    struct recorder *r = w->block->recorder;
    struct recorded_warp *e = &r->each[w->index];
    if (!r->of_block) return;
    end_stretch(r, w);
    e->stretch = &r->kernel->machine->blocks[i->site];
    e->step = 0;
    e->asked = false;
}

static void add(struct model_access *a, uint64_t line, uint32_t sector, uint32_t bytes)
{
    uint32_t k = a->count;
    while (k > 0 && a->lines[k - 1].line != line) k--;
    if (!k) {
        if (a->count == MODEL_LINES) return;
        a->lines[a->count] = (struct model_line){.line = line};
        k = ++a->count;
    }
    uint8_t *sum = &a->lines[k - 1].bytes[sector];
    *sum = (uint8_t)(*sum + bytes > 32 ? 32 : *sum + bytes);
}

// Cycles of the banks: different words of the worst of 32.
static uint8_t banks_of(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    uint64_t words[LANES * 4];
    uint8_t newest[32] = {0}, before[LANES * 4], held[32] = {0}, most = 1; // of a bank; 0: none, else its number and 1
    uint32_t count = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        for (uint32_t b = 0; b < bytes; b += 4) {
            const uint64_t word = (at[__builtin_ctz(m)] + b) >> 2;
            uint32_t k = newest[word & 31];
            while (k && words[k - 1] != word) k = before[k - 1];
            if (k) continue;
            before[count] = newest[word & 31];
            words[count++] = word;
            newest[word & 31] = (uint8_t)count;
            if (++held[word & 31] > most) most = held[word & 31];
        }
    return most;
}

// Where an address lies for the model: by the name of its allocation, since where the host puts it changes from process
// to process, and the answer must not.
static uint64_t placed(struct recorder *r, const struct warp *w, uint64_t at)
{
    if (at >= r->lo && at < r->hi) return r->base + (at - r->lo);
    const struct allocation *a = memory_find(&w->block->sim->memory, at);
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = a && a->name ? a->name : ""; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    if (!a) return at;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u; // names of one letter differ in few bits only
    r->lo = a->lo, r->hi = a->hi, r->base = (hash >> 51) << 33;
    return r->base + (at - r->lo);
}

static void add_lanes(struct model_access *a, struct recorder *r, const struct warp *w, const uint64_t at[LANES],
    uint32_t mask, enum space space, uint32_t bytes)
{
    const uint64_t resident = r->block % 4096 * r->warps + w->index,
                   own = LOCAL_LINES + resident * (r->kernel->local_bytes / 4 + 1);
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        if (space == SPACE_GLOBAL) {
            const uint64_t place = placed(r, w, at[l]);
            add(a, place >> 7, place >> 5 & 3, bytes);
        } else
            for (uint32_t b = 0; b < bytes; b += 4) add(a, own + ((at[l] + b) >> 2), l / 8, 4);
    }
}

// The same pattern at the same place of a line moves whole lines on, and its banks go round.
static struct model_access *reach(struct recorder *r, const struct warp *w, const struct inst *i,
    const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    const struct site *s = &w->sites[i->site];
    const uint64_t first = at[__builtin_ctz(mask)];
    struct reached *g = &r->reached[4 * i->site + (first >> 5 & 3)];
    const uint64_t lo = first + s->least, hi = first + s->most + bytes, place = g->base + (first - g->lo);
    if (g->stamp == s->stamp && lo >= g->lo && hi <= g->hi && !((place ^ g->place) & 3 << 5)) {
        const uint64_t by = (place >> 7) - (g->place >> 7);
        for (uint32_t k = 0; by && k < g->access.count; k++) g->access.lines[k].line += by;
    } else {
        g->access.count = 0;
        add_lanes(&g->access, r, w, at, mask, SPACE_GLOBAL, bytes);
        g->access.banks = i->memory->kind == ACCESS_LOAD ? banks_of(at, mask, bytes) : 1;
        g->lo = r->lo, g->hi = r->hi, g->base = r->base;
        g->stamp = lo >= g->lo && hi <= g->hi ? s->stamp : 0;
    }
    g->place = g->base + (first - g->lo);
    return &g->access;
}

static bool swaps(const struct memory_op *op) // who asks must be told: lanes at one place come one after the other
{
    return op->atomic == ATOMIC_EXCH || op->atomic == ATOMIC_CAS || op->atomic == ATOMIC_INC ||
        op->atomic == ATOMIC_DEC;
}

// A sum that is made by compare and swap is made anew when another warp's came first.
static void pause_to_swap(struct recorder *r, struct warp *w, const struct inst *i, uint64_t word)
{
    struct swapped *s = &r->swapped[word % SWAPPED];
    if (s->word != word) *s = (struct swapped){.word = word};
    s->warps |= (uint64_t)1 << w->index % 64;
    const struct site *at = &w->sites[i->site]; // of PTX each lane at the worst bank is a turn of the loop
    const uint32_t turns = i->memory->loops ? at->units : at->requests;
    pause_for(w, i->site, MODEL_SWAPS, turns * (uint32_t)__builtin_popcountll(s->warps));
}

void recorder_access(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    static const enum model_kind kinds[ACCESS_KINDS] = {[ACCESS_LOAD] = MODEL_LOAD,
        [ACCESS_STORE] = MODEL_STORE,
        [ACCESS_ATOMIC] = MODEL_ATOMIC,
        [ACCESS_REDUCE] = MODEL_REDUCE};
    struct recorder *r = w->block->recorder;
    struct recorded_warp *e = &r->each[w->index];
    const struct memory_op *op = i->memory;
    const struct site *s = &w->sites[i->site];
    const uint32_t needs = last_of(e, op->needs);
    if (e->stretch) catch_up(r, w, op->at);
    if (space == SPACE_SHARED) {
        wait_for(r, w, needs);
        const struct tape_who is = who(w, i->site, mask);
        if (r->tape_of_block) tape_shared(r->tape_of_block, &is, s->units, s->conflicts);
        if ((op->loops || op->spins) && op->kind >= ACCESS_ATOMIC && mask)
            pause_to_swap(r, w, i, at[__builtin_ctz(mask)] / 4);
        if (!r->of_block) return;
        const struct model_work turns = {
            .cycles = s->conflicts < 64 ? s->conflicts : 64, .pipes = {[MODEL_SHARED] = s->units}};
        model_work(r->of_block, w->index, &turns);
        return;
    }
    if (space == SPACE_LOCAL && r->in_registers) return;
    struct model_access own, *const a = space == SPACE_GLOBAL ? reach(r, w, i, at, mask, bytes) : &own;
    if (a == &own) {
        own.count = 0, own.banks = 1;
        add_lanes(a, r, w, at, mask, space, bytes);
    }
    a->kind = kinds[op->kind];
    a->behind = behind(e, needs);
    a->bypass = op->strong || op->past_l1;
    a->units = 0;
    a->floats = false;
    if (op->kind >= ACCESS_ATOMIC) {
        const uint32_t lanes = (uint32_t)__builtin_popcount(mask);
        const bool wide = op->type == ATOMIC_U64 || op->type == ATOMIC_S64;
        const bool one = op->one_place && op->kind == ACCESS_REDUCE && op->type < ATOMIC_F32 &&
            (!wide || op->form != RULES_EACH); // lanes add up before
        a->units = (uint16_t)(one ? 1 : swaps(op) && lanes > s->units ? lanes : s->units);
        a->floats = op->type >= ATOMIC_F32;
    }
    const uint32_t depth = depth_of(e, op->needs);
    a->follows = depth >= CHAIN;
    const struct tape_who is = who(w, i->site, mask);
    if (r->of_block) model_access(r->of_block, w->index, a);
    if (r->tape_of_block) tape_access(r->tape_of_block, &is, a);
    if (op->kind != ACCESS_LOAD && op->kind != ACCESS_ATOMIC) return;
    e->loads++;
    e->made[op->result] = e->loads;
    if (e->stretch) set_board(e, op->board);
    e->depth[e->loads % DEPTHS] = (uint8_t)depth;
}

// Threads that come in other numbers than all are told by the record; a warp counts whole.
void recorder_barrier(struct warp *w, uint32_t id, uint32_t threads)
{
    struct recorder *r = w->block->recorder;
    struct recorded_warp *e = &r->each[w->index];
    const struct head_pace *last = e->head ? &r->kernel->paces[e->head->r[1]] : NULL;
    const uint32_t used = last ? last_of(e, last->uses) : 0;
    if (e->stretch) end_stretch(r, w);
    if (used > e->needed) e->needed = used;
    wait_for(r, w, e->needed);
    const uint32_t warps = (threads + LANES - 1) / LANES;
    if (r->of_block) model_barrier(r->of_block, w->index, (uint8_t)id, warps);
    if (r->tape_of_block) tape_barrier(r->tape_of_block, w->index, (uint8_t)id, warps);
}

void recorder_commit(struct warp *w)
{
    struct recorded_warp *e = &w->block->recorder->each[w->index];
    e->commit[e->commits++ % GROUPS] = e->loads;
}

void recorder_copies(struct warp *w, uint32_t groups)
{
    struct recorder *r = w->block->recorder;
    struct recorded_warp *e = &r->each[w->index];
    if (groups >= e->commits || groups >= GROUPS) return;
    wait_for(r, w, e->commit[(e->commits - 1 - groups) % GROUPS]);
}
