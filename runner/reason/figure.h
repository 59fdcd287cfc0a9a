// A picture of a mechanism. Rows of cells: the banks that lanes ask, the sectors that they touch, the lanes that are
// active, the warps that fit on an SM, the copies and kernels of a pipeline. Or rows of bars: what each unit or each
// line of the source costs, as it is and as it would be mended. It is data; who draws it is elsewhere.
// SPDX-License-Identifier: MIT
#pragma once
#include "reason/evidence.h"

enum { FIGURE_COLUMNS = 64, FIGURE_ROWS = 48, FIGURE_SIDES = 2 };
enum figure_cell {
    CELL_NONE,   // nothing there
    CELL_USED,   // asked for, active, filled
    CELL_WASTED, // fetched and not asked for; idle; could be filled
    CELL_CLASH,  // waits for another one
    CELL_SECOND, // another kind of use: the kernel between two copies
    CELL_THIRD,
    CELL_KINDS
};
struct figure_bar {
    double part; // of the whole width, 0 to 1; NAN: there is none
    char said[24];
    enum figure_cell kind;
};
struct figure_row {
    char label[40], note[64];
    unsigned char cells[FIGURE_COLUMNS]; // enum figure_cell
    char marks[FIGURE_COLUMNS];          // a letter in the cell, or 0
    uint32_t lanes;                      // that this row serves, of a picture that can be stepped through
    struct figure_bar bars[FIGURE_SIDES];
    char quoted[112]; // a line of the source, which stands above the bars that follow; "": it is no heading
};
struct figure {
    char title[200], note[240];
    const char *legend[CELL_KINDS]; // what each kind of cell means here; NULL: it does not occur
    const char *letters;            // what a letter in a cell is; NULL: there is none
    int columns, group;             // a gap behind each `group` cells
    uint32_t steps;                 // lanes that its rows serve, one row after the other; 0: rows are no steps
    int sides;                      // of bars; 0: rows are of cells
    char side_names[FIGURE_SIDES][40];
    struct figure_bar total[FIGURE_SIDES]; // a line across all bars
    struct figure_row rows[FIGURE_ROWS];
    int count, left_out; // rows that did not fit
};

// A point, or what it would be with `change`.
struct figure_side {
    const struct evidence *of;
    const struct tape_change *change; // NULL: none
    const char *name;                 // "now", "mended (stride=1)"
    double us;                        // as a device measured it; NAN: it did not
};
// The time that each unit would need alone, and the measured one. False: nothing is known.
bool figure_limits(struct figure *, const struct figure_side *, int sides);
// Lines of the source that reach memory: sectors wanted, sectors moved, and what that costs. False: none does, or
// nothing was kept of what warps did. `line`: that one alone; 0: all.
bool figure_source(struct figure *, const struct figure_side *, int sides, const char *source, int line);
// The same access as `change` would have it: the same bytes side by side, no two words of a bank. False: it leaves that
// alone.
bool figure_mended(struct figure *, const struct device_place *, const struct tape_change *);

// The costliest access of an instruction: words of the sectors it touches, or the banks of shared memory by wavefront.
// False: a picture says nothing (local memory, or no closer look).
bool figure_access(struct figure *, const struct device_place *);
bool figure_lanes(struct figure *, const struct device_places *); // lines where lanes wait; false: none does
bool figure_occupancy(struct figure *, const struct evidence *);
// False: the point is no round trip. `us`: how long its copy up, kernel and copy down take by themselves; NULL: nobody
// knows, and the picture is not to scale.
bool figure_pipeline(struct figure *, const struct job *, const double us[3]);
