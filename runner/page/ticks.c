// Ticks at numbers that people like: 1, 2, 5 and their tens, or powers of two with Ki, Mi, Gi.
// SPDX-License-Identifier: MIT
#include "page/ticks.h"

#include <math.h>

#include "base/units.h"

static double forward(enum scale_kind kind, double x)
{
    switch (kind) {
    case SCALE_LOG2: return log2(x);
    case SCALE_LOG10: return log10(x);
    case SCALE_LINEAR: break;
    }
    return x;
}

static double back(enum scale_kind kind, double x)
{
    switch (kind) {
    case SCALE_LOG2: return exp2(x);
    case SCALE_LOG10: return pow(10, x);
    case SCALE_LINEAR: break;
    }
    return x;
}

double scale_at(const struct scale *s, double x)
{
    double lo = forward(s->kind, s->lo), hi = forward(s->kind, s->hi);
    if (hi <= lo) return (s->from + s->to) / 2;
    return s->from + (forward(s->kind, x) - lo) / (hi - lo) * (s->to - s->from);
}

double scale_back(const struct scale *s, double at)
{
    double lo = forward(s->kind, s->lo), hi = forward(s->kind, s->hi);
    return back(s->kind, lo + (at - s->from) / (s->to - s->from) * (hi - lo));
}

// The smallest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, ...) that is at least `least`.
static double nice_step(double least)
{
    double ten = pow(10, floor(log10(least)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < 4; i++)
        if (steps[i] * ten >= least * (1 - 1e-9)) return steps[i] * ten;
    return 10 * ten;
}

// Every `step` from below `lo` to above `hi`, on the scale of the axis.
static void fill(struct ticks *t, double lo, double hi, double step)
{
    double first = floor(lo / step + 1e-9), last = ceil(hi / step - 1e-9);
    if (last <= first) last = first + 1;
    t->count = 0;
    for (double k = first; k <= last && t->count < TICKS_MOST; k++) t->at[t->count++] = back(t->kind, k * step);
    t->lo = t->at[0];
    t->hi = t->at[t->count - 1];
}

// Between few powers of ten there is room for 2 and 5, and the axis may begin and end at those.
static void fill_between(struct ticks *t, double lo, double hi)
{
    static const double steps[] = {1, 2, 5};
    double all[3 * 5];
    size_t count = 0, first = 0, last;
    for (double k = floor(log10(lo) + 1e-9); k <= floor(log10(lo)) + 4; k++)
        for (size_t i = 0; i < 3; i++) all[count++] = steps[i] * pow(10, k);
    while (first + 1 < count && all[first + 1] <= lo * (1 + 1e-9)) first++;
    for (last = first + 1; last + 1 < count && all[last] < hi * (1 - 1e-9);) last++;
    t->count = 0;
    for (size_t i = first; i <= last; i++) t->at[t->count++] = all[i];
    t->lo = t->at[0];
    t->hi = t->at[t->count - 1];
}

void ticks_make(struct ticks *t, enum scale_kind kind, double lo, double hi, size_t most)
{
    most = most < 3 ? 3 : most > TICKS_MOST - 2 ? TICKS_MOST - 2 : most;
    *t = (struct ticks){.kind = kind};
    if (kind != SCALE_LINEAR) {
        double a = forward(kind, lo), b = forward(kind, hi), step = 1;
        if (kind == SCALE_LOG10 && b - a < 2 && most >= 5) {
            fill_between(t, lo, hi);
            return;
        }
        while (ceil(b / step - 1e-9) - floor(a / step + 1e-9) + 1 > (double)most) step++;
        fill(t, a, b, step);
        return;
    }
    if (!(hi > lo)) {
        double room = lo != 0 ? fabs(lo) / 2 : 1;
        lo = lo > 0 ? 0 : lo - room;
        hi += room;
    }
    double step = nice_step((hi - lo) / (double)(most - 1));
    while (ceil(hi / step - 1e-9) - floor(lo / step + 1e-9) + 1 > (double)most) step = nice_step(step * 1.5);
    fill(t, lo, hi, step);
}

void ticks_make_bytes(struct ticks *t, enum scale_kind kind, double lo, double hi, size_t most, double bytes)
{
    if (kind != SCALE_LINEAR) {
        ticks_make(t, SCALE_LOG2, lo * bytes, hi * bytes, most);
    } else {
        most = most < 3 ? 3 : most > TICKS_MOST - 2 ? TICKS_MOST - 2 : most;
        *t = (struct ticks){.kind = kind};
        if (!(hi > lo)) hi = lo > 0 ? 2 * lo : lo + 1;
        double step = exp2(ceil(log2((hi - lo) * bytes / (double)(most - 1)) - 1e-9));
        while (ceil(hi * bytes / step - 1e-9) - floor(lo * bytes / step + 1e-9) + 1 > (double)most) step *= 2;
        fill(t, lo * bytes, hi * bytes, step);
    }
    for (size_t i = 0; i < t->count; i++) t->at[i] /= bytes;
    t->lo /= bytes, t->hi /= bytes;
    t->kind = kind;
    t->bytes = bytes;
}

// The largest unit with which `most` is at least 1; none where the number is short without.
static const char *unit_for(double most, double *one)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    *one = 1;
    for (size_t u = 0; u < sizeof units / sizeof units[0] && most >= 10000; u++)
        if (most >= units[u].size) return *one = units[u].size, units[u].name;
    return "";
}

void ticks_number(double x, struct str *s)
{
    double one;
    const char *name = unit_for(fabs(x), &one);
    int digits = fabs(x) < 10000 && fabs(x) >= 999.5 ? 4 : 3;
    str_addf(s, "%.*g%s%s", digits, x / one, *name ? " " : "", name);
}

static void label_linear(const struct ticks *t, size_t i, struct str *s)
{
    const double unit = t->one > 0 ? t->one : 1;
    double step = t->count > 1 ? t->at[1] - t->at[0] : 1, one;
    const char *name = unit_for(fmax(fabs(t->lo), fabs(t->hi)) / unit, &one);
    one *= unit;
    int digits = step / one >= 1 ? 0 : (int)ceil(-log10(step / one) - 1e-9);
    double shown = t->at[i] / one;
    if (fabs(shown) < step / one / 2) {
        str_add(s, "0");
        return;
    }
    str_addf(s, "%.*f%s%s", digits, shown, *name ? " " : "", name);
}

void ticks_label(const struct ticks *t, size_t i, struct str *s)
{
    if (t->bytes > 0) units_print_bytes(t->at[i] * t->bytes, s);
    else if (t->kind == SCALE_LINEAR) label_linear(t, i, s);
    else if (t->kind == SCALE_LOG2 && t->at[i] >= 1) units_print_count(t->at[i], s);
    else ticks_number(t->at[i] / (t->one > 0 ? t->one : 1), s);
}

// The axis on which the widest gap is the smaller share of the whole.
enum scale_kind scale_for(const double *v, size_t n)
{
    double even = 0, factor = 0;
    bool tens = true;
    if (n < 3 || v[0] <= 0 || v[n - 1] < 4 * v[0]) return SCALE_LINEAR;
    for (size_t i = 1; i < n; i++) {
        even = fmax(even, (v[i] - v[i - 1]) / (v[n - 1] - v[0]));
        factor = fmax(factor, log(v[i] / v[i - 1]) / log(v[n - 1] / v[0]));
        double power = log10(v[i] / v[0]);
        tens = tens && fabs(power - round(power)) < 1e-9;
    }
    return factor >= even ? SCALE_LINEAR : tens ? SCALE_LOG10 : SCALE_LOG2;
}
