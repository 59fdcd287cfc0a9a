// Timed work is verified. No launch is timed on inputs that it has seen. Before each sample the inputs are made anew
// from another seed, and outputs are poisoned. Variables of the source are as they were loaded. All timed launches are
// alike to a kernel, and none can know whether its result is looked at, for that is settled when it has ended. So a
// kernel that does not do its work has no way to be right, and nothing has to be told from how long it took. Where a
// look at all elements would take long, a look is at some of them, which are drawn each time.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure/measure_inside.h"

// A look that takes no longer is done in every context; others in one that is drawn (job->look).
#define AUDIT_QUICK_S 0.05

// Are the launches of this point timed on fresh inputs?
bool audit_renews(const struct point *);
// Are they looked at, too?
bool audit_verifies(const struct point *);
// Makes the next launch one like no other. False: the point is over.
bool audit_renew(struct point *);
// Behind a sample that counts: looks at what it left, if it is its turn. False: the point is over.
bool audit_take(struct point *);
// Behind the last sample: the point has its own inputs again, which its counts are about.
bool audit_end(struct point *);
// Says so where no input could be varied: a result could have been kept from launch to launch.
void audit_say(struct point *);
