// SPDX-License-Identifier: MIT
#include "compile/left_out.h"

#include "compile/compiler.h"
#include "spec/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void left_out_end(struct left_out *l)
{
    for (size_t i = 0; i < l->count; i++) free(l->pieces[i].log);
    free(l->pieces);
    free(l->source);
    free(l->whole);
    free(l->text);
    free(l->asks);
    free(l->todo);
    lookup_release(&l->names);
    fragments_release(&l->all);
}

static size_t span_size(struct span s) { return (size_t)(s.end - s.from); }

static bool same(struct span a, struct span b)
{
    return span_size(a) == span_size(b) && memcmp(a.from, b.from, span_size(a)) == 0;
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
    const char *const end = l->asks + strlen(l->asks);
    for (size_t i = 0; i < piece->name_count; i++)
        for (const char *p = l->asks; (p = word_in(p, end, piece->names[i])); p = skip_word(p))
            if (!piece->function || *skip_blank(skip_word(p)) != ':') return true; // no namespace of that name
    return false;
}

static uint64_t hash_of(struct span s)
{
    uint64_t h = 14695981039346656037ULL;
    for (const char *p = s.from; p < s.end; p++) h = (h ^ (unsigned char)*p) * 1099511628211ULL;
    return h;
}

enum { MACROS_DEEP = 8 };

// `template void f<int>(int);` asks for an instance. Which are needed is asked for here, by name.
static bool is_instance(const struct left_out *l, const struct fragment *piece)
{
    struct span s;
    const char *p = piece->is.from;
    return span_next(&p, piece->is.end, l->source, &s) && span_is(s, "template") &&
        span_next(&p, piece->is.end, l->source, &s) && *s.from != '<';
}

static void keep(struct left_out *l, size_t number)
{
    struct fragment *const piece = &l->all.items[number];
    if (piece->kept || is_instance(l, piece)) return;
    piece->kept = true;
    const size_t at = (size_t)(piece->is.from - l->source);
    if (!piece->macro) memcpy(l->text + at, l->whole + at, span_size(piece->is));
    mem_grow(&l->todo, &l->todo_room, l->todo_count + 1, sizeof *l->todo);
    l->todo[l->todo_count++] = number;
}

static bool keep_named(struct left_out *l, struct span name)
{
    const size_t before = l->todo_count;
    for (size_t at = 0, n; span_is_name(name) && (n = lookup_next(&l->names, hash_of(name), &at)) != LOOKUP_NONE;)
        keep(l, n);
    return l->todo_count > before;
}

// What is kept keeps what it names, and so on.
static void keep_more(struct left_out *l)
{
    struct span s;
    while (l->todo_count) {
        const struct span text = l->all.items[l->todo[--l->todo_count]].is;
        for (const char *p = text.from; span_next(&p, text.end, l->source, &s);) keep_named(l, s);
    }
}

// Without a name that could be asked for, or made by a macro of the source, which may give any.
static bool is_nameless(const struct left_out *l, const struct fragment *piece)
{
    struct span s;
    const char *p = piece->is.from;
    bool made = false;
    if (span_next(&p, piece->is.end, l->source, &s) && *p == '(')
        for (size_t at = 0, n; !made && (n = lookup_next(&l->names, hash_of(s), &at)) != LOOKUP_NONE;)
            made = l->all.items[n].macro;
    return made || piece->opens || !piece->name_count;
}

// Has it a word that marks code of the device, or a macro that has one?
static bool is_marked(const struct left_out *l, struct span text, int depth)
{
    static const char *const marks[] = {"__global__", "__device__", "__constant__", "__shared__", "__managed__", NULL};
    struct span s;
    for (const char *p = text.from; span_next(&p, text.end, l->source, &s);) {
        if (span_among(s, marks)) return true;
        for (size_t at = 0, n;
             depth && span_is_name(s) && (n = lookup_next(&l->names, hash_of(s), &at)) != LOOKUP_NONE;)
            if (l->all.items[n].macro && is_marked(l, l->all.items[n].is, depth - 1)) return true;
    }
    return false;
}

static bool is_kernel(const struct left_out *l, const struct fragment *piece)
{
    struct span s;
    for (const char *p = piece->head.from; span_next(&p, piece->head.end, l->source, &s);)
        if (span_is(s, "__global__")) return true;
    return false;
}

// `struct S<int>`: of a template that may be CUDA's own.
static bool is_special(const struct fragment *piece)
{
    return piece->name_count && !piece->macro && *skip_blank(piece->names[0].end) == '<';
}

// Is it there for what its head names? So is a function of the device: CUDA's headers may call it for a type.
static bool is_for_its_head(const struct left_out *l, const struct fragment *piece)
{
    return is_special(piece) || (piece->function && is_marked(l, piece->head, MACROS_DEEP) && !is_kernel(l, piece));
}

static void add_names(struct left_out *l)
{
    struct span s;
    for (size_t i = 0; i < l->all.count; i++)
        for (size_t n = 0; n < l->all.items[i].name_count && !is_special(&l->all.items[i]); n++)
            lookup_add(&l->names, hash_of(l->all.items[i].names[n]), i);
    for (size_t i = 0; i < l->all.count; i++) {
        const struct fragment *const piece = &l->all.items[i];
        bool known = !is_special(piece);
        const bool by_head = is_for_its_head(l, piece);
        for (const char *p = piece->head.from; by_head && span_next(&p, piece->head.end, l->source, &s);) {
            size_t at = 0;
            if (lookup_next(&l->names, hash_of(s), &at) == LOOKUP_NONE) continue;
            lookup_add(&l->names, hash_of(s), i);
            known = true;
        }
        if (!known) keep(l, i);
    }
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

void left_out_begin(struct left_out *l, const char *source)
{
    *l = (struct left_out){.source = skip_arms(source), .whole = strdup(source), .text = strdup(source)};
    const char *const generated = strstr(l->source, "\n#line 1 \"gpuexp\"");
    l->generated = generated ? generated : l->source + strlen(l->source);
    l->asks = strdup(l->generated);
    for (char *mark = l->asks; (mark = strstr(mark, "\n#line "));) // names of files are no names of C++
        for (*mark++ = ' '; *mark && *mark != '\n'; mark++) *mark = ' ';
    fragments_read(&l->all, l->source);
    if (!*l->generated) return; // then all of it is wanted
    for (size_t i = 0; i < l->all.count; i++)
        if (!l->all.items[i].macro && l->all.items[i].is.from < l->generated) blank(l, l->all.items[i].is);
    add_names(l);
    for (const char *p = l->asks; *p; p = skip_is_word(*p) ? skip_word(p) : p + 1)
        keep_named(l, (struct span){p, skip_word(p)});
    keep_more(l);
    for (size_t i = 0; i < l->all.count; i++)
        if (l->all.items[i].is.from >= l->generated || is_nameless(l, &l->all.items[i])) keep(l, i);
    keep_more(l);
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

static void leave(struct left_out *l, const struct fragment *piece, const char *log, struct span what)
{
    enum { MOST_LOG = 2000 };
    mem_grow(&l->pieces, &l->room, l->count + 1, sizeof *l->pieces);
    l->pieces[l->count++] = (struct left_out_piece){piece->head, strndup(log, MOST_LOG)};
    blank(l, what);
}

// One that something else might take the place of stays, without its body: whoever calls it is told. False: it has
// none, or its compiler does not take that.
static bool leave_deleted(struct left_out *l, struct fragment *piece, const char *log)
{
    static const char word[] = "delete";
    const size_t n = strlen(word);
    const char *const from = piece->head.end, *const end = piece->is.end - 1;
    const char *at = from + 1;
    if (!piece->function || piece->deleted || piece->within.from || from >= end || *from != '{' || *end != '}')
        return false;
    while (at + n < end && memchr(at, '\n', n)) at++;
    if (at + n >= end) return false;
    leave(l, piece, log, (struct span){from, piece->is.end});
    l->text[from - l->source] = '=';
    memcpy(l->text + (at - l->source), word, n);
    l->text[end - l->source] = ';';
    return piece->deleted = true;
}

// A function inside of a type, in place of the type. A constructor stays: without one the type would have another.
static bool leave_member(struct left_out *l, const struct fragment *piece, const char *at, const char *log)
{
    if (!piece->type || piece->head.end >= piece->is.end || at <= piece->head.end) return false;
    const char *const from = piece->head.end + 1;
    struct fragments own = {0};
    bool left = false;
    char *const inside = strndup(from, (size_t)(piece->is.end - from)), *close = strrchr(inside, '}');
    if (close) *close = '\0'; // the type's own
    fragments_read(&own, inside);
    for (size_t i = 0; i < own.count && !left; i++) {
        const struct fragment *f = &own.items[i];
        const struct fragment there = {.is = {from + (f->is.from - inside), from + (f->is.end - inside)},
            .head = {from + (f->head.from - inside), from + (f->head.end - inside)}};
        if (f->macro || !f->function || at < there.is.from || at >= there.is.end || !f->name_count) continue;
        bool stays = false;
        for (size_t n = 0; n < piece->name_count; n++) stays |= same(piece->names[n], f->names[0]);
        for (size_t n = 0; n < own.count && is_marked(l, there.head, MACROS_DEEP);
             n++) // another one of that name might be taken
            stays |= n != i && own.items[n].name_count && same(own.items[n].names[0], f->names[0]);
        if (!stays) leave(l, &there, log, there.is), left = true;
    }
    fragments_release(&own);
    free(inside);
    return left;
}

// What is refused before its body is for types that are not there: no call means it. The log knows lines alone.
static bool is_refused_by_its_head(const struct fragment *piece, const char *at)
{
    const char *const end = at + strcspn(at, "\n"), *body = piece->head.end;
    while (body < end && (*body == '{' || *body == ' ')) body++;
    return piece->function && body >= end;
}

// A specialization for a type that is not there: `template <> struct S<c10::Half> {`. The word that is refused stands
// in the brackets behind the name. (Behind a colon it is what the type is made of, which its users would miss.)
static bool is_for_no_type(const struct fragment *piece, const char *refused)
{
    int depth = 0;
    if (!piece->type || refused < piece->is.from || refused >= piece->head.end) return false;
    for (const char *p = piece->head.from; p < piece->head.end; p++) {
        const bool colons = p[0] == ':' && p[1] == ':';
        if (*p == ':' && !colons && p < refused) return false;
        depth += *p == '<';
        depth -= *p == '>';
        if (p == refused) return depth > 0 && piece->name_count && refused > piece->names[0].from;
        p += colons && p + 1 != refused;
    }
    return false;
}

// Leaves out the piece of the user's text that stands at `at`.
static bool leave_at(struct left_out *l, const char *at, const char *refused, const char *log)
{
    for (size_t i = 0; at < l->generated && i < l->all.count; i++) {
        struct fragment *piece = &l->all.items[i];
        if (piece->macro || at < piece->is.from || at >= piece->is.end) continue;
        if (!stands(l, piece) || piece->opens) return false;
        if (leave_member(l, piece, at, log)) return true;
        if (is_needed(l, piece)) return false;
        const bool host = piece->function && !is_marked(l, piece->head, MACROS_DEEP);
        if (!host && !is_refused_by_its_head(piece, at) && !is_for_no_type(piece, refused) &&
            !is_alone(l, &l->all, piece) && !is_kernel(l, piece))
            return leave_deleted(l, piece, log);
        leave(l, piece, log, piece->is);
        return true;
    }
    return false;
}

// "cannot open source file "torch/extension.h"", "torch/extension.h: No such file or directory",
// "'torch/extension.h' file not found": the name in it; false: it is another complaint.
static bool names_header(const struct compiler_error *e, struct span *name)
{
    static const char *const before[] = {"cannot open source file \"", "cannot open source file '", "'", NULL};
    const char *const end = e->what + e->what_length, *quote = memmem(e->what, e->what_length, ": No such file", 14);
    const bool clang = memmem(e->what, e->what_length, "' file not found", 16);
    name->from = NULL;
    if (quote) return *name = (struct span){e->what, quote}, true;
    for (int i = 0; before[i] && !name->from && (before[i + 1] || clang); i++)
        if ((name->from = memmem(e->what, e->what_length, before[i], strlen(before[i]))))
            name->from += strlen(before[i]);
    name->end = name->from ? name->from + strcspn(name->from, "\"'\n") : end;
    return name->end < end;
}

bool left_out_lacks_header(const char *source, const char *log)
{
    struct compiler_error e;
    struct span name;
    bool lacks = false;
    while (!lacks && compiler_error_next(&log, source, &e)) lacks = names_header(&e, &name);
    return lacks;
}

// What stands in `#include <name>` at `line`, its brackets too; false: it includes nothing.
static bool included(const char *line, struct span *name)
{
    const char *p = skip_blank(line);
    if (*p != '#' || strncmp(p = skip_blank(p + 1), "include", 7) != 0) return false;
    p = skip_blank(p + 7);
    const size_t n = *p == '<' || *p == '"' ? strcspn(p + 1, ">\"\n") : 0;
    *name = (struct span){p, p + n + 2};
    return n && p[n + 1] != '\n' && strncmp(p + 1, "gpuexp_", 7) != 0; // that one is here
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

// (NVRTC ends at `#error` too.)
#define LACKING "cannot open source file '%.*s'"
void left_out_probe(const struct left_out *l, struct str *out)
{
    struct span is;
    for (const char *line = l->text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        const bool one = included(line, &is);
        if (one)
            str_addf(out,
                "#if !__has_include(%.*s)\n"
                "#ifdef __CUDACC_RTC__\nstatic_assert(false, \"" LACKING "\");\n"
                "#else\n#error " LACKING "\n#endif\n#else\n",
                (int)span_size(is), is.from, (int)span_size(is) - 2, is.from + 1, (int)span_size(is) - 2, is.from + 1);
        str_add_bytes(out, line, (size_t)(next - line));
        if (one) str_add(out, "\n#endif\n");
    }
}

// Is one of them about a line that is neither the user's nor generated?
static bool blames_header(const struct left_out *l, const char *log)
{
    struct compiler_error e;
    while (compiler_error_next(&log, l->source, &e))
        if (!e.at && e.line && !(e.file_length == 6 && memcmp(e.file, "gpuexp", 6) == 0)) return true;
    return false;
}

bool left_out_header(struct left_out *l, const char *log, bool (*takes)(void *, const char *include), void *context)
{
    bool left = false;
    struct span is;
    LOCAL(mem_drop) struct span *tried = NULL;
    size_t count = 0, room = 0;
    if (!*l->generated || !blames_header(l, log)) return false;
    for (const char *line = l->text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line - l->text > l->generated - l->source || !included(line, &is)) continue;
        bool again = false;
        for (size_t i = 0; i < count; i++) again |= same(tried[i], is);
        if (again) continue;
        mem_grow(&tried, &room, count + 1, sizeof *tried);
        tried[count++] = (struct span){l->source + (is.from - l->text), l->source + (is.end - l->text)};
        LOCAL(mem_drop) char *alone = strndup(line, strcspn(line, "\n"));
        const ptrdiff_t from = is.from - l->text, end = is.end - l->text;
        if (!takes(context, alone)) left |= leave_header(l, (struct span){l->source + from + 1, l->source + end - 1});
    }
    return left;
}

// Keeps what the complaint misses, which stands in quotes, and was thought to be needless.
static bool keep_missed(struct left_out *l, const struct compiler_error *e)
{
    bool kept = false;
    const char *const end = e->what + e->what_length;
    for (const char *p = e->what; p < end; p = skip_is_word(*p) ? skip_word(p) : p + 1)
        if (skip_is_word(*p)) kept |= keep_named(l, (struct span){p, skip_word(p)});
    keep_more(l);
    return kept;
}

bool left_out_more(struct left_out *l, const char *log)
{
    bool more = false;
    struct compiler_error e;
    struct span name;
    if (!*l->generated) return false; // then all of it is wanted
    for (const char *p = log; compiler_error_next(&p, l->source, &e);)
        more |= names_header(&e, &name) ? leave_header(l, name) : keep_missed(l, &e);
    const bool less = !more;
    for (const char *p = log, *from = log; less && compiler_error_next(&p, l->source, &e); from = p)
        if (e.at) more |= leave_at(l, e.at + strspn(e.at, " \t"), e.column ? e.at + e.column - 1 : NULL, from);
    return more;
}

// The piece that defines what the log's first error has in quotes: there its namespaces may stand before the name.
// Where it is defined a bracket, or the arguments of a template, are behind the name, or it is the last word.
static const struct left_out_piece *missed(const struct left_out *l, const char *log)
{
    struct compiler_error e;
    const char *p = log;
    if (!compiler_error_next(&p, l->source, &e)) return NULL;
    for (size_t i = l->count; i-- > 0;) { // of several of that name the last went when no other was left
        const char *const end = l->pieces[i].head.end;
        struct span s;
        for (const char *q = l->pieces[i].head.from; span_next(&q, end, l->source, &s);)
            if (span_is_name(s) && !span_is(s, "template") && (strchr("(<", *skip_blank(q)) || skip_blank(q) >= end) &&
                (p = word_in(e.what, e.what + e.what_length, s)) && p > e.what && strchr("\"':", p[-1]))
                return &l->pieces[i];
    }
    return NULL;
}

// A name that is missed because it was left out, and so on: why the last was says more.
static const char *cause(const struct left_out *l, const char *log)
{
    const struct left_out_piece *piece;
    for (size_t i = 0; i < l->count && (piece = missed(l, log)) && piece->log != log; i++) log = piece->log;
    return log;
}

void left_out_complain(const struct left_out *l, const char *log, const char *path, struct diags *d)
{
    const size_t before = d->count;
    compiler_complaint(cause(l, log), l->source, path, d);
    if (!*l->headers || d->count == before) return;
    struct diag *last = &d->items[d->count - 1];
    struct str hint = {0};
    str_addf(&hint, "not here, and left out: %s; --allow-include FOLDER names a folder that has such", l->headers);
    free(last->hint);
    last->hint = str_take(&hint);
}
