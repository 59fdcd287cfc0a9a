// Rows that are written, until they are synced and told of.
// SPDX-License-Identifier: MIT
#pragma once
#include "run/engine.h"

double tell_time_left(const struct engine *); // seconds until the last point is done, as it went so far; NAN: unknown
double tell_due(const struct engine *);       // seconds until the rows that wait must be synced; INFINITY: none waits
void tell_begun(const struct engine *, const struct task *); // a worker has got it for the first time
bool tell_all(struct engine *);                              // syncs what was written and tells of it
