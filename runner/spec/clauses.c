// What an experiment asks of its points and rows: where, measure, derive, expect, script.
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <math.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "lua/script.h"
#include "spec/columns.h"
#include "spec/experiment.h"
#include "spec/reading.h"
#include "spec/scalar.h"
#include "spec/source.h"
#include "spec/traits.h"

// `answer`: sentences with numbers of the report in them. The brackets are matched here, so that a mistake is named
// before the run; what stands in them is looked up in rows that are there later (page/answer.c).

static void check_braces(const struct reading *r, const struct node *n, const char *says)
{
    int depth = 0;
    for (const char *p = says; *p && depth >= 0 && depth < 2; p++) depth += (*p == '{') - (*p == '}');
    if (depth)
        node_complain(r->diags, n, "It takes {time_us[stride == 8] / time_us[stride == 1]} times as long.",
            "`answer` has a { without its }, or one within another");
}

static struct source_expr answer_expression(const struct reading *r, const struct node *n, const char *key)
{
    return scalar_expression(n, key, words_find(&words_answer, key)->takes, r->diags);
}

void answers_read(const struct reading *r)
{
    const struct node *n = node_get(r->root, "answer");
    if (!n || node_is_empty(n)) return;
    const size_t count = node_items(n);
    struct reply *all = arena_alloc(r->arena, (count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        const struct node *item = node_item(n, i), *says = item;
        if (item->kind == NODE_MAP) {
            node_check_keys(item, &words_answer, r->diags);
            says = node_get(item, "says");
        }
        all[i].when = answer_expression(r, item->kind == NODE_MAP ? node_get(item, "when") : NULL, "when");
        all[i].says = answer_expression(r, says, "says");
        if (all[i].says.text) check_braces(r, says, all[i].says.text);
    }
    r->e->answers = all;
    r->e->answer_count = count;
}

// How an experiment wants to be drawn: a mistake is named before the run.

static void check_column(const struct reading *r, const char *key, const struct node *n, const struct known *names)
{
    const char *name = node_text(n, key, "the name of a column", r->diags);
    if (!name || names->anything || known_has(names, name)) return;
    if (strcmp(name, "speedup") == 0 && node_get(node_get(r->root, "chart"), "against")) return; // it makes it
    node_complain(r->diags, n, node_suggestion(name, names->items, r->arena), "no row has a column `%.60s`", name);
}

static void check_against(const struct reading *r, const struct node *n, const struct known *names)
{
    const struct source_expr e = scalar_expression(n, "against", "a Lua expression", r->diags);
    if (e.text) known_check(r->lua, &e, names, r->diags);
}

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);
    return n && n->kind == NODE_TEXT && !node_is_empty(n) ? n->text : NULL;
}

// Names of columns, one or a list of them, separated by commas.
static const char *names_of(const struct reading *r, const struct node *map, const char *key)
{
    const struct node *n = node_get(map, key);
    LOCAL(str_release) struct str s = {0};
    if (!n || n->kind != NODE_LIST) return text_of(map, key);
    for (size_t i = 0; i < n->count; i++)
        if (n->items[i]->kind == NODE_TEXT) str_addf(&s, "%s%s", s.size ? "," : "", n->items[i]->text);
    return s.size ? arena_strdup(r->arena, s.text) : NULL;
}

const char **chart_wish_at(struct chart_wish *w, const char *key)
{
    static const struct {
        const char *key;
        size_t at;
    } all[] = {{"x", offsetof(struct chart_wish, x)}, {"y", offsetof(struct chart_wish, y)},
        {"by", offsetof(struct chart_wish, by)}, {"panels", offsetof(struct chart_wish, panels)},
        {"log", offsetof(struct chart_wish, log)}, {"kind", offsetof(struct chart_wish, kind)},
        {"against", offsetof(struct chart_wish, against)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].key, key) == 0) return (const char **)((char *)w + all[i].at);
    return NULL;
}

// Chart. What it names must be there.
static void charting_read(const struct reading *r, const struct known *names)
{
    const struct node *n = node_section(r->root, "chart", &words_experiment, SIZE_MAX, r->diags);
    if (!n) return;
    r->e->draws = true;
    for (const struct word *w = words_chart.words; w->name; w++)
        *chart_wish_at(&r->e->chart, w->name) = strcmp(w->name, "y") == 0 ? names_of(r, n, "y") : text_of(n, w->name);
    for (size_t i = 0; i < n->count; i++) {
        const char *key = n->keys[i]->text;
        const struct node *item = n->items[i];
        if (!words_find(&words_chart, key)) continue;
        if (strcmp(key, "log") == 0 || strcmp(key, "kind") == 0) node_choice(item, key, &words_chart, r->diags);
        else if (strcmp(key, "against") == 0) check_against(r, item, names);
        else if (strcmp(key, "y") == 0 && item->kind == NODE_LIST)
            for (size_t k = 0; k < item->count; k++) check_column(r, key, item->items[k], names);
        else check_column(r, key, item, names);
    }
}

// What the experiment found when it was measured before: prose, and the report that it rests on.

void found_before_read(const struct reading *r)
{
    const struct node *n = node_section(r->root, "found", &words_experiment, SIZE_MAX, r->diags);
    struct found_before *f = &r->e->found;
    if (!n) return;
    const struct {
        const char *key, **to;
    } all[] = {{"device", &f->device}, {"driver", &f->driver}, {"date", &f->date}, {"by", &f->by},
        {"report", &f->report}, {"says", &f->says}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct node *item = node_get(n, all[i].key);
        if (item) *all[i].to = node_text(item, all[i].key, words_find(&words_found, all[i].key)->takes, r->diags);
    }
    if (!f->says || !f->device || !f->date) f->says = NULL; // what lacks has been complained of
}

char *found_before_text(const struct found_before *f, bool whole)
{
    struct str s = {0};
    const char *end = f->says;
    if (!end) return NULL;
    // A sentence ends with a full stop before a space; the one in `0.5` has none.
    for (end = strstr(f->says, ". "); !whole && end && end > f->says && end[2] >= 'a' && end[2] <= 'z';)
        end = strstr(end + 1, ". ");
    str_addf(&s, "On %s, %s: ", f->device, f->date);
    if (whole || !end) str_add(&s, f->says);
    else str_add_bytes(&s, f->says, (size_t)(end - f->says) + 1);
    return str_take(&s);
}

// Looks for the names of counted columns in expressions and in the text of a script.

static int counted_as(const char *name)
{
    bool sim;
    const int c = column_shown(name, &sim);
    if (c < 0 || !column_counted(c)) return 0;
    return column_table[c].group == COLUMNS_ACCESS ? COUNTS_ACCESS : COUNTS_HARDWARE;
}

static int by_expression(const struct source_expr *x, struct sandbox *lua)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct expr *e = x->text ? expr_new(lua, x->text, x->at, &ignored) : NULL;
    int counts = 0;
    for (const char *const *n = e ? expr_names(e) : NULL; n && *n; n++) counts |= counted_as(*n);
    expr_free(e);
    return counts;
}

static int counted_asked(const struct experiment *e, struct sandbox *lua)
{
    int counts = 0;
    for (size_t i = 0; i < e->derive_count; i++) counts |= by_expression(&e->derive[i].expr, lua);
    for (size_t i = 0; i < e->expect_count; i++)
        counts |= by_expression(&e->expect[i].when, lua) | by_expression(&e->expect[i].that, lua);
    return counts;
}

// `row.name` outside of a comment.
static bool reads(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *comment = strstr(line, "--");
        if (comment && comment < end) end = comment;
        for (const char *p = line; (p = strstr(p, name)) && p < end; p += n)
            if (p > line && p[-1] == '.' && !skip_is_word(p[n])) return true;
    }
    return false;
}

static int counted_script(const struct experiment *e, const struct script *s)
{
    const struct script_facts *f = script_facts(s);
    int counts = 0;
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (reads(script_source(s), column_table[c].name)) counts |= counted_as(column_table[c].name);
    for (size_t i = 0; f->params && f->params[i]; i++) { // a column that a parameter names
        struct value v = f->param_values[i];
        for (size_t k = 0; k < e->script_options.count; k++)
            if (strcmp(e->script_options.items[k].name, f->params[i]) == 0) v = e->script_options.items[k].value;
        if (v.kind == VALUE_TEXT) counts |= counted_as(v.text);
    }
    return counts;
}

enum { MOST_DERIVED = 1000 };

// Values that are words: someone may forget their quotes in an expression.
static const char *const *words_of(const struct reading *r)
{
    const struct kernel *k = r->e->kernel;
    struct known words = {0};
    for (size_t i = 0; k && i < k->param_count; i++) {
        const struct value_list *list = k->params[i].one_of;
        for (size_t n = 0; list && k->params[i].is_text && n < list->count; n++) known_add(&words, list->items[n].text);
    }
    for (int s = 0; s < SETTING_COUNT; s++) {
        if (setting_table[s].type != SETTING_CHOICE && setting_table[s].type != SETTING_FLAGS) continue;
        for (const struct choice *c = setting_table[s].choices; c->word; c++) known_add(&words, c->word);
    }
    const char *const *result = arena_copy(r->arena, words.items, (words.count + 1) * sizeof *words.items);
    known_release(&words);
    return result;
}

// Names for every expression of an experiment: parameters and settings. Expressions over rows also know the columns.
static struct known values_of(const struct reading *r)
{
    const struct kernel *k = r->e->kernel;
    struct known names = {.anything = !k, .words = words_of(r), .kinds = kinds_here, .context = r->e};
    for (size_t i = 0; k && i < k->param_count; i++) known_add(&names, k->params[i].name);
    for (int i = 0; i < SETTING_COUNT; i++) known_add(&names, setting_table[i].name);
    for (size_t i = 0; i < r->e->name_count; i++) // memory.in, where the file has it
        if (strchr(r->e->names[i], '.') && setting_named(r->e->names[i]) < 0) known_add(&names, r->e->names[i]);
    for (int i = 0; i < TRAIT_COUNT; i++) known_add(&names, trait_table[i].name);
    known_add(&names, "kernel");
    return names;
}

static void add_columns(const struct reading *r, struct known *names)
{
    const struct kernel *k = r->e->kernel;
    for (int i = 0; i < COLUMN_COUNT; i++) known_add(names, column_table[i].name);
    for (int i = 0; i < COLUMN_COUNT; i++) // `counters: both` has them
        if (column_has_sim(i)) known_add(names, arena_printf(r->arena, "sim_%s", column_table[i].name));
    for (const struct text_column *c = column_texts; c->name; c++)
        if (strcmp(c->name, COLUMN_CHECKSUM) != 0) known_add(names, c->name);
    for (size_t i = 0; k && i < k->report_count; i++) known_add(names, k->reports[i].name);
}

static void read_where(const struct reading *r, const struct known *names)
{
    const struct node *n = node_get(r->root, "where");
    if (!n || node_is_empty(n)) return;
    size_t count = node_items(n);
    struct source_expr *where = arena_alloc(r->arena, count * sizeof *where);
    for (size_t i = 0; i < count; i++) {
        where[i] = scalar_expression(node_item(n, i), "where", "a Lua expression", r->diags);
        known_check(r->lua, &where[i], names, r->diags);
    }
    r->e->where = where;
    r->e->where_count = count;
}

static bool check_derived_name(const struct reading *r, const struct node *key, const struct known *names)
{
    const char *name = key->text, *taken = known_taken(name);
    if (!source_is_identifier(name))
        return node_complain(r->diags, key, NULL, "`%s` cannot be a column: letters, digits and _ only", name);
    if (!taken && known_has(names, name)) taken = "a parameter or report of the kernel";
    return !taken ||
        node_complain(r->diags, key, NULL, "a derived column cannot be named `%s`: that is %s", name, taken);
}

static void read_derive(const struct reading *r, struct known *names)
{
    const struct node *n = node_section(r->root, "derive", &words_experiment, MOST_DERIVED, r->diags);
    if (!n) return;
    struct named_expr *derive = arena_alloc(r->arena, n->count * sizeof *derive);
    for (size_t i = 0; i < n->count; i++) {
        const struct node *item = n->items[i], *is = item->kind == NODE_MAP ? node_get(item, "is") : item,
                          *unit = item->kind == NODE_MAP ? node_get(item, "unit") : NULL,
                          *about = item->kind == NODE_MAP ? node_get(item, "about") : NULL;
        derive[i].name = n->keys[i]->text;
        if (item->kind == NODE_MAP) node_check_keys(item, &words_derived, r->diags);
        if (is) derive[i].expr = scalar_expression(is, derive[i].name, "a Lua expression", r->diags);
        if (unit) derive[i].unit = node_text(unit, "unit", "a unit (GB/s)", r->diags);
        if (about) derive[i].about = node_text(about, "about", "a text", r->diags);
        bool fits = check_derived_name(r, n->keys[i], names);
        known_check(r->lua, &derive[i].expr, names, r->diags);
        if (fits) known_add(names, derive[i].name); // those below may use it
    }
    r->e->derive = derive;
    r->e->derive_count = n->count;
}

enum { VALUES_MOST = 64 };

// The values of an axis as rows show them; NULL: it is no axis of the file.
static const char *const *shown_values(const struct reading *r, const char *axis)
{
    const char **texts = arena_alloc(r->arena, (VALUES_MOST + 1) * sizeof *texts);
    size_t n = 0;
    bool found = false;
    for (size_t i = 0; i < r->e->sweep_count; i++)
        for (size_t k = 0; k < r->e->sweep[i].count; k++) {
            const struct axis *a = &r->e->sweep[i].items[k];
            if (strcmp(a->name, axis) != 0) continue;
            found = true;
            if (a->count > VALUES_MOST) return NULL;
            for (size_t v = 0; v < a->count; v++) {
                LOCAL(str_release) struct str s = {0};
                value_print(a->values[v], &s);
                texts[n++] = arena_strdup(r->arena, s.size ? s.text : "");
            }
        }
    return found && !r->e->include_count ? texts : NULL;
}

static void check_value(const struct reading *r, const char *option, const char *name, const char *value,
    struct where at)
{
    const char *const *values = shown_values(r, name);
    bool there = !values || !*value;
    for (size_t i = 0; values && values[i]; i++) // a number may be that of an expression (`sms`)
        there |=
            strcmp(values[i], value) == 0 || (isdigit((unsigned char)*value) && !isdigit((unsigned char)*values[i]));
    if (!there)
        node_complain_at(r->diags, at, node_suggestion(value, values, r->arena),
            "`%s` of the script: no point has %s = %s", option, name, value);
}

// What a script's option names must be there: NAME, ... or NAME=VALUE, ...
static void check_names(const struct reading *r, const char *option, const char *text, struct where at,
    const struct known *names)
{
    for (const char *p = text; *(p += strspn(p, ", \t"));) {
        const size_t n = strcspn(p, ",= \t");
        const char *name = arena_strndup(r->arena, p, n);
        if (n && !known_has(names, name))
            node_complain_at(r->diags, at, node_suggestion(name, names->items, r->arena),
                "`%s` of the script: no column or axis is named `%s`", option, name);
        p += n;
        p += strspn(p, " \t");
        if (*p == '=') {
            p += 1 + strspn(p + 1, " \t");
            check_value(r, option, name, arena_strndup(r->arena, p, strcspn(p, ", \t")), at);
        }
        p += strcspn(p, ",");
    }
}

static void check_options(const struct reading *r, const struct script_facts *f, const struct known *names)
{
    for (size_t i = 0; f->params && f->params[i] && !names->anything; i++) {
        struct value v = f->param_values[i];
        struct where at = r->e->script_at;
        for (size_t k = 0; k < r->e->script_options.count; k++) {
            const struct assignment *a = &r->e->script_options.items[k];
            if (strcmp(a->name, f->params[i]) == 0) v = a->value, at = a->at;
        }
        if (f->param_names[i] && v.kind == VALUE_TEXT) check_names(r, f->params[i], v.text, at, names);
    }
}

// The columns that a script's `derive` adds. A script that does not load is complained of when it is loaded to be run.
static void add_script_columns(const struct reading *r, struct known *names)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct script *s = r->e->script ? script_new(r->lua, r->e->script, NULL, 0, r->e->script_at, &ignored) : NULL;
    for (const char *const *c = s ? script_facts(s)->columns : NULL; c && *c; c++)
        known_add(names, arena_strdup(r->arena, *c));
    if (r->e->script && !s) names->anything = true;
    if (s) r->e->counts |= counted_script(r->e, s);
    if (s) check_options(r, script_facts(s), names);
    if (s) script_free(s);
}

static void read_expect(const struct reading *r, const struct known *names)
{
    const struct node *n = node_get(r->root, "expect");
    if (!n || node_is_empty(n)) return;
    size_t count = node_items(n);
    struct expectation *expect = arena_alloc(r->arena, count * sizeof *expect);
    for (size_t i = 0; i < count; i++) {
        const struct node *item = node_item(n, i), *that = node_get(item, "that"), *when = node_get(item, "when"),
                          *over = node_get(item, "over");
        if (item->kind == NODE_MAP) {
            node_check_keys(item, &words_expectation, r->diags);
            if (!that)
                node_complain(r->diags, item, "{when: stride == 1, that: sectors_per_request == 4}",
                    "an expectation has no `that`");
        } else {
            that = item;
        }
        if (that) expect[i].that = scalar_expression(that, "that", "a Lua expression", r->diags);
        if (when) expect[i].when = scalar_expression(when, "when", "a Lua expression", r->diags);
        if (over) expect[i].over = axes_names(r, over, "over");
        known_check(r->lua, &expect[i].when, names, r->diags);
        known_check(r->lua, &expect[i].that, names, r->diags);
    }
    r->e->expect = expect;
    r->e->expect_count = count;
}

// Each key of `measure`: the unit that it takes, besides none, and its limits.
struct goal {
    const char *name, *takes, *fallback;
    enum unit unit;
    bool whole;
    double least, most;
    size_t offset;
};
#define X(name, is, takes, fallback, about, unit, whole, least, most) \
    {#name, takes, fallback, unit, whole, least, most, offsetof(struct goals, name)},
static const struct goal goal_table[] = {GOALS(X)};
#undef X
enum { GOAL_COUNT = sizeof goal_table / sizeof goal_table[0] };

static void set_goal(struct goals *goals, const struct goal *g, struct value v)
{
    char *field = (char *)goals + g->offset;
    double x = 0;
    value_number(v, &x);
    int whole = (int)x;
    if (g->whole) memcpy(field, &whole, sizeof whole);
    else memcpy(field, &x, sizeof x);
}

static void read_goal(const struct reading *r, const struct goal *g, const struct node *n)
{
    struct value v;
    enum unit unit = UNIT_NONE;
    char why[160] = "";
    double x;
    bool number = n->kind == NODE_TEXT && units_parse(n->text, &v, &unit, why);
    if (!number || (unit != UNIT_NONE && unit != g->unit) || !value_number(v, &x) || x < g->least || x > g->most ||
        (g->whole && v.kind != VALUE_INT)) {
        const char *shown =
            n->kind == NODE_TEXT && !node_is_empty(n) ? arena_printf(r->arena, "`%.60s`", n->text) : node_kind_name(n);
        node_complain(r->diags, n, NULL, "`%s` takes %s, not %s", g->name, g->takes, shown);
        return;
    }
    set_goal(&r->e->goals, g, v);
}

// {of: cycles, to: 1%}: of a value that the kernel reports. False: it is the plain number.
static bool read_value_goal(const struct reading *r, const struct goal *g, const struct node *n)
{
    const struct kernel *k = r->e->kernel;
    const struct node *of = node_get(n, "of"), *to = node_get(n, "to");
    if (n->kind != NODE_MAP || g->offset != offsetof(struct goals, precision)) return false;
    node_check_keys(n, &words_share, r->diags);
    if (to) read_goal(r, g, to);
    if (!of) return node_complain(r->diags, n, "precision: {of: cycles, to: 1%}", "`precision` has no `of`"), true;
    const char *name = node_text(of, "of", "a value that the kernel reports", r->diags);
    struct known names = {0};
    for (size_t i = 0; k && i < k->report_count; i++) {
        known_add(&names, k->reports[i].name);
        if (name && strcmp(k->reports[i].name, name) == 0) r->e->goals.of = (int)i + 1;
    }
    if (name && k && !r->e->goals.of)
        node_complain(r->diags, of, names.count ? node_suggestion(name, names.items, r->arena) : NULL,
            "kernel `%s` reports no `%s`", k->name, name);
    known_release(&names);
    return true;
}

static void read_measure(const struct reading *r)
{
    const struct node *n = node_section(r->root, "measure", &words_experiment, SIZE_MAX, r->diags);
    struct goals *goals = &r->e->goals;
    for (int i = 0; i < GOAL_COUNT; i++) {
        struct value v;
        enum unit unit;
        char why[160];
        if (units_parse(goal_table[i].fallback, &v, &unit, why)) set_goal(goals, &goal_table[i], v);
    }
    if (!n) return;
    for (int i = 0; i < GOAL_COUNT; i++) {
        const struct node *item = node_get(n, goal_table[i].name);
        if (item && !read_value_goal(r, &goal_table[i], item)) read_goal(r, &goal_table[i], item);
    }
    if (goals->max_samples >= goals->min_samples) return;
    if (!node_get(n, "max_samples")) goals->max_samples = goals->min_samples;
    else if (!node_get(n, "min_samples")) goals->min_samples = goals->max_samples;
    else
        node_complain(r->diags, node_get(n, "max_samples"), NULL, "`max_samples` is below `min_samples`, %d",
            goals->min_samples);
}

static void add_option(const struct reading *r, const char *name, const struct node *key, const struct node *n)
{
    struct assignments *all = &r->e->script_options;
    struct assignment *items = (struct assignment *)all->items; // room was made for all
    enum unit unit;
    if (n->kind != NODE_TEXT || node_is_empty(n))
        node_complain(r->diags, key, NULL, "script option `%s` takes a number, a word, true or false", name);
    struct assignment option = {name, scalar_read(n, &unit), node_where(key)};
    for (size_t i = 0; i < all->count && all->count < MOST_DERIVED; i++) { // more would be complained of anyway
        if (strcmp(items[i].name, name) != 0) continue;
        items[i] = option; // an option under `script` wins over one under `with`
        return;
    }
    items[all->count++] = option;
}

static void read_options(const struct reading *r, const struct node *script)
{
    const struct node *with = node_get(r->root, "with");
    size_t most =
        (with && with->kind == NODE_MAP ? with->count : 0) + (script && script->kind == NODE_MAP ? script->count : 0);
    r->e->script_options.items = arena_alloc(r->arena, most * sizeof(struct assignment));
    for (size_t i = 0; with && with->kind == NODE_MAP && i < with->count; i++) {
        if (!axes_is_script_option(with->keys[i]->text)) continue;
        add_option(r, with->keys[i]->text + 7, with->keys[i], with->items[i]);
        if (!script && !r->broken)
            node_complain(r->diags, with->keys[i], "script: tune, or script: ./mine.lua",
                "`%s` is an option of a script, but there is no `script`", with->keys[i]->text);
    }
    for (size_t i = 0; script && script->kind == NODE_MAP && i < script->count; i++)
        if (strcmp(script->keys[i]->text, "file") != 0)
            add_option(r, script->keys[i]->text, script->keys[i], script->items[i]);
}

static void read_script(const struct reading *r)
{
    const struct node *n = node_get(r->root, "script"), *file = n && n->kind == NODE_MAP ? node_get(n, "file") : n;
    if (n && n->kind == NODE_TEXT && node_is_empty(n)) n = file = NULL;
    read_options(r, n);
    if (file) {
        r->e->script = node_text(file, "script", "a path", r->diags);
        r->e->script_at = node_where(file);
    } else if (n) {
        node_complain(r->diags, n, "script: {file: tune, budget: 20}", "`script` has no `file`");
    }
}

void clauses_read(struct reading *r)
{
    struct known names = values_of(r);
    read_measure(r);
    read_where(r, &names);
    add_columns(r, &names);
    read_script(r);
    read_derive(r, &names);
    add_script_columns(r, &names); // they are computed after the file's own columns: `derive` does not see them
    read_expect(r, &names);
    charting_read(r, &names);
    r->e->counts |= counted_asked(r->e, r->lua);
    known_release(&names);
}
