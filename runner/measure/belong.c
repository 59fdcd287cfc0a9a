// The rules by which a time is believed.
// SPDX-License-Identifier: MIT
#include "measure/belong.h"

#include "measure/stats.h"
#include "plan/asks.h"

#include <math.h>

// So many values lie below it, of eight; of fewer, fewer.
static double above(const struct stats *s, size_t eighths) { return s->sorted[s->count * eighths / 8]; }

bool belong(const double *ratios, size_t count, double allowed, bool spread)
{
    struct stats s;
    bool good = true;
    stats_init(&s, count);
    for (size_t i = 0; i < count; i++)
        if (isfinite(ratios[i])) stats_add(&s, ratios[i]);
    if (s.count) {
        const double least = spread ? above(&s, 1) : s.sorted[s.count - 1];
        good = least <= 1 + allowed || (spread && s.count >= 4 && log(least) <= 3 * log(above(&s, 6) / above(&s, 2)));
    }
    stats_release(&s);
    return good;
}

bool belong_mostly(const double *ratios, size_t count, double allowed)
{
    struct stats s;
    bool good = true;
    stats_init(&s, count);
    for (size_t i = 0; i < count; i++)
        if (isfinite(ratios[i])) stats_add(&s, ratios[i]);
    if (s.count >= 4) good = above(&s, 1) <= 1 + allowed;
    stats_release(&s);
    return good;
}

double belong_allowed(const struct job *job, size_t contexts)
{
    // Of pages that move by themselves those that were disturbed lie elsewhere, and a fault's time varies by a tenth.
    const double many = asks_is(job, SETTING_CACHE, "warm") || asks_memory(job, "managed") ? 0.5 : 0.1;
    return contexts < 4 ? 2.5 * many : many;
}

double belong_floor(const struct job *job, double peak_gbps)
{
    double read = 0, written = 0;
    if (asks_is(job, SETTING_CACHE, "warm") || !asks_is(job, SETTING_TIMED, "launch")) return NAN;
    if (isnan(job->useful_bytes)) return NAN; // it may read a part: nothing is known of what it must
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (b->access != ACCESS_WRITE) read += (double)b->bytes;
        if (b->access != ACCESS_READ) written += (double)b->bytes;
    }
    return fmin(job->useful_bytes - written, read) / peak_gbps / 1e3;
}

static bool all_belong(const struct job *job, const struct portion *parts, size_t count)
{
    double other[CONTEXTS_MOST], again[CONTEXTS_MOST];
    const double allowed = belong_allowed(job, count);
    for (size_t i = 0; i < count; i++) other[i] = parts[i].other, again[i] = parts[i].again;
    // A flush makes all launches alike: what each context's last one takes more is what the others did not do.
    const bool alike = !asks_is(job, SETTING_CACHE, "warm") && !asks_memory(job, "managed");
    if (alike && !belong_mostly(again, count, 0.03)) return false;
    // Few contexts cannot tell what other inputs cost from what looking costs.
    return belong(again, count, allowed, false) && (count < 4 || belong(other, count, allowed, true));
}

// A run alone costs a launch more than one of a batch, some 3 us, and finds colder caches; not several times as much.
static bool runs_alike(const struct portion *parts, size_t count)
{
    const double launch_us = 5;
    size_t odd = 0;
    for (size_t i = 0; i < count; i++) odd += parts[i].alone > 1.5 * parts[i].time_us + launch_us;
    return odd <= count / 8;
}

bool belong_believed(const struct job *job, const struct portion *parts, size_t count, double time_us, struct result *r)
{
    double most = 0;
    if (time_us < r->floor_us) {
        r->status = STATUS_IMPOSSIBLE;
        why_note(&r->why, UNDER_FLOOR, time_us, r->floor_us);
        return false;
    }
    if (!runs_alike(parts, count)) {
        r->status = STATUS_SUSPECT;
        why_note(&r->why, BATCH_UNLIKE, time_us, parts[0].alone);
        return false;
    }
    if (all_belong(job, parts, count)) return true;
    for (size_t i = 0; i < count; i++) most = fmax(most, fmax(parts[i].other, parts[i].again));
    r->status = STATUS_SUSPECT;
    why_note(&r->why, VERIFIED_SLOWER, time_us, most);
    return false;
}
