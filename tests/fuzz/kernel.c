// Fuzz target: any text as a kernel file. Nothing may crash, leak, hang or be refused without a complaint.
// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.h"
#include "spec/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diags d = {0};
    char *text = mem_alloc(size + 1), *shown = NULL;
    size_t shown_size;
    if (size) memcpy(text, data, size);
    struct kernel *k = kernel_parse("kernels/fuzz.cu", text, &d);
    if ((k != NULL) != (diags_errors(&d) == 0)) abort();
    FILE *out = open_memstream(&shown, &shown_size);
    diags_print(&d, out);
    fclose(out);
    free(shown);
    free(text);
    kernel_free(k);
    diags_clear(&d);
    return 0;
}
