// The rows of a report by key, in the order of the file, with what a run needs to go on.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/lookup.h"
#include "measure/statuses.h"
#include "store/table.h"

struct key_row {
    char key[17];
    bool measured; // ok, imprecise, wrong or skipped: not to be measured again
    size_t point;  // in this run's plan; 0: the plan does not have it (as far as is known)
    size_t device; // of keys.devices
};

struct keys {
    struct key_row *rows; // one for each row of the file
    size_t count, room;
    struct lookup by_key; // the last row of each key
    char **devices;
    size_t device_count;
    int key, device, status; // columns of the table that is read
};

void keys_init(struct keys *);
void keys_free(struct keys *);
bool keys_read(struct keys *, struct table *, struct diags *);
bool keys_columns(struct keys *, const struct table *, struct diags *); // the same, row by row
void keys_add_row(struct keys *, const struct cells *);
struct key_row *keys_add(struct keys *, const char *key, const char *device, bool measured);
struct key_row *keys_find(const struct keys *, const char *key); // the last row with that key, or NULL
// A device of the rows that is not among `devices`, or NULL.
const char *keys_other_device(const struct keys *, const char *const *devices, size_t count);

// How many points of a report have each status. Of several rows with one key the last counts; rows that the plan no
// longer has do not.

struct tally {
    size_t status[STATUS_COUNT]; // by enum status
    size_t points;               // their sum
    size_t measured;             // of them, not to be measured again
};
bool tally_rows(struct table *, struct tally *, struct diags *);
