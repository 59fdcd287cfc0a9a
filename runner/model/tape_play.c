// Makes the kept calls again: as they were, or with a flaw mended in them.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "base/hash.h"
#include "model/tape_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_L2 = 1 << 17,
    WARPS = 64,
    OWED_KINDS = MODEL_ATOMIC + 1,
    PLACES = 1 << 16,
    KEPT_LINES = 16,
    SLICE_WAVES = 3,
    SLICE_SMS = 8,
    LINE_BYTES = 128,
    SECTOR = 32
};
#define MOVED ((uint64_t)1 << 39) // where lines lie that are packed together

struct lines { // a set, or how often each was met
    uint64_t *line;
    uint32_t *times;
    size_t count, room;
};
struct player {
    struct tape_launch *launch;
    const struct tape_change *change;
    struct model *model;
    unsigned char *mend; // by place
    uint32_t *left;      // the same: words of atomics
    double packed;       // how much further apart lie the bytes that dense accesses ask for than they need
    struct lines met;    // by the first line of a dense access
    struct lines block;  // sectors, or lines of atomics, that the block has reached
    uint64_t kept[WARPS][KEPT_LINES];
    uint32_t kept_at[WARPS], waits[WARPS];
    double acted[WARPS]; // by lanes, of stretches
    struct owed {        // accesses that a warp's fuller one is to do as well
        double lanes;    // 0: none
        uint32_t place;
        struct model_access access;
    } * owed; // by warp and kind
    uint32_t near;
};

static void lines_clear(struct lines *s)
{
    if (s->count) memset(s->times, 0, s->room * sizeof *s->times);
    s->count = 0;
}

static void lines_free(struct lines *s) { free(s->line), free(s->times); }

// Where it stands, or may stand: there `times` is 0 yet.
static size_t lines_at(struct lines *s, uint64_t line)
{
    if (2 * s->count >= s->room) {
        const struct lines old = *s;
        *s = (struct lines){.room = old.room ? old.room * 2 : 1 << 8};
        s->line = mem_alloc(s->room * sizeof *s->line);
        s->times = mem_alloc(s->room * sizeof *s->times);
        for (size_t k = 0; k < old.room; k++)
            if (old.times[k]) {
                const size_t at = lines_at(s, old.line[k]);
                s->line[at] = old.line[k], s->times[at] = old.times[k], s->count++;
            }
        free(old.line), free(old.times);
    }
    size_t at = (size_t)(line * 0x9e3779b97f4a7c15u >> 20) & (s->room - 1);
    while (s->times[at] && s->line[at] != line) at = (at + 1) & (s->room - 1);
    return at;
}

// How often it was met before, beside `more` from now on.
static uint32_t lines_meet(struct lines *s, uint64_t line, uint32_t more)
{
    const size_t at = lines_at(s, line);
    const uint32_t was = s->times[at];
    s->count += !was;
    s->line[at] = line;
    s->times[at] += more;
    return was;
}

// In place of a number bits: those that are new.
static uint32_t lines_mark(struct lines *s, uint64_t line, uint32_t bits)
{
    const size_t at = lines_at(s, line);
    const uint32_t was = s->times[at];
    s->count += !was;
    s->line[at] = line;
    s->times[at] |= bits;
    return bits & ~was;
}

struct tape_said {
    enum tape_call call;
    struct tape_who who;
    struct model_access access;
    struct model_work work;
    uint32_t a, b, times;
};

static size_t read_call(const uint64_t *w, struct tape_said *c)
{
    c->call = (enum tape_call)(w[0] & 7);
    c->who = (struct tape_who){.warp = (uint32_t)(w[0] >> 3 & 63),
        .place = (uint32_t)(w[0] >> 9 & 0xffff),
        .lanes = (uint32_t)(w[0] >> 25 & 63),
        .live = (uint32_t)(w[0] >> 31 & 63)};
    c->a = (uint32_t)w[1], c->b = (uint32_t)(w[1] >> 32);
    if (c->call == TAPE_WORK) {
        c->times = (uint32_t)(w[0] >> TAPE_COUNT_AT);
        c->work =
            (struct model_work){.turns = (uint32_t)(w[1] & 0xffffff), .cycles = (uint32_t)(w[1] >> 24 & 0xffffff)};
        c->work.pipes[MODEL_SHARED] = (uint32_t)(w[1] >> 48);
        c->work.pipes[MODEL_ALU] = w[2] & 0xffff, c->work.pipes[MODEL_FMA] = w[2] >> 16 & 0xffff;
        c->work.pipes[MODEL_FP64] = w[2] >> 32 & 0xffff, c->work.pipes[MODEL_XU] = (uint32_t)(w[2] >> 48);
        return 3;
    }
    if (c->call != TAPE_ACCESS) return 2;
    struct model_access *a = &c->access;
    a->kind = (enum model_kind)(w[0] >> 37 & 3);
    a->bypass = w[0] >> 39 & 1, a->floats = w[0] >> 40 & 1, a->follows = w[0] >> 57 & 1;
    a->behind = (uint8_t)(w[0] >> 41), a->banks = (uint8_t)(w[0] >> 49);
    a->count = (uint32_t)(w[1] & 0xffff), a->units = (uint16_t)(w[1] >> 16);
    for (uint32_t k = 0; k < a->count; k++) {
        a->lines[k].line = w[2 + k] >> 24;
        for (unsigned s = 0; s < 4; s++) a->lines[k].bytes[s] = (uint8_t)(w[2 + k] >> 6 * s & 63);
    }
    return 2 + a->count;
}

static uint32_t bytes_of(const struct model_access *a)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < a->count; k++)
        for (unsigned s = 0; s < 4; s++) sum += a->lines[k].bytes[s];
    return sum ? sum : 1;
}

// Which of the lines it touches it gets: another one each time, so that all that was asked for is fetched once.
static void make_dense(struct player *p, struct model_access *a)
{
    uint32_t bytes = bytes_of(a);
    const uint32_t lines = (bytes + LINE_BYTES - 1) / LINE_BYTES, met = lines_meet(&p->met, a->lines[0].line, lines);
    struct model_access is = *a;
    is.count = lines < a->count ? lines : a->count;
    for (uint32_t k = 0; k < is.count; k++) {
        const uint64_t which = (uint64_t)((met + k) * p->packed) % a->count, line = a->lines[which].line;
        is.lines[k].line = p->packed > 1.01 ? MOVED | (uint64_t)((double)line / p->packed) : line;
        for (unsigned s = 0; s < 4; s++) {
            const uint32_t here = bytes < SECTOR ? bytes : SECTOR;
            is.lines[k].bytes[s] = (uint8_t)here;
            bytes -= here;
        }
    }
    is.banks = (uint8_t)(is.count ? is.count : 1);
    *a = is;
}

// As much in one piece as so many of them, which lie side by side.
static void make_wider(struct model_access *a, double times)
{
    unsigned first = 0;
    while (first < 3 && !a->lines[0].bytes[first]) first++;
    const uint64_t at = (a->lines[0].line * LINE_BYTES + first * SECTOR) * (uint64_t)times;
    uint32_t bytes = (uint32_t)(bytes_of(a) * times);
    a->count = 0;
    for (uint64_t line = at / LINE_BYTES; bytes && a->count < MODEL_LINES; line++) {
        struct model_line *l = &a->lines[a->count++];
        l->line = MOVED | line;
        for (unsigned s = 0; s < 4; s++) {
            l->bytes[s] = (uint8_t)(bytes < SECTOR ? bytes : SECTOR);
            bytes -= l->bytes[s];
        }
    }
    a->banks = (uint8_t)a->count;
}

static bool kept(struct player *p, uint32_t warp, uint64_t line)
{
    uint64_t *all = p->kept[warp];
    for (int k = 0; k < KEPT_LINES; k++)
        if (all[k] == line + 1) return true;
    all[p->kept_at[warp]++ % KEPT_LINES] = line + 1;
    return false;
}

// What is left of it when the block has what it read before at hand; a thread uses four times what it takes from there.
static bool make_near(struct player *p, const struct tape_who *w, struct model_access *a)
{
    enum { USES = 4 };
    uint32_t left = 0;
    for (uint32_t k = 0; k < a->count; k++) {
        struct model_line l = a->lines[k];
        bool fresh = false;
        for (unsigned s = 0; s < 4; s++) {
            if (l.bytes[s] && lines_meet(&p->block, l.line << 2 | s, 1)) l.bytes[s] = 0;
            fresh |= l.bytes[s] != 0;
        }
        if (fresh) a->lines[left++] = l;
    }
    a->count = left;
    if (p->near++ % USES == 0) {
        const struct model_work shared = {.pipes = {[MODEL_SHARED] = 1}};
        model_work(p->model, w->warp, &shared);
    }
    a->banks = 1;
    return left > 0;
}

// The first of the block stands for all; the others add up within their warp, by five shuffles.
static bool make_once(struct player *p, const struct tape_who *w, struct model_access *a)
{
    const struct model_work sum = {.turns = 10, .cycles = 40, .pipes = {[MODEL_SHARED] = 5}};
    bool fresh = false;
    for (uint32_t k = 0; k < a->count; k++) fresh |= !lines_meet(&p->block, a->lines[k].line, 1);
    model_work(p->model, w->warp, &sum);
    if (p->left[w->place] && p->left[w->place] < a->units) a->units = (uint16_t)p->left[w->place];
    return fresh;
}

static bool waits(struct player *p, uint32_t warp)
{
    const uint32_t of = p->change->together;
    return of < 2 || (of < TAPE_NO_WAIT && p->waits[warp]++ % of == 0);
}

// No further from each other than neighbours that begin inside a line: in full warps they fill theirs.
static bool side_by_side(const struct model_access *a) { return (bytes_of(a) - 1) / LINE_BYTES + 2 >= a->count; }

static void play_access(struct player *p, struct tape_said *c)
{
    struct model_access *a = &c->access;
    const bool joins = p->change->part_warps && side_by_side(a);
    const unsigned mend = p->mend[c->who.place] | (joins ? TAPE_DENSE : 0);
    if (mend & TAPE_GONE) return;
    if (mend & TAPE_SHARED_TURN) {
        const struct model_work turn = {.pipes = {[MODEL_SHARED] = 1}};
        model_work(p->model, c->who.warp, &turn);
        return;
    }
    if (mend & TAPE_KEPT && kept(p, c->who.warp, a->lines[0].line)) return;
    if (mend & TAPE_ONCE && !make_once(p, &c->who, a)) return;
    if (mend & TAPE_DENSE) make_dense(p, a);
    if (mend & TAPE_NEAR && !make_near(p, &c->who, a)) return;
    if (mend & TAPE_CALM) a->banks = (uint8_t)((bytes_of(a) + LINE_BYTES - 1) / LINE_BYTES);
    if (mend & TAPE_CACHED) a->bypass = false;
    if (p->change->wider > 1 && a->kind < MODEL_REDUCE) make_wider(a, p->change->wider);
    if (a->behind != MODEL_NO_WAIT && !a->follows && !waits(p, c->who.warp)) a->behind = MODEL_NO_WAIT;
    model_access(p->model, c->who.warp, a);
}

static uint32_t less(uint32_t x, double y) { return y >= x ? 0 : (uint32_t)(x - y + 0.5); }

static void spare(struct model_work *k, const struct model_work *of, double share)
{
    k->turns = less(k->turns, share * of->turns);
    k->cycles = less(k->cycles, share * of->cycles);
    for (int n = 0; n < MODEL_PIPES; n++) k->pipes[n] = less(k->pipes[n], share * of->pipes[n]);
}

// Doubles as floats: half of the pipe's time, and of the way through it; nothing is converted.
static void make_floats(struct model_work *k, const struct tape_parts *parts)
{
    const struct model_work *of = &parts->of[TAPE_DOUBLE];
    const uint32_t pipe = of->pipes[MODEL_FP64] < k->pipes[MODEL_FP64] ? of->pipes[MODEL_FP64] : k->pipes[MODEL_FP64];
    spare(k, &parts->of[TAPE_NARROW], 1);
    k->pipes[MODEL_FP64] -= pipe;
    k->pipes[MODEL_FMA] += pipe / 2;
    k->cycles = less(k->cycles, of->cycles / 2.0);
}

// What one thread does for several: no less for each of them, but none waits for the one before.
static void make_wide(struct model_work *k, double times)
{
    const uint32_t turns = k->turns;
    k->turns = (uint32_t)(turns * times);
    k->cycles += k->turns - turns;
    for (int n = 0; n < MODEL_PIPES; n++) k->pipes[n] = (uint32_t)(k->pipes[n] * times);
}

static void play_work(struct player *p, const struct tape_who *w, struct model_work k)
{
    const struct tape_change *change = p->change;
    const struct tape_parts *parts = w->place < p->launch->part_count ? &p->launch->parts[w->place] : NULL;
    for (int n = 0; parts && n < TAPE_PARTS; n++)
        if (change->spared[n] > 0) spare(&k, &parts->of[n], change->spared[n]);
    if (parts && change->floats) make_floats(&k, parts);
    const struct model_work all = k;
    if (change->spared_work > 0) spare(&k, &all, change->spared_work);
    if (change->short_chain > 1) k.cycles = (uint32_t)fmax(k.turns, k.cycles / change->short_chain);
    if (change->wider > 1) make_wide(&k, change->wider);
    model_work(p->model, w->warp, &k);
}

// Lanes that wait while others work: as if whole warps did it, in as few turns as that takes.
static double part_of(const struct player *p, const struct tape_who *w)
{
    const uint32_t all = p->change->part_warps ? 32 : w->live;
    const bool partly = (p->change->full_warps || p->change->part_warps) && w->lanes && w->lanes < all;
    return partly ? (double)w->lanes / all : 1;
}

static bool acts(struct player *p, const struct tape_who *w)
{
    double *sum = &p->acted[w->warp];
    *sum += part_of(p, w);
    if (*sum < 0.999) return false;
    *sum -= 1;
    return true;
}

static void play_works(struct player *p, const struct tape_said *c)
{
    for (uint32_t n = 0; n < c->times; n++)
        if (acts(p, &c->who)) play_work(p, &c->who, c->work);
}

static void join(struct model_access *to, const struct model_access *a)
{
    for (uint32_t k = 0; k < a->count; k++) {
        uint32_t n = 0;
        while (n < to->count && to->lines[n].line != a->lines[k].line) n++;
        if (n == MODEL_LINES) return;
        if (n == to->count) to->lines[to->count++] = (struct model_line){.line = a->lines[k].line};
        for (unsigned s = 0; s < 4; s++) {
            const uint32_t sum = (uint32_t)to->lines[n].bytes[s] + a->lines[k].bytes[s];
            to->lines[n].bytes[s] = (uint8_t)(sum < SECTOR ? sum : SECTOR);
        }
    }
    if (a->banks > to->banks) to->banks = a->banks;
    to->units = (uint16_t)(to->units + a->units);
}

// Those of a few lanes wait until they make up a warp's.
static void gather(struct player *p, struct tape_said *c)
{
    struct owed *o = &p->owed[c->who.warp * OWED_KINDS + c->access.kind];
    const double part = part_of(p, &c->who);
    const bool beside = p->change->part_warps && c->access.kind < MODEL_REDUCE && side_by_side(&c->access);
    if (part >= 1) {
        play_access(p, c);
        return;
    }
    if (o->lanes > 0 && !beside) join(&c->access, &o->access);
    o->lanes += part;
    if (o->lanes < 0.999) {
        o->place = c->who.place;
        o->access = c->access;
        return;
    }
    o->lanes = 0;
    if (beside) make_wider(&c->access, 1 / part);
    play_access(p, c);
}

// With which no others came.
static void play_owed(struct player *p)
{
    const bool any = p->change->full_warps || p->change->part_warps;
    for (uint32_t k = 0; any && k < WARPS * OWED_KINDS; k++) {
        struct owed *o = &p->owed[k];
        struct tape_said c = {.call = TAPE_ACCESS, .who = {.warp = k / OWED_KINDS, .place = o->place}};
        if (!(o->lanes > 0)) continue;
        c.access = o->access;
        o->lanes = 0;
        play_access(p, &c);
    }
}

static void play_call(struct player *p, struct tape_said *c)
{
    const struct tape_change *change = p->change;
    const uint32_t warp = c->who.warp;
    uint32_t count;
    switch (c->call) {
    case TAPE_WORK: play_works(p, c); return;
    case TAPE_ACCESS: gather(p, c); return;
    case TAPE_SHARED: {
        const unsigned mend = p->mend[c->who.place];
        const uint32_t spared = mend & (TAPE_CALM | TAPE_ONCE) ? c->b : 0;
        uint32_t left = c->a > spared ? c->a - spared : 0;
        if (mend & TAPE_ONCE) left = kept(p, warp, MOVED | c->who.place) ? 0 : 5; // five shuffles for all of them

        if (mend & TAPE_GONE || !acts(p, &c->who)) return;
        const struct model_work turns = {
            .cycles = c->b - spared < 64 ? c->b - spared : 64, .pipes = {[MODEL_SHARED] = left}};
        model_work(p->model, warp, &turns);
        return;
    }
    case TAPE_WAIT:
        if (waits(p, warp)) model_wait(p->model, warp, (uint8_t)c->a);
        return;
    case TAPE_BARRIER:
        if (!change->no_barriers) model_barrier(p->model, warp, (uint8_t)c->a, c->b);
        return;
    case TAPE_PAUSE:
        if (c->a == MODEL_SWAPS && p->mend[c->who.place] & (TAPE_GONE | TAPE_ONCE)) return;
        count = (uint32_t)(c->b * (1 - change->spared_pauses[c->a]) + 0.5);
        if (count) model_pause(p->model, warp, (enum model_pause)c->a, count);
        return;
    }
}

static void begin_block(struct player *p, uint64_t *number)
{
    memset(p->kept, 0, sizeof p->kept), memset(p->waits, 0, sizeof p->waits);
    lines_clear(&p->block);
    model_block(p->model, (*number)++);
}

// A block in `pieces`: of each warp's calls a part after the other.
static void play_block(struct player *p, const struct tape_block *b, uint32_t pieces, uint64_t *number)
{
    uint32_t of_warp[WARPS] = {0}, at[WARPS];
    struct tape_said c;
    for (size_t k = b->from; pieces > 1 && k < b->to; of_warp[c.who.warp]++) k += read_call(p->launch->words + k, &c);
    for (uint32_t piece = 0; piece < pieces; piece++) {
        memset(at, 0, sizeof at);
        begin_block(p, number);
        for (size_t k = b->from; k < b->to;) {
            k += read_call(p->launch->words + k, &c);
            const uint64_t mine = at[c.who.warp]++;
            if (pieces == 1 || mine * pieces / of_warp[c.who.warp] == piece) play_call(p, &c);
        }
        if (!p->change->part_warps) play_owed(p);
        model_block_end(p->model);
    }
}

// Sectors at different places that all accesses reach but dense ones. The set has a bit for each of a line's four.
static struct tape_reached reached_by(const struct tape_launch *l, const unsigned char *mend)
{
    struct lines met[2] = {{0}};
    struct tape_reached r = {.words = l->word_count};
    for (size_t k = 0; k < l->word_count;) {
        struct tape_said c;
        k += read_call(l->words + k, &c);
        if (c.call != TAPE_ACCESS || mend[c.who.place] & TAPE_DENSE) continue;
        for (uint32_t n = 0; n < c.access.count; n++) {
            uint32_t sectors = 0;
            for (unsigned s = 0; s < 4; s++) sectors |= (uint32_t)(c.access.lines[n].bytes[s] != 0) << s;
            const bool reads = c.access.kind == MODEL_LOAD;
            const uint32_t fresh = lines_mark(&met[reads], c.access.lines[n].line, sectors);
            *(reads ? &r.read : &r.written) += __builtin_popcount(fresh);
        }
    }
    lines_free(&met[0]), lines_free(&met[1]);
    return r;
}

// Some blocks as one: its threads take their elements one after the other, and meet once.
static void play_merged(struct player *p, const struct tape_block *const *all, size_t count, uint64_t *number)
{
    struct tape_said c;
    begin_block(p, number);
    for (size_t n = 0; n < count; n++) {
        bool met[WARPS] = {false};
        for (size_t k = all[n]->from; k < all[n]->to;) {
            k += read_call(p->launch->words + k, &c);
            met[c.who.warp] |= c.call == TAPE_BARRIER;
            if (!met[c.who.warp] || n + 1 == count) play_call(p, &c);
        }
    }
    play_owed(p);
    model_block_end(p->model);
}

// Which mends are meant where; how far apart lies what the dense ones ask for; and how much of what is fetched, or
// written, no other block has fetched or written as well.
static void pick(struct player *p, const struct tape *t, bool whole, double kept_share, struct model_launch *launch,
    double *l2_bytes)
{
    struct lines dense = {0};
    struct tape_launch *l = p->launch;
    double bytes = 0, read_dense = 0, written_dense = 0;
    bool any = false;
    const bool some = l->block_count < l->launch.blocks || !whole;
    for (size_t i = 0; i < p->change->pick_count; i++) {
        const struct tape_pick *k = &p->change->picks[i];
        if (strcmp(k->entry, l->entry) != 0) continue;
        p->mend[k->place & (PLACES - 1)] |= (unsigned char)k->mend;
        p->left[k->place & (PLACES - 1)] = k->left;
        any |= k->mend & TAPE_DENSE;
    }
    for (size_t k = 0; any && k < l->word_count;) {
        struct tape_said c;
        k += read_call(l->words + k, &c);
        if (c.call != TAPE_ACCESS || !(p->mend[c.who.place] & TAPE_DENSE)) continue;
        bytes += bytes_of(&c.access);
        *(c.access.kind == MODEL_LOAD ? &read_dense : &written_dense) += bytes_of(&c.access);
        for (uint32_t n = 0; n < c.access.count; n++) lines_meet(&dense, c.access.lines[n].line, 1);
    }
    if (!any && some && l->reached.words != l->word_count) l->reached = reached_by(l, p->mend);
    const struct tape_reached reached = !some ? (struct tape_reached){0} : any ? reached_by(l, p->mend) : l->reached;
    p->packed = bytes > 0 ? fmax(1, LINE_BYTES * (double)dense.count / bytes) : 1;
    const double all = (double)p->launch->launch.blocks / (double)p->launch->block_count;
    const double reads = all * (SECTOR * reached.read + read_dense);
    const double writes = all * (SECTOR * reached.written + written_dense);
    const double keeps = kept_share * *l2_bytes;
    if (some && t->read_bytes > 0 && reads > t->read_bytes) {
        // What comes again is in L2 as far as all that is reached fits there.
        const double once = t->read_bytes / reads, room = fmin(1, keeps / (t->read_bytes + t->written_bytes));
        launch->fetched = once + (1 - once) * (1 - room);
    }
    if (some && t->written_bytes > 0 && writes > t->written_bytes) launch->written = t->written_bytes / writes;
    // A larger launch reaches more than L2 keeps: what comes again after all else has been there is fetched again.
    const double at_all = SECTOR * (reached.read + reached.written) + read_dense + written_dense;
    if (!whole) *l2_bytes = fmax(LEAST_L2, fmin(*l2_bytes, kept_share * at_all));
    lines_free(&dense);
}

// How much of the device the kept blocks are replayed on, and how often that makes up the launch.
struct slice {
    struct model_constants c;
    double times; // of the slice's time in the launch's
    bool whole;
};

static double between(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

// So many of a unit, and the costs that make up for what is not whole.
static void share_of(double *count, double share, double *const costs[], int n)
{
    const double exact = *count * share, whole = fmax(1, round(exact));
    for (int k = 0; k < n; k++) *costs[k] *= whole / exact;
    *count = whole;
}

// The SMs that have one block more than others are waited for: where all blocks are there at once the slice's SMs have
// as many as these, and of the memory what is theirs.
static bool waits_for_the_fullest(const struct tape_change *change, const struct model_constants *c, double blocks,
    double resident)
{
    const bool shared_out = change->spread || change->even || change->no_tail || change->merge > 1;
    return !shared_out && blocks > c->sms && blocks <= c->sms * resident;
}

static struct slice slice_of(const struct tape_launch *l, const struct model_constants *c,
    const struct tape_change *change, bool whole, double resident, double kept)
{
    const double blocks = (double)l->launch.blocks, wave = SLICE_WAVES * resident;
    struct slice s = {*c, 1, true};
    if (kept >= blocks && (whole || kept >= wave * c->sms)) return s;
    const double least = whole ? ceil(c->sms * kept / blocks) : 1;
    const bool fullest = whole && waits_for_the_fullest(change, c, blocks, resident);
    const double sms = fullest ? fmax(1, floor(kept / ceil(blocks / c->sms)))
                               : between(fmax(least, fmin(SLICE_SMS, floor(kept / wave))), 1, c->sms);
    const double share = fullest ? kept / blocks : sms / c->sms;
    s.whole = false;
    s.times = fullest ? 1 : blocks * sms / (c->sms * kept);
    s.c.sms = sms;
    s.c.gpcs = fmax(fmin(sms, 2), round(c->gpcs * share)); // both halves of L2 have askers
    share_of(&s.c.dram_channels, share, (double *const[]){&s.c.dram_cycles, &s.c.dram_row_cycles}, 2);
    share_of(&s.c.l2_slices, share,
        (double *const[]){&s.c.l2_line_cycles, &s.c.l2_read_cycles, &s.c.l2_write_line_cycles, &s.c.l2_write_cycles,
            &s.c.l2_part_cycles, &s.c.l2_part_row_cycles},
        6);
    // One address is the whole device's, and so is the unit that does its atomics.
    s.c.atomic_change_cycles = c->atomic_change_cycles / share;
    s.c.atomic_line_cycles = c->atomic_line_cycles / share;
    s.c.atomic_float_cycles = c->atomic_float_cycles / share;
    s.c.heap_cycles = c->heap_cycles / share;
    s.c.block_ns = c->block_ns / share;
    s.c.block_warp_ns = c->block_warp_ns / share;
    s.c.l2_dirty_bytes = c->l2_dirty_bytes * fmin(1, kept / blocks);
    s.c.l2_part_lines = fmax(1, c->l2_part_lines * fmin(1, kept / blocks));
    if (!whole) s.c.launch_us = s.c.event_us = 0, s.c.l2_dirty_bytes = 0;
    return s;
}

// What is known of a launch's blocks: how long one is, and which are few in the launch though they are kept: all kept
// ones are replayed alike.
struct blocks {
    double weights, mean; // of all; length of one
    double few, most;     // those that are few: their work as a share of the others'; the length of the longest
    size_t count;         // of the others
    const struct tape_block *longest;
};

static bool is_few(const struct tape_launch *l, const struct tape_block *b, const struct blocks *all)
{
    return l->chosen && 2 * b->weight * (double)l->block_count < all->weights && b->length > 2 * all->mean;
}

static struct blocks blocks_of(const struct tape_launch *l)
{
    struct blocks all = {0};
    double lengths = 0, few = 0;
    for (size_t k = 0; k < l->block_count; k++) {
        all.weights += l->blocks[k].weight;
        lengths += l->blocks[k].weight * l->blocks[k].length;
    }
    all.mean = lengths / all.weights;
    for (size_t k = 0; k < l->block_count; k++) {
        const struct tape_block *b = &l->blocks[k];
        if (!is_few(l, b, &all)) {
            all.count++;
            continue;
        }
        few += b->weight * b->length;
        if (b->length > all.most) all.most = b->length, all.longest = b;
    }
    all.few = few / (lengths - few);
    return all;
}

static uint32_t pieces_of(const struct player *p, const struct tape_block *b, const struct blocks *all,
    const struct slice *s)
{
    const struct tape_change *change = p->change;
    const struct tape_launch *l = p->launch;
    if (change->even && b->length > 1.01 * all->mean) return (uint32_t)between(ceil(b->length / all->mean), 1, 1024);
    if (!change->spread) return 1;
    const double room = 2 * s->c.sms * l->launch.resident / (double)l->block_count;
    return (uint32_t)between(fmin(ceil(room), (double)(b->to - b->from) / l->launch.warps / 32), 1, 1024);
}

// How long a block takes that has the device for itself.
static double play_alone(struct player *p, const struct tape_block *b, const struct model_constants *c)
{
    struct model_launch launch = p->launch->launch;
    struct model_result out;
    uint64_t number = 0;
    launch.blocks = 1;
    launch.most_words = (uint64_t)1 << 40;
    p->model = model_new(c);
    model_begin(p->model, &launch);
    play_block(p, b, 1, &number);
    model_end(p->model, &out);
    model_free(p->model);
    return out.us;
}

static bool play_launch(const struct tape *t, struct tape_launch *l, const struct model_constants *c,
    const struct tape_change *change, bool whole, struct model_result *out)
{
    struct player p = {.launch = l,
        .change = change,
        .mend = mem_alloc(PLACES),
        .left = mem_alloc(PLACES * sizeof(uint32_t)),
        .owed = mem_alloc(WARPS * OWED_KINDS * sizeof(struct owed))};
    struct model_launch launch = l->launch;
    if (change->resident) launch.resident = change->resident;
    const struct blocks all = blocks_of(l);
    struct slice s = slice_of(l, c, change, whole, launch.resident, (double)all.count);
    const struct tape_block **play = mem_alloc((l->block_count + 1) * sizeof(void *));
    size_t blocks = 0;
    for (size_t k = 0; k < l->block_count; k++)
        if (!is_few(l, &l->blocks[k], &all)) play[blocks++] = &l->blocks[k];
    const uint64_t wave = (uint64_t)(s.c.sms * launch.resident);
    if (change->no_tail && blocks > wave) blocks -= blocks % wave;
    s.c.block_ns *= 1 - change->block_starts;
    launch.most_words = (uint64_t)1 << 40;
    launch.blocks = 0;
    // As many as one round holds are left.
    const size_t together = (size_t)between(floor((double)blocks / (double)wave), 1, fmax(1, change->merge));
    for (size_t k = 0; k < blocks; k++) launch.blocks += pieces_of(&p, play[k], &all, &s);
    if (together > 1) launch.blocks = (blocks + together - 1) / together;
    pick(&p, t, whole || s.whole, c->l2_kept, &launch, &s.c.l2_bytes);
    p.model = model_new(&s.c);
    model_begin(p.model, &launch);
    uint64_t number = 0;
    for (size_t k = 0; k < blocks; k += together)
        if (together > 1) play_merged(&p, play + k, blocks - k < together ? blocks - k : together, &number);
        else play_block(&p, play[k], pieces_of(&p, play[k], &all, &s), &number);
    model_end(p.model, out);
    model_free(p.model);
    const double outside = s.c.launch_us + s.c.event_us;
    const double times = (1 + all.few) * s.times * (double)all.count / (double)blocks / fmax(1, change->wider);
    out->us = outside + (out->us - outside) * times;
    for (int k = 0; k < LIMITS_MOST; k++) {
        const double still = k == LIMIT_LAUNCH ? outside : 0;
        out->unit_us[k] = still + (out->unit_us[k] - still) * (k == LIMIT_TAIL && !s.whole ? 0 : times);
    }
    if (all.longest && !change->even) {
        struct model_constants device = *c;
        device.launch_us = s.c.launch_us, device.event_us = s.c.event_us;
        const double alone = play_alone(&p, all.longest, &device), more = fmax(0, alone - out->us);
        out->unit_us[LIMIT_TAIL] += more;
        out->us += more;
    }
    free(play);
    lines_free(&p.met), lines_free(&p.block);
    free(p.mend), free(p.left), free(p.owed);
    return out->sampled > 0;
}

// Of all that the result follows from. The text of a tape only grows.
static void key_of(const struct tape *t, const struct model_constants *c, const struct tape_change *change, bool whole,
    uint64_t key[2])
{
    struct hash h;
    struct tape_change plain = *change;
    plain.picks = NULL;
    hash_init(&h);
    hash_bytes(&h, c, sizeof *c);
    hash_bytes(&h, &plain, sizeof plain);
    for (size_t i = 0; i < change->pick_count; i++) {
        const struct tape_pick *k = &change->picks[i];
        hash_text(&h, k->entry);
        hash_u64(&h, k->place), hash_u64(&h, k->mend), hash_u64(&h, k->left);
    }
    hash_u64(&h, whole);
    hash_bytes(&h, &t->kept_warps, 4 * sizeof t->kept_warps);
    for (size_t i = 0; i < t->count; i++)
        hash_u64(&h, t->launches[i].word_count), hash_u64(&h, t->launches[i].block_count);
    hash_final(h, key);
}

static bool play_anew(const struct tape *t, const struct model_constants *c, const struct tape_change *change,
    bool whole, struct model_result *out)
{
    double us = 0;
    *out = (struct model_result){0};
    for (size_t k = 0; t && k < t->count; k++) {
        struct tape_launch *l = &t->launches[k];
        struct model_result one;
        if (!l->block_count || !play_launch(t, l, c, change, whole, &one)) return false;
        for (unsigned n = 0; n < l->times; n++) model_add(out, &one);
        us += one.us * l->times;
    }
    if (!(us > 0) || !(t->kept_warps > 0)) return false;
    const double all = t->all_warps / t->kept_warps;
    out->us *= all;
    for (int k = 0; k < LIMITS_MOST; k++) out->unit_us[k] *= all;
    return true;
}

bool tape_play(const struct tape *t, const struct model_constants *c, const struct tape_change *change, bool whole,
    struct model_result *out)
{
    uint64_t key[2];
    if (!t) return false;
    struct tape_known *known = t->known;
    key_of(t, c, change, whole, key);
    for (size_t i = 0; i < known->count && i < KNOWN_MOST; i++)
        if (memcmp(known->keys[i], key, sizeof key) == 0) return *out = known->results[i], out->us > 0;
    const bool good = play_anew(t, c, change, whole, out);
    const size_t at = known->count++ % KNOWN_MOST; // the oldest gives way
    memcpy(known->keys[at], key, sizeof key);
    known->results[at] = *out;
    if (!good) known->results[at].us = 0;
    return good;
}

bool tape_limits(const struct tape *t, const struct model_constants *c, const struct tape_change *change, bool whole,
    struct limits *out)
{
    struct model_result r;
    *out = (struct limits){0};
    if (!tape_play(t, c, change, whole, &r)) return false;
    limits_from(&r, out);
    out->lo_us = r.us * c->least[limit_as[r.limit]], out->hi_us = r.us * c->most[limit_as[r.limit]];
    return true;
}

double tape_fewest(const struct tape *t, const char *entry, const uint32_t *places, uint32_t count)
{
    uint64_t fewest = 0, accesses = 0;
    for (size_t n = 0; n < t->count; n++) {
        const struct tape_launch *l = &t->launches[n];
        struct tape_said c;
        for (size_t k = 0; k < l->word_count && strcmp(l->entry, entry) == 0;) {
            k += read_call(l->words + k, &c);
            for (uint32_t i = 0; i < count && c.call == TAPE_ACCESS; i++)
                if ((places[i] & (PLACES - 1)) == c.who.place) {
                    fewest += (uint64_t)(bytes_of(&c.access) + SECTOR - 1) / SECTOR * l->times;
                    accesses += l->times;
                    break;
                }
        }
    }
    return accesses ? (double)fewest / (double)accesses : NAN;
}
