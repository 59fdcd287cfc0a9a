// `fill:` of a buffer: a pattern by name, a number, C++ for each element, a range of random numbers, a file.
// SPDX-License-Identifier: MIT
#ifndef SPEC_FILLING_H
#define SPEC_FILLING_H
#include "spec/describe.h"

void filling_read(const struct describer *, const struct node *buffer, struct buffer *);
#endif
