// Lays out the slots of a kernel of machine code, and goes through its instructions.
// SPDX-License-Identifier: MIT
#include "sim/machine/lower.h"

#include "base/arena.h"
#include "ptx/module.h"
#include "sim/ops/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 0xff, SHARED_WINDOW = 0x18, LOCAL_WINDOW = 0x20, STACK_TOP = 0x28, GRID_NUMBER = 0x30, PARAMS = 0x198 };

bool lower_fail(struct lower *l, const char *what)
{
    if (!l->failed) snprintf(l->why, 256, "%s", what);
    l->failed = true;
    return true;
}

uint32_t lower_slot(struct lower *l, uint32_t bytes)
{
    const uint32_t at = l->slots;
    l->slots += bytes;
    return at;
}

struct inst *lower_emit(struct lower *l, const char *name)
{
    const struct op *op = variant_op(l->module->sim->exec, name);
    static struct inst none;
    if (!op) return lower_fail(l, name), &none;
    mem_grow(&l->insts, &l->room, l->count + 1, sizeof *l->insts);
    struct inst *i = &l->insts[l->count++];
    *i = (struct inst){.run = op->run};
    if (!l->in) return i;
    if (l->kernel.lines) i->line = (int32_t)l->kernel.lines[l->in->at / SASS_BYTES];
    if (l->in->guard == SASS_PT) return i;
    const bool uniform = sass_guard_is_uniform(l->in);
    i->guard = (uniform ? l->uniform_predicates : l->predicates) + 4 * l->in->guard + l->in->guard_not;
    return i;
}

struct inst *lower_put(struct lower *l, const char *op, uint32_t to, uint32_t a, uint32_t b, uint32_t c)
{
    struct inst *i = lower_emit(l, op);
    i->r[0] = to, i->r[1] = a, i->r[2] = b, i->r[3] = c;
    return i;
}

struct machine_op *lower_machine(struct lower *l, struct inst *i)
{
    struct machine_op *m = arena_alloc(l->arena, sizeof *m);
    for (int k = 0; k < 3; k++) m->keep[k] = ~0u;
    m->in = m->in2 = l->all;
    i->machine = m;
    return m;
}

uint32_t lower_register(struct lower *l, uint32_t reg, bool read)
{
    if (reg == SASS_RZ) return read ? l->zero : l->trash;
    if (reg >= l->register_count) lower_fail(l, "a register beyond those that the kernel has"), reg = 0;
    return l->registers + reg * MACHINE_REGISTER;
}

uint32_t lower_uniform(struct lower *l, uint32_t reg, bool read)
{
    if (reg == SASS_URZ) return read ? l->zero : l->trash;
    return l->uniforms + reg * MACHINE_REGISTER;
}

static void preset(struct lower *l, uint32_t slot, uint8_t special, uint8_t size, uint64_t bits)
{
    mem_grow(&l->presets, &l->preset_room, l->preset_count + 1, sizeof *l->presets);
    l->presets[l->preset_count++] = (struct preset){slot, special, size, bits};
}

uint32_t lower_special(struct lower *l, uint8_t special, uint64_t bits)
{
    for (size_t n = 0; n < l->preset_count; n++)
        if (l->presets[n].special == special && l->presets[n].bits == bits && l->presets[n].size == 4)
            return l->presets[n].slot;
    const uint32_t slot = lower_slot(l, 2 * MACHINE_REGISTER);
    preset(l, slot, special, 4, bits);
    return slot;
}

// The slot of a constant; of `words` that follow each other.
static uint32_t known(struct lower *l, uint8_t bank, uint32_t at, uint32_t words)
{
    for (size_t n = 0; n < l->constant_count; n++)
        if (l->constants[n].bank == bank && l->constants[n].at == at && l->constants[n].slot) {
            bool follow = true;
            for (uint32_t k = 1; k < words; k++)
                follow &= n + k < l->constant_count && l->constants[n + k].bank == bank &&
                    l->constants[n + k].at == at + 4 * k &&
                    l->constants[n + k].slot == l->constants[n].slot + k * MACHINE_REGISTER;
            if (follow) return l->constants[n].slot;
        }
    return 0;
}
static uint32_t make(struct lower *l, uint8_t bank, uint32_t at, uint32_t words)
{
    const uint32_t slot = lower_slot(l, (words + 1) * MACHINE_REGISTER);
    mem_grow(&l->constants, &l->constant_room, l->constant_count + words, sizeof *l->constants);
    for (uint32_t k = 0; k < words; k++)
        l->constants[l->constant_count++] = (struct lower_constant){slot + k * MACHINE_REGISTER, bank, at + 4 * k};
    return slot;
}

uint32_t lower_number(struct lower *l, uint32_t v)
{
    if (!v) return l->zero;
    uint32_t slot = known(l, NUMBER, v, 1);
    if (slot) return slot;
    slot = make(l, NUMBER, v, 1);
    preset(l, slot, SPECIAL_CONSTANT, 4, v);
    return slot;
}

// Runs once, before a worker's first block.
static void load_once(struct lower *l, const char *op, uint32_t slot, int64_t offset)
{
    const struct op *found = variant_op(l->module->sim->exec, op);
    mem_grow(&l->once, &l->once_room, l->once_count + 1, sizeof *l->once);
    l->once[l->once_count++] =
        (struct inst){.run = found->run, .r = {slot, l->zero}, .offset = offset, .elem = ELEM_32, .vector = 1};
    if (strcmp(op, "c_bank") == 0)
        l->once[l->once_count - 1].bank = &l->banks[3], l->once[l->once_count - 1].vector = 4,
                                l->once[l->once_count - 1].elem = 0;
}

static void fill_launch(struct lower *l, uint32_t slot, uint32_t at)
{
    static const uint8_t dims[6] = {
        SPECIAL_NTID_X, SPECIAL_NTID_Y, SPECIAL_NTID_Z, SPECIAL_NCTAID_X, SPECIAL_NCTAID_Y, SPECIAL_NCTAID_Z};
    enum { CLUSTER_FIRST = 0x140, CLUSTER_LAST = 0x18c };
    static const int of_cluster[(CLUSTER_LAST - CLUSTER_FIRST) / 4] = {CLUSTER_EXPLICIT, CLUSTER_SIZE, CLUSTER_SIZE + 1,
        CLUSTER_SIZE + 2, CLUSTER_INVERSE, CLUSTER_INVERSE + 1, CLUSTER_INVERSE + 2, CLUSTER_GRID, CLUSTER_GRID + 1,
        CLUSTER_GRID + 2, -1, -1, -1, -1, -1, -1, -1, -1, CLUSTER_COUNT};
    const uint32_t params = l->kernel.params_at;
    if (at >= params && at - params + 4 <= (l->kernel.param_bytes + 3) / 4 * 4) load_once(l, "ld.entry", slot, at);
    else if (at < 24) preset(l, slot, dims[at / 4], 4, 0);
    else if (at >= CLUSTER_FIRST && at < CLUSTER_LAST && of_cluster[(at - CLUSTER_FIRST) / 4] >= 0)
        preset(l, slot, SPECIAL_CLUSTER, 4, (uint64_t)of_cluster[(at - CLUSTER_FIRST) / 4]);
    else if (at == SHARED_WINDOW + 4) preset(l, slot, SPECIAL_CONSTANT, 4, WINDOW_SHARED >> 32);
    else if (at == LOCAL_WINDOW + 4) preset(l, slot, SPECIAL_CONSTANT, 4, WINDOW_LOCAL >> 32);
    else if (at == PARAMS || at == PARAMS + 4)
        preset(l, slot, SPECIAL_CONSTANT, 4, at == PARAMS ? params : WINDOW_PARAM >> 32);
    else if (at == GRID_NUMBER || at == GRID_NUMBER + 4) preset(l, slot, SPECIAL_CONSTANT, 4, at == GRID_NUMBER);
    else if (at == STACK_TOP) preset(l, slot, SPECIAL_CONSTANT, 4, l->kernel.stack_bytes);
    else if (at == 0x208 || at == 0x20c || at == 0x118 || at == 0x11c || at == SHARED_WINDOW || at == LOCAL_WINDOW)
        preset(l, slot, SPECIAL_CONSTANT, 4, 0); // descriptors; the windows begin at whole multiples
    else lower_fail(l, "a value of the launch that is not known here");
}

// What a linker writes into bank 4. What the system does where an assertion fails is nowhere: a call there is a fault.
static bool linked(struct lower *l, const struct cubin_fix *f, uint64_t *address)
{
    if (f->type != CUBIN_64 || !f->of || f->of->bank == CUBIN_CODE) return false;
    const bool fails = strcmp(f->of->name, "__assertfail") == 0;
    *address = fails ? FUNCTION_BASE - 16 : sim_symbol(l->module, f->of->name, NULL);
    if (!*address) return false;
    return *address += (uint64_t)f->addend, true;
}

static void fill_address(struct lower *l, uint32_t slot, uint32_t at)
{
    uint64_t address;
    char what[100];
    for (size_t n = 0; n < l->kernel.fix4_count; n++) {
        const struct cubin_fix *f = &l->kernel.fixes4[n];
        if (f->at > at || at - f->at >= 8) continue;
        if (!linked(l, f, &address)) {
            snprintf(what, sizeof what, "it calls `%.40s`, whose code is the system's", f->of ? f->of->name : "");
            return (void)lower_fail(l, what);
        }
        preset(l, slot, SPECIAL_CONSTANT, 4, at == f->at ? (uint32_t)address : (uint32_t)(address >> 32));
        return;
    }
    lower_fail(l, "an address that a linker would fill in");
}

uint32_t lower_bank(struct lower *l, uint32_t bank, uint32_t at, uint32_t words)
{
    uint32_t slot = known(l, (uint8_t)bank, at, words);
    if (slot) return slot;
    if (at % 4) return lower_fail(l, "a constant of less than 4 bytes"), l->zero;
    slot = make(l, (uint8_t)bank, at, words);
    for (uint32_t k = 0; k < words; k++, at += 4) {
        const uint32_t to = slot + k * MACHINE_REGISTER;
        uint32_t v = 0;
        if (bank == 0) fill_launch(l, to, at);
        else if (bank == 4) fill_address(l, to, at);
        else if (bank == 3) load_once(l, "c_bank", to, at);
        else if (bank == 2 && at + 4 <= l->kernel.banks[2].count) {
            memcpy(&v, l->kernel.banks[2].bytes + at, 4);
            preset(l, to, SPECIAL_CONSTANT, 4, v);
        } else lower_fail(l, "a bank of constants that is not known here");
    }
    return slot;
}

uint32_t lower_source(struct lower *l, const struct sass_operand *o)
{
    switch ((enum sass_source)o->from) {
    case SASS_REGISTER: return lower_register(l, o->reg, true);
    case SASS_UNIFORM: return lower_uniform(l, o->reg, true);
    case SASS_NUMBER: return lower_number(l, o->value);
    case SASS_CONSTANT: return lower_bank(l, o->bank, o->value, 1);
    case SASS_NOTHING: break;
    }
    return l->zero;
}

uint32_t lower_pair(struct lower *l, const struct sass_operand *o, bool real)
{
    if (o->from == SASS_CONSTANT) return lower_bank(l, o->bank, o->value, 2);
    if (o->from != SASS_NUMBER) return lower_source(l, o);
    // Two constants of their own: the value, and what it means as 64 bits.
    const uint32_t slot = lower_slot(l, 2 * MACHINE_REGISTER);
    preset(l, slot, SPECIAL_CONSTANT, 4, real ? 0 : o->value);
    preset(l, slot + MACHINE_REGISTER, SPECIAL_CONSTANT, 4, real ? o->value : (uint32_t)((int32_t)o->value >> 31));
    return slot;
}

uint32_t lower_predicate(struct lower *l, int n, int negated, bool uniform)
{
    const uint32_t p = (uint32_t)sass_bits(l->in, n, 3), not = sass_bit(l->in, negated);
    if (p == SASS_PT) return l->all | not ;
    return ((uniform ? l->uniform_predicates : l->predicates) + 4 * p) | not ;
}

uint32_t lower_result(struct lower *l, int n, bool uniform)
{
    const uint32_t p = (uint32_t)sass_bits(l->in, n, 3);
    return p == SASS_PT ? 0 : (uniform ? l->uniform_predicates : l->predicates) + 4 * p;
}

// The name of a function that is part of this kernel: ptxas calls it `$KERNEL$FUNCTION`. NULL: it is something else.
static const char *own_function(const struct lower *l, const struct cubin_place *p)
{
    const size_t bytes = strlen(l->kernel_name);
    const bool own = p->bank == CUBIN_CODE && p->name[0] == '$' && strncmp(p->name + 1, l->kernel_name, bytes) == 0 &&
        p->name[bytes + 1] == '$';
    return own ? p->name + bytes + 2 : NULL;
}

static bool in_function(const struct lower *l, uint32_t at)
{
    for (size_t n = 0; n < l->cubin->place_count; n++) {
        const struct cubin_place *p = &l->cubin->places[n];
        if (at >= p->at && at - p->at < p->bytes && own_function(l, p)) return true;
    }
    return false;
}

static void lay_out(struct lower *l)
{
    l->slots = (uint32_t)(sizeof(struct warp) + 63) / 64 * 64;
    l->predicates = lower_slot(l, 32), l->uniform_predicates = lower_slot(l, 32);
    l->all = lower_slot(l, 64);
    preset(l, l->all, SPECIAL_CONSTANT, 0, ~0u);
    l->zero = lower_slot(l, 8 * MACHINE_REGISTER);
    l->trash = lower_slot(l, 8 * MACHINE_REGISTER);
    l->address = lower_slot(l, 2 * MACHINE_REGISTER);
    for (int k = 0; k < 3; k++) l->temps[k] = lower_slot(l, MACHINE_REGISTER);
    for (int k = 0; k < 6; k++) l->wide[k] = lower_slot(l, 2 * MACHINE_REGISTER);
    l->barriers = lower_slot(l, 17 * MACHINE_REGISTER);
    l->uniforms = lower_slot(l, 68 * MACHINE_REGISTER);
    l->voted = lower_slot(l, 2 * MACHINE_REGISTER);
    for (size_t n = 0; n < l->code.count; n++) {
        const struct sass_inst *i = &l->code.insts[n];
        const uint8_t used[4] = {i->dst, i->a.reg, i->b.reg, i->c.reg};
        const bool regs[4] = {
            i->dst != SASS_RZ, i->a.from == SASS_REGISTER, i->b.from == SASS_REGISTER, i->c.from == SASS_REGISTER};
        for (int k = 0; k < 4; k++)
            if (regs[k] && used[k] != SASS_RZ && used[k] >= l->register_count) l->register_count = used[k] + 1u;
    }
    if (l->kernel.registers > 0 && (uint32_t)l->kernel.registers > l->register_count)
        l->register_count = (uint32_t)l->kernel.registers;
    if (l->register_count > 255) l->register_count = 255;
    l->registers = lower_slot(l, (l->register_count + 4) * MACHINE_REGISTER);
}

static bool lower_one(struct lower *l)
{
    if (sass_never(l->in)) return true;
    switch ((enum sass_op)l->in->op) { // nothing that is seen from here
    case SASS_ERRBAR:
    case SASS_YIELD:
    case SASS_ENDCOLLECTIVE:
    case SASS_PREEXIT: // a launch that follows may begin
    case SASS_ACQBULK: // the launch before has ended
    case SASS_UBLKPF:
    case SASS_UTMAPF:
    case SASS_UTMACCTL:
    case SASS_NANOSLEEP: return true;
    default: break;
    }
    const bool mine = lower_numbers(l) || lower_floats(l) || lower_memory(l) || lower_async(l) || lower_flow(l) ||
        lower_matrix(l) || lower_texture(l);
    char what[64];
    snprintf(what, sizeof what, "%s (0x%03x)", sass_name((enum sass_op)l->in->op), (unsigned)(l->in->lo & 0xfff));
    if (!mine) lower_fail(l, what);
    return !l->failed;
}

// What a minimal stack leaves out: functions that call others may come back to themselves.
static void make_stack(struct lower *l)
{
    bool deep = false;
    for (size_t n = 0; n < l->code.count; n++)
        deep |= l->code.insts[n].op == SASS_CALL_REL && in_function(l, l->code.insts[n].at);
    l->kernel.stack_bytes = (l->kernel.stack_bytes + 15) / 16 * 16 + (deep ? CALL_DEPTH : 0);
}

static bool lower_code(struct lower *l)
{
    for (uint32_t n = 0; n < l->code.count && !l->failed; n++) {
        l->places[n] = (uint32_t)l->count;
        const uint32_t b = l->code.block_of[n];
        if (l->code.blocks[b].first == n) {
            l->in = NULL;
            struct inst *head = lower_emit(l, "c_head");
            head->site = l->block = b;
            head->r[0] = l->code.blocks[b].count;
            if (l->kernel.lines) head->line = (int32_t)l->kernel.lines[n];
        }
        l->in = &l->code.insts[n];
        lower_one(l);
    }
    l->in = NULL;
    lower_emit(l, "c_trap"); // falling off the end
    return !l->failed;
}

static void tie(struct lower *l, struct sim_kernel *k)
{
    struct inst *code = arena_copy(l->arena, l->insts, l->count * sizeof *code);
    const struct inst **places = arena_alloc(l->arena, (l->code.count + 1) * sizeof *places);
    for (size_t n = 0; n < l->code.count; n++) places[n] = code + l->places[n];
    HANDLER((*const branch)) = variant_op(l->module->sim->exec, "c_branch")->run;
    HANDLER((*const jump)) = variant_op(l->module->sim->exec, "c_jump")->run;
    HANDLER((*const back)) = variant_op(l->module->sim->exec, "c_back")->run;
    HANDLER((*const call)) = variant_op(l->module->sim->exec, "c_call")->run;
    HANDLER((*const function)) = variant_op(l->module->sim->exec, "c_function")->run;
    for (size_t n = 0; n < l->count; n++) {
        if (code[n].run != branch && code[n].run != jump && code[n].run != back && code[n].run != call &&
            code[n].run != function)
            continue;
        struct machine_branch *b = (struct machine_branch *)(uintptr_t)code[n].branch;
        b->places = places, b->count = l->code.count;
        b->functions = l->functions, b->function_count = l->function_count;
        if (code[n].run == branch) b->target = places[code[n].offset / SASS_BYTES];
    }
    k->code = code, k->code_count = l->count;
    k->site_insts = arena_alloc(l->arena, (l->site_count + 1) * sizeof *k->site_insts);
    for (size_t s = 0; s < l->site_count; s++) k->site_insts[s] = code + l->site_insts[s];
    k->site_count = l->site_count;
    k->tallies = arena_alloc(l->arena, (l->site_count + 1) * sizeof *k->tallies);
    struct inst *once = arena_copy(l->arena, l->once, l->once_count * sizeof *once);
    struct machine_bank *banks = arena_copy(l->arena, l->banks, sizeof l->banks);
    for (size_t n = 0; n < l->once_count; n++)
        if (once[n].bank) once[n].bank = &banks[3];
    k->once = once, k->once_count = l->once_count;
    k->presets = arena_copy(l->arena, l->presets, l->preset_count * sizeof *k->presets);
    k->preset_count = l->preset_count;
    k->machine = arena_copy(l->arena, &l->code, sizeof l->code);
    k->places = places;
    k->stretches = arena_alloc(l->arena, (l->code.block_count + 1) * sizeof *k->stretches);
}

// What is in bank 3: the module's variables, which a host may change, and between them what the compiler put there.
static void find_banks(struct lower *l)
{
    struct machine_piece *pieces = arena_alloc(l->arena, (l->cubin->place_count + 1) * sizeof *pieces);
    struct machine_bank *b = &l->banks[3];
    for (size_t n = 0; n < l->cubin->place_count; n++) {
        const struct cubin_place *p = &l->cubin->places[n];
        size_t bytes;
        const uint64_t at = p->bank == 3 ? sim_symbol(l->module, p->name, &bytes) : 0;
        if (!at) continue;
        pieces[b->count++] =
            (struct machine_piece){(uint32_t)p->at, (uint32_t)bytes, (const unsigned char *)(uintptr_t)at};
    }
    if (l->kernel.banks[3].count)
        pieces[b->count++] = (struct machine_piece){0, (uint32_t)l->kernel.banks[3].count, l->kernel.banks[3].bytes};
    b->pieces = pieces;
    for (int k = 2; k < CUBIN_BANKS; k += 2) {
        struct machine_piece *own = arena_alloc(l->arena, sizeof *own);
        *own = (struct machine_piece){0, (uint32_t)l->kernel.banks[k].count, l->kernel.banks[k].bytes};
        l->banks[k] = (struct machine_bank){.pieces = own, .count = k == 2};
    }
    l->banks[0] = (struct machine_bank){.params = true, .at = l->kernel.params_at};
}

// A parameter that must lie at a multiple of 64 or 128 bytes does so in bank 0: where a launch gives it is another
// place.
static void place_params(struct lower *l, struct sim_kernel *k)
{
    const struct ptx_func *f = ptx_module_func(l->module->ptx, l->kernel_name);
    struct param_piece *pieces = arena_alloc(l->arena, (CUBIN_PARAMS + 1) * sizeof *pieces);
    bool moved = false;
    uint32_t n = 0;
    for (const struct ptx_var *v = f ? f->params : NULL; v && n < CUBIN_PARAMS && l->kernel.params[n].size;
         v = v->next) {
        const uint32_t to = l->kernel.params[n].offset, from = (uint32_t)v->offset;
        pieces[n++] = (struct param_piece){l->kernel.params_at + to, from, (uint32_t)v->size};
        moved |= to != from;
        k->param_bytes = from + (uint32_t)v->size;
    }
    if (!moved) {
        k->param_bytes = l->kernel.param_bytes;
        pieces[0] = (struct param_piece){l->kernel.params_at, 0, l->kernel.param_bytes}, n = 1;
    }
    k->params = pieces, k->param_count = n;
    k->bank_bytes = l->kernel.params_at + (l->kernel.param_bytes + 3) / 4 * 4;
}

static void size(struct lower *l, struct sim_kernel *k)
{
    k->warp_bytes = (l->slots + 63) / 64 * 64;
    place_params(l, k);
    k->shared_bytes = l->kernel.shared_bytes;
    k->below = l->cubin->arch >= 90 ? 0x400 : 0;
    k->local_bytes = l->kernel.stack_bytes;
    k->dynamic_align = 16;
}

// Where the kernel's copy of a function begins. 0: it has none.
static uint32_t function_at(const struct lower *l, const char *name)
{
    const char *is;
    for (size_t n = 0; n < l->cubin->place_count; n++)
        if ((is = own_function(l, &l->cubin->places[n])) && strcmp(is, name) == 0)
            return (uint32_t)l->cubin->places[n].at;
    return 0;
}

// Offsets in the code where something may jump to by a register: those that tables of bank 2 have, for BRX, and the
// kernel's functions, in the order of the module's, whose addresses its variables may have.
static uint32_t *jumps(struct lower *l, size_t *count)
{
    const struct cubin_bank *b = &l->kernel.banks[2];
    size_t functions = 0;
    for (const struct ptx_func *f = l->module->ptx->funcs; f; f = f->next) functions++;
    uint32_t *to = arena_alloc(l->arena, b->count + 4 * functions + 4);
    l->functions = to + b->count / 4;
    memcpy(to, b->bytes ? (const void *)b->bytes : "", b->count / 4 * 4);
    for (const struct ptx_func *f = l->module->ptx->funcs; f; f = f->next)
        l->functions[l->function_count++] = function_at(l, f->name);
    *count = b->count / 4 + functions;
    return to;
}

struct sim_kernel *lower_kernel(struct sim_module *m, const struct cubin *c, const char *name, bool clusters,
    char why[256])
{
    struct lower l = {
        .module = m, .kernel_name = name, .arena = arena_new(), .cubin = c, .why = why, .clusters = clusters};
    struct sim_kernel *k = NULL;
    size_t jump_count;
    if (cubin_kernel(c, l.arena, name, &l.kernel, why)) {
        const uint32_t *to = jumps(&l, &jump_count);
        if (c == m->given) l.kernel.lines = NULL; // of a file that nobody has here
        l.code = sass_blocks(l.arena, l.kernel.code, l.kernel.code_bytes, c->arch, to, jump_count);
        l.places = arena_alloc(l.arena, (l.code.count + 1) * sizeof *l.places);
        lay_out(&l);
        make_stack(&l);
        find_banks(&l);
        if (l.kernel.fix_count) lower_fail(&l, "code that a linker would change");
        if (lower_code(&l)) {
            k = arena_alloc(l.arena, sizeof *k);
            *k = (struct sim_kernel){.module = m, .name = arena_strdup(l.arena, name), .arena = l.arena};
            tie(&l, k);
            size(&l, k);
        }
    }
    free(l.insts), free(l.once), free(l.constants), free(l.presets), free(l.site_insts);
    if (!k) arena_free(l.arena);
    return k;
}
