// Holds what the simulator counted against the machine code. The simulator guesses what the compiler unrolls and joins.
// Where the code has as many instructions of each kind as that, the counts are those of the code that a GPU runs.
// SPDX-License-Identifier: MIT
#include "base/str.h"
#include "compile/compile.h"
#include "compile/sass_listed.h"
#include "device/sim/sim_device.h"

#include <string.h>

static const struct kind {
    const char *what, *columns;
} kinds[SIM_LISTED_KINDS] = {
    [SIM_LD_GLOBAL] = {"loads of global memory", "ld_requests, ld_sectors"},
    [SIM_ST_GLOBAL] = {"stores to global memory", "st_requests, st_sectors"},
    [SIM_ATOMIC_GLOBAL] = {"atomics on global memory", "atomic_requests, atomic_sectors"},
    [SIM_LD_SHARED] = {"loads of shared memory", "shared_requests, shared_wavefronts"},
    [SIM_ST_SHARED] = {"stores to shared memory", "shared_requests, shared_wavefronts"},
    [SIM_ATOMIC_SHARED] = {"atomics on shared memory", "shared_requests, shared_wavefronts"},
    [SIM_LD_LOCAL] = {"loads of local memory", "local_requests, local_sectors"},
    [SIM_ST_LOCAL] = {"stores to local memory", "local_requests, local_sectors"},
    [SIM_LD_GENERIC] = {"loads of memory of any kind", "requests, sectors"},
    [SIM_ST_GENERIC] = {"stores to memory of any kind", "requests, sectors"},
    [SIM_ATOMIC_GENERIC] = {"atomics on memory of any kind", "atomic_requests, atomic_sectors"},
};

// Tells of one kind: how many, and where that is the same, of which widths.
static void tell(const struct sim_fitted *f, const int32_t has[SIM_LISTED], int kind, struct diags *d)
{
    int counted = 0, made = 0, differs = -1;
    for (int width = SIM_WIDTHS; width-- > 0;) {
        const int at = kind * SIM_WIDTHS + width;
        counted += f->counted[at], made += has[at];
        if (f->misfits[at]) differs = width;
    }
    if (differs < 0) return;
    if (counted == made && differs < SIM_NO_WIDTH)
        diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
            "approximate: %s: of %d %s the machine code has %d of %d bytes, where %d were expected of the compiler",
            kinds[kind].columns, made, kinds[kind].what, has[kind * SIM_WIDTHS + differs], 1 << differs,
            f->counted[kind * SIM_WIDTHS + differs]);
    else
        diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
            "approximate: %s: the machine code has %d %s, where %d were expected of the compiler", kinds[kind].columns,
            made, kinds[kind].what, counted);
}

static enum sim_fit kernel_is(const struct sim_device *dev, const struct sim_kernel *k, const char *entry,
    struct diags *d)
{
    const struct code_entry *e = code_entry_named(dev->code, entry);
    int32_t has[SIM_LISTED];
    struct sim_fitted f;
    if (!e || e->regs < 0 || !sass_listed(dev->code, e->name, has)) return SIM_FIT_UNKNOWN;
    // Stacks that the PTX does not have are told of elsewhere (sim_count.c).
    const bool stack_told = e->spill_bytes > 0 || dev->point.counts.stacked_calls;
    const enum sim_fit is = sim_listed_fit(k, &dev->point.counts, has, stack_told, &f);
    for (int kind = 0; is == SIM_MISFITS && kind < SIM_LISTED_KINDS; kind++) tell(&f, has, kind, d);
    return is;
}

enum sim_fit sim_sass_is(const struct sim_device *dev, struct diags *d)
{
    const struct sim_point *p = &dev->point;
    enum sim_fit is = SIM_FITS;
    for (size_t i = 0; i < job_launches(p->job); i++) {
        size_t first = 0;
        while (p->launches[first].kernel != p->launches[i].kernel) first++;
        if (first < i) continue;
        const enum sim_fit one = kernel_is(dev, p->launches[i].kernel, job_launch(p->job, i).entry, d);
        if (one > is) is = one;
    }
    return is;
}
