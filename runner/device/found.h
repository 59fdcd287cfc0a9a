// What the check found at the first wrong element: each buffer's value there, what was expected, and how far off the
// worst element is. The same sentence for every device.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

struct found_values {
    char text[240];        // "out = 78, in = 77"; empty: nothing is known
    double error;          // the largest of all elements; 0: not known
    double off;            // the first one's, as a share of what it must be, where no tolerance is given; 0: not known
    const char *unwritten; // the buffer that holds at that element what it held before the launch; NULL: there is none
};

// Fetches the element of buffer `i` of the job, or its content before the launch; false: it cannot be told.
typedef bool found_fetch(void *context, size_t i, bool before, uint64_t element, void *bytes);
// `result`: what gpuexp_check left (enum check_result), with the expected value where the job expects one.
void found_fill(struct found_values *, const struct job *, const uint64_t *result, found_fetch *, void *context);

// The number that a kernel reported, from the bytes that it wrote: the same for every device.

// `type` as the kernel file names it, `at` its bytes as the GPU lays them out. NAN: not a type of one number.
double reported_number(const char *type, const void *at);
