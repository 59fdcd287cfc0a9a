// store/: what is said to be written has reached the disk. Here fsync, fdatasync and rename are this test's own: they
// note what was synced, with how many bytes of it there, and fail when told. That a row survives the loss of power is
// this and cannot be tried otherwise.
// alone: rename and the clock are its own
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "store/each_launch.h"
#include "store/lock.h"
#include "store/report.h"
#include "unit/test.h"

static struct {
    ino_t inode;
    off_t size;
    bool folder;
    int when; // renames before it
} synced[256];
static size_t synced_count;
static int renames, failing; // failing: renames that fail from now on

static int note(int fd, long call)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && synced_count < sizeof synced / sizeof *synced) {
        synced[synced_count].inode = st.st_ino, synced[synced_count].size = st.st_size;
        synced[synced_count].folder = S_ISDIR(st.st_mode), synced[synced_count++].when = renames;
    }
    return (int)syscall(call, fd);
}
int fsync(int fd) { return note(fd, SYS_fsync); }
int fdatasync(int fd) { return note(fd, SYS_fdatasync); }
int rename(const char *from, const char *to)
{
    if (failing) return errno = EIO, -1;
    renames++;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static bool late; // a link is put there after it was looked at
int lstat(const char *path, struct stat *st)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, st, late ? 0 : AT_SYMLINK_NOFOLLOW);
}

static double later; // seconds by which this machine's clock of lock_held is ahead
int clock_gettime(clockid_t which, struct timespec *t)
{
    const int bad = (int)syscall(SYS_clock_gettime, which, t);
    if (which == CLOCK_BOOTTIME) t->tv_sec += (time_t)later;
    if (which == CLOCK_REALTIME) t->tv_sec -= 3600; // it is an hour slow: the disk's own time is what counts
    return bad;
}

// Whether all that the file (or folder) of that name holds now was synced, after so many renames.
static bool on_disk(const char *path, int after)
{
    struct stat st;
    if (stat(path, &st) != 0) return false;
    for (size_t i = 0; i < synced_count; i++)
        if (synced[i].inode == st.st_ino && synced[i].folder == S_ISDIR(st.st_mode) && synced[i].when >= after &&
            (synced[i].folder || synced[i].size >= st.st_size))
            return true;
    return false;
}
static void forget(void) { synced_count = 0, renames = 0; }

static const char *const names[] = {"n"};
static const struct report_head head = {.experiment = "e", .kernel = "k", .names = names, .name_count = 1};
static char folder[] = "/tmp/gpuexp-sync-XXXXXX", path[64];

static bool append(struct report *r, size_t point, struct diags *d)
{
    struct result result;
    struct value value = value_int((int64_t)point);
    struct row row = {.point = point, .values = &value, .result = &result, .reason = ""};
    memset(&result, 0, sizeof result);
    for (int i = 0; i < COLUMN_COUNT; i++) result.columns[i] = NAN;
    result.status = STATUS_OK;
    snprintf(row.key, sizeof row.key, "%016zx", point);
    return report_append(r, &row, d);
}

static void a_row_that_was_synced_is_on_the_disk(void)
{
    struct diags d = {0};
    forget();
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(r && on_disk(path, 0)); // its header
    CHECK(on_disk(folder, 0));    // and its name
    char lock[80];
    snprintf(lock, sizeof lock, "%s.lock", path);
    CHECK(on_disk(lock, 0)); // on a network file system another machine sees only then who holds it
    for (size_t p = 3; p >= 1; p--) {
        forget();
        CHECK(append(r, p, &d) && report_sync(r, &d)); // only now the row is told of
        CHECK(on_disk(path, 0));
    }
    forget();
    CHECK(report_finish(r, &d)); // in plan order: a new file under the old name
    CHECK(renames > 0);
    CHECK(on_disk(path, 0));
    CHECK(on_disk(folder, renames));
    report_close(r);
    CHECK_INT(d.count, 0);
}

// The row that is their sum is synced behind them.
static void what_each_launch_counted_is_on_the_disk_before_its_row(void)
{
    static struct job_launch launches[2] = {{.entry = "a"}, {.entry = "b"}};
    const struct job job = {.launches = launches, .launch_count = 2};
    static double counts[2 * EACH_LAUNCH_COLUMNS];
    struct str told = {0};
    struct diags d = {0};
    struct kept file;
    struct lock *l = lock_take(path, NULL, &d);
    char *beside = beside_path(path, BESIDE_LAUNCHES);
    CHECK(l && row_lines_open(&file, &each_launch_table, l, path, false, &d));
    str_add_bytes(&told, counts, sizeof counts);
    for (int point = 0; point < 2; point++) { // the first begins the file
        forget();
        CHECK(each_launch_add(&file, point ? "1111111111111111" : "0000000000000000", &job, &told, &d));
        CHECK(on_disk(beside, 0));
    }
    kept_close(&file);
    lock_release(l);
    CHECK(unlink(beside) == 0);
    free(beside);
    str_release(&told);
    CHECK_INT(d.count, 0);
}

// Nor is a link followed that comes between a look and the opening: the file that it leads to is another's.
static void no_link_is_followed(void)
{
    const char *const own[] = {path, NULL};
    struct diags d = {0};
    struct kept file;
    struct stat st;
    char *beside = beside_path(path, BESIDE_LAUNCHES), away[80];
    struct lock *l = lock_take(path, NULL, &d);
    snprintf(away, sizeof away, "%s/away", folder);
    CHECK(l && row_lines_open(&file, &each_launch_table, l, path, false, &d));
    CHECK(kept_add(&file, "", 0, &d) && rename(beside, away) == 0 && symlink(away, beside) == 0);
    kept_close(&file);
    for (int i = 0; i < 2; i++) {
        late = i;
        CHECK(!row_lines_order(&each_launch_table, l, path, &(struct row_lines_from){.reports = own}, &d));
        CHECK(!row_lines_open(&file, &each_launch_table, l, path, false, &d));
        kept_close(&file);
    }
    late = false;
    CHECK(strstr(diags_first(&d), "is a symbolic link, which is not followed here"));
    CHECK(lstat(beside, &st) == 0 && S_ISLNK(st.st_mode) && stat(away, &st) == 0 && st.st_size > 0);
    CHECK(unlink(beside) == 0 && unlink(away) == 0);
    free(beside);
    lock_release(l);
    diags_clear(&d);
}

// What bears the name afterwards was whole on the disk before it got it: else a crash could leave an empty file.
static void a_file_that_is_replaced_is_whole_before_it_has_the_name(void)
{
    struct diags d = {0};
    char other[80];
    snprintf(other, sizeof other, "%s/other.yaml", folder);
    CHECK(file_write(other, "old", 3, &d));
    forget();
    CHECK(file_write(other, "new text", 8, &d));
    CHECK_INT(renames, 1);
    struct stat st;
    bool before = false;
    CHECK(stat(other, &st) == 0);
    for (size_t i = 0; i < synced_count; i++)
        before |= synced[i].inode == st.st_ino && synced[i].size == 8 && synced[i].when == 0;
    CHECK(before);
    CHECK(on_disk(folder, 1)); // and its name is there after a crash
    failing = 1;
    CHECK(!file_write(other, "newer", 5, &d));
    failing = 0;
    CHECK(strstr(diags_first(&d), "other.yaml") != NULL);
    diags_clear(&d);
    CHECK(stat(other, &st) == 0 && st.st_size == 8);
    unlink(other);
    CHECK_INT(d.count, 0);
}

static void a_rename_that_fails_is_told_and_costs_nothing(void)
{
    struct diags d = {0};
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(append(r, 9, &d) && append(r, 7, &d));
    failing = 1;
    CHECK(!report_finish(r, &d));
    failing = 0;
    CHECK_INT(diags_exit_status(&d), 3);
    CHECK(strstr(diags_first(&d), path) != NULL);
    diags_clear(&d);
    report_close(r);
    r = report_open(path, &head, false, NULL, &d);
    CHECK(r && report_rows(r) == 5 && report_has(r, "0000000000000007"));
    report_close(r);
    // Nor is an old report written over where it cannot be put aside.
    failing = 1;
    CHECK(!report_open(path, &head, true, NULL, &d));
    failing = 0;
    CHECK_INT(diags_exit_status(&d), 3);
    diags_clear(&d);
    r = report_open(path, &head, false, NULL, &d);
    CHECK(r && report_rows(r) == 5);
    report_close(r);
    CHECK_INT(diags_errors(&d), 0); // a lock that could not be renamed away is taken over with a word
    diags_clear(&d);
}

// The other machine judges by the time of the lock's file: a holder that is at work renews it.
static void a_holder_at_work_renews_its_lock(void)
{
    struct diags d = {0};
    struct stat st;
    char lock[80];
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    snprintf(lock, sizeof lock, "%s.lock", path);
    struct report *r = report_open(path, &head, false, NULL, &d);
    CHECK(r && utimensat(AT_FDCWD, lock, long_ago, 0) == 0);
    later = LOCK_BEAT_S - 2;
    CHECK(report_ready(r, &d) && stat(lock, &st) == 0 && st.st_mtime == 1000); // no sign is due yet
    later = LOCK_BEAT_S + 1;
    CHECK(report_ready(r, &d) && stat(lock, &st) == 0 && st.st_mtime > 1000);
    struct timespec now;
    CHECK(syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) == 0 && st.st_mtime > now.tv_sec - 600);
    CHECK(utimensat(AT_FDCWD, lock, long_ago, 0) == 0);
    later = 2 * LOCK_BEAT_S + 2;
    CHECK(append(r, 21, &d) && stat(lock, &st) == 0 && st.st_mtime > 1000); // each row is a sign too
    report_close(r);
    later = 0;
    CHECK_INT(diags_errors(&d), 0);
    diags_clear(&d);
}

int main(void)
{
    char command[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/r.csv", folder);
    a_row_that_was_synced_is_on_the_disk();
    what_each_launch_counted_is_on_the_disk_before_its_row();
    no_link_is_followed();
    a_file_that_is_replaced_is_whole_before_it_has_the_name();
    a_rename_that_fails_is_told_and_costs_nothing();
    a_holder_at_work_renews_its_lock();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return test_end();
}
