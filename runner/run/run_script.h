// A script's part in a run: its columns behind the file's own, more points round after round, the last word. Rows are
// read back from the report, so that a run that resumes sees what the first one saw and asks for the same points.
// SPDX-License-Identifier: MIT
#ifndef RUN_SCRIPTED_H
#define RUN_SCRIPTED_H
#include "lua/script.h"
#include "run/run.h"
#include "run/shape.h"

struct engine;
struct run_script {
    struct script *script; // NULL: none, and nothing below is used
    int shape;             // of whole rows, as the script gets them
    size_t first_derived;  // of the report's derived columns, the first of the script's
    size_t first_point;    // points of the plan before any was refined
    char (*keys)[17];      // of each point of the plan that has a row
    size_t key_room, key_count;
    bool derive_failed, refine_ended, refine_failed;
};

// False after errors: a column of the script's that is there already.
bool run_script_open(struct engine *);
void run_script_close(struct run_script *);
void run_script_key(struct run_script *, size_t point, const char *key); // 0-based point: it has a row, under this key
// The script's columns of one row: `all` as by shape_fill with the file's own derived columns in it.
void run_script_derive(struct engine *, const struct value *all, struct value *derived, struct arena *);
// Every point is measured: asks for more. True when there are, appended to the plan and to what is to be done.
bool run_script_refine(struct engine *);
// The whole plan is measured: what the script has to say of it. Its tables are written beside the report.
void run_script_done(struct engine *, struct run_summary *);
#endif
