// Takes the facts of a code as its sentence names them, and puts them into it.
// SPDX-License-Identifier: MIT
#include "measure/why.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define X(id, form) WHY_FORM_##id,
static const char *const forms[] = {WHYS(X)};
#undef X

// The next directive of a sentence: its letters ("%.3g"), and what it takes.
struct directive {
    const char *from;
    size_t size;
    char takes; // s: a text; d, z, l: a whole number (int, size_t, unsigned long long); g: a number; 0: none is left
};

static struct directive next(const char *form)
{
    const char *p = strchr(form, '%');
    while (p && p[1] == '%') p = strchr(p + 2, '%');
    if (!p) return (struct directive){form + strlen(form), 0, '\0'};
    const char *end = p + 1 + strspn(p + 1, ".0123456789");
    const char takes = strncmp(end, "zu", 2) == 0 ? 'z'
        : strncmp(end, "llu", 3) == 0             ? 'l'
        : strchr("sd", *end)                      ? *end
                                                  : 'g';
    return (struct directive){p, (size_t)(end - p) + (takes == 'z' ? 2 : takes == 'l' ? 3 : 1), takes};
}

// The texts stand one behind the other; `used` bytes are taken, with the last end.
static size_t used(const struct why *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->count; i++)
        for (struct directive d = next(forms[w->codes[i]]); d.takes; d = next(d.from + d.size))
            if (d.takes == 's' && n < sizeof w->texts) n += strnlen(w->texts + n, sizeof w->texts - n) + 1;
    return n < sizeof w->texts ? n : sizeof w->texts;
}

static void add_text(struct why *w, size_t *at, const char *text)
{
    if (*at >= sizeof w->texts) return;
    const int n = snprintf(w->texts + *at, sizeof w->texts - *at, "%s", text ? text : "");
    *at += (size_t)n + 1;
}

void why_add(struct why *w, enum why_code code, const char *form, ...)
{
    size_t at = used(w);
    va_list args;
    if (w->count == WHY_MOST) return;
    w->codes[w->count++] = (unsigned char)code;
    va_start(args, form);
    for (struct directive d = next(form); d.takes; d = next(d.from + d.size)) {
        double x = NAN;
        if (d.takes == 's') add_text(w, &at, va_arg(args, const char *));
        else if (d.takes == 'z') x = (double)va_arg(args, size_t);
        else if (d.takes == 'l') x = (double)va_arg(args, unsigned long long);
        else if (d.takes == 'd') x = va_arg(args, int);
        else x = va_arg(args, double);
        if (d.takes != 's' && w->number_count < WHY_NUMBERS) w->numbers[w->number_count++] = x;
    }
    va_end(args);
}

// Where the facts of the next code begin.
struct whence {
    size_t number, text;
};

static double number(const struct why *w, struct whence *at)
{
    return at->number < w->number_count ? w->numbers[at->number++] : NAN;
}

static const char *text(const struct why *w, struct whence *at)
{
    if (at->text >= sizeof w->texts) return "";
    const char *s = w->texts + at->text;
    at->text += strnlen(s, sizeof w->texts - at->text) + 1;
    return s;
}

static double whole(double x) { return x >= 0 && x < 0x1p63 ? x : 0; }

static size_t add(char out[WHY_TEXT], size_t n, char c)
{
    if (n + 1 < WHY_TEXT) out[n++] = c;
    out[n] = '\0';
    return n;
}

// "%%" is one.
static size_t add_words(char out[WHY_TEXT], size_t n, const char *from, const char *end)
{
    for (; from < end; from += *from == '%' ? 2 : 1) n = add(out, n, *from);
    return n;
}

static size_t add_fact(char out[WHY_TEXT], size_t n, const struct directive *d, const struct why *w, struct whence *at)
{
    char one[16] = "", *to = out + n;
    const size_t room = WHY_TEXT - n;
    const double x = d->takes == 's' ? 0 : number(w, at);
    int size;
    memcpy(one, d->from, d->size);
    switch (d->takes) {
    case 's': size = snprintf(to, room, one, text(w, at)); break;
    case 'd': size = snprintf(to, room, one, (int)(fabs(x) < 0x1p31 ? x : 0)); break;
    case 'z': size = snprintf(to, room, one, (size_t)whole(x)); break;
    case 'l': size = snprintf(to, room, one, (unsigned long long)whole(x)); break;
    default: size = snprintf(to, room, one, x);
    }
    return n + ((size_t)size < room ? (size_t)size : room - 1);
}

const char *why_text(const struct why *w, char out[WHY_TEXT])
{
    struct whence at = {0, 0};
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < w->count; i++) {
        const char *form = forms[w->codes[i]];
        for (size_t k = 0; n && k < 2; k++) n = add(out, n, "; "[k]);
        for (struct directive d = next(form);; form = d.from + d.size, d = next(form)) {
            n = add_words(out, n, form, d.from);
            if (!d.takes) break;
            n = add_fact(out, n, &d, w, &at);
        }
    }
    return out;
}

void why_join(struct why *w, const struct why *more)
{
    size_t to = used(w);
    struct whence from = {0, 0};
    for (size_t i = 0; i < more->count && w->count < WHY_MOST; i++) {
        w->codes[w->count++] = more->codes[i];
        for (struct directive d = next(forms[more->codes[i]]); d.takes; d = next(d.from + d.size)) {
            if (d.takes == 's') add_text(w, &to, text(more, &from));
            else if (w->number_count < WHY_NUMBERS) w->numbers[w->number_count++] = number(more, &from);
        }
    }
}

bool why_good(struct why *w)
{
    w->texts[sizeof w->texts - 1] = '\0';
    bool good = w->count <= WHY_MOST && w->number_count <= WHY_NUMBERS;
    for (size_t i = 0; good && i < w->count; i++) good = w->codes[i] < WHY_COUNT;
    if (!good) *w = (struct why){0};
    return good;
}

bool why_has(const struct why *w, enum why_code code)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->codes[i] == code) return true;
    return false;
}

const char *why_in(const char *cell, enum why_code code)
{
    const size_t n = (size_t)(next(forms[code]).from - forms[code]);
    for (const char *p = cell; n && p; p = strstr(p, "; ")) {
        if (p != cell) p += 2;
        if (strncmp(p, forms[code], n) == 0) return p;
    }
    return NULL;
}
