// The points of two reports side by side, the worst first: for `compare`.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "measure/verdict.h"
#include "store/pairs.h"
#include "study/judging.h"

// What differs between one point's rows in two reports, as text, and of which kind that is.

// The worst first.
enum kind { SLOWER, CHANGED, MISSING, UNSURE, FASTER, NEW, SAME, KINDS };

struct pair { // one point's row in each report
    const struct pairs_side *a, *b;
    const struct cells *old, *new;
    double threshold;
    bool counts; // some count is another: the whole rows are here (differing_counts)
};
// Its times and the rest, as text (NULL: they are not wanted yet), the ratio of the times, and their kind.
enum kind differing(const struct pair *, struct ratio *, struct str *times, struct str *rest);
bool differing_exact(int column); // a count that is the same in every run
const char *differing_text(const struct pairs_side *, const struct cells *, int column); // "" where there is none

// Measures the points of which two reports cannot tell whether they differ: both kernels anew, in turns, as `judge`
// does. For `compare --remeasure`.

struct remeasured {
    struct judging judging;
    struct arena *arena;
    const char **names, **points; // what tells points apart; those that are asked for
    size_t point_count, room;
    bool stopped; // by a signal, before all were measured
};

void remeasure_end(struct remeasured *);

struct compared {
    enum kind kind;
    struct ratio ratio;     // NAN where nothing was timed
    bool counts;            // some count is another: only then the whole row is read to be printed
    size_t again;           // it was unsure, and measured again: the number of its verdict, from 1
    size_t place, old, new; // among all; rows, SIZE_MAX: that file has none of it
    double axes[PAIRS_AXES];
    size_t gpus[2]; // names: of the GPUs that measured the old row and the new one
};
struct comparing_gpu { // the points of which this GPU measured the old row, and that one the new
    size_t gpus[2];    // names
    struct ratio mean;
    size_t count; // of those that have a ratio
};
struct comparison {
    struct pairs *all;
    struct compared *items;
    size_t count, counts[KINDS];
    struct judging_verdict *again; // of those that were measured again
    size_t again_count, again_room, fronts[2];
    double threshold;
    char **names; // of GPUs: "1", or "n7 1" in a report merged from several hosts; [0] is "", one alone measured all
    size_t name_count, name_room;
    struct lookup by_name;
};
void comparing_free(struct comparison *);
// False after diags: one is of a device with times, and one of a device that counts alone.
bool comparing_can(const struct pairs *, const char *old, const char *new, struct diags *);
bool comparing_all(struct comparison *, struct diags *);
// Measures again what is unsure (reports OLD and NEW), and judges by that. False after diags.
bool comparing_again(struct comparison *, struct remeasured *, const char *old, const char *new, const struct request *,
    const struct run_observer *, struct diags *);
struct ratio comparing_mean(const struct comparison *, size_t *count);
// By GPUs, where several shared a run: for the caller to free. `count` 0: one alone measured all.
struct comparing_gpu *comparing_gpus(const struct comparison *, size_t *count);
