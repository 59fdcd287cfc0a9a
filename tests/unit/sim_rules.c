// The counting rules one by one: what was measured on hardware, and the edges.
// SPDX-License-Identifier: MIT
#include "sim/rules/rules.h"
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

// A loop for an atomic: each turn lets one lane of each bank through, of each half-warp where it is 64 bits wide.
static void a_turn_of_a_loop_lets_one_lane_of_each_bank_through(void)
{
    CHECK_INT(rules_spin_through(steps(0, 0), ALL, 4), 1);
    CHECK_INT(rules_spin_through(steps(0, 0), ALL << 3, 4), 8);
    CHECK_INT(rules_spin_through(steps(0, 4), ALL, 4), ALL);
    CHECK_INT(rules_spin_through(steps(0, 128), ALL, 4), 1); // one bank
    CHECK_INT(rules_spin_through(steps(0, 128), ALL, 8), 0x10001);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_SPIN), 2, 0);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 8, RULES_SPIN), 4, 0); // the half-warps that have lanes left
    check_waves(rules_shared_atomic(steps(0, 0), 0xffff, 8, RULES_SPIN), 2, 0);
    check_waves(rules_shared(steps(0, 0), 0x10001, 8), 2, 0);
    check_waves(rules_shared_again(steps(0, 0), 0x10001, 8), 1, 0); // those that are through still have their address
}

static void rows_of_a_matrix_go_in_one_pass(void)
{
    check_waves(rules_matrices(steps(0, 16), ALL), 4, 0);
    check_waves(rules_matrices(steps(0, 128), ALL), 32, 28);
    check_waves(rules_matrices(steps(0, 128), 0xff), 8, 7);
    check_waves(rules_matrices(steps(0, 144), 0xffff), 2, 0);
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
    check_waves(rules_shared_atomic(steps(0, 4), ALL, 4, RULES_EACH), 1, 0);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_EACH), 32, 31);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_INCREMENT), 1, 0);
    check_waves(rules_shared_atomic(steps(0, 128), ALL, 4, RULES_INCREMENT), 32, 31);
}

static void global_atomics_go_in_rounds_of_different_addresses(void)
{
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 4), ALL, 4, RULES_EACH), 4);
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 0), ALL, 4, RULES_EACH), 32);
    CHECK_INT(rules_atomic_sectors(steps(0x1000, 0), ALL, 4, RULES_AGGREGATE), 1);
    for (uint64_t l = 0; l < 32; l++) at[l] = 0x1000 + l % 4 * 4;
    CHECK_INT(rules_atomic_sectors(at, ALL, 4, RULES_EACH), 8);
    for (uint64_t l = 0; l < 32; l++) at[l] = 0x1000 + l / 2 * 32; // 16 sectors, twice
    CHECK_INT(rules_atomic_sectors(at, ALL, 4, RULES_EACH), 32);
}

// Three lanes: the first two words of a sector, and between them in order one of the line `line` and the given word.
static uint32_t of_three(uint64_t line, uint64_t word)
{
    at[0] = 0x200000, at[1] = 0x200000 + line * 128 + word * 4, at[2] = 0x200004;
    return rules_atomic_sectors(at, 7, 4, RULES_EACH);
}

// Each of these was read on an H200 among 1687 such patterns.
static void a_lane_of_an_atomic_waits_behind_an_earlier_one_of_its_bank(void)
{
    CHECK_INT(of_three(5, 1), 3); // lines of one part, one bank: the third lane waits, and its sector is done twice
    CHECK_INT(of_three(5, 0), 2); // another bank
    CHECK_INT(of_three(1, 1), 2); // lines of other parts: no bank of theirs is in the way
    CHECK_INT(of_three(4, 1), 2);
    static const uint64_t same_part[] = {5, 10, 15, 16 ^ 3, 32 ^ 2, 64 ^ 1, 128 ^ 3, 256 ^ 1, 512 ^ 2};
    for (size_t k = 0; k < sizeof same_part / sizeof *same_part; k++) {
        CHECK_INT(of_three(same_part[k], 1), 3);
        CHECK_INT(of_three(same_part[k] ^ 1, 1), 2);
        CHECK_INT(of_three(same_part[k] ^ 2, 1), 2);
    }
    of_three(5, 1);
    CHECK(!rules_atomic_unsure(at, 7, RULES_EACH));
    of_three(64, 1);
    CHECK(rules_atomic_unsure(at, 7, RULES_EACH));
    CHECK(!rules_atomic_unsure(at, 7, RULES_AGGREGATE));
    CHECK(!rules_atomic_unsure(at, 3, RULES_EACH));                     // no two in one sector
    at[0] = 0x200000 + 5 * 128 + 4, at[1] = 0x200000, at[2] = 0x200004; // its line waits as a whole
    CHECK_INT(rules_atomic_sectors(at, 7, 4, RULES_EACH), 2);
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

static void compare_and_swap_takes_two_passes(void)
{
    check_waves(rules_shared_atomic(steps(0, 4), ALL, 4, RULES_SWAP), 2, 0);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_SWAP), 64, 62);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_SWAP_ANYWHERE), 64, 31);
    check_waves(rules_shared_atomic(steps(0, 8), ALL, 8, RULES_EACH), 2, 0); // 64 bits: two passes at least
    for (uint64_t l = 0; l < 32; l++) at[l] = l % 4 * 8;
    check_waves(rules_shared_atomic(at, ALL, 8, RULES_SWAP), 16, 6);
    check_waves(rules_shared_atomic(at, ALL, 8, RULES_EACH), 8, 6);
    check_waves(rules_shared_atomic(steps(0, 0), ALL, 4, RULES_AGGREGATE), 1, 0);
}

static struct rules_word word[8];
static void join(const char *offsets, uint32_t bytes, uint64_t base, bool loads, const char *widths)
{
    const size_t n = strlen(offsets);
    for (size_t k = 0; k < n; k++)
        word[k] = (struct rules_word){.offset = (offsets[k] - '0') * (int64_t)bytes, .base = base, .bytes = bytes};
    rules_join(word, n, loads);
    for (size_t k = 0; k < n; k++) CHECK_INT(word[k].width, widths[k] == 'g' ? 16 : widths[k] - '0');
}

static void neighbouring_words_are_joined_where_aligned(void)
{
    join("012345", 4, 0, true, "gggg88");
    CHECK(word[0].first && word[4].first && !word[3].first && !word[5].first);
    CHECK_INT(word[3].from, 0);
    CHECK_INT(word[5].from, 16);
    join("123", 4, 16, true, "ggg"); // three of four words are loaded as four,
    CHECK_INT(word[0].from, 0);
    join("123", 4, 16, false, "488"); // but not stored
    join("12", 4, 16, true, "44");
    join("1234", 4, 16, true, "ggg4");
    join("012345", 4, 8, true, "888888"); // the base is a multiple of 8 only
    join("0123", 4, 4, true, "4444");
    join("3210", 4, 0, true, "gggg");
    CHECK(word[0].first && !word[3].first);
    join("0246", 4, 0, true, "4444");
    join("01", 8, 16, true, "gg");
    join("12", 8, 16, true, "88");
    join("01", 8, 8, true, "88");
}

int main(void)
{
    a_turn_of_a_loop_lets_one_lane_of_each_bank_through();
    rows_of_a_matrix_go_in_one_pass();
    global_accesses_cost_the_sectors_they_touch();
    a_shared_wavefront_serves_each_bank_once();
    wide_shared_accesses_take_more_passes_unless_neighbours_agree();
    shared_atomics_serialise_lanes_of_a_bank();
    global_atomics_go_in_rounds_of_different_addresses();
    a_lane_of_an_atomic_waits_behind_an_earlier_one_of_its_bank();
    compare_and_swap_takes_two_passes();
    local_memory_is_interleaved_by_words();
    neighbouring_words_are_joined_where_aligned();
    return test_end();
}
