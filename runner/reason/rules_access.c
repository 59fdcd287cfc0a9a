// Rules about global memory: whose sectors hold more than was asked for, and whose atomics meet.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool global(const struct device_place *p) { return p->sectors && p->space == SPACE_OF_DEVICE; }
static bool is(const struct device_place *p, const char *kind) { return strncmp(p->op, kind, strlen(kind)) == 0; }
static bool plain(const struct device_place *p) { return global(p) && !is(p, "atom") && !is(p, "red"); }

// Sectors that would hold what its lanes move.
static double least(const struct device_place *p)
{
    const double bytes = (double)p->lanes * p->bytes / 32;
    return bytes > (double)p->requests ? bytes : (double)p->requests;
}

static double sectors_of(const struct device_places *all)
{
    double sum = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].space != SPACE_OF_BLOCK) sum += (double)all->items[i].sectors;
    return sum;
}

// From lane to lane, where it is the same for all lanes that take part; 0: it is not.
static int64_t step_of(const struct device_place *p)
{
    const int first = __builtin_ctz(p->mask | 1u << 31);
    if (first > 30 || !(p->mask >> (first + 1) & 1)) return 0;
    const int64_t step = (int64_t)(p->at[first + 1] - p->at[first]);
    for (int l = first; l < 31; l++)
        if ((p->mask >> l & 3) == 3 && (int64_t)(p->at[l + 1] - p->at[l]) != step) return 0;
    return step;
}

static const char *buffer(const struct device_place *p, struct arena *a)
{
    return p->buffer ? arena_printf(a, "`%s`", p->buffer) : "memory";
}

static bool side_by_side(const struct device_place *p)
{
    return p->mask == UINT32_MAX && llabs(step_of(p)) == (int64_t)p->bytes;
}

// Sectors beyond those that its bytes need, but for the one that a warp which begins inside a sector touches more.
static bool wide(const struct device_place *p)
{
    return plain(p) && (double)p->sectors >= 1.5 * least(p) && !side_by_side(p);
}

static const struct device_place *worst_of(const struct device_places *all)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (!wide(p)) continue;
        if (!worst || (double)p->sectors - least(p) > (double)worst->sectors - least(worst)) worst = p;
    }
    return worst;
}

// The same bytes by other instructions too: then the rest of a sector is not thrown away, but asked for again.
static bool comes_again(const struct device_places *all)
{
    double loads = 0;
    for (size_t i = 0; i < all->count; i++)
        if (plain(&all->items[i]) && is(&all->items[i], "ld")) loads += (double)all->items[i].sectors;
    return loads > 1.5 * (double)all->block_sectors;
}

// Bytes that memory gives for a sector of it: two sectors come together, whether both are asked for or one.
static double bytes_a_sector(const struct device_place *p)
{
    uint64_t pairs[32];
    int count = 0;
    for (int l = 0; l < 32; l++) {
        if (!(p->mask >> l & 1)) continue;
        int k = 0;
        while (k < count && pairs[k] != p->at[l] >> 6) k++;
        if (k == count) pairs[count++] = p->at[l] >> 6;
    }
    return p->units && 2 * (size_t)count > p->units ? 64.0 * count / (double)p->units : 32;
}

bool rule_overfetch(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *p = worst_of(e->places);
    if (!p) return false;
    const double all = sectors_of(e->places);
    double excess = 0, loads = 0, stores = 0; // of all that do it at that line; of both kinds, the share that would go
    double bytes = 0, spared = 0;             // of memory
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *o = &e->places->items[i];
        const double each = is(o, "ld") && global(o) ? bytes_a_sector(o) : 32;
        if (o->space != SPACE_OF_BLOCK) bytes += (double)o->sectors * each;
        if (!wide(o) || o->line != p->line) continue;
        excess += (double)o->sectors - least(o);
        if (is(o, "ld")) spared += (double)o->sectors * each - least(o) * 32;
        *(is(o, "ld") ? &loads : &stores) += ((double)o->sectors - least(o)) / all;
    }
    const double of_all = (double)p->sectors / all;
    const bool reads = is(p, "ld"), again = reads && comes_again(e->places);
    const int64_t step = step_of(p);
    if (excess < 0.1 * all) return false;
    f->line = p->line;
    f->counted = excess >= 0.25 * all;
    f->what = step
        ? arena_printf(a, "neighbouring lanes %s %s %lld bytes apart", reads ? "read" : "write", buffer(p, a),
              (long long)llabs(step))
        : arena_printf(a, "the lanes of a warp %s %s in scattered places", reads ? "read" : "write", buffer(p, a));
    f->why = arena_printf(a, "%.3g sectors a request (%s) where %.3g would hold its bytes; %.0f %% of all sectors",
        (double)p->sectors / (double)p->requests, p->op, least(p) / (double)p->requests, 100 * of_all);
    f->mend = again
        ? "read what lies together at once (a wide load, or arrays of members instead of an array of structures)"
        : reads ? "let neighbouring threads read neighbouring elements; where the layout cannot change, read a tile "
                  "row by row into shared memory"
                : "let neighbouring threads write neighbouring elements, through a tile in shared memory where need be";
    mended->us[BOUND_LINES] *= 1 - loads;
    if (!again) mended->us[BOUND_MEMORY] *= (1 - spared / bytes) / (reads ? now->sparse : 1);
    mended->us[BOUND_L2] *= 1 - (again ? 0 : loads) - stores;
    if (stores > 0) mended->us[BOUND_PARTIAL] = 0;
    // What came from L1, since a neighbour's sector had it, comes from further away then, with one's own.
    const double waiting = bounds_waiting_us(e, &(struct bounds_change){.spared = loads * all});
    if (!again) mended->us[BOUND_LATENCY] = fmax(now->us[BOUND_LATENCY], waiting);
    return true;
}

// Another access to that buffer begins where a sector does: a neighbour's (a stencil's) cannot.
static bool has_aligned(const struct device_places *all, const struct device_place *p)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *o = &all->items[i];
        if (o != p && plain(o) && o->buffer && p->buffer && strcmp(o->buffer, p->buffer) == 0 &&
            (double)o->sectors < 1.04 * least(o) && o->lanes * p->instructions * 2 > p->lanes * o->instructions)
            return true;
    }
    return false;
}

bool rule_misaligned(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *worst = NULL;
    (void)now;
    (void)mended;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        const double over = (double)p->sectors / least(p);
        if (!plain(p) || !side_by_side(p) || over < 1.04 || p->at[0] % 32 == 0 || has_aligned(e->places, p)) continue;
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst || (double)worst->sectors < 0.2 * sectors_of(e->places)) return false;
    const unsigned off = (unsigned)(worst->at[0] % 32);
    f->line = worst->line;
    f->counted = true;
    f->what = arena_printf(a, "a warp's bytes in %s begin inside a sector", buffer(worst, a));
    f->why = arena_printf(a,
        "%.3g sectors a request (%s) where %.3g would do; a warp begins %u bytes behind the start "
        "of a sector",
        (double)worst->sectors / (double)worst->requests, worst->op, least(worst) / (double)worst->requests, off);
    f->mend = "begin at a multiple of 32 bytes: shift the work, or give each row a pitch (`memory: pitched`)";
    // Caches hold most of what comes twice: measured, a quarter more sectors took 3 % longer.
    f->gain = 1 + 0.12 * ((double)worst->sectors / least(worst) - 1);
    return true;
}

bool rule_atomics(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if ((!is(p, "atom") && !is(p, "red")) || strstr(p->op, ".cas")) continue;
        const bool meets = __builtin_popcount(p->mask) >= 4 * bounds_words(p);
        if (meets && p->lanes > 8 * p->requests && (!worst || p->lanes > worst->lanes)) worst = p;
    }
    if (!worst) return false;
    const bool shared = worst->space == SPACE_OF_BLOCK, one = worst->span <= 8;
    const double turns = (double)(shared ? worst->wavefronts : worst->sectors);
    if (shared && !one && worst->wavefronts < 2 * worst->requests) return false; // each warp's are one
    f->line = worst->line;
    f->counted = (double)worst->lanes > 4.0 * (double)evidence_blocks(e);
    f->what = one ? arena_printf(a, "all threads%s do their atomic at one address", shared ? " of a block" : "")
                  : arena_printf(a, "the atomics of a warp meet at %d address%s", bounds_words(worst),
                        bounds_words(worst) > 1 ? "es" : "");
    f->why = arena_printf(a, "%.0f atomics (%s) in %.0f turns, one behind the other; they reach %llu bytes in all",
        (double)worst->lanes, worst->op, turns, (unsigned long long)worst->span);
    f->mend = "add up in registers first (a reduction over the warp, then the block), and do one atomic a block; of a "
              "histogram, one in shared memory for each block or warp";
    if (shared) mended->us[BOUND_SHARED] *= 0.05; // one lane of a warp
    else {
        const double each = fmin(bounds_addresses(worst), 32); // that a block has for itself, and adds to the others
        mended->us[BOUND_ATOMICS] =
            fmin(bounds_adds_us(e, worst, each * (double)evidence_blocks(e)), now->us[BOUND_ATOMICS] / 2);
        mended->us[BOUND_SHARED] += bounds_shared_us(e, (double)worst->requests * 32 / each);
        mended->us[BOUND_LATENCY] += bounds_barriers_us(e, 2);
    }
    return true;
}

bool rule_swaps(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (global(p) && strstr(p->op, ".cas") && (!worst || p->lanes > worst->lanes)) worst = p;
    }
    if (!worst) return false;
    const double places = bounds_addresses(worst), each = (double)worst->lanes / places;
    if (each < 16) return false;
    f->line = worst->line;
    f->counted = true;
    f->what = "threads compare and swap at few addresses, and begin again where another one was first";
    f->why = arena_printf(a, "%.0f swaps (%s) at %.0f addresses: %.3g at each, one behind the other",
        (double)worst->lanes, worst->op, places, each);
    f->mend = "an atomic that does it at once (atomicAdd takes doubles, atomicMax whole numbers), or a reduction first";
    mended->us[BOUND_ATOMICS] = fmin(bounds_adds_us(e, worst, (double)worst->lanes), now->us[BOUND_ATOMICS] / 2);
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p != worst && p->span == worst->span && strstr(p->op, ".exch"))
            f->what = "threads wait for each other at a lock", f->untold = "how long they wait hangs on who comes when";
    }
    return true;
}

// The instruction itself goes over the same bytes, for other warps: not neighbours' bytes by instructions of their own,
// as in a stencil, which takes no turns.
bool rule_reuse(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_places *all = e->places;
    const struct device_place *worst = NULL;
    double loads = 0;
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (!global(p) || !is(p, "ld")) continue;
        loads += (double)p->sectors;
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst || !all->block_sectors || (double)all->rounds < 4 * evidence_warps(e)) return false;
    if ((double)worst->sectors > 4 * least(worst)) return false; // its own thread's: what lies beside in a sector
    const double again = loads / (double)all->block_sectors;
    if (again < 6 || now->us[BOUND_LINES] < bounds_others(now, BOUND_LINES)) return false;
    f->line = worst->line;
    f->counted = true;
    f->what = "the threads of a block read the same from the cache, again and again";
    f->why = arena_printf(a,
        "each sector that a block needs is asked for %.3g times; L1 takes longer for that than "
        "anything else",
        again);
    f->mend = "read a tile into shared memory once, and let each thread compute 4 by 4 results from it in registers";
    // Of 4 by 4 results for a thread: a tile's words are read from shared memory in fours, and each is used four times.
    double requests = 0;
    for (size_t i = 0; i < all->count; i++)
        if (global(&all->items[i]) && is(&all->items[i], "ld")) requests += (double)all->items[i].requests;
    mended->us[BOUND_LINES] = now->us[BOUND_LINES] / 16;
    mended->us[BOUND_L2] = now->us[BOUND_L2] / 4;
    mended->us[BOUND_SHARED] += bounds_shared_us(e, 0.11 * requests);
    mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] * fmin(1, 0.7 * requests / (double)all->instructions);
    return true;
}

// A sum that is kept in memory: read and written at one line.
static bool read_beside(const struct device_places *all, const struct device_place *store)
{
    for (size_t i = 0; i < all->count; i++)
        if (global(&all->items[i]) && is(&all->items[i], "ld") && all->items[i].line == store->line) return true;
    return false;
}

bool rule_rewritten(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_places *all = e->places;
    const struct device_place *worst = NULL;
    double bytes = 0, sectors = 0;
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (!global(p) || !is(p, "st")) continue;
        bytes += (double)p->lanes * p->bytes;
        sectors += (double)p->sectors;
        if (!worst || p->lanes > worst->lanes) worst = p;
    }
    if (!worst || job_launches(e->job) > 1 || bytes < 4 * 32 * (double)all->written_sectors) return false;
    if (!read_beside(all, worst) || (double)worst->lanes < 4 * 16 * evidence_warps(e)) return false;
    const double times = bytes / 32 / (double)all->written_sectors;
    f->line = worst->line;
    f->counted = true;
    f->what = arena_printf(a, "the same places of %s are read and written over and over", buffer(worst, a));
    f->why = arena_printf(a, "%.3g bytes are written to %.3g, each %.3g times", bytes,
        32 * (double)all->written_sectors, times);
    f->mend = "keep the value in a register until it is done, and write it once";
    mended->us[BOUND_L2] *= 1 - sectors * (1 - 1 / times) / (sectors + (double)all->block_sectors);
    // Turns need not wait for what the one before wrote: as many as the compiler unrolls wait together.
    const struct bounds_change unrolled = {.rounds = 1 / fmax(worst->instructions, 1)};
    mended->us[BOUND_LATENCY] = fmin(now->us[BOUND_LATENCY], bounds_waiting_us(e, &unrolled));
    return true;
}
