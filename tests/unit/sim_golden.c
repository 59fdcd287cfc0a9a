// The simulator against hardware: 77 launches whose counters were read on an H200 (tests/golden). All request, sector,
// wavefront and conflict columns are compared, and all 77 launches are wholly equal.
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "ptx/params.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>

#define COLUMNS 18
static const char *const names[COLUMNS] = {"gld_req", "gld_sect", "gst_req",   "gst_sect", "atom_req", "atom_sect",
                                           "red_req", "red_sect", "lld_req",   "lld_sect", "lst_req",  "lst_sect",
                                           "sld_wav", "sst_wav",  "satom_wav", "sld_conf", "sst_conf", "satom_conf"};

static void in_order(const struct sim_counts *c, uint64_t v[COLUMNS])
{
    const uint64_t all[COLUMNS] = {c->ld_requests,          c->ld_sectors,           c->st_requests,
                                   c->st_sectors,           c->atom_requests,        c->atom_sectors,
                                   c->red_requests,         c->red_sectors,          c->local_ld_requests,
                                   c->local_ld_sectors,     c->local_st_requests,    c->local_st_sectors,
                                   c->shared_ld_wavefronts, c->shared_st_wavefronts, c->shared_atom_wavefronts,
                                   c->shared_ld_conflicts,  c->shared_st_conflicts,  c->shared_atom_conflicts};
    memcpy(v, all, sizeof all);
}

// The generator of set1.cu's main.
static void fill(float *h)
{
    unsigned r = 1;
    for (int j = 0; j < 1 << 22; j++) {
        r = r * 1664525 + 1013904223;
        h[j] = (float)((r >> 8) % 1000);
    }
}

struct args {
    uint64_t out, in;
    int32_t n, s;
};

// Returns how many columns of the launch differ, and says which.
static int compare(const char *row, const struct sim_counts *c)
{
    uint64_t got[COLUMNS];
    int differ = 0;
    in_order(c, got);
    const char *p = row;
    const int name = (int)(strchr(strchr(row, ',') + 1, ',') - row);
    for (int skip = 0; skip < 3; skip++) p = strchr(p, ',') + 1;
    for (int k = 0; k < COLUMNS; k++) {
        const uint64_t want = strtoull(p, NULL, 10);
        p = strchr(p, ',') + 1;
        if (want == got[k]) continue;
        differ++;
        printf("launch %.*s: %s is %llu, the hardware says %llu\n", name, row, names[k], (unsigned long long)got[k],
               (unsigned long long)want);
    }
    return differ;
}

int main(void)
{
    struct diags diags = {0};
    char error[256];
    char *ptx = file_read(TESTS_DIR "/golden/set1.ptx", 1 << 24, NULL, &diags);
    char *csv = file_read(TESTS_DIR "/golden/set1_h200_ncu.csv", 1 << 24, NULL, &diags);
    CHECK(ptx && csv);
    if (!ptx || !csv) return test_end();
    struct sim *sim = sim_new(0);
    struct sim_module *module = sim_load(sim, ptx, error);
    struct args args = {sim_alloc(sim, 1 << 24, "o"), sim_alloc(sim, 1 << 24, "a"), 1 << 20, 0};
    fill(sim_host(sim, args.in, 1 << 24));
    int launches = 0, equal = 0;
    for (char *row = csv; row && *row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL) {
        char kernel[16];
        int id;
        if (sscanf(row, "%d,%15[^,],%d", &id, kernel, &args.s) != 3) continue;
        struct sim_kernel *k = sim_kernel(module, kernel, error);
        if (!k) printf("%s: %s\n", kernel, error);
        CHECK(k != NULL);
        if (!k) continue;
        const struct sim_launch launch = {.grid = {32, 1, 1}, .block = {256, 1, 1}, .params = &args, .param_bytes = sizeof args};
        struct sim_counts counts;
        struct sim_fault fault;
        if (!sim_launch(sim, k, &launch, &counts, &fault)) printf("%s: %s\n", kernel, fault.what);
        CHECK_INT(fault.kind, SIM_OK);
        launches++;
        equal += compare(row, &counts) == 0;
    }
    CHECK_INT(launches, 77);
    CHECK_INT(equal, 77);
    sim_free(sim);
    free(ptx);
    free(csv);
    return test_end();
}
