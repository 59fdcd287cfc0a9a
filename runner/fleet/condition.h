// What a device told of itself before and after it was measured: temperature, memory errors, who else uses it. A table
// beside the report (NAME.facts.csv), and what of it is a finding.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "device/device.h"

enum { CONDITION_FACTS = 80, CONDITION_TEXT = 80 };

// Plain data, so that a process of its own can ask: a process that has used a GPU cannot start workers.
struct condition_fact {
    char name[32], unit[8], text[CONDITION_TEXT]; // text: empty where it is not known
};
struct condition_told {
    bool opened;
    char why[256]; // why not
    struct device_identity id;
    size_t count;
    struct condition_fact facts[CONDITION_FACTS];
};
// Asks the device `spec` in a process of its own.
void condition_ask(const char *spec, struct condition_told *);
void condition_add(struct condition_told *, const char *name, const char *text); // what its host says
const char *condition_text(const struct condition_told *, const char *name);     // "": not known

struct condition {
    struct condition_row {
        const char *name, *unit, *before, *after;
    } * rows;
    size_t count;
};
bool condition_write(const char *report, const struct condition_told *before, const struct condition_told *after,
    struct diags *);
// Nothing where the report has no such table. False after diags: it cannot be read.
bool condition_read(const char *report, struct arena *, struct condition *, struct diags *);
const char *condition_after(const struct condition *, const char *name); // "": not known
const char *condition_identity(const struct condition *);                // its UUID, else where it sits; "": not known
// The next finding from `*at` on, as a sentence in the arena; NULL: there are no more.
const char *condition_finding(const struct condition *, size_t *at, struct arena *);
