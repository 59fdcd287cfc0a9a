// What replays must come to, kept whole in a text beside the test: who changes what a launch costs reads the
// difference.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file.h"
#include "model/model.h"
#include "unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every figure of a replay but its interval.
static void kept_print(FILE *out, const struct model_result *r)
{
    fprintf(out, "%.5g us, bound %.5g, %s; sampled %.5g, edge %.5g\n", r->us, r->bound_us, limit_words[r->limit],
        r->sampled, r->edge);
    fprintf(out, "  l1 %.5g of %.5g, l2 %.5g, dram %.5g %.5g", r->l1_hit_sectors, r->l1_load_sectors,
        r->l2_read_sectors, r->dram_read_bytes, r->dram_write_bytes);
    for (int u = 0, told = 0; u < LIMITS_MOST; u++)
        if (fabs(r->unit_us[u]) > 1e-9)
            fprintf(out, "%s%s %.5g", told++ % 8 ? " " : "\n  ", limit_words[u], r->unit_us[u]);
    fprintf(out, "\n");
}

// The same words, and numbers within a thousandth; else it prints the first line that differs.
static bool kept_alike(const char *got, const char *want)
{
    const char *line = got, *wanted = want;
    while (*got && *want) {
        char *g, *w;
        const double is = strtod(got, &g), was = strtod(want, &w);
        const bool number = g > got && w > want;
        if (number ? fabs(is - was) > 1e-3 * fabs(was) : *got != *want) break;
        if (*got == '\n') line = got + 1, wanted = want + 1;
        got = number ? g : got + 1, want = number ? w : want + 1;
    }
    if (!*got && !*want) return true;
    printf("is  %.*s\nwas %.*s\n", (int)strcspn(line, "\n"), line, (int)strcspn(wanted, "\n"), wanted);
    return false;
}

// UPDATE=1 writes it anew.
static void kept_holds(const char *path, const char *got, size_t size)
{
    struct diags d = {0};
    if (getenv("UPDATE")) CHECK(file_write(path, got, size, &d));
    char *want = file_read(path, 1 << 20, NULL, &d);
    CHECK(want && kept_alike(got, want));
    free(want);
    diags_clear(&d);
}
