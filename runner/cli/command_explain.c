// `gpuexp explain FILE | REPORT...`: what limits each point, why, what would mend it, and what shows that it does.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/point_line.h"
#include "cli/term.h"
#include "measure/statuses.h"
#include "measure/why.h"
#include "spec/columns.h"
#include "spec/traits.h"
#include "study/explaining.h"
#include "study/row_by_row.h"
#include "study/study.h"
#include "words/glossary.h"

// The points that were told whole. Of a kind that was told before a point has one line, but for the first few.
struct findings_told {
    struct {
        char *kind, *point;
    } * of;
    size_t count, room, points, like;
};

// A point's findings as a person reads them, or as JSON.

static void part(const char *name, const char *text, FILE *out)
{
    LOCAL(str_release) struct str left = {0};
    str_addf(&left, "     %s", name);
    term_columns(left.text, 11, text, term_width(out), out);
}

// Whose model it is, where it is not of the device that the times are of.
static const char *model_of(const struct evidence *e)
{
    return e->known == KNOWN_LIMITS ? ", by a model of an H200 at this one's limits"
        : evidence_timed(e)         ? ""
                                    : ", as on an H200";
}

static void print_gain(const struct advice *f, const struct evidence *e, FILE *out)
{
    const double us = e->columns[COLUMN_TIME_US];
    LOCAL(str_release) struct str s = {0};
    if (f->untold) str_addf(&s, "not told: %s", f->untold);
    else if (isnan(f->gain)) return;
    else if (f->gain >= 1000) str_addf(&s, "more than 1000 times as fast%s", model_of(e));
    else str_addf(&s, "some %.3g times as fast (%.3g to %.3g)%s", f->gain, f->least, f->most, model_of(e));
    const bool differs = !f->untold && f->own > 0 && f->own < f->gain / findings_worth;
    if (differs) str_add(&s, ", in a larger grid");
    if (us > 0 && f->gain > 1) str_addf(&s, ": %.4g us instead of %.4g", us / f->gain, us);
    part("gain", s.text, out);
    if (differs) {
        str_clear(&s);
        if (f->own < findings_worth) str_add(&s, "next to nothing, in this grid");
        else str_addf(&s, "%.3g times as fast, in this grid", f->own);
        part("here", s.text, out);
    }
}

static const char *const results_said[] = {[RESULTS_UNSEEN] = "not compared",
    [RESULTS_SAME] = "the same",
    [RESULTS_RIGHT] = "each right by its own check",
    [RESULTS_OTHER] = "not proved: other results"};

static void add_results(struct str *s, const struct proof *p)
{
    const bool other = p->results == RESULTS_OTHER;
    if (!p->kept) str_addf(s, other ? "; %s" : "; its results: %s", results_said[p->results]);
}

static void print_proof(const struct proof *p, FILE *out)
{
    LOCAL(str_release) struct str s = {0};
    const double found = p->before_us / p->after_us;
    if (isnan(found)) str_addf(&s, "nothing: %s", p->why);
    else if (p->timed)
        str_addf(&s, "%.3g times as fast: %.4g us instead of %.4g%s", found, p->after_us, p->before_us,
            p->kept ? ", by its row" : "");
    else str_addf(&s, "%.3g times as fast, by what is counted then", found);
    if (!isnan(found)) add_results(&s, p);
    part("found", s.text, out);
}

// The command that shows what the word means, by itself.
static const char *shown_by(const char *word)
{
    const struct term_meaning *t = terms;
    while (word && t->word && !terms_means(t, word)) t++;
    return word && t->word && *t->shown ? t->shown : NULL;
}

static void print_finding(size_t number, const struct advice *f, const struct proof *proof, const struct explaining *x,
    const struct evidence *e, FILE *out)
{
    LOCAL(str_release) struct str head = {0};
    str_addf(&head, "  %zu. ", number);
    term_say(out, TERM_BOLD, "%s%s", head.text, f->rule);
    say(out, ": %s", f->what);
    if (f->line) {
        say(out, "\n     line %d ", f->line);
        point_line_quote(x->kernel->text, f->line, term_width(out) - 12 - 6, out);
    }
    say(out, "\n");
    part("why", f->why, out);
    print_gain(f, e, out);
    part("mend", f->mend, out);
    if (f->test) {
        str_clear(&head);
        str_addf(&head, "-s %s", f->test);
        part("test", head.text, out);
    }
    if (f->word) {
        const char *quote = strchr(f->word, ' ') ? "'" : "";
        str_clear(&head);
        str_addf(&head, "gpuexp describe %s%s%s", quote, f->word, quote);
        part("see", head.text, out);
    }
    const char *shown = shown_by(f->word);
    if (shown) part("try", shown, out);
    if (proof) print_proof(proof, out);
}

static void finding_object(struct json *j, const struct advice *f, const struct proof *proof)
{
    json_add(j, "{ rule:%s", f->rule);
    if (f->line) json_count(j, "line", (uint64_t)f->line);
    json_add(j, "what:%s why:%s gain:%g gain_least:%g gain_most:%g", f->what, f->why, f->gain, f->least, f->most);
    if (!isnan(f->own)) json_number(j, "gain_this_grid", f->own);
    if (f->untold) json_text(j, "gain_not_told", f->untold);
    json_add(j, "mend:%s test:%s word:%s try:%s", f->mend, f->test, f->word, shown_by(f->word));
    if (proof) {
        json_add(j, "found:%g timed:%d", proof->before_us / proof->after_us, proof->timed);
        if (*proof->why) json_text(j, "not_found", proof->why);
        else if (!proof->kept) json_text(j, "results", results_said[proof->results]);
    }
    json_close(j);
}

static void begin_object(struct json *j, const struct explaining *x, const struct evidence *e)
{
    char reason[WHY_TEXT];
    json_add(j, "{ kernel:%s file:%s", x->job->kernel, x->job->path);
    plan_values_json(j, x->plan, x->values);
    const struct limits *l = &e->limits;
    const bool known = e->known != KNOWN_NOTHING, says = known && l->count;
    json_add(j, "status:%s reason:%s time_us:%g limits_of:%s model_us:%g model_lo_us:%g model_hi_us:%g limits:[",
        x->status, why_text(x->why, reason), x->columns[COLUMN_TIME_US], known ? e->device->title : NULL,
        says ? l->us : (double)NAN, says ? l->lo_us : (double)NAN, says ? l->hi_us : (double)NAN);
    for (int k = 0; k < l->count; k++) // the tallest first
        json_add(j, "{ unit:%s us:%g share:%g }", l->of[k].unit, known ? l->of[k].us : (double)NAN, l->of[k].share);
    json_close(j);
    if (!l->count) json_text(j, "no_limits", l->why);
    if (l->count && evidence_stands(e)) json_text(j, "limit_larger_grid", e->judged.of[0].unit);
    struct counted_share of[COUNTED_MOST];
    const int count = evidence_counted(e, of);
    const double parted = evidence_parted(e);
    if (!isnan(parted) && parted != 1) json_number(j, "measured_to_model", parted);
    if (e->columns[COLUMN_QUICK_US] > 0)
        json_add(j, "quick_us:%g slow_us:%g slow_pct:%g", e->columns[COLUMN_QUICK_US], e->columns[COLUMN_SLOW_US],
            e->columns[COLUMN_SLOW_PCT]);
    json_list(j, "counted"); // of a report that has counters
    for (int k = 0; k < count; k++) json_add(j, "{ unit:%s share:%g }", limit_words[of[k].is], of[k].share);
    json_add(j, "] findings:[");
}

static void limit_line(const char *head, struct str *s, FILE *out)
{
    if (s->size) term_columns(head, 11, s->text, term_width(out), out);
    str_release(s);
}

// What the report's counters say a unit did, as a share of what the device could have done in that time.
static void print_counted(const struct evidence *e, FILE *out)
{
    struct counted_share of[COUNTED_MOST];
    struct str s = {0};
    const int count = evidence_counted(e, of);
    for (int k = 0; k < count; k++)
        str_addf(&s, "%s%s %.0f %%", k ? ", " : "", limit_titles[of[k].is], 100 * of[k].share);
    limit_line("  counted", &s, out);
}

// What the model expects beside what was measured. Outside of its interval it does not know the cause.
static void print_model(const struct evidence *e, FILE *out)
{
    const double parted = evidence_parted(e), times = parted < 1 ? 1 / parted : parted;
    struct str s = {0};
    if (isnan(parted)) return;
    str_addf(&s, "%.4g us measured; expected are %.4g (%.4g to %.4g)", e->columns[COLUMN_TIME_US], e->limits.us,
        e->limits.lo_us, e->limits.hi_us);
    if (parted > 1)
        str_addf(&s, ". That is %.2g times as long: something takes time that the model does not know", times);
    if (parted < 1) str_addf(&s, ". That is %.2g times as fast: the model counts something that costs less", times);
    limit_line("  model", &s, out);
}

// With its short word, which is that of a table, where the title does not hold it.
static void name_limit(struct str *s, const struct limit *l)
{
    const char *title = limit_titles[l->is];
    str_add(s, title);
    if (!strcasestr(title, l->unit)) str_addf(s, " (%s)", l->unit);
}

// Where a row has two times, no change of the kernel's work makes the one out of the other.
static void print_times(const struct evidence *e, FILE *out)
{
    const double *c = e->columns;
    struct str s = {0};
    if (c[COLUMN_QUICK_US] > 0 && c[COLUMN_SLOW_US] > 0)
        str_addf(&s,
            "%.4g us, and %.4g us in %.0f %% of the places: by where its buffers lie, which is drawn each time",
            c[COLUMN_QUICK_US], c[COLUMN_SLOW_US], c[COLUMN_SLOW_PCT]);
    limit_line("  times", &s, out);
}

// The tallest, and behind it what would limit next.
static void print_limits(const struct explaining *x, const struct evidence *e, FILE *out)
{
    const struct limits *l = &e->limits;
    struct str s = {0}, next = {0}, larger = {0};
    if (l->count) {
        name_limit(&s, &l->of[0]);
        str_addf(&s, ": %.0f %% of the time", 100 * l->of[0].share);
        for (int k = 1; k < l->count && k < 3 && l->of[k].share >= 0.05; k++) {
            if (k > 1) str_add(&next, ", ");
            name_limit(&next, &l->of[k]);
            str_addf(&next, " %.0f %%", 100 * l->of[k].share);
        }
        if (next.size) str_add(&next, " (all at the same time)");
    } else if (!x->places && x->other_time) str_add(&s, "not looked at: `gpuexp explain ... --all`");
    else str_addf(&s, "not known: %s", l->why && *l->why ? l->why : "nothing was kept of it");
    limit_line("  limit", &s, out);
    limit_line("  next", &next, out);
    if (e->judged.count && l->count && e->judged.of[0].is != l->of[0].is) {
        name_limit(&larger, &e->judged.of[0]);
        str_addf(&larger, ": %.0f %%, in a larger grid that fills the GPU", 100 * e->judged.of[0].share);
    }
    limit_line("  larger", &larger, out);
    print_counted(e, out);
    print_model(e, out);
    print_times(e, out);
}

// Two points are of one kind where the same unit limits them and the same is found in the same lines.
static char *kind_of(const struct explaining *x, const struct evidence *e, const struct advice *found, size_t count)
{
    LOCAL(str_release) struct str s = {0};
    if (!e->limits.count) return NULL;
    str_addf(&s, "%s %d %d", x->device, (int)e->limits.of[0].is, e->judged.count ? (int)e->judged.of[0].is : -1);
    for (size_t i = 0; i < count; i++) str_addf(&s, " %s %d", found[i].rule, found[i].line);
    return str_take(&s);
}

// A point of a kind that was told before has one line: which point that was, and its own gain.
static bool is_told(struct findings_told *t, const struct explaining *x, const struct evidence *e,
    const struct advice *found, size_t count)
{
    enum { WHOLE = 4 };
    LOCAL(str_release) struct str s = {0};
    LOCAL(mem_drop) char *kind = kind_of(x, e, found, count);
    const struct studied is = {.job = x->job};
    if (!kind) return false;
    studying_values(&(struct studying){.plan = x->plan, .values = x->values, .studied = &is}, &s);
    t->points++;
    for (size_t i = 0; t->points > WHOLE && i < t->count; i++) {
        if (strcmp(t->of[i].kind, kind) != 0) continue;
        str_clear(&s);
        str_add(&s, t->of[i].point);
        if (count && !found[0].untold && !isnan(found[0].gain)) str_addf(&s, "; here the gain is %.3g", found[0].gain);
        limit_line("  as at", &s, stdout);
        t->like++;
        return true;
    }
    mem_grow(&t->of, &t->room, t->count + 1, sizeof *t->of);
    t->of[t->count].point = str_copy(s.text ? s.text + strspn(s.text, " ") : "");
    t->of[t->count++].kind = kind;
    kind = NULL;
    return false;
}

// Says how many had one line, and forgets all
static void findings_told_end(struct findings_told *t, FILE *out)
{
    if (t->like)
        say(out, "%zu of %zu points are told by one that is like them; `--all` tells each\n", t->like, t->points);
    for (size_t i = 0; i < t->count; i++) free(t->of[i].kind), free(t->of[i].point);
    free(t->of);
    *t = (struct findings_told){0};
}

struct teller {
    struct json *json;
    struct findings_told *told;
};

static bool begin(void *context, const struct explaining *x, const struct evidence *e, const struct advice *found,
    size_t count)
{
    const struct teller *t = context;
    if (t->json) begin_object(t->json, x, e);
    else if (x->numbers) {
        if (t->told && is_told(t->told, x, e, found, count)) return false;
        if (e->known == KNOWN_NOTHING)
            say(stdout,
                "  nothing is known here of the device `%s`: what follows goes by an H200's limits, without gains\n",
                x->device);
        print_limits(x, e, stdout);
    }
    return true;
}

static void finding(void *context, const struct explaining *x, const struct evidence *e, size_t number,
    const struct advice *f, const struct proof *proof)
{
    const struct teller *t = context;
    if (t->json) finding_object(t->json, f, proof);
    else print_finding(number, f, proof, x, e, stdout);
}

// Flaws that are there, where none is worth telling.
static void print_idle(const struct evidence *e, FILE *out)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct str idle = {0};
    findings_idle(e, &idle, a);
    if (idle.size) str_addf(&idle, ": mended, they gain less than %.0f %%", 100 * (findings_worth - 1));
    limit_line("  small", &idle, out);
}

// A user's mended kernel, beside what was told. Both in the grids as they are.
static void print_mended(const struct proof *p, const struct advice *first, FILE *out)
{
    LOCAL(str_release) struct str s = {0};
    const double found = p->before_us / p->after_us, told = !first ? NAN : isnan(first->own) ? first->gain : first->own;
    if (isnan(found)) str_addf(&s, "nothing: %s", p->why);
    else
        str_addf(&s, "%.3g times as fast: %.4g us instead of %.4g%s", found, p->after_us, p->before_us,
            p->timed ? "" : ", by the model");
    if (!isnan(found) && !isnan(told)) str_addf(&s, "; told was %.3g", told);
    if (!isnan(found)) add_results(&s, p);
    limit_line("  mended", &s, out);
}

static void end(void *context, const struct explaining *x, const struct evidence *e, const struct advice *first,
    size_t findings, const struct proof *mended)
{
    const struct teller *t = context;
    if (t->json) {
        json_close(t->json);
        if (mended)
            json_add(t->json, "mended:{ file:%s found:%g timed:%d not_found:%s results:%s }", x->mended,
                mended->before_us / mended->after_us, mended->timed, *mended->why ? mended->why : NULL,
                *mended->why ? NULL : results_said[mended->results]);
        json_close(t->json);
        return;
    }
    if (x->numbers && (!findings || strcmp(first->rule, "ceiling") == 0)) print_idle(e, stdout);
    if (mended) print_mended(mended, first, stdout);
}

// Without `json` as text, on standard output; without `told` each point whole.
static void findings_text(const struct explaining *x, struct json *j, struct findings_told *told)
{
    static const struct explaining_teller teller = {begin, finding, end};
    explaining_each(x, &teller, &(struct teller){j, told});
}

struct explain {
    const struct options *options;
    struct json *json;
    struct study *trial;
    struct point_choice points;
    struct findings_told told;
};

// What is asked of each point is told of each.
static struct findings_told *told(struct explain *x)
{
    const struct options *o = x->options;
    return options_given(o, OPTION_ALL) || options_given(o, OPTION_PROVE) ? NULL : &x->told;
}

// What this machine says of a GPU that was named.
static const char *limits_of(const struct traits *t, struct arena *a)
{
    LOCAL(str_release) struct str s = {0};
    for (int i = 0; i < TRAIT_COUNT; i++)
        if (t->values[i] > 0) str_addf(&s, "%s%s %.0f", s.size ? ", " : "", trait_table[i].name, t->values[i]);
    return s.size ? arena_strdup(a, s.text) : NULL;
}

static const char *mended_of(const struct options *o)
{
    return options_given(o, OPTION_PROVE) && *o->value[OPTION_PROVE] ? o->value[OPTION_PROVE] : NULL;
}

static void tell_point(const struct studying *s, struct diags *d)
{
    struct explain *x = s->context;
    const struct studied *is = s->studied;
    const bool simulated = device_kind(s->device) == device_simulator();
    const struct traits *t = simulated ? NULL : traits_of(plan_experiment(s->plan), s->device);
    LOCAL(arena_drop) struct arena *a = arena_new();
    (void)d;
    const struct explaining e = {.plan = s->plan,
        .values = s->values,
        .job = is->job,
        .kernel = studying_kernel(s),
        .status = status_names[is->result.status],
        .why = &is->result.why,
        .device = t && *t->device ? t->device : s->device,
        .limits = t ? limits_of(t, a) : NULL,
        .columns = is->result.columns,
        .places = &is->places,
        .trial = x->trial,
        .prove = options_given(x->options, OPTION_PROVE) ? s->device : NULL,
        .mended = mended_of(x->options),
        .whole = !simulated,
        .numbers = status_has_numbers(is->result.status)};
    if (!x->json) point_line(s, stdout);
    point_choice_note(&x->points, s);
    findings_text(&e, x->json, told(x));
}

static void tell_row(const struct explaining *row, void *context)
{
    const struct explain *x = context;
    struct explaining e = *row;
    const struct studied name = {.job = row->job};
    if (!options_given(x->options, OPTION_PROVE)) e.prove = NULL;
    e.mended = e.prove ? mended_of(x->options) : NULL;
    if (!x->json)
        point_line_as(&(struct studying){.plan = row->plan, .values = row->values, .studied = &name}, row->status,
            row->why, stdout);
    findings_text(&e, x->json, NULL);
}

// Behind the last row, or on the other stream where that is data.
static void tell_left(const struct row_by_row_seen *seen, FILE *out)
{
    if (seen->fit > seen->looked)
        say(out,
            "%zu of %zu rows, those that use the memory worst, were looked at on the simulator; `--all` looks at "
            "each\n",
            seen->looked, seen->rows);
    if (seen->unknown)
        say(out, "%zu of %zu rows are of no point that the experiment has, and are left out\n", seen->unknown,
            seen->rows);
}

static void explain_report(struct explain *x, const char *path, struct diags *d)
{
    struct row_by_row_seen seen;
    const struct request request = options_request(x->options);
    const size_t looks = options_given(x->options, OPTION_ALL) ? SIZE_MAX : 0;
    if (row_by_row(path, &request, looks, tell_row, x, &seen, d)) tell_left(&seen, x->json ? stderr : stdout);
}

int command_explain(const struct options *o, struct diags *d)
{
    struct json j = json_begin(stdout, false);
    const struct study_bounds bounds = {.instructions = (uint64_t)1 << 30}, some = {.instructions = 8 << 20};
    struct explain x = {o, options_json(o) ? &j : NULL, study_open(NULL, true, &bounds, d), {0}, {0}};
    int status = 0;
    if (x.json) json_list(&j, NULL);
    for (size_t i = 0; i < o->operand_count; i++) {
        struct options one = *o;
        one.operands = o->operands + i;
        one.operand_count = 1;
        x.options = &one;
        if (text_ends(o->operands[i], ".csv")) explain_report(&x, o->operands[i], d);
        else {
            const struct request request = options_request(&one);
            const int own = studying_points(&request, true, &some, tell_point, &x, d);
            status = own ? own : status;
            point_choice_tell(&x.points, false, x.json ? stderr : stdout);
        }
        findings_told_end(&x.told, stdout);
    }
    if (x.json) json_end(&j);
    study_close(x.trial);
    return status;
}
