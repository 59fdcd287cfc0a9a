// Which kernel an experiment runs, or which kernels: the axis `kernel` takes names and paths like `kernel` itself.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/text.h"
#include "spec/reading.h"

#include <stdlib.h>
#include <string.h>

// A name, or a path: relative to the experiment's file, else to the current folder.
static char *find_kernel(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    if (!strchr(name, '/')) return file_find("kernels", name, ".cu");
    LOCAL(str_release) struct str beside = {0};
    if (slash && *name != '/') str_add_bytes(&beside, file, (size_t)(slash + 1 - file));
    str_add(&beside, beside.size && strncmp(name, "./", 2) == 0 ? name + 2 : name);
    char *path = file_find("kernels", beside.text, ".cu");
    return path ? path : file_find("kernels", name, ".cu");
}

static void complain_kernel(const struct reading *r, const struct node *at, const char *name)
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    if (strchr(name, '/')) node_complain(r->diags, at, NULL, "there is no file `%s`", name);
    else if (text_ends(name, ".cu"))
        node_complain(r->diags, at,
            arena_printf(r->arena, "a kernel by its name: %.*s, or a path: ./%s", (int)strlen(name) - 3, name, name),
            "unknown kernel `%s`", name);
    else
        node_complain(r->diags, at, node_suggestion(name, (const char *const *)names, r->arena), "unknown kernel `%s`",
            name);
}

// The kernel that was probably meant, so that the other mistakes of the experiment are reported in the same run.
static struct kernel *kernel_meant(const char *name)
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    const char *meant = strchr(name, '/') ? NULL : str_nearest(name, (const char *const *)names);
    LOCAL(diags_clear) struct diags ignored = {0};
    struct kernel *k = meant ? kernel_load(meant, &ignored) : NULL;
    return k;
}

// The mistakes of a kernel that several documents name are reported once.
static struct kernel *load(struct reading *r, const struct node *n, const char *name, struct known *failed)
{
    LOCAL(mem_drop) char *path = name ? find_kernel(r->e->file, name) : NULL;
    struct kernel *k = NULL;
    if (name && !path) {
        complain_kernel(r, n, name);
        k = kernel_meant(name);
    }
    if (path && !known_has(failed, path)) {
        k = kernel_load(path, r->diags);
        if (!k) known_add(failed, arena_strdup(r->arena, path));
    }
    return k;
}

// The list of the axis `kernel`, wherever it is.
static const struct node *axis_of(const struct node *root, const struct node **key)
{
    const struct node *sweep = node_get(root, "sweep"), *together = node_get(root, "together"), *map = NULL;
    if (sweep && sweep->kind == NODE_MAP && node_get(sweep, "kernel")) map = sweep;
    if (together && together->kind == NODE_MAP && node_get(together, "kernel")) map = together;
    for (size_t i = 0; together && together->kind == NODE_LIST && i < together->count; i++)
        if (together->items[i]->kind == NODE_MAP && node_get(together->items[i], "kernel")) map = together->items[i];
    if (map) *key = node_key(map, "kernel");
    return map ? node_get(map, "kernel") : NULL;
}

// Two files of one name are told apart by their paths.
static void name_apart(struct experiment *e, const char *const *written)
{
    for (size_t i = 0; i < e->kernel_count; i++)
        for (size_t k = 0; k < e->kernel_count; k++)
            if (k != i && strcmp(e->kernels[i]->name, e->kernels[k]->name) == 0) {
                e->kernels[i]->name = arena_strdup(e->kernels[i]->arena, written[i]);
                e->kernels[k]->name = arena_strdup(e->kernels[k]->arena, written[k]);
            }
}

static void read_axis(struct reading *r, const struct node *n, const struct node *key, struct known *failed)
{
    struct experiment *e = r->e;
    const struct node *top = node_key(r->root, "kernel");
    const size_t count = n->kind == NODE_LIST ? n->count : 0;
    if (top) node_complain(r->diags, key, NULL, "`kernel` already has its value on line %u", top->line + 1);
    if (!count) {
        node_complain(r->diags, n, "sweep: {kernel: [stride, ./my.cu]}", "the axis `kernel` takes a list of kernels");
        return;
    }
    e->kernels = arena_alloc(r->arena, count * sizeof *e->kernels);
    const char **written = arena_alloc(r->arena, count * sizeof *written);
    for (size_t i = 0; i < count; i++) {
        const char *name = node_text(n->items[i], "kernel", "a name or a path", r->diags);
        struct kernel *k = load(r, n->items[i], name, failed);
        if (!k) continue;
        written[e->kernel_count] = name;
        e->kernels[e->kernel_count++] = k;
    }
    name_apart(e, written);
    r->kernel_names = written;
    e->kernel = e->kernel_count ? e->kernels[0] : NULL;
}

void kernels_read(struct reading *r, struct known *failed)
{
    const struct node *key = NULL, *axis = axis_of(r->root, &key), *n = node_get(r->root, "kernel");
    if (axis) {
        read_axis(r, axis, key, failed);
        return;
    }
    if (!n && !r->broken) node_complain(r->diags, r->root, "kernel: stride", "no `kernel`: what the experiment runs");
    if (n && n->kind == NODE_LIST) {
        node_complain(r->diags, n, "sweep: {kernel: [a, b]}", "`kernel` is one; several are an axis");
        return;
    }
    r->e->kernel = load(r, n, n ? node_text(n, "kernel", "a name or a path", r->diags) : NULL, failed);
    r->e->kernels = arena_alloc(r->arena, sizeof *r->e->kernels);
    r->e->kernels[0] = r->e->kernel;
    r->e->kernel_count = r->e->kernel != NULL;
}

bool kernels_value(const struct reading *r, const struct node *n, struct value *v)
{
    const struct experiment *e = r->e;
    struct known names = {0};
    const char *text = node_text(n, "kernel", "a name or a path", r->diags);
    if (!text) return false;
    *v = value_text(text);
    for (size_t i = 0; i < e->kernel_count; i++) {
        known_add(&names, r->kernel_names[i]);
        if (strcmp(r->kernel_names[i], text) != 0 && strcmp(e->kernels[i]->name, text) != 0) continue;
        *v = value_text(e->kernels[i]->name);
        return known_release(&names), true;
    }
    // Of the axis itself it was complained when it was loaded.
    const struct node *key = NULL, *axis = axis_of(r->root, &key);
    bool said = false;
    for (size_t i = 0; axis && axis->kind == NODE_LIST && i < axis->count; i++) said |= axis->items[i] == n;
    if (!said)
        node_complain(r->diags, n, node_suggestion(text, names.items, r->arena), "`%s` is not in the axis `kernel`",
            text);
    known_release(&names);
    return false;
}

static bool given(const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->name_count; i++)
        if (strcmp(e->names[i], name) == 0) return true;
    return false;
}

// Of each parameter of `a`: has `b` it too, of the same kind, and with the same default where the file gives no value?
static bool same_parameters(const struct reading *r, const struct node *at, const struct kernel *a,
    const struct kernel *b)
{
    for (size_t i = 0; i < a->param_count; i++) {
        const struct param *p = &a->params[i], *q = kernel_param(b, p->name);
        if (!q)
            return node_complain(r->diags, at, "kernels of one experiment have the same parameters",
                "kernel `%s` has no parameter `%s`, which `%s` has", b->name, p->name, a->name);
        if (p->is_text != q->is_text || (p->kind == PARAM_VARIANT) != (q->kind == PARAM_VARIANT))
            return node_complain(r->diags, at, NULL, "`%s` is another kind of parameter in `%s` than in `%s`", p->name,
                b->name, a->name);
        if (!given(r->e, p->name) && !value_equal(p->fallback, q->fallback))
            return node_complain(r->diags, at, "give it under `with`, or `sweep` it",
                "`%s` has another default in `%s` than in `%s`", p->name, b->name, a->name);
    }
    return true;
}

static bool same_reports(const struct reading *r, const struct node *at, const struct kernel *a, const struct kernel *b)
{
    bool same = a->report_count == b->report_count;
    for (size_t i = 0; same && i < a->report_count; i++) same = strcmp(a->reports[i].name, b->reports[i].name) == 0;
    return same ||
        node_complain(r->diags, at, NULL, "kernel `%s` has other `reports` than `%s`: their columns must be the same",
            b->name, a->name);
}

void kernels_check(const struct reading *r)
{
    const struct experiment *e = r->e;
    const struct node *key = NULL, *axis = axis_of(r->root, &key);
    for (size_t i = 1; axis && i < e->kernel_count; i++) {
        const struct node *at = i < axis->count && e->kernel_count == axis->count ? axis->items[i] : axis;
        const struct kernel *a = e->kernels[0], *b = e->kernels[i];
        if (same_parameters(r, at, a, b) && same_parameters(r, at, b, a)) same_reports(r, at, a, b);
    }
}

const struct kernel *experiment_kernel(const struct experiment *e, const char *name)
{
    for (size_t i = 1; name && i < e->kernel_count; i++)
        if (strcmp(e->kernels[i]->name, name) == 0) return e->kernels[i];
    return e->kernel;
}

void kernels_free(struct experiment *e)
{
    for (size_t i = 0; i < e->kernel_count; i++) kernel_free(e->kernels[i]);
    e->kernel = NULL;
    e->kernel_count = 0;
}
