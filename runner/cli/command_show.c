// `gpuexp show KERNEL`: pictures of what a kernel does, in the terminal or as SVG.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "cli/point_line.h"
#include "measure/statuses.h"
#include "study/studying.h"
#include "cli/term.h"
#include "page/figure_svg.h"
#include "reason/figure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 24, BLOCKS_MOST = 64 };

struct show {
    uint64_t line;   // 0: all
    struct str *svg; // NULL: text
    double y;        // of the next figure in it
    size_t drawn;
    int lines[LINES_MOST]; // that reach memory, rising
    size_t line_count;
};

static const char letters[CELL_KINDS] = {' ', '#', '.', 'x', 'o', '='};
static const enum term_colour colours[CELL_KINDS] = {
    TERM_PLAIN, TERM_GREEN, TERM_DIM, TERM_RED, TERM_CYAN, TERM_YELLOW};

// On a narrow terminal a row goes on below itself, between groups where it can.
static void print_row(const struct figure *f, const struct figure_row *r, int width, FILE *out)
{
    int at = 16, end = 0, columns = f->columns;
    if (!*r->note)
        while (columns && r->cells[columns - 1] == CELL_NONE) columns--;
    say(out, "  %12s  ", r->label);
    for (int k = 0; k < columns; k++) {
        const unsigned char kind = r->cells[k];
        if (k % f->group == 0) end = at + (k > 0) + (f->group < width - 16 ? f->group : 1);
        if (k && end > width && (k % f->group == 0 || at >= width)) say(out, "\n%16s", ""), at = 16;
        else if (k && k % f->group == 0) say(out, " "), at++;
        term_say(out, colours[kind], "%c", r->marks[k] ? r->marks[k] : letters[kind]);
        at++;
    }
    if (*r->note && at + 2 + term_text_width(r->note) > width) say(out, "\n%14s", "");
    say(out, "%s%s\n", *r->note ? "  " : "", r->note);
}

static void print_figure(const struct figure *f, FILE *out)
{
    term_say(out, TERM_BOLD, "%s", f->title);
    say(out, "\n  %s\n", f->note);
    const int width = term_is_live(out) ? term_width(out) : INT_MAX;
    for (int i = 0; i < f->count; i++) print_row(f, &f->rows[i], width, out);
    if (f->left_out) say(out, "  and %d rows more\n", f->left_out);
    if (f->letters) say(out, "  %s\n", f->letters);
    for (int k = 1; k < CELL_KINDS && !f->letters; k++) // a row's own name says what a letter's cell is
        if (f->legend[k]) say(out, "  %c %s\n", letters[k], f->legend[k]);
}

static void draw(struct show *x, const struct figure *f)
{
    if (x->svg) x->y = figure_svg(f, x->y, x->svg);
    else print_figure(f, stdout);
    x->drawn++;
}

static void note_line(struct show *x, int line)
{
    size_t at = x->line_count;
    while (at > 0 && x->lines[at - 1] > line) at--;
    if (line < 1 || (at > 0 && x->lines[at - 1] == line) || x->line_count == LINES_MOST) return;
    memmove(x->lines + at + 1, x->lines + at, (x->line_count++ - at) * sizeof *x->lines);
    x->lines[at] = line;
}

// "line 37 does", "lines 10, 12 and 20 do".
static void name_lines(const struct show *x, struct str *s)
{
    for (size_t i = 0; i < x->line_count; i++)
        str_addf(s, "%s%d",
            !i                          ? x->line_count > 1 ? "lines " : "line "
                : i + 1 < x->line_count ? ", "
                                        : " and ",
            x->lines[i]);
    str_add(s, x->line_count > 1 ? " do" : " does");
}

// A picture needs few blocks, which are no proof that all are right.
static void name_it(const struct studying *s)
{
    char few[64];
    snprintf(few, sizeof few, "some of its %llu blocks were run", (unsigned long long)s->studied->of_blocks);
    if (!s->studied->of_blocks || s->studied->result.status != STATUS_UNVERIFIED) point_line(s, stdout);
    else point_line_as(s, few, &(struct why){0}, stdout);
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
    if (!x->svg) name_it(s);
    if (!x->line && figure_pipeline(f, is->job, NULL)) draw(x, f);
    for (size_t i = 0; i < is->places.count; i++) note_line(x, is->places.items[i].line);
    if (!x->svg && !is->places.count && status_has_numbers(is->result.status))
        say(stdout, "no instruction reaches memory\n");
    for (size_t i = 0; i < is->places.count; i++)
        if ((!x->line || (uint64_t)is->places.items[i].line == x->line) && figure_access(f, &is->places.items[i]))
            draw(x, f);
    if (!x->line && is->places.count && figure_lanes(f, &is->places)) draw(x, f);
    if (!x->line && is->places.count && figure_occupancy(f, &e)) draw(x, f);
    free(f);
}

int command_show(const struct options *o, struct diags *d)
{
    struct str svg = {0}, there = {0};
    if (options_given(o, OPTION_LINE) && !o->number[OPTION_LINE])
        return diag_user(d, (struct where){0}, NULL, "--line counts from 1"), 0;
    struct show x = {.line = o->number[OPTION_LINE],
        .svg = options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "svg") == 0 ? &svg : NULL};
    const struct request request = options_request(o);
    const int status = studying_points(&request, true, BLOCKS_MOST, tell, &x, d);
    name_lines(&x, &there);
    if (!x.drawn && x.line && !status && !diags_errors(d))
        diag_user(d, (struct where){0}, x.line_count ? there.text : NULL, "nothing at line %llu reaches memory",
            (unsigned long long)x.line);
    str_release(&there);
    if (x.svg && x.drawn) figure_svg_print(&svg, x.y, stdout);
    str_release(&svg);
    return status;
}
