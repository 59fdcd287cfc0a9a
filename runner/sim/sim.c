// The functions of sim.h: memory, modules and their variables, kernels, sites.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "ptx/params.h"
#include "sim/decode/decode.h"
#include "sim/machine/lower.h"
#include "sim/ops/heap.h"
#include "sim/compiler/passes.h"
#include "sim/core/place.h"
#include "sim/core/state.h"
#include "sim/watch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct sim *sim_new(int threads)
{
    struct sim *s = mem_alloc(sizeof *s);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    s->threads = threads > 0 ? threads : cores > 0 ? (int)cores : 1;
    if (s->threads > 256) s->threads = 256;
    for (int n = 0; variant_get(n); n++) s->exec = variant_get(n);
    return s;
}

void sim_free(struct sim *s)
{
    if (!s) return;
    while (s->modules) sim_unload(s, s->modules);
    heap_free(s);
    place_forget(s);
    memory_free(&s->memory);
    watch_free(s->watch);
    free(s->textures);
    free(s);
}

uint64_t sim_alloc(struct sim *s, size_t bytes, const char *name)
{
    return memory_alloc(&s->memory, bytes, name ? name : "buffer");
}

void sim_undefine(struct sim *s, uint64_t address)
{
    const struct allocation *a = memory_find(&s->memory, address);
    if (!a) return;
    if (!s->watch) s->watch = watch_new();
    watch_undefine(s->watch, a->lo, a->hi);
}

void sim_unwatch(struct sim *s)
{
    watch_free(s->watch);
    s->watch = NULL;
}

void sim_release(struct sim *s, uint64_t address)
{
    watch_forget(s->watch, address);
    if (address) memory_release(&s->memory, address);
}

void *sim_host(struct sim *s, uint64_t address, size_t bytes)
{
    const struct allocation *a = memory_find(&s->memory, address);
    if (!a) { // zero bytes at the end of an allocation, or an empty allocation
        for (size_t i = 0; i < s->memory.live_count && !bytes; i++)
            if (s->memory.live[i].lo <= address && address <= s->memory.live[i].hi) a = &s->memory.live[i];
        if (!a) return NULL;
    }
    return bytes <= a->hi - address ? (void *)(uintptr_t)address : NULL;
}

unsigned sim_touched(struct sim *s, uint64_t address)
{
    const struct allocation *a = memory_find(&s->memory, address);
    return a ? a->touched : 0;
}

void sim_untouch(struct sim *s)
{
    for (size_t i = 0; i < s->memory.live_count; i++) s->memory.live[i].touched = 0;
}

void sim_lock(struct sim *s, uint64_t address, uint32_t element_bytes, bool locked)
{
    struct allocation *a = (struct allocation *)(uintptr_t)memory_find(&s->memory, address);
    if (a) a->element = element_bytes, a->locked = locked;
}

void sim_rows(struct sim *s, uint64_t address, uint64_t row, uint64_t pitch)
{
    struct allocation *a = (struct allocation *)(uintptr_t)memory_find(&s->memory, address);
    if (a) a->row = row, a->pitch = pitch;
}

// A module's variables get one mapping; each is an allocation of its own, with a gap after it.
#define SPACING ((size_t)512)
static size_t spaced(size_t bytes) { return (bytes + SPACING + 255) / 256 * 256; }

static const struct symbol *find_symbol(const struct sim_module *m, const char *name)
{
    for (size_t i = 0; i < m->symbol_count; i++)
        if (strcmp(m->symbols[i].name, name) == 0) return &m->symbols[i];
    return NULL;
}

static bool in_memory(const struct ptx_var *v) { return v->space == PTX_GLOBAL || v->space == PTX_CONST; }

static bool place_variables(struct sim *s, struct sim_module *m)
{
    size_t bytes = 0, count = 0;
    for (const struct ptx_var *v = m->ptx->vars; v; v = v->next)
        if (in_memory(v)) bytes += spaced(v->size), count++;
    if (!count) return true;
    unsigned char *at = bytes < (size_t)1 << 40 ? memory_map(bytes, &m->map, &m->map_bytes) : NULL;
    if (!at) return false;
    m->symbols = arena_alloc(m->arena, count * sizeof *m->symbols);
    for (const struct ptx_var *v = m->ptx->vars; v; v = v->next) {
        if (!in_memory(v)) continue;
        m->symbols[m->symbol_count++] = (struct symbol){v->name, (uint64_t)(uintptr_t)at, v->size};
        memory_name(&s->memory, (uint64_t)(uintptr_t)at, v->size, v->name);
        at += spaced(v->size);
    }
    return true;
}

static void fill_variables(const struct sim_module *m)
{
    for (const struct ptx_var *v = m->ptx->vars; v; v = v->next)
        for (size_t i = 0; in_memory(v) && i < v->init_count; i++) {
            const struct ptx_init *init = &v->inits[i];
            const struct symbol *to = init->symbol ? find_symbol(m, init->symbol) : NULL;
            uint64_t value = init->value +
                (to                    ? to->address
                        : init->symbol ? decode_function_address(m->ptx, init->symbol)
                                       : 0);
            if (init->symbol && init->mask != ~(uint64_t)0 && init->mask)
                value = (value & init->mask) >> __builtin_ctzll(init->mask);
            if (init->size > 8 || init->at + init->size > v->size) continue;
            memcpy((unsigned char *)(uintptr_t)find_symbol(m, v->name)->address + init->at, &value, init->size);
        }
}

void sim_reset(struct sim_module *m)
{
    heap_free(m->sim);
    for (const struct ptx_var *v = m->ptx->vars; v; v = v->next)
        if (in_memory(v)) memset((void *)(uintptr_t)find_symbol(m, v->name)->address, 0, v->size);
    fill_variables(m);
}

struct sim_module *sim_load(struct sim *s, const char *ptx, char error[256])
{
    struct arena *arena = arena_new();
    struct sim_module *m = arena_alloc(arena, sizeof *m);
    m->sim = s;
    m->arena = arena;
    m->ptx = ptx_module_read(arena, arena_strdup(arena, ptx), error);
    if (m->ptx && !place_variables(s, m)) {
        snprintf(error, 256, "no memory for the module's variables");
        m->ptx = NULL;
    }
    if (!m->ptx) {
        arena_free(arena);
        return NULL;
    }
    fill_variables(m);
    for (struct ptx_func *f = m->ptx->funcs; f; f = f->next) order_blocks(f, arena), unroll_loops(f, arena);
    m->next = s->modules;
    s->modules = m;
    return m;
}

void sim_unload(struct sim *s, struct sim_module *m)
{
    if (!m) return;
    heap_free(s);
    for (struct sim_module **at = &s->modules; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    for (size_t i = 0; i < m->symbol_count; i++) memory_release(&s->memory, m->symbols[i].address);
    if (m->map) munmap(m->map, m->map_bytes);
    for (struct sim_kernel *k = m->kernels, *next; k; k = next) {
        next = k->next;
        arena_free(k->arena);
    }
    arena_free(m->arena);
}

static void list_entries(const struct sim_module *m, char *text, size_t size)
{
    size_t used = 0;
    for (const struct ptx_func *f = m->ptx->funcs; f && used < size; f = f->next)
        if (f->entry) used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", f->name);
}

// What machine code is not asked for yet, as the PTX knows it.
static const char *left_to_ptx(const struct sim_kernel *k)
{
    return k->meets_grid                    ? "it meets all blocks of the grid"
        : k->takes_memory || k->alloca_slot ? "it asks for memory while it runs"
        : k->changes_maps                   ? "it changes a tensor map, whose bits are the hardware's own"
                                            : NULL;
}

// Whether its blocks know each other: else each is alone, whatever the launch says.
static bool in_clusters(const struct sim_kernel *k)
{
    bool asks = k->meets || k->cluster[0] || k->cluster[1] || k->cluster[2];
    for (size_t n = 0; n < k->preset_count; n++) asks |= k->presets[n].special == SPECIAL_CLUSTER;
    return asks;
}

enum { HELD = 90 }; // against what a GPU counts

bool sim_machine(struct sim_module *m, const void *cubin, size_t bytes, char error[256])
{
    const struct cubin *c = cubin_read(m->arena, cubin, bytes, error);
    m->cubin = c && c->arch == HELD ? c : NULL;
    if (c && !m->cubin) snprintf(error, 256, "what machine code of sm_%d counts was not held against a GPU", c->arch);
    return m->cubin;
}

bool sim_given(struct sim_module *m, const void *cubin, size_t bytes, char error[256])
{
    return (m->given = cubin_read(m->arena, cubin, bytes, error)) != NULL;
}

int sim_not_held(const struct sim_module *m) { return m->given && m->given->arch != HELD ? m->given->arch : 0; }

static struct sim_kernel *keep(struct sim_module *m, struct sim_kernel *k)
{
    if (!k) return NULL;
    k->next = m->kernels;
    return m->kernels = k;
}

static bool is_given(const struct sim_module *m, const char *entry)
{
    const char *name = NULL;
    for (size_t n = 0; m->given && (name = cubin_name(m->given, n)) && strcmp(name, entry) != 0;) n++;
    return name;
}

struct sim_kernel *sim_kernel(struct sim_module *m, const char *entry, char error[256])
{
    const bool given = is_given(m, entry);
    for (struct sim_kernel *k = m->kernels; k; k = k->next)
        if ((given || !k->machine) && strcmp(k->name, entry) == 0) return k;
    if (given) {
        char why[256] = "";
        struct sim_kernel *k = lower_kernel(m, m->given, entry, false, why);
        if (!k) snprintf(error, 256, "unsupported: machine code of `%.40s`: %.150s", entry, why);
        m->unsupported = !k;
        return keep(m, k);
    }
    const struct ptx_func *f = ptx_module_func(m->ptx, entry);
    if (!f || !f->entry || !f->defined) {
        char names[160] = "none";
        list_entries(m, names, sizeof names);
        snprintf(error, 256, "no entry `%.60s`; there are: %s", entry, names);
        m->unsupported = false;
        return NULL;
    }
    struct sim_kernel *k = decode_kernel(m, f, error);
    m->unsupported = !k;
    return keep(m, k);
}

bool sim_unsupported(const struct sim_module *m) { return m->unsupported; }

struct sim_kernel *sim_machine_kernel(struct sim_module *m, const char *entry, char why[256])
{
    for (struct sim_kernel *k = m->kernels; k; k = k->next)
        if (k->machine && strcmp(k->name, entry) == 0) return k;
    struct sim_kernel *ptx = m->cubin ? sim_kernel(m, entry, why) : NULL;
    if (!m->cubin) snprintf(why, 256, "there is no machine code");
    if (!ptx) return NULL;
    const char *left = left_to_ptx(ptx);
    if (left) snprintf(why, 256, "%s", left);
    struct sim_kernel *k = left ? NULL : lower_kernel(m, m->cubin, entry, in_clusters(ptx), why);
    if (!k) return NULL;
    k->depend = ptx->depend;
    k->takes_dynamic = ptx->takes_dynamic;
    k->meets = ptx->meets;
    k->polls = ptx->polls;
    memcpy(k->cluster, ptx->cluster, sizeof k->cluster);
    k->dynamic_align = ptx->dynamic_align;
    return keep(m, k);
}

const char *sim_tells_more(const struct sim_kernel *k) { return k->tells; }

bool sim_polls(const struct sim_kernel *k) { return k->polls; }

int sim_asks_active(const struct sim_kernel *k) { return k->asks_active; }

bool sim_masks_some(const struct sim_kernel *k) { return k->masks; }

uint64_t sim_symbol(struct sim_module *m, const char *name, size_t *bytes)
{
    const struct symbol *s = find_symbol(m, name);
    if (s && bytes) *bytes = s->size;
    return s ? s->address : 0;
}

uint64_t sim_variable(struct sim_module *m, size_t i) { return i < m->symbol_count ? m->symbols[i].address : 0; }

struct found {
    struct sim_site site;
    size_t order;
};

// What a lane moves: with the accesses that ptxas joins to it.
static uint32_t bytes_of(const struct inst *i)
{
    static const uint8_t sizes[] = {[ELEM_U8] = 1, 1, 2, 2, 4, 4, 8};
    return i->memory->matrices ? 16 : i->memory->joined ? i->memory->joined : sizes[i->elem] * i->vector;
}

static int by_line(const void *pa, const void *pb)
{
    const struct found *a = pa, *b = pb;
    if (a->site.line != b->site.line) return a->site.line < b->site.line ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

size_t sim_sites(const struct sim_kernel *k, struct sim_site *sites, size_t most)
{
    struct found *found = mem_alloc(k->site_count * sizeof *found);
    size_t count = 0;
    for (size_t n = 0; n < k->site_count; n++) {
        const struct sim_tally *t = k->tallies[n];
        const struct inst *i = k->site_insts[n];
        struct sim_site s = {.line = i->line, .number = (uint32_t)n, .op = i->memory->name, .bytes = bytes_of(i)};
        for (int space = 0; space < 3; space++) {
            s.requests += t[space].requests;
            s.lanes += t[space].lanes;
            if (space == SPACE_SHARED) s.wavefronts += t[space].units, s.conflicts += t[space].conflicts;
            else s.sectors += t[space].units;
        }
        if (s.requests) found[count] = (struct found){s, n}, count++;
    }
    qsort(found, count, sizeof *found, by_line);
    for (size_t n = 0; n < count && n < most; n++) sites[n] = found[n].site;
    free(found);
    return count;
}
