// The columns that a row can have beyond the experiment's own values: one table, from which rows are written, described
// and checked in expressions. A number that is not known is NAN here and an empty cell in the file.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// What a column tells of a point.
enum column_group {
    COLUMNS_TIME,     // what was timed, and what follows from the time
    COLUMNS_MODEL,    // what the kernel file and the device say before anything runs
    COLUMNS_COMPILER, // what the compiler made of the kernel
    COLUMNS_ACCESS,   // how memory is accessed: counted by the simulator, and by hardware counters
    COLUMNS_HARDWARE, // counted by hardware counters only
    COLUMNS_EXPECTED, // neither measured nor counted: what a model of the device expects
    COLUMNS_GROUPS
};
enum column_better { BETTER_SMALLER, BETTER_LARGER, BETTER_NEITHER };
enum column_wrong { WRONG_KEPT, WRONG_EMPTY }; // what happens to the value when the result is wrong

// X(enum suffix, name, unit, digits after the point or -1 for as many as needed, group, better, when wrong, about)
// The order of the rows is the order of a new report's columns and nothing else: who needs a set of columns asks for a
// group. A new column is one row here, and what fills it.
#define COLUMNS(X) \
    X(TIME_US, "time_us", "us", 3, TIME, SMALLER, EMPTY, \
        "median time of one run of the work, its mean over contexts; empty where nothing was timed (sim reports no " \
        "times)") \
    X(TIME_LO_US, "time_lo_us", "us", 3, TIME, SMALLER, EMPTY, \
        "lower end of the 95 % confidence interval of time_us: over the contexts' values, or of one context's " \
        "samples") \
    X(TIME_HI_US, "time_hi_us", "us", 3, TIME, SMALLER, EMPTY, "upper end of the 95 % confidence interval of time_us") \
    X(CONTEXTS, "contexts", "", 0, TIME, NEITHER, EMPTY, \
        "contexts of the device that the point was sampled in; empty where one says all") \
    X(WITHIN_PCT, "within_pct", "%", 3, TIME, SMALLER, EMPTY, \
        "standard error of one context's value, as its samples tell it, in % of time_us") \
    X(BETWEEN_PCT, "between_pct", "%", 3, TIME, SMALLER, EMPTY, \
        "standard deviation of the contexts' values, in % of time_us: what each draws anew, and within_pct") \
    X(QUICK_US, "quick_us", "us", 3, TIME, SMALLER, EMPTY, \
        "where contexts, or places of the buffers, fall into two groups: the mean of the quicker ones; empty where " \
        "they are one") \
    X(SLOW_US, "slow_us", "us", 3, TIME, SMALLER, EMPTY, "of such groups, the mean of the slower ones") \
    X(SLOW_PCT, "slow_pct", "%", 0, TIME, SMALLER, EMPTY, "how many of them are slow") \
    X(SAMPLES, "samples", "", 0, TIME, NEITHER, EMPTY, "samples kept") \
    X(DISCARDED, "discarded", "", 0, TIME, NEITHER, EMPTY, \
        "samples thrown away because the clock was throttled while they ran") \
    X(CLOCK_MHZ, "clock_mhz", "MHz", 0, TIME, NEITHER, EMPTY, "median SM clock over the kept samples") \
    X(USEFUL_BYTES, "useful_bytes", "B", 0, MODEL, NEITHER, KEPT, \
        "bytes the algorithm needs: the kernel file's `useful`; of a timed copy, the bytes it moves") \
    X(GBPS, "gbps", "GB/s", 2, TIME, LARGER, EMPTY, "useful_bytes / time_us, in 1e9 bytes a second") \
    X(PEAK_GBPS, "peak_gbps", "GB/s", 1, MODEL, NEITHER, KEPT, \
        "the device memory's peak: memory clock x bus width x 2, or the setting `peak`") \
    X(GFLOPS, "gflops", "GFLOP/s", 2, TIME, LARGER, EMPTY, "the kernel file's `flops` / time_us") \
    X(REGS, "regs", "", 0, COMPILER, NEITHER, KEPT, "registers a thread, as compiled") \
    X(SPILL_BYTES, "spill_bytes", "B", 0, COMPILER, SMALLER, KEPT, \
        "bytes of registers spilled by the compiler, stores and loads; local counts of sim by PTX are a lower bound " \
        "then") \
    X(LOCAL_BYTES, "local_bytes", "B", 0, COMPILER, SMALLER, KEPT, "local memory (stack frame) a thread, as compiled") \
    X(SHARED_BYTES, "shared_bytes", "B", 0, COMPILER, NEITHER, KEPT, "shared memory a block, static and dynamic") \
    X(OCCUPANCY_PCT, "occupancy_pct", "%", 1, COMPILER, LARGER, KEPT, \
        "warps that can be resident on an SM, of the most it can hold") \
    X(LD_REQUESTS, "ld_requests", "", 0, ACCESS, SMALLER, EMPTY, \
        "global load instructions executed by warps with at least one active lane") \
    X(LD_SECTORS, "ld_sectors", "", 0, ACCESS, SMALLER, EMPTY, "32-byte sectors those loads touch") \
    X(ST_REQUESTS, "st_requests", "", 0, ACCESS, SMALLER, EMPTY, "global store instructions executed by warps") \
    X(ST_SECTORS, "st_sectors", "", 0, ACCESS, SMALLER, EMPTY, "32-byte sectors those stores touch") \
    X(SECTORS_PER_REQUEST, "sectors_per_request", "", 3, ACCESS, SMALLER, EMPTY, \
        "ld_sectors / ld_requests: 4 is a coalesced 4-byte read, 32 the worst") \
    X(ATOMIC_REQUESTS, "atomic_requests", "", 0, ACCESS, SMALLER, EMPTY, \
        "global atomic instructions executed by warps (ATOM and RED)") \
    X(ATOMIC_SECTORS, "atomic_sectors", "", 0, ACCESS, SMALLER, EMPTY, "sectors those atomics touch, round by round") \
    X(LOCAL_REQUESTS, "local_requests", "", 0, ACCESS, SMALLER, EMPTY, \
        "local-memory loads and stores (spills, dynamically indexed arrays), in 32-bit words") \
    X(LOCAL_SECTORS, "local_sectors", "", 0, ACCESS, SMALLER, EMPTY, "sectors of local memory traffic") \
    X(SPILLED_BYTES, "spilled_bytes", "B", 0, ACCESS, SMALLER, EMPTY, \
        "bytes that spilled registers move: of local_sectors those of spills, 32 each; empty where the two cannot be " \
        "told apart") \
    X(SHARED_REQUESTS, "shared_requests", "", 0, ACCESS, SMALLER, EMPTY, \
        "shared-memory loads, stores and atomics executed by warps, with ldmatrix and stmatrix") \
    X(SHARED_WAVEFRONTS, "shared_wavefronts", "", 0, ACCESS, SMALLER, EMPTY, \
        "passes through shared memory those take") \
    X(BANK_CONFLICTS, "bank_conflicts", "", 0, ACCESS, SMALLER, EMPTY, \
        "wavefronts beyond the fewest possible for each access's width") \
    X(SHARED_LD_WAVEFRONTS_PER_REQUEST, "shared_ld_wavefronts_per_request", "", 3, ACCESS, SMALLER, EMPTY, \
        "wavefronts a shared-memory load: 1 is free of conflicts") \
    X(SHARED_ST_WAVEFRONTS_PER_REQUEST, "shared_st_wavefronts_per_request", "", 3, ACCESS, SMALLER, EMPTY, \
        "wavefronts a shared-memory store") \
    X(LANES_PER_ACCESS, "lanes_per_access", "", 3, ACCESS, LARGER, EMPTY, "active lanes a memory instruction, of 32") \
    X(INSTRUCTIONS, "instructions", "", 0, ACCESS, SMALLER, EMPTY, \
        "instructions of the machine code, executed by warps") \
    X(LANE_INSTRUCTIONS, "lane_instructions", "", 0, ACCESS, SMALLER, EMPTY, "the same, by the lanes that were there") \
    X(PARTED_BRANCHES, "parted_branches", "", 0, ACCESS, SMALLER, EMPTY, "branches whose lanes went two ways") \
    X(ISSUED_ALU_PCT, "issued_alu_pct", "%", 1, ACCESS, NEITHER, EMPTY, \
        "of the instructions, those that the ALU does: whole numbers, bits, comparisons") \
    X(ISSUED_FMA_PCT, "issued_fma_pct", "%", 1, ACCESS, NEITHER, EMPTY, \
        "those of the FMA pipe: floats, and products of whole numbers") \
    X(ISSUED_FP64_PCT, "issued_fp64_pct", "%", 1, ACCESS, NEITHER, EMPTY, "those on doubles") \
    X(ISSUED_XU_PCT, "issued_xu_pct", "%", 1, ACCESS, NEITHER, EMPTY, \
        "those of the XU: roots, sines, powers, conversions") \
    X(ISSUED_LSU_PCT, "issued_lsu_pct", "%", 1, ACCESS, NEITHER, EMPTY, "those of the LSU: memory, shuffles") \
    X(ISSUED_TENSOR_PCT, "issued_tensor_pct", "%", 1, ACCESS, NEITHER, EMPTY, "those of the tensor cores") \
    X(ISSUED_UNIFORM_PCT, "issued_uniform_pct", "%", 1, ACCESS, NEITHER, EMPTY, \
        "those that are done once for a warp, in uniform registers") \
    X(COUNTS_WITHIN_PCT, "counts_within_pct", "%", 3, ACCESS, SMALLER, EMPTY, \
        "of counts that some blocks stand for (`sample`): half of the widest 99 % interval, in % of its count; 0: " \
        "all " \
        "are exact") \
    X(DRAM_READ_BYTES, "dram_read_bytes", "B", 0, HARDWARE, SMALLER, EMPTY, \
        "bytes read from device memory (hardware counters only)") \
    X(DRAM_WRITE_BYTES, "dram_write_bytes", "B", 0, HARDWARE, SMALLER, EMPTY, \
        "bytes written to device memory (hardware counters only)") \
    X(L2_READ_SECTORS, "l2_read_sectors", "", 0, HARDWARE, SMALLER, EMPTY, \
        "sectors read from L2 by the SMs (hardware counters only)") \
    X(L1_HIT_SECTORS, "l1_hit_sectors", "", 0, HARDWARE, LARGER, EMPTY, \
        "sectors of global loads that L1 had (hardware counters only)") \
    X(PAGE_FAULTS, "page_faults", "", 0, HARDWARE, SMALLER, EMPTY, \
        "groups of page faults of one launch in managed memory, as the driver tells them (hardware counters only)") \
    X(MIGRATED_BYTES, "migrated_bytes", "B", 0, HARDWARE, SMALLER, EMPTY, \
        "bytes of managed memory that the driver moved during one launch, to the GPU and back (hardware counters " \
        "only)") \
    X(MODEL_L1_HIT_SECTORS, "model_l1_hit_sectors", "", 0, EXPECTED, LARGER, EMPTY, \
        "expected, not measured: sectors of global loads that L1 has") \
    X(MODEL_L2_READ_SECTORS, "model_l2_read_sectors", "", 0, EXPECTED, SMALLER, EMPTY, \
        "expected, not measured: sectors that the SMs ask of L2") \
    X(MODEL_DRAM_READ_BYTES, "model_dram_read_bytes", "B", 0, EXPECTED, SMALLER, EMPTY, \
        "expected, not measured: bytes read from device memory") \
    X(MODEL_DRAM_WRITE_BYTES, "model_dram_write_bytes", "B", 0, EXPECTED, SMALLER, EMPTY, \
        "expected, not measured: bytes written to device memory while the kernel runs; what L2 still holds is not") \
    X(MODEL_US, "model_us", "us", 3, EXPECTED, SMALLER, EMPTY, \
        "expected, not measured: what time_us would be on the device that sim stands for (an H200), by a replay of " \
        "the kernel's accesses through a model of it; empty where it is not understood") \
    X(MODEL_LO_US, "model_lo_us", "us", 3, EXPECTED, SMALLER, EMPTY, \
        "lower end of the interval around model_us: nine of ten measured times lay inside, of launches like it") \
    X(MODEL_HI_US, "model_hi_us", "us", 3, EXPECTED, SMALLER, EMPTY, "upper end of the interval around model_us") \
    X(MODEL_LIMIT, "model_limit", "", 0, EXPECTED, NEITHER, EMPTY, \
        "what the model expects to limit the time: what would take longest by itself, as `explain` says it in more " \
        "words. A unit: dram, l2, l1, shared, issue, fp32, integer, fp64, special, atomic. What warps wait for: " \
        "load, " \
        "barrier, chain (their own results). Or launch (starting the kernel and its blocks), tail (SMs without one)") \
    X(BOUND_US, "bound_us", "us", 3, EXPECTED, SMALLER, EMPTY, \
        "the device's limits allow no shorter time: instructions to issue, bytes to fetch; not what to expect") \
    X(MEMORY_BYTES, "memory_bytes", "B", 0, MODEL, NEITHER, KEPT, "device memory the point's buffers take") \
    X(GPU, "gpu", "", 0, MODEL, NEITHER, KEPT, \
        "which of the GPUs that shared the run measured it, the number behind the colon of its spec")

enum column {
#define X(id, ...) COLUMN_##id,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};

struct column_facts {
    const char *name, *unit, *about;
    int digits;
    enum column_group group;
    enum column_better better;
    enum column_wrong wrong;
};
extern const struct column_facts column_table[COLUMN_COUNT];

// The last column of a report, for those who read and write rows; nobody else sees it.
#define COLUMN_CHECKSUM "checksum"
#define COLUMN_HOST "host" // before it, in a report that was merged from several hosts

// Text columns that stand around the numbers (experiment, point, key, device, kernel, status, reason, counts), with
// their meaning.
struct text_column {
    const char *name, *about;
};
extern const struct text_column column_texts[]; // ends with NULL name

int column_find(const char *name); // -1: no such column
// Of a number that stands for a word, that word; NULL: it is a number.
const char *column_word(int column, double);
bool column_counted(int column); // by the simulator or by hardware counters
// The column that a header's name shows, -1: none. `sim_ld_sectors` stands beside `ld_sectors` and shows the same.
int column_shown(const char *name, bool *sim);
bool column_has_sim(int column); // the simulator counts it: `counters: both` puts `sim_` and its name beside it
