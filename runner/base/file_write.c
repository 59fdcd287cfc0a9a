// Files written whole: beside their place, and put there by a rename.
// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ".4711.tmp" of a process, ".0123456789abcdef.tmp" of the holder of a report's lock: where it begins.
static size_t temporary_at(const char *name)
{
    size_t n = strlen(name);
    if (n < 6 || strcmp(name + n - 4, ".tmp") != 0) return 0;
    n -= 4;
    size_t from = n;
    while (from && strchr("0123456789abcdef", name[from - 1])) from--;
    const bool number = strspn(name + from, "0123456789") == n - from && n > from, token = n - from == 16;
    return from > 1 && name[from - 1] == '.' && (number || token) ? from - 1 : 0;
}

// Whoever writes one holds its lock. Where there are no locks its age tells, by the file system's own clock.
static bool is_written(int folder, const char *name)
{
    enum { OLD_S = 600 };
    struct stat st, now;
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return true;
    bool writes = flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (writes && errno != EWOULDBLOCK)
        writes = fstat(fd, &st) != 0 || fstat(folder, &now) != 0 || difftime(now.st_mtime, st.st_mtime) < OLD_S;
    close(fd);
    return writes;
}

bool file_left_behind(int folder, const char *name, size_t *of)
{
    struct stat st;
    *of = temporary_at(name);
    return *of && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
        !is_written(folder, name);
}

// What others left behind when they were killed while they wrote that file. (Names without an ending are those of the
// compile cache, which looks after itself.)
static void remove_leftovers(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t n = strlen(base);
    size_t of;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    DIR *dir = strchr(base, '.') ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (strncmp(e->d_name, base, n) == 0 && e->d_name[n] == '.' && file_left_behind(dirfd(dir), e->d_name, &of) &&
            of == n)
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir) closedir(dir);
}

static bool failed(const struct file_write *w, struct diags *d)
{
    return diag_system(d, NULL, "cannot write %s: %s", w->path, strerror(errno));
}

bool file_write_begin(struct file_write *w, const char *path, struct diags *d)
{
    w->stream = NULL;
    if (!file_make_folders(path, d)) return false;
    snprintf(w->path, sizeof w->path, "%s", path);
    if (snprintf(w->temporary, sizeof w->temporary, "%s.%ld.tmp", path, (long)getpid()) >= PATH_MAX)
        return diag_system(d, NULL, "path too long: %s", path);
    unlink(w->temporary); // left behind by a process of that number, or put there by somebody
    const int fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) return failed(w, d);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {} // there are file systems without locks: then its age tells
    if ((w->stream = fdopen(fd, "w"))) return true;
    failed(w, d);
    close(fd);
    unlink(w->temporary);
    return false;
}

bool file_write_end(struct file_write *w, bool wrote, struct diags *d)
{
    bool ok = wrote && fflush(w->stream) == 0 && fsync(fileno(w->stream)) == 0;
    ok = ok && rename(w->temporary, w->path) == 0 && file_sync_folder(w->path);
    if (wrote && !ok) failed(w, d);
    if (fclose(w->stream) != 0 && ok) ok = failed(w, d);
    if (!ok) unlink(w->temporary);
    else remove_leftovers(w->path);
    return ok;
}

bool file_write(const char *path, const void *bytes, size_t size, struct diags *d)
{
    struct file_write w;
    if (!file_write_begin(&w, path, d)) return false;
    const bool wrote = !size || fwrite(bytes, 1, size, w.stream) == size;
    if (!wrote) failed(&w, d);
    return file_write_end(&w, wrote, d);
}

bool file_is_form(const char *path, const char *begins, struct diags *d)
{
    struct stat st;
    char begin[256];
    const size_t size = strlen(begins) < sizeof begin ? strlen(begins) : sizeof begin;
    if (lstat(path, &st) != 0 || (S_ISREG(st.st_mode) && !st.st_size)) return true;
    const int fd = S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0 && S_ISREG(st.st_mode))
        return diag_system(d, "run it again", "cannot open %s: %s", path, strerror(errno));
    const ssize_t n = fd < 0 ? -1 : read(fd, begin, size);
    if (fd >= 0) close(fd);
    return (n == (ssize_t)size && memcmp(begin, begins, size) == 0) ||
        diag_user(d, (struct where){.file = path}, "move it away, or name another file with -o",
            "is not a file that gpuexp wrote there: it is not written over");
}

bool file_write_over(const char *path, const void *bytes, size_t size, const char *begins, struct diags *d)
{
    return file_is_form(path, begins, d) && file_write(path, bytes, size, d);
}
