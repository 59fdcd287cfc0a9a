// L2 and the memory behind it. L2 is two halves: a line has its home in one, and who sits at the other gets a copy
// there as well. Written sectors wait in L2 until there are too many of them; those of which a part was written are
// read before they go. Time is that of the event that asks: each queue gives how long it is behind, and the longest
// counts.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "model/model_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BANKS = 16, PIECE = 64, QUEUES = 17 }; // of atomics: the unit itself, and lines of sums

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

static int home_of(const struct model *m, uint64_t line) { return m->c.l2_parts > 1 && (mix(line >> 2) >> 40 & 1); }

static size_t units(const struct model *m) { return (size_t)m->c.atomic_units; }

static size_t slices(const struct model *m) { return (size_t)m->c.l2_slices; }

// Lines of a piece of memory are shared out evenly, and so are those that lie a power of two apart.
static double *slice_of(struct model *m, int half, uint64_t line)
{
    enum { CHUNK = 32 };
    const uint64_t at = line >> 3 << 1 | (line & 1);
    return &m->side.slice[half][(at ^ (mix(at / CHUNK) >> 20 & (CHUNK - 1))) % slices(m)];
}

// Neighbouring lines share one: a few hundred sums side by side keep few units busy.
static size_t unit_of(const struct model *m, int half, uint64_t line)
{
    const uint64_t group = line >> 2;
    return (size_t)half * units(m) + (group + (mix(group >> 10) >> 8)) % units(m);
}

static double read_cycles(const struct model *m, unsigned sectors)
{
    return fmax(m->c.l2_line_cycles, m->c.l2_read_cycles * __builtin_popcount(sectors));
}

// How long it is behind before this one, which takes `cost`.
static double pass(double *queue, double now, double cost, double *busy)
{
    const double behind = *queue > now ? *queue - now : 0;
    *queue = (*queue > now ? *queue : now) + cost;
    *busy += cost;
    return behind;
}

enum { SEEN_BITS = 1 << 23 };

static void note_fresh(struct memory_side *s, uint64_t piece)
{
    const uint64_t n = mix(piece) % SEEN_BITS;
    s->fresh += !(s->seen[n / 64] >> n % 64 & 1);
    s->seen[n / 64] |= (uint64_t)1 << n % 64;
}

enum transfer { READS, WRITES, COMPLETES }; // the last: of sectors to be written, what is missing is read first

// A piece of 64 bytes, or one sector of it.
static double dram(struct model *m, uint64_t line, unsigned sectors, double now, enum transfer way)
{
    const bool write = way != READS;
    struct memory_side *s = &m->side;
    const size_t channels = (size_t)m->c.dram_channels;
    const uint64_t chunk = line >> 1, channel = mix(chunk) % channels,
                   row = line * LINE / (channels * (size_t)m->c.dram_row_bytes);
    uint64_t *open = &s->row[channel][mix(row) >> 20 & (BANKS - 1)];
    const unsigned pieces = (sectors & 3 ? 1u : 0) + (sectors & 12 ? 1u : 0),
                   count = (unsigned)__builtin_popcount(sectors);
    const double turn = *open == row + 1 ? 0 : m->c.dram_row_cycles;
    if (way == COMPLETES)
        pass(slice_of(m, home_of(m, line), line), now, m->c.l2_part_cycles + (turn > 0 ? m->c.l2_part_row_cycles : 0),
            &s->slice_busy);
    const double cost = m->c.dram_cycles * (write ? count / 2.0 : pieces) + turn;
    *open = row + 1;
    if (!write && sectors & 3) note_fresh(s, line * 2);
    if (!write && sectors & 12) note_fresh(s, line * 2 + 1);
    if (way != WRITES) s->read_bytes += write ? SECTOR * count : PIECE * pieces;
    return pass(&s->channel[channel], now, cost, &s->channel_busy);
}

static void push(struct fifo *f, uint64_t tag)
{
    if (f->count == f->room) {
        const size_t old = f->room;
        f->room = old ? old * 2 : 1 << 12;
        uint64_t *tags = mem_alloc(f->room * sizeof *tags);
        for (size_t i = 0; i < old; i++) tags[i] = f->tags[(f->head + i) % old];
        free(f->tags);
        f->tags = tags;
        f->head = 0;
    }
    f->tags[(f->head + f->count++) % f->room] = tag;
}

static uint64_t pop(struct fifo *f)
{
    const uint64_t tag = f->tags[f->head];
    f->head = (f->head + 1) % f->room;
    f->count--;
    return tag;
}

// Of a share of so many it is this one's turn.
static bool owes(double *sum, double share)
{
    if (!(share > 0) || share >= 1) return true;
    *sum += share;
    if (*sum < 1) return false;
    *sum -= 1;
    return true;
}

// Sectors of which a part was written are read first, 32 bytes each: their slice has more to do than the memory.
static void write_back(struct model *m, struct ways_line *l, uint64_t line, double now)
{
    struct memory_side *s = &m->side;
    if (!l->dirty) return;
    const bool here = owes(&s->write_owed, m->launch.written);
    if (l->part && here) dram(m, line, l->part, now, COMPLETES);
    s->part_lines -= l->part != 0;
    if (here) dram(m, line, l->dirty, now, WRITES);
    s->dirty_sectors -= (uint64_t)__builtin_popcount(l->dirty);
    l->valid |= l->dirty;
    l->dirty = l->part = 0;
}

static void clean_oldest(struct model *m, struct fifo *f, double now)
{
    const uint64_t tag = pop(f);
    struct ways_line *l = ways_find(&m->side.half[home_of(m, tag - 1)], tag - 1);
    if (l && (f == &m->side.dirty || l->part)) write_back(m, l, tag - 1, now);
}

static struct ways_line *take(struct model *m, int half, uint64_t line, double now)
{
    uint64_t tag;
    m->side.taken++;
    struct ways_line old, *l = ways_take(&m->side.half[half], line, &old, &tag);
    write_back(m, &old, tag - 1, now);
    return l;
}

static double arrives(struct memory_side *s, const struct ways_line *l, double now, double latency)
{
    const double more = l->arrival - now - latency;
    if (!(more > 0)) return now + latency;
    s->late = more < (double)l->late ? more : (double)l->late;
    return l->arrival;
}

// Finds the sectors at the line's home, or fetches them; when they are there for one who is `latency` away.
static double from_home(struct model *m, uint64_t line, unsigned sectors, double now, double latency)
{
    const int home = home_of(m, line);
    const double behind = pass(slice_of(m, home, line), now, read_cycles(m, sectors), &m->side.slice_busy);
    struct ways_line *l = ways_find(&m->side.half[home], line);
    m->side.reads += (uint64_t)__builtin_popcount(sectors);
    const unsigned missing = l ? sectors & ~(unsigned)(l->valid | (l->dirty & ~l->part)) : sectors;
    if (!missing) {
        const double there = arrives(&m->side, l, now, latency) + behind;
        m->side.late += behind;
        return there;
    }
    if (!l) l = take(m, home, line, now);
    const unsigned pieces = (missing & 3 ? 3u : 0) | (missing & 12 ? 12u : 0);
    const double queue = owes(&m->side.fetch_owed, m->launch.fetched) ? dram(m, line, pieces, now, READS) : -1;
    l->valid |= (uint8_t)pieces;
    l->part &= (uint8_t)~pieces;
    m->side.late = queue > behind ? queue : behind;
    l->arrival = now + (queue < 0 ? latency : m->c.dram_latency_cycles) + m->side.late;
    l->late = (float)m->side.late;
    return l->arrival;
}

void side_soon(const struct model *m, const struct sm *sm, uint64_t line)
{
    const int home = home_of(m, line);
    ways_soon(&m->side.half[home], line);
    if (m->c.l2_parts > 1 && home != sm->side) ways_soon(&m->side.half[sm->side], line);
    for (uint64_t piece = line * 2; piece <= line * 2 + 1; piece++)
        __builtin_prefetch(&m->side.seen[mix(piece) % SEEN_BITS / 64]);
}

double side_read(struct model *m, const struct sm *sm, uint64_t line, unsigned sectors, double now)
{
    const int home = home_of(m, line);
    m->side.late = 0;
    if (m->c.l2_parts < 2 || home == sm->side) return from_home(m, line, sectors, now, m->c.l2_near_cycles);
    struct ways_line *copy = ways_find(&m->side.half[sm->side], line);
    if (copy && !(sectors & ~(unsigned)copy->valid)) {
        const double behind = pass(slice_of(m, sm->side, line), now, read_cycles(m, sectors), &m->side.slice_busy);
        const double there = arrives(&m->side, copy, now, m->c.l2_near_cycles) + behind;
        m->side.late += behind;
        return there;
    }
    const double there = from_home(m, line, sectors, now, m->c.l2_far_cycles);
    copy = ways_find(&m->side.half[sm->side], line);
    if (!copy) copy = take(m, sm->side, line, now);
    copy->valid |= (uint8_t)sectors;
    copy->arrival = there;
    copy->late = (float)m->side.late;
    return there;
}

// Written bytes that L2 may keep: besides those that are read. Where a share of a launch is replayed, nothing else
// would drive them out.
static double dirty_room(const struct model *m, double most)
{
    const struct memory_side *s = &m->side;
    if (!(s->share < 1) || !s->taken) return most;
    return fmin(most, m->c.l2_bytes * SECTOR * (double)s->dirtied / (LINE * (double)s->taken));
}

double side_written(const struct model *m, double dirtied)
{
    const struct memory_side *s = &m->side;
    const double here = SECTOR * (double)s->dirtied, left = SECTOR * (double)s->dirty_sectors;
    const double kept = dirtied > here ? fmin(left * dirtied / here, dirty_room(m, m->c.l2_dirty_bytes)) : left;
    return fmax(dirtied + SECTOR * (double)s->dirty_before - kept, 0);
}

double side_write(struct model *m, uint64_t line, const uint8_t bytes[SECTORS], double now)
{
    struct memory_side *s = &m->side;
    const int home = home_of(m, line);
    struct ways_line *l = ways_find(&s->half[home], line);
    if (!l) l = take(m, home, line, now);
    const bool was_dirty = l->dirty, had_part = l->part;
    uint8_t *written = s->half[home].bytes[l - s->half[home].lines];
    double cost = m->c.l2_write_line_cycles;
    for (unsigned k = 0; k < SECTORS; k++) {
        if (!bytes[k]) continue;
        const unsigned bit = 1u << k;
        const bool fresh = !(l->dirty & bit);
        if (fresh) written[k] = 0, s->dirty_sectors++, s->dirtied++;
        written[k] = (uint8_t)(written[k] + bytes[k] > SECTOR ? SECTOR : written[k] + bytes[k]);
        l->dirty |= (uint8_t)bit;
        const bool part = written[k] < SECTOR && !(l->valid & bit);
        l->part = (uint8_t)(part ? l->part | bit : l->part & ~bit);
        cost += m->c.l2_write_cycles;
    }
    double behind = pass(slice_of(m, home, line), now, cost, &s->slice_busy);
    if (!was_dirty) ways_written(&s->half[home], l), push(&s->dirty, line + 1);
    if (!had_part && l->part) s->part_lines++, push(&s->part, line + 1);
    else if (had_part && !l->part) s->part_lines--;
    while (s->part_lines > (uint64_t)s->most_part && s->part.count) clean_oldest(m, &s->part, now);
    const double room = dirty_room(m, s->share * m->c.l2_dirty_bytes);
    while (SECTOR * s->dirty_sectors > (uint64_t)room && s->dirty.count) clean_oldest(m, &s->dirty, now);
    const double channel = s->channel[mix(line >> 1) % (size_t)m->c.dram_channels] - now;
    if (channel > behind) behind = channel;
    return now + behind;
}

// A unit does one operation after the other: on the sector of the one before it begins a little later. Sums of floats
// at one line wait for each other besides, while the unit does those at other lines.
double side_atomic(struct model *m, uint64_t line, unsigned sectors, uint32_t count, bool floats, double now)
{
    struct memory_side *s = &m->side;
    const int home = home_of(m, line);
    const size_t unit = unit_of(m, home, line), at = unit * QUEUES,
                 own = at + 1 + (line & 3) + (mix(line >> 2) & 3) * 4;
    const double first = fmin(count, __builtin_popcount(sectors));
    const bool same = s->last_line[unit] == line + 1 && first < 2;
    s->last_line[unit] = line + 1;
    double cost = m->c.atomic_line_cycles * count;
    if (!same) cost += (m->c.atomic_change_cycles - m->c.atomic_line_cycles) * first;
    double behind = pass(&s->adds_free[at], now, cost, &s->adds[at]);
    if (floats) {
        const double sum = m->c.atomic_float_cycles * count / first;
        behind = fmax(behind, pass(&s->adds_free[own], now, sum, &s->adds[own]));
        cost = fmax(cost, sum);
    }
    pass(slice_of(m, home, line), now, m->c.l2_write_line_cycles, &s->slice_busy);
    struct ways_line *l = ways_find(&s->half[home], line);
    const unsigned missing = l ? sectors & ~(unsigned)(l->valid | (l->dirty & ~l->part)) : sectors;
    double there = l ? arrives(s, l, now, 0) : now;
    if (!l) l = take(m, home, line, now);
    if (missing) {
        const unsigned pieces = (missing & 3 ? 3u : 0) | (missing & 12 ? 12u : 0);
        dram(m, line, pieces, now, READS);
        l->valid |= (uint8_t)pieces;
        there = l->arrival = now + m->c.dram_latency_cycles;
    }
    if (!l->dirty) ways_written(&s->half[home], l), push(&s->dirty, line + 1);
    for (unsigned k = 0; k < SECTORS; k++)
        if (sectors >> k & 1) s->half[home].bytes[l - s->half[home].lines][k] = SECTOR;
    const uint64_t fresh = (uint64_t)__builtin_popcount(sectors & ~(unsigned)l->dirty);
    s->dirty_sectors += fresh, s->dirtied += fresh;
    l->dirty |= (uint8_t)sectors;
    const double done = now + behind + cost;
    s->late = behind;
    return (done > there ? done : there) + (m->c.l2_near_cycles + m->c.l2_far_cycles) / 2;
}

double side_atomics(const struct model *m)
{
    double busiest = 0;
    for (size_t k = 0; k < 2 * units(m) * QUEUES; k++)
        if (m->side.adds[k] > busiest) busiest = m->side.adds[k];
    return busiest;
}

void side_shape(struct model *m)
{
    struct memory_side *s = &m->side;
    const size_t channels = (size_t)m->c.dram_channels, all = 2 * units(m);
    const uint64_t part = (uint64_t)(m->c.l2_bytes / (m->c.l2_parts > 1 ? 2 : 1));
    for (int h = 0; h < (m->c.l2_parts > 1 ? 2 : 1); h++) ways_shape(&s->half[h], part);
    for (int h = 0; h < 2; h++) s->slice[h] = mem_alloc(slices(m) * sizeof(double));
    s->channel = mem_alloc(channels * sizeof *s->channel);
    s->row = mem_alloc(channels * sizeof *s->row);
    s->last_line = mem_alloc(all * sizeof *s->last_line);
    s->seen = mem_alloc(SEEN_BITS / 8);
    s->adds = mem_alloc(all * QUEUES * sizeof *s->adds);
    s->adds_free = mem_alloc(all * QUEUES * sizeof *s->adds_free);
}

void side_still(struct model *m)
{
    struct memory_side *s = &m->side;
    const size_t channels = (size_t)m->c.dram_channels;
    for (int h = 0; h < 2; h++) {
        memset(s->slice[h], 0, slices(m) * sizeof(double));
        struct ways *c = &s->half[h];
        for (size_t n = 0; c->clock && n < (size_t)c->sets * c->ways; n++) c->lines[n].arrival = 0;
    }
    memset(s->channel, 0, channels * sizeof *s->channel);
    s->slice_busy = s->channel_busy = 0;
    memset(s->adds, 0, 2 * units(m) * QUEUES * sizeof *s->adds);
    memset(s->adds_free, 0, 2 * units(m) * QUEUES * sizeof *s->adds_free);
    s->read_bytes = s->dirtied = s->taken = s->reads = 0;
    s->dirty_before = s->dirty_sectors;
    if (s->fresh) memset(s->seen, 0, SEEN_BITS / 8);
    s->fresh = 0;
}

void side_clear(struct model *m)
{
    struct memory_side *s = &m->side;
    for (int h = 0; h < 2; h++)
        if (s->half[h].lines) ways_clear(&s->half[h]);
    memset(s->row, 0, (size_t)m->c.dram_channels * sizeof *s->row);
    s->dirty.count = s->part.count = 0;
    s->dirty_sectors = s->part_lines = 0;
    side_still(m);
}

void side_release(struct model *m)
{
    struct memory_side *s = &m->side;
    for (int h = 0; h < 2; h++) ways_free(&s->half[h]), free(s->slice[h]);
    free(s->channel);
    free(s->row);
    free(s->last_line);
    free(s->adds), free(s->adds_free);
    free(s->dirty.tags);
    free(s->part.tags);
    free(s->seen);
}
