// spec/columns: what each column is, by its name. Sets of columns follow from what the rows say and never from their
// order, so the lists here have another order.
// SPDX-License-Identifier: MIT
#include <string.h>

#include "measure/result.h"
#include "spec/columns.h"
#include "unit/test.h"

static const char *const groups[COLUMNS_GROUPS] = {
    [COLUMNS_TIME] = " gflops gbps time_us time_lo_us time_hi_us contexts within_pct between_pct quick_us slow_us "
                     "slow_pct clock_mhz samples discarded ",
    [COLUMNS_MODEL] = " gpu memory_bytes peak_gbps useful_bytes ",
    [COLUMNS_COMPILER] = " occupancy_pct regs spill_bytes local_bytes shared_bytes ",
    [COLUMNS_ACCESS] =
        " lanes_per_access counts_within_pct bank_conflicts ld_requests ld_sectors st_requests st_sectors "
        "sectors_per_request atomic_requests atomic_sectors local_requests local_sectors spilled_bytes "
        "shared_requests shared_wavefronts shared_ld_wavefronts_per_request "
        "shared_st_wavefronts_per_request instructions lane_instructions parted_branches issued_alu_pct "
        "issued_fma_pct issued_fp64_pct issued_xu_pct issued_lsu_pct issued_tensor_pct issued_uniform_pct ",
    [COLUMNS_HARDWARE] = " l2_read_sectors l1_hit_sectors dram_read_bytes dram_write_bytes page_faults migrated_bytes ",
    [COLUMNS_EXPECTED] = " model_us model_lo_us model_hi_us bound_us model_limit model_l1_hit_sectors "
                         "model_l2_read_sectors model_dram_read_bytes model_dram_write_bytes ",
};
static const char larger[] = " gbps gflops occupancy_pct lanes_per_access l1_hit_sectors model_l1_hit_sectors ",
                  neither[] =
                      " contexts samples discarded clock_mhz useful_bytes peak_gbps memory_bytes gpu regs shared_bytes "
                      "issued_alu_pct issued_fma_pct issued_fp64_pct issued_xu_pct issued_lsu_pct issued_tensor_pct "
                      "issued_uniform_pct model_limit ",
                  kept[] = " useful_bytes peak_gbps memory_bytes gpu regs spill_bytes local_bytes shared_bytes "
                           "occupancy_pct ";

static bool among(const char *list, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

static int words(const char *list)
{
    int n = -1;
    for (; *list; list++) n += *list == ' ';
    return n;
}

static void each_column_is_of_one_group(void)
{
    int listed = 0;
    for (int g = 0; g < COLUMNS_GROUPS; g++) listed += words(groups[g]);
    CHECK_INT(listed, COLUMN_COUNT);
    for (int c = 0; c < COLUMN_COUNT; c++)
        for (int g = 0; g < COLUMNS_GROUPS; g++)
            if (among(groups[g], column_table[c].name) != (column_table[c].group == (enum column_group)g))
                CHECK_TEXT(column_table[c].name, "of another group");
}

static void each_column_says_which_way_is_better(void)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        const char *name = column_table[c].name;
        enum column_better b = among(larger, name) ? BETTER_LARGER
            : among(neither, name)                 ? BETTER_NEITHER
                                                   : BETTER_SMALLER;
        CHECK(column_table[c].better == b);
    }
}

static void a_status_is_found_by_its_whole_word(void)
{
    for (int i = 0; i < STATUS_COUNT; i++) CHECK_INT(status_find(status_names[i]), i);
    CHECK_INT(status_find(""), STATUS_COUNT);
    CHECK_INT(status_find("o"), STATUS_COUNT);
    CHECK_INT(status_find("okay"), STATUS_COUNT);
    CHECK(!status_has_numbers(STATUS_COUNT) && !status_is_bad(STATUS_COUNT));
}

static void a_wrong_result_keeps_what_was_known_before_it_ran(void)
{
    struct result r;
    result_init(&r);
    for (int c = 0; c < COLUMN_COUNT; c++) r.columns[c] = r.columns_sim[c] = 7;
    result_blank_metrics(&r);
    for (int c = 0; c < COLUMN_COUNT; c++) {
        CHECK(isnan(r.columns[c]) == !among(kept, column_table[c].name));
        CHECK(isnan(r.columns_sim[c]) == isnan(r.columns[c]));
    }
}

static void sets_of_columns_follow_the_groups(void)
{
    bool sim;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        const char *name = column_table[c].name;
        char twin[80];
        bool access = among(groups[COLUMNS_ACCESS], name);
        CHECK(column_has_sim(c) == access);
        CHECK(column_counted(c) == (access || among(groups[COLUMNS_HARDWARE], name)));
        snprintf(twin, sizeof twin, "sim_%s", name);
        CHECK_INT(column_shown(name, &sim), c);
        CHECK(!sim);
        CHECK_INT(column_shown(twin, &sim), access ? c : -1);
    }
    CHECK_INT(column_shown("status", &sim), -1);
    CHECK_INT(column_shown("sim_efficiency", &sim), -1);
}

int main(void)
{
    each_column_is_of_one_group();
    each_column_says_which_way_is_better();
    a_status_is_found_by_its_whole_word();
    a_wrong_result_keeps_what_was_known_before_it_ran();
    sets_of_columns_follow_the_groups();
    return test_end();
}
