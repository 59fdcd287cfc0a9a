// ptx/: tokens, and the layout of parameter blocks. device/pack: what is put into them.
// SPDX-License-Identifier: MIT
#include "device/pack.h"
#include "ptx/lex.h"
#include "ptx/params.h"
#include "unit/test.h"

#include <math.h>
#include <string.h>

static const char *const text =
    "// .entry not_this(\n.version 9.0\n.target sm_90\n"
    ".visible .entry first(\n\t.param .u64 .ptr .global .align 1 first_param_0,\n\t.param .u32 first_param_1,\n"
    "\t.param .f32 first_param_2,\n\t.param .u8 first_param_3,\n\t.param .f64 first_param_4,\n"
    "\t.param .align 8 .b8 first_param_5[24],\n\t.param .align 2 .b8 first_param_6[3]\n)\n.maxntid 256, 1, "
    "1\n{\n\tret;\n}\n"
    "/* .entry nor_this( */ .entry second()\n{\n\tret;\n}\n.entry third\n{\n\tret;\n}\n";

static void parameters_lie_at_multiples_of_their_alignment(void)
{
    struct ptx_param p[8];
    size_t total = 99;
    CHECK_INT(ptx_params(text, "first", p, 8, &total), 7);
    const size_t offset[] = {0, 8, 12, 16, 24, 32, 56}, size[] = {8, 4, 4, 1, 8, 24, 3};
    const size_t align[] = {8, 4, 4, 1, 8, 8, 2};
    for (int i = 0; i < 7; i++) {
        CHECK_INT(p[i].offset, offset[i]);
        CHECK_INT(p[i].size, size[i]);
        CHECK_INT(p[i].align, align[i]);
        CHECK_INT(p[i].is_float, i == 2 || i == 4);
    }
    CHECK_INT(total, 59);
}

static void an_entry_may_have_no_parameters(void)
{
    size_t total = 99;
    CHECK_INT(ptx_params(text, "second", NULL, 0, &total), 0);
    CHECK_INT(total, 0);
    CHECK_INT(ptx_params(text, "third", NULL, 0, &total), 0);
}

static void an_unknown_entry_is_told_apart_and_a_short_array_is_not_overrun(void)
{
    struct ptx_param p[2] = {{0}};
    size_t total;
    CHECK_INT(ptx_params(text, "not_this", p, 2, &total), -1);
    CHECK_INT(ptx_params(text, "firs", p, 2, &total), -1);
    CHECK_INT(ptx_params(text, "first", p, 1, &total), 7);
    CHECK_INT(p[1].size, 0);
}

static void entries_are_listed_and_cut(void)
{
    char names[64], few[10];
    ptx_entries(text, names, sizeof names);
    CHECK_TEXT(names, "first, second, third");
    ptx_entries(text, few, sizeof few);
    CHECK_TEXT(few, "first");
}

static void instructions_are_found_by_a_word_in_their_own_entry(void)
{
    static const char *const atomics[] = {"atom", "red", NULL}, *const calls[] = {"call", NULL};
    static const char *const code =
        ".func helper()\n{\n\tatom.global.add.u32 %r1, [%rd1], 1;\n}\n.entry plain()\n{\n\t{ ld.shared.u32 %r1, [%r2]; "
        "}\n\tst.global.u32 [%rd1], %r1; // atom.global\n\tret;\n}\n.entry adds()\n{\n\t@%p1 red.global.add.u32 "
        "[%rd1], 1;\n}\n.entry takes(.param .u64 p)\n{\n\t{ }\n\tcp.async.red.x [%rd1];\n\tcall.uni helper;\n}\n"
        ".entry open()\n{\n\tret;\n";
    CHECK(!ptx_has(code, "plain", atomics) && !ptx_has(code, "plain", calls));
    CHECK(ptx_has(code, "adds", atomics) && !ptx_has(code, "adds", calls));
    CHECK(ptx_has(code, "takes", atomics) && ptx_has(code, "takes", calls));
    CHECK(ptx_has(code, "open", atomics));  // it has no end
    CHECK(ptx_has(code, "other", atomics)); // it cannot be told
    CHECK(!ptx_has(code, "plain", (const char *[]){"share", "glob", "at", NULL}));
}

static void broken_text_ends(void)
{
    const char *const bad[] = {"", ".entry", ".entry x(", ".entry x(.param .u64", ".entry x(.param .align", "/* open",
        "\"open", ".entry x(.param .b8 y["};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(ptx_params(bad[i], "x", NULL, 0, NULL) <= 1);
}

static void a_variable_that_is_only_declared_is_told_from_one_that_is_used(void)
{
    const char *ptx =
        ".global .align 4 .u32 seen;\n.global .align 4 .u32 seen_too;\n.global .u64 at = generic(by_other);\n"
        ".global .u32 by_other;\n.global .u32 $only;\n"
        ".entry x()\n{\nst.global.u32 [seen_too], %r1;\nld.global.u32 %r2, [seen_too+4];\nret;\n}\n";
    CHECK(!ptx_named_again(ptx, "seen")); // a part of another name is none
    CHECK(ptx_named_again(ptx, "seen_too"));
    CHECK(ptx_named_again(ptx, "by_other")); // another variable holds its address
    CHECK(!ptx_named_again(ptx, "at") && !ptx_named_again(ptx, "other"));
    CHECK(!ptx_named_again(ptx, "only") && !ptx_named_again(ptx, "$only"));
    CHECK(!ptx_named_again(ptx, "nowhere") && !ptx_named_again(ptx, "") && !ptx_named_again("", "seen"));
}

static struct lex_value number(const char *s)
{
    struct lex lex = lex_start(s);
    return lex_number(lex_next(&lex));
}

static void numbers_have_their_value(void)
{
    CHECK_INT(number("42").bits, 42);
    CHECK_INT(number("0x1FU").bits, 31);
    CHECK_INT(number("0f3F800000").bits, 0x3f800000);
    CHECK_INT(number("0f3F800000").float_size, 4);
    CHECK_INT(number("0d3FF0000000000000").float_size, 8);
    CHECK(number("1.5e-3").bits ==
        (union {
            double d;
            uint64_t u;
        }){1.5e-3}
            .u);
}

// A real number in a whole parameter is cut to it where it can be; where it cannot, nothing is put there.
static void a_number_that_no_integer_holds_is_refused(void)
{
    const struct ptx_param whole = {.offset = 8, .size = 8}, narrow = {.size = 4}, real = {.size = 8, .is_float = true};
    static const double none[] = {0x1p63, -0x1.8p63, 1e300, -1e300, INFINITY, -INFINITY, (double)NAN};
    int64_t block[2] = {7, 7};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        CHECK(!pack_number(block, &whole, NULL, value_real(none[i])));
        CHECK_INT(block[1], 7);
        CHECK(pack_number(block, &real, NULL, value_real(none[i])));
        CHECK(memcmp(block, &none[i], 8) == 0);
    }
    CHECK(pack_number(block, &whole, NULL, value_real(-0x1p63)));
    CHECK(block[1] == INT64_MIN);
    CHECK(pack_number(block, &whole, NULL, value_real(-2.75)));
    CHECK_INT(block[1], -2);
    CHECK(pack_number(block, &narrow, NULL, value_real(3)));
    CHECK_INT((int32_t)block[0], 3);
}

// Only a whole parameter of 8 bytes is an address; nothing is put elsewhere.
static void an_address_goes_where_one_fits(void)
{
    const struct ptx_param whole = {.offset = 8, .size = 8}, narrow = {.size = 4}, real = {.size = 8, .is_float = true};
    uint64_t block[2] = {7, 7};
    CHECK(!pack_address(block, &narrow, 42) && !pack_address(block, &real, 42));
    CHECK_INT(block[0], 7);
    CHECK(pack_address(block, &whole, 42));
    CHECK_INT(block[1], 42);
}

int main(void)
{
    an_address_goes_where_one_fits();
    a_number_that_no_integer_holds_is_refused();
    parameters_lie_at_multiples_of_their_alignment();
    an_entry_may_have_no_parameters();
    an_unknown_entry_is_told_apart_and_a_short_array_is_not_overrun();
    entries_are_listed_and_cut();
    instructions_are_found_by_a_word_in_their_own_entry();
    a_variable_that_is_only_declared_is_told_from_one_that_is_used();
    broken_text_ends();
    numbers_have_their_value();
    return test_end();
}
