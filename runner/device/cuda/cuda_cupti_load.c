// Finds CUPTI, in the places of base/toolkit.txt, and with it what it loads itself.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "base/toolkit.h"
#include "device/cuda/cuda_cupti.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Every function, or the first that is missing.
static const char *bind(struct cupti *c)
{
    static const char *const names[] = {
#define X(member, name, ...) name,
        CUPTI_FUNCTIONS(X)
#undef X
    };
    void **functions =
        (void **)((char *)c + sizeof c->library); // one pointer after another: the struct is made from the same list
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(c->library, names[i]))) return names[i];
    return NULL;
}

bool cuda_cupti_load(struct cupti *c, char why[256])
{
    struct arena *a = arena_new();
    c->library = NULL;
    *why = '\0';
    for (const char *const *file = toolkit_libraries("cupti", a); *file && !c->library; file++) {
        if (!(c->library = dlopen(*file, RTLD_NOW | RTLD_GLOBAL))) continue;
        const char *lacks = bind(c), *slash = strrchr(*file, '/');
        if (lacks) {
            snprintf(why, 256, "this CUPTI has no %s: the CUDA Toolkit 12.8 or newer has it", lacks);
            dlclose(c->library);
            c->library = NULL;
        } else if (slash) { // CUPTI loads this one by its bare name when it is first asked for metrics
            dlopen(arena_printf(a, "%.*s/libnvperf_host.so", (int)(slash - *file), *file), RTLD_NOW | RTLD_GLOBAL);
        }
    }
    arena_free(a);
    if (c->library) *why = '\0'; // of one that was tried before
    else if (!*why)
        snprintf(why, 256,
            "CUPTI (libcupti.so, part of the CUDA Toolkit) cannot be loaded; set CUDA_HOME or LD_LIBRARY_PATH");
    return c->library;
}
#endif
