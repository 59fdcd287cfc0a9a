// Rules about a launch as a whole: how many warps an SM holds, what they wait for, how many rounds they make; and about
// what was asked for.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>

static struct occupancy_blocks allowed(const struct evidence *e)
{
    const double regs = e->columns[COLUMN_REGS], shared = e->columns[COLUMN_SHARED_BYTES];
    return occupancy_blocks(&e->device->limits, (int)evidence_threads(e), regs > 0 ? (int)regs : 0,
        shared > 0 ? (size_t)shared : 0);
}

// Bytes of shared memory from the first that a block reaches to the last; 0: not known.
static double touched_shared(const struct evidence *e)
{
    double most = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++)
        if (e->places->items[i].space == SPACE_OF_BLOCK) most = fmax(most, (double)e->places->items[i].span);
    return most;
}

// So few that what one waits for is not hidden by the others.
static bool few_warps(const struct evidence *e, double on_an_sm)
{
    return on_an_sm <= 0.5 * e->device->limits.warps_per_sm;
}

static bool tallest(const struct evidence *e, enum limit_unit unit)
{
    return e->judged.count > 0 && e->judged.of[0].is == unit;
}

// More warps hide what warps wait for; a unit that is busy gets no faster by them.
static bool waiting(const struct evidence *e)
{
    for (int k = 0; k < e->judged.count && k < 2; k++) switch (e->judged.of[k].is) {
        case LIMIT_LOADS:
        case LIMIT_BARRIERS:
        case LIMIT_CHAIN:
        case LIMIT_LAUNCH: return true;
        default: break;
        }
    return !e->judged.count;
}

bool rule_occupancy(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct occupancy_blocks l = allowed(e);
    const double warps = (evidence_threads(e) + 31) / 32, most = e->device->limits.warps_per_sm;
    const double room = fmin(l.threads, l.blocks);
    const double shared = e->columns[COLUMN_SHARED_BYTES];
    if (l.all < 1 || !few_warps(e, l.all * warps) || evidence_blocks(e) < 4 || !waiting(e)) return false;
    const char *by;
    double after = 2.0 * l.all;
    if (l.shared == l.all) {
        const double touched = touched_shared(e), spare = (double)e->device->limits.shared_reserved_per_block;
        by = arena_printf(a, "%.0f bytes of shared memory a block", shared);
        f->mend = "less shared memory a block, or more threads that share it";
        if (touched > 0 && touched < shared)
            after = fmin(fmin(room, l.regs), floor((double)e->device->limits.shared_per_sm / (touched + spare)));
        if (asks_whole(e->job, SETTING_SHARED, 0) > 0) f->test = "shared=0", after = fmin(room, l.regs);
    } else if (l.blocks == l.all) {
        by = NULL;
        f->why = arena_printf(a, "an SM holds at most %d blocks, and each has only %u threads", l.blocks,
            evidence_threads(e));
        f->mend = "larger blocks";
        if (e->job->block[1] == 1) f->test = "block=256";
        after = floor(most / warps);
        c->tape.block_starts = 1 - fmin(1, warps / 8);
    } else if (l.regs == l.all) {
        by = arena_printf(a, "%.0f registers a thread", e->columns[COLUMN_REGS]);
        f->mend = "fewer registers: `maxregs`, or fewer values alive at once; more work a thread hides as much";
        f->test = arena_printf(a, "maxregs=%.0f", floor(e->columns[COLUMN_REGS] / 2 / 8) * 8);
    } else {
        by = arena_printf(a, "%u threads a block, of which few fit side by side", evidence_threads(e));
        f->mend = "smaller blocks";
        if (e->job->block[1] == 1) f->test = "block=256";
    }
    c->tape.resident = (uint32_t)fmax(1, fmin(after, floor(most / warps)));
    f->what = arena_printf(a, "an SM holds %.0f of %.0f warps", l.all * warps, most);
    if (by) f->why = arena_printf(a, "limited by %s", by);
    return true;
}

// A thread for each element, which goes by what it has read: its steps cannot be shared out, and there are no more of
// them.
static bool cannot_split(const struct evidence *e) { return e->grows && e->whole && e->places && e->places->by_data; }

// Work that could be spread: where each warp has one turn, a small grid is a small problem.
bool rule_small_grid(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *p = e->places;
    const double blocks = (double)evidence_blocks(e), warps = evidence_warps(e), resident = evidence_resident(e);
    const double all = e->device->limits.sms, turns = p ? (double)p->rounds / warps : 0;
    if (!p || job_launches(e->job) > 1 || turns <= 8 || warps > 0.25 * resident * all) return false;
    if (evidence_stands(e) || evidence_lanes(e) < 8) return false; // it stands for larger ones
    if (cannot_split(e)) return false;
    f->what = arena_printf(a, "%.0f block%s of %u threads cannot fill %.0f SMs", blocks, blocks > 1 ? "s" : "",
        evidence_threads(e), all);
    f->why = arena_printf(a, "%.0f warps, each goes to memory %.0f times; the device holds %.0f at once", warps, turns,
        resident * all);
    f->mend = "more blocks, each with fewer turns: a grid that fills the SMs, or a thread for each element";
    c->tape.spread = true;
    return true;
}

// Loads of the device's memory: by what each lane gets, and how often a warp goes there.
struct loads {
    double bytes, lanes, turns, barriers;
};

static struct loads loads_of(const struct evidence *e)
{
    struct loads l = {0};
    const struct device_places *p = e->places;
    for (size_t i = 0; i < p->count; i++)
        if (ops_loads(p->items[i].is) && p->items[i].space == SPACE_OF_DEVICE && p->items[i].sectors) {
            l.bytes += (double)p->items[i].lanes * p->items[i].bytes;
            l.lanes += (double)p->items[i].lanes;
        }
    for (size_t i = 0; i < p->line_count; i++) l.barriers += (double)p->lines[i].work[WORK_BARRIER];
    l.turns = (double)p->rounds / evidence_warps(e);
    return l;
}

enum { WORD = 4 }; // bytes of each lane with which a warp's request fills a line of 128 bytes

enum { AHEAD = 16 }; // loads of a thread: more of them take the registers of other warps

// As many loads at once as bring something: twice as many would hardly be quicker.
static void enough_together(const struct evidence *e, struct change *c, double turns)
{
    struct limits l;
    double us = evidence_changed(e, &c->tape, false, &l), next;
    for (struct tape_change more = c->tape; 2 * more.together <= fmin(AHEAD, turns); us = next) {
        more.together *= 2;
        next = evidence_changed(e, &more, false, &l);
        if (!(us >= findings_worth * next)) break;
        c->tape.together = more.together;
    }
}

// Waits that nothing orders, or requests that leave most of a line empty. Where each thread has one word it is no flaw
// that it has no more: see rule_ceiling.
bool rule_in_flight(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *p = e->places;
    if (!p || !p->rounds || evidence_lanes(e) < 8) return false;
    if (!tallest(e, LIMIT_LOADS) && !tallest(e, LIMIT_LAUNCH)) return false;
    const struct loads l = loads_of(e);
    const double wide = l.lanes > 0 ? l.bytes / l.lanes : WORD;
    const double resident = evidence_resident(e), flying = resident * l.bytes / (double)p->rounds;
    // Nor where the grid is small, unless each thread does much and there are no more of them.
    if (e->whole && evidence_rounds(e) < 1 && !(cannot_split(e) && l.turns >= 2)) return false;
    if (few_warps(e, resident)) return false;                         // that is occupancy's
    if (limits_share(&e->judged, LIMIT_BARRIERS) > 0.3) return false; // it waits for others of its block
    if (l.turns < 2 && wide >= WORD) return false;
    f->what = l.turns < 2 ? "each request of a warp is narrower than the line of memory that it could have"
                          : "too few bytes are on their way to each SM to keep the memory busy";
    f->why = l.turns < 2
        ? arena_printf(a, "%.3g byte%s a lane; a line holds %d for each of 32 lanes", wide, wide == 1 ? "" : "s", WORD)
        : arena_printf(a, "an SM asks for %.1f KB at once: %.0f warps, %.0f bytes for each", flying / 1e3, resident,
              l.bytes / (double)p->rounds);
    c->tape.together = 4;
    if (l.turns < 2) c->tape.wider = WORD / wide;
    else enough_together(e, c, l.turns);
    f->mend = l.turns < 2
        ? "let each thread take several neighbours at once (a uchar4, a float4), in as many fewer blocks"
        : arena_printf(a,
              "let each thread make %u loads before it uses the first one (unroll, or more elements a "
              "thread), or wider ones (float4)",
              c->tape.together);
    return true;
}

bool rule_chain(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double most = e->device->limits.warps_per_sm, there = evidence_warps(e) / e->device->limits.sms;
    const bool all = !evidence_stands(e);
    const double resident = all ? fmin(evidence_resident(e), ceil(there)) : evidence_resident(e);
    if (!e->places || !tallest(e, LIMIT_CHAIN) || cannot_split(e)) return false;
    f->what = "each warp waits for its own results, and few other warps fill the gap";
    f->why = arena_printf(a, "an SM holds %.0f of %.0f warps; a step begins when the one before has its result",
        resident, most);
    f->mend = "several independent sums or steps a thread (unroll with accumulators of their own), or more warps";
    c->tape.short_chain = 4;
    return few_warps(e, resident);
}

bool rule_barrier_waits(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    if (!e->places) return false;
    const struct loads l = loads_of(e);
    double most = 0;
    for (size_t i = 0; i < e->places->line_count; i++)
        if ((double)e->places->lines[i].work[WORK_BARRIER] > most)
            most = (double)e->places->lines[i].work[WORK_BARRIER], f->line = e->places->lines[i].line;
    // Or it meets more than twice for each step of a tree over its threads, of which there is one for each trip to
    // memory.
    const bool most_waits = tallest(e, LIMIT_BARRIERS) && limits_share(&e->judged, LIMIT_BARRIERS) >= 0.5;
    const double tree = 2 * log2(evidence_threads(e));
    if (!most_waits && !(l.barriers > tree * l.turns * evidence_warps(e))) return false;
    f->what = "warps wait for the others of their block at barriers";
    f->why = arena_printf(a, "%.3g times a warp; waiting takes %.0f %% of the time", l.barriers / evidence_warps(e),
        100 * limits_share(&e->judged, LIMIT_BARRIERS));
    f->mend =
        "fewer steps between barriers (a reduction ends within a warp), or smaller blocks, of which others run on";
    c->tape.no_barriers = true;
    return true;
}

// Units that each SM has for itself: one that has more blocks than the others has them longer.
static bool own_unit(const struct evidence *e)
{
    if (!e->judged.count) return false;
    const enum limit_unit is = e->judged.of[0].is;
    return is == LIMIT_L1 || is == LIMIT_SHARED || (is >= LIMIT_ISSUE && is <= LIMIT_SPECIAL);
}

bool rule_tail(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double blocks = (double)evidence_blocks(e), warps = (evidence_threads(e) + 31) / 32;
    const double sms = e->device->limits.sms, at_once = floor(evidence_resident(e) / warps) * sms;
    // Blocks that run at once share what is an SM's own, and go on as if there was one on each.
    const bool shared = own_unit(e);
    const double round = shared ? sms : at_once, rounds = blocks / round;
    if (e->grows && !e->whole) return false; // it stands for larger ones
    if (job_launches(e->job) > 1 || !(round > 0) || rounds <= 1) return false;
    // Of more than three rounds at once a last one hardly matters.
    if (shared ? ceil(rounds) < findings_worth * rounds : rounds / ceil(rounds) > 0.75) return false;
    const double last = blocks - floor(rounds) * round;
    f->what = shared ? "some SMs have a block more than the others, which wait for them"
                     : "the last round of blocks is nearly empty";
    f->why = shared ? arena_printf(a, "%.0f blocks on %.0f SMs: %.0f have %.0f of them, the others %.0f", blocks, sms,
                          last, ceil(rounds), floor(rounds))
                    : arena_printf(a, "%.0f blocks, of which %.0f run at once: %.0f rounds, the last with %.0f", blocks,
                          round, ceil(rounds), last);
    f->mend = arena_printf(a,
        "a grid that fills its rounds, such as %.0f blocks that each do more (a loop with the grid's "
        "stride), or smaller blocks",
        floor(rounds) * round);
    c->tape.no_tail = true;
    if (shared) c->gain = ceil(rounds) / rounds; // a replay of some blocks shares them out evenly
    return true;
}

enum { MANY = 8 };

bool rule_launches(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double count = (double)job_launches(e->job), us = e->columns[COLUMN_TIME_US];
    const double launch = e->constants.launch_us + e->constants.event_us / count;
    const double each = (evidence_timed(e) ? us : e->limits.us) / count, work = each - launch;
    if (asks_bus(e->job) || !(each > 0) || (count < MANY && !evidence_timed(e)) || work > launch) return false;
    if (count < 2 && 4 * work > launch) return false; // it does something
    f->what = "launching takes longer than what is launched";
    f->why = arena_printf(a, "%.0f launch%s of %.2g us each; one that does nothing takes %.2g us", count,
        count > 1 ? "es" : "", each, launch);
    f->mend = count > 1 ? "one kernel for several of them, or a graph (`via: graph`)"
                        : "more work a launch; of many such launches a graph (`via: graph`)";
    if (count < 2 || asks_is(e->job, SETTING_VIA, "graph")) return true; // how much one can do more, nobody knows
    f->test = "via=graph";
    c->gain = each / (fmax(work, 0) + e->constants.graph_us);
    return true;
}

bool rule_bus(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double gbps = e->columns[COLUMN_GBPS], bus = e->constants.bus_bytes_us / 1e3;
    const char *name = NULL;
    for (size_t i = 0; i < e->job->buffer_count; i++)
        if (asks_memory_of(&e->job->buffers[i], "mapped")) name = name ? "" : e->job->buffers[i].name;
    if (name && asks_is(e->job, SETTING_TIMED, "launch")) {
        f->what = "the kernel reaches memory of the host, through the bus";
        f->why = arena_printf(a, "the bus carries about %.0f GB/s, the device's own memory %.0f%s", bus,
            e->device->peak_gbps, gbps > 0 ? arena_printf(a, "; it had %.1f GB/s", gbps) : "");
        f->mend = "keep the buffers in the device's memory, and copy once";
        f->test = *name ? arena_printf(a, "memory.%s=device", name) : "memory=device";
        if (gbps > 0) c->gain = e->constants.dram_bytes_us / 1e3 / gbps;
        return true;
    }
    if (!evidence_timed(e) || !asks_bus(e->job) || asks_memory(e->job, "managed") || name || !(gbps > 0)) return false;
    if (!asks_is(e->job, SETTING_HOST, "pageable") || gbps > 0.8 * bus || e->columns[COLUMN_USEFUL_BYTES] < 1 << 20)
        return false;
    f->what = "copies of pageable memory go through a buffer of the driver's";
    f->why = arena_printf(a, "%.1f GB/s, where the bus carries about %.0f", gbps, bus);
    f->mend = "page-locked memory (`host: pinned`)";
    f->test = "host=pinned";
    c->gain = bus / gbps;
    return true;
}

bool rule_managed(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double faults = e->columns[COLUMN_PAGE_FAULTS], moved = e->columns[COLUMN_MIGRATED_BYTES];
    const double gbps = e->columns[COLUMN_GBPS], peak = e->constants.dram_bytes_us / 1e3;
    if (!evidence_pages(e)) return false;
    f->what = "pages of managed memory move over the bus while the kernel waits for them";
    f->why = faults > 0
        ? arena_printf(a, "%.0f page faults and %.3g MB in each launch, since the host touched them before", faults,
              moved / 1e6)
        : arena_printf(a, "the host touches them before each launch; the bus carries about %.0f GB/s, memory %.0f",
              e->constants.bus_bytes_us / 1e3, peak);
    f->mend = "bring the pages before the launch (cudaMemPrefetchAsync), or use the device's own memory";
    f->test = "prefetch=true";
    if (gbps > 0) c->gain = fmax(1, peak / gbps);
    return true;
}

bool rule_window(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct job_buffer *window = NULL;
    (void)c;
    for (size_t i = 0; i < e->job->buffer_count; i++)
        if (asks_is(e->job, SETTING_WINDOW_BUFFER, e->job->buffers[i].name)) window = &e->job->buffers[i];
    if (!window || !asks_any(e->job, SETTING_PERSIST)) return false;
    // The most that may be set aside is five eighths of L2 on an H200.
    const size_t most = (size_t)(e->device->l2_bytes / 8 * 5);
    const double aside = (double)asks_bytes(e->job, SETTING_PERSIST, most, 0);
    const double bytes = (double)asks_bytes(e->job, SETTING_WINDOW_BYTES, window->bytes, window->bytes);
    const double ratio = asks_number(e->job, SETTING_WINDOW_RATIO, 1);
    if (!(aside > 0) || bytes * ratio < 1.1 * aside) return false;
    f->what = arena_printf(a, "the window over `%s` asks for more of L2 than is set aside", window->name);
    f->why = arena_printf(a,
        "%.1f MiB times a window.ratio of %.3g, where %.1f MiB are set aside: its lines push each other out",
        bytes / (1 << 20), ratio, aside / (1 << 20));
    f->mend = "a window.ratio that fits, or a smaller window";
    f->test = arena_printf(a, "window.ratio=%.2g", floor(100 * aside / bytes) / 100);
    return true;
}

bool rule_cache(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double gbps = e->columns[COLUMN_GBPS], peak = e->columns[COLUMN_PEAK_GBPS];
    (void)c;
    if (!evidence_timed(e) || !(gbps > 1.02 * peak)) return false;
    f->what = "faster than the device's memory: this is the speed of a cache, or of shared memory";
    f->why = arena_printf(a, "%.0f GB/s of what the kernel calls useful, where the memory can do %.0f", gbps, peak);
    f->mend = asks_is(e->job, SETTING_CACHE, "warm") ? "to measure memory: `cache: cold`, and more bytes than L2 holds"
                                                     : "to measure memory: more bytes than L2 holds, each read once";
    return true;
}

// Nothing that is done is too much; only other blocks would be quicker, which do more each. They read wider words, or,
// where a block adds up, several before its threads meet.
static bool starts_limit(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *p = e->places;
    const double rounds = evidence_rounds(e), blocks = (double)evidence_blocks(e), warps = evidence_warps(e);
    double read = 0, written = 0;
    if (!p || !p->rounds || job_launches(e->job) > 1 || rounds < 2 || evidence_lanes(e) < 8) return false;
    if (own_unit(e)) return false; // each block does enough
    const struct loads l = loads_of(e);
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].space == SPACE_OF_DEVICE)
            *(ops_loads(p->items[i].is) ? &read : &written) += (double)p->items[i].lanes;
    const double each = read / (32 * warps), wide = l.lanes > 0 ? l.bytes / l.lanes : WORD;
    const bool sums = l.barriers >= warps && written <= read / 8 && each <= 4;
    if (!sums && (l.barriers > 0 || l.turns >= 2 || !tallest(e, LIMIT_LAUNCH))) return false;
    f->what = "nothing it does is too much; each block does so little that starting it takes the time";
    f->why = sums
        ? arena_printf(a, "%.0f blocks, in which a thread reads %.3g elements and meets the others %.3g times", blocks,
              each, l.barriers / warps)
        : arena_printf(a, "starting %.0f blocks takes %.0f %% of the time; each thread reads only %.0f bytes", blocks,
              100 * limits_share(&e->judged, LIMIT_LAUNCH), wide * l.turns);
    f->mend = sums
        ? arena_printf(a,
              "let each thread add up several elements first (a loop with the grid's stride), in no more blocks than "
              "the device holds at once: some %.0f",
              blocks / rounds)
        : "let each thread do several elements, in as many fewer blocks: read a float4 at once, or go on by the "
          "grid's size and read several before the first is used";
    c->tape.together = 4;
    if (sums) c->tape.merge = (uint32_t)rounds;
    else c->tape.wider = fmax(2, 16 / wide);
    return true;
}

bool rule_ceiling(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double us = e->columns[COLUMN_TIME_US], used = e->columns[COLUMN_GBPS] / e->columns[COLUMN_PEAK_GBPS];
    // Of the published bandwidth a long copy reaches nine tenths. Less: most of what it moves is of no use.
    if (!evidence_timed(e) || us < 10 || asks_bus(e->job) || used > 1 || !(used > 0.78))
        return starts_limit(e, c, f, a);
    f->what = "near what the memory can do: only fewer bytes would be faster";
    f->why = arena_printf(a, "%.0f GB/s of %.0f: %.0f %%", e->columns[COLUMN_GBPS], e->columns[COLUMN_PEAK_GBPS],
        100 * used);
    f->mend = "stop here, or move less (smaller types, several steps in one kernel)";
    return true;
}
