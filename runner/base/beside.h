// The names of the files that stand beside a report, in one table. Whoever opens, keeps, moves, cleans or refuses such
// files takes the list from here: a file that is not in it is known to nobody, and a new one is a row.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum beside {
    BESIDE_RUN,      // what the report was measured with
    BESIDE_LAUNCHES, // what each launch of a row counted
    BESIDE_SAMPLES,  // every sample of a row
    BESIDE_PARTS,    // what single contexts gave, of points that have no row yet
    BESIDE_OLD,      // rows of an earlier text of the kernel: a report itself, with launches and samples beside it
    BESIDE_FACTS,    // what a GPU told of itself
    BESIDE_ROWS,     // from here on: what is made of the report, and can be made again
    BESIDE_LIST,
    BESIDE_JSON_LINES,
    BESIDE_MARKDOWN,
    BESIDE_PICTURE,
    BESIDE_COMPARED,
    BESIDE_STATUS,
    BESIDE_PAGE,
    BESIDE_COUNT
};
enum beside_is {
    BESIDE_KEPT = 1, // measured: --fresh keeps it with the report
    BESIDE_LINES = 2 // lines by the rows' keys: where a row goes, they go
};
struct beside_row {
    const char *suffix; // behind the report's name without .csv
    unsigned is;        // of enum beside_is
    const char *begins; // what a file of this form begins with; NULL: its first line follows from the report
};
extern const struct beside_row beside_table[BESIDE_COUNT];

// "reports/x.csv" and BESIDE_SAMPLES: "reports/x.samples.csv". For the caller to free.
char *beside_path(const char *report, enum beside);
char *beside_with(const char *report, const char *suffix); // the same, with any suffix
// Is it a name that a file beside a report may have? The suffix that says so, or NULL: nobody's report may be called
// so. `pages`: those that are made of the report are such names too.
const char *beside_named(const char *path, bool pages);
