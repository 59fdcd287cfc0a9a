// When a sample begins. A device may stall in step with its own clock: samples at an even pace would all see one phase
// of that.
// SPDX-License-Identifier: MIT
#pragma once

// How many microseconds to wait at `now_us` for the next eighth of the period that no sample has begun in since all
// had one (`seen`, at first 0), and for the place in it that `chance` (from 0, below 1) says. Eight samples see all
// phases, for a third of the time that a wait by chance alone would take.
double phases_wait(unsigned *seen, double now_us, double chance);
