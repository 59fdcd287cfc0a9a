// Counts rows of a report and its shards, and says who is writing and how long it may take.
// SPDX-License-Identifier: MIT
#include "run/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "run/status_page.h"
#include "store/keys.h"
#include "store/lock.h"
#include "store/merge.h"
#include "store/runfile.h"

static double fact(const char *text, const char *name, int run)
{
    char *value = text ? runfile_get(text, name, run) : NULL, *end = value;
    double x = value ? strtod(value, &end) : NAN;
    if (end == value) x = NAN;
    free(value);
    return x;
}

static time_t moment(const char *text, const char *name)
{
    struct tm tm = {0};
    char *value = text ? runfile_get(text, name, -1) : NULL;
    const char *rest = value ? strptime(value, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;
    free(value);
    return rest ? timegm(&tm) : 0;
}

// Seconds for a point: in the last run that ended, else in the running one, from its begin to its last row.
static double pace(const char *path, const char *facts, size_t rows)
{
    size_t runs = facts ? runfile_runs(facts) : 0;
    struct stat st;
    double kept = fact(facts, "kept", -1);
    for (size_t back = 1; back <= runs; back++) {
        double x = fact(facts, "seconds_a_point", -(int)back);
        if (isfinite(x)) return x;
        time_t began = moment(facts, "started");
        if (back == 1 && began && isfinite(kept) && (double)rows > kept && stat(path, &st) == 0)
            return difftime(st.st_mtime, began) / ((double)rows - kept);
    }
    return NAN;
}

static void say_state(struct status_part *p, const char *path, const char *facts)
{
    struct lock_view v;
    char *end = facts ? runfile_get(facts, "end", -1) : NULL;
    p->running = lock_view(path, &v);
    if (p->running) str_addf(&p->state, "process %ld on %s since %s", v.pid, v.host, v.since);
    else if (end && strcmp(end, "running") == 0) str_add(&p->state, "died");
    else if (end && strcmp(end, "merged") == 0 && p->left) str_add(&p->state, "merged in part");
    else str_add(&p->state, end ? end : "no run file");
    free(end);
}

// `facts`: its run file, for the caller to free.
static bool look(const char *path, struct status_part *p, char **facts, struct diags *d)
{
    struct table t;
    struct tally tally;
    *facts = runfile_read(path);
    bool ok = table_open(&t, path, d) && tally_rows(&t, &tally, d);
    if (ok) {
        double points = fact(*facts, "shard_points", 0);
        p->known = isfinite(points);
        p->done = tally.points;
        p->failed = status_bad(tally.status);
        p->points = p->known ? (size_t)points : p->done;
        p->left = p->points > p->done ? p->points - p->done : 0;
        p->pace = pace(path, *facts, t.count);
        p->seconds = (double)p->left * p->pace;
        say_state(p, path, *facts);
    }
    table_close(&t);
    return ok;
}

static void print_time(double seconds, FILE *out)
{
    struct str s = {0};
    if (!isfinite(seconds)) return;
    units_print_seconds(seconds, &s);
    say(out, ", about %s", s.text);
    str_release(&s);
}

static void print_object(const struct status_part *p, struct json *j)
{
    json_add(j, "{ report:%s points:%zu done:%zu failed:%zu left:%zu", p->name, p->points, p->done, p->failed, p->left);
    if (p->left) json_number(j, "seconds_left", p->seconds);
    json_add(j, "running:%d state:%s }", p->running, p->state.text);
}

static const struct {
    const char *name, *about;
} families[STATUS_METRICS] = {{"points", "Points of the report."}, {"done", "Points that have a row."},
    {"failed", "Points whose row has no numbers."}, {"left", "Points that are left to measure."},
    {"left_seconds", "How long these may take, at the present speed."}, {"running", "A run writes the report."}};

static void add_metrics(const struct status_part *p, struct str *lines)
{
    const double values[STATUS_METRICS] = {
        (double)p->points, (double)p->done, (double)p->failed, (double)p->left, p->left ? p->seconds : 0, p->running};
    for (int i = 0; i < STATUS_METRICS; i++) {
        if (!isfinite(values[i])) continue; // what is not known has no line
        str_addf(&lines[i], "gpuexp_status_%s{", families[i].name);
        text_add_label(&lines[i], "report", p->name);
        str_addf(&lines[i], "} %.9g\n", values[i]);
    }
}

void run_status_metrics(const struct status_to *to)
{
    for (int i = 0; i < STATUS_METRICS; i++) {
        const char *name = families[i].name;
        say(to->out, "# TYPE gpuexp_status_%s gauge\n", name);
        if (strcmp(name, "left_seconds") == 0) say(to->out, "# UNIT gpuexp_status_%s seconds\n", name);
        say(to->out, "# HELP gpuexp_status_%s %s\n", name, families[i].about);
        if (to->metrics[i].size) say(to->out, "%s", to->metrics[i].text);
    }
    say(to->out, "# EOF\n");
}

static void print_line(const struct status_part *p, const struct status_to *to, const char *indent)
{
    FILE *out = to->out;
    if (to->json) print_object(p, to->json);
    if (to->metrics) add_metrics(p, to->metrics);
    if (to->page) status_page_add(to->page, p, *indent != '\0');
    if (to->json || to->metrics || to->page) return;
    say(out, "%s%s: %zu of %zu points", indent, p->name, p->done, p->points);
    if (p->failed) say(out, ", %zu failed", p->failed);
    if (p->left) say(out, ", %zu left", p->left);
    if (p->left) print_time(p->seconds, out);
    say(out, "%s%s\n", p->state.size ? "; " : "", p->state.size ? p->state.text : "");
}

struct shards_seen { // of one report
    struct status_part all;
    double paces;
    size_t paced, unpaced_left; // shards with a speed; the most points that one without has left
    bool strangers;             // some are of another plan
};

// Shards run side by side: all are done when the slowest is.
static void add_up(struct shards_seen *s, const struct status_part *p)
{
    struct status_part *all = &s->all;
    all->points += p->points;
    all->done += p->done;
    all->failed += p->failed;
    all->left += p->left;
    all->running |= p->running;
    if (isfinite(p->pace)) {
        s->paces += p->pace, s->paced++;
        all->seconds = fmax(all->seconds, p->seconds);
    } else if (p->left > s->unpaced_left) {
        s->unpaced_left = p->left;
    }
}

static void add_state(struct status_part *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_state(struct status_part *p, const char *fmt, ...)
{
    va_list args;
    if (p->state.size) str_add(&p->state, "; ");
    va_start(args, fmt);
    str_vaddf(&p->state, fmt, args);
    va_end(args);
}

// Other options make other points, and their number does not show it.
static void say_options(struct status_part *p, const char *what, const char *facts, const char *other)
{
    char *with = runfile_options(facts, other), *without = runfile_options(other, facts);
    if (*with || *without)
        add_state(p, "%s %s%s%s%s%s", what, *with ? "with " : "", with, *with && *without ? ", " : "",
            *without ? "without " : "", without);
    free(with);
    free(without);
}

static void say_stranger(struct shards_seen *s, struct status_part *p, const char *facts, const char *first)
{
    if (!facts || !first || !runfile_differs(facts, first, "plan")) return;
    s->strangers = true;
    add_state(p, "of another plan than the first shard");
    say_options(p, "measured", facts, first);
}

// Nothing is at its end while someone writes it: a run that has just begun has not said how many points it has.
static int status_of(const struct status_part *p) { return p->left || p->running ? 75 : p->failed ? 1 : 0; }

static void unseen(struct shards_seen *s, unsigned shards, size_t found, const char *facts, FILE *out)
{
    struct status_part *all = &s->all;
    double points = fact(facts, "points", 0);
    if (s->unpaced_left)
        all->seconds = fmax(all->seconds, (double)s->unpaced_left * (s->paced ? s->paces / (double)s->paced : NAN));
    if (s->unpaced_left && !s->paced) all->seconds = NAN;
    if (found < shards && out) say(out, "  %zu of %u shards have no file yet\n", shards - found, shards);
    if (found >= shards || !isfinite(points) || (size_t)points < all->points) return;
    all->left += (size_t)points - all->points;
    all->points = (size_t)points;
    all->seconds = NAN; // the speed of shards that have not begun is not known
}

// What a merge has yet to do. What the shards have is not left to measure.
static void say_merge(const struct shards_seen *s, struct status_part *whole, bool there)
{
    const struct status_part *all = &s->all;
    if (s->strangers) {
        add_state(whole, "files of two plans: merge the shards of one by their names, with -o");
    } else if (there && whole->points == all->points) {
        if (all->left < whole->left) whole->left = all->left;
        whole->seconds = all->seconds;
        if (all->done > whole->done) add_state(whole, "its shards have %zu: gpuexp merge %s", all->done, whole->name);
    } else if (!there && !all->left && !all->running) {
        add_state(whole, "every shard is complete: gpuexp merge %s", whole->name);
    }
}

int run_status(const char *report, const struct status_to *to, struct diags *d)
{
    char **shards = merge_shards(report, d), ignored[4096], *facts = NULL, *first = NULL;
    struct status_part whole = {.name = report};
    struct shards_seen s = {.all.name = report};
    size_t found = 0;
    unsigned shard, of = 0;
    bool ok = shards != NULL, there = file_exists(report), whole_files = true;
    int status;
    if (ok && there) ok = look(report, &whole, &facts, d);
    else if (ok && !shards[0])
        ok = diag_user(d, (struct where){.file = report}, "nothing was run yet, or in another folder",
            "no such report, and no shards of it");
    for (; ok && shards[found]; found++) {
        struct status_part p = {.name = shards[found]};
        char *its = NULL;
        merge_shard_name(shards[found], &shard, &of, ignored);
        const bool read = look(shards[found], &p, &its, d); // a damaged one hides no other
        whole_files &= read;
        if (read) say_stranger(&s, &p, its, first), print_line(&p, to, "  "), add_up(&s, &p);
        str_release(&p.state);
        if (first) free(its);
        else first = its;
    }
    struct status_part *shown = there ? &whole : &s.all;
    if (ok && found) {
        unseen(&s, of, found, first, to->json || to->metrics || to->page ? NULL : to->out);
        say_stranger(&s, &whole, facts, first);
        say_merge(&s, shown, there);
    }
    const char *has = first ? first : facts;
    if (ok && to->asked && has) say_options(shown, "not as asked, measured", has, to->asked);
    if (ok) print_line(shown, to, "");
    status = !ok || !whole_files ? diags_exit_status(d)
        : s.strangers            ? 2
        : there && !whole.left   ? status_of(&whole)
        : found                  ? status_of(&s.all)
                                 : status_of(&whole);
    merge_shards_free(shards);
    str_release(&whole.state);
    str_release(&s.all.state);
    free(facts);
    free(first);
    return status;
}
