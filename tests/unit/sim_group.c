// Products of a warp group: with a sparse left factor and with the widest right one, against plain loops; and whose
// registers may be looked at when.
// SPDX-License-Identifier: MIT
#include "unit/sim_ptx.h"

// The factors lie in the buffer as they are to lie in shared memory: the left one from byte 4096 on, the right one
// behind it; then a word of each thread. Each of 128 threads copies 80 bytes.
enum { AT = 4096, LEFT = 2048, RIGHT = 8192, META = AT + LEFT + RIGHT };
#define TILES \
    ".shared .align 1024 .b8 s[10240];\n" K( \
        "mov.u32 %r2, s; mul.lo.u32 %r3, %r1, 80; mov.u32 %r4, 0; cvt.u64.u32 %rd4, %r3; add.s64 %rd4, %rd4, %rd1;" \
        " add.u32 %r3, %r3, %r2;\n" \
        "L: ld.global.u32 %r5, [%rd4+4096]; st.shared.u32 [%r3], %r5; add.s64 %rd4, %rd4, 4; add.u32 %r3, %r3, 4;" \
        " add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 20; @%p1 bra L;\n" \
        " fence.proxy.async; bar.sync 0; shr.u32 %r3, %r2, 4; cvt.u64.u32 %rd5, %r3; or.b64 %rd5, %rd5, %rd8;" \
        " add.u32 %r3, %r3, 128; cvt.u64.u32 %rd6, %r3; or.b64 %rd6, %rd6, %rd9; ld.global.u32 %r6, [%rd3+14336];" \
        " mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000;" \
        " mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0; mov.u32 %r14, 0; wgmma.fence.sync.aligned;\n@\n")
#define WAIT " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"

struct kind {
    const char *shape, *registers, *tail;
    unsigned kept, group; // elements of a row of the left factor; of how many half are there
    bool whole;
};
static const struct kind kinds[] = {{"m64n8k32.f32.f16.f16", "{%f1, %f2, %f3, %f4}", ", 1, 1, 0, 0", 16, 4, false},
    {"m64n8k16.f32.tf32.tf32", "{%f1, %f2, %f3, %f4}", ", 1, 1", 8, 2, false},
    {"m64n8k64.s32.s8.s8", "{%r11, %r12, %r13, %r14}", "", 32, 4, true}};

static int left_value(unsigned r, unsigned k) { return (int)((r * 7 + k * 5 + r * k) % 5) - 2; }
static int right_value(unsigned k, unsigned n) { return (int)((k * 3 + n * 11 + k * n) % 5) - 2; }
static void put(unsigned char *at, unsigned kept, int v)
{
    static const uint16_t halves[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    const float f = (float)v;
    if (kept == 8) memcpy(at, &f, 4);
    else if (kept == 16) memcpy(at, &halves[v + 2], 2);
    else *at = (unsigned char)v;
}
// Which places of a group are there.
static unsigned places(const struct kind *k, unsigned r, unsigned g)
{
    static const uint8_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
    const unsigned h = (r * 31 + g * 17 + r * g) % 6;
    return k->group == 2 ? (h % 2 ? 0xe : 0x4) : pairs[h];
}
static int expected(const struct kind *kind, unsigned r, unsigned n)
{
    int sum = 0;
    for (unsigned k = 0; k < kind->kept; k++) {
        const unsigned g = k / (kind->group / 2), bits = places(kind, r, g);
        const unsigned in = kind->group == 2 ? bits == 0xe : k % 2 ? bits >> 2 & 3 : bits & 3;
        sum += left_value(r, k) * right_value(g * kind->group + in, n);
    }
    return sum;
}

static unsigned char *bytes(void) { return (unsigned char *)out; }
static void fill(unsigned kept, unsigned deep, unsigned columns)
{
    const unsigned each = 32 / kept;
    for (unsigned r = 0; r < 64; r++)
        for (unsigned k = 0; k < kept; k++) {
            const unsigned at = k * each;
            put(bytes() + AT + (at / 16 * 8 + r / 8) * 128 + r % 8 * 16 + at % 16, kept, left_value(r, k));
        }
    for (unsigned n = 0; n < columns; n++)
        for (unsigned k = 0; k < deep; k++) {
            const unsigned at = k * each;
            put(bytes() + AT + LEFT + (at / 16 * columns / 8 + n / 8) * 128 + n % 8 * 16 + at % 16, kept,
                right_value(k, n));
        }
}

static void metadata(const struct kind *kind, unsigned selector)
{
    for (unsigned t = 0; t < 128; t++) {
        const unsigned r = t / 32 * 16 + t % 32 / 4, q = t % 4;
        unsigned bits = kind->whole || q / 2 == selector ? 0 : 0xeeeeeeee; // of the others nothing is taken
        for (unsigned n = 0; n < 8 && bits != 0xeeeeeeee; n++)
            bits |= (kind->whole ? places(kind, r + 8 * (q % 2), q / 2 * 8 + n)
                                 : places(kind, r + 8 * (n / 4), q % 2 * 4 + n % 4))
                << 4 * n;
        memcpy(bytes() + META + 4 * t, &bits, 4);
    }
}

static struct sim_races races;
static bool unfenced; // between the threads' stores and the product
// The descriptors' other halves take the place of %rd8 and %rd9.
static bool launch(const char *body, uint64_t left, uint64_t right)
{
    static const char text[] = HEAD TILES;
    char whole[20000], *to = whole, *fence;
    for (const char *p = text; *p;) {
        const bool l = strncmp(p, "%rd8;", 5) == 0, r = strncmp(p, "%rd9;", 5) == 0;
        if (l || r) to += sprintf(to, "%llu", (unsigned long long)(l ? left : right)), p += 4;
        else if (*p == '@' && p[1] == '\n') to += sprintf(to, "%s", body), p++;
        else *to++ = *p++;
    }
    *to = 0;
    if (unfenced && (fence = strstr(whole, "fence.proxy.async"))) memcpy(fence, "membar.gl;       ", 17);
    races = (struct sim_races){0};
    return ptx_launch(whole, (struct sim_launch){.block = {128}, .watch = UINT32_MAX, .races = &races});
}
static uint64_t tile(uint64_t lead, uint64_t stride) { return lead >> 4 << 16 | stride >> 4 << 32; }

static void half_of_the_left_factor_is_there(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned selector = 0; selector < (kinds[k].whole ? 1 : 2); selector++) {
            const struct kind *kind = &kinds[k];
            char body[2000];
            fill(kind->kept, 2 * kind->kept, 8);
            metadata(kind, selector);
            char *at = body +
                sprintf(body, "wgmma.mma_async.sp.sync.aligned.%s %s, %%rd5, %%rd6, %%r6, %u, 1%s;" WAIT, kind->shape,
                    kind->registers, selector, kind->tail);
            for (int n = 1; n <= 4 && !kind->whole; n++) at += sprintf(at, " cvt.rni.s32.f32 %%r1%d, %%f%d;", n, n);
            sprintf(at,
                " mad.lo.u32 %%r11, %%r11, 1000, %%r12; mad.lo.u32 %%r13, %%r13, 1000, %%r14;"
                " st.global.u32 [%%rd3+1024], %%r13; mov.u32 %%r9, %%r11;");
            CHECK(launch(body, tile(1024, 128), tile(128, 128)) || (printf("%s\n", fault.what), false));
            CHECK_INT(races.shared, 0);
            for (unsigned t = 0; t < 128; t++) {
                const unsigned r = t / 32 * 16 + t % 32 / 4, n = t % 4 * 2;
                CHECK_INT(out[t], expected(kind, r, n) * 1000 + expected(kind, r, n + 1));
                CHECK_INT(out[256 + t], expected(kind, r + 8, n) * 1000 + expected(kind, r + 8, n + 1));
            }
        }
}

// 256 columns of floats: 128 registers.
static void the_widest_product_has_128_sums(void)
{
    char body[8000], *at = body;
    fill(16, 16, 256);
    at += sprintf(at, ".reg .f32 %%d<128>; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {");
    for (int k = 0; k < 128; k++) at += sprintf(at, "%s%%d%d", k ? ", " : "", k);
    at += sprintf(at,
        "}, %%rd5, %%rd6, 0, 1, 1, 0, 0;" WAIT " cvt.rni.s32.f32 %%r9, %%d127;"
        " cvt.rni.s32.f32 %%r11, %%d66; st.global.u32 [%%rd3+1024], %%r11;");
    CHECK(launch(body, tile(1024, 128), tile(4096, 128)) || (printf("%s\n", fault.what), false));
    for (unsigned t = 0; t < 128; t++) {
        const unsigned r = t / 32 * 16 + t % 32 / 4, n = t % 4 * 2;
        int last = 0, other = 0;
        for (unsigned k = 0; k < 16; k++) {
            last += left_value(r + 8, k) * right_value(k, 248 + n + 1);
            other += left_value(r + 8, k) * right_value(k, 128 + n);
        }
        CHECK_INT(out[t], last);
        CHECK_INT(out[256 + t], other);
    }
}

#define PRODUCT(sums) "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " sums ", %rd5, %rd6, 1, 1, 1, 0, 0;"
#define IN_REGISTERS \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, {%r11, %r12, %r13, %r14}, %rd6, 1, 1, " \
    "1, " \
    "0;"
#define FIRST PRODUCT("{%f1, %f2, %f3, %f4}")
#define SECOND PRODUCT("{%f5, %f6, %f7, %f8}")
#define COMMIT " wgmma.commit_group.sync.aligned;"
#define LEAVE(n) " wgmma.wait_group.sync.aligned " #n ";"
#define READ(f) " cvt.rni.s32.f32 %r9, " f ";"

static void registers_are_looked_at_after_a_wait(void)
{
    static const struct {
        const char *body;
        int finds;
    } cases[] = {{FIRST COMMIT LEAVE(0) READ("%f1"), 0}, {FIRST COMMIT READ("%f1"), 1},
        {FIRST LEAVE(0) READ("%f1"), 1}, // a group that was not closed is not waited for
        {FIRST FIRST COMMIT LEAVE(0) READ("%f4"), 0}, {FIRST COMMIT SECOND COMMIT LEAVE(1) READ("%f2"), 0},
        {FIRST COMMIT SECOND COMMIT LEAVE(1) READ("%f6"), 1}, {FIRST COMMIT SECOND COMMIT LEAVE(0) READ("%f6"), 0},
        {FIRST COMMIT " mov.f32 %f9, %f3;" READ("%f9"), 1}, // a move is no look, but what it moved to is
        {FIRST COMMIT " mov.f32 %f9, %f3;" LEAVE(0) READ("%f9"), 0},
        {FIRST COMMIT LEAVE(0) " mov.f32 %f9, %f3; mov.f32 %f3, %f9;" READ("%f3"), 0},
        {FIRST COMMIT " add.f32 %f2, %f10, %f11;" LEAVE(0) READ("%f1"), 1},
        {FIRST COMMIT READ("%f11") LEAVE(0) READ("%f1"), 0}, {IN_REGISTERS COMMIT " add.u32 %r12, %r1, 1;" LEAVE(0), 1},
        {IN_REGISTERS COMMIT " add.u32 %r15, %r12, 1;" LEAVE(0) " add.u32 %r12, %r1, 1;", 0},
        {FIRST COMMIT " setp.eq.u32 %p3, %r1, 5; @%p3 bra M;\nbra N;\nM:" READ("%f1") "\nN:" LEAVE(0), 1},
        {FIRST COMMIT " setp.eq.u32 %p3, %r1, 500; @%p3" READ("%f1") LEAVE(0) READ("%f1"), 0}};
    fill(16, 16, 8);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK(launch(cases[k].body, tile(1024, 128), tile(128, 128)) || (printf("%s\n", fault.what), false));
        if ((races.shared > 0) != cases[k].finds) printf("case %zu: %s\n", k, races.shared_what);
        CHECK((races.shared > 0) == cases[k].finds);
        if (races.shared) CHECK(strstr(races.shared_what, "`wgmma.wait_group`") != NULL);
    }
}

static void factors_that_threads_wrote_need_a_fence_between_the_proxies(void)
{
    for (int k = 0; k < 2; k++) {
        unfenced = k == 0;
        CHECK(launch(FIRST COMMIT LEAVE(0) READ("%f1"), tile(1024, 128), tile(128, 128)));
        CHECK((races.shared > 0) == unfenced);
        CHECK(!unfenced || strstr(races.shared_what, "with no `fence.proxy.async` between") != NULL);
    }
}

int main(void)
{
    ptx_begin();
    half_of_the_left_factor_is_there();
    the_widest_product_has_128_sums();
    registers_are_looked_at_after_a_wait();
    factors_that_threads_wrote_need_a_fence_between_the_proxies();
    return ptx_end();
}
