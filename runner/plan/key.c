// The row's key: a hash of what decides the number, so that a run finds the rows it need not measure again.
// SPDX-License-Identifier: MIT
#include "plan/job.h"

#include <string.h>

// Left out: `device` (the identity says which one it was, however it was asked for) and `timeout` (a row that exists
// was in time). The goals of `measure` are left out too: they decide how precisely the number is known, which the row
// says, not what it is; for a more precise one, start over with --fresh.
static bool decides(enum setting s) { return s != SETTING_DEVICE && s != SETTING_TIMEOUT; }

// Settings that came later leave a key as it was where they ask for nothing.
static bool as_before(const struct job *job, enum setting s)
{
    return s > SETTING_TIMEOUT && value_equal(job->settings[s], setting_default(s));
}

void job_key(const struct job *job, const char *device_identity, const char *version, char text[17])
{
    struct hash h;
    char hex[33];
    hash_init(&h);
    hash_text(&h, version);
    hash_text(&h, device_identity);
    hash_text(&h, job->kernel);
    hash_text(&h, job->source); // with the description: sizes, `useful`, checks
    hash_text(&h, job->entry);
    if (job->contract) hash_text(&h, job->contract);
    hash_u64(&h, job->constant_count);
    for (size_t i = 0; i < job->constant_count; i++) {
        hash_text(&h, job->constants[i].name);
        value_hash(job->constants[i].value, &h);
    }
    hash_u64(&h, job->scalar_count);
    for (size_t i = 0; i < job->scalar_count; i++) {
        hash_text(&h, job->scalars[i].name);
        value_hash(job->scalars[i].value, &h);
    }
    for (size_t i = 0; i < job->buffer_count; i++) {
        hash_u64(&h, job->buffers[i].count);
        hash_u64(&h, job->buffers[i].step);
        hash_text(&h, job->buffers[i].memory);
        if (job->buffers[i].file_hash) hash_text(&h, job->buffers[i].file_hash);
    }
    for (int i = 0; i < 3; i++) {
        hash_u64(&h, job->grid[i]);
        hash_u64(&h, job->block[i]);
    }
    hash_u64(&h, job->shared);
    // The arguments of a sequence follow from the source and the parameters.
    for (size_t i = 0; job->launches && i < job->launch_count; i++) {
        hash_text(&h, job->launches[i].entry);
        for (int k = 0; k < 3; k++) hash_u64(&h, (uint64_t)job->launches[i].grid[k] << 32 | job->launches[i].block[k]);
    }
    hash_u64(&h, job->check_count);
    if (job->expect_count) hash_bytes(&h, job->tolerance, sizeof job->tolerance);
    for (int i = 0; i < SETTING_COUNT; i++)
        if (decides((enum setting)i) && !as_before(job, (enum setting)i)) value_hash(job->settings[i], &h);
    hash_hex(h, hex);
    memcpy(text, hex, 16);
    text[16] = '\0';
}
