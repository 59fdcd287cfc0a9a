// Video instructions, and three-way logic that also gives a predicate.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/decode/decode.h"
#include "sim/ops/simd.h"

// Which, and in how many parts: "vadd", "vadd2", "vadd4".
static void kind_of(enum ops_code code, struct video_op *op)
{
    static const struct {
        uint8_t kind, parts;
    } forms[] = {[OPS_VADD - OPS_VADD] = {VIDEO_ADD, 1},
        [OPS_VSUB - OPS_VADD] = {VIDEO_SUB, 1},
        [OPS_VABSDIFF - OPS_VADD] = {VIDEO_ABSDIFF, 1},
        [OPS_VMIN - OPS_VADD] = {VIDEO_MIN, 1},
        [OPS_VMAX - OPS_VADD] = {VIDEO_MAX, 1},
        [OPS_VSHL - OPS_VADD] = {VIDEO_SHL, 1},
        [OPS_VSHR - OPS_VADD] = {VIDEO_SHR, 1},
        [OPS_VMAD - OPS_VADD] = {VIDEO_MAD, 1},
        [OPS_VSET - OPS_VADD] = {VIDEO_SET, 1},
        [OPS_VADD2 - OPS_VADD] = {VIDEO_ADD, 2},
        [OPS_VSUB2 - OPS_VADD] = {VIDEO_SUB, 2},
        [OPS_VABSDIFF2 - OPS_VADD] = {VIDEO_ABSDIFF, 2},
        [OPS_VMIN2 - OPS_VADD] = {VIDEO_MIN, 2},
        [OPS_VMAX2 - OPS_VADD] = {VIDEO_MAX, 2},
        [OPS_VAVRG2 - OPS_VADD] = {VIDEO_AVRG, 2},
        [OPS_VSET2 - OPS_VADD] = {VIDEO_SET, 2},
        [OPS_VADD4 - OPS_VADD] = {VIDEO_ADD, 4},
        [OPS_VSUB4 - OPS_VADD] = {VIDEO_SUB, 4},
        [OPS_VABSDIFF4 - OPS_VADD] = {VIDEO_ABSDIFF, 4},
        [OPS_VMIN4 - OPS_VADD] = {VIDEO_MIN, 4},
        [OPS_VMAX4 - OPS_VADD] = {VIDEO_MAX, 4},
        [OPS_VAVRG4 - OPS_VADD] = {VIDEO_AVRG, 4},
        [OPS_VSET4 - OPS_VADD] = {VIDEO_SET, 4}};
    op->kind = forms[code - OPS_VADD].kind, op->parts = forms[code - OPS_VADD].parts;
}

// The modifiers behind the types. `.add`, `.min` and `.max` say what is done with the third operand.
static bool modifiers(const struct decode *d, int from, struct video_op *op)
{
    bool compares_one = false;
    for (int k = from; k < d->op->count; k++) {
        const enum ops_word part = (enum ops_word)d->op->part[k];
        switch (part) {
        case WORD_SAT: op->saturates = true; break;
        case WORD_WRAP: op->wraps = true; break;
        case WORD_SHR7: op->shift = 7; break;
        case WORD_SHR15: op->shift = 15; break;
        case WORD_EQ: op->compare = VIDEO_EQ, compares_one = true; break;
        case WORD_NE: op->compare = VIDEO_NE, compares_one = true; break;
        case WORD_LT: op->compare = VIDEO_LT, compares_one = true; break;
        case WORD_LE: op->compare = VIDEO_LE, compares_one = true; break;
        case WORD_GT: op->compare = VIDEO_GT, compares_one = true; break;
        case WORD_GE: op->compare = VIDEO_GE, compares_one = true; break;
        case WORD_ADD: op->second = VIDEO_PLUS; break;
        case WORD_MIN: op->second = VIDEO_LEAST; break;
        case WORD_MAX: op->second = VIDEO_MOST; break;
        case WORD_CLAMP: break;
        default: return false; // .po
        }
    }
    return compares_one == (op->kind == VIDEO_SET);
}

static bool video(struct decode *d, struct video_op *op)
{
    const struct ptx_operand *o = d->in->operands;
    const int types = op->kind == VIDEO_SET ? 2 : 3, count = d->in->count;
    if (d->op->count < 1 + types || count < 3 || count > 4 || !modifiers(d, 1 + types, op))
        return decode_unsupported(d);
    op->d_signed = types == 3 && d->op->part[1] == WORD_S32;
    op->a_signed = d->op->part[types - 1] == WORD_S32, op->b_signed = d->op->part[types] == WORD_S32;
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
bool decode_logic_with_predicate(struct decode *d)
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
    decode_put(d, ops_has(d->op, WORD_OR) ? "or.pred" : "and.pred", p, any, q, 0);
    decode_finish_results(d);
    return true;
}

bool decode_video(struct decode *d)
{
    struct video_op op = {0};
    kind_of((enum ops_code)d->op->code, &op);
    return video(d, &op);
}
