// measure/counts.h: which counts a row gets for each `counters` setting, on a device that times and one that does not.
// The timing device is the fake one; the simulator beside it is the real one, on a kernel of 1024 threads that
// copies.
// SPDX-License-Identifier: MIT
#include "measure/counts.h"
#include "measure/measure.h"

#include "unit/reason_here.h"
#include "unit/test.h"

#include "unit/fake_job.h"
#include "spec/columns.h"

static struct job_buffer buffers[] = {{.name = "in",
                                          .as = "in",
                                          .type = "float",
                                          .scalar = "float",
                                          .lanes = 1,
                                          .count = 1024,
                                          .element_bytes = 4,
                                          .bytes = 4096,
                                          .step = 1,
                                          .extent = {1024, 1, 1},
                                          .rank = 1,
                                          .access = ACCESS_READ,
                                          .fill = FILL_RANDOM,
                                          .memory = "device"},
    {.name = "out",
        .as = "out",
        .type = "float",
        .scalar = "float",
        .lanes = 1,
        .count = 1024,
        .element_bytes = 4,
        .bytes = 4096,
        .step = 1,
        .extent = {1024, 1, 1},
        .rank = 1,
        .access = ACCESS_WRITE,
        .fill = FILL_NONE,
        .memory = "device"}};
static const struct job_argument arguments[] = {{.buffer = 0, .report = -1, .name = "in", .type = "const float *"},
    {.buffer = 1, .report = -1, .name = "out", .type = "float *"}};

static int asks; // what the experiment asks of what is counted

static struct job copy_job(const char *counters)
{
    struct job j = fake_job(0);
    for (int s = 0; s < SETTING_COUNT; s++) j.settings[s] = setting_default((enum setting)s);
    j.settings[SETTING_COUNTERS] = value_text(counters);
    j.counts = asks;
    j.path = "kernels/copies.cu";
    j.source = "extern \"C\" __global__ void copies(const float *in, float *out)\n"
               "{ out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; }\n";
    j.entry = "copies";
    j.buffers = buffers;
    j.buffer_count = 2;
    j.arguments = arguments;
    j.argument_count = 2;
    j.grid[0] = 8;
    j.block[0] = 128;
    return j;
}

static void measured(const struct device_ops *ops, const char *spec, const char *counters, struct result *r)
{
    struct job job = copy_job(counters);
    struct diags d = {0};
    struct device *dev = ops->open(spec, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    measure_point(ops, dev, &job, r, NULL);
    ops->close(dev);
    CHECK_INT(r->status,
        ops == &device_sim ? STATUS_UNVERIFIED
                           : STATUS_OK); // the kernel has no check; the file of the fake one says that it held
}

static void timed(const char *counters, struct result *r) { measured(&device_fake, fake_path, counters, r); }

static void timing_device_counts_only_when_asked(void)
{
    struct result r;
    fake_write("count ld_requests 99\n");
    timed("auto", &r);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    timed("none", &r);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    timed("hardware", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 99);
    CHECK_TEXT(r.counts, "hardware");
    CHECK(isnan(r.columns_sim[COLUMN_LD_REQUESTS]));
}

static bool counted_here(const char *counts) // by the simulator: machine code or PTX
{
    return strcmp(counts, "sass") == 0 || strcmp(counts, "ptx") == 0;
}

static void simulator_counts_beside_a_timing_device(void)
{
    struct result r;
    fake_write("time 50\nfact regs 77\ncount ld_requests 99\n");
    timed("sim", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 32);
    CHECK_INT(r.columns[COLUMN_LD_SECTORS], 128);
    CHECK(counted_here(r.counts));
    CHECK_INT(r.columns[COLUMN_REGS], 77); // the facts stay the timing device's
    CHECK(r.columns[COLUMN_TIME_US] > 0);
    timed("both", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 99);
    CHECK_INT(r.columns_sim[COLUMN_LD_REQUESTS], 32);
    CHECK_TEXT(r.counts, "hardware");
}

// Of an H200 the model says beside any counts what it expects. A time outside of that is told; of a GPU that it does
// not know nothing is expected.
static void a_time_is_held_against_the_model(void)
{
    struct result r;
    fake_write("name NVIDIA H200\ntime 50\ncount ld_requests 99\n");
    timed("both", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 99);
    const double us = r.columns[COLUMN_MODEL_US];
    CHECK(us > 1 && us < 10 && r.columns[COLUMN_MODEL_HI_US] < 10);
    counts_beside(&r);
    CHECK(strstr(reason_of(&r), "longer than the model expects (") != NULL);
    r.why = (struct why){0}, r.columns[COLUMN_TIME_US] = 0.1;
    counts_beside(&r);
    CHECK(strstr(reason_of(&r), "shorter than the model expects (") != NULL);
    r.why = (struct why){0}, r.columns[COLUMN_TIME_US] = us;
    counts_beside(&r);
    CHECK_TEXT(reason_of(&r), "");
    fake_write("name NVIDIA Unheard\ntime 50\n");
    timed("sim", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 32);
    CHECK(isnan(r.columns[COLUMN_MODEL_US]) && isnan(r.columns[COLUMN_BOUND_US]));
    counts_beside(&r);
    CHECK_TEXT(reason_of(&r), "");
}

static void simulator_stands_in_where_counters_are_not_permitted(void)
{
    struct result r;
    fake_write("time 50\ncount none\n");
    timed("hardware", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 32);
    CHECK(counted_here(r.counts));
    CHECK(strstr(reason_of(&r), "no hardware counters: its file says that nothing can be counted") != NULL);
    timed("both", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 32);
    CHECK_INT(r.columns_sim[COLUMN_LD_REQUESTS], 32);
    CHECK(counted_here(r.counts));
}

static void simulator_counts_by_itself_unless_told_not_to(void)
{
    struct result r;
    const struct device_ops *sim = &device_sim;
    measured(sim, "sim", "auto", &r);
    CHECK_INT(r.columns[COLUMN_ST_REQUESTS], 32);
    CHECK(counted_here(r.counts));
    CHECK(isnan(r.columns[COLUMN_TIME_US]) && isnan(r.columns[COLUMN_SAMPLES]));
    measured(sim, "sim", "none", &r);
    CHECK(isnan(r.columns[COLUMN_ST_REQUESTS]));
    measured(sim, "sim", "hardware", &r);
    CHECK_INT(r.columns[COLUMN_ST_REQUESTS], 32);
    CHECK(strstr(reason_of(&r), "`counters: hardware` needs a GPU: counted by the simulator") != NULL);
}

// Only what the experiment asks for is counted: by the hardware where it may be asked, else by the simulator, which
// does not have everything.
static void what_is_asked_for_is_counted_and_nothing_else(void)
{
    struct result r;
    fake_write("time 50\ncount ld_requests 99\n");
    asks = COUNTS_ACCESS;
    timed("auto", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 99);
    CHECK_TEXT(r.counts, "hardware");
    timed("none", &r);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    fake_write("time 50\ncount none\n");
    timed("auto", &r);
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 32);
    CHECK(counted_here(r.counts));
    CHECK(r.columns[COLUMN_TIME_US] > 0);
    asks = COUNTS_HARDWARE; // the simulator cannot: it is not asked
    timed("auto", &r);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    CHECK_TEXT(r.counts, "");
    CHECK(strstr(reason_of(&r), "no hardware counters: its file says") != NULL);
    asks = 0;
    timed("auto", &r);
    CHECK_TEXT(r.counts, "");
    CHECK_TEXT(reason_of(&r), "");
}

// A simulation that nobody asked for by name ends with the point's time, and the point keeps its row.
static void a_long_simulation_costs_no_row(void)
{
    struct result r;
    struct diags d = {0}, why = {0};
    struct device *dev = device_fake.open(fake_path, &d);
    double columns[COLUMN_COUNT];
    bool skip;
    asks = COUNTS_ACCESS;
    struct job job = copy_job("auto");
    job.source = "extern \"C\" __global__ void copies(const float *in, float *out)\n"
                 "{ for (unsigned n = 0; n + 1; n++) ((volatile float *)out)[0] = in[0]; }\n";
    CHECK(dev && device_fake.prepare(dev, &job, columns, &skip, &d));
    result_init(&r);
    counts_fill(&device_fake, dev, &(struct device_identity){.timed = true}, &job, &r, 1, &why);
    CHECK(why.count == 2 && strstr(why.items[1].what, "not done in the 1 s that were left of `timeout`") != NULL);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    device_fake.finish(dev);
    device_fake.close(dev);
    diags_clear(&d);
    diags_clear(&why);
    asks = 0;
}

int main(void)
{
    struct diags d = {0};
    if (!compile_compiler(&d)) {
        printf("skipped: %s\n", diags_first(&d));
        diags_clear(&d);
        return 0;
    }
    fake_begin();
    timing_device_counts_only_when_asked();
    simulator_counts_beside_a_timing_device();
    a_time_is_held_against_the_model();
    simulator_stands_in_where_counters_are_not_permitted();
    simulator_counts_by_itself_unless_told_not_to();
    what_is_asked_for_is_counted_and_nothing_else();
    fake_write("time 50\ncount none\n");
    a_long_simulation_costs_no_row();
    fake_end();
    return test_end();
}
