// Textures and surfaces against the formulas of the programming guide: point and linear filtering with every way of
// dealing with coordinates outside, element formats, layers, cubes, gathers, surfaces and their bounds, sizes.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

enum { W = 7, H = 5, D = 3 };
static float *texels;
static uint64_t address;

// %rd4: the object; %f1 and %f2: coordinates of the thread, from -2 to 14 in steps of a half and of 3/8.
#define OBJECT \
    " ld.global.u64 %rd4, [%rd1+32768]; cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f2, %f1, 0f3EC00000, 0fC0000000;" \
    " fma.rn.f32 %f1, %f1, 0f3F000000, 0fC0000000;\n"
#define PUT " mov.b32 %r9, %f3;"
static double coordinate(int t, double step) { return t * step - 2; }
static float result(int t)
{
    float f;
    memcpy(&f, &out[t], 4);
    return f;
}

static void use(struct sim_texture t)
{
    t.address = address;
    for (int k = 0; k < 3; k++) t.extent[k] += !t.extent[k];
    const uint64_t handle = sim_texture(sim, &t);
    memcpy(out + 8192, &handle, 8);
}
static void drop(void)
{
    uint64_t handle;
    memcpy(&handle, out + 8192, 8);
    sim_texture_release(sim, handle);
}

static long wrapped(enum sim_wrap how, long i, long n) // -1: the border
{
    if (i >= 0 && i < n) return i;
    if (how == SIM_BORDER) return -1;
    if (how == SIM_CLAMP) return i < 0 ? 0 : n - 1;
    const long m = how == SIM_WRAP ? n : 2 * n, r = ((i % m) + m) % m;
    return r < n ? r : 2 * n - 1 - r;
}
static double texel(enum sim_wrap how, long x, long y)
{
    const long i = wrapped(how, x, W), j = wrapped(how, y, H);
    return i < 0 || j < 0 ? 0 : (double)texels[j * W + i];
}

static void coordinates_outside_are_brought_inside(void)
{
    for (int how = SIM_CLAMP; how <= SIM_MIRROR; how++)
        for (int linear = 0; linear < 2; linear++) {
            const enum sim_wrap wrap = (enum sim_wrap)how;
            const bool normalized = how >= SIM_WRAP;
            use((struct sim_texture){.extent = {W, H, 1},
                .channels = 1,
                .bits = 32,
                .wrap = {wrap, wrap, wrap},
                .linear = linear,
                .normalized = normalized});
            RUN(normalized ? HEAD K(OBJECT "div.rn.f32 %f1, %f1, 0f40E00000; div.rn.f32 %f2, %f2, 0f40A00000;" // 7, 5
                                           " tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1, %f2}];" PUT)
                           : HEAD K(OBJECT "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1, %f2}];" PUT),
                32);
            for (int t = 0; t < 32; t++) {
                const double nudge =
                    normalized && !linear ? 1e-6 : 0; // a quotient may fall just short of a texel's edge
                const double x = coordinate(t, 0.5) + nudge, y = coordinate(t, 0.375) + nudge;
                double want = texel(wrap, (long)floor(x), (long)floor(y));
                if (linear) {
                    const double u = ceil((x - 0.5) * 256 - 0.5) / 256, v = ceil((y - 0.5) * 256 - 0.5) / 256;
                    const long i = (long)floor(u), j = (long)floor(v);
                    const double a = u - floor(u), b = v - floor(v);
                    const double both = floor(a * b * 256 + 0.5) / 256; // weights are made of 1/256 too
                    want = (1 - a - b + both) * texel(wrap, i, j) + (a - both) * texel(wrap, i + 1, j) +
                        (b - both) * texel(wrap, i, j + 1) + both * texel(wrap, i + 1, j + 1);
                }
                const bool edge = normalized && !linear && (fabs(x - round(x)) < 1e-5 || fabs(y - round(y)) < 1e-5);
                if (!edge) CHECK(fabs(result(t) - want) < 1e-3 + (normalized ? 40.0 / 256 : 0) * linear);
            }
            drop();
        }
    CHECK_INT(counts.ld_requests, 1); // the object's handle: texels come by another pipe
}

static void elements_are_what_they_are_declared(void)
{
    static const signed char bytes[] = {-128, 127, -1, 64, 5, 6, 7, 8};
    memcpy(texels, bytes, sizeof bytes);
    use((struct sim_texture){.extent = {2}, .channels = 4, .bits = 8, .kind = SIM_CHANNEL_SIGNED});
    RUN(HEAD K(OBJECT "tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [%rd4, {%r1}]; mad.lo.s32 %r9, %r2, 1000, %r5;"), 3);
    CHECK_INT(out[0], -128 * 1000 + 64);
    CHECK_INT(out[1], 5 * 1000 + 8);
    CHECK_INT(out[2], 0); // a whole number outside reads nothing
    drop();
    use((struct sim_texture){.extent = {2}, .channels = 4, .bits = 8, .kind = SIM_CHANNEL_SIGNED, .as_float = true});
    RUN(HEAD K(OBJECT "mov.f32 %f1, 0f3F000000; tex.1d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1}]; sub.f32 %f3, "
                      "%f3, %f4;" PUT),
        1);
    CHECK(result(0) == -2.0f);
    drop();
    use((struct sim_texture){.extent = {4}, .channels = 1, .bits = 16, .kind = SIM_CHANNEL_UNSIGNED});
    RUN(HEAD K(OBJECT "tex.1d.v4.u32.s32 {%r9, %r3, %r4, %r5}, [%rd4, {%r1}]; add.u32 %r9, %r9, %r3;"), 2);
    CHECK_INT(out[0], 0x7f80);
    CHECK_INT(out[1], 0x40ff);
    drop();
    texels[0] = 0;
    memcpy(texels, (const uint16_t[]){0x3c00, 0xc000}, 4); // halves: 1, -2
    use((struct sim_texture){.extent = {1}, .channels = 2, .bits = 16});
    RUN(HEAD K(OBJECT
            "tex.1d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1}]; fma.rn.f32 %f3, %f4, 0f41200000, %f3;" PUT),
        1);
    CHECK(result(0) == -19.0f);
    drop();
}

static void layers_slices_and_faces_lie_one_after_the_other(void)
{
    for (int i = 0; i < 512; i++) texels[i] = (float)i;
    use((struct sim_texture){.extent = {W, H, D}, .channels = 1, .bits = 32});
    RUN(HEAD K(OBJECT
            "mov.f32 %f4, 0f40200000; tex.3d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1, %f2, %f4, %f4}];" PUT),
        32);
    for (int t = 0; t < 32; t++)
        CHECK(result(t) ==
            (float)(2 * W * H + wrapped(SIM_CLAMP, (long)floor(coordinate(t, 0.375)), H) * W +
                wrapped(SIM_CLAMP, (long)floor(coordinate(t, 0.5)), W)));
    RUN(HEAD K(OBJECT "txq.width.b32 %r2, [%rd4]; txq.height.b32 %r3, [%rd4]; txq.depth.b32 %r4, [%rd4]; mad.lo.u32 "
                      "%r9, %r2, 10, %r3;"
                      " mad.lo.u32 %r9, %r9, 10, %r4;"),
        1);
    CHECK_INT(out[0], W * 100 + H * 10 + D);
    drop();
    use((struct sim_texture){.extent = {W, H}, .layers = 4, .channels = 1, .bits = 32});
    RUN(HEAD K(OBJECT
            "mov.f32 %f2, 0f3FC00000; tex.a2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%r1, %f2, %f2, %f2}];" PUT),
        8);
    for (int t = 0; t < 8; t++) CHECK(result(t) == (float)((t < 4 ? t : 3) * W * H + W + 1));
    drop();
    use((struct sim_texture){.extent = {2, 2}, .layers = 6, .channels = 1, .bits = 32});
    static const float towards[6][3] = {
        {2, .1f, .1f}, {-2, .1f, .1f}, {.1f, 2, .1f}, {.1f, -2, .1f}, {.1f, .1f, 2}, {.1f, .1f, -2}};
    memcpy(out + 4096, towards, sizeof towards);
    RUN(HEAD K(OBJECT "mul.wide.u32 %rd5, %r1, 12; add.s64 %rd5, %rd5, %rd1; ld.global.f32 %f1, [%rd5+16384]; "
                      "ld.global.f32 %f2, [%rd5+16388];"
                      " ld.global.f32 %f4, [%rd5+16392]; tex.cube.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f1, %f2, "
                      "%f4, %f4}];" PUT),
        6);
    static const int within[6] = {0, 1, 3, 1, 1, 0}; // by the table of faces: s and t of (.1, .1) with their signs
    for (int t = 0; t < 6; t++) CHECK(result(t) == (float)(4 * t + within[t]));
    drop();
    use((struct sim_texture){.extent = {W, H}, .channels = 1, .bits = 32});
    RUN(HEAD K(OBJECT "mov.f32 %f2, 0f40000000; tld4.r.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd4, {%f2, %f2}];"
                      " fma.rn.f32 %f3, %f3, 0f42C80000, %f4; fma.rn.f32 %f3, %f3, 0f42C80000, %f5; fma.rn.f32 %f3, "
                      "%f3, 0f42C80000, %f6;" PUT),
        1);
    CHECK(result(0) == (float)(((2 * W + 1) * 100 + 2 * W + 2) * 100 + W + 2) * 100 + W + 1);
    drop();
}

static void surfaces_are_read_and_written_by_bytes(void)
{
    for (int i = 0; i < 512; i++) texels[i] = (float)i;
    use((struct sim_texture){.extent = {W, H}, .channels = 1, .bits = 32});
    RUN(HEAD K(OBJECT
            "mov.u32 %r2, 3; shl.b32 %r3, %r1, 2; suld.b.2d.b32.trap {%r4}, [%rd4, {%r3, %r2}]; mov.b32 %f3, %r4;"
            " mul.f32 %f3, %f3, 0f40000000; mov.b32 %r5, %f3; sust.b.2d.b32.trap [%rd4, {%r3, %r2}], {%r5};" PUT),
        W);
    for (int t = 0; t < W; t++)
        CHECK(texels[3 * W + t] == (float)(2 * (3 * W + t)) && texels[2 * W + t] == (float)(2 * W + t));
    RUN(HEAD K(OBJECT "suq.width.b32 %r2, [%rd4]; suq.height.b32 %r3, [%rd4]; mad.lo.u32 %r9, %r2, 10, %r3;"), 1);
    CHECK_INT(out[0], W * 10 + H);
    CHECK(!ptx_launch(HEAD K(OBJECT "mov.u32 %r2, 5; suld.b.2d.b32.trap {%r9}, [%rd4, {%r1, %r2}];"),
        (struct sim_launch){.block = {1}}));
    CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
    RUN(HEAD K(OBJECT
            "mov.u32 %r2, 5; mov.u32 %r3, 1000; mov.u32 %r4, 77; suld.b.2d.b32.zero {%r9}, [%rd4, {%r1, %r2}];"
            " sust.b.2d.b32.zero [%rd4, {%r1, %r2}], {%r3}; suld.b.2d.b32.clamp {%r4}, [%rd4, {%r3, %r3}]; add.u32 "
            "%r9, %r9, %r4;"),
        1);
    CHECK(result(0) == texels[W * H - 1]);
    CHECK(texels[5 * W] == (float)(5 * W));
    drop();
    CHECK(!ptx_launch(HEAD K(OBJECT "suld.b.1d.b32.trap {%r9}, [%rd4, {%r1}];"), (struct sim_launch){.block = {1}}));
    CHECK_INT(fault.kind, SIM_UNALLOCATED); // the object has been given back
}

// sust.p: x in texels, the value becomes a texel: the nearest that it can be; channels without a value are zero.
static void surfaces_take_values_by_their_type(void)
{
    unsigned char *bytes = (unsigned char *)texels;
    memset(texels, 0xee, 64);
    use((struct sim_texture){.extent = {4, 2}, .channels = 2, .bits = 8, .kind = SIM_CHANNEL_SIGNED});
    RUN(HEAD K(OBJECT "mov.u32 %r2, 1; mad.lo.u32 %r3, %r1, 100, -150; mov.u32 %r4, -7;"
                      " sust.p.2d.v2.b32.trap [%rd4, {%r1, %r2}], {%r3, %r4};"),
        4);
    CHECK(memcmp(bytes + 8, (const signed char[]){-128, -7, -50, -7, 50, -7, 127, -7}, 8) == 0 && bytes[7] == 0xee);
    CHECK(!ptx_launch(HEAD K(OBJECT "mov.u32 %r2, 4; sust.p.2d.b32.trap [%rd4, {%r2, %r1}], {%r2};"),
        (struct sim_launch){.block = {1}}));
    CHECK_INT(fault.kind, SIM_OUT_OF_BOUNDS);
    RUN(HEAD K(OBJECT "mov.u32 %r2, 4; sust.p.2d.b32.zero [%rd4, {%r2, %r1}], {%r2};"), 1);
    CHECK(bytes[8] == 0x80);
    RUN(HEAD K(OBJECT "mov.u32 %r2, 9; sust.p.2d.b32.clamp [%rd4, {%r2, %r1}], {%r2};"), 1);
    CHECK(bytes[6] == 9 && bytes[7] == 0);
    drop();
    use((struct sim_texture){.extent = {4}, .channels = 1, .bits = 16}); // halves
    RUN(HEAD K(OBJECT "sust.p.1d.v4.b32.trap [%rd4, {%r1}], {%f1, %f1, %f1, %f1};"), 4);
    CHECK(memcmp(texels, (const uint16_t[]){0xc000, 0xbe00, 0xbc00, 0xb800}, 8) == 0);
    drop();
}

// sured: what all threads add to one place.
static void surfaces_are_reduced(void)
{
    memset(texels, 0, 64);
    use((struct sim_texture){.extent = {4, 2}, .channels = 1, .bits = 32, .kind = SIM_CHANNEL_SIGNED});
    RUN(HEAD K(OBJECT
            "mov.u32 %r2, 1; mov.u32 %r3, 4; sub.s32 %r4, 0, %r1; sured.b.add.2d.u32.trap [%rd4, {%r3, %r2}], %r1;"
            " sured.b.min.2d.s32.trap [%rd4, {0, %r2}], %r4; sured.b.or.2d.b32.zero [%rd4, {%r2, 9}], %r1;"
            " sured.p.max.2d.b32.trap [%rd4, {3, %r2}], %r4; sured.b.add.2d.u64.trap [%rd4, {8, 0}], %rd4;"),
        32);
    const int *words = (const int *)texels;
    uint64_t handle, sum;
    memcpy(&handle, out + 8192, 8);
    memcpy(&sum, words + 2, 8);
    CHECK_INT(words[4], -31);
    CHECK_INT(words[5], 31 * 16);
    CHECK_INT(words[7], 0);
    CHECK(sum == 32 * handle);
    CHECK(!ptx_launch(HEAD K(OBJECT "sured.b.add.2d.u32.trap [%rd4, {2, 0}], %r1;"),
        (struct sim_launch){.block = {1}}));
    CHECK_INT(fault.kind, SIM_MISALIGNED);
    drop();
}

// What is asked for beside the texel: whether its memory is there, and a level.
static void all_memory_is_there_and_one_level(void)
{
    texels[1] = 5;
    use((struct sim_texture){.extent = {W, H}, .channels = 1, .bits = 32});
    RUN(HEAD K(OBJECT "mov.u32 %r2, 0; txq.level.width.b32 %r3, [%rd4], %r2; mov.f32 %f1, 0f3FC00000;"
                      " mov.f32 %f2, 0f3F000000; tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}|%p1, [%rd4, {%f1, %f2}];"
                      " cvt.rni.s32.f32 %r4, %f3; @%p1 mad.lo.u32 %r9, %r3, 10, %r4;"),
        1);
    CHECK_INT(out[0], W * 10 + 5);
    drop();
}

int main(void)
{
    ptx_begin();
    address = sim_alloc(sim, 4096 * sizeof(float), "texels");
    texels = sim_host(sim, address, 4096 * sizeof(float));
    for (int i = 0; i < W * H; i++) texels[i] = (float)((i * 37) % 41);
    coordinates_outside_are_brought_inside();
    elements_are_what_they_are_declared();
    layers_slices_and_faces_lie_one_after_the_other();
    surfaces_are_read_and_written_by_bytes();
    surfaces_take_values_by_their_type();
    surfaces_are_reduced();
    all_memory_is_there_and_one_level();
    return ptx_end();
}
