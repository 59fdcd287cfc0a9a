// Contents of buffers: in range, the same whoever makes them, one cycle and not several, and a poison that is no
// answer.
// SPDX-License-Identifier: MIT
#include "device/host_fill.h"
#include "test.h"

#include <stdlib.h>

static struct job_buffer buffer(const char *scalar, size_t bytes, int lanes, uint64_t count, enum fill fill)
{
    return (struct job_buffer){.name = "in",
        .type = scalar,
        .scalar = scalar,
        .lanes = lanes,
        .count = count,
        .element_bytes = bytes * (size_t)lanes,
        .bytes = bytes * (size_t)lanes * count,
        .fill = fill};
}

static double half_value(uint16_t h)
{
    int e = h >> 10 & 31;
    return e ? ldexp(1024 + (h & 1023), e - 25) : ldexp(h & 1023, -24);
}

static double bf16_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float f;
    memcpy(&f, &wide, 4);
    return f;
}

static void test_random(void)
{
    enum { N = 200000 };
    double sum = 0;
    struct job_buffer b = buffer("float", 4, 4, N / 4, FILL_RANDOM);
    float *f = malloc(N * 4), *g = malloc(N * 4);
    host_fill_buffer(&b, f, 1);
    host_fill_buffer(&b, g, 3);
    CHECK(memcmp(f, g, N * 4) == 0);
    const uint64_t seed = host_fill_seed(&b);
    for (uint64_t i = 0; i < N; i++) {
        const uint32_t bits = (uint32_t)fill_random_bits(FILL_F32, seed, i);
        if (!(f[i] > 0 && f[i] <= 1) || memcmp(&bits, &f[i], 4) != 0)
            CHECK(0 && "in (0, 1], and as the formula for kernels has it");
        sum += f[i];
    }
    CHECK(fabs(sum / N - 0.5) < 0.005);
    b.seed = 7; // --seed
    host_fill_buffer(&b, g, 2);
    CHECK(memcmp(f, g, N * 4) != 0);
    b.seed = 0;
    b.name = "other";
    host_fill_buffer(&b, g, 2);
    CHECK(memcmp(f, g, N * 4) != 0);
    free(f);
    free(g);
    for (uint64_t i = 0; i < 10000; i++) {
        const uint64_t bits = fill_random_bits(FILL_F64, 7, i), whole = fill_random_bits(FILL_I32, 7, i);
        const double h = half_value((uint16_t)fill_random_bits(FILL_F16, 7, i));
        double d;
        memcpy(&d, &bits, 8);
        if (d != (double)((fill_hash(7, i) >> 12) + 1) * 0x1p-52) CHECK(0 && "a double is (k + 1) / 2^52");
        if (h != (double)((fill_hash(7, i) >> 54) + 1) / 1024) CHECK(0 && "a half is (k + 1) / 1024");
        const double short_one = bf16_value((uint16_t)fill_random_bits(FILL_BF16, 7, i));
        if (short_one != (double)((fill_hash(7, i) >> 57) + 1) / 128) CHECK(0 && "a bfloat16 is (k + 1) / 128");
        if (whole < 1 || whole > 100) CHECK(0 && "whole numbers from 1 to 100");
    }
    CHECK(fill_unit(1023, 10, 15, 10) == 0x3c00 && fill_unit(0, 10, 15, 10) == 0x1400); // 1 and 1/1024
}

// Half of what it was, and never the same.
static void test_spoiled(void)
{
    CHECK(fill_spoiled_bits(FILL_I32, 0) == 1 && fill_spoiled_bits(FILL_I32, 7) == 3);
    CHECK_INT((int32_t)fill_spoiled_bits(FILL_I32, (uint32_t)-8), -4);
    CHECK_INT((int8_t)fill_spoiled_bits(FILL_I8, 0xf8), -4);
    CHECK(fill_spoiled_bits(FILL_F32, 0x3f800000) == fill_poison_bits(FILL_F32));
    CHECK(isnan(bf16_value((uint16_t)fill_spoiled_bits(FILL_BF16, 0x3f80))));
}

// No number is left as it was, and none leaves the range of the two: one may be an index.
static void test_near(void)
{
    static const struct {
        int scalar;
        unsigned long long a, b, near_a, near_b;
    } of[] = {{FILL_I32, 3, 9, 5, 7}, {FILL_I32, 9, 3, 7, 5}, {FILL_I8, 4, 5, 5, 4}, {FILL_I16, 4, 40, 12, 32},
        {FILL_I64, 8, 8, 4, 8}, {FILL_I32, 0, 0, 1, 0}, {FILL_F32, 0x3f800000, 0, 0x3f840000, 0x3d000000},
        {FILL_F16, 0x3c00, 0, 0x3c80, 0x3000}, {FILL_F64, 0x3ffull << 52, 0, 0x3ff08ull << 44, 0x3faull << 52},
        {FILL_BF16, 0x3f80, 0, 0x3f90, 0x3e00}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        unsigned long long a = of[i].a, b = of[i].b;
        fill_near_bits(of[i].scalar, &a, &b);
        CHECK(a == of[i].near_a && b == of[i].near_b);
    }
}

static void test_index(void)
{
    struct job_buffer b = buffer("int", 4, 2, 100, FILL_INDEX);
    int32_t v[200];
    host_fill_buffer(&b, v, 1);
    for (int i = 0; i < 200; i++) CHECK_INT(v[i], i / 2);
    b = buffer("double", 8, 1, 100, FILL_INDEX);
    double d[100];
    host_fill_buffer(&b, d, 1);
    for (int i = 0; i < 100; i++) CHECK(d[i] == i);
    b = buffer("__nv_bfloat16", 2, 1, 300, FILL_INDEX);
    uint16_t s[300];
    host_fill_buffer(&b, s, 1);
    for (int i = 0; i < 300; i++) CHECK(bf16_value(s[i]) == i % 256);
}

static void test_cycle(uint64_t count, uint64_t step)
{
    struct job_buffer b = buffer("unsigned", 4, 1, count, FILL_CYCLE);
    uint32_t *v = malloc(count * 4);
    uint64_t length = 0, at = 0, apart = 0;
    b.step = step;
    host_fill_buffer(&b, v, 2);
    do {
        apart += v[at] != (at + step) % count;
        at = v[at];
        length++;
        CHECK(at < count && at % step == 0);
    } while (at && length <= count);
    CHECK_INT(length, (count + step - 1) / step);
    CHECK(count < 1000 || apart > length / 2);
    free(v);
}

static void test_content(void)
{
    struct job_buffer a = buffer("float", 4, 1, 100, FILL_RANDOM), b = a;
    CHECK(host_fill_content(&a) && host_fill_content(&a) == host_fill_content(&b));
    b.count = 101;
    CHECK(host_fill_content(&a) != host_fill_content(&b));
    b = a;
    b.name = "other";
    CHECK(host_fill_content(&a) != host_fill_content(&b));
    b.fill = FILL_CODE;
    CHECK(host_fill_content(&b) == 0);
}

// What may begin anywhere does so by the seed, and holds the same numbers.
static void a_content_that_shifts_begins_elsewhere(void)
{
    enum { COUNT = 100 };
    uint32_t as[COUNT], other[COUNT], seen[COUNT] = {0};
    struct job_buffer b = {.name = "b",
        .type = "unsigned",
        .scalar = "unsigned",
        .lanes = 1,
        .count = COUNT,
        .element_bytes = 4,
        .bytes = sizeof as,
        .fill = FILL_INDEX,
        .shifts = true};
    CHECK(host_fill_varies(&b));
    host_fill_buffer(&b, as, 1);
    b.seed = 77;
    host_fill_buffer(&b, other, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK(as[i] == i && other[i] == (i + other[0]) % COUNT);
        seen[other[i] % COUNT]++;
    }
    for (uint32_t i = 0; i < COUNT; i++) CHECK_INT(seen[i], 1);
    CHECK(other[0] != 0 && other[0] == host_fill_shift(&b, 0) && host_fill_shift(&b, 77) == 0);
    b.shifts = false;
    CHECK(!host_fill_varies(&b) && host_fill_shift(&b, 77) == 0);
}

int main(void)
{
    test_random();
    test_spoiled();
    test_near();
    test_index();
    test_cycle(1, 1);
    test_cycle(2, 1);
    test_cycle(5000, 1);
    test_cycle(5000, 32);
    test_cycle(5001, 32);
    test_content();
    float poison[3];
    struct job_buffer b = buffer("float", 4, 1, 3, FILL_NONE);
    host_fill_poison(&b, poison, 1);
    CHECK(isnan(poison[0]) && isnan(poison[2]));
    a_content_that_shifts_begins_elsewhere();
    return test_end();
}
