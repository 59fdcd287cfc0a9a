// What a person sees of kernels that are measured in turns, for `judge` and `compare --remeasure`.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"
#include "cli/progress.h"
#include "study/judging.h"

struct run_observer verdicts_observer(struct progress *, bool quiet); // its context is the progress
// "faster", or a status where there is no time; and why it is so, "" where the word says all.
const char *verdicts_word(const struct judging_verdict *);
const char *verdicts_reason(const struct judging_verdict *, char text[WHY_TEXT]);
// Prints all of it. The exit status: 1 where a kernel is slower, or is not what it promises.
int verdicts_print(const struct judging *, const struct options *, const struct plan *);
