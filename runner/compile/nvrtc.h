// What NVRTC is: its version, headers and architectures. To know it, the library has to be loaded and to compile
// nothing, some 50 ms of processor time. So it is kept beside the compiled code, and holds as long as the file that it
// is about has not changed and would be found again.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct nvrtc_facts {
    char version[64], missing[256], include[PATH_MAX + 16], cccl[PATH_MAX + 24];
    int archs[64], arch_count;
    bool unsure; // the system failed, not the search
    char library[PATH_MAX];
    uint64_t file[8]; // which file that was
};

// Says which file `library` is.
void nvrtc_facts_identify(struct nvrtc_facts *);
// False: nothing is kept, or it is not true any more.
bool nvrtc_facts_recall(struct nvrtc_facts *);
void nvrtc_facts_keep(const struct nvrtc_facts *);
void nvrtc_facts_forget(void);
