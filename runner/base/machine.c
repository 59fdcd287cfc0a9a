// Reads the limits of the control groups that hold this process, of version 1 and 2, up to the root.
// SPDX-License-Identifier: MIT
#include "base/machine.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t bytes;

static void limit(const char *file)
{
    unsigned long long most;
    FILE *f = fopen(file, "r");
    if (f && fscanf(f, "%llu", &most) == 1 && most > 0 && most < bytes) bytes = most; // "max" is not a number
    if (f) fclose(f);
}

// A group has the limits of all groups that it is in.
static void limit_group(const char *root, char *group, const char *name)
{
    char file[2 * PATH_MAX];
    for (;;) {
        snprintf(file, sizeof file, "%s%s/%s", root, group, name);
        limit(file);
        char *slash = strrchr(group, '/');
        if (!slash) return;
        *slash = '\0';
    }
}

static void find(void)
{
    char line[PATH_MAX];
    bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *group++ = '\0';
        if (!controllers[1]) limit_group("/sys/fs/cgroup", group, "memory.max");
        else if (strstr(controllers, "memory")) limit_group("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    }
    if (f) fclose(f);
}

uint64_t machine_memory(void)
{
    pthread_once(&once, find);
    return bytes;
}

uint64_t machine_data_memory(void)
{
    const uint64_t all = machine_memory();
    return all > 2 * MACHINE_RESERVE ? all - MACHINE_RESERVE : all / 2;
}
