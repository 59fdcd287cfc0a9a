// How much of a result `check` sees. A right result is spoiled, and `check` is asked once more: with a few numbers
// spoiled, with each a little off, and with all spoiled. The same for every device.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"

enum { WEAK_SPOTS = 16, WEAK_FEW = 5 };
struct weak_spots { // numbers that the launch is to write: where, and what was there before it
    size_t count;
    struct weak_spot {
        size_t buffer;
        uint64_t element;
        unsigned char was[64];
    } of[2 * WEAK_SPOTS];
};

enum weak_off { WEAK_NEAR, WEAK_SPOILED }; // each number of a buffer is a little off; is spoiled
struct weak_device {
    void *context;
    bool (*fetch)(void *, size_t buffer, uint64_t element, void *bytes);
    bool (*store)(void *, size_t buffer, uint64_t element, const void *bytes);
    bool (*spoil)(void *, enum weak_off);                  // all that was written
    bool (*check)(void *, uint64_t part, uint64_t *wrong); // one of so many parts; 0: all
    bool spots_of_few; // a check takes long: numbers one by one only where `check` is called for fewer than there are
};

// Before the launch.
void weak_note(struct weak_spots *, const struct job *, const struct weak_device *);
// Behind a right result, of which nothing is left. False: it cannot be asked.
bool weak_ask(struct weak_spots *, const struct job *, const struct weak_device *, struct result_check *);
