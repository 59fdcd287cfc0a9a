// Fuzz target: any text as PTX, read, decoded and run on the simulator: a small grid, a bounded number of instructions,
// a buffer of 4 KiB. Whatever it does is a fault with a sentence or a result; nothing may crash, leak or hang.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(struct sim *sim, struct sim_module *m, const char *entry, uint64_t buffer)
{
    char error[256] = "";
    struct sim_kernel *k = sim_kernel(m, entry, error);
    if (!k && !error[0]) abort();
    if (!k) return;
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
    struct sim_site sites[16];
    if (!sim_launch(sim, k, &l, &counts, &fault) && !fault.what[0]) abort();
    sim_sites(k, sites, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[256] = "", *text = mem_alloc(size + 1);
    if (size) memcpy(text, data, size);
    struct sim *sim = sim_new(1);
    const uint64_t buffer = sim_alloc(sim, 4096, "buffer");
    struct sim_module *m = buffer ? sim_load(sim, text, error) : NULL;
    if (buffer && !m && !error[0]) abort();
    if (m) {
        sim_kernel(m, "?", error); // which names the entries
        char *names = strstr(error, "there are: ");
        for (char *name = names ? strtok(names + 11, ", ") : NULL; name; name = strtok(NULL, ", "))
            run(sim, m, name, buffer);
    }
    sim_free(sim);
    free(text);
    return 0;
}
