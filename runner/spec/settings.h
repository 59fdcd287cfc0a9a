// Run settings: what an experiment can set beside its kernel's own parameters. Each setting is one row of a table; the
// rows check files and `-s`, print `describe` and tell what a device must be able to do.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "base/str.h"
#include "base/units.h"
#include "base/value.h"

enum setting_type {
    SETTING_INT,      // a whole number of at least 1, one of `choices` where there are any
    SETTING_FRACTION, // 0 to 1, or a percentage
    SETTING_BYTES,    // bytes; where `choices` has the word fraction also a share of a limit (a real)
    SETTING_TIME,     // seconds
    SETTING_DIM,      // a whole number or a list of up to three
    SETTING_CHOICE,   // one of `choices`
    SETTING_FLAGS,    // a choice, or a list of several
    SETTING_TEXT,     // a name (a buffer, a device)
    SETTING_BOOL
};

// X(enum, name, type, choices (a list in settings.c, or none), default as text ("" none), means nothing without
// hardware (a simulator skips it), about)
#define SETTINGS(X) \
    X(BLOCK, "block", DIM, no_choices, "256", false, "threads a block: a number, or [x, y, z]") \
    X(GRID, "grid", DIM, no_choices, "", false, \
        "blocks: a number, or [x, y, z]; default: the kernel's `threads` / block, rounded up") \
    X(MEMORY, "memory", CHOICE, memory_choices, "device", false, \
        "where the kernel's buffers live; one buffer: memory.in: mapped") \
    X(HOST, "host", CHOICE, host_choices, "pageable", false, "the host side of copies") \
    X(TIMED, "timed", CHOICE, timed_choices, "launch", false, "what is timed") \
    X(STREAMS, "streams", INT, no_choices, "1", false, \
        "streams that a round trip is spread over; or launches at once, each in a stream and on buffers of its own") \
    X(CHUNKS, "chunks", INT, no_choices, "1", false, "pieces a round trip is cut into") \
    X(TOUCH, "touch", CHOICE, touch_choices, "host", false, "managed memory: who touches it before every sample") \
    X(PREFETCH, "prefetch", BOOL, no_choices, "false", false, \
        "managed memory: prefetched to the device before every sample") \
    X(ADVISE, "advise", FLAGS, advise_choices, "none", false, "managed memory: advice given before every sample") \
    X(ALLOW_OVERSUBSCRIPTION, "allow_oversubscription", BOOL, no_choices, "false", false, \
        "managed memory beyond what the device has free") \
    X(WINDOW_RATIO, "window.ratio", FRACTION, no_choices, "1", true, \
        "L2 window: the share of its accesses that are hits") \
    X(WINDOW_HITS, "window.hits", CHOICE, window_hits_choices, "persisting", true, \
        "L2 window: how L2 keeps what the hits read") \
    X(WINDOW_MISSES, "window.misses", CHOICE, window_misses_choices, "streaming", true, \
        "L2 window: how L2 keeps what the others read") \
    X(WINDOW_BUFFER, "window.buffer", TEXT, no_choices, "none", true, "L2 window: the buffer it covers, or none") \
    X(WINDOW_BYTES, "window.bytes", BYTES, no_choices, "", true, \
        "L2 window: how many bytes it covers, from the buffer's start; default: all of it") \
    X(PERSIST, "persist", BYTES, persist_choices, "", true, \
        "L2 set-aside for persisting lines, bytes or a fraction of the most allowed") \
    X(FETCH, "fetch", INT, fetch_choices, "", true, "L2 fetch granularity in bytes: 32, 64 or 128") \
    X(TEXTURE_ADDRESS, "texture.address", CHOICE, texture_address_choices, "clamp", false, \
        "texture: what a coordinate outside reads") \
    X(TEXTURE_FILTER, "texture.filter", CHOICE, texture_filter_choices, "point", false, \
        "texture: the nearest element, or between them") \
    X(TEXTURE_NORMALIZED, "texture.normalized", BOOL, no_choices, "false", false, \
        "texture: coordinates from 0 to 1; wrap and mirror need it") \
    X(VIA, "via", CHOICE, via_choices, "stream", false, "how the launch and the L2 window are submitted") \
    X(CACHE, "cache", CHOICE, cache_choices, "cold", false, \
        "cold: L2 is flushed before every sample; warm: it is not") \
    X(SHARED, "shared", BYTES, no_choices, "0", false, "extra dynamic shared memory for each block: lowers occupancy") \
    X(MAXREGS, "maxregs", INT, no_choices, "", false, "the most registers a thread may use: raises occupancy") \
    X(DEVICE, "device", TEXT, no_choices, "auto", false, \
        "what measures or counts; `gpuexp describe devices` lists them") \
    X(COUNTERS, "counters", CHOICE, counters_choices, "auto", false, \
        "where counts come from; auto: on a GPU only what the file asks for") \
    X(CHECK, "check", CHOICE, check_choices, "auto", false, \
        "sim: in which blocks of a launch races, and reads of what nothing has written, are looked for") \
    X(SCHEDULE, "schedule", INT, no_choices, "", false, \
        "sim: a seed; blocks and warps run in an order drawn from it too: a result that changes is racy") \
    X(SAMPLE, "sample", INT, no_choices, "", false, \
        "sim: about so many blocks of a launch run and stand for all: counts have an interval, results are not " \
        "verified") \
    X(PEAK, "peak", BYTES, no_choices, "", false, \
        "memory peak to use for peak_gbps, in bytes a second (4.8TB), instead of the device's own") \
    X(TIMEOUT, "timeout", TIME, no_choices, "60s", false, \
        "the longest one point may take before its worker is ended; when it is stopped, or waits for a processor, " \
        "does not count") \
    X(CARVEOUT, "carveout", FRACTION, no_choices, "", false, \
        "share of an SM's on-chip memory preferred as shared memory, the rest is L1: 0 to 1, or a percentage") \
    X(CLUSTER, "cluster", DIM, no_choices, "", false, "blocks of a cluster: a number, or [x, y, z]") \
    X(COOPERATIVE, "cooperative", BOOL, no_choices, "false", false, \
        "all blocks run at once, so that they may wait for each other") \
    X(COMPILER, "compiler", CHOICE, compiler_choices, "", false, \
        "what compiles the kernel; default: NVRTC, nvcc where that does not take it, clang without a Toolkit") \
    X(OPTIONS, "options", FLAGS, options_choices, "none", false, "options of the compiler, as nvcc has them") \
    X(MODEL, "model", CHOICE, model_choices, "time", false, \
        "sim: what is expected of the device that it stands for, beside what is counted (model_ columns)")

enum setting {
#define X(id, ...) SETTING_##id,
    SETTINGS(X)
#undef X
        SETTING_COUNT
};

struct setting_facts {
    const char *name;
    enum setting_type type;
    const struct choice *choices; // empty: none
    const char *fallback, *about;
    bool needs_cuda;
};
extern const struct setting_facts setting_table[SETTING_COUNT];

int setting_named(const char *name);        // -1: no setting has this name
int setting_find(const char *name);         // the same, but "memory.in", which stands for one buffer, finds memory
bool setting_has_parts(const char *name);   // "window": window.buffer, window.ratio, ...
struct value setting_default(enum setting); // VALUE_NONE where there is none
// Checks and converts one written value (already number, text or list). False: `why` says what it takes.
bool setting_check(enum setting, struct value *, enum unit, char why[200]);
// Whether a backend takes this text as a device; `forms` gets what they take. It stands in device/find.c,
// because only the backends know.
bool setting_is_device(const char *text, char forms[160]);
// Whether `word` is a kind of device; `kinds` becomes the list of those there are.
bool setting_is_kind(const char *word, char kinds[96]);
// The kind of device that a spec means here; for `auto` that is found out, by a process of its own. NULL: none, or that
// failed.
const char *setting_device_kind(const char *spec);
