// Reads and prints numbers with units. One table of scales serves both ways: whatever is printed can be read back.
// SPDX-License-Identifier: MIT
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A scale is 2^binary * 10^decimal * times.
struct unit_scale {
    const char *name;
    enum unit unit;
    int binary, decimal, times;
};

static const struct unit_scale scales[] = {
    {"", UNIT_NONE, 0, 0, 1},
    {"k", UNIT_NONE, 0, 3, 1},
    {"K", UNIT_NONE, 0, 3, 1},
    {"M", UNIT_NONE, 0, 6, 1},
    {"G", UNIT_NONE, 0, 9, 1},
    {"T", UNIT_NONE, 0, 12, 1},
    {"Ki", UNIT_NONE, 10, 0, 1},
    {"Mi", UNIT_NONE, 20, 0, 1},
    {"Gi", UNIT_NONE, 30, 0, 1},
    {"Ti", UNIT_NONE, 40, 0, 1},
    {"B", UNIT_BYTES, 0, 0, 1},
    {"kB", UNIT_BYTES, 0, 3, 1},
    {"KB", UNIT_BYTES, 0, 3, 1},
    {"MB", UNIT_BYTES, 0, 6, 1},
    {"GB", UNIT_BYTES, 0, 9, 1},
    {"TB", UNIT_BYTES, 0, 12, 1},
    {"KiB", UNIT_BYTES, 10, 0, 1},
    {"MiB", UNIT_BYTES, 20, 0, 1},
    {"GiB", UNIT_BYTES, 30, 0, 1},
    {"TiB", UNIT_BYTES, 40, 0, 1},
    {"ns", UNIT_SECONDS, 0, -9, 1},
    {"us", UNIT_SECONDS, 0, -6, 1},
    {"ms", UNIT_SECONDS, 0, -3, 1},
    {"s", UNIT_SECONDS, 0, 0, 1},
    {"min", UNIT_SECONDS, 0, 0, 60},
    {"h", UNIT_SECONDS, 0, 0, 3600},
    {"%", UNIT_PERCENT, 0, -2, 1},
};
enum { SCALES = sizeof scales / sizeof scales[0] };

static const struct unit_scale *find(const char *name)
{
    for (int i = 0; i < SCALES; i++)
        if (strcmp(scales[i].name, name) == 0) return &scales[i];
    return NULL;
}

static bool multiply(int64_t *i, int64_t by) { return !__builtin_mul_overflow(*i, by, i); }

static bool power(int64_t base, int64_t exponent, int64_t *out)
{
    *out = 1;
    if (base >= -1 && base <= 1) exponent = exponent > 2 ? 2 + exponent % 2 : exponent;
    for (; exponent > 0; exponent--)
        if (!multiply(out, base)) return false;
    return true;
}

static bool complain(char why[160], const char *text, const char *what)
{
    snprintf(why, 160, "`%.40s` %s", text, what);
    return false;
}

// Digits only, with an optional ^digits: stays an integer, never a double. `*end` points after it.
static bool read_whole(const char *text, const char **end, int64_t *i)
{
    const char *p = text;
    bool negative = *p == '-';
    int64_t n = 0, exponent = 0;
    for (p += *p == '-' || *p == '+'; isdigit((unsigned char)*p); p++)
        if (!multiply(&n, 10) || __builtin_add_overflow(n, negative ? '0' - *p : *p - '0', &n)) return false;
    if (p[0] == '^' && isdigit((unsigned char)p[1])) {
        for (p++; isdigit((unsigned char)*p); p++)
            if (exponent < 1000) exponent = exponent * 10 + (*p - '0');
        if (!power(n, exponent, &n)) return false;
    }
    *end = p;
    *i = n;
    return true;
}

// The length of [+-]digits[.digits][e[+-]digits], and whether it has a point or an exponent; 0 where there is no
// number.
static size_t number_length(const char *text, bool *real, size_t *mantissa)
{
    const char *p = text + (*text == '-' || *text == '+'), *first = p;
    while (isdigit((unsigned char)*p)) p++;
    size_t digits = (size_t)(p - first);
    *real = *p == '.';
    if (*p == '.') {
        const char *point = p++;
        while (isdigit((unsigned char)*p)) p++;
        digits += (size_t)(p - point - 1);
    }
    *mantissa = (size_t)(p - text);
    if (!digits) return 0;
    if (*p == 'e' || *p == 'E') {
        const char *e = p + 1 + (p[1] == '-' || p[1] == '+');
        if (isdigit((unsigned char)*e)) {
            *real = true;
            while (isdigit((unsigned char)*e)) e++;
            p = e;
        }
    }
    return (size_t)(p - text);
}

// The decimal scale goes into the exponent before the text becomes a double: 0.1% is then exactly what 0.001 is.
static double scaled(const char *text, size_t mantissa, size_t length, const struct unit_scale *scale)
{
    LOCAL(str_release) struct str s = {0};
    long exponent = length > mantissa + 1 ? strtol(text + mantissa + 1, NULL, 10) : 0;
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    str_add_bytes(&s, text, mantissa);
    str_addf(&s, "e%ld", exponent + scale->decimal);
    return ldexp(strtod(s.text, NULL), scale->binary) * scale->times;
}

bool units_parse(const char *text, struct value *v, enum unit *unit, char why[160])
{
    bool real;
    size_t mantissa, length = number_length(text, &real, &mantissa);
    const char *end = text + length;
    int64_t i = 0;
    if (!length) return complain(why, text, "is not a number");
    if (!real && !read_whole(text, &end, &i)) return complain(why, text, "is larger than an integer can be");
    const char *name = end + strspn(end, " ");
    const struct unit_scale *scale = find(name);
    if (!scale && (*name == '.' || *name == '^' || isdigit((unsigned char)*name)))
        return complain(why, text, "is not a number");
    if (!scale) {
        snprintf(why, 160, "`%.30s`: unknown unit `%.20s`; known: %s", text, name, UNITS_KNOWN);
        return false;
    }
    *unit = scale->unit;
    bool to_real = scale->unit == UNIT_SECONDS || scale->unit == UNIT_PERCENT;
    if (!real && !to_real) {
        int64_t by = (int64_t)1 << scale->binary;
        for (int d = 0; d < scale->decimal; d++) by *= 10;
        if (!multiply(&i, by)) return complain(why, text, "is larger than an integer can be");
        *v = value_int(i);
        return true;
    }
    bool raised = !real && memchr(text, '^', (size_t)(end - text)) != NULL;
    double r = raised ? (double)i * pow(10, scale->decimal) * scale->times : scaled(text, mantissa, length, scale);
    if (!isfinite(r)) return complain(why, text, "is larger than a number can be");
    bool whole = !to_real && r == floor(r) && fabs(r) < 0x1p63;
    *v = whole ? value_int((int64_t)r) : value_real(r);
    return true;
}

static void print(double n, const char *name, struct str *s)
{
    char text[40];
    snprintf(text, sizeof text, "%.*f", fabs(n) < 10 ? 2 : fabs(n) < 100 ? 1 : 0, n);
    if (strchr(text, '.')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0') text[--length] = '\0';
        if (text[length - 1] == '.') text[--length] = '\0';
    }
    str_addf(s, *name ? "%s %s" : "%s%s", text, name);
}

// The largest of `names` that leaves at least 1 in front of it.
static void print_scaled(double n, const char *const *names, struct str *s)
{
    const struct unit_scale *best = find(names[0]);
    double size = 1;
    for (int i = 0; names[i]; i++) {
        const struct unit_scale *scale = find(names[i]);
        double one = ldexp(pow(10, scale->decimal), scale->binary);
        if (i && fabs(n) < one) break;
        best = scale, size = one;
    }
    print(n / size, best->name, s);
}

void units_print_bytes(double bytes, struct str *s)
{
    print_scaled(bytes, (const char *const[]){"B", "KiB", "MiB", "GiB", "TiB", NULL}, s);
}

void units_print_count(double count, struct str *s)
{
    if (fabs(count) >= 1024 && fmod(count, 1024) == 0) {
        print_scaled(count, (const char *const[]){"", "Ki", "Mi", "Gi", "Ti", NULL}, s);
    } else if (count == floor(count) && fabs(count) < 1e6) {
        str_addf(s, "%.0f", count);
    } else {
        print_scaled(count, (const char *const[]){"", "k", "M", "G", "T", NULL}, s);
    }
}

void units_print_seconds(double seconds, struct str *s)
{
    double whole = round(seconds);
    if (whole >= 86400) {
        str_addf(s, "%.0f d %.0f h", floor(whole / 86400), floor(fmod(whole, 86400) / 3600));
    } else if (whole >= 3600) {
        str_addf(s, "%.0f h %.0f min", floor(whole / 3600), floor(fmod(whole, 3600) / 60));
    } else if (whole >= 60) {
        str_addf(s, "%.0f min %.0f s", floor(whole / 60), fmod(whole, 60));
    } else {
        print_scaled(seconds, (const char *const[]){"ns", "us", "ms", "s", NULL}, s);
    }
}

void units_print_figure(double x, struct str *s)
{
    char text[400];
    const int places = x != 0 && isfinite(x) ? 3 - (int)floor(log10(fabs(x))) : 0;
    if (x == floor(x) || places <= 0) {
        str_addf(s, "%.0f", x);
        return;
    }
    snprintf(text, sizeof text, "%.*f", places < 300 ? places : 300, x);
    size_t end = strlen(text);
    while (text[end - 1] == '0') end--;
    str_add_bytes(s, text, text[end - 1] == '.' ? end - 1 : end);
}
