// printf of a kernel: what reaches stderr, and what printf returns.
// SPDX-License-Identifier: MIT
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const text =
    ".version 7.8\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 "
    "b);\n"
    ".global .align 1 .b8 f[] = {116, 61, 37, 53, 100, 32, 37, 46, 50, 102, 32, 37, 108, 108, 117, 32, 37, 115, 32, "
    "37, 110, 37, 37, 10, 0};\n"
    ".global .align 1 .b8 s[4] = {97, 98, 99};\n"
    ".visible .entry k(.param .u64 k_p)\n{\n .local .align 8 .b8 d[32]; .reg .pred %p<2>; .reg .b32 %r<4>; .reg .f64 "
    "%fd<2>;"
    " .reg .b64 %rd<8>;\n ld.param.u64 %rd1, [k_p]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 33; @%p1 ret;\n"
    " mov.u64 %rd2, d; cvta.local.u64 %rd3, %rd2; mov.f64 %fd1, 0d3FF8000000000000; mov.u64 %rd4, s;\n"
    " st.local.u32 [%rd2], %r1; st.local.f64 [%rd2+8], %fd1; st.local.u64 [%rd2+16], 12345678901234;"
    " st.local.u64 [%rd2+24], %rd4;\n"
    " mov.u64 %rd5, f;\n { .param .b64 p0; st.param.b64 [p0+0], %rd5; .param .b64 p1; st.param.b64 [p1+0], %rd3;"
    " .param .b32 q;\n"
    " call.uni (q), vprintf, (p0, p1); ld.param.b32 %r2, [q+0]; }\n st.global.u32 [%rd1], %r2;\n ret;\n}\n";

int main(void)
{
    char error[256], got[256] = "";
    struct sim *sim = sim_new(1);
    struct sim_module *m = sim_load(sim, text, error);
    struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    if (!k) printf("%s\n", error);
    CHECK(k != NULL);
    const uint64_t out = sim_alloc(sim, 4, "out");
    const struct sim_launch l = {.grid = {1, 1, 1}, .block = {64, 1, 1}, .params = &out, .param_bytes = 8};
    struct sim_counts counts;
    struct sim_fault fault;
    FILE *file = tmpfile();
    const int keep = dup(2);
    CHECK(file && keep >= 0);
    if (!k || !file) return 1;
    fflush(stderr);
    dup2(fileno(file), 2);
    const bool good = sim_launch(sim, k, &l, &counts, &fault);
    dup2(keep, 2);
    if (!good) printf("%s\n", fault.what);
    CHECK(good);
    rewind(file);
    CHECK(fread(got, 1, sizeof got - 1, file) > 0);
    CHECK_TEXT(got, "t=   33 1.50 12345678901234 abc ?%\n"); // %n is none that a kernel has
    CHECK_INT(*(int *)sim_host(sim, out, 4), (int)strlen(got));
    fclose(file);
    close(keep);
    sim_free(sim);
    return test_end();
}
