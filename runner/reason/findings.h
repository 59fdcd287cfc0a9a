// What limits a point and what mends it, as data: one row of a table for each rule, at most three findings for a point,
// the one that promises most first. A finding is a difference of two replays: of what warps did as it was, and as it
// would be with the flaw mended. Printing is elsewhere.
// SPDX-License-Identifier: MIT
#pragma once
#include "reason/evidence.h"

enum { FINDINGS_TOLD = 3, CHANGE_PICKS = 2048 };

struct advice {                       // texts are of the arena that was given
    const char *rule;                 // "overfetch"
    int line;                         // of the kernel's file; 0: of no one line
    const char *what;                 // what limits, in a sentence without its end
    const char *why;                  // the counted evidence
    const char *mend;                 // what to change
    const char *test;                 // "stride=1", for -s, which shows it; NULL: only an edit can
    const char *word;                 // of the glossary, which says what it is and what shows it; NULL: none
    const char *untold;               // why the gain cannot be told; NULL: it can, or none is
    double gain;                      // so many times as fast, as expected; NAN: not known
    double least, most;               // the interval of the gain
    double own;                       // in the grid as it is, where that stands for larger ones; NAN: it does not
    const struct tape_change *change; // what the gain was found with; NULL: no replay
};
// What a rule changes in what was kept of the warps.
struct change {
    struct tape_change tape;
    struct tape_pick picks[CHANGE_PICKS];
    double gain; // of what no replay can tell (a graph, the bus); NAN: it is the replays' ratio
};
// So many instructions go: all but a twentieth, at the most.
void change_spare(struct change *, const struct evidence *, double instructions);
void change_pick(struct change *, const struct device_place *, unsigned mend);

enum finding_kind {
    OF_WORK,
    OF_MEMORY, // told only where a unit of the memory, or waiting for it, is the tallest or the second
    OF_POINT,  // of what was asked for: told without a gain too
};
struct finding_rule {
    const char *name, *about;
    enum finding_kind kind;
    const char *word;
    // True where it has something to say: fills in the texts and what is to be changed.
    bool (*find)(const struct evidence *, struct change *, struct advice *, struct arena *);
};
extern const struct finding_rule finding_rules[]; // ends with a NULL name

// How many; those of a point that has no numbers are none.
size_t findings_of(const struct evidence *, struct advice out[FINDINGS_TOLD], struct arena *);
// What limits a point of which no rule has anything to say. False: that is not known.
bool findings_unit(const struct evidence *, struct advice *, struct arena *);
extern const double findings_worth; // so many times as fast, or it is no finding
// Flaws that are there and cost next to nothing: "overfetch (line 24), occupancy"; empty: none.
void findings_idle(const struct evidence *, struct str *, struct arena *);

#define FINDING_RULES(X) \
    X(overfetch, OF_MEMORY, "coalescing", "sectors that hold mostly what nobody asked for") \
    X(misaligned, OF_MEMORY, "sector", "a warp's bytes begin inside a sector") \
    X(same_address, OF_WORK, "atomic", "atomics that meet at one place") \
    X(swap_loop, OF_MEMORY, "atomic", "threads that compare and swap until nobody was in between") \
    X(bank_conflicts, OF_MEMORY, "bank conflict", "lanes ask one bank of shared memory for different words") \
    X(local, OF_MEMORY, "spill", "an array of a thread lies in memory") \
    X(slow_math, OF_WORK, NULL, "a function of the math library takes its slow path") \
    X(spills, OF_POINT, "spill", "registers are kept in memory") \
    X(read_again, OF_MEMORY, NULL, "a thread reads again what it has just read, past L1") \
    X(rewritten, OF_MEMORY, NULL, "what could stay in a register is written over and over") \
    X(reuse, OF_MEMORY, NULL, "the threads of a block read the same from the cache, again and again") \
    X(divergence, OF_WORK, "divergence", "lanes wait while others of their warp run") \
    X(part_warps, OF_WORK, "warp", "warps that are not full") \
    X(uneven, OF_WORK, NULL, "a few blocks do most of the work") \
    X(constants, OF_WORK, NULL, "lanes of a warp read different words of constant memory") \
    X(doubles, OF_WORK, NULL, "floats are computed in double precision") \
    X(divisions, OF_WORK, NULL, "whole numbers are divided by what the compiler does not know") \
    X(powers, OF_WORK, NULL, "a simple power by a function that can do any") \
    X(vain_barriers, OF_WORK, "barrier", "barriers that nothing needs") \
    X(fences, OF_WORK, NULL, "fences of memory, again and again") \
    X(heap, OF_WORK, NULL, "threads take memory from the heap") \
    X(occupancy, OF_WORK, "occupancy", "few warps fit on an SM") \
    X(small_grid, OF_WORK, "sm", "few blocks go round and round while most SMs are idle") \
    X(in_flight, OF_MEMORY, "in-flight", "too few bytes are on their way at once") \
    X(chain, OF_WORK, "chain", "each warp waits for its own results, and few others fill the gap") \
    X(barrier_waits, OF_WORK, "barrier", "warps wait for each other at barriers") \
    X(tail, OF_WORK, "tail", "the last round of blocks leaves most SMs idle") \
    X(launches, OF_POINT, "graph", "the launches take longer than their work") \
    X(bus, OF_POINT, "pinned", "the host's bus carries it") \
    X(managed, OF_POINT, "managed", "pages of managed memory move while the kernel waits for them") \
    X(window, OF_POINT, "hit ratio", "the L2 window is larger than what is set aside for it") \
    X(cache, OF_POINT, "l2", "a cache was measured, not memory") \
    X(ceiling, OF_POINT, "roofline", "nothing that it does is known to be too much: what limits it")
#define X(name, kind, word, about) \
    bool rule_##name(const struct evidence *, struct change *, struct advice *, struct arena *);
FINDING_RULES(X)
#undef X
