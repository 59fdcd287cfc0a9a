// Keeps what NVRTC is as an entry of the compile cache, under a name made from all that decides where it is looked for.
// SPDX-License-Identifier: MIT
#include "compile/nvrtc_facts.h"

#include "base/toolkit.h"
#include "compile/cache.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Whatever replaces a file changes one of these.
static void identify(const char *path, uint64_t id[8])
{
    struct stat st;
    memset(id, 0, 8 * sizeof *id);
    if (stat(path, &st) != 0) return;
    const uint64_t all[8] = {1, (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
        (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ctim.tv_sec,
        (uint64_t)st.st_ctim.tv_nsec};
    memcpy(id, all, sizeof all);
}

void nvrtc_facts_identify(struct nvrtc_facts *f) { identify(f->library, f->file); }

bool nvrtc_facts_same_file(const struct nvrtc_facts *a, const struct nvrtc_facts *b)
{
    return a->file[0] && memcmp(a->file, b->file, sizeof a->file) == 0 && strcmp(a->library, b->library) == 0;
}

static void make_key(char key[33])
{
    struct hash h;
    hash_init(&h);
    hash_text(&h, "what NVRTC is");
    hash_u64(&h, sizeof(struct nvrtc_facts));
    toolkit_hash("nvrtc", &h);
    hash_hex(h, key);
}

bool nvrtc_facts_recall(struct nvrtc_facts *out)
{
    char key[33];
    make_key(key);
    struct code *code = cache_load(key);
    bool good = code && code->cubin_bytes == sizeof *out;
    if (good) {
        memcpy(out, code->cubin, sizeof *out);
        struct nvrtc_facts now = *out;
        nvrtc_facts_identify(&now);
        good = *out->version && nvrtc_facts_same_file(out, &now);
    }
    if (!good) *out = (struct nvrtc_facts){0};
    code_free(code);
    return good;
}

void nvrtc_facts_keep(const struct nvrtc_facts *f)
{
    char key[33];
    struct diags ignored = {0}; // else it is asked again the next time
    struct code code = {.ptx = "", .cubin = (void *)(uintptr_t)f, .cubin_bytes = sizeof *f};
    make_key(key);
    cache_store(key, &code, &ignored);
    diags_clear(&ignored);
}

void nvrtc_facts_forget(void) { nvrtc_facts_keep(&(struct nvrtc_facts){0}); }
