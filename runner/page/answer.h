// The sentence that answers a report's question, made from its rows: the experiment's own where that can be told, else
// what changed most in its first chart, and where its curve bends. It says no more than the intervals carry.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/chart.h"
#include "page/question.h"
#include "page/view.h"

// Nothing is added where no row has a number.
void answer_add(const struct view *, const struct question *, const struct charts *, struct str *);

// Sentences of an experiment with numbers of its report in them. What stands in braces is a Lua expression, in which
// NAME[CONDITION] is the column NAME of the rows for which the condition holds: one value, or several for min and max.
// A lone value has its unit; what is computed is a bare number; neither has more digits than the intervals carry.

// The first of the question's answers whose numbers are all known and whose condition holds at both ends of all
// intervals. False: there is none.
bool told_answer(const struct view *, const struct question *, struct str *);
