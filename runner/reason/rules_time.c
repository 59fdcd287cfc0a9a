// Rules that need a time, or what was asked of L2.
// SPDX-License-Identifier: MIT
#include "reason/findings.h"

#include "plan/asks.h"
#include "spec/columns.h"

#include <math.h>
#include <string.h>

bool rule_window(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const struct job_buffer *window = NULL;
    (void)now;
    (void)mended;
    for (size_t i = 0; i < e->job->buffer_count; i++)
        if (asks_is(e->job, SETTING_WINDOW_BUFFER, e->job->buffers[i].name)) window = &e->job->buffers[i];
    if (!window || !asks_any(e->job, SETTING_PERSIST)) return false;
    // The most that may be set aside is five eighths of L2 on an H200.
    const size_t most = (size_t)(e->device->l2_bytes / 8 * 5);
    const double aside = (double)asks_bytes(e->job, SETTING_PERSIST, most, 0);
    const double bytes = (double)asks_bytes(e->job, SETTING_WINDOW_BYTES, window->bytes, window->bytes);
    const double ratio = asks_number(e->job, SETTING_WINDOW_RATIO, 1);
    if (!(aside > 0) || bytes * ratio < 1.1 * aside) return false;
    f->what = arena_printf(a, "the window over `%s` asks for more of L2 than is set aside", window->name);
    f->why = arena_printf(a,
        "%.1f MiB times a window.ratio of %.3g, where %.1f MiB are set aside: its lines push each other out",
        bytes / (1 << 20), ratio, aside / (1 << 20));
    f->mend = "a window.ratio that fits, or a smaller window";
    f->test = arena_printf(a, "window.ratio=%.2g", floor(100 * aside / bytes) / 100);
    f->counted = false;
    return true;
}

bool rule_cache(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double gbps = e->columns[COLUMN_GBPS], peak = e->columns[COLUMN_PEAK_GBPS];
    (void)now;
    (void)mended;
    if (!evidence_timed(e) || !(gbps > 1.02 * peak)) return false;
    f->what = "faster than the device's memory: this is the speed of a cache, or of shared memory";
    f->why = arena_printf(a, "%.0f GB/s of what the kernel calls useful, where the memory can do %.0f", gbps, peak);
    f->mend = asks_is(e->job, SETTING_CACHE, "warm") ? "to measure memory: `cache: cold`, and more bytes than L2 holds"
                                                     : "to measure memory: more bytes than L2 holds, each read once";
    return true;
}

bool rule_ceiling(const struct evidence *e, const struct bounds *now, struct bounds *mended, struct advice *f,
    struct arena *a)
{
    const double us = e->columns[COLUMN_TIME_US], memory = now->us[BOUND_MEMORY];
    (void)mended;
    if (!evidence_timed(e) || !(memory > 0) || us > 1.15 * memory || us < 10 || asks_bus(e->job)) return false;
    const double used = e->columns[COLUMN_GBPS] / e->columns[COLUMN_PEAK_GBPS];
    if (used > 1 || used < 0.5) return false; // less: most of what it moves is of no use
    f->what = "near what the memory can do: only fewer bytes would be faster";
    f->why = arena_printf(a, "%.1f us, where the bytes that it must move take %.1f us", us, memory);
    f->mend = "stop here, or move less (smaller types, several steps in one kernel)";
    return true;
}
