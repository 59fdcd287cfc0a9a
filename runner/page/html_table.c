// The rows as a table. A column that is the same in every row, or empty in all, is named once instead.
// SPDX-License-Identifier: MIT
#include <string.h>
#include <strings.h>

#include "page/html.h"
#include "page/markup.h"
#include "page/quantity.h"

enum { FOLD = 50, NOTES_MOST = 40 };

static bool is(const struct view *v, size_t column, const char *name)
{
    return strcmp(v->columns[column].name, name) == 0;
}

static bool once(const struct view *v, size_t column)
{
    return v->columns[column].same && v->row_count > 1 && !is(v, column, "status") && !is(v, column, "point");
}

// Long whole numbers are shown in groups of three; a copy of the text has no gaps.
static void number(const char *cell, struct str *s)
{
    char room[32];
    const char *text = quantity_shown(cell, room);
    size_t sign = *text == '-', digits = strspn(text + sign, "0123456789"), first = digits % 3 ? digits % 3 : 3;
    if (digits < 5 || (text[sign + digits] && text[sign + digits] != '.')) {
        markup_text(s, text);
        return;
    }
    str_add_bytes(s, text, sign + first);
    for (size_t i = first; i < digits; i += 3) str_addf(s, "<i>%.3s</i>", text + sign + i);
    str_add(s, text + sign + digits);
}

// The name `time_us` has the unit in it.
static bool unit_shown(const struct view_column *c)
{
    size_t name = strlen(c->name), unit = strlen(c->unit);
    return unit && !(name > unit && c->name[name - unit - 1] == '_' && strcasecmp(c->name + name - unit, c->unit) == 0);
}

struct notes {             // of rows that are well: each kind once, as footnotes
    const char **texts;    // the first of each kind
    size_t count, *of_row; // 1-based; 0: none
    bool bad;              // a row without numbers has a reason: it keeps its column
};

// Two notes are of one kind where they differ in their numbers alone.
static bool alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "0123456789."), b += strspn(b, "0123456789.");
        if (*a != *b || !*a) return *a == *b;
    }
}

static void find_notes(const struct view *v, struct notes *n)
{
    *n = (struct notes){.texts = arena_alloc(v->arena, (v->row_count + 1) * sizeof *n->texts),
        .of_row = arena_alloc(v->arena, (v->row_count + 1) * sizeof *n->of_row)};
    for (size_t i = 0; i < v->row_count && v->reason >= 0; i++) {
        const char *text = v->rows[i][v->reason];
        size_t k = 0;
        if (!*text) continue;
        if (!view_good(v, i) || n->count >= NOTES_MOST) {
            n->bad = true;
            continue;
        }
        while (k < n->count && !alike(n->texts[k], text)) k++;
        if (k == n->count) n->texts[n->count++] = text;
        n->of_row[i] = k + 1;
    }
}

static void heads(const struct sheet *sheet, const size_t *columns, size_t count, struct str *s)
{
    str_add(s, "<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        const struct view_column *c = &sheet->view.columns[columns[i]];
        str_addf(s, "<th scope=\"col\"%s title=\"", c->numeric ? " class=\"n\"" : "");
        markup_text(s, c->about);
        str_add(s, "\">");
        markup_text(s, c->name);
        if (unit_shown(c)) str_addf(s, "<small>%s</small>", c->unit);
        for (int down = 0; down < 2 && i < HTML_SORTED && sheet->view.row_count > 1; down++) {
            str_addf(s, "<label class=\"sort\"><input type=\"radio\" name=\"t%zu\" class=\"%c%zu\" aria-label=\"",
                sheet->number, down ? 'z' : 'a', i);
            markup_text(s, c->name);
            str_addf(s, "%s\"/>%s</label>", down ? ", falling" : ", rising", down ? "\xE2\x96\xBE" : "\xE2\x96\xB4");
        }
        str_add(s, "</th>");
    }
    str_add(s, "</tr></thead>\n");
}

static void status_cell(const struct sheet *sheet, const struct notes *n, size_t row, struct str *s)
{
    const struct view *v = &sheet->view;
    str_addf(s, "<td class=\"status %s\"", v->status[row] < 0 ? "odd" : status_names[v->status[row]]);
    if (n->of_row[row]) str_add(s, " title=\""), markup_text(s, v->rows[row][v->reason]), str_add(s, "\"");
    str_add(s, ">");
    markup_text(s, v->rows[row][v->status_column]);
    if (n->of_row[row])
        str_addf(s, "<sup><a href=\"#r%zun%zu\">%zu</a></sup>", sheet->number, n->of_row[row], n->of_row[row]);
    str_add(s, "</td>");
}

static void cell(const struct sheet *sheet, const struct notes *n, size_t row, size_t column, struct str *s)
{
    const struct view *v = &sheet->view;
    const char *text = v->rows[row][column];
    if ((int)column == v->status_column) {
        status_cell(sheet, n, row, s);
        return;
    }
    if (v->columns[column].numeric) {
        char room[32];
        if (quantity_shown(text, room) != text) str_addf(s, "<td class=\"n\" title=\"%s\">", text);
        else str_add(s, "<td class=\"n\">");
        number(text, s);
    } else if ((int)column == v->reason) {
        str_add(s, "<td class=\"reason\">");
        if (!n->of_row[row]) markup_text(s, text);
    } else {
        str_addf(s, "<td%s>", is(v, column, "key") ? " class=\"key\"" : "");
        markup_text(s, text);
    }
    str_add(s, "</td>");
}

static void footnotes(const struct sheet *sheet, const struct notes *n, struct str *s)
{
    if (!n->count) return;
    str_add(s, "<ol class=\"notes\">\n");
    for (size_t k = 0; k < n->count; k++) {
        bool same = true; // or others of its kind have other numbers
        for (size_t i = 0; i < sheet->view.row_count; i++)
            same = same && (n->of_row[i] != k + 1 || strcmp(sheet->view.rows[i][sheet->view.reason], n->texts[k]) == 0);
        str_addf(s, "<li id=\"r%zun%zu\">%s", sheet->number, k + 1, same ? "" : "such as: ");
        markup_text(s, n->texts[k]);
        str_add(s, "</li>\n");
    }
    str_add(s, "</ol>\n");
}

static void said_once(const struct view *v, struct str *s)
{
    size_t count = 0;
    for (size_t c = 0; c < v->column_count; c++) {
        if (!once(v, c) || v->columns[c].empty) continue;
        if (!count++) str_add(s, "<h3>The same in every row</h3>\n<dl class=\"once\">\n");
        str_add(s, "<div title=\"");
        markup_text(s, v->columns[c].about);
        str_add(s, "\"><dt>");
        markup_text(s, v->columns[c].name);
        str_add(s, "</dt><dd>");
        if (v->columns[c].numeric) number(v->rows[0][c], s);
        else markup_text(s, v->rows[0][c]);
        if (unit_shown(&v->columns[c])) str_addf(s, " <small>%s</small>", v->columns[c].unit);
        str_add(s, "</dd></div>\n");
    }
    if (count) str_add(s, "</dl>\n");
    count = 0;
    for (size_t c = 0; c < v->column_count; c++) {
        if (!v->columns[c].empty) continue;
        str_add(s, count++ ? ", " : "<p class=\"never\">Known of no row: ");
        markup_text(s, v->columns[c].name);
    }
    if (count) str_add(s, ".</p>\n");
}

static size_t choose_columns(const struct view *v, const struct notes *n, size_t *columns)
{
    size_t count = 0;
    for (int last = 0; last < 2; last++) // the key is for machines: last
        for (size_t c = 0; c < v->column_count; c++) {
            if (once(v, c) || v->columns[c].empty || is(v, c, "key") != last) continue;
            if ((is(v, c, "experiment") && v->columns[c].same) || ((int)c == v->reason && !n->bad)) continue;
            columns[count++] = c;
        }
    return count;
}

void html_table(const struct sheet *sheet, struct str *s)
{
    const struct view *v = &sheet->view;
    size_t *columns = arena_alloc(v->arena, (v->column_count + 1) * sizeof *columns);
    struct notes notes;
    find_notes(v, &notes);
    const size_t count = choose_columns(v, &notes, columns), sorted = count < HTML_SORTED ? count : HTML_SORTED;
    struct levels *levels = arena_alloc(v->arena, (sorted + 1) * sizeof *levels);
    for (size_t k = 0; k < sorted; k++) view_levels(v, (int)columns[k], &levels[k]);
    str_add(s, "<div class=\"rows\">\n");
    if (v->row_count > FOLD)
        str_addf(s, "<label class=\"all\"><input type=\"checkbox\"/> all %zu rows, not the first %d alone</label>\n",
            v->row_count, FOLD);
    str_addf(s, "<div class=\"scroll\" tabindex=\"0\"><table style=\"--n:%zu\">\n", count);
    heads(sheet, columns, count, s);
    str_add(s, "<tbody>\n");
    for (size_t i = 0; i < v->row_count; i++) {
        str_addf(s, "<tr class=\"%s%s\" style=\"", view_good(v, i) ? "good" : "none", i < FOLD ? "" : " more");
        for (size_t k = 0; k < sorted && v->row_count > 1; k++)
            str_addf(s, "%s--k%zu:%zu", k ? ";" : "", k, levels[k].of_row[i]);
        str_add(s, "\">");
        for (size_t k = 0; k < count; k++) cell(sheet, &notes, i, columns[k], s);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n</div>\n");
    footnotes(sheet, &notes, s);
    said_once(v, s);
}
