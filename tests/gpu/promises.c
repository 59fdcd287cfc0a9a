// What the CUDA device promises of a sample, on a real GPU: the gate keeps the host's time out of it, the flush empties
// L2, restoring takes persisting lines away, and a sample at a low clock is thrown away. Exit 77 without a GPU; 1 when
// a promise does not hold. Every number that a verdict rests on is printed with it.
// SPDX-License-Identifier: MIT
#include "device/device.h"
#include "spec/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLOATS = 1 << 20, STEPS = 4096, STEP = FLOATS / STEPS, SAMPLES = 9 };

// One thread reads 4096 places of 4 MiB, each after it has the one before: some 270 cycles each from L2, some 640 from
// memory. L1 is passed by.
static const char source[] =
    "extern \"C\" __global__ void work(const float *in, float *out, size_t n, size_t step)\n"
    "{\n"
    "    unsigned j = 0;\n"
    "    for (int k = 0; k < 4096; k++) j = (j + (unsigned)step + (__ldcg(in + j) > 2.0f)) % (unsigned)n;\n"
    "    out[0] = j;\n"
    "}\n";

static const struct device_ops *const ops = &device_cuda;
static struct device *dev;
static int bad;
static double best_mhz; // of all samples of this process: what the rule measures against
static int throttled, judged;

static void verdict(bool good, const char *what)
{
    printf("%-4s %s\n", good ? "ok" : "BAD", what);
    fflush(stdout);
    bad += !good;
}

static bool said(struct diags *d, const char *what)
{
    if (!d->count) return true;
    printf("     %s: %s\n", what, diags_first(d));
    const bool good = !diags_errors(d);
    diags_clear(d);
    return good;
}

struct chase {
    struct job job;
    struct job_buffer buffers[2];
    struct job_argument arguments[4];
};

static void chase(struct chase *c)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 2; i++)
        c->buffers[i] = (struct job_buffer){.name = i ? "out" : "in",
            .type = "float",
            .scalar = "float",
            .lanes = 1,
            .count = FLOATS,
            .element_bytes = 4,
            .bytes = 4 * FLOATS,
            .step = 1,
            .extent = {FLOATS, 1, 1},
            .rank = 1,
            .access = i ? ACCESS_WRITE : ACCESS_READ,
            .fill = i ? FILL_NONE : FILL_RANDOM,
            .memory = "device"};
    c->arguments[0] = (struct job_argument){.buffer = 0, .report = -1, .name = "in", .type = "const float *"};
    c->arguments[1] = (struct job_argument){.buffer = 1, .report = -1, .name = "out", .type = "float *"};
    c->arguments[2] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_int(FLOATS), .name = "n", .type = "size_t"};
    c->arguments[3] =
        (struct job_argument){.buffer = -1, .report = -1, .value = value_int(STEP), .name = "step", .type = "size_t"};
    c->job = (struct job){.experiment = "promises",
        .kernel = "chase",
        .path = "promises.cu",
        .source = source,
        .entry = "work",
        .buffers = c->buffers,
        .buffer_count = 2,
        .arguments = c->arguments,
        .argument_count = 4,
        .scalars = c->arguments + 2,
        .scalar_count = 2,
        .grid = {1, 1, 1},
        .block = {1, 1, 1},
        .useful_bytes = 4.0 * STEPS,
        .flops = NAN};
    for (int s = 0; s < SETTING_COUNT; s++) c->job.settings[s] = setting_default((enum setting)s);
}

static bool prepare(const struct chase *c, struct diags *d)
{
    double columns[COLUMN_COUNT];
    struct result_check v = {0};
    bool skip = false;
    return ops->prepare(dev, &c->job, columns, &skip, d) && ops->verify(dev, &v, d);
}

// One sample; with a pause of the host, in ms, between queueing the work and letting it go.
static bool sample(bool restored, bool cold, unsigned pause_ms, double *us, struct diags *d)
{
    struct sample s;
    if (restored && !ops->restore(dev, d)) return false;
    if (cold && !ops->flush(dev, d)) return false;
    if (!ops->begin(dev, d) || !ops->submit(dev, d)) return false;
    if (pause_ms) usleep(1000 * pause_ms);
    if (!ops->end(dev, d) || !ops->wait(dev, &s, d)) return false;
    *us = s.us;
    if (isnan(s.clock_mhz)) return true;
    judged++, throttled += s.throttled;
    // The rule itself is tested everywhere; here, that it is asked of what was measured.
    if (s.clock_mhz < 0.94 * best_mhz && !s.throttled) {
        printf("     %.0f MHz after %.0f MHz was not called throttled\n", s.clock_mhz, best_mhz);
        verdict(false, "a sample at a low clock is thrown away");
    }
    if (s.clock_mhz > best_mhz) best_mhz = s.clock_mhz;
    return true;
}

static int by_us(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of some samples behind two that nobody looks at; NAN after a failure, which is a bad line.
static double median(const char *what, bool restored, bool cold, unsigned pause_ms)
{
    double us[SAMPLES + 2] = {0};
    struct diags d = {0};
    for (int i = 0; i < SAMPLES + 2; i++)
        if (!sample(restored, cold, pause_ms, &us[i], &d) || !said(&d, what)) {
            said(&d, what);
            verdict(false, what);
            return NAN;
        }
    qsort(us + 2, SAMPLES, sizeof *us, by_us);
    printf("     %-36s %10.1f us (%.1f to %.1f)\n", what, us[2 + SAMPLES / 2], us[2], us[1 + SAMPLES]);
    return us[2 + SAMPLES / 2];
}

// A window on `in` whose lines persist. False where this GPU takes none (MIG, MPS): said, and no failure.
static bool with_window(struct chase *c)
{
    struct diags d = {0};
    c->job.settings[SETTING_WINDOW_BUFFER] = value_text("in");
    c->job.settings[SETTING_PERSIST] = value_real(0.5);
    const bool good = prepare(c, &d);
    if (!good && strstr(diags_first(&d), "MIG")) return said(&d, "persisting lines are not tried"), false;
    if (!said(&d, "window")) verdict(false, "a window can be set");
    return good;
}

static void promises(void)
{
    struct chase c;
    struct diags d = {0};
    chase(&c);
    if (!prepare(&c, &d) || !said(&d, "prepare")) {
        said(&d, "prepare");
        verdict(false, "the chase can be prepared");
        ops->finish(dev);
        return;
    }
    const double warm = median("from L2", true, false, 0), cold = median("flushed", true, true, 0);
    const double slow_host = median("from L2, the host 20 ms late", true, false, 20);
    verdict(cold > 1.5 * warm, "the flush empties L2");
    verdict(slow_host < 1.2 * warm + 50, "behind the gate the host's time is not in a sample");
    ops->finish(dev);

    chase(&c);
    if (with_window(&c)) {
        // Without restoring, the lines that the sample before made persisting outlive the flush: that they do shows
        // that there is something to take away.
        const double kept = median("persisting, flushed, not restored", false, true, 0);
        const double reset = median("persisting, restored and flushed", true, true, 0);
        verdict(kept < 0.75 * cold, "persisting lines outlive a flush");
        verdict(reset > 0.9 * cold, "restoring takes persisting lines away");
    }
    ops->finish(dev);
    printf("     %d of %d samples were throttled; the best clock was %.0f MHz\n", throttled, judged, best_mhz);
    verdict(judged > 0 && best_mhz > 100, "the clock of a sample is known");
    verdict(2 * throttled < judged, "an idle GPU is not throttled most of the time");
}

int main(void)
{
    char why[256];
    struct diags d = {0};
    if (ops->count(why) == 0) {
        printf("%s\n", why);
        return 77;
    }
    dev = ops->open("cuda:0", &d);
    if (!dev) {
        diags_print(&d, stdout);
        return 1;
    }
    promises();
    ops->close(dev);
    printf("%d bad\n", bad);
    return bad != 0;
}
