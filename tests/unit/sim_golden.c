// The simulator against hardware: 945 launches whose counters were read on an H200 (tests/golden). All request, sector,
// wavefront and conflict columns are compared, from set5 on the results too. All but those of the kernels
// named below are wholly equal.
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "ptx/params.h"
#include "sim/sim.h"
#include "unit/listed_here.h"
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

// What the simulator cannot know, by kernel: these differ and no others do.
static const char *const unknowable[] = {"a_sf", // atomicAdd of floats in shared memory is a loop on the hardware, and
                                                 // how often it turns depends on the other warps
    "h_u64",                                     // the same, of 64-bit integers
    "h_f32", "h_or64", // the same again: several warps meet, or a lane that changes nothing gets through too
    "b_h1", "b_bf1",   // atomics on 16 bits are loops on the word around them, longer where blocks meet
    "f_fib", "f_ack", "f_sum", "f_even", "f_han", "f_ptrd", "f_virt", // the stack of functions is not in the PTX, and
                                                                      // lanes go on apart behind such calls
    "e_one", "e_blk", "e_list", "e_new", "e_big",                     // what malloc and free do themselves
    "y_sync", "y_red",                                                // how often blocks look whether all have come
    "k_atom",                    // atomics of which some lanes are for another block
    "j_if",                      // ptxas loads ahead of a branch, and joins what it loaded with the load after it
    "s_cmpt",                    // where it writes hangs on which warp comes first
    "m_reg",                     // a loop of four turns is written out, and words of two turns joined
    "q_find",                    // 3 %: branches that become instructions some lanes leave out, it seems
    "n_spill",                   // a load of a local array gives what was just stored
    "x_scat",                    // 9 sectors of 24,279: where 8 to 15 rounds are made of one access
    "g_spl", "p_spl",            // registers that do not fit, which PTX does not have
    "p_fs", "x_sd",              // sums of floats in shared memory again
    "g_rec",                     // a function that calls itself, as f_fib
    "x_cas", "x_hash", "x_edge", // who comes first
    "r_queens",                  // of four words one is needed in one branch only, and loaded there
    NULL};

static bool is_unknowable(const char *kernel)
{
    for (int k = 0; unknowable[k]; k++)
        if (strcmp(unknowable[k], kernel) == 0) return true;
    return false;
}

// What a row would say of the machine code: `sim+sass` must be right, and what is right must not be called approximate.
static const char *sass;
static int agreed, unknown;
// Of these, counts differ for another reason than the code: who comes first, how often blocks look, remote lanes.
#define TRUSTED " k_atom s_cmpt x_cas x_edge x_hash y_red "
// These are called approximate and are right: loops that are written out in full, with a way out in each turn, and
// others whose copies ask for the same.
#define BLAMED " c_bfsq c_find d_brk d_col d_ptr2 f_par f_ptr h_sort k_bar l_shw q_rad r_redv v_csrl v_csru "
static void hold_verdict(struct sim_kernel *k, const char *set, const char *kernel, const struct sim_counts *c,
    bool same)
{
    int32_t has[SIM_LISTED];
    struct sim_fitted fitted;
    char name[40];
    const bool spills = strcmp(kernel, "g_spl") == 0 || strcmp(kernel, "p_spl") == 0;
    const bool told = c->loop_wavefronts || c->unsure_atomics || c->half_atomics || c->stacked_calls || c->heap_calls;
    const bool has_list = listed_find(sass, set, kernel, has);
    CHECK(has_list);
    if (!has_list) return;
    const enum sim_fit fit = sim_listed_fit(k, c, has, spills || c->stacked_calls, &fitted);
    snprintf(name, sizeof name, " %s ", kernel);
    agreed += fit == SIM_FITS;
    unknown += fit == SIM_FIT_UNKNOWN;
    if (fit == SIM_FITS && !told) CHECK(same || strstr(TRUSTED, name));
    if (fit == SIM_MISFITS && !strstr(BLAMED, name)) CHECK(!same);
    if (fit == SIM_MISFITS && same) printf("%s is called approximate, and is right\n", kernel);
}

static void run_set(const char *name, bool checks_results, int want_launches, int want_equal)
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
        const bool same = compare(row, &counts) == 0;
        const bool right = !checks_results || same_result(sim, &args, row);
        if (!right) printf("%s: another result\n", kernel);
        CHECK(right);
        hold_verdict(sim_kernel(module, kernel, error), name, kernel, &counts, same);
        equal += same;
        CHECK(same || is_unknowable(kernel));
    }
    CHECK_INT(launches, want_launches);
    CHECK_INT(equal, want_equal);
    sim_free(sim);
    free(ptx);
    free(csv);
}

int main(void)
{
    struct diags diags = {0};
    char *csv = file_read(TESTS_DIR "/golden/sass.csv", 1 << 24, NULL, &diags);
    CHECK(csv != NULL);
    if (!csv) return test_end();
    sass = csv;
    run_set("set1", false, 77, 77);
    run_set("set3", false, 73, 71); // predicted before it was measured: 68 of 73 were right then, 1301 of 1314 columns
    run_set("set4", false, 74, 72); // made to ask about what set3 got wrong
    run_set("set5", true, 162, 154);
    run_set("set6", true, 109, 94);
    run_set("set7", true, 103, 99);   // predicted: 93 of 103, 1837 of 1854 columns
    run_set("set9", true, 82, 80);    // predicted: 75, 1465 of 1476 columns
    run_set("set10", true, 57, 55);   // predicted: 53, 1014 of 1026 columns
    run_set("set11", true, 107, 101); // predicted: 97, 1905 of 1926 columns
    run_set("set8", true, 93, 93);    // predicted before it was measured: 91, and 85 of the results
    CHECK_INT(agreed, 862);           // of 945 launches
    CHECK_INT(unknown, 52);
    free(csv);
    return test_end();
}
