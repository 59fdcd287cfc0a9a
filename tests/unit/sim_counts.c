// What PTX's accesses count: each for itself, but neighbours that become one access. What is a loop on a GPU is known.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

// What a compiler would drop is its affair: machine code shows it.
static void an_instruction_of_ptx_is_an_access(void)
{
    RUN(HEAD K("ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [%rd3]; add.u32 %r9, %r2, %r3;"), 32);
    CHECK_INT(counts.ld_requests, 2);
    RUN(HEAD K("ld.global.u32 %r2, [%rd3];"), 32);
    CHECK_INT(counts.ld_requests, 1);
}

static void neighbours_become_one_access(void)
{
    RUN(HEAD ".shared .align 4 .b8 x[4];\n.shared .align 4 .b8 y[4];\n.shared .align 4 .b8 z[4];\n.shared .align 4 .b8 "
             "w[4];\n" K("setp.ne.u32 %p1, %r1, 3; @%p1 bra E; st.shared.u32 [x], 1; st.shared.u32 [y], 2; "
                         "st.shared.u32 [z], 3; st.shared.u32 [w], 4;\n"
                         " E: bar.sync 0; ld.shared.u32 %r2, [x]; ld.shared.u32 %r3, [y]; ld.shared.u32 %r4, [z]; "
                         "ld.shared.u32 %r5, [w];"
                         " add.u32 %r9, %r2, %r3; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5;"),
        32);
    EACH(32, 10);
    CHECK_INT(counts.shared_st_requests, 1);
    CHECK_INT(counts.shared_ld_requests, 1);
    RUN(HEAD ".shared .align 16 .b8 s[2048];\n" K("mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 16, %r4; cvt.u16.u32 %h1, %r1;"
                                                  " st.shared.u16 [%r4], %h1; st.shared.u16 [%r4+2], %h1; "
                                                  "st.shared.u16 [%r4+4], %h1; st.shared.u16 [%r4+6], %h1;"),
        32);
    CHECK_INT(counts.shared_st_requests, 1);
    // A store to another base lies between: it may be the same place.
    RUN(HEAD ".shared .align 16 .b8 s[4096];\n" K("mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 16, %r4; xor.b32 %r5, %r4, 512;"
                                                  " st.shared.u32 [%r4], %r1; st.shared.u32 [%r5], %r1; st.shared.u32 "
                                                  "[%r4+4], %r1; st.shared.u32 [%r5+4], %r1;"),
        32);
    CHECK_INT(counts.shared_st_requests, 4);
}

static void atomics_that_are_loops_on_a_gpu_are_told(void)
{
#define SUM(type, lanes) \
    HEAD ".shared .align 8 .b8 s[256];\n" K("mov.u32 %r4, s; and.b32 %r5, %r1, " lanes \
                                            "; mad.lo.u32 %r4, %r5, 8, %r4; mov.f32 %f1, 0f3F800000;" \
                                            " mov.u64 %rd4, 1; setp.ne.u32 %p1, %r1, 99; @%p1 bra G;\n G: " type)
    RUN(SUM("atom.shared.add.f32 %f2, [%r4], %f1;", "3"), 32);
    CHECK_INT(counts.shared_ld_requests, 0);
    CHECK_INT(counts.shared_atom_requests, 1);
    CHECK_INT(counts.shared_atom_wavefronts, 8); // eight lanes at each of four places
    CHECK_INT(counts.loop_wavefronts, 8);
    RUN(SUM("atom.shared.add.u64 %rd5, [%r4], %rd4;", "31"), 32);
    CHECK_INT(counts.loop_wavefronts, 2);
    RUN(SUM("atom.shared.exch.b64 %rd5, [%r4], %rd4;", "31"), 32);
    CHECK_INT(counts.shared_atom_wavefronts, 2);
    CHECK_INT(counts.loop_wavefronts, 0);
    RUN(HEAD K("mov.f32 %f1, 0f3F800000; atom.add.f32 %f2, [%rd1+4096], %f1;"), 32); // elsewhere it is one
    CHECK_INT(counts.loop_wavefronts, 0);
    CHECK_INT(counts.red_requests, 1);
    CHECK_INT(counts.half_atomics, 0);
    RUN(HEAD K("mov.u32 %r2, 0x3c00; cvt.u16.u32 %h1, %r2; atom.global.add.noftz.f16 %h2, [%rd1+4096], %h1;"), 32);
    CHECK_INT(counts.half_atomics, 1);
    CHECK_INT(counts.atom_requests, 1);
}

int main(void)
{
    ptx_begin();
    memset(out, 0, PTX_INTS * sizeof(int));
    an_instruction_of_ptx_is_an_access();
    neighbours_become_one_access();
    atomics_that_are_loops_on_a_gpu_are_told();
    return ptx_end();
}
