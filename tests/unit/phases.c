// measure/measure.h: samples begin in all phases of the device's period, whatever their own pace, and wait little.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "base/chance.h"
#include "unit/test.h"

// Of so many samples that take `took_us` each: how unevenly they begin in 16 parts of the period; the mean wait.
static double unevenness(double took_us, double *waits)
{
    enum { SAMPLES = 1600, PARTS = 16 };
    uint64_t chance = 7;
    unsigned seen = 0, begun[PARTS] = {0}, most = 0, least = SAMPLES;
    double now = 12345;
    *waits = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const double wait = phases_wait(&seen, now, chance_draw(&chance));
        CHECK(wait > 0 && wait < 2 * 100.15);
        *waits += wait / SAMPLES;
        now += wait;
        begun[(int)(fmod(now, 100.15) / 100.15 * PARTS)]++;
        now += took_us;
    }
    for (int i = 0; i < PARTS; i++) {
        if (begun[i] > most) most = begun[i];
        if (begun[i] < least) least = begun[i];
    }
    return (double)(most - least) / (SAMPLES / PARTS);
}

static void all_phases_are_seen_whatever_the_pace(void)
{
    static const double paces[] = {100.15, 200.3, 50.075, 131, 83.7, 81.37, 2240, 9};
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        double waits;
        CHECK(unevenness(paces[i], &waits) < 0.6);
        CHECK(waits < 45);
    }
}

static void eight_samples_begin_in_eight_parts(void)
{
    static const double paces[] = {100.15, 81.37, 190, 12.5};
    for (size_t k = 0; k < sizeof paces / sizeof *paces; k++) {
        unsigned seen = 0, parts = 0;
        double now = 3;
        for (int i = 0; i < 8; i++) {
            now += phases_wait(&seen, now, 0.5);
            parts |= 1u << (int)(fmod(now, 100.15) / 100.15 * 8);
            now += paces[k];
        }
        CHECK_INT(parts, 255);
    }
}

int main(void)
{
    all_phases_are_seen_whatever_the_pace();
    eight_samples_begin_in_eight_parts();
    return test_end();
}
