// Each wait in a row is twice the one before.
// SPDX-License-Identifier: MIT
#include "measure/cool.h"

#include <math.h>

static const double first_s = 0.05, longest_s = 1.6;

struct cool cool_begin(double most) { return (struct cool){.most = most, .wait = first_s}; }

double cool_next(struct cool *c, bool throttled)
{
    if (!throttled) {
        c->wait = first_s;
        return 0;
    }
    const double wait = fmin(c->wait, c->most - c->spent);
    if (wait <= 0) return 0;
    c->spent += wait;
    c->wait = fmin(2 * c->wait, longest_s);
    return wait;
}
