// How long two instructions take a warp of which the second waits for the first, and what they take of turns and pipes.
// SPDX-License-Identifier: MIT
#include "sim/compiler/pace.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "unit/test.h"

static const struct {
    const char *body;
    uint32_t turns, cycles;
    enum model_pipe pipe; // that the first takes; MODEL_PIPES: none
    uint32_t taken;       // with what the second takes of it
} rows[] = {
    {"ld.param.u32 %r2, [p]; add.u32 %r3, %r2, 1;", 1, 1, MODEL_PIPES, 0},
    {"ld.shared.u32 %r2, [s]; add.u32 %r3, %r2, 1;", 2, 24, MODEL_PIPES, 0},
    {"ld.volatile.shared.u32 %r2, [s]; add.u32 %r3, %r2, 1;", 2, 24, MODEL_PIPES, 0},
    {"ld.const.u32 %r2, [c]; add.u32 %r3, %r2, 1;", 2, 8, MODEL_PIPES, 0},
    {"add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;", 2, 5, MODEL_ALU, 2},
    {"add.s64 %rd2, %rd1, 1; add.s64 %rd3, %rd2, 1;", 3, 8, MODEL_ALU, 4},
    {"addc.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;", 2, 5, MODEL_ALU, 2}, // as `add` does
    {"fma.rn.f32 %f2, %f1, %f1, %f1; fma.rn.f32 %f3, %f2, %f2, %f2;", 2, 4, MODEL_FMA, 2},
    {"add.f16 %h2, %h1, %h1; add.f16 %h3, %h2, %h2;", 2, 4, MODEL_FMA, 2},
    {"add.f64 %fd2, %fd1, %fd1; add.f64 %fd3, %fd2, %fd2;", 2, 8, MODEL_FP64, 4},
    {"mul.lo.s32 %r2, %r1, %r1; add.u32 %r3, %r2, 1;", 2, 5, MODEL_FMA, 2},
    {"mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd2, 1;", 3, 5, MODEL_FMA, 2},
    {"mul.lo.s64 %rd2, %rd1, 4; add.s64 %rd3, %rd2, 1;", 6, 14, MODEL_FMA, 7},
    {"mul.hi.s64 %rd2, %rd1, 4; add.s64 %rd3, %rd2, 1;", 14, 30, MODEL_FMA, 24},
    {"div.rn.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f2;", 17, 60, MODEL_XU, 8},
    {"div.approx.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f2;", 5, 36, MODEL_XU, 8},
    {"div.rn.f64 %fd2, %fd1, %fd1; add.f64 %fd3, %fd2, %fd2;", 25, 200, MODEL_FP64, 26},
    {"div.s64 %rd2, %rd1, %rd1; add.s64 %rd3, %rd2, 1;", 72, 450, MODEL_FMA, 60},
    {"div.s32 %r2, %r1, %r1; add.s32 %r3, %r2, 1;", 19, 90, MODEL_XU, 16},
    {"ex2.approx.ftz.f32 %f2, %f1; add.f32 %f3, %f2, %f2;", 2, 18, MODEL_XU, 8},
    {"ex2.approx.f32 %f2, %f1; add.f32 %f3, %f2, %f2;", 5, 18, MODEL_XU, 8},
    {"cvt.rn.f32.s32 %f2, %r1; add.f32 %f3, %f2, %f2;", 2, 14, MODEL_XU, 4},
    {"cvt.f64.f32 %fd2, %f1; add.f64 %fd3, %fd2, %fd2;", 3, 16, MODEL_XU, 8},
    {"cvt.u64.u32 %rd2, %r1; add.s64 %rd3, %rd2, 1;", 2, 2, MODEL_ALU, 3},
    {"cvt.s64.s32 %rd2, %r1; add.s64 %rd3, %rd2, 1;", 3, 4, MODEL_ALU, 4},
    {"shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; add.u32 %r3, %r2, 1;", 2, 23, MODEL_SHARED, 1},
};

int main(void)
{
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct arena *a = arena_new();
        struct pace p;
        struct head_pace out;
        char text[1024], error[256] = "";
        snprintf(text, sizeof text,
            ".version 8.0\n.target sm_90\n.address_size 64\n.const .u32 c;\n.visible .entry k(.param .u32 p)\n{\n"
            " .reg .b16 %%h<4>; .reg .b32 %%r<4>; .reg .f32 %%f<4>; .reg .b64 %%rd<4>; .reg .f64 %%fd<4>;\n"
            " .shared .align 4 .b32 s;\n %s\n}\n",
            rows[n].body);
        const struct ptx_module *m = ptx_module_read(a, text, error);
        const struct ptx_func *f = m ? ptx_module_func(m, "k") : NULL;
        CHECK(f && f->inst_count == 2);
        if (!f) printf("%s: %s\n", rows[n].body, error);
        if (f) {
            const int failed = test_failures;
            pace_find(&p, f, 0, a);
            pace_of(&p, f, 0, f->inst_count, &out, a);
            CHECK_INT(out.work.turns, rows[n].turns);
            CHECK_INT(out.work.cycles, rows[n].cycles);
            if (rows[n].pipe < MODEL_PIPES) CHECK_INT(out.work.pipes[rows[n].pipe], rows[n].taken);
            if (test_failures > failed) printf("%s\n", rows[n].body);
        }
        arena_free(a);
    }
    return test_end();
}
