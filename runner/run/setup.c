// What comes before the first point: the header, the devices, the report and its run file, and which points are still
// to do.
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/child.h"
#include "base/file.h"
#include "plan/asks.h"
#include "run/engine.h"
#include "run/interrupt.h"
#include "store/aside.h"
#include "store/each_launch.h"
#include "store/head.h"
#include "store/keys.h"
#include "store/merge.h"
#include "store/runfile.h"
#include "store/samples.h"

static void engine_drop_measured(struct engine *);

// Finds rows by their keys: a key says all that decides a number, so whoever measured it does not matter.

struct adopting {
    struct engine *engine;
    struct keys have; // of the other file
    struct table table;
    const char *path;
    struct lookup wanted; // by key, of the rows that are taken from it: their numbers
    size_t *rows, count, room;
};

static uint64_t hash_of(const char *key)
{
    struct hash h;
    uint64_t out[2];
    hash_init(&h);
    hash_text(&h, key);
    hash_final(h, out);
    return out[0];
}

// What this run would call the point, on each of its devices.
static void look_for(struct adopting *a, size_t point)
{
    struct engine *e = a->engine;
    LOCAL(arena_drop) struct arena *arena = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    struct value *values = arena_alloc(arena, (e->head.name_count + 1) * sizeof *values);
    struct job job;
    plan_values(e->plan, point, values);
    const bool made = job_make(e->plan, values, arena, &job, &ignored);
    for (size_t i = 0; made && i < e->lanes.count; i++) {
        const struct lane *lane = &e->lanes.items[i];
        char key[17];
        if (e->lanes.swept && strcmp(lane->asked, engine_device(e, values)) != 0) continue;
        engine_key(e, lane, &job, values, key);
        const struct key_row *row = keys_find(&a->have, key);
        if (!row || !row->measured) continue;
        mem_grow(&a->rows, &a->room, a->count + 1, sizeof *a->rows);
        a->rows[a->count++] = (size_t)(row - a->have.rows);
        lookup_add(&a->wanted, hash_of(key), (size_t)(row - a->have.rows));
        break;
    }
}

static bool is_wanted(void *context, const char *key, size_t i)
{
    const struct adopting *a = context;
    size_t at = 0, row;
    const uint64_t hash = hash_of(key);
    (void)i;
    while ((row = lookup_next(&a->wanted, hash, &at)) != LOOKUP_NONE && strcmp(a->have.rows[row].key, key) != 0) {}
    return row != LOOKUP_NONE;
}

// First the lines that a row rests on, then the row.
static bool take_rows(struct adopting *a)
{
    struct engine *e = a->engine;
    const char *const one[] = {a->path, NULL};
    const struct row_lines_from from = {.reports = one, .wanted = is_wanted, .context = a};
    bool ok = row_lines_copy(&each_launch_table, &from, &e->launches, e->diags) && kept_sync(&e->launches, e->diags) &&
        row_lines_copy(&samples_table, &from, &e->samples, e->diags);
    for (size_t i = 0; ok && i < a->count; i++) {
        const struct key_row *row = &a->have.rows[a->rows[i]];
        size_t size;
        const char *text = table_text(&a->table, a->rows[i], &size);
        ok = text && report_adopt(e->report, text, size, row->key, a->have.devices[row->device], e->diags);
    }
    return ok && report_sync(e->report, e->diags);
}

// Its rows are ours as they stand only under the same header.
static bool same_header(const struct engine *e, struct table *t)
{
    LOCAL(str_release) struct str header = {0};
    size_t size;
    head_text(&e->head, &header);
    const char *text = table_text(t, SIZE_MAX, &size);
    return text && size == header.size && memcmp(text, header.text, size) == 0;
}

// A file that cannot be read is as good as none: its points are measured, and whoever merges it is told.
static bool adopt_from(struct engine *e, const char *path, size_t *taken)
{
    struct adopting a = {.engine = e, .path = path};
    LOCAL(diags_clear) struct diags unheard = {0};
    bool ok = true;
    keys_init(&a.have);
    if (table_open(&a.table, path, &unheard) && same_header(e, &a.table) && keys_read(&a.have, &a.table, &unheard)) {
        for (size_t i = e->todo.next; i < e->todo.count; i++) look_for(&a, e->todo.points[i]);
        ok = !a.count || take_rows(&a);
        *taken += a.count;
    }
    keys_free(&a.have);
    table_close(&a.table);
    lookup_release(&a.wanted);
    free(a.rows);
    return ok;
}

// A plan that was cut into four shards and is cut into three now.
//
// Copies the measured rows of this shard's points that shards of another count beside it have, with what stands beside
// those rows, into this shard's report. False after diags: it cannot be written.
static bool adopt(struct engine *e)
{
    char whole[4096], other[4096], note[160];
    unsigned own, of, shard, shards;
    size_t taken = 0;
    bool ok = true;
    if (e->options->shards < 2 || e->options->fresh || !merge_shard_name(e->path, &own, &of, whole)) return true;
    char **list = merge_shards(whole, e->diags);
    ok = list != NULL;
    for (size_t i = 0; ok && list[i]; i++)
        if (merge_shard_name(list[i], &shard, &shards, other) && shards != of) {
            const size_t before = taken;
            ok = adopt_from(e, list[i], &taken);
            if (ok && taken > before) engine_drop_measured(e);
        }
    merge_shards_free(list);
    if (!ok || !taken) return ok;
    snprintf(note, sizeof note, "%zu point%s measured by shards of another count: not measured again", taken,
        taken == 1 ? " was" : "s were");
    RUN_TELL(e->observer, note, each->context, note);
    return true;
}

// One other shard is looked at, the first that has begun: a thousand tasks that begin together must not read a thousand
// files each. Where none has rows yet it is decided under a lock: a shard that holds its report's lock, and whose run
// file is there, has been let through.

enum { LOOKED_AT = 64 };

struct shards {
    const struct engine *engine;
    char report[4096], *ours; // the merged report's path; this run's devices
    unsigned mine, count;
    char *theirs, other[4200]; // the shard that has begun, and its devices; NULL: none has
};

// Has it a line behind its header?
static bool has_rows(const char *path)
{
    FILE *f = fopen(path, "re");
    int c = 0, lines = 0;
    while (f && lines < 1 && (c = getc(f)) != EOF) lines += c == '\n';
    const bool more = f && lines && getc(f) != EOF;
    if (f) fclose(f);
    return more;
}

static char *devices_of(const char *shard)
{
    char *facts = runfile_read(shard), *devices = facts ? runfile_get(facts, "device", 0) : NULL;
    free(facts);
    return devices;
}

// `let_through`: it has no rows perhaps, but runs.
static bool has_begun(struct shards *s, const char *shard, bool let_through)
{
    struct lock_view v;
    if (!file_exists(shard) || strcmp(shard, s->engine->path) == 0) return false;
    if (!has_rows(shard) && !(let_through && lock_view(shard, &v))) return false;
    snprintf(s->other, sizeof s->other, "%s", shard);
    return (s->theirs = devices_of(shard));
}

static bool find_begun(struct shards *s, bool let_through)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    char path[4200];
    bool found = false;
    for (unsigned k = 1; k <= s->count && k <= LOOKED_AT && !found; k++) {
        snprintf(path, sizeof path, "%.*s.%u-of-%u.csv", (int)(strlen(s->report) - strlen(".csv")), s->report, k,
            s->count);
        found = has_begun(s, path, let_through);
    }
    char **all = found ? NULL : merge_shards(s->report, &ignored); // cut otherwise too, or begun from the middle
    for (size_t i = 0; all && all[i] && !found; i++) found = has_begun(s, all[i], let_through);
    merge_shards_free(all);
    return found;
}

static bool refuse(const struct shards *s)
{
    if (strcmp(s->theirs, s->ours) == 0) return false;
    const char *slash = strrchr(s->other, '/');
    diag_system(s->engine->diags, "ask the scheduler for one model of GPU for all tasks, and submit again",
        "this task measures on %s, and %s was begun on %s: their rows are not to be joined; nothing was measured",
        s->ours, slash ? slash + 1 : s->other, s->theirs);
    return true;
}

static bool begin(struct engine *e, const struct run_summary *at_start)
{
    return record_run(&e->runfile, &e->lanes, e->options, at_start, false, e->diags);
}

// The shards of a sweep are measured on one model of GPU: writes the run file that says which device measures, unless
// another shard is on another model: then false after diags. Of two that begin together the one that comes first goes
// on.
static bool one_model(struct engine *e, const struct lock_wait *wait, const struct run_summary *at_start)
{
    struct shards s = {.engine = e};
    struct str ours = {0};
    if (!e->options->one_model || !merge_shard_name(e->path, &s.mine, &s.count, s.report)) return begin(e, at_start);
    lanes_print(&e->lanes, &ours);
    s.ours = str_take(&ours);
    bool good;
    if (find_begun(&s, false)) {
        good = !refuse(&s) && begin(e, at_start);
    } else {
        LOCAL(mem_drop) char *model = beside_with(s.report, ".model");
        struct lock *l = lock_take(model, wait, e->diags);
        good = l && !(find_begun(&s, true) && refuse(&s)) && begin(e, at_start);
        lock_release(l);
    }
    free(s.theirs);
    free(s.ours);
    return good;
}

char *run_report_path(const struct experiment *e, const struct run_options *o)
{
    struct str s = {0};
    bool shard = o->shards > 1;
    if (!o->report) str_addf(&s, "reports/%s", e->name);
    else str_add(&s, o->report);
    if (s.size > 4 && strcmp(s.text + s.size - 4, ".csv") == 0) s.text[s.size -= 4] = '\0';
    else if (o->report && !shard) return str_take(&s); // the user's own name, unchanged
    if (shard) str_addf(&s, ".%u-of-%u", o->shard, o->shards);
    str_add(&s, ".csv");
    return str_take(&s);
}

void engine_say(struct engine *e, struct diags *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct diag *x = &from->items[i];
        LOCAL(str_release) struct str s = {0};
        if (x->kind == DIAG_WARNING) {
            if (x->at.file && x->at.line) str_addf(&s, "%s:%d: ", x->at.file, x->at.line);
            else if (x->at.file) str_addf(&s, "%s: ", x->at.file);
            str_add(&s, x->what);
            RUN_TELL(e->observer, note, each->context, s.text);
        } else {
            diag_add(e->diags, x->kind, x->at, x->hint, "%s", x->what);
        }
    }
    diags_clear(from);
}

// Whether the file sets `counters: both` anywhere.
static bool counts_both(const struct plan *plan)
{
    size_t names = plan_name_count(plan), at = names;
    LOCAL(mem_drop) struct value *values = mem_alloc((names + 1) * sizeof *values);
    bool both = false;
    for (size_t i = 0; i < names; i++)
        if (strcmp(plan_name(plan, i), "counters") == 0) at = i;
    for (size_t p = 0; at < names && p < plan_count(plan) && !both; p++) {
        plan_values(plan, p, values);
        both = values[at].kind == VALUE_TEXT && strcmp(values[at].text, "both") == 0;
    }
    return both;
}

static void make_head(struct engine *e)
{
    const struct experiment *x = plan_experiment(e->plan);
    const char **names, **reports, **derived;
    size_t name_count = plan_name_count(e->plan), report_count = x->kernel->report_count,
           derived_count = x->derive_count;
    const char *const *more = plan_script(e->plan) ? script_facts(plan_script(e->plan))->columns : NULL;
    for (size_t i = 0; more && more[i]; i++) derived_count++;
    names = arena_alloc(e->arena, (name_count + 1) * sizeof *names);
    reports = arena_alloc(e->arena, (report_count + 1) * sizeof *reports);
    derived = arena_alloc(e->arena, (derived_count + 1) * sizeof *derived);
    for (size_t i = 0; i < name_count; i++) names[i] = plan_name(e->plan, i);
    for (size_t i = 0; i < report_count; i++) reports[i] = x->kernel->reports[i].name;
    for (size_t i = 0; i < x->derive_count; i++) derived[i] = x->derive[i].name;
    for (size_t i = x->derive_count; i < derived_count; i++) derived[i] = more[i - x->derive_count];
    e->head = (struct report_head){.experiment = x->name,
        .kernel = x->kernel->name,
        .names = names,
        .name_count = name_count,
        .reports = reports,
        .report_count = report_count < RESULT_REPORTS ? report_count : RESULT_REPORTS,
        .derived = derived,
        .derived_count = derived_count,
        .both = counts_both(e->plan)};
}

const char *engine_device(const struct engine *e, const struct value *values)
{
    for (size_t i = 0; i < e->head.name_count; i++)
        if (strcmp(e->head.names[i], "device") == 0 && values[i].kind == VALUE_TEXT) return values[i].text;
    return setting_default(SETTING_DEVICE).text;
}

void engine_key(const struct engine *e, const struct lane *lane, const struct job *job, const struct value *values,
    char key[17])
{
    struct hash h;
    char hex[33];
    if (job) {
        // A row that was measured when nothing asked for counts has none.
        const bool counted = lane->id.timed && job->counts && asks_is(job, SETTING_COUNTERS, "auto");
        char identity[sizeof lane->id.identity + 16];
        snprintf(identity, sizeof identity, "%s%s", lane->id.identity, counted ? ", counted" : "");
        job_key(job, identity, e->version, key);
        return;
    }
    hash_init(&h);
    hash_text(&h, e->head.experiment);
    for (size_t i = 0; i < e->head.name_count; i++) value_hash(values[i], &h);
    hash_hex(h, hex);
    memcpy(key, hex, 16);
    key[16] = '\0';
}

// Tells the report the place in the plan of every point that has a row, from any device of the run.
static bool wanted(void *context, size_t point)
{
    struct engine *e = context;
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(diags_clear) struct diags ignored = {0};
    struct value *values = arena_alloc(a, (e->head.name_count + 1) * sizeof *values);
    struct job job;
    bool found = false;
    plan_values(e->plan, point, values);
    bool made = job_make(e->plan, values, a, &job, &ignored);
    for (size_t i = 0; i < e->lanes.count && !found; i++) {
        const struct lane *lane = &e->lanes.items[i];
        char key[17];
        if (e->lanes.swept && strcmp(lane->asked, engine_device(e, values)) != 0) continue;
        if (i && strcmp(lane->id.identity, lane[-1].id.identity) == 0) continue;
        engine_key(e, lane, made ? &job : NULL, values, key);
        found = report_assign(e->report, key, point + 1);
        if (found) run_script_key(&e->scripted, point, key);
    }
    return !found;
}

static bool asked_for(void *context, size_t point)
{
    const struct engine *e = context;
    return e->options->wants(e->options->wants_context, e->plan, point);
}

static bool check_devices(struct engine *e)
{
    const char **names = arena_alloc(e->arena, 2 * e->lanes.count * sizeof *names);
    for (size_t i = 0; i < e->lanes.count; i++) {
        names[2 * i] = e->lanes.items[i].id.name;
        names[2 * i + 1] = e->lanes.items[i].name;
    }
    return report_devices(e->report, names, 2 * e->lanes.count, e->diags);
}

static bool stop_waiting(void *context) { return (void)context, interrupt_signal() != 0; }

static void say_waiting(void *context, const char *line)
{
    const struct engine *e = context;
    RUN_TELL(e->observer, note, each->context, line);
}

// In a process of its own, because workers are forked from here (base/child.h). Where no compiler is found, the device
// says so for each point.
struct compiler_answer {
    char name[64], unsure[256];
};

static void ask_compiler(const void *unused, void *answer)
{
    struct compiler_answer *a = answer;
    struct diags unsaid = {0};
    const char *name = compile_compiler(&unsaid);
    (void)unused;
    snprintf(a->name, sizeof a->name, "%s", name ? name : "none");
    if (!name && !compile_sure()) snprintf(a->unsure, sizeof a->unsure, "%s", diags_first(&unsaid));
}

// The compiler is a part of every row's key: where it cannot be asked nothing is measured under another name.
static bool find_compiler(struct compiler_answer *a, struct diags *d)
{
    if (!apart_ask(ask_compiler, NULL, a, sizeof *a))
        return diag_system(d, "run it again", "which compiler is here cannot be asked: %s",
            errno == ECHILD ? "the process that looked was killed" : strerror(errno));
    return !*a->unsure || diag_system(d, "run it again", "%s", a->unsure);
}

// Rows of the kernel's earlier text answer another question.
static bool put_aside(struct engine *e)
{
    size_t moved, dropped;
    struct str s = {0};
    if (!report_put_aside(e->report, &moved, &dropped, e->diags)) return false;
    LOCAL(mem_drop) char *path = beside_path(e->path, BESIDE_OLD);
    str_addf(&s, "the kernel was edited: %zu row%s of its earlier text %s now in %s", moved, moved == 1 ? "" : "s",
        moved == 1 ? "is" : "are", path);
    if (dropped) str_addf(&s, "; its %zu oldest rows were dropped: it keeps %d MiB", dropped, ASIDE_MOST_BYTES >> 20);
    if (moved) RUN_TELL(e->observer, note, each->context, s.text);
    str_release(&s);
    return true;
}

// A report that is named like a file beside another one would be taken for it. (A shard is named after the whole.)
static bool may_be_named(const struct engine *e)
{
    struct run_options whole = *e->options;
    whole.shards = 0;
    LOCAL(mem_drop) char *path = run_report_path(plan_experiment(e->plan), &whole);
    const char *taken = beside_named(path, true);
    if (taken)
        diag_user(e->diags, (struct where){.file = path}, "name another file with -o",
            "cannot be a report: what ends in %s stands beside one", taken);
    return !taken;
}

// Before anything is measured: what cannot be read now cannot be added to later.
static bool open_beside(struct engine *e, struct diags *d)
{
    struct lock *l = report_lock(e->report);
    const bool shared = report_shared(e->report);
    return runfile_fits(e->path, d) && row_lines_open(&e->launches, &each_launch_table, l, e->path, shared, d) &&
        row_lines_open(&e->samples, &samples_table, l, e->path, shared, d) &&
        (e->parts = parts_open(l, e->path, shared, d));
}

// Points that have a row by now are not to do any more
static void engine_drop_measured(struct engine *e) { todo_keep(&e->todo, wanted, e); }

// Two values and one degree of freedom: their interval is nine times as wide as they are apart.
static bool contexts_suffice(const struct engine *e)
{
    bool draws = false;
    for (size_t i = 0; i < e->lanes.count; i++) draws |= e->lanes.items[i].id.draws;
    if (!draws || e->options->rounds > 1 || plan_experiment(e->plan)->goals.contexts != 2) return true;
    return diag_user(e->diags, (struct where){.file = plan_experiment(e->plan)->file},
        "3 or more; 1 is a quick look (`gpuexp describe contexts`)",
        "`contexts: 2` gives no interval: two values do not tell how far the next one lies");
}

bool engine_open(struct engine *e)
{
    const struct experiment *x = plan_experiment(e->plan);
    struct lock_wait wait = {
        .seconds = e->options->lock_wait_s, .give_up = stop_waiting, .say = say_waiting, .context = e};
    struct sandbox_limits limits = {.seed = e->options->seed};
    plan_seed(e->plan, e->options->seed);
    struct diags said = {0};
    struct compiler_answer compiler = {0};
    e->arena = arena_new();
    if (!may_be_named(e)) return false;
    char *named = run_report_path(x, e->options);
    e->path = file_real(named, e->diags);
    free(named);
    if (!e->path) return false;
    e->sandbox = sandbox_new(&limits);
    sandbox_sizeof(e->sandbox, kernel_type_size);
    make_head(e);
    char hash[33];
    record_text(x, hash);
    e->head.text_hash = arena_strdup(e->arena, hash);
    shape_init(&e->shape, &e->head);
    e->derive = derive_new(x, &e->shape, e->sandbox, e->diags);
    if (!e->derive || !run_script_open(e)) return false;
    e->report = report_open(e->path, &e->head, e->options->fresh, &wait, &said);
    e->waited = !e->report && interrupt_signal(); // a signal came while it waited: not an error
    for (size_t i = 0; e->waited && i < said.count; i++) said.items[i].kind = DIAG_WARNING;
    const bool opened = e->report && open_beside(e, &said);
    engine_say(e, &said);
    if (e->report && !opened) return false;
    // Rows that are there tell of all devices.
    const bool late = e->options->worth_s > 0 && e->report && !report_rows(e->report);
    if (!e->report || !lanes_begin(&e->lanes, e->plan, e->options, late, e->diags)) return false;
    if (!find_compiler(&compiler, e->diags)) return false; // while the devices open
    e->compiler = arena_strdup(e->arena, compiler.name);
    e->version = arena_printf(e->arena, "gpuexp %s, %s", GPUEXP_VERSION, compiler.name);
    if (!lanes_open(&e->lanes, e->plan, e->options->rounds, e->observer, e->diags) || !check_devices(e) ||
        !contexts_suffice(e))
        return false;
    if (x->for_device) RUN_TELL(e->observer, note, each->context, x->for_device);
    for (size_t i = 0; i < e->lanes.count; i++)
        if (e->lanes.items[i].visits > e->contexts) e->contexts = e->lanes.items[i].visits;
    todo_init(&e->todo, e->plan, e->options->seed, e->options->shards > 1 ? e->options->shard : 1,
        e->options->shards > 1 ? e->options->shards : 1);
    if (e->options->wants) todo_keep(&e->todo, asked_for, e);
    e->points = e->todo.count;
    if (!record_open(&e->runfile, e->path, e->plan, &e->lanes, compiler.name, e->options, e->points,
            report_rows(e->report) > 0, e->diags))
        return false;
    e->runfile.lock = report_lock(e->report);
    if (report_rows(e->report)) todo_keep(&e->todo, wanted, e);
    if (report_edited(e->report) && !put_aside(e)) return false;
    if (!adopt(e)) return false;
    todo_workers(&e->todo, e->lanes.count);
    e->todo_count = e->todo.count;
    struct run_summary at_start = {.kept = e->points - e->todo_count};
    return one_model(e, &(struct lock_wait){.seconds = 60, .give_up = stop_waiting, .context = e}, &at_start);
}

void engine_add_point(struct engine *e, size_t point)
{
    e->points++;
    if (report_rows(e->report) && !wanted(e, point)) return;
    todo_append(&e->todo, point);
    e->todo_count++;
}

void engine_close(struct engine *e)
{
    free(e->written);
    lanes_close(&e->lanes);
    parts_close(e->parts);
    kept_close(&e->launches);
    kept_close(&e->samples);
    report_close(e->report);
    runfile_release(&e->runfile);
    todo_release(&e->todo);
    derive_free(e->derive);
    run_script_close(&e->scripted);
    if (e->shape.arena) shape_release(&e->shape);
    if (e->sandbox) sandbox_free(e->sandbox);
    if (e->arena) arena_free(e->arena);
    free(e->path);
}
