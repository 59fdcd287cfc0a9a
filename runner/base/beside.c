// The table, and names made from it.
// SPDX-License-Identifier: MIT
#include "base/beside.h"

#include <string.h>

#include "base/str.h"
#include "base/text.h"

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

char *beside_with(const char *report, const char *suffix)
{
    struct str s = {0};
    str_add_bytes(&s, report, strlen(report) - (text_ends(report, ".csv") ? 4 : 0));
    str_add(&s, suffix);
    return str_take(&s);
}

char *beside_path(const char *report, enum beside b) { return beside_with(report, beside_table[b].suffix); }

const char *beside_named(const char *path, bool pages)
{
    static const char lock[] = ".csv.lock";
    for (int b = 0; b < (pages ? BESIDE_COUNT : BESIDE_LIST); b++)
        if (text_ends(path, beside_table[b].suffix)) return beside_table[b].suffix;
    return text_ends(path, lock) ? lock : NULL;
}
