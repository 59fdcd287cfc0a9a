// Reads UUIDs and lists of them.
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_which.h"

#include <ctype.h>
#include <string.h>

static const char slice[] = "MIG-", whole[] = "GPU-";

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// Slices were "MIG-GPU-b90b8fc4-.../7/0" before driver 470.
bool cuda_which_uuid(const char *text)
{
    const size_t n = strlen(text);
    if (!(begins(text, slice) || begins(text, whole)) || n < strlen(whole) + 4 || n >= CUDA_UUID) return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '-' && *text != '/') return false;
    return true;
}

bool cuda_which_slice_name(const char *device) { return strstr(device, " MIG ") != NULL; }

int cuda_which_slices(const char *visible)
{
    char uuid[CUDA_UUID];
    int n = 0;
    while (cuda_which_slice(visible, n, uuid)) n++;
    return n;
}

bool cuda_which_slice(const char *visible, int i, char uuid[CUDA_UUID])
{
    bool found = false;
    for (const char *p = visible; p && *p; p += *p == ',') {
        const size_t n = strcspn(p, ",");
        if (n >= CUDA_UUID || !begins(p, slice)) return false;
        if (i-- == 0) {
            memcpy(uuid, p, n);
            uuid[n] = '\0';
            found = cuda_which_uuid(uuid);
        }
        p += n;
    }
    return found;
}

bool cuda_which_may(const char *visible, const char *uuid)
{
    char one[CUDA_UUID];
    if (!visible) return true;
    for (int i = 0; cuda_which_slice(visible, i, one); i++)
        if (begins(one, uuid) || begins(uuid, one)) return true;
    return false;
}
