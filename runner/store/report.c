// Appends rows whole, finds measured ones by key, and puts a complete report in plan order.
// SPDX-License-Identifier: MIT
#include "store/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "store/head.h"
#include "store/keys.h"
#include "store/sorted.h"

// Reserved on the disk before the rows, so that a full disk is noticed before a point is measured and not after.
enum { RESERVE = 64 * 1024, RESERVE_LOW = 16 * 1024 };

struct report {
    char *path;
    struct report_head head; // the caller's lists
    struct lock *lock;
    int fd;
    off_t size, reserved; // of whole rows; of what is reserved on the disk
    struct keys keys;     // what the file has, by key
    struct str text;      // the row being written
    bool made;            // by this report_open
    bool older;           // the file does not have all columns yet: it gets them with the first row that is added
};

char *report_beside(const char *path, const char *suffix)
{
    struct str s = {0};
    size_t n = strlen(path);
    str_add_bytes(&s, path, n > 4 && strcmp(path + n - 4, ".csv") == 0 ? n - 4 : n);
    str_add(&s, suffix);
    return str_take(&s);
}

static bool failed(const struct report *r, struct diags *d, const char *what)
{
    const char *hint = errno == ENOSPC || errno == EDQUOT || errno == EFBIG
        ? "make room and run again: the rows that are there are whole and are not measured again"
        : "the rows that are there are whole; run again to go on";
    return diag_system(d, hint, "cannot %s %s: %s", what, r->path, strerror(errno));
}

// The folder's entry of a file that is new or renamed must reach the disk too.
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

// Writes the whole text at once. If the disk is full, a part that was written is cut off: the file ends with a whole
// row.
static bool write_whole(struct report *r, const char *text, size_t size, struct diags *d)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = write(r->fd, text + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (size_t)n;
    }
    if (done == size && fdatasync(r->fd) == 0) {
        r->size += (off_t)size;
        return true;
    }
    int why = errno;
    if (ftruncate(r->fd, r->size) != 0) {} // the next open drops the torn line
    errno = why;
    return failed(r, d, "write a row to");
}

// Renames an old report and its run file to the first name that is free for both: measurements are never overwritten.
static bool keep_old(const char *path, struct diags *d)
{
    char *run = report_beside(path, ".run.yaml");
    const char *const from[] = {path, run};
    struct str to[2] = {{0}, {0}};
    bool ok = true, taken = true;
    for (int n = 1; taken; n++) {
        taken = false;
        for (int i = 0; i < 2; i++) {
            str_clear(&to[i]);
            str_addf(&to[i], "%s.bak", from[i]);
            if (n > 1) str_addf(&to[i], ".%d", n);
            taken |= access(to[i].text, F_OK) == 0;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (rename(from[i], to[i].text) != 0 && errno != ENOENT)
            ok = diag_system(d, NULL, "cannot rename %s to %s: %s", from[i], to[i].text, strerror(errno));
        str_release(&to[i]);
    }
    free(run);
    return ok;
}

// A file that a crash has left shorter than its header has no rows. Any other file without a whole header is not a
// report.
static bool begun(const char *path, const struct str *header)
{
    struct diags ignored = {0};
    struct stat st;
    char *text = NULL;
    size_t size = 0;
    bool own = stat(path, &st) != 0;
    if (!own && (size_t)st.st_size < header->size && (text = file_read(path, header->size, &size, &ignored)))
        own = memcmp(text, header->text, size) == 0;
    free(text);
    diags_clear(&ignored);
    return own;
}

static bool read_rows(struct report *r, struct diags *d)
{
    struct table t;
    bool ok = table_open(&t, r->path, d) && head_same(&r->head, &t, &r->older, d) && keys_read(&r->keys, &t, d);
    if (ok && t.whole < t.size) {
        diag_add(d, DIAG_WARNING, (struct where){.file = r->path, .line = (int)t.count + 2}, NULL,
            "the last line was not written to its end (a crash): dropped; its point is measured again");
        if (truncate(r->path, (off_t)t.whole) != 0) ok = failed(r, d, "shorten");
    }
    r->size = (off_t)t.whole;
    table_close(&t);
    return ok;
}

struct report *report_open(const char *path, const struct report_head *head, bool fresh, const struct lock_wait *wait,
    struct diags *d)
{
    struct report *r = mem_alloc(sizeof *r);
    struct str header = {0}, copy = {0};
    str_add(&copy, path);
    *r = (struct report){.path = str_take(&copy), .head = *head, .fd = -1};
    keys_init(&r->keys);
    head_text(head, &header);
    if (!head_unique(head, d) || !(r->lock = lock_take(path, wait, d))) goto fail;
    if (fresh && !keep_old(path, d)) goto fail;
    bool is_new = begun(path, &header);
    if (!is_new && !read_rows(r, d)) goto fail;
    r->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (is_new ? O_TRUNC : 0), 0666);
    if (r->fd < 0) {
        diag_system(d, NULL, "cannot write %s: %s", path, strerror(errno));
        goto fail;
    }
    if (is_new && !write_whole(r, header.text, header.size, d)) goto fail;
    r->made = is_new;
    sync_folder(path);
    str_release(&header);
    return r;
fail:
    str_release(&header);
    report_close(r);
    return NULL;
}

bool report_devices(const struct report *r, const char *const *devices, size_t count, struct diags *d)
{
    const char *other = keys_other_device(&r->keys, devices, count);
    if (!other) return true;
    return diag_user(d, (struct where){.file = r->path},
        "go on with that device (-d), start over with --fresh (the old file is kept as .bak), or write another report: "
        "-o FILE",
        "was measured on %s, not on %s", other, devices[0]);
}

size_t report_rows(const struct report *r) { return r->keys.count; }

bool report_has(const struct report *r, const char *key)
{
    const struct key_row *row = keys_find(&r->keys, key);
    return row && row->measured;
}

bool report_place(struct report *r, const char *key, size_t point)
{
    struct key_row *row = keys_find(&r->keys, key);
    if (row) row->point = point;
    return row && row->measured;
}

bool report_ready(struct report *r, struct diags *d)
{
    if (!lock_held(r->lock, d)) return false;
    if (r->reserved - r->size > RESERVE_LOW) return true;
    if (fallocate(r->fd, FALLOC_FL_KEEP_SIZE, r->size, RESERVE) != 0 && (errno == ENOSPC || errno == EDQUOT))
        return failed(r, d, "make room for rows in");
    r->reserved = r->size + RESERVE; // a file system that cannot reserve is seldom asked again
    return true;
}

// After another file has replaced it.
static bool open_again(struct report *r, struct diags *d)
{
    sync_folder(r->path);
    close(r->fd);
    r->fd = open(r->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (r->fd < 0) return failed(r, d, "open again");
    r->size = lseek(r->fd, 0, SEEK_END);
    r->reserved = 0;
    return true;
}

static bool renew(struct report *r, struct diags *d)
{
    if (!r->older) return true;
    r->older = !head_renew(&r->head, r->path, d);
    return !r->older && open_again(r, d);
}

bool report_append(struct report *r, const struct row *row, struct diags *d)
{
    bool measured = row->result->status != STATUS_FAILED && row->result->status != STATUS_TIMEOUT;
    str_clear(&r->text);
    head_row(&r->head, row, &r->text);
    if (!lock_held(r->lock, d) || !renew(r, d) || !write_whole(r, r->text.text, r->text.size, d)) return false;
    keys_add(&r->keys, row->key, row->result->device, measured)->point = row->point;
    return true;
}

bool report_finish(struct report *r, struct diags *d)
{
    bool changed = false;
    if (!lock_held(r->lock, d) || !sorted_rewrite(r->path, &r->keys, &changed, d)) return false;
    return !changed || open_again(r, d);
}

void report_withdraw(struct report *r)
{
    if (r && r->made && !r->keys.count) unlink(r->path);
}

void report_close(struct report *r)
{
    if (!r) return;
    if (r->fd >= 0) {
        if (r->reserved > r->size && ftruncate(r->fd, r->size) != 0) {
        } // gives the reserved space back; it does no harm if that fails
        close(r->fd);
    }
    lock_release(r->lock);
    keys_free(&r->keys);
    str_release(&r->text);
    free(r->path);
    free(r);
}
