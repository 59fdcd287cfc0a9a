// store/merge: shards become one report in plan order; files that do not belong together are refused by name; missing
// points are named.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/file.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "store/cells.h"
#include "store/merge.h"
#include "store/report.h"
#include "store/runfile.h"
#include "store/samples.h"
#include "store/table.h"
#include "unit/test.h"

enum { POINTS = 20, SHARDS = 3 };
static char folder[] = "/tmp/gpuexp-merge-XXXXXX", whole[80];
static struct str said;

static void say(void *context, const char *line) { (void)context, str_addf(&said, "%s\n", line); }

struct made { // how a shard is made
    const char *plan, *device, *host;
    size_t shift, last; // keys begin at shift; no points beyond last
    enum status status;
    bool unfinished, both;             // both: it has the simulator's columns too
    const char *seed, *measure, *when; // when: its year
    unsigned broken;                   // claims that do not hold
    double units;                      // what each count is a multiple of
};
static const struct made usual = {.plan = "p", .device = "sim", .host = "n1", .last = POINTS};

static void shard_path(unsigned shard, char path[96])
{
    snprintf(path, 96, "%s/r.%u-of-%d.csv", folder, shard, SHARDS);
}

static void add_row(struct report *r, size_t point, const struct made *m, struct diags *d)
{
    static const char *const texts[] = {"plain", "a,b", "\"q\"", "two\nlines"};
    struct result result;
    struct value values[1] = {value_text(texts[point % 4])};
    struct row row = {.point = point, .values = values, .result = &result, .reason = ""};
    result_init(&result);
    result.status = m->status;
    result.columns[COLUMN_LD_SECTORS] = (double)point * (m->units > 0 ? m->units : 1000);
    snprintf(result.device, sizeof result.device, "%s", m->device);
    snprintf(row.key, sizeof row.key, "%016zx", point + m->shift);
    CHECK(report_append(r, &row, d));
    (void)report_assign(r, row.key, point);
}

static void make_facts(const char *path, const struct made *m, unsigned shard, struct diags *d)
{
    struct runfile f;
    runfile_init(&f, path);
    runfile_fact(&f, "experiment", "e");
    runfile_factf(&f, "points", "%d", POINTS);
    runfile_fact(&f, "plan", m->plan);
    runfile_factf(&f, "shard", "%u", shard);
    runfile_fact(&f, "seed", m->seed ? m->seed : "0");
    runfile_fact(&f, "measure", m->measure ? m->measure : "as always");
    runfile_fact(&f, "device_identity", m->device);
    runfile_block(&f, "text", "experiment: e\n");
    runfile_run(&f, "started", "%s-01-01T00:00:00Z", m->when ? m->when : "2020");
    runfile_run(&f, "finished", "%s-01-02T00:00:00Z", m->when ? m->when : "2020");
    runfile_run(&f, "host", "%s", m->host);
    runfile_run(&f, "broken", "%u", m->broken);
    runfile_run(&f, "left", "%d", m->unfinished);
    CHECK(runfile_write(&f, d));
    runfile_release(&f);
}

static void make(const char *path, unsigned shard, unsigned shards, const struct made *m)
{
    static const char *const names[] = {"name"};
    struct diags d = {0};
    struct report_head head = {.experiment = "e", .kernel = "k", .names = names, .name_count = 1, .both = m->both};
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(r != NULL);
    if (!r) return;
    for (size_t p = m->last; p >= 1; p--) // not in order
        if (p % shards == shard - 1) add_row(r, p, m, &d);
    if (!m->unfinished) CHECK(report_finish(r, &d));
    report_close(r);
    make_facts(path, m, shard, &d);
    CHECK_INT(d.count, 0);
}

static void make_shard(unsigned shard, const struct made *m)
{
    char path[96];
    shard_path(shard, path);
    make(path, shard, SHARDS, m);
}

static void start(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    CHECK(system(command) == 0);
    str_clear(&said);
}

static int merge(bool mixed, struct merge_summary *s, struct diags *d)
{
    const char *inputs[] = {whole};
    struct merge_options o = {.inputs = inputs, .input_count = 1, .mixed = mixed};
    str_clear(&said);
    return report_merge(&o, s, say, NULL, d);
}

static char *text_of(const char *path)
{
    struct diags d = {0};
    char *text = file_read(path, 1 << 20, NULL, &d);
    diags_clear(&d);
    return text;
}

static void names_of_shards(void)
{
    unsigned i, n;
    char report[4096];
    CHECK(merge_shard_name("reports/a.b.3-of-12.csv", &i, &n, report));
    CHECK_INT(i, 3);
    CHECK_INT(n, 12);
    CHECK_TEXT(report, "reports/a.b.csv");
    CHECK(!merge_shard_name("reports/a.csv", &i, &n, report));
    CHECK(!merge_shard_name("reports/3-of-12.csv", &i, &n, report));
    CHECK(!merge_shard_name("a.13-of-12.csv", &i, &n, report));
    CHECK(!merge_shard_name("a.0-of-12.csv", &i, &n, report));
    CHECK(!merge_shard_name("a.1-of-12x.csv", &i, &n, report));
}

static void shards_make_the_report_of_one_run(void)
{
    struct diags d = {0};
    struct merge_summary s;
    char single[96], *one, *merged, *again;
    start();
    snprintf(single, sizeof single, "%s/single.csv", folder);
    make(single, 1, 1, &usual);
    make_shard(1, &usual);
    make_shard(2, &usual);
    make_shard(3,
        &(struct made){.plan = "p", .device = "sim", .host = "n1", .last = POINTS, .unfinished = true}); // not in order
    CHECK_INT(merge(false, &s, &d), 0);
    CHECK_INT(s.rows, POINTS);
    CHECK_INT(s.missing, 0);
    CHECK_INT(s.status[STATUS_OK], POINTS);
    one = text_of(single), merged = text_of(whole);
    CHECK_TEXT(merged, one);
    CHECK_INT(merge(false, &s, &d), 0); // safe to repeat
    again = text_of(whole);
    CHECK_TEXT(again, one);
    free(again);
    char path[96];
    shard_path(2, path);
    CHECK_INT(unlink(path), 0); // and when the shards are gone, what was merged stays
    CHECK_INT(merge(false, &s, &d), 0);
    again = text_of(whole);
    CHECK_TEXT(again, one);
    CHECK(strstr(said.text, "shard 2 of 3: no file") != NULL);
    free(again);
    free(one);
    free(merged);
    char *facts = runfile_read(whole), *plan = runfile_get(facts, "plan", 0), *shard = runfile_get(facts, "shard", 0);
    CHECK_TEXT(plan, "p");
    CHECK_TEXT(shard, "1");
    CHECK(strstr(facts, "  experiment: e\n") != NULL);
    free(facts);
    free(plan);
    free(shard);
    CHECK_INT(d.count, 0);
}

static void what_is_missing_is_named(void)
{
    struct diags d = {0};
    struct merge_summary s;
    start();
    make_shard(1, &usual);
    make_shard(3, &(struct made){.plan = "p", .device = "sim", .host = "n1", .last = 15, .unfinished = true});
    CHECK_INT(merge(false, &s, &d), 75);
    CHECK_INT(s.missing, 9);
    CHECK(strstr(said.text, "missing: 9 of 20 points (1, 4, 7, 10, 13, 16-17, 19-20)") != NULL);
    CHECK(strstr(said.text, "shard 2 of 3: no file") != NULL);
    CHECK(strstr(said.text, "r.3-of-3.csv: its last run left 1 points") != NULL);
    CHECK_INT(d.count, 0);
    start();
    CHECK_INT(merge(false, &s, &d), 2);
    CHECK_TEXT(diags_first(&d), "has no shards beside it");
    diags_clear(&d);
}

static void refused(const struct made *second, const char *why, int mixed_status)
{
    struct diags d = {0};
    struct merge_summary s;
    start();
    make_shard(1, &usual);
    make_shard(2, second);
    make_shard(3, &usual);
    CHECK_INT(merge(false, &s, &d), 2);
    CHECK(strstr(diags_first(&d), why) != NULL);
    if (!strstr(diags_first(&d), why)) printf("said: %s\n", diags_first(&d));
    CHECK(!file_exists(whole));
    diags_clear(&d);
    CHECK_INT(merge(true, &s, &d), mixed_status);
    diags_clear(&d);
}

// A shard that was put back ran on another host the second time, whose name the first one's begins with.
static void each_host_of_a_shard_is_named(void)
{
    struct diags d = {0};
    struct merge_summary s;
    struct table t;
    char path[128];
    start();
    for (unsigned k = 1; k <= SHARDS; k++)
        make_shard(k, &(struct made){.plan = "p", .device = "sim", .host = "n10", .last = POINTS});
    snprintf(path, sizeof path, "%s/r.2-of-3.run.yaml", folder);
    FILE *f = fopen(path, "a");
    CHECK(f && fputs("  - host: \"n1\"\n    left: 0\n", f) >= 0 && fclose(f) == 0);
    CHECK_INT(merge(true, &s, &d), 0);
    CHECK(table_open(&t, whole, &d));
    const int host = table_column(&t, "host"), point = table_column(&t, "point");
    for (size_t i = 0; i < t.count && host >= 0; i++) {
        const struct cells *row = table_row(&t, i, &d);
        const bool second = atoi(cells_text(row, (size_t)point)) % SHARDS == 1;
        CHECK_TEXT(cells_text(row, (size_t)host), second ? "n10 n1" : "n10");
    }
    CHECK(host >= 0);
    table_close(&t);
    diags_clear(&d);
}

static void another_plan_or_device_is_refused_by_name(void)
{
    struct diags d = {0};
    struct table t;
    refused(&(struct made){.plan = "q", .device = "sim", .host = "n1", .last = POINTS}, "has another plan than", 2);
    refused(&(struct made){.plan = "p", .device = "sim", .host = "n1", .last = POINTS, .seed = "7"},
        "has another seed than", 2);
    refused(&(struct made){.plan = "p", .device = "sim", .host = "n1", .last = POINTS, .measure = "in haste"},
        "has another measure than", 2);
    refused(&(struct made){.plan = "p", .device = "sim", .host = "n1", .last = POINTS, .both = true},
        "is of another plan than", 2);
    refused(&(struct made){.plan = "p", .device = "sim:h200", .host = "n2", .last = POINTS},
        "has another device_identity than", 0);
    CHECK(table_open(&t, whole, &d)); // --mixed says where each row is from
    int host = table_column(&t, "host"), point = table_column(&t, "point");
    CHECK(host >= 0);
    for (size_t i = 0; i < t.count && host >= 0; i++) {
        const struct cells *row = table_row(&t, i, &d);
        bool second = atoi(cells_text(row, (size_t)point)) % SHARDS == 1;
        CHECK_TEXT(cells_text(row, (size_t)host), second ? "n2" : "n1");
    }
    table_close(&t);
    struct merge_summary s;
    char *before = text_of(whole), *after;
    CHECK_INT(merge(true, &s, &d), 0);
    after = text_of(whole);
    CHECK_TEXT(after, before);
    free(before);
    free(after);
    CHECK_INT(d.count, 0);
}

static void check_hosts(const char *const *hosts)
{
    struct table t;
    struct diags d = {0};
    CHECK(table_open(&t, whole, &d));
    const int host = table_column(&t, "host"), point = table_column(&t, "point");
    CHECK_INT(host >= 0, hosts != NULL);
    for (size_t i = 0; i < t.count && host >= 0 && hosts; i++) {
        const struct cells *row = table_row(&t, i, &d);
        CHECK_TEXT(cells_text(row, (size_t)host), hosts[atoi(cells_text(row, (size_t)point)) % SHARDS]);
    }
    table_close(&t);
    CHECK_INT(d.count, 0);
}

static void rows_say_their_host_where_there_are_several(void)
{
    static const char *const names[] = {"name"};
    struct diags d = {0};
    struct merge_summary s;
    struct made there = usual, all = usual;
    char path[96], here[65] = "";
    start();
    for (unsigned i = 1; i <= SHARDS; i++) make_shard(i, &usual);
    CHECK_INT(merge(false, &s, &d), 0);
    check_hosts(NULL); // one alone
    start();
    there.host = "n2";
    make_shard(1, &usual);
    make_shard(2, &there);
    CHECK_INT(merge(false, &s, &d), 75);
    make_shard(3, &usual);
    CHECK_INT(merge(false, &s, &d), 0);
    check_hosts((const char *const[]){"n1", "n2", "n1"});
    shard_path(2, path);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(merge(false, &s, &d), 0); // a merged report that has hosts keeps them
    check_hosts((const char *const[]){"n1", "n2", "n1"});
    make_shard(2, &there);
    // A shard of another count has all these rows too: it took them from those that measured them.
    all.host = "n3";
    all.when = "2021";
    snprintf(path, sizeof path, "%s/r.1-of-1.csv", folder);
    make(path, 1, 1, &all);
    CHECK_INT(unlink(whole), 0);
    CHECK_INT(merge(false, &s, &d), 0);
    check_hosts((const char *const[]){"n1", "n2", "n1"});
    // A run goes on with such a report, and says its own host.
    struct report_head head = {.experiment = "e", .kernel = "k", .names = names, .name_count = 1};
    struct report *r = report_open(whole, &head, false, NULL, &d);
    CHECK(r != NULL);
    if (r) add_row(r, POINTS + 1, &usual, &d), report_close(r);
    struct table t;
    CHECK(table_open(&t, whole, &d));
    CHECK_INT(t.count, POINTS + 1);
    const struct cells *row = table_row(&t, POINTS, &d);
    gethostname(here, sizeof here - 1);
    if (row) CHECK_TEXT(cells_text(row, (size_t)table_column(&t, "host")), here);
    table_close(&t);
    CHECK_INT(d.count, 0);
}

static void a_measured_row_is_better_than_a_failed_one(void)
{
    struct diags d = {0};
    struct merge_summary s;
    char extra[96];
    start();
    for (unsigned i = 1; i <= SHARDS; i++) make_shard(i, &usual);
    for (int n = 1; n <= 9; n += 8) { // from a file before the others, and from one behind them
        snprintf(extra, sizeof extra, "%s/r.1-of-%d.csv", folder, n);
        make(extra, 1, 1,
            &(struct made){.plan = "p", .device = "sim", .host = "n1", .last = POINTS, .status = STATUS_FAILED});
        CHECK_INT(merge(false, &s, &d), 0);
        CHECK_INT(s.status[STATUS_OK], POINTS);
        CHECK_INT(s.status[STATUS_FAILED], 0);
    }
    start();
    for (unsigned i = 1; i <= SHARDS; i++) make_shard(i, &usual);
    make(extra, 1, 1, &(struct made){.plan = "p", .device = "sim", .host = "n1", .shift = 100, .last = 1});
    CHECK_INT(merge(false, &s, &d), 2); // the same point measured as something else
    CHECK(strstr(diags_first(&d), "has another point 1 than") != NULL);
    diags_clear(&d);
}

static double sectors_of(size_t point)
{
    struct table t;
    struct diags d = {0};
    double x = NAN;
    CHECK(table_open(&t, whole, &d));
    const struct cells *row = table_row(&t, point - 1, &d);
    if (row) x = atof(cells_text(row, (size_t)table_column(&t, "ld_sectors")));
    table_close(&t);
    return x;
}

// A shard that was measured again replaces what an earlier merge has, which is kept; in one file the later row counts.
static void what_was_measured_last_counts(void)
{
    struct diags d = {0};
    struct merge_summary s;
    struct made again = usual;
    char path[96];
    start();
    for (unsigned i = 1; i <= SHARDS; i++) make_shard(i, &usual);
    CHECK_INT(merge(false, &s, &d), 0);
    shard_path(2, path);
    CHECK_INT(unlink(path), 0);
    again.units = 7;
    again.when = "2100";
    make_shard(2, &again);
    char *before = text_of(whole), *kept;
    CHECK_INT(merge(false, &s, &d), 0);
    CHECK(strstr(said.text, "7 rows of ") && strstr(said.text, "are replaced by what was measured later"));
    snprintf(path, sizeof path, "%s.bak", whole);
    kept = text_of(path);
    CHECK_TEXT(kept, before);
    free(before);
    free(kept);
    CHECK(sectors_of(1) == 7 && sectors_of(2) == 2000 && sectors_of(4) == 28);
    again.unfinished = true; // not put in order yet: two rows of each of its points
    again.units = 9;
    again.when = "2101";
    make_shard(2, &again);
    CHECK_INT(merge(false, &s, &d), 0);
    CHECK(sectors_of(1) == 9 && sectors_of(4) == 36);
    int fd = open(whole, O_RDWR); // another writer, who has the report under another name
    CHECK(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
    CHECK_INT(merge(false, &s, &d), 3);
    CHECK(strstr(diags_first(&d), "is being written by another process") != NULL);
    diags_clear(&d);
    close(fd);
    again.broken = 1;
    make_shard(2, &again);
    CHECK_INT(merge(false, &s, &d), 1); // a claim that did not hold for a shard
    CHECK_INT(d.count, 0);
}

// The merged report was measured again, as a whole: its shards are older, and take nothing away. Nor do those of which
// nobody knows when they were measured.
static void what_was_measured_earlier_replaces_nothing(void)
{
    for (int known = 0; known < 2; known++) {
        struct diags d = {0};
        struct merge_summary s;
        struct made again = usual;
        char path[96];
        start();
        for (unsigned i = 1; i <= SHARDS; i++) make_shard(i, &usual);
        CHECK_INT(merge(false, &s, &d), 0);
        CHECK_INT(unlink(whole), 0);
        again.units = 7;
        again.when = "2100";
        make(whole, 1, 1, &again);
        for (unsigned i = 1; i <= SHARDS && !known; i++) {
            shard_path(i, path);
            char *facts = beside_path(path, BESIDE_RUN);
            CHECK_INT(unlink(facts), 0);
            free(facts);
        }
        char *before = text_of(whole), *after;
        CHECK_INT(merge(false, &s, &d), 0);
        after = text_of(whole);
        CHECK_TEXT(after, before);
        CHECK(strstr(said.text, "20 rows of ") && strstr(said.text, " stay: the shards have other values"));
        char *history = runfile_read(whole);
        CHECK(history && strstr(history, "2100-01-01") && strstr(history, "merged"));
        snprintf(path, sizeof path, "%s.bak", whole);
        CHECK(!file_exists(path));
        free(history);
        free(before);
        free(after);
        CHECK_INT(d.count, 0);
    }
}

static void a_folder_that_cannot_be_read_is_not_one_without_shards(void)
{
    struct diags d = {0};
    struct rlimit before, none;
    char **list = merge_shards("/nowhere/at/all.csv", &d);
    CHECK(list && !list[0]);
    merge_shards_free(list);
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none = before;
    none.rlim_cur = 0;
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    CHECK(!merge_shards(whole, &d));
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK_INT(diags_exit_status(&d), 3);
    diags_clear(&d);
}

// The samples of all shards are read a piece at a time: merging them takes no more memory, however many they are.
static void samples_are_merged_a_piece_at_a_time(void)
{
    enum { LINES = 100, TIMES = 10000, MOST = 4 << 20 }; // 4 MB a shard
    struct merge_summary s;
    struct diags d = {0};
    struct str times = {0}, beside = {0};
    struct rusage before, after;
    start();
    for (int i = 0; i < TIMES; i++) str_add(&times, " 3.7");
    for (unsigned shard = 1; shard <= SHARDS; shard++) {
        char path[96];
        make_shard(shard, &usual);
        shard_path(shard, path);
        char *name = beside_path(path, BESIDE_SAMPLES);
        FILE *f = fopen(name, "w");
        str_clear(&beside);
        samples_table.head(&beside);
        CHECK(f && fwrite(beside.text, 1, beside.size, f) == beside.size);
        for (int i = 0; f && i < LINES; i++) {
            str_clear(&beside);
            str_addf(&beside, "%016x,1,%d,2026-01-01T00:00:00Z,1,%s,1980,", (shard + 1) % SHARDS + 1, i + 1,
                times.text);
            cells_seal(&beside, 0);
            CHECK(fwrite(beside.text, 1, beside.size, f) == beside.size);
        }
        CHECK(f && fclose(f) == 0);
        free(name);
    }
    getrusage(RUSAGE_SELF, &before);
    CHECK_INT(merge(false, &s, &d), 0);
    getrusage(RUSAGE_SELF, &after);
    CHECK_INT(s.rows, POINTS);
    char *merged = beside_path(whole, BESIDE_SAMPLES);
    struct stat st;
    CHECK(stat(merged, &st) == 0 && st.st_size > (off_t)SHARDS * LINES * TIMES * 4);
    free(merged);
#ifndef __SANITIZE_ADDRESS__ // which keeps what was freed
    CHECK((after.ru_maxrss - before.ru_maxrss) * 1024L < MOST);
#endif
    str_release(&times);
    str_release(&beside);
    diags_clear(&d);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(whole, sizeof whole, "%s/r.csv", folder);
    names_of_shards();
    samples_are_merged_a_piece_at_a_time(); // first: the most memory that was ever taken is what is looked at
    shards_make_the_report_of_one_run();
    what_is_missing_is_named();
    each_host_of_a_shard_is_named();
    another_plan_or_device_is_refused_by_name();
    rows_say_their_host_where_there_are_several();
    a_measured_row_is_better_than_a_failed_one();
    what_was_measured_last_counts();
    what_was_measured_earlier_replaces_nothing();
    a_folder_that_cannot_be_read_is_not_one_without_shards();
    start();
    rmdir(folder);
    str_release(&said);
    return test_end();
}
