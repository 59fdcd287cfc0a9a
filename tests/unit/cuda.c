// Without a GPU the CUDA device says in one sentence why there is none, also when it is opened by name; nothing
// crashes.
//
// SPDX-License-Identifier: MIT
#include "test.h"

#include "base/embed.h"
#include "device/device.h"

#include <string.h>

extern const struct device_ops device_cuda;

// The kernels that measuring needs are compiled only where there is a GPU: that they compile at all is tested
// everywhere.
static void helper_kernels_compile(void)
{
    const char *entries[] = {"gpuexp_gate", "gpuexp_stamp", "gpuexp_flush", "gpuexp_fill", "gpuexp_touch",
        "gpuexp_touch_warp", "gpuexp_compare"};
    const struct embedded *fill = embed_find("runner/compile/text/fill.h");
    const struct embedded *kernels = embed_find("runner/device/cuda/cuda_kernels.cu");
    struct compile_options options = {.arch = "sm_80"};
    struct diags d = {0};
    struct str text = {0};
    struct code *code = NULL;
    CHECK(fill && kernels);
    if (!fill || !kernels || !compile_compiler(&d)) return;
    str_addf(&text, "#define FILL_FUNCTION static __device__\n%s%s", fill->text, kernels->text);
    CHECK(compile_code(text.text, "cuda_kernels.cu", &options, &code, &d));
    CHECK_TEXT(diags_first(&d), "");
    for (size_t i = 0; code && i < sizeof entries / sizeof *entries; i++) CHECK(code_entry_find(code, entries[i]));
    code_free(code);
    str_release(&text);
    diags_clear(&d);
}

int main(void)
{
    char why[256] = "";
    const int n = device_cuda.count(why);
    struct diags d = {0};
    helper_kernels_compile();
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
