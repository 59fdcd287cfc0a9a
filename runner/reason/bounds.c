// How long each resource would take by itself. The constants are an H200's, fitted to the reports that are kept of one:
// occupancy, stride, coalescing, matrix, transpose, atomics, mapped. Together they are taken as a 3-norm: two that take
// as long as each other take a quarter longer than one. Beside them a kernel's first load has to come and its last
// store to go, whatever is done meanwhile.
// SPDX-License-Identifier: MIT
#include "reason/evidence.h"

#include "plan/asks.h"

#include <math.h>
#include <string.h>

#define SHARE_OF_PEAK 0.92     // of the memory's published bandwidth, that a long copy reaches
#define CLOCK_SHARE 0.886      // of the boost clock, that it runs at under load
#define ROUND_US 0.71          // a warp's load of memory that is busy, and what is around it
#define BLOCK_US 0.000605      // from one block to the next, all SMs together
#define PARTIAL_PER_US 68e3    // parts of sectors that L2 takes in
#define ATOMIC_US 0.00176      // an atomic behind another one at its address
#define ATOMIC_WARP_US 0.00082 // the same, where the lanes of a warp are one
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
    [BOUND_ATOMICS] = "same_address",
    [BOUND_BUS] = "bus"};

static double sms(const struct evidence *e)
{
    const double all = e->device->limits.sms, blocks = (double)evidence_blocks(e) / (double)job_launches(e->job);
    return e->whole || blocks > all ? all : blocks < 1 ? 1 : blocks;
}

static double cycles_per_us(const struct evidence *e) { return sms(e) * e->device->boost_mhz * CLOCK_SHARE; }

// Cycles of L1 for its loads: four lines are looked up in one, and each of 32 banks gives a word in one. The costliest
// access stands for all.
static double cycles_of_l1(const struct device_place *p)
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

static void add_place(const struct evidence *e, const struct device_place *p, struct bounds *b)
{
    const double least = (double)p->lanes * p->bytes / 32;
    if (p->space == SPACE_OF_BLOCK || !p->sectors) {
        b->us[BOUND_SHARED] += (double)p->wavefronts / cycles_per_us(e);
        return;
    }
    if (p->space == SPACE_OF_THREAD) {
        b->us[BOUND_LOCAL] += (double)p->sectors / 2 / cycles_per_us(e);
        return;
    }
    if (is(p, "ld")) b->us[BOUND_LINES] += cycles_of_l1(p) / cycles_per_us(e);
    else if (is(p, "st")) {
        b->us[BOUND_L2] += 32 * (double)p->sectors / (L2_BYTES_PER_US * sms(e) / e->device->limits.sms);
        if ((double)p->sectors > 1.5 * least && p->lanes > 4 * p->requests)
            b->us[BOUND_PARTIAL] += (double)p->sectors / (PARTIAL_PER_US * sms(e) / e->device->limits.sms);
    } else if (p->span <= 8) { // all at one address
        const double one = p->lanes > 8 * p->requests && p->sectors == p->requests ? ATOMIC_WARP_US : ATOMIC_US;
        b->us[BOUND_ATOMICS] += (double)p->sectors * one;
    } else if (p->span <= 1024) // few addresses, which take turns each
        b->us[BOUND_ATOMICS] += (double)p->sectors * ATOMIC_US * (p->bytes ? p->bytes : 4) / (double)p->span;
    else b->us[BOUND_ATOMICS] += (double)p->sectors / cycles_per_us(e);
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

// Whether L2 keeps for one block what another has read cannot be seen in some blocks of a launch: the time tells which
// is likelier. `apart_us`: what memory takes if each block reads for itself.
static void take_likelier(struct bounds *b, double apart_us, double time_us)
{
    struct bounds apart = *b;
    apart.us[BOUND_MEMORY] = apart_us;
    if (apart_us > b->us[BOUND_MEMORY] &&
        fabs(log(bounds_time(&apart) / time_us)) < fabs(log(bounds_time(b) / time_us)))
        *b = apart;
}

static double memory_bytes(const struct evidence *e)
{
    const struct device_places *p = e->places;
    const double dram = counted_bytes(e), l2 = e->whole ? (double)e->device->l2_bytes / 2 : 0;
    if (dram > 0) return dram;
    if (!p || !p->instructions) return e->columns[COLUMN_USEFUL_BYTES];
    const double written = 32 * (double)p->written_sectors, all = 64 * (double)p->read_pairs + written;
    if (!e->whole) return 64 * (double)p->block_pairs + written; // of a grid so large that no two blocks share
    if (all > 2 * l2) return all + 64 * (double)p->far_pairs;
    if (e->whole && asks_is(e->job, SETTING_CACHE, "warm") && 64 * (double)p->read_pairs + written < l2) return 0;
    return 64 * (double)p->read_pairs + (written > l2 ? written - l2 : 0);
}

void bounds_of(const struct evidence *e, struct bounds *b)
{
    const double share = sms(e) / e->device->limits.sms, warps = evidence_warps(e);
    const double gbps = (e->device->peak_gbps * SHARE_OF_PEAK) * share;
    const struct device_places *p = e->places;
    *b = (struct bounds){.launches = e->whole ? LAUNCH_US * (double)job_launches(e->job) : 0};
    const double bytes = memory_bytes(e), bus = bus_bytes(e);
    if (bytes > 0) b->us[BOUND_MEMORY] = bytes / (gbps * 1e3);
    if (bus > 0) b->us[BOUND_BUS] = bus / BUS_BYTES_PER_US;
    b->us[BOUND_BLOCKS] = (double)evidence_blocks(e) * BLOCK_US / share;
    if (!p || !p->instructions) return;
    double waves = warps / (sms(e) * evidence_resident(e));
    if (e->whole && waves < 1) waves = 1;
    if (e->whole && p->rounds) b->launches += PASSAGE_US;
    b->us[BOUND_LATENCY] = (double)p->rounds / warps * waves * ROUND_US;
    b->us[BOUND_L2] = 32 * (double)p->block_sectors / (L2_BYTES_PER_US * share);
    b->us[BOUND_ISSUE] = (double)p->instructions / 4 / cycles_per_us(e);
    for (size_t i = 0; i < p->count; i++) add_place(e, &p->items[i], b);
    if (e->whole && evidence_timed(e) && !(counted_bytes(e) > 0))
        take_likelier(b, (64 * (double)p->block_pairs + 32 * (double)p->written_sectors) / (gbps * 1e3),
            e->columns[COLUMN_TIME_US]);
    // What would take longer than it all took was estimated wrongly.
    for (int i = 0; i < BOUND_COUNT && evidence_timed(e); i++) b->us[i] = fmin(b->us[i], e->columns[COLUMN_TIME_US]);
}

double bounds_time(const struct bounds *b)
{
    double sum = 0;
    for (int i = 0; i < BOUND_COUNT; i++) sum += pow(b->us[i], 3);
    return b->launches + cbrt(sum);
}
