// The order of limits, and their names.
// SPDX-License-Identifier: MIT
#include "model/limits.h"

#include <stdlib.h>

const char *const limit_words[LIMITS_MOST] = {
#define X(name, word, title) word,
    LIMIT_UNITS(X)
#undef X
};
const char *const limit_titles[LIMITS_MOST] = {
#define X(name, word, title) title,
    LIMIT_UNITS(X)
#undef X
};

static int taller(const void *a, const void *b)
{
    const struct limit *x = a, *y = b;
    return x->us != y->us ? (x->us < y->us) - (x->us > y->us) : (int)x->is - (int)y->is;
}

void limits_sort(struct limits *l) { qsort(l->of, (size_t)l->count, sizeof l->of[0], taller); }

double limits_share(const struct limits *l, enum limit_unit unit)
{
    for (int k = 0; k < l->count; k++)
        if (l->of[k].is == unit) return l->of[k].share;
    return 0;
}
