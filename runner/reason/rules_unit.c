// What is told where nothing that is done is too much: the unit, or the wait, that takes most of the time; the line
// that asks most of it; what would be left without it; and how one comes to ask less.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include <math.h>

enum busy {
    BUSY_SECTORS,
    BUSY_LOADS,
    BUSY_WAVEFRONTS,
    BUSY_ATOMICS,
    BUSY_TURNS,
    BUSY_DOUBLES,
    BUSY_BARRIERS,
    BUSY_NONE
};

// `of`: by what a line is found that asks most of it.
static const struct unit_words {
    const char *what, *mend;
    enum busy of;
} units[LIMITS_MOST] = {
    [LIMIT_DRAM] = {"the memory has the most to do",
        "move fewer bytes: smaller types, several steps in one kernel, or pieces that L2 holds until they are used "
        "again",
        BUSY_SECTORS},
    [LIMIT_L2] = {"L2 has the most to do",
        "ask it for less: keep what is used again in registers or in shared memory, and read wider words (float4)",
        BUSY_SECTORS},
    [LIMIT_L1] = {"L1 has the most to do",
        "ask it for less: let each thread compute several results from what it has read, and read wider words (float4)",
        BUSY_SECTORS},
    [LIMIT_SHARED] = {"shared memory has the most to do",
        "read each word fewer times: several results a thread, wider words (float4), or shuffles within a warp",
        BUSY_WAVEFRONTS},
    [LIMIT_ISSUE] = {"issuing instructions takes the most time",
        "fewer instructions: compute once what stays the same in a loop, unroll it, read wider words (float4)",
        BUSY_TURNS},
    [LIMIT_FP32] = {"the units for floats have the most to do",
        "fewer operations, or halves in pairs (half2); products of matrices belong on tensor cores", BUSY_TURNS},
    [LIMIT_INTEGER] = {"the units for whole numbers have the most to do",
        "fewer operations: count places up instead of multiplying, 32 bits instead of 64, shifts for powers of two",
        BUSY_TURNS},
    [LIMIT_FP64] = {"the units for doubles have the most to do",
        "fewer operations on doubles; floats wherever their seven digits are enough", BUSY_DOUBLES},
    [LIMIT_SPECIAL] = {"the unit for roots, quotients, sines and exponentials has the most to do",
        "fewer of them: one quotient for several divisions, a product instead of a power, a table in shared memory",
        BUSY_TURNS},
    [LIMIT_LOADS] = {"warps wait most for what they have loaded",
        "ask for more before the first of it is used: several elements a thread, or more warps on an SM; keep what is "
        "used again in shared memory",
        BUSY_LOADS},
    [LIMIT_BARRIERS] = {"warps wait most for the others of their block, at barriers",
        "fewer steps between barriers (a reduction ends within a warp), or smaller blocks, of which others run on",
        BUSY_BARRIERS},
    [LIMIT_CHAIN] = {"warps wait most for their own results: a step begins when the one before is done",
        "several independent sums or steps a thread (unroll with accumulators of their own), or more warps",
        BUSY_TURNS},
    [LIMIT_ATOMICS] = {"atomics that meet wait for each other",
        "add up in the warp and in the block first, and do fewer atomics; or spread them over more places",
        BUSY_ATOMICS},
    [LIMIT_TAIL] = {"most SMs are idle while the last blocks end",
        "more and smaller blocks, each with as much work as the others", BUSY_NONE},
    [LIMIT_LAUNCH] = {"starting blocks takes the time", "more work for each block, in fewer blocks", BUSY_NONE},
    [LIMIT_BUS] = {"the host's bus has the most to do", "copy less, or copy while a kernel works (several streams)",
        BUSY_NONE},
};

static bool by_place(enum busy b) { return b <= BUSY_ATOMICS; }

static double amount(const struct device_place *p, enum busy b)
{
    const bool adds = ops_adds(p->is);
    return b == BUSY_WAVEFRONTS ? (double)p->wavefronts
        : b == BUSY_ATOMICS     ? (adds ? (double)p->lanes : 0)
        : b == BUSY_LOADS       ? (ops_loads(p->is) ? (double)p->sectors : 0)
                                : (double)p->sectors;
}

static double amount_at(const struct evidence *e, const struct device_line *l, enum busy b)
{
    double sum = 0;
    if (b == BUSY_TURNS) return (double)l->instructions;
    if (!by_place(b)) return (double)l->work[b == BUSY_DOUBLES ? WORK_DOUBLE : WORK_BARRIER];
    for (size_t k = 0; k < e->places->count; k++)
        if (e->places->items[k].line == l->line) sum += amount(&e->places->items[k], b);
    return sum;
}

// The line that asks most of it; 0: of no one line. `share`: how much of what all ask.
static int line_of(const struct evidence *e, enum busy b, double *share)
{
    const struct device_places *p = e->places;
    const size_t count = b == BUSY_NONE ? 0 : by_place(b) ? p->count : p->line_count;
    double all = 0, most = 0;
    int line = 0;
    for (size_t i = 0; i < count; i++) {
        const struct device_line at = by_place(b) ? (struct device_line){.line = p->items[i].line} : p->lines[i];
        const double here = amount_at(e, &at, b);
        all += by_place(b) ? amount(&p->items[i], b) : here;
        if (here > most && at.line) most = here, line = at.line;
    }
    *share = all > 0 ? most / all : 0;
    return line;
}

// The same without what the unit does.
static void without(const struct evidence *e, enum limit_unit unit, struct change *c)
{
    const enum busy of = units[unit].of;
    for (size_t i = 0; unit != LIMIT_LOADS && by_place(of) && i < e->places->count; i++)
        if (amount(&e->places->items[i], of) > 0) change_pick(c, &e->places->items[i], TAPE_GONE);
    switch (unit) {
    case LIMIT_LOADS: c->tape.together = TAPE_NO_WAIT; break;
    case LIMIT_BARRIERS: c->tape.no_barriers = true; break;
    case LIMIT_CHAIN: c->tape.short_chain = INFINITY; break;
    case LIMIT_TAIL: c->tape.no_tail = c->tape.even = true; break;
    case LIMIT_LAUNCH: c->tape.block_starts = 1; break;
    case LIMIT_FP64: c->tape.spared[TAPE_DOUBLE] = 1; break;
    default:
        if (of == BUSY_TURNS) change_spare(c, e, INFINITY); // as much as may go
    }
    c->tape.picks = c->picks;
}

// A launch that is over before the device is full.
static bool is_small(const struct evidence *e, struct advice *f, struct arena *a)
{
    if (evidence_stands(e) || e->judged.of[0].is != LIMIT_LAUNCH || evidence_rounds(e) >= 1) return false;
    f->what = "the launch is small: the device starts and ends it longer than it works";
    const double blocks = (double)evidence_blocks(e);
    f->word = limit_words[LIMIT_LAUNCH];
    f->why = arena_printf(a, "%.0f block%s of %u threads; launching takes %.0f %% of the time", blocks,
        blocks > 1 ? "s" : "", evidence_threads(e), 100 * e->judged.of[0].share);
    f->mend = "more work in one launch (a larger problem, several steps in one kernel); of many such launches a graph";
    return true;
}

// So many times as fast without it.
static double gain_without(const struct evidence *e, enum limit_unit unit, struct arena *a)
{
    struct change *c = arena_alloc(a, sizeof *c);
    struct limits left;
    if (unit == LIMIT_BUS) return NAN;
    *c = (struct change){.gain = NAN};
    without(e, unit, c);
    return e->judged.us / evidence_changed(e, &c->tape, false, &left);
}

// The tallest without which the point would be quicker: of what is hidden behind other work nothing can be gained.
bool findings_unit(const struct evidence *e, struct advice *f, struct arena *a)
{
    const struct limits *l = &e->judged;
    *f = (struct advice){.rule = "ceiling", .gain = NAN, .least = NAN, .most = NAN, .own = NAN};
    if (!e->places || !l->count) return false;
    if (is_small(e, f, a)) return true;
    int at = 0;
    double gain = gain_without(e, l->of[0].is, a), share;
    for (int k = 1; k < l->count && gain < findings_worth; k++) {
        const double next = gain_without(e, l->of[k].is, a);
        if (next >= findings_worth) at = k, gain = next;
    }
    const enum limit_unit unit = l->of[at].is;
    f->word = limit_words[unit];
    f->line = line_of(e, units[unit].of, &share);
    f->what = units[unit].what;
    f->mend = units[unit].mend;
    f->why = arena_printf(a, "%s: %.0f %% of the time%s%s%s", limit_titles[unit], 100 * l->of[at].share,
        limits_share(&e->limits, unit) != l->of[at].share ? ", in a larger grid" : "",
        f->line ? arena_printf(a, ", of which %.0f %% at this line", 100 * share) : "",
        gain >= findings_worth ? arena_printf(a, "; without it at most %.3g times as fast", gain) : "");
    return true;
}
