// A file that is kept: the report, and what was measured and stands beside it. There is one way to open one. It is a
// regular file under its own name, not through a link, and its first line is known; each line ends in its checksum.
// Only a file that is not there is begun. What cannot be read is an error, and stays as it is. It is written under the
// report's lock: lines are appended whole, and the file is replaced by a rename only (swap.h).
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

#include "base/str.h"
#include "store/lock.h"
#include "store/pieces.h"

struct kept { // closed: {.fd = -1}
    char *path;
    struct lock *lock;
    int fd;             // -1: it is not there yet
    off_t size, synced; // of whole lines; of those that a power cut leaves
    bool covered;       // it is the report: the lock covers it
    struct str header;
};

// Nothing there (`*there` false), or a regular file under its own name. False after diags.
bool kept_look(const char *path, bool *there, struct diags *);
// Opens it so (O_RDONLY, ...). -1: it is not there, or after diags.
int kept_open_plain(const char *path, int how, off_t *size, struct diags *);
// Opens what is there for appending (`fd` stays -1 where nothing is); looks at no line.
bool kept_open_file(struct kept *, struct lock *, const char *path, struct diags *);
// Opens a file of lines, which begins with `header` (that with its LF), and looks at every line: one that was edited is
// an error, an end that was not written whole is dropped with a warning. `shared`: somebody else may still append to
// the file that is there, so this run goes on in a copy.
bool kept_open(struct kept *, struct lock *, const char *path, const struct str *header, bool shared, struct diags *);
void kept_close(struct kept *);
// Before and after each write: the lock is ours, the name means this file, and it ends where we left it.
bool kept_held(struct kept *, struct diags *);
// Whole lines, as one write; what a full disk took of them is taken back. The first ones make the file.
bool kept_add(struct kept *, const char *lines, size_t size, struct diags *);
bool kept_sync(struct kept *, struct diags *); // a power cut loses none of them from here on
// Replaces the open file by one that has its first `size` bytes and no other name.
bool kept_copy(struct kept *, size_t size, struct diags *);
bool kept_failed(const struct kept *, const char *what, struct diags *); // by errno

// Such a file read from begin to end, by whoever.
struct kept_reader {
    struct pieces pieces;
    const char *path;
    size_t at, size, good; // of the last line; behind the last good one
    int line;
};
// False after diags: it cannot be read, or begins with another line. Close in either case.
bool kept_read(struct kept_reader *, const char *path, const struct str *header, struct diags *);
// The next line, valid until the next call. NULL: there is none, or after diags. What a crash left half is passed over.
const char *kept_next(struct kept_reader *, size_t *size, struct diags *);
void kept_read_close(struct kept_reader *);

// Puts a table of a script, or of a device's facts, in the place of an earlier one: each row ends in its checksum. What
// is there and no such table stays, and is an error.
bool kept_table(struct lock *, const char *path, const char *text, size_t size, struct diags *);
// Whether somebody may still append to the report and what stands beside it: one who lost the lock without knowing it.
bool kept_shared(const struct lock *, const char *report);
