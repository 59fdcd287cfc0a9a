// Matrices between memory and the registers of a warp: ldmatrix, stmatrix and movmatrix, and wmma's loads and stores,
// which are done and counted as the loads and stores that ptxas makes of them.
// SPDX-License-Identifier: MIT
#include "sim/ops/matrix.h"

#include "sim/core/access.h"
#include "sim/ops/tables.h"

#include <string.h>

const uint8_t matrix_bits[MATRIX_TYPES] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 8, 8, 32};

// One access of the warp: `bytes` a lane, in whatever space its addresses are. `host` gets where they lie.
static bool reach(struct warp *w, const struct inst *i, const uint64_t at[LANES], uint32_t mask, uint32_t bytes,
    uint64_t host[LANES])
{
    uint64_t own[LANES], moved[LANES];
    for (uint32_t left = mask; left;) {
        enum space space = (enum space)i->space;
        uint32_t part = left;
        if (space == SPACE_GENERIC) part = access_split(at, left, &space, own);
        else
            for (int l = 0; l < LANES; l++) own[l] = mask >> l & 1 ? at[l] : at[__builtin_ctz(mask)];
        if (!access_admit(w, i, own, part, space, bytes)) return false;
        const uint64_t *to = access_host(w, own, space, moved);
        for (uint32_t m = part; m; m &= m - 1) host[__builtin_ctz(m)] = to[__builtin_ctz(m)];
        left &= ~part;
    }
    return true;
}

// ldmatrix, stmatrix: lane 8k + r has the address of row r of matrix k, 16 bytes.
static HANDLER(rows_of_matrices)
{
    const struct matrix_move *m = i->move;
    const uint32_t lanes = m->count == 4 ? ALL_LANES : (1u << 8 * m->count) - 1;
    uint64_t buffer[LANES], host[LANES];
    (void)mask;
    const uint64_t *at = access_addresses(w, i, lanes, buffer);
    if (!reach(w, i, at, lanes, 16, host)) return NULL;
    for (uint32_t k = 0; k < m->count; k++) {
        u32 *r = SLOT(w, m->at[k]);
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < 2; e++) {
                const int line = m->columns ? l % 4 * 2 + e : l / 4, along = m->columns ? l / 4 : l % 4 * 2 + e;
                unsigned char *cell = (unsigned char *)(uintptr_t)host[8 * k + (uint32_t)line] + 2 * along;
                uint16_t half = (uint16_t)(r[l] >> 16 * e);
                if (m->stores) memcpy(cell, &half, 2);
                else {
                    memcpy(&half, cell, 2);
                    r[l] = e ? (r[l] & 0xffff) | (uint32_t)half << 16 : (r[l] & 0xffff0000) | half;
                }
            }
    }
    return i + 1;
}

static HANDLER(transpose)
{
    u32 *d = SLOT(w, i->r[0]), result[LANES];
    const u32 *a = SLOT(w, i->r[1]);
    for (int l = 0; l < LANES; l++) {
        result[l] = 0;
        for (int e = 0; e < 2; e++) { // element (l/4, 2(l%4) + e) comes from (2(l%4) + e, l/4)
            const int row = l % 4 * 2 + e, col = l / 4;
            result[l] |= (a[row * 4 + col / 2] >> 16 * (col & 1) & 0xffff) << 16 * e;
        }
    }
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) d[l] = result[l];
    return i + 1;
}

// How a fragment is cut: pieces of `high` rows by `wide` columns, a lane's `each` elements side by side.
struct cut {
    int rows, cols, high, wide, each;
};
static struct cut cut_of(const struct matrix_move *m)
{
    if (m->which == 'c') return (struct cut){m->rows, m->cols, 8, 8, 2};
    const int each = m->bits == 64 ? 1 : 32 / m->bits;
    return m->which == 'a' ? (struct cut){m->rows, m->cols, 8, 4 * each, each}
                           : (struct cut){m->rows, m->cols, 4 * each, 8, each};
}

// Row and column of a lane's element.
static void element_at(const struct matrix_move *m, const struct cut *c, int piece, int lane, int e, int *row, int *col)
{
    const int down = c->rows / c->high, top = piece % down * c->high, left = piece / down * c->wide;
    const int line = lane / 4, along = lane % 4 * c->each + e;
    *row = top + (m->which == 'b' ? along : line);
    *col = left + (m->which == 'b' ? line : along);
}

static uint32_t stride_of(struct warp *w, const struct matrix_move *m)
{
    return m->stride ? *(const u32 *)SLOT(w, m->stride) : m->lead;
}

static uint64_t address_of(const struct matrix_move *m, uint64_t base, uint64_t stride, int row, int col)
{
    const uint64_t line = (uint64_t)(m->columns ? col : row), along = (uint64_t)(m->columns ? row : col);
    return base + (line * stride + along) * m->bits / 8;
}

// The register and the place in it of a lane's element `e` of a piece, as bytes.
static unsigned char *register_at(struct warp *w, const struct matrix_move *m, int piece, int lane, int e)
{
    const int size = m->bits / 8;
    if (m->which != 'c' || m->bits < 32)
        return (unsigned char *)SLOT(w, m->at[piece]) + (m->bits == 64 ? 8 : 4) * lane + e * size;
    return (unsigned char *)SLOT(w, m->at[2 * piece + e]) + size * lane;
}

// A lane's elements lie side by side in memory, or halves are transposed on the way: `together` of them in one access.
static int together(const struct matrix_move *m, const struct cut *c, bool *transposes)
{
    const bool along = (m->which == 'b') == m->columns;
    *transposes = !along && m->bits == 16;
    return along || *transposes ? c->each : 1;
}

static bool move_piece(struct warp *w, const struct inst *i, int piece, uint32_t mask, uint64_t base)
{
    const struct matrix_move *m = i->move;
    const struct cut c = cut_of(m);
    const uint64_t stride = stride_of(w, m);
    bool transposes;
    const int group = together(m, &c, &transposes), size = m->bits / 8;
    for (int e = 0; e < c.each; e += group) {
        uint64_t at[LANES], host[LANES];
        for (int l = 0; l < LANES; l++) {
            int row, col, first_row, first_col;
            element_at(m, &c, piece, l, e, &row, &col);
            if (transposes) { // the lane fetches the element across the diagonal, and its neighbour
                element_at(m, &c, piece, 0, 0, &first_row, &first_col);
                const int r = first_row + (col - first_col);
                col = first_col + (row - first_row), row = r;
            }
            at[l] = address_of(m, base, stride, row, col);
        }
        if (!reach(w, i, at, mask, (uint32_t)(group * size), host)) return false;
        for (int l = 0; l < LANES; l++)
            for (int n = 0; n < group && (mask >> l & 1); n++) {
                const int from = transposes ? (l % 4 * 2 + n) * 4 + l / 8 : l, part = transposes ? l / 4 & 1 : e + n;
                unsigned char *r = register_at(w, m, piece, from, part);
                void *cell = (void *)(uintptr_t)(host[l] + (uint64_t)(n * size));
                if (m->stores) memcpy(cell, r, (size_t)size);
                else memcpy(r, cell, (size_t)size);
            }
    }
    return true;
}

// Halves, and bytes that lie along their rows, are fetched from shared memory as ldmatrix does it: four pieces at once,
// a lane giving a row of eight.
static bool move_rows(struct warp *w, const struct inst *i, int piece, int count, uint64_t base)
{
    const struct matrix_move *m = i->move;
    const struct cut c = cut_of(m);
    uint64_t at[LANES] = {0}, host[LANES];
    const uint64_t stride = stride_of(w, m);
    for (int k = 0; k < count; k++)
        for (int r = 0; r < 8; r++) {
            int row, col;
            element_at(m, &c, piece + k, 0, 0, &row, &col);
            if (m->columns) col += r;
            else row += r;
            at[8 * k + r] = address_of(m, base, stride, row, col);
        }
    const uint32_t lanes = count == 4 ? ALL_LANES : (1u << 8 * count) - 1;
    if (!reach(w, i, at, lanes, 16, host)) return false;
    for (int k = 0; k < count; k++)
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < c.each; e++) {
                int row, col, top, left;
                element_at(m, &c, piece + k, l, e, &row, &col);
                element_at(m, &c, piece + k, 0, 0, &top, &left);
                const int line = m->columns ? col - left : row - top, along = m->columns ? row - top : col - left;
                memcpy(register_at(w, m, piece + k, l, e),
                    (unsigned char *)(uintptr_t)host[8 * k + line] + m->bits / 8 * along, m->bits / 8u);
            }
    return true;
}

static HANDLER(fragment)
{
    const struct matrix_move *m = i->move;
    const struct cut c = cut_of(m);
    const int pieces = c.rows / c.high * (c.cols / c.wide);
    uint64_t buffer[LANES];
    const uint64_t *bases = access_addresses(w, i, mask, buffer), base = bases[__builtin_ctz(mask)];
    if (i->space == SPACE_SHARED && m->memory.matrices)
        for (int piece = 0; piece < pieces; piece += 4) {
            if (!move_rows(w, i, piece, pieces - piece < 4 ? pieces - piece : 4, base)) return NULL;
        }
    else
        for (int piece = 0; piece < pieces; piece++)
            if (!move_piece(w, i, piece, mask, base)) return NULL;
    const int filled = m->which == 'c' && m->bits >= 32 ? 2 * pieces : pieces;
    for (int k = filled; !m->stores && k < m->count; k++) // some fragments have more registers than elements
        memcpy(SLOT(w, m->at[k]), SLOT(w, m->at[k % filled]), (m->bits == 64 ? 8u : 4u) * LANES);
    return i + 1;
}

// A factor of which half is zero: of each group of neighbours in a row half is there, and four bits say where it
// stands. One, two or all lanes of four hold these bits; of wide types a lane has four groups of both of its rows, of
// bytes and nibbles eight groups of one.
static uint32_t groups_bits(struct warp *w, const struct matrix_sparse *s, int groups, int row, int group)
{
    const u32 *bits = SLOT(w, s->at_meta);
    const int first = row % 8 * 4;
    int lane, at;
    if (s->by_row) {
        lane = (int)s->selector * 2 + group / 8 * 2 + row / 8, at = 4 * (group % 8);
    } else lane = (int)s->selector * (groups / 4) + group / 4, at = 16 * (row / 8) + 4 * (group % 4);
    return bits[first + lane % 4] >> at & 15;
}

void matrix_expand(struct warp *w, const struct matrix_sparse *s, int rows, int k, const double *packed, double *to)
{
    const int groups = k / s->group, kept = s->group / 2; // of each group
    memset(to, 0, sizeof *to * (size_t)(rows * k));
    for (int row = 0; row < rows; row++)
        for (int group = 0; group < groups; group++) {
            const uint32_t bits = groups_bits(w, s, groups, row, group);
            const double *from = &packed[row * (k / 2) + group * kept];
            for (int e = 0; e < kept; e++) {
                const int place = (int)(bits >> (2 * e >= kept && kept > 1 ? 2 : 0) & 3);
                to[row * k + group * s->group +
                    (s->group == 2          ? place / 2
                            : s->group == 8 ? 2 * place + e % 2
                                            : place)] = from[e];
            }
        }
}

const struct op matrix_ops[] = {{"matrix.rows", NULL, rows_of_matrices}, {"matrix.transpose", NULL, transpose},
    {"fragment", NULL, fragment}, {NULL, NULL, NULL}};
