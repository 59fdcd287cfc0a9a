// spec/fits: one answer to whether a value fits, whoever gives it: a file, a range or a script.
// SPDX-License-Identifier: MIT
#include "spec/scalar.h"

#include <stdlib.h>

#include "unit/test.h"

static const char text[] = "/*\nabout: x\nparams:\n  n: {default: 8, min: 1, max: 100}\n  narrow: {default: 1}\n  "
                           "gain: {default: 0.5, min: 0}\n"
                           "  up: {default: true}\n  few: {as: count, default: 1}\n  many: {default: 1}\n  T: {kind: "
                           "type, default: float}\n  way: {kind: constant, default: "
                           "row, one_of: [row, column]}\n"
                           "  tile: {kind: constant, default: 8, one_of: [8, 16]}\n"
                           "buffers:\n  out: {type: T, count: n, access: write}\nthreads: n\n*/\n"
                           "extern \"C\" __global__ void k(T *out, size_t n, signed char narrow, float gain, bool up, "
                           "unsigned short count, unsigned long long many)\n"
                           "{ out[0] = (T)(way + tile); }\n"
                           "__device__ bool check(size_t i, const T *out) { return true; }\n";

static struct kernel *kernel;
static struct fits_why why;

static bool takes(const char *name, struct value *v) { return fits_param(kernel_param(kernel, name), kernel, v, &why); }

static void taken(const char *name, struct value v, struct value as)
{
    CHECK_TEXT(takes(name, &v) ? "" : why.what, "");
    CHECK(v.kind == as.kind && value_equal(v, as));
}

static void refused(const char *name, struct value v, const char *what, const char *hint)
{
    CHECK_TEXT(takes(name, &v) ? "taken" : why.what, what);
    CHECK_TEXT(why.hint, hint);
}

static void a_parameter_takes_its_kind(void)
{
    taken("n", value_int(8), value_int(8));
    taken("n", value_real(8), value_int(8)); // Lua makes such
    taken("gain", value_int(2), value_real(2));
    taken("up", value_bool(false), value_bool(false));
    taken("T", value_text("double"), value_text("double"));
    taken("way", value_text("column"), value_text("column"));
    taken("tile", value_real(16), value_int(16));
    refused("n", value_real(8.5), "`n` takes a whole number, not `8.5`", "");
    refused("n", value_text("8"), "`n` takes a whole number, not `8`", "");
    refused("n", value_bool(true), "`n` takes a whole number, not `true`", "");
    refused("n", value_real(0x1p63), "`n` takes a whole number, not `9.223372036854776e+18`", "");
    refused("n", value_real((double)NAN), "`n` takes a whole number, not what is no number", "");
    refused("gain", value_real((double)INFINITY), "`gain` takes a number, not infinity", "");
    refused("gain", value_bool(true), "`gain` takes a number, not `true`", "");
    refused("up", value_int(1), "`up` takes true or false, not `1`", "");
    refused("T", value_int(4), "`T` takes a type, not `4`", "");
    refused("way", (struct value){0}, "`way` takes a name, not nothing", "");
}

static void a_parameter_has_its_range_its_choices_and_its_width(void)
{
    taken("n", value_int(1), value_int(1));
    taken("n", value_int(100), value_int(100));
    refused("n", value_int(0), "`n` = 0 is out of range: 1 to 100", "");
    refused("n", value_real(101), "`n` = 101 is out of range: 1 to 100", "");
    refused("gain", value_real(-0.5), "`gain` = -0.5 is out of range: at least 0", "");
    refused("way", value_text("colum"), "`way` = colum is not one of: row, column", "did you mean `column`?");
    refused("tile", value_int(9), "`tile` = 9 is not one of: 8, 16", "");
    refused("T", value_text("quad"), "`T` = quad is not a type that CUDA has built in", "");
    taken("narrow", value_int(-128), value_int(-128));
    taken("few", value_int(65535), value_int(65535)); // `count` in the kernel
    refused("few", value_int(65536), "`few` = 65536 does not fit the kernel's `unsigned short count`", "");
    refused("few", value_int(-1), "`few` = -1 does not fit the kernel's `unsigned short count`", "");
    taken("many", value_int(INT64_MAX), value_int(INT64_MAX));
    refused("many", value_int(-1), "`many` = -1 does not fit the kernel's `unsigned long long many`", "");
    refused("narrow", value_int(128), "`narrow` = 128 does not fit the kernel's `signed char narrow`", "");
}

static void set(enum setting s, struct value v, const char *what, const char *hint)
{
    CHECK_TEXT(fits_setting(s, setting_table[s].name, &v, UNIT_NONE, &why) ? "" : why.what, what);
    CHECK_TEXT(why.hint, hint);
}

static void a_setting_takes_what_its_row_says(void)
{
    struct value v = value_real(128);
    CHECK(fits_setting(SETTING_BLOCK, "block", &v, UNIT_NONE, &why) && v.kind == VALUE_INT);
    v = value_real(0x1p20);
    CHECK(fits_setting(SETTING_PERSIST, "persist", &v, UNIT_NONE, &why) && v.kind == VALUE_INT);
    v = value_real(1); // all of it, and not one byte
    CHECK(fits_setting(SETTING_PERSIST, "persist", &v, UNIT_NONE, &why) && v.kind == VALUE_REAL);
    set(SETTING_CACHE, value_text("warm"), "", "");
    set(SETTING_CACHE, value_text("warn"), "`cache` takes cold or warm, not `warn`", "did you mean `warm`?");
    set(SETTING_CACHE, value_bool(true), "`cache` takes cold or warm, not `true`", "");
    set(SETTING_STREAMS, value_real(1.5), "`streams` takes a whole number of at least 1, not `1.5`", "");
    set(SETTING_WINDOW_RATIO, value_real((double)NAN),
        "`window.ratio` takes a number from 0 to 1, or a percentage, not what is no number", "");
    v = value_text("managd");
    CHECK(!fits_setting(SETTING_MEMORY, "memory.in", &v, UNIT_NONE, &why));
    CHECK_TEXT(why.what,
        "`memory.in` takes device, managed, mapped, pool, peer, pitched, constant, symbol, texture or surface, not "
        "`managd`");
    CHECK_TEXT(why.hint, "did you mean `managed`?");
}

int main(void)
{
    struct diags d = {0};
    kernel = kernel_parse("k.cu", text, &d);
    CHECK_TEXT(diags_first(&d), "");
    if (!kernel) return 1;
    a_parameter_takes_its_kind();
    a_parameter_has_its_range_its_choices_and_its_width();
    a_setting_takes_what_its_row_says();
    kernel_free(kernel);
    return test_end();
}
