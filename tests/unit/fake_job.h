// For tests with the fake device: a job that means nothing but may be asked about, a file of statements, a
// trace read back.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "device/device.h"
#include "measure/measure.h"
#include "plan/job.h"
#include "unit/test.h"

static struct job_argument fake_job_scalars[1]; // "x"
static const struct report_value fake_job_reports[] = {{.name = "cycles", .type = "unsigned long long"}};
static const struct job_argument fake_job_arguments[] = {{.buffer = -1, .report = 0, .name = "cycles"}};
static struct job_buffer fake_job_buffers[1];

// 1e6 useful bytes and 2e6 flops in a warm cache, ten samples to half a percent; tests change what they are about.
static inline struct job fake_job(int x)
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
    fake_job_scalars[0] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_int(x), .name = "x", .type = "int"};
    fake_job_buffers[0] = (struct job_buffer){.name = "in",
        .type = "float",
        .scalar = "float",
        .lanes = 1,
        .count = 256,
        .element_bytes = 4,
        .bytes = 1024,
        .memory = "device"};
    j.arguments = fake_job_arguments;
    j.argument_count = 1;
    j.scalars = fake_job_scalars;
    j.scalar_count = 1;
    j.buffers = fake_job_buffers;
    j.buffer_count = 1;
    j.goals = (struct goals){
        .precision = 0.005, .min_samples = 10, .max_samples = 200, .max_time = 2, .min_sample = 20e-6, .warmup = 1};
    j.settings[SETTING_CACHE] = value_text("warm");
    j.settings[SETTING_TIMEOUT] = value_real(20);
    return j;
}

static char fake_folder[] = "/tmp/gpuexp-fake-XXXXXX", fake_path[64], fake_trace[64];

static inline void fake_begin(void)
{
    if (!mkdtemp(fake_folder)) exit(1);
    snprintf(fake_path, sizeof fake_path, "%s/fake", fake_folder);
    snprintf(fake_trace, sizeof fake_trace, "%s/trace", fake_folder);
    if (setenv("GPUEXP_FAKE_TRACE", fake_trace, 1) != 0) exit(1);
}

static inline void fake_end(void)
{
    unlink(fake_path);
    unlink(fake_trace);
    rmdir(fake_folder);
}

// Writes the statements; the old trace is gone.
static inline void fake_write(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void fake_write(const char *fmt, ...)
{
    FILE *f = fopen(fake_path, "w");
    va_list args;
    if (!f) exit(1);
    unlink(fake_trace);
    va_start(args, fmt);
    vfprintf(f, fmt, args);
    va_end(args);
    fclose(f);
}

static struct str *fake_taken; // gets the samples of what is measured; NULL: they are not kept

// A point of the device that does what the statements say.
static inline void fake_measured(const struct job *job, struct result *r)
{
    struct diags d = {0};
    struct device *dev = device_fake.open(fake_path, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    measure_point(&device_fake, dev, job, r, fake_taken);
    device_fake.close(dev);
}

// The trace so far, for the caller to free; "" when there is none.
static inline char *fake_traced(void)
{
    struct diags d = {0};
    char *text = file_read(fake_trace, 1 << 24, NULL, &d);
    diags_clear(&d);
    return text ? text : calloc(1, 1);
}
