// Fuzz target: any bytes as an experiment file, the rest of each of its lines `#-s ` as an override. Nothing may crash,
// leak, hang or be refused without a complaint.
// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.h"
#include "spec/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t find_overrides(char *text, struct override *out, size_t most)
{
    size_t count = 0;
    for (char *p = text; (p = strstr(p, "#-s ")) && count < most;) {
        char *end = strchr(p, '\n');
        out[count++].text = p + 4;
        if (!end) break;
        *end = '\0';
        p = end + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct experiments all = {0};
    struct diags d = {0};
    struct override overrides[8];
    char *copy = mem_alloc(size + 1), *shown = NULL;
    size_t shown_size;
    if (setenv("GPUEXP_PATH", TESTS_DIR "/messages", 1) != 0) abort(); // its kernels
    if (size) memcpy(copy, data, size);
    size_t count = find_overrides(copy, overrides, 8);
    bool good = experiments_parse("fuzz.yaml", (const char *)data, size, overrides, count, &all, &d);
    if (good != (diags_errors(&d) == 0) || good != (all.count > 0)) abort();
    FILE *out = open_memstream(&shown, &shown_size);
    diags_print(&d, out);
    fclose(out);
    free(shown);
    free(copy);
    experiments_free(&all);
    diags_clear(&d);
    return 0;
}
