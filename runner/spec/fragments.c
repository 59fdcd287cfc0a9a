// Enough of a parser to tell where a definition ends and what it is called.
// SPDX-License-Identifier: MIT
#include "spec/fragments.h"

#include "base/arena.h"
#include "spec/skip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool span_is(struct span s, const char *word)
{
    return s.from && *s.from == *word && (size_t)(s.end - s.from) == strlen(word) &&
        memcmp(s.from, word, strlen(word)) == 0;
}

bool span_among(struct span s, const char *const *words)
{
    for (; *words; words++)
        if (span_is(s, *words)) return true;
    return false;
}

bool span_is_name(struct span s) { return s.from && skip_is_word(*s.from) && !isdigit((unsigned char)*s.from); }

static bool is_space(char c) { return isspace((unsigned char)c) != 0; }

bool span_next(const char **p, const char *end, const char *text, struct span *out)
{
    for (const char *at = *p; *(at = skip_unread(skip_splices(at))) && at < end;) {
        const char *line = at;
        while (line > text && line[-1] != '\n' && is_space(line[-1])) line--;
        if (is_space(*at)) at++;
        else if (*at == '#' && (line == text || line[-1] == '\n')) at = skip_directive(at);
        else {
            *p = skip_is_word(*at) ? skip_word(at) : at + 1;
            *out = (struct span){at, *p};
            return true;
        }
    }
    return false;
}

struct fragment_reader { // of one piece
    const char *text, *end, *p;
    struct fragment *piece;
    struct span first, last, angled; // the last word or sign outside < >, the word before a <
    size_t angle;
    bool type, listed; // struct and its like; enum
    bool named;        // the type is
    bool space;        // `namespace`
    bool inside_std;   // `std::chrono`
    bool function, initial, assigned;
};

static void name_add(struct fragment_reader *r, struct span name)
{
    struct fragment *piece = r->piece;
    if (!span_is_name(name)) return;
    mem_grow(&piece->names, &piece->name_room, piece->name_count + 1, sizeof *piece->names);
    piece->names[piece->name_count++] = name;
}

// From behind an opening bracket to behind the one that closes it.
static const char *closing(const struct fragment_reader *r, const char *p)
{
    struct span s;
    for (size_t depth = 1; depth && span_next(&p, r->end, r->text, &s);) {
        if (strchr("([{", *s.from)) depth++;
        else if (strchr(")]}", *s.from)) depth--;
    }
    return p;
}

static bool takes_bracket(struct span s) // and is no function
{
    static const char *const words[] = {"__align__", "__attribute__", "__declspec", "__launch_bounds__",
        "__cluster_dims__", "__block_size__", "__maxnreg__", "alignas", "decltype", "noexcept", "explicit", NULL};
    return span_among(s, words);
}

static void name_type(struct fragment_reader *r)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    if (r->type && !r->named && !span_among(r->last, words)) name_add(r, r->last);
    r->named = true;
}

// True: the piece ends behind this body.
static bool read_brace(struct fragment_reader *r, struct span s)
{
    if (!r->piece->head.end) r->piece->head.end = s.from;
    if (r->space || (span_is(r->first, "extern") && !r->type && !r->function && !r->assigned)) {
        r->piece->opens = true;
        return true;
    }
    name_type(r);
    const char *const inside = r->p;
    const bool value = r->initial && span_is_name(r->last); // a{1}, of a constructor
    r->p = closing(r, r->p);
    if (r->listed) // an enumeration gives the names inside it too
        for (const char *q = inside; span_next(&q, r->p, r->text, &s);) name_add(r, s);
    return r->function && !r->assigned && !value;
}

// What the name that begins at `from` belongs to: `A` of `A::f`, `A<T>::f`, `A::~A`.
static struct span owner(const struct fragment_reader *r, const char *from)
{
    const char *const begin = r->first.from;
    while (from > begin && (is_space(from[-1]) || from[-1] == '~')) from--;
    if (from - begin < 3 || from[-1] != ':' || from[-2] != ':') return (struct span){0};
    for (from -= 2; from > begin && is_space(from[-1]);) from--;
    if (from > begin && from[-1] == '>') return r->angled;
    const char *const end = from;
    while (from > begin && skip_is_word(from[-1])) from--;
    return from < end ? (struct span){from, end} : (struct span){0};
}

static void read_bracket(struct fragment_reader *r, char c)
{
    const bool plain = c == '(' && !takes_bracket(r->last) && !r->angle && !r->assigned && !r->function;
    if (c == '[' && !r->function && !r->assigned && !r->angle) name_add(r, r->last);
    const char *const inside = r->p;
    r->p = closing(r, r->p);
    if (plain && span_is(r->first, "typedef")) { // of a pointer to a function: its name stands inside
        struct span s, name = r->last;
        for (const char *p = inside; span_next(&p, r->p, r->text, &s);)
            if (span_is_name(s)) name = s;
        name_add(r, name);
    } else if (plain) {
        name_add(r, span_is_name(r->last) ? r->last : r->angled);
        if (span_is_name(r->last)) r->piece->within = owner(r, r->last.from);
    }
    r->function |= plain;
}

// `operator` and what it is, to behind its arguments. It is called without its name, so that it stays; but one that
// prints is known by what it prints to.
static void read_operator(struct fragment_reader *r)
{
    static const char *const streams[] = {"ostream", "istream", NULL};
    struct span s;
    r->function = true;
    while (span_next(&r->p, r->end, r->text, &s) && *s.from != '(') {}
    if (*r->p == ')') // operator()
        while (span_next(&r->p, r->end, r->text, &s) && *s.from != '(') {}
    const char *p = r->p;
    r->p = closing(r, r->p);
    while (span_next(&p, r->p, r->text, &s))
        if (span_among(s, streams)) name_add(r, s);
    r->piece->opens |= r->piece->name_count == 0;
}

static void read_sign(struct fragment_reader *r, char c)
{
    const bool doubled = *r->p == ':' || (r->last.end && r->last.end[0] == ':' && r->last.end[1] == ':');
    if (c == '<' && !r->assigned) {
        if (!r->angle && span_is_name(r->last) && !span_is(r->last, "template")) r->angled = r->last, name_type(r);
        r->angle++;
    } else if (c == '>' && r->angle) {
        r->angle--;
    } else if (!r->angle && c == ':' && !doubled) {
        if (r->function) r->initial = true;
        else name_type(r);
    } else if (!r->angle && !r->function && (c == '=' || c == ',')) {
        name_add(r, r->last);
        r->assigned |= c == '=';
    }
}

static void read_word(struct fragment_reader *r, struct span s)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    r->space |= span_is(s, "namespace");
    r->inside_std |= span_is(s, "std") && *skip_blank(r->p) == ':';
    if (r->angle || r->function || !span_among(s, words)) return;
    r->type = true;
    r->listed |= span_is(s, "enum");
}

// Returns where the piece that begins at `p` ends.
static const char *read_fragment(struct fragment *piece, const char *p, const char *text)
{
    struct fragment_reader r = {.text = text, .end = text + strlen(text), .p = p, .piece = piece};
    struct span s;
    while (span_next(&r.p, r.end, r.text, &s)) {
        if (!r.first.from) r.first = s;
        const char c = *s.from;
        if (c == ';' || c == '}') {
            if (!r.function) name_add(&r, r.last);
            if (c == '}') r.p = s.from; // of the namespace around it
            break;
        }
        if (c == '{' && read_brace(&r, s)) break;
        if (c == '(' || c == '[') read_bracket(&r, c);
        else if (span_is(s, "operator")) read_operator(&r);
        else if (span_is_name(s)) read_word(&r, s);
        else if (c != '{') read_sign(&r, c);
        if (!r.angle) r.last = s;
    }
    piece->function = r.function && !r.assigned;
    piece->type = r.type && !piece->function;
    piece->is = (struct span){p, r.p};
    piece->head = (struct span){p, piece->head.end ? piece->head.end : r.p};
    piece->opens |= span_is(r.first, "using") && r.space && !r.inside_std;
    return r.p;
}

static struct fragment *add(struct fragments *all)
{
    mem_grow(&all->items, &all->room, all->count + 1, sizeof *all->items);
    all->items[all->count] = (struct fragment){0};
    return &all->items[all->count++];
}

static void add_macro(struct fragments *all, const char *directive, const char *end)
{
    const char *const word = skip_blank(directive + 1), *const name = skip_blank(skip_word(word));
    struct fragment_reader r = {0};
    if (!span_is((struct span){word, skip_word(word)}, "define") || !skip_is_word(*name)) return;
    r.piece = add(all);
    r.piece->macro = true;
    r.piece->is = r.piece->head = (struct span){skip_word(name), end};
    name_add(&r, (struct span){name, skip_word(name)});
}

static void add_macros(struct fragments *all, const char *text)
{
    bool line_start = true;
    for (const char *p = text; *(p = skip_splices(p));) {
        const char *const from = p;
        if (*p == '\n' || is_space(*p)) line_start |= *p++ == '\n';
        else if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) p = p[1] == '/' ? skip_line(p) : skip_comment(p);
        else if (*p == '#' && line_start) add_macro(all, from, p = skip_directive(p));
        else {
            line_start = false;
            p = skip_is_word(*p) ? skip_word(p) : *p == '"' || *p == '\'' ? skip_quoted(p) : p + 1;
        }
    }
}

void fragments_read(struct fragments *all, const char *text)
{
    const char *const end = text + strlen(text);
    struct span s;
    add_macros(all, text);
    for (const char *p = text, *q = p; span_next(&q, end, text, &s); q = p) {
        if (*s.from == '}' || *s.from == ';') p = q; // of a namespace, or behind a body
        else p = read_fragment(add(all), s.from, text);
    }
}

void fragments_release(struct fragments *all)
{
    for (size_t i = 0; i < all->count; i++) free(all->items[i].names);
    free(all->items);
    *all = (struct fragments){0};
}
