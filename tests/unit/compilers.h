// Runs a test with each compiler that this machine has, NVRTC and clang, and with a cache of its own that is removed
// afterwards.
// SPDX-License-Identifier: MIT
#pragma once
#include "compile/compile.h"
#include "test.h"

#include <stdlib.h>

static inline void with_each_compiler(void (*run)(void))
{
    char cache[] = "/tmp/gpuexp-unit-XXXXXX", command[64];
    static const char *const compilers[] = {"nvrtc", "clang"};
    int here = 0;
    CHECK(mkdtemp(cache) != NULL);
    setenv("XDG_CACHE_HOME", cache, 1);
    for (int i = 0; i < 2; i++) {
        struct diags d = {0};
        setenv("GPUEXP_COMPILER", compilers[i], 1);
        const char *name = compile_compiler(&d);
        diags_clear(&d);
        if (!name) continue;
        printf("%s\n", name);
        here++;
        run();
    }
    CHECK(here > 0); // one is always there, or nothing would have been tested
    snprintf(command, sizeof command, "rm -rf %s", cache);
    CHECK(system(command) == 0);
}
