// Fuzz target: any bytes as a compiler's machine code: read, cut into blocks and run on the simulator in place of an
// empty kernel of the same name: a small grid, a bounded number of instructions, a buffer of 4 KiB. Whatever it does is
// a fault with a sentence or a result; nothing may crash, leak or hang.
// SPDX-License-Identifier: MIT
#include "sass/cubin.h"

#include "base/arena.h"
#include "base/str.h"
#include "fuzz/fuzz.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

static void run(const char *name, const void *bytes, size_t size)
{
    char error[256] = "";
    struct str ptx = {0};
    struct sim *sim = sim_new(1);
    const uint64_t buffer = sim_alloc(sim, 4096, "buffer");
    str_addf(&ptx, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry %s(.param .u64 a)\n{ ret; }\n",
        name);
    struct sim_module *m = buffer ? sim_load(sim, ptx.text, error) : NULL;
    struct sim_kernel *k = m && sim_machine(m, bytes, size, error) ? sim_machine_kernel(m, name, error) : NULL;
    if (k) {
        uint64_t params[64];
        for (int i = 0; i < 64; i++) params[i] = i % 2 ? 64 : buffer;
        const struct sim_launch l = {.grid = {2, 1, 1},
            .block = {48, 1, 1},
            .dynamic_shared = 256,
            .params = params,
            .param_bytes = sizeof params,
            .budget = 4000};
        struct sim_counts counts;
        struct sim_fault fault;
        if (!sim_launch(sim, k, &l, &counts, &fault) && !fault.what[0]) abort();
    } else if (!error[0]) abort();
    sim_free(sim);
    str_release(&ptx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    char error[256] = "";
    struct cubin *c = cubin_read(a, data, size, error);
    if (!c && !error[0]) abort();
    const char *name;
    for (size_t n = 0; c && n < 4 && (name = cubin_name(c, n)); n++) {
        struct cubin_kernel k;
        if (!cubin_kernel(c, a, name, &k, error) && !error[0]) abort();
        run(name, data, size);
    }
    arena_free(a);
    return 0;
}
