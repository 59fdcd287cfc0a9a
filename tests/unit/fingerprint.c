// What of a kernel file a report depends on: code and description, not comments, layout and words for readers.
// SPDX-License-Identifier: MIT
#include "spec/fingerprint.h"
#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

static const char *print_of(const char *text)
{
    static char hex[2][33];
    static int turn;
    struct diags d = {0};
    struct kernel *k = kernel_parse("k.cu", text, &d);
    turn = !turn;
    hex[turn][0] = '\0';
    CHECK(k);
    if (k) fingerprint(k, hex[turn]);
    kernel_free(k);
    diags_clear(&d);
    return hex[turn];
}

#define HEAD(n, about, useful) \
    "/*\nabout: " about "\nparams:\n  n: {default: " n ", about: elements}\nbuffers:\n" \
    "  out: {type: int, count: n, access: write}\nthreads: n\nuseful: " useful "\n*/\n"
#define BODY "extern \"C\" __global__ void k(int *out, size_t n)\n{\n    if (n) out[0] = 1; // one\n}\n"
#define CHECKED "__device__ bool check(size_t i, const int *out) { return out[i] == 1; }\n"

static void words_for_readers_do_not_count(void)
{
    char first[33];
    snprintf(first, sizeof first, "%s", print_of(HEAD("32", "writes", "4") BODY CHECKED));
    CHECK_TEXT(print_of(HEAD("32", "says it better", "4") BODY CHECKED), first);
    CHECK_TEXT(print_of(HEAD("32", "writes", "4") "// more of it\n\n" BODY "/* and\n more */" CHECKED), first);
    CHECK_TEXT(print_of(HEAD("32", "writes", "4") "extern \"C\" __global__ void k(int *out,\n   size_t n) {\n"
                                                  "if ( n ) out[ 0 ] = 1; }\n" CHECKED),
        first);
}

static void what_decides_a_number_does(void)
{
    static const char *const others[] = {HEAD("33", "writes", "4") BODY CHECKED, HEAD("32", "writes", "8") BODY CHECKED,
        HEAD("32", "writes", "4") BODY "__device__ bool check(size_t i, const int *out) { return out[i] == 2; }\n",
        HEAD("32", "writes", "4") "#define ONE 1\n" BODY CHECKED};
    char first[33];
    snprintf(first, sizeof first, "%s", print_of(HEAD("32", "writes", "4") BODY CHECKED));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) CHECK(strcmp(print_of(others[i]), first) != 0);
}

static void code_is_left_without_comments_and_layout(void)
{
    static const char *const pairs[][2] = {{"a  b /* c */ d // e\n f", "a b d f"}, {"a + b;", "a+b;"},
        {"x = \"// no  comment\";", "x=\"// no  comment\";"},
        {"#define F(x)   (x) // y\nint  a;", "#define F(x) (x)\nint a;"}, {"", ""}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *code = fingerprint_code(pairs[i][0]);
        CHECK_TEXT(code ? code : "", pairs[i][1]);
        free(code);
    }
}

int main(void)
{
    words_for_readers_do_not_count();
    what_decides_a_number_does();
    code_is_left_without_comments_and_layout();
    return test_end();
}
