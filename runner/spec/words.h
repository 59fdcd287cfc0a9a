// The words of experiment and kernel files: a table for each mapping that can stand in them. The readers check keys
// with these tables and take the words of a choice from them; `describe`, the schema, the manual and the completion are
// made from them. A new key is one row here, and what reads it.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "base/str.h"

enum { WRITTEN_TEXT = 1, WRITTEN_NUMBER = 2, WRITTEN_BOOL = 4, WRITTEN_NOTHING = 8 };

// What names of the user's may stand in a mapping.
enum writing_names { NAMES_ANY, NAMES_VALUES, NAMES_DEVICES }; // any; a parameter or setting; a kind of device

// How a value is written: any of the forms that are set.
struct writing {
    unsigned scalars;
    const struct choice *choices; // the texts that there are; with WRITTEN_TEXT others too
    const struct writing *list;   // a list of these
    int least, most;              // how many; most 0: any number
    const struct mapping *map;    // a mapping with these keys
    const struct writing *named;  // a mapping from names to these
    enum writing_names names;
};

struct word {
    const char *name;
    const struct writing *is;
    const char *takes, *fallback, *about;
    const char *example; // as it may stand behind the key, in a file that has nothing else to go with it
    bool needed;
};
struct mapping {
    const char *name;         // as `describe` lists it: "range"
    const char *of;           // in complaints: "a range"
    const struct word *words; // ends with a NULL name
};

extern const struct mapping words_experiment, words_measure, words_share, words_expectation, words_chart, words_found,
    words_derived, words_answer, words_range, words_script, words_kernel, words_parameter, words_buffer, words_fill,
    words_report, words_step, words_tensor, words_tolerance;
extern const struct mapping *const words_of_experiments[], *const words_of_kernels[]; // all of a file; NULL-terminated

extern const struct choice words_kinds[];                     // of a parameter, as enum param_kind
extern const struct choice words_chart_kinds[], words_logs[]; // of `chart`
extern const struct choice words_access[];                    // of a buffer, as enum access
extern const struct choice words_fills[];                     // of a buffer
extern const struct choice words_vary[];                      // of a buffer
extern const struct choice words_outside[];                   // of a tensor map

const struct word *words_find(const struct mapping *, const char *name); // NULL: no such key
enum { WORDS_MOST = 64 };
void words_names(const struct mapping *, const char *names[WORDS_MOST]); // NULL-terminated, for hints

// X(key of `measure`, how it is written, takes, default, about, unit, whole, least, most): spec/clauses.c reads them.
#define GOALS(X) \
    X(precision, share, "a share above 0 and below 1 (0.5%), or {of: a reported value, to: a share}", "0.5%", \
        "sampling goes on until half the width of the median's 95 % confidence interval is this share of the median", \
        UNIT_PERCENT, false, 1e-9, 0.999999999) \
    X(min_samples, number, "a whole number of at least 1", "30", "samples of a point at least", UNIT_NONE, true, 1, \
        INT_MAX) \
    X(max_samples, number, "a whole number of at least 1", "10000", "samples of a point at most", UNIT_NONE, true, 1, \
        INT_MAX) \
    X(max_time, number, "a time (2s; a bare number is seconds)", "2s", \
        "sampling a point takes this long at most: then it is `imprecise`", UNIT_SECONDS, false, 1e-9, 1e9) \
    X(min_sample, number, "a time (20us; a bare number is seconds)", "20us", \
        "shorter work is repeated within a sample until it is this long", UNIT_SECONDS, false, 0, 1e9) \
    X(warmup, number, "a whole number of at least 0", "1", "runs before the first sample", UNIT_NONE, true, 0, \
        INT_MAX) \
    X(contexts, number, "a whole number of 1 to 64", "8", \
        "contexts of a GPU in which a point is sampled, at least 3 for an interval; 1 is a quick look, whose " \
        "interval leaves out what the next context draws anew", \
        UNIT_NONE, true, 1, 64)
