// Places, look-ups and complaints for trees of nodes.
// SPDX-License-Identifier: MIT
#include "spec/node.h"

#include "base/str.h"

#include <string.h>

enum { FAR = 10000 }; // after this column a line is neither kept nor shown

// The length of a line break as libyaml sees one (CR, LF, CR LF, NEL, LS, PS), 0 where there is none.
static size_t line_break(const char *p, const char *end)
{
    const unsigned char *u = (const unsigned char *)p;
    if (*u == '\r' && end - p > 1 && u[1] == '\n') return 2;
    if (*u == '\r' || *u == '\n') return 1;
    if (*u == 0xc2 && end - p > 1 && u[1] == 0x85) return 2;
    return *u == 0xe2 && end - p > 2 && u[1] == 0x80 && (u[2] == 0xa8 || u[2] == 0xa9) ? 3 : 0;
}

struct node_source *node_source_new(struct arena *a, const char *file, const char *text, size_t size)
{
    struct node_source *s = arena_alloc(a, sizeof *s);
    const char *end = text + size;
    size_t lines = 1;
    for (const char *p = text; p < end;) {
        size_t n = line_break(p, end);
        lines += n > 0;
        p += n ? n : 1;
    }
    *s = (struct node_source){
        .file = arena_strdup(a, file), .text = arena_strndup(a, text, size), .size = size, .arena = a};
    s->starts = arena_alloc(a, (lines + 1) * sizeof *s->starts);
    s->lines = arena_alloc(a, lines * sizeof *s->lines);
    s->line_count = lines;
    lines = 0;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) s->starts[0] = 3; // a byte order mark is not a column
    for (const char *p = text; p < end;) {
        size_t n = line_break(p, end);
        p += n ? n : 1;
        if (n) s->starts[++lines] = (uint32_t)(p - text);
    }
    s->starts[lines + 1] = (uint32_t)size;
    return s;
}

static const char *line_text(struct node_source *s, size_t line)
{
    if (!s->lines[line]) {
        const char *p = s->text + s->starts[line], *last = s->text + s->starts[line + 1], *end = p;
        while (end < last && end - p < FAR + 200 && !line_break(end, last)) end++;
        s->lines[line] = arena_strndup(s->arena, p, (size_t)(end - p));
    }
    return s->lines[line];
}

// How many bytes `n` characters from `p` on have.
static size_t bytes_of(const char *p, size_t n)
{
    const char *q = p;
    while (n-- && *q) do
            q++;
        while (((unsigned char)*q & 0xc0) == 0x80);
    return (size_t)(q - p);
}

struct where node_source_where(struct node_source *s, size_t line, size_t column, size_t width)
{
    if (line >= s->line_count) return node_source_at(s, s->size);
    struct where at = {.file = s->file, .line = (int)line + 1, .column = (int)column + 1, .width = (int)width};
    if (column > FAR) return at;
    at.source = line_text(s, line);
    size_t before = bytes_of(at.source, column);
    at.column = (int)before + 1;
    at.width = (int)bytes_of(at.source + before, width);
    if (!at.width) at.width = 1;
    return at;
}

struct where node_source_at(struct node_source *s, size_t byte)
{
    size_t low = 0, high = s->line_count;
    if (byte > s->size) byte = s->size;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (s->starts[middle] <= byte) low = middle;
        else high = middle;
    }
    size_t column = byte - s->starts[low];
    return (struct where){.file = s->file,
        .line = (int)low + 1,
        .column = (int)column + 1,
        .width = 1,
        .source = column > FAR ? NULL : line_text(s, low)};
}

struct where node_where(const struct node *n) { return node_source_where(n->in, n->line, n->column, n->width); }

struct where node_where_text(const struct node *n)
{
    if (n->style == NODE_QUOTED)
        return node_source_where(n->in, n->line, n->column + 1, n->width > 2 ? n->width - 2 : 1);
    if (n->style != NODE_BLOCK || n->line + 1 >= n->in->line_count) return node_where(n);
    const char *line = line_text(n->in, n->line + 1);
    size_t indent = strspn(line, " ");
    return node_source_where(n->in, n->line + 1, indent, strlen(line) - indent);
}

// A mistake that an alias repeats, or that `-s` puts into several documents, is reported once.
static bool said_already(const struct diags *d, struct where at, const char *what)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *e = &d->items[i];
        if (e->at.line == at.line && e->at.column == at.column && strcmp(e->what, what) == 0 &&
            strcmp(e->at.file ? e->at.file : "", at.file ? at.file : "") == 0)
            return true;
    }
    return false;
}

static bool complain(struct diags *d, struct where at, const char *hint, const char *fmt, va_list args)
{
    if (d->count > NODE_MOST_COMPLAINTS) return false;
    if (d->count == NODE_MOST_COMPLAINTS)
        return diag_user(d, (struct where){.file = at.file}, NULL, "has more mistakes than are shown at once");
    LOCAL(str_release) struct str what = {0};
    str_vaddf(&what, fmt, args);
    if (!said_already(d, at, what.text)) diag_user(d, at, hint, "%s", what.text);
    return false;
}

bool node_complain(struct diags *d, const struct node *n, const char *hint, const char *fmt, ...)
{
    va_list args;
    if (d->count > NODE_MOST_COMPLAINTS) return false; // finding the place takes time
    va_start(args, fmt);
    complain(d, node_where(n), hint, fmt, args);
    va_end(args);
    return false;
}

bool node_complain_at(struct diags *d, struct where at, const char *hint, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    complain(d, at, hint, fmt, args);
    va_end(args);
    return false;
}

static size_t find(const struct node *map, const char *key)
{
    if (!map || map->kind != NODE_MAP) return SIZE_MAX;
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0) return i;
    return SIZE_MAX;
}

struct node *node_get(const struct node *map, const char *key)
{
    size_t i = find(map, key);
    return i == SIZE_MAX ? NULL : map->items[i];
}

struct node *node_key(const struct node *map, const char *key)
{
    size_t i = find(map, key);
    return i == SIZE_MAX ? NULL : map->keys[i];
}

static struct node *copy(const struct node *map, struct arena *a)
{
    struct node *n = arena_copy(a, map, sizeof *n);
    n->keys = arena_alloc(a, (map->count + 1) * sizeof *n->keys);
    n->items = arena_alloc(a, (map->count + 1) * sizeof *n->items);
    if (!map->count) return n;
    memcpy(n->keys, map->keys, map->count * sizeof *n->keys);
    memcpy(n->items, map->items, map->count * sizeof *n->items);
    return n;
}

struct node *node_with(const struct node *map, struct node *key, struct node *item, struct arena *a)
{
    struct node *n = copy(map, a);
    size_t i = find(map, key->text);
    if (i == SIZE_MAX) i = n->count++;
    n->keys[i] = key;
    n->items[i] = item;
    return n;
}

struct node *node_without(const struct node *map, const char *key, struct arena *a)
{
    struct node *n = copy(map, a);
    size_t i = find(map, key);
    if (i == SIZE_MAX) return n;
    n->count--;
    memmove(n->keys + i, n->keys + i + 1, (n->count - i) * sizeof *n->keys);
    memmove(n->items + i, n->items + i + 1, (n->count - i) * sizeof *n->items);
    return n;
}

const char *node_kind_name(const struct node *n)
{
    return n->kind == NODE_LIST ? "a list" : n->kind == NODE_MAP ? "a mapping" : node_is_empty(n) ? "nothing" : "text";
}

bool node_is_empty(const struct node *n)
{
    return n->kind == NODE_TEXT && n->style == NODE_PLAIN &&
        (!*n->text || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

const char *node_text(const struct node *n, const char *what, const char *wanted, struct diags *d)
{
    if (n->kind == NODE_TEXT && *n->text && !node_is_empty(n)) return n->text;
    node_complain(d, n, NULL, "`%s` takes %s, not %s", what, wanted, node_kind_name(n));
    return NULL;
}

bool node_check_keys(const struct node *map, const struct mapping *allowed, struct diags *d)
{
    bool good = true;
    const char *names[WORDS_MOST];
    words_names(allowed, names);
    LOCAL(arena_drop) struct arena *a = arena_new();
    for (size_t i = 0; i < map->count && d->count <= NODE_MOST_COMPLAINTS; i++) {
        const char *key = map->keys[i]->text, *split = strchr(key, ' ') && node_is_empty(map->items[i]) ? key : NULL;
        if (!words_find(allowed, key))
            good = node_complain(d, map->keys[i],
                split ? "put text with a comma in it in quotes" : node_suggestion(key, names, a),
                "unknown key `%s` in %s", key, allowed->of);
    }
    return good;
}

const struct node *node_section(const struct node *map, const char *key, const struct mapping *of, size_t most,
    struct diags *d)
{
    const struct node *n = node_get(map, key);
    const struct word *w = words_find(of, key);
    char hint[160];
    if (!n || node_is_empty(n)) return NULL;
    snprintf(hint, sizeof hint, "%s: %s", key, w->example);
    if (n->kind != NODE_MAP)
        return node_complain(d, n, hint, "`%s` takes a mapping, not %s", key, node_kind_name(n)), NULL;
    if (n->count > most) return node_complain(d, n, NULL, "`%s` has more than %zu entries", key, most), NULL;
    if (w->is->map) node_check_keys(n, w->is->map, d);
    return n;
}

int node_choice(const struct node *n, const char *key, const struct mapping *map, struct diags *d)
{
    const struct word *w = words_find(map, key);
    const char *text = n ? node_text(n, key, w->takes, d) : NULL, *words[CHOICES_MOST];
    const int found = text ? choice_find(w->is->choices, text) : -1;
    if (!text || found >= 0) return found;
    LOCAL(arena_drop) struct arena *a = arena_new();
    choice_words(w->is->choices, words);
    node_complain(d, n, node_suggestion(text, words, a), "`%s` takes %s, not `%.60s`", key, w->takes, text);
    return -1;
}

// What others call it: a word of another tool, and what says the same here.
const char *node_elsewhere(const char *word)
{
    static const struct {
        const char *words, *hint;
    } all[] = {
        {" repetitions repeats repeat iterations runs trials samples ", "`measure: {min_samples: 30}` says how often"},
        {" warmups warm_up ", "`measure: {warmup: 1}` says how often"},
        {" range values parameters matrix params axis axes vary ", "`sweep: {n: [1, 2, 4]}` gives values to try"},
        {" args arguments config settings ", "`with: {n: 1Mi}` gives values that all points have"},
        {" pow power ", "`2^n` is a power"},
        {" assert asserts check checks ", "`expect: [ld_sectors == n / 8]` says what must hold"},
        {" blockSize block_size threads_per_block blockDim ", "`block: 256` is the setting"},
        {" gridSize grid_size gridDim blocks ", "`grid: 1024` is the setting"},
        {" name title ", "`experiment: NAME` names it"},
        {" description about ", "`question: ...?` says what it asks"},
    };
    LOCAL(str_release) struct str s = {0};
    const char *hint = NULL;
    str_addf(&s, " %s ", word);
    for (size_t i = 0; i < sizeof all / sizeof *all && !hint; i++)
        if (strstr(all[i].words, s.text)) hint = all[i].hint;
    return hint;
}

// Words of this program before its first release, and what says the same now.
const char *node_renamed(const char *word, struct arena *a)
{
    static const char *const all[][2] = {{"on", "for: {sim: {n: 1Mi}}"}, {"window", "window: {buffer: in}"},
        {"hitRatio", "window: {ratio: 0.5}"}, {"hitProp", "window: {hits: persisting}"},
        {"missProp", "window: {misses: streaming}"}, {"numBytes", "window: {bytes: 4MiB}"},
        {"addressMode", "texture: {address: wrap}"}, {"filterMode", "texture: {filter: linear}"},
        {"normalizedCoords", "texture: {normalized: true}"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(word, all[i][0]) == 0) return arena_printf(a, "it is written `%s`", all[i][1]);
    return NULL;
}

const char *node_suggestion(const char *word, const char *const *words, struct arena *a)
{
    const char *now = node_renamed(word, a);
    if (now) return now;
    const char *nearest = str_nearest(word, words), *elsewhere = node_elsewhere(word);
    if (elsewhere && (!nearest || *nearest != *word)) return elsewhere; // a slip is seldom in the first letter
    if (nearest) return arena_printf(a, "did you mean `%s`?", nearest);
    size_t count = 0;
    LOCAL(str_release) struct str s = {0};
    for (; words[count]; count++) str_addf(&s, "%s%s", count ? ", " : "known: ", words[count]);
    return count && count <= 24 ? arena_strdup(a, s.text) : NULL;
}
