// Just enough of a parser for function headers. What it does not understand it skips, up to the closing bracket: the
// compiler judges the code, not this file.
// SPDX-License-Identifier: MIT
#include "spec/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// The length of a line splice at `p`: a backslash, blanks, the end of the line.
static size_t splice(const char *p)
{
    if (*p != '\\') return 0;
    const size_t n = 1 + strspn(p + 1, " \t\r");
    return p[n] == '\n' ? n + 1 : 0;
}

const char *skip_splices(const char *p)
{
    for (size_t n; (n = splice(p));) p += n;
    return p;
}

const char *skip_comment(const char *p) // at "/*"
{
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

const char *skip_line(const char *p) // the rest of it, spliced ones included
{
    while (*p && *p != '\n') p += splice(p) ? splice(p) : 1;
    return p;
}

const char *skip_blank(const char *p)
{
    for (;;) {
        p = skip_splices(p);
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') p++;
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else return p;
    }
}

const char *skip_directive(const char *p) // to the end of its line; a comment may go on behind that
{
    while (*p && *p != '\n') {
        if (splice(p)) p += splice(p);
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else if (p[0] == '/' && p[1] == '/') return skip_line(p);
        else if (*p == '"') p = skip_quoted(p);
        else p++;
    }
    return p;
}

const char *skip_quoted(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n') p += splice(p) ? splice(p) : *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static const char *skip_raw(const char *p) // at the quote of R"x( ... )x"
{
    const size_t n = strcspn(p + 1, "(\\) \n\"");
    if (p[1 + n] != '(' || n > 16) return skip_quoted(p);
    for (const char *q = strchr(p, ')'); q; q = strchr(q + 1, ')'))
        if (strncmp(q + 1, p + 1, n) == 0 && q[1 + n] == '"') return q + n + 2;
    return p + strlen(p);
}

bool skip_is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

// A name, with the raw string that it may be the prefix of, or a number with its separators: 1'000.
const char *skip_word(const char *p)
{
    const char *from = p;
    const bool number = isdigit((unsigned char)*p) != 0;
    while (skip_is_word(*p) || (number && (*p == '.' || (*p == '\'' && skip_is_word(p[1]))))) p++;
    const size_t n = (size_t)(p - from);
    const bool raw = !number && *p == '"' && p[-1] == 'R' &&
        (n == 1 || (n == 2 && strchr("uUL", *from)) || (n == 3 && strncmp(from, "u8", 2) == 0));
    return raw ? skip_raw(p) : p;
}

const char *skip_unread(const char *p)
{
    for (const char *from = NULL; from != p;) {
        from = p;
        if (p[0] == '/' && p[1] == '/') p = skip_line(p);
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else if (*p == '"' || *p == '\'') p = skip_quoted(p);
    }
    return p;
}

enum { DEEPEST_ARM = 64 };
struct skip_arms {
    struct skip_arm {
        int outside, first; // how many brackets are open before the #if, and behind its first arm
        const char *others; // where that arm ends; NULL: there is no other as yet
        bool differ;
    } items[DEEPEST_ARM];
    size_t count;
    int open;
};

static void blank_lines(char *from, const char *end)
{
    for (char *p = from; p < end; p += p < end) {
        const char *const stop = *skip_blank(p) == '#' ? skip_directive(p) : NULL;
        for (; p < end && (stop ? p < stop : *p != '\n'); p++)
            if (!stop) *p = ' ';
    }
}

static void follow(struct skip_arms *all, const char *text, const char *directive, char *out)
{
    const char *const word = skip_blank(directive + 1);
    struct skip_arm *const arm = all->count ? &all->items[all->count - 1] : NULL;
    if (strncmp(word, "if", 2) == 0 && all->count < DEEPEST_ARM) {
        all->items[all->count++] = (struct skip_arm){.outside = all->open};
    } else if (arm && (strncmp(word, "el", 2) == 0 || strncmp(word, "endif", 5) == 0)) {
        if (arm->others) arm->differ |= all->open != arm->first;
        const bool other = *word == 'e' && word[1] == 'l';
        if (!arm->others && other) arm->first = all->open, arm->others = directive;
        if (other) {
            all->open = arm->outside;
            return;
        }
        if (arm->others) all->open = arm->first;
        if (arm->differ || (arm->others && arm->first != arm->outside))
            blank_lines(out + (arm->others - text), out + (directive - text));
        all->count--;
    }
}

char *skip_arms(const char *text)
{
    struct skip_arms all = {.count = 0};
    bool line_start = true;
    char *const out = strdup(text);
    for (const char *p = text; *(p = skip_unread(skip_splices(p)));) {
        if (*p == '#' && line_start) {
            follow(&all, text, p, out);
            p = skip_directive(p);
        } else if (skip_is_word(*p)) {
            p = skip_word(p);
            line_start = false;
        } else {
            line_start = *p == '\n' || (line_start && isspace((unsigned char)*p));
            all.open += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
            p++;
        }
    }
    return out;
}

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
    bool alias;        // `using`, `concept`
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
        "__cluster_dims__", "__block_size__", "__maxnreg__", "alignas", "decltype", "noexcept", "explicit", "requires",
        "throw", NULL};
    return span_among(s, words);
}

static void name_type(struct fragment_reader *r)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    if (r->type && !r->named && !span_among(r->last, words)) name_add(r, r->last);
    r->named |= r->type;
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
    const bool plain = c == '(' && !takes_bracket(r->last) && !r->angle && !r->assigned && !r->initial;
    if (c == '[' && !r->function && !r->assigned && !r->angle) name_add(r, r->last);
    const char *const inside = r->p;
    r->p = closing(r, r->p);
    if (plain && span_is(r->first, "typedef")) { // of a pointer to a function: its name stands inside
        struct span s, name = r->last;
        for (const char *p = inside; span_next(&p, r->p, r->text, &s);)
            if (span_is_name(s)) name = s;
        name_add(r, name);
    } else if (plain && (!r->function || span_is_name(r->last))) { // a macro may stand before: LIMIT(128) void f()
        r->piece->name_count = 0;
        name_add(r, span_is_name(r->last) ? r->last : r->angled);
        r->piece->within = span_is_name(r->last) ? owner(r, r->last.from) : (struct span){0};
        r->piece->open = inside - 1;
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
    const char *const from = r->p;
    while (span_next(&r->p, r->end, r->text, &s) && *s.from != '(') {}
    if (*r->p == ')' && skip_blank(from) == s.from) // operator(), and no operator float()
        while (span_next(&r->p, r->end, r->text, &s) && *s.from != '(') {}
    const char *p = r->p;
    r->p = closing(r, r->p);
    while (span_next(&p, r->p, r->text, &s))
        if (span_among(s, streams)) name_add(r, s);
    r->piece->opens |= r->piece->name_count == 0;
}

static void read_sign(struct fragment_reader *r, char c)
{
    const bool doubled = *r->p == ':' || (r->p - r->text > 1 && r->p[-2] == ':');
    if (c == '<' && !r->assigned) {
        if (!r->angle && span_is_name(r->last) && !span_is(r->last, "template")) r->angled = r->last, name_type(r);
        r->angle++;
    } else if (c == '>' && r->angle) {
        r->angle--;
    } else if (!r->angle && c == ':' && !doubled) {
        if (r->function) r->initial = true;
        else name_type(r);
    } else if (!r->angle && !r->function && (c == '=' || c == ',')) {
        if (!r->alias || !r->assigned) name_add(r, r->last);
        r->assigned |= c == '=';
    }
}

static void read_word(struct fragment_reader *r, struct span s)
{
    static const char *const words[] = {"struct", "class", "union", "enum", NULL};
    r->space |= span_is(s, "namespace");
    r->inside_std |= span_is(s, "std") && *skip_blank(r->p) == ':';
    if (r->angle || r->function) return;
    r->alias |= span_is(s, "using") || span_is(s, "concept");
    if (!span_among(s, words)) return;
    r->type = true;
    r->listed |= span_is(s, "enum");
}

// Returns where the piece that begins at `p` ends.
static const char *read_fragment(struct fragment *piece, const char *p, const char *end, const char *text)
{
    struct fragment_reader r = {.text = text, .end = end, .p = p, .piece = piece};
    struct span s;
    while (span_next(&r.p, r.end, r.text, &s)) {
        if (!r.first.from) r.first = s;
        const char c = *s.from;
        if (c == ';' || c == '}') {
            if (!r.function && !(r.alias && r.assigned)) name_add(&r, r.last);
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
    size_t around = 0;
    struct span s;
    add_macros(all, text);
    for (const char *p = text, *q = p; span_next(&q, end, text, &s); q = p) {
        if (*s.from == '}' && around) around = all->items[around - 1].around;
        if (*s.from == '}' || *s.from == ';') { // of a namespace, or behind a body
            p = q;
            continue;
        }
        struct fragment *const piece = add(all);
        piece->around = around;
        p = read_fragment(piece, s.from, end, text);
        if (piece->opens && p > s.from && p[-1] == '{') around = all->count;
    }
}

void fragments_release(struct fragments *all)
{
    for (size_t i = 0; i < all->count; i++) free(all->items[i].names);
    free(all->items);
    *all = (struct fragments){0};
}

struct scan {
    const char *text;
    struct span *tokens; // words and single characters; behind the last an empty one
    size_t count, room;
};

bool source_is_identifier(const char *s)
{
    if (!*s || isdigit((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static void tokenize(struct scan *s, const char *p, const char *end)
{
    for (bool more = true; more;) {
        struct span next;
        more = span_next(&p, end, s->text, &next);
        mem_grow(&s->tokens, &s->room, s->count + 1, sizeof *s->tokens);
        s->tokens[s->count++] = more ? next : (struct span){end, end};
    }
}

static bool is(const struct scan *s, size_t i, const char *what) { return i < s->count && span_is(s->tokens[i], what); }

static bool is_end(const struct scan *s, size_t i) { return s->tokens[i].from == s->tokens[i].end; }

static bool is_name(const struct scan *s, size_t i) { return !is_end(s, i) && span_is_name(s->tokens[i]); }

static size_t place(const struct scan *s, size_t i) { return (size_t)(s->tokens[i].from - s->text); }

static bool is_char(const struct scan *s, size_t i, char c) { return is(s, i, (char[]){c, '\0'}); }

// The token after the bracket that closes the one at `i`.
static size_t balanced(const struct scan *s, size_t i)
{
    size_t depth = 0;
    for (; !is_end(s, i); i++) {
        const char c = *s->tokens[i].from;
        if (c == '(' || c == '[' || c == '{') depth++;
        else if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
    }
    return i;
}

static const char *word(const struct scan *s, size_t i, struct arena *a)
{
    return arena_strndup(a, s->tokens[i].from, (size_t)(s->tokens[i].end - s->tokens[i].from));
}

static bool is_decoration(const struct scan *s, size_t i)
{
    static const char *const words[] = {"__restrict__", "__restrict", "__grid_constant__", "restrict", NULL};
    return span_among(s->tokens[i], words);
}

// The type of an argument: tokens `from` to `to` without its name at `name`. "const T *".
static const char *type_text(const struct scan *s, size_t from, size_t to, size_t name, struct arena *a)
{
    LOCAL(str_release) struct str t = {0};
    bool glued = true;
    for (size_t i = from; i < to; i++) {
        if (i == name || is_decoration(s, i)) continue;
        if (is_char(s, i, '[')) {
            str_add(&t, " *");
            break;
        }
        char c = *s->tokens[i].from, last = t.size ? t.text[t.size - 1] : ' ';
        bool tight = glued || strchr(":<>,", c) || strchr(":<", last) || (c == '*' && last == '*');
        if (!tight) str_add(&t, " ");
        str_add_bytes(&t, s->tokens[i].from, (size_t)(s->tokens[i].end - s->tokens[i].from));
        glued = false;
    }
    return arena_strdup(a, t.text ? t.text : "");
}

// One argument, tokens `from` to `to`. Its name is the last word before a default or an array's bracket.
static void read_argument(const struct scan *s, size_t from, size_t to, struct arena *a, struct argument *out,
    size_t *at)
{
    size_t end = from, name = SIZE_MAX;
    while (end < to && !is_char(s, end, '=')) end++;
    for (size_t i = from; i < end && !is_char(s, i, '['); i++)
        if (is_name(s, i) && !is_decoration(s, i)) name = i;
    if (name == from) name = SIZE_MAX; // a single word is a type
    *at = place(s, name == SIZE_MAX ? from : name);
    out->name = name == SIZE_MAX ? "" : word(s, name, a);
    out->type = type_text(s, from, end, name, a);
}

// `open` is the bracket after the name; arguments end at `close`.
static void read_arguments(const struct scan *s, size_t open, size_t close, struct arena *a, struct source_function *f)
{
    size_t most = 1, from = open + 1, count = 0;
    for (size_t i = from; i < close; i++) most += is_char(s, i, ',');
    struct argument *arguments = arena_alloc(a, most * sizeof *arguments);
    size_t *places = arena_alloc(a, most * sizeof *places);
    for (size_t i = from, angle = 0; i <= close; i++) {
        if (i < close && (is_char(s, i, '(') || is_char(s, i, '[') || is_char(s, i, '{'))) {
            i = balanced(s, i) - 1;
            continue;
        }
        if (is_char(s, i, '<')) angle++;
        if (is_char(s, i, '>') && angle) angle--;
        if (i < close && (angle || !is_char(s, i, ','))) continue;
        bool nothing = i == from || (i == from + 1 && is(s, from, "void"));
        if (!nothing) {
            read_argument(s, from, i, a, &arguments[count], &places[count]);
            if (!*arguments[count].name) arguments[count].name = arena_printf(a, "%zu", count + 1);
            count++;
        }
        from = i + 1;
    }
    f->is.arguments = arguments;
    f->is.count = count;
    f->places = places;
}

// The parameters between the < at `open` and its >: the name is the last word before a default.
static void read_template(const struct scan *s, size_t open, struct arena *a, struct function *f)
{
    LOCAL(mem_drop) struct template_param *params = NULL;
    size_t room = 0, depth = 0, name = 0, value = 0;
    for (size_t i = open; !is_end(s, i) && f->param_count < 64; i++) {
        const bool close = is_char(s, i, '>') && depth == 1;
        depth += is_char(s, i, '<');
        if ((depth == 1 && is_char(s, i, ',')) || close) {
            mem_grow(&params, &room, f->param_count + 1, sizeof *params);
            params[f->param_count++] = (struct template_param){name ? word(s, name, a) : "",
                value ? arena_strndup(a, s->tokens[value].from, place(s, i) - place(s, value)) : NULL};
            name = value = 0;
            if (close) break;
        } else if (depth == 1 && is_char(s, i, '=') && !value) value = i + 1;
        else if (is_name(s, i) && !value) name = i;
        depth -= is_char(s, i, '>');
    }
    f->params = arena_copy(a, params, f->param_count * sizeof *params);
    f->is_template = true;
}

static int line_of(const char *text, size_t at, size_t *from, int *line)
{
    for (; *from < at; ++*from) *line += text[*from] == '\n';
    return *line;
}

// What the namespaces around a piece are called: "a::b::", or "".
static const char *scope_text(const struct fragments *all, size_t around, struct arena *a)
{
    if (!around) return "";
    const struct fragment *const by = &all->items[around - 1];
    const char *outer = scope_text(all, by->around, a), *p = by->head.from;
    LOCAL(str_release) struct str own = {0};
    struct span s;
    for (bool named = false; span_next(&p, by->head.end, by->head.from, &s); named |= span_is(s, "namespace"))
        if (named && !span_is(s, "inline")) str_add_bytes(&own, s.from, (size_t)(s.end - s.from));
    return own.size ? arena_printf(a, "%s%s::", outer, own.text) : outer;
}

// A function from its head. False: it is none that can be called by its name.
static bool read_function(struct scan *s, const struct fragment *piece, struct arena *a, struct source_function *f)
{
    size_t open = 0, brackets = 0;
    s->count = 0;
    tokenize(s, piece->head.from, piece->head.end);
    while (!is_end(s, open) && s->tokens[open].from != piece->open) open++;
    if (is_end(s, open) || !open || s->tokens[open - 1].from != piece->names[0].from) return false;
    f->from = place(s, 0), f->at = place(s, open - 1);
    f->end = (size_t)(piece->is.end - s->text);
    f->is.name = word(s, open - 1, a);
    for (size_t i = 0; i < open; i++) {
        f->global |= is(s, i, "__global__");
        f->device |= is(s, i, "__device__");
        f->host |= is(s, i, "__host__");
        if (!f->is_template && is(s, i, "template"))
            f->is_template = true, brackets = is_char(s, i + 1, '<') ? i + 1 : 0;
    }
    read_arguments(s, open, balanced(s, open) - 1, a, f);
    if (brackets) read_template(s, brackets, a, &f->is);
    return true;
}

const struct source_function *source_functions(const char *text, struct arena *a, size_t *count)
{
    LOCAL(mem_drop) char *read = skip_arms(text);
    LOCAL(fragments_release) struct fragments all = {0};
    LOCAL(mem_drop) struct source_function *found = NULL;
    struct scan s = {.text = read};
    size_t room = 0, counted = 0;
    int line = 1;
    *count = 0;
    fragments_read(&all, read);
    for (size_t i = 0; i < all.count; i++) {
        const struct fragment *const piece = &all.items[i];
        struct source_function f = {0};
        if (!piece->function || !piece->name_count || !piece->open || *piece->head.end != '{' ||
            !read_function(&s, piece, a, &f))
            continue;
        f.is.scope = scope_text(&all, piece->around, a);
        f.is.line = line_of(text, f.at, &counted, &line);
        mem_grow(&found, &room, *count + 1, sizeof *found);
        found[(*count)++] = f;
    }
    free(s.tokens);
    return arena_copy(a, found, *count * sizeof *found);
}

bool source_marked_by_macro(const char *text, const struct source_function *f)
{
    static const char *const own[] = {"static", "inline", "extern", "constexpr", "template", "__forceinline__", NULL};
    const char *p = text + f->from, *const end = text + f->at;
    struct span s;
    bool found = false;
    for (size_t angle = 0; !f->device && !f->host && span_next(&p, end, text, &s) && !span_is(s, "void");) {
        angle += *s.from == '<';
        angle -= *s.from == '>' && angle;
        found |= !angle && span_is_name(s) && !span_among(s, own);
    }
    return found && span_is(s, "void");
}

const char *source_variable(const char *text, const char *name)
{
    LOCAL(fragments_release) struct fragments all = {0};
    const char *kind = NULL;
    struct span s;
    fragments_read(&all, text);
    for (size_t i = 0; i < all.count && !kind; i++) {
        const struct fragment *const piece = &all.items[i];
        bool named = false;
        for (size_t n = 0; n < piece->name_count; n++) named |= span_is(piece->names[n], name);
        if (!named || piece->macro || piece->function) continue;
        for (const char *p = piece->is.from; !kind && span_next(&p, piece->is.end, text, &s);)
            kind = span_is(s, "__constant__") ? "constant" : span_is(s, "__device__") ? "symbol" : NULL;
    }
    return kind;
}

// Does a line of the comment begin with a key of a description? A licence has none.
static bool describes(const char *from, const char *to)
{
    static const char *const keys[] = {"about:", "params:", "buffers:", "threads:", "grid:", NULL};
    for (const char *p = from; p && p < to; p = memchr(p, '\n', (size_t)(to - p)), p = p ? p + 1 : NULL) {
        const char *word = p + strspn(p, " \t\n\r");
        for (const char *const *k = keys; *k; k++)
            if (strncmp(word, *k, strlen(*k)) == 0) return true;
    }
    return false;
}

bool source_description(const char *s, size_t *start, size_t *end)
{
    bool found = false;
    for (const char *p = s; *p;) {
        if (p[0] == '/' && p[1] == '*') {
            const char *close = strstr(p + 2, "*/"), *last = close ? close : p + strlen(p);
            const bool is_it = describes(p + 2, last);
            if (!found || is_it) *start = (size_t)(p + 2 - s), *end = (size_t)(last - s);
            if (is_it || !close) return close || found;
            found = true;
            p = close + 2;
            continue;
        }
        p = p[0] == '/' && p[1] == '/' ? skip_line(p) : *p == '"' || *p == '\'' ? skip_quoted(p) : p + 1;
    }
    return found;
}

bool source_described(const char *s)
{
    size_t start, end;
    return source_description(s, &start, &end) && describes(s + start, s + end);
}

bool source_has_word(const char *text, const char *word)
{
    for (const char *p = text; *(p = skip_unread(p));) {
        const char *from = p;
        p = skip_is_word(*p) ? skip_word(p) : p + 1;
        if ((size_t)(p - from) == strlen(word) && memcmp(from, word, strlen(word)) == 0) return true;
    }
    return false;
}

void source_without_mark(char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) memset(text, ' ', 3);
}
