// Just enough of a parser for function headers, over the words that fragments.h finds. What it does not understand it
// skips, up to the closing bracket: the compiler judges the code, not this file.
// SPDX-License-Identifier: MIT
#include "spec/source.h"

#include "spec/fragments.h"
#include "spec/skip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

static void tokenize(struct scan *s)
{
    const char *const end = s->text + strlen(s->text);
    bool more = true;
    for (const char *p = s->text; more;) {
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

static bool starts_with(const struct scan *s, size_t i, const char *what)
{
    return strncmp(s->tokens[i].from, what, strlen(what)) == 0;
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

// The token that opens the body of the function whose arguments end before `i`; 0 where there is none. What may stand
// between (const, noexcept, an attribute) is short; a macro may stand before: `LIMIT(128) void f()`.
static size_t body(const struct scan *s, size_t i)
{
    for (int n = 0; n < 16 && (is_name(s, i) || is_char(s, i, '(')); n++) {
        const bool bracket = is_char(s, i, '(');
        if (bracket && !starts_with(s, i - 1, "__") && !is(s, i - 1, "noexcept") && !is(s, i - 1, "requires")) return 0;
        i = bracket ? balanced(s, i) : i + 1;
    }
    return is_char(s, i, '{') ? i : 0;
}

static int line_of(const char *text, size_t at, size_t *from, int *line)
{
    for (; *from < at; ++*from) *line += text[*from] == '\n';
    return *line;
}

// Is the bracket at `i` a namespace's, or that of `extern "C"`? Then what it is called, "a::b::", or "".
static const char *opened(const struct scan *s, size_t i, struct arena *a)
{
    LOCAL(str_release) struct str name = {0};
    size_t from = i;
    if (i && is(s, i - 1, "extern")) return ""; // "C"
    while (from && (is_name(s, from - 1) || is_char(s, from - 1, ':')) && !is(s, from, "namespace")) from--;
    while (from < i && !is(s, from, "namespace")) from++; // `inline namespace a`
    if (from == i) return NULL;
    for (from++; from < i; from++)
        if (!is(s, from, "inline"))
            str_add_bytes(&name, s->tokens[from].from, (size_t)(s->tokens[from].end - s->tokens[from].from));
    if (name.size) str_add(&name, "::");
    return arena_strdup(a, name.text ? name.text : "");
}

enum { SCOPES = 16 };
struct scopes {
    const char *names[SCOPES];
    size_t count;
};

static const char *scope_text(const struct scopes *all, struct arena *a)
{
    const char *text = "";
    for (size_t i = 0; i < all->count && i < SCOPES; i++) text = arena_printf(a, "%s%s", text, all->names[i]);
    return text;
}

const struct source_function *source_functions(const char *text, struct arena *a, size_t *count)
{
    char *const read = skip_arms(text);
    struct scan s = {.text = read};
    LOCAL(mem_drop) struct source_function *all = NULL;
    size_t room = 0, counted = 0;
    int line = 1;
    *count = 0;
    tokenize(&s);
    struct source_function next = {0};
    struct scopes scopes = {.count = 0};
    size_t brackets = 0; // of the template
    for (size_t i = 0; !is_end(&s, i);) {
        const char *const open_scope = is_char(&s, i, '{') ? opened(&s, i, a) : NULL;
        if (is_char(&s, i, ';') || is_char(&s, i, '}') || open_scope) {
            if (open_scope && scopes.count++ < SCOPES) scopes.names[scopes.count - 1] = open_scope;
            if (is_char(&s, i, '}') && scopes.count) scopes.count--;
            i++;
            next = (struct source_function){.from = place(&s, i)};
        } else if (is_char(&s, i, '{')) {
            i = balanced(&s, i);
        } else if (is_char(&s, i, '(') && i && is_name(&s, i - 1) && !starts_with(&s, i - 1, "__")) {
            size_t behind = balanced(&s, i), open = body(&s, behind);
            if (open) {
                struct source_function f = next;
                f.at = place(&s, i - 1);
                f.is.name = word(&s, i - 1, a);
                f.is.scope = scope_text(&scopes, a);
                f.is.line = line_of(text, f.at, &counted, &line);
                read_arguments(&s, i, behind - 1, a, &f);
                if (f.is_template && brackets) read_template(&s, brackets, a, &f.is);
                behind = balanced(&s, open);
                f.end = (size_t)(s.tokens[behind - 1].end - s.text);
                mem_grow(&all, &room, *count + 1, sizeof *all);
                all[(*count)++] = f;
                next = (struct source_function){.from = place(&s, behind)};
            }
            i = behind;
        } else if (is_char(&s, i, '(') || is_char(&s, i, '[')) {
            i = balanced(&s, i);
        } else {
            next.global |= is(&s, i, "__global__");
            next.device |= is(&s, i, "__device__");
            next.host |= is(&s, i, "__host__");
            if (!next.is_template && is(&s, i, "template"))
                next.is_template = true, brackets = is_char(&s, i + 1, '<') ? i + 1 : 0;
            i++;
        }
    }
    const struct source_function *result = arena_copy(a, all, *count * sizeof *all);
    free(s.tokens);
    free(read);
    return result;
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
    const char *kind = NULL;
    struct scan s = {.text = text};
    tokenize(&s);
    for (size_t i = 0; !kind && !is_end(&s, i); i++) {
        if (!is(&s, i, name) || !(is_char(&s, i + 1, '[') || is_char(&s, i + 1, ';') || is_char(&s, i + 1, '=')))
            continue;
        for (size_t back = i; !kind && back-- > 0;) {
            if (strchr(";{}()", *s.tokens[back].from)) break;
            kind = is(&s, back, "__constant__") ? "constant" : is(&s, back, "__device__") ? "symbol" : NULL;
        }
    }
    free(s.tokens);
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
