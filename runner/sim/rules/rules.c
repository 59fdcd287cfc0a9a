// The counting rules.
// SPDX-License-Identifier: MIT
#include "sim/rules/rules.h"

#define LANES 32

static int lowest(uint32_t mask) { return __builtin_ctz(mask); }

// Adds `x` to the set of `count` numbers unless it is there.
static uint32_t include(uint64_t *set, uint32_t count, uint64_t x)
{
    for (uint32_t i = count; i-- > 0;)
        if (set[i] == x) return count;
    set[count] = x;
    return count + 1;
}

// Neighbouring lanes mostly have rising addresses, where a comparison with the last sector is enough.
static bool rising_sectors(const uint64_t at[LANES], uint32_t mask, uint32_t bytes, uint32_t *count)
{
    uint64_t last = 0;
    uint32_t n = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t first = at[lowest(m)] >> 5, end = (at[lowest(m)] + bytes - 1) >> 5;
        if (n && first < last) return false;
        if (n && first == last) first++;
        if (end < first) continue;
        n += (uint32_t)(end - first + 1);
        last = end;
    }
    *count = n;
    return true;
}

uint32_t rules_sectors(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    uint32_t count;
    if (rising_sectors(at, mask, bytes, &count)) return count;
    uint64_t set[LANES * 2];
    count = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t first = at[lowest(m)] >> 5, end = (at[lowest(m)] + bytes - 1) >> 5;
        for (uint64_t s = first; s <= end; s++) count = include(set, count, s);
    }
    return count;
}

// The busiest bank: how many different words of it the lanes of `mask` access.
static uint32_t busiest(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    uint64_t words[LANES * 4];
    uint32_t count = 0, most = 0, load[LANES] = {0};
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t first = at[lowest(m)] >> 2, end = (at[lowest(m)] + bytes - 1) >> 2;
        for (uint64_t word = first; word <= end; word++) {
            uint32_t had = count;
            count = include(words, count, word);
            if (count > had && ++load[word % LANES] > most) most = load[word % LANES];
        }
    }
    return most;
}

// Lanes that are off are looked at too: `known` have the addresses that they would want.
static bool paired(const uint64_t at[LANES], uint32_t mask, uint32_t known, int distance)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        int lane = lowest(m), other = lane ^ distance;
        if (!(known >> other & 1) || at[lane] != at[other]) return false;
    }
    return true;
}

// The lanes of `part` in one pass when they pair up, else in two halves.
static struct rules_waves halves(const uint64_t at[LANES], uint32_t mask, uint32_t known, uint32_t part, uint32_t lower,
    uint32_t bytes)
{
    uint32_t all = mask & part, low = all & lower, high = all & ~lower;
    if (!all) return (struct rules_waves){0, 0};
    uint32_t passes = 1, waves;
    if (!low || !high || paired(at, all, known, 1) || paired(at, all, known, 2)) waves = busiest(at, all, bytes);
    else {
        passes = 2;
        waves = busiest(at, low, bytes) + busiest(at, high, bytes);
    }
    return (struct rules_waves){waves, waves - passes};
}

static struct rules_waves shared(const uint64_t at[LANES], uint32_t mask, uint32_t known, uint32_t bytes)
{
    if (bytes <= 4) {
        uint32_t waves = busiest(at, mask, bytes);
        return (struct rules_waves){waves, waves - 1};
    }
    if (bytes == 8) return halves(at, mask, known, 0xffffffffu, 0x0000ffffu, bytes);
    struct rules_waves a = halves(at, mask, known, 0x0000ffffu, 0x000000ffu, bytes),
                       b = halves(at, mask, known, 0xffff0000u, 0x00ff0000u, bytes);
    return (struct rules_waves){a.wavefronts + b.wavefronts, a.conflicts + b.conflicts};
}

struct rules_waves rules_shared(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    return shared(at, mask, mask, bytes);
}

struct rules_waves rules_matrices(const uint64_t at[LANES], uint32_t mask)
{
    struct rules_waves sum = {0, 0};
    for (uint32_t lanes = 0xff; lanes; lanes <<= 8) {
        if (!(mask & lanes)) continue;
        const uint32_t waves = busiest(at, mask & lanes, 16);
        sum.wavefronts += waves;
        sum.conflicts += waves - 1;
    }
    return sum;
}

// The swap of a loop goes in one pass, of 64 bits in one for each half-warp: of the lanes on one bank the first gets
// through, the others come again.
static struct rules_waves spin(uint32_t left, uint32_t bytes)
{
    const uint32_t passes = bytes < 8 ? 1 : (uint32_t)((left & 0xffff) != 0) + (left >> 16 != 0);
    return (struct rules_waves){2 * passes, 0};
}

uint32_t rules_spin_through(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    const uint32_t banks = bytes < 8 ? LANES : LANES / 2, width = bytes < 8 ? 4 : 8;
    uint32_t through = 0, taken[2] = {0};
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t bank = 1u << at[lowest(m)] / width % banks, pass = bytes >= 8 && lowest(m) >= LANES / 2;
        if (!(taken[pass] & bank)) through |= m & (0 - m);
        taken[pass] |= bank;
    }
    return through;
}

struct rules_waves rules_shared_again(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    return shared(at, mask, ~0u, bytes);
}

struct rules_waves rules_shared_atomic(const uint64_t at[LANES], uint32_t mask, uint32_t bytes, enum rules_form form)
{
    uint32_t waves = 0, load[LANES] = {0};
    if (form == RULES_AGGREGATE) return (struct rules_waves){1, 0};
    if (form == RULES_SPIN) return spin(mask, bytes);
    if (form == RULES_INCREMENT) waves = busiest(at, mask, bytes);
    else
        for (uint32_t m = mask; m; m &= m - 1)
            for (uint32_t b = 0; b < bytes; b += 4) {
                uint32_t bank = (uint32_t)((at[lowest(m)] + b) >> 2) % LANES;
                if (++load[bank] > waves) waves = load[bank];
            }
    const uint32_t fewest = form == RULES_INCREMENT ? 1 : bytes / 4, conflicts = waves > fewest ? waves - fewest : 0;
    if (form != RULES_SWAP && form != RULES_SWAP_ANYWHERE) return (struct rules_waves){waves, conflicts};
    return (struct rules_waves){2 * waves, bytes == 8 || form == RULES_SWAP_ANYWHERE ? conflicts : 2 * conflicts};
}

// To which of four parts a line of 128 bytes belongs: two sums of bits of its number.
static uint32_t part_of(uint64_t line)
{
    const uint64_t low = 0x1d5, high = 0x2ba;
    return (uint32_t)(__builtin_parityll(line & low) | __builtin_parityll(line & high) << 1);
}

// The lanes of `left` that go in the next round: each part takes the line of its first lane, and of each bank its first
// lane, which keeps the bank from the lanes after it even where it waits for its line.
static uint32_t round_of(const uint64_t at[LANES], uint32_t left, uint32_t bytes)
{
    uint64_t line_of[4] = {0};
    uint32_t had[4] = {0}, now = 0; // a bit for each bank
    for (uint32_t m = left; m; m &= m - 1) {
        const uint64_t first = at[lowest(m)], line = first >> 7;
        const uint32_t part = part_of(line), words = bytes > 4 ? (1u << bytes / 4) - 1 : 1,
                       banks = words << (first >> 2) % 32;
        if (!had[part]) line_of[part] = line;
        if (line_of[part] == line && !(had[part] & banks)) now |= m & (0 - m);
        had[part] |= banks;
    }
    return now;
}

uint32_t rules_atomic_sectors(const uint64_t at[LANES], uint32_t mask, uint32_t bytes, enum rules_form form)
{
    uint32_t sectors = 0;
    if (form == RULES_AGGREGATE) return rules_sectors(at, mask & (0 - mask), bytes);
    for (uint32_t left = mask, now; left; left &= ~now) {
        now = round_of(at, left, bytes);
        sectors += rules_sectors(at, now, bytes);
    }
    return sectors;
}

bool rules_atomic_unsure(const uint64_t at[LANES], uint32_t mask, enum rules_form form)
{
    const uint64_t first = at[lowest(mask)];
    uint64_t words[LANES], sectors[LANES], differ = 0;
    uint32_t word_count = 0, sector_count = 0;
    for (uint32_t m = mask; m; m &= m - 1) differ |= at[lowest(m)] ^ first;
    if (form == RULES_AGGREGATE || !(differ >> 13)) return false;
    for (uint32_t m = mask; m; m &= m - 1) {
        word_count = include(words, word_count, at[lowest(m)]);
        sector_count = include(sectors, sector_count, at[lowest(m)] >> 5);
    }
    return word_count > sector_count;
}

struct rules_local rules_local(const uint64_t at[LANES], uint32_t mask, uint32_t bytes)
{
    struct rules_local r = {0, 0};
    for (uint32_t piece = 0; piece < bytes; piece += 4) {
        uint64_t set[LANES];
        uint32_t count = 0;
        for (uint32_t m = mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)lowest(m);
            count = include(set, count, (at[lane] + piece) / 4 * 4 + lane / 8); // eight lanes' words make a sector
        }
        r.requests++;
        r.sectors += count;
    }
    return r;
}

// Finds the words of the access of `width` bytes at `from`; a missing one is -1. Returns how many there are.
static uint32_t members_of(const struct rules_word *words, size_t count, int64_t from, uint32_t width, uint32_t bytes,
    long members[4])
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < width / bytes; k++) {
        members[k] = -1;
        for (size_t i = 0; i < count && members[k] < 0; i++)
            if (words[i].bytes == bytes && words[i].width == bytes && words[i].offset == from + (int64_t)(k * bytes))
                members[k] = (long)i;
        found += members[k] >= 0;
    }
    return found;
}

void rules_join(struct rules_word *words, size_t count, bool loads)
{
    for (size_t i = 0; i < count; i++)
        words[i].width = words[i].bytes, words[i].from = words[i].offset, words[i].first = true;
    for (uint32_t width = 16; width >= 4; width /= 2)
        for (size_t i = 0; i < count; i++) {
            const uint32_t bytes = words[i].bytes, all = width / bytes;
            if (words[i].width != bytes || all < 2 || all > 4) continue;
            for (uint32_t at = 0; at < all; at++) { // this word as the first, second, … of the wide access
                const int64_t from = words[i].offset - (int64_t)(at * bytes);
                long members[4], first = -1;
                if ((words[i].base && words[i].base < width) || from % (int64_t)width) continue;
                const uint32_t found = members_of(words, count, from, width, bytes, members);
                if (found < (loads && all == 4 ? 3 : all)) continue;
                for (uint32_t k = 0; k < all; k++)
                    if (members[k] >= 0 && (first < 0 || members[k] < first)) first = members[k];
                for (uint32_t k = 0; k < all; k++)
                    if (members[k] >= 0) {
                        struct rules_word *word = &words[members[k]];
                        word->width = width, word->from = from, word->first = members[k] == first;
                    }
                break;
            }
        }
}
