// Chooses metrics for code, and makes columns of them.
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_metrics.h"

#include "spec/columns.h"

#include <math.h>

const char *const cuda_metrics[METRIC_COUNT] = {
#define X(id, name) name,
    METRICS(X)
#undef X
};

bool cuda_metrics_wanted(size_t m, int code)
{
    if (m >= METRIC_ATOM_REQUESTS && m <= METRIC_RED_SECTORS) return code & DOES_ATOMICS;
    if (m >= METRIC_LOCAL_LD_REQUESTS && m <= METRIC_LOCAL_ST_SECTORS) return code & USES_LOCAL;
    if (m >= METRIC_LD_TURNS && m <= METRIC_ATOM_CONFLICTS) return code & USES_SHARED;
    return m < METRIC_DRAM_READ || code & ASKS_BEYOND;
}

// Of instructions that older chips do not have.
static double present(double count) { return isnan(count) ? 0 : count; }

// The unit's turns less its conflicts are the fewest wavefronts possible: waiting is in both. Its turns also hold
// atomics on global memory.
static double conflicts(double wavefronts, double turns, double in_turns)
{
    return isnan(turns) ? NAN : fmax(0, wavefronts - (turns - in_turns));
}

void cuda_metrics_columns(const double values[METRIC_COUNT], int code, double *columns)
{
    double v[METRIC_COUNT];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        v[i] = i < METRIC_DRAM_READ && !cuda_metrics_wanted(i, code) ? 0 : values[i];
    columns[COLUMN_LD_REQUESTS] = v[METRIC_LD_REQUESTS];
    columns[COLUMN_LD_SECTORS] = v[METRIC_LD_SECTORS];
    columns[COLUMN_ST_REQUESTS] = v[METRIC_ST_REQUESTS];
    columns[COLUMN_ST_SECTORS] = v[METRIC_ST_SECTORS];
    columns[COLUMN_SECTORS_PER_REQUEST] =
        v[METRIC_LD_REQUESTS] > 0 ? v[METRIC_LD_SECTORS] / v[METRIC_LD_REQUESTS] : NAN;
    columns[COLUMN_ATOMIC_REQUESTS] = v[METRIC_ATOM_REQUESTS] + v[METRIC_RED_REQUESTS];
    columns[COLUMN_ATOMIC_SECTORS] = v[METRIC_ATOM_SECTORS] + v[METRIC_RED_SECTORS];
    columns[COLUMN_LOCAL_REQUESTS] = v[METRIC_LOCAL_LD_REQUESTS] + v[METRIC_LOCAL_ST_REQUESTS];
    columns[COLUMN_LOCAL_SECTORS] = v[METRIC_LOCAL_LD_SECTORS] + v[METRIC_LOCAL_ST_SECTORS];
    columns[COLUMN_SPILLED_BYTES] = code & USES_LOCAL ? NAN : 0; // or arrays of a thread
    const double asked_loads = v[METRIC_SHARED_LD] + present(v[METRIC_SHARED_LDSM]);
    const double asked_stores = v[METRIC_SHARED_ST] + present(v[METRIC_SHARED_STSM]);
    columns[COLUMN_SHARED_REQUESTS] = asked_loads + asked_stores + v[METRIC_SHARED_ATOM];
    const double loads = v[METRIC_LD_WAVEFRONTS] + present(v[METRIC_LDSM_WAVEFRONTS]);
    const double stores = v[METRIC_ST_WAVEFRONTS] + present(v[METRIC_STSM_WAVEFRONTS]);
    columns[COLUMN_SHARED_WAVEFRONTS] = loads + stores + v[METRIC_ATOM_WAVEFRONTS];
    columns[COLUMN_BANK_CONFLICTS] = conflicts(loads, v[METRIC_LD_TURNS], v[METRIC_LD_CONFLICTS]) +
        conflicts(stores, v[METRIC_ST_TURNS], v[METRIC_ST_CONFLICTS]) +
        conflicts(v[METRIC_ATOM_WAVEFRONTS], v[METRIC_ATOM_TURNS], v[METRIC_ATOM_CONFLICTS]);
    columns[COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST] = asked_loads > 0 ? loads / asked_loads : NAN;
    columns[COLUMN_SHARED_ST_WAVEFRONTS_PER_REQUEST] = asked_stores > 0 ? stores / asked_stores : NAN;
    columns[COLUMN_INSTRUCTIONS] = v[METRIC_INSTRUCTIONS];
    columns[COLUMN_LANE_INSTRUCTIONS] = v[METRIC_LANE_INSTRUCTIONS];
    columns[COLUMN_PARTED_BRANCHES] = v[METRIC_PARTED];
    static const enum column shares[] = {COLUMN_ISSUED_ALU_PCT, COLUMN_ISSUED_FMA_PCT, COLUMN_ISSUED_FP64_PCT,
        COLUMN_ISSUED_XU_PCT, COLUMN_ISSUED_LSU_PCT, COLUMN_ISSUED_TENSOR_PCT, COLUMN_ISSUED_UNIFORM_PCT};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        columns[shares[i]] = v[METRIC_INSTRUCTIONS] > 0 ? 100 * v[METRIC_ALU + i] / v[METRIC_INSTRUCTIONS] : NAN;
    columns[COLUMN_DRAM_READ_BYTES] = v[METRIC_DRAM_READ];
    columns[COLUMN_DRAM_WRITE_BYTES] = v[METRIC_DRAM_WRITE];
    columns[COLUMN_L2_READ_SECTORS] = v[METRIC_L2_READ];
    columns[COLUMN_L1_HIT_SECTORS] = v[METRIC_L1_HITS];
}
