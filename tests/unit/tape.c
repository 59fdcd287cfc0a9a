// tape: what was kept is replayed as it was; a mend changes what it names; few long blocks count as few.
// SPDX-License-Identifier: MIT
#include "device/profiles.h"
#include "model/tape.h"
#include "base/arena.h"
#include "reason/findings.h"
#include "spec/columns.h"
#include "unit/kept.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKS = 132 * 8, SITE = 3 };

static struct model_constants h200(void)
{
    struct diags d = {0};
    struct model_constants c;
    CHECK(profile_model(profile_find("h200"), &c, &d));
    diags_clear(&d);
    return c;
}

static void load(struct tape *t, uint32_t warp, uint64_t line, uint32_t lines)
{
    const struct tape_who who = {.warp = warp, .place = SITE, .lanes = 32, .live = 32};
    struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = (uint8_t)lines, .count = lines};
    for (uint32_t k = 0; k < lines; k++) a.lines[k] = (struct model_line){line + k, {(uint8_t)(128 / lines), 0, 0, 0}};
    tape_access(t, &who, &a);
    tape_wait(t, warp, 0);
}

static void turns(struct tape *t, uint32_t warp, uint32_t count, uint32_t lanes)
{
    const struct tape_who who = {.warp = warp, .place = 1, .lanes = lanes, .live = 32};
    const struct model_work work = {.turns = 100, .cycles = 100};
    for (uint32_t k = 0; k < count; k++) tape_work(t, &who, &work);
}

static void begin(struct tape *t, uint64_t blocks, bool chosen)
{
    const struct model_launch launch = {.blocks = blocks, .warps = 1, .resident = 8};
    tape_clear(t);
    CHECK(tape_begin(t, "kernel", &launch, chosen));
}

static double played(const struct tape *t, const struct tape_change *change)
{
    const struct model_constants c = h200();
    struct model_result r;
    CHECK(tape_play(t, &c, change, true, &r));
    return r.us;
}

static const struct tape_change as_it_is;

static struct model_result result_of(const struct tape *t, const struct tape_change *change)
{
    const struct model_constants c = h200();
    struct model_result r;
    CHECK(tape_play(t, &c, change, true, &r));
    return r;
}

static void what_is_kept_of_two_like_launches_stands_for_both(struct tape *t)
{
    const struct model_launch launch = {.blocks = 1, .warps = 1, .resident = 8};
    begin(t, 1, false);
    tape_block(t, 0), turns(t, 0, 50, 32), tape_block_end(t, 1);
    const double one = played(t, &as_it_is);
    CHECK(!tape_begin(t, "kernel", &launch, false));
    const double two = 2 * one - h200().event_us; // events stand around both
    CHECK(fabs(played(t, &as_it_is) - two) < 1e-9);
    CHECK(played(t, &(struct tape_change){.spared_work = 0.5}) < 0.8 * two);
}

static void a_dense_access_has_the_lines_that_its_bytes_need(struct tape *t)
{
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        tape_block(t, b);
        for (uint64_t k = 0; k < 32; k++) load(t, 0, (b * 32 + k) * 32, 32);
        tape_block_end(t, 1);
    }
    const struct tape_pick there = {"kernel", SITE, TAPE_DENSE, 0}, elsewhere = {"kernel", SITE + 1, TAPE_DENSE, 0},
                           other = {"other", SITE, TAPE_DENSE, 0};
    const double as_is = played(t, &as_it_is);
    const struct tape_change mend = {.picks = &there, .pick_count = 1};
    const struct model_result dense = result_of(t, &mend);
    CHECK(dense.us < 0.7 * as_is);
    CHECK(fabs(played(t, &(struct tape_change){.picks = &elsewhere, .pick_count = 1}) - as_is) < 1e-9);
    CHECK(fabs(played(t, &(struct tape_change){.picks = &other, .pick_count = 1}) - as_is) < 1e-9);
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) { // as much, one line behind the other
        tape_block(t, b);
        for (uint64_t k = 0; k < 32; k++) {
            const struct tape_who who = {.place = SITE, .lanes = 32, .live = 32};
            struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
            a.lines[0] = (struct model_line){b * 32 + k, {32, 32, 32, 32}};
            tape_access(t, &who, &a);
            tape_wait(t, 0, 0);
        }
        tape_block_end(t, 1);
    }
    const struct model_result plain = result_of(t, &as_it_is);
    CHECK(fabs(dense.us / plain.us - 1) < 0.01 && dense.dram_read_bytes == plain.dram_read_bytes);
    CHECK(fabs(dense.unit_us[LIMIT_DRAM] / plain.unit_us[LIMIT_DRAM] - 1) < 0.02); // in as many rows of the memory
}

static void lanes_that_wait_work_where_warps_are_full(struct tape *t)
{
    begin(t, BLOCKS, true); // all schedulers are busy
    for (uint64_t b = 0; b < BLOCKS; b++) tape_block(t, b), turns(t, 0, 200, 8), tape_block_end(t, 1);
    const double as_is = played(t, &as_it_is), outside = h200().launch_us + h200().event_us;
    const double full = played(t, &(struct tape_change){.full_warps = true});
    CHECK((full - outside) < 0.35 * (as_is - outside));
}

// What a few lanes move is moved by a full warp too: four quarters at once, wherever they stand; one quarter by itself.
static void what_lanes_move_does_not_get_lost(struct tape *t)
{
    const struct model_constants c = h200();
    const struct tape_change full = {.full_warps = true};
    struct model_result is, r;
    for (uint32_t quarters = 1; quarters <= 4; quarters += 3) {
        begin(t, BLOCKS, true);
        for (uint64_t b = 0; b < BLOCKS; b++) {
            tape_block(t, b);
            for (uint32_t k = 0; k < quarters; k++) {
                const struct tape_who who = {.place = SITE + k, .lanes = 8, .live = 32};
                struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
                a.lines[0].line = 4096 + b, a.lines[0].bytes[k] = 32;
                tape_access(t, &who, &a);
            }
            tape_block_end(t, 1);
        }
        CHECK(tape_play(t, &c, &as_it_is, true, &is) && tape_play(t, &c, &full, true, &r));
        CHECK_INT((long long)is.l2_read_sectors, (long long)BLOCKS * quarters);
        CHECK_INT((long long)r.l2_read_sectors, (long long)BLOCKS * quarters);
        CHECK(fabs(is.unit_us[LIMIT_L1] / r.unit_us[LIMIT_L1] - quarters) < 0.01);
    }
}

// Blocks of eight lanes, each of which moves four bytes beside its neighbour's: full warps move as much in a quarter of
// the requests.
static void small_blocks_move_as_much_in_full_warps(struct tape *t)
{
    const struct tape_change full = {.part_warps = true};
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        tape_block(t, b);
        for (uint32_t k = 0; k < 16; k++) {
            const struct tape_who who = {.place = SITE, .lanes = 8, .live = 8};
            struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
            a.lines[0].line = 4096 + (b * 16 + k) / 4, a.lines[0].bytes[k % 4] = 32;
            tape_access(t, &who, &a);
        }
        tape_block_end(t, 1);
    }
    const struct model_result is = result_of(t, &as_it_is), r = result_of(t, &full);
    CHECK_INT((long long)is.l2_read_sectors, BLOCKS * 16);
    CHECK_INT((long long)r.l2_read_sectors, BLOCKS * 16);
    CHECK(fabs(is.unit_us[LIMIT_L1] / r.unit_us[LIMIT_L1] - 4) < 0.01);
}

// A float's pipe takes half of a double's time.
static void doubles_as_floats_take_half_of_the_pipe(struct tape *t)
{
    const struct model_work work = {.turns = 100, .cycles = 100, .pipes = {[MODEL_FP64] = 200}};
    const struct tape_who who = {.place = 1, .lanes = 32, .live = 32};
    begin(t, BLOCKS, true);
    tape_part(t, 1, TAPE_DOUBLE, &work);
    for (uint64_t b = 0; b < BLOCKS; b++) tape_block(t, b), tape_work(t, &who, &work), tape_block_end(t, 1);
    const struct model_result is = result_of(t, &as_it_is), r = result_of(t, &(struct tape_change){.floats = true});
    CHECK(is.unit_us[LIMIT_FP64] > 0 && r.unit_us[LIMIT_FP64] == 0);
    CHECK(fabs(r.unit_us[LIMIT_FP32] / is.unit_us[LIMIT_FP64] - 0.5) < 0.01);
}

// Requests of shared memory: without conflicts, what is left of them; near, one in four of what was read from memory;
// of atomics that become one a block, ten turns of each warp.
static void what_a_mend_leaves_is_counted(struct tape *t)
{
    enum { EACH = 64 };
    const struct tape_who who = {.place = SITE, .lanes = 32, .live = 32};
    const struct tape_pick calm = {"kernel", SITE, TAPE_CALM, 0}, near = {"kernel", SITE, TAPE_NEAR, 0},
                           once = {"kernel", SITE, TAPE_ONCE, 0};
    const double clock = h200().clock_mhz;
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        tape_block(t, b);
        for (uint32_t k = 0; k < EACH; k++) tape_shared(t, &who, 1000, 999);
        tape_block_end(t, 1);
    }
    struct model_result is = result_of(t, &as_it_is),
                        r = result_of(t, &(struct tape_change){.picks = &calm, .pick_count = 1});
    CHECK(fabs(is.unit_us[LIMIT_SHARED] / r.unit_us[LIMIT_SHARED] - 1000) < 10);
    CHECK(is.unit_us[LIMIT_CHAIN] < 0.1 * is.us); // a warp's own way is short: it stands in a queue
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        tape_block(t, b);
        for (uint32_t k = 0; k < EACH; k++) load(t, 0, b * EACH + k, 1);
        tape_block_end(t, 1);
    }
    r = result_of(t, &(struct tape_change){.picks = &near, .pick_count = 1});
    CHECK(fabs(r.unit_us[LIMIT_SHARED] * clock / (BLOCKS / 132.0 * EACH / 4) - 1) < 0.01);
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        tape_block(t, b);
        for (uint32_t k = 0; k < EACH; k++) {
            struct model_access a = {.kind = MODEL_REDUCE, .behind = MODEL_NO_WAIT, .count = 1, .units = 32};
            a.lines[0] = (struct model_line){4096, {4}};
            tape_access(t, &who, &a);
        }
        tape_block_end(t, 1);
    }
    r = result_of(t, &(struct tape_change){.picks = &once, .pick_count = 1});
    CHECK(fabs(r.unit_us[LIMIT_ISSUE] * clock / (BLOCKS / 528.0 * EACH * 10) - 1) < 0.01);
}

// 4 of 4096 blocks do a hundred times as much as the others; 8 of them are kept, half of them long ones.
// 140 blocks on 132 SMs: eight of them have two.
static void the_fullest_sms_are_waited_for(struct tape *t)
{
    const struct model_constants c = h200();
    double us[2];
    for (int more = 0; more < 2; more++) {
        const struct model_launch launch = {.blocks = more ? 140 : 132, .warps = 32, .resident = 2};
        struct model_result r;
        tape_clear(t);
        CHECK(tape_begin(t, "kernel", &launch, false));
        for (uint64_t b = 0; b < launch.blocks; b++) {
            if (!tape_wants(t, b)) continue;
            tape_block(t, b);
            for (uint32_t w = 0; w < 32; w++)
                for (uint32_t k = 0; k < 1000; k++) turns(t, w, 1, 32 - k % 2); // no two calls are alike
            tape_block_end(t, 1);
        }
        CHECK(tape_play(t, &c, &as_it_is, true, &r));
        us[more] = r.us - c.launch_us - c.event_us;
    }
    CHECK(us[1] > 1.9 * us[0] && us[1] < 2.1 * us[0]);
}

static void long_blocks_that_are_few_count_as_few(struct tape *t)
{
    begin(t, 4096, true);
    for (uint64_t b = 0; b < 8; b++)
        tape_block(t, b), turns(t, 0, b < 4 ? 1000 : 10, 32), tape_block_end(t, b < 4 ? 1 : 1023);
    const double as_is = played(t, &as_it_is), even = played(t, &(struct tape_change){.even = true});
    const double alone = 1000 * 100 / h200().clock_mhz; // of one warp
    CHECK(as_is > alone && as_is < 1.3 * alone);
    CHECK(even < 0.5 * as_is);
}

// A load, a barrier, then work: merged, each load stays, and the rest is done once.
static void merged_blocks_meet_once(struct tape *t)
{
    enum { MANY = 132 * 8 * 4 };
    const struct model_constants c = h200();
    struct model_result apart, merged;
    begin(t, MANY, true);
    for (uint64_t b = 0; b < MANY; b++) {
        tape_block(t, b);
        load(t, 0, b * 4, 4);
        tape_barrier(t, 0, 0, 0);
        turns(t, 0, 100, 32);
        tape_block_end(t, 1);
    }
    CHECK(tape_play(t, &c, &as_it_is, true, &apart));
    CHECK(tape_play(t, &c, &(struct tape_change){.merge = 4}, true, &merged));
    CHECK_INT((long long)merged.l2_read_sectors, (long long)apart.l2_read_sectors);
    CHECK(fabs(merged.unit_us[LIMIT_ISSUE] / apart.unit_us[LIMIT_ISSUE] - 0.25) < 0.01);
    // More would leave SMs without a block.
    CHECK(fabs(played(t, &(struct tape_change){.merge = 400}) - merged.us) < 1e-9);
}

// What was told of a point is by all of its blocks, and a replay is by some: both stand for the same time.
static void a_replay_is_scaled_to_the_time_that_is_told(struct tape *t)
{
    struct job job = {.grid = {BLOCKS, 1, 1}, .block = {32, 1, 1}};
    double columns[COLUMN_COUNT];
    struct model_result told = {.unit_us = {[LIMIT_CHAIN] = 1}};
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) tape_block(t, b), turns(t, 0, 200, 32), tape_block_end(t, 1);
    for (int k = 0; k < COLUMN_COUNT; k++) columns[k] = NAN;
    told.us = told.lo_us = told.hi_us = 3 * played(t, &as_it_is);
    const struct device_places places = {.tape = t, .expected = &told};
    struct evidence e = {.job = &job,
        .columns = columns,
        .places = &places,
        .device = profile_find("h200"),
        .known = KNOWN_WELL,
        .whole = true};
    evidence_limits(&e);
    CHECK(fabs(e.limits.us - told.us) < 1e-9);
    struct limits mended;
    CHECK(fabs(evidence_changed(&e, &as_it_is, true, &mended) - told.us) < 1e-6);
    const struct tape_change less = {.spared_work = 0.5};
    CHECK(fabs(evidence_changed(&e, &less, false, &mended) / (3 * played(t, &less)) - 1) < 1e-9);
}

// A gain that may be next to nothing is none: half of what makes it worth telling has to be sure.
static void a_gain_has_to_be_sure(struct tape *t)
{
    struct job job = {.grid = {BLOCKS, 1, 1}, .block = {48, 1, 1}};
    struct arena *a = arena_new();
    double columns[COLUMN_COUNT];
    begin(t, BLOCKS, true);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        const struct tape_who who = {.warp = 0, .place = 1, .lanes = 16, .live = 16};
        const struct model_work work = {.turns = 100, .cycles = 100};
        tape_block(t, b), turns(t, 0, 100, 32);
        for (uint32_t k = 0; k < 100; k++) tape_work(t, &who, &work);
        tape_block_end(t, 1);
    }
    for (int k = 0; k < COLUMN_COUNT; k++) columns[k] = NAN;
    const struct device_places places = {.tape = t};
    struct evidence e = {.job = &job,
        .columns = columns,
        .places = &places,
        .device = profile_find("h200"),
        .known = KNOWN_WELL,
        .whole = true};
    evidence_limits(&e);
    for (int sure = 0; sure < 2; sure++) {
        struct advice told[FINDINGS_TOLD];
        e.judged.lo_us = e.judged.us * (sure ? 0.9 : 0.01);
        const size_t count = findings_of(&e, told, a);
        bool found = false;
        for (size_t k = 0; k < count; k++) found |= strcmp(told[k].rule, "part_warps") == 0;
        CHECK_INT(found, sure);
    }
    arena_free(a);
}

// A launch with a bit of everything; each sixth block does twice as much. Some blocks stand for all where `chosen`.
static void bit_of_everything(struct tape *t, bool chosen)
{
    const struct model_launch launch = {.blocks = 1500, .warps = 3, .resident = 4, .shared_bytes = 4096};
    const struct model_work plain = {.turns = 30, .cycles = 70, .pipes = {40, 36, 8, 12, 6}},
                            parts[TAPE_PARTS] = {{.turns = 8, .cycles = 20, .pipes = {9, 5, 0, 7, 0}},
                                {.turns = 6, .cycles = 14, .pipes = {0, 0, 8, 0, 0}},
                                {.turns = 5, .cycles = 9, .pipes = {11, 0, 0, 0, 0}}};
    static const enum model_pause pauses[] = {MODEL_FENCE, MODEL_CONSTANT, MODEL_CONSTANT_NEAR, MODEL_SWAPS};
    tape_clear(t);
    CHECK(tape_begin(t, "kernel", &launch, chosen));
    for (int k = 0; k < TAPE_PARTS; k++) tape_part(t, 1, (enum tape_part)k, &parts[k]);
    for (uint64_t b = 0; b < launch.blocks; b += chosen ? 100 : 1) {
        if (!tape_wants(t, b)) continue;
        tape_block(t, b);
        for (uint32_t n = 0; n < 3 * (b % 600 ? 4u : 8u); n++) {
            const uint32_t w = n % 3, k = n / 3, lanes = w == 2 ? 20 : 32;
            const struct tape_who stretch = {w, 1, lanes, w == 2 ? 24 : 32}, row = {w, 3, 32, 32},
                                  apart = {w, 4, lanes, 32}, shared = {w, 5, 32, 32}, out = {w, 6, lanes, 32},
                                  sum = {w, 7, 32, 32}, old = {w, 8, 16, 32};
            struct model_access a = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 1, .count = 1};
            tape_work(t, &stretch, &plain);
            a.lines[0] = (struct model_line){(b * 3 + w) * 8 + k, {32, 32, 32, 32}};
            tape_access(t, &row, &a);
            a.count = a.banks = 8, a.bypass = k & 1, a.follows = w == 1;
            for (uint32_t i = 0; i < 8; i++)
                a.lines[i] = (struct model_line){9000 + b % 50 * 40 + i * 3, {0, 12, 4, 0}};
            tape_access(t, &apart, &a);
            tape_wait(t, w, w == 0);
            tape_shared(t, &shared, 9, 5);
            tape_barrier(t, w, 0, 0);
            tape_pause(t, &stretch, pauses[k % 4], 1 + w);
            a = (struct model_access){.kind = MODEL_STORE, .behind = 0, .banks = 2, .count = 2};
            for (uint32_t i = 0; i < 2; i++)
                a.lines[i] = (struct model_line){90000 + (b * 3 + w) * 2 + i, {32, k & 1 ? 32 : 8, 0, 0}};
            tape_access(t, &out, &a);
            a = (struct model_access){
                .kind = MODEL_REDUCE, .behind = MODEL_NO_WAIT, .count = 1, .units = 6, .floats = k & 1};
            a.lines[0] = (struct model_line){7000 + b % 32 * 8 + k, {4, 4, 0, 0}};
            tape_access(t, &sum, &a);
            a.kind = MODEL_ATOMIC, a.behind = 1, a.units = 2;
            a.lines[0] = (struct model_line){7900 + b % 64, {4}};
            tape_access(t, &old, &a);
        }
        tape_block_end(t, chosen ? b % 600 ? 110 : 50 : 1);
    }
    if (chosen) tape_reach(t, 1.5e6, 0.5e6);
}

// What memory takes stays: a time that is less than the model's leaves no more to gain than the memory's.
static void no_gain_is_beyond_the_memory(struct tape *t)
{
    struct job job = {.grid = {BLOCKS, 1, 1}, .block = {48, 1, 1}};
    struct arena *a = arena_new();
    struct advice told[FINDINGS_TOLD];
    struct limits mended;
    double columns[COLUMN_COUNT];
    const struct model_launch launch = {.blocks = BLOCKS, .warps = 1, .resident = 8};
    tape_clear(t);
    CHECK(tape_begin(t, "kernel", &launch, true));
    for (uint64_t b = 0; b < BLOCKS; b++) {
        const struct tape_who who = {.warp = 0, .place = 1, .lanes = 16, .live = 16};
        const struct model_work work = {.turns = 2200, .cycles = 2200};
        struct model_access x = {.kind = MODEL_LOAD, .behind = MODEL_NO_WAIT, .banks = 8, .count = 32};
        tape_block(t, b);
        for (uint32_t k = 0; k < 32; k++) {
            tape_work(t, &who, &work);
            for (uint32_t i = 0; i < 32; i++) x.lines[i] = (struct model_line){(b * 32 + k) * 32 + i, {32, 32, 32, 32}};
            tape_access(t, &who, &x);
            if (k % 4 == 3) tape_wait(t, 0, 0);
        }
        tape_block_end(t, 1);
    }
    for (int k = 0; k < COLUMN_COUNT; k++) columns[k] = NAN;
    const struct device_places places = {.tape = t};
    struct evidence e = {.job = &job,
        .columns = columns,
        .places = &places,
        .device = profile_find("h200"),
        .known = KNOWN_WELL,
        .whole = true};
    evidence_limits(&e);
    for (int n = 0; n < 2; n++) {
        columns[COLUMN_TIME_US] = e.judged.us * (n ? 1.5 : 0.6);
        const size_t count = findings_of(&e, told, a);
        size_t k = 0;
        while (k < count && strcmp(told[k].rule, "part_warps") != 0) k++;
        CHECK(k < count);
        if (k == count) continue;
        const double us = evidence_changed(&e, told[k].change, false, &mended);
        const double least = columns[COLUMN_TIME_US] / (limits_share(&mended, LIMIT_DRAM) * us);
        CHECK(n ? told[k].gain < 0.9 * least : fabs(told[k].gain - least) < 1e-9);
    }
    arena_free(a);
}

// Every figure of a replay but its interval, as it is and with each mend: what tape.txt says.
static void each_mend_changes_what_it_did(struct tape *t)
{
    static const struct tape_pick dense[] = {{"kernel", 4, TAPE_DENSE, 0}}, gone[] = {{"kernel", 3, TAPE_GONE, 0}},
                                  calm[] = {{"kernel", 5, TAPE_CALM, 0}, {"kernel", 3, TAPE_CALM, 0},
                                      {"kernel", 6, TAPE_CALM, 0}},
                                  near[] = {{"kernel", 4, TAPE_NEAR, 0}}, once[] = {{"kernel", 7, TAPE_ONCE, 2}},
                                  kept[] = {{"kernel", 6, TAPE_KEPT, 0}}, cached[] = {{"kernel", 4, TAPE_CACHED, 0}},
                                  turn[] = {{"kernel", 4, TAPE_SHARED_TURN, 0}};
// clang-format off
#define PICKED(pick) {#pick, {.picks = pick, .pick_count = sizeof pick / sizeof *pick}}
    // clang-format on
    static const struct {
        const char *name;
        struct tape_change change;
    } rows[] = {{"as it is", {0}}, PICKED(dense), PICKED(gone), PICKED(calm), PICKED(near), PICKED(once), PICKED(kept),
        PICKED(cached), PICKED(turn), {"no divisions", {.spared = {[TAPE_DIVIDE] = 1}}},
        {"half of the doubles", {.spared = {[TAPE_DOUBLE] = 0.5}}}, {"no narrow work", {.spared = {[TAPE_NARROW] = 1}}},
        {"a third of the work", {.spared_work = 2.0 / 3}}, {"no fences", {.spared_pauses = {[MODEL_FENCE] = 1}}},
        {"half of the swaps", {.spared_pauses = {[MODEL_SWAPS] = 0.5}}}, {"floats", {.floats = true}},
        {"no barriers", {.no_barriers = true}}, {"full warps", {.full_warps = true}}, {"even", {.even = true}},
        {"spread", {.spread = true}}, {"no tail", {.no_tail = true}}, {"part warps", {.part_warps = true}},
        {"wider", {.wider = 4}}, {"merged", {.merge = 4}}, {"short chain", {.short_chain = 4}},
        {"together", {.together = 4}}, {"no wait", {.together = TAPE_NO_WAIT}}, {"resident", {.resident = 2}},
        {"no block starts", {.block_starts = 1}}};
    struct diags d = {0};
    struct model_constants c;
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    CHECK(profile_model(profile_find("a100"), &c, &d));
    for (int n = 0; n < 3; n++) { // all blocks; some of them; some that stand for a larger grid
        bit_of_everything(t, n > 0);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            struct model_result r;
            CHECK(tape_play(t, &c, &rows[k].change, n < 2, &r));
            fprintf(out, "%s: %s: ", n ? n > 1 ? "larger" : "some" : "all", rows[k].name);
            kept_print(out, &r);
        }
    }
    fclose(out);
    kept_holds(TESTS_DIR "/unit/tape.txt", got, size);
    free(got);
    diags_clear(&d);
}

int main(void)
{
    struct tape *t = tape_new();
    what_is_kept_of_two_like_launches_stands_for_both(t);
    a_dense_access_has_the_lines_that_its_bytes_need(t);
    lanes_that_wait_work_where_warps_are_full(t);
    what_lanes_move_does_not_get_lost(t);
    small_blocks_move_as_much_in_full_warps(t);
    doubles_as_floats_take_half_of_the_pipe(t);
    what_a_mend_leaves_is_counted(t);
    the_fullest_sms_are_waited_for(t);
    long_blocks_that_are_few_count_as_few(t);
    merged_blocks_meet_once(t);
    a_replay_is_scaled_to_the_time_that_is_told(t);
    a_gain_has_to_be_sure(t);
    no_gain_is_beyond_the_memory(t);
    each_mend_changes_what_it_did(t);
    tape_free(t);
    return test_end();
}
