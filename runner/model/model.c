// A launch from its first block to its result: which blocks are recorded, what the others are taken to do, which queue
// limits, and how far off that may be.
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include "base/arena.h"
#include "model/model_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GLANCE = 4, // blocks by which the others are judged
    ALONE = 4   // so many times as many words where there are but few waves
};
#define MOST_WORDS ((uint64_t)4 << 20)

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

struct model *model_new(const struct model_constants *c)
{
    struct model *m = mem_alloc(sizeof *m);
    m->c = *c;
    side_shape(m);
    return m;
}

void model_free(struct model *m)
{
    if (!m) return;
    for (struct block_records *lists[] = {m->queue, m->done}, **l = lists; l < lists + 2; l++)
        for (struct block_records *b = *l, *next; b; b = next) {
            next = b->next;
            free(b->word);
            free(b);
        }
    for (size_t w = 0; w < m->warp_room; w++) free(m->warps[w].words);
    free(m->warps);
    replay_release(m);
    side_release(m);
    free(m);
}

void model_forget(struct model *m) { side_clear(m); }

static uint64_t together(const struct model *m) { return (uint64_t)m->c.sms * m->launch.resident; }

void model_begin(struct model *m, const struct model_launch *l)
{
    m->launch = *l;
    if (!m->launch.resident) m->launch.resident = 1;
    if (!m->launch.most_words) m->launch.most_words = MOST_WORDS;
    m->recorded = m->words = m->words_left_out = m->turns = 0;
    memset(m->pipe_cycles, 0, sizeof m->pipe_cycles);
    m->head = least(GLANCE, l->blocks);
    m->middle = m->tail = m->middle_from = 0;
    m->planned = l->blocks <= GLANCE;
    m->keep = l->warm;
    m->side.share = 1;
    m->side.most_part = m->c.l2_part_lines;
    const uint64_t warps = least(l->blocks, together(m)) * l->warps;
    m->warp_words = (size_t)(ALONE * m->launch.most_words / (warps ? warps : 1)) + 64;
    side_still(m);
    replay_begin(m);
}

// All blocks, or whole waves: the first ones, and the last with what is left over.
static void plan(struct model *m)
{
    const uint64_t blocks = m->launch.blocks, wave = together(m), each = m->words / m->recorded + 1;
    m->planned = true;
    m->head = blocks;
    const uint64_t may = m->launch.most_words / each;
    if (blocks <= may || blocks <= 2 * wave) return;
    const uint64_t waves = may / wave < 2 ? 2 : may / wave, rest = blocks % wave;
    m->tail = rest + (waves > 2 ? wave : 0);
    m->head = waves > 2 ? (waves - 1) * wave : wave * 2;
    if (m->head + m->tail >= blocks) m->head = blocks, m->tail = 0;
    const double share = ratio((double)(m->head + m->tail), (double)blocks);
    m->side.share = share;
    m->side.most_part = fmax(1, m->side.most_part * share);
}

bool model_wants(const struct model *m, uint64_t n)
{
    return n < m->head || (m->planned && n >= m->launch.blocks - m->tail);
}

void model_plan(struct model *m)
{
    if (!m->planned && m->recorded == GLANCE) plan(m);
}

struct so_far so_far_plus(struct so_far a, struct so_far b, double times)
{
    return (struct so_far){a.time + times * b.time, a.l1_sectors + times * b.l1_sectors, a.l1_hits + times * b.l1_hits,
        a.l2_sectors + times * b.l2_sectors, a.read_bytes + times * b.read_bytes,
        a.dirtied_bytes + times * b.dirtied_bytes, a.fresh_bytes + times * b.fresh_bytes};
}

// From one block to the next, once the first wave is gone: that found caches empty, and began all at once. Whole waves
// are compared: of one all blocks may begin together. No unit does more in it than it can.
static double block_time(const struct model *m, uint64_t wave)
{
    const struct replay_state *r = &m->replay;
    const double slices = m->side.slice_busy / (m->c.l2_parts * m->c.l2_slices),
                 l1 = (r->l1_busy + r->shared_busy) / m->c.sms, issue = r->issue_busy / (m->c.sms * QUARTERS),
                 busy = fmax(slices, fmax(l1, issue)) / (double)r->placed;
    const uint64_t waves = r->placed / wave, from = waves > 2 ? wave : wave - 1,
                   apart = wave * (waves > 3 ? waves - 2 : 1);
    double sum = 0;
    for (uint64_t k = from; k + apart < r->placed; k++) sum += r->marks[k + apart] - r->marks[k];
    return fmax(busy, ratio(sum, (double)apart * (double)(r->placed - from - apart)));
}

// With what the blocks that were not recorded do: each as those in the second half of the replay did.
static struct so_far of_all(const struct model *m, struct so_far end)
{
    const uint64_t wave = together(m), left = m->launch.blocks - m->recorded;
    const struct replay_state *r = &m->replay;
    const double times = ratio((double)m->launch.blocks, (double)m->recorded);
    const double words = (double)m->words, missing = times * (words + (double)m->words_left_out) - words;
    struct so_far all = so_far_plus(end, r->last, ratio(missing, r->last_words));
    const double whole = 1 + ratio(end.time - m->c.first_cycles, end.time) * ratio(r->more_time, r->warps_time);
    all.time = end.time * whole * fmax(times, 1);
    if (!left || !m->recorded) return all;
    if (r->placed >= 2 * wave) all.time = whole * (end.time + (double)left * block_time(m, wave));
    return all;
}

// How long the longest warp works when the others have done: without queues. A warp that was cut off goes on as it
// began.
static double works_alone(const struct model *m, double time)
{
    const struct replay_state *r = &m->replay;
    double own = 0;
    for (int k = 0; k < LIMITS_MOST; k++) own += r->wait[k];
    return fmax(0, r->longest - time) * ratio(own, own + r->queued);
}

// What each unit would need by itself, and what warps would wait if they never stood in a queue: of the time in which
// they run, the share of theirs. The tallest is what limits. Blocks that were not recorded do as the others did: what
// these took is `times` as long for all. The end comes once, and a launch begins once.
static void units_of(const struct model *m, double cycles, double times, double alone, struct model_result *out)
{
    const struct replay_state *r = &m->replay;
    const struct memory_side *s = &m->side;
    const double used = fmin(m->c.sms, (double)m->recorded), us = 1 / m->c.clock_mhz, quarters = used * QUARTERS;
    double *u = out->unit_us, ended = 0, warps = r->queued;
    for (size_t k = 0; k < (size_t)m->c.sms && k < m->recorded; k++) ended += r->sms[k].ended;
    for (int k = 0; k < LIMITS_MOST; k++) warps += r->wait[k];
    for (int k = 0; k < LIMITS_MOST; k++) u[k] = us * cycles * ratio(r->wait[k], warps);
    u[LIMIT_DRAM] = us * s->channel_busy / m->c.dram_channels;
    u[LIMIT_L2] = us * s->slice_busy / (m->c.l2_parts * m->c.l2_slices);
    u[LIMIT_L1] = us * r->l1_busy / used;
    u[LIMIT_SHARED] = us * m->pipe_cycles[MODEL_SHARED] / used;
    u[LIMIT_ISSUE] = us * r->issue_busy / quarters;
    u[LIMIT_FP32] = us * m->pipe_cycles[MODEL_FMA] / quarters;
    u[LIMIT_INTEGER] = us * m->pipe_cycles[MODEL_ALU] / quarters;
    u[LIMIT_FP64] = us * m->pipe_cycles[MODEL_FP64] / quarters;
    u[LIMIT_SPECIAL] = us * m->pipe_cycles[MODEL_XU] / quarters;
    u[LIMIT_ATOMICS] = fmax(u[LIMIT_ATOMICS], us * side_atomics(m));
    u[LIMIT_LAUNCH] = us * (double)r->placed * replay_block_cycles(m);
    for (int k = 0; k < LIMITS_MOST; k++) u[k] *= times;
    u[LIMIT_TAIL] = us * (cycles - ended / used + alone);
    u[LIMIT_LAUNCH] += m->c.launch_us + m->c.event_us;
    for (int k = 0; k < LIMITS_MOST; k++)
        if (u[k] > u[out->limit]) out->limit = (enum limit_unit)k;
}

// What no device with these limits can be below: instructions that have to be issued, and bytes that have to come.
static double bound(const struct model *m, const struct so_far *all)
{
    const double scale = ratio((double)m->launch.blocks, (double)m->recorded), quarters = m->c.sms * QUARTERS;
    const double issue =
        scale * (double)m->turns * m->c.bound_turns / (quarters * m->c.issue_rate * m->c.clock_mhz * m->c.bound_clock);
    const double fresh = all->fresh_bytes / m->c.dram_bytes_us;
    return fmax(fmax(m->c.bound_us, issue), fresh);
}

static void widen(const struct model *m, struct model_result *out)
{
    const enum limit_unit as = limit_as[out->limit];
    double below = m->c.least[as], above = m->c.most[as];
    if (m->launch.ptx) below /= m->c.ptx_wider, above *= m->c.ptx_wider;
    if (out->edge > 0) below /= 1 + (m->c.edge_wider - 1) * out->edge, above *= 1 + (m->c.edge_wider - 1) * out->edge;
    out->lo_us = fmax(out->us * below, out->bound_us);
    out->hi_us = out->us * above;
}

// How much of what is read lies where hardware was seen to keep some of it and lose the rest: lines of which both
// halves want a copy fill L2 from a half of its size on.
static double edge_of(const struct model *m, const struct so_far *all)
{
    const double bytes = all->fresh_bytes, from = m->c.l2_bytes * m->c.l2_edge_least,
                 to = m->c.l2_bytes * m->c.l2_edge_most;
    return bytes > from && bytes < to && SECTOR * all->l2_sectors > m->c.l2_again * bytes ? 1 : 0;
}

void model_end(struct model *m, struct model_result *out)
{
    *out = (struct model_result){.blocks = m->launch.blocks, .warps = m->launch.blocks * m->launch.warps};
    replay_go(m, true);
    const uint64_t wave_lines = m->side.fresh;
    const double scaled = (double)wave_lines * 64 * ratio((double)m->launch.blocks, (double)m->recorded);
    const bool again = m->launch.warm && m->recorded && scaled < m->c.l2_warm * m->c.l2_bytes;
    if (again) { replay_again(m); }
    for (struct block_records *b = m->done, *next; b; b = next) {
        next = b->next;
        free(b->word);
        free(b);
    }
    m->done = NULL;
    double drained = 0;
    for (size_t k = 0; k < (size_t)m->c.dram_channels; k++) drained = fmax(drained, m->side.channel[k]);
    double cycles = fmax(m->replay.end, drained - m->c.drain_cycles);
    const struct so_far all = of_all(m, replay_mark(m, cycles));
    const double alone = works_alone(m, all.time);
    out->l1_load_sectors = all.l1_sectors;
    out->l1_hit_sectors = all.l1_hits;
    out->l2_read_sectors = all.l2_sectors;
    out->dram_read_bytes = all.read_bytes;
    out->dram_write_bytes = side_written(m, all.dirtied_bytes);
    out->event_us = m->c.event_us;
    out->us = m->c.launch_us + m->c.event_us + (all.time + alone) / m->c.clock_mhz;
    out->sampled = ratio((double)m->words * (double)m->recorded,
        (double)(m->words + m->words_left_out) * (double)m->launch.blocks);
    units_of(m, cycles, ratio(all.time, cycles), alone, out);
    out->bound_us = bound(m, &all);
    out->edge = edge_of(m, &all);
    widen(m, out);
}

void model_add(struct model_result *sum, const struct model_result *one)
{
    const struct model_result was = *sum;
    const bool first = !was.blocks;
    sum->l1_hit_sectors += one->l1_hit_sectors;
    sum->l1_load_sectors += one->l1_load_sectors;
    sum->l2_read_sectors += one->l2_read_sectors;
    sum->dram_read_bytes += one->dram_read_bytes;
    sum->dram_write_bytes += one->dram_write_bytes;
    // Later launches stand ready while the one before runs.
    const double less = first ? 1 : ratio(one->us - one->event_us, one->us);
    sum->us += one->us * less, sum->lo_us += one->lo_us * less, sum->hi_us += one->hi_us * less;
    sum->event_us = first ? one->event_us : was.event_us;
    sum->bound_us += one->bound_us;
    sum->blocks += one->blocks, sum->warps += one->warps;
    sum->sampled = first ? one->sampled : fmin(was.sampled, one->sampled);
    sum->edge = fmax(was.edge, one->edge);
    for (int k = 0; k < LIMITS_MOST; k++) {
        sum->unit_us[k] += one->unit_us[k];
        if (sum->unit_us[k] > sum->unit_us[sum->limit]) sum->limit = (enum limit_unit)k;
    }
}
