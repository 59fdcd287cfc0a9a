// model: what records go in is what comes out, the same each time, whatever else was replayed before.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"
#include "model/model_inside.h"
#include "unit/kept.h"

#include <math.h>
#include <stddef.h>

static struct model_constants h200(void)
{
    struct diags d = {0};
    struct model_constants c;
    CHECK(profile_model(profile_find("h200"), &c, &d));
    diags_clear(&d);
    return c;
}

struct launch {
    uint64_t blocks;
    uint32_t warps, turns, apart; // loads of each warp; lines from one to the next
    bool store, same, again;      // it stores; all blocks at one place; twice over the same
    bool warm;
    uint32_t together; // so many loads before a wait; 0: one
};

static void access(struct model *m, uint32_t warp, uint64_t line, enum model_kind kind)
{
    struct model_access a = {.kind = kind, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
    a.lines[0] = (struct model_line){line, {32, 32, 32, 32}};
    model_access(m, warp, &a);
}

static struct model_result replay(struct model *m, const struct launch *l)
{
    struct model_result r;
    const struct model_launch launch = {.blocks = l->blocks, .warps = l->warps, .resident = 4, .warm = l->warm};
    const struct model_work work = {.turns = 10, .cycles = 20};
    model_begin(m, &launch);
    for (uint64_t b = 0; b < l->blocks; b++) {
        if (!model_wants(m, b)) continue;
        model_block(m, b);
        for (uint32_t w = 0; w < l->warps; w++)
            for (uint32_t turn = 0; turn < l->turns; turn++) {
                const uint64_t from = l->same ? 0 : b * l->warps * l->turns;
                const uint64_t line = 4096 + (from + w * l->turns + (l->again ? turn / 2 : turn)) * l->apart;
                model_work(m, w, &work);
                access(m, w, line, l->store ? MODEL_STORE : MODEL_LOAD);
                if (!l->together || turn % l->together == l->together - 1) model_wait(m, w, 0);
            }
        model_block_end(m);
    }
    model_end(m, &r);
    return r;
}

static void what_is_read_once_comes_from_memory(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch l = {.blocks = 200, .warps = 8, .turns = 4, .apart = 1};
    model_forget(m);
    const struct model_result r = replay(m, &l);
    CHECK_INT((long long)r.l2_read_sectors, 200 * 8 * 4 * 4);
    CHECK_INT((long long)r.dram_read_bytes, 200 * 8 * 4 * 128);
    CHECK_INT((long long)r.l1_hit_sectors, 0);
    CHECK_INT((long long)r.dram_write_bytes, 0);
    CHECK(r.us > c.launch_us + c.event_us && r.us < 20);
    CHECK(r.lo_us <= r.us && r.us <= r.hi_us && r.bound_us <= r.lo_us);
    CHECK(r.sampled == 1);
    model_free(m);
}

static void a_line_that_is_there_is_not_asked_for_again(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch l = {.blocks = 100, .warps = 4, .turns = 8, .apart = 1, .again = true};
    model_forget(m);
    const struct model_result r = replay(m, &l);
    CHECK_INT((long long)r.l1_hit_sectors, 100 * 4 * 4 * 4);
    CHECK_INT((long long)r.l2_read_sectors, 100 * 4 * 4 * 4);
    model_free(m);
}

// Of a line of which half is there the other half is fetched, and L1 has the first: a hit is a sector, not a line.
static void what_is_missing_of_a_line_is_fetched(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = 1, .warps = 1, .resident = 1};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    model_block(m, 0);
    for (int turn = 0; turn < 3; turn++) {
        struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
        a.lines[0] = (struct model_line){4096, {32, 32, turn ? 32 : 0, turn ? 32 : 0}};
        model_access(m, 0, &a);
        model_wait(m, 0, 0);
    }
    model_block_end(m);
    model_end(m, &r);
    CHECK_INT((long long)r.l1_hit_sectors, 2 + 4);
    CHECK_INT((long long)r.l2_read_sectors, 2 + 2);
    model_free(m);
}

static void a_warm_launch_asks_memory_for_nothing(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch cold = {.blocks = 300, .warps = 8, .turns = 4, .apart = 1};
    struct launch warm = cold;
    warm.warm = true;
    model_forget(m);
    const struct model_result first = replay(m, &cold);
    model_forget(m);
    const struct model_result second = replay(m, &warm);
    CHECK(first.dram_read_bytes > 0);
    CHECK_INT((long long)second.dram_read_bytes, 0);
    CHECK_INT((long long)second.l2_read_sectors, (long long)first.l2_read_sectors);
    CHECK(second.us < first.us);
    model_free(m);
}

static void the_same_records_give_the_same_answer(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c), *other = model_new(&c);
    const struct launch l = {.blocks = 3000, .warps = 8, .turns = 4, .apart = 3},
                        between = {.blocks = 50, .warps = 2, .turns = 9, .apart = 7, .store = true};
    model_forget(m);
    const struct model_result a = replay(m, &l);
    model_forget(m);
    replay(m, &between);
    model_forget(m);
    const struct model_result b = replay(m, &l);
    model_forget(other);
    const struct model_result d = replay(other, &l);
    CHECK(a.us == b.us && a.us == d.us);
    CHECK(a.l2_read_sectors == b.l2_read_sectors && a.dram_read_bytes == d.dram_read_bytes);
    model_free(m);
    model_free(other);
}

static void whole_waves_stand_for_a_large_launch(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch some = {.blocks = 528 * 40, .warps = 8, .turns = 8, .apart = 1};
    struct launch more = some;
    more.blocks = 528 * 80;
    model_forget(m);
    const struct model_result a = replay(m, &some);
    model_forget(m);
    const struct model_result b = replay(m, &more);
    CHECK(b.sampled < 1 && b.sampled > 0);
    CHECK(fabs(b.l2_read_sectors / (2 * a.l2_read_sectors) - 1) < 0.02);
    CHECK(fabs(b.dram_read_bytes / (2 * a.dram_read_bytes) - 1) < 0.05);
    const double sectors = (double)(more.blocks * more.warps * more.turns) * 4; // each is read once
    CHECK(fabs(b.l2_read_sectors / sectors - 1) < 1e-6 && fabs(b.dram_read_bytes / 32 / sectors - 1) < 1e-6);
    CHECK(b.us > 1.7 * a.us && b.us < 2.3 * a.us);
    CHECK(fabs(b.unit_us[b.limit] / b.us - a.unit_us[a.limit] / a.us) < 0.05); // of all blocks, as the time is
    model_free(m);
}

// Blocks that only count, `turns` of 1000 cycles each; the last thing that a warp does may be a store.
static double counted_us(uint64_t blocks, uint32_t resident, uint32_t turns, bool store, uint64_t most_words)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = blocks, .warps = 1, .resident = resident, .most_words = most_words};
    const struct model_work work = {.turns = 1, .cycles = 1000};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    for (uint64_t b = 0; b < blocks; b++) {
        if (!model_wants(m, b)) continue;
        model_block(m, b);
        for (uint32_t k = 0; k < turns; k++) model_work(m, 0, &work), model_barrier(m, 0, 0, 0);
        if (store) access(m, 0, 4096 + b, MODEL_STORE);
        model_block_end(m);
    }
    model_end(m, &r);
    model_free(m);
    return r.us;
}

// Waves whose blocks all begin at once: the others take as long as a wave, not as long as its blocks begin apart.
static void waves_that_begin_at_once_take_their_time(void)
{
    const double all = counted_us(132 * 30, 1, 10, false, 0), some = counted_us(132 * 30, 1, 10, false, 1 << 13);
    CHECK(all > 30 * 10000 / h200().clock_mhz);
    CHECK(fabs(some / all - 1) < 0.02);
}

// The beginning of a warp reads what is new, and the rest reads it again: what is not replayed of it is like the rest.
static void what_was_cut_goes_on_as_it_ended(void)
{
    const struct model_constants c = h200();
    const struct model_work work = {.turns = 1, .cycles = 10};
    struct model_result r[2];
    for (int cut = 0; cut < 2; cut++) {
        struct model *m = model_new(&c);
        const struct model_launch launch = {.blocks = 132, .warps = 1, .resident = 1, .most_words = cut ? 33000 : 0};
        model_forget(m);
        model_begin(m, &launch);
        for (uint64_t b = 0; b < launch.blocks; b++) {
            model_block(m, b);
            for (uint32_t k = 0; k < 2000; k++) {
                model_work(m, 0, &work);
                access(m, 0, (b << 20) + k % 64, MODEL_LOAD);
                model_wait(m, 0, 0);
            }
            model_block_end(m);
        }
        model_end(m, &r[cut]);
        model_free(m);
    }
    CHECK(r[1].sampled < 0.2 && r[0].sampled > 0.99);
    CHECK(fabs(r[1].l1_load_sectors / r[0].l1_load_sectors - 1) < 0.01);
    CHECK(fabs(r[1].l2_read_sectors / r[0].l2_read_sectors - 1) < 0.01);
    CHECK(fabs(r[1].dram_read_bytes / r[0].dram_read_bytes - 1) < 0.01);
    CHECK(fabs(r[1].us / r[0].us - 1) < 0.0025);
}

// As a share of the time: what a unit would take by itself may be more than the time that warps of a sample took.
static void a_unit_takes_no_longer_than_all(void)
{
    struct model_result r = {.us = 10, .unit_us = {[LIMIT_L2] = 14, [LIMIT_DRAM] = 4, [LIMIT_TAIL] = 0.01}};
    struct limits l;
    limits_from(&r, &l);
    CHECK_INT(l.count, 2);
    CHECK(l.of[0].is == LIMIT_L2 && l.of[0].us == 10 && l.of[0].share == 1);
    CHECK(limits_share(&l, LIMIT_DRAM) == 0.4 && limits_share(&l, LIMIT_TAIL) == 0);
}

// Each queue by itself: a launch that stands in it takes longer, where it takes longer.
struct queue {
    const char *what;
    size_t constant;
    uint64_t blocks;
    uint32_t warps, turns;
    struct model_work work;
    enum { ONLY_WORK, LOADS, STORES, SUMS, BARRIERS_ALONE } does;
    uint64_t lines, apart; // how many different ones a block reaches; how far its own are from the next block's
    uint32_t count;        // of an access
    uint8_t sectors;       // of each line
    uint8_t banks;
    uint16_t units;
    bool bypass, floats;
};

static double queue_us(const struct queue *q, double times)
{
    struct model_constants c = h200();
    double *const k = (double *)(void *)((char *)&c + q->constant);
    *k *= times;
    struct model *m = model_new(&c);
    struct model_result r;
    const struct model_launch launch = {.blocks = q->blocks, .warps = q->warps, .resident = 2};
    static const enum model_kind kinds[] = {[LOADS] = MODEL_LOAD, [STORES] = MODEL_STORE, [SUMS] = MODEL_REDUCE};
    model_forget(m);
    model_begin(m, &launch);
    for (uint64_t b = 0; b < q->blocks; b++) {
        model_block(m, b);
        for (uint32_t turn = 0; turn < q->turns; turn++)
            for (uint32_t w = 0; w < q->warps; w++) {
                model_work(m, w, &q->work);
                if (q->does == BARRIERS_ALONE) model_barrier(m, w, 0, 0);
                if (q->does == ONLY_WORK || q->does == BARRIERS_ALONE) continue;
                struct model_access a = {.kind = kinds[q->does],
                    .behind = MODEL_NO_WAIT,
                    .bypass = q->bypass,
                    .floats = q->floats,
                    .banks = q->banks,
                    .units = q->units,
                    .count = q->count};
                for (uint32_t n = 0; n < q->count; n++) {
                    const uint64_t at = (((uint64_t)turn * q->warps + w) * q->count + n) % q->lines;
                    a.lines[n].line = 4096 + b * q->apart + at;
                    for (uint32_t s = 0; s < q->sectors; s++) a.lines[n].bytes[s] = 32;
                }
                model_access(m, w, &a);
            }
        model_block_end(m);
    }
    model_end(m, &r);
    model_free(m);
    return r.us;
}

static void each_queue_holds_back(void)
{
#define CONSTANT(field) #field, offsetof(struct model_constants, field)
    static const struct queue rows[] = {
        {CONSTANT(issue_rate), 264, 32, 4, .work = {.turns = 400, .cycles = 400}},
        {CONSTANT(block_ns), 20000, 1, 1, .work = {.turns = 1, .cycles = 1}},
        {CONSTANT(barrier_warp_cycles), 264, 32, 60, .does = BARRIERS_ALONE},
        {CONSTANT(barrier_cycles), 132, 1, 400, .does = BARRIERS_ALONE},
        {CONSTANT(l1_lines), 264, 16, 60, .does = LOADS, .lines = 64, .apart = 64, .count = 32, .sectors = 1,
            .banks = 1},
        {CONSTANT(link_bytes), 16, 32, 100, .does = LOADS, .lines = 64, .apart = 64, .count = 1, .sectors = 4,
            .banks = 1, .bypass = true},
        {CONSTANT(l2_read_cycles), 264, 16, 100, .does = LOADS, .lines = 64, .count = 1, .sectors = 4, .banks = 1,
            .bypass = true},
        {CONSTANT(l2_line_cycles), 264, 16, 100, .does = LOADS, .lines = 64, .count = 1, .sectors = 1, .banks = 1,
            .bypass = true},
        {CONSTANT(l2_write_line_cycles), 264, 16, 100, .does = STORES, .lines = 800, .apart = 800, .count = 1,
            .sectors = 1},
        {CONSTANT(l2_write_cycles), 264, 16, 100, .does = STORES, .lines = 800, .apart = 800, .count = 1, .sectors = 4},
        {CONSTANT(dram_cycles), 264, 16, 100, .does = LOADS, .lines = 1600, .apart = 1600, .count = 1, .sectors = 4,
            .banks = 1},
        {CONSTANT(atomic_line_cycles), 264, 8, 20, .does = SUMS, .lines = 1, .count = 1, .sectors = 1, .units = 32},
        {CONSTANT(atomic_float_cycles), 264, 8, 20, .does = SUMS, .lines = 1, .count = 1, .sectors = 1, .units = 8,
            .floats = true},
        {CONSTANT(atomic_send_cycles), 132, 8, 60, .does = SUMS, .lines = 512, .apart = 512, .count = 4, .sectors = 4,
            .units = 16},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const bool rate =
            strstr(rows[k].what, "rate") || strstr(rows[k].what, "lines") || strstr(rows[k].what, "bytes");
        const double slow = queue_us(&rows[k], rate ? 0.5 : 2) / queue_us(&rows[k], 1);
        if (!(slow > 1.25)) printf("%s: %.2f times\n", rows[k].what, slow);
        CHECK(slow > 1.25 && slow < 2.1);
    }
}

// An SM gives a block's place away when L2 has said that it has the block's stores.
// Of a warp that turns a hundred times as often as the others the beginning is enough: it goes on as it began.
static void a_long_warp_is_waited_for(void)
{
    const struct model_constants c = h200();
    const struct model_work work = {.turns = 1, .cycles = 100};
    double us[2] = {0};
    for (int cut = 0; cut < 2; cut++) {
        struct model *m = model_new(&c);
        const struct model_launch launch = {.blocks = 132, .warps = 1, .resident = 1, .most_words = cut ? 132000 : 0};
        struct model_result r;
        model_forget(m);
        model_begin(m, &launch);
        for (uint64_t b = 0; b < launch.blocks; b++) {
            model_block(m, b);
            for (uint32_t k = 0; k < (b == 7 ? 4000 : 40); k++) {
                model_work(m, 0, &work);
                access(m, 0, (b << 20) + k, MODEL_LOAD);
                model_wait(m, 0, 0);
            }
            model_block_end(m);
        }
        model_end(m, &r);
        us[cut] = r.us;
        CHECK((r.sampled < 1) == cut && r.limit == LIMIT_TAIL);
        model_free(m);
    }
    CHECK(fabs(us[1] / us[0] - 1) < 0.1);
}

static void a_block_ends_with_its_stores(void)
{
    const struct model_constants c = h200();
    const double one = counted_us(132 * 20, 1, 1, true, 0) - counted_us(132 * 20, 1, 1, false, 0);
    const double way = 19 * c.ack_cycles / c.clock_mhz;
    CHECK(one > way && one < 1.3 * way);
}

// What a load takes by itself is waited for; what it stands in a queue of the memory is the memory's.
static void a_queue_is_not_the_loads_own_wait(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch busy = {.blocks = 528 * 4, .warps = 16, .turns = 32, .apart = 1, .together = 8},
                        idle = {.blocks = 132, .warps = 1, .turns = 64, .apart = 1};
    model_forget(m);
    const struct model_result many = replay(m, &busy);
    CHECK(many.limit == LIMIT_DRAM);
    CHECK(many.unit_us[LIMIT_LOADS] < 0.6 * many.us);
    model_forget(m);
    const struct model_result few = replay(m, &idle);
    CHECK(few.limit == LIMIT_LOADS);
    CHECK(few.unit_us[LIMIT_LOADS] > 0.8 * few.us);
    model_free(m);
}

// Floats that all meet at one place: no unit is busy all the time, and yet every warp stands in their queue.
static void waiting_behind_atomics_is_theirs(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = 132 * 40, .warps = 1, .resident = 4};
    const struct model_work work = {.turns = 10, .cycles = 20};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    for (uint64_t b = 0; b < launch.blocks; b++) {
        struct model_access a = {.kind = b % 2 ? MODEL_REDUCE : MODEL_ATOMIC, .behind = MODEL_NO_WAIT, .count = 1};
        a.units = 32, a.floats = true;
        a.lines[0] = (struct model_line){4096 + b / 264 * 17, {4}}; // one place for a while, then another
        model_block(m, b);
        model_work(m, 0, &work);
        model_access(m, 0, &a);
        if (b % 2 == 0) model_wait(m, 0, 0);
        model_block_end(m);
    }
    model_end(m, &r);
    CHECK(side_atomics(m) / c.clock_mhz < 0.6 * r.us);
    CHECK(r.limit == LIMIT_ATOMICS);
    CHECK(r.unit_us[LIMIT_ATOMICS] > 0.8 * r.us);
    model_free(m);
}

// L2 keeps some of what is written, of the whole launch and not of each part of it.
static void of_a_large_launch_all_but_what_l2_keeps_is_written_back(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch l = {.blocks = 528 * 60, .warps = 8, .turns = 8, .apart = 1, .store = true};
    model_forget(m);
    const struct model_result r = replay(m, &l);
    const double all = 128.0 * (double)(l.blocks * l.warps * l.turns);
    CHECK(r.sampled < 1);
    CHECK(fabs(r.dram_write_bytes / (all - c.l2_dirty_bytes) - 1) < 0.05);
    model_free(m);
}

// Each block reads its own lines, looks at others of a table at random, and writes. Some of the blocks tell what all of
// them do: the table is read once, the stream grows with the blocks, and what is read drives out what was written.
static void some_blocks_tell_what_all_of_them_move(void)
{
    enum { BLOCKS = 528 * 12, OWN = 8, TABLE = 1 << 16, TABLE_AT = 1 << 24, OUT_AT = 1 << 26 };
    struct model_constants c = h200();
    c.l2_bytes /= 4, c.l2_dirty_bytes /= 4;
    const struct model_work work = {.turns = 10, .cycles = 20};
    struct model_result r[2];
    for (int sampled = 0; sampled < 2; sampled++) {
        struct model *m = model_new(&c);
        const struct model_launch l = {
            .blocks = BLOCKS, .warps = 4, .resident = 4, .most_words = sampled ? 1 << 20 : (uint64_t)1 << 40};
        model_forget(m);
        model_begin(m, &l);
        for (uint64_t b = 0; b < BLOCKS; b++) {
            if (!model_wants(m, b)) continue;
            model_block(m, b);
            for (uint64_t k = 0; k < 4 * OWN; k++) {
                const uint64_t nth = b * 4 * OWN + k;
                const uint32_t warp = (uint32_t)(k % 4);
                model_work(m, warp, &work);
                access(m, warp, 4096 + nth, MODEL_LOAD);
                access(m, warp, TABLE_AT + (nth * 0x9e3779b97f4a7c15u >> 32) % TABLE, MODEL_LOAD);
                model_wait(m, warp, 0);
                if (k % 2) access(m, warp, OUT_AT + nth / 2, MODEL_STORE);
            }
            model_block_end(m);
        }
        model_end(m, &r[sampled]);
        model_free(m);
    }
    CHECK(r[0].sampled == 1 && r[1].sampled < 0.6);
    CHECK(fabs(r[1].dram_read_bytes / r[0].dram_read_bytes - 1) < 0.05);
    CHECK(fabs(r[1].dram_write_bytes / r[0].dram_write_bytes - 1) < 0.05);
    CHECK(fabs(r[1].l2_read_sectors / r[0].l2_read_sectors - 1) < 0.03); // L1 is emptier at first
    CHECK(fabs(r[1].us / r[0].us - 1) < 0.04);
}

// What was written to and makes room is handed back with its dirt; what was only read is not.
static void what_makes_room_is_handed_back(void)
{
    struct ways c = {0};
    struct ways_line old;
    uint64_t tag;
    size_t room, back = 0, dirty = 0;
    ways_shape(&c, 1 << 16);
    ways_clear(&c);
    room = (size_t)c.sets * c.ways;
    for (uint64_t n = 0; n < 3 * room; n++) {
        struct ways_line *l = ways_take(&c, n, &old, &tag);
        back += old.dirty != 0;
        if (old.dirty) CHECK(tag > 0 && tag - 1 < n && (tag - 1) % 2 == 1);
        if (n % 2) l->dirty = 1, ways_written(&c, l), dirty++;
    }
    size_t kept = 0;
    for (uint64_t n = 0; n < 3 * room; n++) {
        const struct ways_line *l = ways_find(&c, n);
        kept += l && l->dirty;
    }
    CHECK_INT(back + kept, dirty);
    CHECK(back > room / 2);
    ways_free(&c);
}

// A device of a few SMs, so that who asks for what can be counted by hand.
static struct model_constants small_device(int sms, int gpcs)
{
    struct model_constants c = h200();
    c.sms = sms, c.gpcs = gpcs, c.l2_parts = 1, c.merge_most = 2;
    return c;
}

// Each of `blocks` warps asks for the same sectors of one line at once.
static double asked_of_l2(const struct model_constants *c, uint64_t blocks, struct model_line line)
{
    struct model *m = model_new(c);
    const struct model_launch launch = {.blocks = blocks, .warps = 1, .resident = 1};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    for (uint64_t b = 0; b < blocks; b++) {
        struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
        a.lines[0] = line;
        model_block(m, b);
        model_access(m, 0, &a);
        model_block_end(m);
    }
    model_end(m, &r);
    model_free(m);
    return r.l2_read_sectors;
}

static void requests_of_a_group_become_one(void)
{
    const struct model_line whole = {4096, {32, 32, 32, 32}}, sector = {4096, {32}};
    struct model_constants c = small_device(3, 1);
    CHECK_INT(asked_of_l2(&c, 3, whole), 8); // two at most
    c.merge_most = 3;
    CHECK_INT(asked_of_l2(&c, 3, whole), 4);
    CHECK_INT(asked_of_l2(&c, 3, sector), 3); // each by itself
    c = small_device(12, 2);                  // a small grid: the first two stand alone, those behind them two by two
    c.merge_most = 9, c.alone_blocks = 2, c.group_blocks = 2;
    CHECK_INT(asked_of_l2(&c, 4, whole), 8); // the first, third and fourth; the second
}

// By one block that has the device to itself; `again`: behind each line one that L1 has.
static struct model_result read_by(uint32_t warps, uint32_t turns, bool again)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = 1, .warps = warps, .resident = 1};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    model_block(m, 0);
    for (uint32_t w = 0; w < warps; w++)
        for (uint32_t k = 0; k < turns; k++) {
            access(m, w, 4096 + k * 64, MODEL_LOAD);
            if (again && k) access(m, w, 4096, MODEL_LOAD);
            model_wait(m, w, 0);
        }
    model_block_end(m);
    model_end(m, &r);
    model_free(m);
    return r;
}

// However late the load before it is there, or another warp's of the same line.
static void in_an_idle_device_loads_wait_for_themselves(void)
{
    struct model_result r = read_by(1, 100, true);
    CHECK(r.limit == LIMIT_LOADS && r.unit_us[LIMIT_LOADS] > 0.8 * r.us);
    r = read_by(8, 100, false);
    CHECK(r.limit == LIMIT_LOADS && r.unit_us[LIMIT_LOADS] > 0.8 * r.us);
}

static void l1_has_what_shared_memory_leaves(void)
{
    const struct model_constants c = h200();
    const uint32_t lines = (uint32_t)(0.9 * (c.l1_bytes - (32 << 10)) / 128);
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = 1, .warps = 1, .resident = 1};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    model_block(m, 0);
    for (uint32_t k = 0; k < 2 * lines; k++) access(m, 0, 4096 + k % lines, MODEL_LOAD);
    model_block_end(m);
    model_end(m, &r);
    CHECK(r.l1_hit_sectors > 0.9 * 4 * lines);
    model_free(m);
}

static double with(double (*us)(const struct model_constants *), size_t field, double value)
{
    struct model_constants c = h200();
    memcpy((char *)&c + field, &value, sizeof value);
    return us(&c);
}
#define COST(us, field, value) \
    (with(us, offsetof(struct model_constants, field), value) - with(us, offsetof(struct model_constants, field), 0))

static double stores_us(const struct model_constants *c)
{
    struct model *m = model_new(c);
    const struct launch l = {.blocks = 132 * 4, .warps = 8, .turns = 64, .apart = 1, .store = true};
    model_forget(m);
    const double us = replay(m, &l).us;
    model_free(m);
    return us;
}

static double barriers_us(const struct model_constants *c)
{
    struct model *m = model_new(c);
    const struct model_launch launch = {.blocks = 1, .warps = 8, .resident = 1};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    model_block(m, 0);
    for (uint32_t k = 0; k < 100 * 8; k++) model_barrier(m, k % 8, 0, 0);
    model_block_end(m);
    model_end(m, &r);
    model_free(m);
    return r.us;
}

static void what_a_constant_says_is_waited_for(void)
{
    const double clock = h200().clock_mhz;
    CHECK(fabs(COST(barriers_us, barrier_warp_cycles, 10) / (100 * 8 * 10 / clock) - 1) < 0.02); // each of eight warps
    CHECK(fabs(COST(barriers_us, barrier_cycles, 50) / (100 * 50 / clock) - 1) < 0.02);
    CHECK(COST(stores_us, store_ahead_cycles, 1e6) < -0.1); // a warp goes on before its stores are there
}

// All warps of a block stand there until L2 has what its last one adds.
static void a_block_waits_for_what_its_last_warp_adds(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct model_launch launch = {.blocks = 132 * 8, .warps = 8, .resident = 1};
    const struct model_work work = {.turns = 1, .cycles = 250};
    struct model_result r;
    model_forget(m);
    model_begin(m, &launch);
    for (uint64_t b = 0; b < launch.blocks; b++) {
        struct model_access a = {
            .kind = MODEL_REDUCE, .behind = MODEL_NO_WAIT, .count = 1, .units = 32, .floats = true};
        a.lines[0] = (struct model_line){4096 + b * 17, {4}};
        model_block(m, b);
        for (uint32_t w = 0; w < 7; w++) model_work(m, w, &work);
        model_access(m, 7, &a);
        model_block_end(m);
    }
    model_end(m, &r);
    CHECK(r.limit == LIMIT_ATOMICS && r.unit_us[LIMIT_ATOMICS] > 2 * r.unit_us[LIMIT_CHAIN]);
    model_free(m);
}

static void several_launches_share_their_events(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    const struct launch l = {.blocks = 132, .warps = 8, .turns = 2, .apart = 1};
    struct model_result sum = {0};
    model_forget(m);
    const struct model_result one = replay(m, &l);
    for (int k = 0; k < 3; k++) model_add(&sum, &one);
    CHECK(fabs(sum.us - (3 * one.us - 2 * c.event_us)) < 1e-6);
    CHECK(sum.lo_us < sum.us && sum.us < sum.hi_us);
    model_free(m);
}

static void more_work_takes_longer(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    double last = 0;
    for (uint32_t turns = 2; turns <= 32; turns *= 2) {
        const struct launch l = {.blocks = 264, .warps = 8, .turns = turns, .apart = 1};
        model_forget(m);
        const struct model_result r = replay(m, &l);
        CHECK(r.us > last);
        last = r.us;
    }
    model_free(m);
}

static void warps_that_miss_a_barrier_do_not_hang_it(void)
{
    const struct model_constants c = h200();
    struct model *m = model_new(&c);
    struct model_result r;
    const struct model_launch launch = {.blocks = 2, .warps = 3, .resident = 2};
    model_begin(m, &launch);
    for (uint64_t b = 0; b < 2; b++) {
        model_block(m, b);
        for (uint32_t w = 0; w < 2 + b; w++) model_barrier(m, w, 0, 0);
        model_barrier(m, 0, 3, 3); // to which nobody else comes
        model_block_end(m);
    }
    model_end(m, &r);
    CHECK(r.us > 0 && r.us < 10);
    model_free(m);
}

static void every_profile_can_be_read(void)
{
    size_t count = 0;
    for (const struct profile *p = profiles; p->name; p++, count++) {
        struct diags d = {0};
        struct model_constants c;
        CHECK(profile_model(p, &c, &d));
        CHECK(c.sms == p->limits.sms);
        for (int k = 0; k < LIMITS_MOST; k++)
            if ((int)limit_as[k] == k) CHECK(c.least[k] < 1 && c.most[k] > 1);
        diags_clear(&d);
    }
    CHECK(count >= 4);
}

static void a_broken_profile_is_refused(void)
{
    static const char *const texts[] = {"constants: 3\nwithin: {}\n", "constants: {gpcs: [1, \"\", x]}\nwithin: {}\n",
        "constants: {gpcs: [1, \"us\", x]}\nwithin: {}\n", "constants: {nonsense: [1, \"\", x]}\nwithin: {}\n",
        "constants: {gpcs: [-1, \"\", x]}\nwithin: {}\n", "[1, 2]\n", ""};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct diags d = {0};
        struct model_constants c;
        CHECK(!profile_model_read(profile_find("h200"), "x.yaml", texts[k], strlen(texts[k]), &c, &d));
        diags_clear(&d);
    }
}

// A launch of everything that a warp can do, by chance, the same each time.
static struct model_result by_chance(struct model *m, const struct model_launch *launch, uint32_t seed)
{
    struct model_result r;
    uint32_t chance = seed;
    model_begin(m, launch);
    model_plan(m);
    for (uint64_t b = 0; b < launch->blocks; b++) {
        if (!model_wants(m, b)) continue;
        model_block(m, b);
        for (uint32_t n = 0; n < launch->warps * (b % 97 ? 6 : 30); n++) {
            const uint32_t w = n % launch->warps, k = n / launch->warps,
                           pick = (chance = chance * 1664525 + 1013904223) >> 8;
            const struct model_work work = {.turns = 1 + pick % 40,
                .cycles = 20 + pick % 97,
                .pipes = {pick % 23, pick % 19, pick % 7 ? 0 : 32, pick % 5, pick % 11}};
            const uint64_t own = 1 << 20 | ((b * launch->warps + w) * 64 + k * 4), all = 4096 + pick % 3000;
            struct model_access a = {.kind = (enum model_kind)(pick % 16 < 9 ? MODEL_LOAD : pick % 16 - 12),
                .bypass = pick % 13 == 0,
                .floats = pick & 64,
                .follows = pick % 17 == 0,
                .behind = pick & 128 ? MODEL_NO_WAIT : (uint8_t)(pick % 3),
                .banks = (uint8_t)(1 + pick % 8),
                .units = (uint16_t)(1 + pick % 9),
                .count = 1 + pick % 5 * (pick % 7)};
            if (pick % 16 >= 9 && pick % 16 < 13) a.kind = MODEL_STORE;
            for (uint32_t i = 0; i < a.count; i++)
                a.lines[i] = (struct model_line){(pick & 512 ? own : all) + i * (1 + pick % 2),
                    {32, pick & 1024 ? 32 : 0, pick & 2048 ? 8 : 0, pick & 1024 ? 32 : 4}};
            model_work(m, w, &work);
            model_access(m, w, &a);
            if (k % 3 == 2) model_wait(m, w, (uint8_t)(pick & 1));
            if (k == 4) model_barrier(m, w, 0, 0);
            if (pick % 31 == 0)
                model_pause(m, w, (enum model_pause)(pick % 3111 ? pick % MODEL_HEAP : MODEL_SWAPS), 1 + pick % 3);
        }
        model_block_end(m);
    }
    model_end(m, &r);
    return r;
}

// Every figure of launches of all sizes: few blocks, whole waves that stand for more, warps that were cut off.
static void what_launches_cost_is_what_was_kept(void)
{
    static const struct {
        const char *name, *device;
        struct model_launch launch;
    } rows[] = {{"a block", "h200", {.blocks = 1, .warps = 5, .resident = 1}},
        {"few", "h200", {.blocks = 37, .warps = 8, .resident = 2, .shared_bytes = 60000}},
        {"a wave", "h200", {.blocks = 500, .warps = 2, .resident = 4}},
        {"warm", "h200", {.blocks = 500, .warps = 2, .resident = 4, .warm = true}},
        {"PTX", "h200", {.blocks = 900, .warps = 4, .resident = 8, .ptx = true}},
        {"waves", "h200", {.blocks = 9000, .warps = 1, .resident = 2}},
        {"many", "h200", {.blocks = 100000, .warps = 2, .resident = 4}},
        {"cut", "h200", {.blocks = 600, .warps = 4, .resident = 4, .most_words = 20000}},
        {"many, cut", "h200", {.blocks = 40000, .warps = 4, .resident = 4, .most_words = 90000}},
        {"shared by others", "h200", {.blocks = 4000, .warps = 2, .resident = 4, .fetched = 0.5, .written = 0.25}},
        {"another device", "a100", {.blocks = 2000, .warps = 3, .resident = 4, .shared_bytes = 9000}}};
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct diags d = {0};
        struct model_constants c;
        CHECK(profile_model(profile_find(rows[k].device), &c, &d));
        diags_clear(&d);
        struct model *m = model_new(&c);
        model_forget(m);
        struct model_result r = by_chance(m, &rows[k].launch, 1 + k);
        fprintf(out, "%s: ", rows[k].name);
        kept_print(out, &r);
        const struct model_result next = by_chance(m, &rows[k].launch, 99 + k);
        model_add(&r, &next);
        fprintf(out, "%s, and the next: ", rows[k].name);
        kept_print(out, &r);
        model_free(m);
    }
    fclose(out);
    kept_holds(TESTS_DIR "/unit/model.txt", got, size);
    free(got);
}

int main(void)
{
    what_is_read_once_comes_from_memory();
    a_line_that_is_there_is_not_asked_for_again();
    what_is_missing_of_a_line_is_fetched();
    a_warm_launch_asks_memory_for_nothing();
    the_same_records_give_the_same_answer();
    whole_waves_stand_for_a_large_launch();
    waves_that_begin_at_once_take_their_time();
    a_long_warp_is_waited_for();
    each_queue_holds_back();
    what_was_cut_goes_on_as_it_ended();
    a_unit_takes_no_longer_than_all();
    a_block_ends_with_its_stores();
    a_queue_is_not_the_loads_own_wait();
    waiting_behind_atomics_is_theirs();
    of_a_large_launch_all_but_what_l2_keeps_is_written_back();
    some_blocks_tell_what_all_of_them_move();
    what_makes_room_is_handed_back();
    requests_of_a_group_become_one();
    in_an_idle_device_loads_wait_for_themselves();
    l1_has_what_shared_memory_leaves();
    what_a_constant_says_is_waited_for();
    a_block_waits_for_what_its_last_warp_adds();
    several_launches_share_their_events();
    more_work_takes_longer();
    warps_that_miss_a_barrier_do_not_hang_it();
    what_launches_cost_is_what_was_kept();
    every_profile_can_be_read();
    a_broken_profile_is_refused();
    return test_end();
}
