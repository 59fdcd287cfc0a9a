// The cells and clocks of the watch, for watch.c, which keeps them, and watch_touch.c, which asks them.
// SPDX-License-Identifier: MIT
#ifndef SIM_WATCH_INSIDE_H
#define SIM_WATCH_INSIDE_H
#include "sim/memory.h"
#include "sim/watch.h"

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
};

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
};

// Of a warp: lanes that wait for others where all are to meet, and where those others went on in the meantime.
struct watch_past {
    const struct inst *at, *heads[8];
    uint32_t waiting, lanes[8], count;
    bool left; // the others have ended, and those that waited go on
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
    uint32_t time[LANES], seen[LANES][LANES], arrived[16][LANES];
    struct watch_past past[LANES];
    uint32_t proxied[LANES][LANES]; // by warp: what it knew of each one's time at its last fence between the proxies
};

// Local memory is written, or read. False: nothing has written it.
bool watch_local(struct warp *, uint32_t lane, uint64_t at, uint32_t bytes, bool writes);
// The range of an address that has been checked, with its cells; NULL: there is none.
struct watched *watch_range(struct watch *, const struct memory *, uint64_t at);
struct watch_flight *watch_flight_new(uint32_t words); // of shared memory
void watch_flight_free(struct watch_flight *);
void watch_flight_start(struct watch_flight *);
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
#endif
