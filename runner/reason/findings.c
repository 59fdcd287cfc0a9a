// The table of rules, and which of their findings are told.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"
#include "spec/columns.h"

#include <math.h>
#include <string.h>

const struct finding_rule finding_rules[] = {
    {"overfetch", "a warp's lanes touch more sectors than hold what they ask for", rule_overfetch},
    {"misaligned", "a warp's bytes lie side by side, but across one sector more", rule_misaligned},
    {"same_address", "many atomics wait for each other at few addresses", rule_atomics},
    {"swap_loop", "atomics that compare and swap begin again where another one was first", rule_swaps},
    {"bank_conflicts", "lanes ask one bank of shared memory for different words", rule_banks},
    {"local", "an array of a thread lies in memory", rule_local},
    {"spills", "registers are kept in memory", rule_spills},
    {"divergence", "lanes wait while others of their warp run", rule_divergence},
    {"part_warps", "warps that are not full", rule_partial},
    {"uneven", "a few blocks do most of the work", rule_uneven},
    {"reuse", "the threads of a block read the same from the cache, again and again", rule_reuse},
    {"rewritten", "what could stay in a register is read and written over and over", rule_rewritten},
    {"constants", "lanes of a warp read different words of constant memory", rule_constants},
    {"doubles", "floats are computed in double precision", rule_doubles},
    {"divisions", "whole numbers are divided by what the compiler does not know", rule_divisions},
    {"powers", "a simple power by a function that can do any", rule_powers},
    {"vain_barriers", "barriers that nothing needs", rule_barriers},
    {"fences", "fences of memory, again and again", rule_fences},
    {"heap", "threads take memory from the heap", rule_heap},
    {"occupancy", "few warps fit on an SM", rule_occupancy},
    {"small_grid", "few blocks go round and round while most SMs are idle", rule_grid},
    {"in_flight", "too few bytes are on their way at once", rule_in_flight},
    {"tail", "the last round of blocks leaves most SMs idle", rule_tail},
    {"launches", "the launches take longer than their work", rule_launches},
    {"bus", "the host's bus carries it", rule_bus},
    {"window", "the L2 window is larger than what is set aside for it", rule_window},
    {"cache", "a cache was measured, not memory", rule_cache},
    {"ceiling", "near what the device can do", rule_ceiling},
    {0},
};

enum { RULES_MOST = 32 };
static const double worth = 1.1, plain = 1.05; // a smaller gain is not told, unless counts alone make it plain

static double weight(const struct advice *f) { return isnan(f->gain) ? 1.5 : f->gain < plain ? plain : f->gain; }

static void insert(struct advice *all, size_t *count, const struct advice *f)
{
    size_t at = (*count)++;
    for (; at > 0 && weight(&all[at - 1]) < weight(f); at--) all[at] = all[at - 1];
    all[at] = *f;
}

// What the model does not explain of a time is laid to what it blames, as far as it blames it.
static double gain_of(const struct evidence *e, const struct bounds *now, const struct bounds *mended)
{
    const double model = bounds_time(now), gain = model / bounds_time(mended), share = bounds_share(now, mended);
    return evidence_timed(e) && share > 0 ? gain * pow(e->columns[COLUMN_TIME_US] / model, share) : gain;
}

// A time that is not understood is no ground to foretell another one.
static const char *unexplained(const struct evidence *e, const struct bounds *now, struct arena *a)
{
    const double time = e->columns[COLUMN_TIME_US], model = bounds_time(now), much = 1.5;
    if (!evidence_timed(e) || !e->places || (time < much * model && model < much * time)) return NULL;
    return arena_printf(a, "it took %.4g us, where %.4g are understood", time, model);
}

size_t findings_of(const struct evidence *e, struct advice out[FINDINGS_TOLD], struct arena *a)
{
    struct advice all[RULES_MOST];
    struct bounds now;
    size_t count = 0;
    bounds_of(e, &now);
    for (const struct finding_rule *r = finding_rules; r->name; r++) {
        struct advice f = {.rule = r->name, .gain = NAN};
        struct bounds mended = now;
        // That nothing is left to win is told only where nothing else is.
        if (r->find == rule_ceiling && count) continue;
        if (!r->find(e, &now, &mended, &f, a)) continue;
        if (isnan(f.gain) && memcmp(&mended, &now, sizeof now) != 0) f.gain = gain_of(e, &now, &mended);
        if (!f.counted || e->whole)
            if (!isnan(f.gain) && f.gain < (f.counted ? plain : worth)) continue;
        if (!f.untold) f.untold = unexplained(e, &now, a);
        insert(all, &count, &f);
    }
    for (size_t i = 0; i < count && i < FINDINGS_TOLD; i++) {
        out[i] = all[i];
        if (e->known == KNOWN_NOTHING || out[i].untold) out[i].gain = NAN;
        if (e->known == KNOWN_NOTHING) out[i].untold = NULL;
    }
    return count < FINDINGS_TOLD ? count : FINDINGS_TOLD;
}
