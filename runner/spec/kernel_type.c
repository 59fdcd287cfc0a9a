// Sizes of the types that buffers and expressions may name, as CUDA on Linux has them.
// SPDX-License-Identifier: MIT
#include "spec/kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct type {
    const char *name, *scalar; // `scalar`: the spelling that the other files compare with
    size_t size;
};

static const struct type types[] = {
    {"bool", "bool", 1},
    {"char", "char", 1},
    {"signed char", "signed char", 1},
    {"int8_t", "signed char", 1},
    {"unsigned char", "unsigned char", 1},
    {"uint8_t", "unsigned char", 1},
    {"uchar", "unsigned char", 1},
    {"short", "short", 2},
    {"int16_t", "short", 2},
    {"unsigned short", "unsigned short", 2},
    {"uint16_t", "unsigned short", 2},
    {"ushort", "unsigned short", 2},
    {"int", "int", 4},
    {"signed", "int", 4},
    {"signed int", "int", 4},
    {"int32_t", "int", 4},
    {"unsigned", "unsigned int", 4},
    {"unsigned int", "unsigned int", 4},
    {"uint32_t", "unsigned int", 4},
    {"uint", "unsigned int", 4},
    {"long", "long long", 8},
    {"long long", "long long", 8},
    {"int64_t", "long long", 8},
    {"ptrdiff_t", "long long", 8},
    {"intptr_t", "long long", 8},
    {"unsigned long", "unsigned long long", 8},
    {"unsigned long long", "unsigned long long", 8},
    {"uint64_t", "unsigned long long", 8},
    {"ulong", "unsigned long long", 8},
    {"size_t", "unsigned long long", 8},
    {"uintptr_t", "unsigned long long", 8},
    {"float", "float", 4},
    {"double", "double", 8},
    {"half", "half", 2},
    {"__half", "half", 2},
    {"__nv_bfloat16", "__nv_bfloat16", 2},
    {"nv_bfloat16", "__nv_bfloat16", 2},
};

// float4 is `float` with a digit after it.
static const struct type vectors[] = {
    {"char", "signed char", 1},
    {"uchar", "unsigned char", 1},
    {"short", "short", 2},
    {"ushort", "unsigned short", 2},
    {"int", "int", 4},
    {"uint", "unsigned int", 4},
    {"long", "long long", 8},
    {"ulong", "unsigned long long", 8},
    {"longlong", "long long", 8},
    {"ulonglong", "unsigned long long", 8},
    {"float", "float", 4},
    {"double", "double", 8},
};

// The type without const, volatile, restrict, doubled spaces and a needless `int`: "const unsigned long  int" is
// "unsigned long".
static void plain(const char *type, char out[64])
{
    size_t n = 0;
    out[0] = '\0';
    for (const char *p = type; *p;) {
        p += strspn(p, " \t\n");
        size_t length = *p == '*' ? 1 : strcspn(p, " \t\n*");
        bool dropped = !length;
        for (const char *const *q = (const char *const[]){"const", "volatile", "__restrict__", "__restrict", NULL}; *q;
             q++)
            dropped |= strlen(*q) == length && memcmp(p, *q, length) == 0;
        if (!dropped && n + length + 2 < 64) {
            if (n) out[n++] = ' ';
            memcpy(out + n, p, length);
            out[n += length] = '\0';
        }
        p += length;
    }
    if (n > 4 && strcmp(out + n - 4, " int") == 0 && strcmp(out, "unsigned int") != 0 && strcmp(out, "signed int") != 0)
        out[n - 4] = '\0';
}

static const struct type *find(const char *type, int *lanes)
{
    static const struct type pointer = {"*", "unsigned long long", 8};
    char name[64];
    plain(type, name);
    size_t n = strlen(name);
    *lanes = 1;
    if (n && name[n - 1] == '*') return &pointer;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].name[0] == name[0] && strcmp(types[i].name, name) == 0) return &types[i];
    if (strcmp(name, "half2") == 0 || strcmp(name, "__half2") == 0) return *lanes = 2, find("half", &(int){0});
    if (strcmp(name, "__nv_bfloat162") == 0 || strcmp(name, "nv_bfloat162") == 0)
        return *lanes = 2, find("__nv_bfloat16", &(int){0});
    if (n < 2 || name[n - 1] < '1' || name[n - 1] > '4') return NULL;
    *lanes = name[n - 1] - '0';
    name[n - 1] = '\0';
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (strcmp(vectors[i].name, name) == 0) return &vectors[i];
    return NULL;
}

size_t kernel_type_size(const char *type)
{
    int lanes;
    const struct type *t = find(type, &lanes);
    return t ? t->size * (size_t)lanes : 0;
}

const char *kernel_type_scalar(const char *type, int *lanes)
{
    int n;
    const struct type *t = find(type, &n);
    if (!t) return NULL;
    if (lanes) *lanes = n;
    return t->scalar;
}

bool kernel_type_differs(const char *pointer, const char *element)
{
    char pointee[64];
    const char *star = strchr(pointer, '*');
    if (!star || strchr(star + 1, '*') || (size_t)(star - pointer) >= sizeof pointee) return false;
    memcpy(pointee, pointer, (size_t)(star - pointer));
    pointee[star - pointer] = '\0';
    const char *to = kernel_type_scalar(pointee, NULL), *of = kernel_type_scalar(element, NULL);
    if (!to || !of || strcmp(to, of) == 0) return false;
    return kernel_type_size(to) > 1 || (strcmp(to, "bool") == 0 && kernel_type_size(of) > 1);
}

// Vectors have 1 to 4 elements: double4 is the last of them.
const char *kernel_type_name(size_t i)
{
    static const char *const others[] = {"half2", "__half2", "nv_bfloat162", "__nv_bfloat162"};
    static _Thread_local char name[32];
    const size_t plain_count = sizeof types / sizeof *types, other_count = sizeof others / sizeof *others;
    if (i < plain_count) return types[i].name;
    i -= plain_count;
    if (i < other_count) return others[i];
    i -= other_count;
    if (i >= 4 * sizeof vectors / sizeof *vectors) return NULL;
    snprintf(name, sizeof name, "%s%zu", vectors[i / 4].name, i % 4 + 1);
    return name;
}

const char *kernel_type_pointee(const char *type, struct arena *a)
{
    const char *from = type;
    for (const char *skip = "const"; strncmp(from, skip, 5) == 0 || isspace((unsigned char)*from);)
        from += strncmp(from, skip, 5) == 0 ? 5 : 1;
    size_t n = strcspn(from, "*");
    while (n && isspace((unsigned char)from[n - 1])) n--;
    char *name = arena_strndup(a, from, n);
    char *behind = strstr(name, " const");
    if (behind) *behind = '\0';
    return name;
}
