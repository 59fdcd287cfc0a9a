// Random numbers for waits and choices, so that they do not fall in step with what is measured. What must be the same
// every time comes from the run's seed instead (plan_order, the scripts' random numbers).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

uint64_t chance_begin(void);         // a state: differs from process to process and from call to call
double chance_draw(uint64_t *state); // evenly from 0 to 1, 1 left out
