// Reads `sequence:`, a list of launches and of lists that repeat, and `arguments:`.
// SPDX-License-Identifier: MIT
#include "spec/sequence.h"

#include "spec/tensor_words.h"

#include <string.h>

enum { MOST_ARGUMENTS = 64, MOST_STEPS = 100, MOST_DEPTH = 8 };

const struct passed *sequence_passed(const struct describer *r, const struct node *map, size_t *count)
{
    const struct node *n = describe_section(r, map, "arguments", MOST_ARGUMENTS);
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
        for (size_t k = 0; k < (item->kind == NODE_LIST ? item->count : 1) && k < 4; k++) {
            const struct node *one = item->kind == NODE_LIST ? item->items[k] : item;
            const char *text = node_text(one, all[i].name, "an expression", r->diags);
            if (text) all[i].items[all[i].count++] = (struct source_expr){text, node_where_text(one)};
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
