// dlopen gives no error code, only a text.
// SPDX-License-Identifier: MIT
#include "base/dynamic.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

void *dynamic_open(const char *name, char why[256], bool *unsure)
{
    // These texts are failures of the system; any other means that the library is not there.
    static const int passing[] = {ENOMEM, EMFILE, ENFILE, EIO, EINTR, EAGAIN};
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *error = library ? NULL : dlerror();
    for (size_t i = 0; error && i < sizeof passing / sizeof *passing; i++)
        if (strstr(error, strerror(passing[i])) || strstr(error, "failed to map")) {
            snprintf(why, 256, "%s", error);
            *unsure = true;
        }
    return library;
}
