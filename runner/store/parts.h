// `x.parts.csv` beside a report: what each context gave of points that have no row yet. A run that was killed goes on
// from it, so that no context is sampled twice; when every point has its row the file goes. Guarded by the report's
// lock.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/result.h"
#include "store/lock.h"

struct parts;
// Reads what is there. NULL after diags: it cannot be read. `shared`: kept_open.
struct parts *parts_open(struct lock *, const char *report, bool shared, struct diags *);
void parts_close(struct parts *); // NULL is fine
// The parts of a point that this device gave, at most `most`, in the order they came.
size_t parts_find(const struct parts *, const char *key, const char *device, struct portion *, size_t most);
bool parts_add(struct parts *, const char *key, const char *device, const struct portion *, struct diags *);
bool parts_remove(struct parts *, struct diags *); // every point has its row
