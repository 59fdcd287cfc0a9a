// Hardware counters of one launch, by CUPTI's range profiler. A GPU counts a few things at a time, so the launch is
// repeated in passes; before each one this puts back what the point asks for (contents, managed pages, a flushed L2),
// as before a sample. To make the profiler ready takes longer than all else (150 ms on an H200), and short launches
// take longer while it is: it stays so to the end of its context, in which nothing is timed any more.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "device/cuda/cuda_cupti.h"
#include "spec/columns.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// X(name here, metric). What a chip does not have stays unknown. Accesses to shared memory and their wavefronts are
// those that instructions ask for (SASS). What the memory unit itself counts (UNIT) has the turns too in which an
// access waits for other traffic, and varies from run to run; it alone counts conflicts. Sectors are L1's own: what
// instructions ask for is another number for atomics at one place (2048 of 65536 on an H200) and for cp.async.
#define LSU(what) "l1tex__t_" what ".sum"
#define SASS(what) "smsp__sass_" what ".sum"
#define SECTORS(what) LSU("sectors_pipe_lsu_mem_" what)
#define WAVEFRONTS(op) SASS("l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" op)
#define UNIT(what) "l1tex__data_" what ".sum"
#define METRICS(X) \
    X(LD_REQUESTS, LSU("requests_pipe_lsu_mem_global_op_ld")) \
    X(LD_SECTORS, SECTORS("global_op_ld")) \
    X(ST_REQUESTS, LSU("requests_pipe_lsu_mem_global_op_st")) \
    X(ST_SECTORS, SECTORS("global_op_st")) \
    X(ATOM_REQUESTS, LSU("requests_pipe_lsu_mem_global_op_atom")) \
    X(ATOM_SECTORS, SECTORS("global_op_atom")) \
    X(RED_REQUESTS, LSU("requests_pipe_lsu_mem_global_op_red")) \
    X(RED_SECTORS, SECTORS("global_op_red")) \
    X(LOCAL_LD_REQUESTS, LSU("requests_pipe_lsu_mem_local_op_ld")) \
    X(LOCAL_LD_SECTORS, SECTORS("local_op_ld")) \
    X(LOCAL_ST_REQUESTS, LSU("requests_pipe_lsu_mem_local_op_st")) \
    X(LOCAL_ST_SECTORS, SECTORS("local_op_st")) \
    X(SHARED_LD, SASS("inst_executed_op_shared_ld")) \
    X(SHARED_ST, SASS("inst_executed_op_shared_st")) \
    X(SHARED_ATOM, SASS("inst_executed_op_shared_atom")) \
    X(LD_WAVEFRONTS, WAVEFRONTS("ld")) \
    X(LDSM_WAVEFRONTS, WAVEFRONTS("ldsm")) \
    X(ST_WAVEFRONTS, WAVEFRONTS("st")) \
    X(STSM_WAVEFRONTS, WAVEFRONTS("stsm")) \
    X(ATOM_WAVEFRONTS, WAVEFRONTS("atom")) \
    X(LD_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_ld")) \
    X(ST_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_st")) \
    X(ATOM_TURNS, UNIT("pipe_lsu_wavefronts_mem_shared_op_atom")) \
    X(LD_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_ld")) \
    X(ST_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_st")) \
    X(ATOM_CONFLICTS, UNIT("bank_conflicts_pipe_lsu_mem_shared_op_atom")) \
    X(DRAM_READ, "dram__bytes_read.sum") \
    X(DRAM_WRITE, "dram__bytes_write.sum") \
    X(L2_READ, "lts__t_sectors_srcunit_tex_op_read.sum")

enum metric {
#define X(id, name) METRIC_##id,
    METRICS(X)
#undef X
        METRIC_COUNT
};
static const char *const metric_names[] = {
#define X(id, name) name,
    METRICS(X)
#undef X
};

// Sectors are counted by other means than requests: two kinds in a pass of 24 ms on an H200, where one of the others
// takes 3, and that of L2 and of memory 28. So what the code of the kernel cannot do is 0 without a pass, and a quick
// look has no pass for what nobody asked.
enum { DOES_ATOMICS = 1, USES_LOCAL = 2, ASKS_BEYOND = 4, KINDS = 8 };

static int needed_for(enum metric m)
{
    if (m >= METRIC_ATOM_REQUESTS && m <= METRIC_RED_SECTORS) return DOES_ATOMICS;
    if (m >= METRIC_LOCAL_LD_REQUESTS && m <= METRIC_LOCAL_ST_SECTORS) return USES_LOCAL;
    return m >= METRIC_DRAM_READ ? ASKS_BEYOND : 0;
}

struct counter_set { // what is counted of code of one kind
    void *host;
    const char *names[METRIC_COUNT]; // of those that the chip has
    enum metric which[METRIC_COUNT];
    size_t count;
    uint8_t *config, *data;
    size_t config_bytes, data_bytes;
};

struct cuda_counters {
    struct cupti cupti;
    char why[256], chip[64]; // why there are none; empty: ready
    uint8_t *availability;
    CUpti_RangeProfiler_Object *object; // NULL: the profiler is not ready in this context
    struct counter_set sets[KINDS];
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
            .size = CUPTI_SIZE(cupti_host_properties, type), .host = set->host, .name = metric_names[i]};
        const int need = needed_for((enum metric)i);
        if ((need && !(need & code)) || c->cupti.host_properties(&p) != CUPTI_SUCCESS) continue;
        set->which[set->count] = (enum metric)i;
        set->names[set->count++] = metric_names[i];
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
        if (local || cuda_code_has(d, last, calls)) code |= USES_LOCAL;
        if (cuda_code_has(d, last, atomics)) code |= DOES_ATOMICS;
    }
    return code;
}

static bool read_values(struct cuda_device *d, double values[METRIC_COUNT], struct diags *diags)
{
    struct cuda_counters *c = d->counters;
    const int code = kind_of_code(d);
    struct counter_set *set = &c->sets[code];
    bool ok = (set->config || set_open(c, set, code)) && set_up(d, set, diags), done = false;
    for (int i = 0; ok && !done && i < 64; i++) ok = pass(d, &done, diags);
    CUpti_RangeProfiler_DecodeData_Params decode = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE, .pRangeProfilerObject = c->object};
    ok = ok && !failed(c, c->cupti.decode(&decode), "decoding the counters");
    double raw[METRIC_COUNT];
    struct cupti_host_evaluate evaluate = {.size = CUPTI_SIZE(cupti_host_evaluate, values),
        .host = set->host,
        .image = set->data,
        .bytes = set->data_bytes,
        .names = set->names,
        .count = set->count,
        .values = raw};
    ok = ok && !failed(c, c->cupti.host_evaluate(&evaluate), "evaluating the counters");
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const int need = needed_for((enum metric)i);
        values[i] = need != ASKS_BEYOND && need & ~code ? 0 : NAN;
    }
    for (size_t i = 0; ok && i < set->count; i++) values[set->which[i]] = raw[i];
    return ok;
}

// Of instructions that older chips do not have.
static double present(double count) { return isnan(count) ? 0 : count; }

// The unit's turns less its conflicts are the fewest wavefronts possible: waiting is in both. Its turns also hold
// atomics on global memory.
static double conflicts(double wavefronts, double turns, double in_turns)
{
    return isnan(turns) ? NAN : fmax(0, wavefronts - (turns - in_turns));
}

static void fill_columns(const double v[METRIC_COUNT], double *columns)
{
    columns[COLUMN_LD_REQUESTS] = v[METRIC_LD_REQUESTS];
    columns[COLUMN_LD_SECTORS] = v[METRIC_LD_SECTORS];
    columns[COLUMN_ST_REQUESTS] = v[METRIC_ST_REQUESTS];
    columns[COLUMN_ST_SECTORS] = v[METRIC_ST_SECTORS];
    columns[COLUMN_SECTORS_PER_REQUEST] =
        v[METRIC_LD_REQUESTS] > 0 ? v[METRIC_LD_SECTORS] / v[METRIC_LD_REQUESTS] : NAN;
    columns[COLUMN_ATOMIC_REQUESTS] = v[METRIC_ATOM_REQUESTS] + v[METRIC_RED_REQUESTS];
    columns[COLUMN_ATOMIC_SECTORS] = v[METRIC_ATOM_SECTORS] + v[METRIC_RED_SECTORS];
    columns[COLUMN_LOCAL_REQUESTS] = v[METRIC_LOCAL_LD_REQUESTS] + v[METRIC_LOCAL_ST_REQUESTS];
    columns[COLUMN_LOCAL_SECTORS] = v[METRIC_LOCAL_LD_SECTORS] + v[METRIC_LOCAL_ST_SECTORS];
    columns[COLUMN_SHARED_REQUESTS] = v[METRIC_SHARED_LD] + v[METRIC_SHARED_ST] + v[METRIC_SHARED_ATOM];
    const double loads = v[METRIC_LD_WAVEFRONTS] + present(v[METRIC_LDSM_WAVEFRONTS]);
    const double stores = v[METRIC_ST_WAVEFRONTS] + present(v[METRIC_STSM_WAVEFRONTS]);
    columns[COLUMN_SHARED_WAVEFRONTS] = loads + stores + v[METRIC_ATOM_WAVEFRONTS];
    columns[COLUMN_BANK_CONFLICTS] = conflicts(loads, v[METRIC_LD_TURNS], v[METRIC_LD_CONFLICTS]) +
        conflicts(stores, v[METRIC_ST_TURNS], v[METRIC_ST_CONFLICTS]) +
        conflicts(v[METRIC_ATOM_WAVEFRONTS], v[METRIC_ATOM_TURNS], v[METRIC_ATOM_CONFLICTS]);
    columns[COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST] = v[METRIC_SHARED_LD] > 0 ? loads / v[METRIC_SHARED_LD] : NAN;
    columns[COLUMN_SHARED_ST_WAVEFRONTS_PER_REQUEST] = v[METRIC_SHARED_ST] > 0 ? stores / v[METRIC_SHARED_ST] : NAN;
    columns[COLUMN_DRAM_READ_BYTES] = v[METRIC_DRAM_READ];
    columns[COLUMN_DRAM_WRITE_BYTES] = v[METRIC_DRAM_WRITE];
    columns[COLUMN_L2_READ_SECTORS] = v[METRIC_L2_READ];
}

bool cuda_count(struct cuda_device *d, double *columns, char source[16], struct diags *diags)
{
    double values[METRIC_COUNT];
    if (asks_is(d->point.job, SETTING_TIMED, "copy") || asks_is(d->point.job, SETTING_TIMED, "allocate"))
        return diag_user(diags, (struct where){0}, NULL, "`timed: %s` runs no kernel",
            asks_text(d->point.job, SETTING_TIMED));
    static struct cuda_counters *of_process; // which is of one device
    if (!of_process) of_process = counters_open(d);
    d->counters = of_process;
    if (*d->counters->why) return diag_system(diags, NULL, "%s", d->counters->why);
    if (!read_values(d, values, diags)) {
        if (*d->counters->why) diag_system(diags, NULL, "%s", d->counters->why);
        return false;
    }
    fill_columns(values, columns);
    if (d->point.managed) cuda_counters_off(d); // what counts page faults is another part of CUPTI
    if (d->point.managed && !cuda_faults_count(d, &d->counters->cupti, columns, diags)) return false;
    snprintf(source, 16, "hardware");
    return true;
}
#endif
