// Which entry of the code a C++ name means: names are read out of mangled ones as far as kernels have them (namespaces,
// template arguments that are built-in types, vector types and numbers).
// SPDX-License-Identifier: MIT
#include "compile/compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *type, *mangled;
} types[] = {{"float", "f"}, {"double", "d"}, {"int", "i"}, {"unsigned int", "j"}, {"unsigned", "j"}, {"uint", "j"},
    {"int32_t", "i"}, {"uint32_t", "j"}, {"long", "l"}, {"unsigned long", "m"}, {"size_t", "m"}, {"long long", "x"},
    {"int64_t", "x"}, {"unsigned long long", "y"}, {"uint64_t", "y"}, {"char", "c"}, {"signed char", "a"},
    {"int8_t", "a"}, {"unsigned char", "h"}, {"uint8_t", "h"}, {"uchar", "h"}, {"short", "s"}, {"int16_t", "s"},
    {"unsigned short", "t"}, {"uint16_t", "t"}, {"ushort", "t"}, {"ulong", "m"}, {"bool", "b"}, {"half", "6__half"}};

// Steps over one template argument at *m if it may be `given`, [given, given + n).
static bool argument(const char **m, const char *given, size_t n)
{
    if (**m == 'L') { // Li128E, Lb1E, Lin5E (-5)
        const char *end = strchr(*m, 'E');
        const bool number = n && (isdigit((unsigned char)*given) || *given == '-');
        const long want = number ? strtol(given, NULL, 0) : n == 4 && memcmp(given, "true", 4) == 0;
        if (!end) return false;
        const char *digits = *m + 2;
        const long have = *digits == 'n' ? -strtol(digits + 1, NULL, 10) : strtol(digits, NULL, 10);
        *m = end + 1;
        return have == want;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t length = strlen(types[i].mangled);
        if (strlen(types[i].type) != n || memcmp(types[i].type, given, n) != 0) continue;
        if (strncmp(*m, types[i].mangled, length) != 0) return false;
        *m += length;
        return true;
    }
    char *name; // 6float4
    const unsigned long length = strtoul(*m, &name, 10);
    if (name == *m || length != n || strncmp(name, given, n) != 0) return false;
    *m = name + n;
    return true;
}

// `m` stands behind the I of the arguments: are they those between the brackets at `open`?
static bool arguments(const char *m, const char *open)
{
    for (const char *p = open + 1; *p && *p != '>';) {
        p += strspn(p, " ,");
        size_t n = 0;
        for (int depth = 0; p[n] && (depth || (p[n] != ',' && p[n] != '>')); n++)
            depth += (p[n] == '<') - (p[n] == '>');
        size_t used = n;
        while (used && p[used - 1] == ' ') used--;
        if (!argument(&m, p, used)) return false;
        p += n;
    }
    return true; // what is not said has its default
}

static bool means(const char *mangled, const char *name)
{
    const char *open = strchr(name, '<'), *p = mangled;
    char part[160];
    size_t end = open ? (size_t)(open - name) : strlen(name), from;
    while (end && name[end - 1] == ' ') end--;
    for (from = end; from && name[from - 1] != ':'; from--) {}
    snprintf(part, sizeof part, "%zu%.*s", end - from, (int)(end - from), name + from);
    if (strncmp(p, "_Z", 2) != 0) return false;
    p += 2;
    const bool nested = *p == 'N';
    for (p += nested; isdigit((unsigned char)*p);) { // namespaces, then the name
        if (strncmp(p, part, strlen(part)) == 0) {
            p += strlen(part);
            if (!open) return *p != 'I';
            return *p == 'I' && arguments(p + 1, open);
        }
        if (!nested) return false;
        char *behind;
        const unsigned long n = strtoul(p, &behind, 10);
        if (n > strlen(behind)) return false;
        p = behind + n;
    }
    return false;
}

const struct code_entry *code_entry_named(const struct code *code, const char *name)
{
    const struct code_entry *found = code_entry_find(code, name);
    for (size_t i = 0; !found && i < code->entry_count; i++)
        if (means(code->entries[i].name, name)) found = &code->entries[i];
    return found;
}
