// Collects, orders and prints error records.
// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include "base/arena.h"
#include "base/say.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool diag_add(struct diags *d, enum diag_kind kind, struct where at, const char *hint, const char *fmt, ...)
{
    STR_FORMATTED(what, fmt);
    at.file = str_copy(at.file);
    at.source = str_copy(at.source);
    mem_grow(&d->items, &d->room, d->count + 1, sizeof *d->items);
    d->items[d->count++] = (struct diag){kind, at, str_take(&what), str_copy(hint), DIAG_PLAIN, NULL};
    return false;
}

bool diag_code(struct diags *d, enum diag_code code, const char *about)
{
    if (!d->count) return false;
    struct diag *last = &d->items[d->count - 1];
    free(last->about);
    last->code = code;
    last->about = str_copy(about);
    return false;
}

void diags_join(struct diags *d, const struct diags *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct diag *x = &more->items[i];
        diag_add(d, x->kind, x->at, x->hint, "%s", x->what);
        diag_code(d, x->code, x->about);
    }
}

size_t diags_errors(const struct diags *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++) n += d->items[i].kind != DIAG_WARNING;
    return n;
}

int diags_exit_status(const struct diags *d)
{
    int status = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (d->items[i].kind == DIAG_SYSTEM) return 3;
        if (d->items[i].kind == DIAG_USER) status = 2;
    }
    return status;
}

const char *diags_first(const struct diags *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].kind != DIAG_WARNING) return d->items[i].what;
    return "";
}

void diags_drop(struct diags *d, size_t count)
{
    while (d->count > count) {
        const struct diag *last = &d->items[--d->count];
        free((char *)last->at.file);
        free((char *)last->at.source);
        free(last->what);
        free(last->hint);
        free(last->about);
    }
}

void diags_clear(struct diags *d)
{
    diags_drop(d, 0);
    free(d->items);
    *d = (struct diags){0};
}

// The caret line repeats the tabs of the source line, so that it stands under the right character at any tab width. A
// line too long for a terminal is shown around the caret only.
static void print_source(const struct where *at, FILE *out)
{
    enum { BEFORE = 60, SHOWN = 110 };
    int length = (int)strlen(at->source), from = at->column - 1 > SHOWN - 20 ? at->column - 1 - BEFORE : 0;
    if (from > length) from = length;
    while (from > 0 && ((unsigned char)at->source[from] & 0xc0) == 0x80) from--; // not inside a UTF-8 character
    int shown = length - from > SHOWN ? SHOWN : length - from;
    while (shown > 0 && from + shown < length && ((unsigned char)at->source[from + shown] & 0xc0) == 0x80) shown--;
    LOCAL(str_release) struct str marks = {0};
    for (int i = from; i < at->column - 1 && i < length; i++)
        if (((unsigned char)at->source[i] & 0xc0) != 0x80) str_add(&marks, at->source[i] == '\t' ? "\t" : " ");
    for (int i = 0; i < (at->width > 0 ? at->width : 1) &&
         at->column - 1 + i < (from + shown > at->column ? from + shown : at->column);
         i++)
        str_add(&marks, "^");
    say(out, "%5d | %s%.*s%s\n", at->line, from ? "..." : "", shown, at->source + from,
        from + shown < length ? "..." : "");
    say(out, "      | %s%s\n", from ? "   " : "", marks.text ? marks.text : "");
}

static int by_place(const void *pa, const void *pb)
{
    const struct diag *a = *(const struct diag *const *)pa, *b = *(const struct diag *const *)pb;
    int c = strcmp(a->at.file ? a->at.file : "", b->at.file ? b->at.file : "");
    if (c) return c;
    if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column) return a->at.column < b->at.column ? -1 : 1;
    return a < b ? -1 : a > b; // as they were added
}

static void plain(FILE *out, int from, const char *text) { say(out, "%*s%s\n", from, "", text); }

void diags_print(const struct diags *d, FILE *out) { diags_print_by(d, out, plain); }

void diags_print_by(const struct diags *d, FILE *out, void (*paragraph)(FILE *, int from, const char *text))
{
    LOCAL(mem_drop) const struct diag **order = mem_alloc(d->count * sizeof *order);
    LOCAL(str_release) struct str what = {0};
    for (size_t i = 0; i < d->count; i++) order[i] = &d->items[i];
    if (d->count) qsort(order, d->count, sizeof *order, by_place);
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *e = order[i];
        str_clear(&what);
        if (!e->at.file) str_add(&what, "gpuexp: ");
        else if (e->at.line <= 0) str_addf(&what, "%s: ", e->at.file);
        else str_addf(&what, "%s:%d:%d: ", e->at.file, e->at.line, e->at.column);
        str_addf(&what, "%s%s", e->kind == DIAG_WARNING ? "warning: " : "", e->what);
        paragraph(out, 0, what.text);
        if (e->at.source && e->at.line > 0) print_source(&e->at, out);
        if (e->hint) paragraph(out, 2, e->hint);
    }
}
