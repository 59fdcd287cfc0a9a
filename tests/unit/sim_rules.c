// The counting rules one by one: what was measured on hardware, and the edges.
// SPDX-License-Identifier: MIT
#include "sim/rules.h"
#include "unit/test.h"

#define ALL 0xffffffffu
static uint64_t at[32];

static const uint64_t *steps(uint64_t from, uint64_t step)
{
    for (uint64_t l = 0; l < 32; l++) at[l] = from + l * step;
    return at;
}

static void global_accesses_cost_the_sectors_they_touch(void)
{
    CHECK_INT(rules_sectors(steps(0x1000, 4), ALL, 4), 4);
    CHECK_INT(rules_sectors(steps(0x1004, 4), ALL, 4), 5);
    CHECK_INT(rules_sectors(steps(0x1000, 128), ALL, 4), 32);
    CHECK_INT(rules_sectors(steps(0x1000, 0), ALL, 4), 1);
    CHECK_INT(rules_sectors(steps(0x1000, 16), ALL, 16), 16);
    CHECK_INT(rules_sectors(steps(0x1000, 4), 1, 4), 1);
    CHECK_INT(rules_sectors(steps(0x1000, 4), 0x80000001u, 4), 2);
    CHECK_INT(rules_sectors(steps(0x1000, (uint64_t)-4), ALL, 4), 5);
    for (int l = 0; l < 32; l++) at[l] = 0x1000 + (uint64_t)(l * 7 % 32) * 64; // in no order
    CHECK_INT(rules_sectors(at, ALL, 8), 32);
}

static void check_waves(struct rules_waves got, unsigned wavefronts, unsigned conflicts)
{
    CHECK_INT(got.wavefronts, wavefronts);
    CHECK_INT(got.conflicts, conflicts);
}

static void a_shared_wavefront_serves_each_bank_once(void)
{
    check_waves(rules_shared(steps(0, 4), ALL, 4), 1, 0);
    check_waves(rules_shared(steps(0, 8), ALL, 4), 2, 1);
    check_waves(rules_shared(steps(0, 128), ALL, 4), 32, 31);
    check_waves(rules_shared(steps(0, 132), ALL, 4), 1, 0);
    check_waves(rules_shared(steps(0, 0), ALL, 4), 1, 0);
    check_waves(rules_shared(steps(0, 1), ALL, 1), 1, 0);
    check_waves(rules_shared(steps(0, 8), ALL, 1), 2, 1);
    check_waves(rules_shared(steps(0, 128), 3, 4), 2, 1);
}

static void wide_shared_accesses_take_more_passes_unless_neighbours_agree(void)
{
    check_waves(rules_shared(steps(0, 8), ALL, 8), 2, 0);
    check_waves(rules_shared(steps(0, 16), ALL, 8), 4, 2);
    check_waves(rules_shared(steps(0, 0), ALL, 8), 1, 0);
    for (uint64_t l = 0; l < 32; l++) at[l] = l / 2 * 8;
    check_waves(rules_shared(at, ALL, 8), 1, 0);
    for (uint64_t l = 0; l < 32; l++) at[l] = (l % 2 + l / 4 * 2) * 8;
    check_waves(rules_shared(at, ALL, 8), 1, 0);
    check_waves(rules_shared(steps(0, 8), 0x0000ffffu, 8), 1, 0); // the other half is not there
    check_waves(rules_shared(steps(0, 16), ALL, 16), 4, 0);
    check_waves(rules_shared(steps(0, 32), ALL, 16), 8, 4);
    check_waves(rules_shared(steps(0, 0), ALL, 16), 2, 0);
    for (uint64_t l = 0; l < 32; l++) at[l] = l / 16 * 64; // a row of a matrix for each half-warp
    check_waves(rules_shared(at, ALL, 16), 2, 0);
}

static void shared_atomics_serialise_lanes_of_a_bank(void)
{
    check_waves(rules_shared_atomic(steps(0, 4), ALL, 4, false), 1, 0);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, false), 32, 31);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, true), 1, 0);
    check_waves(rules_shared_atomic(steps(0, 128), ALL, 4, true), 32, 31);
}

static void global_atomics_go_in_rounds_of_different_addresses(void)
{
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 4), ALL, 4, false), 4);
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 0), ALL, 4, false), 32);
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 0), ALL, 4, true), 1);
    for (uint64_t l = 0; l < 32; l++) at[l] = 0x1000 + l % 4 * 4;
    CHECK_INT(rules_atomic_sectors(at, ALL, 4, true), 8);
    for (uint64_t l = 0; l < 32; l++) at[l] = 0x1000 + l / 2 * 32; // 16 sectors, twice
    CHECK_INT(rules_atomic_sectors(at, ALL, 4, false), 32);
}

static void check_local(struct rules_local got, unsigned requests, unsigned sectors)
{
    CHECK_INT(got.requests, requests);
    CHECK_INT(got.sectors, sectors);
}

static void local_memory_is_interleaved_by_words(void)
{
    check_local(rules_local(steps(16, 0), ALL, 4), 1, 4);
    check_local(rules_local(steps(16, 0), 0xff, 4), 1, 1);
    check_local(rules_local(steps(0, 4), ALL, 4), 1, 32);
    check_local(rules_local(steps(0, 0), ALL, 8), 2, 8);
    check_local(rules_local(steps(0, 0), ALL, 16), 4, 16);
    check_local(rules_local(steps(3, 0), ALL, 1), 1, 4);
}

static void neighbouring_words_are_joined_where_aligned(void)
{
    struct rules_word w[6];
    for (int k = 0; k < 6; k++) {
        w[k] = (struct rules_word){.offset = 4 * k};
        w[k].aligned = k % 4 == 0 ? 16 : k % 2 ? 4 : 8;
    }
    rules_join(w, 6);
    for (int k = 0; k < 6; k++) {
        CHECK_INT(w[k].width, k < 4 ? 16 : 8);
        CHECK_INT(w[k].from, k < 4 ? 0 : 16);
        CHECK_INT(w[k].first, k == 0 || k == 4);
    }
    struct rules_word odd[3] = {{.offset = 4, .aligned = 4}, {.offset = 8, .aligned = 8}, {.offset = 12, .aligned = 4}};
    rules_join(odd, 3);
    CHECK_INT(odd[0].width, 4);
    CHECK_INT(odd[1].width, 8);
    struct rules_word backwards[2] = {{.offset = 4, .aligned = 4}, {.offset = 0, .aligned = 0}};
    rules_join(backwards, 2);
    CHECK_INT(backwards[0].width, 8);
    CHECK(backwards[0].first && !backwards[1].first);
    struct rules_word loose[2] = {{.offset = 0, .aligned = 4}, {.offset = 4, .aligned = 4}};
    rules_join(loose, 2);
    CHECK_INT(loose[0].width, 4);
}

int main(void)
{
    global_accesses_cost_the_sectors_they_touch();
    a_shared_wavefront_serves_each_bank_once();
    wide_shared_accesses_take_more_passes_unless_neighbours_agree();
    shared_atomics_serialise_lanes_of_a_bank();
    global_atomics_go_in_rounds_of_different_addresses();
    local_memory_is_interleaved_by_words();
    neighbouring_words_are_joined_where_aligned();
    return test_end();
}
