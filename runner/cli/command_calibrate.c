// `gpuexp calibrate`: measures some short kernels on a GPU and writes what follows from them: the file by
// which the simulator stands for it (`-d sim:FILE`).
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/term.h"
#include "study/calibrating.h"

#include <ctype.h>
#include <string.h>

// "reports/NVIDIA-H200.yaml"
static const char *profile_path(const char *gpu, struct arena *a)
{
    char *path = arena_printf(a, "reports/%s.yaml", gpu);
    for (char *p = path + strlen("reports/"); *p && strcmp(p, ".yaml") != 0; p++)
        if (!isalnum((unsigned char)*p)) *p = '-';
    return path;
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
        calibrating_limits(&told);
        const char *when = arena_printf(a, "%s, driver %s, %s", told.id.name, condition_text(&told, "driver"), today);
        if ((file = calibrating_experiments(to, a, d))) status = command_run_on(o, file, spec, NULL, true, d);
        const bool good = file && !diags_errors(d) && status != 75 && calibrating_read(probes, d) &&
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
