// The number that a kernel reported, from the bytes that it wrote: the same for every device.
// SPDX-License-Identifier: MIT
#pragma once

// `type` as the kernel file names it, `at` its bytes as the GPU lays them out. NAN: not a type of one number.
double reported_number(const char *type, const void *at);
