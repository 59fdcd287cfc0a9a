// The model against an H200: launches that it was shaped by, and others that nobody fitted it to (tests/golden). What
// each column was off by when this was written is the most that it may be off by.
// full: launches that nobody fitted it to: they are longer
// SPDX-License-Identifier: MIT
#include "unit/model_rows.h"

struct error {
    double value[512];
    size_t count;
};

static void note(struct error *e, double got, double want, double least)
{
    if (want > least && e->count < 512) e->value[e->count++] = fabs(got / want - 1);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of so many of a hundred the error is at most this, in percent.
static double at_most(struct error *e, int percent)
{
    qsort(e->value, e->count, sizeof *e->value, by_value);
    return e->count ? 100 * e->value[(e->count - 1) * (size_t)percent / 100] : 0;
}

struct summary {
    struct error time, l2, read, write;
    int launches, inside, above; // measured times inside the interval; bounds above them
};

static void take(struct summary *s, char *cell[ROWS_CELLS], const struct model_result *r,
    const struct model_constants *c)
{
    const double us = atof(cell[ROW_KERNEL_US]), expected = r->us - c->event_us;
    s->launches++;
    if (us >= 3) note(&s->time, expected, us, 0);
    note(&s->l2, r->l2_read_sectors, atof(cell[ROW_L2_SECTORS]), 2000);
    note(&s->read, r->dram_read_bytes, atof(cell[ROW_READ_BYTES]), 200000);
    note(&s->write, r->dram_write_bytes, atof(cell[ROW_WRITE_BYTES]), 3e6);
    s->inside += us >= r->lo_us - c->event_us && us <= r->hi_us - c->event_us;
    s->above += r->bound_us > us;
    if (getenv("MODEL_ROWS"))
        printf("%s,%.2f,%.2f,%.2f,%.2f,%s,%.3f,%.0f,%.0f,%s,%.0f,%s,%.0f,%s\n", cell[ROW_LABEL], us, expected,
            r->lo_us - c->event_us, r->hi_us - c->event_us, limit_words[r->limit], r->sampled, r->edge,
            r->l2_read_sectors, cell[ROW_L2_SECTORS], r->dram_read_bytes, cell[ROW_READ_BYTES], r->dram_write_bytes,
            cell[ROW_WRITE_BYTES]);
}

static struct summary run(const char *set, bool machine)
{
    struct summary s = {0};
    struct rows rows;
    struct diags d = {0};
    struct model_constants c;
    char path[256];
    profile_model(profile_find("h200"), &c, &d);
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s.ptx", set);
    rows_begin(&rows, path, machine);
    if (machine && !rows.cubin) {
        printf("%s as machine code: skipped, there is no ptxas\n", set);
        return rows_end(&rows), s;
    }
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s_h200.csv", set);
    char *csv = file_read(path, 1 << 24, NULL, &d), *next = csv ? strchr(csv, '\n') : NULL;
    while (next && next[1]) {
        char *cell[ROWS_CELLS] = {0}, *p = next + 1;
        struct model_result r;
        next = strchr(p, '\n');
        if (next) *next = '\0';
        for (int k = 0; k < ROWS_CELLS && p; k++) {
            cell[k] = p;
            p = strchr(p, ',');
            if (p) *p++ = '\0';
        }
        if ((!getenv("MODEL_ALL") && strcmp(cell[ROW_QUICK], "yes") != 0) || !*cell[ROW_KERNEL_US]) continue;
        if (getenv("MODEL_ONLY") && !strstr(getenv("MODEL_ONLY"), cell[ROW_KERNEL])) continue;
        const bool good = rows_run(&rows, cell, &r);
        CHECK(good);
        if (good) take(&s, cell, &r, &c);
    }
    printf("%s%s: %d launches; time: half within %.1f %%, nine of ten within %.1f %%; L2 reads 9 of 10 within %.1f %%, "
           "memory reads within %.1f %%; inside the interval %d; bounds above the time %d\n",
        set, machine ? " as machine code" : "", s.launches, at_most(&s.time, 50), at_most(&s.time, 90),
        at_most(&s.l2, 90), at_most(&s.read, 90), s.inside, s.above);
    free(csv);
    rows_end(&rows);
    diags_clear(&d);
    return s;
}

// The most that each is off by, of the quick rows and of all: many of the others read a tile of L1's size again and
// again.
struct off_by {
    double half, nine, l2, read; // time of half of the launches, and of nine of ten; L2 reads and memory reads of nine
};

static void errors_do_not_grow(const char *set, bool machine, struct off_by quick, struct off_by all)
{
    const struct off_by most = getenv("MODEL_ALL") ? all : quick;
    struct summary s = run(set, machine);
    if (machine && !s.launches) return;
    CHECK(s.launches >= 18);
    CHECK(at_most(&s.time, 50) <= most.half);
    CHECK(at_most(&s.time, 90) <= most.nine);
    CHECK(at_most(&s.l2, 90) <= most.l2);
    CHECK(at_most(&s.read, 90) <= most.read);
    CHECK(s.inside * 10 >= s.launches * 9);
    CHECK_INT(s.above, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    errors_do_not_grow("calibration", false, (struct off_by){3.2, 19.5, 1, 31}, (struct off_by){6.1, 22.5, 20, 16});
    errors_do_not_grow("calibration", true, (struct off_by){2.9, 18, 1, 31}, (struct off_by){5.3, 22.5, 19.5, 16});
    if (argc < 2) return test_end();
    errors_do_not_grow("heldout", false, (struct off_by){12, 23, 2.5, 1}, (struct off_by){11.5, 30.5, 6.5, 1});
    errors_do_not_grow("heldout", true, (struct off_by){11, 17, 1, 1}, (struct off_by){11, 19.8, 3.5, 1});
    return test_end();
}
