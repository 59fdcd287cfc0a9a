// Units in families: each a thousand times the one before.
// SPDX-License-Identifier: MIT
#include "page/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { FAMILY_MOST = 4 };
static const char *const families[][FAMILY_MOST] = {
    {"ns", "us", "ms", "s"}, {"MB/s", "GB/s", "TB/s"}, {"GFLOP/s", "TFLOP/s"}, {"MHz", "GHz"}};

const char *quantity_unit(double value, const char *unit, double *factor)
{
    *factor = 1;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (int i = 0; i < FAMILY_MOST && families[f][i]; i++) {
            if (strcmp(families[f][i], unit) != 0) continue;
            // A time of less than one stays what the report has: 0.3 us.
            for (; i + 1 < FAMILY_MOST && families[f][i + 1] && fabs(value) >= 1000 * *factor; i++) *factor *= 1000;
            return families[f][i];
        }
    return unit;
}

void quantity_add(double value, double off, int digits, const char *unit, struct str *s)
{
    double factor;
    if (strcmp(unit, "B") == 0 && (value >= 1024 || value == round(value))) {
        units_print_bytes(value, s);
        return;
    }
    if (!*unit && !(off > 0) && value == round(value)) { // counted
        if (fabs(value) < 1e5) str_addf(s, "%.0f", value);
        else units_print_count(value, s);
        return;
    }
    unit = quantity_unit(value, unit, &factor);
    value /= factor, off /= factor;
    const double size = fabs(value) > 0 ? floor(log10(fabs(value)) + 1e-9) : 0;
    double places = digits - 1 - size; // behind the point
    while (off > 5 * pow(10, -places) && -places < size) places--;
    if (value == round(value) && !(off > 0)) places = 0;
    const double step = pow(10, -places), rounded = places > 0 ? value : round(value / step) * step;
    str_addf(s, "%.*f", places > 0 ? (int)places : 0, rounded);
    char *point = strrchr(s->text, '.');
    if (point && places > 0) { // 12.0 is 12 where nobody measured it
        while (!(off > 0) && s->text[s->size - 1] == '0') s->text[--s->size] = '\0';
        if (s->text[s->size - 1] == '.') s->text[--s->size] = '\0';
    }
    if (*unit) str_addf(s, " %s", unit);
}

const char *quantity_shown(const char *text, char room[32])
{
    const size_t sign = *text == '-', whole = strspn(text + sign, "0123456789");
    const char *point = text + sign + whole;
    if (*point != '.' || !whole) return text;
    const size_t behind = strspn(point + 1, "0123456789"),
                 zeros = whole == 1 && text[sign] == '0' ? strspn(point + 1, "0") : 0;
    if (point[1 + behind] || whole + behind - zeros <= 8) return text;
    const int places = whole > 5 ? 1 : zeros ? (int)zeros + 6 : 6 - (int)whole;
    snprintf(room, 32, "%.*f", places < 20 ? places : 20, strtod(text, NULL));
    return room;
}
