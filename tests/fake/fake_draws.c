// What contexts and places of the device for tests draw.
// SPDX-License-Identifier: MIT
#include "fake/fake.h"

static double even(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / 0x1p31;
}

// Twelve even numbers add up to a normal one.
double fake_drawn(uint64_t seed)
{
    double sum = -6;
    for (int i = 0; i < 8; i++) even(&seed); // neighbouring seeds begin alike
    for (int i = 0; i < 12; i++) sum += even(&seed);
    return sum;
}
