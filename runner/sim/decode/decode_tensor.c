// Copies by a tensor map: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, in boxes (`tile`) and in pixels
// (`im2col`).
// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/mbarrier.h"
#include "sim/ops/tensor.h"

static bool decode_tensor(struct decode *, bool reduces);

static bool decode_bulk_address(struct decode *, const struct ptx_operand *, enum space, uint32_t *slot);

// tensormap.replace and tensormap.cp_fenceproxy: a kernel changes fields of a tensor map and hands it on. They become
// plain loads and stores, as in the machine code, which is why they are counted as such.

// `word`: which of the hardware's map the field is part of. ptxas reads and writes it once for changes that follow one
// on the other; a field that is a word of its own is not read. `pairs`: two side by side are written at once.
static const struct field {
    uint8_t what, at, each, count, elem, word, next;
    bool reads, pairs;
} fields[] = {{WORD_GLOBAL_ADDRESS, offsetof(struct sim_tensor, address), 0, 1, ELEM_64, 0, 0, false, false},
    {WORD_RANK, offsetof(struct sim_tensor, top), 0, 1, ELEM_U8, 2, 0, true, false},
    {WORD_ELEMTYPE, offsetof(struct sim_tensor, type), 0, 1, ELEM_U8, 2, 0, true, false},
    {WORD_SWIZZLE_MODE, offsetof(struct sim_tensor, swizzle), 0, 1, ELEM_U8, 2, 0, true, false},
    {WORD_INTERLEAVE_LAYOUT, offsetof(struct sim_tensor, interleave), 0, 1, ELEM_U8, 2, 0, true, false},
    {WORD_FILL_MODE, offsetof(struct sim_tensor, nan), 0, 1, ELEM_U8, 2, 0, true, false},
    {WORD_GLOBAL_STRIDE, offsetof(struct sim_tensor, stride), 8, 4, ELEM_64, 3, 1, false, true},
    {WORD_GLOBAL_DIM, offsetof(struct sim_tensor, size), 4, 5, ELEM_32, 8, 1, false, true},
    {WORD_ELEMENT_STRIDE, offsetof(struct sim_tensor, step), 1, 5, ELEM_U8, 13, 0, true, false},
    {WORD_BOX_DIM, offsetof(struct sim_tensor, box), 2, 5, ELEM_U16, 13, 0, true, false}};

static const struct field *field_of(const struct ptx_inst *in, uint32_t *ord)
{
    for (size_t k = 0; in->op->code == OPS_TENSORMAP && k < sizeof fields / sizeof *fields; k++) {
        const struct field *f = &fields[k];
        if (!ops_has(in->op, WORD_REPLACE) || !ops_has(in->op, f->what)) continue;
        *ord =
            f->count > 1 && in->count == 3 && in->operands[1].kind == PTX_NUMBER ? (uint32_t)in->operands[1].bits : 0;
        return in->count == (f->count > 1 ? 3 : 2) && *ord < f->count ? f : NULL;
    }
    return NULL;
}

// The hardware's word: boxes lie behind the first one's in a word of their own.
static uint32_t word_of(const struct field *f, uint32_t ord)
{
    if (f->word == 13 && f->each == 2 && ord) return 14;
    return f->word + f->next * ord;
}

// The change before this one, where nothing but what makes a value comes between; NULL: there is none to the same map.
static const struct field *before(const struct decode *d, uint32_t *ord)
{
    const struct ptx_inst *all = d->plan->f->insts, *in = d->in;
    for (size_t k = d->index; k-- > 0 && !all[k + 1].leads;) {
        const struct field *f = field_of(&all[k], ord);
        const struct ptx_op *op = all[k].op;
        const bool makes_a_value = op->class == CLASS_PURE || (op->class == CLASS_LOAD && op->space == PTX_PARAM);
        if (!f && !makes_a_value) return NULL;
        if (!f) continue;
        const struct ptx_operand *a = &all[k].operands[0], *b = &in->operands[0];
        return all[k].guard == in->guard && a->reg == b->reg && a->offset == b->offset ? f : NULL;
    }
    return NULL;
}

static struct memory_op *described(struct decode *d, enum access_kind kind, bool joins)
{
    struct memory_op *op = arena_alloc(d->arena, sizeof *op);
    op->name = d->op->name;
    op->kind = (uint8_t)kind;
    op->follows = joins;
    op->plain = kind == ACCESS_STORE;
    return op;
}

static const char *access_name(enum space space, bool loads)
{
    if (space == SPACE_SHARED) return loads ? "ld.shared" : "st.shared";
    if (space == SPACE_GLOBAL) return loads ? "ld.global" : "st.global";
    return loads ? "ld.generic" : "st.generic";
}

// What a field was: the machine code reads it. The slot; 0: failed.
static uint32_t emit_old(struct decode *d, struct inst i, bool joins)
{
    i.r[0] = decode_temp(d, 'w');
    if (d->failed) return 0;
    decode_memory_emit(d, access_name((enum space)i.space, true), &i, described(d, ACCESS_LOAD, joins));
    return i.r[0];
}

// tensormap.replace.tile.FIELD.SPACE.b1024.TYPE [map], {ord,} value
static bool replace(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    uint32_t ord = 0;
    const struct field *f = field_of(d->in, &ord);
    const enum space space = decode_space(d);
    struct inst i = {.space = (uint8_t)space, .vector = 1};
    if (!f || !decode_memory_address(d, &o[0], &i)) return decode_unsupported(d);
    const bool wide = f->elem == ELEM_64;
    i.elem = f->elem;
    i.offset += f->at + (int64_t)f->each * ord;
    if (wide) i.wide |= 2;
    const uint32_t value = decode_source(d, &o[d->in->count - 1], wide ? 'l' : 'w'), word = word_of(f, ord);
    uint32_t old_ord = 0;
    const struct field *old = before(d, &old_ord);
    const uint32_t old_word = old ? word_of(old, old_ord) : 0;
    const bool same = old && f->reads && old_word == word;
    const bool pairs =
        old && f->pairs && old->pairs && space == SPACE_SHARED && old_word != word && old_word / 2 == word / 2;
    if (f->reads && !emit_old(d, i, same)) return false;
    // The highest bits of all strides have a word of their own.
    if (f->what == WORD_GLOBAL_STRIDE) {
        struct inst high = i;
        high.elem = ELEM_32, high.wide &= 1;
        high.offset += (int64_t)offsetof(struct sim_tensor, high) - (f->at + (int64_t)f->each * ord);
        const uint32_t kept = emit_old(d, high, false);
        if (!kept) return false;
        high.r[0] = kept;
        decode_memory_emit(d, access_name(space, false), &high, described(d, ACCESS_STORE, false));
    }
    i.r[0] = value;
    if (d->failed) return false;
    decode_memory_emit(d, access_name(space, false), &i, described(d, ACCESS_STORE, same || pairs));
    return true;
}

// tensormap.cp_fenceproxy.global.shared::cta.….sync.aligned [to], [from], 128: each lane brings four bytes.
static bool hand_on(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    struct inst from = {.space = SPACE_SHARED, .vector = 1, .elem = ELEM_32, .wide = 1},
                to = {.space = SPACE_GLOBAL, .wide = 1};
    uint32_t at[2];
    if (d->in->count != 3 || o[2].kind != PTX_NUMBER || o[2].bits != SIM_TENSOR_BYTES) return decode_unsupported(d);
    if (!decode_bulk_address(d, &o[0], SPACE_GLOBAL, &at[0]) || !decode_bulk_address(d, &o[1], SPACE_SHARED, &at[1]))
        return false;
    to.r[4] = decode_temp(d, 'l'), from.r[4] = decode_temp(d, 'l');
    decode_put(d, "tensormap.lanes", to.r[4], at[0], 0, 0);
    decode_put(d, "tensormap.lanes", from.r[4], at[1], 0, 0);
    from.r[0] = to.r[1] = decode_temp(d, 'w');
    struct memory_op *swap = described(d, ACCESS_ATOMIC, false);
    swap->atomic = ATOMIC_EXCH, swap->type = ATOMIC_U32;
    if (d->failed) return false;
    decode_memory_emit(d, "ld.shared", &from, described(d, ACCESS_LOAD, false));
    decode_memory_emit(d, "atom", &to, swap);
    return true;
}

bool decode_tensormap(struct decode *d)
{
    d->changes_maps = true;
    if (ops_has(d->op, WORD_REPLACE)) return replace(d);
    return ops_has(d->op, WORD_CP_FENCEPROXY) ? hand_on(d) : decode_unsupported(d);
}

// Barriers in shared memory, copies in bulk and stores that such a barrier waits for: mnemonics and operands. Copies by
// a tensor map are in decode_tensor.c.

// Decode_mbarrier.c, for decode_tensor.c: the whole address in 64 bits; what a reduction does to what type.
// The whole address in 64 bits.
static bool decode_bulk_address(struct decode *d, const struct ptx_operand *o, enum space space, uint32_t *slot)
{
    struct inst i = {.space = (uint8_t)space};
    if (!decode_memory_address(d, o, &i)) return false;
    *slot = i.r[4];
    if (!(i.wide & 1)) {
        *slot = decode_temp(d, 'l');
        decode_put(d, "cvt.u64.u32", *slot, i.r[4], 0, 0);
    }
    if (i.offset) {
        const uint32_t base = *slot;
        *slot = decode_temp(d, 'l');
        decode_put(d, "add.u64", *slot, base, decode_constant(d, 'l', (uint64_t)i.offset), 0);
    }
    return !d->failed;
}

static struct memory_op *named(struct decode *d)
{
    struct memory_op *op = arena_alloc(d->arena, sizeof *op);
    op->name = d->op->name;
    op->kind = ACCESS_ATOMIC;
    return op;
}

bool decode_mbarrier(struct decode *d)
{
    static const struct {
        uint8_t what, kind, bits, result; // result: it has one
    } kinds[] = {{WORD_INIT, MBARRIER_INIT, 0, 0}, {WORD_INVAL, MBARRIER_INVAL, 0, 0},
        {WORD_EXPECT_TX, MBARRIER_EXPECT, 0, 0}, {WORD_COMPLETE_TX, MBARRIER_COMPLETE, 0, 0},
        {WORD_ARRIVE, MBARRIER_ARRIVE, 0, 1}, {WORD_ARRIVE_DROP, MBARRIER_ARRIVE, MBARRIER_DROPS, 1},
        {WORD_TEST_WAIT, MBARRIER_TEST, 0, 1}, {WORD_TRY_WAIT, MBARRIER_TEST, 0, 1}, {0, 0, 0, 0}};
    const enum ops_word what = d->op->count > 1 ? (enum ops_word)d->op->part[1] : WORD_UNKNOWN;
    const struct ptx_operand *o = d->in->operands;
    struct inst i = {.space = (uint8_t)decode_space(d)};
    int k = 0;
    if (what == WORD_PENDING_COUNT && d->in->count == 2) {
        const uint32_t state = decode_source(d, &o[1], 'l');
        decode_put(d, "mbarrier.pending", decode_result(d, &o[0], 'w', false), state, 0, 0);
        decode_finish_results(d);
        return !d->failed;
    }
    while (kinds[k].what && what != kinds[k].what) k++;
    // A remote arrival has no state to give, and may be written without the place for it.
    const int at = kinds[k].result && d->in->count && o[0].kind != PTX_ADDRESS ? 1 : 0;
    if (!kinds[k].what || d->in->count <= at || !decode_memory_address(d, &o[at], &i)) return decode_unsupported(d);
    i.elem = kinds[k].kind, i.vector = kinds[k].bits;
    if (i.elem == MBARRIER_ARRIVE && ops_has(d->op, WORD_EXPECT_TX)) i.vector |= MBARRIER_BYTES;
    if (ops_has(d->op, WORD_PARITY)) i.vector |= MBARRIER_PARITY;
    const bool by_state = i.elem == MBARRIER_TEST && !(i.vector & MBARRIER_PARITY);
    if (by_state) i.wide |= 2;
    if (d->in->count > at + 1) i.r[1] = decode_source(d, &o[at + 1], by_state ? 'l' : 'w');
    if (at && (i.elem == MBARRIER_TEST || o[0].kind != PTX_SINK))
        i.r[0] = decode_result(d, &o[0], i.elem == MBARRIER_TEST ? 'p' : 'l', false);
    if (d->failed) return false;
    struct inst *out = decode_emit(d, decode_find(d, "mbarrier"));
    const struct inst made = *out;
    *out = i;
    out->run = made.run, out->guard = made.guard, out->line = made.line;
    out->memory = named(d);
    decode_finish_results(d);
    return true;
}

// cp.async.mbarrier.arrive: the copies of this thread are done already. Without .noinc it is awaited by what it adds
// itself, so that nothing changes.
bool decode_copy_arrives(struct decode *d)
{
    struct inst i = {.space = (uint8_t)decode_space(d), .elem = MBARRIER_ARRIVE};
    if (d->in->count != 1 || !decode_memory_address(d, &d->in->operands[0], &i)) return decode_unsupported(d);
    decode_emit(d, decode_find(d, "cp.follow"));
    if (!ops_has(d->op, WORD_NOINC)) return true;
    struct inst *out = decode_emit(d, decode_find(d, "mbarrier"));
    const struct inst made = *out;
    *out = i;
    out->run = made.run, out->guard = made.guard, out->line = made.line;
    out->memory = named(d);
    return true;
}

// What a reduction does; `typed` false: to what, somebody else knows.
static bool decode_reduction(struct decode *d, struct memory_op *op, bool typed)
{
    static const enum ops_word ways[] = {WORD_ADD, WORD_MIN, WORD_MAX, WORD_AND, WORD_OR, WORD_XOR, 0},
                               counts[] = {WORD_INC, WORD_DEC, 0};
    const int way = ops_which(d->op, ways), count = ops_which(d->op, counts),
              found = count >= 0 ? ATOMIC_INC + count : way, pair = decode_atomic_type(d),
              type = pair == ATOMIC_F16X2 || pair == ATOMIC_BF16X2 || pair == ATOMIC_B16 ? -1 : pair;
    if (found < 0 || (typed && type < 0)) return decode_unsupported(d);
    op->atomic = (uint8_t)found, op->type = (uint8_t)(typed ? type : 0), op->kind = ACCESS_REDUCE;
    return true;
}

static enum space space_of(uint8_t part) { return part == WORD_GLOBAL ? SPACE_GLOBAL : SPACE_SHARED; }

// cp.async.bulk.TO.FROM.WAY [to], [from], bytes{, [barrier]}{, blocks}{, policy}; cp.reduce.async.bulk the same.
bool decode_bulk(struct decode *d, bool reduces)
{
    const struct ptx_operand *o = d->in->operands;
    if (ops_has(d->op, WORD_PREFETCH)) return true;
    if (ops_has(d->op, WORD_COMMIT_GROUP)) return decode_emit(d, decode_find(d, "bulk.commit")) != NULL;
    if (ops_has(d->op, WORD_WAIT_GROUP)) {
        if (d->in->count != 1 || o[0].kind != PTX_NUMBER) return decode_unsupported(d);
        decode_put(d, "bulk.wait", ops_has(d->op, WORD_READ), 0, 0, 0)->offset = (int64_t)o[0].bits;
        return true;
    }
    if (ops_has(d->op, WORD_TENSOR)) return decode_tensor(d, reduces);
    const int at = reduces ? 4 : 3;
    const bool counted = ops_has(d->op, WORD_MBARRIER_COMPLETE_TX_BYTES);
    if (d->op->count < at + 2 || d->in->count < 3 + counted) return decode_unsupported(d);
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    op->memory.name = d->op->name, op->memory.unit = UNIT_ELSEWHERE;
    op->to_space = (uint8_t)space_of(d->op->part[at]), op->from_space = (uint8_t)space_of(d->op->part[at + 1]);
    op->memory.kind = op->to_space == SPACE_GLOBAL ? ACCESS_STORE : ACCESS_LOAD;
    if (reduces && !decode_reduction(d, &op->memory, true)) return false;
    if (!decode_bulk_address(d, &o[0], (enum space)op->to_space, &op->to) ||
        !decode_bulk_address(d, &o[1], (enum space)op->from_space, &op->from))
        return false;
    op->bytes = decode_source(d, &o[2], 'w');
    if (counted && !decode_bulk_address(d, &o[3], SPACE_SHARED, &op->barrier)) return false;
    if (ops_has(d->op, WORD_MULTICAST_CLUSTER)) {
        if (d->in->count < 5) return decode_unsupported(d);
        op->ranks = decode_source(d, &o[4], 'w');
    }
    if (d->failed) return false;
    decode_memory_emit(d, "cp.async.bulk", &(struct inst){.space = SPACE_GLOBAL}, op);
    return true;
}

// st.async.shared::cluster.mbarrier::complete_tx::bytes{.v2}.type [to], value, [barrier]; red.async the same.
bool decode_store_async(struct decode *d, bool reduces)
{
    const struct ptx_operand *o = d->in->operands, *values = d->in->count > 1 ? &o[1] : NULL;
    const uint32_t size = ops_bytes((enum ops_word)d->op->type);
    if (d->in->count != 3 || (size != 4 && size != 8)) return decode_unsupported(d);
    const int count = values->kind == PTX_VECTOR ? values->count : 1;
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    if (count < 1 || count > 4) return decode_unsupported(d);
    op->memory.name = d->op->name, op->memory.kind = ACCESS_STORE, op->memory.unit = UNIT_ELSEWHERE;
    op->item = (uint8_t)size, op->items = (uint8_t)count;
    if (reduces && (count > 1 || !decode_reduction(d, &op->memory, true))) return decode_unsupported(d);
    if (!decode_bulk_address(d, &o[0], SPACE_SHARED, &op->to) ||
        !decode_bulk_address(d, &o[2], SPACE_SHARED, &op->barrier))
        return false;
    for (int k = 0; k < count; k++)
        op->values[k] =
            decode_source(d, values->kind == PTX_VECTOR ? &values->items[k] : values, size == 8 ? 'l' : 'w');
    if (d->failed) return false;
    decode_memory_emit(d, "st.async", &(struct inst){.space = SPACE_SHARED}, op);
    return true;
}

// [map, {x, y}]: the place of the map, and where the box begins.
static bool place(struct decode *d, const struct ptx_operand *o, struct bulk_op *op)
{
    struct ptx_operand map = *o;
    if (o->kind != PTX_ADDRESS || o->count != op->rank) return decode_unsupported(d);
    map.items = NULL, map.count = 0;
    if (!decode_bulk_address(d, &map, SPACE_GENERIC, &op->map)) return false;
    for (int k = 0; k < op->rank; k++) op->at[k] = decode_source(d, &o->items[k], 'w');
    return !d->failed;
}

// im2col: {w, h}, how far from its place a filter reads each pixel.
static bool shifts(struct decode *d, const struct ptx_operand *o, struct bulk_op *op)
{
    if (op->rank < 3 || o->kind != PTX_VECTOR || o->count != op->rank - 2) return decode_unsupported(d);
    for (int k = 0; k < o->count; k++) op->shift[k + 1] = decode_source(d, &o->items[k], 'w');
    return !d->failed;
}

// cp.async.bulk.tensor.RANK.shared::cluster.global{.tile or .im2col}.mbarrier::complete_tx::bytes
//     [to], [map, at], [barrier]{, shifts}{, blocks}{, policy}
// cp.async.bulk.tensor.RANK.global.shared::cta{.tile}.bulk_group [map, at], [from]{, policy}; cp.reduce the same.
static bool decode_tensor(struct decode *d, bool reduces)
{
    static const enum ops_word refused[] = {WORD_IM2COL_W, WORD_IM2COL_W_128, WORD_TILE_GATHER4, WORD_TILE_SCATTER4,
        WORD_CTA_GROUP_1, WORD_CTA_GROUP_2, 0}, // of compute capability 10.0
        ranks[] = {WORD_D1, WORD_D2, WORD_D3, WORD_D4, WORD_D5, 0};
    const int never = ops_which(d->op, refused);
    const struct ptx_operand *o = d->in->operands;
    const bool loads = ops_has(d->op, WORD_MBARRIER_COMPLETE_TX_BYTES);
    struct bulk_op *op = arena_alloc(d->arena, sizeof *op);
    op->memory.name = d->op->name, op->memory.unit = UNIT_ELSEWHERE;
    op->rank = (uint8_t)(ops_which(d->op, ranks) + 1);
    op->images = ops_has(d->op, WORD_IM2COL) || ops_has(d->op, WORD_IM2COL_NO_OFFS);
    int next = 3;
    op->to_space = loads ? SPACE_SHARED : SPACE_GLOBAL, op->from_space = loads ? SPACE_GLOBAL : SPACE_SHARED;
    op->memory.kind = loads ? ACCESS_LOAD : ACCESS_STORE;
    if (never >= 0) return decode_fail(d, arena_printf(d->arena, "cp.async.bulk.tensor.%s", ops_text(refused[never])));
    if (!op->rank || d->in->count < 2 + loads) return decode_unsupported(d);
    if (reduces && (loads || !decode_reduction(d, &op->memory, false))) return decode_unsupported(d);
    if (!place(d, &o[loads ? 1 : 0], op)) return false;
    if (!decode_bulk_address(d, &o[loads ? 0 : 1], SPACE_SHARED, loads ? &op->to : &op->from)) return false;
    if (loads && !decode_bulk_address(d, &o[2], SPACE_SHARED, &op->barrier)) return false;
    if (loads && op->images && (d->in->count <= next || !shifts(d, &o[next++], op))) return decode_unsupported(d);
    if (ops_has(d->op, WORD_MULTICAST_CLUSTER)) {
        if (d->in->count <= next) return decode_unsupported(d);
        op->ranks = decode_source(d, &o[next], 'w');
    }
    if (d->failed) return false;
    decode_memory_emit(d, "cp.async.bulk.tensor", &(struct inst){.space = SPACE_GLOBAL}, op);
    return true;
}
