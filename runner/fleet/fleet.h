// The same tests on many GPUs, side by side: reports of one experiment, each of one GPU, with what else is known of
// that GPU beside it (fleet/condition.h). Each GPU is held against the reference of its model, against the others
// of its model here, and against itself on earlier nights. Reading and judging; who prints it asks for nothing more.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "fleet/condition.h"
#include "measure/verdict.h"

enum {
    FLEET_LEAST = 4,  // GPUs of a model that have a median worth comparing with
    FLEET_ROWS = 1000 // of a report at most
};
#define FLEET_THRESHOLD 0.025 // of a time: four H200 that are well differ by up to 1.4 %, and in copies by 2.1 %

struct gpu_test {                                // one row of a GPU's report
    const char *status, *reason;                 // NULL: its report has no such test
    uint64_t point;                              // a hash of its values: only the same work is compared
    struct timing time;                          // `us` NAN: it has no numbers
    double value, clock_mhz, samples, discarded; // value: what a person reads, in the test's unit

    // Judged; a speed of 0.97 is 3 % slower. NAN: there is nothing to compare with.
    double reference_speed, fleet_speed, own_speed; // own: of its best earlier night with the same driver
    double percentile;                              // of the others of its model here that are slower, in %
};

struct gpu {
    const char *path, *name, *model, *host, *driver, *date; // name: "node7 0000:65:00.0", or the report's path
    struct gpu_test *tests;                                 // one for each test of the fleet
    const struct gpu *reference;                            // of its model; NULL: none ships
    struct condition condition;
    const struct gpu *nights; // the earlier reports of this GPU, the oldest first (fleet/nights.h)
    size_t night_count;
    const char **findings; // what is wrong with it; nothing: it is well
    size_t finding_count, finding_room;
};

struct fleet_test {
    const char *name, *unit; // "memory", "GB/s"; the unit "us" is that of a bare time
};

struct fleet {
    struct arena *arena;
    struct gpu *gpus, *references; // a reference is a GPU too, which stands for its model
    size_t count, room, reference_count, reference_room;
    size_t past; // so many earlier reports of these GPUs stand behind the `count`
    struct fleet_test *tests;
    size_t test_count, test_room;
    double threshold;
    const char **untested; // nodes that should have a report and have none; NULL-terminated, NULL: nobody asks
};

void fleet_init(struct fleet *, double threshold);
void fleet_release(struct fleet *);
// Reads a report. False after diags. A reference's own tests are read as far as the fleet has them.
bool fleet_add(struct fleet *, const char *path, struct diags *);
bool fleet_add_reference(struct fleet *, const char *path, struct diags *);
// The folder under `reports` that a model's reference is in, and others of a word of its name: "h200" of "NVIDIA H200",
// "h200-mig-1g-18gb" of a slice of one.
void fleet_folder(const char *model, char name[64]);
// The reference of each model that is here, where one ships.
bool fleet_find_references(struct fleet *, const char *name, struct diags *);
// Whether two reports are of one GPU. False after diags.
bool fleet_same_gpu(const char *one, const char *other, bool *same, struct diags *);
// Of nodes that must have been tested, separated by commas: which were not. How many.
size_t fleet_miss(struct fleet *, const char *nodes);
// Fills in what is judged, and every GPU's findings. Returns how many GPUs have any.
size_t fleet_judge(struct fleet *);

// fleet_page.c: a fleet's health as one HTML file that needs nothing else, in the style of a report's page.
void fleet_page(const struct fleet *, struct str *);

// open_metrics.c: the same as OpenMetrics text, which Prometheus reads: a family a measure, a line a GPU and test.
#define OPEN_METRICS_BEGINS "# TYPE gpuexp_health_" // whatever is found
void open_metrics(const struct fleet *, struct str *);
void fleet_json(const struct fleet *, FILE *); // as JSON, with every finding and fact
