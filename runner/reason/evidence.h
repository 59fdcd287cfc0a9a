// All that is known of one point, for those who explain it: what it was asked, its columns (of a row, or as the
// simulator counts them), the simulator's closer look, and the device that it was for.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"
#include "device/profiles.h"
#include "model/tape.h"
#include "plan/job.h"
#include "ptx/ops.h"

// How well a device is known. The model's constants are an H200's: one of which only the limits are known gets them at
// its own clock and bandwidth; of an unknown one no gain is told.
enum evidence_known { KNOWN_NOTHING, KNOWN_LIMITS, KNOWN_WELL };

struct evidence {
    const struct job *job;
    const double *columns;              // COLUMN_COUNT of them; NAN: not known
    const struct device_places *places; // NULL: the simulator was not asked, or could not tell
    const struct profile *device;       // what it runs on, or what stands in for it
    enum evidence_known known;          // that is
    bool grows;                         // its threads follow from sizes
    bool given;                         // its grid is a number that somebody chose, not one that follows from sizes
    struct model_constants constants;   // of the device; where `places` has a tape
    struct limits limits;               // the model's, of the grid as it is
    struct limits judged;               // what findings go by: of a grid that fills the device, where this one stands
                                        // for larger ones; else the same
    double replayed;                    // so many times the time of a replay is that of `limits`
    bool whole;                         // its grid is what is to be explained; else it stands for larger ones like it
};
bool evidence_timed(const struct evidence *);
uint64_t evidence_blocks(const struct evidence *);  // of all launches
double evidence_warps(const struct evidence *);     // of all launches
double evidence_resident(const struct evidence *);  // warps that an SM holds of it at once
double evidence_lanes(const struct evidence *);     // of a request of memory, on the average; 0: there is none
double evidence_rounds(const struct evidence *);    // of blocks, that follow each other on the device
uint32_t evidence_threads(const struct evidence *); // of a block of the first launch
// A row's device by its name ("NVIDIA H200"), a profile's ("sim:h200"), or by what its run file says of its limits
// ("sms 132, warps_per_sm 64, ..."; NULL: nothing). Plain `sim`, and what nothing is known of, are an H200, from which
// the simulator has its rules.
enum evidence_known evidence_device(const char *name, const char *limits, struct profile *out);

// It was run as a sample of larger grids, so that findings go by one of these.
bool evidence_stands(const struct evidence *);
// Replays the point as if `change` had been made; its time in microseconds. NAN: nothing was kept of it. `own`: with
// the grid as it is; else with the one that findings go by. `mended`: what limits it then.
double evidence_changed(const struct evidence *, const struct tape_change *, bool own, struct limits *mended);
// Does the one what the other does? It has as many useful bytes, lanes ask for as many bytes of global memory, and
// there are about as many instructions. A flaw may cost more instructions, but no mend leaves most of them out.
bool evidence_same_work(const struct evidence *, const struct evidence *);
// What compares and swaps takes, beyond what the model knows: others disturb it. In microseconds.
bool evidence_pages(const struct evidence *);        // of managed memory, which move while the kernel runs
uint32_t evidence_word(const struct device_place *); // bytes of one of its values
double evidence_swaps(const struct evidence *);
// So many times the model's time was measured, where that is outside of its interval; 1: it is inside; NAN: not known.
double evidence_parted(const struct evidence *);
// By what a GPU's counters say in a report: how much of what a unit can do in that time it did. The busiest first; how
// many.
enum { COUNTED_MOST = 4 };
struct counted_share {
    enum limit_unit is;
    double share;
};
int evidence_counted(const struct evidence *, struct counted_share of[COUNTED_MOST]);
// Both stacks of limits; where the point was not looked at, it says why.
void evidence_limits(struct evidence *);
