// For tests with the scripted device: a job that means nothing but may be asked about, a script written to a file, a
// trace read back.
// SPDX-License-Identifier: MIT
#ifndef SCRIPT_JOB_H
#define SCRIPT_JOB_H
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "device/device.h"
#include "plan/job.h"

static struct job_argument script_job_scalars[1]; // "x"
static const struct report_value script_job_reports[] = {{.name = "cycles", .type = "unsigned long long"}};
static struct job_buffer script_job_buffers[1];

// 1e6 useful bytes and 2e6 flops in a warm cache, ten samples to half a percent; tests change what they are about.
static inline struct job script_job(int x)
{
    struct job j = {.experiment = "unit",
        .kernel = "none",
        .path = "none.cu",
        .source = "",
        .entry = "none",
        .grid = {1, 1, 1},
        .block = {32, 1, 1},
        .useful_bytes = 1e6,
        .flops = 2e6};
    script_job_scalars[0] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_int(x), .name = "x", .type = "int"};
    script_job_buffers[0] = (struct job_buffer){.name = "in",
        .type = "float",
        .scalar = "float",
        .lanes = 1,
        .count = 256,
        .element_bytes = 4,
        .bytes = 1024,
        .memory = "device"};
    j.scalars = script_job_scalars;
    j.scalar_count = 1;
    j.buffers = script_job_buffers;
    j.buffer_count = 1;
    j.goals = (struct goals){
        .precision = 0.005, .min_samples = 10, .max_samples = 200, .max_time = 2, .min_sample = 20e-6, .warmup = 1};
    j.settings[SETTING_CACHE] = value_text("warm");
    j.settings[SETTING_TIMEOUT] = value_real(20);
    return j;
}

static char script_folder[] = "/tmp/gpuexp-script-XXXXXX", script_path[64], script_trace[64];

static inline void script_begin(void)
{
    if (!mkdtemp(script_folder)) exit(1);
    snprintf(script_path, sizeof script_path, "%s/script", script_folder);
    snprintf(script_trace, sizeof script_trace, "%s/trace", script_folder);
}

static inline void script_end(void)
{
    unlink(script_path);
    unlink(script_trace);
    rmdir(script_folder);
}

// Writes the script, with a trace into script_trace in front of it; the old trace is gone.
static inline void script_write(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void script_write(const char *fmt, ...)
{
    FILE *f = fopen(script_path, "w");
    va_list args;
    if (!f) exit(1);
    unlink(script_trace);
    fprintf(f, "trace %s\n", script_trace);
    va_start(args, fmt);
    vfprintf(f, fmt, args);
    va_end(args);
    fclose(f);
}

// The trace so far, for the caller to free; "" when there is none.
static inline char *script_traced(void)
{
    struct diags d = {0};
    char *text = file_read(script_trace, 1 << 24, NULL, &d);
    diags_clear(&d);
    return text ? text : calloc(1, 1);
}
#endif
