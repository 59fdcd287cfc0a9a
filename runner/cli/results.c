// The sentences that commands end with.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include "base/str.h"
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

void summary_claims(size_t holding, size_t broken, size_t unchecked)
{
    const size_t all = holding + broken + unchecked;
    if (!all) return;
    if (holding == all) {
        say(stdout, "; every expectation ");
        term_say(stdout, TERM_GREEN, "holds");
        return;
    }
    if (broken == all) {
        say(stdout, "; ");
        term_say(stdout, TERM_RED, "%zu expectation%s broken", all, all == 1 ? "" : "s");
        return;
    }
    say(stdout, "; of %zu expectation%s %zu hold%s", all, all == 1 ? "" : "s", holding, holding == 1 ? "s" : "");
    if (broken) say(stdout, ", "), term_say(stdout, TERM_RED, "%zu broken", broken);
    if (unchecked) say(stdout, ", "), term_say(stdout, TERM_YELLOW, "%zu not checked", unchecked);
}

void summary_claim(bool broken, struct where at, const char *line)
{
    LOCAL(str_release) struct str text = {0};
    str_addf(&text, "%s:%d: %s", at.file ? at.file : "", at.line, line);
    term_paint(stderr, broken ? TERM_RED : TERM_YELLOW);
    term_paragraph(stderr, 0, text.text);
    term_paint(stderr, TERM_PLAIN);
}
