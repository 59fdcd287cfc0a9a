// What somebody else's compiler made and the source includes as it is: it comes as comments of C++ (spec/include.c),
// and joins here what was made of the rest. Of PTX and the rest a device's driver makes machine code. Of machine code
// the entries are told in PTX, each with its parameters: whoever launches one asks for it where it is.
// SPDX-License-Identifier: MIT
#include "compile/compiler.h"
#include "sass/cubin.h"
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
    while (include_line(INCLUDE_PTX, &source, &line, &n)) {
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

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// A fatbin holds several, each behind a head: what it is, how long the head is, how long the rest. One for the GPU
// whose machine code is known best is looked for, else the first.
static void find_cubin(struct code *code)
{
    enum { FAT_HEAD = 16, PART_HEAD = 64, MACHINE = 2, PACKED = 0xe000, KNOWN = 90 };
    const unsigned char *const all = code->given;
    uint32_t magic = 0, bytes, arch;
    uint64_t size, how;
    code->given_from = 0, code->given_count = code->given_bytes;
    if (code->given_bytes >= FAT_HEAD) memcpy(&magic, all, 4);
    if (magic != 0xba55ed50) return;
    code->given_count = 0;
    for (size_t at = FAT_HEAD; at + PART_HEAD <= code->given_bytes; at += bytes + (size_t)size) {
        memcpy(&bytes, all + at + 4, 4), memcpy(&size, all + at + 8, 8), memcpy(&arch, all + at + 28, 4);
        memcpy(&how, all + at + 40, 8);
        if (bytes < PART_HEAD || size > code->given_bytes - at || bytes > code->given_bytes - at - size) return;
        if ((all[at] | all[at + 1] << 8) != MACHINE || (how & PACKED) || (code->given_count && arch != KNOWN)) continue;
        code->given_from = at + bytes, code->given_count = (size_t)size;
    }
}

void joined_keep(struct code *code, const char *source)
{
    const char *line, *p = source;
    size_t n;
    LOCAL(str_release) struct str all = {0};
    while (!code->given && include_line(INCLUDE_MACHINE, &p, &line, &n))
        for (size_t i = 0; i + 1 < n; i += 2)
            str_add_bytes(&all, (char[]){(char)(digit(line[i]) << 4 | digit(line[i + 1]))}, 1);
    if (!all.size) return;
    code->given_bytes = all.size;
    code->given = str_take(&all);
    find_cubin(code);
}

// Where each parameter stands is known, and how many bytes it has; whether it is a float is not.
static void add_entry(struct str *ptx, const char *name, const struct cubin_kernel *k)
{
    str_addf(ptx, ".visible .entry %s(", name);
    for (int i = 0; i < CUBIN_PARAMS && k->params[i].size; i++) {
        const uint32_t bytes = k->params[i].size, lowest = k->params[i].offset & -k->params[i].offset;
        str_addf(ptx, "%s\n    .param ", i ? "," : "");
        if (bytes == 4 || bytes == 8) str_addf(ptx, ".b%u p%d", 8 * bytes, i);
        else if (bytes < 4 && bytes != 3) str_addf(ptx, ".u%u p%d", 8 * bytes, i);
        else str_addf(ptx, ".align %u .b8 p%d[%u]", lowest && lowest < 64 ? lowest : 64, i, bytes);
    }
    str_addf(ptx, ")\n{\n    trap;\n}\n");
}

// The entries of machine code, and what is known of each.
static bool add_given(struct code *code, const char *source, const char *path, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    LOCAL(str_release) struct str text = {0};
    const struct where at = {.file = path};
    char error[256];
    joined_keep(code, source);
    if (!code->given) return true;
    if (!code->given_count)
        return diag_user(d, at, "`cuobjdump -xelf all FILE` gives its parts; nvcc has `--compress-mode=none`",
            "the fatbin that is included has no machine code, or packed");
    const struct cubin *c = cubin_read(a, (char *)code->given + code->given_from, code->given_count, error);
    if (!c) return diag_user(d, at, NULL, "the machine code that is included cannot be used: %s", error);
    struct cubin_kernel *k = arena_alloc(a, sizeof *k);
    const char *name;
    str_add(&text, code->ptx);
    for (size_t n = 0; (name = cubin_name(c, n)); n++)
        if (cubin_kernel(c, a, name, k, error)) add_entry(&text, name, k);
    free(code->ptx);
    code->ptx = str_take(&text);
    compiler_entries(code, source, "");
    for (size_t n = 0; (name = cubin_name(c, n)); n++) {
        struct code_entry *e = (struct code_entry *)code_entry_find(code, name);
        if (!e || !cubin_kernel(c, a, name, k, error)) continue;
        e->regs = k->registers;
        e->local_bytes = (int)k->stack_bytes;
        e->shared_bytes = (int)k->shared_bytes - (c->arch >= 90 ? CUBIN_FAR_SHARED : 0);
    }
    return true;
}

// Its head is that of the other text, its lines of source are nobody's here.
bool joined_add(struct code *code, const char *source, const char *path, struct diags *d)
{
    LOCAL(str_release) struct str text = {0};
    const char *p = source, *line;
    size_t n;
    double version = version_of(code->ptx);
    bool debugging = false;
    while (include_line(INCLUDE_PTX, &p, &line, &n)) {
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
    return add_given(code, source, path, d);
}
