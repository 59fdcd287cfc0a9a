// Neighbours that touch become one group. A group is placed at the mean of the places that its members want; groups
// that touch become one.
// SPDX-License-Identifier: MIT
#include "page/spread.h"

#include <stdlib.h>

#include "base/arena.h"

struct label_group {
    double sum; // of the places that its members want, each minus its offset in the group
    size_t count;
    double first; // the place of the first of them
};

struct label_want {
    double want;
    size_t number;
};

static int by_want(const void *a, const void *b)
{
    const struct label_want *x = a, *y = b;
    if (x->want != y->want) return x->want < y->want ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static double clamp(double x, double lo, double hi) { return x > hi ? hi : x < lo ? lo : x; }

void spread(double *at, size_t count, double gap, double lo, double hi)
{
    if (!count) return;
    if (count > 1 && gap * (double)(count - 1) > hi - lo) gap = (hi - lo) / (double)(count - 1);
    LOCAL(mem_drop) struct label_want *wants = mem_alloc(count * sizeof *wants);
    LOCAL(mem_drop) struct label_group *groups = mem_alloc(count * sizeof *groups);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) wants[i] = (struct label_want){at[i], i};
    qsort(wants, count, sizeof *wants, by_want);
    for (size_t i = 0; i < count; i++) {
        struct label_group g = {.sum = wants[i].want, .count = 1};
        for (;;) {
            g.first = clamp(g.sum / (double)g.count, lo, hi - gap * (double)(g.count - 1));
            if (!n || groups[n - 1].first + gap * (double)groups[n - 1].count <= g.first) break;
            const struct label_group *before = &groups[--n]; // its members come first: those of g move by as many gaps
            g.sum += before->sum - gap * (double)before->count * (double)g.count;
            g.count += before->count;
        }
        groups[n++] = g;
    }
    for (size_t k = 0, i = 0; k < n; k++)
        for (size_t j = 0; j < groups[k].count; j++, i++) at[wants[i].number] = groups[k].first + gap * (double)j;
}
