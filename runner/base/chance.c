// Numbers from the clock, spread by splitmix64.
// SPDX-License-Identifier: MIT
#include "base/chance.h"

#include "base/clock.h"

#include <unistd.h>

uint64_t chance_begin(void)
{
    static uint64_t calls;
    return (uint64_t)(1e9 * clock_seconds()) * 2654435761u ^ (uint64_t)getpid() << 20 ^ ++calls << 52;
}

double chance_draw(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}
