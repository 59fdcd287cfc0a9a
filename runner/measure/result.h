// What measuring one point gave: the status, the numbers by column, and the sentence that goes with them.
// SPDX-License-Identifier: MIT
#ifndef MEASURE_RESULT_H
#define MEASURE_RESULT_H
#include "measure/why.h"
#include "spec/columns.h"

#include <stdint.h>

// X(enum suffix, the word in a row, what it says)
#define STATUSES(X) \
    X(OK, "ok", "measured, or counted, and its result was verified") \
    X(IMPRECISE, "imprecise", "ok, but the precision was not reached within max_time or max_samples") \
    X(UNVERIFIED, "unverified", "has numbers, but the kernel has no `check`: nothing says that its result was right") \
    X(WRONG, "wrong", "the result was wrong: no numbers that rest on it") \
    X(RACY, "racy", "what it computes hangs on the order of its threads, which nothing in it settles") \
    X(FAILED, "failed", "could not be measured; `reason` says why; the same command tries again") \
    X(TIMEOUT, "timeout", "took longer than the setting `timeout`; the same command tries again") \
    X(SKIPPED, "skipped", "cannot run on this device or machine; `reason` says why")

enum status {
#define X(id, ...) STATUS_##id,
    STATUSES(X)
#undef X
        STATUS_COUNT
};
static inline bool status_has_numbers(enum status s) { return s <= STATUS_UNVERIFIED; }
// What makes a run end with exit status 1; a skipped point has no numbers either, but nothing went wrong there.
static inline bool status_is_bad(enum status s) { return s > STATUS_UNVERIFIED && s < STATUS_SKIPPED; }
size_t status_bad(const size_t counts[STATUS_COUNT]); // how many of so many rows by status
extern const char *const status_names[];              // "ok", ... NULL-terminated
enum status status_find(const char *word);            // as a row has it; STATUS_COUNT: no such status
extern const char *const status_about[];              // a sentence about each

enum { RESULT_REPORTS = 16 };
struct portion {              // what one context gave of a point (measure/contexts.h); NAN: nothing
    double time_us, error_us; // the median of its samples, and its standard error as they tell it
    double samples, discarded, clock_mhz;
    double rested_s; // behind throttled samples
    double reports[RESULT_REPORTS], report_errors[RESULT_REPORTS];
};
struct result {
    enum status status;
    struct why why;                   // nothing when all is well
    double columns[COLUMN_COUNT];     // NAN: unknown
    double reports[RESULT_REPORTS];   // the kernel's own `reports`, median over samples
    char device[96];                  // which one did it: "NVIDIA H200", "sim:h200"
    char counts[16];                  // where the counts come from: "sim", "sampled", "hardware", "" for none
    double columns_sim[COLUMN_COUNT]; // of `counters: both`: the simulator's counts, beside the hardware's
    double busy_s, wall_s;            // the device's share of the time this point took
    struct portion part;              // of the context it was measured in, where there are several
    double check_s, look_s;           // what verifying it took, and a look at a timed launch; 0: there was none
};
void result_init(struct result *); // failed, everything unknown
// A wrong result has no bandwidth: empties what its column says (column_table[].wrong).
void result_blank_metrics(struct result *);
#endif
