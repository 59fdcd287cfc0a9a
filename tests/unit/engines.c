// PTX and machine code, two readers: each kernel of tests/kernels, and each that ships, runs by both from the same
// inputs, and must leave the same in each buffer, bit by bit. Those that do not are named here, with the reason. An
// experiment's smallest point is taken.
// full: a hundred kernels
// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "device/sim/sim_device.h"
#include "plan/plan.h"
#include "spec/columns.h"
#include "spec/experiment.h"
#include "unit/test.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 32 << 20, A_POINT = 64 }; // bytes of a point's buffers; points of an experiment that are looked at

// What is not compared, or is not the same. At first sight 154 of 164 were the same; gemm asked for registers for ever,
// three had a texture, the other six are these.
static const struct other {
    const char *name, *why;
    bool skips;
} others[] = {{"grid_sync", "all blocks of the grid meet", false}, {"thread_lists", "it asks for memory", false},
    {"two_phases", "it waits: how often it looks is its PTX's", true},
    {"under_lock", "it waits: how often it looks is its PTX's", true}, {"stride", "its buffers are too large", true},
    {"l2_shared_window", "its buffers are too large", true}};
enum { OTHERS = sizeof others / sizeof *others };

static struct device *dev;
static int same, other;

static void not_the_same(const struct experiment *e, const char *what, const char *why)
{
    bool named = false;
    for (int i = 0; i < OTHERS; i++) named |= strcmp(others[i].name, e->name) == 0;
    if (!named) printf("%s: %s%s\n", e->name, what, why);
    CHECK(named);
    other++;
}

static bool is_skipped(const char *name)
{
    bool skips = false;
    for (int i = 0; i < OTHERS; i++) skips |= others[i].skips && strcmp(others[i].name, name) == 0;
    return skips;
}

static unsigned char *all_of(const struct job *job)
{
    struct sim_device *sim = sim_device_of(dev);
    unsigned char *all = NULL;
    size_t bytes = 0, room = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (!b->bytes) continue;
        mem_grow(&all, &room, bytes + b->bytes, 1);
        memcpy(all + bytes, sim_host(sim->sim, sim->point.buffers[i].block->address, b->bytes), b->bytes);
        bytes += b->bytes;
    }
    return all;
}

static bool run(const struct experiment *e, bool machine, struct diags *d)
{
    struct sim_device *sim = sim_device_of(dev);
    sim->machine = machine, sim->unwatched = true, sim->at_once = false;
    bool good = sim_prepare_again(sim, true, d) && sim_run(sim, 0, d);
    if (!good && sim->waits) {
        diags_clear(d);
        sim->at_once = true;
        good = sim_prepare_again(sim, true, d) && sim_run(sim, 0, d);
    }
    sim->machine = sim->unwatched = sim->at_once = false;
    if (!good) not_the_same(e, machine ? "machine code: " : "PTX: ", diags_first(d));
    return good;
}

static void compare(const struct experiment *e, const struct job *job, const unsigned char *a, const unsigned char *b)
{
    size_t bytes = 0;
    char what[100];
    for (size_t i = 0; i < job->buffer_count; bytes += job->buffers[i++].bytes) {
        uint64_t n = 0, first = 0;
        for (uint64_t k = 0; k < job->buffers[i].bytes; k++)
            if (a[bytes + k] != b[bytes + k] && n++ == 0) first = k;
        if (!n) continue;
        snprintf(what, sizeof what, "%llu bytes differ, the first in element %llu of ", (unsigned long long)n,
            (unsigned long long)(first / job->buffers[i].element_bytes));
        return not_the_same(e, what, job->buffers[i].name);
    }
    same++;
}

static bool is_known(const struct experiment *e, const struct job *job)
{
    struct sim_device *sim = sim_device_of(dev);
    for (size_t i = 0; i < job_launches(job); i++) {
        char why[256] = "";
        const struct code_entry *at = code_entry_named(sim->code, job_launch(job, i).entry);
        if (!sim->code->cubin) return not_the_same(e, "no machine code", ""), false;
        sim->point.launches[i].machine = sim_machine_kernel(sim->module, at ? at->name : job_launch(job, i).entry, why);
        if (!sim->point.launches[i].machine) return not_the_same(e, "no machine code: ", why), false;
    }
    return true;
}

static void both(const struct experiment *e, const struct job *job)
{
    struct diags d = {0};
    double columns[COLUMN_COUNT];
    bool skip = false;
    if (!device_sim.prepare(dev, job, columns, &skip, &d)) not_the_same(e, "", diags_first(&d));
    else if (is_known(e, job)) {
        unsigned char *by_ptx = run(e, false, &d) ? all_of(job) : NULL;
        unsigned char *by_machine = by_ptx && run(e, true, &d) ? all_of(job) : NULL;
        if (by_machine) compare(e, job, by_ptx, by_machine);
        free(by_ptx), free(by_machine);
    }
    device_sim.finish(dev);
    diags_clear(&d);
}

static void smallest(const struct experiment *e)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct diags d = {0};
    struct plan *plan = plan_new(e, box, &d);
    uint64_t least = UINT64_MAX;
    size_t at = 0;
    const size_t count = plan ? plan_count(plan) : 0;
    struct value *values = plan ? mem_alloc((plan_name_count(plan) + 1) * sizeof *values) : NULL;
    struct job job;
    for (size_t i = 0; i < count && i < A_POINT; i++) {
        struct arena *a = arena_new();
        plan_values(plan, i, values);
        if (job_make(plan, values, a, &job, &d) && job_memory(&job) < least) least = job_memory(&job), at = i;
        arena_free(a);
    }
    if (is_skipped(e->name)) other++;
    else if (least <= MOST) {
        struct arena *a = arena_new();
        plan_values(plan, at, values);
        if (job_make(plan, values, a, &job, &d)) both(e, &job);
        arena_free(a);
    } else not_the_same(e, "its buffers are too large ", diags_first(&d));
    free(values);
    if (plan) plan_free(plan);
    sandbox_free(box);
    diags_clear(&d);
}

static void each(const char *pattern)
{
    glob_t found;
    CHECK_INT(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct experiments file = {0};
        struct diags d = {0};
        // A product and a sum that ptxas makes one of are rounded once there, and twice in PTX.
        const struct override apart = {.text = "options=--fmad=false"};
        CHECK(experiments_load(found.gl_pathv[i], &apart, 1, &file, &d));
        for (size_t k = 0; k < file.count; k++) smallest(file.items[k]);
        experiments_free(&file);
        diags_clear(&d);
    }
    globfree(&found);
}

// Kernels for Hopper, and textures; with `all` all of them, or those of the files that a pattern gives.
int main(int argc, char **argv)
{
    struct diags d = {0};
    if (chdir(TESTS_DIR "/..") != 0) return 1;
    const char *compiler = compile_compiler(&d);
    if (!compiler || strncmp(compiler, "nvrtc", 5) != 0) {
        printf("skipped: no NVRTC here, and nothing else makes machine code\n");
        return diags_clear(&d), 0;
    }
    job_host = host_launch;
    dev = device_sim.open("sim:h200", &d);
    CHECK(dev);
    if (argc > 2) each(argv[2]);
    else if (argc < 2) {
        each("tests/kernels/hopper/all.yaml");
        each("tests/kernels/textures/all.yaml");
    } else {
        each("tests/kernels/all.yaml");
        each("tests/kernels/*/all.yaml");
        each("experiments/*.yaml");
        CHECK_INT(other, OTHERS); // those that are named, all of them
    }
    printf("%d the same, %d others\n", same, other);
    device_sim.close(dev);
    diags_clear(&d);
    return test_end();
}
