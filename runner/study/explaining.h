// One point explained: its findings, each with what a test of it gave. For a point that the simulator has run, and for
// a report's row.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/plan.h"
#include "reason/evidence.h"
#include "reason/findings.h"
#include "spec/kernel.h"
#include "study/study.h"

// Runs a point as it is and with one value changed, and says what that gained.

enum proof_results {
    RESULTS_UNSEEN, // nobody compared them
    RESULTS_SAME,   // bit for bit
    RESULTS_RIGHT,  // others, or not compared; each passes its own `check`
    RESULTS_OTHER
};
struct proof {
    enum proof_results results;
    double before_us, after_us; // of a device without times: what its counts stand for
    bool timed, kept;           // of a device with times; it stands in the report already
    char why[480];              // where it could not be found
};
// Counts the point with that value alone, within the study's bounds; the function is told what is known of it. False:
// it has no numbers.
typedef void proving_seen(void *context, const struct evidence *);
bool proving_look(const struct plan *, const struct value *values, const struct job *, const char *test, struct study *,
    const struct evidence *, proving_seen *, void *context);

struct explaining {
    const struct plan *plan;
    const struct value *values;
    const struct job *job;
    const struct kernel *kernel;
    const char *status;
    const struct why *why;
    const char *device,
        *limits; // its name, in words or as a simulator; what is said of it (see evidence_device) or NULL
    const double *columns;
    const struct device_places *places; // NULL: none
    struct study *trial;                // to try other values on; not the one that has `places`
    // The time of the report's row that differs from this one in that alone ("stride=1"); NAN: there is none. NULL: of
    // no report.
    double (*other_time)(void *rows, const char *test);
    void *rows;
    const char *prove;  // run what can be tested, on this device; NULL: do not
    const char *mended; // a file with the kernel as its user mended it, to be run beside it; NULL: none
    bool numbers;       // it has some
    bool whole;         // see struct evidence
};
// `room` is for the device and must live as long.
void explaining_evidence(const struct explaining *, struct evidence *, struct profile *room);
// Whoever tells of it hears of each finding as soon as it is tried: a test may take minutes.
struct explaining_teller {
    // What is found, before it is tried; false: none of it is asked for, and nothing more is told of this point.
    bool (*begin)(void *context, const struct explaining *, const struct evidence *, const struct advice *found,
        size_t count);
    void (*finding)(void *context, const struct explaining *, const struct evidence *, size_t number,
        const struct advice *, const struct proof *); // proof NULL: none was asked for, or nothing can test it
    // With the first of `findings`, and what the user's mended kernel gained; NULL: none was given.
    void (*end)(void *context, const struct explaining *, const struct evidence *, const struct advice *first,
        size_t findings, const struct proof *mended);
};
void explaining_each(const struct explaining *, const struct explaining_teller *, void *context);
