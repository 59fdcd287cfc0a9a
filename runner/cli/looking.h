// A closer look at the points of a report, for its page: they run on the simulator, from the texts that its run file
// keeps, at the sizes that its experiment has for the simulator.
// SPDX-License-Identifier: MIT
#ifndef CLI_LOOKING_H
#define CLI_LOOKING_H
#include "cli/options.h"
#include "page/insight.h"

// NULL: there is nothing to show. In the arena; never more than some seconds.
const struct insight *looking_at(const char *report, void *options, struct arena *);
#endif
