// Finds preprocessor directives as a compiler does (it knows comments, strings, raw strings and spliced lines), follows
// those that include a file of the user, and leaves the others to the compiler, which has the Toolkit's headers.
// SPDX-License-Identifier: MIT
#include "spec/include.h"

#include "base/file.h"
#include "base/str.h"
#include "spec/node.h"
#include "spec/source.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Others are not included: the compiler quotes what it does not understand.
#define HEADERS ".ptx .cubin .fatbin .h .hh .hpp .hxx .cuh .cu .c .cc .cpp .cxx .inc .inl .ipp .tpp .tcc .def __config"
enum { MOST_DEPTH = 64, MOST_BYTES = 4 << 20, MOST_TEXT = 64 << 20, MOST_FILES = 1 << 20, MOST_FOLDERS = 32 };

struct includer {     // one file being read
    const char *file; // its path, and its name in `#line`
    const char *name;
    const char *text;
    int depth;
};

struct include_work {
    const char *folder; // the kernel's
    const char **taken; // files that stand in `out`, by their real paths
    size_t count, room;
    struct str out;
    struct arena *arena;
    struct diags *diags;
};

static const char *folders[MOST_FOLDERS + 1];

void include_allow(const char *folder)
{
    size_t n = 0;
    while (folders[n]) n++;
    if (n < MOST_FOLDERS) folders[n] = folder;
}

const char *const *include_allowed(void) { return folders; }

// The `#` of the next directive at or behind `p`, which is the start of a text or not; NULL: there is none.
static const char *next_directive(const char *p, bool line_start)
{
    while (*p) {
        p = skip_splices(p);
        if (*p == '\n') line_start = true, p++;
        else if (isspace((unsigned char)*p)) p++;
        else if (p[0] == '/' && p[1] == '/') p = skip_line(p);
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else if (line_start && (*p == '#' || strncmp(p, "%:", 2) == 0 || strncmp(p, "?\?=", 3) == 0)) return p;
        else {
            line_start = false;
            if (skip_is_word(*p)) p = skip_word(p);
            else if (*p == '"' || *p == '\'') p = skip_quoted(p);
            else if (*p) p++;
        }
    }
    return NULL;
}

// The directive's word without splices, and its end.
static const char *directive_word(const char *p, char word[32])
{
    size_t n = 0;
    p = skip_blank(p + (*p == '#' ? 1 : *p == '%' ? 2 : 3));
    for (p = skip_splices(p); skip_is_word(*p); p = skip_splices(p + 1))
        if (n < 31) word[n++] = *p;
    word[n] = '\0';
    return p;
}

static bool inside(const char *real, const char *folder)
{
    char root[PATH_MAX];
    if (!realpath(folder, root)) return false;
    const size_t n = strlen(root);
    return strncmp(real, root, n) == 0 && (real[n] == '/' || n == 1);
}

static bool may_read(const struct include_work *w, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) return false;
    bool good = inside(real, w->folder);
    for (size_t i = 0; folders[i]; i++) good |= inside(real, folders[i]);
    return good;
}

static const char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path)) : ".";
}

// Without the `x/../` and `./` in it, where that is the same file: a header has one name, by whatever way it is
// reached. What is named from the kernel's folder stays so.
static const char *plain_path(const struct include_work *w, const char *path)
{
    char *const plain = arena_strdup(w->arena, path);
    char real[PATH_MAX], other[PATH_MAX];
    const size_t n = strlen(w->folder);
    for (char *p; (p = strstr(plain, "/./"));) memmove(p, p + 2, strlen(p + 2) + 1);
    for (char *p = plain, *from; (p = strstr(p, "/../"));) {
        for (from = p; from > plain && from[-1] != '/';) from--;
        if (from == p || strncmp(from, "../", 3) == 0 || strncmp(from, "./", 2) == 0) p += 3;
        else memmove(from, p + 4, strlen(p + 4) + 1), p = from > plain ? from - 1 : from;
    }
    if (strncmp(path, w->folder, n) == 0 && strncmp(plain, w->folder, n) != 0) return path;
    return realpath(path, real) && realpath(plain, other) && strcmp(real, other) == 0 ? plain : path;
}

// Where the file of that name is: beside the file that includes it, beside the kernel, among what ships, in a folder
// that the user named. `barred`: the file is, or by its name would be, in a place that may not be read.
static const char *find(const struct include_work *w, const struct includer *by, const char *name, bool quoted,
    bool *barred)
{
    const char *tries[MOST_FOLDERS + 2], *found = NULL;
    size_t n = 0;
    if (quoted && *name != '/') {
        tries[n++] = folder_of(w->arena, by->file);
        tries[n++] = w->folder;
    }
    for (size_t i = 0; folders[i]; i++) tries[n++] = folders[i];
    *barred = *name == '/';
    for (const char *p = name; (p = strstr(p, "..")); p += 2)
        *barred |= (p == name || p[-1] == '/') && (p[2] == '/' || !p[2]);
    if (*name == '/' && may_read(w, name) && file_exists(name)) return arena_strdup(w->arena, name);
    for (size_t i = 0; i < n && !found && *name != '/'; i++) {
        const char *path = plain_path(w, arena_printf(w->arena, "%s/%s", tries[i], name));
        if (!file_exists(path)) continue;
        if (may_read(w, path)) found = path;
        else *barred = true;
    }
    LOCAL(mem_drop) char *shipped = quoted && !found && !strchr(name, '/') ? file_find("kernels", name, "") : NULL;
    if (shipped) found = arena_strdup(w->arena, shipped);
    return found;
}

static bool complain(struct include_work *w, const struct includer *by, const char *at, const char *hint,
    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
static bool complain(struct include_work *w, const struct includer *by, const char *at, const char *hint,
    const char *fmt, ...)
{
    struct node_source *in = node_source_new(w->arena, by->file, by->text, strlen(by->text));
    STR_FORMATTED(what, fmt);
    diag_user(w->diags, node_source_at(in, (size_t)(at - by->text)), hint, "%s", what.text);
    return false;
}

static void mark(struct include_work *w, size_t line, const char *name)
{
    str_addf(&w->out, "\n#line %zu \"", line);
    for (const char *p = name; *p; p++) {
        if (*p == '"' || *p == '\\') str_add(&w->out, "\\");
        str_add_bytes(&w->out, p, 1);
    }
    str_add(&w->out, "\"\n");
}

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

// The name in `#line`: relative to the kernel's folder if it is there.
static const char *shown_name(const struct include_work *w, const char *path)
{
    const size_t n = strlen(w->folder);
    if (strncmp(path, w->folder, n) != 0 || path[n] != '/') return path;
    path += n + 1;
    while (strncmp(path, "./", 2) == 0) path += 2;
    return path;
}

// `#pragma once` in a file that replaces its include becomes a guard around it.
static bool is_once(const char *text)
{
    char word[32];
    for (const char *at = text, *p; (at = next_directive(at, at == text)); at = skip_directive(p)) {
        p = directive_word(at, word);
        if (strcmp(word, "pragma") == 0 && strncmp(skip_blank(p), "once", 4) == 0) return true;
    }
    return false;
}

// Is the word of `#include WORD(x)` a macro for headers of the system, `#define WORD(x) <cuda/std/x>`? Which of them is
// the compiler's to find; no file of others can be named so.
static bool macro_in(const char *text, const char *use)
{
    const size_t n = (size_t)(skip_word(use) - use), line = strcspn(use, "\n");
    if (memchr(use, '"', line) || memchr(use, '/', line) || memmem(use, line, "..", 2)) return false;
    char word[32];
    for (const char *at = text, *p; at && (at = next_directive(at, at == text)); at = skip_directive(p)) {
        p = directive_word(at, word);
        const char *name = skip_blank(p), *body = name + n;
        if (strcmp(word, "define") != 0 || strncmp(name, use, n) != 0 || skip_is_word(*body)) continue;
        if (*body == '(') body += strcspn(body, ")\n") + 1;
        body = skip_blank(body);
        return body[0] == '<' && body[1] != '/' && !memmem(body, strcspn(body, "\n"), "..", 2);
    }
    return false;
}

// The file that an include names, `p` after that word. NULL: it is left to the compiler, or `*good` is false.
static const char *target(struct include_work *w, const struct includer *by, const char *at, const char *p, bool *good)
{
    const char *from = skip_blank(p), *path;
    const char close = *from == '"' ? '"' : '>';
    const size_t n = *from == '"' || *from == '<' ? strcspn(from + 1, close == '"' ? "\"\n" : ">\n") : 0;
    bool barred;
    if (skip_is_word(*from) && (macro_in(w->out.text, from) || macro_in(by->text, from))) return NULL;
    if (!n || from[1 + n] != close) {
        *good = complain(w, by, at, "#include \"helper.h\"", "an include names its file in quotes or brackets");
        return NULL;
    }
    const char *name = arena_strndup(w->arena, from + 1, n);
    if ((path = find(w, by, name, close == '"', &barred)) || !barred) return path;
    const char *of = arena_printf(w->arena, "%s/%s", folder_of(w->arena, by->file), name);
    *good = complain(w, by, at,
        arena_printf(w->arena, "--allow-include %s lets kernels include files from there",
            folder_of(w->arena, plain_path(w, *name == '/' ? name : of))),
        "`%s` is outside the kernel's folder", name);
    return NULL;
}

static void take(struct include_work *w, const char *real)
{
    mem_grow(&w->taken, &w->room, w->count + 1, sizeof *w->taken);
    w->taken[w->count++] = arena_strdup(w->arena, real);
}

static bool expand(struct include_work *w, const struct includer *file);

static bool ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

bool include_is_made(const char *path)
{
    return ends_with(path, ".ptx") || ends_with(path, ".cubin") || ends_with(path, ".fatbin");
}

bool include_line(const char *mark, const char **p, const char **line, size_t *n)
{
    const char *at = strstr(*p, mark);
    while (at && (at == *p || at[-1] != '\n')) at = strstr(at + 1, mark);
    if (!at) return false;
    *line = at + strlen(mark);
    *n = strcspn(*line, "\n");
    *p = *line + *n;
    return true;
}

bool include_made_has(const char *source, const char *entry)
{
    const char *line, *p = source;
    size_t n;
    if (include_line(INCLUDE_MACHINE, &p, &line, &n)) return !source_has_word(source, entry);
    while (include_line(INCLUDE_PTX, &source, &line, &n)) {
        const char *at = memmem(line, n, ".entry", 6);
        if (!at) continue;
        at += 6 + strspn(at + 6, " \t");
        if (strncmp(at, entry, strlen(entry)) == 0 && strchr(" \t\r\n(", at[strlen(entry)])) return true;
    }
    return false;
}

// PTX is no C++: it is kept as comments.
static bool add_ptx(struct include_work *w, const char *text)
{
    for (const char *p = text; *p; p += *p == '\n') {
        str_addf(&w->out, "\n" INCLUDE_PTX "%.*s", (int)strcspn(p, "\r\n"), p);
        p += strcspn(p, "\n");
    }
    return true;
}

// Nor is machine code.
static bool add_machine(struct include_work *w, const char *path)
{
    enum { LINE = 48 };
    size_t size;
    LOCAL(mem_drop) char *bytes = file_read_named(path, "a part of a kernel", HEADERS, MOST_BYTES, &size, w->diags);
    for (size_t i = 0; bytes && i < size; i++)
        str_addf(&w->out, "%s%02x", i % LINE ? "" : "\n" INCLUDE_MACHINE, (unsigned char)bytes[i]);
    if (bytes) str_add(&w->out, "\n");
    return bytes;
}

// Is it a header of a Toolkit?
static bool of_toolkit(const char *real)
{
    char folder[PATH_MAX], file[PATH_MAX + 32];
    snprintf(folder, sizeof folder, "%s", real);
    for (char *end; (end = strrchr(folder, '/'));) {
        *end = '\0';
        snprintf(file, sizeof file, "%s/cuda_runtime.h", folder);
        if (file_exists(file)) return true;
    }
    return false;
}

// The text of a file stands where it is included first. Each place behind that names it, and the compiler looks
// whether it brings anything there.
static bool include(struct include_work *w, const struct includer *by, const char *at, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) return true;
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->taken[i], real) != 0) continue;
        if (i && !include_is_made(path)) str_addf(&w->out, "\n" INCLUDE_AGAIN "%zu\"", i);
        return true; // the kernel's own file has a guard, and would bring nothing
    }
    const size_t number = w->count;
    take(w, real);
    if (by->depth >= MOST_DEPTH) return complain(w, by, at, NULL, "includes are more than %d deep", MOST_DEPTH);
    if (include_is_made(path) && !ends_with(path, ".ptx")) return add_machine(w, path);
    char *text = file_read_named(path, "a part of a kernel", HEADERS, MOST_BYTES, NULL, w->diags);
    if (!text) return false;
    source_without_mark(text);
    const struct includer file = {path, shown_name(w, path), arena_strdup(w->arena, text), by->depth + 1};
    free(text);
    if (ends_with(path, ".ptx")) return add_ptx(w, file.text);
    if (of_toolkit(real)) { // the compiler's own headers include it too: it reads the file, and we the names in it
        str_addf(&w->out, "\n#include \"%s\"\n#if 0\n", path);
        mark(w, 1, file.name);
        str_addf(&w->out, "%s\n#endif\n", file.text);
        return true;
    }
    const bool once = is_once(file.text);
    str_addf(&w->out, "\n" INCLUDE_FILE "%zu", number);
    if (once) { // no lines of the file that includes it
        mark(w, 1, "once");
        str_addf(&w->out, "#ifndef GPUEXP_ONCE_%zu\n#define GPUEXP_ONCE_%zu\n", number, number);
    }
    mark(w, 1, file.name);
    if (!expand(w, &file)) return false;
    str_addf(&w->out, "%s\n" INCLUDE_END, once ? "\n#endif" : "");
    if (w->out.size <= MOST_TEXT) return true;
    return complain(w, by, at, NULL, "the kernel with what it includes is larger than %d bytes", MOST_TEXT);
}

static bool expand(struct include_work *w, const struct includer *file)
{
    const char *kept = file->text; // what is before it stands in `out`
    bool good = true;
    for (const char *at = file->text, *end; good && (at = next_directive(at, at == file->text)); at = end) {
        char word[32];
        const char *p = directive_word(at, word), *path = NULL;
        end = skip_directive(p);
        const bool next = strcmp(word, "include_next") == 0;
        if (next || strcmp(word, "import") == 0 || strcmp(word, "embed") == 0)
            good = complain(w, file, at,
                next ? "a folder of the system's headers need not be allowed: nvcc has them" : NULL,
                "`#%s` is not for kernels", word);
        else if (strcmp(word, "include") == 0) path = target(w, file, at, p, &good);
        if (!path) continue;
        str_add_bytes(&w->out, kept, (size_t)(at - kept));
        good = include(w, file, at, path);
        mark(w, line_of(file->text, end) + 1, file->name);
        kept = *end ? end + 1 : end;
    }
    str_add(&w->out, kept);
    return good;
}

const char *include_find(const char *path, const char *name, struct arena *a)
{
    struct include_work w = {.folder = folder_of(a, path), .arena = a};
    const struct includer by = {path, path, "", 0};
    bool barred;
    const char *found = find(&w, &by, name, true, &barred);
    if (found && !may_read(&w, found)) found = NULL; // shipped kernels are no data
    return found;
}

const char *include_expand(const char *path, const char *text, struct arena *a, struct diags *d)
{
    struct include_work w = {.folder = folder_of(a, path), .arena = a, .diags = d};
    char real[PATH_MAX];
    take(&w, realpath(path, real) ? real : "");
    const bool good = expand(&w, &(struct includer){path, path, text, 0});
    const char *expanded = good ? strcmp(w.out.text, text) == 0 ? text : arena_strdup(a, w.out.text) : NULL;
    str_release(&w.out);
    free(w.taken);
    return expanded;
}

// The name in `#line 12 "file"` at `p`.
static const char *marked_name(const char *p, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    for (p = strchr(p, '"') + 1; *p && *p != '"' && *p != '\n'; p++) {
        p += *p == '\\' && p[1];
        str_add_bytes(&s, p, 1);
    }
    return arena_strdup(a, s.text ? s.text : "");
}

struct where include_where(const char *path, const char *source, size_t byte, struct arena *a)
{
    const char *p = source, *marked = NULL;
    int line = 1;
    for (size_t length; (length = strcspn(p, "\n")), p + length < source + byte && p[length]; p += length + 1) {
        const bool is_mark = strncmp(p, "#line ", 6) == 0 && isdigit((unsigned char)p[6]);
        line = is_mark ? atoi(p + 6) : line + 1;
        if (is_mark && memchr(p, '"', length)) marked = p;
    }
    const char *name = marked ? marked_name(marked, a) : path;
    const char *folder = folder_of(a, path);
    if (strcmp(name, path) != 0 && *name != '/' && strcmp(folder, ".") != 0)
        name = arena_printf(a, "%s/%s", folder, name);
    const size_t n = strcspn(p, "\n"), column = (size_t)(source + byte - p);
    return (struct where){.file = name,
        .line = line,
        .column = (int)column + 1,
        .width = 1,
        .source = n < 4096 ? arena_strndup(a, p, n) : NULL};
}

// The number behind the mark at `p`; 0: there is no such mark.
static size_t numbered(const char *p, const char *mark)
{
    const size_t n = strncmp(p, mark, strlen(mark)) == 0 ? strtoul(p + strlen(mark), NULL, 10) : 0;
    return n <= MOST_FILES ? n : 0;
}

void include_split(const char *source, struct include_parts *all)
{
    size_t open[MOST_DEPTH + 2] = {0}, depth = 0, n, room = 0;
    *all = (struct include_parts){.count = 1};
    for (const char *p = source; (p = strstr(p, "#gpuexp ")); p++)
        if ((n = numbered(p, INCLUDE_FILE)) >= all->count) all->count = n + 1;
    mem_grow(&all->items, &room, all->count, sizeof *all->items);
    memset(all->items, 0, all->count * sizeof *all->items);
    all->items->again = true;
    for (const char *p = source; (p = strstr(p, INCLUDE_AGAIN)); p++)
        if ((n = numbered(p, INCLUDE_AGAIN)) < all->count) all->items[n].again = true;
    for (const char *p = source; *p; p += n) {
        n = strcspn(p, "\n");
        n += p[n] == '\n';
        struct str *const to = &all->items[open[depth]].text;
        const size_t number = numbered(p, INCLUDE_FILE);
        if (number && depth <= MOST_DEPTH) {
            const bool again = all->items[number].again;
            if (again) str_addf(to, INCLUDE_AGAIN "%zu\"\n", number);
            open[depth + 1] = again ? number : open[depth];
            depth++;
        } else if (strncmp(p, INCLUDE_END, strlen(INCLUDE_END)) == 0 && depth) {
            depth--;
        } else {
            str_add_bytes(to, p, n);
        }
    }
}

void include_parts_release(struct include_parts *all)
{
    for (size_t i = 0; i < all->count; i++) str_release(&all->items[i].text);
    free(all->items);
    *all = (struct include_parts){0};
}
