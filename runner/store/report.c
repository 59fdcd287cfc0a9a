// Appends rows whole, finds measured ones by key, and puts a complete report in plan order.
// SPDX-License-Identifier: MIT
#include "store/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "store/aside.h"
#include "store/head.h"
#include "store/keys.h"
#include "store/runfile.h"
#include "store/sorted.h"
#include "store/swap.h"

// Reserved on the disk before the rows, so that a full disk is noticed before a point is measured and not after.
enum { RESERVE = 64 * 1024, RESERVE_LOW = 16 * 1024 };

struct report {
    char *path;
    struct report_head head; // the caller's lists
    struct lock *lock;
    int fd;
    off_t size, synced; // of whole rows; of those that a power cut leaves
    off_t reserved;     // of the disk's blocks that are ours
    struct keys keys;   // what the file has, by key
    struct str text;    // the row being written
    bool made;          // by this report_open
    char *edited;       // the hash of the text that its rows were measured with, where that was another; NULL
    bool other;         // and its columns are others too
    bool older;         // the file does not have all columns yet: it gets them with the first row that is added
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
        : errno == EISDIR ? "-o names a file, such as reports/NAME.csv"
                          : "the rows that are there are whole; run again to go on";
    return diag_system(d, hint, "cannot %s %s: %s", what, r->path, strerror(errno));
}

// The lock is ours, and the file ends where we left it.
static bool held(struct report *r, struct diags *d)
{
    struct stat st;
    if (!lock_held(r->lock, d)) return false;
    if (fstat(r->fd, &st) != 0) return failed(r, d, "look at");
    if (st.st_size == r->size) return true;
    return diag_system(d, "look at it before you run again", "somebody else wrote to %s: it has %lld bytes, not %lld",
        r->path, (long long)st.st_size, (long long)r->size);
}

// Cuts off what is no row, or may not have reached the disk.
static bool take_back(struct report *r, off_t size, const char *what, struct diags *d)
{
    int why = errno;
    if (lock_held(r->lock, d) && ftruncate(r->fd, size) == 0) r->size = size; // else the next open drops the torn line
    errno = why;
    return failed(r, d, what);
}

// One write of the whole text; what a full disk took of it is taken back, so that the file still ends with a whole row.
static bool write_whole(struct report *r, const char *text, size_t size, struct diags *d)
{
    size_t done = 0;
    if (!held(r, d)) return false;
    while (done < size) {
        ssize_t n = write(r->fd, text + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (size_t)n;
    }
    if (done < size) return take_back(r, r->size, "write a row to", d);
    r->size += (off_t)size;
    return true;
}

bool report_sync(struct report *r, struct diags *d)
{
    if (r->synced == r->size) return true;
    if (fdatasync(r->fd) != 0) return take_back(r, r->synced, "sync", d);
    if (!held(r, d)) return false; // taken over meanwhile: the new holder may not have seen the rows
    r->synced = r->size;
    return true;
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

// Whether somebody may still write to the file that is there: one who lost the lock without knowing it, or through
// another name. After a run that ended, or died here, nobody can.
static bool shared(const struct report *r)
{
    struct stat st;
    if (fstat(r->fd, &st) != 0 || st.st_nlink > 1) return true;
    if (lock_after_dead(r->lock)) return false;
    char *facts = lock_was_free(r->lock) ? runfile_read(r->path) : NULL;
    char *end = facts ? runfile_get(facts, "end", -1) : NULL;
    bool ended = end && strcmp(end, "running") != 0;
    free(end);
    free(facts);
    return !ended;
}

static bool go_on_in_copy(struct report *r, size_t whole, struct diags *d)
{
    size_t size;
    char *text = file_read(r->path, (size_t)1 << 40, &size, d);
    bool ok = text && (size >= whole || failed(r, d, "read"));
    ok = ok && swap_text(r->lock, r->path, text, whole, &r->fd, d);
    free(text);
    return ok;
}

// What is there already. A torn end is left out of a copy, never cut off in place.
static bool read_rows(struct report *r, struct diags *d)
{
    struct table t;
    bool ok = table_open(&t, r->path, d) && head_same(&r->head, &t, &r->older, r->edited ? &r->other : NULL, d) &&
        keys_read(&r->keys, &t, d);
    if (ok && t.whole < t.size)
        diag_add(d, DIAG_WARNING, (struct where){.file = r->path, .line = (int)t.count + 2}, NULL,
            "the last line was not written to its end (a crash): dropped; its point is measured again");
    if (ok && (t.whole < t.size || shared(r))) ok = go_on_in_copy(r, t.whole, d);
    r->size = r->synced = (off_t)t.whole;
    table_close(&t);
    return ok;
}

// The report's own file, where there is one.
static bool open_old(struct report *r, struct diags *d)
{
    struct stat st;
    r->fd = open(r->path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (r->fd < 0) return errno == ENOENT || failed(r, d, "open");
    if (fstat(r->fd, &st) != 0) return failed(r, d, "look at");
    if (!S_ISREG(st.st_mode))
        return diag_user(d, (struct where){.file = r->path}, "write another report: -o FILE", "is not a regular file");
    return lock_cover(r->lock, r->fd, d);
}

static bool open_new(struct report *r, const struct str *header, struct diags *d)
{
    r->made = true;
    r->size = r->synced = (off_t)header->size;
    return swap_text(r->lock, r->path, header->text, header->size, &r->fd, d);
}

// What the run file says of the text, where that is not the text of now.
static char *text_before(const struct report *r)
{
    char *facts = r->path && r->head.text_hash ? runfile_read(r->path) : NULL;
    char *then = facts ? runfile_get(facts, "kernel_hash", 0) : NULL;
    if (then && strcmp(then, r->head.text_hash) == 0) free(then), then = NULL;
    free(facts);
    return then;
}

struct report *report_open(const char *path, const struct report_head *head, bool fresh, const struct lock_wait *wait,
    struct diags *d)
{
    struct report *r = mem_alloc(sizeof *r);
    struct str header = {0};
    *r = (struct report){.path = file_real(path, d), .head = *head, .fd = -1};
    keys_init(&r->keys);
    head_text(head, &header);
    r->edited = fresh ? NULL : text_before(r);
    bool ok = r->path && head_unique(head, d) && (r->lock = lock_take(r->path, wait, d)) && open_old(r, d) &&
        (!fresh || aside_keep(r->path, d));
    if (ok) ok = fresh || begun(r->path, &header) ? open_new(r, &header, d) : read_rows(r, d);
    str_release(&header);
    if (ok) return r;
    report_close(r);
    return NULL;
}

struct lock *report_lock(struct report *r) { return r->lock; }

bool report_devices(const struct report *r, const char *const *devices, size_t count, struct diags *d)
{
    const char *other = keys_other_device(&r->keys, devices, count);
    if (!other) return true;
    return diag_user(d, (struct where){.file = r->path},
        "go on with that device (-d), start over with --fresh (the old file is kept as .bak), or write another report: "
        "-o FILE",
        "was measured on %s, not on %s", other, devices[0]);
}

// After another file has been put in its place.
static bool at_its_end(struct report *r, struct diags *d)
{
    r->size = r->synced = lseek(r->fd, 0, SEEK_END);
    r->reserved = 0;
    return r->size >= 0 || failed(r, d, "look at");
}

bool report_edited(const struct report *r) { return r->edited != NULL; }

bool report_put_aside(struct report *r, size_t *moved, size_t *dropped, struct diags *d)
{
    struct str header = {0};
    struct aside ask = {.path = r->path, .text_hash = r->edited, .most = ASIDE_MOST_BYTES};
    head_text(&r->head, &header);
    if (r->other) ask.header = &header;
    const bool ok =
        held(r, d) && aside_move(&ask, r->lock, &r->keys, &r->fd, d) && ((!ask.moved && !r->other) || at_its_end(r, d));
    if (ok) r->other = false;
    *moved = ask.moved;
    *dropped = ask.dropped;
    str_release(&header);
    return ok;
}

bool report_is_new(const struct report *r) { return r->made; }

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
    if (!held(r, d)) return false;
    if (r->reserved - r->size > RESERVE_LOW) return true;
    if (fallocate(r->fd, FALLOC_FL_KEEP_SIZE, r->size, RESERVE) != 0 && (errno == ENOSPC || errno == EDQUOT))
        return failed(r, d, "make room for rows in");
    r->reserved = r->size + RESERVE; // a file system that cannot reserve is seldom asked again
    return true;
}

static bool renew(struct report *r, struct diags *d)
{
    if (!r->older) return true;
    if (!held(r, d) || !head_renew(&r->head, r->lock, r->path, &r->fd, d)) return false;
    r->older = false;
    return at_its_end(r, d);
}

bool report_append(struct report *r, const struct row *row, struct diags *d)
{
    bool measured = row->result->status != STATUS_FAILED && row->result->status != STATUS_TIMEOUT;
    str_clear(&r->text);
    head_row(&r->head, row, &r->text);
    if (!renew(r, d) || !write_whole(r, r->text.text, r->text.size, d)) return false;
    keys_add(&r->keys, row->key, row->result->device, measured)->point = row->point;
    return true;
}

bool report_finish(struct report *r, struct diags *d)
{
    bool changed = false;
    if (!held(r, d) || !sorted_rewrite(r->lock, r->path, &r->keys, &changed, &r->fd, d)) return false;
    return !changed || at_its_end(r, d);
}

// Called while the run file still says that a run is active: another process that opens the report then works on a
// copy.
void report_settle(struct report *r)
{
    struct diags ignored = {0};
    if (r->reserved > r->size && held(r, &ignored) && ftruncate(r->fd, r->size) != 0) {
    } // gives the reserve back; not to be able to is no harm
    r->reserved = 0;
    diags_clear(&ignored);
}

void report_withdraw(struct report *r)
{
    struct diags ignored = {0};
    if (r && r->made && !r->keys.count && lock_held(r->lock, &ignored)) lock_remove(r->lock, r->path, r->fd);
    diags_clear(&ignored);
}

void report_close(struct report *r)
{
    if (!r) return;
    if (r->fd >= 0) close(r->fd);
    lock_release(r->lock);
    keys_free(&r->keys);
    str_release(&r->text);
    free(r->path);
    free(r->edited);
    free(r);
}
