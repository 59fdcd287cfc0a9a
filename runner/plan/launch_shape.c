// How large a launch is: threads a block, blocks, dynamic shared memory. The experiment's word counts first, then the
// kernel's own; what no device could launch is refused.
// SPDX-License-Identifier: MIT
#include "plan/asks.h"
#include "plan/job_inside.h"

#include <math.h>
#include <string.h>

enum { THREADS_MOST = 1024, BLOCK_Z_MOST = 64, GRID_YZ_MOST = 65535 };
#define GRID_X_MOST 0x7fffffffu

// 1 to 3 whole numbers; those not given are 1. A text is an expression: `block: TB`, `grid: 4 * blocks`.
static bool dimensions(const struct expr_site *s, struct value v, const char *name, uint64_t out[3])
{
    struct where at = plan_where(s->plan->e, name);
    struct value one[1] = {v};
    const struct value *items = v.kind == VALUE_LIST ? v.list->items : one;
    size_t n = v.kind == VALUE_LIST ? v.list->count : 1;
    if (n < 1 || n > 3) return eval_wrong(s, at, "`%s` takes one to three numbers", name);
    for (size_t i = 0; i < 3; i++) {
        double x = 1;
        if (i < n && items[i].kind == VALUE_TEXT) {
            const struct source_expr e = {items[i].text, {.file = at.file, .line = at.line, .column = at.column}};
            if (!eval_whole(s, &e, arena_printf(s->arena, "`%s`", name), 1, &out[i])) return false;
            continue;
        }
        bool number = i >= n || (items[i].kind != VALUE_BOOL && value_number(items[i], &x));
        if (!number || x < 1 || x != floor(x) || x >= 0x1p53)
            return eval_wrong(s, at, "`%s` takes whole numbers of at least 1", name);
        out[i] = (uint64_t)x;
    }
    return true;
}

// The experiment's word, else the kernel's, else the default.
static bool asked(const struct expr_site *s, enum setting which, const struct source_expr own[3], bool first,
    uint64_t out[3], bool *said)
{
    const char *name = setting_table[which].name;
    struct value v;
    *said = true;
    if (!(first && own[0].text) && eval_at(s, which, &v) == EVAL_SAID) return dimensions(s, v, name, out);
    for (int i = 0; i < 3 && own[0].text; i++) {
        out[i] = 1;
        if (own[i].text && !eval_whole(s, &own[i], arena_printf(s->arena, "`%s` in %c", name, "xyz"[i]), 1, &out[i]))
            return false;
    }
    if (own[0].text) return true;
    *said = (v = setting_default(which)).kind != VALUE_NONE;
    return !*said || dimensions(s, v, name, out);
}

static bool set_block(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    struct where at = plan_where(s->plan->e, "block");
    uint64_t block[3];
    bool said;
    if (!asked(s, SETTING_BLOCK, k->block, own, block, &said)) return false;
    if (!at.line && k->block[0].text) at = k->block[0].at;
    const double all = (double)block[0] * (double)block[1] * (double)block[2];
    if (all > THREADS_MOST)
        return eval_wrong(s, at,
            "a block of %llu x %llu x %llu has %.10g threads, and the most are %d; `where` leaves such points out",
            (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2], all,
            THREADS_MOST);
    if (block[2] > BLOCK_Z_MOST)
        return eval_wrong(s, at, "a block of %llu x %llu x %llu threads; the most in z are %d",
            (unsigned long long)block[0], (unsigned long long)block[1], (unsigned long long)block[2], BLOCK_Z_MOST);
    for (int i = 0; i < 3; i++) job->block[i] = (uint32_t)block[i];
    return true;
}

static bool set_grid(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    static const char *const what[] = {
        "the number of threads in x", "the number of threads in y", "the number of threads in z"};
    struct where at = k->threads[0].text ? k->threads[0].at : (struct where){.file = k->path};
    uint64_t grid[3];
    bool said;
    if (own && k->threads[0].text) said = false;
    else if (!asked(s, SETTING_GRID, k->grid, own, grid, &said)) return false;
    if (said) at = plan_where(s->plan->e, "grid");
    for (int i = 0; i < 3 && !said; i++) {
        uint64_t threads = 1;
        if (k->threads[i].text && !eval_whole(s, &k->threads[i], what[i], 1, &threads)) return false;
        grid[i] = threads / job->block[i] + (threads % job->block[i] != 0);
    }
    if (grid[0] > GRID_X_MOST || grid[1] > GRID_YZ_MOST || grid[2] > GRID_YZ_MOST)
        return eval_wrong(s, at, "a grid of %llu x %llu x %llu blocks; the most are %u x %d x %d",
            (unsigned long long)grid[0], (unsigned long long)grid[1], (unsigned long long)grid[2], GRID_X_MOST,
            GRID_YZ_MOST, GRID_YZ_MOST);
    for (int i = 0; i < 3; i++) job->grid[i] = (uint32_t)grid[i];
    return true;
}

static bool set_shared(const struct expr_site *s, const struct kernel *k, struct job *job)
{
    const struct source_expr *own = &k->shared;
    uint64_t bytes = 0;
    const double extra = asks_number(job, SETTING_SHARED, 0);
    if (own->text && !eval_whole(s, own, "`shared`", 0, &bytes)) return false;
    if (extra < 0 || extra != floor(extra) || bytes > UINT32_MAX || (double)bytes + extra > UINT32_MAX)
        return eval_wrong(s, own->at, "%g bytes of shared memory a block", (double)bytes + extra);
    job->shared = (uint32_t)bytes + (uint32_t)extra;
    return true;
}

bool launch_shape_set(const struct expr_site *s, const struct kernel *k, bool own, struct job *job)
{
    return set_block(s, k, own, job) && set_grid(s, k, own, job) && set_shared(s, k, job);
}
