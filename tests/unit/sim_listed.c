// What the simulator takes a kernel's accesses to be, by kind and width, held against the machine code of the golden
// kernels as ptxas 13.0 made it (tests/golden/sass.csv). What a row says of that is in unit/sim_golden, where they run.
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "sim/sim.h"
#include "unit/listed_here.h"
#include "unit/test.h"

#include <stdlib.h>

// Where they differ: loops that are written out where no lane leaves before others, or whose turns all lanes do
// together; what waits for others; stacks and registers that do not fit, which PTX does not have; and what the
// compiler does otherwise, by unit/sim_golden.
#define DIFFER \
    " c_bfsq c_find d_brk d_col d_ptr2 f_ack f_even f_fib f_han f_par f_ptr f_ptrd f_sum f_virt g_rec g_spl h_sort " \
    "j_if k_bar l_shw " \
    "m_dbl " \
    "m_reg n_nms n_spill p_prv p_spl q_find q_lev q_rad q_sync q_tile r_queens r_redv u_sort v_csrl v_csru w_reg " \
    "y_sync "

static bool is_other(const char *row, const char *kernel)
{
    char name[40];
    if (strncmp(row, "set5,d_brk", 10) == 0) return false; // another kernel of that name
    snprintf(name, sizeof name, " %s ", kernel);
    return strstr(DIFFER, name) != NULL;
}

static void tally(struct sim_module *module, const char *row, int tallies[3])
{
    int32_t counted[SIM_LISTED], has[SIM_LISTED];
    char kernel[32], error[256];
    bool differs = false, unknown = false, local = false;
    CHECK(sscanf(row, "%*[^,],%31[^,]", kernel) == 1);
    listed_read(row, has);
    struct sim_kernel *k = sim_kernel(module, kernel, error);
    CHECK(k != NULL);
    if (!k) return;
    sim_listed(k, counted);
    const int from = SIM_LD_LOCAL * SIM_WIDTHS, to = (SIM_ST_LOCAL + 1) * SIM_WIDTHS;
    for (int n = from; n < to; n++) local |= has[n] > 0;
    for (int n = from; n < to && !local; n++) counted[n] = 0; // in registers
    for (int n = 0; n < SIM_LISTED; n++) {
        unknown |= counted[n] < 0 && has[n];
        if (counted[n] >= 0 && counted[n] != has[n] && !is_other(row, kernel))
            printf("%.12s: kind %d, width %d: %d, the machine code has %d\n", row, n / SIM_WIDTHS, n % SIM_WIDTHS,
                counted[n], has[n]);
        differs |= counted[n] >= 0 && counted[n] != has[n];
    }
    CHECK(differs == is_other(row, kernel));
    tallies[differs ? 2 : unknown]++;
}

int main(void)
{
    static const char *const sets[] = {
        "set1", "set3", "set4", "set5", "set6", "set7", "set8", "set9", "set10", "set11", NULL};
    struct diags diags = {0};
    char path[256], error[256];
    int tallies[3] = {0};
    char *csv = file_read(TESTS_DIR "/golden/sass.csv", 1 << 24, NULL, &diags);
    CHECK(csv != NULL);
    for (int s = 0; csv && sets[s]; s++) {
        snprintf(path, sizeof path, TESTS_DIR "/golden/%s.ptx", sets[s]);
        char *ptx = file_read(path, 1 << 24, NULL, &diags);
        struct sim *sim = sim_new(1);
        struct sim_module *module = ptx ? sim_load(sim, ptx, error) : NULL;
        CHECK(module != NULL);
        for (char *row = csv; module && row && *row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL)
            if (strncmp(row, sets[s], strcspn(row, ",")) == 0 && !sets[s][strcspn(row, ",")])
                tally(module, row, tallies);
        sim_free(sim);
        free(ptx);
    }
    CHECK_INT(tallies[0], 734); // the same
    CHECK_INT(tallies[1], 39);  // the same where it can be told
    CHECK_INT(tallies[2], 38);
    free(csv);
    return test_end();
}
