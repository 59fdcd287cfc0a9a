// What a point counted, as columns, and what a reader of the row must know of them.
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compile/compile.h"
#include "device/sim/sim_device.h"
#include "sass/sass.h"
#include "spec/columns.h"

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : NAN; }

static void caveat(struct diags *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void caveat(struct diags *d, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "%s", text);
}

// What a reader of the row must know: where a count is not what a GPU would count, and why.
static void add_caveats(struct sim_device *dev, bool counted, struct diags *d)
{
    const struct sim_point *p = &dev->point;
    const struct code_entry *e = code_entry_named(dev->code, p->job->entry);
    const uint32_t *block = p->job->block, warps = (block[0] * block[1] * block[2] + 31) / 32;
    const int other = sim_not_held(dev->module);
    if (other)
        caveat(d, "approximate: this is machine code of sm_%d, whose counts nobody has held against a GPU", other);
    if (e && e->spill_bytes > 0 && !counted)
        caveat(d,
            "local_requests and local_sectors are lower bounds: the compiler spills %d bytes a thread, which is "
            "not in the PTX",
            e->spill_bytes);
    if (p->counts.loop_wavefronts && !counted)
        caveat(d,
            "the shared_ counts and bank_conflicts are lower bounds: atomics on shared memory that a GPU does in a "
            "loop, which is not in the PTX, took %llu wavefronts if it turns once",
            (unsigned long long)p->counts.loop_wavefronts);
    if (p->counts.loop_wavefronts && counted)
        caveat(d,
            "shared_wavefronts and bank_conflicts are lower bounds: atomics on shared memory that a GPU does in a loop "
            "took %llu, each warp alone; up to %llu where all warps of a block want the same address",
            (unsigned long long)p->counts.loop_wavefronts, (unsigned long long)p->counts.loop_wavefronts * warps);
    if (p->counts.half_atomics)
        caveat(d,
            "atomic_requests and atomic_sectors are lower bounds: %llu are atomics on 16 bits, which are loops of "
            "swaps "
            "on a GPU; these are not in the PTX",
            (unsigned long long)p->counts.half_atomics);
    if (p->counts.unsure_atomics)
        caveat(d,
            "approximate: atomic_sectors: in %llu atomic_requests lanes reach further than 8 KiB, where it is not "
            "wholly known which of them wait for others: one of ten is a sector or two more or less, in all within "
            "1 %%",
            (unsigned long long)p->counts.unsure_atomics);
    if (p->races.global)
        caveat(d, "%s; in four orders of blocks and warps the result was the same", p->races.global_what);
    if (p->races.exits) caveat(d, "%s", p->races.exits_what);
    if (p->counts.stacked_calls)
        caveat(d, "approximate: %llu calls %s on a GPU the lanes may go on apart behind them",
            (unsigned long long)p->counts.stacked_calls,
            counted ? "from which some lanes of a warp came back before others:"
                    : "through pointers, or of functions that call themselves: their stack in local memory is not "
                      "counted, and");
    if (p->counts.heap_calls)
        caveat(d,
            "lower bounds: %llu calls of malloc and free make accesses of their own on a GPU, which nobody knows "
            "before",
            (unsigned long long)p->counts.heap_calls);
    if (p->counts.remote)
        caveat(d,
            "%llu accesses reach the shared memory of another block of the cluster: like a GPU's counters, the shared "
            "counts leave them out",
            (unsigned long long)p->counts.remote);
    if (p->counts.undefined_shuffles)
        caveat(d, "%llu shuffles read a lane that did not take part: what they got is undefined",
            (unsigned long long)p->counts.undefined_shuffles);
}

// The columns that are sums.
static const enum column summed[] = {COLUMN_LD_REQUESTS, COLUMN_LD_SECTORS, COLUMN_ST_REQUESTS, COLUMN_ST_SECTORS,
    COLUMN_ATOMIC_REQUESTS, COLUMN_ATOMIC_SECTORS, COLUMN_LOCAL_REQUESTS, COLUMN_LOCAL_SECTORS, COLUMN_SHARED_REQUESTS,
    COLUMN_SHARED_WAVEFRONTS, COLUMN_BANK_CONFLICTS};
enum { SUMMED = sizeof summed / sizeof *summed };

static double sum_of(const struct sim_counts *c, enum column column)
{
    switch (column) {
    case COLUMN_LD_REQUESTS: return (double)c->ld_requests;
    case COLUMN_LD_SECTORS: return (double)c->ld_sectors;
    case COLUMN_ST_REQUESTS: return (double)c->st_requests;
    case COLUMN_ST_SECTORS: return (double)c->st_sectors;
    case COLUMN_ATOMIC_REQUESTS: return (double)(c->atom_requests + c->red_requests);
    case COLUMN_ATOMIC_SECTORS: return (double)(c->atom_sectors + c->red_sectors);
    case COLUMN_LOCAL_REQUESTS: return (double)(c->local_ld_requests + c->local_st_requests);
    case COLUMN_LOCAL_SECTORS: return (double)(c->local_ld_sectors + c->local_st_sectors);
    case COLUMN_SHARED_REQUESTS:
        return (double)(c->shared_ld_requests + c->shared_st_requests + c->shared_atom_requests);
    case COLUMN_SHARED_WAVEFRONTS:
        return (double)(c->shared_ld_wavefronts + c->shared_st_wavefronts + c->shared_atom_wavefronts);
    case COLUMN_BANK_CONFLICTS:
        return (double)(c->shared_ld_conflicts + c->shared_st_conflicts + c->shared_atom_conflicts);
    default: return NAN;
    }
}

static void fill_columns(const struct sim_counts *c, double *columns)
{
    for (int i = 0; i < SUMMED; i++) columns[summed[i]] = sum_of(c, summed[i]);
    columns[COLUMN_SECTORS_PER_REQUEST] = ratio(c->ld_sectors, c->ld_requests);
    columns[COLUMN_SHARED_LD_WAVEFRONTS_PER_REQUEST] = ratio(c->shared_ld_wavefronts, c->shared_ld_requests);
    columns[COLUMN_SHARED_ST_WAVEFRONTS_PER_REQUEST] = ratio(c->shared_st_wavefronts, c->shared_st_requests);
    columns[COLUMN_LANES_PER_ACCESS] = ratio(c->lanes, c->accesses);
    if (!c->instructions) return;
    enum { SECTOR_BYTES = 32 };
    static const struct {
        enum column column;
        int pipe;
    } shares[] = {{COLUMN_ISSUED_ALU_PCT, SASS_PIPE_ALU}, {COLUMN_ISSUED_FMA_PCT, SASS_PIPE_FMA},
        {COLUMN_ISSUED_FP64_PCT, SASS_PIPE_FP64}, {COLUMN_ISSUED_XU_PCT, SASS_PIPE_XU},
        {COLUMN_ISSUED_LSU_PCT, SASS_PIPE_LSU}, {COLUMN_ISSUED_TENSOR_PCT, SASS_PIPE_TENSOR},
        {COLUMN_ISSUED_UNIFORM_PCT, SASS_PIPE_UNIFORM}};
    columns[COLUMN_INSTRUCTIONS] = (double)c->instructions;
    columns[COLUMN_LANE_INSTRUCTIONS] = (double)c->lane_instructions;
    columns[COLUMN_PARTED_BRANCHES] = (double)c->parted;
    if (!c->spills_unknown) columns[COLUMN_SPILLED_BYTES] = (double)(c->spilled_sectors * SECTOR_BYTES);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        columns[shares[i].column] = 100 * ratio(c->issued[shares[i].pipe], c->instructions);
}

bool sim_count_launch(struct sim_device *dev, size_t i, double *columns)
{
    if (i >= dev->each_count) return false;
    fill_columns(&dev->each[i], columns);
    return true;
}

// How far each count can be from the truth where some blocks stood for all.
static void tell_sample(const struct sim_point *p, double *columns, struct diags *d)
{
    LOCAL(str_release) struct str text = {0};
    double widest = 0;
    str_addf(&text, "%llu of %llu blocks ran and stand for all: ", (unsigned long long)p->ran,
        (unsigned long long)p->blocks);
    for (int i = 0; i < SUMMED; i++) {
        const double within = sum_of(&p->within, summed[i]), of = sum_of(&p->counts, summed[i]);
        if (!(within > 0)) continue;
        str_addf(&text, "%s +- %.0f, ", column_table[summed[i]].name, within);
        widest = fmax(widest, of > 0 ? 100 * within / of : 100);
    }
    str_addf(&text, "%s exact", widest > 0 ? "the other counts are" : "all counts are");
    columns[COLUMN_COUNTS_WITHIN_PCT] = widest;
    diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "%s", text.text);
}

bool sim_count_accesses(struct sim_device *dev, double *columns, char source[16], struct diags *d)
{
    struct sim_point *p = &dev->point;
    if (p->flawed) { // the finding is told; nothing of its time is expected
        if (!sim_count_flawed(dev)) return true;
        fill_columns(&p->counts, columns);
        strcpy(source, dev->machine ? "sass" : "ptx");
        add_caveats(dev, dev->machine, d);
        return true;
    }
    // The run that verified is the run that counts; without it, one is made now.
    if (!p->counted && !sim_run(dev, 0, d)) return false;
    const bool counted = dev->machine || dev->given || sim_count_machine(dev);
    fill_columns(&p->counts, columns);
    const bool some = p->ran < p->blocks;
    if (some) tell_sample(p, columns, d);
    if (p->whole) caveat(d, "`sample`: all blocks%s ran: %s", job_launches(p->job) > 1 ? " of a launch" : "", p->whole);
    strcpy(source, some ? "sampled" : counted ? "sass" : "ptx");
    add_caveats(dev, counted, d);
    sim_model_columns(dev, columns, d);
    return true;
}
