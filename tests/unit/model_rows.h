// Launches that a GPU has run, by a table beside the golden sets: the simulator runs them, and the model says what it
// expects of them.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file.h"
#include "device/profiles.h"
#include "model/model.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS_CELLS = 20, ROWS_BUFFERS = 8 };
enum rows_cell {
    ROW_SET,
    ROW_LABEL,
    ROW_KERNEL,
    ROW_GRID,
    ROW_BLOCK,
    ROW_RESIDENT,
    ROW_SHARED,
    ROW_ARGUMENTS,
    ROW_COLD_US,
    ROW_KERNEL_US,
    ROW_L1_SECTORS,
    ROW_L1_HITS,
    ROW_L2_SECTORS,
    ROW_READ_BYTES,
    ROW_WRITE_BYTES,
    ROW_QUICK
};

struct rows {
    struct sim *sim;
    struct sim_module *module;
    struct model *model;
    char *cubin; // NULL: what runs is the PTX
    char names[ROWS_BUFFERS][16];
    uint64_t at[ROWS_BUFFERS];
    size_t count;
};

// `next` leads from place to place, `u` is random; the others hold nothing.
static inline uint64_t rows_buffer(struct rows *r, const char *name)
{
    for (size_t k = 0; k < r->count; k++)
        if (strcmp(r->names[k], name) == 0) return r->at[k];
    const bool small = strcmp(name, "u") == 0 || strcmp(name, "next") == 0;
    const size_t bytes = small ? (size_t)64 << 20 : (size_t)1 << 30;
    snprintf(r->names[r->count], sizeof r->names[0], "%s", name);
    const uint64_t at = r->at[r->count++] = sim_alloc(r->sim, bytes, name);
    uint32_t *words = at ? sim_host(r->sim, at, bytes) : NULL, random = 1;
    for (size_t i = 0; words && small && i < bytes / 4; i++) {
        random = random * 1664525u + 1013904223u;
        words[i] = *name == 'u' ? random >> 8 : (uint32_t)(i * 1664525u + 1013904223u) & 0xffffff;
    }
    return at;
}

// "p:a p:o+64 i32:7 f32:1.5"
static inline size_t rows_params(struct rows *r, char *text, unsigned char params[512])
{
    size_t at = 0;
    for (char *a = strtok(text, " "); a; a = strtok(NULL, " ")) {
        char name[16] = "";
        unsigned long long more = 0;
        if (*a == 'p') {
            at = (at + 7) / 8 * 8;
            sscanf(a + 2, "%15[a-z0-9_]+%llu", name, &more);
            const uint64_t v = rows_buffer(r, name) + more;
            memcpy(params + at, &v, 8);
            at += 8;
            continue;
        }
        at = (at + 3) / 4 * 4;
        const char *number = strchr(a, ':') + 1;
        const float f = strtof(number, NULL);
        const uint32_t n = (uint32_t)strtoll(number, NULL, 10);
        memcpy(params + at, *a == 'f' ? (const void *)&f : (const void *)&n, 4);
        at += 4;
    }
    return at;
}

static inline bool rows_run(struct rows *r, char *cell[ROWS_CELLS], struct model_result *out)
{
    char error[256];
    unsigned char params[512];
    struct sim_counts counts;
    struct sim_fault fault = {0};
    struct sim_kernel *k = r->cubin ? sim_machine_kernel(r->module, cell[ROW_KERNEL], error)
                                    : sim_kernel(r->module, cell[ROW_KERNEL], error);
    struct sim_launch l = {
        .params = params, .in_registers = strcmp(cell[ROW_KERNEL], "h_local") != 0, .model = r->model};
    if (!k || sscanf(cell[ROW_GRID], "%ux%ux%u", &l.grid[0], &l.grid[1], &l.grid[2]) != 3 ||
        sscanf(cell[ROW_BLOCK], "%ux%ux%u", &l.block[0], &l.block[1], &l.block[2]) != 3)
        return false;
    l.param_bytes = rows_params(r, cell[ROW_ARGUMENTS], params);
    const struct model_launch launch = {.blocks = (uint64_t)l.grid[0] * l.grid[1] * l.grid[2],
        .warps = (l.block[0] * l.block[1] * l.block[2] + 31) / 32,
        .resident = (uint32_t)atoi(cell[ROW_RESIDENT]),
        .shared_bytes = (uint32_t)atoi(cell[ROW_SHARED]),
        .ptx = !r->cubin};
    model_forget(r->model);
    model_begin(r->model, &launch);
    const bool good = sim_launch(r->sim, k, &l, &counts, &fault);
    if (!good) printf("%s: %s\n", cell[ROW_LABEL], fault.what);
    model_end(r->model, out);
    return good;
}

// The machine code of a PTX file, as ptxas makes it; NULL: there is no ptxas.
static inline char *rows_machine(const char *ptx_file, size_t *bytes, struct diags *d)
{
    char command[800], to[64];
    snprintf(to, sizeof to, "model-rows-%d.cubin", (int)getpid());
    snprintf(command, sizeof command, "PATH=$PATH:/usr/local/cuda/bin ptxas -arch=sm_90 -O3 %s -o %s 2>/dev/null",
        ptx_file, to);
    char *code = system(command) == 0 ? file_read(to, 1 << 26, bytes, d) : NULL;
    unlink(to);
    return code;
}

static inline void rows_begin(struct rows *r, const char *ptx_file, bool machine)
{
    struct diags d = {0};
    struct model_constants c;
    char error[256];
    CHECK(profile_model(profile_find("h200"), &c, &d));
    *r = (struct rows){.sim = sim_new(1), .model = model_new(&c)};
    char *text = file_read(ptx_file, 1 << 24, NULL, &d);
    r->module = text ? sim_load(r->sim, text, error) : NULL;
    CHECK(r->module != NULL);
    free(text);
    size_t bytes = 0;
    if (machine) r->cubin = rows_machine(ptx_file, &bytes, &d);
    if (r->cubin) CHECK(sim_machine(r->module, r->cubin, bytes, error));
    diags_clear(&d);
}

static inline void rows_end(struct rows *r)
{
    model_free(r->model);
    sim_free(r->sim);
    free(r->cubin);
}
