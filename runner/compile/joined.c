// PTX that somebody else's compiler made and that the source includes as it is: it comes as comments of C++ (spec/
// include.c), and joins here what was made of the rest. A device's driver makes machine code of both.
// SPDX-License-Identifier: MIT
#include "compile/compiler.h"
#include "spec/include.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *line, const char *word)
{
    return strncmp(line + strspn(line, " \t"), word, strlen(word)) == 0;
}

bool joined_arch(const char *source, char arch[16])
{
    const char *line;
    size_t n;
    while (include_ptx_line(&source, &line, &n)) {
        if (!begins(line, ".target")) continue;
        const char *const name = line + strspn(line, " \t") + 7;
        snprintf(arch, 16, "%.*s", (int)strcspn(name + strspn(name, " \t"), ", \t\r\n"), name + strspn(name, " \t"));
        return true;
    }
    return false;
}

static double version_of(const char *ptx)
{
    const char *at = strstr(ptx, ".version");
    return at ? strtod(at + 8, NULL) : 0;
}

// Its head is that of the other text, its lines of source are nobody's here.
void joined_add(struct code *code, const char *source)
{
    LOCAL(str_release) struct str text = {0};
    const char *p = source, *line;
    size_t n;
    double version = version_of(code->ptx);
    bool debugging = false;
    while (include_ptx_line(&p, &line, &n)) {
        if (begins(line, ".version") && strtod(strstr(line, ".version") + 8, NULL) > version)
            version = strtod(strstr(line, ".version") + 8, NULL);
        debugging |= begins(line, ".section");
        const bool head = begins(line, ".version") || begins(line, ".target") || begins(line, ".address_size");
        if (!head && !debugging && !begins(line, ".file") && !begins(line, ".loc")) {
            str_add_bytes(&text, line, n);
            str_add(&text, "\n");
        }
        debugging &= !memchr(line, '}', n);
    }
    if (text.size) {
        struct str all = {0};
        const char *const at = strstr(code->ptx, ".version"), *const rest = at ? at + strcspn(at, "\n") : code->ptx;
        str_addf(&all, ".version %.1f%s\n%s", version, rest, text.text);
        free(code->ptx);
        free(code->cubin);
        code->ptx = str_take(&all);
        code->cubin = NULL;
        code->cubin_bytes = 0;
        compiler_entries(code, source, "");
    }
}
