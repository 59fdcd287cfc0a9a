// Mnemonics of PTX, each read once: the table's rows, words, spaces, orders, results, costs. And no operation of the
// simulator is forgotten in the table.
// SPDX-License-Identifier: MIT
#include "ptx/ops.h"

#include "base/arena.h"
#include "sim/core/exec.h"
#include "unit/test.h"

static struct arena *arena;
static struct ops_read known;

static const struct ptx_op *of(const char *text) { return ops_of(&known, arena, text, strlen(text)); }

static const char *const texts[OPS_COUNT] = {"",
#define X(name, text, class, result, cost) text,
    OPS_TABLE(X)
#undef X
};

static void rows(void)
{
    for (int k = 1; k < OPS_COUNT; k++) {
        char longer[64], other[64];
        snprintf(longer, sizeof longer, "%s.x.b32", texts[k]);
        snprintf(other, sizeof other, "%sx.b32", texts[k]);
        CHECK_INT(of(texts[k])->code, k);
        CHECK_INT(of(longer)->code, k);
        CHECK(of(other)->code != k);
    }
    for (int k = 1; k < WORD_COUNT; k++) {
        char text[64];
        snprintf(text, sizeof text, "x.%s", ops_text((enum ops_word)k));
        CHECK(ops_has(of(text), (enum ops_word)k));
        CHECK_INT(of(text)->part[1], k);
        CHECK_INT(of(text)->code, OPS_UNKNOWN);
    }
}

static void parts(void)
{
    const struct ptx_op *op = of("ld.relaxed.gpu.global.L1::no_allocate.v2.f32");
    CHECK(op == of("ld.relaxed.gpu.global.L1::no_allocate.v2.f32") && op != of("ld.relaxed.gpu.global.v2.f32"));
    CHECK_INT(op->code, OPS_LD);
    CHECK_INT(op->class, CLASS_LOAD);
    CHECK_INT(op->space, PTX_GLOBAL);
    CHECK_INT(op->type, WORD_F32);
    CHECK_INT(op->count, 7);
    CHECK_TEXT(ops_written(op, 4), "L1::no_allocate");
    CHECK_TEXT(ops_written(op, 7), "");
    CHECK(op->strong && ops_has(op, WORD_V2) && !ops_has(op, WORD_V4));
    CHECK(!of("ld.global.f32")->strong && of("st.volatile.shared.u32")->strong && of("ld.acquire.gpu.u32")->strong);
    CHECK_INT(of("ld.shared::cta.u32")->space, PTX_SHARED);
    CHECK_INT(of("ld.param::func.u32")->space, PTX_PARAM);
    CHECK_INT(of("ld.u32")->space, PTX_NOWHERE);
    CHECK_INT(of("cp.async.ca.shared.global")->space, PTX_SHARED);
    CHECK_INT(of("cp.async.ca.shared.global")->type, WORD_UNKNOWN);
    CHECK(!ops_has(of("red.global.add.u32"), WORD_RED)); // the root is no word
    const enum ops_word order[] = {WORD_MIN, WORD_ADD, WORD_MAX, 0};
    CHECK_INT(ops_which(of("atom.add.u32"), order), 1);
    CHECK_INT(ops_which(of("atom.xor.b32"), order), -1);
    CHECK_INT(ops_bytes(WORD_F64), 8);
    CHECK_INT(ops_bytes(WORD_B128), 16);
    CHECK_INT(ops_bytes(WORD_PRED), 0);
    CHECK_INT(ops_bytes(WORD_GLOBAL), 0);
    char text[400] = "mov";
    for (int k = 0; k < 90; k++) strcat(text, ".b32");
    CHECK_INT(of(text)->count, OPS_WORDS);
    CHECK_INT(of("")->count, 0);
}

static void longest(void)
{
    CHECK_INT(of("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32")->code, OPS_ST_ASYNC);
    CHECK_INT(of("st.global.u32")->code, OPS_ST);
    CHECK_INT(of("cp.async.bulk.tensor.2d.shared::cluster.global")->code, OPS_CP_BULK);
    CHECK_INT(of("cp.async.mbarrier.arrive.noinc.b64")->code, OPS_CP_ARRIVE);
    CHECK_INT(of("cp.async.cg.shared.global")->code, OPS_CP_ASYNC);
    CHECK_INT(of("cp.reduce.async.bulk.global.shared::cta.add.u32")->code, OPS_CP_REDUCE);
    CHECK_INT(of("wmma.store.d.sync.aligned.row.m16n16k16.f32")->code, OPS_WMMA_STORE);
    CHECK_INT(of("mul24.lo.u32")->code, OPS_MUL24);
    CHECK_INT(of("bfind.u32")->code, OPS_BFIND);
}

static void results(void)
{
    static const char *const with[] = {
        "bar.red.popc.u32", "barrier.cta.red.and.pred", "atom.add.u32", "ldu.global.u32", "mov.b32", "unheard.of.b32"};
    static const char *const without[] = {"bar.sync", "bar.warp.sync", "barrier.cta.arrive", "red.add.u32",
        "red.async.add.u32", "st.u32", "stackrestore.u64", "nanosleep.u32", "wmma.store.d.f32", "stmatrix.b16", "bra",
        "prefetch.global.L1", "cp.async.wait_group", "membar.gl", "sust.b.1d.b32.trap", "call.uni"};
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) CHECK(of(with[k])->has_result);
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) CHECK(!of(without[k])->has_result);
    static const char *const ordering[] = {"bar.sync", "membar.gl", "call", "atom.add.u32", "red.add.u32", "cp.async",
        "mbarrier.init.b64", "stmatrix.b16", "nanosleep.u32", "griddepcontrol.wait", "tensormap.replace"};
    for (size_t k = 0; k < sizeof ordering / sizeof *ordering; k++) CHECK(of(ordering[k])->class & CLASSES_THAT_ORDER);
    CHECK(!(of("shfl.sync.bfly.b32")->class & CLASSES_THAT_ORDER));
    CHECK(!(of("st.global.u32")->class & CLASSES_THAT_ORDER));
    CHECK(!(of("mov.b32")->class & CLASSES_THAT_ORDER));
}

static void origins(void)
{
    static const struct {
        const char *name;
        unsigned origin;
    } wanted[] = {{"%tid.x", ORIGIN_THREAD}, {"%laneid", ORIGIN_LANE}, {"%lanemask_lt", ORIGIN_LANE},
        {"%ctaid.y", ORIGIN_BLOCK}, {"%ntid.x", ORIGIN_LAUNCH}, {"%nctaid.z", ORIGIN_LAUNCH},
        {"%clusterid.x", ORIGIN_CLUSTER}, {"%cluster_ctarank", ORIGIN_CLUSTER}, {"%smid", ORIGIN_PLACE},
        {"%clock64", ORIGIN_TIME}, {"%globaltimer", ORIGIN_TIME}, {"%envreg1", ORIGIN_SYSTEM}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const struct ptx_special *s = ops_special(wanted[k].name);
        CHECK_INT(s ? s->origin : 0, wanted[k].origin);
    }
    static const char *const none[] = {"%rd1", "tid", "%tid", "%tid.xy", "%envreg3", "W"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) CHECK(!ops_special(none[k]));
}

static void costs(void)
{
    static const struct {
        const char *op;
        uint32_t turns;
    } wanted[] = {{"add.s32", 1}, {"add.f64", 2}, {"fma.rn.f64", 2}, {"mul.lo.s64", 1}, {"div.rn.f64", 24},
        {"div.rz.f64", 24}, {"div.s64", 70}, {"rem.u64", 70}, {"rem.s32", 20}, {"div.u16", 20}, {"div.rn.f32", 10},
        {"div.approx.f32", 4}, {"div.full.f32", 6}, {"sqrt.rn.f64", 24}, {"sqrt.rn.f32", 10}, {"sqrt.approx.f32", 4},
        {"rcp.rn.f32", 8}, {"rcp.approx.ftz.f64", 4}, {"sin.approx.f32", 4}, {"rsqrt.approx.f32", 4},
        {"tanh.approx.f32", 4}, {"cvt.f32.f64", 4}, {"cvt.rzi.s32.f32", 1}, {"cvta.to.global.u64", 1},
        {"ld.global.f64", 1}, {"copysign.f64", 1}, {"unheard.of.f64", 1}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) CHECK_INT(ops_turns(of(wanted[k].op)), wanted[k].turns);
}

// An operation that the decoder finds by the name of an opcode, which has operands of its own (a shape), needs a row.
static void none_forgotten(void)
{
    static const char *const made_of_others[] = {
        "round", "carry", "ftz", "sat", "part", "pack", "slow", "clock", "nothing", NULL};
    int looked_at = 0;
    for (const struct op *const *table = variant_get(0)->tables; *table; table++)
        for (const struct op *op = *table; op->name; op++) {
            bool own = op->shape != NULL;
            for (int k = 0; made_of_others[k]; k++)
                own &= strncmp(op->name, made_of_others[k], strlen(made_of_others[k])) != 0;
            if (!own) continue;
            looked_at++;
            if (of(op->name)->code == OPS_UNKNOWN) printf("no row in OPS_TABLE (ptx/ops.h) for %s\n", op->name);
            CHECK(of(op->name)->code != OPS_UNKNOWN);
        }
    CHECK(looked_at > 200);
}

int main(void)
{
    arena = arena_new();
    rows();
    parts();
    longest();
    results();
    origins();
    costs();
    none_forgotten();
    arena_free(arena);
    return test_end();
}
