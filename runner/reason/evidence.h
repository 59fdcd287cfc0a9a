// All that is known of one point, for those who explain it: what it was asked, its columns (of a row, or as the
// simulator counts them), the simulator's closer look, and the device that it was for.
// SPDX-License-Identifier: MIT
#ifndef REASON_EVIDENCE_H
#define REASON_EVIDENCE_H
#include "device/device.h"
#include "device/profiles.h"
#include "plan/job.h"

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
    bool whole;                         // its grid is what is to be explained; else it stands for larger ones like it
};
bool evidence_timed(const struct evidence *);
uint64_t evidence_blocks(const struct evidence *);  // of all launches
double evidence_warps(const struct evidence *);     // of all launches
double evidence_resident(const struct evidence *);  // warps that an SM holds of it at once
uint32_t evidence_threads(const struct evidence *); // of a block of the first launch
// A row's device by its name ("NVIDIA H200"), a profile's ("sim:h200"), or by what its run file says of its limits
// ("sms 132, warps_per_sm 64, ..."; NULL: nothing). Plain `sim`, and what nothing is known of, are an H200, from which
// the simulator has its rules.
enum evidence_known evidence_device(const char *name, const char *limits, struct profile *out);

// How long each thing that a kernel can wait for would take by itself, in microseconds; 0: nothing of it. The constants
// are those of an H200 as the kept reports have them; of another device they follow its clock and bandwidth.
enum bound {
    BOUND_MEMORY,   // the bytes that must come from and go to the device's memory
    BOUND_L2,       // the sectors that L2 gives and takes
    BOUND_LATENCY,  // each round of warps waits for its loads
    BOUND_BLOCKS,   // blocks are started one after the other
    BOUND_LINES,    // what loads ask of L1: its lines, and the banks of its words
    BOUND_PARTIAL,  // stores of parts of sectors
    BOUND_SHARED,   // wavefronts of shared memory
    BOUND_LOCAL,    // local memory
    BOUND_ISSUE,    // instructions
    BOUND_LONGEST,  // the block with most of them
    BOUND_ATOMICS,  // atomics that wait for each other at one address
    BOUND_CONSTANT, // words of constant memory that one warp asks for
    BOUND_HEAP,     // malloc and free
    BOUND_BUS,      // bytes over the host's bus
    BOUND_COUNT
};
struct bounds {
    double us[BOUND_COUNT];
    double raw[BOUND_COUNT]; // as estimated, though it may be longer than the measured time
    double launches;         // what the launches themselves take, whatever they do
    double overlap;          // how well waiting is hidden by others' work: 1 not at all
    double sparse;           // so much longer the memory takes since what is read does not lie side by side
};
// A grid that stands for larger ones fills the SMs that it reaches.
void bounds_of(const struct evidence *, struct bounds *);
double bounds_pauses_us(const struct evidence *, enum device_work); // that warps wait at barriers, or fences
// What rounds of warps wait, if it were otherwise.
struct bounds_change {
    double spared;   // sectors of loads that are asked for now
    double resident; // warps that an SM holds; 0: as many as now
    double rounds;   // share of the rounds that are left; 0: all
};
double bounds_waiting_us(const struct evidence *, const struct bounds_change *);
double bounds_barriers_us(const struct evidence *, double each); // that many of each warp
double bounds_shared_us(const struct evidence *, double wavefronts);
double bounds_cycles(const struct device_place *); // of L1, for a load
double bounds_lines_us(const struct evidence *, const struct device_place *);
double bounds_partial_us(const struct evidence *,
    const struct device_place *);                                  // of L2, for a store of parts of sectors
double bounds_sectors_us(const struct evidence *, double sectors); // of L2
double bounds_overlap(const struct evidence *, double resident);   // 0: as if there were no barriers
double bounds_adds_us(const struct evidence *, const struct device_place *, double turns); // at its addresses
double bounds_memory_us(const struct evidence *, double bytes);
int bounds_words(const struct device_place *);        // different addresses of the warp that was looked at
double bounds_addresses(const struct device_place *); // that an atomic reaches, as if it reached all between
double bounds_longest(const struct evidence *);       // of the block with most instructions, by itself
extern const char *const bound_names[BOUND_COUNT];
double bounds_time(const struct bounds *);                   // all together
double bounds_others(const struct bounds *, enum bound but); // the longest but for one, and but for the longest block
// How much of that is due to what a mend takes away: 0 to 1.
double bounds_share(const struct bounds *now, const struct bounds *mended);
#endif
