// Runs `check`, or what `expected` returns is held against, over all elements of a point on the simulator.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

#include <string.h>

// The buffer that has that name after a sequence.
static struct sim_buffer *buffer_of(struct sim_device *dev, size_t k)
{
    return &dev->point.buffers[(int)k + dev->point.job->buffers[k].swapped];
}

static bool fetch(void *context, size_t i, bool before, uint64_t element, void *bytes)
{
    struct sim_device *dev = context;
    const uint64_t size = dev->point.job->buffers[i].element_bytes;
    const struct sim_block *b = before ? dev->point.buffers[i].before : buffer_of(dev, i)->block;
    const void *from = b ? sim_host(dev->sim, b->address + element * size, (size_t)size) : NULL;
    if (from) memcpy(bytes, from, (size_t)size);
    return from != NULL;
}

static struct pack_value taken(struct sim_device *dev, const struct compile_argument *take, uint64_t result)
{
    static const char *const tolerances[] = {"abs", "rel"};
    const struct job *job = dev->point.job;
    const size_t k = take->index;
    switch (take->take) {
    case TAKE_BUFFER:
        return (struct pack_value){
            .name = job->buffers[k].name, .is_address = true, .address = buffer_of(dev, k)->block->address};
    case TAKE_BEFORE:
        return (struct pack_value){
            .name = job->buffers[k].name, .is_address = true, .address = dev->point.buffers[k].before->address};
    case TAKE_SCALAR: return (struct pack_value){.name = job->scalars[k].name, .value = job->scalars[k].value};
    case TAKE_TOLERANCE: return (struct pack_value){.name = tolerances[k], .value = value_real(job->tolerance[k])};
    case TAKE_LENGTH: return (struct pack_value){.name = "length", .value = value_int((int64_t)job->buffers[k].count)};
    case TAKE_COUNT: return (struct pack_value){.name = "n", .value = value_int((int64_t)job->check_count)};
    case TAKE_RESULT: break;
    }
    return (struct pack_value){.name = "result", .is_address = true, .address = result};
}

// One that writes makes right what it is to find wrong.
static void lock_all(struct sim_device *dev, bool lock)
{
    const struct job *job = dev->point.job;
    for (size_t i = 0; i < job->buffer_count; i++)
        sim_lock(dev->sim, dev->point.buffers[i].block->address, lock ? (uint32_t)job->buffers[i].element_bytes : 0);
}

bool sim_check(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const struct job *job = p->job;
    struct compile_argument take[256];
    const size_t n = compile_check_arguments(job, take, 256);
    struct pack_value *values = arena_alloc(dev->arena, 256 * sizeof *values);
    const uint64_t at = sim_alloc(dev->sim, CHECK_WORDS * sizeof(uint64_t), "gpuexp_result");
    uint64_t *result = at ? sim_host(dev->sim, at, CHECK_WORDS * sizeof(uint64_t)) : NULL;
    if (!result) return diag_system(d, NULL, "no memory on this machine for the check's result");
    memset(result, 0, CHECK_WORDS * sizeof *result);
    result[CHECK_FIRST] = result[CHECK_ASKED] = UINT64_MAX;
    for (size_t i = 0; i < n && i < 256; i++) values[i] = taken(dev, &take[i], at);
    lock_all(dev, true);
    bool good = sim_run_generated(dev, p->check, "gpuexp_check", job->check_count, values, n, d);
    *v = (struct result_check){
        .verified = true, .wrong = result[CHECK_WRONG], .checked = job->check_count, .first = result[CHECK_FIRST]};
    if (good && v->wrong) { // what was expected there is asked for once more
        result[CHECK_ASKED] = v->first;
        good = !job->expect_count || sim_run_generated(dev, p->check, "gpuexp_check", job->check_count, values, n, d);
        found_fill(&v->found, job, result, fetch, dev);
    }
    lock_all(dev, false);
    sim_release(dev->sim, at);
    return good;
}
