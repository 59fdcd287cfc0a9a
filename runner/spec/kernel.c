// Finds, reads and checks kernel files.
// SPDX-License-Identifier: MIT
#include "spec/kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "spec/describe.h"
#include "spec/guess.h"
#include "spec/include.h"
#include "spec/source.h"
#include "spec/yaml.h"

// The text with everything before the description replaced by blanks, so that YAML counts lines and columns as the user
// does.
static char *blanked(const char *text, size_t start, size_t end, struct arena *a)
{
    char *yaml = arena_strndup(a, text, end);
    for (size_t i = 0; i < start; i++)
        if (yaml[i] != '\n' && yaml[i] != '\r') yaml[i] = ' ';
    return yaml;
}

static const char *stem(const char *path, struct arena *a)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_strndup(a, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

// Says what was taken for granted, in one line that can be copied.
static bool read_guess(struct kernel *k, const char *yaml, struct diags *d)
{
    struct node_source *in = node_source_new(k->arena, k->path, yaml, strlen(yaml));
    struct yaml_documents docs;
    const struct node *entry = NULL;
    const size_t errors = diags_errors(d);
    if (!yaml_read(in, yaml, strlen(yaml), &docs, d) || !docs.count) return false;
    describe_read(k, docs.items[0].root, &entry, d);
    match_source(k, entry, d);
    LOCAL(str_release) struct str said = {0};
    for (const char *line = yaml; *line; line += strcspn(line, "\n") + 1) {
        const int n = (int)strcspn(line, "\n");
        if (strncmp(line, "about", 5) != 0) str_addf(&said, "%s%.*s", said.size ? "\n  " : "", n, line);
    }
    if (source_has_word(k->source, "main")) str_add(&said, "\nwith `host: main` its own program launches instead");
    diag_add(d, DIAG_WARNING, (struct where){.file = k->path}, said.text,
        "has no description, so one is guessed; `-s` asks for other sizes, `block` or `grid`");
    return diags_errors(d) == errors;
}

static bool read_all(struct kernel *k, const char *text, size_t size, struct diags *d)
{
    struct node_source *in = node_source_new(k->arena, k->path, text, size);
    struct yaml_documents docs;
    const struct node *entry = NULL;
    size_t start, end, errors = diags_errors(d);
    const char *why = NULL, *guess = source_described(text) ? NULL : guess_description(text, &why, k->arena);
    if (guess && !memchr(text, '\0', size)) return read_guess(k, guess, d);
    if (!source_description(text, &start, &end))
        return diag_user(d, (struct where){.file = k->path},
            "it says in YAML what the kernel is: about, params, buffers, threads",
            "has no description (a comment between /* and */), and none can be guessed: %s", why);
    if (memchr(text, '\0', size))
        return diag_user(d, node_source_at(in, strlen(text)), NULL, "contains a NUL byte: it is not source text");
    bool good = yaml_read(in, blanked(text, start, end, k->arena), end, &docs, d);
    if (docs.count > 1) good = node_complain(d, docs.items[1].root, NULL, "a kernel has one description");
    if (!docs.count && good) good = node_complain_at(d, node_source_at(in, start), NULL, "the description is empty");
    if (docs.count && docs.items[0].root->kind != NODE_MAP)
        good = node_complain(d, docs.items[0].root, NULL,
            "no comment is a description: one has `about:`, `params:`, `buffers:`, `threads:`");
    else if (docs.count && !docs.items[0].broken) {
        describe_read(k, docs.items[0].root, &entry, d);
        match_source(k, entry, d);
    }
    return good && diags_errors(d) == errors;
}

static struct kernel *parse(const char *path, const char *text, size_t size, struct diags *d)
{
    if (size > YAML_MOST_BYTES) {
        diag_user(d, (struct where){.file = path}, NULL, "is too large: %zu bytes, at most %d are read", size,
            YAML_MOST_BYTES);
        return NULL;
    }
    struct arena *a = arena_new();
    struct kernel *k = arena_alloc(a, sizeof *k);
    k->arena = a;
    k->path = arena_strdup(a, path);
    k->name = stem(path, a);
    k->text = arena_strndup(a, text, size);
    k->source = include_expand(k->path, k->text, a, d);
    if (k->source && read_all(k, k->text, size, d)) return k;
    kernel_free(k);
    return NULL;
}

struct kernel *kernel_parse(const char *path, const char *text, struct diags *d)
{
    return parse(path, text, strlen(text), d);
}

static void not_found(const char *name, struct diags *d)
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    LOCAL(arena_drop) struct arena *a = arena_new();
    diag_user(d, (struct where){0}, node_suggestion(name, (const char *const *)names, a),
        strchr(name, '/') ? "no such file: %s" : "unknown kernel `%s`", name);
}

// What another compiler has made is described by the `.cu` beside it, which need not include it: `path` becomes that.
static bool find_description(char *path, struct str *include, struct diags *d)
{
    const char *slash = strrchr(path, '/'), *made = slash ? slash + 1 : path;
    if (!include_is_made(path)) return true;
    LOCAL(mem_drop) char *file = strdup(path);
    str_addf(include, "\n#include \"%s\"\n", made);
    strcpy(strrchr(path, '.'), ".cu");
    return file_exists(path) ||
        diag_user(d, (struct where){.file = file},
            "in a comment: params, buffers, threads, `arguments: {1: in, 2: out, 3: n}` by their places, entry",
            "its description stands beside it, in %s, which is not there", path);
}

struct kernel *kernel_load(const char *name_or_path, struct diags *d)
{
    size_t size;
    char *path = file_find("kernels", name_or_path, ".cu"), *text = NULL;
    struct kernel *k = NULL;
    LOCAL(str_release) struct str include = {0};
    if (!path) return not_found(name_or_path, d), NULL;
    if (find_description(path, &include, d)) text = file_read_named(path, "a kernel", ".cu", YAML_MOST_BYTES, &size, d);
    if (text) {
        text = mem_resize(text, size + include.size + 1);
        memcpy(text + size, include.size ? include.text : "", include.size + 1);
        source_without_mark(text);
        k = parse(path, text, size + include.size, d);
    }
    free(text);
    free(path);
    return k;
}

void kernel_free(struct kernel *k)
{
    if (k) arena_free(k->arena);
}

const struct param *kernel_param(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->param_count; i++)
        if (strcmp(k->params[i].name, name) == 0) return &k->params[i];
    return NULL;
}

const struct buffer *kernel_buffer(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->buffer_count; i++)
        if (strcmp(k->buffers[i].name, name) == 0) return &k->buffers[i];
    return NULL;
}

const struct buffer *kernel_pitch(const struct kernel *k, const char *name, bool *slice)
{
    for (size_t i = 0; i < k->buffer_count; i++) {
        const struct buffer *b = &k->buffers[i];
        const size_t n = strlen(b->name);
        const char *part = strncmp(name, b->name, n) == 0 && name[n] == '_' ? name + n + 1 : name;
        *slice = strcmp(part, "slice") == 0;
        if (b->rows.text && (strcmp(part, "pitch") == 0 || (*slice && b->planes.text))) return b;
    }
    return NULL;
}

const struct param *kernel_param_as(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->param_count; i++)
        if (strcmp(k->params[i].as, name) == 0) return &k->params[i];
    return kernel_param(k, name);
}

const struct buffer *kernel_buffer_as(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->buffer_count; i++)
        if (strcmp(k->buffers[i].as, name) == 0) return &k->buffers[i];
    return kernel_buffer(k, name);
}

bool kernel_expects(const struct function *check) { return strncmp(check->name, "expected", strlen("expected")) == 0; }

const struct function *kernel_check(const struct kernel *k, const char *variant)
{
    for (size_t i = 0; variant && i < k->checks_of_count; i++)
        if (strcmp(strchr(k->checks_of[i].name, '_') + 1, variant) == 0) return &k->checks_of[i];
    return k->check && (k->expect_count || !strchr(k->check->name, '_')) ? k->check : NULL;
}

const struct passed *kernel_passed(const struct kernel *k, const char *name)
{
    for (size_t i = 0; i < k->passed_count; i++)
        if (strcmp(k->passed[i].name, name) == 0) return &k->passed[i];
    return NULL;
}

bool kernel_takes(const struct kernel *k, const char *name)
{
    for (size_t f = 0; f < k->function_count; f++)
        for (size_t i = 0; i < k->functions[f].count; i++)
            if (strcmp(k->functions[f].arguments[i].name, name) == 0) return true;
    return false;
}

const char *kernel_stem(const char *entry, size_t *n)
{
    size_t end = strlen(entry), depth = 0;
    while (end && entry[end - 1] == ' ') end--;
    if (end && entry[end - 1] == '>') // of an instance: before its arguments
        do {
            end--;
            depth += entry[end] == '>' && !(end && entry[end - 1] == '-');
            depth -= entry[end] == '<' && depth;
        } while (end && depth);
    while (end && entry[end - 1] == ' ') end--;
    size_t from = end;
    while (from && skip_is_word(entry[from - 1])) from--;
    *n = end - from;
    return entry + from;
}

const char *kernel_instance(const struct function *f, const char *entry, const char *word, size_t n, struct arena *a)
{
    size_t length;
    const char *open = strchr(kernel_stem(entry, &length), '<'), *from = open ? open + 1 : NULL;
    for (size_t i = 0; i < f->param_count; i++) {
        const char *end = from;
        for (int depth = 0; end && *end && (depth || (*end != ',' && *end != '>')); end++)
            depth += (*end == '<') - (*end == '>');
        const char *given = from && end > from ? arena_strndup(a, from, (size_t)(end - from)) : f->params[i].fallback;
        if (given && strlen(f->params[i].name) == n && strncmp(f->params[i].name, word, n) == 0) return given;
        from = end && *end == ',' ? end + 1 + strspn(end + 1, " ") : NULL;
    }
    return NULL;
}

const struct function *kernel_function(const struct kernel *k, const char *name)
{
    size_t n;
    const char *stem = kernel_stem(name, &n);
    for (size_t i = 0; i < k->function_count; i++)
        if (strlen(k->functions[i].name) == n && strncmp(k->functions[i].name, stem, n) == 0) return &k->functions[i];
    return NULL;
}
