// Reads the limits of the control groups that hold this process, of version 1 and 2, up to the root.
// SPDX-License-Identifier: MIT
#include "base/machine.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GENERATIONS = 8 }; // a worker's compiler is its grandchild

static void add(pid_t pid, int depth, double *ran, double *waited)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = depth < GENERATIONS ? opendir(path) : NULL;
    for (const struct dirent *e; threads && (e = readdir(threads)) != NULL;) {
        const int thread = atoi(e->d_name);
        double run = 0, wait = 0;
        int child;
        if (thread <= 0) continue;
        snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, thread);
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%lf %lf", &run, &wait) == 2) *ran += 1e-9 * run, *waited += 1e-9 * wait;
        if (f) fclose(f);
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, thread);
        f = fopen(path, "r");
        while (f && fscanf(f, "%d", &child) == 1) add(child, depth + 1, ran, waited);
        if (f) fclose(f);
    }
    if (threads) closedir(threads);
}

void turns_begin(struct turns *t, pid_t pid)
{
    *t = (struct turns){0};
    add(pid, 0, &t->seen_ran, &t->seen_waited);
}

void turns_look(struct turns *t, pid_t pid)
{
    double ran = 0, waited = 0;
    add(pid, 0, &ran, &waited);
    if (ran > t->seen_ran) t->ran += ran - t->seen_ran; // it is less where one of them has ended
    if (waited > t->seen_waited) t->waited += waited - t->seen_waited;
    t->seen_ran = ran;
    t->seen_waited = waited;
}

double turns_share(const struct turns *t) { return t->waited > 0 ? t->ran / (t->ran + t->waited) : 1; }

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
