// `gpuexp show KERNEL`: pictures of what a kernel does, in the terminal or as SVG.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "cli/commands.h"
#include "cli/point_line.h"
#include "cli/term.h"
#include "measure/statuses.h"
#include "page/figure_svg.h"
#include "reason/figure.h"
#include "study/looking.h"
#include "study/study.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 24, BLOCKS_MOST = 64, SAID = 12 };

struct show {
    uint64_t line; // 0: all
    uint64_t step; // 0: all
    struct study *trial;
    struct str *svg; // NULL: text
    double y;        // of the next figure in it
    size_t drawn;
    int lines[LINES_MOST]; // that reach memory, rising
    size_t line_count;
    struct point_choice points;
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
    if (*r->note && at + 2 + text_width(r->note) > width) say(out, "\n%14s", "");
    say(out, "%s%s\n", *r->note ? "  " : "", r->note);
}

// The lanes at a step: served now, served before, still waiting.
static void print_lanes(const struct figure *f, int step, FILE *out)
{
    uint32_t before = 0;
    for (int i = 0; i < step; i++) before |= f->rows[i].lanes;
    say(out, "  %12s  ", "lanes");
    for (int k = 0; k < 32; k++) {
        if (k && k % f->group == 0) say(out, " ");
        if (f->rows[step].lanes >> k & 1) term_say(out, TERM_GREEN, "#");
        else say(out, "%c", before >> k & 1 ? '=' : f->steps >> k & 1 ? '.' : ' ');
    }
    say(out, "  step %d of %d\n", step + 1, f->count);
}

static void print_bar(const struct figure_bar *b, int wide, double total, FILE *out)
{
    const int filled = b->part >= 0 ? (int)lround(b->part * wide) : 0, line = (int)lround(total * wide);
    for (int k = 0; k <= wide; k++) {
        if (total >= 0 && k == line) say(out, "|");
        else if (k < filled || (k == 0 && b->part > 0)) term_say(out, colours[b->kind], "%c", letters[b->kind]);
        else say(out, " ");
    }
    say(out, " %s", b->part >= 0 ? b->said : "");
}

static void print_bars(const struct figure *f, int width, FILE *out)
{
    int left = 12;
    for (int i = 0; i < f->count; i++)
        if (text_width(f->rows[i].label) > left) left = text_width(f->rows[i].label);
    const int room = (width - left - 4) / f->sides - SAID - 3, wide = room > 32 ? 32 : room < 8 ? 8 : room;
    if (f->sides > 1) say(out, "  %*s  %-*s%s\n", left, "", wide + SAID + 3, f->side_names[0], f->side_names[1]);
    for (int i = 0; i < f->count; i++) {
        const struct figure_row *r = &f->rows[i];
        if (*r->quoted) {
            term_say(out, TERM_BOLD, "  %s ", r->label);
            const int letters_left = width - 3 - text_width(r->label);
            say(out, " %.*s\n", (int)text_cut(r->quoted, letters_left > 8 ? letters_left - 1 : 8), r->quoted);
            continue;
        }
        say(out, "  %*s  ", left, r->label);
        for (int k = 0; k < f->sides; k++) {
            if (k) say(out, "%*s", SAID + 1 - text_width(r->bars[k - 1].part >= 0 ? r->bars[k - 1].said : ""), "");
            print_bar(&r->bars[k], wide, f->total[k].part, out);
        }
        say(out, "\n");
    }
    if (f->total[0].part >= 0) {
        say(out, "  | all together: %s", f->total[0].said);
        if (f->sides > 1) say(out, "; %s: %s", f->side_names[1], f->total[1].said);
        say(out, "\n");
    }
}

static void print_figure(const struct figure *f, uint64_t step, FILE *out)
{
    term_say(out, TERM_BOLD, "%s", f->title);
    say(out, "\n  %s\n", f->note);
    const int width = term_is_live(out) ? term_width(out) : INT_MAX;
    const bool stepped = step && f->steps && f->count;
    const int last = stepped && step <= (uint64_t)f->count ? (int)step : f->count;
    if (stepped) print_lanes(f, last - 1, out);
    if (f->sides) print_bars(f, term_width(out), out);
    for (int i = 0; i < last && !f->sides; i++) print_row(f, &f->rows[i], width, out);
    if (f->left_out) say(out, "  and %d rows more\n", f->left_out);
    if (f->letters) say(out, "  %s\n", f->letters);
    for (int k = 1; k < CELL_KINDS && !f->letters; k++) // a row's own name says what a letter's cell is
        if (f->legend[k]) say(out, "  %c %s\n", letters[k], f->legend[k]);
}

static void draw(void *context, const struct figure *f, int line)
{
    struct show *x = context;
    (void)line;
    if (x->svg) x->y = figure_svg(f, x->y, x->svg);
    else print_figure(f, x->step, stdout);
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

static void tell(const struct studying *s, struct diags *d)
{
    struct show *x = s->context;
    const struct studied *is = s->studied;
    LOCAL(mem_drop) struct figure *f = mem_alloc(sizeof *f);
    (void)d;
    if (!x->svg) point_line(s, stdout);
    point_choice_note(&x->points, s);
    if (!x->line && figure_pipeline(f, is->job, NULL)) draw(x, f, 0);
    for (size_t i = 0; i < is->places.count; i++) note_line(x, is->places.items[i].line);
    if (!x->svg && !is->places.count && status_has_numbers(is->result.status))
        say(stdout, "no instruction reaches memory\n");
    const struct explaining e = {.plan = s->plan,
        .values = s->values,
        .job = is->job,
        .kernel = studying_kernel(s),
        .status = status_names[is->result.status],
        .why = &is->result.why,
        .device = s->device,
        .columns = is->result.columns,
        .places = &is->places,
        .trial = x->trial,
        .numbers = status_has_numbers(is->result.status)};
    picturing_point(&(struct picturing){
        .of = &e, .line = (int)(x->line > INT_MAX ? INT_MAX : x->line), .draw = draw, .context = x});
}

int command_show(const struct options *o, struct diags *d)
{
    LOCAL(str_release) struct str svg = {0}, there = {0};
    if (options_given(o, OPTION_LINE) && !o->number[OPTION_LINE])
        return diag_user(d, (struct where){0}, NULL, "--line counts from 1"), 0;
    const struct study_bounds bounds = {.sample = BLOCKS_MOST, .instructions = (uint64_t)1 << 30};
    struct study_bounds few = bounds;
    few.points = POINT_CHOICE_MOST;
    struct show x = {.line = o->number[OPTION_LINE],
        .step = o->number[OPTION_STEP],
        .trial = study_open(NULL, true, &bounds, d),
        .svg = options_given(o, OPTION_FORMAT) && strcmp(o->value[OPTION_FORMAT], "svg") == 0 ? &svg : NULL};
    const struct request request = options_request(o);
    const int status = studying_points(&request, true, &few, tell, &x, d);
    study_close(x.trial);
    point_choice_tell(&x.points, true, x.svg ? stderr : stdout);
    name_lines(&x, &there);
    if (!x.drawn && x.line && !status && !diags_errors(d))
        diag_user(d, (struct where){0}, x.line_count ? there.text : NULL, "nothing at line %llu reaches memory",
            (unsigned long long)x.line);
    if (x.svg && x.drawn) figure_svg_print(&svg, x.y, stdout);
    return status;
}
