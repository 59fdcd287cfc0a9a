// What decides where a block goes and what it asks for: its number, in one direction or in both, or what it read.
// Blocks stand for others, and counts are taken again, by these answers.
// SPDX-License-Identifier: MIT
#include "sim/core/state.h"
#include "unit/test.h"

#define X 1 // paths follow from more than bounds on the block's number
#define D 2 // something hangs on values that are read
#define O 4 // ... of what other blocks do
#define L 8 // addresses of loads are no sum of multiples of the block's number

static const struct {
    const char *body;
    int found;
} rows[] = {
    // %r7: the block's number times 256, plus the thread's. One bound is no more than a bound, from either side.
    {"setp.gt.s32 %p1, %r7, 100; @%p1 ret;", 0},
    {"sub.s32 %r8, 1000, %r7; setp.gt.s32 %p1, %r8, 100; @%p1 ret;", 0},
    // Two that rise, or two that fall; one of each is a stretch in the middle.
    {"setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r7, 300; and.pred %p3, %p1, %p2; @%p3 ret;", 0},
    {"setp.gt.s32 %p1, %r7, 100; setp.lt.s32 %p2, %r7, 300; and.pred %p3, %p1, %p2; @%p3 ret;", X},
    {"setp.gt.s32 %p1, %r7, 100; setp.lt.s32 %p2, %r7, 300; not.pred %p4, %p2; or.pred %p3, %p1, %p4; @%p3 ret;", 0},
    // What is taken away from turns the direction.
    {"sub.s32 %r8, 1000, %r7; setp.gt.s32 %p1, %r7, 100; setp.lt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 ret;",
        0},
    {"sub.s32 %r8, 1000, %r7; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 ret;",
        X},
    {"sub.s32 %r8, %r7, 1000; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 ret;",
        0},
    {"neg.s32 %r8, %r7; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 ret;", X},
    // By a negative factor it turns too; by one that may be negative nothing is known.
    {"mul.lo.s32 %r8, %r7, 3; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 ret;",
        0},
    {"mul.lo.s32 %r8, %r7, %r2; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r8, 300; and.pred %p3, %p1, %p2; @%p3 "
     "ret;",
        X},
    {"sub.s32 %r8, %r6, 5; mul.lo.s32 %r9, %r7, %r8; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r9, 300;"
     " and.pred %p3, %p1, %p2; @%p3 ret;",
        X},
    {"add.s32 %r8, %r6, 5; mul.lo.s32 %r9, %r7, %r8; setp.gt.s32 %p1, %r7, 100; setp.gt.s32 %p2, %r9, 300;"
     " and.pred %p3, %p1, %p2; @%p3 ret;",
        0},
    {"rem.u32 %r8, %r7, 3; setp.ne.s32 %p1, %r8, 0; @%p1 ret;", X},
    {"setp.eq.s32 %p1, %r7, 100; @%p1 ret;", X},
    {"shl.b32 %r8, %r7, 2; setp.lt.u32 %p1, %r8, %r1; @%p1 ret;", 0},
    // What is read.
    {"ld.global.u32 %r8, [%rd5]; setp.gt.s32 %p1, %r8, 100; @%p1 ret;", X | D},
    {"ldu.global.u32 %r8, [%rd5]; setp.gt.s32 %p1, %r8, 100; @%p1 ret;", X | D},
    {"ld.global.u32 %r8, [%rd5]; st.global.u32 [%rd4], %r8;", 0},
    {"ld.global.u32 %r8, [%rd5]; mul.wide.u32 %rd6, %r8, 4; add.s64 %rd7, %rd1, %rd6; ld.global.u32 %r9, [%rd7];",
        L | D},
    {"ld.shared.u32 %r8, [s]; setp.gt.s32 %p1, %r8, 0; bar.red.popc.u32 %r9, 0, %p1; setp.gt.u32 %p2, %r9, 5; @%p2 "
     "ret;",
        X | D},
    {"setp.gt.s32 %p1, %r6, 3; bar.red.popc.u32 %r9, 0, %p1; setp.gt.u32 %p2, %r9, 5; @%p2 ret;", 0},
    // What another block did: an atomic whose result decides something, in memory that blocks share.
    {"atom.global.add.u32 %r8, [%rd1], 1; setp.gt.u32 %p1, %r8, 5; @%p1 ret;", X | D | O},
    {"atom.shared.add.u32 %r8, [s], 1; setp.gt.u32 %p1, %r8, 5; @%p1 ret;", X | D},
    {"atom.shared::cta.add.u32 %r8, [s], 1; setp.gt.u32 %p1, %r8, 5; @%p1 ret;", X | D},
    {"red.global.add.u32 [%rd1], 1;", 0},
};

static void holds(struct sim *sim, const char *body, int want)
{
    char text[2048], error[256] = "";
    snprintf(text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p_o, .param .u64 p_a, .param "
        ".u32 "
        "p_n, .param .u32 p_s)\n{\n .reg .pred %%p<8>; .reg .b32 %%r<32>; .reg .b64 %%rd<16>; .shared .align 4 .b32 "
        "s;\n"
        " ld.param.u64 %%rd1, [p_o]; ld.param.u64 %%rd2, [p_a]; ld.param.u32 %%r1, [p_n]; ld.param.u32 %%r2, [p_s];\n"
        " mov.u32 %%r3, %%ctaid.x; mov.u32 %%r5, %%ntid.x; mov.u32 %%r6, %%tid.x; mad.lo.s32 %%r7, %%r3, %%r5, %%r6;\n"
        " mul.wide.u32 %%rd3, %%r7, 4; add.s64 %%rd4, %%rd1, %%rd3; add.s64 %%rd5, %%rd2, %%rd3;\n %s\n"
        " st.global.u32 [%%rd4], %%r7; ret;\n}\n",
        body);
    struct sim_module *m = sim_load(sim, text, error);
    const struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
    CHECK(k != NULL);
    if (k) {
        const struct depend *d = &k->depend;
        const int got = (d->paths ? X : 0) | (d->data ? D : 0) | (d->others ? O : 0) | (d->places[ACCESS_LOAD] ? L : 0);
        if (got != want) printf("%s\n", body);
        CHECK_INT(got, want);
        CHECK(sim_oblivious(k) == !(want & D));
    } else printf("%s: %s\n", body, error);
    if (m) sim_unload(sim, m);
}

int main(void)
{
    struct sim *sim = sim_new(1);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) holds(sim, rows[n].body, rows[n].found);
    sim_free(sim);
    return test_end();
}
