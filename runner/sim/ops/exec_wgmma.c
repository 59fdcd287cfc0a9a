// Products of a warp group, wgmma.mma_async: 64 rows, of which each of its four warps has 16, by factors that lie in
// shared memory (the left one also in registers). A descriptor says where, in pieces of 8 rows of 16 bytes. Each warp
// does its part at once. A wait that is missing is therefore seen by who watches alone (watch/flight.h).
// SPDX-License-Identifier: MIT
#include "sim/core/access.h"
#include "sim/ops/element.h"
#include "sim/core/fault.h"
#include "sim/core/flow.h"

#include <string.h>

enum { MOST_N = 256, MOST_K = 256 };

// What the 64 bits of a descriptor say.
struct tile {
    uint64_t start, lead, stride; // bytes
    unsigned swizzle;             // bytes of a row that is swizzled; 16: none
};
static struct tile tile_of(uint64_t bits)
{
    static const unsigned rows[] = {16, 128, 64, 32};
    return (struct tile){
        (bits & 0x3fff) << 4, (bits >> 16 & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4, rows[bits >> 62]};
}

// The address of byte `at` along the fast direction of line `line`.
static uint64_t place(const struct tile *t, bool turned, unsigned line, unsigned at)
{
    const unsigned wide = t->swizzle, chunk = at / 16;
    uint64_t a = t->start + at % 16;
    if (turned && wide == 16) a += chunk * t->stride + line / 8 * t->lead + line % 8 * 16;
    else if (turned)
        a += chunk % (wide / 16) * 16 + chunk / (wide / 16) * t->lead + line % 8 * wide + line / 8 * t->stride;
    else if (wide == 16) a += line / 8 * t->stride + chunk * t->lead + line % 8 * 16;
    else a += line / 8 * t->stride + line % 8 * wide + chunk * 16;
    return a ^ (wide == 16 ? 0 : (a >> 7 & (wide / 16 - 1)) << 4);
}

// The chunks of 16 bytes that are read, checked and shown to the watch 32 at a time.
struct reader {
    struct warp *w;
    const struct inst *i;
    uint64_t at[LANES];
    uint32_t count;
};
static bool flush(struct reader *r)
{
    if (!r->count) return true;
    const uint32_t mask = r->count == LANES ? ALL_LANES : (1u << r->count) - 1;
    for (uint32_t l = r->count; l < LANES; l++) r->at[l] = r->at[0];
    r->count = 0;
    if (!access_check(r->w, r->i, r->at, mask, SPACE_SHARED, 16)) return false;
    if (r->w->block->watch) watch_async(r->w, r->i, r->at, mask, 16);
    return true;
}
static bool note(struct reader *r, uint64_t at)
{
    r->at[r->count++] = at & ~(uint64_t)15;
    return r->count < LANES || flush(r);
}

// Rows `first` and on of a factor (of the right one: its columns), each of `depth` elements, into `to`.
static bool fetch(struct reader *r, const struct tile *t, enum matrix_type type, bool turned, unsigned first,
    unsigned rows, unsigned depth, double *to)
{
    const unsigned bits = matrix_bits[type], each = 32 / bits;
    const unsigned char *shared = r->w->block->shared;
    const unsigned lines = turned ? depth : rows, along = turned ? rows : depth;
    for (unsigned line = 0; line < lines; line++)
        for (unsigned n = 0; n < along * bits / 8; n += 16)
            if (!note(r, place(t, turned, turned ? line : first + line, n + (turned ? first * bits / 8 : 0))))
                return false;
    if (!flush(r)) return false;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned k = 0; k < depth; k++) {
            const unsigned along_bits = (turned ? first + row : k) * bits, line = turned ? k : first + row;
            const uint64_t a = place(t, turned, line, along_bits / 8);
            uint32_t word;
            memcpy(&word, shared + (a & ~(uint64_t)3), 4);
            to[row * depth + k] = element_get(type, word, (int)((a % 4 * 8 + along_bits % 8) / bits % each));
        }
    return true;
}

// The left factor in registers: pieces of 8 rows by 4 words, as mma has them.
static void registers(struct warp *w, const struct group_op *op, unsigned depth, double *to)
{
    const enum matrix_type type = (enum matrix_type)op->a;
    const unsigned each = 32u / matrix_bits[type];
    for (unsigned piece = 0; piece < 4; piece++)
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned e = 0; e < each; e++)
                to[(piece % 2 * 8 + l / 4) * depth + piece / 2 * 4 * each + l % 4 * each + e] =
                    element_get(type, ((const u32 *)SLOT(w, op->at_a[piece]))[l], (int)e);
}

static void multiply(struct warp *w, const struct group_op *op, const double *left, const double *right, uint32_t mask,
    bool adds)
{
    const int halves = op->d == MATRIX_F16, sign = op->minus ? -1 : 1;
    for (unsigned n = 0; n < op->n / 4u; n++) // pairs of columns, and two rows of each
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned row = l / 4 + n % 2 * 8, col = n / 2 * 8 + l % 4 * 2;
            u32 *to[2];
            for (unsigned e = 0; e < 2; e++) {
                const double *a = left + row * op->k, *b = right + (col + e) * op->k;
                double sum = 0;
                to[e] = &((u32 *)SLOT(w, op->at_d[halves ? n : 2 * n + e]))[l];
                if (adds) sum = element_get((enum matrix_type)op->d, *to[e], halves ? (int)e : 0);
                for (unsigned k = 0; k < op->k; k++) sum += sign * (a[k] * b[k]);
                if (!(mask >> l & 1)) continue;
                const uint32_t bits = element_of_sum((enum matrix_type)op->d, sum, op->saturates);
                *to[e] = !halves ? bits : e ? (*to[e] & 0xffff) | bits << 16 : (*to[e] & 0xffff0000) | bits;
            }
        }
}

static HANDLER(group_product)
{
    const struct group_op *op = i->group;
    const uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct reader r = {.w = w, .i = i};
    double left[16 * MOST_K], right[MOST_N * MOST_K], packed[16 * MOST_K / 2], *to = op->is_sparse ? packed : left;
    const unsigned depth = op->is_sparse ? op->k / 2u : op->k;
    const struct tile b = tile_of(((const u64 *)SLOT(w, op->b_tile))[lane]);
    if (w->block->warp_count % 4)
        return fault_set(w, i, lane, SIM_ASSERT, "a product of four warps in a block of %u", w->block->warp_count);
    if (!fetch(&r, &b, (enum matrix_type)op->b, op->b_turned, 0, op->n, op->k, right)) return NULL;
    if (op->a_tile) {
        const struct tile a = tile_of(((const u64 *)SLOT(w, op->a_tile))[lane]);
        if (!fetch(&r, &a, (enum matrix_type)op->a, op->a_turned, w->index % 4 * 16, 16, depth, to)) return NULL;
    } else registers(w, op, depth, to);
    if (op->is_sparse) matrix_expand(w, &op->sparse, 16, op->k, packed, left);
    multiply(w, op, left, right, mask, *(const u32 *)SLOT(w, op->adds) >> lane & 1);
    return i + 1;
}

// The product is the group's: a wait ends when its four warps have begun theirs. (H200, 580.159.04, 2026-11-23: where
// one of them came 200,000 cycles late, the waits of the other three ended with its own.)
static HANDLER(wait_for_products)
{
    const uint32_t first = w->index / 4 * 4, warps = w->block->warp_count - first;
    return flow_park(w, i, mask,
        (struct group){.state = GROUP_BARRIER,
            .barrier = (uint8_t)(BARRIERS + first / 4),
            .expected = LANES * (warps < 4 ? warps : 4)});
}

const struct op VARIANT(ops_wgmma)[] = {
    {"wgmma", NULL, group_product}, {"wgmma.wait", NULL, wait_for_products}, {NULL, NULL, NULL}};
