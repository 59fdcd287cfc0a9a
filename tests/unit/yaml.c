// spec/yaml: hostile files are refused quickly, with one clear sentence, and places are the user's.
// SPDX-License-Identifier: MIT
#include "spec/yaml.h"

#include "spec/experiment.h"
#include "unit/test.h"

#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// `head`, then `unit` again and again until `size` bytes are there.
static char *repeated(const char *head, const char *unit, size_t size)
{
    char *text = mem_alloc(size + 1);
    size_t n = strlen(unit), filled = strlen(head);
    memcpy(text, head, filled);
    for (; filled + n <= size; filled += n) memcpy(text + filled, unit, n);
    memset(text + filled, ' ', size - filled);
    return text;
}

// Refused within seconds (a sanitizer's included), first with `what`.
static void refused(const char *head, const char *unit, size_t size, const char *what)
{
    struct experiments all = {0};
    struct diags d = {0};
    char *text = repeated(head, unit, size);
    double start = now();
    CHECK(!experiments_parse("big.yaml", text, size, NULL, 0, &all, &d));
    CHECK(now() - start < 20);
    CHECK_INT(all.count, 0);
    CHECK(d.count <= NODE_MOST_COMPLAINTS + 1);
    CHECK_TEXT(diags_first(&d), what);
    free(text);
    diags_clear(&d);
}

static void size_and_depth_are_bounded(void)
{
    enum { MOST = YAML_MOST_BYTES };
    refused("", "[", 100000000, "is too large: 100000000 bytes, at most 4194304 are read");
    refused("", "[", MOST, "is nested too deeply: at most 64 levels");
    refused("", "{", MOST, "is nested too deeply: at most 64 levels");
    refused("", "- ", MOST, "is nested too deeply: at most 64 levels");
    refused("a: ", "{a: ", MOST, "is nested too deeply: at most 64 levels");
    refused("kernel: x\nwith:\n", " k: 1\n", MOST, "key `k` is given twice; first on line 3, column 2");
    refused("a: &a [1]\nb: [", "*a, ", MOST, "aliases repeat more than 100000 nodes: too many");
    refused("", "\xff", 1000, "invalid leading UTF-8 octet (0xFF)");
}

static const struct node *only(struct arena *a, const char *text, struct diags *d)
{
    struct yaml_documents docs;
    yaml_read(node_source_new(a, "t.yaml", text, strlen(text)), text, strlen(text), &docs, d);
    return docs.count == 1 ? docs.items[0].root : NULL;
}

static void place_is(const struct node *n, int line, int column, int width)
{
    struct where at = n ? node_where(n) : (struct where){0};
    CHECK_INT(at.line, line);
    CHECK_INT(at.column, column);
    CHECK_INT(at.width, width);
}

static void places_are_lines_and_byte_columns(void)
{
    struct arena *a = arena_new();
    struct diags d = {0};
    const struct node *n = only(a,
        "\xef\xbb\xbfgr\xc3\xb6\xc3\x9f"
        "e: 1\r\nb: [x, 'y z']\r\rc: |\n  one\n  two\n\xe2\x80\xa8"
        "d: \"q\"\n",
        &d);
    diags_print(&d, stdout);
    CHECK(n && n->count == 4);
    if (!n || n->count != 4) return;
    place_is(n->keys[0], 1, 1, 7);
    place_is(n->items[0], 1, 10, 1);
    place_is(n->items[1], 2, 4, 10);
    place_is(n->items[1]->items[1], 2, 8, 5);
    struct where inside = node_where_text(n->items[1]->items[1]);
    CHECK_INT(inside.column, 9);
    CHECK_INT(inside.width, 3);
    CHECK_TEXT(inside.source, "b: [x, 'y z']");
    CHECK_TEXT(n->items[2]->text, "one\ntwo\n");
    inside = node_where_text(n->items[2]);
    CHECK_INT(inside.line, 5);
    CHECK_INT(inside.column, 3);
    arena_free(a);
}

static void an_alias_is_what_it_names(void)
{
    struct arena *a = arena_new();
    struct diags d = {0};
    const struct node *n = only(a, "a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n", &d);
    CHECK_INT(d.count, 0);
    CHECK(n && node_get(n, "a") == node_get(n, "b"));
    CHECK_TEXT(n ? node_get(n, "d")->text : NULL, "3"); // the nearest before it
    arena_free(a);
}

static void a_map_with_a_key_set_leaves_the_first_one_alone(void)
{
    struct arena *a = arena_new();
    struct diags d = {0};
    const struct node *n = only(a, "{a: 1, b: 2}", &d);
    struct node *changed = node_with(n, n->keys[0], n->items[1], a), *shorter = node_without(n, "a", a);
    CHECK_TEXT(node_get(n, "a")->text, "1");
    CHECK_TEXT(node_get(changed, "a")->text, "2");
    CHECK_INT(changed->count, 2);
    CHECK(node_get(shorter, "a") == NULL && node_get(shorter, "b") && shorter->count == 1);
    arena_free(a);
}

int main(void)
{
    size_and_depth_are_bounded();
    places_are_lines_and_byte_columns();
    an_alias_is_what_it_names();
    a_map_with_a_key_set_leaves_the_first_one_alone();
    return test_end();
}
