// Compares two kernels' descriptions, part by part.
// SPDX-License-Identifier: MIT
#include "spec/contract.h"

#include <ctype.h>
#include <string.h>

struct contract { // what is compared
    const struct kernel *base, *other;
    struct diags *diags;
};

static const char *blanks_passed(const char *p)
{
    while (isspace((unsigned char)*p)) p++;
    return p;
}

// Texts that differ in blanks alone say the same; NULL: nothing is said.
static bool same_text(const char *a, const char *b)
{
    if (!a || !b) return a == b;
    for (a = blanks_passed(a), b = blanks_passed(b); *a && *a == *b; a = blanks_passed(a + 1), b = blanks_passed(b + 1))
        ;
    return *a == *b;
}

static bool differs(const struct contract *c, struct where at, const char *what, const char *name)
{
    if (!at.file) at.file = c->other->path;
    return diag_user(c->diags, at, "kernels that are judged promise the same; only how they do it may differ",
        "%s `%s` is not what it is in %s", what, name, c->base->path);
}

static bool same_param(const struct contract *c, const struct param *a, const struct param *b)
{
    if (!same_text(a->name, b->name)) return differs(c, b->at, "parameter", b->name);
    const bool same = a->kind == b->kind && a->is_text == b->is_text && value_equal(a->fallback, b->fallback) &&
        same_text(a->as, b->as);
    return same || differs(c, b->at, "parameter", b->name);
}

// Where a function of the base's source fills it, that is done for the other one too.
static bool same_fill(const struct buffer *a, const struct buffer *b)
{
    if (a->fill && strcmp(a->fill, "code") == 0 && !a->made.text && !a->low) return true;
    return same_text(a->fill, b->fill) && same_text(a->made.text, b->made.text) && same_text(a->low, b->low) &&
        same_text(a->high, b->high) && same_text(a->file_hash, b->file_hash) && same_text(a->step.text, b->step.text) &&
        a->shifts == b->shifts;
}

static bool same_buffer(const struct contract *c, const struct buffer *a, const struct buffer *b)
{
    const bool same = same_text(a->name, b->name) && same_text(a->type, b->type) && same_text(a->as, b->as) &&
        same_text(a->count.text, b->count.text) && same_text(a->rows.text, b->rows.text) &&
        same_text(a->planes.text, b->planes.text) && same_text(a->bytes.text, b->bytes.text) &&
        a->access == b->access && same_fill(a, b);
    return same || differs(c, b->at, "buffer", b->name);
}

static bool same_report(const struct contract *c, const struct report_value *a, const struct report_value *b)
{
    return (same_text(a->name, b->name) && same_text(a->type, b->type)) || differs(c, b->at, "report", b->name);
}

static bool same_expr(const struct contract *c, const char *name, const struct source_expr *a,
    const struct source_expr *b)
{
    return same_text(a->text, b->text) || differs(c, b->at, "what it says of", name);
}

// The first that one of them has more.
static bool same_number(const struct contract *c, size_t a, size_t b, const char *what, const char *more)
{
    return a == b ||
        diag_user(c->diags, (struct where){.file = c->other->path},
            "kernels that are judged promise the same; only how they do it may differ", "it has %s %s `%s`, unlike %s",
            a < b ? "a" : "no", what, more, c->base->path);
}

bool contract_same(const struct kernel *base, const struct kernel *other, struct diags *d)
{
    const struct contract c = {base, other, d};
    const size_t params = base->param_count, buffers = base->buffer_count, reports = base->report_count;
    for (size_t i = 0; i < params && i < other->param_count; i++)
        if (!same_param(&c, &base->params[i], &other->params[i])) return false;
    for (size_t i = 0; i < buffers && i < other->buffer_count; i++)
        if (!same_buffer(&c, &base->buffers[i], &other->buffers[i])) return false;
    for (size_t i = 0; i < reports && i < other->report_count; i++)
        if (!same_report(&c, &base->reports[i], &other->reports[i])) return false;
    const struct kernel *of_params = params > other->param_count ? base : other,
                        *of_buffers = buffers > other->buffer_count ? base : other,
                        *of_reports = reports > other->report_count ? base : other;
    const size_t least_params = params + other->param_count - of_params->param_count,
                 least_buffers = buffers + other->buffer_count - of_buffers->buffer_count,
                 least_reports = reports + other->report_count - of_reports->report_count;
    return same_number(&c, params, other->param_count, "parameter",
               params == other->param_count ? "" : of_params->params[least_params].name) &&
        same_number(&c, buffers, other->buffer_count, "buffer",
            buffers == other->buffer_count ? "" : of_buffers->buffers[least_buffers].name) &&
        same_number(&c, reports, other->report_count, "report",
            reports == other->report_count ? "" : of_reports->reports[least_reports].name) &&
        same_expr(&c, "useful", &base->useful, &other->useful) && same_expr(&c, "flops", &base->flops, &other->flops) &&
        same_expr(&c, "checks", &base->checks, &other->checks);
}
