// Run settings: what an experiment can set beside its kernel's own parameters. Each setting is one row of a table; the
// rows check files and `-s`, print `describe` and tell what a device must be able to do.
// SPDX-License-Identifier: MIT
#ifndef SPEC_SETTINGS_H
#define SPEC_SETTINGS_H
#include <stdbool.h>

#include "base/units.h"
#include "base/value.h"

enum setting_type {
    SETTING_INT,      // a whole number of at least 1, or one of `choices`
    SETTING_FRACTION, // 0 to 1, or a percentage
    SETTING_BYTES,    // bytes; where `choices` says fraction also a share of a limit (a real)
    SETTING_TIME,     // seconds
    SETTING_DIM,      // a whole number or a list of up to three
    SETTING_CHOICE,   // one of `choices` (space separated)
    SETTING_FLAGS,    // a choice, or a list of several
    SETTING_TEXT,     // a name (a buffer, a device)
    SETTING_BOOL
};

// X(enum, name, type, choices, default as text ("" none), means nothing without hardware (a simulator skips it), about)
#define SETTINGS(X) \
    X(BLOCK, "block", DIM, "", "256", false, "threads a block: a number, or [x, y, z]") \
    X(GRID, "grid", DIM, "", "", false, \
        "blocks: a number, or [x, y, z]; default: the kernel's `threads` / block, rounded up") \
    X(MEMORY, "memory", CHOICE, "device managed mapped pool pitched constant symbol texture", "device", false, \
        "where the kernel's buffers live; one buffer: memory.in: mapped") \
    X(HOST, "host", CHOICE, "pageable pinned write_combined registered portable", "pageable", false, \
        "the host side of copies") \
    X(TIMED, "timed", CHOICE, "launch upload download roundtrip prefetch_host", "launch", false, "what is timed") \
    X(STREAMS, "streams", INT, "", "1", false, \
        "streams that a round trip is spread over; or launches at once, each in a stream and on buffers of its own") \
    X(CHUNKS, "chunks", INT, "", "1", false, "pieces a round trip is cut into") \
    X(TOUCH, "touch", CHOICE, "host device warp_per_page", "host", false, \
        "managed memory: who touches it before every sample") \
    X(PREFETCH, "prefetch", BOOL, "", "false", false, "managed memory: prefetched to the device before every sample") \
    X(ADVISE, "advise", FLAGS, "none read_mostly preferred_location accessed_by", "none", false, \
        "managed memory: advice given before every sample") \
    X(ALLOW_OVERSUBSCRIPTION, "allow_oversubscription", BOOL, "", "false", false, \
        "managed memory beyond what the device has free") \
    X(HIT_RATIO, "hitRatio", FRACTION, "", "1", true, "L2 window: share of its accesses that get hitProp") \
    X(HIT_PROP, "hitProp", CHOICE, "normal streaming persisting", "persisting", true, "L2 window: what the hits are") \
    X(MISS_PROP, "missProp", CHOICE, "normal streaming", "streaming", true, "L2 window: what the others are") \
    X(WINDOW, "window", TEXT, "", "none", true, "L2 window: the buffer it covers, or none") \
    X(NUM_BYTES, "numBytes", BYTES, "", "", true, \
        "L2 window: how many bytes it covers, from the buffer's start; default: all of it") \
    X(PERSIST, "persist", BYTES, "fraction", "", true, \
        "L2 set-aside for persisting lines, bytes or a fraction of the most allowed") \
    X(FETCH, "fetch", INT, "32 64 128", "", true, "L2 fetch granularity in bytes: 32, 64 or 128") \
    X(ADDRESS_MODE, "addressMode", CHOICE, "clamp border wrap mirror", "clamp", false, \
        "texture: what a coordinate outside reads") \
    X(FILTER_MODE, "filterMode", CHOICE, "point linear", "point", false, \
        "texture: the nearest element, or between them") \
    X(NORMALIZED_COORDS, "normalizedCoords", BOOL, "", "false", false, \
        "texture: coordinates from 0 to 1; wrap and mirror need it") \
    X(VIA, "via", CHOICE, "stream graph", "stream", false, "how the launch and the L2 window are submitted") \
    X(CACHE, "cache", CHOICE, "cold warm", "cold", false, "cold: L2 is flushed before every sample; warm: it is not") \
    X(SHARED, "shared", BYTES, "", "0", false, "extra dynamic shared memory for each block: lowers occupancy") \
    X(MAXREGS, "maxregs", INT, "", "", false, "the most registers a thread may use: raises occupancy") \
    X(DEVICE, "device", TEXT, "", "auto", false, "auto, cuda:N, cuda:all, sim or sim:PROFILE (h200, a100, v100)") \
    X(COUNTERS, "counters", CHOICE, "auto none sim hardware both", "auto", false, \
        "where counts come from; auto: sim on sim, none on cuda") \
    X(PEAK, "peak", BYTES, "", "", false, \
        "memory peak to use for peak_gbps, in bytes a second (4.8TB), instead of the device's own") \
    X(FALLBACK, "fallback", BOOL, "", "false", false, \
        "out of device memory: take the next memory kind (managed, mapped) and say so") \
    X(TIMEOUT, "timeout", TIME, "", "60s", false, \
        "the longest one point may take, not counting when it is stopped, before its worker is ended") \
    X(CARVEOUT, "carveout", FRACTION, "", "", true, \
        "share of an SM's on-chip memory preferred as shared memory, the rest is L1: 0 to 1, or a percentage") \
    X(CLUSTER, "cluster", DIM, "", "", false, "blocks of a cluster: a number, or [x, y, z]") \
    X(COOPERATIVE, "cooperative", BOOL, "", "false", false, \
        "all blocks run at once, so that they may wait for each other") \
    X(OPTIONS, "options", FLAGS, \
        "none --use_fast_math --fmad=false --ftz=true --prec-div=false --prec-sqrt=false " \
        "--extra-device-vectorization", \
        "none", false, "options of the compiler")

enum setting {
#define X(id, ...) SETTING_##id,
    SETTINGS(X)
#undef X
        SETTING_COUNT
};

struct setting_facts {
    const char *name;
    enum setting_type type;
    const char *choices, *fallback, *about;
    bool needs_cuda;
};
extern const struct setting_facts setting_table[SETTING_COUNT];

int setting_find(const char *name);         // -1: no such setting; "memory.in" finds memory
struct value setting_default(enum setting); // VALUE_NONE where there is none
// Checks and converts one written value (already number, text or list). False: `why` says what it takes.
bool setting_check(enum setting, struct value *, enum unit, char why[200]);
// Whether a backend takes this text as a device; `forms` gets what they take. It stands in device/find.c, because only
// the backends know.
bool setting_is_device(const char *text, char forms[160]);
// Whether `word` is a kind of device; `kinds` becomes the list of those there are.
bool setting_is_kind(const char *word, char kinds[96]);
// The kind of device that a spec means here; for `auto` that is found out, by a process of its own. NULL: none.
const char *setting_device_kind(const char *spec);
#endif
