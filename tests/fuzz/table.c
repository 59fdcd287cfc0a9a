// Fuzz target: any bytes as a report and as its run file. Every row can be asked for, or a complaint says why not.
// SPDX-License-Identifier: MIT
#include "store/table.h"

#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "store/keys.h"
#include "store/runfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct table t = {0};
    struct tally tally;
    struct diags d = {0};
    char path[64], *text = mem_alloc(size + 1);
    const int file = memfd_create("report", 0);
    if (size) memcpy(text, data, size);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const bool good = table_open(&t, path, &d);
    if (good != (diags_errors(&d) == 0)) abort();
    for (size_t i = 0; good && i < t.count; i++) {
        size_t bytes;
        diags_clear(&d);
        const char *row = table_text(&t, i, &bytes);
        if (!bytes || row[bytes - 1] != '\n') abort();
        const struct cells *cells = table_row(&t, i, &d);
        if ((cells != NULL) != (diags_errors(&d) == 0)) abort();
        for (size_t c = 0; cells && c < t.column_count; c++) table_value(cells_text(cells, c));
    }
    diags_clear(&d);
    if (good) tally_rows(&t, &tally, &d);
    table_close(&t);
    diags_clear(&d);
    free(runfile_get(text, "points", -1));
    free(runfile_get(text, "compiler", 0));
    close(file);
    free(text);
    return 0;
}
