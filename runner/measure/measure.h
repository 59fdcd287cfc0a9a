// The measurement of one point, in one function, with the reason for each step (runner/DESIGN.md has them all). It sees
// a device and a job and gives a result.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

#include "device/device.h"
#include "measure/measure_inside.h"

struct result;

// How a number is made. One sample is one run of the work between two events of the device's own clock, in a stream
// that is held closed until all of it is queued, so that what the host does is not in it. Before each sample the state
// that the point asks for is put back; with `cache: cold` L2 is flushed last. Work shorter than `min_sample` is
// batched, several runs a sample, where each run finds what the first one found; where it would not (a cold cache,
// managed pages, a kernel that works in place, lines set to persist) it is not, and `reason` says that the samples are
// short. Samples during which the clock was throttled are thrown away and counted in `discarded`. `time_us` is the
// median; `time_lo_us` to `time_hi_us` is its 95 % confidence interval from order statistics: the k-th least and k-th
// greatest sample, k from the binomial distribution, nothing assumed about the shape of the noise, and none is given
// below 6 samples. Sampling stops when half of that interval is within `precision` of the median, at least
// `min_samples` are there, and the later half of them does not differ from the earlier one (drift). Missing that by
// `max_samples` or `max_time` makes the row `imprecise`, and `reason` says how far it got. Because it is computed again
// after every sample, the interval is a little too narrow: its first purpose is to decide when to stop. `taken` gets
// every sample that was taken (measure/taken.h), in order; NULL: nobody wants them.
void measure_point(const struct device_ops *, struct device *, const struct job *, struct result *, struct str *taken);

// Waiting for a GPU to cool. A clock that is held down by heat comes back when the GPU rests; samples taken meanwhile
// keep it hot. The waits grow and are bounded: a GPU that is never cool must not stop a run.

struct cool {
    double most;        // seconds in all
    double wait, spent; // the next wait; so far
};
struct cool cool_begin(double most);
// What to wait after a sample, in seconds: nothing behind one that was not throttled.
double cool_next(struct cool *, bool throttled);

// When a sample begins. A device may stall in step with its own clock: samples at an even pace would all see one phase
// of that.

// How many microseconds to wait at `now_us` for the next eighth of the period that no sample has begun in since all
// had one (`seen`, at first 0), and for the place in it that `chance` (from 0, below 1) says. Eight samples see all
// phases, for a third of the time that a wait by chance alone would take.
double phases_wait(unsigned *seen, double now_us, double chance);
