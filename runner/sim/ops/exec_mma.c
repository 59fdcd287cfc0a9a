// Products of small matrices that a warp holds in its registers: mma.sync and wmma.mma. Products are exact and summed
// in double (integers in 64 bits), then rounded once: a tensor core's own sums differ in the last bits.
// SPDX-License-Identifier: MIT
#include "sim/ops/element.h"

#include <math.h>

#define MOST_K 256
struct factors {
    double left[MATRIX_MOST * MOST_K], right[MOST_K * MATRIX_MOST], sum[MATRIX_MOST * MATRIX_MOST];
};

static double lane_element(struct warp *w, enum matrix_type type, uint32_t slot, int lane, int e)
{
    if (type == MATRIX_F64) return ((const f64 *)SLOT(w, slot))[lane];
    return element_get(type, ((const u32 *)SLOT(w, slot))[lane], e);
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

static HANDLER(mma)
{
    const struct matrix_op *op = i->matrix;
    struct factors f;
    if (op->sparse.group) {
        double packed[MATRIX_MOST * MOST_K / 2];
        gather(w, (enum matrix_type)op->a, op->at_a, op->m, op->k / 2, packed, op->k / 2, 1);
        matrix_expand(w, &op->sparse, op->m, op->k, packed, f.left);
    } else gather(w, (enum matrix_type)op->a, op->at_a, op->m, op->k, f.left, op->k, 1);
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
            const uint32_t bits = element_of_sum((enum matrix_type)op->d, sum, op->saturates);
            if (op->d != MATRIX_F16) *to = bits;
            else *to = s.part ? (*to & 0xffff) | bits << 16 : (*to & 0xffff0000) | bits;
        }
    return i + 1;
}

// The oldest shape, 8 by 8 by 4 of halves: four products side by side, each by four lanes and the four 16 further on.
static int row_or_column(int lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

// Where a lane's element `e` of the sums stands, which is another place for halves.
static int quad_row(int type, int lane, int e)
{
    return type == MATRIX_F16 ? row_or_column(lane) : (lane & 1) + (e & 2) + (lane < 16 ? 0 : 4);
}
static int quad_col(int type, int lane, int e) { return type == MATRIX_F16 ? e : (e & 4) + (lane & 2) + (e & 1); }
static struct spot quad_spot(int type, int e)
{
    return type == MATRIX_F16 ? (struct spot){e / 2, 0, e % 2} : (struct spot){e, 0, 0};
}

static void quad(struct warp *w, const struct matrix_op *op, int first, uint32_t mask)
{
    double a[8][4], b[4][8], sum[8][8];
    for (int n = 0; n < 8; n++) {
        const int lane = first + n % 4 + n / 4 * 16;
        for (int e = 0; e < 4; e++) {
            const double x = lane_element(w, MATRIX_F16, op->at_a[e / 2], lane, e % 2),
                         y = lane_element(w, MATRIX_F16, op->at_b[e / 2], lane, e % 2);
            if (op->a_columns) a[e + n / 4 * 4][lane % 4] = x;
            else a[row_or_column(lane)][e] = x;
            if (op->b_columns) b[e][row_or_column(lane)] = y;
            else b[lane % 4][e + n / 4 * 4] = y;
        }
    }
    for (int n = 0; n < 64; n++) {
        const int lane = first + n / 8 % 4 + n / 32 * 16, e = n % 8;
        const struct spot s = quad_spot(op->c, e);
        const double c = lane_element(w, (enum matrix_type)op->c, op->at_c[s.index], lane, s.part);
        sum[quad_row(op->c, lane, e)][quad_col(op->c, lane, e)] = c;
    }
    for (int n = 0; n < 64; n++) {
        const int lane = first + n / 8 % 4 + n / 32 * 16, e = n % 8;
        const int row = quad_row(op->d, lane, e), col = quad_col(op->d, lane, e);
        const struct spot s = quad_spot(op->d, e);
        double all = sum[row][col];
        for (int k = 0; k < 4; k++) all += a[row][k] * b[k][col];
        if (!(mask >> lane & 1)) continue;
        u32 *to = &((u32 *)SLOT(w, op->at_d[s.index]))[lane];
        const uint32_t bits = element_of_sum((enum matrix_type)op->d, all, false);
        *to = op->d != MATRIX_F16 ? bits : s.part ? (*to & 0xffff) | bits << 16 : (*to & 0xffff0000) | bits;
    }
}

static HANDLER(mma_quads)
{
    for (int first = 0; first < 16; first += 4) quad(w, i->matrix, first, mask);
    return i + 1;
}

const struct op VARIANT(ops_mma)[] = {{"mma", NULL, mma}, {"mma.quads", NULL, mma_quads}, {NULL, NULL, NULL}};
