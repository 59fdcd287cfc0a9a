// The values that an experiment gives: fixed ones, axes and single points. Each is checked against the parameter or
// setting that it is for.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "spec/reading.h"
#include "spec/scalar.h"
#include "spec/traits.h"

// The ranges of axes. Whole numbers stay whole; reals are from + i * step, not a sum of steps.

enum { MOST_VALUES = 10000000 };

struct value_range {
    const struct node *node;
    const char *name;
    struct value from, to, by;
    double a, b, s; // the same as reals
    bool whole;
    struct arena *arena;
    struct diags *diags;
};

static bool number(const struct value_range *r, const char *key, struct value *v, double *real, enum unit *unit)
{
    const struct node *n = node_get(r->node, key);
    char why[160];
    if (!n)
        return node_complain(r->diags, r->node, "{from: 1, to: 128, step: 1} or {from: 1, to: 1Gi, times: 2}",
            "the range of `%s` has no `%s`", r->name, key);
    const char *text = node_text(n, key, "a number", r->diags);
    if (!text) return false;
    if (!units_parse(text, v, unit, why)) return node_complain(r->diags, n, NULL, "%s", why);
    return value_number(*v, real);
}

static bool endless(const struct value_range *r, const char *why)
{
    return node_complain(r->diags, r->node, NULL, "the range of `%s` never ends: %s", r->name, why);
}

static bool too_many(const struct value_range *r)
{
    return node_complain(r->diags, r->node, NULL, "the range of `%s` has more than 10 million values", r->name);
}

// Room for `steps` + 1 values; NULL after a complaint.
static struct value *room(const struct value_range *r, double steps, size_t *count)
{
    if (!(steps < MOST_VALUES)) return too_many(r), NULL;
    *count = (size_t)steps + 1;
    return arena_alloc(r->arena, *count * sizeof(struct value));
}

static bool linear(const struct value_range *r, struct value **values, size_t *count)
{
    if (r->s == 0) return endless(r, "`step` is 0");
    if (r->a != r->b && (r->b > r->a) != (r->s > 0)) return endless(r, "`step` leads away from `to`");
    bool exact = r->from.kind == VALUE_INT && r->to.kind == VALUE_INT && r->by.kind == VALUE_INT;
    double steps = floor((r->b - r->a) / r->s + 1e-9);
    if (exact && steps < 2.0 * MOST_VALUES) { // near 2^63 a double cannot count exactly
        __int128 n = ((__int128)r->to.i - r->from.i) / r->by.i;
        steps = (double)n;
    }
    if (!(*values = room(r, steps, count))) return false;
    for (size_t i = 0; i < *count; i++)
        (*values)[i] = exact ? value_int((int64_t)((__int128)r->from.i + (__int128)i * r->by.i))
                             : value_real(r->a + (double)i * r->s);
    return true;
}

static bool geometric(const struct value_range *r, struct value **values, size_t *count)
{
    if (r->s <= 0 || r->s == 1) return endless(r, "`times` has to be above 0 and not 1");
    if (r->a == 0) return endless(r, "0 times anything is 0");
    if ((r->a > 0) != (r->b > 0)) return endless(r, "`from` and `to` lie on different sides of 0");
    double ratio = r->b / r->a;
    if ((ratio > 1 && r->s < 1) || (ratio < 1 && r->s > 1)) return endless(r, "`times` leads away from `to`");
    if (!(*values = room(r, floor(log(ratio) / log(r->s) + 1e-9), count))) return false;
    bool exact = r->from.kind == VALUE_INT && r->by.kind == VALUE_INT;
    struct value v = r->from;
    size_t kept = 0;
    double end = fmax(fmin(r->b, 0x1.fffffffffffffp62), -0x1p63);
    int64_t last = r->to.kind == VALUE_INT ? r->to.i : (int64_t)end;
    for (size_t i = 0; i < *count; i++) {
        double x = r->a * pow(r->s, (double)i);
        if (!exact) v = r->whole && fabs(x) < 0x1p62 ? value_int(llround(x)) : value_real(x);
        if (!kept || !value_equal((*values)[kept - 1], v)) (*values)[kept++] = v;
        __int128 next = exact ? (__int128)v.i * r->by.i : 0;
        if (exact && (r->a > 0 ? next > last : next < last)) break; // the logarithm rounded up
        if (exact) v.i = (int64_t)next;
    }
    *count = kept;
    return true;
}

// {from, to, step} and {from, to, times}. `whole`: geometric values are rounded to whole numbers, each once.
static bool range_read(const struct node *n, const char *name, bool whole, struct arena *a, struct value **values,
    size_t *count, enum unit *unit, struct diags *d)
{
    struct value_range r = {.node = n, .name = name, .whole = whole, .arena = a, .diags = d};
    enum unit to_unit = UNIT_NONE, by_unit = UNIT_NONE;
    const struct node *step = node_get(n, "step"), *times = node_get(n, "times");
    bool good = node_check_keys(n, &words_range, d);
    if (good && step && times) good = node_complain(d, times, NULL, "a range has a `step` or `times`, not both");
    if (good && !step && !times)
        good = node_complain(d, n, "step: 1 goes up by one, times: 2 doubles",
            "the range of `%s` has no `step` and no `times`", name);
    good &= number(&r, "from", &r.from, &r.a, unit);
    good &= number(&r, "to", &r.to, &r.b, &to_unit);
    if (!good || !number(&r, step ? "step" : "times", &r.by, &r.s, &by_unit)) return false;
    if (times && by_unit != UNIT_NONE) return node_complain(d, times, NULL, "`times` is a plain number");
    if (*unit == UNIT_NONE) *unit = to_unit;
    if (*unit == UNIT_NONE) *unit = step ? by_unit : UNIT_NONE;
    if ((to_unit != UNIT_NONE && to_unit != *unit) || (step && by_unit != UNIT_NONE && by_unit != *unit))
        return node_complain(d, n, NULL, "the range of `%s` mixes units", name);
    return step ? linear(&r, values, count) : geometric(&r, values, count);
}

// Values that are expressions: numbers that follow from the device (`n: 1024 * sms`), and blocks and grids that follow
// from the point (`block: [TB, 4]`). Here their names are checked; the plan computes them.

// A parameter of that name comes first.
static struct known traits(const struct kernel *k)
{
    struct known names = {0};
    for (int i = 0; i < TRAIT_COUNT; i++)
        if (!k || !kernel_param(k, trait_table[i].name)) known_add(&names, trait_table[i].name);
    return names;
}

// A text that compiles, of numbers alone, or that names a trait of the device, something like one, a type or another
// parameter. What another parameter is differs from point to point: no value can follow from it.
static bool is_computed(const struct reading *r, const struct source_expr *e, bool *good)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct known names = traits(r->e->kernel);
    struct expr *expr = expr_new(r->lua, e->text, e->at, &ignored);
    const char *const *n = expr ? expr_names(expr) : NULL;
    bool found = n && !*n && *e->text != '{' && strpbrk(e->text + 1, "+*/%^("); // 1-32 is told to be no range
    for (; n && *n; n++) {
        const bool param = r->e->kernel && kernel_param(r->e->kernel, *n) && strcmp(*n, e->text) != 0;
        if (param)
            *good = node_complain_at(r->diags, e->at, "`count` of a buffer and `useful` may name it",
                "`%s`: a value follows from numbers and the device, and `%s` is a parameter", e->text, *n);
        if (param) break;
        found |= (names.count && str_nearest(*n, names.items)) || kernel_type_size(*n);
    }
    expr_free(expr);
    known_release(&names);
    return found;
}

// Whether the value is an expression over the device, for a number; `good` false after a complaint. And
// whether a block or grid that is an expression has names that exist.
static bool computed_read(const struct reading *r, const struct target *t, const struct node *n, struct value *v,
    bool *good)
{
    const bool number = t->param ? !t->param->is_text && t->param->fallback.kind != VALUE_BOOL
        : t->setting >= 0
        ? setting_table[t->setting].type == SETTING_INT || setting_table[t->setting].type == SETTING_BYTES
        : false;
    struct value plain;
    enum unit unit;
    char why[160];
    if (!number || n->kind != NODE_TEXT || node_is_empty(n) || units_parse(n->text, &plain, &unit, why)) return false;
    const struct source_expr e = {n->text, node_where_text(n)};
    const bool computed = is_computed(r, &e, good);
    if (!*good) return true;
    if (!computed) return false;
    struct known names = traits(r->e->kernel);
    *good = known_check(r->lua, &e, &names, r->diags);
    known_release(&names);
    *v = value_text(n->text);
    return true;
}

static bool computed_names(const struct reading *r, const struct target *t, const struct node *n)
{
    const struct kernel *k = r->e->kernel;
    struct known names = traits(k);
    bool good = true;
    if (t->setting < 0 || setting_table[t->setting].type != SETTING_DIM || !k) return known_release(&names), true;
    names.types = true;
    for (size_t i = 0; i < k->param_count; i++) known_add(&names, k->params[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) known_add(&names, setting_table[i].name);
    for (size_t i = 0; i < node_items(n); i++) {
        const struct node *item = node_item(n, i);
        struct value plain;
        enum unit unit;
        char why[160];
        if (item->kind != NODE_TEXT || node_is_empty(item) || units_parse(item->text, &plain, &unit, why)) continue;
        const struct source_expr e = {item->text, node_where_text(item)};
        good &= known_check(r->lua, &e, &names, r->diags);
    }
    known_release(&names);
    return good;
}

static const struct param *param_of(const struct reading *r, const char *name)
{
    return r->e->kernel ? kernel_param(r->e->kernel, name) : NULL;
}

// Everything that may stand where a parameter or setting does.
static void assignable(const struct reading *r, struct known *names)
{
    const struct kernel *k = r->e->kernel;
    for (size_t i = 0; k && i < k->param_count; i++) known_add(names, k->params[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) known_add(names, setting_table[i].name);
    for (size_t i = 0; k && i < k->buffer_count; i++)
        known_add(names, arena_printf(r->arena, "memory.%s", k->buffers[i].name));
}

bool axes_is_script_option(const char *key) { return strncmp(key, "script.", 7) == 0; }

static bool complain_buffer(const struct reading *r, const struct kernel *k, const struct node *at, const char *name)
{
    struct known buffers = {0};
    for (size_t i = 0; i < k->buffer_count; i++) known_add(&buffers, k->buffers[i].name);
    const char *hint = buffers.count ? node_suggestion(name, buffers.items, r->arena) : NULL;
    known_release(&buffers);
    return node_complain(r->diags, at, hint, "kernel `%s` has no buffer `%s`", k->name, name);
}

// In each of the kernels.
static bool has_buffer(const struct reading *r, const struct node *at, const char *name)
{
    for (size_t i = 0; i < r->e->kernel_count; i++)
        if (!kernel_buffer(r->e->kernels[i], name)) return complain_buffer(r, r->e->kernels[i], at, name);
    return true;
}

// Of several kernels each takes its own: a value of an axis is refused where none takes it, and the plan leaves out the
// points whose kernel does not (plan/plan.c).
static bool one_takes(const struct reading *r, const struct target *t, const struct node *n, struct value *v)
{
    bool taken = false;
    for (size_t i = 0; !taken && r->e->kernel_count > 1 && i < r->e->kernel_count; i++) {
        const struct kernel *k = r->e->kernels[i];
        const struct param *p = kernel_param(k, t->name);
        LOCAL(diags_clear) struct diags unheard = {0};
        taken = p && scalar_param(p, k, n, v, &unheard);
    }
    return taken;
}

// What is fixed for all points is what all take.
static bool all_take(const struct reading *r, const struct target *t, const struct node *n, struct value v)
{
    for (size_t i = 1; i < r->e->kernel_count; i++) {
        const struct kernel *k = r->e->kernels[i];
        const struct param *p = kernel_param(k, t->name);
        struct value own = v;
        if (p && !scalar_check_param(p, k, &own, n, r->diags)) return false;
    }
    return true;
}

static bool takes(const struct reading *r, const struct target *t, bool width, struct value *v, const struct node *n)
{
    for (size_t i = 1; i < r->e->kernel_count; i++) {
        const struct kernel *k = r->e->kernels[i];
        const struct param *p = kernel_param(k, t->name);
        struct fits_why unsaid;
        struct value own = *v;
        if (p && fits_param(p, width ? k : NULL, &own, &unsaid)) return true;
    }
    return scalar_check_param(t->param, width ? r->e->kernel : NULL, v, n, r->diags);
}

static bool axes_target(const struct reading *r, const struct node *key, struct target *t)
{
    const struct kernel *k = r->e->kernel;
    *t = (struct target){.name = key->text, .param = param_of(r, key->text), .setting = -1};
    if (t->param) return true;
    t->kernel = strcmp(key->text, "kernel") == 0;
    if (t->kernel && r->kernel_names) return true;
    if (t->kernel)
        return node_complain(r->diags, key, "kernel: stride, or sweep: {kernel: [a, b]}",
            "`kernel` stands at the top of the file, or is an axis");
    t->setting = setting_find(key->text);
    if (!k || r->diags->count > NODE_MOST_COMPLAINTS) return true;
    if (t->setting >= 0) {
        const char *dot = t->setting == SETTING_MEMORY ? strchr(key->text, '.') : NULL;
        return !dot || has_buffer(r, key, dot + 1);
    }
    struct known names = {0};
    assignable(r, &names);
    const char *nearest = str_nearest(key->text, names.items);
    LOCAL(str_release) struct str params = {0};
    for (size_t i = 0; i < k->param_count && params.size < 200; i++)
        str_addf(&params, "%s%s", i ? ", " : "", k->params[i].name);
    const char *now = node_renamed(key->text, r->arena);
    const char *hint = now                      ? now
        : !nearest && node_elsewhere(key->text) ? node_elsewhere(key->text)
        : nearest
        ? arena_printf(r->arena, "did you mean `%s`?", nearest)
        : arena_printf(r->arena, "`%s` has: %s; else it is a run setting", k->name, params.text ? params.text : "none");
    known_release(&names);
    return node_complain(r->diags, key, hint, "unknown key `%s`: no parameter of kernel `%s` and no run setting",
        key->text, k->name);
}

static bool axes_value(const struct reading *r, const struct target *t, const struct node *n, struct value *v)
{
    enum unit unit;
    bool good = true;
    if (computed_read(r, t, n, v, &good)) return good;
    if (t->kernel) return kernels_value(r, n, v);
    if (t->param)
        return (!t->fixed && one_takes(r, t, n, v)) ||
            (scalar_param(t->param, r->e->kernel, n, v, r->diags) && (!t->fixed || all_take(r, t, n, *v)));
    if (t->setting < 0) return *v = scalar_read(n, &unit), true;
    if (!scalar_setting((enum setting)t->setting, t->name, n, r->arena, v, r->diags)) return false;
    if (!computed_names(r, t, n)) return false;
    if (t->setting != SETTING_WINDOW_BUFFER || !r->e->kernel || strcmp(v->text, "none") == 0) return true;
    return has_buffer(r, n, v->text);
}

static bool whole_numbers(const struct target *t)
{
    if (t->param) return !t->param->is_real && !t->param->is_text;
    if (t->setting < 0) return false;
    enum setting_type type = setting_table[t->setting].type;
    return type == SETTING_INT || type == SETTING_DIM || type == SETTING_BYTES;
}

static bool read_range(const struct reading *r, const struct target *t, const struct node *n, struct axis *axis)
{
    struct value *values = NULL;
    enum unit unit;
    struct fits_why why;
    if (t->param && (t->param->is_text || t->param->fallback.kind == VALUE_BOOL))
        return node_complain(r->diags, n, NULL, "`%s` takes no numbers: a range cannot be its axis", t->name);
    if (!range_read(n, t->name, whole_numbers(t), r->arena, &values, &axis->count, &unit, r->diags)) return false;
    for (size_t i = 0; i < axis->count; i++) {
        struct value *v = &values[i];
        const bool inside = i > 0 && i + 1 < axis->count; // the ends of a range are what may be too wide
        if (t->param && !takes(r, t, !inside, v, n)) return false;
        if (t->setting >= 0 && !fits_setting((enum setting)t->setting, t->name, v, unit, &why))
            return node_complain(r->diags, n, NULL, "%s", why.what);
    }
    axis->values = values;
    return true;
}

struct axis_mark {
    uint64_t hash[2];
    size_t index;
};

static int by_hash(const void *pa, const void *pb)
{
    const struct axis_mark *a = pa, *b = pb;
    int c = memcmp(a->hash, b->hash, sizeof a->hash);
    return c ? c : a->index < b->index ? -1 : a->index > b->index;
}

// The same value twice would be the same point twice.
static bool refuse_repeats(const struct reading *r, const struct axis *axis, const struct node *list)
{
    int setting = setting_find(axis->name);
    bool dim = setting >= 0 && setting_table[setting].type == SETTING_DIM;
    const char *hint = dim ? "one value of 16 x 16 is a list in the list: [[16, 16]]" : NULL;
    LOCAL(mem_drop) struct axis_mark *marks = mem_alloc(axis->count * sizeof *marks);
    bool good = true;
    for (size_t i = 0; i < axis->count; i++) {
        struct hash h;
        hash_init(&h);
        value_hash(axis->values[i], &h);
        hash_final(h, marks[i].hash);
        marks[i].index = i;
    }
    qsort(marks, axis->count, sizeof *marks, by_hash);
    for (size_t i = 1; i < axis->count && r->diags->count <= NODE_MOST_COMPLAINTS; i++)
        if (memcmp(marks[i].hash, marks[i - 1].hash, sizeof marks[i].hash) == 0)
            good = node_complain(r->diags, list->items[marks[i].index], hint,
                "this value of `%s` is already in the axis", axis->name);
    return good;
}

static bool read_axis(const struct reading *r, const struct node *key, const struct node *n, bool moves,
    struct axis *axis)
{
    struct target t;
    *axis = (struct axis){.name = key->text, .at = node_where(key)};
    if (!axes_target(r, key, &t)) return false;
    if (n->kind == NODE_MAP) return read_range(r, &t, n, axis);
    if (n->kind == NODE_LIST && !n->count)
        return node_complain(r->diags, n, "[1, 2], {from: 1, to: 8, times: 2}", "axis `%s` is empty", t.name);
    if (n->kind == NODE_TEXT && node_is_empty(n))
        return node_complain(r->diags, key, "[1, 2], {from: 1, to: 8, times: 2}", "axis `%s` is empty", t.name);
    size_t count = node_items(n);
    struct value *values = arena_alloc(r->arena, count * sizeof *values);
    bool good = true;
    for (size_t i = 0; i < count; i++) good &= axes_value(r, &t, node_item(n, i), &values[i]);
    axis->values = values;
    axis->count = count;
    return good && (moves || n->kind != NODE_LIST || refuse_repeats(r, axis, n));
}

static bool read_assignments(const struct reading *r, const struct node *n, const char *what, struct assignments *out)
{
    bool good = true;
    size_t count = 0;
    struct assignment *items = arena_alloc(r->arena, n->count * sizeof *items);
    for (size_t i = 0; i < n->count; i++) {
        struct assignment *a = &items[count];
        struct target t;
        if (strcmp(what, "with") == 0 && axes_is_script_option(n->keys[i]->text)) continue; // clauses.c reads those
        a->name = n->keys[i]->text;
        a->at = node_where(n->keys[i]);
        count++;
        bool known = axes_target(r, n->keys[i], &t);
        t.fixed = strcmp(what, "with") == 0;
        if (known && n->items[i]->kind == NODE_TEXT && node_is_empty(n->items[i]))
            known = node_complain(r->diags, n->keys[i], NULL, "`%s` has no value", t.name);
        good &= known && axes_value(r, &t, n->items[i], &a->value);
    }
    *out = (struct assignments){items, count, node_where(n)};
    return good;
}

// Names in their order in the file; each may be given in one place only.
struct naming {
    const struct node **keys;
    const char **names;
    size_t count, room, name_room;
};

static void name_once(const struct reading *r, struct naming *names, const struct node *key, const char *section)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->names[i], key->text) != 0) continue;
        if (section)
            node_complain(r->diags, key, "leave one of the two out", "`%s` already has its value%s on line %u",
                key->text, strcmp(section, "with") == 0 ? "" : "s", names->keys[i]->line + 1);
        return;
    }
    if (names->count > 1000) return; // with more names than that, most are complaints
    mem_grow(&names->keys, &names->room, names->count + 1, sizeof *names->keys);
    mem_grow(&names->names, &names->name_room, names->count + 1, sizeof *names->names);
    names->keys[names->count] = key;
    names->names[names->count++] = key->text;
}

static void read_sweep(const struct reading *r, const struct node *n, struct axes *sweep, size_t *count,
    struct naming *names)
{
    for (size_t i = 0; i < n->count; i++) {
        struct axis *axis = arena_alloc(r->arena, sizeof *axis);
        name_once(r, names, n->keys[i], "sweep");
        if (read_axis(r, n->keys[i], n->items[i], false, axis)) sweep[(*count)++] = (struct axes){axis, 1};
    }
}

static void read_together(const struct reading *r, const struct node *n, struct axes *group, struct naming *names)
{
    if (n->kind != NODE_MAP || !n->count) {
        node_complain(r->diags, n, "- {width: [62, 200], height: [76, 150]}",
            "`together` takes a list of mappings of names to lists");
        return;
    }
    struct axis *axes = arena_alloc(r->arena, n->count * sizeof *axes);
    size_t first = 0, good = 0;
    while (first + 1 < n->count && n->keys[first]->in != r->root->in)
        first++; // lengths are compared with an axis of the file, not of -s
    for (size_t i = 0; i < n->count; i++) {
        name_once(r, names, n->keys[i], "together");
        good += read_axis(r, n->keys[i], n->items[i], true, &axes[i]);
    }
    if (good < n->count) return;
    for (size_t i = 0; i < n->count; i++)
        if (axes[i].count != axes[first].count)
            node_complain(r->diags, n->keys[i], "axes that move in step have as many values each",
                "`%s` has %zu values but moves together with `%s`, which has %zu", axes[i].name, axes[i].count,
                axes[first].name, axes[first].count);
    *group = (struct axes){axes, n->count};
}

// A list of mappings under `key`, or a single one: its `items`, and their number.
static const struct node *const *mappings(const struct reading *r, const char *key, size_t *count)
{
    const struct node *n = node_get(r->root, key);
    *count = 0;
    if (!n || node_is_empty(n)) return NULL;
    if (n->kind == NODE_TEXT)
        return node_complain(r->diags, n, NULL, "`%s` takes a list of mappings, not text", key), NULL;
    if (n->kind == NODE_LIST) return *count = n->count, (const struct node *const *)n->items;
    const struct node **one = arena_alloc(r->arena, sizeof *one);
    *one = n;
    *count = 1;
    return one;
}

static const struct assignments *read_points(const struct reading *r, const char *key, size_t *count)
{
    const struct node *const *items = mappings(r, key, count);
    struct assignments *points = arena_alloc(r->arena, *count * sizeof *points);
    for (size_t i = 0; i < *count; i++) {
        if (items[i]->kind == NODE_MAP && items[i]->count) read_assignments(r, items[i], key, &points[i]);
        else node_complain(r->diags, items[i], NULL, "an entry of `%s` is a mapping: {stride: 33}", key);
    }
    return points;
}

// The names as the file has them, also those whose values could not be read.
static bool is_axis(const struct node *root, const char *name)
{
    const struct node *together = node_get(root, "together");
    if (node_get(node_get(root, "sweep"), name) || node_get(together, name)) return true;
    for (size_t i = 0; together && together->kind == NODE_LIST && i < together->count; i++)
        if (node_get(together->items[i], name)) return true;
    return false;
}

const char **axes_names(const struct reading *r, const struct node *n, const char *key)
{
    size_t count = node_items(n);
    const char **names = arena_alloc(r->arena, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count && r->diags->count <= NODE_MOST_COMPLAINTS; i++) {
        const struct node *item = node_item(n, i);
        names[i] = node_text(item, key, "names of axes", r->diags);
        if (names[i] && !is_axis(r->root, names[i]))
            node_complain(r->diags, item, "an axis of `sweep` or `together`", "`%s` is not an axis of this experiment",
                names[i]);
    }
    return names;
}

static void read_keep_together(const struct reading *r)
{
    const struct node *n = node_get(r->root, "keep_together");
    if (n) r->e->keep_together = axes_names(r, n, "keep_together");
}

static void require_values(const struct reading *r, const struct naming *names)
{
    const struct kernel *k = r->e->kernel;
    for (size_t i = 0; k && !r->broken && i < k->param_count; i++) {
        bool given = k->params[i].fallback.kind != VALUE_NONE;
        for (size_t n = 0; n < names->count; n++) given |= strcmp(names->names[n], k->params[i].name) == 0;
        const struct node *key = node_key(r->root, "kernel");
        if (!given && key)
            node_complain(r->diags, key, "give it under `with`, or `sweep` it",
                "kernel `%s` needs a value for `%s`: it has no default", k->name, k->params[i].name);
    }
}

void axes_read(struct reading *r)
{
    struct experiment *e = r->e;
    struct naming names = {0};
    const struct node *with = node_section(r->root, "with", &words_experiment, SIZE_MAX, r->diags),
                      *sweep = node_section(r->root, "sweep", &words_experiment, SIZE_MAX, r->diags);
    size_t groups, plain = sweep ? sweep->count : 0;
    if (with) read_assignments(r, with, "with", &e->with);
    for (size_t i = 0; with && i < with->count; i++)
        if (!axes_is_script_option(with->keys[i]->text)) name_once(r, &names, with->keys[i], "with");
    const struct node *const *together = mappings(r, "together", &groups);
    struct axes *all = arena_alloc(r->arena, (plain + groups) * sizeof *all);
    if (sweep) read_sweep(r, sweep, all, &e->sweep_count, &names);
    for (size_t i = 0; i < groups; i++) {
        read_together(r, together[i], &all[e->sweep_count], &names);
        e->sweep_count += all[e->sweep_count].count > 0;
    }
    e->sweep = all;
    require_values(r, &names);
    e->include = read_points(r, "include", &e->include_count);
    e->exclude = read_points(r, "exclude", &e->exclude_count);
    const struct node *include = node_get(r->root, "include");
    for (size_t i = 0; include && include->kind != NODE_TEXT && i < (include->kind == NODE_MAP ? 1 : include->count);
         i++) {
        const struct node *point = include->kind == NODE_MAP ? include : include->items[i];
        for (size_t k = 0; point->kind == NODE_MAP && k < point->count; k++) name_once(r, &names, point->keys[k], NULL);
    }
    e->names = arena_copy(r->arena, names.names, names.count * sizeof *names.names);
    e->name_count = names.count;
    read_keep_together(r);
    free(names.keys);
    free(names.names);
}
