// Temporary file, sync, check, rename, sync of the folder.
// SPDX-License-Identifier: MIT
#include "store/swap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/file.h"
#include "base/str.h"

enum { TOKEN = 16 };

// Is `name` a token behind "x.csv.lock.", or that and ".tmp"?
static bool is_token(const char *text, const char *end)
{
    return strspn(text, "0123456789abcdef") == TOKEN && strcmp(text + TOKEN, end) == 0;
}

static bool of_file(const char *name, const char *file, bool lock)
{
    const size_t n = strlen(file);
    if (strncmp(name, file, n) != 0 || name[n] != '.') return false;
    return is_token(name + n + 1, ".tmp") || (lock && is_token(name + n + 1, ""));
}

// What only a holder of this report's lock writes.
static bool is_holders(const char *name, const char *base)
{
    LOCAL(str_release) struct str lock = {0};
    str_addf(&lock, "%s.lock", base);
    bool is = of_file(name, base, false) || of_file(name, lock.text, true);
    for (enum beside b = 0; b < BESIDE_COUNT && !is; b++) {
        LOCAL(mem_drop) char *file = beside_path(base, b);
        is = of_file(name, file, false);
    }
    return is;
}

void leftovers_remove(const char *report, bool held)
{
    const char *slash = strrchr(report, '/'), *base = slash ? slash + 1 : report;
    LOCAL(mem_drop) char *stem = beside_with(base, ".");
    LOCAL(str_release) struct str folder = {0};
    size_t of;
    if (slash) str_add_bytes(&folder, report, (size_t)(slash + 1 - report));
    else str_add(&folder, ".");
    DIR *dir = opendir(folder.text);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, stem, strlen(stem)) != 0) continue;
        if ((held && is_holders(e->d_name, base)) || file_left_behind(dirfd(dir), e->d_name, &of))
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (dir) closedir(dir);
}

static bool failed(const struct swap *s, struct diags *d)
{
    return diag_system(d, "the file that is there is as it was; make room and run again", "cannot write %s: %s",
        s->path, strerror(errno));
}

// Like the file that it replaces, for those who may read or write that one.
static void same_rights(int fd, const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) return;
    if (fchown(fd, (uid_t)-1, st.st_gid) != 0 || fchmod(fd, st.st_mode & 0777) != 0) {
    } // a group that we are not in: then it stays ours
}

bool swap_begin(struct swap *s, struct lock *l, const char *path, struct diags *d)
{
    *s = (struct swap){.lock = l, .path = str_copy(path), .temporary = lock_temporary(l, path)};
    int fd = open(s->temporary, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
    } // that it is written at this moment; there are file systems without locks
    if (fd >= 0) same_rights(fd, path);
    if (fd >= 0 && (s->file = fdopen(fd, "a"))) return true;
    failed(s, d);
    if (fd >= 0) close(fd);
    swap_end(s, false, NULL, d);
    return false;
}

// In place, with the lock on the new file before it has the name. False: nothing has changed, or (the folder) it may
// not outlive a power cut.
static bool put_in_place(struct swap *s, int fd, int *report_fd, struct diags *d)
{
    if (!lock_held(s->lock, d)) return false;
    if (report_fd && !lock_cover(s->lock, fd, d)) return false;
    if (rename(s->temporary, s->path) != 0) {
        failed(s, d);
        if (report_fd && *report_fd >= 0) lock_cover(s->lock, *report_fd, d);
        return false;
    }
    if (report_fd) {
        if (*report_fd >= 0) close(*report_fd);
        *report_fd = fd;
    }
    return file_sync_folder(s->path) || failed(s, d);
}

bool swap_end(struct swap *s, bool wrote, int *report_fd, struct diags *d)
{
    int fd = -1;
    bool ok = wrote;
    if (ok && (fflush(s->file) != 0 || fsync(fileno(s->file)) != 0)) ok = failed(s, d);
    if (ok && report_fd && (fd = fcntl(fileno(s->file), F_DUPFD_CLOEXEC, 3)) < 0) ok = failed(s, d);
    if (s->file && fclose(s->file) != 0 && ok) ok = failed(s, d);
    ok = ok && put_in_place(s, fd, report_fd, d);
    unlink(s->temporary); // is no more, or is left over
    if (fd >= 0 && *report_fd != fd) close(fd);
    free(s->path);
    free(s->temporary);
    *s = (struct swap){0};
    return ok;
}

bool swap_text(struct lock *l, const char *path, const void *text, size_t size, int *report_fd, struct diags *d)
{
    struct swap s;
    if (!swap_begin(&s, l, path, d)) return false;
    bool wrote = fwrite(text, 1, size, s.file) == size;
    if (!wrote) failed(&s, d);
    return swap_end(&s, wrote, report_fd, d);
}
