// A plan that was cut into four shards and is cut into three now: rows that the four have are not measured again.
// SPDX-License-Identifier: MIT
#ifndef RUN_ADOPT_H
#define RUN_ADOPT_H
#include "run/engine.h"

// Copies the measured rows of this shard's points that shards of another count beside it have, with what stands beside
// those rows, into this shard's report. False after diags: it cannot be written.
bool adopt(struct engine *);
#endif
