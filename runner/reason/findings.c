// The table of rules, and who is told first.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"
#include "spec/columns.h"

#include <math.h>
#include <string.h>

const struct finding_rule finding_rules[] = {
#define X(name, kind, word, about) {#name, about, kind, word, rule_##name},
    FINDING_RULES(X)
#undef X
        {0},
};

enum { RULES_MOST = 40 };
const double findings_worth = 1.05;

void change_pick(struct change *c, const struct device_place *p, unsigned mend)
{
    for (uint32_t k = 0; k < p->instructions && c->tape.pick_count < CHANGE_PICKS; k++)
        c->picks[c->tape.pick_count++] = (struct tape_pick){p->entry, p->numbers ? p->numbers[k] : 0, mend, 0};
}

void change_spare(struct change *c, const struct evidence *e, double instructions)
{
    const double all = e->places ? (double)e->places->instructions : 0;
    c->tape.spared_work = all > 0 ? fmin(0.95, instructions / all) : 0;
}

static double weight(const struct advice *f) { return isnan(f->gain) ? 1.5 : f->gain; }

static void insert(struct advice *all, size_t *count, const struct advice *f)
{
    size_t at = (*count)++;
    for (; at > 0 && weight(&all[at - 1]) < weight(f); at--) all[at] = all[at - 1];
    all[at] = *f;
}

static double differs(const struct advice *f) { return f->gain > 1 ? 1 - 1 / f->gain : 0; }

// A measured time stands for the replay as it is. What the model has too much, or too little, is of the tallest unit:
// as far as that limits the mended one too, it is as far off there. What the mended one moves takes its time of the
// memory.
static void by_time(const struct evidence *e, struct advice *f, const struct limits *mended)
{
    const double us = e->columns[COLUMN_TIME_US], all = e->judged.us / f->gain;
    if (!evidence_timed(e) || !e->judged.count) return;
    const double gone = 1 - fmin(1, limits_share(mended, e->judged.of[0].is));
    f->gain = fmin(f->gain * pow(us / e->judged.us, gone), us / (limits_share(mended, LIMIT_DRAM) * all));
}

// Only what differs between the two replays is as far off as the model may be.
static void widen(const struct evidence *e, struct advice *f)
{
    const double us = e->judged.us;
    f->least = us > 0 ? fmax(1, f->gain * pow(e->judged.lo_us / us, differs(f))) : f->gain;
    f->most = us > 0 ? f->gain * pow(e->judged.hi_us / us, differs(f)) : f->gain;
}

static bool of_memory(const struct evidence *e)
{
    for (int k = 0; k < e->judged.count && k < 2; k++) switch (e->judged.of[k].is) {
        case LIMIT_DRAM:
        case LIMIT_L2:
        case LIMIT_L1:
        case LIMIT_SHARED:
        case LIMIT_LOADS:
        case LIMIT_ATOMICS: return true;
        default: break;
        }
    return !e->judged.count;
}

// A time that is not understood is no ground to foretell another one.
static const char *unexplained(const struct evidence *e, struct arena *a)
{
    const double time = e->columns[COLUMN_TIME_US], model = e->judged.us, much = 2;
    if (!evidence_timed(e) || !e->judged.count || (time < much * model && model < much * time)) return NULL;
    return arena_printf(a, "it took %.4g us, where %.4g are understood", time, model);
}

enum tried { ABSENT, IDLE, WORTH };

static enum tried tries(const struct evidence *e, const struct finding_rule *r, struct advice *f, struct arena *a)
{
    struct change c = {.gain = NAN};
    const struct tape_change none = {0};
    if (!r->find(e, &c, f, a)) return ABSENT;
    c.tape.picks = c.picks;
    f->gain = c.gain;
    if (isnan(f->gain) &&
        memcmp(&c.tape.spared, &none.spared, sizeof c.tape - offsetof(struct tape_change, spared)) == 0 &&
        !c.tape.pick_count)
        return r->kind == OF_POINT || f->untold || !e->places ? WORTH : ABSENT; // what columns say has no gain
    if (r->kind == OF_MEMORY && !of_memory(e)) return IDLE;
    struct change *kept = arena_alloc(a, sizeof *kept);
    *kept = c;
    kept->tape.picks = kept->picks;
    if (isnan(c.gain)) f->change = &kept->tape; // else no replay can tell the gain, of this grid or another
    struct limits mended = {0};
    const double us = isnan(c.gain) ? evidence_changed(e, &c.tape, false, &mended) : NAN;
    const double plain = e->judged.us / us; // of the two replays, whatever was measured
    if (us > 0) f->gain = plain, by_time(e, f, &mended);
    if (isnan(f->gain)) f->untold = arena_printf(a, "%s", e->judged.why ? e->judged.why : "nothing was kept of it");
    widen(e, f);
    // Half of what makes it worth telling is sure.
    const bool sure = !isnan(c.gain) || 2 * (f->least - 1) >= findings_worth - 1;
    return isnan(f->gain) || (f->gain >= findings_worth && !(plain < findings_worth) && sure) ? WORTH : IDLE;
}

void findings_idle(const struct evidence *e, struct str *s, struct arena *a)
{
    for (const struct finding_rule *r = finding_rules; r->name; r++) {
        struct advice f = {.rule = r->name, .gain = NAN, .least = NAN, .most = NAN};
        if (r->kind == OF_POINT || tries(e, r, &f, a) != IDLE) continue;
        str_addf(s, "%s%s", s->size ? ", " : "", r->name);
        if (f.line) str_addf(s, " (line %d)", f.line);
    }
}

static double own_gain(const struct evidence *e, const struct advice *f)
{
    struct limits mended;
    if (!evidence_stands(e) || !f->change || isnan(f->gain)) return NAN;
    return e->limits.us / evidence_changed(e, f->change, true, &mended);
}

size_t findings_of(const struct evidence *e, struct advice out[FINDINGS_TOLD], struct arena *a)
{
    struct advice all[RULES_MOST];
    size_t count = 0;
    for (const struct finding_rule *r = finding_rules; r->name; r++) {
        struct advice f = {.rule = r->name, .gain = NAN, .least = NAN, .most = NAN, .word = r->word};
        // That nothing is left to win is told only where nothing else is.
        if (r->find == rule_ceiling && count) continue;
        if (tries(e, r, &f, a) != WORTH) continue;
        if (!f.untold && (f.change || r->kind != OF_POINT || isnan(f.gain))) f.untold = unexplained(e, a);
        insert(all, &count, &f);
    }
    if (!count) count = findings_unit(e, &all[0], a);
    for (size_t i = 0; i < count && i < FINDINGS_TOLD; i++) {
        out[i] = all[i];
        if (e->known == KNOWN_NOTHING || out[i].untold) out[i].gain = out[i].least = out[i].most = NAN;
        out[i].own = own_gain(e, &out[i]);
        if (e->known == KNOWN_NOTHING) out[i].untold = NULL;
    }
    return count < FINDINGS_TOLD ? count : FINDINGS_TOLD;
}
