// What commands take on something large: `report`, `status` and `compare` of a report of a million rows (`differ`:
// every row has another time and other counts), and `plan` of a million points, as text and as JSON. Prints for each
// the time of the processor, the memory and the ratio to reading the same bytes once (wc); wanted are at most 3 s and
// 300 MB for a report, 5 MB for its page, 1.5 s for the plan. usage: bench_large GPUEXP [rows]
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "measure/result.h"
#include "spec/columns.h"
#include "store/head.h"

static char folder[] = "gpuexp-bench-XXXXXX"; // on the disk, as a report would be, not in memory

// Rows as `sim` gives them, about twenty cells filled; `offset` and `stride` tell them apart.
static void write_report(const char *name, size_t rows, double time_us, double counts)
{
    static const char *const names[] = {"n", "block", "stride", "offset"};
    struct report_head head = {.experiment = "large", .kernel = "stride", .names = names, .name_count = 4};
    struct value values[4] = {value_int(67108864), value_int(256)};
    struct result result;
    struct row row = {.values = values, .result = &result};
    struct str text = {0};
    FILE *f = fopen(name, "w");
    if (!f) exit(1);
    result_init(&result);
    result.status = STATUS_OK;
    strcpy(result.device, "NVIDIA H200");
    for (int i = 0; i < COLUMN_COUNT; i += 2) result.columns[i] = counts;
    head_text(&head, &text);
    for (size_t i = 0; i < rows; i++) {
        values[2] = value_int((int64_t)(i / 1000) + 1);
        values[3] = value_int((int64_t)(i % 1000));
        result.columns[COLUMN_TIME_US] = time_us + (double)(i % 977);
        row.point = i + 1;
        snprintf(row.key, sizeof row.key, "%016zx", i * 0x9e3779b97f4a7c15u);
        head_row(&head, &row, &text);
        if (text.size < 1 << 20 && i + 1 < rows) continue;
        fwrite(text.text, 1, text.size, f);
        str_clear(&text);
    }
    if (fclose(f) != 0) exit(1);
    str_release(&text);
}

static void write_experiment(const char *name, size_t points)
{
    FILE *f = fopen(name, "w");
    if (!f) exit(1);
    fprintf(f,
        "experiment: large\nkernel: stride\nwith: {n: 1Mi, block: 256}\nsweep:\n"
        "  stride: {from: 1, to: %zu, step: 1}\n  offset: {from: 0, to: 999, step: 1}\n",
        points / 1000);
    fclose(f);
}

// Each point has a launch of its own shape.
static void write_shapes(const char *name, size_t points)
{
    FILE *f = fopen(name, "w");
    if (!f) exit(1);
    fprintf(f,
        "experiment: shapes\nkernel: copy\nwith: {device: sim}\nsweep:\n"
        "  n: {from: 1Ki, to: %zuKi, step: 1Ki}\n  block: {from: 1, to: 1000, step: 1}\n",
        points / 1000);
    fclose(f);
}

// Runs it, and gives the processor's seconds and the most memory in MB.
static double seconds(const char *command, double *mb)
{
    struct rusage use;
    int status;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    if (pid < 0 || wait4(pid, &status, 0, &use) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 1) exit(1);
    *mb = (double)use.ru_maxrss / 1e3;
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
        1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *what, *words, *reads;
        double limit, mb;
    } commands[] = {{"report", "report a.csv > page", "a.csv", 3, 300},
        {"status", "status a.csv > out", "a.csv", 3, 300},
        {"compare", "compare a.csv b.csv > out", "a.csv b.csv", 3, 300},
        {"differ", "compare a.csv c.csv > out", "a.csv c.csv", 3, 300},
        {"plan", "plan large.yaml > out", "out", 1.5, 300}, {"shapes", "plan shapes.yaml > out", "out", 1.5, 300},
        {"json", "plan --format json large.yaml > out", "out", 1.5, 300}};
    const size_t rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000;
    char command[512], *program = argc > 1 ? realpath(argv[1], NULL) : NULL;
    bool good = true;
    struct stat st;
    if (!program || !mkdtemp(folder) || chdir(folder) != 0) return 1;
    write_report("a.csv", rows, 100, 8388608.125);
    write_report("b.csv", rows, 101, 8388608.125);
    write_report("c.csv", rows, 101, 8388609.125);
    write_experiment("large.yaml", rows);
    write_shapes("shapes.yaml", rows);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        double mb, none;
        snprintf(command, sizeof command, "exec '%s' %s", program, commands[i].words);
        const double took = seconds(command, &mb);
        snprintf(command, sizeof command, "cat %s | wc -l > lines", commands[i].reads);
        const double read = seconds(command, &none);
        printf("%-8s %6.2f s (wanted %.1f), %4.0f MB (wanted %.0f), %5.1f times wc\n", commands[i].what, took,
            commands[i].limit, mb, commands[i].mb, took / read);
        good &= took <= commands[i].limit && mb <= commands[i].mb;
    }
    if (stat("a.html", &st) == 0) printf("the page has %.1f MB (wanted 5)\n", (double)st.st_size / 1e6);
    good &= st.st_size <= 5000000;
    snprintf(command, sizeof command, "rm -r ../%s", folder);
    if (system(command) != 0) return 1;
    free(program);
    return !good;
}
