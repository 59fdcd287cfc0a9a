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

// Told at `in`, and not at `out`: the bound lies between them.
#define TELLS_BETWEEN(rule, what, in, out) \
    do { \
        what = out; \
        CHECK(!tells(rule)); \
        what = in; \
        CHECK(tells(rule)); \
    } while (0)

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
    for (int l = 0; l < 32; l++) p->at[l] = 4096 + (uint64_t)(12 * l);
    CHECK(tells("bank_conflicts") && strstr(advice.mend, "or another order")); // three words: odd as it is
    p->at[7] = 77; // a table: up to four at once come by chance
    p->wavefronts = 400;
    CHECK(!tells("bank_conflicts"));
    p->wavefronts = 401;
    CHECK(tells("bank_conflicts"));
}

// A report's own counts, where nothing was looked at.
static void counts_of_a_report(void)
{
    begin(1024, 256);
    e.places = NULL;
    columns[COLUMN_SHARED_WAVEFRONTS] = columns[COLUMN_BANK_CONFLICTS] = 0;
    CHECK(!tells("bank_conflicts"));
    columns[COLUMN_SHARED_WAVEFRONTS] = 100;
    TELLS_BETWEEN("bank_conflicts", columns[COLUMN_BANK_CONFLICTS], 25, 24.9);
    columns[COLUMN_LD_REQUESTS] = columns[COLUMN_ST_REQUESTS] = 10;
    columns[COLUMN_ST_SECTORS] = 40;
    TELLS_BETWEEN("overfetch", columns[COLUMN_LD_SECTORS], 161, 160);
    CHECK(strstr(advice.what, "read") && strstr(advice.why, "16.1 sectors"));
    columns[COLUMN_LD_SECTORS] = 160;
    TELLS_BETWEEN("overfetch", columns[COLUMN_ST_SECTORS], 170, 160);
    CHECK(strstr(advice.what, "write"));
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

enum { BLOCKS = 1056, THREADS = 256, WARPS = BLOCKS * THREADS / 32 }; // one round of an H200's SMs

static void begin_lines(void)
{
    begin(BLOCKS, THREADS);
    places.line_count = 2, places.instructions = 10000;
    lines[0].line = 7, lines[1].line = 9;
    job.settings[SETTING_TIMED] = value_text("launch");
}

static void what_a_line_does_too_often(void)
{
    static const struct {
        const char *rule;
        enum device_work work;
        uint64_t from;
    } rows[] = {{"fences", WORK_FENCE, 2 * WARPS}, {"heap", WORK_HEAP, 32}, {"constants", WORK_CONSTANT, 1},
        {"divisions", WORK_DIVIDE, 1}, {"vain_barriers", WORK_BARRIER, 4 * WARPS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_lines();
        lines[0].work[rows[i].work] = rows[i].from / 4;
        TELLS_BETWEEN(rows[i].rule, lines[1].work[rows[i].work], rows[i].from - rows[i].from / 4,
            rows[i].from - rows[i].from / 4 - 1);
        CHECK_INT(advice.line, 9); // the one that does most of it
        CHECK(change.tape.spared_pauses[MODEL_FENCE] == (rows[i].work == WORK_FENCE));
        CHECK(change.tape.spared_pauses[MODEL_HEAP] == (rows[i].work == WORK_HEAP));
        CHECK(change.tape.spared_pauses[MODEL_CONSTANT] == (rows[i].work == WORK_CONSTANT));
        CHECK(change.tape.spared_pauses[MODEL_CONSTANT_NEAR] == (rows[i].work == WORK_CONSTANT));
        CHECK(change.tape.spared[TAPE_DIVIDE] == (rows[i].work == WORK_DIVIDE ? 0.8 : 0));
        CHECK(change.tape.no_barriers == (rows[i].work == WORK_BARRIER));
        place("red.global.add.u32", 100, 100, 4)->buffer = "malloc"; // work is passed on; it is the heap's own
        CHECK(tells(rows[i].rule) == (rows[i].work != WORK_FENCE && rows[i].work != WORK_BARRIER));
        CHECK_INT(change.tape.pick_count, rows[i].work == WORK_HEAP);
    }
    begin_lines();
    lines[1].work[WORK_DIVIDE] = 2500;
    CHECK(tells("divisions") && strstr(advice.why, "25 % of"));
    lines[1].work[WORK_DIVIDE] = 12000;
    CHECK(tells("divisions") && strstr(advice.why, "100 % of"));
}

static void barriers_that_nothing_needs(void)
{
    begin_lines();
    lines[1].work[WORK_BARRIER] = 4 * WARPS;
    struct device_place *p = place("ld.shared.f32", 100, 0, 4);
    p->space = SPACE_OF_BLOCK;
    TELLS_BETWEEN("vain_barriers", places.shared_reads, 1, 0);
    CHECK_INT(change.tape.pick_count, 1);
    TELLS_BETWEEN("vain_barriers", places.shared_passed, 0, 1);
    p->space = SPACE_OF_DEVICE, p->is = ops_of(&read, arena, "ld.global.f32", 13), p->buffer = "a";
    place("st.global.f32", 100, 100, 4)->buffer = "a"; // read before all of them, written behind
    TELLS_BETWEEN("vain_barriers", p->requests, WARPS, WARPS * 102 / 100);
    p->requests = WARPS * 102 / 100;
    TELLS_BETWEEN("vain_barriers", items[1].buffer, "b", "a");
}

static bool told_of(const char *rule, const char *source)
{
    job.source = source;
    return tells(rule);
}

static void doubles_where_floats_are_meant(void)
{
    begin_lines();
    lines[0].line = 1, lines[0].work[WORK_DOUBLE] = 112, lines[0].work[WORK_NARROW] = 1;
    CHECK(told_of("doubles", "x = y * 0.5;\n") && change.tape.floats && change.tape.spared[TAPE_DOUBLE] == 0);
    CHECK_INT(advice.line, 1);
    CHECK(told_of("doubles", "x = y * 10.25;\n") && !told_of("doubles", "x = y * 10.25f;\n"));
    CHECK(!told_of("doubles", "x = y * 0.5f;\n") && !told_of("doubles", "x = y * 2;\n"));
    CHECK(!told_of("doubles", "x = a.5 + y1.5;\nx = y * 0.5;\n")); // another line's
    CHECK(!told_of("doubles", "#line 4\n\n#line 1\nx = y * 0.5;\n"));
    CHECK(told_of("doubles", "x = sin(y);\n") && change.tape.spared[TAPE_DOUBLE] == 0.5);
    CHECK(told_of("doubles", "x = 1.0 / y;\n") && change.tape.spared[TAPE_DOUBLE] == 0.5);
    CHECK(told_of("doubles", "x = 1.0; // y\n") && change.tape.spared[TAPE_DOUBLE] == 0);
    CHECK(told_of("doubles", "x = 1.0; /* y */\n") && change.tape.spared[TAPE_DOUBLE] == 0);
    CHECK(!told_of("doubles", "x = sinf(y);\n") && !told_of("doubles", "x = mysin(y);\n"));
    TELLS_BETWEEN("doubles", lines[1].work[WORK_NARROW], 6, 5); // 7 of them make a float of 112
    struct device_place *p = place("ld.global.f64", 100, 100, 8);
    CHECK(!tells("doubles")); // its data are doubles
    p->buffer = "__table";
    CHECK(told_of("doubles", "x = sin(y);\n"));
    CHECK_INT(change.tape.pick_count, 1);
    lines[0].work[WORK_NARROW] = lines[1].work[WORK_NARROW] = 0;
    CHECK(!tells("doubles"));
}

static void powers_that_products_do(void)
{
    begin_lines();
    lines[0].line = 1, lines[0].work[WORK_WHOLE] = 10;
    CHECK(told_of("powers", "x = powf(y, 2);\n") && fabs(change.tape.spared_work - (1050 - 30) / 1e4) < 1e-9);
    CHECK(advice.line == 1 && strstr(advice.why, "some 10 %"));
    static const char *const slow[] = {"x = powf(y, 1.5f);\n", "x = pow(y, -2.0f );\n", "x = powf(f(a, b), -8);\n"};
    for (size_t i = 0; i < 3; i++)
        CHECK(told_of("powers", slow[i]) && fabs(change.tape.spared_work - (1050 - 80) / 1e4) < 1e-9);
    static const char *const no[] = {"x = powf(y, 0.3f);\n", "x = powf(y, 8.5f);\n", "x = powf(y, n);\n",
        "x = powf(y, 2 * n);\n", "x = mypowf(y, 2);\n", "x = powf(y);\n", "x = power(y, 2);\n", "\nx = powf(y, 2);\n"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) CHECK(!told_of("powers", no[i]) || !printf("%s", no[i]));
    CHECK(told_of("powers", "x = powf(y, 2) * powf(z, 0.5f);\n")); // 3 and 8: on the average
    CHECK(fabs(change.tape.spared_work - (1050 - 55) / 1e4) < 1e-9);
}

static void the_same_memory_again(void)
{
    begin_lines();
    struct device_place *p = place("ld.global.f32", 100, 600, 4);
    places.block_sectors = 100, places.rounds = 4 * WARPS;
    TELLS_BETWEEN("reuse", p->sectors, 600, 599);
    CHECK(change.tape.pick_count == 1 && fabs(change.tape.spared_work - 150 / 1e4) < 1e-9);
    TELLS_BETWEEN("reuse", places.rounds, 4 * WARPS, 4 * WARPS - 1);
    TELLS_BETWEEN("reuse", p->sectors, 1600, 1601); // 400 would do: what lies beside in a sector is its own thread's
    place("ld.global.f32", 10, 2000, 4)->lanes = 640 * 32;
    CHECK(tells("reuse") && advice.line == 2 && change.tape.pick_count == 2);
    begin_lines();
    p = place("ld.volatile.global.f32", 100, 400, 4);
    TELLS_BETWEEN("read_again", p->span, 6400, 6401); // 12800 bytes
    TELLS_BETWEEN("read_again", p->lanes, 3200, 799);
    p->span = 1, p->lanes = 800;
    CHECK(tells("read_again") && change.tape.pick_count == 1);
    p->is = ops_of(&read, arena, "ld.global.f32", 13);
    CHECK(!tells("read_again"));
    begin_lines();
    p = place("st.global.f32", 100, 400, 4);
    p->line = 5, p->span = 3200;
    place("ld.global.f32", 100, 400, 4)->line = 5;
    TELLS_BETWEEN("rewritten", places.written_sectors, 100, 101);
    CHECK_INT(change.tape.pick_count, 2);
    CHECK(advice.line == 5 && strstr(advice.why, "each 4 times"));
    CHECK(fabs(change.tape.spared_work - 0.75 * 200 / 1e4) < 1e-9);
    items[1].buffer = "b", items[1].span = 3201; // read less often than that
    CHECK(tells("rewritten") && change.tape.pick_count == 1);
    items[1].span = 3200;
    CHECK(tells("rewritten") && change.tape.pick_count == 2);
    items[1].line = 6; // another line's
    CHECK(tells("rewritten") && change.tape.pick_count == 1);
}

static void a_launch_that_does_not_fill_the_device(void)
{
    begin_lines();
    job.grid[0] = 264; // a quarter of the warps that it holds
    struct device_place *p = place("ld.global.f32", 100, 400, 4);
    TELLS_BETWEEN("small_grid", places.rounds, 8 * 264 * 8 + 1, 8 * 264 * 8);
    CHECK(change.tape.spread);
    TELLS_BETWEEN("small_grid", p->lanes, 800, 799);
    places.rounds *= 2;
    TELLS_BETWEEN("small_grid", job.grid[0], 264, 265);
    TELLS_BETWEEN("small_grid", e.whole, true, false);

    begin_lines();
    p = place("ld.global.f32", 100, 400, 4);
    judge(LIMIT_LOADS, LIMIT_BARRIERS), e.judged.of[1].share = 0.3;
    TELLS_BETWEEN("in_flight", places.rounds, 2 * WARPS, 2 * WARPS - 1);
    CHECK(change.tape.together == 4 && change.tape.wider == 0);
    TELLS_BETWEEN("in_flight", e.judged.of[1].share, 0.3, 0.31);
    TELLS_BETWEEN("in_flight", e.judged.of[0].is, LIMIT_LAUNCH, LIMIT_DRAM);
    TELLS_BETWEEN("in_flight", job.grid[0], BLOCKS, BLOCKS - 1);
    TELLS_BETWEEN("in_flight", columns[COLUMN_OCCUPANCY_PCT], 51, 50);
    TELLS_BETWEEN("in_flight", p->lanes, 800, 799);
    places.rounds = WARPS;
    TELLS_BETWEEN("in_flight", p->bytes, 1, 4);
    CHECK(change.tape.wider == 4);

    for (uint32_t threads = 47; threads <= 160; threads++) {
        begin_lines();
        job.block[0] = threads;
        CHECK(tells("part_warps") == (threads % 32 != 0));
        if (threads == 48) {
            CHECK_TEXT(advice.test, "block=256");
            CHECK_INT(change.tape.resident, 42);
            CHECK(change.tape.part_warps && change.tape.block_starts == 1 - 48 / 256.0);
        } else if (threads == 129) {
            CHECK_TEXT(advice.test, "block=160");
            CHECK_INT(change.tape.resident, 0);
            CHECK(change.tape.block_starts == 1 - 129 / 160.0);
        } else if (threads == 127) CHECK_TEXT(advice.test, "block=256");
    }
    begin_lines();
    job.block[0] = 24, job.block[1] = 2;
    CHECK(tells("part_warps") && !advice.test && change.tape.block_starts == 1 - 48 / 64.0);
}

static void waiting_for_the_block(void)
{
    begin_lines();
    lines[1].work[WORK_BARRIER] = 1, places.rounds = WARPS;
    judge(LIMIT_BARRIERS, LIMIT_DRAM);
    TELLS_BETWEEN("barrier_waits", e.judged.of[0].share, 0.5, 0.49);
    CHECK(advice.line == 9 && change.tape.no_barriers);
    judge(LIMIT_DRAM, LIMIT_BARRIERS); // more than twice for each step of a tree, of which there are eight
    TELLS_BETWEEN("barrier_waits", lines[1].work[WORK_BARRIER], 16 * WARPS + 1, 16 * WARPS);
    judge(LIMIT_ISSUE, LIMIT_DRAM);               // a unit of each SM's own: who has a block more has it longer
    TELLS_BETWEEN("tail", job.grid[0], 377, 378); // 396 would be three on each
    CHECK(change.tape.no_tail && fabs(change.gain - 396 / 377.0) < 1e-9);
}

static void what_was_asked_for(void)
{
    struct job_buffer buffer = {.name = "a", .bytes = 64 << 20};
    begin_lines();
    e.constants.launch_us = 2, e.constants.event_us = 1, e.constants.graph_us = 0.5;
    TELLS_BETWEEN("launches", columns[COLUMN_TIME_US], 3.75, 3.76); // one that does nothing takes 3 us
    CHECK(!advice.test && isnan(change.gain));
    struct job_launch all[8];
    for (size_t i = 0; i < 8; i++) all[i] = job_launch(&job, 0);
    job.launches = all, job.launch_count = 8; // the events stand around all of them
    TELLS_BETWEEN("launches", columns[COLUMN_TIME_US], 8 * 4.25, 8 * 4.26);
    CHECK_TEXT(advice.test, "via=graph");
    CHECK(fabs(change.gain - 4.25 / (2.125 + 0.5)) < 1e-9);
    columns[COLUMN_TIME_US] = NAN, e.limits.us = 8 * 4;
    TELLS_BETWEEN("launches", job.launch_count, 8, 7); // of what was not measured, many alone
    job.settings[SETTING_VIA] = value_text("graph");
    CHECK(tells("launches") && !advice.test && isnan(change.gain));

    begin_lines();
    judge(LIMIT_DRAM, LIMIT_L2);
    columns[COLUMN_PEAK_GBPS] = 100, columns[COLUMN_TIME_US] = 10;
    TELLS_BETWEEN("ceiling", columns[COLUMN_GBPS], 78.1, 78);
    TELLS_BETWEEN("ceiling", columns[COLUMN_GBPS], 100, 100.1);
    CHECK(strstr(advice.why, "100 GB/s of 100: 100 %"));
    TELLS_BETWEEN("ceiling", columns[COLUMN_TIME_US], 10, 9.9);
    TELLS_BETWEEN("cache", columns[COLUMN_GBPS], 102.1, 102);
    CHECK(strstr(advice.mend, "each read once"));
    job.settings[SETTING_CACHE] = value_text("warm");
    CHECK(tells("cache") && strstr(advice.mend, "`cache: cold`"));

    begin_lines(); // each block does so little that starting it takes the time
    struct device_place *p = place("ld.global.f32", 100, 400, 4);
    job.grid[0] = 2 * BLOCKS, places.rounds = 2 * WARPS;
    TELLS_BETWEEN("ceiling", e.judged.of[0].is, (judge(LIMIT_LAUNCH, LIMIT_DRAM), LIMIT_LAUNCH), LIMIT_DRAM);
    CHECK(change.tape.together == 4 && change.tape.wider == 4);
    TELLS_BETWEEN("ceiling", job.grid[0], 2 * BLOCKS, 2 * BLOCKS - 1);
    TELLS_BETWEEN("ceiling", places.rounds, 2 * WARPS, 4 * WARPS);
    TELLS_BETWEEN("ceiling", p->lanes, 800, 799);
    TELLS_BETWEEN("ceiling", lines[0].work[WORK_BARRIER], 0, 1);
    p->bytes = 16;
    CHECK(tells("ceiling") && change.tape.wider == 2);
    p->requests = 4 * 2 * WARPS, p->lanes = 32 * p->requests; // a sum: four elements a thread
    TELLS_BETWEEN("ceiling", lines[0].work[WORK_BARRIER], 2 * WARPS, 2 * WARPS - 1);
    CHECK(change.tape.merge == 2 && change.tape.wider == 0);
    place("st.global.f32", 100, 400, 4);
    TELLS_BETWEEN("ceiling", items[1].lanes, p->lanes / 8, p->lanes / 8 + 1);
    TELLS_BETWEEN("ceiling", p->lanes, 32 * p->requests, 32 * p->requests + 32);
    TELLS_BETWEEN("ceiling", e.judged.of[0].is, LIMIT_DRAM, LIMIT_L1); // a unit of each SM's own

    begin_lines();
    job.buffers = &buffer, job.buffer_count = 1;
    e.constants.bus_bytes_us = 50e3, e.constants.dram_bytes_us = 4000e3;
    columns[COLUMN_GBPS] = 40, columns[COLUMN_TIME_US] = 100, columns[COLUMN_USEFUL_BYTES] = 1 << 20;
    TELLS_BETWEEN("bus", buffer.memory, "mapped", "device");
    CHECK_TEXT(advice.test, "memory.a=device");
    CHECK(change.gain == 100);
    buffer.memory = "device";
    job.settings[SETTING_TIMED] = value_text("copy_in");
    job.settings[SETTING_HOST] = value_text("pageable");
    TELLS_BETWEEN("bus", columns[COLUMN_GBPS], 40, 40.1);
    CHECK_TEXT(advice.test, "host=pinned");
    CHECK(change.gain == 1.25);
    TELLS_BETWEEN("bus", columns[COLUMN_USEFUL_BYTES], 1 << 20, (1 << 20) - 1);
    TELLS_BETWEEN("bus", columns[COLUMN_TIME_US], 100, (double)NAN);
    job.settings[SETTING_HOST] = value_text("pinned");
    CHECK(!tells("bus"));
    job.settings[SETTING_TIMED] = value_text("launch");
    TELLS_BETWEEN("managed", buffer.memory, "managed", "device");
    CHECK(change.gain == 100 && strstr(advice.why, "about 50 GB/s, memory 4000"));
    CHECK_TEXT(advice.test, "prefetch=true");
    columns[COLUMN_PAGE_FAULTS] = 3, columns[COLUMN_MIGRATED_BYTES] = 2e6;
    CHECK(tells("managed") && strstr(advice.why, "3 page faults and 2 MB"));
    static const char *const off[] = {"device", "warp_per_page"};
    for (size_t i = 0; i < 2; i++)
        TELLS_BETWEEN("managed", job.settings[SETTING_TOUCH], value_text("host"), value_text(off[i]));
    TELLS_BETWEEN("managed", job.settings[SETTING_PREFETCH], value_bool(false), value_bool(true));
    job.settings[SETTING_WINDOW_BUFFER] = value_text("b");
    job.settings[SETTING_PERSIST] = value_int(20 << 20);
    CHECK(!tells("window")); // of another buffer
    TELLS_BETWEEN("window", job.settings[SETTING_WINDOW_BUFFER], value_text("a"), value_text("none"));
    CHECK_TEXT(advice.test, "window.ratio=0.31"); // 20 of 64 MiB
    TELLS_BETWEEN("window", job.settings[SETTING_WINDOW_RATIO], value_real(0.344), value_real(0.343));
    TELLS_BETWEEN("window", job.settings[SETTING_PERSIST], value_int(20 << 20), value_int(0));
}

// Of a launch that is over before the device is full the ceiling is the launch, and its advice is more work.
static void a_small_launch_is_told_as_one(void)
{
    begin(1, 32);
    judge(LIMIT_LAUNCH, LIMIT_DRAM);
    e.whole = true;
    CHECK(findings_unit(&e, &advice, arena));
    CHECK_TEXT(advice.what, "the launch is small: the device starts and ends it longer than it works");
    CHECK_TEXT(advice.why, "1 block of 32 threads; launching takes 80 % of the time");
    const char *small = advice.what;
    e.whole = false; // it stands for a larger grid
    CHECK(findings_unit(&e, &advice, arena) && strcmp(advice.what, small) != 0);
    e.whole = true;
    judge(LIMIT_DRAM, LIMIT_LAUNCH);
    CHECK(findings_unit(&e, &advice, arena) && strcmp(advice.what, small) != 0);
    begin(1 << 20, 1024);
    judge(LIMIT_LAUNCH, LIMIT_DRAM);
    e.whole = true;
    CHECK(findings_unit(&e, &advice, arena) && strcmp(advice.what, small) != 0);
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
    counts_of_a_report();
    registers_in_memory();
    fewer_bytes_of_shared_memory_a_block();
    a_chain_is_told_where_few_warps_fill_the_gap();
    a_long_block_hardly_matters_among_many_rounds();
    lanes_that_wait();
    local_memory_is_of_a_sine_or_of_an_index();
    a_time_that_is_not_understood_is_no_ground();
    what_gains_most_stands_first();
    what_a_line_does_too_often();
    barriers_that_nothing_needs();
    doubles_where_floats_are_meant();
    powers_that_products_do();
    the_same_memory_again();
    a_launch_that_does_not_fill_the_device();
    waiting_for_the_block();
    a_small_launch_is_told_as_one();
    what_was_asked_for();
    arena_free(arena);
    return test_end();
}
