// Records of what warps do, packed: a warp's stand side by side, and a block's are one piece of memory, which is given
// back when the block has been replayed.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "model/model_inside.h"

#include <stdlib.h>
#include <string.h>

enum { TURNS_BITS = 24, MOST_TURNS = (1 << TURNS_BITS) - 1, MOST_PIPE = 0xffff };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

void record_work(const uint64_t *w, struct model_work *k)
{
    k->turns = (uint32_t)(w[1] & MOST_TURNS), k->cycles = (uint32_t)(w[1] >> TURNS_BITS & MOST_TURNS);
    k->pipes[MODEL_SHARED] = (uint32_t)(w[1] >> 2 * TURNS_BITS);
    k->pipes[MODEL_ALU] = (uint32_t)(w[2] & MOST_PIPE), k->pipes[MODEL_FMA] = (uint32_t)(w[2] >> 16 & MOST_PIPE);
    k->pipes[MODEL_FP64] = (uint32_t)(w[2] >> 32 & MOST_PIPE), k->pipes[MODEL_XU] = (uint32_t)(w[2] >> 48);
}

void record_line(uint64_t word, struct model_line *l)
{
    l->line = word >> RECORD_LINE_AT;
    for (unsigned k = 0; k < SECTORS; k++) l->bytes[k] = (uint8_t)(word >> 6 * k & 63);
}

// What stands in a record's first word beside what its warp waits for before.
static uint64_t head_of(enum record_kind kind, uint8_t behind, uint32_t count, uint32_t banks, uint32_t units)
{
    return (uint64_t)kind | (uint64_t)behind << RECORD_BEHIND_AT | (uint64_t)count << RECORD_COUNT_AT |
        (uint64_t)banks << RECORD_BANKS_AT | (uint64_t)units << RECORD_UNITS_AT;
}

static void put(struct model *m, uint32_t warp, uint64_t head, const struct model_line *lines)
{
    struct pending_warp *p = &m->warps[warp];
    struct model_work *k = &p->work;
    const uint32_t count = record_count(head);
    const size_t words = RECORD_WORDS + count;
    m->turns += k->turns;
    for (int n = 0; n < MODEL_PIPES; n++) m->pipe_cycles[n] += k->pipes[n];
    if (record_kind(head) != RECORD_END && (p->left_out || p->count + words > m->warp_words)) {
        p->left_out++;
        m->words_left_out += words;
    } else {
        if (p->count + words > p->room) mem_grow(&p->words, &p->room, p->count + words, sizeof *p->words);
        uint64_t *w = p->words + p->count;
        w[0] = head | (uint64_t)p->behind << RECORD_BEFORE_AT;
        w[1] = k->turns | (uint64_t)k->cycles << TURNS_BITS | (uint64_t)k->pipes[MODEL_SHARED] << 2 * TURNS_BITS;
        w[2] = k->pipes[MODEL_ALU] | (uint64_t)k->pipes[MODEL_FMA] << 16 | (uint64_t)k->pipes[MODEL_FP64] << 32 |
            (uint64_t)k->pipes[MODEL_XU] << 48;
        for (uint32_t n = 0; n < count; n++) {
            uint64_t word = lines[n].line << RECORD_LINE_AT;
            for (unsigned s = 0; s < SECTORS; s++) word |= (uint64_t)(lines[n].bytes[s] & 63) << 6 * s;
            w[RECORD_WORDS + n] = word;
        }
        p->count += words;
        m->words += words;
    }
    p->behind = MODEL_NO_WAIT;
    *k = (struct model_work){0};
}

static void put_plain(struct model *m, uint32_t warp)
{
    put(m, warp, head_of(RECORD_WORK, MODEL_NO_WAIT, 0, 0, 0), NULL);
}

void model_work(struct model *m, uint32_t warp, const struct model_work *k)
{
    struct model_work *w = &m->warps[warp].work;
    bool full = w->turns + (uint64_t)k->turns > MOST_TURNS || w->cycles + (uint64_t)k->cycles > MOST_TURNS;
    for (int n = 0; n < MODEL_PIPES; n++) full |= w->pipes[n] + (uint64_t)k->pipes[n] > MOST_PIPE;
    if (full) put_plain(m, warp);
    w->turns += (uint32_t)least(k->turns, MOST_TURNS);
    w->cycles += (uint32_t)least(k->cycles, MOST_TURNS);
    for (int n = 0; n < MODEL_PIPES; n++) w->pipes[n] += (uint32_t)least(k->pipes[n], MOST_PIPE);
}

void model_wait(struct model *m, uint32_t warp, uint8_t behind)
{
    struct pending_warp *p = &m->warps[warp];
    if (p->work.turns) put_plain(m, warp);
    if (behind < p->behind) p->behind = behind;
}

void model_access(struct model *m, uint32_t warp, const struct model_access *a)
{
    static const enum record_kind kinds[] = {[MODEL_LOAD] = RECORD_LOAD,
        [MODEL_STORE] = RECORD_STORE,
        [MODEL_REDUCE] = RECORD_REDUCE,
        [MODEL_ATOMIC] = RECORD_ATOMIC};
    const uint64_t ways = (uint64_t)a->bypass << RECORD_BYPASS_AT | (uint64_t)a->floats << RECORD_FLOATS_AT;
    put(m, warp, ways | head_of(kinds[a->kind], a->behind, a->count, a->banks, a->units), a->lines);
}

void model_barrier(struct model *m, uint32_t warp, uint8_t id, uint32_t warps)
{
    const uint32_t all = (uint32_t)least(warps, 0xffff);
    put(m, warp, head_of(RECORD_BARRIER, MODEL_NO_WAIT, 0, id % BARRIERS, all), NULL);
}

// One unit of an SM gives a constant's words, and one of the device the heap's memory: of that an SM has its share.
void model_pause(struct model *m, uint32_t warp, enum model_pause kind, uint32_t count)
{
    const double cycles[MODEL_PAUSES] = {[MODEL_FENCE] = m->c.fence_cycles,
        [MODEL_CONSTANT] = m->c.constant_cycles * count,
        [MODEL_CONSTANT_NEAR] = m->c.constant_near_cycles * count,
        [MODEL_HEAP] = m->c.heap_cycles * m->c.sms,
        [MODEL_SWAPS] = m->c.shared_swap_cycles * count};
    const bool each = kind == MODEL_FENCE || kind == MODEL_HEAP;
    struct model_work k = {.cycles = (uint32_t)least((uint64_t)cycles[kind], MOST_TURNS)};
    if (kind != MODEL_FENCE && kind != MODEL_SWAPS)
        k.pipes[MODEL_SHARED] = (uint32_t)least((uint64_t)cycles[kind], MOST_PIPE);
    for (uint32_t n = 0; n < (each ? count : 1); n++) model_work(m, warp, &k);
}

void model_block(struct model *m, uint64_t n)
{
    m->block = n;
    if (m->launch.warps > m->warp_room) {
        const size_t old = m->warp_room;
        mem_grow(&m->warps, &m->warp_room, m->launch.warps, sizeof *m->warps);
        memset(m->warps + old, 0, (m->warp_room - old) * sizeof *m->warps);
    }
    for (uint32_t w = 0; w < m->launch.warps; w++) {
        struct pending_warp *p = &m->warps[w];
        p->count = 0;
        p->left_out = 0;
        p->behind = MODEL_NO_WAIT;
        p->work = (struct model_work){0};
    }
}

void model_block_end(struct model *m)
{
    size_t words = 0;
    bool cut = false;
    for (uint32_t w = 0; w < m->launch.warps; w++) {
        const struct model_line left_out = {.line = m->warps[w].left_out};
        put(m, w, head_of(RECORD_END, MODEL_NO_WAIT, left_out.line > 0, 0, 0), &left_out);
        words += m->warps[w].count;
        cut |= left_out.line > 0;
    }
    struct block_records *b = mem_alloc(sizeof *b + m->launch.warps * sizeof b->from[0]);
    *b = (struct block_records){
        .number = m->block, .words = words, .cut = cut, .word = mem_alloc(words * sizeof *b->word)};
    size_t at = 0;
    for (uint32_t w = 0; w < m->launch.warps; w++) {
        b->from[w] = (uint32_t)at;
        memcpy(b->word + at, m->warps[w].words, m->warps[w].count * sizeof *b->word);
        at += m->warps[w].count;
    }
    if (m->queue_end) m->queue_end->next = b;
    else m->queue = b;
    m->queue_end = b;
    m->recorded++;
    model_plan(m);
    replay_go(m, false);
}
