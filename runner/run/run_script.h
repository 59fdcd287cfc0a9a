// A script's part in a run: its columns after the file's own, more points in rounds, and the summary. Rows are read
// from the report, so that a run that is started again sees the same rows and asks for the same points.
// SPDX-License-Identifier: MIT
#pragma once
#include "lua/script.h"
#include "run/run.h"
#include "run/shape.h"

struct engine;
struct run_script {
    struct script *script; // NULL: none, and nothing below is used
    int shape;             // of the rows that the script gets
    size_t first_derived;  // which of the derived columns is the script's first
    size_t first_point;    // points of the plan before `refine` added any
    char (*keys)[17];      // of each point of the plan that has a row
    size_t key_room, key_count;
    bool derive_failed, refine_ended;
    char *failed; // the first thing that went wrong; NULL: nothing
};

// False after errors: the report has a column of that name already.
bool run_script_open(struct engine *);
void run_script_close(struct run_script *);
void run_script_key(struct run_script *, size_t point, const char *key); // 0-based point: it has a row, under this key
// The script's columns of one row: `all` is filled by shape_fill, with the file's own derived columns.
void run_script_derive(struct engine *, const struct value *all, struct value *derived, struct arena *);
// Called when every point is measured: asks for more. True when there are; they are added to the plan and the todo.
bool run_script_refine(struct engine *);
// Called at the end: the script's summary of the whole plan. Its tables are written beside the report.
void run_script_done(struct engine *, struct run_summary *);
