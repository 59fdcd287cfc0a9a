// measure/taken.h: every sample that a device was asked for is noted, in order, with what it was taken for.
// SPDX-License-Identifier: MIT
#include "measure/result.h"
#include "measure/taken.h"
#include "spec/columns.h"
#include "store/samples.h"

#include "unit/fake_job.h"

static size_t of_kind(const struct str *s, enum taken_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < taken_count(s); i++) n += taken_at(s, i)->kind == kind;
    return n;
}

static size_t waits(void)
{
    size_t n = 0;
    char *trace = fake_traced();
    for (char *line = strtok(trace, "\n"); line; line = strtok(NULL, "\n")) n += strcmp(line, "wait") == 0;
    free(trace);
    return n;
}

static struct job timed_job(const char *cache)
{
    struct job job = fake_job(1);
    job.settings[SETTING_CACHE] = value_text(cache);
    job.settings[SETTING_TIMED] = value_text("launch");
    job.goals.warmup = 2;
    return job;
}

static void every_sample_is_noted_in_order(void)
{
    struct str taken = {0};
    struct result r;
    struct job job = timed_job("cold");
    fake_taken = &taken;
    fake_write("time 100\nnoise 0.01\nclock 1980\nthrottle 5 7\n");
    fake_measured(&job, &r);
    const size_t all = taken_count(&taken);
    CHECK(all > 10);
    CHECK_INT(all, waits());
    CHECK_INT(of_kind(&taken, TAKEN_WARM_UP), 2);
    CHECK_INT(of_kind(&taken, TAKEN_KEPT), r.columns[COLUMN_SAMPLES]);
    CHECK_INT(of_kind(&taken, TAKEN_THROTTLED), r.columns[COLUMN_DISCARDED]);
    CHECK_INT(taken_at(&taken, 0)->kind, TAKEN_WARM_UP);
    CHECK_INT(taken_at(&taken, all - 1)->kind, TAKEN_KEPT);
    for (size_t i = 0; i < all; i++) {
        const struct taken *t = taken_at(&taken, i);
        CHECK(t->us >= 99 && (t->us <= 102 || (i >= 4 && i < 7)));
        CHECK(t->clock_mhz == (i >= 4 && i < 7 ? 990 : 1980)); // the fifth to the seventh
        if (t->kind == TAKEN_THROTTLED) CHECK(i >= 4 && i < 7);
    }
    str_release(&taken);
    fake_taken = NULL;
}

static void a_batch_is_told_by_the_run(void)
{
    struct str taken = {0};
    struct result r;
    struct job job = timed_job("warm");
    job.goals.min_sample = 20e-6;
    fake_taken = &taken;
    fake_write("time 2\nunchecked\n"); // what is verified is timed alone: a second run finds inputs that it has seen
    fake_measured(&job, &r);
    CHECK_INT(taken_count(&taken), waits());
    CHECK(of_kind(&taken, TAKEN_BATCH) >= 1);
    for (size_t i = 0; i < taken_count(&taken); i++) {
        const struct taken *t = taken_at(&taken, i);
        CHECK(fabs(t->us - 2) < 1e-9 && isnan(t->clock_mhz));
        if (t->kind == TAKEN_KEPT) CHECK(t->batch >= 10);
        if (t->kind == TAKEN_BESIDE || t->kind == TAKEN_VERIFIED) CHECK_INT(t->batch, 1);
    }
    str_release(&taken);
    fake_taken = NULL;
}

static void bytes_that_are_no_samples_are_none(void)
{
    struct str s = {0};
    struct taken t = {.us = 1, .batch = 1};
    str_add_bytes(&s, &t, sizeof t);
    CHECK_INT(taken_count(&s), 1);
    str_add_bytes(&s, &t, sizeof t - 1);
    CHECK_INT(taken_count(&s), 0);
    str_clear(&s);
    static const struct taken not [] = {
        {.us = 1, .kind = TAKEN_KIND_COUNT}, {.us = NAN}, {.us = INFINITY}, {.us = -1}, {.us = 1, .place = UINT32_MAX}};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        str_clear(&s);
        str_add_bytes(&s, &t, sizeof t);
        str_add_bytes(&s, &not [i], sizeof *not );
        CHECK_INT(taken_count(&s), 0);
    }
    str_release(&s);
}

static void add_taken(struct str *s, uint32_t place, double us, double mhz, enum taken_kind kind)
{
    const struct taken t = {.us = us, .clock_mhz = mhz, .place = place, .batch = 1, .kind = kind};
    str_add_bytes(s, &t, sizeof t);
}

// Each visit's samples are kept, with the clock of each; a visit that is written again takes the place of what it gave.
static void samples_are_read_back_by_visit_with_their_clocks(void)
{
    static const char *const keys[] = {"0123456789abcdef", "fedcba9876543210"};
    char folder[] = "/tmp/gpuexp-unit-XXXXXX", report[64], *path;
    struct diags d = {0};
    struct kept file;
    struct samples_of read[2];
    struct arena *a = arena_new();
    CHECK(mkdtemp(folder) != NULL);
    snprintf(report, sizeof report, "%s/x.csv", folder);
    struct lock *l = lock_take(report, NULL, &d);
    CHECK(l && row_lines_open(&file, &samples_table, l, report, false, &d));
    for (unsigned times = 0; times < 2; times++)
        for (unsigned visit = 1; visit <= 2; visit++) {
            struct str s = {0};
            add_taken(&s, 0, 10 * visit + times, 1980, TAKEN_KEPT);
            add_taken(&s, 0, 10 * visit + times + 0.5, visit == 1 ? 1980 : 990, TAKEN_THROTTLED);
            add_taken(&s, 0, 10 * visit + times + 0.25, visit == 1 ? 1980 : NAN, TAKEN_KEPT);
            add_taken(&s, 1, 20 * visit, 1410, TAKEN_KEPT);
            CHECK(samples_add(&file, keys[0], visit, &s, &d));
            str_release(&s);
        }
    kept_close(&file);
    lock_release(l);
    CHECK(samples_read(report, keys, 2, read, a));
    CHECK_INT(read[1].count, 0);
    CHECK_INT(read[0].count, 8);
    static const struct sample_kept want[] = {{11, 1980, 1, 1, TAKEN_KEPT}, {11.5, 1980, 1, 1, TAKEN_THROTTLED},
        {11.25, 1980, 1, 1, TAKEN_KEPT}, {20, 1410, 1, 2, TAKEN_KEPT}, {21, 1980, 2, 1, TAKEN_KEPT},
        {21.5, 990, 2, 1, TAKEN_THROTTLED}, {21.25, NAN, 2, 1, TAKEN_KEPT}, {40, 1410, 2, 2, TAKEN_KEPT}};
    for (size_t i = 0; i < read[0].count && i < 8; i++) {
        const struct sample_kept *x = &read[0].items[i], *y = &want[i];
        CHECK(x->us == y->us && x->visit == y->visit && x->place == y->place && x->kind == y->kind);
        CHECK(x->clock_mhz == y->clock_mhz || (isnan(x->clock_mhz) && isnan(y->clock_mhz)));
    }
    path = beside_path(report, BESIDE_SAMPLES);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    free(path);
    CHECK_INT(d.count, 0);
    arena_free(a);
}

int main(void)
{
    samples_are_read_back_by_visit_with_their_clocks();
    fake_begin();
    every_sample_is_noted_in_order();
    a_batch_is_told_by_the_run();
    bytes_that_are_no_samples_are_none();
    fake_end();
    return test_end();
}
