// Fuzz target: any bytes as the files beside a report: its samples, its contexts' parts, what its device told. Each is
// read, or a complaint says why not; nothing may crash, leak or hang.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "fleet/condition.h"
#include "fuzz/fuzz.h"
#include "store/parts.h"
#include "store/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"x.samples.csv", "x.facts.csv", "x.parts.csv"};

static void put(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const keys[] = {"0123456789abcdef", "59a5e2b2fa99c8fd", ""};
    char folder[] = "/dev/shm/gpuexp-beside-XXXXXX", report[64], path[128];
    struct samples_of samples[3];
    struct condition told;
    struct portion portions[4];
    struct diags d = {0};
    struct arena *a = arena_new();
    if (!mkdtemp(folder)) abort();
    snprintf(report, sizeof report, "%s/x.csv", folder);
    for (size_t i = 0; i < 3; i++) put(folder, names[i], data, size);
    if (samples_read(report, keys, 3, samples, a))
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < samples[k].count; i++)
                if (samples[k].items[i].kind >= TAKEN_KIND_COUNT) abort();
    const bool good = condition_read(report, a, &told, &d);
    if (good != (diags_errors(&d) == 0)) abort();
    for (size_t at = 0; good && condition_finding(&told, &at, a);) {}
    diags_clear(&d);
    struct lock *l = lock_take(report, NULL, &d);
    struct kept lines;
    if (!l) abort();
    if (!row_lines_open(&lines, &samples_table, l, report, false, &d) && !diags_errors(&d)) abort();
    kept_close(&lines);
    diags_clear(&d);
    struct parts *parts = parts_open(l, report, false, &d);
    if (!parts && !diags_errors(&d)) abort();
    for (size_t k = 0; parts && k < 3; k++)
        if (parts_find(parts, keys[k], "cuda:0", portions, 4) > 4) abort();
    parts_close(parts);
    lock_release(l);
    diags_clear(&d);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    arena_free(a);
    return 0;
}
