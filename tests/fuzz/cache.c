// Fuzz target: any bytes as an entry of the compile cache: as they are, and again as what a right header and a right
// hash stand before. Each is taken whole or not at all.
// SPDX-License-Identifier: MIT
#include "compile/cache.h"

#include "base/hash.h"
#include "base/str.h"
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 8, HEADER = MAGIC + 24 }; // how many bytes follow, and their hash
static const char key[33] = "00112233445566778899aabbccddeeff";
static char folder[] = "/dev/shm/gpuexp-cache-XXXXXX", entry[128], magic[MAGIC];

static void leave(void)
{
    unlink(entry);
    for (char *slash; strlen(entry) > strlen(folder) && (slash = strrchr(entry, '/'));) {
        *slash = '\0';
        rmdir(entry);
    }
}

// What the program itself writes begins with the magic of today's layout.
static void begin(void)
{
    struct diags d = {0};
    const struct code code = {.ptx = (char *)".version 7.8", .compiler = "clang 14.0.6", .arch = "sm_80"};
    if (!mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) != 0) abort();
    snprintf(entry, sizeof entry, "%s/gpuexp/code/%s", folder, key);
    atexit(leave);
    if (!cache_store(key, &code, &d)) abort();
    FILE *f = fopen(entry, "r");
    if (!f || fread(magic, 1, MAGIC, f) != MAGIC || fclose(f) != 0) abort();
    struct code *again = cache_load(key);
    if (!again || strcmp(again->ptx, code.ptx) != 0) abort();
    code_free(again);
}

static void load(const void *bytes, size_t size)
{
    FILE *f = fopen(entry, "w");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) abort();
    struct code *code = cache_load(key);
    if (!code) return;
    if (strlen(code->compiler) >= sizeof code->compiler || strlen(code->arch) >= sizeof code->arch) abort();
    if (strlen(code->ptx) > size) abort();
    for (size_t i = 0; i < code->entry_count; i++)
        if (strlen(code->entries[i].name) >= sizeof code->entries[i].name) abort();
    code_entry_named(code, "k<float, 128>");
    code_free(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hash h;
    struct str sealed = {0};
    uint64_t head[3] = {size}; // and its hash
    if (!*entry) begin();
    load(data, size);
    hash_init(&h);
    hash_text(&h, key);
    hash_bytes(&h, data, size);
    hash_final(h, head + 1);
    str_add_bytes(&sealed, magic, MAGIC);
    str_add_bytes(&sealed, head, HEADER - MAGIC);
    str_add_bytes(&sealed, data, size);
    load(sealed.text, sealed.size);
    str_release(&sealed);
    return 0;
}
