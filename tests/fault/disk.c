// Copies files as they are synced.
// SPDX-License-Identifier: MIT
#include "fault/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 256 };
static const char *shadow;
static struct {
    ino_t inode;
    int number;
} files[MOST];
static int file_count, last_number;

bool disk_exists(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

// 0: it is not known, since it was made elsewhere.
static int number_of(ino_t inode)
{
    for (int i = file_count - 1; i >= 0; i--) // the newest of several with one inode
        if (files[i].inode == inode) return files[i].number;
    return 0;
}

void disk_made(int fd)
{
    struct stat st;
    if (!shadow || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || file_count == MOST) return;
    files[file_count].inode = st.st_ino;
    files[file_count++].number = ++last_number;
}

static void keep_content(int fd, int number)
{
    char path[512], own[64], buffer[65536];
    snprintf(path, sizeof path, "%s/content/%d", shadow, number);
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    FILE *from = fopen(own, "r"), *to = fopen(path, "w");
    for (size_t n; from && to && (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        if (fwrite(buffer, 1, n, to) != n) abort();
    if (!from || !to || fclose(from) != 0 || fclose(to) != 0) abort();
}

static void keep_names(void)
{
    char path[512], next[520];
    snprintf(path, sizeof path, "%s/names", shadow);
    snprintf(next, sizeof next, "%s.next", path);
    FILE *to = fopen(next, "w");
    DIR *d = opendir("reports");
    for (struct dirent *e; to && d && (e = readdir(d));)
        if (number_of(e->d_ino)) fprintf(to, "%d %s\n", number_of(e->d_ino), e->d_name);
    if (d) closedir(d);
    if (!to || fclose(to) != 0 || rename(next, path) != 0) abort();
}

void disk_synced(int fd)
{
    struct stat st, reports;
    if (!shadow || fstat(fd, &st) != 0) return;
    if (S_ISREG(st.st_mode) && number_of(st.st_ino)) keep_content(fd, number_of(st.st_ino));
    if (S_ISDIR(st.st_mode) && stat("reports", &reports) == 0 && st.st_ino == reports.st_ino) keep_names();
}

void disk_begin(const char *folder)
{
    shadow = folder;
    DIR *d = opendir("reports");
    for (struct dirent *e; d && (e = readdir(d));) {
        const int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC);
        disk_made(fd);
        if (fd >= 0) disk_synced(fd);
        if (fd >= 0) close(fd);
    }
    if (d) closedir(d);
    keep_names();
}
