// Counts of rows by status, in words.
// SPDX-License-Identifier: MIT
#include "cli/summary.h"

#include "cli/term.h"
#include "measure/result.h"

void summary_statuses(const size_t status[STATUS_COUNT], FILE *out)
{
    const char *gap = "";
    for (int i = 0; i <= STATUS_SKIPPED; i++) {
        if (!status[i]) continue;
        bool bad = i == STATUS_WRONG || i == STATUS_FAILED || i == STATUS_TIMEOUT;
        say(out, "%s", gap);
        term_say(out, bad ? TERM_RED : TERM_PLAIN, "%zu %s", status[i], status_names[i]);
        gap = ", ";
    }
    if (!*gap) say(out, "no rows");
}
