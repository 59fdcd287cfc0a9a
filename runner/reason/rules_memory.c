// Rules about memory: whose sectors hold more than was asked for, what is fetched or written over and over, whose
// atomics meet.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool global(const struct device_place *p) { return p->sectors && p->space == SPACE_OF_DEVICE; }
static bool plain(const struct device_place *p) { return global(p) && !ops_adds(p->is); }

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

// Goes by the same order of threads, so that what mends the one mends the other.
static bool with_it(const struct device_place *o, const struct device_place *p)
{
    const bool same = o->buffer && p->buffer && strcmp(o->buffer, p->buffer) == 0;
    return wide(o) && (o->line == p->line || same || (step_of(o) && llabs(step_of(o)) == llabs(step_of(p))));
}

// What the report counted, where the point was not looked at: it knows neither line nor buffer.
static bool overfetch_counted(const struct evidence *e, struct advice *f, struct arena *a)
{
    const double loads = e->columns[COLUMN_LD_SECTORS] / e->columns[COLUMN_LD_REQUESTS];
    const double stores = e->columns[COLUMN_ST_SECTORS] / e->columns[COLUMN_ST_REQUESTS];
    const bool reads = !(stores > loads);
    const double most = reads ? loads : stores;
    if (e->places || !(most > 16)) return false; // 16 bytes a lane need so many
    f->what = arena_printf(a, "the lanes of a warp %s places that lie apart", reads ? "read" : "write");
    f->why = arena_printf(a,
        "%.3g sectors a request, as the report counts them; neighbours take 4 with 4 bytes a lane, 16 at the most",
        most);
    f->mend = "let neighbouring threads reach neighbouring elements, through a tile in shared memory where need be";
    return true;
}

static bool conflicts_counted(const struct evidence *e, struct advice *f, struct arena *a)
{
    const double all = e->columns[COLUMN_SHARED_WAVEFRONTS], conflicts = e->columns[COLUMN_BANK_CONFLICTS];
    if (e->places || !(conflicts > 0) || conflicts < 0.25 * all) return false;
    f->what = "lanes of a warp ask the same bank of shared memory for different words";
    f->why = arena_printf(a, "%.0f of %.0f wavefronts are conflicts, as the report counts them", conflicts, all);
    f->mend = "let the lanes of a warp reach words of 32 different banks: one element more in each row of a tile";
    return true;
}

bool rule_overfetch(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *p = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *o = &e->places->items[i];
        if (wide(o) && (!p || (double)o->sectors - least(o) > (double)p->sectors - least(p))) p = o;
    }
    if (!p) return overfetch_counted(e, f, a);
    for (size_t i = 0; i < e->places->count; i++)
        if (with_it(&e->places->items[i], p)) change_pick(c, &e->places->items[i], TAPE_DENSE);
    const double has = (double)p->sectors / (double)p->requests, needs = least(p) / (double)p->requests;
    const bool reads = ops_loads(p->is);
    const int64_t step = step_of(p);
    f->line = p->line;
    f->what = step
        ? arena_printf(a, "neighbouring lanes %s %s %lld bytes apart", reads ? "read" : "write", buffer(p, a),
              (long long)llabs(step))
        : arena_printf(a, "the lanes of a warp %s %s in scattered places", reads ? "read" : "write", buffer(p, a));
    const char *so = reads
        ? arena_printf(a, "%.0f %% of these bytes are fetched and thrown away", 100 * (1 - needs / has))
        : arena_printf(a, "of the 32 bytes of each sector it writes %.3g", 32 * needs / has);
    f->why = arena_printf(a, "each warp %s %.3g separate sectors where %.3g would do (%s): %s",
        reads ? "reads" : "writes", has, needs, p->op, so);
    f->mend = reads
        ? "let neighbouring threads read neighbouring elements, or read what lies together at once (float4); "
          "where the layout cannot change, read a tile row by row into shared memory"
        : "let neighbouring threads write neighbouring elements, through a tile in shared memory where need be";
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

bool rule_misaligned(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (!plain(p) || !side_by_side(p) || p->at[0] % 32 == 0 || has_aligned(e->places, p)) continue;
        change_pick(c, p, TAPE_DENSE);
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst) return false;
    const unsigned off = (unsigned)(worst->at[0] % 32);
    f->line = worst->line;
    f->what = arena_printf(a, "a warp's bytes in %s begin inside a sector", buffer(worst, a));
    f->why = arena_printf(a,
        "%.3g sectors a request (%s) where %.3g would do; a warp begins %u bytes behind the start "
        "of a sector",
        (double)worst->sectors / (double)worst->requests, worst->op, least(worst) / (double)worst->requests, off);
    f->mend = "begin at a multiple of 32 bytes: shift the work, or give each row a pitch (`memory: pitched`)";
    return true;
}

static int words_of(const struct device_place *p)
{
    int count = 0;
    for (int l = 0; l < 32; l++) {
        bool seen = !(p->mask >> l & 1);
        for (int k = 0; k < l && !seen; k++) seen = (p->mask >> k & 1) && p->at[k] == p->at[l];
        count += !seen;
    }
    return count ? count : 1;
}

static double addresses_of(const struct device_place *p) { return fmax((double)p->span / evidence_word(p), 1); }

bool rule_same_address(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (!ops_adds(p->is) || ops_has(p->is, WORD_CAS)) continue;
        const bool meets = __builtin_popcount(p->mask) >= 4 * words_of(p);
        // Or they meet those of other warps.
        const bool many = p->space == SPACE_OF_DEVICE && (double)p->lanes > 256 * addresses_of(p);
        if (!(meets || many)) continue;
        change_pick(c, p, TAPE_ONCE);
        for (uint32_t k = 0; k < p->instructions && k < c->tape.pick_count; k++)
            c->picks[c->tape.pick_count - 1 - k].left = (uint32_t)words_of(p);
        if (!worst || p->lanes > worst->lanes) worst = p;
    }
    if (!worst) return false;
    const bool shared = worst->space == SPACE_OF_BLOCK, one = worst->span <= 8;
    const bool meets = __builtin_popcount(worst->mask) >= 4 * words_of(worst);
    const double turns = (double)(shared ? worst->wavefronts : worst->sectors);
    const bool loops = (double)worst->requests > 4 * evidence_warps(e);            // in which a lane a turn has its way
    if (shared && !loops && worst->wavefronts < 2 * worst->requests) return false; // each warp's are one
    if (shared) c->tape.spared_pauses[MODEL_SWAPS] = 1;
    // A block's histogram holds the more, the more it adds up; of a sum each block has one atomic, however many run.
    if (!shared && !one) c->tape.merge = (uint32_t)evidence_rounds(e);
    f->line = worst->line;
    f->what = one ? arena_printf(a, "all threads%s do their atomic at one address", shared ? " of a block" : "")
        : !meets  ? arena_printf(a, "the atomics of all threads meet at %.0f words", addresses_of(worst))
                  : arena_printf(a, "the atomics of a warp meet at %d address%s", words_of(worst),
                       words_of(worst) > 1 ? "es" : "");
    f->why = arena_printf(a, "%.0f atomics (%s)%s in %.0f turns, one behind the other; they reach %llu bytes in all",
        (double)worst->lanes, worst->op, loops ? ", most of them tried again because another lane was quicker," : "",
        turns, (unsigned long long)worst->span);
    f->mend = "add up in registers first, over the warp and then over the block; then do one atomic a block. For a "
              "histogram: keep one in shared memory for each block, and run only as many blocks as fit at once";
    return true;
}

bool rule_swap_loop(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (global(p) && ops_has(p->is, WORD_CAS) && (!worst || p->lanes > worst->lanes)) worst = p;
    }
    const double each = worst ? (double)worst->lanes / (double)job_launches(e->job) / addresses_of(worst) : 0;
    if (each < 16) return false;
    f->line = worst->line;
    f->what = "threads compare and swap at few addresses, and begin again where another one was first";
    f->why = arena_printf(a, "%.0f swaps (%s) at %.0f address%s: %.3g at each%s, one behind the other",
        (double)worst->lanes, worst->op, addresses_of(worst), addresses_of(worst) > 1 ? "es" : "", each,
        job_launches(e->job) > 1 ? " in a launch" : "");
    f->mend = "an atomic that does it at once (atomicAdd takes doubles, atomicMax whole numbers), or a reduction first";
    // The replay has what a unit of L2 takes; beyond that a swap waits for the others at its address.
    const double swaps = evidence_swaps(e), time = e->columns[COLUMN_TIME_US];
    if (swaps > 0) c->gain = (evidence_timed(e) ? time : e->judged.us) / (e->judged.us - swaps);
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p != worst && p->span == worst->span && ops_has(p->is, WORD_EXCH))
            f->what = "threads wait for each other at a lock", f->untold = "how long they wait hangs on who comes when";
    }
    return true;
}

// Words from lane to lane, where it is the same everywhere; 0: it is not.
static int64_t words_apart(const struct device_place *p)
{
    const int64_t step = step_of(p);
    return step % 4 ? 0 : llabs(step) / 4;
}

bool rule_bank_conflicts(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    double wavefronts = 0, conflicts = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        wavefronts += (double)p->wavefronts;
        if (ops_adds(p->is) || !p->conflicts) continue;
        conflicts += (double)p->conflicts;
        change_pick(c, p, TAPE_CALM);
        if (!worst || p->conflicts > worst->conflicts) worst = p;
    }
    if (!worst) return conflicts_counted(e, f, a);
    const int64_t words = words_apart(worst);
    if (!words && worst->wavefronts <= 4 * worst->requests) return false; // as chance has it, in a table
    f->line = worst->line;
    f->what = "lanes of a warp ask the same bank of shared memory for different words";
    f->why =
        arena_printf(a, "%.3g wavefronts a request (%s) where %.3g would do; %.0f %% of all wavefronts are conflicts",
            (double)worst->wavefronts / (double)worst->requests, worst->op,
            (double)(worst->wavefronts - worst->conflicts) / (double)worst->requests, 100 * conflicts / wavefronts);
    f->mend = words > 1 && words % 2 == 0
        ? arena_printf(a,
              "neighbouring lanes are %lld words apart: make that odd, as by one element more in each row "
              "([%lld] instead of [%lld])",
              (long long)words, (long long)words + 1, (long long)words)
        : "let the lanes of a warp reach words of 32 different banks: an odd distance between them, or another order";
    return true;
}

// sinf and its like keep a number of many words in local memory where the argument is large.
static bool is_slow_math(const struct evidence *e, const struct device_place *p)
{
    static const char *const names[] = {"sinf(", "cosf(", "tanf(", "sincosf(", "sin(", "cos(", "tan(", NULL};
    const char *line = e->job->source;
    if (!line || strstr(line, "\n#line ")) return false;
    for (int n = 1; n < p->line && line; n++) line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    const char *end = line ? strchr(line, '\n') : NULL;
    for (const char *const *name = names; line && *name; name++)
        for (const char *at = strstr(line, *name); at && (!end || at < end); at = strstr(at + 1, *name))
            if (at == line || at[-1] != '_') return true;
    return false;
}

// Tables of the compiler's own functions.
static bool of_library(const struct device_place *p) { return p->buffer && strncmp(p->buffer, "__", 2) == 0; }

bool rule_slow_math(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    double requests = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p->space != SPACE_OF_THREAD || !p->sectors || !is_slow_math(e, p)) continue;
        requests += (double)p->requests;
        f->line = p->line;
    }
    if (!(requests > 0)) return false;
    for (size_t i = 0; i < e->places->count; i++) { // a table of its own, too
        const struct device_place *p = &e->places->items[i];
        if (is_slow_math(e, p) && (p->space == SPACE_OF_THREAD || of_library(p))) change_pick(c, p, TAPE_GONE);
    }
    f->what = "a sine or cosine takes its slow path, since its argument is large";
    f->why = arena_printf(a, "%.0f reads and writes of a long number in local memory", requests);
    f->mend = "bring the argument near zero first, or use sinpif, cosf of a small angle, or __sinf";
    // Its ten reads and writes stand among some 128 instructions.
    change_spare(c, e, 12.8 * requests);
    return true;
}

bool rule_local(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    double local = 0, requests = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p->space != SPACE_OF_THREAD || !p->sectors || is_slow_math(e, p)) continue;
        local += (double)p->sectors;
        requests += (double)p->requests;
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    const double bytes = e->columns[COLUMN_LOCAL_BYTES];
    if (!worst) return false;
    // Lanes that each take another element choose it by their data: no unrolling makes that a constant.
    const bool chosen = local > 1.5 * requests * (worst->bytes > 4 ? worst->bytes : 4);
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p->space == SPACE_OF_THREAD && p->sectors && !is_slow_math(e, p))
            change_pick(c, p, chosen ? TAPE_SHARED_TURN : TAPE_GONE);
    }
    f->line = worst->line;
    f->what = "an array of each thread lies in local memory, since its index is not known to the compiler";
    f->why = arena_printf(a, "%.0f sectors of local memory, %.0f %% of all%s", local,
        100 * local / sectors_of(e->places), bytes > 0 ? arena_printf(a, "; %.0f bytes a thread", bytes) : "");
    f->mend = chosen
        ? "keep it in shared memory: an array of [elements][threads of the block], where no two lanes share a bank"
        : "let every index be a constant (unroll the loops over it whole), so that it fits in registers; or keep it in "
          "shared memory";
    // Nor are there instructions to find the place: two for each access.
    if (!chosen) change_spare(c, e, 2 * requests);
    return true;
}

bool rule_spills(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double bytes = e->columns[COLUMN_SPILL_BYTES];
    const int64_t most = asks_whole(e->job, SETTING_MAXREGS, 0);
    (void)c; // how often, only the machine code tells
    if (!(bytes > 0)) return false;
    f->what = "the compiler keeps registers in local memory";
    f->why = arena_printf(a, "%.0f bytes spilled a thread, at %.0f registers%s", bytes, e->columns[COLUMN_REGS],
        most ? arena_printf(a, " (maxregs: %lld)", (long long)most) : "");
    f->mend = "allow more registers (a larger maxregs, smaller blocks), or keep fewer values alive at once";
    if (most) f->test = "maxregs=255";
    return true;
}

// A load of global memory that L1 is not asked for, at the same places over and over.
bool rule_read_again(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_place *worst = NULL;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (!plain(p) || !ops_loads(p->is) || !p->is->strong) continue; // strong: past L1
        if ((double)p->lanes * p->bytes < 2 * (double)p->span || p->lanes < 8 * p->requests) continue;
        change_pick(c, p, TAPE_KEPT | TAPE_CACHED);
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst) return false;
    f->line = worst->line;
    f->what = arena_printf(a, "each read of %s goes to L2 again, since it is volatile", buffer(worst, a));
    f->why = arena_printf(a, "%.0f loads (%s) of %llu bytes", (double)worst->lanes, worst->op,
        (unsigned long long)worst->span);
    f->mend =
        "leave `volatile` out and keep the value in a register; where other threads write it, read it once a turn";
    return true;
}

bool rule_rewritten(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *all = e->places;
    const struct device_place *worst = NULL;
    double bytes = 0, requests = 0;
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (!global(p) || !ops_stores(p->is)) continue;
        bytes += (double)p->lanes * p->bytes;
        if (!worst || p->lanes > worst->lanes) worst = p;
    }
    if (!worst || job_launches(e->job) > 1 || bytes < 4 * 32 * (double)all->written_sectors) return false;
    if (!worst->buffer) return false;
    const double again = bytes / 32 / (double)all->written_sectors;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        const bool same = p->buffer && strcmp(p->buffer, worst->buffer) == 0;
        // What is read beside it is read again since the write may have changed it.
        const bool beside = ops_loads(p->is) && p->line == worst->line;
        if (!plain(p) || !(same || (beside && (double)p->lanes * p->bytes >= again * (double)p->span))) continue;
        change_pick(c, p, TAPE_KEPT);
        requests += (double)p->requests;
    }
    // With the accesses go their instructions.
    change_spare(c, e, (1 - 1 / again) * requests);
    f->line = worst->line;
    f->what = arena_printf(a, "the same places of %s are written over and over", buffer(worst, a));
    f->why = arena_printf(a, "%.3g bytes are written to %.3g, each %.3g times", bytes,
        32 * (double)all->written_sectors, again);
    f->mend = "keep the value in a register until it is done, and write it once";
    return true;
}

// The instruction itself goes over the same bytes, for other warps: not neighbours' bytes by instructions of their own,
// as in a stencil, which takes no turns.
bool rule_reuse(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *all = e->places;
    const struct device_place *worst = NULL;
    double loads = 0, requests = 0;
    for (size_t i = 0; all && i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (!global(p) || !ops_loads(p->is)) continue;
        loads += (double)p->sectors;
        requests += (double)p->requests;
        change_pick(c, p, TAPE_NEAR);
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst || !all->block_sectors || (double)all->rounds < 4 * evidence_warps(e)) return false;
    if ((double)worst->sectors > 4 * least(worst)) return false; // its own thread's: what lies beside in a sector
    const double again = loads / (double)all->block_sectors;
    if (again < 6) return false;
    f->line = worst->line;
    f->what = "the threads of a block read the same from the cache, again and again";
    f->why = arena_printf(a, "each sector that a block needs is asked for %.3g times", again);
    f->mend = "read a tile into shared memory once, and let each thread compute 4 by 4 results from it in registers";
    // Of the loads three of four go, and with each the instructions that find its place.
    change_spare(c, e, 1.5 * requests);
    return true;
}
