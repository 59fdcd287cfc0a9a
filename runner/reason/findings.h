// What limits a point and what mends it, as data: one row of a table for each rule, at most three findings for a point,
// the one that promises most first, and none where there is nothing to say. Printing is elsewhere.
// SPDX-License-Identifier: MIT
#ifndef REASON_FINDINGS_H
#define REASON_FINDINGS_H
#include "reason/evidence.h"

enum { FINDINGS_TOLD = 3 };

struct advice {         // texts are of the arena that was given
    const char *rule;   // "overfetch"
    int line;           // of the kernel's file; 0: of no one line
    const char *what;   // what limits, in a sentence without its end
    const char *why;    // the counted evidence
    const char *mend;   // what to change
    const char *test;   // "stride=1", for -s, which shows it; NULL: only an edit can
    const char *untold; // why the gain cannot be told, which the rule found only to rank it; NULL: it can, or none is
    double gain;        // so many times as fast, as expected; NAN: not known
    bool counted;       // it stands on counts, not on a time
};
struct finding_rule {
    const char *name, *about;
    // True where it has something to say: fills in the texts, and what the point would take when mended in `mended`
    // (which begins as `now`). A rule that knows the gain itself sets it.
    bool (*find)(const struct evidence *, const struct bounds *now, struct bounds *mended, struct advice *,
        struct arena *);
};
extern const struct finding_rule finding_rules[]; // ends with a NULL name

// How many; those of a point that has no numbers are none.
size_t findings_of(const struct evidence *, struct advice out[FINDINGS_TOLD], struct arena *);

// The rules, by what they look at.
bool rule_overfetch(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_misaligned(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_atomics(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_swaps(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_banks(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_local(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_spills(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_divergence(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_partial(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_doubles(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_divisions(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_powers(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_constants(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_barriers(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_fences(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_heap(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_uneven(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_reuse(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_rewritten(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_occupancy(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_grid(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_in_flight(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_tail(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_launches(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_bus(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_window(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_cache(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
bool rule_ceiling(const struct evidence *, const struct bounds *, struct bounds *, struct advice *, struct arena *);
#endif
