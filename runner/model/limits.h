// What limits a launch: how long each unit would take by itself, the tallest first. They work side by side, so that
// their shares of the time overlap and have no sum.
// SPDX-License-Identifier: MIT
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H

// X(name, word, title): the word is of the glossary
#define LIMIT_UNITS(X) \
    X(DRAM, "dram", "the memory") \
    X(L2, "l2", "L2") \
    X(L1, "l1", "L1") \
    X(SHARED, "shared", "shared memory") \
    X(ISSUE, "issue", "issuing instructions") \
    X(FP32, "fp32", "the FP32 pipe") \
    X(INTEGER, "integer", "the integer pipe") \
    X(FP64, "fp64", "the FP64 pipe") \
    X(SPECIAL, "special", "the pipe for special functions") \
    X(LOADS, "load", "waiting for loads") \
    X(BARRIERS, "barrier", "waiting at barriers") \
    X(CHAIN, "chain", "waiting for its own results") \
    X(ATOMICS, "atomic", "atomics at one place") \
    X(TAIL, "tail", "SMs without a block") \
    X(LAUNCH, "launch", "launching, and starting blocks") \
    X(BUS, "bus", "the host's bus")

enum limit_unit {
#define X(name, word, title) LIMIT_##name,
    LIMIT_UNITS(X)
#undef X
        LIMITS_MOST
};
extern const char *const limit_words[LIMITS_MOST], *const limit_titles[LIMITS_MOST];

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
// The share of one unit; 0: it has nothing to do.
double limits_share(const struct limits *, enum limit_unit);
#endif
