// How long each resource would take by itself. The constants are an H200's, from the reports that are kept of one:
// occupancy and stream (waiting, blocks), stride, coalescing and element_size (memory), matmul, transpose, atomics,
// lookup, mapped. Together they are taken as a norm: two that take as long as each other take a third longer than one.
// Beside them a kernel's first load has to come and its last store to go, whatever is done meanwhile.
// SPDX-License-Identifier: MIT
#include "reason/evidence.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_OF_PEAK 0.90   // of the memory's published bandwidth, that a long copy reaches
#define CLOCK_SHARE 0.886    // of the boost clock, that it runs at under load
#define TOGETHER 3.5         // of the norm
#define HARDLY 1.2           // of what waits for each other
#define START_US 0.27        // of a block, and to end it
#define START_WARP_US 0.0075 // beside it for each of its warps
#define FROM_L1_US 0.02      // a round of loads, by where they find what they ask for
#define FROM_L2_US 0.16
#define FROM_MEMORY_US 0.37
#define BLOCK_US 0.000605     // from one block to the next, all SMs together
#define PARTIAL_PER_US 68e3   // parts of sectors that L2 takes in
#define ATOMIC_US 0.00176     // an atomic behind another one at its address
#define ATOMIC_INT_US 0.00074 // the same of whole numbers
#define SWAP_US 1.4           // of one that compares and swaps, with another one at work
#define LINES_A_UNIT 6        // lines of atomics that one unit of L2 has
#define ATOMIC_UNITS 100
#define SHARED_LOOP 4       // wavefronts of an atomic on shared memory that is a loop count for so many
#define CONSTANT_CYCLES 8   // of an SM, for each further word of constant memory that a warp asks for
#define CONSTANT_NEAR 1.9   // where all of it fits in the nearest cache
#define CONSTANT_BYTES 2048 // which holds so many
#define HEAP_US 0.18        // a call of malloc, and of free
#define FENCE_US 0.4        // that a warp waits
#define BARRIER_US 0.03     // a block; beside it for each warp:
#define BARRIER_WARP_US 0.003
#define L2_BYTES_PER_US 8000e3
#define LAUNCH_US 2.1
#define PASSAGE_US 1.2 // of a first load and a last store through the chip
#define BUS_BYTES_PER_US 51e3

const char *const bound_names[BOUND_COUNT] = {[BOUND_MEMORY] = "memory",
    [BOUND_L2] = "l2",
    [BOUND_LATENCY] = "waiting",
    [BOUND_BLOCKS] = "blocks",
    [BOUND_LINES] = "l1",
    [BOUND_PARTIAL] = "partial_stores",
    [BOUND_SHARED] = "shared",
    [BOUND_LOCAL] = "local",
    [BOUND_ISSUE] = "instructions",
    [BOUND_LONGEST] = "longest_block",
    [BOUND_ATOMICS] = "same_address",
    [BOUND_CONSTANT] = "constants",
    [BOUND_HEAP] = "heap",
    [BOUND_BUS] = "bus"};

static double sms(const struct evidence *e)
{
    const double all = e->device->limits.sms, blocks = (double)evidence_blocks(e) / (double)job_launches(e->job);
    return e->whole || blocks > all ? all : blocks < 1 ? 1 : blocks;
}

// The SM with the most blocks ends last: as if only so many worked, all of the time.
static double busy_sms(const struct evidence *e)
{
    const double all = sms(e), blocks = (double)evidence_blocks(e) / (double)job_launches(e->job);
    return e->whole ? blocks / ceil(blocks / all) : all;
}

static double cycles_per_us(const struct evidence *e) { return busy_sms(e) * e->device->boost_mhz * CLOCK_SHARE; }

// Cycles of L1 for its loads: four lines are looked up in one, and each of 32 banks gives a word in one. The costliest
// access stands for all.
double bounds_cycles(const struct device_place *p)
{
    uint64_t seen[32], words[32];
    int lines = 0, count = 0, banks[32] = {0}, most = 1;
    for (int l = 0; l < 32; l++) {
        if (!(p->mask >> l & 1)) continue;
        int k = 0, n = 0;
        while (k < lines && seen[k] != p->at[l] >> 7) k++;
        if (k == lines) seen[lines++] = p->at[l] >> 7;
        while (n < count && words[n] != p->at[l] >> 2) n++;
        if (n < count) continue;
        words[count++] = p->at[l] >> 2;
        if (++banks[p->at[l] >> 2 & 31] > most) most = banks[p->at[l] >> 2 & 31];
    }
    const double wide = p->bytes > 4 ? p->bytes / 4.0 : 1, found = lines / 4.0;
    const double each = found > most ? found : p->bytes > 4 && most > 1 ? wide : most;
    const double like = p->units ? (double)p->sectors / (double)p->requests / p->units : 1;
    return (double)p->requests * each * (like > 1 ? 1 : like);
}

static bool is(const struct device_place *p, const char *kind) { return strncmp(p->op, kind, strlen(kind)) == 0; }

static bool real(const struct device_place *p) { return strstr(p->op, ".f") != NULL; }

int bounds_words(const struct device_place *p)
{
    int count = 0;
    for (int l = 0; l < 32; l++) {
        bool seen = !(p->mask >> l & 1);
        for (int k = 0; k < l && !seen; k++) seen = (p->mask >> k & 1) && p->at[k] == p->at[l];
        count += !seen;
    }
    return count ? count : 1;
}

double bounds_addresses(const struct device_place *p)
{
    return fmax((double)p->span / (strstr(p->op, "64") ? 8 : 4), 1);
}

// Turns that wait for each other: of a warp's lanes those at different words of a sector take one. Addresses far apart
// are others' business.
double bounds_adds_us(const struct evidence *e, const struct device_place *p, double turns)
{
    const double places = fmin(fmax((double)p->span / 128 / LINES_A_UNIT, 1), ATOMIC_UNITS);
    return fmax(turns * ATOMIC_INT_US / places, turns / cycles_per_us(e));
}

// Those of a warp at one address are one where the compiler sees it, of whole numbers. Who swaps in a loop looks again
// after each of the others.
static void add_atomics(const struct evidence *e, const struct device_place *p, struct bounds *b)
{
    const double turns = (double)p->sectors, floats = ATOMIC_US / ATOMIC_INT_US;
    const bool one = bounds_words(p) == 1 && __builtin_popcount(p->mask) > 1, meet = turns > 4 * (double)p->requests;
    if (strstr(p->op, ".cas")) b->us[BOUND_ATOMICS] += SWAP_US * (double)p->lanes / bounds_addresses(p);
    else if (one && !real(p)) b->us[BOUND_ATOMICS] += bounds_adds_us(e, p, (double)p->requests);
    else b->us[BOUND_ATOMICS] += bounds_adds_us(e, p, turns * (real(p) && meet ? floats : 1));
}

double bounds_lines_us(const struct evidence *e, const struct device_place *p)
{
    return bounds_cycles(p) / cycles_per_us(e);
}

double bounds_sectors_us(const struct evidence *e, double sectors)
{
    return 32 * sectors / (L2_BYTES_PER_US * sms(e) / e->device->limits.sms);
}

double bounds_partial_us(const struct evidence *e, const struct device_place *p)
{
    const double least = (double)p->lanes * p->bytes / 32;
    if ((double)p->sectors <= 1.5 * least || p->lanes <= 4 * p->requests) return 0;
    return (double)p->sectors / (PARTIAL_PER_US * sms(e) / e->device->limits.sms);
}

static void add_place(const struct evidence *e, const struct device_place *p, struct bounds *b)
{
    if (p->space == SPACE_OF_BLOCK || !p->sectors) {
        const bool turns = (is(p, "atom") || is(p, "red")) && real(p);
        b->us[BOUND_SHARED] += (double)p->wavefronts * (turns ? SHARED_LOOP : 1) / cycles_per_us(e);
    } else if (p->space == SPACE_OF_THREAD) {
        b->us[BOUND_LOCAL] += (double)p->sectors / cycles_per_us(e);
    } else if (is(p, "ld")) b->us[BOUND_LINES] += bounds_lines_us(e, p);
    else if (is(p, "st")) {
        b->us[BOUND_L2] += bounds_sectors_us(e, (double)p->sectors);
        b->us[BOUND_PARTIAL] += bounds_partial_us(e, p);
    } else add_atomics(e, p, b);
}

static int by_address(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// How much longer memory takes for pieces of 64 bytes that do not lie side by side: measured by the distance between
// them, 14 % at 128 bytes, 55 % at 256, 65 to 85 % further apart.
static double scattered(const struct device_place *p)
{
    uint64_t piece[32];
    double sum = 0;
    int count = 0, gaps = 0;
    for (int l = 0; l < 32; l++)
        if (p->mask >> l & 1) piece[count++] = p->at[l] >> 6;
    qsort(piece, (size_t)count, sizeof *piece, by_address);
    for (int i = 1; i < count; i++) {
        const uint64_t gap = piece[i] - piece[i - 1];
        if (!gap) continue;
        sum += gap == 1 ? 1 : gap == 2 ? 1.14 : gap < 6 ? 1.55 : gap < 12 ? 1.65 : 1.75;
        gaps++;
    }
    return gaps ? sum / gaps : 1;
}

static double scattered_reads(const struct evidence *e)
{
    double sum = 0, sectors = 0;
    for (size_t i = 0; i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p->space != SPACE_OF_DEVICE || !p->sectors || !is(p, "ld")) continue;
        sum += (double)p->sectors * scattered(p);
        sectors += (double)p->sectors;
    }
    return sectors > 0 ? sum / sectors : 1;
}

// Both ways at once take a fifth longer than one.
static double bus_bytes(const struct evidence *e)
{
    double in = 0, out = 0;
    for (size_t i = 0; i < e->job->buffer_count; i++) {
        const struct job_buffer *f = &e->job->buffers[i];
        if (!asks_memory_of(f, "mapped")) continue;
        if (f->access != ACCESS_WRITE) in += (double)f->bytes;
        if (f->access != ACCESS_READ) out += (double)f->bytes;
    }
    return in > out ? in + 0.22 * out : out + 0.22 * in;
}

static double counted_bytes(const struct evidence *e)
{
    return e->columns[COLUMN_DRAM_READ_BYTES] + e->columns[COLUMN_DRAM_WRITE_BYTES];
}

static bool warm_enough(const struct evidence *e, double bytes)
{
    return e->whole && asks_is(e->job, SETTING_CACHE, "warm") && bytes < (double)e->device->l2_bytes / 2;
}

// Bytes that are read; those that L2 takes in and need not write back while it has room are no part of the others.
static double memory_bytes(const struct evidence *e, double *written)
{
    const struct device_places *p = e->places;
    const double dram = counted_bytes(e), l2 = e->whole ? (double)e->device->l2_bytes / 2 : 0;
    *written = 0;
    if (dram > 0) return *written = e->columns[COLUMN_DRAM_WRITE_BYTES], dram - *written;
    if (!p || !p->instructions) return e->columns[COLUMN_USEFUL_BYTES];
    const double stored = 32 * (double)p->written_sectors, all = 64 * (double)p->read_pairs + stored;
    *written = all > 2 * l2 ? stored : stored > l2 ? stored - l2 : 0;
    if (!e->whole) return 64 * (double)p->block_pairs; // of a grid so large that no two blocks share
    if (all > 2 * l2) return 64 * (double)(p->read_pairs + p->far_pairs);
    return warm_enough(e, all) ? *written = 0, 0 : 64 * (double)p->read_pairs;
}

// A round of a warp's loads waits for the memory, for L2 or for L1: by the share of its sectors.
static double round_us(const struct evidence *e, double spared)
{
    const struct device_places *p = e->places;
    double loads = -spared;
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].space == SPACE_OF_DEVICE && is(&p->items[i], "ld")) loads += (double)p->items[i].sectors;
    loads = fmax(loads, 1);
    const double first = fmin(1, (double)p->block_sectors / loads);
    double far = e->whole ? fmin(first, (double)p->read_sectors / loads) : first;
    if (warm_enough(e, 64 * (double)p->read_pairs + 32 * (double)p->written_sectors)) far = 0;
    return (1 - first) * FROM_L1_US + (first - far) * FROM_L2_US + far * FROM_MEMORY_US;
}

static double work_of(const struct device_places *p, enum device_work kind)
{
    double sum = 0;
    for (size_t i = 0; i < p->line_count; i++) sum += (double)p->lines[i].work[kind];
    return sum;
}

static double waves_of(const struct evidence *e, double resident)
{
    const double waves = evidence_warps(e) / (sms(e) * resident);
    return e->whole && waves < 1 ? 1 : waves;
}

static double pauses_us(const struct evidence *e, enum device_work kind, double resident)
{
    const double each = work_of(e->places, kind) / evidence_warps(e), warps = ceil(evidence_threads(e) / 32.0);
    return waves_of(e, resident) * each * (kind == WORK_FENCE ? FENCE_US : BARRIER_US + BARRIER_WARP_US * warps);
}

double bounds_pauses_us(const struct evidence *e, enum device_work kind)
{
    return pauses_us(e, kind, evidence_resident(e));
}

double bounds_barriers_us(const struct evidence *e, double each)
{
    const double warps = ceil(evidence_threads(e) / 32.0);
    return waves_of(e, evidence_resident(e)) * each * (BARRIER_US + BARRIER_WARP_US * warps);
}

double bounds_shared_us(const struct evidence *e, double wavefronts) { return wavefronts / cycles_per_us(e); }

double bounds_waiting_us(const struct evidence *e, const struct bounds_change *c)
{
    const double rounds = (double)e->places->rounds / evidence_warps(e), each = ceil(evidence_threads(e) / 32.0);
    const double resident = c->resident > 0 ? c->resident : evidence_resident(e);
    const double left = fmax(rounds * (c->rounds > 0 ? c->rounds : 1), fmin(rounds, 1));
    return waves_of(e, resident) * (START_US + START_WARP_US * each + left * round_us(e, c->spared)) +
        pauses_us(e, WORK_FENCE, resident) + pauses_us(e, WORK_BARRIER, resident);
}

// The longest block, if it begins first: each of its warps has an instruction under way, for some cycles.
double bounds_longest(const struct evidence *e)
{
    enum { CYCLES = 4, SCHEDULERS = 4 };
    if (!e->places) return 0;
    const double warps = ceil(evidence_threads(e) / 32.0), most = (double)e->places->block_most;
    return most * fmax(CYCLES / warps, 1.0 / SCHEDULERS) / (e->device->boost_mhz * CLOCK_SHARE);
}

// Where all warps of a block wait for each other, others work only if an SM holds several blocks: of two that it holds
// both wait, one after the other with their work.
double bounds_overlap(const struct evidence *e, double resident)
{
    const double blocks = resident / ceil(evidence_threads(e) / 32.0);
    if (!(resident > 0) || work_of(e->places, WORK_BARRIER) < evidence_warps(e)) return TOGETHER;
    return HARDLY + (TOGETHER - HARDLY) * fmin(fmax((blocks - 2) / 4, 0), 1);
}

static void add_counted(const struct evidence *e, struct bounds *b)
{
    const struct device_places *p = e->places;
    if (e->whole && p->rounds) b->launches += PASSAGE_US;
    b->overlap = bounds_overlap(e, evidence_resident(e));
    b->us[BOUND_LATENCY] = bounds_waiting_us(e, &(struct bounds_change){0});
    b->us[BOUND_L2] = bounds_sectors_us(e, (double)p->block_sectors);
    b->us[BOUND_ISSUE] = (double)p->instructions / 4 / cycles_per_us(e);
    if (e->whole) b->us[BOUND_LONGEST] = bounds_longest(e);
    b->us[BOUND_CONSTANT] = work_of(p, WORK_CONSTANT) / cycles_per_us(e) *
        (p->constant_bytes > CONSTANT_BYTES ? CONSTANT_CYCLES : CONSTANT_NEAR);
    b->us[BOUND_HEAP] = work_of(p, WORK_HEAP) * HEAP_US;
    for (size_t i = 0; i < p->count; i++) add_place(e, &p->items[i], b);
}

// Whether L2 keeps for one block what another has read cannot be seen in some blocks of a launch: the time tells which
// is likelier.
static void take_likelier(const struct evidence *e, struct bounds *b, double per_us, double sparse)
{
    struct bounds apart = *b;
    const double time = e->columns[COLUMN_TIME_US];
    const double written = 32 * (double)e->places->written_sectors, read = 64 * (double)e->places->block_pairs;
    apart.sparse = (written + sparse * read) / (written + read);
    apart.us[BOUND_MEMORY] = (written + sparse * read) / per_us;
    if (read > 0 && apart.us[BOUND_MEMORY] > b->us[BOUND_MEMORY] &&
        fabs(log(bounds_time(&apart) / time)) < fabs(log(bounds_time(b) / time)))
        *b = apart;
}

double bounds_memory_us(const struct evidence *e, double bytes)
{
    return bytes / (e->device->peak_gbps * SHARE_OF_PEAK * sms(e) / e->device->limits.sms * 1e3);
}

void bounds_of(const struct evidence *e, struct bounds *b)
{
    const double share = sms(e) / e->device->limits.sms, per_us = e->device->peak_gbps * SHARE_OF_PEAK * share * 1e3;
    const struct device_places *p = e->places;
    const bool known = p && p->instructions;
    double written;
    *b = (struct bounds){
        .launches = e->whole ? LAUNCH_US * (double)job_launches(e->job) : 0, .sparse = 1, .overlap = TOGETHER};
    const double read = memory_bytes(e, &written), bus = bus_bytes(e);
    if (bus > 0) b->us[BOUND_BUS] = bus / BUS_BYTES_PER_US;
    b->us[BOUND_BLOCKS] = (double)evidence_blocks(e) * BLOCK_US / share;
    // What all blocks read together may lie side by side, though no warp's does.
    const double sparse = known ? scattered_reads(e) : 1;
    const bool thin = known && (!e->whole || counted_bytes(e) > 0 || p->read_pairs + p->far_pairs >= p->block_pairs);
    if (thin && read > 0) b->sparse = (written + sparse * read) / (written + read);
    if (read + written > 0) b->us[BOUND_MEMORY] = (read + written) * b->sparse / per_us;
    if (!known) {
        memcpy(b->raw, b->us, sizeof b->raw);
        return;
    }
    add_counted(e, b);
    if (e->whole && evidence_timed(e) && !(counted_bytes(e) > 0)) take_likelier(e, b, per_us, sparse);
    memcpy(b->raw, b->us, sizeof b->raw);
    // What would take longer than it all took was estimated wrongly.
    for (int i = 0; i < BOUND_COUNT && evidence_timed(e); i++) b->us[i] = fmin(b->us[i], e->columns[COLUMN_TIME_US]);
}

// Blocks that start and warps that wait do so at the same time: the longer of the two counts.
double bounds_time(const struct bounds *b)
{
    const double waiting = fmax(b->us[BOUND_LATENCY], b->us[BOUND_BLOCKS]);
    double sum = 0;
    for (int i = 0; i < BOUND_COUNT; i++)
        if (i != BOUND_LATENCY && i != BOUND_BLOCKS && i != BOUND_LONGEST) sum += pow(b->us[i], TOGETHER);
    const double work = pow(sum, 1 / TOGETHER),
                 all = pow(pow(work, b->overlap) + pow(waiting, b->overlap), 1 / b->overlap);
    return b->launches + fmax(all, b->us[BOUND_LONGEST]);
}

double bounds_others(const struct bounds *b, enum bound but)
{
    double most = 0;
    for (int i = 0; i < BOUND_COUNT; i++)
        if (i != (int)but && i != BOUND_LONGEST && b->us[i] > most) most = b->us[i];
    return most;
}

double bounds_share(const struct bounds *now, const struct bounds *mended)
{
    return 1 - pow(bounds_time(mended) / bounds_time(now), TOGETHER);
}
