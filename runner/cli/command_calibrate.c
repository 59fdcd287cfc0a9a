// `gpuexp calibrate`: measures some short kernels on a GPU and writes what follows from them: the file by
// which the simulator stands for it (`-d sim:FILE`).
// SPDX-License-Identifier: MIT
#include "base/beside.h"
#include "base/clock.h"
#include "base/embed.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "device/calibration.h"
#include "fleet/condition.h"
#include "spec/traits.h"
#include "store/table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// "reports/NVIDIA-H200.yaml"
static const char *profile_path(const char *gpu, struct arena *a)
{
    char *path = arena_printf(a, "reports/%s.yaml", gpu);
    for (char *p = path + strlen("reports/"); *p && strcmp(p, ".yaml") != 0; p++)
        if (!isalnum((unsigned char)*p)) *p = '-';
    return path;
}

// The experiments are part of the program: they are run from a file beside the one that is written.
static const char *experiments(const char *beside, struct arena *a, struct diags *d)
{
    const struct embedded *e = embed_find(calibration_experiments);
    LOCAL(mem_drop) char *stem = beside_with(beside, ".probes.yaml");
    const char *path = arena_strdup(a, stem);
    return e && file_make_folders(path, d) && file_write(path, e->text, e->size, d) ? path : NULL;
}

static int measure(const struct options *o, const char *file, const char *spec, struct arena *a, struct diags *d)
{
    struct options again = *o;
    struct override device = {arena_printf(a, "device=%s", spec)};
    again.operands = &file;
    again.operand_count = 1;
    again.overrides = &device;
    again.override_count = 1;
    again.value[OPTION_OUTPUT] = NULL;
    again.value[OPTION_FRESH] = "";
    if (!options_given(o, OPTION_VERBOSE)) again.value[OPTION_QUIET] = "";
    return command_run(&again, d);
}

// The number of a probe's row; NAN where it has none.
static double read_probe(const struct probe_facts *p, struct diags *d)
{
    LOCAL(table_close) struct table t = {0};
    LOCAL(str_release) struct str path = {0};
    double v = NAN;
    str_addf(&path, "reports/%s.csv", p->experiment);
    if (table_open(&t, path.text, d) && t.count > (size_t)p->row) {
        const int column = table_column(&t, p->column);
        const struct cells *cells = table_row(&t, (size_t)p->row, d);
        if (!cells || column < 0 || !value_number(table_value(cells_text(cells, (size_t)column)), &v)) v = NAN;
    }
    return v;
}

static bool read_probes(double probes[PROBE_COUNT], struct diags *d)
{
    for (int k = 0; k < PROBE_COUNT; k++) probes[k] = read_probe(&probe_table[k], d);
    for (int k = PROBE_COUNT; k-- > 0;) // those that are taken off stand in front
        if (probe_table[k].minus != PROBE_NONE) probes[k] -= read_probe(&probe_table[probe_table[k].minus], d);
    return !diags_errors(d);
}

// "sms 132, warps_per_sm 64, ...", from what the device tells of itself.
static void take_limits(struct condition_told *told)
{
    char *to = told->id.limits;
    size_t used = 0;
    for (int k = 0; k < TRAIT_COUNT; k++) {
        const char *v = condition_text(told, trait_table[k].name);
        if (!*v || used + 64 > sizeof told->id.limits) continue;
        used += (size_t)sprintf(to + used, "%s%s %.24s", used ? ", " : "", trait_table[k].name, v);
    }
}

int command_calibrate(const struct options *o, struct diags *d)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct condition_told told;
    double probes[PROBE_COUNT];
    LOCAL(str_release) struct str text = {0};
    char today[32];
    const char *spec = o->value[OPTION_DEVICE] ? o->value[OPTION_DEVICE] : "auto", *file = NULL;
    int status = 0;
    condition_ask(spec, &told);
    if (!told.opened) diag_system(d, "see `gpuexp devices`", "device `%s`: %s", spec, told.why);
    else if (!told.id.timed)
        diag_user(d, (struct where){0}, "say which GPU: -d; see `gpuexp devices`",
            "%s has no times: nothing can be learned from it", told.id.name);
    else {
        const char *to = options_given(o, OPTION_OUTPUT) ? o->value[OPTION_OUTPUT] : profile_path(told.id.name, a);
        clock_date(today);
        today[10] = 0; // the day
        take_limits(&told);
        const char *when = arena_printf(a, "%s, driver %s, %s", told.id.name, condition_text(&told, "driver"), today);
        if ((file = experiments(to, a, d))) status = measure(o, file, spec, a, d);
        const bool good = file && !diags_errors(d) && status != 75 && read_probes(probes, d) &&
            calibration_write(&told.id, probes, when, &text, d) &&
            file_write_over(to, text.text, text.size, "# What the model knows", d);
        if (good && !options_given(o, OPTION_QUIET)) {
            for (int k = 0; k < PROBE_COUNT; k++)
                say(stdout, "  %10.4g %-6s  %s\n", probes[k], probe_table[k].unit, probe_table[k].about);
            say(stdout, "%s: gpuexp run FILE -d sim:%s\n", to, to);
        }
    }
    return status;
}
