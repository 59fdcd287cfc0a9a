// Reads --threshold.
// SPDX-License-Identifier: MIT
#include "cli/threshold.h"

#include "base/units.h"

#include <math.h>

double threshold_of(const struct options *o, struct diags *d)
{
    struct value v;
    enum unit unit;
    char why[200];
    double x;
    const char *text = options_given(o, OPTION_THRESHOLD) ? o->value[OPTION_THRESHOLD] : "1%";
    if (units_parse(text, &v, &unit, why) && (unit == UNIT_NONE || unit == UNIT_PERCENT) && value_number(v, &x) &&
        x > 0 && x < 1)
        return x;
    diag_user(d, (struct where){0}, NULL, "--threshold takes a share above 0 and below 1 (1%%), not `%s`", text);
    return NAN;
}
