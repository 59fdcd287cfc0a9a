// Holds what the simulator counted against the machine code: where the compiler has left as many instructions of each
// kind as the simulator took it to, unrolled and joined, the counts are those of the code that a GPU runs.
// SPDX-License-Identifier: MIT
#include "base/str.h"
#include "compile/compile.h"
#include "compile/sass.h"
#include "device/sim/sim_device.h"

#include <stddef.h>
#include <string.h>

static const struct kind {
    const char *what, *columns;
    size_t requests; // where struct sim_counts has them
} kinds[SIM_LISTED] = {
#define AT(field) offsetof(struct sim_counts, field)
    [SIM_LD_GLOBAL] = {"loads of global memory", "ld_requests, ld_sectors", AT(ld_requests)},
    [SIM_ST_GLOBAL] = {"stores to global memory", "st_requests, st_sectors", AT(st_requests)},
    [SIM_ATOMIC_GLOBAL] = {"atomics on global memory", "atomic_requests, atomic_sectors", AT(accesses)},
    [SIM_LD_SHARED] = {"loads of shared memory", "shared_requests, shared_wavefronts", AT(shared_ld_requests)},
    [SIM_ST_SHARED] = {"stores to shared memory", "shared_requests, shared_wavefronts", AT(shared_st_requests)},
    [SIM_ATOMIC_SHARED] = {"atomics on shared memory", "shared_requests, shared_wavefronts", AT(shared_atom_requests)},
    [SIM_LD_LOCAL] = {"loads of local memory", "local_requests, local_sectors", AT(accesses)},
    [SIM_ST_LOCAL] = {"stores to local memory", "local_requests, local_sectors", AT(accesses)},
    [SIM_LD_GENERIC] = {"loads of memory of any kind", "requests, sectors", AT(accesses)},
    [SIM_ST_GENERIC] = {"stores to memory of any kind", "requests, sectors", AT(accesses)},
    [SIM_ATOMIC_GENERIC] = {"atomics on memory of any kind", "atomic_requests, atomic_sectors", AT(accesses)},
#undef AT
};

// Stacks that the PTX does not have are told of elsewhere (sim_count.c).
static bool is_told(const struct sim_point *p, const struct code_entry *e, int kind)
{
    return (kind == SIM_LD_LOCAL || kind == SIM_ST_LOCAL) && (e->spill_bytes > 0 || p->counts.stacked_calls);
}

static bool is_made(const struct sim_counts *c, int kind)
{
    return *(const uint64_t *)(const void *)((const char *)c + kinds[kind].requests) > 0;
}

enum { MOST_LOOPS = 12 };
struct more {
    int32_t left[SIM_LISTED];
    int32_t loops[MOST_LOOPS][SIM_LISTED];
    size_t loop_count;
    int tries;
};

static bool is_none(const int32_t left[SIM_LISTED])
{
    for (int at = 0; at < SIM_LISTED; at++)
        if (left[at]) return false;
    return true;
}

// Takes so many turns away; false: there is not as much.
static bool take(int32_t left[SIM_LISTED], const int32_t loop[SIM_LISTED], int turns)
{
    bool any = false;
    for (int at = 0; at < SIM_LISTED; at++) {
        left[at] -= turns * loop[at];
        if (left[at] < 0) return false;
        any |= loop[at] > 0;
    }
    return any;
}

// Whether what is left is more turns of the loops from `n` on.
static bool is_turns(struct more *m, size_t n)
{
    int32_t before[SIM_LISTED];
    if (is_none(m->left)) return true;
    if (n == m->loop_count) return false;
    memcpy(before, m->left, sizeof before);
    bool fits = true;
    for (int turns = 1; fits && m->tries-- > 0; turns++) {
        if (is_turns(m, n + 1)) return true;
        memcpy(m->left, before, sizeof before);
        fits = take(m->left, m->loops[n], turns);
    }
    memcpy(m->left, before, sizeof before);
    return false;
}

// A loop that all lanes of a warp leave together asks for the same, written out or not.
static bool is_written_out(const struct sim_kernel *k, const int32_t counted[SIM_LISTED], const int32_t has[SIM_LISTED])
{
    struct more m = {.tries = 20000};
    m.loop_count = sim_listed_loops(k, m.loops, MOST_LOOPS);
    if (m.loop_count > MOST_LOOPS) return false;
    for (int at = 0; at < SIM_LISTED; at++) {
        m.left[at] = counted[at] < 0 ? 0 : has[at] - counted[at];
        if (m.left[at] < 0) return false;
        for (size_t n = 0; n < m.loop_count; n++)
            if (counted[at] <= 0) m.loops[n][at] = 0;
    }
    return is_turns(&m, 0);
}

static enum sim_sass kernel_is(const struct sim_device *dev, const struct sim_kernel *k, const char *entry,
    struct diags *d)
{
    const struct code_entry *e = code_entry_named(dev->code, entry);
    int32_t counted[SIM_LISTED], has[SIM_LISTED];
    enum sim_sass is = SIM_SASS_AGREES;
    if (!e || e->regs < 0 || !sass_listed(dev->code, e->name, has)) return SIM_SASS_UNREAD;
    sim_listed(k, counted);
    if (!has[SIM_LD_LOCAL] && !has[SIM_ST_LOCAL])
        counted[SIM_LD_LOCAL] = counted[SIM_ST_LOCAL] = 0; // it keeps them in registers
    const bool written_out = !dev->point.counts.uneven_turns && is_written_out(k, counted, has);
    for (int n = 0; n < SIM_LISTED; n++) {
        if (counted[n] == has[n] || (written_out && counted[n] >= 0)) continue;
        if (counted[n] < 0 || is_told(&dev->point, e, n)) {
            if (is == SIM_SASS_AGREES) is = SIM_SASS_UNREAD;
        } else if (is_made(&dev->point.counts, n)) {
            is = SIM_SASS_DIFFERS;
            diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
                "approximate: %s: the machine code has %d %s, where %d were expected of the compiler", kinds[n].columns,
                has[n], kinds[n].what, counted[n]);
        }
    }
    return is;
}

enum sim_sass sim_sass_is(const struct sim_device *dev, struct diags *d)
{
    const struct sim_point *p = &dev->point;
    enum sim_sass is = SIM_SASS_AGREES;
    for (size_t i = 0; i < job_launches(p->job); i++) {
        size_t first = 0;
        while (p->launches[first].kernel != p->launches[i].kernel) first++;
        if (first < i) continue;
        const enum sim_sass one = kernel_is(dev, p->launches[i].kernel, job_launch(p->job, i).entry, d);
        if (one > is) is = one;
    }
    return is;
}
