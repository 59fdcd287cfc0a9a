// What a look at a point's samples shows, in sentences: two modes, a drift, a step of the clock. Pure.
// SPDX-License-Identifier: MIT
#pragma once
#include "store/samples.h"

void samples_told(const struct samples_of *, struct str *); // adds nothing where there is nothing of the kind
