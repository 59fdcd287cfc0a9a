// Opens, checks and appends.
// SPDX-License-Identifier: MIT
#include "store/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "store/cells.h"
#include "store/pieces.h"
#include "store/runfile.h"
#include "store/swap.h"
#include "store/table.h"

static const char not_ours[] = "gpuexp writes over no file that it did not make: move it away";

bool kept_failed(const struct kept *k, const char *what, struct diags *d)
{
    const char *hint = errno == ENOSPC || errno == EDQUOT || errno == EFBIG
        ? "make room and run again: the rows that are there are whole and are not measured again"
        : "the rows that are there are whole; run again to go on";
    return diag_system(d, hint, "cannot %s %s: %s", what, k->path, strerror(errno));
}

bool kept_look(const char *path, bool *there, struct diags *d)
{
    struct stat st;
    *there = lstat(path, &st) == 0;
    if (!*there)
        return errno == ENOENT || diag_system(d, "run it again", "cannot look at %s: %s", path, strerror(errno));
    if (S_ISLNK(st.st_mode))
        return diag_user(d, (struct where){.file = path}, not_ours, "is a symbolic link, which is not followed here");
    return S_ISREG(st.st_mode) || diag_user(d, (struct where){.file = path}, not_ours, "is not a regular file");
}

int kept_open_plain(const char *path, int how, off_t *size, struct diags *d)
{
    struct stat st;
    bool there;
    // Opened before it is looked at: nobody can put a link there in between.
    const int fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return -1;
    if (fd < 0 && (errno == ELOOP || errno == EISDIR) && !kept_look(path, &there, d)) return -1;
    const bool opened = fd >= 0 && fstat(fd, &st) == 0;
    if (opened && S_ISREG(st.st_mode)) return *size = st.st_size, fd;
    if (!opened) kept_failed(&(struct kept){.path = (char *)path}, "open", d);
    else diag_user(d, (struct where){.file = path}, not_ours, "is not a regular file");
    if (fd >= 0) close(fd);
    return -1;
}

bool kept_open_file(struct kept *k, struct lock *l, const char *path, struct diags *d)
{
    const size_t errors = diags_errors(d);
    *k = (struct kept){.path = str_copy(path), .lock = l};
    k->fd = kept_open_plain(path, O_RDWR | O_APPEND, &k->size, d);
    k->synced = k->size;
    return diags_errors(d) == errors;
}

bool kept_held(struct kept *k, struct diags *d)
{
    struct stat open_now, named;
    if (!lock_held(k->lock, d)) return false;
    if (k->fd < 0) return true;
    if (fstat(k->fd, &open_now) != 0) return kept_failed(k, "look at", d);
    if (lstat(k->path, &named) != 0 || named.st_dev != open_now.st_dev || named.st_ino != open_now.st_ino)
        return diag_system(d, "look at both files, then run again to go on",
            "%s is another file now: somebody moved, removed or replaced it while this run was writing", k->path);
    if (open_now.st_size == k->size) return true;
    return diag_system(d, "look at it before you run again", "somebody else wrote to %s: it has %lld bytes, not %lld",
        k->path, (long long)open_now.st_size, (long long)k->size);
}

// Cuts off what is no row, or may not have reached the disk.
static bool take_back(struct kept *k, off_t size, const char *what, struct diags *d)
{
    const int why = errno;
    if (lock_held(k->lock, d) && ftruncate(k->fd, size) == 0) k->size = size; // else the next open drops the torn line
    errno = why;
    return kept_failed(k, what, d);
}

static bool copy_bytes(struct pieces *from, size_t size, FILE *to)
{
    size_t have;
    for (size_t at = 0; at < size; at += have) {
        const char *text = pieces_at(from, at, 1, &have);
        if (have > size - at) have = size - at;
        if (!have || fwrite(text, 1, have, to) != have) return false;
    }
    return true;
}

// After another file has been put in its place by name.
static bool open_again(struct kept *k, struct diags *d)
{
    struct kept now;
    const bool opened = kept_open_file(&now, k->lock, k->path, d);
    if (opened) {
        if (k->fd >= 0) close(k->fd);
        k->fd = now.fd, k->size = k->synced = now.size;
        now.fd = -1;
    }
    kept_close(&now);
    return opened;
}

static bool begin(struct kept *k, const char *lines, size_t size, struct diags *d)
{
    LOCAL(str_release) struct str all = {0};
    bool there;
    if (!kept_look(k->path, &there, d)) return false;
    if (there) return diag_system(d, "look at it, then run again to go on", "somebody else made %s meanwhile", k->path);
    str_add_bytes(&all, k->header.text, k->header.size);
    str_add_bytes(&all, lines, size);
    const bool ok = swap_text(k->lock, k->path, all.text, all.size, NULL, d);
    return ok && open_again(k, d);
}

bool kept_add(struct kept *k, const char *lines, size_t size, struct diags *d)
{
    if (k->fd < 0) return lock_held(k->lock, d) && begin(k, lines, size, d);
    if (!kept_held(k, d)) return false;
    if (file_put(k->fd, lines, size) < size) return take_back(k, k->size, "write a row to", d);
    k->size += (off_t)size;
    return true;
}

bool kept_sync(struct kept *k, struct diags *d)
{
    if (k->fd < 0 || k->synced == k->size) return true;
    if (fdatasync(k->fd) != 0) return take_back(k, k->synced, "sync", d);
    if (!kept_held(k, d)) return false; // taken over meanwhile: the new holder may not have seen the rows
    k->synced = k->size;
    return true;
}

bool kept_copy(struct kept *k, size_t size, struct diags *d)
{
    struct pieces from;
    struct swap s;
    bool ok = pieces_open(&from, k->path, d) && swap_begin(&s, k->lock, k->path, d);
    if (ok) {
        const bool copied = copy_bytes(&from, size, s.file);
        if (!copied) kept_failed(k, "copy", d);
        ok = swap_end(&s, copied, k->covered ? &k->fd : NULL, d);
    }
    pieces_close(&from);
    if (!ok || !k->covered) return ok && open_again(k, d);
    k->size = k->synced = (off_t)size;
    return true;
}

// The line's end of another system is no edit.
static size_t first_line(const char *text, size_t size, const struct str *header)
{
    const char *end = memchr(text, '\n', size);
    if (!end) return 0;
    const size_t n = (size_t)(end - text) - (end > text && end[-1] == '\r');
    return n == header->size - 1 && memcmp(text, header->text, n) == 0 ? (size_t)(end - text) + 1 : 0;
}

static bool unread(const struct kept_reader *r, struct diags *d)
{
    return diag_system(d, "run it again", "cannot read %s: %s", r->path, strerror(r->pieces.error));
}

bool kept_read(struct kept_reader *r, const char *path, const struct str *header, struct diags *d)
{
    size_t have;
    *r = (struct kept_reader){.path = path, .line = 1};
    if (!pieces_open(&r->pieces, path, d)) return false;
    const char *text = pieces_at(&r->pieces, 0, header->size + 1, &have);
    r->good = have ? first_line(text, have, header) : 0;
    if (r->pieces.error) return unread(r, d);
    return r->good ||
        diag_user(d, (struct where){.file = path, .line = 1}, not_ours,
            "is not what gpuexp keeps there: its first line is another");
}

void kept_read_close(struct kept_reader *r) { pieces_close(&r->pieces); }

// From `r->at`, with its end where it has one.
static const char *line_at(struct kept_reader *r, size_t *size)
{
    struct pieces *p = &r->pieces;
    size_t have;
    for (size_t want = 1;; want = 2 * have) {
        const char *text = pieces_at(p, r->at, want, &have), *end = have ? memchr(text, '\n', have) : NULL;
        *size = end ? (size_t)(end - text) + 1 : have;
        if (end || !have || r->at + have >= p->size) return text;
    }
}

const char *kept_next(struct kept_reader *r, size_t *size, struct diags *d)
{
    for (r->at = r->at ? r->at + r->size : r->good; r->at < r->pieces.size; r->at += r->size) {
        const char *line = line_at(r, &r->size);
        *size = r->size;
        r->line++;
        if (r->pieces.error || !*size) break;
        const bool ended = line[*size - 1] == '\n';
        if (ended && cells_sealed(line, *size)) return r->good = r->at + *size, line;
        if (!ended || memchr(line, '\0', *size)) continue; // what a power cut left half on the disk has zero bytes
        diag_user(d, (struct where){.file = r->path, .line = r->line}, "put the line back as it was, or remove it",
            "is not as it was written: its cells do not fit its checksum");
        return NULL;
    }
    if (r->pieces.error) unread(r, d);
    return NULL;
}

static bool check(const struct kept *k, size_t *whole, struct diags *d)
{
    struct kept_reader r;
    size_t size;
    const size_t errors = diags_errors(d);
    if (kept_read(&r, k->path, &k->header, d))
        while (kept_next(&r, &size, d)) {}
    *whole = r.good;
    kept_read_close(&r);
    return diags_errors(d) == errors;
}

bool kept_open(struct kept *k, struct lock *l, const char *path, const struct str *header, bool shared, struct diags *d)
{
    struct stat st;
    size_t whole = 0;
    *k = (struct kept){.fd = -1};
    if (!lock_held(l, d) || !kept_open_file(k, l, path, d)) return false;
    str_add_bytes(&k->header, header->text, header->size);
    if (k->fd < 0) return true;
    if (!k->size) { // nothing is lost in an empty file
        close(k->fd);
        k->fd = -1;
        return unlink(path) == 0 || kept_failed(k, "replace", d);
    }
    if (!check(k, &whole, d)) return false;
    if ((off_t)whole < k->size)
        diag_add(d, DIAG_WARNING, (struct where){.file = path}, NULL,
            "the last line was not written to its end (a crash): dropped");
    if (fstat(k->fd, &st) != 0) return kept_failed(k, "look at", d);
    return (!shared && st.st_nlink == 1 && (off_t)whole == k->size) || kept_copy(k, whole, d);
}

void kept_close(struct kept *k)
{
    if (k->path && k->fd >= 0) close(k->fd);
    free(k->path);
    str_release(&k->header);
    *k = (struct kept){.fd = -1};
}

bool kept_shared(const struct lock *l, const char *report)
{
    if (lock_after_dead(l)) return false;
    LOCAL(mem_drop)
    char *facts = lock_was_free(l) ? runfile_read(report) : NULL, *end = facts ? runfile_get(facts, "end", -1) : NULL;
    const bool ended = end && strcmp(end, "running") != 0;
    return !ended;
}

bool kept_table(struct lock *l, const char *path, const char *text, size_t size, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    bool there, ours = true;
    if (!kept_look(path, &there, d)) return false;
    if (there) {
        if (!table_open(&t, path, d)) return table_close(&t), false;
        const bool report = table_column(&t, "key") >= 0 && table_column(&t, "status") >= 0;
        ours = (t.checked && !report) || !t.size;
    }
    return ours ? swap_text(l, path, text, size, NULL, d)
                : diag_system(d, not_ours, "%s is not a table that gpuexp wrote there: it is not written over", path);
}
