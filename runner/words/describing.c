// Everything that a name can mean, from the tables and files that give it its meaning.
// SPDX-License-Identifier: MIT
#include "words/describing.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lua/functions.h"
#include "lua/script.h"
#include "plan/plan.h"
#include "spec/experiment.h"
#include "spec/node.h"
#include "words/glossary.h"

// Its script and the values of its parameters; nothing where it has none.
static void describe_script_of(const struct describing *to, const struct experiment *);

static void linef(const struct describing *to, const char *label, const char *fmt, ...)
{
    STR_FORMATTED(text, fmt);
    to->line(label, text.text ? text.text : "");
}

static void bounds(const struct param *p, struct str *s)
{
    if (p->one_of) {
        str_add(s, "; one of: ");
        for (size_t i = 0; i < p->one_of->count; i++) {
            if (i) str_add(s, ", ");
            value_print(p->one_of->items[i], s);
        }
    }
    if (p->has_min) {
        str_add(s, "; at least ");
        value_print(p->min, s);
    }
    if (p->has_max) {
        str_add(s, "; at most ");
        value_print(p->max, s);
    }
}

static void describe_parameter(const struct describing *to, const struct param *p)
{
    static const char *const kinds[] = {[PARAM_ARGUMENT] = "argument",
        [PARAM_CONSTANT] = "compile-time",
        [PARAM_TYPE] = "type",
        [PARAM_VARIANT] = "entry point"};
    LOCAL(str_release) struct str s = {0};
    str_add(&s, kinds[p->kind]);
    bounds(p, &s);
    if (p->fallback.kind == VALUE_NONE) str_add(&s, "; must be given");
    else {
        str_add(&s, "; default ");
        value_print(p->fallback, &s);
    }
    to->line(p->name, p->about && *p->about ? p->about : s.text);
    if (p->about && *p->about) to->line("", s.text);
}

static void buffer(const struct describing *to, const struct buffer *b)
{
    static const char *const uses[] = {
        [ACCESS_READ] = "read", [ACCESS_WRITE] = "written", [ACCESS_BOTH] = "read and written"};
    linef(to, b->name, "%s[%s], %s%s%s%s%s", b->type, b->count.text, uses[b->access], b->fill ? ", filled: " : "",
        b->fill ? b->fill : "", b->about ? "; " : "", b->about ? b->about : "");
}

static void add_list(struct str *s, const char *before, const struct source_expr *list, int count)
{
    if (!count) return;
    str_addf(s, "%s%s", before, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) str_addf(s, "%s%s", i ? ", " : "", list[i].text);
    if (count > 1) str_add(s, "]");
}

static void passed(const struct describing *to, const struct passed *p)
{
    LOCAL(str_release) struct str s = {0};
    const struct tensor *t = p->tensor;
    add_list(&s, "", p->items, p->count);
    if (t) {
        add_list(&s, "a tensor map of ", &t->of, t->of.text != NULL);
        add_list(&s, ", box ", t->lists[TENSOR_BOX], t->counts[TENSOR_BOX]);
        add_list(&s, ", lower ", t->lists[TENSOR_LOWER], t->counts[TENSOR_LOWER]);
        add_list(&s, ", upper ", t->lists[TENSOR_UPPER], t->counts[TENSOR_UPPER]);
        add_list(&s, ", swizzle ", &t->words[TENSOR_SWIZZLE], t->words[TENSOR_SWIZZLE].text != NULL);
    }
    to->line(p->name, s.text ? s.text : "");
}

static void expression(const struct describing *to, const char *label, struct source_expr e)
{
    if (e.text) to->line(label, e.text);
}

// The path of the kernel or script of that name; a path counts only with the suffix. NULL: none; the caller frees it.
static char *file_of(const char *kind, const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    bool suffixed = n > s && strcmp(name + n - s, suffix) == 0;
    return strchr(name, '/') && !suffixed ? NULL : file_find(kind, name, suffix);
}

// False: there is none of that name. For a file that is in error, the complaints are printed.
static bool describe_kernel(const struct describing *to, const char *name, struct diags *d)
{
    char *path = file_of("kernels", name, ".cu");
    struct kernel *k = path ? kernel_load(name, d) : NULL;
    bool found = path != NULL;
    free(path);
    if (!k) return found;
    to->heading("is a kernel", k->name, k->path);
    if (k->about) to->line("", k->about);
    if (k->param_count) to->under("parameters");
    for (size_t i = 0; i < k->param_count; i++) describe_parameter(to, &k->params[i]);
    if (k->buffer_count) to->under("buffers");
    for (size_t i = 0; i < k->buffer_count; i++) buffer(to, &k->buffers[i]);
    if (k->passed_count) to->under("arguments");
    for (size_t i = 0; i < k->passed_count; i++) passed(to, &k->passed[i]);
    if (k->report_count) to->under("reports");
    for (size_t i = 0; i < k->report_count; i++)
        linef(to, k->reports[i].name, "%s%s%s", k->reports[i].type, k->reports[i].about ? ": " : "",
            k->reports[i].about ? k->reports[i].about : "");
    to->under("launch");
    static const char *const axes[] = {"threads", "threads.y", "threads.z"};
    for (int i = 0; i < 3; i++) expression(to, axes[i], k->threads[i]);
    if (k->host) to->line("host", "C++ of the description launches, on this machine");
    expression(to, "needs", k->needs);
    expression(to, "shared", k->shared);
    expression(to, "carveout", k->carveout);
    expression(to, "useful", k->useful);
    expression(to, "flops", k->flops);
    to->line("check", k->check ? "every result is verified" : "none: points are `unverified`, not `ok`");
    kernel_free(k);
    return true;
}

static void assignments(const struct describing *to, const char *label, const struct assignments *list)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < list->count; i++) {
        str_addf(&s, "%s%s = ", i ? ", " : "", list->items[i].name);
        value_print(list->items[i].value, &s);
    }
    if (s.text) to->line(label, s.text);
}

static void axis(const struct describing *to, const struct axis *x)
{
    enum { SHOWN = 12 };
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < x->count; i++) {
        if (x->count > SHOWN && i == SHOWN - 2) {
            str_addf(&s, ", ... (%zu values) ..., ", x->count);
            i = x->count - 1;
        } else if (i) str_add(&s, ", ");
        value_print(x->values[i], &s);
    }
    to->line(x->name, s.text ? s.text : "");
}

static void one_experiment(const struct describing *to, const struct experiment *e)
{
    to->heading("is an experiment", e->name, e->file);
    if (e->question) to->line("", e->question);
    for (size_t i = 0; i < e->kernel_count; i++) to->line("kernel", e->kernels[i]->name);
    if (e->theme) to->line("theme", e->theme);
    assignments(to, "with", &e->with);
    if (e->for_device) to->line("for", e->for_device);
    for (int together = 0; together < 2; together++)
        for (size_t i = 0, said = 0; i < e->sweep_count; i++) {
            if ((e->sweep[i].count > 1) != together) continue;
            if (!said++ || together) to->under(together ? "together" : "sweep");
            for (size_t j = 0; j < e->sweep[i].count; j++) axis(to, &e->sweep[i].items[j]);
        }
    if (e->where_count || e->include_count || e->exclude_count) to->under("points");
    for (size_t i = 0; i < e->where_count; i++) to->line("where", e->where[i].text);
    for (size_t i = 0; i < e->include_count; i++) assignments(to, "include", &e->include[i]);
    for (size_t i = 0; i < e->exclude_count; i++) assignments(to, "exclude", &e->exclude[i]);
    if (e->derive_count) to->under("derived columns");
    for (size_t i = 0; i < e->derive_count; i++) to->line(e->derive[i].name, e->derive[i].expr.text);
    describe_script_of(to, e);
    if (e->expect_count) to->under("claims");
    for (size_t i = 0; i < e->expect_count; i++) {
        LOCAL(str_release) struct str claim = {0};
        str_add(&claim, e->expect[i].that.text);
        for (const char *const *name = e->expect[i].over; name && *name; name++)
            str_addf(&claim, "%s %s", name == e->expect[i].over ? ", over" : ",", *name);
        if (e->expect[i].when.text) str_addf(&claim, ", when %s", e->expect[i].when.text);
        to->line("expect", claim.text);
    }
    if (e->found.says) {
        to->under("what was found");
        linef(to, "on", "%s%s%s, %s", e->found.device, e->found.driver ? ", driver " : "",
            e->found.driver ? e->found.driver : "", e->found.date);
        to->line("says", e->found.says);
        if (e->found.by) to->line("by", e->found.by);
        if (e->found.report) to->line("report", e->found.report);
    }
}

static char *experiment_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    struct str path = {0};
    if (!dot || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0)) // a path to something else is none
        return strchr(name, '/') ? NULL : file_find("experiments", name, ".yaml");
    str_add(&path, name);
    return str_take(&path);
}

static bool describe_experiment(const struct describing *to, const char *name, struct diags *d)
{
    LOCAL(experiments_free) struct experiments all = {0};
    LOCAL(mem_drop) char *path = experiment_of(name);
    const bool found = path != NULL;
    if (found && experiments_load(path, NULL, 0, &all, d))
        for (size_t i = 0; i < all.count; i++) one_experiment(to, all.items[i]);
    return found;
}

// Words of the glossary: one with all that is known of it, or a group as a list.
static void whole(const struct describing *to, const struct entry *e)
{
    to->heading(e->what, e->word, "");
    to->line("", e->about);
    if (*e->takes) to->line("takes", e->takes);
    for (const struct choice *c = e->choices; c && c->word; c++) {
        LOCAL(str_release) struct str label = {0};
        str_addf(&label, "  %s", c->word);
        to->line(label.text, c->about);
    }
    for (const struct word *k = e->keys ? e->keys->words : NULL; k && k->name; k++) {
        LOCAL(str_release) struct str label = {0}, text = {0};
        str_addf(&label, "  %s", k->name);
        str_addf(&text, "%s; takes %s%s%s", k->about, k->takes, *k->fallback ? "; default " : "", k->fallback);
        to->line(label.text, text.text);
    }
    if (*e->fallback) to->line("default", e->fallback);
    if (*e->unit) to->line("unit", e->unit);
    if (*e->note) to->line("", e->note);
    if (e->shown) to->line("try", e->shown);
}

enum describe_part { DESCRIBE_TERMS, DESCRIBE_COLUMNS, DESCRIBE_KEYS };

struct asked {
    const struct describing *to;
    const char *name;
    char section[96];
    enum describe_part part;
    bool found;
};

static enum describe_part part_of(const struct entry *e)
{
    return strcmp(e->group, "terms") == 0  ? DESCRIBE_TERMS
        : strcmp(e->group, "columns") == 0 ? DESCRIBE_COLUMNS
                                           : DESCRIBE_KEYS;
}

static void if_meant(void *context, const struct entry *e)
{
    struct asked *a = context;
    if (part_of(e) != a->part || !glossary_means(e, a->name)) return;
    a->found = true;
    whole(a->to, e);
}

// Each of its meanings of that part of the glossary.
static bool describe_word(const struct describing *to, const char *name, enum describe_part part)
{
    struct asked a = {.to = to, .name = name, .part = part};
    glossary_each(if_meant, &a);
    return a.found;
}

static void in_a_line(void *context, const struct entry *e)
{
    struct asked *a = context;
    LOCAL(str_release) struct str text = {0};
    if (strcmp(e->group, a->name) != 0) return;
    if (strcmp(a->section, e->section) != 0) a->to->under(e->section);
    snprintf(a->section, sizeof a->section, "%s", e->section);
    str_add(&text, e->about);
    if (*e->takes) str_addf(&text, "; takes %s", e->takes);
    for (const struct choice *c = strcmp(e->group, "settings") == 0 ? e->choices : NULL; c && c->word; c++)
        str_addf(&text, "%s%s", c == e->choices ? " " : ", ", c->word);
    if (*e->fallback) str_addf(&text, "; default %s", e->fallback);
    if (*e->unit) str_addf(&text, "; in %s", e->unit);
    a->to->line(e->word, text.text);
}

static bool describe_group(const struct describing *to, const char *name)
{
    const int i = choice_find(glossary_groups, name);
    struct asked a = {.to = to, .name = name};
    if (i < 0) return false;
    to->heading("is a group of words:", name, "");
    to->line("", glossary_groups[i].about);
    glossary_each(in_a_line, &a);
    return true;
}

static void describe_groups(const struct describing *to)
{
    to->heading("explains a word, or lists those of a group:", "describe", "");
    for (const struct choice *g = glossary_groups; g->word; g++) to->line(g->word, g->about);
    to->line("lua", "expressions, scripts and their library, on one page");
}

// What Lua can do here: expressions, scripts, and the library, whose modules and functions are described by the
// comments above them in the embedded files.
static void print_function(void *context, const struct library_function *f)
{
    LOCAL(str_release) struct str label = {0};
    str_addf(&label, "%s%s", f->name, f->arguments);
    ((const struct describing *)context)->line(label.text, f->about);
}

static bool describe_module(const struct describing *to, const char *name)
{
    char module[64];
    for (const struct embedded *e = embedded_files; e->name; e++) {
        LOCAL(str_release) struct str about = {0};
        if (!library_module(e, module) || strcmp(module, name) != 0) continue;
        library_opening(e->text, &about);
        to->heading("is a module of the Lua library, for scripts", name, "");
        if (about.size) to->line("", about.text);
        library_functions(e, print_function, (void *)to);
        return true;
    }
    return false;
}

// `label.` before each name; then its sentence and its value.
static void parameters(const struct describing *to, const struct script_facts *f, const char *label,
    const char *value_is)
{
    LOCAL(str_release) struct str name = {0}, text = {0};
    for (size_t i = 0; f->params && f->params[i]; i++) {
        str_clear(&name);
        str_clear(&text);
        str_addf(&name, "%s%s", label, f->params[i]);
        str_addf(&text, "%s%s%s ", f->param_about[i] ? f->param_about[i] : "", f->param_about[i] ? "; " : "", value_is);
        size_t before = text.size;
        value_print(f->param_values[i], &text);
        if (text.size == before) str_add(&text, "empty");
        to->line(name.text, text.text);
    }
}

// A script by itself, to be asked what it takes and adds.
struct opened {
    struct sandbox *box;
    struct script *script;           // NULL: it is in error
    const struct script_facts *says; // all empty then
};

static struct opened open_script(const char *name, const struct script_param *given, size_t count, struct where at,
    struct diags *d)
{
    static const struct script_facts nothing;
    struct opened o = {.box = sandbox_new(&(struct sandbox_limits){0})};
    o.script = script_new(o.box, name, given, count, at, d);
    o.says = o.script ? script_facts(o.script) : &nothing;
    return o;
}

static void close_script(struct opened *o)
{
    if (o->script) script_free(o->script);
    sandbox_free(o->box);
}

static void describe_script_of(const struct describing *to, const struct experiment *e)
{
    if (!e->script) return;
    LOCAL(diags_clear) struct diags ignored = {0}; // `check` reports them
    LOCAL(mem_drop) struct script_param *given = mem_alloc((e->script_options.count + 1) * sizeof *given);
    for (size_t i = 0; i < e->script_options.count; i++) {
        const struct assignment *a = &e->script_options.items[i];
        given[i] = (struct script_param){a->name, a->value, a->at};
    }
    LOCAL(close_script)
    struct opened o = open_script(e->script, given, e->script_options.count, e->script_at, &ignored);
    to->under("script");
    linef(to, "file", "%s%s%s", e->script, o.says->about ? ": " : "", o.says->about ? o.says->about : "");
    parameters(to, o.says, "script.", "here");
}

void describe_script_options(const struct describing *to, const char *file)
{
    LOCAL(experiments_free) struct experiments all = {0};
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop)
    char *path = strchr(file, '/') || file_exists(file) ? NULL : file_find("experiments", file, ".yaml");
    if (experiments_load(path ? path : file, NULL, 0, &all, &ignored))
        for (size_t i = 0; i < all.count; i++) describe_script_of(to, all.items[i]);
}

// A parameter or a column of scripts.
static bool describe_script_words(const struct describing *to, const char *name)
{
    LOCAL(file_list_drop) char **scripts = file_list("lua", ".lua");
    bool found = false;
    for (char **s = scripts; *s; s++) {
        LOCAL(diags_clear) struct diags ignored = {0};
        LOCAL(close_script) struct opened o = open_script(*s, NULL, 0, (struct where){0}, &ignored);
        const struct script_facts *f = o.says;
        for (size_t i = 0; f->params && f->params[i]; i++) {
            if (strcmp(f->params[i], name) != 0) continue;
            to->heading("is a parameter of a script, set by -s script.NAME=VALUE", name, *s);
            to->line("", f->param_about[i] ? f->param_about[i] : "");
            found = true;
        }
        for (size_t i = 0; f->columns && f->columns[i]; i++) {
            if (strcmp(f->columns[i], name) != 0) continue;
            to->heading("is a column that a script adds", name, *s);
            to->line("", f->column_about[i] ? f->column_about[i] : "");
            found = true;
        }
    }
    return found;
}

static bool describe_script(const struct describing *to, const char *name, struct diags *d)
{
    LOCAL(mem_drop) char *path = file_of("lua", name, ".lua");
    if (!path) return false;
    LOCAL(close_script) struct opened o = open_script(path, NULL, 0, (struct where){.file = path}, d);
    if (!o.script) return true;
    const struct script_facts *f = o.says;
    LOCAL(str_release) struct str about = {0};
    library_opening(script_source(o.script), &about);
    to->heading("is a script", name, path);
    if (f->about || about.size) to->line("", f->about ? f->about : about.text);
    if (f->params && *f->params) to->under("parameters");
    parameters(to, f, "", "default");
    if (f->columns && *f->columns) to->under("columns that it adds");
    for (size_t i = 0; f->columns && f->columns[i]; i++)
        to->line(f->columns[i], f->column_about[i] ? f->column_about[i] : "");
    return true;
}

static void list_script(const struct describing *to, const char *name)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(close_script) struct opened o = open_script(name, NULL, 0, (struct where){0}, &ignored);
    to->line(name, !o.script ? "(in error)" : o.says->about ? o.says->about : "");
}

static bool describe_lua(const struct describing *to, const char *name)
{
    if (strcmp(name, "lua") != 0) return false;
    to->heading("is the language of every expression and of scripts", "lua", "5.4");
    to->under("expressions");
    to->line("where", "sees what the point sets: parameters and settings, units already worked out");
    to->line("derive, expect",
        "see that and every column; a column that is not known is nil, and what is made of nil stays empty");
    to->line("kernel files", "counts, threads, useful, flops: the kernel's parameters, and sizeof(TYPE)");
    to->line("everywhere",
        "math, string, table and utf8; min, max, ceil, floor, abs, log2, sqrt without `math.` in front; "
        "sizeof(\"float4\"), cdiv(n, block) that rounds up (`gpuexp describe expressions` lists all); no io, os, load, "
        "require or debug; 256 MiB, 10^8 instructions and 1 s of processor time a call");
    to->under("scripts, `script: NAME.lua`: a file that returns a table of these, each may be absent");
    for (const struct choice *k = script_keys; k->word; k++) to->line(k->word, k->about);
    to->line("names", "each hook's third argument: what the experiment gives a value, in order");
    LOCAL(file_list_drop) char **scripts = file_list("lua", ".lua");
    if (*scripts) to->under("scripts that are there: `gpuexp describe NAME`");
    for (char **s = scripts; *s; s++) list_script(to, *s);
    to->under("library for scripts: `gpuexp describe NAME`");
    for (const struct embedded *e = embedded_files; e->name; e++) {
        char module[64];
        LOCAL(str_release) struct str about = {0};
        if (!library_module(e, module)) continue;
        library_opening(e->text, &about);
        to->line(module, about.text ? about.text : "");
    }
    return true;
}

struct shelf { // every kernel that can be read
    struct kernel **kernels;
    size_t count;
};

static void fill_shelf(struct shelf *s)
{
    LOCAL(file_list_drop) char **names = file_list("kernels", ".cu");
    size_t n = 0;
    while (names[n]) n++;
    s->kernels = mem_alloc((n + 1) * sizeof *s->kernels);
    for (char **name = names; *name; name++) {
        LOCAL(diags_clear) struct diags ignored = {0}; // the mistakes of kernel files are not reported here
        struct kernel *k = kernel_load(*name, &ignored);
        if (k) s->kernels[s->count++] = k;
    }
}

// A name may be a parameter of some kernels, or a number that they report.
static bool parameter_of(const struct describing *to, const char *name, const struct shelf *shelf)
{
    bool found = false;
    for (size_t i = 0; i < shelf->count; i++) {
        const struct kernel *k = shelf->kernels[i];
        const struct param *p = kernel_param(k, name);
        if (p) {
            to->heading("is a parameter of kernel", name, k->name);
            describe_parameter(to, p);
        }
        found |= p != NULL;
        for (size_t r = 0; r < k->report_count; r++) {
            if (strcmp(k->reports[r].name, name) != 0) continue;
            to->heading("is a column that is reported by kernel", name, k->name);
            to->line("", k->reports[r].about ? k->reports[r].about : "");
            found = true;
        }
    }
    return found;
}

struct names {
    const char **items; // NULL-terminated
    size_t count, room;
};

struct hints {
    struct names names;
    struct arena *arena;
};

static void add_name(struct names *n, const char *name)
{
    mem_grow(&n->items, &n->room, n->count + 2, sizeof *n->items);
    n->items[n->count++] = name;
    n->items[n->count] = NULL;
}

static void add_files(struct names *n, const char *kind, const char *suffix, struct arena *a)
{
    LOCAL(file_list_drop) char **files = file_list(kind, suffix);
    for (char **f = files; *f; f++) add_name(n, arena_strdup(a, *f));
}

static void add_word(void *context, const struct entry *e)
{
    struct hints *h = context;
    const char *dot = strrchr(e->word, '.');
    add_name(&h->names, arena_strdup(h->arena, e->word));
    if (dot) add_name(&h->names, arena_strdup(h->arena, dot + 1));
}

static void unknown(const char *name, struct diags *d)
{
    struct hints h = {.arena = arena_new()};
    const char *hint = "`gpuexp describe` lists the groups of words, `gpuexp list` kernels and experiments";
    add_name(&h.names, "lua");
    for (const struct choice *g = glossary_groups; g->word; g++) add_name(&h.names, g->word);
    glossary_each(add_word, &h);
    add_files(&h.names, "kernels", ".cu", h.arena);
    add_files(&h.names, "experiments", ".yaml", h.arena);
    add_files(&h.names, "lua", ".lua", h.arena);
    const char *near = str_nearest(name, h.names.items);
    if (near) hint = arena_printf(h.arena, "did you mean `%s`?", near);
    struct str with = {0}; // names that have it in them
    for (size_t i = 0, found = 0; !near && strlen(name) > 2 && i < h.names.count && found < 5; i++) {
        const char *it = h.names.items[i];
        if (!strcasestr(it, name) || (with.text && strstr(with.text, it))) continue;
        str_addf(&with, "%s`%s`", found++ ? ", " : "it is in: ", it);
    }
    if (with.text) hint = arena_strdup(h.arena, with.text);
    str_release(&with);
    if (node_renamed(name, h.arena)) hint = node_renamed(name, h.arena);
    diag_user(d, (struct where){0}, hint, "nothing is named `%s`", name);
    free(h.names.items);
    arena_free(h.arena);
}

static void describe_name(const struct describing *to, const char *name, const struct shelf *shelf, struct diags *d)
{
    bool (*const meanings[])(const struct describing *, const char *) = {
        describe_group, describe_lua, describe_module, describe_script_words};
    if (!*name) {
        unknown(name, d);
        return;
    }
    // What a reader most likely means comes first.
    bool found = describe_word(to, name, DESCRIBE_TERMS);
    found |= describe_experiment(to, name, d);
    found |= describe_kernel(to, name, d);
    found |= describe_word(to, name, DESCRIBE_COLUMNS);
    found |= describe_word(to, name, DESCRIBE_KEYS);
    for (size_t m = 0; m < sizeof meanings / sizeof *meanings; m++) found |= meanings[m](to, name);
    found |= parameter_of(to, name, shelf);
    found |= describe_script(to, name, d);
    if (!found) unknown(name, d);
}

void describe_names(const struct describing *to, const char *const *names, size_t count, struct diags *d)
{
    struct shelf shelf = {0};
    if (!count) describe_groups(to);
    else fill_shelf(&shelf);
    for (size_t i = 0; i < count; i++) describe_name(to, names[i], &shelf, d);
    while (shelf.count) kernel_free(shelf.kernels[--shelf.count]);
    free(shelf.kernels);
}

// The same as JSON: one object for each thing, with the words of the files as keys.

static void value_list(struct json *j, const char *key, const struct value *items, size_t count)
{
    json_list(j, key);
    for (size_t i = 0; i < count; i++) json_value(j, NULL, items[i]);
    json_close(j);
}

static void parameter_object(struct json *j, const struct param *p)
{
    json_add(j, "{ name:%s kind:%s", p->name, words_kinds[p->kind].word);
    json_value(j, "default", p->fallback);
    if (p->has_min) json_value(j, "min", p->min);
    if (p->has_max) json_value(j, "max", p->max);
    if (p->one_of) value_list(j, "one_of", p->one_of->items, p->one_of->count);
    json_add(j, "about:%s }", p->about);
}

void describe_json_kernel(struct json *j, const struct kernel *k)
{
    json_add(j, "{ kernel:%s file:%s about:%s params:[", k->name, k->path, k->about);
    for (size_t i = 0; i < k->param_count; i++) parameter_object(j, &k->params[i]);
    json_add(j, "] buffers:[");
    for (size_t i = 0; i < k->buffer_count; i++) {
        const struct buffer *b = &k->buffers[i];
        json_add(j, "{ name:%s type:%s count:%s access:%s about:%s }", b->name, b->type, b->count.text,
            words_access[b->access].word, b->about);
    }
    json_add(j, "] reports:[");
    for (size_t i = 0; i < k->report_count; i++)
        json_add(j, "{ name:%s about:%s }", k->reports[i].name, k->reports[i].about);
    json_add(j, "] checked:%d }", k->check != NULL || k->checks_of_count > 0);
}

static void json_assignments(struct json *j, const char *key, const struct assignments *list)
{
    json_object(j, key);
    for (size_t i = 0; i < list->count; i++) json_value(j, list->items[i].name, list->items[i].value);
    json_close(j);
}

static void expressions(struct json *j, const char *key, const struct source_expr *list, size_t count)
{
    json_list(j, key);
    for (size_t i = 0; i < count; i++) json_text(j, NULL, list[i].text);
    json_close(j);
}

static void axes(struct json *j, const struct experiment *e)
{
    json_list(j, "axes"); // those of one object move in step
    for (size_t i = 0; i < e->sweep_count; i++) {
        json_object(j, NULL);
        for (size_t k = 0; k < e->sweep[i].count; k++) {
            const struct axis *x = &e->sweep[i].items[k];
            value_list(j, x->name, x->values, x->count);
        }
        json_close(j);
    }
    json_close(j);
}

void describe_json_experiment(struct json *j, const struct experiment *e)
{
    json_add(j, "{ experiment:%s file:%s theme:%s question:%s kernel:%s script:%s", e->name, e->file, e->theme,
        e->question, e->kernel->name, e->script);
    json_assignments(j, "with", &e->with);
    axes(j, e);
    expressions(j, "where", e->where, e->where_count);
    json_object(j, "derive");
    for (size_t i = 0; i < e->derive_count; i++) json_text(j, e->derive[i].name, e->derive[i].expr.text);
    json_close(j);
    const struct found_before *f = &e->found;
    if (f->says)
        json_add(j, "found:{ device:%s driver:%s date:%s by:%s report:%s says:%s }", f->device, f->driver, f->date,
            f->by, f->report, f->says);
    json_list(j, "expect");
    for (size_t i = 0; i < e->expect_count; i++) {
        json_add(j, "{ when:%s that:%s over:[", e->expect[i].when.text, e->expect[i].that.text);
        for (const char *const *name = e->expect[i].over; name && *name; name++) json_text(j, NULL, *name);
        json_add(j, "] }");
    }
    json_add(j, "] }");
}

struct telling {
    struct json *json;
    const char *name; // NULL: every word
    bool found;
};

static void tell(void *context, const struct entry *e)
{
    struct telling *t = context;
    const char *const facts[][2] = {{"about", e->about}, {"takes", e->takes}, {"default", e->fallback},
        {"unit", e->unit}, {"note", e->note}, {"try", e->shown ? e->shown : ""}};
    if (t->name && !glossary_means(e, t->name) && strcmp(e->group, t->name) != 0) return;
    t->found = true;
    json_add(t->json, "{ word:%s group:%s", e->word, e->group);
    if (*e->place) json_text(t->json, "place", e->place);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (*facts[i][1]) json_text(t->json, facts[i][0], facts[i][1]);
    if (e->choices) {
        json_object(t->json, "values");
        for (const struct choice *c = e->choices; c->word; c++) json_text(t->json, c->word, c->about);
        json_close(t->json);
    }
    json_close(t->json);
}

void describe_json(struct json *j, const char *name, struct diags *d)
{
    struct telling t = {j, name, false};
    LOCAL(experiments_free) struct experiments all = {0};
    glossary_each(tell, &t);
    if (!name) return;
    LOCAL(mem_drop) char *kernel = file_of("kernels", name, ".cu"), *file = experiment_of(name);
    struct kernel *k = kernel ? kernel_load(name, d) : NULL;
    if (k) describe_json_kernel(j, k);
    if (k) kernel_free(k);
    if (file && experiments_load(file, NULL, 0, &all, d))
        for (size_t n = 0; n < all.count; n++) describe_json_experiment(j, all.items[n]);
    if (!t.found && !kernel && !file) unknown(name, d);
}
