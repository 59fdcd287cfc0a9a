// device/reported: a reported value is read as the type that the kernel file names, whatever comes after its bytes.
// device/found: what a check found is printed with all the digits that it has. Both backends read their reports and
// their checks with these.
// SPDX-License-Identifier: MIT
#include "device/found.h"

#include <stdint.h>
#include <string.h>

#include "compile/compile.h"
#include "spec/kernel.h"
#include "unit/test.h"

static const struct {
    const char *type;
    uint64_t bits; // little-endian, as every device has them
    double number;
} rows[] = {
    {"bool", 1, 1},
    {"bool", 0, 0},
    {"bool", 2, 1}, // whatever was written: it is true
    {"char", 0xf6, -10},
    {"signed char", 0x80, -128},
    {"int8_t", 0x7f, 127},
    {"unsigned char", 0xf6, 246},
    {"uint8_t", 0xff, 255},
    {"short", 0xfff6, -10},
    {"short int", 0x7fff, 32767},
    {"int16_t", 0x8000, -32768},
    {"unsigned short", 0xfff6, 65526},
    {"uint16_t", 0xffff, 65535},
    {"int", 0xfffffff6, -10},
    {"signed", 0x7fffffff, 0x7fffffff},
    {"signed int", 0xfffffff6, -10},
    {"int32_t", 0x80000000, -0x1p31},
    {"unsigned", 0xfffffff6, 4294967286.0},
    {"unsigned int", 0x80000000, 0x1p31},
    {"uint32_t", 0xffffffff, 4294967295.0},
    {"long", UINT64_MAX - 9, -10},
    {"long int", UINT64_MAX - 9, -10},
    {"long long", UINT64_MAX - 9, -10},
    {"int64_t", (uint64_t)1 << 63, -0x1p63},
    {"ptrdiff_t", UINT64_MAX, -1},
    {"intptr_t", UINT64_MAX, -1},
    {"unsigned long", (uint64_t)1 << 63, 0x1p63},
    {"unsigned long long", (uint64_t)1 << 63, 0x1p63},
    {"uint64_t", (uint64_t)1 << 53, 0x1p53},
    {"size_t", (uint64_t)3 << 62, 0x3p62},
    {"uintptr_t", (uint64_t)1 << 63, 0x1p63},
    {"float", 0xbfc00000, -1.5},
    {"double", 0xbff4000000000000, -1.25},
    {"half", 0x3e00, 1.5},
    {"half", 0x8001, -0x1p-24},
    {"__half", 0xfbff, -65504},
    {"__nv_bfloat16", 0x3fc0, 1.5},
    {"nv_bfloat16", 0xc2c8, -100},
};

// The bits after a narrow value in its 8 bytes do not belong to it: they change nothing.
static void each_type_is_read_as_itself(uint64_t behind)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = kernel_type_size(rows[i].type);
        uint64_t bits = rows[i].bits | (size < 8 ? behind << 8 * size : 0);
        double number = reported_number(rows[i].type, &bits);
        CHECK(number == rows[i].number);
        if (number != rows[i].number) printf("%s is %g, not %g\n", rows[i].type, number, rows[i].number);
    }
}

static void what_is_no_number_stays_unknown(void)
{
    const uint64_t bits = 0x3f800000, infinite = 0x7c00, none = 0x7e00;
    CHECK(isnan(reported_number("float2", &bits)));
    CHECK(isnan(reported_number("struct point", &bits)));
    CHECK(isinf(reported_number("half", &infinite)));
    CHECK(isnan(reported_number("half", &none)));
}

static bool fetch(void *context, size_t i, bool before, uint64_t element, void *bytes)
{
    (void)i, (void)before, (void)element;
    return memcpy(bytes, context, 8), true;
}

static void a_wrong_element_is_printed_with_all_its_digits(void)
{
    static const struct {
        const char *type, *text;
        uint64_t bits;
    } printed[] = {
        {"int", "out = -1515870810", 0xa5a5a5a6},
        {"unsigned", "out = 2779096486", 0xa5a5a5a6},
        {"int", "out was never written", 0xa5a5a5a5}, // what a buffer holds before the launch
        {"short", "out = -23131", 0xa5a5},            // two bytes may be so by chance
        {"long long", "out = -9223372036854775807", 0x8000000000000001},
        {"unsigned long long", "out = 9223372036854775809", 0x8000000000000001},
        {"float", "out = 16777216", 0x4b800000},
        {"float", "out = 0.1", 0x3dcccccd},
        {"double", "out = 0.30000000000000004", 0x3fd3333333333334},
        {"float", "out = nan", 0x7fc00000},
        {"short4", "out = (-1, 2, 32767, -32768)", 0x80007fff0002ffff},
    };
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        struct job_buffer b = {.name = "out", .type = printed[i].type, .count = 4, .access = ACCESS_WRITE};
        const struct job job = {.buffers = &b, .buffer_count = 1};
        const uint64_t result[CHECK_WORDS] = {[CHECK_WRONG] = 1, [CHECK_FIRST] = 3};
        struct found_values found;
        b.scalar = kernel_type_scalar(b.type, &b.lanes);
        b.element_bytes = kernel_type_size(b.type);
        uint64_t bits = printed[i].bits;
        found_fill(&found, &job, result, fetch, &bits);
        CHECK_TEXT(found.text, printed[i].text);
    }
}

// What is read is shown beside what is written, where it is as long: the others have no element that goes with it.
static void buffers_of_the_same_length_are_shown_beside_the_wrong_one(void)
{
    struct job_buffer b[] = {{.name = "in", .count = 4, .access = ACCESS_READ},
        {.name = "few", .count = 2, .access = ACCESS_READ}, {.name = "out", .count = 4, .access = ACCESS_WRITE}};
    const struct job job = {.buffers = b, .buffer_count = 3};
    struct job alone = job;
    const uint64_t result[CHECK_WORDS] = {[CHECK_WRONG] = 1, [CHECK_FIRST] = 1};
    uint64_t bits = 5;
    struct found_values found;
    for (size_t i = 0; i < 3; i++) b[i].type = b[i].scalar = "int", b[i].lanes = 1, b[i].element_bytes = 4;
    found_fill(&found, &job, result, fetch, &bits);
    CHECK_TEXT(found.text, "out = 5, in = 5");
    b[0].access = ACCESS_WRITE; // the first that is written says how long the wrong one is
    alone.buffer_count = 2;
    found_fill(&found, &alone, result, fetch, &bits);
    CHECK_TEXT(found.text, "in = 5");
}

int main(void)
{
    buffers_of_the_same_length_are_shown_beside_the_wrong_one();
    a_wrong_element_is_printed_with_all_its_digits();
    each_type_is_read_as_itself(0);
    each_type_is_read_as_itself(UINT64_MAX);
    what_is_no_number_stays_unknown();
    return test_end();
}
