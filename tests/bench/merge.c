// 10^6 rows of 8 shards merged: the time it takes, beside what reading and writing the same bytes takes (cat of the
// shards with a sync), and what `status` of them takes. The limit is 3 s. usage: bench_merge [rows [shards]]
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arena.h"
#include "measure/result.h"
#include "store/head.h"
#include "store/merge.h"
#include "run/status.h"
#include "spec/columns.h"

static unsigned shards = 8;
static char folder[] = "gpuexp-bench-XXXXXX"; // on the disk, as a report would be, not in memory

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A row as `sim` gives it: about twenty cells filled.
static void write_shards(size_t rows)
{
    static const char *const names[] = {"n", "block", "stride", "memory"};
    struct report_head head = {.experiment = "stride", .kernel = "stride", .names = names, .name_count = 4};
    struct value values[4] = {value_int(67108864), value_int(256), value_int(32), value_text("device")};
    struct result result;
    struct row row = {.point = 123456, .values = values, .result = &result, .reason = ""};
    struct str header = {0}, text = {0};
    result_init(&result);
    result.status = STATUS_OK;
    strcpy(result.device, "NVIDIA H200");
    for (int i = 0; i < COLUMN_COUNT; i += 2) result.columns[i] = 8388608.125;
    strcpy(row.key, "0123456789abcdef");
    head_text(&head, &header);
    head_row(&head, &row, &text);
    strrchr(header.text, ',')[0] = strrchr(text.text, ',')[0] = '\0'; // rows are cut up below: without a checksum
    char *point = strstr(text.text, "123456"), *after = point + 6 + 17;
    printf("%zu rows of %zu bytes in %u shards\n", rows, text.size, shards);
    for (unsigned s = 0; s < shards; s++) {
        char path[128];
        snprintf(path, sizeof path, "%s/b.%u-of-%u.csv", folder, s + 1, shards);
        FILE *f = fopen(path, "w");
        if (!f) exit(1);
        fprintf(f, "%s\n", header.text);
        for (size_t p = s + 1; p <= rows; p += shards)
            fprintf(f, "%.*s%zu,%016zx%s\n", (int)(point - text.text), text.text, p, p * 7, after);
        fclose(f);
    }
    str_release(&header);
    str_release(&text);
}

int main(int argc, char **argv)
{
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    if (argc > 2) shards = (unsigned)strtoul(argv[2], NULL, 10);
    char report[64], command[256];
    const char *inputs[] = {report};
    struct merge_options o = {.inputs = inputs, .input_count = 1};
    struct merge_summary s;
    struct diags d = {0};
    if (!mkdtemp(folder)) return 1;
    snprintf(report, sizeof report, "%s/b.csv", folder);
    write_shards(rows);
    snprintf(command, sizeof command, "cat %s/*.csv > %s/copy && sync %s/copy", folder, folder, folder);
    double t0 = now();
    if (system(command) != 0) return 1;
    double copy = now() - t0;
    snprintf(command, sizeof command, "rm %s/copy", folder);
    if (system(command) != 0) return 1;
    struct str metrics[STATUS_METRICS] = {0};
    const struct status_to to = {.out = stdout, .metrics = metrics};
    const double spent = processor();
    run_status(report, &to, &d);
    const double looked = processor() - spent;
    for (int i = 0; i < STATUS_METRICS; i++) str_release(&metrics[i]);
    t0 = now();
    int status = report_merge(&o, &s, NULL, NULL, &d);
    double merge = now() - t0;
    diags_print(&d, stderr);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("merge %.2f s (limit 3), copy with sync %.2f s, ratio %.1f; %ld MiB\n", merge, copy, merge / copy,
        used.ru_maxrss >> 10);
    printf("of a processor: status %.2f s, merge %.2f s\n", looked, processor() - spent - looked);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) return 1;
    return status != 0 || s.rows != rows || merge > 3;
}
