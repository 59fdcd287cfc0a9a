// An expression at a row of a view, whose columns are its names.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/sandbox.h"
#include "page/question.h"
#include "page/view.h"

// False: it is nil, or has an error there.
bool row_value(const struct view *, struct expr *, size_t row, struct value *);
bool row_holds(const struct view *, struct expr *, size_t row);
// Columns that the experiment derives today and the report does not have yet: from each row's other columns.
void row_value_derive(struct view *, const struct question *);
