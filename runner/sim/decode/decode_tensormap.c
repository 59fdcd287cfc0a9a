// tensormap.replace and tensormap.cp_fenceproxy: a kernel changes fields of a tensor map and hands it on. They become
// plain loads and stores, as in the machine code, which is why they are counted as such.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/tensor.h"

#include <stddef.h>

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
    if (ops_has(d->op, WORD_REPLACE)) return replace(d);
    return ops_has(d->op, WORD_CP_FENCEPROXY) ? hand_on(d) : decode_unsupported(d);
}
