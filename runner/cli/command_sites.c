// `gpuexp sites KERNEL...`: the simulator's counters by place, one line for each instruction that reaches memory.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "cli/commands.h"
#include "cli/point_line.h"
#include "cli/term.h"
#include "measure/statuses.h"
#include "measure/why.h"
#include "study/study.h"

#include <string.h>

struct totals {
    uint64_t sectors, wavefronts;
};

static struct totals totals_of(const struct studied *s)
{
    struct totals t = {0};
    for (size_t i = 0; i < s->places.count; i++) {
        t.sectors += s->places.items[i].sectors;
        t.wavefronts += s->places.items[i].wavefronts;
    }
    return t;
}

// Of the sectors where it has some, else of the wavefronts.
static double share_of(const struct device_place *p, const struct totals *t)
{
    return p->sectors ? (double)p->sectors / (double)t->sectors
                      : (double)p->wavefronts / (double)(t->wavefronts ? t->wavefronts : 1);
}

static void place_object(struct json *j, const struct device_place *p, const struct totals *t)
{
    json_add(j, "{ entry:%s", p->entry);
    if (p->line) json_count(j, "line", (uint64_t)p->line);
    json_add(j,
        "instruction:%s instructions:%u requests:%zu sectors:%zu wavefronts:%zu bank_conflicts:%zu lanes:%zu "
        "share:%g }",
        p->op, p->instructions, p->requests, p->sectors, p->wavefronts, p->conflicts, p->lanes, share_of(p, t));
}

static void count_cell(uint64_t n, uint64_t all, FILE *out)
{
    if (!all) return; // no place has any: the column is left out
    if (n) say(out, " %11llu", (unsigned long long)n);
    else say(out, " %11s", "");
}

// "ld.global.f32 x 4": four of it, alike in all.
static void name_place(const struct device_place *p, struct str *s)
{
    str_clear(s);
    str_add(s, p->op);
    if (p->instructions > 1) str_addf(s, " x %u", p->instructions);
}

static void print_places(const struct studied *s, const char *source, FILE *out)
{
    const struct totals t = totals_of(s);
    LOCAL(str_release) struct str op = {0};
    const char *entry = "";
    int wide = text_width("instruction");
    for (size_t i = 0; i < s->places.count; i++) {
        name_place(&s->places.items[i], &op);
        if ((int)op.size > wide) wide = (int)op.size;
    }
    if (!s->places.count) {
        say(out, "no instruction reaches memory\n");
        return;
    }
    const char *of = !t.wavefronts ? "of sectors" : t.sectors ? "share" : "of wavefronts";
    term_say(out, TERM_BOLD, "%5s  %-*s %11s%s%s %6s  %s", "line", wide, "instruction", "requests",
        t.sectors ? "     sectors" : "", t.wavefronts ? "  wavefronts" : "", "lanes", of);
    say(out, "\n");
    const int share = text_width(of), counts = 1 + (t.sectors > 0) + (t.wavefronts > 0);
    const int room = term_width(out) - (5 + 2 + wide + counts * 12 + 7 + share + 4);
    for (size_t i = 0; i < s->places.count; i++) {
        const struct device_place *p = &s->places.items[i];
        if (job_launches(s->job) > 1 && strcmp(entry, p->entry) != 0) say(out, "%s\n", entry = p->entry);
        name_place(p, &op);
        if (p->line) say(out, "%5d  %-*s", p->line, wide, op.text);
        else say(out, "%5s  %-*s", "", wide, op.text);
        count_cell(p->requests, 1, out);
        count_cell(p->sectors, t.sectors, out);
        count_cell(p->wavefronts, t.wavefronts, out);
        say(out, " %6.2f  %*.1f %%", (double)p->lanes / (double)p->requests, share - 2, 100 * share_of(p, &t));
        point_line_quote(source, p->line, room, out);
        say(out, "\n");
    }
}

static void point_object(struct json *j, const struct studying *is)
{
    const struct studied *s = is->studied;
    const struct totals t = totals_of(s);
    json_add(j, "{ kernel:%s file:%s", s->job->kernel, s->job->path);
    plan_values_json(j, is->plan, is->values);
    char reason[WHY_TEXT];
    json_add(j, "status:%s reason:%s places:[", status_names[s->result.status], why_text(&s->result.why, reason));
    for (size_t i = 0; i < s->places.count; i++) place_object(j, &s->places.items[i], &t);
    json_add(j, "] }");
}

static void tell(const struct studying *s, struct diags *d)
{
    (void)d;
    if (s->context) {
        point_object(s->context, s);
        return;
    }
    point_line(s, stdout);
    if (status_has_numbers(s->studied->result.status)) print_places(s->studied, studying_kernel(s)->text, stdout);
}

int command_sites(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    const bool json = options_json(o);
    if (json) json_list(&j, NULL);
    const struct request request = options_request(o);
    const int status = studying_points(&request, false, NULL, tell, json ? &j : NULL, d);
    if (json) json_end(&j);
    return status;
}
