// What measuring one point gave: the status, the numbers by column, and the sentence that goes with them.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/statuses.h"
#include "measure/why.h"

// There is room for more columns than there are: so only who names one is compiled again when another comes.
enum { RESULT_COLUMNS = 96, RESULT_REPORTS = 16, RESULT_PLACES = 3 };
struct portion {              // what one context gave of a point (measure/contexts.h); NAN: nothing
    double time_us, error_us; // the median of its samples, and its standard error as they tell it
    double samples, discarded, clock_mhz;
    double rested_s;                // behind throttled samples
    double place_us[RESULT_PLACES]; // the median in each place of its buffers; NAN: there was none
    double reports[RESULT_REPORTS], report_errors[RESULT_REPORTS];
};
struct result {
    enum status status;
    struct why why;                     // nothing when all is well
    double columns[RESULT_COLUMNS];     // by enum column (spec/columns.h); NAN: unknown
    double reports[RESULT_REPORTS];     // the kernel's own `reports`, median over samples
    char device[96];                    // which one did it: "NVIDIA H200", "sim:h200"
    char counts[16];                    // where the counts come from: "sass", "ptx", "sampled", "hardware", "" for none
    double columns_sim[RESULT_COLUMNS]; // of `counters: both`: the simulator's counts, beside the hardware's
    double busy_s, wall_s;              // the device's share of the time this point took
    struct portion part;                // of the context it was measured in, where there are several
    double check_s, look_s;             // what verifying it took, and a look at a timed launch; 0: there was none
    double looked_us;                   // what the quickest launch took that was looked at
};
void result_init(struct result *); // failed, everything unknown
// A wrong result has no bandwidth: empties what its column says (column_table[].wrong).
void result_blank_metrics(struct result *);
