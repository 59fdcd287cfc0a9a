// Rules about what a line does: arithmetic that is dear, constants, barriers, fences and memory that nobody needs.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct most_work {
    double all; // over all lines
    int line;   // that does most of it
};

static struct most_work found_of(const struct evidence *e, enum device_work kind)
{
    struct most_work f = {0};
    double most = 0;
    for (size_t i = 0; e->places && i < e->places->line_count; i++) {
        const double here = (double)e->places->lines[i].work[kind];
        f.all += here;
        if (here > most) most = here, f.line = e->places->lines[i].line;
    }
    return f;
}

// So many turns of the issue slots fewer.
static void spare(const struct evidence *e, const struct bounds *now, struct bounds *mended, double turns)
{
    const double share = fmin(turns / (double)e->places->instructions, 0.95);
    mended->us[BOUND_ISSUE] = fmin(now->us[BOUND_ISSUE], now->raw[BOUND_ISSUE] * (1 - share));
    mended->us[BOUND_LONGEST] = fmin(now->us[BOUND_LONGEST], now->raw[BOUND_LONGEST] * (1 - share));
}

static bool is(const struct device_place *p, const char *kind) { return strncmp(p->op, kind, strlen(kind)) == 0; }

// The line in the file; NULL: there are included files in between, whose lines have numbers of their own.
static const char *line_of(const char *source, int line)
{
    if (strstr(source, "\n#line ")) return NULL;
    while (--line > 0 && source) source = strchr(source, '\n') ? strchr(source, '\n') + 1 : NULL;
    return source;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// sin(), pow() and the like of doubles are a hundred instructions for one result.
static bool has_function(const char *line)
{
    static const char *const names[] = {"sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "pow", "sqrt",
        "cbrt", "tanh", "atan", "atan2", "erf", NULL};
    for (const char *p = line; p && *p && *p != '\n'; p++)
        for (const char *const *n = names; (p == line || !in_name(p[-1])) && *n; n++)
            if (strncmp(p, *n, strlen(*n)) == 0 && p[strlen(*n)] == '(') return true;
    return false;
}

// Tables of the compiler's own functions.
static bool is_library(const char *variable) { return variable && strncmp(variable, "__", 2) == 0; }

// Sums of floats are kept in doubles on purpose; who makes floats of them again at each step does not want them.
bool rule_doubles(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    enum { CONVERSION = 4 };
    const struct most_work doubles = found_of(e, WORK_DOUBLE), narrow = found_of(e, WORK_NARROW);
    if (!(doubles.all > 0) || !(narrow.all > 0)) return false;
    const bool called = e->job->source && has_function(line_of(e->job->source, doubles.line));
    if (!called && narrow.all * 16 < doubles.all) return false;
    const double turns = doubles.all + 2 * CONVERSION * narrow.all, all = (double)e->places->instructions;
    for (size_t i = 0; i < e->places->count; i++)
        if (strstr(e->places->items[i].op, ".f64") && !is_library(e->places->items[i].buffer))
            return false; // its data are doubles
    if (turns < 0.2 * all) return false;
    f->line = doubles.line;
    f->counted = true;
    f->what = "floats are computed in double precision";
    f->why = arena_printf(a,
        "%.0f %% of the issue slots do arithmetic on doubles or convert; what they make is a float again each time",
        100 * fmin(turns / all, 1));
    f->mend = "write the constants as floats (0.5f, not 0.5) and call the functions of floats (sqrtf)";
    if (!called) spare(e, now, mended, doubles.all / 2 + 2 * CONVERSION * narrow.all);
    else mended->us[BOUND_ISSUE] = now->us[BOUND_ISSUE] / 2; // that of floats takes half
    return true;
}

bool rule_divisions(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct most_work d = found_of(e, WORK_DIVIDE);
    if (!(d.all > 0)) return false;
    const double share = d.all / (double)e->places->instructions;
    if (share < 0.4 || now->us[BOUND_ISSUE] < 0.7 * bounds_others(now, BOUND_ISSUE)) return false;
    f->line = d.line;
    f->counted = true;
    f->what = "whole numbers are divided by what the compiler does not know";
    f->why = arena_printf(a, "%.0f %% of the issue slots go to divisions and remainders, a sequence of 20 to 70 each",
        100 * share);
    f->mend =
        "divide by a constant or a power of two (a shift and a mask), count up instead, or use 32 bits where they "
        "are enough";
    spare(e, now, mended, 0.9 * d.all);
    return bounds_time(now) > 1.25 * bounds_time(mended);
}

// "powf(t, 1.5f)": is what it is raised to a number that a few products or roots would do? How many turns these take;
// 0: it is not.
static int simple_power(const char *call)
{
    int depth = 1;
    for (; *call && *call != '\n' && (depth > 1 || *call != ','); call++) depth += (*call == '(') - (*call == ')');
    if (*call != ',') return 0;
    char *end;
    const double power = strtod(call + 1, &end);
    if (end == call + 1 || fabs(power) > 8 || 2 * power != floor(2 * power)) return 0;
    if (*end == 'f' || *end == 'F') end++;
    if (end[strspn(end, " ")] != ')') return 0;
    return power == floor(power) && power > 0 ? 3 : 8;
}

// On the average of those that stand in the line.
static double has_power(const char *line)
{
    double turns = 0;
    int count = 0;
    for (const char *p = line; p && *p && *p != '\n'; p++) {
        if (strncmp(p, "pow", 3) != 0 || (p != line && in_name(p[-1])) || p[3 + (p[3] == 'f')] != '(') continue;
        const int one = simple_power(p + 3 + (p[3] == 'f') + 1);
        turns += one;
        count += one > 0;
    }
    return count ? turns / count : 0;
}

bool rule_powers(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    enum { TURNS = 105 }; // of one call
    struct most_work found = {0};
    double most = 0, simple = 0;
    for (size_t i = 0; e->places && e->job->source && i < e->places->line_count; i++) {
        const struct device_line *l = &e->places->lines[i];
        const double here = (double)l->work[WORK_WHOLE];
        const double turns = here > 0 ? has_power(line_of(e->job->source, l->line)) : 0;
        if (!(turns > 0)) continue;
        simple += turns * here;
        found.all += here;
        if (here > most) most = here, found.line = l->line;
    }
    if (!(found.all > 0)) return false;
    const double share = fmin(TURNS * found.all / (double)e->places->instructions, 1);
    if (share < 0.4 || now->us[BOUND_ISSUE] < 0.7 * bounds_others(now, BOUND_ISSUE)) return false;
    f->line = found.line;
    f->counted = true;
    f->what = "a simple power is made by a function that can do any";
    f->why = arena_printf(a, "some %.0f %% of the issue slots go to `powf`, some 105 for a call", 100 * share);
    f->mend = "products and roots: x * x, x * x * x, x * sqrtf(x), 1 / x";
    const double left = fmax(1 - share, 0.04) + simple / (double)e->places->instructions;
    mended->us[BOUND_ISSUE] = fmin(now->us[BOUND_ISSUE], now->raw[BOUND_ISSUE] * left);
    mended->us[BOUND_LONGEST] = fmin(now->us[BOUND_LONGEST], now->raw[BOUND_LONGEST] * left);
    return bounds_time(now) > 1.25 * bounds_time(mended);
}

bool rule_constants(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct most_work c = found_of(e, WORK_CONSTANT);
    if (!(c.all > 0) || now->us[BOUND_CONSTANT] < 0.3 * bounds_others(now, BOUND_CONSTANT)) return false;
    f->line = c.line;
    f->counted = now->us[BOUND_CONSTANT] > bounds_others(now, BOUND_CONSTANT);
    f->what = "lanes of a warp read different words of constant memory, which gives one at a time";
    f->why = arena_printf(a, "%.0f further words, one behind the other", c.all);
    f->mend = "keep the table in shared memory, or read it through a plain pointer";
    // A table in shared memory: each block brings it there, and of some lanes the words have the same bank.
    const double table = 2 * (double)e->places->constant_bytes / 128 * (double)evidence_blocks(e);
    mended->us[BOUND_CONSTANT] = 0;
    mended->us[BOUND_SHARED] += bounds_shared_us(e, table + 0.075 * c.all);
    return true;
}

// A kernel that reads what it writes may pass it on through global memory.
static bool reads_own(const struct device_places *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; is(&all->items[i], "st") && k < all->count; k++)
            if (is(&all->items[k], "ld") && all->items[i].buffer && all->items[k].buffer &&
                strcmp(all->items[i].buffer, all->items[k].buffer) == 0)
                return true;
    return false;
}

// ... again and again: what is read before all barriers and written behind them passes nothing on.
static bool reads_again(const struct evidence *e)
{
    const struct device_places *all = e->places;
    for (size_t i = 0; i < all->count; i++) {
        const struct device_place *o = &all->items[i];
        if ((double)o->requests <= 1.01 * evidence_warps(e) * o->instructions) continue;
        for (size_t k = 0; k < all->count; k++)
            if (is(o, "st") != is(&all->items[k], "st") && o->buffer && all->items[k].buffer &&
                strcmp(o->buffer, all->items[k].buffer) == 0)
                return true;
    }
    return false;
}

bool rule_barriers(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct most_work b = found_of(e, WORK_BARRIER);
    const double each = b.all / evidence_warps(e);
    bool touched = false, passes = false; // shared memory; by other ways than loads and stores of it
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        touched |= p->space == SPACE_OF_BLOCK;
        passes |= is(p, "atom") || is(p, "red") || strstr(p->op, "async") || strstr(p->op, "bulk");
    }
    if (each < 4 || e->places->shared_passed || passes || (touched ? !e->places->shared_reads : false)) return false;
    if (touched ? reads_own(e->places) : each < 8 || reads_again(e)) return false;
    f->line = b.line;
    f->counted = true;
    f->what = touched ? "barriers where no thread reads what another one wrote" : "barriers where nothing is shared";
    f->why = touched ? arena_printf(a,
                           "a warp waits %.3g times for its block; all words of shared memory are read by the thread "
                           "that wrote them",
                           each)
                     : arena_printf(a, "a warp waits %.3g times for its block, which uses no shared memory", each);
    f->mend = "leave the barriers out; where it fits, keep the values in registers instead of shared memory";
    double shared = b.all; // instructions
    for (size_t i = 0; i < e->places->count; i++)
        if (e->places->items[i].space == SPACE_OF_BLOCK) shared += (double)e->places->items[i].requests;
    mended->us[BOUND_LATENCY] =
        fmin(now->us[BOUND_LATENCY], now->raw[BOUND_LATENCY] - bounds_pauses_us(e, WORK_BARRIER));
    mended->us[BOUND_SHARED] = 0.1 * now->us[BOUND_SHARED];
    spare(e, now, mended, shared);
    mended->overlap = bounds_overlap(e, 0);
    return true;
}

bool rule_fences(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct most_work d = found_of(e, WORK_FENCE);
    const double each = d.all / evidence_warps(e);
    if (each < 4) return false;
    for (size_t i = 0; i < e->places->count; i++) // of threads that pass work on
        if (is(&e->places->items[i], "atom") || is(&e->places->items[i], "red")) return false;
    f->line = d.line;
    f->counted = true;
    f->what = "a warp waits again and again until its writes are seen everywhere";
    f->why = arena_printf(a, "%.3g fences a warp, and no atomic that would pass anything on", each);
    mended->us[BOUND_LATENCY] = fmin(now->us[BOUND_LATENCY], now->raw[BOUND_LATENCY] - bounds_pauses_us(e, WORK_FENCE));
    f->mend = "one fence, in front of the flag that others wait for; none where the kernel's end is enough";
    return true;
}

bool rule_heap(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct most_work h = found_of(e, WORK_HEAP);
    if (h.all < 32) return false;
    f->line = h.line;
    f->counted = true;
    f->what = "threads take memory from the heap";
    f->why = arena_printf(a, "%.0f calls of malloc or new, which wait for each other", h.all);
    f->mend = "an array of constant size in each thread, shared memory, or one buffer that the host allocates";
    mended->us[BOUND_HEAP] = mended->us[BOUND_PARTIAL] = 0;
    mended->us[BOUND_LATENCY] = now->us[BOUND_LATENCY] / 4; // what is in registers need not be waited for
    return true;
}

// The longest block alone takes longer than the device would for all of the work.
bool rule_uneven(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double blocks = (double)evidence_blocks(e), longest = bounds_longest(e);
    (void)mended;
    if (!e->places || !e->places->instructions || job_launches(e->job) > 1 || blocks < 16) return false;
    const double mean = (double)e->places->instructions / blocks, most = (double)e->places->block_most;
    if (most < 4 * mean || longest < 1.3 * now->us[BOUND_ISSUE]) return false;
    struct bounds with = *now, without = *now;
    if (!(now->us[BOUND_LONGEST] > 0)) with.us[BOUND_LONGEST] = longest;
    without.us[BOUND_LONGEST] = with.us[BOUND_LONGEST] * mean / most;
    f->gain = bounds_time(&with) / bounds_time(&without);
    if (f->gain < 1.1) return false;
    f->counted = true;
    f->what = "a few blocks do most of the work, and the others' SMs wait for them";
    f->why =
        arena_printf(a, "the longest block does %.3g times what a block does on the average, some %.3g us by itself",
            most / mean, longest);
    f->mend = "share the long ones out: split them over several blocks, or take pieces of work from a counter";
    return true;
}
