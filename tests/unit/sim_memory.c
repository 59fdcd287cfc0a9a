// sim/core/memory.h: what a sweep over sizes takes is what its largest point takes, however many sizes it has.
// SPDX-License-Identifier: MIT
#include "sim/core/memory.h"

#include "base/machine.h"
#include "unit/test.h"

static int mappings(void)
{
    int n = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    for (int c; f && (c = getc(f)) != EOF;) n += c == '\n';
    if (f) fclose(f);
    return n;
}

static void a_sweep_takes_what_its_largest_point_takes(void)
{
    struct memory m = {0};
    const size_t largest = 3 * (40 << 10);
    int at_first = 0;
    for (size_t i = 0; i < 2000; i++) {
        const size_t bytes = (i * 7919 % 40 + 1) << 10;
        const uint64_t a = memory_alloc(&m, bytes, "a"), b = memory_alloc(&m, bytes + i % 512, "b"),
                       c = memory_alloc(&m, bytes, "c");
        CHECK(a && b && c);
        CHECK(m.live_bytes + m.kept_bytes <= m.peak_bytes && m.peak_bytes <= largest + 512);
        memory_release(&m, a);
        memory_release(&m, b);
        memory_release(&m, c);
        CHECK(m.live_bytes + m.kept_bytes <= m.peak_bytes);
        if (i == 200) at_first = mappings();
    }
    CHECK(m.live_count == 0 && m.live_bytes == 0);
    CHECK(mappings() <= at_first + 200); // 65,530 a process
    memory_free(&m);
}

static void equal_sizes_are_given_out_again(void)
{
    struct memory m = {0};
    const uint64_t a = memory_alloc(&m, 1 << 20, "a");
    memory_release(&m, a);
    CHECK(memory_alloc(&m, 1 << 20, "b") == a);
    memory_free(&m);
}

static void no_more_than_the_machine_has(void)
{
    struct memory m = {0};
    const uint64_t most = machine_data_memory();
    CHECK(most > 0 && most < machine_memory());
    CHECK(memory_alloc(&m, (size_t)most + 1, "a") == 0);
    CHECK(memory_alloc(&m, SIZE_MAX, "a") == 0);
    const uint64_t a = memory_alloc(&m, (size_t)1 << 20, "a"); // touched by nobody: only asked for
    CHECK(a && memory_alloc(&m, (size_t)most - (1 << 20) + 1, "b") == 0);
    memory_free(&m);
}

int main(void)
{
    a_sweep_takes_what_its_largest_point_takes();
    equal_sizes_are_given_out_again();
    no_more_than_the_machine_has();
    return test_end();
}
