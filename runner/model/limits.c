// The order of limits, and their names.
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

const char *const limit_words[LIMITS_MOST] = {
#define X(name, word, as, title) word,
    LIMIT_UNITS(X)
#undef X
};
const char *const limit_titles[LIMITS_MOST] = {
#define X(name, word, as, title) title,
    LIMIT_UNITS(X)
#undef X
};
const enum limit_unit limit_as[LIMITS_MOST] = {
#define X(name, word, as, title) LIMIT_##as,
    LIMIT_UNITS(X)
#undef X
};

static int taller(const void *a, const void *b)
{
    const struct limit *x = a, *y = b;
    return x->us != y->us ? (x->us < y->us) - (x->us > y->us) : (int)x->is - (int)y->is;
}

void limits_sort(struct limits *l) { qsort(l->of, (size_t)l->count, sizeof l->of[0], taller); }

void limits_from(const struct model_result *r, struct limits *out)
{
    *out = (struct limits){.us = r->us, .lo_us = r->lo_us, .hi_us = r->hi_us};
    for (int k = 0; k < LIMITS_MOST; k++) {
        const double us = fmin(r->unit_us[k], r->us);
        if (us < 0.005 * r->us) continue; // it would be told as nothing
        out->of[out->count++] = (struct limit){limit_words[k], (enum limit_unit)k, us, us / r->us};
    }
    limits_sort(out);
}

double limits_share(const struct limits *l, enum limit_unit unit)
{
    for (int k = 0; k < l->count; k++)
        if (l->of[k].is == unit) return l->of[k].share;
    return 0;
}
