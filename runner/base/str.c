// Growing strings, and the nearest word for "did you mean".
// SPDX-License-Identifier: MIT
#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

int choice_find(const struct choice *list, const char *word)
{
    for (int i = 0; list[i].word; i++)
        if (strcmp(list[i].word, word) == 0) return i;
    return -1;
}

void choice_words(const struct choice *list, const char *words[CHOICES_MOST])
{
    int n = 0;
    for (; list[n].word && n < CHOICES_MOST - 1; n++) words[n] = list[n].word;
    words[n] = NULL;
}

void str_add_bytes(struct str *s, const void *bytes, size_t n)
{
    if (s->size + n + 1 > s->room) mem_grow(&s->text, &s->room, s->size + n + 1, 1);
    if (n) memcpy(s->text + s->size, bytes, n);
    s->size += n;
    s->text[s->size] = '\0';
}

void str_add(struct str *s, const char *text) { str_add_bytes(s, text, strlen(text)); }

void str_vaddf(struct str *s, const char *fmt, va_list args)
{
    enum { MOSTLY = 64 }; // what fits there is formatted once
    va_list again;
    va_copy(again, args);
    mem_grow(&s->text, &s->room, s->size + MOSTLY, 1);
    const int n = vsnprintf(s->text + s->size, s->room - s->size, fmt, again);
    va_end(again);
    if (n >= 0 && (size_t)n >= s->room - s->size) {
        mem_grow(&s->text, &s->room, s->size + (size_t)n + 1, 1);
        vsnprintf(s->text + s->size, (size_t)n + 1, fmt, args);
    }
    if (n >= 0) s->size += (size_t)n;
    else s->text[s->size] = '\0';
}

void str_addf(struct str *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    str_vaddf(s, fmt, args);
    va_end(args);
}

static char *digits_of(uint64_t left, char *p, int least)
{
    for (int i = 0; i < least || left; i++, left /= 10) *--p = (char)('0' + left % 10);
    return p;
}

void str_add_int(struct str *s, int64_t i)
{
    char text[24], *end = text + sizeof text, *p = digits_of(i < 0 ? -(uint64_t)i : (uint64_t)i, end, 1);
    if (i < 0) *--p = '-';
    str_add_bytes(s, p, (size_t)(end - p));
}

// Rounds the number itself, a half to the even digit, as printf does. The product is rounded too, which only matters
// where it seems to be a half: then what it lost decides.
void str_add_fixed(struct str *s, double x, int digits)
{
    static const uint64_t scales[] = {1, 10, 100, 1000, 10000};
    char text[32], *end = text + sizeof text;
    const uint64_t scale = digits < 1 || digits > 4 ? 0 : scales[digits];
    const double size = fabs(x), product = size * (double)scale;
    if (!scale || !(product < 0x1p52)) {
        str_addf(s, "%.*f", digits, x);
        return;
    }
    const double near = rint(product), beyond = product - near;
    uint64_t n = (uint64_t)near;
    if (fabs(beyond) == 0.5) {
        const double lost = fma(size, (double)scale, -product);
        n = n + (beyond > 0 && lost > 0) - (beyond < 0 && lost < 0);
    }
    char *p = digits_of(n % scale, end, digits);
    *--p = '.';
    p = digits_of(n / scale, p, 1);
    if (signbit(x)) *--p = '-';
    str_add_bytes(s, p, (size_t)(end - p));
}

void str_add_short(struct str *s, double x)
{
    const double size = fabs(x);
    if (!(size >= 0.1 && size < 1000)) {
        str_addf(s, "%.4g", x);
        return;
    }
    str_add_fixed(s, x, size < 1 ? 4 : size < 10 ? 3 : size < 100 ? 2 : 1);
    while (s->text[s->size - 1] == '0') s->size--;
    s->size -= s->text[s->size - 1] == '.';
    s->text[s->size] = '\0';
}

void str_clear(struct str *s)
{
    s->size = 0;
    if (s->text) s->text[0] = '\0';
}

void str_release(struct str *s)
{
    free(s->text);
    *s = (struct str){0};
}

char *str_take(struct str *s)
{
    if (!s->text) str_add(s, "");
    char *text = s->text;
    *s = (struct str){0};
    return text;
}

char *str_copy(const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    return size ? memcpy(mem_alloc(size), text, size) : NULL;
}

// Damerau-Levenshtein distance (a swap of neighbours is one step), capped by the buffers: names are short.
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 63 };
    size_t n = strlen(a), m = strlen(b), row[3][MAX + 1];
    if (n > MAX || m > MAX) return MAX;
    size_t *two = row[0], *one = row[1], *now = row[2];
    for (size_t j = 0; j <= m; j++) one[j] = two[j] = j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t d = one[j - 1] + (a[i - 1] != b[j - 1]);
            if (one[j] + 1 < d) d = one[j] + 1;
            if (now[j - 1] + 1 < d) d = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && two[j - 2] + 1 < d)
                d = two[j - 2] + 1;
            now[j] = d;
        }
        size_t *oldest = two;
        two = one;
        one = now;
        now = oldest;
    }
    return one[m];
}

const char *str_nearest(const char *typed, const char *const *words)
{
    const char *best = NULL;
    char word[64] = "";
    for (size_t n = 0; *typed && n < sizeof word - 1; typed++) // quotes of a word processor are not of the word
        if (!(*typed & 0x80)) word[n++] = *typed;
    size_t best_distance = strlen(word) / 3 + 1; // "strid" may be one off, "presicion" three
    for (; *words; words++) {
        const size_t n = strlen(word); // `time` is `time_us` without its unit
        const bool begun = n > 1 && strncmp(*words, word, n) == 0 && (*words)[n] == '_';
        const size_t d = begun ? 0 : distance(word, *words);
        if (d <= best_distance && d < n &&
            (!best || d < best_distance)) { // a word that has nothing in common is not near
            best = *words;
            best_distance = d;
        }
    }
    return best;
}
