// device/cuda/cuda_metrics.h: code is asked for what it can do, in few launches, and what it cannot do is 0.
// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_metrics.h"

#include "base/arena.h"
#include "base/toolkit.h"
#include "spec/columns.h"
#include "unit/test.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// Each metric has its own number, so that one in the wrong column shows.
static void columns_of(int code, double columns[COLUMN_COUNT])
{
    double values[METRIC_COUNT];
    for (size_t i = 0; i < METRIC_COUNT; i++) values[i] = cuda_metrics_wanted(i, code) ? (double)(1000 + i) : NAN;
    for (size_t i = 0; i < COLUMN_COUNT; i++) columns[i] = NAN;
    cuda_metrics_columns(values, code, columns);
}

#define AT(id) (1000 + METRIC_##id)

static void what_code_cannot_do_is_0_and_what_is_not_asked_is_unknown(void)
{
    double c[COLUMN_COUNT];
    columns_of(0, c);
    CHECK_INT(c[COLUMN_LD_REQUESTS], AT(LD_REQUESTS));
    CHECK_INT(c[COLUMN_ST_REQUESTS], AT(ST_REQUESTS));
    CHECK_INT(c[COLUMN_LD_SECTORS], AT(LD_SECTORS));
    CHECK_INT(c[COLUMN_ATOMIC_REQUESTS] + c[COLUMN_LOCAL_REQUESTS] + c[COLUMN_LOCAL_SECTORS], 0);
    CHECK(c[COLUMN_SPILLED_BYTES] == 0);
    CHECK_INT(c[COLUMN_SHARED_REQUESTS],
        AT(SHARED_LD) + AT(SHARED_ST) + AT(SHARED_ATOM) + AT(SHARED_LDSM) + AT(SHARED_STSM));
    CHECK(isnan(c[COLUMN_DRAM_READ_BYTES]) && isnan(c[COLUMN_L2_READ_SECTORS]));
}

static void all_is_counted_of_code_that_does_all(void)
{
    double c[COLUMN_COUNT];
    columns_of(CODE_KINDS - 1, c);
    CHECK_INT(c[COLUMN_LD_REQUESTS], AT(LD_REQUESTS));
    CHECK_INT(c[COLUMN_ST_REQUESTS], AT(ST_REQUESTS));
    CHECK(isnan(c[COLUMN_SPILLED_BYTES]));
    CHECK_INT(c[COLUMN_ATOMIC_SECTORS], AT(ATOM_SECTORS) + AT(RED_SECTORS));
    CHECK_INT(c[COLUMN_LOCAL_REQUESTS], AT(LOCAL_LD_REQUESTS) + AT(LOCAL_ST_REQUESTS));
    CHECK_INT(c[COLUMN_SHARED_REQUESTS],
        AT(SHARED_LD) + AT(SHARED_ST) + AT(SHARED_ATOM) + AT(SHARED_LDSM) + AT(SHARED_STSM));
    CHECK_INT(c[COLUMN_INSTRUCTIONS], AT(INSTRUCTIONS));
    CHECK_INT(c[COLUMN_LANE_INSTRUCTIONS], AT(LANE_INSTRUCTIONS));
    CHECK_INT(c[COLUMN_PARTED_BRANCHES], AT(PARTED));
    CHECK_INT(c[COLUMN_DRAM_WRITE_BYTES], AT(DRAM_WRITE));
    CHECK(c[COLUMN_ISSUED_ALU_PCT] == 100.0 * AT(ALU) / AT(INSTRUCTIONS));
    CHECK(c[COLUMN_ISSUED_FP64_PCT] == 100.0 * AT(FP64) / AT(INSTRUCTIONS));
    CHECK(c[COLUMN_ISSUED_UNIFORM_PCT] == 100.0 * AT(UNIFORM) / AT(INSTRUCTIONS));
}

// What CUPTI takes, as device/cuda/cuda_cupti.h has it, which only a build with the Toolkit can read. The size of each
// ends with its last member.
struct metrics_of_chip {
    size_t size;
    void *reserved;
    int profiler;
    const char *chip;
    const uint8_t *availability;
    void *host;
};
struct asked { // all others begin so
    size_t size;
    void *reserved, *host;
    const char **names;
    size_t count;
};
struct image {
    size_t size;
    void *reserved, *host;
    size_t bytes;
    uint8_t *image;
};
struct passes {
    size_t size;
    void *reserved;
    size_t bytes;
    uint8_t *image;
    size_t count;
};

static bool ask(void *library, const char *what, void *of)
{
    int (*function)(void *);
    *(void **)&function = dlsym(library, what);
    return function && function(of) == 0;
}

// The library knows without a GPU in how many launches a chip counts something; 0: it does not.
static int launches_for(void *library, int code)
{
    const char *names[METRIC_COUNT];
    size_t count = 0;
    struct metrics_of_chip open = {.size = sizeof open, .chip = "GH100"};
    if (!ask(library, "cuptiProfilerHostInitialize", &open)) return 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (cuda_metrics_wanted(i, code)) names[count++] = cuda_metrics[i];
    struct asked add = {sizeof add, NULL, open.host, names, count};
    struct image image = {.size = offsetof(struct image, image), .host = open.host};
    CHECK(ask(library, "cuptiProfilerHostConfigAddMetrics", &add));
    CHECK(ask(library, "cuptiProfilerHostGetConfigImageSize", &image));
    image.size = sizeof image, image.image = mem_alloc(image.bytes);
    struct passes passes = {.size = sizeof passes, .bytes = image.bytes, .image = image.image};
    CHECK(ask(library, "cuptiProfilerHostGetConfigImage", &image));
    CHECK(ask(library, "cuptiProfilerHostGetNumOfPasses", &passes));
    free(image.image);
    return (int)passes.count;
}

static void what_is_counted_takes_few_launches(void)
{
    struct arena *a = arena_new();
    void *library = NULL;
    for (const char *const *file = toolkit_libraries("cupti", a); *file && !library; file++)
        library = dlopen(*file, RTLD_NOW);
    arena_free(a);
    if (!library || !launches_for(library, 0)) {
        puts("not tried: there is no CUPTI here that knows a GH100");
        return;
    }
    CHECK_INT(launches_for(library, 0), 4);
    CHECK_INT(launches_for(library, ASKS_BEYOND), 4); // in the same ones
    CHECK_INT(launches_for(library, USES_SHARED | ASKS_BEYOND), 6);
    CHECK_INT(launches_for(library, DOES_ATOMICS | USES_SHARED | ASKS_BEYOND), 7);
}

int main(void)
{
    what_code_cannot_do_is_0_and_what_is_not_asked_is_unknown();
    all_is_counted_of_code_that_does_all();
    what_is_counted_takes_few_launches();
    return test_end();
}
