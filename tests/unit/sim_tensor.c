// Copies by tensor maps: every launch of tests/golden/tensor.cu against a formula that says for each element where it
// comes from and where it lies, and what is no tensor map or no place for a box.
// SPDX-License-Identifier: MIT
#include "sim/ops/tensor.h"

#include "../golden/tensor_launches.h"
#include "base/diag.h"
#include "base/file.h"
#include "unit/sim_ptx.h"

#include <stdlib.h>

enum { BLOCKS = 4, WORDS = 2048, APART = 4096, SHARED_BYTES = 4 * WORDS };

struct tensor_args { // as the kernels take them
    unsigned char map[SIM_TENSOR_BYTES];
    uint64_t source, out;
    int32_t at[5], dx;
    uint32_t bytes, place, off;
};
static uint32_t in[TENSOR_WORDS_IN], want_in[TENSOR_WORDS_IN], want_out[TENSOR_WORDS_OUT];

static struct sim_tensor map_of(const struct tensor_launch *l, uint64_t address)
{
    static const enum sim_tensor_type types[] = {SIM_TENSOR_F32, SIM_TENSOR_F64, SIM_TENSOR_F16, SIM_TENSOR_BF16,
        SIM_TENSOR_U8, SIM_TENSOR_U16, SIM_TENSOR_U32, SIM_TENSOR_U64, SIM_TENSOR_S32, SIM_TENSOR_S64};
    static const char letters[] = "fdhbcsuliL";
    struct sim_tensor map = {.mark = SIM_TENSOR_MARK,
        .address = address,
        .top = (uint8_t)(l->rank - 1),
        .type = (uint8_t)types[strchr(letters, l->type) - letters],
        .swizzle = (uint8_t)(l->swizzle == 128 ? 3 : l->swizzle / 32),
        .nan = (uint8_t)l->nan,
        .images = tensor_is_images(l) != 0};
    for (uint32_t k = 0; k < l->rank; k++) {
        map.size[k] = l->size[k];
        if (k) map.stride[k - 1] = l->stride[k];
        map.box[k] = (uint16_t)l->box[k];
        map.step[k] = (uint8_t)l->step[k];
        if (k < 3) map.lower[k] = (int16_t)l->lower[k], map.upper[k] = (int16_t)l->upper[k];
    }
    return map;
}

// The element `n` of a block's box: its byte in shared memory, and in the tensor; false: it is outside. A store takes a
// piece of 16 bytes for inside where its first element is.
static bool element(const struct tensor_launch *l, int block, uint32_t n, uint32_t *shared, uint64_t *global)
{
    const uint32_t each = l->bytes ? 1 : 16 / tensor_bytes(l->type);
    const uint32_t bytes = tensor_bytes(l->type), row = l->box[0] * bytes, left = n / l->box[0];
    const uint32_t pitch = row < l->swizzle ? l->swizzle : row;
    const uint32_t lies = l->place + left * pitch + n % l->box[0] * bytes;
    const uint32_t span = l->swizzle == 128 ? 7 : l->swizzle == 64 ? 3 : l->swizzle == 32 ? 1 : 0;
    bool inside = true;
    *shared = lies ^ ((lies / 128 & span) * 16);
    *global = 0;
    for (uint32_t k = 0, rest = n; k < l->rank; k++) {
        const uint32_t count = (l->box[k] + l->step[k] - 1) / l->step[k];
        const int64_t at = l->at[k] + (k ? 0 : block * l->dx) + (int64_t)(rest % count * l->step[k]);
        rest /= count;
        inside = inside && at >= 0 && (k ? at : at / each * each) < (int64_t)l->size[k];
        *global += (uint64_t)at * (k ? l->stride[k] : bytes);
    }
    return inside;
}

static uint32_t elements(const struct tensor_launch *l)
{
    uint32_t n = 1;
    for (uint32_t k = 0; k < l->rank; k++) n *= (l->box[k] + l->step[k] - 1) / l->step[k];
    return n;
}

// What loads leave in the output: shared memory as it was, the box in it, and whether the barrier has opened.
static void expect_load(const struct tensor_launch *l)
{
    const uint32_t bytes = tensor_bytes(l->type), count = elements(l);
    const bool pair = strcmp(l->kernel, "both") == 0;
    memset(want_out, 0, sizeof want_out);
    for (int block = 0; block < BLOCKS; block++) {
        unsigned char *to = (unsigned char *)(want_out + block * APART);
        for (uint32_t i = 0; i < WORDS; i++) want_out[block * APART + (int)i] = 0xab000000u + i;
        for (int from = pair ? block / 2 * 2 : block, k = 0; k < (pair ? 2 : 1); k++, from++)
            for (uint32_t n = 0; n < count; n++) {
                const uint64_t outside = l->nan ? 0x7ff77ff77ff77ff7 : 0;
                uint32_t shared;
                uint64_t global;
                const bool inside = element(l, from, n, &shared, &global);
                memcpy(to + shared + k * 1024, inside ? (const void *)((const char *)in + global) : &outside, bytes);
            }
        want_out[block * APART + APART - 1] = l->bytes == count * bytes * (pair ? 2 : 1);
    }
}

static float as_float(const void *p)
{
    float f;
    memcpy(&f, p, 4);
    return f;
}

// What stores leave in the tensor; of reductions those that a line can say.
static bool expect_store(const struct tensor_launch *l)
{
    const uint32_t bytes = tensor_bytes(l->type), count = elements(l);
    const bool stores = l->kernel[0] == 's', adds = strcmp(l->kernel, "red_add") == 0 && l->type == 'f';
    const bool mixes = strcmp(l->kernel, "red_xor") == 0, least = strcmp(l->kernel, "red_min") == 0 && l->type == 'u';
    memcpy(want_in, in, sizeof in);
    for (int block = 0; block < BLOCKS; block++)
        for (uint32_t n = 0; n < count; n++) {
            uint32_t shared;
            uint64_t global;
            if (!element(l, block, n, &shared, &global)) continue;
            unsigned char *to = (unsigned char *)want_in + global;
            const unsigned char *from = (const unsigned char *)(in + block * WORDS) + shared;
            const float sum = as_float(to) + as_float(from);
            if (stores) memcpy(to, from, bytes);
            if (adds) memcpy(to, &sum, 4);
            for (uint32_t k = 0; mixes && k < bytes; k++) to[k] ^= from[k];
            if (least &&
                memcmp((unsigned char[]){to[3], to[2], to[1], to[0]},
                    (unsigned char[]){from[3], from[2], from[1], from[0]}, 4) > 0)
                memcpy(to, from, 4);
        }
    return stores || adds || mixes || least;
}

static bool same(const char *what, int id, const uint32_t *got, const uint32_t *want, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (got[i] != want[i])
            return printf("launch %d: %s[%u] is %08x, not %08x\n", id, what, i, got[i], want[i]), false;
    return true;
}

static bool run(struct sim_module *m, const struct tensor_launch *l, struct tensor_args *args)
{
    char error[256] = "";
    struct sim_kernel *k = sim_kernel(m, l->kernel, error);
    const struct sim_launch launch = {.grid = {BLOCKS, 1, 1},
        .block = {128, 1, 1},
        .dynamic_shared = SHARED_BYTES,
        .params = args,
        .param_bytes = sizeof *args};
    if (!k) printf("%s: %s\n", l->kernel, error);
    return k && sim_launch(sim, k, &launch, &counts, &fault);
}

// What an H200 left in memory, hashed as tensor.cu's main does it, and the counters that Nsight Compute read.
enum { MEASURED = 7 };
struct measured {
    char kernel[16], error[40];
    uint64_t hash;
    unsigned long long counts[MEASURED];
};

static struct measured measured_of(const char *csv, int id, bool stops)
{
    struct measured m = {0};
    const char *row = csv;
    for (int i = 0; i < id && row; i++) row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL;
    int found = -1, read = 0;
    unsigned long long hash = 0, *c = m.counts;
    if (row && stops) read = sscanf(row, "%d,%15[^,],%*c,%39[^,],%llx", &found, m.kernel, m.error, &hash);
    else if (row)
        read = sscanf(row, "%d,%15[^,],%*c,%llx,%llu,%llu,%llu,%llu,%llu,%llu,%llu", &found, m.kernel, &hash, &c[0],
            &c[1], &c[2], &c[3], &c[4], &c[5], &c[6]);
    m.hash = hash;
    CHECK(read == (stops ? 4 : 10) && found == id);
    return m;
}

static uint64_t hash_of(const uint32_t *dump, const uint32_t *tensor)
{
    return tensor_hash(tensor, TENSOR_WORDS_IN, tensor_hash(dump, TENSOR_WORDS_OUT, 1469598103934665603u));
}

static bool counted(const struct measured *m)
{
    const uint64_t got[MEASURED] = {counts.ld_requests, counts.ld_sectors, counts.st_requests, counts.st_sectors,
        counts.atom_requests, counts.shared_ld_wavefronts, counts.shared_st_wavefronts};
    static const char *const names[] = {"ld_requests", "ld_sectors", "st_requests", "st_sectors", "atomic_requests",
        "shared_ld_wavefronts", "shared_st_wavefronts"};
    bool same_all = true;
    for (int i = 0; i < MEASURED; i++) {
        if (got[i] == m->counts[i]) continue;
        same_all = false;
        printf("%s: %s is %llu, not %llu\n", m->kernel, names[i], (unsigned long long)got[i], m->counts[i]);
    }
    return same_all;
}

// One launch on fresh buffers.
struct place {
    uint64_t tensor, source, to;
};
static bool launch(struct sim_module *m, const struct tensor_launch *l, const struct place *p)
{
    struct tensor_args args = {
        .source = p->source, .out = p->to, .dx = l->dx, .bytes = l->bytes, .place = l->place, .off = l->off};
    const struct sim_tensor map = map_of(l, p->tensor);
    memcpy(args.map, &map, sizeof map);
    memcpy(args.at, l->at, sizeof args.at);
    tensor_fill(l->type, in);
    memcpy(sim_host(sim, p->tensor, sizeof in), in, sizeof in);
    memcpy(sim_host(sim, p->source, sizeof in), in, sizeof in);
    memset(sim_host(sim, p->to, sizeof want_out), 0, sizeof want_out);
    return run(m, l, &args);
}

static void each_leaves_what_an_h200_left(struct sim_module *m, const char *csv, const struct place *p)
{
    const uint32_t *dump = sim_host(sim, p->to, sizeof want_out), *tensor = sim_host(sim, p->tensor, sizeof in);
    int formulas = 0;
    for (int i = 0; i < TENSOR_LAUNCHES; i++) {
        const struct tensor_launch *l = &tensor_launches[i];
        const struct measured want = measured_of(csv, i, false);
        const bool loads = l->bytes != 0, ran = launch(m, l, p);
        if (!ran) printf("launch %d: %s\n", i, fault.what);
        CHECK(ran && strcmp(want.kernel, l->kernel) == 0);
        const bool told = l->kernel[0] == 'i' || strncmp(l->kernel, "rep", 3) == 0; // by the hardware alone
        if (loads) expect_load(l);
        const bool known = !told && (loads || expect_store(l));
        formulas += known;
        if (known && loads) CHECK(same("shared", i, dump, want_out, TENSOR_WORDS_OUT));
        else if (known) CHECK(same("tensor", i, tensor, want_in, TENSOR_WORDS_IN));
        const bool measured = hash_of(dump, tensor) == want.hash, as_many = counted(&want);
        if (!measured || !as_many) printf("launch %d, %s: not as on an H200\n", i, l->kernel);
        CHECK(measured && as_many);
    }
    CHECK_INT(formulas, 62); // of the loads and stores of boxes, and of some reductions
}

static void each_stops_where_an_h200_stopped(struct sim_module *m, const char *csv, const struct place *p)
{
    const uint32_t *dump = sim_host(sim, p->to, sizeof want_out), *tensor = sim_host(sim, p->tensor, sizeof in);
    for (int i = 0; i < TENSOR_STOPS; i++) {
        const struct tensor_launch *l = &tensor_stops[i];
        const struct measured want = measured_of(csv, i, true);
        const bool goes_on = strcmp(want.error, "cudaSuccess") == 0, ran = launch(m, l, p);
        const bool equal = !ran || hash_of(dump, tensor) == want.hash;
        if (ran != goes_on || !equal)
            printf("stop %d, %s: %s there, %s here\n", i, l->kernel, want.error, ran ? "ran" : fault.what);
        CHECK(ran == goes_on && equal && strcmp(want.kernel, l->kernel) == 0);
    }
}

static void copies_are_those_of_an_h200(void)
{
    struct diags diags = {0};
    char error[256] = "";
    char *ptx = file_read(TESTS_DIR "/golden/tensor.ptx", 1 << 24, NULL, &diags);
    char *csv = file_read(TESTS_DIR "/golden/tensor_h200.csv", 1 << 20, NULL, &diags);
    char *stops = file_read(TESTS_DIR "/golden/tensor_stops_h200.csv", 1 << 20, NULL, &diags);
    struct sim_module *m = ptx && csv && stops ? sim_load(sim, ptx, error) : NULL;
    const struct place p = {sim_alloc(sim, sizeof in, "tensor"), sim_alloc(sim, sizeof in, "source"),
        sim_alloc(sim, sizeof want_out, "dump")};
    CHECK(m != NULL);
    if (m) {
        each_leaves_what_an_h200_left(m, csv, &p);
        each_stops_where_an_h200_stopped(m, stops, &p);
        sim_unload(sim, m);
    }
    free(ptx);
    free(csv);
    free(stops);
    for (int i = 0; i < 3; i++) sim_release(sim, (uint64_t[]){p.tensor, p.source, p.to}[i]);
}

#define TENSOR(body) \
    HEAD ".shared .align 16 .b64 bar; .shared .align 1024 .b8 tile[4096];\n" K( \
        "mov.u32 %r2, bar; mov.u32 %r3, tile; add.u64 %rd5, %rd1, 4096; mov.u32 %r4, 0;" body)
#define LOAD(rank, to, map, at) \
    "cp.async.bulk.tensor." rank ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [" to "], [" map ", {" at \
    "}], [%r2];"
static bool fails(const char *text, const char *what)
{
    const bool ran = ptx_launch(text, (struct sim_launch){.block = {1}, .budget = (uint64_t)1 << 20});
    if (ran || !strstr(fault.what, what)) printf("%s\n", ran ? "it ran" : fault.what);
    return !ran && strstr(fault.what, what);
}

// The map lies in the buffer's second 4 KiB, the tensor in the first.
static void what_cannot_be_is_said(void)
{
    const struct tensor_launch l = {"", 'f', 2, {32, 8}, {0, 128}, {32, 8}, {1, 1}, 128, 0, {0}, 0, 0, 0, FLAT};
    struct sim_tensor map = map_of(&l, buffer);
    memcpy(out + 1024, &map, sizeof map);
    for (int i = 0; i < 256; i++) out[i] = 1000 + i;
    RUN(TENSOR("mbarrier.init.shared.b64 [%r2], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 1024;" LOAD("2d",
            "%r3", "%rd5", "%r4, %r4") "ld.shared.u32 %r9, [%r3+144];"),
        1);
    CHECK_INT(out[0], 1000 + 32); // the second row's pieces change places in pairs
    CHECK(fails(TENSOR(LOAD("2d", "%r3", "%rd1", "%r4, %r4")), "is no tensor map"));
    for (int n = 0; n < 10; n++) { // each field just outside of what can be
        struct sim_tensor no = map;
        switch (n) {
        case 0: no.top = SIM_TENSOR_RANK; break;
        case 1: no.type = SIM_TENSOR_TYPES; break;
        case 2: no.swizzle = 4; break;
        case 3: no.interleave = 1; break;
        case 4: no.step[1] = 0; break;
        case 5: no.step[0] = 9; break;
        case 6: no.box[1] = 0; break;
        case 7: no.box[0] = 257; break;
        case 8: no.box[1] = 1025, no.images = true; break;
        default: no.mark = 1;
        }
        memcpy(out + 1024, &no, sizeof no);
        CHECK(fails(TENSOR(LOAD("2d", "%r3", "%rd5", "%r4, %r4")), "is no tensor map") || !printf("field %d\n", n));
    }
    memcpy(out + 1024, &map, sizeof map);
    CHECK(fails(TENSOR(LOAD("3d", "%r3", "%rd5", "%r4, %r4, %r4")), "by a tensor map of 2 directions"));
    CHECK(fails(TENSOR("add.u32 %r3, %r3, 64;" LOAD("2d", "%r3", "%rd5", "%r4, %r4")), "is no multiple of 128"));
    CHECK(fails(TENSOR("mov.u32 %r6, 3;" LOAD("2d", "%r3", "%rd5", "%r6, %r4")), "begins at byte 12 of a row"));
    CHECK(fails(TENSOR("add.u64 %rd5, %rd5, 8;" LOAD("2d", "%r3", "%rd5", "%r4, %r4")), "at a multiple of 64 bytes"));
    CHECK(fails(TENSOR("add.u32 %r3, %r3, 3840;" LOAD("2d", "%r3", "%rd5", "%r4, %r4")),
        "reaches byte 5120 of shared memory"));
    CHECK(fails(TENSOR("mov.u64 %rd5, 64;" LOAD("2d", "%r3", "%rd5", "%r4, %r4")), "of 128 bytes"));
    map.size[0] = 1 << 20, map.address = buffer + 65536 - 64; // it says more than there is
    memcpy(out + 1024, &map, sizeof map);
    CHECK(fails(TENSOR(LOAD("2d", "%r3", "%rd5", "%r4, %r4")), "past the end of `out`"));
    map = map_of(&l, buffer);
    memcpy(out + 1024, &map, sizeof map);
    CHECK(fails(TENSOR("cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group "
                       "[%rd5, {%r4, %r4}], [%r3];"),
        "floats: no GPU does that"));
    char error[256] = "";
    struct sim_module *m = sim_load(sim,
        TENSOR("cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes "
               "[%r3], [%rd5, {%r4, %r4, %r4, %r4, %r4}], [%r2];"),
        error);
    CHECK(m && !sim_kernel(m, "k", error));
    CHECK_TEXT(error, "unsupported: cp.async.bulk.tensor.tile::gather4");
    sim_unload(sim, m);
}

// Who looks at a box before the barrier has opened reads what is still on its way.
static void a_box_is_waited_for(void)
{
    struct sim_races races = {0};
    const struct sim_launch l = {.block = {32}, .watch = UINT32_MAX, .races = &races};
#define BRING(wait) \
    TENSOR("setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0;" \
           "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 1024; @!%p1 bra L;" LOAD("2d", "%r3", "%rd5", \
               "%r4, %r4") "L: " wait "shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r3; ld.shared.u32 %r9, [%r5];")
    CHECK(ptx_launch(BRING("A: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra A;"), l) ||
        (printf("%s\n", fault.what), false));
    CHECK_INT(races.shared, 0);
    CHECK(!ptx_launch(BRING("bar.sync 0;"), l) || races.shared);
}

// A store looks at its box until its thread has waited for it, and sees only what a fence has shown it.
static void a_store_is_fenced_and_waited_for(void)
{
    struct sim_races races = {0};
    const struct sim_launch l = {.block = {32}, .watch = UINT32_MAX, .races = &races};
#define PUT(fence, wait) \
    TENSOR("setp.eq.u32 %p1, %r1, 0; shl.b32 %r5, %r1, 5; add.u32 %r5, %r5, %r3; mov.u32 %r6, 0; L: " \
           "st.shared.u32 [%r5], %r6; add.u32 %r5, %r5, 4; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 8; @%p2 bra " \
           "L;" fence \
           "bar.sync 0; @%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd5, {%r4, %r4}], [%r3];" \
           "@%p1 cp.async.bulk.commit_group;" wait "bar.sync 0; st.shared.u32 [%r3], %r6;")
#define FENCE "fence.proxy.async.shared::cta;"
#define DONE "@%p1 cp.async.bulk.wait_group.read 0;"
    CHECK(ptx_launch(PUT(FENCE, DONE), l) || (printf("%s\n", fault.what), false));
    CHECK_INT(races.shared, 0);
    races = (struct sim_races){0};
    CHECK(!ptx_launch(PUT("", DONE), l) || races.shared);
    CHECK(strstr(races.shared ? races.shared_what : fault.what, "fence.proxy.async") != NULL);
    races = (struct sim_races){0};
    CHECK(!ptx_launch(PUT(FENCE, ""), l) || races.shared);
}

int main(void)
{
    ptx_begin();
    copies_are_those_of_an_h200();
    what_cannot_be_is_said();
    a_box_is_waited_for();
    a_store_is_fenced_and_waited_for();
    return ptx_end();
}
