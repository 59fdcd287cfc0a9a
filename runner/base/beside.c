// The table, and names made from it.
// SPDX-License-Identifier: MIT
#include "base/beside.h"

#include <string.h>

#include "base/str.h"

#define WRITTEN "<!-- written by gpuexp -->\n"
#define PAGE "<!DOCTYPE html>\n" WRITTEN

const struct beside_row beside_table[BESIDE_COUNT] = {
    [BESIDE_RUN] = {".run.yaml", BESIDE_KEPT, "# What the report beside this file was measured with, and each run"},
    [BESIDE_LAUNCHES] = {".launches.csv", BESIDE_KEPT | BESIDE_LINES, NULL},
    [BESIDE_SAMPLES] = {".samples.csv", BESIDE_KEPT | BESIDE_LINES, NULL},
    [BESIDE_PARTS] = {".parts.csv", BESIDE_KEPT, NULL},
    [BESIDE_OLD] = {".old.csv", 0, NULL},
    [BESIDE_FACTS] = {".facts.csv", BESIDE_KEPT, NULL},
    [BESIDE_ROWS] = {".rows.csv", 0, "experiment,point,key,"},
    [BESIDE_LIST] = {".json", 0, "[\n  {\n    \"experiment\": "},
    [BESIDE_JSON_LINES] = {".jsonl", 0, "{\"experiment\": "},
    [BESIDE_MARKDOWN] = {".md", 0, WRITTEN},
    [BESIDE_PICTURE] = {".svg", 0, WRITTEN},
    [BESIDE_COMPARED] = {".compare.html", 0, PAGE},
    [BESIDE_STATUS] = {".status.html", 0, PAGE},
    [BESIDE_PAGE] = {".html", 0, PAGE},
};

static bool ends(const char *path, size_t n, const char *end)
{
    const size_t e = strlen(end);
    return n > e && strcmp(path + n - e, end) == 0;
}

char *beside_with(const char *report, const char *suffix)
{
    struct str s = {0};
    const size_t n = strlen(report);
    str_add_bytes(&s, report, ends(report, n, ".csv") ? n - 4 : n);
    str_add(&s, suffix);
    return str_take(&s);
}

char *beside_path(const char *report, enum beside b) { return beside_with(report, beside_table[b].suffix); }

const char *beside_named(const char *path, bool pages)
{
    static const char lock[] = ".csv.lock";
    const size_t n = strlen(path);
    for (int b = 0; b < (pages ? BESIDE_COUNT : BESIDE_LIST); b++)
        if (ends(path, n, beside_table[b].suffix)) return beside_table[b].suffix;
    return ends(path, n, lock) ? lock : NULL;
}
