// Writes the page's parts in turn.
// SPDX-License-Identifier: MIT
#include "page/compare_page.h"

#include <math.h>
#include <string.h>

#include "page/html.h"
#include "page/markup.h"
#include "page/strip.h"

static void side(const char *before, const char *path, const char *link, const char *device, struct str *s)
{
    str_addf(s, "<div><dt>%s</dt><dd>", before);
    if (link) str_add(s, "<a href=\""), markup_text(s, link), str_add(s, "\">");
    markup_text(s, path);
    if (link) str_add(s, "</a>");
    if (device) str_add(s, ", "), markup_text(s, device);
    str_add(s, "</dd></div>\n");
}

// How many points have each verdict, in the order of the points: the worst first.
static void counts(const struct compare_page *c, struct str *s)
{
    str_addf(s, "<p class=\"counts\"><span><b>%zu</b> point%s</span>", c->count, c->count == 1 ? "" : "s");
    for (size_t i = 0, n; i < c->count; i += n) {
        for (n = 1; i + n < c->count && strcmp(c->points[i + n].verdict, c->points[i].verdict) == 0;) n++;
        str_addf(s, " <span class=\"status %s\">%zu %s</span>", c->points[i].kind, n, c->points[i].verdict);
    }
    str_add(s, "</p>\n");
}

static void header(const struct compare_page *c, struct str *s)
{
    str_add(s, "<header>\n<h1>compare</h1>\n");
    counts(c, s);
    str_add(s, "</header>\n<dl class=\"facts\">\n");
    side("old", c->old, c->old_link, c->old_device, s);
    side("new", c->new, c->new_link, c->new_device, s);
    if (*c->constants)
        str_add(s, "<div><dt>all with</dt><dd>"), markup_text(s, c->constants), str_add(s, "</dd></div>");
    if (c->meant > 1)
        str_addf(s, "<div><dt>mean</dt><dd>geometric, of %zu: x%.4f (%.4f to %.4f)</dd></div>\n", c->meant,
            c->mean.value, c->mean.low, c->mean.high);
    str_add(s, "</dl>\n");
}

static void picture(const struct compare_page *c, struct arena *a, struct str *s)
{
    struct strip_mark *marks = arena_alloc(a, (c->count + 1) * sizeof *marks);
    struct strip_row *rows = arena_alloc(a, (c->count + 1) * sizeof *rows);
    struct strip strip = {.about = "time, new / old, of each point",
        .axis = "time, new / old: what is on the right takes longer now",
        .axis_narrow = "new / old: right takes longer",
        .even = "as before",
        .centre = 1,
        .within = c->threshold,
        .rows = rows};
    for (size_t i = 0; i < c->count; i++) {
        const struct compared_point *p = &c->points[i];
        if (!isfinite(p->ratio.value)) continue;
        marks[i] = (struct strip_mark){.name = p->name,
            .told = arena_printf(a, "%s: %s us, was %s; x%.4f%s", p->verdict, p->is_us, p->was_us, p->ratio.value,
                isfinite(p->ratio.low) ? arena_printf(a, " (%.4f to %.4f)", p->ratio.low, p->ratio.high) : ""),
            .value = p->ratio.value,
            .low = p->ratio.low,
            .high = p->ratio.high,
            .bad = strcmp(p->kind, "wrong") == 0};
        rows[strip.count++] = (struct strip_row){p->name, &marks[i], 1};
    }
    LOCAL(str_release) struct str drawn = {0};
    if (strip_draw(&strip, a, &drawn)) {
        str_add(s,
            "<div class=\"charts\">\n<div class=\"chart wide\">\n<h2 class=\"part\">time <span>new / "
            "old</span></h2>\n");
        str_add_bytes(s, drawn.text, drawn.size);
        str_addf(s,
            "<p class=\"key\">Whiskers: 99 %% confidence interval of the ratio. Within the band of %.3g %% it is the "
            "same.",
            100 * c->threshold);
        if (strip.count > STRIP_ROWS)
            str_addf(s, " The first %d of %zu are drawn; the table has them all.", STRIP_ROWS, strip.count);
        str_add(s, "</p>\n</div>\n</div>\n");
    }
}

static bool several_gpus(const struct compare_page *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (*c->points[i].gpus) return true;
    return false;
}

static void table(const struct compare_page *c, struct str *s)
{
    const bool gpus = several_gpus(c);
    str_addf(s,
        "<h2 class=\"part\">Points</h2>\n<div class=\"scroll\" tabindex=\"0\"><table "
        "style=\"--n:%d\">\n<thead><tr><th>verdict</th><th>point</th>"
        "<th class=\"n\">old<small>us</small></th><th class=\"n\">new<small>us</small></th>"
        "<th class=\"n\">new / old</th><th class=\"n\">99 %% interval</th>%s<th>what else differs</th></tr></thead>\n"
        "<tbody>\n",
        gpus ? 8 : 7, gpus ? "<th>gpu</th>" : "");
    for (size_t i = 0; i < c->count; i++) {
        const struct compared_point *p = &c->points[i];
        str_addf(s, "<tr><td class=\"status %s\">%s</td>", p->kind, p->verdict);
        html_element(s, "td", NULL, p->name);
        html_element(s, "td", "n", p->was_us);
        html_element(s, "td", "n", p->is_us);
        str_add(s, "<td class=\"n\">");
        if (isfinite(p->ratio.value)) str_addf(s, "%.4f", p->ratio.value);
        str_add(s, "</td><td class=\"n\">");
        if (isfinite(p->ratio.low)) str_addf(s, "%.4f to %.4f", p->ratio.low, p->ratio.high);
        str_add(s, "</td>");
        if (gpus) html_element(s, "td", NULL, p->gpus);
        html_element(s, "td", "reason", p->rest);
        str_add(s, "</tr>\n");
    }
    str_add(s, "</tbody>\n</table></div>\n");
}

void compare_page(const struct compare_page *c, struct arena *a, struct str *s)
{
    LOCAL(str_release) struct str title = {0};
    str_addf(&title, "%s compared with %s", c->new, c->old);
    html_head(title.text, s);
    str_add(s, "<main>\n<section>\n");
    header(c, s);
    picture(c, a, s);
    table(c, s);
    str_add(s, "</section>\n</main>\n");
    str_clear(&title);
    str_addf(&title, "gpuexp compare %s %s", c->old, c->new);
    html_feet(title.text, s);
}
