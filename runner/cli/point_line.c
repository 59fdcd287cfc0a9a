// Names a point by what tells it from others.
// SPDX-License-Identifier: MIT
#include "cli/point_line.h"

#include "cli/term.h"
#include "base/text.h"
#include "measure/statuses.h"

#include <string.h>

void point_line_quote(const char *text, int line, int room, FILE *out)
{
    for (int n = 1; text && n < line; n++)
        if ((text = strchr(text, '\n'))) text++;
    if (!text || line < 1 || room < 8) return;
    text += strspn(text, " \t");
    LOCAL(str_release) struct str s = {0};
    str_add_bytes(&s, text, strcspn(text, "\n"));
    term_say(out, TERM_DIM, "  %.*s", (int)text_cut(s.text ? s.text : "", room), s.text ? s.text : "");
}

void point_line_as(const struct studying *s, const char *status, const struct why *why, FILE *out)
{
    LOCAL(str_release) struct str name = {0};
    char text[WHY_TEXT];
    const char *reason = why_text(why, text);
    studying_values(s, &name);
    term_say(out, TERM_BOLD, "%s", s->studied->job->kernel);
    say(out, "%s: %s%s%s\n", name.text ? name.text : "", status, *reason ? ": " : "", reason);
}

void point_line(const struct studying *s, FILE *out)
{
    const struct studied *is = s->studied;
    char few[96];
    snprintf(few, sizeof few, "a few of its %llu blocks were run, and stand for all",
        (unsigned long long)is->of_blocks);
    // They are no proof that all are right.
    if (is->of_blocks && is->result.status == STATUS_UNVERIFIED) point_line_as(s, few, &(struct why){0}, out);
    else point_line_as(s, status_names[is->result.status], &is->result.why, out);
}

void point_choice_note(struct point_choice *c, const struct studying *s)
{
    LOCAL(mem_drop) struct value *last = mem_alloc((plan_name_count(s->plan) + 1) * sizeof *last);
    c->points = plan_count(s->plan);
    plan_values(s->plan, c->points - 1, last);
    str_clear(&c->one);
    for (size_t i = 0; i < plan_name_count(s->plan); i++) {
        const char *name = plan_name(s->plan, i);
        LOCAL(str_release) struct str is = {0};
        if (!experiment_is_axis(plan_experiment(s->plan), name)) continue;
        value_print(last[i], &is);
        const char *quote = strpbrk(is.text, " []{}*\"") ? "'" : "";
        str_addf(&c->one, " -s %s%s=%s%s", quote, name, is.text, quote);
    }
}

void point_choice_tell(struct point_choice *c, bool first, FILE *out)
{
    if (c->points > POINT_CHOICE_MOST && c->one.size)
        say(out, first ? "this is the first of %zu points; the last:%s\n" : "%zu points; one alone:%s\n", c->points,
            c->one.text);
    str_release(&c->one);
    c->points = 0;
}
