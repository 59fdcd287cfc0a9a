// Looks at a few points on the simulator, and adds up what a run is made of.
// SPDX-License-Identifier: MIT
#include "study/pacing.h"

#include "device/profiles.h"
#include "measure/statuses.h"
#include "plan/asks.h"
#include "reason/evidence.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

// Of 76 runs on an H200 (reports/h200, 23 November 2026): a context opens and closes in 0.17 s. A point is compiled,
// filled and checked in 75 ms, and again in 8 ms for each context. It takes three times the samples that are the least
// asked for, with pauses.
static const double context_s = 0.17, point_s = 0.075, point_context_s = 0.008, samples_share = 4;

enum { LOOKS = 3, BYTES_MOST = 1 << 30 };

// What a launch of that point takes; NAN: it is too large to be looked at, or not known, or something else is timed, or
// it goes `wrong`.
static double launch_s(struct study *study, const struct plan *p, const struct value *values, const char *device,
    bool *wrong)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    struct studied x = {0};
    struct profile like;
    if (!study_job(study, p, values, &x, &ignored) || job_memory(x.job) > BYTES_MOST ||
        !asks_is(x.job, SETTING_TIMED, "launch") || asks_memory(x.job, "managed") ||
        !study_counted(study, p, values, &x, &ignored) || !status_has_numbers(x.result.status)) {
        *wrong = status_is_bad(x.result.status);
        return NAN;
    }
    struct evidence e = {
        .job = x.job, .columns = x.result.columns, .places = &x.places, .whole = true, .device = &like};
    e.known = evidence_device(device, NULL, &like);
    evidence_limits(&e);
    return e.limits.count ? e.limits.us * 1e-6 : NAN;
}

double pacing_expect(const struct plan *p, const char *device)
{
    const struct study_bounds bounds = {.few = 16, .sample = 2048, .instructions = 4 << 20};
    const struct goals *g = &plan_experiment(p)->goals;
    const size_t count = plan_count(p), looks = count < LOOKS ? count : LOOKS;
    LOCAL(diags_clear) struct diags ignored = {0};
    LOCAL(mem_drop) struct value *values = mem_alloc((plan_name_count(p) + 1) * sizeof *values);
    struct study *study = study_open(device, true, &bounds, &ignored);
    double sampling = 0;
    size_t known = 0;
    bool wrong = false; // then others are too: a kernel that does not compile does not at any point
    for (size_t i = 0; study && i < looks && !wrong; i++) {
        plan_values(p, looks > 1 ? i * (count - 1) / (looks - 1) : 0, values);
        const double s = launch_s(study, p, values, device, &wrong);
        if (isnan(s)) continue;
        sampling += fmin(g->max_time, samples_share * g->min_samples * fmax(s, g->min_sample));
        known++;
    }
    study_close(study);
    const double each = point_s + point_context_s * g->contexts + sampling / (double)known;
    return known ? context_s * g->contexts + each * (double)count : NAN;
}
