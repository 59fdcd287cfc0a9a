// Fuzz target: any text as what the device for tests shall do. Nothing may crash, leak or be refused without a
// complaint.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "fake/fake.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fake_statements s = {0};
    struct diags d = {0};
    struct arena *a = arena_new();
    char *text = mem_alloc(size + 1);
    if (size) memcpy(text, data, size);
    const bool good = fake_parse("x.txt", text, a, &s, &d);
    if (good != (diags_errors(&d) == 0)) abort();
    if (good) fake_told(&s, a, arena_alloc(a, (s.count + 1) * sizeof(struct device_fact)), 0);
    diags_clear(&d);
    free(text);
    arena_free(a);
    return 0;
}
