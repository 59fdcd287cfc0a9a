// Rules about a launch as a whole: how many warps an SM holds, how many rounds they make, what the launch costs.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>

struct limits { // blocks of an SM that each allows
    double threads, blocks, regs, shared;
};

static double atleast(double a, double b) { return a < b ? a : b; }

static struct limits limits_of(const struct evidence *e)
{
    const struct occupancy_device *l = &e->device->limits;
    const double warps = (evidence_threads(e) + 31) / 32;
    const double regs = e->columns[COLUMN_REGS], shared = e->columns[COLUMN_SHARED_BYTES];
    return (struct limits){
        .threads = floor(l->warps_per_sm / warps),
        .blocks = l->blocks_per_sm,
        .regs = regs > 0 ? floor(l->regs_per_sm / (ceil(regs / 8) * 8 * 32 * warps)) : INFINITY,
        .shared =
            shared > 0 ? floor((double)l->shared_per_sm / (shared + (double)l->shared_reserved_per_block)) : INFINITY,
    };
}

// Bytes of shared memory from the first that a block reaches to the last; 0: not known.
static double touched_shared(const struct evidence *e)
{
    double most = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++)
        if (e->places->items[i].space == SPACE_OF_BLOCK) most = fmax(most, (double)e->places->items[i].span);
    return most;
}

bool rule_occupancy(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct limits l = limits_of(e);
    const double warps = (evidence_threads(e) + 31) / 32, most = e->device->limits.warps_per_sm;
    const double fits = atleast(atleast(l.threads, l.blocks), atleast(l.regs, l.shared));
    const double share = fits * warps / most;
    if (!(fits > 0) || share > 0.5 || evidence_blocks(e) < 4 || (!(now->us[BOUND_LATENCY] > 0) && l.blocks > fits))
        return false;
    const char *by;
    double after = 2 * share;
    if (l.shared == fits) {
        const int64_t extra = asks_whole(e->job, SETTING_SHARED, 0);
        by = arena_printf(a, "%.0f bytes of shared memory a block", e->columns[COLUMN_SHARED_BYTES]);
        f->mend = "less shared memory a block, or more threads that share it";
        const double touched = touched_shared(e);
        if (touched > 0 && touched < e->columns[COLUMN_SHARED_BYTES])
            after = atleast(atleast(atleast(l.threads, l.blocks), l.regs),
                        floor((double)e->device->limits.shared_per_sm /
                            (touched + (double)e->device->limits.shared_reserved_per_block))) *
                warps / most;
        if (extra > 0) f->test = "shared=0", after = atleast(atleast(l.threads, l.blocks), l.regs) * warps / most;
    } else if (l.blocks == fits) {
        by = arena_printf(a, "an SM holds %.0f blocks, and these have %u threads", l.blocks, evidence_threads(e));
        f->mend = "larger blocks";
        if (e->job->block[1] == 1) f->test = "block=256";
        after = 1;
        mended->us[BOUND_BLOCKS] = now->us[BOUND_BLOCKS] * warps / 8;
    } else if (l.regs == fits) {
        by = arena_printf(a, "%.0f registers a thread", e->columns[COLUMN_REGS]);
        f->mend = "fewer registers: `maxregs`, or fewer values alive at once; more work a thread hides as much";
        f->test = arena_printf(a, "maxregs=%.0f", floor(e->columns[COLUMN_REGS] / 2 / 8) * 8);
    } else {
        by = arena_printf(a, "%u threads a block, of which few fit side by side", evidence_threads(e));
        f->mend = "smaller blocks";
        if (e->job->block[1] == 1) f->test = "block=256";
        after = 1;
    }
    f->what = arena_printf(a, "an SM holds %.0f of %.0f warps", fits * warps, most);
    f->why = arena_printf(a, "limited by %s", by);
    f->counted = share <= 0.25 && now->us[BOUND_LATENCY] > 0.5 * bounds_others(now, BOUND_LATENCY);
    after = atleast(after, 1);
    mended->us[BOUND_LATENCY] = now->us[BOUND_LATENCY] * share / after;
    if (e->places && e->places->instructions) mended->overlap = fmax(now->overlap, bounds_overlap(e, after * most));
    return true;
}

// Work that could be spread: where each warp has one turn, a small grid is a small problem.
bool rule_grid(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_places *p = e->places;
    const double blocks = (double)evidence_blocks(e), warps = evidence_warps(e), resident = evidence_resident(e);
    const double all = e->device->limits.sms, turns = p ? (double)p->rounds / warps : 0;
    if (!p || job_launches(e->job) > 1 || turns < 8 || warps > 0.25 * resident * all) return false;
    if (!e->whole && !e->given) return false; // it stands for larger ones
    double lanes = 0, requests = 0;
    for (size_t i = 0; i < p->count; i++) {
        lanes += (double)p->items[i].lanes;
        requests += (double)p->items[i].requests;
    }
    if (lanes < 8 * requests) return false; // a few threads that follow a chain
    const double more = atleast(resident * all / warps, turns), idle = blocks < all ? blocks / all : 1;
    f->what = arena_printf(a, "%.0f block%s of %u threads cannot fill %.0f SMs", blocks, blocks > 1 ? "s" : "",
        evidence_threads(e), all);
    f->why = arena_printf(a, "%.0f warps, each goes to memory %.0f times; the device holds %.0f at once", warps, turns,
        resident * all);
    f->mend = "more blocks, each with fewer turns: a grid that fills the SMs, or a thread for each element";
    f->counted = true;
    mended->us[BOUND_LATENCY] = now->us[BOUND_LATENCY] / more;
    mended->us[BOUND_LONGEST] = now->us[BOUND_LONGEST] / more;
    for (int i = 0; i < BOUND_COUNT; i++) {
        const bool of_sm = i == BOUND_ISSUE || i == BOUND_LINES || i == BOUND_SHARED || i == BOUND_LOCAL;
        if (i != BOUND_LATENCY && i != BOUND_ATOMICS && (of_sm || !e->whole)) mended->us[i] = now->us[i] * idle;
    }
    return true;
}

// Too few where the loads of a round are small, not where few warps fit: that is another rule.
bool rule_in_flight(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct device_places *p = e->places;
    double bytes = 0, lanes = 0, requests = 0, enough = 12e3;
    if (!p || !p->rounds) return false;
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].op[0] == 'l' && p->items[i].space == SPACE_OF_DEVICE && p->items[i].sectors) {
            bytes += (double)p->items[i].lanes * p->items[i].bytes;
            lanes += (double)p->items[i].lanes;
            requests += (double)p->items[i].requests;
        }
    const double resident = evidence_resident(e), flying = resident * bytes / (double)p->rounds;
    if (lanes < 8 * requests) return false; // a few threads that follow a chain, or wait
    if (e->whole && evidence_warps(e) < resident * e->device->limits.sms) return false; // nor where the grid is small
    if (resident < 0.6 * e->device->limits.warps_per_sm) return false;
    if (!e->whole) enough = 5e3;
    struct bounds others = *now; // beginning many blocks is another side of the same
    others.us[BOUND_BLOCKS] = 0;
    const double barriers = bounds_pauses_us(e, WORK_BARRIER);
    if (flying >= enough || fmax(now->us[BOUND_LATENCY], now->us[BOUND_BLOCKS]) < bounds_others(&others, BOUND_LATENCY))
        return false;
    if (barriers > 0.5 * now->raw[BOUND_LATENCY]) return false; // it waits for others of its block
    f->what = "too few bytes are on their way to each SM to keep the memory busy";
    f->why = arena_printf(a, "%.1f KB at once: %.0f warps, %.0f bytes of each; this memory needs some 12 KB an SM",
        flying / 1e3, resident, bytes / (double)p->rounds);
    f->mend =
        "several independent loads a thread before the first is used (unroll, more elements a thread), or wider ones "
        "(float4)";
    f->counted = true;
    // Of wider loads, or several, fewer threads do the same.
    const double wider = bytes / lanes < 16 ? 16 / (bytes / lanes) : 2;
    mended->us[BOUND_LATENCY] = now->us[BOUND_LATENCY] / wider;
    mended->us[BOUND_BLOCKS] = now->us[BOUND_BLOCKS] / wider;
    mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] * fmin(1, 1.4 / wider);
    mended->us[BOUND_LINES] = now->us[BOUND_LINES] * fmin(1, 4 / wider);
    return true;
}

bool rule_tail(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double blocks = (double)evidence_blocks(e), warps = (evidence_threads(e) + 31) / 32;
    const double round = floor(evidence_resident(e) / warps) * e->device->limits.sms, rounds = blocks / round;
    (void)mended;
    if (e->grows && !e->whole) return false; // it stands for larger ones
    if (job_launches(e->job) > 1 || !(round > 0) || rounds <= 1 || rounds > 4 || rounds / ceil(rounds) > 0.75)
        return false;
    const double last = blocks - floor(rounds) * round;
    // What a block waits takes as long with few others beside it; and the SM with the most blocks works longest.
    struct bounds whole = *now, spread = *now;
    const double share = blocks / (ceil(blocks / e->device->limits.sms) * e->device->limits.sms);
    whole.us[BOUND_LATENCY] = now->us[BOUND_LATENCY] * ceil(rounds) / rounds;
    for (int i = 0; i < BOUND_COUNT; i++)
        if (i == BOUND_ISSUE || i == BOUND_LINES || i == BOUND_SHARED || i == BOUND_CONSTANT || i == BOUND_LOCAL)
            spread.us[i] = now->us[i] * share;
    if (e->places && (double)e->places->block_most * blocks < 1.5 * (double)e->places->instructions)
        spread.us[BOUND_LONGEST] = 0; // they are alike
    f->what = arena_printf(a, "the last round of blocks is nearly empty");
    f->why = arena_printf(a, "%.0f blocks, of which %.0f run at once: %.0f rounds, the last with %.0f", blocks, round,
        ceil(rounds), last);
    f->mend = arena_printf(a,
        "a grid that fills its rounds, such as %.0f blocks that each do more (a loop with the grid's "
        "stride), or smaller blocks",
        floor(rounds) * round);
    f->counted = true;
    f->gain = now->us[BOUND_LATENCY] > 0 ? bounds_time(&whole) / bounds_time(&spread) : ceil(rounds) / rounds;
    return true;
}

enum { MANY = 8 };

bool rule_launches(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double count = (double)job_launches(e->job), us = e->columns[COLUMN_TIME_US];
    const bool graph = asks_is(e->job, SETTING_VIA, "graph");
    const double launch = 2.1, in_graph = 0.8; // microseconds of one that does nothing
    const double work = bounds_others(now, BOUND_COUNT);
    if (asks_bus(e->job) || (count < MANY && !evidence_timed(e))) return false;
    if (work / count > 1.5 || (evidence_timed(e) && us / count > 3 * launch)) return false;
    f->what = "launching takes longer than what is launched";
    f->why = arena_printf(a, "%.0f launch%s, the work of each some %.2g us; a launch itself takes about %.1f us", count,
        count > 1 ? "es" : "", work / count, launch);
    f->mend = count > 1 ? "one kernel for several of them, or a graph (`via: graph`)"
                        : "more work a launch; of many such launches a graph (`via: graph`)";
    f->counted = count >= MANY;
    if (count > 1 && !graph) {
        f->test = "via=graph";
        f->gain = (launch * count + work) / (in_graph * count + work);
    }
    (void)mended; // how much one launch can do more, nobody knows
    return true;
}

bool rule_bus(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double gbps = e->columns[COLUMN_GBPS];
    const char *name = NULL;
    for (size_t i = 0; i < e->job->buffer_count; i++)
        if (asks_memory_of(&e->job->buffers[i], "mapped")) name = name ? "" : e->job->buffers[i].name;
    if (name && now->us[BOUND_BUS] > now->us[BOUND_MEMORY]) {
        f->what = "the kernel reaches memory of the host, through the bus";
        f->why = arena_printf(a, "the bus carries about 51 GB/s, the device's own memory %.0f%s", e->device->peak_gbps,
            gbps > 0 ? arena_printf(a, "; it had %.1f GB/s", gbps) : "");
        f->mend = "keep the buffers in the device's memory, and copy once";
        f->test = *name ? arena_printf(a, "memory.%s=device", name) : "memory=device";
        f->counted = true;
        mended->us[BOUND_BUS] = 0;
        return true;
    }
    if (!evidence_timed(e) || !asks_bus(e->job) || name || !(gbps > 0)) return false;
    if (!asks_is(e->job, SETTING_HOST, "pageable") || gbps > 40 || e->columns[COLUMN_USEFUL_BYTES] < 1 << 20)
        return false;
    f->what = "copies of pageable memory go through a buffer of the driver's";
    f->why = arena_printf(a, "%.1f GB/s, where the bus carries about 55", gbps);
    f->mend = "page-locked memory (`host: pinned`)";
    f->test = "host=pinned";
    f->gain = 55 / gbps;
    return true;
}
