// `gpuexp show KERNEL`: pictures of what a kernel does, in the terminal or as SVG.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/studying.h"
#include "cli/term.h"
#include "page/figure_svg.h"
#include "reason/figure.h"

#include <stdlib.h>
#include <string.h>

struct show {
    int line;        // 0: all
    struct str *svg; // NULL: text
    double y;        // of the next figure in it
    size_t drawn;
};

static const char letters[CELL_KINDS] = {' ', '#', '.', 'x', 'o', '='};
static const enum term_colour colours[CELL_KINDS] = {
    TERM_PLAIN, TERM_GREEN, TERM_DIM, TERM_RED, TERM_CYAN, TERM_YELLOW};

static void print_row(const struct figure *f, const struct figure_row *r, FILE *out)
{
    say(out, "  %12s  ", r->label);
    for (int k = 0; k < f->columns; k++) {
        const unsigned char kind = r->cells[k];
        if (k && k % f->group == 0) say(out, " ");
        term_say(out, colours[kind], "%c", r->marks[k] ? r->marks[k] : letters[kind]);
    }
    say(out, "  %s\n", r->note);
}

static void print_figure(const struct figure *f, FILE *out)
{
    term_say(out, TERM_BOLD, "%s", f->title);
    say(out, "\n  %s\n", f->note);
    for (int i = 0; i < f->count; i++) print_row(f, &f->rows[i], out);
    if (f->left_out) say(out, "  and %d rows more\n", f->left_out);
    for (int k = 1; k < CELL_KINDS; k++)
        if (f->legend[k]) say(out, "  %c %s\n", letters[k], f->legend[k]);
}

static void draw(struct show *x, const struct figure *f)
{
    if (x->svg) x->y = figure_svg(f, x->y, x->svg);
    else print_figure(f, stdout);
    x->drawn++;
}

static void tell(const struct studying *s, struct diags *d)
{
    struct show *x = s->context;
    const struct studied *is = s->studied;
    struct figure *f = mem_alloc(sizeof *f);
    struct profile device;
    const enum evidence_known known = evidence_device(s->device, NULL, &device);
    const struct evidence e = {
        .job = is->job, .columns = is->result.columns, .places = &is->places, .device = &device, .known = known};
    (void)d;
    if (!x->svg) studying_title(s, stdout);
    if (!x->line && figure_pipeline(f, is->job, NULL)) draw(x, f);
    for (size_t i = 0; i < is->places.count; i++)
        if ((!x->line || is->places.items[i].line == x->line) && figure_access(f, &is->places.items[i])) draw(x, f);
    if (!x->line && is->places.count && figure_lanes(f, &is->places)) draw(x, f);
    if (!x->line && is->places.count && figure_occupancy(f, &e)) draw(x, f);
    free(f);
}

int command_show(const struct options *o, struct diags *d)
{
    struct str svg = {0};
    struct show x = {.line = (int)o->number[OPTION_LINE],
        .svg = options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "svg") == 0 ? &svg : NULL};
    const int status = studying_points(o, true, tell, &x, d);
    if (!x.drawn && x.line && !status && !diags_errors(d))
        diag_user(d, (struct where){0}, "`gpuexp sites` lists the lines that do", "nothing at line %d reaches memory",
            x.line);
    if (x.svg && x.drawn) figure_svg_print(&svg, x.y, stdout);
    str_release(&svg);
    return status;
}
