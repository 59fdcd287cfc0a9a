// Bytes of many files in one, to be read again in any order: a temporary file in the folder of the report, which has no
// name and is gone with the process. So each file is read once, from begin to end, and none stays open.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

#include "store/lock.h"

struct spool {
    int fd; // -1: not begun
    uint64_t size;
    char *held, *read; // not written yet; read last
    size_t held_size, read_room;
    int error; // of a call that failed; 0: none did
};
bool spool_begin(struct spool *, struct lock *, const char *report, struct diags *);
uint64_t spool_add(struct spool *, const char *bytes, size_t size); // where they are; what fails is said by spool_ended
bool spool_ended(struct spool *, const char *report, struct diags *); // all is added: from now on it is read
void spool_release(struct spool *);
// Of any open file, until the next call; NULL: spool.error says why.
const char *spool_text_of(struct spool *, int fd, uint64_t offset, size_t size);
