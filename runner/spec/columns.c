// The column table made real, and the text columns around it.
// SPDX-License-Identifier: MIT
#include "spec/columns.h"

#include "model/constants.h"

#include <string.h>

const struct column_facts column_table[COLUMN_COUNT] = {
#define X(id, name, unit, digits, group, better, wrong, about) \
    [COLUMN_##id] = {name, unit, about, digits, COLUMNS_##group, BETTER_##better, WRONG_##wrong},
    COLUMNS(X)
#undef X
};

const struct text_column column_texts[] = {
    {"experiment", "the experiment's name"},
    {"point", "the point's number in the plan, from 1"},
    {"key", "hash of what decides the number: kernel source, parameters, settings, device, compiler, gpuexp version"},
    {"device", "what measured or counted: a GPU's name, or sim and its profile"},
    {"kernel", "the kernel's name"},
    {"status",
        "ok, imprecise (precision not reached), unverified (no check, or it takes too much), wrong (a wrong "
        "result), racy (the result hangs on the order of threads), failed, timeout or skipped (cannot run here)"},
    {"reason", "why the status is not ok, in one sentence; of an ok row, what to know about it (short samples)"},
    {"counts",
        "where the counts come from: sass (the simulator ran the machine code), ptx (it ran PTX, "
        "which has not what ptxas drops or spills), sampled (the same, of some blocks) or hardware"},
    {COLUMN_CHECKSUM, "of the row's text before it: tells a row that was edited from one that was measured"},
    {NULL, NULL},
};

int column_find(const char *name)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (strcmp(column_table[i].name, name) == 0) return i;
    return -1;
}

const char *column_word(int column, double x)
{
    if (column != COLUMN_MODEL_LIMIT || !(x >= 0 && x < LIMITS_MOST)) return NULL;
    return limit_words[(int)x];
}

bool column_has_sim(int column) { return column_table[column].group == COLUMNS_ACCESS; }

bool column_counted(int column)
{
    return column_table[column].group == COLUMNS_ACCESS || column_table[column].group == COLUMNS_HARDWARE;
}

int column_shown(const char *name, bool *sim)
{
    int column = column_find(name);
    *sim = column < 0 && strncmp(name, "sim_", 4) == 0;
    if (!*sim) return column;
    column = column_find(name + 4);
    return column >= 0 && column_has_sim(column) ? column : -1;
}
