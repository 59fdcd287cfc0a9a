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

// Goes by the same order of threads, so that what mends the one mends the other.
static bool with_it(const struct device_place *o, const struct device_place *p)
{
    if (!wide(o)) return false;
    const bool same = o->buffer && p->buffer && strcmp(o->buffer, p->buffer) == 0;
    return o->line == p->line || same || (step_of(o) && llabs(step_of(o)) == llabs(step_of(p)));
}

struct wide_sum {                             // of loads, or of stores
    double bytes, sectors;                    // that memory, and L2, give for all of them
    double part, part_sectors, asked, spared; // those that are to be mended: the same, what lanes ask, sectors that go
};

static void sum_wide(const struct evidence *e, const struct device_place *p, struct bounds *mended,
    struct wide_sum *loads, struct wide_sum *stores)
{
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *o = &e->places->items[i];
        if (!plain(o)) continue;
        const bool load = is(o, "ld");
        struct wide_sum *s = load ? loads : stores;
        const double bytes = (double)o->sectors * (load ? bytes_a_sector(o) : 32);
        s->bytes += bytes;
        s->sectors += (double)o->sectors;
        if (!with_it(o, p)) continue;
        s->part += bytes;
        s->part_sectors += (double)o->sectors;
        s->asked += (double)o->lanes * o->bytes;
        s->spared += (double)o->sectors - least(o);
        const double turns = (double)o->requests * (o->bytes > 4 ? o->bytes / 4.0 : 1);
        if (load) mended->us[BOUND_LINES] -= bounds_lines_us(e, o) * (1 - fmin(1, turns / bounds_cycles(o)));
        else mended->us[BOUND_PARTIAL] -= bounds_partial_us(e, o);
    }
}

static double share(double part, double of) { return of > 0 ? fmin(1, part / of) : of < 0 ? 0 : 1; }

// What is left when the lanes of p, and of what goes with it, lie side by side. What several loads of a block share is
// fetched once; of stores L2 keeps a sector until all of it is written, unless nobody writes the rest.
static void mend_wide(const struct evidence *e, const struct device_place *p, const struct bounds *now,
    struct bounds *mended, bool again)
{
    const struct device_places *all = e->places;
    struct wide_sum ld = {0}, st = {0};
    mended->us[BOUND_LINES] = now->raw[BOUND_LINES], mended->us[BOUND_PARTIAL] = now->raw[BOUND_PARTIAL];
    sum_wide(e, p, mended, &ld, &st);
    const double fetched = fmin(ld.bytes, 64 * (double)all->block_pairs), written = 32 * (double)all->written_sectors;
    const double reads = now->sparse * fetched, of_reads = reads / fmax(reads + written, 1);
    const double group = ld.part / fmax(ld.bytes, 1), group_st = st.part / fmax(st.bytes, 1);
    const double keep = share(ld.asked, fetched * group), wrote = written * group_st;
    const double keep_st = wrote > 1.5 * st.asked ? share(st.asked, wrote) : 1;
    const double left = (1 - group + group * keep) / (group > 0.5 && keep < 1 ? now->sparse : 1);
    double memory = now->us[BOUND_MEMORY] * of_reads * left;
    if (group > 0.5 && e->whole) memory = fmin(memory, bounds_memory_us(e, 64 * (double)all->read_pairs));
    mended->us[BOUND_MEMORY] = fmin(now->us[BOUND_MEMORY],
        memory + now->us[BOUND_MEMORY] * (1 - of_reads) * (1 - group_st + group_st * keep_st));
    const double sectors = (double)all->block_sectors * ld.part_sectors / fmax(ld.sectors, 1);
    mended->us[BOUND_L2] -= bounds_sectors_us(e, st.spared + sectors * (1 - share(ld.asked, 32 * sectors)));
    for (int i = 0; i < BOUND_COUNT; i++) mended->us[i] = fmin(fmax(mended->us[i], 0), now->us[i]);
    // What came from L1, since a neighbour's sector had it, comes from further away then, with one's own.
    const double waiting = bounds_waiting_us(e, &(struct bounds_change){.spared = ld.spared});
    if (!again && ld.spared > 0) mended->us[BOUND_LATENCY] = fmax(now->us[BOUND_LATENCY], waiting);
}

bool rule_overfetch(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *p = worst_of(e->places);
    if (!p) return false;
    const double all = sectors_of(e->places);
    double excess = 0; // of all that do it at that line
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *o = &e->places->items[i];
        if (wide(o) && o->line == p->line) excess += (double)o->sectors - least(o);
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
    mend_wide(e, p, now, mended, again);
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
        // Or they meet those of other warps, and nothing else takes as long.
        const bool many = p->space == SPACE_OF_DEVICE && (double)p->lanes > 256 * bounds_addresses(p) &&
            now->us[BOUND_ATOMICS] > 3 * bounds_others(now, BOUND_ATOMICS);
        if ((meets || many) && p->lanes > 8 * p->requests && (!worst || p->lanes > worst->lanes)) worst = p;
    }
    if (!worst) return false;
    const bool shared = worst->space == SPACE_OF_BLOCK, one = worst->span <= 8;
    const double turns = (double)(shared ? worst->wavefronts : worst->sectors);
    if (shared && !one && worst->wavefronts < 2 * worst->requests) return false; // each warp's are one
    f->line = worst->line;
    f->counted = (double)worst->lanes > 4.0 * (double)evidence_blocks(e);
    const bool meets = __builtin_popcount(worst->mask) >= 4 * bounds_words(worst);
    if (!meets && !shared) f->untold = "how often they then meet in shared memory hangs on the data";
    f->what = one ? arena_printf(a, "all threads%s do their atomic at one address", shared ? " of a block" : "")
        : !meets  ? arena_printf(a, "the atomics of all threads meet at %.0f words", bounds_addresses(worst))
                  : arena_printf(a, "the atomics of a warp meet at %d address%s", bounds_words(worst),
                       bounds_words(worst) > 1 ? "es" : "");
    f->why = arena_printf(a, "%.0f atomics (%s) in %.0f turns, one behind the other; they reach %llu bytes in all",
        (double)worst->lanes, worst->op, turns, (unsigned long long)worst->span);
    f->mend = "add up in registers first (a reduction over the warp, then the block), and do one atomic a block; of a "
              "histogram, one in shared memory for each block or warp";
    if (shared) { // one lane of a warp does it for all
        mended->us[BOUND_SHARED] = now->us[BOUND_SHARED] * (double)worst->requests / turns;
        mended->us[BOUND_ISSUE] *= 1 + 10 * (double)worst->requests / fmax((double)e->places->instructions, 1);
    } else {
        const double each = fmin(bounds_addresses(worst), 4096); // that a block has for itself, and adds to the others
        const double floats = strstr(worst->op, ".f") ? 2.4 : 1; // which take longer behind each other
        const double adds = bounds_adds_us(e, worst, floats * ceil(each / 8) * (double)evidence_blocks(e));
        mended->us[BOUND_ATOMICS] = fmin(adds, now->us[BOUND_ATOMICS] / 2);
        // At one address a warp adds up by itself; of some each block has its own, where its lanes meet.
        mended->us[BOUND_SHARED] += bounds_shared_us(e,
            (double)worst->requests *
                (one                ? 2
                        : each < 10 ? 32 / each
                                    : 3));
        mended->us[BOUND_LATENCY] += bounds_barriers_us(e, 1);
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
    mended->us[BOUND_ATOMICS] = fmin(bounds_adds_us(e, worst, (double)worst->sectors), now->us[BOUND_ATOMICS] / 2);
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
    mended->us[BOUND_SHARED] += bounds_shared_us(e, 0.13 * requests);
    mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] * fmin(1, 0.85 * requests / (double)all->instructions);
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
