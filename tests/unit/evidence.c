// What is known of a device that rows are explained for.
// SPDX-License-Identifier: MIT
#include "reason/evidence.h"

#include "spec/columns.h"
#include "test.h"

#include <math.h>

static enum evidence_known of(const char *name, const char *limits, struct profile *p)
{
    return evidence_device(name, limits, p);
}

static void a_device_is_known_by_the_word_of_its_model(void)
{
    struct profile p;
    CHECK_INT(of("NVIDIA H200", NULL, &p), KNOWN_WELL);
    CHECK_INT(of("NVIDIA H100 80GB HBM3", NULL, &p), KNOWN_LIMITS);
    CHECK_TEXT(p.name, "h100");
    CHECK_INT(of("NVIDIA A100-SXM4-80GB (cuda:3)", NULL, &p), KNOWN_LIMITS);
    CHECK_TEXT(p.name, "a100");
    CHECK_INT(of("Tesla V100-SXM2-16GB", NULL, &p), KNOWN_LIMITS);
    CHECK_INT(p.limits.sms, 80);
    CHECK_INT(of("NVIDIA GH200 480GB", NULL, &p), KNOWN_NOTHING);
    CHECK_INT(of("NVIDIA H100 PCIe", NULL, &p), KNOWN_NOTHING); // of 114 SMs
    CHECK_INT(of("NVIDIA GeForce RTX 4090 Laptop GPU", NULL, &p), KNOWN_NOTHING);
    CHECK_INT(of("script", NULL, &p), KNOWN_NOTHING);
    CHECK_TEXT(p.name, "h200"); // stands in
}

static void a_simulator_is_its_profile_and_the_plain_one_an_h200(void)
{
    struct profile p;
    CHECK_INT(of("sim", NULL, &p), KNOWN_WELL);
    CHECK_TEXT(p.name, "h200");
    CHECK_INT(of("sim:a100", NULL, &p), KNOWN_LIMITS);
    CHECK_INT(p.limits.sms, 108);
}

static void what_a_run_file_says_comes_first(void)
{
    struct profile p;
    const char *said = "sms 114, warps_per_sm 48, l2_bytes 1000, sm_clock_max 1755";
    CHECK_INT(of("NVIDIA H100 PCIe", said, &p), KNOWN_LIMITS);
    CHECK_INT(p.limits.sms, 114);
    CHECK_INT(p.limits.warps_per_sm, 48);
    CHECK_INT(p.boost_mhz, 1755);
    CHECK(p.l2_bytes == 1000);
    CHECK_INT(of("NVIDIA H200", "sms 66", &p), KNOWN_WELL);
    CHECK_INT(p.limits.sms, 66);
    CHECK_INT(of("other", "nothing", &p), KNOWN_NOTHING);
}

// Beyond the model's interval it is told how far; within it, that it is there; of a device that nobody knows, nothing.
static void a_time_outside_of_the_interval_has_parted(void)
{
    double columns[COLUMN_COUNT] = {0};
    struct evidence e = {.columns = columns, .known = KNOWN_WELL};
    e.limits = (struct limits){.count = 1, .us = 10, .lo_us = 8, .hi_us = 15};
    CHECK(isnan(evidence_parted(&e))); // not timed
    columns[COLUMN_TIME_US] = 15;
    CHECK(evidence_parted(&e) == 1);
    columns[COLUMN_TIME_US] = 20;
    CHECK(evidence_parted(&e) == 2);
    columns[COLUMN_TIME_US] = 5;
    CHECK(evidence_parted(&e) == 0.5);
    e.known = KNOWN_NOTHING;
    CHECK(isnan(evidence_parted(&e)));
}

int main(void)
{
    a_time_outside_of_the_interval_has_parted();
    a_device_is_known_by_the_word_of_its_model();
    a_simulator_is_its_profile_and_the_plain_one_an_h200();
    what_a_run_file_says_comes_first();
    return test_end();
}
