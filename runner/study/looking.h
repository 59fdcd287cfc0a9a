// A closer look at the points of a report, for its page: they run on the simulator, from the texts that its run file
// keeps, at the sizes that its experiment has for the simulator.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/insight.h"
#include "plan/load.h"

// NULL: there is nothing to show. In the arena; never more than some seconds. `request`: a struct request.
const struct insight *looking_at(const char *report, void *request, struct arena *);
