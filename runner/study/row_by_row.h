// The rows of a report, each with all that is known of it, for those who explain them: its cells, the run file's facts,
// and for the rows that use the memory worst what the simulator counts of some of their blocks. How many it looks at,
// and how far, is bounded by counts, not by time, so that the same report always gives the same answer, in seconds.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/load.h"
#include "study/explaining.h"

struct row_by_row_seen {
    size_t rows;    // of the report
    size_t looked;  // that the simulator looked at
    size_t fit;     // that it could have looked at: all, or one more than the bound
    size_t unknown; // of no point that the experiment has: they are not told
};
// Called for each row in its order; what it gets holds until it returns.
typedef void row_by_row_fn(const struct explaining *, void *context);
// False after diags: the report has no run file, or its experiment cannot be read from it.
// `looks`: at most so many rows are looked at; 0: as many as it ever does.
bool row_by_row(const char *report, const struct request *, size_t looks, row_by_row_fn *, void *context,
    struct row_by_row_seen *, struct diags *);
