// The CUDA backend: its table of operations, and opening and closing a GPU. Built without the CUDA Toolkit, the table
// is there all the same and its `count` says why there is no device.
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_which.h"
#include "device/device.h"

#include <stdio.h>
#include <string.h>

static void spec_of(int i, char spec[32]) { snprintf(spec, 32, "cuda:%d", i); }

// Which numbers and UUIDs there are, `open` says.
static bool form(const char *rest)
{
    if (!rest || strcmp(rest, "all") == 0) return rest;
    if (cuda_which_uuid(rest)) return true;
    return *rest && strlen(rest) < 4 && !rest[strspn(rest, "0123456789")];
}

// What holds with and without the Toolkit.
#define SPECS \
    .kind = "cuda", .forms = "cuda:0 (or another number, or a UUID), cuda:all", .form = form, \
    .visible = "CUDA_VISIBLE_DEVICES", .spec = spec_of

#ifndef GPUEXP_HAVE_CUDA
static int count(char why[256])
{
    snprintf(why, 256, "this gpuexp was built without the CUDA Toolkit");
    return 0;
}

static struct device *open_none(const char *spec, struct diags *diags)
{
    diag_system(diags, "build it where the CUDA Toolkit is, or use `-d sim`",
        "`%s`: this gpuexp was built without the CUDA Toolkit", spec);
    return NULL;
}

const struct device_ops device_cuda = {SPECS, .count = count, .open = open_none};
#else
#include "base/child.h"
#include "base/outside.h"
#include "device/cuda/cuda.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct answer {
    int count;
    char why[256];
};

static void ask_runtime(const void *unused, void *answer)
{
    struct answer *a = answer;
    (void)unused;
    cudaError_t error = cudaGetDeviceCount(&a->count);
    if (!error && a->count > 0) return;
    static const cudaError_t passing[] = {cudaErrorMemoryAllocation, cudaErrorOperatingSystem, cudaErrorSystemNotReady};
    a->count = 0;
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (error == passing[i]) a->count = -1;
    if (!error || error == cudaErrorNoDevice)
        snprintf(a->why, sizeof a->why, "no NVIDIA GPU can be seen here (CUDA_VISIBLE_DEVICES, nvidia-smi)");
    else if (error == cudaErrorInsufficientDriver)
        snprintf(a->why, sizeof a->why, "the NVIDIA driver is older than CUDA %d.%d, which this gpuexp was built with",
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    else snprintf(a->why, sizeof a->why, "%s: %s", cudaGetErrorName(error), cudaGetErrorString(error));
}

// Without a driver nothing is asked of CUDA at all. False: there is none, or it cannot be told.
static bool has_driver(struct answer *a)
{
    bool unsure = false;
    void *library = dynamic_open("libcuda.so.1", a->why, &unsure);
    a->count = unsure ? -1 : 0;
    if (library) dlclose(library);
    else if (!unsure) snprintf(a->why, sizeof a->why, "there is no NVIDIA driver here (libcuda.so.1 cannot be loaded)");
    return library;
}

// As the environment had it when this process began: a slice is chosen by it.
static const char *visible(void)
{
    static char list[4096];
    static bool read;
    const char *now = getenv(device_cuda.visible);
    if (!read && now) snprintf(list, sizeof list, "%s", now);
    read = true;
    return *list || now ? list : NULL;
}

static int count(char why[256])
{
    static struct answer known;
    static bool asked;
    if (!asked) {
        asked = true;
        const int slices = cuda_which_slices(visible());
        const bool driver = has_driver(&known);
        if (driver && device_in_own_process()) ask_runtime(NULL, &known);
        else if (driver && !apart_ask(ask_runtime, NULL, &known, sizeof known)) {
            known.count = -1;
            snprintf(known.why, sizeof known.why, "%s",
                errno == ECHILD ? "the process that asked the NVIDIA driver was killed" : strerror(errno));
        }
        if (known.count > 0 && slices > known.count) known.count = slices; // CUDA shows one at a time
    }
    snprintf(why, 256, "%s", known.why);
    return known.count;
}

static int glance(void) { return cuda_nvml_count(visible()); }

static struct cuda_device *own(struct device *handle) { return (struct cuda_device *)handle; }

// As nvidia-smi writes it.
static void uuid_text(const struct cudaDeviceProp *p, char text[48])
{
    char *at = text + sprintf(text, cuda_which_slice_name(p->name) ? "MIG-" : "GPU-");
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)p->uuid.bytes[i]);
}

// What this process sees of GPUs from now on is that slice alone.
static bool choose_slice(const char *spec, const char *uuid, struct diags *diags)
{
    int seen = 0;
    if (!cuda_which_may(visible(), uuid))
        return diag_system(diags, "name it in CUDA_VISIBLE_DEVICES, or leave that out",
            "`%s`: CUDA_VISIBLE_DEVICES is %s", spec, visible());
    setenv(device_cuda.visible, uuid, 1);
    if (!cudaGetDeviceCount(&seen) && seen > 0) return true;
    return diag_system(diags, "`nvidia-smi -L` lists slices", "`%s`: no such slice of a GPU can be seen here", spec);
}

static bool find_uuid(const char *spec, int n, int *ordinal, struct diags *diags)
{
    const char *uuid = spec + strlen("cuda:");
    for (int i = 0; i < n; i++) {
        struct cudaDeviceProp p;
        char text[48];
        if (cudaGetDeviceProperties(&p, i)) continue;
        uuid_text(&p, text);
        if (strncmp(text, uuid, strlen(uuid)) == 0) return *ordinal = i, true;
    }
    return diag_system(diags, "`nvidia-smi -L` lists them; CUDA_VISIBLE_DEVICES may leave it out",
        "`%s`: no such GPU can be seen here", spec);
}

static bool ordinal_of(const char *spec, int *ordinal, struct diags *diags)
{
    char why[256], slice[CUDA_UUID], *end = NULL;
    if (strcmp(spec, "cuda") == 0 || strcmp(spec, "auto") == 0) spec = "cuda:0";
    const char *rest = strncmp(spec, "cuda:", 5) == 0 ? spec + 5 : "";
    const bool sliced = cuda_which_slice(visible(), atoi(rest), slice), named = cuda_which_uuid(rest);
    if (named && strncmp(rest, "MIG-", 4) == 0) snprintf(slice, sizeof slice, "%s", rest);
    if ((named ? strncmp(rest, "MIG-", 4) == 0 : sliced) && device_in_own_process()) {
        *ordinal = 0;
        return choose_slice(spec, slice, diags);
    }
    const int n = count(why);
    if (n <= 0) return diag_system(diags, "`-d sim` counts accesses without a GPU", "`%s`: %s", spec, why);
    if (named) return find_uuid(spec, n, ordinal, diags);
    const long i = strncmp(spec, "cuda:", 5) == 0 ? strtol(spec + 5, &end, 10) : -1;
    if (!end || end == spec + 5 || *end || i < 0)
        return diag_user(diags, (struct where){0}, NULL, "`%s`: a CUDA device is cuda:0, cuda:1, ...", spec);
    if (i >= n)
        return diag_system(diags, NULL, "`%s`: there %s %d GPU%s here", spec, n == 1 ? "is" : "are", n,
            n == 1 ? "" : "s");
    *ordinal = (int)i;
    return true;
}

static double best_mhz; // of this process's contexts: what clock_rule has seen

static void close_cuda(struct cuda_device *d)
{
    best_mhz = d->timing.clock.best_mhz;
    if (!d->broken) {
        cuda_finish(d);
        cudaStreamSynchronize(d->stream);
    }
    cuda_counters_off(d);
    cuda_blocks_free(d, true);
    cuda_variables_free(&d->loaded);
    cuda_variables_free(&d->contract);
    if (d->helpers.module) d->driver.cuModuleUnload(d->helpers.module);
    if (d->loaded.module) d->driver.cuModuleUnload(d->loaded.module);
    if (d->loaded.given) d->driver.cuModuleUnload(d->loaded.given);
    if (d->contract.module) d->driver.cuModuleUnload(d->contract.module);
    code_free(d->loaded.code);
    code_free(d->contract.code);
    cudaFree(d->scratch);
    cudaFree(d->checked.result);
    cudaFreeHost((void *)(uintptr_t)d->timing.flag);
    cudaEvent_t events[] = {d->timing.start, d->timing.stop, d->fan.fork};
    for (size_t i = 0; i < 3; i++)
        if (events[i]) cudaEventDestroy(events[i]);
    for (int i = 0; i < CUDA_STREAMS; i++) {
        if (d->fan.join[i]) cudaEventDestroy(d->fan.join[i]);
        if (d->fan.streams[i]) cudaStreamDestroy(d->fan.streams[i]);
    }
    if (d->stream) cudaStreamDestroy(d->stream);
    cuda_nvml_close(&d->nvml);
    const int peer = d->blocks.peered ? cuda_memory_peer(d) : -1;
    if (peer >= 0 && !cudaSetDevice(peer)) cudaDeviceReset();
    if (peer >= 0) cudaSetDevice(d->ordinal);
    // The context goes too: what it drew must not live on in the next. That takes 55 ms on an H200, and the next one
    // 115: no less where another context stays meanwhile, and no less side by side.
    cudaDeviceReset();
    free(d);
}

// What every point needs: streams, events, the gate's flag and the stamps in host memory, the scratch that flushes L2.
static bool furnish(struct cuda_device *d, struct diags *diags)
{
    void *host = NULL, *seen = NULL;
    const size_t found_bytes = (CHECK_WORDS + 4 * CUDA_BUFFERS) * sizeof *d->checked.result;
    d->scratch_bytes = 2 * (size_t)d->prop.l2CacheSize;
    if (d->scratch_bytes < (size_t)1 << 20) d->scratch_bytes = (size_t)1 << 20;
    if (!cuda_ok(d, cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), diags, "making a stream") ||
        !cuda_ok(d, cudaEventCreate(&d->timing.start), diags, "making an event") ||
        !cuda_ok(d, cudaEventCreate(&d->timing.stop), diags, "making an event") ||
        !cuda_ok(d, cudaEventCreateWithFlags(&d->fan.fork, cudaEventDisableTiming), diags, "making an event") ||
        !cuda_ok(d, cudaHostAlloc(&host, 256 + found_bytes, cudaHostAllocMapped), diags, "allocating the gate"))
        return false;
    memset(host, 0, 256);
    cuda_pad(d);
    d->timing.flag = host;
    d->timing.stamps = (struct clock_stamp *)((char *)host + 128);
    d->checked.found = (uint64_t *)((char *)host + 256);
    if (!cuda_ok(d, cudaHostGetDevicePointer(&seen, host, 0), diags, "mapping the gate")) return false;
    d->timing.flag_device = seen;
    d->timing.stamps_device = (struct clock_stamp *)((char *)seen + 128);
    return cuda_ok(d, cudaMalloc(&d->scratch, d->scratch_bytes), diags, "allocating %zu bytes to flush L2 with",
               d->scratch_bytes) &&
        cuda_ok(d, cudaMemset(d->scratch, 1, d->scratch_bytes), diags, "filling the scratch") &&
        cuda_ok(d, cudaMalloc((void **)&d->checked.result, found_bytes), diags, "allocating what was checked") &&
        (d->checked.digests = d->checked.result + CHECK_WORDS);
}

// Others' work would run beside, on the same SMs, and nothing here would know.
static bool is_shared(const struct cuda_device *d, struct diags *diags)
{
    enum { MPS_ENABLED = 133 }; // an attribute since CUDA 12.4; a driver before that knows none
    if (!cuda_attribute(d, (enum cudaDeviceAttr)MPS_ENABLED)) return false;
    diag_system(diags, "go round it: CUDA_MPS_PIPE_DIRECTORY=/nowhere gpuexp ...",
        "%s is shared by MPS: others' work may run beside, and its times would not be its own", d->spec);
    return true;
}

static struct device *open_cuda(const char *spec, struct diags *diags)
{
    int ordinal = 0;
    cuda_nvml_begin();
    if (!ordinal_of(spec, &ordinal, diags)) return NULL;
    struct cuda_device *d = mem_alloc(sizeof *d);
    d->ordinal = ordinal;
    d->timing.clock.max_mhz = NAN;
    d->timing.clock.best_mhz = best_mhz;
    spec_of(ordinal, d->spec);
    bool ok = cuda_ok(d, cudaSetDevice(ordinal), diags, "opening %s", d->spec) &&
        cuda_ok(d, cudaFree(NULL), diags, "opening %s", d->spec) && // makes the context
        cuda_ok(d, cudaGetDeviceProperties(&d->prop, ordinal), diags, "asking what %s is", d->spec) &&
        cuda_ok(d, cudaDeviceGetPCIBusId(d->bus, sizeof d->bus, ordinal), diags, "asking where %s is", d->spec) &&
        cuda_driver_load(&d->driver, diags) && !is_shared(d, diags) && furnish(d, diags);
    if (!ok) {
        close_cuda(d);
        return NULL;
    }
    uuid_text(&d->prop, d->uuid);
    if (cuda_nvml_open(&d->nvml, d->uuid, d->bus))
        cuda_nvml_max_clock(&d->nvml, CUDA_CLOCK_SM, &d->timing.clock.max_mhz);
    return (struct device *)d;
}

static void identify(struct cuda_device *d, struct device_identity *id)
{
    *id = (struct device_identity){.timed = true, .draws = true, .places = true, .peak_gbps = cuda_peak_gbps(d)};
    char driver[80] = "";
    if (!cuda_nvml_driver(&d->nvml, driver, sizeof driver)) {
        int version = 0;
        cudaDriverGetVersion(&version);
        snprintf(driver, sizeof driver, "for CUDA %d.%d", version / 1000, version % 1000 / 10);
    }
    snprintf(id->name, sizeof id->name, "%.95s", d->prop.name);
    snprintf(id->spec, sizeof id->spec, "%s", d->spec);
    snprintf(id->arch, sizeof id->arch, "sm_%d%d", d->prop.major, d->prop.minor);
    snprintf(id->identity, sizeof id->identity, "%.80s, driver %.40s, %s", d->prop.name, driver, id->arch);
    size_t available = 0, total = 0;
    cudaMemGetInfo(&available, &total);
    id->memory_free = available;
    id->memory_total = total;
    cuda_limits_text(d, id->limits, sizeof id->limits);
}

static void identity(struct device *handle, struct device_identity *id)
{
    struct cuda_device *d = own(handle);
    if (!*d->identity.name) identify(d, &d->identity);
    *id = d->identity;
}

static void close_handle(struct device *d) { close_cuda(own(d)); }
static bool broken(struct device *d) { return own(d)->broken != cudaSuccess; }
static bool stale(struct device *d, const struct job *job)
{
    return job->does == DOES_COUNTS ? cuda_counters_spent() : cuda_window_stale(own(d), job);
}

static void unfit(struct device *d, const struct job *job, char why[256]) { cuda_unfit(own(d), job, why); }
static void limits(struct device *d, struct device_limits *l) { cuda_limits(own(d), l); }
static void finish(struct device *d) { cuda_finish(own(d)); }

static size_t facts(struct device *d, struct arena *a, struct device_fact **all) { return cuda_facts(own(d), a, all); }

static bool prepare(struct device *d, const struct job *job, double *columns, bool *skip, struct diags *diags)
{
    return cuda_prepare(own(d), job, columns, skip, diags);
}

static bool verify(struct device *d, struct result_check *v, struct diags *diags)
{
    return cuda_verify(own(d), v, diags);
}

static bool check(struct device *d, const struct device_look *look, struct result_check *v, struct diags *diags)
{
    return cuda_look(own(d), look, v, diags);
}

static bool renew(struct device *d, uint64_t seed, const struct device_look *look, enum device_inputs *inputs,
    struct diags *diags)
{
    return cuda_renew(own(d), seed, look, inputs, diags);
}

static bool count_accesses(struct device *d, double *columns, char source[16], struct diags *diags)
{
    return cuda_count(own(d), columns, source, diags);
}

static bool restore(struct device *d, struct diags *diags) { return cuda_restore(own(d), diags); }
static bool flush(struct device *d, struct diags *diags) { return cuda_flush(own(d), diags); }
static bool stir(struct device *d, double wait_us, unsigned launches, struct diags *diags)
{
    return cuda_stir(own(d), wait_us, launches, diags);
}

static bool move(struct device *d, struct diags *diags) { return cuda_move(own(d), diags); }
static bool rest(struct device *d, double seconds, struct diags *diags) { return cuda_rest(own(d), seconds, diags); }

static bool begin(struct device *d, struct diags *diags) { return cuda_begin(own(d), diags); }
static bool submit(struct device *d, struct diags *diags) { return cuda_submit(own(d), diags); }
static bool end(struct device *d, struct diags *diags) { return cuda_end(own(d), diags); }
static bool wait(struct device *d, struct sample *s, struct diags *diags) { return cuda_wait(own(d), s, diags); }

static bool reports(struct device *d, double *values, struct diags *diags)
{
    return cuda_reports(own(d), values, diags);
}

const struct device_ops device_cuda = {
    SPECS,
    .count = count,
    .glance = glance,
    .open = open_cuda,
    .close = close_handle,
    .identity = identity,
    .facts = facts,
    .unfit = unfit,
    .limits = limits,
    .prepare = prepare,
    .verify = verify,
    .check = check,
    .renew = renew,
    .count_accesses = count_accesses,
    .restore = restore,
    .flush = flush,
    .stir = stir,
    .move = move,
    .rest = rest,
    .begin = begin,
    .submit = submit,
    .end = end,
    .wait = wait,
    .reports = reports,
    .finish = finish,
    .broken = broken,
    .stale = stale,
};
#endif
