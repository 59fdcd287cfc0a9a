// Products of matrices against plain loops: every shape and type of wmma through memory, in all layouts and from shared
// and global memory; mma.sync by the layouts that the PTX manual gives; ldmatrix, stmatrix, movmatrix and their
// wavefronts.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

#include <stdlib.h>

enum { AT_A = 4096, AT_B = 16384, AT_C = 32768 }; // bytes into the buffer

static unsigned random_bits(void)
{
    static unsigned r = 1;
    return r = r * 1664525 + 1013904223, r >> 8;
}

static unsigned half_of(int v) // small whole numbers only
{
    if (!v) return 0;
    const int n = v < 0 ? -v : v, e = 31 - __builtin_clz((unsigned)n);
    return (v < 0 ? 0x8000u : 0) | (unsigned)(e + 15) << 10 | ((unsigned)n << 10 >> e & 0x3ff);
}
static int of_half(unsigned h)
{
    if (!(h & 0x7fff)) return 0;
    const int e = (int)(h >> 10 & 31) - 25, m = (int)(h & 0x3ff) | 0x400, v = e < 0 ? m >> -e : m << e;
    return h & 0x8000 ? -v : v;
}

// Writes element `i` of a matrix of that type, and reads it back.
static void put(const char *type, unsigned char *at, int i, int v)
{
    const float f = (float)v;
    const double d = v;
    unsigned bits = (unsigned)v;
    if (!strcmp(type, "f16")) bits = half_of(v), memcpy(at + 2 * i, &bits, 2);
    else if (!strcmp(type, "bf16")) memcpy(&bits, &f, 4), bits >>= 16, memcpy(at + 2 * i, &bits, 2);
    else if (!strcmp(type, "f32") || !strcmp(type, "tf32")) memcpy(at + 4 * i, &f, 4);
    else if (!strcmp(type, "f64")) memcpy(at + 8 * i, &d, 8);
    else if (!strcmp(type, "s32")) memcpy(at + 4 * i, &v, 4);
    else at[i] = (unsigned char)v;
}
static int get(const char *type, const unsigned char *at, int i)
{
    float f;
    double d;
    unsigned bits = 0;
    int v;
    if (!strcmp(type, "f16")) return memcpy(&bits, at + 2 * i, 2), of_half(bits);
    if (!strcmp(type, "f32")) return memcpy(&f, at + 4 * i, 4), (int)f;
    if (!strcmp(type, "f64")) return memcpy(&d, at + 8 * i, 8), (int)d;
    return memcpy(&v, at + 4 * i, 4), v;
}

static void names(char *text, const char *prefix, int count)
{
    text[0] = 0;
    for (int k = 0; k < count; k++) sprintf(text + strlen(text), "%s%s%d", k ? ", " : "", prefix, k);
}

struct wmma {
    int m, n, k;
    const char *in, *sum;
    int a, b, c; // registers
    const char *types;
};
static const struct wmma shapes[] = {{16, 16, 16, "f16", "f32", 8, 8, 8, "f32.f32"},
    {16, 16, 16, "f16", "f16", 8, 8, 4, "f16.f16"}, {32, 8, 16, "f16", "f32", 8, 8, 8, "f32.f32"},
    {8, 32, 16, "f16", "f32", 8, 8, 8, "f32.f32"}, {16, 16, 16, "bf16", "f32", 4, 4, 8, "f32.bf16.bf16.f32"},
    {32, 8, 16, "bf16", "f32", 8, 2, 8, "f32.bf16.bf16.f32"}, {16, 16, 8, "tf32", "f32", 4, 4, 8, "f32.tf32.tf32.f32"},
    {16, 16, 16, "s8", "s32", 2, 2, 8, "s32.s8.s8.s32"}, {32, 8, 16, "u8", "s32", 4, 1, 8, "s32.u8.u8.s32"},
    {8, 32, 16, "s8", "s32", 1, 4, 8, "s32.s8.s8.s32"}, {8, 8, 4, "f64", "f64", 1, 1, 2, "f64.f64.f64.f64"}};

static void multiplies(const struct wmma *s, bool a_col, bool b_col, bool c_col, bool shared)
{
    char text[6000], a[200], b[200], c[200], d[200], shape[24];
    const int pad = !shared ? 0
        : s->in[1] == '8'   ? 16
                            : 8, /* rows begin at 16 bytes */
        la = (a_col ? s->m : s->k) + pad, lb = (b_col ? s->k : s->n) + pad, lc = c_col ? s->m : s->n;
    const char wide = strcmp(s->in, "f64") == 0 ? 'd' : 'r', *space = shared ? "shared" : "global";
    const char *sum = !strcmp(s->sum, "f32") ? "f" : wide == 'd' ? "fd" : "r";
    char pa[8], pb[8], pc[8], pd[8];
    sprintf(pa, "%%%sa", wide == 'd' ? "fd" : "r"), sprintf(pb, "%%%sb", wide == 'd' ? "fd" : "r");
    sprintf(pc, "%%%sc", sum), sprintf(pd, "%%%sd", sum);
    names(a, pa, s->a), names(b, pb, s->b), names(c, pc, s->c), names(d, pd, s->c);
    sprintf(shape, "m%dn%dk%d", s->m, s->n, s->k);
    const char *type = wide == 'd' ? ".f64" : ".b32";
    const int at = snprintf(text, sizeof text,
        HEAD ".visible .entry k(.param .u64 p)\n{ .reg .b64 %%x<8>; .reg .b32 %%r<8>; .reg .pred %%p;"
             " .shared .align 32 .b8 s[16384]; .reg %s %s<16>; .reg %s %s<16>; .reg .%s %s<16>; .reg .%s %s<16>;\n"
             " ld.param.u64 %%x1, [p]; add.s64 %%x2, %%x1, %d; add.s64 %%x3, %%x1, %d; add.s64 %%x4, %%x1, %d;\n",
        type, pa, type, pb, !strcmp(s->sum, "f16") ? "b32" : s->sum, pc, !strcmp(s->sum, "f16") ? "b32" : s->sum, pd,
        AT_A, AT_B, AT_C);
    const char *from_a = "%x2", *from_b = "%x3";
    int more = at;
    if (shared) { // both factors are copied, word by word
        more += snprintf(text + more, sizeof text - (size_t)more,
            " mov.u32 %%r1, %%tid.x; mov.u32 %%r2, s; shl.b32 %%r1, %%r1, 2; add.s32 %%r3, %%r2, %%r1;"
            " cvt.u64.u32 %%x5, %%r1; add.s64 %%x6, %%x2, %%x5; mov.u32 %%r4, 0;\nL: ld.global.u32 %%r5, [%%x6]; "
            "st.shared.u32 [%%r3], %%r5;"
            " ld.global.u32 %%r5, [%%x6+%d]; st.shared.u32 [%%r3+8192], %%r5; add.s64 %%x6, %%x6, 128; add.s32 "
            "%%r3, %%r3, 128; add.s32 %%r4, %%r4, 1;"
            " setp.lt.s32 %%p, %%r4, 64; @%%p bra L; bar.sync 0; add.s32 %%r6, %%r2, 8192;\n",
            AT_B - AT_A);
        from_a = "%r2", from_b = "%r6";
    }
    snprintf(text + more, sizeof text - (size_t)more,
        " wmma.load.c.sync.aligned.%s.%s.global.%s {%s}, [%%x4], %d;\n wmma.load.a.sync.aligned.%s.%s.%s.%s {%s}, "
        "[%s], %d;\n"
        " wmma.load.b.sync.aligned.%s.%s.%s.%s {%s}, [%s], %d;\n wmma.mma.sync.aligned.%s.%s.%s.%s {%s}, {%s}, {%s}, "
        "{%s};\n"
        " wmma.store.d.sync.aligned.%s.%s.global.%s [%%x4], {%s}, %d;\n ret; }\n",
        c_col ? "col" : "row", shape, s->sum, c, lc, a_col ? "col" : "row", shape, space, s->in, a, from_a, la,
        b_col ? "col" : "row", shape, space, s->in, b, from_b, lb, a_col ? "col" : "row", b_col ? "col" : "row", shape,
        s->types, d, a, b, c, c_col ? "col" : "row", shape, s->sum, d, lc);
    unsigned char *base = (unsigned char *)out;
    static int ma[32][32], mb[32][32], mc[32][32];
    const int span = *s->in == 'u' ? 0 : 4;
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->k; j++)
            put(s->in, base + AT_A, a_col ? j * la + i : i * la + j, ma[i][j] = (int)(random_bits() % 9) - span);
    for (int i = 0; i < s->k; i++)
        for (int j = 0; j < s->n; j++)
            put(s->in, base + AT_B, b_col ? j * lb + i : i * lb + j, mb[i][j] = (int)(random_bits() % 9) - span);
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++)
            put(s->sum, base + AT_C, c_col ? j * lc + i : i * lc + j, mc[i][j] = (int)(random_bits() % 99));
    if (!ptx_launch(text, (struct sim_launch){.block = {32}})) printf("%s: %s\n%s", shape, fault.what, text);
    int wrong = 0;
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++) {
            int want = mc[i][j];
            for (int k = 0; k < s->k; k++) want += ma[i][k] * mb[k][j];
            wrong += get(s->sum, base + AT_C, c_col ? j * lc + i : i * lc + j) != want;
        }
    if (wrong)
        printf("%s %s %s a_col %d b_col %d c_col %d shared %d: %d wrong\n", shape, s->in, s->sum, a_col, b_col, c_col,
            shared, wrong);
    CHECK_INT(wrong, 0);
}

static void wmma_in_every_layout(void)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int how = 0; how < 16; how++) multiplies(&shapes[k], how & 1, how & 2, how & 4, how & 8);
    multiplies(&shapes[0], false, true, false, false);
    CHECK_INT(counts.ld_requests, 4 + 4 + 4); // sums by pairs, factors by words
    CHECK_INT(counts.st_requests, 4);
    multiplies(&shapes[0], true, true, true, false);
    CHECK_INT(counts.ld_requests, 8 + 4 + 4);
    CHECK_INT(counts.st_requests, 8);
    multiplies(&shapes[7], true, false, false, false);
    CHECK_INT(counts.ld_requests, 4 + 8 + 8); // bytes across the rows come one by one
    multiplies(&shapes[0], false, true, false, true);
    CHECK_INT(counts.shared_ld_wavefronts, 8); // four rows of 48 bytes at a time: no two in one bank
    CHECK_INT(counts.shared_ld_requests, 2);
    multiplies(&shapes[7], false, true, false, true);
    CHECK_INT(counts.shared_ld_requests, 2); // bytes along the rows: the same
    multiplies(&shapes[7], true, true, false, true);
    CHECK_INT(counts.shared_ld_requests, 8 + 1);
}

// The manual's layouts, element by element: a0.. of lane l lie at (row, column).
struct layout {
    int row, col;
};
static struct layout left16(int l, int i)
{
    return (struct layout){l / 4 + (i / 2 % 2) * 8, l % 4 * 2 + i % 2 + i / 4 * 8};
}
static struct layout right16(int l, int i) { return (struct layout){l % 4 * 2 + i % 2 + i / 2 * 8, l / 4}; }
static struct layout left8(int l, int i)
{
    return (struct layout){l / 4 + (i / 4 % 2) * 8, l % 4 * 4 + i % 4 + i / 8 * 16};
}
static struct layout right8(int l, int i) { return (struct layout){l % 4 * 4 + i % 4 + i / 4 * 16, l / 4}; }
static struct layout sum4(int l, int i) { return (struct layout){l / 4 + i / 2 * 8, l % 4 * 2 + i % 2}; }

static void mma_has_the_layouts_of_the_manual(void)
{
    static int a[16][32], b[32][8];
    unsigned char *base = (unsigned char *)out;
    for (int bytes = 0; bytes < 2; bytes++) {
        const int depth = bytes ? 32 : 16, each = bytes ? 4 : 2;
        for (int l = 0; l < 32; l++) {
            for (int i = 0; i < 4 * each; i++) {
                const struct layout p = bytes ? left8(l, i) : left16(l, i);
                a[p.row][p.col] = (int)(random_bits() % 11) - 5;
                put(bytes ? "s8" : "f16", base + AT_A + 16 * l, i, a[p.row][p.col]);
            }
            for (int i = 0; i < 2 * each; i++) {
                const struct layout p = bytes ? right8(l, i) : right16(l, i);
                b[p.row][p.col] = (int)(random_bits() % 11) - 5;
                put(bytes ? "s8" : "f16", base + AT_B + 8 * l, i, b[p.row][p.col]);
            }
        }
#define FRAGMENTS \
    "mul.wide.u32 %rd4, %r1, 16; add.s64 %rd4, %rd4, %rd1; mul.wide.u32 %rd5, %r1, 8; add.s64 %rd5, %rd5, %rd1;" \
    " ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd4+4096]; ld.global.v2.u32 {%r6, %r7}, [%rd5+16384]; mov.u32 %r8, 7;"
        RUN(bytes
                ? HEAD K(FRAGMENTS "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r10, %r11, %r12, %r13}, {%r2, "
                                   "%r3, %r4, %r5}, {%r6, %r7},"
                                   " {%r8, %r8, %r8, %r8}; st.global.v4.u32 [%rd4+32768], {%r10, %r11, %r12, %r13};")
                : HEAD K(FRAGMENTS
                      "cvt.rn.f32.u32 %f1, %r8; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5},"
                      " {%r2, %r3, %r4, %r5}, {%r6, %r7}, {%f1, %f1, %f1, %f1}; st.global.v4.f32 [%rd4+32768], {%f2, "
                      "%f3, %f4, %f5};"),
            32);
        for (int l = 0; l < 32; l++)
            for (int i = 0; i < 4; i++) {
                const struct layout p = sum4(l, i);
                int want = 7;
                for (int k = 0; k < depth; k++) want += a[p.row][k] * b[k][p.col];
                CHECK_INT(get(bytes ? "s32" : "f32", base + AT_C + 16 * l, i), want);
            }
    }
    // Bits: 16 x 256 by 256 x 8, common ones counted; the sum of a row's products is what popc says of whole words.
    RUN(HEAD K("mov.u32 %r2, -1; mov.u32 %r3, 0xff; mov.u32 %r8, 1; "
               "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc"
               " {%r10, %r11, %r12, %r13}, {%r2, %r3, %r2, %r3}, {%r2, %r2}, {%r8, %r8, %r8, %r8}; mad.lo.u32 %r9, "
               "%r10, 1000, %r12;"),
        32);
    EACH(32, 257 * 1000 + 65);
    RUN(HEAD K("mov.u32 %r2, 0x7f; cvt.u32.u32 %r3, %r2; mul.lo.u32 %r2, %r2, 0x01010101; mov.u32 %r8, 0x7fffff00;"
               " mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%r9, %r11, %r12, %r13}, {%r2, %r2, %r2, "
               "%r2}, {%r2, %r2}, {%r8, %r8, %r8, %r8};"),
        32);
    EACH(32, 0x7fffffff);
    RUN(HEAD K(".reg .f64 %d<4>; cvt.rn.f64.u32 %d1, %r1; mov.f64 %d2, 0d3FF0000000000000; mov.f64 %d3, "
               "0d0000000000000000;"
               " mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d3}, {%d1}, {%d2}, {%d3, %d3}; cvt.rzi.s32.f64 "
               "%r9, %d0;"),
        32);
    EACH(32, 4 * (t / 4 * 4) + 6); // a row's four elements are its lanes' numbers
}

// 8 by 8 by 4: lanes 0-3 with 16-19 make one product, the next four another. The manual's places again.
#define QUADS(rows, cols) \
    HEAD K("mul.wide.u32 %rd4, %r1, 8; add.s64 %rd4, %rd4, %rd1; ld.global.v2.u32 {%r2, %r3}, [%rd4+4096];" \
           "ld.global.v2.u32 {%r4, %r5}, [%rd4+16384]; mov.f32 %f0, 0f40000000; mma.sync.aligned.m8n8k4." rows \
           "." cols \
           ".f32.f16.f16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r2, %r3}, {%r4, %r5}, {%f0, %f0, %f0, %f0, " \
           "%f0, %f0, %f0, %f0}; mul.wide.u32 %rd5, %r1, 32; add.s64 %rd5, %rd5, %rd1; st.global.v4.f32 " \
           "[%rd5+32768], {%f1, %f2, %f3, %f4}; st.global.v4.f32 [%rd5+32784], {%f5, %f6, %f7, %f8};")
static void quads_have_the_layouts_of_the_manual(void)
{
    static const char *const texts[] = {
        QUADS("row", "row"), QUADS("col", "row"), QUADS("row", "col"), QUADS("col", "col")};
    unsigned char *base = (unsigned char *)out;
    for (int way = 0; way < 4; way++) {
        static int a[4][8][4], b[4][4][8];
        for (int l = 0; l < 32; l++)
            for (int i = 0; i < 4; i++) {
                const int q = l % 16 / 4, high = l < 16 ? 0 : 4;
                int *x = way & 1 ? &a[q][i + high][l % 4] : &a[q][l % 4 + high][i],
                    *y = way & 2 ? &b[q][i][l % 4 + high] : &b[q][l % 4][i + high];
                *x = (int)(random_bits() % 11) - 5, *y = (int)(random_bits() % 11) - 5;
                put("f16", base + AT_A + 8 * l, i, *x);
                put("f16", base + AT_B + 8 * l, i, *y);
            }
        RUN(texts[way], 32);
        for (int l = 0; l < 32; l++)
            for (int i = 0; i < 8; i++) {
                const int row = (l & 1) + (i & 2) + (l < 16 ? 0 : 4), col = (i & 4) + (l & 2) + (i & 1);
                int want = 2;
                for (int k = 0; k < 4; k++) want += a[l % 16 / 4][row][k] * b[l % 16 / 4][k][col];
                CHECK_INT(get("f32", base + AT_C + 32 * l, i), want);
            }
    }
    // As halves the sums stand in rows: of ones, four and what was there.
    RUN(HEAD K("mov.u32 %r2, 0x3c003c00; mov.u32 %r3, 0x40003c00; mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 "
               "{%r4, %r5, %r6, %r7}, {%r2, %r2}, {%r2, %r2}, {%r3, %r3, %r3, %r3}; mov.u32 %r9, %r6;"),
        32);
    EACH(32, 0x46004500); // 6 and 5
}

#define GROUP(left, right) \
    HEAD ".shared .align 1024 .b8 s[4096];\n" K("mov.u32 %r2, s; mov.u64 %rd4, " left "; mov.u64 %rd5, " right \
                                                "; wgmma.fence.sync.aligned; " \
                                                "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, " \
                                                "%f4}, %rd4, %rd5, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; " \
                                                "wgmma.wait_group.sync.aligned 0;")
static bool refuses(const char *text, uint32_t threads, const char *what)
{
    const bool ran = ptx_launch(text, (struct sim_launch){.block = {threads}});
    if (ran || !strstr(fault.what, what)) printf("%s\n", ran ? "it ran" : fault.what);
    return !ran && strstr(fault.what, what);
}

// That results are a GPU's, tests/unit/sim_golden.c tries with set6.
static void groups_need_their_warps_and_their_memory(void)
{
    CHECK(refuses(GROUP("0x0000001000080000", "0x0000001000080000"), 96, "four warps in a block of 3"));
    CHECK(refuses(GROUP("0x0000004000080000", "0x00000010000800ff"), 128, "out-of-bounds shared load of 16"));
}

static void a_shape_that_does_not_exist_is_refused(void)
{
    static const char *const all[] = {
        HEAD K("mma.sync.aligned.m17n8k8.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r3, %r3}, {%r3}, {%r4, %r5};"),
        HEAD K("mma.sync.aligned.m16n8k9.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r3, %r3}, {%r3}, {%r4, %r5};"),
        HEAD K("mma.sync.aligned.m16n9k8.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r3, %r3}, {%r3}, {%r4, %r5};"),
        HEAD K("wmma.load.a.sync.aligned.row.m16n16k17.global.f16 {%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r10}, [%rd1];"),
        HEAD K("wmma.load.c.sync.aligned.row.m17n16k16.global.f16 {%r2, %r3, %r4, %r5}, [%rd1];")};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CHECK(!ptx_launch(all[i], (struct sim_launch){.block = {32}}));
}

static void rows_of_matrices_are_spread_and_transposed(void)
{
    static const char text[] = HEAD ".shared .align 16 .b8 s[4096];\n" K(
        "mov.u32 %r2, s; shl.b32 %r3, %r1, 4; add.u32 %r3, %r3, %r2; mul.lo.u32 %r4, %r1, 8; shl.b32 %r5, %r4, 16; "
        "add.u32 %r5, %r5, %r4; add.u32 %r5, %r5, 0x10000;"
        " add.u32 %r6, %r5, 0x20002; add.u32 %r7, %r6, 0x20002; add.u32 %r8, %r7, 0x20002; st.shared.v4.u32 [%r3], "
        "{%r5, %r6, %r7, %r8};"
        " ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r3]; "
        "movmatrix.sync.aligned.m8n8.trans.b16 %r14, %r11;"
        " ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r15, %r16}, [%r3]; sub.u32 %r14, %r14, %r16; mad.lo.u32 "
        "%r9, %r13, 1, %r14;"
        " stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r3+2048], {%r16}; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, "
        "%r2; ld.shared.u32 %r6, [%r5+2048];"
        " sub.u32 %r6, %r6, %r11; add.u32 %r9, %r9, %r6;");
    RUN(text, 32); // row r of matrix k holds 8 (8k + r) and up
    EACH(32, 8 * (24 + t / 4) + t % 4 * 2 + ((8 * (24 + t / 4) + t % 4 * 2 + 1) << 16));
    CHECK_INT(counts.shared_ld_requests, 3);
    CHECK_INT(counts.shared_ld_wavefronts, 4 + 2 + 1);
    CHECK_INT(counts.shared_st_wavefronts, 4 + 1);
    RUN(HEAD ".shared .align 16 .b8 s[8192];\n" K(
            "mov.u32 %r2, s; shl.b32 %r3, %r1, 7; add.u32 %r3, %r3, %r2;"
            " ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r3];"),
        32);
    CHECK_INT(counts.shared_ld_wavefronts, 32); // rows 128 bytes apart: every row of a matrix in the same banks
    CHECK_INT(counts.shared_ld_conflicts, 28);
}

int main(void)
{
    ptx_begin();
    wmma_in_every_layout();
    mma_has_the_layouts_of_the_manual();
    a_shape_that_does_not_exist_is_refused();
    quads_have_the_layouts_of_the_manual();
    groups_need_their_warps_and_their_memory();
    rows_of_matrices_are_spread_and_transposed();
    return ptx_end();
}
