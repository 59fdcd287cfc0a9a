// Video instructions, and three-way logic that also gives a predicate.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/simd.h"

#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int index_of(const char *const *names, const char *name)
{
    for (int k = 0; names[k]; k++)
        if (is(names[k], name)) return k;
    return -1;
}

// "vadd", "vadd2", "vadd4": which, and in how many parts.
static bool kind_of(const char *root, struct video_op *op)
{
    static const char *const names[] = {
        "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg", "vshl", "vshr", "vmad", "vset", NULL};
    char name[16];
    const size_t n = strlen(root);
    if (n < 4 || n > 12 || *root != 'v') return false;
    memcpy(name, root, n + 1);
    op->parts = name[n - 1] == '2' ? 2 : name[n - 1] == '4' ? 4 : 1;
    if (op->parts > 1) name[n - 1] = 0;
    const int kind = index_of(names, name);
    op->kind = (uint8_t)kind;
    const bool single = kind == VIDEO_SHL || kind == VIDEO_SHR || kind == VIDEO_MAD;
    return kind >= 0 && !(op->parts > 1 && single) && !(op->parts == 1 && kind == VIDEO_AVRG);
}

// The modifiers behind the types. `.add`, `.min` and `.max` say what is done with the third operand.
static bool modifiers(const struct decode *d, int from, struct video_op *op)
{
    static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge", NULL};
    static const char *const seconds[] = {"", "add", "min", "max", NULL};
    bool compares_one = false;
    for (int k = from; k < d->mod_count; k++) {
        const char *m = d->mods[k];
        const int compare = index_of(compares, m), second = index_of(seconds, m);
        if (is(m, "sat")) op->saturates = true;
        else if (is(m, "wrap")) op->wraps = true;
        else if (is(m, "shr7") || is(m, "shr15")) op->shift = m[3] == '7' ? 7 : 15;
        else if (compare >= 0) op->compare = (uint8_t)compare, compares_one = true;
        else if (second > 0) op->second = (uint8_t)second;
        else if (!is(m, "clamp")) return false; // .po
    }
    return compares_one == (op->kind == VIDEO_SET);
}

static bool video(struct decode *d, struct video_op *op)
{
    const struct ptx_operand *o = d->in->operands;
    const int types = op->kind == VIDEO_SET ? 2 : 3, count = d->in->count;
    if (d->mod_count < 1 + types || count < 3 || count > 4 || !modifiers(d, 1 + types, op))
        return decode_unsupported(d);
    op->d_signed = types == 3 && *d->mods[1] == 's';
    op->a_signed = *d->mods[types - 1] == 's', op->b_signed = *d->mods[types] == 's';
    op->d_part = o[0].part, op->a_part = o[1].part, op->b_part = o[2].part;
    if (op->parts > 1 && (op->d_part || op->a_part || op->b_part)) return decode_unsupported(d);
    if (op->parts == 1 && count == 4 && op->second == VIDEO_ALONE && op->kind != VIDEO_MAD) op->second = VIDEO_MERGE;
    if ((op->parts > 1 || op->second || op->kind == VIDEO_MAD) && count < 4) return decode_unsupported(d);
    uint32_t r[4] = {0};
    for (int k = 1; k < count; k++) r[k] = decode_source(d, &o[k], 'w');
    r[0] = decode_result(d, &o[0], 'w', false);
    if (d->failed) return false;
    decode_put(d, "video", r[0], r[1], r[2], r[3])->video = arena_copy(d->arena, op, sizeof *op);
    decode_finish_results(d);
    return true;
}

// lop3.BOOL.b32 d|p, a, b, c, table, q: p is whether d is not zero, and (or) q.
static bool logic_with_predicate(struct decode *d)
{
    const struct ptx_operand *o = d->in->operands;
    if (d->in->count != 6 || o[0].kind != PTX_PAIR || o[4].kind != PTX_NUMBER) return decode_unsupported(d);
    uint32_t r[4];
    for (int k = 1; k < 4; k++) r[k] = decode_source(d, &o[k], 'w');
    const uint32_t q = decode_source(d, &o[5], 'p'), any = decode_temp(d, 'p');
    r[0] = decode_result(d, &o[0].items[0], 'w', false);
    const uint32_t p = decode_result(d, &o[0].items[1], 'p', false);
    if (d->failed) return false;
    decode_put(d, "lop3.b32", r[0], r[1], r[2], r[3])->offset = (int64_t)o[4].bits;
    decode_put(d, "setp.ne.u32", any, r[0], decode_constant(d, 'w', 0), 0);
    decode_put(d, decode_mod(d, "or") ? "or.pred" : "and.pred", p, any, q, 0);
    decode_finish_results(d);
    return true;
}

bool decode_simd(struct decode *d, bool *mine)
{
    struct video_op op = {0};
    *mine = true;
    if (is(d->mods[0], "lop3") && d->in->operands[0].kind == PTX_PAIR) return logic_with_predicate(d);
    if (kind_of(d->mods[0], &op)) return video(d, &op);
    *mine = false;
    return true;
}
