// The ranges of axes. Whole numbers stay whole; reals are from + i * step, not a sum of steps.
// SPDX-License-Identifier: MIT
#include "spec/reading.h"
#include "spec/scalar.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_VALUES = 10000000 };

struct value_range {
    const struct node *node;
    const char *name;
    struct value from, to, by;
    double a, b, s; // the same as reals
    bool whole;
    struct arena *arena;
    struct diags *diags;
};

static bool number(const struct value_range *r, const char *key, struct value *v, double *real, enum unit *unit)
{
    const struct node *n = node_get(r->node, key);
    char why[160];
    if (!n)
        return node_complain(r->diags, r->node, "{from: 1, to: 128, step: 1} or {from: 1, to: 1Gi, times: 2}",
            "the range of `%s` has no `%s`", r->name, key);
    const char *text = node_text(n, key, "a number", r->diags);
    if (!text) return false;
    if (!units_parse(text, v, unit, why)) return node_complain(r->diags, n, NULL, "%s", why);
    return value_number(*v, real);
}

static bool endless(const struct value_range *r, const char *why)
{
    return node_complain(r->diags, r->node, NULL, "the range of `%s` never ends: %s", r->name, why);
}

static bool too_many(const struct value_range *r)
{
    return node_complain(r->diags, r->node, NULL, "the range of `%s` has more than 10 million values", r->name);
}

// Room for `steps` + 1 values; NULL after a complaint.
static struct value *room(const struct value_range *r, double steps, size_t *count)
{
    if (!(steps < MOST_VALUES)) return too_many(r), NULL;
    *count = (size_t)steps + 1;
    return arena_alloc(r->arena, *count * sizeof(struct value));
}

static bool linear(const struct value_range *r, struct value **values, size_t *count)
{
    if (r->s == 0) return endless(r, "`step` is 0");
    if (r->a != r->b && (r->b > r->a) != (r->s > 0)) return endless(r, "`step` leads away from `to`");
    bool exact = r->from.kind == VALUE_INT && r->to.kind == VALUE_INT && r->by.kind == VALUE_INT;
    double steps = floor((r->b - r->a) / r->s + 1e-9);
    if (exact && steps < 2.0 * MOST_VALUES) { // near 2^63 a double cannot count exactly
        __int128 n = ((__int128)r->to.i - r->from.i) / r->by.i;
        steps = (double)n;
    }
    if (!(*values = room(r, steps, count))) return false;
    for (size_t i = 0; i < *count; i++)
        (*values)[i] = exact ? value_int((int64_t)((__int128)r->from.i + (__int128)i * r->by.i))
                             : value_real(r->a + (double)i * r->s);
    return true;
}

static bool geometric(const struct value_range *r, struct value **values, size_t *count)
{
    if (r->s <= 0 || r->s == 1) return endless(r, "`times` has to be above 0 and not 1");
    if (r->a == 0) return endless(r, "0 times anything is 0");
    if ((r->a > 0) != (r->b > 0)) return endless(r, "`from` and `to` lie on different sides of 0");
    double ratio = r->b / r->a;
    if ((ratio > 1 && r->s < 1) || (ratio < 1 && r->s > 1)) return endless(r, "`times` leads away from `to`");
    if (!(*values = room(r, floor(log(ratio) / log(r->s) + 1e-9), count))) return false;
    bool exact = r->from.kind == VALUE_INT && r->by.kind == VALUE_INT;
    struct value v = r->from;
    size_t kept = 0;
    double end = fmax(fmin(r->b, 0x1.fffffffffffffp62), -0x1p63);
    int64_t last = r->to.kind == VALUE_INT ? r->to.i : (int64_t)end;
    for (size_t i = 0; i < *count; i++) {
        double x = r->a * pow(r->s, (double)i);
        if (!exact) v = r->whole && fabs(x) < 0x1p62 ? value_int(llround(x)) : value_real(x);
        if (!kept || !value_equal((*values)[kept - 1], v)) (*values)[kept++] = v;
        __int128 next = exact ? (__int128)v.i * r->by.i : 0;
        if (exact && (r->a > 0 ? next > last : next < last)) break; // the logarithm rounded up
        if (exact) v.i = (int64_t)next;
    }
    *count = kept;
    return true;
}

bool range_read(const struct node *n, const char *name, bool whole, struct arena *a, struct value **values,
    size_t *count, enum unit *unit, struct diags *d)
{
    struct value_range r = {.node = n, .name = name, .whole = whole, .arena = a, .diags = d};
    enum unit to_unit = UNIT_NONE, by_unit = UNIT_NONE;
    const struct node *step = node_get(n, "step"), *times = node_get(n, "times");
    bool good = node_check_keys(n, &words_range, d);
    if (good && step && times) good = node_complain(d, times, NULL, "a range has a `step` or `times`, not both");
    if (good && !step && !times)
        good = node_complain(d, n, "step: 1 goes up by one, times: 2 doubles",
            "the range of `%s` has no `step` and no `times`", name);
    good &= number(&r, "from", &r.from, &r.a, unit);
    good &= number(&r, "to", &r.to, &r.b, &to_unit);
    if (!good || !number(&r, step ? "step" : "times", &r.by, &r.s, &by_unit)) return false;
    if (times && by_unit != UNIT_NONE) return node_complain(d, times, NULL, "`times` is a plain number");
    if (*unit == UNIT_NONE) *unit = to_unit;
    if (*unit == UNIT_NONE) *unit = step ? by_unit : UNIT_NONE;
    if ((to_unit != UNIT_NONE && to_unit != *unit) || (step && by_unit != UNIT_NONE && by_unit != *unit))
        return node_complain(d, n, NULL, "the range of `%s` mixes units", name);
    return step ? linear(&r, values, count) : geometric(&r, values, count);
}
