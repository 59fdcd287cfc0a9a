// The status line and the plain lines.
// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/term.h"
#include "measure/result.h"
#include "run/interrupt.h"
#include "spec/columns.h"

static enum term_colour colour_of(enum status s)
{
    switch (s) {
    case STATUS_OK: return TERM_GREEN;
    case STATUS_IMPRECISE:
    case STATUS_UNVERIFIED:
    case STATUS_SKIPPED: return TERM_YELLOW;
    default: return TERM_RED;
    }
}

static void clear_line(struct progress *p)
{
    if (p->drawn) say_escape(stderr, "\r\033[K");
    p->drawn = false;
}

static void add_bar(struct progress *p, int width, struct str *s)
{
    const double share = p->total ? ((double)(p->before + p->done) + p->ahead) / (double)p->total : 0;
    if (share > p->share) p->share = share;
    const size_t filled = (size_t)(p->share * width + 1e-9);
    str_add(s, "[");
    for (int i = 0; i < width; i++) str_add(s, (size_t)i < filled ? "#" : (size_t)i == filled ? ">" : " ");
    str_add(s, "]");
}

static void draw_line(struct progress *p)
{
    if (!p->live || p->how == PROGRESS_QUIET || !p->started) return;
    LOCAL(str_release) struct str s = {0};
    int width = term_width(stderr), shown;
    size_t bad = status_bad(p->counts);
    str_addf(&s, "%s ", p->name);
    if (width >= 60) add_bar(p, width >= 100 ? 20 : 10, &s);
    str_addf(&s, " %zu/%zu", p->before + p->done, p->total);
    if (bad) str_addf(&s, ", %zu bad", bad);
    double left = p->left_s - (clock_awake() - p->known);
    if (p->left_s > 0) {
        str_add(&s, ", ");
        units_print_seconds(left < 1 ? 1 : ceil(left), &s);
        str_add(&s, " left");
    }
    if (p->sampled) str_addf(&s, ", %s %zu of %zu", p->visit, p->sampled, p->contexts);
    if (p->last.size) str_addf(&s, "  %s", p->last.text);
    shown = (int)text_cut(s.text, width - 1); // the last column stays free: some terminals wrap there
    say_escape(stderr, "\r");
    say(stderr, "%.*s", shown, s.text);
    say_escape(stderr, "\033[K");
    fflush(stderr);
    p->drawn = true;
}

void progress_start(void *progress, const struct run_start *s)
{
    struct progress *p = progress;
    *p = (struct progress){.how = p->how,
        .visit = p->visit,
        .started = true,
        .live = term_is_live(stderr),
        .name = s->experiment,
        .total = s->points,
        .before = s->kept,
        .left_s = NAN};
    draw_line(p);
}

void progress_note(void *progress, const char *line)
{
    struct progress *p = progress;
    if (p->how == PROGRESS_QUIET) return;
    clear_line(p);
    term_paragraph(stderr, 0, line);
    fflush(stderr);
    draw_line(p);
}

void progress_tick(void *progress)
{
    struct progress *p = progress;
    char line[80];
    const int by = interrupt_signal();
    if (by == SIGTERM) snprintf(line, sizeof line, "SIGTERM: finishing this point, %d s at most", INTERRUPT_PATIENCE_S);
    else if (by == SIGINT) snprintf(line, sizeof line, "finishing this point; Ctrl-C again stops at once");
    else snprintf(line, sizeof line, "%s: finishing this point", by == SIGHUP ? "SIGHUP" : "SIGUSR1");
    if (by && !p->stopping) progress_note(p, line);
    p->stopping |= by != 0;
    draw_line(p);
}

// A line that stays: what went wrong always, and the first that is imprecise; every other result only where there is no
// terminal, and not faster than it can be read.
static bool worth_a_line(const struct progress *p, enum status status, double now)
{
    if (p->how == PROGRESS_QUIET) return status_is_bad(status) && p->counts[status] <= 20;
    if (p->how == PROGRESS_VERBOSE) return true;
    if (!status_has_numbers(status) && p->counts[status] <= 20) return true;
    if (p->live) return status == STATUS_IMPRECISE && p->counts[status] == 1; // why, once
    return p->total <= 100 || now - p->said >= 2 || p->before + p->done == p->total;
}

void progress_visit(void *progress, size_t sampled, size_t contexts, double left_s)
{
    struct progress *p = progress;
    double now = clock_seconds();
    p->left_s = left_s;
    p->known = clock_awake();
    p->sampled = sampled;
    p->contexts = contexts;
    p->ahead += 1 / (double)contexts;
    if (p->live || p->how == PROGRESS_QUIET) return;
    if (p->said > 0 && now - p->said < 10) return;
    if (p->said > 0)
        say(stderr, "%s: %zu of %zu done, %s %zu of %zu\n", p->name, p->before + p->done, p->total, p->visit, sampled,
            contexts);
    fflush(stderr);
    p->said = now;
}

void progress_result(struct progress *p, const char *what, enum status status, const char *figures, const char *reason,
    double left_s)
{
    double now = clock_seconds();
    p->left_s = left_s;
    p->known = clock_awake();
    p->sampled = 0;
    if (p->contexts) p->ahead = fmax(p->ahead - (double)(p->contexts - 1) / (double)p->contexts, 0);
    p->done++;
    p->counts[status]++;
    LOCAL(str_release) struct str result = {0};
    str_addf(&result, "%s%s%s", what, *what ? ": " : "", status == STATUS_OK ? "" : status_names[status]);
    if (*figures) str_addf(&result, "%s%s", status == STATUS_OK ? "" : ", ", figures);
    else if (status == STATUS_OK) str_add(&result, "ok");
    str_clear(&p->last);
    text_add_line(&p->last, result.text);
    if (worth_a_line(p, status, now)) {
        clear_line(p);
        say(stderr, "%*zu/%zu  ", (int)snprintf(NULL, 0, "%zu", p->total), p->before + p->done, p->total);
        term_say(stderr, colour_of(status), "%s", p->last.text);
        if (p->live && *reason) { // below, so that no word is broken
            say(stderr, ":\n");
            term_paragraph(stderr, 2, reason);
        } else say(stderr, "%s%s\n", *reason ? ": " : "", reason);
        fflush(stderr);
        p->said = now;
    }
    draw_line(p);
}

void progress_stop(struct progress *p)
{
    if (!p->started) return;
    clear_line(p);
    fflush(stderr);
    str_release(&p->last);
    p->started = false;
}
