// The rows as a table. A column that is the same in every row, or empty in all, is named once instead.
// SPDX-License-Identifier: MIT
#include <string.h>
#include <strings.h>

#include "measure/result.h"
#include "page/html.h"
#include "page/markup.h"

static bool is(const struct view *v, size_t column, const char *name)
{
    return strcmp(v->columns[column].name, name) == 0;
}

static bool once(const struct view *v, size_t column)
{
    return v->columns[column].same && v->row_count > 1 && !is(v, column, "status") && !is(v, column, "point");
}

// Long whole numbers are shown in groups of three; a copy of the text has no gaps.
static void number(const char *text, struct str *s)
{
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

static void heads(const struct view *v, const size_t *columns, size_t count, struct str *s)
{
    str_add(s, "<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        const struct view_column *c = &v->columns[columns[i]];
        str_addf(s, "<th scope=\"col\"%s title=\"", c->numeric ? " class=\"n\"" : "");
        markup_text(s, c->about);
        str_add(s, "\">");
        markup_text(s, c->name);
        if (unit_shown(c)) str_addf(s, "<small>%s</small>", c->unit);
        str_add(s, "</th>");
    }
    str_add(s, "</tr></thead>\n");
}

static void cell(const struct view *v, size_t row, size_t column, struct str *s)
{
    const char *text = v->rows[row][column];
    if ((int)column == v->status_column) {
        str_addf(s, "<td class=\"status %s\">", v->status[row] < 0 ? "odd" : status_names[v->status[row]]);
        markup_text(s, text);
    } else if (v->columns[column].numeric) {
        str_add(s, "<td class=\"n\">");
        number(text, s);
    } else {
        str_addf(s, "<td%s>",
            is(v, column, "key")           ? " class=\"key\""
                : (int)column == v->reason ? " class=\"reason\""
                                           : "");
        markup_text(s, text);
    }
    str_add(s, "</td>");
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

void html_table(const struct view *v, struct str *s)
{
    size_t *columns = arena_alloc(v->arena, (v->column_count + 1) * sizeof *columns), count = 0;
    for (size_t c = 0; c < v->column_count; c++) // the key is for machines: last
        if (!once(v, c) && !v->columns[c].empty && !is(v, c, "key") && !(is(v, c, "experiment") && v->columns[c].same))
            columns[count++] = c;
    for (size_t c = 0; c < v->column_count; c++)
        if (!once(v, c) && !v->columns[c].empty && is(v, c, "key")) columns[count++] = c;
    str_add(s, "<div class=\"scroll\"><table>\n");
    heads(v, columns, count, s);
    str_add(s, "<tbody>\n");
    for (size_t i = 0; i < v->row_count; i++) {
        str_addf(s, "<tr class=\"%s\">", view_good(v, i) ? "good" : "none");
        for (size_t k = 0; k < count; k++) cell(v, i, columns[k], s);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
    said_once(v, s);
}
