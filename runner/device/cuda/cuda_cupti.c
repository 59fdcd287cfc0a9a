// Hardware counters of one launch, by CUPTI's range profiler. A GPU counts a few things at a time, so the launch is
// repeated in passes. Before each pass this puts back what the point asks for (contents, managed pages, a flushed L2),
// as before a sample. To make the profiler ready takes longer than all else (150 ms on an H200). Short launches take
// longer from then on. So it stays ready to the end of its context, in which nothing is timed any more.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda_cupti.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/toolkit.h"
#include "device/cuda/cuda.h"
#include "device/cuda/cuda_metrics.h"

// Finds CUPTI, in the places of base/toolkit.txt, and with it what it loads itself.

// Every function, or the first that is missing.
static const char *bind(struct cupti *c)
{
    static const char *const names[] = {
#define X(member, name, ...) name,
        CUPTI_FUNCTIONS(X)
#undef X
    };
    void **functions =
        (void **)((char *)c + sizeof c->library); // one pointer after another: the struct is made from the same list
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(c->library, names[i]))) return names[i];
    return NULL;
}

// False: `why` says what is missing and what to install.
// `why` is empty when it is there
static bool cuda_cupti_load(struct cupti *c, char why[256])
{
    struct arena *a = arena_new();
    c->library = NULL;
    *why = '\0';
    for (const char *const *file = toolkit_libraries("cupti", a); *file && !c->library; file++) {
        if (!(c->library = dlopen(*file, RTLD_NOW | RTLD_GLOBAL))) continue;
        const char *lacks = bind(c), *slash = strrchr(*file, '/');
        if (lacks) {
            snprintf(why, 256, "this CUPTI has no %s: the CUDA Toolkit 12.8 or newer has it", lacks);
            dlclose(c->library);
            c->library = NULL;
        } else if (slash) { // CUPTI loads this one by its bare name when it is first asked for metrics
            dlopen(arena_printf(a, "%.*s/libnvperf_host.so", (int)(slash - *file), *file), RTLD_NOW | RTLD_GLOBAL);
        }
    }
    arena_free(a);
    if (c->library) *why = '\0'; // of one that was tried before
    else if (!*why)
        snprintf(why, 256,
            "CUPTI (libcupti.so, part of the CUDA Toolkit) cannot be loaded; set CUDA_HOME or LD_LIBRARY_PATH");
    return c->library;
}

struct counter_set { // what is counted of code of one kind
    void *host;
    const char *names[METRIC_COUNT]; // of those that the chip has
    size_t which[METRIC_COUNT];
    size_t count;
    uint8_t *config, *data;
    size_t config_bytes, data_bytes;
};

struct cuda_counters {
    struct cupti cupti;
    char why[256], chip[64]; // why there are none; empty: ready
    uint8_t *availability;
    CUpti_RangeProfiler_Object *object; // NULL: the profiler is not ready in this context
    struct counter_set sets[CODE_KINDS];
    const struct counter_set *sized; // the one whose data the profiler knows the size of
};

static bool failed(struct cuda_counters *c, CUptiResult error, const char *doing)
{
    if (error == CUPTI_SUCCESS) return false;
    const char *name = "";
    if (error == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
        error == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
        snprintf(c->why, sizeof c->why,
            "ERR_NVGPUCTRPERM: the driver lets only administrators read this GPU's counters "
            "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)");
        return true;
    }
    c->cupti.result_string(error, &name);
    snprintf(c->why, sizeof c->why, "hardware counters: %s: %s", doing, name);
    return true;
}

// Which counters this chip lets us read: newer chips than the library knows need it.
static void read_availability(struct cuda_counters *c)
{
    CUpti_Profiler_GetCounterAvailability_Params p = {
        .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
    if (c->cupti.availability(&p) != CUPTI_SUCCESS || !p.counterAvailabilityImageSize) return;
    c->availability = mem_alloc(p.counterAvailabilityImageSize);
    p.pCounterAvailabilityImage = c->availability;
    if (c->cupti.availability(&p) == CUPTI_SUCCESS) return;
    free(c->availability);
    c->availability = NULL;
}

static bool set_choose(struct cuda_counters *c, struct counter_set *set, int code)
{
    struct cupti_host_open open = {
        .size = CUPTI_SIZE(cupti_host_open, host), .chip = c->chip, .availability = c->availability};
    if (failed(c, c->cupti.host_open(&open), "opening the metrics of this chip")) return false;
    set->host = open.host;
    set->count = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        struct cupti_host_properties p = {
            .size = CUPTI_SIZE(cupti_host_properties, type), .host = set->host, .name = cuda_metrics[i]};
        if (!cuda_metrics_wanted(i, code) || c->cupti.host_properties(&p) != CUPTI_SUCCESS) continue;
        set->which[set->count] = i;
        set->names[set->count++] = cuda_metrics[i];
    }
    struct cupti_host_metrics add = {
        .size = CUPTI_SIZE(cupti_host_metrics, count), .host = set->host, .names = set->names, .count = set->count};
    return !failed(c, c->cupti.host_add(&add), "choosing metrics");
}

// A chip that the library knows needs no look at what it has, which takes 130 ms.
static bool set_open(struct cuda_counters *c, struct counter_set *set, int code)
{
    if (!set_choose(c, set, code)) {
        if (c->availability) return false;
        read_availability(c);
        *c->why = '\0';
        if (!set_choose(c, set, code)) return false;
    }
    struct cupti_host_config_size size = {.size = CUPTI_SIZE(cupti_host_config_size, bytes), .host = set->host};
    if (failed(c, c->cupti.host_config_size(&size), "making a configuration")) return false;
    set->config_bytes = size.bytes;
    set->config = mem_alloc(size.bytes);
    struct cupti_host_config config = {
        .size = CUPTI_SIZE(cupti_host_config, image), .host = set->host, .bytes = size.bytes, .image = set->config};
    return !failed(c, c->cupti.host_config(&config), "making a configuration");
}

static struct cuda_counters *counters_open(struct cuda_device *d)
{
    struct cuda_counters *c = mem_alloc(sizeof *c);
    if (!cuda_cupti_load(&c->cupti, c->why)) return c;
    CUpti_Profiler_Initialize_Params init = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CUpti_Device_GetChipName_Params chip = {.structSize = sizeof chip, .deviceIndex = (size_t)d->ordinal};
    if (failed(c, c->cupti.initialize(&init), "starting CUPTI") ||
        failed(c, c->cupti.chip_name(&chip), "naming the chip"))
        return c;
    snprintf(c->chip, sizeof c->chip, "%s", chip.pChipName);
    return c;
}

// What instructions ask for is counted by code that CUPTI puts into each module. It keeps hold of them: a process that
// unloads one, or makes the profiler ready a second time, dies some points later of a segmentation fault (seen on an
// H200, driver 580.159.04).
static bool spent;

// The profiler goes with the context; what was learned of the chip stays for the next one of this process.
void cuda_counters_off(struct cuda_device *d)
{
    struct cuda_counters *c = d->counters;
    if (!c || !c->object) return;
    CUpti_RangeProfiler_Disable_Params disable = {
        .structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE, .pRangeProfilerObject = c->object};
    if (!d->broken) c->cupti.disable(&disable);
    c->object = NULL;
    c->sized = NULL;
    d->counting = false;
    spent = true;
}

bool cuda_counters_spent(void) { return spent; }

// Readies the profiler for this context, and this set for the next passes.
static bool set_up(struct cuda_device *d, struct counter_set *set, struct diags *diags)
{
    struct cuda_counters *c = d->counters;
    CUcontext context = NULL;
    if (!cuda_ok_driver(d, d->driver.cuCtxGetCurrent(&context), diags, "finding the context")) return false;
    CUpti_RangeProfiler_Enable_Params enable = {
        .structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};
    if (!c->object && failed(c, c->cupti.enable(&enable), "enabling the profiler")) return false;
    if (!c->object) c->object = enable.pRangeProfilerObject;
    d->counting = true;
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->object,
        .pMetricNames = set->names,
        .numMetrics = set->count,
        .maxNumOfRanges = 1,
        .maxNumRangeTreeNodes = 1};
    // The profiler readies the data for those metrics whose size it was asked for last, not for those of the
    // configuration: other ones it fails at, or leaves out.
    if (set != c->sized) {
        c->sized = NULL;
        if (failed(c, c->cupti.data_size(&size), "sizing the counter data")) return false;
        if (set->data_bytes != size.counterDataSize) {
            free(set->data);
            set->data = mem_alloc(set->data_bytes = size.counterDataSize);
        }
        c->sized = set;
    }
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params begin = {
        .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->object,
        .counterDataSize = set->data_bytes,
        .pCounterData = set->data};
    CUpti_RangeProfiler_SetConfig_Params config = {.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->object,
        .configSize = set->config_bytes,
        .pConfig = set->config,
        .counterDataImageSize = set->data_bytes,
        .pCounterDataImage = set->data,
        .range = CUPTI_UserRange,
        .replayMode = CUPTI_UserReplay,
        .maxRangesPerPass = 1,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
        .passIndex = 0,
        .targetNestingLevel = 1};
    return !failed(c, c->cupti.data_start(&begin), "clearing the counter data") &&
        !failed(c, c->cupti.set_config(&config), "configuring");
}

// One pass; `done` when it was the last.
static bool pass(struct cuda_device *d, bool *done, struct diags *diags)
{
    struct cuda_counters *c = d->counters;
    CUpti_RangeProfiler_Object *object = c->object;
    CUpti_RangeProfiler_Start_Params start = {
        .structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE, .pRangeProfilerObject = object};
    CUpti_RangeProfiler_PushRange_Params push = {.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = object,
        .pRangeName = "launch"};
    CUpti_RangeProfiler_PopRange_Params pop = {
        .structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE, .pRangeProfilerObject = object};
    CUpti_RangeProfiler_Stop_Params stop = {
        .structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE, .pRangeProfilerObject = object};
    if (failed(c, c->cupti.start(&start), "starting a pass")) return false;
    bool ok = cuda_restore(d, diags) && (asks_is(d->point.job, SETTING_CACHE, "warm") || cuda_flush(d, diags)) &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "preparing a counting pass");
    ok = ok && !failed(c, c->cupti.push(&push), "opening the range") && cuda_submit_kernel(d, diags) &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running `%s` in a counting pass", d->point.job->entry) &&
        !failed(c, c->cupti.pop(&pop), "closing the range");
    ok = !failed(c, c->cupti.stop(&stop), "ending a pass") && ok;
    *done = stop.isAllPassSubmitted;
    return ok;
}

// A quick look is asked for by name to count what its file makes nothing of.
static bool asks_beyond(const struct job *job)
{
    const char *asked = asks_text(job, SETTING_COUNTERS);
    return job->contexts > 1 || job->counts & COUNTS_HARDWARE || strcmp(asked, "hardware") == 0 ||
        strcmp(asked, "both") == 0;
}

// What the point's kernels do, as compiled.
static int kind_of_code(struct cuda_device *d)
{
    static const char *const atomics[] = {"atom", "red", "tensormap", "call", NULL}, *const calls[] = {"call", NULL};
    const struct cuda_point *p = &d->point;
    const char *last = "";
    int code = asks_beyond(p->job) ? ASKS_BEYOND : 0;
    for (size_t i = 0; i < job_launches(p->job); i++) {
        const struct job_launch launch = job_launch(p->job, i);
        if (strcmp(launch.entry, last) == 0) continue;
        last = launch.entry;
        const CUfunction f = i ? p->then[i - 1].kernel : p->kernel;
        int local = 1;
        if (d->driver.cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f)) local = 1;
        int shared = 1;
        if (d->driver.cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f)) shared = 1;
        if (shared || launch.shared) code |= USES_SHARED;
        if (local || cuda_code_has(d, last, calls)) code |= USES_LOCAL;
        if (cuda_code_has(d, last, atomics)) code |= DOES_ATOMICS;
    }
    return code;
}

static bool read_columns(struct cuda_device *d, double *columns, struct diags *diags)
{
    struct cuda_counters *c = d->counters;
    const int code = kind_of_code(d);
    struct counter_set *set = &c->sets[code];
    bool ok = (set->config || set_open(c, set, code)) && set_up(d, set, diags), done = false;
    for (int i = 0; ok && !done && i < 64; i++) ok = pass(d, &done, diags);
    CUpti_RangeProfiler_DecodeData_Params decode = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE, .pRangeProfilerObject = c->object};
    ok = ok && !failed(c, c->cupti.decode(&decode), "decoding the counters");
    double raw[METRIC_COUNT], values[METRIC_COUNT];
    struct cupti_host_evaluate evaluate = {.size = CUPTI_SIZE(cupti_host_evaluate, values),
        .host = set->host,
        .image = set->data,
        .bytes = set->data_bytes,
        .names = set->names,
        .count = set->count,
        .values = raw};
    ok = ok && !failed(c, c->cupti.host_evaluate(&evaluate), "evaluating the counters");
    for (size_t i = 0; i < METRIC_COUNT; i++) values[i] = NAN;
    for (size_t i = 0; ok && i < set->count; i++) values[set->which[i]] = raw[i];
    if (ok) cuda_metrics_columns(values, code, columns);
    return ok;
}

bool cuda_count(struct cuda_device *d, double *columns, char source[16], struct diags *diags)
{
    if (asks_is(d->point.job, SETTING_TIMED, "copy") || asks_is(d->point.job, SETTING_TIMED, "allocate"))
        return diag_user(diags, (struct where){0}, NULL, "`timed: %s` runs no kernel",
            asks_text(d->point.job, SETTING_TIMED));
    static struct cuda_counters *of_process; // which is of one device
    if (!of_process) of_process = counters_open(d);
    d->counters = of_process;
    if (*d->counters->why) return diag_system(diags, NULL, "%s", d->counters->why);
    if (!read_columns(d, columns, diags)) {
        if (*d->counters->why) diag_system(diags, NULL, "%s", d->counters->why);
        return false;
    }
    if (d->point.managed) cuda_counters_off(d); // what counts page faults is another part of CUPTI
    if (d->point.managed && !cuda_faults_count(d, &d->counters->cupti, columns, diags)) return false;
    snprintf(source, 16, "hardware");
    return true;
}

#endif
