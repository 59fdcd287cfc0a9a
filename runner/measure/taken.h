// Every sample that was taken of a point, in the order of time, with the clock at that time. Those that do not count
// for its number are there too, with the reason. They are noted between samples, never while one runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

#include "base/str.h"

// X(enum suffix, its letter in a file, its name, what it says). Those without a letter make the number. The last two
// are in reports from before 22 November 2026 alone.
#define TAKEN_KINDS(X) \
    X(KEPT, "", "kept", "the number rests on it") \
    X(THROTTLED, "t", "throttled", "the clock was held down") \
    X(WARM_UP, "w", "warm-up", "the first runs take longer") \
    X(BATCH, "b", "trial", "it told how many runs a sample needs") \
    X(VERIFIED, "v", "verified", "its result was looked at, on poisoned outputs or other inputs") \
    X(BESIDE, "s", "single", "one run alone, beside which a verified one is held")

enum taken_kind {
#define X(id, ...) TAKEN_##id,
    TAKEN_KINDS(X)
#undef X
        TAKEN_KIND_COUNT
};
extern const char taken_letters[TAKEN_KIND_COUNT]; // '\0' for those that count
extern const char *const taken_names[], *const taken_about[];

struct taken {            // as it is in the pipe between the run and its worker: no gaps
    double us, clock_mhz; // of one run; NAN: the device does not tell
    uint32_t batch, place, kind, unused;
};
// The samples of such bytes; 0 where they are none: another process wrote them.
size_t taken_count(const struct str *);
const struct taken *taken_at(const struct str *, size_t i);
