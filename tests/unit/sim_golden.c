// The simulator against hardware: 224 launches whose counters were read on an H200 (tests/golden). All request, sector,
// wavefront and conflict columns are compared. All 77 launches of set1 are wholly equal; of the others all but four, of
// kernels named below.
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "ptx/params.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>

#define COLUMNS 18
static const char *const names[COLUMNS] = {"gld_req", "gld_sect", "gst_req", "gst_sect", "atom_req", "atom_sect",
    "red_req", "red_sect", "lld_req", "lld_sect", "lst_req", "lst_sect", "sld_wav", "sst_wav", "satom_wav", "sld_conf",
    "sst_conf", "satom_conf"};

static void in_order(const struct sim_counts *c, uint64_t v[COLUMNS])
{
    const uint64_t all[COLUMNS] = {c->ld_requests, c->ld_sectors, c->st_requests, c->st_sectors, c->atom_requests,
        c->atom_sectors, c->red_requests, c->red_sectors, c->local_ld_requests, c->local_ld_sectors,
        c->local_st_requests, c->local_st_sectors, c->shared_ld_wavefronts, c->shared_st_wavefronts,
        c->shared_atom_wavefronts, c->shared_ld_conflicts, c->shared_st_conflicts, c->shared_atom_conflicts};
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

static bool launch(struct sim *sim, struct sim_module *module, const char *kernel, const struct args *args,
    struct sim_counts *counts)
{
    char error[256];
    struct sim_fault fault;
    struct sim_kernel *k = sim_kernel(module, kernel, error);
    if (!k) printf("%s: %s\n", kernel, error);
    CHECK(k != NULL);
    if (!k) return false;
    const struct sim_launch l = {
        .grid = {32, 1, 1}, .block = {256, 1, 1}, .dynamic_shared = 1024, .params = args, .param_bytes = sizeof *args};
    const bool good = sim_launch(sim, k, &l, counts, &fault);
    if (!good) printf("%s: %s\n", kernel, fault.what);
    CHECK(good);
    return good;
}

// What the simulator cannot know, by kernel: these differ and no others do.
static const char *const unknowable[] = {"a_sf", // atomicAdd of floats in shared memory is a loop on the hardware, and
                                                 // how often it turns depends on the other warps
    "h_u64",                                     // the same, of 64-bit integers
    "j_if", // ptxas loads ahead of a branch, and joins what it loaded with the load after it
    NULL};

static bool is_unknowable(const char *kernel)
{
    for (int k = 0; unknowable[k]; k++)
        if (strcmp(unknowable[k], kernel) == 0) return true;
    return false;
}

static void run_set(const char *name, int want_launches, int want_equal)
{
    struct diags diags = {0};
    char path[256], error[256];
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s.ptx", name);
    char *ptx = file_read(path, 1 << 24, NULL, &diags);
    snprintf(path, sizeof path, TESTS_DIR "/golden/%s_h200_ncu.csv", name);
    char *csv = file_read(path, 1 << 24, NULL, &diags);
    CHECK(ptx && csv);
    if (!ptx || !csv) return;
    struct sim *sim = sim_new(0);
    struct sim_module *module = sim_load(sim, ptx, error);
    struct args args = {sim_alloc(sim, 1 << 24, "o"), sim_alloc(sim, 1 << 24, "a"), 1 << 20, 0};
    fill(sim_host(sim, args.in, 1 << 24));
    memset(sim_host(sim, args.out, 1 << 24), 0, 1 << 24);
    int launches = 0, equal = 0;
    for (char *row = csv; row && *row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL) {
        char kernel[16];
        struct sim_counts counts;
        int id;
        if (sscanf(row, "%d,%15[^,],%d", &id, kernel, &args.s) != 3) continue;
        launches++;
        if (!launch(sim, module, kernel, &args, &counts)) continue;
        const bool same = compare(row, &counts) == 0;
        equal += same;
        CHECK(same == !is_unknowable(kernel));
    }
    CHECK_INT(launches, want_launches);
    CHECK_INT(equal, want_equal);
    sim_free(sim);
    free(ptx);
    free(csv);
}

int main(void)
{
    run_set("set1", 77, 77);
    run_set("set3", 73, 71); // predicted before it was measured: 68 of 73 were right then, 1301 of 1314 columns
    run_set("set4", 74, 72); // made to ask about what set3 got wrong
    return test_end();
}
