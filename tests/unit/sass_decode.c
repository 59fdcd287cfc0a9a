// Machine code: instructions whose meaning nvdisasm 11.8 gave, from kernels that ptxas 13.0 made of tests/golden, and a
// whole cubin (tests/golden/small.cubin: ptxas 13.0, sm_90a, -lineinfo) with its constants, lines and schedule.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "sass/blocks.h"
#include "sass/cubin.h"
#include "unit/test.h"

#include <stdlib.h>

static struct sass_inst of(uint64_t lo, uint64_t hi, uint32_t at)
{
    unsigned char bits[SASS_BYTES];
    memcpy(bits, &lo, 8), memcpy(bits + 8, &hi, 8);
    return sass_decode(bits, at, 90);
}

static void each_form_of_operands_is_read(void)
{
    // IMAD R7, R7, UR4, R0
    struct sass_inst i = of(0x0000000407077c24, 0x001fe2000f8e0200, 0);
    CHECK_INT(i.op, SASS_IMAD);
    CHECK_INT(i.dst, 7);
    CHECK_INT(i.a.reg, 7);
    CHECK(i.b.from == SASS_UNIFORM && i.b.reg == 4);
    CHECK(i.c.from == SASS_REGISTER && i.c.reg == 0);
    // LDC.64 R2, c[0x0][0x218]
    i = of(0x00008600ff027b82, 0x000e220000000a00, 0);
    CHECK_INT(i.op, SASS_LDC);
    CHECK_INT(sass_width(&i), 8);
    CHECK_INT(sass_bits(&i, 38, 16), 0x218);
    CHECK_INT(sass_bits(&i, 24, 8), SASS_RZ);
    // IMAD.WIDE R2, R7, 0x4, R2
    i = of(0x0000000407027825, 0x001fcc00078e0202, 0);
    CHECK_INT(i.op, SASS_IMAD_WIDE);
    CHECK(i.b.from == SASS_NUMBER && i.b.value == 4 && i.c.reg == 2);
    // HFMA2.MMA R8, -RZ, RZ, 0, 0: the number is the third source
    i = of(0x00000000ff087435, 0x000fe200000001ff, 0);
    CHECK_INT(i.op, SASS_HFMA2_MMA);
    CHECK(i.b.from == SASS_REGISTER && i.b.reg == SASS_RZ && i.c.from == SASS_NUMBER);
    CHECK(i.a.neg);
    // @P0 EXIT
    i = of(0x000000000000094d, 0x000fea0003800000, 0);
    CHECK(i.op == SASS_EXIT && i.guard == 0 && !i.guard_not && sass_ends(&i));
    CHECK(sass_pipe(SASS_EXIT) == SASS_PIPE_CBU && sass_pipe(SASS_MUFU) == SASS_PIPE_XU);
    // LDG.E R2, desc[UR4][R2.64]
    i = of(0x0000000402027981, 0x000ea2000c1e1900, 0);
    CHECK(i.op == SASS_LDG && sass_width(&i) == 4);
}

static void branches_lead_where_they_say(void)
{
    uint32_t to = 0;
    struct sass_inst i = of(0xfffffffc00fc7947, 0x000fc0000383ffff, 0x1e0); // BRA 0x1e0
    CHECK(i.op == SASS_BRA && sass_target(&i, &to) && to == 0x1e0);
    i = of(0x000001b000007945, 0x000fe20003800000, 0xb0); // BSSY B0, 0x270
    CHECK(i.op == SASS_BSSY && sass_target(&i, &to) && to == 0x270);
    i = of(0x0000000000247944, 0x000fea0003c00000, 0x1b0); // CALL.REL.NOINC 0x250
    CHECK(i.op == SASS_CALL_REL && sass_target(&i, &to) && to == 0x250);
    i = of(0x000000000a087348, 0x001fea0003c00000, 0xa10); // WARPSYNC.COLLECTIVE R10, 0xa40
    CHECK(i.op == SASS_WARPSYNC_ALL && sass_target(&i, &to) && to == 0xa40);
    CHECK_INT(sass_bits(&i, 24, 8), 10);
    i = of(0xfffffffc04907949, 0x000fea000383ffff, 0x1b0); // BRX R4 -0x1c0
    CHECK(i.op == SASS_BRX && !sass_target(&i, &to) && sass_distance(&i) == -0x1c0);
    i = of(0xfffffffc00fc7947, 0x000fc0000383ffff, 0); // before the beginning
    CHECK(sass_target(&i, &to) && to == 0);
    i = of(0x0000000000017947, 0, 0); // not at an instruction
    CHECK(!sass_target(&i, &to));
}

static void the_schedule_is_read(void)
{
    const struct sass_inst i = of(0x0000000402027981, 0x000ea2000c1e1900, 0);
    CHECK_INT(i.stall, 1);
    CHECK_INT(i.sets, 2);
    CHECK_INT(i.frees, SASS_NO_BOARD);
    CHECK_INT(i.waits, 0);
    CHECK_INT(of(0x0000000202077221, 0x004fca0000000000, 0).waits, 1 << 2); // FADD R7, R2, R2 waits for it
}

static void a_cubin_is_read(void)
{
    struct diags d = {0};
    size_t bytes;
    char error[256];
    char *file = file_read(TESTS_DIR "/golden/small.cubin", 1 << 20, &bytes, &d);
    struct arena *a = arena_new();
    struct cubin *c = file ? cubin_read(a, file, bytes, error) : NULL;
    struct cubin_kernel k;
    CHECK(c != NULL);
    if (!c) return;
    CHECK_INT(c->arch, 90);
    CHECK_TEXT(cubin_name(c, 0), "k");
    CHECK(cubin_name(c, 1) == NULL);
    CHECK(!cubin_kernel(c, a, "other", &k, error));
    CHECK_TEXT(error, "the machine code has no kernel `other`");
    CHECK(cubin_kernel(c, a, "k", &k, error));
    CHECK_INT(k.params_at, 0x210);
    CHECK_INT(k.param_bytes, 20);
    CHECK_INT(k.registers, 10);
    CHECK_INT(k.shared_bytes, 0x400);
    CHECK_INT(k.stack_bytes, 0);
    CHECK(k.lines && k.lines[0] == 1 && k.lines[3] == 1);
    const struct sass_code code = sass_blocks(a, k.code, k.code_bytes, c->arch, NULL, 0);
    CHECK_INT(code.count, 17); // to EXIT: what fills the section is not among them
    CHECK_INT(code.block_count, 2);
    CHECK_INT(code.blocks[0].count, 8);
    CHECK_INT(code.blocks[0].pipe[SASS_PIPE_CBU], 1);
    CHECK_INT(code.blocks[1].pipe[SASS_PIPE_LSU], 2);
    // In front of the load the warp waits for what the SM gives, 30 cycles for a parameter; the addition waits for the
    // load.
    static const struct sass_step steps[] = {{.at = 8, .cycles = 30}, {.at = 11, .waits = 1, .cycles = 6},
        {.at = 12, .cycles = 2}, {.at = 13, .waits = 1 << 1, .cycles = 4}, {.at = 14, .waits = 1 << 2, .cycles = 5},
        {.at = 15, .cycles = 6}};
    CHECK_INT(code.blocks[1].step_count, sizeof steps / sizeof *steps);
    for (uint32_t n = 0; n < code.blocks[1].step_count && n < sizeof steps / sizeof *steps; n++) {
        const struct sass_step *t = &code.blocks[1].steps[n];
        CHECK_INT(t->at, steps[n].at);
        CHECK_INT(t->waits, steps[n].waits);
        CHECK_INT(t->cycles, steps[n].cycles);
    }
    CHECK_INT(code.blocks[0].steps[0].cycles, 46);             // a parameter that is asked for behind others
    CHECK_INT(code.blocks[1].steps[1].busy[SASS_PIPE_FMA], 2); // a multiplication of integers takes half of it
    // Cut or spoilt anywhere, it is refused or read, and nothing is read outside of it.
    for (size_t n = 0; n < bytes; n += 7) {
        char *cut = mem_alloc(n ? n : 1);
        memcpy(cut, file, n);
        struct cubin *part = cubin_read(a, cut, n, error);
        CHECK(part ? part->arch == 90 : error[0] != 0);
        if (part && cubin_kernel(part, a, "k", &k, error)) CHECK(k.code_bytes <= n);
        free(cut);
        unsigned char *spoilt = mem_alloc(bytes);
        memcpy(spoilt, file, bytes);
        spoilt[n] ^= 0xff;
        part = cubin_read(a, spoilt, bytes, error);
        if (part && cubin_kernel(part, a, "k", &k, error)) CHECK(k.code_bytes <= bytes);
        free(spoilt);
    }
    arena_free(a);
    free(file);
}

// The line of each instruction of a kernel with a loop that is written out and a function that is inlined, as
// llvm-dwarfdump reads them (tests/golden/lines.cubin: nvcc 13.0 -arch=sm_90 -cubin -lineinfo).
static void each_instruction_has_its_line(void)
{
    static const struct {
        uint32_t from, line;
    } rows[] = {{0, 25}, {1, 27}, {2, 29}, {3, 27}, {6, 29}, {8, 31}, {12, 34}, {18, 33}, {19, 34}, {23, 33}, {26, 37},
        {27, 34}, {28, 37}, {30, 4}, {31, 5}, {45, 6}, {46, 35}, {47, 37}, {48, 33}, {49, 37}, {50, 34}, {51, 37},
        {53, 4}, {54, 5}, {68, 6}, {69, 35}, {70, 37}, {71, 33}, {72, 37}, {73, 34}, {74, 37}, {76, 4}, {77, 5},
        {91, 6}, {92, 35}, {93, 37}, {94, 33}, {95, 37}, {96, 34}, {97, 37}, {99, 4}, {100, 5}, {114, 6}, {115, 35},
        {116, 37}, {117, 32}, {118, 31}, {122, 34}, {127, 33}, {128, 37}, {130, 34}, {131, 37}, {133, 4}, {134, 5},
        {148, 6}, {149, 35}, {150, 37}, {151, 31}, {156, 40}, {158, 43}, {159, 42}, {160, 40}, {162, 43}, {163, 42},
        {164, 40}, {165, 41}, {166, 43}, {167, 42}, {168, 44}};
    struct diags d = {0};
    size_t bytes, row = 0;
    char error[256];
    char *file = file_read(TESTS_DIR "/golden/lines.cubin", 1 << 20, &bytes, &d);
    struct arena *a = arena_new();
    struct cubin *c = file ? cubin_read(a, file, bytes, error) : NULL;
    struct cubin_kernel k = {0};
    CHECK(c && cubin_kernel(c, a, "lines", &k, error) && k.lines);
    for (size_t i = 0; k.lines && i < k.code_bytes / 16; i++) {
        if (row + 1 < sizeof rows / sizeof *rows && rows[row + 1].from == i) row++;
        CHECK_INT(k.lines[i], rows[row].line);
    }
    arena_free(a);
    free(file);
}

int main(void)
{
    each_form_of_operands_is_read();
    branches_lead_where_they_say();
    the_schedule_is_read();
    a_cubin_is_read();
    each_instruction_has_its_line();
    return test_end();
}
