// Without a GPU the CUDA device says in one sentence why there is none, also when it is opened by name; nothing crashes.
//
// SPDX-License-Identifier: MIT
#include "test.h"

#include "device/device.h"

#include <string.h>

extern const struct device_ops device_cuda;

int main(void)
{
    char why[256] = "";
    const int n = device_cuda.count(why);
    struct diags d = {0};
    CHECK(n >= 0);
    if (n > 0) return test_end(); // with a GPU, tests/gpu has the checks
    CHECK(strlen(why) > 20 && !strchr(why, '\n'));
    CHECK(!device_cuda.open("cuda:0", &d));
    CHECK(diags_exit_status(&d) == 3);
    CHECK(strstr(diags_first(&d), "cuda:0"));
    char spec[32];
    device_cuda.spec(3, spec);
    CHECK(strcmp(spec, "cuda:3") == 0);
    diags_clear(&d);
    return test_end();
}
