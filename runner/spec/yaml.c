// Turns libyaml's events into nodes. The stack has a limit. An alias shares the node that it names, so that a small
// file can stand for very many nodes: they are counted, and too many are refused. A syntax error ends one document, not
// the file.
// SPDX-License-Identifier: MIT
#include "spec/yaml.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MOST_ANCHORS = 1000, MOST_ALIASED = 100000 };

struct frame { // a list or map that is still open
    struct node *node, *key;
    size_t key_room, item_room;
    bool spoilt_key; // its key was not a name: the item is read and dropped
    bool anchored;
    uint64_t weight; // how many nodes it has, with those of its aliases
};

struct anchor {
    const char *name;
    struct node *node;
    uint64_t weight; // 0 while open
};

struct builder {
    struct node_source *in;
    struct arena *arena;
    struct diags *diags;
    size_t first_line; // of what the parser was given
    struct frame stack[YAML_MOST_DEPTH];
    int depth;
    struct anchor *anchors;
    size_t anchor_count, anchor_room;
    uint64_t aliased;
    struct node *root;
    bool good;
};

static struct node *place(struct builder *b, enum node_kind kind, const yaml_event_t *e)
{
    struct node *n = arena_alloc(b->arena, sizeof *n);
    n->kind = kind;
    n->in = b->in;
    n->line = (uint32_t)(e->start_mark.line + b->first_line);
    n->column = (uint32_t)e->start_mark.column;
    bool one_line = e->start_mark.line == e->end_mark.line && e->end_mark.column > e->start_mark.column;
    n->width = one_line ? (uint32_t)(e->end_mark.column - e->start_mark.column) : 1;
    return n;
}

static void fail(struct builder *b, const struct node *n, const char *what, const char *hint)
{
    b->good = node_complain(b->diags, n, hint, "%s", what);
}

static bool name_anchor(struct builder *b, const yaml_char_t *name, struct node *n)
{
    if (!name) return true;
    if (b->anchor_count == MOST_ANCHORS) {
        fail(b, n, "too many anchors in one document", NULL);
        return false;
    }
    mem_grow(&b->anchors, &b->anchor_room, b->anchor_count + 1, sizeof *b->anchors);
    b->anchors[b->anchor_count++] = (struct anchor){arena_strdup(b->arena, (const char *)name), n, 0};
    return true;
}

// The node is complete: from here on an alias may name it.
static void weigh_anchor(struct builder *b, const struct node *n, uint64_t weight)
{
    for (size_t i = b->anchor_count; i-- > 0;)
        if (b->anchors[i].node == n) b->anchors[i].weight = weight;
}

static int open_brackets(const char *s)
{
    int n = 0;
    for (; *s; s++) n += (*s == '(') - (*s == ')');
    return n;
}

// In [ ] and { } a comma ends a value, also within max(a, b) and 1,2,4. What it cut off is put back, so that there is
// one complaint.
static void mend_cut(struct builder *b, struct node *in)
{
    if (in->count < 2) return;
    struct node *whole = in->items[in->count - 2], *rest = in->items[in->count - 1];
    if (in->kind == NODE_MAP && !node_is_empty(rest)) return;
    if (in->kind == NODE_MAP) rest = in->keys[in->count - 1];
    if (whole->kind != NODE_TEXT || rest->kind != NODE_TEXT || whole->style != NODE_PLAIN ||
        rest->style != NODE_PLAIN || whole->line != rest->line)
        return;
    const bool call = open_brackets(whole->text) > 0;
    const char *const digits = "0123456789";
    if (!call && (in->kind != NODE_MAP || !strspn(whole->text, digits) || !strspn(rest->text, digits))) return;
    whole->text = arena_printf(b->arena, call ? "%s, %s" : "%s,%s", whole->text, rest->text);
    whole->width = rest->column + rest->width - whole->column;
    in->count--;
    if (call && open_brackets(whole->text) == 0)
        fail(b, whole, "a comma ends the value here", arena_printf(b->arena, "put it in quotes: '%s'", whole->text));
}

// Puts a complete node into its place: the document's root, a list's next item, a map's next key or value.
static void put(struct builder *b, struct node *n, uint64_t weight)
{
    if (!b->depth) {
        b->root = n;
        return;
    }
    struct frame *f = &b->stack[b->depth - 1];
    f->weight += weight;
    if (f->node->kind == NODE_MAP && !f->key) {
        f->spoilt_key = n->kind != NODE_TEXT;
        f->key = n;
        if (f->spoilt_key) b->good = node_complain(b->diags, n, NULL, "a key is a name, not %s", node_kind_name(n));
        return;
    }
    if (f->node->kind == NODE_MAP && !f->spoilt_key) {
        mem_grow(&f->node->keys, &f->key_room, f->node->count + 1, sizeof *f->node->keys);
        f->node->keys[f->node->count] = f->key;
    }
    if (!f->spoilt_key) {
        mem_grow(&f->node->items, &f->item_room, f->node->count + 1, sizeof *f->node->items);
        f->node->items[f->node->count++] = n;
        mend_cut(b, f->node);
    }
    f->key = NULL;
    f->spoilt_key = false;
}

// In place of a node that could not be made: its key, or its value, is dropped with it.
static void put_nothing(struct builder *b, struct node *here)
{
    struct frame *f = b->depth ? &b->stack[b->depth - 1] : NULL;
    if (!f || f->node->kind == NODE_LIST) return;
    f->spoilt_key = !f->key;
    f->key = f->key ? NULL : here;
}

static int by_name_then_place(const void *pa, const void *pb)
{
    const struct node *a = *(struct node *const *)pa, *b = *(struct node *const *)pb;
    int c = strcmp(a->text, b->text);
    if (c) return c;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

// Of equal keys the first counts; each later one is complained of, with both places.
static void refuse_duplicates(struct builder *b, struct node *map)
{
    size_t bytes = map->count * sizeof *map->keys;
    if (map->count < 2) return;
    LOCAL(mem_drop) struct node **sorted = mem_alloc(bytes);
    memcpy(sorted, map->keys, bytes);
    qsort(sorted, map->count, sizeof *sorted, by_name_then_place);
    for (size_t i = 1, first = 0; i < map->count; i++) {
        if (strcmp(sorted[i]->text, sorted[first]->text) != 0) {
            first = i;
            continue;
        }
        b->good = node_complain(b->diags, sorted[i], NULL, "key `%s` is given twice; first on line %u, column %u",
            sorted[i]->text, sorted[first]->line + 1, sorted[first]->column + 1);
        sorted[i]->dropped = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++) {
        map->keys[kept] = map->keys[i];
        map->items[kept] = map->items[i];
        kept += !map->keys[i]->dropped;
    }
    map->count = kept;
}

static void check_tag(struct builder *b, const struct node *n, const yaml_char_t *tag)
{
    if (tag && strcmp((const char *)tag, YAML_STR_TAG) != 0 && strcmp((const char *)tag, "!") != 0)
        fail(b, n, "tags are not used here", NULL);
}

static bool open_node(struct builder *b, struct node *n, const yaml_char_t *tag, const yaml_char_t *anchor)
{
    check_tag(b, n, tag);
    if (b->depth == YAML_MOST_DEPTH) {
        fail(b, n, "is nested too deeply: at most 64 levels", NULL);
        return false;
    }
    b->stack[b->depth++] = (struct frame){.node = n, .weight = 1, .anchored = anchor != NULL};
    return name_anchor(b, anchor, n);
}

static void close_node(struct builder *b)
{
    struct frame *f = &b->stack[--b->depth];
    struct node *n = f->node, **keys = n->keys, **items = n->items;
    uint64_t weight = f->weight;
    if (keys) n->keys = arena_copy(b->arena, keys, n->count * sizeof *keys);
    if (items) n->items = arena_copy(b->arena, items, n->count * sizeof *items);
    free(keys);
    free(items);
    if (n->kind == NODE_MAP) refuse_duplicates(b, n);
    if (f->anchored) weigh_anchor(b, n, weight);
    put(b, n, weight);
}

static bool follow_alias(struct builder *b, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;
    struct node *here = place(b, NODE_TEXT, e);
    here->text = "";
    for (size_t i = b->anchor_count; i-- > 0;) {
        const struct anchor *a = &b->anchors[i];
        if (strcmp(a->name, name) != 0) continue;
        if (!a->weight) {
            b->good = node_complain(b->diags, here, NULL, "`*%s` is inside the node that it names: a cycle", name);
            put_nothing(b, here);
            return true;
        }
        b->aliased += a->weight;
        if (b->aliased > MOST_ALIASED) {
            b->good = node_complain(b->diags, here, NULL, "aliases repeat more than %d nodes: too many", MOST_ALIASED);
            return false;
        }
        put(b, a->node, a->weight);
        return true;
    }
    b->good = node_complain(b->diags, here, NULL, "`*%s` names nothing: there is no `&%s` before it", name, name);
    put_nothing(b, here);
    return true;
}

static struct node *scalar(struct builder *b, const yaml_event_t *e)
{
    struct node *n = place(b, NODE_TEXT, e);
    yaml_scalar_style_t style = e->data.scalar.style;
    bool block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    n->style = block ? NODE_BLOCK : style == YAML_PLAIN_SCALAR_STYLE && !e->data.scalar.tag ? NODE_PLAIN : NODE_QUOTED;
    n->text = arena_strndup(b->arena, (const char *)e->data.scalar.value, e->data.scalar.length);
    if (memchr(n->text, '\0', e->data.scalar.length)) fail(b, n, "text may not contain \\0", NULL);
    if (e->data.scalar.tag && style == YAML_PLAIN_SCALAR_STYLE) n->style = NODE_PLAIN;
    check_tag(b, n, e->data.scalar.tag);
    return n;
}

// One event inside a document. False: the document cannot go on.
static bool take(struct builder *b, const yaml_event_t *e)
{
    struct node *n;
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        n = scalar(b, e);
        if (!name_anchor(b, e->data.scalar.anchor, n)) return false;
        if (e->data.scalar.anchor) weigh_anchor(b, n, 1);
        put(b, n, 1);
        return true;
    case YAML_ALIAS_EVENT: return follow_alias(b, e);
    case YAML_SEQUENCE_START_EVENT:
        n = place(b, NODE_LIST, e);
        return open_node(b, n, e->data.sequence_start.tag, e->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        n = place(b, NODE_MAP, e);
        return open_node(b, n, e->data.mapping_start.tag, e->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        n = b->stack[b->depth - 1].node;
        if (n->line == e->end_mark.line + b->first_line && e->end_mark.column > e->start_mark.column)
            n->width = (uint32_t)e->end_mark.column - n->column; // [1, 2] on one line is underlined as a whole
        close_node(b);
        return true;
    default: return true;
    }
}

static const char *hint_for(const char *problem, const char *source, size_t column)
{
    if (source && column < strlen(source) && source[column] == '\t') return "YAML is indented with spaces, not tabs";
    if (strstr(problem, "cannot start any token")) return "put text with special characters in quotes";
    if (strstr(problem, "mapping values are not allowed")) return "put text with `: ` in it in quotes";
    if (source && strchr(source, '?') && strstr(problem, "did not find expected ',' or"))
        return "put text with `?` in it in quotes";
    if (strstr(problem, "did not find expected key"))
        return "keys of one mapping begin in the same column; a value that has quotes ends with them";
    return NULL;
}

// libyaml's message, at the place it gives.
static void syntax_error(struct builder *b, const yaml_parser_t *p, size_t text_start)
{
    const char *problem = p->problem ? p->problem : "cannot be read";
    b->good = false;
    if (p->error == YAML_MEMORY_ERROR) { // nothing is wrong with the text
        diag_system(b->diags, NULL, "out of memory");
        return;
    }
    if (p->error == YAML_READER_ERROR) {
        struct where at = node_source_at(b->in, text_start + p->problem_offset);
        const char *hint = "it has to be text in UTF-8";
        if (p->problem_value >= 0)
            node_complain_at(b->diags, at, hint, "%s (0x%02X)", problem, (unsigned)p->problem_value);
        else node_complain_at(b->diags, at, hint, "%s", problem);
        return;
    }
    struct where at = node_source_where(b->in, p->problem_mark.line + b->first_line, p->problem_mark.column, 1);
    const char *hint = hint_for(problem, at.source, (size_t)at.column - 1);
    if (p->context && p->context_mark.line != p->problem_mark.line)
        node_complain_at(b->diags, at, hint, "%s, %s from line %zu on", problem, p->context,
            p->context_mark.line + b->first_line + 1);
    else if (p->context) node_complain_at(b->diags, at, hint, "%s, %s", problem, p->context);
    else node_complain_at(b->diags, at, hint, "%s", problem);
}

static void end_document(struct builder *b, struct yaml_documents *docs, size_t *room, bool broken)
{
    while (b->depth) close_node(b);
    if (b->root) {
        mem_grow(&docs->items, room, docs->count + 1, sizeof *docs->items);
        docs->items[docs->count++] = (struct yaml_document){b->root, broken};
    }
    b->root = NULL;
    b->anchor_count = 0;
    b->aliased = 0;
}

// Parses from `start` to the end or the first error; returns the 0-based line of the error, SIZE_MAX at the end.
static size_t read_stretch(struct builder *b, const char *text, size_t size, size_t start, struct yaml_documents *docs,
    size_t *room)
{
    yaml_parser_t parser;
    yaml_event_t e = {0};
    size_t error_line = SIZE_MAX;
    if (!yaml_parser_initialize(&parser)) {
        b->good = diag_system(b->diags, NULL, "libyaml cannot start: out of memory");
        return SIZE_MAX;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + start, size - start);
    for (bool more = true; more;) {
        if (!yaml_parser_parse(&parser, &e)) {
            syntax_error(b, &parser, start);
            if (parser.error != YAML_READER_ERROR) error_line = parser.problem_mark.line + b->first_line;
            break;
        }
        more = e.type != YAML_STREAM_END_EVENT;
        if (e.type == YAML_DOCUMENT_END_EVENT) end_document(b, docs, room, false);
        else if (!take(b, &e)) error_line = e.start_mark.line + b->first_line, more = false;
        yaml_event_delete(&e);
    }
    end_document(b, docs, room, true);
    yaml_parser_delete(&parser);
    return error_line;
}

// The next line after `line` that starts a document; SIZE_MAX: none.
static size_t next_document(const struct node_source *in, const char *text, size_t size, size_t line)
{
    for (line++; line < in->line_count; line++)
        if (in->starts[line] + 3 <= size && memcmp(text + in->starts[line], "---", 3) == 0) return line;
    return SIZE_MAX;
}

bool yaml_read(struct node_source *source, const char *text, size_t size, struct yaml_documents *docs, struct diags *d)
{
    struct builder b = {.in = source, .arena = source->arena, .diags = d, .good = true};
    size_t room = 0, start = 0;
    struct where whole = {.file = source->file};
    *docs = (struct yaml_documents){0};
    if (size > YAML_MOST_BYTES)
        return node_complain_at(d, whole, NULL, "is too large: %zu bytes, at most %d are read", size, YAML_MOST_BYTES);
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return node_complain_at(d, whole, "save it as UTF-8", "is UTF-16 text");
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) start = 3;
    for (int tries = 0; tries < 20; tries++) {
        size_t line = read_stretch(&b, text, size, start, docs, &room);
        if (line != SIZE_MAX) line = next_document(source, text, size, line);
        if (line == SIZE_MAX) break;
        b.first_line = line;
        start = source->starts[line];
    }
    LOCAL(mem_drop) struct yaml_document *items = docs->items;
    if (items) docs->items = arena_copy(source->arena, items, docs->count * sizeof *items);
    free(b.anchors);
    return b.good;
}
