// Moves labels apart that would overlap. Pure.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

// Moves the `count` places as little as is needed (least squares) so that neighbours are at least `gap` apart and all
// lie within `lo` and `hi`; their order stays. Where there is no room for all, the gap is smaller.
void spread(double *at, size_t count, double gap, double lo, double hi);
