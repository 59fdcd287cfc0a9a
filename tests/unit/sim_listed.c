// What the simulator takes a kernel's accesses to be, held against the machine code of the golden kernels as ptxas 13.0
// made it (tests/golden/sass.csv).
// SPDX-License-Identifier: MIT
#include "base/diag.h"
#include "base/file.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>

// Where they differ. Of these the simulator's counts are right nonetheless: loops that no lane leaves before others, or
// whose turns all lanes do together; and what waits for others.
#define RIGHT "d_brk d_col d_ptr2 m_dbl q_lev q_rad r_redv v_csrl v_csru k_bar q_sync q_tile w_reg "
// These are not counted right, or of a stack that PTX does not have.
#define WRONG "j_if m_reg n_spill q_find y_sync f_ack f_even f_fib f_han f_ptr f_ptrd f_sum f_virt "

static bool is_other(const char *row, const char *kernel)
{
    char name[40];
    if (strncmp(row, "set5,d_brk", 10) == 0) return false; // another kernel of that name
    snprintf(name, sizeof name, " %s ", kernel);
    return strstr(" " RIGHT WRONG, name) != NULL;
}

static void tally(struct sim_module *module, const char *row, int tallies[3])
{
    int32_t counted[SIM_LISTED], has[SIM_LISTED];
    char kernel[32], error[256];
    bool differs = false, unknown = false;
    CHECK(sscanf(row, "%*[^,],%31[^,]", kernel) == 1);
    const char *p = strchr(row, ',') + 1;
    for (int n = 0; n < SIM_LISTED; n++) {
        p = strchr(p, ',') + 1;
        has[n] = (int32_t)strtol(p, NULL, 10);
    }
    struct sim_kernel *k = sim_kernel(module, kernel, error);
    CHECK(k != NULL);
    if (!k) return;
    sim_listed(k, counted);
    if (!has[SIM_LD_LOCAL] && !has[SIM_ST_LOCAL]) counted[SIM_LD_LOCAL] = counted[SIM_ST_LOCAL] = 0; // in registers
    for (int n = 0; n < SIM_LISTED; n++) {
        unknown |= counted[n] < 0 && has[n];
        if (counted[n] >= 0 && counted[n] != has[n] && !is_other(row, kernel))
            printf("%.12s: kind %d is %d, the machine code has %d\n", row, n, counted[n], has[n]);
        differs |= counted[n] >= 0 && counted[n] != has[n];
    }
    CHECK(differs == is_other(row, kernel));
    tallies[differs ? 2 : unknown]++;
}

int main(void)
{
    static const char *const sets[] = {"set1", "set3", "set4", "set5", "set6", "set7", "set8", NULL};
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
            if (strncmp(row, sets[s], 4) == 0 && row[4] == ',') tally(module, row, tallies);
        sim_free(sim);
        free(ptx);
    }
    CHECK_INT(tallies[0], 521); // the same
    CHECK_INT(tallies[1], 33);  // the same where it can be told
    CHECK_INT(tallies[2], 26);
    free(csv);
    return test_end();
}
