// Finds CUPTI: by the loader, then beside the CUDA Toolkit, where its own libraries are found too.
//
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda_cupti.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *open_in(const char *folder, const char *name)
{
    char path[512];
    const size_t length = (size_t)snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    return length < sizeof path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

static void *find_library(void)
{
    char own[2][300] = {"", ""};
    const char *home = getenv("CUDA_HOME");
    if (home) {
        snprintf(own[0], sizeof own[0], "%s/lib64", home);
        snprintf(own[1], sizeof own[1], "%s/extras/CUPTI/lib64", home);
    }
    const char *folders[] = {"", own[0], own[1], "/usr/local/cuda/lib64", "/usr/local/cuda/extras/CUPTI/lib64",
        "/usr/local/cuda/targets/x86_64-linux/lib", "/opt/cuda/extras/CUPTI/lib64", "/usr/lib/x86_64-linux-gnu"};
    const char *names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    for (size_t n = 0; n < 3; n++)
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            if (f && !*folders[f]) continue;
            void *library = open_in(folders[f], names[n]);
            if (!library) continue;
            // CUPTI loads this one by its bare name when it is first asked for metrics.
            if (*folders[f]) open_in(folders[f], "libnvperf_host.so");
            return library;
        }
    return NULL;
}

bool cuda_cupti_load(struct cupti *c, char why[256])
{
    c->library = find_library();
    if (!c->library) {
        snprintf(why, 256,
            "CUPTI (libcupti.so, part of the CUDA Toolkit) cannot be loaded; set CUDA_HOME or LD_LIBRARY_PATH");
        return false;
    }
    static const char *const names[] = {
#define X(member, name, ...) name,
        CUPTI_FUNCTIONS(X)
#undef X
    };
    void **functions =
        (void **)((char *)c + sizeof c->library); // one pointer after another: the struct is made from the same list
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(c->library, names[i]);
        if (functions[i]) continue;
        snprintf(why, 256, "this CUPTI has no %s: the CUDA Toolkit 12.8 or newer has it", names[i]);
        dlclose(c->library);
        c->library = NULL;
        return false;
    }
    return true;
}
#endif
