// Fills the grids.
// SPDX-License-Identifier: MIT
#include "reason/figure.h"

#include "plan/asks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct figure_row *row_of(struct figure *f)
{
    if (f->count == FIGURE_ROWS) {
        f->left_out++;
        return NULL;
    }
    struct figure_row *r = &f->rows[f->count++];
    *r = (struct figure_row){0};
    return r;
}

static void name_lanes(uint32_t lanes, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int l = 0; l < 32 && used + 16 < size; l++) {
        if (!(lanes >> l & 1)) continue;
        int last = l;
        while (last < 31 && lanes >> (last + 1) & 1) last++;
        const char *comma = used ? ", " : __builtin_popcount(lanes) > 1 ? "lanes " : "lane ";
        used += (size_t)(last > l ? snprintf(text + used, size - used, "%s%d-%d", comma, l, last)
                                  : snprintf(text + used, size - used, "%s%d", comma, l));
        l = last;
    }
}

// What a lane moves; of atomics its type says it.
static uint32_t width_of(const struct device_place *p) { return p->bytes ? p->bytes : evidence_word(p); }

// Rows are lines of 128 bytes, cells their words; a sector that nobody touches is not fetched.
static void draw_sectors(struct figure *f, const struct device_place *p)
{
    const uint32_t bytes = width_of(p);
    uint64_t lines[32];
    int count = 0;
    uint64_t base = UINT64_MAX;
    for (uint32_t m = p->mask; m; m &= m - 1) {
        const uint64_t at = p->at[__builtin_ctz(m)];
        if (at >> 7 < base) base = at >> 7;
        for (uint64_t line = at >> 7; line <= (at + bytes - 1) >> 7; line++) {
            int k = 0;
            while (k < count && lines[k] != line) k++;
            if (k < count || count == 32) continue;
            for (k = count++; k > 0 && lines[k - 1] > line; k--) lines[k] = lines[k - 1];
            lines[k] = line;
        }
    }
    f->columns = 32;
    f->group = 8;
    const bool reads = ops_loads(p->is);
    f->legend[CELL_USED] = reads ? "a word that a lane reads" : "a word that a lane writes";
    for (int k = 0; k < count; k++) {
        struct figure_row *r = row_of(f);
        uint32_t lanes = 0;
        if (!r) continue;
        snprintf(r->label, sizeof r->label, "+%llu", (unsigned long long)((lines[k] - base) * 128));
        for (uint32_t m = p->mask; m; m &= m - 1) {
            const int l = __builtin_ctz(m);
            for (uint64_t at = p->at[l]; at < p->at[l] + bytes; at++) {
                if (at >> 7 != lines[k]) continue;
                const int word = (int)(at & 127) / 4, sector = word / 8 * 8;
                for (int w = sector; w < sector + 8; w++)
                    if (r->cells[w] == CELL_NONE) r->cells[w] = CELL_WASTED;
                f->legend[CELL_WASTED] = reads ? "fetched with it: a sector is 32 bytes" : "the rest of its sector";
                r->cells[word] = CELL_USED;
                lanes |= 1u << l;
            }
        }
        r->lanes = lanes;
        name_lanes(lanes, r->note, sizeof r->note);
    }
    bool wasted = false;
    for (int k = 0; k < f->count; k++) wasted |= memchr(f->rows[k].cells, CELL_WASTED, 32) != NULL;
    if (!wasted) f->legend[CELL_WASTED] = NULL;
}

// Columns are banks, rows the different words that one is asked for, one on top of the other.
static void draw_banks(struct figure *f, const struct device_place *p)
{
    uint64_t words[32][32] = {{0}};
    uint32_t lanes[32] = {0};
    int height[32] = {0}, most = 0;
    for (uint32_t m = p->mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        for (uint64_t at = p->at[l]; at < p->at[l] + width_of(p); at += 4) {
            const int bank = (int)(at / 4 % 32);
            int k = 0;
            while (k < height[bank] && words[bank][k] != at / 4) k++;
            if (k < 32 && k == height[bank]) words[bank][height[bank]++] = at / 4;
            if (height[bank] > most) most = height[bank];
            if (k < 32) lanes[k] |= 1u << l;
        }
    }
    f->columns = 32;
    f->group = 8;
    f->legend[CELL_USED] = "a bank gives a word";
    int total = 0;
    for (int bank = 0; bank < 32; bank++) total += height[bank];
    const int least = (total + 31) / 32; // turns that so many words take in any case
    if (most > least) f->legend[CELL_CLASH] = "another word of the same bank, which waits";
    for (int k = 0; k < most; k++) {
        struct figure_row *r = row_of(f);
        if (!r) continue;
        snprintf(r->label, sizeof r->label, "turn %d", k + 1);
        for (int bank = 0; bank < 32; bank++)
            if (k < height[bank]) r->cells[bank] = k >= least ? CELL_CLASH : CELL_USED;
        r->lanes = lanes[k];
        name_lanes(lanes[k], r->note, sizeof r->note);
    }
}

bool figure_access(struct figure *f, const struct device_place *p)
{
    *f = (struct figure){0};
    if (!p->mask || p->space == SPACE_OF_THREAD) return false;
    const bool shared = p->space == SPACE_OF_BLOCK;
    const int lanes = __builtin_popcount(p->mask);
    const int named = snprintf(f->title, sizeof f->title, "line %d: %s%s%s%s, %d lane%s", p->line, p->op,
        p->buffer ? " of `" : "", p->buffer ? p->buffer : "", p->buffer ? "`" : "", lanes, lanes == 1 ? "" : "s");
    size_t at = named > 0 && (size_t)named < sizeof f->title ? (size_t)named : sizeof f->title - 1;
    at += (size_t)snprintf(f->title + at, sizeof f->title - at, " of %u bytes", width_of(p));
    if (p->instructions > 1 && at < sizeof f->title)
        snprintf(f->title + at, sizeof f->title - at, ", the first of %u alike", p->instructions);
    const char *many = p->units == 1 ? "" : "s";
    snprintf(f->note, sizeof f->note, "%u %s%s%s for a warp%s", p->units, shared ? "turn" : "sector", many,
        !shared             ? " of 32 bytes"
            : p->units == 1 ? " (wavefront)"
                            : " (wavefronts)",
        shared ? "; columns are the 32 banks" : "; each row is 128 bytes, on the left its distance from the first");
    if (!shared && p->units > (uint32_t)__builtin_popcount(p->mask) / 8 && !ops_loads(p->is) && !ops_stores(p->is))
        snprintf(f->note, sizeof f->note, "L1 counts %u sectors for a warp: one for each lane, where lanes meet",
            p->units);
    f->steps = p->mask;
    if (shared) draw_banks(f, p);
    else draw_sectors(f, p);
    return true;
}

bool figure_lanes(struct figure *f, const struct device_places *p)
{
    *f = (struct figure){.columns = 32, .group = 8};
    if (!p->idle) return false;
    snprintf(f->title, sizeof f->title, "lanes that are active, by line");
    snprintf(f->note, sizeof f->note, "%.1f of 32 on the average, by instructions",
        32.0 * (double)p->lanes / (double)(p->lanes + p->idle));
    f->legend[CELL_USED] = "active, on the average";
    f->legend[CELL_WASTED] = "waits for the others";
    for (size_t i = 0; i < p->line_count; i++) {
        const struct device_line *l = &p->lines[i];
        const double active = (double)l->lanes / (double)(l->instructions ? l->instructions : 1);
        const double live = (double)(l->lanes + l->idle) / (double)(l->instructions ? l->instructions : 1);
        struct figure_row *r = l->instructions ? row_of(f) : NULL;
        if (!r) continue;
        snprintf(r->label, sizeof r->label, l->line ? "line %d" : "elsewhere", l->line);
        snprintf(r->note, sizeof r->note, "%.1f of %.1f, %llu instructions", active, live,
            (unsigned long long)l->instructions);
        for (int k = 0; k < 32; k++)
            r->cells[k] = k < lround(active) ? CELL_USED : k < lround(live) ? CELL_WASTED : CELL_NONE;
    }
    return f->count > 0;
}

bool figure_occupancy(struct figure *f, const struct evidence *e)
{
    const int most = e->device->limits.warps_per_sm, warps = (int)(evidence_threads(e) + 31) / 32;
    const int blocks = (int)(evidence_resident(e) / warps);
    *f = (struct figure){.columns = most > FIGURE_COLUMNS ? FIGURE_COLUMNS : most, .group = 8};
    if (!blocks) return false;
    snprintf(f->title, sizeof f->title, "an SM's %d slots for warps", most);
    snprintf(f->note, sizeof f->note, "%d block%s of %d warp%s: %.0f %%", blocks, blocks == 1 ? "" : "s", warps,
        warps == 1 ? "" : "s", 100.0 * blocks * warps / most);
    f->legend[CELL_USED] = "a warp; blocks in turns";
    if (blocks > 1) f->legend[CELL_SECOND] = "of the next block";
    if (blocks * warps < most) f->legend[CELL_WASTED] = "empty";
    struct figure_row *r = row_of(f);
    snprintf(r->label, sizeof r->label, "SM");
    for (int k = 0; k < f->columns; k++)
        r->cells[k] = k >= blocks * warps ? CELL_WASTED : k / warps % 2 ? CELL_SECOND : CELL_USED;
    return true;
}

enum { STAGES = 3, SLOTS = 60 };

// Each chunk goes up, is worked on, and comes down; a stage takes one at a time, a stream its own in order.
bool figure_pipeline(struct figure *f, const struct job *job, const double us[STAGES])
{
    static const char *const stages[STAGES] = {"copy up", "kernel", "copy down"};
    static const enum figure_cell kinds[STAGES] = {CELL_USED, CELL_SECOND, CELL_THIRD};
    const int chunks = (int)asks_whole(job, SETTING_CHUNKS, 1), streams = (int)asks_whole(job, SETTING_STREAMS, 1);
    double stage_free[STAGES] = {0}, stream_free[64] = {0}, begin[STAGES][64], end = 0;
    *f = (struct figure){.columns = SLOTS, .group = SLOTS};
    if (!asks_is(job, SETTING_TIMED, "roundtrip") || chunks > 26 || streams > 64 || streams < 1) return false;
    static const double alike[STAGES] = {1, 1, 1};
    const double *whole = us ? us : alike, all = whole[0] + whole[1] + whole[2];
    double takes[STAGES];
    for (int s = 0; s < STAGES; s++) takes[s] = whole[s] / chunks;
    for (int c = 0; c < chunks; c++)
        for (int s = 0; s < STAGES; s++) {
            double at = stream_free[c % streams];
            if (stage_free[s] > at) at = stage_free[s];
            begin[s][c] = at;
            stream_free[c % streams] = stage_free[s] = at + takes[s];
            if (at + takes[s] > end) end = at + takes[s];
        }
    snprintf(f->title, sizeof f->title, "a round trip in %d chunk%s over %d stream%s", chunks, chunks > 1 ? "s" : "",
        streams, streams > 1 ? "s" : "");
    f->letters = streams > 1 ? "a letter is a chunk; the streams take them in turns" : "a letter is a chunk";
    if (us)
        snprintf(f->note, sizeof f->note,
            "%.2f of the time in one piece, where the parts take %.4g, %.4g and %.4g us by themselves", end / all,
            us[0], us[1], us[2]);
    else snprintf(f->note, sizeof f->note, "not to scale: nothing here says how long a copy or the kernel takes");
    for (int s = 0; s < STAGES; s++) {
        struct figure_row *r = row_of(f);
        f->legend[kinds[s]] = stages[s];
        snprintf(r->label, sizeof r->label, "%s", stages[s]);
        for (int c = 0; c < chunks; c++) {
            const int from = (int)lround(begin[s][c] / all * SLOTS),
                      to = (int)lround((begin[s][c] + takes[s]) / all * SLOTS);
            for (int k = from; k < (to > from ? to : from + 1) && k < SLOTS; k++) {
                r->cells[k] = (unsigned char)kinds[s];
                r->marks[k] = (char)('A' + c);
            }
        }
    }
    return true;
}
