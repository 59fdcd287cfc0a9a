// Appends rows whole, finds measured ones by key, and puts a complete report in plan order.
// SPDX-License-Identifier: MIT
#include "store/report.h"

#include "base/arena.h"
#include "base/file.h"
#include "measure/result.h"
#include "store/aside.h"
#include "store/head.h"
#include "store/kept.h"
#include "store/keys.h"
#include "store/lock.h"
#include "store/runfile.h"
#include "store/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Puts a complete report into plan order: a new file is written and then renamed, so that there is always a whole one.
struct row_at {
    size_t point, row; // point SIZE_MAX: not in the plan
};

static int by_point(const void *a, const void *b)
{
    const struct row_at *x = a, *y = b;
    if (x->point != y->point) return x->point < y->point ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

// The row with another point number: the cell is replaced, the others stay as they are.
static void renumber(const struct cells *row, size_t column, size_t point, struct str *out)
{
    const size_t start = out->size;
    char number[32] = "";
    if (point != SIZE_MAX) snprintf(number, sizeof number, "%zu", point);
    for (size_t i = 0; i < cells_count(row); i++) cells_add(out, i == column ? number : cells_text(row, i));
    cells_seal(out, start);
}

static bool add_row(struct table *t, const struct row_at *p, size_t column, struct str *out, bool *changed,
    struct diags *d)
{
    char number[32] = "";
    size_t size;
    const char *text;
    const struct cells *row = table_row(t, p->row, d);
    if (!row) return false;
    if (p->point != SIZE_MAX) snprintf(number, sizeof number, "%zu", p->point);
    text = table_text(t, p->row, &size);
    if (!text) return table_row(t, p->row, d) != NULL; // which says why
    if (strcmp(cells_text(row, column), number) == 0) {
        str_add_bytes(out, text, size);
    } else {
        *changed = true;
        renumber(row, column, p->point, out);
    }
    return true;
}

// The keys of the file as it is now: in the order of `rows`.
static void follow(struct keys *k, const struct row_at *rows, size_t count)
{
    struct keys now;
    keys_init(&now);
    for (size_t i = 0; i < count; i++) {
        const struct key_row *old = &k->rows[rows[i].row];
        keys_add(&now, old->key, k->devices[old->device], old->measured)->point = old->point;
    }
    keys_free(k);
    *k = now;
}

// `keys` has a row for each of the file's, and follows it. `changed`: false when the file was in order already and was
// left alone. `fd`: the report's, then the new file's.
static bool sorted_rewrite(struct lock *l, const char *path, struct keys *k, bool *changed, int *fd, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(str_release) struct str out = {0};
    struct row_at *rows = NULL;
    const char *header;
    size_t count = 0, size;
    int column;
    bool ok = table_open(&t, path, d);
    if (!ok) goto done;
    column = table_column(&t, "point");
    if (t.count != k->count || column < 0) {
        ok = diag_system(d, "something else has written to it; look at it before you run again",
            "%s has %zu rows, not the %zu of this run", path, t.count, k->count);
        goto done;
    }
    rows = mem_alloc((t.count + 1) * sizeof *rows);
    for (size_t i = 0; i < t.count; i++)
        if (keys_find(k, k->rows[i].key) == &k->rows[i])
            rows[count++] = (struct row_at){k->rows[i].point ? k->rows[i].point : SIZE_MAX, i};
    qsort(rows, count, sizeof *rows, by_point);
    mem_grow(&out.text, &out.room, t.size + 1, 1);
    header = table_text(&t, SIZE_MAX, &size);
    if (!header) {
        ok = diag_system(d, "run it again", "cannot read the first line of %s again", path);
        goto done;
    }
    str_add_bytes(&out, header, size);
    *changed = count != t.count || t.whole != t.size;
    for (size_t i = 0; i < count && ok; i++) {
        *changed = *changed || rows[i].row != i;
        ok = add_row(&t, &rows[i], (size_t)column, &out, changed, d);
    }
    *changed = *changed && ok;
    if (*changed && (ok = swap_text(l, path, out.text, out.size, fd, d))) follow(k, rows, count);
done:
    free(rows);
    return ok;
}

// Reserved on the disk before the rows, so that a full disk is noticed before a point is measured and not after.
enum { RESERVE = 64 * 1024, RESERVE_LOW = 16 * 1024 };

struct report {
    struct report_head head; // the caller's lists
    char host[65];
    struct lock *lock;
    struct kept file;
    char *path;
    off_t reserved;   // of the disk's blocks that are ours
    struct keys keys; // what the file has, by key
    struct str text;  // the row being written
    bool made;        // by this report_open
    bool shared;      // somebody else may still write to what is there
    char *edited;     // the hash of the text that its rows were measured with, where that was another; NULL
    bool other;       // and its columns are others too
};

bool report_sync(struct report *r, struct diags *d) { return kept_sync(&r->file, d); }

// A file that a crash has left shorter than its header has no rows. Any other file without a whole header is not a
// report.
static bool begun(const struct report *r, const struct str *header)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    size_t size = 0;
    if (r->file.fd < 0) return true;
    LOCAL(mem_drop)
    char *text = (size_t)r->file.size < header->size ? file_read(r->path, header->size, &size, &ignored) : NULL;
    return text && memcmp(text, header->text, size) == 0;
}

// What is there already. A torn end is left out of a copy, never cut off in place.
static bool read_rows(struct report *r, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    bool ok = table_open(&t, r->path, d);
    if (ok && table_has_host(&t) && gethostname(r->host, sizeof r->host - 1) == 0) r->head.host = r->host;
    ok = ok && head_same(&r->head, &t, r->edited ? &r->other : NULL, d) && keys_read(&r->keys, &t, d);
    if (ok && t.whole < t.size)
        diag_add(d, DIAG_WARNING, (struct where){.file = r->path, .line = (int)t.count + 2}, NULL,
            "the last line was not written to its end (a crash): dropped; its point is measured again");
    struct stat st;
    if (ok && fstat(r->file.fd, &st) != 0) ok = kept_failed(&r->file, "look at", d);
    if (ok && (t.whole < t.size || r->shared || st.st_nlink > 1)) ok = kept_copy(&r->file, t.whole, d);
    return ok;
}

// The report's own file, where there is one.
static bool open_old(struct report *r, struct diags *d)
{
    struct stat st;
    if (stat(r->path, &st) == 0 && S_ISDIR(st.st_mode))
        return diag_system(d, "-o names a file, such as reports/NAME.csv", "cannot open %s: it is a folder", r->path);
    const bool ok = kept_open_file(&r->file, r->lock, r->path, d);
    r->file.covered = true;
    return ok && (r->file.fd < 0 || lock_cover(r->lock, r->file.fd, d));
}

static bool open_new(struct report *r, const struct str *header, struct diags *d)
{
    r->made = true;
    r->file.size = r->file.synced = (off_t)header->size;
    return swap_text(r->lock, r->path, header->text, header->size, &r->file.fd, d);
}

// What the run file says of the text, where that is not the text of now.
static bool text_before(struct report *r, struct diags *d)
{
    const size_t errors = diags_errors(d);
    LOCAL(mem_drop) char *facts = r->head.text_hash ? runfile_load(r->path, d) : NULL;
    r->edited = facts ? runfile_get(facts, "kernel_hash", 0) : NULL;
    if (r->edited && strcmp(r->edited, r->head.text_hash) == 0) free(r->edited), r->edited = NULL;
    return diags_errors(d) == errors;
}

struct report *report_open(const char *path, const struct report_head *head, bool fresh, const struct lock_wait *wait,
    struct diags *d)
{
    struct report *r = mem_alloc(sizeof *r);
    LOCAL(str_release) struct str header = {0};
    *r = (struct report){.path = file_real(path, d), .head = *head, .file.fd = -1};
    keys_init(&r->keys);
    head_text(head, &header);
    bool ok = r->path && (fresh || text_before(r, d)) && head_unique(head, d) &&
        (r->lock = lock_take(r->path, wait, d)) && open_old(r, d);
    if (ok) r->shared = kept_shared(r->lock, r->path);
    // What lies beside a report that is not there was measured for one that was: it is kept too.
    ok = ok && ((!fresh && r->file.fd >= 0) || aside_keep(r->lock, r->path, true, NULL, d));
    if (ok) ok = fresh || begun(r, &header) ? open_new(r, &header, d) : read_rows(r, d);
    if (ok) return r;
    report_close(r);
    return NULL;
}

struct lock *report_lock(struct report *r) { return r->lock; }

bool report_shared(const struct report *r) { return r->shared; }

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
    r->file.size = r->file.synced = lseek(r->file.fd, 0, SEEK_END);
    r->reserved = 0;
    return r->file.size >= 0 || kept_failed(&r->file, "look at", d);
}

bool report_edited(const struct report *r) { return r->edited != NULL; }

bool report_put_aside(struct report *r, size_t *moved, size_t *dropped, struct diags *d)
{
    LOCAL(str_release) struct str header = {0};
    struct aside ask = {.path = r->path, .text_hash = r->edited, .most = ASIDE_MOST_BYTES};
    head_text(&r->head, &header);
    if (r->other) ask.header = &header;
    const bool ok = kept_held(&r->file, d) && aside_move(&ask, r->lock, &r->keys, &r->file.fd, d) &&
        ((!ask.moved && !r->other) || at_its_end(r, d));
    if (ok) r->other = false;
    *moved = ask.moved;
    *dropped = ask.dropped;
    return ok;
}

size_t report_rows(const struct report *r) { return r->keys.count; }

bool report_has(const struct report *r, const char *key)
{
    const struct key_row *row = keys_find(&r->keys, key);
    return row && row->measured;
}

bool report_assign(struct report *r, const char *key, size_t point)
{
    struct key_row *row = keys_find(&r->keys, key);
    if (row) row->point = point;
    return row && row->measured;
}

bool report_ready(struct report *r, struct diags *d)
{
    if (!kept_held(&r->file, d)) return false;
    if (r->reserved - r->file.size > RESERVE_LOW) return true;
    if (fallocate(r->file.fd, FALLOC_FL_KEEP_SIZE, r->file.size, RESERVE) != 0 && (errno == ENOSPC || errno == EDQUOT))
        return kept_failed(&r->file, "make room for rows in", d);
    r->reserved = r->file.size + RESERVE; // a file system that cannot reserve is seldom asked again
    return true;
}

bool report_append(struct report *r, const struct row *row, struct diags *d)
{
    bool measured = row->result->status != STATUS_FAILED && row->result->status != STATUS_TIMEOUT;
    str_clear(&r->text);
    head_row(&r->head, row, &r->text);
    if (!kept_add(&r->file, r->text.text, r->text.size, d)) return false;
    keys_add(&r->keys, row->key, row->result->device, measured)->point = row->point;
    return true;
}

bool report_adopt(struct report *r, const char *row, size_t size, const char *key, const char *device, struct diags *d)
{
    if (!kept_add(&r->file, row, size, d)) return false;
    keys_add(&r->keys, key, device, true);
    return true;
}

bool report_finish(struct report *r, struct diags *d)
{
    bool changed = false;
    if (!kept_held(&r->file, d) || !sorted_rewrite(r->lock, r->path, &r->keys, &changed, &r->file.fd, d)) return false;
    return !changed || at_its_end(r, d);
}

// Called while the run file still says that a run is active: another process that opens the report then works on a
// copy.
void report_settle(struct report *r)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    if (r->reserved > r->file.size && kept_held(&r->file, &ignored) && ftruncate(r->file.fd, r->file.size) != 0) {
    } // gives the reserve back; not to be able to is no harm
    r->reserved = 0;
}

void report_withdraw(struct report *r)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    if (r && r->made && !r->keys.count && lock_held(r->lock, &ignored)) lock_remove(r->lock, r->path, r->file.fd);
}

void report_close(struct report *r)
{
    if (!r) return;
    kept_close(&r->file);
    lock_release(r->lock);
    keys_free(&r->keys);
    str_release(&r->text);
    free(r->path);
    free(r->edited);
    free(r);
}
