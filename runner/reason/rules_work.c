// Rules about what a line does: lanes that wait, arithmetic that is dear, constants, barriers, fences and memory that
// nobody needs.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct most_work {
    double all; // over all lines
    int line;   // that does most of it, of those that are the file's
};

static struct most_work found_of(const struct evidence *e, enum device_work kind)
{
    struct most_work f = {0};
    double most = 0;
    for (size_t i = 0; e->places && i < e->places->line_count; i++) {
        const double here = (double)e->places->lines[i].work[kind];
        f.all += here;
        if (here > most && e->places->lines[i].line) most = here, f.line = e->places->lines[i].line;
    }
    return f;
}

static double share_of(const struct evidence *e, double turns)
{
    return e->places && e->places->instructions ? fmin(turns / (double)e->places->instructions, 1) : 0;
}

// The line in the file; NULL: there are included files in between, whose lines have numbers of their own.
static const char *line_of(const char *source, int line)
{
    if (strstr(source, "\n#line ")) return NULL;
    while (--line > 0 && source) source = strchr(source, '\n') ? strchr(source, '\n') + 1 : NULL;
    return source;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool rule_divergence(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct device_places *p = e->places;
    const struct device_line *worst = NULL;
    if (!p || !p->idle || p->untaped) return false; // how long lanes wait for other blocks no count tells
    const double idle = (double)p->idle / (double)(p->idle + p->lanes);
    for (size_t i = 0; i < p->line_count; i++)
        if (!worst || p->lines[i].idle > worst->idle) worst = &p->lines[i];
    // A line where nearly all wait, and which takes long; or many lines.
    const double here = (double)worst->idle / (double)(worst->idle + worst->lanes);
    const bool bad = here >= 0.6 && (double)(worst->idle + worst->lanes) >= 0.2 * (double)(p->idle + p->lanes);
    if (idle < 0.2 && !bad) return false;
    // Threads behind the end of the work have none; in a larger grid they are few.
    if (evidence_stands(e) && idle <= e->job->beyond) return false;
    c->tape.full_warps = true;
    f->line = worst->line;
    const double lanes = 32 * (double)worst->lanes / (double)(worst->lanes + worst->idle);
    if (lanes < 1.05 && e->judged.count && e->judged.of[0].is == LIMIT_LOADS)
        f->untold = "one lane goes from load to load; counts do not tell whether others could share its work";
    f->what = "lanes of a warp go different ways, and each way waits for the others";
    f->why = arena_printf(a, "%.1f of 32 lanes are active on the average; at this line %.1f", 32 * (1 - idle), lanes);
    f->mend = "let whole warps go one way: choose by what is the same for 32 neighbours (a sort, another order of the "
              "work), or compute both ways and select";
    return true;
}

bool rule_part_warps(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const uint32_t threads = evidence_threads(e), warps = (threads + 31) / 32;
    const double full = (double)threads / (warps * 32.0);
    if (!(full < 1)) return false;
    f->what = arena_printf(a, "%u threads a block: the last warp has %u of 32 lanes", threads, threads % 32);
    f->why = arena_printf(a, "%.0f %% of the lanes of each block never run", 100 * (1 - full));
    f->mend = "a block of a multiple of 32 threads";
    const bool flat = !job_launch(e->job, 0).block[1] || job_launch(e->job, 0).block[1] == 1;
    const uint32_t better = flat && threads < 128 ? 256 : warps * 32;
    if (flat) f->test = arena_printf(a, "block=%u", better);
    c->tape.part_warps = true;
    c->tape.block_starts = 1 - fmin(1, (double)threads / better);
    const double most = e->device->limits.warps_per_sm;
    if (better > warps * 32) c->tape.resident = (uint32_t)fmax(most * 32 / threads, 1); // larger blocks fill the SM
    return true;
}

enum { ROUNDS = 4 }; // of which a last one hardly matters

bool rule_uneven(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const double blocks = (double)evidence_blocks(e);
    if (!e->places || !e->places->instructions || job_launches(e->job) > 1 || blocks < 16) return false;
    const double mean = (double)e->places->instructions / blocks, most = (double)e->places->block_most;
    // What takes no longer than the others' rounds ends among them. A grid that stands for larger ones makes many.
    const double round = evidence_resident(e) / ((evidence_threads(e) + 31) / 32) * e->device->limits.sms;
    const double rounds = evidence_stands(e) ? ROUNDS : blocks / round;
    if (most < fmax(1.5, rounds) * mean) return false;
    c->tape.even = true;
    f->what = "a few blocks do most of the work, and the others' SMs wait for them";
    f->why = arena_printf(a, "the longest block does %.3g times what a block does on the average", most / mean);
    f->mend = "share the long ones out: split them over several blocks, or take pieces of work from a counter";
    return true;
}

bool rule_constants(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work w = found_of(e, WORK_CONSTANT);
    if (!(w.all > 0)) return false;
    f->line = w.line;
    f->what = "lanes of a warp read different words of constant memory, which gives one at a time";
    f->why = arena_printf(a, "%.0f further words, one behind the other", w.all);
    f->mend = "keep the table in shared memory, or read it through a plain pointer";
    c->tape.spared_pauses[MODEL_CONSTANT] = c->tape.spared_pauses[MODEL_CONSTANT_NEAR] = 1;
    return true;
}

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

static bool has_division(const char *line)
{
    for (const char *p = line; p && *p && *p != '\n'; p++)
        if (*p == '/') return p[1] != '/' && p[1] != '*';
    return false;
}

// "0.5", where "0.5f" is a float.
static bool has_literal(const char *line)
{
    for (const char *p = line; p && *p && *p != '\n'; p++) {
        if (!isdigit((unsigned char)*p) || (p != line && (in_name(p[-1]) || p[-1] == '.'))) continue;
        const size_t whole = strspn(p, "0123456789"), part = p[whole] == '.' ? strspn(p + whole + 1, "0123456789") : 0;
        if (p[whole] == '.' && !in_name(p[whole + 1 + part])) return true;
        p += whole + part;
    }
    return false;
}

// Tables of the compiler's own functions.
static bool is_library(const char *variable) { return variable && strncmp(variable, "__", 2) == 0; }

// Sums of floats are kept in doubles on purpose; who makes floats of them again at each step does not want them.
bool rule_doubles(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work doubles = found_of(e, WORK_DOUBLE), narrow = found_of(e, WORK_NARROW);
    if (!(doubles.all > 0) || !(narrow.all > 0)) return false;
    const char *line = e->job->source ? line_of(e->job->source, doubles.line) : NULL;
    if (!has_function(line) && !has_literal(line) && narrow.all * 16 < doubles.all) return false;
    for (size_t i = 0; i < e->places->count; i++)
        if (ops_has(e->places->items[i].is, WORD_F64) && !is_library(e->places->items[i].buffer))
            return false; // its data are doubles
    f->line = doubles.line;
    f->what = "floats are computed in double precision";
    f->why = arena_printf(a,
        "%.0f %% of the instructions do arithmetic on doubles; what they make is a float again each time",
        100 * share_of(e, doubles.all));
    f->mend = "write the constants as floats (0.5f, not 0.5) and call the functions of floats (sqrtf)";
    c->tape.floats = true;
    if (!has_function(line) && !has_division(line)) return true;
    // A function, or a division, of floats has half the steps, and takes no table from memory.
    c->tape.spared[TAPE_DOUBLE] = 0.5;
    for (size_t i = 0; i < e->places->count; i++)
        if (is_library(e->places->items[i].buffer)) change_pick(c, &e->places->items[i], TAPE_GONE);
    return true;
}

bool rule_divisions(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work d = found_of(e, WORK_DIVIDE);
    if (!(d.all > 0)) return false;
    f->line = d.line;
    f->what = "whole numbers are divided by what the compiler does not know";
    f->why = arena_printf(a, "%.0f %% of the instructions are of divisions and remainders, 20 to 70 for each",
        100 * share_of(e, d.all));
    f->mend =
        "divide by a constant or a power of two (a shift and a mask), count up instead, or use 32 bits where they "
        "are enough";
    c->tape.spared[TAPE_DIVIDE] = 0.8; // a product and a shift are left of some twenty
    return true;
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

bool rule_powers(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    enum { TURNS = 105 }; // of one call, as nvcc writes it
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
    f->line = found.line;
    f->what = "a simple power is made by a function that can do any";
    f->why = arena_printf(a, "some %.0f %% of the instructions are of `powf`, some 105 for a call",
        100 * share_of(e, TURNS * found.all));
    f->mend = "products and roots: x * x, x * x * x, x * sqrtf(x), 1 / x";
    change_spare(c, e, TURNS * found.all - simple);
    return TURNS * found.all > simple;
}

// A kernel that reads what it writes may pass it on through global memory.
static bool reads_own(const struct device_places *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; ops_stores(all->items[i].is) && k < all->count; k++)
            if (ops_loads(all->items[k].is) && all->items[i].buffer && all->items[k].buffer &&
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
            if (ops_stores(o->is) != ops_stores(all->items[k].is) && o->buffer && all->items[k].buffer &&
                strcmp(o->buffer, all->items[k].buffer) == 0)
                return true;
    }
    return false;
}

bool rule_vain_barriers(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work b = found_of(e, WORK_BARRIER);
    const double each = b.all / evidence_warps(e);
    bool touched = false, passes = false; // shared memory; by other ways than loads and stores of it
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        touched |= p->space == SPACE_OF_BLOCK;
        passes |= ops_adds(p->is) || p->is->class & (CLASS_ASYNC | CLASS_COPY);
    }
    if (each < 4 || e->places->shared_passed || passes || (touched ? !e->places->shared_reads : false)) return false;
    if (touched ? reads_own(e->places) : reads_again(e)) return false;
    for (size_t i = 0; i < e->places->count; i++)
        if (e->places->items[i].space == SPACE_OF_BLOCK) change_pick(c, &e->places->items[i], TAPE_GONE);
    c->tape.no_barriers = true;
    f->line = b.line;
    f->what = touched ? "barriers where no thread reads what another one wrote" : "barriers where nothing is shared";
    f->why = arena_printf(a,
        touched ? "a warp waits %.3g times for its block; all words of shared memory are read by "
                  "the thread that wrote them"
                : "a warp waits %.3g times for its block, which uses no shared memory",
        each);
    f->mend = "leave the barriers out; where it fits, keep the values in registers instead of shared memory";
    return true;
}

bool rule_fences(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work d = found_of(e, WORK_FENCE);
    const double each = d.all / evidence_warps(e);
    if (each < 2) return false;
    for (size_t i = 0; i < e->places->count; i++) // of threads that pass work on
        if (ops_adds(e->places->items[i].is)) return false;
    f->line = d.line;
    f->what = "a warp waits again and again until its writes are seen everywhere";
    f->why = arena_printf(a, "%.3g fences a warp, and no atomic that would pass anything on", each);
    f->mend = "one fence, in front of the flag that others wait for; none where the kernel's end is enough";
    c->tape.spared_pauses[MODEL_FENCE] = 1;
    return true;
}

bool rule_heap(const struct evidence *e, struct change *c, struct advice *f, struct arena *a)
{
    const struct most_work h = found_of(e, WORK_HEAP);
    if (h.all < 32) return false;
    f->line = h.line;
    f->what = "threads take memory from the heap";
    f->why = arena_printf(a, "%.0f calls of malloc or new, which wait for each other", h.all);
    f->mend = "an array of constant size in each thread, shared memory, or one buffer that the host allocates";
    c->tape.spared_pauses[MODEL_HEAP] = 1;
    for (size_t i = 0; i < e->places->count; i++) {
        const char *of = e->places->items[i].buffer;
        if (of && strcmp(of, "malloc") == 0) change_pick(c, &e->places->items[i], TAPE_GONE);
    }
    return true;
}
