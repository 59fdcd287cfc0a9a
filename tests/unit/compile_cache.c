// compile/cache.h: only what this user wrote is taken, and what was used longest ago goes first.
// SPDX-License-Identifier: MIT
#include "compile/cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/test.h"

static const char keys[4][33] = {"00000000000000000000000000000000", "11111111111111111111111111111111",
    "22222222222222222222222222222222", "33333333333333333333333333333333"};
static char folder[] = "/tmp/gpuexp-unit-XXXXXX", entries[96];

static char *entry(int i)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", entries, keys[i]);
    return path;
}

static void store(int i)
{
    struct diags d = {0};
    const struct code code = {.ptx = (char *)".version 7.8", .compiler = "clang 14.0.6", .arch = "sm_80"};
    CHECK(cache_store(keys[i], &code, &d));
    diags_clear(&d);
}

static bool taken(int i)
{
    struct code *code = cache_load(keys[i]);
    const bool there = code != NULL;
    if (code) CHECK_TEXT(code->ptx, ".version 7.8");
    code_free(code);
    return there;
}

static void what_others_could_have_written_is_not_taken(void)
{
    char moved[320];
    store(0);
    CHECK(taken(0));
    CHECK(chmod(entry(0), 0620) == 0);
    CHECK(!taken(0));
    CHECK(chmod(entry(0), 0602) == 0);
    CHECK(!taken(0));
    store(0); // compiled again
    CHECK(taken(0));
    CHECK(chmod(entries, 0777) == 0);
    CHECK(!taken(0));
    store(0);
    CHECK(taken(0));
    snprintf(moved, sizeof moved, "%s.moved", entry(0));
    CHECK(rename(entry(0), moved) == 0 && symlink(moved, entry(0)) == 0);
    CHECK(!taken(0));
    CHECK(unlink(entry(0)) == 0 && unlink(moved) == 0);
    if (geteuid() != 0) return; // only root can give a file away
    store(0);
    CHECK(chown(entry(0), 12345, (gid_t)-1) == 0);
    CHECK(!taken(0));
    CHECK(unlink(entry(0)) == 0);
}

static void what_is_not_as_it_was_written_is_not_taken(void)
{
    char other[300];
    struct stat st = {0};
    store(0);
    CHECK(stat(entry(0), &st) == 0);
    for (off_t size = 0; size < st.st_size; size += 7) {
        store(0);
        CHECK(truncate(entry(0), size) == 0);
        CHECK(!taken(0));
    }
    for (off_t at = 0; at < st.st_size; at += 5) {
        char byte;
        store(0);
        const int fd = open(entry(0), O_RDWR);
        CHECK(pread(fd, &byte, 1, at) == 1 && (byte ^= 1, pwrite(fd, &byte, 1, at) == 1));
        close(fd);
        CHECK(!taken(0));
    }
    store(0); // under the name of another
    snprintf(other, sizeof other, "%s", entry(1));
    CHECK(rename(entry(0), other) == 0);
    CHECK(!taken(0) && !taken(1));
    CHECK(unlink(other) == 0);
}

static void what_was_used_longest_ago_goes_first(void)
{
    struct stat st = {0};
    for (int i = 0; i < 4; i++) {
        store(i);
        const struct timespec used[2] = {{1000 + i, 0}, {1000 + i, 0}};
        CHECK(utimensat(AT_FDCWD, entry(i), used, 0) == 0);
    }
    CHECK(taken(0)); // and so used now
    CHECK(stat(entry(0), &st) == 0);
    const uint64_t each = (uint64_t)st.st_size;
    cache_trim(entries, 4 * each);
    CHECK(taken(1));
    const struct timespec used[2] = {{1001, 0}, {1001, 0}};
    CHECK(utimensat(AT_FDCWD, entry(1), used, 0) == 0);
    cache_trim(entries, 2 * each + each / 2);
    CHECK(!taken(1) && !taken(2) && taken(3) && taken(0));
    cache_trim(entries, 0);
    CHECK(!taken(3) && !taken(0));
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(entries, sizeof entries, "%s/gpuexp/code", folder);
    what_others_could_have_written_is_not_taken();
    what_is_not_as_it_was_written_is_not_taken();
    what_was_used_longest_ago_goes_first();
    char path[120];
    rmdir(entries);
    snprintf(path, sizeof path, "%s/gpuexp", folder);
    rmdir(path);
    CHECK(rmdir(folder) == 0);
    return test_end();
}
