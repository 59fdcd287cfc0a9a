// The simulator as a device: what it is, what it can stand for, and what it cannot be asked. No time is ever claimed.
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "device/profiles.h"
#include "device/sim/sim_device.h"
#include "plan/asks.h"
#include "spec/traits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int profile_count(void)
{
    int n = 0;
    while (profiles[n].name) n++;
    return n;
}

static int count(char why[256])
{
    (void)why;
    return 1 + profile_count();
}

// What is wrong with a file is said when it is opened.
static bool form(const char *rest) { return !rest || profile_find(rest) || strstr(rest, ".yaml"); }

static void list_spec(int i, char spec[DEVICE_SPEC])
{
    if (i == 0) snprintf(spec, DEVICE_SPEC, "sim");
    else snprintf(spec, DEVICE_SPEC, "sim:%s", profiles[i - 1].name);
}

static struct device *open_device(const char *spec, struct diags *d)
{
    const struct profile *profile = NULL;
    if (strcmp(spec, "sim") != 0) {
        const char *name = strncmp(spec, "sim:", 4) == 0 ? spec + 4 : spec;
        profile = profile_find(name);
        if (!profile && strstr(name, ".yaml") && file_exists(name)) return profile_file(name, d), NULL;
        if (!profile) {
            LOCAL(str_release) struct str known = {0};
            for (const struct profile *p = profiles; p->name; p++)
                str_addf(&known, "%ssim:%s", p == profiles ? "" : ", ", p->name);
            diag_user(d, (struct where){0}, "`gpuexp calibrate` writes one for a GPU",
                "the simulator has no profile `%s`; there are sim, %s", name, known.text);
            return NULL;
        }
    }
    struct sim_device *dev = mem_alloc(sizeof *dev);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    dev->sim = sim_new(0);
    dev->profile = profile;
    dev->threads = cores > 0 ? (int)cores : 1;
    snprintf(dev->spec, sizeof dev->spec, "%s", spec);
    return (struct device *)dev;
}

static void close_device(struct device *handle)
{
    struct sim_device *dev = sim_device_of(handle);
    sim_finish(dev);
    sim_blocks_release(dev, true);
    sim_places_release(dev);
    if (dev->module) sim_unload(dev->sim, dev->module);
    sim_free(dev->sim);
    model_free(dev->model);
    code_free(dev->code);
    free(dev->source);
    free(dev->each);
    free(dev);
}

// Each point asks, and the file takes longer to read than a tiny point to run: it is as of the last second.
static void memory_now(uint64_t *total, uint64_t *available)
{
    static struct {
        double at;
        unsigned long long total, available;
    } last = {.at = -1};
    char line[160];
    if (last.at < 0 || clock_seconds() - last.at > 1) {
        FILE *f = fopen("/proc/meminfo", "r");
        for (int found = 0; f && found < 2 && fgets(line, sizeof line, f);)
            found += sscanf(line, "MemTotal: %llu kB", &last.total) == 1 ||
                sscanf(line, "MemAvailable: %llu kB", &last.available) == 1;
        if (f) fclose(f);
        last.at = clock_seconds();
    }
    *total = (uint64_t)last.total << 10;
    *available = (uint64_t)last.available << 10;
}

static void identity(struct device *handle, struct device_identity *id)
{
    struct sim_device *dev = sim_device_of(handle);
    LOCAL(diags_clear) struct diags ignored = {0};
    const char *compiler = compile_compiler(&ignored);
    memset(id, 0, sizeof *id);
    snprintf(id->name, sizeof id->name, "%s", dev->spec);
    snprintf(id->spec, sizeof id->spec, "%s", dev->spec);
    snprintf(id->arch, sizeof id->arch, "%s", dev->profile ? dev->profile->arch : "sm_90");
    if (compiler && !dev->profile) compile_arch(NULL, id->arch, &ignored); // clang makes older code
    char of[17] = "";                                                      // of a file that may be another tomorrow
    if (dev->profile && dev->profile->text) {
        struct hash h;
        uint64_t sum[2];
        hash_init(&h);
        hash_text(&h, dev->profile->text);
        hash_final(h, sum);
        snprintf(of, sizeof of, " %08x", (unsigned)sum[0]);
    }
    snprintf(id->identity, sizeof id->identity, "%s %s %s%s", dev->spec, id->arch, compiler ? compiler : "", of);
    id->peak_gbps = dev->profile ? dev->profile->peak_gbps : NAN;
    memory_now(&id->memory_total, &id->memory_free);
}

static size_t facts(struct device *handle, struct arena *a, struct device_fact **out)
{
    struct sim_device *dev = sim_device_of(handle);
    struct device_fact *profile = NULL, *all;
    struct diags why = {0};
    char arch[16] = "";
    const char *wanted = dev->profile ? dev->profile->arch : NULL, *compiler = compile_compiler(&why);
    size_t n = dev->profile ? profile_facts(dev->profile, a, &profile) : 0;
    if (compiler && !compile_arch(wanted, arch, &why)) arch[0] = '\0';
    all = arena_alloc(a, (n + TRAIT_COUNT + 5) * sizeof *all);
    size_t k = 0;
    const char *name = arena_strdup(a, compiler ? compiler : diags_first(&why));
    uint64_t memory, available;
    memory_now(&memory, &available);
    all[k++] = (struct device_fact){"compiler", "", "what compiles its kernels", value_text(name)};
    if (*arch)
        all[k++] = (struct device_fact){"code_arch", "",
            wanted && strcmp(wanted, arch) != 0
                ? "the compiler makes no code for the device itself: registers and occupancy are from this"
                : "what the code is compiled for; registers are from it, if the compiler tells any",
            value_text(arena_strdup(a, arch))};
    all[k++] = (struct device_fact){"threads", "", "of this machine that simulate", value_int(dev->threads)};
    all[k++] = (struct device_fact){
        "host_memory_bytes", "B", "memory of this machine, where buffers lie", value_int((int64_t)memory)};
    if (n) memcpy(all + k, profile, n * sizeof *all);
    // Expressions ask for some: the rules by which it counts are those of this one.
    else n = profile_stand_in(a, all + k);
    diags_clear(&why);
    *out = all;
    return k + n;
}

// Only settings that were set to something: a default asks for nothing.
static void unfit(struct device *handle, const struct job *job, char why[256])
{
    const struct profile *profile = sim_device_of(handle)->profile;
    uint32_t cluster[3];
    why[0] = '\0';
    if (asks_dimensions(job, SETTING_CLUSTER, cluster) && cluster[0] * cluster[1] * cluster[2] > 1 &&
        (!profile || strcmp(profile->arch, "sm_90") < 0))
        snprintf(why, 256, "`cluster` needs a device of compute capability 9.0: -d sim:h200");
    if (*why) return;
    for (int s = 0; s < SETTING_COUNT; s++) {
        const struct value v = job->settings[s];
        LOCAL(str_release) struct str text = {0};
        if (!setting_table[s].needs_cuda || v.kind == VALUE_NONE || value_equal(v, setting_default((enum setting)s)))
            continue;
        if (v.kind == VALUE_INT && v.i == 0) continue; // `persist: 0`
        value_print(v, &text);
        snprintf(why, 256, "`%s: %s` needs a CUDA device", setting_table[s].name, text.text);
        return;
    }
    if (asks_is(job, SETTING_TIMED, "copy") || asks_is(job, SETTING_TIMED, "allocate"))
        snprintf(why, 256, "`timed: %s` runs no kernel: there is nothing to count", asks_text(job, SETTING_TIMED));
    const int64_t streams = asks_whole(job, SETTING_STREAMS, 1);
    if (asks_is(job, SETTING_TIMED, "launch") && streams > 1)
        snprintf(why, 256, "`streams: %lld`: launches at once need a CUDA device", (long long)streams);
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (sim_layout_texture(b)) sim_layout_unfit(job, b, why);
        if (asks_memory_of(b, "pitched") && b->rank == 1)
            snprintf(why, 256, "`memory: pitched`: `%s` has no rows; its `count` is one number", b->name);
        if (*why) return;
    }
}

static void limits(struct device *handle, struct device_limits *l) { sim_limits(sim_device_of(handle), l); }

// What a simulated kernel did wrong ends with its launch.
static bool broken(struct device *handle)
{
    (void)handle;
    return false;
}

static bool prepare(struct device *handle, const struct job *job, double *columns, bool *skip, struct diags *d)
{
    sim_device_of(handle)->each_count = 0;
    sim_device_of(handle)->machine = false;
    sim_places_start(sim_device_of(handle));
    return sim_prepare(sim_device_of(handle), job, columns, skip, d);
}

static void places(struct device *handle, struct device_places *out) { sim_places_tell(sim_device_of(handle), out); }
static void look(struct device *handle, uint64_t instructions, volatile bool *stop)
{
    struct sim_places *p = &sim_device_of(handle)->places;
    p->look = true;
    p->most = instructions;
    p->stop = stop;
}

static bool verify(struct device *handle, struct result_check *v, struct diags *d)
{
    return sim_verify(sim_device_of(handle), v, d);
}

static bool count_accesses(struct device *handle, double *columns, char source[16], struct diags *d)
{
    return sim_count_accesses(sim_device_of(handle), columns, source, d);
}

static bool count_launch(struct device *handle, size_t i, double *columns)
{
    return sim_count_launch(sim_device_of(handle), i, columns);
}

static bool reports(struct device *handle, double *values, struct diags *d)
{
    return sim_reports(sim_device_of(handle), values, d);
}

static void finish(struct device *handle) { sim_finish(sim_device_of(handle)); }

const struct device_ops device_sim = {
    .kind = "sim",
    .forms = "sim or sim:PROFILE (v100, a100, l4, rtx4090, h100, h200)",
    .form = form,
    .instead = "counting on the simulator, which has no times",
    .count = count,
    .spec = list_spec,
    .open = open_device,
    .close = close_device,
    .identity = identity,
    .facts = facts,
    .unfit = unfit,
    .limits = limits,
    .prepare = prepare,
    .verify = verify,
    .count_accesses = count_accesses,
    .count_launch = count_launch,
    .places = places,
    .look = look,
    .reports = reports,
    .finish = finish,
    .broken = broken,
};
