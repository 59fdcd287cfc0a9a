// Fuzz target: any bytes as the files beside a report: its samples, what its launches counted, its contexts' parts,
// what its device told. They are tried as they are, and as lines that follow the right header and end in their
// checksums. Each is read, or a complaint says why not; nothing may crash, leak or hang.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "base/file.h"
#include "fleet/condition.h"
#include "fuzz/fuzz.h"
#include "store/cells.h"
#include "store/parts.h"
#include "store/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const keys[] = {"0123456789abcdef", "59a5e2b2fa99c8fd", ""};

static void put(const char *path, const struct str *text)
{
    FILE *f = fopen(path, "w");
    if (!f || fwrite(text->text ? text->text : "", 1, text->size, f) != text->size || fclose(f) != 0) abort();
}

// The bytes as they are; then the header with each line sealed. Read by `how`.
static void try(const char *report, enum beside file, const struct str *header, const uint8_t *data, size_t size,
    void (*how)(const char *report))
{
    char *path = beside_path(report, file);
    struct str text = {0};
    str_add_bytes(&text, (const char *)data, size);
    put(path, &text);
    how(report);
    text.size = 0;
    if (header) str_add_bytes(&text, header->text, header->size);
    for (const uint8_t *p = data, *end = data + size; header && p < end;) {
        const uint8_t *stop = memchr(p, '\n', (size_t)(end - p));
        const size_t start = text.size, n = (size_t)((stop ? stop : end) - p);
        str_add_bytes(&text, (const char *)p, n);
        str_add(&text, ",");
        cells_seal(&text, start);
        p += n + 1;
    }
    if (header) put(path, &text), how(report);
    unlink(path);
    free(path);
    str_release(&text);
}

static void read_lines(const char *report)
{
    struct samples_of samples[3];
    struct diags d = {0};
    struct arena *a = arena_new();
    struct lock *l = lock_take(report, NULL, &d);
    if (!l) abort();
    if (samples_read(report, keys, 3, samples, a))
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < samples[k].count; i++)
                if (samples[k].items[i].kind >= TAKEN_KIND_COUNT) abort();
    for (const struct row_lines_table *const *t = row_lines_tables; *t; t++) {
        struct kept lines;
        if (!row_lines_open(&lines, *t, l, report, false, &d) && !diags_errors(&d)) abort();
        kept_close(&lines);
        diags_clear(&d);
    }
    lock_release(l);
    arena_free(a);
}

static void read_parts(const char *report)
{
    struct portion portions[4];
    struct diags d = {0};
    struct lock *l = lock_take(report, NULL, &d);
    struct parts *parts = l ? parts_open(l, report, false, &d) : NULL;
    if (!parts && !diags_errors(&d)) abort();
    for (size_t k = 0; parts && k < 3; k++)
        if (parts_find(parts, keys[k], "cuda:0", portions, 4) > 4) abort();
    parts_close(parts);
    lock_release(l);
    diags_clear(&d);
}

static void read_condition(const char *report)
{
    struct condition told;
    struct diags d = {0};
    struct arena *a = arena_new();
    const bool good = condition_read(report, a, &told, &d);
    if (good != (diags_errors(&d) == 0)) abort();
    for (size_t at = 0; good && condition_finding(&told, &at, a);) {}
    diags_clear(&d);
    arena_free(a);
}

// As the program writes it before the first part.
static void parts_header(const char *report, struct str *header)
{
    const struct portion part = {.time_us = 1};
    struct diags d = {0};
    struct lock *l = lock_take(report, NULL, &d);
    struct parts *parts = l ? parts_open(l, report, false, &d) : NULL;
    char *path = beside_path(report, BESIDE_PARTS);
    size_t size;
    if (!parts || !parts_add(parts, keys[0], "cuda:0", &part, &d)) abort();
    char *text = file_read(path, 1 << 20, &size, &d);
    if (!text) abort();
    str_add_bytes(header, text, (size_t)(strchr(text, '\n') - text) + 1);
    if (!parts_remove(parts, &d)) abort();
    parts_close(parts);
    lock_release(l);
    free(text);
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct str of_parts;
    char folder[] = "/dev/shm/gpuexp-beside-XXXXXX", report[64];
    if (!mkdtemp(folder)) abort();
    snprintf(report, sizeof report, "%s/x.csv", folder);
    if (!of_parts.size) parts_header(report, &of_parts);
    for (const struct row_lines_table *const *t = row_lines_tables; *t; t++) {
        struct str header = {0};
        (*t)->head(&header);
        try(report, (*t)->file, &header, data, size, read_lines);
        str_release(&header);
    }
    try(report, BESIDE_PARTS, &of_parts, data, size, read_parts);
    try(report, BESIDE_FACTS, NULL, data, size, read_condition);
    rmdir(folder);
    return 0;
}
