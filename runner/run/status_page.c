// Shards come first, then the report that they are parts of.
// SPDX-License-Identifier: MIT
#include "run/status_page.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "page/html.h"
#include "page/markup.h"

enum { SHOWN = 200, SIDE = 11, ACROSS = 80 }; // rows; of a square; squares side by side

static double share(const struct status_part *p) { return p->points ? (double)p->done / (double)p->points : 0; }

static const char *colour(const struct status_part *p)
{
    return p->failed ? "bad" : p->running ? "s1" : p->left || p->done < p->points ? "warn" : "ok";
}

static void bar(const struct status_part *p, int width, int height, struct str *s)
{
    const double part = share(p);
    str_addf(s,
        "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%.0f %%\"><rect width=\"%d\" height=\"%d\" "
        "fill=\"var(--line)\"/><rect width=\"%.1f\" height=\"%d\" fill=\"var(--%s)\"/></svg>",
        width, height, 100 * part, width, height, part * width, height, colour(p));
}

static void square(struct status_page *page, const struct status_part *p)
{
    struct str *s = &page->squares;
    const size_t x = page->shards % ACROSS * (SIDE + 1), y = page->shards / ACROSS * (SIDE + 1);
    page->shards++;
    str_addf(s, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"var(--%s)\" fill-opacity=\"%.2f\">", x, y,
        SIDE, SIDE, colour(p), 0.25 + 0.75 * share(p));
    str_add(s, "<title>");
    markup_text(s, p->name);
    str_addf(s, ": %zu of %zu", p->done, p->points);
    if (p->failed) str_addf(s, ", %zu failed", p->failed);
    str_add(s, "; ");
    markup_text(s, p->state.text ? p->state.text : "");
    str_add(s, "</title></rect>\n");
}

static void number(struct str *s, size_t n)
{
    if (n) str_addf(s, "<td class=\"n\">%zu</td>", n);
    else str_add(s, "<td></td>");
}

static void row(struct str *s, const struct status_part *p)
{
    LOCAL(str_release) struct str time = {0};
    if (p->left && isfinite(p->seconds)) units_print_seconds(p->seconds, &time);
    str_add(s, "<tr>");
    html_element(s, "td", NULL, p->name);
    str_add(s, "<td>");
    bar(p, 120, 8, s);
    str_addf(s, "</td><td class=\"n\">%zu of %zu</td>", p->done, p->points);
    number(s, p->failed);
    number(s, p->left);
    html_element(s, "td", "n", time.text ? time.text : "");
    html_element(s, "td", NULL, p->state.text ? p->state.text : "");
    str_add(s, "</tr>\n");
}

static void whole(struct status_page *page, const struct status_part *p)
{
    struct str *s = &page->whole, time = {0};
    if (p->left && isfinite(p->seconds)) units_print_seconds(p->seconds, &time);
    const char *heading = s->size ? "h2" : "h1"; // the page's first
    str_add(s, "<section>\n<header>");
    html_element(s, heading, NULL, p->name);
    str_addf(s, "\n<p class=\"question\">%zu of %zu points", p->done, p->points);
    if (time.size) str_addf(s, ", about %s to go", time.text);
    str_add(s, "</p>\n<p class=\"counts\">");
    if (page->shards) str_addf(s, "<span><b>%zu</b> shards begun</span> ", page->shards);
    if (p->failed) str_addf(s, "<span class=\"status wrong\">%zu failed</span> ", p->failed);
    if (p->state.size) str_add(s, "<span>"), markup_text(s, p->state.text), str_add(s, "</span>");
    str_add(s, "</p></header>\n<p>");
    bar(p, ACROSS * (SIDE + 1) - 1, 14, s);
    str_add(s, "</p>\n");
    if (page->shards) {
        str_addf(s,
            "<p class=\"about\">A square a shard: blue runs, amber has points left that nobody measures, green is "
            "done, "
            "red has points that failed.</p>\n<svg width=\"%d\" height=\"%zu\">\n",
            ACROSS * (SIDE + 1), (page->shards / ACROSS + 1) * (SIDE + 1));
        str_add_bytes(s, page->squares.text, page->squares.size);
        str_add(s, "</svg>\n");
    }
    if (page->rows.size) {
        str_addf(s,
            "<h2 class=\"part\">Shards that are not done, or have points that failed%s</h2>\n<div class=\"scroll\" "
            "tabindex=\"0\"><table "
            "style=\"--n:7\">\n<thead><tr><th>shard</th><th></th><th class=\"n\">points</th><th class=\"n\">failed</th>"
            "<th class=\"n\">left</th><th class=\"n\">about</th><th>state</th></tr></thead>\n<tbody>\n",
            page->shown > SHOWN ? ": the first 200" : "");
        str_add_bytes(s, page->rows.text, page->rows.size);
        str_add(s, "</tbody>\n</table></div>\n");
    }
    str_add(s, "</section>\n");
    str_release(&time);
    str_clear(&page->squares);
    str_clear(&page->rows);
    page->shards = page->shown = 0;
}

void status_page_add(struct status_page *page, const struct status_part *p, bool shard)
{
    if (!shard) {
        whole(page, p);
        return;
    }
    square(page, p);
    if ((p->left || p->running || p->failed) && ++page->shown <= SHOWN) row(&page->rows, p);
}

void status_page_say(struct status_page *page, const char *report, const char *state)
{
    const char *heading = page->whole.size ? "h2" : "h1";
    str_add(&page->whole, "<section>\n<header>");
    html_element(&page->whole, heading, NULL, report);
    str_add(&page->whole, "\n<p class=\"question\">");
    markup_text(&page->whole, state);
    str_add(&page->whole, "</p></header>\n</section>\n");
}

void status_page_print(const struct status_page *page, unsigned every, struct str *s)
{
    LOCAL(str_release) struct str head = {0};
    char moment[32];
    html_head("How far it is", &head);
    const size_t title = (size_t)(strstr(head.text, "<title>") - head.text);
    str_add_bytes(s, head.text, title);
    if (every) str_addf(s, "<meta http-equiv=\"refresh\" content=\"%u\"/>\n", every);
    str_add(s, head.text + title);
    str_add(s, "<main>\n");
    str_add_bytes(s, page->whole.text ? page->whole.text : "", page->whole.size);
    clock_date(moment);
    str_addf(s, "<p class=\"about\">As of %s.</p>\n</main>\n", moment);
    html_feet("gpuexp status", s);
}

void status_page_release(struct status_page *page)
{
    str_release(&page->squares);
    str_release(&page->rows);
    str_release(&page->whole);
}
