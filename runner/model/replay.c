// The replay with time. Each warp has one event under way: the end of a stretch of instructions, or of a wait; it then
// asks a queue and comes back. A queue is charged at the time of the event that asks, never for a time to come: else
// waiting would feed on itself.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "model/model_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX
enum { MERGED_BITS = 13, MERGED = 1 << MERGED_BITS };
enum step { STEP_BEGIN, STEP_WORK, STEP_READY, STEP_ACCESS, STEP_DRAIN };

static double most(double a, double b) { return a > b ? a : b; }

static double charge(double *queue, double now, double cost) { return *queue = most(*queue, now) + cost; }

static size_t sm_count(const struct model *m) { return (size_t)m->c.sms; }

struct so_far replay_mark(const struct model *m, double now)
{
    const struct memory_side *s = &m->side;
    return (struct so_far){now, m->traffic.l1_sectors, m->traffic.l1_hits, m->traffic.l2_sectors, (double)s->read_bytes,
        SECTOR * (double)s->dirtied, 64.0 * (double)s->fresh};
}

// Events: buckets of a few cycles, first come first served; what is far away waits in a list.
static void put(struct replay_state *r, uint32_t warp, double time)
{
    struct run_warp *w = &r->warps[warp];
    uint64_t at = (uint64_t)(time / MODEL_BUCKET_CYCLES);
    w->time = time;
    r->pending++;
    if (at < r->tick) at = r->tick;
    if (at - r->tick >= MODEL_BUCKETS) {
        r->far[r->far_count++] = warp;
        return;
    }
    const uint32_t b = at % MODEL_BUCKETS;
    r->next[warp] = NOBODY;
    if (r->bucket[b] == NOBODY) r->bucket[b] = warp;
    else r->next[r->bucket_end[b]] = warp;
    r->bucket_end[b] = warp;
}

static void bring_near(struct replay_state *r)
{
    const uint32_t count = r->far_count;
    r->far_count = 0;
    for (uint32_t k = 0; k < count; k++) { // those that stay far come to the front again
        r->pending--;
        put(r, r->far[k], r->warps[r->far[k]].time);
    }
}

static uint32_t next_event(struct replay_state *r)
{
    while (r->pending) {
        const uint32_t b = r->tick % MODEL_BUCKETS, warp = r->bucket[b];
        if (warp != NOBODY) {
            r->bucket[b] = r->next[warp];
            r->pending--;
            return warp;
        }
        r->tick++;
        if (r->tick % (MODEL_BUCKETS / 2) == 0 && r->far_count) bring_near(r);
    }
    return NOBODY;
}

double replay_block_cycles(const struct model *m)
{
    const double more = most(m->launch.warps - m->c.block_warps, 0);
    return (m->c.block_ns + more * m->c.block_warp_ns) * m->c.clock_mhz / 1000;
}

static void place(struct model *m, uint32_t sm, double now, bool first)
{
    struct replay_state *r = &m->replay;
    struct block_records *b = m->queue;
    m->queue = b->next;
    if (!m->queue) m->queue_end = NULL;
    const uint32_t slot = r->free_blocks[--r->free_count];
    struct run_block *run = &r->blocks[slot];
    *run = (struct run_block){.records = b, .sm = sm, .left = m->launch.warps};
    for (int k = 0; k < BARRIERS; k++) run->first_here[k] = NOBODY;
    const double start = most(r->start_free, now);
    r->start_free = start + replay_block_cycles(m);
    r->blocks_started = start;
    mem_grow(&r->marks, &r->mark_room, r->placed + 1, sizeof *r->marks);
    r->marks[r->placed++] = start;
    const uint64_t all = m->head + m->tail;
    const bool second_half = m->planned && all < m->launch.blocks && 2 * r->placed > all;
    const uint32_t nth = slot / (uint32_t)sm_count(m) * m->launch.warps; // of the SM's warps
    for (uint32_t k = 0; k < m->launch.warps; k++) {
        const uint32_t warp = slot * m->launch.warps + k;
        const uint64_t *at = b->word + b->from[k],
                       *end = b->word + (k + 1 < m->launch.warps ? b->from[k + 1] : b->words);
        r->warps[warp] = (struct run_warp){.at = at, .block = slot, .number = nth + k};
        if (b->cut || second_half) r->warps[warp].last = b->cut ? at + (end - at) / 2 : at;
        const double ready = start + (first ? m->c.first_cycles : m->c.next_cycles);
        r->warps[warp].began = r->warps[warp].waits_since = ready;
        put(r, warp, ready);
    }
}

static void end_block(struct model *m, uint32_t slot, double now)
{
    struct replay_state *r = &m->replay;
    struct block_records *b = r->blocks[slot].records;
    if (m->keep) b->next = m->done, m->done = b;
    else {
        free(b->word);
        free(b);
    }
    r->blocks[slot].records = NULL;
    r->free_blocks[r->free_count++] = slot;
    r->wants = true;
    r->wants_sm = r->blocks[slot].sm;
    r->wants_at = now;
    r->sms[r->wants_sm].ended = now;
}

static void open_barrier(struct model *m, struct run_block *b, uint32_t id)
{
    struct replay_state *r = &m->replay;
    const double at = b->last_here[id] + m->c.barrier_cycles;
    uint32_t warp = b->first_here[id];
    b->first_here[id] = NOBODY;
    b->here[id] = 0;
    b->last_here[id] = 0;
    while (warp != NOBODY) {
        const uint32_t next = r->next[warp];
        r->wait[LIMIT_BARRIERS] += at - r->warps[warp].waits_since;
        put(r, warp, at);
        warp = next;
    }
}

// How many warps a barrier waits for stands in the record; nothing there: all that have not ended. An SM counts them
// one after the other.
static void come_to_barrier(struct model *m, uint32_t warp, uint64_t head, double now)
{
    struct replay_state *r = &m->replay;
    struct run_warp *w = &r->warps[warp];
    struct run_block *b = &r->blocks[w->block];
    const uint32_t id = record_banks(head), units = record_units(head),
                   all = units && units < b->left ? units : b->left;
    r->next[warp] = b->first_here[id];
    w->waits_since = now;
    b->first_here[id] = warp;
    b->last_here[id] = charge(&r->sms[b->sm].barrier, now, m->c.barrier_warp_cycles);
    if (++b->here[id] >= all) open_barrier(m, b, id);
}

// A block's place is free again when L2 has said that it has all of its stores. Where only the beginning of a warp was
// recorded, loads may be under way.
static void end_warp(struct model *m, uint32_t warp, double now)
{
    struct replay_state *r = &m->replay;
    struct run_warp *w = &r->warps[warp];
    const uint32_t slot = w->block;
    struct run_block *b = &r->blocks[slot];
    r->end = most(r->end, most(now, most(w->stored, w->loads ? w->done[(w->loads - 1) % LOADS_KEPT] : 0)));
    if (--b->left == 0) {
        w->step = STEP_DRAIN;
        if (!(b->drained > now)) {
            end_block(m, slot, now);
            return;
        }
        *(b->adds ? &r->wait[LIMIT_ATOMICS] : &r->queued) += (b->drained - now) * m->launch.warps;
        put(r, warp, b->drained);
        return;
    }
    for (uint32_t id = 0; id < BARRIERS; id++)
        if (b->here[id] && b->here[id] >= b->left) open_barrier(m, b, id);
}

// When it may go on. What it waits until then is the loads' way, or a queue's.
static double loaded(struct replay_state *r, const struct run_warp *w, uint8_t behind, double now)
{
    if (behind == MODEL_NO_WAIT || behind >= w->loads) return now;
    const uint32_t back = behind < LOADS_KEPT ? behind : LOADS_KEPT - 1, at = (w->loads - 1 - back) % LOADS_KEPT;
    if (w->done[at] <= now) return now;
    const double by_itself = most(w->done[at] - (double)w->late[at] - now, 0),
                 behind_others = w->done[at] - now - by_itself;
    r->wait[LIMIT_LOADS] += by_itself;
    *(w->adds >> at & 1 ? &r->wait[LIMIT_ATOMICS] : &r->queued) += behind_others;
    return w->done[at];
}

// `late`: how much of that it stands in queues.
static void note_load(struct run_warp *w, bool adds, double done, double late)
{
    const uint32_t before = (w->loads - 1) % LOADS_KEPT, at = w->loads % LOADS_KEPT;
    w->adds = (w->adds & ~(1u << at)) | (uint32_t)adds << at;
    double idle = done - late;
    if (w->loads++) {
        idle = most(idle, w->done[before] - (double)w->late[before]);
        done = most(done, w->done[before]);
    }
    w->done[at] = done;
    w->late[at] = (float)(done - idle);
}

// When the stretch ends: a warp has its own pace, and shares issue slots and pipes with others.
static double work(struct model *m, struct run_warp *w, double now)
{
    struct replay_state *r = &m->replay;
    struct model_work own_work, *const k = &own_work;
    record_work(w->at, k);
    struct sm *sm = &r->sms[r->blocks[w->block].sm];
    const uint32_t q = w->number % QUARTERS;
    const double own = now + k->cycles, turns = k->turns / m->c.issue_rate;
    double issued = charge(&sm->issue[q], now, turns), piped = 0;
    r->issue_busy += turns;
    for (int n = 0; n < MODEL_SHARED; n++)
        if (k->pipes[n]) piped = most(piped, charge(&sm->pipe[q][n], now, k->pipes[n]));
    double shared = 0;
    if (k->pipes[MODEL_SHARED]) {
        shared = charge(&sm->l1, now, k->pipes[MODEL_SHARED]);
        r->shared_busy += k->pipes[MODEL_SHARED];
    }
    const double end = most(most(own, issued), most(piped, shared));
    r->wait[LIMIT_CHAIN] += own - now;
    r->queued += end - own;
    return end;
}

static struct merged *merged_at(const struct model *m, const struct sm *sm, uint64_t key)
{
    return &m->replay.merged[(size_t)sm->gpc * MERGED + ways_fold(key, MERGED_BITS)];
}

// Loads of SMs of one group that want the same of a line while it is on its way become one. Single sectors do not.
static double through_group(struct model *m, const struct sm *sm, uint64_t line, unsigned sectors, double now)
{
    const uint64_t key = line << 4 | sectors;
    struct merged *g = merged_at(m, sm, key);
    const unsigned count = (unsigned)__builtin_popcount(sectors);
    if (g->key == key && now < g->end && g->count < (uint32_t)m->c.merge_most && count > 1) {
        g->count++;
        m->side.late = g->late;
        return g->end;
    }
    m->traffic.l2_sectors += count;
    const double there = side_read(m, sm, line, sectors, now);
    *g = (struct merged){key, there, m->side.late, 1};
    return there;
}

static struct ways_line *take(struct sm *sm, uint64_t line)
{
    struct ways_line old;
    uint64_t tag;
    return ways_take(&sm->cache, line, &old, &tag);
}

static void load(struct model *m, struct sm *sm, struct run_warp *w, double now)
{
    const uint64_t head = w->at[0], *words = w->at + RECORD_WORDS;
    const uint32_t count = record_count(head);
    const bool bypass = record_bypass(head);
    const double cost = most(count / m->c.l1_lines, record_banks(head)), behind = most(sm->l1 - now, 0) + cost;
    double idle = now + cost + m->c.l1_cycles, done = now + behind + m->c.l1_cycles;
    charge(&sm->l1, now, cost);
    m->replay.l1_busy += cost;
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t line = words[k] >> RECORD_LINE_AT;
        const unsigned sectors = record_sectors(words[k]), all = sector_counts[sectors];
        struct ways_line *here = bypass ? NULL : ways_find(&sm->cache, line);
        const unsigned missing = here ? sectors & ~(unsigned)here->valid : sectors;
        const unsigned miss = sector_counts[missing];
        m->traffic.l1_sectors += all;
        m->traffic.l1_hits += all - miss;
        if (!missing) {
            done = most(done, here->arrival);
            idle = most(idle, here->arrival - (double)here->late);
            continue;
        }
        const double link = most(sm->link_in - now, 0);
        charge(&sm->link_in, now, most(m->c.link_line_cycles, SECTOR * miss / m->c.link_bytes));
        double there = through_group(m, sm, line, missing, now), late = m->side.late;
        const double soonest = now + m->c.l2_near_cycles, queue = most(behind, link);
        if (soonest + queue > there) there = soonest + queue, late = queue;
        done = most(done, there);
        idle = most(idle, there - late);
        if (bypass) continue;
        if (!here) here = take(sm, line);
        here->valid |= (uint8_t)missing;
        if (there > here->arrival) here->arrival = there, here->late = (float)late;
    }
    note_load(w, false, done, most(done - idle, 0));
}

// Returns how long the warp must wait before it goes on.
static double store(struct model *m, struct sm *sm, struct run_warp *w, double now)
{
    const uint64_t *words = w->at + RECORD_WORDS;
    const uint32_t count = record_count(w->at[0]);
    const double cost = most(count / m->c.l1_lines, 1);
    double done = most(sm->l1, now);
    charge(&sm->l1, now, cost);
    m->replay.l1_busy += cost;
    for (uint32_t k = 0; k < count; k++) {
        struct model_line l;
        record_line(words[k], &l);
        const unsigned sectors = record_sectors(words[k]);
        struct ways_line *here = ways_find(&sm->cache, l.line);
        if (!here) here = take(sm, l.line);
        here->valid |= (uint8_t)sectors;
        done = most(done, charge(&sm->link_out, now, SECTOR * sector_counts[sectors] / m->c.link_bytes));
        done = most(done, side_write(m, l.line, l.bytes, now));
    }
    w->stored = most(w->stored, done);
    return most(now, done - m->c.store_ahead_cycles);
}

static double atomic(struct model *m, struct sm *sm, const struct run_warp *w, double now)
{
    const uint64_t head = w->at[0], *words = w->at + RECORD_WORDS;
    const uint32_t count = record_count(head), all = record_units(head);
    const double cost = most(count / m->c.l1_lines, 1);
    double done = now;
    charge(&sm->l1, now, cost);
    m->replay.l1_busy += cost;
    for (uint32_t k = 0; k < count; k++) {
        const unsigned sectors = record_sectors(words[k]);
        const uint32_t units = (all + k) / count;
        charge(&sm->link_out, now, m->c.atomic_send_cycles * sector_counts[sectors]);
        done = most(done,
            side_atomic(m, words[k] >> RECORD_LINE_AT, sectors, units ? units : 1, record_floats(head), now));
    }
    m->side.late += most(sm->link_out - done, 0);
    return most(done, sm->link_out);
}

// Does the record's access; when the warp goes on.
static double access(struct model *m, struct run_warp *w, double now)
{
    struct run_block *b = &m->replay.blocks[w->block];
    struct sm *sm = &m->replay.sms[b->sm];
    double done;
    switch (record_kind(w->at[0])) {
    case RECORD_LOAD: load(m, sm, w, now); return now;
    case RECORD_STORE:
        done = store(m, sm, w, now);
        if (w->stored + m->c.ack_cycles > b->drained) b->drained = w->stored + m->c.ack_cycles, b->adds = false;
        return done;
    case RECORD_ATOMIC:
        done = atomic(m, sm, w, now);
        note_load(w, true, done, m->side.late);
        return now;
    case RECORD_REDUCE:
        done = atomic(m, sm, w, now);
        w->stored = most(w->stored, done);
        if (done > b->drained) b->drained = done, b->adds = true;
        return most(now, done - m->c.store_ahead_cycles);
    default: return now;
    }
}

// A warp that was cut off goes on as in the last part of what there is of it.
static void go_on(struct replay_state *r, const struct run_warp *w, double now)
{
    const uint64_t left_out = w->at[RECORD_WORDS] >> RECORD_LINE_AT;
    const double more = (now - w->last_began) * (double)left_out / most(w->records - w->before_last, 1);
    r->longest = most(r->longest, now + more);
    r->more_time += more;
}

static bool is_last(const struct run_warp *w) { return w->last && w->at >= w->last; }

// Does the record's access, and keeps what it adds where it is of a warp's last part.
static double whole_access(struct model *m, struct run_warp *w, double now)
{
    if (!is_last(w)) return access(m, w, now);
    if (!(w->last_began > 0)) w->last_began = now, w->before_last = w->records - 1;
    const struct so_far before = replay_mark(m, now);
    const double until = access(m, w, now);
    m->replay.last = so_far_plus(m->replay.last, so_far_plus(replay_mark(m, now), before, -1), 1);
    return until;
}

// One warp from its event on until it has to wait for a time to come.
static void go(struct model *m, uint32_t warp)
{
    struct replay_state *r = &m->replay;
    struct run_warp *w = &r->warps[warp];
    const double now = w->time;
    for (;;) {
        const uint64_t head = w->at[0];
        double until = now;
        switch ((enum step)w->step) {
        case STEP_DRAIN: end_block(m, w->block, now); return;
        case STEP_BEGIN:
        case STEP_READY:
            until = loaded(r, w, w->step == STEP_BEGIN ? record_before(head) : record_behind(head), now);
            w->step++;
            break;
        case STEP_WORK:
            if (w->at[1]) until = work(m, w, now);
            w->step = STEP_READY;
            break;
        case STEP_ACCESS:
            if (is_last(w)) r->last_words += RECORD_WORDS + record_count(head);
            if (record_kind(head) == RECORD_END) {
                r->warps_time += now - w->began;
                if (record_count(head)) go_on(r, w, now);
                end_warp(m, warp, now);
                return;
            }
            w->step = STEP_BEGIN;
            w->records++;
            if (record_kind(head) == RECORD_BARRIER) {
                w->at += RECORD_WORDS;
                come_to_barrier(m, warp, head, now);
                return;
            }
            until = whole_access(m, w, now);
            *(record_kind(head) == RECORD_REDUCE ? &r->wait[LIMIT_ATOMICS] : &r->queued) += until - now;
            w->at += RECORD_WORDS + record_count(head);
            break;
        }
        if (until > now) {
            put(r, warp, until);
            return;
        }
    }
}

static void shape_sms(struct model *m)
{
    struct replay_state *r = &m->replay;
    const size_t sms = sm_count(m), gpcs = (size_t)m->c.gpcs;
    const bool small = m->launch.blocks * 2 <= sms;
    const uint64_t shared = (uint64_t)m->launch.resident * (m->launch.shared_bytes + (uint64_t)m->c.shared_reserved);
    static const uint32_t sizes[] = {8, 16, 32, 64, 100, 132, 164, 196, 228}; // KiB
    uint64_t taken = (uint64_t)sizes[0] << 10;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        taken = (uint64_t)sizes[k] << 10;
        if (taken >= shared) break;
    }
    if (!r->sms) r->sms = mem_alloc(sms * sizeof *r->sms);
    const uint64_t l1 = (uint64_t)most(m->c.l1_bytes - (double)taken, m->c.l1_least_bytes);
    for (size_t n = 0; n < sms && n < m->launch.blocks; n++) {
        struct ways cache = r->sms[n].cache;
        ways_shape(&cache, l1);
        ways_clear(&cache);
        const size_t alone = (size_t)m->c.alone_blocks, next = (size_t)m->c.group_blocks;
        const size_t group = !small ? n * gpcs / sms : n < alone ? n % gpcs : (n - alone) / next % gpcs;
        r->sms[n] = (struct sm){.cache = cache, .gpc = (int)group, .side = m->c.l2_parts > 1 ? (int)(group & 1) : 0};
    }
}

void replay_begin(struct model *m)
{
    struct replay_state *r = &m->replay;
    const uint64_t most_blocks = (uint64_t)sm_count(m) * m->launch.resident;
    const uint32_t blocks = (uint32_t)(most_blocks < m->launch.blocks ? most_blocks : m->launch.blocks);
    const size_t warps = (size_t)blocks * m->launch.warps;
    struct sm *sms = r->sms;
    struct merged *merged = r->merged;
    double *marks = r->marks;
    const size_t mark_room = r->mark_room;
    r->sms = NULL, r->merged = NULL, r->marks = NULL;
    free(r->blocks), free(r->warps), free(r->free_blocks), free(r->next), free(r->bucket), free(r->bucket_end),
        free(r->far);
    *r = (struct replay_state){
        .sms = sms, .merged = merged, .marks = marks, .mark_room = mark_room, .block_count = blocks};
    shape_sms(m);
    r->blocks = mem_alloc(blocks * sizeof *r->blocks);
    r->warps = mem_alloc(warps * sizeof *r->warps);
    r->next = mem_alloc((warps + 1) * sizeof *r->next);
    r->free_blocks = mem_alloc(blocks * sizeof *r->free_blocks);
    r->far = mem_alloc((warps + 1) * sizeof *r->far);
    r->bucket = mem_alloc(MODEL_BUCKETS * sizeof *r->bucket);
    r->bucket_end = mem_alloc(MODEL_BUCKETS * sizeof *r->bucket_end);
    memset(r->bucket, 0xff, MODEL_BUCKETS * sizeof *r->bucket);
    for (uint32_t n = 0; n < blocks; n++) r->free_blocks[r->free_count++] = blocks - 1 - n;
    const size_t groups = (size_t)m->c.gpcs * MERGED;
    if (!r->merged) r->merged = mem_alloc(groups * sizeof *r->merged);
    memset(r->merged, 0, groups * sizeof *r->merged);
    m->traffic = (struct traffic){0};
}

// Most of a replay's time would go by until memory is at hand: what the next events of a bucket look at is fetched
// ahead, one step of the way for each of them. What L1 has needs no more.
static void look_ahead(const struct model *m, uint32_t warp)
{
    const struct replay_state *r = &m->replay;
    const uint32_t second = warp == NOBODY ? NOBODY : r->next[warp],
                   third = second == NOBODY ? NOBODY : r->next[second];
    if (warp == NOBODY) return;
    if (third != NOBODY) {
        const char *at = (const char *)&r->warps[third];
        __builtin_prefetch(at), __builtin_prefetch(at + 64);
    }
    if (second != NOBODY) __builtin_prefetch(r->warps[second].at);
    const struct run_warp *next = &r->warps[warp];
    if (next->step < STEP_READY) return;
    const struct sm *sm = &r->sms[r->blocks[next->block].sm];
    const uint32_t count = record_count(next->at[0]);
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t word = next->at[RECORD_WORDS + k], line = word >> RECORD_LINE_AT;
        if (ways_soon(&sm->cache, line)) continue;
        __builtin_prefetch(merged_at(m, sm, line << 4 | record_sectors(word)));
        side_soon(m, sm, line);
    }
}

void replay_go(struct model *m, bool last)
{
    struct replay_state *r = &m->replay;
    while (r->placed < r->block_count && m->queue) place(m, (uint32_t)(r->placed % sm_count(m)), 0, true);
    if (r->placed < r->block_count && !last) return;
    for (;;) {
        if (r->wants) {
            if (m->queue) place(m, r->wants_sm, r->wants_at, false);
            else if (!last) return;
            r->wants = false;
        }
        const uint32_t warp = next_event(r);
        if (warp != NOBODY) {
            look_ahead(m, r->bucket[r->tick % MODEL_BUCKETS]);
            go(m, warp);
            continue;
        }
        // Records that end early may leave warps at a barrier to which nobody comes any more.
        bool freed = false;
        for (uint32_t n = 0; n < r->block_count; n++)
            for (uint32_t id = 0; r->blocks[n].records && id < BARRIERS; id++)
                if (r->blocks[n].here[id]) open_barrier(m, &r->blocks[n], id), freed = true;
        if (!freed) return;
    }
}

static int by_number(const void *a, const void *b)
{
    const struct block_records *x = *(struct block_records *const *)a, *y = *(struct block_records *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

void replay_again(struct model *m)
{
    size_t count = 0;
    for (struct block_records *b = m->done; b; b = b->next) count++;
    struct block_records **all = mem_alloc((count + 1) * sizeof *all);
    count = 0;
    for (struct block_records *b = m->done; b; b = b->next) all[count++] = b;
    qsort(all, count, sizeof *all, by_number);
    for (size_t k = 0; k < count; k++) all[k]->next = all[k + 1];
    m->queue = all[0];
    m->queue_end = count ? all[count - 1] : NULL;
    m->done = NULL;
    free(all);
    side_still(m);
    replay_begin(m);
    replay_go(m, true);
}

void replay_release(struct model *m)
{
    struct replay_state *r = &m->replay;
    for (size_t n = 0; r->sms && n < sm_count(m); n++) ways_free(&r->sms[n].cache);
    free(r->sms);
    free(r->blocks);
    free(r->warps);
    free(r->next);
    free(r->free_blocks);
    free(r->bucket);
    free(r->bucket_end);
    free(r->far);
    free(r->merged);
    free(r->marks);
}
