// The compiler's schedule says when each instruction can be issued, but for what takes a time of its own: of this it
// says who waits. Within an SM that time is known; for memory beyond it a step ends.
// SPDX-License-Identifier: MIT
#include "sass/blocks.h"

#include "base/arena.h"

struct sass_cost {
    uint8_t busy;  // cycles of the pipe for a warp
    uint8_t takes; // cycles until a result is there that others wait for
};
// Measured on an H200: instructions a cycle and SM, and latencies of chains.
static const struct sass_cost of_pipe[SASS_PIPES] = {[SASS_PIPE_ALU] = {2, 12},
    [SASS_PIPE_FMA] = {1, 12},
    [SASS_PIPE_FP64] = {2, 16},
    [SASS_PIPE_XU] = {8, 18},
    [SASS_PIPE_LSU] = {0, 23},
    [SASS_PIPE_TEX] = {0, 200},
    [SASS_PIPE_TENSOR] = {8, 33},
    [SASS_PIPE_UNIFORM] = {0, 12},
    [SASS_PIPE_CBU] = {0, 12},
    [SASS_PIPE_ADU] = {0, 20}};

static struct sass_cost cost_of(const struct sass_inst *i)
{
    struct sass_cost p = of_pipe[sass_pipe((enum sass_op)i->op)];
    switch ((enum sass_op)i->op) {
    case SASS_IMAD:
    case SASS_IMAD_WIDE:
    case SASS_IMAD_HI:
    case SASS_IDP: return p.busy = 2, p;
    case SASS_HFMA2_MMA: return p.busy = 1, p;
    case SASS_SHFL: return p.busy = 1, p;
    case SASS_LDC: return p.takes = 30, p;
    case SASS_ATOMS:
    case SASS_ATOMS_CAS: return p.takes = 40, p;
    default: return p;
    }
}

// Of memory, shared memory included.
static bool is_access(const struct sass_inst *i)
{
    switch ((enum sass_op)i->op) {
    case SASS_LD:
    case SASS_LDG:
    case SASS_LDL:
    case SASS_LDS:
    case SASS_LDSM:
    case SASS_ST:
    case SASS_STG:
    case SASS_STL:
    case SASS_STS:
    case SASS_STSM:
    case SASS_ATOM:
    case SASS_ATOM_CAS:
    case SASS_ATOM_F:
    case SASS_ATOMG:
    case SASS_ATOMG_CAS:
    case SASS_ATOMG_F:
    case SASS_ATOMS:
    case SASS_ATOMS_CAS:
    case SASS_RED:
    case SASS_RED_F:
    case SASS_LDGSTS: return true;
    default: return false;
    }
}

// Its result comes from beyond the SM.
static bool is_far(const struct sass_inst *i)
{
    switch ((enum sass_op)i->op) {
    case SASS_LDS:
    case SASS_LDSM:
    case SASS_STS:
    case SASS_STSM:
    case SASS_ATOMS:
    case SASS_ATOMS_CAS: return false;
    default: return is_access(i);
    }
}

static bool is_fence(const struct sass_inst *i)
{
    enum { BLOCK = 0 };
    return i->op == SASS_MEMBAR && sass_bits(i, 76, 3) != BLOCK;
}

enum { OPERANDS = 12 }; // cycles until an instruction has read its operands

void sass_steps(struct arena *a, struct sass_block *b, const struct sass_inst *insts)
{
    struct sass_step *steps = arena_alloc(a, (b->count + 1) * sizeof *steps), *s = NULL;
    double ready[SASS_BOARDS] = {0}, now = 0, began = 0;
    unsigned unknown = (1u << SASS_BOARDS) - 1; // boards that memory sets, or that an earlier stretch has set
    for (uint32_t n = b->first; n < b->first + b->count; n++) {
        const struct sass_inst *i = &insts[n];
        const bool counts = i->op == SASS_DEPBAR && sass_bit(i, 47);
        for (int k = 0; k < SASS_BOARDS; k++)
            if (i->waits >> k & 1 && ready[k] > now) now = ready[k];
        if (!s || is_access(i) || i->waits & unknown || counts || i->op == SASS_LDGDEPBAR) {
            if (s) s->cycles = (uint32_t)(now - began + 0.5);
            began = now;
            s = &steps[b->step_count++];
            *s = (struct sass_step){.at = n, .board = SASS_NO_BOARD, .marks = SASS_NO_BOARD};
            s->waits = (uint8_t)(i->waits & unknown);
            if (counts) s->board = (uint8_t)sass_bits(i, 44, 3), s->behind = (uint8_t)sass_bits(i, 38, 6);
            if (i->op == SASS_LDGDEPBAR) s->marks = i->sets;
            if (s->board >= SASS_BOARDS) s->board = SASS_NO_BOARD;
            unknown &= ~(unsigned)i->waits; // clear now
        }
        const struct sass_cost p = cost_of(i);
        s->turns++;
        s->fences += is_fence(i);
        s->busy[sass_pipe((enum sass_op)i->op)] += p.busy;
        if (i->sets < SASS_BOARDS && (is_far(i) || i->op == SASS_LDGDEPBAR)) unknown |= 1u << i->sets;
        else if (i->sets < SASS_BOARDS && ready[i->sets] < now + p.takes) ready[i->sets] = now + p.takes;
        if (i->frees < SASS_BOARDS && ready[i->frees] < now + OPERANDS) ready[i->frees] = now + OPERANDS;
        now += i->stall ? i->stall : 1;
    }
    if (s) s->cycles = (uint32_t)(now - began + 0.5);
    for (int k = 0; k < SASS_BOARDS; k++) b->left[k] = ready[k] > now ? (uint32_t)(ready[k] - now + 0.5) : 0;
    b->steps = arena_copy(a, steps, b->step_count * sizeof *steps);
}
