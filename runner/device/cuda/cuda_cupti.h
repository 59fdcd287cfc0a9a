// CUPTI by dlopen: the functions of its range profiler that counting needs. The host half of that interface has a
// header that only C++ can read, so what it passes is declared here: each struct begins with its size, by which the
// library knows its version.
// SPDX-License-Identifier: MIT
#pragma once
#include <cupti_activity.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <stdbool.h>

struct cupti_host_open {
    size_t size;
    void *reserved;
    int profiler; // 0: the range profiler
    const char *chip;
    const uint8_t *availability;
    void *host; // out
};
struct cupti_host_close {
    size_t size;
    void *reserved, *host;
};
struct cupti_host_metrics { // adds metrics to the configuration
    size_t size;
    void *reserved, *host;
    const char **names;
    size_t count;
};
struct cupti_host_properties { // of one metric; an error when the chip has no such metric
    size_t size;
    void *reserved, *host;
    const char *name;
    const char *description, *unit, *dimension; // out
    int type;
};
struct cupti_host_config_size {
    size_t size;
    void *reserved, *host;
    size_t bytes; // out
};
struct cupti_host_config {
    size_t size;
    void *reserved, *host;
    size_t bytes;
    uint8_t *image;
};
struct cupti_host_evaluate {
    size_t size;
    void *reserved, *host;
    const uint8_t *image;
    size_t bytes, range;
    const char **names;
    size_t count;
    double *values;
};
// The size that the library expects ends with the last member, without the padding behind it.
#define CUPTI_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))

// X(member, name in the library, what it takes)
#define CUPTI_FUNCTIONS(X) \
    X(result_string, "cuptiGetResultString", CUptiResult, const char **) \
    X(initialize, "cuptiProfilerInitialize", CUpti_Profiler_Initialize_Params *) \
    X(availability, "cuptiProfilerGetCounterAvailability", CUpti_Profiler_GetCounterAvailability_Params *) \
    X(chip_name, "cuptiDeviceGetChipName", CUpti_Device_GetChipName_Params *) \
    X(host_open, "cuptiProfilerHostInitialize", struct cupti_host_open *) \
    X(host_close, "cuptiProfilerHostDeinitialize", struct cupti_host_close *) \
    X(host_properties, "cuptiProfilerHostGetMetricProperties", struct cupti_host_properties *) \
    X(host_add, "cuptiProfilerHostConfigAddMetrics", struct cupti_host_metrics *) \
    X(host_config_size, "cuptiProfilerHostGetConfigImageSize", struct cupti_host_config_size *) \
    X(host_config, "cuptiProfilerHostGetConfigImage", struct cupti_host_config *) \
    X(host_evaluate, "cuptiProfilerHostEvaluateToGpuValues", struct cupti_host_evaluate *) \
    X(enable, "cuptiRangeProfilerEnable", CUpti_RangeProfiler_Enable_Params *) \
    X(disable, "cuptiRangeProfilerDisable", CUpti_RangeProfiler_Disable_Params *) \
    X(data_size, "cuptiRangeProfilerGetCounterDataSize", CUpti_RangeProfiler_GetCounterDataSize_Params *) \
    X(data_start, "cuptiRangeProfilerCounterDataImageInitialize", \
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params *) \
    X(set_config, "cuptiRangeProfilerSetConfig", CUpti_RangeProfiler_SetConfig_Params *) \
    X(start, "cuptiRangeProfilerStart", CUpti_RangeProfiler_Start_Params *) \
    X(push, "cuptiRangeProfilerPushRange", CUpti_RangeProfiler_PushRange_Params *) \
    X(pop, "cuptiRangeProfilerPopRange", CUpti_RangeProfiler_PopRange_Params *) \
    X(stop, "cuptiRangeProfilerStop", CUpti_RangeProfiler_Stop_Params *) \
    X(decode, "cuptiRangeProfilerDecodeData", CUpti_RangeProfiler_DecodeData_Params *) \
    X(pages_configure, "cuptiActivityConfigureUnifiedMemoryCounter", CUpti_ActivityUnifiedMemoryCounterConfig *, \
        uint32_t) \
    X(activity_hear, "cuptiActivityRegisterCallbacks", CUpti_BuffersCallbackRequestFunc, \
        CUpti_BuffersCallbackCompleteFunc) \
    X(activity_enable, "cuptiActivityEnable", CUpti_ActivityKind) \
    X(activity_disable, "cuptiActivityDisable", CUpti_ActivityKind) \
    X(activity_flush, "cuptiActivityFlushAll", uint32_t) \
    X(activity_next, "cuptiActivityGetNextRecord", uint8_t *, size_t, CUpti_Activity **)

struct cupti {
    void *library;
#define X(member, name, ...) CUptiResult (*member)(__VA_ARGS__);
    CUPTI_FUNCTIONS(X)
#undef X
};
