// `gpuexp report REPORT.csv...`: a page to look at and to pass on, or the rows in another form; of a folder, a book.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/say.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "page/export.h"
#include "page/view.h"
#include "store/swap.h"
#include "study/looking.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A table that the program wrote beside a report (`x.samples.csv`): `reports/*.csv` names those too.
static bool is_beside(const char *path)
{
    char report[4096];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".csv") != 0) return false;
    for (const char *p = dot - 1; p > name; p--) { // x.samples.csv stands beside x.csv
        if (*p != '.') continue;
        snprintf(report, sizeof report, "%.*s.csv", (int)(p - path), path);
        if (file_exists(report)) return !view_is_report(path);
    }
    return false;
}

// `-s chart.y=gbps`: how a report is drawn. What was measured is what it is.
static bool set(struct chart_wish *wish, const char *text, struct arena *a, struct diags *d)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : "";
    const bool chart = strncmp(text, "chart.", 6) == 0 && equals;
    const char *key = chart ? arena_strndup(a, text + 6, (size_t)(equals - text) - 6) : "";
    const char **to = chart_wish_at(wish, key);
    LOCAL(str_release) struct str keys = {0};
    size_t n = strlen(value);
    if (n > 1 && value[0] == '[' && value[n - 1] == ']') value++, n -= 2;
    if (to) return *to = arena_strndup(a, value, n), true;
    for (const struct word *w = words_chart.words; w->name; w++)
        str_addf(&keys, "%schart.%s", !keys.size ? "" : w[1].name ? ", " : " or ", w->name);
    return diag_user(d, (struct where){0}, keys.text, "of a report only how it is drawn can be set, not `-s %.60s`",
        text);
}

// A book takes a while: each page looks at some of its rows on the simulator.
static void tell_page(size_t number, size_t of, const char *report)
{
    const char *slash = strrchr(report, '/');
    if (!term_is_live(stderr)) return;
    term_clear_line(stderr);
    say(stderr, "page %zu of %zu: %s", number, of, slash ? slash + 1 : report);
    fflush(stderr);
}

int command_report(const struct options *o, struct diags *d)
{
    char path[4096];
    LOCAL(mem_drop) const char **reports = mem_alloc((o->operand_count + 1) * sizeof *reports);
    size_t count = 0;
    for (size_t i = 0; i < o->operand_count; i++) {
        if (o->operand_count > 1 && is_beside(o->operands[i])) {
            if (!options_given(o, OPTION_QUIET))
                say(stderr, "%s is a table beside a report: left out\n", o->operands[i]);
        } else {
            leftovers_remove(o->operands[i], false);
            reports[count++] = o->operands[i];
        }
    }
    struct request request = options_request(o);
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct chart_wish wish = {0};
    bool good = true;
    for (size_t i = 0; i < o->override_count; i++) good &= set(&wish, o->overrides[i].text, a, d);
    const struct html_options options = {
        .reports = reports,
        .count = count,
        .output = o->value[OPTION_OUTPUT],
        .wish = wish,
        .look = looking_at,
        .context = &request,
        .page = options_given(o, OPTION_QUIET) ? NULL : tell_page,
    };
    struct stat at;
    const bool book = count == 1 && !o->value[OPTION_FORMAT] && stat(reports[0], &at) == 0 && S_ISDIR(at.st_mode);
    const bool written = !good ? false
        : book                 ? book_write(reports[0], &options, path, d)
                               : export_write(o->value[OPTION_FORMAT], &options, path, d) && *path;
    if (book && options.page) term_clear_line(stderr);
    if (written && !options_given(o, OPTION_QUIET)) say(stdout, "%s\n", path);
    return 0;
}
