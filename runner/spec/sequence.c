// Reads `sequence:`, a list of launches and of lists that repeat, and `arguments:`.
// SPDX-License-Identifier: MIT
#include "spec/sequence.h"

#include <ctype.h>
#include <string.h>

#include "spec/scalar.h"

static const char *const list_names[] = {"size", "stride", "box", "step", "lower", "upper"};
static const char *const word_names[] = {"swizzle", "promote"};

// The name at the beginning of "in + 4 * n".
static const char *first_word(const char *text, struct arena *a)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    return arena_strndup(a, text, n);
}

static void read_buffer(const struct describer *r, const struct node *map, struct tensor *t)
{
    const struct kernel *k = r->kernel;
    const struct node *n = node_get(map, "tensor");
    t->of = scalar_expression(n, "tensor", "a buffer", r->diags);
    const char *text = t->of.text;
    if (!n) node_complain(r->diags, map, "tensor: in", "a tensor map does not say which buffer it describes");
    if (!text) return;
    const char *name = first_word(text, r->arena);
    const char *rest = text + strlen(name) + strspn(text + strlen(name), " ");
    if (kernel_buffer(k, name) && (!*rest || *rest == '+')) return;
    const char **names = arena_alloc(r->arena, (k->buffer_count + 1) * sizeof *names);
    for (size_t i = 0; i < k->buffer_count; i++) names[i] = k->buffers[i].name;
    if (kernel_buffer(k, name)) node_complain(r->diags, n, "in + 4 * n", "`%s` is no place in a buffer", text);
    else node_complain(r->diags, n, node_suggestion(name, names, r->arena), "`%s` is no buffer", name);
}

static void read_list(const struct describer *r, const struct node *map, enum tensor_list which, struct tensor *t)
{
    const struct node *n = node_get(map, list_names[which]);
    const bool corner = which == TENSOR_LOWER || which == TENSOR_UPPER;
    const int most = which == TENSOR_STRIDE ? TENSOR_RANK - 1 : corner ? TENSOR_RANK - 2 : TENSOR_RANK;
    if (!n) return;
    const size_t count = node_items(n);
    if (count < 1 || count > (size_t)most) {
        node_complain(r->diags, n, NULL, "`%s` takes one to %d numbers", list_names[which], most);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct source_expr *to = &t->lists[which][t->counts[which]];
        *to = scalar_expression(node_item(n, i), list_names[which], "a Lua expression", r->diags);
        t->counts[which] += to->text != NULL;
    }
}

// Of how many directions the tensor is: as many as the box, or two more than a corner, which has none for the channels
// and for the images.
int tensor_words_rank(const struct tensor *t)
{
    return t->counts[TENSOR_LOWER] ? t->counts[TENSOR_LOWER] + 2 : t->counts[TENSOR_BOX];
}

// How long a list must be; a stride leads from one direction to the next.
static int length(const struct tensor *t, int which, int rank)
{
    if (which == TENSOR_STRIDE) return rank - 1;
    if (which == TENSOR_LOWER || which == TENSOR_UPPER) return rank - 2;
    return which == TENSOR_BOX && t->counts[TENSOR_LOWER] ? 2 : rank;
}

static void check_corners(const struct describer *r, const struct node *map, const struct tensor *t)
{
    const bool lower = t->counts[TENSOR_LOWER] > 0, upper = t->counts[TENSOR_UPPER] > 0;
    if (lower == upper) return;
    node_complain(r->diags, node_get(map, lower ? "lower" : "upper"), lower ? "upper: [-1, -1]" : "lower: [-1, -1]",
        "a tensor map has both corners, `lower` and `upper`, or none");
}

static void check_rank(const struct describer *r, const struct node *map, const struct tensor *t)
{
    const int rank = tensor_words_rank(t);
    const bool images = t->counts[TENSOR_LOWER] > 0;
    const char *name = t->of.text ? first_word(t->of.text, r->arena) : "";
    const struct buffer *b = kernel_buffer(r->kernel, name);
    const struct node *box = node_get(map, "box");
    if (!box) node_complain(r->diags, map, "box: [64, 8]", "a tensor map does not say how large its `box` is");
    for (int i = 0; i < TENSOR_LISTS; i++) {
        const int wanted = length(t, i, rank);
        if (!rank || !t->counts[i] || t->counts[i] == wanted) continue;
        node_complain(r->diags, node_get(map, list_names[i]), NULL,
            "`%s` has %d numbers: a %s of %d directions has %d of them", list_names[i], t->counts[i],
            images ? "tensor" : "box", rank, wanted);
    }
    const int own = !b ? 0 : b->planes.text ? 3 : b->rows.text ? 2 : 1;
    if (b && rank && !t->counts[TENSOR_SIZE] && own != rank)
        node_complain(r->diags, box ? box : map, "size: [w, h]",
            "the %s has %d directions and the `count` of `%s` %d: `size` says what the tensor has",
            images ? "tensor" : "box", rank, b->name, own);
}

// As described; what is wrong is complained of.
static const struct tensor *tensor_words_read(const struct describer *r, const struct node *map)
{
    struct tensor *t = arena_alloc(r->arena, sizeof *t);
    node_check_keys(map, &words_tensor, r->diags);
    read_buffer(r, map, t);
    for (int i = 0; i < TENSOR_LISTS; i++) read_list(r, map, (enum tensor_list)i, t);
    check_corners(r, map, t);
    check_rank(r, map, t);
    for (int i = 0; i < TENSOR_WORDS; i++) t->words[i] = describe_expression(r, map, word_names[i]);
    t->nan = node_choice(node_get(map, "outside"), "outside", &words_tensor, r->diags) == 1;
    return t;
}

// Every expression of it, one after the other; NULL behind the last.
static const struct source_expr *nth(const struct tensor *t, size_t i, struct source_expr *place)
{
    if (i < (size_t)TENSOR_LISTS * TENSOR_RANK) return &t->lists[i / TENSOR_RANK][i % TENSOR_RANK];
    i -= (size_t)TENSOR_LISTS * TENSOR_RANK;
    if (i < TENSOR_WORDS) return &t->words[i];
    if (i > TENSOR_WORDS || !t->of.text) return NULL;
    const char *plus = strchr(t->of.text, '+');
    *place = (struct source_expr){plus ? plus + 1 : NULL, t->of.at};
    return place;
}

void tensor_words_names(struct sandbox *lua, const struct passed *all, size_t count, const struct known *names,
    struct diags *d)
{
    const struct source_expr *e;
    struct source_expr place;
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; all[p].tensor && (e = nth(all[p].tensor, i, &place)); i++)
            if (e->text) known_check(lua, e, names, d);
}

bool tensor_words_use(const struct tensor *t, const char *word)
{
    const struct source_expr *e;
    struct source_expr place;
    for (size_t i = 0; t && (e = nth(t, i, &place)); i++)
        if (e->text && source_has_word(e->text, word)) return true;
    return false;
}

bool tensor_words_type(const char *type)
{
    const char *at = strstr(type, "CUtensorMap");
    return at && !strchr(at, '*') && (!at[11] || at[11] == ' ' || at[11] == '_');
}

enum { MOST_ARGUMENTS = 64, MOST_STEPS = 100, MOST_DEPTH = 8 };

const struct passed *sequence_passed(const struct describer *r, const struct node *map, size_t *count)
{
    const struct node *n = node_section(map, "arguments", &words_kernel, MOST_ARGUMENTS, r->diags);
    if (!n) return NULL;
    struct passed *all = arena_alloc(r->arena, n->count * sizeof *all);
    for (size_t i = 0; i < n->count; i++) {
        const struct node *item = n->items[i];
        all[i] = (struct passed){.name = n->keys[i]->text, .at = node_where(n->keys[i])};
        const bool place = all[i].name[strspn(all[i].name, "0123456789")] == '\0'; // of one without a name
        if (!place && !source_is_identifier(all[i].name))
            node_complain(r->diags, n->keys[i], NULL, "`%s` cannot be the name of an argument", all[i].name);
        if (item->kind == NODE_MAP) {
            all[i].tensor = tensor_words_read(r, item);
            continue;
        }
        if (item->kind == NODE_LIST && (item->count < 1 || item->count > 4))
            node_complain(r->diags, item, NULL, "a vector has one to four elements");
        for (size_t k = 0; k < node_items(item) && k < 4; k++) {
            struct source_expr *to = &all[i].items[all[i].count];
            *to = scalar_expression(node_item(item, k), all[i].name, "an expression", r->diags);
            all[i].count += to->text != NULL;
        }
    }
    *count = n->count;
    return all;
}

// `swap: [a, b]`, or a list of such pairs.
static void read_swap(const struct describer *r, const struct node *n, struct step *s)
{
    const bool pairs = n->kind == NODE_LIST && n->count && n->items[0]->kind == NODE_LIST;
    const size_t count = n->kind != NODE_LIST ? 0 : pairs ? n->count : 1;
    for (size_t i = 0; i < count && i < STEP_SWAPS; i++) {
        const struct node *pair = pairs ? n->items[i] : n;
        const struct buffer *both[2] = {NULL, NULL};
        for (size_t k = 0; pair->kind == NODE_LIST && pair->count == 2 && k < 2; k++) {
            const char *name = node_text(pair->items[k], "swap", "a buffer", r->diags);
            both[k] = name ? kernel_buffer(r->kernel, name) : NULL;
            if (name && !both[k]) node_complain(r->diags, pair->items[k], NULL, "`%s` is no buffer", name);
        }
        if (!both[0] || !both[1]) {
            if (pair->kind != NODE_LIST || pair->count != 2)
                node_complain(r->diags, pair, NULL, "`swap` takes two buffers: [from, to]");
            continue;
        }
        if (strcmp(both[0]->type, both[1]->type) != 0)
            node_complain(r->diags, pair, NULL, "`%s` and `%s` are not of one type", both[0]->name, both[1]->name);
        s->swap[s->swap_count][0] = both[0]->name;
        s->swap[s->swap_count++][1] = both[1]->name;
    }
    if (!count) node_complain(r->diags, n, NULL, "`swap` takes two buffers: [from, to]");
}

static const struct step *read_steps(const struct describer *r, const struct node *list, size_t *count, int depth);

static void read_step(const struct describer *r, const struct node *n, struct step *s, int depth)
{
    s->at = node_where(n);
    if (n->kind == NODE_TEXT) { // the name of a launch alone
        s->entry = node_text(n, "launch", "an entry", r->diags);
        return;
    }
    if (n->kind != NODE_MAP) {
        node_complain(r->diags, n, "{launch: my_kernel, grid: n}", "a launch of a sequence is a mapping");
        return;
    }
    const struct node *launch = node_get(n, "launch"), *inner = node_get(n, "sequence"), *swap = node_get(n, "swap");
    struct source_expr *const threads[] = {&s->threads[0], &s->threads[1], &s->threads[2]};
    struct source_expr *const block[] = {&s->block[0], &s->block[1], &s->block[2]};
    struct source_expr *const grid[] = {&s->grid[0], &s->grid[1], &s->grid[2]};
    node_check_keys(n, &words_step, r->diags);
    if (!launch == !inner)
        node_complain(r->diags, n, NULL, "it has `launch`, the entry, or a `sequence` of its own: one of them");
    if (launch) s->entry = node_text(launch, "launch", "an entry", r->diags);
    if (inner) s->steps = read_steps(r, inner, &s->step_count, depth + 1);
    describe_extents(r, n, "threads", threads);
    describe_extents(r, n, "block", block);
    describe_extents(r, n, "grid", grid);
    s->shared = describe_expression(r, n, "shared");
    s->repeat = describe_expression(r, n, "repeat");
    s->passed = sequence_passed(r, n, &s->passed_count);
    if (swap) read_swap(r, swap, s);
    if (s->grid[0].text && s->threads[0].text)
        node_complain(r->diags, node_key(n, "grid"), NULL, "`grid` and `threads` say the same: one of them is enough");
}

static const struct step *read_steps(const struct describer *r, const struct node *list, size_t *count, int depth)
{
    if (list->kind != NODE_LIST || !list->count || list->count > MOST_STEPS || depth > MOST_DEPTH) {
        node_complain(r->diags, list, NULL, "`sequence` takes a list of 1 to %d launches, at most %d deep", MOST_STEPS,
            MOST_DEPTH);
        return NULL;
    }
    struct step *steps = arena_alloc(r->arena, list->count * sizeof *steps);
    for (size_t i = 0; i < list->count; i++) read_step(r, list->items[i], &steps[i], depth);
    *count = list->count;
    return steps;
}

void sequence_read(const struct describer *r, const struct node *root)
{
    const struct node *n = node_get(root, "sequence");
    if (n) r->kernel->steps = read_steps(r, n, &r->kernel->step_count, 0);
}

static void each(const struct step *steps, size_t count, void (*say)(void *, const struct step *), void *context)
{
    for (size_t i = 0; i < count; i++) {
        say(context, &steps[i]);
        each(steps[i].steps, steps[i].step_count, say, context);
    }
}

void sequence_each(const struct kernel *k, void (*say)(void *, const struct step *), void *context)
{
    each(k->steps, k->step_count, say, context);
}
