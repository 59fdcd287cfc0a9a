// Reads /proc/PID/task/TID/schedstat, and the children of each thread beside it.
// SPDX-License-Identifier: MIT
#include "base/turns.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

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
