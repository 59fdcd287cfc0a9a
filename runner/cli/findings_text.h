// A point's findings as a person reads them, or as JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/json.h"
#include "study/explaining.h"

#include <stdio.h>

// The points that were told whole. Of a kind that was told before a point has one line, but for the first few.
struct findings_told {
    struct {
        char *kind, *point;
    } * of;
    size_t count, room, points, like;
};
// Without `json` as text, on standard output; without `told` each point whole.
void findings_text(const struct explaining *, struct json *, struct findings_told *told);
void findings_told_end(struct findings_told *, FILE *); // says how many had one line, and forgets all
