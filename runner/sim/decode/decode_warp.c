// Instructions that look across lanes or wait for them: shfl, vote, match, redux, elect, bar.
// SPDX-License-Identifier: MIT
#include "sim/decode/decode.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static const struct ptx_operand *first_of(const struct ptx_operand *o)
{
    return o->kind == PTX_PAIR ? &o->items[0] : o;
}

// The predicate of `d|p`; 0 when there is none.
static uint32_t second_result(struct decode *d, const struct ptx_operand *o)
{
    return o->kind == PTX_PAIR ? decode_result(d, &o->items[1], 'p', false) : 0;
}

static bool shuffle(struct decode *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    const bool sync = decode_mod(d, "sync");
    int mode = -1;
    for (int k = 0; k < 4; k++)
        if (decode_mod(d, modes[k])) mode = k;
    const struct ptx_operand *o = d->in->operands;
    if (mode < 0 || d->in->count != (sync ? 5 : 4)) return decode_unsupported(d);
    uint32_t r[6] = {0};
    for (int k = 1; k < 4; k++) r[k] = decode_source(d, &o[k], 'w');
    r[4] = sync ? decode_source(d, &o[4], 'w') : decode_constant(d, 'w', 0);
    r[5] = second_result(d, &o[0]);
    r[0] = decode_result(d, first_of(&o[0]), 'w', false);
    if (d->failed) return false;
    struct inst *i = decode_emit(d, decode_find(d, "shfl"));
    memcpy(i->r, r, sizeof r);
    i->offset = mode;
    decode_finish_results(d);
    return true;
}

static bool vote(struct decode *d)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    int mode = -1;
    for (int k = 0; k < 4; k++)
        if (decode_mod(d, modes[k])) mode = k;
    const bool sync = decode_mod(d, "sync"); // the old form takes the lanes that are active
    if (mode < 0 || d->in->count != (sync ? 3 : 2)) return decode_unsupported(d);
    const uint32_t p = decode_source(d, &d->in->operands[1], 'p'),
                   members = sync ? decode_source(d, &d->in->operands[2], 'w') : decode_constant(d, 'w', 0),
                   slot = decode_result(d, &d->in->operands[0], mode == 3 ? 'w' : 'p', false);
    if (d->failed) return false;
    decode_put(d, "vote", slot, p, members, 0)->offset = mode;
    decode_finish_results(d);
    return true;
}

static bool match(struct decode *d)
{
    char name[32];
    const bool wide = is(decode_type(d), "b64");
    if (d->in->count != 3) return decode_unsupported(d);
    snprintf(name, sizeof name, "match.%s", wide ? "b64" : "b32");
    const struct ptx_operand *o = d->in->operands;
    const uint32_t a = decode_source(d, &o[1], wide ? 'l' : 'w'), members = decode_source(d, &o[2], 'w'),
                   p = second_result(d, &o[0]), slot = decode_result(d, first_of(&o[0]), 'w', false);
    if (d->failed) return false;
    struct inst *i = decode_put(d, name, slot, a, members, 0);
    i->offset = decode_mod(d, "all");
    i->r[5] = p;
    decode_finish_results(d);
    return true;
}

static bool elect(struct decode *d)
{
    if (d->in->count != 2 || d->in->operands[0].kind != PTX_PAIR) return decode_unsupported(d);
    const uint32_t p = second_result(d, &d->in->operands[0]), members = decode_source(d, &d->in->operands[1], 'w'),
                   slot = decode_result(d, first_of(&d->in->operands[0]), 'w', false);
    if (!d->failed) decode_put(d, "elect", slot, 0, members, 0)->r[5] = p;
    return !d->failed;
}

static bool barrier(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    const int count = d->in->count;
    if (decode_mod(d, "cluster")) {
        d->meets = true;
        decode_emit(d, decode_find(d, decode_mod(d, "arrive") ? "cluster.arrive" : "cluster.wait"));
        return true;
    }
    if (decode_mod(d, "warp")) {
        if (count != 1) return decode_unsupported(d);
        const uint32_t members = decode_source(d, &o[0], 'w');
        if (!d->failed) decode_put(d, "bar.warp", members, 0, 0, 0);
        return !d->failed;
    }
    if (!decode_mod(d, "red")) {
        if (count < 1 || count > 2) return decode_unsupported(d);
        const uint32_t id = decode_source(d, &o[0], 'w'), threads = count > 1 ? decode_source(d, &o[1], 'w') : 0;
        if (!d->failed) decode_put(d, "bar", id, threads, 0, 0)->offset = decode_mod(d, "arrive");
        return !d->failed;
    }
    const bool popc = decode_mod(d, "popc");
    if (count < 3 || count > 4) return decode_unsupported(d);
    const uint32_t id = decode_source(d, &o[1], 'w'), threads = count > 3 ? decode_source(d, &o[2], 'w') : 0,
                   p = decode_source(d, &o[count - 1], 'p'), slot = decode_result(d, &o[0], popc ? 'w' : 'p', false);
    if (d->failed) return false;
    decode_put(d, "bar", id, threads, p, slot)->offset = popc ? 2 : decode_mod(d, "and") ? 3 : 4;
    decode_finish_results(d);
    return true;
}

bool decode_warp(struct decode *d, bool *mine)
{
    const char *root = d->mods[0];
    *mine = true;
    if (is(root, "shfl")) return shuffle(d);
    if (is(root, "vote")) return vote(d);
    if (is(root, "match")) return match(d);
    if (is(root, "elect")) return elect(d);
    if (is(root, "bar") || is(root, "barrier")) return barrier(d);
    *mine = false;
    return true;
}
