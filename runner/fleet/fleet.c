// Reads reports into a fleet: each row becomes a test of its GPU, each test gets a name that all reports share.
// SPDX-License-Identifier: MIT
#include "fleet/fleet.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/units.h"
#include "fleet/nights.h"
#include "measure/result.h"
#include "measure/stats.h"
#include "spec/columns.h"
#include "store/runfile.h"
#include "store/table.h"

// What is wrong with a GPU of a fleet: a time that is longer than its model's reference or than the fleet's median by
// more than the threshold and more than noise explains, a clock that is low, results that are wrong, facts that are no
// good sign.

static void __attribute__((format(printf, 3, 4))) find(struct fleet *f, struct gpu *g, const char *fmt, ...)
{
    va_list args;
    mem_grow(&g->findings, &g->finding_room, g->finding_count + 1, sizeof *g->findings);
    va_start(args, fmt);
    g->findings[g->finding_count++] = arena_vprintf(f->arena, fmt, args);
    va_end(args);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, stats_rising);
    return stats_median(values, n);
}

// How far the others lie from their median, as a standard deviation that a few strangers among them do not widen.
static double spread(double *logs, size_t n, double middle)
{
    for (size_t i = 0; i < n; i++) logs[i] = fabs(logs[i] - middle);
    return 1.4826 * median(logs, n);
}

static bool measured(const struct gpu_test *t) { return t->time.us > 0; }

static const struct gpu_test *same_test(const struct gpu *g, size_t test, const struct gpu_test *as)
{
    const struct gpu_test *t = &g->tests[test];
    return measured(t) && t->point == as->point ? t : NULL;
}

static const char *judged_figure(const struct fleet *f, size_t test, double value)
{
    LOCAL(str_release) struct str s = {0};
    units_print_figure(value, &s);
    const char *text = arena_printf(f->arena, "%s %s", s.text ? s.text : "", f->tests[test].unit);
    return text;
}

static void against_reference(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const struct gpu_test *should = g->reference ? same_test(g->reference, test, t) : NULL;
    if (!should) return;
    const struct ratio r = verdict_ratio(&should->time, &t->time);
    t->reference_speed = 1 / r.value;
    if (verdict_of(&r, f->threshold) == VERDICT_SLOWER)
        find(f, g, "%s: %.1f %% slower than the reference (%s, it has %s)", f->tests[test].name, 100 * (r.value - 1),
            judged_figure(f, test, t->value), judged_figure(f, test, should->value));
}

// The relative standard error of a time, as its interval tells it; 0 where there is none.
static double own_error(const struct timing *t)
{
    static double of, student; // most are over as many contexts as the one before
    const double degrees = fmax(t->contexts - 1, 1);
    if (of != degrees) student = stats_student(0.95, of = degrees);
    return t->high > t->low ? (t->high - t->low) / 2 / student / t->us : 0;
}

static void against_fleet(struct fleet *f, struct gpu *g, size_t test)
{
    enum { SURE = 4 }; // so many standard deviations: many GPUs are looked at, and many tests of each
    struct gpu_test *t = &g->tests[test];
    LOCAL(mem_drop) double *logs = mem_alloc((f->count + 1) * sizeof *logs);
    size_t n = 0, slower = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu_test *other =
            &f->gpus[i] == g || strcmp(f->gpus[i].model, g->model) != 0 ? NULL : same_test(&f->gpus[i], test, t);
        if (!other) continue;
        slower += other->time.us > t->time.us;
        logs[n++] = log(other->time.us);
    }
    if (n + 1 >= FLEET_LEAST) {
        const double middle = median(logs, n), wide = spread(logs, n, middle), own = own_error(&t->time);
        const double behind = log(t->time.us) - middle;
        t->fleet_speed = exp(-behind);
        t->percentile = 100 * (double)slower / (double)n;
        if (behind >= log1p(f->threshold) && behind > SURE * sqrt(wide * wide + own * own))
            find(f, g, "%s: %.1f %% slower than the others' median (%s)", f->tests[test].name, 100 * expm1(behind),
                judged_figure(f, test, t->value));
    }
}

static void against_itself(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const struct gpu *best = nights_best(g, test);
    if (!best) return;
    const struct ratio r = verdict_ratio(&best->tests[test].time, &t->time);
    t->own_speed = 1 / r.value;
    if (verdict_of(&r, f->threshold) == VERDICT_SLOWER)
        find(f, g, "%s: %.1f %% slower than this GPU was on %.10s (%s, it had %s)", f->tests[test].name,
            100 * (r.value - 1), best->date, judged_figure(f, test, t->value),
            judged_figure(f, test, best->tests[test].value));
}

static void judge_test(struct fleet *f, struct gpu *g, size_t test)
{
    struct gpu_test *t = &g->tests[test];
    const char *name = f->tests[test].name;
    if (!t->status) {
        find(f, g, "%s: its report has no row of it", name);
    } else if (!status_has_numbers(status_find(t->status))) {
        find(f, g, "%s: %s%s%s", name, t->status, *t->reason ? ": " : "", t->reason);
    } else if (measured(t)) {
        against_reference(f, g, test);
        against_fleet(f, g, test);
        against_itself(f, g, test);
    } else {
        find(f, g, "%s: no time was measured", name);
    }
}

// Where it was farthest below the reference's.
static void judge_clock(struct fleet *f, struct gpu *g)
{
    double least = 1 - f->threshold, mhz = NAN, should = NAN;
    const char *name = NULL;
    for (size_t i = 0; i < f->test_count && g->reference; i++) {
        const struct gpu_test *t = &g->tests[i];
        const struct gpu_test *as = measured(t) ? same_test(g->reference, i, t) : NULL;
        if (!as || !(t->clock_mhz < least * as->clock_mhz)) continue;
        least = t->clock_mhz / as->clock_mhz;
        name = f->tests[i].name;
        mhz = t->clock_mhz;
        should = as->clock_mhz;
    }
    if (name) find(f, g, "%s: clock %.0f MHz, the reference ran at %.0f", name, mhz, should);
}

static void judge_throttling(struct fleet *f, struct gpu *g)
{
    LOCAL(str_release) struct str names = {0};
    double lost = 0, all = 0;
    for (size_t i = 0; i < f->test_count; i++) {
        const struct gpu_test *t = &g->tests[i];
        const double taken = t->samples + t->discarded;
        if (!measured(t) || !(t->discarded > 0.05 * taken)) continue;
        str_addf(&names, "%s%s", names.size ? ", " : "", f->tests[i].name);
        lost += t->discarded;
        all += taken;
    }
    if (names.size) find(f, g, "%s: the clock was throttled in %.0f of %.0f samples", names.text, lost, all);
}

static bool same_host(const struct gpu *a, const struct gpu *b)
{
    return a->host && *a->host && b->host && strcmp(a->host, b->host) == 0;
}

// A GPU that was tested before, and that its host did not list when it went through all of them. What the host was
// given (by the variable that says which are visible) it must list too.
static void judge_presence(struct fleet *f, struct gpu *g)
{
    const struct gpu *last = NULL, *first = NULL;
    const char *began = "";
    size_t known = 0, there = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct gpu *other = &f->gpus[i];
        if (!same_host(other, g)) continue;
        known++;
        if (strcmp(condition_after(&other->condition, "host_began"), began) <= 0) continue;
        last = other;
        began = condition_after(&other->condition, "host_began");
    }
    if (!last) return;
    for (size_t i = 0; i < f->count; i++) {
        const bool now = same_host(&f->gpus[i], g) && strcmp(f->gpus[i].date, began) >= 0;
        there += now;
        if (now && !first) first = &f->gpus[i];
    }
    const size_t listed = strtoul(condition_after(&last->condition, "host_gpus"), NULL, 10),
                 given = strtoul(condition_after(&last->condition, "host_given"), NULL, 10);
    if (there < listed) return; // it was broken off
    if (strcmp(g->date, began) < 0 && (!given || given >= known))
        find(f, g, "not there: its host had %zu GPUs on %.10s, and not this one", listed, began);
    else if (g == first && given > listed && known <= listed)
        find(f, g, "not there: its host was given %zu GPUs, and has %zu", given, listed);
}

size_t fleet_judge(struct fleet *f)
{
    size_t ill = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t r = 0; r < f->reference_count; r++)
            if (strcmp(f->gpus[i].model, f->references[r].model) == 0) f->gpus[i].reference = &f->references[r];
    for (size_t i = 0; i < f->count; i++) {
        struct gpu *g = &f->gpus[i];
        const char *sign;
        size_t at = 0;
        for (size_t t = 0; t < f->test_count; t++) judge_test(f, g, t);
        judge_presence(f, g);
        judge_clock(f, g);
        judge_throttling(f, g);
        while ((sign = condition_finding(&g->condition, &at, f->arena))) find(f, g, "%s", sign);
        ill += g->finding_count > 0;
    }
    return ill;
}

void fleet_init(struct fleet *f, double threshold)
{
    *f = (struct fleet){.arena = arena_new(), .threshold = threshold};
}

void fleet_release(struct fleet *f)
{
    for (size_t i = 0; i < f->count + f->past; i++) free(f->gpus[i].tests), free(f->gpus[i].findings);
    for (size_t i = 0; i < f->reference_count; i++) free(f->references[i].tests), free(f->references[i].findings);
    free(f->gpus);
    free(f->references);
    free(f->tests);
    arena_free(f->arena);
    *f = (struct fleet){0};
}

struct fleet_reading { // one report
    struct fleet *fleet;
    struct table t;
    const struct cells *row;
    int status, kernel;
    int key;     // the column whose values name the tests; -1: all that vary do
    bool *vary;  // of each column between `kernel` and `status`
    char **last; // its value in the row before
};

static const char *cell(const struct fleet_reading *r, const char *column)
{
    const int at = table_column(&r->t, column);
    return at < 0 ? "" : cells_text(r->row, (size_t)at);
}

static double number(const struct fleet_reading *r, int column)
{
    double x;
    return value_number(table_value(cell(r, column_table[column].name)), &x) ? x : NAN;
}

// Which of the experiment's own columns vary, and the first of them that has another text in each row.
static bool look_at_axes(struct fleet_reading *r, struct diags *d)
{
    struct arena *a = r->fleet->arena;
    const size_t n = r->t.column_count;
    const char ***seen = arena_alloc(a, (n + 1) * sizeof *seen);
    r->vary = arena_alloc(a, (n + 1) * sizeof *r->vary);
    r->key = -1;
    for (int c = r->kernel + 1; c < r->status; c++) seen[c] = arena_alloc(a, (r->t.count + 1) * sizeof **seen);
    for (size_t i = 0; i < r->t.count; i++) {
        if (!(r->row = table_row(&r->t, i, d))) return false;
        for (int c = r->kernel + 1; c < r->status; c++) {
            seen[c][i] = arena_strdup(a, cells_text(r->row, (size_t)c));
            r->vary[c] |= i && strcmp(seen[c][i], seen[c][0]) != 0;
        }
    }
    for (int c = r->kernel + 1; c < r->status && r->key < 0; c++) {
        bool apart = r->vary[c];
        for (size_t i = 0; apart && i < r->t.count; i++)
            for (size_t j = 0; j < i; j++) apart = apart && strcmp(seen[c][i], seen[c][j]) != 0;
        if (apart) r->key = c;
    }
    return true;
}

static const char *test_name(const struct fleet_reading *r)
{
    struct str s = {0};
    if (r->key >= 0) return arena_strdup(r->fleet->arena, cells_text(r->row, (size_t)r->key));
    for (int c = r->kernel + 1; c < r->status; c++)
        if (r->vary[c]) str_addf(&s, "%s%s=%s", s.size ? " " : "", r->t.columns[c], cells_text(r->row, (size_t)c));
    const char *name = arena_strdup(r->fleet->arena, s.size ? s.text : cell(r, "experiment"));
    str_release(&s);
    return name;
}

static uint64_t point_of(const struct fleet_reading *r)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, cell(r, "experiment"));
    hash_text(&h, cell(r, "kernel"));
    for (int c = r->kernel + 1; c < r->status; c++) {
        if (strcmp(r->t.columns[c], "device") == 0) continue;
        hash_text(&h, r->t.columns[c]);
        hash_text(&h, cells_text(r->row, (size_t)c));
    }
    hash_final(h, out);
    return out[0];
}

// What a person reads: the first value that the experiment derived (its columns stand behind `counts`), else operations
// or bytes a second, else the time.
static const char *figure(const struct fleet_reading *r, double *value)
{
    struct arena *a = r->fleet->arena;
    const int counts = table_column(&r->t, "counts");
    for (size_t c = (size_t)counts + 1; counts >= 0 && c < r->t.column_count; c++) {
        const char *name = r->t.columns[c], *unit = strrchr(name, '_');
        if (strcmp(name, COLUMN_CHECKSUM) == 0) break;
        if (value_number(table_value(cells_text(r->row, c)), value))
            return arena_strdup(a, unit && unit[1] ? unit + 1 : name);
    }
    *value = number(r, COLUMN_GFLOPS);
    if (*value > 0) return column_table[COLUMN_GFLOPS].unit;
    *value = number(r, COLUMN_GBPS);
    if (*value > 0) return column_table[COLUMN_GBPS].unit;
    *value = number(r, COLUMN_TIME_US);
    return column_table[COLUMN_TIME_US].unit;
}

static size_t test_of(struct fleet *f, const char *name, const char *unit, bool make)
{
    for (size_t i = 0; i < f->test_count; i++)
        if (strcmp(f->tests[i].name, name) == 0) {
            if (!*f->tests[i].unit) f->tests[i].unit = unit;
            return i;
        }
    if (!make) return SIZE_MAX;
    mem_grow(&f->tests, &f->test_room, f->test_count + 1, sizeof *f->tests);
    f->tests[f->test_count] = (struct fleet_test){name, unit};
    for (size_t i = 0; i < f->count; i++) {
        f->gpus[i].tests = mem_resize(f->gpus[i].tests, (f->test_count + 1) * sizeof *f->gpus[i].tests);
        f->gpus[i].tests[f->test_count] = (struct gpu_test){0};
    }
    return f->test_count++;
}

static void take_row(struct fleet_reading *r, struct gpu *g, bool make)
{
    struct arena *a = r->fleet->arena;
    struct gpu_test t = {.point = point_of(r),
        .status = arena_strdup(a, cell(r, "status")),
        .reason = arena_strdup(a, cell(r, "reason")),
        .time = {number(r, COLUMN_TIME_US), number(r, COLUMN_TIME_LO_US), number(r, COLUMN_TIME_HI_US),
            number(r, COLUMN_CONTEXTS)},
        .clock_mhz = number(r, COLUMN_CLOCK_MHZ),
        .samples = number(r, COLUMN_SAMPLES),
        .discarded = number(r, COLUMN_DISCARDED),
        .reference_speed = NAN,
        .fleet_speed = NAN,
        .own_speed = NAN,
        .percentile = NAN};
    const char *unit = figure(r, &t.value);
    const size_t at = test_of(r->fleet, test_name(r), isnan(t.value) ? "" : unit, make);
    if (at != SIZE_MAX) g->tests[at] = t;
}

// Who it is: from the run file and the facts beside the report, else the report's own name.
static bool take_facts(struct fleet_reading *r, struct gpu *g, struct diags *d)
{
    struct arena *a = r->fleet->arena;
    char *text = runfile_read(g->path);
    static const struct {
        const char *name;
        int run;
        size_t to;
    } wanted[] = {{"host", -1, offsetof(struct gpu, host)}, {"started", -1, offsetof(struct gpu, date)},
        {"device_identity", 0, offsetof(struct gpu, driver)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char *value = text ? runfile_get(text, wanted[i].name, wanted[i].run) : NULL;
        const char *kept = value ? arena_strdup(a, value) : "";
        memcpy((char *)g + wanted[i].to, &kept, sizeof kept);
        free(value);
    }
    free(text);
    if (!condition_read(g->path, a, &g->condition, d)) return false;
    const char *bus = condition_after(&g->condition, "pci_bus"),
               *which = *bus ? bus : condition_identity(&g->condition);
    g->name = *which ? arena_printf(a, "%s %s", g->host, which) : g->path;
    return true;
}

static bool read_report(struct fleet *f, struct gpu *g, bool make, struct diags *d)
{
    struct fleet_reading r = {.fleet = f};
    bool ok = table_open(&r.t, g->path, d);
    r.status = ok ? table_column(&r.t, "status") : -1;
    r.kernel = ok ? table_column(&r.t, "kernel") : -1;
    if (ok && (r.status < 0 || r.kernel < 0 || table_column(&r.t, "device") < 0))
        ok = diag_user(d, (struct where){.file = g->path}, NULL,
            "is not a report of gpuexp: it has no columns `device`, `kernel` and `status`");
    if (ok && r.t.count > FLEET_ROWS)
        ok = diag_user(d, (struct where){.file = g->path}, "`gpuexp health` without a report measures one",
            "has %zu rows: a report of a GPU's health has at most %d", r.t.count, FLEET_ROWS);
    ok = ok && look_at_axes(&r, d);
    for (size_t i = 0; ok && i < r.t.count; i++) {
        if (!(r.row = table_row(&r.t, i, d))) ok = false;
        else if (!g->model) g->model = arena_strdup(f->arena, cell(&r, "device"));
        else if (strcmp(g->model, cell(&r, "device")) != 0)
            ok = diag_user(d, (struct where){.file = g->path}, "one report of each GPU is asked for",
                "has rows of %s and of %s", g->model, cell(&r, "device"));
        if (ok) take_row(&r, g, make);
    }
    if (ok && !g->model) ok = diag_user(d, (struct where){.file = g->path}, NULL, "has no rows");
    ok = ok && take_facts(&r, g, d);
    table_close(&r.t);
    return ok;
}

static struct gpu *add(struct gpu **list, size_t *count, size_t *room, const struct fleet *f, const char *path)
{
    mem_grow(list, room, *count + 1, sizeof **list);
    struct gpu *g = &(*list)[(*count)++];
    *g = (struct gpu){.path = arena_strdup(f->arena, path)};
    g->tests = mem_alloc((f->test_count + 1) * sizeof *g->tests);
    return g;
}

bool fleet_add(struct fleet *f, const char *path, struct diags *d)
{
    return read_report(f, add(&f->gpus, &f->count, &f->room, f, path), true, d);
}

bool fleet_add_reference(struct fleet *f, const char *path, struct diags *d)
{
    return read_report(f, add(&f->references, &f->reference_count, &f->reference_room, f, path), false, d);
}

void fleet_folder(const char *model, char name[64])
{
    const bool part = strstr(model, " MIG ") != NULL;
    size_t n = 0;
    name[0] = '\0';
    for (const char *p = model; *p && (part || !strpbrk(name, "0123456789")); p += *p != '\0') {
        if (!strpbrk(name, "0123456789")) n = 0;
        else if (n + 1 < 64) name[n++] = '-';
        for (; isalnum((unsigned char)*p); p++)
            if (n + 1 < 64) name[n++] = (char)tolower((unsigned char)*p);
        name[n] = '\0';
    }
}

// What is there under that name may be of another model: a whole GPU is no measure of a slice.
static bool add_from(struct fleet *f, const char *model, const char *folder, const char *name, bool *found,
    struct diags *d)
{
    LOCAL(str_release) struct str kind = {0};
    str_addf(&kind, "reports/%s", folder);
    char *path = *folder ? file_find(kind.text, name, ".csv") : NULL;
    const bool ok = !path || fleet_add_reference(f, path, d);
    if (path && ok) {
        const struct gpu *last = &f->references[f->reference_count - 1];
        *found = strcmp(last->model, model) == 0;
        if (!*found) free(last->tests), f->reference_count--;
    }
    free(path);
    return ok;
}

static bool add_for(struct fleet *f, const char *model, const char *name, struct diags *d)
{
    char folder[64];
    bool found = false;
    fleet_folder(model, folder);
    bool ok = add_from(f, model, folder, name, &found, d);
    for (const char *p = model; *p && ok && !found; p += *p != '\0') {
        size_t n = 0;
        for (; isalnum((unsigned char)*p); p++)
            if (n + 1 < sizeof folder) folder[n++] = (char)tolower((unsigned char)*p);
        folder[n] = '\0';
        ok = add_from(f, model, folder, name, &found, d);
    }
    return ok;
}

bool fleet_find_references(struct fleet *f, const char *name, struct diags *d)
{
    for (size_t i = 0; i < f->count; i++) {
        bool before = false;
        for (size_t j = 0; j < i; j++) before = before || strcmp(f->gpus[i].model, f->gpus[j].model) == 0;
        if (!before && !add_for(f, f->gpus[i].model, name, d)) return false;
    }
    return true;
}

bool fleet_same_gpu(const char *one, const char *other, bool *same, struct diags *d)
{
    struct condition c[2];
    struct arena *a = arena_new();
    const bool ok = condition_read(one, a, &c[0], d) && condition_read(other, a, &c[1], d);
    *same = ok && strcmp(condition_identity(&c[0]), condition_identity(&c[1])) == 0;
    arena_free(a);
    return ok;
}

size_t fleet_miss(struct fleet *f, const char *nodes)
{
    size_t count = 0;
    f->untested = arena_alloc(f->arena, (strlen(nodes) + 2) * sizeof *f->untested);
    for (const char *p = nodes; *p; p += *p == ',') {
        const size_t n = strcspn(p, ",");
        bool found = !n;
        for (size_t i = 0; i < f->count && !found; i++) {
            const char *host = f->gpus[i].host; // perhaps with its domain
            found = strncmp(host, p, n) == 0 && (!host[n] || host[n] == '.');
        }
        if (!found) f->untested[count++] = arena_strndup(f->arena, p, n);
        p += n;
    }
    return count;
}
