// `x.parts.csv` beside a report: what each context gave of points that have no row yet. A run that was killed goes on
// from it, so that no context is sampled twice; when every point has its row the file goes. Guarded by the report's
// lock.
// SPDX-License-Identifier: MIT
#ifndef STORE_PARTS_H
#define STORE_PARTS_H
#include "base/diag.h"
#include "measure/result.h"

struct parts;
// Reads what is there (`fresh`: it is removed instead). NULL after diags: it cannot be written.
struct parts *parts_open(const char *report, bool fresh, struct diags *);
void parts_close(struct parts *); // NULL is fine
// The parts of a point that this device gave, at most `most`, in the order they came.
size_t parts_find(const struct parts *, const char *key, const char *device, struct portion *, size_t most);
bool parts_add(struct parts *, const char *key, const char *device, const struct portion *, struct diags *);
void parts_remove(struct parts *); // every point has its row
#endif
