// Published limits and properties of the devices that the simulator can stand in for: NVIDIA's data sheets and
// architecture papers (memory, bandwidth, clocks, L2) and the CUDA programming guide's table of limits by compute
// capability.
// SPDX-License-Identifier: MIT
#include "device/profile_model.h"

#include "spec/traits.h"

#include <ctype.h>
#include <string.h>

#define KIB(n) ((size_t)(n) << 10)
#define GIB(n) ((uint64_t)(n) << 30)

// One row of limits a compute capability; the shared memory of a block is 48 KiB unless a kernel opts in to more.
#define LIMITS_70(n) \
    { \
        7, 0, n, 64, 32, 1024, 65536, 65536, KIB(96), KIB(48), KIB(96), 0 \
    }
#define LIMITS_80(n) \
    { \
        8, 0, n, 64, 32, 1024, 65536, 65536, KIB(164), KIB(48), KIB(163), KIB(1) \
    }
#define LIMITS_90(n) \
    { \
        9, 0, n, 64, 32, 1024, 65536, 65536, KIB(228), KIB(48), KIB(227), KIB(1) \
    }

const struct profile profiles[] = {
    {"v100", "NVIDIA V100 SXM2 32 GB", "sm_70", LIMITS_70(80), 900, GIB(32), (uint64_t)6 << 20, 1530, 4096, KIB(128),
        NULL, 0},
    {"a100", "NVIDIA A100 SXM4 40 GB", "sm_80", LIMITS_80(108), 1555, GIB(40), (uint64_t)40 << 20, 1410, 5120, KIB(192),
        NULL, 0},
    {"h100", "NVIDIA H100 SXM5 80 GB", "sm_90", LIMITS_90(132), 3350, GIB(80), (uint64_t)50 << 20, 1980, 5120, KIB(256),
        NULL, 0},
    {"h200", "NVIDIA H200 SXM5 141 GB", "sm_90", LIMITS_90(132), 4800, (uint64_t)141000000000, (uint64_t)50 << 20, 1980,
        6144, KIB(256), NULL, 0},
    {0},
};

const struct profile *profile_find(const char *name)
{
    for (const struct profile *p = profiles; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    const size_t n = strlen(name);
    struct diags ignored = {0}; // whoever opens the device says what is wrong with it
    const struct profile *p = n > 5 && strcmp(name + n - 5, ".yaml") == 0 ? profile_file(name, &ignored) : NULL;
    diags_clear(&ignored);
    return p;
}

const struct profile *profile_of(const char *device)
{
    const struct profile *p = profile_find(strncmp(device, "sim:", 4) == 0 ? device + 4 : "h200");
    return p ? p : profile_find("h200");
}

size_t profile_facts(const struct profile *p, struct arena *a, struct device_fact **out)
{
    const struct occupancy_device *l = &p->limits;
    const struct device_fact facts[] = {
        {"stands_for", "", "the device whose published limits are used", value_text(p->title)},
        {"compute_capability", "", "published", value_text(arena_printf(a, "%d.%d", l->major, l->minor))},
        {"sms", "", "streaming multiprocessors; published", value_int(l->sms)},
        {"warps_per_sm", "", "the most resident warps an SM; published", value_int(l->warps_per_sm)},
        {"blocks_per_sm", "", "the most resident blocks an SM; published", value_int(l->blocks_per_sm)},
        {"threads_per_block", "", "the most threads a block; published", value_int(l->threads_per_block)},
        {"regs_per_sm", "", "32-bit registers an SM; published", value_int(l->regs_per_sm)},
        {"shared_per_sm", "B", "shared memory an SM; published", value_int((int64_t)l->shared_per_sm)},
        {"shared_per_block_optin", "B", "the most shared memory a block can ask for; published",
            value_int((int64_t)l->shared_per_block_optin)},
        {"l2_bytes", "B", "L2 cache; published", value_int((int64_t)p->l2_bytes)},
        {"memory_bytes", "B", "device memory; published", value_int((int64_t)p->memory_bytes)},
        {"bus_bits", "bit", "memory bus width; published", value_int(p->bus_bits)},
        {"boost_mhz", "MHz", "boost clock of the SMs; published", value_int(p->boost_mhz)},
        {"peak_gbps", "GB/s", "memory bandwidth of the data sheet: a bound, not a measurement",
            value_real(p->peak_gbps)},
    };
    *out = arena_copy(a, facts, sizeof facts);
    return sizeof facts / sizeof *facts;
}

size_t profile_stand_in(struct arena *a, struct device_fact *out)
{
    struct device_fact *facts;
    size_t count = 0;
    const size_t n = profile_facts(profile_find("h200"), a, &facts);
    for (size_t i = 0; i < n; i++) {
        if (trait_find(facts[i].name) < 0) continue;
        out[count] = facts[i];
        out[count++].about = "what expressions get: an H200's";
    }
    return count;
}

// "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-32GB" by the word of the model. A card of the same name for a slot has
// fewer SMs and slower memory.
const struct profile *profile_named(const char *name)
{
    if (strstr(name, "PCIe") || strstr(name, "NVL") || strstr(name, "MIG")) return NULL;
    for (const struct profile *p = profiles; p->name; p++) {
        const char *model = p->title + strcspn(p->title, " ") + 1;
        const size_t n = strcspn(model, " ");
        for (const char *at = name; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
            if (strncmp(at, model, n) == 0 && !isalnum((unsigned char)at[n])) return p;
    }
    return NULL;
}

bool profile_limits(const char *limits, struct profile *out)
{
    struct occupancy_device *l = &out->limits;
    double v;
    if (!traits_read(limits, "sms", &v)) return false;
    l->sms = (int)v;
    if (traits_read(limits, "warps_per_sm", &v)) l->warps_per_sm = (int)v;
    if (traits_read(limits, "blocks_per_sm", &v)) l->blocks_per_sm = (int)v;
    if (traits_read(limits, "regs_per_sm", &v)) l->regs_per_sm = (int)v;
    if (traits_read(limits, "shared_per_sm", &v)) l->shared_per_sm = (size_t)v;
    if (traits_read(limits, "l2_bytes", &v)) out->l2_bytes = (uint64_t)v;
    if (traits_read(limits, "sm_clock_max", &v)) out->boost_mhz = (int)v;
    return true;
}
