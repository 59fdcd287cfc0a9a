// PTX alone against hardware: 937 launches whose counters were read on an H200 (tests/golden). All request, sector,
// wavefront and conflict columns are compared, from set5 on the results too. What differs is what a compiler makes of
// the PTX: unit/sim_machine runs that.
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
struct texture_args { // of the kernels whose names begin with t_
    uint64_t out, filtered, wrapped, bytes, surface;
    int32_t s;
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
        const bool measured = *p != ',';
        const uint64_t want = strtoull(p, NULL, 10);
        p = strchr(p, ',') + 1;
        if (!measured || want == got[k]) continue;
        differ++;
        printf("launch %.*s: %s is %llu, the hardware says %llu\n", name, row, names[k], (unsigned long long)got[k],
            (unsigned long long)want);
    }
    return differ;
}

// The textures of set5's main: 64 by 48 texels of the input, as floats and as four bytes each.
static struct texture_args textures(struct sim *sim, const struct args *args)
{
    struct texture_args t = {.out = args->out, .s = args->s};
    struct sim_texture floats = {.address = args->in, .extent = {64, 48, 1}, .channels = 1, .bits = 32, .linear = true};
    struct sim_texture bytes = {.address = args->in,
        .extent = {64, 48, 1},
        .channels = 4,
        .bits = 8,
        .kind = SIM_CHANNEL_UNSIGNED,
        .wrap = {SIM_WRAP, SIM_WRAP}};
    t.filtered = t.surface = sim_texture(sim, &floats);
    floats.wrap[0] = floats.wrap[1] = SIM_WRAP, floats.normalized = true;
    t.wrapped = sim_texture(sim, &floats);
    t.bytes = sim_texture(sim, &bytes);
    return t;
}

// Of these ptxas says that they have no stack: it keeps their arrays in registers.
static bool is_in_registers(const char *set, const char *kernel)
{
    if (strcmp(set, "set9") == 0 || strcmp(set, "set10") == 0) return strcmp(kernel, "p_stk") != 0;
    static const char stacks[] = " h_dp h_hist h_queue h_sort h_str r_queens ";
    char name[40];
    snprintf(name, sizeof name, " %s ", kernel);
    if (strcmp(set, "set11") == 0) return !strstr(stacks, name);
    static const char *const names_of[] = {"l_uni", "l_f2", "l_f4", "l_u4", "l_u8", "l_t4", "l_t8", "l_t16", "l_t32",
        "l_tt", "l_t4x", "l_w4", "l_w8", "l_2", "l_4", "l_i", "l_k", "h_loc", NULL};
    for (int k = 0; names_of[k]; k++)
        if (strcmp(names_of[k], kernel) == 0) return true;
    return false;
}

static bool launch(struct sim *sim, struct sim_module *module, const char *kernel, const uint32_t threads[2],
    bool in_registers, const struct args *args, struct sim_counts *counts)
{
    char error[256];
    struct sim_fault fault;
    const bool reads_textures = strncmp(kernel, "t_", 2) == 0;
    const struct texture_args t = reads_textures ? textures(sim, args) : (struct texture_args){0};
    struct sim_kernel *k = sim_kernel(module, kernel, error);
    if (!k) printf("%s: %s\n", kernel, error);
    CHECK(k != NULL);
    if (!k) return false;
    const struct sim_launch l = {.grid = {32, 1, 1},
        .block = {threads[0], threads[1], 1},
        .dynamic_shared = 1024,
        .cooperative = strncmp(kernel, "y_", 2) == 0,
        .in_registers = in_registers,
        .params = reads_textures ? (const void *)&t : args,
        .param_bytes = reads_textures ? sizeof t : sizeof *args};
    const bool good = sim_launch(sim, k, &l, counts, &fault);
    if (!good) printf("%s: %s\n", kernel, fault.what);
    CHECK(good);
    return good;
}

// The first MiB of words of the output, hashed as set5's main does it; the row's last column, empty where kernels race.
static bool same_result(struct sim *sim, const struct args *args, const char *row)
{
    const char *end = row + strcspn(row, "\n"), *want = end;
    while (want > row && want[-1] != ',') want--;
    if (want == end) return true;
    const uint32_t *words = sim_host(sim, args->out, 1 << 22);
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < 1 << 20; i++) hash = (hash ^ words[i]) * 1099511628211u;
    return strtoull(want, NULL, 16) == hash;
}

// Who comes first, and how often blocks look whether all have come, is told by no code.
static bool is_chance(const char *kernel)
{
    char name[40];
    snprintf(name, sizeof name, " %s ", kernel);
    return strstr(" s_cmpt x_cas x_hash x_edge y_sync y_red ", name) != NULL;
}

static void run_set(const char *name, bool checks_results, int want_launches, int want_equal, int want_differ)
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
    int launches = 0, equal = 0, differ = 0;
    for (char *row = csv; row && *row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL) {
        char kernel[24];
        struct sim_counts counts;
        int id;
        uint32_t threads[2] = {256, 1};
        if (sscanf(row, "%d,%23[^,],%d", &id, kernel, &args.s) != 3) continue;
        launches++;
        char *few = strchr(kernel, '@'); // of so many threads, or of so many by so many
        if (few) sscanf(few, "@%ux%u", &threads[0], &threads[1]), *few = 0;
        if (checks_results) memset(sim_host(sim, args.out, 1 << 24), 0, 1 << 24);
        const bool in_registers = checks_results && is_in_registers(name, kernel); // set3 has others of these names
        if (!launch(sim, module, kernel, threads, in_registers, &args, &counts)) continue;
        const int columns = is_chance(kernel) ? 0 : compare(row, &counts);
        const bool right = !checks_results || same_result(sim, &args, row);
        if (!right) printf("%s: another result\n", kernel);
        CHECK(right);
        equal += !columns;
        differ += columns;
    }
    CHECK_INT(launches, want_launches);
    CHECK_INT(equal, want_equal);
    CHECK_INT(differ, want_differ);
    sim_free(sim);
    free(ptx);
    free(csv);
}

int main(void)
{
    run_set("set1", false, 77, 77, 0);
    run_set("set3", false, 73, 70, 8);
    run_set("set4", false, 74, 67, 12);
    run_set("set5", true, 162, 134, 74);
    run_set("set6", true, 109, 91, 92);
    run_set("set7", true, 103, 97, 12);
    run_set("set9", true, 82, 80, 5);
    run_set("set10", true, 57, 52, 13);
    run_set("set11", true, 107, 100, 18);
    run_set("set8", true, 93, 93, 0);
    return test_end();
}
