// What a launch on managed memory makes the driver do: CUPTI's records of page faults and of pages that were moved,
// summed over one launch from the state that the point asks for.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "device/cuda/cuda_cupti.h"
#include "spec/columns.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1 << 20 };
static const CUpti_ActivityKind kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER;

// CUPTI calls back without a place for a pointer of ours: one count at a time.
static struct {
    const struct cupti *cupti;
    double faults, bytes, records;
} sum;

static void more_room(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = aligned_alloc(8, ROOM);
    *size = *buffer ? ROOM : 0;
    *most = 0; // as many records as fit
}

static void add_up(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t filled)
{
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)size;
    while (filled && sum.cupti->activity_next(buffer, filled, &record) == CUPTI_SUCCESS) {
        const CUpti_ActivityUnifiedMemoryCounter3 *r =
            (const CUpti_ActivityUnifiedMemoryCounter3 *)(const void *)record;
        sum.records++;
        if (record->kind != CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) continue;
        if (r->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT) sum.faults += (double)r->value;
        else sum.bytes += (double)r->value;
    }
    free(buffer);
}

static bool good(CUptiResult result, const struct cupti *c, const char *doing, struct diags *diags)
{
    const char *name = "";
    if (result == CUPTI_SUCCESS) return true;
    c->result_string(result, &name);
    return diag_system(diags, NULL, "page faults are not counted: %s: %s", doing, name);
}

// The driver's records come when they come: read until none has come for a while.
static bool settle(const struct cupti *c, struct diags *diags)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    double before = -1;
    for (int quiet = 0, turn = 0; quiet < 5 && turn < 100; turn++) {
        nanosleep(&moment, NULL);
        if (!good(c->activity_flush(1), c, "reading records", diags)) return false;
        quiet = sum.records == before ? quiet + 1 : 0;
        before = sum.records;
    }
    return true;
}

// The first records of a process were seen to be lost. So pages of no importance are moved first, until that is told
// of: from then on no record means no fault.
static bool listen(struct cuda_device *d, const struct cupti *c, struct diags *diags)
{
    enum { BYTES = 1 << 20 };
    static bool heard;
    for (int turn = 0; turn < 5 && !heard; turn++) {
        struct cuda_block *b = cuda_block_take(d, CUDA_MANAGED, BYTES, 0, "page faults", diags);
        if (!b) return false;
        void *address = b->address;
        unsigned long long words = BYTES / 4;
        void *arguments[] = {&address, &words};
        memset(b->host, 1, BYTES);
        sum.bytes = 0;
        const bool ok = good(c->activity_enable(kind), c, "starting", diags) &&
            cuda_launch_helper(d, d->helpers.touch, 8, 256, d->stream, arguments, diags) &&
            cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "moving pages") && settle(c, diags);
        c->activity_disable(kind);
        cuda_block_give(d, b, 0);
        if (!ok) return false;
        heard = sum.bytes > 0;
    }
    return heard || diag_system(diags, NULL, "page faults are not counted: CUPTI tells of none");
}

bool cuda_faults_count(struct cuda_device *d, const struct cupti *c, double *columns, struct diags *diags)
{
    CUpti_ActivityUnifiedMemoryCounterConfig wanted[] = {
        {.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD},
        {.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH},
        {.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT}};
    for (size_t i = 0; i < 3; i++) {
        wanted[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
        wanted[i].deviceId = (uint32_t)d->ordinal;
        wanted[i].enable = 1;
    }
    sum.cupti = c;
    if (!good(c->activity_hear(more_room, add_up), c, "asking for records", diags) ||
        !good(c->pages_configure(wanted, 3), c, "choosing counters", diags) || !listen(d, c, diags))
        return false;
    bool ok = cuda_restore(d, diags) && cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "placing managed pages") &&
        good(c->activity_enable(kind), c, "starting", diags);
    if (!ok) return false;
    ok = settle(c, diags); // what was before
    sum.faults = sum.bytes = sum.records = 0;
    ok = ok && cuda_submit_kernel(d, diags) &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "running `%s` to count its page faults",
            d->point.job->entry) &&
        settle(c, diags);
    c->activity_disable(kind);
    if (!ok) return false;
    columns[COLUMN_PAGE_FAULTS] = sum.faults;
    columns[COLUMN_MIGRATED_BYTES] = sum.bytes;
    return true;
}
#endif
