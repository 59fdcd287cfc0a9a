// The sentence that answers a report's question, made from its rows: the experiment's own where that can be told, else
// what changed most in its first chart, and where its curve bends. It says no more than the intervals carry.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"

// Nothing is added where no row has a number.
void answer_add(const struct view *, const struct question *, const struct charts *, struct str *);
