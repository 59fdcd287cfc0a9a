// The widest gap among the values, and whether it is one.
// SPDX-License-Identifier: MIT
#include "measure/modes.h"

#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double mean(const double *values, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += values[i];
    return sum / (double)(to - from);
}

bool modes_find(const double *values, size_t count, struct modes *m)
{
    enum { MOST = 256, LEAST = 6, EACH = 2 };
    // A gap so many times as wide as the wider group is no chance's, which leaves wide ones among few values; and it
    // must be so large a share of the time that somebody would ask which of the two it is.
    const double wide = fmax(1.5, 24.0 / (double)count), matters = 0.03;
    double sorted[MOST], gap = 0;
    size_t at = 0;
    if (count < LEAST || count > MOST) return false;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, stats_rising);
    for (size_t i = EACH; i + EACH <= count; i++) {
        if (sorted[i] - sorted[i - 1] <= gap) continue;
        gap = sorted[i] - sorted[i - 1];
        at = i;
    }
    if (!at) return false;
    const double spread = fmax(sorted[at - 1] - sorted[0], sorted[count - 1] - sorted[at]);
    *m = (struct modes){mean(sorted, 0, at), mean(sorted, at, count), (double)(count - at) / (double)count};
    return gap > wide * spread && gap > matters * m->quick;
}
