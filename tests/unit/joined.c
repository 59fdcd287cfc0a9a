// compile/joined: PTX that a source includes becomes part of the code, without what only a file by itself may have.
// SPDX-License-Identifier: MIT
#include "compile/compiler.h"
#include "spec/include.h"

#include "unit/test.h"

#include <stdlib.h>
#include <string.h>

#define OWN(version) "// made\n.version " version "\n.target sm_80\n.address_size 64\n.entry own() { ret; }\n"
#define LINE "\n" INCLUDE_PTX

static const char source[] =
    "int a;" LINE ".version 8.1" LINE ".target sm_90a, debug" LINE ".address_size 64" LINE "\t.file 1 \"a.py\"" LINE
    ".visible .entry theirs(.param .u64 x)" LINE "{" LINE "\t.loc 1 2 3" LINE "ret;" LINE "}" LINE
    ".section .debug_str" LINE "{" LINE ".b8 1" LINE "}" LINE ".func f() { ret; }\n#line 1\nint b;\n";

static void joined(const char *ptx, const char *from, const char *all)
{
    struct code code = {.ptx = strdup(ptx), .cubin = malloc(4), .cubin_bytes = 4};
    struct diags d = {0};
    CHECK(joined_add(&code, from, "a.cu", &d));
    CHECK_TEXT(code.ptx, all);
    CHECK((code.cubin == NULL) == (from == source)); // it was of the one part alone
    CHECK((code_entry_find(&code, "theirs") != NULL) == (from == source));
    free(code.ptx);
    free(code.cubin);
    free(code.entries);
}

#define THEIRS "\n.visible .entry theirs(.param .u64 x)\n{\nret;\n}\n.func f() { ret; }\n"
#define REST "\n.target sm_80\n.address_size 64\n.entry own() { ret; }\n"

int main(void)
{
    char arch[16] = "";
    joined(OWN("7.4"), source, ".version 8.1" REST THEIRS); // the newer of the two
    joined(OWN("9.0"), source, ".version 9.0" REST THEIRS);
    joined(OWN("7.4"), "int a;\n", OWN("7.4"));
    CHECK(joined_arch(source, arch));
    CHECK_TEXT(arch, "sm_90a");
    CHECK(!joined_arch("// .target sm_90\n", arch));
    CHECK(include_made_has(source, "theirs") && !include_made_has(source, "their") && !include_made_has(source, "own"));
    return test_end();
}
