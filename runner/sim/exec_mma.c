// Products of small matrices that a warp holds in its registers: mma.sync and wmma.mma. Products are exact and summed
// in double (integers in 64 bits), then rounded once: a tensor core's own sums differ in the last bits.
// SPDX-License-Identifier: MIT
#include "sim/half.h"
#include "sim/matrix.h"

#include <math.h>
#include <string.h>

#define MOST_K 256
struct factors {
    double left[MATRIX_MOST * MOST_K], right[MOST_K * MATRIX_MOST], sum[MATRIX_MOST * MATRIX_MOST];
};

// Element `e` of a 32-bit word.
static double element(enum matrix_type type, uint32_t word, int e)
{
    switch (type) {
    case MATRIX_F16: return (double)half_to_float(word >> 16 * e & 0xffff);
    case MATRIX_BF16: return (double)bf16_to_float(word >> 16 * e & 0xffff);
    case MATRIX_TF32: return (double)bits_float(word & 0xffffe000);
    case MATRIX_F32: return (double)bits_float(word);
    case MATRIX_S32: return (int32_t)word;
    case MATRIX_S8: return (int8_t)(word >> 8 * e);
    case MATRIX_U8: return (uint8_t)(word >> 8 * e);
    case MATRIX_S4: return (int32_t)(word << (28 - 4 * e)) >> 28;
    case MATRIX_U4: return word >> 4 * e & 15;
    case MATRIX_B1: return word >> e & 1;
    case MATRIX_E4M3: return half_small(word >> 8 * e & 0xff, 4, 3, false);
    case MATRIX_E5M2: return half_small(word >> 8 * e & 0xff, 5, 2, true);
    default: return 0;
    }
}

static double lane_element(struct warp *w, enum matrix_type type, uint32_t slot, int lane, int e)
{
    if (type == MATRIX_F64) return ((const f64 *)SLOT(w, slot))[lane];
    return element(type, ((const u32 *)SLOT(w, slot))[lane], e);
}

// A factor whose rows (of the right one: columns) have `depth` elements.
static void gather(struct warp *w, enum matrix_type type, const uint32_t *slots, int rows, int depth, double *to,
    int row_step, int step)
{
    const int each = type == MATRIX_F64 ? 1 : 32 / matrix_bits[type], wide = 4 * each, down = rows / 8;
    for (int piece = 0; piece < down * (depth / wide); piece++)
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < each; e++) {
                const int row = piece % down * 8 + l / 4, at = piece / down * wide + l % 4 * each + e;
                to[row * row_step + at * step] = lane_element(w, type, slots[piece], l, e);
            }
}

// The right factor's pieces are numbered along its depth first.
static void gather_right(struct warp *w, enum matrix_type type, const uint32_t *slots, int cols, int depth, double *to)
{
    const int each = type == MATRIX_F64 ? 1 : 32 / matrix_bits[type], deep = depth / (4 * each);
    for (int n = 0; n < cols / 8; n++) gather(w, type, slots + n * deep, 8, depth, to + n * 8, 1, cols);
}

struct spot { // of a sum: the slot, the lane and the half that hold element (row, col)
    int index, lane, part;
};
static struct spot spot_of(const struct matrix_op *op, enum matrix_type type, int row, int col)
{
    const bool turned = op->m == 8 && op->n == 32; // sums of this shape are kept transposed
    const int high = turned ? op->n : op->m;
    if (turned) {
        const int was = row;
        row = col, col = was;
    }
    const int piece = row / 8 + col / 8 * (high / 8), lane = row % 8 * 4 + col % 8 / 2, odd = col & 1;
    return type == MATRIX_F16 || type == MATRIX_BF16 ? (struct spot){piece, lane, odd}
                                                     : (struct spot){2 * piece + odd, lane, 0};
}

static void multiply(const struct matrix_op *op, struct factors *f)
{
    for (int i = 0; i < op->m; i++)
        for (int k = 0; k < op->k; k++) {
            const double a = f->left[i * op->k + k];
            const double *b = &f->right[k * op->n];
            double *sum = &f->sum[i * op->n];
            if (op->xors)
                for (int j = 0; j < op->n; j++) sum[j] += a != b[j];
            else if (op->d == MATRIX_F64)
                for (int j = 0; j < op->n; j++) sum[j] = fma(a, b[j], sum[j]);
            else
                for (int j = 0; j < op->n; j++) sum[j] += a * b[j];
        }
}

static uint32_t rounded(const struct matrix_op *op, double sum)
{
    switch ((enum matrix_type)op->d) {
    case MATRIX_F16: return double_to_half(sum);
    case MATRIX_F32: return float_bits((float)sum);
    default: break;
    }
    if (op->saturates && sum > INT32_MAX) return INT32_MAX;
    if (op->saturates && sum < INT32_MIN) return (uint32_t)INT32_MIN;
    return (uint32_t)(int64_t)sum;
}

static HANDLER(mma)
{
    const struct matrix_op *op = i->matrix;
    struct factors f;
    gather(w, (enum matrix_type)op->a, op->at_a, op->m, op->k, f.left, op->k, 1);
    gather_right(w, (enum matrix_type)op->b, op->at_b, op->n, op->k, f.right);
    for (int row = 0; row < op->m; row++)
        for (int col = 0; col < op->n; col++) {
            const struct spot s = spot_of(op, (enum matrix_type)op->c, row, col);
            f.sum[row * op->n + col] = lane_element(w, (enum matrix_type)op->c, op->at_c[s.index], s.lane, s.part);
        }
    multiply(op, &f);
    for (int row = 0; row < op->m; row++)
        for (int col = 0; col < op->n; col++) {
            const struct spot s = spot_of(op, (enum matrix_type)op->d, row, col);
            if (!(mask >> s.lane & 1)) continue;
            const double sum = f.sum[row * op->n + col];
            if (op->d == MATRIX_F64) {
                ((f64 *)SLOT(w, op->at_d[s.index]))[s.lane] = sum;
                continue;
            }
            u32 *to = &((u32 *)SLOT(w, op->at_d[s.index]))[s.lane];
            const uint32_t bits = rounded(op, sum);
            if (op->d != MATRIX_F16) *to = bits;
            else *to = s.part ? (*to & 0xffff) | bits << 16 : (*to & 0xffff0000) | bits;
        }
    return i + 1;
}

const struct op VARIANT(ops_mma)[] = {{"mma", NULL, mma}, {NULL, NULL, NULL}};
