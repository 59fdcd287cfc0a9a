// A picture of a mechanism as a grid of cells: the banks that lanes ask, the sectors that they touch, the lanes that
// are active, the warps that fit on an SM, the copies and kernels of a pipeline. It is data; who draws it is elsewhere.
// SPDX-License-Identifier: MIT
#ifndef REASON_FIGURE_H
#define REASON_FIGURE_H
#include "reason/evidence.h"

enum { FIGURE_COLUMNS = 64, FIGURE_ROWS = 40 };
enum figure_cell {
    CELL_NONE,   // nothing there
    CELL_USED,   // asked for, active, filled
    CELL_WASTED, // fetched and not asked for; idle; could be filled
    CELL_CLASH,  // waits for another one
    CELL_SECOND, // another kind of use: the kernel between two copies
    CELL_THIRD,
    CELL_KINDS
};
struct figure_row {
    char label[40], note[64];
    unsigned char cells[FIGURE_COLUMNS]; // enum figure_cell
    char marks[FIGURE_COLUMNS];          // a letter in the cell, or 0
};
struct figure {
    char title[200], note[240];
    const char *legend[CELL_KINDS]; // what each kind of cell means here; NULL: it does not occur
    const char *letters;            // what a letter in a cell is; NULL: there is none
    int columns, group;             // a gap behind each `group` cells
    struct figure_row rows[FIGURE_ROWS];
    int count, left_out; // rows that did not fit
};

// The costliest access of an instruction: words of the sectors it touches, or the banks of shared memory by wavefront.
// False: a picture says nothing (local memory, or no closer look).
bool figure_access(struct figure *, const struct device_place *);
bool figure_lanes(struct figure *, const struct device_places *); // lines where lanes wait; false: none does
bool figure_occupancy(struct figure *, const struct evidence *);
// False: the point is no round trip. `us`: how long its copy up, kernel and copy down take by themselves; NULL: nobody
// knows, and the picture is not to scale.
bool figure_pipeline(struct figure *, const struct job *, const double us[3]);
#endif
