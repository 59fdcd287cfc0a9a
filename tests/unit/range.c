// spec/: how many values a range has, and which. Steps that are not exact as a double are the difficult ones.
// SPDX-License-Identifier: MIT
#include "spec/experiment.h"
#include "unit/test.h"

// The values of `scale: RANGE`, as text.
static const char *values_of(const char *range)
{
    static char text[400];
    char file[400];
    struct experiments e = {0};
    struct diags d = {0};
    struct str s = {0};
    snprintf(file, sizeof file, "kernel: %s/messages/kernels/probe.cu\nsweep: {scale: %s}\n", TESTS_DIR, range);
    const bool good = experiments_parse("e.yaml", file, strlen(file), NULL, 0, &e, &d);
    for (size_t i = 0; good && i < e.items[0]->sweep[0].items[0].count; i++) {
        if (i) str_add(&s, " ");
        value_print(e.items[0]->sweep[0].items[0].values[i], &s);
    }
    snprintf(text, sizeof text, "%s", good ? s.text : diags_first(&d));
    str_release(&s);
    experiments_free(&e);
    diags_clear(&d);
    return text;
}

static void a_step_that_is_not_exact_still_reaches_the_end(void)
{
    CHECK_TEXT(values_of("{from: 0, to: 1, step: 0.1}"),
        "0 0.1 0.2 0.30000000000000004 0.4 0.5 0.6000000000000001 0.7000000000000001 0.8 0.9 1");
    CHECK_TEXT(values_of("{from: 0, to: 0.3, step: 0.1}"), "0 0.1 0.2 0.30000000000000004"); // 0.3 / 0.1 is below 3
    CHECK_TEXT(values_of("{from: 0, to: 0.6, step: 0.2}"), "0 0.2 0.4 0.6000000000000001");
    CHECK_TEXT(values_of("{from: 1, to: 0.7, step: -0.1}"), "1 0.9 0.8 0.7");
}

static void a_step_that_does_not_reach_the_end_stops_before_it(void)
{
    CHECK_TEXT(values_of("{from: 0, to: 1, step: 0.3}"), "0 0.3 0.6 0.8999999999999999");
    CHECK_TEXT(values_of("{from: 0, to: 0.29, step: 0.1}"), "0 0.1 0.2");
    CHECK_TEXT(values_of("{from: 0, to: 2.999, step: 1}"), "0 1 2");
    CHECK_TEXT(values_of("{from: 0, to: 10, step: 4}"), "0 4 8");
    CHECK_TEXT(values_of("{from: 0.5, to: 0.5, step: 0.1}"), "0.5");
}

static void a_factor_reaches_the_end_as_well(void)
{
    CHECK_TEXT(values_of("{from: 1, to: 1000, times: 10}"), "1 10 100 1000");
    CHECK_TEXT(values_of("{from: 0.001, to: 1, times: 10}"), "0.001 0.01 0.1 1");
    CHECK_TEXT(values_of("{from: 1, to: 999, times: 10}"), "1 10 100");
    CHECK_TEXT(values_of("{from: 1, to: 0.125, times: 0.5}"), "1 0.5 0.25 0.125");
}

int main(void)
{
    a_step_that_is_not_exact_still_reaches_the_end();
    a_step_that_does_not_reach_the_end_stops_before_it();
    a_factor_reaches_the_end_as_well();
    return test_end();
}
