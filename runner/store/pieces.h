// A file read through a window, onward mostly: large reports are not held in memory.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/diag.h"

struct pieces {
    int fd;
    size_t size; // of the file, when it was opened
    char *text;  // `held` bytes from `from`
    size_t from, held, room;
    int error; // of a read that failed: what is behind it is not known; 0: none did
};

// False after diags; close in either case.
bool pieces_open(struct pieces *, const char *path, struct diags *);
void pieces_close(struct pieces *);
// The bytes from `offset`: at least `want` of them, or all there are up to the end; `have` says how many. Valid until
// the next call.
const char *pieces_at(struct pieces *, size_t offset, size_t want, size_t *have);
