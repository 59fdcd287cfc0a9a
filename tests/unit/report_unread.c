// store/: each read of a report fails once, in a file that is read in several pieces: the run stops with a sentence,
// and no row is lost, whichever read it was.
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <errno.h>

#include "unit/report_here.h"

enum { ROWS = 2400 };
static long reads, fail_at;

// Of a report or a run file: the lock's reads are short, and many.
static bool fails(size_t n)
{
    if (n < 4096 || ++reads != fail_at) return false;
    errno = EIO;
    return true;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
ssize_t pread(int fd, void *p, size_t n, off_t at) { return fails(n) ? -1 : REAL(pread)(fd, p, n, at); }
ssize_t read(int fd, void *p, size_t n) { return fails(n) ? -1 : REAL(read)(fd, p, n); }
int fsync(int fd) { return (void)fd, 0; } // this test cuts no power
int fdatasync(int fd) { return (void)fd, 0; }

// The second half of the plan, then the order of the plan. True: nothing was said.
static bool go_on(struct diags *d)
{
    struct report *r = report_open(path, &head, false, NULL, d);
    bool good = r != NULL;
    for (size_t p = ROWS; good && p > ROWS / 2; p--) good = has(r, p) || append(r, p, d);
    for (size_t p = 1; r && p <= ROWS; p++) {
        char key[17];
        snprintf(key, sizeof key, "%016zx", p);
        report_assign(r, key, p);
    }
    good = good && report_finish(r, d);
    report_close(r);
    return good;
}

static size_t rows(void)
{
    struct diags d = {0};
    struct table t;
    const bool good = table_open(&t, path, &d);
    const size_t count = good ? t.count : 0;
    CHECK_TEXT(diags_first(&d), "");
    CHECK_INT(t.whole, t.size);
    table_close(&t);
    diags_clear(&d);
    return count;
}

static void begin(void)
{
    struct diags d = {0};
    start();
    struct report *r = report_open(path, &head, true, NULL, &d);
    for (size_t p = ROWS / 2; r && p > 0; p--) append(r, p, &d);
    report_close(r);
    CHECK_INT(d.count, 0);
}

int main(void)
{
    bool undisturbed = false;
    if (!begin_here()) return 1;
    for (long at = 1; !undisturbed; at += at < 6 ? 1 : at / 2) { // later ones are of one kind
        struct diags d = {0};
        fail_at = 0;
        begin();
        reads = 0, fail_at = at;
        const bool good = go_on(&d);
        undisturbed = reads < at;
        fail_at = 0;
        CHECK(good == (diags_errors(&d) == 0));
        CHECK(diags_exit_status(&d) == 0 || diags_exit_status(&d) == 3);
        for (size_t i = 0; i < d.count; i++) CHECK(!strstr(d.items[i].what, "is not a report"));
        CHECK(rows() >= ROWS / 2);
        diags_clear(&d);
        if (undisturbed) CHECK(good);
        CHECK(go_on(&d)); // the next run has them all
        CHECK_INT(rows(), ROWS);
        diags_clear(&d);
        if (undisturbed) printf("%ld reads\n", reads);
        CHECK(!undisturbed || at > 6);
        if (test_failures) break;
    }
    return end_here();
}
