// Whole reads, atomic writes, and the search path for kernels, experiments and scripts.
// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"

// Files written whole: beside their place, and put there by a rename.

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

static struct where in_file(const char *path) { return (struct where){.file = path}; }

struct found_names { // NULL-terminated
    char **items;
    size_t count, room;
};

// The names in a folder that end in `suffix`, without it.
static void names_in(const char *folder, const char *suffix, struct found_names *list)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name), s = strlen(suffix);
        if (e->d_name[0] == '.' || n <= s || strcmp(e->d_name + n - s, suffix) != 0) continue;
        mem_grow(&list->items, &list->room, list->count + 2, sizeof *list->items);
        list->items[list->count] = str_copy(e->d_name);
        list->items[list->count++][n - s] = '\0';
    }
    if (dir) closedir(dir);
    mem_grow(&list->items, &list->room, list->count + 1, sizeof *list->items);
    list->items[list->count] = NULL;
}

void file_list_drop(char ***names)
{
    for (size_t i = 0; *names && (*names)[i]; i++) free((*names)[i]);
    free(*names);
}

// The file that was meant by a path that leads to none: its neighbour, or what ships under such a name.
static bool meant(const char *path, char hint[160])
{
    static const char *const kinds[][2] = {{"kernels", ".cu"}, {"experiments", ".yaml"}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char folder[PATH_MAX] = ".", stem[64];
    if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    struct found_names beside = {0};
    names_in(folder, "", &beside);
    const char *near = str_nearest(name, (const char *const *)beside.items);
    if (near) snprintf(hint, 160, "did you mean `%.80s%.60s`?", slash ? folder : "", near);
    file_list_drop(&beside.items);
    snprintf(stem, sizeof stem, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    for (int i = 0; i < 2 && !near; i++) {
        if (dot && strcmp(dot, kinds[i][1]) != 0) continue;
        LOCAL(file_list_drop) char **names = file_list(kinds[i][0], kinds[i][1]);
        near = str_nearest(stem, (const char *const *)names);
        if (near) snprintf(hint, 160, "did you mean `%.60s`, by its name alone?", near);
    }
    return near != NULL;
}

// What the user can mend is the user's; what a machine in trouble says (no more files, a bad disk) is the system's.
static bool refused(const char *path, const char *what, struct diags *d)
{
    static const int ours[] = {EMFILE, ENFILE, ENOMEM, EIO, ESTALE, EINTR, ENXIO};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (errno == ours[i]) return diag_system(d, NULL, "cannot %s %s: %s", what, path, strerror(errno));
    char hint[160];
    const int why = errno;
    return diag_user(d, in_file(path), why == ENOENT && meant(path, hint) ? hint : NULL, "cannot %s: %s", what,
        strerror(why));
}

int file_open(const char *path, struct diags *d)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // not blocked by a FIFO
    struct stat st;
    if (fd < 0) return refused(path, "open", d) - 1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) return fd;
    diag_user(d, in_file(path), NULL, S_ISDIR(st.st_mode) ? "is a directory, not a file" : "is not a regular file");
    close(fd);
    return -1;
}

static struct stand_in {
    const char *path, *text;
} * stand_ins;
static size_t stand_in_count, stand_in_room;

void file_stand_in(const char *path, const char *text)
{
    mem_grow(&stand_ins, &stand_in_room, stand_in_count + 1, sizeof *stand_ins);
    stand_ins[stand_in_count++] = (struct stand_in){path, text};
}

void file_stand_in_forget(void) { stand_in_count = 0; }

static const struct stand_in *stand_in(const char *path)
{
    for (size_t i = 0; i < stand_in_count; i++)
        if (strcmp(stand_ins[i].path, path) == 0) return &stand_ins[i];
    return NULL;
}

// "/usr/share/gpuexp/kernels/copy.cu" is the copy.cu of kernels.
static const char *stand_in_named(const char *kind, const char *name, const char *suffix)
{
    const size_t k = strlen(kind), n = strlen(name), s = strlen(suffix), all = k + 1 + n + s;
    for (size_t i = 0; i < stand_in_count; i++) {
        const char *path = stand_ins[i].path, *end = path + strlen(path);
        if ((size_t)(end - path) < all || ((size_t)(end - path) > all && end[-(ptrdiff_t)all - 1] != '/')) continue;
        const char *tail = end - all;
        if (strncmp(tail, kind, k) == 0 && tail[k] == '/' && strncmp(tail + k + 1, name, n) == 0 &&
            strcmp(tail + k + 1 + n, suffix) == 0)
            return path;
    }
    return NULL;
}

static char *kept_text(const char *path, size_t *size)
{
    const struct stand_in *kept = stand_in(path);
    if (kept && size) *size = strlen(kept->text);
    return kept ? str_copy(kept->text) : NULL;
}

// Closes `fd`.
static char *read_all(int fd, const char *path, size_t most, size_t *size, struct diags *d)
{
    struct stat st;
    LOCAL(str_release) struct str text = {0};
    if (fstat(fd, &st) != 0) {
        refused(path, "look at", d);
        goto fail;
    }
    if ((unsigned long long)st.st_size > most) {
        diag_user(d, in_file(path), NULL, "is too large: %lld bytes, at most %zu are read", (long long)st.st_size,
            most);
        goto fail;
    }
    mem_grow(&text.text, &text.room, (size_t)st.st_size + 1, 1);
    text.text[0] = '\0'; // an empty file is an empty text
    for (;;) {
        char buffer[65536];
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            refused(path, "read", d);
            goto fail;
        }
        if (n == 0) break;
        str_add_bytes(&text, buffer, (size_t)n);
    }
    close(fd);
    if (size) *size = text.size;
    return str_take(&text);
fail:
    close(fd);
    return NULL;
}

// Goes on by `n` bytes, or by none where a signal came between. False: there is an end to it.
static bool go_on(ssize_t n, size_t *done)
{
    if (n < 0 && errno == EINTR) return true;
    if (n > 0) *done += (size_t)n;
    if (n == 0) errno = 0;
    return n > 0;
}

size_t file_put(int fd, const void *bytes, size_t size)
{
    size_t done = 0;
    while (done < size && go_on(write(fd, (const char *)bytes + done, size - done), &done)) {}
    return done;
}

size_t file_get(int fd, void *bytes, size_t size)
{
    size_t done = 0;
    while (done < size && go_on(read(fd, (char *)bytes + done, size - done), &done)) {}
    return done;
}

size_t file_get_at(int fd, void *bytes, size_t size, uint64_t at)
{
    size_t done = 0;
    while (done < size && go_on(pread(fd, (char *)bytes + done, size - done, (off_t)(at + done)), &done)) {}
    return done;
}

// Whether the name of the open file itself, not of a link to it, ends in one of `endings`.
static bool is_named(int fd, const char *endings)
{
    char link[32], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, real, sizeof real);
    for (const char *p = endings; *p; p += strspn(p, " ")) {
        const size_t length = strcspn(p, " ");
        if (n > (ssize_t)length && memcmp(real + n - length, p, length) == 0) return true;
        p += length;
    }
    return false;
}

char *file_read_named(const char *path, const char *what, const char *endings, size_t most, size_t *size,
    struct diags *d)
{
    char *kept = kept_text(path, size);
    if (kept) return kept;
    int fd = file_open(path, d);
    if (fd < 0) return NULL;
    if (is_named(fd, endings)) return read_all(fd, path, most, size, d);
    diag_user(d, in_file(path), NULL, "is not taken for %s: its name, links followed, has to end in %s", what, endings);
    close(fd);
    return NULL;
}

char *file_read(const char *path, size_t most, size_t *size, struct diags *d)
{
    char *kept = kept_text(path, size);
    if (kept) return kept;
    int fd = file_open(path, d);
    return fd < 0 ? NULL : read_all(fd, path, most, size, d);
}

bool file_make_folders(const char *path, struct diags *d)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return diag_system(d, NULL, "path too long: %s", path);
    for (char *slash = folder + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return diag_system(d, NULL, "cannot make folder %s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return true;
}

bool file_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == EACCES;                            // a folder that may be written and not read
    bool ok = fsync(fd) == 0 || errno == EINVAL || errno == EROFS; // some file systems have nothing to sync there
    int why = errno;
    close(fd);
    errno = why;
    return ok;
}

char *file_real(const char *path, struct diags *d)
{
    char real[PATH_MAX];
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode)) return str_copy(path);
    if (realpath(path, real)) return str_copy(real);
    diag_user(d, in_file(path), "remove the link, or name the file itself", "is a symbolic link that leads nowhere: %s",
        strerror(errno));
    return NULL;
}

bool file_exists(const char *path)
{
    struct stat st;
    if (stand_in(path)) return true;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// The folders to search, as one NULL-terminated list: the same order for finding and listing.
static char **search_folders(struct arena *a)
{
    size_t count = 0, room = 0;
    char **folders = NULL, self[PATH_MAX];
    const char *own = getenv("GPUEXP_PATH");
#define ADD(folder) \
    (mem_grow(&folders, &room, count + 2, sizeof *folders), folders[count++] = (folder), folders[count] = NULL)
    ADD(arena_strdup(a, "."));
    for (const char *p = own; p && *p;) {
        size_t n = strcspn(p, ":");
        if (n) ADD(arena_strndup(a, p, n));
        p += n + (p[n] == ':');
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) { // <prefix>/bin/gpuexp → <prefix>/share/gpuexp, wherever the prefix was moved to
        self[n] = '\0';
        for (int up = 0; up < 2; up++) {
            char *slash = strrchr(self, '/');
            if (slash) *slash = '\0';
        }
        ADD(arena_printf(a, "%s/share/gpuexp", self));
    }
    ADD(arena_strdup(a, GPUEXP_INSTALL_DIR));
    ADD(arena_strdup(a, GPUEXP_SOURCE_DIR));
#undef ADD
    return folders;
}

char *file_find(const char *kind, const char *name, const char *suffix)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const char *kept = stand_in_named(kind, name, suffix);
    char *found = kept ? str_copy(kept) : NULL, **folders = NULL;
    if (found) {
    } else if (strchr(name, '/')) {
        found = file_exists(name) ? str_copy(name) : NULL;
    } else {
        folders = search_folders(a);
        for (size_t i = 0; folders[i] && !found; i++) {
            const char *path = strcmp(folders[i], ".") == 0
                ? arena_printf(a, "%s/%s%s", kind, name, suffix)
                : arena_printf(a, "%s/%s/%s%s", folders[i], kind, name, suffix);
            if (file_exists(path)) found = str_copy(path);
        }
    }
    free(folders);
    return found;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **file_list(const char *kind, const char *suffix)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct found_names all = {0};
    LOCAL(mem_drop) char **folders = search_folders(a);
    size_t kept = 0;
    names_in("", "", &all); // an empty list where there is none
    for (size_t i = 0; folders[i]; i++) names_in(arena_printf(a, "%s/%s", folders[i], kind), suffix, &all);
    if (all.count) qsort(all.items, all.count, sizeof *all.items, by_name);
    for (size_t i = 0; i < all.count; i++) {
        if (kept && strcmp(all.items[kept - 1], all.items[i]) == 0) free(all.items[i]);
        else all.items[kept++] = all.items[i];
    }
    all.items[kept] = NULL;
    return all.items;
}
