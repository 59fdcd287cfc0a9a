// What is counted on a GPU, by the names that CUPTI knows it by, and which of it code of one kind needs. Pure: no GPU
// and no CUPTI is asked.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// X(name here, metric). What a chip does not have stays unknown.
// - Sectors are L1's own (LSU): what instructions ask for (SASS) is another number for atomics at one place (2048 of
//   65536 on an H200) and for cp.async.
// - Accesses to shared memory and their wavefronts are those that instructions ask for. Code is put into the kernel for
//   that, 0.7 ms of the 33 to 41 that a point takes on an H200 (4 a launch, but 24 the last). What a process counts so
//   first it counts for good: a second choice comes back empty. So these are in every set. What the memory unit counts
//   (UNIT) has the turns too in which an access waits for other traffic, and varies from run to run; it alone counts
//   conflicts, for code that has shared memory.
#define LSU(what) "l1tex__t_" what ".sum"
#define SASS(what) "smsp__sass_" what ".sum"
#define SECTORS(what) LSU("sectors_pipe_lsu_mem_" what)
#define REQUESTS(what) LSU("requests_pipe_lsu_mem_" what)
#define WAVEFRONTS(op) SASS("l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" op)
#define UNIT(what) "l1tex__data_" what ".sum"
#define PIPE(what) "smsp__inst_executed_pipe_" what ".sum"
#define METRICS(X) \
    X(LD_REQUESTS, REQUESTS("global_op_ld")) \
    X(LD_SECTORS, SECTORS("global_op_ld")) \
    X(ST_REQUESTS, REQUESTS("global_op_st")) \
    X(ST_SECTORS, SECTORS("global_op_st")) \
    X(ATOM_REQUESTS, REQUESTS("global_op_atom")) \
    X(ATOM_SECTORS, SECTORS("global_op_atom")) \
    X(RED_REQUESTS, REQUESTS("global_op_red")) \
    X(RED_SECTORS, SECTORS("global_op_red")) \
    X(LOCAL_LD_REQUESTS, REQUESTS("local_op_ld")) \
    X(LOCAL_LD_SECTORS, SECTORS("local_op_ld")) \
    X(LOCAL_ST_REQUESTS, REQUESTS("local_op_st")) \
    X(LOCAL_ST_SECTORS, SECTORS("local_op_st")) \
    X(SHARED_LD, SASS("inst_executed_op_shared_ld")) \
    X(SHARED_ST, SASS("inst_executed_op_shared_st")) \
    X(SHARED_ATOM, SASS("inst_executed_op_shared_atom")) \
    X(SHARED_LDSM, SASS("inst_executed_op_ldsm")) \
    X(SHARED_STSM, SASS("inst_executed_op_shared_stsm")) \
    X(INSTRUCTIONS, "smsp__inst_executed.sum") \
    X(LANE_INSTRUCTIONS, "smsp__thread_inst_executed.sum") \
    X(PARTED, SASS("branch_targets_threads_divergent")) \
    X(LD_WAVEFRONTS, WAVEFRONTS("ld")) \
    X(LDSM_WAVEFRONTS, WAVEFRONTS("ldsm")) \
    X(ST_WAVEFRONTS, WAVEFRONTS("st")) \
    X(STSM_WAVEFRONTS, WAVEFRONTS("stsm")) \
    X(ATOM_WAVEFRONTS, WAVEFRONTS("atom")) \
    X(LD_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_ld")) \
    X(ST_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_st")) \
    X(ATOM_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_atom")) \
    X(LD_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_ld")) \
    X(ST_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_st")) \
    X(ATOM_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_atom")) \
    X(DRAM_READ, "dram__bytes_read.sum") \
    X(DRAM_WRITE, "dram__bytes_write.sum") \
    X(L2_READ, "lts__t_sectors_srcunit_tex_op_read.sum") \
    X(L1_HITS, SECTORS("global_op_ld_lookup_hit")) \
    X(ALU, PIPE("alu")) \
    X(FMA, PIPE("fma")) \
    X(FP64, PIPE("fp64")) \
    X(XU, PIPE("xu")) \
    X(LSU, PIPE("lsu")) \
    X(TENSOR, PIPE("tensor")) \
    X(UNIFORM, PIPE("uniform"))

enum metric {
#define X(id, name) METRIC_##id,
    METRICS(X)
#undef X
        METRIC_COUNT
};
extern const char *const cuda_metrics[METRIC_COUNT];

// What code does, and what of it is asked. What it cannot do is 0 without being counted.
enum {
    DOES_ATOMICS = 1,
    USES_LOCAL = 2,
    ASKS_BEYOND = 4, // L2 and memory
    USES_SHARED = 8,
    CODE_KINDS = 16
};
bool cuda_metrics_wanted(size_t metric, int code);
// The columns of what was counted of such code; NAN: unknown.
void cuda_metrics_columns(const double values[METRIC_COUNT], int code, double *columns);
