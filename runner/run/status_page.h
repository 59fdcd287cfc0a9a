// How far reports are, as one HTML file that needs nothing else and asks for itself again: a bar for each report, a
// square for each shard, a row for each shard that runs, died, or has points that failed.
// SPDX-License-Identifier: MIT
#pragma once
#include "run/status.h"

struct status_page {
    struct str squares, rows, whole; // of the report at hand; what is done of the page
    size_t shards, shown;
};
void status_page_add(struct status_page *, const struct status_part *, bool shard);
// A report of which nothing is there yet: what is said of it.
void status_page_say(struct status_page *, const char *report, const char *state);
// The page; `every`: so many seconds until a browser asks for it again, 0: never.
void status_page_print(const struct status_page *, unsigned every, struct str *);
void status_page_release(struct status_page *);
