// What is an include and what only looks like one; from which file each byte of the whole comes.
// SPDX-License-Identifier: MIT
#include "spec/include.h"

#include "base/file.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const char *expand(struct arena *a, const char *text)
{
    struct diags d = {0};
    const char *whole = include_expand("k/k.cu", text, a, &d);
    if (!whole) whole = arena_strdup(a, diags_first(&d));
    diags_clear(&d);
    return whole;
}

static void put(const char *path, const char *text)
{
    struct diags d = {0};
    CHECK(file_write(path, text, strlen(text), &d));
    diags_clear(&d);
}

static void test_what_is_none(struct arena *a)
{
    static const char *const texts[] = {
        "int plain;\n",
        "// #include \"h.h\"\n/*\n#include \"h.h\"\n*/",
        "const char *s = R\"x(\n#include \"h.h\"\n)\" )x\";\n",
        "char c = '\"';\nint n = 1'000'000; const char *t = \"\\\"\";\n",
        "// a comment that goes on \\\n#include \"h.h\"\n",
        "#define text #include \"h.h\"\n",
        "x #include \"h.h\"\n",
        "#include <cuda_fp16.h>\n#include \"not_there.h\"\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) CHECK_TEXT(expand(a, texts[i]), texts[i]);
}

static void test_what_is_one(struct arena *a)
{
    const char *want = "a\n\n#gpuexp file 1\n#line 1 \"h.h\"\nint h;\n\n#gpuexp end\n#line 3 \"k/k.cu\"\nb\n";
    CHECK_TEXT(expand(a, "a\n#include \"h.h\"\nb\n"), want);
    CHECK_TEXT(expand(a, "a\n# /* c */ include /**/ \"h.h\" // d\nb\n"), want);
    CHECK_TEXT(expand(a, "a\n#inc\\\nlude \"h.h\"\nb\n"),
        "a\n\n#gpuexp file 1\n#line 1 \"h.h\"\nint h;\n\n#gpuexp end\n#line 4 \"k/k.cu\"\nb\n");
    CHECK_TEXT(expand(a, "/* x */ #include \"h.h\""),
        "/* x */ \n#gpuexp file 1\n#line 1 \"h.h\"\nint h;\n\n#gpuexp end\n#line 2 \"k/k.cu\"\n");
    CHECK(strstr(expand(a, "#include \"once.h\"\n#include \"once.h\"\n"), "#ifndef GPUEXP_ONCE_"));
    // A macro may name a header of the system, and no other file.
    CHECK_TEXT(expand(a, "#define HERE(x) <std/x>\n#include HERE(h)\n"), "#define HERE(x) <std/x>\n#include HERE(h)\n");
    static const char *const others[] = {"#include HERE\n", "#define HERE \"h.h\"\n#include HERE\n",
        "#define HERE(x) x\n#include HERE(\"h.h\")\n", "#define HERE </etc/x>\n#include HERE\n",
        "#define HERE(x) <x>\n#include HERE(/etc/x)\n", "#define HERE(x) <a/../x>\n#include HERE(y)\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK_TEXT(expand(a, others[i]), "an include names its file in quotes or brackets");
    CHECK(strstr(expand(a, "#include \"self.h\"\n"), "int self;"));       // and an end
    CHECK(!strstr(expand(a, "#include \"../kx/h.h\"\n"), "int beside;")); // another folder, though its name begins so
}

static int times(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

static void check_part(const char *source, size_t number, const char *text)
{
    struct include_parts all;
    include_split(source, &all);
    CHECK(number < all.count && all.items[number].again);
    if (number < all.count) CHECK_TEXT(all.items[number].text.text, text);
    include_parts_release(&all);
}

// The text of a file stands once, whatever conditions are around it: large libraries include theirs everywhere. What
// it brings a second time is for the compiler to say, which gets the file under its number.
static void test_once(struct arena *a)
{
    put("k/times.h", "int n;\n");
    put("k/inner.h", "#include \"times.h\"\nint i;\n#include \"inner.h\"\n");
    const char *whole = expand(a, "#ifdef A\n#include \"times.h\"\n#endif\n#include \"times.h\"\n#include \"h.h\"\n");
    CHECK_INT(times(whole, "int n"), 1);
    CHECK_INT(times(whole, INCLUDE_AGAIN), 1);
    check_part(whole, 1, "#line 1 \"times.h\"\nint n;\n\n");
    check_part(whole, 0,
        "#ifdef A\n\n#include \"gpuexp_1\"\n#line 3 \"k/k.cu\"\n#endif\n\n#include \"gpuexp_1\"\n#line 5 \"k/k.cu\"\n"
        "\n#line 1 \"h.h\"\nint h;\n\n#line 6 \"k/k.cu\"\n");
    whole = expand(a, "#include \"inner.h\"\n#include \"times.h\"\n");
    check_part(whole, 1,
        "#line 1 \"inner.h\"\n\n#include \"gpuexp_2\"\n#line 2 \"inner.h\"\nint i;\n\n#include \"gpuexp_1\"\n"
        "#line 4 \"inner.h\"\n\n");
    check_part("#gpuexp end\n" INCLUDE_AGAIN "7\"\n#gpuexp file 0\n", 0,
        "#gpuexp end\n" INCLUDE_AGAIN "7\"\n#gpuexp file 0\n");
    CHECK_INT(times(expand(a, "#include \"once.h\"\n#include \"once.h\"\n"), "int once"), 1);
    // By another way it is the same header, with the same guard, whose lines are none of the file around it.
    CHECK_TEXT(expand(a, "#if A\n#include \"d/.././once.h\"\n#endif\n"),
        expand(a, "#if A\n#include \"once.h\"\n#endif\n"));
    CHECK(strstr(expand(a, "#include \"once.h\"\n"), "#line 1 \"once\"\n#ifndef GPUEXP_ONCE_1"));
    CHECK_INT(symlink("../away/in", "k/link"), 0); // there, `..` leads elsewhere
    CHECK(!strstr(expand(a, "#include \"link/../once.h\"\n"), "int once"));
}

static void test_places(struct arena *a)
{
    const char *whole = expand(a, "a\n#include \"h.h\"\nb\n");
    struct where at = include_where("k/k.cu", whole, (size_t)(strstr(whole, "h;") - whole), a);
    CHECK_TEXT(at.file, "k/h.h");
    CHECK_INT(at.line, 1);
    CHECK_INT(at.column, 5);
    at = include_where("k/k.cu", whole, (size_t)(strstr(whole, "\nb") + 1 - whole), a);
    CHECK_TEXT(at.file, "k/k.cu");
    CHECK_INT(at.line, 3);
    at = include_where("k/k.cu", whole, 0, a);
    CHECK_INT(at.line, 1);
}

// A name that begins as the kernel's folder does is not in it.
static void test_shown_names(struct arena *a)
{
    put("kx/other.h", "int other;\n");
    include_allow("kx");
    CHECK(strstr(expand(a, "#include \"other.h\"\n"), "#line 1 \"kx/other.h\"\n"));
}

int main(void)
{
    char scratch[] = "/tmp/gpuexp-include-XXXXXX", command[64];
    struct arena *a = arena_new();
    if (!mkdtemp(scratch) || chdir(scratch) != 0) return 1;
    put("k/k.cu", "");
    put("k/h.h", "int h;\n");
    put("kx/h.h", "int beside;\n");
    put("k/once.h", "#pragma once\nint once;\n");
    put("k/d/x.h", "");
    put("away/in/x.h", "");
    put("k/self.h", "int self;\n#include \"self.h\"\n");
    test_what_is_none(a);
    test_what_is_one(a);
    test_once(a);
    test_places(a);
    test_shown_names(a);
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    CHECK(system(command) == 0);
    arena_free(a);
    return test_end();
}
