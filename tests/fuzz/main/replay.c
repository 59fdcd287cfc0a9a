// Runs a fuzz target over every file of the folders given, without libFuzzer: what fuzzing has found is tested from
// then on. All targets are in it: called replay_NAME it runs NAME (tests/CMakeLists.txt makes the links). Of each file
// of the first folder up to 200 beginnings are tried too (20 of the others), because a reader that looks ahead goes
// wrong at an early end.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/str.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGET(name) int replay_##name(const uint8_t *data, size_t size);
#include "targets.h"
#undef TARGET

static const struct {
    const char *name;
    int (*try)(const uint8_t *data, size_t size);
} targets[] = {
#define TARGET(name) {"replay_" #name, replay_##name},
#include "targets.h"
};

// In memory of its exact size, so that a sanitizer sees a read of the first byte after it.
static void run(int (*try)(const uint8_t *data, size_t size), const char *text, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes) exit(3);
    memcpy(bytes, text, size);
    try(bytes, size);
    free(bytes);
}

int main(int argc, char **argv)
{
    int files = 0, (*try)(const uint8_t *data, size_t size) = NULL;
    const char *slash = strrchr(argv[0], '/'), *called = slash ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, called) == 0) try = targets[i].try;
    if (!try) return fprintf(stderr, "no target is called %s\n", called), 2;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        for (struct dirent *e; dir && (e = readdir(dir));) {
            struct str path = {0};
            struct diags d = {0};
            size_t size;
            str_addf(&path, "%s/%s", argv[i], e->d_name);
            char *text =
                e->d_name[0] == '.' || !file_exists(path.text) ? NULL : file_read(path.text, 16 << 20, &size, &d);
            if (text) {
                size_t step = size / (i == 1 ? 200 : 20) + 1; // the corpus comes first; what ships is large and right
                for (size_t n = 0; n < size; n += step) run(try, text, n);
                run(try, text, size);
                files++;
            }
            free(text);
            str_release(&path);
            diags_clear(&d);
        }
        if (dir) closedir(dir);
    }
    printf("%d files\n", files);
    return files ? 0 : 1;
}
