// Whether a kernel could know in its second launch that there was a first.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"

static bool is_buffer(const struct sim_point *p, uint64_t address)
{
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (p->buffers[i].address == address) return true;
    return false;
}

// By a variable of the source that was written, by its own output, or by a clock. What it should only read is locked.
bool sim_may_remember(struct sim_device *dev)
{
    const struct sim_point *p = &dev->point;
    uint64_t address;
    bool may = p->counts.reads_clock;
    for (size_t i = 0; (address = sim_variable(dev->module, i)); i++)
        may |= (sim_touched(dev->sim, address) & SIM_STORED) && !is_buffer(p, address);
    for (size_t i = 0; i < p->job->buffer_count; i++) {
        const unsigned touched = sim_touched(dev->sim, p->buffers[i].address);
        may |= p->job->buffers[i].access == ACCESS_WRITE && (touched & SIM_LOADED);
    }
    return may;
}
