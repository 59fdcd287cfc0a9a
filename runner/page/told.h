// Sentences of an experiment with numbers of its report in them. What stands in braces is a Lua expression, in which
// NAME[CONDITION] is the column NAME of the rows for which the condition holds: one value, or several for min and max.
// A lone value has its unit; what is computed is a bare number; neither has more digits than the intervals carry.
// SPDX-License-Identifier: MIT
#pragma once
#include "page/question.h"
#include "page/view.h"

// The first of the question's answers whose condition holds, wherever within their intervals its numbers lie, and whose
// numbers are all known. False: there is none.
bool told_answer(const struct view *, const struct question *, struct str *);
