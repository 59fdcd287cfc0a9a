// What two accesses have to do with each other: each lane's access is held against the marks in its cells.
// SPDX-License-Identifier: MIT
#include "sim/core/fault.h"
#include "sim/core/residents.h"
#include "sim/core/state.h"
#include "sim/watch/watch_inside.h"

#include <stdio.h>
#include <string.h>

// Whether what the mark stands for has happened before what this thread does now, or is its own.
static bool ordered(const struct watch_block *b, struct watch_mark m, uint32_t warp, uint32_t lane)
{
    const uint32_t from = (uint32_t)m.thread / LANES;
    if (m.block < b->watch->base || m.time == MOST_TIME || b->number == MOST_BLOCKS) return true;
    if (b->watch->told[m.block] == MOST_TOLD) return true;
    if (m.block == b->number) {
        if (from == warp) {
            if (m.thread % LANES == lane || m.time < b->time[warp]) return true;
        } else if (b->seen[warp][from] >= m.time) return true;
        return b->asked && b->watch->told[m.block] > m.told;
    }
    return watch_knows(b, m);
}

static uint32_t bytes_of(const struct watch_cell *c, unsigned kind) { return c->bytes >> 4 * kind & 15u; }

// One lane's access to one cell.
struct touch {
    struct warp *w;
    const struct inst *i;
    uint32_t lane, bytes;   // bytes: which of the four
    uint64_t at;            // the access's address, for the message
    uint64_t word;          // and that of the cell's word
    const struct block *in; // of shared memory: whose it is
    enum space space;
    bool writes, strong;
    bool copies; // goes on by itself
    bool mbarrier;
    bool tracked; // the cell knows which bytes have been written; else all have
};

static struct watch_mark mark_of(const struct touch *t)
{
    const struct watch_block *b = t->w->block->watch;
    return (struct watch_mark){.block = b->number & MOST_BLOCKS,
        .thread = (t->w->index * LANES + t->lane) & MOST_THREAD,
        .time = b->time[t->w->index] & MOST_TIME,
        .told = (uint32_t)b->watch->told[b->number] & MOST_TOLD};
}

static void keep(struct watch_cell *c, enum seen kind, const struct touch *t)
{
    c->mark[kind] = mark_of(t);
    c->site[kind] = (uint16_t)((t->i->site < SITE_MASK ? t->i->site : SITE_MASK) | (t->strong ? STRONG : 0));
    c->bytes = (uint16_t)((c->bytes & ~(15u << 4 * kind)) | t->bytes << 4 * kind);
}

// "what lane 3 of warp 1 wrote at line 12"; the block too where it is another one.
static void describe(const struct watch_block *b, const struct watch_cell *c, enum seen kind, char text[160])
{
    const struct watch_mark m = c->mark[kind];
    const struct sim_kernel *k = b->watch->kernel;
    const uint32_t n = c->site[kind] & SITE_MASK;
    char line[FAULT_PLACE] = "", block[32] = "";
    if (n < SITE_MASK && n < k->site_count) fault_place(k, k->site_insts[n], line);
    if (m.block != b->number) snprintf(block, sizeof block, " of another block");
    snprintf(text, 160, "lane %u of warp %u%s %s%s", (unsigned)m.thread % LANES, (unsigned)m.thread / LANES, block,
        kind == SEEN_WRITE ? "wrote" : "read", line);
}

static void tell(const struct touch *t, const struct watch_cell *c, enum seen kind, const char *why, char what[320])
{
    struct watch_block *b = t->w->block->watch;
    const bool shared = t->space == SPACE_SHARED;
    char other[160], place[96] = "shared memory", line[FAULT_PLACE];
    uint64_t byte = t->at;
    describe(b, c, kind, other);
    const struct allocation *a = shared ? NULL : memory_find(&t->w->block->sim->memory, t->at);
    if (a) snprintf(place, sizeof place, "`%.80s`", a->name), byte -= a->lo;
    if (shared) byte -= t->w->block->shared_from;
    if (shared && t->in && t->in != t->w->block)
        snprintf(place, sizeof place, "shared memory of block %u of the cluster", t->in->rank);
    fault_place(b->watch->kernel, t->i, line);
    snprintf(what, 320, "lane %u of warp %u in block (%u,%u,%u) %s byte %llu of %s%s that %s, %s", t->lane, t->w->index,
        t->w->block->id[0], t->w->block->id[1], t->w->block->id[2], t->writes ? "writes" : "reads",
        (unsigned long long)byte, place, line, other, why);
}

static void report(const struct touch *t, const struct watch_cell *c, enum seen kind, const char *why)
{
    struct sim_races *r = t->w->block->watch->watch->races;
    const bool shared = t->space == SPACE_SHARED;
    // Two writes of different values are the worse find: no order of the readers mends it.
    const bool lost = !shared && t->writes && kind == SEEN_WRITE && r->lost++ == 0;
    if ((*(shared ? &r->shared : &r->global))++ && !lost) return;
    tell(t, c, kind, why, shared ? r->shared_what : r->global_what);
}

// Two volatile accesses, or one and an atomic, of a warp that nothing has brought together in between.
static void note_loose(const struct touch *t, const struct watch_cell *c, enum seen kind)
{
    struct watch_block *b = t->w->block->watch;
    const struct watch_mark m = c->mark[kind];
    const uint32_t n = c->site[kind] & SITE_MASK;
    if (t->mbarrier || b->watch->races->loose || m.block != b->number || m.thread / LANES != t->w->index) return;
    if (m.thread % LANES == t->lane || m.time < b->time[t->w->index] || n >= b->watch->kernel->site_count) return;
    const bool was_atomic = b->watch->kernel->site_insts[n]->memory->kind >= ACCESS_ATOMIC;
    if (was_atomic && t->i->memory->kind >= ACCESS_ATOMIC) return;
    b->watch->races->loose = 1;
    tell(t, c, kind, "and `volatile` does not order what different lanes do", b->watch->races->loose_what);
}

static void against(const struct touch *t, const struct watch_cell *c, enum seen kind)
{
    struct watch_block *b = t->w->block->watch;
    const bool stores = kind == SEEN_WRITE && !t->writes && t->space == SPACE_GLOBAL,
               cached = stores && t->i->memory->cached && c->mark[kind].block >= b->watch->base;
    if (!c->mark[kind].block || !(bytes_of(c, kind) & t->bytes)) return;
    if (t->strong && (c->site[kind] & STRONG)) return note_loose(t, c, kind);
    if (!cached && ordered(b, c->mark[kind], t->w->index, t->lane)) return;
    const bool hears = !cached && c->mark[kind].block != b->number && watch_hears(b, c->mark[kind]);
    if (hears && (t->writes || t->strong)) return;
    report(t, c, kind,
        cached                                ? "through a cache that need not see it (`ld.global.nc`)"
            : hears                           ? "with no `__threadfence()` between the look that waited for it and this"
            : watch_has_met(b, c->mark[kind]) ? "with no `__threadfence()` between"
            : t->space == SPACE_SHARED        ? "and nothing orders the two (is a barrier missing?)"
                                              : "and nothing orders the two");
    if (b->watch->stale && stores && !(c->site[kind] & STRONG))
        watch_see_old(b->watch, t->word, bytes_of(c, kind) & t->bytes, t->strong);
}

static void note_read(struct watch_cell *c, const struct touch *t)
{
    const struct watch_mark *last = &c->mark[SEEN_READ];
    if (last->block && (last->block != t->w->block->watch->number || last->thread / LANES != t->w->index)) {
        c->mark[SEEN_OTHER] = *last;
        c->site[SEEN_OTHER] = c->site[SEEN_READ];
        c->bytes = (uint16_t)((c->bytes & ~(15u << 4 * SEEN_OTHER)) | bytes_of(c, SEEN_READ) << 4 * SEEN_OTHER);
    }
    keep(c, SEEN_READ, t);
}

// The value that a lane is about to store, its element with that byte in it.
static uint64_t stored(const struct touch *t, uint32_t lane, uint32_t element)
{
    return t->i->wide & 2 ? ((const u64 *)SLOT(t->w, t->i->r[element]))[lane]
                          : ((const u32 *)SLOT(t->w, t->i->r[element]))[lane];
}

static const uint8_t elem_bytes[] = {1, 1, 2, 2, 4, 4, 8};

// Lanes that store the same value at once, or a value that is there already, leave the same whoever comes first.
static bool same_value(const struct touch *t, uint64_t offset, const struct watch_cell *c, const unsigned char *host)
{
    if (!t->i->memory->plain) return false;
    const uint32_t size = elem_bytes[t->i->elem], end = (uint32_t)offset + (uint32_t)__builtin_popcount(t->bytes);
    const struct watch_mark m = c->mark[SEEN_WRITE], own = mark_of(t);
    const bool beside = m.block == own.block && m.time == own.time && m.thread / LANES == own.thread / LANES &&
        (c->site[SEEN_WRITE] & SITE_MASK) == (t->i->site & SITE_MASK);
    bool there = !t->tracked || (bytes_of(c, DEFINED) & t->bytes) == t->bytes, alike = beside;
    for (uint32_t e = (uint32_t)offset / size; e * size < end; e++) {
        const uint64_t value = stored(t, t->lane, e), other = beside ? stored(t, (uint32_t)m.thread % LANES, e) : 0;
        there = there && memcmp(host + e * size, &value, size) == 0;
        alike = alike && memcmp(&other, &value, size) == 0;
    }
    return there || alike;
}

static void write_cell(struct watch_cell *c, const struct touch *t, bool same)
{
    if (t->space == SPACE_GLOBAL && t->w->block->watch->watch->stale) watch_keep_old(t->w->block->watch, c, t->word);
    if (!same) {
        const struct watch_mark last = c->mark[SEEN_WRITE], own = mark_of(t);
        const bool again = (bytes_of(c, SEEN_WRITE) & t->bytes) && last.block == own.block && last.time == own.time &&
            last.thread / LANES == own.thread / LANES;
        against(t, c, SEEN_WRITE);
        against(t, c, SEEN_READ);
        against(t, c, SEEN_OTHER);
        // An atomic does not hide what its warp wrote there before it without one: others must still come later.
        const bool hides = t->strong && again && !(c->site[SEEN_WRITE] & STRONG);
        if (!hides) keep(c, SEEN_WRITE, t);
        if (again) c->site[SEEN_WRITE] |= AGAIN;
    } else if (!c->mark[SEEN_WRITE].block) keep(c, SEEN_WRITE, t);
    else if (c->site[SEEN_WRITE] & AGAIN) against(t, c, SEEN_WRITE);
    c->bytes = (uint16_t)(c->bytes | t->bytes << 4 * DEFINED);
}

static struct watch_cell *cells_of(struct touch *t, bool *undefined)
{
    struct watch_block *b = t->w->block->watch;
    if (t->space == SPACE_SHARED) {
        t->tracked = true;
        *undefined = !t->w->block->cluster; // another block may have written it
        t->in = t->at >> RESIDENT_SHIFT ? resident_of(t->w->block, t->at) : t->w->block;
        t->at &= RESIDENT_OFFSET;
        if (!t->in || !t->in->watch || t->at >= b->shared_bytes) return NULL; // behind that is the system's part
        return t->in->watch->shared + t->at / WORD;
    }
    const struct watched *r = watch_range(b->watch, &t->w->block->sim->memory, t->at);
    t->tracked = r && r->undefined;
    *undefined = r && r->undefined && !b->watch->partial;
    return r && r->cells ? r->cells + (t->at - r->lo) / WORD : NULL;
}

static const unsigned char *host_of(const struct touch *t)
{
    return t->space == SPACE_SHARED ? t->in->shared + t->at : (const unsigned char *)(uintptr_t)t->at;
}

// All cells of one lane's access. False: it reads an element of which nothing has been written.
static bool touch_all(struct touch *t, uint32_t bytes)
{
    bool undefined;
    struct watch_cell *c = cells_of(t, &undefined);
    const uint32_t shift = (uint32_t)(t->at % WORD);
    uint32_t defined = 0;
    if (!c) return true;
    // An allocation begins at a multiple of 256, so that cells and words agree.
    for (uint32_t done = 0; done < bytes; c++) {
        const uint32_t skip = done ? 0 : shift, n = WORD - skip < bytes - done ? WORD - skip : bytes - done;
        t->bytes = ((1u << n) - 1) << skip;
        defined |= bytes_of(c, DEFINED) & t->bytes;
        const bool own = t->space == SPACE_SHARED && t->in == t->w->block;
        const uint32_t word = own ? (uint32_t)(c - t->w->block->watch->shared) : 0;
        t->word = t->at + done - skip;
        const enum flight flies = own ? watch_in_flight(t->w, c, word) : FLIGHT_NONE;
        if ((flies == FLIGHT_WRITES && (bytes_of(c, SEEN_WRITE) & t->bytes)) || (flies == FLIGHT_READS && t->writes))
            report(t, c, flies == FLIGHT_READS ? SEEN_READ : SEEN_WRITE, "by a copy that nothing has waited for");
        if (t->writes) write_cell(c, t, !t->copies && same_value(t, done, c, host_of(t)));
        if (t->writes && own) {
            if (t->copies) watch_flight_note(t->w, t->lane, word);
            else watch_landed(t->w, word);
        }
        if (!t->writes) {
            against(t, c, SEEN_WRITE);
            note_read(c, t);
        }
        done += n;
    }
    const bool reads = !t->writes || t->i->memory->kind >= ACCESS_ATOMIC;
    return !reads || !undefined || defined;
}

// False: enough of this block was watched. What it does from now on is not known, so nothing is held against it.
static bool afford(struct warp *w, uint32_t mask)
{
    struct watch_block *b = w->block->watch;
    const uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    if (b->left == UINT32_MAX) return true;
    if (b->left >= lanes && b->watch->left >= lanes) {
        b->left -= lanes;
        b->watch->left -= lanes;
        return true;
    }
    b->watch->told[b->number] = MOST_TOLD;
    b->watch->partial = b->watch->unsure = true;
    w->block->watch = NULL;
    return false;
}

// Global memory that a copy in bulk of this block still works on.
static void against_bulk(const struct touch *t, uint32_t bytes)
{
    struct sim_races *r = t->w->block->watch->watch->races;
    bool is_read = false;
    const int line = watch_bulk_meets(t->w, t->at, bytes, t->writes, &is_read);
    const struct allocation *a = line < 0 ? NULL : memory_find(&t->w->block->sim->memory, t->at);
    if (!a) return;
    r->global++;
    if (r->lost++) return;
    char own[FAULT_PLACE];
    fault_place(t->w->block->kernel, t->i, own);
    snprintf(r->global_what, sizeof r->global_what,
        "lane %u of warp %u in block (%u,%u,%u) %s byte %llu of `%.80s`%s that a copy (`cp.async.bulk`) at line %d %s: "
        "nothing has waited for it",
        t->lane, t->w->index, t->w->block->id[0], t->w->block->id[1], t->w->block->id[2],
        t->writes ? "writes" : "reads", (unsigned long long)(t->at - a->lo), a->name, own, line,
        is_read ? "still reads" : "is still to write");
}

// Whether some warp made a fence between the proxies when it knew of what that warp did until then.
static bool proxied(const struct watch_block *b, uint32_t warp, uint32_t time)
{
    for (uint32_t n = 0; n < b->warps; n++)
        if (b->proxied[n][warp] >= time) return true;
    return false;
}

void watch_async(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    struct watch_block *b = w->block->watch;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct touch t = {.w = w, .i = i, .lane = lane, .at = at[lane], .space = SPACE_SHARED};
        if (at[lane] + bytes > b->shared_bytes) continue;
        if (!touch_all(&t, bytes)) watch_unwritten(w, i, lane, at[lane], SPACE_SHARED, bytes);
        for (uint32_t word = (uint32_t)at[lane] / WORD; word < (at[lane] + bytes) / WORD; word++) {
            const struct watch_mark mark = b->shared[word].mark[SEEN_WRITE];
            if (mark.block != b->number || mark.time == MOST_TIME || watch_was_copied(b, word)) continue;
            if (!proxied(b, (uint32_t)mark.thread / LANES, mark.time))
                report(&t, &b->shared[word], SEEN_WRITE, "with no `fence.proxy.async` between");
        }
    }
}

// A read of global memory that nothing has written is a fault. Of shared memory, and of a thread's own, it is taken
// down: some look further than they need, and use nothing of it.
void watch_unwritten(struct warp *w, const struct inst *i, uint32_t lane, uint64_t at, enum space space, uint32_t bytes)
{
    struct sim_races *r = w->block->watch->watch->races;
    const struct sim_fault before = w->block->fault;
    const struct allocation *a = space == SPACE_GLOBAL ? memory_find(&w->block->sim->memory, at) : NULL;
    const char *quote = a ? "`" : "", *own = space == SPACE_LOCAL ? "local memory" : "shared memory";
    if (space != SPACE_GLOBAL && r->undefined++) return;
    fault_set(w, i, lane, SIM_UNDEFINED, "read of %u bytes at byte %llu of %s%.80s%s, which nothing has written%s",
        bytes,
        (unsigned long long)(at -
            (a                              ? a->lo
                    : space == SPACE_SHARED ? w->block->shared_from
                                            : 0)),
        quote, a ? a->name : own, quote,
        space == SPACE_GLOBAL       ? ""
            : space == SPACE_SHARED ? " yet (is a barrier missing?)"
                                    : " (of an array or a variable of the thread's own)");
    if (space == SPACE_GLOBAL) return;
    snprintf(r->undefined_what, sizeof r->undefined_what, "%s", w->block->fault.what);
    w->block->fault = before;
}

// Reads of what nobody may write: nothing can be wrong with them, and many kernels do little else.
static bool is_locked(const struct warp *w, const uint64_t at[LANES], uint32_t mask)
{
    const struct watched *r = watch_range(w->block->watch->watch, &w->block->sim->memory, at[__builtin_ctz(mask)]);
    if (!r || !r->locked) return false;
    for (uint32_t m = mask; m; m &= m - 1)
        if (at[__builtin_ctz(m)] - r->lo >= r->hi - r->lo) return false;
    return true;
}

static bool adds_nothing(const struct warp *w, const struct inst *i, uint32_t lane)
{
    const uint8_t op = i->memory->atomic; // clang makes an `or` of a sum with 0
    if (i->memory->kind != ACCESS_ATOMIC || (i->wide & 2)) return false;
    if (op != ATOMIC_ADD && op != ATOMIC_OR && op != ATOMIC_XOR) return false;
    return ((const u32 *)SLOT(w, i->r[1]))[lane] == 0;
}

// What is made from the address of one array must stay in it, though there is memory behind it: another array.
static bool stays_within(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    const struct memory_op *op = i->memory;
    const uint32_t inside = op->kind == ACCESS_LOAD ? 1 : bytes; // a compiler may load more than anybody reads
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(m);
        if (at[l] >> RESIDENT_SHIFT || (at[l] >= op->within_at && at[l] + inside <= op->within_at + op->within_bytes))
            continue;
        fault_set(w, i, l, SIM_OUT_OF_BOUNDS,
            "out-of-bounds shared %s of %u bytes at byte %lld of `%.80s`, which has %u: other variables lie there",
            op->kind == ACCESS_LOAD        ? "load"
                : op->kind == ACCESS_STORE ? "store"
                                           : "atomic",
            bytes, (long long)(at[l] - op->within_at), op->within, op->within_bytes);
        w->block->fault.within = true;
        return false;
    }
    return true;
}

bool watch_access(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, enum space space,
    uint32_t bytes)
{
    const struct memory_op *op = i->memory;
    struct watch_block *b = w->block->watch;
    const bool atomic = op->kind >= ACCESS_ATOMIC;
    watch_refresh(b->watch);
    if (space == SPACE_LOCAL) return (watch_local(w, i, at, mask, bytes), true);
    if (space != SPACE_SHARED && space != SPACE_GLOBAL) return true;
    if (space == SPACE_SHARED && op->within && !stays_within(w, i, at, mask, bytes)) return false;
    if (op->kind == ACCESS_LOAD && space == SPACE_GLOBAL && is_locked(w, at, mask)) return true;
    if (!afford(w, mask)) return true;
    if (op->spins && op->kind == ACCESS_LOAD) return true; // the atomic itself comes behind
    if (atomic || op->strong) {
        const bool reads = op->kind == ACCESS_ATOMIC || op->kind == ACCESS_LOAD;
        if (op->releases) watch_publish(b);
        else watch_tell(b);
        b->asked |= reads;
        for (uint32_t m = space == SPACE_GLOBAL ? mask : 0, before = 0; m; m &= m - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(m);
            const bool looks = op->kind == ACCESS_LOAD || adds_nothing(w, i, l);
            if (m == mask || at[l] != at[before]) watch_meet_at(b, at[l], reads, op->kind != ACCESS_LOAD, looks);
            before = l;
        }
        if (op->acquires) watch_heed(b);
    }
    // The plain read that a loop of compare-and-swap begins with is no mistake.
    if (atomic && op->atomic == ATOMIC_CAS && !op->spins) return true;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct touch t = {.w = w,
            .i = i,
            .lane = lane,
            .at = at[lane],
            .space = space,
            .writes = op->kind != ACCESS_LOAD,
            .strong = atomic || op->strong};
        if (space == SPACE_GLOBAL) against_bulk(&t, bytes);
        if (touch_all(&t, bytes)) continue;
        watch_unwritten(w, i, lane, at[lane], space, bytes);
        if (space == SPACE_SHARED) continue;
        return false;
    }
    return true;
}

void watch_mbarrier(struct warp *w, const struct inst *i, uint32_t lane, uint64_t at, bool sets_up)
{
    touch_all(&(struct touch){.w = w,
                  .i = i,
                  .lane = lane,
                  .at = at,
                  .space = SPACE_SHARED,
                  .writes = true,
                  .strong = !sets_up,
                  .mbarrier = true},
        8);
}

void watch_registers(struct warp *w, const struct inst *i, uint32_t lane, bool writes, bool sum, int line)
{
    struct sim_races *r = w->block->watch->watch->races;
    char own[FAULT_PLACE], other[24] = "";
    if (r->shared++) return;
    fault_place(w->block->kernel, i, own);
    if (line > 0) snprintf(other, sizeof other, " at line %d", line);
    snprintf(r->shared_what, sizeof r->shared_what,
        "lane %u of warp %u in block (%u,%u,%u) %s%s a register that the product of its warp group%s is still to %s: "
        "no "
        "`wgmma.wait_group` waits for it",
        lane, w->index, w->block->id[0], w->block->id[1], w->block->id[2], writes ? "writes" : "reads", own, other,
        sum ? "write" : "read");
}

void watch_copy(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        touch_all(&(struct touch){.w = w,
                      .i = i,
                      .lane = lane,
                      .at = at[lane],
                      .space = SPACE_SHARED,
                      .writes = true,
                      .copies = true},
            bytes);
    }
}
