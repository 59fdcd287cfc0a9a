// What limits a launch: how long each unit would take by itself, the tallest first. They work side by side, so that
// their shares of the time overlap and have no sum.
// SPDX-License-Identifier: MIT
#pragma once

// X(name, word, as, title): the word is of the glossary and of the column `model_limit`; a profile says of `as` how far
// off the model may be
#define LIMIT_UNITS(X) \
    X(DRAM, "dram", DRAM, "the memory") \
    X(L2, "l2", L2, "L2") \
    X(L1, "l1", L1, "L1") \
    X(SHARED, "shared", L1, "shared memory") \
    X(ISSUE, "issue", ISSUE, "issuing instructions") \
    X(FP32, "fp32", FP32, "the FP32 pipe") \
    X(INTEGER, "integer", FP32, "the integer pipe") \
    X(FP64, "fp64", FP32, "the FP64 pipe") \
    X(SPECIAL, "special", FP32, "the pipe for special functions") \
    X(LOADS, "load", LOADS, "waiting for loads") \
    X(BARRIERS, "barrier", BARRIERS, "waiting at barriers") \
    X(CHAIN, "chain", CHAIN, "waiting for its own results") \
    X(ATOMICS, "atomic", ATOMICS, "atomics at one place") \
    X(TAIL, "tail", LAUNCH, "SMs without a block") \
    X(LAUNCH, "launch", LAUNCH, "launching, and starting blocks") \
    X(BUS, "bus", DRAM, "the host's bus")

enum limit_unit {
#define X(name, word, as, title) LIMIT_##name,
    LIMIT_UNITS(X)
#undef X
        LIMITS_MOST
};
extern const char *const limit_words[LIMITS_MOST], *const limit_titles[LIMITS_MOST];
extern const enum limit_unit limit_as[LIMITS_MOST];

struct limit {
    const char *unit; // its word
    enum limit_unit is;
    double us, share; // by itself; of the whole time
};
struct limits {
    struct limit of[LIMITS_MOST]; // those that take any time
    int count;                    // 0: nothing is known
    double us, lo_us, hi_us;      // all together, with its interval
    const char *why;              // why nothing is known
};
void limits_sort(struct limits *);
struct model_result;
void limits_from(const struct model_result *, struct limits *);
// The share of one unit; 0: it has nothing to do.
double limits_share(const struct limits *, enum limit_unit);
