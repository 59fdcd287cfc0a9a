// Rules about what a warp or a thread does: banks of shared memory, arrays and registers in local memory, lanes that
// wait.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Words from lane to lane, where it is the same everywhere; 0: it is not.
static int64_t words_apart(const struct device_place *p)
{
    int64_t step = 0;
    for (int l = 0; l < 31; l++) {
        if ((p->mask >> l & 3) != 3) continue;
        const int64_t next = (int64_t)(p->at[l + 1] - p->at[l]);
        if (step && next != step) return 0;
        step = next;
    }
    return step % 4 ? 0 : llabs(step) / 4;
}

static bool atomic(const struct device_place *p)
{
    return strncmp(p->op, "atom", 4) == 0 || strncmp(p->op, "red", 3) == 0;
}

bool rule_banks(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *worst = NULL;
    double wavefronts = 0, conflicts = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        wavefronts += (double)p->wavefronts;
        if (atomic(p) || !p->conflicts) continue;
        conflicts += (double)p->conflicts;
        if (!worst || p->conflicts > worst->conflicts) worst = p;
    }
    if (!worst || conflicts < 0.15 * wavefronts || worst->conflicts * 4 < worst->wavefronts) return false;
    const int64_t words = words_apart(worst);
    if (!words && worst->wavefronts <= 4 * worst->requests) return false; // as chance has it, in a table
    f->line = worst->line;
    f->counted = conflicts >= 0.3 * wavefronts;
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
    mended->us[BOUND_SHARED] = now->us[BOUND_SHARED] * (1 - conflicts / wavefronts);
    return true;
}

bool rule_local(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_place *worst = NULL;
    double local = 0, all = 0, requests = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        all += (double)p->sectors;
        if (p->space != SPACE_OF_THREAD) continue;
        local += (double)p->sectors;
        requests += (double)p->requests;
        if (!worst || p->sectors > worst->sectors) worst = p;
    }
    if (!worst || local < 0.1 * all) return false;
    const double bytes = e->columns[COLUMN_LOCAL_BYTES];
    f->line = worst->line;
    f->counted = local >= 0.25 * all;
    f->what = "an array of each thread lies in local memory, since its index is not known to the compiler";
    f->why = arena_printf(a, "%.0f sectors of local memory, %.0f %% of all%s", local, 100 * local / all,
        bytes > 0 ? arena_printf(a, "; %.0f bytes a thread", bytes) : "");
    f->mend =
        "let every index be a constant (unroll the loops over it whole), so that it fits in registers; or keep it in "
        "shared memory";
    mended->us[BOUND_LOCAL] = 0;
    // Nor are there instructions for it, to find the place and to go there.
    if (e->places->instructions)
        mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] * fmax(0.3, 1 - 3 * requests / (double)e->places->instructions);
    // Unrolled, the loop over it waits for its loads at once.
    if (e->places->rounds) mended->us[BOUND_LATENCY] *= fmin(1, evidence_warps(e) / (double)e->places->rounds);
    return true;
}

bool rule_spills(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double bytes = e->columns[COLUMN_SPILL_BYTES];
    const int64_t most = asks_whole(e->job, SETTING_MAXREGS, 0);
    if (!(bytes > 0)) return false;
    (void)now;
    (void)mended; // how often, only the machine code tells: the gain is not known
    f->counted = true;
    f->what = "the compiler keeps registers in local memory";
    f->why = arena_printf(a, "%.0f bytes spilled a thread, at %.0f registers%s", bytes, e->columns[COLUMN_REGS],
        most ? arena_printf(a, " (maxregs: %lld)", (long long)most) : "");
    f->mend = "allow more registers (a larger maxregs, smaller blocks), or keep fewer values alive at once";
    if (most) f->test = "maxregs=255";
    return true;
}

// Of the access with the fullest warps.
static double busy_lanes(const struct device_places *all)
{
    double most = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *p = &all->items[i];
        if (p->space == SPACE_OF_DEVICE && p->requests)
            most = fmax(most, (double)p->lanes / (32.0 * (double)p->requests));
    }
    return most > 0 ? most : 1;
}

bool rule_divergence(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_places *p = e->places;
    if (!p || !p->lanes) return false;
    const double idle = (double)p->idle / (double)(p->idle + p->lanes);
    const struct device_line *worst = NULL;
    for (size_t i = 0; i < p->line_count; i++)
        if (!worst || p->lines[i].idle > worst->idle) worst = &p->lines[i];
    if (!worst) return false;
    // A line where nearly all wait, and which takes long.
    const double here = (double)worst->idle / (double)(worst->idle + worst->lanes);
    const bool bad = here >= 0.6 && (double)(worst->idle + worst->lanes) >= 0.2 * (double)(p->idle + p->lanes);
    if (idle < 0.2 && !bad) return false;
    f->line = worst->line;
    struct bounds apart = *now; // waiting at barriers is waiting for those that diverge
    apart.us[BOUND_LATENCY] -= bounds_pauses_us(e, WORK_BARRIER);
    const double others = bounds_others(&apart, BOUND_ISSUE); // where memory takes much longer, idle lanes cost nothing
    f->counted = (idle >= 0.25 && now->us[BOUND_ISSUE] > others) || (bad && now->us[BOUND_ISSUE] >= 0.9 * others);
    f->what = "lanes of a warp go different ways, and each way waits for the others";
    f->why = arena_printf(a, "%.1f of 32 lanes are active on the average; at this line %.1f", 32 * (1 - idle),
        32 * (double)worst->lanes / (double)(worst->lanes + worst->idle));
    f->mend = "let whole warps go one way: choose by what is the same for 32 neighbours (a sort, another order of the "
              "work), or compute both ways and select";
    // Where no lane of them reads or writes either, fewer warps do.
    const double busy = busy_lanes(p);
    mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] * fmin(1 - idle, busy);
    mended->us[BOUND_LATENCY] = now->us[BOUND_LATENCY] * busy;
    mended->us[BOUND_BLOCKS] = now->us[BOUND_BLOCKS] * busy;
    mended->us[BOUND_LONGEST] = now->us[BOUND_LONGEST] * (1 - idle);
    return true;
}

bool rule_partial(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const uint32_t threads = evidence_threads(e), warps = (threads + 31) / 32;
    const double full = (double)threads / (warps * 32.0);
    if (full > 0.85) return false;
    f->counted = true;
    f->what = arena_printf(a, "%u threads a block: the last warp has %u of 32 lanes", threads, threads % 32);
    f->why = arena_printf(a, "%.0f %% of the lanes of each block never run", 100 * (1 - full));
    f->mend = "a block of a multiple of 32 threads";
    const bool flat = !job_launch(e->job, 0).block[1] || job_launch(e->job, 0).block[1] == 1;
    const uint32_t better = flat && threads < 128 ? 256 : warps * 32;
    if (flat) f->test = arena_printf(a, "block=%u", better);
    for (int i = 0; i < BOUND_COUNT; i++)
        if (i != BOUND_MEMORY && i != BOUND_L2 && i != BOUND_ATOMICS && i != BOUND_BUS)
            mended->us[i] = now->us[i] * full;
    mended->us[BOUND_BLOCKS] = now->us[BOUND_BLOCKS] * threads / better;
    // Larger blocks fill an SM where small ones are too many for it.
    if (better > warps * 32) mended->us[BOUND_LATENCY] *= evidence_resident(e) / e->device->limits.warps_per_sm;
    return true;
}
