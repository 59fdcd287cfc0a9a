// Control flow, and instructions that do nothing here. Jump targets are kept as positions in the code until decode.c
// has all of it.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool branch(struct decode *d)
{
    if (d->in->count != 1 || d->in->operands[0].label < 0) return decode_unsupported(d);
    struct inst *i = decode_emit(d, decode_find(d, "bra"));
    i->offset = d->in->operands[0].label;
    i->vector = d->in->unsure;
    return true;
}

static bool branch_indexed(struct decode *d)
{
    if (d->in->count != 2 || !d->in->operands[1].count) return decode_unsupported(d);
    const uint32_t index = decode_source(d, &d->in->operands[0], 'w');
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "brx.idx"));
    i->r[0] = index;
    i->site = (uint32_t)d->in->operands[1].count;
    const struct inst **targets = arena_alloc(d->arena, i->site * sizeof *targets);
    for (uint32_t k = 0; k < i->site; k++) {
        const int label = d->in->operands[1].items[k].label;
        if (label < 0) return decode_unsupported(d);
        targets[k] = (const struct inst *)(uintptr_t)label;
    }
    i->targets = targets;
    return true;
}

// alloca.u64 d, bytes{, alignment}; stacksave and stackrestore keep how much is taken. In a function that is called it
// would have to be given back at its end.
static bool stack(struct decode *d, const char *root)
{
    const struct ptx_operand *o = d->in->operands;
    const bool takes = is(root, "alloca"), saves = is(root, "stacksave");
    if (!d->plan->f->entry || d->in->count < (takes ? 2 : 1) || (takes && d->in->count > 2 && o[2].kind != PTX_NUMBER))
        return decode_unsupported(d);
    if (!d->alloca_slot) d->alloca_slot = decode_slot(d, 'w');
    if (!takes && !saves) {
        const uint32_t from = decode_source(d, &o[0], 'w');
        if (!d->failed) decode_put(d, "mov.b32", d->alloca_slot, from, 0, 0);
        return !d->failed;
    }
    const uint32_t bytes = takes ? decode_source(d, &o[1], 'l') : 0, to = decode_result(d, &o[0], 'l', false);
    if (d->failed) return false;
    if (saves) decode_put(d, "stacksave", to, d->alloca_slot, 0, 0);
    else
        decode_put(d, "alloca", to, bytes, d->alloca_slot, 0)->offset =
            d->in->count > 2 && o[2].bits ? (int64_t)o[2].bits : 8;
    decode_finish_results(d);
    return !d->failed;
}

// createpolicy: where lines stay in L2 is not modelled, so that any value will do.
static bool policy(struct decode *d)
{
    if (d->in->count < 1) return decode_unsupported(d);
    const uint32_t to = decode_result(d, &d->in->operands[0], 'l', false);
    if (!d->failed) decode_put(d, "mov.b64", to, decode_constant(d, 'l', 0), 0, 0);
    decode_finish_results(d);
    return !d->failed;
}

// turns.CMP.TYPE: sim/compiler/unroll.c wrote it.
static bool turns(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const bool is_long = d->in->count == 5 && d->mod_count == 3 && strstr(d->mods[2], "64");
    if (d->in->count != 5 || d->mod_count != 3) return decode_unsupported(d);
    const char lane = is_long ? 'l' : 'w';
    const uint32_t counter = decode_source(d, &o[1], lane), bound = decode_source(d, &o[2], lane),
                   to = decode_result(d, &o[0], 'p', false);
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "turns"));
    i->r[0] = to, i->r[1] = counter, i->r[2] = bound;
    i->offset = (int64_t)o[3].bits;
    i->site = (uint32_t)o[4].bits;
    i->wide = is_long;
    i->elem = *d->mods[2] == 's';
    i->vector = (uint8_t)(d->mods[1][1] == 'e' ? *d->mods[1] : 0); // 'l' or 'g' with "or equal", 'n': not equal
    return true;
}

bool decode_flow(struct decode *d, bool *mine)
{
    static const char *const nothing[] = {"prefetch", "prefetchu", "discard", "applypriority", "nanosleep", "pmevent",
        "brkpt", "griddepcontrol", "setmaxnreg", NULL};
    const char *root = d->mods[0];
    *mine = true;
    if (is(root, "bra")) return branch(d);
    if (is(root, "brx")) return branch_indexed(d);
    if (is(root, "turns")) return turns(d);
    if (is(root, "call")) return decode_call(d);
    if (is(root, "ret")) return decode_leave(d, false);
    if (is(root, "exit")) return decode_leave(d, true);
    if (is(root, "membar") || is(root, "fence")) {
        struct inst *i = decode_emit(d, decode_find(d, "fence"));
        i->offset = decode_mod(d, "proxy"); // also between the proxies
        i->vector = !decode_mod(d, "cta") && !decode_mod(d, "proxy");
        return true;
    }
    if (is(root, "trap")) return decode_emit(d, decode_find(d, "trap")) != NULL;
    if (is(root, "alloca") || is(root, "stacksave") || is(root, "stackrestore")) return stack(d, root);
    if (is(root, "createpolicy")) return policy(d);
    for (int k = 0; nothing[k]; k++)
        if (is(root, nothing[k])) return true;
    *mine = false;
    return true;
}
