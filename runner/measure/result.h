// What measuring one point gave: the status, the numbers by column, and the sentence that goes with them.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_RESULT_H
#define MEASURE_RESULT_H
#include "spec/columns.h"

// `unverified`: the kernel has no `check`: it has numbers, but nothing says that the result was right.
enum status {
    STATUS_OK,
    STATUS_IMPRECISE,
    STATUS_UNVERIFIED,
    STATUS_WRONG,
    STATUS_FAILED,
    STATUS_TIMEOUT,
    STATUS_SKIPPED,
    STATUS_COUNT
};
static inline bool status_has_numbers(enum status s) { return s <= STATUS_UNVERIFIED; }
extern const char *const status_names[]; // "ok", ... NULL-terminated

enum { RESULT_REPORTS = 16 };
struct result {
    enum status status;
    char reason[400];                 // empty when all is well
    double columns[COLUMN_COUNT];     // NAN: unknown
    double reports[RESULT_REPORTS];   // the kernel's own `reports`, median over samples
    char device[96];                  // which one did it: "NVIDIA H200", "sim:h200"
    char counts[16];                  // where the counts come from: "sim", "sampled", "hardware", "" for none
    double columns_sim[COLUMN_COUNT]; // of `counters: both`: the simulator's counts, beside the hardware's
    double busy_s, wall_s;            // the device's share of the time this point took
};
void result_init(struct result *); // failed, everything unknown
// A wrong result has no bandwidth: empties what its column says (column_table[].wrong).
void result_blank_metrics(struct result *);
#endif
