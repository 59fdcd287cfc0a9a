// What was asked for when a report was measured, from the file beside it: experiment, kernels and script are read as
// they were then, whatever has become of their files.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/load.h"

struct again {
    const char *report, *facts;
    struct arena *arena;
    struct request again; // begins as what the command line asks for
    bool splits;          // overrides that were written as one text are taken apart at its blanks
    bool named;           // again_device has named the device: the points say so now, which they did not then
};
const char *again_fact(const struct again *, const char *name);                              // NULL: it is not there
bool again_cannot(const struct again *, struct diags *, const char *hint, const char *what); // always false
void again_override(struct again *, const char *text);
bool again_take(struct again *, struct diags *); // all but the device
// Where nothing said which device, it was the best that was there: it is named now.
bool again_device(struct again *, struct diags *);
