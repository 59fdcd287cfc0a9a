// Operands to slots: registers, constants, special registers, variables' addresses, and the places of variables.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

#include "base/arena.h"

#include <string.h>

static int kind_of(char lane) { return lane == 'w' ? 0 : lane == 'l' ? 1 : 2; }

uint32_t decode_slot(struct decode *d, char lane)
{
    const uint32_t at = d->slots;
    d->slots += lane == 'w' ? 4 * LANES : lane == 'l' ? 8 * LANES : 64; // a predicate has a cache line, for alignment
    return at;
}

uint32_t decode_temp(struct decode *d, char lane)
{
    const int kind = kind_of(lane);
    if (d->temp_count[kind] == DECODE_TEMPS) {
        decode_fail(d, "too many operands");
        return d->temps[kind][0];
    }
    uint32_t *slot = &d->temps[kind][d->temp_count[kind]++];
    if (!*slot) *slot = decode_slot(d, lane);
    return *slot;
}

static uint32_t preset(struct decode *d, enum special special, int size, uint64_t bits)
{
    for (size_t i = 0; i < d->preset_count; i++) {
        const struct preset *p = &d->presets[i];
        if (p->special == special && p->size == size && p->bits == bits) return p->slot;
    }
    mem_grow(&d->presets, &d->preset_room, d->preset_count + 1, sizeof *d->presets);
    const uint32_t slot = decode_slot(d, size == 8 ? 'l' : size ? 'w' : 'p');
    d->presets[d->preset_count++] = (struct preset){slot, (uint8_t)special, (uint8_t)size, bits};
    return slot;
}

uint32_t decode_constant(struct decode *d, char lane, uint64_t bits)
{
    if (lane == 'p') return preset(d, SPECIAL_CONSTANT, 0, bits ? ALL_LANES : 0);
    return preset(d, SPECIAL_CONSTANT, lane == 'l' ? 8 : 4, lane == 'l' ? bits : (uint32_t)bits);
}

static uint32_t place_in(struct decode *d, const struct ptx_var *v, uint32_t *bytes)
{
    for (size_t i = 0; i < d->place_count; i++)
        if (d->places[i].var == v) return d->places[i].offset;
    const uint64_t at = ((uint64_t)*bytes + v->align - 1) / v->align * v->align;
    if (at + v->size > 1u << 30) {
        decode_fail(d, "more than 1 GiB of shared or local memory");
        return 0;
    }
    mem_grow(&d->places, &d->place_room, d->place_count + 1, sizeof *d->places);
    d->places[d->place_count++] = (struct place){v, (uint32_t)at};
    *bytes = (uint32_t)(at + v->size);
    return (uint32_t)at;
}

uint32_t decode_place(struct decode *d, const struct ptx_var *v)
{
    switch (v->space) {
    case PTX_SHARED: return place_in(d, v, &d->shared_bytes);
    case PTX_LOCAL: return place_in(d, v, &d->local_bytes);
    default: return place_in(d, v, &d->frame_bytes);
    }
}

bool decode_is_entry_param(const struct decode *d, const struct ptx_var *v)
{
    if (!d->plan->f->entry) return false;
    for (const struct ptx_var *p = d->plan->f->params; p; p = p->next)
        if (p == v) return true;
    return false;
}

uint64_t decode_address(struct decode *d, const struct ptx_var *v)
{
    if (v->space == PTX_GLOBAL || v->space == PTX_CONST) {
        for (size_t i = 0; i < d->module->symbol_count; i++)
            if (strcmp(d->module->symbols[i].name, v->name) == 0) return d->module->symbols[i].address;
        decode_fail(d, "variable that is defined elsewhere");
        return 0;
    }
    return decode_is_entry_param(d, v) ? v->offset : decode_place(d, v);
}

char decode_lane(const struct decode *d, const struct ptx_operand *o)
{
    if (o->kind != PTX_REGISTER && !(o->kind == PTX_ADDRESS && o->reg >= 0)) return 0;
    const uint8_t size = d->plan->f->regs[o->reg].size;
    return size == 0 ? 'p' : size <= 4 ? 'w' : size == 8 ? 'l' : 0;
}

static uint32_t register_slot(struct decode *d, const struct ptx_operand *o)
{
    const char lane = decode_lane(d, o);
    if (!lane) {
        decode_fail(d, ".b128");
        return 0;
    }
    uint32_t *slot = &d->plan->slots[o->reg];
    if (!*slot) *slot = decode_slot(d, lane);
    return *slot;
}

// The place of a local variable of a function that comes back to itself: each call has its own.
static uint32_t deeper(struct decode *d, uint32_t place, char lane)
{
    uint32_t depth;
    if (!d->depth_slot) d->depth_slot = decode_slot(d, 'w');
    depth = d->depth_slot;
    if (lane == 'l') {
        depth = decode_temp(d, 'l');
        decode_put(d, "cvt.u64.u32", depth, d->depth_slot, 0, 0)->guard = 0;
    }
    const uint32_t sum = decode_temp(d, lane);
    decode_put(d, lane == 'l' ? "add.u64" : "add.u32", sum, place, depth, 0)->guard = 0;
    return sum;
}

uint64_t decode_function_address(const struct ptx_module *m, const char *name)
{
    uint64_t address = FUNCTION_BASE;
    for (const struct ptx_func *f = m->funcs; f; f = f->next, address += 16)
        if (f->defined && strcmp(f->name, name) == 0) return address;
    return 0; // a call through it is a fault
}

static uint32_t special_slot(struct decode *d, const struct ptx_special *s, char lane)
{
    const int size = lane == 'l' ? 8 : 4;
    if (s->what == SPECIAL_CONSTANT) return decode_constant(d, lane, s->which);
    if (s->what == SPECIAL_CLOCK) {
        const uint32_t slot = decode_temp(d, lane);
        decode_put(d, lane == 'l' ? "clock.64" : "clock.32", slot, 0, 0, 0)->offset = s->which;
        return slot;
    }
    if (s->what == SPECIAL_RESERVED) d->reserved_bytes = RESERVED_SHARED;
    const uint32_t value = preset(d, (enum special)s->what, size, s->which);
    if (lane != 'p') return value;
    const uint32_t is_set = decode_temp(d, 'p');
    decode_put(d, "setp.ne.u32", is_set, value, decode_constant(d, 'w', 0), 0)->guard = 0;
    return is_set;
}

static uint32_t name_slot(struct decode *d, const struct ptx_operand *o, char lane)
{
    if (o->special) return special_slot(d, o->special, lane);
    if (o->var) {
        if (o->var->open && o->var->space == PTX_SHARED) { // it comes after the static part; the launch knows the size
            if (o->var->align > d->dynamic_align) d->dynamic_align = (uint32_t)o->var->align;
            return preset(d, SPECIAL_DYNAMIC_START, lane == 'l' ? 8 : 4, (uint64_t)o->offset);
        }
        const uint32_t place = decode_constant(d, lane, decode_address(d, o->var) + (uint64_t)o->offset);
        return o->var->space == PTX_LOCAL && d->plan->recursive ? deeper(d, place, lane) : place;
    }
    if (*o->name == '%') decode_fail(d, o->name);
    else if (ptx_module_func(d->module->ptx, o->name))
        return decode_constant(d, lane, decode_function_address(d->module->ptx, o->name));
    else decode_fail(d, o->name);
    return 0;
}

static uint64_t number_bits(const struct ptx_operand *o, char lane)
{
    if (o->float_size != 8 || lane != 'w') return o->bits;
    double wide; // a decimal or 0d constant in a 32-bit operation
    memcpy(&wide, &o->bits, 8);
    const float narrow = (float)wide;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    return bits;
}

uint32_t decode_source(struct decode *d, const struct ptx_operand *o, char lane)
{
    if (o->kind == PTX_NUMBER) return decode_constant(d, lane, number_bits(o, lane));
    if (o->kind == PTX_NAME) return name_slot(d, o, lane);
    if (o->kind != PTX_REGISTER) {
        decode_unsupported(d);
        return 0;
    }
    const char have = decode_lane(d, o);
    uint32_t slot = register_slot(d, o);
    if (d->failed) return 0;
    decode_flight_touch(d, o->reg, false);
    if (have != lane) {
        if (have == 'p' || lane == 'p') {
            decode_unsupported(d);
            return 0;
        }
        const uint32_t temp = decode_temp(d, lane);
        decode_put(d, lane == 'w' ? "part.32" : "cvt.u64.u32", temp, slot, 0, 0)->offset = 0;
        slot = temp;
    }
    if (o->negated) {
        const uint32_t temp = decode_temp(d, lane);
        decode_put(d, lane == 'p' ? "not.pred" : lane == 'w' ? "not.b32" : "not.b64", temp, slot, slot, 0);
        slot = temp;
    }
    return slot;
}

uint32_t decode_result(struct decode *d, const struct ptx_operand *o, char lane, bool is_signed)
{
    if (o->kind == PTX_SINK) return decode_temp(d, lane);
    if (o->kind != PTX_REGISTER) {
        decode_unsupported(d);
        return 0;
    }
    const char have = decode_lane(d, o);
    const uint32_t slot = register_slot(d, o);
    if (!d->failed) decode_flight_touch(d, o->reg, true);
    if (have == lane || d->failed) return slot;
    if (have == 'p' || lane == 'p') {
        decode_unsupported(d);
        return 0;
    }
    const uint32_t temp = decode_temp(d, lane);
    if (d->late_count < 4)
        d->late[d->late_count++] = (struct late){have == 'w' ? "part.32"
                : is_signed                                  ? "cvt.s64.s32"
                                                             : "cvt.u64.u32",
            temp, slot};
    return temp;
}

bool decode_halves(struct decode *d, const struct ptx_operand *o, uint32_t slots[2], bool result)
{
    if (o->kind == PTX_VECTOR && o->count == 2) {
        for (int k = 0; k < 2; k++)
            slots[k] = result ? decode_result(d, &o->items[k], 'l', false) : decode_source(d, &o->items[k], 'l');
        return !d->failed;
    }
    if (o->kind != PTX_REGISTER || d->plan->f->regs[o->reg].size != 16) return false;
    uint32_t *slot = &d->plan->slots[o->reg];
    if (!*slot) *slot = decode_slot(d, 'l'), decode_slot(d, 'l');
    slots[0] = *slot, slots[1] = *slot + 8 * LANES;
    return true;
}

void decode_finish_results(struct decode *d)
{
    for (int k = 0; k < d->late_count; k++)
        decode_put(d, d->late[k].op, d->late[k].to, d->late[k].from, 0, 0)->offset = 0;
    d->late_count = 0;
}
