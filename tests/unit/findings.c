// Each rule by itself, on a point that is written by hand: what lies just inside of a bound is told, what lies just
// outside is not.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "base/arena.h"
#include "spec/columns.h"
#include "unit/test.h"

static struct arena *arena;
static struct ops_read read;
static struct device_place items[4];
static struct device_line lines[2];
static struct device_places places;
static double columns[COLUMN_COUNT];
static struct job job;
static struct profile h200;
static struct evidence e;
static struct change change;
static struct advice advice;

static void begin(uint32_t blocks, uint32_t threads)
{
    memset(items, 0, sizeof items);
    memset(lines, 0, sizeof lines);
    places = (struct device_places){.items = items, .lines = lines};
    for (int i = 0; i < COLUMN_COUNT; i++) columns[i] = NAN;
    job = (struct job){.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    e = (struct evidence){
        .job = &job, .columns = columns, .places = &places, .device = &h200, .known = KNOWN_WELL, .whole = true};
    e.constants.swap_cycles = 2000;
    e.constants.clock_mhz = 1000;
}

// Each of `requests` warps reaches `step` bytes further with each lane.
static struct device_place *place(const char *op, uint64_t requests, uint64_t sectors, int step)
{
    struct device_place *p = &items[places.count++];
    *p = (struct device_place){.op = op,
        .is = ops_of(&read, arena, op, strlen(op)),
        .line = (int)places.count,
        .bytes = 4,
        .instructions = 1,
        .requests = requests,
        .sectors = sectors,
        .lanes = 32 * requests,
        .space = SPACE_OF_DEVICE,
        .buffer = "a",
        .span = 1 << 20,
        .mask = UINT32_MAX};
    for (int l = 0; l < 32; l++) p->at[l] = 4096 + (uint64_t)(step * l);
    return p;
}

static void judge(enum limit_unit tallest, enum limit_unit second)
{
    e.judged = (struct limits){.count = 2, .us = 10, .lo_us = 9, .hi_us = 11};
    e.judged.of[0] = (struct limit){limit_words[tallest], tallest, 8, 0.8};
    e.judged.of[1] = (struct limit){limit_words[second], second, 6, 0.6};
}

static bool tells(const char *rule)
{
    const struct finding_rule *r = finding_rules;
    while (r->name && strcmp(r->name, rule) != 0) r++;
    CHECK(r->name);
    change = (struct change){.gain = NAN};
    advice = (struct advice){0};
    return r->name && r->find(&e, &change, &advice, arena);
}

static void lanes_apart_and_scattered_are_two_things(void)
{
    begin(1024, 256);
    struct device_place *p = place("ld.global.f32", 100, 3200, 64);
    CHECK(tells("overfetch"));
    CHECK_TEXT(advice.what, "neighbouring lanes read `a` 64 bytes apart");
    p->at[31] += 64;
    CHECK(tells("overfetch"));
    CHECK_TEXT(advice.what, "the lanes of a warp read `a` in scattered places");
    p->mask = 0x55555555; // no two neighbours
    CHECK(tells("overfetch") && strstr(advice.what, "scattered"));
    p->mask = 0x3000; // two of them
    CHECK(tells("overfetch") && strstr(advice.what, "64 bytes apart"));
    p->mask = UINT32_MAX, p->sectors = 599; // 400 would do
    CHECK(!tells("overfetch"));
    p->sectors = 600;
    CHECK(tells("overfetch"));
    p = place("st.global.f32", 100, 3200, 8); // the worst is told; what goes by another step in another buffer stays
    p->buffer = "b";
    CHECK(tells("overfetch") && strstr(advice.what, "write `b` 8 bytes apart"));
    CHECK_INT(change.tape.pick_count, 1);
    items[0].line = p->line; // the same line
    CHECK(tells("overfetch"));
    CHECK_INT(change.tape.pick_count, 2);
}

static void a_warp_that_begins_inside_a_sector(void)
{
    begin(1024, 256);
    struct device_place *p = place("ld.global.f32", 100, 500, 4);
    p->at[0] += 4;
    for (int l = 1; l < 32; l++) p->at[l] += 4;
    CHECK(tells("misaligned") && strstr(advice.why, "begins 4 bytes behind"));
    place("ld.global.f32", 100, 400, 4); // a stencil: beside it one begins where a sector does
    CHECK(!tells("misaligned"));
    items[1].buffer = "b";
    CHECK(tells("misaligned"));
}

static void swaps_at_few_addresses(void)
{
    begin(1024, 256);
    struct device_place *p = place("atom.global.cas.b32", 100, 3200, 0);
    p->span = 3200 / 15 * 4;
    CHECK(!tells("swap_loop") && evidence_swaps(&e) == 0);
    p->span = 3200 / 16 * 4;
    CHECK(evidence_swaps(&e) == 16 * 2000 / 1000.0);
    judge(LIMIT_ATOMICS, LIMIT_DRAM);
    e.judged.us = 64;
    CHECK(tells("swap_loop") && change.gain == 2 && !advice.untold);
    columns[COLUMN_TIME_US] = 96; // of a time that was measured, as much of it as is left without them
    CHECK(tells("swap_loop") && change.gain == 3);
    place("atom.global.exch.b32", 100, 100, 0)->span = p->span;
    CHECK(tells("swap_loop") && advice.untold && strstr(advice.what, "lock"));
    p->space = SPACE_OF_BLOCK;
    CHECK(!tells("swap_loop"));
}

static void atomics_that_meet(void)
{
    begin(1024, 256);
    struct device_place *p = place("red.global.add.u32", 100, 100, 4);
    CHECK(!tells("same_address"));
    for (int l = 0; l < 32; l++) p->at[l] = 4096 + (uint64_t)(l % 8 * 4); // four at each of eight words
    CHECK(tells("same_address") && strstr(advice.what, "meet at 8 addresses"));
    p->at[0] = 8192; // a ninth
    CHECK(!tells("same_address"));
    p->span = 3200 / 256 * 4; // few words, for all warps
    CHECK(tells("same_address") && strstr(advice.what, "all threads meet at 12 words"));
    p->lanes = 256 * 12;
    CHECK(!tells("same_address"));
}

static void conflicts_are_chance_where_lanes_have_no_step(void)
{
    begin(1024, 256);
    struct device_place *p = place("ld.shared.f32", 100, 0, 8);
    p->space = SPACE_OF_BLOCK, p->wavefronts = 200, p->conflicts = 100;
    CHECK(tells("bank_conflicts") && strstr(advice.mend, "2 words apart: make that odd, as by one element more"));
    p->at[7] = 77; // a table: up to four at once come by chance
    p->wavefronts = 400;
    CHECK(!tells("bank_conflicts"));
    p->wavefronts = 401;
    CHECK(tells("bank_conflicts"));
}

static void registers_in_memory(void)
{
    begin(1024, 256);
    columns[COLUMN_SPILL_BYTES] = 0;
    CHECK(!tells("spills"));
    columns[COLUMN_SPILL_BYTES] = 4, columns[COLUMN_REGS] = 32;
    CHECK(tells("spills") && !advice.test); // nothing was asked for that could be taken back
    job.settings[SETTING_MAXREGS] = value_int(32);
    CHECK(tells("spills"));
    CHECK_TEXT(advice.test, "maxregs=255");
    CHECK_TEXT(advice.why, "4 bytes spilled a thread, at 32 registers (maxregs: 32)");
}

// With the memory that the system takes beside a block's own.
static void fewer_bytes_of_shared_memory_a_block(void)
{
    begin(1024, 64);
    judge(LIMIT_LOADS, LIMIT_DRAM);
    columns[COLUMN_REGS] = 32, columns[COLUMN_SHARED_BYTES] = 48 << 10; // 4 blocks
    CHECK(tells("occupancy"));
    CHECK_INT(change.tape.resident, 8);
    struct device_place *p = place("ld.shared.f32", 100, 0, 4);
    p->space = SPACE_OF_BLOCK;
    p->span = (uint64_t)h200.limits.shared_per_sm / 16;
    CHECK(tells("occupancy"));
    CHECK_INT(change.tape.resident, 14); // 16 would fit but for that
    p->span -= (uint64_t)h200.limits.shared_reserved_per_block;
    CHECK(tells("occupancy"));
    CHECK_INT(change.tape.resident, 16);
    CHECK(!advice.test);
    job.settings[SETTING_SHARED] = value_int(1 << 10);
    CHECK(tells("occupancy"));
    CHECK_TEXT(advice.test, "shared=0");
    CHECK_INT(change.tape.resident, 32);
    judge(LIMIT_DRAM, LIMIT_L2); // a unit that is busy gets no faster by more warps
    CHECK(!tells("occupancy"));
}

static void a_chain_is_told_where_few_warps_fill_the_gap(void)
{
    begin(264, 32 * 16);
    CHECK((judge(LIMIT_CHAIN, LIMIT_FP32), tells("chain"))); // 32 of 64 warps are there
    begin(264, 32 * 17);
    CHECK((judge(LIMIT_CHAIN, LIMIT_FP32), !tells("chain")));
    begin(132, 32);
    CHECK((judge(LIMIT_FP32, LIMIT_CHAIN), !tells("chain")));
    e.whole = false; // one that stands for larger ones fills the device
    CHECK((judge(LIMIT_CHAIN, LIMIT_FP32), tells("chain")) == (evidence_resident(&e) <= 32));
}

// A block that takes no longer than the rounds of the others ends among them.
static void a_long_block_hardly_matters_among_many_rounds(void)
{
    begin(16, 1024);
    places.instructions = 16000, places.block_most = 1499;
    CHECK(!tells("uneven"));
    places.block_most = 1500;
    CHECK(tells("uneven"));
    e.whole = false; // some four rounds, where it stands for a larger one
    places.block_most = 3999;
    CHECK(!tells("uneven"));
    places.block_most = 4000;
    CHECK(tells("uneven"));
    begin(15, 1024);
    places.instructions = 15000, places.block_most = 9000;
    CHECK(!tells("uneven"));
    begin(264 * 4 + 1, 1024); // two blocks an SM
    CHECK(!tells("tail"));
    begin(264 * 3 + 1, 1024);
    CHECK(!tells("tail")); // 3.004 of 4 rounds: more than three quarters are full
    begin(264 * 2 + 1, 1024);
    CHECK(tells("tail"));
    CHECK_TEXT(advice.why, "529 blocks, of which 264 run at once: 3 rounds, the last with 1");
}

static void lanes_that_wait(void)
{
    begin(1024, 256);
    places.line_count = 2;
    lines[0] = (struct device_line){.line = 7, .lanes = 400, .idle = 0};
    lines[1] = (struct device_line){.line = 9, .lanes = 400, .idle = 199};
    places.lanes = 801, places.idle = 199;
    CHECK(!tells("divergence"));
    places.lanes = 800, places.idle = 200;
    CHECK(tells("divergence") && advice.line == 9);
    places.lanes = 900, places.idle = 100; // few in all, but at a line that takes a fifth of it nearly all wait
    lines[1] = (struct device_line){.line = 9, .lanes = 80, .idle = 120};
    CHECK(tells("divergence"));
    lines[1].lanes = 82, lines[1].idle = 118;
    CHECK(!tells("divergence"));
    lines[1].lanes = 79, lines[1].idle = 120;
    CHECK(!tells("divergence"));
}

// A thread's memory on a line of a large sine is the library's; one that the kernel indexes by data would fit in shared
// memory, where each lane has a bank.
static void local_memory_is_of_a_sine_or_of_an_index(void)
{
    begin(1024, 256);
    struct device_place *p = place("ld.local.u32", 100, 400, 4);
    p->space = SPACE_OF_THREAD;
    job.source = "x = y;\n";
    CHECK(tells("local") && !tells("slow_math"));
    CHECK((tells("local"), strstr(advice.mend, "unroll")));
    p->sectors = 600; // more than one and a half times what a warp's words need
    CHECK((tells("local"), strstr(advice.mend, "unroll")));
    p->sectors = 601;
    CHECK((tells("local"), strstr(advice.mend, "where no two lanes share a bank")));
    job.source = "x = sinf(y);\n";
    CHECK(tells("slow_math") && !tells("local"));
    job.source = "x = __sinf(y);\n"; // which has no slow path
    CHECK(!tells("slow_math") && tells("local"));
    job.source = "x = y;\ny = sinf(x);\n"; // another line's
    CHECK(!tells("slow_math"));
}

// Twice the model's time is not understood, nor is half of it; then no gain is foretold.
static void a_time_that_is_not_understood_is_no_ground(void)
{
    struct advice told[FINDINGS_TOLD];
    begin(1024, 256);
    e.places = NULL;
    columns[COLUMN_SPILL_BYTES] = 4;
    judge(LIMIT_DRAM, LIMIT_L2);
    columns[COLUMN_TIME_US] = 19.9;
    CHECK(findings_of(&e, told, arena) == 1 && !told[0].untold);
    columns[COLUMN_TIME_US] = 20;
    CHECK(findings_of(&e, told, arena) == 1);
    CHECK_TEXT(told[0].untold, "it took 20 us, where 10 are understood");
    columns[COLUMN_TIME_US] = 5.1;
    CHECK(findings_of(&e, told, arena) == 1 && !told[0].untold);
    columns[COLUMN_TIME_US] = 5;
    CHECK(findings_of(&e, told, arena) == 1 && told[0].untold);
}

// What has no gain stands behind one of more than 1.5 and before the others.
static void what_gains_most_stands_first(void)
{
    struct advice told[FINDINGS_TOLD];
    begin(1024, 256);
    struct device_place *p = place("atom.global.cas.b32", 100, 3200, 0);
    p->span = 3200 / 16 * 4;
    columns[COLUMN_SPILL_BYTES] = 4;
    judge(LIMIT_ATOMICS, LIMIT_DRAM);
    e.judged.us = 64, e.judged.lo_us = 64 * 0.81, e.judged.hi_us = 64 * 1.44;
    CHECK_INT(findings_of(&e, told, arena), 2);
    CHECK_TEXT(told[0].rule, "swap_loop");
    CHECK(told[0].gain == 2 && fabs(told[0].least - 1.8) < 1e-9 && fabs(told[0].most - 2.4) < 1e-9);
    e.judged.us = 106; // 106 of 74
    CHECK_INT(findings_of(&e, told, arena), 2);
    CHECK_TEXT(told[0].rule, "spills");
}

int main(void)
{
    arena = arena_new();
    evidence_device("sim:h200", NULL, &h200);
    lanes_apart_and_scattered_are_two_things();
    a_warp_that_begins_inside_a_sector();
    swaps_at_few_addresses();
    atomics_that_meet();
    conflicts_are_chance_where_lanes_have_no_step();
    registers_in_memory();
    fewer_bytes_of_shared_memory_a_block();
    a_chain_is_told_where_few_warps_fill_the_gap();
    a_long_block_hardly_matters_among_many_rounds();
    lanes_that_wait();
    local_memory_is_of_a_sine_or_of_an_index();
    a_time_that_is_not_understood_is_no_ground();
    what_gains_most_stands_first();
    arena_free(arena);
    return test_end();
}
