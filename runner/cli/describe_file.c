// Prints descriptions, and describes what files define: kernels and experiments.
// SPDX-License-Identifier: MIT
#include "cli/describe_text.h"

#include "base/file.h"
#include "cli/term.h"
#include "spec/experiment.h"

#include <stdlib.h>
#include <string.h>

void describe_heading(const char *what, const char *name, const char *where)
{
    static bool later; // a blank line between headings
    if (later) say(stdout, "\n");
    later = true;
    term_say(stdout, TERM_BOLD, "%s", name);
    say(stdout, " %s", what);
    if (*where) say(stdout, " (%s)", where);
    say(stdout, "\n");
}

void describe_under(const char *name)
{
    term_say(stdout, TERM_CYAN, "%s", name);
    say(stdout, "\n");
}

void describe_line(const char *label, const char *text)
{
    enum { MARGIN = 14 };
    LOCAL(str_release) struct str left = {0};
    str_addf(&left, "  %s", label);
    term_columns(left.text, MARGIN, text, term_width(stdout), stdout);
}

void describe_linef(const char *label, const char *fmt, ...)
{
    LOCAL(str_release) struct str text = {0};
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    describe_line(label, text.text ? text.text : "");
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

void describe_parameter(const struct param *p)
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
    describe_line(p->name, p->about && *p->about ? p->about : s.text);
    if (p->about && *p->about) describe_line("", s.text);
}

static void buffer(const struct buffer *b)
{
    static const char *const uses[] = {
        [ACCESS_READ] = "read", [ACCESS_WRITE] = "written", [ACCESS_BOTH] = "read and written"};
    describe_linef(b->name, "%s[%s], %s%s%s%s%s", b->type, b->count.text, uses[b->access], b->fill ? ", filled: " : "",
        b->fill ? b->fill : "", b->about ? "; " : "", b->about ? b->about : "");
}

static void add_list(struct str *s, const char *before, const struct source_expr *list, int count)
{
    if (!count) return;
    str_addf(s, "%s%s", before, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) str_addf(s, "%s%s", i ? ", " : "", list[i].text);
    if (count > 1) str_add(s, "]");
}

static void passed(const struct passed *p)
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
    describe_line(p->name, s.text ? s.text : "");
}

static void expression(const char *label, struct source_expr e)
{
    if (e.text) describe_line(label, e.text);
}

char *describe_find(const char *kind, const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    bool suffixed = n > s && strcmp(name + n - s, suffix) == 0;
    return strchr(name, '/') && !suffixed ? NULL : file_find(kind, name, suffix);
}

bool describe_kernel(const char *name, struct diags *d)
{
    char *path = describe_find("kernels", name, ".cu");
    struct kernel *k = path ? kernel_load(name, d) : NULL;
    bool found = path != NULL;
    free(path);
    if (!k) return found;
    describe_heading("is a kernel", k->name, k->path);
    if (k->about) describe_line("", k->about);
    if (k->param_count) describe_under("parameters");
    for (size_t i = 0; i < k->param_count; i++) describe_parameter(&k->params[i]);
    if (k->buffer_count) describe_under("buffers");
    for (size_t i = 0; i < k->buffer_count; i++) buffer(&k->buffers[i]);
    if (k->passed_count) describe_under("arguments");
    for (size_t i = 0; i < k->passed_count; i++) passed(&k->passed[i]);
    if (k->report_count) describe_under("reports");
    for (size_t i = 0; i < k->report_count; i++)
        describe_linef(k->reports[i].name, "%s%s%s", k->reports[i].type, k->reports[i].about ? ": " : "",
            k->reports[i].about ? k->reports[i].about : "");
    describe_under("launch");
    static const char *const axes[] = {"threads", "threads.y", "threads.z"};
    for (int i = 0; i < 3; i++) expression(axes[i], k->threads[i]);
    expression("needs", k->needs);
    expression("shared", k->shared);
    expression("carveout", k->carveout);
    expression("useful", k->useful);
    expression("flops", k->flops);
    describe_line("check", k->check ? "every result is verified" : "none: points are `unverified`, not `ok`");
    kernel_free(k);
    return true;
}

static void assignments(const char *label, const struct assignments *list)
{
    LOCAL(str_release) struct str s = {0};
    for (size_t i = 0; i < list->count; i++) {
        str_addf(&s, "%s%s = ", i ? ", " : "", list->items[i].name);
        value_print(list->items[i].value, &s);
    }
    if (s.text) describe_line(label, s.text);
}

static void axis(const struct axis *x)
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
    describe_line(x->name, s.text ? s.text : "");
}

static void one_experiment(const struct experiment *e)
{
    describe_heading("is an experiment", e->name, e->file);
    if (e->question) describe_line("", e->question);
    for (size_t i = 0; i < e->kernel_count; i++) describe_line("kernel", e->kernels[i]->name);
    if (e->theme) describe_line("theme", e->theme);
    assignments("with", &e->with);
    if (e->for_device) describe_line("for", e->for_device);
    for (int together = 0; together < 2; together++)
        for (size_t i = 0, said = 0; i < e->sweep_count; i++) {
            if ((e->sweep[i].count > 1) != together) continue;
            if (!said++ || together) describe_under(together ? "together" : "sweep");
            for (size_t j = 0; j < e->sweep[i].count; j++) axis(&e->sweep[i].items[j]);
        }
    if (e->where_count || e->include_count || e->exclude_count) describe_under("points");
    for (size_t i = 0; i < e->where_count; i++) describe_line("where", e->where[i].text);
    for (size_t i = 0; i < e->include_count; i++) assignments("include", &e->include[i]);
    for (size_t i = 0; i < e->exclude_count; i++) assignments("exclude", &e->exclude[i]);
    if (e->derive_count) describe_under("derived columns");
    for (size_t i = 0; i < e->derive_count; i++) describe_line(e->derive[i].name, e->derive[i].expr.text);
    describe_script_of(e);
    if (e->expect_count) describe_under("claims");
    for (size_t i = 0; i < e->expect_count; i++) {
        LOCAL(str_release) struct str claim = {0};
        str_add(&claim, e->expect[i].that.text);
        for (const char *const *name = e->expect[i].over; name && *name; name++)
            str_addf(&claim, "%s %s", name == e->expect[i].over ? ", over" : ",", *name);
        if (e->expect[i].when.text) str_addf(&claim, ", when %s", e->expect[i].when.text);
        describe_line("expect", claim.text);
    }
    if (e->found.says) {
        describe_under("what was found");
        describe_linef("on", "%s%s%s, %s", e->found.device, e->found.driver ? ", driver " : "",
            e->found.driver ? e->found.driver : "", e->found.date);
        describe_line("says", e->found.says);
        if (e->found.by) describe_line("by", e->found.by);
        if (e->found.report) describe_line("report", e->found.report);
    }
}

char *describe_experiment_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    struct str path = {0};
    if (!dot || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0)) // a path to something else is none
        return strchr(name, '/') ? NULL : file_find("experiments", name, ".yaml");
    str_add(&path, name);
    return str_take(&path);
}

bool describe_experiment(const char *name, struct diags *d)
{
    LOCAL(experiments_free) struct experiments all = {0};
    LOCAL(mem_drop) char *path = describe_experiment_file(name);
    const bool found = path != NULL;
    if (found && experiments_load(path, NULL, 0, &all, d))
        for (size_t i = 0; i < all.count; i++) one_experiment(all.items[i]);
    return found;
}
