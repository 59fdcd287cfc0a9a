// The device for tests (`-d script:FILE`): it computes nothing and does what a text file says. It tests the
// measurement, the worker and the whole program where there is no GPU, and shows what a throttled, drifting or faulty
// GPU would do.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"

// The file has one statement a line; `#` begins a comment. `for NAME=VALUE` in front of a statement makes it hold only
// for points where that parameter or setting (or `kernel`) has that value. Later statements win over earlier ones.
//
//   name TEXT, identity TEXT, arch TEXT      what the device calls itself
//   untimed                                  it only counts, as sim does
//   peak GBPS, memory BYTES
//   time US                                  what one run of the work takes
//   cold US                                  the first run after a flush does, instead
//   drift F                                  each sample is that fraction of `time` longer than the one before
//   noise F [SEED]                           times vary by up to that fraction, evenly, the same every time
//   transient N F                            the first N samples take F times as long
//   draws US [SEED]                          each context adds so much, normally distributed, to all of its samples
//   places US [SEED]                         and each place in it so much
//   overhead US                              once a sample, whatever the batch
//   tick US                                  the timer's resolution: times are rounded down to it
//   cools S                                  throttled samples are so no more after so many seconds of rest
//   restores S                               putting back the state really takes so many seconds
//   clock MHZ, throttle A B                  samples A to B (from 1) are throttled, at half the clock
//   fact COLUMN VALUE, count COLUMN VALUE    what preparing and counting fill in (`count none`: it cannot count)
//   tells NAME VALUE                         one more of its facts (`gpuexp devices`): ecc_uncorrected 3
//   report I VALUE [F]                       the I-th value that the kernel reports, from 0; by up to F larger, in turn
//   later N FIRST OF                         what verifying a timed launch finds, where it is not `wrong`
//   takes N OF                               so many of so many spoiled elements its check takes
//   lies A B F                               samples A to B (from 1) take that share of the time, and are wrong
//   checks S                                 a look at a timed launch really takes so many seconds
//   unvaried                                 its inputs are always the same
//   changes I AT                             verifying finds that the kernel wrote to element AT (-1: not known which)
//                                            of buffer I, from 0
//   wrong N FIRST OF, unchecked              what verifying finds; else 1024 elements are right
//   unfit TEXT, skip TEXT                    the job is refused before, or while, it is prepared
//   warn TEXT                                preparing warns
//   fail CALL K TEXT                         the K-th such call of a point fails with that sentence
//   hang CALL K, crash CALL K, exit CALL K STATUS   it never returns, is a segmentation fault, ends the process
//   works CALL K S                           it takes so many seconds of work
//   interrupts CALL K C                      the K-th such call in context C, of whatever point, ends the run as Ctrl-C
//                                            does: at the same place at any load
//   print CALL K TEXT                        it prints a line, as a kernel's printf does
//   stains                                   a point makes its process unfit for points without this statement
//   broken                                   after a failure a new process is needed; else the same one goes on
//
// Every call appends a line with its name to the file that GPUEXP_FAKE_TRACE names in the environment: not the
// statements, which come with an experiment that others may have written.
//
// CALL is open, prepare, verify, renew, check, count, stir, move, rest, restore, flush, begin, submit, end,
// wait, reports, finish, or `any` of a point's calls.

#define FAKE_CALLS(X) \
    X(open) \
    X(prepare) \
    X(verify) \
    X(renew) \
    X(check) X(count) X(restore) X(flush) X(stir) X(move) X(rest) X(begin) X(submit) X(end) X(wait) X(reports) X(finish)
enum fake_call {
#define X(name) CALL_##name,
    FAKE_CALLS(X)
#undef X
        CALL_any
};
double fake_drawn(uint64_t seed);           // normally distributed, about 0
extern const char *const fake_call_names[]; // NULL-terminated, `any` last

enum fake_verb {
    FAKE_NAME,
    FAKE_IDENTITY,
    FAKE_ARCH,
    FAKE_UNTIMED,
    FAKE_PEAK,
    FAKE_MEMORY,
    FAKE_TIME,
    FAKE_COLD,
    FAKE_DRIFT,
    FAKE_NOISE,
    FAKE_TRANSIENT,
    FAKE_DRAWS,
    FAKE_PLACES,
    FAKE_OVERHEAD,
    FAKE_TICK,
    FAKE_CLOCK,
    FAKE_THROTTLE,
    FAKE_LIES,
    FAKE_COOLS,
    FAKE_RESTORES,
    FAKE_FACT,
    FAKE_COUNT,
    FAKE_TELLS,
    FAKE_REPORT,
    FAKE_CHANGES,
    FAKE_WRONG,
    FAKE_LATER,
    FAKE_CHECKS,
    FAKE_UNVARIED,
    FAKE_UNCHECKED,
    FAKE_TAKES,
    FAKE_UNFIT,
    FAKE_SKIP,
    FAKE_WARN,
    FAKE_FAIL,
    FAKE_HANG,
    FAKE_CRASH,
    FAKE_EXIT,
    FAKE_WORKS,
    FAKE_INTERRUPTS,
    FAKE_PRINT,
    FAKE_BROKEN,
    FAKE_STAINS
};

struct fake_line {            // one statement; what it does not have is zero
    const char *name, *value; // of `for NAME=VALUE`, or NULL
    enum fake_verb verb;
    enum fake_call call;
    int column;
    double numbers[3];
    int number_count;
    const char *text;
};
struct fake_statements {
    struct fake_line *lines;
    size_t count, room;
};

// Everything points into `a`. False after adding every complaint of the text.
bool fake_parse(const char *path, const char *text, struct arena *a, struct fake_statements *, struct diags *);
// Adds what `tells` says behind the `n` facts that are there; a later statement wins. How many there are then.
size_t fake_told(const struct fake_statements *, struct arena *, struct device_fact *facts, size_t n);
bool fake_holds(const struct fake_line *, const struct job *); // whether it is about this point
