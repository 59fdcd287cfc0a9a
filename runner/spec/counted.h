// What of an experiment asks for counted columns: `counters: auto` counts that on a GPU, and nothing else.
// SPDX-License-Identifier: MIT
#ifndef SPEC_COUNTED_H
#define SPEC_COUNTED_H
#include "lua/script.h"
#include "spec/experiment.h"

// COUNTS_ACCESS and COUNTS_HARDWARE added up: by `derive` and `expect`; by a script.
int counted_asked(const struct experiment *, struct sandbox *);
int counted_script(const struct experiment *, const struct script *);
#endif
