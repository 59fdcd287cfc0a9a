// Fuzz target: any bytes as the file that fills a buffer. The first byte says of which type the buffer is, the second
// how many elements it has and whether the file is a .csv, .npy or .bin. It fills all of the buffer, or a complaint
// says why not; nothing is written behind it.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "base/hash.h"
#include "device/host_fill.h"
#include "fuzz/fuzz.h"
#include "spec/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {"float", "double", "half", "__nv_bfloat16", "bool", "char", "unsigned char",
        "short", "unsigned short", "int", "unsigned", "long long", "size_t", "float4", "uchar3", "Body"};
    static const char *const suffixes[] = {".csv", ".npy", ".bin"};
    if (size < 2) return 0;
    struct job_buffer b = {
        .name = "a", .type = types[data[0] % 16], .count = 1 + data[1] / 3, .rank = 1 + data[0] / 128};
    char path[96], hex[33];
    struct diags d = {0};
    struct hash h;
    b.scalar = kernel_type_scalar(b.type, &b.lanes);
    b.element_bytes = kernel_type_size(b.type);
    b.declared = !b.scalar;
    if (b.declared) b.scalar = "unsigned char", b.lanes = 16, b.element_bytes = 16;
    b.extent[0] = b.count, b.extent[1] = b.extent[2] = 1;
    b.bytes = b.count * b.element_bytes;
    char folder[] = "/dev/shm/gpuexp-fill-XXXXXX";
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/x%s", folder, suffixes[data[1] % 3]);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data + 2, 1, size - 2, f) != size - 2 || fclose(f) != 0) abort();
    hash_init(&h);
    hash_bytes(&h, data + 2, size - 2);
    hash_hex(h, hex);
    b.file = path;
    b.file_hash = hex;
    unsigned char *to = malloc((size_t)b.bytes); // not zeroed, and the sanitizer knows its end
    if (!to) abort();
    const bool good = host_file_fill(&b, to, &d);
    if (good != (diags_errors(&d) == 0)) abort();
    if (good && strcmp(b.type, "bool") == 0 && data[1] % 3 != 2)
        for (uint64_t i = 0; i < b.count; i++)
            if (to[i] > 1) abort();
    unlink(path);
    rmdir(folder);
    free(to);
    diags_clear(&d);
    return 0;
}
