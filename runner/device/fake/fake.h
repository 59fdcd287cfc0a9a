// The scripted device's own header: a device that does what a text file says, for testing the measurement, the worker
// and the whole program where there is no GPU, and for trying what a throttled, drifting or faulty one would do: `-d
// script:FILE`.
// SPDX-License-Identifier: MIT
#ifndef DEVICE_SCRIPT_H
#define DEVICE_SCRIPT_H
#include "device/device.h"

// A script has one statement a line; `#` begins a comment. Each may stand behind `for NAME=VALUE`: it then holds only
// for points where that parameter or setting (or `kernel`) has that value. Later statements win over earlier ones.
//
//   name TEXT, identity TEXT, arch TEXT      what the device calls itself
//   untimed                                  it only counts, as sim does
//   peak GBPS, memory BYTES
//   time US                                  one run of the work takes so long
//   cold US                                  the first run after a flush does, instead
//   drift F                                  each sample is that fraction of `time` longer than the one before
//   noise F [SEED]                           times vary by up to that fraction, evenly, the same every time
//   transient N F                            the first N samples take F times as long
//   overhead US                              once a sample, whatever the batch
//   tick US                                  the timer's resolution: times are rounded down to it
//   clock MHZ, throttle A B                  samples A to B (from 1) are throttled, at half the clock
//   fact COLUMN VALUE, count COLUMN VALUE    what preparing and counting fill in (`count none`: it cannot count)
//   report I VALUE                           the I-th value that the kernel reports, from 0
//   wrong N FIRST OF, unchecked              what verifying finds; else 1024 elements are right
//   unfit TEXT, skip TEXT                    the job is refused before, or while, it is prepared
//   warn TEXT                                preparing warns
//   fail CALL K TEXT                         the K-th such call of a point fails with that sentence
//   hang CALL K, crash CALL K, exit CALL K STATUS   it never returns, is a segmentation fault, ends the process
//   print CALL K TEXT                        it prints a line, where a kernel's printf does
//   stains                                   a point leaves in its process what one without this statement may not meet
//   broken                                   after a failure the process must begin afresh; else it goes on
//   trace FILE                               every call appends a line with its name to that file
//
// CALL is open, prepare, verify, count, restore, flush, begin, submit, end, wait, reports, finish, or `any` of a
// point's calls.

#define SCRIPT_CALLS(X) \
    X(open) X(prepare) X(verify) X(count) X(restore) X(flush) X(begin) X(submit) X(end) X(wait) X(reports) X(finish)
enum script_call {
#define X(name) CALL_##name,
    SCRIPT_CALLS(X)
#undef X
        CALL_any
};
extern const char *const script_call_names[]; // NULL-terminated, `any` last

enum script_verb {
    SCRIPT_NAME,
    SCRIPT_IDENTITY,
    SCRIPT_ARCH,
    SCRIPT_UNTIMED,
    SCRIPT_PEAK,
    SCRIPT_MEMORY,
    SCRIPT_TIME,
    SCRIPT_COLD,
    SCRIPT_DRIFT,
    SCRIPT_NOISE,
    SCRIPT_TRANSIENT,
    SCRIPT_OVERHEAD,
    SCRIPT_TICK,
    SCRIPT_CLOCK,
    SCRIPT_THROTTLE,
    SCRIPT_FACT,
    SCRIPT_COUNT,
    SCRIPT_REPORT,
    SCRIPT_WRONG,
    SCRIPT_UNCHECKED,
    SCRIPT_UNFIT,
    SCRIPT_SKIP,
    SCRIPT_WARN,
    SCRIPT_FAIL,
    SCRIPT_HANG,
    SCRIPT_CRASH,
    SCRIPT_EXIT,
    SCRIPT_PRINT,
    SCRIPT_BROKEN,
    SCRIPT_STAINS,
    SCRIPT_TRACE
};

struct script_line {          // one statement; what it does not have is zero
    const char *name, *value; // of `for NAME=VALUE`, or NULL
    enum script_verb verb;
    enum script_call call;
    int column;
    double numbers[3];
    int number_count;
    const char *text;
};
struct fake_script {
    struct script_line *lines;
    size_t count, room;
};

// Everything points into `a`. False after adding every complaint of the text.
bool script_parse(const char *path, const char *text, struct arena *a, struct fake_script *, struct diags *);
#endif
