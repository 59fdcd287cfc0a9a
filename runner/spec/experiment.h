// An experiment as its file states it, checked and typed, not yet planned. One YAML document is one experiment. The
// experiments of a file share one arena; each kernel has its own. experiments_free frees all of them.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/kernel.h"
#include "spec/settings.h"

struct assignment { // one `name: value`
    const char *name;
    struct value value;
    struct where at;
};
struct assignments {
    const struct assignment *items;
    size_t count;
    struct where at;
};

struct axis {
    const char *name;
    const struct value *values;
    size_t count;
    struct where at;
};
struct axes { // axes that move in step: one axis for a plain sweep, several of equal length for `together`
    const struct axis *items;
    size_t count;
};

struct named_expr {                  // `NAME: EXPRESSION`, or `NAME: {is: EXPRESSION, unit: GB/s, about: TEXT}`
    const char *name, *unit, *about; // NULL: none is told
    struct source_expr expr;
};
struct expectation {
    struct source_expr when, that; // when.text NULL: every row
    const char *const *over;       // axes, NULL-terminated; rows that differ in these alone are one; NULL: each row
};

enum { COUNTS_ACCESS = 1, COUNTS_HARDWARE = 2 }; // columns of that group (spec/columns.h)
enum { CONTEXTS_MOST = 64 };
struct goals {        // `measure:`; its keys are in spec/words.h
    double precision; // half width of the interval / median
    int of;           // of which: 1 is the first value that the kernel reports; 0: the time
    int min_samples;
    int max_samples;
    double max_time;   // seconds of sampling a point
    double min_sample; // seconds: shorter work is batched to this
    int warmup;        // runs before the first sample
    int contexts;      // of the device in which a point is sampled
};

struct traits;
struct traits_list { // what was asked of devices (spec/traits.h)
    struct traits *is;
    struct traits_list *next;
};

// What a run found before: on which device, when, by which command, in which report. `says` NULL: nothing is told.
struct found_before {
    const char *device, *driver, *date, *by, *report, *says;
};
// "On NVIDIA H200, 2026-11-22: ...", with its first sentence or all; NULL where there is nothing; the caller frees it.
char *found_before_text(const struct found_before *, bool whole);

// How a chart is wanted: `chart:` of an experiment, or options of the command line. NULL: what fits. `y` may name
// several columns, separated by commas; `against` is an expression that holds for the rows that others are held
// against.
struct chart_wish {
    const char *x, *y, *by, *panels, *log, *kind, *against;
};
// What is wished under a key of `chart` (words_chart has them); NULL: there is no such key.
const char **chart_wish_at(struct chart_wish *, const char *key);

// A sentence that answers the question, with numbers of the report in it: `{time_us[stride == 32]}` (page/answer.h). It
// is told where `when` holds.
struct reply {
    struct source_expr when, says; // when.text NULL: always
};

struct experiment {
    const char *name, *theme, *question, *file;
    struct found_before found;
    const struct reply *answers; // the first that can be told is
    size_t answer_count;
    struct chart_wish chart;
    bool draws;             // there is a `chart`
    const char *for_device; // what `for` changed for the device that is asked for, as a sentence; NULL: nothing
    struct kernel *kernel;  // the first of them
    // Several where the axis `kernel` names them: they have the same parameters and reports. A value of the axis is the
    // kernel's name.
    struct kernel **kernels;
    size_t kernel_count;
    struct assignments with;
    const struct axes *sweep;
    size_t sweep_count;
    const struct source_expr *where; // `where:` may be one expression or a list: all must hold
    size_t where_count;
    const struct assignments *include, *exclude;
    size_t include_count, exclude_count;
    struct goals goals;
    const struct named_expr *derive;
    size_t derive_count;
    const struct expectation *expect;
    size_t expect_count;
    int counts;         // what its expressions and its script ask of what is counted: COUNTS_ACCESS and so on added up
    const char *script; // path, or NULL
    struct where script_at;
    // -s script.NAME=value, `script: {file: x.lua, NAME: value}` or `with: {script.NAME: value}`; names without the
    // `script.`. The script checks them.
    struct assignments script_options;
    const char *const *keep_together; // axes; NULL-terminated, or NULL
    // Every name to which the file gives a value (with, sweep, together, include), in order: columns of each row.
    const char *const *names;
    size_t name_count;
    struct traits_list **traits; // of the devices that were asked
    struct arena *arena;
};

// The kernel with that name; the only one for NULL.
const struct kernel *experiment_kernel(const struct experiment *, const char *name);
// Does the file let this name vary: is it an axis, or set by an included point?
bool experiment_is_axis(const struct experiment *, const char *name);
// It belongs to a catalogue, and its file does not say what was found: `list` and a book of reports tell of it.
static inline bool experiment_unmeasured(const struct experiment *e) { return e->theme && !e->found.says; }

struct experiments {
    struct experiment **items;
    size_t count;
};

// One `-s key=value` of the command line. `n=1Mi` sets a parameter or setting; a list ([1, 2]) or range makes it an
// axis, in place of the one there was, also inside `together`. A top-level key replaces that (where=..., kernel=...,
// include=[{...}]), and with.n, sweep.n, measure.precision, derive.x, script.budget one entry of it.
struct override {
    const char *text;
};

// Reads and checks a file with every document in it; overrides are applied before checking. All complaints of the file
// are added at once, and then nothing is added to `experiments`; otherwise its documents are
// added after those that are there.
bool experiments_load(const char *path, const struct override *, size_t override_count, struct experiments *,
    struct diags *);
bool experiments_parse(const char *path, const char *text, size_t size, const struct override *, size_t override_count,
    struct experiments *, struct diags *);
// The same, of a text whose files may be gone: what can be read of its documents, and no complaint.
void experiments_glance(const char *path, const char *text, size_t size, struct experiments *);
void experiments_free(struct experiments *);

// clauses.c: what of an experiment asks for counted columns, which `counters: auto` counts on a GPU: COUNTS_ACCESS and
// COUNTS_HARDWARE added up, by `derive` and `expect`; by a script.
struct sandbox;
struct script;
