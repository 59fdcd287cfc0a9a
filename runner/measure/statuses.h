// What came of a point: one word of each row.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// X(enum suffix, the word in a row, what it says)
#define STATUSES(X) \
    X(OK, "ok", "measured, or counted, and its result was verified") \
    X(IMPRECISE, "imprecise", "ok, but the precision was not reached within max_time or max_samples") \
    X(UNVERIFIED, "unverified", \
        "has numbers, but nothing says that its result was right: there is no `check`, or it takes too much") \
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
