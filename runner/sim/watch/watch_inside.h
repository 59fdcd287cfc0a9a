// The cells and clocks of the watch, for watch.c, which keeps them, and watch_touch.c, which asks them.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/memory.h"
#include "sim/watch/watch.h"

// Who did it: the block's number among the watched ones, the thread in it, the clock of its warp, and how many times
// the block had let others know of what it did. 0: nobody.
struct watch_mark {
    uint64_t block : 22, thread : 10, time : 20, told : 12;
};
enum {
    MOST_BLOCKS = (1 << 22) - 1,
    MOST_THREAD = 1023,
    MOST_TIME = (1 << 20) - 1,
    MOST_TOLD = (1 << 12) - 1,
    WORD = 4,
    SITE_MASK = 0x3fff
};
// Of a site number here: the access was atomic or volatile; the same warp had just written another value.
#define STRONG 0x8000u
#define AGAIN 0x4000u

enum seen { SEEN_WRITE, SEEN_READ, SEEN_OTHER, SEEN_KINDS }; // OTHER: by another warp than the last one that read
struct watch_cell {
    struct watch_mark mark[SEEN_KINDS];
    uint16_t site[SEEN_KINDS];
    uint16_t bytes; // four bits each: which bytes each mark is about, and which of them have been written
};
enum { DEFINED = SEEN_KINDS };

struct watched { // an allocation
    uint64_t lo, hi;
    struct watch_cell *cells; // NULL: there was no memory for them
    bool undefined;           // the cells know what has been written
    bool locked;              // nobody may write there while the kernel runs
    uint32_t *old;            // of each word, before a store that nobody need have seen; NULL: not asked for
};

struct watch_seen { // a word that is put back
    uint64_t word;
    uint32_t now;
};
struct watch_places;
struct watch {
    struct watched *ranges;
    size_t count, room, last;
    uint32_t base, next; // number of this launch's first watched block, and of the next one
    uint16_t *told;      // of each watched block
    size_t told_room;
    uint64_t left;          // accesses by lanes that may still be watched
    uint32_t each;          // by one block
    uint64_t blocks, among; // of the launch; of these are watched
    bool partial;           // some blocks were not watched: what they wrote is not known
    const struct sim_kernel *kernel;
    struct sim_races *races;
    const struct memory *memory;
    struct watch_places *places; // NULL: nothing was made known yet
    bool unsure;                 // not all that blocks tell each other is seen: any sign is taken for it
    bool stale;                  // reads that nothing orders see what was there before
    struct watch_seen seen[4 * LANES];
    size_t seen_count, stales;
};

// Of a warp: lanes that wait for others where all are to meet, and where those others went on in the meantime.
struct watch_past {
    const struct inst *at, *heads[8], *end; // end: where those that ended were last
    uint32_t waiting, lanes[8], count;
    uint32_t other;  // the warp that went there, beside its own
    bool left;       // the others have ended, and those that waited go on
    bool at_barrier; // of the block; else a mask names who is to meet
};

struct watch_flight;
struct watch_block {
    struct watch *watch;
    struct watch_cell *shared;
    unsigned char *local; // a bit for each byte of each thread: it has been written
    uint32_t shared_bytes, local_bytes, warps, number;
    uint32_t left;               // accesses by lanes
    struct watch_flight *flight; // copies that have not been waited for
    bool asked;                  // has looked at what another thread may have told
    bool knows;                  // of anything that `known` holds
    uint16_t *known;             // of each block of the launch, how often it had told others when it last made it known
    uint16_t *heard;             // the same, not behind a fence yet: a cache may still hold what was there before
    uint32_t time[LANES], seen[LANES][LANES], arrived[ALL_BARRIERS][LANES];
    struct watch_past past[LANES];
    uint32_t proxied[LANES][LANES]; // by warp: what it knew of each one's time at its last fence between the proxies
};

// An access to memory that is the thread's own.
void watch_local(struct warp *, const struct inst *, const uint64_t at[LANES], uint32_t mask, uint32_t bytes);
// A read of what nothing has written is told, or made a fault.
void watch_unwritten(struct warp *, const struct inst *, uint32_t lane, uint64_t at, enum space, uint32_t bytes);
// The range of an address that has been checked, with its cells; NULL: there is none.
struct watched *watch_range(struct watch *, const struct memory *, uint64_t at);
// Whether a copy to that word, or out of it, is under way. When it has just ended the cell's mark is moved to that
// time.
enum flight { FLIGHT_NONE, FLIGHT_WRITES, FLIGHT_READS };
enum flight watch_in_flight(struct warp *, struct watch_cell *, uint32_t word);
bool watch_was_copied(const struct watch_block *, uint32_t word); // it was last written by a copy
// The line of a copy in bulk under way that is still to write these bytes of global memory, or to read what is written
// now; -1: there is none.
int watch_bulk_meets(const struct warp *, uint64_t at, uint32_t bytes, bool writes, bool *is_read);
void watch_flight_note(struct warp *, uint32_t lane, uint32_t word); // this thread's open group writes it
void watch_landed(struct warp *, uint32_t word);                     // something else has written it
void watch_tell(struct watch_block *); // what the block did so far may be known to others now

bool watch_knows(const struct watch_block *, struct watch_mark);   // of what another block did
bool watch_hears(const struct watch_block *, struct watch_mark);   // of it, but there was no fence since
bool watch_has_met(const struct watch_block *, struct watch_mark); // an atomic or the like came between
void watch_publish(struct watch_block *);                          // a fence: what it did so far others may learn of
// An atomic or volatile access: `looks`, it only does that.
void watch_meet_at(struct watch_block *, uint64_t at, bool reads, bool writes, bool looks);
void watch_keep_old(struct watch_block *, const struct watch_cell *, uint64_t at); // before a store
void watch_see_old(struct watch *, uint64_t at, uint32_t bytes, bool once);        // before a load
void watch_refresh(struct watch *);                                                // behind it
