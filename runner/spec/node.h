// A YAML text as a tree of nodes that know their places: what yaml.c reads, and what experiment and kernel files are
// checked from. Nodes never change once read; an override makes new ones. Everything lives in the arena it was read
// into.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "spec/words.h"

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };
enum node_style {
    NODE_PLAIN,
    NODE_QUOTED,
    NODE_BLOCK
}; // how a NODE_TEXT was written: word, "word", | with lines below

struct node_source {         // the text that places are in
    const char *file, *text; // `text`: as the user sees it
    size_t size;
    size_t line_count;
    uint32_t *starts;   // byte offset of each line, and one after the last
    const char **lines; // text of each line that was asked for
    struct arena *arena;
};

struct node {
    enum node_kind kind;
    enum node_style style;
    bool dropped;                 // its key was given before
    uint32_t line, column, width; // from 0; column and width in characters, as libyaml counts
    struct node_source *in;
    const char *text;    // NODE_TEXT
    size_t count;        // of a list or map
    struct node **keys;  // of a map: NODE_TEXTs
    struct node **items; // of a list or map
};

struct node_source *node_source_new(struct arena *, const char *file, const char *text, size_t size);
struct where node_source_where(struct node_source *, size_t line, size_t column, size_t width); // from 0, in characters
struct where node_source_at(struct node_source *, size_t byte);                                 // a byte offset

struct where node_where(const struct node *);
// The place of the first character inside quotes, or of the first line of a block: where an expression's text begins.
struct where node_where_text(const struct node *);
// A complaint at a node, at most NODE_MOST_COMPLAINTS of them all in all. Always false.
bool node_complain(struct diags *, const struct node *, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool node_complain_at(struct diags *, struct where, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
enum { NODE_MOST_COMPLAINTS = 200 };

struct node *node_get(const struct node *map, const char *key); // NULL: not there, or not a map
struct node *node_key(const struct node *map, const char *key); // the key itself, for its place
// Copies of a map with one key set or taken out; the original stays.
struct node *node_with(const struct node *map, struct node *key, struct node *item, struct arena *);
struct node *node_without(const struct node *map, const char *key, struct arena *);

// "text", "a list" or "a mapping": what a complaint names as found.
const char *node_kind_name(const struct node *);
// The text of a NODE_TEXT that is not empty; NULL after a complaint that `what` takes `wanted` ("a name").
const char *node_text(const struct node *, const char *what, const char *wanted, struct diags *);
// The mapping under that key of a mapping, with no key of its own that is none: NULL where it is not there, empty, no
// mapping, or has more than `most` entries; the last two after a complaint.
const struct node *node_section(const struct node *map, const char *key, const struct mapping *of, size_t most,
    struct diags *);
// Which of the words that a key of the mapping takes; -1 of NULL, or after a complaint.
int node_choice(const struct node *, const char *key, const struct mapping *, struct diags *);
bool node_is_empty(const struct node *); // nothing, ~ or null
// Of a list its items; else the node alone stands for a list of one.
static inline size_t node_items(const struct node *n) { return n->kind == NODE_LIST ? n->count : 1; }
static inline const struct node *node_item(const struct node *n, size_t i)
{
    return n->kind == NODE_LIST ? n->items[i] : n;
}
// Complains of each key that is not in the table and names the nearest.
bool node_check_keys(const struct node *map, const struct mapping *allowed, struct diags *);
// "did you mean `x`?" for the nearest, else "known: a, b, c" when there are few, else NULL.
const char *node_renamed(const char *word, struct arena *); // a hint, where it had this name once; NULL: it had none
const char *node_elsewhere(const char *word);               // what says here what another tool calls so; NULL: unknown
const char *node_suggestion(const char *word, const char *const *words, struct arena *);
