// SPDX-License-Identifier: MIT
#include "compile/left_out.h"

#include "compile/compiler.h"
#include "spec/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void left_out_begin(struct left_out *l, const char *source)
{
    const char *generated = strstr(source, "\n#line 1 \"gpuexp\"");
    *l = (struct left_out){.source = source, .text = strdup(source)};
    l->generated = generated ? generated : source + strlen(source);
    fragments_read(&l->all, source);
}

void left_out_end(struct left_out *l)
{
    for (size_t i = 0; i < l->count; i++) free(l->pieces[i].log);
    free(l->pieces);
    free(l->text);
    fragments_release(&l->all);
}

static bool same(struct span a, struct span b)
{
    return a.end - a.from == b.end - b.from && memcmp(a.from, b.from, (size_t)(a.end - a.from)) == 0;
}

// Where the word stands in [text, end) by itself, comments included; NULL: nowhere.
static const char *word_in(const char *text, const char *end, struct span word)
{
    const size_t n = (size_t)(word.end - word.from);
    for (const char *p = text; (p = memmem(p, (size_t)(end - p), word.from, n)); p++)
        if ((p == text || !skip_is_word(p[-1])) && !skip_is_word(p[n])) return p;
    return NULL;
}

// Generated text calls it, or it is asked for by name.
static bool is_needed(const struct left_out *l, const struct fragment *piece)
{
    for (size_t i = 0; i < piece->name_count; i++)
        if (word_in(l->generated, l->source + strlen(l->source), piece->names[i])) return true;
    return false;
}

// Does it begin with a word that marks code of the device, or with a macro that has one?
static bool is_marked(const struct left_out *l, struct span head, const char *const *marks, int depth)
{
    struct span s;
    for (const char *p = head.from; span_next(&p, head.end, l->source, &s);) {
        if (span_among(s, marks)) return true;
        for (size_t i = 0; depth < 4 && i < l->all.count && l->all.items[i].macro; i++) {
            const struct fragment *m = &l->all.items[i];
            if (m->name_count && same(m->names[0], s) && is_marked(l, m->is, marks, depth + 1)) return true;
        }
    }
    return false;
}

static bool stands(const struct left_out *l, const struct fragment *piece)
{
    for (const char *p = piece->is.from; p < piece->is.end; p++)
        if (l->text[p - l->source] != ' ' && *p != ' ' && *p != '\n') return true;
    return false;
}

// Would nothing else take its place, if it were left out? Another function or a general template of its name might.
static bool is_alone(const struct left_out *l, const struct fragments *all, const struct fragment *piece)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct fragment *other = &all->items[i];
        if (other == piece || other->macro || !other->name_count || !stands(l, other)) continue;
        for (size_t n = 0; n < piece->name_count; n++)
            if (same(other->names[0], piece->names[n])) return false;
    }
    return piece->name_count > 0;
}

static void blank(struct left_out *l, struct span is)
{
    bool directive = false, start = true;
    for (const char *p = is.from; p < is.end; p++) { // directives stay: an #if may begin inside and end behind it
        if (start) directive = *skip_blank(p) == '#' && memchr(p, '#', (size_t)(is.end - p));
        start = *p == '\n' && (!directive || p[-1] != '\\');
        if (*p != '\n' && !directive) l->text[p - l->source] = ' ';
    }
}

static void leave(struct left_out *l, const struct fragment *piece, const char *log)
{
    enum { MOST_LOG = 2000 };
    mem_grow(&l->pieces, &l->room, l->count + 1, sizeof *l->pieces);
    l->pieces[l->count++] = (struct left_out_piece){piece->head, strndup(log, MOST_LOG)};
    blank(l, piece->is);
}

// A function inside of a type, in place of the type. A constructor stays: without one the type would have another.
static bool leave_member(struct left_out *l, const struct fragment *piece, const char *at, const char *log)
{
    if (!piece->type || piece->head.end >= piece->is.end || at <= piece->head.end) return false;
    struct fragments own = {0};
    bool left = false;
    char *inside = strdup(l->source); // read alone, in its place
    memset(inside, ' ', (size_t)(piece->head.end + 1 - l->source));
    inside[piece->is.end - l->source] = '\0';
    for (char *close = inside + (piece->is.end - l->source); close-- > inside;)
        if (*close == '}') { // the type's own
            *close = '\0';
            break;
        }
    fragments_read(&own, inside);
    for (size_t i = 0; i < own.count && !left; i++) {
        struct fragment *f = &own.items[i];
        const ptrdiff_t from = f->is.from - inside, end = f->is.end - inside;
        if (f->macro || !f->function || at < l->source + from || at >= l->source + end || !f->name_count) continue;
        bool builds = false;
        for (size_t n = 0; n < piece->name_count; n++) builds |= same(piece->names[n], f->names[0]);
        struct fragment there = {.is = {l->source + from, l->source + end}};
        there.head = (struct span){there.is.from, l->source + (f->head.end - inside)};
        if (builds) continue;
        leave(l, &there, log);
        left = true;
    }
    fragments_release(&own);
    free(inside);
    return left;
}

enum { OF_HOST, OF_ANY };

// Leaves out the piece of the user's text that stands at `at`.
static bool leave_at(struct left_out *l, const char *at, const char *log, int what)
{
    static const char *const device[] = {"__global__", "__device__", "__constant__", "__shared__", "__managed__", NULL};
    static const char *const kernel[] = {"__global__", NULL};
    for (size_t i = 0; at < l->generated && i < l->all.count; i++) {
        const struct fragment *piece = &l->all.items[i];
        if (piece->macro || at < piece->is.from || at >= piece->is.end) continue;
        if (!stands(l, piece) || piece->opens) return false;
        if (is_needed(l, piece)) return what == OF_ANY && leave_member(l, piece, at, log);
        const bool marked = is_marked(l, piece->head, device, 0);
        const bool host = piece->function && !marked;
        if (!host && what == OF_HOST && !leave_member(l, piece, at, log)) return false;
        else if (!host && what == OF_HOST) return true;
        if (!host && !is_alone(l, &l->all, piece) && !is_marked(l, piece->head, kernel, 0)) return false;
        leave(l, piece, log);
        return true;
    }
    return false;
}

// "cannot open source file "torch/extension.h"", "torch/extension.h: No such file or directory",
// "'torch/extension.h' file not found": the name in it; false: it is another complaint.
static bool names_header(const struct compiler_error *e, struct span *name)
{
    const char *end = e->what + e->what_length, *quote;
    if (memmem(e->what, e->what_length, "cannot open source file \"", 25)) {
        name->from = strchr(e->what, '"') + 1;
    } else if ((quote = memmem(e->what, e->what_length, ": No such file or directory", 27))) {
        *name = (struct span){e->what, quote};
        return true;
    } else if (memmem(e->what, e->what_length, "' file not found", 16)) {
        name->from = strchr(e->what, '\'') + 1;
    } else return false;
    name->end = name->from + strcspn(name->from, "\"'\n");
    return name->end < end;
}

// What stands in `#include <name>` at `line`, its brackets too; false: it includes nothing.
static bool included(const char *line, struct span *name)
{
    const char *p = skip_blank(line);
    if (*p != '#' || strncmp(p = skip_blank(p + 1), "include", 7) != 0) return false;
    p = skip_blank(p + 7);
    const size_t n = *p == '<' || *p == '"' ? strcspn(p + 1, ">\"\n") : 0;
    *name = (struct span){p, p + n + 2};
    return n && p[n + 1] != '\n';
}

// The lines that include it go; it is named once.
static bool leave_header(struct left_out *l, struct span name)
{
    bool left = false;
    char shown[160];
    struct span is;
    for (char *line = l->text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (!included(line, &is) || !same((struct span){is.from + 1, is.end - 1}, name)) continue;
        snprintf(shown, sizeof shown, "%.*s", (int)(is.end - is.from), is.from);
        memset(line, ' ', strcspn(line, "\n"));
        left = true;
    }
    const size_t used = strlen(l->headers);
    if (left) snprintf(l->headers + used, sizeof l->headers - used, "%s%s", used ? ", " : "", shown);
    return left;
}

bool left_out_header(struct left_out *l, bool (*takes)(void *, const char *include), void *context)
{
    bool left = false;
    struct span is;
    for (const char *line = l->text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line - l->text > l->generated - l->source || !included(line, &is)) continue;
        char *alone = strndup(line, strcspn(line, "\n"));
        const ptrdiff_t from = is.from - l->text, end = is.end - l->text;
        if (!takes(context, alone)) left |= leave_header(l, (struct span){l->source + from + 1, l->source + end - 1});
        free(alone);
    }
    return left;
}

bool left_out_more(struct left_out *l, const char *log)
{
    bool left = false;
    if (!*l->generated) return false; // then all of it is wanted
    for (int what = OF_HOST; what <= OF_ANY && !left; what++) {
        struct compiler_error e;
        for (const char *p = log, *from = log; compiler_error_next(&p, l->source, &e); from = p) {
            struct span name;
            if (names_header(&e, &name)) left |= leave_header(l, name);
            else if (e.at) left |= leave_at(l, e.at + strspn(e.at, " \t"), from, what);
        }
    }
    return left;
}

void left_out_complain(const struct left_out *l, const char *log, const char *path, struct diags *d)
{
    struct compiler_error e;
    const char *p = log;
    const size_t before = d->count;
    // A name that is missed because it was left out: why it was says more.
    if (compiler_error_next(&p, l->source, &e))
        for (size_t i = 0; i < l->count; i++) {
            struct span s;
            for (const char *q = l->pieces[i].head.from; span_next(&q, l->pieces[i].head.end, l->source, &s);)
                if (span_is_name(s) && (p = word_in(e.what, e.what + e.what_length, s)) && p > e.what &&
                    strchr("\"'", p[-1]) && !*l->headers) {
                    compiler_complaint(l->pieces[i].log, l->source, path, d);
                    return;
                }
        }
    compiler_complaint(log, l->source, path, d);
    if (!*l->headers || d->count == before) return;
    struct diag *last = &d->items[d->count - 1];
    struct str hint = {0};
    str_addf(&hint, "not here, and left out: %s; --allow-include FOLDER names a folder that has such", l->headers);
    free(last->hint);
    last->hint = str_take(&hint);
}
