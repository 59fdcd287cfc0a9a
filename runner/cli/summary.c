// Counts of rows by status, in words.
// SPDX-License-Identifier: MIT
#include "cli/summary.h"

#include "cli/term.h"
#include "measure/result.h"

void summary_statuses(const size_t status[STATUS_COUNT], FILE *out)
{
    const char *gap = "";
    for (int i = 0; i < STATUS_COUNT; i++) {
        if (!status[i]) continue;
        say(out, "%s", gap);
        term_say(out, status_is_bad((enum status)i) ? TERM_RED : TERM_PLAIN, "%zu %s", status[i], status_names[i]);
        gap = ", ";
    }
    if (!*gap) say(out, "no rows");
}
