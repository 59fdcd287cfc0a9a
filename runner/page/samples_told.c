// Samples are split in two where that explains most of how they differ: by value for modes, by time for a step. Evenly
// spread numbers are explained to three quarters by such a split, those around one value to less.
// SPDX-License-Identifier: MIT
#include "measure/stats.h"
#include "page/samples_told.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = 20, SIDE = 5 }; // samples; on either side of a split
static const double explained = 0.88, matters = 0.005;

struct split {
    size_t at; // the first of the second part
    double before, behind, share;
};

// The split that explains most of the squares around the mean.
static struct split best_split(const double *x, size_t n)
{
    struct split best = {0};
    double sum = 0, squares = 0, left = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    for (size_t i = 0; i < n; i++) squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    for (size_t i = 1; i < n; i++) {
        left += x[i - 1];
        const double a = left / (double)i, b = (sum - left) / (double)(n - i),
                     between = (double)i * (double)(n - i) / (double)n * (b - a) * (b - a);
        if (i < SIDE || n - i < SIDE || !(squares > 0) || between / squares <= best.share) continue;
        best = (struct split){i, a, b, between / squares};
    }
    return best;
}

static bool is_split(const struct split *s)
{
    return s->share > explained && fabs(s->behind - s->before) > matters * fabs(s->before);
}

static void sentence(struct str *s) { str_add(s, s->size ? " " : ""); }

// Does each context keep to one of the modes?
static bool by_context(const struct samples_of *of, double border)
{
    enum { MOST = 64 };
    size_t slow[MOST] = {0}, all[MOST] = {0}, seen = 0;
    for (size_t i = 0; i < of->count; i++) {
        const struct sample_kept *k = &of->items[i];
        if (k->kind != TAKEN_KEPT || k->visit >= MOST) continue;
        seen += !all[k->visit]++;
        slow[k->visit] += k->us > border;
    }
    for (size_t v = 0; v < MOST; v++)
        if (10 * slow[v] > all[v] && 10 * slow[v] < 9 * all[v]) return false;
    return seen > 1;
}

static bool modes(const struct samples_of *of, const double *sorted, size_t n, struct str *s)
{
    const struct split two = best_split(sorted, n);
    if (10 * two.at < n || 10 * (n - two.at) < n || !is_split(&two)) return false;
    sentence(s);
    str_addf(s, "Two modes: %.0f %% of the samples take some %.4g us, the others %.4g%s.",
        100 * (double)two.at / (double)n, two.before, two.behind,
        by_context(of, (sorted[two.at - 1] + sorted[two.at]) / 2) ? ", each context one of them" : "");
    return true;
}

static double median(const double *x, size_t n)
{
    LOCAL(mem_drop) double *copy = mem_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = x[i];
    if (n) qsort(copy, n, sizeof *copy, stats_rising);
    return n ? copy[n / 2] : 0;
}

// The thirds rise or fall one after the other, by more than the samples of one differ.
static void drift(const double *x, size_t n, struct str *s)
{
    const size_t third = n / 3;
    const double a = median(x, third), b = median(x + third, third), c = median(x + 2 * third, n - 2 * third);
    LOCAL(mem_drop) double *apart = mem_alloc((third + 1) * sizeof *apart);
    for (size_t i = 0; i < third; i++) apart[i] = fabs(x[i] - a);
    const double spread = median(apart, third);
    if (!((a < b && b < c) || (a > b && b > c)) || !(fabs(c - a) > 2 * spread) || !(fabs(c - a) > matters * a)) return;
    sentence(s);
    str_addf(s, "A drift: the last third takes %.2g %% %s than the first.", 100 * fabs(c / a - 1),
        c > a ? "longer" : "less");
}

static void clock_step(const struct samples_of *of, struct str *s)
{
    LOCAL(mem_drop) double *mhz = mem_alloc((of->count + 1) * sizeof *mhz);
    size_t n = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].clock_mhz > 0) mhz[n++] = of->items[i].clock_mhz;
    const struct split two = best_split(mhz, n);
    if (n >= LEAST && is_split(&two)) {
        sentence(s);
        str_addf(s, "The clock steps from %.0f to %.0f MHz at sample %zu of %zu.", two.before, two.behind, two.at + 1,
            n);
    }
}

void samples_told(const struct samples_of *of, struct str *s)
{
    LOCAL(mem_drop)
    double *x = mem_alloc((of->count + 1) * sizeof *x), *sorted = mem_alloc((of->count + 1) * sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].kind == TAKEN_KEPT && !isnan(of->items[i].us)) sorted[n] = x[n] = of->items[i].us, n++;
    if (n) qsort(sorted, n, sizeof *sorted, stats_rising);
    if (n >= LEAST && !modes(of, sorted, n, s)) drift(x, n, s);
    clock_step(of, s);
}
