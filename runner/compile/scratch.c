// The lock is a flock on the folder itself: the system releases it when the process ends, in whatever way.
// SPDX-License-Identifier: MIT
#include "compile/scratch.h"

#include "base/diag.h"
#include "base/file.h"
#include "spec/include.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "gpuexp-scratch.";

static const char *base(void)
{
    const char *named = getenv("TMPDIR"), *tmp = named && *named ? named : "/tmp";
    // A folder that is not there is a mistake of who named it.
    return access(tmp, W_OK) != 0 && errno != ENOENT && access(".", W_OK) == 0 ? "." : tmp;
}

// Where flock says yes to everybody it does not say that nobody uses the folder.
static bool excludes(const char *path)
{
    const int again = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const bool kept_out = again >= 0 && flock(again, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (again >= 0) close(again);
    return kept_out;
}

// Its descriptor with the lock held; -1: not ours, or in use. One that was just made here may be used where there is no
// flock: then nobody removes it either.
static int take(const char *path, bool made)
{
    struct stat st, now;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    const bool own = fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700;
    // Locked, and still there under its name: another process may have removed it in between.
    const bool locked = own && (flock(fd, LOCK_EX | LOCK_NB) == 0 || (made && errno != EWOULDBLOCK));
    if (locked && lstat(path, &now) == 0 && now.st_ino == st.st_ino && (made || excludes(path))) return fd;
    close(fd);
    return -1;
}

// The files in it and the folder. One with a folder inside was not made here and stays.
static void empty(int fd, const char *path)
{
    const int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) unlinkat(fd, e->d_name, 0);
    if (d) closedir(d);
    else if (again >= 0) close(again);
    rmdir(path);
}

bool scratch_make(struct scratch *s)
{
    for (int tries = 0; tries < 100; tries++) {
        snprintf(s->path, sizeof s->path, "%s/%sXXXXXX", base(), prefix);
        if (!mkdtemp(s->path)) return false;
        s->lock = take(s->path, true);
        if (s->lock >= 0) return true;
        if (errno == EMFILE || errno == ENFILE) break;
    }
    const int error = errno;
    rmdir(s->path);
    errno = error;
    return false;
}

void scratch_remove(struct scratch *s)
{
    empty(s->lock, s->path);
    close(s->lock);
}

void scratch_clean(void)
{
    DIR *d = opendir(base());
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[PATH_MAX];
        if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", base(), e->d_name) >= (int)sizeof path) continue;
        const int fd = take(path, false);
        if (fd < 0) continue;
        empty(fd, path);
        close(fd);
    }
    if (d) closedir(d);
}

bool scratch_put(const char *path, const char *text)
{
    const size_t n = strlen(text);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    const bool good = fwrite(text, 1, n, f) == n;
    return fclose(f) == 0 && good;
}

bool scratch_put_source(const struct scratch *s, const char *source)
{
    LOCAL(include_parts_release) struct include_parts all;
    char path[PATH_MAX + 32];
    bool good = true;
    include_split(source, &all);
    for (size_t i = 0; i < all.count && good; i++) {
        snprintf(path, sizeof path, i ? "%s/gpuexp_%zu" : "%s/source.cu", s->path, i);
        if (all.items[i].again) good = scratch_put(path, all.items[i].text.text ? all.items[i].text.text : "");
    }
    return good;
}

char *scratch_text(const char *path)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    return file_read(path, 256 << 20, NULL, &ignored);
}
