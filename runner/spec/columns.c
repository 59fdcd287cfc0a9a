// The column table made real, and the text columns around it.
// SPDX-License-Identifier: MIT
#include "spec/columns.h"

#include <string.h>

// What stays in a row whose result is wrong: it says what the point is and what the compiler made of it, not how fast
// it was.
#define KEPT \
    (1ull << COLUMN_USEFUL_BYTES | 1ull << COLUMN_PEAK_GBPS | 1ull << COLUMN_REGS | 1ull << COLUMN_SPILL_BYTES | \
        1ull << COLUMN_LOCAL_BYTES | 1ull << COLUMN_SHARED_BYTES | 1ull << COLUMN_OCCUPANCY_PCT | \
        1ull << COLUMN_MEMORY_BYTES)
_Static_assert(COLUMN_COUNT <= 64, "KEPT is one word of bits");

const struct column_facts column_table[COLUMN_COUNT] = {
#define X(id, name, unit, digits, about) [COLUMN_##id] = {name, unit, about, digits, !(KEPT >> COLUMN_##id & 1)},
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
        "ok, imprecise (precision not reached), unverified (the kernel has no check), wrong (a wrong result), failed, "
        "timeout "
        "or skipped (cannot run here)"},
    {"reason", "why the status is not ok, in one sentence; of an ok row, what to know about it (short samples)"},
    {"counts", "where the counts come from: sim, sampled (some blocks of sim) or hardware"},
    {NULL, NULL},
};

int column_find(const char *name)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (strcmp(column_table[i].name, name) == 0) return i;
    return -1;
}
